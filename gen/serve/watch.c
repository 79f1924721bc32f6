#include <sys/socket.h>
#include <time.h>
#include "gen/serve/server_impl.h"

enum { TICK_MS = 100, SEND_MS = 120000 };

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool overdue(const hm_watch *w, hm_conn *c, int64_t now) {
  int64_t age = now - atomic_load(&c->since);
  switch (atomic_load(&c->state)) {
    case HM_CONN_IDLE: return w->stopping || age > w->deadline_ms;
    case HM_CONN_RECEIVING: return age > w->deadline_ms;
    case HM_CONN_SENDING: return age > SEND_MS;
    default: return false;
  }
}

/* The descriptor is open as long as the connection is in the list; whoever waits for it reads its end. */
static size_t cut_overdue(hm_watch *w) {
  int64_t now = now_ms();
  size_t busy = 0;
  for (hm_conn *c = w->all; c; c = c->next) {
    if (overdue(w, c, now)) shutdown(c->fd, SHUT_RDWR);
    busy += atomic_load(&c->state) != HM_CONN_IDLE;
  }
  return busy;
}

static void wait_tick(hm_watch *w) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += TICK_MS * 1000000L;
  if (until.tv_nsec >= 1000000000L) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000L;
  }
  pthread_cond_timedwait(&w->wake, &w->lock, &until);
}

static void *watching(void *ctx) {
  hm_watch *w = ctx;
  pthread_mutex_lock(&w->lock);
  while (!w->ending) {
    cut_overdue(w);
    if (w->all) wait_tick(w);
    else pthread_cond_wait(&w->wake, &w->lock);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

int hm_watch_start(hm_watch *w, int deadline_ms) {
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&w->wake, &attr);
  pthread_condattr_destroy(&attr);
  pthread_mutex_init(&w->lock, NULL);
  w->deadline_ms = deadline_ms;
  return pthread_create(&w->thread, NULL, watching, w);
}

void hm_watch_add(hm_watch *w, hm_conn *c) {
  atomic_store(&c->since, now_ms());
  pthread_mutex_lock(&w->lock);
  c->next = w->all;
  c->link = &w->all;
  if (c->next) c->next->link = &c->next;
  w->all = c;
  pthread_cond_signal(&w->wake);
  pthread_mutex_unlock(&w->lock);
}

void hm_watch_remove(hm_watch *w, hm_conn *c) {
  pthread_mutex_lock(&w->lock);
  *c->link = c->next;
  if (c->next) c->next->link = c->link;
  pthread_mutex_unlock(&w->lock);
}

void hm_conn_set(hm_conn *c, hm_conn_state state) {
  atomic_store(&c->since, now_ms());
  atomic_store(&c->state, state);
  if (state == HM_CONN_IDLE) c->served = true;
}

/* The time since the connection was made counts for its first request; later ones
 * are preceded by a pause of any length up to the same limit. */
void hm_conn_begin(hm_conn *c) {
  if (c->served) atomic_store(&c->since, now_ms());
  atomic_store(&c->state, HM_CONN_RECEIVING);
}

void hm_watch_drain(hm_watch *w) {
  pthread_mutex_lock(&w->lock);
  w->stopping = true;
  while (cut_overdue(w)) wait_tick(w);
  pthread_mutex_unlock(&w->lock);
}

void hm_watch_end(hm_watch *w) {
  pthread_mutex_lock(&w->lock);
  w->ending = true;
  pthread_cond_broadcast(&w->wake);
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, NULL);
  pthread_cond_destroy(&w->wake);
  pthread_mutex_destroy(&w->lock);
}
