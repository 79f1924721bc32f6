#include "core/base/sha1.h"
#include "gen/sink/git_impl.h"

enum { LARGE = 0x80000000u };

static void put32(hm_buf *b, uint32_t v) {
  unsigned char be[4] = { (unsigned char)(v >> 24), (unsigned char)(v >> 16),
                          (unsigned char)(v >> 8), (unsigned char)v };
  hm_buf_add(b, be, 4);
}

static void put_fanout(hm_buf *b, const hm_idx_entry *e, size_t n) {
  size_t i = 0;
  for (unsigned first = 0; first < 256; first++) {
    while (i < n && e[i].id.id[0] <= first) i++;
    put32(b, (uint32_t)i);
  }
}

/* Offsets of 2 GiB and more stand in a table of their own. */
static void put_offsets(hm_buf *b, const hm_idx_entry *e, size_t n) {
  uint32_t large = 0;
  for (size_t i = 0; i < n; i++)
    put32(b, e[i].offset < LARGE ? (uint32_t)e[i].offset : LARGE | large++);
  for (size_t i = 0; large && i < n; i++) {
    if (e[i].offset < LARGE) continue;
    put32(b, (uint32_t)(e[i].offset >> 32));
    put32(b, (uint32_t)e[i].offset);
  }
}

void hm_git_idx_bytes(const hm_idx_entry *e, size_t n, const unsigned char pack_sum[20],
                      hm_buf *out) {
  hm_sha1 h;
  unsigned char sum[20];
  hm_buf_add(out, "\377tOc", 4);
  put32(out, 2);
  put_fanout(out, e, n);
  for (size_t i = 0; i < n; i++) hm_buf_add(out, e[i].id.id, GIT_OID_RAWSZ);
  for (size_t i = 0; i < n; i++) put32(out, e[i].crc);
  put_offsets(out, e, n);
  hm_buf_add(out, pack_sum, 20);
  hm_sha1_init(&h);
  hm_sha1_add(&h, hm_buf_view(out));
  hm_sha1_end(&h, sum);
  hm_buf_add(out, sum, 20);
}

/* --- and back ------------------------------------------------------------------ */

enum { HEAD = 8 + 256 * 4, TAIL = 40 };

static uint32_t get32(const unsigned char *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool is_whole(hm_str bytes, const unsigned char pack_sum[20]) {
  hm_sha1 h;
  unsigned char sum[20];
  if (bytes.n < HEAD + TAIL || memcmp(bytes.p, "\377tOc\0\0\0\2", 8) != 0) return false;
  hm_sha1_init(&h);
  hm_sha1_add(&h, hm_str_sub(bytes, 0, bytes.n - 20));
  hm_sha1_end(&h, sum);
  return memcmp(sum, bytes.p + bytes.n - 20, 20) == 0 &&
      memcmp(pack_sum, bytes.p + bytes.n - TAIL, 20) == 0;
}

/* Where the i-th of n begins; false when that stands outside the index. */
static bool offset_of(hm_str bytes, size_t n, size_t i, uint64_t *out) {
  const unsigned char *p = (const unsigned char *)bytes.p, *offsets = p + HEAD + n * 24, *far;
  uint32_t at = get32(offsets + 4 * i);
  *out = at;
  if (!(at & LARGE)) return true;
  far = offsets + 4 * n + 8 * (size_t)(at & ~LARGE);
  if (far + 8 > p + bytes.n - TAIL) return false;
  *out = (uint64_t)get32(far) << 32 | get32(far + 4);
  return true;
}

bool hm_git_idx_read(hm_str bytes, const unsigned char pack_sum[20], hm_arena *a,
                     hm_idx_entry **out, size_t *n) {
  const unsigned char *p = (const unsigned char *)bytes.p;
  if (!is_whole(bytes, pack_sum)) return false;
  *n = get32(p + HEAD - 4);
  if (bytes.n < HEAD + *n * 28 + TAIL) return false;
  const unsigned char *ids = p + HEAD, *crcs = ids + *n * 20;
  *out = hm_alloc_array(a, *n, sizeof **out);
  for (size_t i = 0; i < *n; i++) {
    hm_idx_entry *e = &(*out)[i];
    if (!offset_of(bytes, *n, i, &e->offset)) return false;
    memcpy(e->id.id, ids + 20 * i, 20);
    e->crc = get32(crcs + 4 * i);
  }
  return true;
}
