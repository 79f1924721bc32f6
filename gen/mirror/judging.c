/* Rounds of questions to the judge.
 *
 * Does not send what publish.exclude leaves out: when it has entries, a view tells for each fact
 * whether it is published. */
#include "gen/mirror/judging.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/markdown/escape.h"
#include "core/review/report.h"
#include "gen/sink/fs.h"

enum {
  ROUND_MOST = 4000, /* rows; each round reads the store anew */
  PARTS = 64,        /* of a plan, at most */
  PART_LEAST = 16,   /* requests */
  POLL_MS = 1000,
  RETRY_MS = 15000,
  RETRY_MAX_MS = 600000
};

/* --- the endpoint ------------------------------------------------------------------- */

const char *hm_judging_why_off(const hm_mirror *m) {
  return hm_endpoint_why_off(m, &m->config.judge, "judge");
}

/* --- one round ------------------------------------------------------------------------ */

typedef struct {
  const hm_view *view;
  hm_arena *a;
} sending;

static bool may_send(void *ctx, uint32_t row, hm_str field) {
  sending *s = ctx;
  return hm_view_row_is_whole(s->view, row) && hm_view_field_shown(s->view, row, field, s->a);
}

static int read_queue(hm_mirror *m, const hm_judging_options *opt, hm_judge_options *out,
                      hm_err *err) {
  hm_store *s = NULL;
  hm_snapshot *snap = NULL;
  if (hm_mirror_open(m, HM_STORE_READ, &s, err))
    return -1;
  size_t limit = opt->limit && !opt->all ? opt->limit : INT32_MAX;
  int rc = hm_store_begin(s, false, err);
  if (!rc)
    rc = hm_judge_queue_read(s, limit, m->a, &out->queue, &out->n_queue, err);
  if (!rc && !hm_exclude_has_entries(&m->config.exclude) && (out->n_queue || opt->all))
    rc = hm_store_snapshot(s, m->a, true, &snap, err);
  out->snap = snap;
  hm_store_close(s);
  return rc;
}

static int count_waiting(hm_mirror *m, int64_t *n, hm_err *err) {
  hm_store *s = NULL;
  if (hm_mirror_open(m, HM_STORE_READ, &s, err))
    return -1;
  int rc = hm_store_begin(s, false, err) || hm_judge_queue_count(s, n, err) ? -1 : 0;
  hm_store_close(s);
  return rc;
}

/* One program at a time works the queue, so that a row in work belongs to one of them. The lock is
 * a file beside the store, or the review file of a foreign one. Where none can be made, as in a
 * folder that is read-only, nobody else can write the answers either. */
static int take_queue(const hm_mirror *m, int wait_ms, hm_lock *lock, hm_err *err) {
  const char *review = m->config.review;
  const char *path = review && !access(review, F_OK) ? review : m->config.store;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *file = hm_str_fmt(m->a, "%s.judge.lock", name).p;
  hm_str folder = slash ? (hm_str){ path, (size_t)(slash - path) + 1 } : HM_STR(".");
  int dir = open(hm_str_z(m->a, folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  hm_err why = { 0 };
  *lock = (hm_lock){ .dir = dir, .fd = -1 };
  if (dir < 0 || !hm_lock_take(lock, dir, file, file, wait_ms, &why))
    return 0;
  lock->fd = -1;
  if (why.code != HM_E_BUSY)
    return 0;
  *err = why;
  return -1;
}

static int record(hm_mirror *m, hm_judge_options *want, hm_judging_report *out, hm_err *err) {
  hm_review by = { .rules = &m->config.rules };
  hm_store *s = NULL;
  if (hm_mirror_actor(m, &by.who, err) || hm_mirror_open(m, HM_STORE_WRITE, &s, err))
    return -1;
  int rc = hm_judge_record(s, want, &out->plan, &out->answers, m->config.judge.model, &by, m->a,
                           &out->recorded, err);
  hm_store_close(s);
  return rc;
}

static int check_trust(const hm_mirror *m, hm_err *err) {
  if (hm_trust_still_holds(&m->trust))
    return 0;
  return hm_fail(err, HM_E_STATE, m->trust.file, "judge.url is not what was trusted any more",
                 "see 'hmirror trust'");
}

/* Asks about a part of the plan after the other and records what was answered, so that a run that
 * ends early loses one part. Ends where the endpoint fails, or the model has proposed as much as it
 * may: the rows of the other parts wait. */
static int ask_and_record(hm_mirror *m, const hm_judging_options *opt, hm_judge_options *want,
                          hm_judging_report *out, hm_err *err) {
  const hm_endpoint *e = &m->config.judge;
  const hm_judge_plan *plan = &out->plan;
  hm_judge_answers *answers = &out->answers;
  const hm_judge_endpoint to = { .url = hm_endpoint_url(e, "/chat/completions", m->a),
                                 .model = e->model,
                                 .key = getenv(e->key_env),
                                 .timeout_ms = e->timeout * 1000,
                                 .is_stopped = opt->is_stopped,
                                 .ctx = opt->ctx,
                                 .count = m->say.count,
                                 .count_ctx = m->say.ctx };
  size_t part = want->story ? plan->n : plan->n / PARTS + 1, first = 0, end;
  bool fails = false;
  int rc;
  part = part < PART_LEAST ? PART_LEAST : part;
  hm_judge_answers_begin(plan, m->a, answers);
  do {
    if (check_trust(m, err))
      return -1;
    hm_arena *a = hm_arena_new();
    end = plan->n - first < part ? plan->n : first + part;
    hm_judge_ask(plan, first, end, &to, a, answers);
    rc = answers->err.code == HM_E_STATE /* stopped */
        ? 0
        : record(m, want, out, err);
    hm_arena_free(a);
    fails = answers->err.code != HM_OK && answers->err.code != HM_E_INPUT;
    first = end;
  } while (!rc && !fails && !out->recorded.over && first < plan->n);
  for (; fails && first < plan->n; first++)
    answers->failed += plan->stories[first].n_batches;
  return rc;
}

/* With all, the rows wait from now on; not where nobody answered. */
static int ask_all(hm_mirror *m, const hm_judging_options *opt, hm_judge_options *want,
                   hm_judging_report *out, hm_err *err) {
  hm_store *s = NULL;
  hm_queued *added = NULL;
  size_t n = 0;
  if (hm_mirror_open(m, HM_STORE_WRITE, &s, err))
    return -1;
  int rc = hm_judge_queue_plan(s, want, &out->plan, m->a, &n, err);
  hm_store_close(s);
  if (!rc && n)
    added = memcpy(hm_alloc_array(m->a, n, sizeof *added), want->queue + want->n_queue - n,
                   n * sizeof *added);
  if (rc || ask_and_record(m, opt, want, out, err))
    return -1;
  if (out->answers.asked > out->answers.failed || !n)
    return 0;
  if (hm_mirror_open(m, HM_STORE_WRITE, &s, err))
    return -1;
  rc = hm_judge_unqueue(s, added, n, err);
  hm_store_close(s);
  return rc;
}

/* Has the model as many open proposals of this day as it may? Sweeps only where it may be so. */
static int is_full(hm_mirror *m, const hm_judge_options *want, bool *full, hm_err *err) {
  hm_str model = hm_str_c(m->config.judge.model);
  hm_actor who;
  hm_sweep w;
  size_t proposed = 0, most = want->a_day ? want->a_day : HM_REPORTS_A_DAY;
  *full = false;
  if (hm_mirror_actor(m, &who, err))
    return -1;
  for (size_t i = 0; i < want->snap->n_proposals; i++)
    proposed += hm_str_eq(want->snap->proposals[i].model, model);
  if (proposed < most)
    return 0;
  if (hm_mirror_sweep(m, &(hm_sweep_options){ .details = true }, &w, err))
    return -1;
  *full = hm_reports_open(&w, model, who.at) >= most;
  hm_sweep_free(&w);
  return 0;
}

/* Reads the rows that wait, and asks about them. */
static int run(hm_mirror *m, const hm_judging_options *opt, hm_judging_report *out, hm_err *err) {
  hm_judge_options want = { .story = m->config.judge_story,
                            .all = opt->all,
                            .limit = opt->limit,
                            .seed = opt->seed,
                            .a_day = m->config.reports_per_day,
                            .rules = &m->config.rules };
  sending sent = { .a = m->a };
  hm_sweep w = { 0 };
  hm_view *view;
  if (read_queue(m, opt, &want, err))
    return -1;
  out->queued = want.n_queue;
  if (!want.n_queue && !opt->all)
    return 0;
  if (!opt->dry_run && check_trust(m, err))
    return -1;
  if (!want.snap) {
    if (hm_mirror_sweep(m, &(hm_sweep_options){ .details = true }, &w, err))
      return -1;
    if (hm_mirror_build_view(m, &w, &view, err)) {
      hm_sweep_free(&w);
      return -1;
    }
    sent.view = view;
    want.snap = w.snap;
    want.may_send = may_send;
    want.ctx = &sent;
  }
  int rc = opt->dry_run ? 0 : is_full(m, &want, &out->full, err);
  if (!rc && !out->full) {
    hm_say_phase(&m->say, "reading the story");
    hm_judge_plan_build(&want, m->a, &out->plan);
  }
  if (!rc && !out->full && !opt->dry_run) {
    hm_say_phase(&m->say, "asking the judge");
    rc = (opt->all ? ask_all : ask_and_record)(m, opt, &want, out, err);
  }
  hm_sweep_free(&w);
  return rc;
}

int hm_judging_run(hm_mirror *m, const hm_judging_options *opt, hm_judging_report *out,
                   hm_err *err) {
  hm_lock lock;
  int64_t waiting = 1;
  *out = (hm_judging_report){ 0 };
  if (!opt->all && count_waiting(m, &waiting, err))
    return -1;
  if (!waiting)
    return 0;
  if (opt->dry_run)
    return run(m, opt, out, err);
  if (take_queue(m, opt->wait_ms, &lock, err))
    return -1;
  int rc = run(m, opt, out, err);
  hm_lock_release(&lock);
  if (lock.dir >= 0)
    close(lock.dir);
  return rc;
}

/* --- in the background ------------------------------------------------------------------ */

struct hm_judging {
  hm_mirror mirror; /* a copy, with an arena of its own for each round */
  pthread_t thread;
  atomic_bool stopped;
  char last_failure[2048]; /* the last failure; empty: the last round went well */
};

static bool is_stopped(void *ctx) { return atomic_load(&((hm_judging *)ctx)->stopped); }

static void report_failure(hm_judging *j, const hm_err *err) {
  char line[sizeof j->last_failure];
  hm_err_format_line(err, line, sizeof line);
  if (strcmp(line, j->last_failure) != 0)
    fprintf(stderr, "hmirror: judge: %s\n", line);
  memcpy(j->last_failure, line, sizeof line);
}

/* Returns 0 on success; *worked: there was something to do. */
static int run_round(hm_judging *j, bool *worked) {
  const hm_judging_options opt = { .limit = ROUND_MOST, .is_stopped = is_stopped, .ctx = j };
  hm_judging_report report;
  hm_mirror m = j->mirror;
  hm_err err = { 0 };
  m.a = hm_arena_new();
  int rc = hm_judging_run(&m, &opt, &report, &err);
  if (!rc && report.answers.err.code != HM_OK)
    err = report.answers.err, rc = -1;
  *worked = !rc && report.queued > 0 && !report.full;
  if (report.full && !rc)
    rc = hm_failf(&err, HM_E_STATE, "judge", "confirm or dismiss some of its findings",
                  "%.60s has as many open proposals of this day as it may (agents.reports_per_day)",
                  m.config.judge.model);
  for (size_t i = 0; !rc && i < report.recorded.n_warnings; i++)
    fprintf(stderr, "hmirror: judge: %s\n",
            hm_str_z(m.a, hm_clean_text(m.a, report.recorded.warnings[i])));
  if (rc && err.code == HM_E_BUSY)
    rc = 0; /* another program works the queue */
  else if (rc && !is_stopped(j))
    report_failure(j, &err);
  else if (*worked)
    j->last_failure[0] = 0;
  hm_arena_free(m.a);
  return rc;
}

static void *work_queue(void *ctx) {
  hm_judging *j = ctx;
  int retry = 0;
  while (!is_stopped(j)) {
    bool worked = false;
    if (!run_round(j, &worked))
      retry = 0;
    else
      retry = !retry ? RETRY_MS : 2 * retry < RETRY_MAX_MS ? 2 * retry : RETRY_MAX_MS;
    for (int left = worked ? 0 : retry ? retry : POLL_MS; left > 0 && !is_stopped(j); left -= 100)
      nanosleep(&(const struct timespec){ .tv_nsec = 100 * 1000000L }, NULL);
  }
  return NULL;
}

hm_judging *hm_judging_start(const hm_mirror *m) {
  if (hm_judging_why_off(m))
    return NULL;
  hm_judging *j = hm_alloc(m->a, sizeof *j);
  j->mirror = hm_mirror_copy_for_background(m);
  return pthread_create(&j->thread, NULL, work_queue, j) ? NULL : j;
}

void hm_judging_stop(hm_judging *j) {
  if (!j)
    return;
  atomic_store(&j->stopped, true);
  pthread_join(j->thread, NULL);
}
