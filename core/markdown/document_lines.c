/* The lines of a document before it is parsed: which of them the parser cannot bear, and the front
 * matter. Cost: linear. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/markdown/document_impl.h"
#include "core/markdown/md_impl.h"

enum {
  MAX_LINE = 64 << 10,
  MAX_PARAGRAPH = 64 << 10, /* the library matches marks in the square of it */
  MAX_TABLE = 256 << 10,    /* of lines that begin with a bar */
  MAX_COLUMNS = 100,
  MAX_FIELDS = 1000
};

/* --- the lines --------------------------------------------------------------------------- */

void hm_doc_tell_unread(hm_doc_reader *r, size_t line, const char *why) {
  hm_document *d = r->doc;
  if (d->n_unread == HM_DOC_UNREAD_MAX)
    why = "and others";
  if (d->n_unread > HM_DOC_UNREAD_MAX)
    return;
  d->unread = hm_array_grow_in(r->a, d->unread, d->n_unread, &r->cap_unread, sizeof *d->unread);
  d->unread[d->n_unread++] = (hm_doc_unread){ (uint32_t)line, why };
}

/* The line at the beginning of rest, without its break, which is cut off rest. */
hm_str hm_doc_take_line(hm_str *rest) {
  hm_str line = hm_str_next_line(rest);
  if (line.n && line.p[line.n - 1] == '\r')
    line.n--;
  return line;
}

/* A list item behind so much space stands in that many lists. */
static bool is_deep_item(hm_str line) {
  size_t i = 0, columns = 0;
  for (; i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'); i++)
    columns += line.p[i] == '\t' ? 4 : 1;
  size_t digits = hm_skip_digits(line, i);
  bool marker = i < line.n && (strchr("-*+", line.p[i]) ? line.p[i] != 0 : digits > i);
  return columns > 2 * HM_DOC_MAX_NESTING && marker;
}

static const char *refuse_line(hm_md_bounds *b, hm_str line) {
  if (line.n > MAX_LINE)
    return "a line over 64 KiB";
  if (hm_text_valid_prefix(line) < line.n)
    return "not UTF-8";
  if (is_deep_item(line))
    return "lists or quotations nested more than 32 deep";
  if (b->bytes > (hm_char_at(line, 0, '|') ? MAX_TABLE : MAX_PARAGRAPH)) {
    hm_md_check_line(b, HM_EMPTY); /* a blank line ends it */
    return "a paragraph over 64 KiB, or a table over 256 KiB";
  }
  const char *why = hm_md_check_line(b, line);
  if (!why)
    return NULL;
  if (strstr(why, "nested"))
    return "lists or quotations nested more than 32 deep";
  return strstr(why, "columns") ? "a table of more than 100 columns" : "a table of too many cells";
}

/* The text that the parser may have: refused lines are blank. */
void hm_doc_clean_lines(hm_doc_reader *r, hm_str text) {
  hm_md_bounds b = { .markers = HM_DOC_MAX_NESTING, .columns = MAX_COLUMNS };
  hm_buf out = { 0 };
  size_t number = r->first_line, cap = 0;
  for (;;) {
    r->starts = hm_array_grow_in(r->work, r->starts, r->n_starts, &cap, sizeof *r->starts);
    r->starts[r->n_starts++] = (uint32_t)out.n;
    if (!text.n)
      break;
    hm_str line = hm_doc_take_line(&text);
    const char *why = refuse_line(&b, line);
    number++;
    if (why)
      hm_doc_tell_unread(r, number, why);
    else
      hm_buf_str(&out, line);
    hm_buf_ch(&out, '\n');
  }
  r->text = hm_buf_take(&out, r->work);
}

hm_str hm_doc_line(const hm_doc_reader *r, size_t number) {
  size_t i = number - r->first_line - 1;
  return number > r->first_line && i + 1 < r->n_starts
      ? hm_str_sub(r->text, r->starts[i], r->starts[i + 1] - 1)
      : HM_EMPTY;
}

/* --- front matter ------------------------------------------------------------------------ */

static hm_str unquote(hm_str s) {
  s = hm_str_trim(s);
  if (s.n > 1 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.n - 1] == s.p[0])
    return hm_str_sub(s, 1, s.n - 1);
  for (size_t i = 1; i < s.n; i++)
    if (s.p[i] == '#' && hm_is_space(s.p[i - 1]))
      return hm_str_trim(hm_str_sub(s, 0, i));
  return s;
}

/* "*.py", which no alias of YAML is, but what rules for agents have. */
static bool begins_glob(hm_str value) {
  return value.n > 1 && value.p[0] == '*' && strchr(".*/", value.p[1]);
}

static void add_field(hm_doc_reader *r, hm_str key, hm_str value, size_t line) {
  hm_document *d = r->doc;
  if (d->n_fields == MAX_FIELDS ||
      (value.n && strchr("&*!|>{%@`", value.p[0]) && !begins_glob(value)))
    return;
  d->fields = hm_array_grow_in(r->a, d->fields, d->n_fields, &r->cap_fields, sizeof *d->fields);
  d->fields[d->n_fields++] =
      (hm_doc_field){ hm_str_dup(r->a, key), hm_str_dup(r->a, unquote(value)), (uint32_t)line };
}

/* "[a, b]" is a value for each. */
static void add_value(hm_doc_reader *r, hm_str key, hm_str value, size_t line) {
  hm_str *v;
  if (value.n < 2 || value.p[0] != '[' || value.p[value.n - 1] != ']') {
    add_field(r, key, value, line);
    return;
  }
  size_t n = hm_str_split_commas(hm_str_sub(value, 1, value.n - 1), r->work, &v);
  for (size_t i = 0; i < n; i++)
    add_field(r, key, v[i], line);
}

/* The key of "key: value" at the beginning of a line; its end in *end. Else empty. */
static hm_str key_of_line(hm_str line, size_t *end) {
  size_t n = 0;
  while (n < line.n && (hm_is_alnum(line.p[n]) || strchr("-_. ", line.p[n])) && line.p[n])
    n++;
  bool is_key = n && hm_is_letter(line.p[0]) && hm_char_at(line, n, ':') &&
      (n + 1 == line.n || line.p[n + 1] == ' ');
  *end = n + 1;
  return is_key ? hm_str_trim(hm_str_sub(line, 0, n)) : HM_EMPTY;
}

/* Cuts the front matter off text: the lines between "---" and "---" at its beginning. */
void hm_doc_read_front_matter(hm_doc_reader *r, hm_str *text) {
  hm_str rest = *text, key = HM_EMPTY, inner;
  if (!hm_str_is(hm_doc_take_line(&rest), "---"))
    return;
  size_t n = 1, end;
  for (hm_str probe = rest;; n++) {
    if (!probe.n)
      return;
    inner = hm_str_trim(hm_doc_take_line(&probe));
    if (hm_str_is(inner, "---") || hm_str_is(inner, "..."))
      break;
  }
  for (size_t line = 2; line <= n; line++) {
    hm_str s = hm_doc_take_line(&rest), t = hm_str_trim(s);
    hm_str k = key_of_line(s, &end);
    if (s.n > MAX_LINE || hm_text_valid_prefix(s) < s.n) {
      hm_doc_tell_unread(r, line, s.n > MAX_LINE ? "a line over 64 KiB" : "not UTF-8");
    } else if (k.n) {
      key = k;
      hm_str value = hm_str_trim(hm_str_sub(s, end, s.n));
      if (value.n)
        add_value(r, key, value, line);
    } else if (key.n && hm_str_starts(t, "- ")) {
      add_field(r, key, hm_str_trim(hm_str_sub(t, 2, t.n)), line);
    }
  }
  hm_doc_take_line(&rest);
  r->first_line = (uint32_t)n + 1;
  *text = rest;
}
