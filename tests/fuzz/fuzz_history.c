/* Any two publications, split at the first NUL: their list pages and their conflicts.json tell events or
 * nothing, within bounds. The first byte of each page says which list it is. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "gen/history/conflict_events.h"
#include "gen/history/fact_events.h"
#include "gen/history/inline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PAIRS_MAX = 64 };

static hm_str project_of(void *ctx, hm_str folder) {
  (void)ctx;
  return folder;
}

static void read_inline(hm_str line, hm_arena *a) {
  hm_inline_link link;
  hm_str *cells;
  size_t at;
  hm_inline_text(line, a);
  hm_inline_value_of(line, a);
  hm_inline_cells(line, 8, a, &cells);
  if (hm_inline_last_link(line, "", &at, &link) && (at >= line.n || link.end > line.n)) abort();
}

static size_t facts_of(hm_str md, hm_arena *a, hm_fact **out) {
  static const char *const paths[] = { "projects/p05/state.md", "projects/p05/entities/decision.md",
                                       "projects/p05/memories/2026.md", "projects/p05/relations.md" };
  hm_block *b = NULL;
  size_t n = hm_blocks_of(hm_str_c(paths[md.n ? (unsigned char)md.p[0] % 4 : 0]), md, a, &b);
  *out = hm_alloc_array(a, n + 1, sizeof **out);
  for (size_t i = 0; i < n; i++) {
    read_inline(b[i].head, a);
    hm_fact_of(&b[i], a, &(*out)[i]);
    hm_fact_index x;
    hm_fact_index_of(&(*out)[i], a, &x);
    if (!hm_block_same(&b[i], &b[i])) abort();
    for (size_t k = 0; k < (*out)[i].n; k++)
      if (!hm_fact_find(&x, (*out)[i].shown[k].name, (*out)[i].shown[k].own)) abort();
  }
  return n;
}

/* The facts of one place in both lists, as if they were versions of one row. */
static size_t pair_up(const hm_fact *before, size_t n, const hm_fact *after, size_t m, hm_fact_pair *out) {
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
    if (hm_str_find(hm_event_words(&l->v[i], a), "\n") >= 0) abort();
    hm_event_subject(&l->v[i], a);
    hm_event_subject_short(&l->v[i], a);
    hm_jw_obj(&w, NULL);
    hm_event_json(&w, &l->v[i]);
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
  if (hm_fact_events(pairs, pair_up(was, n, is, m, pairs), &folders, hm_rules_default(), a, &events, &err)) abort();
  hm_conflict_events(before, after, a, &events);
  hm_count_disputed(after);
  tell(&events, a);
  hm_arena_free(a);
  return 0;
}
