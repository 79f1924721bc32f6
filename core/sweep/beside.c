/* Writes beside a held sweep: what is kept, what a search finds, a sweep that comes later; see
 * beside.h. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/sort.h"
#include "core/claim/story.h"
#include "core/sweep/answer.h"
#include "core/sweep/beside_impl.h"
#include "core/detect/rule.h"
#include "core/store/swept.h"

enum { MOST = 20000 }; /* written rows; then a sweep takes them in */

hm_beside *hm_beside_new(hm_held *held, const hm_rules *rules, size_t least) {
  hm_beside *b = hm_xmalloc(sizeof *b);
  *b = (hm_beside){ .held = held, .rules = rules, .least = least };
  return b;
}

static void clear(hm_beside *b) {
  hm_held_return(b->held, b->base);
  free(b->slots);
  free(b->seconds);
  if (b->a)
    hm_arena_free(b->a);
  *b = (hm_beside){ .held = b->held, .rules = b->rules, .least = b->least };
}

void hm_beside_free(hm_beside *b) {
  if (!b)
    return;
  clear(b);
  free(b);
}

const hm_sweep *hm_beside_base(const hm_beside *b) { return &b->base->sweep; }

void hm_beside_forget(hm_beside *b) { b->version = 0; }

static void list_seconds(hm_beside *b, const hm_snapshot *snap) {
  size_t first = snap->first[HM_MEMORY], end = snap->first[HM_MEMORY + 1];
  hm_time t;
  b->seconds = hm_xmalloc((end - first + 1) * sizeof *b->seconds);
  for (size_t i = first; i < end; i++)
    if (hm_parse_written_second(snap->rows[i].created_at, &t))
      b->seconds[b->n_seconds++] = hm_time_as_number(t);
  hm_numbers_sort(b->seconds, b->n_seconds);
}

/* Takes over the use of the base, which may be NULL. */
static void begin(hm_beside *b, hm_held_sweep *base) {
  clear(b);
  b->base = base;
  if (!b->base || b->base->sweep.snap->n_rows < b->least)
    return;
  const hm_claims *c = b->base->sweep.claims;
  b->version = b->base->version;
  b->now = b->base->sweep.snap->now;
  hm_held_index(b->held, b->base);
  b->a = hm_arena_new();
  hm_map_init(&b->of, b->a, 64);
  hm_map_init(&b->conflict_of, b->a, 64);
  b->slots = hm_xmalloc((c->n + c->n_context + 1) * sizeof *b->slots);
  for (size_t i = 0; i < c->n + c->n_context; i++)
    b->slots[i] = c->claims[i].hash;
  list_seconds(b, b->base->sweep.snap);
  b->crowded = (hm_time *)hm_list_crowded_seconds(b->base->sweep.snap, b->a, &b->n_crowded);
  if (!b->crowded) /* none: not "count them" */
    b->crowded = hm_alloc_array(b->a, 1, sizeof *b->crowded);
}

void hm_beside_begin(hm_beside *b, hm_sweep *w, hm_arena *a) {
  begin(b, hm_held_give(b->held, w, a));
}

/* Begins with the sweep that readers hold, if it is of this state. */
static bool begin_with_held(hm_beside *b, hm_store *s, uint64_t version) {
  hm_held_sweep *x = hm_held_last(b->held);
  if (!x || x->version != version || !hm_now_holds(s, x->sweep.snap)) {
    hm_held_return(b->held, x);
    return false;
  }
  begin(b, x);
  return b->version != 0;
}

int hm_beside_holds(hm_beside *b, hm_store *s, bool *holds, hm_err *err) {
  uint64_t version = 0;
  hm_swept recorded;
  hm_arena *a = hm_arena_new();
  int rc = hm_facts_version(s, &version, err) ||
      hm_swept_read(s, hm_sweep_decided(b->rules, a), &recorded, err);
  *holds = !rc && b->version && b->version == version && b->n < MOST &&
      hm_now_holds(s, b->base->sweep.snap) && recorded != HM_SWEPT_NOT;
  if (!rc && !*holds && recorded == HM_SWEPT_WHOLE)
    *holds = begin_with_held(b, s, version);
  hm_arena_free(a);
  return rc ? -1 : 0;
}

/* --- what was found ----------------------------------------------------------------------------
 */

static int note_disputed(const hm_beside_search *f, hm_map *disputed) {
  for (size_t i = 0; i < f->part->n_conflicts; i++) {
    const hm_conflict_rec *c = &f->part->conflicts[i];
    hm_conflict_answer *v;
    size_t n;
    if (c->status != HM_OPEN || hm_map_get(&f->keys, c->slot_key) == HM_MAP_NONE)
      continue;
    if (hm_answers_starting(f->s, c->id, 1, f->a, &v, &n, f->err))
      return -1;
    if (n && hm_str_eq(v->id, c->id) && v->disputed)
      hm_map_add(disputed, c->id, 0);
  }
  return 0;
}

static bool is_changed(const hm_plan *p, const hm_conflict_rec *c) {
  size_t i = 0;
  while (i < p->n && !hm_str_eq(p->changes[i].rec.id, c->id))
    i++;
  return i < p->n;
}

static int record(const hm_beside_search *f, const hm_sweep_options *opt, const hm_sweep *w) {
  const hm_plan *p = w->plan;
  size_t n = 0;
  hm_conflict_answer *v = hm_alloc_array(f->a, p->n_conflicts, sizeof *v);
  for (size_t i = 0; i < p->n; i++)
    if (hm_store_put_conflict(f->s, &p->changes[i].rec, hm_sweep_changer(opt, &p->changes[i].rec),
                              f->err))
      return -1;
  for (size_t i = 0; i < p->n_conflicts; i++)
    if (hm_map_get(&f->keys, p->conflicts[i].slot_key) != HM_MAP_NONE ||
        is_changed(p, &p->conflicts[i]))
      v[n++] = hm_conflict_answer_make(w, &p->conflicts[i], f->b->rules, f->a);
  return hm_answers_put(f->s, v, n, f->err) || hm_swept_put_pending(f->s, f->err) ? -1 : 0;
}

/* --- what is kept of it -------------------------------------------------------------------------
 */

static hm_member_rec *copy_members(const hm_conflict_rec *c, hm_arena *a) {
  hm_member_rec *m = hm_alloc_array(a, c->n_members, sizeof *m);
  for (size_t i = 0; i < c->n_members; i++) {
    m[i] = c->members[i];
    m[i].id = hm_str_dup(a, m[i].id);
    m[i].field = hm_str_dup(a, m[i].field);
    m[i].value = hm_str_dup(a, m[i].value);
    m[i].normal = hm_str_dup(a, m[i].normal);
    m[i].conflicts_with = hm_str_dup(a, m[i].conflicts_with);
  }
  return m;
}

static void keep_conflict(hm_beside *b, const hm_conflict_rec *rec, uint64_t version) {
  hm_arena *a = b->a;
  hm_conflict_rec c = *rec;
  hm_str *const texts[] = { &c.id,          &c.slot_kind,   &c.slot_key,    &c.project,
                            &c.detected_at, &c.resolved_at, &c.resolution,  &c.resolved_by,
                            &c.action,      &c.scope,       &c.winner,      &c.rule,
                            &c.anchor,      &c.merged_into, &c.window_from, &c.window_until };
  for (size_t i = 0; i < HM_COUNT(texts); i++)
    *texts[i] = hm_str_dup(a, *texts[i]);
  c.members = copy_members(rec, a);
  uint32_t i = hm_map_get(&b->conflict_of, c.id);
  if (i == HM_MAP_NONE) {
    b->conflicts =
        hm_array_grow_in(a, b->conflicts, b->n_conflicts, &b->cap_conflicts, sizeof *b->conflicts);
    i = (uint32_t)b->n_conflicts++;
    hm_map_add(&b->conflict_of, c.id, i);
  }
  b->conflicts[i] = (hm_newer_conflict){ c, version };
}

static void keep_row(const hm_beside_search *f, hm_row_name name) {
  hm_beside *b = f->b;
  uint32_t row = hm_snapshot_row(f->now, name.layer, name.id);
  hm_newer_row *r = hm_beside_newer_row(f, name);
  if (row == HM_MAP_NONE)
    return;
  if (!r) {
    hm_str id = hm_str_dup(b->a, name.id);
    b->rows = hm_array_grow_in(b->a, b->rows, b->n, &b->cap, sizeof *b->rows);
    hm_map_add(&b->of, hm_ref_text(b->a, name.layer, id), (uint32_t)b->n);
    r = &b->rows[b->n++];
    *r = (hm_newer_row){ .name = { name.layer, id } };
    /* One of the base is counted there. */
    r->written = name.layer == HM_MEMORY &&
        hm_snapshot_row(f->base, name.layer, name.id) == HM_MAP_NONE &&
        hm_parse_written_second(f->now->rows[row].created_at, &r->second);
  }
  const hm_claims *c = f->claims;
  size_t spoken = c->n + c->n_context, all = spoken + c->n_silences;
  r->slots = hm_alloc_array(b->a, all, sizeof *r->slots);
  r->keys = hm_alloc_array(b->a, all, sizeof *r->keys);
  r->version = b->version;
  r->names = hm_beside_names_of(&f->now->rows[row], b->a);
  r->n_slots = 0;
  r->stands = HM_TIME_MIN;
  for (size_t i = 0; i < all; i++) {
    const hm_claim *claim = i < spoken ? &c->claims[i] : &c->silences[i - spoken];
    if (claim->row != row)
      continue;
    r->stands = claim->stands;
    r->keys[r->n_slots] = hm_conflict_slot_key(b->a, f->now, claim);
    r->slots[r->n_slots++] = claim->hash;
  }
}

static void keep_slot(hm_beside *b, hm_str key, uint64_t version) {
  b->found = hm_array_grow_in(b->a, b->found, b->n_found, &b->cap_found, sizeof *b->found);
  b->found[b->n_found++] = (hm_found_slot){ hm_str_dup(b->a, key), version };
}

static void keep_crowds(const hm_beside_search *f) {
  hm_beside *b = f->b;
  b->crowded = hm_alloc_array(b->a, f->n_crowded + 1, sizeof *f->crowded);
  if (f->n_crowded)
    memcpy(b->crowded, f->crowded, f->n_crowded * sizeof *f->crowded);
  b->n_crowded = f->n_crowded;
}

static int keep(const hm_beside_search *f, const hm_sweep *w) {
  if (hm_facts_version(f->s, &f->b->version, f->err))
    return -1;
  for (size_t i = 0; i < f->n_written; i++)
    keep_row(f, f->written[i]);
  for (size_t i = 0; i < w->plan->n; i++)
    keep_conflict(f->b, &w->plan->changes[i].rec, f->b->version);
  for (size_t i = 0; i < f->n_keys; i++)
    keep_slot(f->b, f->key_list[i], f->b->version);
  f->b->now = f->part->now;
  if (f->n_crossing)
    keep_crowds(f);
  return 0;
}

/* --- all ------------------------------------------------------------------------------------ */

/* Is an id that the plan gives to a new conflict that of another one? */
static bool id_is_taken(const hm_beside_search *f, const hm_plan *p) {
  for (size_t i = 0; i < p->n; i++) {
    if (p->changes[i].kind != HM_CHANGE_OPEN)
      continue;
    if (f->b->n_conflicts && hm_map_get(&f->b->conflict_of, p->changes[i].rec.id) != HM_MAP_NONE)
      return true;
    for (size_t k = 0; k < f->base->n_conflicts; k++)
      if (hm_str_eq(f->base->conflicts[k].id, p->changes[i].rec.id))
        return true;
  }
  return false;
}

/* In the rows of the base: what is written beside it is within nothing and contains nothing. */
static void find_concerns(const hm_beside_search *f, hm_sweep *w) {
  const hm_belongs_filter active = { .active = true };
  hm_beside *b = f->b;
  size_t any = 0;
  while (any < w->plan->n_conflicts && !w->plan->disputes[any])
    any++;
  if (any == w->plan->n_conflicts)
    return;
  if (!b->belongs)
    b->belongs = hm_belongs_new(f->base, &active, b->a);
  hm_concerns_collect(b->belongs, w->snap, w->plan->disputes, w->plan->n_conflicts, NULL, NULL,
                      f->a, &w->concerns);
}

static int find_in_slots(hm_beside_search *f, const hm_sweep_options *opt, hm_sweep *out,
                         hm_map *disputed, bool *may) {
  if (hm_rules_run(out->snap, out->claims, f->b->rules, HM_RUN_SLOTS, 1, f->a, &out->disputes,
                   f->err) ||
      note_disputed(f, disputed))
    return -1;
  out->findings = out->disputes->findings;
  out->n_findings = out->disputes->n_findings;
  hm_findings_acknowledge(out->snap, out->findings, out->n_findings);
  out->plan = hm_plan_build(out->snap, out->disputes, opt->who.at, f->a);
  find_concerns(f, out);
  *may = !id_is_taken(f, out->plan);
  return *may && (record(f, opt, out) || keep(f, out)) ? -1 : 0;
}

int hm_beside_find(hm_beside *b, hm_store *s, const hm_row_name *written, size_t n,
                   const hm_sweep_options *opt, hm_arena *a, hm_sweep *out, hm_map *disputed,
                   bool *done, hm_err *err) {
  hm_beside_search f = hm_beside_search_of(b, s, written, n, a, err);
  *out = (hm_sweep){ 0 };
  int rc = hm_beside_read_written(&f, done);
  if (!rc && *done) {
    rc = hm_beside_read_slots(&f, out, done);
  }
  if (!rc && *done)
    rc = find_in_slots(&f, opt, out, disputed, done);
  hm_claims_free(f.claims);
  if (rc || !*done)
    hm_sweep_free(out);
  return rc;
}

/* --- a later sweep -------------------------------------------------------------------------- */

static bool was_found_since(const hm_map *since, const hm_conflict_rec *c) {
  return hm_map_get(since, c->slot_key) != HM_MAP_NONE;
}

/* Records the sweep w of the state `version`, but for the slots that were written since; their
 * conflicts are recorded. What becomes of two conflicts of which one may be there waits for the
 * next sweep. */
static int record_rest(const hm_beside *b, hm_store *s, const hm_sweep *w,
                       const hm_sweep_options *opt, hm_arena *a, hm_err *err) {
  const hm_plan *p = w->plan;
  hm_map since;
  int rc = 0;
  hm_map_init(&since, a, b->n_found);
  for (size_t i = 0; i < b->n_found; i++)
    if (b->found[i].version > w->version)
      hm_map_add(&since, b->found[i].key, 0);
  for (size_t i = 0; i < p->n; i++) {
    const hm_change *c = &p->changes[i];
    bool one = c->kind == HM_CHANGE_OPEN || c->kind == HM_CHANGE_UPDATE;
    if (one && !was_found_since(&since, &c->rec) &&
        hm_store_put_conflict(s, &c->rec, &opt->who, err))
      return -1;
  }
  hm_arena *tmp = hm_arena_new();
  for (size_t i = 0; i < p->n_conflicts && !rc; i++) {
    if (was_found_since(&since, &p->conflicts[i]) || p->conflicts[i].status == HM_MERGED)
      continue;
    hm_conflict_answer x = hm_conflict_answer_make(w, &p->conflicts[i], b->rules, tmp);
    rc = hm_answers_put(s, &x, 1, err);
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
  return rc || hm_store_put_findings(s, w->findings, w->n_findings, err) ||
          hm_swept_put_pending(s, err)
      ? -1
      : 0;
}

/* What was written after w was read stands beside it. *may false: it cannot. */
static int begin_beside(hm_beside *b, hm_store *s, hm_sweep *w, hm_arena *a, bool *may,
                        hm_err *err) {
  hm_arena *tmp = hm_arena_new();
  hm_beside old = *b;
  size_t n = 0;
  uint64_t from = w->version;
  hm_row_name *names = hm_alloc_array(tmp, b->n, sizeof *names);
  b->a = NULL; /* its memory, until the rest is copied */
  hm_beside_begin(b, w, a);
  for (size_t i = 0; i < old.n; i++)
    if (old.rows[i].version > from)
      names[n++] = old.rows[i].name;
  *may = b->version != 0;
  int rc = *may ? hm_facts_version(s, &b->version, err) : 0;
  if (!rc && *may) {
    hm_beside_search f = hm_beside_search_of(b, s, names, n, tmp, err);
    rc = hm_beside_read_written(&f, may);
    for (size_t i = 0; !rc && *may && i < n; i++)
      keep_row(&f, names[i]);
    if (!rc && *may) {
      b->now = f.now->now > old.now ? f.now->now : old.now;
      keep_crowds(&f);
    }
    hm_claims_free(f.claims);
  }
  for (size_t i = 0; !rc && *may && i < old.n_conflicts; i++)
    if (old.conflicts[i].version > from)
      keep_conflict(b, &old.conflicts[i].rec, old.conflicts[i].version);
  for (size_t i = 0; !rc && *may && i < old.n_found; i++)
    if (old.found[i].version > from)
      keep_slot(b, old.found[i].key, old.found[i].version);
  if (rc || !*may)
    hm_beside_forget(b);
  hm_arena_free(old.a);
  hm_arena_free(tmp);
  return rc;
}

static void discard(hm_sweep *w, hm_arena *a) {
  hm_sweep_free(w);
  hm_arena_free(a);
}

int hm_beside_take(hm_beside *b, hm_store *s, hm_sweep *w, hm_arena *a, const hm_sweep_options *opt,
                   bool *taken, hm_err *err) {
  uint64_t version = 0;
  bool follows = false, may = true;
  *taken = false;
  if (hm_store_begin(s, true, err) || hm_facts_version(s, &version, err) ||
      hm_beside_holds(b, s, &follows, err)) {
    hm_store_rollback(s);
    discard(w, a);
    return -1;
  }
  bool same = version == w->version;
  follows = follows && b->base->version <= w->version;
  if (!same && !follows) {
    hm_store_rollback(s);
    discard(w, a);
    return 0;
  }
  int rc = same ? hm_sweep_record(s, opt, w, a, err) : record_rest(b, s, w, opt, a, err);
  if (rc)
    discard(w, a);
  else if (same)
    hm_beside_begin(b, w, a);
  else
    rc = begin_beside(b, s, w, a, &may, err);
  if (!rc)
    rc = hm_store_commit(s, err);
  hm_store_rollback(s);
  if (rc)
    hm_beside_forget(b);
  *taken = !rc;
  return rc;
}
