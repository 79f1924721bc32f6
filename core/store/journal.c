/* The journal: a chain of lines, each with the hash of the one before; see journal.h. */
#include "core/store/journal.h"

#include <stdio.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/store/records_impl.h"

enum { TAIL, ADD, LINES, LINES_V1, LINES_OF, HAS, REWRITE };
static const char *const SQL[] = {
  [TAIL] = "SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1",
  [ADD] = "INSERT INTO journal (seq, at, actor, verb, ref, before, after, hash, why)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
  [LINES] = "SELECT seq, at, actor, verb, ref, before, after, hash, why FROM journal ORDER BY seq",
  [LINES_V1] =
      "SELECT seq, at, actor, verb, ref, before, after, hash, NULL FROM journal ORDER BY seq",
  [LINES_OF] = "SELECT seq, before, after, actor FROM journal WHERE ref = ?1 ORDER BY seq",
  [HAS] = "SELECT 1 FROM journal WHERE ref = ?1 AND verb = ?2 LIMIT 1",
  [REWRITE] = "UPDATE journal SET before = ?2, after = ?3, why = ?4, hash = ?5 WHERE seq = ?1",
};

typedef struct { int64_t seq; hm_str at, actor, verb, ref, before, after, why; } line;

static void chain(const char *prev, const line *l, char out[65]) {
  char seq[24];
  unsigned char digest[32];
  hm_sha256 h;
  int n = snprintf(seq, sizeof seq, "%lld", (long long)l->seq);
  const hm_str fields[] = { hm_str_c(prev), { seq, (size_t)n }, l->at,   l->actor, l->verb,
                            l->ref,         l->before,          l->after };
  hm_sha256_init(&h);
  for (size_t i = 0; i < HM_COUNT(fields); i++) hm_sha256_field(&h, fields[i]);
  if (l->why.n) hm_sha256_field(&h, l->why);   /* as lines were chained before there was one */
  hm_sha256_end(&h, digest);
  *hm_hex(digest, sizeof digest, out) = 0;
}

static int find_tail(hm_store *s, hm_err *err) {
  hm_stmt *st;
  if (s->tail_known) return 0;
  if (hm_sql_cached(s, SQL[TAIL], &st, err)) return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc < 0) return -1;
  hm_str hash = rc ? hm_sql_text(st, 1, NULL) : HM_EMPTY;
  s->tail_seq = rc ? hm_sql_number(st, 0) : 0;
  snprintf(s->tail_hash, sizeof s->tail_hash, "%.*s", HM_FMT(hash));
  hm_sql_reset(st);
  s->tail_known = true;
  return 0;
}

bool hm_actor_name_fits(hm_str name) {
  for (size_t i = 0; i < name.n && name.n <= HM_ACTOR_MAX;)
    if (hm_text_hidden(hm_text_next(name, &i))) return false;
  return name.n > 0 && name.n <= HM_ACTOR_MAX;
}

int hm_journal_add(hm_store *s, const hm_actor *who, const char *verb, hm_str ref, hm_str before,
                   hm_str after, hm_err *err) {
  char hash[65];
  if (!s->writing)
    return hm_fail(err, HM_E_INTERNAL, s->what, "a journal line outside a write transaction", "");
  if (find_tail(s, err)) return -1;
  if (s->tail_seq == INT64_MAX)   /* another program wrote that line */
    return hm_fail(err, HM_E_STORE, s->what, "its journal has used its last number",
                   "export it and import that into a new store");
  line l = { s->tail_seq + 1, who->at, who->by, hm_str_c(verb), ref, before, after, who->why };
  chain(s->tail_hash, &l, hash);
  if (hm_sql_do(s, SQL[ADD],
                HM_ARGS(hm_arg_int(l.seq), hm_arg_text(l.at), hm_arg_text(l.actor),
                        hm_arg_text(l.verb), hm_arg_text(l.ref), hm_arg_text_or_null(l.before),
                        hm_arg_text_or_null(l.after), hm_arg_text((hm_str){ hash, 64 }),
                        hm_arg_text_or_null(l.why)),
                err))
    return -1;
  s->tail_seq = l.seq;
  memcpy(s->tail_hash, hash, sizeof hash);
  return 0;
}

int hm_journal_record(hm_store *s, hm_str ref, hm_arena *a, hm_str *json, hm_err *err) {
  hm_cell cells[HM_MAX_FIELDS + 1] = { { HM_CELL_TEXT, HM_EMPTY } };
  bool found;
  hm_kind_index k = hm_kind_of_ref(ref, &cells[0].text);
  *json = HM_EMPTY;
  if (k == HM_N_KINDS) return 0;
  if (hm_record_load(s, k, cells, &found, a, err)) return -1;
  if (found) *json = hm_record_json(&hm_kinds[k], cells, a);
  return 0;
}

/* What the statement's row holds; the texts are its own. */
static line read_line(hm_stmt *st, hm_str *hash, hm_arena *a) {
  hm_str text[8];
  for (int i = 1; i < 9; i++) text[i - 1] = hm_sql_text(st, i, a);
  *hash = text[6];
  return (line){
    hm_sql_number(st, 0), text[0], text[1], text[2], text[3], text[4], text[5], text[7]
  };
}

/* hash: of the line before, then of this one as it should be. */
static bool fits_chain(const line *l, hm_str stored, int64_t expected, char hash[65]) {
  char again[65];
  chain(hash, l, again);
  memcpy(hash, again, sizeof again);
  return l->seq == expected && hm_str_is(stored, again);
}

int hm_journal_verify(hm_store *s, int64_t *lines, int64_t *bad, hm_err *err) {
  hm_stmt *st;
  char hash[65] = "";
  int rc;
  hm_arena *a = hm_arena_new();
  *lines = *bad = 0;
  rc = hm_sql_cached(s, SQL[s->version < 2 ? LINES_V1 : LINES], &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    rc = 0;
    ++*lines;
    if (*bad) continue;
    hm_str stored;
    line l = read_line(st, &stored, a);
    if (!fits_chain(&l, stored, *lines, hash)) *bad = l.seq;
  }
  hm_arena_free(a);
  return rc;
}

int hm_journal_of(hm_store *s, hm_str ref,
                  int (*each)(void *ctx, const hm_journal_line *l, hm_err *err), void *ctx,
                  hm_err *err) {
  hm_stmt *st;
  hm_arena *a = hm_arena_new();
  int rc = hm_sql_query(s, SQL[LINES_OF], HM_ARGS(hm_arg_text(ref)), &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_journal_line l = { hm_sql_number(st, 0), ref, hm_sql_text(st, 1, a), hm_sql_text(st, 2, a),
                          HM_EMPTY, hm_sql_text(st, 3, a) };
    rc = each(ctx, &l, err);
    if (rc) hm_sql_reset(st);
  }
  hm_arena_free(a);
  return rc;
}

int hm_journal_has(hm_store *s, hm_str ref, const char *verb, bool *yes, hm_err *err) {
  hm_stmt *st;
  if (hm_sql_query(s, SQL[HAS], HM_ARGS(hm_arg_text(ref), hm_arg_text(hm_str_c(verb))), &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  *yes = rc == 1;
  if (rc == 1) hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

/* Up to the first change the lines keep the hashes that they have. */
int hm_journal_rewrite(hm_store *s,
                       int (*edit)(void *ctx, hm_journal_line *l, hm_arena *a, hm_err *err),
                       void *ctx, int64_t *broken, hm_err *err) {
  hm_stmt *st = NULL;
  int64_t expected = 0;
  bool changed = false;
  char was[65] = "", now[65] = ""; /* hash of the line before in the old chain and in the new one */
  hm_arena *a = hm_arena_new();
  int rc = hm_sql_cached(s, SQL[LINES], &st, err);
  *broken = 0;
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_str stored;
    hm_arena_reset(a);
    line l = read_line(st, &stored, a);
    if (!fits_chain(&l, stored, ++expected, was) && !*broken) *broken = l.seq;
    hm_journal_line shown = { .seq = l.seq, .ref = l.ref, .before = l.before, .after = l.after,
                              .why = l.why };
    rc = edit(ctx, &shown, a, err);
    if (rc < 0) break;
    changed |= rc == 1;
    rc = 0;
    l.before = shown.before, l.after = shown.after, l.why = shown.why;
    if (!changed) {
      snprintf(now, sizeof now, "%.*s", (int)(stored.n < 64 ? stored.n : 64), stored.p);
      continue;
    }
    char again[65];
    chain(now, &l, again);
    memcpy(now, again, sizeof again);
    rc = hm_sql_do(s, SQL[REWRITE],
                   HM_ARGS(hm_arg_int(l.seq), hm_arg_text_or_null(l.before),
                           hm_arg_text_or_null(l.after), hm_arg_text_or_null(l.why),
                           hm_arg_text((hm_str){ now, 64 })),
                   err);
  }
  if (rc) hm_sql_reset(st);
  hm_arena_free(a);
  s->tail_known = false;
  return rc;
}
