/* Impact and evidence: trace.h.
 *
 * One pass collects the edges of the snapshot and sorts them by the row that they lead from; a
 * breadth-first walk reaches each row by a shortest path, of equally short ones the first by (row,
 * word, via), so the same store gives the same result. */
#include "core/detect/trace.h"

#include <stdlib.h>
#include <string.h>

#include "core/claim/slot.h"

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

static int by_word(const void *key, const void *entry) {
  return strcmp(key, ((const word *)entry)->word);
}

static const word *word_of(hm_str type, hm_arena *scratch) {
  const char *key = hm_str_z(scratch, hm_entity_type_key(scratch, type));
  const word *w = bsearch(key, WORDS, HM_COUNT(WORDS), sizeof *WORDS, by_word);
  return w ? w : &UNKNOWN;
}

static const char *meaning_name(hm_trace_meaning m) {
  static const char *const names[] = { "touches", "supports", "contradicts", "basis", "replaced" };
  return names[m];
}

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

/* --- edges ------------------------------------------------------------------------------- */

/* A way to go in one step. */
typedef struct {
  uint32_t at, to, via; /* via: the row of a relation, or HM_MAP_NONE */
  hm_trace_meaning meaning;
  hm_str word;
  bool reverse;
} edge;

typedef struct {
  const hm_snapshot *snap;
  bool evidence;
  hm_arena *a, *scratch;
  edge *v;
  size_t n, cap;
} edges;

static void add_edge(edges *e, uint32_t at, uint32_t to, uint32_t via, hm_trace_meaning meaning,
                     hm_str text, bool reverse) {
  if (at == to)
    return;
  e->v = hm_array_grow_in(e->a, e->v, e->n, &e->cap, sizeof *e->v);
  e->v[e->n++] = (edge){ at, to, via, meaning, text, reverse };
}

/* What "from says word of to" lets one walk. */
static void add_said(edges *e, uint32_t from, uint32_t to, uint32_t via, hm_str type) {
  if (from == HM_MAP_NONE || to == HM_MAP_NONE)
    return;
  const word *w = word_of(type, e->scratch);
  hm_arena_reset(e->scratch);
  int ways = e->evidence ? w->ground : w->touch;
  hm_trace_meaning meaning = e->evidence ? w->meaning : HM_TRACE_TOUCHES;
  /* A change goes with the arrow, a question for evidence against it. */
  if (ways & FORWARD)
    add_edge(e, e->evidence ? to : from, e->evidence ? from : to, via, meaning, type, e->evidence);
  if (ways & BACKWARD)
    add_edge(e, e->evidence ? from : to, e->evidence ? to : from, via, meaning, type, !e->evidence);
}

static bool counts(const edges *e, uint32_t row) {
  return e->evidence || e->snap->rows[row].status == HM_ACTIVE;
}

/* An entity rests on those that its properties name, and is touched by a change of them. */
static void add_named(edges *e, uint32_t row) {
  hm_str ids[HM_ELEMENTS_MAX];
  size_t n = hm_claim_input_ids(&e->snap->rows[row], ids, e->scratch);
  for (size_t i = 0; i < n; i++) {
    uint32_t named = hm_snapshot_row(e->snap, HM_ENTITY, ids[i]);
    if (named == HM_MAP_NONE)
      continue;
    add_edge(e, e->evidence ? row : named, e->evidence ? named : row, HM_MAP_NONE,
             e->evidence ? HM_TRACE_BASIS : HM_TRACE_TOUCHES, HM_STR("property"), !e->evidence);
  }
  hm_arena_reset(e->scratch);
}

static void collect(edges *e) {
  const hm_snapshot *s = e->snap;
  for (uint32_t i = 0; i < s->n_rows; i++) {
    const hm_row *r = &s->rows[i];
    if (r->layer == HM_RELATION && r->status == HM_ACTIVE)
      add_said(e, hm_snapshot_named(s, i, HM_NAMES_FROM), hm_snapshot_named(s, i, HM_NAMES_TO), i,
               r->type);
    if (r->layer == HM_ENTITY && counts(e, i))
      add_named(e, i);
    uint32_t next = hm_snapshot_named(s, i, HM_NAMES_SUPERSEDED_BY);
    uint32_t became = hm_snapshot_named(s, i, HM_NAMES_GRADUATED_TO);
    if (next != HM_MAP_NONE && e->evidence)
      add_edge(e, next, i, HM_MAP_NONE, HM_TRACE_REPLACED, HM_STR("superseded_by"), true);
    if (became != HM_MAP_NONE && e->evidence)
      add_edge(e, became, i, HM_MAP_NONE, HM_TRACE_REPLACED, HM_STR("graduated_to"), true);
  }
  for (size_t i = 0; i < s->n_links; i++)
    add_said(e, hm_snapshot_ref(s, HM_MEMORY, s->links[i].src),
             hm_snapshot_ref(s, HM_MEMORY, s->links[i].dst), HM_MAP_NONE, s->links[i].rel);
}

static int by_start(const void *x, const void *y) {
  const edge *a = x, *b = y;
  if (a->at != b->at)
    return a->at < b->at ? -1 : 1;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  int c = hm_str_cmp(a->word, b->word);
  return c ? c : (a->via > b->via) - (a->via < b->via);
}

/* --- the walk ------------------------------------------------------------------------------ */

static const edge *first_edge(const edges *e, uint32_t row) {
  size_t low = 0, high = e->n;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (e->v[mid].at < row)
      low = mid + 1;
    else
      high = mid;
  }
  return e->v + low;
}

static int by_depth(const void *x, const void *y) {
  const hm_trace_step *a = x, *b = y;
  if (a->depth != b->depth)
    return a->depth - b->depth;
  return (a->row > b->row) - (a->row < b->row);
}

static void walk(edges *e, uint32_t row, int depth, hm_trace *out) {
  bool *seen = hm_alloc_array(e->a, e->snap->n_rows + 1, sizeof *seen);
  hm_trace_step *v = hm_alloc_array(e->a, HM_TRACE_MOST, sizeof *v);
  size_t next = 0;
  uint32_t at = row;
  int done = 0;
  *out = (hm_trace){ .row = row, .steps = v };
  seen[row] = true;
  if (e->n)
    qsort(e->v, e->n, sizeof *e->v, by_start);
  for (;;) {
    for (const edge *x = first_edge(e, at); x < e->v + e->n && x->at == at && done < depth; x++) {
      if (seen[x->to] || !counts(e, x->to))
        continue;
      if (out->n == HM_TRACE_MOST) {
        out->cut = true;
        break;
      }
      seen[x->to] = true;
      v[out->n++] = (hm_trace_step){ .row = x->to,
                                     .from = at,
                                     .depth = done + 1,
                                     .meaning = x->meaning,
                                     .word = x->word,
                                     .reverse = x->reverse,
                                     .via = x->via == HM_MAP_NONE
                                         ? HM_EMPTY
                                         : hm_row_ref(e->a, &e->snap->rows[x->via]) };
    }
    if (next == out->n)
      break;
    at = v[next].row;
    done = v[next++].depth;
  }
  if (out->n)
    qsort(v, out->n, sizeof *v, by_depth);
}

static void trace(const hm_snapshot *snap, uint32_t row, int depth, bool evidence, hm_arena *a,
                  hm_trace *out) {
  edges e = { .snap = snap, .evidence = evidence, .a = a, .scratch = hm_arena_new() };
  collect(&e);
  walk(&e, row, depth, out);
  hm_arena_free(e.scratch);
}

void hm_trace_impact(const hm_snapshot *snap, uint32_t row, int depth, hm_arena *a, hm_trace *out) {
  trace(snap, row, depth, false, a, out);
}

void hm_trace_evidence(const hm_snapshot *snap, uint32_t row, int depth, hm_arena *a,
                       hm_trace *out) {
  trace(snap, row, depth, true, a, out);
}

/* --- as JSON --------------------------------------------------------------------------- */

static void put_row(const hm_snapshot *s, uint32_t row, hm_jw *w, hm_arena *a) {
  const hm_row *r = &s->rows[row];
  hm_jw_str(w, "row", hm_row_ref(a, r));
  hm_jw_str(w, "type", r->type);
  hm_jw_str(w, "name", r->name);
  hm_jw_str(w, "status", hm_str_c(hm_status_name(r->status)));
}

static void put_step(const hm_snapshot *s, const hm_trace_step *t, hm_jw *w, hm_arena *a) {
  put_row(s, t->row, w, a);
  hm_jw_int(w, "depth", t->depth);
  hm_jw_str(w, "from", hm_row_ref(a, &s->rows[t->from]));
  hm_jw_str(w, "relation", t->word);
  hm_jw_str(w, "direction", t->reverse ? HM_STR("incoming") : HM_STR("outgoing"));
  hm_jw_str_or_null(w, "via", t->via);
}

void hm_impact_json(const hm_snapshot *snap, const hm_trace *t, int depth, hm_jw *w, hm_arena *a) {
  put_row(snap, t->row, w, a);
  hm_jw_int(w, "depth", depth);
  hm_jw_arr(w, "touches");
  for (size_t i = 0; i < t->n; i++) {
    hm_jw_obj(w, NULL);
    put_step(snap, &t->steps[i], w, a);
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

void hm_evidence_json(const hm_snapshot *snap, const hm_trace *t, int depth, hm_jw *w,
                      hm_arena *a) {
  put_row(snap, t->row, w, a);
  put_grounds(snap, t->row, w, a);
  hm_jw_int(w, "depth", depth);
  hm_jw_arr(w, "rests_on");
  for (size_t i = 0; i < t->n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "meaning", hm_str_c(meaning_name(t->steps[i].meaning)));
    put_step(snap, &t->steps[i], w, a);
    put_grounds(snap, t->steps[i].row, w, a);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_int(w, "count", (int64_t)t->n);
  hm_jw_bool(w, "cut", t->cut);
}
