/* What an explanation is written with: sentences, and the words in them. For explain.c,
 * explain_finding.c and teller.c; rules have hm_tell (explain.h). */
#ifndef HM_TELLER_H
#define HM_TELLER_H
#include "core/detect/explain.h"

enum {
  SENTENCE_MAX = 1000,
  MEMBERS_MAX = 500
};

struct hm_teller {
  const hm_sweep *w;
  const hm_conflict_rec *rec;
  const hm_rules *rules;
  hm_arena *a;
  hm_buf line;
  hm_explanation *out;
  size_t cap;
};

/* Bytes of a fact on one line: cut, repaired, and what does not show is made to. */
void hm_tell_cut(hm_teller *t, hm_str s, size_t max);
#endif
