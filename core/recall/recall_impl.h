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
  const hm_rules *rules;
  hm_corpus *corpus;
  size_t n;
  size_t sorted;               /* rows before it stand by (layer, id); those after, as they came */
  hm_str *texts;
  hm_vector *vectors;
  hm_matrix *matrix;           /* the same vectors */
  recall_row *rows;
};

/* An index of the first n_read rows, with room for the others before the relations: rows of layer
 * 0, which answer nothing. */
hm_recall_index *hm_recall_index_with_room(const hm_snapshot *snap, size_t n_read,
                                           const hm_rules *rules, int threads, hm_arena *a);
/* Forgets a row, before it changes in the snapshot; reads it, afterwards. Rows and what is made of
 * them are then those of an index of such a snapshot. a: the index's. */
void hm_recall_index_forget(hm_recall_index *x, uint32_t row);
void hm_recall_index_reread(hm_recall_index *x, uint32_t row, hm_arena *a);
/* Does row a stand before row b by (layer, id)? */
bool hm_recall_is_before(const hm_recall_index *x, uint32_t a, uint32_t b);
#endif
