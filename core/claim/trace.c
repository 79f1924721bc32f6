/* Impact and evidence: trace.h.
 *
 * A breadth-first walk of the graph of rows reaches each row by a shortest path, of equally short
 * ones the first by (row, word, via), so the same store gives the same result. Which properties
 * name an entity is no part of that graph: for impact, one pass over the entities collects it. */
#include "core/claim/trace.h"

#include <stdlib.h>
#include <string.h>

#include "core/claim/slot.h"
#include "core/base/sort.h"

/* What a relation says of its ends, by hm_entity_type_key of its type; sorted. touch: a change of
 * one end reaches the other one. ground: one end is evidence for, or the basis of, the other. */
enum { FORWARD = 1, BACKWARD = 2, BOTH = 3 }; /* from -> to; to -> from */
typedef struct {
  const char *word;
  int touch;
  int ground; /* FORWARD: the from end is ground for the to end */
  hm_trace_meaning meaning;
} word;
static const word WORDS[] = {
  { "affectedby", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "affectedbydecision", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "affects", FORWARD, FORWARD, HM_TRACE_BASIS },
  { "analyzedby", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "assumes", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "basedon", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "basedonassumption", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "caused", FORWARD, FORWARD, HM_TRACE_BASIS },
  { "causedby", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "constrainedby", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "contradicts", 0, FORWARD, HM_TRACE_CONTRADICTS },
  { "dependson", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "derivedfrom", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "evidencedby", BACKWARD, BACKWARD, HM_TRACE_SUPPORTS },
  { "evidences", FORWARD, FORWARD, HM_TRACE_SUPPORTS },
  { "invalidates", FORWARD, FORWARD, HM_TRACE_CONTRADICTS },
  { "produced", FORWARD, FORWARD, HM_TRACE_BASIS },
  { "producedby", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "proves", FORWARD, FORWARD, HM_TRACE_SUPPORTS },
  { "refutes", FORWARD, FORWARD, HM_TRACE_CONTRADICTS },
  { "relieson", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "replacedby", 0, FORWARD, HM_TRACE_REPLACED },
  { "replaces", 0, BACKWARD, HM_TRACE_REPLACED },
  { "requires", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "restson", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "resultof", BACKWARD, BACKWARD, HM_TRACE_BASIS },
  { "satisfiedby", BOTH, BACKWARD, HM_TRACE_SUPPORTS },
  { "satisfies", BOTH, FORWARD, HM_TRACE_SUPPORTS },
  { "supersededby", 0, FORWARD, HM_TRACE_REPLACED },
  { "supersedes", 0, BACKWARD, HM_TRACE_REPLACED },
  { "supportedby", BACKWARD, BACKWARD, HM_TRACE_SUPPORTS },
  { "supports", FORWARD, FORWARD, HM_TRACE_SUPPORTS },
  { "usesmaterial", BACKWARD, 0, HM_TRACE_TOUCHES },
  { "validatedby", BACKWARD, BACKWARD, HM_TRACE_SUPPORTS },
  { "validates", FORWARD, FORWARD, HM_TRACE_SUPPORTS },
};
static const word UNKNOWN = { "", BOTH, 0, HM_TRACE_TOUCHES };

/* --- the row ----------------------------------------------------------------------------- */

int hm_trace_find_row(const hm_snapshot *snap, hm_str text, hm_arena *a, uint32_t *row,
                      hm_err *err) {
  hm_str said = hm_str_trim(text);
  const char *what = hm_str_fmt(a, "row '%.60s'", hm_str_z(a, said)).p;
  uint32_t found[2] = { HM_MAP_NONE, HM_MAP_NONE };
  size_t n = 0;
  *row = hm_str_find(said, ":") > 0 ? hm_snapshot_ref(snap, HM_ENTITY, said) : HM_MAP_NONE;
  if (*row != HM_MAP_NONE)
    return 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    uint32_t at = hm_snapshot_row(snap, (hm_layer)l, said);
    if (at != HM_MAP_NONE && n < 2)
      found[n++] = at;
  }
  for (size_t i = snap->first[HM_ENTITY]; i < snap->first[HM_ENTITY + 1] && n < 2; i++)
    if (said.n && snap->rows[i].status == HM_ACTIVE && hm_str_eq(snap->rows[i].name, said))
      if (!n || found[0] != i)
        found[n++] = (uint32_t)i;
  if (n == 1)
    return *row = found[0], 0;
  if (!n)
    return hm_fail(err, HM_E_UNKNOWN, what, "there is no such row",
                   "give kind:id (entity:e1), an id, or the name of an entity");
  return hm_failf(err, HM_E_UNKNOWN, what, "give one of them as kind:id", "it may be %s or %s",
                  hm_row_ref(a, &snap->rows[found[0]]).p, hm_row_ref(a, &snap->rows[found[1]]).p);
}

/* --- steps ------------------------------------------------------------------------------- */

/* A way to go from the row that the walk is at. */
typedef struct {
  uint32_t to, via; /* via: the row of a relation, or HM_MAP_NONE */
  hm_trace_meaning meaning;
  hm_str word;
  bool reverse;
} step;

/* A property of this entity that names another. */
typedef struct {
  uint32_t named, row;
} naming;

typedef struct {
  const hm_snapshot *snap;
  const hm_row_graph *graph;
  bool evidence;
  hm_arena *a, *scratch;
  naming *namings; /* by named; for impact alone */
  size_t n_namings, cap_namings;
  uint32_t at;
  step *v;
  size_t n, cap;
} walking;

static void add_step(walking *e, uint32_t to, uint32_t via, hm_trace_meaning meaning, hm_str text,
                     bool reverse) {
  if (e->at == to)
    return;
  e->v = hm_array_grow_in(e->a, e->v, e->n, &e->cap, sizeof *e->v);
  e->v[e->n++] = (step){ to, via, meaning, text, reverse };
}

/* What "from says word of to" lets one walk. A change goes with the arrow, a question for evidence
 * against it. */
static void add_said(walking *e, uint32_t from, uint32_t to, uint32_t via, hm_str type) {
  if (from == HM_MAP_NONE || to == HM_MAP_NONE)
    return;
  const char *key = hm_str_z(e->scratch, hm_entity_type_key(e->scratch, type));
  const word *w = bsearch(key, WORDS, HM_COUNT(WORDS), sizeof *WORDS, hm_order_name);
  if (!w)
    w = &UNKNOWN;
  hm_arena_reset(e->scratch);
  int ways = e->evidence ? w->ground : w->touch;
  hm_trace_meaning meaning = e->evidence ? w->meaning : HM_TRACE_TOUCHES;
  bool out = e->at == from, turned = out == e->evidence;
  if (ways & (turned ? BACKWARD : FORWARD))
    add_step(e, out ? to : from, via, meaning, type, !out);
}

static bool counts(const walking *e, uint32_t row) {
  return e->evidence || e->snap->rows[row].status == HM_ACTIVE;
}

/* The entities that this one's properties name, in out; returns their number. */
static size_t list_named(walking *e, uint32_t row, uint32_t out[HM_ELEMENTS_MAX]) {
  hm_str ids[HM_ELEMENTS_MAX];
  size_t n = hm_claim_input_ids(&e->snap->rows[row], ids, e->scratch), named = 0;
  for (size_t i = 0; i < n; i++) {
    out[named] = hm_snapshot_row(e->snap, HM_ENTITY, ids[i]);
    named += out[named] != HM_MAP_NONE;
  }
  hm_arena_reset(e->scratch);
  return named;
}

static int by_named(const void *x, const void *y) {
  const naming *a = x, *b = y;
  return (a->named > b->named) - (a->named < b->named);
}

/* An entity is touched by a change of those that its properties name. */
static void read_namings(walking *e) {
  const hm_snapshot *s = e->snap;
  for (size_t i = s->first[HM_ENTITY]; i < s->first[HM_ENTITY + 1]; i++) {
    uint32_t named[HM_ELEMENTS_MAX];
    size_t n = counts(e, (uint32_t)i) ? list_named(e, (uint32_t)i, named) : 0;
    for (size_t k = 0; k < n; k++) {
      e->namings =
          hm_array_grow_in(e->a, e->namings, e->n_namings, &e->cap_namings, sizeof *e->namings);
      e->namings[e->n_namings++] = (naming){ named[k], (uint32_t)i };
    }
  }
  if (e->n_namings)
    qsort(e->namings, e->n_namings, sizeof *e->namings, by_named);
}

/* And rests on them. */
static void add_named(walking *e) {
  uint32_t named[HM_ELEMENTS_MAX];
  size_t n = e->snap->rows[e->at].layer == HM_ENTITY ? list_named(e, e->at, named) : 0;
  for (size_t i = 0; i < n; i++)
    add_step(e, named[i], HM_MAP_NONE, HM_TRACE_BASIS, HM_STR("property"), false);
}

static void add_naming(walking *e) {
  const naming key = { .named = e->at };
  const naming *x =
      e->n_namings ? bsearch(&key, e->namings, e->n_namings, sizeof key, by_named) : NULL;
  while (x && x > e->namings && x[-1].named == e->at)
    x--;
  for (; x && x < e->namings + e->n_namings && x->named == e->at; x++)
    add_step(e, x->row, HM_MAP_NONE, HM_TRACE_TOUCHES, HM_STR("property"), true);
}

static int by_end(const void *x, const void *y) {
  const step *a = x, *b = y;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  int c = hm_str_cmp(a->word, b->word);
  return c ? c : (a->via > b->via) - (a->via < b->via);
}

/* The steps from a row, in order. */
static void list_steps(walking *e, uint32_t row) {
  const hm_row_graph *g = e->graph;
  e->at = row;
  e->n = 0;
  for (uint32_t i = g->first[row]; i < g->first[row + 1]; i++) {
    const hm_namer *x = &g->namers[i];
    const hm_row *r = x->by < HM_N_NAMES ? &e->snap->rows[x->of] : NULL;
    if (!r)
      add_said(e, g->ends[x->of][0], g->ends[x->of][1], HM_MAP_NONE, e->snap->links[x->of].rel);
    else if (x->by <= HM_NAMES_TO && r->status == HM_ACTIVE)
      add_said(e, g->named[x->of][HM_NAMES_FROM], g->named[x->of][HM_NAMES_TO], x->of, r->type);
    else if (x->by > HM_NAMES_TO && e->evidence)
      add_step(e, x->of, HM_MAP_NONE, HM_TRACE_REPLACED,
               x->by == HM_NAMES_SUPERSEDED_BY ? HM_STR("superseded_by") : HM_STR("graduated_to"),
               true);
  }
  (e->evidence ? add_named : add_naming)(e);
  if (e->n)
    qsort(e->v, e->n, sizeof *e->v, by_end);
}

/* --- the walk ------------------------------------------------------------------------------ */

static int by_depth(const void *x, const void *y) {
  const hm_trace_step *a = x, *b = y;
  if (a->depth != b->depth)
    return a->depth - b->depth;
  return (a->row > b->row) - (a->row < b->row);
}

static void trace(const hm_snapshot *snap, uint32_t row, int depth, bool evidence, hm_arena *a,
                  hm_trace *out) {
  hm_arena *tmp = hm_arena_new();
  walking e = { .snap = snap,
                .graph = hm_snapshot_graph(snap, 1, tmp),
                .evidence = evidence,
                .a = tmp,
                .scratch = hm_arena_new() };
  bool *seen = hm_alloc_array(tmp, snap->n_rows, sizeof *seen);
  hm_trace_step *v = hm_alloc_array(a, HM_TRACE_MOST, sizeof *v);
  size_t next = 0;
  uint32_t at = row;
  int done = 0;
  *out = (hm_trace){ .row = row, .steps = v };
  seen[row] = true;
  if (!evidence)
    read_namings(&e);
  for (;;) {
    if (done < depth)
      list_steps(&e, at);
    for (size_t i = 0; i < e.n && done < depth; i++) {
      const step *x = &e.v[i];
      if (seen[x->to] || !counts(&e, x->to))
        continue;
      if (out->n == HM_TRACE_MOST) {
        out->cut = true;
        break;
      }
      seen[x->to] = true;
      hm_str via = x->via == HM_MAP_NONE ? HM_EMPTY : hm_row_ref(a, &snap->rows[x->via]);
      v[out->n++] = (hm_trace_step){ .row = x->to,
                                     .from = at,
                                     .depth = done + 1,
                                     .meaning = x->meaning,
                                     .word = x->word,
                                     .reverse = x->reverse,
                                     .via = via };
    }
    if (next == out->n)
      break;
    at = v[next].row;
    done = v[next++].depth;
  }
  if (out->n)
    qsort(v, out->n, sizeof *v, by_depth);
  hm_arena_free(e.scratch);
  hm_arena_free(tmp);
}

void hm_trace_impact(const hm_snapshot *snap, uint32_t row, int depth, hm_arena *a, hm_trace *out) {
  trace(snap, row, depth, false, a, out);
}

void hm_trace_evidence(const hm_snapshot *snap, uint32_t row, int depth, hm_arena *a,
                       hm_trace *out) {
  trace(snap, row, depth, true, a, out);
}

/* --- as JSON --------------------------------------------------------------------------- */

/* A trace as it is written. */
typedef struct {
  const hm_snapshot *snap;
  hm_row_tell *tell;
  const void *ctx;
  hm_jw *w;
  hm_arena *a;
} writer;

static void put_row(const writer *o, uint32_t row) {
  const hm_row *r = &o->snap->rows[row];
  hm_jw *w = o->w;
  hm_str ref = hm_row_ref(o->a, r);
  hm_jw_str(w, "row", ref);
  hm_jw_str(w, "type", r->type);
  hm_jw_str(w, "name", r->name);
  hm_jw_str(w, "status", hm_str_c(hm_status_name(r->status)));
  o->tell(o->ctx, ref, w);
}

static void put_step(const writer *o, const hm_trace_step *t) {
  hm_jw *w = o->w;
  put_row(o, t->row);
  hm_jw_int(w, "depth", t->depth);
  hm_jw_str(w, "from", hm_row_ref(o->a, &o->snap->rows[t->from]));
  hm_jw_str(w, "relation", t->word);
  hm_jw_str(w, "direction", t->reverse ? HM_STR("incoming") : HM_STR("outgoing"));
  hm_jw_str_or_null(w, "via", t->via);
}

hm_str *hm_trace_refs(const hm_snapshot *snap, const hm_trace *t, hm_arena *a, size_t *n) {
  hm_str *refs = hm_alloc_array(a, t->n + 1, sizeof *refs);
  refs[0] = hm_row_ref(a, &snap->rows[t->row]);
  for (size_t i = 0; i < t->n; i++)
    refs[i + 1] = hm_row_ref(a, &snap->rows[t->steps[i].row]);
  *n = t->n + 1;
  return refs;
}

void hm_impact_json(const hm_snapshot *snap, const hm_trace *t, int depth, hm_row_tell *tell,
                    const void *ctx, hm_jw *w, hm_arena *a) {
  const writer o = { snap, tell, ctx, w, a };
  put_row(&o, t->row);
  hm_jw_int(w, "depth", depth);
  hm_jw_arr(w, "touches");
  for (size_t i = 0; i < t->n; i++) {
    hm_jw_obj(w, NULL);
    put_step(&o, &t->steps[i]);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_int(w, "count", (int64_t)t->n);
  hm_jw_bool(w, "cut", t->cut);
}

/* --- evidence ------------------------------------------------------------------------------ */

size_t hm_trace_sources(const hm_snapshot *snap, uint32_t row, hm_arena *a, hm_str **out) {
  hm_str refs = snap->details ? hm_str_trim(snap->details[row].source_refs) : HM_EMPTY;
  hm_json *list = NULL;
  size_t n = 0;
  *out = hm_alloc(a, sizeof **out);
  if (!refs.n)
    return 0;
  if (*refs.p != '[' || hm_json_parse(a, refs, &list, NULL))
    return **out = refs, 1;
  *out = hm_alloc_array(a, list->count, sizeof **out);
  for (const hm_json *v = list->child; v; v = v->next)
    if (v->text.n)
      (*out)[n++] = v->text;
  return n;
}

/* Conflicts in which it is a member, open and settled. */
static void put_conflicts(const hm_snapshot *s, uint32_t row, hm_jw *w) {
  const hm_row *r = &s->rows[row];
  hm_jw_arr(w, "conflicts");
  for (size_t i = 0; i < s->n_conflicts; i++) {
    const hm_conflict_rec *c = &s->conflicts[i];
    size_t k = 0;
    while (k < c->n_members &&
           (c->members[k].layer != r->layer || !hm_str_eq(c->members[k].id, r->id)))
      k++;
    if (k == c->n_members)
      continue;
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "id", c->id);
    hm_jw_str(w, "status", hm_str_c(hm_verdict_name(c->status)));
    hm_jw_str_or_null(w, "winner", c->winner);
    hm_jw_str_or_null(w, "resolution", c->resolution);
    hm_jw_str_or_null(w, "resolved_by", c->resolved_by);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static void put_grounds(const hm_snapshot *s, uint32_t row, hm_jw *w, hm_arena *a) {
  hm_str *sources;
  size_t n = hm_trace_sources(s, row, a, &sources);
  hm_jw_strs(w, "sources", sources, n);
  if (s->details && s->details[row].hand_authored)
    hm_jw_bool(w, "hand_authored", true);
  put_conflicts(s, row, w);
}

void hm_evidence_json(const hm_snapshot *snap, const hm_trace *t, int depth, hm_row_tell *tell,
                      const void *ctx, hm_jw *w, hm_arena *a) {
  const writer o = { snap, tell, ctx, w, a };
  put_row(&o, t->row);
  put_grounds(snap, t->row, w, a);
  hm_jw_int(w, "depth", depth);
  static const char *const meanings[] = { "touches", "supports", "contradicts", "basis",
                                          "replaced" };
  hm_jw_arr(w, "rests_on");
  for (size_t i = 0; i < t->n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "meaning", hm_str_c(meanings[t->steps[i].meaning]));
    put_step(&o, &t->steps[i]);
    put_grounds(snap, t->steps[i].row, w, a);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_int(w, "count", (int64_t)t->n);
  hm_jw_bool(w, "cut", t->cut);
}
