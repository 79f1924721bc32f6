/* A long object's zlib stream, piece by piece. */
#include <libdeflate.h>
#include <stdlib.h>
#include <zlib.h>

#include "gen/sink/git_impl.h"

enum { LONG = 512 << 10, PIECE_MIN = 16 << 10, CUT_BITS = 13, HASHED = 64 };
enum { LEVEL = 1, WINDOW_BITS = 15, MEM_LEVEL = 9, SLACK = 64 };

/* The hash of the last 64 bytes rolls: each shifts out what was 64 before. Bytes in which it never ends a piece, and such in which it
 * always does, are nothing but pieces of the greatest and the smallest length. */
static size_t cut(hm_str s) {
  if (s.n <= PIECE_MIN) return s.n;
  size_t end = s.n < HM_PIECE_MAX ? s.n : HM_PIECE_MAX;
  uint64_t h = 0;
  for (size_t i = PIECE_MIN - HASHED; i < end; i++) {
    h = (h << 1) + ((unsigned char)s.p[i] + 1u) * 0x9E3779B97F4A7C15u;
    if (i >= PIECE_MIN && h >> (64 - CUT_BITS) == 0) return i + 1;
  }
  return end;
}

/* What stands at the root is of the whole site, and changes with each publication. */
bool hm_git_is_long(const hm_file *f) {
  return f->bytes.n > LONG || (f->bytes.n > HM_PIECE_MAX && !memchr(f->path.p, '/', f->path.n));
}

hm_git_long *hm_git_long_new(hm_str bytes, hm_arena *a) {
  hm_git_long *l = hm_alloc(a, sizeof *l);
  *l = (hm_git_long){ .key = HM_EMPTY, .bytes = bytes, .pieces = hm_alloc_array(a, bytes.n / PIECE_MIN + 1, sizeof *l->pieces) };
  return l;
}

void hm_git_long_cut(hm_git_long *l, const hm_git_remembered *last) {
  for (size_t at = 0, k = 0; at < l->bytes.n; l->n++) {
    hm_str rest = hm_str_sub(l->bytes, at, l->bytes.n);
    hm_git_piece *p = &l->pieces[l->n];
    p->from = hm_git_remembered_find(last, rest, &k);
    p->bytes = hm_str_sub(rest, 0, p->from ? p->from->bytes.n : cut(rest));
    if (p->from) p->deflated = p->from->deflated;
    at += p->bytes.n;
  }
  l->sum = libdeflate_adler32(1, l->bytes.p, l->bytes.n);
}

struct hm_git_deflater { z_stream z; bool ready; };

hm_git_deflater *hm_git_deflater_new(void) {
  hm_git_deflater *d = hm_xmalloc(sizeof *d);
  *d = (hm_git_deflater){ 0 };
  return d;
}

void hm_git_deflater_free(hm_git_deflater *d) {
  if (d && d->ready) deflateEnd(&d->z);
  free(d);
}

int hm_git_piece_deflate(hm_git_deflater *d, hm_git_piece *p) {
  z_stream *z = &d->z;
  if (d->ready ? deflateReset(z) != Z_OK : deflateInit2(z, LEVEL, Z_DEFLATED, -WINDOW_BITS, MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) return -1;
  d->ready = true;
  size_t bound = deflateBound(z, p->bytes.n) + SLACK;
  if (!hm_buf_room(&p->made, bound)) return -1;
  z->next_in = (z_const Bytef *)(uintptr_t)p->bytes.p;
  z->avail_in = (uInt)p->bytes.n;
  z->next_out = (Bytef *)p->made.p;
  z->avail_out = (uInt)bound;
  if (deflate(z, Z_SYNC_FLUSH) != Z_OK || z->avail_in || !z->avail_out) return -1;
  p->made.n = bound - z->avail_out;
  p->deflated = hm_buf_view(&p->made);
  return 0;
}

/* The last block has nothing in it; then comes the checksum. */
hm_str *hm_git_long_stream(const hm_git_long *l, hm_arena *a) {
  hm_str *parts = hm_alloc_array(a, l->n + 2, sizeof *parts);
  uint32_t sum = l->sum;
  const unsigned char end[] = { 3, 0, (unsigned char)(sum >> 24), (unsigned char)(sum >> 16), (unsigned char)(sum >> 8), (unsigned char)sum };
  parts[0] = HM_STR("\x78\x01");
  for (size_t i = 0; i < l->n; i++) parts[i + 1] = l->pieces[i].deflated;
  parts[l->n + 1] = hm_str_dup(a, (hm_str){ (const char *)end, sizeof end });
  return parts;
}

void hm_git_long_free(hm_git_long *l) {
  for (size_t i = 0; l && i < l->n; i++) hm_buf_free(&l->pieces[i].made);
}
