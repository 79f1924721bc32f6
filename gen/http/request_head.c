/* See request_head.h. Decodes a target once, and refuses it unless it is in normal form, so that no
 * two programs can read it differently. Then one check for each danger: request smuggling, DNS
 * rebinding, a guessed token, a page of another site. */
#include <arpa/inet.h>
#include <string.h>
#include <strings.h>
#include "core/base/ascii.h"
#include "core/base/text.h"
#include "gen/http/request_head.h"

static bool same_word(hm_str s, const char *z) {
  return s.n == strlen(z) && strncasecmp(s.p, z, s.n) == 0;
}

hm_str hm_request_header(const hm_request *q, const char *name, bool *found) {
  size_t i = 0;
  while (i < q->n_headers && !same_word(q->headers[i].name, name))
    i++;
  if (found)
    *found = i < q->n_headers;
  return i < q->n_headers ? q->headers[i].value : HM_EMPTY;
}

/* --- the address ------------------------------------------------------------------------------ */

static int refuse_address(hm_err *err, const char *why) {
  return hm_fail(err, HM_E_INPUT, "the address of the request", why,
                 "write it as RFC 3986 says, in its shortest form");
}

static int decode(hm_arena *a, hm_str s, bool plus, hm_str *out, hm_err *err) {
  char *p = hm_alloc(a, s.n + 1);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    unsigned char c = (unsigned char)s.p[i];
    if (c == '%') {
      bool whole = i + 2 < s.n;
      int high = whole ? hm_hex_value(s.p[i + 1]) : -1;
      int low = whole ? hm_hex_value(s.p[i + 2]) : -1;
      if (high < 0 || low < 0)
        return refuse_address(err, "a '%' without two hexadecimal digits");
      if (!high && !low)
        return refuse_address(err, "a NUL in it");
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

/* Cuts off and returns the part of *rest up to the first sep, and removes sep; *more: there was
 * one. */
static hm_str cut_part(hm_str *rest, char sep, bool *more) {
  const char *at = rest->n ? memchr(rest->p, sep, rest->n) : NULL;
  size_t n = at ? (size_t)(at - rest->p) : rest->n;
  hm_str part = hm_str_sub(*rest, 0, n);
  *rest = hm_str_sub(*rest, at ? n + 1 : n, rest->n);
  *more = at != NULL;
  return part;
}

static int read_path(hm_arena *a, hm_str path, hm_uri *u, hm_err *err) {
  if (!hm_str_starts(path, "/"))
    return refuse_address(err, "it does not begin with '/'");
  u->segments = hm_alloc_array(a, HM_SEGMENTS_MAX, sizeof *u->segments);
  hm_str rest = hm_str_sub(path, 1, path.n);
  for (bool more = true; more;) {
    hm_str raw = cut_part(&rest, '/', &more);
    u->folder = !more && !raw.n;
    if (u->folder)
      break;
    if (u->n == HM_SEGMENTS_MAX)
      return refuse_address(err, "too many segments");
    hm_str *s = &u->segments[u->n++];
    if (decode(a, raw, false, s, err))
      return -1;
    if (!s->n || hm_str_is(*s, ".") || hm_str_is(*s, ".."))
      return refuse_address(err, "its path is not in normal form");
  }
  hm_buf b = { 0 };
  for (size_t i = 0; i < u->n; i++) {
    hm_buf_ch(&b, '/');
    hm_buf_str(&b, u->segments[i]);
  }
  if (u->folder)
    hm_buf_ch(&b, '/');
  u->path = hm_buf_take(&b, a);
  return 0;
}

static int read_query(hm_arena *a, hm_str query, hm_uri *u, hm_err *err) {
  if (!query.n)
    return 0;
  u->query = hm_alloc_array(a, HM_QUERY_MAX, sizeof *u->query);
  for (bool more = true, ignored; more;) {
    hm_str value = cut_part(&query, '&', &more), name = cut_part(&value, '=', &ignored);
    if (u->n_query == HM_QUERY_MAX)
      return refuse_address(err, "too many parameters");
    hm_pair *p = &u->query[u->n_query++];
    if (decode(a, name, true, &p->name, err) || decode(a, value, true, &p->value, err))
      return -1;
  }
  return 0;
}

int hm_uri_parse(hm_arena *a, hm_str target, hm_uri *out, hm_err *err) {
  bool ignored;
  *out = (hm_uri){ 0 };
  if (target.n && memchr(target.p, '#', target.n))
    return refuse_address(err, "a '#' in it");
  hm_str path = cut_part(&target, '?', &ignored);
  return read_path(a, path, out, err) || read_query(a, target, out, err) ? -1 : 0;
}

/* Segments from the i-th on, joined as they stand in path. */
static bool take_rest(const hm_uri *u, size_t i, hm_str *out) {
  size_t from = 1;
  for (size_t k = 0; k < u->n; k++) {
    hm_str s = u->segments[k];
    if (k >= i && s.n && (memchr(s.p, '/', s.n) || memchr(s.p, '\\', s.n)))
      return false;
    if (k < i)
      from += u->segments[k].n + 1;
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
    if (name && n == HM_PARAMS_MAX)
      return false;
    if (name && hm_str_ends(want, "...}"))
      return take_rest(u, i, &params[n]);
    if (i >= u->n || (!name && !hm_str_eq(want, u->segments[i])))
      return false;
    if (name)
      params[n++] = u->segments[i];
  }
  return i == u->n && (!u->folder || !u->n);
}

/* --- the checks ------------------------------------------------------------------------------- */

enum { MOST_HEADERS = 100 };

static int refuse_head(int status, hm_code code, const char *what, const char *why, const char *fix,
                       hm_err *err) {
  hm_fail(err, code, what, why, fix);
  return status;
}

static int refuse_framing(const char *what, const char *why, hm_err *err) {
  return refuse_head(400, HM_E_INPUT, what, why, "send one plain HTTP/1.1 request", err);
}

static bool is_token(hm_str s) {
  for (size_t i = 0; i < s.n; i++) {
    unsigned char c = (unsigned char)s.p[i];
    if (c <= ' ' || c >= 0x7f || strchr("\"(),/:;<=>?@[\\]{}", c))
      return false;
  }
  return s.n > 0;
}

static bool is_text(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (((unsigned char)s.p[i] < ' ' && s.p[i] != '\t') || s.p[i] == 0x7f)
      return false;
  return true;
}

/* Headers that must not repeat: some programs would read the second one, others the first. */
static const char *const SINGLE[] = { "Authorization", "Content-Length", "Content-Type",     "Host",
                                      "Origin",        "Sec-Fetch-Site", "Transfer-Encoding" };
enum { LENGTH = 1, HOST = 3, ENCODING = 6, N_SINGLE = HM_COUNT(SINGLE) };

int hm_guard_header_syntax(const hm_pair *h, size_t n, size_t header_limit, hm_err *err) {
  hm_str seen[N_SINGLE] = { { 0 } };
  size_t bytes = 0;
  for (size_t i = 0; i < n; i++) {
    bytes += h[i].name.n + h[i].value.n;
    if (!is_token(h[i].name) || !is_text(h[i].value))
      return refuse_framing("a header", "a character that may not stand there", err);
    int k = 0;
    while (k < N_SINGLE && !same_word(h[i].name, SINGLE[k]))
      k++;
    if (k == N_SINGLE)
      continue;
    if (seen[k].p)
      return refuse_framing(SINGLE[k], "it is sent twice", err);
    seen[k] = h[i].value;
  }
  if (bytes > header_limit || n > MOST_HEADERS)
    return refuse_head(431, HM_E_INPUT, "the headers", "they are too long or too many",
                       "send fewer", err);
  if (!seen[HOST].p)
    return refuse_framing("Host", "it is missing", err);
  if (seen[LENGTH].p && seen[ENCODING].p)
    return refuse_framing("Content-Length", "it stands beside Transfer-Encoding", err);
  if (seen[ENCODING].p && !same_word(seen[ENCODING], "chunked"))
    return refuse_framing("Transfer-Encoding", "not 'chunked'", err);
  return 0;
}

/* "name:80" -> "name", "[::1]:80" -> "::1". Empty when host is invalid. */
static hm_str host_name(hm_str host) {
  bool six = hm_str_starts(host, "[");
  ptrdiff_t end = hm_str_find(host, six ? "]" : ":");
  if (six && end < 0)
    return HM_EMPTY;
  hm_str port = end < 0 ? HM_EMPTY : hm_str_sub(host, (size_t)end + (six ? 1 : 0), host.n);
  for (size_t i = 0; i < port.n; i++)
    if (i ? !hm_is_digit(port.p[i]) : port.p[i] != ':')
      return HM_EMPTY;
  return hm_str_sub(host, six ? 1 : 0, end < 0 ? host.n : (size_t)end);
}

static bool is_numeric(hm_str name) {
  char z[64];
  unsigned char address[16];
  if (name.n >= sizeof z)
    return false;
  memcpy(z, name.p, name.n);
  z[name.n] = 0;
  return inet_pton(AF_INET, z, address) == 1 || inet_pton(AF_INET6, z, address) == 1;
}

int hm_guard_host(const hm_guard *g, hm_str host, hm_err *err) {
  static const char *const here[] = { "localhost", "127.0.0.1", "::1" };
  hm_str name = host_name(host);
  for (size_t i = 0; i < HM_COUNT(here); i++)
    if (same_word(name, here[i]))
      return 0;
  if (name.n && (hm_str_eq(name, g->address) || (g->any_address && is_numeric(name))))
    return 0;
  if (name.n && name.n == g->host.n && strncasecmp(name.p, g->host.p, name.n) == 0)
    return 0;
  return refuse_head(421, HM_E_INPUT, "Host", "this server is not called so",
                     "ask for localhost, or start it with --host and that name", err);
}

size_t hm_base64_decode(hm_str s, char *out, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t n = 0;
  unsigned bits = 0, have = 0;
  for (size_t i = 0; i < 2 && hm_str_ends(s, "="); i++)
    s.n--;
  for (size_t i = 0; i < s.n; i++) {
    const char *at = s.p[i] ? strchr(digits, s.p[i]) : NULL;
    if (!at)
      return 0;
    bits = (bits << 6 | (unsigned)(at - digits)) & 0xffff;
    have += 6;
    if (have < 8)
      continue;
    if (n == size)
      return 0;
    have -= 8;
    out[n++] = (char)(bits >> have);
  }
  return n;
}

/* The time depends on the length of b alone. */
static bool equal_in_constant_time(hm_str a, hm_str b) {
  unsigned char differ = a.n != b.n;
  for (size_t i = 0; i < b.n; i++)
    differ |= (unsigned char)(b.p[i] ^ (a.n ? a.p[i % a.n] : 0));
  return !differ;
}

int hm_guard_token(const hm_guard *g, hm_str authorization, hm_err *err) {
  if (!g->token.n)
    return 0;
  ptrdiff_t space = hm_str_find(authorization, " ");
  hm_str scheme = hm_str_sub(authorization, 0, space < 0 ? authorization.n : (size_t)space);
  hm_str given = hm_str_trim(hm_str_sub(authorization, scheme.n, authorization.n));
  char plain[512];
  if (same_word(scheme, "Basic")) {
    hm_str pair = { plain, hm_base64_decode(given, plain, sizeof plain) };
    ptrdiff_t colon = hm_str_find(pair, ":");
    given = colon < 0 ? HM_EMPTY : hm_str_sub(pair, (size_t)colon + 1, pair.n);
  } else if (!same_word(scheme, "Bearer")) {
    given = HM_EMPTY;
  }
  if (equal_in_constant_time(given, g->token))
    return 0;
  return refuse_head(401, HM_E_USAGE, "Authorization",
                     given.n ? "not the token of this server" : "a token is needed",
                     "send 'Authorization: Bearer TOKEN'", err);
}

/* "http://HOST" or "https://HOST". */
static bool is_origin_of(hm_str origin, hm_str host) {
  const char *scheme = hm_str_starts(origin, "https://") ? "https://" : "http://";
  if (!hm_str_starts(origin, scheme))
    return false;
  hm_str authority = hm_str_sub(origin, strlen(scheme), origin.n);
  return authority.n == host.n && strncasecmp(authority.p, host.p, host.n) == 0;
}

int hm_guard_origin(const hm_request *q, hm_str host, hm_err *err) {
  bool has_origin, has_site;
  hm_str origin = hm_request_header(q, "Origin", &has_origin);
  hm_str site = hm_request_header(q, "Sec-Fetch-Site", &has_site);
  if (q->method == HM_GET)
    return 0;
  if ((!has_origin || is_origin_of(origin, host)) &&
      (!has_site || same_word(site, "same-origin") || same_word(site, "none")))
    return 0;
  return refuse_head(403, HM_E_INPUT, has_origin ? "Origin" : "Sec-Fetch-Site",
                     "a page of another site may not write here",
                     "write from this server's own pages, or from a program", err);
}

int hm_guard_type(unsigned takes, hm_str content_type, hm_err *err) {
  ptrdiff_t end = hm_str_find(content_type, ";");
  hm_str type = hm_str_trim(hm_str_sub(content_type, 0, end < 0 ? content_type.n : (size_t)end));
  if ((takes & HM_TAKES_JSON) && same_word(type, "application/json"))
    return 0;
  if ((takes & HM_TAKES_FORM) && same_word(type, "application/x-www-form-urlencoded"))
    return 0;
  return refuse_head(415, HM_E_INPUT, "Content-Type", "not what this address takes",
                     takes & HM_TAKES_JSON ? "send application/json"
                                           : "send application/x-www-form-urlencoded",
                     err);
}
