/* Reads a Markdown document of other people into plain data: its headings, sentences, list items,
 * table rows and lines of code, each with its line and the heading above it (library: cmark-gfm,
 * with GitHub's tables, task lists and ~~struck~~ text, and that of <del>). Thread-safe. Pure. */
#ifndef HM_DOCUMENT_H
#define HM_DOCUMENT_H
#include "core/base/str.h"

#define HM_DOC_NONE UINT32_MAX

typedef enum {
  HM_DOC_HEADING,
  HM_DOC_SENTENCE, /* of a paragraph that begins no list item */
  HM_DOC_ITEM,     /* the paragraph with which a list item begins, whole */
  HM_DOC_ROW,      /* of a table, below its head */
  HM_DOC_CODE,     /* a line of a code block */
  HM_DOC_HTML,     /* a line of an HTML block that holds text */
  HM_DOC_COMMENT   /* an HTML comment, without its arrows, trimmed */
} hm_doc_kind;

/* A part of a text that is marked: [from, to) are bytes of it. */
typedef enum {
  HM_DOC_STRONG,
  HM_DOC_SPAN_CODE,
  HM_DOC_LINK,
  HM_DOC_STRUCK,
  HM_DOC_PICTURE /* the words that stand for it; it is a HM_DOC_LINK, too */
} hm_doc_mark;
typedef struct {
  hm_doc_mark mark;
  uint32_t from, to;
  hm_str url; /* of a link or image, else empty */
} hm_doc_span;

typedef struct {
  hm_doc_kind kind;
  uint8_t level;  /* of a heading: 1 to 6; of what stands in lists: in how many, else 0 */
  bool quoted;    /* stands in a block quote, or in a sample of Markdown that its fence does not
                   * hold together */
  bool task;      /* an item with a box */
  bool checked;   /* with a mark in it */
  bool fenced;    /* of a line of code: its block has a fence */
  bool alone;     /* of a comment: a blank line is before it */
  uint32_t line;  /* where it begins, from 1 */
  uint32_t block; /* parts of one paragraph, table or code block have one number, in order */
  uint32_t
      heading;   /* the heading above it; of a heading the one that contains it; or HM_DOC_NONE */
  uint32_t item; /* the item in which it stands, of an item the one around it; or HM_DOC_NONE */
  /* As a reader sees it, line breaks as spaces, trimmed: no marks, no comments, and no tags but
   * "<your-port>", which somebody is to fill in. Struck text is in it. A line of code as it is
   * written, without its line break; of a row its cells, joined by " | ". */
  hm_str text;
  /* "Key" of "**Key:** value", "**Key**: value"; and where the value begins in text. Else empty and
   * 0. */
  hm_str label;
  uint32_t value;
  const hm_doc_span *spans; /* of text, by their beginning; of a row none */
  uint32_t n_spans;
  /* Of a row: its cells, with their own text and spans, and the cells of the table's head. */
  const struct hm_doc_cell *cells, *head;
  uint32_t n_cells, n_head;
  hm_str language; /* of a line of code: the word behind the fence; else empty */
} hm_doc_part;

typedef struct hm_doc_cell {
  hm_str text;
  const hm_doc_span *spans;
  uint32_t n_spans;
} hm_doc_cell;

/* A field of the front matter: "key: value", or an item of the list of a key (which comes once for
 * each). Nested maps, anchors, aliases, tags and texts of several lines are not read. */
typedef struct {
  hm_str key, value; /* value without quotes and comment; may be empty */
  uint32_t line;
} hm_doc_field;

/* What was not read, and why; line 0: the whole text. */
typedef struct {
  uint32_t line;
  const char *why;
} hm_doc_unread;

typedef struct {
  hm_doc_part *parts;
  size_t n;
  hm_doc_field *fields;
  size_t n_fields;
  hm_doc_unread *unread;
  size_t n_unread; /* at most HM_DOC_UNREAD_MAX; a line for more */
} hm_document;

enum { HM_DOC_UNREAD_MAX = 100 };

/* Reads text, which may be anything. All of doc lives in a or is constant. A byte order mark and
 * CRLF change nothing. Not read, and told in doc->unread: a text over 1 MiB; a line over 64 KiB,
 * one that is not UTF-8, one that opens more than 32 lists and quotations, a table of more than 100
 * columns or of too many cells, each line by which a block grows over 64 KiB (a table: 256 KiB);
 * such a line reads as a blank one. work: memory of the parser; the
 * caller resets it. Cost: linear in text. */
void hm_doc_read(hm_document *doc, hm_str text, hm_arena *a, hm_arena *work);
enum { HM_DOC_HEADING_SHOWN = 100 };
/* The heading's words and those of the headings that contain it, outermost first, joined by " > ",
 * each cut at HM_DOC_HEADING_SHOWN bytes; empty for HM_DOC_NONE. In a. */
hm_str hm_doc_heading_path(const hm_document *doc, uint32_t heading, hm_arena *a);
#endif
