/* Plain SHA-1 (library: nettle), for the checksums of git's files. Never for
 * the id of a fact. */
#ifndef HM_SHA1_H
#define HM_SHA1_H
#include "str.h"

typedef struct {
  _Alignas(8) unsigned char state[112];
} hm_sha1; /* opaque; fits nettle's context */

void hm_sha1_init(hm_sha1 *h);
void hm_sha1_add(hm_sha1 *h, hm_str s);
void hm_sha1_end(hm_sha1 *h, unsigned char out[20]);
#endif
