/* Times in worlds: the table tests/data/times.txt; what world.yml may say; shifts against all
 * lengths that eras may have had. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/claim/world.h"

enum { CASES_MIN = 250, FEW = 64 };

static int setup(void **state) {
  *state = hm_arena_new();
  return 0;
}
static int teardown(void **state) {
  hm_arena_free(*state);
  return 0;
}

/* --- the table --------------------------------------------------------------------- */

typedef struct {
  hm_arena *a;
  hm_era_text eras[FEW];
  size_t n_eras;
  hm_world_text texts[FEW];
  size_t n_texts;
  hm_worlds *worlds; /* once the first time is read */
  const hm_world *w;
  hm_time now;
  size_t line, cases, wrong;
} table;

/* What stands before the separator, trimmed, and takes both off. */
static hm_str take(hm_str *s, const char *separator) {
  ptrdiff_t at = hm_str_find(*s, separator);
  hm_str head = hm_str_sub(*s, 0, at < 0 ? s->n : (size_t)at);
  *s = hm_str_sub(*s, at < 0 ? s->n : (size_t)at + strlen(separator), s->n);
  return hm_str_trim(head);
}

static void complain(table *t, const char *what, hm_str text) {
  print_message("times.txt:%zu: %s %.*s\n", t->line, what, HM_FMT(text));
  t->wrong++;
}

static hm_bound bound(table *t, hm_str text) {
  hm_bound b = { 0 };
  if (!hm_bound_parse(t->w, text, &b)) complain(t, "no time:", text);
  return b;
}

/* "[A, B)". */
static void split_window(table *t, hm_str s, hm_str *from, hm_str *until) {
  if (!hm_str_starts(s, "[") || !hm_str_ends(s, ")")) complain(t, "no window:", s);
  s = hm_str_sub(s, 1, s.n - 1);
  *from = take(&s, ",");
  *until = hm_str_trim(s);
}

static hm_window window(table *t, hm_str s) {
  hm_window w = { 0 };
  hm_str from, until;
  if (!hm_str_starts(s, "[")) {
    hm_bound at = bound(t, s);
    hm_window_of_moment(&at, &w);
    return w;
  }
  split_window(t, s, &from, &until);
  if (hm_window_parse(t->w, from, until, t->now, &w) != HM_WINDOW_OK) complain(t, "no window:", s);
  return w;
}

static const char *const answers[] = {
  [HM_NO] = "no", [HM_POSSIBLE] = "possible", [HM_CERTAIN] = "certain"
};

static void check_answer(table *t, hm_certainty got, hm_str want) {
  t->cases++;
  if (!hm_str_is(want, answers[got])) complain(t, "the answer is", hm_str_c(answers[got]));
}

static void read_era(table *t, hm_str s) {
  hm_era_text *e = &t->eras[t->n_eras++];
  assert_true(t->n_eras < FEW);
  hm_str *const fields[] = { &e->world, &e->era, &e->parent, &e->begins, &e->ends, &e->unit };
  for (size_t i = 0; i < HM_COUNT(fields); i++) *fields[i] = take(&s, "|");
}

static void read_world(table *t, hm_str s) {
  hm_str name = take(&s, "|"), current = take(&s, "|");
  int around = s.n ? atoi(hm_str_z(t->a, hm_str_trim(s))) : -1;
  t->texts[t->n_texts++] = (hm_world_text){ name, current, around, -1, -1, false };
  assert_true(t->n_texts < FEW);
}

static void enter_world(table *t, hm_str s) {
  hm_world_fault fault;
  if (!t->worlds &&
      !hm_worlds_new(t->a, t->texts, t->n_texts, t->eras, t->n_eras, &t->worlds, &fault))
    fail_msg("%s %zu: %s: %s", fault.in_eras ? "era" : "world", fault.at, fault.key, fault.why);
  t->w = hm_world_find(t->worlds, s, HM_EMPTY, t->a);
  assert_true(t->w || hm_str_is(s, "-"));
}

static void set_now(table *t, hm_str s) {
  hm_precision p;
  t->now = HM_TIME_MAX;
  assert_true(hm_str_is(s, "-") || hm_time_parse(s, &t->now, &p));
}

/* An instant, of years before 0000 too. */
static hm_time instant(hm_str s) {
  hm_time t;
  hm_precision p;
  assert_true(hm_time_parse(s, &t, &p) || hm_time_parse_era_year(s, &t, &p));
  return t;
}

static void check_range(table *t, hm_str s) {
  hm_str text = take(&s, "|"), first = take(&s, "|"), last = take(&s, "|");
  hm_bound b = bound(t, text);
  t->cases++;
  if (b.first != instant(first) || b.last != instant(last))
    complain(t, "it is",
             HM_CAT(t->a, hm_time_iso(t->a, b.first), HM_STR(" | "), hm_time_iso(t->a, b.last)));
  if (b.text && !hm_str_eq(hm_bound_text(t->a, &b), text))
    complain(t, "written as", hm_bound_text(t->a, &b));
}

static void check_bad(table *t, hm_str s) {
  hm_bound b;
  t->cases++;
  if (hm_bound_parse(t->w, s, &b)) complain(t, "this is a time:", s);
}

static void check_fault(table *t, hm_str s) {
  static const char *const faults[] = { [HM_WINDOW_OK] = "none",
                                        [HM_WINDOW_BAD_FROM] = "from",
                                        [HM_WINDOW_BAD_UNTIL] = "until",
                                        [HM_WINDOW_TWO_AXES] = "axes",
                                        [HM_WINDOW_INVERTED] = "inverted" };
  hm_str from, until;
  hm_window w;
  split_window(t, take(&s, "|"), &from, &until);
  hm_window_fault got = hm_window_parse(t->w, from, until, t->now, &w);
  t->cases++;
  if (!hm_str_is(hm_str_trim(s), faults[got])) complain(t, "the fault is", hm_str_c(faults[got]));
}

static void check_overlap(table *t, hm_str s) {
  hm_window a = window(t, take(&s, "|")), b = window(t, take(&s, "|"));
  check_answer(t, hm_window_overlap_certainty(&a, &b), hm_str_trim(s));
  check_answer(t, hm_window_overlap_certainty(&b, &a), hm_str_trim(s));
}

static void check_inside(table *t, hm_str s) {
  hm_window a = window(t, take(&s, "|")), b = window(t, take(&s, "|"));
  check_answer(t, hm_window_inside(&a, &b), hm_str_trim(s));
}

static void check_before(table *t, hm_str s) {
  hm_bound a = bound(t, take(&s, "|")), b = bound(t, take(&s, "|"));
  check_answer(t, hm_bound_before(&a, &b), hm_str_trim(s));
}

static void check_order(table *t, hm_str s) {
  hm_bound v[FEW];
  size_t n = 0;
  while (s.n && n < FEW) v[n++] = bound(t, take(&s, "<"));
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      if (i != k)
        check_answer(t, hm_bound_before(&v[i], &v[k]), hm_str_c(i < k ? "certain" : "no"));
}

static const struct {
  const char *word;
  void (*take)(table *t, hm_str rest);
} lines[] = {
  { "era", read_era },        { "world", read_world },      { "in", enter_world },
  { "now", set_now },         { "is", check_range },        { "bad", check_bad },
  { "fault", check_fault },   { "overlap", check_overlap }, { "inside", check_inside },
  { "before", check_before }, { "order", check_order },
};

static hm_str read_file(hm_arena *a, const char *path) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  char *p = hm_alloc(a, 1 << 20);
  size_t n = fread(p, 1, 1 << 20, f);
  fclose(f);
  return (hm_str){ p, n };
}

static void the_table_of_times(void **state) {
  table t = { .a = *state, .now = HM_TIME_MAX };
  hm_str rest = read_file(t.a, "tests/data/times.txt");
  while (rest.n) {
    hm_str line = take(&rest, "\n");
    t.line++;
    if (!line.n || line.p[0] == '#') continue;
    hm_str word = take(&line, " ");
    size_t i = 0;
    while (i < HM_COUNT(lines) && !hm_str_is(word, lines[i].word)) i++;
    if (i == HM_COUNT(lines)) complain(&t, "what is", word);
    else lines[i].take(&t, hm_str_trim(line));
  }
  assert_int_equal(t.wrong, 0);
  assert_true(t.cases >= CASES_MIN);
}

/* --- what world.yml may say ------------------------------------------------------------- */

static void a_world_that_cannot_be_placed_is_told(void **state) {
  const hm_str w = HM_STR("w"), e = HM_STR("e"), no = HM_EMPTY;
  const struct {
    hm_era_text eras[2];
    hm_world_text world;
    bool in_eras;
    size_t at;
    const char *key, *why;
  } t[] = {
    { { { w, e, no, no, no, no }, { w, HM_STR("E"), no, no, no, no } },
      { w, no, -1, -1, -1, false },
      true,
      1,
      "era",
      "this era was given before" },
    { { { w, HM_STR("2026"), no, no, no, no } },
      { w, no, -1, -1, -1, false },
      true,
      0,
      "era",
      "not a name of an era" },
    { { { w, HM_STR("current"), no, no, no, no } },
      { w, no, -1, -1, -1, false },
      true,
      0,
      "era",
      "not a name of an era" },
    { { { w, HM_STR("a.b"), no, no, no, no } },
      { w, no, -1, -1, -1, false },
      true,
      0,
      "era",
      "not a name of an era" },
    { { { w, e, HM_STR("f"), no, no, no }, { w, HM_STR("f"), no, no, no, no } },
      { w, no, -1, -1, -1, false },
      true,
      0,
      "parent",
      "no era above has this name" },
    { { { w, e, no, HM_STR("f.year_1"), no, no }, { w, HM_STR("f"), no, no, no, no } },
      { w, no, -1, -1, -1, false },
      true,
      0,
      "begins",
      "neither a date, nor a time of an era above, nor a unit of its own" },
    { { { w, e, no, no, HM_STR("moon_3"), no } },
      { w, no, -1, -1, -1, false },
      true,
      0,
      "ends",
      "neither a date, nor a time of an era above, nor a unit of its own" },
    { { { w, e, no, HM_STR("1901"), HM_STR("1837"), no } },
      { w, no, -1, -1, -1, false },
      true,
      0,
      "ends",
      "it ends before it begins" },
    { { { w, e, no, HM_STR("year_9"), HM_STR("year_3"), no } },
      { w, no, -1, -1, -1, false },
      true,
      0,
      "ends",
      "it ends before it begins" },
    { { { w, e, no, HM_STR("1837"), HM_STR("year_100001"), no } },
      { w, no, -1, -1, -1, false },
      true,
      0,
      "ends",
      "too many units" },
    { { { w, e, no, no, no, no }, { w, HM_STR("f"), no, HM_STR("e.year_3"), HM_STR("1837"), no } },
      { w, no, -1, -1, -1, false },
      true,
      1,
      "ends",
      "on another calendar than its begin" },
    { { { w, e, no, no, no, no } },
      { w, HM_STR("f.year_3"), -1, -1, -1, false },
      false,
      0,
      "current",
      "no time in this world" },
    { { { w, e, no, no, no, no } },
      { w, HM_STR("current"), -1, -1, -1, false },
      false,
      0,
      "current",
      "no time in this world" },
  };
  for (size_t i = 0; i < HM_COUNT(t); i++) {
    hm_worlds *out;
    hm_world_fault f = { 0 };
    size_t n = t[i].eras[1].era.n ? 2 : 1;
    if (hm_worlds_new(*state, &t[i].world, 1, t[i].eras, n, &out, &f)) fail_msg("case %zu", i);
    assert_string_equal(f.key, t[i].key);
    assert_string_equal(f.why, t[i].why);
    assert_true(f.in_eras == t[i].in_eras && f.at == t[i].at);
  }
  hm_world_text twice[] = { { w, no, -1, -1, -1, false },
                            { HM_STR("W"), no, -1, -1, -1, false } };
  hm_worlds *out;
  hm_world_fault f;
  assert_false(hm_worlds_new(*state, twice, 2, NULL, 0, &out, &f));
  assert_string_equal(f.why, "this world was given before");
}

static void too_many_worlds_and_eras_are_told(void **state) {
  enum { MANY = 1001 };
  hm_era_text *eras = hm_alloc_array(*state, MANY, sizeof *eras);
  hm_worlds *out;
  hm_world_fault f;
  for (size_t i = 0; i < MANY; i++)
    eras[i] = (hm_era_text){ .world = HM_STR("w"), .era = hm_str_fmt(*state, "e%zu", i) };
  assert_true(hm_worlds_new(*state, NULL, 0, eras, MANY - 1, &out, &f));
  assert_false(hm_worlds_new(*state, NULL, 0, eras, MANY, &out, &f));
  assert_string_equal(f.why, "too many eras in this world: at most 1,000");
  for (size_t i = 0; i < MANY; i++) eras[i].world = eras[i].era;
  assert_true(hm_worlds_new(*state, NULL, 0, eras, HM_AXES_MAX, &out, &f));
  hm_bound a, b;
  const hm_world *first = hm_world_find(out, HM_STR("e0"), HM_EMPTY, *state);
  const hm_world *last = hm_world_find(out, HM_STR("e255"), HM_EMPTY, *state);
  assert_true(hm_bound_parse(first, HM_STR("e0.year_9999999"), &a));
  assert_true(hm_bound_parse(last, HM_STR("e255.year_0"), &b));
  assert_true(a.last < b.first && b.last < INT64_C(-3900000000000000000));
  assert_false(hm_worlds_new(*state, NULL, 0, eras, MANY, &out, &f));
  assert_string_equal(f.why, "too many worlds: at most 256");
}

static void a_row_is_of_its_project_or_of_the_world_that_it_names(void **state) {
  hm_era_text eras[] = { { .world = HM_STR("narnia"), .era = HM_STR("golden_age") },
                         { .world = HM_STR("middle-earth"), .era = HM_STR("3rd_age") } };
  hm_worlds *w;
  hm_world_fault f;
  assert_true(hm_worlds_new(*state, NULL, 0, eras, 2, &w, &f));
  const hm_world *narnia = hm_world_find(w, HM_STR("narnia"), HM_EMPTY, *state);
  assert_non_null(narnia);
  const struct {
    const char *project, *props;
    bool is_narnia, is_any;
  } t[] = {
    { "Narnia", "{}", true, true },
    { "middle_earth", "{\"height\":3}", false, true },
    { "tolkien", "{\"world\":\"narnia\"}", true, true },
    { "middle-earth", "{\"world\":\" Narnia \"}", true, true },
    { "narnia", "{\"world\":\"earth\"}", false, false },
    { "narnia", "{\"world\":\"\"}", true, true },
    { "narnia", "{\"world\":3}", true, true },
    { "narnia", "{\"world\":", true, true },
    { "narnia", "{\"of\":{\"world\":\"earth\"}}", true, true },
    { "earth", "{}", false, false },
  };
  for (size_t i = 0; i < HM_COUNT(t); i++) {
    const hm_world *got =
        hm_world_find(w, hm_str_c(t[i].project), hm_str_c(t[i].props), *state);
    assert_true((got == narnia) == t[i].is_narnia && (got != NULL) == t[i].is_any);
  }
  assert_null(hm_world_find(NULL, HM_STR("narnia"), HM_EMPTY, *state));
  size_t n;
  assert_true(hm_worlds_list_era_names(w, &n) && n == 3 && !hm_worlds_list_era_names(NULL, &n) &&
              n == 0);
}

static void what_a_world_allows(void **state) {
  hm_world_text t[] = { { HM_STR("w"), HM_EMPTY, 3, 0, -1, false } };
  hm_worlds *w;
  hm_world_fault f;
  assert_true(hm_worlds_new(*state, t, 1, NULL, 0, &w, &f));
  hm_allowances by_default = hm_world_allows(NULL);
  hm_allowances got = hm_world_allows(hm_world_find(w, HM_STR("w"), HM_EMPTY, *state));
  assert_true(by_default.approximate == 10 && by_default.parent_age == 12);
  assert_true(got.approximate == 3 && got.parent_age == 0);
  assert_int_equal(got.born_after_death, by_default.born_after_death);
  hm_str one = hm_worlds_digest(w);
  t[0].parent_age = 1;
  assert_true(hm_worlds_new(*state, t, 1, NULL, 0, &w, &f));
  assert_false(hm_str_eq(one, hm_worlds_digest(w)));
  assert_int_equal(hm_worlds_digest(NULL).n, 0);
}

/* --- n years later ------------------------------------------------------------------------ */

static void dates_are_shifted_by_years(void **state) {
  const struct {
    const char *from;
    int n;
    const char *first, *last;
  } t[] = {
    { "1066", 12, "1078-01-01T00:00:00Z", "1078-12-31T23:59:59.999999Z" },
    { "2024-02-29", 1, "2025-02-28T00:00:00Z", "2025-02-28T23:59:59.999999Z" },
    { "2026-04", 0, "2026-04-01T00:00:00Z", "2026-04-30T23:59:59.999999Z" },
    { "44 BC", 44, "0001-01-01T00:00:00Z", "0001-12-31T23:59:59.999999Z" },
    { "c. 1066 ± 1", 1, "1066-01-01T00:00:00Z", "1068-12-31T23:59:59.999999Z" },
    { "2026-04-02T09:00Z", 2, "2028-04-02T09:00:00Z", "2028-04-02T09:00:00Z" },
  };
  (void)state;
  for (size_t i = 0; i < HM_COUNT(t); i++) {
    hm_bound b;
    assert_true(hm_bound_parse(NULL, hm_str_c(t[i].from), &b));
    hm_bound later = hm_bound_shift(NULL, &b, t[i].n);
    if (later.first != instant(hm_str_c(t[i].first)) || later.last != instant(hm_str_c(t[i].last)))
      fail_msg("case %zu", i);
  }
  hm_bound none = { 0 };
  assert_false(hm_bound_shift(NULL, &none, 3).known);
}

/* Four eras of the lengths that follow; 0: nobody knows. */
enum { ERAS = 4, LONGEST = 5 };

/* Where n units after a unit of an era is, when the eras were so long: false, after the last. */
static bool walk(const int *lengths, int era, int unit, int n, int *to_era, int *to_unit) {
  unit += n;
  while (era < ERAS - 1 && unit >= lengths[era]) unit -= lengths[era++];
  *to_era = era;
  *to_unit = unit;
  return true;
}

static hm_bound unit_of(const hm_world *w, int era, int unit) {
  char text[40];
  hm_bound b;
  snprintf(text, sizeof text, "e%d.year_%d", era, unit);
  assert_true(hm_bound_parse(w, hm_str_c(text), &b));
  b.text = NULL;
  return b;
}

static void check_shift(const hm_world *w, const int *known, int era, int unit, int n) {
  hm_bound from = unit_of(w, era, unit), got = hm_bound_shift(w, &from, n);
  bool is_first = false;
  for (int code = 0; code < LONGEST * LONGEST * LONGEST; code++) {
    int lengths[ERAS] = { 1 + code % LONGEST, 1 + code / LONGEST % LONGEST,
                          1 + code / LONGEST / LONGEST, 1000 };
    for (int i = 0; i < ERAS - 1; i++)
      if (known[i]) lengths[i] = known[i];
    if (lengths[era] <= unit) continue;
    int e, u;
    walk(lengths, era, unit, n, &e, &u);
    hm_bound to = unit_of(w, e, u);
    assert_true(got.first <= to.first && to.last <= got.last);
    is_first = is_first || got.first == to.first;
  }
  assert_true(is_first || n >= LONGEST - unit);
  hm_bound gone_on = unit_of(w, era, unit);
  bool crosses = false;
  for (int i = era; i < ERAS - 1; i++) crosses = crosses || !known[i];
  if (!crosses) assert_true(got.last - got.first == gone_on.last - gone_on.first);
}

static void eras_are_shifted_by_all_lengths_that_they_may_have_had(void **state) {
  for (int code = 0; code < 27; code++) {
    int known[ERAS] = { code % 3, code / 3 % 3, code / 9, 0 };
    hm_era_text eras[ERAS] = { 0 };
    hm_worlds *worlds;
    hm_world_fault f;
    for (int i = 0; i < ERAS; i++) {
      eras[i].world = HM_STR("w");
      eras[i].era = hm_str_fmt(*state, "e%d", i);
      eras[i].begins = HM_STR("year_0");
      if (known[i]) eras[i].ends = hm_str_fmt(*state, "year_%d", known[i] - 1);
    }
    assert_true(hm_worlds_new(*state, NULL, 0, eras, ERAS, &worlds, &f));
    const hm_world *w = hm_world_find(worlds, HM_STR("w"), HM_EMPTY, *state);
    for (int era = 0; era < ERAS; era++)
      for (int unit = 0; unit < (known[era] ? known[era] : 3); unit++)
        for (int n = 0; n < 6; n++) check_shift(w, known, era, unit, n);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_table_of_times),
    cmocka_unit_test(a_world_that_cannot_be_placed_is_told),
    cmocka_unit_test(too_many_worlds_and_eras_are_told),
    cmocka_unit_test(a_row_is_of_its_project_or_of_the_world_that_it_names),
    cmocka_unit_test(what_a_world_allows),
    cmocka_unit_test(dates_are_shifted_by_years),
    cmocka_unit_test(eras_are_shifted_by_all_lengths_that_they_may_have_had),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
