/* Records of rules in SQL: rule_records.h. Each has a check over its own text, so that a damaged
 * one is never believed. */
#include "core/store/rule_records.h"

#include "core/base/digest.h"
#include "core/store/sql_impl.h"

enum { HAS_TABLE, ALL, CLEAR, INSERT };
static const char *const SQL[] = {
  [HAS_TABLE] = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'rule_results'",
  [ALL] = "SELECT rule, digest, findings, proof FROM rule_results ORDER BY rule",
  [CLEAR] = "DELETE FROM rule_results",
  [INSERT] = "INSERT INTO rule_results (rule, digest, findings, proof) VALUES (?1, ?2, ?3, ?4)",
};

static hm_str proof_of(const hm_rule_record *r, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, r->rule);
  hm_sha256_field(&h, r->digest);
  hm_sha256_field(&h, r->findings);
  return hm_sha256_hex(&h, a, 32);
}

int hm_store_rule_records(hm_store *s, hm_arena *a, hm_rule_record **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  bool has;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_has(s, SQL[HAS_TABLE], NULL, &has, err)) return -1;
  if (!has) return 0;
  if (hm_sql_cached(s, SQL[ALL], &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_rule_record r = { hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a), hm_sql_copy(st, 2, a) };
    if (!hm_str_eq(hm_sql_text(st, 3, a), proof_of(&r, a))) continue;
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = r;
  }
  return rc;
}

static bool same(const hm_rule_record *v, size_t n, const hm_rule_record *w, size_t m) {
  size_t i = 0;
  while (i < n && n == m && hm_str_eq(v[i].rule, w[i].rule) &&
         hm_str_eq(v[i].digest, w[i].digest) && hm_str_eq(v[i].findings, w[i].findings))
    i++;
  return i == n && n == m;
}

static int replace(hm_store *s, const hm_rule_record *v, size_t n, hm_arena *a, hm_err *err) {
  hm_rule_record *now;
  size_t n_now;
  bool has;
  if (hm_sql_has(s, SQL[HAS_TABLE], NULL, &has, err)) return -1;
  if (!has) return 0;
  if (hm_store_rule_records(s, a, &now, &n_now, err)) return -1;
  if (same(v, n, now, n_now)) return 0;
  if (hm_sql_do(s, SQL[CLEAR], NULL, err)) return -1;
  for (size_t i = 0; i < n; i++)
    if (hm_sql_do(s, SQL[INSERT],
                  HM_ARGS(hm_arg_text(v[i].rule), hm_arg_text(v[i].digest),
                          hm_arg_text(v[i].findings), hm_arg_text(proof_of(&v[i], a))),
                  err))
      return -1;
  return 0;
}

int hm_store_put_rule_records(hm_store *s, const hm_rule_record *v, size_t n, hm_err *err) {
  bool mine;
  if (hm_sql_txn(s, true, &mine, err)) return -1;
  hm_arena *a = hm_arena_new();
  int rc = hm_sql_txn_end(s, mine, replace(s, v, n, a, err), err);
  hm_arena_free(a);
  return rc;
}
