/* One line of the mirror's Markdown, read back. What the program wrote around
 * facts stands bare in it, what acts within a fact has a backslash before it or
 * is a reference (gen/render/escape.h): so the two cannot be mistaken for each other. Pure. */
#ifndef HM_INLINE_H
#define HM_INLINE_H
#include "core/base/str.h"

/* Offset of the first bare `needle` (no backslash before it) at or after from, or -1. */
ptrdiff_t hm_inline_find(hm_str md, size_t from, const char *needle);
/* A link [label](url) that begins at `at`; *end is where it ends. */
typedef struct { hm_str label, url; size_t end; } hm_inline_link;
bool hm_inline_link_at(hm_str md, size_t at, hm_inline_link *out);
/* The last link of the line, when nothing but `tail` stands behind it; *at is where it begins. */
bool hm_inline_last_link(hm_str md, const char *tail, size_t *at, hm_inline_link *out);
/* What a reader sees: links by their labels, no marks, anchors and backslashes. */
hm_str hm_inline_text(hm_str md, hm_arena *a);
/* The first cells, at most `most`, of a table's row "| a | b |", trimmed; a cell ends at a bare '|'. */
size_t hm_inline_cells(hm_str row, size_t most, hm_arena *a, hm_str **out);

/* A value as pages show it, apart from what stands behind it. */
typedef struct {
  hm_str text;     /* as a reader sees it */
  hm_str whole;    /* link to all of a value that was cut, or empty */
} hm_inline_value;
/* Takes the marker of a dispute (a link into conflicts/) and the link to a long value off the end. */
hm_inline_value hm_inline_value_of(hm_str md, hm_arena *a);
#endif
