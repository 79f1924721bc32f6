/* What of a page keeps cmark-gfm from being slow.
 *
 * The library parses what the escaper writes in linear time. But what people write could take it
 * minutes: version 0.29.0.gfm.6 appends to a list of cells by walking it, gives every row of a
 * table all of its columns, reads the paragraph above each line of dashes again, and goes through
 * all open quotations at every line. So a scan of the lines refuses one that opens too many blocks,
 * and a table that is too wide or too large. Cost: linear. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/markdown/md_impl.h"

enum {
  MAX_CELLS = 1 << 20,   /* of one table, with those that the library adds */
  MAX_REREAD = 256 << 20 /* bytes above lines of dashes, which may be heads of tables */
};

/* Quotation marks and list markers with which the line begins. */
static size_t count_markers(hm_str line) {
  size_t n = 0;
  for (size_t i = 0; i < line.n; i++) {
    char c = line.p[i], next = i + 1 < line.n ? line.p[i + 1] : ' ';
    bool ends = next == ' ' || next == '\t';
    if (c == '>')
      n++;
    else if (c == '-' || c == '*' || c == '+' || c == '.' || c == ')')
      n += ends;
    else if (c != ' ' && c != '\t' && !hm_is_digit(c))
      return n;
  }
  return n;
}

static size_t count_pipes(hm_str line) {
  size_t n = 0;
  const char *p = line.p, *end = p + line.n;
  for (; p < end && (p = memchr(p, '|', (size_t)(end - p))); p++) {
    const char *slash = p;
    while (slash > line.p && slash[-1] == '\\')
      slash--;
    n += (p - slash) % 2 == 0;
  }
  return n;
}

/* True when the line may be the dashes below a table's head. Dashes alone are a rule. */
static bool is_dashes(hm_str line) {
  bool dash = false, edge = false;
  for (size_t i = 0; i < line.n; i++) {
    if (!memchr("|-: \t>\r", line.p[i], 7))
      return false;
    dash |= line.p[i] == '-';
    edge |= line.p[i] == '|' || line.p[i] == ':';
  }
  return dash && edge;
}

const char *hm_md_check_line(hm_md_bounds *b, hm_str line) {
  size_t pipes = count_pipes(line);
  if (count_markers(line) > b->markers)
    return "its quotations or lists are nested too deeply";
  if (pipes > b->columns)
    return "it has a table of too many columns";
  if (!hm_str_trim(line).n) {
    b->bytes = b->lines = b->widest = 0;
    return NULL;
  }
  if (is_dashes(line)) {
    b->reread += b->bytes;
    if (pipes + 1 > b->widest)
      b->widest = pipes + 1;
  }
  b->bytes += line.n;
  b->lines++;
  bool fits = b->widest * b->lines <= MAX_CELLS && b->reread <= MAX_REREAD;
  return fits ? NULL : "it has a table of too many rows";
}
