/* The tags of HTML, as far as links and ids need them: HTML Living Standard, section 13.2.5. */
#include <string.h>

#include "core/base/text.h"
#include "gen/check/link.h"

typedef struct {
  hm_str s;
  size_t at;
  size_t counted, line;      /* lines are counted up to here */
  hm_arena *a;
  const hm_html_visitor *v;
  void *ctx;
} scanner;

static bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

static bool same_name(hm_str s, const char *name) {
  size_t n = strlen(name);
  if (s.n != n) return false;
  for (size_t i = 0; i < n; i++)
    if (lower(s.p[i]) != name[i]) return false;
  return true;
}

static size_t line_at(scanner *h, size_t at) {
  const char *p = h->s.p + h->counted, *end = h->s.p + at;
  while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) h->line++, p++;
  if (at > h->counted) h->counted = at;
  return h->line;
}

/* --- character references ------------------------------------------------- */

static size_t numeric(hm_str s, size_t i, uint32_t *cp) {
  size_t from = i;
  bool is_hex = i < s.n && lower(s.p[i]) == 'x';
  uint32_t n = 0;
  if (is_hex) from = ++i;
  for (; i < s.n && i < from + 8; i++) {
    char c = lower(s.p[i]);
    if (c >= '0' && c <= '9') n = n * (is_hex ? 16 : 10) + (uint32_t)(c - '0');
    else if (is_hex && c >= 'a' && c <= 'f') n = n * 16 + (uint32_t)(c - 'a' + 10);
    else break;
  }
  *cp = n;
  return i == from ? 0 : i;
}

size_t hm_entity_at(hm_str s, size_t i, uint32_t *cp) {
  static const struct { const char *name; uint32_t cp;
  } names[] = { { "amp", '&' },  { "lt", '<' },    { "gt", '>' },
                { "quot", '"' }, { "apos", '\'' }, { "nbsp", 0xA0 } };
  size_t start = i++;
  if (i < s.n && s.p[i] == '#') {
    size_t end = numeric(s, i + 1, cp);
    if (!end) return 0;
    return end + (end < s.n && s.p[end] == ';') - start;
  }
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    size_t n = strlen(names[k].name);
    if (s.n - i <= n || memcmp(s.p + i, names[k].name, n) != 0 || s.p[i + n] != ';') continue;
    *cp = names[k].cp;
    return n + 2;
  }
  return 0;
}

static hm_str decode(hm_str s, hm_arena *a) {
  if (!s.n || !memchr(s.p, '&', s.n)) return s;
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n;) {
    uint32_t cp;
    size_t n = s.p[i] == '&' ? hm_entity_at(s, i, &cp) : 0;
    if (n) hm_text_put(&b, cp);
    else hm_buf_ch(&b, s.p[i]);
    i += n ? n : 1;
  }
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

/* --- attributes ----------------------------------------------------------- */

/* "a.png 1x, b.png 2x" */
static void on_srcset(scanner *h, hm_str s, size_t line) {
  for (size_t i = 0; i < s.n;) {
    while (i < s.n && (is_space(s.p[i]) || s.p[i] == ',')) i++;
    size_t from = i;
    while (i < s.n && !is_space(s.p[i])) i++;
    size_t to = i;
    while (to > from && s.p[to - 1] == ',') to--;
    if (to > from) h->v->link(h->ctx, hm_str_sub(s, from, to), line);
    if (to == i)
      while (i < s.n && s.p[i] != ',') i++;
  }
}

typedef enum { AS_LINK, AS_SET, AS_ID } meaning;
/* element NULL: any. */
static const struct { const char *name, *element; meaning as; } attributes[] = {
  { "href", NULL, AS_LINK }, { "src", NULL, AS_LINK }, { "id", NULL, AS_ID },
  { "name", "a", AS_ID }, { "srcset", NULL, AS_SET },
  { "poster", "video", AS_LINK }, { "action", "form", AS_LINK }, { "data", "object", AS_LINK },
  { "xlink:href", NULL, AS_LINK },
};

static void on_attribute(scanner *h, hm_str element, hm_str name, hm_str value, size_t at) {
  size_t i = 0, n = sizeof attributes / sizeof *attributes;
  while (i < n &&
         !(same_name(name, attributes[i].name) &&
           (!attributes[i].element || same_name(element, attributes[i].element))))
    i++;
  if (i == n) return;
  size_t line = line_at(h, at);
  value = decode(value, h->a);
  if (attributes[i].as == AS_ID) h->v->id(h->ctx, value, line);
  else if (attributes[i].as == AS_SET) on_srcset(h, value, line);
  else if (same_name(element, "base")) h->v->base(h->ctx, value);
  else h->v->link(h->ctx, value, line);
}

static hm_str read_value(hm_str s, size_t *i) {
  char quote = *i < s.n && (s.p[*i] == '"' || s.p[*i] == '\'') ? s.p[*i] : 0;
  size_t from = quote ? ++*i : *i;
  while (*i < s.n && (quote ? s.p[*i] != quote : !is_space(s.p[*i]) && s.p[*i] != '>')) ++*i;
  hm_str value = hm_str_sub(s, from, *i);
  if (quote && *i < s.n) ++*i;
  return value;
}

/* From behind a tag's name to behind its '>'. */
static void read_attributes(scanner *h, hm_str element) {
  hm_str s = h->s;
  size_t i = h->at;
  for (;;) {
    while (i < s.n && (is_space(s.p[i]) || s.p[i] == '/')) i++;
    if (i >= s.n || s.p[i] == '>') break;
    size_t from = i++;
    while (i < s.n && !is_space(s.p[i]) && s.p[i] != '=' && s.p[i] != '>' && s.p[i] != '/') i++;
    hm_str name = hm_str_sub(s, from, i), value = HM_EMPTY;
    while (i < s.n && is_space(s.p[i])) i++;
    if (i < s.n && s.p[i] == '=') {
      i++;
      while (i < s.n && is_space(s.p[i])) i++;
      value = read_value(s, &i);
    }
    if (i < s.n) on_attribute(h, element, name, value, from);
  }
  h->at = i < s.n ? i + 1 : s.n;
}

/* --- tags ------------------------------------------------------------------ */

static void skip_past(scanner *h, const char *end) {
  ptrdiff_t at = hm_str_find(hm_str_sub(h->s, h->at, h->s.n), end);
  h->at = at < 0 ? h->s.n : h->at + (size_t)at + strlen(end);
}

/* To the end tag of an element whose text holds no tags. */
static void skip_raw(scanner *h, hm_str name) {
  while (h->at < h->s.n) {
    const char *lt = memchr(h->s.p + h->at, '<', h->s.n - h->at);
    if (!lt) break;
    h->at = (size_t)(lt - h->s.p) + 1;
    hm_str rest = hm_str_sub(h->s, h->at, h->at + name.n + 1);
    if (rest.n != name.n + 1 || rest.p[0] != '/') continue;
    bool same = true;
    for (size_t i = 0; i < name.n && same; i++) same = lower(rest.p[i + 1]) == lower(name.p[i]);
    if (same) { h->at--; return; }
  }
  h->at = h->s.n;
}

static bool is_raw(hm_str name) {
  static const char *const raw[] = { "script", "style",  "title",   "textarea",
                                     "xmp",    "iframe", "noembed", "noframes" };
  for (size_t i = 0; i < sizeof raw / sizeof *raw; i++)
    if (same_name(name, raw[i])) return true;
  return false;
}

static void on_tag(scanner *h) {
  hm_str s = h->s;
  bool closing = h->at < s.n && s.p[h->at] == '/';
  size_t from = h->at + closing;
  if (from >= s.n || !is_letter(s.p[from])) return;
  size_t i = from;
  while (i < s.n && !is_space(s.p[i]) && s.p[i] != '>' && s.p[i] != '/') i++;
  hm_str name = hm_str_sub(s, from, i);
  h->at = i;
  read_attributes(h, closing ? HM_EMPTY : name);
  if (!closing && is_raw(name)) skip_raw(h, name);
}

void hm_html_visit(hm_str html, size_t line, hm_arena *a, const hm_html_visitor *v, void *ctx) {
  scanner h = { .s = html, .line = line, .a = a, .v = v, .ctx = ctx };
  while (h.at < html.n) {
    const char *lt = memchr(html.p + h.at, '<', html.n - h.at);
    if (!lt) break;
    h.at = (size_t)(lt - html.p) + 1;
    hm_str rest = hm_str_sub(html, h.at, html.n);
    if (hm_str_starts(rest, "!--")) {
      h.at += 1;              /* "<!-->" is a comment */
      skip_past(&h, "-->");
    } else if (hm_str_starts(rest, "!") || hm_str_starts(rest, "?")) {
      skip_past(&h, ">");
    } else {
      on_tag(&h);
    }
  }
}
