/* Ends a connection when the remote is silent.
 *
 * libgit2 has no timeout of its own, and a blocked read cannot be cancelled. But when its socket is
 * shut down, the read, write or connect on it fails. */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "core/base/par.h"
#include "gen/sink/git_impl.h"

enum { STEP_MS = 100 };

struct hm_git_timeout {
  int ms;
  ino_t *before;
  size_t n_before;  /* sockets that are not ours */
  sigset_t signals; /* that were held back before */
  pthread_t thread;
  bool runs;
  pthread_mutex_t lock; /* over done */
  pthread_cond_t over;
  bool done;
  atomic_long moved;
  atomic_bool closed;
};

/* Calls fn for every socket of this process. */
static void each_socket(void (*fn)(hm_git_timeout *w, int fd, ino_t ino), hm_git_timeout *w) {
  DIR *d = opendir("/proc/self/fd");
  for (struct dirent *e; d && (e = readdir(d));) {
    struct stat st;
    int fd = atoi(e->d_name);
    if (e->d_name[0] != '.' && fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode))
      fn(w, fd, st.st_ino);
  }
  if (d)
    closedir(d);
}

static void note_socket(hm_git_timeout *w, int fd, ino_t ino) {
  (void)fd;
  w->before = hm_xrealloc(w->before, (w->n_before + 1) * sizeof *w->before);
  w->before[w->n_before++] = ino;
}

static void shut_socket(hm_git_timeout *w, int fd, ino_t ino) {
  for (size_t i = 0; i < w->n_before; i++)
    if (w->before[i] == ino)
      return;
  shutdown(fd, SHUT_RDWR);
}

/* One step later; false: it is over, and that at once. */
static bool wait_a_step(hm_git_timeout *w) {
  const struct timespec until = hm_cond_deadline(STEP_MS);
  pthread_mutex_lock(&w->lock);
  while (!w->done && pthread_cond_timedwait(&w->over, &w->lock, &until) == 0)
    continue;
  bool goes_on = !w->done;
  pthread_mutex_unlock(&w->lock);
  return goes_on;
}

static void *watch_sockets(void *arg) {
  hm_git_timeout *w = arg;
  long seen = -1;
  for (int silent = 0; wait_a_step(w); silent += STEP_MS) {
    long now = atomic_load(&w->moved);
    if (now != seen)
      silent = 0;
    seen = now;
    if (silent >= w->ms) {
      /* Again and again: after one address failed libgit2 may try the next. */
      atomic_store(&w->closed, true);
      each_socket(shut_socket, w);
    }
  }
  return NULL;
}

static sigset_t pipe_signal(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  return set;
}

/* A SIGPIPE that came meanwhile goes with us. */
static void restore_signals(const sigset_t *before) {
  const struct timespec at_once = { 0, 0 };
  sigset_t set = pipe_signal();
  if (sigismember(before, SIGPIPE))
    return;
  while (sigtimedwait(&set, NULL, &at_once) >= 0 || errno == EINTR)
    continue;
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

hm_git_timeout *hm_git_timeout_begin(int ms) {
  hm_git_timeout *w = hm_xmalloc(sizeof *w);
  sigset_t set = pipe_signal();
  memset(w, 0, sizeof *w);
  w->ms = ms;
  pthread_mutex_init(&w->lock, NULL);
  hm_cond_init(&w->over);
  pthread_sigmask(SIG_BLOCK, &set, &w->signals);
  each_socket(note_socket, w);
  w->runs = pthread_create(&w->thread, NULL, watch_sockets, w) == 0;
  return w;
}

void hm_git_timeout_reset(hm_git_timeout *w) { atomic_fetch_add(&w->moved, 1); }

bool hm_git_timeout_passed(const hm_git_timeout *w) { return w && atomic_load(&w->closed); }

void hm_git_timeout_end(hm_git_timeout *w) {
  if (!w)
    return;
  pthread_mutex_lock(&w->lock);
  w->done = true;
  pthread_cond_signal(&w->over);
  pthread_mutex_unlock(&w->lock);
  if (w->runs)
    pthread_join(w->thread, NULL);
  pthread_cond_destroy(&w->over);
  pthread_mutex_destroy(&w->lock);
  restore_signals(&w->signals);
  free(w->before);
  free(w);
}
