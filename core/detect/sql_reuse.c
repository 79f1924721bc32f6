/* When a rule in SQL must run again, and what it found when not.
 *
 * Its answer depends on its text, the columns that it reads, how many rows the tables have that it
 * declares, and, where it asks for times, on now and the calendars; on the program that runs it,
 * too. So another value of one row concerns only the rules that read values of that kind of row.
 * A column's digest is over all rows of its table, in their order, in parts on all cores.
 * Cost: one look at each cell of the columns that some rule reads; a bound is not read for it. */
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/par.h"
#include "core/claim/relation.h"
#include "core/detect/sql_rule.h"

enum { HEX_DIGITS = 32 };

/* --- digests ------------------------------------------------------------------------------ */

enum { PART_ROWS = 4096 };

/* So many rows of a table: the columns of one row are near each other in memory. */
typedef struct {
  const hm_sandbox_table *table;
  uint64_t columns;
  size_t first;
  hm_hash128 *sums; /* beside the table's columns */
} part;

typedef struct {
  uint64_t seed;
  part *parts;
} summing;

static int sum_part(void *ctx, size_t i, int worker) {
  const summing *s = ctx;
  part *p = &s->parts[i];
  hm_arena *scratch = hm_arena_new();
  hm_buf b[64] = { 0 };
  (void)worker;
  for (size_t row = p->first; row < p->table->n_rows && row < p->first + PART_ROWS; row++)
    for (size_t k = 0; k < p->table->n_columns; k++)
      if (p->columns >> k & 1) hm_sql_cell_bytes(p->table, row, k, scratch, &b[k]);
  for (size_t k = 0; k < p->table->n_columns; k++) {
    if (p->columns >> k & 1) p->sums[k] = hm_str_hash128(hm_buf_view(&b[k]), s->seed);
    hm_buf_free(&b[k]);
  }
  hm_arena_free(scratch);
  return 0;
}

void hm_sql_column_digests(const hm_sandbox_world *w, const uint64_t columns[HM_SQL_TABLES],
                           uint64_t seed, int threads, hm_arena *a, hm_sql_digests *out) {
  summing s = { .seed = seed };
  size_t n = 0, at = 0;
  *out = (hm_sql_digests){ .world = w };
  for (size_t t = 0; t < HM_SQL_TABLES; t++) n += w->tables[t].n_rows / PART_ROWS + 1;
  s.parts = hm_alloc_array(a, n, sizeof *s.parts);
  n = 0;
  for (size_t t = 0; t < HM_SQL_TABLES; t++)
    for (size_t first = 0; columns[t] && first <= w->tables[t].n_rows; first += PART_ROWS)
      s.parts[n++] = (part){ &w->tables[t], columns[t], first,
                             hm_alloc_array(a, w->tables[t].n_columns, sizeof(hm_hash128)) };
  hm_par_for(n, threads, sum_part, &s, NULL);
  for (size_t t = 0; t < HM_SQL_TABLES; t++) {
    size_t end = at;
    out->columns[t] = hm_alloc_array(a, w->tables[t].n_columns, sizeof *out->columns[t]);
    while (end < n && s.parts[end].table == &w->tables[t]) end++;
    for (size_t k = 0; k < w->tables[t].n_columns; k++) {
      hm_buf b = { 0 };
      for (size_t i = at; i < end && columns[t] >> k & 1; i++)
        hm_buf_add(&b, &s.parts[i].sums[k], sizeof *s.parts[i].sums);
      out->columns[t][k] = hm_str_hash128(hm_buf_view(&b), seed);
      hm_buf_free(&b);
    }
    at = end;
  }
}

hm_str hm_sql_input_digest(const hm_sql_rule *r, const hm_sandbox_result *checked,
                           const hm_sql_facts *f,
                           const hm_sql_digests *sums, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, HM_STR("3 " HM_VERSION));
  hm_sha256_field(&h, r->text);
  hm_sha256_field(&h, hm_worlds_digest(f->rules->worlds));
  hm_sha256_field(&h, hm_relation_kinds_digest(f->rules->relations, a));
  if (checked->reads_now) hm_sha256_field(&h, hm_str_fmt(a, "%lld", (long long)f->snap->now));
  for (size_t t = 0; t < HM_SQL_TABLES; t++) {
    if (!(r->reads >> t & 1)) continue;
    hm_sha256_field(&h, hm_str_fmt(a, "%zu %zu", t, sums->world->tables[t].n_rows));
    for (size_t k = 0; k < sums->world->tables[t].n_columns; k++) {
      if (!(checked->reads_columns[t] >> k & 1)) continue;
      hm_sha256_field(&h, hm_str_fmt(a, "%zu", k));
      hm_sha256_add(&h, (hm_str){ (const char *)&sums->columns[t][k], sizeof(hm_hash128) });
    }
  }
  return hm_sha256_hex(&h, a, HEX_DIGITS);
}

/* --- findings as text ------------------------------------------------------------------------ */

hm_str hm_sql_findings_text(const hm_finding *f, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (size_t i = 0; i < n; i++) {
    hm_jw_obj(&w, NULL);
    hm_jw_strs(&w, "rows", f[i].rows, f[i].n_rows);
    hm_jw_str(&w, "message", f[i].message);
    hm_jw_str(&w, "expected", f[i].expected);
    hm_jw_str(&w, "actual", f[i].actual);
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

bool hm_sql_findings_parse(const hm_sql_rule *r, hm_str text, hm_finding_list *out) {
  const hm_json *list = hm_json_parse_as(out->a, text, HM_JSON_ARRAY);
  if (!list) return false;
  for (const hm_json *v = list->child; v; v = v->next) {
    const hm_json *rows = hm_json_get(v, "rows");
    hm_finding f = hm_sql_finding(r);
    if (!rows || rows->type != HM_JSON_ARRAY) return false;
    f.n_rows = hm_json_texts(rows, out->a, &f.rows);
    f.message = hm_json_get_text(v, "message");
    f.expected = hm_json_get_text(v, "expected");
    f.actual = hm_json_get_text(v, "actual");
    hm_finding_add(out, f);
  }
  return true;
}
