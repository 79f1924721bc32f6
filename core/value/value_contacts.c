/* By which a person, a book, a house, a machine or a place is reached, in two spellings of one:
 *
 *   phones     +49 89 777888 and (089) 777-888: the same digits, with the code of a country or not
 *   numbers    an ISBN or IBAN with and without hyphens and blanks; the ISBN of ten digits and of
 *              thirteen
 *   streets    "12 Main St." and "12 Main Street"; "D-10115 Berlin" and "10115 Berlin"
 *   hosts      "example.org:443" and "https://example.org", where the slot is an address
 *   positions  "48.8566, 2.3522" and "48.8566° N, 2.3522° E"
 *
 * It reads wordings (value_wording.c) and the name of the slot. Cost: linear in the bytes of both.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/latin.h"
#include "core/base/text.h"
#include "core/value/value_impl.h"

/* --- phones ----------------------------------------------------------------------------------- */

enum { DIGITS_MAX = 20, SUBSCRIBER_MIN = 6, COUNTRY_CODE_MAX = 3 };

typedef struct {
  char v[DIGITS_MAX];
  size_t n;
  bool abroad;
} phone;

/* "+49 (0)89 777-888": digits, and signs between them. abroad: the code of a country begins it. */
static bool read_phone(phone *out, hm_str s) {
  *out = (phone){ .abroad = s.n && s.p[0] == '+' };
  for (size_t i = 0; i < s.n; i++) {
    if (out->abroad && hm_str_starts(hm_str_sub(s, i, s.n), "(0)"))
      i += 2;
    else if (hm_is_digit(s.p[i]) && out->n < DIGITS_MAX)
      out->v[out->n++] = s.p[i];
    else if (!memchr("+ -/().", s.p[i], 7) || (s.p[i] == '+' && i))
      return false;
  }
  if (out->n > 2 && !out->abroad && !memcmp(out->v, "00", 2)) {
    out->abroad = true;
    memmove(out->v, out->v + 2, out->n -= 2);
  }
  return out->n > SUBSCRIBER_MIN;
}

/* +49 89 777888 of 089 777888. */
static bool is_from_abroad(const phone *abroad, const phone *home) {
  size_t trunk = home->v[0] == '0', n = home->n - trunk;
  return abroad->abroad && !home->abroad && abroad->n > n && abroad->n - n <= COUNTRY_CODE_MAX &&
      n >= SUBSCRIBER_MIN && !memcmp(abroad->v + abroad->n - n, home->v + trunk, n);
}

/* "+4989777888" alone is read as a number, which has no sign. */
static hm_str as_phone(const hm_value *v, hm_str wording) {
  const char *plus = memchr(v->raw.p, '+', v->raw.n);
  return v->kind == HM_V_NUMBER && plus ? hm_str_sub(v->raw, (size_t)(plus - v->raw.p), v->raw.n)
                                        : wording;
}

static bool phones_agree(hm_str slot, hm_reading supports, hm_str x, hm_str y) {
  phone a, b;
  bool named = hm_str_starts(x, "+") || hm_str_starts(y, "+") || hm_str_find(slot, "phone") >= 0;
  if ((!named && !(supports & HM_READ_PHONE)) || !read_phone(&a, x) || !read_phone(&b, y))
    return false;
  if (a.abroad == b.abroad)
    return a.n == b.n && !memcmp(a.v, b.v, a.n);
  return is_from_abroad(&a, &b) || is_from_abroad(&b, &a);
}

/* --- numbers in groups ------------------------------------------------------------------------ */

/* The digits of s without hyphens and blanks; 0: it has other letters, or more than a book's. */
static size_t book_digits(hm_str s, char out[13]) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    bool last = (s.p[i] | 0x20) == 'x' && n == 9;
    if (s.p[i] == '-' || s.p[i] == ' ')
      continue;
    if ((!hm_is_digit(s.p[i]) && !last) || n == 13)
      return 0;
    out[n++] = s.p[i];
  }
  return n;
}

/* "0-306-40615-2" of "978-0-306-40615-7": the last digit of each is a check of the others. */
static bool is_short_isbn(hm_str small, hm_str large) {
  char ten[13], thirteen[13];
  return book_digits(small, ten) == 10 && book_digits(large, thirteen) == 13 &&
      !memcmp(thirteen, "978", 3) && !memcmp(thirteen + 3, ten, 9);
}

/* --- streets, hosts --------------------------------------------------------------------------- */

/* Ends of one word too: "hauptstr." Sources: USPS Publication 28; Canada Post; of German Duden and
 * Deutsche Post. */
static const struct {
  const char *other, *one;
} ways[] = {
  { "av", "avenue" },   { "ave", "avenue" },      { "bd", "boulevard" }, { "blvd", "boulevard" },
  { "ct", "court" },    { "dr", "drive" },        { "e", "east" },       { "hwy", "highway" },
  { "ln", "lane" },     { "n", "north" },         { "pl", "place" },     { "platz", "place" },
  { "rd", "road" },     { "s", "south" },         { "sq", "square" },    { "st", "street" },
  { "strasse", "str" }, { "stra\u00DFe", "str" }, { "w", "west" },
};

/* Of a name with the way in it: what stands before it, and the way. */
static hm_str cut_way(hm_str word, hm_str *way) {
  static const char *const ends[] = { "stra\u00DFe", "strasse", "str", "platz", "pl" };
  *way = word;
  for (size_t i = 0; i < HM_COUNT(ends); i++)
    if (hm_str_ends(word, ends[i])) {
      *way = hm_str_sub(word, word.n - strlen(ends[i]), word.n);
      return hm_str_sub(word, 0, word.n - way->n);
    }
  return HM_EMPTY;
}

static bool same_way(hm_str a, hm_str b) {
  hm_str x, y, name = cut_way(a, &x), other = cut_way(b, &y);
  hm_str one = HM_LOOK_UP(x, ways), two = HM_LOOK_UP(y, ways);
  return hm_latin_same(name, other) && hm_latin_same(one.n ? one : x, two.n ? two : y);
}

/* The next word without the country before a postcode: "10115" of "D-10115". Sources: ISO 3166; the
 * signs of the Convention on Road Traffic. */
static hm_str next_of_address(hm_str *s) {
  static const char *const countries[] = { "a",  "at", "b",  "be", "ch", "cz", "d",  "de", "dk",
                                           "es", "f",  "fr", "i",  "it", "l",  "lu", "nl", "pl" };
  enum { POSTCODE_MIN = 4 };
  hm_str word = hm_value_without_stop(hm_str_next_word(s));
  bool country = HM_IS_ANY(word, countries) && hm_skip_digits(*s, 0) >= POSTCODE_MIN;
  return country ? hm_value_without_stop(hm_str_next_word(s)) : word;
}

/* A number of a house stands in both; the first word is the name of no street. */
static bool streets_agree(hm_str x, hm_str y) {
  bool digit = false;
  for (size_t i = 0; x.n && y.n; i++) {
    hm_str a = next_of_address(&x), b = next_of_address(&y);
    digit = digit || hm_text_has_digit(a);
    if (!hm_str_eq(a, b) && ((!i && a.n < 4) || !same_way(a, b)))
      return false;
  }
  return digit && !x.n && !y.n;
}

/* "example.org:443" and "example.org" of "https://example.org". */
static bool is_host_of(hm_str host, hm_str address) {
  static const struct {
    const char *scheme, *port;
  } ports[] = { { "https://", ":443" }, { "http://", ":80" } };
  for (size_t i = 0; i < HM_COUNT(ports); i++) {
    if (!hm_str_starts(address, ports[i].scheme))
      continue;
    hm_str rest = hm_str_sub(address, strlen(ports[i].scheme), address.n);
    size_t port = hm_str_ends(host, ports[i].port) ? strlen(ports[i].port) : 0;
    return hm_str_eq(rest, hm_str_sub(host, 0, host.n - port));
  }
  return false;
}

/* --- positions -------------------------------------------------------------------------------- */

/* What is read of "48.8566° n": *marked: a degree or a letter stands behind the number. */
static bool read_degrees(hm_str *s, double *out, bool *marked) {
  static const char *const signs[] = { "\u00B0", "'", "\"" };
  double part = 1;
  bool minus = hm_str_starts(*s, "-"), sign = true;
  size_t k = 0;
  *s = hm_str_sub(*s, minus, s->n);
  *out = 0;
  for (; k < HM_COUNT(signs) && sign && hm_digit_at(*s, 0); k++, part /= 60) {
    char *end;
    double v = strtod(s->p, &end);
    hm_str rest = hm_str_trim(hm_str_sub(*s, (size_t)(end - s->p), s->n));
    sign = hm_str_starts(rest, signs[k]);
    if (k && !sign)
      break;
    *out += v * part;
    *marked = *marked || sign;
    *s = hm_str_trim(hm_str_sub(rest, sign ? strlen(signs[k]) : 0, rest.n));
  }
  bool letter = s->n && memchr("nesw", s->p[0], 4);
  if (minus || (letter && memchr("sw", s->p[0], 2)))
    *out = -*out;
  *marked = *marked || letter;
  *s = hm_str_trim(hm_str_sub(*s, letter, s->n));
  return k > 0;
}

static bool read_position(hm_str s, double out[2], bool *marked) {
  if (!memchr(s.p, ',', s.n) && hm_str_find(s, "\u00B0") < 0)
    return false;
  if (!read_degrees(&s, &out[0], marked))
    return false;
  if (hm_str_starts(s, ","))
    s = hm_str_trim(hm_str_sub(s, 1, s.n));
  return read_degrees(&s, &out[1], marked) && !s.n && fabs(out[0]) <= 90 && fabs(out[1]) <= 180;
}

/* "48.8566, 2.3522" and "48.8566° n, 2.3522° e", to about 50 metres. */
static bool positions_agree(hm_str x, hm_str y) {
  const double most = 0.0005;
  double a[2], b[2];
  bool marked = false;
  return read_position(x, a, &marked) && read_position(y, b, &marked) && marked &&
      fabs(a[0] - b[0]) <= most && fabs(a[1] - b[1]) <= most;
}

/* --- two of one kind -------------------------------------------------------------------------- */

bool hm_values_same_contact(hm_str slot, const hm_value *a, hm_str x, const hm_value *b, hm_str y) {
  hm_reading supports = a->supports | b->supports;
  if (supports & HM_READ_GROUPED && /* "978-0-441-01359-3" and 9780441013593 */
      (hm_text_has_same_letters(x, y) || is_short_isbn(x, y) || is_short_isbn(y, x)))
    return true;
  if (phones_agree(slot, supports, as_phone(a, x), as_phone(b, y)))
    return true;
  if (a->kind != HM_V_TEXT || b->kind != HM_V_TEXT)
    return false;
  if (supports & HM_READ_ADDRESS && (is_host_of(x, y) || is_host_of(y, x)))
    return true;
  return streets_agree(x, y) || positions_agree(x, y);
}
