/* What the files of core/recall share. */
#ifndef HM_RECALL_IMPL_H
#define HM_RECALL_IMPL_H
#include "core/recall/recall.h"

typedef struct {
  double importance;
  bool replaced;               /* another row may stand for it (hm_recall_target) */
  hm_time from, until;         /* it may hold */
  hm_time created, used, superseded;   /* HM_TIME_MIN: not known */
} recall_row;

struct hm_recall_index {
  const hm_snapshot *snap;
  hm_corpus *corpus;
  size_t n;
  hm_str *texts;
  hm_vector *vectors;
  hm_matrix *matrix;           /* the same vectors */
  recall_row *rows;
};
#endif
