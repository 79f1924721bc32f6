/* Which rows disputes concern: see concern.h.
 *
 * From each member one step leads to what it is about, a subject. From members and subjects the
 * steps to what they are a part of are walked to the end. The name of the slot leads to the
 * subsystem or component that it begins with: a subject, unless the walk has met it ("frame leg
 * mass" of a leg that is a part of the frame). */
#include "core/detect/concern.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"

typedef struct {
  const hm_belongs *belongs;
  const hm_snapshot *of; /* the rows of the claims */
  hm_arena *a, *tmp;
  uint32_t dispute;
  hm_concern *v; /* those of one dispute stand together, and are its queue */
  size_t n, cap;
  uint32_t *stamp; /* by row: 1 + the last dispute that concerns it */
} collecting;

static void add(collecting *c, uint32_t row, hm_concern_kind kind) {
  if (row == HM_MAP_NONE || c->stamp[row] == c->dispute + 1)
    return;
  c->stamp[row] = c->dispute + 1;
  c->v = hm_array_grow_in(c->a, c->v, c->n, &c->cap, sizeof *c->v);
  c->v[c->n++] = (hm_concern){ row, c->dispute, kind };
}

static bool add_subject(void *ctx, uint32_t row, hm_str name, hm_belonging how) {
  (void)name;
  if (how == HM_IS_ABOUT)
    add(ctx, row, HM_CONCERNS_SUBJECT);
  return false;
}

static bool add_container(void *ctx, uint32_t row, hm_str name, hm_belonging how) {
  (void)name;
  if (how == HM_IS_WITHIN)
    add(ctx, row, HM_CONCERNS_INSIDE);
  return false;
}

/* Visits the rows from this one on, also those that it adds. */
static void walk(collecting *c, size_t from, size_t *to, hm_belongs_fn *fn) {
  for (size_t i = from; i < *to; i++) {
    hm_belongs_visit(c->belongs, c->v[i].row, fn, c, c->tmp);
    hm_arena_reset(c->tmp);
  }
}

/* The row of a member among those that are walked. */
static uint32_t row_of(const collecting *c, const hm_claim *claim) {
  const hm_snapshot *walked = hm_belongs_rows(c->belongs);
  const hm_row *r = &c->of->rows[claim->row];
  return walked == c->of ? claim->row : hm_snapshot_row(walked, r->layer, r->id);
}

static void collect(collecting *c, const hm_dispute *d, hm_concern_shown *shown, const void *ctx) {
  size_t first = c->n, members, met;
  bool any = false;
  for (size_t i = 0; i < d->n; i++)
    if (!shown || shown(ctx, d->parties[i].claim)) {
      add(c, row_of(c, d->parties[i].claim), HM_CONCERNS_MEMBER);
      any = true;
    }
  if (!any)
    return;
  members = c->n;
  walk(c, first, &members, add_subject);
  walk(c, first, &c->n, add_container);
  met = c->n;
  hm_belongs_visit_slot(c->belongs, d->slot_key, add_subject, c, c->tmp);
  hm_belongs_visit_slot(c->belongs, d->slot_key, add_container, c, c->tmp);
  walk(c, met, &c->n, add_container);
}

static int by_row(const void *x, const void *y) {
  const hm_concern *a = x, *b = y;
  if (a->row != b->row)
    return a->row < b->row ? -1 : 1;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  return (a->dispute > b->dispute) - (a->dispute < b->dispute);
}

static int by_dispute(const void *x, const void *y) {
  const hm_concern *a = x, *b = y;
  if (a->dispute != b->dispute)
    return a->dispute < b->dispute ? -1 : 1;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

void hm_concerns_collect(const hm_belongs *belongs, const hm_snapshot *of,
                         const hm_dispute *const *disputes, size_t n, hm_concern_shown *shown,
                         const void *ctx, hm_arena *a, hm_concerns *out) {
  hm_arena *walked = hm_arena_new(), *tmp = hm_arena_new();
  const hm_snapshot *snap = hm_belongs_rows(belongs);
  collecting c = { .belongs = belongs, .of = of, .a = walked, .tmp = tmp };
  for (size_t i = 0; i < n; i++) {
    if (disputes[i] && !c.stamp)
      c.stamp = hm_alloc_array(walked, snap->n_rows + 1, sizeof *c.stamp);
    c.dispute = (uint32_t)i;
    if (disputes[i])
      collect(&c, disputes[i], shown, ctx);
    hm_arena_reset(tmp);
  }
  hm_concern *rows = hm_alloc_array(a, c.n + 1, sizeof *rows),
             *by = hm_alloc_array(a, c.n + 1, sizeof *by);
  if (c.n) {
    memcpy(rows, c.v, c.n * sizeof *rows);
    memcpy(by, c.v, c.n * sizeof *by);
    qsort(rows, c.n, sizeof *rows, by_row);
    qsort(by, c.n, sizeof *by, by_dispute);
  }
  *out = (hm_concerns){ snap, rows, by, c.n };
  hm_arena_free(tmp);
  hm_arena_free(walked);
}

static int dispute_order(const void *item, const void *key) {
  uint32_t at = ((const hm_concern *)item)->dispute, want = *(const uint32_t *)key;
  return (at > want) - (at < want);
}

const hm_concern *hm_concerns_of_row(const hm_concerns *c, uint32_t row, size_t *n) {
  size_t from = c->n ? hm_lower_bound(c->by_row, c->n, sizeof *c->by_row, &row, hm_order_u32) : 0;
  for (*n = 0; from + *n < c->n && c->by_row[from + *n].row == row;)
    ++*n;
  return c->by_row + from;
}

const hm_concern *hm_concerns_of_dispute(const hm_concerns *c, uint32_t dispute, size_t *n) {
  size_t from = c->n
      ? hm_lower_bound(c->by_dispute, c->n, sizeof *c->by_dispute, &dispute, dispute_order)
      : 0;
  for (*n = 0; from + *n < c->n && c->by_dispute[from + *n].dispute == dispute;)
    ++*n;
  return c->by_dispute + from;
}
