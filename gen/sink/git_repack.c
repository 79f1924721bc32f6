/* Merges the small packs that publications leave, when there are many of a size.
 *
 * "<gitdir>/hmirror.packs" names our packs. Packs of sizes between 8^k and 8^(k+1) are of one
 * class, so each object is copied once for each class, and there are never many more than MANY
 * packs of each. Touches no other packs; a kill at any moment loses nothing. Merging is optional:
 * on a failure the packs stay as they are. */
#include <fcntl.h>
#include <git2/odb_backend.h>
#include <git2/sys/odb_backend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

/* BYTES_MAX: of the packs to merge; their objects are in memory meanwhile. */
enum { MANY = 16, CLASS_BITS = 3, CLASSES = 12, LIST_MAX = 1 << 20, BYTES_MAX = 64 << 20 };

typedef struct {
  char name[HM_PACK_NAME];
  uint64_t size;
  bool taken;
} pack;

typedef struct {
  hm_git *g;
  hm_arena *a;
  int dir;
  pack *packs;
  size_t n;
  hm_git_objects objects;
} gathering;

/* --- which are ours ------------------------------------------------------------- */

static bool is_pack_name(hm_str s) {
  if (s.n != 5 + GIT_OID_HEXSZ || !hm_str_starts(s, "pack-"))
    return false;
  for (size_t i = 5; i < s.n; i++)
    if (!memchr("0123456789abcdef", s.p[i], 16))
      return false;
  return true;
}

static bool has_file(const gathering *w, const char *name, const char *suffix, struct stat *st) {
  char path[HM_PACK_NAME + 16];
  snprintf(path, sizeof path, "%s.%s", name, suffix);
  return fstatat(w->dir, path, st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void remove_files(const gathering *w, const char *name) {
  static const char *const suffixes[] = { "idx", "rev",
                                          "pack" }; /* without the index it is no pack any more */
  for (size_t i = 0; i < 3; i++) {
    char path[HM_PACK_NAME + 16];
    snprintf(path, sizeof path, "%s.%s", name, suffixes[i]);
    unlinkat(w->dir, path, 0);
  }
}

/* True when the pack has a file that tells git or the user to keep it. */
static bool is_claimed(const gathering *w, const char *name) {
  static const char *const suffixes[] = { "keep", "bitmap", "promisor", "mtimes" };
  struct stat st;
  for (size_t i = 0; i < 4; i++)
    if (has_file(w, name, suffixes[i], &st))
      return true;
  return false;
}

static void read_list(gathering *w) {
  hm_str list;
  hm_map seen; /* a repeated publication has the same pack as the killed one */
  hm_map_init(&seen, w->a, 64);
  if (hm_fs_read_at(w->g->dir, HM_GIT_PACK_LIST, LIST_MAX, w->a, &list) != 0)
    return;
  w->packs = hm_alloc_array(w->a, list.n / (6 + GIT_OID_HEXSZ) + 1, sizeof *w->packs);
  while (list.n) {
    const char *end = memchr(list.p, '\n', list.n);
    hm_str line = hm_str_sub(list, 0, end ? (size_t)(end - list.p) : list.n);
    list = hm_str_sub(list, line.n + 1, list.n);
    struct stat st;
    pack *p = &w->packs[w->n];
    if (!is_pack_name(line) || hm_map_get(&seen, line) != HM_MAP_NONE)
      continue;
    hm_map_set(&seen, line, 0);
    snprintf(p->name, sizeof p->name, "%.*s", HM_FMT(line));
    bool whole = has_file(w, p->name, "idx", &st);
    if (!has_file(w, p->name, "pack", &st))
      continue;
    p->size = (uint64_t)st.st_size;
    if (!whole)
      remove_files(w, p->name); /* a kill came between the two */
    else if (!is_claimed(w, p->name))
      w->n++;
  }
}

static void write_list(const gathering *w, const char *gathered) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < w->n; i++)
    if (!w->packs[i].taken)
      hm_buf_fmt(&b, "%s\n", w->packs[i].name);
  hm_buf_fmt(&b, "%s\n", gathered);
  int fd = openat(w->g->dir, HM_GIT_PACK_LIST ".new",
                  O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  bool ok = fd >= 0 && hm_fs_write(fd, hm_buf_view(&b)) == 0;
  if (fd >= 0)
    close(fd);
  if (!ok || renameat(w->g->dir, HM_GIT_PACK_LIST ".new", w->g->dir, HM_GIT_PACK_LIST) != 0)
    unlinkat(w->g->dir, HM_GIT_PACK_LIST ".new", 0);
  hm_buf_free(&b);
}

/* --- which are many --------------------------------------------------------------- */

static int class_of(uint64_t size) {
  int c = 0;
  while (size >>= CLASS_BITS)
    c++;
  return c < CLASSES ? c : CLASSES - 1;
}

/* All packs up to the first class with many packs. */
static bool choose_packs(gathering *w) {
  size_t count[CLASSES] = { 0 };
  uint64_t bytes = 0;
  int many = 0;
  for (size_t i = 0; i < w->n; i++)
    count[class_of(w->packs[i].size)]++;
  while (many < CLASSES && count[many] < MANY)
    many++;
  if (many == CLASSES)
    return false;
  for (size_t i = 0, n = 0; i < w->n && n < MANY * CLASSES; i++) {
    pack *p = &w->packs[i];
    if (class_of(p->size) > many || bytes + p->size > BYTES_MAX)
      continue;
    p->taken = true;
    bytes += p->size;
    n++;
  }
  return true;
}

/* --- what is in them -------------------------------------------------------------- */

typedef struct {
  git_oid *v;
  size_t n, cap;
} ids;

static int add_id(const git_oid *id, void *list) {
  ids *l = list;
  l->v = hm_array_grow(l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = *id;
  return 0;
}

/* Reads all objects of the pack with libgit2, which compares each with its id. Returns false, and
 * takes none, when it is damaged, or an object needs one of another pack. */
static bool read_pack(gathering *w, const pack *p) {
  git_odb_backend *backend = NULL;
  git_odb *odb = NULL;
  git_odb_object *o;
  ids l = { 0 };
  hm_git_object *read = NULL;
  const char *path = hm_str_fmt(w->a, "%sobjects/pack/%s.idx", w->g->common, p->name).p;
  bool ok = git_odb_new(&odb) == 0 && git_odb_backend_one_pack(&backend, path) == 0;
  if (ok && git_odb_add_backend(odb, backend, 1) != 0)
    ok = false, backend->free(backend);
  ok = ok && git_odb_foreach(odb, add_id, &l) == 0;
  if (ok)
    read = hm_xmalloc((l.n + 1) * sizeof *read);
  for (size_t i = 0; ok && i < l.n; i++) {
    ok = git_odb_read(&o, odb, &l.v[i]) == 0;
    if (!ok)
      break;
    hm_str bytes = { git_odb_object_data(o), git_odb_object_size(o) };
    read[i] = (hm_git_object){ .id = l.v[i],
                               .type = git_odb_object_type(o),
                               .bytes = hm_str_dup(w->a, bytes) };
    git_odb_object_free(o);
  }
  for (size_t i = 0; ok && i < l.n; i++)
    hm_git_objects_add(&w->objects, w->a, read[i]);
  git_odb_free(odb);
  free(read);
  free(l.v);
  return ok;
}

/* Removes the old packs once the new one is synced. */
static void gather_packs(gathering *w) {
  char name[HM_PACK_NAME];
  hm_err ignored;
  size_t n = 0;
  hm_git_objects_init(&w->objects, 64, w->a);
  for (size_t i = 0; i < w->n; i++)
    n += w->packs[i].taken = w->packs[i].taken && read_pack(w, &w->packs[i]);
  if (n < 2 || hm_git_write_pack(w->g, &w->objects, name, &ignored) != 0)
    return;
  for (size_t i = 0; i < w->n; i++)
    if (w->packs[i].taken && strcmp(w->packs[i].name, name) != 0)
      remove_files(w, w->packs[i].name);
  write_list(w, name);
}

void hm_git_repack(hm_git *g) {
  gathering w = { .g = g, .a = hm_arena_new(), .dir = hm_git_open_pack_folder(g) };
  if (w.dir >= 0)
    read_list(&w);
  if (w.n >= MANY && choose_packs(&w))
    gather_packs(&w);
  if (w.dir >= 0)
    close(w.dir);
  hm_git_objects_free(&w.objects);
  hm_arena_free(w.a);
}
