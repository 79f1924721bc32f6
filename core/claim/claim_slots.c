/* Slots with those who claim in them: what hm_briefs_judge finds out, kept up to date at the cost of what changed. The briefs stand column by
 * column, because one column is looked through whenever a row changes, and moves whenever one is inserted. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim_impl.h"

#define GONE UINT32_MAX
enum { FEW = 8 };

/* A slot that anybody ever claimed in. soiled: somebody came or went since it was judged. */
typedef struct { uint64_t slot; uint32_t first; bool used, alive, contested, soiled; } place;

typedef struct { uint64_t slot; hm_str said; bool set; } words;

typedef struct {
  uint32_t *row;           /* of each brief; GONE: it was taken out */
  uint32_t *next;          /* the next one of its slot, or of those that were taken out */
  unsigned char *hot;      /* 1: its slot is contested */
  words *words;
  size_t n, cap;
  uint32_t free;           /* the first that was taken out and has left its slot */
  place *places; size_t mask, used;
  uint64_t *soiled; size_t n_soiled, cap_soiled;
  size_t claims, slots;
} part;

struct hm_slots { int n_parts; part parts[HM_BRIEF_PARTS]; };

/* --- places ------------------------------------------------------------------------- */

static size_t seat(const part *p, uint64_t slot) {
  size_t i = slot & p->mask;
  while (p->places[i].used && p->places[i].slot != slot) i = (i + 1) & p->mask;
  return i;
}

static bool is_kept(const place *at) { return at->used && (at->alive || at->soiled); }

/* At least three of four are free then. */
static void make_places(part *p, size_t cap) {
  place *old = p->places;
  size_t n = old ? p->mask + 1 : 0, kept = 0;
  for (size_t i = 0; i < n; i++) kept += is_kept(&old[i]);
  while (cap < 4 * kept) cap *= 2;
  p->places = memset(hm_xmalloc(cap * sizeof *p->places), 0, cap * sizeof *p->places);
  p->mask = cap - 1;
  p->used = kept;
  for (size_t i = 0; i < n; i++)
    if (is_kept(&old[i])) p->places[seat(p, old[i].slot)] = old[i];
  free(old);
}

/* Slots that nobody claims in any more keep their places until there is no room. */
static place *place_of(part *p, uint64_t slot) {
  if (2 * (p->used + 1) > p->mask) make_places(p, p->mask + 1);
  place *at = &p->places[seat(p, slot)];
  if (!at->used) {
    *at = (place){ .slot = slot, .first = GONE, .used = true };
    p->used++;
  }
  return at;
}

static void soil(part *p, place *at) {
  if (at->soiled) return;
  at->soiled = true;
  if (p->n_soiled == p->cap_soiled) p->soiled = hm_xrealloc(p->soiled, (p->cap_soiled = 2 * p->cap_soiled + 64) * sizeof *p->soiled);
  p->soiled[p->n_soiled++] = at->slot;
}

/* --- briefs ------------------------------------------------------------------------- */

static void make_room(part *p, size_t cap) {
  p->cap = cap;
  p->row = hm_xrealloc(p->row, cap * sizeof *p->row);
  p->next = hm_xrealloc(p->next, cap * sizeof *p->next);
  p->hot = hm_xrealloc(p->hot, cap * sizeof *p->hot);
  p->words = hm_xrealloc(p->words, cap * sizeof *p->words);
}

static uint32_t new_brief(part *p) {
  uint32_t i = p->free;
  if (i != GONE) {
    p->free = p->next[i];
    return i;
  }
  if (p->n == p->cap) make_room(p, 2 * p->cap + 16);
  return (uint32_t)p->n++;
}

static void add(part *p, const hm_brief *b) {
  place *at = place_of(p, b->slot);
  uint32_t i = new_brief(p);
  p->row[i] = b->row;
  p->hot[i] = 0;
  p->words[i] = (words){ b->slot, b->said, b->set };
  p->next[i] = at->first;
  at->first = i;
  p->claims++;
  soil(p, at);
}

static bool says_same(const words *a, const words *b) { return a->set == b->set && hm_str_eq(a->said, b->said); }

/* Those that were taken out leave the slot; the rest are compared. */
static void judge(part *p, place *at) {
  const words *first = NULL;
  uint32_t *link = &at->first;
  at->contested = at->soiled = false;
  for (uint32_t i; (i = *link) != GONE;) {
    if (p->row[i] == GONE) {
      *link = p->next[i];
      p->next[i] = p->free;
      p->free = i;
      p->hot[i] = 0;
      continue;
    }
    if (!first) first = &p->words[i];
    at->contested = at->contested || !says_same(first, &p->words[i]);
    link = &p->next[i];
  }
  for (uint32_t i = at->first; i != GONE; i = p->next[i]) p->hot[i] = at->contested;
  p->slots += (size_t)(first != NULL) - at->alive;
  at->alive = first != NULL;
}

static void judge_soiled(part *p) {
  for (size_t i = 0; i < p->n_soiled; i++) judge(p, &p->places[seat(p, p->soiled[i])]);
  p->n_soiled = 0;
}

/* --- all that was met --------------------------------------------------------------- */

typedef struct { hm_slots *s; hm_briefs *const *of; int n_of; } making;

static int make_part(void *ctx, size_t i, int worker) {
  making *m = ctx;
  part *p = &m->s->parts[i];
  size_t n = 0, cap = 8;
  (void)worker;
  for (int k = 0; k < m->n_of; k++) n += m->of[k]->n[i];
  while (cap <= 2 * n + 2) cap *= 2;
  p->free = GONE;
  make_room(p, n + n / 16 + 16);
  make_places(p, cap);
  for (int k = 0; k < m->n_of; k++)
    for (const hm_brief_block *b = m->of[k]->parts[i]; b; b = b->next)
      for (size_t v = 0; v < b->n; v++) add(p, &b->v[v]);
  judge_soiled(p);
  return 0;
}

hm_slots *hm_slots_new(hm_briefs *const *of, int n_of, int threads) {
  hm_slots *s = memset(hm_xmalloc(sizeof *s), 0, sizeof *s);
  s->n_parts = of[0]->n_parts;
  hm_par_for((size_t)s->n_parts, threads, make_part, &(making){ s, of, n_of }, NULL);
  for (int i = 0; i < n_of; i++) hm_briefs_clear(of[i]);
  return s;
}

void hm_slots_free(hm_slots *s) {
  if (!s) return;
  for (int i = 0; i < s->n_parts; i++) {
    part *p = &s->parts[i];
    free(p->row);
    free(p->next);
    free(p->hot);
    free(p->words);
    free(p->places);
    free(p->soiled);
  }
  free(s);
}

/* --- what changes ------------------------------------------------------------------- */

void hm_slots_add(hm_slots *s, hm_briefs *met) {
  for (int i = 0; i < s->n_parts; i++) {
    for (const hm_brief_block *b = met->parts[i]; b; b = b->next)
      for (size_t v = 0; v < b->n; v++) add(&s->parts[i], &b->v[v]);
    judge_soiled(&s->parts[i]);
  }
  hm_briefs_clear(met);
}

typedef struct { hm_slots *s; const hm_follow_news *news; const unsigned char *stale; } following;

static void move_rows(part *p, const uint32_t *inserted, size_t n) {
  uint32_t *row = p->row;
  for (size_t k = 0; n <= FEW && k < n; k++)
    for (size_t i = 0; i < p->n; i++) row[i] += row[i] >= inserted[k] && row[i] != GONE;
  for (size_t i = 0; n > FEW && i < p->n; i++)
    if (row[i] != GONE) row[i] = hm_row_moved(row[i], inserted, n);
}

static void take_out(part *p, const unsigned char *stale) {
  for (size_t i = 0; i < p->n; i++) {
    if (p->row[i] == GONE || !stale[p->row[i]]) continue;
    p->row[i] = GONE;
    p->claims--;
    soil(p, place_of(p, p->words[i].slot));
  }
}

static int follow_part(void *ctx, size_t i, int worker) {
  following *f = ctx;
  (void)worker;
  move_rows(&f->s->parts[i], f->news->inserted, f->news->n_inserted);
  take_out(&f->s->parts[i], f->stale);
  return 0;
}

void hm_slots_follow(hm_slots *s, const hm_follow_news *news, const unsigned char *stale) {
  hm_par_for((size_t)s->n_parts, s->n_parts > 1 ? hm_par_cores() : 1, follow_part, &(following){ s, news, stale }, NULL);
}

void hm_slots_judge(hm_slots *s, unsigned char *contested, size_t *claims, size_t *slots) {
  *claims = *slots = 0;
  for (int i = 0; i < s->n_parts; i++) {
    part *p = &s->parts[i];
    judge_soiled(p);
    *claims += p->claims;
    *slots += p->slots;
    for (unsigned char *at = p->hot; (at = memchr(at, 1, p->n - (size_t)(at - p->hot))); at++) contested[p->row[at - p->hot]] = 1;
  }
}
