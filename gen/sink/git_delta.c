/* Versions of a long file that stand in one pack: all but the newest as what differs from it. Their streams' pieces (git_deflate.c) tell
 * what is the same, so hardly any is inflated. */
#include <libdeflate.h>
#include <stdlib.h>
#include <zlib.h>

#include "gen/sink/git_impl.h"

enum { BASES = 4, SIZE_MAX_MB = 64, COPY_MAX = 0x10000, INSERT_MAX = 127, LEVEL = 6, TAIL = 6 };

typedef struct { hm_str *p; size_t n, cap; uint32_t sum; } pieces;   /* sum: of all the bytes, as the stream says */

typedef struct {
  const git_oid *id;
  hm_buf bytes;            /* all of it */
  hm_map at;               /* a deflated piece: which one it is */
  size_t *ends;            /* of the pieces in bytes */
  uLong *sums;             /* and the checksum of each */
} base;

typedef struct {
  hm_arena *a;
  hm_git_inflater *f;
  struct libdeflate_compressor *z;
  base bases[BASES]; size_t n_bases;
  pieces now;              /* of the one that is looked at */
  hm_buf delta, fresh;     /* fresh: bytes of it that are not in the base, so far */
  size_t given, copy_from, copy_n;   /* bytes that delta makes; the copy that it does not have yet */
} work;

/* Such a stream and nothing else: pieces that follow each other from the beginning, each of which is proved when it is looked at. */
static bool split(pieces *l, hm_str stream) {
  hm_str piece;
  l->n = 0;
  if (!hm_str_starts(stream, "\x78\x01")) return false;
  stream = hm_str_sub(stream, 2, stream.n);
  while (hm_git_next_piece(&stream, &piece)) {
    if (l->n == l->cap) l->p = hm_xrealloc(l->p, (l->cap = l->cap ? 2 * l->cap : 256) * sizeof *l->p);
    l->p[l->n++] = piece;
  }
  const unsigned char *end = (const unsigned char *)stream.p;
  if (stream.n != TAIL || end[0] != 3 || end[1] != 0) return false;
  l->sum = (uint32_t)end[2] << 24 | (uint32_t)end[3] << 16 | (uint32_t)end[4] << 8 | end[5];
  return true;
}

static uLong sum_of(hm_str s) { return libdeflate_adler32(1, s.p, s.n); }

static void add_base(work *w, const git_oid *id, uint64_t size) {
  base *b = &w->bases[w->n_bases];
  hm_str bytes;
  *b = (base){ .id = id, .ends = hm_alloc_array(w->a, w->now.n, sizeof *b->ends), .sums = hm_alloc_array(w->a, w->now.n, sizeof *b->sums) };
  hm_map_init(&b->at, w->a, w->now.n);
  for (size_t i = 0; i < w->now.n && hm_git_inflate(w->f, w->now.p[i], &bytes); i++) {
    hm_buf_str(&b->bytes, bytes);
    b->ends[i] = b->bytes.n;
    b->sums[i] = sum_of(bytes);
    hm_map_add(&b->at, w->now.p[i], (uint32_t)i);
    if (i + 1 == w->now.n && b->bytes.n == size && sum_of(hm_buf_view(&b->bytes)) == w->now.sum) w->n_bases++;
  }
  if (&w->bases[w->n_bases] == b) hm_buf_free(&b->bytes);
}

/* --- what a delta is made of (gitformat-pack) ------------------------------------- */

static void put_size(hm_buf *d, size_t n) {
  for (; n > 0x7f; n >>= 7) hm_buf_ch(d, (char)(n | 0x80));
  hm_buf_ch(d, (char)n);
}

static void put_copy(hm_buf *d, size_t from, size_t n) {
  char op[8] = { (char)0x80 };
  size_t k = 1;
  for (int i = 0; i < 4; i++)
    if (from >> 8 * i & 0xff) {
      op[0] = (char)(op[0] | 1 << i);
      op[k++] = (char)(from >> 8 * i);
    }
  for (int i = 0; i < 2; i++)   /* COPY_MAX is said by none */
    if (n >> 8 * i & 0xff) {
      op[0] = (char)(op[0] | 0x10 << i);
      op[k++] = (char)(n >> 8 * i);
    }
  hm_buf_add(d, op, k);
}

static void flush_copy(work *w) {
  for (size_t n; w->copy_n; w->copy_from += n, w->copy_n -= n) {
    n = w->copy_n < COPY_MAX ? w->copy_n : COPY_MAX;
    put_copy(&w->delta, w->copy_from, n);
  }
}

static void copy(work *w, size_t from, size_t n) {
  if (w->copy_n && w->copy_from + w->copy_n != from) flush_copy(w);
  if (!w->copy_n) w->copy_from = from;
  w->copy_n += n;
  w->given += n;
}

static void insert(work *w, hm_str s) {
  if (s.n) flush_copy(w);
  w->given += s.n;
  for (size_t n; s.n; s = hm_str_sub(s, n, s.n)) {
    n = s.n < INSERT_MAX ? s.n : INSERT_MAX;
    hm_buf_ch(&w->delta, (char)n);
    hm_buf_add(&w->delta, s.p, n);
  }
}

/* The fresh bytes stand where the base has those of [from, to): most often all but a few lines of both are the same. */
static void put_fresh(work *w, const base *b, size_t from, size_t to) {
  hm_str s = hm_buf_view(&w->fresh), old = hm_str_sub(hm_buf_view(&b->bytes), from, to);
  size_t most = s.n < old.n ? s.n : old.n, head = 0, tail = 0;
  while (head < most && s.p[head] == old.p[head]) head++;
  while (tail < most - head && s.p[s.n - 1 - tail] == old.p[old.n - 1 - tail]) tail++;
  copy(w, from, head);
  insert(w, hm_str_sub(s, head, s.n - tail));
  copy(w, from + old.n - tail, tail);
  hm_buf_clear(&w->fresh);
}

/* -------------------------------------------------------------------------------------- */

/* False when a piece is none, the bytes are not those that were summed up, or more of it is fresh than not. */
static bool make_delta(work *w, const base *b, uint64_t size) {
  size_t at = 0;
  hm_str bytes;
  uLong sum = sum_of(HM_EMPTY);
  hm_buf_clear(&w->delta);
  hm_buf_clear(&w->fresh);
  w->given = w->copy_n = 0;
  put_size(&w->delta, b->bytes.n);
  put_size(&w->delta, (size_t)size);
  for (size_t i = 0; i < w->now.n; i++) {
    uint32_t k = hm_map_get(&b->at, w->now.p[i]);
    if (k == HM_MAP_NONE) {
      if (!hm_git_inflate(w->f, w->now.p[i], &bytes)) return false;
      hm_buf_str(&w->fresh, bytes);
      sum = adler32_combine(sum, sum_of(bytes), (z_off_t)bytes.n);
      if (w->fresh.n > size / 2) return false;
      continue;
    }
    size_t from = k ? b->ends[k - 1] : 0;
    sum = adler32_combine(sum, b->sums[k], (z_off_t)(b->ends[k] - from));
    put_fresh(w, b, at < from ? at : from, from);
    copy(w, from, b->ends[k] - from);
    at = b->ends[k];
  }
  put_fresh(w, b, at, b->bytes.n);
  flush_copy(w);
  return w->given == size && sum == w->now.sum && !w->delta.failed && !w->fresh.failed;
}

static void take_delta(work *w, const base *b, hm_git_raw *o) {
  unsigned char head[12];
  hm_buf out = { 0 };
  size_t bound = libdeflate_zlib_compress_bound(w->z, w->delta.n);
  hm_buf_add(&out, head, hm_git_entry_head(head, GIT_OBJECT_REF_DELTA, w->delta.n));
  hm_buf_add(&out, b->id->id, GIT_OID_RAWSZ);
  size_t n = hm_buf_room(&out, bound) ? libdeflate_zlib_compress(w->z, w->delta.p, w->delta.n, out.p + out.n, bound) : 0;
  out.n += n;
  if (n && out.n < o->raw.n / 2) {
    o->raw = hm_buf_keep(&out, w->a);
    o->e.crc = libdeflate_crc32(0, o->raw.p, o->raw.n);
  }
  hm_buf_free(&out);
}

static void look_at(work *w, hm_git_raw *o) {
  hm_git_own own;
  if (!hm_git_own_parse(o->raw, &own) || own.type != GIT_OBJECT_BLOB || own.size > (uint64_t)SIZE_MAX_MB << 20) return;
  if (own.size <= HM_PIECE_MAX || !split(&w->now, own.stream)) return;
  for (size_t i = 0; i < w->n_bases; i++)
    if (make_delta(w, &w->bases[i], own.size)) {
      take_delta(w, &w->bases[i], o);
      return;
    }
  if (w->n_bases < BASES) add_base(w, &o->e.id, own.size);
}

void hm_git_deltify(hm_git_raw *o, size_t n, hm_arena *a) {
  work w = { .a = a, .f = hm_git_inflater_new(), .z = libdeflate_alloc_compressor(LEVEL) };
  for (size_t i = 0; w.z && i < n; i++) look_at(&w, &o[i]);
  for (size_t i = 0; i < w.n_bases; i++) hm_buf_free(&w.bases[i].bytes);
  hm_buf_free(&w.delta);
  hm_buf_free(&w.fresh);
  free(w.now.p);
  libdeflate_free_compressor(w.z);
  hm_git_inflater_free(w.f);
}
