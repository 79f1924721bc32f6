/* Rows that are alike: the same with an index and without one, and what differs in two texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/recall/alike.h"
#include "tests/unit/core_base_prng.h"

enum { ROWS = 6000, PROJECTS = 3 };

static const char *const WORDS[] = {
  "invoice", "invoices", "retention", "retained", "deploy", "window", "friday", "leak", "the",   "is",
  "never",   "python",   "service",   "gateway",  "limit",  "441",    "1441",   "Gate", "größe", "état",
};

static uint64_t below(uint64_t *state, uint64_t n) { return prng(state) % n; }

static hm_str draw_text(hm_arena *a, uint64_t *p) {
  hm_buf b = { 0 };
  for (uint64_t n = below(p, 9) + 1; n; n--) {
    hm_buf_c(&b, WORDS[below(p, HM_COUNT(WORDS))]);
    hm_buf_ch(&b, below(p, 9) ? ' ' : '.');
    if (!below(p, 3)) hm_buf_fmt(&b, "w%d ", (int)below(p, 500));
  }
  return hm_buf_take(&b, a);
}

static void draw(hm_snapshot *s, uint64_t seed, hm_arena *a) {
  uint64_t p = seed;
  *s = (hm_snapshot){ .n_rows = ROWS, .n_projects = PROJECTS };
  s->projects = hm_alloc_array(a, PROJECTS, sizeof *s->projects);
  for (int i = 0; i < PROJECTS; i++) s->projects[i].id = i ? hm_str_fmt(a, "p%d", i) : HM_EMPTY;
  s->rows = hm_alloc_array(a, ROWS, sizeof *s->rows);
  s->details = hm_alloc_array(a, ROWS, sizeof *s->details);
  for (size_t i = 0; i < ROWS; i++)
    s->rows[i] = (hm_row){ .layer = HM_MEMORY,
                           .id = hm_str_fmt(a, "r%04zu", i),
                           .project = (uint32_t)below(&p, PROJECTS),
                           .text = draw_text(a, &p),
                           .status = below(&p, 6) ? HM_ACTIVE : HM_SUPERSEDED };
  for (int l = HM_MEMORY + 1; l < 6; l++) s->first[l] = ROWS;
}

static void an_index_finds_the_same(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    hm_arena *a = hm_arena_new();
    hm_snapshot s;
    draw(&s, seed, a);
    hm_alike_source scans = { .snap = &s, .threads = 2 }, looks = scans;
    looks.index = hm_alike_index_new(&s, 2, a);
    size_t found = 0;
    for (uint64_t p = seed, i = 0; i < 60; i++) {
      hm_alike_question q = { .text = draw_text(a, &p), .project = HM_STR("p1"), .ref = HM_EMPTY };
      hm_alike_row *v, *w;
      size_t n = hm_alike_find(&scans, &q, a, &v);
      assert_int_equal(n, hm_alike_find(&looks, &q, a, &w));
      for (size_t k = 0; k < n; k++) {
        const hm_row *r = &s.rows[v[k].row];
        if (v[k].row != w[k].row) fail_msg("%.*s: %.*s (%f) and %.*s (%f)", HM_FMT(q.text), HM_FMT(v[k].text), v[k].likeness, HM_FMT(w[k].text), w[k].likeness);
        assert_true(r->status == HM_ACTIVE && r->project != 2);
        assert_true(!k || v[k].likeness <= v[k - 1].likeness);
      }
      found += n;
    }
    assert_true(found > 300);
    hm_arena_free(a);
  }
}

static void what_differs(void **state) {
  static const struct { const char *x, *y, *says; } cases[] = {
    { "Retention is 6 years", "Kept for ten years", "duration: 6 years | 10 years" },
    { "Kept for six years", "Kept for 6 years", "wording" },
    { "Kept for a full year", "Kept for twelve months", "wording" },
    { "Kept for a year", "Deleted after thirty days", "duration: 1 year | 30 days" },
    { "Replaced each spring", "Replaced every four years", "interval: spring | 4 years" },
    { "Open on Wednesday", "Open from Monday to Thursday", "weekday: Wednesday | Monday" },
    { "Sprinklers run at noon", "Watering is from 22:00 to 5:00", "time: noon | 22:00-5:00" },
    { "The office is open from 8:00 to 17:00", "The office opens from 8:00 to 18:00", "hours: 8:00-17:00 | 8:00-18:00" },
    { "Shoots are cut in the morning", "Cuttings are taken at 9:30", "wording" },
    { "Red bags are for towels", "The bags of towels are yellow", "colour: Red | yellow" },
    { "Withdrawn after twenty-four washes", "Used for thirty washes", "number: 24 | 30" },
    { "Leased until 2027", "The lease of the field ends in 2031", "number: 2027 | 2031" },
    { "Only the boatswain opens the doors", "Anyone may open the doors of the car deck", "opposite" },
    { "Gas heats it instead of oil", "The boiler burns oil", "negation" },
    { "Smoking is forbidden", "You may smoke here", "negation" },
    { "Truck 5 carries 1,000 kg", "Truck 11 carries 1,500 kg", "wording" },
    { "Anna of Bern is laid up at Utvik until Easter", "Anna was shown at Utvik", "wording" },
    { "Shown twice", "Shown three times", "number: twice | 3" },
    { "The shelf R04 holds tiles", "The shelf R05 holds tiles", "name: R04 | R05" },
    { "We deploy on Fridays", "We never deploy on Fridays", "negation" },
    { "The parser is in Rust", "The parser is in Go", "name: Rust | Go" },
    { "Ports 80 are for Anna", "Berta has other ports, 81", "number: 80 | 81" },
    { "Anna owns 3 cars", "Anna owns 5 cars", "number: 3 | 5" },
    { "We like tea", "We prefer tea", "wording" },
    { "Anna has 2 cats", "A dog barks", "wording" },
    { "Vans are replaced after eight years", "Trailers are replaced after fifteen years", "wording" },
    { "Vans are replaced after eight years", "Vans are replaced after fifteen months", "duration: 8 years | 15 months" },
    { "Cars may wait for ten minutes", "Vans may wait for five minutes", "duration: 10 minutes | 5 minutes" },
    { "A delivery van stays for five years and is sold then", "Vans are replaced after eight years", "duration: 5 years | 8 years" },
    { "The glue for mounting is flour paste", "mounting_glue: methyl cellulose", "value" },
    { "mounting_glue: methyl cellulose", "The glue for mounting is flour paste", "value" },
    { "For mounting, methyl cellulose is the glue", "mounting_glue: methyl cellulose", "wording" },
    { "The glue is flour paste", "mounting_glue: methyl cellulose", "wording" },
    { "The glue is flour paste", "glue: methyl cellulose", "wording" },
    { "mounting_glue: flour paste", "mounting_glue: methyl cellulose", "wording" },
    { "There is no meat on Fridays", "There is always soup on Fridays", "wording" },
    { "Crews set off at half past seven", "Crews leave at 7:00", "time: 7:30 | 7:00" },
    { "Crews set off at a quarter to seven", "Crews leave at 6:45", "wording" },
    { "Winter tyres go on in December", "Winter tyres are fitted in October", "month: December | October" },
    { "Winter tyres go on in December", "In winter the roof is cleared", "wording" },
    { "After five years each lot is tested", "Tests are repeated every ten years", "duration: 5 years | 10 years" },
    { "A third of what we pot with is peat", "The nursery has been peat-free since 2021", "negation" },
    { "Schools pay three euros for a visit", "A visit is free for schools", "opposite" },
    { "The shop pays through Stripe", "payment_provider: Mollie", "name: Stripe | Mollie" },
  };
  hm_arena *a = hm_arena_new();
  (void)state;
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_alike_difference d = hm_alike_difference_of(hm_str_c(cases[i].x), hm_str_c(cases[i].y), a);
    hm_str says = hm_alike_difference_words(d, a);
    if (!hm_str_is(says, cases[i].says)) fail_msg("%s: %.*s", cases[i].x, HM_FMT(says));
  }
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(an_index_finds_the_same), cmocka_unit_test(what_differs) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
