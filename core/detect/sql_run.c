/* Runs rules in SQL over the facts of one sweep, and reads their results as findings.
 *
 * A result's columns row, row1, row2, ... name rows as "kind:id"; message, expected and actual are
 * those of the finding; any other column is shown after the message as "name value". Of results
 * with the same two or more rows one is kept, since a rule finds a pair from both sides. A failing
 * rule gets a finding of severity info and does not fail the run. Limits: steps in proportion to
 * the tables that the rule reads, 256 MiB, 100,000 results.
 * Cost: the SELECTs, on as many threads as there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/detect/sql_rule.h"

enum {
  STEPS_FREE = 50 * 1000 * 1000,
  STEPS_A_ROW = 2000,
  BYTES_MOST = 256 << 20,
  RESULTS_MOST = 100 * 1000,
  ROWS_OF_ONE = 16,
  VALUE_SHOWN = 200,
  NAME_SHOWN = 60,
  OTHERS_SHOWN = 1000
};

/* What a column of a result is. */
typedef enum { OF_ROW, OF_MESSAGE, OF_EXPECTED, OF_ACTUAL, OF_OTHER } meaning;

static meaning meaning_of(const char *name) {
  if (!strncmp(name, "row", 3) && strspn(name + 3, "0123456789") == strlen(name + 3))
    return OF_ROW;
  if (!strcmp(name, "message"))
    return OF_MESSAGE;
  if (!strcmp(name, "expected"))
    return OF_EXPECTED;
  return strcmp(name, "actual") ? OF_OTHER : OF_ACTUAL;
}

static int check_columns(const hm_sql_rule *r, const hm_sandbox_result *result, hm_err *err) {
  size_t rows = 0;
  for (size_t i = 0; i < result->n_columns; i++)
    rows += meaning_of(result->columns[i]) == OF_ROW;
  if (rows > 0 && rows <= ROWS_OF_ONE)
    return 0;
  return hm_fail(err, HM_E_INPUT, r->file,
                 rows ? "its result names more than 16 rows" : "its result names no row",
                 "call the column that names the offending row `row` (row1, row2 for more): "
                 "SELECT e.ref AS row");
}

/* --- findings from results ------------------------------------------------------------------ */

typedef struct {
  const hm_sql_rule *rule;
  const hm_snapshot *snap;
  hm_finding_list found;
} reader;

/* "kind:id"; a bare id is that of an entity. Empty: no text. */
static hm_str row_named(const hm_sandbox_cell *c, hm_arena *a) {
  hm_layer layer;
  hm_str id;
  if (c->type != HM_CELL_TEXT)
    return HM_EMPTY;
  return hm_ref_parse(c->text, &layer, &id) ? c->text : hm_ref_text(a, HM_ENTITY, c->text);
}

static void put_value(hm_buf *b, const hm_sandbox_cell *c) {
  if (c->type == HM_CELL_TEXT)
    hm_buf_str(b, hm_text_cut(c->text, VALUE_SHOWN));
  else if (c->type == HM_CELL_INT)
    hm_buf_fmt(b, "%lld", (long long)c->number);
  else if (c->type == HM_CELL_REAL)
    hm_buf_fmt(b, "%.15g", c->real);
}

/* Behind the message: "name value, name value". */
static void put_other(hm_buf *b, const char *name, const hm_sandbox_cell *c) {
  if (b->n >= OTHERS_SHOWN)
    return;
  hm_str shown = hm_text_cut(hm_str_c(name), NAME_SHOWN);
  hm_buf_fmt(b, "%s%.*s ", b->n ? ", " : "", HM_FMT(shown));
  put_value(b, c);
}

static hm_str value_text(const hm_sandbox_cell *c, hm_arena *a) {
  hm_buf b = { 0 };
  put_value(&b, c);
  return hm_buf_take(&b, a);
}

/* Sorted, each once. */
static size_t order_rows(hm_str *rows, size_t n) {
  size_t kept = 0;
  hm_strs_sort(rows, n);
  for (size_t i = 0; i < n; i++)
    if (!kept || !hm_str_eq(rows[kept - 1], rows[i]))
      rows[kept++] = rows[i];
  return kept;
}

/* The project of the first of its rows that is stored. */
static hm_str project_of(const hm_finding *f, const hm_snapshot *snap) {
  for (size_t i = 0; i < f->n_rows; i++) {
    uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, f->rows[i]);
    if (row != HM_MAP_NONE)
      return snap->projects[snap->rows[row].project].id;
  }
  return HM_EMPTY;
}

static void add_finding(reader *r, const hm_sandbox_result *result, const hm_sandbox_cell *cells) {
  hm_arena *a = r->found.a;
  hm_buf others = { 0 };
  hm_finding f = hm_sql_finding(r->rule);
  f.rows = hm_alloc_array(a, result->n_columns, sizeof *f.rows);
  for (size_t i = 0; i < result->n_columns; i++) {
    const hm_sandbox_cell *c = &cells[i];
    if (c->type == HM_CELL_NULL)
      continue;
    hm_str row = HM_EMPTY;
    switch (meaning_of(result->columns[i])) {
      case OF_ROW:
        row = row_named(c, a);
        if (row.n)
          f.rows[f.n_rows++] = row;
        else
          put_other(&others, "row", c);
        break;
      case OF_MESSAGE:
        f.message = value_text(c, a);
        break;
      case OF_EXPECTED:
        f.expected = value_text(c, a);
        break;
      case OF_ACTUAL:
        f.actual = value_text(c, a);
        break;
      case OF_OTHER:
        put_other(&others, result->columns[i], c);
    }
  }
  f.n_rows = order_rows(f.rows, f.n_rows);
  f.project = project_of(&f, r->snap);
  if (others.n) {
    hm_str said = hm_str_sub(f.message, 0, f.message.n - hm_str_ends(f.message, "."));
    f.message = hm_str_fmt(a, "%.*s (%.*s)%s", HM_FMT(said), HM_FMT(hm_buf_view(&others)),
                           said.n < f.message.n ? "." : "");
  }
  hm_buf_free(&others);
  hm_finding_add(&r->found, f);
}

/* Drops repeated findings, and pairs found from both sides. */
static size_t drop_repeated(hm_finding *f, size_t n) {
  size_t kept = 0;
  hm_findings_sort(f, n);
  for (size_t i = 0; i < n; i++) {
    const hm_finding *last = kept ? &f[kept - 1] : NULL;
    bool same = last && hm_str_eq(last->id, f[i].id) &&
        (f[i].n_rows > 1 || hm_findings_equal(last, 1, &f[i], 1));
    if (!same)
      f[kept++] = f[i];
  }
  return kept;
}

/* --- one rule -------------------------------------------------------------------------------- */

static int64_t steps_of(const hm_sql_rule *r, const hm_sandbox_world *w) {
  int64_t steps = STEPS_FREE;
  for (size_t i = 0; i < w->n_tables; i++)
    if (r->reads >> i & 1)
      steps += STEPS_A_ROW * (int64_t)w->tables[i].n_rows;
  return steps;
}

/* Compiles it, or runs it. */
static int run_rule(hm_sandbox *s, const hm_sandbox_world *w, const hm_sql_rule *r, bool check,
                    hm_arena *a, hm_sandbox_result *out, hm_err *err) {
  hm_sandbox_query q = { .file = r->file,
                         .sql = r->text,
                         .reads = r->reads,
                         .steps = steps_of(r, w),
                         .bytes = BYTES_MOST,
                         .rows = RESULTS_MOST };
  if (hm_sandbox_run(s, &q, check, a, out, err))
    return -1;
  return check_columns(r, out, err);
}

/* Compiles it over empty tables. */
static int compile(const hm_sql_rule *r, hm_sandbox_result *out, hm_err *err) {
  hm_arena *a = hm_arena_new();
  const hm_sql_facts none = { .rules = hm_rules_default() };
  const hm_sandbox_world *w = hm_sql_world_new(&none, 0, a);
  hm_sandbox *s = hm_sandbox_new(w);
  *out = (hm_sandbox_result){ 0 };
  int rc = run_rule(s, w, r, true, a, out, err);
  hm_sandbox_free(s);
  hm_arena_free(a);
  return rc;
}

int hm_sql_rule_check(const hm_sql_rule *r, hm_err *err) {
  hm_sandbox_result result;
  return compile(r, &result, err);
}

int hm_sql_rule_find_tables(const hm_sql_rule *r, uint32_t *reads, hm_err *err) {
  hm_sandbox_result result;
  int rc = compile(r, &result, err);
  *reads = result.reads;
  return rc;
}

/* --- all ----------------------------------------------------------------------------------------
 */

static void note_failure(reader *r, hm_sql_rule_run *run, const hm_err *err) {
  run->failed = true;
  hm_err_format_line(err, run->why, sizeof run->why);
  hm_finding_add(&r->found,
                 (hm_finding){ .kind = HM_STR("stale"),
                               .severity = HM_STR("info"),
                               .rule = r->rule->id,
                               .reason = HM_STR("A rule that could not run"),
                               .project = HM_EMPTY,
                               .message = hm_str_dup(r->found.a, hm_str_c(run->why)),
                               .expected = HM_EMPTY,
                               .actual = HM_EMPTY });
}

static void run_one(hm_sandbox *s, const hm_sandbox_world *w, reader *r, hm_sql_rule_run *run) {
  hm_sandbox_result result;
  hm_err err = { 0 };
  size_t first = r->found.n;
  int rc = run_rule(s, w, r->rule, false, r->found.a, &result, &err);
  run->steps = result.steps;
  if (rc) {
    note_failure(r, run, &err);
    return;
  }
  for (size_t i = 0; i < result.n_rows; i++)
    add_finding(r, &result, result.cells + i * result.n_columns);
  if (r->found.n > first)
    r->found.n = first + drop_repeated(r->found.v + first, r->found.n - first);
}

void hm_sql_rules_run(const hm_sql_rules *rules, const hm_sql_facts *facts, int threads,
                      hm_arena *a, hm_sql_result *out) {
  *out = (hm_sql_result){ .n_runs = rules ? rules->n : 0 };
  if (!hm_sql_any_rule_on(rules))
    return;
  hm_sql_facts own = *facts;
  uint32_t reads = 0;
  for (size_t i = 0; i < rules->n; i++)
    reads |= rules->rules[i].off ? 0 : rules->rules[i].reads;
  if (!own.lives) {
    hm_existences *lives = hm_alloc(a, sizeof *lives);
    hm_existences_build(own.snap, own.rules, threads, a, lives);
    own.lives = lives;
  }
  const hm_sandbox_world *w = hm_sql_world_new(&own, reads, a);
  hm_sandbox *s = hm_sandbox_new(w);
  reader r = { .snap = own.snap, .found = { .a = a } };
  out->runs = hm_alloc_array(a, out->n_runs, sizeof *out->runs);
  for (size_t i = 0; i < out->n_runs; i++) {
    r.rule = out->runs[i].rule = &rules->rules[i];
    if (!r.rule->off)
      run_one(s, w, &r, &out->runs[i]);
  }
  out->findings = r.found.v;
  out->n = r.found.n;
  hm_sandbox_free(s);
}
