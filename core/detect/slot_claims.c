/* The claims of one slot in member order, with small numbers instead of strings, and which of them
 * contradict each other.
 *
 * A value has a number for its normal form, and one for several forms that are all compatible with
 * each other (30 s and 30000 ms; measurements within a tolerance): a search that meets another
 * number has then most likely met a disagreement. Cost: O(n log n) a slot.
 *
 * Claims are grouped into slots by hash, in one pass: hashes are scattered by their top bits into
 * partitions that fit a cache, each partition is sorted, and runs of equal hash are walked. Most
 * runs have one claim, which is not read. */
#include "core/detect/slot_claims.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"

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

static int by_hash(const void *a, const void *b) {
  const hm_slot_ref *x = a, *y = b;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  return (x->claim > y->claim) - (x->claim < y->claim);
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

static bool same_window(const hm_window *a, const hm_window *b) {
  return a == b || (same_bound(&a->begin, &b->begin) && same_bound(&a->end, &b->end));
}

/* Values with equal keys are always compatible; relations also have bounds. */
static bool all_agree(const work *w, const hm_slot_ref *refs, size_t n) {
  const hm_claim *first = &w->claims[refs[0].claim];
  for (size_t i = 1; i < n; i++) {
    const hm_claim *c = &w->claims[refs[i].claim];
    if (!hm_str_eq(first->value.key, c->value.key))
      return false;
    if (c->layer == HM_RELATION && !same_window(first->when, c->when))
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
  qsort(refs, n, sizeof *refs, by_hash);
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

static void move_to_map(hm_numbering *g) {
  hm_map_init(&g->map, g->a, 2 * HM_NUMBERING_FEW);
  for (uint32_t i = 0; i < g->n; i++)
    hm_map_add(&g->map, g->few[i], i);
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
    move_to_map(g);
  }
  uint32_t got = hm_map_add(&g->map, key, g->n);
  if (got == g->n)
    g->n++;
  return got;
}

/* --- numbers for values ----------------------------------------------------------- */

enum { TOGETHER_MAX = 8 };

/* Values of one unit, all compatible: those from lo to hi in size. */
typedef struct {
  const hm_value *lo, *hi;
  hm_str base, unit;
  uint32_t number;
} range;

static int num_cmp(const range *a, const range *b) {
  if (a->lo->num != b->lo->num)
    return a->lo->num < b->lo->num ? -1 : 1;
  return hm_str_cmp(a->lo->norm, b->lo->norm);
}

static int by_unit(const void *x, const void *y) {
  const range *a = x, *b = y;
  int d = hm_str_cmp(a->base, b->base);
  if (!d)
    d = hm_str_cmp(a->unit, b->unit);
  return d ? d : num_cmp(a, b);
}

static int by_base(const void *x, const void *y) {
  const range *a = x, *b = y;
  int d = hm_str_cmp(a->base, b->base);
  return d ? d : num_cmp(a, b);
}

/* Up to 100 % a tolerance that holds between the ends of a range holds between any two inside. */
static bool spans(const hm_tolerance *tol) {
  return tol && !(hm_str_is(tol->unit, "%") && tol->value > 100);
}

/* Merges successive values of one unit that lie within the tolerance into one range. Two values
 * that are the same double stay separate, since they may be out of order. */
static size_t join_by_tolerance(range *r, size_t n, const hm_tolerance *tol, uint32_t *to) {
  size_t out = 0;
  qsort(r, n, sizeof *r, by_unit);
  for (size_t i = 0; i < n; i++) {
    range *last = out ? &r[out - 1] : NULL;
    if (last && hm_str_eq(last->base, r[i].base) && hm_str_eq(last->unit, r[i].unit) &&
        last->hi->num < r[i].lo->num && hm_values_are_compatible(last->lo, r[i].lo, tol)) {
      last->hi = r[i].hi;
      to[r[i].number] = last->number;
    } else {
      r[out++] = r[i];
    }
  }
  return out;
}

static bool ranges_compatible(const range *a, const range *b, const hm_tolerance *tol) {
  return hm_values_are_compatible(a->lo, b->lo, tol) &&
      hm_values_are_compatible(a->hi, b->hi, tol) && hm_values_are_compatible(a->lo, b->hi, tol) &&
      hm_values_are_compatible(a->hi, b->lo, tol);
}

static bool joins(const range *group, size_t n, const range *r, const hm_tolerance *tol) {
  for (size_t i = 0; i < n; i++)
    if (!ranges_compatible(&group[i], r, tol))
      return false;
  return n < TOGETHER_MAX;
}

/* Ranges of different units that hold the same. */
static void join_units(range *r, size_t n, const hm_tolerance *tol, uint32_t *to) {
  qsort(r, n, sizeof *r, by_base);
  for (size_t i = 0, j; i < n; i = j)
    for (j = i + 1; j < n && joins(r + i, j - i, &r[j], tol); j++)
      to[r[j].number] = r[i].number;
}

/* What follows the number in a quantity's normal form. */
static hm_str unit_of(const hm_value *v) {
  const char *space = v->kind == HM_V_QUANTITY ? memchr(v->norm.p, ' ', v->norm.n) : NULL;
  return space ? hm_str_sub(v->norm, (size_t)(space - v->norm.p) + 1, v->norm.n) : HM_EMPTY;
}

static range range_of(const hm_value *v, uint32_t number) {
  return (range){ v, v, v->kind == HM_V_QUANTITY ? v->base : HM_STR("1"), unit_of(v), number };
}

/* Forms that are no numbers and differ have one number where their keys are equal (a list and the
 * same list in another order). */
static void join_equal_keys(const hm_slot_claims *s, const uint32_t *rest, size_t n, uint32_t *to,
                            hm_arena *a) {
  hm_numbering keys;
  uint32_t *first = hm_alloc_array(a, n, sizeof *first);
  hm_numbering_init(&keys, a);
  for (size_t i = 0; i < n; i++) {
    uint32_t known = keys.n, key = hm_numbering_add(&keys, s->items[rest[i]].claim->value.key);
    uint32_t number = s->items[rest[i]].norm;
    if (key == known)
      first[key] = number;
    to[number] = first[key];
  }
}

static void number_values(hm_slot_claims *s, hm_arena *a) {
  hm_numbering norms;
  hm_numbering_init(&norms, a);
  range *ranges = hm_alloc_array(a, s->n, sizeof *ranges);
  uint32_t *to = hm_alloc_array(a, s->n, sizeof *to), *rest = NULL;
  size_t n = 0, n_rest = 0;
  bool plain = !s->tol;
  for (size_t i = 0; i < s->n; i++) {
    const hm_value *v = &s->items[i].claim->value;
    uint32_t known = norms.n, number = hm_numbering_add(&norms, v->norm);
    s->items[i].norm = s->items[i].value = number;
    if (number < known)
      continue;
    to[number] = number;
    if (v->denied)
      continue; /* in no range: it is compatible with all but one */
    if (v->kind == HM_V_QUANTITY || v->kind == HM_V_NUMBER) {
      ranges[n++] = range_of(v, number);
    } else if (v->key.n != v->norm.n || v->key.p != v->norm.p) {
      if (!rest)
        rest = hm_alloc_array(a, s->n, sizeof *rest);
      rest[n_rest++] = (uint32_t)i;
    }
    if (v->kind == HM_V_QUANTITY)
      plain = false;
  }
  if (n_rest > 1)
    join_equal_keys(s, rest, n_rest, to, a);
  if (n >= 2 && !plain) {
    if (spans(s->tol))
      n = join_by_tolerance(ranges, n, s->tol, to);
    join_units(ranges, n, s->tol, to);
  } else if (n_rest < 2) {
    return;
  }
  /* to[] may lead to a number that leads on: at most twice. */
  for (size_t i = 0; i < s->n; i++)
    s->items[i].value = to[to[s->items[i].value]];
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
    d = hm_str_cmp(a->value.norm, b->value.norm);
  if (!d)
    d = (a->when->from > b->when->from) - (a->when->from < b->when->from);
  return d ? d : (a->when->until > b->when->until) - (a->when->until < b->when->until);
}

static int by_member(const void *x, const void *y, void *snap) {
  return hm_claim_member_order(snap, *(const hm_claim *const *)x, *(const hm_claim *const *)y);
}

/* The folded type before the first separator of `compare`. */
static hm_str type_of(const hm_claim *c) {
  const char *end = c->compare.n ? memchr(c->compare.p, 0x1f, c->compare.n) : NULL;
  return end ? hm_str_sub(c->compare, 0, (size_t)(end - c->compare.p)) : c->compare;
}

static void number_said(hm_slot_claims *s, hm_arena *a) {
  hm_numbering said;
  bool denied = false;
  for (size_t i = 0; i < s->n; i++)
    denied = denied || s->items[i].claim->value.denied;
  if (!denied)
    return;
  hm_numbering_init(&said, a);
  for (size_t i = 0; i < s->n; i++)
    s->items[i].said = hm_numbering_add(&said, hm_value_undenied_key(&s->items[i].claim->value));
  s->n_said = said.n;
}

/* Peers: what claims of one layer must share to be compared, as in hm_claim_comparable. A state's
 * begin with a separator, an entity's never do. */
static void number_classes(hm_slot_claims *s, hm_arena *a) {
  hm_numbering types, peers;
  hm_numbering_init(&types, a);
  hm_numbering_init(&peers, a);
  for (size_t i = 0; i < s->n; i++) {
    hm_slot_item *it = &s->items[i];
    hm_str type = it->claim->layer == HM_MEMORY ? HM_EMPTY : type_of(it->claim);
    hm_str with = it->claim->compare;
    if (it->claim->layer == HM_STATE)
      with = hm_str_fmt(a, "\x1f%.*s", HM_FMT(with));
    it->type = HM_SLOT_UNTYPED;
    it->peers = hm_numbering_add(&peers, with);
    if (type.n || it->claim->layer == HM_ENTITY)
      it->type = hm_numbering_add(&types, type);
  }
  s->n_types = types.n;
  s->n_peers = peers.n;
}

void hm_slot_claims_build(hm_slot_claims *out, const hm_snapshot *snap, const hm_claim **claims,
                          size_t n, const hm_rules *rules, hm_arena *a) {
  qsort_r(claims, n, sizeof *claims, by_member, (void *)snap);
  *out = (hm_slot_claims){ .n = n,
                           .items = hm_alloc_array(a, n, sizeof *out->items),
                           .tol = n ? hm_rules_tolerance(rules, claims[0]->name) : NULL };
  for (size_t i = 0; i < n; i++)
    out->items[i].claim = claims[i];
  out->fits = hm_alloc_array(a, n + 1, sizeof *out->fits);
  number_classes(out, a);
  number_said(out, a);
  number_values(out, a);
}

/* Where many copies of few sets all contain each other, a search asks of each copy again. */
bool hm_claims_clash(const hm_slot_claims *s, const hm_slot_item *a, const hm_slot_item *b) {
  if (a->value == b->value || !hm_claim_overlap(a->claim, b->claim))
    return false;
  bool texts = a->claim->said || b->claim->said;
  if (texts && !hm_claim_texts_comparable(a->claim, b->claim))
    return false;
  if (!texts && s->fits[a->norm] == b->norm + 1)
    return false;
  if (!hm_claim_values_agree(a->claim, b->claim, s->tol))
    return !hm_claim_refines(a->claim, b->claim, s->n);
  s->fits[a->norm] = b->norm + 1;
  return false;
}

bool hm_claims_may_be_compared(const hm_slot_item *a, const hm_slot_item *b) {
  bool of_state = (a->claim->layer == HM_STATE) != (b->claim->layer == HM_STATE);
  if (of_state && (a->spared || b->spared))
    return false;
  return hm_claim_comparable(a->claim, b->claim);
}

bool hm_claims_contradict(const hm_slot_claims *s, const hm_slot_item *a, const hm_slot_item *b) {
  return hm_claims_may_be_compared(a, b) && hm_claims_clash(s, a, b);
}
