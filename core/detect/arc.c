/* The story of one slot, except the walk (arc_walk.c): which claims meet; before the walk, which
 * are overtaken by a superseding row or a higher version; after it, which are members of one
 * reversal.
 *
 * For each version, the first higher one more than 30 days later is found in a tree of maxima over
 * the versions by time. Cost: O(versions log versions), more with higher versions that it does not
 * meet.
 *
 * All open returns of one qualifier are one span, from the first left claim to the last return,
 * with the claims of that qualifier and those without one in it. A span without a qualifier has all
 * claims in it. Spans with a common claim are one reversal. O(n log n). */
#include <stdlib.h>

#include "core/value/value.h"
#include "core/detect/arc.h"

#define DAYS_30 ((hm_time)30 * 24 * 3600 * 1000000)

/* --- names ----------------------------------------------------------------------------- */

static const struct {
  const char *name, *says;
} STATES[HM_N_ARC_STATES] = {
  [HM_ARC_HOLDS] = { "holds", "" },
  [HM_ARC_WORDS] = { "words", "it says that something changed or was decided" },
  [HM_ARC_SUPERSEDED] = { "superseded", "its row supersedes the other" },
  [HM_ARC_AGENT] = { "agent", "the same agent wrote it later, in the same scope" },
  [HM_ARC_VERSION] = { "version", "it is a higher version, more than 30 days later" },
  [HM_ARC_UPDATE] = { "update", "it is the later line of a log or a later count" },
  [HM_ARC_RETURN] = { "return", "it returns to a value that was left" },
  [HM_ARC_SESSION] = { "session", "the same agent wrote it later in the same session" },
  [HM_ARC_UNDATED] = { "undated", "a line of a log without a time says nothing" },
};

const char *hm_arc_state_name(hm_arc_state s) { return STATES[s].name; }
const char *hm_arc_state_reason(hm_arc_state s) { return STATES[s].says; }

/* --- who meets ------------------------------------------------------------------------- */

bool arc_one_author(const hm_arc_claim *x, const hm_arc_claim *y) {
  return x->agent.n && hm_str_eq(x->agent, y->agent) && hm_str_eq(x->scope, y->scope);
}

static bool qualifiers_meet(const hm_arc_claim *x, const hm_arc_claim *y) {
  return !x->qualifier.n || !y->qualifier.n || hm_str_eq(x->qualifier, y->qualifier);
}

bool hm_arc_comparable(const hm_arc_claim *x, const hm_arc_claim *y) {
  if (x->also || y->also || !qualifiers_meet(x, y))
    return false;
  if (x->row == y->row && x->row != HM_ARC_NONE)
    return false;
  return !(arc_one_author(x, y) && x->at == y->at && x->at != HM_TIME_MIN);
}

bool hm_arc_words_apply(const hm_arc_claim *y, const hm_arc_claim *x) {
  return y->settles && (!y->via || (y->agent.n && hm_str_eq(y->agent, x->agent)));
}

/* --- the first higher one ------------------------------------------------------------- */

typedef struct {
  const arc_work *w;
  uint32_t *v;
  size_t n;
  uint32_t *top;
  size_t leaves;
} versions;

static hm_str version_of(const versions *t, uint32_t i) {
  return t->w->arc->claims[t->w->order[t->v[i]]].version;
}

static int by_version(const void *x, const void *y, void *ctx) {
  const versions *t = ctx;
  uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
  int d = hm_version_compare(version_of(t, i), version_of(t, k));
  return d ? d : (i > k) - (i < k);
}

/* Ranks, equal for equal versions, from 1 on, as the leaves of a tree of maxima. */
static void rank_versions(versions *t, hm_arena *a) {
  uint32_t *order = hm_alloc_array(a, t->n, sizeof *order);
  for (uint32_t i = 0; i < t->n; i++)
    order[i] = i;
  qsort_r(order, t->n, sizeof *order, by_version, t);
  for (t->leaves = 1; t->leaves < t->n;)
    t->leaves *= 2;
  t->top = hm_alloc_array(a, 2 * t->leaves, sizeof *t->top);
  for (uint32_t i = 0, rank = 0; i < t->n; i++) {
    if (!i || hm_version_compare(version_of(t, order[i - 1]), version_of(t, order[i])))
      rank++;
    t->top[t->leaves + order[i]] = rank;
  }
  for (size_t i = t->leaves; i-- > 1;)
    t->top[i] = t->top[2 * i] > t->top[2 * i + 1] ? t->top[2 * i] : t->top[2 * i + 1];
}

/* The first leaf from `first` on with a higher rank, below node i, or SIZE_MAX. */
static size_t first_above(const versions *t, size_t i, size_t lo, size_t size, size_t first,
                          uint32_t rank) {
  if (t->top[i] <= rank || lo + size <= first)
    return SIZE_MAX;
  if (size == 1)
    return lo;
  size_t got = first_above(t, 2 * i, lo, size / 2, first, rank);
  return got != SIZE_MAX ? got : first_above(t, 2 * i + 1, lo + size / 2, size / 2, first, rank);
}

static void add_versions(const arc_work *w, arc_overtake *due, size_t *n) {
  versions t = { .w = w, .v = hm_alloc_array(w->a, w->n, sizeof *t.v) };
  const hm_arc_claim *claims = w->arc->claims;
  for (uint32_t p = 0; p < w->n; p++)
    if (hm_is_version(claims[w->order[p]].version))
      t.v[t.n++] = p;
  if (t.n < 2)
    return;
  rank_versions(&t, w->a);
  for (size_t i = 0, later = 0; i < t.n; i++) {
    const hm_arc_claim *x = &claims[w->order[t.v[i]]];
    while (later < t.n && claims[w->order[t.v[later]]].at - DAYS_30 <= x->at)
      later++;
    for (size_t k = later;; k++) {
      k = first_above(&t, 1, 0, t.leaves, k, t.top[t.leaves + i]);
      if (k == SIZE_MAX)
        break;
      const hm_arc_claim *y = &claims[w->order[t.v[k]]];
      if (!hm_version_above(y->version, x->version) || !hm_arc_comparable(x, y))
        continue;
      if (!w->rules->differ(w->rules->ctx, w->order[t.v[i]], w->order[t.v[k]]))
        continue;
      due[(*n)++] = (arc_overtake){ t.v[k], t.v[i], HM_ARC_VERSION };
      break;
    }
  }
}

/* --- rows ------------------------------------------------------------------------------- */

static int by_row(const void *x, const void *y) {
  const arc_row *a = x, *b = y;
  if (a->row != b->row)
    return a->row < b->row ? -1 : 1;
  return (a->claim > b->claim) - (a->claim < b->claim);
}

const arc_row *arc_rows_of(const hm_arc *arc, hm_arena *a) {
  arc_row *v = hm_alloc_array(a, arc->n, sizeof *v);
  for (uint32_t i = 0; i < arc->n; i++)
    v[i] = (arc_row){ arc->claims[i].row, i };
  if (arc->n)
    qsort(v, arc->n, sizeof *v, by_row);
  return v;
}

const arc_row *arc_rows_find(const arc_row *rows, size_t n, uint32_t row) {
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (rows[mid].row < row)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < n && rows[lo].row == row ? &rows[lo] : NULL;
}

static void add_superseded(const arc_work *w, arc_overtake *due, size_t *n) {
  const hm_arc *arc = w->arc;
  uint32_t *place = hm_alloc_array(w->a, arc->n, sizeof *place);
  for (size_t i = 0; i < arc->n; i++)
    place[i] = HM_ARC_NONE;
  for (uint32_t p = 0; p < w->n; p++)
    place[w->order[p]] = p;
  for (uint32_t p = 0; p < w->n; p++) {
    const hm_arc_claim *x = &arc->claims[w->order[p]];
    const arc_row *r = x->by == HM_ARC_NONE ? NULL : arc_rows_find(w->rows, arc->n, x->by);
    for (; r && r < w->rows + arc->n && r->row == x->by; r++) {
      const hm_arc_claim *y = &arc->claims[r->claim];
      if (place[r->claim] == HM_ARC_NONE || y->at <= x->at || y->value == x->value ||
          !hm_arc_comparable(x, y) || !w->rules->differ(w->rules->ctx, w->order[p], r->claim))
        continue;
      due[(*n)++] = (arc_overtake){ place[r->claim], p, HM_ARC_SUPERSEDED };
      break;
    }
  }
}

static int by_comer(const void *x, const void *y) {
  const arc_overtake *a = x, *b = y;
  if (a->y != b->y)
    return a->y < b->y ? -1 : 1;
  return (a->x > b->x) - (a->x < b->x);
}

void arc_find_overtaken(const arc_work *w, const arc_overtake **out, size_t *n) {
  arc_overtake *v = hm_alloc_array(w->a, 2 * w->n, sizeof *v);
  *n = 0;
  add_superseded(w, v, n);
  add_versions(w, v, n);
  if (*n)
    qsort(v, *n, sizeof *v, by_comer);
  *out = v;
}

/* --- open returns to reversals --------------------------------------------------------- */

typedef struct {
  uint32_t from, to, parent;
  bool any;
} span;

typedef struct {
  arc_work *w;
  uint32_t *shelf; /* by place: number of its qualifier, 0: none */
  hm_time *words;  /* by qualifier: when a word of change was last said */
  hm_time last;    /* of any */
  span *spans;
  size_t n;
} spans;

static const hm_arc_claim *at(const spans *s, uint32_t p) {
  return &s->w->arc->claims[s->w->order[p]];
}

static uint32_t root(span *v, uint32_t i) {
  while (v[i].parent != i)
    i = v[i].parent = v[v[i].parent].parent;
  return i;
}

static void join(span *v, uint32_t i, uint32_t k) {
  i = root(v, i);
  k = root(v, k);
  if (i < k)
    v[k].parent = i;
  else
    v[i].parent = k;
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
static bool shelves_meet(const spans *s, uint32_t p, uint32_t q) {
  return !s->shelf[p] || !s->shelf[q] || s->shelf[p] == s->shelf[q];
}

/* Is there a later word of change that counts for one agent, and are all claims from the first left
 * one to this return that agent's? */
static bool is_over_for_agent(const spans *s, uint32_t first, uint32_t p) {
  uint32_t y = p + 1;
  for (; y < s->w->n; y++)
    if (at(s, y)->via && at(s, y)->at > at(s, p)->at && shelves_meet(s, p, y) &&
        hm_arc_words_apply(at(s, y), at(s, p)))
      break;
  if (y == s->w->n)
    return false;
  for (uint32_t x = first; x < p; x++)
    if (shelves_meet(s, p, x) && !hm_arc_words_apply(at(s, y), at(s, x)))
      return false;
  return true;
}

static void open_spans(spans *s) {
  s->last = HM_TIME_MIN;
  for (size_t i = 0; i < s->n; i++) {
    s->words[i] = HM_TIME_MIN;
    s->spans[i] = (span){ .parent = (uint32_t)i };
  }
  for (uint32_t p = 0; p < s->w->n; p++)
    if (at(s, p)->settles && !at(s, p)->via)
      s->last = s->words[s->shelf[p]] = at(s, p)->at;
  for (uint32_t p = 0; p < s->w->n; p++) {
    span *v = &s->spans[s->shelf[p]];
    uint32_t first = s->w->returns[p];
    if (first == HM_ARC_NONE || is_over(s, p) || is_over_for_agent(s, first, p))
      continue;
    if (!v->any || first < v->from)
      v->from = first;
    v->to = p;
    v->any = true;
  }
}

static int by_start(const void *x, const void *y) {
  const span *a = *(const span *const *)x, *b = *(const span *const *)y;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return (a > b) - (a < b);
}

static bool holds(const span *v, uint32_t p) { return v->any && v->from <= p && p <= v->to; }

/* Claims without a qualifier join the spans that they lie in. of: by place, the span; NONE. */
static void join_unqualified(spans *s, uint32_t *of) {
  const span **order = hm_alloc_array(s->w->a, s->n, sizeof *order), *open = NULL;
  size_t n = 0, k = 0;
  for (size_t i = 1; i < s->n; i++)
    if (s->spans[i].any)
      order[n++] = &s->spans[i];
  if (n)
    qsort(order, n, sizeof *order, by_start);
  for (uint32_t p = 0; p < s->w->n; p++) {
    if (s->shelf[p])
      continue;
    for (; k < n && order[k]->from <= p; k++) {
      if (order[k]->to < p)
        continue;
      if (open && open->to >= p)
        join(s->spans, (uint32_t)(open - s->spans), (uint32_t)(order[k] - s->spans));
      if (!open || order[k]->to > open->to)
        open = order[k];
    }
    if (open && open->to >= p)
      of[p] = (uint32_t)(open - s->spans);
    if (holds(&s->spans[0], p) && of[p] != HM_ARC_NONE)
      join(s->spans, 0, of[p]);
    else if (holds(&s->spans[0], p))
      of[p] = 0;
  }
}

static void gather(spans *s, const uint32_t *of) {
  hm_arc *arc = s->w->arc;
  uint32_t *number = hm_alloc_array(s->w->a, s->n, sizeof *number);
  size_t *sizes = hm_alloc_array(s->w->a, s->n, sizeof *sizes);
  for (size_t i = 0; i < s->n; i++)
    number[i] = HM_ARC_NONE;
  for (uint32_t p = 0; p < s->w->n; p++) {
    if (of[p] == HM_ARC_NONE)
      continue;
    uint32_t r = root(s->spans, of[p]);
    if (number[r] == HM_ARC_NONE)
      number[r] = (uint32_t)arc->n_reversals++;
    sizes[number[r]]++;
    arc->reversal_of[s->w->order[p]] = number[r];
  }
  arc->reversals = hm_alloc_array(s->w->a, arc->n_reversals, sizeof *arc->reversals);
  for (uint32_t p = 0; p < s->w->n; p++) {
    uint32_t k = arc->reversal_of[s->w->order[p]];
    if (k == HM_ARC_NONE)
      continue;
    hm_reversal *r = &arc->reversals[k];
    if (!r->members)
      r->members = hm_alloc_array(s->w->a, sizes[k], sizeof *r->members);
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
  for (uint32_t p = 0; p < w->n; p++)
    of[p] = HM_ARC_NONE;
  join_unqualified(&s, of);
  for (uint32_t p = 0; p < w->n; p++) {
    uint32_t q = s.shelf[p];
    if (!q)
      continue;
    bool own = holds(&s.spans[q], p), any = holds(&s.spans[0], p);
    if (own && any)
      join(s.spans, 0, q);
    if (own || any)
      of[p] = own ? q : 0;
  }
  gather(&s, of);
}
