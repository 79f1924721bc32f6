/* A snapshot of a few rows: see partial.h. */
#include "core/store/partial.h"
#include "core/store/proposals.h"
#include <stdlib.h>
#include <string.h>
#include "core/store/snapshot_impl.h"

enum { MEMBERSHIPS, MEMBER_ROWS, STATUS };
static const char *const SQL[] = {
  [MEMBERSHIPS] = "SELECT DISTINCT c.id, c.slot_key, c.status"
      " FROM conflict_members m JOIN conflicts c ON c.id = m.conflict_id"
      " WHERE m.member_kind = ?1 AND m.member_id = ?2 ORDER BY c.slot_key, c.id",
  [MEMBER_ROWS] =
      "SELECT DISTINCT member_kind, member_id FROM conflict_members WHERE conflict_id = ?1",
  [STATUS] = "SELECT status FROM conflicts WHERE id = ?1",
};

/* One layer: the requested ids and the rows read for them. */
typedef struct {
  hm_map asked;
  hm_str *ids; size_t n_ids, cap_ids, done;      /* ids[done..] are still to be read */
  hm_row *rows; hm_row_detail *details; size_t n, cap;
} pile;

struct hm_partial {
  hm_snapshot_reader r;
  pile piles[HM_RELATION + 1];
  hm_row *round; size_t n_round, cap_round;      /* rows of the last read */
};

hm_partial *hm_partial_new(hm_store *s, bool details, hm_arena *a) {
  hm_partial *p = memset(hm_xmalloc(sizeof *p), 0, sizeof *p);
  p->r = (hm_snapshot_reader){ .s = s,
                               .a = a,
                               .details = details,
                               .out = hm_alloc(a, sizeof(hm_snapshot)),
                               .newest = hm_newest_before(HM_TIME_MIN),
                               .lock = PTHREAD_MUTEX_INITIALIZER };
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) hm_map_init(&p->piles[l].asked, a, 8);
  return p;
}

void hm_partial_free(hm_partial *p) {
  if (!p) return;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    free(p->piles[l].ids);
    free(p->piles[l].rows);
    free(p->piles[l].details);
  }
  free(p->round);
  free(p->r.projects);
  free(p);
}

void hm_partial_want(hm_partial *p, hm_layer layer, hm_str id) {
  pile *l = &p->piles[layer];
  if (hm_map_get(&l->asked, id) != HM_MAP_NONE) return;
  l->ids = hm_array_grow(l->ids, l->n_ids, &l->cap_ids, sizeof *l->ids);
  l->ids[l->n_ids] = hm_str_dup(p->r.a, id);
  hm_map_add(&l->asked, l->ids[l->n_ids], 0);
  l->n_ids++;
}

int hm_partial_want_project(hm_partial *p, hm_str name, hm_err *err) {
  p->r.err = err;
  return hm_read_projects_named(&p->r, name);
}

static void make_room(hm_partial *p, pile *l, size_t more) {
  if (l->n + more > l->cap) {
    l->cap = 2 * l->cap + more;
    l->rows = hm_xrealloc(l->rows, l->cap * sizeof *l->rows);
    if (p->r.details) l->details = hm_xrealloc(l->details, l->cap * sizeof *l->details);
  }
  if (p->n_round + more > p->cap_round)
    p->round = hm_xrealloc(p->round, (p->cap_round = 2 * p->cap_round + more) * sizeof *p->round);
}

static int name_projects(hm_partial *p, hm_table_part *part) {
  for (size_t i = 0; i < part->n_projects; i++)
    if (hm_read_projects_named(&p->r, part->projects[i])) return -1;
  hm_adopt_part(&p->r, part);
  return 0;
}

static int read_pile(hm_partial *p, hm_layer layer) {
  pile *l = &p->piles[layer];
  size_t n = l->n_ids - l->done;
  if (!n) return 0;
  make_room(p, l, n);
  memset(l->rows + l->n, 0, n * sizeof *l->rows);
  if (p->r.details) memset(l->details + l->n, 0, n * sizeof *l->details);
  hm_table_part part = { .r = &p->r,
                   .s = p->r.s,
                   .err = p->r.err,
                   .layer = layer,
                   .ids = l->ids + l->done,
                   .n = n,
                   .rows = l->rows + l->n,
                   .details = p->r.details ? l->details + l->n : NULL };
  int rc = hm_read_part(&part);
  if (!rc) rc = name_projects(p, &part);
  free(part.projects);
  if (rc) return -1;
  if (part.got) memcpy(p->round + p->n_round, l->rows + l->n, part.got * sizeof *p->round);
  p->n_round += part.got;
  l->n += part.got;
  l->done = l->n_ids;
  return 0;
}

int hm_partial_read(hm_partial *p, const hm_row **rows, size_t *n, hm_err *err) {
  p->r.err = err;
  p->n_round = 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    if (read_pile(p, (hm_layer)l)) return -1;
  *rows = p->round;
  *n = p->n_round;
  return 0;
}

static void put_together(hm_partial *p) {
  hm_snapshot *out = p->r.out;
  size_t total = 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) total += p->piles[l].n;
  out->rows = hm_alloc_array(p->r.a, total, sizeof *out->rows);
  if (p->r.details) out->details = hm_alloc_array(p->r.a, total, sizeof *out->details);
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    const pile *from = &p->piles[l];
    size_t at = out->first[l];
    out->first[l + 1] = at + from->n;
    if (!from->n) continue;
    memcpy(out->rows + at, from->rows, from->n * sizeof *out->rows);
    if (p->r.details) memcpy(out->details + at, from->details, from->n * sizeof *out->details);
  }
  out->n_rows = total;
}

static int by_proposal(const void *x, const void *y) {
  return hm_str_cmp(((const hm_proposal *)x)->id, ((const hm_proposal *)y)->id);
}

/* Those that are about a row that was read. */
static int read_proposals(hm_partial *p, hm_err *err) {
  hm_snapshot *out = p->r.out;
  hm_map seen;
  size_t cap = 0, n;
  hm_str *ids;
  out->n_proposals = 0;
  hm_map_init(&seen, p->r.a, 8);
  for (size_t i = 0; i < out->n_rows; i++) {
    if (hm_proposals_on(p->r.s, hm_row_ref(p->r.a, &out->rows[i]), p->r.a, &ids, &n, err))
      return -1;
    for (size_t k = 0; k < n; k++) {
      size_t had = seen.n;
      bool found = false;
      hm_map_add(&seen, ids[k], 0);
      if (seen.n == had) continue;
      out->proposals = hm_array_grow_in(p->r.a, out->proposals, out->n_proposals, &cap,
                                        sizeof *out->proposals);
      if (hm_proposal_load(p->r.s, ids[k], p->r.a, &out->proposals[out->n_proposals], &found, err))
        return -1;
      out->n_proposals += found;
    }
  }
  if (out->n_proposals)
    qsort(out->proposals, out->n_proposals, sizeof *out->proposals, by_proposal);
  return 0;
}

int hm_partial_end(hm_partial *p, hm_snapshot **out, hm_err *err) {
  static const hm_time nobody = 0;   /* of none: which seconds are crowded all rows say */
  const hm_row *rows;
  size_t n;
  if (hm_partial_read(p, &rows, &n, err)) return -1;
  put_together(p);
  hm_sort_rows(&p->r);
  if (!p->r.ids.cap && hm_read_projects_named(&p->r, HM_EMPTY))
    return -1; /* no row names a project */
  hm_read_projects_end(&p->r);
  if (read_proposals(p, err)) return -1;
  if (hm_store_now(p->r.s, &p->r.out->now, err)) return -1;
  p->r.out->newest = p->r.out->digest = HM_EMPTY;
  p->r.out->crowded = &nobody;
  *out = p->r.out;
  return 0;
}

int hm_partial_conflicts_on(hm_partial *p, const hm_str *slot_keys, size_t n, hm_err *err) {
  p->r.err = err;
  return hm_read_conflicts_on(&p->r, slot_keys, n);
}

int hm_partial_conflicts_of(hm_partial *p, const hm_str *ids, size_t n, hm_err *err) {
  p->r.err = err;
  return hm_read_conflicts_of(&p->r, ids, n);
}

hm_snapshot *hm_partial_snapshot(hm_partial *p) { return p->r.out; }

int hm_store_memberships(hm_store *s, hm_layer layer, hm_str id, hm_arena *a, hm_membership **out,
                         size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_query(s, SQL[MEMBERSHIPS],
                   HM_ARGS(hm_arg_text(hm_str_c(hm_layer_kind(layer))), hm_arg_text(id)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = (hm_membership){ hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a),
                                      hm_verdict_of(hm_sql_text(st, 2, a)) };
  }
  return rc;
}

int hm_store_member_rows(hm_store *s, hm_str conflict, hm_arena *a, hm_row_keys *out, hm_err *err) {
  hm_stmt *st;
  int rc;
  if (hm_sql_query(s, SQL[MEMBER_ROWS], HM_ARGS(hm_arg_text(conflict)), &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_layer layer;
    if (hm_layer_of(hm_sql_text(st, 0, a), &layer))
      hm_row_keys_add(out, (hm_row_key){ layer, hm_sql_copy(st, 1, a) });
  }
  return rc;
}

int hm_store_conflict_status(hm_store *s, hm_str id, hm_arena *a, hm_str *status, hm_err *err) {
  return hm_sql_one(s, SQL[STATUS], HM_ARGS(hm_arg_text(id)), a, status, err);
}
