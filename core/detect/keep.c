#include "core/detect/keep.h"

#include <stdlib.h>
#include <string.h>

struct hm_sweep_keep {
  hm_follow *rows;
  hm_claims_keep *claims;
  hm_disputes_keep *disputes;
  uint64_t round;
  hm_follow_news news;     /* of the round; malloc */
  hm_arena *told[HM_SWEEP_DETECTORS];    /* what the detectors found, if that stands */
  hm_finding *found[HM_SWEEP_DETECTORS]; size_t n_found[HM_SWEEP_DETECTORS];
  bool stands;
};

hm_sweep_keep *hm_sweep_keep_new(void) {
  hm_sweep_keep *k = hm_xmalloc(sizeof *k);
  *k = (hm_sweep_keep){ .rows = hm_follow_new(), .claims = hm_claims_keep_new(), .disputes = hm_disputes_keep_new() };
  return k;
}

static void forget_found(hm_sweep_keep *k) {
  for (int i = 0; i < HM_SWEEP_DETECTORS; i++) hm_arena_free(k->told[i]);
  memset(k->told, 0, sizeof k->told);
  k->stands = false;
}

void hm_sweep_keep_free(hm_sweep_keep *k) {
  if (!k) return;
  hm_disputes_keep_free(k->disputes);
  hm_claims_keep_free(k->claims);
  hm_follow_free(k->rows);
  forget_found(k);
  free(k->news.updated);
  free(k->news.inserted);
  free(k);
}

static uint32_t *copied(uint32_t *old, const uint32_t *now, size_t n) {
  uint32_t *out = hm_xrealloc(old, (n + 1) * sizeof *out);
  if (n) memcpy(out, now, n * sizeof *out);
  return out;
}

/* A reading without news leaves those of the one before: who missed that one still needs them. */
static void begin_round(hm_sweep_keep *k, const hm_follow_news *news) {
  if (!news->all && !news->n_updated && !news->n_inserted) return;
  uint32_t *updated = copied(k->news.updated, news->updated, news->n_updated);
  uint32_t *inserted = copied(k->news.inserted, news->inserted, news->n_inserted);
  k->news = *news;
  k->news.updated = updated;
  k->news.inserted = inserted;
  k->round++;
}

uint64_t hm_sweep_keep_round(const hm_sweep_keep *k, const hm_follow_news **news) {
  *news = &k->news;
  return k->round;
}

int hm_sweep_keep_read(hm_sweep_keep *k, hm_store *s, hm_arena *a, hm_snapshot **out, hm_err *err) {
  hm_follow_news news;
  hm_snapshot *snap = hm_alloc(a, sizeof *snap);
  if (hm_follow_read(k->rows, s, snap, &news, err)) return -1;
  begin_round(k, &news);
  hm_claims_keep_note(k->claims, snap, &news);
  hm_disputes_keep_note(k->disputes, &news);
  k->stands = k->stands && hm_findings_stand(snap, &news, k->found[0], k->n_found[0]);
  *out = snap;
  return 0;
}

int hm_sweep_keep_claims(hm_sweep_keep *k, const hm_sweep_options *opt, const hm_snapshot *snap, hm_claims **out, hm_err *err) {
  return hm_claims_contested_again(k->claims, snap, opt->rules, opt->threads, out, err);
}

int hm_sweep_keep_disputes(hm_sweep_keep *k, const hm_sweep_options *opt, const hm_snapshot *snap, const hm_claims *claims, hm_arena *a, hm_disputes **out,
                           hm_err *err) {
  return hm_disputes_again(k->disputes, snap, claims, opt->rules, opt->threads, a, out, err);
}

bool hm_sweep_keep_found(const hm_sweep_keep *k, hm_finding **found, size_t *n) {
  memcpy(found, k->found, sizeof k->found);
  memcpy(n, k->n_found, sizeof k->n_found);
  return k->stands;
}

void hm_sweep_keep_find(hm_sweep_keep *k, hm_arena **told, hm_finding *const *found, const size_t *n) {
  forget_found(k);
  memcpy(k->told, told, sizeof k->told);
  memcpy(k->found, found, sizeof k->found);
  memcpy(k->n_found, n, sizeof k->n_found);
  memset(told, 0, sizeof k->told);
  k->stands = true;
}

void hm_sweep_keep_settle(hm_sweep_keep *k, hm_store *s) { hm_follow_settle(k->rows, s); }
