/* Does one place lie in another at that time, by a chain of relations?
 *
 * From the inner one outwards, by every step that may hold at the time asked about. A place is
 * reached for a part of that time: what is left of it after the windows of the steps on the way. It
 * lies in the outer one throughout when the parts for which that is reached cover the whole time,
 * so chains that follow each other in time count together. A part that is within another of the
 * same place leads nowhere new, so circles end.
 * Cost: what a place lies in is found by hash; each step and each comparison of two places is one
 * piece of work. Of 300 places that all lie in each other each is compared with 90,000 pairs of
 * others: a question has less work the more of them there are. */
#include "core/claim/containment.h"

#include <stdlib.h>
#include <string.h>

enum { STATES_MAX = 100, WORK_MAX = 1 << 14, WORK_LEAST = 64 };

struct hm_containment {
  const hm_inclusion *steps;
  uint32_t *first, *next; /* by hash of inner, by step: 1 + a step; 0: none */
  size_t mask;
};

hm_containment *hm_containment_new(hm_arena *a) { return hm_alloc(a, sizeof(hm_containment)); }

void hm_inclusions_add(hm_inclusions *l, hm_inclusion in) {
  l->v = hm_array_grow(l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = in;
}

void hm_containment_fill(hm_containment *c, hm_inclusions *const *lists, size_t n_lists,
                         hm_arena *a) {
  size_t size = 2, n = 0, at = 0;
  for (size_t i = 0; i < n_lists; i++) n += lists[i]->n;
  if (!n) return;
  hm_inclusion *v = hm_alloc_array(a, n, sizeof *v);
  for (size_t i = 0; i < n_lists; at += lists[i++]->n) {
    if (lists[i]->n) memcpy(v + at, lists[i]->v, lists[i]->n * sizeof *v);
    free(lists[i]->v);
  }
  while (size < 2 * n) size *= 2;
  *c = (hm_containment){ .steps = v, .mask = size - 1 };
  c->first = hm_alloc_array(a, size, sizeof *c->first);
  c->next = hm_alloc_array(a, n, sizeof *c->next);
  for (size_t i = n; i-- > 0;) { /* each list in the order of the steps */
    uint32_t *first = &c->first[hm_str_hash(v[i].inner) & c->mask];
    c->next[i] = *first;
    *first = (uint32_t)i + 1;
  }
}

/* A place, and a part of the time for which it is reached. */
typedef struct {
  hm_str id;
  hm_time from, until;
} reached;

typedef struct {
  uint16_t axis;
  size_t n, *work;
  reached v[STATES_MAX];
} search;

static bool spend(search *q, size_t n) {
  bool enough = *q->work >= n;
  *q->work = enough ? *q->work - n : 0;
  return enough;
}

/* false: there is no room, or no work is left. */
static bool reach(search *q, hm_str id, hm_time from, hm_time until) {
  size_t i = 0;
  while (i < q->n &&
         !(hm_str_eq(q->v[i].id, id) && q->v[i].from <= from && until <= q->v[i].until))
    i++;
  if (!spend(q, i)) return false;
  if (i < q->n) return true;
  if (q->n == STATES_MAX) return false;
  q->v[q->n++] = (reached){ id, from, until };
  return true;
}

/* A bound that nobody gives, or that another calendar counts, limits nothing. */
static void limit(const search *q, const hm_window *step, hm_time *from, hm_time *until) {
  if (step->begin.known && step->axis == q->axis && step->may_from > *from) *from = step->may_from;
  if (step->end.known && step->axis == q->axis && step->may_until < *until)
    *until = step->may_until;
}

/* Do the parts for which it is reached make up [from, until)? */
static bool covers(const search *q, hm_str id, hm_time from, hm_time until) {
  for (hm_time before; from < until;) {
    before = from;
    for (size_t i = 1; i < q->n; i++)
      if (hm_str_eq(q->v[i].id, id) && q->v[i].from <= from && q->v[i].until > from)
        from = q->v[i].until;
    if (from == before) return false;
  }
  return true;
}

static hm_time later(hm_time a, hm_time b) { return a > b ? a : b; }
static hm_time earlier(hm_time a, hm_time b) { return a < b ? a : b; }

size_t hm_containment_work(size_t n) {
  size_t share = n > 2 ? WORK_MAX / (n - 1) : WORK_MAX;
  return share > WORK_LEAST ? share : WORK_LEAST;
}

bool hm_containment_throughout(const hm_containment *c, hm_str inner, hm_str outer,
                               const hm_window *a, const hm_window *b, size_t *work) {
  if (!c->steps) return false;
  bool certain = hm_window_overlap(a, b);
  hm_time from = certain ? later(a->from, b->from) : later(a->may_from, b->may_from);
  hm_time until = certain ? earlier(a->until, b->until) : earlier(a->may_until, b->may_until);
  bool by_a = a->begin.known || a->end.known;
  search q; /* its places are many, and few are used */
  q.axis = by_a ? a->axis : b->axis;
  q.n = 0;
  q.work = work;
  reach(&q, inner, from, until);
  for (size_t i = 0; i < q.n; i++) {
    for (uint32_t k = c->first[hm_str_hash(q.v[i].id) & c->mask]; k; k = c->next[k - 1]) {
      const hm_inclusion *step = &c->steps[k - 1];
      hm_time begins = q.v[i].from, ends = q.v[i].until;
      if (!spend(&q, 1)) return true;
      if (!hm_str_eq(step->inner, q.v[i].id)) continue;
      limit(&q, step->when, &begins, &ends);
      if (begins < ends && !reach(&q, step->outer, begins, ends)) return true;
    }
  }
  return covers(&q, outer, from, until);
}
