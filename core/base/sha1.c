#include "core/base/sha1.h"

#include <nettle/sha1.h>

_Static_assert(sizeof(struct sha1_ctx) <= sizeof(hm_sha1), "nettle's context has grown");
_Static_assert(_Alignof(struct sha1_ctx) <= _Alignof(hm_sha1), "nettle's context is aligned wider");

static struct sha1_ctx *ctx(hm_sha1 *h) { return (struct sha1_ctx *)(void *)h->state; }

void hm_sha1_init(hm_sha1 *h) { sha1_init(ctx(h)); }

void hm_sha1_add(hm_sha1 *h, hm_str s) {
  if (s.n) sha1_update(ctx(h), s.n, (const uint8_t *)s.p);
}

void hm_sha1_end(hm_sha1 *h, unsigned char out[20]) { sha1_digest(ctx(h), 20, out); }
