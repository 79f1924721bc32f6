#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "gen/sink/git_impl.h"

struct hm_git_early { pthread_t thread; bool runs; };

static void *begin(void *unused) {
  git_libgit2_init();
  return unused;
}

hm_git_early *hm_git_early_begin(void) {
  hm_git_early *e = hm_xmalloc(sizeof *e);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);   /* the caller's signals are the caller's */
  e->runs = pthread_create(&e->thread, NULL, begin, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return e;
}

void hm_git_early_end(hm_git_early *e) {
  if (e->runs) {
    pthread_join(e->thread, NULL);
    git_libgit2_shutdown();
  }
  free(e);
}
