/* The judge of a mirror: tells whether there is one, asks one round of questions, or asks on a
 * thread while a server or a watcher runs. */
#ifndef HM_JUDGING_H
#define HM_JUDGING_H
#include "core/judge/judge.h"
#include "gen/mirror/mirror.h"

/* Returns NULL when a judge is configured and its key is set, else the reason why not; in m->a. */
const char *hm_judging_why_off(const hm_mirror *m);

typedef struct {
  bool all, dry_run;    /* dry_run: makes no request, writes nothing */
  const uint64_t *seed; /* NULL: made from the rows */
  size_t limit;         /* rows of the queue, or with all of the store; 0: all */
  int wait_ms;          /* for another program that works the queue */
  bool (*is_stopped)(void *ctx);
  void *ctx; /* NULL: it is not */
} hm_judging_options;

typedef struct {
  size_t queued; /* rows that were taken from the queue */
  bool full;     /* the model has as many open proposals of this day as it may: nobody was asked */
  hm_judge_plan plan;
  hm_judge_answers answers; /* not with dry_run */
  hm_judge_recorded recorded;
} hm_judging_report;

/* Reads the queue and the store, asks, and records the answers. Another program waits meanwhile, so
 * that no row is asked about twice; HM_E_BUSY: it does so already. The store is not open while the
 * judge is asked. Results live in m->a. Returns 0 also when the endpoint failed: answers.err says
 * so, and the answers so far are recorded. */
int hm_judging_run(hm_mirror *m, const hm_judging_options *opt, hm_judging_report *out,
                   hm_err *err);

/* Works through the queue on its own thread, with its own connection to the store, until stopped.
 * Reports a failure on standard error, a repeated one only once, and tries again later. m's config
 * must outlive it. Returns NULL when there is no judge. */
typedef struct hm_judging hm_judging;
hm_judging *hm_judging_start(const hm_mirror *m);
/* Stops the thread; aborts a running request. NULL is allowed. */
void hm_judging_stop(hm_judging *j);
#endif
