/* Words that are written together with capitals: camel.h. */
#include "core/base/camel.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"

/* Written so by those who named them: one word, whatever its first letter. Sources: the names' own
 * sites; RFC 6749, RFC 8200; Wikipedia. */
static const char *const NAMES[] = {
  "BitBucket",  "cmH2O",     "DevOps",     "DynamoDB", "FastAPI",    "GitHub",     "GitLab",
  "GraphQL",    "inHg",      "IPv4",       "IPv6",     "iPadOS",     "iOS",        "iPhone",
  "JavaScript", "LaTeX",     "macOS",      "MariaDB",  "mmHg",       "MongoDB",    "mTLS",
  "MySQL",      "OAuth",     "OpenAI",     "OpenID",   "openSUSE",   "PostgreSQL", "PyTorch",
  "RabbitMQ",   "SQLite",    "TensorFlow", "tvOS",     "TypeScript", "visionOS",   "watchOS",
  "WiFi",       "WordPress", "YouTube",
};

static bool is_word_byte(hm_str s, size_t i) {
  return i < s.n && (hm_is_alnum(s.p[i]) || s.p[i] & 0x80);
}

static bool upper_at(hm_str s, size_t i) { return i < s.n && hm_is_upper(s.p[i]); }
static bool lower_at(hm_str s, size_t i) { return i < s.n && hm_is_lower(s.p[i]); }

/* The bytes of the name that stands at i and ends where a word may; 0: none. */
static size_t name_at(hm_str s, size_t i) {
  for (size_t k = 0; k < HM_COUNT(NAMES); k++) {
    hm_str name = hm_str_c(NAMES[k]);
    bool fits = i + name.n <= s.n && hm_ascii_lower(s.p[i]) == hm_ascii_lower(name.p[0]);
    for (size_t n = 1; n < name.n && fits; n++)
      fits = s.p[i + n] == name.p[n];
    if (fits && !lower_at(s, i + name.n))
      return name.n;
  }
  return 0;
}

/* "s" of "userIDs". */
static bool is_plural(hm_str s, size_t i) { return hm_char_at(s, i, 's') && !lower_at(s, i + 1); }

/* Does a word begin at i, behind another? "B" of "baseURL", "P" of "httpPort" and "URLPath". */
static bool begins_word(hm_str s, size_t i) {
  if (!upper_at(s, i))
    return false;
  return !upper_at(s, i - 1) || (lower_at(s, i + 1) && !is_plural(s, i + 1));
}

/* Writes the word from i to end with its joints, at most twice its bytes. */
static size_t put_split(char *out, hm_str s, size_t i, size_t end) {
  size_t n = 0, from = i;
  while (i < end) {
    size_t name = i == from || upper_at(s, i) ? name_at(s, i) : 0;
    if (i > from && (name || begins_word(s, i)))
      out[n++] = '_';
    size_t next = i + (name ? name : 1);
    for (; i < next; i++)
      out[n++] = s.p[i];
  }
  return n;
}

/* What ends the name of a setting, and no name of a thing; sorted. Sources: systemd.directives(7);
 * sshd_config(5); Apache's directives. */
static const char *const AMOUNTS[] = {
  "Bytes",   "Count", "Days", "Hours",   "Interval", "Limit",   "Max",  "Min",
  "Minutes", "Ms",    "Msec", "Percent", "Sec",      "Seconds", "Size", "Timeout",
};

/* "TimeoutStartSec", but not "AtoCore": with a capital first it may be a name. */
static bool is_setting(hm_str s, size_t i, size_t end) {
  size_t last = end;
  while (last > i && lower_at(s, last - 1))
    last--;
  if (last < i + 2 || !upper_at(s, i) || !lower_at(s, last - 2))
    return false;
  hm_str word = hm_str_sub(s, last - 1, end);
  return bsearch(&word, AMOUNTS, HM_COUNT(AMOUNTS), sizeof *AMOUNTS, hm_order_word);
}

static bool is_camel(hm_str s, size_t i, size_t end) {
  size_t k = i;
  if (is_setting(s, i, end))
    return true;
  while (k < end && (lower_at(s, k) || hm_digit_at(s, k)))
    k++;
  if (!lower_at(s, i) || k < i + 2 || k == end)
    return false;
  while (k < end && hm_is_alnum(s.p[k]))
    k++;
  return k == end;
}

hm_str hm_text_split_camel(hm_arena *a, hm_str s) {
  size_t inside = 1;
  while (
      inside < s.n &&
      !(hm_is_upper(s.p[inside]) && hm_is_alnum(s.p[inside - 1]) && !hm_is_upper(s.p[inside - 1])))
    inside++;
  if (inside >= s.n)
    return s;
  char *p = hm_alloc(a, 2 * s.n);
  size_t n = 0;
  for (size_t i = 0, end; i < s.n; i = end) {
    for (end = i; is_word_byte(s, end);)
      end++;
    if (is_camel(s, i, end)) {
      n += put_split(p + n, s, i, end);
      continue;
    }
    end += end == i;
    memcpy(p + n, s.p + i, end - i);
    n += end - i;
  }
  return (hm_str){ p, n };
}
