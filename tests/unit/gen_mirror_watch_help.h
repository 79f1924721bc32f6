/* What the tests of the watcher and of the preview share: a folder with a file and a store. */
#ifndef GEN_MIRROR_WATCH_HELP_H
#define GEN_MIRROR_WATCH_HELP_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/store/store.h"

typedef struct { char dir[64], file[96], store[96]; } watched_folder;

static inline void rest(int ms) {
  nanosleep(&(struct timespec){ ms / 1000, (ms % 1000) * 1000000L }, NULL);
}

static inline void put(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

/* Makes the folder, with `a.mustache` and a store `s.db`. 0, or -1. */
static inline int watched_folder_make(watched_folder *f, hm_err *err) {
  strcpy(f->dir, "/tmp/hm-watch-XXXXXX");
  if (!mkdtemp(f->dir)) return -1;
  snprintf(f->file, sizeof f->file, "%s/a.mustache", f->dir);
  snprintf(f->store, sizeof f->store, "%s/s.db", f->dir);
  hm_store *s;
  if (hm_store_open(&s, f->store, HM_STORE_CREATE, 1000, err)) return -1;
  hm_store_close(s);
  put(f->file, "one");
  rest(60);
  return 0;
}

/* Removes it with all files that tests put there; -1 where another is left. */
static inline int watched_folder_remove(const watched_folder *f) {
  char path[128];
  const char *names[] = { "a.mustache", "s.db",    "s.db.lock",     "sub/b",
                          "sub/c",      "other.db", "other.db.lock", "new.db", "new.db.lock" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", f->dir, names[i]);
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/sub", f->dir);
  rmdir(path);
  return rmdir(f->dir);
}

#endif
