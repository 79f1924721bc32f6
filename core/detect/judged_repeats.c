/* Which disputes that a model proposed say no more than another dispute does.
 *
 * A rule may find a contradiction after a model proposed it: then the same rows are in two
 * disputes, and a person would be asked twice. A judged dispute is left out when one dispute that
 * no model proposed holds all of its rows, disputed or settled; of several the first. Its record
 * merges into that one's (conflict_plan.c), and is open again when that one is gone. A verdict on
 * it stays as it is. Cost: O(n log n) over the parties of all disputes that share a row with a
 * judged one; one look at each dispute where none is judged.
 * Source: a proposal over rows that are in a conflict already adds nothing. */
#include <stdlib.h>

#include "core/claim/judged.h"
#include "core/detect/conflict.h"

/* A row that is in a dispute. */
typedef struct { uint32_t row, dispute; } row_in;

static bool is_proposed(const hm_dispute *d) {
  const hm_claim *c = d->parties[0].claim;
  return hm_claim_is_judged(c) && !hm_claim_is_confirmed(c);
}

static int by_row(const void *x, const void *y) {
  const row_in *a = x, *b = y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return (a->dispute > b->dispute) - (a->dispute < b->dispute);
}

/* Rows of the disputes that no model proposed, as far as judged disputes have them. */
static row_in *list_rows(const hm_snapshot *snap, const hm_disputes *d, hm_arena *a, size_t *n) {
  bool *judged = hm_alloc_array(a, snap->n_rows, sizeof *judged);
  row_in *v = NULL;
  size_t cap = 0;
  for (size_t i = 0; i < d->n; i++)
    for (size_t k = 0; k < d->disputes[i].n && is_proposed(&d->disputes[i]); k++)
      judged[d->disputes[i].parties[k].claim->row] = true;
  *n = 0;
  for (size_t i = 0; i < d->n; i++)
    for (size_t k = 0; k < d->disputes[i].n && !is_proposed(&d->disputes[i]); k++) {
      uint32_t row = d->disputes[i].parties[k].claim->row;
      if (!judged[row]) continue;
      v = hm_array_grow_in(a, v, *n, &cap, sizeof *v);
      v[(*n)++] = (row_in){ row, (uint32_t)i };
    }
  if (*n) qsort(v, *n, sizeof *v, by_row);
  return v;
}

/* The first dispute that holds all rows of this one; SIZE_MAX: none. */
static size_t repeated_by(const hm_dispute *d, const row_in *v, size_t n) {
  size_t lo = 0, hi = n;
  uint32_t first = d->parties[0].claim->row;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (v[mid].row < first) lo = mid + 1;
    else hi = mid;
  }
  for (; lo < n && v[lo].row == first; lo++) {
    size_t k = 1;
    for (; k < d->n; k++) {
      row_in x = { d->parties[k].claim->row, v[lo].dispute };
      if (!bsearch(&x, v, n, sizeof x, by_row)) break;
    }
    if (k == d->n) return v[lo].dispute;
  }
  return SIZE_MAX;
}

void hm_disputes_drop_repeats(const hm_snapshot *snap, hm_disputes *d, hm_arena *a) {
  size_t n_judged = 0, n_rows, kept = 0;
  for (size_t i = 0; i < d->n; i++) n_judged += is_proposed(&d->disputes[i]);
  if (!n_judged || n_judged == d->n) return;
  hm_arena *scratch = hm_arena_new();
  const row_in *rows = list_rows(snap, d, scratch, &n_rows);
  size_t *now = hm_alloc_array(scratch, d->n, sizeof *now), *of;
  of = hm_alloc_array(scratch, n_judged, sizeof *of);
  d->repeats = hm_alloc_array(a, n_judged, sizeof *d->repeats);
  for (size_t i = 0; i < d->n; i++) {
    const hm_dispute *x = &d->disputes[i];
    size_t by = is_proposed(x) ? repeated_by(x, rows, n_rows) : SIZE_MAX;
    if (by != SIZE_MAX) {
      of[d->n_repeats] = by;
      d->repeats[d->n_repeats++].slot_key = x->slot_key;
      continue;
    }
    now[i] = kept;
    d->disputes[kept++] = *x;
  }
  d->n = kept;
  for (size_t i = 0; i < d->n_repeats; i++) d->repeats[i].of = &d->disputes[now[of[i]]];
  hm_arena_free(scratch);
}
