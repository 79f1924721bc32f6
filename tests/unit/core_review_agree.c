/* Whatever is written, and by whom: after a write the recorded conflicts are those that a sweep
 * would record, and while they hold, so do the recorded answers. Random writes over
 * few slots, while now goes back and forth: times of rows are as random. */
#include <fcntl.h>
#include <sys/sendfile.h>
#include "tests/unit/core_review_agree_rows.h"
#include "tests/unit/core_store_realistic.h"
#include "tests/unit/core_base_thorough.h"

/* --- by hmirror -------------------------------------------------------------------- */

static bool write_row(play *p) {
  hm_review r = review_at(p);
  hm_written out;
  hm_layer l = (hm_layer)(1 + roll(p, 3));
  const char *record = l == HM_MEMORY ? memory(p) : l == HM_ENTITY ? entity(p) : state_record(p);
  return done(p, hm_review_add(p->w->s, &r, l, json(p->w, record), p->w->a, &out, &p->w->err),
              &out);
}

static bool edit_row(play *p) {
  char patch[700], properties[512];
  hm_review r = review_at(p);
  hm_written out;
  hm_layer l = (hm_layer)(1 + roll(p, 3));
  const char *ref = any(p, l, "status IN ('active', 'candidate')");
  if (!*ref) return false;
  unsigned what = roll(p, 5);
  if (what == 0) snprintf(patch, sizeof patch, "{\"project\":\"%s\"}", project(p));
  else if (what == 1) snprintf(patch, sizeof patch, "{\"status\":\"invalid\"}");
  else if (what == 2)
    snprintf(patch, sizeof patch, "{\"valid_from\":%s,\"valid_until\":null}",
             PICK(p, "null", "\"2026-02\"", "\"2027\""));
  else if (l == HM_MEMORY && what == 3)
    snprintf(patch, sizeof patch, "{\"polarity\":%s,\"scope\":%s}", PICK(p, "1", "-1", "null"),
             PICK(p, "null", "null", "\"git\""));
  else if (l == HM_MEMORY)
    snprintf(patch, sizeof patch, "{\"content\":\"%s\"}",
             PICK(p, "frame mass is 5 kg", "role: pilot", "x"));
  else if (l == HM_STATE) snprintf(patch, sizeof patch, "{\"value\":%s}", value(p));
  else if (what == 3)
    snprintf(patch, sizeof patch, "{\"name\":\"%s\",\"entity_type\":\"%s\"}", name(p), type(p));
  else
    snprintf(patch, sizeof patch, "{\"properties\":%s}", props(p, properties, sizeof properties));
  return done(
      p, hm_review_edit(p->w->s, &r, hm_str_c(ref), json(p->w, patch), p->w->a, &out, &p->w->err),
      &out);
}

static bool promote_row(play *p) {
  hm_review r = review_at(p);
  hm_written out;
  const char *ref = any(p, (hm_layer)(1 + roll(p, 3)), "status = 'candidate'");
  return *ref &&
      done(p, hm_review_promote(p->w->s, &r, hm_str_c(ref), p->w->a, &out, &p->w->err), &out);
}

static bool graduate_row(play *p) {
  hm_review r = review_at(p);
  hm_written out;
  const char *ref = any(p, HM_MEMORY, "status IN ('active', 'candidate')");
  return *ref &&
      done(p,
           hm_review_graduate(p->w->s, &r, hm_str_c(ref), json(p->w, entity(p)), p->w->a, &out,
                              &p->w->err),
           &out);
}

static bool hmirror_writes(play *p) {
  if (p->places) return write_nothing(p);
  if (p->verdicts && !roll(p, 5)) return gives_verdict(p);
  switch (roll(p, 12)) {
    case 0: case 1: case 2: case 3: case 4: return write_row(p);
    case 5: case 6: case 7: return edit_row(p);
    case 8: case 9: return promote_row(p);
    case 10: return graduate_row(p);
    default: return write_nothing(p);
  }
}

/* --- by others ----------------------------------------------------------------------- */

static void imports(play *p) {
  char line[1200];
  const char *rest = entity(p) + 1;
  snprintf(line, sizeof line, "{\"kind\":\"entity\",%s\n", rest);
  if (try_import(p->w, line))
    assert_int_equal(p->w->err.code, HM_E_INPUT); /* a window that an earlier bound makes empty */
}

/* No row has a later time any more: now goes back. */
static void forget_times(play *p, const char *after) {
  static const char *const tables[] = { "memories", "entities", "project_state", "relations" };
  static const char *const columns[] = { "created_at", "updated_at", "superseded_at" };
  hm_buf q = { 0 };
  for (int i = 0; i < 12; i++) {
    const char *table = tables[i / 3], *column = columns[i % 3];
    hm_buf_fmt(&q, "UPDATE %s SET %s = NULL WHERE %s > '%s';", table, column, column, after);
  }
  hm_buf_ch(&q, 0);
  sql(p->w, q.p);     /* a transaction each */
  hm_buf_free(&q);
}

/* Rows that get other times, or lose them; relations have times, too. */
static void moves_time(play *p) {
  char q[300];
  if (!roll(p, 2)) {
    forget_times(p, PICK(p, "2026-01-12", "2026-03", "2026-05-02", "2027"));
    return;
  }
  const char *table = PICK(p, "memories", "entities", "project_state", "relations");
  const char *column = PICK(p, "created_at", "updated_at", "superseded_at");
  unsigned at = roll(p, 40);
  if (!roll(p, 3))
    snprintf(
        q, sizeof q,
        "INSERT OR REPLACE INTO relations (id, type, updated_at) VALUES ('r%u', 'PART_OF', '%s')",
        at % 3, moment(p));
  else if (!roll(p, 4)) snprintf(q, sizeof q, "DELETE FROM relations");
  else
    snprintf(q, sizeof q,
             "UPDATE %s SET %s = '%s' WHERE id = (SELECT id FROM %s ORDER BY id LIMIT 1 OFFSET %u)",
             table, column, moment(p), table, at);
  sql(p->w, q);
}

/* A row that may contradict others, and that no sweep has seen. */
static void adds_row(play *p) {
  char q[300];
  snprintf(q, sizeof q,
           "INSERT OR REPLACE INTO project_state (id, project, key, value) VALUES ('o%u', '%s', '%s', '%s')",
           roll(p, 30), PICK(p, "p", "q", "alias"), PICK(p, "frame_mass", "material", "frame mass"),
           PICK(p, "A", "B", "3 kg", "5 kg"));
  sql(p->w, q);
}

/* A relation of a kind that claims, or of none, between entities that come and go. */
static void adds_relation(play *p) {
  char q[600];
  const char *from = PICK(p, "e1", "e2", "e3", "entity:e1", "e9", "nobody"),
             *to = PICK(p, "e1", "e2", "e3", "entity:e3", "e9", "memory:m1");
  snprintf(
      q, sizeof q,
      "INSERT OR REPLACE INTO relations (id, type, from_id, to_id, project, status, valid_from, valid_until, properties)"
      " VALUES ('l%u', '%s', '%s', '%s', '%s', '%s', %s, %s, '%s')",
      roll(p, 12),
      PICK(p, "POSSESSES", "spouse of", "SPOUSE_OF", "MEMBER_OF", "USES_MATERIAL", "REQUIRES",
           "PARENT_OF", "EXISTED_DURING"),
      from, to, PICK(p, "", "p", "q", "alias"), PICK(p, "active", "active", "active", "invalid"),
      PICK(p, "NULL", "NULL", "'2026-01'", "'2026-04-10T08:00:00Z'"),
      PICK(p, "NULL", "NULL", "'2026-05'", "'2027'"),
      PICK(p, "{}", "{}", "{\"role\":\"bond\"}", "{\"role\":\"other\"}"));
  sql(p->w, q);
}

/* Places that lie in each other, for a time perhaps, in circles too; and that come and go. */
static void moves_place(play *p) {
  static const char *const ids[] = { "p0", "p1", "p2", "p3", "p4", "p5", "entity:p1", "entity:p3" };
  char q[600];
  if (!roll(p, 6))
    snprintf(
        q, sizeof q,
        roll(p, 3)
            ? "INSERT OR IGNORE INTO entities (id, entity_type, name, project) VALUES ('%s', 'Place', 'x', 'p')"
            : "DELETE FROM entities WHERE id = '%s'",
        ids[roll(p, 6)]);
  else if (!roll(p, 8)) snprintf(q, sizeof q, "DELETE FROM relations WHERE id = 'l%u'", roll(p, 9));
  else
    snprintf(
        q, sizeof q,
        "INSERT OR REPLACE INTO relations (id, type, from_id, to_id, project, status, valid_from, valid_until, source_refs)"
        " VALUES ('l%u', '%s', '%s', '%s', 'p', '%s', %s, %s, '[\"%s\"]')",
        roll(p, 9),
        PICK(p, "LOCATED_IN", "LOCATED_IN", "PART_OF", "part of", "BELONGS_TO", "RULES"),
        ids[roll(p, 8)], ids[roll(p, 8)], PICK(p, "active", "active", "active", "invalid"),
        PICK(p, "NULL", "NULL", "'2026-01'", "'2026-03-10'"),
        PICK(p, "NULL", "NULL", "'2026-05'", "'2026-03-10'"), PICK(p, "a", "b"));
  sql(p->w, q);
}

static void copy_file(world *w, const char *from, const char *to) {
  hm_buf path = { 0 };
  hm_buf_fmt(&path, "%s/%s", w->dir, from);
  hm_buf_ch(&path, 0);
  int in = open(path.p, O_RDONLY);
  hm_buf_clear(&path);
  hm_buf_fmt(&path, "%s/%s", w->dir, to);
  hm_buf_ch(&path, 0);
  int out = open(path.p, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ssize_t n;
  while ((n = sendfile(out, in, NULL, 1 << 20)) > 0) { }
  assert_true(n == 0 && close(in) == 0 && close(out) == 0);
  hm_buf_free(&path);
}

/* A copy of the file is put aside, or comes back: with what was true then, and a log that ends
 * there. */
static void restores(play *p) {
  world *w = p->w;
  hm_store_close(w->s);
  w->s = NULL;
  if (p->copied && !roll(p, 3)) copy_file(w, "copy.db", "s.db");
  else copy_file(w, "s.db", "copy.db");
  p->copied = true;
  open_mode(w, HM_STORE_WRITE);
  assert_int_equal(sqlite3_exec(w->s->sqlite->db, "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
}

static void others_write(play *p) {
  if (p->places) {
    for (unsigned i = roll(p, 3); i < 3; i++) moves_place(p);
    return;
  }
  static const char *const statements[] = {
    "UPDATE entities SET status = 'superseded', superseded_by = 'e1' WHERE id = (SELECT id FROM entities WHERE status = 'active' ORDER BY id DESC LIMIT 1)",
    "UPDATE entities SET status = 'active' WHERE id = (SELECT id FROM entities WHERE status <> 'active' ORDER BY id LIMIT 1)",
    "UPDATE entities SET name = 'renamed ' || name WHERE id IN ('e1', 'e2', 'e3')",
    "UPDATE entities SET name = 'frame' WHERE id = 'e1'",
    "UPDATE entities SET id = 'e9' WHERE id = 'e3' AND NOT EXISTS (SELECT 1 FROM entities WHERE id = 'e9')",
    "UPDATE entities SET id = 'e3' WHERE id = 'e9' AND NOT EXISTS (SELECT 1 FROM entities WHERE id = 'e3')",
    "UPDATE entities SET project = 'q' WHERE id = 'e2'",
    "UPDATE entities SET project = 'p' WHERE id = 'e2'",
    "DELETE FROM entities WHERE id IN ('e1', 'e9')",
    "UPDATE entities SET entity_type = 'Person' WHERE id IN ('e1', 'e2')",
    "UPDATE entities SET entity_type = 'Faction' WHERE id IN ('e2', 'e3', 'e9')",
    "DELETE FROM relations WHERE id = (SELECT min(id) FROM relations)",
    "DELETE FROM entities WHERE lower(entity_type) = 'gadget'",
    "DELETE FROM memories WHERE id = (SELECT min(id) FROM memories)",
    "UPDATE memories SET content = 'frame mass is 9 kg', memory_type = 'knowledge' WHERE id = (SELECT max(id) FROM memories)",
    "UPDATE project_state SET value = 'C', value_kind = 'text' WHERE id = (SELECT max(id) FROM project_state WHERE status = 'active')",
    "INSERT OR REPLACE INTO project_state (id, project, key, value, category) VALUES ('s1', 'p', 'frame mass', '7 kg', 'gadget')",
    "UPDATE OR ROLLBACK memories SET status = 'active' WHERE status = 'candidate'",
    "INSERT OR REPLACE INTO entities (id, entity_type, name, project, properties) VALUES ('e1', 'Gizmo', 'frame', 'p', '{\"mass\":\"1 kg\"}')",
    "INSERT OR IGNORE INTO project_aliases VALUES ('other', 'p')",
    "INSERT OR REPLACE INTO project_aliases VALUES ('alias', 'p')",
    "INSERT OR REPLACE INTO project_aliases VALUES ('other', 'alias')",
    "INSERT OR REPLACE INTO entities (id, entity_type, name, project, properties) VALUES ('e1', 'Component', 'frame', 'p',"
    " '{\"subsystem_id\":\"e2\",\"component_name\":\"frame\",\"mass\":\"2 kg\"}')",
    "INSERT OR REPLACE INTO project_aliases VALUES ('alias', 'q')",
    "DELETE FROM project_aliases",
    "INSERT OR IGNORE INTO projects (id) VALUES ('alias')",
    "INSERT OR IGNORE INTO projects (id, name) VALUES ('r', 'big name')",
    "UPDATE projects SET name = 'Big Name' WHERE id = 'q'",
    "UPDATE projects SET name = 'other' WHERE id = 'q'",
    "INSERT OR REPLACE INTO projects (id, name) VALUES ('q', NULL)",
    "DELETE FROM projects WHERE id = 'r'",
    "DELETE FROM projects WHERE id = 'alias'",
    "UPDATE memories SET last_accessed_at = '2026'",
    "UPDATE memories SET polarity = -polarity WHERE id = (SELECT max(id) FROM memories)",
    "UPDATE memories SET scope = CASE WHEN scope IS NULL THEN 'git' END WHERE id = (SELECT min(id) FROM memories)",
    /* REPLACE deletes what it hits without a trigger: by id, by rowid, by a new rowid or id. */
    "REPLACE INTO memories (id, memory_type, project, content) SELECT id, memory_type, 'q', content FROM memories ORDER BY id LIMIT 2",
    "REPLACE INTO project_state (rowid, id, project, key, value) SELECT max(rowid), 's2', 'p', 'frame mass', '8 kg' FROM project_state",
    "REPLACE INTO entities (rowid, id, entity_type, name) SELECT rowid, 'e3', 'Subsystem', 'frame' FROM entities ORDER BY rowid LIMIT 1",
    "UPDATE OR REPLACE entities SET rowid = (SELECT min(rowid) FROM entities) WHERE id = 'e2'",
    "UPDATE OR REPLACE entities SET id = 'e2' WHERE id = 'e1'",
    "UPDATE OR REPLACE memories SET rowid = 1 WHERE id = (SELECT max(id) FROM memories)",
    "UPDATE OR IGNORE project_state SET id = 's1' WHERE id = (SELECT max(id) FROM project_state)",
    "INSERT OR IGNORE INTO project_state (rowid, id, project, key, value) VALUES (1, 's3', 'p', 'material', 'A')",
    "INSERT INTO project_state (id, project, key, value) VALUES ('s1', 'p', 'material', 'B')"
    " ON CONFLICT (id) DO UPDATE SET value = 'B'",
    "UPDATE projects SET rowid = rowid + 10 WHERE id = 'q'",
    "REPLACE INTO projects (rowid, id) SELECT rowid, 'r' FROM projects WHERE id = 'r'",
    /* What is taken back leaves nothing. */
    "BEGIN; UPDATE memories SET content = 'role: gone'; DELETE FROM entities; ROLLBACK",
    "BEGIN; SAVEPOINT s; DELETE FROM project_state; ROLLBACK TO s;"
    " UPDATE project_state SET value = 'D' WHERE id = 's1'; COMMIT",
    "VACUUM",
    /* A table that is rebuilt loses its triggers. */
    "BEGIN; CREATE TABLE old AS SELECT * FROM relations; DELETE FROM relations;"
    " INSERT INTO relations SELECT * FROM old; DROP TABLE old; COMMIT",
    "BEGIN; ALTER TABLE memories RENAME TO old; CREATE TABLE memories AS SELECT * FROM old WHERE 0;"
    " INSERT INTO memories SELECT * FROM old WHERE content <> 'role: pilot'; DELETE FROM old;"
    " INSERT INTO old SELECT * FROM memories; DROP TABLE memories; ALTER TABLE old RENAME TO memories; COMMIT",
    "DROP TRIGGER IF EXISTS project_state_moved_insert; DROP TRIGGER IF EXISTS entities_moved_update",
    "DROP TRIGGER IF EXISTS memories_moved_update; UPDATE memories SET project = 'q' WHERE project = 'p';"
    " CREATE TRIGGER memories_moved_update AFTER UPDATE ON memories"
    " BEGIN UPDATE swept SET number = number + 1; END",
  };
  static const char *const verdicts[] = {
    "UPDATE conflicts SET status = 'dismissed' WHERE id = (SELECT min(id) FROM conflicts WHERE status = 'open')",
    "UPDATE conflicts SET status = 'resolved', action = 'no_action' WHERE id = (SELECT max(id) FROM conflicts WHERE status = 'open')",
    "UPDATE conflicts SET status = 'resolved', action = 'supersede_others' WHERE id = (SELECT max(id) FROM conflicts WHERE status = 'open')",
    "PRAGMA foreign_keys = ON; DELETE FROM conflicts WHERE id = (SELECT min(id) FROM conflicts)",
    "REPLACE INTO conflicts (id, slot_key, status) SELECT id, '[\"q\",\"material\"]', 'dismissed' FROM conflicts ORDER BY id LIMIT 1",
    "REPLACE INTO conflicts (rowid, id, slot_key, status) SELECT rowid, 'cnew', '[\"p\",\"material\"]', 'dismissed' FROM conflicts ORDER BY rowid LIMIT 1",
    "UPDATE OR REPLACE conflicts SET id = (SELECT max(id) FROM conflicts) WHERE id = (SELECT min(id) FROM conflicts)",
    "UPDATE OR REPLACE conflict_members SET rowid = (SELECT max(rowid) FROM conflict_members) WHERE rowid = (SELECT min(rowid) FROM conflict_members)",
    "UPDATE conflict_members SET value_normal = 'zz' WHERE rowid = (SELECT max(rowid) FROM conflict_members)",
    "DELETE FROM conflict_members WHERE rowid = (SELECT min(rowid) FROM conflict_members)",
  };
  if (!roll(p, 8)) imports(p);
  else if (!roll(p, 6)) adds_row(p);
  else if (!roll(p, 40)) restores(p);
  else if (!roll(p, 3)) moves_time(p);
  else if (!roll(p, 4)) adds_relation(p);
  else if (p->verdicts && !roll(p, 4))
    sql(p->w, verdicts[roll(p, sizeof verdicts / sizeof *verdicts)]);
  else sql(p->w, statements[roll(p, sizeof statements / sizeof *statements)]);
}

static void run(world *w, uint64_t seed, int n, bool verdicts, size_t background) {
  play p = { .w = w, .rng = seed, .verdicts = verdicts };
  int looked = 0;
  begin_run(w);
  if (background) {
    hm_buf b = { 0 };
    realistic_store(&b, &p.rng, background);
    hm_buf_ch(&b, 0);
    import(w, b.p);
    hm_buf_free(&b);
  }
  for (int i = 0; i < n; i++) {
    if (background && !roll(&p, 40)) sql(w, realistic_deletes[roll(&p, REALISTIC_DELETES)]);
    hm_arena_reset(w->a);
    if (i % 6 == 0) expect_answers_as_swept(&p);
    if (!roll(&p, 3)) {
      others_write(&p);
      continue;
    }
    const char *since = ask(w, "SELECT coalesce(max(seq), 0) FROM journal");
    if (!hmirror_writes(&p)) continue;
    expect_agreement(&p, since);
    looked++;
    if (!verdicts && looked % 40 == 0) expect_as_swept_afresh(&p);
  }
  if (!thorough()) return;     /* what a whole run must meet, a shorter one may miss */
  assert_true(looked > n / 3);
  assert_true(!verdicts || p.given > (size_t)n / 50);
  assert_true(p.opened > (size_t)n / 100);
  if (!background)
    assert_true(atoi(ask(w, "SELECT count(*) FROM conflicts WHERE slot_kind = 'relation_slot'")));
  assert_true(p.quieted > (size_t)n / 500);
  /* Many rows have times: now moves where few change. */
  assert_true(p.moved > (size_t)n / (background ? 100 : 20));
  assert_true(p.answered > p.asked / 10);
  assert_true(p.unrecorded > (size_t)n / 100);
}

/* Fewer where a tool watches: a sanitizer takes ten times as long. */
static int steps(int n) { return thorough() ? n : n / 16; }

static void writes_agree_with_a_sweep(void **state) { run(*state, 1, steps(2500), false, 0); }
static void and_where_verdicts_were_given(void **state) { run(*state, 4, steps(2500), true, 0); }
static void and_in_a_realistic_store(void **state) { run(*state, 6, steps(300), true, 160); }

/* What lies in what decides about slots far away. */
static void and_where_places_lie_in_places(void **state) {
  world *w = *state;
  play p = { .w = w, .rng = 8, .places = true };
  int looked = 0;
  begin_run(w);
  for (int i = 0; i < 6; i++)
    sql(w,
        hm_str_fmt(
            w->a,
            "INSERT INTO entities (id, entity_type, name, project) VALUES ('p%d', 'Place', 'x', 'p')",
            i)
            .p);
  sql(w, "INSERT INTO project_state (id, project, key, value) VALUES ('o', 'p', 'k', 'v')");
  for (int i = 0; i < steps(700); i++) {
    hm_arena_reset(w->a);
    const char *since = ask(w, "SELECT coalesce(max(seq), 0) FROM journal");
    others_write(&p);
    if (i % 3 == 0) expect_answers_as_swept(&p);
    if (roll(&p, 2) && !hmirror_writes(&p)) fail();
    else if (roll(&p, 4)) continue;
    if (!hmirror_writes(&p)) fail();
    expect_agreement(&p, since);
    looked++;
    if (looked % 10 == 5) expect_as_swept_afresh(&p);
  }
  if (!thorough()) return;
  assert_true(p.answered && p.unrecorded > 2);
  assert_true(atoi(ask(w, "SELECT count(*) FROM conflicts WHERE slot_key LIKE '%LOCATED_IN%'")) >
              2);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = { T(writes_agree_with_a_sweep),
                                      T(and_where_verdicts_were_given), T(and_in_a_realistic_store),
                                      T(and_where_places_lie_in_places) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
