/* Base64 of RFC 4648, as HTTP's Basic scheme has it. Pure. */
#ifndef HM_BASE64_H
#define HM_BASE64_H
#include "core/base/str.h"

/* Decodes s into out and returns how many bytes; 0 when s is not base64 or out too small. */
size_t hm_base64_decode(hm_str s, char *out, size_t size);
#endif
