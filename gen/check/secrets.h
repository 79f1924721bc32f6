/* A set of texts, and all places where one of them stands in others, in one pass. Pure.
 *
 * Texts are compared as words (words.h). What is searched for:
 *  - a text of HM_SECRET_LEAST to HM_SECRET_BLOCK bytes of words: the whole of it;
 *  - a longer one: in blocks, each the next words up to HM_SECRET_BLOCK bytes; what is left at the
 * end is not. So a quotation is found when it holds one block: the beginning of the text, or any
 * two blocks' length of it;
 *  - of a word over HM_SECRET_WORD bytes its beginning.
 * A shorter text is not searched for: it would be found everywhere.
 * What is found begins and ends with a word; only where letters outside ASCII meet may it stand
 * inside one.
 *
 * Each place costs one look-up by the first 8 bytes, and where these are known one for each length
 * that a text beginning so has, 57 at most: linear, whatever the texts are. */
#ifndef HM_CHECK_SECRETS_H
#define HM_CHECK_SECRETS_H
#include "core/base/map.h"

enum { HM_SECRET_LEAST = 8, HM_SECRET_BLOCK = 24, HM_SECRET_WORD = 40 };

typedef struct {
  hm_str words;
  uint32_t source;
  bool cut;
} hm_secret; /* cut: the beginning of a word */

typedef struct {
  hm_secret *v; size_t n, cap;
  hm_map at;                 /* words -> index */
  hm_map group_at;           /* first 8 bytes -> index into lengths */
  uint64_t *lengths; size_t n_groups, cap_groups;   /* bit l: one of HM_SECRET_LEAST + l bytes */
  uint64_t *maybe;
  int shift; /* bits by a hash of the first 8 bytes: most places need no look-up */
  hm_arena *a;
} hm_secrets;

void hm_secrets_init(hm_secrets *s, hm_arena *a);
/* Adds a raw text, in every form in which pages, file names and slots may have it. source: the
 * caller's; of equal texts the first stays. Returns false when it is too short to be searched for.
 */
bool hm_secrets_add(hm_secrets *s, hm_str text, uint32_t source);
/* After the last text, before the first search. */
void hm_secrets_seal(hm_secrets *s);
/* Calls each for every place (offset into words) where text number `secret` stands. words: as
 * hm_words gives them. begun: also where a word goes on after it. Safe from many threads. */
void hm_secrets_search(const hm_secrets *s, hm_str words, bool begun,
                       void (*each)(void *ctx, uint32_t secret, size_t at), void *ctx);
#endif
