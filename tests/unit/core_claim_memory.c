/* The grammar of memories. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/claim/memory.h"
#include "core/claim/memory_forms.h"
#include "tests/unit/core_base_thorough.h"

static hm_arena *A;

static hm_memory_claim read(const char *type, const char *rule, hm_str text) {
  hm_row row = {
    .layer = HM_MEMORY, .type = hm_str_c(type), .slot_rule = hm_str_c(rule), .text = text
  };
  hm_memory_claim m;
  hm_memory_read(&m, &row, A);
  return m;
}

/* slot NULL: claims nothing. */
typedef struct { const char *text, *slot, *value; } sentence;

static void check(const char *type, const char *rule, const sentence *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    hm_memory_claim m = read(type, rule, hm_str_c(s[i].text));
    bool claims = m.slot.n && m.value.n;
    if (claims != (s[i].slot != NULL) ||
        (claims && (!hm_str_is(m.slot, s[i].slot) || !hm_str_is(m.value, s[i].value))))
      fail_msg("%s: slot %.*s value %.*s", s[i].text, HM_FMT(m.slot), HM_FMT(m.value));
  }
}
#define CHECK(type, rule, list) check(type, rule, list, sizeof(list) / sizeof *(list))

static void test_preference(void **state) {
  (void)state;
  static const sentence s[] = {
    { "prefers rebase workflow", "workflow", "rebase" },
    { "prefers merge-commit workflow", "workflow", "merge-commit" },
    { "Prefers rebase workflow.", "workflow", "rebase" },
    { "uses ruff for linting", "linting", "ruff" },
    { "prefers tabs over spaces", "spaces|tabs", "tabs" },
    { "prefers spaces over tabs", "spaces|tabs", "spaces" },
    { "prefers tabs to spaces", "spaces|tabs", "tabs" },
    { "prefers tabs instead of spaces", "spaces|tabs", "tabs" },
    { "likes tabs rather than spaces", "spaces|tabs", "tabs" },
    { "prefers tabs over spaces for indentation", "indentation", "tabs" },
    { "uses ruff for linting instead of flake8", "linting", "ruff" },
    { "prefers small diffs", "diffs", "small" },
    { "prefers to be contacted by phone", "contact", "phone" },
    { "likes small diffs", "diffs", "small" },
    { "I always use the ruff linter for Python code", "python_code", "ruff linter" },
    { "the user really likes dark mode", "mode", "dark" },
    { "The team prefers the rebase workflow", "workflow", "rebase" },
    { "user strongly prefers using pytest for tests", "tests", "pytest" },
    { "they use C++ for firmware", "firmware", "C++" },
    { "prefers .NET for services", "services", ".NET" },
    { "prefers v2.1 templates", "templates", "v2.1" },
    { "Alice prefers rebase workflow", NULL, NULL },
    { "Alice prefers tabs over spaces", "alice_spaces|tabs", "tabs" },
    { "Ann Lee always prefers spaces to tabs.", "ann_lee_spaces|tabs", "spaces" },
    { "The head chef prefers gas over induction", "head_chef_gas|induction", "gas" },
    { "Alice likes tabs over spaces", NULL, NULL },
    { "Alice prefers tabs over spaces for C", NULL, NULL },
    { "Alice never prefers tabs over spaces", NULL, NULL },
    { "Whoever writes C prefers tabs over spaces", NULL, NULL },
    { "Alice and Bob prefers tabs over spaces", NULL, NULL },
    { "Nobody here prefers tabs over spaces", NULL, NULL },
    { "Alice, who prefers tabs over spaces", NULL, NULL },
    { "never uses ruff for linting", NULL, NULL },
    { "prefers not to rebase", NULL, NULL },
    { "does not use ruff for linting", NULL, NULL },
    { "doesn't use ruff for linting", NULL, NULL },
    { "uses no linter for tests", NULL, NULL },
    { "prefers small diffs and rebase workflow", NULL, NULL },
    { "prefers rebase workflow when alone", NULL, NULL },
    { "prefers tabs", NULL, NULL },
    { "prefers the tabs", NULL, NULL },
    { "prefers", NULL, NULL },
    { "prefers for linting", NULL, NULL },
    { "prefers tabs over", NULL, NULL },
    { "uses ruff for", NULL, NULL },
    { "prefers a over b over c", NULL, NULL },
    { "uses a for b for c", NULL, NULL },
    { "prefers tabs over Tabs", NULL, NULL },
    { "uses git to deploy code", NULL, NULL },
    { "prefers small diffs, big tests", NULL, NULL },
    { "prefers small diffs. Likes tea", NULL, NULL },
    { "prefers small diffs (mostly)", NULL, NULL },
    { "prefers code in Rust", NULL, NULL },
    { "my prefers small diffs", NULL, NULL },
    { "prefers a b c d e f g h i j", NULL, NULL },
    { "would like small diffs", NULL, NULL },
    { "", NULL, NULL },
    { "prefers ??? !!!", NULL, NULL },
    { "rebase workflow", NULL, NULL },
  };
  CHECK("preference", "", s);
  assert_true(read("preference", "", HM_STR("prefers small diffs")).own_space);
}

static void test_identity(void **state) {
  (void)state;
  static const sentence s[] = {
    { "role: optical engineer", "role", "optical engineer" },
    { "role is optical engineer", "role", "optical engineer" },
    { "Role optical engineer", "role", "optical engineer" },
    { "my role is optical engineer", "role", "optical engineer" },
    { "the user's role is optical engineer", "role", "optical engineer" },
    { "User role: optical engineer.", "role", "optical engineer" },
    { "role=engineer", "role", "engineer" },
    { "role = engineer", "role", "engineer" },
    { "Role: is open", "role", "is open" },
    { "works as a mechanical engineer", "role", "mechanical engineer" },
    { "I work as mechanical engineer", "role", "mechanical engineer" },
    { "user is an optical engineer", "role", "optical engineer" },
    { "I'm a welder", "role", "welder" },
    { "is an engineer", "role", "engineer" },
    { "background in optics", "background", "optics" },
    { "background: physics", "background", "physics" },
    { "has a background in optics", "background", "optics" },
    { "his background is in optics", "background", "optics" },
    { "background is physics", "background", "physics" },
    { "has a PhD in optics", "credentials", "PhD in optics" },
    { "credentials: PhD", "credentials", "PhD" },
    { "credential: PhD", "credentials", "PhD" },
    { "holds a physics degree", "credentials", "physics degree" },
    { "is certified in laser safety", "credentials", "laser safety" },
    { "has a dog", NULL, NULL },
    { "holds a grudge in a physics degree", NULL, NULL },
    { "role of the user is open", NULL, NULL },
    { "Alice works as a cook", NULL, NULL },
    { "role is not engineer", NULL, NULL },
    { "is not a cook", NULL, NULL },
    { "role", NULL, NULL },
    { "role:", NULL, NULL },
    { "roles: a", NULL, NULL },
    { "role: cook. Lives in Rome", NULL, NULL },
    { "role: cook?", NULL, NULL },
    { "likes tea", NULL, NULL },
  };
  CHECK("identity", "", s);
  assert_true(read("Identity", "", HM_STR("role: x")).own_space);
}

static void test_knowledge(void **state) {
  (void)state;
  static const sentence s[] = {
    { "area is 468", "area", "468" },
    { "lateral support material: GF-PTFE", "lateral_support_material", "GF-PTFE" },
    { "currency = EUR", "currency", "EUR" },
    { "currency=EUR", "currency", "EUR" },
    { "tld is .ad", "tld", ".ad" },
    { "tld is .ad.", "tld", ".ad" },
    { "ratio: 10:30", "ratio", "10:30" },
    { "The frame mass IS 4.8 kg.", "frame_mass", "4.8 kg" },
    { "http://x is up", "http_x", "up" },
    { "http://x/a=b is up", "http_x_a_b", "up" },
    { "mass (kg): 5", "mass_kg", "5" },
    { "url: http://x.org/", "url", "http://x.org/" },
    { "x: b = c", "x", "b = c" },
    { "x is a=b", "x", "a=b" },
    { "one two three four five six seven eight nine is 5", NULL, NULL },
    { "it is 5", NULL, NULL },
    { "this one is red", NULL, NULL },
    { "our area is 468", NULL, NULL },
    { "area is not 468", NULL, NULL },
    { "area is no longer 468", NULL, NULL },
    { "if area is 468", NULL, NULL },
    { "what is the area?", NULL, NULL },
    { "area is 468?", NULL, NULL },
    { "area isn't 468", NULL, NULL },
    { "area == 468", NULL, NULL },
    { "area != 468", NULL, NULL },
    { "area <= 468", NULL, NULL },
    { "area:468", NULL, NULL },
    { "area is", NULL, NULL },
    { "area:", NULL, NULL },
    { ": 468", NULL, NULL },
    { "is 468", NULL, NULL },
    { "area is 468. Height is 5", NULL, NULL },
    { "Done. Area is 468", NULL, NULL },
    { "area\nis 468", NULL, NULL },
    { "the is 5", NULL, NULL },
    { "... is 5", NULL, NULL },
    { "", NULL, NULL },
  };
  CHECK("knowledge", "", s);
  CHECK("project", "", s);
  CHECK("adaptation", "", s);
  assert_false(read("knowledge", "", HM_STR("area is 468")).own_space);
}

static void test_rule(void **state) {
  (void)state;
  static const sentence nothing[] = { { "License: EPL-2.0", NULL, NULL },
                                      { "prefers rebase workflow", NULL, NULL },
                                      { "The port is 8080", NULL, NULL } };
  CHECK("knowledge", " = ", nothing);
  CHECK("preference", "=", nothing);
  static const sentence role[] = { { "optical engineer", "role", "optical engineer" },
                                   { "works as an optical engineer.", "role",
                                     "optical engineer" } };
  CHECK("identity", "Role", role);
  static const sentence credential[] = { { "PhD", "credentials", "PhD" } };
  CHECK("identity", "credential", credential);
  static const sentence flow[] = { { "prefers the rebase workflow", "git_flow", "rebase workflow" },
                                   { "rebase, always", "git_flow", "rebase, always" } };
  CHECK("preference", "Git flow", flow);
  static const sentence area[] = { { "the area is 468", "area", "468" }, { "468", "area", "468" } };
  CHECK("knowledge", "area", area);
  assert_true(hm_str_is(read("custom", "area", HM_STR(" x is 5. ")).value, "x is 5"));
  assert_int_equal(read("custom", "", HM_STR("x is 5")).slot.n, 0);
  assert_int_equal(read("episodic", "area", HM_STR("area is 468")).slot.n, 0);
  assert_int_equal(read("episodic", "", HM_STR("area is 468")).slot.n, 0);
}

static void test_stems(void **state) {
  (void)state;
  static const char *const same[][2] = {
    { "small diffs", "Small diff" },
    { "the rebase", "rebase" },
    { "`ruff`", "ruff" },
    { "an optical engineer", "optical engineers." },
    { "(small)", "small" },
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    assert_true(hm_str_eq(hm_memory_stem_value(A, hm_str_c(same[i][0])),
                          hm_memory_stem_value(A, hm_str_c(same[i][1]))));
  static const char *const different[][2] = {
    { "C", "C++" }, { "C#", "C" }, { "rebase", "merge-commit" }, { "the", "a" }, { "small", "big" }
  };
  for (size_t i = 0; i < sizeof different / sizeof *different; i++)
    assert_false(hm_str_eq(hm_memory_stem_value(A, hm_str_c(different[i][0])),
                           hm_memory_stem_value(A, hm_str_c(different[i][1]))));
}

static uint64_t rng = 88172645463325252u;
static uint64_t next(void) {
  rng ^= rng << 13;
  rng ^= rng >> 7;
  return rng ^= rng << 17;
}

/* Whatever the words, a value is a slice of the text. */
static void test_any_words(void **state) {
  (void)state;
  static const char *const words[] = {
    "prefers",   "uses", "to",    "use",      "using",   "over",     "instead", "of",
    "rather",    "than", "for",   "the",      "a",       "i",        "user's",  "role",
    "role:",     "is",   "=",     ":",        "not",     "tabs",     "spaces",  "background",
    "in",        "has",  "PhD",   "\xFF",     "\u2019s", "http://x", ".",       "\n",
    "certified", "as",   "works", "I\u2019m", "",        "  ",       "(x)",
  };
  static const char *const types[] = { "identity", "preference", "knowledge", "custom" };
  for (int i = 0; i < (thorough() ? 200000 : 20000); i++) {
    hm_buf b = { 0 };
    for (size_t k = 0, n = next() % 9; k < n; k++) {
      if (k) hm_buf_ch(&b, ' ');
      hm_buf_c(&b, words[next() % (sizeof words / sizeof *words)]);
    }
    hm_str text = hm_buf_copy(&b, A);
    hm_memory_claim m =
        read(types[next() % 4], (const char *[]){ "", "r", "tabs *", "*" }[next() % 4], text);
    if (m.value.n) assert_true(m.value.p >= text.p && m.value.p + m.value.n <= text.p + text.n);
    if (m.value.n) hm_memory_stem_value(A, m.value);
    hm_buf_free(&b);
    if (i % 100 == 0) hm_arena_reset(A);
  }
}

static void test_ten_megabytes(void **state) {
  (void)state;
  static const char *const starts[] = { "prefers ", "role: ",  "area is ",
                                        "",         "http://", "I always always " };
  static const char *const shapes[] = { "a",    "a ",      "is ",   ": ",  "=",  "\n",
                                        "the ", "always ", "over ", "://", "'s " };
  static const char *const types[] = { "identity", "preference", "knowledge" };
  size_t n = thorough() ? 10 << 20 : 1 << 18;
  char *p = malloc(n);
  for (size_t s = 0; s < sizeof starts / sizeof *starts; s++)
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
      size_t at = strlen(starts[s]), len = strlen(shapes[k]);
      memcpy(p, starts[s], at);
      for (size_t i = at; i < n; i++) p[i] = shapes[k][(i - at) % len];
      for (size_t t = 0; t < 3; t++) {
        read(types[t], "", (hm_str){ p, n });
        hm_memory_claim m = read(types[t], "r", (hm_str){ p, n });
        assert_int_equal(m.value.n > 0, hm_str_trim((hm_str){ p, n }).n > 0);
        read(types[t], "area *", (hm_str){ p, n });
      }
      hm_arena_reset(A);
    }
  hm_memory_stem_value(A, (hm_str){ p, n });
  free(p);
}

static int setup(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int teardown(void **state) { (void)state; hm_arena_free(A); return 0; }

static void test_word_lists(void **state) {
  static const hm_word_list *const lists[] = { &hm_negations, &hm_knowledge_refused,
                                               &hm_preference_refused };
  (void)state;
  for (size_t k = 0; k < HM_COUNT(lists); k++) {
    const hm_word_list *l = lists[k];
    for (size_t i = 0; i < l->n; i++) {
      char word[32], upper[32];
      size_t n = strlen(l->words[i]);
      if (i) assert_true(strcmp(l->words[i - 1], l->words[i]) < 0);
      for (size_t c = 0; c <= n; c++)
        upper[c] = (char)(l->words[i][c] >= 'a' && l->words[i][c] <= 'z' ? l->words[i][c] - 32
                                                                         : l->words[i][c]);
      assert_true(hm_word_listed(hm_str_c(l->words[i]), l) && hm_word_listed(hm_str_c(upper), l));
      memcpy(word, l->words[i], n + 1);
      strcpy(word + n, "z");
      assert_false(hm_word_listed(hm_str_c(word), l));
      assert_false(hm_word_listed((hm_str){ "not\0", 4 }, l));
    }
    assert_false(hm_word_listed(HM_EMPTY, l) || hm_word_listed(HM_STR("zz"), l) ||
                 hm_word_listed(HM_STR("!"), l));
  }
}

/* "Alice *": the text is about Alice, whether or not it says so. */
static void test_subject(void **state) {
  (void)state;
  static const sentence preferences[] = {
    { "prefers tabs over spaces", "alice_spaces|tabs", "tabs" },
    { "Alice prefers tabs over spaces.", "alice_spaces|tabs", "tabs" },
    { "ALICE uses ruff for linting", "alice_linting", "ruff" },
    { "prefers dark mode", "alice_mode", "dark" },
    { "prefers tabs", NULL, NULL },
    { "Bob prefers tabs over spaces", NULL, NULL },
    { "Alicea prefers tabs over spaces", NULL, NULL },
  };
  static const sentence identities[] = {
    { "role is cook", "alice_role", "cook" },
    { "Alice's role is cook", "alice_role", "cook" },
    { "works as a cook", "alice_role", "cook" },
  };
  static const sentence facts[] = {
    { "is 30 years old", "alice", "30 years old" },
    { "= 30", "alice", "30" },
    { ": 30", "alice", "30" },
    { "The favourite colour is blue", "alice_favourite_colour", "blue" },
    { "Alice is 30 years old", "alice", "30 years old" },
    { "Alice favourite colour: blue", "alice_favourite_colour", "blue" },
    { "alicea is blue", "alice_alicea", "blue" },
    { "isolated from the net", NULL, NULL },
    { "likes the sea", NULL, NULL },
    { "is not 30", NULL, NULL },
    { "is", NULL, NULL },
  };
  CHECK("preference", "Alice *", preferences);
  CHECK("identity", " Alice  * ", identities);
  CHECK("knowledge", "Alice *", facts);
  assert_true(hm_str_is(read("knowledge", "*", HM_STR("gain is 3")).slot, "gain"));
  assert_true(hm_str_is(read("knowledge", "alice*", HM_STR("gain is 3")).slot, "alice"));
  assert_int_equal(read("note", "Alice *", HM_STR("gain is 3")).slot.n, 0);
  assert_int_equal(read("knowledge", "Alice *", (hm_str){ "\0", 1 }).slot.n, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_preference), cmocka_unit_test(test_identity),
    cmocka_unit_test(test_knowledge),  cmocka_unit_test(test_rule),
    cmocka_unit_test(test_word_lists), cmocka_unit_test(test_stems),
    cmocka_unit_test(test_any_words),  cmocka_unit_test(test_ten_megabytes),
    cmocka_unit_test(test_subject),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
