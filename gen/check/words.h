/* Texts as words: what is left of a fact however it is escaped, marked up, cased or made into a
 * file name. Pure. */
#ifndef HM_CHECK_WORDS_H
#define HM_CHECK_WORDS_H
#include "core/base/str.h"

typedef enum {
  HM_WORDS_PLAIN,
  HM_WORDS_MARKDOWN,
  HM_WORDS_HTML,
  HM_WORDS_JSON,
  HM_N_WORDS
} hm_words_as;

/* By the end of a file's name: .md, .html .htm .svg .xml, .json .jsonl; others are plain. */
hm_words_as hm_words_kind(hm_str path);

/* s as words: ASCII letters in lower case, digits, and all bytes from 0x80 on make up words; every
 * run of other bytes between words is one byte: '\n' when markup stands in it ('|' '*' '[' ']' '<'
 * '>' '`' or a line's end in Markdown; '<' '>' '"' or a line's end in HTML; '"' in JSON; what is
 * escaped is no markup, "`@`" neither), else ' '. It begins and ends with '\n'. Character
 * references and percent-encoding are undone in Markdown and HTML, JSON's escapes in JSON. So
 * "GF\-PTFE", "GF&#45;PTFE" and "gf-ptfe" are all "\ngf ptfe\n". out: room for s.n + 2 bytes; *n:
 * how many there are. Stops when it has more than `stop` bytes, and returns the offset in s that it
 * got to. */
size_t hm_words(char *out, size_t *n, hm_str s, hm_words_as as, size_t stop);
/* The whole of s as words without the bytes at both ends, in a. */
hm_str hm_words_of(hm_arena *a, hm_str s, hm_words_as as);
#endif
