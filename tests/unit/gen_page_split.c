/* How lists are cut: every row in one piece, no piece too long, and a new row moves no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core_base_prng.h"
#include "gen/page/view_private.h"

typedef struct { hm_piece *p; uint32_t n; } pieces;

static int by_bytes(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

static pieces cut(hm_arena *a, hm_str *keys, uint32_t n, size_t limit, hm_split_kind kind) {
  pieces p;
  qsort(keys, n, sizeof *keys, by_bytes);
  hm_split_list(keys, n, limit, NULL, NULL, kind, a, &p.p, &p.n);
  return p;
}

/* name 0 id */
static hm_str key(hm_arena *a, const char *name, unsigned id) {
  hm_str s = hm_str_fmt(a, "%s|e%u", name, id);
  ((char *)s.p)[strlen(name)] = 0;
  return s;
}

static hm_str random_key(hm_arena *a, uint64_t *seed, unsigned id) {
  static const char letters[] = "aaaabcdmnz09_";
  char name[12];
  size_t n = 1 + prng(seed) % 10;
  for (size_t i = 0; i < n; i++) name[i] = letters[prng(seed) % (sizeof letters - 1)];
  name[n] = 0;
  return key(a, name, id);
}

static void check_cover(const pieces *p, uint32_t n, size_t limit) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    assert_int_equal(p->p[i].from, at);
    assert_true(p->p[i].to >= p->p[i].from);
    assert_true(p->p[i].to - p->p[i].from <= limit);
    at = p->p[i].to;
  }
  assert_int_equal(at, n);
}

static void test_pieces_are_in_natural_order(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_str keys[] = { key(a, "pep 1", 0),  key(a, "pep 100", 1), key(a, "pep 12", 2),
                    key(a, "pep 13", 3), key(a, "pep 2", 4),   key(a, "pep 20", 5),
                    key(a, "pep 3", 6) };
  uint32_t items[] = { 0, 1, 2, 3, 4, 5, 6 };
  const hm_piece two[] = { { .from = 0, .to = 4 }, { .from = 4, .to = 7 } }, whole = { .to = 7 };
  hm_pieces_sort_naturally(keys, items, two, 2, a);
  assert_memory_equal(items, ((uint32_t[]){ 0, 2, 3, 1, 4, 6, 5 }), sizeof items);
  for (uint32_t i = 0; i < 7; i++) items[i] = i;
  hm_pieces_sort_naturally(keys, items, &whole, 1, a);
  assert_memory_equal(items, ((uint32_t[]){ 0, 4, 6, 2, 3, 5, 1 }), sizeof items);
  hm_pieces_sort_naturally(keys, items, NULL, 0, a);
  hm_arena_free(a);
}

/* Whatever the order in which rows come, and though only some are active. */
static void test_an_overview_begins_with_the_first(void **state) {
  (void)state;
  enum { N = 5 * HM_LEAD };
  for (int reversed = 0; reversed < 2; reversed++)
    for (uint32_t every = 1; every < 9; every += 7) {
      hm_arena *a = hm_arena_new();
      hm_str *keys = hm_alloc_array(a, N, sizeof *keys);
      uint32_t *rows = hm_alloc_array(a, N, sizeof *rows), *out = hm_alloc_array(a, N, sizeof *out);
      hm_view_row *seen = hm_alloc_array(a, N, sizeof *seen);
      for (uint32_t i = 0; i < N; i++) {
        rows[i] = reversed ? N - 1 - i : i;
        keys[i] = hm_str_fmt(a, "pep_%u", rows[i]);
        seen[i].active = i % every == 0;
      }
      hm_order_leading_rows(&(hm_view){ .rows = seen }, keys, rows, N, out, a);
      uint32_t lead = N / every < HM_LEAD ? N / every : HM_LEAD, next = 0;
      bool *met = hm_alloc_array(a, N, sizeof *met);
      for (uint32_t i = 0; i < lead; i++, next += every) assert_int_equal(out[i], next);
      for (uint32_t i = 0; i < N; i++) {
        assert_false(met[out[i]]);
        met[out[i]] = true;
      }
      hm_arena_free(a);
    }
}

static void test_short_list_is_whole(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_str keys[] = { key(a, "b", 1), key(a, "a", 2) };
  pieces p = cut(a, keys, 2, 2, HM_SPLIT_NAME);
  assert_int_equal(p.n, 1);
  assert_int_equal(p.p[0].prefix.n, 0);
  assert_string_equal(p.p[0].range, "");
  p = cut(a, keys, 0, 2, HM_SPLIT_NAME);
  assert_int_equal(p.n, 1);
  assert_int_equal(p.p[0].to, 0);
  hm_arena_free(a);
}

static void test_ranges_then_characters(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_str keys[] = { key(a, "apple", 1), key(a, "cherry", 2), key(a, "mango", 3),
                    key(a, "melon", 4), key(a, "orange", 5), key(a, "zebra", 6) };
  pieces p = cut(a, keys, 6, 2, HM_SPLIT_NAME);
  assert_int_equal(p.n, 4);
  assert_string_equal(p.p[0].range, "a-c");
  assert_int_equal(p.p[0].prefix.n, 0);
  assert_true(hm_str_is(p.p[1].prefix, "m"));
  assert_string_equal(p.p[1].range, "");
  assert_true(hm_str_is(p.p[2].prefix, "o"));
  assert_string_equal(p.p[3].range, "y-z");
  check_cover(&p, 6, 2);
  hm_arena_free(a);
}

static void test_times_by_month_then_day(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_str keys[] = { key(a, "2026-01-01T00:00:00Z", 1), key(a, "2026-02-01T00:00:00Z", 2),
                    key(a, "2026-02-01T10:00:00Z", 3), key(a, "2026-02-03T00:00:00Z", 4) };
  pieces p = cut(a, keys, 4, 2, HM_SPLIT_TIME);
  assert_int_equal(p.n, 3);
  assert_true(hm_str_is(p.p[0].prefix, "2026-01"));
  assert_true(hm_str_is(p.p[1].prefix, "2026-02-01"));
  assert_true(hm_str_is(p.p[2].prefix, "2026-02-03"));
  hm_arena_free(a);
}

static void test_one_name_for_all(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  enum { N = 1000 };
  hm_str *keys = hm_alloc_array(a, N, sizeof *keys);
  for (unsigned i = 0; i < N; i++) keys[i] = key(a, "same", i);
  pieces p = cut(a, keys, N, 10, HM_SPLIT_NAME);
  check_cover(&p, N, 10);
  hm_arena_free(a);
}

/* a, aa, aaa, ...: each fork sheds one key. */
static void test_long_chain(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  enum { N = 3000 };
  char *long_name = malloc(N + 1);
  memset(long_name, 'a', N);
  hm_str *keys = hm_alloc_array(a, N, sizeof *keys);
  for (size_t i = 0; i < N; i++) keys[i] = (hm_str){ long_name, i + 1 };
  pieces p = cut(a, keys, N, 5, HM_SPLIT_NAME);
  check_cover(&p, N, 5);
  free(long_name);
  hm_arena_free(a);
}

static bool same_piece(const hm_piece *x, const hm_piece *y) {
  return hm_str_eq(x->prefix, y->prefix) && strcmp(x->range, y->range) == 0;
}

static const hm_piece *find(const pieces *p, const hm_piece *like) {
  for (uint32_t i = 0; i < p->n; i++)
    if (same_piece(&p->p[i], like)) return &p->p[i];
  return NULL;
}

/* All pieces of `before` but at most one stand unchanged in `after`: same name, same number of
 * keys. */
static void check_stable(const pieces *before, const pieces *after) {
  uint32_t gone = 0, grown = 0;
  for (uint32_t i = 0; i < before->n; i++) {
    const hm_piece *now = find(after, &before->p[i]);
    if (!now) gone++;
    else if (now->to - now->from != before->p[i].to - before->p[i].from) grown++;
  }
  assert_true(gone + grown <= 1);
  if (!gone) assert_true(after->n - before->n == (grown ? 0 : 1));
}

static void insert_property(hm_split_kind kind, uint64_t seed) {
  for (int round = 0; round < 300; round++) {
    hm_arena *a = hm_arena_new();
    uint32_t n = 3 + (uint32_t)(prng(&seed) % 200);
    size_t limit = 1 + prng(&seed) % 8;
    if (n <= limit + 1) n = (uint32_t)limit + 2;
    hm_str *keys = hm_alloc_array(a, n + 1, sizeof *keys),
           *more = hm_alloc_array(a, n + 1, sizeof *more);
    for (uint32_t i = 0; i <= n; i++)
      keys[i] = kind == HM_SPLIT_NAME
          ? random_key(a, &seed, i)
          : key(a,
                hm_str_fmt(a, "2026-%02d-%02dT%02d:00:00Z", (int)(prng(&seed) % 3 + 1),
                           (int)(prng(&seed) % 4 + 10), (int)(prng(&seed) % 2))
                    .p,
                i);
    memcpy(more, keys, (n + 1) * sizeof *keys);
    pieces before = cut(a, keys, n, limit, kind), after = cut(a, more, n + 1, limit, kind);
    check_cover(&before, n, limit);
    check_cover(&after, n + 1, limit);
    for (uint32_t i = 0; i < after.n; i++)
      for (uint32_t k = i + 1; k < after.n; k++) assert_false(same_piece(&after.p[i], &after.p[k]));
    check_stable(&before, &after);
    hm_arena_free(a);
  }
}

static void test_insert_changes_one_piece(void **state) {
  (void)state;
  insert_property(HM_SPLIT_NAME, 1);
}

static void test_insert_changes_one_time(void **state) {
  (void)state;
  insert_property(HM_SPLIT_TIME, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(test_pieces_are_in_natural_order),
                                      cmocka_unit_test(test_an_overview_begins_with_the_first),
                                      cmocka_unit_test(test_short_list_is_whole),
                                      cmocka_unit_test(test_ranges_then_characters),
                                      cmocka_unit_test(test_times_by_month_then_day),
                                      cmocka_unit_test(test_one_name_for_all),
                                      cmocka_unit_test(test_long_chain),
                                      cmocka_unit_test(test_insert_changes_one_piece),
                                      cmocka_unit_test(test_insert_changes_one_time) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
