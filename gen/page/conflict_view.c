/* Conflicts and findings as the mirror shows them: which are published, their files, their times,
 * those of each project, and what else was said in the slots. A conflict is published if one of its
 * sides is.
 *
 * What publish.exclude leaves out, a row or a property that gives a relation its bounds, can be all
 * that says since when claims contradict each other, or until when. Such a time would give it away,
 * so it is shown only where a published claim says it, too. Cost of the times: linear in the
 * claims, and nothing where nothing is left out. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/base/sort.h"
#include "core/claim/claim.h"
#include "core/claim/relation.h"
#include "core/detect/conflict.h"
#include "core/record/given.h"
#include "view_private.h"

bool hm_view_window_shown(const hm_view *v, const hm_window *w) {
  return !(w->of_props && v->hides_bounds) && hm_view_window_end_shown(v, w);
}

static bool shows_all_times(const hm_view *v) {
  return !v->any_hidden && !v->hides_times && !v->hides_bounds;
}

static bool begin_shown(const hm_view *v, const hm_claim *c) {
  return c->when && !(c->when->of_props && v->hides_bounds) && hm_view_bounds_shown(v, c);
}

static hm_time find_shown_since(const hm_view *v, const hm_dispute *d) {
  if (!d)
    return HM_TIME_MIN;
  if (shows_all_times(v))
    return d->since;
  for (size_t i = 0; i < d->n; i++) {
    const hm_claim *c = d->parties[i].claim;
    if (c->stands == d->since && begin_shown(v, c))
      return d->since;
  }
  return HM_TIME_MIN;
}

static bool is_same_bound(const hm_bound *x, const hm_bound *y) {
  return x->known && x->axis == y->axis && x->first == y->first && x->last == y->last;
}

static void set_window_of_dispute(const hm_view *v, hm_vconflict *c) {
  const hm_dispute *d = c->dispute;
  bool from = false, until = false;
  for (size_t i = 0; i < d->n && !(from && until); i++) {
    const hm_claim *x = d->parties[i].claim;
    from |= begin_shown(v, x) && is_same_bound(&x->when->begin, &d->begin);
    until |= begin_shown(v, x) && hm_view_window_shown(v, x->when) &&
        is_same_bound(&x->when->end, &d->end);
  }
  if (!from)
    c->window_from = HM_EMPTY;
  if (!until)
    c->window_until = HM_EMPTY;
}

/* Nothing is contested any more: what was, its members say. The end of a relation may be that of
 * an existence. */
static void set_window_of_record(const hm_view *v, hm_vconflict *c, hm_arena *tmp) {
  bool from = false, until = false;
  if (!c->withheld && !hm_str_is(c->rec->slot_kind, "relation_slot"))
    return;
  for (size_t i = 0; i < c->rec->n_members && !(from && until); i++) {
    const hm_member_rec *m = &c->rec->members[i];
    uint32_t row = hm_snapshot_row(v->snap, m->layer, m->id);
    if (row == HM_NONE || !hm_view_member_shown(v, m, tmp))
      continue;
    const hm_row *r = &v->snap->rows[row];
    hm_str begin = r->valid_from, end = r->valid_until;
    if (r->layer == HM_RELATION && !v->hides_bounds)
      hm_relation_read_bounds(hm_world_find_by_row(v->snap, v->rules->worlds, row, tmp), r, tmp,
                              tmp, &begin, &end);
    from |= hm_str_eq(hm_str_trim(begin), c->window_from);
    until |= hm_str_eq(hm_str_trim(end), c->window_until);
  }
  if (!from)
    c->window_from = HM_EMPTY;
  if (!until)
    c->window_until = HM_EMPTY;
}

/* Sets since and the window of a conflict. */
static void set_times(const hm_view *v, hm_vconflict *c, hm_arena *tmp) {
  c->since = find_shown_since(v, c->dispute);
  c->window_from = c->rec->window_from;
  c->window_until = c->rec->window_until;
  if (shows_all_times(v))
    return;
  if (c->dispute)
    set_window_of_dispute(v, c);
  else
    set_window_of_record(v, c, tmp);
}

/* --- files ----------------------------------------------------------------------- */

static void name_conflicts(hm_view *v, hm_arena *tmp) {
  static const char *const reserved[] = { "readme", "index",    "archive", "newest",
                                          "oldest", "by-layer", NULL };
  uint32_t n = v->n_conflicts;
  hm_named *files = hm_alloc_array(tmp, n + 1, sizeof *files);
  for (uint32_t i = 0; i < n; i++)
    files[i] = (hm_named){ .name = v->conflicts[i].rec->id, .id = v->conflicts[i].rec->id };
  hm_make_slugs(files, n, reserved, v->opt.script, v->a);
  for (uint32_t i = 0; i < n; i++) {
    hm_vconflict *c = &v->conflicts[i];
    c->path = HM_CAT(v->a, HM_STR("conflicts/"), files[i].slug, HM_STR(".md"));
    c->list_key = hm_list_sort_key(v->a, c->title, c->rec->id);
  }
}

/* --- which are published ------------------------------------------------------------------- */

bool hm_conflict_is_settled(const hm_vconflict *c) {
  return c->rec->status == HM_RESOLVED || c->rec->status == HM_DISMISSED;
}

/* Midnight is a date without a time of day more often than it is midnight. Where a row of the pair
 * that it comes from says only a year or month, so does this. */
hm_str hm_format_since(const hm_view *v, const hm_vconflict *c, hm_arena *a) {
  const hm_dispute *d = c->dispute;
  if (c->since == HM_TIME_MIN)
    return HM_EMPTY;
  for (int i = 0; i < 2 && d->first[i]; i++) {
    uint32_t row = d->first[i]->row;
    const hm_row *r = &v->snap->rows[row];
    hm_str text = hm_str_trim(r->valid_from.n ? r->valid_from : hm_row_text_date(v->snap, row));
    hm_time t;
    hm_precision p;
    if (hm_time_parse(text, &t, &p) && p < HM_P_DAY && t == d->since)
      return text;
  }
  hm_str iso = hm_time_iso(a, d->since);
  return hm_str_ends(iso, "T00:00:00Z") ? hm_str_sub(iso, 0, 10) : iso;
}

/* Conflicts are by slot key, so that those of one project come one after another. One is published
 * when a side of it shows: a party while there is a dispute, else a recorded member. */
static void collect_conflicts(hm_view *v, hm_arena *tmp) {
  const hm_plan *plan = v->sweep->plan;
  const hm_conflict_rec *last = NULL;
  uint32_t project = HM_NONE;
  bool known = false;
  v->conflicts = hm_alloc_array(v->a, plan->n_conflicts + 1, sizeof *v->conflicts);
  v->recs = hm_alloc_array(v->a, plan->n_conflicts + 1, sizeof *v->recs);
  hm_map_init(&v->conflict_at, v->a, plan->n_conflicts);
  for (size_t i = 0; i < plan->n_conflicts; i++) {
    const hm_conflict_rec *rec = &plan->conflicts[i];
    const hm_dispute *d = plan->disputes[i];
    if (!last || !hm_str_eq(last->project, rec->project))
      project = hm_view_project(v, rec->project, &known);
    last = rec;
    if (project == HM_NONE && (known || v->opt.exclude.n_projects))
      continue;
    size_t n = d ? d->n : rec->n_members, shown = 0;
    for (size_t k = 0; k < n; k++)
      shown += d ? hm_view_claim_shown(v, d->parties[k].claim, tmp)
                 : hm_view_member_shown(v, &rec->members[k], tmp);
    if (!shown)
      continue;
    v->conflicts[v->n_conflicts] =
        (hm_vconflict){ .rec = rec, .dispute = d, .project = project, .withheld = n - shown };
    set_times(v, &v->conflicts[v->n_conflicts], tmp);
    hm_map_add(&v->conflict_at, rec->id, v->n_conflicts);
    v->recs[v->n_conflicts++] = rec;
  }
}

/* Buckets of indexes by project; those of no project come last. */
static uint32_t *by_project(const hm_view *v, const uint32_t *project, uint32_t n, uint32_t *from,
                            hm_arena *a) {
  uint32_t *out = hm_alloc_array(a, n + 1, sizeof *out);
  memset(from, 0, (v->n_projects + 2) * sizeof *from);
  for (uint32_t i = 0; i < n; i++)
    from[(project[i] == HM_NONE ? v->n_projects : project[i]) + 1]++;
  for (uint32_t p = 0; p <= v->n_projects; p++)
    from[p + 1] += from[p];
  uint32_t *at = hm_alloc_array(a, v->n_projects + 2, sizeof *at);
  memcpy(at, from, (v->n_projects + 2) * sizeof *at);
  for (uint32_t i = 0; i < n; i++)
    out[at[project[i] == HM_NONE ? v->n_projects : project[i]]++] = i;
  return out;
}

static void share_conflicts(hm_view *v, hm_arena *tmp) {
  uint32_t *project = hm_alloc_array(tmp, v->n_conflicts + 1, sizeof *project);
  uint32_t *from = hm_alloc_array(tmp, v->n_projects + 2, sizeof *from);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    project[i] = v->conflicts[i].project;
  v->by_project = by_project(v, project, v->n_conflicts, from, v->a);
  hm_str *keys = hm_alloc_array(tmp, v->n_conflicts + 1, sizeof *keys);
  hm_piece *pieces = hm_alloc_array(tmp, v->n_projects + 1, sizeof *pieces);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    keys[i] = v->conflicts[v->by_project[i]].rec->slot_key;
  for (uint32_t p = 0; p <= v->n_projects; p++)
    pieces[p] = (hm_piece){ .from = from[p], .to = from[p + 1] };
  hm_pieces_sort_naturally(keys, v->by_project, pieces, v->n_projects + 1, tmp);
  for (uint32_t p = 0; p < v->n_projects; p++) {
    hm_vproject *pr = &v->projects[p];
    pr->c_from = from[p];
    pr->c_to = from[p + 1];
    pr->disputed = pr->signoff = 0;
    for (uint32_t i = pr->c_from; i < pr->c_to; i++) {
      const hm_vconflict *c = &v->conflicts[v->by_project[i]];
      pr->disputed += c->dispute != NULL;
      pr->signoff += c->rec->status == HM_OPEN && !c->dispute;
    }
  }
}

static int share_findings(hm_view *v, hm_arena *tmp, hm_err *err) {
  hm_finding *found = v->sweep->findings;
  size_t all = v->sweep->n_findings;
  if (v->any_hidden && hm_view_find_published(v, &found, &all, err))
    return -1;
  uint32_t *project = hm_alloc_array(tmp, all + 1, sizeof *project);
  const hm_finding **shown = hm_alloc_array(tmp, all + 1, sizeof *shown);
  uint32_t *from = hm_alloc_array(tmp, v->n_projects + 2, sizeof *from);
  for (size_t i = 0; i < all; i++) {
    const hm_finding *f = &found[i];
    bool known;
    uint32_t p = hm_view_project(v, f->project, &known);
    if ((p == HM_NONE && (known || v->any_hidden)) || !hm_view_finding_shown(v, f, tmp))
      continue;
    if (f->acked) {
      v->counts.acked++;
      continue;
    }
    project[v->n_findings] = p;
    shown[v->n_findings++] = f;
  }
  uint32_t *order = by_project(v, project, v->n_findings, from, tmp);
  v->findings = hm_alloc_array(v->a, v->n_findings + 1, sizeof *v->findings);
  for (uint32_t i = 0; i < v->n_findings; i++)
    v->findings[i] = shown[order[i]];
  for (uint32_t p = 0; p < v->n_projects; p++) {
    v->projects[p].f_from = from[p];
    v->projects[p].f_to = from[p + 1];
  }
  return 0;
}

int hm_view_build_conflicts(hm_view *v, hm_err *err) {
  hm_arena *tmp = hm_arena_new();
  collect_conflicts(v, tmp);
  hm_view_build_conflict_titles(v);
  name_conflicts(v, tmp);
  share_conflicts(v, tmp);
  int rc = share_findings(v, tmp, err);
  hm_arena_free(tmp);
  return rc;
}

/* --- what else was said in their slots ------------------------------------------------------- */

/* The claims of superseded, invalid and graduated rows there, by the rules of today.
 *
 * Only history rows of projects with a conflict are read, and of their claims only those in a slot
 * that has a conflict are kept. Cost: one look at each row's status, the claims of those history
 * rows, one hash lookup a claim. */

static bool is_history(const hm_view *v, uint32_t row) {
  hm_status s = v->snap->rows[row].status;
  return hm_view_listed(v, row) && (s == HM_SUPERSEDED || s == HM_INVALID || s == HM_GRADUATED);
}

/* What the slot keys of the published conflicts say: a claim with another name, or of another
 * project, is in none. */
typedef struct {
  hm_map projects, names;
} slots;

static void note_slots(const hm_view *v, slots *s, hm_arena *tmp) {
  hm_map_init(&s->projects, tmp, 64);
  hm_map_init(&s->names, tmp, v->n_conflicts);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_json *key = hm_json_parse_as(tmp, v->recs[i]->slot_key, HM_JSON_ARRAY);
    if (!key || !key->child)
      continue;
    hm_map_add(&s->projects, key->child->text, 0);
    for (const hm_json *e = key->child->next; e; e = e->next)
      hm_map_add(&s->names, e->text, 0);
  }
}

/* The history rows of projects that have a conflict. */
static uint32_t *history_rows(const hm_view *v, const slots *s, hm_arena *tmp, size_t *n) {
  uint32_t *rows = hm_alloc_array(tmp, v->snap->n_rows + 1, sizeof *rows);
  bool *wanted = hm_alloc_array(tmp, v->snap->n_projects + 1, sizeof *wanted);
  for (size_t p = 0; p < v->snap->n_projects; p++)
    wanted[p] =
        hm_map_get(&s->projects, hm_text_repair(tmp, v->snap->projects[p].id)) != HM_MAP_NONE;
  *n = 0;
  for (uint32_t i = 0; i < v->snap->n_rows; i++)
    if (!v->rows[i].active && !v->rows[i].candidate && wanted[v->snap->rows[i].project] &&
        is_history(v, i))
      rows[(*n)++] = i;
  return rows;
}

static int by_slot_key(const void *item, const void *key) {
  return hm_order_str(&(*(const hm_conflict_rec *const *)item)->slot_key, key);
}

/* First of the published conflicts of a slot, or HM_NONE. */
static uint32_t slot_at(const hm_view *v, hm_str slot_key) {
  uint32_t lo =
      (uint32_t)hm_lower_bound(v->recs, v->n_conflicts, sizeof *v->recs, &slot_key, by_slot_key);
  return lo < v->n_conflicts && hm_str_eq(v->recs[lo]->slot_key, slot_key) ? lo : HM_NONE;
}

static int by_slot(const void *x, const void *y) {
  const hm_past_claim *a = x, *b = y;
  if (a->slot != b->slot)
    return a->slot < b->slot ? -1 : 1;
  if (a->row != b->row)
    return a->row < b->row ? -1 : 1;
  return hm_str_cmp(a->field, b->field);
}

static void collect_past_claims(hm_view *v, const slots *s, const hm_claims *claims,
                                hm_arena *tmp) {
  hm_arena *of_one = hm_arena_new();
  v->past = hm_alloc_array(tmp, claims->n + 1, sizeof *v->past);
  for (size_t i = 0; i < claims->n; i++) {
    const hm_claim *c = &claims->claims[i];
    if (hm_map_get(&s->names, c->name) == HM_MAP_NONE)
      continue;
    uint32_t slot = slot_at(v, hm_claim_slot_key(of_one, v->snap, c));
    bool shown = slot != HM_NONE && hm_view_claim_shown(v, c, of_one);
    hm_arena_reset(of_one);
    if (!shown)
      continue;
    v->past[v->n_past++] =
        (hm_past_claim){ slot, c->row, hm_str_dup(v->a, c->field), hm_str_dup(v->a, c->value.raw) };
  }
  hm_arena_free(of_one);
  qsort(v->past, v->n_past, sizeof *v->past, by_slot);
  hm_past_claim *kept = hm_alloc_array(v->a, v->n_past + 1, sizeof *kept);
  memcpy(kept, v->past, v->n_past * sizeof *kept);
  v->past = kept;
}

int hm_view_build_past_claims(hm_view *v, hm_err *err) {
  if (v->n_conflicts == 0)
    return 0;
  hm_arena *tmp = hm_arena_new();
  hm_claims *claims = NULL;
  slots s;
  size_t n;
  note_slots(v, &s, tmp);
  const uint32_t *rows = history_rows(v, &s, tmp, &n);
  hm_snapshot snap = *v->snap;
  if (v->sweep->claims)
    snap.lives = v->sweep->claims->lives;
  int rc = n ? hm_claims_read_rows(&snap, v->rules, rows, n, hm_par_cores(), &claims, err) : 0;
  if (claims)
    collect_past_claims(v, &s, claims, tmp);
  hm_claims_free(claims);
  hm_arena_free(tmp);
  return rc;
}

uint32_t hm_view_find_past_claims(const hm_view *v, uint32_t conflict, uint32_t *n) {
  *n = 0;
  if (!v->n_past)
    return 0;
  uint32_t slot = slot_at(v, v->recs[conflict]->slot_key);
  uint32_t lo = (uint32_t)hm_lower_bound(v->past, v->n_past, sizeof *v->past, &slot, hm_order_u32);
  while (lo + *n < v->n_past && v->past[lo + *n].slot == slot)
    ++*n;
  return lo;
}
