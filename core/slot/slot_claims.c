/* The claims of one slot in member order, and which of them contradict each other.
 *
 * All pairs are compared, in plain loops: O(n^2) in a slot of at most HM_SLOT_COMPARED claims. Two
 * numbers and two windows tell of most pairs that they do not contradict each other; two values
 * that differ and can both hold are remembered by their wordings, so that copies are not asked
 * again.
 *
 * Claims are grouped into slots by hash, in one pass: hashes are scattered by their top bits into
 * partitions that fit a cache, each partition is sorted, and runs of equal hash are walked. Most
 * runs have one claim, which is not read. */
#include "core/slot/slot_claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/sort.h"

/* --- claims by slot ------------------------------------------------------------------ */

enum { PART_BITS = 8, PARTS = 1 << PART_BITS, CHUNKS = 64, SMALL = 4096 };

typedef struct {
  hm_slot_group *v;
  size_t n, cap, slots;
} found;

typedef struct {
  const hm_claim *claims;
  size_t n, active, chunks; /* active: those that are no context */
  hm_slot_ref *unsorted, *refs;
  size_t (*at)[PARTS]; /* [chunk][part]: where that chunk's next claim of that part goes */
  size_t first[PARTS + 1];
  found found[PARTS];
} work;

static size_t part_of(uint64_t hash) { return (size_t)(hash >> (64 - PART_BITS)); }
static size_t chunk_start(const work *w, size_t chunk) { return w->n * chunk / w->chunks; }

static int count_chunk(void *ctx, size_t chunk, int worker) {
  (void)worker;
  work *w = ctx;
  for (size_t i = chunk_start(w, chunk); i < chunk_start(w, chunk + 1); i++) {
    w->unsorted[i] = (hm_slot_ref){ w->claims[i].hash, (uint32_t)i };
    w->at[chunk][part_of(w->unsorted[i].hash)]++;
  }
  return 0;
}

/* Counts to places: part by part, and in a part chunk by chunk, so that the scatter is stable. */
static void place_parts(work *w) {
  size_t sum = 0;
  for (size_t p = 0; p < PARTS; p++) {
    w->first[p] = sum;
    for (size_t c = 0; c < w->chunks; c++) {
      size_t n = w->at[c][p];
      w->at[c][p] = sum;
      sum += n;
    }
  }
  w->first[PARTS] = sum;
}

static int scatter_chunk(void *ctx, size_t chunk, int worker) {
  (void)worker;
  work *w = ctx;
  for (size_t i = chunk_start(w, chunk); i < chunk_start(w, chunk + 1); i++)
    w->refs[w->at[chunk][part_of(w->unsorted[i].hash)]++] = w->unsorted[i];
  return 0;
}

static int slot_cmp(const hm_claim *a, const hm_claim *b) {
  if (a->project != b->project)
    return a->project < b->project ? -1 : 1;
  int d = hm_str_cmp(a->space, b->space);
  return d ? d : hm_str_cmp(a->name, b->name);
}

static int by_slot(const void *a, const void *b, void *ctx) {
  const hm_slot_ref *x = a, *y = b;
  const hm_claim *claims = ctx;
  int d = slot_cmp(&claims[x->claim], &claims[y->claim]);
  return d ? d : (x->claim > y->claim) - (x->claim < y->claim);
}

static bool same_bound(const hm_bound *a, const hm_bound *b) {
  return a->known == b->known && a->first == b->first && a->last == b->last;
}

/* Values with equal keys are always compatible; relations also have bounds. */
static bool all_agree(const work *w, const hm_slot_ref *refs, size_t n) {
  const hm_claim *first = &w->claims[refs[0].claim];
  for (size_t i = 1; i < n; i++) {
    const hm_claim *c = &w->claims[refs[i].claim];
    if (!hm_str_eq(first->value.key, c->value.key))
      return false;
    if (c->layer == HM_RELATION &&
        !(first->when == c->when ||
          (same_bound(&first->when->begin, &c->when->begin) &&
           same_bound(&first->when->end, &c->when->end))))
      return false;
  }
  return true;
}

static void end_slot(const work *w, found *f, const hm_slot_ref *refs, size_t n) {
  if (refs[0].claim >= w->active)
    return;
  f->slots++;
  if (n < 2 || all_agree(w, refs, n))
    return;
  f->v = hm_array_grow(f->v, f->n, &f->cap, sizeof *f->v);
  f->v[f->n++] = (hm_slot_group){ refs, n };
}

static bool one_slot(const work *w, const hm_slot_ref *refs, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (!hm_claims_share_slot(&w->claims[refs[0].claim], &w->claims[refs[i].claim]))
      return false;
  return true;
}

/* A run of equal hash that is not one slot: sorted by slot, then cut. */
static void split_run(const work *w, found *f, hm_slot_ref *refs, size_t n) {
  qsort_r(refs, n, sizeof *refs, by_slot, (void *)w->claims);
  for (size_t i = 0, j; i < n; i = j) {
    for (j = i + 1;
         j < n && hm_claims_share_slot(&w->claims[refs[i].claim], &w->claims[refs[j].claim]);)
      j++;
    end_slot(w, f, refs + i, j - i);
  }
}

static int walk_part(void *ctx, size_t p, int worker) {
  (void)worker;
  work *w = ctx;
  hm_slot_ref *refs = w->refs + w->first[p];
  size_t n = w->first[p + 1] - w->first[p];
  qsort(refs, n, sizeof *refs, hm_order_u64_u32);
  for (size_t i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n && refs[j].hash == refs[i].hash;)
      j++;
    if (one_slot(w, refs + i, j - i))
      end_slot(w, &w->found[p], refs + i, j - i);
    else
      split_run(w, &w->found[p], refs + i, j - i);
  }
  return 0;
}

static void gather(work *w, hm_slot_groups *out) {
  for (size_t p = 0; p < PARTS; p++) {
    out->n += w->found[p].n;
    out->slots += w->found[p].slots;
  }
  out->groups = hm_xmalloc(out->n * sizeof *out->groups);
  size_t at = 0;
  for (size_t p = 0; p < PARTS; p++) {
    if (w->found[p].n)
      memcpy(out->groups + at, w->found[p].v, w->found[p].n * sizeof *out->groups);
    at += w->found[p].n;
    free(w->found[p].v);
  }
}

void hm_slot_groups_build(const hm_claim *claims, size_t n, size_t n_context, int threads,
                          hm_slot_groups *out) {
  work *w = hm_xmalloc(sizeof *w);
  memset(w, 0, sizeof *w);
  w->claims = claims;
  w->active = n;
  w->n = n += n_context;
  w->unsorted = hm_xmalloc(n * sizeof *w->unsorted);
  w->refs = hm_xmalloc(n * sizeof *w->refs);
  w->chunks = n < SMALL ? 1 : CHUNKS;
  w->at = hm_xmalloc(w->chunks * sizeof *w->at);
  memset(w->at, 0, w->chunks * sizeof *w->at);
  if (n < SMALL)
    threads = 1;
  hm_par_for(w->chunks, threads, count_chunk, w, NULL);
  place_parts(w);
  hm_par_for(w->chunks, threads, scatter_chunk, w, NULL);
  hm_par_for(PARTS, threads, walk_part, w, NULL);
  *out = (hm_slot_groups){ .refs = w->refs };
  gather(w, out);
  free(w->unsorted);
  free(w->at);
  free(w);
}

void hm_slot_groups_free(hm_slot_groups *g) {
  free(g->groups);
  free(g->refs);
  *g = (hm_slot_groups){ 0 };
}

/* --- small numbers ---------------------------------------------------------------- */

void hm_numbering_init(hm_numbering *g, hm_arena *a) {
  g->n = 0;
  g->a = a;
}

uint32_t hm_numbering_add(hm_numbering *g, hm_str key) {
  if (g->n <= HM_NUMBERING_FEW) {
    for (uint32_t i = 0; i < g->n; i++)
      if (hm_str_eq(g->few[i], key))
        return i;
    if (g->n < HM_NUMBERING_FEW) {
      g->few[g->n] = key;
      return g->n++;
    }
    hm_map_init(&g->map, g->a, 2 * HM_NUMBERING_FEW);
    for (uint32_t i = 0; i < g->n; i++)
      hm_map_add(&g->map, g->few[i], i);
  }
  uint32_t got = hm_map_add(&g->map, key, g->n);
  if (got == g->n)
    g->n++;
  return got;
}

/* --- values that can both hold ---------------------------------------------------------- */

enum { FEW = 32 };       /* claims of which nothing is remembered */
#define ALONE UINT32_MAX /* peers of a claim that is compared with none of its layer */

/* A number for all that a comparison of values reads of a claim. */
static uint32_t wording_of(const hm_claim *c, hm_numbering *words, hm_numbering *wordings) {
  static const hm_story_claim no_text = { 0 };
  const hm_story_claim *s = c->said ? c->said : &no_text;
  const hm_str read[] = { c->value.norm, c->value.raw, c->field,       s->text,
                          s->key,        s->version,   s->claim.value, s->claim.reading };
  const uint64_t flags[] = { c->compare.n > 0, c->said != NULL, s->claim.only, s->about };
  uint64_t k[HM_COUNT(read) + HM_COUNT(flags) + 5];
  size_t n = 0;
  for (size_t i = 0; i < HM_COUNT(read); i++)
    k[n++] = hm_numbering_add(words, read[i]);
  for (size_t i = 0; i < HM_COUNT(flags); i++)
    k[n++] = flags[i];
  k[n++] = c->layer;
  k[n++] = c->value.kind;
  k[n++] = (uintptr_t)c->containment;
  k[n++] = c->layer == HM_RELATION ? (uintptr_t)c->when : 0;
  k[n++] = hm_claim_is_age(c) ? (uint64_t)s->at : 0;
  return hm_numbering_add(wordings, hm_str_dup(wordings->a, (hm_str){ (char *)k, sizeof k }));
}

void hm_agreed_init(hm_agreed *g, const hm_claim *const *claims, size_t n, const hm_tolerance *tol,
                    hm_arena *a) {
  *g = (hm_agreed){ .claims = claims, .n = n, .tol = tol };
  if (n <= FEW)
    return;
  hm_numbering words, wordings;
  hm_numbering_init(&words, a);
  hm_numbering_init(&wordings, a);
  g->wording = hm_alloc_array(a, n, sizeof *g->wording);
  for (size_t i = 0; i < n; i++)
    g->wording[i] = wording_of(claims[i], &words, &wordings);
  for (g->bits = 10; (size_t)1 << g->bits < 16 * n;)
    g->bits++;
  g->pairs = hm_alloc_array(a, (size_t)1 << g->bits, sizeof *g->pairs);
  bool absolute = tol && isfinite(tol->value) && !hm_str_is(tol->unit, "%");
  hm_value_kind kind = absolute && tol->unit.n ? HM_V_QUANTITY : HM_V_NUMBER;
  hm_str base = HM_EMPTY;
  for (size_t i = 0; absolute && i < n && g->near <= 0; i++) {
    base = claims[i]->value.base;
    if (claims[i]->value.kind == kind)
      g->near = tol->unit.n ? hm_tolerance_in_base(tol, base) : tol->value;
  }
  if (!(g->near > 0))
    return;
  g->num = hm_alloc_array(a, n, sizeof *g->num);
  for (size_t i = 0; i < n; i++) {
    const hm_value *v = &claims[i]->value;
    g->num[i] = v->kind == kind && !v->denied && hm_str_eq(v->base, base) ? v->num : NAN;
  }
}

/* Where a pair of wordings is remembered, and as what. */
static uint64_t *place_of(const hm_agreed *g, size_t x, size_t y, uint64_t *pair) {
  *pair = ((uint64_t)g->wording[x] << 32 | g->wording[y]) + 1;
  return &g->pairs[*pair * UINT64_C(0x9e3779b97f4a7c15) >> (64 - g->bits)];
}

static bool is_known(const hm_agreed *g, size_t x, size_t y) {
  uint64_t pair;
  return g->pairs && *place_of(g, x, y, &pair) == pair;
}

/* Far enough within the tolerance that no digit of a sum matters. */
static bool are_near(const hm_agreed *g, size_t x, size_t y) {
  if (!g->num)
    return false;
  double a = g->num[x], b = g->num[y], error = 1e-12 * (fabs(a) + fabs(b) + g->near);
  return fabs(a - b) + error < g->near;
}

bool hm_agreed_ask(const hm_agreed *g, size_t x, size_t y) {
  const hm_claim *a = g->claims[x], *b = g->claims[y];
  uint64_t pair;
  if (are_near(g, x, y) || is_known(g, x, y))
    return true;
  if (!hm_claim_values_agree(a, b, g->tol) && !hm_claim_refines(a, b, g->n))
    return false;
  if (g->pairs)
    *place_of(g, x, y, &pair) = pair;
  return true;
}

/* --- the slot --------------------------------------------------------------------- */

/* Past trust, id and field the order only serves rows that a store cannot hold; it is total all the
 * same. */
int hm_claim_member_order(const hm_snapshot *snap, const hm_claim *a, const hm_claim *b) {
  int d = hm_layer_order(a->layer, b->layer);
  if (d)
    return d;
  d = a->row == b->row ? 0 : hm_str_cmp(snap->rows[a->row].id, snap->rows[b->row].id);
  if (!d)
    d = hm_str_cmp(a->field, b->field);
  if (!d)
    d = hm_str_cmp(a->source, b->source);
  if (!d)
    d = hm_str_cmp(a->value.norm, b->value.norm);
  if (!d)
    d = (a->when->from > b->when->from) - (a->when->from < b->when->from);
  return d ? d : (a->when->until > b->when->until) - (a->when->until < b->when->until);
}

static int by_member(const void *x, const void *y, void *snap) {
  return hm_claim_member_order(snap, *(const hm_claim *const *)x, *(const hm_claim *const *)y);
}

typedef struct {
  const hm_snapshot *snap;
  const hm_claim *context;
} cut;

static int by_rank(const void *x, const void *y, void *ctx) {
  const hm_claim *a = *(const hm_claim *const *)x, *b = *(const hm_claim *const *)y;
  const cut *of = ctx;
  bool p = a >= of->context, q = b >= of->context;
  return p != q ? p - q : hm_claim_member_order(of->snap, a, b);
}

size_t hm_slot_claims_cut(const hm_snapshot *snap, const hm_claim **claims, size_t n,
                          const hm_claim *context) {
  if (n <= HM_SLOT_COMPARED)
    return n;
  qsort_r(claims, n, sizeof *claims, by_rank, &(cut){ snap, context });
  return HM_SLOT_COMPARED;
}

void hm_slot_claims_build(hm_slot_claims *out, const hm_snapshot *snap, const hm_claim **claims,
                          size_t n, const hm_rules *rules, hm_arena *a) {
  hm_numbering norms, peers, said;
  bool denials = false;
  qsort_r(claims, n, sizeof *claims, by_member, (void *)snap);
  *out = (hm_slot_claims){ .n = n, .items = hm_alloc_array(a, n, sizeof *out->items) };
  hm_numbering_init(&norms, a);
  hm_numbering_init(&peers, a);
  hm_numbering_init(&said, a);
  for (size_t i = 0; i < n; i++)
    denials = denials || claims[i]->value.denied;
  for (size_t i = 0; i < n; i++) {
    const hm_claim *c = claims[i];
    hm_slot_item *x = &out->items[i];
    bool alone = c->layer == HM_MEMORY && !c->space.n && !c->compare.n;
    *x = (hm_slot_item){ .claim = c,
                         .from = c->when->from,
                         .until = c->when->until,
                         .layer = c->layer,
                         .denied = c->value.denied,
                         .thing = c->thing,
                         .norm = hm_numbering_add(&norms, c->value.norm),
                         .peers = ALONE };
    hm_str compare = c->compare;
    if (c->thing)
      compare = hm_str_fmt(a, "%u\x1f%.*s", c->thing, HM_FMT(compare));
    if (!alone)
      x->peers = c->space.n ? 0 : hm_numbering_add(&peers, compare);
    if (denials)
      x->said = hm_numbering_add(&said, hm_value_undenied_key(&c->value));
  }
  hm_agreed_init(&out->agreed, claims, n, n ? hm_rules_tolerance(rules, claims[0]->name) : NULL, a);
}

static bool overlap(const hm_slot_item *a, const hm_slot_item *b) {
  return a->from < b->until && b->from < a->until;
}

/* Most claims that may not be compared, by their numbers alone. */
static bool are_apart(const hm_slot_item *a, const hm_slot_item *b) {
  if (a->denied || b->denied)
    return a->said != b->said;
  return a->layer == b->layer && (a->peers != b->peers || a->peers == ALONE);
}

bool hm_claims_may_be_compared(const hm_slot_item *a, const hm_slot_item *b) {
  bool of_state = (a->claim->layer == HM_STATE) != (b->claim->layer == HM_STATE);
  if (of_state && (a->spared || b->spared))
    return false;
  if (a->thing && b->thing && a->thing != b->thing)
    return false;
  return hm_claim_comparable(a->claim, b->claim);
}

bool hm_claims_contradict(const hm_slot_claims *s, const hm_slot_item *a, const hm_slot_item *b) {
  size_t x = (size_t)(a - s->items), y = (size_t)(b - s->items);
  if (a->norm == b->norm || !overlap(a, b) || are_apart(a, b) || are_near(&s->agreed, x, y) ||
      is_known(&s->agreed, x, y))
    return false;
  return hm_claims_may_be_compared(a, b) && !hm_agreed_ask(&s->agreed, x, y);
}

/* Do they overlap, with compatible values? */
static bool agree(const hm_slot_claims *s, const hm_slot_item *a, const hm_slot_item *b) {
  return overlap(a, b) &&
      (a->norm == b->norm ||
       hm_values_are_compatible(&a->claim->value, &b->claim->value, s->agreed.tol));
}

static void mark_things(hm_slot_claims *s) {
  for (size_t i = 0; i < s->n; i++) {
    hm_slot_item *x = &s->items[i];
    for (size_t k = 0; k < s->n && x->layer != HM_ENTITY && !x->thing; k++) {
      const hm_slot_item *entity = &s->items[k];
      if (entity->claim->thing && agree(s, x, entity) &&
          hm_claim_comparable(x->claim, entity->claim))
        x->thing = entity->claim->thing;
    }
  }
}

/* Does the state, which agrees with x, say all that x says? A version in use that a demand allows
 * says nothing of the least one. */
static bool can_spare(const hm_slot_item *x, const hm_slot_item *state) {
  return !hm_value_is_demand(&x->claim->value) || hm_value_is_demand(&state->claim->value);
}

void hm_slot_mark_spared(hm_slot_claims *s) {
  mark_things(s);
  size_t n_states = 0;
  while (n_states < s->n && s->items[n_states].claim->layer == HM_STATE)
    n_states++;
  for (size_t i = n_states; i < s->n; i++)
    for (size_t k = 0; k < n_states && !s->items[i].spared; k++)
      s->items[i].spared = agree(s, &s->items[i], &s->items[k]) &&
          can_spare(&s->items[i], &s->items[k]) &&
          hm_claim_comparable(s->items[i].claim, s->items[k].claim);
}

/* --- components ---------------------------------------------------------------------- */

void hm_slot_components_build(hm_slot_components *out, const hm_slot_claims *s, hm_arena *a) {
  uint32_t *rest = hm_alloc_array(a, s->n, sizeof *rest); /* those that nobody reached */
  size_t n_rest = s->n, n = 0;
  *out = (hm_slot_components){ .items = hm_alloc_array(a, s->n, sizeof *out->items),
                               .first = hm_alloc_array(a, s->n / 2 + 1, sizeof *out->first) };
  for (uint32_t i = 0; i < s->n; i++)
    rest[i] = i;
  while (n_rest) {
    size_t end = n;
    out->items[end++] = *rest++;
    n_rest--;
    for (size_t i = n; i < end; i++) {
      const hm_slot_item *x = &s->items[out->items[i]];
      size_t left = 0;
      for (size_t k = 0; k < n_rest; k++) {
        if (hm_claims_contradict(s, x, &s->items[rest[k]]))
          out->items[end++] = rest[k];
        else
          rest[left++] = rest[k];
      }
      n_rest = left;
    }
    if (end - n < 2)
      continue;
    qsort(out->items + n, end - n, sizeof *out->items, hm_order_u32);
    out->first[out->n++] = n;
    n = end;
  }
  out->first[out->n] = n;
}
