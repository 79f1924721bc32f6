/* Walks from the members of a conflict to what they are part of; lists which rows superseded which
 * by a conflict. */
#include "core/review/conflict_filter.h"

#include <stdlib.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/sort.h"
#include "core/claim/side_environment.h"
#include "core/claim/slot.h"

typedef enum { UNKNOWN = 0, UNDER_WAY, NOTHING_TO_DO, CONCERNED } answer;

struct hm_conflict_subject {
  const hm_snapshot *snap;
  const hm_row_graph *graph;
  hm_arena *a;
  hm_str text;
  uint32_t *rows;
  size_t n;               /* that are meant */
  hm_str name;            /* folded; what is meant is a name */
  hm_map parts;           /* project, folded name -> a subsystem or component */
  unsigned char *answers; /* by row */
  uint32_t *queue;
  size_t n_queue;
};

/* --- meaning of the text --------------------------------------------------------- */

static bool is_part(const hm_row *r, hm_arena *a) {
  if (r->layer != HM_ENTITY || r->status == HM_CANDIDATE)
    return false;
  hm_str key = hm_entity_type_key(a, r->type);
  return hm_str_is(key, "subsystem") || hm_str_is(key, "component");
}

static hm_str part_key(hm_arena *a, uint32_t project, hm_str folded) {
  return hm_str_fmt(a, "%u/%.*s", project, HM_FMT(folded));
}

static void mean(hm_conflict_subject *q, uint32_t row) {
  if (row == HM_MAP_NONE)
    return;
  q->rows[q->n++] = row;
  q->answers[row] = CONCERNED;
}

static void mean_name(hm_conflict_subject *q, hm_str text) {
  const hm_snapshot *s = q->snap;
  q->name = hm_text_fold_name(q->a, text);
  hm_arena *tmp = hm_arena_new();
  for (size_t i = s->first[HM_ENTITY]; i < s->first[HM_ENTITY + 1] && q->name.n; i++) {
    if (hm_str_eq(hm_text_fold_name(tmp, s->rows[i].name), q->name))
      mean(q, (uint32_t)i);
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
}

/* --- parts ------------------------------------------------------------------------ */

static void read_parts(hm_conflict_subject *q) {
  const hm_snapshot *s = q->snap;
  hm_arena *tmp = hm_arena_new();
  hm_map_init(&q->parts, q->a, 64);
  for (size_t i = s->first[HM_ENTITY]; i < s->first[HM_ENTITY + 1]; i++) {
    if (is_part(&s->rows[i], tmp))
      hm_map_add(&q->parts,
                 part_key(q->a, s->rows[i].project, hm_text_fold_name(tmp, s->rows[i].name)),
                 (uint32_t)i);
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
}

hm_conflict_subject *hm_conflict_subject_new(const hm_snapshot *snap, hm_str text, hm_arena *a) {
  hm_conflict_subject *q = hm_alloc(a, sizeof *q);
  *q = (hm_conflict_subject){ .snap = snap,
                              .graph = hm_snapshot_graph(snap, 1, a),
                              .a = a,
                              .text = hm_str_dup(a, text),
                              .name = HM_EMPTY };
  q->rows = hm_alloc_array(a, snap->n_rows + HM_RELATION, sizeof *q->rows);
  q->answers = hm_alloc_array(a, snap->n_rows, 1);
  q->queue = hm_alloc_array(a, snap->n_rows, sizeof *q->queue);
  uint32_t row = hm_snapshot_ref(snap, HM_RELATION, text);
  bool in_full = row != HM_MAP_NONE && hm_str_find(text, ":") >= 0;
  if (in_full)
    mean(q, row);
  for (int l = HM_MEMORY; l <= HM_RELATION && !in_full; l++)
    mean(q, hm_snapshot_row(snap, (hm_layer)l, text));
  if (!q->n)
    mean_name(q, text);
  read_parts(q);
  return q;
}

size_t hm_conflict_subject_rows(const hm_conflict_subject *q, const uint32_t **rows) {
  *rows = q->rows;
  return q->n;
}

/* --- upwards from a member -------------------------------------------------- */

/* A row that this one belongs to. True: the answer is yes. */
static bool climb(hm_conflict_subject *q, uint32_t row) {
  if (row == HM_MAP_NONE)
    return false;
  if (q->answers[row] == UNKNOWN) {
    q->answers[row] = UNDER_WAY;
    q->queue[q->n_queue++] = row;
  }
  return q->answers[row] == CONCERNED;
}

/* Follows a name that the row gives for what it belongs to. */
static bool climb_name(hm_conflict_subject *q, uint32_t project, hm_str folded, hm_arena *tmp) {
  if (!folded.n)
    return false;
  if (hm_str_eq(folded, q->name))
    return true;
  return climb(q, hm_map_get(&q->parts, part_key(tmp, project, folded)));
}

static bool climb_props(hm_conflict_subject *q, const hm_row *r, const hm_json *object,
                        hm_arena *tmp) {
  hm_prop *props = hm_alloc_array(tmp, object->count, sizeof *props);
  size_t n = 0;
  hm_entity_slot slot;
  for (const hm_json *v = object->child; v; v = v->next)
    props[n++] = (hm_prop){ hm_text_fold_name(tmp, v->key), v };
  hm_entity_slot_read(&slot, q->snap, NULL, r, props, n, tmp);
  for (size_t i = 0; slot.type && i < slot.n_parts; i++)
    if (climb_name(q, r->project, slot.parts[i], tmp))
      return true;
  for (size_t i = 0; i < n; i++) {
    if (props[i].v->type != HM_JSON_STRING)
      continue;
    uint32_t row = hm_snapshot_row(q->snap, HM_ENTITY, props[i].v->text);
    if (row != HM_MAP_NONE && q->snap->rows[row].project == r->project && climb(q, row))
      return true;
    if (hm_prop_says_part_of(props[i].name) &&
        climb_name(q, r->project, hm_text_fold_name(tmp, props[i].v->text), tmp))
      return true;
  }
  return false;
}

static bool climb_relations(hm_conflict_subject *q, uint32_t row, hm_arena *tmp) {
  const hm_row_graph *g = q->graph;
  for (uint32_t i = g->first[row]; i < g->first[row + 1]; i++) {
    const hm_namer *x = &g->namers[i];
    if (x->by != HM_NAMES_FROM)
      continue;
    const hm_row *r = &q->snap->rows[x->of];
    hm_str type = hm_text_fold_name(tmp, r->type);
    bool belongs = hm_str_is(type, "part_of") || hm_str_is(type, "affects");
    if (belongs && r->status != HM_CANDIDATE && r->status != HM_INVALID &&
        climb(q, g->named[x->of][HM_NAMES_TO]))
      return true;
  }
  return false;
}

static bool climb_row(hm_conflict_subject *q, uint32_t row, hm_arena *tmp) {
  const hm_row *r = &q->snap->rows[row];
  if (climb_relations(q, row, tmp))
    return true;
  if (r->graduated_to.n && climb(q, hm_snapshot_named(q->snap, row, HM_NAMES_GRADUATED_TO)))
    return true;
  if (r->superseded_by.n && is_part(r, tmp) && /* its parts are parts of what took its place */
      climb(q, hm_snapshot_named(q->snap, row, HM_NAMES_SUPERSEDED_BY)))
    return true;
  if (r->layer == HM_RELATION) /* it concerns what it speaks of, and what it says of that */
    return climb(q, hm_snapshot_named(q->snap, row, HM_NAMES_FROM)) ||
        climb(q, hm_snapshot_named(q->snap, row, HM_NAMES_TO));
  if (r->layer != HM_ENTITY)
    return false;
  const hm_json *object = hm_json_parse_as(tmp, hm_str_trim(r->props), HM_JSON_OBJECT);
  return object && climb_props(q, r, object, tmp);
}

/* Whatever was met on the way belongs to nothing that is meant, unless the way leads there: then
 * only its beginning is known to. */
static bool row_concerns(hm_conflict_subject *q, uint32_t row) {
  bool yes = false;
  hm_arena *tmp = hm_arena_new();
  q->n_queue = 0;
  yes = climb(q, row);
  for (size_t i = 0; i < q->n_queue && !yes; i++) {
    yes = climb_row(q, q->queue[i], tmp);
    hm_arena_reset(tmp);
  }
  for (size_t i = 0; i < q->n_queue; i++)
    q->answers[q->queue[i]] = yes ? UNKNOWN : NOTHING_TO_DO;
  if (yes)
    q->answers[row] = CONCERNED;
  hm_arena_free(tmp);
  return yes;
}

/* --- the slot's name --------------------------------------------------------- */

static bool begins_with(hm_str slot, hm_str name) {
  if (!name.n || slot.n < name.n || !hm_str_eq(hm_str_sub(slot, 0, name.n), name))
    return false;
  return slot.n == name.n || slot.p[name.n] == '_';
}

/* Also behind a side environment: "load_test_frame_leg_mass". */
static bool names_part(hm_str slot, hm_str name) {
  bool yes = begins_with(slot, name);
  for (size_t i = 1; i + 1 < slot.n && !yes; i++) {
    hm_str rest = hm_str_sub(slot, i + 1, slot.n);
    yes = slot.p[i] == '_' && begins_with(rest, name) &&
        hm_side_environment(hm_str_sub(slot, 0, i), rest).n == i;
  }
  return yes;
}

static bool slot_concerns(const hm_conflict_subject *q, const hm_conflict_rec *c, hm_arena *tmp) {
  const hm_json *key = hm_json_parse_as(tmp, c->slot_key, HM_JSON_ARRAY);
  if (!key || key->count != 2)
    return false;
  hm_str project = key->child->text, name = key->child->next->text;
  if (!q->n)
    return names_part(name, q->name);
  for (size_t i = 0; i < q->n; i++) {
    const hm_row *r = &q->snap->rows[q->rows[i]];
    if (is_part(r, tmp) && hm_str_eq(q->snap->projects[r->project].id, project) &&
        names_part(name, hm_text_fold_name(tmp, r->name)))
      return true;
  }
  return false;
}

/* A member whose row is gone is found by its former name. */
static bool is_called(const hm_conflict_subject *q, const hm_member_rec *m) {
  hm_layer layer;
  hm_str id;
  bool in_full = hm_ref_parse(q->text, &layer, &id) && layer == m->layer;
  return hm_str_eq(in_full ? id : q->text, m->id);
}

bool hm_conflict_concerns(hm_conflict_subject *q, const hm_conflict_rec *c) {
  for (size_t i = 0; i < c->n_members; i++) {
    if (is_called(q, &c->members[i]))
      return true;
    uint32_t row = hm_snapshot_row(q->snap, c->members[i].layer, c->members[i].id);
    if (row != HM_MAP_NONE && row_concerns(q, row))
      return true;
  }
  hm_arena *tmp = hm_arena_new();
  bool yes = slot_concerns(q, c, tmp);
  hm_arena_free(tmp);
  return yes;
}

bool hm_conflict_has_source(const hm_snapshot *snap, const hm_conflict_rec *c, hm_str source,
                            hm_arena *tmp) {
  for (size_t i = 0; i < c->n_members; i++) {
    const hm_member_rec *m = &c->members[i];
    uint32_t row = hm_snapshot_row(snap, m->layer, m->id);
    hm_str *sources;
    if (row == HM_MAP_NONE)
      continue;
    size_t n = hm_sources_parse(tmp, m->layer, snap->details[row].source_refs, &sources);
    while (n)
      if (hm_str_eq(sources[--n], source))
        return true;
  }
  return false;
}

/* A state with category "decision" is not a Decision. */
static bool is_of_type(const hm_snapshot *snap, uint32_t row, hm_str type, hm_arena *a) {
  const hm_row *r = &snap->rows[row];
  if (!type.n)
    return true;
  return (r->layer == HM_ENTITY || !hm_entity_type_find(type)) &&
      hm_str_eq(hm_entity_type_key(a, r->type), type);
}

static bool gave_way(const hm_snapshot *snap, uint32_t row, uint32_t winner) {
  const hm_row *r = &snap->rows[row];
  return row != winner && r->status == HM_SUPERSEDED &&
      hm_snapshot_named(snap, row, HM_NAMES_SUPERSEDED_BY) == winner;
}

/* A row can be a member by several fields, one after the other. */
static void read_rows(hm_succession *s, const hm_snapshot *snap, hm_str type, hm_arena *a,
                      hm_arena *tmp) {
  const hm_conflict_rec *c = s->conflict;
  s->rows = hm_alloc_array(a, c->n_members, sizeof *s->rows);
  for (size_t i = 0; i < c->n_members; i++) {
    uint32_t row = hm_snapshot_row(snap, c->members[i].layer, c->members[i].id);
    if (row == HM_MAP_NONE || (s->n && s->rows[s->n - 1] == row))
      continue;
    if (gave_way(snap, row, s->winner) && is_of_type(snap, row, type, tmp))
      s->rows[s->n++] = row;
  }
}

size_t hm_successions_collect(const hm_snapshot *snap, const hm_conflict_rec *const *conflicts,
                              size_t n, hm_str type, hm_arena *a, hm_succession **out) {
  size_t found = 0, cap = 0;
  hm_arena *tmp = hm_arena_new();
  type = type.n ? hm_entity_type_key(a, type) : type;
  *out = NULL;
  for (size_t i = 0; i < n; i++) {
    const hm_conflict_rec *c = conflicts[i];
    hm_str *winners;
    size_t n_winners = hm_winners_parse(a, c->winner, &winners);
    for (size_t k = 0; k < n_winners && c->status == HM_RESOLVED; k++) {
      hm_succession s = { .conflict = c, .winner = hm_snapshot_ref(snap, HM_ENTITY, winners[k]) };
      if (s.winner == HM_MAP_NONE || !is_of_type(snap, s.winner, type, tmp))
        continue;
      read_rows(&s, snap, type, a, tmp);
      if (!s.n)
        continue;
      *out = hm_array_grow_in(a, *out, found, &cap, sizeof **out);
      (*out)[found++] = s;
    }
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
  return found;
}
