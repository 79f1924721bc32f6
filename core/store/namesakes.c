/* Entities that share project, type and name, the sources that say them, and when they came;
 * projects that share a name, and when the first of their rows came.
 *
 * Two people of one name in one register are two people: whoever compares entities by their names
 * (core/claim/things.c) asks by which imports they came. And of two pages of one name the one that
 * came first keeps its address (gen/page/paths.c). Only these rows are looked up. Cost: a fold of
 * the names of all entities, a sort of their hashes, a lookup for each namesake. */
#include <stdlib.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/store/snapshot_impl.h"

/* Of each source of an import; what an import says of a row is kept by (ref, source). */
static const char SOURCES[] = "SELECT source FROM evidence WHERE ref = ?1 ORDER BY source";
static const char OLD[] = "SELECT source FROM import_sources WHERE ref = ?1 ORDER BY source";

/* The lines of a command have one time. */
static const char CAME[] = "SELECT at FROM journal WHERE ref = ?1 ORDER BY seq LIMIT 1";

typedef struct {
  uint64_t hash;
  uint32_t row;
} named_row;

static int by_hash(const void *x, const void *y) {
  const named_row *a = x, *b = y;
  if (a->hash != b->hash)
    return a->hash < b->hash ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

static int by_row(const void *x, const void *y) {
  const hm_row_source *a = x, *b = y;
  if (a->row != b->row)
    return a->row < b->row ? -1 : 1;
  return hm_str_cmp(a->source, b->source);
}

/* Entities that may have a page, by a hash of project, type and name as file names have it. */
static size_t list_named(const hm_snapshot *s, named_row *out) {
  hm_arena *scratch = hm_arena_new();
  hm_str type = HM_EMPTY;
  uint64_t of_type = 0;
  size_t n = 0;
  for (size_t i = s->first[HM_ENTITY]; i < s->first[HM_ENTITY + 1]; i++) {
    const hm_row *r = &s->rows[i];
    if (r->status == HM_CANDIDATE || !r->name.n)
      continue;
    hm_arena_reset(scratch);
    if (!of_type || r->type.p != type.p || r->type.n != type.n)
      of_type = hm_str_hash(hm_text_fold_name(scratch, r->type));
    type = r->type;
    uint64_t of_name = hm_str_hash(hm_text_slug(scratch, r->name));
    out[n++] = (named_row){ hm_hash_mix(hm_hash_mix(r->project, of_type), of_name), (uint32_t)i };
  }
  if (n)
    qsort(out, n, sizeof *out, by_hash);
  hm_arena_free(scratch);
  return n;
}

static int read_came(hm_snapshot_reader *r, uint32_t row, hm_str *came) {
  hm_stmt *st;
  *came = HM_EMPTY;
  if (hm_sql_cached(r->s, CAME, &st, r->err))
    return -1;
  hm_sql_bind(st, 1, hm_row_ref(r->a, &r->out->rows[row]));
  int rc = hm_sql_step(r->s, st, r->err);
  if (rc == 1)
    *came = hm_sql_copy(st, 0, r->a);
  hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

static int read_sources(hm_snapshot_reader *r, uint32_t row, size_t *cap) {
  hm_snapshot *out = r->out;
  hm_stmt *st;
  hm_str came;
  int rc;
  if (read_came(r, row, &came) ||
      hm_sql_cached(r->s, r->s->version < HM_STORE_EVIDENCE_VERSION ? OLD : SOURCES, &st, r->err))
    return -1;
  hm_sql_bind(st, 1, hm_row_ref(r->a, &out->rows[row]));
  size_t before = out->n_sources;
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    out->sources = hm_array_grow_in(r->a, out->sources, out->n_sources, cap, sizeof *out->sources);
    out->sources[out->n_sources++] = (hm_row_source){ row, hm_sql_copy(st, 0, r->a), came };
  }
  if (rc || out->n_sources > before)
    return rc;
  out->sources = hm_array_grow_in(r->a, out->sources, out->n_sources, cap, sizeof *out->sources);
  out->sources[out->n_sources++] = (hm_row_source){ row, HM_EMPTY, came };
  return 0;
}

/* Sets `came` of undeclared projects that share a name. */
static int read_projects(hm_snapshot_reader *r) {
  const hm_snapshot *s = r->out;
  hm_arena *scratch = hm_arena_new();
  bool *shared = hm_alloc_array(scratch, s->n_projects, sizeof *shared), any = false;
  hm_map at;
  int rc = 0;
  hm_map_init(&at, scratch, s->n_projects);
  for (uint32_t i = 0; i < s->n_projects; i++) {
    uint32_t first = hm_map_add(&at, hm_text_slug(scratch, s->projects[i].id), i);
    if (first != i)
      shared[first] = shared[i] = any = true;
  }
  for (uint32_t i = 0; any && i < s->n_rows && !rc; i++) {
    hm_project *p = &r->out->projects[s->rows[i].project];
    hm_str came = HM_EMPTY;
    if (p->declared || !shared[s->rows[i].project])
      continue;
    rc = read_came(r, i, &came);
    if (!p->came.p || hm_str_cmp(came, p->came) < 0)
      p->came = came;
  }
  hm_arena_free(scratch);
  return rc;
}

int hm_read_namesakes(hm_snapshot_reader *r) {
  const hm_snapshot *s = r->out;
  size_t n = s->first[HM_ENTITY + 1] - s->first[HM_ENTITY], cap = 0;
  int rc = 0;
  if (r->s->theirs || r->s->version < HM_STORE_SOURCES_VERSION)
    return 0;
  if (read_projects(r))
    return -1;
  named_row *v = hm_xmalloc(n * sizeof *v);
  n = list_named(s, v);
  for (size_t i = 0; i < n && !rc; i++) {
    bool shared = (i && v[i - 1].hash == v[i].hash) || (i + 1 < n && v[i + 1].hash == v[i].hash);
    rc = shared ? read_sources(r, v[i].row, &cap) : 0;
  }
  if (s->n_sources)
    qsort(r->out->sources, s->n_sources, sizeof *s->sources, by_row);
  free(v);
  return rc;
}
