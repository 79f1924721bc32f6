#include <errno.h>
#include <unistd.h>

#include "gen/sink/dir_impl.h"

/* Whoever makes files waits for the journal while it is written, so that is to be seldom. */
enum { ENOUGH = 32 << 20 };

static void *pump(void *arg) {
  hm_dir_pump *p = arg;
  pthread_mutex_lock(&p->lock);
  for (;;) {
    while (!p->stop && atomic_load(&p->bytes) < ENOUGH) pthread_cond_wait(&p->more, &p->lock);
    if (p->stop) break;
    atomic_store(&p->bytes, 0);
    pthread_mutex_unlock(&p->lock);
    int eno = syncfs(p->fd) == 0
        ? 0
        : errno; /* a failure is told once, so whoever hears of it keeps it */
    pthread_mutex_lock(&p->lock);
    if (!p->eno) p->eno = eno;
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* Without a thread all is left to the end, and no harm done. */
void hm_dir_pump_start(hm_dir_pump *p, int fd) {
  *p = (hm_dir_pump){ .fd = fd };
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->more, NULL);
  p->running = pthread_create(&p->thread, NULL, pump, p) == 0;
}

void hm_dir_pump_add(hm_dir_pump *p, size_t bytes) {
  if (!p->running || atomic_fetch_add(&p->bytes, bytes) + bytes < ENOUGH) return;
  pthread_mutex_lock(&p->lock);
  pthread_cond_signal(&p->more);
  pthread_mutex_unlock(&p->lock);
}

int hm_dir_pump_stop(hm_dir_pump *p) {
  if (!p->running) return 0;
  pthread_mutex_lock(&p->lock);
  p->stop = true;
  pthread_cond_signal(&p->more);
  pthread_mutex_unlock(&p->lock);
  pthread_join(p->thread, NULL);
  pthread_cond_destroy(&p->more);
  pthread_mutex_destroy(&p->lock);
  p->running = false;
  errno = p->eno;
  return p->eno ? -1 : 0;
}
