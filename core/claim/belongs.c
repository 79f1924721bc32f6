/* One step up from a row, and from the name of a slot: see belongs.h. Of several parts of one name
 * an active one comes first, then a subsystem, then the first id. */
#include "core/claim/belongs.h"

#include <stdlib.h>

#include "core/base/json.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/claim/side_environment.h"
#include "core/claim/slot.h"
#include "core/prose/attribute_names.h"

/* A subsystem or component by its name. */
typedef struct {
  hm_str name; /* folded */
  uint32_t project, rank, row;
} part;

struct hm_belongs {
  const hm_snapshot *snap;
  const hm_row_graph *graph;
  hm_belongs_filter f;
  part *parts;
  size_t n;
};

bool hm_row_is_part(const hm_row *r, hm_arena *a) {
  if (r->layer != HM_ENTITY || r->status == HM_CANDIDATE)
    return false;
  hm_str key = hm_entity_type_key(a, r->type);
  return hm_str_is(key, "subsystem") || hm_str_is(key, "component");
}

static bool counts(const hm_belongs *b, uint32_t row) {
  return !(b->f.hidden && b->f.hidden[row]) &&
      !(b->f.active && b->snap->rows[row].status != HM_ACTIVE);
}

/* What took the place of a subsystem or component, and so has its parts; the row itself where
 * nothing did. */
static uint32_t successor(const hm_belongs *b, uint32_t row, hm_arena *a) {
  enum { MOST = 20 };
  for (int i = 0; i < MOST && b->snap->rows[row].status != HM_ACTIVE; i++) {
    uint32_t by = b->graph->named[row][HM_NAMES_SUPERSEDED_BY];
    if (by == HM_MAP_NONE || !hm_row_is_part(&b->snap->rows[row], a))
      break;
    row = by;
  }
  return row;
}

static int by_name(const void *x, const void *y) {
  const part *a = x, *b = y;
  if (a->project != b->project)
    return a->project < b->project ? -1 : 1;
  return hm_str_cmp(a->name, b->name);
}

static int by_part(const void *x, const void *y) {
  const part *a = x, *b = y;
  int d = by_name(x, y);
  if (!d)
    d = (a->rank > b->rank) - (a->rank < b->rank);
  return d ? d : (a->row > b->row) - (a->row < b->row);
}

/* 1: a subsystem, 2: a component, 0: neither; of each spelling of a type once. */
static uint32_t kind_of(hm_map *kinds, const hm_row *r, hm_arena *a) {
  uint32_t kind = hm_map_get(kinds, r->type);
  if (kind != HM_MAP_NONE)
    return kind;
  hm_str key = hm_entity_type_key(a, r->type);
  kind = hm_str_is(key, "subsystem") ? 1 : hm_str_is(key, "component") ? 2 : 0;
  hm_map_add(kinds, r->type, kind);
  return kind;
}

hm_belongs *hm_belongs_new(const hm_snapshot *snap, const hm_belongs_filter *f, hm_arena *a) {
  hm_belongs *b = hm_alloc(a, sizeof *b);
  hm_arena *tmp = hm_arena_new();
  hm_map kinds;
  size_t cap = 0;
  *b = (hm_belongs){ .snap = snap, .graph = hm_snapshot_graph(snap, 1, a), .f = *f };
  hm_map_init(&kinds, tmp, 32);
  for (size_t i = snap->first[HM_ENTITY]; i < snap->first[HM_ENTITY + 1]; i++) {
    const hm_row *r = &snap->rows[i];
    uint32_t kind = r->status == HM_CANDIDATE ? 0 : kind_of(&kinds, r, tmp);
    uint32_t row = kind && f->active ? successor(b, (uint32_t)i, tmp) : (uint32_t)i;
    if (!kind || !counts(b, row) || (f->hidden && f->hidden[i]))
      continue;
    b->parts = hm_array_grow_in(a, b->parts, b->n, &cap, sizeof *b->parts);
    b->parts[b->n++] = (part){ .name = hm_text_fold_name(a, r->name),
                               .project = r->project,
                               .rank = 2 * (r->status != HM_ACTIVE) + kind,
                               .row = row };
  }
  hm_arena_free(tmp);
  if (b->n)
    qsort(b->parts, b->n, sizeof *b->parts, by_part);
  return b;
}

const hm_snapshot *hm_belongs_rows(const hm_belongs *b) { return b->snap; }

/* The parts with this name, the first of *n; NULL: there are no parts. */
static const part *parts_named(const hm_belongs *b, uint32_t project, hm_str name, size_t *n) {
  const part key = { .name = name, .project = project };
  *n = 0;
  if (!b->n)
    return NULL;
  size_t from = hm_lower_bound(b->parts, b->n, sizeof *b->parts, &key, by_name), to = from;
  while (to < b->n && !by_name(&b->parts[to], &key))
    to++;
  *n = to - from;
  return b->parts + from;
}

/* --- from a row ------------------------------------------------------------------------------ */

typedef struct {
  const hm_belongs *b;
  hm_belongs_fn *fn;
  void *ctx;
  hm_arena *tmp;
} visit;

static bool meet(const visit *v, uint32_t row, hm_belonging how) {
  if (row != HM_MAP_NONE && v->b->f.active)
    row = successor(v->b, row, v->tmp);
  return row != HM_MAP_NONE && counts(v->b, row) && v->fn(v->ctx, row, HM_EMPTY, how);
}

static bool meet_name(const visit *v, uint32_t project, hm_str name, hm_belonging how) {
  size_t n;
  if (!name.n)
    return false;
  const part *p = parts_named(v->b, project, name, &n);
  return v->fn(v->ctx, n ? p->row : HM_MAP_NONE, name, how);
}

static bool visit_props(const visit *v, const hm_row *r, const hm_json *object) {
  const hm_snapshot *snap = v->b->snap;
  hm_entity_slot slot;
  size_t n = 0;
  hm_prop *props = hm_alloc_array(v->tmp, object->count, sizeof *props);
  for (const hm_json *p = object->child; p; p = p->next)
    if (!v->b->f.prop_hidden || !v->b->f.prop_hidden(v->b->f.ctx, p->key, v->tmp))
      props[n++] = (hm_prop){ hm_text_fold_name(v->tmp, p->key), p };
  hm_entity_slot_read(&slot, snap, NULL, r, props, n, v->tmp);
  for (size_t i = 0; slot.type && i < slot.n_parts; i++) {
    bool within = hm_prop_says_part_of(hm_str_c(slot.type->elements[i]));
    if (meet_name(v, r->project, slot.parts[i], within ? HM_IS_WITHIN : HM_IS_ABOUT))
      return true;
  }
  for (size_t i = 0; i < n; i++) {
    if (props[i].v->type != HM_JSON_STRING)
      continue;
    bool within = hm_prop_says_part_of(props[i].name);
    uint32_t row = hm_snapshot_row(snap, HM_ENTITY, props[i].v->text);
    bool ours = row != HM_MAP_NONE && snap->rows[row].project == r->project;
    if (ours && meet(v, row, within ? HM_IS_WITHIN : HM_HAS_ID_OF))
      return true;
    if (within &&
        meet_name(v, r->project, hm_text_fold_name(v->tmp, props[i].v->text), HM_IS_WITHIN))
      return true;
  }
  return false;
}

static bool visit_relations(const visit *v, uint32_t row) {
  const hm_row_graph *g = v->b->graph;
  for (uint32_t i = g->first[row]; i < g->first[row + 1]; i++) {
    const hm_namer *x = &g->namers[i];
    if (x->by != HM_NAMES_FROM || !counts(v->b, x->of))
      continue;
    const hm_row *r = &v->b->snap->rows[x->of];
    hm_str type = hm_text_fold_name(v->tmp, r->type);
    bool within = hm_str_is(type, "part_of"), about = hm_str_is(type, "affects");
    if ((within || about) && r->status != HM_CANDIDATE && r->status != HM_INVALID &&
        meet(v, g->named[x->of][HM_NAMES_TO], within ? HM_IS_WITHIN : HM_IS_ABOUT))
      return true;
  }
  return false;
}

bool hm_belongs_visit(const hm_belongs *b, uint32_t row, hm_belongs_fn *fn, void *ctx,
                      hm_arena *tmp) {
  const visit v = { b, fn, ctx, tmp };
  const hm_row *r = &b->snap->rows[row];
  if (visit_relations(&v, row))
    return true;
  if (r->graduated_to.n && meet(&v, b->graph->named[row][HM_NAMES_GRADUATED_TO], HM_IS_ABOUT))
    return true;
  if (r->superseded_by.n && hm_row_is_part(r, tmp) &&
      meet(&v, b->graph->named[row][HM_NAMES_SUPERSEDED_BY], HM_IS_WITHIN))
    return true;
  if (r->layer == HM_RELATION)
    return meet(&v, b->graph->named[row][HM_NAMES_FROM], HM_IS_ABOUT) ||
        meet(&v, b->graph->named[row][HM_NAMES_TO], HM_IS_ABOUT);
  if (r->layer != HM_ENTITY)
    return false;
  const hm_json *object = hm_json_parse_as(tmp, hm_str_trim(r->props), HM_JSON_OBJECT);
  return object && visit_props(&v, r, object);
}

/* --- from the name of a slot ----------------------------------------------------------------- */

/* The names with which this begins, the longest first. */
static bool visit_beginnings(const visit *v, uint32_t project, hm_str name, bool *met) {
  for (size_t end = name.n; end > 0; end--) {
    size_t n;
    if (end < name.n && name.p[end] != '_')
      continue;
    hm_str begin = hm_str_sub(name, 0, end);
    const part *p = parts_named(v->b, project, begin, &n);
    if (!n && v->fn(v->ctx, HM_MAP_NONE, begin, HM_IS_ABOUT))
      return true;
    for (size_t i = 0; i < n; i++)
      if (v->fn(v->ctx, p[i].row, begin, *met ? HM_IS_WITHIN : HM_IS_ABOUT))
        return true;
    *met = *met || n;
  }
  return false;
}

bool hm_belongs_visit_slot(const hm_belongs *b, hm_str slot_key, hm_belongs_fn *fn, void *ctx,
                           hm_arena *tmp) {
  const visit v = { b, fn, ctx, tmp };
  const hm_json *key = hm_json_parse_as(tmp, slot_key, HM_JSON_ARRAY);
  bool met = false;
  if (!key || key->count != 2)
    return false;
  hm_str id = key->child->text, name = key->child->next->text;
  const hm_project *p = b->snap->projects;
  size_t n = b->snap->n_projects, at = n ? hm_lower_bound(p, n, sizeof *p, &id, hm_order_str) : 0;
  uint32_t project = at < n && hm_str_eq(p[at].id, id) ? (uint32_t)at : HM_MAP_NONE;
  hm_str behind = hm_attribute_behind_limit(name);
  if (visit_beginnings(&v, project, name, &met) || visit_beginnings(&v, project, behind, &met))
    return true;
  for (size_t i = 1; i + 1 < name.n; i++) {
    hm_str rest = hm_str_sub(name, i + 1, name.n);
    if (name.p[i] == '_' && hm_side_environment(hm_str_sub(name, 0, i), rest).n == i &&
        visit_beginnings(&v, project, rest, &met))
      return true;
  }
  return false;
}
