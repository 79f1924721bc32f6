/* Polls for changes: compares a hash of each file's stat result, and the store's data version,
 * which SQLite changes with every commit of any program, also in WAL mode and in a foreign store. A
 * change is complete when two polls agree and no file time is within the resolution of the file
 * system's clock. Cost of a poll: a stat for each file, a read transaction of the store. */
#include "gen/mirror/watch.h"
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { ENTRIES_MAX = 50000, DEEPEST = 16, FRESH_MS = 30 };

typedef struct {
  char *path;
  uint64_t taken, seen;
  bool is_store;
} watched;

struct hm_watcher {
  watched *v;
  size_t n;
  const hm_store_source *source;
  hm_store *store; /* NULL: cannot be opened now */
  ino_t file;
  dev_t device;
  uint64_t opened; /* how often it was: data versions are of one connection */
};

hm_watcher *hm_watcher_new(void) {
  return memset(hm_xmalloc(sizeof(hm_watcher)), 0, sizeof(hm_watcher));
}

void hm_watcher_free(hm_watcher *in) {
  if (!in)
    return;
  for (size_t i = 0; i < in->n; i++)
    free(in->v[i].path);
  free(in->v);
  hm_store_close(in->store);
  free(in);
}

/* --- files ------------------------------------------------------------------ */

/* Times have the grain of the kernel's tick: what changed within one may change again and look the
 * same. */
static bool is_fresh(const struct timespec *changed) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int64_t ms =
      ((int64_t)now.tv_sec - changed->tv_sec) * 1000 + (now.tv_nsec - changed->tv_nsec) / 1000000;
  return ms >= 0 && ms < FRESH_MS;
}

static uint64_t stat_hash(const struct stat *st) {
  const int64_t says[] = { st->st_mtim.tv_sec,  st->st_mtim.tv_nsec,  st->st_ctim.tv_sec,
                           st->st_ctim.tv_nsec, (int64_t)st->st_size, (int64_t)st->st_ino,
                           (int64_t)st->st_dev, (int64_t)st->st_mode };
  return hm_str_hash((hm_str){ (const char *)says, sizeof says });
}

static uint64_t entry_hash(const FTSENT *e, bool *fresh) {
  uint64_t name = hm_str_hash(hm_str_c(e->fts_path));
  if (e->fts_info == FTS_NS || e->fts_info == FTS_ERR || e->fts_info == FTS_DNR)
    return hm_hash_mix(name, (uint64_t)e->fts_errno);
  *fresh |= is_fresh(&e->fts_statp->st_ctim);
  return hm_hash_mix(name, stat_hash(e->fts_statp));
}

/* The order in which a folder lists its entries says nothing, so their hashes are added up. */
static uint64_t path_hash(const char *path, bool *fresh) {
  char *roots[] = { (char *)(uintptr_t)path, NULL };
  FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
  uint64_t sum = 0;
  size_t n = 0;
  if (!tree)
    return (uint64_t)errno;
  for (FTSENT *e; n < ENTRIES_MAX && (e = fts_read(tree)); n++) {
    if (e->fts_info == FTS_DP)
      continue;
    if (e->fts_info == FTS_D && e->fts_level >= DEEPEST)
      fts_set(tree, e, FTS_SKIP);
    sum += entry_hash(e, fresh);
  }
  fts_close(tree);
  return sum;
}

/* --- the store --------------------------------------------------------------- */

static int read_version(hm_store *s, uint64_t *out, hm_err *err) {
  if (hm_store_begin(s, false, err))
    return -1;
  int rc = hm_store_data_version(s, out, err);
  hm_store_rollback(s);
  return rc;
}

static int open_store(hm_watcher *in, const char *path, hm_err *err) {
  struct stat st = { 0 };
  hm_store_close(in->store);
  in->store = NULL;
  stat(path, &st);
  if (hm_store_open_source(&in->store, in->source, HM_STORE_READ, 0, err))
    return -1;
  in->file = st.st_ino;
  in->device = st.st_dev;
  in->opened++;
  return 0;
}

/* While it cannot be opened its file is looked at; a lock that is held for a moment is no change. A
 * copy that is put over the file may have its data version, but not its time. */
static uint64_t store_hash(hm_watcher *in, const watched *x, bool *fresh) {
  uint64_t version = 0;
  hm_err err = { 0 };
  struct stat st = { 0 };
  /* Another file may take the store's place. */
  bool same = in->store && !stat(x->path, &st) && st.st_ino == in->file && st.st_dev == in->device;
  int rc = same ? 0 : open_store(in, x->path, &err);
  if (!rc)
    rc = read_version(in->store, &version, &err);
  if (!rc && !stat(x->path, &st))
    return hm_hash_mix(hm_hash_mix(in->opened, version), stat_hash(&st));
  return err.code == HM_E_BUSY && x->seen ? x->seen : path_hash(x->path, fresh);
}

/* --- all ----------------------------------------------------------------------- */

static uint64_t current_hash(hm_watcher *in, const watched *x, bool *fresh) {
  return x->is_store ? store_hash(in, x, fresh) : path_hash(x->path, fresh);
}

static void add_watched(hm_watcher *in, const char *path, bool is_store) {
  bool fresh = false;
  for (size_t i = 0; i < in->n; i++)
    if (strcmp(in->v[i].path, path) == 0)
      return;
  in->v = hm_xrealloc(in->v, (in->n + 1) * sizeof *in->v);
  size_t n = strlen(path) + 1;
  watched x = { .path = memcpy(hm_xmalloc(n), path, n), .is_store = is_store };
  x.taken = x.seen = current_hash(in, &x, &fresh);
  in->v[in->n++] = x;
}

void hm_watcher_add_store(hm_watcher *in, const hm_store_source *src) {
  in->source = src;
  add_watched(in, src->path, true);
}

void hm_watcher_add_path(hm_watcher *in, const char *path) { add_watched(in, path, false); }

hm_watch_state hm_watcher_poll(hm_watcher *in) {
  bool changed = false, moving = false, fresh = false;
  for (size_t i = 0; i < in->n; i++) {
    watched *x = &in->v[i];
    uint64_t is = current_hash(in, x, &fresh);
    moving |= is != x->seen;
    changed |= is != x->taken;
    x->seen = is;
  }
  if (!changed)
    return HM_WATCH_STILL;
  return moving || fresh ? HM_WATCH_MOVING : HM_WATCH_CHANGED;
}

void hm_watcher_accept(hm_watcher *in) {
  for (size_t i = 0; i < in->n; i++)
    in->v[i].taken = in->v[i].seen;
}
