/* Rules in SQL that are not run again: after any edit the findings with what the sweep before
 * recorded are those without; and a rule whose columns did not change does not run. */
#include "core_detect_help.h"
#include "core/detect/sql_rule.h"

enum { ROWS = 40, EDITS = 150 };

/* What each reads, besides the ref of its rows. */
static const char *const SELECTS[] = {
  "SELECT ref AS row FROM entities WHERE name = 'a'",
  "SELECT ref AS row, properties FROM entities",
  "SELECT ref AS row FROM rows WHERE text = 'b' OR status = 'superseded'",
  "SELECT x.ref AS row1, y.ref AS row2 FROM entities AS x JOIN entities AS y ON y.name = x.name"
  " AND y.ref > x.ref",
  "SELECT row FROM (SELECT ref AS row, name AS text FROM entities) NATURAL JOIN"
  " (SELECT content AS text FROM memories)",
  "SELECT ref AS row FROM (SELECT ref, valid_from FROM rows) NATURAL JOIN"
  " (SELECT valid_from, valid_until FROM rows)",
  "SELECT 'entity:e1' AS row, count(*) AS n FROM memories",
  "SELECT 'entity:e1' AS row, max(rowid) AS n FROM relations",
  "SELECT r.ref AS row FROM relations AS r JOIN rows AS g ON g.ref = r.to_ref AND g.name = 'a'"
  " WHERE r.certain_from < now_first OR r.certain_from > 5",
  "SELECT ref AS row, sources, confidence FROM rows WHERE superseded_by IS NOT NULL",
  "SELECT ref AS row FROM memories AS m WHERE EXISTS (SELECT 1 FROM projects WHERE name = m.content)",
  "SELECT src AS row FROM links WHERE dst IN (SELECT ref FROM rows WHERE type = 'a')",
  "SELECT * FROM (SELECT ref AS row, world, possible_until FROM relations)",
  "SELECT ref AS row FROM rows WHERE (kind, project) IN (SELECT kind, project FROM rows"
  " GROUP BY 1, 2 HAVING count(*) > 3 AND sum(hand_authored) > 0)",
  "SELECT ref AS row, existed_from, existed_until FROM entities",
  "SELECT ref AS row, certain_until, possible_from FROM relations",
  "SELECT ref AS row FROM rows WHERE kind = 'relation' AND certain_from < certain_until",
};
enum { RULES = HM_COUNT(SELECTS) };

static hm_str word(unsigned *seed) {
  static const char *const words[] = { "", "a", "a", "b", "2020", "[\"a\"]" };
  return hm_str_c(words[(unsigned)rand_r(seed) % HM_COUNT(words)]);
}

static hm_str type(unsigned *seed) {
  static const char *const types[] = { "", "a", "b", "RULES", "SPOUSE_OF", "EXISTED_DURING" };
  return hm_str_c(types[(unsigned)rand_r(seed) % HM_COUNT(types)]);
}

static hm_str ref(unsigned *seed) {
  static const char *const refs[] = { "", "e0", "e1", "entity:e2" };
  return hm_str_c(refs[(unsigned)rand_r(seed) % HM_COUNT(refs)]);
}

static hm_str props(unsigned *seed) {
  static const char *const all[] = { "", "{\"a\":1}", "{\"world\":\"a\"}", "{\"world\":\"b\"}",
                                     "{\"born\":\"1900\"}", "{\"died\":\"2030\"}",
                                     "{\"closed\":\"2040\"}",
                                     "{\"died\":\"2025\",\"born\":\"1930\"}",
                                     "{\"start_time\":\"2021\",\"end_time\":\"2035\"}" };
  return hm_str_c(all[(unsigned)rand_r(seed) % HM_COUNT(all)]);
}

/* Another value of some column of some row; or a row that comes or goes. */
static void edit(hm_row *rows, size_t *n, hm_row_detail *details, unsigned *seed) {
  size_t at = (size_t)rand_r(seed) % *n;
  hm_row *r = &rows[at];
  hm_row_detail *d = &details[at];
  hm_str *const columns[] = { &r->name, &r->text, &r->valid_from, &r->valid_until,
                              &d->source_refs, &d->confidence, &r->superseded_by, &r->from,
                              &r->to };
  enum { WORDS = HM_COUNT(columns) - 3 };
  unsigned what = (unsigned)rand_r(seed) % (HM_COUNT(columns) + 6);
  if (what < HM_COUNT(columns)) *columns[what] = what < WORDS ? word(seed) : ref(seed);
  else if (what == HM_COUNT(columns)) r->status = rand_r(seed) % 2 ? HM_ACTIVE : HM_SUPERSEDED;
  else if (what == HM_COUNT(columns) + 1) r->project = (uint32_t)rand_r(seed) % 2;
  else if (what == HM_COUNT(columns) + 2) d->hand_authored = rand_r(seed) % 2;
  else if (what == HM_COUNT(columns) + 3) r->props = props(seed);
  else if (what == HM_COUNT(columns) + 4) r->type = type(seed);
  else if (*n == ROWS) --*n;
  else ++*n;
}

static hm_snapshot *snapshot_of(hm_arena *a, const hm_row *rows, size_t n,
                                const hm_row_detail *details) {
  static const char *const projects[] = { "", "a" };
  hm_snapshot *s = help_snapshot(a, projects, 2, rows, n);
  s->details = hm_alloc_array(a, n, sizeof *s->details);
  for (size_t i = 0; i < n; i++) /* rows were sorted */
    for (size_t k = 0; k < n; k++)
      if (rows[k].layer == s->rows[i].layer && hm_str_eq(rows[k].id, s->rows[i].id))
        s->details[i] = details[k];
  s->now = 1000;
  return s;
}

static void make_rules(hm_arena *a, hm_sql_rule *rules) {
  static const char head[] = "-- id: %zu\n-- description: It is wrong.\n-- reads: entities,"
                             " relations, memories, rows, links, projects, project_state\n\n";
  hm_err err;
  for (size_t i = 0; i < RULES; i++) {
    hm_buf b = { 0 };
    const char *now = strstr(SELECTS[i], "now_first");
    hm_buf_fmt(&b, head, i + 10);
    if (now) hm_buf_add(&b, SELECTS[i], (size_t)(now - SELECTS[i]));
    hm_buf_c(&b, now ? "time_first(now())" : SELECTS[i]);
    if (hm_sql_rule_parse(a, hm_buf_take(&b, a), "x.sql", &rules[i], &err))
      fail_msg("%s: %s", err.what, err.why);
  }
}

static hm_sql_result run(hm_arena *a, const hm_sql_rule *rules, hm_snapshot *snap,
                         const hm_sql_result *before) {
  const hm_sql_rules all = { (hm_sql_rule *)rules, RULES };
  const hm_sql_facts facts = { .snap = snap, .rules = hm_rules_default() };
  hm_sql_result out;
  hm_sql_rules_run(&all, &facts, before ? before->records : NULL, before ? before->n_records : 0,
                   true, NULL, 2, a, &out);
  for (size_t i = 0; i < RULES; i++)
    if (out.runs[i].failed) fail_msg("%s: %s", SELECTS[i], out.runs[i].why);
  hm_findings_sort(out.findings, out.n);
  return out;
}

static void random_edits(void **state) {
  const char *given = getenv("HM_SEED");
  unsigned first = given ? (unsigned)atoi(given) : (unsigned)time(NULL), seed = first;
  hm_arena *a = hm_arena_new();
  hm_sql_rule rules[RULES];
  hm_row rows[ROWS];
  hm_row_detail details[ROWS] = { 0 };
  hm_sql_result before;
  size_t n = ROWS - 1, reused = 0, ran = 0;
  (void)state;
  make_rules(a, rules);
  for (size_t i = 0; i < ROWS; i++)
    rows[i] = (hm_row){ .layer = (hm_layer)(HM_MEMORY + i % 4), .status = HM_ACTIVE,
                        .id = hm_str_fmt(a, "e%zu", i / 4), .name = word(&seed),
                        .text = word(&seed), .type = type(&seed), .valid_from = word(&seed),
                        .from = ref(&seed), .to = ref(&seed) };
  before = run(a, rules, snapshot_of(a, rows, n, details), NULL);
  for (int i = 0; i < EDITS; i++) {
    for (int k = rand_r(&seed) % 3; k >= 0; k--) edit(rows, &n, details, &seed);
    hm_snapshot *snap = snapshot_of(a, rows, n, details);
    hm_sql_result fresh = run(a, rules, snap, NULL), now = run(a, rules, snap, &before);
    if (!hm_findings_equal(fresh.findings, fresh.n, now.findings, now.n))
      fail_msg("seed %u: after edit %d the rules find something else", first, i);
    for (size_t k = 0; k < RULES; k++) reused += now.runs[k].reused, ran += !now.runs[k].reused;
    before = now;
  }
  assert_true(reused > ran);   /* most edits concern few rules */
  assert_true(ran > EDITS / 4);
  hm_arena_free(a);
}

/* Another value of a state, then another name of an entity: only rules that read it run. */
static void columns_that_did_not_change(void **state) {
  hm_arena *a = hm_arena_new();
  hm_sql_rule rules[RULES];
  hm_row_detail details[2] = { 0 };
  hm_row rows[] = { help_state("s1", "area", 1, "mass", "3 kg"),
                    help_entity("e1", "Part", 1, "a", "{}") };
  (void)state;
  make_rules(a, rules);
  hm_sql_result before = run(a, rules, snapshot_of(a, rows, 2, details), NULL);
  rows[0].text = HM_STR("4 kg");
  hm_sql_result now = run(a, rules, snapshot_of(a, rows, 2, details), &before);
  for (size_t i = 0; i < RULES; i++)
    assert_int_equal(now.runs[i].reused, !strstr(SELECTS[i], "text = 'b'"));
  rows[1].name = HM_STR("b");
  now = run(a, rules, snapshot_of(a, rows, 2, details), &now);
  for (size_t i = 0; i < RULES; i++)
    assert_int_equal(now.runs[i].reused,
                     !strstr(SELECTS[i], "name") || strstr(SELECTS[i], "projects"));
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_edits),
    cmocka_unit_test(columns_that_did_not_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
