#include "gen/serve/bell.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WAIT_MS = 500 };

struct hm_bell {
  pthread_mutex_t lock;
  pthread_cond_t rung;
  uint64_t rings;
  int listeners;
};

typedef struct { hm_bell *bell; uint64_t heard; } listener;

hm_bell *hm_bell_new(void) {
  hm_bell *b = hm_xmalloc(sizeof *b);
  pthread_condattr_t clock;
  *b = (hm_bell){ .rings = 1 };
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&b->lock, NULL);
  pthread_cond_init(&b->rung, &clock);
  pthread_condattr_destroy(&clock);
  return b;
}

void hm_bell_free(hm_bell *b) {
  if (!b) return;
  pthread_cond_destroy(&b->rung);
  pthread_mutex_destroy(&b->lock);
  free(b);
}

void hm_bell_ring(hm_bell *b) {
  pthread_mutex_lock(&b->lock);
  b->rings++;
  pthread_cond_broadcast(&b->rung);
  pthread_mutex_unlock(&b->lock);
}

bool hm_bell_has_listeners(hm_bell *b) {
  pthread_mutex_lock(&b->lock);
  bool any = b->listeners > 0;
  pthread_mutex_unlock(&b->lock);
  return any;
}

/* The lock is held. */
static void wait_for_ring(hm_bell *b, uint64_t heard) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  int64_t ns = until.tv_nsec + (int64_t)WAIT_MS * 1000000;
  until.tv_sec += (time_t)(ns / 1000000000);
  until.tv_nsec = (long)(ns % 1000000000);
  while (b->rings == heard && pthread_cond_timedwait(&b->rung, &b->lock, &until) == 0) continue;
}

static ptrdiff_t next(void *ctx, char *out, size_t max) {
  listener *l = ctx;
  pthread_mutex_lock(&l->bell->lock);
  wait_for_ring(l->bell, l->heard);
  uint64_t now = l->bell->rings;
  pthread_mutex_unlock(&l->bell->lock);
  if (now == l->heard) return 0;
  int n = snprintf(out, max, "data: %llu\n\n", (unsigned long long)now);
  if (n < 0 || (size_t)n >= max) return 0;
  l->heard = now;
  return n;
}

static void done(void *ctx) {
  listener *l = ctx;
  pthread_mutex_lock(&l->bell->lock);
  l->bell->listeners--;
  pthread_mutex_unlock(&l->bell->lock);
  free(l);
}

bool hm_bell_listen(hm_bell *b, hm_events *out) {
  pthread_mutex_lock(&b->lock);
  bool room = b->listeners < HM_BELL_LISTENERS;
  b->listeners += room;
  pthread_mutex_unlock(&b->lock);
  if (!room) return false;
  listener *l = hm_xmalloc(sizeof *l);
  *l = (listener){ .bell = b };
  *out = (hm_events){ .next = next, .done = done, .ctx = l };
  return true;
}
