/* Decides whether verdicts already cover a dispute.
 *
 * A verdict knows a claim if it knew the value and its contested time overlaps the claim's window.
 * Three intervals share an instant if each two of them do. So an overlapping pair is covered if one
 * verdict knows both claims; no two other claims may contradict each other. Cost: pairs of parties.
 */
#include "core/detect/conflict_plan.h"

#include <string.h>

#include "core/base/time.h"
#include "core/slot/slot_claims.h"

/* Numbers of verdicts, ascending. */
typedef struct {
  uint32_t *v;
  size_t n, cap;
} verdicts;

struct hm_verdict_cover {
  const hm_conflict_rec *const *quiet;
  size_t n_quiet;
  struct {
    hm_time from, until;
  } * windows;         /* of the quiet ones */
  hm_numbering values; /* 'n' and a normal form, 'r' and a raw text */
  verdicts *knew;
  size_t cap_values; /* by value: who knew it */
  hm_arena *a;
};

/* One question. */
typedef struct {
  hm_slot_claims slot; /* of the parties */
  verdicts *known;     /* of each item: who knows it */
  hm_arena *scratch;
} question;

static void add_verdict(verdicts *v, uint32_t quiet, hm_arena *a) {
  if (v->n && v->v[v->n - 1] == quiet)
    return;
  if (v->n == v->cap) {
    size_t cap = v->cap ? v->cap * 2 : 2;
    uint32_t *more = hm_alloc_array(a, cap, sizeof *more);
    if (v->n)
      memcpy(more, v->v, v->n * sizeof *more);
    *v = (verdicts){ more, v->n, cap };
  }
  v->v[v->n++] = quiet;
}

static hm_str value_key(hm_verdict_cover *c, char kind, hm_str value) {
  char *p = hm_alloc(c->a, value.n + 1);
  p[0] = kind;
  if (value.n)
    memcpy(p + 1, value.p, value.n);
  return (hm_str){ p, value.n + 1 };
}

static uint32_t number_of(hm_verdict_cover *c, char kind, hm_str value) {
  uint32_t i = hm_numbering_add(&c->values, value_key(c, kind, value));
  c->knew = hm_array_grow_in(c->a, c->knew, i, &c->cap_values, sizeof *c->knew);
  return i;
}

static void know(hm_verdict_cover *c, char kind, hm_str value, uint32_t quiet) {
  if (!value.n)
    return;
  uint32_t i = number_of(c, kind, value);
  add_verdict(&c->knew[i], quiet, c->a);
}

/* As its value is read today. A text may have been recorded before its class of values was known:
 * "three feet" is a quantity now. And "30 s" is known where "30000 ms" was judged. */
static void know_as_read_today(hm_verdict_cover *c, const hm_member_rec *rec, hm_reading supports,
                               hm_units *units, uint32_t quiet) {
  hm_value v;
  bool text = hm_str_starts(rec->normal, "text:"), amount = hm_str_starts(rec->normal, "quantity:");
  if (!text && !amount)
    return;
  size_t kind = amount ? sizeof "quantity:" - 1 : 0;
  hm_str said = amount ? hm_str_sub(rec->normal, kind, rec->normal.n) : rec->value;
  hm_value_parse_text(&v, said, supports, units, c->a);
  know(c, 'n', v.norm, quiet);
  know(c, 'n', v.key, quiet);
}

static void read_verdicts(hm_verdict_cover *c, const hm_world *world, const hm_rules *rules,
                          const hm_claim *of) {
  /* Identities and preferences are recorded by their stems, relations by ids. */
  hm_units *units = of->space.n ? NULL : hm_units_new();
  hm_reading supports = hm_rules_reading(rules, of->name);
  c->windows = hm_alloc_array(c->a, c->n_quiet, sizeof *c->windows);
  for (uint32_t q = 0; q < c->n_quiet; q++) {
    hm_conflict_stated_window(c->quiet[q], world, &c->windows[q].from, &c->windows[q].until);
    for (size_t m = 0; m < c->quiet[q]->n_members; m++) {
      const hm_member_rec *rec = &c->quiet[q]->members[m];
      know(c, 'n', rec->normal, q);
      know(c, 'r', rec->value, q);
      if (units)
        know_as_read_today(c, rec, supports, units, q);
    }
  }
  hm_units_free(units);
}

static void fill_known(hm_verdict_cover *c, question *q, size_t item) {
  const hm_claim *claim = q->slot.items[item].claim;
  hm_time from, until;
  hm_claim_stated_window(claim, &from, &until);
  const uint32_t ways[] = { number_of(c, 'n', claim->value.norm),
                            number_of(c, 'n', claim->value.key),
                            number_of(c, 'r', claim->value.raw) };
  size_t at[HM_COUNT(ways)] = { 0 };
  for (;;) {
    uint32_t v = UINT32_MAX; /* the next verdict that knows it in some way */
    for (size_t k = 0; k < HM_COUNT(ways); k++) {
      const verdicts *by = &c->knew[ways[k]];
      if (at[k] < by->n && by->v[at[k]] < v)
        v = by->v[at[k]];
    }
    if (v == UINT32_MAX)
      return;
    for (size_t k = 0; k < HM_COUNT(ways); k++)
      at[k] += at[k] < c->knew[ways[k]].n && c->knew[ways[k]].v[at[k]] == v;
    bool in_its_time = from < c->windows[v].until && c->windows[v].from < until;
    if (in_its_time)
      add_verdict(&q->known[item], v, q->scratch);
  }
}

static void load(hm_verdict_cover *c, question *q, const hm_snapshot *snap, const hm_dispute *d,
                 const hm_rules *rules) {
  const hm_claim **claims = hm_alloc_array(q->scratch, d->n, sizeof *claims);
  for (size_t i = 0; i < d->n; i++)
    claims[i] = d->parties[i].claim;
  hm_slot_claims_build(&q->slot, snap, claims, d->n, rules, q->scratch);
  for (size_t i = 0; i < d->n; i++)
    q->slot.items[i].spared = d->parties[i].spared;
  q->known = hm_alloc_array(q->scratch, d->n, sizeof *q->known);
  for (size_t i = 0; i < d->n; i++)
    fill_known(c, q, i);
}

static bool share_verdict(const verdicts *a, const verdicts *b) {
  for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
    if (a->v[i] == b->v[j])
      return true;
    if (a->v[i] < b->v[j])
      i++;
    else
      j++;
  }
  return false;
}

hm_verdict_cover *hm_verdict_cover_new(const hm_conflict_rec *const *quiet, size_t n_quiet,
                                       const hm_world *world, const hm_rules *rules,
                                       const hm_claim *of, hm_arena *a) {
  hm_verdict_cover *c = hm_alloc(a, sizeof *c);
  *c = (hm_verdict_cover){ .quiet = quiet, .n_quiet = n_quiet, .a = a };
  hm_numbering_init(&c->values, a);
  read_verdicts(c, world, rules, of);
  return c;
}

bool hm_verdict_covers(hm_verdict_cover *c, const hm_snapshot *snap, const hm_dispute *d,
                       const hm_rules *rules, hm_arena *scratch) {
  if (!c->n_quiet)
    return false;
  question q = { .scratch = scratch };
  load(c, &q, snap, d, rules);
  for (size_t i = 0; i < q.slot.n; i++)
    if (!q.known[i].n)
      return false;
  for (size_t i = 0; i < d->n_pairs; i++)
    if (!share_verdict(&q.known[d->pairs[i].x], &q.known[d->pairs[i].y]))
      return false;
  if (d->pairs)
    return true;
  for (size_t i = 0; i < q.slot.n; i++)
    for (size_t k = 0; k < i; k++) {
      bool shared = share_verdict(&q.known[i], &q.known[k]);
      if (!shared && hm_claims_contradict(&q.slot, &q.slot.items[i], &q.slot.items[k]))
        return false;
    }
  return true;
}
