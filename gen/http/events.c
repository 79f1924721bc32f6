/* A feed for browsers: each listener gets a stream of server-sent events, one event for each
 * publication. A listener sleeps on the feed's condition, half a second at most, so that the server
 * can end it. */
#include "gen/http/preview_http.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WAIT_MS = 500 };

struct hm_event_feed {
  pthread_mutex_t lock;
  pthread_cond_t news;
  uint64_t published;
  int listeners;
};

typedef struct { hm_event_feed *feed; uint64_t heard; } listener;

hm_event_feed *hm_event_feed_new(void) {
  hm_event_feed *f = hm_xmalloc(sizeof *f);
  pthread_condattr_t clock;
  *f = (hm_event_feed){ .published = 1 };
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&f->lock, NULL);
  pthread_cond_init(&f->news, &clock);
  pthread_condattr_destroy(&clock);
  return f;
}

void hm_event_feed_free(hm_event_feed *f) {
  if (!f) return;
  pthread_cond_destroy(&f->news);
  pthread_mutex_destroy(&f->lock);
  free(f);
}

void hm_event_feed_publish(hm_event_feed *f) {
  pthread_mutex_lock(&f->lock);
  f->published++;
  pthread_cond_broadcast(&f->news);
  pthread_mutex_unlock(&f->lock);
}

bool hm_event_feed_has_listeners(hm_event_feed *f) {
  pthread_mutex_lock(&f->lock);
  bool any = f->listeners > 0;
  pthread_mutex_unlock(&f->lock);
  return any;
}

/* The lock is held. */
static void wait_for_news(hm_event_feed *f, uint64_t heard) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  int64_t ns = until.tv_nsec + (int64_t)WAIT_MS * 1000000;
  until.tv_sec += (time_t)(ns / 1000000000);
  until.tv_nsec = (long)(ns % 1000000000);
  while (f->published == heard && pthread_cond_timedwait(&f->news, &f->lock, &until) == 0) continue;
}

static ptrdiff_t next_event(void *ctx, char *out, size_t max) {
  listener *l = ctx;
  pthread_mutex_lock(&l->feed->lock);
  wait_for_news(l->feed, l->heard);
  uint64_t now = l->feed->published;
  pthread_mutex_unlock(&l->feed->lock);
  if (now == l->heard) return 0;
  int n = snprintf(out, max, "data: %llu\n\n", (unsigned long long)now);
  if (n < 0 || (size_t)n >= max) return 0;
  l->heard = now;
  return n;
}

static void end_listener(void *ctx) {
  listener *l = ctx;
  pthread_mutex_lock(&l->feed->lock);
  l->feed->listeners--;
  pthread_mutex_unlock(&l->feed->lock);
  free(l);
}

bool hm_event_feed_listen(hm_event_feed *f, hm_event_stream *out) {
  pthread_mutex_lock(&f->lock);
  bool room = f->listeners < HM_EVENT_LISTENERS;
  f->listeners += room;
  pthread_mutex_unlock(&f->lock);
  if (!room) return false;
  listener *l = hm_xmalloc(sizeof *l);
  *l = (listener){ .feed = f };
  *out = (hm_event_stream){ .next = next_event, .done = end_listener, .ctx = l };
  return true;
}
