/* Claims in brief, and the slots in which not all say the same. Each worker scatters what it meets by the top bits of
 * the slot's hash, so that the slots of one part are all in that part and its table fits a cache. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim_impl.h"

enum { PART_BITS = 6, PARTS = HM_BRIEF_PARTS, WORTH_PARTS = 4096 };

_Static_assert(PARTS == 1 << PART_BITS, "a part for each value of the top bits");

hm_briefs *hm_briefs_new(uint64_t seed, size_t n_rows) {
  hm_briefs *b = hm_xmalloc(sizeof *b);
  *b = (hm_briefs){ .seed = seed, .a = hm_arena_new(), .texts = hm_arena_new(), .n_parts = n_rows < WORTH_PARTS ? 1 : PARTS };
  return b;
}

void hm_briefs_free(hm_briefs *b) {
  if (!b) return;
  hm_arena_free(b->a);
  hm_arena_free(b->texts);
  free(b);
}

void hm_briefs_clear(hm_briefs *b) {
  hm_arena_free(b->a);
  b->a = hm_arena_new();
  memset(b->parts, 0, sizeof b->parts);
  memset(b->n, 0, sizeof b->n);
}

/* Few claims' words are not in their row as they are. */
static hm_str lasting(hm_arena *a, const hm_row *row, hm_str s) {
  uintptr_t from = (uintptr_t)row->text.p, at = (uintptr_t)s.p;
  return at >= from && at - from <= row->text.n ? s : hm_str_dup(a, s);
}

static uint64_t slot_hash(uint64_t seed, const hm_claim *c) {
  uint64_t type = c->memory_type.n ? (unsigned char)c->memory_type.p[0] : 0;
  return hm_hash_mix(hm_hash_mix(c->project, type), hm_str_hash_seeded(c->name, seed));
}

void hm_briefs_add(hm_briefs *b, const hm_row *row, const hm_claim *c) {
  uint64_t slot = slot_hash(b->seed, c);
  size_t part = b->n_parts == 1 ? 0 : (size_t)(slot >> (64 - PART_BITS));
  hm_brief_block *at = b->parts[part];
  if (!at || at->n == HM_BRIEF_BLOCK) {
    at = hm_alloc(b->a, sizeof *at);
    at->next = b->parts[part];
    b->parts[part] = at;
  }
  at->v[at->n++] = (hm_brief){ slot, lasting(b->texts, row, c->value.raw), c->row, c->value.kind == HM_V_SET };
  b->n[part]++;
}

typedef struct { const hm_brief *first; bool contested; } place;

typedef struct { place *v; size_t mask, n; } table;

/* The place of the slot of b, which is b's from now on if it was nobody's. */
static place *place_of(table *t, const hm_brief *b) {
  size_t i = b->slot & t->mask;
  while (t->v[i].first && t->v[i].first->slot != b->slot) i = (i + 1) & t->mask;
  if (!t->v[i].first) {
    t->v[i].first = b;
    t->n++;
  }
  return &t->v[i];
}

static bool says_same(const hm_brief *a, const hm_brief *b) { return a->set == b->set && hm_str_eq(a->said, b->said); }

static table table_for(size_t n) {
  size_t cap = 8;
  while (cap < 2 * n) cap *= 2;
  return (table){ memset(hm_xmalloc(cap * sizeof(place)), 0, cap * sizeof(place)), cap - 1, 0 };
}

typedef struct {
  hm_briefs *const *of; int n_of;
  unsigned char *contested;
  size_t claims[PARTS], slots[PARTS];
} judging;

static void enter(table *t, const hm_brief_block *b) {
  for (size_t i = 0; i < b->n; i++) {
    place *p = place_of(t, &b->v[i]);
    p->contested = p->contested || !says_same(p->first, &b->v[i]);
  }
}

/* A row can have claims in several parts, which are judged at once. */
static void mark(judging *j, table *t, const hm_brief_block *b) {
  for (size_t i = 0; i < b->n; i++)
    if (place_of(t, &b->v[i])->contested) __atomic_store_n(&j->contested[b->v[i].row], 1, __ATOMIC_RELAXED);
}

static int judge_part(void *ctx, size_t part, int worker) {
  (void)worker;
  judging *j = ctx;
  for (int i = 0; i < j->n_of; i++) j->claims[part] += j->of[i]->n[part];
  table t = table_for(j->claims[part]);
  for (int i = 0; i < j->n_of; i++)
    for (const hm_brief_block *b = j->of[i]->parts[part]; b; b = b->next) enter(&t, b);
  for (int i = 0; i < j->n_of; i++)
    for (const hm_brief_block *b = j->of[i]->parts[part]; b; b = b->next) mark(j, &t, b);
  j->slots[part] = t.n;
  free(t.v);
  return 0;
}

void hm_briefs_judge(hm_briefs *const *of, int n_of, int threads, unsigned char *contested, size_t *claims, size_t *slots) {
  judging j = { .of = of, .n_of = n_of, .contested = contested };
  int n = of[0]->n_parts;
  hm_par_for((size_t)n, threads, judge_part, &j, NULL);
  *claims = *slots = 0;
  for (int i = 0; i < n; i++) {
    *claims += j.claims[i];
    *slots += j.slots[i];
  }
}
