/* The rows that are members of recorded conflicts, kept for the next look. */
#include <stdlib.h>
#include <string.h>

#include "core/claim/claim_impl.h"

enum { AHEAD = 8 };   /* conflicts that may have come or gone in one place before the rest is looked up again */

void hm_members_free(hm_members *m) {
  free(m->v);
  free(m->rows);
  *m = (hm_members){ 0 };
}

static void add_row(hm_members *m, uint32_t row) {
  if (m->n_rows == m->cap_rows) m->rows = hm_xrealloc(m->rows, (m->cap_rows = 2 * m->cap_rows + 64) * sizeof *m->rows);
  m->rows[m->n_rows++] = row;
}

static hm_members_of *add(hm_members *m, const hm_conflict_rec *c) {
  if (m->n == m->cap) m->v = hm_xrealloc(m->v, (m->cap = 2 * m->cap + 64) * sizeof *m->v);
  hm_members_of *of = &m->v[m->n++];
  *of = (hm_members_of){ .known = c->summed, .first = m->n_rows };
  memcpy(of->sum, c->sum, sizeof of->sum);
  return of;
}

static void look_up(hm_members *m, const hm_snapshot *snap, const hm_conflict_rec *c) {
  hm_members_of *of = add(m, c);
  for (size_t k = 0; k < c->n_members; k++) {
    uint32_t row = hm_snapshot_row(snap, c->members[k].layer, c->members[k].id);
    if (row != HM_MAP_NONE) add_row(m, row);
    else of->known = false;   /* it may come */
  }
  of->n = m->n_rows - of->first;
}

/* What was known of this conflict, in the order of before; NULL: nothing. */
static const hm_members_of *find(const hm_members *was, size_t *at, const hm_conflict_rec *c) {
  for (size_t i = *at; c->summed && i < was->n && i < *at + AHEAD; i++) {
    if (memcmp(was->v[i].sum, c->sum, sizeof c->sum) != 0) continue;
    *at = i + 1;
    return was->v[i].known ? &was->v[i] : NULL;
  }
  return NULL;
}

static void take_over(hm_members *m, const hm_members *was, const hm_members_of *of, const hm_conflict_rec *c) {
  add(m, c)->n = of->n;
  for (size_t i = 0; i < of->n; i++) add_row(m, was->rows[of->first + i]);
}

void hm_members_want(hm_members *m, const hm_snapshot *snap, unsigned char *wanted) {
  hm_members now = { 0 };
  size_t at = 0;
  for (size_t i = 0; i < snap->n_conflicts; i++) {
    const hm_members_of *of = find(m, &at, &snap->conflicts[i]);
    if (of) take_over(&now, m, of, &snap->conflicts[i]);
    else look_up(&now, snap, &snap->conflicts[i]);
  }
  for (size_t i = 0; i < now.n_rows; i++) wanted[now.rows[i]] = 1;
  hm_members_free(m);
  *m = now;
}

void hm_members_follow(hm_members *m, const hm_follow_news *news) {
  for (size_t i = 0; news->n_inserted && i < m->n_rows; i++) m->rows[i] = hm_row_moved(m->rows[i], news->inserted, news->n_inserted);
}
