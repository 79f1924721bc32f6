/* Builds the view from a sweep's result: the rows, each read once; the projects and their folders;
 * and the counts. The order of the steps is that of hm_view_new. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/sort.h"
#include "core/base/time.h"
#include "core/claim/claim.h"
#include "core/claim/silence.h"
#include "view_private.h"

/* --- rows ------------------------------------------------------------------------ */

/* The project whose pages show a row: its own; a relation that names none stands where the row
 * stands that it comes from. */
static uint32_t row_home(const hm_snapshot *snap, uint32_t row) {
  const hm_row *r = &snap->rows[row];
  if (r->layer != HM_RELATION || snap->projects[r->project].id.n)
    return r->project;
  uint32_t from = hm_snapshot_named(snap, row, HM_NAMES_FROM);
  return from == HM_NONE ? r->project : snap->rows[from].project;
}

/* A time in UTC, as nearly all are, has the year that it begins with. */
static uint32_t year_of(const hm_row *r) {
  hm_time t;
  hm_precision p;
  hm_str s = hm_str_trim(r->created_at);
  if (!hm_time_parse(s, &t, &p))
    return HM_UNDATED;
  if (s.p[s.n - 1] == 'Z')
    return (uint32_t)((s.p[0] - '0') * 1000 + (s.p[1] - '0') * 100 + (s.p[2] - '0') * 10 +
                      (s.p[3] - '0'));
  int year = hm_time_year(t);
  return year < 0 || year > HM_UNDATED ? HM_UNDATED : (uint32_t)year;
}

/* Types as written, and folded: types that fold to the same text are one kind. */
typedef struct {
  hm_map written, folded;
} type_names;

static uint32_t type_kind(hm_view *v, type_names *t, hm_str type) {
  uint32_t at = hm_map_get(&t->written, type);
  if (at != HM_NONE)
    return at;
  hm_str key = hm_entity_type_key(v->a, type);
  at = hm_map_add(&t->folded, key, v->n_types);
  if (at == v->n_types) {
    if ((v->n_types & (v->n_types - 1)) == 0)
      v->types = hm_xrealloc(v->types, (2 * (size_t)v->n_types + 1) * sizeof *v->types);
    v->types[v->n_types++] = key;
  }
  return hm_map_add(&t->written, type, HM_KIND_TYPES + at);
}

/* Notes what the view needs of every row, in one pass; and lists the rows of each project. */
static void scan_rows(hm_view *v) {
  size_t n = v->snap->n_rows, projects = v->snap->n_projects;
  hm_arena *tmp = hm_arena_new();
  type_names types;
  hm_map_init(&types.written, tmp, 64);
  hm_map_init(&types.folded, tmp, 64);
  v->rows = hm_alloc_array(v->a, n + 1, sizeof *v->rows);
  v->home_from = hm_alloc_array(v->a, projects + 2, sizeof *v->home_from);
  for (uint32_t i = 0; i < n; i++) {
    const hm_row *r = &v->snap->rows[i];
    v->rows[i] =
        (hm_view_row){ .home = row_home(v->snap, i),
                       .kind = r->layer == HM_MEMORY ? HM_KIND_YEARS + year_of(r)
                           : r->layer == HM_ENTITY   ? type_kind(v, &types, r->type)
                           : r->layer == HM_STATE    ? HM_KIND_STATE
                                                     : HM_KIND_RELATIONS,
                       .candidate = r->status == HM_CANDIDATE,
                       .active = r->status == HM_ACTIVE,
                       .odd_id = !hm_is_plain_id(r->id),
                       .refers = r->superseded_by.n || r->graduated_to.n || r->from.n || r->to.n,
                       .may_be_long = hm_view_may_be_long(v, i) };
    v->home_from[v->rows[i].home + 1]++;
    v->n_odd_ids += v->rows[i].odd_id;
    v->n_maybe_long += v->rows[i].may_be_long;
  }
  uint32_t *at = hm_alloc_array(tmp, projects + 1, sizeof *at);
  for (size_t p = 0; p < projects; p++)
    at[p + 1] = v->home_from[p + 1] += v->home_from[p];
  v->homes = hm_alloc_array(v->a, n + 1, sizeof *v->homes);
  for (uint32_t i = 0; i < n; i++)
    v->homes[at[v->rows[i].home]++] = i;
  hm_str *kept = hm_alloc_array(v->a, v->n_types + 1, sizeof *kept);
  if (v->n_types)
    memcpy(kept, v->types, v->n_types * sizeof *kept);
  free(v->types);
  v->types = kept;
  hm_arena_free(tmp);
}

/* --- projects -------------------------------------------------------------------- */

typedef struct {
  hm_str key, id;
  uint32_t snap;
} keyed;

static hm_str label_of(const hm_project *p) {
  if (p->name.n)
    return p->name;
  return p->id.n ? p->id : HM_STR("Global facts");
}

static int by_key(const void *x, const void *y) {
  const keyed *a = x, *b = y;
  int c = hm_str_natural_cmp(a->key, b->key);
  return c ? c : hm_str_natural_cmp(a->id, b->id);
}

/* An undeclared project exists only through its published rows. */
static bool has_rows(const hm_view *v, uint32_t project) {
  uint32_t i = v->home_from[project], end = v->home_from[project + 1];
  while (i < end && v->hidden[v->homes[i]])
    i++;
  return i < end;
}

static void list_projects(hm_view *v) {
  /* "global" is the folder of the project that has no id. */
  static const char *const reserved[] = { "readme", "index", "global", NULL };
  hm_arena *tmp = hm_arena_new();
  keyed *k = hm_alloc_array(tmp, v->snap->n_projects + 1, sizeof *k);
  uint32_t n = 0, n_names = 0;
  for (uint32_t i = 0; i < v->snap->n_projects; i++) {
    const hm_project *p = &v->snap->projects[i];
    bool shown = v->project_of[i] != HM_NONE && (p->declared || has_rows(v, i));
    v->project_of[i] = HM_NONE;
    if (shown)
      k[n++] = (keyed){ hm_text_fold_name(tmp, label_of(p)), p->id, i };
  }
  qsort(k, n, sizeof *k, by_key);
  v->n_projects = n;
  v->projects = hm_alloc_array(v->a, n + 1, sizeof *v->projects);
  hm_named *names = hm_alloc_array(tmp, n + 1, sizeof *names);
  for (uint32_t i = 0; i < n; i++) {
    hm_vproject *p = &v->projects[i];
    p->snap = k[i].snap;
    p->label = label_of(&v->snap->projects[k[i].snap]);
    p->list_key = hm_list_sort_key(v->a, p->label, k[i].id);
    v->project_of[k[i].snap] = i;
    const hm_project *x = &v->snap->projects[k[i].snap];
    hm_str came = x->declared ? HM_EMPTY : HM_CAT(tmp, HM_STR("later "), x->came);
    if (k[i].id.n)
      names[n_names++] = (hm_named){ .name = k[i].id,
                                     .id = k[i].id,
                                     .order = hm_address_order(tmp, came, x->created_at, x->id) };
  }
  hm_make_slugs(names, n_names, reserved, v->opt.script, tmp);
  for (uint32_t i = 0, next = 0; i < n; i++)
    v->projects[i].dir = HM_CAT(v->a, HM_STR("projects/"),
                                k[i].id.n ? names[next++].slug : HM_STR("global"), HM_STR("/"));
  hm_arena_free(tmp);
}

/* --- counts ----------------------------------------------------------------------- */

static bool is_shown(void *ctx, const hm_claim *c) {
  const hm_view *v = ctx;
  hm_arena *tmp = v->any_hidden ? hm_arena_new() : NULL;
  bool shown = !tmp || hm_view_claim_shown(v, c, tmp);
  if (tmp)
    hm_arena_free(tmp);
  return shown;
}

/* Counts gaps; rows that are left out neither make a gap nor fill one. */
static void count_gaps(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  hm_gap *gaps;
  size_t n;
  hm_gaps_collect(v->snap, v->sweep->claims, is_shown, v, tmp, &gaps, &n);
  for (size_t i = 0; i < n; i++) {
    uint32_t p = v->project_of[gaps[i].project];
    if (p == HM_NONE)
      continue;
    v->projects[p].gaps++;
    v->counts.gaps++;
  }
  hm_arena_free(tmp);
}

static void add_compared(hm_compared *to, const hm_compared *c) {
  to->values += c->values;
  to->places += c->places;
  to->memories += c->memories;
  to->unread += c->unread;
}

/* A claim of what is published; tmp is for one claim. */
typedef struct {
  const hm_view *v;
  hm_arena *tmp;
} publishing;

static bool is_published(void *ctx, const hm_claim *c) {
  const publishing *p = ctx;
  bool shown = hm_view_claim_shown(p->v, c, p->tmp);
  hm_arena_reset(p->tmp);
  return shown;
}

/* Counts what was compared of what is published. */
static void count_compared(hm_view *v) {
  hm_arena *a = hm_arena_new();
  publishing p = { v, hm_arena_new() };
  const hm_compared *c = hm_compared_count(v->snap, v->sweep->claims, v->hidden,
                                           v->any_hidden ? is_published : NULL, &p, a);
  for (size_t i = 0; i < v->snap->n_projects; i++) {
    if (v->project_of[i] == HM_NONE)
      continue;
    add_compared(&v->projects[v->project_of[i]].compared, &c[i]);
    add_compared(&v->counts.compared, &c[i]);
  }
  hm_arena_free(p.tmp);
  hm_arena_free(a);
}

static void count_all(hm_view *v) {
  hm_view_counts *n = &v->counts;
  n->projects = v->n_projects;
  n->findings = v->n_findings;
  for (uint32_t p = 0; p < v->n_projects; p++) {
    n->candidates += v->projects[p].candidates;
    for (int l = HM_MEMORY; l <= HM_RELATION; l++)
      n->rows[l] += v->projects[p].active[l];
  }
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_vconflict *c = &v->conflicts[i];
    n->resolved += c->rec->status == HM_RESOLVED;
    n->dismissed += c->rec->status == HM_DISMISSED;
    n->open_conflicts += c->rec->status == HM_OPEN;
    n->disputed += c->dispute != NULL;
    n->signoff += c->rec->status == HM_OPEN && !c->dispute;
  }
  count_gaps(v);
  count_compared(v);
}

static hm_view_options with_defaults(const hm_view_options *opt) {
  hm_view_options o = *opt;
  if (!o.list_limit)
    o.list_limit = 150;
  if (!o.value_limit)
    o.value_limit = 2000;
  if (!o.title.n)
    o.title = HM_STR("Human Mirror");
  return o;
}

int hm_view_new(const hm_sweep *sweep, const hm_rules *rules, const hm_view_options *opt,
                hm_arena *a, hm_view **out, hm_err *err) {
  hm_view *v = hm_alloc(a, sizeof *v);
  *v = (hm_view){
    .sweep = sweep, .snap = sweep->snap, .rules = rules, .opt = with_defaults(opt), .a = a
  };
  v->project_of = hm_alloc_array(a, v->snap->n_projects + 1, sizeof *v->project_of);
  if (hm_view_build_exclusions(v, err))
    return -1;
  hm_view_build_sources(v);
  hm_view_hide_values(v);
  scan_rows(v);
  hm_view_build_existences(v);
  list_projects(v);
  hm_view_build_groups(v);
  hm_view_mark_same_names(v);
  hm_view_build_edges(v);
  if (hm_view_build_conflicts(v, err))
    return -1;
  hm_view_build_marks(v);
  hm_view_build_finding_rows(v);
  hm_view_build_parts(v);
  hm_view_build_anchors(v);
  hm_view_build_subsystems(v);
  hm_view_build_entities(v);
  hm_view_measure_graphs(v);
  if (hm_view_build_past_claims(v, err))
    return -1;
  hm_view_build_long_values(v);
  hm_view_build_finding_lists(v, a);
  count_all(v);
  *out = v;
  return 0;
}

const hm_view_options *hm_view_get_options(const hm_view *v) { return &v->opt; }
const hm_view_counts *hm_view_get_counts(const hm_view *v) { return &v->counts; }
const hm_sweep *hm_view_sweep(const hm_view *v) { return v->sweep; }
const bool *hm_view_hidden_rows(const hm_view *v) { return v->hidden; }

const hm_conflict_rec **hm_view_conflicts(const hm_view *v, size_t *n) {
  *n = v->n_conflicts;
  return v->recs;
}

hm_str hm_view_project_path(const hm_view *v, hm_str id, hm_arena *a) {
  bool known;
  uint32_t p = hm_view_project(v, id, &known);
  return p == HM_NONE ? HM_EMPTY : hm_str_fmt(a, "%.*sREADME.md", HM_FMT(v->projects[p].dir));
}

const hm_finding **hm_view_findings(const hm_view *v, size_t *n) {
  *n = v->n_findings;
  return v->findings;
}

static int by_conflict(const void *item, const void *key) {
  return hm_conflict_order(*(const hm_conflict_rec *const *)item, key);
}

/* Most often it is one of the plan's, and none before it is left out. */
static const hm_vconflict *published(const hm_view *v, const hm_conflict_rec *c) {
  uintptr_t first = (uintptr_t)v->sweep->plan->conflicts,
            guess = ((uintptr_t)c - first) / sizeof *c;
  if ((uintptr_t)c >= first && guess < v->n_conflicts && v->recs[guess] == c)
    return &v->conflicts[guess];
  size_t at = hm_lower_bound(v->recs, v->n_conflicts, sizeof *v->recs, c, by_conflict);
  return at < v->n_conflicts && hm_str_eq(v->recs[at]->id, c->id) ? &v->conflicts[at] : NULL;
}

hm_str hm_view_conflict_path(const hm_view *v, const hm_conflict_rec *c, hm_arena *a) {
  const hm_vconflict *p = published(v, c);
  return p ? hm_str_dup(a, p->path) : HM_EMPTY;
}

hm_str hm_conflict_title(const hm_view *v, const hm_conflict_rec *c, hm_arena *a) {
  const hm_vconflict *p = published(v, c);
  return p ? hm_str_dup(a, p->title) : HM_EMPTY;
}
