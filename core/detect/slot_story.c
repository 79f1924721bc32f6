/* The texts of one slot as a story (slot.h), and the rules on it: a value that came back, a last
 * word that is out of date.
 *
 * Values stand as small numbers, equal for what says the same whatever its spelling.
 * A reversal is a conflict of all its claims, those of superseded rows among them: each contradicts
 * the last before it that says something else. A last word is stale where nobody said anything
 * later about the slot, and two newer rows mention one other value of it, while none mentions its
 * own. Cost: O(claims log claims + mentions) a slot; a claim looks back past those that it agrees
 * with though they are spelled otherwise, past those of one wording at once. */
#include <stdlib.h>
#include <string.h>

#include "core/detect/rule.h"
#include "core/detect/slot.h"

enum { FEW = 32 };   /* claims that are compared one by one */

typedef struct { const hm_slot_story *story; const hm_tolerance *tol; } comparison;

static bool differ(void *ctx, uint32_t x, uint32_t y) {
  const comparison *c = ctx;
  const hm_claim *a = c->story->claims[x], *b = c->story->claims[y];
  const hm_prose_claim *p = &a->said->claim, *q = &b->said->claim;
  if ((p->also && (!q->only || q->also)) || (q->also && (!p->only || p->also))) return false;
  if (a->value.denied != b->value.denied || a->value.denied) {
    if (!hm_str_eq(hm_value_undenied_key(&a->value), hm_value_undenied_key(&b->value)))
      return false;
  }
  return (hm_claim_overlap(a, b) || hm_claim_may_overlap(a, b)) &&
      !hm_claim_values_agree(a, b, c->tol) && !hm_claim_refines(a, b, c->story->n);
}

static int by_member(const void *x, const void *y, void *snap) {
  return hm_claim_member_order(snap, *(const hm_claim *const *)x, *(const hm_claim *const *)y);
}

typedef struct { hm_numbering values, words, wordings; hm_arena *a; } numbers;

/* Of all that differ reads of a claim: above 0. */
static uint32_t wording_of(numbers *x, const hm_claim *c) {
  const hm_story_claim *s = c->said;
  const hm_str words[] = { c->value.norm, c->value.raw, c->compare, c->field,      s->text,
                           s->key,        s->version,   s->claim.value, s->claim.reading };
  const uint64_t rest[] = { (uintptr_t)c->when, (uintptr_t)c->containment, c->layer, c->value.kind,
                            (uint64_t)(s->claim.only | s->claim.also << 1 | s->about << 2) };
  size_t n = HM_COUNT(words), size = n * sizeof(uint64_t) + sizeof rest;
  uint64_t *k = hm_alloc(x->a, size);
  for (size_t i = 0; i < n; i++) k[i] = hm_numbering_add(&x->words, words[i]);
  memcpy(k + n, rest, sizeof rest);
  return 1 + hm_numbering_add(&x->wordings, (hm_str){ (const char *)k, size });
}

static hm_arc_claim arc_claim(const hm_claim *c, hm_numbering *values) {
  const hm_story_claim *s = c->said;
  return (hm_arc_claim){ .at = s->at,
                         .agent = s->agent,
                         .scope = s->scope,
                         .qualifier = s->claim.qualifier,
                         .version = s->version,
                         .value = hm_numbering_add(values, s->key),
                         .left = s->left.n ? hm_numbering_add(values, s->left) : HM_ARC_NONE,
                         .row = c->row,
                         .by = s->by,
                         .retired = s->past,
                         .settles = s->settles,
                         .via = s->via,
                         .log = s->claim.shape == HM_SHAPE_STATUS,
                         .count = s->claim.shape == HM_SHAPE_COUNT,
                         .ends = s->ends };
}

hm_slot_story *hm_slot_story_build(const hm_snapshot *snap, const hm_claim *const *claims, size_t n,
                                   const hm_rules *rules, hm_arena *a) {
  size_t texts = 0;
  for (size_t i = 0; i < n; i++) texts += claims[i]->said && !claims[i]->said->mention;
  if (!texts) return NULL;
  hm_slot_story *s = hm_alloc(a, sizeof *s);
  *s = (hm_slot_story){ .claims = hm_alloc_array(a, texts, sizeof *s->claims),
                        .mentions = hm_alloc_array(a, n - texts, sizeof *s->mentions) };
  for (size_t i = 0; i < n; i++) {
    if (!claims[i]->said) continue;
    if (claims[i]->said->mention) s->mentions[s->n_mentions++] = claims[i];
    else s->claims[s->n++] = claims[i];
  }
  qsort_r(s->claims, s->n, sizeof *s->claims, by_member, (void *)snap);
  if (s->n_mentions)
    qsort_r(s->mentions, s->n_mentions, sizeof *s->mentions, by_member, (void *)snap);
  numbers x = { .a = a };
  hm_arc_claim *v = hm_alloc_array(a, s->n, sizeof *v);
  hm_numbering_init(&x.values, a);
  hm_numbering_init(&x.words, a);
  hm_numbering_init(&x.wordings, a);
  for (size_t i = 0; i < s->n; i++) v[i] = arc_claim(s->claims[i], &x.values);
  for (size_t i = 0; i < s->n && s->n > FEW; i++) v[i].wording = wording_of(&x, s->claims[i]);
  comparison *c = hm_alloc(a, sizeof *c);
  *c = (comparison){ s, hm_rules_tolerance(rules, s->claims[0]->name) };
  hm_time gap = (hm_time)hm_story_session_gap(rules->story) * 1000000;
  hm_find_overtaken_claims(&s->arc, v, s->n, &(hm_arc_rules){ differ, c, gap }, a);
  return s;
}

const hm_arc_end *hm_slot_story_end(const hm_slot_story *s, const hm_snapshot *snap,
                                    const hm_claim *c) {
  if (!s || !c->said || c->said->mention) return NULL;
  size_t lo = 0, hi = s->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (hm_claim_member_order(snap, s->claims[mid], c) < 0) lo = mid + 1;
    else hi = mid;
  }
  for (; lo < s->n && hm_claim_member_order(snap, s->claims[lo], c) == 0; lo++)
    if (s->claims[lo] == c) return &s->arc.ends[lo];
  return NULL;
}

/* --- reversals ------------------------------------------------------------------------ */

static bool claims_differ(const hm_slot_story *s, uint32_t x, uint32_t y) {
  const hm_arc_claim *a = &s->arc.claims[x], *b = &s->arc.claims[y];
  return a->value != b->value && hm_arc_comparable(a, b) &&
      !hm_claim_values_agree(s->claims[x], s->claims[y], NULL);
}

/* before[i]: the nearest place before i whose value has another number; SIZE_MAX: none. */
static void find_others(const hm_slot_story *s, const hm_reversal *r, size_t *before) {
  for (size_t i = 0; i < r->n; i++) {
    before[i] = SIZE_MAX;
    if (!i) continue;
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
  hm_found_add_conflict(out, s, key, claims, r->n, pairs, n_pairs);
}

void hm_find_reversals(const hm_scope *s, hm_found *out) {
  for (size_t i = 0; i < s->story->arc.n_reversals; i++) {
    const hm_reversal *r = &s->story->arc.reversals[i];
    const hm_claim *first = s->story->claims[r->members[0]];
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
    if (c->at > latest) latest = c->at;
    if (s->arc.ends[i].state != HM_ARC_HOLDS) continue;
    if (c->at == HM_TIME_MIN || s->claims[i]->said->claim.also || c->log || c->count || c->ends)
      return NULL;
    if (last && c->value != value) return NULL;
    if (last && last->said->at >= c->at) continue;
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
  f.message = hm_str_fmt(a, "\"%.*s\" is the last word, and %zu newer rows speak of \"%.*s\". %.*s",
                         HM_FMT(last->value.raw), f.n_rows - 1, HM_FMT(by[0]->value.raw),
                         HM_FMT(question));
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
    if (m->said->at <= last->said->at || m->row == last->row) continue;
    if (hm_claim_values_agree(m, last, NULL) || hm_claim_refines(m, last, 2)) return;
    v[n++] = m;
  }
  if (n < 2) return;
  qsort(v, n, sizeof *v, by_value_and_row);
  for (size_t i = 0, end; i < n; i = end) {
    size_t rows = 1;
    for (end = i + 1; end < n && hm_str_eq(v[end]->value.key, v[i]->value.key); end++)
      rows += v[end]->row != v[end - 1]->row;
    if (rows < 2) continue;
    add_stale(s, last, v + i, end - i, out);
    return;
  }
}
