#include "core/base/str.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

hm_str hm_str_c(const char *z) { return z ? (hm_str){ z, strlen(z) } : HM_EMPTY; }

hm_str hm_str_dup(hm_arena *a, hm_str s) {
  char *p = hm_alloc(a, s.n + 1);
  if (s.n) memcpy(p, s.p, s.n);
  return (hm_str){ p, s.n };
}

char *hm_str_z(hm_arena *a, hm_str s) {
  char *p = hm_alloc(a, s.n + 1);
  if (s.n) memcpy(p, s.p, s.n);
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
    if ((size_t)n < sizeof small) memcpy(p, small, (size_t)n);
    else vsnprintf(p, (size_t)n + 1, fmt, again);
    s = (hm_str){ p, (size_t)n };
  }
  va_end(again);
  return s;
}

hm_str hm_str_join(hm_arena *a, const hm_str *parts, size_t n) {
  size_t all = 0;
  for (size_t i = 0; i < n; i++) all += parts[i].n;
  char *p = hm_alloc(a, all + 1), *end = p;
  for (size_t i = 0; i < n; i++) {
    if (parts[i].n) memcpy(end, parts[i].p, parts[i].n);
    end += parts[i].n;
  }
  return (hm_str){ p, all };
}

bool hm_str_eq(hm_str a, hm_str b) {
  return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool hm_str_is(hm_str a, const char *z) { return hm_str_eq(a, hm_str_c(z)); }

int hm_str_cmp(hm_str a, hm_str b) {
  size_t n = a.n < b.n ? a.n : b.n;
  int d = n ? memcmp(a.p, b.p, n) : 0;
  return d ? d : (a.n > b.n) - (a.n < b.n);
}

bool hm_str_starts(hm_str s, const char *prefix) {
  size_t n = strlen(prefix);
  return n <= s.n && (n == 0 || memcmp(s.p, prefix, n) == 0);
}

bool hm_str_ends(hm_str s, const char *suffix) {
  size_t n = strlen(suffix);
  return n <= s.n && (n == 0 || memcmp(s.p + s.n - n, suffix, n) == 0);
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

hm_str hm_str_trim(hm_str s) {
  while (s.n && is_space(s.p[s.n - 1])) s.n--;
  while (s.n && is_space(s.p[0])) s.p++, s.n--;
  return s;
}

ptrdiff_t hm_str_find(hm_str s, const char *needle) {
  size_t n = strlen(needle);
  if (n == 0) return 0;
  if (s.n == 0) return -1;
  const char *at = memmem(s.p, s.n, needle, n);
  return at ? at - s.p : -1;
}

hm_str hm_str_sub(hm_str s, size_t from, size_t to) {
  if (to > s.n) to = s.n;
  if (from > to) from = to;
  return s.n ? (hm_str){ s.p + from, to - from } : HM_EMPTY;
}

uint64_t hm_str_hash(hm_str s) { return XXH3_64bits(s.n ? s.p : "", s.n); }

uint64_t hm_str_hash_seeded(hm_str s, uint64_t seed) {
  return XXH3_64bits_withSeed(s.n ? s.p : "", s.n, seed);
}

hm_hash128 hm_str_hash128(hm_str s, uint64_t seed) {
  XXH128_hash_t h = XXH3_128bits_withSeed(s.n ? s.p : "", s.n, seed);
  return (hm_hash128){ h.high64, h.low64 };
}

/* The kernel hands every process 16 random bytes; to ask it for more costs more
 * than most maps. */
uint64_t hm_random_seed(void) {
  const char *bytes = (const char *)getauxval(AT_RANDOM);
  struct timespec now = { 0 };
  clock_gettime(CLOCK_MONOTONIC, &now);
  return hm_hash_mix(bytes ? XXH3_64bits(bytes, 16) : 0x5EEDu, (uint64_t)now.tv_nsec);
}

uint64_t hm_hash_mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9E3779B97F4A7C15u + b;
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
  x = (x ^ x >> 29) * 0xC2B2AE3D27D4EB4Fu;
  return x ^ x >> 32;
}
