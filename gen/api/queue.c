/* The writers of this process, in a fair queue.
 *
 * All commands that wait become one batch: one transaction, a savepoint a command, one find for
 * those that can share it, one commit, then all answers. The first thread that waits leads: it
 * carries out the commands of the others, who sleep until they have their answer or the lead. What
 * needs transactions of its own runs alone, in its turn. A command whose savepoint fails fails
 * alone; when the find or the commit fails, all commands of the batch get that error.
 * So nothing is answered before it is on the disk. */
#include <pthread.h>
#include <stdlib.h>
#include "core/base/par.h"
#include "gen/api/api_impl.h"

enum { BATCH = 64, BATCH_MS = 50, WAITING = 1000 };

/* A writer in the queue, on the stack of its thread. */
typedef struct turn {
  struct turn *next;
  hm_api_call_state *call; /* NULL: it runs alone */
  enum { WAITS, LEADS, ANSWERED } is;
  pthread_cond_t moved;
  int rc;
  hm_err *err;
} turn;

struct hm_queue {
  hm_store *writer;
  hm_beside *beside; /* only the leader uses it */
  void (*pending)(void *ctx);
  void *pending_ctx;
  size_t most;
  pthread_mutex_t lock; /* of all below */
  bool led;
  turn *first, **last;
  size_t n;
};

int hm_queue_open(const hm_store_source *src, int busy_ms, size_t most, hm_queue **out,
                  hm_err *err) {
  hm_store *writer;
  if (hm_store_open_source(&writer, src, HM_STORE_WRITE, busy_ms, err) &&
      (hm_store_may_write(src->path) ||
       hm_store_open_source(&writer, src, HM_STORE_READ, busy_ms, err)))
    return -1;
  if (hm_evidence_upgrade(writer, err)) {
    hm_store_close(writer);
    return -1;
  }
  hm_queue *q = hm_xmalloc(sizeof *q);
  *q = (hm_queue){ .writer = writer, .most = most ? most : WAITING };
  q->last = &q->first;
  pthread_mutex_init(&q->lock, NULL);
  *out = q;
  return 0;
}

void hm_queue_hold(hm_queue *q, hm_held *held, const hm_rules *rules, size_t least,
                   void (*pending)(void *ctx), void *ctx) {
  if (hm_store_is_foreign(q->writer))
    return;
  q->beside = hm_beside_new(held, rules, least);
  q->pending = pending;
  q->pending_ctx = ctx;
}

void hm_queue_close(hm_queue *q) {
  if (!q)
    return;
  hm_beside_free(q->beside);
  hm_store_close(q->writer);
  pthread_mutex_destroy(&q->lock);
  free(q);
}

/* --- turns ------------------------------------------------------------------------------------ */

/* Returns when the caller leads, or has its answer. HM_E_BUSY: too many wait. */
static int wait_for_turn(hm_queue *q, turn *t, hm_err *err) {
  pthread_mutex_lock(&q->lock);
  if (!q->led) {
    q->led = true;
    t->is = LEADS;
  } else if (q->n < q->most) {
    pthread_cond_init(&t->moved, NULL);
    *q->last = t;
    q->last = &t->next;
    q->n++;
    while (t->is == WAITS)
      pthread_cond_wait(&t->moved, &q->lock);
    pthread_cond_destroy(&t->moved);
  }
  pthread_mutex_unlock(&q->lock);
  if (t->is != WAITS)
    return 0;
  return hm_failf(err, HM_E_BUSY, "the store", "try again",
                  "%zu writes wait, the most that may (serve.queue)", q->most);
}

/* Under the lock. */
static turn *take_first(hm_queue *q) {
  turn *t = q->first;
  q->first = t->next;
  if (!q->first)
    q->last = &q->first;
  q->n--;
  return t;
}

/* The next command of a batch; NULL: none waits, or who is first runs alone. */
static turn *take_command(hm_queue *q) {
  pthread_mutex_lock(&q->lock);
  turn *t = q->first && q->first->call ? take_first(q) : NULL;
  pthread_mutex_unlock(&q->lock);
  return t;
}

/* Gives these, and not the leader's own, their answers, and passes the lead on. */
static void pass(hm_queue *q, turn **answered, size_t n) {
  pthread_mutex_lock(&q->lock);
  for (size_t i = 0; i < n; i++) {
    answered[i]->is = ANSWERED;
    pthread_cond_signal(&answered[i]->moved);
  }
  q->led = q->first != NULL;
  if (q->led) {
    turn *t = take_first(q);
    t->is = LEADS;
    pthread_cond_signal(&t->moved);
  }
  pthread_mutex_unlock(&q->lock);
}

int hm_queue_take_writer(hm_queue *q, hm_store **out, hm_err *err) {
  turn t = { .err = err };
  if (wait_for_turn(q, &t, err))
    return -1;
  *out = q->writer;
  return 0;
}

void hm_queue_return_writer(hm_queue *q) { pass(q, NULL, 0); }

int hm_queue_record_sweep(hm_queue *q, const hm_sweep_options *opt, hm_sweep *w, hm_arena *a,
                          hm_err *err) {
  hm_store *s;
  bool taken;
  if (hm_queue_take_writer(q, &s, err)) {
    hm_sweep_free(w);
    hm_arena_free(a);
    return -1;
  }
  int rc = hm_beside_take(q->beside, s, w, a, opt, &taken, err);
  hm_queue_return_writer(q);
  return rc;
}

/* --- a batch ---------------------------------------------------------------------------------- */

typedef struct {
  hm_queue *q;
  turn *v[BATCH];
  size_t n;
  hm_shared_find *finds[BATCH]; /* the last one may be open: writes may join it */
  size_t n_finds;
  bool open;
} batch;

/* Ends the find that writes may join. */
static int end_find(batch *b, hm_err *err) {
  bool was = b->open;
  b->open = false;
  return was ? hm_shared_find_end(b->finds[b->n_finds - 1], err) : 0;
}

/* Not 0: the batch cannot go on. The command's own error is in its turn. */
static int run_command(batch *b, turn *t, hm_err *err) {
  hm_api_call_state *c = t->call;
  c->store = b->q->writer;
  if (c->shares && !b->open) {
    b->finds[b->n_finds++] = hm_shared_find_new(c->store, b->q->beside);
    b->open = true;
  } else if (!c->shares && end_find(b, err)) {
    return -1;
  }
  c->review.shared = c->shares ? b->finds[b->n_finds - 1] : NULL;
  t->rc = hm_api_run_write(c, t->err);
  return 0;
}

static void fail_all(batch *b, const hm_err *err) {
  for (size_t i = 0; i < b->n; i++)
    if (!b->v[i]->rc) {
      *b->v[i]->err = *err;
      b->v[i]->rc = -1;
    }
}

/* Fills the batch up with who waits meanwhile. */
static bool take_next(batch *b, int64_t began) {
  turn *t = b->n < BATCH && hm_clock_ms() - began < BATCH_MS ? take_command(b->q) : NULL;
  if (t)
    b->v[b->n++] = t;
  return t != NULL;
}

static int run_batch(batch *b, hm_err *err) {
  int64_t began = hm_clock_ms();
  hm_store *s = b->q->writer;
  hm_store_stop_when(s, b->v[0]->call->q->stop);
  int rc = hm_store_begin_batch(s, err);
  hm_store_stop_when(s, NULL);
  if (rc) { /* they would wait as long for the same */
    while (b->n < BATCH && take_next(b, began))
      continue;
    return -1;
  }
  for (size_t i = 0; i < b->n && !rc; i++) {
    rc = run_command(b, b->v[i], err);
    take_next(b, began);
  }
  if (!rc)
    rc = end_find(b, err);
  if (hm_store_end_batch(s, !rc, rc ? NULL : err))
    rc = -1;
  return rc;
}

static void lead(hm_queue *q, turn *own) {
  batch b = { .q = q, .v = { own }, .n = 1 };
  hm_err err = { 0 };
  bool failed = run_batch(&b, &err) != 0;
  if (failed)
    fail_all(&b, &err);
  else
    for (size_t i = 0; i < b.n_finds; i++)
      hm_shared_find_finish(b.finds[i]);
  for (size_t i = 0; i < b.n; i++)
    if (!b.v[i]->rc)
      b.v[i]->rc = hm_api_finish_write(b.v[i]->call, b.v[i]->err);
  bool pending = false;
  for (size_t i = 0; i < b.n_finds; i++) {
    pending = pending || (!failed && hm_shared_find_is_pending(b.finds[i]));
    hm_shared_find_free(b.finds[i], !failed);
  }
  pass(q, b.v + 1, b.n - 1);
  if (pending)
    q->pending(q->pending_ctx);
}

int hm_queue_run(hm_queue *q, hm_api_call_state *c, hm_err *err) {
  turn t = { .call = c, .err = err };
  if (wait_for_turn(q, &t, err))
    return -1;
  if (t.is == LEADS)
    lead(q, &t);
  return t.rc;
}
