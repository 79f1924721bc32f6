/* Slices, growable buffers, and maps from slices. A slice borrows its bytes; they need no NUL at
 * the end and may contain NUL. A buffer owns its bytes. */
#ifndef HM_STR_H
#define HM_STR_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "arena.h"
#include "ascii.h"

typedef struct {
  const char *p;
  size_t n;
} hm_str;

#define HM_STR(lit) ((hm_str){ (lit), sizeof(lit) - 1 }) /* literal only */
#define HM_EMPTY ((hm_str){ "", 0 })
#define HM_FMT(s)                                                                                  \
  (int)((s).n < 0x7fffffff ? (s).n : 0x7fffffff), (s).p /* for "%.*s", which ends at a NUL */

/* NULL gives the empty slice. Inline, so that the compiler measures literals. */
static inline hm_str hm_str_c(const char *z) { return z ? (hm_str){ z, strlen(z) } : HM_EMPTY; }
hm_str hm_str_dup(hm_arena *a, hm_str s);   /* copy in a, also NUL-terminated */
hm_str hm_str_lower(hm_arena *a, hm_str s); /* ASCII letters in lower case */
char *hm_str_z(hm_arena *a, hm_str s);      /* C string; bytes after a NUL are cut */
/* Also NUL-terminated. Empty if it would exceed INT_MAX bytes. */
hm_str hm_str_fmt(hm_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Concatenates the parts, also NUL-terminated. Costs a tenth of hm_str_fmt. */
hm_str hm_str_join(hm_arena *a, const hm_str *parts, size_t n);
#define HM_CAT(a, ...)                                                                             \
  hm_str_join((a), (const hm_str[]){ __VA_ARGS__ },                                                \
              sizeof((const hm_str[]){ __VA_ARGS__ }) / sizeof(hm_str))
static inline bool hm_str_eq(hm_str a, hm_str b) {
  return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}
static inline bool hm_str_is(hm_str a, const char *z) { return hm_str_eq(a, hm_str_c(z)); }
/* Is the character at i a digit, a letter, c? False past the end. */
static inline bool hm_digit_at(hm_str s, size_t i) { return i < s.n && hm_is_digit(s.p[i]); }
static inline bool hm_letter_at(hm_str s, size_t i) { return i < s.n && hm_is_letter(s.p[i]); }
static inline bool hm_char_at(hm_str s, size_t i, char c) { return i < s.n && s.p[i] == c; }
/* The same, or a byte of a character beyond ASCII. */
static inline bool hm_any_letter_at(hm_str s, size_t i) {
  return hm_letter_at(s, i) || (i < s.n && s.p[i] & 0x80);
}
/* The offset after the digits, or the spaces, at i. */
static inline size_t hm_skip_digits(hm_str s, size_t i) {
  while (hm_digit_at(s, i))
    i++;
  return i;
}
static inline size_t hm_skip_spaces(hm_str s, size_t i) {
  while (hm_char_at(s, i, ' '))
    i++;
  return i;
}
int hm_str_cmp(hm_str a, hm_str b); /* by unsigned bytes, shorter first */
/* The same without strlen, for words that mostly differ in their first bytes. */
static inline int hm_str_cmp_c(hm_str a, const char *z) {
  for (size_t i = 0; i < a.n; i++)
    if (a.p[i] != z[i] || !z[i])
      return (unsigned char)a.p[i] < (unsigned char)z[i] ? -1 : 1;
  return z[a.n] ? -1 : 0;
}
void hm_strs_sort(hm_str *v, size_t n); /* in that order */
/* Compares digit runs of any length as numbers, equal numbers by fewer leading zeros, all else as
 * hm_str_cmp: "PEP 2" before "PEP 10". A total order: 0 only for equal strings. */
int hm_str_natural_cmp(hm_str a, hm_str b);
/* Reads the whole text, of at most 63 bytes, as strtod does. False, and *out stays, if it is more
 * than a number, or none. */
bool hm_str_read_double(hm_str s, double *out);
static inline bool hm_str_starts(hm_str s, const char *prefix) {
  size_t n = strlen(prefix);
  return n <= s.n && (n == 0 || memcmp(s.p, prefix, n) == 0);
}
static inline bool hm_str_ends(hm_str s, const char *suffix) {
  size_t n = strlen(suffix);
  return n <= s.n && (n == 0 || memcmp(s.p + s.n - n, suffix, n) == 0);
}
hm_str hm_str_trim(hm_str s);                        /* without ASCII white space at both ends */
ptrdiff_t hm_str_find(hm_str s, const char *needle); /* first offset or -1 */
/* Splits s at commas into trimmed texts, without empty ones. The list is in a, the texts borrow
 * from s. Returns their number. */
size_t hm_str_split_commas(hm_str s, hm_arena *a, hm_str **out);
/* Bounds are clamped. */
static inline hm_str hm_str_sub(hm_str s, size_t from, size_t to) {
  if (to > s.n)
    to = s.n;
  if (from > to)
    from = to;
  return s.n ? (hm_str){ s.p + from, to - from } : HM_EMPTY;
}
/* The text up to the next blank; moves s past the blanks. */
static inline hm_str hm_str_next_word(hm_str *s) {
  const char *blank = s->n ? (const char *)memchr(s->p, ' ', s->n) : NULL;
  hm_str word = hm_str_sub(*s, 0, blank ? (size_t)(blank - s->p) : s->n);
  *s = hm_str_sub(*s, hm_skip_spaces(*s, word.n), s->n);
  return word;
}
/* The first line of *s without its end, which is cut off *s with it. */
static inline hm_str hm_str_next_line(hm_str *s) {
  const char *end = s->n ? (const char *)memchr(s->p, '\n', s->n) : NULL;
  hm_str line = hm_str_sub(*s, 0, end ? (size_t)(end - s->p) : s->n);
  *s = hm_str_sub(*s, line.n + (end != NULL), s->n);
  return line;
}
/* What is behind the last c, or all where there is none: the name of a path, the last word of a
 * slot's name. */
static inline hm_str hm_str_behind_last(hm_str s, char c) {
  const char *last = s.n ? (const char *)memrchr(s.p, c, s.n) : NULL;
  return last ? hm_str_sub(s, (size_t)(last - s.p) + 1, s.n) : s;
}
/* 64-bit hash (XXH3), same on every machine. */
uint64_t hm_str_hash(hm_str s);
/* For tables of strings from outside: with a known seed, colliding strings are easy to write. */
uint64_t hm_str_hash_seeded(hm_str s, uint64_t seed);
/* An unpredictable number, another one in each run and nearly always in each call. */
uint64_t hm_random_seed(void);
/* An unpredictable number, never the same twice. Gets a seed from the system once per arena. */
uint64_t hm_arena_random(hm_arena *a);
uint64_t hm_hash_mix(uint64_t a, uint64_t b); /* order matters */

/* Growable buffer. `{0}` is empty. Over HM_BUF_MAX bytes it sets `failed` and ignores every append,
 * so a caller checks once at the end. */
#define HM_BUF_MAX ((size_t)1 << 31)
typedef struct {
  char *p;
  size_t n, cap;
  bool failed;
} hm_buf;

/* Makes room for n more bytes. Returns false and fails the buffer if that is too many. */
bool hm_buf_room(hm_buf *b, size_t n);
static inline void hm_buf_add(hm_buf *b, const void *p, size_t n) {
  if (n == 0 || ((n > b->cap - b->n || b->failed) && !hm_buf_room(b, n)))
    return;
  memcpy(b->p + b->n, p, n);
  b->n += n;
}
static inline void hm_buf_str(hm_buf *b, hm_str s) { hm_buf_add(b, s.p, s.n); }
static inline void hm_buf_c(hm_buf *b, const char *z) { hm_buf_add(b, z, strlen(z)); }
static inline void hm_buf_ch(hm_buf *b, char c) { hm_buf_add(b, &c, 1); }
/* s between two quotes, each quote in it twice: a text ('\'') or a name ('"') of SQL. */
void hm_buf_quoted(hm_buf *b, hm_str s, char quote);
void hm_buf_fmt(hm_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hm_buf_vfmt(hm_buf *b, const char *fmt, va_list ap);
void hm_buf_clear(hm_buf *b); /* empties, keeps the memory */
void hm_buf_free(hm_buf *b);
hm_str hm_buf_view(const hm_buf *b);              /* borrowed until the next append */
hm_str hm_buf_copy(const hm_buf *b, hm_arena *a); /* copy in an arena */
hm_str hm_buf_take(hm_buf *b, hm_arena *a);       /* the same, and frees the buffer */

/* Hash table from a byte string to an index. Open addressing over XXH3; the keys are borrowed and
 * must outlive the map. Each map has a random seed, since with a known one colliding keys are easy
 * to write. So the order of slots differs in each run; no result may depend on it. */
#define HM_MAP_NONE UINT32_MAX
typedef struct {
  hm_str *keys;
  uint32_t *values;
  uint64_t *hashes;
  size_t cap, n;
  uint64_t seed;
  hm_arena *a;
} hm_map;

/* expect: expected number of keys; the map grows if there are more. */
void hm_map_init(hm_map *m, hm_arena *a, size_t expect);
/* Adds key with value unless key is present. Returns the value of key. */
uint32_t hm_map_add(hm_map *m, hm_str key, uint32_t value);
/* Sets key to value, whether present or not. */
void hm_map_set(hm_map *m, hm_str key, uint32_t value);
/* Returns HM_MAP_NONE if absent. Safe in many threads while none of them writes. */
uint32_t hm_map_get(const hm_map *m, hm_str key);
#endif
