/* What conflicts are called: titles, files, and the keys by which they stand in lists. */
#include "conflict_names.h"

#include <stdlib.h>

#include "core/base/text.h"
#include "core/base/time.h"

/* --- one of them ------------------------------------------------------------- */

hm_str hm_list_key(hm_arena *a, hm_str title, hm_str id) {
  hm_str head = hm_text_name(a, title), nul = { "", 1 };
  return hm_str_join(a, (hm_str[]){ head, nul, id }, 3);
}

/* "p05 / lateral_support_material", "p05 / preference: workflow"; the name is what stands after the
 * slash. */
static void set_title(const hm_view *v, hm_vconflict *c, hm_teller *teller, hm_arena *tmp) {
  hm_json *key = NULL;
  c->named = !v->any_hidden;
  if (hm_json_parse(tmp, c->rec->slot_key, &key, NULL) || key->type != HM_JSON_ARRAY ||
      key->count < 2 || key->count > 3) {
    c->title = c->name =
        v->any_hidden ? HM_STR("(name withheld)") : hm_short(v->a, c->rec->slot_key, 200);
    return;
  }
  hm_str part[3] = { HM_EMPTY, HM_EMPTY, HM_EMPTY };
  size_t n = 0;
  for (const hm_json *e = key->child; e; e = e->next) part[n++] = e->text;
  hm_str project = part[0].n ? part[0] : HM_STR("global"), name = part[n - 1];
  c->named = hm_teller_may_name(teller, c, name);
  if (!c->named) name = HM_STR("(name withheld)");
  hm_buf b = { 0 };
  hm_buf_str(&b, hm_short(tmp, project, 120));
  hm_buf_c(&b, " / ");
  size_t head = b.n;
  if (n == 3) hm_buf_str(&b, hm_short(tmp, part[1], 120)), hm_buf_c(&b, ": ");
  hm_buf_str(&b, hm_short(tmp, name, 200));
  c->title = hm_buf_keep(&b, v->a);
  c->name = hm_str_sub(c->title, head, c->title.n);
  hm_buf_free(&b);
}

/* --- several of one slot -------------------------------------------------------- */

typedef enum { YEAR, MONTH, DAY, INSTANT } unit;

static unit unit_of(hm_str iso) {
  if (iso.n == 4 || (iso.n == 10 && hm_str_ends(iso, "-01-01"))) return YEAR;
  if (iso.n == 7 || (iso.n == 10 && hm_str_ends(iso, "-01"))) return MONTH;
  if (iso.n <= 10) return DAY;
  if (hm_str_ends(iso, "-01-01T00:00:00Z")) return YEAR;
  if (hm_str_ends(iso, "-01T00:00:00Z")) return MONTH;
  return hm_str_ends(iso, "T00:00:00Z") ? DAY : INSTANT;
}

/* "2020", "2020-03", "2020-03-04" where the instant begins one, else the whole. */
static hm_str instant_words(hm_str iso, unit u) {
  static const size_t length[] = { [YEAR] = 4, [MONTH] = 7, [DAY] = 10 };
  return u == INSTANT ? iso : hm_str_sub(iso, 0, length[u]);
}

/* Is it the whole year, month or day that begins then? */
static bool is_whole(hm_str from, hm_str until, unit u) {
  const hm_time day = (hm_time)86400 * 1000000;
  static const int least[] = { [YEAR] = 365, [MONTH] = 28, [DAY] = 1, [INSTANT] = 1 };
  static const int most[] = { [YEAR] = 366, [MONTH] = 31, [DAY] = 1, [INSTANT] = 0 };
  hm_time f, t;
  hm_precision p;
  if (hm_str_eq(from, until)) return u != INSTANT;   /* alike, they mean the unit */
  if (!hm_time_parse(from, &f, &p) || !hm_time_parse(until, &t, &p) || unit_of(until) > u)
    return false;
  return t - f >= least[u] * day && t - f <= most[u] * day;
}

/* The contested time: "in 2020", "from 2026", "until 2021-05", "2020-03 to 2021-05"; empty when no
 * end of it is known. */
static hm_str window_words(hm_arena *a, hm_str from, hm_str until) {
  if (!from.n && !until.n) return HM_EMPTY;
  unit f = from.n ? unit_of(from) : INSTANT, u = until.n ? unit_of(until) : INSTANT;
  hm_str x = instant_words(from, f), y = instant_words(until, u);
  if (!until.n) return hm_str_fmt(a, "from %.*s", HM_FMT(x));
  if (!from.n) return hm_str_fmt(a, "until %.*s", HM_FMT(y));
  if (is_whole(from, until, f)) return hm_str_fmt(a, "%s %.*s", f == DAY ? "on" : "in", HM_FMT(x));
  return hm_str_fmt(a, "%.*s to %.*s", HM_FMT(x), HM_FMT(y));
}

static bool same_words(const hm_vconflict *a, const hm_vconflict *b) {
  return hm_str_eq(a->rec->window_from, b->rec->window_from) &&
      hm_str_eq(a->rec->window_until, b->rec->window_until);
}

static bool goes_on(const hm_vconflict *c) {
  return c->rec->status == HM_OPEN || c->rec->status == HM_MERGED;
}

static void append(const hm_view *v, hm_vconflict *c, hm_str more) {
  size_t head = c->title.n - c->name.n;
  c->title = hm_str_join(v->a, (hm_str[]){ c->title, HM_STR(" ("), more, HM_STR(")") }, 4);
  c->name = hm_str_sub(c->title, head, c->title.n);
}

/* Conflicts of one slot are told apart by their time; those that nobody has settled also by their
 * id, where the time is the same. A slot can hold as many as rows: each is compared with its
 * neighbours in a sorted list. */
static int by_window(const void *x, const void *y) {
  const hm_vconflict *a = *(hm_vconflict *const *)x, *b = *(hm_vconflict *const *)y;
  if (goes_on(a) != goes_on(b)) return goes_on(a) ? -1 : 1;
  int d = hm_str_cmp(a->rec->window_from, b->rec->window_from);
  if (!d) d = hm_str_cmp(a->rec->window_until, b->rec->window_until);
  return d ? d : hm_str_cmp(a->rec->id, b->rec->id);
}

static void tell_apart(const hm_view *v, hm_vconflict **of, uint32_t n) {
  qsort(of, n, sizeof *of, by_window);
  for (uint32_t i = 0; i < n; i++) {
    hm_vconflict *c = of[i];
    bool twin = goes_on(c) && ((i && goes_on(of[i - 1]) && same_words(c, of[i - 1])) ||
                               (i + 1 < n && goes_on(of[i + 1]) && same_words(c, of[i + 1])));
    hm_str words = window_words(v->a, c->rec->window_from, c->rec->window_until);
    if (words.n) append(v, c, words);
    if (twin) append(v, c, hm_short(v->a, c->rec->id, 80));
  }
}

/* Conflicts are by slot key. */
static void tell_slots_apart(hm_view *v, hm_arena *tmp) {
  hm_vconflict **of = hm_alloc_array(tmp, v->n_conflicts, sizeof *of);
  for (uint32_t from = 0, to; from < v->n_conflicts; from = to) {
    for (to = from;
         to < v->n_conflicts && hm_str_eq(v->recs[to]->slot_key, v->recs[from]->slot_key); to++)
      of[to - from] = &v->conflicts[to];
    if (to - from > 1) tell_apart(v, of, to - from);
  }
}

/* --- all of them --------------------------------------------------------------- */

static hm_str path_of(const hm_view *v, hm_str slug) {
  return hm_str_join(v->a, (hm_str[]){ HM_STR("conflicts/"), slug, HM_STR(".md") }, 3);
}

static void name_files(hm_view *v, hm_arena *tmp) {
  static const char *const reserved[] = { "readme", "index", "archive", NULL };
  hm_named *names = hm_alloc_array(tmp, v->n_conflicts + 1, sizeof *names);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    names[i] = (hm_named){ .name = v->conflicts[i].rec->id, .id = v->conflicts[i].rec->id };
  hm_slugs(names, v->n_conflicts, reserved, v->a);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    v->conflicts[i].slug = names[i].slug;
    v->conflicts[i].path = path_of(v, names[i].slug);
  }
}

void hm_view_called(hm_view *v, hm_arena *tmp) {
  name_files(v, tmp);
  hm_teller *teller = hm_teller_new(v, tmp);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    hm_vconflict *c = &v->conflicts[i];
    set_title(v, c, teller, tmp);
  }
  tell_slots_apart(v, tmp);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    v->conflicts[i].list_key = hm_list_key(v->a, v->conflicts[i].title, v->conflicts[i].rec->id);
}
