#include "gen/cli/cache_keep.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct hm_cache_keep {
  char *first, *path;
  hm_buf bytes, before;      /* before: of the last time, which somebody may be looking at */
  int (*write)(const char *path, hm_str bytes);
  pthread_t writer;
  bool runs;
  atomic_bool written;       /* the last writing ended; then: */
  int failed;                /* with this errno, or 0 */
  struct stat is;            /* the file, when it was there */
};

hm_cache_keep *hm_cache_keep_new(void) { return memset(hm_xmalloc(sizeof(hm_cache_keep)), 0, sizeof(hm_cache_keep)); }

static void wait_for_writer(hm_cache_keep *k) {
  if (k->runs) pthread_join(k->writer, NULL);
  k->runs = false;
}

void hm_cache_keep_free(hm_cache_keep *k) {
  if (!k) return;
  wait_for_writer(k);
  free(k->first);
  free(k->path);
  hm_buf_free(&k->bytes);
  hm_buf_free(&k->before);
  free(k);
}

/* It is the file that was written, or that is being written. */
static bool stands(const hm_cache_keep *k) {
  struct stat st;
  if (!atomic_load(&k->written)) return true;
  return !k->failed && stat(k->path, &st) == 0 && st.st_ino == k->is.st_ino && st.st_size == k->is.st_size &&
         st.st_mtim.tv_sec == k->is.st_mtim.tv_sec && st.st_mtim.tv_nsec == k->is.st_mtim.tv_nsec;
}

hm_str hm_cache_keep_bytes(hm_cache_keep *k, const char *first) {
  return k->first && strcmp(k->first, first) == 0 && stands(k) ? hm_buf_view(&k->bytes) : HM_EMPTY;
}

hm_buf hm_cache_keep_spare(hm_cache_keep *k) {
  hm_buf b = k->before;
  k->before = (hm_buf){ 0 };
  hm_buf_clear(&b);
  return b;
}

static void *write_file(void *ctx) {
  hm_cache_keep *k = ctx;
  k->failed = k->write(k->path, hm_buf_view(&k->bytes)) == 0 && stat(k->path, &k->is) == 0 ? 0 : errno;
  atomic_store(&k->written, true);
  return NULL;
}

static char *copy(const char *s) {
  size_t n = strlen(s) + 1;
  return memcpy(hm_xmalloc(n), s, n);
}

int hm_cache_keep_write(hm_cache_keep *k, const char *first, const char *path, hm_buf *bytes, int (*write)(const char *path, hm_str bytes)) {
  wait_for_writer(k);
  int failed = k->failed;
  hm_buf_free(&k->before);
  free(k->first);
  free(k->path);
  k->before = k->bytes;
  k->bytes = *bytes;
  *bytes = (hm_buf){ 0 };
  k->first = copy(first);
  k->path = copy(path);
  k->write = write;
  atomic_store(&k->written, false);
  k->runs = pthread_create(&k->writer, NULL, write_file, k) == 0;
  if (!k->runs) write_file(k);
  return failed;
}
