/* Records of a series: how one is found, and what is told of one. */
#include <stdlib.h>

#include "core/base/sort.h"
#include "core/decision/series_impl.h"

int hm_series_by_source(const void *x, const void *y) {
  return hm_str_cmp(((const entry *)x)->record.source, ((const entry *)y)->record.source);
}

bool hm_series_same_number(hm_str a, hm_str b) {
  return hm_str_eq(hm_decision_number(a), hm_decision_number(b));
}

entry *hm_series_entry_of(const hm_decisions *s, hm_str source) {
  entry key = { .record.source = source };
  return s->n ? bsearch(&key, s->v, s->n, sizeof key, hm_series_by_source) : NULL;
}

int hm_series_is_file(const void *item, const void *key) {
  return hm_str_cmp((*(const entry *const *)item)->file, *(const hm_str *)key);
}

/* series and number without zeros */
int hm_series_is_number_of(const void *item, const void *key) {
  const entry *e = *(const entry *const *)item;
  const hm_str *k = key;
  int c = hm_str_cmp(e->d.series, k[0]);
  return c ? c : hm_str_cmp(hm_decision_number(e->d.number.text), k[1]);
}

/* The only one of v, n sorted records, that the key fits; NULL: none, or *several. */
const entry *hm_series_find_only(const entry *const *v, size_t n, const void *key,
                                 int (*order)(const void *, const void *), bool *several) {
  size_t at = hm_lower_bound(v, n, sizeof *v, key, order);
  if (at == n || order(&v[at], key))
    return NULL;
  *several = at + 1 < n && !order(&v[at + 1], key);
  return *several ? NULL : v[at];
}

hm_decision_fault *hm_series_add_fault(hm_decisions *s, hm_decision_fault_kind kind, size_t places,
                                       hm_str message) {
  s->faults = hm_array_grow_in(s->a, s->faults, s->n_faults, &s->cap_faults, sizeof *s->faults);
  hm_decision_fault *f = &s->faults[s->n_faults++];
  *f = (hm_decision_fault){ kind, hm_alloc_array(s->a, places + 1, sizeof *f->places), 0, message };
  return f;
}

void hm_series_add_place(hm_decision_fault *f, hm_str source, uint32_t line, hm_str says) {
  f->places[f->n++] = (hm_decision_place){ source, line ? line : 1, says };
}

uint32_t hm_series_title_line(const entry *e) { return e->d.title.line; }

/* What a record says of its status. */
void hm_series_add_status(hm_decisions *s, hm_decision_fault *f, const entry *e) {
  hm_str word = e->d.word.n ? e->d.word : e->d.status.text;
  hm_str says = e->d.status.line ? HM_CAT(s->a, HM_STR("is "), word) : HM_STR("has no status");
  hm_series_add_place(f, e->record.source,
                      e->d.status.line ? e->d.status.line : hm_series_title_line(e), says);
}

/* A number for readers: "ADR 7", else the file. */
hm_str hm_series_name_of(hm_decisions *s, const entry *e) {
  return e->d.number.line ? HM_CAT(s->a, HM_STR("record "), e->d.number.text) : e->file;
}
