/* Titles of conflicts, distinct among the conflicts of one slot.
 *
 * A slot's name is made from texts of a row and of rows that this row names. If the mirror leaves
 * anything out, each word of the name must also be in the published text of one claiming row, so
 * the name cannot leak anything. Conflicts of one slot are distinguished by time, then by id.
 *
 * A title is the slot's name with spaces. When a claiming entity has the elements of the slot's
 * name as separate fields, the title separates them, too: "Lateral support: material" for the
 * target and the field of a decision. It is used only if it folds to the slot's name, so it reveals
 * nothing more. Slots have no capitals: a title restores them at its beginning and in
 * abbreviations. */
#include <stdlib.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/claim/judged.h"
#include "core/claim/memory_forms.h"
#include "core/claim/relation.h"
#include "core/claim/slot.h"
#include "core/markdown/escape.h"
#include "view_private.h"

enum { PROPS_READ = 4096, LOOKED_AT = 8 };

/* --- may the name of a slot be shown? ------------------------------------------------------ */

/* A longer name would be shown cut. */
enum { NAME_BYTES = 256 };

/* A row can have as many conflicts as fields: its text is split into words once. */
typedef struct {
  const hm_view *v;
  hm_arena *a;
  hm_map **words;
} slot_names;

/* The next word of a folded name, from *at; false when there is none. */
static bool next_word(hm_str name, size_t *at, hm_str *word) {
  if (*at >= name.n)
    return false;
  size_t to = *at;
  while (to < name.n && name.p[to] != '_')
    to++;
  *word = hm_str_sub(name, *at, to);
  *at = to + 1;
  return true;
}

static void add_words(slot_names *t, hm_map *words, hm_str text) {
  hm_str name = hm_text_fold_name(t->a, text), word;
  for (size_t at = 0; next_word(name, &at, &word);)
    hm_map_add(words, word, 1);
}

static const hm_map *words_of(slot_names *t, uint32_t row) {
  if (t->words[row])
    return t->words[row];
  const hm_view *v = t->v;
  const hm_row *r = &v->snap->rows[row];
  hm_map *words = t->words[row] = hm_alloc(t->a, sizeof *words);
  hm_map_init(words, t->a, 16);
  const hm_str own[] = { r->type, r->name, r->slot_rule, r->scope,
                         r->layer == HM_MEMORY ? r->text : HM_EMPTY };
  for (size_t i = 0; i < HM_COUNT(own); i++)
    add_words(t, words, own[i]);
  const hm_json *props = r->layer == HM_ENTITY ? hm_view_props(v, row, t->a) : NULL;
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next) {
    add_words(t, words, p->key);
    add_words(t, words, hm_format_json(p, t->a));
    uint32_t other =
        p->type == HM_JSON_STRING ? hm_snapshot_row(v->snap, HM_ENTITY, p->text) : HM_NONE;
    if (other != HM_NONE && !v->hidden[other])
      add_words(t, words, v->snap->rows[other].name);
  }
  return words;
}

static bool may_name_slot(slot_names *t, const hm_vconflict *c, hm_str name) {
  const hm_view *v = t->v;
  if (!v->any_hidden)
    return true;
  hm_str folded = hm_text_fold_name(t->a, name);
  if (folded.n > NAME_BYTES)
    return false;
  size_t n = c->dispute ? c->dispute->n : c->rec->n_members;
  for (size_t i = 0; i < n; i++) {
    const hm_member_rec *m = c->dispute ? NULL : &c->rec->members[i];
    const hm_claim *x = m ? NULL : c->dispute->parties[i].claim;
    uint32_t row = m ? hm_snapshot_row(v->snap, m->layer, m->id) : x->row;
    if (row == HM_NONE || !(m ? hm_view_member_shown(v, m, t->a) : hm_view_claim_shown(v, x, t->a)))
      continue;
    const hm_map *words = words_of(t, row);
    hm_str word;
    bool all = true;
    for (size_t at = 0; all && next_word(folded, &at, &word);)
      all = hm_map_get(words, word) != HM_NONE;
    if (all)
      return true;
  }
  return false;
}

/* --- the name in words ----------------------------------------------------------------------- */

/* The text of an element as its row writes it, or that of the entity that it names; empty: neither
 * folds to the part. */
static hm_str element_text(const hm_view *v, const hm_json *props, const hm_row *r,
                           const char *element, hm_str part, hm_arena *a) {
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next) {
    hm_str name = hm_text_fold_name(a, p->key);
    if (p->type != HM_JSON_STRING || !hm_str_starts(name, element))
      continue;
    hm_str text = p->text;
    uint32_t other = hm_snapshot_row(v->snap, HM_ENTITY, text);
    if (other != HM_NONE && !v->hidden[other])
      text = v->snap->rows[other].name;
    if (hm_str_eq(hm_text_fold_name(a, text), part))
      return text;
  }
  return hm_str_eq(hm_text_fold_name(a, r->name), part) ? r->name : HM_EMPTY;
}

/* "Lateral support: material" as this entity says it, or empty. An entity that says very much, and
 * so may take part in thousands of conflicts, is not read again for each. */
static hm_str split_name(const hm_view *v, uint32_t row, hm_str field, hm_str name, hm_arena *a) {
  const hm_row *r = &v->snap->rows[row];
  const hm_json *props = r->props.n <= PROPS_READ ? hm_view_props(v, row, a) : NULL;
  hm_entity_slot slot;
  if (!props)
    return HM_EMPTY;
  hm_entity_slot_read(&slot, v->snap, v->rules, r, hm_props_collect(props, a), props->count, a);
  hm_str texts[HM_ELEMENTS_MAX + 1];
  size_t n = 0;
  for (size_t i = 0; slot.type && i < slot.n_parts; i++) {
    if (!slot.parts[i].n)
      continue;
    texts[n] = element_text(v, props, r, slot.type->elements[i], slot.parts[i], a);
    if (!texts[n++].n)
      return HM_EMPTY;
  }
  hm_str head = n ? texts[0] : HM_EMPTY;
  if (!n)
    return HM_EMPTY;
  if (!hm_str_eq(hm_slot_name(a, &slot, HM_EMPTY), name))
    texts[n++] = field;
  for (size_t i = 1; i < n; i++)
    head = HM_CAT(a, head, i + 1 < n ? HM_STR(" ") : HM_STR(": "), texts[i]);
  return hm_str_eq(hm_text_fold_name(a, head), name) ? head : HM_EMPTY;
}

/* Always written in capitals. Not "ai" and "ram": they are names, too. */
static const char *const abbreviation_words[] = {
  "api",  "cdn",   "ci",  "cli", "cors", "cpu", "css", "csv", "dns",  "ftp", "gpu",  "html",
  "http", "https", "id",  "ip",  "json", "jwt", "pdf", "sdk", "sql",  "ssd", "ssh",  "ssl",
  "tcp",  "tls",   "udp", "ui",  "uri",  "url", "usb", "utc", "uuid", "xml", "yaml",
};
static const hm_word_list abbreviations = { abbreviation_words, HM_COUNT(abbreviation_words) };

/* "api style" -> "API style". A word that its row begins with a capital stays as it is. */
static hm_str title_case(hm_arena *a, hm_str s) {
  hm_str out = hm_capitalize(a, s);
  for (size_t i = 0, end; i < s.n; i = end + 1) {
    for (end = i; end < s.n && s.p[end] != ' ' && s.p[end] != ':'; end++) {
    }
    if (end == i || !hm_is_lower(s.p[i]) || !hm_word_listed(hm_str_sub(s, i, end), &abbreviations))
      continue;
    for (size_t k = i; k < end; k++)
      if (hm_is_lower(s.p[k]))
        ((char *)out.p)[k] = (char)(s.p[k] - 'a' + 'A');
  }
  return out;
}

static const char *proposal_title(hm_str space) {
  static const char *const words[][2] = {
    { HM_JUDGED_SPACE, "Contradiction that a person confirmed" },
    { HM_CONFIRMED_DENIED, "Texts that contradict each other" },
    { HM_CONFIRMED_SAME, "Texts that say the same" }
  };
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (hm_str_is(space, words[i][0]))
      return words[i][1];
  return NULL;
}

static hm_str slot_words(const hm_view *v, const hm_vconflict *c, hm_str space, hm_str name,
                         hm_arena *a) {
  size_t n = c->dispute ? c->dispute->n : c->rec->n_members;
  hm_str split = HM_EMPTY;
  for (size_t i = 0; !space.n && i < n && i < LOOKED_AT && !split.n; i++) {
    const hm_member_rec *m = c->dispute ? NULL : &c->rec->members[i];
    const hm_claim *x = c->dispute ? c->dispute->parties[i].claim : NULL;
    uint32_t row = x ? x->row : hm_snapshot_row(v->snap, m->layer, m->id);
    hm_str field = x ? x->field : m->field;
    if ((x ? x->layer : m->layer) != HM_ENTITY || row == HM_NONE ||
        !(x ? hm_view_claim_shown(v, x, a) : hm_view_member_shown(v, m, a)))
      continue;
    split = split_name(v, row, field, name, a);
  }
  if (split.n)
    return title_case(a, hm_clean_text(a, split));
  name = hm_format_name(a, name);
  return title_case(a, space.n ? HM_CAT(a, space, HM_STR(": "), name) : name);
}

/* "Pump: max", "m2: memory type": of what sources of a row differ on, which no slot has; empty: no
 * side of it is shown. */
static hm_str row_words(const hm_view *v, const hm_vconflict *c, hm_arena *a) {
  size_t n = c->dispute ? c->dispute->n : c->rec->n_members;
  for (size_t i = 0; i < n; i++) {
    const hm_member_rec *m = c->dispute ? NULL : &c->rec->members[i];
    const hm_claim *x = c->dispute ? c->dispute->parties[i].claim : NULL;
    uint32_t row = x ? x->row : hm_snapshot_row(v->snap, m->layer, m->id);
    if (row == HM_NONE || !(x ? hm_view_claim_shown(v, x, a) : hm_view_member_shown(v, m, a)))
      continue;
    const hm_row *r = &v->snap->rows[row];
    hm_str label = r->layer == HM_MEMORY ? r->id
        : r->layer == HM_RELATION        ? hm_view_row_words(v, row, a)
                                         : r->name;
    if (!label.n)
      label = r->id;
    return HM_CAT(a, hm_shorten(a, label, 160), HM_STR(": "),
                  hm_format_name(a, hm_shorten(a, x ? x->field : m->field, 120)));
  }
  return HM_EMPTY;
}

/* --- the title ------------------------------------------------------------------------------- */

typedef struct {
  const hm_view *v;
  hm_arena *a;
} seen_by;

static bool sees_claim(void *ctx, const hm_claim *c, const hm_evidence **said_by) {
  const seen_by *s = ctx;
  *said_by = c->said_by;
  return hm_view_claim_shown(s->v, c, s->a);
}

static bool sees_member(void *ctx, const hm_member_rec *m) {
  const seen_by *s = ctx;
  return hm_view_member_shown(s->v, m, s->a);
}

/* What the claims that show call the slot; empty: by its own name. */
static hm_str called_of(const hm_view *v, const hm_vconflict *c, hm_arena *a) {
  seen_by by = { v, a };
  hm_conflict_shown shown = {
    .hidden = v->hidden, .claim = sees_claim, .member = sees_member, .ctx = &by
  };
  return hm_conflict_called(v->sweep, c->rec, &shown, a);
}

/* "p05 / lateral_support_material", "p05 / preference: workflow", "p05 / Paris: located in"; the
 * name is what stands after the slash. */
static void set_title(const hm_view *v, hm_vconflict *c, slot_names *names, hm_arena *tmp) {
  const hm_json *key = hm_json_parse_as(tmp, c->rec->slot_key, HM_JSON_ARRAY);
  c->named = !v->any_hidden;
  if (!key || key->count < 2 || key->count > 3) {
    c->title = c->name = c->words =
        v->any_hidden ? HM_STR("(name withheld)") : hm_shorten(v->a, c->rec->slot_key, 200);
    return;
  }
  hm_str part[3] = { HM_EMPTY, HM_EMPTY, HM_EMPTY };
  size_t n = 0;
  for (const hm_json *e = key->child; e; e = e->next)
    part[n++] = e->text;
  hm_str project = part[0].n ? part[0] : HM_STR("global"), name = part[n - 1];
  const hm_relation_kind *relation =
      n == 3 ? hm_relation_kind_of_space(hm_config_relation_kinds(v->rules), part[1]) : NULL;
  hm_str of_row = n == 3 && hm_str_is(part[1], HM_ROW_SPACE) ? row_words(v, c, tmp) : HM_EMPTY;
  /* A side that shows has both of its ends shown, and its row and field. */
  c->named = relation || of_row.n || may_name_slot(names, c, name);
  hm_str called = c->named && !relation && !of_row.n ? called_of(v, c, tmp) : HM_EMPTY;
  if (!c->named)
    name = HM_STR("(name withheld)");
  const char *judged = n == 3 ? proposal_title(part[1]) : NULL;
  hm_buf b = { 0 };
  hm_buf_str(&b, hm_shorten(tmp, project, 120));
  hm_buf_c(&b, " / ");
  size_t head = b.n;
  if (relation)
    name = hm_view_relation_end_name(v, name, tmp);
  else if (of_row.n)
    name = of_row;
  else if (n == 3)
    hm_buf_str(&b, hm_shorten(tmp, part[1], 120)), hm_buf_c(&b, ": ");
  hm_buf_str(&b, hm_shorten(tmp, called.n ? called : name, 200));
  if (relation)
    hm_buf_str(&b, hm_relation_slot_words(tmp, relation, part[1]));
  c->title = hm_buf_copy(&b, v->a);
  c->name = c->words = hm_str_sub(c->title, head, c->title.n);
  c->proposed = judged != NULL;
  if (judged)
    c->words = hm_str_c(judged);
  else if (c->named && !relation && !of_row.n) {
    hm_str words = slot_words(v, c, n == 3 ? part[1] : HM_EMPTY, called.n ? called : name, tmp);
    c->words = hm_str_dup(v->a, hm_shorten(tmp, words, 300));
  }
  hm_buf_free(&b);
}

/* --- several of one slot -------------------------------------------------------- */

typedef enum { YEAR, MONTH, DAY, INSTANT } time_unit;

static time_unit time_unit_of(hm_str iso) {
  if (iso.n == 4 || (iso.n == 10 && hm_str_ends(iso, "-01-01")))
    return YEAR;
  if (iso.n == 7 || (iso.n == 10 && hm_str_ends(iso, "-01")))
    return MONTH;
  if (iso.n <= 10)
    return DAY;
  if (hm_str_ends(iso, "-01-01T00:00:00Z"))
    return YEAR;
  if (hm_str_ends(iso, "-01T00:00:00Z"))
    return MONTH;
  return hm_str_ends(iso, "T00:00:00Z") ? DAY : INSTANT;
}

/* "2020", "2020-03", "2020-03-04" where the instant begins one, else the whole. */
static hm_str instant_words(hm_str iso, time_unit u) {
  static const size_t length[] = { [YEAR] = 4, [MONTH] = 7, [DAY] = 10 };
  return u == INSTANT ? iso : hm_str_sub(iso, 0, length[u]);
}

/* True for exactly the year, month or day that begins at from. */
static bool is_whole(hm_str from, hm_str until, time_unit u) {
  const hm_time day = (hm_time)86400 * 1000000;
  static const int least[] = { [YEAR] = 365, [MONTH] = 28, [DAY] = 1, [INSTANT] = 1 };
  static const int most[] = { [YEAR] = 366, [MONTH] = 31, [DAY] = 1, [INSTANT] = 0 };
  hm_time f, t;
  hm_precision p;
  /* Alike, they mean the unit, also one that is no date. */
  if (hm_str_eq(from, until))
    return u != INSTANT || !hm_time_parse(from, &f, &p);
  if (!hm_time_parse(from, &f, &p) || !hm_time_parse(until, &t, &p) || time_unit_of(until) > u)
    return false;
  return t - f >= least[u] * day && t - f <= most[u] * day;
}

/* The contested time: "in 2020", "from 2026", "until 2021-05", "2020-03 to 2021-05"; empty when no
 * end of it is known. */
static hm_str window_words(hm_arena *a, hm_str from, hm_str until) {
  if (!from.n && !until.n)
    return HM_EMPTY;
  time_unit f = from.n ? time_unit_of(from) : INSTANT, u = until.n ? time_unit_of(until) : INSTANT;
  hm_str x = instant_words(from, f), y = instant_words(until, u);
  if (!until.n)
    return hm_str_fmt(a, "from %.*s", HM_FMT(x));
  if (!from.n)
    return hm_str_fmt(a, "until %.*s", HM_FMT(y));
  if (is_whole(from, until, f))
    return hm_str_fmt(a, "%s %.*s", f == DAY ? "on" : "in", HM_FMT(x));
  return hm_str_fmt(a, "%.*s to %.*s", HM_FMT(x), HM_FMT(y));
}

static bool same_words(const hm_vconflict *a, const hm_vconflict *b) {
  return hm_str_eq(a->window_from, b->window_from) && hm_str_eq(a->window_until, b->window_until);
}

static bool goes_on(const hm_vconflict *c) {
  return c->rec->status == HM_OPEN || c->rec->status == HM_MERGED;
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
  if (goes_on(a) != goes_on(b))
    return goes_on(a) ? -1 : 1;
  int d = hm_str_cmp(a->window_from, b->window_from);
  if (!d)
    d = hm_str_cmp(a->window_until, b->window_until);
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
      bool twin = goes_on(c) &&
          ((i && goes_on(of[i - 1]) && same_words(c, of[i - 1])) ||
           (i + 1 < n && goes_on(of[i + 1]) && same_words(c, of[i + 1])));
      hm_str words = window_words(v->a, c->window_from, c->window_until);
      if (words.n)
        append_to_title(v, c, words);
      if (twin)
        append_to_title(v, c, hm_shorten(v->a, c->rec->id, 80));
    }
  }
}

void hm_view_build_conflict_titles(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  slot_names names = { .v = v, .a = tmp };
  if (v->any_hidden)
    names.words = hm_alloc_array(tmp, v->snap->n_rows + 1, sizeof *names.words);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    set_title(v, &v->conflicts[i], &names, tmp);
  tell_slots_apart(v, tmp);
  hm_arena_free(tmp);
}
