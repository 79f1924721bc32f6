/* Entities with their own pages: their paths and relations, and when they existed.
 *
 * An active subsystem has a subsystem page. Every other listed entity with an active relation has
 * an entity page. Relations are sorted by kind and direction, then by the time at which they begin.
 * Cost: for all pages together a sort of the edges. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "view_private.h"

enum { LABEL_CUT = 200 };

/* --- subsystems ------------------------------------------------------------------------------ */

/* Active Subsystem rows of each project have pages of their own. By number, since a list is in this
 * order or in that. */
void hm_view_build_subsystems(hm_view *v) {
  static const char *const reserved[] = { "readme", "index", NULL };
  hm_arena *tmp = hm_arena_new();
  int64_t all = 0;
  for (uint32_t i = 0; i < v->n_groups; i++)
    if (v->groups[i].layer == HM_ENTITY && hm_str_is(v->groups[i].key, "subsystem"))
      all += v->groups[i].active;
  v->subsystems = hm_alloc_array(v->a, (size_t)all + 1, sizeof *v->subsystems);
  v->subsystem_path = hm_alloc_array(v->a, (size_t)all + 1, sizeof *v->subsystem_path);
  hm_map_init(&v->subsystem_at, v->a, (size_t)all);
  for (uint32_t p = 0; p < v->n_projects; p++) {
    const hm_group *g = hm_view_group(v, p, HM_ENTITY, HM_STR("subsystem"));
    uint32_t from = v->projects[p].s_from = v->n_subsystems;
    for (uint32_t i = g ? g->from : 0; g && i < g->to; i++)
      if (v->rows[v->listed[i]].active)
        v->subsystems[v->n_subsystems++] = v->listed[i];
    uint32_t n = v->n_subsystems - from;
    v->projects[p].s_to = v->n_subsystems;
    qsort(v->subsystems + from, n, sizeof *v->subsystems, hm_order_u32);
    hm_named *names = hm_alloc_array(tmp, n + 1, sizeof *names);
    for (uint32_t i = 0; i < n; i++) {
      const hm_row *r = &v->snap->rows[v->subsystems[from + i]];
      names[i] = (hm_named){ .name = r->name.n ? r->name : r->id,
                             .id = r->id,
                             .order = hm_view_address_order(v, v->subsystems[from + i], tmp) };
    }
    hm_make_slugs(names, n, reserved, v->opt.script, tmp);
    for (uint32_t i = 0; i < n; i++) {
      v->subsystem_path[from + i] =
          HM_CAT(v->a, v->projects[p].dir, HM_STR("subsystems/"), names[i].slug, HM_STR(".md"));
      hm_map_add(&v->subsystem_at, names[i].id, from + i);
    }
  }
  hm_arena_free(tmp);
}

hm_str hm_view_subsystem_path(const hm_view *v, uint32_t row) {
  if (v->snap->rows[row].layer != HM_ENTITY || v->hidden[row])
    return HM_EMPTY;
  uint32_t i = hm_map_get(&v->subsystem_at, v->snap->rows[row].id);
  return i == HM_NONE ? HM_EMPTY : v->subsystem_path[i];
}

/* --- when they existed ----------------------------------------------------------------------- */

/* A property that shows a time is left out. */
static bool hides_times(const hm_view *v) {
  size_t n;
  const hm_time_word *words = hm_time_words(&n);
  hm_arena *tmp = v->n_props ? hm_arena_new() : NULL;
  bool hides = false;
  for (size_t i = 0; tmp && i < n && !hides; i++)
    hides = hm_view_prop_hidden(v, hm_str_c(words[i].name), tmp);
  hm_arena_free(tmp);
  return hides;
}

/* A property that may give a relation its bounds is left out. */
static bool hides_bounds(const hm_view *v) {
  hm_arena *tmp = v->n_props ? hm_arena_new() : NULL;
  bool hides = false;
  const char *word;
  for (size_t i = 0; tmp && !hides && (word = hm_relation_bound_word(i)); i++)
    hides = hm_view_prop_hidden(v, hm_str_c(word), tmp);
  hm_arena_free(tmp);
  return hides;
}

void hm_view_build_existences(hm_view *v) {
  const hm_snapshot *s = v->snap;
  const hm_claims *claims = v->sweep->claims;
  if (claims && claims->lives)
    v->existences = *claims->lives;
  else if (s->first[HM_RELATION] < s->first[HM_RELATION + 1])
    hm_existences_build(s, v->rules, hm_par_cores(), v->a, &v->existences);
  v->hides_times = hides_times(v);
  v->hides_bounds = hides_bounds(v);
}

/* Where rows are left out, only what the entity itself says counts: eras and relations may be
 * among them. */
uint32_t hm_view_find_existence_windows(const hm_view *v, uint32_t row, const hm_window **out,
                                        bool *happened) {
  const hm_existence *x = hm_existence_find(&v->existences, row);
  *happened = false;
  if (!x || v->hides_times || v->reduced[row])
    return 0;
  if (v->any_hidden) {
    *out = x->stated;
    return x->stated && !x->by_era && !x->happened;
  }
  *happened = x->happened;
  *out = x->happened ? x->happened : x->windows;
  return x->happened ? 1 : x->n;
}

bool hm_view_window_end_shown(const hm_view *v, const hm_window *w) {
  const hm_existence *x = hm_existence_ending_window(&v->existences, w);
  if (!w->ends_with || (!v->any_hidden && !v->hides_times))
    return true;
  uint32_t row = (uint32_t)(v->snap->first[HM_ENTITY] + w->ends_with - 1);
  return x && !v->hides_times && hm_view_row_is_whole(v, row) && x->windows == x->stated;
}

bool hm_view_find_row_window(const hm_view *v, uint32_t row, hm_arena *scratch, hm_window *out) {
  const hm_row *r = &v->snap->rows[row];
  if (!r->valid_from.n && !r->valid_until.n)
    return false;
  const hm_world *world = hm_world_find_by_row(v->snap, v->rules->worlds, row, scratch);
  return hm_window_parse(world, r->valid_from, r->valid_until, HM_TIME_MAX, out) == HM_WINDOW_OK;
}

/* --- which have pages ------------------------------------------------------------------------ */

static bool is_relation_edge(const hm_edge *e) {
  return e->kind == HM_EDGE_REL_OUT || e->kind == HM_EDGE_REL_IN;
}

static bool has_times(const hm_view *v, uint32_t row) {
  const hm_window *w;
  bool happened;
  if (hm_view_find_existence_windows(v, row, &w, &happened))
    return true;
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++) {
    if (!is_relation_edge(&v->edges[i]))
      continue;
    const hm_row *r = &v->snap->rows[v->edges[i].via];
    if (r->valid_from.n || r->valid_until.n)
      return true;
  }
  return false;
}

/* "projects/p/entities/person.md" has "projects/p/entities/person/aldric.md" below it. */
static void name_group(hm_view *v, const hm_group *g, uint32_t from, hm_arena *tmp) {
  static const char *const reserved[] = { "readme", "index", NULL };
  uint32_t n = v->n_entities - from;
  hm_named *names = hm_alloc_array(tmp, n + 1, sizeof *names);
  for (uint32_t i = 0; i < n; i++) {
    const hm_row *r = &v->snap->rows[v->entities[from + i].row];
    names[i] = (hm_named){ .name = r->name.n ? r->name : r->id,
                           .id = r->id,
                           .order = hm_view_address_order(v, v->entities[from + i].row, tmp) };
  }
  hm_make_slugs(names, n, reserved, v->opt.script, tmp);
  for (uint32_t i = 0; i < n; i++)
    v->entities[from + i].path = HM_CAT(v->a, hm_str_sub(g->path, 0, g->path.n - 3), HM_STR("/"),
                                        names[i].slug, HM_STR(".md"));
}

void hm_view_build_entities(hm_view *v) {
  const hm_snapshot *s = v->snap;
  size_t first = s->first[HM_ENTITY], all = s->first[HM_ENTITY + 1] - first;
  hm_arena *tmp = hm_arena_new();
  v->entities = hm_alloc_array(tmp, all + 1, sizeof *v->entities);
  v->entity_at = hm_alloc_array(v->a, all + 1, sizeof *v->entity_at);
  memset(v->entity_at, 0xff, (all + 1) * sizeof *v->entity_at);
  for (uint32_t g = 0; g < v->n_groups; g++) {
    uint32_t from = v->n_entities;
    if (v->groups[g].layer != HM_ENTITY)
      continue;
    for (uint32_t i = v->groups[g].from; i < v->groups[g].to; i++) {
      uint32_t row = v->listed[i], n = 0;
      for (uint32_t e = v->edge_from[row]; e < v->edge_from[row + 1]; e++)
        n += is_relation_edge(&v->edges[e]);
      if (!n || hm_view_subsystem_path(v, row).n)
        continue;
      v->entity_at[row - first] = v->n_entities;
      v->entities[v->n_entities++] = (hm_ventity){ .row = row, .n = n, .timed = has_times(v, row) };
    }
    name_group(v, &v->groups[g], from, tmp);
  }
  hm_ventity *kept = hm_alloc_array(v->a, v->n_entities + 1, sizeof *kept);
  memcpy(kept, v->entities, v->n_entities * sizeof *kept);
  v->entities = kept;
  hm_arena_free(tmp);
}

hm_str hm_view_entity_path(const hm_view *v, uint32_t row) {
  const size_t *first = v->snap->first;
  if (!v->n_entities || row < first[HM_ENTITY] || row >= first[HM_ENTITY + 1])
    return HM_EMPTY;
  uint32_t at = v->entity_at[row - first[HM_ENTITY]];
  return at == HM_NONE ? HM_EMPTY : v->entities[at].path;
}

/* --- their relations ------------------------------------------------------------------------- */

int hm_relation_item_kind_cmp(const hm_relation_item *a, const hm_relation_item *b) {
  if (a->edge->kind != b->edge->kind)
    return a->edge->kind == HM_EDGE_REL_OUT ? -1 : 1;
  return hm_str_cmp(a->type, b->type);
}

static int by_place(const void *x, const void *y) {
  const hm_relation_item *a = x, *b = y;
  int d = hm_relation_item_kind_cmp(a, b);
  if (d)
    return d;
  if (a->begins != b->begins)
    return a->begins < b->begins ? -1 : 1;
  d = hm_str_natural_cmp(a->label, b->label);
  return d ? d : (a->edge->via > b->edge->via) - (a->edge->via < b->edge->via);
}

const hm_relation_item *hm_view_list_relations(const hm_view *v, const hm_ventity *e, hm_arena *a,
                                               size_t *count) {
  hm_relation_item *all = hm_alloc_array(a, e->n + 1, sizeof *all);
  hm_window w;
  size_t n = 0;
  for (uint32_t i = v->edge_from[e->row]; i < v->edge_from[e->row + 1]; i++) {
    const hm_edge *edge = &v->edges[i];
    if (!is_relation_edge(edge))
      continue;
    const hm_row *r = &v->snap->rows[edge->via];
    hm_str label = edge->other != HM_NONE ? hm_view_label_source(v, edge->other)
        : edge->kind == HM_EDGE_REL_OUT   ? r->to
                                          : r->from;
    all[n++] =
        (hm_relation_item){ edge, hm_text_fold_name(a, r->type), hm_str_sub(label, 0, LABEL_CUT),
                            hm_view_find_row_window(v, edge->via, a, &w) ? w.may_from
                                                                         : HM_TIME_MIN };
  }
  qsort(all, n, sizeof *all, by_place);
  *count = n;
  return all;
}
