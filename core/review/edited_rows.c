/* Rows without an id of their own that were edited in their source: see edited_rows.h.
 *
 * The id of such a row is the digest of its record, so an edit is a row that goes and one that
 * comes. Cost: one snapshot, and the claims of the rows that the source names. */
#include "core/review/edited_rows.h"

#include <stdlib.h>

#include "core/base/par.h"
#include "core/base/sort.h"
#include "core/claim/claim.h"
#include "core/claim/relation.h"

typedef struct {
  const hm_rules *rules;
  const hm_snapshot *snap;
  const hm_map *named;
  const hm_claims *claims;
  hm_arena *a;
} edits;

/* The same relation: of one type, from one row to another. */
static bool is_same_relation(const hm_row *a, const hm_row *b) {
  return a->layer == HM_RELATION && b->layer == HM_RELATION && hm_str_eq(a->type, b->type) &&
      hm_str_eq(a->from, b->from) && hm_str_eq(a->to, b->to);
}

static bool is_replaced_by(const edits *x, const hm_claim *gone, const hm_claim *here) {
  if (gone->layer != here->layer || gone->row == here->row || !hm_claims_share_slot(gone, here))
    return false;
  const hm_row *rows = x->snap->rows;
  if (is_same_relation(&rows[gone->row], &rows[here->row]))
    return true;
  return hm_relation_max_at_once(x->rules, gone->space) == 1 && hm_claim_comparable(gone, here) &&
      (hm_claim_overlap(gone, here) || hm_claim_may_overlap(gone, here));
}

static bool is_named(const edits *x, uint32_t row) {
  return hm_map_get(x->named, hm_row_ref(x->a, &x->snap->rows[row])) != HM_MAP_NONE;
}

static bool is_edited(const edits *x, uint32_t row) {
  const hm_claims *c = x->claims;
  for (size_t i = hm_claims_first_of_row(c, row); i < c->n && c->claims[i].row == row; i++)
    for (size_t k = 0; k < c->n; k++)
      if (c->claims[k].hash == c->claims[i].hash &&
          is_replaced_by(x, &c->claims[i], &c->claims[k]) && is_named(x, c->claims[k].row))
        return true;
  for (size_t k = x->snap->first[HM_RELATION]; k < x->snap->first[HM_RELATION + 1]; k++)
    if (k != row && is_same_relation(&x->snap->rows[row], &x->snap->rows[k]) &&
        is_named(x, (uint32_t)k))
      return true;
  return false;
}

/* The rows in question, ascending. */
static uint32_t *list_rows(const edits *x, const hm_str *gone, size_t n, size_t *n_rows) {
  const hm_snapshot *snap = x->snap;
  hm_map asked;
  uint32_t *rows = hm_alloc_array(x->a, snap->n_rows + 1, sizeof *rows);
  hm_map_init(&asked, x->a, n);
  for (size_t i = 0; i < n; i++)
    hm_map_add(&asked, gone[i], 0);
  *n_rows = 0;
  for (size_t i = 0; i < snap->n_rows; i++) {
    hm_str ref = hm_row_ref(x->a, &snap->rows[i]);
    bool open = snap->rows[i].status == HM_ACTIVE || snap->rows[i].status == HM_CANDIDATE;
    bool in = hm_map_get(&asked, ref) != HM_MAP_NONE || hm_map_get(x->named, ref) != HM_MAP_NONE;
    if (in && open)
      rows[(*n_rows)++] = (uint32_t)i;
  }
  if (*n_rows)
    qsort(rows, *n_rows, sizeof *rows, hm_order_u32);
  return rows;
}

int hm_edited_rows_find(void *ctx, hm_store *s, const hm_str *gone, size_t n, const hm_map *named,
                        bool *edited, hm_err *err) {
  hm_arena *a = hm_arena_new();
  edits x = { .rules = ctx, .named = named, .a = a };
  hm_snapshot *snap;
  hm_claims *claims = NULL;
  size_t n_rows = 0;
  int rc = hm_store_snapshot(s, a, false, &snap, err);
  if (!rc) {
    x.snap = snap;
    uint32_t *rows = list_rows(&x, gone, n, &n_rows);
    rc = hm_claims_read_rows(snap, x.rules, rows, n_rows, hm_par_cores(), &claims, err);
  }
  x.claims = claims;
  for (size_t i = 0; i < n && !rc; i++) {
    hm_layer layer;
    hm_str id;
    uint32_t row =
        hm_ref_parse(gone[i], &layer, &id) ? hm_snapshot_row(snap, layer, id) : HM_MAP_NONE;
    edited[i] = row != HM_MAP_NONE && is_edited(&x, row);
  }
  hm_claims_free(claims);
  hm_arena_free(a);
  return rc;
}
