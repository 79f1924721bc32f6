/* A value that leaked: where it is taken out, what says so, what is left alone. */
#include "tests/unit/core_review_help.h"
#include "core/base/redaction.h"
#include "core/review/redact.h"
#include "core/review/verdict.h"

#define SECRET "Hunter2\"é<b>"
#define IN_JSON "Hunter2\\\"é<b>"
#define MARK "[redacted 2026-06-01: leaked]"

static int try_redact(world *w, const char *row, const char *field, const char *reason,
                      bool earlier, bool dry, hm_redacted *out) {
  hm_review r = review();
  hm_str rows[] = { hm_str_c(row) };
  hm_redact_order order = { .rows = rows,
                            .n_rows = 1,
                            .field = hm_str_c(field),
                            .reason = hm_str_c(reason),
                            .earlier = earlier };
  r.dry_run = dry;
  int rc = hm_review_redact(w->s, &r, &order, w->a, out, &w->err);
  if (rc == 0) assert_int_equal(out->not_compacted.code, HM_OK);
  return rc;
}

static hm_redacted redact(world *w, const char *row, const char *field) {
  hm_redacted out;
  ok(w, try_redact(w, row, field, "leaked", false, false, &out));
  return out;
}

static hm_str file_bytes(world *w) {
  hm_buf b = { 0 };
  char chunk[65536];
  FILE *f = fopen(w->path, "rb");
  for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;) hm_buf_add(&b, chunk, n);
  fclose(f);
  hm_str s = hm_buf_copy(&b, w->a);
  hm_buf_free(&b);
  return s;
}

static bool in_file(world *w, const char *z) {
  hm_str s = file_bytes(w);
  return memmem(s.p, s.n, z, strlen(z)) != NULL;
}

static void expect_gone(world *w) {
  assert_false(in_file(w, "Hunter2"));
  assert_false(in_file(w, "hunter2"));   /* nor in normal form */
}

static void expect_sound(world *w) {
  int64_t lines, bad;
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(bad, 0);
  expect_sweep_changes_nothing(w);
  assert_string_equal(
      ask(w,
          "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'journal_no_%'"),
      "3");
  assert_int_equal(sql_rc(w, "UPDATE journal SET after = 'x'"), SQLITE_CONSTRAINT);
  assert_int_equal(sql_rc(w, "DELETE FROM journal"), SQLITE_CONSTRAINT);
}

static bool has(const hm_str *list, size_t n, const char *z) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_is(list[i], z)) return true;
  return false;
}

#define MEMORY(id, text)                                                                           \
  "{\"id\":\"" id "\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"content\":\"" text "\"}"
#define STATE(id, key, value)                                                                      \
  "{\"id\":\"" id "\",\"project\":\"p\",\"key\":\"" key "\",\"value\":" value "}"

/* --- where it is taken out ----------------------------------------------------- */

static void out_of_a_memory_and_its_conflict(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, STATE("s1", "admin password", "\"other\""));
  add(w, HM_MEMORY, MEMORY("m1", "admin password is " IN_JSON));
  const char *id = ask(w, "SELECT id FROM conflicts");
  assert_true(*id);
  hm_redacted r = redact(w, "m1", "");
  assert_true(has(r.rows, r.n_rows, "memory:m1") && has(r.changed, r.n_changed, "memory:m1"));
  assert_true(has(r.conflicts, r.n_conflicts, id) && has(r.quieted, r.n_quieted, id));
  assert_int_equal(r.n_others + r.n_unreached, 0);
  assert_false(r.is_short);
  expect_gone(w);
  expect_sound(w);
  assert_string_equal(ask(w, "SELECT content || ' ' || status FROM memories"), MARK " invalid");
  assert_string_equal(
      ask(w,
          "SELECT value_detected || '|' || value_normal FROM conflict_members WHERE member_id = 'm1'"),
      MARK "|");
  assert_string_equal(ask(w, "SELECT value_detected FROM conflict_members WHERE member_id = 's1'"),
                      "other");
  assert_string_equal(
      ask(w,
          "SELECT actor || ' ' || at || ' ' || why FROM journal WHERE verb = 'redact' AND after IS NULL"),
      hm_str_fmt(w->a,
                 "kim 2026-06-01T10:00:00Z leaked; taken out of journal lines 2-4; of conflicts %s",
                 id)
          .p);
  assert_int_equal(r.n_lines, 3);   /* add, open, redact */
}

static void out_of_a_property(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_ENTITY,
      "{\"id\":\"e1\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"box\",\"description\":\"opens by " IN_JSON
      "\","
      "\"properties\":{\"component_name\":\"box\",\"api key\":\"" IN_JSON "\",\"mass\":\"4 kg\"}}");
  add(w, HM_ENTITY,
      "{\"id\":\"e2\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"box\",\"properties\":{\"component_name\":\"box\",\"mass\":\"5 kg\"}}");
  hm_redacted r;
  assert_int_equal(try_redact(w, "e1", "", "leaked", false, false, &r), -1);
  assert_int_equal(w->err.code, HM_E_INPUT);
  assert_string_equal(w->err.field, "field");
  assert_non_null(strstr(w->err.fix, "component_name, api key, mass, name, description"));
  assert_int_equal(try_redact(w, "e1", "nothing", "leaked", false, false, &r), -1);
  redact(w, "entity:e1", "api key");
  expect_gone(w);
  expect_sound(w);
  assert_string_equal(ask(w, "SELECT status FROM entities WHERE id = 'e1'"), "active");
  assert_string_equal(ask(w, "SELECT properties ->> '$.mass' FROM entities WHERE id = 'e1'"),
                      "4 kg");
  assert_string_equal(ask(w, "SELECT properties ->> '$.\"api key\"' FROM entities WHERE id = 'e1'"),
                      MARK);
  assert_string_equal(ask(w, "SELECT description FROM entities WHERE id = 'e1'"),
                      "opens by " MARK); /* the row has it nowhere */
  assert_string_equal(ask(w, "SELECT status FROM conflicts"),
                      "open"); /* of the masses, which disagree still */
}

static void out_of_values_that_are_no_text(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, STATE("s1", "pin", "12345678"));
  add(w, HM_STATE, STATE("s2", "pins", "[\"Hunter2-a\",\"Hunter2-b\"]"));
  redact(w, "s1", "");
  assert_string_equal(
      ask(w, "SELECT value || value_kind || status FROM project_state WHERE id = 's1'"),
      MARK "textinvalid");
  assert_false(in_file(w, "12345678"));
  redact(w, "project_state:s2", "value");
  expect_gone(w);
  expect_sound(w);
}

static void out_of_lists_and_names(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_MEMORY,
      "{\"id\":\"m1\",\"memory_type\":\"episodic\",\"content\":\"a night\",\"tags\":[\"x\",\"Hunter2\"],\"source_refs\":[\"chat:Hunter2\"]}");
  redact(w, "m1", "tags");
  assert_string_equal(ask(w, "SELECT tags FROM memories"), "[\"" MARK "\"]");
  assert_string_equal(ask(w, "SELECT source_refs FROM memories"), "[\"chat:" MARK "\"]");
  assert_string_equal(ask(w, "SELECT content || status FROM memories"), "a nightactive");
  expect_gone(w);
  expect_sound(w);
}

static void out_of_verdicts(void **state) {
  world *w = *state;
  hm_review r = review();
  hm_verdict_report report = { 0 };
  create(w);
  add(w, HM_STATE, STATE("s1", "gain", "\"4\""));
  add(w, HM_MEMORY, MEMORY("m1", "gain is 5"));
  add(w, HM_MEMORY, MEMORY("m2", "password: " IN_JSON));
  hm_str id = hm_str_c(ask(w, "SELECT id FROM conflicts"));
  ok(w,
     hm_review_dismiss(w->s, &r, id, HM_STR("Kim logged in with " SECRET " and looked."), w->a,
                       &report, &w->err));
  hm_redacted out = redact(w, "m2", "");
  assert_true(has(out.conflicts, out.n_conflicts, id.p));
  assert_string_equal(ask(w, "SELECT resolution FROM conflicts"),
                      "Kim logged in with " MARK " and looked.");
  assert_string_equal(ask(w, "SELECT why FROM journal WHERE verb = 'dismiss'"),
                      "Kim logged in with " MARK " and looked.");
  assert_string_equal(ask(w, "SELECT value_detected FROM conflict_members WHERE member_id = 'm1'"),
                      "5");
  expect_gone(w);
  expect_sound(w);
}

/* "prefers A over B" is a slot that is named after both. */
static void out_of_the_name_of_a_slot(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_MEMORY,
      "{\"id\":\"m1\",\"memory_type\":\"preference\",\"content\":\"prefers Hunter2zz over tabs\"}");
  add(w, HM_MEMORY,
      "{\"id\":\"m2\",\"memory_type\":\"preference\",\"content\":\"prefers tabs over Hunter2zz\"}");
  const char *id = ask(w, "SELECT id FROM conflicts");
  hm_redacted r = redact(w, "m1", "");
  assert_true(has(r.others, r.n_others, "memory:m2"));
  assert_non_null(
      strstr(ask(w, "SELECT slot_key FROM conflicts"), "hunter2zz")); /* m2 says it still */
  r = redact(w, "m2", "");
  assert_string_equal(ask(w, "SELECT slot_key FROM conflicts"),
                      hm_str_fmt(w->a, "[\"\",\"preference\",\"redacted_%s\"]", id).p);
  expect_gone(w);
  expect_sound(w);
}

static void out_of_journal_lines_in_any_spelling(void **state) {
  world *w = *state;
  int64_t lines, bad;
  create(w);
  add(w, HM_MEMORY, MEMORY("m1", "password: " IN_JSON));
  /* another program wrote a line, with escapes of its own and a hash that fits nothing */
  sql(w,
      "INSERT INTO journal (seq, at, actor, verb, ref, after, hash) VALUES (2, 'x', 'y', 'edit', 'memory:m1',"
      " '{\"kind\":\"memory\",\"id\":\"m1\",\"content\":\"password: \\u0048unter2\\u0022\\u00e9\\u003cb\\u003e\"}', 'z')");
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(bad, 2);
  hm_redacted r = redact(w, "m1", "");
  assert_int_equal(r.broken, 2);
  assert_false(in_file(w, "unter2"));
  assert_non_null(strstr(ask(w, "SELECT why FROM journal ORDER BY seq DESC LIMIT 1"),
                         "line 2 did not fit its chain before"));
  expect_sound(w);
}

/* --- what is left alone ---------------------------------------------------------- */

static void other_rows_are_listed(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, STATE("s1", "admin password", "\"other\""));
  add(w, HM_MEMORY, MEMORY("m1", "admin password is " IN_JSON));
  add(w, HM_MEMORY, MEMORY("m2", "admin password is " IN_JSON));
  add(w, HM_MEMORY, MEMORY("m3", "Somebody wrote " IN_JSON " on the wall"));
  import(w, "{\"kind\":\"project\",\"id\":\"q\",\"description\":\"see " IN_JSON "\"}\n");
  hm_redacted r = redact(w, "m1", "");
  assert_int_equal(r.n_others, 3);
  assert_true(has(r.others, r.n_others, "memory:m2") && has(r.others, r.n_others, "memory:m3") &&
              has(r.others, r.n_others, "project:q"));
  assert_string_equal(ask(w, "SELECT content FROM memories WHERE id = 'm2'"),
                      "admin password is " SECRET);
  assert_string_equal(ask(w, "SELECT value_detected FROM conflict_members WHERE member_id = 'm2'"),
                      SECRET);
  assert_string_equal(ask(w, "SELECT value_detected FROM conflict_members WHERE member_id = 'm1'"),
                      MARK);
  assert_string_equal(
      ask(w, "SELECT count(*) FROM journal WHERE ref = 'memory:m1' AND after LIKE '%unter2%'"),
      "0");
  assert_string_equal(
      ask(w, "SELECT count(*) FROM journal WHERE ref = 'memory:m2' AND after LIKE '%unter2%'"),
      "1");
  expect_sound(w);
  /* one that no longer holds it is a quotation only */
  edit(w, "m2", "{\"content\":\"admin password is changed\"}");
  edit(w, "m3", "{\"content\":\"The wall was painted over\"}");
  sql(w, "UPDATE projects SET description = NULL");
  hm_redacted again;
  assert_int_equal(try_redact(w, "m1", "", "leaked", false, false, &again), -1);
  assert_int_equal(w->err.code, HM_E_STATE);
  ok(w, try_redact(w, "m2", "", "leaked", true, false, &again));
  assert_string_equal(ask(w, "SELECT content FROM memories WHERE id = 'm2'"),
                      "admin password is changed");
  assert_string_equal(ask(w, "SELECT status FROM memories WHERE id = 'm2'"), "active");
  expect_gone(w);
  expect_sound(w);
}

static void short_values_are_taken_out_of_the_row_alone(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, STATE("s1", "gain", "\"7\""));
  add(w, HM_STATE, STATE("s2", "gain", "\"8\""));
  add(w, HM_STATE, STATE("s3", "other", "\"7\""));
  hm_redacted r = redact(w, "s1", "");
  assert_true(r.is_short);
  assert_int_equal(r.n_others, 0);
  assert_int_equal(r.values.n, 0);
  assert_string_equal(ask(w, "SELECT value FROM project_state WHERE id = 's3'"), "7");
  assert_string_equal(ask(w, "SELECT value_detected FROM conflict_members WHERE member_id = 's1'"),
                      MARK);
  assert_string_equal(ask(w, "SELECT value_detected FROM conflict_members WHERE member_id = 's2'"),
                      "8");
  assert_string_equal(
      ask(w,
          "SELECT count(*) FROM journal WHERE after LIKE '%\"value\":\"7\"%' AND ref <> 'project_state:s3'"),
      "0");
  expect_sound(w);
}

/* A line of a conflict with many members has a digest of those that it leaves out. */
static void digests_of_members_do_not_give_a_short_value_away(void **state) {
  world *w = *state;
  enum { N = 20 };
  create(w);
  for (int i = 1; i <= N; i++)
    add(w, HM_STATE, hm_str_fmt(w->a, STATE("s%d", "gain", "\"%d\""), i, i).p);
  const char *digests = "SELECT group_concat(seq) FROM journal WHERE seq < 40"
                        " AND length(after ->> '$.rest.sha256') = 64";
  assert_string_equal(ask(w, digests), "33,35,37,39");
  /* The digests of before it came are of others. */
  redact(w, "s19", "");
  assert_string_equal(ask(w, digests), "33,35");
  expect_sound(w);
  redact(w, "s1", "");
  assert_string_equal(ask(w, digests), "");
  expect_sound(w);
}

static void an_id_is_no_place_to_take_it_from(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_MEMORY, MEMORY("of-Hunter2x", "password: Hunter2x"));
  hm_redacted r = redact(w, "memory:of-Hunter2x", "");
  assert_int_equal(r.n_unreached, 1);
  assert_true(hm_str_is(hm_redact_shown(&r, r.unreached[0], w->a), "memory:of-[redacted]"));
  expect_sound(w);
}

/* --- what is refused ----------------------------------------------------------------- */

static void refusals(void **state) {
  world *w = *state;
  hm_redacted out;
  create(w);
  add(w, HM_MEMORY, MEMORY("m1", "password: " IN_JSON));
  static const struct {
    const char *row, *field, *reason, *at;
    bool earlier;
    hm_code code;
  } cases[] = { { "m1", "", "", "reason", false, HM_E_INPUT },
                { "m1", "", " \n", "reason", false, HM_E_INPUT },
                { "m1", "", "two\nlines", "reason", false, HM_E_INPUT },
                { "m1", "", "it was password: " SECRET, "reason", false, HM_E_INPUT },
                { "m9", "", "leaked", "", false, HM_E_UNKNOWN },
                { "m1", "id", "leaked", "field", false, HM_E_INPUT },
                { "m1", "scope", "leaked", "", false, HM_E_STATE },
                { "m1", "", "leaked", "", true, HM_E_STATE } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    w->err = (hm_err){ 0 };
    assert_int_equal(
        try_redact(w, cases[i].row, cases[i].field, cases[i].reason, cases[i].earlier, false, &out),
        -1);
    assert_int_equal(w->err.code, cases[i].code);
    if (cases[i].code == HM_E_INPUT) assert_string_equal(w->err.field, cases[i].at);
    char line[2048];
    hm_err_format_line(&w->err, line, sizeof line);
    assert_null(strstr(line, "Hunter2"));
  }
  assert_string_equal(ask(w, "SELECT content FROM memories"), "password: " SECRET);
  assert_string_equal(ask(w, "SELECT count(*) FROM journal"), "1");
  redact(w, "m1", "");
  assert_int_equal(try_redact(w, "m1", "", "leaked", false, false, &out), -1);
  assert_int_equal(w->err.code, HM_E_STATE);
}

static void a_dry_run_changes_no_byte(void **state) {
  world *w = *state;
  hm_redacted out;
  create(w);
  add(w, HM_STATE, STATE("s1", "admin password", "\"other\""));
  add(w, HM_MEMORY, MEMORY("m1", "admin password is " IN_JSON));
  hm_str before = file_bytes(w);
  ok(w, try_redact(w, "m1", "", "leaked", false, true, &out));
  assert_int_equal(out.n_conflicts, 1);
  assert_int_equal(out.n_lines, 3);
  assert_true(hm_str_eq(before, file_bytes(w)));
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
  const struct CMUnitTest tests[] = {
    T(out_of_a_memory_and_its_conflict),
    T(out_of_a_property),
    T(out_of_values_that_are_no_text),
    T(out_of_lists_and_names),
    T(out_of_verdicts),
    T(out_of_the_name_of_a_slot),
    T(out_of_journal_lines_in_any_spelling),
    T(other_rows_are_listed),
    T(short_values_are_taken_out_of_the_row_alone),
    T(digests_of_members_do_not_give_a_short_value_away),
    T(an_id_is_no_place_to_take_it_from),
    T(refusals),
    T(a_dry_run_changes_no_byte),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
