/* What else hangs on the rows that would give way: what they say in other slots, and who says the
 * same as they. Only a dry run asks, since it reads the whole store. */
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim.h"
#include "core/detect/conflict.h"
#include "core/detect/slot.h"
#include "core/review/verdict_impl.h"

/* A claim of a row that gives way. Where the winner says something it loses, else it is withdrawn.
 */
typedef struct { const hm_claim *claim; uint32_t next; hm_withdrawal *withdrawn; } lost;

typedef struct { hm_assertion *v; size_t n, cap; } assertions;

typedef struct {
  hm_verdict_run *v;
  hm_snapshot *snap;
  const hm_row
      *rows; /* with the status that they have; in snap all are active, so that all claim */
  hm_claims *claims;
  const hm_loser **loses;    /* by row; NULL: it does not */
  bool *wins;                /* by row */
  lost *chain; size_t n;
  hm_map by_value;           /* value key -> its last in chain */
  assertions here, elsewhere;
} reach;

/* --- the rows that lose ---------------------------------------------------- */

static hm_str slot_of(const reach *r, const hm_claim *c) {
  return hm_claim_slot_key(r->v->a, r->snap, c);
}

/* The claim's slot and value. */
static hm_str said_by(const reach *r, const hm_claim *c) {
  return HM_CAT(r->v->a, slot_of(r, c), HM_STR("\x1f"), c->value.key);
}

static hm_withdrawal *withdraw(reach *r, const hm_claim *c) {
  hm_verdict_report *out = r->v->out;
  hm_arena *a = r->v->a;
  out->withdrawn[out->n_withdrawn] = (hm_withdrawal){ .ref = hm_row_ref(a, &r->rows[c->row]),
                                                      .slot = hm_str_dup(a, c->name),
                                                      .value = hm_str_dup(a, c->value.raw),
                                                      .alone = true };
  return &out->withdrawn[out->n_withdrawn++];
}

/* Is this said no more? */
static bool is_lost(const reach *r, const hm_claim *c) {
  const hm_loser *l = r->loses[c->row];
  if (!l || !l->n_fields) return l;
  for (size_t i = 0; i < l->n_fields; i++)
    if (hm_str_eq(l->fields[i], c->field)) return true;
  return false;
}

static void read_sides(reach *r) {
  const hm_claims *all = r->claims;
  size_t losing = 0;
  hm_map of_winner, said;
  hm_map_init(&of_winner, r->v->a, 16);
  hm_map_init(&said, r->v->a, 16);
  for (size_t i = 0; i < all->n; i++) {
    losing += is_lost(r, &all->claims[i]);
    if (!r->wins[all->claims[i].row]) continue;
    hm_map_add(&of_winner, slot_of(r, &all->claims[i]), 1);
    hm_map_add(&said, said_by(r, &all->claims[i]), 1);
  }
  r->chain = hm_alloc_array(r->v->a, losing, sizeof *r->chain);
  r->v->out->withdrawn = hm_alloc_array(r->v->a, losing, sizeof *r->v->out->withdrawn);
  hm_map_init(&r->by_value, r->v->a, losing);
  for (size_t i = 0; i < all->n; i++) {
    const hm_claim *c = &all->claims[i];
    /* A value that the winner also has stays, even where a row gives way. */
    if (!is_lost(r, c) || hm_map_get(&said, said_by(r, c)) != HM_MAP_NONE) continue;
    bool answered = hm_map_get(&of_winner, slot_of(r, c)) != HM_MAP_NONE;
    r->chain[r->n] =
        (lost){ c, hm_map_get(&r->by_value, c->value.key), answered ? NULL : withdraw(r, c) };
    hm_map_set(&r->by_value, c->value.key, (uint32_t)r->n++);
  }
}

/* --- everybody else -------------------------------------------------------- */

static hm_str last_word(hm_str name) {
  size_t from = name.n;
  while (from > 0 && name.p[from - 1] != '_') from--;
  return hm_str_sub(name, from, name.n);
}

/* Names of one family end in one word: lateral_support_material, base_material. */
static bool is_family(const hm_claim *a, const hm_claim *b) {
  return a->project == b->project && !a->space.n && !b->space.n &&
      hm_str_eq(last_word(a->name), last_word(b->name));
}

static void add(reach *r, assertions *l, const hm_claim *c) {
  hm_arena *a = r->v->a;
  const hm_row *row = &r->rows[c->row];
  l->v = hm_array_grow_in(a, l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = (hm_assertion){ .ref = hm_row_ref(a, row),
                                 .status = hm_str_c(hm_status_name(row->status)),
                                 .slot = hm_str_dup(a, c->name),
                                 .value = hm_str_dup(a, c->value.raw),
                                 .elsewhere = l == &r->elsewhere };
}

static void ask(reach *r, const hm_claim *c) {
  bool here = false, family = false;
  for (uint32_t i = hm_map_get(&r->by_value, c->value.key); i != HM_MAP_NONE;
       i = r->chain[i].next) {
    const lost *l = &r->chain[i];
    bool same_slot = l->claim->hash == c->hash && hm_claims_share_slot(l->claim, c);
    if (!l->withdrawn) {
      here = here || same_slot;
      family = family || is_family(l->claim, c);
    } else if (same_slot && r->rows[c->row].status == HM_ACTIVE) {
      l->withdrawn->alone = false;
    }
  }
  if (here || family) add(r, here ? &r->here : &r->elsewhere, c);
}

static void report(reach *r) {
  hm_verdict_report *out = r->v->out;
  size_t n = r->here.n;
  out->n_others = n + r->elsewhere.n;
  out->others = hm_alloc_array(r->v->a, out->n_others, sizeof *out->others);
  if (n) memcpy(out->others, r->here.v, n * sizeof *out->others);
  if (r->elsewhere.n) memcpy(out->others + n, r->elsewhere.v, r->elsewhere.n * sizeof *out->others);
}

/* --- the store, as if every row claimed ------------------------------------- */

static int read_store(reach *r) {
  hm_verdict_run *v = r->v;
  if (hm_store_snapshot(v->s, v->a, false, &r->snap, v->err)) return -1;
  hm_row *rows = hm_alloc_array(v->a, r->snap->n_rows, sizeof *rows);
  if (r->snap->n_rows) memcpy(rows, r->snap->rows, r->snap->n_rows * sizeof *rows);
  r->rows = rows;
  for (size_t i = 0; i < r->snap->n_rows; i++) r->snap->rows[i].status = HM_ACTIVE;
  return hm_claims_of(r->snap, v->r->rules, hm_par_cores(), &r->claims, v->err);
}

int hm_verdict_effects(hm_verdict_run *v, const hm_loser *older, size_t n,
                       const hm_row_standing *newer, size_t n_newer) {
  reach r = { .v = v };
  if (read_store(&r)) return -1;
  r.loses = hm_alloc_array(v->a, r.snap->n_rows, sizeof *r.loses);
  for (size_t i = 0; i < n; i++) {
    uint32_t row = hm_snapshot_row(r.snap, older[i].row.layer, older[i].row.id);
    if (row != HM_MAP_NONE) r.loses[row] = &older[i];
  }
  r.wins = hm_alloc_array(v->a, r.snap->n_rows, sizeof *r.wins);
  for (size_t i = 0; i < n_newer; i++) {
    uint32_t row = hm_snapshot_row(r.snap, newer[i].layer, newer[i].id);
    if (row != HM_MAP_NONE) r.wins[row] = true;
  }
  read_sides(&r);
  for (size_t i = 0; i < r.claims->n; i++)
    if (!r.loses[r.claims->claims[i].row]) ask(&r, &r.claims->claims[i]);
  report(&r);
  hm_claims_free(r.claims);
  return 0;
}
