/* A mirror and its judge: whether there is one, one round of questions, and a thread that asks
 * while a server or a watcher runs. */
#ifndef HM_JUDGING_H
#define HM_JUDGING_H
#include "core/judge/judge.h"
#include "gen/mirror/mirror.h"

/* NULL: a judge is configured and its key is there. Else why not, in words; in m->a. */
const char *hm_judging_why_off(const hm_mirror *m);

typedef struct {
  bool all, dry_run;           /* dry_run: no request is made, nothing is written */
  const uint64_t *seed;        /* NULL: made from the rows */
  size_t limit;                /* rows of the queue, or with all of the store; 0: all */
  bool (*is_stopped)(void *ctx); void *ctx;   /* NULL: it is not */
} hm_judging_options;

typedef struct {
  size_t queued;               /* rows that were taken from the queue */
  hm_judge_plan plan;
  hm_judge_answers answers;    /* not with dry_run */
  hm_judge_recorded recorded;
} hm_judging_report;

/* Reads the queue and the store, asks, and records. The store is open only while it is read and
 * while what came of it is written. Results live in m->a. 0 also where the endpoint failed:
 * answers.err says so, and what was answered is recorded. */
int hm_judging_run(hm_mirror *m, const hm_judging_options *opt, hm_judging_report *out,
                   hm_err *err);

/* Works the queue on a thread of its own, until stopped. Nobody waits for it: it opens the store
 * for itself, and a failure is said on standard error, once as long as it is the same, and tried
 * again later. It keeps the config of m, which outlives it. NULL: there is no judge. */
typedef struct hm_judging hm_judging;
hm_judging *hm_judging_start(const hm_mirror *m);
/* Ends a request under way. NULL is allowed. */
void hm_judging_stop(hm_judging *j);
#endif
