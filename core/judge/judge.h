/* Asks a model where a store's story leaves a reader guessing, and keeps what it proposes.
 *
 * Order of calls: hm_judge_plan, of a snapshot and the rows that wait; hm_judge_ask, which needs no
 * store and may take minutes; hm_judge_record, in a short transaction. A model can propose a
 * conflict, and nothing else: it changes no row and settles nothing.
 *
 * It is also asked about pairs of memories that are alike and of which the rules do not tell
 * whether one denies the other (core/detect/similar_groups.h); what it says of them is
 * a finding. */
#ifndef HM_JUDGE_H
#define HM_JUDGE_H
#include "core/base/str.h"
#include "core/base/time.h"
#include "core/review/write_check.h"
#include "core/store/change_log.h"
#include "core/store/remarks.h"

/* --- facts as a judge is told them ------------------------------------------------------ */

/* Old facts are forgotten by a curve, so that the sample that a model reads stays small. The sweep
 * reads all of a store; a judge only reads a story. Pure: the same facts, now and seed, the same
 * story. Source: the narrative detective, "The Forgetting Curve" and "Batching". */

enum {
  HM_JUDGE_BATCH = 24000,       /* bytes of a batch at most */
  HM_JUDGE_OVERLAP = 2400,      /* of which the end of the one before, at most */
  HM_JUDGE_LINE = 2400,         /* bytes of a line at most, its end included */
  HM_JUDGE_LABEL = 8
};

typedef struct {
  hm_str ref;                   /* "memory:m1" */
  hm_str digest;                /* of what it says: hm_judged_digest */
  hm_time written;              /* HM_TIME_MIN: nobody knows */
  hm_str scope, agent, type, text;
  uint32_t conflicts;           /* that it was a member of, open or settled */
  bool trigger;                 /* it is new: what the story is read for */
  char label[HM_JUDGE_LABEL + 1]; /* its id in the story; set by hm_judge_facts_order */
} hm_judge_fact;

/* The chance that a fact of this age stays in the story: 0.30 under 24 hours, 0.15 under 168, else
 * 0.07; twice as much for each conflict, at most 1. A negative age is under 24 hours. */
double hm_judge_fact_keep_chance(hm_time age, uint32_t conflicts);
/* Does the fact stay? A trigger does, and one that nobody knows the age of. Else by its chance and
 * a number made from seed and reference alone. */
bool hm_judge_fact_is_kept(const hm_judge_fact *f, hm_time now, uint64_t seed);

/* Sorts by time of writing, unknown ones first, then reference; and labels each with hex digits
 * of which no two facts have the same. */
void hm_judge_facts_order(hm_judge_fact *facts, size_t n);

/* A batch of a story: facts[first] up to facts[first + n] as lines of JSON, in order. */
typedef struct { size_t first, n; hm_str lines; } hm_judge_batch;
/* Splits facts, ordered, in batches. Each line is in one batch or more; a batch begins with the
 * last lines of the one before. Texts that are too long for a line are cut, with "…". One fact
 * alone is no story: no batches. *out and texts in a. */
size_t hm_judge_batches_build(const hm_judge_fact *facts, size_t n, hm_arena *a,
                              hm_judge_batch **out);

/* --- what is sent, and what comes back ---------------------------------------------------- */

typedef struct {
  const char *url, *model, *key;   /* of a chat endpoint as OpenAI has it */
  int timeout_ms;
  bool (*is_stopped)(void *ctx);   /* as hm_post has it */
  void *ctx;
} hm_judge_endpoint;

typedef struct {
  const hm_snapshot *snap;         /* with details */
  const hm_queued *queue; size_t n_queue;   /* the rows that the stories are read for */
  bool all;                        /* every row counts as new: nothing is forgotten */
  size_t limit;                    /* with all: so many rows at most; 0: all */
  const hm_rules *rules;           /* by which texts are alike; NULL: no pair is asked about */
  const uint64_t *seed;            /* of the curve; NULL: made from the new rows */
  /* May this row's field leave the house? NULL: any. */
  bool (*may_send)(void *ctx, uint32_t row, hm_str field);
  void *ctx;
} hm_judge_options;

/* The story of one project, or its pairs. */
typedef struct {
  hm_str project;
  bool pairs;                      /* facts[2 * i] and facts[2 * i + 1] are one; the older first */
  hm_judge_fact *facts; size_t n;        /* in order; those that are sent */
  size_t triggers;                 /* of them */
  size_t forgotten;                /* left out by the curve */
  hm_judge_batch *batches; size_t n_batches;
} hm_judge_story;

typedef struct {
  uint64_t seed;
  hm_judge_story *stories; size_t n;   /* by project, of those with a new row; then pairs */
  size_t n_pairs;
  size_t secrets;                  /* rows that hold a live secret and are not sent */
  size_t hidden;                   /* that may not be sent */
} hm_judge_plan;

/* Which facts are sent. Pure. Active rows that a judge reads (judged.h), by project, each story
 * with all of its new rows and those that the curve keeps; without batches where no new row may be
 * sent. In a; borrows from the snapshot. */
void hm_judge_plan_build(const hm_judge_options *opt, hm_arena *a, hm_judge_plan *out);

typedef struct {
  size_t story;                    /* of the plan */
  uint32_t *facts; size_t n;       /* of the story */
  hm_str question;
} hm_judge_suggestion;

typedef struct {
  hm_judge_suggestion *ideas; size_t n;  /* by story and batch; none is part of another */
  size_t asked, failed;            /* batches; failed: also those that were not asked any more */
  bool *story_failed, *story_unreadable;   /* unreadable: of the failed, the answer says nothing */
  hm_str *notes; size_t n_notes;
  hm_err err;                      /* of the first that failed; code HM_OK: none */
} hm_judge_answers;

/* Asks about each batch, at most four at a time. After a failure of the endpoint no more are asked;
 * an answer that cannot be read ends nothing. In a. */
void hm_judge_ask(const hm_judge_plan *plan, const hm_judge_endpoint *to, hm_arena *a,
                  hm_judge_answers *out);

typedef struct {
  size_t added, known;             /* proposals: new ones, and such as the store has */
  size_t in_conflict;              /* over rows that are all in one conflict that says the same */
  size_t changed;                  /* over rows that were written meanwhile */
  size_t left;                     /* rows that left the queue */
  hm_str *opened; size_t n_opened; /* ids of conflicts that the new proposals opened */
} hm_judge_recorded;

/* Stores the proposals with the conflicts that they are, and takes the rows of the queue out whose
 * stories were read, in one write transaction of its own, whose length does not depend on the
 * store's (write_check.h). by->who: who asked; model: who proposed. */
int hm_judge_record(hm_store *s, const hm_judge_options *opt, const hm_judge_plan *plan,
                    const hm_judge_answers *answers, const char *model, const hm_review *by,
                    hm_arena *a, hm_judge_recorded *out, hm_err *err);
#endif
