/* A long object is deflated in pieces, so that many cores share it. Each knows the bytes before it and all but the last end at
 * a whole byte: one after the other they are one stream (RFC 1951). */
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "gen/sink/git_impl.h"

enum { PIECE = 256 << 10, LEVEL = 1, WINDOW_BITS = 15, WINDOW = 1 << WINDOW_BITS, MEM_LEVEL = 9, SLACK = 64 };

static int run(z_stream *z, hm_str whole, size_t from, size_t to, hm_buf *out) {
  size_t before = from < WINDOW ? from : WINDOW;
  bool last = to == whole.n;
  if (before && deflateSetDictionary(z, (const Bytef *)whole.p + from - before, (uInt)before) != Z_OK) return -1;
  size_t bound = deflateBound(z, to - from) + SLACK;
  if (!hm_buf_room(out, bound)) return -1;
  z->next_in = (z_const Bytef *)(uintptr_t)(whole.p + from);
  z->avail_in = (uInt)(to - from);
  z->next_out = (Bytef *)out->p + out->n;
  z->avail_out = (uInt)bound;
  if (deflate(z, last ? Z_FINISH : Z_SYNC_FLUSH) != (last ? Z_STREAM_END : Z_OK) || z->avail_in || !z->avail_out) return -1;
  out->n += bound - z->avail_out;
  return 0;
}

bool hm_git_is_long(hm_str bytes) { return bytes.n > 2 * PIECE; }

hm_git_long *hm_git_long_new(hm_str bytes, hm_arena *a) {
  hm_git_long *l = hm_alloc(a, sizeof *l);
  *l = (hm_git_long){ .bytes = bytes, .n = bytes.n ? (bytes.n - 1) / PIECE + 1 : 0 };
  l->pieces = hm_alloc_array(a, l->n, sizeof *l->pieces);
  return l;
}

int hm_git_long_piece(hm_git_long *l, size_t i) {
  z_stream z = { 0 };
  size_t from = i * PIECE, to = l->bytes.n - from > PIECE ? from + PIECE : l->bytes.n;
  if (deflateInit2(&z, LEVEL, Z_DEFLATED, -WINDOW_BITS, MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) return -1;
  int rc = run(&z, l->bytes, from, to, &l->pieces[i]);
  deflateEnd(&z);
  return rc;
}

int hm_git_long_join(const hm_git_long *l, hm_buf *out) {
  uint32_t sum = libdeflate_adler32(1, l->bytes.p, l->bytes.n);
  const unsigned char end[] = { (unsigned char)(sum >> 24), (unsigned char)(sum >> 16), (unsigned char)(sum >> 8), (unsigned char)sum };
  hm_buf_add(out, "\x78\x01", 2);
  for (size_t i = 0; i < l->n; i++) hm_buf_str(out, hm_buf_view(&l->pieces[i]));
  hm_buf_add(out, end, sizeof end);
  return out->failed ? -1 : 0;
}

void hm_git_long_free(hm_git_long *l) {
  for (size_t i = 0; l && i < l->n; i++) hm_buf_free(&l->pieces[i]);
}
