#include "core/store/trace.h"
#include <string.h>
#include <sys/stat.h>
#include "core/store/journal.h"
#include "core/store/sql.h"

/* The journal may hold anything, a number too: SQLite makes text of it. */
static hm_str text(sqlite3_stmt *st, int i) {
  const char *p = (const char *)sqlite3_column_text(st, i);
  return p ? (hm_str){ p, (size_t)sqlite3_column_bytes(st, i) } : HM_EMPTY;
}

static int read_tail(hm_store *s, hm_trace *out, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1", &st, err)) return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) {
    hm_str hash = hm_str_sub(text(st, 1), 0, sizeof out->hash - 1);
    out->seq = sqlite3_column_int64(st, 0);
    if (hash.n) memcpy(out->hash, hash.p, hash.n);
  }
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

/* 0 when there is no such sweep. */
static int read_begun(hm_store *s, int64_t run, uint64_t *out, hm_err *err) {
  sqlite3_stmt *st;
  *out = 0;
  if (hm_sql_cached(s, "SELECT started_at FROM sweep_runs WHERE id = ?1", &st, err)) return -1;
  sqlite3_bind_int64(st, 1, run);
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) *out = hm_str_hash(text(st, 0));
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

static int read_run(hm_store *s, hm_trace *out, hm_err *err) {
  if (hm_sql_int(s, "SELECT coalesce(max(id), 0) FROM sweep_runs", &out->run, err)) return -1;
  return read_begun(s, out->run, &out->begun, err);
}

static uint64_t written(const struct stat *st) {
  const int64_t says[] = { st->st_ctim.tv_sec, st->st_ctim.tv_nsec, (int64_t)st->st_size };
  return hm_str_hash((hm_str){ (const char *)says, sizeof says });
}

int hm_trace_read(hm_store *s, hm_trace *out, hm_err *err) {
  struct stat st;
  *out = (hm_trace){ 0 };
  if (s->version < 2 || s->theirs || !hm_store_counts_commits(s) || stat(s->path, &st)) return 0;
  out->device = (uint64_t)st.st_dev;
  out->file = (uint64_t)st.st_ino;
  out->written = written(&st);
  if (hm_store_commits(s, &out->commits, err) || hm_sql_int(s, "PRAGMA schema_version", &out->schema, err)) return -1;
  if (read_tail(s, out, err) || read_run(s, out, err)) return -1;
  out->known = true;
  return 0;
}

static bool same_file(const hm_trace *a, const hm_trace *b) {
  return a->known && b->known && a->device == b->device && a->file == b->file && a->schema == b->schema;
}

bool hm_trace_same(const hm_trace *a, const hm_trace *b) {
  return same_file(a, b) && a->written == b->written && a->commits == b->commits && a->seq == b->seq && a->run == b->run &&
         a->begun == b->begun && strcmp(a->hash, b->hash) == 0;
}

bool hm_trace_one_run_on(const hm_trace *was, const hm_trace *now) {
  return same_file(was, now) && now->commits - was->commits == 1 && now->run > was->run && now->seq == was->seq && strcmp(now->hash, was->hash) == 0;
}

/* The sweep that was the last is where it was. */
static int sweeps_go_on(hm_store *s, const hm_trace *was, bool *yes, hm_err *err) {
  uint64_t begun;
  if (read_begun(s, was->run, &begun, err)) return -1;
  *yes = begun == was->begun;
  return 0;
}

typedef struct { uint32_t commits; hm_str at; size_t max; hm_arena *a; hm_trace_changes *out; bool told; } reading;

/* A row that is there after it. A row that went, a link, a project: not about rows alone. */
static bool take_row(reading *r, hm_str kind, hm_str id) {
  hm_row_key key = { .id = hm_str_dup(r->a, id) };
  if (!hm_layer_of(kind, &key.layer) || r->out->rows.n == r->max) return false;
  hm_row_keys_add(&r->out->rows, key);
  return true;
}

static bool take_conflict(reading *r, hm_str id) {
  hm_row_keys_add(&r->out->conflicts, (hm_row_key){ .id = hm_str_dup(r->a, id) });
  return true;
}

/* A sweep's lines are its conflicts, and it is counted by its run; so may those of a write be, which has a line of its own besides.
 * Each of our commits has one time, and no two have the same. */
static int take_line(void *ctx, const hm_journal_entry *l, hm_err *err) {
  reading *r = ctx;
  const char *colon = l->ref.n ? memchr(l->ref.p, ':', l->ref.n) : NULL;
  hm_str kind = hm_str_sub(l->ref, 0, colon ? (size_t)(colon - l->ref.p) : 0), id = hm_str_sub(l->ref, kind.n + 1, l->ref.n);
  bool conflict = hm_str_is(kind, "conflict");
  (void)err;
  r->told = l->after.n && (conflict ? take_conflict(r, id) : take_row(r, kind, id));
  if (!r->told) return 1;
  if (hm_str_eq(l->at, r->at) || (conflict && (hm_str_is(l->verb, "open") || hm_str_is(l->verb, "update")))) return 0;
  r->at = hm_str_dup(r->a, l->at);
  r->commits++;
  return 0;
}

static int count_runs(hm_store *s, int64_t since, uint32_t *n, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "SELECT count(*) FROM sweep_runs WHERE id > ?1", &st, err)) return -1;
  sqlite3_bind_int64(st, 1, since);
  int rc = hm_sql_step(s, st, err);
  *n = rc == 1 ? (uint32_t)sqlite3_column_int64(st, 0) : 0;
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

int hm_trace_told(hm_store *s, const hm_trace *was, const hm_trace *now, size_t max, hm_arena *a, hm_trace_changes *out, bool *told, hm_err *err) {
  reading r = { .max = max, .a = a, .out = out, .told = true };
  uint32_t runs;
  bool fits;
  *told = false;
  if (!same_file(was, now) || now->commits == was->commits || now->seq < was->seq || now->run < was->run) return 0;
  if (sweeps_go_on(s, was, &fits, err)) return -1;
  if (!fits) return 0;
  if (hm_journal_since(s, was->seq, was->hash, take_line, &r, &fits, err) || count_runs(s, was->run, &runs, err)) return -1;
  r.told &= fits;
  *told = r.told && r.commits + runs == now->commits - was->commits;
  return 0;
}
