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

/* Those of a row: a bar at its beginning and one at its end are the edge of the table. */
static size_t count_columns(hm_str line, size_t pipes) {
  size_t from = 0;
  while (from < line.n && memchr(" \t>", line.p[from], 3))
    from++;
  hm_str row = hm_str_trim(hm_str_sub(line, from, line.n));
  size_t edges = hm_char_at(row, 0, '|') + (row.n > 1 && row.p[row.n - 1] == '|');
  return pipes + 1 > edges ? pipes + 1 - edges : 1;
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

/* The column of byte i of the line. */
static size_t column_of(hm_str line, size_t i) {
  size_t column = 0;
  for (size_t k = 0; k < i; k++)
    column = line.p[k] == '\t' ? column / 4 * 4 + 4 : column + 1;
  return column;
}

static size_t skip_spaces(hm_str line, size_t i) {
  while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
    i++;
  return i;
}

/* Is the text of an item the end of a rule, a list in it, or an empty task? */
static bool may_be_rule(hm_str text) {
  size_t n = 0;
  while (n < text.n && memchr("-*+_ \t", text.p[n], 6))
    n++;
  bool marked = n && n < text.n && memchr(" \t", text.p[1], 2) && text.p[0] != '_';
  return n == text.n || marked || (text.p[0] == '[' && text.n <= 3);
}

/* Surely begins the line a list item, and so no more of the paragraph above? Behind more than three
 * spaces only in an item that is known to be open: none is at a fence, at what may be a rule or an
 * empty task, and from a tag to the next blank line. */
static bool begins_item(hm_md_bounds *b, hm_str line) {
  size_t at = skip_spaces(line, 0), indent = column_of(line, at), open = b->n_items;
  while (b->n_items && b->items[b->n_items - 1] > indent)
    b->n_items--;
  size_t base = b->n_items ? b->items[b->n_items - 1] : 0, digits = hm_skip_digits(line, at);
  size_t end = digits + 1, text = skip_spaces(line, end);
  bool bullet = digits == at && at < line.n && memchr("-*+", line.p[at], 3);
  bool number = digits > at && digits - at <= 9 &&
      (hm_char_at(line, digits, '.') || hm_char_at(line, digits, ')')) &&
      (open > b->n_items || (digits == at + 1 && line.p[at] == '1'));
  bool begins = (bullet || number) && indent - base <= 3 && text > end && text < line.n &&
      line.p[text] != '\r';
  bool fence = at + 2 < line.n && (line.p[at] == '`' || line.p[at] == '~');
  bool rule = begins && may_be_rule(hm_str_trim(hm_str_sub(line, text, line.n)));
  b->tags |= memchr(line.p, '<', line.n) || memchr(line.p, '>', line.n);
  if (fence || rule || b->tags)
    b->n_items = 0;
  else if (begins && b->n_items < HM_COUNT(b->items))
    b->items[b->n_items++] = column_of(line, text);
  return begins;
}

const char *hm_md_check_line(hm_md_bounds *b, hm_str line) {
  size_t pipes = count_pipes(line), columns = count_columns(line, pipes);
  if (count_markers(line) > b->markers)
    return "its quotations or lists are nested too deeply";
  if (columns > b->columns)
    return "it has a table of too many columns";
  if (!hm_str_trim(line).n) {
    b->bytes = b->lines = b->widest = 0;
    b->tags = false;
    return NULL;
  }
  if (begins_item(b, line))
    b->bytes = b->lines = b->widest = 0;
  if (is_dashes(line)) {
    b->reread += b->bytes;
    if (columns > b->widest)
      b->widest = columns;
  }
  b->bytes += line.n;
  b->lines++;
  bool fits = b->widest * b->lines <= MAX_CELLS && b->reread <= MAX_REREAD;
  return fits ? NULL : "it has a table of too many rows";
}
