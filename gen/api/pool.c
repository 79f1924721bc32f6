/* The store's connections for reading, for all threads that call the API, and the sweep that they
 * share. */
#include "gen/api/api_impl.h"
#include <pthread.h>
#include <stdlib.h>

struct hm_pool {
  const hm_store_source *src;
  int busy_ms;
  bool foreign;
  hm_pool_reader *shared;
  pthread_mutex_t reading; /* of shared */
  pthread_mutex_t lock;    /* of free and opened */
  pthread_cond_t given;
  hm_pool_reader *free;
  int opened; /* readers, without the shared one */
  hm_held *held;
};

static int open_reader(const hm_pool *p, hm_pool_reader **out, hm_err *err) {
  hm_store *store;
  if (hm_store_open_source(&store, p->src, HM_STORE_READ, p->busy_ms, err))
    return -1;
  hm_pool_reader *r = hm_xmalloc(sizeof *r);
  *r = (hm_pool_reader){ .store = store };
  *out = r;
  return 0;
}

static void close_reader(hm_pool_reader *r) {
  if (!r)
    return;
  hm_store_close(r->store);
  free(r);
}

int hm_pool_open(const hm_store_source *src, int busy_ms, const hm_rules *rules, hm_pool **out,
                 hm_err *err) {
  hm_pool *p = hm_xmalloc(sizeof *p);
  *p = (hm_pool){ .src = src, .busy_ms = busy_ms };
  p->held = hm_held_new(rules);
  pthread_mutex_init(&p->reading, NULL);
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->given, NULL);
  if (open_reader(p, &p->shared, err)) {
    hm_pool_close(p);
    return -1;
  }
  p->foreign = hm_store_is_foreign(p->shared->store);
  *out = p;
  return 0;
}

hm_held *hm_pool_held(hm_pool *p) { return p->held; }

void hm_pool_close(hm_pool *p) {
  if (!p)
    return;
  for (hm_pool_reader *r = p->free, *next; r; r = next) {
    next = r->next;
    close_reader(r);
  }
  close_reader(p->shared);
  hm_held_free(p->held);
  pthread_mutex_destroy(&p->reading);
  pthread_mutex_destroy(&p->lock);
  pthread_cond_destroy(&p->given);
  free(p);
}

/* reader NULL: it could not be opened. */
static void add_free_reader(hm_pool *p, hm_pool_reader *reader) {
  pthread_mutex_lock(&p->lock);
  if (reader) {
    reader->next = p->free;
    p->free = reader;
  } else
    p->opened--;
  pthread_cond_signal(&p->given);
  pthread_mutex_unlock(&p->lock);
}

/* Waits for a free one, or opens one more. */
static int take_free_reader(hm_pool *p, hm_pool_reader **out, hm_err *err) {
  pthread_mutex_lock(&p->lock);
  while (!p->free && p->opened == HM_POOL_READERS)
    pthread_cond_wait(&p->given, &p->lock);
  *out = p->free;
  if (*out)
    p->free = (*out)->next;
  else
    p->opened++;
  pthread_mutex_unlock(&p->lock);
  if (*out || !open_reader(p, out, err))
    return 0;
  add_free_reader(p, NULL);
  return -1;
}

int hm_pool_take_reader(hm_pool *p, bool shared, hm_pool_reader **out, hm_err *err) {
  hm_pool_reader *r = NULL;
  /* The version of a foreign store is that of a connection. */
  if (shared || p->foreign) {
    pthread_mutex_lock(&p->reading);
    r = p->shared;
  } else if (take_free_reader(p, &r, err)) {
    return -1;
  }
  if (hm_store_begin(r->store, false, err)) {
    hm_pool_return_reader(p, r);
    return -1;
  }
  *out = r;
  return 0;
}

void hm_pool_drop_sweep(hm_pool *p, hm_pool_reader *r) {
  hm_held_return(p->held, r->held);
  r->held = NULL;
}

void hm_pool_return_reader(hm_pool *p, hm_pool_reader *r) {
  hm_pool_drop_sweep(p, r);
  hm_store_rollback(r->store);
  if (r == p->shared)
    pthread_mutex_unlock(&p->reading);
  else
    add_free_reader(p, r);
}

const hm_sweep *hm_pool_last_sweep(hm_pool *p, hm_pool_reader *r) {
  if (!r->held)
    r->held = hm_held_last(p->held);
  return r->held ? &r->held->sweep : NULL;
}

int hm_pool_get_sweep(hm_pool *p, hm_pool_reader *r, const hm_sweep **out, hm_err *err) {
  if (!r->held && hm_held_take(p->held, r->store, &r->held, err))
    return -1;
  *out = &r->held->sweep;
  return 0;
}
