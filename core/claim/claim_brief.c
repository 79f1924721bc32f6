/* Claims in brief, and the slots in which not all say the same. Each worker scatters what it meets by the top bits of
 * the slot's hash, so that the slots of one part are all in that part and its table fits a cache. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim_impl.h"

enum { PART_BITS = 6, PARTS = 1 << PART_BITS, BLOCK = 127, WORTH_PARTS = 4096 };

typedef struct block { struct block *next; size_t n; hm_brief v[BLOCK]; } block;

struct hm_briefs {
  uint64_t seed;
  hm_arena *a;
  int n_parts;
  block *parts[PARTS];
  size_t n[PARTS];         /* briefs of each part */
};

hm_briefs *hm_briefs_new(uint64_t seed, size_t n_rows) {
  hm_arena *a = hm_arena_new();
  hm_briefs *b = hm_alloc(a, sizeof *b);
  *b = (hm_briefs){ .seed = seed, .a = a, .n_parts = n_rows < WORTH_PARTS ? 1 : PARTS };
  return b;
}

void hm_briefs_free(hm_briefs *b) {
  if (b) hm_arena_free(b->a);
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
  block *at = b->parts[part];
  if (!at || at->n == BLOCK) {
    at = hm_alloc(b->a, sizeof *at);
    at->next = b->parts[part];
    b->parts[part] = at;
  }
  at->v[at->n++] = (hm_brief){ slot, lasting(b->a, row, c->value.raw), c->row, c->value.kind == HM_V_SET };
  b->n[part]++;
}

/* The number that a row has after rows were inserted, by their numbers of now. */
static uint32_t moved(uint32_t row, const uint32_t *inserted, size_t n) {
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (inserted[mid] - mid <= row) lo = mid + 1;
    else hi = mid;
  }
  return row + (uint32_t)lo;
}

void hm_briefs_follow(hm_briefs *b, const hm_follow_news *news, const unsigned char *stale) {
  for (int part = 0; part < b->n_parts; part++)
    for (block *at = b->parts[part]; at; at = at->next)
      for (size_t i = 0; i < at->n;) {
        at->v[i].row = moved(at->v[i].row, news->inserted, news->n_inserted);
        if (!stale[at->v[i].row]) {
          i++;
          continue;
        }
        at->v[i] = at->v[--at->n];
        b->n[part]--;
      }
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

static void enter(table *t, const block *b) {
  for (size_t i = 0; i < b->n; i++) {
    place *p = place_of(t, &b->v[i]);
    p->contested = p->contested || !says_same(p->first, &b->v[i]);
  }
}

/* A row can have claims in several parts, which are judged at once. */
static void mark(judging *j, table *t, const block *b) {
  for (size_t i = 0; i < b->n; i++)
    if (place_of(t, &b->v[i])->contested) __atomic_store_n(&j->contested[b->v[i].row], 1, __ATOMIC_RELAXED);
}

static int judge_part(void *ctx, size_t part, int worker) {
  (void)worker;
  judging *j = ctx;
  for (int i = 0; i < j->n_of; i++) j->claims[part] += j->of[i]->n[part];
  table t = table_for(j->claims[part]);
  for (int i = 0; i < j->n_of; i++)
    for (const block *b = j->of[i]->parts[part]; b; b = b->next) enter(&t, b);
  for (int i = 0; i < j->n_of; i++)
    for (const block *b = j->of[i]->parts[part]; b; b = b->next) mark(j, &t, b);
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
