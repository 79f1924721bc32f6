/* Open returns to reversals: which claims are members of one (arc.h).
 *
 * Of one qualifier all open returns are one span, from the first claim that was left to the last
 * return; it holds the claims of that qualifier and those without one in it. A span without a
 * qualifier holds all claims. Spans that hold a claim in common are one reversal. O(n log n). */
#include <stdlib.h>

#include "core/detect/arc_impl.h"

typedef struct { uint32_t from, to, parent; bool any; } span;

typedef struct {
  arc_work *w;
  uint32_t *shelf;     /* by place: number of its qualifier, 0: none */
  hm_time *words;      /* by qualifier: when a word of change was last said */
  hm_time last;        /* of any */
  span *spans; size_t n;
} spans;

static const hm_arc_claim *at(const spans *s, uint32_t p) {
  return &s->w->arc->claims[s->w->order[p]];
}

static uint32_t root(span *v, uint32_t i) {
  while (v[i].parent != i) i = v[i].parent = v[v[i].parent].parent;
  return i;
}

static void join(span *v, uint32_t i, uint32_t k) {
  i = root(v, i);
  k = root(v, k);
  if (i < k) v[k].parent = i;
  else v[i].parent = k;
}

static void number_qualifiers(spans *s) {
  hm_map at_qualifier;
  hm_map_init(&at_qualifier, s->w->a, s->w->n);
  hm_map_add(&at_qualifier, HM_EMPTY, 0);
  for (uint32_t p = 0; p < s->w->n; p++)
    s->shelf[p] = hm_map_add(&at_qualifier, at(s, p)->qualifier, (uint32_t)at_qualifier.n);
  s->n = at_qualifier.n;
}

/* Is there a later word of change that meets it? */
static bool is_over(const spans *s, uint32_t p) {
  uint32_t q = s->shelf[p];
  hm_time last = !q ? s->last : s->words[q] > s->words[0] ? s->words[q] : s->words[0];
  return last > at(s, p)->at;
}

/* Do they meet as far as their qualifiers say? */
static bool qualifiers_meet(const spans *s, uint32_t p, uint32_t q) {
  return !s->shelf[p] || !s->shelf[q] || s->shelf[p] == s->shelf[q];
}

/* Is there a later word of change for one agent alone, who said all from what was left first up to
 * this return? */
static bool is_over_for_agent(const spans *s, uint32_t first, uint32_t p) {
  uint32_t y = p + 1;
  for (; y < s->w->n; y++)
    if (at(s, y)->via && at(s, y)->at > at(s, p)->at && qualifiers_meet(s, p, y) &&
        hm_arc_words_count(at(s, y), at(s, p)))
      break;
  if (y == s->w->n) return false;
  for (uint32_t x = first; x < p; x++)
    if (qualifiers_meet(s, p, x) && !hm_arc_words_count(at(s, y), at(s, x))) return false;
  return true;
}

static void open_spans(spans *s) {
  s->last = HM_TIME_MIN;
  for (size_t i = 0; i < s->n; i++) {
    s->words[i] = HM_TIME_MIN;
    s->spans[i] = (span){ .parent = (uint32_t)i };
  }
  for (uint32_t p = 0; p < s->w->n; p++)
    if (at(s, p)->settles && !at(s, p)->via) s->last = s->words[s->shelf[p]] = at(s, p)->at;
  for (uint32_t p = 0; p < s->w->n; p++) {
    span *v = &s->spans[s->shelf[p]];
    uint32_t first = s->w->returns[p];
    if (first == HM_ARC_NONE || is_over(s, p) || is_over_for_agent(s, first, p)) continue;
    if (!v->any || first < v->from) v->from = first;
    v->to = p;
    v->any = true;
  }
}

static int by_start(const void *x, const void *y) {
  const span *a = *(const span *const *)x, *b = *(const span *const *)y;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return (a > b) - (a < b);
}

static bool holds(const span *v, uint32_t p) { return v->any && v->from <= p && p <= v->to; }

/* Claims without a qualifier join the spans that they lie in. of: by place, the span; NONE. */
static void join_unqualified(spans *s, uint32_t *of) {
  const span **order = hm_alloc_array(s->w->a, s->n, sizeof *order), *open = NULL;
  size_t n = 0, k = 0;
  for (size_t i = 1; i < s->n; i++)
    if (s->spans[i].any) order[n++] = &s->spans[i];
  if (n) qsort(order, n, sizeof *order, by_start);
  for (uint32_t p = 0; p < s->w->n; p++) {
    if (s->shelf[p]) continue;
    for (; k < n && order[k]->from <= p; k++) {
      if (order[k]->to < p) continue;
      if (open && open->to >= p)
        join(s->spans, (uint32_t)(open - s->spans), (uint32_t)(order[k] - s->spans));
      if (!open || order[k]->to > open->to) open = order[k];
    }
    if (open && open->to >= p) of[p] = (uint32_t)(open - s->spans);
    if (holds(&s->spans[0], p) && of[p] != HM_ARC_NONE) join(s->spans, 0, of[p]);
    else if (holds(&s->spans[0], p)) of[p] = 0;
  }
}

static void gather(spans *s, const uint32_t *of) {
  hm_arc *arc = s->w->arc;
  uint32_t *number = hm_alloc_array(s->w->a, s->n, sizeof *number);
  size_t *sizes = hm_alloc_array(s->w->a, s->n, sizeof *sizes);
  for (size_t i = 0; i < s->n; i++) number[i] = HM_ARC_NONE;
  for (uint32_t p = 0; p < s->w->n; p++) {
    if (of[p] == HM_ARC_NONE) continue;
    uint32_t r = root(s->spans, of[p]);
    if (number[r] == HM_ARC_NONE) number[r] = (uint32_t)arc->n_reversals++;
    sizes[number[r]]++;
    arc->reversal_of[s->w->order[p]] = number[r];
  }
  arc->reversals = hm_alloc_array(s->w->a, arc->n_reversals, sizeof *arc->reversals);
  for (uint32_t p = 0; p < s->w->n; p++) {
    uint32_t k = arc->reversal_of[s->w->order[p]];
    if (k == HM_ARC_NONE) continue;
    hm_reversal *r = &arc->reversals[k];
    if (!r->members) r->members = hm_alloc_array(s->w->a, sizes[k], sizeof *r->members);
    ((uint32_t *)r->members)[r->n++] = s->w->order[p];
  }
}

void arc_find_reversals(arc_work *w) {
  spans s = { .w = w, .shelf = hm_alloc_array(w->a, w->n, sizeof *s.shelf) };
  uint32_t *of = hm_alloc_array(w->a, w->n, sizeof *of);
  number_qualifiers(&s);
  s.words = hm_alloc_array(w->a, s.n, sizeof *s.words);
  s.spans = hm_alloc_array(w->a, s.n, sizeof *s.spans);
  open_spans(&s);
  for (uint32_t p = 0; p < w->n; p++) of[p] = HM_ARC_NONE;
  join_unqualified(&s, of);
  for (uint32_t p = 0; p < w->n; p++) {
    uint32_t q = s.shelf[p];
    if (!q) continue;
    bool own = holds(&s.spans[q], p), any = holds(&s.spans[0], p);
    if (own && any) join(s.spans, 0, q);
    if (own || any) of[p] = own ? q : 0;
  }
  gather(&s, of);
}
