/* Rules on the story of a slot's texts: reversals and stale claims.
 *
 * A reversal is a conflict of all its claims, including those of superseded rows: each contradicts
 * the last earlier one with another value. The last claim of a slot is stale if two newer rows
 * mention the same other value and none mentions its own. Cost: O(claims log claims + mentions) per
 * slot; a claim also skips earlier ones that agree in another spelling. */
#include <stdlib.h>

#include "core/detect/rule.h"

/* --- reversals ------------------------------------------------------------------------ */

static bool claims_differ(const hm_slot_story *s, uint32_t x, uint32_t y) {
  const hm_arc_claim *a = &s->arc.claims[x], *b = &s->arc.claims[y];
  return a->value != b->value && hm_arc_comparable(a, b) &&
      !hm_claim_values_agree(s->claims[x], s->claims[y], NULL);
}

/* before[i]: the nearest place before i with another value number, or SIZE_MAX. */
static void find_others(const hm_slot_story *s, const hm_reversal *r, size_t *before) {
  for (size_t i = 0; i < r->n; i++) {
    before[i] = SIZE_MAX;
    if (!i)
      continue;
    bool same = s->arc.claims[r->members[i]].value == s->arc.claims[r->members[i - 1]].value;
    before[i] = same ? before[i - 1] : i - 1;
  }
}

static void add_pair(hm_party_pair *pairs, size_t *n, bool *paired, size_t x, size_t y) {
  pairs[(*n)++] = (hm_party_pair){ (uint32_t)x, (uint32_t)y };
  paired[x] = paired[y] = true;
}

static void find_reversal(const hm_scope *s, const hm_reversal *r, hm_str key, hm_found *out) {
  const hm_slot_story *story = s->story;
  const hm_claim **claims = hm_alloc_array(s->scratch, r->n, sizeof *claims);
  hm_party_pair *pairs = hm_alloc_array(s->scratch, 2 * r->n, sizeof *pairs);
  size_t *before = hm_alloc_array(s->scratch, r->n, sizeof *before), n_pairs = 0;
  bool *paired = hm_alloc_array(s->scratch, r->n, sizeof *paired);
  find_others(story, r, before);
  for (size_t i = 0; i < r->n; i++) {
    claims[i] = story->claims[r->members[i]];
    for (size_t k = before[i]; k != SIZE_MAX; k = k ? k - 1 : SIZE_MAX)
      if (claims_differ(story, r->members[k], r->members[i])) {
        add_pair(pairs, &n_pairs, paired, k, i);
        break;
      }
  }
  for (size_t i = 0; i < r->n; i++)
    for (size_t k = i + 1; k < r->n && !paired[i]; k++)
      if (claims_differ(story, r->members[i], r->members[k]))
        add_pair(pairs, &n_pairs, paired, i, k);
  if (!hm_claims_are_series(claims, r->n, s->snap, s->scratch))
    hm_found_add_conflict(out, s, key, claims, r->n, pairs, n_pairs);
}

/* Those of texts in the slot of their own words are found in their slot, and those of one twin
 * there. */
void hm_find_reversals(const hm_scope *s, hm_found *out) {
  for (size_t i = 0; i < s->story->arc.n_reversals; i++) {
    const hm_reversal *r = &s->story->arc.reversals[i];
    const hm_claim *first = s->story->claims[r->members[0]];
    bool spelled = false, twins = first->twin.n > 0;
    for (size_t k = 0; k < r->n; k++) {
      const hm_claim *c = s->story->claims[r->members[k]];
      spelled = spelled || c->said->spelled;
      twins = twins && hm_str_eq(c->twin, first->twin);
    }
    if (spelled || twins)
      continue;
    find_reversal(s, r, hm_conflict_slot_key(hm_found_arena(out), s->snap, first), out);
  }
}

/* --- stale --------------------------------------------------------------------------------- */

/* The last word of the slot: all that hold say one value, and nothing was said later. */
static const hm_claim *last_word(const hm_slot_story *s) {
  const hm_claim *last = NULL;
  hm_time latest = HM_TIME_MIN;
  uint32_t value = 0;
  for (size_t i = 0; i < s->n; i++) {
    const hm_arc_claim *c = &s->arc.claims[i];
    if (c->at > latest)
      latest = c->at;
    if (s->arc.ends[i].state != HM_ARC_HOLDS)
      continue;
    const hm_story_claim *said = s->claims[i]->said;
    if (c->at == HM_TIME_MIN || said->claim.also || said->spelled || c->log || c->count || c->ends)
      return NULL;
    if (last && c->value != value)
      return NULL;
    if (last && last->said->at >= c->at)
      continue;
    last = s->claims[i];
    value = c->value;
  }
  return last && last->said->at == latest && !last->value.denied ? last : NULL;
}

static int by_value_and_row(const void *x, const void *y) {
  const hm_claim *a = *(const hm_claim *const *)x, *b = *(const hm_claim *const *)y;
  int d = hm_str_cmp(a->value.key, b->value.key);
  return d ? d : (a->row > b->row) - (a->row < b->row);
}

static void add_stale(const hm_scope *s, const hm_claim *last, const hm_claim *const *by, size_t n,
                      hm_found *out) {
  hm_arena *a = hm_found_arena(out);
  hm_finding f = { .project = s->snap->projects[last->project].id,
                   .rows = hm_alloc_array(a, n + 1, sizeof *f.rows),
                   .key = last->name };
  f.rows[f.n_rows++] = hm_row_ref(a, &s->snap->rows[last->row]);
  for (size_t i = 0; i < n; i++)
    if (!i || by[i]->row != by[i - 1]->row)
      f.rows[f.n_rows++] = hm_row_ref(a, &s->snap->rows[by[i]->row]);
  hm_str question = hm_story_question(&last->said->claim, f.project, a);
  f.message =
      hm_str_fmt(a, "\"%.*s\" is the last word, and %zu newer rows speak of \"%.*s\". %.*s",
                 HM_FMT(last->value.raw), f.n_rows - 1, HM_FMT(by[0]->value.raw), HM_FMT(question));
  f.actual = by[0]->value.raw;
  hm_found_mark_claim(out, last);
  hm_found_add_finding(out, f);
}

void hm_find_stale(const hm_scope *s, hm_found *out) {
  const hm_slot_story *story = s->story;
  const hm_claim *last = last_word(story);
  const hm_claim **v = hm_alloc_array(s->scratch, story->n_mentions, sizeof *v);
  size_t n = 0;
  for (size_t i = 0; i < story->n_mentions && last; i++) {
    const hm_claim *m = story->mentions[i];
    if (m->said->at <= last->said->at || m->row == last->row)
      continue;
    if (hm_claim_values_agree(m, last, NULL) || hm_claim_refines(m, last, 2))
      return;
    v[n++] = m;
  }
  if (n < 2)
    return;
  qsort(v, n, sizeof *v, by_value_and_row);
  for (size_t i = 0, end; i < n; i = end) {
    size_t rows = 1;
    for (end = i + 1; end < n && hm_str_eq(v[end]->value.key, v[i]->value.key); end++)
      rows += v[end]->row != v[end - 1]->row;
    if (rows < 2)
      continue;
    add_stale(s, last, v + i, end - i, out);
    return;
  }
}
