/* Radix sorts for many strings or numbers: sort.h.
 *
 * Least significant byte first: each pass is stable, and one by a byte that all have is skipped.
 * Strings are ordered by the eight bytes after their common prefix; those equal in these by the
 * next eight, and so on; a few are sorted by comparisons. Cost: a walk over the keys for each of
 * eight bytes. */
#include "core/base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/ascii.h"

/* Fewer are sorted by comparisons; so are those that are equal in 8 * DEEPEST bytes and more. */
enum { FEW = 24, DEEPEST = 32 };

typedef struct {
  uint64_t key;
  uint32_t index;
} item;
typedef struct {
  const char *first;
  size_t stride;
} strings;

static hm_str at(const strings *s, size_t i) {
  return *(const hm_str *)(const void *)(s->first + i * s->stride);
}

/* The length of the common prefix. *equal: no string is longer. */
static size_t common_prefix(const strings *s, const item *v, size_t n, bool *equal) {
  hm_str a = at(s, v->index);
  size_t common = a.n, longest = a.n;
  for (size_t i = 1; i < n && (common || !longest); i++) {
    hm_str b = at(s, v[i].index);
    size_t k = 0;
    while (k < common && k < b.n && a.p[k] == b.p[k])
      k++;
    common = k;
    if (b.n > longest)
      longest = b.n;
  }
  *equal = common == longest;
  return common;
}

/* Bytes past the end count as zero: "a" and "a\0" get one key, and a later full comparison
 * separates them. */
static uint64_t key_of(hm_str s, size_t skip) {
  uint64_t key = 0;
  for (size_t i = skip; i < skip + 8; i++)
    key = key << 8 | (i < s.n ? (unsigned char)s.p[i] : 0);
  return key;
}

/* One stable pass by one byte of the key; false when all have the same one. */
static bool pass(const item *from, item *to, size_t n, int shift) {
  size_t start[257] = { 0 };
  for (size_t i = 0; i < n; i++)
    start[(from[i].key >> shift & 0xff) + 1]++;
  if (start[(from->key >> shift & 0xff) + 1] == n)
    return false;
  for (int b = 1; b <= 256; b++)
    start[b] += start[b - 1];
  for (size_t i = 0; i < n; i++)
    to[start[from[i].key >> shift & 0xff]++] = from[i];
  return true;
}

static int by_bytes(const void *x, const void *y, void *ctx) {
  const item *a = x, *b = y;
  int c = hm_str_cmp(at(ctx, a->index), at(ctx, b->index));
  return c ? c : (a->index > b->index) - (a->index < b->index);
}

/* v: in the order of their indexes, and equal in 8 * depth bytes; spare: room for as many. */
static void sort_items(strings *s, item *v, item *spare, size_t n, int depth) {
  bool equal;
  if (n < FEW || depth == DEEPEST) {
    qsort_r(v, n, sizeof *v, by_bytes, s);
    return;
  }
  size_t skip = common_prefix(s, v, n, &equal);
  if (equal)
    return;
  for (size_t i = 0; i < n; i++)
    v[i].key = key_of(at(s, v[i].index), skip);
  item *from = v, *to = spare;
  for (int shift = 0; shift < 64; shift += 8) {
    if (!pass(from, to, n, shift))
      continue;
    item *swap = from;
    from = to;
    to = swap;
  }
  if (from != v)
    memcpy(v, from, n * sizeof *v);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && v[end].key == v[i].key;)
      end++;
    if (end - i > 1)
      sort_items(s, v + i, spare, end - i, depth + 1);
  }
}

/* 2 * n of them, to be freed; the first half sorted. */
static item *new_sorted(strings *s, size_t n) {
  item *v = hm_xmalloc(2 * n * sizeof *v);
  for (size_t i = 0; i < n; i++)
    v[i].index = (uint32_t)i;
  sort_items(s, v, v + n, n, 0);
  return v;
}

bool hm_strs_order(const hm_str *first, size_t stride, size_t n, uint32_t *order) {
  strings s = { (const char *)first, stride };
  size_t sorted = 1;
  while (sorted < n && hm_str_cmp(at(&s, sorted - 1), at(&s, sorted)) <= 0)
    sorted++;
  if (sorted >= n)
    return false;
  item *v = new_sorted(&s, n);
  for (size_t i = 0; i < n; i++)
    order[i] = v[i].index;
  free(v);
  return true;
}

uint32_t hm_strs_number(const hm_str *first, size_t stride, size_t n, uint32_t *number) {
  strings s = { (const char *)first, stride };
  item *v = new_sorted(&s, n);
  uint32_t last = 0;
  for (size_t i = 0; i < n; i++) {
    last += i && !hm_str_eq(at(&s, v[i - 1].index), at(&s, v[i].index));
    number[v[i].index] = last;
  }
  free(v);
  return n ? last + 1 : 0;
}

/* --- numbers ------------------------------------------------------------------------- */

void hm_numbers_sort(uint64_t *v, size_t n) {
  if (n < 2)
    return;
  uint64_t *spare = hm_xmalloc(n * sizeof *spare), *from = v, *to = spare;
  for (int shift = 0; shift < 64; shift += 8) {
    size_t start[257] = { 0 };
    for (size_t i = 0; i < n; i++)
      start[(from[i] >> shift & 0xff) + 1]++;
    if (start[(from[0] >> shift & 0xff) + 1] == n)
      continue;
    for (int b = 1; b <= 256; b++)
      start[b] += start[b - 1];
    for (size_t i = 0; i < n; i++)
      to[start[from[i] >> shift & 0xff]++] = from[i];
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != v)
    memcpy(v, from, n * sizeof *v);
  free(spare);
}

size_t hm_lower_bound(const void *items, size_t n, size_t size, const void *key,
                      int (*order)(const void *item, const void *key)) {
  size_t from = 0;
  while (from < n) {
    size_t mid = from + (n - from) / 2;
    if (order((const char *)items + mid * size, key) < 0)
      from = mid + 1;
    else
      n = mid;
  }
  return from;
}

int hm_order_u32(const void *x, const void *y) {
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

int hm_order_i64(const void *x, const void *y) {
  int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
  return (a > b) - (a < b);
}

int hm_order_str(const void *x, const void *y) {
  const hm_str *a = x, *b = y;
  return hm_str_cmp(*a, *b);
}

int hm_order_u32_pair(const void *x, const void *y) {
  const uint32_t *a = x, *b = y;
  int c = hm_order_u32(a, b);
  return c ? c : hm_order_u32(a + 1, b + 1);
}

int hm_order_u64_u32(const void *x, const void *y) {
  const struct {
    uint64_t first;
    uint32_t second;
  } *a = x, *b = y;
  if (a->first != b->first)
    return a->first < b->first ? -1 : 1;
  return hm_order_u32(&a->second, &b->second);
}

int hm_order_u32_str(const void *x, const void *y) {
  const struct {
    uint32_t first;
    hm_str second;
  } *a = x, *b = y;
  int c = hm_order_u32(&a->first, &b->first);
  return c ? c : hm_str_cmp(a->second, b->second);
}

int hm_order_word(const void *key, const void *entry) {
  return hm_str_cmp_c(*(const hm_str *)key, *(const char *const *)entry);
}

int hm_order_name(const void *key, const void *entry) {
  return strcmp(key, *(const char *const *)entry);
}

int hm_order_lower_word(const void *key, const void *entry) {
  hm_str word = *(const hm_str *)key;
  const char *z = *(const char *const *)entry;
  for (size_t i = 0; i < word.n; i++) {
    int d = (unsigned char)hm_ascii_lower(word.p[i]) - (unsigned char)z[i];
    if (d || !z[i])
      return d ? d : 1;
  }
  return z[word.n] ? -1 : 0;
}

bool hm_words_are_sorted(const void *items, size_t n, size_t size) {
  for (const char *row = items; n-- > 1; row += size)
    if (strcmp(*(const char *const *)row, *(const char *const *)(row + size)) >= 0)
      return false;
  return true;
}
