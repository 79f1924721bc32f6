/* What the sources of rows say, in a snapshot: only where they differ, or the row has a history.
 *
 * A row of which all sources say what it has is a digest in the store and is not read. Cost: one
 * pass over the records that differ, by an index of theirs. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/record/evidence.h"
#include "core/base/sort.h"
#include "core/store/snapshot_impl.h"

static const char ALL[] = "SELECT ref, source, at, record, history FROM evidence"
                          " WHERE record IS NOT NULL OR history IS NOT NULL ORDER BY ref, source";

typedef struct {
  hm_snapshot_reader *r;
  hm_evidence *v;
  size_t n, cap;
  hm_said_set set; /* of one row */
  bool recorded;   /* with records */
  uint32_t row;
} evidence_reader;

/* Columns of a record that are texts of a row, or of its details. */
static const struct {
  const char *column;
  size_t offset;
} ROW[] = {
  { "memory_type", offsetof(hm_row, type) },
  { "entity_type", offsetof(hm_row, type) },
  { "category", offsetof(hm_row, type) },
  { "type", offsetof(hm_row, type) },
  { "name", offsetof(hm_row, name) },
  { "key", offsetof(hm_row, name) },
  { "content", offsetof(hm_row, text) },
  { "value", offsetof(hm_row, text) },
  { "description", offsetof(hm_row, text) },
  { "properties", offsetof(hm_row, props) },
  { "from_id", offsetof(hm_row, from) },
  { "to_id", offsetof(hm_row, to) },
  { "slot_rule", offsetof(hm_row, slot_rule) },
  { "scope", offsetof(hm_row, scope) },
  { "agent", offsetof(hm_row, agent) },
  { "tags", offsetof(hm_row, tags) },
  { "valid_from", offsetof(hm_row, valid_from) },
  { "valid_until", offsetof(hm_row, valid_until) },
  { "created_at", offsetof(hm_row, created_at) },
  { "updated_at", offsetof(hm_row, updated_at) },
}, DETAIL[] = {
  { "source_refs", offsetof(hm_row_detail, source_refs) },
  { "source", offsetof(hm_row_detail, source_refs) },
  { "confidence", offsetof(hm_row_detail, confidence) },
  { "via", offsetof(hm_row_detail, via) },
};

static void put_text(void *to, size_t offset, hm_str text) {
  *(hm_str *)(void *)((char *)to + offset) = text;
}

/* The row as these cells have it; what they lack is empty, what a source does not say is the row's.
 */
static void fill_row(hm_evidence *e, const hm_kind *k, const hm_cell *cells, const hm_row *row) {
  e->as = *row;
  for (size_t i = 0; i < HM_COUNT(ROW); i++)
    if (hm_field_of_column(k, ROW[i].column) >= 0)
      put_text(&e->as, ROW[i].offset, hm_cell_text(k, cells, ROW[i].column));
  for (size_t i = 0; i < HM_COUNT(DETAIL); i++)
    if (hm_field_of_column(k, DETAIL[i].column) >= 0)
      put_text(&e->detail, DETAIL[i].offset, hm_cell_text(k, cells, DETAIL[i].column));
  int kind = hm_field_of_column(k, "value_kind");
  e->as.value_is_json = kind >= 0 && hm_str_is(cells[kind].text, "json");
  e->as.via = e->detail.via.n > 0;
}

static const hm_said_since *since_of(const hm_said *e, hm_str field) {
  for (size_t i = 0; i < e->n_since; i++)
    if (hm_str_eq(e->since[i].field, field))
      return &e->since[i];
  return NULL;
}

static void add_field(evidence_reader *x, hm_evidence *out, const hm_said *e, size_t *cap,
                      hm_str field, hm_str value) {
  const hm_said_since *since = since_of(e, field);
  out->fields = hm_array_grow_in(x->r->a, out->fields, out->n_fields, cap, sizeof *out->fields);
  out->fields[out->n_fields++] =
      (hm_said_value){ .field = field,
                       .value = value,
                       .at = since ? since->at : HM_EMPTY,
                       .past = since ? since->past : HM_EMPTY,
                       .over = hm_evidence_is_over(&x->set, e, field, value) };
}

static void fill_fields(evidence_reader *x, hm_evidence *out, const hm_said *e) {
  const hm_kind *k = &hm_kinds[x->set.kind];
  size_t cap = 0;
  for (int i = 0; i < k->n; i++) {
    const hm_record_field *f = &k->fields[i];
    if (f->key && !strcmp(f->key, "status")) {
      hm_str status = hm_said_status(&x->set, e);
      if (status.n)
        add_field(x, out, e, &cap, HM_STR("status"), status);
      continue;
    }
    if (f->flags & HM_F_KEY || !f->key || e->cells[i].state != HM_CELL_TEXT)
      continue;
    const hm_json *object = f->type == HM_F_OBJECT ? hm_cell_object(&e->cells[i], x->r->a) : NULL;
    for (const hm_json *m = object ? object->child : NULL; m; m = m->next)
      add_field(x, out, e, &cap, hm_said_member_field(m->key, x->r->a),
                hm_said_member_text(m, x->r->a));
    if (!object)
      add_field(x, out, e, &cap, hm_str_c(f->key), hm_said_text(k, i, e->cells));
  }
  for (size_t i = 0; i < e->n_since; i++) {
    bool said = false;
    for (size_t n = 0; n < out->n_fields && !said; n++)
      said = hm_str_eq(out->fields[n].field, e->since[i].field);
    if (!said) /* of the only source, or one that says it no longer */
      add_field(x, out, e, &cap, e->since[i].field, HM_EMPTY);
  }
  if (out->n_fields)
    qsort(out->fields, out->n_fields, sizeof *out->fields, hm_order_str);
}

/* When the row came is no news of what it says. */
static bool tells_more(const evidence_reader *x) {
  bool more = x->recorded;
  for (size_t i = 0; i < x->set.n && !more; i++) {
    const hm_said *e = x->set.v[i];
    more = e->first.n || e->n_since || e->n_over || e->person || e->gone || e->absent;
  }
  return more;
}

static void end_row(evidence_reader *x) {
  const hm_snapshot *snap = x->r->out;
  hm_said_set *set = NULL;
  if (!tells_more(x))
    return;
  if (x->set.n && x->row != HM_MAP_NONE) {
    set = hm_alloc(x->r->a, sizeof *set);
    *set = x->set;
  }
  for (size_t i = 0; i < x->set.n && x->row != HM_MAP_NONE; i++) {
    const hm_said *e = x->set.v[i];
    const hm_row *row = &snap->rows[x->row];
    x->v = hm_array_grow_in(x->r->a, x->v, x->n, &x->cap, sizeof *x->v);
    hm_evidence *out = &x->v[x->n++];
    *out = (hm_evidence){ .row = x->row,
                          .source = e->source,
                          .person = e->person,
                          .gone = e->gone,
                          .absent = e->absent,
                          .only = !x->recorded,
                          .set = set };
    if (out->only) {
      out->as = *row;
      if (snap->details)
        out->detail = snap->details[x->row];
    } else {
      fill_row(out, &hm_kinds[x->set.kind], e->cells, row);
    }
    fill_fields(x, out, e);
    hm_str updated = out->as.updated_at;
    out->first = e->first.n ? e->first : out->as.created_at;
    out->date = e->first.n ? e->first : updated.n ? updated : out->as.created_at;
  }
}

int hm_read_evidence(hm_snapshot_reader *r) {
  evidence_reader x = { .r = r, .set = { .ref = HM_EMPTY, .a = r->a }, .row = HM_MAP_NONE };
  hm_stmt *st;
  int rc;
  if (r->s->version < HM_STORE_EVIDENCE_VERSION || r->s->theirs)
    return 0;
  if (hm_sql_cached(r->s, ALL, &st, r->err))
    return -1;
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    hm_said *e;
    hm_str ref = hm_sql_text(st, 0, r->a), id;
    if (!hm_str_eq(ref, x.set.ref)) {
      end_row(&x);
      ref = hm_str_dup(r->a, ref);
      x.set = (hm_said_set){ .kind = hm_kind_parse_ref(ref, &id), .ref = ref, .a = r->a };
      bool is_row = x.set.kind >= HM_K_MEMORY && x.set.kind <= HM_K_RELATION;
      x.row = is_row ? hm_snapshot_ref(r->out, HM_ENTITY, ref) : HM_MAP_NONE;
      x.recorded = false;
    }
    if (x.row != HM_MAP_NONE)
      x.recorded |= hm_evidence_add_row(&x.set, st, 1, &e);
  }
  end_row(&x);
  if (x.n)
    qsort(x.v, x.n, sizeof *x.v, hm_order_u32_str);
  r->out->evidence = x.v;
  r->out->n_evidence = x.n;
  return rc;
}

/* --- some of the sources alone -------------------------------------------------------------------
 */

static bool follows_alike(const hm_kind *k, const hm_cell *x, const hm_cell *y,
                          const char *column) {
  int i = hm_field_of_column(k, column);
  return i < 0 || hm_str_eq(hm_cell_text(k, x, column), hm_cell_text(k, y, column));
}

bool hm_snapshot_row_of_sources(const hm_snapshot *s, uint32_t row, const bool *kept, hm_arena *a,
                                hm_row *out, hm_row_detail *detail) {
  static const char *const placed[] = { "project",       "from_id",      "to_id",
                                        "superseded_by", "graduated_to", "polarity" };
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(s, row, &n);
  const hm_kind *k = &hm_kinds[e->set->kind];
  hm_said_set all = *e->set, some = *e->set;
  hm_cell followed[HM_MAX_FIELDS + 1], follows[HM_MAX_FIELDS + 1];
  all.a = some.a = a;
  some.v = hm_alloc_array(a, n + 1, sizeof *some.v);
  some.n = 0;
  for (size_t i = 0; i < n; i++)
    if (kept[i])
      some.v[some.n++] = all.v[i];
  hm_evidence_merge(&all, followed);
  hm_evidence_merge(&some, follows);
  for (size_t i = 0; i < HM_COUNT(placed); i++)
    if (!follows_alike(k, followed, follows, placed[i]))
      return false;
  for (size_t i = 0; i < HM_COUNT(ROW); i++)
    if (!follows_alike(k, followed, follows, ROW[i].column))
      put_text(out, ROW[i].offset, hm_cell_text(k, follows, ROW[i].column));
  for (size_t i = 0; i < HM_COUNT(DETAIL); i++)
    if (!follows_alike(k, followed, follows, DETAIL[i].column))
      put_text(detail, DETAIL[i].offset, hm_cell_text(k, follows, DETAIL[i].column));
  if (!follows_alike(k, followed, follows, "status"))
    out->status = hm_status_parse(hm_cell_text(k, follows, "status"));
  int kind = hm_field_of_column(k, "value_kind");
  if (kind >= 0 && !follows_alike(k, followed, follows, "value"))
    out->value_is_json = hm_str_is(follows[kind].text, "json");
  if (out->layer != HM_MEMORY)
    out->sources = detail->source_refs;
  out->via = detail->via.n > 0;
  bool says =
      out->layer == HM_RELATION || out->text.n || out->name.n || out->props.n > sizeof "{}" - 1;
  return some.n && says;
}
