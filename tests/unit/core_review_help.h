/* Writes into a store of its own, and what a sweep says of it. */
#ifndef CORE_REVIEW_HELP_H
#define CORE_REVIEW_HELP_H
#include "tests/unit/core_store_help.h"
#include "core/review/write_check.h"
#include "core/review/write.h"

HELP_UNUSED static hm_review review(void) {
  return (hm_review){ .rules = hm_rules_default(),
                      .who = { .by = HM_STR("kim"), .at = HM_STR("2026-06-01T10:00:00Z") } };
}

HELP_UNUSED static const hm_json *json(world *w, const char *text) {
  hm_json *v;
  ok(w, hm_json_parse(w->a, hm_str_c(text), &v, &w->err));
  return v;
}

HELP_UNUSED static hm_written add(world *w, hm_layer layer, const char *record) {
  hm_review r = review();
  hm_written out;
  ok(w, hm_review_add(w->s, &r, layer, json(w, record), w->a, &out, &w->err));
  return out;
}

HELP_UNUSED static hm_written edit(world *w, const char *ref, const char *patch) {
  hm_review r = review();
  hm_written out;
  ok(w, hm_review_edit(w->s, &r, hm_str_c(ref), json(w, patch), w->a, &out, &w->err));
  return out;
}

HELP_UNUSED static hm_written promote(world *w, const char *ref) {
  hm_review r = review();
  hm_written out;
  ok(w, hm_review_promote(w->s, &r, hm_str_c(ref), w->a, &out, &w->err));
  return out;
}

HELP_UNUSED static hm_written graduate(world *w, const char *ref, const char *entity) {
  hm_review r = review();
  hm_written out;
  ok(w, hm_review_graduate(w->s, &r, hm_str_c(ref), json(w, entity), w->a, &out, &w->err));
  return out;
}

/* A full sweep that records must have nothing to do. */
HELP_UNUSED static void expect_sweep_changes_nothing(world *w) {
  hm_sweep_options opt = { .rules = hm_rules_default(), .threads = 1 };
  hm_arena *a = hm_arena_new();
  hm_sweep sweep;
  ok(w, hm_sweep_run_all(w->s, &opt, a, &sweep, &w->err));
  for (size_t i = 0; i < sweep.plan->n; i++)
    print_error("a sweep would %s %.*s\n",
                sweep.plan->changes[i].kind == HM_CHANGE_OPEN ? "open" : "update",
                HM_FMT(sweep.plan->changes[i].rec.slot_key));
  assert_int_equal(sweep.plan->n, 0);
  hm_sweep_free(&sweep);
  hm_arena_free(a);
}
#endif
