/* The journal: a chain of lines, each with the hash of the one before; see journal.h.
 *
 * A line without a salt that a later line names as redacted need not fit: its hash is trusted,
 * since the next line's hash covers it. Cost of a line: one hash; of a proof or a redaction: all
 * lines. */
#include "core/record/journal.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/record/records.h"
#include "core/record/texts.h"

enum { SALT_BYTES = 16 };

typedef struct {
  int64_t seq;
  hm_str at, actor, verb, ref, before, after, why, salt, hash;
} journal_row;

/* The reference of lines that say which lines a redaction rewrote, as JSON: [[3,3],[7,9]]. */
#define LINES_REF "journal:lines"
/* What the reference of the line begins with that names the store. */
#define STORE_REF "store:"

/* A range of lines that a line of the journal, `by`, says were redacted. */
typedef struct {
  int64_t from, to, by;
  hm_str at, actor, why;
} redaction_mark;

enum { TAIL, ADD, LINES, LINES_OLD, LINES_V1, LINES_OF, LINES_OF_V1, HAS, REWRITE, STORE, MARKS };
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
  [LINES_OF] =
      "SELECT seq, before, after, actor, at, verb, why FROM journal WHERE ref = ?1 ORDER BY seq",
  [LINES_OF_V1] =
      "SELECT seq, before, after, actor, at, verb, NULL FROM journal WHERE ref = ?1 ORDER BY seq",
  [HAS] = "SELECT 1 FROM journal WHERE ref = ?1 AND verb = ?2 LIMIT 1",
  [REWRITE] = "UPDATE journal SET before = ?2, after = ?3, why = ?4, salt = ?5, hash = ?6"
              " WHERE seq = ?1",
  [STORE] = "SELECT ref FROM journal WHERE ref > 'store:' AND ref < 'store;' ORDER BY +seq LIMIT 1",
  [MARKS] = "SELECT seq, at, actor, after, why FROM journal WHERE ref = '" LINES_REF
            "' AND verb = 'redact' ORDER BY seq",
};

/* Lines of before version 2 have no reason, those of before version 9 no salt. */
static void hash_of(hm_str prev, const journal_row *l, char out[65]) {
  char seq[24];
  unsigned char digest[32];
  hm_sha256 h;
  int n = snprintf(seq, sizeof seq, "%lld", (long long)l->seq);
  const hm_str fields[] = { prev,   { seq, (size_t)n }, l->at,   l->actor, l->verb,
                            l->ref, l->before,          l->after };
  hm_sha256_init(&h);
  for (size_t i = 0; i < HM_COUNT(fields); i++)
    hm_sha256_field(&h, fields[i]);
  if (l->why.n || l->salt.n)
    hm_sha256_field(&h, l->why);
  if (l->salt.n)
    hm_sha256_field(&h, l->salt);
  hm_sha256_end(&h, digest);
  *hm_hex_encode(digest, sizeof digest, out) = 0;
}

static int random_bytes(hm_store *s, unsigned char *out, size_t n, hm_err *err) {
  if (getrandom(out, n, 0) == (ssize_t)n)
    return 0;
  return hm_fail(err, HM_E_STORE, s->what, "the system gives no random numbers for its journal",
                 "try again");
}

static int find_tail(hm_store *s, hm_err *err) {
  hm_stmt *st;
  if (s->tail_known)
    return 0;
  if (hm_sql_cached(s, SQL[TAIL], &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc < 0)
    return -1;
  hm_str hash = rc ? hm_sql_text(st, 1, NULL) : HM_EMPTY;
  s->tail_seq = rc ? hm_sql_number(st, 0) : 0;
  snprintf(s->tail_hash, sizeof s->tail_hash, "%.*s", HM_FMT(hash));
  hm_sql_reset(st);
  s->tail_known = true;
  return 0;
}

bool hm_actor_name_fits(hm_str name) {
  for (size_t i = 0; i < name.n && name.n <= HM_ACTOR_MAX;)
    if (hm_cp_is_hidden(hm_text_next(name, &i)))
      return false;
  return name.n > 0 && name.n <= HM_ACTOR_MAX;
}

int hm_journal_add(hm_store *s, const hm_actor *who, const char *verb, hm_str ref, hm_str before,
                   hm_str after, hm_err *err) {
  char hash[65];
  unsigned char salt[SALT_BYTES];
  if (!s->writing)
    return hm_fail(err, HM_E_INTERNAL, s->what, "a journal line outside a write transaction", "");
  if (!hm_str_is(hm_str_c(verb), "touch") && !hm_str_is(hm_str_c(verb), "name"))
    s->facts_changed = true; /* those two change nothing that a sweep reads */
  if (find_tail(s, err))
    return -1;
  if (s->tail_seq == INT64_MAX) /* another program wrote that line */
    return hm_fail(err, HM_E_STORE, s->what, "its journal has used its last number",
                   "export it and import that into a new store");
  if (random_bytes(s, salt, sizeof salt, err))
    return -1;
  hm_secrets_note_written(s, who, verb, ref, after);
  hm_arena *a = hm_arena_new();
  if (hm_str_starts(ref, "conflict:"))
    hm_conflict_line_shorten(&before, &after, a);
  journal_row l = { .seq = s->tail_seq + 1,
                    .at = who->at,
                    .actor = who->by,
                    .verb = hm_str_c(verb),
                    .ref = ref,
                    .before = before,
                    .after = after,
                    .why = who->why,
                    .salt = { (const char *)salt, sizeof salt } };
  hash_of(hm_str_c(s->tail_hash), &l, hash);
  int rc = hm_sql_do(s, SQL[ADD],
                     HM_ARGS(hm_arg_int(l.seq), hm_arg_text(l.at), hm_arg_text(l.actor),
                             hm_arg_text(l.verb), hm_arg_text(l.ref), hm_arg_text_or_null(l.before),
                             hm_arg_text_or_null(l.after), hm_arg_text((hm_str){ hash, 64 }),
                             hm_arg_text_or_null(l.why), hm_arg_bytes(l.salt)),
                     err);
  hm_arena_free(a);
  if (rc)
    return -1;
  s->tail_seq = l.seq;
  memcpy(s->tail_hash, hash, sizeof hash);
  return 0;
}

int hm_journal_record_json(hm_store *s, hm_str ref, hm_arena *a, hm_str *json, hm_err *err) {
  hm_cell cells[HM_MAX_FIELDS + 1] = { { HM_CELL_TEXT, HM_EMPTY } };
  bool found;
  hm_kind_index k = hm_kind_parse_ref(ref, &cells[0].text);
  *json = HM_EMPTY;
  if (k == HM_N_KINDS)
    return 0;
  if (hm_record_load(s, k, cells, &found, a, err))
    return -1;
  if (found)
    *json = hm_record_json(&hm_kinds[k], cells, a);
  return 0;
}

/* All lines, oldest first, also of a store of an older version. */
static int select_rows(hm_store *s, hm_stmt **out, hm_err *err) {
  int sql = s->version < 2 ? LINES_V1 : s->version < HM_STORE_SALT_VERSION ? LINES_OLD : LINES;
  return hm_sql_cached(s, SQL[sql], out, err);
}

/* The statement's row; texts live until the next step, or in a. */
static journal_row row_of(hm_stmt *st, hm_arena *a) {
  hm_str text[8];
  for (int i = 1; i < 9; i++)
    text[i - 1] = hm_sql_text(st, i, a);
  return (journal_row){
    hm_sql_number(st, 0), text[0], text[1], text[2], text[3], text[4], text[5], text[7],
    hm_sql_bytes(st, 9),  text[6]
  };
}

static int rewrite_row(hm_store *s, const journal_row *l, hm_err *err) {
  hm_arg salt = l->salt.n ? hm_arg_bytes(l->salt) : (hm_arg){ .type = HM_ARG_NULL };
  return hm_sql_do(s, SQL[REWRITE],
                   HM_ARGS(hm_arg_int(l->seq), hm_arg_text_or_null(l->before),
                           hm_arg_text_or_null(l->after), hm_arg_text_or_null(l->why), salt,
                           hm_arg_text(l->hash)),
                   err);
}

int hm_journal_lines_of(hm_store *s, hm_str ref,
                        int (*each)(void *ctx, const hm_journal_line *l, hm_err *err), void *ctx,
                        hm_err *err) {
  hm_stmt *st;
  hm_arena *a = hm_arena_new();
  int sql = s->version < 2 ? LINES_OF_V1 : LINES_OF;
  int rc = hm_sql_query(s, SQL[sql], HM_ARGS(hm_arg_text(ref)), &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_journal_line l = { .seq = hm_sql_number(st, 0),
                          .ref = ref,
                          .before = hm_sql_text(st, 1, a),
                          .after = hm_sql_text(st, 2, a),
                          .actor = hm_sql_text(st, 3, a),
                          .at = hm_sql_text(st, 4, a),
                          .verb = hm_sql_text(st, 5, a),
                          .why = hm_sql_text(st, 6, a) };
    rc = each(ctx, &l, err);
    if (rc)
      hm_sql_reset(st);
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
  if (rc == 1)
    hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

/* --- what the journal says of itself ----------------------------------------------------- */

static int read_store_id(hm_store *s, hm_arena *a, hm_str *id, hm_err *err) {
  if (hm_sql_one(s, SQL[STORE], NULL, a, id, err))
    return -1;
  if (id->n)
    *id = hm_str_sub(*id, strlen(STORE_REF), id->n);
  return 0;
}

/* The number of a line; 0 if v is not one. */
static int64_t line_number(const hm_json *v) {
  int64_t out = 0;
  if (v->type != HM_JSON_NUMBER || v->text.n > 18)
    return 0;
  for (size_t i = 0; i < v->text.n; i++) {
    if (v->text.p[i] < '0' || v->text.p[i] > '9')
      return 0;
    out = 10 * out + (v->text.p[i] - '0');
  }
  return out;
}

static int read_marks(hm_store *s, hm_arena *a, redaction_mark **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (s->version < HM_STORE_SALT_VERSION)
    return 0;
  if (hm_sql_cached(s, SQL[MARKS], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    const hm_json *v = hm_json_parse_as(a, hm_sql_copy(st, 3, a), HM_JSON_ARRAY);
    redaction_mark m = { .by = hm_sql_number(st, 0),
                         .at = hm_sql_copy(st, 1, a),
                         .actor = hm_sql_copy(st, 2, a),
                         .why = hm_sql_copy(st, 4, a) };
    for (const hm_json *r = v ? v->child : NULL; r; r = r->next) {
      if (r->type != HM_JSON_ARRAY || r->count != 2)
        continue;
      m.from = line_number(r->child);
      m.to = line_number(r->child->next);
      if (!m.from)
        continue;
      *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
      (*out)[(*n)++] = m;
    }
  }
  return rc;
}

static bool is_marked(const redaction_mark *m, size_t n, int64_t seq) {
  for (size_t i = 0; i < n; i++)
    if (m[i].from <= seq && seq <= m[i].to && seq < m[i].by)
      return true;
  return false;
}

/* --- redaction ----------------------------------------------------------------------- */

typedef struct {
  const redaction_mark *marks;
  size_t n_marks;
  bool begun;       /* the journal names its store: commits may have seen these hashes */
  hm_buf kept;      /* ranges of lines that keep their hash, as JSON */
  int64_t from, to; /* the last of them, not in kept yet; 0: none */
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
static void rewrite_hash(rewriting *w, journal_row *l, hm_str prev, bool fits, bool changed,
                         char now[65]) {
  bool marked = is_marked(w->marks, w->n_marks, l->seq);
  if (!fits && !marked && !w->out->broken)
    w->out->broken = l->seq;
  if (changed && !w->out->rehashed && (w->begun || l->salt.n || marked)) {
    l->salt = HM_EMPTY;
    if (fits || marked)
      keep_line(w, l->seq);
  } else if (changed && !w->out->rehashed) {
    w->out->rehashed = l->seq;
  }
  if (w->out->rehashed)
    hash_of(prev, l, now);
  else
    snprintf(now, 65, "%.*s", HM_FMT(l->hash));
  l->hash = hm_str_c(now);
}

static int rewrite_lines(hm_store *s, rewriting *w,
                         int (*edit)(void *ctx, hm_journal_line *l, hm_arena *a, hm_err *err),
                         void *ctx, hm_arena *a, hm_err *err) {
  hm_stmt *st = NULL;
  int64_t expected = 0;
  char was[65] = "", now[65] = "", again[65]; /* hashes of the line before: then and from now */
  int rc = select_rows(s, &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(a);
    journal_row l = row_of(st, a);
    hash_of(hm_str_c(was), &l, again);
    bool fits = l.seq == ++expected && hm_str_is(l.hash, again);
    snprintf(was, sizeof was, "%.*s", HM_FMT(l.hash));
    hm_journal_line shown = {
      .seq = l.seq, .ref = l.ref, .before = l.before, .after = l.after, .why = l.why
    };
    rc = edit(ctx, &shown, a, err);
    if (rc < 0)
      break;
    bool changed = rc == 1;
    rc = 0;
    l.before = shown.before, l.after = shown.after, l.why = shown.why;
    char prev[65];
    memcpy(prev, now, sizeof prev);
    rewrite_hash(w, &l, hm_str_c(prev), fits, changed, now);
    if (changed || w->out->rehashed)
      rc = rewrite_row(s, &l, err);
  }
  if (rc)
    hm_sql_reset(st);
  s->tail_known = false;
  return rc;
}

int hm_journal_rewrite(hm_store *s,
                       int (*edit)(void *ctx, hm_journal_line *l, hm_arena *a, hm_err *err),
                       void *ctx, const hm_actor *who, hm_journal_rewritten *out, hm_err *err) {
  hm_arena *a = hm_arena_new(), *one = hm_arena_new();
  redaction_mark *marks;
  hm_str id;
  rewriting w = { .out = out };
  *out = (hm_journal_rewritten){ 0 };
  int rc = read_marks(s, a, &marks, &w.n_marks, err) || read_store_id(s, a, &id, err);
  if (!rc) {
    w.marks = marks;
    w.begun = id.n > 0;
    rc = rewrite_lines(s, &w, edit, ctx, one, err);
    end_range(&w);
  }
  if (!rc && w.kept.n) {
    hm_buf_ch(&w.kept, ']');
    rc = hm_journal_add(s, who, "redact", HM_STR(LINES_REF), HM_EMPTY, hm_buf_view(&w.kept), err);
  }
  hm_buf_free(&w.kept);
  hm_arena_free(one);
  hm_arena_free(a);
  return rc ? -1 : 0;
}

/* --- the beginning ----------------------------------------------------------------------- */

int hm_journal_read_head(hm_store *s, hm_arena *a, hm_journal_head *out, hm_err *err) {
  hm_stmt *st;
  *out = (hm_journal_head){ 0 };
  if (read_store_id(s, a, &out->store, err) || hm_sql_cached(s, SQL[TAIL], &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) {
    out->seq = hm_sql_number(st, 0);
    snprintf(out->head, sizeof out->head, "%.*s", HM_FMT(hm_sql_text(st, 1, a)));
    hm_sql_reset(st);
  }
  return rc < 0 ? -1 : 0;
}

/* From the first line on that never had a salt, hashes are recomputed. */
static int salt_lines(hm_store *s, hm_arena *a, hm_journal_salting *out, hm_err *err) {
  hm_stmt *st;
  redaction_mark *marks = NULL;
  size_t n = 0;
  int64_t expected = 0;
  bool rehash = false;
  char was[65] = "", now[65] = "", next[65]; /* of the line before: then and from now on */
  unsigned char salt[SALT_BYTES];
  hm_arena *one = hm_arena_new();
  int rc = read_marks(s, a, &marks, &n, err) || select_rows(s, &st, err) ? -1 : 0;
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(one);
    journal_row l = row_of(st, one);
    bool marked = is_marked(marks, n, l.seq);
    hash_of(hm_str_c(was), &l, next);
    bool fits = l.seq == ++expected && hm_str_is(l.hash, next);
    if (!fits && !marked && !out->broken)
      out->broken = l.seq;
    snprintf(was, sizeof was, "%.*s", HM_FMT(l.hash));
    rehash = rehash || (!l.salt.n && !marked);
    rc = 0;
    if (!rehash) {
      memcpy(now, was, sizeof now);
      continue;
    }
    if (!l.salt.n) {
      if ((rc = random_bytes(s, salt, sizeof salt, err)))
        break;
      l.salt = (hm_str){ (const char *)salt, sizeof salt };
      out->salted++;
    }
    hash_of(hm_str_c(now), &l, next);
    memcpy(now, next, sizeof now);
    l.hash = hm_str_c(now);
    rc = rewrite_row(s, &l, err);
  }
  if (rc)
    hm_sql_reset(st);
  hm_arena_free(one);
  s->tail_known = false;
  return rc;
}

static int name_store(hm_store *s, const hm_actor *who, const hm_journal_salting *begun,
                      hm_arena *a, hm_err *err) {
  unsigned char id[16];
  char text[33];
  hm_actor by = *who;
  hm_buf why = { 0 };
  if (random_bytes(s, id, sizeof id, err))
    return -1;
  *hm_hex_encode(id, sizeof id, text) = 0;
  hm_buf_c(&why, "publications name this store and where its journal stands");
  if (begun->salted)
    hm_buf_fmt(&why, "; %lld lines of before got salts, and hashes were made anew",
               (long long)begun->salted);
  if (begun->broken)
    hm_buf_fmt(&why, "; line %lld did not fit its chain before", (long long)begun->broken);
  by.why = hm_buf_take(&why, a);
  hm_str ref = hm_str_fmt(a, STORE_REF "%s", text);
  return hm_journal_add(s, &by, "name", ref, HM_EMPTY, HM_EMPTY, err);
}

int hm_journal_give_store_id(hm_store *s, const hm_actor *who, hm_arena *a, hm_journal_head *out,
                             hm_journal_salting *begun, hm_err *err) {
  bool mine;
  *begun = (hm_journal_salting){ 0 };
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  int rc = hm_journal_read_head(s, a, out, err); /* another process may have begun it meanwhile */
  if (!rc && !out->store.n)
    rc = salt_lines(s, a, begun, err) || name_store(s, who, begun, a, err) ||
            hm_journal_read_head(s, a, out, err)
        ? -1
        : 0;
  return hm_store_txn_end(s, mine, rc, err);
}

/* --- the proof --------------------------------------------------------------------------- */

static void share_redactions(const redaction_mark *m, size_t n, hm_arena *a,
                             hm_journal_proof *out) {
  out->redactions = hm_alloc_array(a, n + 1, sizeof *out->redactions);
  out->n_redactions = n;
  for (size_t i = 0; i < n; i++)
    out->redactions[i] =
        (hm_journal_redaction){ m[i].from, m[i].to, m[i].at, m[i].actor, m[i].why };
}

int hm_journal_prove(hm_store *s, hm_journal_noted *sights, size_t n, hm_arena *a,
                     hm_journal_proof *out, hm_err *err) {
  hm_stmt *st;
  redaction_mark *marks = NULL;
  size_t n_marks = 0, next = 0;
  char was[65] = "", now[65];
  bool mine;
  *out = (hm_journal_proof){ 0 };
  if (hm_store_txn(s, false, &mine, err))
    return -1;
  hm_arena *one = hm_arena_new();
  int rc = read_store_id(s, a, &out->store, err) || read_marks(s, a, &marks, &n_marks, err) ||
          select_rows(s, &st, err)
      ? -1
      : 0;
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    rc = 0;
    hm_arena_reset(one);
    journal_row l = row_of(st, one);
    int64_t expected = ++out->lines;
    hash_of(hm_str_c(was), &l, now);
    snprintf(was, sizeof was, "%.*s", HM_FMT(l.hash));
    out->last = l.seq;
    for (; next < n && sights[next].seq <= l.seq; next++)
      sights[next].seen = sights[next].seq == l.seq && hm_str_eq(sights[next].head, l.hash)
          ? HM_SEEN_SAME
          : HM_SEEN_OTHER;
    bool fits = hm_str_is(l.hash, now) || (!l.salt.n && is_marked(marks, n_marks, l.seq));
    if (out->bad || (fits && l.seq == expected))
      continue;
    out->bad = l.seq;
    out->missing = l.seq > expected ? expected : 0;
  }
  for (; next < n; next++)
    sights[next].seen = HM_SEEN_LATER;
  hm_arena_free(one);
  if (!rc)
    share_redactions(marks, n_marks, a, out);
  return hm_store_txn_end(s, mine, rc, err);
}

int hm_journal_verify(hm_store *s, int64_t *lines, int64_t *bad, hm_err *err) {
  hm_journal_proof proof;
  hm_arena *a = hm_arena_new();
  int rc = hm_journal_prove(s, NULL, 0, a, &proof, err);
  *lines = proof.lines;
  *bad = proof.bad;
  hm_arena_free(a);
  return rc;
}
