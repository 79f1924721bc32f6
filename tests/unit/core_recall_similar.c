/* What two texts are to each other: the table tests/data/similar.txt, both ways round; and that any
 * bytes are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/recall/similar.h"
#include "tests/unit/core_base_prng.h"

static hm_arena *A;
static hm_similar_vectors *V;

typedef struct { hm_similar_text text; hm_vector vector; int polarity; } side;

static side read_side(const char *from, const char *to) {
  while (from < to && *from == ' ') from++;
  while (to > from && (to[-1] == ' ' || to[-1] == '\n')) to--;
  side s = { .polarity = *from == '{' ? atoi(from + 1) : 0 };
  if (*from == '{') from += 5;
  hm_str text = hm_str_dup(A, (hm_str){ from, (size_t)(to - from) });
  hm_similar_read(text, A, &s.text);
  hm_similar_vector(V, s.text.said, A, &s.vector);
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
    hm_similar_read((hm_str){ text, n }, a, &x);
    assert_true((x.key != 0) == (x.n != 0));
    assert_int_not_equal(hm_similar_words(&x, 0, &x, 0).kind, HM_ALIKE_CONTRADICTION);
    hm_arena_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(the_table), cmocka_unit_test(any_bytes) };
  A = hm_arena_new();
  V = hm_similar_vectors_new(A);
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  hm_arena_free(A);
  return rc;
}
