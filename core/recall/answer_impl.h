/* What answers questions has in memory. */
#ifndef HM_ANSWER_IMPL_H
#define HM_ANSWER_IMPL_H
#include "core/recall/answer.h"
#include "core/recall/recall_impl.h"
#include "core/store/change_log.h"
#include "core/store/recall_tables.h"

struct hm_recaller {
  hm_arena *a, *looked;        /* looked: of documents */
  hm_snapshot *snap;           /* with room: answer_rows.c */
  hm_recall_index *index;
  uint64_t *hashes;            /* of the texts */
  hm_fts_documents documents;
  uint32_t *changed; size_t n_changed;   /* rows, since documents were looked at */
  bool has_looked;
  size_t free_text, free_relation;       /* the next rows that are free */
  size_t room, taken;          /* changed rows that there is room for; that were taken in */
  uint32_t *rows_of;           /* beside the projects: how many rows name each */
  bool stamped;                /* the change log tells of every later change: */
  hm_log_stamp stamp;          /* its last line when the rows were read */
  int threads;
  size_t rows_read;
};
#endif
