/* Opening: what is refused, with which words, and that nothing foreign is touched. */
#include "core/base/digest.h"
#include "core/sqlite/sqlite_impl.h"
#include "tests/unit/core_store_help.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

static void expect(world *w, hm_store_mode mode, hm_code code, const char *why) {
  hm_store *s = NULL;
  assert_int_equal(hm_store_open(&s, w->path, mode, 50, &w->err), -1);
  assert_null(s);
  assert_int_equal(w->err.code, code);
  if (!strstr(w->err.why, why)) fail_msg("\"%s\" lacks \"%s\"", w->err.why, why);
  assert_non_null(strstr(w->err.what, w->path));
}

static void put_file(world *w, const void *p, size_t n) {
  FILE *f = fopen(w->path, "wb");
  assert_int_equal(fwrite(p, 1, n, f), n);
  fclose(f);
}

static hm_str get_file(world *w) {
  static char bytes[1 << 20];
  FILE *f = fopen(w->path, "rb");
  size_t n = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  return hm_str_dup(w->a, (hm_str){ bytes, n });
}

static int files_in(const char *dir) {
  DIR *d = opendir(dir);
  int n = 0;
  while (readdir(d)) n++;
  closedir(d);
  return n - 2;
}

static void absent(void **state) {
  world *w = *state;
  expect(w, HM_STORE_READ, HM_E_STORE, "no such file");
  expect(w, HM_STORE_WRITE, HM_E_STORE, "no such file");
  assert_int_equal(files_in(w->dir), 0);
  strcat(w->path, "/below/s.db");
  expect(w, HM_STORE_CREATE, HM_E_STORE, "cannot be opened");
}

static void not_regular(void **state) {
  world *w = *state;
  strcpy(w->path, w->dir);
  expect(w, HM_STORE_CREATE, HM_E_STORE, "not a regular file");
  strcat(w->path, "/pipe");
  assert_int_equal(mkfifo(w->path, 0600), 0);
  expect(w, HM_STORE_READ, HM_E_STORE, "not a regular file");   /* and does not wait for a writer */
}

static void not_sqlite(void **state) {
  world *w = *state;
  static char zeros[4096];
  put_file(w, "", 0);
  expect(w, HM_STORE_READ, HM_E_STORE, "empty");
  expect(w, HM_STORE_WRITE, HM_E_STORE, "empty");
  put_file(w, "SQLite format 3", 16);
  expect(w, HM_STORE_CREATE, HM_E_STORE, "not a SQLite file");
  put_file(w, zeros, sizeof zeros);
  expect(w, HM_STORE_CREATE, HM_E_STORE, "not a SQLite file");
  assert_int_equal(get_file(w).n, sizeof zeros);
}

static void foreign(void **state) {
  world *w = *state;
  sql(w, "CREATE TABLE t(x); INSERT INTO t VALUES (1)");
  hm_str before = get_file(w);
  expect(w, HM_STORE_CREATE, HM_E_STORE, "of another program");
  expect(w, HM_STORE_READ, HM_E_STORE, "application_id 0x00000000");
  assert_true(hm_str_eq(before, get_file(w)));
}

static void newer(void **state) {
  world *w = *state;
  create(w);
  sql(w, "PRAGMA user_version = 99");
  hm_str before = get_file(w);
  expect(w, HM_STORE_WRITE, HM_E_STORE, "version 99");
  assert_true(hm_str_eq(before, get_file(w)));
  assert_non_null(strstr(w->err.fix, "newer hmirror"));
}

static void truncated(void **state) {
  world *w = *state;
  create(w);
  hm_str whole = get_file(w);
  assert_int_equal(truncate(w->path, (off_t)whole.n - 5000), 0);
  expect(w, HM_STORE_READ, HM_E_STORE, "damaged: the file ends at byte");
  assert_int_equal(truncate(w->path, 600), 0);
  expect(w, HM_STORE_WRITE, HM_E_STORE, "damaged");
}

static void damaged(void **state) {
  world *w = *state;
  hm_snapshot *snap;
  create(w);
  import(w, "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"x\",\"content\":\"y\"}\n");
  hm_store_close(w->s);
  w->s = NULL;
  hm_str bytes = get_file(w);
  char *p = (char *)bytes.p;
  for (size_t page = 4096; page < bytes.n; page += 4096) memset(p + page, 0xA5, 100);
  put_file(w, p, bytes.n);
  if (hm_store_open(&w->s, w->path, HM_STORE_READ, 50, &w->err) == 0)
    assert_int_equal(hm_store_snapshot(w->s, w->a, true, &snap, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_STORE);
  assert_non_null(strstr(w->err.why, "damaged"));
  assert_null(strchr(line_of(w), '\n'));
}

/* Tables that are not ours behind our mark. */
static void wrong_tables(void **state) {
  world *w = *state;
  hm_snapshot *snap;
  create(w);
  sql(w, "ALTER TABLE memories RENAME COLUMN content TO body");
  open_mode(w, HM_STORE_READ);
  assert_int_equal(hm_store_snapshot(w->s, w->a, false, &snap, &w->err), -1);
  assert_non_null(strstr(w->err.why, "its tables are not those of version 17"));
  sql(w,
      "ALTER TABLE memories RENAME TO m2; CREATE VIEW memories AS SELECT *, body AS content FROM m2");
  open_mode(w, HM_STORE_READ);
  assert_int_equal(hm_store_snapshot(w->s, w->a, false, &snap, &w->err), -1);
  assert_non_null(strstr(w->err.why, "prohibited"));
}

static void locked(void **state) {
  world *w = *state;
  sqlite3 *db;
  create(w);
  assert_int_equal(sqlite3_open(w->path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
  assert_int_equal(hm_store_begin(w->s, true, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_BUSY);
  assert_non_null(strstr(w->err.what, w->path));
  assert_int_equal(snapshot(w, true)->n_rows, 0);   /* reading goes on */
  assert_int_equal(sqlite3_exec(db, "COMMIT; BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
  expect(w, HM_STORE_READ, HM_E_BUSY, "another process");
  sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
  sqlite3_close(db);
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w, hm_store_commit(w->s, &w->err));
}

static void creates(void **state) {
  world *w = *state;
  put_file(w, "", 0);
  create(w);
  assert_int_equal(atoi(ask(w, "PRAGMA application_id")), HM_STORE_APPLICATION_ID);
  assert_string_equal(ask(w, "PRAGMA user_version"), "17");
  assert_int_equal(files_in(w->dir), 2);   /* the store and its lock: no backup of nothing */
  hm_str before = get_file(w);
  create(w);
  open_mode(w, HM_STORE_WRITE);
  assert_true(hm_str_eq(before, get_file(w)));
}

static void reading_writes_nothing(void **state) {
  world *w = *state;
  create(w);
  hm_store_close(w->s);
  w->s = NULL;
  hm_str before = get_file(w);
  assert_int_equal(chmod(w->path, 0400), 0);
  open_mode(w, HM_STORE_READ);
  snapshot(w, true);
  assert_int_equal(files_in(w->dir), 2);
  assert_int_equal(hm_store_begin(w->s, true, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_INTERNAL);
  assert_true(hm_str_eq(before, get_file(w)));
}

static void migrates_with_backup(void **state) {
  world *w = *state;
  create(w);
  sql(w,
      "DROP TABLE findings; INSERT INTO memories (id, content) VALUES ('m', 'kept'); PRAGMA user_version = 0");
  assert_int_equal(chmod(w->path, 0600), 0);
  expect(w, HM_STORE_READ, HM_E_STORE, "no tables");
  assert_int_equal(files_in(w->dir), 2);
  open_mode(w, HM_STORE_WRITE);
  assert_string_equal(ask(w, "PRAGMA user_version"), "17");
  assert_string_equal(ask(w, "SELECT count(*) FROM findings"), "0");
  assert_string_equal(ask(w, "SELECT content FROM memories"), "kept");
  /* An earlier backup is not overwritten. */
  sql(w, "PRAGMA user_version = 0; UPDATE memories SET content = 'later'");
  open_mode(w, HM_STORE_WRITE);
  assert_int_equal(files_in(w->dir), 4);
  strcat(w->path, ".v0.bak");
  struct stat st;
  assert_int_equal(stat(w->path, &st), 0);
  assert_int_equal(st.st_mode & 0777, 0600);   /* what was private stays so */
  assert_string_equal(ask(w, "SELECT content FROM memories"), "kept");
  assert_string_equal(ask(w, "PRAGMA user_version"), "0");
  assert_string_equal(ask(w, "SELECT count(*) FROM sqlite_schema WHERE name = 'findings'"), "0");
}

/* What later versions added, taken away again: the store that version 1 of the program left. */
static const char TO_VERSION_1[] =
    "DROP TABLE swept; DROP TABLE conflict_answers; ALTER TABLE findings DROP COLUMN ack;"
    "ALTER TABLE findings DROP COLUMN acked;"
    "ALTER TABLE findings DROP COLUMN reason; INSERT INTO findings (id, message) VALUES ('f', 'then');"
    "ALTER TABLE journal DROP COLUMN why; ALTER TABLE journal DROP COLUMN salt; PRAGMA user_version = 1";

/* The index of the claims as version 2 had it, built. */
static const char TO_VERSION_2[] =
    "DROP TABLE swept; DROP TABLE conflict_answers;"
    "CREATE TABLE claim_slots (key INTEGER NOT NULL, kind INTEGER NOT NULL, id TEXT NOT NULL);"
    "CREATE TABLE claim_index (one INTEGER PRIMARY KEY CHECK (one = 1),"
    " built INTEGER NOT NULL DEFAULT 0, rules TEXT NOT NULL DEFAULT '');"
    "INSERT INTO claim_index VALUES (1, 1, 'old'); INSERT INTO claim_slots VALUES (5, 1, 'gone');"
    "CREATE TABLE claim_dirty (layer INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (layer, id)) WITHOUT ROWID;"
    "CREATE TRIGGER memories_claim_update AFTER UPDATE OF id, content ON memories"
    " WHEN (SELECT built FROM claim_index)"
    " BEGIN INSERT INTO claim_dirty VALUES (1, OLD.id), (1, NEW.id) ON CONFLICT DO NOTHING; END;"
    "PRAGMA user_version = 2";

/* Neither counted changes. */
static void take_version_back(world *w, const char *how) {
  const char *triggers = ask(
      w, "SELECT group_concat('DROP TRIGGER ' || name, ';') FROM sqlite_schema WHERE name LIKE '%!_moved!_%' ESCAPE '!'");
  sql(w, triggers);
  sql(w, how);
}

/* The hash of the only line of the journal, as it was before lines had salts. */
static void hash_journal_as_of_old(world *w) {
  static const char *const columns[] = { "seq", "at", "actor", "verb", "ref", "before", "after" };
  unsigned char digest[32];
  char text[65];
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, HM_EMPTY);
  for (size_t i = 0; i < HM_COUNT(columns); i++)
    hm_sha256_field(&h, hm_str_c(ask(w, hm_str_fmt(w->a, "SELECT coalesce(%s, '') FROM journal",
                                                   columns[i]).p)));
  hm_sha256_end(&h, digest);
  *hm_hex_encode(digest, sizeof digest, text) = 0;
  sql(w, hm_str_fmt(w->a, "DROP TRIGGER journal_no_update; UPDATE journal SET hash = '%s'", text).p);
}

static void the_index_of_version_2_is_dropped(void **state) {
  world *w = *state;
  create(w);
  take_version_back(w, TO_VERSION_2);
  open_mode(w, HM_STORE_READ);
  assert_true(snapshot(w, true)->now == HM_TIME_MAX);
  open_mode(w, HM_STORE_WRITE);
  assert_string_equal(ask(w, "PRAGMA user_version"), "17");
  assert_string_equal(
      ask(w, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%claim%'"), "0");
  assert_string_equal(ask(w, "SELECT count(*) FROM swept WHERE version IS NULL"), "1");
  assert_string_equal(ask(w, "PRAGMA integrity_check"), "ok");
}

/* A program without foreign keys deleted a conflict and left its members. */
static void members_of_no_conflict_stop_no_migration(void **state) {
  world *w = *state;
  create(w);
  sql(w, "PRAGMA foreign_keys = OFF;"
         "INSERT INTO conflicts (id, slot_key) VALUES ('c1', '[\"p\",\"k\"]');"
         "INSERT INTO conflict_members (conflict_id, member_kind, member_id)"
         " VALUES ('c1', 'memory', 'm'), ('gone', 'memory', 'm')");
  take_version_back(w, TO_VERSION_2);
  open_mode(w, HM_STORE_WRITE);
  assert_string_equal(ask(w, "PRAGMA user_version"), "17");
  assert_string_equal(ask(w, "SELECT group_concat(conflict_id) FROM conflict_members"), "c1");
}

/* A program that runs for long sees its store grow: what it may read grows with it. */
static void limits_grow_with_the_file(void **state) {
  world *w = *state;
  create(w);
  open_mode(w, HM_STORE_READ);
  ok(w, hm_store_begin(w->s, false, &w->err));
  int64_t small = w->s->sqlite->cost.file;
  hm_store_rollback(w->s);
  sql(w, "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
         " INSERT INTO memories (id, content) SELECT 'm' || i, 'some words of a fact' FROM n");
  ok(w, hm_store_begin(w->s, false, &w->err));
  assert_true(w->s->sqlite->cost.file > 2 * small);
  hm_store_rollback(w->s);
}

static void version_1_is_read_and_migrated(void **state) {
  world *w = *state;
  create(w);
  import(w, "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"x\",\"content\":\"kept\"}\n");
  take_version_back(w, TO_VERSION_1);
  hash_journal_as_of_old(w);
  open_mode(w, HM_STORE_READ);
  hm_str before = get_file(w);
  hm_snapshot *then = snapshot(w, true);
  assert_str(then->rows[0].text, "kept");
  assert_int_equal(then->n_findings, 1);
  assert_str(then->findings[0].message, "then");
  assert_int_equal(then->findings[0].reason.n, 0);
  hm_str records = export_rows(w);
  int64_t lines, bad;
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(lines, 1);
  assert_int_equal(bad, 0);
  assert_true(hm_str_eq(before, get_file(w)));
  assert_int_equal(files_in(w->dir), 2);
  open_mode(w, HM_STORE_WRITE);
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(lines, 1);
  assert_int_equal(bad, 0);
  assert_string_equal(ask(w, "PRAGMA user_version"), "17");
  assert_string_equal(ask(w, "SELECT version FROM swept"), "");
  assert_string_equal(ask(w, "SELECT count(reason) FROM findings"), "0");
  assert_string_equal(
      ask(w, "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%!_moved!_%' ESCAPE '!'"),
      "39");
  assert_string_equal(ask(w, "PRAGMA integrity_check"), "ok");
  assert_true(hm_str_eq(records, export_rows(w)));
  assert_int_equal(files_in(w->dir), 3);
  strcat(w->path, ".v1.bak");
  assert_string_equal(ask(w, "PRAGMA user_version"), "1");
  assert_string_equal(ask(w, "SELECT content FROM memories"), "kept");
}

/* A writer that is killed in the middle of its commit. */
static void hot_journal(void **state) {
  world *w = *state;
  char copy[160];
  create(w);
  import(w, "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"x\",\"content\":\"before\"}\n");
  hm_store_close(w->s);
  w->s = NULL;
  pid_t child = fork();
  if (!child) {
    sqlite3 *db;
    sqlite3_open(w->path, &db);
    sqlite3_exec(
        db,
        "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE memories SET content = 'after';"
        "CREATE TABLE big(x); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
        "INSERT INTO big SELECT randomblob(200) FROM n",
        NULL, NULL, NULL);
    kill(getpid(), SIGKILL);
  }
  waitpid(child, NULL, 0);
  snprintf(copy, sizeof copy, "%s-journal", w->path);
  struct stat st;
  assert_int_equal(stat(copy, &st), 0);
  assert_true(st.st_size > 512);
  open_mode(w, HM_STORE_READ);
  hm_snapshot *snap = snapshot(w, true);
  assert_int_equal(snap->n_rows, 1);
  assert_str(snap->rows[0].text, "before");
}

/* The triggers of a file from anywhere do not run here. */
static void foreign_triggers_sleep(void **state) {
  world *w = *state;
  create(w);
  sql(w,
      "CREATE TRIGGER evil AFTER INSERT ON memories BEGIN DELETE FROM projects; END; INSERT INTO projects (id) VALUES ('p')");
  open_mode(w, HM_STORE_WRITE);
  import(w, "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"x\",\"content\":\"y\"}\n");
  assert_string_equal(ask(w, "SELECT count(*) FROM projects"), "1");
}

static void follows_links_and_odd_names(void **state) {
  world *w = *state;
  char link[160];
  create(w);
  snprintf(link, sizeof link, "%s/link.db", w->dir);
  assert_int_equal(symlink(w->path, link), 0);
  strcpy(w->path, link);
  open_mode(w, HM_STORE_READ);
  assert_int_equal(chdir(w->dir), 0);
  hm_store *s;
  ok(w, hm_store_open(&s, "s.db", HM_STORE_READ, 50, &w->err));
  hm_store_close(s);
  assert_int_equal(hm_store_open(&s, "file:s.db?mode=memory", HM_STORE_READ, 50, &w->err), -1);
  assert_int_equal(hm_store_open(&s, ":memory:", HM_STORE_READ, 50, &w->err), -1);
  assert_int_equal(chdir("/"), 0);
}

static void transactions(void **state) {
  world *w = *state;
  create(w);
  hm_store_rollback(w->s);
  ok(w, hm_store_begin(w->s, false, &w->err));
  assert_int_equal(hm_store_begin(w->s, false, &w->err), -1);
  assert_int_equal(
      hm_store_put_run(w->s, &(hm_sweep_run){ .started_at = HM_EMPTY, .finished_at = HM_EMPTY },
                       &w->err),
      -1);
  ok(w, hm_store_commit(w->s, &w->err));
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w,
     hm_store_put_run(w->s, &(hm_sweep_run){ .started_at = HM_EMPTY, .finished_at = HM_EMPTY },
                      &w->err));
  hm_store_rollback(w->s);
  assert_string_equal(ask(w, "SELECT count(*) FROM sweep_runs"), "0");
  /* One transaction sees one state, whatever others write meanwhile. */
  ok(w, hm_store_begin(w->s, false, &w->err));
  assert_int_equal(sql_rc(w, "INSERT INTO memories (id) VALUES ('m')"), SQLITE_BUSY);
  ok(w, hm_store_commit(w->s, &w->err));
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(absent),
    T(not_regular),
    T(not_sqlite),
    T(foreign),
    T(newer),
    T(truncated),
    T(damaged),
    T(wrong_tables),
    T(locked),
    T(creates),
    T(reading_writes_nothing),
    T(migrates_with_backup),
    T(version_1_is_read_and_migrated),
    T(the_index_of_version_2_is_dropped),
    T(members_of_no_conflict_stop_no_migration),
    T(limits_grow_with_the_file),
    T(hot_journal),
    T(foreign_triggers_sleep),
    T(follows_links_and_odd_names),
    T(transactions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
