/* Texts, dates and numbers in the form in which pages show them.
 *
 * Dates are written for people: "2 Apr 2026" of 2026-04-02T15:00:00Z, "Apr 2026" of 2026-04. Every
 * page writes them through here. A text that is no plain date stays as it is, times of other
 * calendars too. A day is that of the text, whatever its zone. */
#include "gen/page/view.h"

#include <string.h>

#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/markdown/escape.h"

enum { HIDDEN = 12, /* "⟦U+202E⟧" */ FIELD_BYTES = 200, WORD_MAX = 1000 };

/* --- texts ----------------------------------------------------------------------------------- */

hm_str hm_shorten(hm_arena *a, hm_str s, size_t max) {
  hm_str head = hm_clean_text(a, s.n > 8 * max ? hm_text_cut(s, 8 * max) : s);
  if (head.n <= max && s.n <= 8 * max)
    return head;
  head = hm_str_trim(hm_text_cut(head, max));
  return hm_str_fmt(a, "%.*s…", HM_FMT(head));
}

hm_str hm_link_label(hm_arena *a, hm_str s, size_t max) {
  hm_str label = hm_shorten(a, s, max);
  return label.n ? label : HM_STR("unnamed");
}

hm_str hm_format_name(hm_arena *a, hm_str name) {
  hm_str out = hm_str_dup(a, name);
  for (size_t i = 1; i + 1 < out.n; i++)
    if (out.p[i] == '_')
      ((char *)out.p)[i] = ' ';
  return out;
}

hm_str hm_format_field_name(hm_arena *a, hm_str name) {
  return hm_format_name(a, hm_shorten(a, name, FIELD_BYTES));
}

hm_str hm_capitalize(hm_arena *a, hm_str s) {
  hm_str out = hm_str_dup(a, s);
  if (out.n)
    ((char *)out.p)[0] = hm_ascii_upper(out.p[0]);
  return out;
}

/* True when s has characters that could act as Markdown or HTML outside a fence. */
static bool has_markup(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] && strchr("<>[]`&|*\\", s.p[i]))
      return true;
  return false;
}

hm_str hm_format_shell_word(hm_arena *a, hm_str s) {
  if (s.n > WORD_MAX || (s.n && s.p[0] == '-'))
    return HM_EMPTY;
  return hm_shell_quote_word(a, s, has_markup(s));
}

size_t hm_page_bytes(hm_str text) {
  static const unsigned char more[128] = {
    ['&'] = 4,     ['<'] = 3, ['>'] = 3, ['"'] = 5, ['\''] = 4,         ['@'] = 2,
    ['\\'] = 1,    ['`'] = 1, ['*'] = 1, ['['] = 1, [']'] = 1,          ['|'] = 1,
    ['~'] = 1,     ['$'] = 1, ['_'] = 1, ['#'] = 1, [1 ... 8] = HIDDEN, [14 ... 31] = HIDDEN,
    [127] = HIDDEN
  };
  size_t n = text.n;
  for (size_t i = 0; i < text.n;) {
    unsigned char c = (unsigned char)text.p[i];
    if (c < 0x80)
      n += more[c], i++;
    else if (hm_cp_is_hidden(hm_text_next(text, &i)))
      n += HIDDEN;
  }
  return n;
}

/* --- JSON ------------------------------------------------------------------------------------ */

static bool is_scalar(const hm_json *j) {
  return j->type != HM_JSON_ARRAY && j->type != HM_JSON_OBJECT;
}

static hm_str scalar_text(const hm_json *j) {
  switch (j->type) {
    case HM_JSON_NULL:
      return HM_STR("not set");
    case HM_JSON_FALSE:
      return HM_STR("false");
    case HM_JSON_TRUE:
      return HM_STR("true");
    default:
      return j->text;
  }
}

static bool is_flat_list(const hm_json *j) {
  if (j->type != HM_JSON_ARRAY)
    return false;
  for (const hm_json *c = j->child; c; c = c->next)
    if (!is_scalar(c))
      return false;
  return true;
}

hm_str hm_format_json(const hm_json *j, hm_arena *a) {
  if (is_scalar(j))
    return scalar_text(j);
  hm_buf b = { 0 };
  if (is_flat_list(j) && j->child)
    for (const hm_json *c = j->child; c; c = c->next) {
      hm_buf_str(&b, scalar_text(c));
      if (c->next)
        hm_buf_c(&b, ", ");
    }
  else
    hm_json_write(&b, j);
  return hm_buf_take(&b, a);
}

/* ["a","b"] of plain ASCII, as nearly all are: what stands between the quotes
 * needs no parser. *n: how many strings; false: not of that form. */
static bool is_plain_list(hm_str s, size_t *n) {
  size_t i = 1;
  for (*n = 0; i < s.n && s.p[i] == '"'; i += s.p[i] == ',') {
    for (i++; i < s.n && s.p[i] != '"'; i++)
      if (s.p[i] < 0x20 || s.p[i] > 0x7e || s.p[i] == '\\')
        return false;
    if (++i >= s.n || !(s.p[i] == ',' || i + 1 == s.n))
      return false;
    ++*n;
  }
  return *n && i + 1 == s.n && s.p[0] == '[' && s.p[i] == ']' && s.p[i - 1] == '"';
}

static size_t plain_list(hm_str s, hm_str *out) {
  size_t n = 0;
  for (const char *p = s.p + 1, *end; *p == '"'; p = end[1] == ',' ? end + 2 : end + 1) {
    end = memchr(p + 1, '"', (size_t)(s.p + s.n - p - 1));
    if (end > p + 1)
      out[n++] = (hm_str){ p + 1, (size_t)(end - p - 1) };
  }
  return n;
}

size_t hm_format_json_list(hm_str json, hm_arena *a, hm_str **out) {
  hm_json *j = NULL;
  hm_str trimmed = hm_str_trim(json);
  size_t plain;
  *out = NULL;
  if (trimmed.n == 0)
    return 0;
  if (is_plain_list(trimmed, &plain)) {
    *out = hm_alloc_array(a, plain, sizeof **out);
    return plain_list(trimmed, *out);
  }
  if (trimmed.p[0] != '[' || hm_json_parse(a, trimmed, &j, NULL)) {
    *out = hm_alloc(a, sizeof **out);
    **out = trimmed;
    return 1;
  }
  size_t n = 0;
  *out = hm_alloc_array(a, j->count + 1, sizeof **out);
  for (const hm_json *c = j->child; c; c = c->next) {
    hm_str s = hm_format_json(c, a);
    if (c->type != HM_JSON_NULL && s.n)
      (*out)[n++] = s;
  }
  return n;
}

/* --- dates and numbers ----------------------------------------------------------------------- */

static bool is_digits(hm_str s, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (!hm_is_digit(s.p[i]))
      return false;
  return true;
}

hm_str hm_format_date(hm_arena *a, hm_str s) {
  static const char months[] = "Jan\0Feb\0Mar\0Apr\0May\0Jun\0Jul\0Aug\0Sep\0Oct\0Nov\0Dec";
  if (s.n < 7 || !is_digits(s, 0, 4) || s.p[4] != '-' || !is_digits(s, 5, 7))
    return s;
  int month = (s.p[5] - '0') * 10 + s.p[6] - '0', day = 0;
  if (month < 1 || month > 12)
    return s;
  const char *name = months + 4 * (month - 1);
  if (s.n == 7)
    return hm_str_fmt(a, "%s %.4s", name, s.p);
  if (s.n < 10 || s.p[7] != '-' || !is_digits(s, 8, 10))
    return s;
  day = (s.p[8] - '0') * 10 + s.p[9] - '0';
  return hm_str_fmt(a, "%d %s %.4s", day, name, s.p);
}

hm_str hm_format_window(hm_arena *a, hm_str from, hm_str until) {
  if (from.n && until.n)
    return hm_str_fmt(a, "%.*s to %.*s", HM_FMT(from), HM_FMT(until));
  if (from.n)
    return hm_str_fmt(a, "since %.*s", HM_FMT(from));
  return until.n ? hm_str_fmt(a, "until %.*s", HM_FMT(until)) : HM_EMPTY;
}

hm_str hm_format_grouped_number(hm_arena *a, uint64_t n) {
  char out[32], *p = out + sizeof out;
  int digits = 0;
  do {
    if (digits && digits % 3 == 0)
      *--p = ',';
    *--p = (char)('0' + n % 10);
    digits++;
  } while (n /= 10);
  return hm_str_dup(a, (hm_str){ p, (size_t)(out + sizeof out - p) });
}

hm_str hm_format_count_phrase(hm_arena *a, uint64_t n, const char *one, const char *many) {
  return hm_str_fmt(a, "%.*s %s", HM_FMT(hm_format_grouped_number(a, n)), n == 1 ? one : many);
}

hm_str hm_compared_text(hm_arena *a, const hm_compared *c) {
  hm_buf b = { 0 };
  if (c->values)
    hm_buf_fmt(&b, "compared %.*s in %.*s",
               HM_FMT(hm_format_count_phrase(a, (uint64_t)c->values, "value", "values")),
               HM_FMT(hm_format_count_phrase(a, (uint64_t)c->places, "place", "places")));
  else
    hm_buf_c(&b, "no value was compared");
  if (c->unread)
    hm_buf_fmt(&b, "; %.*s of %.*s %s nothing that could be read",
               HM_FMT(hm_format_grouped_number(a, (uint64_t)c->unread)),
               HM_FMT(hm_format_count_phrase(a, (uint64_t)c->memories, "memory", "memories")),
               c->unread == 1 ? "states" : "state");
  return hm_buf_take(&b, a);
}
