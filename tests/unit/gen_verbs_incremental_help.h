/* Random changes of a store, of the appearance and of the config, each in the log of its step, for
 * the test of incremental builds. */
#ifndef GEN_VERBS_INCREMENTAL_HELP_H
#define GEN_VERBS_INCREMENTAL_HELP_H
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "core/base/str.h"
#include "gen/verbs/commands.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_base_thorough.h"

/* Few references lead anywhere, so that projects stay apart and have to be told apart. */
enum { PROJECTS = 6, ROWS = 24, RELATIONS = 8, LEADS = 6 };

static struct {
  char folder[64];
  uint64_t seed, random;
  int step;
  sqlite3 *db;
  char log[4096];                /* what this step did */
} t;

/* --- tools -------------------------------------------------------------------- */

static unsigned pick(unsigned n) { return (unsigned)(prng(&t.random) % n); }

__attribute__((format(printf, 1, 2))) static void lost(const char *fmt, ...) {
  char why[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(why, sizeof why, fmt, ap);
  va_end(ap);
  fail_msg("seed %llu, step %d: %s; changed before:%s", (unsigned long long)t.seed, t.step, why,
           t.log);
}

static void note(const char *what) {
  size_t n = strlen(t.log);
  snprintf(t.log + n, sizeof t.log - n, "\n  %s", what);
}

static int run(const char *const *words) {
  char *argv[16];
  int n = 0;
  for (; words[n]; n++) argv[n] = strdup(words[n]);
  argv[n] = NULL;
  int rc = hm_cli_run(n, argv);
  while (n--) free(argv[n]);
  return rc;
}
#define hm(...) run((const char *const[]){ "hmirror", "-q", __VA_ARGS__, NULL })

static void must(int rc, const char *what) {
  if (rc != 0) lost("%s: exit %d", what, rc);
}

static void sql(const char *text) {
  char *why = NULL;
  if (sqlite3_exec(t.db, text, NULL, NULL, &why) != SQLITE_OK) lost("%s: %s", text, why);
}

/* Runs it, and has it in the log. */
static void change(const char *fmt, ...) {
  char text[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  note(text);
  sql(text);
}

static char *read_file(const char *path, size_t *n) {
  FILE *f = fopen(path, "r");
  if (!f) return NULL;
  char *p = malloc(1 << 20);
  *n = fread(p, 1, 1 << 20, f);
  fclose(f);
  return p;
}

static void write_file(const char *path, const char *bytes, size_t n) {
  FILE *f = fopen(path, "w");
  if (!f || fwrite(bytes, 1, n, f) != n || fclose(f)) lost("cannot write %s", path);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at) {
  (void)st, (void)type, (void)at;
  return remove(path);
}

/* --- a store ------------------------------------------------------------------- */

static const char *const names[] = { "mass", "gain", "frame leg", "mirror", "mass of frame" };
static const char *const values[] = { "1 kg", "2 kg",    "1000 g",    "PEEK",       "GF-PTFE",
                                      "",     "[\"a\"]", "x | y <b>", "⚠ disputed", "3" };
static const char *const types[] = { "Parameter", "Decision",    "Subsystem", "Component",
                                     "Material",  "Requirement", "Own type",  "Artifact" };
static const char *const statuses[] = { "active",     "active",  "active",   "candidate",
                                        "superseded", "invalid", "graduated" };
static const char *const times[] = { "2024-01-01T00:00:00Z", "2025", "2025-06",
                                     "2026-01-02T03:04:05Z", "",     "2023-05-05" };
static const char *const relations[] = { "PART_OF",       "AFFECTS",  "SUPERSEDES",
                                         "SUPERSEDED_BY", "REQUIRES", "KNOWS" };
#define one_of(list) ((list)[pick(sizeof(list) / sizeof *(list))])

static char *any_id(void) {
  static char ring[8][32];
  static int at;
  char *s = ring[at = (at + 1) % 8];
  snprintf(s, 32, "%s%c%u", pick(LEADS) ? "no-" : "", "mesr"[pick(4)], pick(ROWS));
  return s;
}

static char *any_ref(void) {
  static const char *const kinds[] = { "memory", "entity", "project_state", "relation" };
  static char ring[8][48];
  static int at;
  char *s = ring[at = (at + 1) % 8];
  unsigned k = pick(4);
  snprintf(s, 48, "%s:%s%c%u", kinds[k], pick(LEADS) ? "no-" : "", "mesr"[k], pick(ROWS));
  return s;
}

static char *any_project(void) {
  static char ring[4][16];
  static int at;
  char *s = ring[at = (at + 1) % 4];
  unsigned n = pick(PROJECTS + 3);
  if (n == 0) *s = 0;
  else if (n == 1) snprintf(s, 16, "alias%u", pick(3));
  else snprintf(s, 16, "p%u", n - 2);
  return s;
}

static void write_memory(unsigned id) {
  static const char *const kinds[] = { "knowledge", "preference", "identity", "episodic", "own" };
  change(
      "INSERT OR REPLACE INTO memories(id, memory_type, content, project, status, created_at, source_refs, tags, superseded_by, updated_at) VALUES "
      "('%s%u','%s','%s is %s','%s','%s','%s','[\"chat %u\"]','[\"t%u\"]',nullif('%s',''),'%s')",
      pick(6) ? "m" : "M ", id, one_of(kinds), one_of(names), one_of(values), any_project(),
      one_of(statuses), one_of(times), pick(4), pick(3), pick(4) ? "" : any_ref(), one_of(times));
}

static void write_entity(unsigned id) {
  static const char *const keys[] = { "parameter_name",  "component_name", "subsystem_id",
                                      "decision_target", "mass",           "note" };
  char other[64] = "";
  if (pick(3) == 0)
    snprintf(other, sizeof other, ",\"%s\":\"%s\"", pick(2) ? "depends_on" : "subsystem_id",
             any_id());
  change(
      "INSERT OR REPLACE INTO entities(id, entity_type, name, project, properties, description, status, created_at, source_refs, valid_until) VALUES "
      "('%s%u','%s','%s %u','%s','{\"%s\":\"%s\",\"value\":\"%s\"%s}','%s','%s','%s','[\"meeting %u\"]',%s)",
      pick(6) ? "e" : "E ", id, one_of(types), one_of(names), pick(3), any_project(), one_of(keys),
      one_of(names), pick(2) ? "7 mm" : "8 mm", other, pick(3) ? "" : "A description.",
      one_of(statuses), one_of(times), pick(4), pick(4) ? "NULL" : "'2026-02'");
}

static void write_state(unsigned id) {
  change(
      "INSERT OR REPLACE INTO project_state(id, project, category, key, value, status, source, created_at, superseded_by) VALUES "
      "('s%u','%s','%s','%s','%s','%s','review %u','%s',nullif('%s',''))",
      id, any_project(), one_of(types), one_of(names), one_of(values), one_of(statuses), pick(4),
      one_of(times), pick(4) ? "" : any_ref());
}

static void write_relation(unsigned id) {
  change(
      "INSERT OR REPLACE INTO relations(id, type, project, from_id, to_id, properties, status, created_at) VALUES "
      "('r%u','%s','%s','%s','%s','{\"rationale\":\"because %u\"}','%s','%s')",
      id, one_of(relations), pick(2) ? "" : any_project(), pick(3) ? any_ref() : any_id(),
      pick(3) ? any_ref() : any_id(), pick(3), one_of(statuses), one_of(times));
}

static void write_row(void) {
  static void (*const writers[])(unsigned) = { write_memory, write_entity, write_state,
                                               write_relation };
  unsigned k = pick(4);
  writers[k](pick(k == 3 ? RELATIONS : ROWS));
}

/* One column of one row, as a program that writes the store would. */
static void touch_row(void) {
  static const char *const tables[] = { "memories", "entities", "project_state", "relations" };
  unsigned k = pick(4), id = pick(k == 3 ? RELATIONS : ROWS);
  const char *table = tables[k];
  char letter = "mesr"[k];
  switch (pick(7)) {
    case 0:
      change("UPDATE %s SET status='%s' WHERE id='%c%u'", table, one_of(statuses), letter, id);
      return;
    case 1:
      change("UPDATE %s SET project='%s' WHERE id='%c%u'", table, any_project(), letter, id);
      return;
    case 2:
      change(
          "UPDATE %s SET superseded_by='%s', superseded_at='2025-02-02', status='superseded' WHERE id='%c%u'",
          table, any_ref(), letter, id);
      return;
    case 3:
      change("UPDATE %s SET updated_at='%s' WHERE id='%c%u'", table, one_of(times), letter, id);
      return;
    case 4:
      change("UPDATE %s SET confidence=0.%u WHERE id='%c%u'", table, pick(9), letter, id);
      return;
    case 5: change("DELETE FROM %s WHERE id='%c%u'", table, letter, id); return;
    case 6:
      change("UPDATE %s SET valid_from='%s' WHERE id='%c%u'", table, one_of(times), letter, id);
      return;
  }
}

static void touch_text(void) {
  switch (pick(5)) {
    case 0:
      change("UPDATE entities SET name='%s %u' WHERE id='e%u'", one_of(names), pick(5), pick(ROWS));
      return;
    case 1:
      change("UPDATE memories SET graduated_to='%s' WHERE id='m%u'", any_ref(), pick(ROWS));
      return;
    case 2:
      change("UPDATE memories SET content=content || printf('%%.2500c', 'x') WHERE id='m%u'",
             pick(ROWS));
      return;
    case 3:
      change("UPDATE project_state SET source='review %u' WHERE id='s%u'", pick(9), pick(ROWS));
      return;
    case 4:
      change("UPDATE entities SET description='About %s.' WHERE id='e%u'", any_id(), pick(ROWS));
      return;
  }
}

static void touch_project(void) {
  unsigned p = pick(PROJECTS);
  switch (pick(5)) {
    case 0:
      change("INSERT OR REPLACE INTO projects(id, name, description) VALUES('p%u','%s','%s')", p,
             one_of(names), one_of(values));
      return;
    case 1: change("UPDATE projects SET name='Project %u' WHERE id='p%u'", pick(3), p); return;
    case 2:
      change("INSERT OR REPLACE INTO project_aliases(alias, project) VALUES('alias%u','p%u')",
             pick(3), p);
      return;
    case 3: change("DELETE FROM project_aliases WHERE alias='alias%u'", pick(3)); return;
    case 4: change("DELETE FROM projects WHERE id='p%u'", p); return;
  }
}

/* A handful at a time, each of which leads somewhere. */
static void touch_link(void) {
  change("INSERT OR REPLACE INTO links(src, dst, rel) VALUES('memory:m%u','entity:e%u','refines')",
         pick(ROWS), pick(ROWS));
  change("DELETE FROM links WHERE rowid <= (SELECT max(rowid) FROM links) - 4");
}

static void touch_conflict(void) {
  static const char id[] =
      "(SELECT id FROM conflicts WHERE status='open' ORDER BY id LIMIT 1 OFFSET %u)";
  char which[128];
  snprintf(which, sizeof which, id, pick(6));
  switch (pick(4)) {
    case 0:
      change(
          "UPDATE conflicts SET status='dismissed', resolution='No %u', resolved_at='%s', resolved_by='kim' WHERE id=%s",
          pick(3), one_of(times), which);
      return;
    case 1:
      change(
          "UPDATE conflicts SET status='resolved', action='no_action', resolution='Both.', resolved_at='2026-03-01' WHERE id=%s",
          which);
      return;
    case 2:
      change(
          "UPDATE conflicts SET status='resolved', action='supersede_others', winner='%s', resolution='That.', resolved_at='2026-03-01' WHERE id=%s",
          any_ref(), which);
      return;
    case 3:
      change(
          "UPDATE conflicts SET resolution='Said anew %u' WHERE id=(SELECT id FROM conflicts WHERE status<>'open' ORDER BY id LIMIT 1 OFFSET %u)",
          pick(99), pick(4));
      return;
  }
}

/* --- appearance and config ------------------------------------------------------ */

static void touch_look(void) {
  static const char *const templates[] = { "overview.md", "partials/marker.md", "shell.html",
                                           "root.md", "conflict.md" };
  char path[128], text[128];
  const char *name = one_of(templates);
  switch (pick(6)) {
    case 0: case 1:
      note(name);
      snprintf(path, sizeof path, "templates/%s.mustache", name);
      unlink(path);
      if (pick(2)) must(hm("theme", "eject", name), "theme eject");
      size_t n;
      char *bytes = read_file(path, &n);
      if (!bytes) return;
      bytes[n] = 0;
      if (strcmp(name, "partials/marker.md") != 0)
        n += (size_t)sprintf(bytes + n, "\nChanged %u\n", pick(4));
      write_file(path, bytes, n);
      free(bytes);
      return;
    case 2:
      note("style.css");
      mkdir("theme", 0755);
      if (pick(2))
        write_file("theme/style.css", text,
                   (size_t)sprintf(text, "body { margin: %upx }\n", pick(9)));
      else unlink("theme/style.css");
      return;
    default: {
      static const char *const statics[] = { "static/CNAME", "static/note.md",
                                             "static/projects/p1/extra.txt", "static/.nojekyll",
                                             "static/404.html" };
      const char *file = one_of(statics);
      note(file);
      mkdir("static", 0755);
      mkdir("static/projects", 0755);
      mkdir("static/projects/p1", 0755);
      if (pick(3)) write_file(file, text, (size_t)sprintf(text, "Static %u\n", pick(9)));
      else unlink(file);
    }
  }
}

static void touch_config(void) {
  static const char *const parts[] = { "title: Another\n",
                                       "base_url: https://example.org/m/\n",
                                       "list_limit: 10\n",
                                       "list_limit: 14\n",
                                       "value_limit: 300\n",
                                       "publish:\n  exclude:\n    projects: [p1]\n",
                                       "publish:\n  exclude:\n    types: [decision]\n",
                                       "publish:\n  exclude:\n    tags: [t1]\n",
                                       "publish:\n  exclude:\n    properties: [mass]\n",
                                       "publish:\n  exclude:\n    statuses: [superseded]\n",
                                       "publish:\n  keep: [README.md]\n",
                                       "publish:\n  pages: markdown\n",
                                       "publish:\n  pages: html\n",
                                       "rules:\n  text_fields: [value]\n" };
  const char *part = pick(3) ? one_of(parts) : "";
  char text[256];
  note(*part ? part : "mirror.yml as it was");
  write_file(
      "mirror.yml", text,
      (size_t)sprintf(text, "%s%s", strncmp(part, "title", 5) ? "title: Mirror\n" : "", part));
}

#endif
