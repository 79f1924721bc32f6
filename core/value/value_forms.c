/* Texts that are one thing in several forms, whatever words are around them:
 *
 *   colours     "#FFF" is "#ffffff"; where the slot is a colour also "white", "rgb(255, 255, 255)"
 *   addresses   "10.0.0.5/32" is "10.0.0.5", "10.0.0.0/255.255.255.0" is "10.0.0.0/24"; "::1" is
 *               "0:0:0:0:0:0:0:1"
 *   modes       "0755" and "rwxr-xr-x" are "755", where the slot is one of permissions
 *   encodings   "UTF8" is "utf-8": the table of names
 *
 * A line of a table names two independent sources that use the spelling; tests/data/values.txt has
 * its cases. Cost: linear in the bytes of a short text. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/value/value_impl.h"
#include "core/base/sort.h"

enum { LONGEST = 128 };

/* Sorted by `other`. sources: who writes it so. */
typedef struct {
  const char *other, *one, *sources;
} form;

static const form names[] = {
  { "iso-8859-1", "latin-1", "IANA character sets; WHATWG Encoding" },
  { "iso8859-1", "latin-1", "Python codecs; Java charsets" },
  { "iso8859-15", "iso-8859-15", "Python codecs; glibc" },
  { "iso_8859-1", "latin-1", "IANA character sets; Python codecs" },
  { "latin1", "latin-1", "IANA character sets; MySQL" },
  { "sha1", "sha-1", "OpenSSL; Python hashlib" },
  { "sha256", "sha-256", "OpenSSL; Python hashlib" },
  { "sha384", "sha-384", "OpenSSL; Python hashlib" },
  { "sha512", "sha-512", "OpenSSL; Python hashlib" },
  { "utf16", "utf-16", "Python codecs; PHP mbstring" },
  { "utf32", "utf-32", "Python codecs; PHP mbstring" },
  { "utf8", "utf-8", "WHATWG Encoding; PostgreSQL" },
  { "utf_8", "utf-8", "Python codecs; Ruby" },
};

/* Names of colours in slots of colours: CSS Color and HTML 4 have them all. */
static const form colours[] = {
  { "aqua", "#00ffff", "CSS Color; HTML 4" },    { "black", "#000000", "CSS Color; HTML 4" },
  { "blue", "#0000ff", "CSS Color; HTML 4" },    { "cyan", "#00ffff", "CSS Color; X11" },
  { "fuchsia", "#ff00ff", "CSS Color; HTML 4" }, { "gray", "#808080", "CSS Color; HTML 4" },
  { "green", "#008000", "CSS Color; HTML 4" },   { "grey", "#808080", "CSS Color; SVG" },
  { "lime", "#00ff00", "CSS Color; HTML 4" },    { "magenta", "#ff00ff", "CSS Color; X11" },
  { "maroon", "#800000", "CSS Color; HTML 4" },  { "navy", "#000080", "CSS Color; HTML 4" },
  { "olive", "#808000", "CSS Color; HTML 4" },   { "purple", "#800080", "CSS Color; HTML 4" },
  { "red", "#ff0000", "CSS Color; HTML 4" },     { "silver", "#c0c0c0", "CSS Color; HTML 4" },
  { "teal", "#008080", "CSS Color; HTML 4" },    { "white", "#ffffff", "CSS Color; HTML 4" },
  { "yellow", "#ffff00", "CSS Color; HTML 4" },
};

bool hm_value_forms_are_sorted(void) {
  return HM_WORDS_ARE_SORTED(names) && HM_WORDS_ARE_SORTED(colours);
}

/* --- colours ---------------------------------------------------------------------------------- */

/* "#fff" as "#ffffff". Three digits without a letter may be the number of something. */
static hm_str whole_colour(hm_str s, hm_reading supports, hm_arena *a) {
  bool letter = supports & HM_READ_COLOUR;
  if (s.n != 4 && s.n != 5)
    return HM_EMPTY;
  for (size_t i = 1; i < s.n; i++) {
    if (!hm_is_hex(s.p[i]))
      return HM_EMPTY;
    letter = letter || hm_is_letter(s.p[i]);
  }
  char *p = hm_alloc(a, 2 * s.n);
  for (size_t i = 1; i < s.n; i++)
    p[2 * i - 1] = p[2 * i] = hm_ascii_lower(s.p[i]);
  p[0] = '#';
  return letter ? (hm_str){ p, 2 * s.n - 1 } : HM_EMPTY;
}

/* "#ff0000" of "rgb(255, 0, 0)". */
static hm_str mixed_colour(hm_str s, hm_arena *a) {
  unsigned v[3];
  int end = 0;
  const char *z = hm_str_z(a, s);
  bool read = sscanf(z, "rgb(%u ,%u ,%u )%n", &v[0], &v[1], &v[2], &end) == 3;
  if (!read || (size_t)end != s.n || v[0] > 255 || v[1] > 255 || v[2] > 255)
    return HM_EMPTY;
  return hm_str_fmt(a, "#%02x%02x%02x", v[0], v[1], v[2]);
}

/* --- addresses -------------------------------------------------------------------------------- */

/* The number of four with points between them that are all of s. */
static bool read_four(hm_str s, unsigned *out, hm_arena *a) {
  struct in_addr address;
  bool read = inet_pton(AF_INET, hm_str_z(a, s), &address) == 1;
  *out = read ? ntohl(address.s_addr) : 0;
  return read;
}

/* "10.0.0.5" of "10.0.0.5/32", "10.0.0.0/24" of "10.0.0.0/255.255.255.0". */
static hm_str network(hm_str s, hm_arena *a) {
  const char *slash = memchr(s.p, '/', s.n);
  unsigned address, mask, bits = 0;
  hm_str host = hm_str_sub(s, 0, slash ? (size_t)(slash - s.p) : 0);
  if (!slash || !read_four(host, &address, a))
    return HM_EMPTY;
  hm_str behind = hm_str_sub(s, host.n + 1, s.n);
  if (hm_str_is(behind, "32"))
    return host;
  if (!read_four(behind, &mask, a))
    return HM_EMPTY;
  while (bits < 32 && mask >> (31 - bits) & 1)
    bits++;
  bool whole = bits == 32 || !(mask << bits);
  return whole && bits ? hm_str_fmt(a, "%.*s/%u", HM_FMT(host), bits) : HM_EMPTY;
}

static hm_str long_address(hm_str s, hm_arena *a) {
  struct in6_addr address;
  char text[INET6_ADDRSTRLEN];
  if (inet_pton(AF_INET6, hm_str_z(a, s), &address) != 1)
    return HM_EMPTY;
  inet_ntop(AF_INET6, &address, text, sizeof text);
  return hm_str_dup(a, hm_str_c(text));
}

/* --- modes ------------------------------------------------------------------------------------ */

/* "755" of "rwxr-xr-x" and "-rwxr-xr-x". */
static hm_str lettered_mode(hm_str s, hm_arena *a) {
  static const char letters[] = "rwxrwxrwx";
  unsigned bits = 0;
  if (s.n == sizeof letters)
    s = hm_str_sub(s, 1, s.n);
  if (s.n != sizeof letters - 1)
    return HM_EMPTY;
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] != '-' && s.p[i] != letters[i])
      return HM_EMPTY;
    bits = bits << 1 | (s.p[i] != '-');
  }
  return hm_str_fmt(a, "%03o", bits);
}

hm_str hm_value_octal_mode(hm_str s) {
  size_t skipped = hm_value_starts_folded(s, "0o") ? 2 : 0;
  while (hm_char_at(s, skipped, '0') && s.n - skipped > 3)
    skipped++;
  s = hm_str_sub(s, skipped, s.n);
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] < '0' || s.p[i] > '7')
      return HM_EMPTY;
  return s.n == 3 || s.n == 4 ? s : HM_EMPTY;
}

/* --- one form --------------------------------------------------------------------------------- */

/* In a slot of colours, of permissions. */
static hm_str supported_form(hm_str s, hm_reading supports, hm_arena *a) {
  bool colour = supports & HM_READ_COLOUR;
  hm_str lowered = hm_str_lower(a, s),
         one = colour ? HM_LOOK_UP(s, colours) : hm_value_octal_mode(s);
  if (one.n)
    return one;
  return colour ? mixed_colour(lowered, a) : lettered_mode(lowered, a);
}

hm_str hm_value_one_form(hm_str s, hm_reading supports, hm_arena *a) {
  enum { NAME_MAX = 16, EUI_64 = sizeof "00:11:22:33:44:55:66:77" - 1 };
  if (s.n < 3 || s.n > LONGEST)
    return HM_EMPTY;
  hm_str one =
      supports & (HM_READ_COLOUR | HM_READ_MODE) ? supported_form(s, supports, a) : HM_EMPTY;
  if (one.n || memchr(s.p, ' ', s.n))
    return one;
  if (s.p[0] == '#')
    return whole_colour(s, supports, a);
  if (memchr(s.p, ':', s.n) && (s.n != EUI_64 || hm_str_find(s, "::") >= 0))
    return long_address(s, a);
  if (hm_is_digit(s.p[0]))
    return network(s, a);
  if (s.n > NAME_MAX || !hm_is_letter(s.p[0]) || !hm_is_digit(s.p[s.n - 1]))
    return HM_EMPTY;
  return HM_LOOK_UP(s, names);
}

/* --- quotes ----------------------------------------------------------------------------------- */

hm_str hm_value_without_quotes(hm_str s) {
  char quote = s.n > 3 ? s.p[0] : 0;
  if ((quote != '"' && quote != '\'' && quote != '`') || s.p[s.n - 1] != quote)
    return s;
  hm_str inner = hm_str_sub(s, 1, s.n - 1);
  return memchr(inner.p, quote, inner.n) ? s : hm_str_trim(inner);
}
