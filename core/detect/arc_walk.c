/* The walk through the story of one slot: arc.h has the rules.
 *
 * One pass over the claims by time. Claims that are not overtaken are in pools: one for all, and
 * one for each author (an agent in a scope); within a pool by qualifier, then by value. A claim
 * with a word of change, an update or a return removes from the pool of all what it meets and
 * differs from; a claim of an author removes from the author's pool what is older than the session
 * gap. Values that were not left are in similar pools, by author: a claim leaves the values of all
 * others, and its author's if it overtakes them. So each claim is removed once. A value has, by
 * qualifier, the list of claims that left it; a claim that repeats the value checks the last of
 * them. Claims of one instant first check, then remove, then are added. */
#include "core/detect/arc.h"

#include <stdlib.h>
#include <string.h>

static const hm_arc_claim *at(const arc_work *w, uint32_t place) {
  return &w->arc->claims[w->order[place]];
}

static bool differ(const arc_work *w, uint32_t x, uint32_t y) {
  return at(w, x)->value != at(w, y)->value && hm_arc_comparable(at(w, x), at(w, y)) &&
      w->rules->differ(w->rules->ctx, w->order[x], w->order[y]);
}

static bool in_session(const arc_work *w, uint32_t x, uint32_t y) {
  hm_time a = at(w, x)->at, b = at(w, y)->at;
  return arc_one_author(at(w, x), at(w, y)) && (a < b ? b - a : a - b) <= w->rules->gap;
}

/* --- pools --------------------------------------------------------------------------------- */

typedef struct {
  uint32_t value, wording; /* wording: of all its claims; 0: of several */
  uint32_t *waiting;       /* places, by time; room for all of its claims */
  size_t n, head, live;    /* live: not taken out */
  uint32_t shelf;
  size_t at; /* on its shelf, while some are live */
  uint32_t *leavers;
  size_t n_leavers, cap_leavers; /* who made others leave it, by time */
  uint32_t first_left;           /* the earliest that was left; NONE */
  hm_time words;                 /* when somebody last said it with a word of change */
  uint32_t *own;
  size_t n_own, cap_own;  /* who did so for one agent alone, by time */
  uint32_t next_of_value; /* the next bucket of the pool of all with that value */
} bucket;

/* The buckets of one qualifier in a pool that have live claims. */
typedef struct {
  uint32_t *buckets;
  size_t n, cap, live;
  uint32_t pool;
} shelf;
typedef struct {
  uint32_t *shelves;
  size_t n, cap;
} pool;

struct arc_pools {
  hm_map pool_at, shelf_at, bucket_at, value_at;
  pool *pools;
  size_t n_pools;
  shelf *shelves;
  size_t n_shelves;
  bucket *buckets;
  size_t n_buckets;
  uint32_t (*of)[3]; /* by place: its bucket in the pool of all, in its author's, and in
                        that of its author's values that nobody left */
  uint32_t *author;  /* by place: pool, 0 where nobody in particular */
  uint32_t *next;    /* by place: the next of its author; NONE */
  uint32_t *young;   /* by pool: the author's first that is not in its pool yet */
  bool *joined;      /* by place: is in its author's pool */
  uint32_t *unleft;
  size_t n_unleft; /* the pools of values that nobody left */
  size_t all_unleft;
  size_t *unleft_of_value;  /* by value_at */
  uint32_t *first_of_value; /* by value_at: a bucket of the pool of all */
};

static void push(uint32_t **v, size_t *n, size_t *cap, uint32_t x, hm_arena *a) {
  *v = hm_array_grow_in(a, *v, *n, cap, sizeof **v);
  (*v)[(*n)++] = x;
}

/* Keys of maps: small numbers in a row, in a. */
static hm_str key_of(hm_arena *a, uint32_t x, uint32_t y) {
  uint32_t *k = hm_alloc_array(a, 2, sizeof *k);
  k[0] = x;
  k[1] = y;
  return (hm_str){ (const char *)k, 2 * sizeof *k };
}

static hm_str key_of_text(hm_arena *a, uint32_t x, hm_str text) {
  char *k = hm_alloc(a, sizeof x + text.n);
  memcpy(k, &x, sizeof x);
  if (text.n)
    memcpy(k + sizeof x, text.p, text.n);
  return (hm_str){ k, sizeof x + text.n };
}

static uint32_t shelf_at(arc_work *w, uint32_t p, hm_str qualifier) {
  struct arc_pools *s = w->pools;
  uint32_t next = (uint32_t)s->n_shelves;
  uint32_t got = hm_map_add(&s->shelf_at, key_of_text(w->a, p, qualifier), next);
  if (got != next)
    return got;
  s->shelves[s->n_shelves++].pool = p;
  push(&s->pools[p].shelves, &s->pools[p].n, &s->pools[p].cap, got, w->a);
  return got;
}

/* The bucket of a value on a shelf, with room counted for one claim more. */
static uint32_t bucket_at(arc_work *w, uint32_t sh, uint32_t value, bool of_all) {
  struct arc_pools *s = w->pools;
  uint32_t next = (uint32_t)s->n_buckets;
  uint32_t got = hm_map_add(&s->bucket_at, key_of(w->a, sh, value), next);
  if (got != next)
    return got;
  s->n_buckets++;
  s->buckets[got] = (bucket){ .value = value,
                              .first_left = HM_ARC_NONE,
                              .words = HM_TIME_MIN,
                              .next_of_value = HM_ARC_NONE,
                              .shelf = sh };
  if (!of_all)
    return got;
  uint32_t slot = (uint32_t)s->value_at.n;
  slot = hm_map_add(&s->value_at, key_of(w->a, value, 0), slot);
  s->buckets[got].next_of_value = s->first_of_value[slot];
  s->first_of_value[slot] = got;
  return got;
}

/* The author's pool, or the pool of its values that were not left, which claims without an agent
 * also have. */
static uint32_t pool_at(arc_work *w, const hm_arc_claim *c, bool unleft) {
  struct arc_pools *s = w->pools;
  uint32_t next = (uint32_t)s->n_pools;
  hm_str author = c->agent.n ? HM_CAT(w->a, c->agent, HM_STR("\x1f"), c->scope) : HM_EMPTY;
  uint32_t got = hm_map_add(&s->pool_at, key_of_text(w->a, unleft, author), next);
  if (got != next)
    return got;
  s->n_pools++;
  if (unleft)
    s->unleft[s->n_unleft++] = got;
  return got;
}

static void make_pools(arc_work *w) {
  struct arc_pools *s = w->pools = hm_alloc(w->a, sizeof *w->pools);
  size_t most = 4 * w->n + 1;
  hm_map_init(&s->pool_at, w->a, w->n);
  hm_map_init(&s->shelf_at, w->a, w->n);
  hm_map_init(&s->bucket_at, w->a, w->n);
  hm_map_init(&s->value_at, w->a, w->n);
  s->pools = hm_alloc_array(w->a, 2 * w->n + 1, sizeof *s->pools);
  s->unleft = hm_alloc_array(w->a, w->n, sizeof *s->unleft);
  s->shelves = hm_alloc_array(w->a, most, sizeof *s->shelves);
  s->buckets = hm_alloc_array(w->a, most, sizeof *s->buckets);
  s->of = hm_alloc_array(w->a, w->n, sizeof *s->of);
  s->author = hm_alloc_array(w->a, w->n, sizeof *s->author);
  s->joined = hm_alloc_array(w->a, w->n, sizeof *s->joined);
  s->first_of_value = hm_alloc_array(w->a, most, sizeof *s->first_of_value);
  s->unleft_of_value = hm_alloc_array(w->a, most, sizeof *s->unleft_of_value);
  for (size_t i = 0; i < most; i++)
    s->first_of_value[i] = HM_ARC_NONE;
  s->n_pools = 1;
  for (uint32_t p = 0; p < w->n; p++) {
    const hm_arc_claim *c = at(w, p);
    uint32_t pools[] = { 0, c->agent.n ? pool_at(w, c, false) : 0, pool_at(w, c, true) };
    s->author[p] = pools[1];
    for (int k = 0; k < 3; k++) {
      if (k == 1 && !pools[k])
        continue;
      s->of[p][k] = bucket_at(w, shelf_at(w, pools[k], c->qualifier), c->value, !k);
      bucket *b = &s->buckets[s->of[p][k]];
      b->wording = !b->n || b->wording == c->wording ? c->wording : 0;
      b->n++;
    }
    if (c->left != HM_ARC_NONE)
      bucket_at(w, s->buckets[s->of[p][0]].shelf, c->left, true);
  }
  for (size_t i = 0; i < s->n_buckets; i++) {
    s->buckets[i].waiting = hm_alloc_array(w->a, s->buckets[i].n, sizeof(uint32_t));
    s->buckets[i].n = 0;
  }
}

/* k: 0 the pool of all, 1 that of its author, 2 that of the author's values that were not left. */
static void join_pool(arc_work *w, uint32_t p, int k) {
  bucket *b = &w->pools->buckets[w->pools->of[p][k]];
  shelf *sh = &w->pools->shelves[b->shelf];
  b->waiting[b->n++] = p;
  sh->live++;
  if (b->live++)
    return;
  b->at = sh->n;
  push(&sh->buckets, &sh->n, &sh->cap, w->pools->of[p][k], w->a);
}

static void leave_pool(arc_work *w, uint32_t p, int k) {
  bucket *b = &w->pools->buckets[w->pools->of[p][k]];
  shelf *sh = &w->pools->shelves[b->shelf];
  sh->live--;
  if (--b->live)
    return;
  uint32_t last = sh->buckets[--sh->n];
  sh->buckets[b->at] = last;
  w->pools->buckets[last].at = b->at;
}

static void note_leaver(arc_work *w, bucket *b, uint32_t x, uint32_t y) {
  if (!b->n_leavers || b->leavers[b->n_leavers - 1] != y)
    push(&b->leavers, &b->n_leavers, &b->cap_leavers, y, w->a);
  if (b->first_left == HM_ARC_NONE || x < b->first_left)
    b->first_left = x;
}

static size_t *unleft_of(arc_work *w, uint32_t x) {
  uint32_t slot = hm_map_get(&w->pools->value_at, key_of(w->a, at(w, x)->value, 0));
  return &w->pools->unleft_of_value[slot];
}

/* The value of x is left by y. */
static void leave(arc_work *w, uint32_t x, uint32_t y) {
  if (w->gone[x])
    return;
  w->gone[x] = true;
  leave_pool(w, x, 2);
  w->pools->all_unleft--;
  --*unleft_of(w, x);
  note_leaver(w, &w->pools->buckets[w->pools->of[x][0]], x, y);
}

static void take_out(arc_work *w, uint32_t x, uint32_t y, hm_arc_state why) {
  w->left[x] = y;
  w->why[x] = why;
  leave_pool(w, x, 0);
  if (w->pools->joined[x])
    leave_pool(w, x, 1);
  leave(w, x, y);
}

/* Removes from a bucket the claims that y differs from; why: HOLDS if it only leaves their
 * values. */
static void take_from(arc_work *w, bucket *b, uint32_t y, hm_arc_state why) {
  bool only_left = why == HM_ARC_HOLDS;
  if (b->wording && b->head < b->n &&
      !w->rules->differ(w->rules->ctx, w->order[b->waiting[b->head]], w->order[y]))
    return; /* nor does any other of its claims */
  for (size_t i = b->head; i < b->n && b->live; i++) {
    uint32_t x = b->waiting[i];
    bool out = only_left ? w->gone[x] : w->left[x] != HM_ARC_NONE;
    if (out && i == b->head)
      b->head++;
    bool counts = why != HM_ARC_WORDS || hm_arc_words_apply(at(w, y), at(w, x));
    if (out || !counts || !differ(w, x, y))
      continue;
    if (only_left)
      leave(w, x, y);
    else
      take_out(w, x, y, why);
  }
}

/* Out of a pool, all that meets y. */
static void take_all(arc_work *w, uint32_t p, uint32_t y, hm_arc_state why) {
  struct arc_pools *s = w->pools;
  const hm_arc_claim *c = at(w, y);
  uint32_t shelves[2];
  size_t n = 0;
  if (c->qualifier.n) {
    shelves[n++] = hm_map_get(&s->shelf_at, key_of_text(w->a, p, c->qualifier));
    shelves[n++] = hm_map_get(&s->shelf_at, key_of_text(w->a, p, HM_EMPTY));
  }
  const uint32_t *v = c->qualifier.n ? shelves : s->pools[p].shelves;
  n = c->qualifier.n ? n : s->pools[p].n;
  for (size_t i = 0; i < n; i++) {
    if (v[i] == HM_MAP_NONE)
      continue;
    shelf *sh = &s->shelves[v[i]];
    for (size_t k = sh->n; k-- > 0;) { /* backwards: an empty one is replaced by the last */
      bucket *b = &s->buckets[sh->buckets[k]];
      if (b->value != c->value)
        take_from(w, b, y, why);
    }
  }
}

/* --- returns --------------------------------------------------------------------------------- */

/* The buckets of z's value that z meets. */
static size_t buckets_of_value(arc_work *w, uint32_t z, uint32_t **out) {
  struct arc_pools *s = w->pools;
  const hm_arc_claim *c = at(w, z);
  size_t n = 0, cap = 0;
  uint32_t *v = NULL;
  uint32_t slot = hm_map_get(&s->value_at, key_of(w->a, c->value, 0));
  uint32_t none = hm_map_get(&s->shelf_at, key_of_text(w->a, 0, HM_EMPTY));
  if (c->qualifier.n) {
    push(&v, &n, &cap, s->of[z][0], w->a);
    uint32_t b = none;
    if (b != HM_MAP_NONE)
      b = hm_map_get(&s->bucket_at, key_of(w->a, none, c->value));
    if (b != HM_MAP_NONE)
      push(&v, &n, &cap, b, w->a);
  } else {
    for (uint32_t b = s->first_of_value[slot]; b != HM_ARC_NONE; b = s->buckets[b].next_of_value)
      push(&v, &n, &cap, b, w->a);
  }
  *out = v;
  return n;
}

/* What y left and z says again: did the agent of both decide so, by z or, in these buckets, since
 * y? */
static bool is_own_decision(const arc_work *w, const uint32_t *v, size_t n, uint32_t y,
                            uint32_t z) {
  bool is = hm_arc_words_apply(at(w, z), at(w, y));
  for (size_t i = 0; i < n && !is; i++) {
    const bucket *b = &w->pools->buckets[v[i]];
    for (size_t k = b->n_own; k-- > 0 && !is && at(w, b->own[k])->at >= at(w, y)->at;) {
      const hm_arc_claim *own = at(w, b->own[k]);
      is = hm_arc_words_apply(own, at(w, y)) && hm_arc_words_apply(own, at(w, z));
    }
  }
  return is;
}

/* Is z a return? *first: the earliest that was left. */
static bool is_return(arc_work *w, uint32_t z, uint32_t *first) {
  const hm_arc_claim *c = at(w, z);
  uint32_t *v;
  hm_time words = HM_TIME_MIN;
  bool found = false;
  bool decides = c->settles && !c->via;
  if (decides || c->count || c->retired || w->session[z] != HM_ARC_NONE)
    return false;
  size_t n = buckets_of_value(w, z, &v);
  *first = HM_ARC_NONE;
  for (size_t i = 0; i < n; i++) {
    const bucket *b = &w->pools->buckets[v[i]];
    if (b->words > words)
      words = b->words;
    if (b->first_left < *first)
      *first = b->first_left;
  }
  for (size_t i = 0; i < n && !found; i++) {
    const bucket *b = &w->pools->buckets[v[i]];
    for (size_t k = b->n_leavers; k-- > 0 && !found;) {
      uint32_t y = b->leavers[k];
      if (words != HM_TIME_MIN && at(w, y)->at <= words)
        break;
      found = !is_own_decision(w, v, n, y, z) && !in_session(w, y, z) && differ(w, y, z);
    }
  }
  return found;
}

/* --- by place ------------------------------------------------------------ */

/* Who of the same session says something else later, first. */
static void find_sessions(arc_work *w) {
  struct arc_pools *s = w->pools;
  uint32_t *next = s->next = hm_alloc_array(w->a, w->n, sizeof *next);
  uint32_t *other = hm_alloc_array(w->a, w->n, sizeof *other); /* of the author, another value */
  uint32_t *last = s->young = hm_alloc_array(w->a, s->n_pools, sizeof *last);
  for (size_t i = 0; i < s->n_pools; i++)
    last[i] = HM_ARC_NONE;
  for (uint32_t p = (uint32_t)w->n; p-- > 0;) {
    uint32_t k = s->author[p];
    w->session[p] = next[p] = other[p] = HM_ARC_NONE;
    if (!k)
      continue;
    uint32_t j = next[p] = last[k];
    other[p] = j == HM_ARC_NONE || at(w, j)->value != at(w, p)->value ? j : other[j];
    last[k] = p;
    for (j = other[p]; j != HM_ARC_NONE && at(w, j)->at - at(w, p)->at <= w->rules->gap;) {
      if (at(w, j)->at > at(w, p)->at && differ(w, p, j)) {
        w->session[p] = j;
        break;
      }
      j = next[j] != HM_ARC_NONE && at(w, next[j])->value == at(w, p)->value ? other[next[j]]
                                                                             : next[j];
    }
  }
}

static void overtake(arc_work *w, uint32_t y, const arc_overtake *due, size_t n_due) {
  const hm_arc_claim *c = at(w, y);
  uint32_t author = w->pools->author[y];
  hm_time gap = w->rules->gap, old = c->at < HM_TIME_MIN + gap ? HM_TIME_MIN : c->at - gap;
  struct arc_pools *s = w->pools;
  if (c->settles)
    take_all(w, 0, y, HM_ARC_WORDS);
  for (size_t i = 0; i < n_due; i++)
    if (due[i].why == HM_ARC_SUPERSEDED && w->left[due[i].x] == HM_ARC_NONE)
      take_out(w, due[i].x, y, due[i].why);
  if (author) {
    uint32_t *young = &w->pools->young[author];
    for (; *young != HM_ARC_NONE && at(w, *young)->at < old; *young = w->pools->next[*young]) {
      if (w->left[*young] != HM_ARC_NONE)
        continue;
      w->pools->joined[*young] = true;
      join_pool(w, *young, 1);
    }
    take_all(w, author, y, HM_ARC_AGENT);
  }
  for (size_t i = 0; i < n_due; i++)
    if (w->left[due[i].x] == HM_ARC_NONE)
      take_out(w, due[i].x, y, due[i].why);
  if (c->log || c->count)
    take_all(w, 0, y, HM_ARC_UPDATE);
  if (w->returns[y] != HM_ARC_NONE)
    take_all(w, 0, y, HM_ARC_RETURN);
  uint32_t own = author ? s->buckets[s->of[y][2]].shelf : HM_ARC_NONE;
  for (size_t i = 0; i < s->n_unleft && s->all_unleft > *unleft_of(w, y); i++)
    if (own == HM_ARC_NONE || s->shelves[own].pool != s->unleft[i])
      take_all(w, s->unleft[i], y, HM_ARC_HOLDS);
  if (c->left != HM_ARC_NONE && c->left != c->value) {
    uint32_t shelf_of = s->buckets[s->of[y][0]].shelf;
    uint32_t b = hm_map_get(&s->bucket_at, key_of(w->a, shelf_of, c->left));
    note_leaver(w, &s->buckets[b], y, y);
  }
}

static void walk(arc_work *w) {
  const arc_overtake *due;
  size_t n_due, d = 0;
  arc_find_overtaken(w, &due, &n_due);
  for (uint32_t p = 0, q; p < w->n; p = q) {
    for (q = p; q < w->n && at(w, q)->at == at(w, p)->at; q++) {
      uint32_t first;
      w->returns[q] = is_return(w, q, &first) ? first : HM_ARC_NONE;
    }
    for (uint32_t y = p; y < q; y++) {
      size_t end = d;
      while (end < n_due && due[end].y == y)
        end++;
      overtake(w, y, due + d, end - d);
      d = end;
    }
    for (uint32_t y = p; y < q; y++) {
      join_pool(w, y, 0);
      join_pool(w, y, 2);
      w->pools->all_unleft++;
      ++*unleft_of(w, y);
      bucket *b = &w->pools->buckets[w->pools->of[y][0]];
      if (at(w, y)->settles && at(w, y)->via)
        push(&b->own, &b->n_own, &b->cap_own, y, w->a);
      else if (at(w, y)->settles)
        b->words = at(w, y)->at;
    }
  }
}

/* --- all ------------------------------------------------------------ */

static int by_time(const void *x, const void *y, void *claims) {
  const hm_arc_claim *c = claims;
  uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
  bool known = c[i].at != HM_TIME_MIN, other = c[k].at != HM_TIME_MIN;
  if (known != other)
    return known ? -1 : 1;
  if (c[i].at != c[k].at)
    return c[i].at < c[k].at ? -1 : 1;
  return (i > k) - (i < k);
}

/* Whose row supersedes this one's, or NONE. */
static uint32_t superseder(const hm_arc *arc, const arc_row *rows, const hm_arc_claim *c) {
  const arc_row *r = c->by == HM_ARC_NONE ? NULL : arc_rows_find(rows, arc->n, c->by);
  return r ? r->claim : HM_ARC_NONE;
}

static void fill_ends(arc_work *w) {
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
    if (arc->ends[i].state != HM_ARC_HOLDS)
      continue;
    if (c->retired)
      arc->ends[i] = (hm_arc_end){ HM_ARC_SUPERSEDED, superseder(arc, w->rows, c) };
    /* If one line of a log has no time, its last line is unknown. */
    else if (undated && c->log)
      arc->ends[i].state = HM_ARC_UNDATED;
  }
}

void hm_find_overtaken_claims(hm_arc *out, const hm_arc_claim *claims, size_t n,
                              const hm_arc_rules *rules, hm_arena *a) {
  *out = (hm_arc){ .claims = claims, .n = n };
  uint32_t *order = hm_alloc_array(a, n, sizeof *order);
  arc_work w = { .arc = out, .rules = rules, .a = a };
  w.order = hm_alloc_array(a, n, sizeof *w.order);
  for (size_t i = 0; i < n; i++)
    order[i] = (uint32_t)i;
  if (n)
    qsort_r(order, n, sizeof *order, by_time, (void *)claims);
  for (size_t i = 0; i < n; i++) {
    const hm_arc_claim *c = &claims[order[i]];
    if (c->at != HM_TIME_MIN && !c->also && !c->ends)
      w.order[w.n++] = order[i];
  }
  out->order = order;
  out->ends = hm_alloc_array(a, n, sizeof *out->ends);
  out->reversal_of = hm_alloc_array(a, n, sizeof *out->reversal_of);
  for (size_t i = 0; i < n; i++) {
    out->ends[i].by = HM_ARC_NONE;
    out->reversal_of[i] = HM_ARC_NONE;
  }
  w.gone = hm_alloc_array(a, w.n, sizeof *w.gone);
  w.left = hm_alloc_array(a, w.n, sizeof *w.left);
  w.session = hm_alloc_array(a, w.n, sizeof *w.session);
  w.returns = hm_alloc_array(a, w.n, sizeof *w.returns);
  w.why = hm_alloc_array(a, w.n, sizeof *w.why);
  for (size_t i = 0; i < w.n; i++)
    w.left[i] = HM_ARC_NONE;
  w.rows = arc_rows_of(out, a);
  make_pools(&w);
  find_sessions(&w);
  walk(&w);
  fill_ends(&w);
  arc_find_reversals(&w);
}
