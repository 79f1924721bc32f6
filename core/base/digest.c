/* SHA-256, and SHA-1 for git: digest.h (library: nettle). */
#include "core/base/digest.h"

#include <nettle/base64.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

_Static_assert(sizeof(struct sha256_ctx) <= sizeof(hm_sha256), "nettle's context has grown");
_Static_assert(_Alignof(struct sha256_ctx) <= _Alignof(hm_sha256),
               "nettle's context is aligned wider");

static struct sha256_ctx *ctx(hm_sha256 *h) { return (struct sha256_ctx *)(void *)h->state; }

void hm_sha256_init(hm_sha256 *h) { sha256_init(ctx(h)); }

void hm_sha256_add(hm_sha256 *h, hm_str s) {
  if (s.n)
    sha256_update(ctx(h), s.n, (const uint8_t *)s.p);
}

void hm_sha256_field(hm_sha256 *h, hm_str s) {
  uint8_t len[8];
  for (int i = 0; i < 8; i++)
    len[i] = (uint8_t)((uint64_t)s.n >> (8 * i));
  sha256_update(ctx(h), sizeof len, len);
  hm_sha256_add(h, s);
}

void hm_sha256_end(hm_sha256 *h, unsigned char out[32]) { sha256_digest(ctx(h), 32, out); }

void hm_sha256_digest(hm_str s, unsigned char out[32]) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_add(&h, s);
  hm_sha256_end(&h, out);
}

char *hm_hex_encode(const unsigned char *bytes, size_t n, char *out) {
  for (size_t i = 0; i < n; i++) {
    *out++ = "0123456789abcdef"[bytes[i] >> 4];
    *out++ = "0123456789abcdef"[bytes[i] & 15];
  }
  return out;
}

hm_str hm_sha256_hex(hm_sha256 *h, hm_arena *a, int digits) {
  unsigned char d[32];
  char hex[64];
  hm_sha256_end(h, d);
  hm_hex_encode(d, sizeof d, hex);
  return hm_str_dup(a, (hm_str){ hex, digits < 1 ? 1 : digits > 64 ? 64 : (size_t)digits });
}

hm_str hm_str_digest_hex(hm_arena *a, hm_str s, int digits) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_add(&h, s);
  return hm_sha256_hex(&h, a, digits);
}

hm_str hm_digest_base64(hm_arena *a, hm_str s) {
  unsigned char d[32];
  hm_sha256_digest(s, d);
  size_t n = BASE64_ENCODE_RAW_LENGTH(sizeof d);
  char *p = hm_alloc(a, n + 1);
  base64_encode_raw(p, sizeof d, d);
  return (hm_str){ p, n };
}

/* --- SHA-1 --------------------------------------------------------------------------- */

_Static_assert(sizeof(struct sha1_ctx) <= sizeof(hm_sha1), "nettle's context has grown");
_Static_assert(_Alignof(struct sha1_ctx) <= _Alignof(hm_sha1), "nettle's context is aligned wider");

static struct sha1_ctx *ctx1(hm_sha1 *h) { return (struct sha1_ctx *)(void *)h->state; }

void hm_sha1_init(hm_sha1 *h) { sha1_init(ctx1(h)); }

void hm_sha1_add(hm_sha1 *h, hm_str s) {
  if (s.n)
    sha1_update(ctx1(h), s.n, (const uint8_t *)s.p);
}

void hm_sha1_end(hm_sha1 *h, unsigned char out[20]) { sha1_digest(ctx1(h), 20, out); }
