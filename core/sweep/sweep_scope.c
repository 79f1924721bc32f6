/* What of a sweep concerns a part of the store, for whoever shows it: a sweep finds and records
 * everything.
 *
 *   entity:ID    the entity and the relations at it; the slots of which the entity speaks
 *   project:ID   the rows of a project (id, alias or name), and relations of no project from them
 *   era:ERA      what holds or happened in it, certainly or perhaps, in every world that has such
 *                an era: rows by their bounds, entities also by when they existed. A row that says
 *                no time is in no era
 *   all          everything
 *
 * A conflict is in the scope if one of its members or its slot is; a finding if it names a row that
 * is. Cost: linear in the rows, conflicts and findings. */
#include <string.h>

#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/detect/rule.h"
#include "core/sweep/sweep.h"
#include "core/store/lookup.h"

typedef enum { SCOPE_ALL, SCOPE_ENTITY, SCOPE_PROJECT, SCOPE_ERA } scope_kind;

struct hm_sweep_scope {
  scope_kind kind;
  hm_str name;
  const hm_snapshot *snap;
  const hm_rules *rules;
  uint32_t entity, project; /* HM_MAP_NONE: none */
  bool *rows;               /* which are in it */
  hm_map slots;             /* of an entity: of what it speaks */
  hm_arena *a;
};

/* --- the text -------------------------------------------------------------------------- */

static const struct {
  const char *name;
  scope_kind kind;
} kinds[] = {
  { "all", SCOPE_ALL },
  { "entity", SCOPE_ENTITY },
  { "era", SCOPE_ERA },
  { "project", SCOPE_PROJECT },
};

static int read_text(hm_str text, scope_kind *kind, hm_str *name, hm_err *err) {
  const char *colon = text.n ? memchr(text.p, ':', text.n) : NULL;
  hm_str word = hm_str_sub(text, 0, colon ? (size_t)(colon - text.p) : text.n);
  *name = colon ? hm_str_trim(hm_str_sub(text, word.n + 1, text.n)) : HM_EMPTY;
  for (size_t i = 0; i < HM_COUNT(kinds); i++) {
    *kind = kinds[i].kind;
    if (hm_str_is(word, kinds[i].name) && (name->n > 0) == (*kind != SCOPE_ALL) &&
        (colon != NULL) == (*kind != SCOPE_ALL))
      return 0;
  }
  return hm_failf(err, HM_E_USAGE, "--scope", "give entity:ID, project:ID, era:ERA or all",
                  "'%.*s' is no part of a store", HM_FMT(hm_text_cut(text, 80)));
}

int hm_sweep_scope_check(hm_str text, hm_err *err) {
  scope_kind kind;
  hm_str name;
  return read_text(text, &kind, &name, err);
}

/* --- what it names --------------------------------------------------------------------- */

static int fail_unknown(const hm_sweep_scope *s, const char *what, const char *help, hm_err *err) {
  return hm_failf(err, HM_E_USAGE, "--scope", help, "there is no %s '%.*s'", what,
                  HM_FMT(hm_text_cut(s->name, 80)));
}

/* An id that is near, or the id of a row whose name is. */
static int fail_entity(const hm_sweep_scope *s, hm_err *err) {
  const hm_snapshot *snap = s->snap;
  size_t first = snap->first[HM_ENTITY], n = snap->first[HM_ENTITY + 1] - first;
  const char *help = "give the id of an entity";
  hm_known_name *known = hm_alloc_array(s->a, n + 1, sizeof *known);
  for (int names = 0; names < 2; names++) {
    for (size_t i = 0; i < n; i++) {
      const hm_row *r = &snap->rows[first + i];
      known[i] = hm_known_name_fold(names ? r->name : r->id, s->a);
    }
    hm_str near = hm_find_near_name(s->name, known, n);
    for (size_t i = 0; near.n && i < n; i++)
      if (hm_str_eq(known[i].name, near)) {
        hm_str id = hm_text_cut(snap->rows[first + i].id, 120);
        help = hm_str_fmt(s->a, "did you mean 'entity:%.*s'?", HM_FMT(id)).p;
        return fail_unknown(s, "entity", help, err);
      }
  }
  return fail_unknown(s, "entity", help, err);
}

static int fail_project(const hm_sweep_scope *s, const hm_project_fit *fit, hm_err *err) {
  const hm_snapshot *snap = s->snap;
  hm_str *ids = hm_alloc_array(s->a, snap->n_projects + 1, sizeof *ids);
  size_t n = 0;
  if (fit->other.n) {
    hm_project_fail_unknown(s->name, fit, err);
    if (err)
      err->code = HM_E_USAGE;
    return -1;
  }
  for (size_t i = 0; i < snap->n_projects; i++)
    if (snap->projects[i].id.n)
      ids[n++] = snap->projects[i].id;
  const char *help = hm_hint_names(s->name, ids, n, "projects: ", s->a);
  return fail_unknown(s, "project", n ? help : "the store has no project", err);
}

/* As world.yml spells it, or empty. */
static hm_str era_named(const hm_sweep_scope *s) {
  size_t n;
  const hm_str *eras = hm_worlds_list_era_names(s->rules->worlds, &n);
  for (size_t i = 0; i < n; i++)
    if (hm_era_name_eq(eras[i], s->name) && !hm_era_name_eq(eras[i], HM_STR("current")))
      return eras[i];
  return HM_EMPTY;
}

static int fail_era(const hm_sweep_scope *s, hm_err *err) {
  size_t n, kept = 0;
  const hm_str *eras = hm_worlds_list_era_names(s->rules->worlds, &n);
  hm_str *names = hm_alloc_array(s->a, n + 1, sizeof *names);
  for (size_t i = 0; i < n; i++)
    if (!hm_era_name_eq(eras[i], HM_STR("current")))
      names[kept++] = eras[i];
  const char *help = kept ? hm_hint_names(s->name, names, kept, "eras: ", s->a)
                          : "world.yml names no era: see hmirror-config(5)";
  return fail_unknown(s, "era", help, err);
}

/* --- its rows -------------------------------------------------------------------------- */

static void take_entity(hm_sweep_scope *s, const hm_claims *claims) {
  const hm_snapshot *snap = s->snap;
  s->rows[s->entity] = true;
  const hm_row_graph *g = snap->graph;
  for (uint32_t i = g->first[s->entity]; i < g->first[s->entity + 1]; i++)
    if (g->namers[i].by <= HM_NAMES_TO)
      s->rows[g->namers[i].of] = true;
  for (size_t i = 0; i < claims->n; i++)
    if (claims->claims[i].row == s->entity)
      hm_map_add(&s->slots, hm_conflict_slot_key(s->a, snap, &claims->claims[i]), 0);
}

static bool is_of_project(const hm_sweep_scope *s, size_t row) {
  const hm_row *r = &s->snap->rows[row];
  if (r->layer == HM_RELATION && !s->snap->projects[r->project].id.n) {
    uint32_t from = hm_snapshot_named(s->snap, (uint32_t)row, HM_NAMES_FROM);
    if (from != HM_MAP_NONE)
      r = &s->snap->rows[from];
  }
  return r->project == s->project;
}

/* The era in a world; false if it has none of this name. Looked up once per world. */
typedef struct {
  const hm_world *world;
  bool has;
  hm_window window;
} era_in_world;
typedef struct {
  hm_str era;
  era_in_world *of;
  size_t n, cap;
} era_windows;

static const era_in_world *era_in(const hm_sweep_scope *s, era_windows *w, const hm_world *world) {
  for (size_t i = 0; i < w->n; i++)
    if (w->of[i].world == world)
      return &w->of[i];
  w->of = hm_array_grow_in(s->a, w->of, w->n, &w->cap, sizeof *w->of);
  era_in_world *e = &w->of[w->n++];
  *e = (era_in_world){ .world = world };
  e->has =
      world && hm_window_parse(world, w->era, w->era, s->snap->now, &e->window) == HM_WINDOW_OK;
  return e;
}

static bool meets(const hm_window *w, const hm_window *era) {
  if (w->axis != era->axis)
    return false;
  return (w->moment ? hm_window_inside(w, era) : hm_window_overlap_certainty(w, era)) != HM_NO;
}

static bool is_of_era(const hm_sweep_scope *s, size_t row, const hm_world *world,
                      const hm_window *era, const hm_existences *lives) {
  const hm_row *r = &s->snap->rows[row];
  const hm_existence *x = r->layer == HM_ENTITY ? hm_existence_find(lives, (uint32_t)row) : NULL;
  hm_window w;
  if (hm_window_parse(world, r->valid_from, r->valid_until, s->snap->now, &w) == HM_WINDOW_OK &&
      (w.begin.known || w.end.known) && meets(&w, era))
    return true;
  for (uint32_t i = 0; x && i < x->n; i++)
    if (meets(&x->windows[i], era))
      return true;
  return x && x->happened && meets(x->happened, era);
}

static void take_era(hm_sweep_scope *s, hm_str era, int threads) {
  era_windows windows = { .era = era };
  hm_existences lives;
  hm_arena *scratch = hm_arena_new(), *tmp = hm_arena_new();
  hm_existences_build(s->snap, s->rules, threads, tmp, &lives);
  for (size_t i = 0; i < s->snap->n_rows; i++) {
    const era_in_world *e =
        era_in(s, &windows, hm_world_find_by_row(s->snap, s->rules->worlds, (uint32_t)i, scratch));
    if (e->has)
      s->rows[i] = is_of_era(s, i, e->world, &e->window, &lives);
    hm_arena_reset(scratch);
  }
  hm_arena_free(scratch);
  hm_arena_free(tmp);
}

static int take_rows(hm_sweep_scope *s, const hm_claims *claims, int threads, hm_err *err) {
  const hm_snapshot *snap = s->snap;
  hm_project_fit fit = { HM_EMPTY, HM_EMPTY };
  s->rows = hm_alloc_array(s->a, snap->n_rows, sizeof *s->rows);
  hm_map_init(&s->slots, s->a, 16);
  if (s->kind == SCOPE_ENTITY) {
    s->entity = hm_snapshot_row(snap, HM_ENTITY, s->name);
    if (s->entity == HM_MAP_NONE)
      return fail_entity(s, err);
    take_entity(s, claims);
  } else if (s->kind == SCOPE_PROJECT) {
    s->project = hm_snapshot_project(snap, s->name, s->a, &fit);
    if (s->project == HM_MAP_NONE)
      return fail_project(s, &fit, err);
    for (size_t i = 0; i < snap->n_rows; i++)
      s->rows[i] = is_of_project(s, i);
  } else {
    hm_str era = era_named(s);
    if (!era.n)
      return fail_era(s, err);
    take_era(s, era, threads);
  }
  return 0;
}

int hm_sweep_read_scope(hm_str text, const hm_rules *rules, int threads, hm_arena *a, hm_sweep *w,
                        hm_err *err) {
  hm_sweep_scope *s = hm_alloc(a, sizeof *s);
  *s = (hm_sweep_scope){
    .snap = w->snap, .rules = rules, .entity = HM_MAP_NONE, .project = HM_MAP_NONE, .a = a
  };
  if (read_text(text, &s->kind, &s->name, err))
    return -1;
  if (s->kind == SCOPE_ALL)
    return 0;
  w->scope = s;
  return take_rows(s, w->claims, threads, err);
}

/* --- membership --------------------------------------------------------------------- */

/* A conflict keeps its project as that was spelled. */
static bool is_its_project(const hm_sweep_scope *s, hm_str id) {
  if (s->project == HM_MAP_NONE)
    return false;
  const hm_project *p = &s->snap->projects[s->project];
  bool same = hm_str_eq(id, p->id);
  for (size_t i = 0; i < p->n_aliases && !same; i++)
    same = hm_str_eq(id, p->aliases[i]);
  return same;
}

static bool has_conflict(const hm_sweep_scope *s, const hm_conflict_rec *c) {
  if (hm_map_get(&s->slots, c->slot_key) != HM_MAP_NONE || is_its_project(s, c->project))
    return true;
  for (size_t i = 0; i < c->n_members; i++) {
    uint32_t row = hm_snapshot_row(s->snap, c->members[i].layer, c->members[i].id);
    if (row != HM_MAP_NONE && s->rows[row])
      return true;
  }
  return false;
}

static bool has_dispute(const hm_sweep_scope *s, const hm_dispute *d) {
  if (hm_map_get(&s->slots, d->slot_key) != HM_MAP_NONE || d->project == s->project)
    return true;
  for (size_t i = 0; i < d->n; i++)
    if (s->rows[d->parties[i].claim->row])
      return true;
  return false;
}

static bool has_finding(const hm_sweep_scope *s, const hm_finding *f) {
  if (is_its_project(s, f->project))
    return true;
  for (size_t i = 0; i < f->n_rows; i++) {
    uint32_t row = hm_snapshot_ref(s->snap, HM_ENTITY, f->rows[i]);
    if (row != HM_MAP_NONE && s->rows[row])
      return true;
  }
  return false;
}

/* --- what is shown ----------------------------------------------------------------------- */

static void keep_conflicts(const hm_sweep_scope *s, const hm_disputes *d, hm_plan *p) {
  hm_conflict_rec *conflicts = hm_alloc_array(s->a, p->n_conflicts, sizeof *conflicts);
  size_t n = 0;
  p->opened = p->updated = 0;
  for (size_t i = 0; i < p->n; i++) {
    if (!has_conflict(s, &p->changes[i].rec))
      continue;
    bool opens = p->changes[i].kind == HM_CHANGE_OPEN || p->changes[i].kind == HM_CHANGE_REOPEN;
    *(opens ? &p->opened : &p->updated) += 1;
    p->changes[n++] = p->changes[i];
  }
  p->n = n;
  p->quiet = 0;
  for (size_t i = 0; i < d->n; i++)
    p->quiet += has_dispute(s, &d->disputes[i]);
  n = 0;
  for (size_t i = 0; i < p->n_conflicts; i++) {
    const hm_dispute *of = p->disputes[i];
    p->quiet -= of && has_dispute(s, of);
    if (!has_conflict(s, &p->conflicts[i]))
      continue;
    conflicts[n] = p->conflicts[i];
    p->disputes[n++] = of;
  }
  p->conflicts = conflicts;
  p->n_conflicts = n;
}

void hm_sweep_keep_scope(hm_sweep *w) {
  size_t n = 0;
  if (!w->scope)
    return;
  keep_conflicts(w->scope, w->disputes, w->plan);
  hm_finding *findings = hm_alloc_array(w->scope->a, w->n_findings, sizeof *findings);
  w->n_acked = 0;
  for (size_t i = 0; i < w->n_findings; i++) {
    if (!has_finding(w->scope, &w->findings[i]))
      continue;
    w->n_acked += w->findings[i].acked;
    findings[n++] = w->findings[i];
  }
  w->findings = findings;
  w->n_findings = n;
}
