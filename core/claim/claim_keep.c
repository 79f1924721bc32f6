/* What is kept of all rows, in brief. */
#include <stdlib.h>
#include <string.h>

#include "core/claim/claim_impl.h"

enum { OLD_MAX = 8 << 20 };   /* bytes of what nobody claims any more: so much, and as much as all took, is kept */

hm_claims_keep *hm_claims_keep_new(void) {
  hm_claims_keep *k = hm_xmalloc(sizeof *k);
  *k = (hm_claims_keep){ .lasts = true };
  return k;
}

void hm_keep_drop_briefs(hm_claims_keep *k) {
  for (int i = 0; i < k->n_workers; i++) hm_briefs_free(k->briefs[i]);
  free(k->briefs);
  k->briefs = NULL;
  k->has = false;
}

static void forget(hm_claims_keep *k) {
  if (k->briefs) hm_keep_drop_briefs(k);
  hm_slots_free(k->slots);
  hm_keep_whole_forget(k);
  hm_members_free(&k->members);
  free(k->moves.v);
  for (int i = 0; i < k->n_workers; i++) hm_arena_free(k->told[i]);
  free(k->told);
  free(k->findings);
  free(k->speaks);
  free(k->stale);
  free(k->marks);
  hm_arena_free(k->of_types);
  *k = (hm_claims_keep){ 0 };
}

void hm_claims_keep_free(hm_claims_keep *k) {
  if (!k) return;
  forget(k);
  free(k);
}

static unsigned char *zeros(size_t n) { return memset(hm_xmalloc(n), 0, n); }

void hm_keep_begin(hm_claims_keep *k, int n_workers, size_t n_rows) {
  uint64_t seed = hm_random_seed();
  hm_claims_keep stays = { .lasts = k->lasts, .marks = k->marks, .moves = k->moves, .of_types = k->of_types, .types = k->types };
  k->of_types = NULL;
  k->marks = NULL;
  k->moves.v = NULL;
  forget(k);
  *k = stays;
  k->moves.all = true;
  k->n_workers = n_workers;
  k->n_rows = n_rows;
  k->told = hm_xmalloc((size_t)n_workers * sizeof *k->told);
  k->briefs = hm_xmalloc((size_t)n_workers * sizeof *k->briefs);
  k->speaks = zeros(n_rows + 1);
  k->stale = zeros(n_rows + 1);
  for (int i = 0; i < n_workers; i++) {
    k->told[i] = hm_arena_new();
    k->briefs[i] = hm_briefs_new(seed, n_rows);
  }
}

unsigned char *hm_keep_marks(hm_claims_keep *k, size_t n_rows) {
  k->marks = hm_xrealloc(k->marks, n_rows + 1);
  return memset(k->marks, 0, n_rows + 1);
}

size_t hm_keep_brief_held(const hm_claims_keep *k) {
  size_t n = 0;
  for (int i = 0; i < k->n_workers; i++) n += hm_arena_held(k->told[i]) + (k->briefs ? hm_arena_held(k->briefs[i]->texts) : 0);
  return n;
}

size_t hm_claims_keep_held(const hm_claims_keep *k) { return hm_keep_brief_held(k) + hm_keep_whole_held(k); }

bool hm_keep_is_full(size_t held, size_t first) { return held > 2 * first + OLD_MAX; }

static int by_id(const void *x, const void *y) { return hm_str_cmp(((const hm_finding *)x)->id, ((const hm_finding *)y)->id); }

void hm_keep_findings(hm_claims_keep *k, const hm_finding *f, size_t n) {
  if (!n) return;
  k->findings = hm_xrealloc(k->findings, (k->n_findings + n) * sizeof *k->findings);
  memcpy(k->findings + k->n_findings, f, n * sizeof *f);
  k->n_findings += n;
  qsort(k->findings, k->n_findings, sizeof *k->findings, by_id);
}

/* --- rows that change -------------------------------------------------------------- */

/* Zeros where rows were inserted, ascending, by their numbers of now; from the end, so that each byte moves once. */
static unsigned char *with_gaps(unsigned char *bytes, size_t n, const uint32_t *inserted, size_t n_inserted) {
  size_t end = n + n_inserted;
  bytes = hm_xrealloc(bytes, end + 1);
  for (size_t i = n_inserted; i-- > 0; end = inserted[i]) {
    size_t from = inserted[i] + 1 - (i + 1);
    memmove(bytes + inserted[i] + 1, bytes + from, end - inserted[i] - 1);
    bytes[inserted[i]] = 0;
  }
  return bytes;
}

/* Claims that were read whole depend on them. */
static void forget_types(hm_claims_keep *k) {
  hm_arena_free(k->of_types);
  k->of_types = NULL;
  hm_keep_whole_forget(k);
}

static void note_types(hm_claims_keep *k, const hm_snapshot *snap, const hm_follow_news *news) {
  hm_arena *a = hm_arena_new();
  bool brings = news->all || news->types;
  for (size_t i = 0; i < news->n_inserted && k->of_types && !brings; i++) {
    const hm_row *row = &snap->rows[news->inserted[i]];
    brings = row->layer == HM_ENTITY && hm_map_get(&k->types, hm_entity_type_key(a, row->type)) == HM_MAP_NONE;
  }
  if (brings) forget_types(k);
  hm_arena_free(a);
}

static void mark(hm_claims_keep *k, const uint32_t *rows, size_t n) {
  for (size_t i = 0; i < n; i++) {
    k->n_stale += !k->stale[rows[i]];
    k->stale[rows[i]] = 1;
    k->speaks[rows[i]] = 0;
  }
}

/* A finding is of one row, which it names. */
static void drop_findings(hm_claims_keep *k, const hm_snapshot *snap) {
  size_t n = 0;
  for (size_t i = 0; i < k->n_findings; i++) {
    uint32_t row = hm_snapshot_ref(snap, HM_MEMORY, k->findings[i].rows[0]);
    if (row == HM_MAP_NONE || !k->stale[row]) k->findings[n++] = k->findings[i];
  }
  k->n_findings = n;
}

void hm_claims_keep_note(hm_claims_keep *k, const hm_snapshot *snap, const hm_follow_news *news) {
  note_types(k, snap, news);
  if (news->all || news->names || hm_keep_is_full(hm_keep_brief_held(k), k->brief_held)) k->has = false;
  if (!k->has || (!news->n_updated && !news->n_inserted)) return;
  k->speaks = with_gaps(k->speaks, k->n_rows, news->inserted, news->n_inserted);
  k->stale = with_gaps(k->stale, k->n_rows, news->inserted, news->n_inserted);
  k->n_rows += news->n_inserted;
  mark(k, news->updated, news->n_updated);
  mark(k, news->inserted, news->n_inserted);
  hm_slots_follow(k->slots, news, k->stale);
  hm_keep_whole_follow(k, news);
  hm_members_follow(&k->members, news);
  drop_findings(k, snap);
}
