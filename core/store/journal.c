#include "core/store/journal.h"
#include <stdio.h>
#include <string.h>
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/store/records.h"

typedef struct { int64_t seq; hm_str at, actor, verb, ref, before, after, why; } line;

static void chain(const char *prev, const line *l, char out[65]) {
  char seq[24];
  unsigned char digest[32];
  hm_sha256 h;
  int n = snprintf(seq, sizeof seq, "%lld", (long long)l->seq);
  const hm_str fields[] = { hm_str_c(prev), { seq, (size_t)n }, l->at,   l->actor, l->verb,
                            l->ref,         l->before,          l->after };
  hm_sha256_init(&h);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) hm_sha256_field(&h, fields[i]);
  if (l->why.n) hm_sha256_field(&h, l->why);   /* as lines were chained before there was one */
  hm_sha256_end(&h, digest);
  for (int i = 0; i < 32; i++) {
    out[2 * i] = "0123456789abcdef"[digest[i] >> 4];
    out[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
  }
  out[64] = 0;
}

static int find_tail(hm_store *s, hm_err *err) {
  sqlite3_stmt *st;
  if (s->tail_known) return 0;
  if (hm_sql_cached(s, "SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1", &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc < 0) return -1;
  s->tail_seq = rc ? sqlite3_column_int64(st, 0) : 0;
  const char *hash = rc ? (const char *)sqlite3_column_text(st, 1) : "";
  snprintf(s->tail_hash, sizeof s->tail_hash, "%s", hash ? hash : "");
  sqlite3_reset(st);
  s->tail_known = true;
  return 0;
}

bool hm_actor_name(hm_str name) {
  for (size_t i = 0; i < name.n && name.n <= HM_ACTOR_MAX;)
    if (hm_text_hidden(hm_text_next(name, &i))) return false;
  return name.n > 0 && name.n <= HM_ACTOR_MAX;
}

int hm_journal_add(hm_store *s, const hm_actor *who, const char *verb, hm_str ref, hm_str before,
                   hm_str after, hm_err *err) {
  static const char sql[] =
      "INSERT INTO journal (seq, at, actor, verb, ref, before, after, hash, why)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
  sqlite3_stmt *st;
  char hash[65];
  if (!s->writing)
    return hm_fail(err, HM_E_INTERNAL, s->what, "a journal line outside a write transaction", "");
  if (find_tail(s, err)) return -1;
  if (s->tail_seq == INT64_MAX)   /* another program wrote that line */
    return hm_fail(err, HM_E_STORE, s->what, "its journal has used its last number",
                   "export it and import that into a new store");
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  line l = { s->tail_seq + 1, who->at, who->by, hm_str_c(verb), ref, before, after, who->why };
  chain(s->tail_hash, &l, hash);
  sqlite3_bind_int64(st, 1, l.seq);
  hm_sql_bind(st, 2, l.at);
  hm_sql_bind(st, 3, l.actor);
  hm_sql_bind(st, 4, l.verb);
  hm_sql_bind(st, 5, l.ref);
  hm_sql_bind_or_null(st, 6, l.before);
  hm_sql_bind_or_null(st, 7, l.after);
  hm_sql_bind(st, 8, (hm_str){ hash, 64 });
  hm_sql_bind_or_null(st, 9, l.why);
  if (hm_sql_run(s, st, err)) return -1;
  s->tail_seq = l.seq;
  memcpy(s->tail_hash, hash, sizeof hash);
  return 0;
}

int hm_journal_record(hm_store *s, hm_str ref, hm_arena *a, hm_str *json, hm_err *err) {
  const char *colon = ref.n ? memchr(ref.p, ':', ref.n) : NULL;
  hm_kind_index k = colon ? hm_kind_of(hm_str_sub(ref, 0, (size_t)(colon - ref.p))) : HM_N_KINDS;
  *json = HM_EMPTY;
  if (k == HM_N_KINDS || k == HM_K_LINK) return 0;
  hm_records r = { .s = s };
  hm_cell cells[HM_MAX_FIELDS] = { { HM_CELL_TEXT,
                                     hm_str_sub(ref, (size_t)(colon - ref.p) + 1, ref.n) } };
  bool found;
  hm_buf b = { 0 };
  int rc = hm_records_load(&r, k, cells, &found, a, err);
  if (!rc && found) {
    hm_record_put(&b, &hm_kinds[k], cells, a);
    *json = hm_buf_keep(&b, a);
  }
  hm_buf_free(&b);
  hm_records_free(&r);
  return rc;
}

/* What the statement's row holds; the texts are its own. */
static line read_line(sqlite3_stmt *st, hm_str *hash, hm_arena *a) {
  hm_str text[8];
  for (int i = 1; i < 9; i++) text[i - 1] = hm_sql_text(st, i, a);
  *hash = text[6];
  return (line){
    sqlite3_column_int64(st, 0), text[0], text[1], text[2], text[3], text[4], text[5], text[7]
  };
}

/* hash: of the line before, then of this one as it should be. */
static bool fits_chain(const line *l, hm_str stored, int64_t expected, char hash[65]) {
  char again[65];
  chain(hash, l, again);
  memcpy(hash, again, sizeof again);
  return l->seq == expected && hm_str_is(stored, again);
}

static int verify_line(sqlite3_stmt *st, int64_t expected, char *hash, hm_arena *a, int64_t *bad) {
  hm_str stored;
  line l = read_line(st, &stored, a);
  if (!fits_chain(&l, stored, expected, hash)) *bad = l.seq;
  return *bad != 0;
}

int hm_journal_verify(hm_store *s, int64_t *lines, int64_t *bad, hm_err *err) {
  static const char sql[] =
      "SELECT seq, at, actor, verb, ref, before, after, hash, why FROM journal ORDER BY seq";
  static const char of_version_1[] =
      "SELECT seq, at, actor, verb, ref, before, after, hash, NULL FROM journal ORDER BY seq";
  sqlite3_stmt *st;
  char hash[65] = "";
  hm_arena *a = hm_arena_new();
  int rc = hm_sql_prepare(s, s->version < 2 ? of_version_1 : sql, &st, err);
  *lines = *bad = 0;
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    rc = 0;
    ++*lines;
    if (!*bad) verify_line(st, *lines, hash, a, bad);
  }
  sqlite3_finalize(st);
  hm_arena_free(a);
  return rc;
}

int hm_journal_of(hm_store *s, hm_str ref,
                  int (*each)(void *ctx, const hm_journal_line *l, hm_err *err), void *ctx,
                  hm_err *err) {
  static const char sql[] = "SELECT seq, before, after FROM journal WHERE ref = ?1 ORDER BY seq";
  sqlite3_stmt *st;
  hm_arena *a = hm_arena_new();
  int rc = hm_sql_prepare(s, sql, &st, err);
  if (!rc) hm_sql_bind(st, 1, ref);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_journal_line l = { sqlite3_column_int64(st, 0), ref, hm_sql_text(st, 1, a),
                          hm_sql_text(st, 2, a), HM_EMPTY };
    rc = each(ctx, &l, err);
  }
  sqlite3_finalize(st);
  hm_arena_free(a);
  return rc;
}

typedef struct {
  hm_store *s;
  sqlite3_stmt *update;
  char was[65], now[65];   /* hash of the line before in the old chain and in the new one */
  bool changed;            /* a line was */
} rewriting;

static int write_line(rewriting *w, const line *l, hm_err *err) {
  sqlite3_bind_int64(w->update, 1, l->seq);
  hm_sql_bind_or_null(w->update, 2, l->before);
  hm_sql_bind_or_null(w->update, 3, l->after);
  hm_sql_bind_or_null(w->update, 4, l->why);
  hm_sql_bind(w->update, 5, (hm_str){ w->now, 64 });
  return hm_sql_run(w->s, w->update, err);
}

/* Up to the first change the lines keep the hashes that they have. */
static int rewrite_line(rewriting *w, line *l, hm_str stored, int edited, hm_err *err) {
  char again[65];
  w->changed |= edited == 1;
  if (!w->changed) {
    snprintf(w->now, sizeof w->now, "%.*s", (int)(stored.n < 64 ? stored.n : 64), stored.p);
    return 0;
  }
  chain(w->now, l, again);
  memcpy(w->now, again, sizeof again);
  return write_line(w, l, err);
}

int hm_journal_rewrite(hm_store *s,
                       int (*edit)(void *ctx, hm_journal_line *l, hm_arena *a, hm_err *err),
                       void *ctx, int64_t *broken, hm_err *err) {
  static const char all[] =
      "SELECT seq, at, actor, verb, ref, before, after, hash, why FROM journal ORDER BY seq";
  static const char sql[] =
      "UPDATE journal SET before = ?2, after = ?3, why = ?4, hash = ?5 WHERE seq = ?1";
  rewriting w = { .s = s };
  sqlite3_stmt *st = NULL;
  int64_t expected = 0;
  hm_arena *a = hm_arena_new();
  int rc = hm_sql_prepare(s, all, &st, err) || hm_sql_prepare(s, sql, &w.update, err) ? -1 : 0;
  *broken = 0;
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_str stored;
    hm_arena_reset(a);
    line l = read_line(st, &stored, a);
    if (!fits_chain(&l, stored, ++expected, w.was) && !*broken) *broken = l.seq;
    hm_journal_line shown = { l.seq, l.ref, l.before, l.after, l.why };
    rc = edit(ctx, &shown, a, err);
    if (rc < 0) break;
    l.before = shown.before, l.after = shown.after, l.why = shown.why;
    rc = rewrite_line(&w, &l, stored, rc, err);
  }
  sqlite3_finalize(w.update);
  sqlite3_finalize(st);
  hm_arena_free(a);
  s->tail_known = false;
  return rc;
}
