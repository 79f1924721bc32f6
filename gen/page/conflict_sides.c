/* The sides of a conflict: every claim; and grouped by value, each value with the rows that claim
 * it, since when, their sources and reasons; what differs; and in words: who says something, and a
 * lead of two sentences that says who claims what since when.
 *
 * Claims have one value when their normal forms are equal. A conflict that is no longer in dispute
 * has only recorded texts; these are compared folded. Values stand in the order of their first
 * claims, highest trust first. Lists are cut, so the cost of a page is bounded. In the lead the
 * value of highest trust has the first sentence, with who agrees; the other values share the
 * second. */
#include <string.h>

#include "core/base/text.h"
#include "core/value/value.h"
#include "core/detect/conflict.h"
#include "core/markdown/escape.h"
#include "core/notes/notes.h"
#include "model.h"

enum {
  SIDES_SHOWN = 200,
  ROWS_SHOWN = 10,
  LEAD_VALUES = 4,
  LEAD_BYTES = 120,
  SOURCE_BYTES = 60,
  TITLE_VALUE_BYTES = 200,
  VALUE_BYTES = 120,
  TYPE_BYTES = 60,
  REASON_BYTES = 600,
  SIDES_BYTES = HM_PART_BYTES / 2,
  CARDS_BYTES = HM_PART_BYTES / 4
};

/* --- who ------------------------------------------------------------------------- */

typedef enum { WHO_TITLE, WHO_FIRST, WHO_NEXT } who_form;

hm_str hm_model_side_line(hm_model *m, const hm_side *s) {
  if (s->row == HM_NONE || s->said)
    return HM_EMPTY;
  return hm_row_file_line(&m->v->snap->rows[s->row], m->a);
}

/* Who says it, by layer: "Curated state" for a card; "the curated state", "a recorded decision",
 * "an agent's memory" where it is named first; "another ..." where one of its kind was. */
static hm_str format_speaker(hm_model *m, const hm_side *s, who_form form) {
  static const char *const words[][3] = {
    [HM_MEMORY] = { "An agent's memory", "an agent's memory", "another memory" },
    [HM_STATE] = { "Curated state", "the curated state", "another row of the curated state" },
    [HM_RELATION] = { "Recorded relation", "a recorded relation", "another relation" },
  };
  static const char *const note[] = { "Note", "a note", "another note" };
  static const char *const file[] = { "File", "a file", "another file" };
  static const char *const recorded[] = { "Recorded", "a recorded", "another recorded" };
  if (hm_model_side_line(m, s).n)
    return hm_str_c(s->layer == HM_MEMORY ? note[form] : file[form]);
  if (s->layer != HM_ENTITY)
    return hm_str_c(words[s->layer][form]);
  hm_str type = s->row == HM_NONE ? HM_EMPTY : m->v->snap->rows[s->row].type;
  const hm_page_type *known = hm_page_kind(hm_entity_type_key(m->a, type));
  if (known)
    type = hm_str_c(known->one);
  if (!type.n)
    type = HM_STR("entity");
  hm_str noun = hm_str_dup(m->a, hm_shorten(m->a, type, TYPE_BYTES));
  if (known)
    ((char *)noun.p)[0] += 'a' - 'A';
  return hm_str_fmt(m->a, "%s %.*s", recorded[form], HM_FMT(noun));
}

/* --- sides -------------------------------------------------------------- */

size_t hm_collect_conflict_sides(hm_model *m, const hm_vconflict *c, hm_side **out) {
  const hm_snapshot *snap = m->v->snap;
  size_t n = c->dispute ? c->dispute->n : c->rec->n_members, shown = 0;
  *out = hm_alloc_array(m->a, n + 1, sizeof **out);
  for (size_t i = 0; i < n; i++) {
    hm_side *s = &(*out)[shown];
    if (c->dispute) {
      const hm_party *p = &c->dispute->parties[i];
      const hm_claim *x = p->claim;
      *s = (hm_side){ .layer = x->layer,
                      .row = x->row,
                      .id = snap->rows[x->row].id,
                      .field = x->field,
                      .value = x->value.raw,
                      .against = HM_EMPTY,
                      .flagged = p->flagged,
                      .says = &x->value,
                      .same = x->value.key,
                      .from = x->source,
                      .said = hm_view_claim_source(m->v, x, m->a) };
      if (p->against)
        s->against = hm_row_ref(m->a, &snap->rows[p->against->row]);
      shown += hm_view_claim_shown(m->v, x, m->a);
    } else {
      const hm_member_rec *r = &c->rec->members[i];
      *s = (hm_side){ .layer = r->layer,
                      .row = hm_snapshot_row(snap, r->layer, r->id),
                      .id = r->id,
                      .field = r->field,
                      .value = r->value,
                      .against = r->conflicts_with,
                      .flagged = r->flagged,
                      .same = r->normal,
                      .removed = hm_member_is_removed(snap, r, m->a),
                      .from = r->source };
      if (s->row != HM_NONE)
        s->said = hm_view_source(m->v, s->row, r->source);
      shown += hm_view_member_shown(m->v, r, m->a);
    }
    s->number = (size_t)(s - *out) + 1;
    if (s->layer == HM_RELATION)
      s->value = hm_view_relation_end_name(m->v, s->value, m->a);
  }
  return shown;
}

/* "2026-01 to 2026-04", "since 2026-01", "until 2026-04", or empty. */
static hm_str window_words(hm_model *m, const hm_row *r) {
  return hm_format_window(m->a, hm_shorten(m->a, r->valid_from, 40),
                          hm_shorten(m->a, r->valid_until, 40));
}

/* The text of the field today. */
hm_str hm_model_find_field_text(hm_model *m, uint32_t row, hm_str field) {
  const hm_row *r = &m->v->snap->rows[row];
  if (r->layer == HM_STATE)
    return hm_view_state_value(m->v, row, m->a);
  if (r->layer == HM_MEMORY)
    return r->text;
  if (hm_str_is(field, "valid_from") && r->layer == HM_RELATION)
    return window_words(m, r);
  if (r->layer == HM_RELATION)
    return hm_view_relation_end_name(m->v, hm_str_is(field, "from") ? r->from : r->to, m->a);
  const hm_json *props = hm_view_props(m->v, row, m->a);
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next)
    if (hm_str_eq(p->key, field))
      return hm_format_json(p, m->a);
  return HM_EMPTY;
}

/* A number that takes its unit from another property was recorded with it. */
static bool says_with_unit(hm_model *m, const hm_side *s, hm_str now) {
  if (now.n == 0 || s->layer != HM_ENTITY || s->value.n <= now.n + 1 || s->value.p[now.n] != ' ')
    return false;
  if (!hm_str_eq(hm_str_sub(s->value, 0, now.n), now))
    return false;
  hm_str unit = hm_str_sub(s->value, now.n + 1, s->value.n);
  const hm_json *props = hm_view_props(m->v, s->row, m->a);
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next)
    if (p->type == HM_JSON_STRING && hm_str_eq(p->text, unit))
      return true;
  return false;
}

/* What the row says today, where that is not what it said in the dispute; changed: it is not. What
 * a row says of which the sources differ is no news of the side of one source. */
static hm_str said_since(hm_model *m, const hm_side *s, bool recorded, bool *changed) {
  bool text =
      s->row != HM_NONE && s->layer != HM_MEMORY && s->value.n && !strchr("[{", s->value.p[0]);
  text = text && !s->from.n;
  hm_str now = recorded && text ? hm_model_find_field_text(m, s->row, s->field) : s->value;
  *changed = !hm_str_eq(now, s->value) && !says_with_unit(m, s, now);
  return *changed ? now : HM_EMPTY;
}

/* Who gave the value of a side, and when, also of one that its row has no more; the row of the side
 * is stored. */
static hm_origin origin_of(hm_model *m, const hm_side *s) {
  hm_origin past;
  if (!s->says && hm_view_past_origin(m->v, s->row, s->field, s->value, m->a, &past))
    return past;
  return hm_view_origin(m->v, s->row, s->field, s->said, m->a);
}

/* "drawing 7 (erp.jsonl)". */
static hm_str sources_of(hm_model *m, const hm_side *s) {
  hm_str refs = hm_model_format_refs(m, origin_of(m, s).refs);
  if (!s->from.n)
    return refs;
  return refs.n ? HM_CAT(m->a, refs, HM_STR(" ("), hm_shorten(m->a, s->from, 120), HM_STR(")"))
                : hm_shorten(m->a, s->from, 120);
}

enum { DAYS_COMPARED = 64 };

/* When the side was said; with the hour where another value is of that day. */
static void put_recorded(hm_model *m, hm_node *item, const hm_side *s, const hm_case_value *values,
                         size_t n) {
  hm_str date = hm_str_trim(origin_of(m, s).date), words = hm_format_date(m->a, date);
  bool shared = false;
  hm_model_set_date(m, item, "recorded", date);
  for (size_t i = 0; i < n && i < DAYS_COMPARED && !shared; i++) {
    const hm_side *other = values[i].sides[0];
    hm_str day = other->row == HM_NONE || hm_str_eq(other->value, s->value)
        ? HM_EMPTY
        : hm_format_date(m->a, hm_str_trim(origin_of(m, other).date));
    shared = day.n && hm_str_eq(day, words);
  }
  if (shared && date.n >= sizeof "2026-04-02T09:10" - 1 && date.p[10] == 'T')
    hm_model_set_hour(m, item, "recorded", date);
}

static void side_item(hm_model *m, hm_node *list, const hm_side *s, bool recorded) {
  hm_node *item = hm_model_add_item(m, list);
  hm_str against = s->flagged ? s->against : HM_EMPTY;
  const hm_row *r = s->row == HM_NONE ? NULL : &m->v->snap->rows[s->row];
  const hm_row_detail *d = r ? hm_view_detail(m->v, s->row) : NULL;
  bool changed;
  hm_str now = said_since(m, s, recorded, &changed);
  hm_node_set_int(item, "number", (int64_t)s->number);
  hm_model_set_plain_value(m, item, "v", s->value);
  hm_node_set_bool(item, "changed", changed);
  hm_model_set_short(m, item, "now", now, 200);
  hm_model_set_text(m, item, "layer", format_speaker(m, s, WHO_TITLE));
  hm_model_set_short(m, item, "field", s->field, 120);
  if (r)
    hm_model_set_row_link(m, item, "row", s->row);
  else
    hm_model_set_ref(m, item, "row", s->id, HM_EMPTY, HM_EMPTY);
  hm_model_set_text(m, item, "status",
                    r ? hm_view_status_text(m->v, s->row, m->a) : HM_STR("no longer stored"));
  hm_model_set_text(m, item, "source", r ? sources_of(m, s) : HM_EMPTY);
  hm_model_set_short(m, item, "confidence", d ? d->confidence : HM_EMPTY, 40);
  hm_model_set_text(m, item, "window", r ? window_words(m, r) : HM_EMPTY);
  hm_model_set_short(m, item, "recorded", r ? origin_of(m, s).date : HM_EMPTY, 60);
  hm_node_set_bool(item, "flagged", s->flagged);
  hm_model_set_row_link_by_ref(m, item, "against", against);
}

void hm_model_set_sides(hm_model *m, hm_node *top, const hm_side *s, size_t n, bool recorded,
                        size_t *shown) {
  hm_node *list = hm_node_set_list(top, "sides");
  size_t i = 0;
  for (; i < n && i < SIDES_SHOWN && !hm_model_is_full(m, SIDES_BYTES); i++)
    side_item(m, list, &s[i], recorded);
  hm_node_set_bool(top, "more_sides", i < n);
  *shown = i;
}

/* --- one a value ----------------------------------------------------------- */

hm_case_value *hm_collect_case_values(hm_model *m, const hm_side *s, size_t n, size_t *n_values) {
  hm_case_value *values = hm_alloc_array(m->a, n + 1, sizeof *values);
  hm_map seen;
  *n_values = 0;
  hm_map_init(&seen, m->a, n);
  for (size_t i = 0; i < n; i++) {
    hm_str key = s[i].same.n ? s[i].same : s[i].value;
    uint32_t at = hm_map_add(&seen, key, (uint32_t)*n_values);
    if (at == *n_values)
      values[(*n_values)++] = (hm_case_value){ 0 };
    hm_case_value *v = &values[at];
    if (!v->n)
      v->sides = hm_alloc_array(m->a, n, sizeof *v->sides);
    v->sides[v->n++] = &s[i];
  }
  return values;
}

/* Has the row no name that a reader does not see already? The key of a state is the slot, the title
 * of the page; a relation has an id alone; a memory may say its value and no more. */
static bool row_says_itself(const hm_side *s, const hm_row *r) {
  return r->layer == HM_STATE || r->layer == HM_RELATION ||
      (r->layer == HM_MEMORY && (s->from.n || hm_str_eq(r->text, s->value)));
}

/* One row below its value: who, when, by what source, for what reason. */
static void put_card_row(hm_model *m, hm_node *rows, const hm_side *s, const hm_case_value *v,
                         const hm_vconflict *c, const hm_case_value *values, size_t n_values) {
  hm_node *item = hm_model_add_item(m, rows);
  const hm_row *r = s->row == HM_NONE ? NULL : &m->v->snap->rows[s->row];
  const hm_row_detail *d = r ? hm_view_detail(m->v, s->row) : NULL;
  hm_str spelled = v->sides[0]->value, *winners;
  bool stands = false, changed;
  size_t n = c->dispute ? 0 : hm_winners_parse(m->a, c->rec->winner, &winners);
  for (size_t i = 0; i < n && r; i++)
    stands = stands || hm_snapshot_ref(m->v->snap, HM_ENTITY, winners[i]) == s->row;
  hm_str now = said_since(m, s, !c->dispute, &changed);
  bool named = r && row_says_itself(s, r);
  hm_str who = format_speaker(m, s, WHO_TITLE);
  hm_model_set_text(m, item, "who", named ? HM_EMPTY : who);
  hm_model_set_short(m, item, "agent", d ? origin_of(m, s).agent : HM_EMPTY, 80);
  hm_model_set_short(m, item, "spelled", hm_str_eq(spelled, s->value) ? HM_EMPTY : s->value, 200);
  if (named)
    hm_model_set_named_row_link(m, item, "row", s->row, who);
  else if (r)
    hm_model_set_row_link(m, item, "row", s->row);
  else
    hm_model_set_ref(m, item, "row", s->id, HM_EMPTY, HM_EMPTY);
  hm_model_set_text(m, item, "source", r ? sources_of(m, s) : HM_EMPTY);
  hm_model_set_source_url(m, item, r && !s->from.n ? origin_of(m, s).refs : HM_EMPTY,
                          r && hm_model_row_is_gone(m, s->row));
  hm_model_set_text(m, item, "commit",
                    r ? hm_model_find_commit(m, s->row, origin_of(m, s).refs) : HM_EMPTY);
  if (r)
    hm_model_set_period(m, item, "period", r);
  else
    hm_node_set_bool(item, "period", false);
  if (r)
    put_recorded(m, item, s, values, n_values);
  else
    hm_node_set_bool(item, "recorded", false);
  hm_origin origin = r ? origin_of(m, s) : (hm_origin){ .past = HM_EMPTY, .refs = HM_EMPTY };
  hm_model_set_text(m, item, "was", hm_model_format_past(m, origin.past, origin.refs));
  hm_model_set_short(m, item, "confidence", d ? d->confidence : HM_EMPTY, 40);
  hm_model_set_short(m, item, "reason",
                     r ? hm_model_find_rationale_in(m, origin_of(m, s).props) : HM_EMPTY,
                     REASON_BYTES);
  hm_node_set_bool(item, "stands", stands && r->status == HM_ACTIVE);
  hm_node_set_bool(item, "changed", changed);
  hm_model_set_short(m, item, "now", now, 200);
  hm_model_set_text(m, item, "status",
                    !r                           ? HM_STR("no longer stored")
                        : r->status != HM_ACTIVE ? hm_view_status_text(m->v, s->row, m->a)
                                                 : HM_EMPTY);
}

void hm_model_set_cards(hm_model *m, hm_node *top, const hm_vconflict *c,
                        const hm_case_value *values, size_t n) {
  hm_node *list = hm_node_set_list(top, "cards");
  size_t end = m->bytes + CARDS_BYTES, i = 0;
  bool in_files = false;
  for (; i < n && !hm_model_is_full(m, end); i++) {
    const hm_case_value *v = &values[i];
    hm_node *item = hm_model_add_item(m, list), *rows;
    hm_model_set_plain_value(m, item, "v", v->sides[0]->value);
    hm_node_set_bool(item, "is_long", v->sides[0]->value.n > TITLE_VALUE_BYTES);
    rows = hm_node_set_list(item, "rows");
    for (size_t k = 0; k < v->n && k < ROWS_SHOWN; k++)
      put_card_row(m, rows, v->sides[k], v, c, values, n);
    hm_model_set_text(m, item, "more_rows",
                      v->n > ROWS_SHOWN
                          ? hm_format_count_phrase(m->a, v->n - ROWS_SHOWN, "more row", "more rows")
                          : HM_EMPTY);
  }
  hm_node_set_bool(top, "more_cards", i < n);
  for (size_t k = 0; k < i && !in_files; k++)
    in_files = hm_model_side_line(m, values[k].sides[0]).n > 0;
  hm_node_set_bool(top, "in_files", in_files);
}

/* --- what differs, word by word ------------------------------------------------------ */
/* By the longest common subsequence of two lists of words, each against the first. The lists are
 * cut to a maximum length, so the cost is bounded. */

/* For values of two or three words the cards are enough. */
enum { WORDS_FEWEST = 4, WORDS_MAX = 400, WORDS_BYTES = HM_PART_BYTES * 5 / 8 };

typedef struct {
  hm_str word[WORDS_MAX], key[WORDS_MAX];
  bool differs[WORDS_MAX];
  size_t n;
  bool more;
} word_list;

static void split_words(hm_arena *a, hm_str value, word_list *w) {
  hm_str s = hm_clean_text(a, hm_text_cut(value, WORDS_MAX * 24));
  w->more = value.n > WORDS_MAX * 24;
  for (size_t i = 0; i < s.n;) {
    size_t from = i;
    while (i < s.n && s.p[i] != ' ')
      i++;
    if (w->n == WORDS_MAX) {
      w->more = true;
      return;
    }
    if (i > from) {
      w->word[w->n] = hm_str_sub(s, from, i);
      w->key[w->n] = hm_text_fold_value(a, w->word[w->n]);
      w->n++;
    }
    i++;
  }
}

/* Marks in both what the longest common subsequence leaves out. */
static void mark_differences(hm_arena *a, word_list *x, word_list *y) {
  size_t w = y->n + 1;
  uint16_t *len = hm_alloc_array(a, (x->n + 1) * w, sizeof *len);
  for (size_t i = x->n; i-- > 0;)
    for (size_t j = y->n; j-- > 0;) {
      uint16_t down = len[(i + 1) * w + j], right = len[i * w + j + 1];
      len[i * w + j] = hm_str_eq(x->key[i], y->key[j]) ? len[(i + 1) * w + j + 1] + 1
          : down > right                               ? down
                                                       : right;
    }
  size_t i = 0, j = 0;
  while (i < x->n && j < y->n) {
    if (hm_str_eq(x->key[i], y->key[j]))
      i++, j++;
    else if (len[(i + 1) * w + j] >= len[i * w + j + 1])
      x->differs[i++] = true;
    else
      y->differs[j++] = true;
  }
  while (i < x->n)
    x->differs[i++] = true;
  while (j < y->n)
    y->differs[j++] = true;
}

/* Runs of like words, so that bold begins and ends once a run. */
static void put_runs(hm_model *m, hm_node *item, const word_list *w) {
  hm_node *runs = hm_node_set_list(item, "runs");
  for (size_t i = 0, j; i < w->n; i = j) {
    hm_buf b = { 0 };
    for (j = i; j < w->n && w->differs[j] == w->differs[i]; j++) {
      if (j > i)
        hm_buf_ch(&b, ' ');
      hm_buf_str(&b, w->word[j]);
    }
    hm_node *run = hm_model_add_item(m, runs);
    hm_model_set_text(m, run, "words", hm_buf_copy(&b, m->a));
    hm_node_set_bool(run, "differs", w->differs[i]);
    hm_model_set_raw(m, run, "sep", i ? HM_STR(" ") : HM_EMPTY);
    hm_buf_free(&b);
  }
  hm_node_set_bool(item, "more", w->more);
}

static bool words_are_shared(const hm_str *values, size_t n) {
  hm_arena *tmp = hm_arena_new();
  word_list *x = hm_alloc(tmp, sizeof *x), *y = hm_alloc(tmp, sizeof *y);
  bool shared = false;
  size_t most;
  *x = (word_list){ 0 };
  if (n)
    split_words(tmp, values[0], x);
  most = x->n;
  for (size_t i = 1; i < n && !(shared && most >= WORDS_FEWEST); i++) {
    *y = (word_list){ 0 };
    split_words(tmp, values[i], y);
    if (y->n > most)
      most = y->n;
    for (size_t k = 0; k < x->n * y->n && !shared; k++)
      shared = hm_str_eq(x->key[k / y->n], y->key[k % y->n]);
  }
  hm_arena_free(tmp);
  return shared && most >= WORDS_FEWEST;
}

void hm_model_add_word_differences(hm_model *m, hm_node *list, const hm_str *values, size_t n) {
  if (n < 2)
    return;
  if (n > HM_WORDS_VALUES)
    n = HM_WORDS_VALUES;
  hm_arena *tmp = hm_arena_new();
  word_list *w = hm_alloc_array(tmp, n, sizeof *w);
  for (size_t i = 0; i < n; i++)
    split_words(tmp, values[i], &w[i]);
  for (size_t i = 1; i < n; i++)
    mark_differences(tmp, &w[0], &w[i]);
  for (size_t i = 0; i < n && (i < 2 || !hm_model_is_full(m, WORDS_BYTES)); i++)
    put_runs(m, hm_model_add_item(m, list), &w[i]);
  hm_arena_free(tmp);
}

/* --- what differs ------------------------------------------------------------- */

/* Lists how each value differs from the first, in the unit of the first. */
static bool put_changes(hm_model *m, hm_node *top, const hm_case_value *values, size_t n) {
  hm_node *list = hm_node_set_list(top, "changes");
  const hm_side *first = n ? values[0].sides[0] : NULL;
  bool any = false;
  for (size_t i = 1; i < n && i < HM_WORDS_VALUES && first->says; i++) {
    const hm_side *s = values[i].sides[0];
    hm_str change = hm_value_describe_change(m->a, first->says, s->says);
    if (!change.n)
      continue;
    hm_node *item = hm_model_add_item(m, list);
    hm_model_set_short(m, item, "value", s->value, LEAD_BYTES);
    hm_model_set_text(m, item, "change", change);
    hm_model_set_short(m, item, "base", first->value, LEAD_BYTES);
    any = true;
  }
  return any;
}

/* Words are compared where the values have some in common. */
void hm_model_set_differences(hm_model *m, hm_node *top, const hm_case_value *values, size_t n) {
  hm_str texts[HM_WORDS_VALUES];
  bool changes = put_changes(m, top, values, n);
  size_t k = 0;
  for (; k < n && k < HM_WORDS_VALUES; k++)
    texts[k] = values[k].sides[0]->value;
  hm_node *words = hm_node_set_list(top, "differences");
  bool shared = !changes && words_are_shared(texts, k);
  if (shared)
    hm_model_add_word_differences(m, words, texts, k);
  hm_node_set_bool(top, "differs", changes || shared);
}

/* --- the lead -------------------------------------------------------------------- */

static hm_str source_of(hm_model *m, const hm_side *s) {
  hm_str *src;
  size_t n = s->row == HM_NONE ? 0 : hm_format_json_list(origin_of(m, s).refs, m->a, &src);
  return n ? hm_shorten(m->a, src[0], SOURCE_BYTES) : hm_shorten(m->a, s->from, SOURCE_BYTES);
}

/* "test report 12 agrees", "a recorded result and 2 more rows agree"; empty: nobody does. */
static hm_str agreement(hm_model *m, const hm_case_value *v, bool past) {
  if (v->n < 2)
    return HM_EMPTY;
  const hm_side *s = v->sides[1];
  hm_str source = source_of(m, s), who = format_speaker(m, s, WHO_FIRST);
  if (hm_str_eq(who, format_speaker(m, v->sides[0], WHO_FIRST)))
    who = format_speaker(m, s, WHO_NEXT);
  if (source.n)
    who = HM_CAT(m->a, who, HM_STR(" ("), source, HM_STR(")"));
  if (v->n > 2)
    who = HM_CAT(m->a, who, HM_STR(" and "),
                 hm_format_count_phrase(m->a, v->n - 2, "more row", "more rows"));
  hm_str agrees = v->n > 2 ? HM_STR(" agree") : HM_STR(" agrees");
  return HM_CAT(m->a, who, past ? HM_STR(" agreed") : agrees);
}

/* A text that is quoted within a sentence ends where the sentence does. */
static hm_str without_stop(hm_str s) {
  s = hm_str_trim(s);
  bool stop = s.n > 1 && s.p[s.n - 1] == '.' && s.p[s.n - 2] != '.';
  return stop ? hm_str_sub(s, 0, s.n - 1) : s;
}

static void put_part(hm_model *m, hm_node *lead, const hm_case_value *values, size_t n, size_t at,
                     bool past) {
  static const char *const seps[] = { "", ". ", ", " };
  const hm_side *s = values[at].sides[0];
  who_form form = WHO_FIRST;
  hm_str first = format_speaker(m, s, WHO_FIRST);
  for (size_t i = 0; i < at; i++) /* who was named before: who says it, and who agrees */
    for (size_t k = 0; k < values[i].n && k < 2; k++)
      if (hm_str_eq(format_speaker(m, values[i].sides[k], WHO_FIRST), first))
        form = WHO_NEXT;
  const hm_row *r = s->row == HM_NONE ? NULL : &m->v->snap->rows[s->row];
  hm_str who = format_speaker(m, s, form), source = source_of(m, s);
  bool bounded = r && (hm_str_trim(r->valid_from).n || hm_str_trim(r->valid_until).n);
  hm_str date = r ? origin_of(m, s).date : HM_EMPTY;
  bool dated = r && !bounded && hm_str_trim(date).n;
  hm_node *item = hm_model_add_item(m, lead);
  hm_model_set_raw(m, item, "sep", hm_str_c(seps[at < 2 ? at : 2]));
  hm_model_set_text(m, item, "who", at < 2 ? hm_capitalize(m->a, who) : who);
  hm_model_set_text(m, item, "source", source);
  hm_node_set_bool(item, "when", bounded || dated || source.n);
  hm_model_set_raw(m, item, "comma", source.n && (bounded || dated) ? HM_STR(", ") : HM_EMPTY);
  if (bounded)
    hm_model_set_period(m, item, "period", r);
  else
    hm_node_set_bool(item, "period", false);
  if (dated)
    put_recorded(m, item, s, values, n);
  else
    hm_node_set_bool(item, "recorded", false);
  hm_model_set_short(m, item, "value", without_stop(s->value), VALUE_BYTES);
  hm_model_set_text(m, item, "agrees", agreement(m, &values[at], past));
}

void hm_model_set_lead(hm_model *m, hm_node *top, const hm_case_value *values, size_t n,
                       bool past) {
  hm_node *lead = hm_node_set_list(top, "lead");
  for (size_t i = 0; i < n && i < LEAD_VALUES; i++)
    put_part(m, lead, values, n, i, past);
  hm_node_set_bool(top, "past_tense", past);
  hm_model_set_text(m, top, "lead_more",
                    n > LEAD_VALUES
                        ? hm_format_count_phrase(m->a, n - LEAD_VALUES, "more value", "more values")
                        : HM_EMPTY);
}
