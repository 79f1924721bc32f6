/* Memories of one key, read for a write: see similar_rows.h. Cost: the rows of the keys, and two
 * searches for the links of each. */
#include "core/review/similar_rows.h"

#include <stdlib.h>

#include "core/claim/claim.h"
#include "core/claim/judged.h"
#include "core/detect/rule.h"
#include "core/detect/similar_groups.h"
#include "core/review/index_entries.h"
#include "core/store/links.h"
#include "core/store/partial_snapshot.h"
#include "core/store/remarks.h"

static bool memory_id(hm_str ref, hm_str *id) {
  if (!hm_str_starts(ref, "memory:"))
    return false;
  *id = hm_str_sub(ref, sizeof "memory:" - 1, ref.n);
  return true;
}

/* The keys of these memories, each once. */
static int read_keys(hm_store *s, const hm_str *refs, size_t n, hm_arena *a, hm_slot_set *keys,
                     hm_err *err) {
  hm_partial *p = hm_partial_new(s, false, a);
  const hm_row *rows;
  size_t n_rows = 0;
  hm_str id;
  for (size_t i = 0; i < n; i++)
    if (memory_id(refs[i], &id))
      hm_partial_want(p, HM_MEMORY, id);
  int rc = hm_partial_read(p, &rows, &n_rows, err);
  for (size_t i = 0; i < n_rows && !rc; i++) {
    uint64_t key = hm_similar_row_key(&rows[i], a);
    if (key)
      hm_slot_set_add(keys, key);
  }
  hm_slot_set_sort(keys);
  hm_partial_free(p);
  return rc;
}

/* Reads the links from these rows to any row. */
static int read_links(hm_store *s, hm_snapshot *snap, hm_arena *a, hm_err *err) {
  size_t cap = 0;
  snap->links = NULL;
  snap->n_links = 0;
  for (size_t i = 0; i < snap->n_rows; i++) {
    hm_str ends[2];
    size_t n_ends = hm_link_ends(hm_row_ref(a, &snap->rows[i]), ends);
    for (size_t k = 0; k < n_ends; k++) {
      hm_link *links;
      size_t n;
      if (hm_store_links_at(s, ends[k], true, a, &links, &n, err))
        return -1;
      for (size_t l = 0; l < n; l++) {
        snap->links = hm_array_grow_in(a, snap->links, snap->n_links, &cap, sizeof *snap->links);
        snap->links[snap->n_links++] = links[l];
      }
    }
  }
  return 0;
}

/* The other row of each pair that a judge spoke of. */
static int add_judged(hm_store *s, hm_str ref, hm_arena *a, hm_row_keys *rows, hm_err *err) {
  hm_str *ids, id;
  size_t n;
  if (hm_proposal_ids_about(s, ref, a, &ids, &n, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    hm_proposal p;
    bool found;
    if (hm_proposal_load(s, ids[i], a, &p, &found, err))
      return -1;
    for (size_t k = 0; found && hm_proposal_is_similar(&p) && k < p.n; k++)
      if (memory_id(p.rows[k], &id))
        hm_row_keys_add(rows, (hm_row_key){ HM_MEMORY, id });
  }
  return 0;
}

int hm_similar_rows_read(hm_store *s, const hm_str *refs, size_t n, hm_str without, hm_arena *a,
                         hm_snapshot **out, hm_err *err) {
  hm_row_keys rows = { 0 };
  hm_slot_set keys = { 0 };
  hm_str id;
  *out = NULL;
  int rc = read_keys(s, refs, n, a, &keys, err);
  for (size_t i = 0; i < keys.n && !rc; i++) {
    size_t had = rows.n;
    rc = hm_index_find_rows(s, keys.v[i], HM_INDEX_SIMILAR, HM_INDEX_SIMILAR,
                            HM_SIMILAR_ROWS_MAX + 1, a, &rows, err);
    if (rows.n - had > HM_SIMILAR_ROWS_MAX)
      rows.n = had;
  }
  bool none = !keys.n;
  free(keys.v);
  if (rc || none) {
    free(rows.v);
    return rc;
  }
  hm_partial *p = hm_partial_new(s, false, a);
  for (size_t i = 0; i < n; i++)
    if (memory_id(refs[i], &id))
      hm_row_keys_add(&rows, (hm_row_key){ HM_MEMORY, id });
  for (size_t i = 0; i < n && !rc; i++)
    rc = add_judged(s, refs[i], a, &rows, err);
  for (size_t i = 0; i < rows.n; i++)
    if (!hm_str_eq(hm_ref_text(a, HM_MEMORY, rows.v[i].id), without))
      hm_partial_want(p, HM_MEMORY, rows.v[i].id);
  if (!rc)
    rc = hm_partial_end(p, out, err);
  if (!rc)
    rc = read_links(s, *out, a, err);
  hm_partial_free(p);
  free(rows.v);
  return rc;
}

/* --- their findings -------------------------------------------------------------------------- */

int hm_similar_rows_findings(hm_store *s, const hm_rules *rules, const hm_str *refs, size_t n,
                             hm_str without, hm_arena *a, hm_similar_found *out, hm_err *err) {
  const hm_rule *rule = hm_rule_named(hm_config_rule_table(rules), HM_STR("similar"));
  hm_rule_table table = { rule, 1 };
  hm_rules own = *rules;
  hm_snapshot *snap;
  hm_claims *claims;
  hm_disputes *d;
  own.table = &table;
  *out = (hm_similar_found){ 0 };
  if (!rule)
    return 0;
  if (hm_similar_rows_read(s, refs, n, without, a, &snap, err))
    return -1;
  if (!snap)
    return 0;
  if (hm_claims_read(snap, rules, 1, &claims, err))
    return -1;
  int rc = hm_rules_run(snap, claims, &own, NULL, true, 1, a, &d, err);
  if (!rc) {
    hm_finding *found = hm_alloc_array(a, d->n_findings, sizeof *found);
    for (size_t i = 0; i < d->n_findings; i++)
      found[i] = *hm_finding_copy(&d->findings[i], a);
    *out = (hm_similar_found){ found, d->n_findings, snap };
  }
  hm_claims_free(claims);
  return rc;
}
