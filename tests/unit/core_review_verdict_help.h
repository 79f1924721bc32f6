/* Verdicts on small stores, for their tests: give one, and ask what its report says. */
#ifndef CORE_REVIEW_VERDICT_HELP_H
#define CORE_REVIEW_VERDICT_HELP_H
#include "tests/unit/core_review_help.h"
#include "core/review/verdict.h"

#define STATE(id, value)                                                                           \
  "{\"id\":\"" id "\",\"project\":\"p\",\"key\":\"leg mass\",\"value\":\"" value "\"}"
#define PARAMETER(id, value, more)                                                                 \
  "{\"id\":\"" id                                                                                  \
  "\",\"entity_type\":\"Parameter\",\"project\":\"p\",\"name\":\"mass\",\"properties\":"           \
  "{\"parameter_scope\":\"leg\",\"parameter_name\":\"mass\",\"value\":\"" value "\"" more "}}"
#define MEMORY(id, value)                                                                          \
  "{\"id\":\"" id                                                                                  \
  "\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"content\":\"leg mass is " value "\"}"

typedef hm_verdict_report report;

__attribute__((unused))
static report begun(void) { return (report){ .verb = NULL }; }

__attribute__((unused))
static int try_resolve(world *w, hm_str id, const char *winner, hm_action action, bool dry,
                       report *out) {
  hm_review r = review();
  r.dry_run = dry;
  r.who.by = HM_STR("ines");
  hm_resolution how = { .winners = &(hm_str){ winner, strlen(winner) },
                        .n_winners = *winner != 0,
                        .action = action,
                        .notes = HM_STR(" weighed again ") };
  return hm_review_resolve(w->s, &r, id, &how, w->a, out, &w->err);
}

__attribute__((unused))
static report resolve(world *w, hm_str id, const char *winner) {
  report out = begun();
  ok(w, try_resolve(w, id, winner, HM_SUPERSEDE_OPPONENTS, false, &out));
  return out;
}

__attribute__((unused))
static report resolve_no_action(world *w, hm_str id) {
  report out = begun();
  ok(w, try_resolve(w, id, "", HM_NO_ACTION, false, &out));
  return out;
}

__attribute__((unused))
static report supersede(world *w, const char *older, const char *newer, const char *notes) {
  hm_review r = review();
  report out = begun();
  ok(w,
     hm_review_supersede(w->s, &r, hm_str_c(older), hm_str_c(newer), hm_str_c(notes), w->a, &out,
                         &w->err));
  return out;
}

__attribute__((unused))
static report restore(world *w, const char *row, const char *notes) {
  hm_review r = review();
  report out = begun();
  ok(w, hm_review_restore(w->s, &r, hm_str_c(row), HM_EMPTY, hm_str_c(notes), w->a, &out, &w->err));
  return out;
}

__attribute__((unused))
static int try_reopen(world *w, hm_str id, report *out) {
  hm_review r = review();
  return hm_review_reopen(w->s, &r, id, HM_STR("the scale was wrong"), true, w->a, out, &w->err);
}

__attribute__((unused))
static hm_str open_conflict(world *w) {
  return hm_str_c(ask(w, "SELECT id FROM conflicts WHERE status = 'open'"));
}

__attribute__((unused))
static void expect_why(world *w, hm_code code, const char *why) {
  assert_int_equal(w->err.code, code);
  if (!strstr(w->err.why, why)) fail_msg("\"%s\" is not in \"%s\"", why, w->err.why);
}

__attribute__((unused))
static bool changed(const report *r, const char *ref, const char *before, const char *after) {
  for (size_t i = 0; i < r->n_changes; i++)
    if (hm_str_is(r->changes[i].ref, ref))
      return hm_str_is(r->changes[i].before, before) && hm_str_is(r->changes[i].after, after);
  return false;
}

__attribute__((unused))
static bool left(const report *r, const char *ref, const char *why) {
  for (size_t i = 0; i < r->n_left; i++)
    if (hm_str_is(r->left[i].ref, ref)) return hm_str_is(r->left[i].why, why);
  return false;
}

/* Three layers, three values. */
__attribute__((unused))
static hm_str three(world *w) {
  create(w);
  add(w, HM_STATE, STATE("s1", "4.8 kg"));
  add(w, HM_ENTITY, PARAMETER("e1", "5 kg", ""));
  add(w, HM_MEMORY, MEMORY("m1", "6 kg"));
  return open_conflict(w);
}
#endif
