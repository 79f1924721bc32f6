/* Finds every place where a page holds a text that publish.exclude leaves out, in one pass. Pure.
 *
 * Texts are compared as words (hm_extract_words), which do not depend on escaping, markup, case or
 * the form of a file name. Searches for:
 *  - a text of HM_WITHHELD_LEAST to HM_WITHHELD_BLOCK bytes of words: the whole text;
 *  - a longer text: blocks of words, each of up to HM_WITHHELD_BLOCK bytes, without the rest at the
 *    end. So a quotation is found when it holds a whole block: the beginning of the text, or any
 *    part of two blocks' length;
 *  - a word over HM_WITHHELD_WORD bytes: its beginning.
 * Does not search for a shorter text, which would be found everywhere.
 * A match begins and ends at word boundaries, except between letters outside ASCII.
 *
 * Cost: for each place one look-up by its first 8 bytes; when these match, one more for each length
 * of the texts that begin so, 57 at most. So linear, whatever the texts are. */
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

/* The format by file extension: .md, .html .htm .svg .xml, .json .jsonl; others are plain. */
hm_words_format hm_words_format_of_path(hm_str path);

/* Writes s as words: ASCII letters in lower case, digits, and all bytes from 0x80 on make up words;
 * every run of other bytes between words becomes one byte: '\n' when it holds markup ('|' '*' '['
 * ']' '<' '>' '`' or a line's end in Markdown; '<' '>' '"' or a line's end in HTML; '"' in JSON;
 * neither escaped characters nor "`@`" are markup), else ' '. It begins and ends with '\n'. Decodes
 * character references and percent-encoding in Markdown and HTML, JSON's escapes in JSON. So
 * "GF\-PTFE", "GF&#45;PTFE" and "gf-ptfe" all become "\ngf ptfe\n". out: room for s.n + 2 bytes;
 * *n: the bytes written. Stops after more than `stop` bytes; returns the offset reached in s. */
size_t hm_extract_words(char *out, size_t *n, hm_str s, hm_words_format as, size_t stop);
/* Sets *coded when s has '&' or '%', which HTML may decode; *wide when it has bytes from 0x80
 * on. */
void hm_words_detect_encoding(hm_str s, bool *coded, bool *wide);
/* The whole of s as words without the bytes at both ends, in a. */
hm_str hm_copy_as_words(hm_arena *a, hm_str s, hm_words_format as);

/* --- withheld texts ------------------------------------------------------------------ */

enum { HM_WITHHELD_LEAST = 8, HM_WITHHELD_BLOCK = 24, HM_WITHHELD_WORD = 40 };

typedef struct {
  hm_str words;
  uint32_t source;
  bool cut; /* the beginning of a word */
} hm_withheld_text;

typedef struct {
  hm_withheld_text *v;
  size_t n, cap;
  hm_map at;       /* words -> index */
  hm_map group_at; /* first 8 bytes -> index into lengths */
  uint64_t *lengths;
  size_t n_groups, cap_groups; /* bit l: one of HM_WITHHELD_LEAST + l bytes */
  uint64_t *maybe;
  int shift; /* bits by a hash of the first 8 bytes: most places need no look-up */
  hm_arena *a;
} hm_withheld;

void hm_withheld_init(hm_withheld *s, hm_arena *a);
/* Adds a raw text, in every form that pages, file names and slots may have. source: the caller's;
 * for equal texts the first one is kept. Returns false when the text is too short to search for. */
bool hm_withheld_add(hm_withheld *s, hm_str text, uint32_t source);
/* Call it after the last text and before the first search. */
void hm_withheld_seal(hm_withheld *s);
/* Calls each for every match: text number `secret` at offset `at` in words, which
 * hm_extract_words wrote. begun: also matches the beginning of a word. Safe from many threads. */
void hm_withheld_search(const hm_withheld *s, hm_str words, bool begun,
                        void (*each)(void *ctx, uint32_t secret, size_t at), void *ctx);
#endif
