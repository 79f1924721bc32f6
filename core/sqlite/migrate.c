/* Migrates a store from any older version to this one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/sqlite/sqlite_impl.h"

/* The text of schema.sql, NUL-terminated: statements that can run repeatedly. The path is from the
 * top folder, where make runs. So the program, readers and the sqlite3 shell share one text,
 * without a generated file. */
__asm__(".pushsection .rodata\n"
        ".global hm_schema_sql\n"
        ".type hm_schema_sql, @object\n"
        "hm_schema_sql:\n"
        ".incbin \"core/sqlite/schema.sql\"\n"
        ".byte 0\n"
        ".size hm_schema_sql, . - hm_schema_sql\n"
        ".popsection\n");

#define MAX_BACKUPS 100
#define BACKUP_PATH 4200

static int backup_failed(hm_store *s, const char *path, hm_err *err) {
  int eno = errno;
  return hm_failf(err, HM_E_STORE, s->what,
                  "make room beside the store, and check the permissions of its folder",
                  "its backup %s: %s", path, strerror(eno));
}

/* Takes a name that nothing has, so that an earlier backup, or one that another
 * process is just making, is never overwritten. An empty file is what VACUUM
 * INTO wants to find there. */
static int take_name(hm_store *s, char *out, size_t size, hm_err *err) {
  struct stat st;
  mode_t mode = stat(s->path, &st) ? 0600 : st.st_mode & 0666;
  for (int i = 1; i <= MAX_BACKUPS; i++) {
    char number[16] = "";
    if (i > 1)
      snprintf(number, sizeof number, ".%d", i);
    int n = snprintf(out, size, "%s%s.v%d%s.bak", s->path[0] == '/' ? "" : "./", s->path,
                     s->version, number);
    if (n < 0 || (size_t)n >= size)
      return hm_fail(err, HM_E_STORE, s->what, "its path is too long for a backup beside it",
                     "move it to a folder with a shorter path");
    int fd = open(out, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0) {
      close(fd);
      return 0;
    }
    if (errno != EEXIST)
      return backup_failed(s, out, err);
  }
  return hm_fail(err, HM_E_STORE, s->what, "too many backups lie beside it", "move them away");
}

/* Writes the file to the disk, and its name in the folder. */
static int sync_backup(const char *path) {
  char folder[BACKUP_PATH];
  snprintf(folder, sizeof folder, "%s", path);
  strrchr(folder, '/')[1] = 0; /* each begins with '/' or "./" */
  for (int i = 0; i < 2; i++) {
    int fd = open(i ? folder : path, O_RDONLY | O_CLOEXEC | (i ? O_DIRECTORY : 0));
    if (fd < 0)
      return -1;
    int rc = fsync(fd), eno = errno;
    close(fd);
    errno = eno;
    if (rc)
      return -1;
  }
  return 0;
}

int hm_store_back_up(hm_store *s, hm_err *err) {
  char path[BACKUP_PATH];
  hm_stmt *st;
  if (take_name(s, path, sizeof path, err))
    return -1;
  int rc = hm_sql_prepare(s, "VACUUM INTO ?1", &st, err);
  if (!rc) {
    hm_sql_bind(st, 1, hm_str_c(path));
    rc = hm_sql_run(s, st, err);
    hm_sql_finalize(st);
  }
  if (!rc && sync_backup(path))
    rc = backup_failed(s, path, err);
  if (rc)
    unlink(path);
  return rc;
}

/* Before version 13 import_sources had hashes of what sources said; core/store/evidence_upgrade.c
 * makes evidence of them and drops it. Versions add objects, which the schema's text creates if
 * missing, and columns and contents of new objects, which are added here. A new store begins at 0.
 */
static int bring_content(hm_store *s, int64_t version, hm_err *err) {
  static const char last_imports[] =
      "CREATE TABLE IF NOT EXISTS import_sources (ref, source, said, PRIMARY KEY (ref, source));"
      "INSERT OR IGNORE INTO import_sources (ref, source, said)"
      " SELECT ref, '', max(seq) FROM journal WHERE verb = 'import' AND after IS NOT NULL"
      " GROUP BY ref";
  if (version == 1 && hm_sql_exec(s, "ALTER TABLE journal ADD COLUMN why TEXT", err))
    return -1;
  return version && version < 3 ? hm_sql_exec(s, last_imports, err) : 0;
}

/* Version 14 records what a sweep saw (swept.h). Before it an index of the claims and a log of
 * changes stood here, each with triggers and indexes of its own. The next sweep finds the findings
 * again, which have one more column. */
static int drop_claim_index(hm_store *s, int64_t version, hm_err *err) {
  static const char old_triggers[] =
      "SELECT group_concat('DROP TRIGGER \"' || replace(name, '\"', '\"\"') || '\"', ';')"
      " FROM main.sqlite_schema WHERE type = 'trigger' AND"
      " (substr(name, 1, length(tbl_name) + 5) = tbl_name || '_log_'"
      " OR substr(name, 1, length(tbl_name) + 7) = tbl_name || '_claim_')";
  hm_str drops;
  if (version == 0 || version >= HM_STORE_SWEPT_VERSION)
    return 0;
  hm_arena *a = hm_arena_new();
  int rc = hm_sql_one(s, old_triggers, NULL, a, &drops, err);
  if (!rc && drops.n)
    rc = hm_sql_exec(s, hm_str_z(a, drops), err);
  hm_arena_free(a);
  return rc ? -1
            : hm_sql_exec(s,
                          "DROP TABLE IF EXISTS claim_index; DROP TABLE IF EXISTS claim_dirty;"
                          "DROP TABLE IF EXISTS claim_slots; DROP TABLE IF EXISTS claim_rows;"
                          "DROP TABLE IF EXISTS changes; DROP TABLE IF EXISTS findings;"
                          "DROP TABLE IF EXISTS rule_results;"
                          "DROP INDEX IF EXISTS relations_from; DROP INDEX IF EXISTS relations_to;"
                          "DROP INDEX IF EXISTS relations_project;"
                          "DROP INDEX IF EXISTS entities_project;"
                          "DROP INDEX IF EXISTS memories_project;"
                          "DROP INDEX IF EXISTS project_state_project",
                          err);
}

/* Version 3 takes constraints from two tables, version 13 has the source in the key of one, which
 * SQLite can only do by making them again. They are copied out and dropped, the members first:
 * dropping a conflict drops its members. Members of no conflict, which a program without foreign
 * keys leaves behind, stay in the backup. */
static int set_conflicts_aside(hm_store *s, int64_t version, hm_err *err) {
  if (version >= 3 && version < HM_STORE_EVIDENCE_VERSION)
    return hm_sql_exec(s,
                       "CREATE TEMP TABLE old_members AS SELECT * FROM main.conflict_members;"
                       "DROP TABLE main.conflict_members",
                       err);
  if (version == 0 || version >= 3)
    return 0;
  return hm_sql_exec(s,
                     "CREATE TEMP TABLE old_conflicts AS SELECT * FROM main.conflicts;"
                     "CREATE TEMP TABLE old_members AS SELECT * FROM main.conflict_members;"
                     "DROP TABLE main.conflict_members; DROP TABLE main.conflicts",
                     err);
}

#define CONFLICT_COLUMNS                                                                           \
  "id, detected_at, slot_kind, slot_key, project, status, resolved_at,"                            \
  " resolution, rule, rule_version, action, winner, resolved_by"
#define MEMBER_COLUMNS                                                                             \
  "conflict_id, member_kind, member_id, member_layer_trust, field,"                                \
  " value_detected, value_normal, flagged, conflicts_with"

static int take_conflicts_back(hm_store *s, int64_t version, hm_err *err) {
  if (version >= 3 && version < HM_STORE_EVIDENCE_VERSION)
    return hm_sql_exec(s,
                       "INSERT INTO main.conflict_members (" MEMBER_COLUMNS ", removed)"
                       " SELECT " MEMBER_COLUMNS ", removed FROM temp.old_members;"
                       "DROP TABLE temp.old_members",
                       err);
  if (version == 0 || version >= 3)
    return 0;
  return hm_sql_exec(s,
                     "INSERT INTO main.conflicts (" CONFLICT_COLUMNS ")"
                     " SELECT " CONFLICT_COLUMNS " FROM temp.old_conflicts;"
                     "INSERT INTO main.conflict_members (" MEMBER_COLUMNS ")"
                     " SELECT " MEMBER_COLUMNS " FROM temp.old_members"
                     " WHERE conflict_id IN (SELECT id FROM main.conflicts);"
                     "DROP TABLE temp.old_members; DROP TABLE temp.old_conflicts",
                     err);
}

typedef struct {
  const char *table, *name, *type;
} added_column;

/* A column may be there already: of a store whose version was set back. */
static int add_column(hm_store *s, const added_column *c, hm_err *err) {
  char sql[160];
  int64_t there;
  snprintf(sql, sizeof sql, "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%s'",
           c->table, c->name);
  if (hm_sql_int(s, sql, &there, err))
    return -1;
  snprintf(sql, sizeof sql, "ALTER TABLE %s ADD COLUMN %s %s", c->table, c->name, c->type);
  return there ? 0 : hm_sql_exec(s, sql, err);
}

/* Version 6 adds the findings of a sweep by kind; version 8 how an agent wrote a row; version 9
 * salts for new lines of the journal; version 14 what a sweep counted; version 15 what else is said
 * of rows than a model does. */
static int add_columns(hm_store *s, int64_t version, hm_err *err) {
  static const struct {
    int version;
    added_column column;
  } columns[] = {
    { HM_STORE_RUNS_VERSION, { "sweep_runs", "rules", "INTEGER NOT NULL DEFAULT 0" } },
    { HM_STORE_RUNS_VERSION, { "sweep_runs", "scope", "TEXT NOT NULL DEFAULT ''" } },
    { HM_STORE_RUNS_VERSION, { "sweep_runs", "disputed", "INTEGER NOT NULL DEFAULT 0" } },
    { HM_STORE_RUNS_VERSION, { "sweep_runs", "acknowledged", "INTEGER NOT NULL DEFAULT 0" } },
    { HM_STORE_RUNS_VERSION, { "sweep_runs", "kinds", "TEXT NOT NULL DEFAULT '{}'" } },
    { HM_STORE_VIA_VERSION, { "memories", "via", "TEXT" } },
    { HM_STORE_VIA_VERSION, { "entities", "via", "TEXT" } },
    { HM_STORE_SALT_VERSION, { "journal", "salt", "BLOB" } },
    { HM_STORE_EVIDENCE_VERSION, { "conflicts", "winner_source", "TEXT" } },
    { HM_STORE_SWEPT_VERSION, { "swept", "told", "TEXT" } },
    { HM_STORE_REPORTS_VERSION, { "proposals", "says", "TEXT" } },
    { HM_STORE_REPORTS_VERSION, { "proposals", "why", "TEXT" } },
    { HM_STORE_REPORTS_VERSION, { "proposals", "via", "TEXT" } },
  };
  for (size_t i = 0; i < HM_COUNT(columns); i++)
    if (version < columns[i].version && add_column(s, &columns[i].column, err))
      return -1;
  return 0;
}

int hm_store_bring_forward(hm_store *s, hm_err *err) {
  char pragma[96];
  int64_t version;
  /* Another process may have migrated between our look and our lock. */
  if (hm_sql_int(s, "PRAGMA user_version", &version, err))
    return -1;
  s->version = HM_STORE_VERSION;
  if (version >= HM_STORE_VERSION)
    return 0;
  /* Version 11 has no index of words any more: recall lists the words of the rows that it reads. */
  static const char drop_words[] = "DROP TABLE IF EXISTS main.recall_words;"
                                   "DROP TABLE IF EXISTS main.recall_documents";
  /* Version 16 keeps answers in another form; the next sweep makes them again. */
  static const char drop_answers[] = "DROP TABLE IF EXISTS main.conflict_answers";
  if (drop_claim_index(s, version, err) || hm_sql_exec(s, drop_words, err) ||
      hm_sql_exec(s, drop_answers, err) || set_conflicts_aside(s, version, err))
    return -1;
  if (hm_sql_exec(s, hm_schema_sql, err) || take_conflicts_back(s, version, err) ||
      add_columns(s, version, err) || bring_content(s, version, err))
    return -1;
  snprintf(pragma, sizeof pragma, "PRAGMA application_id=%d; PRAGMA user_version=%d",
           HM_STORE_APPLICATION_ID, s->version);
  return hm_sql_exec(s, pragma, err);
}

/* A file that is made of statements, as the sqlite3 shell's .dump and .recover do, begins at schema
 * version 0, and may hold any part of what it was made of, edited perhaps. So that nothing
 * recorded holds in it (swept.h), the version is moved beyond the number of statements that it
 * takes. */
static int outnumber_schema(hm_store *s, hm_err *err) {
  static const char move[] = "CREATE TRIGGER schema_moved AFTER DELETE ON swept BEGIN SELECT 1;"
                             " END; DROP TRIGGER schema_moved";
  enum { BESIDE = 16 }; /* statements that leave nothing behind */
  int64_t made, version;
  if (hm_sql_int(s, "SELECT count(*) FROM sqlite_schema WHERE sql IS NOT NULL", &made, err) ||
      hm_sql_schema_version(s, &version, err))
    return -1;
  for (; version <= made + BESIDE; version += 2)
    if (hm_sql_exec(s, move, err))
      return -1;
  return 0;
}

/* The triggers are at the end of schema.sql. Triggers that moved with a renamed table may occupy
 * their names; then these triggers are not created. */
int hm_sql_restore_triggers(hm_store *s, bool *complete, hm_err *err) {
  static const char standing[] =
      "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"
      " AND substr(name, 1, length(tbl_name) + 7) = tbl_name || '_moved_'";
  static const char first[] = "CREATE TRIGGER IF NOT EXISTS memories_moved_insert";
  const char *triggers = strstr(hm_schema_sql, first);
  int64_t wanted = 0, there;
  for (const char *t = triggers; (t = strstr(t, "CREATE TRIGGER")); t++)
    wanted++;
  if (hm_sql_int(s, standing, &there, err))
    return -1;
  if (there < wanted && (hm_sql_exec(s, triggers, err) || hm_sql_int(s, standing, &there, err)))
    return -1;
  *complete = there >= wanted;
  return outnumber_schema(s, err);
}
