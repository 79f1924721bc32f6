/* A view that is made again: what follows from rows alone, which is most of it, stays in memory, and is laid out again only for the projects
 * whose rows changed. */
#include <stdlib.h>
#include <string.h>

#include "called.h"
#include "inputs.h"
#include "view_private.h"

enum {
  SPARE = 4096,              /* rows that come before all is laid out anew */
  PUT_IN_MAX = 8,            /* at once: each moves all that stand behind it */
  OLD_MAX = 8 << 20          /* bytes that nobody needs any more: so much, and a quarter of all, is kept */
};

struct hm_view_keep {
  hm_arena *a;               /* of `was`; NULL: nothing is kept */
  hm_arena *of_round;        /* of `again` */
  hm_view was;               /* as it was when rows were laid out, and nothing else */
  uint64_t round;            /* of the sweep that it is of */
  uint64_t views;            /* how many were made */
  size_t room;               /* for rows */
  size_t held;               /* by a, when all was laid out */
  hm_again again;
  hm_inputs_keep *inputs;
  hm_called_keep *called;
};

hm_view_keep *hm_view_keep_new(void) {
  hm_view_keep *k = hm_xmalloc(sizeof *k);
  *k = (hm_view_keep){ .of_round = hm_arena_new(), .inputs = hm_inputs_keep_new(), .called = hm_called_keep_new() };
  return k;
}

static void forget(hm_view_keep *k) {
  if (k->a) {
    hm_arena_free(k->was.of_groups);
    hm_arena_free(k->was.of_parts);
    hm_arena_free(k->was.of_edges);
    hm_arena_free(k->a);
  }
  k->a = NULL;
  k->was = (hm_view){ 0 };
}

void hm_view_keep_free(hm_view_keep *k) {
  if (!k) return;
  forget(k);
  hm_arena_free(k->of_round);
  hm_inputs_keep_free(k->inputs);
  hm_called_keep_free(k->called);
  free(k);
}

hm_inputs_keep *hm_view_inputs_keep(const hm_view *v) { return v->keep ? v->keep->inputs : NULL; }

hm_called_keep *hm_view_called_keep(const hm_view *v) { return v->keep ? v->keep->called : NULL; }

const hm_again *hm_view_made_again(const hm_view *v) { return v->keep ? &v->keep->again : NULL; }

size_t hm_view_keep_held(const hm_view_keep *k) {
  size_t n = hm_arena_held(k->of_round) + hm_called_keep_held(k->called);
  if (!k->a) return n;
  return n + hm_arena_held(k->a) + hm_arena_held(k->was.of_groups) + hm_arena_held(k->was.of_parts) + hm_arena_held(k->was.of_edges);
}

/* --- what the parts of a view ask ------------------------------------------------- */

size_t hm_view_room(const hm_view *v) { return v->snap->n_rows + v->spare; }

hm_arena *hm_view_replace(const hm_view *v, hm_arena **now) {
  hm_arena *was = *now;
  *now = v->keep ? hm_arena_new() : v->a;
  return was;
}

void hm_view_replaced(const hm_view *v, hm_arena *was) {
  if (v->keep) hm_arena_free(was);
}

/* --- everything ---------------------------------------------------------------------- */

static int lay_out(hm_view *v, hm_err *err) {
  v->project_of = hm_alloc_array(v->a, v->snap->n_projects + 1, sizeof *v->project_of);
  hm_view_scan(v);
  if (hm_view_exclude(v, err)) return -1;
  hm_view_projects(v);
  hm_view_groups(v);
  hm_view_parts(v);
  hm_view_edges(v);
  return 0;
}

static int lay_out_all(hm_view_keep *k, hm_view *v, hm_err *err) {
  if (!k) return lay_out(v, err);
  forget(k);
  v->a = k->a = hm_arena_new();
  v->spare = SPARE;
  if (lay_out(v, err)) return -1;
  k->room = hm_view_room(v);
  k->held = hm_arena_held(k->a);
  k->again = (hm_again){ .all = true, .view = ++k->views };
  return 0;
}

/* --- what changed ------------------------------------------------------------------------ */

static bool excludes(const hm_exclude *x) { return x->n_projects || x->n_types || x->n_statuses || x->n_tags || x->n_properties; }

static bool same_options(const hm_view_options *a, const hm_view_options *b) {
  return a->list_limit == b->list_limit && a->value_limit == b->value_limit && !excludes(&a->exclude) && !excludes(&b->exclude);
}

static bool is_full(const hm_view_keep *k) { return hm_arena_held(k->a) - k->held > k->held / 4 + OLD_MAX; }

/* A row that comes may be what a reference meant that led nowhere. */
static bool takes_in(const hm_view_keep *k, const hm_sweep *s) {
  const hm_follow_news *n = s->news;
  if (n->all || s->snap->n_rows > k->room || is_full(k)) return false;
  return n->n_inserted == 0 || (n->n_inserted <= PUT_IN_MAX && k->was.dangling == 0);
}

static bool goes_on(const hm_view_keep *k, const hm_view *v) {
  const hm_sweep *s = v->sweep;
  if (!k || !k->a || !s->news || !same_options(&k->was.opt, &v->opt)) return false;
  return s->round == k->round || (s->round == k->round + 1 && takes_in(k, s));
}

/* The row has to do with references, or may have. */
static bool refers(const hm_view *v, uint32_t row, hm_seen x) {
  const hm_row *r = &v->snap->rows[row];
  if (r->layer == HM_RELATION || x.refers || v->edge_from[row] != v->edge_from[row + 1]) return true;
  return r->layer == HM_ENTITY && (hm_view_is_target_kind(v, x.kind) || (r->props.n >= 2 && v->has_targets[v->project_of[x.home]]));
}

/* False: the row's project is not shown, and nothing more can be asked of it. */
static bool touch(hm_view *v, hm_again *again, uint32_t row) {
  uint32_t p = v->project_of[v->seen[row].home];
  if (p == HM_NONE) return false;
  again->projects[again->n++] = p;
  return true;
}

static bool update(hm_view *v, hm_again *again, uint32_t row) {
  hm_seen was = v->seen[row];
  if (!touch(v, again, row)) return false;
  again->refs |= refers(v, row, was);
  if (!hm_view_scan_row(v, row) || v->seen[row].home != was.home) return false;
  again->refs |= refers(v, row, v->seen[row]) || v->seen[row].candidate != was.candidate;
  return true;
}

static int by_number(const void *x, const void *y) {
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

static void once_each(hm_again *again) {
  size_t n = 0;
  if (again->n) qsort(again->projects, again->n, sizeof *again->projects, by_number);
  for (size_t i = 0; i < again->n; i++)
    if (n == 0 || again->projects[n - 1] != again->projects[i]) again->projects[n++] = again->projects[i];
  again->n = n;
}

/* False: all has to be laid out. Rows have their numbers of now once those that came are in. */
static bool take_in(hm_view *v, hm_again *again) {
  const hm_follow_news *n = v->sweep->news;
  if (!hm_view_put_in(v, n->inserted, n->n_inserted)) return false;
  again->came = n->n_inserted > 0;
  for (size_t i = 0; i < n->n_inserted; i++) {
    if (!touch(v, again, n->inserted[i])) return false;
    again->refs |= refers(v, n->inserted[i], v->seen[n->inserted[i]]);
  }
  for (size_t i = 0; i < n->n_updated; i++)
    if (!update(v, again, n->updated[i])) return false;
  once_each(again);
  return true;
}

static void go_on_from(hm_view *v, const hm_view *was) {
  hm_view now = *v;
  *v = *was;
  v->sweep = now.sweep;
  v->snap = now.snap;
  v->rules = now.rules;
  v->opt = now.opt;
}

static bool lay_out_again(hm_view_keep *k, hm_view *v) {
  const hm_follow_news *n = v->sweep->news;
  hm_arena_reset(k->of_round);
  k->again = (hm_again){ .view = ++k->views };
  go_on_from(v, &k->was);
  if (v->sweep->round == k->round) return true;
  k->again.projects = hm_alloc_array(k->of_round, n->n_updated + n->n_inserted + 1, sizeof *k->again.projects);
  if (!take_in(v, &k->again)) return false;
  v->again = &k->again;
  hm_view_groups(v);
  hm_view_parts(v);
  if (k->again.refs) hm_view_edges(v);
  v->again = NULL;
  return true;
}

/* --- both ------------------------------------------------------------------------------- */

int hm_view_lay_out(hm_view_keep *k, hm_view *v, hm_err *err) {
  hm_view fresh = *v;
  v->keep = fresh.keep = k;
  if (goes_on(k, v) && lay_out_again(k, v)) {
    k->was = *v;
    k->round = v->sweep->round;
    return 0;
  }
  *v = fresh;
  if (lay_out_all(k, v, err)) {
    if (k) forget(k);
    return -1;
  }
  if (!k) return 0;
  k->was = *v;
  k->round = v->sweep->round;
  return 0;
}
