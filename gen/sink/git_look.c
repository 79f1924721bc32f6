#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "gen/sink/git_impl.h"

struct hm_git_look {
  hm_str bytes;
  unsigned char sha256[32];
  git_oid sum, id;
  sem_t summed;        /* sum is there */
  pthread_t thread;
  bool done;
  int rc;
  char why[160];       /* an error of libgit2's is its thread's */
};

static void *look(void *arg) {
  hm_git_look *l = arg;
  hm_git_object_sum(GIT_OBJECT_BLOB, l->bytes, l->sum.id);
  sem_post(&l->summed);
  l->rc = git_odb_hash(&l->id, l->bytes.p, l->bytes.n, GIT_OBJECT_BLOB);
  if (l->rc < 0) snprintf(l->why, sizeof l->why, "%s", git_error_last() ? git_error_last()->message : "");
  return NULL;
}

static bool start(hm_git_look *l) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);   /* the caller's signals are the caller's */
  bool ok = pthread_create(&l->thread, NULL, look, l) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return ok;
}

hm_git_look *hm_git_look_begin(hm_git *g, const hm_file *f) {
  size_t k = g->opt->threads < 2 ? HM_GIT_LOOKS : atomic_fetch_add(&g->n_looks, 1);
  if (k >= HM_GIT_LOOKS) return NULL;
  hm_git_look *l = hm_xmalloc(sizeof *l);
  *l = (hm_git_look){ .bytes = f->bytes };
  memcpy(l->sha256, f->sha256, sizeof l->sha256);
  sem_init(&l->summed, 0, 0);
  if (start(l)) return g->looks[k] = l;
  sem_destroy(&l->summed);
  free(l);
  return NULL;
}

void hm_git_sees(void *git, const hm_file *f) {
  hm_git *g = git;
  if (!f) hm_git_looks_end(g);
  else if (hm_git_is_long(f) && !hm_git_is_manifest(f)) hm_git_look_begin(g, f);
}

hm_git_look *hm_git_look_at(hm_git *g, const hm_file *f) {
  for (size_t k = 0; k < HM_GIT_LOOKS; k++) {
    hm_git_look *l = g->looks[k];
    if (l && l->bytes.p == f->bytes.p && l->bytes.n == f->bytes.n && memcmp(l->sha256, f->sha256, sizeof l->sha256) == 0) return l;
  }
  return NULL;
}

void hm_git_look_sum(hm_git_look *l, git_oid *id) {
  while (sem_wait(&l->summed) != 0) continue;   /* a signal came */
  sem_post(&l->summed);
  *id = l->sum;
}

static void finish(hm_git_look *l) {
  if (!l->done) pthread_join(l->thread, NULL);
  l->done = true;
}

int hm_git_looks_wait(hm_git *g) {
  for (size_t k = 0; k < HM_GIT_LOOKS; k++) {
    hm_git_look *l = g->looks[k];
    if (!l) continue;
    finish(l);
    if (l->rc >= 0 && git_oid_equal(&l->id, &l->sum)) continue;
    git_error_set_str(GIT_ERROR_SHA, l->rc < 0 ? l->why : "two sums of the same bytes differ");
    return -1;
  }
  return 0;
}

void hm_git_looks_end(hm_git *g) {
  for (size_t k = 0; k < HM_GIT_LOOKS; k++) {
    if (!g->looks[k]) continue;
    finish(g->looks[k]);
    sem_destroy(&g->looks[k]->summed);
    free(g->looks[k]);
    g->looks[k] = NULL;
  }
  atomic_store(&g->n_looks, 0);
}
