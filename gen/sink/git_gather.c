/* Small packs of ours, many of them, into one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>

#include "core/base/par.h"
#include "gen/sink/git_impl.h"

/* Packs of sizes between 8^k and 8^(k+1) are of one class; so each object is copied once for each
 * class, and there are never many more than MANY packs of each. */
enum { MANY = 16, CLASS_BITS = 3, CLASSES = 12 };
#define LIST_MAX ((size_t)1 << 20)
#define GATHERED_MAX ((uint64_t)1 << 31)
static const char list_name[] = "hmirror.packs";

typedef struct {
  char name[HM_PACK_NAME];
  uint64_t size;
  bool taken;
  hm_str bytes, idx;           /* mapped */
  unsigned char sum[20];       /* of bytes, but for the sum at their end */
} pack;

/* An object as it stands in a pack. */
typedef struct { hm_idx_entry e; hm_str raw; } raw_object;

typedef struct {
  hm_git *g;
  hm_arena *a;
  int dir;
  pack *packs; size_t n;
  raw_object *objects; size_t n_objects, cap;
  hm_map seen;
} gathering;

/* --- which are ours ------------------------------------------------------------- */

void hm_git_packs_add(hm_git *g, const char *name) {
  char line[HM_PACK_NAME + 1];
  int n = snprintf(line, sizeof line, "%s\n", name);
  int fd = openat(g->dir, list_name,
                  O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  if (fd < 0) return;                  /* it is never gathered, then */
  hm_fs_write(fd, (hm_str){ line, (size_t)n });
  close(fd);
}

static bool is_pack_name(hm_str s) {
  if (s.n != 5 + GIT_OID_HEXSZ || !hm_str_starts(s, "pack-")) return false;
  for (size_t i = 5; i < s.n; i++)
    if (!memchr("0123456789abcdef", s.p[i], 16)) return false;
  return true;
}

static bool has(const gathering *w, const char *name, const char *suffix, struct stat *st) {
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

/* Whoever gave a pack one of these has plans for it. */
static bool is_claimed(const gathering *w, const char *name) {
  static const char *const suffixes[] = { "keep", "bitmap", "promisor", "mtimes" };
  struct stat st;
  for (size_t i = 0; i < 4; i++)
    if (has(w, name, suffixes[i], &st)) return true;
  return false;
}

static hm_str packs_list(hm_git *g, hm_arena *a) {
  hm_str list;
  return hm_fs_read_at(g->dir, list_name, LIST_MAX, a, &list) == 0 ? list : HM_EMPTY;
}

static void read_list(gathering *w) {
  hm_str list = packs_list(w->g, w->a);
  hm_map seen;     /* a publication that is made anew has the pack of the killed one */
  hm_map_init(&seen, w->a, 64);
  w->packs = hm_alloc_array(w->a, list.n / (6 + GIT_OID_HEXSZ) + 1, sizeof *w->packs);
  while (list.n) {
    const char *end = memchr(list.p, '\n', list.n);
    hm_str line = hm_str_sub(list, 0, end ? (size_t)(end - list.p) : list.n);
    list = hm_str_sub(list, line.n + 1, list.n);
    struct stat st;
    pack *p = &w->packs[w->n];
    if (!is_pack_name(line) || hm_map_get(&seen, line) != HM_MAP_NONE) continue;
    hm_map_set(&seen, line, 0);
    snprintf(p->name, sizeof p->name, "%.*s", HM_FMT(line));
    bool whole = has(w, p->name, "idx", &st);
    if (!has(w, p->name, "pack", &st)) continue;
    p->size = (uint64_t)st.st_size;
    if (!whole) remove_files(w, p->name);   /* a kill came between the two */
    else if (!is_claimed(w, p->name)) w->n++;
  }
}

static void write_list(const gathering *w, const char *gathered) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < w->n; i++)
    if (!w->packs[i].taken) hm_buf_fmt(&b, "%s\n", w->packs[i].name);
  hm_buf_fmt(&b, "%s\n", gathered);
  int fd = openat(w->g->dir, "hmirror.packs.new",
                  O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  bool ok = fd >= 0 && hm_fs_write(fd, hm_buf_view(&b)) == 0;
  if (fd >= 0) close(fd);
  if (!ok || renameat(w->g->dir, "hmirror.packs.new", w->g->dir, list_name) != 0)
    unlinkat(w->g->dir, "hmirror.packs.new", 0);
  hm_buf_free(&b);
}

/* --- which are many --------------------------------------------------------------- */

static int class_of(uint64_t size) {
  int c = 0;
  while (size >>= CLASS_BITS) c++;
  return c < CLASSES ? c : CLASSES - 1;
}

/* All up to the first class of which there are many. */
static bool choose(gathering *w) {
  size_t count[CLASSES] = { 0 };
  uint64_t bytes = 0;
  int many = 0;
  for (size_t i = 0; i < w->n; i++) count[class_of(w->packs[i].size)]++;
  while (many < CLASSES && count[many] < MANY) many++;
  if (many == CLASSES) return false;
  for (size_t i = 0, n = 0; i < w->n && n < MANY * CLASSES; i++) {
    pack *p = &w->packs[i];
    if (class_of(p->size) > many || bytes + p->size > GATHERED_MAX) continue;
    p->taken = true;
    bytes += p->size;
    n++;
  }
  return true;
}

/* --- what is in them -------------------------------------------------------------- */

static bool map_file(int dir, const char *name, const char *suffix, hm_str *out) {
  char path[HM_PACK_NAME + 16];
  struct stat st;
  snprintf(path, sizeof path, "%s.%s", name, suffix);
  int fd = openat(dir, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  void *p = MAP_FAILED;
  if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
    p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (fd >= 0) close(fd);
  if (p == MAP_FAILED) return false;
  *out = (hm_str){ p, (size_t)st.st_size };
  return true;
}

static void unmap_file(hm_str s) {
  if (s.n) munmap((void *)(uintptr_t)s.p, s.n);
}

/* Maps it and sums it up, which takes longest. */
static int open_pack(void *ctx, size_t i, int worker) {
  const gathering *w = ctx;
  pack *p = &w->packs[i];
  hm_sha1 h;
  (void)worker;
  if (!p->taken || !map_file(w->dir, p->name, "pack", &p->bytes) ||
      !map_file(w->dir, p->name, "idx", &p->idx))
    return 0;
  hm_sha1_init(&h);
  hm_sha1_add(&h, hm_str_sub(p->bytes, 0, p->bytes.n < 20 ? 0 : p->bytes.n - 20));
  hm_sha1_end(&h, p->sum);
  return 0;
}

static int by_offset(const void *x, const void *y) {
  const hm_idx_entry *a = x, *b = y;
  return (a->offset > b->offset) - (a->offset < b->offset);
}

static int compare_ids(const void *x, const void *y) {
  const hm_idx_entry *a = x, *b = y;
  return git_oid_cmp(&a->id, &b->id);
}

static void add_object(gathering *w, const hm_idx_entry *e, hm_str raw) {
  hm_str key = hm_str_dup(w->a, (hm_str){ (const char *)e->id.id, GIT_OID_RAWSZ });
  if (hm_map_add(&w->seen, key, (uint32_t)w->n_objects) != w->n_objects) return;
  if (w->n_objects == w->cap) {
    w->cap = w->cap ? 2 * w->cap : 1024;
    w->objects = hm_xrealloc(w->objects, w->cap * sizeof *w->objects);
  }
  w->objects[w->n_objects++] = (raw_object){ *e, raw };
}

/* An object that is whole, or a delta to one of the same pack by its id: earlier versions made
 * these. */
static bool is_ours(hm_str raw, const hm_idx_entry *by_id, size_t n) {
  hm_idx_entry base;
  int type = (unsigned char)raw.p[0] >> 4 & 7;
  if (type >= GIT_OBJECT_COMMIT && type <= GIT_OBJECT_TAG) return true;
  size_t head = 1;
  while (head < raw.n && (raw.p[head - 1] & 0x80)) head++;
  if (type != GIT_OBJECT_REF_DELTA || raw.n - head < GIT_OID_RAWSZ) return false;
  memcpy(base.id.id, raw.p + head, GIT_OID_RAWSZ);
  return bsearch(&base, by_id, n, sizeof base, compare_ids) != NULL;
}

/* Whole, as we wrote it: a damaged one, or one of another make, is left alone. */
static bool read_pack(gathering *w, const pack *p) {
  hm_str bytes = p->bytes;
  hm_idx_entry *by_id, *e;
  size_t n;
  if (bytes.n < 32 || !p->idx.n || memcmp(p->sum, bytes.p + bytes.n - 20, 20) != 0) return false;
  if (!hm_git_idx_read(p->idx, p->sum, w->a, &by_id, &n)) return false;
  e = hm_alloc_array(w->a, n, sizeof *e);
  if (n) memcpy(e, by_id, n * sizeof *e);
  if (n) qsort(e, n, sizeof *e, by_offset);
  for (size_t i = 0; i < n; i++) {
    uint64_t end = i + 1 < n ? e[i + 1].offset : bytes.n - 20;
    if (e[i].offset < 12 || e[i].offset >= end || end > bytes.n - 20) return false;
    if (!is_ours(hm_str_sub(bytes, e[i].offset, end), by_id, n)) return false;
  }
  for (size_t i = 0; i < n; i++)
    add_object(w, &e[i],
               hm_str_sub(bytes, e[i].offset, i + 1 < n ? e[i + 1].offset : bytes.n - 20));
  return true;
}

static int write_objects(gathering *w, hm_git_pack_file *f) {
  hm_git_packed *p = hm_alloc_array(w->a, w->n_objects, sizeof *p);
  for (size_t i = 0; i < w->n_objects; i++)
    p[i] = (hm_git_packed){ w->objects[i].e.id, w->objects[i].e.crc, &w->objects[i].raw, 1 };
  if (hm_git_pack_write(f, w->dir, p, w->n_objects, w->g->opt->durable, w->g->opt->threads) != 0)
    return -1;
  hm_git_packs_add(w->g, f->name);
  return hm_git_pack_place(f);
}

/* The newest first. An object that stands in several is taken from there, and with it, since a pack
 * is read whole, what it is a delta to: so none is ever one to itself. The old ones go when the new
 * one stands, on the disk. */
static void gather(gathering *w) {
  hm_git_pack_file f;
  size_t n = 0;
  hm_par_for(w->n, w->g->opt->threads, open_pack, w, NULL);
  for (size_t i = w->n; i-- > 0;)
    n += w->packs[i].taken = w->packs[i].taken && read_pack(w, &w->packs[i]);
  if (n < 2) return;
  int rc = write_objects(w, &f);
  hm_git_pack_close(&f, rc == 0);
  if (rc != 0) return;
  for (size_t i = 0; i < w->n; i++)
    if (w->packs[i].taken && strcmp(w->packs[i].name, f.name) != 0)
      remove_files(w, w->packs[i].name);
  write_list(w, f.name);
}

void hm_git_packs_gather(hm_git *g) {
  gathering w = { .g = g, .a = hm_arena_new(), .dir = hm_git_pack_dir(g) };
  hm_map_init(&w.seen, w.a, 1024);
  if (w.dir >= 0) read_list(&w);
  if (w.n >= MANY && choose(&w)) gather(&w);
  for (size_t i = 0; i < w.n; i++) {
    unmap_file(w.packs[i].bytes);
    unmap_file(w.packs[i].idx);
  }
  if (w.dir >= 0) close(w.dir);
  free(w.objects);
  hm_arena_free(w.a);
}
