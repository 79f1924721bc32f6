/* What the files of text_*.c share. Not for others. */
#ifndef HM_TEXT_IMPL_H
#define HM_TEXT_IMPL_H
#include "core/base/text.h"

#define HM_REPLACEMENT 0xFFFDu
#define HM_BAD_BYTES UINT32_MAX

/* Reads at s.p[i], i < s.n: the number of bytes, and the code point or, for a
 * maximal bad subpart, HM_BAD_BYTES. */
size_t hm_utf8_step(hm_str s, size_t i, uint32_t *cp);
/* Writes cp (U+FFFD for what is no scalar value) and returns its bytes. */
size_t hm_utf8_encode(char out[4], uint32_t cp);
/* Length of the ASCII at the beginning of s. */
size_t hm_ascii_prefix(hm_str s);

/* Code points, owned (free p). */
typedef struct { int32_t *p; size_t n, cap; } hm_cps;

/* NFKC of the full case folding of s. Doing it again changes nothing. */
hm_cps hm_norm_fold(hm_str s);
/* NFKD of s. */
hm_cps hm_norm_nfkd(hm_str s);

typedef enum { HM_CP_OTHER, HM_CP_WORD, HM_CP_MARK, HM_CP_SPACE } hm_cp_class;
/* Letters and numbers are WORD, marks MARK, the White_Space property SPACE. */
hm_cp_class hm_cp_classify(int32_t cp);
#endif
