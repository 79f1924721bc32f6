/* What sweeps write, the journal's chain, counts. */
#include "core/record/record_edit.h"
#include "core/record/records.h"
#include "tests/unit/core_store_help.h"

static const hm_actor WHO = { .by = { "sweeper", 7 }, .at = { "2026-05-01T00:00:00Z", 20 } };

static hm_member_rec member(hm_layer layer, const char *id, const char *value, bool flagged,
                            const char *with) {
  return (hm_member_rec){ .layer = layer,
                          .id = hm_str_c(id),
                          .field = HM_STR("value"),
                          .value = hm_str_c(value),
                          .normal = hm_str_c(value),
                          .flagged = flagged,
                          .conflicts_with = hm_str_c(with) };
}

static hm_conflict_rec conflict(const char *id, hm_member_rec *members, size_t n) {
  return (hm_conflict_rec){ .id = hm_str_c(id),
                            .slot_kind = HM_STR("cross_layer"),
                            .slot_key = HM_STR("[\"p\",\"k\"]"),
                            .project = HM_STR("p"),
                            .rule = HM_STR("slot"),
                            .rule_version = 1,
                            .resolution = HM_EMPTY,
                            .detected_at = HM_EMPTY,
                            .resolved_at = HM_EMPTY,
                            .resolved_by = HM_EMPTY,
                            .action = HM_EMPTY,
                            .winner = HM_EMPTY,
                            .members = members,
                            .n_members = n };
}

static void put_conflict(void **state) {
  world *w = *state;
  hm_member_rec m[] = { member(HM_STATE, "s", "1", false, ""),
                        member(HM_ENTITY, "e", "2", true, "project_state:s"),
                        member(HM_MEMORY, "m", "3", true, "project_state:s") };
  hm_conflict_rec c = conflict("c1", m, 2);
  create(w);
  ok(w, hm_store_put_conflict(w->s, &c, &WHO, &w->err));
  assert_string_equal(ask(w, "SELECT detected_at || status || slot_kind FROM conflicts"),
                      "2026-05-01T00:00:00Zopencross_layer");
  assert_string_equal(ask(w, "SELECT verb || ref FROM journal"), "openconflict:c1");
  /* The same again: nothing. */
  ok(w,
     hm_store_put_conflict(w->s, &c, &(hm_actor){ .by = HM_STR("x"), .at = HM_STR("2027") },
                           &w->err));
  assert_string_equal(ask(w, "SELECT count(*) FROM journal"), "1");
  assert_string_equal(ask(w, "SELECT detected_at FROM conflicts"), "2026-05-01T00:00:00Z");
  /* A member comes, another goes: it stays without its flag. */
  hm_member_rec later[] = { m[0], m[2] };
  hm_conflict_rec d = conflict("c1", later, 2);
  d.slot_kind = HM_STR("state_slot");
  d.status = HM_DISMISSED;
  ok(w, hm_store_put_conflict(w->s, &d, &WHO, &w->err));
  assert_string_equal(ask(w, "SELECT status || slot_kind FROM conflicts"),
                      "openstate_slot"); /* verdicts are not a sweep's */
  assert_string_equal(
      ask(w,
          "SELECT group_concat(member_id || flagged || coalesce(conflicts_with, '-')) FROM (SELECT * FROM conflict_members ORDER BY member_id)"),
      "e0-,m1project_state:s,s0-");
  assert_string_equal(ask(w, "SELECT verb FROM journal WHERE seq = 2"), "update");
  assert_non_null(strstr(ask(w, "SELECT before FROM journal WHERE seq = 2"), "\"cross_layer\""));
  assert_non_null(strstr(ask(w, "SELECT after FROM journal WHERE seq = 2"), "\"state_slot\""));
  hm_snapshot *s = snapshot(w, true);
  assert_int_equal(s->conflicts[0].n_members, 3);
}

static void one_open_conflict_an_anchor(void **state) {
  world *w = *state;
  hm_conflict_rec c1 = conflict("c1", NULL, 0), c2 = conflict("c2", NULL, 0),
                  c3 = conflict("c3", NULL, 0);
  c1.anchor = c2.anchor = c3.anchor = HM_STR("memory:m#content");
  create(w);
  ok(w, hm_store_put_conflict(w->s, &c1, &WHO, &w->err));
  assert_int_equal(hm_store_put_conflict(w->s, &c2, &WHO, &w->err), -1);
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"), "1");
  /* A slot can be settled more than once, in the same way. */
  sql(w,
      "UPDATE conflicts SET status='dismissed', resolved_at='2026-05-01T00:00:00Z', resolution='not real' WHERE id='c1'");
  ok(w, hm_store_put_conflict(w->s, &c2, &WHO, &w->err));
  sql(w, "UPDATE conflicts SET status='dismissed' WHERE id='c2'");
  ok(w, hm_store_put_conflict(w->s, &c3, &WHO, &w->err));
  assert_int_equal(sql_rc(w, "UPDATE conflicts SET status='open' WHERE id='c1'"),
                   SQLITE_CONSTRAINT);
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"), "3");
  hm_conflict_rec c4 = conflict("c4", NULL, 0);
  c4.anchor = HM_STR("memory:m2#content");
  ok(w, hm_store_put_conflict(w->s, &c4, &WHO, &w->err));
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts WHERE status = 'open'"), "2");
}

/* From open to merged and back; a verdict stays. */
static void a_conflict_is_merged_and_open_again(void **state) {
  world *w = *state;
  hm_conflict_rec c = conflict("c1", NULL, 0);
  create(w);
  ok(w, hm_store_put_conflict(w->s, &c, &WHO, &w->err));
  c.status = HM_MERGED;
  c.merged_into = HM_STR("c2");
  c.window_from = HM_STR("2026-01-01T00:00:00Z");
  ok(w, hm_store_put_conflict(w->s, &c, &WHO, &w->err));
  assert_string_equal(ask(w, "SELECT status || merged_into || window_from FROM conflicts"),
                      "mergedc22026-01-01T00:00:00Z");
  c.status = HM_OPEN;
  c.merged_into = HM_EMPTY;
  ok(w, hm_store_put_conflict(w->s, &c, &WHO, &w->err));
  assert_string_equal(ask(w, "SELECT status || coalesce(merged_into, 'none') FROM conflicts"),
                      "opennone");
  sql(w, "UPDATE conflicts SET status='dismissed'");
  c.status = HM_MERGED;
  ok(w, hm_store_put_conflict(w->s, &c, &WHO, &w->err));
  assert_string_equal(ask(w, "SELECT status FROM conflicts"), "dismissed");
}

static void members_go_with_their_conflict(void **state) {
  world *w = *state;
  hm_member_rec m[] = { member(HM_STATE, "s", "1", false, "") };
  hm_conflict_rec c = conflict("c1", m, 1);
  create(w);
  ok(w, hm_store_put_conflict(w->s, &c, &WHO, &w->err));
  sql(w, "PRAGMA foreign_keys=ON; DELETE FROM conflicts");
  assert_string_equal(ask(w, "SELECT count(*) FROM conflict_members"), "0");
}

static void inside_a_transaction(void **state) {
  world *w = *state;
  hm_conflict_rec c = conflict("c1", NULL, 0);
  create(w);
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w, hm_store_put_conflict(w->s, &c, &WHO, &w->err));
  hm_store_rollback(w->s);
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"), "0");
  ok(w, hm_store_put_conflict(w->s, &c, &WHO, &w->err));   /* the chain begins anew */
  int64_t lines, bad;
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(lines, 1);
  assert_int_equal(bad, 0);
}

static void findings(void **state) {
  world *w = *state;
  hm_str rows[] = { HM_STR("memory:m"), HM_STR("entity:\xff\"") };
  hm_finding f[] = {
    { .id = HM_STR("f2"),
      .kind = HM_STR("orphan"),
      .severity = HM_STR("warn"),
      .rule = HM_STR("r"),
      .project = HM_STR("p"),
      .rows = rows,
      .n_rows = 2,
      .message = HM_STR("m"),
      .expected = HM_STR("e"),
      .actual = HM_STR("a"),
      .reason = HM_STR("EXISTED_BEFORE") },
    { .id = HM_STR("f2"),
      .kind = HM_STR("orphan"),
      .severity = HM_STR("warn"),
      .rule = HM_STR("r"),
      .project = HM_STR("p"),
      .rows = rows,
      .n_rows = 1,
      .message = HM_STR("another"),
      .expected = HM_EMPTY,
      .actual = HM_EMPTY },
  };
  create(w);
  ok(w, hm_store_put_findings(w->s, f, 2, &w->err));
  hm_snapshot *s = snapshot(w, false);
  assert_int_equal(s->n_findings, 2);
  assert_int_equal(s->findings[0].n_rows, 2); /* the most rows first */
  assert_str(s->findings[0].rows[0], "memory:m");
  assert_str(s->findings[0].severity, "warn");
  assert_str(s->findings[0].reason, "EXISTED_BEFORE");
  assert_str(s->findings[1].message, "another");
  assert_int_equal(s->findings[1].reason.n, 0);
  const char *ids = ask(w, "SELECT group_concat(rowid) FROM findings");
  ok(w, hm_store_put_findings(w->s, f, 2, &w->err));
  assert_string_equal(ask(w, "SELECT group_concat(rowid) FROM findings"), ids);
  f[1].actual = HM_STR("x");
  ok(w, hm_store_put_findings(w->s, f, 2, &w->err));
  assert_string_equal(ask(w, "SELECT group_concat(actual) FROM findings"), "a,x");
  ok(w, hm_store_put_findings(w->s, f, 1, &w->err));
  assert_string_equal(ask(w, "SELECT count(*) FROM findings"), "1");
  ok(w, hm_store_put_findings(w->s, NULL, 0, &w->err));
  assert_string_equal(ask(w, "SELECT count(*) FROM findings"), "0");
}

/* The file's own counter of writes, in its header. */
static uint32_t changes(world *w) {
  unsigned char b[4];
  FILE *f = fopen(w->path, "rb");
  fseek(f, 24, SEEK_SET);
  assert_int_equal(fread(b, 1, 4, f), 4);
  fclose(f);
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void nothing_new_writes_nothing(void **state) {
  world *w = *state;
  hm_finding f = { .id = HM_STR("f"),
                   .kind = HM_STR("orphan"),
                   .severity = HM_STR("warn"),
                   .rule = HM_STR("r"),
                   .project = HM_EMPTY,
                   .message = HM_EMPTY,
                   .expected = HM_EMPTY,
                   .actual = HM_EMPTY };
  hm_member_rec m[] = { member(HM_STATE, "s", "", false, ""),
                        member(HM_ENTITY, "e", "2", true, "project_state:s") };
  hm_conflict_rec c = conflict("c1", m, 2);
  create(w);
  ok(w, hm_store_put_findings(w->s, &f, 1, &w->err));
  ok(w, hm_store_put_conflict(w->s, &c, &WHO, &w->err));
  import(w, "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"t\",\"content\":\"c\"}\n");
  uint32_t before = changes(w);
  ok(w, hm_store_put_findings(w->s, &f, 1, &w->err));
  ok(w, hm_store_put_conflict(w->s, &c, &WHO, &w->err));
  import(w, "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"t\",\"content\":\"c\"}\n");
  assert_int_equal(changes(w), before);
}

static void journal_is_append_only(void **state) {
  world *w = *state;
  create(w);
  import(w,
         "{\"kind\":\"link\",\"src\":\"a\",\"dst\":\"b\"}\n{\"kind\":\"project\",\"id\":\"p\"}\n");
  assert_int_equal(sql_rc(w, "UPDATE journal SET actor = 'x'"), SQLITE_CONSTRAINT);
  assert_int_equal(sql_rc(w, "DELETE FROM journal WHERE seq = 1"), SQLITE_CONSTRAINT);
  assert_int_equal(sql_rc(w, "INSERT OR REPLACE INTO journal VALUES (1,'','','','','','','','','')"),
                   SQLITE_CONSTRAINT);
  assert_string_equal(ask(w, "SELECT ref FROM journal WHERE seq = 1"), "link:a b related");
}

static void journal_shows_tampering(void **state) {
  static const struct { const char *change; int bad, lines;
  } cases[] = {
    { "SELECT 1", 0, 4 },
    { "UPDATE journal SET actor = 'x' WHERE seq = 2", 2, 4 },
    { "UPDATE journal SET after = NULL WHERE seq = 4", 4, 4 },
    { "UPDATE journal SET at = at || actor, actor = '' WHERE seq = 1", 1, 4 },
    { "DELETE FROM journal WHERE seq = 1", 2, 3 },
    { "DELETE FROM journal WHERE seq = 3", 4, 3 },
    { "UPDATE journal SET seq = 9 WHERE seq = 4", 9, 4 },
    { "UPDATE journal SET hash = '' WHERE seq = 3", 3, 4 },
  };
  world *w = *state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int64_t lines, bad;
    hm_store_close(w->s);
    w->s = NULL;
    unlink(w->path);
    create(w);
    import(w, "{\"kind\":\"project\",\"id\":\"a\"}\n{\"kind\":\"project\",\"id\":\"b\"}\n");
    import(
        w,
        "{\"kind\":\"project\",\"id\":\"a\",\"name\":\"x\"}\n{\"kind\":\"project\",\"id\":\"c\"}\n");
    sql(w, "DROP TRIGGER journal_no_update; DROP TRIGGER journal_no_delete");
    sql(w, cases[i].change);
    ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
    assert_int_equal(bad, cases[i].bad);
    assert_int_equal(lines, cases[i].lines);
  }
}

static void journal_says_why(void **state) {
  static const struct { const char *change; int bad;
  } cases[] = {
    { "SELECT 1", 0 },
    { "UPDATE journal SET why = 'mine' WHERE seq = 2", 2 },
    { "UPDATE journal SET why = NULL WHERE seq = 2", 2 },
    { "UPDATE journal SET why = 'added' WHERE seq = 1", 1 },
    { "UPDATE journal SET after = why, why = NULL WHERE seq = 2", 2 },
  };
  world *w = *state;
  hm_actor who = WHO;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int64_t lines, bad;
    hm_store_close(w->s);
    w->s = NULL;
    unlink(w->path);
    create(w);
    import(w, "{\"kind\":\"project\",\"id\":\"a\"}\n");
    who.why = HM_STR("measured");
    ok(w, hm_store_begin(w->s, true, &w->err));
    ok(w,
       hm_journal_add(w->s, &who, "restore", HM_STR("project:a"), HM_STR("x"), HM_EMPTY, &w->err));
    ok(w, hm_store_commit(w->s, &w->err));
    assert_string_equal(ask(w, "SELECT group_concat(coalesce(why, 'NULL')) FROM journal"),
                        "NULL,measured");
    sql(w, "DROP TRIGGER journal_no_update");
    sql(w, cases[i].change);
    ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
    assert_int_equal(bad, cases[i].bad);
  }
}

static void journal_by_hand(void **state) {
  world *w = *state;
  hm_str json;
  create(w);
  import(w, "{\"kind\":\"entity\",\"id\":\"e\",\"entity_type\":\"T\",\"name\":\"n\"}\n");
  ok(w, hm_journal_record_json(w->s, HM_STR("entity:e"), w->a, &json, &w->err));
  assert_str(
      json,
      "{\"kind\":\"entity\",\"id\":\"e\",\"entity_type\":\"T\",\"name\":\"n\",\"project\":\"\",\"status\":\"active\"}");
  static const char *const none[] = { "entity:x", "entity", "thing:e", "link:a", "", ":" };
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    ok(w, hm_journal_record_json(w->s, hm_str_c(none[i]), w->a, &json, &w->err));
    assert_str(json, "");
  }
  assert_int_equal(hm_journal_add(w->s, &WHO, "promote", HM_STR("entity:e"), json, json, &w->err),
                   -1);
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w,
     hm_journal_add(w->s, &WHO, "promote", HM_STR("entity:e"), HM_EMPTY, HM_STR("\0x"), &w->err));
  ok(w, hm_journal_add(w->s, &WHO, "promote", HM_STR("entity:e"), HM_EMPTY, HM_EMPTY, &w->err));
  ok(w, hm_store_commit(w->s, &w->err));
  int64_t lines, bad;
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(lines, 3);
  assert_int_equal(bad, 0);
}

static void counts(void **state) {
  world *w = *state;
  hm_store_counts n;
  bool sound;
  create(w);
  ok(w, hm_store_count(w->s, w->a, &n, &w->err));
  ok(w, hm_store_check(w->s, w->a, &sound, &w->err));
  assert_true(sound);
  assert_str(n.last_sweep, "");
  sql(w,
      "INSERT INTO memories (id, status) VALUES ('a','active'),('b','active'),('c','candidate'),('d','odd');"
      "INSERT INTO relations (id, status) VALUES ('r','superseded'); INSERT INTO projects (id) VALUES ('p');"
      "INSERT INTO links VALUES ('a','b','r'); INSERT INTO findings (id) VALUES ('f'), ('f');"
      "INSERT INTO conflicts (id, slot_key, status) VALUES ('c1','[]','open'),('c2','[]','resolved'),('c3','[]','resolved')");
  hm_sweep_run run = { .started_at = HM_STR("2026-01-01T00:00:00Z"),
                       .finished_at = HM_STR("2026-01-01T00:00:01Z"),
                       .duration_us = 5,
                       .rows = 6,
                       .claims = 7,
                       .slots = 8,
                       .opened = 9,
                       .updated = 10,
                       .findings = 11,
                       .rules = 12,
                       .disputed = 13,
                       .acknowledged = 14,
                       .kinds = HM_STR("{\"orphan\":11}") };
  hm_sweep_run last;
  hm_buf json = { 0 };
  hm_jw j;
  bool found;
  ok(w, hm_store_last_run(w->s, w->a, &last, &found, &w->err));
  assert_false(found);
  ok(w, hm_store_put_run(w->s, &run, &w->err));
  assert_string_equal(
      ask(w,
          "SELECT duration_us || ' ' || rows || ' ' || claims || ' ' || slots || ' ' || opened || ' ' || updated || ' ' || findings FROM sweep_runs"),
      "5 6 7 8 9 10 11");
  ok(w, hm_store_last_run(w->s, w->a, &last, &found, &w->err));
  assert_true(found);
  hm_jw_init(&j, &json, 0);
  hm_sweep_run_json(&j, NULL, &last);
  assert_string_equal(hm_buf_take(&json, w->a).p,
                      "{\"started_at\":\"2026-01-01T00:00:00Z\",\"finished_at\":\"2026-01-01T00:00:01Z\","
                      "\"duration_us\":5,\"rules\":12,\"rows\":6,\"claims\":7,"
                      "\"slots\":8,\"opened\":9,\"updated\":10,\"disputed_count\":13,\"findings\":11,"
                      "\"acknowledged\":14,\"findings_by_kind\":{\"orphan\":11}}");
  ok(w, hm_store_count(w->s, w->a, &n, &w->err));
  assert_int_equal(n.rows[HM_MEMORY][HM_ACTIVE], 2);
  assert_int_equal(n.rows[HM_MEMORY][HM_CANDIDATE], 1);
  assert_int_equal(n.rows[HM_MEMORY][HM_STATUS_OTHER], 1);
  assert_int_equal(n.rows[HM_RELATION][HM_SUPERSEDED], 1);
  assert_int_equal(n.rows[HM_ENTITY][HM_ACTIVE], 0);
  assert_int_equal(n.conflicts[HM_OPEN], 1);
  assert_int_equal(n.conflicts[HM_RESOLVED], 2);
  assert_int_equal(n.projects, 1);
  assert_int_equal(n.links, 1);
  assert_int_equal(n.findings, 2);
  assert_int_equal(n.sweeps, 1);
  assert_int_equal(n.journal, 0);
  assert_str(n.last_sweep, "2026-01-01T00:00:01Z");
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
/* As only another program could have left it. */
static void journal_at_its_end(void **state) {
  world *w = *state;
  hm_conflict_rec c = conflict("c1", NULL, 0);
  create(w);
  sql(w,
      "INSERT INTO journal (seq, at, actor, verb, ref, hash) VALUES (9223372036854775807, '', '', '', '', '')");
  assert_int_equal(hm_store_put_conflict(w->s, &c, &WHO, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_STORE);
  assert_non_null(strstr(line_of(w), "last number"));
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"), "0");
}

/* --- conflicts of many members in the journal ------------------------------------------- */

/* Ids come in no order, as digests do. Each member contradicts the first of the others. */
static void put_members(world *w, hm_conflict_rec *c, hm_member_rec *m, size_t n) {
  char id[20], value[20];
  snprintf(id, sizeof id, "s-%016llx", (unsigned long long)(n * UINT64_C(0x9E3779B97F4A7C15)));
  snprintf(value, sizeof value, "%zu rpm", n);
  m[n] = member(HM_STATE, hm_str_z(w->a, hm_str_dup(w->a, hm_str_c(id))),
                hm_str_z(w->a, hm_str_dup(w->a, hm_str_c(value))), true, "");
  qsort(m, ++n, sizeof *m, hm_member_order);
  for (size_t i = 0; n > 1 && i < n; i++)
    m[i].conflicts_with = hm_ref_text(w->a, HM_STATE, m[i == 0].id);
  c->n_members = n;
  ok(w, hm_store_put_conflict(w->s, c, &WHO, &w->err));
}

typedef struct {
  hm_arena *a;
  hm_json *record;
  size_t lines;
} journal_reader;

/* The whole record after each line; the others of a line are those that it counts and digests. */
static int read_whole(void *ctx, const hm_journal_line *l, hm_err *err) {
  journal_reader *r = ctx;
  (void)err;
  const hm_json *line = hm_json_parse_as(r->a, l->after, HM_JSON_OBJECT),
                *rest = hm_json_get(line, "rest"), *shown = hm_json_get(line, "members");
  r->record = hm_conflict_line_read(r->record, l->before, l->after, r->a);
  assert_null(hm_json_get(r->record, "rest"));
  if (rest) {
    char n[24];
    snprintf(n, sizeof n, "%zu", hm_json_get(r->record, "members")->count - shown->count);
    assert_str(hm_json_get(rest, "members")->text, n);
    assert_int_equal(hm_json_get_text(rest, "sha256").n, 64);
  }
  r->lines++;
  return 0;
}

static void expect_whole_record(world *w, size_t lines) {
  hm_cell cells[HM_MAX_FIELDS + 1];
  hm_record r;
  hm_record_place place = { .name = "journal", .err = &w->err };
  journal_reader read = { .a = w->a };
  hm_str now;
  ok(w, hm_journal_lines_of(w->s, HM_STR("conflict:c1"), read_whole, &read, &w->err));
  assert_int_equal(read.lines, lines);
  ok(w, hm_record_from_json(&place, read.record, &r, w->a));
  ok(w, hm_record_merge(&place, &r, NULL, cells));
  ok(w, hm_journal_record_json(w->s, HM_STR("conflict:c1"), w->a, &now, &w->err));
  assert_str(hm_record_json(&hm_kinds[HM_K_CONFLICT], cells, w->a), hm_str_z(w->a, now));
}

/* A value more costs the journal what came, not what is there. */
static void a_thousand_values_of_one_slot(void **state) {
  world *w = *state;
  enum { N = 1000 };
  hm_member_rec *m = hm_alloc_array(w->a, N, sizeof *m);
  hm_conflict_rec c = conflict("c1", m, 0);
  int64_t lines, bad;
  create(w);
  ok(w, hm_store_begin(w->s, true, &w->err));
  for (size_t n = 0; n < N; n++)
    put_members(w, &c, m, n);
  ok(w, hm_store_commit(w->s, &w->err));
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(lines, N);
  assert_int_equal(bad, 0);
  long size = atol(ask(w, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"));
  if (size >= 8000000) fail_msg("the store has %ld bytes", size);
  assert_string_equal(ask(w, "SELECT max(length(before) + length(after)) < 2000 FROM journal"
                             " WHERE seq = 1000"),
                      "1");
}

/* What an older program wrote stays: whole records, also of many members. */
static void old_lines_and_new_ones(void **state) {
  world *w = *state;
  hm_member_rec m[60];
  hm_conflict_rec c = conflict("c1", m, 0);
  create(w);
  for (size_t n = 0; n < 40; n++)
    put_members(w, &c, m, n);
  hm_str now;
  ok(w, hm_journal_record_json(w->s, HM_STR("conflict:c1"), w->a, &now, &w->err));
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w, hm_journal_add(w->s, &WHO, "update", HM_STR("conflict:c1"), HM_EMPTY, now, &w->err));
  ok(w, hm_store_commit(w->s, &w->err));
  for (size_t n = 40; n < 60; n++)
    put_members(w, &c, m, n);
  /* Members that leave the dispute stay recorded, and one that goes is told. */
  c.members = m + 50;
  c.n_members = 10;
  ok(w, hm_store_put_conflict(w->s, &c, &WHO, &w->err));
  expect_whole_record(w, 62);
}

/* A conflict that another program deleted is compared as the journal has it. */
static void a_deleted_conflict_is_as_the_journal_has_it(void **state) {
  world *w = *state;
  hm_member_rec m[40];
  hm_conflict_rec c = conflict("c1", m, 0);
  hm_column settled[] = { { "status", HM_STR("dismissed") }, { "resolution", HM_STR("no") } };
  create(w);
  put_members(w, &c, m, 0);
  put_members(w, &c, m, 1);
  hm_str first = export(w);
  import(w, first.p);
  for (size_t n = 2; n < 40; n++)
    put_members(w, &c, m, n);
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w, hm_store_set_columns(w->s, HM_STR("conflict:c1"), settled, 2, "dismiss", &WHO, w->a,
                             &w->err));
  ok(w, hm_store_commit(w->s, &w->err));
  hm_str before = export(w);
  sql(w, "DELETE FROM conflict_members; DELETE FROM conflicts");
  import(w, first.p);
  assert_int_equal(w->n.kept, 1);
  assert_str(export(w), before.p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    T(put_conflict),
    T(one_open_conflict_an_anchor),
    T(a_conflict_is_merged_and_open_again),
    T(members_go_with_their_conflict),
    T(inside_a_transaction),
    T(findings),
    T(nothing_new_writes_nothing),
    T(journal_is_append_only),
    T(journal_shows_tampering),
    T(journal_says_why),
    T(journal_by_hand),
    T(journal_at_its_end),
    T(a_thousand_values_of_one_slot),
    T(old_lines_and_new_ones),
    T(a_deleted_conflict_is_as_the_journal_has_it),
    T(counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
