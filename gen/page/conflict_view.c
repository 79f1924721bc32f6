/* Conflicts as the mirror shows them: which are published, their titles, and the places of the
 * markers.
 *
 * A slot's name is made from texts of a row and of rows that this row names. If the mirror leaves
 * anything out, each word of the name must also be in the published text of one claiming row, so
 * the name cannot leak anything. Conflicts of one slot are distinguished by time, then by id. */
#include <stdlib.h>
#include <string.h>

#include "core/detect/conflict.h"
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/base/time.h"
#include "view_private.h"

size_t hm_find_first_of_row(const void *sorted, size_t n, size_t size, uint32_t row) {
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (*(const uint32_t *)((const char *)sorted + mid * size) < row) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static const hm_mark *marks_of(const hm_mark *marks, size_t n_marks, uint32_t row, size_t *n) {
  size_t from = hm_find_first_of_row(marks, n_marks, sizeof *marks, row), to = from;
  while (to < n_marks && marks[to].row == row) to++;
  *n = to - from;
  return *n ? &marks[from] : NULL;
}

const hm_mark *hm_view_marks(const hm_view *v, uint32_t row, size_t *n) {
  return marks_of(v->marks, v->n_marks, row, n);
}

const hm_mark *hm_view_may_marks(const hm_view *v, uint32_t row, size_t *n) {
  return marks_of(v->may, v->n_may, row, n);
}

static int by_row(const void *x, const void *y) {
  const hm_mark *a = x, *b = y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  int d = hm_str_cmp(a->field, b->field);
  return d ? d : (a->conflict > b->conflict) - (a->conflict < b->conflict);
}

/* The first one: a field can take part in several conflicts. */
static const hm_mark *find_mark(const hm_mark *marks, size_t n, uint32_t row, hm_str field) {
  const hm_mark least = { row, field, 0 };
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (by_row(&marks[mid], &least) < 0) lo = mid + 1;
    else hi = mid;
  }
  return lo < n && marks[lo].row == row && hm_str_eq(marks[lo].field, field) ? &marks[lo] : NULL;
}

uint32_t hm_view_find_field_dispute(const hm_view *v, uint32_t row, hm_str field) {
  const hm_mark *m = find_mark(v->marks, v->n_marks, row, field);
  return m ? m->conflict : HM_NONE;
}

bool hm_view_may_overlap(const hm_view *v, uint32_t row, hm_str field) {
  return find_mark(v->may, v->n_may, row, field);
}

uint32_t hm_view_find_deciding_conflict(const hm_view *v, uint32_t row, uint32_t winner) {
  size_t i = hm_find_first_of_row(v->settled, v->n_settled, sizeof *v->settled, row);
  for (; i < v->n_settled && v->settled[i].row == row; i++)
    if (v->settled[i].winner == winner) return v->settled[i].conflict;
  return HM_NONE;
}

/* --- may the name of a slot be shown? ------------------------------------------------------ */

/* A longer name would be shown cut. */
enum { NAME_BYTES = 256 };

/* A row can have as many conflicts as fields: its text is split into words once. */
typedef struct { const hm_view *v; hm_arena *a; hm_map **words; } slot_names;

/* The next word of a folded name, from *at; false when there is none. */
static bool next_word(hm_str name, size_t *at, hm_str *word) {
  if (*at >= name.n) return false;
  size_t to = *at;
  while (to < name.n && name.p[to] != '_') to++;
  *word = hm_str_sub(name, *at, to);
  *at = to + 1;
  return true;
}

static void add_words(slot_names *t, hm_map *words, hm_str text) {
  hm_str name = hm_text_fold_name(t->a, text), word;
  for (size_t at = 0; next_word(name, &at, &word);) hm_map_add(words, word, 1);
}

static const hm_map *words_of(slot_names *t, uint32_t row) {
  if (t->words[row]) return t->words[row];
  const hm_view *v = t->v;
  const hm_row *r = &v->snap->rows[row];
  hm_map *words = t->words[row] = hm_alloc(t->a, sizeof *words);
  hm_map_init(words, t->a, 16);
  const hm_str own[] = { r->type, r->name, r->slot_rule, r->scope,
                         r->layer == HM_MEMORY ? r->text : HM_EMPTY };
  for (size_t i = 0; i < HM_COUNT(own); i++) add_words(t, words, own[i]);
  const hm_json *props = r->layer == HM_ENTITY ? hm_view_props(v, row, t->a) : NULL;
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next) {
    add_words(t, words, p->key);
    add_words(t, words, hm_json_text(p, t->a));
    uint32_t other =
        p->type == HM_JSON_STRING ? hm_snapshot_row(v->snap, HM_ENTITY, p->text) : HM_NONE;
    if (other != HM_NONE && !v->hidden[other]) add_words(t, words, v->snap->rows[other].name);
  }
  return words;
}

static bool may_name_slot(slot_names *t, const hm_vconflict *c, hm_str name) {
  const hm_view *v = t->v;
  if (!v->any_hidden) return true;
  hm_str folded = hm_text_fold_name(t->a, name);
  if (folded.n > NAME_BYTES) return false;
  size_t n = c->dispute ? c->dispute->n : c->rec->n_members;
  for (size_t i = 0; i < n; i++) {
    const hm_member_rec *m = c->dispute ? NULL : &c->rec->members[i];
    uint32_t row =
        m ? hm_snapshot_row(v->snap, m->layer, m->id) : c->dispute->parties[i].claim->row;
    hm_str field = m ? m->field : c->dispute->parties[i].claim->field;
    if (row == HM_NONE || !hm_view_claim_shown(v, row, field, t->a)) continue;
    const hm_map *words = words_of(t, row);
    hm_str word;
    bool all = true;
    for (size_t at = 0; all && next_word(folded, &at, &word);)
      all = hm_map_get(words, word) != HM_NONE;
    if (all) return true;
  }
  return false;
}

/* --- titles and files of conflicts --------------------------------------------------------- */

hm_str hm_list_sort_key(hm_arena *a, hm_str title, hm_str id) {
  return HM_CAT(a, hm_text_fold_name(a, title), (hm_str){ "", 1 }, id);
}

/* "p05 / lateral_support_material", "p05 / preference: workflow", "p05 / Paris: located in"; the
 * name is what stands after the slash. */
static void set_title(const hm_view *v, hm_vconflict *c, slot_names *names, hm_arena *tmp) {
  hm_json *key = NULL;
  c->named = !v->any_hidden;
  if (hm_json_parse(tmp, c->rec->slot_key, &key, NULL) || key->type != HM_JSON_ARRAY ||
      key->count < 2 || key->count > 3) {
    c->title = c->name = c->words =
        v->any_hidden ? HM_STR("(name withheld)") : hm_shorten(v->a, c->rec->slot_key, 200);
    return;
  }
  hm_str part[3] = { HM_EMPTY, HM_EMPTY, HM_EMPTY };
  size_t n = 0;
  for (const hm_json *e = key->child; e; e = e->next) part[n++] = e->text;
  hm_str project = part[0].n ? part[0] : HM_STR("global"), name = part[n - 1];
  const hm_relation_kind *relation =
      n == 3 ? hm_relation_kind_of_space(hm_config_relation_kinds(v->rules), part[1]) : NULL;
  /* A side that shows has both of its ends shown. */
  c->named = relation || may_name_slot(names, c, name);
  if (!c->named) name = HM_STR("(name withheld)");
  const char *judged = n == 3 ? hm_proposal_title(part[1]) : NULL;
  hm_buf b = { 0 };
  hm_buf_str(&b, hm_shorten(tmp, project, 120));
  hm_buf_c(&b, " / ");
  size_t head = b.n;
  if (relation) name = hm_view_relation_end_name(v, name, tmp);
  else if (n == 3) hm_buf_str(&b, hm_shorten(tmp, part[1], 120)), hm_buf_c(&b, ": ");
  hm_buf_str(&b, hm_shorten(tmp, name, 200));
  if (relation) hm_buf_str(&b, hm_relation_slot_words(tmp, relation, part[1]));
  c->title = hm_buf_copy(&b, v->a);
  c->name = c->words = hm_str_sub(c->title, head, c->title.n);
  if (judged) c->words = hm_str_c(judged);
  else if (c->named && !relation) {
    hm_str words = hm_conflict_slot_words(v, c, n == 3 ? part[1] : HM_EMPTY, name, tmp);
    c->words = hm_str_dup(v->a, hm_shorten(tmp, words, 300));
  }
  hm_buf_free(&b);
}

/* --- several of one slot -------------------------------------------------------- */

typedef enum { YEAR, MONTH, DAY, INSTANT } time_unit;

static time_unit time_unit_of(hm_str iso) {
  if (iso.n == 4 || (iso.n == 10 && hm_str_ends(iso, "-01-01"))) return YEAR;
  if (iso.n == 7 || (iso.n == 10 && hm_str_ends(iso, "-01"))) return MONTH;
  if (iso.n <= 10) return DAY;
  if (hm_str_ends(iso, "-01-01T00:00:00Z")) return YEAR;
  if (hm_str_ends(iso, "-01T00:00:00Z")) return MONTH;
  return hm_str_ends(iso, "T00:00:00Z") ? DAY : INSTANT;
}

/* "2020", "2020-03", "2020-03-04" where the instant begins one, else the whole. */
static hm_str instant_words(hm_str iso, time_unit u) {
  static const size_t length[] = { [YEAR] = 4, [MONTH] = 7, [DAY] = 10 };
  return u == INSTANT ? iso : hm_str_sub(iso, 0, length[u]);
}

/* Is it the whole year, month or day that begins then? */
static bool is_whole(hm_str from, hm_str until, time_unit u) {
  const hm_time day = (hm_time)86400 * 1000000;
  static const int least[] = { [YEAR] = 365, [MONTH] = 28, [DAY] = 1, [INSTANT] = 1 };
  static const int most[] = { [YEAR] = 366, [MONTH] = 31, [DAY] = 1, [INSTANT] = 0 };
  hm_time f, t;
  hm_precision p;
  /* Alike, they mean the unit, also one that is no date. */
  if (hm_str_eq(from, until)) return u != INSTANT || !hm_time_parse(from, &f, &p);
  if (!hm_time_parse(from, &f, &p) || !hm_time_parse(until, &t, &p) || time_unit_of(until) > u)
    return false;
  return t - f >= least[u] * day && t - f <= most[u] * day;
}

/* The contested time: "in 2020", "from 2026", "until 2021-05", "2020-03 to 2021-05"; empty when no
 * end of it is known. */
static hm_str window_words(hm_arena *a, hm_str from, hm_str until) {
  if (!from.n && !until.n) return HM_EMPTY;
  time_unit f = from.n ? time_unit_of(from) : INSTANT, u = until.n ? time_unit_of(until) : INSTANT;
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

/* The end of the contested time; empty where a page may not show an end of its claims. */
static hm_str shown_until(const hm_view *v, const hm_vconflict *c) {
  bool relations = hm_str_is(c->rec->slot_kind, "relation_slot");
  bool shown = !relations || c->dispute || !(v->any_hidden || v->hides_times);
  for (size_t i = 0; shown && c->dispute && i < c->dispute->n; i++)
    shown = hm_view_window_end_shown(v, c->dispute->parties[i].claim->when);
  return shown ? c->rec->window_until : HM_EMPTY;
}

static void append_to_title(const hm_view *v, hm_vconflict *c, hm_str more) {
  size_t head = c->title.n - c->name.n;
  c->title = HM_CAT(v->a, c->title, HM_STR(" ("), more, HM_STR(")"));
  c->name = hm_str_sub(c->title, head, c->title.n);
  c->words = HM_CAT(v->a, c->words, HM_STR(" ("), more, HM_STR(")"));
}

/* Conflicts of one slot are distinguished by time; unsettled ones with the same time also by id. A
 * slot can hold as many as rows: each is compared with its neighbours in a sorted list. */
static int by_window(const void *x, const void *y) {
  const hm_vconflict *a = *(hm_vconflict *const *)x, *b = *(hm_vconflict *const *)y;
  if (goes_on(a) != goes_on(b)) return goes_on(a) ? -1 : 1;
  int d = hm_str_cmp(a->rec->window_from, b->rec->window_from);
  if (!d) d = hm_str_cmp(a->rec->window_until, b->rec->window_until);
  return d ? d : hm_str_cmp(a->rec->id, b->rec->id);
}

/* Conflicts are by slot key. */
static void tell_slots_apart(hm_view *v, hm_arena *tmp) {
  hm_vconflict **of = hm_alloc_array(tmp, v->n_conflicts, sizeof *of);
  for (uint32_t from = 0, n; from < v->n_conflicts; from += n) {
    hm_str key = v->recs[from]->slot_key;
    for (n = 0; from + n < v->n_conflicts && hm_str_eq(v->recs[from + n]->slot_key, key); n++)
      of[n] = &v->conflicts[from + n];
    qsort(of, n, sizeof *of, by_window);
    for (uint32_t i = 0; n > 1 && i < n; i++) {
      hm_vconflict *c = of[i];
      bool twin = goes_on(c) && ((i && goes_on(of[i - 1]) && same_words(c, of[i - 1])) ||
                                 (i + 1 < n && goes_on(of[i + 1]) && same_words(c, of[i + 1])));
      hm_str words = window_words(v->a, c->rec->window_from, shown_until(v, c));
      if (words.n) append_to_title(v, c, words);
      if (twin) append_to_title(v, c, hm_shorten(v->a, c->rec->id, 80));
    }
  }
}

/* --- files ----------------------------------------------------------------------- */

static void name_conflicts(hm_view *v, hm_arena *tmp) {
  static const char *const reserved[] = { "readme", "index",    "archive",
                                          "newest", "oldest",   "by-layer", NULL };
  uint32_t n = v->n_conflicts;
  hm_named *files = hm_alloc_array(tmp, n + 1, sizeof *files);
  slot_names names = { .v = v, .a = tmp };
  if (v->any_hidden) names.words = hm_alloc_array(tmp, v->snap->n_rows + 1, sizeof *names.words);
  for (uint32_t i = 0; i < n; i++) {
    files[i] = (hm_named){ .name = v->conflicts[i].rec->id, .id = v->conflicts[i].rec->id };
    set_title(v, &v->conflicts[i], &names, tmp);
  }
  hm_make_slugs(files, n, reserved, v->a);
  tell_slots_apart(v, tmp);
  for (uint32_t i = 0; i < n; i++) {
    hm_vconflict *c = &v->conflicts[i];
    c->path = HM_CAT(v->a, HM_STR("conflicts/"), files[i].slug, HM_STR(".md"));
    c->list_key = hm_list_sort_key(v->a, c->title, c->rec->id);
  }
}

/* --- which are published, and where their markers stand ------------------------------------ */

uint32_t hm_view_project(const hm_view *v, hm_str id, bool *known) {
  size_t lo = 0, hi = v->snap->n_projects;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    int c = hm_str_cmp(v->snap->projects[mid].id, id);
    if (c == 0) {
      *known = true;
      return v->project_of[mid];
    }
    if (c < 0) lo = mid + 1;
    else hi = mid;
  }
  *known = false;
  return HM_NONE;
}

/* Conflicts are by slot key, so that those of one project come one after another. One is published
 * when a side of it shows: a party while there is a dispute, else a recorded member. */
static void collect_conflicts(hm_view *v, hm_arena *tmp) {
  const hm_plan *plan = v->sweep->plan;
  const hm_conflict_rec *last = NULL;
  uint32_t project = HM_NONE;
  bool known = false;
  v->conflicts = hm_alloc_array(v->a, plan->n_conflicts + 1, sizeof *v->conflicts);
  v->recs = hm_alloc_array(v->a, plan->n_conflicts + 1, sizeof *v->recs);
  hm_map_init(&v->conflict_at, v->a, plan->n_conflicts);
  for (size_t i = 0; i < plan->n_conflicts; i++) {
    const hm_conflict_rec *rec = &plan->conflicts[i];
    const hm_dispute *d = plan->disputes[i];
    if (!last || !hm_str_eq(last->project, rec->project))
      project = hm_view_project(v, rec->project, &known);
    last = rec;
    if (project == HM_NONE && (known || v->opt.exclude.n_projects)) continue;
    size_t n = d ? d->n : rec->n_members, shown = 0;
    for (size_t k = 0; k < n; k++)
      shown += d ? hm_view_claim_shown(v, d->parties[k].claim->row, d->parties[k].claim->field, tmp)
                 : hm_view_member_shown(v, &rec->members[k], tmp);
    if (!shown) continue;
    v->conflicts[v->n_conflicts] =
        (hm_vconflict){ .rec = rec, .dispute = d, .project = project, .withheld = n - shown };
    hm_map_add(&v->conflict_at, rec->id, v->n_conflicts);
    v->recs[v->n_conflicts++] = rec;
  }
}

static void mark_fields(hm_view *v, hm_arena *tmp) {
  size_t n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    n += v->conflicts[i].dispute ? v->conflicts[i].dispute->n : 0;
  v->marks = hm_alloc_array(v->a, n + 1, sizeof *v->marks);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_dispute *d = v->conflicts[i].dispute;
    for (size_t k = 0; d && k < d->n; k++) {
      const hm_claim *c = d->parties[k].claim;
      if (hm_view_claim_shown(v, c->row, c->field, tmp))
        v->marks[v->n_marks++] = (hm_mark){ c->row, c->field, i };
    }
  }
  qsort(v->marks, v->n_marks, sizeof *v->marks, by_row);
}

/* Not where the other side is withheld: that there is one would tell of it. */
static void mark_may_overlap(hm_view *v, hm_arena *tmp) {
  const hm_disputes *d = v->sweep->disputes;
  if (v->any_hidden || !d) return;
  v->may = hm_alloc_array(v->a, d->n_may + 1, sizeof *v->may);
  for (size_t i = 0; i < d->n_may; i++)
    if (hm_view_claim_shown(v, d->may[i]->row, d->may[i]->field, tmp))
      v->may[v->n_may++] = (hm_mark){ d->may[i]->row, d->may[i]->field, HM_NONE };
  if (v->n_may) qsort(v->may, v->n_may, sizeof *v->may, by_row);
}

static int by_loser(const void *x, const void *y) {
  const hm_settled_row *a = x, *b = y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return (a->conflict > b->conflict) - (a->conflict < b->conflict);
}

/* The row gave way at the time of the verdict, as far as the two times say: then it was because of
 * it, and not of what somebody did before or after. */
static bool at_the_verdict(const hm_view *v, uint32_t row, const hm_conflict_rec *rec) {
  hm_str at = v->snap->details ? v->snap->details[row].superseded_at : HM_EMPTY,
         decided = rec->resolved_at;
  size_t n = at.n < decided.n ? at.n : decided.n;
  return hm_str_eq(hm_str_sub(at, 0, n), hm_str_sub(decided, 0, n));
}

/* Who lost against whom, and by which conflict. */
static void note_settled(hm_view *v) {
  size_t cap = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_conflict_rec *rec = v->conflicts[i].rec;
    hm_str *winners;
    size_t n = rec->status == HM_RESOLVED ? hm_winners_parse(v->a, rec->winner, &winners) : 0;
    for (size_t k = 0; k < n * rec->n_members; k++) {
      const hm_member_rec *m = &rec->members[k % rec->n_members];
      uint32_t winner = hm_snapshot_ref(v->snap, HM_ENTITY, winners[k / rec->n_members]);
      uint32_t row = hm_snapshot_row(v->snap, m->layer, m->id);
      if (winner == HM_NONE || row == HM_NONE || row == winner || !at_the_verdict(v, row, rec))
        continue;
      v->settled = hm_array_grow_in(v->a, v->settled, v->n_settled, &cap, sizeof *v->settled);
      v->settled[v->n_settled++] = (hm_settled_row){ row, winner, i };
    }
  }
  if (v->n_settled) qsort(v->settled, v->n_settled, sizeof *v->settled, by_loser);
}

/* Buckets of indexes by project; those of no project come last. */
static uint32_t *by_project(const hm_view *v, const uint32_t *project, uint32_t n, uint32_t *from,
                            hm_arena *a) {
  uint32_t *out = hm_alloc_array(a, n + 1, sizeof *out);
  memset(from, 0, (v->n_projects + 2) * sizeof *from);
  for (uint32_t i = 0; i < n; i++) from[(project[i] == HM_NONE ? v->n_projects : project[i]) + 1]++;
  for (uint32_t p = 0; p <= v->n_projects; p++) from[p + 1] += from[p];
  uint32_t *at = hm_alloc_array(a, v->n_projects + 2, sizeof *at);
  memcpy(at, from, (v->n_projects + 2) * sizeof *at);
  for (uint32_t i = 0; i < n; i++)
    out[at[project[i] == HM_NONE ? v->n_projects : project[i]]++] = i;
  return out;
}

static void share_conflicts(hm_view *v, hm_arena *tmp) {
  uint32_t *project = hm_alloc_array(tmp, v->n_conflicts + 1, sizeof *project);
  uint32_t *from = hm_alloc_array(tmp, v->n_projects + 2, sizeof *from);
  for (uint32_t i = 0; i < v->n_conflicts; i++) project[i] = v->conflicts[i].project;
  v->by_project = by_project(v, project, v->n_conflicts, from, v->a);
  hm_str *keys = hm_alloc_array(tmp, v->n_conflicts + 1, sizeof *keys);
  hm_piece *pieces = hm_alloc_array(tmp, v->n_projects + 1, sizeof *pieces);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    keys[i] = v->conflicts[v->by_project[i]].rec->slot_key;
  for (uint32_t p = 0; p <= v->n_projects; p++)
    pieces[p] = (hm_piece){ .from = from[p], .to = from[p + 1] };
  hm_pieces_sort_naturally(keys, v->by_project, pieces, v->n_projects + 1, tmp);
  for (uint32_t p = 0; p < v->n_projects; p++) {
    hm_vproject *pr = &v->projects[p];
    pr->c_from = from[p];
    pr->c_to = from[p + 1];
    pr->disputed = pr->signoff = 0;
    for (uint32_t i = pr->c_from; i < pr->c_to; i++) {
      const hm_vconflict *c = &v->conflicts[v->by_project[i]];
      pr->disputed += c->dispute != NULL;
      pr->signoff += c->rec->status == HM_OPEN && !c->dispute;
    }
  }
}

static void share_findings(hm_view *v, hm_arena *tmp) {
  size_t all = v->sweep->n_findings;
  uint32_t *project = hm_alloc_array(tmp, all + 1, sizeof *project);
  const hm_finding **shown = hm_alloc_array(tmp, all + 1, sizeof *shown);
  uint32_t *from = hm_alloc_array(tmp, v->n_projects + 2, sizeof *from);
  for (size_t i = 0; i < all; i++) {
    const hm_finding *f = &v->sweep->findings[i];
    bool known;
    uint32_t p = hm_view_project(v, f->project, &known);
    if ((p == HM_NONE && (known || v->any_hidden)) || !hm_view_finding_shown(v, f, tmp)) continue;
    if (f->acked) {
      v->counts.acked++;
      continue;
    }
    project[v->n_findings] = p;
    shown[v->n_findings++] = f;
  }
  uint32_t *order = by_project(v, project, v->n_findings, from, tmp);
  v->findings = hm_alloc_array(v->a, v->n_findings + 1, sizeof *v->findings);
  for (uint32_t i = 0; i < v->n_findings; i++) v->findings[i] = shown[order[i]];
  for (uint32_t p = 0; p < v->n_projects; p++) {
    v->projects[p].f_from = from[p];
    v->projects[p].f_to = from[p + 1];
  }
}

void hm_view_build_conflicts(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  collect_conflicts(v, tmp);
  name_conflicts(v, tmp);
  mark_fields(v, tmp);
  mark_may_overlap(v, tmp);
  hm_view_mark_past_conflicts(v, tmp);
  note_settled(v);
  share_conflicts(v, tmp);
  share_findings(v, tmp);
  hm_arena_free(tmp);
}
