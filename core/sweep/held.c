/* The held sweep: see held.h. The one place in a process that spares a sweep; its oracle is a sweep
 * of the store made anew (tests/unit/core_review_agree.c). */
#include "core/sweep/held.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/par.h"
#include "core/recall/alike.h"
#include "core/store/swept.h"

struct hm_held {
  const hm_rules *rules;
  pthread_mutex_t lock; /* of all below; held while a sweep is made */
  hm_held_sweep *now;   /* counts as one user of it */
};

hm_held *hm_held_new(const hm_rules *rules) {
  hm_held *h = hm_xmalloc(sizeof *h);
  *h = (hm_held){ .rules = rules };
  pthread_mutex_init(&h->lock, NULL);
  return h;
}

/* Under the lock. */
static void drop(hm_held_sweep *x) {
  if (!x || --x->users)
    return;
  hm_recaller_free(x->recaller);
  hm_sweep_free(&x->sweep);
  hm_arena_free(x->a);
  free(x);
}

void hm_held_free(hm_held *h) {
  if (!h)
    return;
  drop(h->now);
  pthread_mutex_destroy(&h->lock);
  free(h);
}

static int sweep(hm_held *h, hm_store *s, uint64_t version, hm_err *err) {
  hm_sweep_options opt = { .rules = h->rules, .threads = hm_par_cores(), .details = true };
  hm_held_sweep *x = hm_xmalloc(sizeof *x);
  *x = (hm_held_sweep){ .a = hm_arena_new(), .version = version, .users = 1 };
  x->of = hm_store_is_foreign(s) ? s : NULL;
  if (hm_sweep_run_all(s, &opt, x->a, &x->sweep, err)) {
    drop(x);
    return -1;
  }
  drop(h->now);
  h->now = x;
  return 0;
}

int hm_held_take(hm_held *h, hm_store *s, hm_held_sweep **out, hm_err *err) {
  uint64_t version = 0;
  *out = NULL;
  if (hm_facts_version(s, &version, err))
    return -1;
  pthread_mutex_lock(&h->lock);
  const hm_held_sweep *x = h->now;
  bool holds =
      x && x->version == version && (!x->of || x->of == s) && hm_now_holds(s, x->sweep.snap);
  int rc = holds ? 0 : sweep(h, s, version, err);
  if (!rc) {
    h->now->users++;
    *out = h->now;
  }
  pthread_mutex_unlock(&h->lock);
  return rc;
}

hm_held_sweep *hm_held_last(hm_held *h) {
  pthread_mutex_lock(&h->lock);
  hm_held_sweep *x = h->now;
  if (x)
    x->users++;
  pthread_mutex_unlock(&h->lock);
  return x;
}

hm_held_sweep *hm_held_give(hm_held *h, hm_sweep *w, hm_arena *a) {
  hm_held_sweep *x = hm_xmalloc(sizeof *x);
  *x = (hm_held_sweep){ .sweep = *w, .a = a, .version = w->version, .users = 2 };
  *w = (hm_sweep){ 0 };
  pthread_mutex_lock(&h->lock);
  bool newer = !h->now || h->now->version <= x->version;
  if (newer) {
    drop(h->now);
    h->now = x;
  } else {
    x->users--;
  }
  pthread_mutex_unlock(&h->lock);
  return x;
}

void hm_held_return(hm_held *h, hm_held_sweep *x) {
  pthread_mutex_lock(&h->lock);
  drop(x);
  pthread_mutex_unlock(&h->lock);
}

void hm_held_index(hm_held *h, hm_held_sweep *x) {
  pthread_mutex_lock(&h->lock);
  if (!x->sweep.alike)
    x->sweep.alike = hm_alike_index_new(x->sweep.snap, hm_par_cores(), x->a);
  pthread_mutex_unlock(&h->lock);
}
