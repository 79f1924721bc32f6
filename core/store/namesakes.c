/* Entities that share project, type and name, the sources that say them, and when they came;
 * projects that share a name, and when the first of their rows came.
 *
 * Two people of one name in one register are two people: whoever compares entities by their names
 * (core/claim/things.c) asks by which imports they came. And of two pages of one name the one that
 * came first keeps its address (gen/page/paths.c). Only these rows are looked up. Cost: a fold of
 * the names of all entities, a sort of their hashes, a lookup for each namesake. */
#include <stdlib.h>

#include "core/base/digest.h"
#include "core/base/slug.h"
#include "core/base/text.h"
#include "core/store/snapshot_impl.h"
#include "core/base/sort.h"

/* Of each source of an import; what an import says of a row is kept by (ref, source). */
static const char SOURCES[] = "SELECT source FROM evidence WHERE ref = ?1 ORDER BY source";
static const char OLD[] = "SELECT source FROM import_sources WHERE ref = ?1 ORDER BY source";

/* The lines of a command have one time. A restored store has it of the export. */
static const char CAME[] =
    "SELECT coalesce((SELECT min(history ->> '$.came') FROM evidence WHERE ref = ?1),"
    " (SELECT at FROM journal WHERE ref = ?1 ORDER BY seq LIMIT 1))";
static const char OLD_CAME[] = "SELECT at FROM journal WHERE ref = ?1 ORDER BY seq LIMIT 1";

typedef struct {
  uint64_t hash;
  uint32_t row;
} named_row;

/* What no two file names of a folder share, in the letters of any script: names that do so in ASCII
 * alone do so here, too. */
static hm_str folded_slug(hm_arena *a, hm_str name) {
  return hm_slug_fold(a, hm_text_slug(a, name, HM_SLUG_OWN));
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
    uint64_t of_name = hm_str_hash(folded_slug(scratch, r->name));
    out[n++] = (named_row){ hm_hash_mix(hm_hash_mix(r->project, of_type), of_name), (uint32_t)i };
  }
  if (n)
    qsort(out, n, sizeof *out, hm_order_u64_u32);
  hm_arena_free(scratch);
  return n;
}

static int find_came(hm_store *s, hm_str ref, hm_arena *a, hm_str *came, hm_err *err) {
  hm_stmt *st;
  *came = HM_EMPTY;
  if (hm_sql_cached(s, s->version < HM_STORE_EVIDENCE_VERSION ? OLD_CAME : CAME, &st, err))
    return -1;
  hm_sql_bind(st, 1, ref);
  int rc = hm_sql_step(s, st, err);
  if (rc == 1)
    *came = hm_sql_copy(st, 0, a);
  hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

static int read_came(hm_snapshot_reader *r, uint32_t row, hm_str *came) {
  return find_came(r->s, hm_row_ref(r->a, &r->out->rows[row]), r->a, came, r->err);
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
    uint32_t first = hm_map_add(&at, folded_slug(scratch, s->projects[i].id), i);
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
    qsort(r->out->sources, s->n_sources, sizeof *s->sources, hm_order_u32_str);
  free(v);
  return rc;
}

/* --- for an export --------------------------------------------------------------------------- */

typedef struct {
  uint64_t hash;
  hm_str ref;
} named_ref;

static int by_name(const void *x, const void *y) {
  const named_ref *a = x, *b = y;
  if (a->hash != b->hash)
    return a->hash < b->hash ? -1 : 1;
  return hm_str_cmp(a->ref, b->ref);
}

/* Entities that may have a page, by a hash of project, type and name as file names have it. */
static int list_refs(hm_store *s, hm_arena *a, named_ref **out, size_t *n, hm_err *err) {
  static const char all[] = "SELECT project, entity_type, name, 'entity:' || id FROM entities"
                            " WHERE status <> 'candidate' AND name <> ''";
  hm_stmt *st;
  size_t cap = 0;
  hm_arena *scratch = hm_arena_new();
  int rc = hm_sql_prepare(s, all, &st, err);
  *out = NULL;
  *n = 0;
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(scratch);
    hm_str project = hm_sql_copy(st, 0, scratch), type = hm_sql_copy(st, 1, scratch),
           name = hm_sql_copy(st, 2, scratch);
    uint64_t hash = hm_hash_mix(
        hm_hash_mix(hm_str_hash(project), hm_str_hash(hm_text_fold_name(scratch, type))),
        hm_str_hash(folded_slug(scratch, name)));
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = (named_ref){ hash, hm_sql_copy(st, 3, a) };
    rc = 0;
  }
  hm_sql_finalize(st);
  hm_arena_free(scratch);
  if (!rc && *n)
    qsort(*out, *n, sizeof **out, by_name);
  return rc;
}

typedef struct {
  hm_store *s;
  hm_arena *a;
  hm_map *at; /* row -> its place in came */
  hm_str *came;
  size_t n, cap;
  hm_err *err;
} came_list;

/* Unless what is said of the row tells it already. */
static int list_came(came_list *l, hm_str ref, hm_str came) {
  static const char told[] = "SELECT 1 FROM evidence WHERE ref = ?1 AND history ->> '$.came' <> ''";
  bool is_told;
  if (hm_sql_has(l->s, told, HM_ARGS(hm_arg_text(ref)), &is_told, l->err))
    return -1;
  if (is_told || hm_map_add(l->at, ref, (uint32_t)l->n) != l->n)
    return 0;
  l->came = hm_array_grow_in(l->a, l->came, l->n, &l->cap, sizeof *l->came);
  l->came[l->n++] = came;
  return 0;
}

static int list_namesakes(came_list *l) {
  named_ref *v;
  size_t n;
  if (list_refs(l->s, l->a, &v, &n, l->err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    hm_str came;
    if ((!i || v[i - 1].hash != v[i].hash) && (i + 1 == n || v[i + 1].hash != v[i].hash))
      continue;
    if (find_came(l->s, v[i].ref, l->a, &came, l->err) || list_came(l, v[i].ref, came))
      return -1;
  }
  return 0;
}

#define ROWS_OF(kind, table) "SELECT '" kind ":' || id AS ref, project FROM " table
#define ALL_ROWS                                                                                   \
  ROWS_OF("memory", "memories")                                                                    \
  " UNION ALL " ROWS_OF("entity", "entities") " UNION ALL " ROWS_OF(                               \
      "project_state", "project_state") " UNION ALL " ROWS_OF("relation", "relations")

/* The row of the project that came first. */
static int list_first_row(came_list *l, hm_str project) {
  static const char rows[] = "SELECT ref FROM (" ALL_ROWS ") WHERE project = ?1 ORDER BY ref";
  hm_str first = HM_EMPTY, first_came = HM_EMPTY, came;
  hm_stmt *st = NULL;
  int rc = hm_sql_prepare(l->s, rows, &st, l->err);
  if (!rc)
    hm_sql_bind(st, 1, project);
  while (!rc && (rc = hm_sql_step(l->s, st, l->err)) == 1) {
    hm_str ref = hm_sql_copy(st, 0, l->a);
    rc = find_came(l->s, ref, l->a, &came, l->err);
    if (rc || (first.n && hm_str_cmp(came, first_came) >= 0))
      continue;
    first = ref;
    first_came = came;
  }
  hm_sql_finalize(st);
  return rc ? -1 : list_came(l, first, first_came);
}

/* Of projects that rows alone name, and that share an address with another. */
static int list_projects(came_list *l) {
  static const char all[] =
      "SELECT id, 1 FROM projects UNION SELECT DISTINCT project, 0 FROM (" ALL_ROWS
      ") WHERE project <> '' AND project NOT IN (SELECT id FROM projects)"
      " AND project NOT IN (SELECT alias FROM project_aliases)";
  named_ref *v = NULL;
  size_t n = 0, cap = 0;
  hm_stmt *st = NULL;
  int rc = hm_sql_prepare(l->s, all, &st, l->err);
  while (!rc && (rc = hm_sql_step(l->s, st, l->err)) == 1) {
    hm_str id = hm_sql_copy(st, 0, l->a);
    v = hm_array_grow_in(l->a, v, n, &cap, sizeof *v);
    v[n++] =
        (named_ref){ hm_str_hash(folded_slug(l->a, id)), hm_sql_number(st, 1) ? HM_EMPTY : id };
    rc = 0;
  }
  hm_sql_finalize(st);
  if (!rc && n)
    qsort(v, n, sizeof *v, by_name);
  for (size_t i = 0; i < n && !rc; i++)
    if (v[i].ref.n &&
        ((i && v[i - 1].hash == v[i].hash) || (i + 1 < n && v[i + 1].hash == v[i].hash)))
      rc = list_first_row(l, v[i].ref);
  return rc;
}

int hm_namesakes_came(hm_store *s, hm_arena *a, hm_map *at, hm_str **came, hm_err *err) {
  came_list l = { .s = s, .a = a, .at = at, .err = err };
  hm_map_init(at, a, 16);
  if (list_namesakes(&l) || list_projects(&l))
    return -1;
  *came = l.came;
  return 0;
}
