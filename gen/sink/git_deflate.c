/* A long object is deflated in pieces, so that many cores share it. Each knows the bytes before it and all but the last end at
 * a whole byte: one after the other they are one stream (RFC 1951). */
#include <libdeflate.h>
#include <string.h>
#include <zlib.h>

#include "gen/sink/git_impl.h"

enum { LEVEL = 1, WINDOW_BITS = 15, WINDOW = 1 << WINDOW_BITS, MEM_LEVEL = 9, SLACK = 64 };

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

int hm_git_deflate_piece(hm_str whole, size_t from, size_t to, hm_buf *out) {
  z_stream z = { 0 };
  if (deflateInit2(&z, LEVEL, Z_DEFLATED, -WINDOW_BITS, MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) return -1;
  int rc = run(&z, whole, from, to, out);
  deflateEnd(&z);
  return rc;
}

void hm_git_zlib_begin(hm_buf *out) { hm_buf_add(out, "\x78\x01", 2); }

void hm_git_zlib_end(hm_str whole, hm_buf *out) {
  uint32_t sum = libdeflate_adler32(1, whole.p, whole.n);
  const unsigned char bytes[] = { (unsigned char)(sum >> 24), (unsigned char)(sum >> 16), (unsigned char)(sum >> 8), (unsigned char)sum };
  hm_buf_add(out, bytes, sizeof bytes);
}
