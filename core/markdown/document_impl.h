/* Shared by document.c and document_lines.c, which it uses. Not for others. */
#ifndef HM_DOCUMENT_IMPL_H
#define HM_DOCUMENT_IMPL_H
#include "core/markdown/document.h"

enum { HM_DOC_MAX_NESTING = 32 };
/* How far the reading of a document is. */
typedef struct {
  hm_document *doc;
  hm_arena *a, *work;
  size_t cap_parts, cap_fields, cap_unread;
  uint32_t block, heading, item;
  uint32_t first_line; /* lines before the text that is parsed */
  hm_str text;         /* that is parsed */
  uint32_t *starts;    /* of its lines, and its end */
  size_t n_starts;
  uint8_t level;
  bool quoted;
  bool sample; /* of Markdown, which goes on behind its block */
} hm_doc_reader;
/* Notes that a line was not read. */
void hm_doc_tell_unread(hm_doc_reader *r, size_t line, const char *why);
/* The line at the beginning of rest, without its break, which is cut off rest. */
hm_str hm_doc_take_line(hm_str *rest);
/* The text that the parser may have: refused lines are blank. Sets text and
 * starts, in r->work. */
void hm_doc_clean_lines(hm_doc_reader *r, hm_str text);
/* The line of that text with this number in the document, without its break; empty: none. */
hm_str hm_doc_line(const hm_doc_reader *r, size_t number);
/* Cuts the front matter off text: the lines between "---" and "---" at its beginning. */
void hm_doc_read_front_matter(hm_doc_reader *r, hm_str *text);
#endif
