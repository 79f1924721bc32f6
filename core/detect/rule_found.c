/* Looks up rules by name, and collects their results: findings, disputes, and conflicts with pairs
 * that a rule names.
 *
 * A rule names pairs if claims share no slot, or contradict each other by more than their values:
 * three parents of one child, a returning value, two rows that say the same. Flags, anchor and
 * since are computed from all pairs, as in a slot (slot_conflict_rules.c); the contested time runs
 * from the earliest begin to the latest end. Cost: O(claims log claims + pairs log pairs). */
#include <stdlib.h>

#include "core/detect/rule.h"
#include "core/detect/rule_driver.h"
#include "core/tree/tree.h"

hm_arena *hm_found_arena(hm_found *out) { return out->a; }

void hm_found_add_rule_finding(hm_found *out, const hm_rule *r, hm_finding f) {
  if (!f.kind.n)
    f.kind = hm_str_c(r->kind);
  if (!f.rule.n)
    f.rule = hm_str_c(r->name);
  hm_str severity = hm_rules_severity(out->config, f.rule);
  hm_str own = hm_str_c(hm_severity_name(r->severity));
  if (severity.n || !f.severity.n)
    f.severity = severity.n ? severity : own;
  if (!f.expected.n)
    f.expected = hm_str_c(r->expected ? r->expected : "");
  if (!f.actual.n)
    f.actual = HM_EMPTY;
  if (!f.key.n)
    f.key = f.reason;
  if (!f.reason.n)
    f.reason = hm_str_c(r->reason ? r->reason : "");
  if (!f.project.n)
    f.project = HM_EMPTY;
  hm_finding_add(&out->findings, f);
}

void hm_found_add_finding(hm_found *out, hm_finding f) {
  hm_found_add_rule_finding(out, out->rule, f);
}

void hm_found_mark_claim(hm_found *out, const hm_claim *c) {
  out->may = hm_array_grow_in(out->a, out->may, out->n_may, &out->cap_may, sizeof *out->may);
  out->may[out->n_may++] = c;
}

size_t hm_found_drop_overtaken(hm_found *out, const hm_snapshot *snap, const hm_claims *all,
                               const hm_claim *const *claims, size_t n, const hm_slot_story *story,
                               const hm_claim **holding) {
  const hm_claim **later = hm_slot_find_progress(snap, claims, n, out->config, out->scratch);
  size_t n_holding = 0;
  for (size_t i = 0; i < n && claims[i] < all->claims + all->n; i++) {
    const hm_arc_end *e = hm_slot_story_end(story, snap, claims[i]);
    hm_arc_state state = later[i] ? HM_ARC_PROGRESS : e ? e->state : HM_ARC_HOLDS;
    if (state == HM_ARC_HOLDS) {
      holding[n_holding++] = claims[i];
      continue;
    }
    const hm_claim *by = later[i] || e->by == HM_ARC_NONE ? later[i] : story->claims[e->by];
    out->overtaken = hm_array_grow_in(out->a, out->overtaken, out->n_overtaken, &out->cap_overtaken,
                                      sizeof *out->overtaken);
    out->overtaken[out->n_overtaken++] = (hm_overtaken){ claims[i], by, state };
  }
  return n_holding;
}

/* Claims lie in one array, by row. */
static int by_claim(const void *x, const void *y) {
  const hm_claim *a = ((const hm_overtaken *)x)->claim, *b = ((const hm_overtaken *)y)->claim;
  return (a > b) - (a < b);
}

void hm_overtaken_sort(hm_overtaken *v, size_t n) {
  if (n)
    qsort(v, n, sizeof *v, by_claim);
}

void hm_found_add_dispute(hm_found *out, const hm_dispute *d, hm_str slot_key) {
  out->disputes = hm_array_grow_in(out->a, out->disputes, out->n, &out->cap, sizeof *out->disputes);
  hm_dispute *to = &out->disputes[out->n++];
  *to = *d;
  to->rule = out->rule;
  to->slot_key = slot_key;
  if (!to->slot_kind)
    to->slot_kind = out->rule->kind;
}

/* --- conflicts by pairs ---------------------------------------------------------------- */

typedef struct {
  const hm_claim *claim;
  uint32_t at;
} place;

static int by_member(const void *x, const void *y, void *snap) {
  return hm_claim_member_order(snap, ((const place *)x)->claim, ((const place *)y)->claim);
}

/* Members in their order, and the pairs by their places there, each once. */
static void order_parties(hm_dispute *d, const hm_scope *s, const hm_claim **claims, size_t n,
                          const hm_party_pair *pairs, size_t n_pairs, hm_arena *a) {
  bool *paired = hm_alloc_array(s->scratch, n, sizeof *paired);
  place *order = hm_alloc_array(s->scratch, n, sizeof *order);
  uint32_t *to = hm_alloc_array(s->scratch, n, sizeof *to);
  for (size_t i = 0; i < n_pairs; i++)
    paired[pairs[i].x] = paired[pairs[i].y] = true;
  for (uint32_t i = 0; i < n; i++)
    if (paired[i])
      order[d->n++] = (place){ claims[i], i };
  if (d->n)
    qsort_r(order, d->n, sizeof *order, by_member, (void *)s->snap);
  d->parties = hm_alloc_array(a, d->n, sizeof *d->parties);
  for (uint32_t i = 0; i < d->n; i++) {
    d->parties[i].claim = order[i].claim;
    to[order[i].at] = i;
  }
  hm_party_pair *sorted = hm_alloc_array(a, n_pairs, sizeof *sorted);
  for (size_t i = 0; i < n_pairs; i++) {
    uint32_t x = to[pairs[i].x], y = to[pairs[i].y];
    sorted[i] = x < y ? (hm_party_pair){ x, y } : (hm_party_pair){ y, x };
  }
  if (n_pairs)
    qsort(sorted, n_pairs, sizeof *sorted, hm_party_pair_order);
  for (size_t i = 0; i < n_pairs; i++)
    if (!d->n_pairs || hm_party_pair_order(&sorted[d->n_pairs - 1], &sorted[i]))
      sorted[d->n_pairs++] = sorted[i];
  d->pairs = sorted;
}

/* Flags a party that contradicts one of higher trust, unless it agrees with another. */
static void flag(const hm_dispute *d, hm_party *p, const hm_claim *against) {
  int trust = hm_layer_trust(against->layer);
  uint32_t own = (uint32_t)(p - d->parties);
  for (uint32_t k = 0; k < own && hm_layer_trust(d->parties[k].claim->layer) >= trust; k++) {
    const hm_claim *other = d->parties[k].claim;
    bool agree = hm_claim_overlap(p->claim, other) && hm_claim_comparable(p->claim, other) &&
        hm_claim_values_agree(p->claim, other, NULL);
    if (agree && !p->with && !hm_parties_contradict(d, k, own, NULL))
      p->with = other;
  }
  p->flagged = !p->with;
  p->against = p->flagged ? against : NULL;
}

bool hm_claims_are_series(const hm_claim *const *claims, size_t n, const hm_snapshot *snap,
                          hm_arena *scratch) {
  hm_str document = HM_EMPTY;
  for (size_t i = 0; i < n; i++) {
    if (!claims[i]->said)
      return false;
    hm_str path = hm_tree_line_path(hm_row_file_line(&snap->rows[claims[i]->row], scratch));
    if (!path.n || (i && !hm_str_eq(path, document)))
      return false;
    document = path;
  }
  return document.n > 0;
}

void hm_found_add_conflict(hm_found *out, const hm_scope *s, hm_str slot_key,
                           const hm_claim **claims, size_t n, const hm_party_pair *pairs,
                           size_t n_pairs) {
  hm_dispute d = { .since = HM_TIME_MAX, .from = HM_TIME_MAX, .until = HM_TIME_MIN };
  if (!n_pairs)
    return;
  order_parties(&d, s, claims, n, pairs, n_pairs, hm_found_arena(out));
  d.project = d.parties[0].claim->project;
  d.anchor = d.parties[0].claim;
  for (size_t i = 1; i < d.n; i++)
    if (hm_anchor_order(s->snap, d.parties[i].claim, d.anchor) < 0)
      d.anchor = d.parties[i].claim;
  for (size_t i = 0; i < d.n_pairs; i++) {
    hm_party *x = &d.parties[d.pairs[i].x], *y = &d.parties[d.pairs[i].y];
    const hm_claim *c = x->claim, *e = y->claim;
    hm_time later = c->stands > e->stands ? c->stands : e->stands, from[2], until[2];
    bool known = c->stands != HM_TIME_MIN && e->stands != HM_TIME_MIN;
    if (hm_layer_trust(c->layer) > hm_layer_trust(e->layer) && !y->against && !y->with)
      flag(&d, y, c);
    if (!d.first[0] || (known && later < d.since)) {
      d.first[0] = c;
      d.first[1] = e;
    }
    if (known && later < d.since)
      d.since = later;
    hm_claim_stated_window(c, &from[0], &until[0]);
    hm_claim_stated_window(e, &from[1], &until[1]);
    const hm_claim *begins = from[0] < from[1] ? c : e, *ends = until[0] > until[1] ? c : e;
    hm_time first = from[0] < from[1] ? from[0] : from[1];
    hm_time last = until[0] > until[1] ? until[0] : until[1];
    if (first < d.from || !i) {
      d.from = first;
      d.begin = begins->when->begin;
    }
    if (last > d.until || !i) {
      d.until = last;
      d.end = ends->when->end;
    }
  }
  if (d.since == HM_TIME_MAX)
    d.since = HM_TIME_MIN;
  hm_found_add_dispute(out, &d, slot_key);
}

/* --- rules and severities by their names ----------------------------------------------------- */

static const char *const SEVERITIES[] = { "info", "warn", "error" };

const char *hm_severity_name(hm_severity s) { return SEVERITIES[s]; }

bool hm_severity_parse(hm_str name, hm_severity *out) {
  for (int s = HM_SEVERITY_INFO; s <= HM_SEVERITY_ERROR; s++)
    if (hm_str_is(name, SEVERITIES[s])) {
      *out = (hm_severity)s;
      return true;
    }
  return false;
}

const hm_rule *hm_rule_named(const hm_rule_table *t, hm_str name) {
  for (size_t i = 0; i < t->n; i++)
    if (hm_str_is(name, t->rules[i].name))
      return &t->rules[i];
  return NULL;
}
