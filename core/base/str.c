/* Slices, growable buffers, hashes, random numbers and maps: str.h. */
#include "core/base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <xxhash.h>
#include "core/base/ascii.h"

hm_str hm_str_dup(hm_arena *a, hm_str s) { return (hm_str){ hm_str_z(a, s), s.n }; }

hm_str hm_str_lower(hm_arena *a, hm_str s) {
  char *p = hm_alloc(a, s.n + 1);
  for (size_t i = 0; i < s.n; i++)
    p[i] = hm_ascii_lower(s.p[i]);
  return (hm_str){ p, s.n };
}

char *hm_str_z(hm_arena *a, hm_str s) {
  char *p = hm_alloc(a, s.n + 1);
  if (s.n)
    memcpy(p, s.p, s.n);
  return p;
}

hm_str hm_str_fmt(hm_arena *a, const char *fmt, ...) {
  char small[256];
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(small, sizeof small, fmt, ap);
  va_end(ap);
  hm_str s = HM_EMPTY;
  if (n >= 0) {
    char *p = hm_alloc(a, (size_t)n + 1);
    if ((size_t)n < sizeof small)
      memcpy(p, small, (size_t)n);
    else
      vsnprintf(p, (size_t)n + 1, fmt, again);
    s = (hm_str){ p, (size_t)n };
  }
  va_end(again);
  return s;
}

hm_str hm_str_join(hm_arena *a, const hm_str *parts, size_t n) {
  size_t all = 0;
  for (size_t i = 0; i < n; i++)
    all += parts[i].n;
  char *p = hm_alloc(a, all + 1), *end = p;
  for (size_t i = 0; i < n; i++) {
    if (parts[i].n)
      memcpy(end, parts[i].p, parts[i].n);
    end += parts[i].n;
  }
  return (hm_str){ p, all };
}

int hm_str_cmp(hm_str a, hm_str b) {
  size_t n = a.n < b.n ? a.n : b.n;
  int d = n ? memcmp(a.p, b.p, n) : 0;
  return d ? d : (a.n > b.n) - (a.n < b.n);
}

static int by_bytes(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

void hm_strs_sort(hm_str *v, size_t n) {
  if (n)
    qsort(v, n, sizeof *v, by_bytes);
}

/* The digits at s.p[at] without leading zeros; *end: the offset after them. */
static hm_str number_at(hm_str s, size_t at, size_t *end) {
  while (at < s.n && s.p[at] == '0')
    at++;
  *end = at;
  while (*end < s.n && hm_is_digit(s.p[*end]))
    ++*end;
  return hm_str_sub(s, at, *end);
}

int hm_str_natural_cmp(hm_str a, hm_str b) {
  for (size_t i = 0, end, b_end; i < a.n && i < b.n; i = end) {
    end = i + 1;
    if (hm_is_digit(a.p[i]) && hm_is_digit(b.p[i])) {
      hm_str x = number_at(a, i, &end), y = number_at(b, i, &b_end);
      int d = (x.n > y.n) - (x.n < y.n);
      if (!d)
        d = hm_str_cmp(x, y);
      if (!d)
        d = (end > b_end) - (end < b_end); /* zeros in front */
      if (d)
        return d;
    } else if (a.p[i] != b.p[i])
      return (unsigned char)a.p[i] < (unsigned char)b.p[i] ? -1 : 1;
  }
  return (a.n > b.n) - (a.n < b.n);
}

bool hm_str_read_double(hm_str s, double *out) {
  char z[64], *end;
  if (!s.n || s.n >= sizeof z)
    return false;
  memcpy(z, s.p, s.n);
  z[s.n] = 0;
  double d = strtod(z, &end);
  if (end != z + s.n)
    return false;
  *out = d;
  return true;
}

hm_str hm_str_trim(hm_str s) {
  while (s.n && hm_is_space(s.p[s.n - 1]))
    s.n--;
  while (s.n && hm_is_space(s.p[0]))
    s.p++, s.n--;
  return s;
}

ptrdiff_t hm_str_find(hm_str s, const char *needle) {
  size_t n = strlen(needle);
  if (n == 0)
    return 0;
  if (s.n == 0)
    return -1;
  const char *at = memmem(s.p, s.n, needle, n);
  return at ? at - s.p : -1;
}

size_t hm_str_split_commas(hm_str s, hm_arena *a, hm_str **out) {
  size_t n = 0, most = 1;
  for (size_t i = 0; i < s.n; i++)
    most += s.p[i] == ',';
  *out = hm_alloc_array(a, most, sizeof **out);
  for (size_t from = 0, at = 0; at <= s.n; at++) {
    if (at < s.n && s.p[at] != ',')
      continue;
    hm_str one = hm_str_trim(hm_str_sub(s, from, at));
    if (one.n)
      (*out)[n++] = one;
    from = at + 1;
  }
  return n;
}

uint64_t hm_str_hash(hm_str s) { return XXH3_64bits(s.n ? s.p : "", s.n); }

uint64_t hm_str_hash_seeded(hm_str s, uint64_t seed) {
  return XXH3_64bits_withSeed(s.n ? s.p : "", s.n, seed);
}

/* The kernel hands every process 16 random bytes; to ask it for more costs more
 * than most maps. */
uint64_t hm_random_seed(void) {
  const char *bytes = (const char *)getauxval(AT_RANDOM);
  struct timespec now = { 0 };
  clock_gettime(CLOCK_MONOTONIC, &now);
  return hm_hash_mix(bytes ? XXH3_64bits(bytes, 16) : 0x5EEDu, (uint64_t)now.tv_nsec);
}

/* splitmix64 from a seed of the system's. */
uint64_t hm_arena_random(hm_arena *a) {
  if (!a->random)
    a->random = hm_random_seed();
  uint64_t x = a->random += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

uint64_t hm_hash_mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9E3779B97F4A7C15u + b;
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
  x = (x ^ x >> 29) * 0xC2B2AE3D27D4EB4Fu;
  return x ^ x >> 32;
}

/* --- buffers ------------------------------------------------------------------------- */

bool hm_buf_room(hm_buf *b, size_t n) {
  if (b->failed)
    return false;
  if (n <= b->cap - b->n)
    return true;
  if (n > HM_BUF_MAX - b->n) {
    b->failed = true;
    return false;
  }
  size_t cap = b->cap ? b->cap : 64;
  while (cap < b->n + n)
    cap *= 2;
  b->p = hm_xrealloc(b->p, cap);
  b->cap = cap;
  return true;
}

void hm_buf_quoted(hm_buf *b, hm_str s, char quote) {
  hm_buf_ch(b, quote);
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] == quote)
      hm_buf_ch(b, quote);
    hm_buf_ch(b, s.p[i]);
  }
  hm_buf_ch(b, quote);
}

void hm_buf_fmt(hm_buf *b, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  hm_buf_vfmt(b, fmt, ap);
  va_end(ap);
}

void hm_buf_vfmt(hm_buf *b, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  size_t space = b->cap - b->n;
  int n = vsnprintf(space ? b->p + b->n : NULL, space, fmt, ap);
  if (n < 0)
    b->failed = true;
  else if (hm_buf_room(b, (size_t)n + 1)) { /* vsnprintf wants to end in a NUL */
    if ((size_t)n >= space)
      vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
    b->n += (size_t)n;
  }
  va_end(again);
}

void hm_buf_clear(hm_buf *b) {
  b->n = 0;
  b->failed = false;
}

void hm_buf_free(hm_buf *b) {
  free(b->p);
  *b = (hm_buf){ 0 };
}

hm_str hm_buf_view(const hm_buf *b) { return b->n ? (hm_str){ b->p, b->n } : HM_EMPTY; }

hm_str hm_buf_copy(const hm_buf *b, hm_arena *a) { return hm_str_dup(a, hm_buf_view(b)); }

hm_str hm_buf_take(hm_buf *b, hm_arena *a) {
  hm_str s = hm_buf_copy(b, a);
  hm_buf_free(b);
  return s;
}

/* --- maps ---------------------------------------------------------------------------- */

/* Never 0, which marks a free slot. */
static uint64_t hash_key(const hm_map *m, hm_str key) {
  uint64_t h = hm_str_hash_seeded(key, m->seed);
  return h ? h : 1;
}

static void alloc_slots(hm_map *m, size_t cap) {
  m->cap = cap;
  m->keys = hm_alloc_array(m->a, cap, sizeof *m->keys);
  m->values = hm_alloc_array(m->a, cap, sizeof *m->values);
  m->hashes = hm_alloc_array(m->a, cap, sizeof *m->hashes);
}

void hm_map_init(hm_map *m, hm_arena *a, size_t expect) {
  size_t cap = 8;
  while (cap / 2 < expect && cap < SIZE_MAX / 64)
    cap *= 2;
  *m = (hm_map){ .a = a, .seed = hm_arena_random(a) };
  alloc_slots(m, cap);
}

/* The slot of key, or the free one where it would go. */
static size_t slot_of(const hm_map *m, hm_str key, uint64_t h) {
  size_t mask = m->cap - 1, i = h & mask;
  while (m->hashes[i] && !(m->hashes[i] == h && hm_str_eq(m->keys[i], key)))
    i = (i + 1) & mask;
  return i;
}

static void set_slot(hm_map *m, size_t i, hm_str key, uint64_t h, uint32_t value) {
  m->hashes[i] = h;
  m->keys[i] = key;
  m->values[i] = value;
}

/* The slot of key, filled with value when it is new. */
static size_t find_or_add(hm_map *m, hm_str key, uint32_t value) {
  uint64_t h = hash_key(m, key);
  size_t i = slot_of(m, key, h);
  if (m->hashes[i])
    return i;
  if (m->n + 1 > m->cap / 8 * 5) {
    hm_map old = *m;
    alloc_slots(m, old.cap * 2);
    for (size_t k = 0; k < old.cap; k++) {
      size_t mask = m->cap - 1, to = old.hashes[k] & mask;
      if (!old.hashes[k])
        continue;
      while (m->hashes[to])
        to = (to + 1) & mask;
      set_slot(m, to, old.keys[k], old.hashes[k], old.values[k]);
    }
    i = slot_of(m, key, h);
  }
  m->n++;
  set_slot(m, i, key, h, value);
  return i;
}

uint32_t hm_map_add(hm_map *m, hm_str key, uint32_t value) {
  size_t i = find_or_add(m, key, value); /* first: this can move the arrays */
  return m->values[i];
}

void hm_map_set(hm_map *m, hm_str key, uint32_t value) {
  size_t i = find_or_add(m, key, value);
  m->values[i] = value;
}

uint32_t hm_map_get(const hm_map *m, hm_str key) {
  if (!m->cap)
    return HM_MAP_NONE;
  size_t i = slot_of(m, key, hash_key(m, key));
  return m->hashes[i] ? m->values[i] : HM_MAP_NONE;
}
