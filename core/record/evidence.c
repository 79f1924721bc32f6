/* What each source says of a row, and the row that follows from it: see evidence.h.
 *
 * A set is read whole, changed, and written whole. Where all sources say what the row has, each is
 * a digest of the row, so a store of one source costs a few bytes a row; else all of them stand as
 * records, so whoever reads the records that stand has all that is said of a row.
 * Cost: one read and one write a record, and a merge of what its sources say.
 * Source: design section 5. */
#include "core/record/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/record/journal.h"

enum { LOAD, SAVE, CLEAR };
static const char *const SQL[] = {
  [LOAD] = "SELECT source, at, record, history, digest FROM evidence WHERE ref = ?1"
           " ORDER BY source",
  [SAVE] = "INSERT INTO evidence (ref, source, digest, at, record, history)"
           " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE"
           " SET digest = ?3, at = ?4, record = ?5, history = ?6"
           " WHERE digest IS NOT ?3 OR at IS NOT ?4 OR record IS NOT ?5 OR history IS NOT ?6",
  [CLEAR] = "DELETE FROM evidence WHERE ref = ?1 AND source = ?2",
};

/* --- fields --------------------------------------------------------------------------- */

static bool is_one_of(const hm_record_field *f, const char *const *columns, size_t n) {
  for (size_t i = 0; f->column && i < n; i++)
    if (!strcmp(f->column, columns[i]))
      return true;
  return false;
}

bool hm_is_verdict_column(const hm_record_field *f) {
  static const char *const columns[] = { "action",        "graduated_to",  "resolution",
                                         "resolved_at",   "resolved_by",   "status",
                                         "superseded_at", "superseded_by", "winner" };
  return is_one_of(f, columns, HM_COUNT(columns));
}

/* Who says a value, and when. */
static bool is_provenance(const hm_record_field *f) {
  static const char *const columns[] = { "source", "source_refs", "agent", "via" };
  return is_one_of(f, columns, HM_COUNT(columns));
}

bool hm_said_contradicts(const hm_record_field *f) {
  static const char *const columns[] = { "type",       "memory_type", "entity_type", "category",
                                         "key",        "name",        "content",     "value",
                                         "from_id",    "to_id",       "project",     "status",
                                         "valid_from", "valid_until" };
  return is_one_of(f, columns, HM_COUNT(columns));
}

hm_str hm_said_text(const hm_kind *k, int i, const hm_cell *cells) {
  (void)k;
  return cells[i].state == HM_CELL_TEXT ? cells[i].text : HM_EMPTY;
}

hm_str hm_said_member_text(const hm_json *v, hm_arena *a) {
  return v && v->type != HM_JSON_NULL ? hm_json_sorted(v, false, a) : HM_EMPTY;
}

hm_str hm_said_member_field(hm_str name, hm_arena *a) {
  return HM_CAT(a, HM_STR("properties."), name);
}

const hm_json *hm_cell_object(const hm_cell *cell, hm_arena *a) {
  return cell->state == HM_CELL_TEXT ? hm_json_parse_as(a, cell->text, HM_JSON_OBJECT) : NULL;
}

const hm_json *hm_said_member(const hm_json *object, hm_str name) {
  const hm_json *v = object ? object->child : NULL;
  while (v && !hm_str_eq(v->key, name))
    v = v->next;
  return v;
}

/* --- history as JSON -------------------------------------------------------------------- */

void hm_evidence_add_since(hm_said *e, hm_said_since one, hm_arena *a) {
  e->since = hm_array_grow_in(a, e->since, e->n_since, &e->cap_since, sizeof *e->since);
  e->since[e->n_since++] = one;
}

static int by_field_and_value(const void *x, const void *y) {
  const hm_said_over *p = x, *q = y;
  int d = hm_str_cmp(p->field, q->field);
  d = d ? d : hm_str_cmp(p->value, q->value);
  return d ? d : hm_str_cmp(p->conflict, q->conflict);
}

void hm_evidence_add_over(hm_said *e, hm_said_over one, hm_arena *a) {
  for (size_t i = 0; i < e->n_over; i++)
    if (!by_field_and_value(&e->over[i], &one))
      return;
  e->over = hm_array_grow_in(a, e->over, e->n_over, &e->cap_over, sizeof *e->over);
  e->over[e->n_over++] = one;
}

/* A value, or an object with the value and the conflict. */
static void read_over(hm_said *e, hm_str field, const hm_json *v, hm_arena *a) {
  hm_said_over one = { field, HM_EMPTY, HM_EMPTY };
  if (v->type == HM_JSON_STRING) {
    one.value = v->text;
  } else {
    one.value = hm_json_get_text(v, "value");
    one.conflict = hm_json_get_text(v, "conflict");
  }
  if (one.value.n)
    hm_evidence_add_over(e, one, a);
}

void hm_evidence_read_history(hm_said *e, hm_str text, hm_arena *a) {
  const hm_json *v = hm_json_parse_as(a, text, HM_JSON_OBJECT);
  const hm_json *fields = hm_json_get(v, "fields"), *over = hm_json_get(v, "over");
  e->came = hm_json_get_text(v, "came");
  e->first = hm_json_get_text(v, "first");
  e->person = hm_json_get_true(v, "person");
  e->gone = hm_json_get_true(v, "gone");
  e->absent = hm_json_get_true(v, "absent");
  for (const hm_json *f = fields && fields->type == HM_JSON_OBJECT ? fields->child : NULL; f;
       f = f->next) {
    const hm_json *past = hm_json_get(f, "past");
    hm_evidence_add_since(e,
                          (hm_said_since){ f->key, hm_json_get_text(f, "at"),
                                           past ? hm_json_as_text(past, a) : HM_EMPTY },
                          a);
  }
  for (const hm_json *f = over && over->type == HM_JSON_OBJECT ? over->child : NULL; f; f = f->next)
    for (const hm_json *x = f->type == HM_JSON_ARRAY ? f->child : NULL; x; x = x->next)
      read_over(e, f->key, x, a);
}

static void write_over(hm_jw *w, const hm_said_over *o) {
  if (!o->conflict.n) {
    hm_jw_str(w, NULL, o->value);
    return;
  }
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "value", o->value);
  hm_jw_str(w, "conflict", o->conflict);
  hm_jw_end(w);
}

/* Empty: there is none. */
hm_str hm_evidence_history_text(const hm_said *e, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  if (!e->came.n && !e->first.n && !e->person && !e->gone && !e->absent && !e->n_since &&
      !e->n_over)
    return HM_EMPTY;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  if (e->came.n)
    hm_jw_str(&w, "came", e->came);
  if (e->first.n)
    hm_jw_str(&w, "first", e->first);
  if (e->person)
    hm_jw_bool(&w, "person", true);
  if (e->gone)
    hm_jw_bool(&w, "gone", true);
  if (e->absent)
    hm_jw_bool(&w, "absent", true);
  if (e->n_since) {
    qsort(e->since, e->n_since, sizeof *e->since, hm_order_str);
    hm_jw_obj(&w, "fields");
    for (size_t i = 0; i < e->n_since; i++) {
      hm_jw_obj(&w, hm_str_z(a, e->since[i].field));
      hm_jw_str(&w, "at", e->since[i].at);
      if (e->since[i].past.n)
        hm_jw_raw(&w, "past", e->since[i].past);
      hm_jw_end(&w);
    }
    hm_jw_end(&w);
  }
  if (e->n_over) {
    qsort(e->over, e->n_over, sizeof *e->over, by_field_and_value);
    hm_jw_obj(&w, "over");
    for (size_t i = 0; i < e->n_over; i++) {
      if (!i || !hm_str_eq(e->over[i - 1].field, e->over[i].field))
        hm_jw_arr(&w, hm_str_z(a, e->over[i].field));
      write_over(&w, &e->over[i]);
      if (i + 1 == e->n_over || !hm_str_eq(e->over[i + 1].field, e->over[i].field))
        hm_jw_end(&w);
    }
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

/* --- reading ----------------------------------------------------------------------------- */

static hm_said *add_said(hm_said_set *set, hm_str source) {
  hm_said *e = hm_alloc(set->a, sizeof *e);
  *e = (hm_said){ .source = hm_str_dup(set->a, source),
                  .at = HM_EMPTY,
                  .came = HM_EMPTY,
                  .first = HM_EMPTY,
                  .stored = HM_EMPTY };
  set->v = hm_array_grow_in(set->a, set->v, set->n, &set->cap, sizeof *set->v);
  size_t at = set->n++;
  for (; at && hm_str_cmp(set->v[at - 1]->source, e->source) > 0; at--)
    set->v[at] = set->v[at - 1];
  set->v[at] = e;
  return e;
}

static int by_source(const void *x, const void *y) {
  return hm_str_cmp((*(hm_said *const *)x)->source, (*(hm_said *const *)y)->source);
}

hm_said *hm_evidence_adopt(hm_said_set *set, hm_str source) {
  if (!set->n || set->v[0]->source.n)
    return NULL;
  hm_said *e = set->v[0];
  e->source = source;
  e->stored = HM_EMPTY;
  set->was_nameless = true;
  qsort(set->v, set->n, sizeof *set->v, by_source);
  return e;
}

hm_said *hm_evidence_of(hm_said_set *set, hm_str source) {
  for (size_t i = 0; i < set->n; i++)
    if (hm_str_eq(set->v[i]->source, source))
      return set->v[i];
  return add_said(set, source);
}

typedef struct {
  const hm_said_set *set;
  int64_t digest;
  hm_cell *cells;
  bool found;
} lost_record;

bool hm_evidence_read_cells(const hm_said_set *set, hm_str line, hm_cell *cells) {
  hm_record r;
  hm_err unread = { 0 };
  hm_record_place place = { .name = "evidence", .err = &unread };
  if (!line.n || hm_record_parse(&place, line, &r, set->a) || r.verdict || r.world ||
      r.index != set->kind)
    return false;
  memcpy(cells, r.cells, sizeof r.cells);
  return true;
}

/* What the row had when its digest was taken. */
static int look_back(void *ctx, const hm_journal_line *l, hm_err *err) {
  lost_record *lost = ctx;
  hm_cell cells[HM_MAX_FIELDS + 1];
  (void)err;
  if (!hm_evidence_read_cells(lost->set, hm_str_dup(lost->set->a, l->after), cells) ||
      hm_record_digest(&hm_kinds[lost->set->kind], cells, lost->set->a) != lost->digest)
    return 0;
  memcpy(lost->cells, cells, sizeof cells);
  lost->found = true;
  return 0;
}

bool hm_evidence_add_row(hm_said_set *set, hm_stmt *st, int first, hm_said **out) {
  hm_said *e = *out = add_said(set, hm_sql_text(st, first, set->a));
  e->at = hm_sql_copy(st, first + 1, set->a);
  if (!hm_sql_is_null(st, first + 3))
    hm_evidence_read_history(e, hm_sql_copy(st, first + 3, set->a), set->a);
  if (hm_sql_is_null(st, first + 2))
    return false;
  hm_evidence_read_cells(set, hm_sql_copy(st, first + 2, set->a), e->cells);
  return true;
}

/* One text of all columns, to see a change. */
static hm_str stored_text(hm_arena *a, bool alike, int64_t digest, hm_str at, hm_str record,
                          hm_str history) {
  hm_str number = alike ? hm_str_fmt(a, "%lld", (long long)digest) : HM_EMPTY;
  return HM_CAT(a, HM_STR("="), number, HM_STR("\x1f"), at, HM_STR("\x1f"), record, HM_STR("\x1f"),
                history);
}

int hm_evidence_load(hm_store *s, hm_kind_index kind, hm_str ref, const hm_cell *row, hm_arena *a,
                     hm_said_set *out, hm_err *err) {
  hm_stmt *st;
  int rc;
  size_t n_lost = 0, cap = 0;
  lost_record *lost = NULL;
  *out = (hm_said_set){ .kind = kind, .ref = ref, .a = a };
  if (s->version < HM_STORE_EVIDENCE_VERSION || s->theirs)
    return 0;
  if (hm_sql_query(s, SQL[LOAD], HM_ARGS(hm_arg_text(ref)), &st, err))
    return -1;
  int64_t now = row ? hm_record_digest(&hm_kinds[kind], row, a) : 0;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_said *e;
    bool recorded = hm_evidence_add_row(out, st, 0, &e), alike = !hm_sql_is_null(st, 4);
    e->stored = stored_text(a, alike, alike ? hm_sql_number(st, 4) : 0, e->at,
                            hm_sql_copy(st, 2, a), hm_sql_copy(st, 3, a));
    if (recorded)
      continue;
    if (row && (hm_sql_is_null(st, 4) || hm_sql_number(st, 4) == now)) {
      memcpy(e->cells, row, sizeof e->cells);
    } else if (!hm_sql_is_null(st, 4)) {
      lost = hm_array_grow_in(a, lost, n_lost, &cap, sizeof *lost);
      lost[n_lost++] = (lost_record){ out, hm_sql_number(st, 4), e->cells, false };
    }
  }
  for (size_t i = 0; !rc && i < n_lost; i++)
    rc = hm_journal_lines_of(s, ref, look_back, &lost[i], err);
  return rc;
}

/* --- writing ------------------------------------------------------------------------------ */

static bool says_all(const hm_kind *k, const hm_said *e, const hm_cell *row) {
  for (int i = 0; i < k->n; i++) {
    const hm_record_field *f = &k->fields[i];
    hm_cell says = e->cells[i].state == HM_CELL_TEXT ? e->cells[i] : hm_cell_default(f);
    if (f->flags & HM_F_KEY || (f->column && !strcmp(f->column, "last_accessed_at")))
      continue;
    if (says.state != row[i].state || !hm_str_eq(says.text, row[i].text))
      return false;
  }
  return true;
}

int hm_evidence_save(hm_store *s, const hm_said_set *set, const hm_cell *row, hm_err *err) {
  const hm_kind *k = &hm_kinds[set->kind];
  bool alike = row != NULL;
  for (size_t i = 0; i < set->n && alike; i++)
    alike = says_all(k, set->v[i], row);
  int64_t digest = alike ? hm_record_digest(k, row, set->a) : 0;
  if (set->was_nameless &&
      hm_sql_do(s, SQL[CLEAR], HM_ARGS(hm_arg_text(set->ref), hm_arg_text(HM_EMPTY)), err))
    return -1;
  for (size_t i = 0; i < set->n; i++) {
    hm_said *e = set->v[i];
    if (!alike)
      e->cells[0] =
          (hm_cell){ HM_CELL_TEXT, hm_str_sub(set->ref, strlen(k->name) + 1, set->ref.n) };
    hm_str record = alike ? HM_EMPTY : hm_record_said_json(k, e->cells, set->a);
    hm_arg of_row = alike ? hm_arg_int(digest) : (hm_arg){ .type = HM_ARG_NULL };
    hm_str history = hm_evidence_history_text(e, set->a);
    if (hm_str_eq(e->stored, stored_text(set->a, alike, digest, e->at, record, history)))
      continue;
    s->facts_changed = true;
    if (hm_sql_do(s, SQL[SAVE],
                  HM_ARGS(hm_arg_text(set->ref), hm_arg_text(e->source), of_row,
                          hm_arg_text_or_null(e->at), hm_arg_text_or_null(record),
                          hm_arg_text_or_null(history)),
                  err))
      return -1;
  }
  return 0;
}

/* --- what follows --------------------------------------------------------------------------- */

/* What nobody says any more is what was said last. */
static bool all_gone(const hm_said_set *set) {
  for (size_t i = 0; i < set->n; i++)
    if (!set->v[i]->gone && !set->v[i]->person)
      return false;
  return set->n > 0;
}

bool hm_evidence_is_over(const hm_said_set *set, const hm_said *e, hm_str field, hm_str value) {
  if (e->gone && !all_gone(set))
    return true;
  for (size_t i = 0; i < set->n; i++)
    for (size_t k = 0; k < set->v[i]->n_over; k++) {
      const hm_said_over *o = &set->v[i]->over[k];
      if ((set->v[i] != e || o->conflict.n) && hm_str_eq(o->field, field) &&
          hm_str_eq(o->value, value))
        return true;
    }
  return false;
}

static hm_str field_name(const hm_record_field *f) { return hm_str_c(f->key ? f->key : f->column); }

static bool counts(const hm_said_set *set, const hm_said *e, int i) {
  const hm_kind *k = &hm_kinds[set->kind];
  return e->cells[i].state == HM_CELL_TEXT &&
      !hm_evidence_is_over(set, e, field_name(&k->fields[i]), hm_said_text(k, i, e->cells));
}

/* Does it still say something of what the row is about? Else its sources are not the row's. */
static bool has_content(const hm_said_set *set, const hm_said *e) {
  static const char *const main[] = { "content", "value", "from_id", "name" };
  const hm_kind *k = &hm_kinds[set->kind];
  int props = set->kind == HM_K_ENTITY ? hm_field_of_column(k, "properties") : -1;
  const hm_json *object = props >= 0 ? hm_cell_object(&e->cells[props], set->a) : NULL;
  for (const hm_json *m = object ? object->child : NULL; m; m = m->next)
    if (!hm_evidence_is_over(set, e, hm_said_member_field(m->key, set->a),
                             hm_said_member_text(m, set->a)))
      return true;
  if (object && object->count)
    return false;
  for (size_t c = 0; c < HM_COUNT(main); c++) {
    int i = hm_field_of_column(k, main[c]);
    if (i >= 0 && counts(set, e, i))
      return true;
  }
  for (int i = 0; i < k->n && e->person; i++) /* who edits says only what he edits */
    if (hm_said_contradicts(&k->fields[i]) && counts(set, e, i))
      return true;
  return false;
}

bool hm_evidence_is_held(const hm_said_set *set) {
  for (size_t i = 0; i < set->n; i++)
    if (set->v[i]->person && !set->v[i]->gone && has_content(set, set->v[i]))
      return true;
  return false;
}

static void write_member(hm_jw *w, const hm_json *m, hm_arena *a) {
  hm_json one = *m;
  hm_buf b = { 0 };
  one.next = NULL;
  one.key = HM_EMPTY;
  hm_buf_ch(&b, '{');
  hm_json_write_str(&b, m->key);
  hm_buf_ch(&b, ':');
  hm_json_write(&b, &one);
  hm_buf_ch(&b, '}');
  hm_jw_members(w, hm_buf_take(&b, a));
}

/* The first live statement of the member. */
static const hm_json *live_member(const hm_said_set *set, const hm_json *const *objects,
                                  hm_str name) {
  const hm_json *null = NULL;
  for (size_t k = 0; k < set->n; k++) {
    const hm_json *m = hm_said_member(objects[k], name);
    if (m && m->type == HM_JSON_NULL)
      null = null ? null : m;
    else if (m &&
             !hm_evidence_is_over(set, set->v[k], hm_said_member_field(name, set->a),
                                  hm_said_member_text(m, set->a)))
      return m;
  }
  return null;
}

/* In the order of the sources, persons last: an edit moves no property. */
static hm_cell merge_properties(const hm_said_set *set, int i) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_map seen;
  const hm_json **objects = hm_alloc_array(set->a, set->n + 1, sizeof *objects);
  bool any = false;
  hm_cell other = { HM_CELL_ABSENT, HM_EMPTY }; /* of another program: no object */
  for (size_t k = 0; k < set->n; k++) {
    if (other.state != HM_CELL_TEXT)
      other = set->v[k]->cells[i];
    objects[k] = hm_cell_object(&set->v[k]->cells[i], set->a);
    any |= objects[k] != NULL;
  }
  hm_map_init(&seen, set->a, 16);
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  for (size_t turn = 0; turn < 2 * set->n; turn++) {
    size_t k = turn % set->n;
    if (set->v[k]->person != (turn >= set->n))
      continue;
    for (const hm_json *m = objects[k] ? objects[k]->child : NULL; m; m = m->next) {
      if (hm_map_get(&seen, m->key) != HM_MAP_NONE)
        continue;
      hm_map_add(&seen, m->key, 0);
      const hm_json *live = live_member(set, objects, m->key);
      if (live)
        write_member(&w, live, set->a);
    }
  }
  hm_jw_end(&w);
  hm_str text = hm_buf_take(&b, set->a);
  return any ? (hm_cell){ HM_CELL_TEXT, text } : other;
}

/* All texts of the lists, in the order of the sources, each once. */
static hm_cell merge_lists(const hm_said_set *set, int i, bool refs) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_map seen;
  size_t n = 0, said = 0;
  hm_cell only = { HM_CELL_ABSENT, HM_EMPTY };
  hm_map_init(&seen, set->a, 16);
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (size_t k = 0; k < set->n; k++) {
    const hm_said *e = set->v[k];
    hm_str *texts;
    if (!counts(set, e, i) || (refs && !has_content(set, e)))
      continue;
    only = e->cells[i];
    said++;
    n = hm_json_texts(hm_json_parse_as(set->a, e->cells[i].text, HM_JSON_ARRAY), set->a, &texts);
    for (size_t t = 0; t < n; t++) {
      if (hm_map_get(&seen, texts[t]) != HM_MAP_NONE)
        continue;
      hm_map_add(&seen, texts[t], 0);
      hm_jw_str(&w, NULL, texts[t]);
    }
  }
  hm_jw_end(&w);
  hm_str all = hm_buf_take(&b, set->a);
  return said > 1 ? (hm_cell){ HM_CELL_TEXT, all } : only;
}

static hm_cell merge_time(const hm_said_set *set, int i, bool latest) {
  hm_cell best = { HM_CELL_ABSENT, HM_EMPTY };
  hm_time chosen = 0, t;
  hm_precision p;
  for (size_t k = 0; k < set->n; k++) {
    const hm_cell *c = &set->v[k]->cells[i];
    if (c->state != HM_CELL_TEXT)
      continue;
    if (!hm_time_parse(c->text, &t, &p))
      t = latest ? HM_TIME_MIN : HM_TIME_MAX;
    if (best.state == HM_CELL_TEXT && (latest ? t <= chosen : t >= chosen))
      continue;
    best = *c;
    chosen = t;
  }
  return best;
}

/* Did a person make the row active, over another status? A verdict between sources did not. */
static bool made_active(const hm_said *e) {
  bool made = false;
  for (size_t i = 0; i < e->n_over; i++)
    made |= hm_str_is(e->over[i].field, "status") && !e->over[i].conflict.n;
  return made;
}

hm_str hm_said_status(const hm_said_set *set, const hm_said *e) {
  const hm_kind *k = &hm_kinds[set->kind];
  int at = hm_field_of_column(k, "status");
  if (at < 0 || e->cells[at].state == HM_CELL_TEXT)
    return at < 0 ? HM_EMPTY : e->cells[at].text;
  if (e->person)
    return made_active(e) ? hm_cell_default(&k->fields[at]).text : HM_EMPTY;
  for (int i = 0; i < k->n; i++) /* an edit has only what it changes */
    if (k->fields[i].flags & HM_F_REQUIRED && !(k->fields[i].flags & HM_F_KEY) &&
        e->cells[i].state != HM_CELL_TEXT)
      return HM_EMPTY;
  return has_content(set, e) ? hm_cell_default(&k->fields[at]).text : HM_EMPTY;
}

/* Active while one says so; else the first. */
static hm_cell merge_status(const hm_said_set *set, int i) {
  hm_cell first = { HM_CELL_ABSENT, HM_EMPTY };
  bool ends = false; /* a source that said an active row or a candidate says it no longer */
  for (size_t k = 0; k < set->n; k++) {
    hm_cell c = set->v[k]->cells[i];
    ends |= set->v[k]->gone &&
        (c.state != HM_CELL_TEXT || hm_str_is(c.text, "active") || hm_str_is(c.text, "candidate"));
    hm_str says = hm_said_status(set, set->v[k]);
    if (!says.n || hm_evidence_is_over(set, set->v[k], HM_STR("status"), says))
      continue;
    if (first.state != HM_CELL_TEXT || hm_str_is(says, "active"))
      first = (hm_cell){ HM_CELL_TEXT, says };
  }
  bool is_gone = ends && all_gone(set) && !hm_evidence_is_held(set);
  return is_gone ? (hm_cell){ HM_CELL_TEXT, HM_STR("invalid") } : first;
}

void hm_evidence_merge(const hm_said_set *set, hm_cell *out) {
  const hm_kind *k = &hm_kinds[set->kind];
  for (int i = 0; i < k->n; i++) {
    const hm_record_field *f = &k->fields[i];
    out[i] = (hm_cell){ HM_CELL_ABSENT, HM_EMPTY };
    if (f->type == HM_F_VALUE)
      out[i + 1] = set->n ? set->v[0]->cells[i + 1] : out[i];
    bool is = f->column != NULL, provenance = is_provenance(f);
    if (is && !strcmp(f->column, "created_at"))
      out[i] = merge_time(set, i, false);
    else if (is && !strcmp(f->column, "updated_at"))
      out[i] = merge_time(set, i, true);
    else if (is && !strcmp(f->column, "status"))
      out[i] = merge_status(set, i);
    else if (f->type == HM_F_OBJECT)
      out[i] = merge_properties(set, i);
    else if (f->type == HM_F_STRINGS || f->type == HM_F_ALIASES)
      out[i] = merge_lists(set, i, provenance);
    else
      for (size_t e = 0; e < set->n && out[i].state != HM_CELL_TEXT; e++) {
        if (!counts(set, set->v[e], i) || (provenance && !has_content(set, set->v[e])))
          continue;
        out[i] = set->v[e]->cells[i];
        if (f->type == HM_F_VALUE)
          out[i + 1] = set->v[e]->cells[i + 1];
      }
    if (f->type == HM_F_VALUE)
      i++;
  }
}

void hm_evidence_apply(const hm_kind *k, const hm_cell *before, const hm_cell *followed,
                       const hm_cell *follows, hm_cell *after) {
  for (int i = 0; i < k->n; i++) {
    const hm_record_field *f = &k->fields[i];
    hm_cell was = followed[i], is = follows[i];
    if (was.state != HM_CELL_TEXT)
      was = hm_cell_default(f);
    if (is.state != HM_CELL_TEXT)
      is = hm_cell_default(f);
    bool same = was.state == is.state && hm_str_eq(was.text, is.text);
    after[i] = f->flags & HM_F_KEY || (before && same) ? (before ? before[i] : is) : is;
  }
}
