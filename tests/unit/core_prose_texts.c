/* The grammar of prose: the table tests/data/prose.txt; and what holds for any bytes: slices of the
 * text, names that are folded, the same result twice, time that grows with the text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/prose/prose.h"
#include "tests/unit/core_base_thorough.h"

static hm_arena *A;
static const hm_families *F;

static hm_str read_file(hm_arena *a, const char *path) {
  FILE *f = fopen(path, "r");
  hm_buf b = { 0 };
  char part[4096];
  if (!f) fail_msg("cannot open %s: run from the top of the source", path);
  for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) hm_buf_add(&b, part, n);
  fclose(f);
  return hm_buf_take(&b, a);
}

/* --- the table --------------------------------------------------------------------------- */

static hm_str describe(const hm_prose *r, hm_arena *a) {
  static const char *const outcomes[] = { "read", "nothing", "language", "unsure" };
  if (!r->n) return hm_str_c(outcomes[r->outcome]);
  hm_buf b = { 0 };
  for (size_t i = 0; i < r->n; i++) {
    const hm_prose_claim *c = &r->claims[i];
    hm_buf_fmt(&b, "%s%.*s %.*s %s %.*s", i ? "; " : "", HM_FMT(hm_shape_name(c->shape)),
               HM_FMT(c->slot), c->denied ? "!=" : "=", HM_FMT(c->reading));
    if (c->qualifier.n) hm_buf_fmt(&b, " @%.*s", HM_FMT(c->qualifier));
    if (c->left.n) hm_buf_fmt(&b, " not %.*s", HM_FMT(c->left));
    if (c->only) hm_buf_c(&b, " only");
    if (c->also) hm_buf_c(&b, " also");
  }
  return hm_buf_take(&b, a);
}

static void check_line(hm_str line, size_t number) {
  ptrdiff_t bar = hm_str_find(line, " | ");
  if (bar < 0) fail_msg("prose.txt:%zu: no ' | '", number);
  hm_str text = hm_str_sub(line, 0, (size_t)bar), want = hm_str_sub(line, (size_t)bar + 3, line.n);
  hm_str scope = HM_EMPTY;
  ptrdiff_t close = hm_str_starts(text, "{") ? hm_str_find(text, "} ") : -1;
  if (close > 0) {
    scope = hm_str_sub(text, 1, (size_t)close);
    text = hm_str_sub(text, (size_t)close + 2, text.n);
  }
  hm_prose r;
  hm_prose_parse(&r, text, scope, F, A);
  hm_str have = describe(&r, A);
  if (!hm_str_eq(have, want))
    fail_msg("prose.txt:%zu: %.*s\n  want %.*s\n  have %.*s", number, HM_FMT(text), HM_FMT(want),
             HM_FMT(have));
}

static void test_table(void **state) {
  (void)state;
  hm_str rest = read_file(A, "tests/data/prose.txt");
  size_t number = 0, states = 0, none = 0;
  while (rest.n) {
    ptrdiff_t end = hm_str_find(rest, "\n");
    hm_str line = hm_str_sub(rest, 0, end < 0 ? rest.n : (size_t)end);
    rest = hm_str_sub(rest, line.n + 1, rest.n);
    number++;
    if (!line.n || line.p[0] == '#') continue;
    check_line(line, number);
    if (hm_str_find(line, " = ") >= 0 || hm_str_find(line, " != ") >= 0) states++;
    else none++;
  }
  assert_true(states >= 150 && none >= 150);
}

static void test_settles(void **state) {
  (void)state;
  static const struct { const char *text; bool settles; } s[] = {
    { "API timeout is 30 s", false },
    { "API timeout is now 60 s", true },
    { "We decided: GraphQL, final", true },
    { "We decided that the retry limit is 7", true },
    { "The launch date was postponed to 10 April 2026", true },
    { "The audit date has been rescheduled to 10 April 2026", true },
    { "The quota was updated to 20 GB", true },
    { "The pool size has been adjusted to 20", true },
    { "We upped the cache size to 20 GB", true },
    { "The rent rose to 950 EUR", true },
    { "The batch size was set to 40", false },
    { "The names are trimmed to 40 characters", false },
    { "The treasurer is Leo again", true },
    { "The client retries again after 5 s", false },
    { "Heartbeat interval has been reduced to 5 s", true },
    { "The batch size is 64, not 128", false },
    { "Dana no longer works at Northwind", true },
    { "From now on force pushes to main are forbidden", true },
    { "The hosting provider is Now", false },
    { "The export format is Final Cut XML", false },
    { "PEP 1 status is Final", false },
    { "Chose Zygo over Moore", false },
  };
  for (size_t i = 0; i < HM_COUNT(s); i++) {
    hm_prose r;
    hm_prose_parse(&r, hm_str_c(s[i].text), HM_EMPTY, F, A);
    if (r.settles != s[i].settles) fail_msg("%s: settles %d", s[i].text, r.settles);
  }
}

static bool mentions(const char *text, const char *scope, const char *slot, const char *value) {
  hm_prose r;
  hm_prose_parse(&r, hm_str_c(text), hm_str_c(scope), F, A);
  for (size_t i = 0; i < r.n_mentions; i++)
    if (hm_str_is(r.mentions[i].slot, slot) && hm_str_is(r.mentions[i].value, value)) return true;
  return false;
}

static void test_mentions(void **state) {
  (void)state;
  assert_true(mentions("Started the Postgres 17 migration", "db", "db_postgres_version", "17"));
  assert_true(mentions("Started the Postgres 17 migration", "", "postgres_version", "17"));
  assert_true(mentions("Planning the React rewrite of the frontend", "web", "frontend_framework",
                       "react"));
  assert_true(mentions("Benchmarked Redis for the sessions", "", "session_store", "redis"));
  assert_true(mentions("Copied the checkout database to us-east-1", "", "checkout_region",
                       "us_east_1"));
  assert_false(mentions("The API timeout is 30 s", "", "api_timeout", "30 s"));
  assert_false(mentions("The frontend uses React", "", "frontend_framework", "react"));
}

/* A claim's own subject is told from one that came from outside. */
static void test_bare(void **state) {
  (void)state;
  hm_prose r;
  hm_prose_parse(&r, HM_STR("timeout is 30 s"), HM_STR("API"), F, A);
  assert_int_equal(r.n, 1);
  assert_true(hm_str_is(r.claims[0].slot, "api_timeout") && hm_str_is(r.claims[0].bare, "timeout"));
  hm_prose_parse(&r, HM_STR("The API timeout is 30 s"), HM_STR("web"), F, A);
  assert_true(hm_str_is(r.claims[0].slot, "api_timeout"));
  assert_true(hm_str_is(r.claims[0].bare, "api_timeout"));
}

/* A mirror's own families, and none. */
static void test_families(void **state) {
  (void)state;
  static const hm_family own[] = { { .name = "mirror_coating", .values = "gold|au silver" } };
  static const hm_families f = { own, 1, NULL }, empty = { NULL, 0, NULL };
  hm_prose r;
  hm_prose_parse(&r, HM_STR("The mirror coating is Gold"), HM_EMPTY, &f, A);
  assert_int_equal(r.n, 1);
  assert_true(hm_str_is(r.claims[0].slot, "mirror_coating") &&
              hm_str_is(r.claims[0].reading, "gold"));
  hm_prose_parse(&r, HM_STR("We use REST"), HM_EMPTY, &f, A);
  assert_int_equal(r.n, 0);
  hm_prose_parse(&r, HM_STR("The API timeout is 30 s"), HM_EMPTY, &empty, A);
  assert_int_equal(r.n, 1);
  hm_prose_parse(&r, HM_STR("We use REST"), HM_STR("api"), NULL, A);
  assert_int_equal(r.n, 1);
  assert_true(r.claims[0].family);
  assert_true(hm_families_shipped()->n >= 20);
}

/* --- any bytes ------------------------------------------------------------------------------ */

static uint64_t rng = 88172645463325252u;
static uint64_t next(void) {
  rng ^= rng << 13;
  rng ^= rng >> 7;
  return rng ^= rng << 17;
}

static bool lies_in(hm_str part, hm_str text) {
  return part.n <= text.n && part.p >= text.p && part.p + part.n <= text.p + text.n;
}

static void check_any(hm_str text, hm_str scope) {
  hm_prose r, again;
  hm_prose_parse(&r, text, scope, F, A);
  hm_prose_parse(&again, text, scope, F, A);
  assert_int_equal(r.n, again.n);
  assert_int_equal(r.n_mentions, again.n_mentions);
  assert_true((r.n > 0) == (r.outcome == HM_PROSE_READ));
  for (size_t i = 0; i < r.n; i++) {
    const hm_prose_claim *c = &r.claims[i];
    assert_true(lies_in(c->value, text) && lies_in(c->words, text));
    assert_true(!c->left.n || lies_in(c->left, text));
    assert_true(c->slot.n && c->attribute.n && c->bare.n && c->reading.n);
    assert_true(hm_str_eq(c->slot, hm_text_fold_name(A, c->slot)));
    assert_true(hm_str_eq(c->qualifier, hm_text_fold_name(A, c->qualifier)));
    assert_true(hm_str_eq(c->slot, again.claims[i].slot));
    assert_true(hm_str_eq(c->reading, again.claims[i].reading));
  }
  for (size_t i = 0; i < r.n_mentions; i++)
    assert_true(lies_in(r.mentions[i].words, text) && r.mentions[i].slot.n);
}

/* Random bytes, and random words of the table, which reach further. */
static void test_any(void **state) {
  (void)state;
  hm_str all = read_file(A, "tests/data/prose.txt");
  for (int n = 0; n < (thorough() ? 20000 : 4000); n++) {
    char z[160];
    size_t len = 0;
    while (len + 48 < sizeof z) {
      if (next() % 5 == 0) {
        z[len++] = (char)next();
        continue;
      }
      size_t from = next() % (all.n - 40), to;
      while (from < all.n && all.p[from] != ' ') from++;
      for (to = from; to < all.n && to < from + 24 && !(to > from && all.p[to] == ' ');) to++;
      memcpy(z + len, all.p + from, to - from);
      len += to - from;
    }
    char *text = hm_str_z(A, (hm_str){ z, len });
    check_any((hm_str){ text, len }, next() % 2 ? HM_STR("Payment API") : HM_EMPTY);
    if (n % 512 == 511) {   /* the file is kept, what was read is not */
      hm_str kept = { strndup(all.p, all.n), all.n };
      hm_arena_reset(A);
      all = hm_str_dup(A, kept);
      free((char *)kept.p);
      F = hm_families_prepare(NULL, A);
    }
  }
}

static void read_within(double limit, const char *part, size_t times) {
  size_t n = strlen(part);
  char *z = malloc(n * times + 1);
  for (size_t i = 0; i < times; i++) memcpy(z + i * n, part, n);
  hm_prose r;
  double begun = computed();
  hm_prose_parse(&r, (hm_str){ z, n * times }, HM_EMPTY, F, A);
  free(z);
  expect_within(limit, begun, part);
}

/* 64 KiB of what repeats: no text takes longer than ten milliseconds a KiB would allow. */
static void test_hostile(void **state) {
  (void)state;
  static const char *const parts[] = {
    "is ", "the ", "a", "\n", ". ", ", ", "and ", "of ", "for ", "X is ", "not ", "( ", "\"a ",
    "api's ", "30 s ", "KEY=1 ", "KEY=1 and ", "is 30 s and ", "Redis ", "Redis, ", "Postgres 14 ",
    "The API timeout is 30 s. ", "The API timeout is 30 s and ", "in production ", "max ", "use ",
    "switched to ", "no longer ", "\xc3\xa9", "\xff", "must ", "always x without ", "per IP ",
    "eu-west-1 and ", "so far ", "rate limit ", "for the API and 60 s for the ", "A: ", "= ", "- ",
    "-> ", "a: 1 -> ", "KEY=\"a ", "new ", "the latest ", "we cap x at 5 and ", "x retries y ",
    "uses a b to c ", "set to ", "every monday and ", "9am-5pm ", "5 million ", "between a and ",
    "I've been living for 3 years ", "working on a boat, I've put in 9 hours ", "\"A\" I'm on page 2 ",
    "bringing my total to 5 points ", "my run - twice a week, ", "I have a cat named Rex ",
    "I'm allergic to a and b ", "every morning ", "I. ", "a b. ", "- [ ] x. ",
    "Redis listens on 6380\n",
  };
  for (size_t i = 0; i < HM_COUNT(parts); i++)
    read_within(0.5, parts[i], (64 << 10) / strlen(parts[i]));
  hm_prose r;
  char *big = malloc((64 << 10) + 1);
  memset(big, 'a', (64 << 10) + 1);
  hm_prose_parse(&r, (hm_str){ big, (64 << 10) + 1 }, HM_EMPTY, F, A);
  assert_int_equal(r.n, 0);
  free(big);
}

static int set_up(void **state) {
  (void)state;
  A = hm_arena_new();
  F = hm_families_prepare(NULL, A);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  hm_arena_free(A);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_table),    cmocka_unit_test(test_settles), cmocka_unit_test(test_mentions),
    cmocka_unit_test(test_bare),     cmocka_unit_test(test_families), cmocka_unit_test(test_hostile),
    cmocka_unit_test(test_any),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
