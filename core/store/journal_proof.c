/* See journal_proof.h. A line without a salt that a later line of the journal names as redacted
 * need not fit: its hash is believed, since the next line's hash covers it. */
#include "core/store/journal_proof.h"

#include <stdio.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/store/journal_impl.h"

enum { TAIL, STORE, MARKS };
static const char *const SQL[] = {
  [TAIL] = "SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1",
  [STORE] = "SELECT ref FROM journal WHERE ref > 'store:' AND ref < 'store;' ORDER BY +seq LIMIT 1",
  [MARKS] = "SELECT seq, at, actor, after, why FROM journal WHERE ref = '" HM_JOURNAL_LINES_REF
      "' AND verb = 'redact' ORDER BY seq",
};

/* --- what the journal says of itself ----------------------------------------------------- */

int hm_journal_store(hm_store *s, hm_arena *a, hm_str *id, hm_err *err) {
  if (hm_sql_one(s, SQL[STORE], NULL, a, id, err)) return -1;
  if (id->n) *id = hm_str_sub(*id, strlen(HM_JOURNAL_STORE_REF), id->n);
  return 0;
}

/* The number of a line; 0 for what is none. */
static int64_t line_number(const hm_json *v) {
  int64_t out = 0;
  if (v->type != HM_JSON_NUMBER || v->text.n > 18) return 0;
  for (size_t i = 0; i < v->text.n; i++) {
    if (v->text.p[i] < '0' || v->text.p[i] > '9') return 0;
    out = 10 * out + (v->text.p[i] - '0');
  }
  return out;
}

int hm_journal_marks(hm_store *s, hm_arena *a, hm_journal_mark **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (s->version < HM_STORE_SALT_VERSION) return 0;
  if (hm_sql_cached(s, SQL[MARKS], &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_json *v;
    hm_journal_mark m = { .by = hm_sql_number(st, 0), .at = hm_sql_copy(st, 1, a),
                          .actor = hm_sql_copy(st, 2, a), .why = hm_sql_copy(st, 4, a) };
    if (hm_json_parse(a, hm_sql_copy(st, 3, a), &v, NULL) || v->type != HM_JSON_ARRAY) continue;
    for (const hm_json *r = v->child; r; r = r->next) {
      if (r->type != HM_JSON_ARRAY || r->count != 2) continue;
      m.from = line_number(r->child);
      m.to = line_number(r->child->next);
      if (!m.from) continue;
      *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
      (*out)[(*n)++] = m;
    }
  }
  return rc;
}

bool hm_journal_marked(const hm_journal_mark *m, size_t n, int64_t seq) {
  for (size_t i = 0; i < n; i++)
    if (m[i].from <= seq && seq <= m[i].to && seq < m[i].by) return true;
  return false;
}

int hm_journal_stand_of(hm_store *s, hm_arena *a, hm_journal_stand *out, hm_err *err) {
  hm_stmt *st;
  *out = (hm_journal_stand){ 0 };
  if (hm_journal_store(s, a, &out->store, err) || hm_sql_cached(s, SQL[TAIL], &st, err)) return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) {
    out->seq = hm_sql_number(st, 0);
    snprintf(out->head, sizeof out->head, "%.*s", HM_FMT(hm_sql_text(st, 1, a)));
    hm_sql_reset(st);
  }
  return rc < 0 ? -1 : 0;
}

/* --- the beginning ----------------------------------------------------------------------- */

/* From the first line on that never had a salt, hashes are made anew. */
static int salt_lines(hm_store *s, hm_arena *a, hm_journal_begun *out, hm_err *err) {
  hm_stmt *st;
  hm_journal_mark *marks = NULL;
  size_t n = 0;
  int64_t expected = 0;
  bool anew = false;
  char was[65] = "", now[65] = "", next[65];   /* of the line before: then and from now on */
  unsigned char salt[HM_SALT_BYTES];
  hm_arena *one = hm_arena_new();
  int rc = hm_journal_marks(s, a, &marks, &n, err) || hm_journal_rows(s, &st, err) ? -1 : 0;
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(one);
    hm_journal_row l = hm_journal_row_read(st, one);
    bool marked = hm_journal_marked(marks, n, l.seq);
    hm_journal_hash(hm_str_c(was), &l, next);
    bool fits = l.seq == ++expected && hm_str_is(l.hash, next);
    if (!fits && !marked && !out->broken) out->broken = l.seq;
    snprintf(was, sizeof was, "%.*s", HM_FMT(l.hash));
    anew = anew || (!l.salt.n && !marked);
    rc = 0;
    if (!anew) {
      memcpy(now, was, sizeof now);
      continue;
    }
    if (!l.salt.n) {
      if ((rc = hm_journal_random(s, salt, sizeof salt, err))) break;
      l.salt = (hm_str){ (const char *)salt, sizeof salt };
      out->salted++;
    }
    hm_journal_hash(hm_str_c(now), &l, next);
    memcpy(now, next, sizeof now);
    l.hash = hm_str_c(now);
    rc = hm_journal_row_write(s, &l, err);
  }
  if (rc) hm_sql_reset(st);
  hm_arena_free(one);
  s->tail_known = false;
  return rc;
}

static int name_store(hm_store *s, const hm_actor *who, const hm_journal_begun *begun, hm_arena *a,
                      hm_err *err) {
  unsigned char id[16];
  char text[33];
  hm_actor by = *who;
  hm_buf why = { 0 };
  if (hm_journal_random(s, id, sizeof id, err)) return -1;
  *hm_hex(id, sizeof id, text) = 0;
  hm_buf_c(&why, "publications name this store and where its journal stands");
  if (begun->salted)
    hm_buf_fmt(&why, "; %lld lines of before got salts, and hashes were made anew",
               (long long)begun->salted);
  if (begun->broken)
    hm_buf_fmt(&why, "; line %lld did not fit its chain before", (long long)begun->broken);
  by.why = hm_buf_take(&why, a);
  hm_str ref = hm_str_fmt(a, HM_JOURNAL_STORE_REF "%s", text);
  return hm_journal_add(s, &by, "name", ref, HM_EMPTY, HM_EMPTY, err);
}

int hm_journal_begin(hm_store *s, const hm_actor *who, hm_arena *a, hm_journal_stand *out,
                     hm_journal_begun *begun, hm_err *err) {
  bool mine;
  *begun = (hm_journal_begun){ 0 };
  if (hm_sql_txn(s, true, &mine, err)) return -1;
  int rc = hm_journal_stand_of(s, a, out, err);   /* another process may have begun it meanwhile */
  if (!rc && !out->store.n)
    rc = salt_lines(s, a, begun, err) || name_store(s, who, begun, a, err) ||
            hm_journal_stand_of(s, a, out, err)
        ? -1
        : 0;
  return hm_sql_txn_end(s, mine, rc, err);
}

/* --- the proof --------------------------------------------------------------------------- */

static void share_redactions(const hm_journal_mark *m, size_t n, hm_arena *a,
                             hm_journal_proof *out) {
  out->redactions = hm_alloc_array(a, n + 1, sizeof *out->redactions);
  out->n_redactions = n;
  for (size_t i = 0; i < n; i++)
    out->redactions[i] =
        (hm_journal_redaction){ m[i].from, m[i].to, m[i].at, m[i].actor, m[i].why };
}

int hm_journal_prove(hm_store *s, hm_journal_sight *sights, size_t n, hm_arena *a,
                     hm_journal_proof *out, hm_err *err) {
  hm_stmt *st;
  hm_journal_mark *marks = NULL;
  size_t n_marks = 0, next = 0;
  char was[65] = "", now[65];
  bool mine;
  *out = (hm_journal_proof){ 0 };
  if (hm_sql_txn(s, false, &mine, err)) return -1;
  hm_arena *one = hm_arena_new();
  int rc = hm_journal_store(s, a, &out->store, err) ||
          hm_journal_marks(s, a, &marks, &n_marks, err) || hm_journal_rows(s, &st, err)
      ? -1
      : 0;
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    rc = 0;
    hm_arena_reset(one);
    hm_journal_row l = hm_journal_row_read(st, one);
    int64_t expected = ++out->lines;
    hm_journal_hash(hm_str_c(was), &l, now);
    snprintf(was, sizeof was, "%.*s", HM_FMT(l.hash));
    out->last = l.seq;
    for (; next < n && sights[next].seq <= l.seq; next++)
      sights[next].seen = sights[next].seq == l.seq && hm_str_eq(sights[next].head, l.hash)
          ? HM_SEEN_SAME
          : HM_SEEN_OTHER;
    bool fits = hm_str_is(l.hash, now) ||
        (!l.salt.n && hm_journal_marked(marks, n_marks, l.seq));
    if (out->bad || (fits && l.seq == expected)) continue;
    out->bad = l.seq;
    out->missing = l.seq > expected ? expected : 0;
  }
  for (; next < n; next++) sights[next].seen = HM_SEEN_LATER;
  hm_arena_free(one);
  if (!rc) share_redactions(marks, n_marks, a, out);
  return hm_sql_txn_end(s, mine, rc, err);
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
