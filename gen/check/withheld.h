/* The texts that publish.exclude leaves out, and every place where a page holds one, in one pass.
 * Pure.
 *
 * Texts are compared as words (hm_extract_words): what is left of a fact however it is escaped,
 * marked up, cased or made into a file name. What is searched for:
 *  - a text of HM_WITHHELD_LEAST to HM_WITHHELD_BLOCK bytes of words: the whole of it;
 *  - a longer one: in blocks, each the next words up to HM_WITHHELD_BLOCK bytes; what is left at
 *    the end is not. So a quotation is found when it holds one block: the beginning of the text,
 *    or any two blocks' length of it;
 *  - of a word over HM_WITHHELD_WORD bytes its beginning.
 * A shorter text is not searched for: it would be found everywhere.
 * What is found begins and ends with a word; only where letters outside ASCII meet may it stand
 * inside one.
 *
 * Each place costs one look-up by the first 8 bytes, and where these are known one for each
 * length that a text beginning so has, 57 at most: linear, whatever the texts are. */
#ifndef HM_CHECK_WITHHELD_H
#define HM_CHECK_WITHHELD_H
#include "core/base/str.h"

/* --- words --------------------------------------------------------------------------- */

typedef enum {
  HM_WORDS_PLAIN,
  HM_WORDS_MARKDOWN,
  HM_WORDS_HTML,
  HM_WORDS_JSON,
  HM_N_WORDS
} hm_words_format;

/* By the end of a file's name: .md, .html .htm .svg .xml, .json .jsonl; others are plain. */
hm_words_format hm_words_format_of_path(hm_str path);

/* s as words: ASCII letters in lower case, digits, and all bytes from 0x80 on make up words; every
 * run of other bytes between words is one byte: '\n' when markup stands in it ('|' '*' '[' ']' '<'
 * '>' '`' or a line's end in Markdown; '<' '>' '"' or a line's end in HTML; '"' in JSON; what is
 * escaped is no markup, "`@`" neither), else ' '. It begins and ends with '\n'. Character
 * references and percent-encoding are undone in Markdown and HTML, JSON's escapes in JSON. So
 * "GF\-PTFE", "GF&#45;PTFE" and "gf-ptfe" are all "\ngf ptfe\n". out: room for s.n + 2 bytes; *n:
 * how many there are. Stops when it has more than `stop` bytes, and returns the offset in s that it
 * got to. */
size_t hm_extract_words(char *out, size_t *n, hm_str s, hm_words_format as, size_t stop);
/* *coded: s has '&' or '%', which HTML may decode; *wide: it has bytes from 0x80 on. */
void hm_words_detect_encoding(hm_str s, bool *coded, bool *wide);
/* The whole of s as words without the bytes at both ends, in a. */
hm_str hm_copy_as_words(hm_arena *a, hm_str s, hm_words_format as);

/* --- withheld texts ------------------------------------------------------------------ */

enum { HM_WITHHELD_LEAST = 8, HM_WITHHELD_BLOCK = 24, HM_WITHHELD_WORD = 40 };

typedef struct {
  hm_str words;
  uint32_t source;
  bool cut;                  /* the beginning of a word */
} hm_withheld_text;

typedef struct {
  hm_withheld_text *v; size_t n, cap;
  hm_map at;                 /* words -> index */
  hm_map group_at;           /* first 8 bytes -> index into lengths */
  uint64_t *lengths; size_t n_groups, cap_groups;   /* bit l: one of HM_WITHHELD_LEAST + l bytes */
  uint64_t *maybe;
  int shift; /* bits by a hash of the first 8 bytes: most places need no look-up */
  hm_arena *a;
} hm_withheld;

void hm_withheld_init(hm_withheld *s, hm_arena *a);
/* Adds a raw text, in every form in which pages, file names and slots may have it. source: the
 * caller's; of equal texts the first stays. Returns false when it is too short to be searched for.
 */
bool hm_withheld_add(hm_withheld *s, hm_str text, uint32_t source);
/* After the last text, before the first search. */
void hm_withheld_seal(hm_withheld *s);
/* Calls each for every place (offset into words) where text number `secret` stands. words: as
 * hm_extract_words gives them. begun: also where a word goes on after it. Safe from many threads.
 */
void hm_withheld_search(const hm_withheld *s, hm_str words, bool begun,
                       void (*each)(void *ctx, uint32_t secret, size_t at), void *ctx);
#endif
