/* A piece of a long object's stream, and the proof that it is one. */
#include <libdeflate.h>
#include <stdlib.h>

#include "gen/sink/git_impl.h"

enum { MARK = 4, STORED = 5, PROBE = 8, IN_MAX = HM_PIECE_MAX + HM_PIECE_MAX / 64 };

struct hm_git_inflater {
  struct libdeflate_decompressor *d;
  unsigned char probe[STORED + PROBE];   /* the head of a last block, and its bytes */
  char in[IN_MAX + STORED + PROBE], out[HM_PIECE_MAX + PROBE];
};

/* The probe is a stored block with bytes that nobody could foresee: when they come out behind the piece's own, the piece ended, at a
 * whole byte, before it, and its blocks are such that another may follow. */
hm_git_inflater *hm_git_inflater_new(void) {
  hm_git_inflater *f = hm_xmalloc(sizeof *f);
  uint64_t random = hm_random_seed();
  const unsigned char head[STORED] = { 1, PROBE, 0, (unsigned char)~PROBE, 0xff };
  memcpy(f->probe, head, sizeof head);
  memcpy(f->probe + sizeof head, &random, PROBE);
  f->d = libdeflate_alloc_decompressor();
  return f;
}

bool hm_git_inflate(hm_git_inflater *f, hm_str piece, hm_str *bytes) {
  size_t n_in = piece.n + sizeof f->probe, used, n;
  if (!f->d || piece.n > IN_MAX) return false;
  memcpy(f->in, piece.p, piece.n);
  memcpy(f->in + piece.n, f->probe, sizeof f->probe);
  if (libdeflate_deflate_decompress_ex(f->d, f->in, n_in, f->out, sizeof f->out, &used, &n) != LIBDEFLATE_SUCCESS) return false;
  if (used != n_in || n < PROBE || memcmp(f->out + n - PROBE, f->probe + STORED, PROBE) != 0) return false;
  *bytes = (hm_str){ f->out, n - PROBE };
  return true;
}

void hm_git_inflater_free(hm_git_inflater *f) {
  if (f) libdeflate_free_decompressor(f->d);
  free(f);
}

bool hm_git_next_piece(hm_str *rest, hm_str *piece) {
  const char *mark = memmem(rest->p, rest->n, "\0\0\377\377", MARK);
  if (!mark) return false;
  *piece = hm_str_sub(*rest, 0, (size_t)(mark + MARK - rest->p));
  *rest = hm_str_sub(*rest, piece->n, rest->n);
  return true;
}
