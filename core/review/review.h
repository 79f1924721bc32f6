/* What every write of a person or an agent is given. */
#ifndef HM_REVIEW_H
#define HM_REVIEW_H
#include "core/claim/rules.h"
#include "core/store/store.h"

/* By whom and when a verdict was decided that an import brought; empty: not known. */
typedef struct { hm_str by, at; } hm_decided;

typedef struct {
  const hm_rules *rules;
  hm_actor who;              /* at: the time of the write, which is data */
  bool dry_run;              /* done as always, then rolled back */
  const hm_decided
      *decided; /* of an imported verdict, in place of who; its reason may be missing. NULL: none */
} hm_review;
#endif
