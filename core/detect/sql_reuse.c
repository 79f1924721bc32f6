/* When a rule in SQL must run again, and what it found when not.
 *
 * Its answer depends on its text, the tables that it names, and, where it asks for times, on now
 * and the calendars; on the program that runs it, too. The digests of rows are those of the
 * snapshot's chunks (core/store/snapshot_digest.c), so that a table costs no second pass over its
 * rows. */
#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/par.h"
#include "core/claim/world.h"
#include "core/detect/sql_reuse.h"

enum { HEX_DIGITS = 32 };

/* --- digests ------------------------------------------------------------------------------ */

enum { PART_ROWS = 4096 };

typedef struct {
  const hm_snapshot *snap;
  uint64_t seed;
  size_t first;
  hm_hash128 *parts;
} rows_job;

static int hash_part(void *ctx, size_t i, int worker) {
  const rows_job *j = ctx;
  size_t row = j->first + i * PART_ROWS;
  hm_buf b = { 0 };
  (void)worker;
  for (size_t k = 0; k < PART_ROWS && row < j->snap->n_rows; k++, row++)
    hm_row_bytes(j->snap, row, &b);
  j->parts[i] = hm_str_hash128(hm_buf_view(&b), j->seed);
  hm_buf_free(&b);
  return 0;
}

/* Of the rows of a layer, in parts of PART_ROWS and a last one of what is left. */
static void sum_layer(const hm_snapshot *s, hm_layer layer, uint64_t seed, int threads, hm_arena *a,
                      unsigned char out[32]) {
  size_t first = s->first[layer], n = s->first[layer + 1] - first, failed;
  size_t whole = n / PART_ROWS;
  rows_job j = { s, seed, first, hm_alloc_array(a, whole + 1, sizeof *j.parts) };
  hm_sha256 h;
  hm_buf b = { 0 };
  hm_par_for(whole, threads, hash_part, &j, &failed);
  for (size_t row = first + whole * PART_ROWS; row < first + n; row++) hm_row_bytes(s, row, &b);
  j.parts[whole] = hm_str_hash128(hm_buf_view(&b), seed);
  hm_buf_free(&b);
  hm_sha256_init(&h);
  hm_sha256_field(&h, (hm_str){ (const char *)j.parts, (whole + 1) * sizeof *j.parts });
  hm_sha256_end(&h, out);
}

/* Projects and links. */
static void sum_frame(const hm_snapshot *s, unsigned char out[32]) {
  hm_sha256 h;
  hm_buf b = { 0 };
  hm_sha256_init(&h);
  for (size_t i = 0; i < s->n_projects; i++) {
    hm_buf_clear(&b);
    hm_project_bytes(&s->projects[i], &b);
    hm_sha256_field(&h, hm_buf_view(&b));
  }
  for (size_t i = 0; i < s->n_links; i++) {
    const hm_str texts[] = { s->links[i].src, s->links[i].dst, s->links[i].rel };
    for (size_t k = 0; k < HM_COUNT(texts); k++) hm_sha256_field(&h, texts[k]);
  }
  hm_buf_free(&b);
  hm_sha256_end(&h, out);
}

static void sum_conflicts(const hm_sql_facts *f, unsigned char out[32]) {
  hm_sha256 h;
  hm_buf b = { 0 };
  hm_sha256_init(&h);
  for (size_t i = 0; i < f->n_conflicts; i++) {
    hm_buf_clear(&b);
    hm_conflict_bytes(f->conflicts[i], &b);
    hm_sha256_field(&h, hm_buf_view(&b));
  }
  hm_buf_free(&b);
  hm_sha256_end(&h, out);
}

static void sum_findings(const hm_sql_facts *f, unsigned char out[32]) {
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < f->n_findings; i++) {
    const hm_finding *x = &f->findings[i];
    const hm_str texts[] = { x->id, x->rule, x->kind, x->severity, x->project };
    for (size_t k = 0; k < HM_COUNT(texts); k++) hm_sha256_field(&h, texts[k]);
    for (size_t k = 0; k < x->n_rows; k++) hm_sha256_field(&h, x->rows[k]);
  }
  hm_sha256_end(&h, out);
}

bool hm_sql_sums_of(const hm_sql_facts *f, uint64_t seed, int threads, hm_arena *a,
                    hm_sql_sums *out) {
  unsigned char layers[5][32] = { { 0 } };
  hm_sha256 all;
  if (!f->snap->details) return false;
  sum_frame(f->snap, out->frame);
  hm_sha256_init(&all);
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    sum_layer(f->snap, (hm_layer)l, seed, threads, a, layers[l]);
    hm_sha256_add(&all, (hm_str){ (const char *)layers[l], 32 });
  }
  hm_sha256_end(&all, layers[0]);
  for (size_t t = 0; t < HM_SQL_TABLES; t++) {
    switch (hm_sql_table_holds(t)) {
      case HM_SQL_CONFLICTS: sum_conflicts(f, out->of[t]); break;
      case HM_SQL_FINDINGS: sum_findings(f, out->of[t]); break;
      case HM_SQL_FRAME: memcpy(out->of[t], out->frame, 32); break;
      default: memcpy(out->of[t], layers[hm_sql_table_layer(t)], 32);
    }
  }
  return true;
}

hm_str hm_sql_digest(const hm_sql_rule *r, const hm_sandbox_result *checked, const hm_sql_facts *f,
                     const hm_sql_sums *sums, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, HM_STR("1 " HM_VERSION));
  hm_sha256_field(&h, r->text);
  hm_sha256_field(&h, hm_worlds_digest(f->rules->worlds));
  hm_sha256_add(&h, (hm_str){ (const char *)sums->frame, 32 }); /* projects */
  if (checked->reads_now) hm_sha256_field(&h, hm_str_fmt(a, "%lld", (long long)f->snap->now));
  for (size_t t = 0; t < HM_SQL_TABLES; t++)
    if (checked->reads >> t & 1) hm_sha256_add(&h, (hm_str){ (const char *)sums->of[t], 32 });
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

bool hm_sql_findings_read(const hm_sql_rule *r, hm_str text, hm_finding_list *out) {
  hm_json *list;
  if (hm_json_parse(out->a, text, &list, NULL) || list->type != HM_JSON_ARRAY) return false;
  for (const hm_json *v = list->child; v; v = v->next) {
    const hm_json *rows = hm_json_get(v, "rows");
    hm_finding f = hm_sql_finding(r);
    if (!rows || rows->type != HM_JSON_ARRAY) return false;
    f.rows = hm_alloc_array(out->a, rows->count, sizeof *f.rows);
    for (const hm_json *x = rows->child; x; x = x->next) f.rows[f.n_rows++] = x->text;
    f.message = hm_json_get_text(v, "message");
    f.expected = hm_json_get_text(v, "expected");
    f.actual = hm_json_get_text(v, "actual");
    hm_finding_add(out, f);
  }
  return true;
}
