#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/par.h"
#include "gen/sink/git_impl.h"

struct hm_git_look {
  const hm_str *bytes;
  git_oid *ids;
  size_t n;
  int threads, rc;
  pthread_t thread;
  bool runs, done;
  char why[160];       /* an error of libgit2's is its thread's */
};

static int look_at(void *ctx, size_t i, int worker) {
  hm_git_look *l = ctx;
  (void)worker;
  return git_odb_hash(&l->ids[i], l->bytes[i].p, l->bytes[i].n, GIT_OBJECT_BLOB) < 0 ? -1 : 0;
}

static void *look(void *arg) {
  hm_git_look *l = arg;
  size_t failed;
  l->rc = hm_par_for(l->n, l->threads, look_at, l, &failed);
  if (l->rc != 0 && look_at(l, failed, 0) != 0) snprintf(l->why, sizeof l->why, "%s", git_error_last() ? git_error_last()->message : "");
  return NULL;
}

hm_git_look *hm_git_look_begin(const hm_str *bytes, size_t n, int threads) {
  if (n == 0) return NULL;
  hm_git_look *l = hm_xmalloc(sizeof *l);
  *l = (hm_git_look){ .bytes = bytes, .n = n, .threads = threads, .ids = hm_xmalloc(n * sizeof *l->ids) };
  l->runs = threads > 1 && pthread_create(&l->thread, NULL, look, l) == 0;
  return l;
}

static void finish(hm_git_look *l) {
  if (l->runs) pthread_join(l->thread, NULL);
  else if (!l->done) look(l);
  l->runs = false;
  l->done = true;
}

int hm_git_look_wait(hm_git_look *l, const git_oid *ids) {
  if (!l) return 0;
  finish(l);
  if (l->rc == 0 && memcmp(l->ids, ids, l->n * sizeof *ids) == 0) return 0;
  git_error_set_str(GIT_ERROR_SHA, l->rc ? l->why : "two sums of the same bytes differ");
  return -1;
}

void hm_git_look_end(hm_git_look *l) {
  if (!l) return;
  if (l->runs) finish(l);
  free(l->ids);
  free(l);
}
