/* Objects in the newest packs of ours, read by ourselves: libgit2 gives the bytes of an object, and never how it stands there. */
#include <fcntl.h>
#include <libdeflate.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

bool hm_git_map(int dir, const char *name, const char *suffix, hm_str *out) {
  char path[HM_PACK_NAME + 16];
  struct stat st;
  snprintf(path, sizeof path, "%s.%s", name, suffix);
  int fd = openat(dir, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  void *p = MAP_FAILED;
  if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (fd >= 0) close(fd);
  if (p == MAP_FAILED) return false;
  *out = (hm_str){ p, (size_t)st.st_size };
  return true;
}

void hm_git_unmap(hm_str s) {
  if (s.n) munmap((void *)(uintptr_t)s.p, s.n);
}

static bool map_pack(hm_git *g, hm_str line, hm_git_mapped *m) {
  char name[HM_PACK_NAME];
  int dir = openat(g->dir, "objects/pack", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  snprintf(name, sizeof name, "%.*s", HM_FMT(line));
  *m = (hm_git_mapped){ .pack = HM_EMPTY, .idx = HM_EMPTY };
  bool ok = dir >= 0 && hm_git_map(dir, name, "pack", &m->pack) && hm_git_map(dir, name, "idx", &m->idx);
  if (dir >= 0) close(dir);
  if (!ok) hm_git_unmap(m->pack);
  return ok;
}

/* The next older one that stands there. */
static hm_git_mapped *map_next(hm_git *g) {
  if (!g->own_listed) g->own_rest = hm_git_packs_list(g, g->a);
  g->own_listed = true;
  while (g->own_rest.n && g->own_seen < HM_GIT_OWN) {
    g->own_seen++;
    hm_str list = hm_str_sub(g->own_rest, 0, g->own_rest.n - 1);   /* without the end of its last line */
    const char *before = memrchr(list.p, '\n', list.n);
    size_t at = before ? (size_t)(before + 1 - list.p) : 0;
    hm_str line = hm_str_sub(list, at, list.n);
    g->own_rest = hm_str_sub(list, 0, at);
    if (hm_git_is_pack_name(line) && map_pack(g, line, &g->own[g->n_own])) return &g->own[g->n_own++];
  }
  return NULL;
}

/* Type and size as git_pack.c writes them, then the stream. */
bool hm_git_own_parse(hm_str s, hm_git_own *out) {
  size_t i = 0;
  unsigned char c;
  int shift = 4;
  if (!s.n) return false;
  c = (unsigned char)s.p[i++];
  *out = (hm_git_own){ .type = (git_object_t)(c >> 4 & 7), .size = c & 15 };
  for (; c & 0x80; shift += 7) {
    if (i == s.n || shift > 53) return false;
    c = (unsigned char)s.p[i++];
    out->size |= (uint64_t)(c & 0x7f) << shift;
  }
  out->stream = hm_str_sub(s, i, s.n);
  return out->type >= GIT_OBJECT_COMMIT && out->type <= GIT_OBJECT_TAG;
}

static bool find_in(const hm_git_mapped *m, const git_oid *id, hm_git_own *out) {
  uint64_t at, next;
  if (m->pack.n < 32 || !hm_git_idx_find(m->idx, id, &at, &next) || at < 12) return false;
  return hm_git_own_parse(hm_str_sub(m->pack, at, next < m->pack.n - 20 ? next : m->pack.n - 20), out);
}

bool hm_git_own_find(hm_git *g, const git_oid *id, hm_git_own *out) {
  for (size_t i = 0; i < g->n_own; i++)
    if (find_in(&g->own[i], id, out)) return true;
  for (const hm_git_mapped *m; (m = map_next(g));)
    if (find_in(m, id, out)) return true;
  return false;
}

static bool has_id(const git_oid *id, git_object_t type, hm_str bytes) {
  unsigned char sum[GIT_OID_RAWSZ];
  hm_git_object_sum(type, bytes, sum);
  return memcmp(sum, id->id, sizeof sum) == 0;
}

bool hm_git_own_read(hm_git *g, const git_oid *id, git_object_t type, size_t max, hm_arena *a, hm_str *bytes) {
  hm_git_own o;
  if (!hm_git_own_find(g, id, &o) || o.type != type || o.size > max) return false;
  struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
  char *p = hm_alloc(a, (size_t)o.size + 1);
  hm_str got = { p, (size_t)o.size };
  bool ok = d && libdeflate_zlib_decompress(d, o.stream.p, o.stream.n, p, got.n, NULL) == LIBDEFLATE_SUCCESS && has_id(id, type, got);
  libdeflate_free_decompressor(d);
  if (ok) *bytes = got;
  return ok;
}

void hm_git_own_close(hm_git *g) {
  for (size_t i = 0; i < g->n_own; i++) {
    hm_git_unmap(g->own[i].pack);
    hm_git_unmap(g->own[i].idx);
  }
  g->n_own = 0;
}
