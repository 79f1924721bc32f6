/* Rows to claims. */
#include "core_claim_help.h"

static hm_arena *A;

/* Every claim as "name field norm;" */
static char *told(const hm_claims *c) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < c->n; i++) {
    const hm_claim *k = &c->claims[i];
    hm_buf_fmt(&b, "%s%.*s %.*s %.*s", i ? "; " : "", HM_FMT(k->name), HM_FMT(k->field),
               HM_FMT(k->value.norm));
  }
  char *z = hm_str_z(A, hm_buf_view(&b));
  hm_buf_free(&b);
  return z;
}

static const char *claims_of_rows(hm_row *rows, size_t n, size_t findings) {
  hm_snapshot s = help_snapshot(A, rows, n);
  hm_claims *c = help_claims(&s, 1);
  char *z = told(c);
  assert_int_equal(c->n_findings, findings);
  hm_claims_free(c);
  return z;
}

static const char *claims_of_entity(const char *type, const char *name, const char *props) {
  hm_row row = help_row(HM_ENTITY, "e1", type, name, props);
  return claims_of_rows(&row, 1, 0);
}

static void test_types(void **state) {
  (void)state;
  static const struct { const char *type, *name, *props, *told;
  } cases[] = {
    { "Project", "Interferometer", "{\"mass\":5,\"name\":\"x\"}",
      "mass mass number:5; name name text:x" },
    { "Subsystem", "Frame", "{\"mass\":\"4.8 kg\"}", "frame_mass mass quantity:4.8 kg" },
    { "Subsystem", "x", "{\"subsystem_name\":\"Frame\",\"mass\":1}", "frame_mass mass number:1" },
    { "Component", "Leg", "{\"subsystem\":\"Frame\",\"mass\":1}", "frame_leg_mass mass number:1" },
    { "Component", "x", "{\"subsystem_id\":\"Frame\",\"component_name\":\"Leg\",\"mass\":1}",
      "frame_leg_mass mass number:1" },
    { "Component", "Leg", "{\"mass\":1}", "leg_mass mass number:1" },
    { "Requirement", "x", "{\"requirement_key\":\"R-1\",\"limit\":5,\"text\":\"at most 5\"}",
      "r_1 limit number:5; r_1_text text range:<=5" },
    { "Requirement", "R 1", "{\"text\":\"at most 5\",\"limit\":null}", "r_1 text range:<=5" },
    { "Constraint", "x",
      "{\"constraint_target\":\"Frame\",\"constraint_kind\":\"mass\",\"limit\":5}",
      "frame_mass limit number:5" },
    { "Constraint", "x",
      "{\"constraint_target\":\"Frame\",\"constraint_kind\":\"mass\",\"value\":5}",
      "frame_mass value number:5" },
    { "Constraint", "mass", "{\"constraint_target\":\"Frame\",\"limit\":5,\"value\":6}",
      "frame_mass limit number:5; frame_mass_value value number:6" },
    { "Decision", "x",
      "{\"decision_target\":\"lateral support\",\"decision_field\":\"material\",\"value\":\"PEEK\",\"cost\":4}",
      "lateral_support_material value text:peek" },
    { "Decision", "Lateral support material", "{\"value\":\"PEEK\"}",
      "lateral_support_material value text:peek" },
    { "Decision", "x", "{\"decision_target\":\"a\",\"decision_field\":\"b\",\"cost\":4}", "" },
    { "Decision", "D-7", "{\"consequences\":\"Old labels are reprinted.\",\"rationale\":\"Cheap.\"}",
      "d_7_consequences consequences text:old labels are reprinted" },
    { "Material", "x", "{\"component_id\":\"Leg\",\"material\":\"PEEK\",\"density\":\"1.3 g/cm3\"}",
      "leg material text:peek; leg_density density quantity:1.3 g/cm3" },
    { "Parameter", "x",
      "{\"parameter_scope\":\"Frame\",\"parameter_name\":\"mass\",\"value\":4.8,\"unit\":\"kg\"}",
      "frame_mass value quantity:4.8 kg" },
    { "Parameter", "mass", "{\"unit\":\"kg\",\"value\":\"4.8\",\"min\":4}",
      "mass value quantity:4.8 kg; mass_min min number:4" },
    { "Parameter", "mass", "{\"units\":\"widgets\",\"value\":4}",
      "mass_units units text:widgets; mass value number:4" },
    { "Parameter", "mass", "{\"unit\":\"kg\",\"value\":\"heavy\"}",
      "mass_unit unit text:kg; mass value text:heavy" },
    { "Parameter", "mass", "{\"unit\":\"g\",\"value\":\"4.8 kg\"}", "mass value quantity:4.8 kg" },
    { "Parameter", "mass", "{\"unit\":\"s\",\"value\":\"4.8 kg\"}",
      "mass_unit unit text:s; mass value quantity:4.8 kg" },
    { "Parameter", "firmware version", "{\"value\":\"3.10\",\"unit\":\"kg\"}",
      "firmware_version value text:3.10; firmware_version_unit unit text:kg" },
    { "Parameter", "mass", "{\"value\":\"1 kg\",\"Value\":\"2 kg\"}",
      "mass value quantity:1 kg; mass Value quantity:2 kg" },
    { "Parameter", "mass", "{\"unit\":\"kg\",\"value\":1,\"VALUE \":2,\"min\":0}",
      "mass value quantity:1 kg; mass VALUE  quantity:2 kg; mass_min min number:0" },
    { "Decision", "support", "{\"Value\":null,\"value\":\"PEEK\",\"VALUE\":\"PTFE\"}",
      "support value text:peek; support VALUE text:ptfe" },
    { "AnalysisModel", "x", "{\"subsystem\":\"Frame\",\"model_name\":\"FEM\",\"nodes\":5}",
      "frame_fem_nodes nodes number:5" },
    { "analysis_model", "FEM", "{\"nodes\":5}", "fem_nodes nodes number:5" },
    { "Result", "x",
      "{\"analysis_model_id\":\"FEM\",\"result_key\":\"stress\",\"value\":\"5 MPa\"}",
      "fem_stress value quantity:5 MPa" },
    { "ValidationClaim", "x", "{\"claim_key\":\"C1\",\"passed\":true}",
      "c1_passed passed bool:true" },
    { "Artifact", "Drawing", "{\"value\":5}", "" },
    { "Test Rig", "Rig 1", "{\"mass\":5,\"id\":\"007\"}",
      "test_rig_rig_1_mass mass number:5; test_rig_rig_1_id id text:007" },
    /* prose, elements and empty values claim nothing; names are compared folded */
    { "Subsystem", "Frame",
      "{\"Description\":\"a\",\"notes\":\"b\",\"rationale\":\"c\",\"title\":\"d\",\"source_doc\":\"e\",\"Created by\":\"f\",\"Mass\":\"\",\"a\":null,\"b\":[]}",
      "" },
    { "Subsystem", "x", "{\"Subsystem Name\":\"Frame\",\"Mass total\":5}",
      "frame_mass_total Mass total number:5" },
    { "Subsystem", "Frame", "{}", "" },
    { "Subsystem", "Frame", "", "" },
    { "Subsystem", "Frame", "null", "" },
    { "Decision", "???", "{\"value\":1}", "" },
    { "Subsystem", "Frame", "{\"???\":5}", "" },
    { "Subsystem", "x",
      "{\"subsystem\":\"\",\"subsystem_id\":null,\"subsystem_name\":\"Frame\",\"m\":1}",
      "frame_m m number:1" },
    { "Subsystem", "Frame", "{\"colors\":[\"red\",\"Blue\"]}",
      "frame_colors colors set:[text:blue,text:red]" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(claims_of_entity(cases[i].type, cases[i].name, cases[i].props),
                        cases[i].told);
}

static void test_references(void **state) {
  (void)state;
  hm_row rows[] = {
    help_row(HM_ENTITY, "e7", "Component", "Lateral Support", "{}"),
    help_row(HM_ENTITY, "e8", "Material", "x", "{\"component_id\":\"e7\",\"material\":\"PEEK\"}"),
    help_row(HM_ENTITY, "e9", "Material", "x", "{\"component\":\"entity:e7\",\"material\":\"GF\"}"),
    help_row(HM_ENTITY, "ea", "Material", "x", "{\"component_id\":\"f1\",\"material\":\"GF\"}"),
    help_row(HM_ENTITY, "f1", "Component", "Of another project", "{}"),
  };
  rows[4].project = 2;
  assert_string_equal(
      claims_of_rows(rows, 5, 0),
      "lateral_support material text:peek; lateral_support material text:gf; f1 material text:gf");
}

static void test_state(void **state) {
  (void)state;
  static const struct { const char *key, *value; bool json; const char *told;
  } cases[] = {
    { "lateral_support_material", "GF-PTFE", false, "lateral_support_material value text:gf-ptfe" },
    { "Frame mass", "4.8", true, "frame_mass value number:4.8" },
    { "x", "[1,2]", true, "x value set:[number:1,number:2]" },
    { "x", "true", true, "x value bool:true" },
    { "x", "[1,2]", false, "x value set:[number:1,number:2]" },
    { "", "5", false, "" },
    { "x", " ", false, "" },
    { "firmware_version", "3.10", false, "firmware_version value text:3.10" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_row row = help_row(HM_STATE, "s1", "decision", cases[i].key, cases[i].value);
    row.value_is_json = cases[i].json;
    assert_string_equal(claims_of_rows(&row, 1, 0), cases[i].told);
  }
}

static void test_memory(void **state) {
  (void)state;
  hm_row rows[] = {
    help_row(HM_MEMORY, "m1", "Preference", "", "prefers rebasing workflow"),
    help_row(HM_MEMORY, "m2", "knowledge", "", "mass is 468 g"),
    help_row(HM_MEMORY, "m3", "episodic", "", "area is 468"),
    help_row(HM_MEMORY, "m4", "identity", "", "role: engineer"),
    help_row(HM_MEMORY, "m5", "knowledge", "", "firmware version is 3.10"),
  };
  hm_snapshot s = help_snapshot(A, rows, 5);
  hm_claims *c = help_claims(&s, 1);
  assert_string_equal(
      told(c),
      "workflow content text:rebas; mass content quantity:468 g; role content text:engin; firmware_version content text:3.10");
  assert_true(hm_str_is(c->claims[0].space, "preference") &&
              hm_str_is(c->claims[0].value.raw, "rebasing"));
  assert_true(c->claims[1].space.n == 0 && hm_str_is(c->claims[2].space, "identity"));
  assert_string_equal(hm_str_z(A, hm_claim_slot_key(A, &s, &c->claims[0])),
                      "[\"p\",\"preference\",\"workflow\"]");
  assert_string_equal(hm_str_z(A, hm_claim_slot_key(A, &s, &c->claims[1])), "[\"p\",\"mass\"]");
  hm_claims_free(c);
}

static void test_only_active(void **state) {
  (void)state;
  for (int st = HM_CANDIDATE; st <= HM_STATUS_OTHER; st++) {
    hm_row row = help_row(HM_STATE, "s1", "", "x", "5");
    row.status = (hm_status)st;
    row.valid_from = HM_STR("x");
    assert_string_equal(claims_of_rows(&row, 1, st == HM_ACTIVE), "");
  }
}

static void test_windows(void **state) {
  (void)state;
  static const struct { const char *from, *until; bool fine;
  } cases[] = {
    { "", "", true },         { "2026", "", true },
    { "", "2026", true },     { "2026-01", "2026-02", true },
    { "2026", "2026", true }, { "2026-02", "2026-01", false },
    { "soon", "", false },    { "", "2026-13", false },
    { " ", "", true },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_row row = help_row(HM_STATE, "s1", "", "x", "5");
    row.valid_from = hm_str_c(cases[i].from);
    row.valid_until = hm_str_c(cases[i].until);
    assert_string_equal(claims_of_rows(&row, 1, !cases[i].fine),
                        cases[i].fine ? "x value number:5" : "");
  }
  hm_row row = help_row(HM_STATE, "s1", "", "x", "5");
  row.created_at = HM_STR("1970-01-01T00:00:01Z");
  hm_snapshot s = help_snapshot(A, &row, 1);
  hm_claims *c = help_claims(&s, 1);
  assert_true(c->claims[0].stands == 1000000 && c->claims[0].when->may_from == HM_TIME_MIN &&
              c->claims[0].when->may_until == HM_TIME_MAX);
  hm_claims_free(c);
}

static void test_findings(void **state) {
  (void)state;
  hm_row rows[] = {
    help_row(HM_ENTITY, "e1", "Subsystem", "Frame", "{\"a\":1,"),
    help_row(HM_ENTITY, "e2", "Subsystem", "Frame", "[1]"),
    help_row(HM_ENTITY, "e3", "Subsystem", "Frame", "{\"a\":{\"x\":1},\"b\":[{}],\"c\":5,\"notes\":{}}"),
    help_row(HM_STATE, "s1", "", "x", "{}"),
    help_row(HM_STATE, "s2", "", "x", "nope"),
  };
  rows[3].value_is_json = rows[4].value_is_json = true;
  hm_snapshot s = help_snapshot(A, rows, 5);
  hm_claims *c = help_claims(&s, 1);
  assert_string_equal(told(c), "frame_a a object:{x=number:1}; frame_c c number:5");
  assert_int_equal(c->n_findings, 3);
  for (size_t i = 0; i < 3; i++) {
    const hm_finding *f = &c->findings[i];
    assert_true(f->id.n == 13 && f->id.p[0] == 'f' && f->n_rows == 1 && f->message.n &&
                f->expected.n);
    assert_true(i == 0 || hm_str_cmp(c->findings[i - 1].id, f->id) < 0);
    assert_true(hm_str_is(f->kind, "ontology_violation") && hm_str_is(f->severity, "warn") &&
                hm_str_is(f->project, "p"));
    if (hm_str_is(f->rows[0], "entity:e1")) assert_true(hm_str_is(f->rule, "row/properties"));
    if (hm_str_is(f->rows[0], "project_state:s2"))
      assert_true(hm_str_is(f->rule, "row/value") && hm_str_is(f->actual, "nope"));
  }
  hm_claims_free(c);
}

static uint64_t rng = 88172645463325252u;
static uint64_t next(void) {
  rng ^= rng << 13;
  rng ^= rng >> 7;
  return rng ^= rng << 17;
}

static hm_row random_row(size_t i) {
  static const char *const types[] = { "Parameter", "Subsystem", "Decision", "Rig" };
  static const char *const props[] = { "{\"value\":\"5 s\",\"m\":[1,2]}",
                                       "{\"value\":", "{\"value\":{}}", "{\"a\":1,\"b\":\"x\"}",
                                       "" };
  static const char *const texts[] = { "prefers small diffs", "area is 5", "5 kg", "x" };
  static const char *const memories[] = { "preference", "knowledge", "episodic" };
  char id[24];
  size_t n = 0;
  id[n++] = 'r';
  for (size_t k = i; k; k /= 10) id[n++] = (char)('0' + k % 10);
  hm_layer layer = (hm_layer)(1 + next() % 4);
  const char *type = layer == HM_ENTITY ? types[next() % 4]
      : layer == HM_MEMORY              ? memories[next() % 3]
                                        : "fact";
  hm_row row = help_row(layer, hm_str_z(A, (hm_str){ id, n }), type, texts[next() % 4],
                        layer == HM_ENTITY ? props[next() % 5] : texts[next() % 4]);
  if (next() % 10 == 0) row.valid_from = HM_STR("never");
  if (next() % 10 == 0) row.status = HM_CANDIDATE;
  return row;
}

static bool same_value(const hm_value *a, const hm_value *b) {
  return a->kind == b->kind && hm_str_eq(a->raw, b->raw) && hm_str_eq(a->norm, b->norm) &&
      hm_str_eq(a->key, b->key) && a->n_items == b->n_items;
}

static void test_threads(void **state) {
  (void)state;
  enum { N = 30000 };
  hm_row *rows = hm_alloc_array(A, N, sizeof *rows);
  for (size_t i = 0; i < N; i++) rows[i] = random_row(i);
  hm_snapshot s = help_snapshot(A, rows, N);
  hm_claims *x = help_claims(&s, 1), *y = help_claims(&s, 8);
  assert_true(x->n > 10000 && x->n_findings > 1000);
  assert_true(x->n == y->n && x->n_findings == y->n_findings);
  for (size_t i = 0; i < x->n; i++) {
    const hm_claim *a = &x->claims[i], *b = &y->claims[i];
    assert_true(a->row == b->row && a->hash == b->hash && same_value(&a->value, &b->value));
    assert_true(hm_str_eq(a->name, b->name) && hm_str_eq(a->field, b->field) &&
                hm_str_eq(a->compare, b->compare));
    assert_true(i == 0 || a->row >= x->claims[i - 1].row);
  }
  for (size_t i = 0; i < x->n_findings; i++) {
    assert_true(hm_str_eq(x->findings[i].id, y->findings[i].id) &&
                hm_str_eq(x->findings[i].message, y->findings[i].message));
    assert_true(i == 0 || !hm_str_eq(x->findings[i].id, x->findings[i - 1].id));
  }
  hm_claims_free(x);
  hm_claims_free(y);
}

/* A long element stands in every claim of its row: it must not multiply. */
static void test_long_elements(void **state) {
  (void)state;
  enum { LONG = 1 << 20, FIELDS = 20000 };
  hm_buf b = { 0 };
  hm_buf_c(&b, "{\"subsystem\":\"");
  for (size_t i = 0; i < LONG; i++) hm_buf_ch(&b, 'x');
  hm_buf_ch(&b, '"');
  for (int i = 0; i < FIELDS; i++) hm_buf_fmt(&b, ",\"f%d\":%d", i, i);
  hm_buf_ch(&b, '}');
  hm_row row = help_row(HM_ENTITY, "e1", "Subsystem", "x", "");
  row.props = hm_buf_view(&b);
  hm_snapshot s = help_snapshot(A, &row, 1);
  hm_claims *c = help_claims(&s, 1);
  assert_int_equal(c->n, FIELDS);
  for (size_t i = 0; i < c->n; i++)
    assert_true(c->claims[i].name.n < 600 && c->claims[i].compare.n < 600);
  hm_claims_free(c);
  row.type = hm_buf_view(&b);
  row.props = HM_STR("{\"a\":1,\"b\":2}");
  s = help_snapshot(A, &row, 1);
  c = help_claims(&s, 1);
  assert_true(c->n == 2 && c->claims[0].name.n < 1200 && c->claims[0].compare.n < 1200);
  hm_claims_free(c);
  hm_buf_free(&b);
}

static void test_empty(void **state) {
  (void)state;
  hm_snapshot s = help_snapshot(A, NULL, 0);
  hm_claims *c = help_claims(&s, 4);
  assert_true(c->n == 0 && c->n_findings == 0);
  hm_claims_free(c);
  hm_claims_free(NULL);
}

static int setup(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int teardown(void **state) { (void)state; hm_arena_free(A); return 0; }

/* The id of an entity stands for its name, where a text of this shape is no other value. */
static void ids_are_names(void **state) {
  (void)state;
  hm_row rows[] = {
    help_row(HM_ENTITY, "e7", "Component", "Mirror Cell", "{}"),
    help_row(HM_ENTITY, "g1", "Component", "Plate", "{}"),
    help_row(HM_ENTITY, "q1", "Component", "Other", "{}"),
    help_row(HM_ENTITY, "12", "Component", "Twelve", "{}"),
    help_row(HM_ENTITY, "PEEK", "Component", "Polymer", "{}"),
    help_row(HM_ENTITY, "n1", "Component", "30000 ms", "{}"),
    help_row(HM_STATE, "s1", "", "a", "e7."),
    help_row(HM_STATE, "s2", "", "b", "g1"),
    help_row(HM_STATE, "s3", "", "c", "q1"),
    help_row(HM_STATE, "s4", "", "d", "12"),
    help_row(HM_STATE, "s5", "", "e", "PEEK"),
    help_row(HM_STATE, "s6", "", "f", "n1"),
    help_row(HM_STATE, "s7", "", "g", "[\"e7\",\"mirror cell\",\"entity:PEEK\"]"),
    help_row(HM_STATE, "s8", "", "h", "E7"),
    help_row(HM_MEMORY, "m1", "knowledge", "", "material is e7"),
    help_row(HM_MEMORY, "m2", "preference", "", "prefers e7 mount"),
    help_row(HM_STATE, "s9", "", "serial", "e7"),
    help_row(HM_STATE, "s91", "", "serial", "12"),
  };
  rows[1].project = 0;
  rows[2].project = 2;
  rows[12].value_is_json = true;
  assert_string_equal(
      claims_of_rows(rows, sizeof rows / sizeof *rows, 0),
      "material content text:mirror cell; mount content text:e7; a value text:mirror cell; b value text:plate; c value text:q1; d value number:12; e value text:polymer; "
      "f value quantity:30000 ms; g value set:[text:mirror cell,text:polymer]; h value text:e7; serial value text:mirror cell; serial value text:12");
}

/* Silence is none, in whatever layer and place. */
static void silence_claims_nothing(void **state) {
  (void)state;
  assert_string_equal(
      claims_of_entity("Parameter", "mass",
                       "{\"value\":\"TBD\",\"unit\":\"?\",\"min\":[\"n/a\"],\"max\":[\"TBD\",4]}"),
      "mass_max max set:[number:4]");
  assert_string_equal(claims_of_entity("Parameter", "serial", "{\"value\":\"n/a\"}"), "");
  hm_row rows[] = {
    help_row(HM_STATE, "s1", "", "a", "unknown"),
    help_row(HM_STATE, "s2", "", "b", "[\"TBD\",\"-\"]"),
    help_row(HM_STATE, "s3", "", "c", "open"),
    help_row(HM_MEMORY, "m1", "knowledge", "", "mass is not known yet."),
    help_row(HM_MEMORY, "m2", "knowledge", "", "mass: ?"),
    help_row(HM_MEMORY, "m3", "identity", "", "role: TBD"),
    help_row(HM_MEMORY, "m4", "preference", "", "prefers TBD workflow"),
    help_row(HM_MEMORY, "m5", "other", "", "to be determined"),
    help_row(HM_MEMORY, "m6", "other", "", "none"),
  };
  rows[1].value_is_json = true;
  rows[7].slot_rule = rows[8].slot_rule = HM_STR("a");
  assert_string_equal(claims_of_rows(rows, sizeof rows / sizeof *rows, 0),
                      "a content text:none; c value text:open");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ids_are_names),      cmocka_unit_test(silence_claims_nothing),
    cmocka_unit_test(test_types),         cmocka_unit_test(test_references),
    cmocka_unit_test(test_state),         cmocka_unit_test(test_memory),
    cmocka_unit_test(test_only_active),   cmocka_unit_test(test_windows),
    cmocka_unit_test(test_findings),      cmocka_unit_test(test_threads),
    cmocka_unit_test(test_long_elements), cmocka_unit_test(test_empty),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
