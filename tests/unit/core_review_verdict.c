/* What a verdict changes, what it leaves alone, what it says, and what it refuses. */
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

static report begun(void) { return (report){ .verb = NULL }; }

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

static report resolve(world *w, hm_str id, const char *winner) {
  report out = begun();
  ok(w, try_resolve(w, id, winner, HM_SUPERSEDE_OPPONENTS, false, &out));
  return out;
}

static report resolve_no_action(world *w, hm_str id) {
  report out = begun();
  ok(w, try_resolve(w, id, "", HM_NO_ACTION, false, &out));
  return out;
}

static report supersede(world *w, const char *older, const char *newer, const char *notes) {
  hm_review r = review();
  report out = begun();
  ok(w,
     hm_review_supersede(w->s, &r, hm_str_c(older), hm_str_c(newer), hm_str_c(notes), w->a, &out,
                         &w->err));
  return out;
}

static report restore(world *w, const char *row, const char *notes) {
  hm_review r = review();
  report out = begun();
  ok(w, hm_review_restore(w->s, &r, hm_str_c(row), HM_EMPTY, hm_str_c(notes), w->a, &out, &w->err));
  return out;
}

static int try_reopen(world *w, hm_str id, report *out) {
  hm_review r = review();
  return hm_review_reopen(w->s, &r, id, HM_STR("the scale was wrong"), w->a, out, &w->err);
}

static hm_str open_conflict(world *w) {
  return hm_str_c(ask(w, "SELECT id FROM conflicts WHERE status = 'open'"));
}

static void expect_why(world *w, hm_code code, const char *why) {
  assert_int_equal(w->err.code, code);
  if (!strstr(w->err.why, why)) fail_msg("\"%s\" is not in \"%s\"", why, w->err.why);
}

static bool changed(const report *r, const char *ref, const char *before, const char *after) {
  for (size_t i = 0; i < r->n_changes; i++)
    if (hm_str_is(r->changes[i].ref, ref))
      return hm_str_is(r->changes[i].before, before) && hm_str_is(r->changes[i].after, after);
  return false;
}

static bool left(const report *r, const char *ref, const char *why) {
  for (size_t i = 0; i < r->n_left; i++)
    if (hm_str_is(r->left[i].ref, ref)) return hm_str_is(r->left[i].why, why);
  return false;
}

/* Three layers, three values. */
static hm_str three(world *w) {
  create(w);
  add(w, HM_STATE, STATE("s1", "4.8 kg"));
  add(w, HM_ENTITY, PARAMETER("e1", "5 kg", ""));
  add(w, HM_MEMORY, MEMORY("m1", "6 kg"));
  return open_conflict(w);
}

/* --- resolve --------------------------------------------------------------- */

static void the_winner_stands(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r = resolve(w, id, "entity:e1");
  assert_int_equal(r.n_changes, 2);
  assert_true(changed(&r, "project_state:s1", "active", "superseded by entity:e1"));
  assert_true(changed(&r, "memory:m1", "active", "superseded by entity:e1"));
  assert_int_equal(r.n_left + r.n_opened + r.n_quieted, 0);
  assert_str(r.status, "resolved");
  assert_string_equal(ask(w, "SELECT status || superseded_by || superseded_at FROM project_state"),
                      "supersededentity:e12026-06-01T10:00:00Z");
  assert_string_equal(ask(w, "SELECT status || superseded_by FROM memories"),
                      "supersededentity:e1");
  assert_string_equal(ask(w, "SELECT status || coalesce(superseded_by, '') FROM entities"),
                      "active");
  assert_string_equal(
      ask(w,
          "SELECT status || resolution || action || winner || resolved_by || resolved_at FROM conflicts"),
      "resolvedweighed againsupersede_opponentsentity:e1ines2026-06-01T10:00:00Z");
  assert_string_equal(
      ask(w,
          "SELECT group_concat(verb || ' ' || ref || ' ' || why, '; ') FROM journal WHERE actor = 'ines'"),
      hm_str_fmt(
          w->a,
          "resolve conflict:%.*s weighed again; "
          "link link:entity:e1 project_state:s1 supersedes conflict %.*s: weighed again; "
          "supersede project_state:s1 conflict %.*s: weighed again; "
          "link link:entity:e1 memory:m1 supersedes conflict %.*s: weighed again; "
          "supersede memory:m1 conflict %.*s: weighed again",
          HM_FMT(id), HM_FMT(id), HM_FMT(id), HM_FMT(id), HM_FMT(id))
          .p);
  expect_sweep_changes_nothing(w);
}

static void what_agrees_with_the_winner_stays(void **state) {
  world *w = *state;
  hm_str id = three(w);
  add(w, HM_MEMORY, MEMORY("m2", "4800 g"));
  report r = resolve(w, id, "s1");
  assert_int_equal(r.n_changes, 2);
  assert_true(left(&r, "memory:m2", "does not contradict project_state:s1"));
  assert_string_equal(ask(w, "SELECT status FROM memories WHERE id = 'm2'"), "active");
  assert_int_equal(r.n_opened, 0);
  expect_sweep_changes_nothing(w);
}

static void every_other_member_gives_way_when_asked(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r = begun();
  add(w, HM_MEMORY, MEMORY("m2", "4800 g"));
  ok(w, try_resolve(w, id, "s1", HM_SUPERSEDE_OTHERS, false, &r));
  assert_int_equal(r.n_changes, 3);
  assert_int_equal(r.n_left, 0);
  assert_string_equal(ask(w, "SELECT status || ' ' || superseded_by FROM memories WHERE id = 'm2'"),
                      "superseded project_state:s1");
  assert_string_equal(ask(w, "SELECT action || coalesce(scope, '-') FROM conflicts"),
                      "supersede_others-");
  expect_sweep_changes_nothing(w);
}

/* The winner is a month; two days of it contradict each other and not the winner, and a third is of
 * another month. */
static void what_goes_on_is_another_conflict(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_ENTITY, PARAMETER("e1", "2026-04", ""));
  add(w, HM_ENTITY, PARAMETER("e2", "2026-04-02", ""));
  add(w, HM_ENTITY, PARAMETER("e3", "2026-04-09", ""));
  add(w, HM_ENTITY, PARAMETER("e4", "2026-05-01", ""));
  hm_str id = open_conflict(w);
  report r = resolve(w, id, "e1");
  assert_int_equal(r.n_changes, 1);
  assert_true(changed(&r, "entity:e4", "active", "superseded by entity:e1"));
  assert_true(left(&r, "entity:e2", "does not contradict entity:e1"));
  assert_int_equal(r.n_opened, 1);
  assert_string_equal(
      ask(w,
          "SELECT group_concat(member_id) FROM (SELECT member_id FROM conflict_members JOIN conflicts c ON c.id = conflict_id"
          " WHERE c.status = 'open' ORDER BY 1)"),
      "e2,e3");
  expect_sweep_changes_nothing(w);
}

/* Each alone is compatible with the winner's list, and yet the two disagree. */
/* The state agrees with both, and is no member. */
static void what_would_go_on_disagreeing_gives_way(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE,
      "{\"id\":\"s1\",\"project\":\"p\",\"key\":\"leg mass\",\"value\":[\"5 kg\",\"6 kg\"]}");
  add(w, HM_ENTITY, PARAMETER("e1", "5 kg", ""));
  add(w, HM_MEMORY, MEMORY("m1", "6 kg"));
  report r = resolve(w, open_conflict(w), "e1");
  assert_int_equal(r.n_changes, 1);
  assert_int_equal(r.n_opened, 0);
  expect_sweep_changes_nothing(w);
}

static void who_can_win(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r;
  assert_int_equal(try_resolve(w, id, "entity:e2", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_INPUT, "no member");
  assert_string_equal(w->err.field, "winner_member_id");
  assert_non_null(strstr(w->err.fix, "project_state:s1, entity:e1, memory:m1"));
  assert_int_equal(try_resolve(w, id, "", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_INPUT, "missing");
  add(w, HM_MEMORY, MEMORY("e1", "7 kg"));
  assert_int_equal(try_resolve(w, id, "e1", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_INPUT, "several layers");
  edit(w, "m1", "{\"status\":\"invalid\"}");
  assert_int_equal(try_resolve(w, id, "m1", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_STATE, "it is invalid");
  assert_int_equal(try_resolve(w, HM_STR("c0"), "m1", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_UNKNOWN, "none");
  edit(
      w, "entity:e1",
      "{\"properties\":{\"parameter_scope\":\"arm\",\"parameter_name\":\"mass\",\"value\":\"5 kg\"}}");
  assert_int_equal(try_resolve(w, id, "entity:e1", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_STATE, "says nothing in this slot");
  assert_string_equal(ask(w, "SELECT count(*) FROM journal WHERE actor = 'ines'"), "0");
}

static void members_that_are_gone_are_left(void **state) {
  world *w = *state;
  hm_str id = three(w);
  add(w, HM_MEMORY, MEMORY("m2", "7 kg"));
  add(w, HM_MEMORY, MEMORY("m3", "8 kg"));
  sql(w,
      "DELETE FROM memories WHERE id = 'm1'; UPDATE memories SET status = 'superseded', superseded_by = 'm3' WHERE id = 'm2'");
  report r = resolve(w, id, "s1");
  assert_true(left(&r, "memory:m1", "is no longer stored"));
  assert_true(left(&r, "memory:m2", "is superseded by memory:m3 already"));
  assert_int_equal(r.n_changes, 2);
  expect_sweep_changes_nothing(w);
}

static void a_winner_must_not_contradict_itself(void **state) {
  world *w = *state;
  report r;
  create(w);
  add(w, HM_STATE, STATE("s1", "5 kg"));
  add(w, HM_ENTITY,
      "{\"id\":\"e2\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"leg\",\"properties\":{\"mass\":\"6 kg\",\"Mass\":\"7 kg\"}}");
  hm_str id = open_conflict(w);
  assert_int_equal(try_resolve(w, id, "e2", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(w, HM_E_INPUT, "its own fields");
  assert_non_null(strstr(w->err.fix, "hmirror edit entity:e2"));
  assert_string_equal(w->err.field, "winner_member_id");
  r = resolve(w, id, "s1");
  assert_true(changed(&r, "entity:e2", "active", "superseded by project_state:s1"));
  assert_int_equal(r.n_opened, 0);
  expect_sweep_changes_nothing(w);
}

static void sign_off(void **state) {
  world *w = *state;
  hm_str id = three(w);
  edit(
      w, "e1",
      "{\"properties\":{\"parameter_scope\":\"leg\",\"parameter_name\":\"mass\",\"value\":\"4.8 kg\"}}");
  edit(w, "m1", "{\"content\":\"leg mass is 4.8 kg\"}");
  report r = resolve(w, id, "s1");
  assert_int_equal(r.n_changes, 0);
  assert_true(left(&r, "entity:e1", "is in dispute no more"));
  assert_string_equal(ask(w, "SELECT status FROM conflicts"), "resolved");
  assert_string_equal(ask(w, "SELECT count(*) FROM memories WHERE status = 'active'"), "1");
  expect_sweep_changes_nothing(w);
}

static void no_action_changes_no_row(void **state) {
  world *w = *state;
  hm_str id = three(w), before = export(w);
  report r = resolve_no_action(w, id);
  assert_int_equal(r.n_changes + r.n_left, 0);
  assert_string_equal(ask(w, "SELECT action || coalesce(winner, '-') FROM conflicts"),
                      "no_action-");
  assert_string_equal(ask(w, "SELECT count(*) FROM journal WHERE actor = 'ines'"), "1");
  size_t rows = (size_t)hm_str_find(before, "{\"kind\":\"conflict\"");
  hm_str after = export(w);
  assert_true(hm_str_eq(hm_str_sub(before, 0, rows), hm_str_sub(after, 0, rows)));
  expect_sweep_changes_nothing(w);
}

static void resolved_twice_is_kept_twice(void **state) {
  world *w = *state;
  hm_str first = three(w);
  resolve(w, first, "s1");
  hm_written n = add(w, HM_MEMORY, MEMORY("m9", "9 kg"));
  assert_int_equal(n.n_opened, 1);
  hm_str second = open_conflict(w);
  resolve(w, second, "m9");
  assert_string_equal(
      ask(w, "SELECT group_concat(winner) FROM (SELECT winner FROM conflicts ORDER BY winner)"),
      "memory:m9,project_state:s1");
  assert_string_equal(ask(w, "SELECT superseded_by FROM project_state"), "memory:m9");
  expect_sweep_changes_nothing(w);
}

static void whoever_comes_late_is_told(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r;
  resolve(w, id, "s1");
  assert_int_equal(try_resolve(w, id, "e1", HM_SUPERSEDE_OPPONENTS, false, &r), -1);
  expect_why(
      w, HM_E_STATE,
      "it was resolved by ines at 2026-06-01T10:00:00Z, project_state:s1 stands: \"weighed again\"");
  hm_review k = review();
  assert_int_equal(hm_review_dismiss(w->s, &k, id, HM_STR("no"), w->a, &r, &w->err), -1);
  expect_why(w, HM_E_STATE, "it was resolved by ines");
}

/* --- dismiss, reopen ------------------------------------------------------- */

static void dismissed_stays_quiet(void **state) {
  world *w = *state;
  hm_str id = three(w);
  hm_review k = review();
  report r;
  assert_int_equal(hm_review_dismiss(w->s, &k, id, HM_STR(" \n"), w->a, &r, &w->err), -1);
  expect_why(w, HM_E_INPUT, "missing");
  assert_string_equal(w->err.field, "reason");
  ok(w, hm_review_dismiss(w->s, &k, id, HM_STR("two legs"), w->a, &r, &w->err));
  assert_string_equal(
      ask(w, "SELECT status || resolution || resolved_by || coalesce(action, '-') FROM conflicts"),
      "dismissedtwo legskim-");
  assert_string_equal(ask(w, "SELECT verb || why FROM journal ORDER BY seq DESC"),
                      "dismisstwo legs");
  expect_sweep_changes_nothing(w);
  add(w, HM_MEMORY, MEMORY("m2", "9 kg"));
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts WHERE status = 'open'"), "1");
  assert_false(hm_str_eq(open_conflict(w), id));
}

static void reopened(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r = begun();
  assert_int_equal(try_reopen(w, id, &r), -1);
  expect_why(w, HM_E_STATE, "it is open");
  resolve(w, id, "s1");
  ok(w, try_reopen(w, id, &r));
  assert_str(r.status, "open");
  assert_int_equal(r.n_restorable, 2);
  assert_str(r.restorable[0], "entity:e1");
  assert_str(r.restorable[1], "memory:m1");
  assert_string_equal(
      ask(w,
          "SELECT status || resolution || coalesce(resolved_at, '-') || coalesce(resolved_by, '-') || coalesce(winner, '-') || "
          "coalesce(action, '-') FROM conflicts"),
      "open----");
  assert_string_equal(ask(w, "SELECT verb || why FROM journal ORDER BY seq DESC"),
                      "reopenthe scale was wrong");
  assert_string_equal(ask(w, "SELECT status FROM entities"), "superseded");
  expect_sweep_changes_nothing(w);
  report back = restore(w, "e1", "");
  assert_int_equal(back.n_opened, 0);
  assert_true(hm_str_eq(open_conflict(w), id));
  expect_sweep_changes_nothing(w);
}

static void one_open_conflict_a_slot(void **state) {
  world *w = *state;
  hm_str first = three(w);
  report r;
  resolve(w, first, "s1");
  add(w, HM_MEMORY, MEMORY("m9", "9 kg"));
  hm_str second = open_conflict(w);
  assert_int_equal(try_reopen(w, first, &r), -1);
  expect_why(w, HM_E_STATE, hm_str_z(w->a, second));
  /* Another program took the members; the anchor is one all the same. */
  sql(w, "DELETE FROM conflict_members; UPDATE conflicts SET anchor = 'project_state:s1#value'");
  assert_int_equal(try_reopen(w, first, &r), -1);
  expect_why(w, HM_E_STATE, hm_str_z(w->a, second));
}

/* --- rows ------------------------------------------------------------------ */

static void superseding_quiets(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_ENTITY, PARAMETER("e1", "5 kg", ""));
  add(w, HM_ENTITY, PARAMETER("e2", "6 kg", ""));
  hm_str id = open_conflict(w);
  report r = supersede(w, "e1", "e2", "measured");
  assert_int_equal(r.n_changes, 2);
  assert_int_equal(r.n_quieted, 1);
  assert_true(hm_str_eq(r.quieted[0], id));
  assert_string_equal(ask(w, "SELECT status FROM conflicts"), "open");   /* nothing closes itself */
  assert_string_equal(ask(w, "SELECT group_concat(why) FROM journal WHERE verb = 'supersede'"),
                      "measured,measured");
  expect_sweep_changes_nothing(w);
  r = restore(w, "e1", "it was not");
  assert_int_equal(r.n_changes, 2);
  assert_true(changed(&r, "entity:e1", "superseded by entity:e2", "active"));
  assert_string_equal(ask(w, "SELECT status FROM relations"), "invalid");
  assert_string_equal(ask(w, "SELECT why FROM journal WHERE verb = 'restore'"), "it was not");
  expect_sweep_changes_nothing(w);
}

static void restoring_opens_anew(void **state) {
  world *w = *state;
  hm_str id = three(w);
  resolve(w, id, "s1");
  report r = restore(w, "e1", "");
  assert_int_equal(r.n_opened, 1);
  assert_false(hm_str_eq(r.opened[0], id));
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"), "2");
  expect_sweep_changes_nothing(w);
}

static void rows_are_named_in_errors(void **state) {
  world *w = *state;
  hm_review k = review();
  report r;
  three(w);
  assert_int_equal(
      hm_review_supersede(w->s, &k, HM_STR("e1"), HM_STR("nobody"), HM_EMPTY, w->a, &r, &w->err),
      -1);
  assert_int_equal(w->err.code, HM_E_UNKNOWN);
  assert_string_equal(w->err.field, "new");
  assert_int_equal(
      hm_review_supersede(w->s, &k, HM_STR("e1"), HM_STR("m1"), HM_EMPTY, w->a, &r, &w->err), -1);
  expect_why(w, HM_E_INPUT, "another layer");
  assert_int_equal(hm_review_restore(w->s, &k, HM_STR("e1"), HM_EMPTY, HM_EMPTY, w->a, &r, &w->err),
                   -1);
  expect_why(w, HM_E_STATE, "active");
  char *long_notes = calloc(1, HM_NOTES_MAX + 2);
  memset(long_notes, 'x', HM_NOTES_MAX + 1);
  assert_int_equal(
      hm_review_restore(w->s, &k, HM_STR("e1"), HM_EMPTY, hm_str_c(long_notes), w->a, &r, &w->err),
      -1);
  expect_why(w, HM_E_INPUT, "longer than");
  free(long_notes);
  assert_false(hm_store_in_txn(w->s));
}

/* --- dry run --------------------------------------------------------------- */

static void a_dry_run_tells_and_does_nothing(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, STATE("s1", "4.8 kg"));
  add(w, HM_MEMORY, MEMORY("m2", "4800 g"));   /* gives way, but what it says stands */
  add(w, HM_ENTITY, PARAMETER("e1", "5 kg", ",\"vendor\":\"x\""));
  add(w, HM_ENTITY,
      "{\"id\":\"e2\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"leg\",\"properties\":"
      "{\"mass\":\"5000 g\",\"vendor\":\"ACME\",\"colour\":\"red\"}}");
  add(w, HM_STATE, "{\"id\":\"s2\",\"project\":\"p\",\"key\":\"leg colour\",\"value\":\"Red\"}");
  add(w, HM_STATE, "{\"id\":\"s3\",\"project\":\"p\",\"key\":\"arm mass\",\"value\":\"5 kg\"}");
  add(w, HM_STATE, "{\"id\":\"s4\",\"project\":\"q\",\"key\":\"arm mass\",\"value\":\"5 kg\"}");
  add(w, HM_MEMORY,
      "{\"id\":\"m1\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"status\":\"candidate\",\"content\":\"leg mass is 5 kg\"}");
  hm_str id = hm_str_c(ask(w, "SELECT id FROM conflicts WHERE slot_key LIKE '%leg_mass%'")),
         before = export(w);
  const char *lines = ask(w, "SELECT count(*) FROM journal");
  report r = begun();
  hm_review k = review();
  k.dry_run = true;
  hm_resolution how = { .winners = &HM_STR("s1"),
                        .n_winners = 1,
                        .action = HM_SUPERSEDE_OPPONENTS,
                        .scope = HM_SCOPE_WHOLE_ROW,
                        .notes = HM_EMPTY };
  ok(w, hm_review_resolve(w->s, &k, id, &how, w->a, &r, &w->err));
  assert_true(r.dry_run);
  assert_true(changed(&r, "entity:e1", "active", "superseded by project_state:s1"));
  assert_true(changed(&r, "entity:e2", "active", "superseded by project_state:s1"));
  hm_str seen = HM_EMPTY;
  for (size_t i = 0; i < r.n_withdrawn; i++)
    seen = hm_str_fmt(w->a, "%.*s%.*s %.*s=%.*s%s;", HM_FMT(seen), HM_FMT(r.withdrawn[i].ref),
                      HM_FMT(r.withdrawn[i].slot), HM_FMT(r.withdrawn[i].value),
                      r.withdrawn[i].alone ? "!" : "");
  assert_str(seen,
             "entity:e1 leg_mass_vendor=x!;entity:e2 leg_vendor=ACME!;entity:e2 leg_colour=red;");
  seen = HM_EMPTY;
  for (size_t i = 0; i < r.n_others; i++)
    seen = hm_str_fmt(w->a, "%.*s%.*s %.*s %.*s%s;", HM_FMT(seen), HM_FMT(r.others[i].ref),
                      HM_FMT(r.others[i].status), HM_FMT(r.others[i].slot),
                      r.others[i].elsewhere ? "+" : "");
  assert_str(seen, "memory:m1 candidate leg_mass;project_state:s3 active arm_mass+;");
  assert_true(hm_str_eq(before, export(w)));
  assert_string_equal(ask(w, "SELECT count(*) FROM journal"), lines);
  hm_buf b = { 0 };
  hm_json *parsed;
  hm_verdict_json(&b, &r, w->a);
  ok(w, hm_json_parse(w->a, hm_buf_view(&b), &parsed, &w->err));
  assert_int_equal(hm_json_get(parsed, "withdrawn")->count, 3);
  assert_int_equal(hm_json_get(parsed, "slot_key")->count, 2);
  hm_buf_free(&b);
}

static void it_takes_part_in_an_open_transaction(void **state) {
  world *w = *state;
  hm_str id = three(w);
  report r = begun();
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w, try_resolve(w, id, "s1", HM_SUPERSEDE_OPPONENTS, true, &r));
  assert_true(hm_store_in_txn(w->s));
  assert_int_equal(snapshot(w, false)->conflicts[0].status, HM_RESOLVED);
  assert_int_equal(try_resolve(w, id, "s1", HM_SUPERSEDE_OPPONENTS, true, &r), -1);
  assert_true(hm_store_in_txn(w->s));
  hm_store_rollback(w->s);
  assert_string_equal(ask(w, "SELECT status FROM conflicts"), "open");
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(the_winner_stands),
    T(what_agrees_with_the_winner_stays),
    T(every_other_member_gives_way_when_asked),
    T(what_goes_on_is_another_conflict),
    T(what_would_go_on_disagreeing_gives_way),
    T(who_can_win),
    T(members_that_are_gone_are_left),
    T(a_winner_must_not_contradict_itself),
    T(sign_off),
    T(no_action_changes_no_row),
    T(resolved_twice_is_kept_twice),
    T(whoever_comes_late_is_told),
    T(dismissed_stays_quiet),
    T(reopened),
    T(one_open_conflict_a_slot),
    T(superseding_quiets),
    T(restoring_opens_anew),
    T(rows_are_named_in_errors),
    T(a_dry_run_tells_and_does_nothing),
    T(it_takes_part_in_an_open_transaction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
