/* What two texts are to each other: the table tests/data/similar.txt, both ways round; that any
 * bytes are read; and what are the same words in a circle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "core/recall/text_similarity.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_base_thorough.h"

static hm_arena *A;
static hm_similar_vectors *V;

typedef struct { hm_similar_text text; hm_vector vector; int polarity; } side;

static side read_side(const char *from, const char *to) {
  while (from < to && *from == ' ') from++;
  while (to > from && (to[-1] == ' ' || to[-1] == '\n')) to--;
  side s = { .polarity = *from == '{' ? atoi(from + 1) : 0 };
  if (*from == '{') from += 5;
  hm_str text = hm_str_dup(A, (hm_str){ from, (size_t)(to - from) });
  hm_similar_text_parse(text, A, &s.text);
  hm_similar_make_vector(V, s.text.said, A, &s.vector);
  return s;
}

static const char *kind_of(const side *x, const side *y) {
  hm_similarity s = hm_similar_compare(&x->text, x->polarity, &x->vector, &y->text, y->polarity,
                                       &y->vector);
  assert_true(!s.kind || (x->text.key && x->text.key == y->text.key));
  return s.kind == HM_ALIKE_DUPLICATE ? "duplicate" : s.kind ? s.reason : "none";
}

static void the_table(void **state) {
  FILE *f = fopen("tests/data/similar.txt", "r");
  char line[1000];
  size_t n = 0, bad = 0;
  (void)state;
  if (!f) fail_msg("cannot open tests/data/similar.txt: run from the top of the source");
  while (fgets(line, sizeof line, f)) {
    char *first = strchr(line, '|'), *second = first ? strchr(first + 1, '|') : NULL;
    if (*line == '#' || !second) continue;
    side x = read_side(line, first), y = read_side(first + 1, second);
    hm_str want = hm_str_trim(hm_str_c(second + 1));
    const char *got[] = { kind_of(&x, &y), kind_of(&y, &x) };
    for (int i = 0; i < 2; i++)
      if (!hm_str_is(want, got[i])) print_error("%.*s: %s\n", (int)(second - line), line, got[i]), bad++;
    n++;
  }
  fclose(f);
  assert_true(n > 50);
  assert_int_equal(bad, 0);
}

/* Any bytes have words or none, and are to themselves what they are whoever asks. */
static void any_bytes(void **state) {
  static const char PARTS[] = "not never no. , ; 'a b-c \xe2\x80\x99\xff\0 instead of and?\n";
  uint64_t p = 7;
  (void)state;
  for (int i = 0; i < 3000; i++) {
    char text[80];
    size_t n = prng(&p) % sizeof text;
    for (size_t k = 0; k < n; k++) text[k] = PARTS[prng(&p) % sizeof PARTS];
    hm_similar_text x;
    hm_arena *a = hm_arena_new();
    hm_similar_text_parse((hm_str){ text, n }, a, &x);
    assert_true((x.key != 0) == (x.n != 0));
    assert_int_not_equal(hm_similar_compare_words(&x, 0, &x, 0).kind, HM_ALIKE_CONTRADICTION);
    hm_arena_free(a);
  }
}

/* The same words in a circle, by trying each beginning. */
static bool turned(const char *x, const char *y, size_t n) {
  for (size_t shift = 0; shift < n; shift++)
    if (!memcmp(x + shift, y, n - shift) && !memcmp(x, y + n - shift, shift)) return true;
  return false;
}

static hm_similar_text read_letters(const char *letters, size_t n, hm_arena *a) {
  hm_similar_text out;
  char *text = hm_alloc_array(a, n, 5);
  for (size_t i = 0; i < n; i++) memcpy(text + 5 * i, letters[i] == 'a' ? "lamp " : "door ", 5);
  hm_similar_text_parse((hm_str){ text, 5 * n }, a, &out);
  return out;
}

static void words_in_a_circle(void **state) {
  uint64_t p = 11;
  size_t same = 0;
  (void)state;
  for (int i = 0; i < 4000; i++) {
    char x[12], y[12];
    hm_arena *a = hm_arena_new();
    size_t n = 2 + prng(&p) % 9, from = prng(&p) % n;
    for (size_t k = 0; k < n; k++) x[k] = "ab"[prng(&p) % 2];
    for (size_t k = 0; k < n; k++) y[k] = x[(k + from) % n];
    if (i % 2) y[prng(&p) % n] ^= 'a' ^ 'b';
    hm_similar_text s = read_letters(x, n, a), t = read_letters(y, n, a);
    bool alike = hm_similar_compare_words(&s, 0, &t, 0).kind == HM_ALIKE_DUPLICATE;
    if (s.key == t.key) assert_int_equal(alike, turned(x, y, n));
    else assert_false(alike);
    same += alike;
    hm_arena_free(a);
  }
  assert_true(same > 1500 && same < 3500);
}

/* Long texts that repeat themselves cost no more than others: each step of the first way of the
 * last test would be a million. */
static void repeated_words_cost_no_more(void **state) {
  enum { LONG = 1900, TIMES = 3000 };
  static char x[LONG], y[LONG];
  hm_arena *a = hm_arena_new();
  (void)state;
  memset(x, 'a', sizeof x);
  memset(y, 'a', sizeof y);
  x[LONG / 2] = x[LONG - 1] = y[LONG / 3] = y[LONG - 1] = 'b';
  hm_similar_text s = read_letters(x, LONG, a), t = read_letters(y, LONG, a);
  assert_true(s.key && s.key == t.key && s.n == LONG);
  double begun = computed();
  for (int i = 0; i < TIMES; i++)
    assert_int_equal(hm_similar_compare_words(&s, 0, &t, 0).kind, HM_UNLIKE);
  expect_within(1, begun, "comparisons");
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(the_table), cmocka_unit_test(any_bytes),
                                      cmocka_unit_test(words_in_a_circle),
                                      cmocka_unit_test(repeated_words_cost_no_more) };
  A = hm_arena_new();
  V = hm_similar_vectors_new(A);
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  hm_arena_free(A);
  return rc;
}
