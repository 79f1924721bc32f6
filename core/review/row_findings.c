/* The findings of one row.
 *
 * It reads only what the rules read: the row, what it names and what names it; for the ends of a
 * relation also the relations that may fill their gaps; for every other entity the relations that
 * give its existence, and those to its wholes and parents. If the row says when something existed,
 * as a relation or as an era, it also reads the relations that need that thing at some time. The
 * rules run on a snapshot of these rows: on the row, the ends of a relation, the relations of an
 * entity, and the relations that need what the row dates. Whether a rule on gaps applies in the
 * project is decided by one row of each type of the project.
 * Cost: the ties of the row and of what it dates, and one search for each type. */
#include "core/review/row_findings.h"

#include <stdlib.h>
#include <string.h>

#include "core/claim/claim.h"
#include "core/claim/relation.h"
#include "core/claim/slot.h"
#include "core/detect/rule.h"
#include "core/review/similar_rows.h"
#include "core/store/partial_snapshot.h"

/* Ties of a type that are read of a row, and rows in all. */
enum { OWN_TIES = 1000, OTHER_TIES = 64, ROWS_MAX = 4000, WITNESSES = 2 };

/* What a row is read for; a row may be read for several. */
enum {
  CHAIN = 1,   /* a step up in the chain of successors */
  UP = 2,      /* what shows when it existed, and what is above it */
  NEAR = 4,    /* the same; and the rules run on it */
  ANSWERS = 8, /* the same; and what may answer for it */
  DATED = 16,  /* the first row dates it: the relations that need it at some time */
  ALL = 32,    /* everything */
  RUNS_ON = NEAR | ANSWERS | ALL
};

/* A requested row: why, and what was followed from it. */
typedef struct {
  unsigned asked, followed;
  bool stored;
  hm_row row;
} wanted_row;

typedef struct {
  hm_store *s;
  const hm_rules *rules;
  hm_partial *partial;
  hm_map place[HM_RELATION + 1]; /* id -> place in rows */
  hm_row_keys rows;
  wanted_row *wanted; /* by place */
  size_t cap_wanted;
  hm_arena *a;
  hm_err *err;
} closure;

static void want(closure *c, hm_layer layer, hm_str id, unsigned what) {
  uint32_t at = hm_map_get(&c->place[layer], id);
  if (at != HM_MAP_NONE)
    c->wanted[at].asked |= what;
  if (!id.n || at != HM_MAP_NONE || c->rows.n > ROWS_MAX)
    return;
  id = hm_str_dup(c->a, id);
  hm_map_add(&c->place[layer], id, (uint32_t)c->rows.n);
  c->wanted = hm_array_grow(c->wanted, c->rows.n, &c->cap_wanted, sizeof *c->wanted);
  c->wanted[c->rows.n] = (wanted_row){ .asked = what };
  hm_row_keys_add(&c->rows, (hm_row_key){ layer, id });
  hm_partial_want(c->partial, layer, id);
}

/* "kind:id", or a bare id of that layer; an id may look like a reference. */
static void want_ref(closure *c, hm_layer layer, hm_str ref, unsigned what) {
  hm_layer named;
  hm_str id;
  if (hm_ref_parse(ref, &named, &id))
    want(c, named, id, what);
  want(c, layer, ref, what);
}

static bool is_among(const char *const *list, hm_str key) {
  while (list && *list && !hm_str_is(key, *list))
    list++;
  return list && *list;
}

/* Is it a type of relation to wholes or parents, or one that says when a row existed? */
static bool leads_up(hm_str key, bool to) {
  static const char *const from_it[] = { "belongsto",     "childof",      "descendedfrom",
                                         "existedduring", "locatedin",    "occurredduring",
                                         "partof",        "supersededby", NULL };
  static const char *const to_it[] = { "contains", "parentof", "supersedes", NULL };
  return is_among(to ? to_it : from_it, key);
}

/* Which relations of a row are read, by type. */
typedef struct {
  closure *c;
  unsigned what;
  bool to;
} tie_question;

/* Is it a type of relation that a rule on time checks? */
static bool needs_a_time(const hm_rule_table *t, hm_str type) {
  bool needs = false;
  for (size_t i = 0; i < t->n && !needs; i++)
    for (const char *const *of = t->rules[i].reads_lives ? t->rules[i].ends_of : NULL;
         of && *of && !needs; of++)
      needs = hm_relation_type_is(type, *of);
  return needs;
}

static bool wants_type(void *ctx, hm_str type) {
  const tie_question *q = ctx;
  const hm_rule_table *t = hm_config_rule_table(q->c->rules);
  if (q->what == ALL)
    return true;
  if (q->what == DATED)
    return needs_a_time(t, type);
  hm_str key = hm_entity_type_key(q->c->a, type);
  bool wanted = leads_up(key, q->to);
  for (size_t i = 0; i < t->n && !wanted && q->what == ANSWERS; i++)
    wanted = t->rules[i].gap && is_among(t->rules[i].gap->kinds, key);
  return wanted;
}

/* The relations that name a row, as "kind:id" and, an entity, by its id. */
static int want_ties(closure *c, hm_layer layer, hm_str id, unsigned what) {
  hm_row_keys found = { 0 };
  hm_str spelled[] = { hm_ref_text(c->a, layer, id), layer == HM_ENTITY ? id : HM_EMPTY };
  bool many = what == ALL || what == DATED;
  int rc = 0;
  for (int i = 0; i < 4 && !rc; i++)
    if (spelled[i / 2].n)
      rc = hm_relations_of_row(c->s, spelled[i / 2], i % 2, wants_type,
                               &(tie_question){ c, what, i % 2 }, many ? OWN_TIES : OTHER_TIES,
                               c->a, &found, c->err);
  for (size_t i = 0; i < found.n; i++)
    want(c, found.v[i].layer, found.v[i].id, many ? NEAR : UP);
  free(found.v);
  return rc;
}

/* Findings on time name the relation that they know an existence by, and the era that this leads
 * to: they are about relations of what existed. */
static bool is_dated_by_first(const closure *c, const hm_row *row) {
  hm_row_key first = c->rows.v[0];
  hm_str key = hm_entity_type_key(c->a, row->type);
  if (!hm_str_is(key, "existedduring") && !hm_str_is(key, "occurredduring"))
    return false;
  if (first.layer == HM_RELATION)
    return hm_str_eq(row->id, first.id);
  return first.layer == HM_ENTITY &&
      (hm_str_eq(row->to, first.id) ||
       hm_str_eq(row->to, hm_ref_text(c->a, first.layer, first.id)));
}

/* What is read next because a row is read for this. */
static int follow(closure *c, const hm_row *row, unsigned what) {
  want_ref(c, row->layer, row->superseded_by, CHAIN);
  if (what & ALL)
    want_ref(c, HM_ENTITY, row->graduated_to, CHAIN);
  if (row->layer == HM_RELATION && what != CHAIN) {
    unsigned end = what & ALL ? ANSWERS : UP;
    bool dates = what & RUNS_ON && is_dated_by_first(c, row);
    want_ref(c, HM_ENTITY, row->from, dates ? end | DATED : end);
    want_ref(c, HM_ENTITY, row->to, end);
  }
  if (what & ALL)
    return want_ties(c, row->layer, row->id, ALL);
  if (row->layer != HM_ENTITY || what == CHAIN)
    return 0;
  if (want_ties(c, row->layer, row->id, what & ANSWERS ? ANSWERS : UP))
    return -1;
  return what & DATED ? want_ties(c, row->layer, row->id, DATED) : 0;
}

static int read_all(closure *c) {
  for (bool more = true; more;) {
    const hm_row *rows;
    size_t n;
    if (hm_partial_read(c->partial, &rows, &n, c->err))
      return -1;
    for (size_t i = 0; i < n; i++) {
      uint32_t at = hm_map_get(&c->place[rows[i].layer], rows[i].id);
      if (at == HM_MAP_NONE)
        continue;
      c->wanted[at].stored = true;
      c->wanted[at].row = rows[i];
    }
    more = false;
    for (size_t at = 0, asked = c->rows.n; at < asked; at++) {
      wanted_row w = c->wanted[at];
      unsigned what = w.asked & ~w.followed;
      if (!w.stored || !what)
        continue;
      c->wanted[at].followed |= what;
      more = true;
      if (follow(c, &w.row, what))
        return -1;
    }
  }
  return 0;
}

/* --- the rules over them ----------------------------------------------------------------- */

/* Runs the rules on the row, the ends of a relation, the relations of an entity, and the relations
 * that need what it dates. */
static int run_rules(closure *c, hm_snapshot *snap, bool assume, hm_row_findings *out) {
  hm_claims *claims = NULL;
  hm_disputes *d = NULL;
  bool *keys = hm_alloc_array(c->a, snap->n_rows, sizeof *keys);
  hm_str own = hm_ref_text(c->a, c->rows.v[0].layer, c->rows.v[0].id);
  *out = (hm_row_findings){ .seen = hm_alloc_array(c->a, c->rows.n, sizeof *out->seen) };
  for (size_t i = 0; i < c->rows.n; i++) {
    if (!(c->wanted[i].asked & RUNS_ON))
      continue;
    uint32_t row = hm_snapshot_row(snap, c->rows.v[i].layer, c->rows.v[i].id);
    if (row != HM_MAP_NONE)
      keys[row] = true;
    out->seen[out->n_seen++] = hm_ref_text(c->a, c->rows.v[i].layer, c->rows.v[i].id);
  }
  if (hm_claims_read(snap, c->rules, 1, &claims, c->err))
    return -1;
  hm_rule_keys only = { .rows = keys, .gaps_assumed = assume };
  int rc = hm_rules_run(snap, claims, c->rules, &only, true, 1, c->a, &d, c->err);
  size_t n = rc ? 0 : d->n_findings;
  out->own = hm_alloc_array(c->a, n, sizeof(hm_finding *));
  out->others = hm_alloc_array(c->a, n, sizeof(hm_finding *));
  for (size_t i = 0; i < n; i++) {
    const hm_finding *f = hm_finding_copy(&d->findings[i], c->a);
    if (hm_finding_names(f, own))
      out->own[out->n_own++] = f;
    else
      out->others[out->n_others++] = f;
  }
  hm_claims_free(claims);
  return rc ? -1 : 0;
}

/* Reads the rows again, without the first if requested, and with rows of each type of the projects
 * with a possible gap. */
static int read_again(closure *c, const hm_row_findings *found, bool without, hm_snapshot **out) {
  hm_partial *again = hm_partial_new(c->s, false, c->a);
  hm_row_keys more = { 0 };
  hm_map projects;
  int rc = 0;
  hm_map_init(&projects, c->a, 8);
  for (size_t i = 0; i < found->n_own + found->n_others && !rc; i++) {
    const hm_finding *f = i < found->n_own ? found->own[i] : found->others[i - found->n_own];
    size_t had = projects.n;
    if (!hm_str_starts(f->rule, "gap/"))
      continue;
    hm_map_add(&projects, f->project, 0);
    if (projects.n > had)
      rc = hm_project_sample_rows(c->s, f->project, WITNESSES, c->a, &more, c->err);
  }
  for (size_t i = without; i < c->rows.n; i++)
    hm_partial_want(again, c->rows.v[i].layer, c->rows.v[i].id);
  for (size_t i = 0; i < more.n; i++)
    if (!without || more.v[i].layer != c->rows.v[0].layer ||
        !hm_str_eq(more.v[i].id, c->rows.v[0].id))
      hm_partial_want(again, more.v[i].layer, more.v[i].id);
  if (!rc)
    rc = hm_partial_end(again, out, c->err);
  hm_partial_free(again);
  free(more.v);
  return rc;
}

static int find_in_rows(closure *c, bool without, hm_row_findings *out) {
  hm_snapshot *snap;
  if (read_all(c) || hm_partial_end(c->partial, &snap, c->err))
    return -1;
  if (without && (read_again(c, &(hm_row_findings){ 0 }, true, &snap)))
    return -1;
  if (run_rules(c, snap, true, out))
    return -1;
  bool gaps = false;
  for (size_t i = 0; i < out->n_own; i++)
    gaps = gaps || hm_str_starts(out->own[i]->rule, "gap/");
  for (size_t i = 0; i < out->n_others; i++)
    gaps = gaps || hm_str_starts(out->others[i]->rule, "gap/");
  if (!gaps)
    return 0;
  return read_again(c, out, without, &snap) || run_rules(c, snap, false, out) ? -1 : 0;
}

/* --- of texts that are alike ------------------------------------------------------------- */

static void add_similar(const hm_similar_found *found, hm_str own, hm_arena *a,
                        hm_row_findings *out) {
  hm_row_findings had = *out;
  out->own = hm_alloc_array(a, had.n_own + found->n + 1, sizeof(hm_finding *));
  out->others = hm_alloc_array(a, had.n_others + found->n + 1, sizeof(hm_finding *));
  out->seen = hm_alloc_array(a, had.n_seen + found->rows->n_rows + 1, sizeof *out->seen);
  if (had.n_own)
    memcpy(out->own, had.own, had.n_own * sizeof(hm_finding *));
  if (had.n_others)
    memcpy(out->others, had.others, had.n_others * sizeof(hm_finding *));
  if (had.n_seen)
    memcpy(out->seen, had.seen, had.n_seen * sizeof *out->seen);
  for (size_t i = 0; i < found->n; i++)
    if (hm_finding_names(&found->findings[i], own))
      out->own[out->n_own++] = &found->findings[i];
    else
      out->others[out->n_others++] = &found->findings[i];
  for (size_t i = 0; i < found->rows->n_rows; i++)
    out->seen[out->n_seen++] = hm_row_ref(a, &found->rows->rows[i]);
}

static int find_similar(const closure *c, const hm_row_findings_query *q, hm_row_findings *out) {
  size_t n = 1, also = q->also ? q->also->n_seen : 0;
  hm_str *refs = hm_alloc_array(c->a, also + 1, sizeof *refs);
  hm_similar_found found;
  if (q->layer != HM_MEMORY)
    return 0;
  refs[0] = hm_ref_text(c->a, q->layer, q->id);
  for (size_t i = 0; i < also; i++)
    refs[n++] = q->also->seen[i];
  if (hm_similar_rows_findings(c->s, c->rules, refs, n, q->without ? refs[0] : HM_EMPTY, c->a,
                               &found, c->err))
    return -1;
  if (found.rows)
    add_similar(&found, refs[0], c->a, out);
  return 0;
}

int hm_row_findings_collect(hm_store *s, const hm_rules *rules, const hm_row_findings_query *q,
                            hm_arena *a, hm_row_findings *out, hm_err *err) {
  *out = (hm_row_findings){ 0 };
  if (hm_store_is_foreign(s))
    return 0;
  closure c = {
    .s = s, .rules = rules, .a = a, .err = err, .partial = hm_partial_new(s, false, a)
  };
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    hm_map_init(&c.place[l], a, 64);
  want(&c, q->layer, q->id, ALL);
  for (int i = 0; i < 2; i++)
    if (q->becomes[i].n)
      want_ref(&c, HM_ENTITY, q->becomes[i], ANSWERS | DATED);
  for (size_t i = 0; q->also && i < q->also->n_seen; i++)
    want_ref(&c, HM_ENTITY, q->also->seen[i], ANSWERS);
  int rc = find_in_rows(&c, q->without, out);
  if (!rc)
    rc = find_similar(&c, q, out);
  hm_partial_free(c.partial);
  free(c.rows.v);
  free(c.wanted);
  return rc;
}

/* --- what a write changes ---------------------------------------------------------------- */

static hm_str said_by(const hm_finding *f, hm_arena *a) {
  return HM_CAT(a, f->id, HM_STR("\x1f"), f->message);
}

/* All of its rows: of another circle, say, only a part may have been read. */
static bool was_seen(const hm_map *seen, const hm_finding *f) {
  size_t n = 0;
  while (n < f->n_rows && hm_map_get(seen, f->rows[n]) != HM_MAP_NONE)
    n++;
  return n == f->n_rows;
}

size_t hm_row_findings_add_new(const hm_row_findings *x, const hm_row_findings *y, bool others,
                               const hm_finding **to) {
  const hm_finding **v = others ? x->others : x->own;
  hm_arena *a = hm_arena_new();
  hm_map had, seen;
  size_t n = 0;
  hm_map_init(&had, a, y->n_own + y->n_others);
  hm_map_init(&seen, a, y->n_seen);
  for (size_t i = 0; i < y->n_own; i++)
    hm_map_add(&had, said_by(y->own[i], a), 0);
  for (size_t i = 0; i < y->n_others; i++)
    hm_map_add(&had, said_by(y->others[i], a), 0);
  for (size_t i = 0; i < y->n_seen; i++)
    hm_map_add(&seen, y->seen[i], 0);
  for (size_t i = 0; i < (others ? x->n_others : x->n_own); i++)
    if (hm_map_get(&had, said_by(v[i], a)) == HM_MAP_NONE && (!others || was_seen(&seen, v[i])))
      to[n++] = v[i];
  hm_arena_free(a);
  return n;
}
