/* Disputes of slots in which nothing moved. */
#include <stdlib.h>
#include <string.h>

#include "core/detect/conflict.h"

enum { OLD_MAX = 8 << 20, WORTH_THREADS = 4096 };

struct hm_disputes_keep {
  uint64_t look;           /* of the claims, the last that was seen; 0: nothing holds */
  hm_arena *a;             /* of the disputes, with copies of their claims */
  size_t held;             /* by a, when all were found */
  hm_dispute *v; size_t n;
};

hm_disputes_keep *hm_disputes_keep_new(void) {
  hm_disputes_keep *k = hm_xmalloc(sizeof *k);
  *k = (hm_disputes_keep){ .a = hm_arena_new() };
  return k;
}

void hm_disputes_keep_free(hm_disputes_keep *k) {
  if (!k) return;
  hm_arena_free(k->a);
  free(k->v);
  free(k);
}

size_t hm_disputes_keep_held(const hm_disputes_keep *k) { return hm_arena_held(k->a); }

/* --- copies ------------------------------------------------------------------------ */

typedef struct { const hm_claim *was; uint32_t party; } origin;

static int by_origin(const void *x, const void *y) {
  const origin *a = x, *b = y;
  return (a->was > b->was) - (a->was < b->was);
}

/* The copy of a claim, which is of one of the parties. */
static const hm_claim *copy_of(const hm_dispute *d, const origin *origins, const hm_claim *was) {
  const origin key = { .was = was }, *at = bsearch(&key, origins, d->n, sizeof *origins, by_origin);
  return d->parties[at->party].claim;
}

/* The claims stand in the order of the parties. */
static hm_dispute copied(const hm_dispute *d, hm_arena *a) {
  hm_dispute out = *d;
  hm_claim *claims = hm_alloc_array(a, d->n, sizeof *claims);
  origin *origins = hm_xmalloc(d->n * sizeof *origins);
  out.slot_key = hm_str_dup(a, d->slot_key);
  out.parties = hm_alloc_array(a, d->n, sizeof *out.parties);
  for (size_t i = 0; i < d->n; i++) {
    out.parties[i] = d->parties[i];
    claims[i] = *d->parties[i].claim;
    origins[i] = (origin){ d->parties[i].claim, (uint32_t)i };
    out.parties[i].claim = &claims[i];
  }
  qsort(origins, d->n, sizeof *origins, by_origin);
  for (size_t i = 0; i < d->n; i++)
    if (d->parties[i].against) out.parties[i].against = copy_of(&out, origins, d->parties[i].against);
  for (int i = 0; i < 2; i++) out.first[i] = copy_of(&out, origins, d->first[i]);
  free(origins);
  return out;
}

void hm_disputes_keep_note(hm_disputes_keep *k, const hm_follow_news *news) {
  if (news->all) k->look = 0;
  if (!k->look || !news->n_inserted) return;
  for (size_t i = 0; i < k->n; i++)
    for (size_t p = 0; p < k->v[i].n; p++) {
      hm_claim *c = (hm_claim *)k->v[i].parties[p].claim;   /* a copy of ours */
      c->row = hm_row_moved(c->row, news->inserted, news->n_inserted);
    }
}

/* --- slots in which something moved --------------------------------------------------- */

static int by_number(const void *x, const void *y) {
  const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return (a > b) - (a < b);
}

typedef struct { uint64_t *v; size_t n; } slots;

static slots slots_moved(const hm_claims *c, hm_arena *a) {
  slots s = { hm_alloc_array(a, c->n_moved + 1, sizeof *s.v), c->n_moved };
  if (!s.n) return s;
  memcpy(s.v, c->moved, s.n * sizeof *s.v);
  qsort(s.v, s.n, sizeof *s.v, by_number);
  return s;
}

static bool is_among(const slots *s, uint64_t slot) { return s->n && bsearch(&slot, s->v, s->n, sizeof *s->v, by_number); }

static hm_claims claims_among(const hm_claims *c, const slots *s, hm_arena *a) {
  hm_claims out = { .total = c->total, .slots = c->slots };
  for (size_t i = 0; s->n && i < c->n; i++) out.n += is_among(s, c->claims[i].hash);
  out.claims = hm_alloc_array(a, out.n + 1, sizeof *out.claims);
  size_t n = 0;
  for (size_t i = 0; n < out.n; i++)
    if (is_among(s, c->claims[i].hash)) out.claims[n++] = c->claims[i];
  return out;
}

static void drop(hm_disputes_keep *k, const slots *s) {
  size_t n = 0;
  for (size_t i = 0; i < k->n; i++) {
    if (is_among(s, k->v[i].parties[0].claim->hash)) continue;
    if (n < i) k->v[n] = k->v[i];
    n++;
  }
  k->n = n;
}

/* Of other slots, in order too; from the end, so that each moves once. */
static void add(hm_disputes_keep *k, const hm_disputes *found) {
  size_t n = found->n, from = k->n, to = from + n;
  k->v = hm_xrealloc(k->v, (to + 1) * sizeof *k->v);
  k->n = to;
  while (n) {
    size_t run = 0;
    while (run < from && hm_str_cmp(k->v[from - 1 - run].slot_key, found->disputes[n - 1].slot_key) > 0) run++;
    from -= run;
    to -= run;
    if (run) memmove(k->v + to, k->v + from, run * sizeof *k->v);
    k->v[--to] = copied(&found->disputes[--n], k->a);
  }
}

static bool holds(const hm_disputes_keep *k, const hm_claims *c) {
  return k->look && !c->anew && c->look == k->look + 1 && hm_arena_held(k->a) <= 2 * k->held + OLD_MAX;
}

static int find_all(hm_disputes_keep *k, const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules, int threads, hm_arena *a, hm_err *err) {
  hm_disputes *found;
  if (hm_disputes_of(snap, claims, rules, threads, a, &found, err)) return -1;
  hm_arena_free(k->a);
  k->a = hm_arena_new();
  k->n = 0;
  add(k, found);
  k->held = hm_arena_held(k->a);
  return 0;
}

static int find_some(hm_disputes_keep *k, const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules, int threads, hm_arena *a, hm_err *err) {
  slots s = slots_moved(claims, a);
  hm_claims some = claims_among(claims, &s, a);
  hm_disputes *found;
  if (!s.n) return 0;
  if (hm_disputes_of(snap, &some, rules, some.n < WORTH_THREADS ? 1 : threads, a, &found, err)) return -1;
  drop(k, &s);
  add(k, found);
  return 0;
}

int hm_disputes_again(hm_disputes_keep *k, const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules, int threads, hm_arena *a,
                      hm_disputes **out, hm_err *err) {
  int rc = holds(k, claims) ? find_some(k, snap, claims, rules, threads, a, err) : find_all(k, snap, claims, rules, threads, a, err);
  k->look = rc ? 0 : claims->look;
  *out = hm_alloc(a, sizeof **out);
  **out = (hm_disputes){ .disputes = k->v, .n = k->n, .slots = claims->slots, .rules = rules };
  return rc;
}
