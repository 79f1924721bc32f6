/* Any two publications, split at the first NUL: their data files and their conflicts.json tell
 * events or nothing, within bounds. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "gen/history/event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PAIRS_MAX = 64 };

static hm_str project_of(void *ctx, hm_str folder) {
  (void)ctx;
  return folder;
}

static size_t facts_of(hm_str file, hm_arena *a, hm_fact **out) {
  size_t n = 0, lines = 1;
  for (size_t i = 0; i < file.n; i++) lines += file.p[i] == '\n';
  *out = hm_alloc_array(a, lines, sizeof **out);
  for (size_t at = 0; at < file.n;) {
    const char *nl = memchr(file.p + at, '\n', file.n - at);
    hm_str line = hm_str_sub(file, at, nl ? (size_t)(nl - file.p) : file.n);
    at += line.n + 1;
    if (!hm_fact_parse_line(line, HM_STR("p05"), a, &(*out)[n])) continue;
    hm_fact_index x;
    hm_fact_index_init(&(*out)[n], a, &x);
    for (size_t k = 0; k < (*out)[n].n; k++)
      if (!hm_fact_index_find_field(&x, (*out)[n].shown[k].name, (*out)[n].shown[k].own)) abort();
    n++;
  }
  return n;
}

/* The facts of one place in both lists, as if they were versions of one row. */
static size_t pair_up(const hm_fact *before, size_t n, const hm_fact *after, size_t m,
                      hm_fact_pair *out) {
  size_t k = 0;
  for (size_t i = 0; k < PAIRS_MAX && (i < n || i < m); i++)
    out[k++] = (hm_fact_pair){ i < n ? &before[i] : NULL, i < m ? &after[i] : NULL };
  return k;
}

static void tell(hm_events *l, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_events_sort(l);
  for (size_t i = 0; i < l->n; i++) {
    if (hm_str_find(hm_event_format_text(&l->v[i], a), "\n") >= 0) abort();
    hm_event_subject(&l->v[i], a);
    hm_event_subject_short(&l->v[i], a);
    hm_jw_obj(&w, NULL);
    hm_event_write_json(&w, &l->v[i]);
    hm_jw_end(&w);
  }
  hm_buf_free(&b);
  hm_events_free(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_arena *a = hm_arena_new();
  const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
  hm_str all = { (const char *)data, size };
  size_t cut = nul ? (size_t)(nul - data) : size;
  hm_str before = hm_str_sub(all, 0, cut), after = hm_str_sub(all, cut + (nul != NULL), size);
  hm_fact *was, *is;
  hm_fact_pair pairs[PAIRS_MAX];
  hm_err err = { 0 };
  hm_events events = { 0 };
  hm_folders folders = { project_of, NULL };
  size_t n = facts_of(before, a, &was), m = facts_of(after, a, &is);
  if (hm_collect_fact_events(pairs, pair_up(was, n, is, m, pairs), &folders, hm_rules_default(), a,
                             &events, &err))
    abort();
  hm_collect_conflict_events(before, after, a, &events);
  hm_count_disputed_conflicts(after);
  tell(&events, a);
  hm_arena_free(a);
  return 0;
}
