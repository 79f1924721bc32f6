/* A value of a row with the link to the whole value, the marker of its dispute, and the trace of a
 * verdict; the lines of rows, one fact a line; and what happened to a row. */
#include "model.h"

#include <string.h>

#include "core/base/text.h"
#include "core/record/given.h"
#include "core/tree/tree.h"

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
  hm_node *v = hm_node_set_obj(o, key);
  size_t limit = m->v->opt.value_limit;
  bool cut = value.n > limit;
  const hm_long_value *whole = cut ? hm_view_find_long_value(m->v, value) : NULL;
  hm_model_set_text(m, v, "value", cut ? cut_text(m->a, value, limit) : value);
  if (!whole)
    hm_node_set_bool(v, "full", false);
  if (!whole)
    return v;
  hm_node *full = hm_node_set_obj(v, "full");
  hm_model_set_url(m, full, "url", whole->path, HM_EMPTY);
  hm_model_set_raw(m, full, "bytes", hm_format_grouped_number(m->a, value.n));
  return v;
}

void hm_model_set_plain_value(hm_model *m, hm_node *o, const char *key, hm_str value) {
  hm_node *v = value_obj(m, o, key, value);
  hm_node_set_bool(v, "mark", false);
  hm_node_set_bool(v, "may", false);
  hm_node_set_bool(v, "trace", false);
  hm_node_set_bool(v, "was", false);
}

/* "✓ settled: two legs, kim, 3 May 2026", "awaits sign-off". */
static hm_str format_trace(hm_model *m, const hm_vconflict *c) {
  const hm_conflict_rec *r = c->rec;
  if (r->status == HM_OPEN)
    return HM_STR("awaits sign-off");
  hm_str why = c->withheld ? HM_EMPTY : hm_shorten(m->a, r->resolution, REASON_BYTES);
  if (hm_str_ends(why, "."))
    why.n--;
  const hm_str parts[] = { why, hm_shorten(m->a, r->resolved_by, BY_BYTES),
                           hm_format_date(m->a, hm_str_trim(r->resolved_at)) };
  hm_str words = r->status == HM_DISMISSED ? HM_STR("✓ no contradiction") : HM_STR("✓ settled");
  bool any = false;
  for (size_t i = 0; i < HM_COUNT(parts); i++) {
    if (!parts[i].n)
      continue;
    words = HM_CAT(m->a, words, any ? HM_STR(", ") : HM_STR(": "), parts[i]);
    any = true;
  }
  return hm_shorten(m->a, words, 200);
}

static void set_trace(hm_model *m, hm_node *value, uint32_t row, hm_str field) {
  size_t n;
  const hm_mark *of = hm_view_past_conflict_marks(m->v, row, &n);
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(of[i].place, field)) {
      const hm_vconflict *c = &m->v->conflicts[of[i].conflict];
      hm_model_set_ref(m, value, "trace", format_trace(m, c), c->path, HM_EMPTY);
      return;
    }
  hm_node_set_bool(value, "trace", false);
}

/* Of each conflict once. */
static void put_marks(hm_model *m, hm_node *list, const hm_mark *marks, size_t n) {
  for (size_t i = 0, seen; i < n; i++) {
    for (seen = 0; seen < i && marks[seen].conflict != marks[i].conflict;)
      seen++;
    if (seen == i)
      hm_model_set_url(m, hm_model_add_item(m, list), "url",
                       m->v->conflicts[marks[i].conflict].path, HM_EMPTY);
  }
}

static void add_said(hm_model *m, hm_buf *b, hm_str value, hm_str source) {
  if (b->n)
    hm_buf_c(b, " | ");
  hm_buf_str(b, value);
  hm_buf_c(b, " (");
  hm_buf_str(b, hm_shorten(m->a, source, 120));
  hm_buf_ch(b, ')');
}

/* Where the sources of a row differ on a disputed value, what each of them says, "4 bar (a.jsonl) |
 * 5 bar (b.jsonl)"; else the value. */
static hm_str all_said(hm_model *m, hm_str value, uint32_t row, const hm_mark *marks, size_t n) {
  const hm_dispute *d = n ? m->v->conflicts[marks[0].conflict].dispute : NULL;
  bool memory = m->v->snap->rows[row].layer == HM_MEMORY, differ = false;
  size_t said;
  const hm_evidence *e = hm_snapshot_evidence(m->v->snap, row, &said);
  hm_buf b = { 0 };
  for (size_t i = 0; d && i < d->n; i++) {
    const hm_claim *c = d->parties[i].claim;
    bool own = c->row == row && c->source.n && hm_view_claim_shown(m->v, c, m->a);
    differ = differ || own;
    if (own && !memory && hm_str_eq(c->field, marks[0].field))
      add_said(m, &b,
               c->layer == HM_RELATION ? hm_view_relation_end_name(m->v, c->value.raw, m->a)
                                       : c->value.raw,
               c->source);
  }
  for (size_t i = 0; e && differ && memory && i < said; i++)
    if (!e[i].gone && e[i].as.text.n)
      add_said(m, &b, e[i].as.text, e[i].source);
  hm_str all = hm_buf_take(&b, m->a);
  return all.n ? all : value;
}

/* "given for PTFE": the reason of a value that is another one now. */
static hm_str reason_of_past(hm_model *m, uint32_t row, hm_str field) {
  static const char *const reasons[] = { "rationale", "reason", "why" };
  hm_str name = hm_text_fold_name(m->a, field);
  size_t i = 0;
  while (i < HM_COUNT(reasons) && !hm_str_is(name, reasons[i]))
    i++;
  if (i == HM_COUNT(reasons) || m->v->snap->rows[row].layer != HM_ENTITY)
    return HM_EMPTY;
  hm_origin value = hm_view_origin(m->v, row, HM_STR("value"), NULL, m->a);
  if (!value.past.n || hm_model_find_rationale_in(m, value.props).n)
    return HM_EMPTY;
  hm_str was = hm_model_format_past(m, value.past, HM_EMPTY);
  return HM_CAT(m->a, HM_STR("given for the value that "), was);
}

/* A reason or note of which the sources of a row have several, with who gives each; else value. */
static hm_str all_reasons(hm_model *m, hm_str value, uint32_t row, hm_str field) {
  hm_str name = HM_CAT(m->a, HM_STR("properties."), field), first = HM_EMPTY;
  size_t said = 0;
  const hm_evidence *e = hm_snapshot_evidence(m->v->snap, row, &said);
  if (!e || !hm_rules_is_prose(m->v->rules, hm_text_fold_name(m->a, field)))
    return value;
  hm_buf b = { 0 };
  bool differ = false;
  for (size_t i = 0; i < said; i++) {
    const hm_said_value *f = hm_evidence_field(&e[i], name);
    hm_json *v;
    if (!f || !f->value.n || f->over || hm_json_parse(m->a, f->value, &v, NULL))
      continue;
    hm_str text = hm_format_json(v, m->a);
    differ = differ || (first.n && !hm_text_has_same_letters(first, text));
    first = first.n ? first : text;
    add_said(m, &b, text, e[i].source);
  }
  hm_str all = hm_buf_take(&b, m->a);
  return differ ? all : value;
}

/* "notes/a.md:3 says 8080": a line of a document that is still there, and that a person judged. */
static hm_str still_said(hm_model *m, uint32_t row, hm_str field) {
  hm_str words = HM_EMPTY;
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(m->v->snap, row, &n);
  for (size_t i = 0; i < n && !hm_exclude_has_entries(&m->v->opt.exclude); i++) {
    const hm_said_value *f = hm_evidence_field(&e[i], field);
    hm_tree_kind kind = hm_tree_kind_of(e[i].source);
    if (e[i].gone || !f || !f->over || (kind != HM_TREE_NOTES && kind != HM_TREE_LIST))
      continue;
    words = HM_CAT(m->a, words, words.n ? HM_STR("; ") : HM_EMPTY,
                   hm_model_format_refs(m, e[i].detail.source_refs), HM_STR(" says "),
                   hm_shorten(m->a, f->value, 120));
  }
  return words;
}

void hm_model_set_value(hm_model *m, hm_node *o, hm_str value, uint32_t row, hm_str field) {
  size_t n;
  const hm_mark *marks = hm_view_find_place_marks(m->v, row, field, &n);
  hm_node *v = value_obj(m, o, "v",
                         n ? all_said(m, value, row, marks, n) : all_reasons(m, value, row, field));
  hm_node_set_bool(v, "may", hm_view_may_overlap(m->v, row, field));
  if (!n)
    hm_node_set_bool(v, "mark", false);
  else
    put_marks(m, hm_node_set_list(v, "mark"), marks, n);
  set_trace(m, v, row, field);
  hm_origin origin = hm_view_origin(m->v, row, field, NULL, m->a);
  hm_str was = still_said(m, row, field);
  if (!was.n)
    was = hm_model_format_past(m, origin.past, origin.refs);
  hm_model_set_text(m, v, "was", was.n ? was : reason_of_past(m, row, field));
}

/* --- markers of rows ------------------------------------------------------------------------- */

void hm_model_set_claim_kind(hm_model *m, hm_node *o, uint32_t row) {
  hm_str kind = hm_view_claim_kind(m->v, row, m->a);
  if (kind.n)
    hm_model_set_text(m, o, "claim_kind", kind);
  else
    hm_node_set_bool(o, "claim_kind", false);
}

/* The conflicts that a relation takes part in: of a marriage perhaps one for each spouse. */
void hm_model_set_relation_marks(hm_model *m, hm_node *rel, uint32_t row) {
  size_t n, n_may;
  const hm_mark *marks = hm_view_marks(m->v, row, &n);
  hm_node *list = hm_node_set_list(rel, "marks");
  for (size_t i = 0; i < n; i++)
    hm_model_set_url(m, hm_model_add_item(m, list), "url", m->v->conflicts[marks[i].conflict].path,
                     HM_EMPTY);
  hm_view_may_marks(m->v, row, &n_may);
  hm_node_set_bool(rel, "may", n_may > 0);
}

/* "disputed: Lining of the kettle, ⚠ disputed", one for each dispute that is about the row. */
static void add_subject_lines(hm_model *m, hm_node *lines, uint32_t row) {
  size_t n;
  const hm_mark *marks = hm_view_marks(m->v, row, &n);
  for (size_t i = 0; i < n && i < HM_REFS && !marks[i].field.n; i++) {
    const hm_vconflict *c = &m->v->conflicts[marks[i].conflict];
    hm_node *line = hm_model_add_line(m, lines, "disputed");
    hm_node_set_bool(line, "prop", true);
    hm_node *v = value_obj(m, line, "v", hm_shorten(m->a, c->words.n ? c->words : c->name, 200));
    put_marks(m, hm_node_set_list(v, "mark"), &marks[i], 1);
    hm_node_set_bool(v, "may", false);
    hm_node_set_bool(v, "trace", false);
  }
}

hm_str hm_model_format_inside(hm_model *m, uint32_t row) {
  uint32_t n = hm_view_count_inside(m->v, row);
  return n ? hm_str_fmt(m->a, "%u disputed inside", n) : HM_EMPTY;
}

/* What the finding says, with the reason and the subject where it has them. */
static hm_str finding_words(hm_model *m, const hm_finding *f) {
  hm_str subject = hm_view_finding_subject(m->v, f, m->a),
         message = hm_view_finding_message(m->v, f, subject, m->a),
         reason = hm_finding_reason_words(f);
  if (reason.n)
    message = HM_CAT(m->a, reason, HM_STR(": "), message);
  return hm_link_label(m->a, message, 300);
}

void hm_model_add_finding_refs(hm_model *m, hm_node *refs, uint32_t row, hm_str first) {
  size_t n, shown = 0;
  const hm_row_finding *of = hm_view_find_row_findings(m->v, row, &n);
  for (size_t i = 0; i < n && shown <= HM_ROW_FINDINGS; i++) {
    const hm_finding *f = m->v->findings[of[i].finding];
    if (f->acked || (i && of[i - 1].finding == of[i].finding))
      continue;
    hm_node *ref = hm_model_add_item(m, refs);
    bool more = shown == HM_ROW_FINDINGS;
    hm_model_set_text(m, ref, "label", more ? HM_STR("and more") : finding_words(m, f));
    const hm_finding_place *at = &m->v->finding_places[of[i].finding];
    hm_model_set_url(m, ref, "url", more ? HM_STR("findings/README.md") : at->page,
                     more ? HM_EMPTY : at->anchor);
    hm_model_set_ref_note(m, ref, shown ? HM_STR("; ") : first, HM_EMPTY);
    shown++;
  }
}

void hm_model_add_standing_lines(hm_model *m, hm_node *lines, uint32_t row, bool findings) {
  size_t n;
  hm_str inside = hm_model_format_inside(m, row);
  add_subject_lines(m, lines, row);
  hm_model_add_text_line(m, lines, "Parts", inside);
  const hm_row_finding *of = hm_view_find_row_findings(m->v, row, &n);
  bool any = false;
  for (size_t i = 0; i < n; i++)
    any = any || !m->v->findings[of[i].finding]->acked;
  if (any && findings)
    hm_model_add_finding_refs(
        m, hm_node_set_list(hm_model_add_line(m, lines, n == 1 ? "Finding" : "Findings"), "refs"),
        row, HM_STR(" "));
}

void hm_model_set_row_marks(hm_model *m, hm_node *o, uint32_t row) {
  size_t n;
  const hm_mark *marks = hm_view_marks(m->v, row, &n);
  hm_node *list = hm_node_set_list(o, "marks");
  hm_node_set_bool(o, "may", false);
  if (n)
    hm_model_set_url(m, hm_model_add_item(m, list), "url", m->v->conflicts[marks[0].conflict].path,
                     HM_EMPTY);
}

void hm_model_set_subject_marks(hm_model *m, hm_node *o, uint32_t row) {
  size_t n, own = 0;
  const hm_mark *marks = hm_view_marks(m->v, row, &n);
  while (own < n && own < HM_REFS && !marks[own].field.n)
    own++;
  put_marks(m, hm_node_set_list(o, "marks"), marks, own);
}

/* --- lines ----------------------------------------------------------------------------------- */

hm_node *hm_model_add_line(hm_model *m, hm_node *lines, const char *name) {
  hm_node *line = hm_model_add_item(m, lines);
  hm_model_set_text(m, line, "name", hm_str_c(name));
  hm_node_set_bool(line, "prop", false);
  hm_node_set_bool(line, "v", false);
  hm_node_set_bool(line, "rel", false);
  hm_node_set_bool(line, "by", false);
  hm_node_set_bool(line, "date", false);
  hm_node_set_bool(line, "period", false);
  hm_node_set_list(line, "refs");
  return line;
}

void hm_model_add_date_line(hm_model *m, hm_node *lines, const char *name, hm_str text) {
  if (hm_str_trim(text).n)
    hm_model_set_date(m, hm_model_add_line(m, lines, name), "date", text);
}

void hm_model_add_text_line(hm_model *m, hm_node *lines, const char *name, hm_str text) {
  if (hm_str_trim(text).n == 0)
    return;
  hm_model_set_plain_value(m, hm_model_add_line(m, lines, name), "v", text);
}

void hm_model_set_ref_note(hm_model *m, hm_node *ref, hm_str sep, hm_str note) {
  hm_model_set_text(m, ref, "note", note);
  hm_model_set_raw(m, ref, "sep", sep);
}

/* --- what happened to a row ------------------------------------------------------------------ */

/* Which verdicts it met, what its values were before, what it superseded and what superseded it.
 *
 * What was before is what the rows said that this one superseded. What lost a dispute stood beside
 * it, and not before it. Cost: a row's edges, and its conflicts that are not in dispute. */

enum { COMPARED = 40000, BEFORE_SHOWN = 3, BEFORE_BYTES = 80 };

/* --- verdicts -------------------------------------------------------------------------------- */

/* Of a relation, whose ends have no place for it: a line of its own. */
void hm_model_add_past_conflict_lines(hm_model *m, hm_node *lines, uint32_t row) {
  size_t n;
  const hm_mark *of = hm_view_past_conflict_marks(m->v, row, &n);
  for (size_t i = 0; i < n && i < HM_REFS; i++) {
    if (i && hm_str_eq(of[i].field, of[i - 1].field))
      continue;
    const hm_vconflict *c = &m->v->conflicts[of[i].conflict];
    hm_node *line = hm_model_add_line(m, lines, "Conflict");
    hm_node *ref = hm_model_add_item(m, hm_node_set_list(line, "refs"));
    hm_model_set_text(m, ref, "label", hm_link_label(m->a, format_trace(m, c), 200));
    hm_model_set_url(m, ref, "url", c->path, HM_EMPTY);
    hm_model_set_ref_note(m, ref, HM_STR(" "), HM_EMPTY);
  }
}

/* --- what was before ------------------------------------------------------------------ */

/* "mass 4.8 kg": the properties of the older entity that the newer one has with another value. Of
 * entities that say very much nothing: their lists say it. Nor of records of decisions: number,
 * status and date of the older one are its own. */
static hm_str older_properties(hm_model *m, uint32_t row, uint32_t older) {
  const hm_json *now = hm_view_props(m->v, row, m->a), *was = hm_view_props(m->v, older, m->a);
  hm_str list = HM_EMPTY;
  int n = 0;
  if (was && now && was->count * now->count > COMPARED)
    return list;
  if (now && hm_json_get(now, "record_status"))
    return list;
  for (const hm_json *p = was ? was->child : NULL; p && n < BEFORE_SHOWN; p = p->next) {
    hm_str name = hm_text_fold_name(m->a, p->key), text = hm_format_json(p, m->a);
    const hm_json *q = now ? now->child : NULL;
    while (q && !hm_str_eq(q->key, p->key))
      q = q->next;
    if (!q || !hm_prop_may_be_value(name) || hm_str_eq(hm_format_json(q, m->a), text))
      continue;
    hm_str one = hm_shorten(m->a, text, BEFORE_BYTES);
    if (!hm_str_is(name, "value"))
      one = HM_CAT(m->a, hm_shorten(m->a, p->key, BEFORE_BYTES), HM_STR(" "), one);
    list = n++ ? HM_CAT(m->a, list, HM_STR(", "), one) : one;
  }
  return list;
}

/* What a row said in place of what this one says; empty where the two say the same, or cannot be
 * compared. */
static hm_str said_before(hm_model *m, uint32_t row, uint32_t older) {
  const hm_row *r = &m->v->snap->rows[row], *o = &m->v->snap->rows[older];
  if (r->layer == HM_ENTITY && o->layer == HM_ENTITY)
    return older_properties(m, row, older);
  if (r->layer != HM_STATE || (o->layer != HM_STATE && o->layer != HM_MEMORY))
    return HM_EMPTY;
  hm_str was = o->layer == HM_STATE ? hm_view_state_value(m->v, older, m->a) : o->text;
  if (hm_str_eq(was, hm_view_state_value(m->v, row, m->a)))
    return HM_EMPTY;
  return hm_shorten(m->a, was, BEFORE_BYTES);
}

/* Into refs, or, where it is NULL, into a new line of lines. */
static void put_before(hm_model *m, hm_node *refs, hm_node *lines, uint32_t row) {
  const hm_view *v = m->v;
  const hm_row *r = &v->snap->rows[row];
  hm_str head = HM_STR("; before: ");
  int n = 0;
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1] && n < BEFORE_SHOWN; i++) {
    const hm_edge *e = &v->edges[i];
    if (e->kind != HM_EDGE_OLDER || e->other == HM_NONE || !hm_view_listed(v, e->other) ||
        !hm_view_edge_is_first(v, row, i) ||
        hm_view_find_deciding_conflict(v, e->other, row) != HM_NONE)
      continue; /* what lost a dispute stood beside it, and not before it */
    hm_str was = said_before(m, row, e->other);
    if (!was.n)
      continue;
    if (!refs) {
      hm_str since = hm_str_trim(r->valid_from).n ? r->valid_from : hm_row_text_date(v->snap, row);
      hm_node *line = hm_model_add_line(m, lines, since.n ? "Since" : "Before");
      hm_model_set_date(m, line, "date", since);
      head = since.n ? HM_STR("; before: ") : HM_STR(" ");
      refs = hm_node_set_list(line, "refs");
    }
    hm_node *ref = hm_model_add_item(m, refs);
    hm_model_set_row_link_fields(m, ref, e->other);
    hm_model_set_text(m, ref, "label", hm_link_label(m->a, was, 300));
    hm_model_set_ref_note(m, ref, n++ ? HM_STR("; ") : head, HM_EMPTY);
  }
}

void hm_model_add_earlier_values_line(hm_model *m, hm_node *lines, uint32_t row) {
  put_before(m, NULL, lines, row);
}

void hm_model_set_earlier_values(hm_model *m, hm_node *item, uint32_t row) {
  put_before(m, hm_node_set_list(item, "before"), NULL, row);
}

/* --- what superseded what -------------------------------------------------------------------- */

hm_str hm_model_find_rationale_in(hm_model *m, hm_str text) {
  static const char *const names[] = { "rationale", "reason", "why" };
  bool may = false; /* most rows have none, and need not be read */
  for (size_t i = 0; i < HM_COUNT(names); i++)
    may |= hm_str_find(text, names[i]) >= 0;
  if (!may)
    return HM_EMPTY;
  const hm_json *props = hm_json_parse_as(m->a, text, HM_JSON_OBJECT);
  for (size_t i = 0; i < HM_COUNT(names); i++) {
    const hm_json *p = hm_json_get(props, names[i]);
    if (p && p->type == HM_JSON_STRING && p->text.n)
      return p->text;
  }
  return HM_EMPTY;
}

hm_str hm_model_format_reason(hm_model *m, uint32_t row, const hm_edge *e, uint32_t *conflict) {
  *conflict = e->kind == HM_EDGE_NEWER ? hm_view_find_deciding_conflict(m->v, row, e->other)
                                       : hm_view_find_deciding_conflict(m->v, e->other, row);
  hm_str why = HM_EMPTY;
  if (e->via != HM_NONE)
    why = hm_model_find_rationale_in(m, m->v->snap->rows[e->via].props);
  if (why.n || *conflict == HM_NONE)
    return why;
  const hm_vconflict *c = &m->v->conflicts[*conflict];
  return c->withheld ? HM_EMPTY : c->rec->resolution;
}

void hm_model_set_deciding_conflict(hm_model *m, hm_node *o, uint32_t conflict) {
  const hm_vconflict *c = &m->v->conflicts[conflict];
  hm_node *by = hm_node_set_obj(o, "by");
  hm_model_set_text(m, by, "id", hm_link_label(m->a, c->rec->id, 80));
  hm_model_set_url(m, by, "url", c->path, HM_EMPTY);
}

void hm_model_add_supersession_lines(hm_model *m, hm_node *lines, uint32_t row) {
  const hm_view *v = m->v;
  bool named = false;
  int left = HM_REFS;
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1] && left; i++) {
    const hm_edge *e = &v->edges[i];
    if ((e->kind != HM_EDGE_NEWER && e->kind != HM_EDGE_OLDER) || e->other == HM_NONE ||
        !hm_view_edge_is_first(v, row, i))
      continue;
    hm_node *line =
        hm_model_add_line(m, lines, e->kind == HM_EDGE_NEWER ? "Superseded by" : "Supersedes");
    hm_node *ref = hm_model_add_item(m, hm_node_set_list(line, "refs"));
    uint32_t conflict;
    hm_model_set_row_link_fields(m, ref, e->other);
    hm_str why = hm_shorten(m->a, hm_model_format_reason(m, row, e, &conflict), 400);
    hm_model_set_ref_note(m, ref, HM_STR(" "), why);
    if (conflict != HM_NONE)
      hm_model_set_deciding_conflict(m, ref, conflict);
    named = named || (e->kind == HM_EDGE_NEWER && e->via == HM_NONE);
    left--;
  }
  hm_str by = v->snap->rows[row].superseded_by;
  if (by.n == 0 || named)
    return;
  uint32_t other = hm_snapshot_named(v->snap, row, HM_NAMES_SUPERSEDED_BY);
  if (other != HM_NONE && hm_view_listed(v, other))
    return;
  hm_model_add_text_line(m, lines, "Superseded by",
                         other != HM_NONE && v->hidden[other] ? HM_STR("withheld")
                                                              : hm_shorten(m->a, by, 200));
}
