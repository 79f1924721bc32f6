/* SHA-256, and SHA-1 for git (library: nettle). */
#ifndef HM_DIGEST_H
#define HM_DIGEST_H
#include "str.h"

typedef struct {
  _Alignas(8) unsigned char state[128];
} hm_sha256; /* opaque; fits nettle's context */

void hm_sha256_init(hm_sha256 *h);
void hm_sha256_add(hm_sha256 *h, hm_str s);
/* Adds the length (8 bytes, little-endian), then the bytes: the digest of a sequence of strings
 * then covers their boundaries. */
void hm_sha256_field(hm_sha256 *h, hm_str s);
void hm_sha256_end(hm_sha256 *h, unsigned char out[32]);
/* The digest of one string. */
void hm_sha256_digest(hm_str s, unsigned char out[32]);
/* Writes 2 * n lower-case hex digits to out, without NUL. Returns their end. */
char *hm_hex_encode(const unsigned char *bytes, size_t n, char *out);
/* First `digits` (1 to 64) lower-case hex digits of the digest, in a. */
hm_str hm_sha256_hex(hm_sha256 *h, hm_arena *a, int digits);
/* The same for one string. */
hm_str hm_str_digest_hex(hm_arena *a, hm_str s, int digits);
/* The whole digest of one string in base64 (RFC 4648), as content security policies write it. */
hm_str hm_digest_base64(hm_arena *a, hm_str s);

/* Plain SHA-1, for the checksums of git's files. Never use it for the id of a fact. */
typedef struct {
  _Alignas(8) unsigned char state[112];
} hm_sha1; /* opaque; fits nettle's context */

void hm_sha1_init(hm_sha1 *h);
void hm_sha1_add(hm_sha1 *h, hm_str s);
void hm_sha1_end(hm_sha1 *h, unsigned char out[20]);
#endif
