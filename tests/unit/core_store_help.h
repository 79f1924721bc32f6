/* A store in a folder of its own, and short ways to fill and to ask it. */
#ifndef CORE_STORE_HELP_H
#define CORE_STORE_HELP_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include <sqlite3.h>
#include "core/store/import.h"
#include "core/record/journal.h"

#define HELP_UNUSED __attribute__((unused))

typedef struct {
  char dir[64], path[96];
  hm_arena *a;
  hm_store *s;
  hm_err err;
  hm_import_counts n;
} world;

HELP_UNUSED static int begin(void **state) {
  world *w = calloc(1, sizeof *w);
  strcpy(w->dir, "/tmp/hm-store-XXXXXX");
  if (!mkdtemp(w->dir)) return -1;
  snprintf(w->path, sizeof w->path, "%s/s.db", w->dir);
  w->a = hm_arena_new();
  *state = w;
  return 0;
}

HELP_UNUSED static int end(void **state) {
  static const char *const names[] = {
    "s.db",        "s.db-wal",    "s.db-shm",     "s.db-journal", "s.db.v0.bak", "s.db.v0.2.bak",
    "s.db.v1.bak", "s.db.v2.bak", "t.db",         "copy.db",      "copy.db-journal", "link.db",
    "pipe",        "facts",       "s.db.lock",    "t.db.lock",    "copy.db.lock"
  };
  world *w = *state;
  hm_store_close(w->s);
  hm_arena_free(w->a);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", w->dir, names[i]);
    unlink(path);
  }
  int rc = rmdir(w->dir);   /* a file that nobody expected is left */
  free(w);
  return rc;
}

/* Every call that must succeed goes through here. */
HELP_UNUSED static void ok_(world *w, int rc, const char *file, int line) {
  char text[2048];
  if (!rc) return;
  hm_err_format_line(&w->err, text, sizeof text);
  print_error("%s:%d: %s\n", file, line, text);
  fail();
}
#define ok(w, call) ok_((w), (call), __FILE__, __LINE__)

HELP_UNUSED static void open_mode(world *w, hm_store_mode mode) {
  hm_store_close(w->s);
  w->s = NULL;
  ok(w, hm_store_open(&w->s, w->path, mode, 50, &w->err));
}
HELP_UNUSED static void create(world *w) { open_mode(w, HM_STORE_CREATE); }

/* As another program would: on a connection of its own. Returns SQLite's answer. */
HELP_UNUSED static int sql_rc(world *w, const char *sql) {
  sqlite3 *db;
  assert_int_equal(sqlite3_open(w->path, &db), SQLITE_OK);
  int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
  sqlite3_close(db);
  return rc;
}
HELP_UNUSED static void sql(world *w, const char *text) {
  assert_int_equal(sql_rc(w, text), SQLITE_OK);
}

/* Another program that has changed all memories and waits for readers to commit; closing it takes
 * the change back. */
HELP_UNUSED static sqlite3 *waiting_writer(world *w) {
  sqlite3 *db;
  assert_int_equal(sqlite3_open(w->path, &db), SQLITE_OK);
  assert_int_equal(
      sqlite3_exec(db, "BEGIN IMMEDIATE; UPDATE memories SET content = 'after'", NULL, NULL, NULL),
      SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_BUSY);
  return db;
}

/* First column of the first row, in the arena. */
HELP_UNUSED static const char *ask(world *w, const char *text) {
  sqlite3 *db;
  sqlite3_stmt *st;
  assert_int_equal(sqlite3_open(w->path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(db, text, -1, &st, NULL), SQLITE_OK);
  const char *out = "";
  if (sqlite3_step(st) == SQLITE_ROW)
    out = hm_str_dup(w->a, hm_str_c((const char *)sqlite3_column_text(st, 0))).p;
  sqlite3_finalize(st);
  sqlite3_close(db);
  return out;
}

HELP_UNUSED static int import_bytes(world *w, hm_str text, bool keep_going, hm_import_bad bad,
                                    void *ctx) {
  hm_import_options opt = { .name = "f",
                            .source = HM_STR("f"),
                            .keep_going = keep_going,
                            .bad = bad,
                            .ctx = ctx,
                            .who = { HM_STR("tester"), HM_STR("2026-05-01T00:00:00Z") } };
  FILE *in = text.n ? fmemopen((void *)text.p, text.n, "r") : fopen("/dev/null", "r");
  int rc = hm_import(w->s, in, &opt, &w->n, &w->err);
  fclose(in);
  return rc;
}
HELP_UNUSED static int try_import(world *w, const char *lines) {
  return import_bytes(w, hm_str_c(lines), false, NULL, NULL);
}
HELP_UNUSED static void import(world *w, const char *lines) { ok(w, try_import(w, lines)); }

HELP_UNUSED static hm_str export(world *w) {
  char *p = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&p, &n);
  ok(w, hm_export(w->s, out, &w->err));
  fclose(out);
  hm_str text = hm_str_dup(w->a, (hm_str){ p, n });
  free(p);
  return text;
}

/* The same without the lines that tell who says what. */
HELP_UNUSED static hm_str export_rows(world *w) {
  hm_str all = export(w), line = HM_STR("{\"kind\":\"evidence\"");
  hm_buf b = { 0 };
  for (size_t from = 0, i = 0; i < all.n; i++) {
    if (all.p[i] != '\n') continue;
    if (!hm_str_starts(hm_str_sub(all, from, i), line.p)) hm_buf_str(&b, hm_str_sub(all, from, i + 1));
    from = i + 1;
  }
  return hm_buf_take(&b, w->a);
}

HELP_UNUSED static hm_snapshot *snapshot(world *w, bool details) {
  hm_snapshot *snap;
  ok(w, hm_store_snapshot(w->s, w->a, details, &snap, &w->err));
  snap->digest = hm_snapshot_digest(snap, w->a);
  return snap;
}

HELP_UNUSED static const char *line_of(world *w) {
  char text[2048];
  hm_err_format_line(&w->err, text, sizeof text);
  return hm_str_dup(w->a, hm_str_c(text)).p;
}

#define assert_str(s, z) do { hm_str s_ = (s); \
  if (!hm_str_is(s_, (z))) fail_msg("\"%.*s\" is not \"%s\"", HM_FMT(s_), (z)); } while (0)
#endif
