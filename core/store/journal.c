/* The journal: a chain of lines, each with the hash of the one before; see journal.h. */
#include "core/store/journal.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/store/journal_impl.h"
#include "core/store/records_impl.h"

enum { TAIL, ADD, LINES, LINES_OLD, LINES_V1, LINES_OF, HAS, REWRITE };
static const char *const SQL[] = {
  [TAIL] = "SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1",
  [ADD] = "INSERT INTO journal (seq, at, actor, verb, ref, before, after, hash, why, salt)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
  [LINES] =
      "SELECT seq, at, actor, verb, ref, before, after, hash, why, salt FROM journal ORDER BY seq",
  [LINES_OLD] =
      "SELECT seq, at, actor, verb, ref, before, after, hash, why, NULL FROM journal ORDER BY seq",
  [LINES_V1] =
      "SELECT seq, at, actor, verb, ref, before, after, hash, NULL, NULL FROM journal ORDER BY seq",
  [LINES_OF] = "SELECT seq, before, after, actor FROM journal WHERE ref = ?1 ORDER BY seq",
  [HAS] = "SELECT 1 FROM journal WHERE ref = ?1 AND verb = ?2 LIMIT 1",
  [REWRITE] = "UPDATE journal SET before = ?2, after = ?3, why = ?4, salt = ?5, hash = ?6"
      " WHERE seq = ?1",
};

/* Lines of before version 2 have no reason, those of before version 9 no salt. */
void hm_journal_hash(hm_str prev, const hm_journal_row *l, char out[65]) {
  char seq[24];
  unsigned char digest[32];
  hm_sha256 h;
  int n = snprintf(seq, sizeof seq, "%lld", (long long)l->seq);
  const hm_str fields[] = { prev,   { seq, (size_t)n }, l->at,     l->actor,
                            l->verb, l->ref,            l->before, l->after };
  hm_sha256_init(&h);
  for (size_t i = 0; i < HM_COUNT(fields); i++) hm_sha256_field(&h, fields[i]);
  if (l->why.n || l->salt.n) hm_sha256_field(&h, l->why);
  if (l->salt.n) hm_sha256_field(&h, l->salt);
  hm_sha256_end(&h, digest);
  *hm_hex(digest, sizeof digest, out) = 0;
}

int hm_journal_random(hm_store *s, unsigned char *out, size_t n, hm_err *err) {
  if (getrandom(out, n, 0) == (ssize_t)n) return 0;
  return hm_fail(err, HM_E_STORE, s->what, "the system gives no random numbers for its journal",
                 "try again");
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
  unsigned char salt[HM_SALT_BYTES];
  if (!s->writing)
    return hm_fail(err, HM_E_INTERNAL, s->what, "a journal line outside a write transaction", "");
  if (find_tail(s, err)) return -1;
  if (s->tail_seq == INT64_MAX)   /* another program wrote that line */
    return hm_fail(err, HM_E_STORE, s->what, "its journal has used its last number",
                   "export it and import that into a new store");
  if (hm_journal_random(s, salt, sizeof salt, err)) return -1;
  hm_journal_row l = { .seq = s->tail_seq + 1, .at = who->at, .actor = who->by,
                       .verb = hm_str_c(verb), .ref = ref, .before = before, .after = after,
                       .why = who->why, .salt = { (const char *)salt, sizeof salt } };
  hm_journal_hash(hm_str_c(s->tail_hash), &l, hash);
  if (hm_sql_do(s, SQL[ADD],
                HM_ARGS(hm_arg_int(l.seq), hm_arg_text(l.at), hm_arg_text(l.actor),
                        hm_arg_text(l.verb), hm_arg_text(l.ref), hm_arg_text_or_null(l.before),
                        hm_arg_text_or_null(l.after), hm_arg_text((hm_str){ hash, 64 }),
                        hm_arg_text_or_null(l.why), hm_arg_bytes(l.salt)),
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

int hm_journal_rows(hm_store *s, hm_stmt **out, hm_err *err) {
  int sql = s->version < 2 ? LINES_V1 : s->version < HM_STORE_SALT_VERSION ? LINES_OLD : LINES;
  return hm_sql_cached(s, SQL[sql], out, err);
}

hm_journal_row hm_journal_row_read(hm_stmt *st, hm_arena *a) {
  hm_str text[8];
  for (int i = 1; i < 9; i++) text[i - 1] = hm_sql_text(st, i, a);
  return (hm_journal_row){ hm_sql_number(st, 0), text[0], text[1], text[2], text[3], text[4],
                           text[5], text[7], hm_sql_bytes(st, 9), text[6] };
}

int hm_journal_row_write(hm_store *s, const hm_journal_row *l, hm_err *err) {
  hm_arg salt = l->salt.n ? hm_arg_bytes(l->salt) : (hm_arg){ .type = HM_ARG_NULL };
  return hm_sql_do(s, SQL[REWRITE],
                   HM_ARGS(hm_arg_int(l->seq), hm_arg_text_or_null(l->before),
                           hm_arg_text_or_null(l->after), hm_arg_text_or_null(l->why), salt,
                           hm_arg_text(l->hash)),
                   err);
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

/* --- redaction ----------------------------------------------------------------------- */

typedef struct {
  const hm_journal_mark *marks; size_t n_marks;
  bool begun;                /* the journal names its store: commits may have seen these hashes */
  hm_buf kept;               /* ranges of lines that keep their hash, as JSON */
  int64_t from, to;          /* the last of them, not in kept yet; 0: none */
  hm_journal_rewritten *out;
} rewriting;

static void end_range(rewriting *w) {
  if (w->from)
    hm_buf_fmt(&w->kept, "%s[%lld,%lld]", w->kept.n ? "," : "[", (long long)w->from,
               (long long)w->to);
  w->from = 0;
}

static void keep_line(rewriting *w, int64_t seq) {
  if (w->from && w->to + 1 == seq) {
    w->to = seq;
    return;
  }
  end_range(w);
  w->from = w->to = seq;
}

/* A line without its salt says nothing of what its hash covers: that can stay. The hash of a line
 * that never had one can be guessed from. */
static void rewrite_hash(rewriting *w, hm_journal_row *l, hm_str prev, bool fits, bool changed,
                         char now[65]) {
  bool marked = hm_journal_marked(w->marks, w->n_marks, l->seq);
  if (!fits && !marked && !w->out->broken) w->out->broken = l->seq;
  if (changed && !w->out->rehashed && (w->begun || l->salt.n || marked)) {
    l->salt = HM_EMPTY;
    if (fits || marked) keep_line(w, l->seq);
  } else if (changed && !w->out->rehashed) {
    w->out->rehashed = l->seq;
  }
  if (w->out->rehashed) hm_journal_hash(prev, l, now);
  else snprintf(now, 65, "%.*s", HM_FMT(l->hash));
  l->hash = hm_str_c(now);
}

static int rewrite_lines(hm_store *s, rewriting *w,
                         int (*edit)(void *ctx, hm_journal_line *l, hm_arena *a, hm_err *err),
                         void *ctx, hm_arena *a, hm_err *err) {
  hm_stmt *st = NULL;
  int64_t expected = 0;
  char was[65] = "", now[65] = "", again[65];   /* hashes of the line before: then and from now */
  int rc = hm_journal_rows(s, &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(a);
    hm_journal_row l = hm_journal_row_read(st, a);
    hm_journal_hash(hm_str_c(was), &l, again);
    bool fits = l.seq == ++expected && hm_str_is(l.hash, again);
    snprintf(was, sizeof was, "%.*s", HM_FMT(l.hash));
    hm_journal_line shown = { .seq = l.seq, .ref = l.ref, .before = l.before, .after = l.after,
                              .why = l.why };
    rc = edit(ctx, &shown, a, err);
    if (rc < 0) break;
    bool changed = rc == 1;
    rc = 0;
    l.before = shown.before, l.after = shown.after, l.why = shown.why;
    char prev[65];
    memcpy(prev, now, sizeof prev);
    rewrite_hash(w, &l, hm_str_c(prev), fits, changed, now);
    if (changed || w->out->rehashed) rc = hm_journal_row_write(s, &l, err);
  }
  if (rc) hm_sql_reset(st);
  s->tail_known = false;
  return rc;
}

int hm_journal_rewrite(hm_store *s,
                       int (*edit)(void *ctx, hm_journal_line *l, hm_arena *a, hm_err *err),
                       void *ctx, const hm_actor *who, hm_journal_rewritten *out, hm_err *err) {
  hm_arena *a = hm_arena_new(), *one = hm_arena_new();
  hm_journal_mark *marks;
  hm_str id;
  rewriting w = { .out = out };
  *out = (hm_journal_rewritten){ 0 };
  int rc = hm_journal_marks(s, a, &marks, &w.n_marks, err) || hm_journal_store(s, a, &id, err);
  if (!rc) {
    w.marks = marks;
    w.begun = id.n > 0;
    rc = rewrite_lines(s, &w, edit, ctx, one, err);
    end_range(&w);
  }
  if (!rc && w.kept.n) {
    hm_buf_ch(&w.kept, ']');
    rc = hm_journal_add(s, who, "redact", HM_STR(HM_JOURNAL_LINES_REF), HM_EMPTY,
                        hm_buf_view(&w.kept), err);
  }
  hm_buf_free(&w.kept);
  hm_arena_free(one);
  hm_arena_free(a);
  return rc ? -1 : 0;
}
