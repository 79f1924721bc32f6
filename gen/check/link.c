#include "gen/check/link.h"

#include <string.h>

static bool alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool scheme_char(char c) {
  return alpha(c) || (c >= '0' && c <= '9') || c == '+' || c == '.' || c == '-';
}

static bool has_scheme(hm_str url) {
  size_t i = 0;
  if (!url.n || !alpha(url.p[0])) return false;
  while (i < url.n && scheme_char(url.p[i])) i++;
  return i < url.n && url.p[i] == ':';
}

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static hm_str decode(hm_str s, hm_arena *a) {
  if (!s.n || !memchr(s.p, '%', s.n)) return s;
  char *p = hm_alloc(a, s.n);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    bool coded = s.p[i] == '%' && i + 2 < s.n && hex(s.p[i + 1]) >= 0 && hex(s.p[i + 2]) >= 0;
    p[n++] = coded ? (char)(hex(s.p[i + 1]) * 16 + hex(s.p[i + 2])) : s.p[i];
    if (coded) i += 2;
  }
  return (hm_str){ p, n };
}

/* Cuts s at its first c; returns what stands after it. */
static hm_str cut(hm_str *s, char c) {
  const char *at = s->n ? memchr(s->p, c, s->n) : NULL;
  if (!at) return HM_EMPTY;
  hm_str rest = hm_str_sub(*s, (size_t)(at - s->p) + 1, s->n);
  s->n = (size_t)(at - s->p);
  return rest;
}

/* The path of an address: "https://host/a/" -> "a/". */
static hm_str path_of(hm_str base_url) {
  ptrdiff_t host = hm_str_find(base_url, "://");
  if (host < 0) return HM_EMPTY;
  hm_str rest = hm_str_sub(base_url, (size_t)host + 3, base_url.n);
  return cut(&rest, '/');
}

static bool drop_prefix(hm_str *s, hm_str prefix) {
  if (s->n < prefix.n || memcmp(s->p, prefix.p, prefix.n) != 0) return false;
  *s = hm_str_sub(*s, prefix.n, s->n);
  return true;
}

static hm_str folder_of(hm_str path) {
  const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
  return hm_str_sub(path, 0, slash ? (size_t)(slash - path.p) + 1 : 0);
}

/* dir ("a/b/") and a relative path, without "." and ".."; false when it climbs out. */
static bool join(hm_str dir, hm_str path, hm_arena *a, hm_str *out) {
  char *p = hm_alloc(a, dir.n + path.n + 1);
  size_t n = dir.n;
  if (n) memcpy(p, dir.p, n);
  for (size_t from = 0; from < path.n;) {
    const char *slash = memchr(path.p + from, '/', path.n - from);
    size_t end = slash ? (size_t)(slash - path.p) : path.n;
    hm_str name = hm_str_sub(path, from, end);
    from = end + (slash != NULL);
    if (hm_str_is(name, "..")) {
      if (!n) return false;
      n = folder_of((hm_str){ p, n - 1 }).n;
    } else if (name.n && !hm_str_is(name, ".")) {
      memcpy(p + n, name.p, name.n);
      n += name.n;
      if (slash) p[n++] = '/';
    }
  }
  *out = (hm_str){ p, n };
  return true;
}

/* Of an address that is one of the site's, the path below base_url; of a reference, itself. */
typedef enum { REFERENCE, ADDRESS, FOREIGN } form;

static form strip_base(hm_str *url, hm_str base_url) {
  if (has_scheme(*url) || hm_str_starts(*url, "//"))
    return base_url.n && drop_prefix(url, base_url) ? ADDRESS : FOREIGN;
  if (!hm_str_starts(*url, "/")) return REFERENCE;
  *url = hm_str_sub(*url, 1, url->n);
  return drop_prefix(url, path_of(base_url)) ? ADDRESS : FOREIGN;
}

hm_link_kind hm_link_resolve(hm_str from, hm_str url, hm_str base_url, hm_arena *a,
                             hm_link_target *out) {
  hm_str path = hm_str_trim(url);
  *out = (hm_link_target){ .path = from, .fragment = HM_EMPTY };
  form f = strip_base(&path, base_url);
  if (f == FOREIGN) return HM_LINK_ELSEWHERE;
  out->fragment = decode(cut(&path, '#'), a);
  cut(&path, '?');
  out->here = f == REFERENCE && !path.n;
  if (out->here) return HM_LINK_INSIDE;
  hm_str dir = f == ADDRESS ? HM_EMPTY : folder_of(from);
  return join(dir, decode(path, a), a, &out->path) ? HM_LINK_INSIDE : HM_LINK_OUTSIDE;
}
