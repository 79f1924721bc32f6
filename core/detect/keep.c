#include "core/detect/keep.h"

#include <stdlib.h>

struct hm_sweep_keep {
  hm_follow *rows;
  hm_claims_keep *claims;
};

hm_sweep_keep *hm_sweep_keep_new(void) {
  hm_sweep_keep *k = hm_xmalloc(sizeof *k);
  *k = (hm_sweep_keep){ .rows = hm_follow_new(), .claims = hm_claims_keep_new() };
  return k;
}

void hm_sweep_keep_free(hm_sweep_keep *k) {
  if (!k) return;
  hm_claims_keep_free(k->claims);
  hm_follow_free(k->rows);
  free(k);
}

int hm_sweep_keep_read(hm_sweep_keep *k, hm_store *s, hm_arena *a, hm_snapshot **out, hm_err *err) {
  hm_follow_news news;
  hm_snapshot *snap = hm_alloc(a, sizeof *snap);
  if (hm_follow_read(k->rows, s, snap, &news, err)) return -1;
  hm_claims_keep_note(k->claims, snap, &news);
  *out = snap;
  return 0;
}

int hm_sweep_keep_claims(hm_sweep_keep *k, const hm_sweep_options *opt, const hm_snapshot *snap, hm_claims **out, hm_err *err) {
  return hm_claims_contested_again(k->claims, snap, opt->rules, opt->threads, out, err);
}

void hm_sweep_keep_settle(hm_sweep_keep *k, hm_store *s) { hm_follow_settle(k->rows, s); }
