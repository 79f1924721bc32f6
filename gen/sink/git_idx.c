#include "core/base/sha1.h"
#include "gen/sink/git_impl.h"

enum { LARGE = 0x80000000u };

static void put32(hm_buf *b, uint32_t v) {
  unsigned char be[4] = { (unsigned char)(v >> 24), (unsigned char)(v >> 16), (unsigned char)(v >> 8), (unsigned char)v };
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
  for (size_t i = 0; i < n; i++) put32(b, e[i].offset < LARGE ? (uint32_t)e[i].offset : LARGE | large++);
  for (size_t i = 0; large && i < n; i++) {
    if (e[i].offset < LARGE) continue;
    put32(b, (uint32_t)(e[i].offset >> 32));
    put32(b, (uint32_t)e[i].offset);
  }
}

void hm_git_idx_bytes(const hm_idx_entry *e, size_t n, const unsigned char pack_sum[20], hm_buf *out) {
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
