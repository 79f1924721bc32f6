/* Who contradicts whom among many texts of one slot: components of slot_claims.c against all
 * pairs, of which nothing is remembered. Texts of one row, or of one author and time, do not meet, so that a text with the same
 * words as one that is done may still contradict another. */
#include "tests/unit/core_detect_help.h"

#include "core/base/text.h"
#include "core/claim/story.h"
#include "core/slot/slot_claims.h"
#include "tests/unit/core_base_prng.h"

enum { CLAIMS_LEAST = 33, CLAIMS_MOST = 120 };

typedef struct {
  hm_arena *a;
  uint64_t rng;
  bool compared, skewed;       /* skewed: most texts are of one value and time */
  hm_snapshot *snap;
  hm_claim claims[CLAIMS_MOST];
  const hm_claim *list[CLAIMS_MOST]; size_t n;
} slot;

static uint64_t below(slot *s, uint64_t n) { return prng(&s->rng) % n; }

/* Most texts of a slot say one of a few things, many times. */
static hm_story_claim *random_text(slot *s, const hm_claim *c, unsigned agents, unsigned times) {
  static const char *const qualifiers[] = { "", "winter", "summer" };
  static const char *const agents_of[] = { "", "one", "two" };
  hm_story_claim *t = hm_alloc(s->a, sizeof *t);
  const char *qualifier = below(s, 4) ? "" : qualifiers[below(s, 3)];
  t->text = hm_str_fmt(s->a, "Lives in %.*s.%s", HM_FMT(c->value.raw), below(s, 6) ? "" : " So.");
  t->key = HM_CAT(s->a, HM_STR("is:"), hm_text_fold_name(s->a, c->value.raw));
  t->claim.reading = t->claim.value = c->value.raw;
  t->claim.qualifier = hm_str_c(qualifier);
  t->claim.only = !below(s, 12);
  t->claim.also = !below(s, 12);
  t->agent = hm_str_c(agents_of[below(s, agents)]);
  t->at = !times ? HM_TIME_MIN : s->skewed && below(s, 12) ? 0 : (hm_time)below(s, times);
  t->by = HM_MAP_NONE;
  t->compared = s->compared;
  return t;
}

static void random_slot(slot *s, uint64_t seed, hm_units *units) {
  static const char *const places[] = { "London", "England", "UK",    "Leeds",
                                        "Paris",  "France",  "Lyon",  "London, England" };
  static const char *const numbers[] = { "30 kg", "31 kg", "30 to 40 kg", "at most 35 kg" };
  hm_row rows[CLAIMS_MOST];
  *s = (slot){ .a = hm_arena_new(), .rng = seed };
  s->compared = below(s, 8) != 0;
  s->skewed = below(s, 2);
  s->n = CLAIMS_LEAST + below(s, CLAIMS_MOST - CLAIMS_LEAST);
  unsigned agents = 1 + (unsigned)below(s, 3), times = (unsigned)below(s, 5);
  unsigned first = (unsigned)below(s, 8), variety = 1 + (unsigned)below(s, 4);
  size_t n_rows = below(s, 2) ? s->n : 1 + below(s, below(s, 2) ? 8 : s->n);
  bool amounts = !below(s, 4);
  hm_time spans[] = { 0, 3, 40 }, span = spans[below(s, 3)];   /* windows begin within it */
  const char *projects[] = { "p" };
  for (size_t i = 0; i < n_rows; i++)
    rows[i] = help_bare_row(HM_MEMORY, hm_str_fmt(s->a, "r%03zu", i));
  s->snap = help_snapshot(s->a, projects, 1, rows, n_rows);
  for (size_t i = 0; i < s->n; i++) {
    hm_claim *c = &s->claims[i];
    size_t at = first + (s->skewed && below(s, 16) ? 0 : below(s, variety));
    hm_window *when = hm_alloc(s->a, sizeof *when);
    *when = (hm_window){ .from = HM_TIME_MIN, .until = HM_TIME_MAX };
    if (span && below(s, 40)) {
      when->from = (hm_time)below(s, (uint64_t)span);
      when->until = when->from + 1 + (hm_time)below(s, 3);
      when->begin.known = when->end.known = true;
    }
    *c = (hm_claim){ .layer = HM_MEMORY,
                     .field = HM_STR("content"),
                     .name = amounts ? HM_STR("load") : HM_STR("ann_residence"),
                     .compare = HM_STR("one"),
                     .row = (uint32_t)(n_rows == s->n ? i : below(s, n_rows)),
                     .when = when };
    hm_value_parse_text(
        &c->value,
        hm_str_c(amounts ? numbers[at % HM_COUNT(numbers)] : places[at % HM_COUNT(places)]), false,
        units, s->a);
    c->said = below(s, 10) ? random_text(s, c, agents, times) : NULL;
    help_hash(c);
    s->list[i] = c;
  }
}

/* The first item of each one's component. */
static void components_by_pairs(const hm_slot_claims *s, uint32_t *of) {
  for (uint32_t i = 0; i < s->n; i++) of[i] = i;
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t i = 0; i < s->n; i++)
      for (uint32_t k = 0; k < s->n; k++) {
        if (of[k] <= of[i] || !hm_claim_disagree(s->items[i].claim, s->items[k].claim, hm_rules_default(), s->n))
          continue;
        of[k] = of[i];
        moved = true;
      }
  }
}

static void components_are_those_of_all_pairs(void **unused) {
  (void)unused;
  hm_units *units = hm_units_new();
  size_t found = 0, several = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    slot s;
    uint32_t of[CLAIMS_MOST], sizes[CLAIMS_MOST] = { 0 };
    hm_slot_claims claims;
    hm_slot_components got;
    random_slot(&s, seed, units);
    hm_slot_claims_build(&claims, s.snap, s.list, s.n, hm_rules_default(), s.a);
    components_by_pairs(&claims, of);
    hm_slot_components_build(&got, &claims, s.a);
    size_t n = 0, total = 0;
    for (size_t i = 0; i < s.n; i++) n += ++sizes[of[i]] == 2;
    assert_int_equal(got.n, n);
    for (size_t c = 0; c < got.n; c++)
      for (size_t i = got.first[c]; i < got.first[c + 1]; i++, total++)
        assert_int_equal(of[got.items[i]], of[got.items[got.first[c]]]);
    for (size_t i = 0; i < s.n; i++) total -= sizes[of[i]] > 1;
    assert_int_equal(total, 0);
    found += got.n;
    several += got.n > 1;
    hm_arena_free(s.a);
  }
  assert_true(found > 1000 && several > 50);
  hm_units_free(units);
}

/* Many texts say London, and one says Leeds, which only the last of those meets: the others were
 * written when it was, or speak of winter. */
static void who_meets_more_searches_too(void **unused) {
  (void)unused;
  enum { MANY = 40 };
  hm_units *units = hm_units_new();
  for (int of_winter = 0; of_winter < 2; of_winter++) {
    slot s = { .a = hm_arena_new(), .n = MANY + 2 };
    hm_row rows[MANY + 2];
    const char *projects[] = { "p" };
    for (size_t i = 0; i < s.n; i++)
      rows[i] = help_bare_row(HM_MEMORY, hm_str_fmt(s.a, "r%03zu", i));
    s.snap = help_snapshot(s.a, projects, 1, rows, s.n);
    for (size_t i = 0; i < s.n; i++) {
      hm_story_claim *t = hm_alloc(s.a, sizeof *t);
      hm_window *when = hm_alloc(s.a, sizeof *when);
      hm_claim *c = &s.claims[i];
      *when = (hm_window){ .from = HM_TIME_MIN, .until = HM_TIME_MAX };
      *c = (hm_claim){ .layer = HM_MEMORY, .field = HM_STR("content"), .row = (uint32_t)i,
                       .name = HM_STR("ann_residence"), .compare = HM_STR("one"), .when = when };
      hm_value_parse_text(&c->value, i > MANY ? HM_STR("Leeds") : HM_STR("London"), false, units,
                          s.a);
      *t = (hm_story_claim){ .text = c->value.raw, .key = c->value.norm, .agent = HM_STR("one"),
                             .at = of_winter ? (hm_time)i : i == MANY, .by = HM_MAP_NONE,
                             .compared = true };
      if (of_winter && i != MANY)
        t->claim.qualifier = i > MANY ? HM_STR("summer") : HM_STR("winter");
      c->said = t;
      help_hash(c);
      s.list[i] = c;
    }
    hm_slot_claims claims;
    hm_slot_components got;
    hm_slot_claims_build(&claims, s.snap, s.list, s.n, hm_rules_default(), s.a);
    hm_slot_components_build(&got, &claims, s.a);
    assert_int_equal(got.n, 1);
    assert_int_equal(got.first[1], 2);
    assert_int_equal(got.items[0], MANY);
    assert_int_equal(got.items[1], MANY + 1);
    hm_arena_free(s.a);
  }
  hm_units_free(units);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(components_are_those_of_all_pairs),
    cmocka_unit_test(who_meets_more_searches_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
