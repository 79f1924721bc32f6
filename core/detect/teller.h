/* What an explanation is written with: sentences, and the words in them. */
#ifndef HM_TELLER_H
#define HM_TELLER_H
#include "core/detect/sweep.h"

enum {
  SENTENCE_MAX = 1000,
  MEMBERS_MAX = 500
};

/* For explain.c, explain_finding.c and teller.c. Begin with { w, rec, rules, a }; free line. */
struct hm_teller {
  const hm_sweep *w;
  const hm_conflict_rec *rec;
  const hm_rules *rules;
  hm_arena *a;
  hm_buf line;
  hm_str *lines;   /* that are told, in a */
  size_t n, cap;
};

const hm_sweep *hm_teller_sweep(const hm_teller *t);
const hm_rules *hm_teller_rules(const hm_teller *t);
/* Words; a line break ends a sentence. In them stand for an argument: %s a const char *, %d an int,
 * %z a size_t; %p an hm_str, as bytes of a fact on one line, cut, and what does not show is made
 * to; %q the same quoted; %c a const hm_claim *, as "kind:id"; %w the same as a party, an entity
 * with its field, since a row can claim one slot by two; %t two const hm_bound *, as a window. */
void hm_tell(hm_teller *t, const char *words, ...);
/* Bytes of a fact on one line: cut, repaired, and what does not show is made to. */
void hm_tell_cut(hm_teller *t, hm_str s, size_t max);
#endif
