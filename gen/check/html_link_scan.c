/* Resolves links, and finds the links and ids of HTML: check_impl.h.
 *
 * Scans HTML only for tags with links and ids. Cost: linear in the bytes.
 * Source: RFC 3986, section 5; HTML Living Standard, section 13.2.5. */
#include "gen/check/check_impl.h"

#include <string.h>
#include <strings.h>

#include "core/base/ascii.h"
#include "core/base/text.h"

static bool has_scheme(hm_str url) {
  size_t i = 0;
  while (i < url.n && (hm_is_letter(url.p[i]) || (i && memchr("0123456789+.-", url.p[i], 13))))
    i++;
  return i && i < url.n && url.p[i] == ':';
}

/* Decodes percent-encoding. */
static hm_str decode_percents(hm_str s, hm_arena *a) {
  if (!s.n || !memchr(s.p, '%', s.n))
    return s;
  char *p = hm_alloc(a, s.n);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    int high = s.p[i] == '%' && i + 2 < s.n ? hm_hex_value(s.p[i + 1]) : -1;
    int low = high < 0 ? -1 : hm_hex_value(s.p[i + 2]);
    p[n++] = low < 0 ? s.p[i] : (char)(high * 16 + low);
    if (low >= 0)
      i += 2;
  }
  return (hm_str){ p, n };
}

/* Cuts s at its first c; returns what stands after it. */
static hm_str cut_at(hm_str *s, char c) {
  const char *at = s->n ? memchr(s->p, c, s->n) : NULL;
  if (!at)
    return HM_EMPTY;
  hm_str rest = hm_str_sub(*s, (size_t)(at - s->p) + 1, s->n);
  s->n = (size_t)(at - s->p);
  return rest;
}

/* The path of an address: "https://host/a/" -> "a/". */
static hm_str path_of(hm_str base_url) {
  ptrdiff_t host = hm_str_find(base_url, "://");
  if (host < 0)
    return HM_EMPTY;
  hm_str rest = hm_str_sub(base_url, (size_t)host + 3, base_url.n);
  return cut_at(&rest, '/');
}

static bool drop_prefix(hm_str *s, hm_str prefix) {
  if (s->n < prefix.n || memcmp(s->p, prefix.p, prefix.n) != 0)
    return false;
  *s = hm_str_sub(*s, prefix.n, s->n);
  return true;
}

static hm_str folder_of(hm_str path) {
  return hm_str_sub(path, 0, path.n - hm_str_behind_last(path, '/').n);
}

/* Joins dir ("a/b/") and a relative path, and resolves "." and ".."; returns false when the result
 * is outside. */
static bool join_paths(hm_str dir, hm_str path, hm_arena *a, hm_str *out) {
  char *p = hm_alloc(a, dir.n + path.n + 1);
  size_t n = dir.n;
  if (n)
    memcpy(p, dir.p, n);
  for (size_t from = 0; from < path.n;) {
    const char *slash = memchr(path.p + from, '/', path.n - from);
    size_t end = slash ? (size_t)(slash - path.p) : path.n;
    hm_str name = hm_str_sub(path, from, end);
    from = end + (slash != NULL);
    if (hm_str_is(name, "..")) {
      if (!n)
        return false;
      n = folder_of((hm_str){ p, n - 1 }).n;
    } else if (name.n && !hm_str_is(name, ".")) {
      memcpy(p + n, name.p, name.n);
      n += name.n;
      if (slash)
        p[n++] = '/';
    }
  }
  *out = (hm_str){ p, n };
  return true;
}

/* For an address inside the site, the path below base_url; a reference unchanged. */
typedef enum { REFERENCE, ADDRESS, FOREIGN } form;

static form strip_base(hm_str *url, hm_str base_url) {
  if (has_scheme(*url) || hm_str_starts(*url, "//"))
    return base_url.n && drop_prefix(url, base_url) ? ADDRESS : FOREIGN;
  if (!hm_str_starts(*url, "/"))
    return REFERENCE;
  *url = hm_str_sub(*url, 1, url->n);
  return drop_prefix(url, path_of(base_url)) ? ADDRESS : FOREIGN;
}

hm_link_kind hm_link_resolve(hm_str from, hm_str url, hm_str base_url, hm_arena *a,
                             hm_link_target *out) {
  hm_str path = hm_str_trim(url);
  *out = (hm_link_target){ .path = from, .fragment = HM_EMPTY };
  form f = strip_base(&path, base_url);
  if (f == FOREIGN)
    return HM_LINK_ELSEWHERE;
  out->fragment = decode_percents(cut_at(&path, '#'), a);
  cut_at(&path, '?');
  out->here = f == REFERENCE && !path.n;
  if (out->here)
    return HM_LINK_INSIDE;
  hm_str dir = f == ADDRESS ? HM_EMPTY : folder_of(from);
  bool inside = join_paths(dir, decode_percents(path, a), a, &out->path);
  return inside ? HM_LINK_INSIDE : HM_LINK_OUTSIDE;
}

/* --- HTML ---------------------------------------------------------------------------- */

typedef struct {
  hm_str s;
  size_t at;
  size_t counted, line; /* lines are counted up to here */
  hm_arena *a;
  const hm_html_visitor *v;
  void *ctx;
} scanner;

static bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

static bool same_name(hm_str s, const char *name) {
  return s.n == strlen(name) && strncasecmp(s.p, name, s.n) == 0;
}

static size_t line_at(scanner *h, size_t at) {
  const char *p = h->s.p + h->counted, *end = h->s.p + at;
  while (p < end && (p = memchr(p, '\n', (size_t)(end - p))))
    h->line++, p++;
  if (at > h->counted)
    h->counted = at;
  return h->line;
}

/* --- character references ------------------------------------------------- */

static size_t read_numeric(hm_str s, size_t i, uint32_t *cp) {
  size_t from = i;
  bool is_hex = i < s.n && hm_ascii_lower(s.p[i]) == 'x';
  uint32_t n = 0, base = is_hex ? 16 : 10;
  if (is_hex)
    from = ++i;
  for (; i < s.n && i < from + 8; i++) {
    int d = hm_hex_value(s.p[i]);
    if (d < 0 || d >= (int)base)
      break;
    n = n * base + (uint32_t)d;
  }
  *cp = n;
  return i == from ? 0 : i;
}

size_t hm_decode_char_reference(hm_str s, size_t i, uint32_t *cp) {
  static const struct {
    const char *name;
    uint32_t cp;
  } names[] = { { "amp", '&' },  { "lt", '<' },    { "gt", '>' },
                { "quot", '"' }, { "apos", '\'' }, { "nbsp", 0xA0 } };
  size_t start = i++;
  if (i < s.n && s.p[i] == '#') {
    size_t end = read_numeric(s, i + 1, cp);
    if (!end)
      return 0;
    return end + (end < s.n && s.p[end] == ';') - start;
  }
  for (size_t k = 0; k < HM_COUNT(names); k++) {
    size_t n = strlen(names[k].name);
    if (s.n - i <= n || memcmp(s.p + i, names[k].name, n) != 0 || s.p[i + n] != ';')
      continue;
    *cp = names[k].cp;
    return n + 2;
  }
  return 0;
}

static hm_str decode_references(hm_str s, hm_arena *a) {
  if (!s.n || !memchr(s.p, '&', s.n))
    return s;
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n;) {
    uint32_t cp;
    size_t n = s.p[i] == '&' ? hm_decode_char_reference(s, i, &cp) : 0;
    if (n)
      hm_text_append(&b, cp);
    else
      hm_buf_ch(&b, s.p[i]);
    i += n ? n : 1;
  }
  return hm_buf_take(&b, a);
}

/* --- attributes ----------------------------------------------------------- */

/* "a.png 1x, b.png 2x" */
static void on_srcset(scanner *h, hm_str s, size_t line) {
  for (size_t i = 0; i < s.n;) {
    while (i < s.n && (is_space(s.p[i]) || s.p[i] == ','))
      i++;
    size_t from = i;
    while (i < s.n && !is_space(s.p[i]))
      i++;
    size_t to = i;
    while (to > from && s.p[to - 1] == ',')
      to--;
    if (to > from)
      h->v->link(h->ctx, hm_str_sub(s, from, to), line);
    if (to == i)
      while (i < s.n && s.p[i] != ',')
        i++;
  }
}

typedef enum { AS_LINK, AS_SET, AS_ID } meaning;
/* element NULL: any. */
static const struct {
  const char *name, *element;
  meaning as;
} attributes[] = {
  { "href", NULL, AS_LINK },     { "src", NULL, AS_LINK },      { "id", NULL, AS_ID },
  { "name", "a", AS_ID },        { "srcset", NULL, AS_SET },    { "poster", "video", AS_LINK },
  { "action", "form", AS_LINK }, { "data", "object", AS_LINK }, { "xlink:href", NULL, AS_LINK },
};

static void on_attribute(scanner *h, hm_str element, hm_str name, hm_str value, size_t at) {
  size_t i = 0, n = HM_COUNT(attributes);
  while (i < n &&
         !(same_name(name, attributes[i].name) &&
           (!attributes[i].element || same_name(element, attributes[i].element))))
    i++;
  if (i == n)
    return;
  size_t line = line_at(h, at);
  value = decode_references(value, h->a);
  if (attributes[i].as == AS_ID)
    h->v->id(h->ctx, value, line);
  else if (attributes[i].as == AS_SET)
    on_srcset(h, value, line);
  else if (same_name(element, "base"))
    h->v->base(h->ctx, value);
  else
    h->v->link(h->ctx, value, line);
}

static hm_str read_value(hm_str s, size_t *i) {
  char quote = *i < s.n && (s.p[*i] == '"' || s.p[*i] == '\'') ? s.p[*i] : 0;
  size_t from = quote ? ++*i : *i;
  while (*i < s.n && (quote ? s.p[*i] != quote : !is_space(s.p[*i]) && s.p[*i] != '>'))
    ++*i;
  hm_str value = hm_str_sub(s, from, *i);
  if (quote && *i < s.n)
    ++*i;
  return value;
}

/* Reads a tag from after its name to after its '>'. */
static void read_attributes(scanner *h, hm_str element) {
  hm_str s = h->s;
  size_t i = h->at;
  for (;;) {
    while (i < s.n && (is_space(s.p[i]) || s.p[i] == '/'))
      i++;
    if (i >= s.n || s.p[i] == '>')
      break;
    size_t from = i++;
    while (i < s.n && !is_space(s.p[i]) && s.p[i] != '=' && s.p[i] != '>' && s.p[i] != '/')
      i++;
    hm_str name = hm_str_sub(s, from, i), value = HM_EMPTY;
    while (i < s.n && is_space(s.p[i]))
      i++;
    if (i < s.n && s.p[i] == '=') {
      i++;
      while (i < s.n && is_space(s.p[i]))
        i++;
      value = read_value(s, &i);
    }
    if (i < s.n)
      on_attribute(h, element, name, value, from);
  }
  h->at = i < s.n ? i + 1 : s.n;
}

/* --- tags ------------------------------------------------------------------ */

static void skip_past(scanner *h, const char *end) {
  ptrdiff_t at = hm_str_find(hm_str_sub(h->s, h->at, h->s.n), end);
  h->at = at < 0 ? h->s.n : h->at + (size_t)at + strlen(end);
}

/* Skips to the end tag of an element whose text holds no tags. */
static void skip_raw(scanner *h, hm_str name) {
  while (h->at < h->s.n) {
    const char *lt = memchr(h->s.p + h->at, '<', h->s.n - h->at);
    if (!lt)
      break;
    h->at = (size_t)(lt - h->s.p) + 1;
    hm_str rest = hm_str_sub(h->s, h->at, h->at + name.n + 1);
    if (rest.n != name.n + 1 || rest.p[0] != '/')
      continue;
    if (strncasecmp(rest.p + 1, name.p, name.n) != 0)
      continue;
    h->at--;
    return;
  }
  h->at = h->s.n;
}

/* True for an element whose text holds no tags. */
static bool is_raw(hm_str name) {
  static const char *const raw[] = { "script", "style",  "title",   "textarea",
                                     "xmp",    "iframe", "noembed", "noframes" };
  for (size_t i = 0; i < HM_COUNT(raw); i++)
    if (same_name(name, raw[i]))
      return true;
  return false;
}

static void on_tag(scanner *h) {
  hm_str s = h->s;
  bool closing = h->at < s.n && s.p[h->at] == '/';
  size_t from = h->at + closing;
  if (from >= s.n || !hm_is_letter(s.p[from]))
    return;
  size_t i = from;
  while (i < s.n && !is_space(s.p[i]) && s.p[i] != '>' && s.p[i] != '/')
    i++;
  hm_str name = hm_str_sub(s, from, i);
  h->at = i;
  read_attributes(h, closing ? HM_EMPTY : name);
  if (!closing && is_raw(name))
    skip_raw(h, name);
}

void hm_html_visit(hm_str html, size_t line, hm_arena *a, const hm_html_visitor *v, void *ctx) {
  scanner h = { .s = html, .line = line, .a = a, .v = v, .ctx = ctx };
  while (h.at < html.n) {
    const char *lt = memchr(html.p + h.at, '<', html.n - h.at);
    if (!lt)
      break;
    h.at = (size_t)(lt - html.p) + 1;
    hm_str rest = hm_str_sub(html, h.at, html.n);
    if (hm_str_starts(rest, "!--")) {
      h.at += 1; /* "<!-->" is a comment */
      skip_past(&h, "-->");
    } else if (hm_str_starts(rest, "!") || hm_str_starts(rest, "?")) {
      skip_past(&h, ">");
    } else {
      on_tag(&h);
    }
  }
}
