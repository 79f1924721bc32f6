/* Rules about missing ties: relations that a row should be an end of, and other unknown facts.
 *
 * One pass finds by the type of each row which rules are about it, read it, or end a search there.
 * A search goes by the graph of rows. A project uses the kinds of a rule if it has such a relation.
 * A project is a world if it has a word of worlds, or no sign against one: no memories, no states,
 * no engineering types. So a store with only one person is a world, and a contact among parts and
 * requirements is in none. Cost: O(rows + relations). */
#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/value/rules.h"
#include "core/claim/slot.h"
#include "core/claim/world.h"
#include "core/detect/rule.h"
#include "core/detect/rule_driver.h"

enum { CLIMB_MAX = 64 };

/* Types and kinds that only worlds have. */
static const char *const WORLD_WORDS[] = {
  "battle",       "creature",    "deity",      "dynasty",        "era",           "faction",
  "kingdom",      "magicsystem", "prophecy",   "spell",          "descendedfrom", "existedduring",
  "founded",      "holdsoffice", "occurredat", "occurredduring", "parentof",      "participatedin",
  "partofsystem", "possesses",   "rules",      "spouseof",       "witnessed",     NULL
};

/* What a type says to each rule, as sets of rules. */
typedef struct {
  uint32_t about, kind, goal, sign;
  bool world, other; /* speaks for a world, against one */
} type_words;

typedef struct {
  uint32_t used;
  bool world, other;
} project_words;

struct hm_ties {
  const hm_snapshot *snap;
  const hm_row_graph *graph;
  const hm_rule *rules[HM_TIES_RULES_MAX];
  int n;
  uint32_t *sets, *goals; /* by row: rules that are about it, or look at it if it has two ends; goal
                           * there */
  project_words *projects;
};

/* --- what types say --------------------------------------------------------------------- */

static bool has(const char *const *list, hm_str key) {
  while (list && *list && !hm_str_is(key, *list))
    list++;
  return list && *list;
}

static type_words words_of(const hm_ties *t, bool relation, hm_str name, hm_arena *a) {
  hm_str key = hm_entity_type_key(a, name);
  const hm_entity_type *type = relation ? NULL : hm_entity_type_find(key);
  type_words w = { .world = has(WORLD_WORDS, key), .other = type && !type->silent };
  for (int i = 0; i < t->n; i++) {
    const hm_gap_rule *g = t->rules[i]->gap;
    uint32_t bit = 1u << i;
    if (relation && has(g->kinds, key))
      w.kind |= bit;
    if (relation)
      continue;
    if (has(t->rules[i]->types, key))
      w.about |= bit;
    if (has(g->goals, key))
      w.goal |= bit;
    if (has(g->signs, key))
      w.sign |= bit;
  }
  return w;
}

/* Types are few, so each is compared with the table once. */
static void read_types(hm_ties *t) {
  const hm_snapshot *snap = t->snap;
  hm_arena *a = hm_arena_new();
  hm_map at[2]; /* of entities, of relations: type -> its place in words */
  type_words *words = NULL;
  size_t n = 0, cap = 0;
  for (int k = 0; k < 2; k++)
    hm_map_init(&at[k], a, 64);
  for (size_t i = 0; i < snap->n_rows; i++) {
    const hm_row *row = &snap->rows[i];
    project_words *project = &t->projects[row->project];
    bool active = row->status == HM_ACTIVE, relation = row->layer == HM_RELATION;
    if (row->layer == HM_MEMORY || row->layer == HM_STATE) {
      project->other = project->other || active;
      continue;
    }
    uint32_t place = hm_map_get(&at[relation], row->type);
    if (place == HM_MAP_NONE) {
      place = (uint32_t)n++;
      words = hm_array_grow_in(a, words, place, &cap, sizeof *words);
      words[place] = words_of(t, relation, row->type, a);
      hm_map_add(&at[relation], row->type, place);
    }
    const type_words *w = &words[place];
    t->goals[i] = w->goal;
    if (!active)
      continue;
    bool ends = !relation || (hm_str_trim(row->from).n && hm_str_trim(row->to).n);
    t->sets[i] = ends ? w->about | w->kind : 0;
    project->used |= w->kind | w->sign;
    project->world = project->world || w->world;
    project->other = project->other || w->other;
  }
  hm_arena_free(a);
}

/* --- all ---------------------------------------------------------------------------------- */

hm_ties *hm_ties_build(const hm_snapshot *snap, const hm_row_graph *graph,
                       const hm_rule_table *table, hm_arena *a) {
  hm_ties *t = hm_alloc(a, sizeof *t);
  *t = (hm_ties){ .snap = snap, .graph = graph };
  for (size_t i = 0; i < table->n && t->n < HM_TIES_RULES_MAX; i++)
    if (table->rules[i].by == HM_BY_TIES)
      t->rules[t->n++] = &table->rules[i];
  if (!t->n)
    return NULL;
  t->sets = hm_alloc_array(a, snap->n_rows, sizeof *t->sets);
  t->goals = hm_alloc_array(a, snap->n_rows, sizeof *t->goals);
  t->projects = hm_alloc_array(a, snap->n_projects, sizeof *t->projects);
  read_types(t);
  return t;
}

const hm_rule *hm_ties_next_rule(const hm_ties *t, uint32_t row, int *at) {
  while (*at < t->n && !(t->sets[row] >> *at & 1))
    ++*at;
  return *at < t->n ? t->rules[(*at)++] : NULL;
}

/* --- what a rule asks ------------------------------------------------------------------- */

/* By ties: does a relation answer for the scope's row? */
static bool is_tied(const hm_scope *s, uint32_t bit) {
  const hm_ties *t = s->ties;
  const hm_row_graph *graph = t->graph;
  const hm_gap_rule *g = s->rule->gap;
  uint32_t seen[CLIMB_MAX];
  size_t n = 0;
  seen[n++] = s->rows[0];
  for (size_t at = 0; at < n; at++)
    for (uint32_t i = graph->first[seen[at]]; i < graph->first[seen[at] + 1]; i++) {
      const hm_namer *x = &graph->namers[i];
      hm_tied_end end = x->by == HM_NAMES_FROM ? HM_TIED_FROM : HM_TIED_TO;
      if (x->by > HM_NAMES_TO || !(t->sets[x->of] & bit) || !(g->end & end))
        continue;
      uint32_t other = graph->named[x->of][x->by == HM_NAMES_FROM ? HM_NAMES_TO : HM_NAMES_FROM];
      if (other == seen[at])
        continue;
      if (!g->goals || other == HM_MAP_NONE || t->goals[other] & bit)
        return true;
      size_t k = 0;
      while (k < n && seen[k] != other)
        k++;
      bool leads_on = other < t->snap->first[HM_RELATION] && t->sets[other] & bit;
      if (k < n || !leads_on)
        continue;
      if (n == CLIMB_MAX)
        return true;
      seen[n++] = other;
    }
  return false;
}

/* --- the rules ------------------------------------------------------------------------- */

/* Finding gaps: a person without parents, an event without a place.
 *
 * A gap is a row of a table: the type of rows, the relations and properties that answer, and what
 * is unknown without an answer. Only active rows are checked, and only active relations and values
 * that are not silence ("unknown", "?") answer; an answer that leads out of the store counts. A
 * location that is part of a place in a region lies in that region. An event with a date has no gap
 * if its project names no eras, or its world has a calendar that knows the era. Gaps of worlds are
 * reported if the row's project is a world or has a calendar in world.yml; gaps of engineering if
 * the project uses such relations.
 * Cost: the relations of a row, and its properties.
 * Source: lore consistency engine, category D. */

/* --- does a property answer? -------------------------------------------------------------- */

/* Not null, not empty, and no word of silence; of a list, any element. */
static bool says_something(const hm_scope *s, const hm_json *v) {
  if (v->type == HM_JSON_ARRAY || v->type == HM_JSON_OBJECT) {
    const hm_json *e = v->child;
    while (e && !says_something(s, e))
      e = e->next;
    return e != NULL;
  }
  if (v->type == HM_JSON_STRING)
    return hm_str_trim(v->text).n && !hm_value_is_silence(v->text, s->config, s->scratch);
  return v->type != HM_JSON_NULL;
}

/* Properties that cannot be read may answer; rule row/properties tells of them. */
static bool is_answered(const hm_scope *s, const hm_row *row, bool dates) {
  const hm_gap_rule *g = s->rule->gap;
  hm_str text = hm_str_trim(row->props);
  if (!text.n)
    return false;
  const hm_json *object = hm_json_parse_as(s->scratch, text, HM_JSON_OBJECT);
  if (!object)
    return true;
  for (const hm_json *p = object->child; p; p = p->next) {
    hm_str name = hm_text_fold_name(s->scratch, p->key);
    bool asked = has(g->props, name) || (g->is_answer && g->is_answer(name)) ||
        (dates && has(g->dates, name));
    if (asked && says_something(s, p))
      return true;
  }
  return false;
}

void hm_find_gap(const hm_scope *s, hm_found *out) {
  const hm_gap_rule *g = s->rule->gap;
  const hm_row *row = &s->snap->rows[s->rows[0]];
  const hm_ties *t = s->ties;
  const project_words *words = &t->projects[row->project];
  hm_str project = s->snap->projects[row->project].id;
  int place = 0;
  while (t->rules[place] != s->rule)
    place++;
  bool used = words->used >> place & 1;
  bool world = words->world || !words->other;
  if ((g->where == HM_WHERE_USED && !used) || is_tied(s, 1u << place))
    return;
  bool calendar = hm_world_find(s->config->worlds, project, row->props, s->scratch) != NULL;
  if (g->where == HM_IN_WORLDS && !calendar && !world)
    return;
  if (is_answered(s, row, !used || calendar))
    return;
  hm_arena *a = hm_found_arena(out);
  hm_finding f = { .project = project, .rows = hm_alloc(a, sizeof *f.rows), .n_rows = 1 };
  hm_str named = row->name.n ? HM_CAT(a, HM_STR(" ("), row->name, HM_STR(")")) : HM_EMPTY;
  f.rows[0] = hm_row_ref(a, row);
  f.message = HM_CAT(a, f.rows[0], named, HM_STR(": we do not know "), hm_str_c(g->unknown));
  hm_found_add_finding(out, f);
}

/* --- a gap of a whole type ---------------------------------------------------------------- */

/* The rows of a rule's type in a project, and the gaps that were found of them. */
typedef struct {
  size_t rows, found;
  hm_finding *whole; /* the one finding that takes their place */
} gap_group;

static gap_group *group_of(const hm_ties *t, gap_group *groups, const hm_finding *f) {
  for (int i = 0; i < t->n; i++)
    if (hm_str_is(f->rule, t->rules[i]->name) && f->n_rows == 1) {
      uint32_t row = hm_snapshot_ref(t->snap, HM_ENTITY, f->rows[0]);
      return row == HM_MAP_NONE ? NULL : &groups[t->snap->rows[row].project * t->n + i];
    }
  return NULL;
}

/* The id goes by rule, project and type: a row more of that kind is no other finding. */
static hm_finding *add_whole(const hm_ties *t, const hm_finding *first, size_t n, hm_arena *a) {
  const hm_row *row = &t->snap->rows[hm_snapshot_ref(t->snap, HM_ENTITY, first->rows[0])];
  int place = 0;
  while (!hm_str_is(first->rule, t->rules[place]->name))
    place++;
  hm_finding_list one = { .a = a };
  hm_finding f = *first;
  f.id = HM_EMPTY;
  f.n_rows = 0;
  f.key = HM_CAT(a, first->project, HM_STR("\x1f"), first->key);
  f.message = hm_str_fmt(a, "of none of the %zu rows of type %.*s do we know %s", n,
                         HM_FMT(row->type), t->rules[place]->gap->unknown);
  hm_finding_add(&one, f);
  one.v->rows = hm_alloc_array(a, n, sizeof *one.v->rows);
  return one.v;
}

size_t hm_gaps_fold(const hm_ties *t, hm_finding *f, size_t n, hm_arena *a) {
  gap_group *groups = hm_alloc_array(a, t->snap->n_projects * t->n + 1, sizeof *groups);
  for (size_t i = 0; i < t->snap->first[HM_RELATION]; i++)
    for (int k = 0; k < t->n; k++)
      groups[t->snap->rows[i].project * t->n + k].rows += t->sets[i] >> k & 1;
  for (size_t i = 0; i < n; i++) {
    gap_group *g = group_of(t, groups, &f[i]);
    if (g)
      g->found++;
  }
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    gap_group *g = group_of(t, groups, &f[i]);
    if (!g || g->found < HM_GAP_WHOLE || g->found < g->rows) {
      f[kept++] = f[i];
      continue;
    }
    if (!g->whole)
      g->whole = add_whole(t, &f[i], g->found, a);
    g->whole->rows[g->whole->n_rows++] = f[i].rows[0];
  }
  for (size_t i = 0; i < t->snap->n_projects * t->n; i++) {
    if (!groups[i].whole)
      continue;
    qsort(groups[i].whole->rows, groups[i].found, sizeof *groups[i].whole->rows, hm_order_str);
    f[kept++] = *groups[i].whole;
  }
  return kept;
}
