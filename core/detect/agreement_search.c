/* Groups claims by normal form; within a group, sorts them by the start of their windows, with the
 * latest end up to each place. So whether a claim of a group overlaps is found in O(log n).
 *
 * A query searches the group of its own normal form. If different values can be compatible
 * (numbers, dates, ranges and lists in prose among each other; sets, lists and objects with all) it
 * also searches the groups with compatible values, which are determined once per normal form. Cost:
 * O(n log n), and for such values the product of the numbers of different values on both sides. */
#include "core/detect/slot_claims.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint32_t norm;
  hm_time from, until;
  const hm_value *value;
} entry;
typedef struct {
  uint32_t first, end;
} group; /* of entries */
typedef struct {
  uint32_t *groups;
  size_t n;
} fitting;

struct hm_agreement {
  const hm_slot_claims *slot;
  entry *entries;
  size_t n;      /* by norm, from */
  hm_time *last; /* [i]: the latest end in the group up to i */
  group *groups;
  size_t n_groups;
  size_t n_parts, n_flexible; /* groups with parts; flexible: no plain texts either */
  hm_map at;                  /* normal form of a question -> index of fits */
  fitting *fits;
  size_t cap_fits;
  uint32_t *room; /* for n_groups */
  hm_arena *a;
};

static int by_norm_and_start(const void *x, const void *y) {
  const entry *a = x, *b = y;
  if (a->norm != b->norm)
    return a->norm < b->norm ? -1 : 1;
  return (a->from > b->from) - (a->from < b->from);
}

static bool is_flexible(const hm_value *v) {
  bool fixed = v->kind == HM_V_TEXT || v->kind == HM_V_BOOL;
  return !hm_value_has_parts(v) && (!fixed || !hm_str_eq(v->norm, v->key));
}

static void begin_group(hm_agreement *g, uint32_t first) {
  g->groups[g->n_groups++].first = first;
  g->n_parts += hm_value_has_parts(g->entries[first].value);
  g->n_flexible += is_flexible(g->entries[first].value);
}

static void form_groups(hm_agreement *g) {
  for (size_t i = 0; i < g->n; i++) {
    bool begins = !i || g->entries[i].norm != g->entries[i - 1].norm;
    if (begins)
      begin_group(g, (uint32_t)i);
    g->groups[g->n_groups - 1].end = (uint32_t)i + 1;
    hm_time until = g->entries[i].until;
    g->last[i] = begins || until > g->last[i - 1] ? until : g->last[i - 1];
  }
}

hm_agreement *hm_agreement_new(const hm_slot_claims *slot, const uint32_t *items, size_t n,
                               hm_arena *a) {
  hm_agreement *g = hm_alloc(a, sizeof *g);
  *g = (hm_agreement){ .slot = slot, .n = n, .a = a };
  g->entries = hm_alloc_array(a, n, sizeof *g->entries);
  g->last = hm_alloc_array(a, n, sizeof *g->last);
  g->groups = hm_alloc_array(a, n, sizeof *g->groups);
  for (size_t i = 0; i < n; i++) {
    const hm_slot_item *it = &slot->items[items[i]];
    g->entries[i] =
        (entry){ it->norm, it->claim->when->from, it->claim->when->until, &it->claim->value };
  }
  if (n)
    qsort(g->entries, n, sizeof *g->entries, by_norm_and_start);
  form_groups(g);
  return g;
}

/* The groups of other normal forms that are compatible with x. */
static fitting find_fitting(hm_agreement *g, const hm_slot_item *x) {
  const hm_value *v = &x->claim->value;
  fitting f = { 0 };
  if (!g->room)
    g->room = hm_alloc_array(g->a, g->n_groups, sizeof *g->room);
  for (size_t i = 0; i < g->n_groups; i++) {
    const entry *e = &g->entries[g->groups[i].first];
    bool may = hm_value_has_parts(v) || hm_value_has_parts(e->value) ||
        (is_flexible(v) && is_flexible(e->value));
    if (may && e->norm != x->norm && hm_values_are_compatible(e->value, v, g->slot->tol))
      g->room[f.n++] = (uint32_t)i;
  }
  f.groups = hm_alloc_array(g->a, f.n, sizeof *f.groups);
  if (f.n)
    memcpy(f.groups, g->room, f.n * sizeof *f.groups);
  return f;
}

static fitting others_fitting(hm_agreement *g, const hm_slot_item *x) {
  const hm_value *v = &x->claim->value;
  bool none = !g->n_parts && !hm_value_has_parts(v) && !(g->n_flexible && is_flexible(v));
  if (none)
    return (fitting){ 0 };
  if (!g->cap_fits)
    hm_map_init(&g->at, g->a, 16);
  g->fits = hm_array_grow_in(g->a, g->fits, g->at.n, &g->cap_fits, sizeof *g->fits);
  uint32_t next = (uint32_t)g->at.n, at = hm_map_add(&g->at, v->norm, next);
  if (at == next)
    g->fits[at] = find_fitting(g, x);
  return g->fits[at];
}

/* Those of the group that begin before x ends: does one of them end after x begins? */
static bool overlaps(const hm_agreement *g, const group *of, const hm_claim *x) {
  size_t lo = of->first, hi = of->end;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (g->entries[mid].from < x->when->until)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo > of->first && g->last[lo - 1] > x->when->from;
}

static const group *group_of(const hm_agreement *g, uint32_t norm) {
  size_t lo = 0, hi = g->n_groups;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (g->entries[g->groups[mid].first].norm < norm)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < g->n_groups && g->entries[g->groups[lo].first].norm == norm ? &g->groups[lo] : NULL;
}

bool hm_agreement_any(hm_agreement *g, const hm_slot_item *x) {
  const group *own = group_of(g, x->norm);
  if (own && overlaps(g, own, x->claim))
    return true;
  fitting f = others_fitting(g, x);
  for (size_t i = 0; i < f.n; i++)
    if (overlaps(g, &g->groups[f.groups[i]], x->claim))
      return true;
  return false;
}

/* --- spared claims ------------------------------------------------------------ */

enum { FEW = 32 };

static bool agrees(const hm_slot_claims *s, const hm_slot_item *a, const hm_slot_item *b) {
  return hm_claim_comparable(a->claim, b->claim) && hm_claim_overlap(a->claim, b->claim) &&
      (a->norm == b->norm || hm_values_are_compatible(&a->claim->value, &b->claim->value, s->tol));
}

static void spare_few(hm_slot_claims *s, size_t n_states) {
  for (size_t i = n_states; i < s->n; i++)
    for (size_t k = 0; k < n_states && !s->items[i].spared; k++)
      s->items[i].spared = agrees(s, &s->items[i], &s->items[k]);
}

typedef struct {
  hm_claim_lists lists;
  hm_agreement **of_list[HM_LIST_FAMILIES];
  hm_arena *a;
} state_lists;

static hm_agreement *agreement_of(state_lists *l, hm_list_ref r) {
  const hm_list_family *f = &l->lists.families[r.family];
  size_t n = f->first[r.list + 1] - f->first[r.list];
  if (!n)
    return NULL;
  if (!l->of_list[r.family])
    l->of_list[r.family] = hm_alloc_array(l->a, f->n_lists, sizeof *l->of_list[0]);
  hm_agreement **at = &l->of_list[r.family][r.list];
  if (!*at)
    *at = hm_agreement_new(l->lists.slot, f->items + f->first[r.list], n, l->a);
  return *at;
}

void hm_slot_mark_spared(hm_slot_claims *s, hm_arena *scratch) {
  size_t n_states = 0;
  while (n_states < s->n && s->items[n_states].claim->layer == HM_STATE)
    n_states++;
  if (!n_states || n_states == s->n)
    return;
  if (s->n <= FEW) {
    spare_few(s, n_states);
    return;
  }
  /* Lists of states only: for each other claim, the claims that it is compared with. */
  uint32_t *states = hm_alloc_array(scratch, n_states, sizeof *states);
  for (size_t i = 0; i < n_states; i++)
    states[i] = (uint32_t)i;
  state_lists l = { .a = scratch };
  hm_claim_lists_build(&l.lists, s, states, n_states, scratch);
  for (size_t i = n_states; i < s->n; i++) {
    hm_list_ref asked[HM_LISTS_OF_ONE];
    int n = hm_claim_lists_find_compared(&l.lists, &s->items[i], asked);
    for (int k = 0; k < n && !s->items[i].spared; k++) {
      hm_agreement *g = agreement_of(&l, asked[k]);
      s->items[i].spared = g && hm_agreement_any(g, &s->items[i]);
    }
  }
}
