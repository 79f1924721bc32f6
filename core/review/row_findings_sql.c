/* Runs rules in SQL for one row, over a part of the store that grows as they request rows.
 *
 * A rule runs over a snapshot of the rows that are known to matter, at first the written one. A
 * lookup succeeds if these rows include all that it may find; otherwise it finds nothing and is
 * noted. Then the rows of the noted lookups are read from the store and the rule runs again, until
 * a run notes nothing. Then each lookup found all there is, so the result equals that over the
 * whole store, also for counts and for rows that do not exist. The number of runs is the depth of
 * its joins. A lookup is by a reference, an id, a project, an end of a relation or link; any other
 * reads the whole table. Limits: rows and runs for a rule, steps for a rule and for all of a write;
 * the same on every machine. Cost: the rows that a rule asks for, whatever the size of the
 * store. */
#include "core/review/row_findings.h"

#include <stdlib.h>
#include <string.h>

#include "core/store/links.h"
#include "core/store/partial_snapshot.h"

enum { ROWS_MOST = 2000, RUNS_MOST = 16, STEPS_OF_ONE = 200 * 1000, STEPS_OF_ALL = 800 * 1000 };

typedef struct {
  size_t table;
  int column;
  hm_str text;
} look_up;

/* What a rule has asked for. */
typedef struct {
  hm_store *s;
  hm_arena *a;
  hm_map known; /* look-ups, by table, column and text */
  look_up *asked;
  size_t n, cap, answered;
  hm_map rows; /* "kind:id" */
  hm_row_keys keys;
  hm_link *links;
  size_t n_links, cap_links;
  bool lives; /* it reads when entities existed, or the bounds of relations */
  bool too_much;
  size_t table; /* of the look-up that was too much */
  hm_err *err;
} demand;

static bool finds(void *ctx, size_t table, size_t column) {
  (void)ctx;
  return hm_sql_lookup_of(table, column) != HM_SQL_BY_NOTHING;
}

static bool holds(void *ctx, size_t table, int column, hm_str text) {
  demand *d = ctx;
  hm_str key = hm_str_fmt(d->a, "%zu %d %.*s", table, column, HM_FMT(text));
  uint32_t at = hm_map_get(&d->known, key);
  if (at != HM_MAP_NONE)
    return at < d->answered;
  hm_map_add(&d->known, key, (uint32_t)d->n);
  d->asked = hm_array_grow(d->asked, d->n, &d->cap, sizeof *d->asked);
  d->asked[d->n++] = (look_up){ table, column, hm_str_dup(d->a, text) };
  return false;
}

/* --- rows from the store ----------------------------------------------------------------- */

static void want(demand *d, hm_layer layer, hm_str id) {
  hm_str ref = hm_ref_text(d->a, layer, id);
  if (!id.n || hm_map_get(&d->rows, ref) != HM_MAP_NONE)
    return;
  hm_map_add(&d->rows, ref, 0);
  hm_row_keys_add(&d->keys, (hm_row_key){ layer, hm_str_dup(d->a, id) });
}

/* "kind:id", or a bare id of an entity. */
static void want_ref(demand *d, hm_str ref) {
  hm_layer layer;
  hm_str id;
  if (hm_ref_parse(ref, &layer, &id))
    want(d, layer, id);
  want(d, HM_ENTITY, ref);
}

static int want_by(demand *d, hm_layer layer, hm_rows_key by, hm_str text) {
  hm_row_keys found = { 0 };
  int rc = hm_rows_with_key(d->s, layer, by, text, ROWS_MOST + 1, d->a, &found, d->err);
  for (size_t i = 0; i < found.n; i++)
    want(d, found.v[i].layer, found.v[i].id);
  free(found.v);
  return rc;
}

/* An end of a relation is an entity's bare id, or "kind:id": a rule may name it either way. */
static int want_ends(demand *d, hm_rows_key by, hm_str text) {
  static const char entity[] = "entity:";
  hm_str other = hm_str_starts(text, entity) ? hm_str_sub(text, sizeof entity - 1, text.n)
                                             : hm_ref_text(d->a, HM_ENTITY, text);
  return want_by(d, HM_RELATION, by, text) || want_by(d, HM_RELATION, by, other) ? -1 : 0;
}

static int add_links(demand *d, const look_up *x, bool out) {
  hm_link *links;
  size_t n;
  if (hm_store_links_at(d->s, x->text, out, d->a, &links, &n, d->err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    hm_str key = HM_CAT(d->a, HM_STR("link:"), links[i].src, HM_STR(" "), links[i].dst, HM_STR(" "),
                        links[i].rel);
    if (hm_map_get(&d->rows, key) != HM_MAP_NONE)
      continue;
    hm_map_add(&d->rows, key, 0);
    d->links = hm_array_grow(d->links, d->n_links, &d->cap_links, sizeof *d->links);
    d->links[d->n_links++] = links[i];
  }
  return 0;
}

/* Answers lookups of projects and links, whose tables are read only by the keys of lookups. */
static int answer_frame(demand *d, const look_up *x, hm_sql_lookup by) {
  if (by == HM_SQL_BY_FROM || by == HM_SQL_BY_TO)
    return add_links(d, x, by == HM_SQL_BY_FROM);
  if (by == HM_SQL_BY_NOTHING)
    d->too_much = true, d->table = x->table;
  return 0; /* hm_partial_want_project */
}

static int answer_rows(demand *d, hm_layer layer, const look_up *x, hm_sql_lookup by) {
  switch (by) {
    case HM_SQL_BY_REF:
      want_ref(d, x->text);
      return 0;
    case HM_SQL_BY_ID:
      want(d, layer, x->text);
      return 0;
    case HM_SQL_BY_PROJECT:
      return want_by(d, layer, HM_ROWS_OF_PROJECT, x->text);
    case HM_SQL_BY_FROM:
      return want_ends(d, HM_ROWS_FROM, x->text);
    case HM_SQL_BY_TO:
      return want_ends(d, HM_ROWS_TO, x->text);
    default:
      return want_by(d, layer, HM_ROWS_ALL, HM_EMPTY);
  }
}

/* Notes the rows of all look-ups that are not answered yet. */
static int answer_all(demand *d) {
  for (; d->answered < d->n && !d->too_much; d->answered++) {
    look_up x = d->asked[d->answered];
    hm_layer layer = hm_sql_table_layer(x.table);
    hm_sql_lookup by = x.column == HM_SANDBOX_ALL_ROWS
        ? HM_SQL_BY_NOTHING
        : hm_sql_lookup_of(x.table, (size_t)x.column);
    if (hm_sql_table_source(x.table) == HM_SQL_FRAME) {
      if (answer_frame(d, &x, by))
        return -1;
    } else {
      hm_layer first = layer ? layer : HM_MEMORY, last = layer ? layer : HM_RELATION;
      for (int l = (int)first; l <= (int)last; l++)
        if (answer_rows(d, (hm_layer)l, &x, by))
          return -1;
    }
    if (d->keys.n + d->n_links > ROWS_MOST)
      d->too_much = true, d->table = x.table;
  }
  return 0;
}

static bool says_when(void *ctx, hm_str type) {
  (void)ctx;
  return hm_is_existence_relation(type);
}

/* What says when this entity existed: the relations EXISTED_DURING from it, and their eras. */
static int want_existence(demand *d, hm_str ref) {
  static const char entity[] = "entity:";
  hm_str id = hm_str_starts(ref, entity) ? hm_str_sub(ref, sizeof entity - 1, ref.n) : ref;
  hm_str refs[] = { id, hm_ref_text(d->a, HM_ENTITY, id) };
  hm_row_keys found = { 0 };
  int rc = 0;
  for (int i = 0; i < 2 && !rc; i++)
    rc = hm_relations_of_row(d->s, refs[i], false, says_when, NULL, ROWS_MOST + 1, d->a, &found,
                             d->err);
  for (size_t i = 0; i < found.n; i++)
    want(d, found.v[i].layer, found.v[i].id);
  free(found.v);
  return rc;
}

/* What a row hangs on: a relation has the world of the row that it comes from, and ends with its
 * ends. */
static int want_ties(demand *d, const hm_row *r) {
  if (d->lives && d->keys.n > ROWS_MOST) {
    d->too_much = true, d->table = hm_sql_table_named(HM_STR("relations"));
    return 0;
  }
  if (r->layer == HM_ENTITY)
    return d->lives ? want_existence(d, r->id) : 0;
  if (r->layer != HM_RELATION)
    return 0;
  want_ref(d, r->from);
  if (d->lives)
    want_ref(d, r->to);
  return 0;
}

/* Reads the rows so far and their dependencies. */
static int read_rows(demand *d, hm_snapshot **snap) {
  hm_partial *p = hm_partial_new(d->s, true, d->a);
  const hm_row *rows;
  size_t n, done = 0;
  int rc = 0;
  for (size_t i = 0; i < d->n && !rc; i++)
    if (hm_sql_table_source(d->asked[i].table) == HM_SQL_FRAME && d->asked[i].text.n)
      rc = hm_partial_want_project(p, d->asked[i].text, d->err);
  while (!rc && done < d->keys.n) {
    for (; done < d->keys.n; done++)
      hm_partial_want(p, d->keys.v[done].layer, d->keys.v[done].id);
    rc = hm_partial_read(p, &rows, &n, d->err);
    for (size_t i = 0; i < n && !rc; i++)
      rc = want_ties(d, &rows[i]);
  }
  if (!rc)
    rc = hm_partial_end(p, snap, d->err);
  hm_partial_free(p);
  if (rc)
    return -1;
  (*snap)->links = d->links;
  (*snap)->n_links = d->n_links;
  return 0;
}

/* --- rules ---------------------------------------------------------------------------------------
 */

static void add_note(hm_sql_row_findings *out, const hm_sql_rule *r, const char *why, hm_arena *a) {
  out->not_run[out->n_notes] = r->id.p;
  out->notes[out->n_notes++] =
      hm_str_fmt(a, "the rule '%s' did not run for this row: %s", r->id.p, why);
}

/* *steps: the remaining steps for the rules of this write. */
static int run_rule(hm_store *s, const hm_rules *rules, const hm_sql_rule *r, hm_str row,
                    int64_t *steps, hm_arena *a, hm_sql_row_findings *out, hm_err *err) {
  demand d = { .s = s, .a = a, .err = err, .lives = hm_sql_rule_asks_lives(r) };
  const hm_sandbox_lookups lookups = { &d, finds, holds };
  hm_sql_rule copy = *r;
  const hm_sql_rules one = { &copy, 1 };
  hm_sql_live live = { row, *steps < STEPS_OF_ONE ? *steps : STEPS_OF_ONE };
  hm_sql_result result = { 0 };
  hm_map_init(&d.known, a, 16);
  hm_map_init(&d.rows, a, 16);
  want_ref(&d, row);
  int rc = 0;
  bool more = true;
  for (int runs = 0; more && !rc && !d.too_much && runs < RUNS_MOST; runs++) {
    hm_sql_facts facts = { .rules = rules, .lookups = &lookups };
    hm_snapshot *snap;
    if ((rc = read_rows(&d, &snap)) || d.too_much)
      break;
    facts.snap = snap;
    hm_sql_rules_run(&one, &facts, NULL, 0, false, &live, 1, a, &result);
    more = d.answered < d.n && !result.runs[0].failed;
    if (more)
      rc = answer_all(&d);
    *steps -= result.runs[0].steps;
  }
  free(d.asked);
  free(d.keys.v);
  if (rc)
    return free(d.links), -1;
  if (result.runs && result.runs[0].failed)
    add_note(out, r, result.runs[0].why, a);
  else if (more)
    add_note(out, r,
             hm_str_fmt(a, "%s: it needs more than a write may read of %s; a sweep runs it",
                        r->file, hm_sql_table_name(d.table))
                 .p,
             a);
  else {
    const hm_finding **all = hm_alloc_array(a, out->n + result.n, sizeof *all);
    if (out->n)
      memcpy(all, out->findings, out->n * sizeof *all);
    for (size_t i = 0; i < result.n; i++)
      all[out->n++] = &result.findings[i];
    out->findings = all;
  }
  return free(d.links), 0;
}

int hm_sql_row_findings_collect(hm_store *s, const hm_rules *rules, hm_layer layer, hm_str id,
                                hm_arena *a, hm_sql_row_findings *out, hm_err *err) {
  const hm_sql_rules *all = rules->sql;
  hm_str row = hm_ref_text(a, layer, id);
  int64_t steps = STEPS_OF_ALL;
  *out = (hm_sql_row_findings){ 0 };
  if (!all || hm_store_is_foreign(s))
    return 0;
  out->notes = hm_alloc_array(a, all->n, sizeof *out->notes);
  out->not_run = hm_alloc_array(a, all->n, sizeof *out->not_run);
  for (size_t i = 0; i < all->n; i++) {
    const hm_sql_rule *r = &all->rules[i];
    if (r->off || hm_str_find(r->text, ":row") < 0 || !hm_sql_rule_may_be_live(r))
      continue;
    if (steps <= 0)
      add_note(out, r, "the rules before it took the time of a write", a);
    else if (run_rule(s, rules, r, row, &steps, a, out, err))
      return -1;
  }
  return 0;
}

static bool ran(const hm_sql_row_findings *x, hm_str rule) {
  for (size_t i = 0; i < x->n_notes; i++)
    if (hm_str_is(rule, x->not_run[i]))
      return false;
  return true;
}

size_t hm_sql_row_findings_add_gone(const hm_sql_row_findings *before,
                                    const hm_sql_row_findings *now, const hm_finding **to) {
  size_t n = 0;
  for (size_t i = 0; i < before->n; i++) {
    const hm_finding *f = before->findings[i];
    bool stays = !ran(now, f->rule);
    for (size_t k = 0; k < now->n && !stays; k++)
      stays = hm_str_eq(now->findings[k]->id, f->id);
    if (!stays)
      to[n++] = f;
  }
  return n;
}
