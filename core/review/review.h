/* What every write of a person or an agent is given. */
#ifndef HM_REVIEW_H
#define HM_REVIEW_H
#include "core/claim/rules.h"
#include "core/store/store.h"

typedef struct {
  const hm_rules *rules;
  hm_actor who;              /* at: the time of the write, which is data */
  bool dry_run;              /* done as always, then rolled back */
} hm_review;
#endif
