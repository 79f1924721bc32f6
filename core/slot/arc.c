/* The story of one slot: arc.h has the rules.
 *
 * One pass over the claims by time, which compares each claim with all earlier ones that nothing
 * overtook yet. Claims of one instant first check whether they are returns, then overtake, then are
 * there for later ones. Cost: O(n^2) in the claims of a slot. */
#include <stdlib.h>

#include "core/slot/arc.h"
#include "core/value/value.h"

#define DAYS_30 (30 * 24 * HM_ARC_HOUR)

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
  [HM_ARC_PROGRESS] = { "progress", "it is a later status by the same author" },
  [HM_ARC_RETURN] = { "return", "it returns to a value that was left" },
  [HM_ARC_SESSION] = { "session", "the same agent wrote it later in the same session" },
  [HM_ARC_UNDATED] = { "undated", "a line of a log without a time says nothing" },
};

const char *hm_arc_state_name(hm_arc_state s) { return STATES[s].name; }
const char *hm_arc_state_reason(hm_arc_state s) { return STATES[s].says; }

/* --- who meets ------------------------------------------------------------------------- */

static bool qualifiers_meet(const hm_arc_claim *x, const hm_arc_claim *y) {
  return !x->qualifier.n || !y->qualifier.n || hm_str_eq(x->qualifier, y->qualifier);
}

bool hm_arc_comparable(const hm_arc_claim *x, const hm_arc_claim *y) {
  if (x->also || y->also || !qualifiers_meet(x, y))
    return false;
  if (x->row == y->row && x->row != HM_ARC_NONE)
    return false;
  return !((x->agent.n && hm_str_eq(x->agent, y->agent) && hm_str_eq(x->scope, y->scope)) &&
           x->at == y->at && x->at != HM_TIME_MIN);
}

/* Do words of y, if it has any, count for x? */
static bool may_overrule(const hm_arc_claim *y, const hm_arc_claim *x) {
  return !y->via || (y->agent.n && hm_str_eq(y->agent, x->agent));
}

static bool words_apply(const hm_arc_claim *y, const hm_arc_claim *x) {
  return y->settles && may_overrule(y, x);
}

/* --- by time --------------------------------------------------------------------------- */

/* What most pairs of claims are told apart by. */
typedef struct {
  hm_time at;
  uint32_t value, left, by;
  uint32_t author;      /* equal numbers: one agent, one scope; NONE: no agent */
  uint32_t origin;      /* of a status: equal numbers: one agent, else one source; NONE: unknown */
  uint32_t rank, above; /* its version's place among all versions, that of the first one above it;
                         * NONE: it has no version */
} brief;

/* Claims that have a time and take part; their place is their index in order. */
typedef struct {
  hm_arc *arc;
  const hm_arc_rules *rules;
  hm_arena *a;
  uint32_t *order;
  size_t n;          /* by place: the claim */
  uint32_t *left;    /* by place: the first that overtook it, or NONE */
  hm_arc_state *why; /* and how */
  uint32_t *gone;    /* by place: the first that left its value, or NONE */
  uint32_t *session; /* the first of its session that overtook it, or NONE */
  uint32_t *returns; /* for a return the first place that was left, or NONE */
  brief *briefs;     /* by place */
  bool *said;        /* by value: an earlier claim has it, or says that it was left */
} walk;

static const hm_arc_claim *at(const walk *w, uint32_t place) {
  return &w->arc->claims[w->order[place]];
}

static bool differ(const walk *w, uint32_t x, uint32_t y) {
  return at(w, x)->value != at(w, y)->value && hm_arc_comparable(at(w, x), at(w, y)) &&
      w->rules->differ(w->rules->ctx, w->order[x], w->order[y]);
}

/* x is not the later one. */
static bool in_session(const walk *w, uint32_t x, uint32_t y) {
  const brief *b = &w->briefs[x], *c = &w->briefs[y];
  return c->at - b->at <= w->rules->gap && b->author != HM_ARC_NONE && b->author == c->author;
}

/* Who of the same session says something else later, first. */
static void find_sessions(walk *w) {
  for (uint32_t x = 0; x < w->n; x++)
    for (uint32_t y = x + 1; y < w->n && at(w, y)->at - at(w, x)->at <= w->rules->gap; y++)
      if (at(w, y)->at > at(w, x)->at && in_session(w, x, y) && differ(w, x, y)) {
        w->session[x] = y;
        break;
      }
}

/* The earliest that was left where z, before which there are n claims, is a return; else NONE. */
static uint32_t find_return(const walk *w, uint32_t z, uint32_t n) {
  const hm_arc_claim *c = at(w, z);
  uint32_t first = HM_ARC_NONE;
  hm_time words = HM_TIME_MIN; /* when the value was last said with a word of change */
  hm_time own = HM_TIME_MIN;   /* when its agent did so for itself */
  if ((c->settles && !c->via) || c->count || c->retired || w->session[z] != HM_ARC_NONE ||
      !w->said[c->value])
    return HM_ARC_NONE;
  for (uint32_t x = 0; x < n; x++) {
    if (w->briefs[x].value != c->value)
      continue;
    const hm_arc_claim *b = at(w, x);
    if (!b->settles || !qualifiers_meet(b, c))
      continue;
    if (!b->via)
      words = b->at;
    else if (words_apply(b, c))
      own = b->at;
  }
  for (uint32_t x = 0; x < n; x++) {
    bool has = w->briefs[x].value == c->value, names = !has && w->briefs[x].left == c->value;
    if (!has && !names)
      continue;
    const hm_arc_claim *b = at(w, x);
    if (!qualifiers_meet(b, c))
      continue;
    uint32_t y = names ? x : w->gone[x];
    if (y == HM_ARC_NONE)
      continue;
    if (first == HM_ARC_NONE)
      first = x;
    const hm_arc_claim *by = at(w, y);
    bool decided = words_apply(c, by) || (own >= by->at && hm_str_eq(by->agent, c->agent));
    if (by->at > words && !decided && !in_session(w, y, z) && differ(w, y, z))
      return first;
  }
  return HM_ARC_NONE;
}

/* How y, which is later, overtakes x if they differ; HOLDS: it does not. */
static hm_arc_state way_of(const walk *w, uint32_t y, uint32_t x) {
  const hm_arc_claim *c = at(w, y);
  const brief *later = &w->briefs[y], *b = &w->briefs[x];
  hm_time apart = later->at - b->at;
  bool names = later->left == b->value; /* "9090, not 8080" */
  if ((c->settles || names) && may_overrule(c, at(w, x)))
    return HM_ARC_WORDS;
  if (b->by == c->row && b->by != HM_ARC_NONE)
    return HM_ARC_SUPERSEDED;
  if (apart > w->rules->gap && b->author != HM_ARC_NONE && b->author == later->author)
    return HM_ARC_AGENT;
  if (apart > DAYS_30 && later->rank != HM_ARC_NONE && later->rank >= b->above)
    return HM_ARC_VERSION;
  if (c->log || c->count)
    return HM_ARC_UPDATE;
  if (apart >= HM_ARC_HOUR && b->origin != HM_ARC_NONE && b->origin == later->origin)
    return HM_ARC_PROGRESS;
  return w->returns[y] != HM_ARC_NONE ? HM_ARC_RETURN : HM_ARC_HOLDS;
}

/* y meets the n earlier places that nothing overtook yet; returns how many are left of them. */
static size_t overtake(walk *w, uint32_t y, uint32_t *holding, size_t n) {
  size_t n_left = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t x = holding[i];
    hm_arc_state why = HM_ARC_HOLDS;
    bool differs = false;
    if (w->briefs[x].value != w->briefs[y].value) {
      why = way_of(w, y, x);
      bool leaves = why != HM_ARC_HOLDS || (w->gone[x] == HM_ARC_NONE && !in_session(w, x, y));
      differs = leaves && differ(w, x, y);
    }
    if (differs && w->gone[x] == HM_ARC_NONE)
      w->gone[x] = y;
    if (!differs || why == HM_ARC_HOLDS) {
      holding[n_left++] = x;
      continue;
    }
    w->left[x] = y;
    w->why[x] = why;
  }
  return n_left;
}

static void walk_all(walk *w) {
  uint32_t *holding = hm_alloc_array(w->a, w->n, sizeof *holding);
  size_t n = 0;
  for (uint32_t p = 0, q; p < w->n; p = q) {
    for (q = p; q < w->n && at(w, q)->at == at(w, p)->at; q++)
      w->returns[q] = find_return(w, q, p);
    for (uint32_t y = p; y < q; y++)
      n = overtake(w, y, holding, n);
    for (uint32_t y = p; y < q; y++) {
      holding[n++] = y;
      w->said[w->briefs[y].value] = true;
      if (w->briefs[y].left != HM_ARC_NONE)
        w->said[w->briefs[y].left] = true;
    }
  }
}

/* --- open returns to reversals --------------------------------------------------------- */

/* The open returns of one qualifier: from the first that was left to the last of them. */
typedef struct {
  hm_str qualifier;
  uint32_t from, to, parent;
} span;

static uint32_t root(span *v, uint32_t i) {
  while (v[i].parent != i)
    i = v[i].parent = v[v[i].parent].parent;
  return i;
}

/* Is there a later word of change that ends the return z? One that counts for an agent alone does
 * so where all claims from the first that was left are that agent's. */
static bool is_over(const walk *w, uint32_t z) {
  const hm_arc_claim *c = at(w, z);
  bool own = false;
  for (uint32_t y = z + 1; y < w->n; y++) {
    const hm_arc_claim *b = at(w, y);
    if (!b->settles || b->at == c->at || !qualifiers_meet(b, c))
      continue;
    if (!b->via)
      return true;
    own = own || words_apply(b, c);
  }
  for (uint32_t x = w->returns[z]; x < z && own; x++)
    own = !qualifiers_meet(at(w, x), c) || hm_str_eq(at(w, x)->agent, c->agent);
  return own;
}

static size_t find_spans(const walk *w, span *v) {
  size_t n = 0, k;
  for (uint32_t z = 0; z < w->n; z++) {
    if (w->returns[z] == HM_ARC_NONE || is_over(w, z))
      continue;
    for (k = 0; k < n && !hm_str_eq(v[k].qualifier, at(w, z)->qualifier);)
      k++;
    if (k == n)
      v[n++] = (span){ at(w, z)->qualifier, w->returns[z], z, (uint32_t)k };
    if (w->returns[z] < v[k].from)
      v[k].from = w->returns[z];
    v[k].to = z;
  }
  return n;
}

/* Spans that share a claim are one reversal. */
static void find_reversals(walk *w) {
  hm_arc *arc = w->arc;
  span *v = hm_alloc_array(w->a, w->n, sizeof *v);
  uint32_t *of = hm_alloc_array(w->a, w->n, sizeof *of); /* by place: 1 + its span, 0: none */
  uint32_t *number = hm_alloc_array(w->a, w->n, sizeof *number);
  size_t n = find_spans(w, v);
  for (uint32_t p = 0; p < w->n; p++)
    for (uint32_t k = 0; k < n; k++) {
      hm_str q = at(w, p)->qualifier;
      bool meets = !q.n || !v[k].qualifier.n || hm_str_eq(q, v[k].qualifier);
      if (!meets || p < v[k].from || p > v[k].to)
        continue;
      if (of[p])
        v[root(v, k)].parent = root(v, of[p] - 1);
      of[p] = k + 1;
    }
  arc->reversals = hm_alloc_array(w->a, n, sizeof *arc->reversals);
  for (uint32_t p = 0; p < w->n; p++) {
    if (!of[p])
      continue;
    uint32_t r = root(v, of[p] - 1);
    if (!number[r])
      number[r] = (uint32_t)++arc->n_reversals;
    arc->reversal_of[w->order[p]] = number[r] - 1;
    arc->reversals[number[r] - 1].n++;
  }
  for (size_t i = 0; i < arc->n_reversals; i++) {
    hm_reversal *r = &arc->reversals[i];
    uint32_t *members = hm_alloc_array(w->a, r->n, sizeof *members);
    size_t m = 0;
    for (uint32_t p = 0; p < w->n; p++)
      if (arc->reversal_of[w->order[p]] == i)
        members[m++] = w->order[p];
    r->members = members;
  }
}

/* --- all ------------------------------------------------------------ */

static int by_time(const void *x, const void *y, void *claims) {
  const hm_arc_claim *c = claims;
  uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
  if (c[i].at != c[k].at)
    return c[i].at < c[k].at ? -1 : 1;
  return (i > k) - (i < k);
}

/* The first claim whose words end one that has neither a time nor such words; NONE: none. */
static uint32_t find_words(const walk *w, uint32_t x) {
  const hm_arc_claim *all = w->arc->claims, *c = &all[x];
  if (c->at != HM_TIME_MIN || c->settles || c->left != HM_ARC_NONE || c->also || c->log)
    return HM_ARC_NONE;
  for (uint32_t y = 0; y < w->arc->n; y++)
    if ((!c->agent.n || !all[y].agent.n || hm_str_eq(c->agent, all[y].agent)) &&
        all[y].value != c->value && (all[y].settles || all[y].left == c->value) && !all[y].ends &&
        may_overrule(&all[y], c) && hm_arc_comparable(&all[y], c) &&
        w->rules->differ(w->rules->ctx, y, x))
      return y;
  return HM_ARC_NONE;
}

static void fill_ends(walk *w) {
  hm_arc *arc = w->arc;
  bool undated = false;
  for (uint32_t p = 0; p < w->n; p++) {
    hm_arc_end *e = &arc->ends[w->order[p]];
    uint32_t y = w->left[p], s = w->session[p];
    if (y != HM_ARC_NONE)
      *e = (hm_arc_end){ w->why[p], w->order[y] };
    if (s != HM_ARC_NONE && (y == HM_ARC_NONE || at(w, s)->at < at(w, y)->at))
      *e = (hm_arc_end){ HM_ARC_SESSION, w->order[s] };
  }
  for (size_t i = 0; i < arc->n; i++)
    undated = undated || (arc->claims[i].log && arc->claims[i].at == HM_TIME_MIN);
  for (size_t i = 0; i < arc->n; i++) {
    const hm_arc_claim *c = &arc->claims[i];
    hm_arc_end *e = &arc->ends[i];
    if (e->state != HM_ARC_HOLDS)
      continue;
    if (c->retired) {
      e->state = HM_ARC_SUPERSEDED;
      for (uint32_t k = 0; k < arc->n && c->by != HM_ARC_NONE && e->by == HM_ARC_NONE; k++)
        if (arc->claims[k].row == c->by)
          e->by = k;
    } else if (undated && c->log) {
      /* If one line of a log has no time, its last line is unknown. */
      e->state = HM_ARC_UNDATED;
    } else if ((e->by = find_words(w, (uint32_t)i)) != HM_ARC_NONE) {
      e->state = HM_ARC_WORDS;
    }
  }
}

typedef struct {
  hm_str version;
  uint32_t place;
} versioned;

static int by_version(const void *x, const void *y) {
  return hm_version_order(((const versioned *)x)->version, ((const versioned *)y)->version);
}

/* A version is before those that refine it, which follow it, and these before all above it. */
static void rank_versions(walk *w) {
  versioned *v = hm_alloc_array(w->a, w->n, sizeof *v);
  uint32_t n = 0;
  for (uint32_t p = 0; p < w->n; p++)
    if (hm_is_version(at(w, p)->version))
      v[n++] = (versioned){ at(w, p)->version, p };
  if (n)
    qsort(v, n, sizeof *v, by_version);
  for (uint32_t i = 0, same, up; i < n; i = same) {
    for (same = i + 1; same < n && by_version(&v[i], &v[same]) == 0;)
      same++;
    for (up = same; up < n && !hm_version_above(v[up].version, v[i].version);)
      up++;
    for (uint32_t k = i; k < same; k++) {
      w->briefs[v[k].place].rank = i;
      w->briefs[v[k].place].above = up;
    }
  }
}

static void make_briefs(walk *w) {
  hm_map authors;
  hm_map_init(&authors, w->a, w->n);
  uint32_t values = 0;
  w->briefs = hm_alloc_array(w->a, w->n, sizeof *w->briefs);
  for (uint32_t p = 0; p < w->n; p++) {
    const hm_arc_claim *c = at(w, p);
    hm_str author = HM_CAT(w->a, c->agent, HM_STR("\x1f"), c->scope);
    w->briefs[p] = (brief){ .at = c->at,
                            .value = c->value,
                            .left = c->left,
                            .by = c->by,
                            .author = HM_ARC_NONE,
                            .origin = HM_ARC_NONE,
                            .rank = HM_ARC_NONE,
                            .above = HM_ARC_NONE };
    if (c->status && (c->agent.n || c->origin.n)) {
      hm_str from = HM_CAT(w->a, c->agent, HM_STR("\x1e"), c->origin);
      w->briefs[p].origin = hm_map_add(&authors, from, (uint32_t)authors.n);
    }
    if (c->agent.n)
      w->briefs[p].author = hm_map_add(&authors, author, (uint32_t)authors.n);
    if (c->value >= values)
      values = c->value + 1;
    if (c->left != HM_ARC_NONE && c->left >= values)
      values = c->left + 1;
  }
  w->said = hm_alloc_array(w->a, values, sizeof *w->said);
}

/* n places, each of none. */
static uint32_t *of_none(hm_arena *a, size_t n) {
  uint32_t *v = hm_alloc_array(a, n, sizeof *v);
  for (size_t i = 0; i < n; i++)
    v[i] = HM_ARC_NONE;
  return v;
}

void hm_find_overtaken_claims(hm_arc *out, const hm_arc_claim *claims, size_t n,
                              const hm_arc_rules *rules, hm_arena *a) {
  walk w = { .arc = out, .rules = rules, .a = a };
  *out = (hm_arc){ .claims = claims, .n = n, .reversal_of = of_none(a, n) };
  out->ends = hm_alloc_array(a, n, sizeof *out->ends);
  w.order = hm_alloc_array(a, n, sizeof *w.order);
  for (size_t i = 0; i < n; i++) {
    const hm_arc_claim *c = &claims[i];
    out->ends[i].by = HM_ARC_NONE;
    if (c->at != HM_TIME_MIN && !c->also && !c->ends)
      w.order[w.n++] = (uint32_t)i;
  }
  if (w.n)
    qsort_r(w.order, w.n, sizeof *w.order, by_time, (void *)claims);
  w.why = hm_alloc_array(a, w.n, sizeof *w.why);
  w.left = of_none(a, w.n);
  w.gone = of_none(a, w.n);
  w.session = of_none(a, w.n);
  w.returns = of_none(a, w.n);
  make_briefs(&w);
  rank_versions(&w);
  find_sessions(&w);
  walk_all(&w);
  fill_ends(&w);
  find_reversals(&w);
}
