/* A value of a row with what stands beside it: the way to its whole, the marker of its dispute, the
 * trace of a verdict; and the lines that rows are told in, one fact a line. */
#include "model.h"

#include <string.h>

#include "core/base/text.h"

enum { REASON_BYTES = 60, BY_BYTES = 40 };

/* --- a value --------------------------------------------------------------------------------- */

static hm_str cut_text(hm_arena *a, hm_str s, size_t limit) {
  hm_str head = hm_text_cut(s, limit);
  char *p = hm_alloc(a, head.n + 4);
  memcpy(p, head.p, head.n);
  memcpy(p + head.n, "…", 3);
  return (hm_str){ p, head.n + 3 };
}

/* Cut at the limit, with the way to the whole. */
static hm_node *value_obj(hm_model *m, hm_node *o, const char *key, hm_str value) {
  hm_node *v = hm_model_set_obj(m, o, key);
  size_t limit = m->v->opt.value_limit;
  bool cut = value.n > limit;
  const hm_long_value *whole = cut ? hm_view_find_long_value(m->v, value) : NULL;
  hm_model_set_text(m, v, "value", cut ? cut_text(m->a, value, limit) : value);
  if (!whole) hm_model_set_bool(m, v, "full", false);
  if (!whole) return v;
  hm_node *full = hm_model_set_obj(m, v, "full");
  hm_model_set_url(m, full, "url", whole->path, HM_EMPTY);
  hm_model_set_raw(m, full, "bytes", hm_format_grouped_number(m->a, value.n));
  return v;
}

void hm_model_set_plain_value(hm_model *m, hm_node *o, const char *key, hm_str value) {
  hm_node *v = value_obj(m, o, key, value);
  hm_model_set_bool(m, v, "mark", false);
  hm_model_set_bool(m, v, "may", false);
  hm_model_set_bool(m, v, "trace", false);
}

/* "✓ settled: two legs, kim, 3 May 2026", "awaits sign-off". */
hm_str hm_model_format_trace(hm_model *m, const hm_vconflict *c) {
  const hm_conflict_rec *r = c->rec;
  if (r->status == HM_OPEN) return HM_STR("awaits sign-off");
  hm_str why = c->withheld ? HM_EMPTY : hm_shorten(m->a, r->resolution, REASON_BYTES);
  if (hm_str_ends(why, ".")) why.n--;
  const hm_str parts[] = { why,
                           hm_shorten(m->a, r->resolved_by, BY_BYTES),
                           hm_format_date(m->a, hm_str_trim(r->resolved_at)) };
  hm_str words = r->status == HM_DISMISSED ? HM_STR("✓ no contradiction") : HM_STR("✓ settled");
  bool any = false;
  for (size_t i = 0; i < HM_COUNT(parts); i++) {
    if (!parts[i].n) continue;
    words = HM_CAT(m->a, words, any ? HM_STR(", ") : HM_STR(": "), parts[i]);
    any = true;
  }
  return hm_shorten(m->a, words, 200);
}

static void set_trace(hm_model *m, hm_node *value, uint32_t row, hm_str field) {
  size_t n;
  const hm_mark *of = hm_view_past_conflict_marks(m->v, row, &n);
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(of[i].field, field)) {
      const hm_vconflict *c = &m->v->conflicts[of[i].conflict];
      hm_model_set_ref(m, value, "trace", hm_model_format_trace(m, c), c->path, HM_EMPTY);
      return;
    }
  hm_model_set_bool(m, value, "trace", false);
}

void hm_model_set_value(hm_model *m, hm_node *o, hm_str value, uint32_t row, hm_str field) {
  hm_node *v = value_obj(m, o, "v", value);
  uint32_t c = hm_view_find_field_dispute(m->v, row, field);
  hm_model_set_bool(m, v, "may", hm_view_may_overlap(m->v, row, field));
  if (c == HM_NONE) hm_model_set_bool(m, v, "mark", false);
  else
    hm_model_set_url(m, hm_model_set_obj(m, v, "mark"), "url", m->v->conflicts[c].path, HM_EMPTY);
  set_trace(m, v, row, field);
}

/* --- markers of rows ------------------------------------------------------------------------- */

void hm_model_set_claim_kind(hm_model *m, hm_node *o, uint32_t row) {
  hm_str kind = hm_view_claim_kind(m->v, row, m->a);
  if (kind.n) hm_model_set_text(m, o, "claim_kind", kind);
  else hm_model_set_bool(m, o, "claim_kind", false);
}

/* The conflicts that a relation takes part in: of a marriage perhaps one for each spouse. */
void hm_model_set_relation_marks(hm_model *m, hm_node *rel, uint32_t row) {
  size_t n, n_may;
  const hm_mark *marks = hm_view_marks(m->v, row, &n);
  hm_node *list = hm_model_set_list(m, rel, "marks");
  for (size_t i = 0; i < n; i++)
    hm_model_set_url(m, hm_model_add_item(m, list), "url", m->v->conflicts[marks[i].conflict].path,
                     HM_EMPTY);
  hm_view_may_marks(m->v, row, &n_may);
  hm_model_set_bool(m, rel, "may", n_may > 0);
}

void hm_model_set_row_marks(hm_model *m, hm_node *o, uint32_t row) {
  size_t n;
  const hm_mark *marks = hm_view_marks(m->v, row, &n);
  hm_node *list = hm_model_set_list(m, o, "marks");
  hm_model_set_bool(m, o, "may", false);
  if (n)
    hm_model_set_url(m, hm_model_add_item(m, list), "url", m->v->conflicts[marks[0].conflict].path,
                     HM_EMPTY);
}

/* --- lines ----------------------------------------------------------------------------------- */

hm_node *hm_model_add_line(hm_model *m, hm_node *lines, const char *name) {
  hm_node *line = hm_model_add_item(m, lines);
  hm_model_set_text(m, line, "name", hm_str_c(name));
  hm_model_set_bool(m, line, "prop", false);
  hm_model_set_bool(m, line, "v", false);
  hm_model_set_bool(m, line, "rel", false);
  hm_model_set_bool(m, line, "by", false);
  hm_model_set_bool(m, line, "date", false);
  hm_model_set_bool(m, line, "period", false);
  hm_model_set_list(m, line, "refs");
  return line;
}

void hm_model_add_date_line(hm_model *m, hm_node *lines, const char *name, hm_str text) {
  if (hm_str_trim(text).n) hm_model_set_date(m, hm_model_add_line(m, lines, name), "date", text);
}

void hm_model_add_text_line(hm_model *m, hm_node *lines, const char *name, hm_str text) {
  if (hm_str_trim(text).n == 0) return;
  hm_model_set_plain_value(m, hm_model_add_line(m, lines, name), "v", text);
}

void hm_model_set_ref_note(hm_model *m, hm_node *ref, hm_str sep, hm_str note) {
  hm_model_set_text(m, ref, "note", note);
  hm_model_set_raw(m, ref, "sep", sep);
}
