/* Walks from the members of a conflict to what they are part of; lists which rows superseded which
 * by a conflict. */
#include "core/review/conflict_filter.h"

#include <stdlib.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/sort.h"
#include "core/claim/belongs.h"
#include "core/claim/slot.h"
#include "core/prose/attribute_names.h"

enum { SHOWN = 60 };
typedef enum { UNKNOWN = 0, UNDER_WAY, NOTHING_TO_DO, CONCERNED } answer;

struct hm_conflict_subject {
  const hm_snapshot *snap;
  hm_belongs *belongs;
  hm_arena *a;
  hm_str text;
  uint32_t *rows;
  size_t n;                     /* that are meant */
  hm_str name;                  /* folded; what is meant is a name */
  hm_str attributes[HM_OF_ALL]; /* the one name of such an attribute */
  unsigned char *answers;       /* by row */
  uint32_t *queue;
  size_t n_queue;
};

/* --- meaning of the text --------------------------------------------------------- */

static void mean(hm_conflict_subject *q, uint32_t row) {
  if (row == HM_MAP_NONE)
    return;
  q->rows[q->n++] = row;
  q->answers[row] = CONCERNED;
}

static void mean_name(hm_conflict_subject *q, hm_str text) {
  const hm_snapshot *s = q->snap;
  q->name = hm_text_fold_name(q->a, text);
  for (hm_attribute_of of = 0; of < HM_OF_ALL; of++)
    q->attributes[of] = hm_attribute_one_name(q->a, q->name, of);
  hm_arena *tmp = hm_arena_new();
  for (size_t i = s->first[HM_ENTITY]; i < s->first[HM_ENTITY + 1] && q->name.n; i++) {
    if (hm_str_eq(hm_text_fold_name(tmp, s->rows[i].name), q->name))
      mean(q, (uint32_t)i);
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
}

hm_conflict_subject *hm_conflict_subject_new(const hm_snapshot *snap, hm_str text, hm_arena *a) {
  hm_conflict_subject *q = hm_alloc(a, sizeof *q);
  *q = (hm_conflict_subject){ .snap = snap, .a = a, .text = hm_str_dup(a, text), .name = HM_EMPTY };
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
  q->belongs = hm_belongs_new(snap, &(hm_belongs_filter){ 0 }, a);
  return q;
}

static bool is_slot_name(const hm_conflict_subject *q, hm_str name) {
  bool is = hm_str_eq(name, q->name);
  for (size_t i = 0; i < HM_OF_ALL; i++)
    is = is || hm_str_eq(name, q->attributes[i]);
  return is;
}

int hm_conflict_subject_check_known(const hm_conflict_subject *q, const hm_claims *claims,
                                    hm_err *err) {
  size_t i = 0;
  while (claims && i < claims->n && !is_slot_name(q, claims->claims[i].name))
    i++;
  if (q->n || (claims && i < claims->n))
    return 0;
  hm_str shown = hm_text_cut(q->text, SHOWN);
  return hm_fail(err, HM_E_UNKNOWN, hm_str_fmt(q->a, "'%.*s'", HM_FMT(shown)).p,
                 "no row is that, and no conflict concerns it",
                 "give a row (kind:id or id), or the name of an entity");
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

/* A step up from a row. */
static bool climb_step(void *ctx, uint32_t row, hm_str name, hm_belonging how) {
  hm_conflict_subject *q = ctx;
  (void)how;
  return (name.n && hm_str_eq(name, q->name)) || climb(q, row);
}

/* Whatever was met on the way belongs to nothing that is meant, unless the way leads there: then
 * only its beginning is known to. */
static bool row_concerns(hm_conflict_subject *q, uint32_t row) {
  bool yes = false;
  hm_arena *tmp = hm_arena_new();
  q->n_queue = 0;
  yes = climb(q, row);
  for (size_t i = 0; i < q->n_queue && !yes; i++) {
    yes = hm_belongs_visit(q->belongs, q->queue[i], climb_step, q, tmp);
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

/* A slot, and whether one of the rows that are meant is a part with this name there. */
typedef struct {
  const hm_conflict_subject *q;
  hm_str project;
  hm_arena *tmp;
} slot_name;

static bool is_meant(void *ctx, uint32_t row, hm_str name, hm_belonging how) {
  const slot_name *s = ctx;
  const hm_conflict_subject *q = s->q;
  (void)row, (void)how;
  if (!q->n)
    return is_slot_name(q, name);
  for (size_t i = 0; i < q->n; i++) {
    const hm_row *r = &q->snap->rows[q->rows[i]];
    if (hm_row_is_part(r, s->tmp) && hm_str_eq(q->snap->projects[r->project].id, s->project) &&
        hm_str_eq(hm_text_fold_name(s->tmp, r->name), name))
      return true;
  }
  return false;
}

static bool slot_concerns(const hm_conflict_subject *q, const hm_conflict_rec *c, hm_arena *tmp) {
  const hm_json *key = hm_json_parse_as(tmp, c->slot_key, HM_JSON_ARRAY);
  slot_name s = { q, key && key->child ? key->child->text : HM_EMPTY, tmp };
  return hm_belongs_visit_slot(q->belongs, c->slot_key, is_meant, &s, tmp);
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

bool hm_conflict_has_source(const hm_conflict_rec *c, const hm_map *refs, hm_arena *tmp) {
  size_t i = 0;
  while (i < c->n_members &&
         hm_map_get(refs, hm_ref_text(tmp, c->members[i].layer, c->members[i].id)) == HM_MAP_NONE)
    i++;
  return i < c->n_members;
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
