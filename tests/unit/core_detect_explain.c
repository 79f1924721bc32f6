/* What a conflict says of itself, in sentences and in JSON. */
#include "tests/unit/core_detect_help.h"

#include "core/base/json.h"
#include "core/detect/explain.h"

static const char *const P[] = { "", "p05-interferometer" };
static hm_arena *a;
static int begin(void **unused) { (void)unused; a = hm_arena_new(); return 0; }
static int end(void **unused) { (void)unused; hm_arena_free(a); return 0; }

static hm_sweep sweep_of(const hm_row *rows, size_t n) {
  help_look l = help_look_at(a, P, 2, rows, n, hm_rules_default(), 1);
  l.snap->conflicts = l.plan->conflicts;
  l.snap->n_conflicts = l.plan->n_conflicts;
  return (hm_sweep){ .snap = l.snap, .claims = l.claims, .disputes = l.disputes, .plan = l.plan };
}

static hm_row entity(const char *value) {
  char *props = hm_alloc(a, strlen(value) + 200);
  strcat(
      strcpy(props,
             "{\"decision_target\":\"lateral support\",\"decision_field\":\"material\",\"value\":"),
      value);
  hm_row r = help_entity("e1", "Decision", 1, "Lateral support material", strcat(props, "}"));
  r.created_at = HM_STR("2026-04-02T09:00:00Z");
  return r;
}

static hm_row state(const char *value) {
  hm_row r = help_state("s1", "decision", 1, "lateral_support_material", value);
  r.created_at = HM_STR("2026-03-01");
  return r;
}

static const char *json(const hm_sweep *w, const hm_conflict_rec *rec,
                        const hm_conflict_shown *shown, bool clock) {
  hm_buf b = { 0 };
  hm_conflict_json(&b, w, rec, shown, clock, a);
  hm_json *v;
  assert_int_equal(hm_json_parse(a, hm_buf_view(&b), &v, NULL), 0);
  char *out = hm_str_z(a, hm_buf_view(&b));
  hm_buf_free(&b);
  return out;
}

static bool has_line(const hm_explanation *x, const char *text) {
  for (size_t i = 0; i < x->n; i++)
    if (hm_str_find(x->lines[i], text) >= 0) return true;
  for (size_t i = 0; i < x->n; i++) print_message("%.*s\n", HM_FMT(x->lines[i]));
  print_message("no line with: %s\n", text);
  return false;
}

static void json_is_as_designed(void **unused) {
  (void)unused;
  hm_row rows[] = { entity("\"PEEK\""), state("GF-PTFE") };
  hm_sweep w = sweep_of(rows, 2);
  hm_row_detail details[] = { { .source_refs = HM_STR("[\"meeting 2026-04-02\"]") },
                              { .source_refs = HM_STR("design review 3") } };
  w.snap->details = details;
  hm_conflict_rec *rec = &w.snap->conflicts[0];
  rec->id = HM_STR("c1f000000000");
#define TAIL                                                                                                                                          \
  "\"resolved_at\":null,\"resolution\":\"\",\"action\":null,\"winner\":null,\"winners\":[],\"resolved_by\":null,\"slot_kind\":\"cross_layer\"," \
  "\"slot_key\":[\"p05-interferometer\",\"lateral_support_material\"],\"project\":\"p05-interferometer\",\"rule\":\"slot/1\",\"window\":[null,null]," \
  "\"members\":[{\"member_kind\":\"project_state\",\"member_id\":\"s1\",\"member_layer_trust\":3,\"field\":\"value\","                                \
  "\"value\":\"GF-PTFE\",\"status\":\"active\",\"flagged\":false,\"conflicts_with\":null,\"source_refs\":[\"design review 3\"]},"                     \
  "{\"member_kind\":\"entity\",\"member_id\":\"e1\",\"member_layer_trust\":2,\"field\":\"value\",\"value\":\"PEEK\","                                 \
  "\"status\":\"active\",\"flagged\":true,\"conflicts_with\":\"project_state:s1\",\"source_refs\":[\"meeting 2026-04-02\"]}],\"about\":[],\"inside\":[]}"
  assert_string_equal(
      json(&w, rec, NULL, true),
      "{\"id\":\"c1f000000000\",\"status\":\"open\",\"disputed\":true,\"since\":\"2026-04-02T09:00:00Z\","
      "\"detected_at\":\"2026-05-01T00:00:00Z\"," TAIL);
  assert_string_equal(
      json(&w, rec, NULL, false),
      "{\"id\":\"c1f000000000\",\"status\":\"open\",\"disputed\":true,\"since\":\"2026-04-02T09:00:00Z\"," TAIL);
  w.snap->details = NULL;
  assert_non_null(strstr(json(&w, rec, NULL, false), "\"source_refs\":[]}"));
  hm_claims_free(w.claims);
}

static void hidden_rows_are_withheld(void **unused) {
  (void)unused;
  hm_row rows[] = { entity("\"PEEK\""), state("GF-PTFE") };
  hm_sweep w = sweep_of(rows, 2);
  bool hidden[] = { false, true };
  hm_conflict_shown shown = { .hidden = hidden, .since = HM_TIME_MIN };
  const char *got = json(&w, &w.snap->conflicts[0], &shown, false);
  assert_non_null(strstr(got, "\"since\":null"));
  assert_null(strstr(got, "GF-PTFE"));
  assert_null(strstr(got, "s1"));
  assert_non_null(strstr(got, "\"withheld\":1}"));
  hm_claims_free(w.claims);
}

static bool is_no_state(void *ctx, const hm_claim *c, const hm_evidence **said_by) {
  (void)ctx;
  *said_by = NULL;
  return c->layer != HM_STATE;
}

static void hidden_claims_of_shown_rows_are_withheld(void **unused) {
  (void)unused;
  hm_row rows[] = { entity("\"PEEK\""), state("GF-PTFE") };
  hm_sweep w = sweep_of(rows, 2);
  bool hidden[] = { false, false };
  hm_conflict_shown shown = { .hidden = hidden, .claim = is_no_state, .since = HM_TIME_MIN };
  const char *got = json(&w, &w.snap->conflicts[0], &shown, false);
  assert_null(strstr(got, "GF-PTFE"));
  assert_non_null(strstr(got, "PEEK"));
  assert_non_null(strstr(got, "\"withheld\":1}"));
  hm_claims_free(w.claims);
}

static void settled_ones_show_the_record(void **unused) {
  (void)unused;
  hm_row rows[] = { entity("\"PEEK\""), state("GF-PTFE") };
  hm_sweep w = sweep_of(rows, 2), later;
  hm_conflict_rec rec = w.snap->conflicts[0];
  rec.status = HM_RESOLVED;
  rec.action = HM_STR("supersede_others");
  rec.resolved_at = HM_STR("2026-05-02");
  rec.resolution = HM_STR("we chose");
  rec.winner = HM_STR("project_state:s1");
  rec.resolved_by = HM_STR("kim");
  rows[0].status = HM_SUPERSEDED;
  later = sweep_of(rows, 1);
  const char *got = json(&later, &rec, NULL, false);
  assert_non_null(strstr(
      got,
      "\"disputed\":false,\"since\":null,\"resolved_at\":\"2026-05-02\",\"resolution\":\"we chose\",\"action\":\"supersede_others\","
      "\"winner\":\"project_state:s1\",\"winners\":[\"project_state:s1\"],\"resolved_by\":\"kim\",\"slot_kind\""));
  assert_non_null(strstr(got, "\"value\":\"GF-PTFE\",\"status\":\"missing\""));
  assert_non_null(strstr(got, "\"value\":\"PEEK\",\"status\":\"superseded\",\"flagged\":true"));
  hm_explanation x;
  hm_explain_conflict(&later, &rec, hm_rules_default(), a, &x);
  assert_null(x.dispute);
  assert_true(has_line(
      &x,
      "project_state:s1 claimed in its field value: \"GF-PTFE\" -> text:gf-ptfe; the row is gone."));
  assert_true(has_line(&x, "the row is superseded now and claims nothing by that field."));
  assert_true(has_line(
      &x, "The conflict is resolved since 2026-05-02, by supersede_others: \"we chose\"."));
  hm_claims_free(w.claims);
  hm_claims_free(later.claims);
}

static void explains_a_dispute(void **unused) {
  (void)unused;
  hm_row rows[] = { entity("\"31 s\""), state("30 s") };
  hm_sweep w = sweep_of(rows, 2);
  hm_explanation x;
  hm_explain_conflict(&w, &w.snap->conflicts[0], hm_rules_default(), a, &x);
  assert_ptr_equal(x.dispute, &w.disputes->disputes[0]);
  assert_true(has_line(&x, "Rule slot/1: "));
  assert_true(has_line(
      &x,
      "The slot is [\"p05-interferometer\",\"lateral_support_material\"]: project \"p05-interferometer\", name \"lateral_support_material\"."));
  assert_true(has_line(
      &x,
      "project_state:s1 (trust 3) is named by its key \"lateral_support_material\" in category \"decision\""));
  assert_true(
      has_line(&x, "claims in its field value: \"31 s\" -> quantity:31 s, without limit in time."));
  assert_true(has_line(&x, "entity:e1 (value) contradicts project_state:s1: "));
  assert_true(has_line(&x, "differ by 1 s"));
  assert_true(has_line(
      &x,
      "entity:e1 (value) is flagged: its trust is 2, it contradicts project_state:s1, whose trust is 3, and agrees with no member of that trust."));
  assert_true(
      has_line(&x, "project_state:s1 is not flagged: its trust, 3, is the highest present."));
  assert_true(has_line(&x, "Disputed since 2026-04-02T09:00:00Z"));
  for (size_t i = 0; i < x.n; i++) assert_true(hm_str_ends(x.lines[i], "."));
  hm_claims_free(w.claims);
}

/* Whom each contradicts, by name; what else the values hide. */
static void names_every_opponent(void **unused) {
  (void)unused;
  hm_row rows[] = { state("30 s"), entity("\"31 s\""),
                    help_memory("m1", "knowledge", 1, "Lateral support material is 32 m") };
  hm_sweep w = sweep_of(rows, 3);
  hm_explanation x;
  hm_explain_conflict(&w, &w.snap->conflicts[0], hm_rules_default(), a, &x);
  assert_true(has_line(&x, "entity:e1 (value) contradicts project_state:s1, memory:m1."));
  assert_true(has_line(&x, "memory:m1 contradicts project_state:s1, entity:e1 (value)."));
  assert_true(has_line(&x, "m and s are of different dimensions, neither converts to the other"));
  assert_int_equal(x.found.n, 0);
  hm_claims_free(w.claims);
}

static void bounds_how_many_are_named(void **unused) {
  (void)unused;
  enum { N = 40 };
  hm_row rows[N];
  for (int i = 0; i < N; i++)
    rows[i] =
        help_state(hm_str_fmt(a, "s%02d", i).p, "fact", 1, "gain", hm_str_fmt(a, "value %d", i).p);
  hm_sweep w = sweep_of(rows, N);
  hm_explanation x;
  hm_explain_conflict(&w, &w.snap->conflicts[0], hm_rules_default(), a, &x);
  assert_true(has_line(&x, "project_state:s20 and 19 more."));
  hm_claims_free(w.claims);
}

static void shows_code_points_of_letters_that_look_alike(void **unused) {
  (void)unused;
  hm_row rows[] = { state("PEEK"), entity("\"\xD0\xA0\xD0\x95\xD0\x95K\"") };
  hm_sweep w = sweep_of(rows, 2);
  hm_explanation x;
  hm_explain_conflict(&w, &w.snap->conflicts[0], hm_rules_default(), a, &x);
  assert_true(has_line(
      &x, "which look alike and differ in U+0440 / U+0070, U+0435 / U+0065, U+0435 / U+0065"));
  hm_claims_free(w.claims);
  hm_row plain[] = { state("PEEK"), entity("\"steel\"") };
  w = sweep_of(plain, 2);
  hm_explain_conflict(&w, &w.snap->conflicts[0], hm_rules_default(), a, &x);
  for (size_t i = 0; i < x.n; i++) assert_true(hm_str_find(x.lines[i], "alike") < 0);
  hm_claims_free(w.claims);
}

static void shows_no_stems(void **unused) {
  (void)unused;
  hm_row rows[] = { help_memory("m1", "preference", 1, "prefers rebase workflow"),
                    help_memory("m2", "preference", 1, "prefers merging workflow") };
  hm_sweep w = sweep_of(rows, 2);
  hm_explanation x;
  hm_explain_conflict(&w, &w.snap->conflicts[0], hm_rules_default(), a, &x);
  assert_true(has_line(&x, "claims in its field content: \"rebase\", without limit in time."));
  for (size_t i = 0; i < x.n; i++) assert_true(hm_str_find(x.lines[i], "text:") < 0);
  hm_claims_free(w.claims);
}

/* By the clock, so apart from the lines, which pages show too. */
static void says_when_it_was_found(void **unused) {
  (void)unused;
  hm_row rows[] = { state("a"), entity("\"b\"") };
  rows[0].created_at = rows[1].created_at = HM_EMPTY;
  hm_sweep w = sweep_of(rows, 2);
  hm_explanation x;
  hm_explain_conflict(&w, &w.snap->conflicts[0], hm_rules_default(), a, &x);
  assert_true(hm_str_is(x.found, "It was found 2026-05-01T00:00:00Z."));
  for (size_t i = 0; i < x.n; i++) assert_true(hm_str_find(x.lines[i], "2026-05-01") < 0);
  hm_claims_free(w.claims);
}

static void no_longer_disputed(void **unused) {
  (void)unused;
  hm_row rows[] = { entity("\"PEEK\""), state("GF-PTFE") };
  hm_sweep w = sweep_of(rows, 2), later = sweep_of(rows, 1);
  hm_explanation x;
  const char *got = json(&later, &w.snap->conflicts[0], NULL, false);
  assert_non_null(strstr(got, "\"status\":\"open\",\"disputed\":false,\"since\":null"));
  hm_explain_conflict(&later, &w.snap->conflicts[0], hm_rules_default(), a, &x);
  assert_true(has_line(&x, "no longer disputed and awaits sign-off."));
  assert_true(has_line(&x, "the row is active now and still claims \"PEEK\""));
  hm_claims_free(w.claims);
  hm_claims_free(later.claims);
}

/* Facts that are no text, or too much of it: one line each, and JSON all the same. */
static void hostile_facts(void **unused) {
  (void)unused;
  size_t n = 300000;
  char *big = hm_alloc(a, n + 1);
  memset(big, 'x', n);
  big[5] = '\n';
  big[6] = '\xff';
  hm_row rows[] = { state("a"), state("b") };
  rows[0].text = (hm_str){ big, n };
  rows[1].id = (hm_str){ "s\0\xe2\x80\xae\"</script>", 16 };
  hm_sweep w = sweep_of(rows, 2);
  hm_explanation x;
  assert_int_equal(w.disputes->n, 1);
  assert_null(strstr(json(&w, &w.snap->conflicts[0], NULL, true), "</script>"));
  hm_explain_conflict(&w, &w.snap->conflicts[0], hm_rules_default(), a, &x);
  for (size_t i = 0; i < x.n; i++) {
    assert_true(x.lines[i].n < 4000);
    for (size_t k = 0; k < x.lines[i].n; k++) assert_true((unsigned char)x.lines[i].p[k] >= 0x20);
    assert_true(hm_str_find(x.lines[i], "\xe2\x80\xae") < 0);
  }
  assert_true(has_line(&x, "⟦U+202E⟧"));
  assert_true(has_line(&x, "(300000 bytes)"));
  hm_conflict_rec odd = w.snap->conflicts[0];
  odd.slot_key = HM_STR("no JSON");
  assert_non_null(strstr(json(&w, &odd, NULL, true), "\"slot_key\":[\"no JSON\"]"));
  hm_claims_free(w.claims);
}

#define IN_ARENA(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    IN_ARENA(json_is_as_designed),
    IN_ARENA(hidden_rows_are_withheld),
    IN_ARENA(hidden_claims_of_shown_rows_are_withheld),
    IN_ARENA(settled_ones_show_the_record),
    IN_ARENA(explains_a_dispute),
    IN_ARENA(no_longer_disputed),
    IN_ARENA(hostile_facts),
    IN_ARENA(names_every_opponent),
    IN_ARENA(bounds_how_many_are_named),
    IN_ARENA(shows_code_points_of_letters_that_look_alike),
    IN_ARENA(shows_no_stems),
    IN_ARENA(says_when_it_was_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
