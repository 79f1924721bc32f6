/* A verdict's report as JSON: for the command, and for the form that shows it before it is
 * confirmed. A list of the report is a row of `lists`, with the keys of its elements. */
#include <stddef.h>

#include "core/detect/explain.h"
#include "core/review/verdict.h"

typedef struct { const char *key; size_t at; bool flag; } element;

#define LIST(name, type) \
  offsetof(hm_verdict_report, name), offsetof(hm_verdict_report, n_##name), sizeof(type)
#define TEXT(key, type, field) { key, offsetof(type, field), false }
#define FLAG(key, type, field) { key, offsetof(type, field), true }

static const struct {
  const char *key;
  size_t at, n_at, size;
  bool dry;                  /* only of a dry run */
  element elements[5];
} lists[] = {
  { "changes", LIST(changes, hm_row_change), false,
    { TEXT("row", hm_row_change, ref), TEXT("before", hm_row_change, before),
      TEXT("after", hm_row_change, after) } },
  { "left", LIST(left, hm_row_left), false,
    { TEXT("row", hm_row_left, ref), TEXT("why", hm_row_left, why) } },
  { "opened", LIST(opened, hm_str), false, { { 0 } } },
  { "revived", LIST(revived, hm_str), false, { { 0 } } },
  { "quieted", LIST(quieted, hm_str), false, { { 0 } } },
  { "restorable", LIST(restorable, hm_str), false, { { 0 } } },
  { "removed", LIST(removed, hm_row_field), false,
    { TEXT("row", hm_row_field, ref), TEXT("field", hm_row_field, field) } },
  { "links", LIST(links, hm_link), false,
    { TEXT("src", hm_link, src), TEXT("dst", hm_link, dst), TEXT("rel", hm_link, rel) } },
  { "withdrawn", LIST(withdrawn, hm_withdrawal), true,
    { TEXT("row", hm_withdrawal, ref), TEXT("slot", hm_withdrawal, slot),
      TEXT("value", hm_withdrawal, value), FLAG("alone", hm_withdrawal, alone) } },
  { "others", LIST(others, hm_assertion), true,
    { TEXT("row", hm_assertion, ref), TEXT("status", hm_assertion, status),
      TEXT("slot", hm_assertion, slot), TEXT("value", hm_assertion, value),
      FLAG("elsewhere", hm_assertion, elsewhere) } },
  { "markers", LIST(markers, hm_marker_change), true,
    { TEXT("page", hm_marker_change, page), TEXT("conflict", hm_marker_change, conflict),
      FLAG("gained", hm_marker_change, gained) } },
};

static void write_list(hm_jw *w, const hm_verdict_report *r, size_t k) {
  const char *report = (const char *)r, *v = *(const char *const *)(report + lists[k].at);
  size_t n = *(const size_t *)(report + lists[k].n_at);
  hm_jw_arr(w, lists[k].key);
  for (size_t i = 0; i < n; i++, v += lists[k].size) {
    const element *e = lists[k].elements;
    if (!e->key) {
      hm_jw_str(w, NULL, *(const hm_str *)v);
      continue;
    }
    hm_jw_obj(w, NULL);
    for (; e < lists[k].elements + HM_COUNT(lists[k].elements) && e->key; e++)
      if (e->flag) hm_jw_bool(w, e->key, *(const bool *)(v + e->at));
      else hm_jw_str(w, e->key, *(const hm_str *)(v + e->at));
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

void hm_verdict_json(hm_buf *b, const hm_verdict_report *r, hm_arena *a) {
  hm_jw w;
  hm_str *winners;
  size_t n = hm_winners_of(a, r->winner, &winners);
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "verb", hm_str_c(r->verb));
  hm_jw_bool(&w, "dry_run", r->dry_run);
  hm_jw_str_or_null(&w, "conflict", r->conflict);
  if (r->conflict.n) hm_slot_key_json(&w, r->slot_key, a);
  hm_jw_str_or_null(&w, "status", r->status);
  hm_jw_str(&w, "by", r->by);
  hm_jw_str(&w, "at", r->at);
  hm_jw_str(&w, "notes", r->notes);
  hm_jw_str_or_null(&w, "winner", n == 1 ? winners[0] : HM_EMPTY);
  hm_jw_strs(&w, "winners", winners, n);
  hm_jw_str_or_null(&w, "action", r->action);
  hm_jw_str_or_null(&w, "scope", r->scope);
  for (size_t k = 0; k < HM_COUNT(lists); k++)
    if (r->dry_run || !lists[k].dry) write_list(&w, r, k);
  hm_jw_end(&w);
}
