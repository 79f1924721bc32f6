/* Imported verdicts: finds the conflict of each, and applies those without disagreement. */
#include "core/review/verdict.h"
#include "core/base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/detect/conflict.h"
#include "core/review/verdict_impl.h"
#include "core/base/par.h"
#include "core/review/write_check.h"

enum { SHOWN = 80, VALUE_SHOWN = 60 };

/* A verdict that waits, with the conflict here that it is about. */
typedef struct {
  hm_known_verdict *known;
  const hm_conflict_rec *target; /* NULL: none */
  hm_settling what;
  hm_str why;
  bool done; /* what is known */
} waiting;

typedef struct {
  hm_store *s;
  const hm_review *r;
  hm_arena *a;
  hm_known_verdict *all;
  size_t n_all;
  waiting *v;
  size_t n;
  hm_sweep look;
  hm_map changed;         /* references of rows that verdicts changed since the look */
  hm_map ids;             /* of the look's conflicts -> index */
  uint32_t *first, *next; /* the waiting ones about each conflict, as lists */
  waiting **reopened;
  size_t n_reopened; /* to be decided anew, by the claims that are there again */
  hm_settled *out;
  hm_err *err;
} settling;

/* Sweeps the store as it is now, and records it. */
static int look(settling *x) {
  hm_map_init(&x->changed, x->a, 16);
  hm_sweep_options opt = { .rules = x->r->rules,
                           .threads = hm_par_cores(),
                           .details = true,
                           .without_sql = true,
                           .record = true,
                           .skip_run = true,
                           .who = x->r->who };
  return hm_sweep_run_all(x->s, &opt, x->a, &x->look, x->err);
}

static void conclude(waiting *w, hm_settling what, hm_str why) {
  *w = (waiting){ .known = w->known, .target = w->target, .what = what, .why = why, .done = true };
}

/* --- in words ------------------------------------------------------------------ */

static hm_str cut(settling *x, hm_str s, size_t n) { return hm_str_dup(x->a, hm_text_cut(s, n)); }

/* "kim on 2026-05-01: project_state:s1 (GF-PTFE) stands" */
static hm_str verdict_words(settling *x, const hm_verdict_line *v) {
  hm_arena *a = x->a;
  hm_str who = v->by.n ? cut(x, v->by, SHOWN) : HM_STR("somebody");
  hm_str when = v->at.n ? HM_CAT(a, HM_STR(" on "), hm_str_sub(v->at, 0, 10)) : HM_EMPTY;
  hm_str what = hm_str_is(v->status, "resolved") ? HM_STR("no row changes") : v->status;
  if (hm_verdict_line_supersedes(v)) {
    hm_str *winners;
    size_t n = hm_winners_parse(a, v->winner, &winners);
    what = HM_EMPTY;
    for (size_t k = 0; k < n; k++) {
      const hm_member_rec *m = hm_verdict_line_member(v, winners[k]);
      what = HM_CAT(a, what, k ? HM_STR(" and ") : HM_EMPTY, cut(x, winners[k], SHOWN));
      if (m)
        what = HM_CAT(a, what, HM_STR(" ("), cut(x, m->value, VALUE_SHOWN), HM_STR(")"));
    }
    what = HM_CAT(a, what, n > 1 ? HM_STR(" stand") : HM_STR(" stands"));
  }
  return HM_CAT(a, who, when, HM_STR(": "), what);
}

static hm_str both_words(settling *x, const hm_verdict_line *p, const hm_verdict_line *q) {
  return HM_CAT(x->a, verdict_words(x, p), HM_STR("; "), verdict_words(x, q));
}

/* --- which conflict ---------------------------------------------------------------- */

static bool bound(hm_str text, hm_time *t) {
  hm_precision p;
  return text.n && hm_time_parse(text, t, &p);
}

/* A missing bound is not known, or open. */
static bool times_meet(const hm_verdict_line *v, const hm_conflict_rec *c) {
  hm_time until, from;
  if (hm_str_eq(v->window_from, c->window_from))
    return true;
  if (bound(v->window_until, &until) && bound(c->window_from, &from) && until <= from)
    return false;
  return !(bound(c->window_until, &until) && bound(v->window_from, &from) && until <= from);
}

static bool knows(const hm_verdict_line *v, hm_str normal, hm_str raw) {
  for (size_t i = 0; i < v->n_members; i++)
    if ((normal.n && hm_str_eq(v->members[i].normal, normal)) ||
        hm_str_eq(v->members[i].value, raw))
      return true;
  return !v->n_members;
}

/* Finds a value that the verdict did not know; false if there is none. */
static bool stranger(settling *x, const hm_verdict_line *v, const hm_conflict_rec *c,
                     hm_str *words) {
  const hm_dispute *d = c->status == HM_OPEN ? hm_plan_dispute(x->look.plan, c) : NULL;
  for (size_t i = 0; i < (d ? d->n : c->n_members); i++) {
    const hm_claim *claim = d ? d->parties[i].claim : NULL;
    const hm_member_rec *m = d ? NULL : &c->members[i];
    hm_str raw = d ? claim->value.raw : m->value;
    if (knows(v, d ? claim->value.norm : m->normal, raw))
      continue;
    hm_layer layer = d ? claim->layer : m->layer;
    hm_str id = d ? x->look.snap->rows[claim->row].id : m->id;
    *words = HM_CAT(x->a, hm_ref_text(x->a, layer, cut(x, id, SHOWN)), HM_STR(" says "),
                    cut(x, raw, VALUE_SHOWN), HM_STR(", which it did not know"));
    return true;
  }
  return false;
}

static bool is_about(const hm_verdict_line *v, const hm_conflict_rec *c) {
  return v->slot_key.n && hm_str_eq(c->slot_key, v->slot_key) &&
      hm_str_eq(c->rule, hm_verdict_rule_name(v->rule)) && times_meet(v, c);
}

/* Was this very verdict given here? */
static int given_here(settling *x, const hm_verdict_line *v, const hm_conflict_rec *c,
                      bool *given) {
  hm_verdict_line *past;
  size_t n;
  *given = false;
  if (hm_verdict_history(x->s, c->id, x->a, &past, &n, x->err))
    return -1;
  for (size_t i = 0; i < n; i++)
    *given |= hm_str_eq(past[i].id, v->id);
  return 0;
}

/* The first conflict on the slot; those on it are together. */
static size_t first_on(const hm_plan *p, hm_str slot_key) {
  const hm_conflict_rec *v = p->conflicts;
  return p->n_conflicts
      ? hm_lower_bound(&v->slot_key, p->n_conflicts, sizeof *v, &slot_key, hm_order_str)
      : 0;
}

typedef struct {
  const hm_conflict_rec *misfit;
  hm_str why;
  int best;
} candidates;

static int consider(settling *x, waiting *w, const hm_conflict_rec *c, candidates *all) {
  const hm_verdict_line *v = &w->known->line;
  bool same_id = hm_str_eq(c->id, v->conflict), about = is_about(v, c), given;
  hm_str words;
  if (w->done || c->status == HM_MERGED || !(same_id || about))
    return 0;
  if (given_here(x, v, c, &given))
    return -1;
  if (given) {
    w->target = c;
    conclude(w, HM_SETTLED_BEFORE, HM_EMPTY);
    return 0;
  }
  if (stranger(x, v, c, &words)) {
    if (c->status == HM_OPEN && !all->misfit)
      all->misfit = c, all->why = words;
    return 0;
  }
  int rank = (c->status == HM_OPEN ? 4 : 0) + (about ? 2 : 0) + (same_id ? 1 : 0);
  if (rank > all->best)
    all->best = rank, w->target = c;
  return 0;
}

/* By content first, by id second; open ones before settled ones. */
static int find_target(settling *x, waiting *w) {
  const hm_verdict_line *v = &w->known->line;
  const hm_plan *p = x->look.plan;
  candidates all = { .why = HM_EMPTY };
  uint32_t same = hm_map_get(&x->ids, v->conflict);
  for (size_t i = v->slot_key.n ? first_on(p, v->slot_key) : p->n_conflicts; i < p->n_conflicts;
       i++) {
    if (!hm_str_eq(p->conflicts[i].slot_key, v->slot_key))
      break;
    if (consider(x, w, &p->conflicts[i], &all))
      return -1;
  }
  if (same != HM_MAP_NONE && consider(x, w, &p->conflicts[same], &all))
    return -1;
  if (w->done || w->target || !all.misfit)
    return 0;
  w->target = all.misfit;
  conclude(w, HM_SETTLE_UNFIT, all.why);
  return 0;
}

static int find_targets(settling *x) {
  const hm_plan *p = x->look.plan;
  hm_map_init(&x->ids, x->a, p->n_conflicts);
  for (size_t i = 0; i < p->n_conflicts; i++)
    hm_map_add(&x->ids, p->conflicts[i].id, (uint32_t)i);
  x->first = hm_alloc_array(x->a, p->n_conflicts, sizeof *x->first);
  x->next = hm_alloc_array(x->a, x->n, sizeof *x->next);
  for (size_t i = 0; i < p->n_conflicts; i++)
    x->first[i] = HM_MAP_NONE;
  for (size_t i = x->n; i-- > 0;) {
    waiting *w = &x->v[i];
    if (w->done)
      continue;
    if (find_target(x, w))
      return -1;
    if (w->done || !w->target)
      continue;
    size_t at = (size_t)(w->target - p->conflicts);
    x->next[i] = x->first[at];
    x->first[at] = (uint32_t)i;
  }
  return 0;
}

/* --- carrying out -------------------------------------------------------------------- */

/* The winning row in this store: the named one if it still has its value, else another with that
 * value, or empty. */
static hm_str winner_here(settling *x, const waiting *w, hm_str named) {
  const hm_dispute *d = hm_plan_dispute(x->look.plan, w->target);
  hm_str value = hm_verdict_line_value(&w->known->line, named), ref = HM_EMPTY;
  if (!d || !value.n)
    return named;
  for (size_t i = 0; i < d->n; i++) {
    const hm_claim *c = d->parties[i].claim;
    if (!hm_str_eq(c->value.norm, value))
      continue;
    hm_str at = hm_row_ref(x->a, &x->look.snap->rows[c->row]);
    if (!ref.n || hm_str_eq(at, named))
      ref = at;
  }
  return ref;
}

/* Finds all winners, distinct. False if others must be superseded and the value of *missing is
 * unknown. */
static bool find_winners(settling *x, const waiting *w, hm_resolution *how, hm_str *missing) {
  const hm_verdict_line *v = &w->known->line;
  hm_str *named, *here;
  size_t n = hm_winners_parse(x->a, v->winner, &named);
  bool acts = hm_verdict_line_supersedes(v);
  here = hm_alloc_array(x->a, n, sizeof *here);
  how->winners = here;
  *missing = HM_EMPTY;
  for (size_t i = 0; i < n; i++) {
    hm_str ref = acts ? winner_here(x, w, named[i]) : named[i];
    bool there = false;
    *missing = named[i];
    if (!ref.n)
      return false;
    for (size_t k = 0; k < how->n_winners; k++)
      there |= hm_str_eq(here[k], ref);
    if (!there)
      here[how->n_winners++] = ref;
  }
  return n || !acts;
}

/* A refusal by the store or the verb is reported; any other error ends the import. */
static int refused(settling *x, waiting *w) {
  if (x->err->code != HM_E_STATE && x->err->code != HM_E_INPUT && x->err->code != HM_E_UNKNOWN)
    return -1;
  hm_str why = hm_str_dup(x->a, hm_str_c(x->err->why));
  memset(x->err, 0, sizeof *x->err);
  conclude(w, HM_SETTLE_UNFIT, why);
  return 0;
}

/* Did a verdict since the look change a row that is in dispute here, or bring one back? Then a
 * sweep tells what is in dispute now. */
static bool is_outdated(const settling *x, const hm_conflict_rec *c) {
  const hm_dispute *d = hm_plan_dispute(x->look.plan, c);
  bool met = x->n_reopened > 0;
  for (size_t i = 0; x->changed.n && d && i < d->n && !met; i++)
    met =
        hm_map_get(&x->changed, hm_row_ref(x->a, &x->look.snap->rows[d->parties[i].claim->row])) !=
        HM_MAP_NONE;
  return met;
}

static int carry_out(settling *x, waiting *w) {
  const hm_verdict_line *v = &w->known->line;
  hm_decided decided = { v->by, v->at };
  hm_review r = { .rules = x->r->rules,
                  .who = x->r->who,
                  .decided = &decided,
                  .swept_later = true,
                  .look = is_outdated(x, w->target) ? NULL : &x->look };
  hm_verdict_report report;
  hm_str missing;
  hm_resolution how = { .action = hm_action_parse(v->action),
                        .scope = hm_verdict_scope_parse(v->scope),
                        .from = v->winner_source,
                        .notes = v->notes };
  if (!find_winners(x, w, &how, &missing)) {
    conclude(w, HM_SETTLE_UNFIT,
             HM_CAT(x->a, HM_STR("nobody says what "), cut(x, missing, SHOWN),
                    HM_STR(" said, which should stand")));
    return 0;
  }
  int rc = hm_str_is(v->status, "dismissed")
      ? hm_review_dismiss(x->s, &r, w->target->id, v->notes, x->a, &report, x->err)
      : hm_review_resolve(x->s, &r, w->target->id, &how, x->a, &report, x->err);
  if (rc)
    return refused(x, w);
  for (size_t i = 0; i < report.n_changes; i++)
    hm_map_add(&x->changed, report.changes[i].ref, 0);
  conclude(w, HM_SETTLED, HM_EMPTY);
  return 0;
}

/* It comes after the verdict that holds here, which was given knowing less. */
static int change_verdict(settling *x, waiting *w) {
  const hm_verdict_line *v = &w->known->line;
  hm_decided decided = { v->by, v->at };
  hm_review r = {
    .rules = x->r->rules, .who = x->r->who, .decided = &decided, .swept_later = true
  };
  hm_verdict_report report;
  if (hm_review_reopen(x->s, &r, w->target->id, v->notes, false, x->a, &report, x->err))
    return refused(x, w);
  for (size_t i = 0; i < report.n_changes; i++)
    hm_map_add(&x->changed, report.changes[i].ref, 0);
  conclude(w, HM_SETTLED, HM_EMPTY);
  if (hm_str_is(v->status, "reopened"))
    return 0;
  x->reopened[x->n_reopened++] = w;
  return 0;
}

/* Carries out the verdicts on reopened conflicts: one sweep for all of them. */
static int decide_anew(settling *x) {
  size_t n = x->n_reopened;
  if (!n)
    return 0;
  hm_sweep_free(&x->look);
  if (look(x))
    return -1;
  x->n_reopened = 0;
  for (size_t i = 0; i < n; i++)
    if (carry_out(x, x->reopened[i]))
      return -1;
  return 0;
}

/* The verdict that holds for a settled conflict. */
static int standing_of(settling *x, const hm_conflict_rec *c, hm_verdict_line *out) {
  hm_verdict_line *past, v = { .id = HM_EMPTY, .conflict = c->id, .members = c->members };
  size_t n;
  if (hm_verdict_history(x->s, c->id, x->a, &past, &n, x->err))
    return -1;
  if (n)
    v.id = past[n - 1].id;
  v.n_members = c->n_members;
  v.status = hm_str_c(hm_verdict_name(c->status));
  v.action = c->action, v.winner = c->winner, v.scope = c->scope;
  v.winner_source = c->winner_source;
  v.notes = c->resolution, v.by = c->resolved_by, v.at = c->resolved_at;
  *out = v;
  return 0;
}

static int meet_settled(settling *x, waiting *w) {
  hm_known_verdict *k = w->known;
  hm_verdict_line standing;
  for (size_t i = 0; i < x->n_reopened; i++)
    if (x->reopened[i]->target == w->target && decide_anew(x))
      return -1;
  if (standing_of(x, w->target, &standing))
    return -1;
  bool replaces = false;
  for (size_t i = 0; i < k->line.n_replaces; i++)
    replaces |= hm_str_eq(k->line.replaces[i], standing.id);
  if (hm_verdict_lines_agree(&k->line, &standing, x->a))
    conclude(w, HM_SETTLED_BEFORE, HM_EMPTY);
  else if (replaces)
    return change_verdict(x, w);
  else if (hm_str_eq(k->target, w->target->id) && !hm_str_eq(k->against, standing.id))
    conclude(w, HM_SETTLE_REPLACED, HM_EMPTY); /* decided here again since the two met */
  else {
    k->against = standing.id;
    conclude(w, HM_SETTLE_CONTESTED, both_words(x, &standing, &k->line));
  }
  return 0;
}

/* --- all verdicts on one conflict -------------------------------------------------------- */

static int by_decision(const void *p, const void *q) {
  const hm_verdict_line *x = &(*(waiting *const *)p)->known->line,
                        *y = &(*(waiting *const *)q)->known->line;
  int d = hm_str_cmp(x->at, y->at);
  if (!d)
    d = hm_str_cmp(x->by, y->by);
  return d ? d : hm_str_cmp(x->id, y->id);
}

/* Verdicts on one open conflict: one, or several that agree, are carried out. */
static int meet_open(settling *x, waiting **v, size_t n) {
  size_t others = 0;
  qsort(v, n, sizeof *v, by_decision);
  for (size_t i = 0; i < n; i++) /* it is open, as it should be */
    if (hm_str_is(v[i]->known->line.status, "reopened"))
      conclude(v[i], HM_SETTLED_BEFORE, HM_EMPTY);
    else
      v[others++] = v[i];
  for (size_t i = 1; i < others; i++) {
    if (hm_verdict_lines_agree(&v[0]->known->line, &v[i]->known->line, x->a))
      continue;
    hm_str both = both_words(x, &v[0]->known->line, &v[i]->known->line);
    for (size_t k = 0; k < others; k++) {
      v[k]->known->against = HM_EMPTY;
      conclude(v[k], HM_SETTLE_CONTESTED, both);
    }
    return 0;
  }
  if (others && carry_out(x, v[0]))
    return -1;
  for (size_t i = 1; i < others; i++)
    conclude(v[i], v[0]->what == HM_SETTLED ? HM_SETTLED_BEFORE : v[0]->what, v[0]->why);
  return 0;
}

static int meet_all(settling *x) {
  waiting **group = hm_alloc_array(x->a, x->n, sizeof *group);
  x->reopened = hm_alloc_array(x->a, x->n, sizeof *x->reopened);
  const hm_conflict_rec *conflicts = x->look.plan->conflicts; /* also after another look */
  for (size_t i = 0; i < x->n; i++) {
    waiting *w = &x->v[i];
    if (w->done)
      continue;
    if (!w->target) {
      conclude(w,
               hm_str_is(w->known->line.status, "reopened") ? HM_SETTLED_BEFORE : HM_SETTLE_WAITS,
               HM_EMPTY);
      continue;
    }
    if (w->target->status != HM_OPEN) {
      if (meet_settled(x, w))
        return -1;
      continue;
    }
    size_t n = 0;
    for (uint32_t k = x->first[w->target - conflicts]; k != HM_MAP_NONE; k = x->next[k])
      group[n++] = &x->v[k];
    if (meet_open(x, group, n))
      return -1;
  }
  return decide_anew(x);
}

/* --- before and after ------------------------------------------------------------------------ */

static int by_time(const void *p, const void *q) {
  const waiting *x = p, *y = q;
  return by_decision(&x, &y);
}

/* Chooses the waiting verdicts that no other replaces, in the order in which they were given. */
static void choose(settling *x) {
  hm_map replaced;
  hm_map_init(&replaced, x->a, x->n_all);
  for (size_t i = 0; i < x->n_all; i++)
    for (size_t k = 0; k < x->all[i].line.n_replaces; k++)
      hm_map_add(&replaced, x->all[i].line.replaces[k], 0);
  x->v = hm_alloc_array(x->a, x->n_all, sizeof *x->v);
  for (size_t i = 0; i < x->n_all; i++) {
    if (x->all[i].state != HM_VERDICT_WAITS)
      continue;
    waiting *w = &x->v[x->n++];
    *w = (waiting){ .known = &x->all[i], .why = HM_EMPTY };
    if (hm_map_get(&replaced, x->all[i].line.id) != HM_MAP_NONE)
      conclude(w, HM_SETTLE_REPLACED, HM_EMPTY);
  }
  if (x->n)
    qsort(x->v, x->n, sizeof *x->v, by_time);
}

static int write_down(settling *x) {
  static const hm_verdict_state states[] = {
    [HM_SETTLED] = HM_VERDICT_APPLIED,        [HM_SETTLED_BEFORE] = HM_VERDICT_APPLIED,
    [HM_SETTLE_WAITS] = HM_VERDICT_WAITS,     [HM_SETTLE_UNFIT] = HM_VERDICT_WAITS,
    [HM_SETTLE_CONTESTED] = HM_VERDICT_WAITS, [HM_SETTLE_REPLACED] = HM_VERDICT_REPLACED,
  };
  x->out->v = hm_alloc_array(x->a, x->n, sizeof *x->out->v);
  for (size_t i = 0; i < x->n; i++) {
    waiting *w = &x->v[i];
    hm_known_verdict *k = w->known;
    hm_str target = w->target ? w->target->id : k->target;
    bool news = states[w->what] != HM_VERDICT_WAITS || !hm_str_eq(k->why, w->why) ||
        !hm_str_eq(k->target, target);
    k->state = states[w->what];
    k->target = target;
    k->why = w->why;
    if (w->what != HM_SETTLE_CONTESTED && w->what != HM_SETTLE_REPLACED)
      k->against = HM_EMPTY;
    x->out->counts[w->what]++;
    x->out->v[x->out->n++] = (hm_settled_verdict){ w->what, k->line.id, target, w->why, news };
    if (news && hm_verdicts_mark(x->s, k, x->err))
      return -1;
  }
  return 0;
}

static int settle(settling *x) {
  if (hm_verdicts_all(x->s, x->a, &x->all, &x->n_all, x->err))
    return -1;
  choose(x);
  if (!x->n)
    return 0;
  /* Conflicts are recorded first, and what the verdicts change last. */
  if (look(x))
    return -1;
  hm_verdicts_update_slot_keys(&x->look, x->r->rules, x->all, x->n_all, x->a);
  int rc = find_targets(x) || meet_all(x) || write_down(x) ? -1 : 0;
  hm_sweep_free(&x->look);
  if (rc || look(x))
    return -1;
  hm_sweep_free(&x->look);
  return 0;
}

int hm_review_settle_waiting(hm_store *s, const hm_review *r, hm_arena *a, hm_settled *out,
                             hm_err *err) {
  hm_err own = { 0 };
  settling x = { .s = s, .r = r, .a = a, .out = out, .err = err ? err : &own };
  bool mine, any;
  *out = (hm_settled){ 0 };
  if (hm_verdicts_waiting(s, &any, x.err))
    return -1;
  if (!any)
    return 0;
  if (hm_store_txn(s, true, &mine, x.err))
    return -1;
  return hm_review_end(s, r, mine, settle(&x), x.err);
}
