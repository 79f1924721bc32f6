/* Whose the value of a row is: see given.h. */
#include "core/record/given.h"

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
        (hm_past_value){ since->field, plain_value(since->field, hm_json_get_text(p, "value"), a),
                         hm_json_get_text(p, "until"), hm_json_get_text(p, "source") };
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

/* Of a row that is one text or value: when that came. */
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
  if (k == HM_K_MEMORY || k == HM_K_STATE)
    find_text(&set, row, out);
  else
    find_last_change(&set, out);
  for (size_t i = 0; i < set.n; i++)
    for (size_t x = 0; x < set.v[i]->n_since; x++)
      add_past(out, &set.v[i]->since[x], &cap, a);
  return 0;
}
