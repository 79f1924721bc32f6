/* Addresses are decoded once, and refused unless they are in their shortest form: what two readers
 * could read in two ways is not read at all. */
#include "gen/http/uri.h"
#include <string.h>
#include "core/base/text.h"

static int refuse_address(hm_err *err, const char *why) {
  return hm_fail(err, HM_E_INPUT, "the address of the request", why,
                 "write it as RFC 3986 says, in its shortest form");
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int decode(hm_arena *a, hm_str s, bool plus, hm_str *out, hm_err *err) {
  char *p = hm_alloc(a, s.n + 1);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    unsigned char c = (unsigned char)s.p[i];
    if (c == '%') {
      bool whole = i + 2 < s.n;
      int high = whole ? hex_digit(s.p[i + 1]) : -1, low = whole ? hex_digit(s.p[i + 2]) : -1;
      if (high < 0 || low < 0) return refuse_address(err, "a '%' without two hexadecimal digits");
      if (!high && !low) return refuse_address(err, "a NUL in it");
      c = (unsigned char)(high << 4 | low);
      i += 2;
    } else if (c <= ' ' || c == 0x7f) {
      return refuse_address(err, "a control character in it");
    } else if (plus && c == '+') {
      c = ' ';
    }
    p[n++] = (char)c;
  }
  *out = (hm_str){ p, n };
  return hm_text_repair(a, *out).p == p ? 0 : refuse_address(err, "it is not UTF-8");
}

/* The part of *rest up to the first sep, which is taken out too; *more: there was one. */
static hm_str cut_part(hm_str *rest, char sep, bool *more) {
  const char *at = rest->n ? memchr(rest->p, sep, rest->n) : NULL;
  size_t n = at ? (size_t)(at - rest->p) : rest->n;
  hm_str part = hm_str_sub(*rest, 0, n);
  *rest = hm_str_sub(*rest, at ? n + 1 : n, rest->n);
  *more = at != NULL;
  return part;
}

static int read_path(hm_arena *a, hm_str path, hm_uri *u, hm_err *err) {
  if (!hm_str_starts(path, "/")) return refuse_address(err, "it does not begin with '/'");
  u->segments = hm_alloc_array(a, HM_SEGMENTS_MAX, sizeof *u->segments);
  hm_str rest = hm_str_sub(path, 1, path.n);
  for (bool more = true; more;) {
    hm_str raw = cut_part(&rest, '/', &more);
    u->folder = !more && !raw.n;
    if (u->folder) break;
    if (u->n == HM_SEGMENTS_MAX) return refuse_address(err, "too many segments");
    hm_str *s = &u->segments[u->n++];
    if (decode(a, raw, false, s, err)) return -1;
    if (!s->n || hm_str_is(*s, ".") || hm_str_is(*s, ".."))
      return refuse_address(err, "its path is not in normal form");
  }
  hm_buf b = { 0 };
  for (size_t i = 0; i < u->n; i++) {
    hm_buf_ch(&b, '/');
    hm_buf_str(&b, u->segments[i]);
  }
  if (u->folder) hm_buf_ch(&b, '/');
  u->path = hm_buf_take(&b, a);
  return 0;
}

static int read_query(hm_arena *a, hm_str query, hm_uri *u, hm_err *err) {
  if (!query.n) return 0;
  u->query = hm_alloc_array(a, HM_QUERY_MAX, sizeof *u->query);
  for (bool more = true, ignored; more;) {
    hm_str value = cut_part(&query, '&', &more), name = cut_part(&value, '=', &ignored);
    if (u->n_query == HM_QUERY_MAX) return refuse_address(err, "too many parameters");
    hm_pair *p = &u->query[u->n_query++];
    if (decode(a, name, true, &p->name, err) || decode(a, value, true, &p->value, err)) return -1;
  }
  return 0;
}

int hm_uri_parse(hm_arena *a, hm_str target, hm_uri *out, hm_err *err) {
  bool ignored;
  *out = (hm_uri){ 0 };
  if (target.n && memchr(target.p, '#', target.n)) return refuse_address(err, "a '#' in it");
  hm_str path = cut_part(&target, '?', &ignored);
  return read_path(a, path, out, err) || read_query(a, target, out, err) ? -1 : 0;
}

static bool has_slash(hm_str s) {
  return s.n && (memchr(s.p, '/', s.n) || memchr(s.p, '\\', s.n));
}

/* Segments from the i-th on, joined as they stand in path. */
static bool take_rest(const hm_uri *u, size_t i, hm_str *out) {
  size_t from = 1;
  for (size_t k = 0; k < u->n; k++) {
    if (k >= i && has_slash(u->segments[k])) return false;
    if (k < i) from += u->segments[k].n + 1;
  }
  *out = hm_str_sub(u->path, from, u->path.n);
  return true;
}

bool hm_uri_matches(const hm_uri *u, const char *pattern, hm_str params[HM_PARAMS_MAX]) {
  size_t i = 0, n = 0;
  hm_str rest = hm_str_c(pattern + 1);
  for (bool more = rest.n > 0; more; i++) {
    hm_str want = cut_part(&rest, '/', &more);
    bool name = hm_str_starts(want, "{");
    if (name && n == HM_PARAMS_MAX) return false;
    if (name && hm_str_ends(want, "...}")) return take_rest(u, i, &params[n]);
    if (i >= u->n || (!name && !hm_str_eq(want, u->segments[i]))) return false;
    if (name) params[n++] = u->segments[i];
  }
  return i == u->n && (!u->folder || !u->n);
}
