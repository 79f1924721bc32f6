/* Whose the value of a row is: see given.h. */
#include "core/record/given.h"

#include <string.h>

#include "core/base/time.h"
#include "core/record/evidence.h"

/* Of a property it is JSON. */
static hm_str plain_value(hm_str field, hm_str value, hm_arena *a) {
  hm_json *v;
  if (!hm_str_starts(field, "properties.") || hm_json_parse(a, value, &v, NULL))
    return value;
  return v->type == HM_JSON_STRING ? v->text : value;
}

static void add_past(hm_row_given *out, const hm_said_since *since, size_t *cap, hm_arena *a) {
  const hm_json *past = hm_json_parse_as(a, since->past, HM_JSON_ARRAY);
  for (const hm_json *p = past ? past->child : NULL; p; p = p->next) {
    out->was = hm_array_grow_in(a, out->was, out->n_was, cap, sizeof *out->was);
    out->was[out->n_was++] =
        (hm_past_value){ .field = since->field,
                         .value = plain_value(since->field, hm_json_get_text(p, "value"), a),
                         .until = hm_json_get_text(p, "until"),
                         .source = hm_json_get_text(p, "source") };
  }
}

/* Since when e says what it says of the field. */
static hm_str date_of(const hm_kind *k, const hm_said *e, hm_str field) {
  for (size_t i = 0; i < e->n_since; i++)
    if (hm_str_eq(e->since[i].field, field) && e->since[i].at.n)
      return e->since[i].at;
  return e->first.n ? e->first : hm_said_date(k, e);
}

static hm_str who_says(const hm_kind *k, const hm_said *e, hm_arena *a) {
  hm_str sources = hm_said_sources(k, e->cells, a);
  return sources.n ? sources : e->source;
}

/* Of a row that is one text or value: when that came, and by whom. */
static void find_text(const hm_said_set *set, const hm_cell *row, hm_row_given *out) {
  const hm_kind *k = &hm_kinds[set->kind];
  hm_str field = set->kind == HM_K_MEMORY ? HM_STR("content") : HM_STR("value");
  int i = hm_field_of_key(k, field);
  for (size_t n = 0; n < set->n; n++) {
    hm_str says = hm_said_text(k, i, set->v[n]->cells);
    if (!hm_str_eq(says, hm_said_text(k, i, row)) ||
        hm_evidence_is_over(set, set->v[n], field, says))
      continue;
    out->at = date_of(k, set->v[n], field);
    if (set->n > 1)
      out->by = who_says(k, set->v[n], set->a);
    return;
  }
}

/* Is each property as e says it what the row has? */
static bool is_followed(const hm_kind *k, const hm_said_set *set, const hm_said *e,
                        const hm_cell *row) {
  int i = hm_field_of_key(k, HM_STR("properties"));
  const hm_json *own = i < 0 ? NULL : hm_cell_object(&row[i], set->a),
                *says = i < 0 ? NULL : hm_cell_object(&e->cells[i], set->a);
  for (const hm_json *m = says ? says->child : NULL; m; m = m->next) {
    const hm_json *has = own ? hm_said_member(own, m->key) : NULL;
    if (!has || !hm_str_eq(hm_said_member_text(has, set->a), hm_said_member_text(m, set->a)))
      return false;
  }
  return says && says->child;
}

/* Of a row of several values, on which its sources differ: the first that says what it has. */
static void find_followed(const hm_said_set *set, const hm_cell *row, hm_row_given *out) {
  const hm_kind *k = &hm_kinds[set->kind];
  for (size_t n = 0; n < set->n && set->n > 1; n++)
    if (!set->v[n]->gone && is_followed(k, set, set->v[n], row)) {
      out->by = who_says(k, set->v[n], set->a);
      out->at = date_of(k, set->v[n], HM_EMPTY);
      return;
    }
}

/* Of a row of several values: its last change. */
static void find_last_change(const hm_said_set *set, hm_row_given *out) {
  const hm_kind *k = &hm_kinds[set->kind];
  hm_time last = HM_TIME_MIN, t;
  hm_precision p;
  for (size_t n = 0; n < set->n; n++)
    for (size_t i = 0; i < set->v[n]->n_since; i++) {
      hm_str at = set->v[n]->since[i].at;
      if (!hm_time_parse(at, &t, &p) || t <= last)
        continue;
      last = t;
      out->at = at;
      out->by = who_says(k, set->v[n], set->a);
    }
}

int hm_row_given_read(hm_store *s, hm_str ref, hm_arena *a, hm_row_given *out, hm_err *err) {
  hm_cell row[HM_MAX_FIELDS + 1] = { { HM_CELL_TEXT, HM_EMPTY } };
  hm_kind_index k = hm_kind_parse_ref(ref, &row[0].text);
  hm_said_set set;
  bool found = false;
  size_t cap = 0;
  *out = (hm_row_given){ HM_EMPTY, HM_EMPTY, NULL, 0 };
  if (k < HM_K_MEMORY || k > HM_K_RELATION)
    return 0;
  if (hm_record_load(s, k, row, &found, a, err))
    return -1;
  if (!found)
    return 0;
  if (hm_evidence_load(s, k, ref, row, a, &set, err))
    return -1;
  hm_str updated = hm_cell_text(&hm_kinds[k], row, "updated_at");
  out->by = hm_said_sources(&hm_kinds[k], row, a);
  if (!out->by.n && set.n)
    out->by = set.v[0]->source;
  out->at = updated.n ? updated : hm_cell_text(&hm_kinds[k], row, "created_at");
  if (k == HM_K_MEMORY || k == HM_K_STATE) {
    find_text(&set, row, out);
  } else {
    find_followed(&set, row, out);
    find_last_change(&set, out);
  }
  for (size_t i = 0; i < set.n; i++)
    for (size_t x = 0; x < set.v[i]->n_since; x++)
      add_past(out, &set.v[i]->since[x], &cap, a);
  return 0;
}

hm_str hm_member_record_field(const hm_row *r, hm_str field, hm_arena *a) {
  const char *colon = field.n ? memchr(field.p, ':', field.n) : NULL;
  if (r->layer == HM_MEMORY)
    return HM_STR("content");
  if (r->layer == HM_STATE)
    return HM_STR("value");
  if (r->layer == HM_RELATION || !field.n)
    return field;
  return HM_CAT(a, HM_STR("properties."),
                colon ? hm_str_sub(field, 0, (size_t)(colon - field.p)) : field);
}

/* A memory has the value somewhere in its text. */
static bool says(const hm_row *r, hm_str text, hm_str value, hm_arena *a) {
  return r->layer == HM_MEMORY ? hm_str_find(text, hm_str_z(a, value)) >= 0
                               : hm_str_eq(text, value);
}

/* Of what one source said of a field. */
static bool find_past_of(const hm_evidence *e, hm_str field, const hm_row *r, hm_str value,
                         hm_arena *a, hm_past_value *out) {
  const hm_said_value *f = hm_evidence_field(e, field);
  const hm_json *list = f ? hm_json_parse_as(a, f->past, HM_JSON_ARRAY) : NULL;
  hm_str since = e->first;
  for (const hm_json *p = list ? list->child : NULL; p; p = p->next) {
    *out = (hm_past_value){ .field = field,
                            .value = plain_value(field, hm_json_get_text(p, "value"), a),
                            .until = hm_json_get_text(p, "until"),
                            .source = hm_json_get_text(p, "source"),
                            .since = since };
    if (says(r, out->value, value, a))
      return true;
    since = out->until;
  }
  return false;
}

bool hm_find_past_value(const hm_snapshot *s, uint32_t row, hm_str field, hm_str value, hm_arena *a,
                        hm_past_value *out) {
  const hm_row *r = &s->rows[row];
  hm_str key = hm_member_record_field(r, field, a);
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(s, row, &n);
  if (!e || r->layer == HM_RELATION || !value.n)
    return false;
  if (r->layer != HM_ENTITY && says(r, r->text, value, a))
    return false;
  for (size_t i = 0; i < n; i++) {
    const hm_said_value *f = hm_evidence_field(&e[i], key);
    if (!f || !f->value.n || !says(r, plain_value(key, f->value, a), value, a))
      continue;
    *out = (hm_past_value){ .field = key,
                            .value = value,
                            .source = e[i].detail.source_refs,
                            .since = f->at.n ? f->at : e[i].date };
    return f->over; /* it says it, and a person judged that */
  }
  for (size_t i = 0; i < n; i++)
    if (find_past_of(&e[i], key, r, value, a, out))
      return true;
  return false;
}

/* When the value of this field came that the row has. */
static hm_str said_date(const hm_snapshot *s, uint32_t row, hm_str field) {
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(s, row, &n);
  for (size_t i = 0; e && i < n; i++) {
    const hm_said_value *f = hm_evidence_field(&e[i], field);
    if (e[i].only || (f && f->value.n && !f->over))
      return f && f->at.n ? f->at : e[i].date;
  }
  return hm_row_value_date(&s->rows[row]);
}

hm_str hm_evidence_last_change(const hm_evidence *e) {
  hm_str at = HM_EMPTY;
  hm_time last = HM_TIME_MIN, t;
  hm_precision p;
  for (size_t i = 0; i < e->n_fields; i++)
    if (hm_time_parse(e->fields[i].at, &t, &p) && t > last) {
      last = t;
      at = e->fields[i].at;
    }
  return at;
}

/* Its sources may have changed it without a date of their own. */
static hm_str last_change(const hm_snapshot *s, uint32_t row) {
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(s, row, &n);
  hm_str at = hm_row_value_date(&s->rows[row]), other;
  hm_time last, t;
  hm_precision p;
  if (!hm_time_parse(at, &last, &p))
    last = HM_TIME_MIN;
  for (size_t i = 0; e && i < n; i++) {
    other = hm_evidence_last_change(&e[i]);
    if (!hm_time_parse(other, &t, &p) || t <= last)
      continue;
    last = t;
    at = other;
  }
  return at;
}

hm_str hm_row_text_date(const hm_snapshot *s, uint32_t row) {
  const hm_row *r = &s->rows[row];
  if (r->layer == HM_MEMORY)
    return said_date(s, row, HM_STR("content"));
  if (r->layer == HM_STATE)
    return said_date(s, row, HM_STR("value"));
  return last_change(s, row);
}
