/* Which entities of one name are one thing. */
#include "tests/unit/core_detect_help.h"

#include "core/claim/things.h"
#include "core/value/rules.h"

enum { ROWS_MAX = 6 };
typedef struct { const char *id, *type, *name, *props, *sources; } said;

static hm_arena *a;
static int begin(void **unused) { (void)unused; a = hm_arena_new(); return 0; }
static int end(void **unused) { (void)unused; hm_arena_free(a); return 0; }

/* The rows of one thing, "a b", one after the other: "a b | c". sources: letters. */
static const char *things_of(const said *rows, size_t n) {
  static const char *const projects[] = { "p" };
  hm_row v[ROWS_MAX];
  for (size_t i = 0; i < n; i++)
    v[i] = help_entity(rows[i].id, rows[i].type, 0, rows[i].name, rows[i].props);
  hm_snapshot *s = help_snapshot(a, projects, 1, v, n);
  s->sources = hm_alloc_array(a, 4 * n, sizeof *s->sources);
  for (size_t i = 0; i < n; i++)
    for (const char *c = rows[i].sources; *c; c++)
      s->sources[s->n_sources++] = (hm_row_source){ (uint32_t)i, { c, 1 }, HM_EMPTY };
  hm_existences lives;
  hm_existences_build(s, hm_rules_default(), 1, a, &lives);
  const hm_things *t = hm_things_build(s, &lives, a);
  hm_buf b = { 0 };
  bool told[ROWS_MAX] = { false };
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = i; k < n && !told[i]; k++) {
      if (hm_thing_of_row(t, s, k) != hm_thing_of_row(t, s, i)) continue;
      hm_buf_c(&b, k > i ? " " : b.n ? " | " : "");
      hm_buf_str(&b, s->rows[k].id);
      if (k > i) told[k] = true;
    }
  }
  char *out = hm_str_z(a, hm_buf_view(&b));
  hm_buf_free(&b);
  return out;
}

#define MADE "e-0123456789abcde"
static void rows_of_one_name(void **unused) {
  (void)unused;
  static const struct { said rows[ROWS_MAX]; const char *things; } cases[] = {
    { { { "a", "Tug", "Ada", "", "n" }, { "b", "Tug", "Ada", "", "n" } }, "a | b" },
    { { { "a", "Tug", "Ada", "", "n" }, { "b", "Tug", "ADA", "", "s" } }, "a b" },
    { { { "a", "Tug", "Ada", "", "n" }, { "b", "Tug", "Ida", "", "s" } }, "a | b" },
    { { { "a", "Tug", "Ada", "", "n" }, { "b", "Ferry", "Ada", "", "s" } }, "a | b" },
    /* one source has both */
    { { { "a", "Tug", "Ada", "", "n" }, { "b", "Tug", "Ada", "", "sn" } }, "a | b" },
    /* each pair of two sources */
    { { { "a", "Tug", "Ada", "", "n" },
        { "b", "Tug", "Ada", "", "s" },
        { "c", "Tug", "Ada", "", "w" } }, "a b c" },
    /* c could be either of two: of neither */
    { { { "a", "Tug", "Ada", "", "n" },
        { "b", "Tug", "Ada", "", "n" },
        { "c", "Tug", "Ada", "", "s" } }, "a | b | c" },
    /* it could be one alone, as it was founded with that one */
    { { { "a", "Tug", "Ada", "{\"founded\":\"1900\",\"born\":\"1900\"}", "n" },
        { "b", "Tug", "Ada", "{\"born\":\"1950\"}", "n" },
        { "c", "Tug", "Ada", "{\"born\":\"1900-05\"}", "s" } }, "a c | b" },
    /* ids that an import made */
    { { { MADE "1", "Tug", "Ada", "", "n" }, { MADE "2", "Tug", "Ada", "", "n" } },
      MADE "1 " MADE "2" },
    { { { "a", "Tug", "Ada", "", "n" }, { MADE "1", "Tug", "Ada", "", "n" } }, "a " MADE "1" },
    { { { "a", "Tug", "Ada", "", "n" },
        { "b", "Tug", "Ada", "", "n" },
        { MADE "1", "Tug", "Ada", "", "n" } }, "a | b | " MADE "1" },
    /* of two births one is wrong, or they are of two */
    { { { MADE "1", "Tug", "Ada", "{\"born\":\"1900\"}", "n" },
        { MADE "2", "Tug", "Ada", "{\"born\":\"1911\"}", "n" } },
      MADE "1 " MADE "2" },
    { { { MADE "1", "Tug", "Ada", "{\"born\":\"1900\"}", "n" },
        { MADE "2", "Tug", "Ada", "{\"born\":\"1914\"}", "n" } },
      MADE "1 | " MADE "2" },
    { { { "a", "Tug", "Ada", "{\"born\":\"1900\"}", "n" },
        { "b", "Tug", "Ada", "{\"born\":\"1911\"}", "s" } }, "a b" },
    { { { "a", "Tug", "Ada", "{\"born\":\"1900\"}", "n" },
        { "b", "Tug", "Ada", "{\"born\":\"1914\"}", "s" } }, "a | b" },
    { { { "e-0123456789abcdeg", "Tug", "Ada", "", "n" }, { "f", "Tug", "Ada", "", "n" } },
      "e-0123456789abcdeg | f" },
    /* lives */
    { { { "a", "Person", "Ada", "{\"died\":\"1702\"}", "n" },
        { "b", "Person", "Ada", "{\"born\":\"1714\"}", "s" } }, "a b" },
    { { { "a", "Person", "Ada", "{\"died\":\"1702\"}", "n" },
        { "b", "Person", "Ada", "{\"born\":\"1716\"}", "s" } }, "a | b" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t n = 0;
    while (n < ROWS_MAX && cases[i].rows[n].id) n++;
    assert_string_equal(things_of(cases[i].rows, n), cases[i].things);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(rows_of_one_name, begin, end) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
