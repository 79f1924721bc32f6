#include "core/store/snapshot.h"
#include <stdlib.h>
#include <string.h>

static uint32_t add_project(hm_reader *r, hm_project p) {
  if (r->n_projects == r->cap_projects) {
    r->cap_projects = r->cap_projects ? 2 * r->cap_projects : 64;
    r->projects = hm_xrealloc(r->projects, r->cap_projects * sizeof p);
  }
  r->projects[r->n_projects] = p;
  hm_map_add(&r->ids, p.id, (uint32_t)r->n_projects);
  return (uint32_t)r->n_projects++;
}

#define DECLARED "SELECT id, name, description, created_at, updated_at FROM projects "

/* st: of DECLARED. */
static int read_declared(hm_reader *r, sqlite3_stmt *st) {
  int rc;
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    hm_project p = {
      .id = hm_sql_copy(st, 0, r->a),
      .name = hm_sql_copy(st, 1, r->a),
      .description = hm_sql_copy(st, 2, r->a),
      .created_at = hm_sql_copy(st, 3, r->a),
      .updated_at = hm_sql_copy(st, 4, r->a),
      .declared = true,
    };
    if (hm_map_get(&r->ids, p.id) != HM_MAP_NONE && r->s->theirs)
      return hm_read_twice(r, "project", p.id);
    if (hm_map_get(&r->ids, p.id) != HM_MAP_NONE) continue;
    add_project(r, p);
  }
  return rc;
}

static int by_alias(const void *x, const void *y) {
  const hm_alias *a = x, *b = y;
  int c = hm_str_cmp(a->alias, b->alias);
  return c ? c : hm_str_cmp(a->project, b->project);
}

static int read_aliases(hm_reader *r) {
  size_t n;
  sqlite3_stmt *st;
  int rc;
  if (hm_read_count(r, "SELECT count(1) FROM project_aliases", &n)) return -1;
  r->aliases = hm_alloc_array(r->a, n, sizeof *r->aliases);
  if (hm_sql_cached(r->s, "SELECT alias, project FROM project_aliases", &st, r->err)) return -1;
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    if (r->n_aliases == n) return hm_read_overrun(r, r->err);
    r->aliases[r->n_aliases++] = (hm_alias){ hm_sql_copy(st, 0, r->a), hm_sql_copy(st, 1, r->a) };
  }
  if (n) qsort(r->aliases, r->n_aliases, sizeof *r->aliases, by_alias);
  for (size_t i = 1; i < r->n_aliases && !rc; i++)
    if (hm_str_eq(r->aliases[i - 1].alias, r->aliases[i].alias) &&
        !hm_str_eq(r->aliases[i - 1].project, r->aliases[i].project))
      return hm_read_twice(r, "project_aliases", r->aliases[i].alias);
  hm_map_init(&r->alias_of, r->a, r->n_aliases);
  for (size_t i = 0; i < r->n_aliases; i++)
    hm_map_add(&r->alias_of, r->aliases[i].alias, (uint32_t)i);
  return rc;
}

int hm_read_projects(hm_reader *r) {
  sqlite3_stmt *st;
  hm_map_init(&r->ids, r->a, 64);
  if (hm_sql_cached(r->s, DECLARED "ORDER BY id", &st, r->err)) return -1;
  if (read_declared(r, st) || read_aliases(r)) return -1;
  return hm_project_names_read(r->s, r->a, &r->names, r->err);
}

static void add_alias(hm_reader *r, hm_alias alias) {
  if (r->n_aliases == r->cap_aliases) {
    hm_alias *more = hm_alloc_array(r->a, r->cap_aliases = 2 * r->cap_aliases + 8, sizeof *more);
    if (r->n_aliases) memcpy(more, r->aliases, r->n_aliases * sizeof *more);
    r->aliases = more;
  }
  hm_map_add(&r->alias_of, alias.alias, (uint32_t)r->n_aliases);
  r->aliases[r->n_aliases++] = alias;
}

static int read_alias_named(hm_reader *r, hm_str name, hm_str *target) {
  sqlite3_stmt *st;
  *target = name;
  if (hm_sql_cached(r->s, "SELECT project FROM project_aliases WHERE alias = ?1", &st, r->err))
    return -1;
  hm_sql_bind(st, 1, name);
  int rc = hm_sql_step(r->s, st, r->err);
  if (rc != 1) return rc;
  *target = hm_sql_copy(st, 0, r->a);
  add_alias(r, (hm_alias){ hm_str_dup(r->a, name), *target });
  sqlite3_reset(st);
  return 0;
}

static int read_declared_named(hm_reader *r, hm_str id) {
  sqlite3_stmt *st;
  if (hm_map_get(&r->ids, id) != HM_MAP_NONE) return 0;
  if (hm_sql_cached(r->s, DECLARED "WHERE id = ?1", &st, r->err)) return -1;
  hm_sql_bind(st, 1, id);
  return read_declared(r, st);
}

static bool is_declared(const hm_reader *r, hm_str name) {
  uint32_t i = hm_map_get(&r->ids, name);
  return i != HM_MAP_NONE && r->projects[i].declared;
}

static bool is_exact(const hm_reader *r, hm_str name) {
  return is_declared(r, name) || hm_map_get(&r->alias_of, name) != HM_MAP_NONE;
}

int hm_read_projects_named(hm_reader *r, hm_str name) {
  hm_str target;
  if (!r->ids.cap) {
    hm_map_init(&r->ids, r->a, 8);
    hm_map_init(&r->alias_of, r->a, 8);
    hm_map_init(&r->named, r->a, 8);
  }
  if (hm_map_get(&r->named, name) != HM_MAP_NONE) return 0;
  hm_map_add(&r->named, hm_str_dup(r->a, name), 0);
  if (read_declared_named(r, name) || read_alias_named(r, name, &target)) return -1;
  if (read_declared_named(r, target)) return -1;
  if (!name.n || is_exact(r, name)) return 0;
  if (!r->names.ready && hm_project_names_read(r->s, r->a, &r->names, r->err)) return -1;
  const hm_project_fit *fit = hm_project_names_find(&r->names, name);
  return fit && !fit->other.n ? read_declared_named(r, fit->project) : 0;
}

hm_str hm_read_project_id(const hm_reader *r, hm_str name) {
  uint32_t alias = hm_map_get(&r->alias_of, name);
  if (is_declared(r, name)) return name;
  if (alias != HM_MAP_NONE) return r->aliases[alias].project;
  const hm_project_fit *fit = hm_project_names_find(&r->names, name);
  return fit && !fit->other.n ? fit->project : name;
}

/* Of each part once, so some come twice. */
static void note_loose(hm_reader *r, hm_str name) {
  hm_snapshot *out = r->out;
  if (!(out->n_loose & (out->n_loose - 1))) {   /* full at each power of two */
    hm_str *more = hm_alloc_array(r->a, 2 * out->n_loose + 1, sizeof *more);
    if (out->n_loose) memcpy(more, out->loose, out->n_loose * sizeof *more);
    out->loose = more;
  }
  out->loose[out->n_loose++] = hm_str_dup(r->a, name);
}

uint32_t hm_read_project(hm_reader *r, hm_str name) {
  hm_str id = hm_read_project_id(r, name);
  if (!is_exact(r, name) && !hm_str_eq(id, name)) note_loose(r, name);
  uint32_t i = hm_map_get(&r->ids, id);
  if (i != HM_MAP_NONE) return i;
  hm_project p = { .id = hm_str_dup(r->a, id),
                   .name = HM_EMPTY,
                   .description = HM_EMPTY,
                   .created_at = HM_EMPTY,
                   .updated_at = HM_EMPTY,
                   .fits = { HM_EMPTY, HM_EMPTY } };
  const hm_project_fit *fit = hm_str_eq(id, name) ? hm_project_names_find(&r->names, id) : NULL;
  if (fit && fit->other.n) p.fits[0] = fit->project, p.fits[1] = fit->other;
  return add_project(r, p);
}

/* The aliases are sorted, so each project gets its own in order. */
static void give_aliases(hm_reader *r) {
  for (size_t i = 0; i < r->n_aliases; i++) {
    uint32_t p = hm_map_get(&r->ids, r->aliases[i].project);
    if (p != HM_MAP_NONE) r->projects[p].n_aliases++;
  }
  for (size_t p = 0; p < r->n_projects; p++) {
    r->projects[p].aliases = hm_alloc_array(r->a, r->projects[p].n_aliases, sizeof(hm_str));
    r->projects[p].n_aliases = 0;
  }
  for (size_t i = 0; i < r->n_aliases; i++) {
    uint32_t p = hm_map_get(&r->ids, r->aliases[i].project);
    if (p == HM_MAP_NONE) continue;
    hm_project *to = &r->projects[p];
    to->aliases[to->n_aliases++] = r->aliases[i].alias;
  }
}

void hm_read_projects_end(hm_reader *r) {
  size_t n = r->n_projects;
  uint32_t *order = hm_xmalloc((n + 1) * sizeof *order),
           *number = hm_xmalloc((n + 1) * sizeof *number);
  give_aliases(r);
  if (!n || !hm_sort_order(&r->projects->id, sizeof *r->projects, n, order))
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
  r->out->projects = hm_alloc_array(r->a, n, sizeof *r->projects);
  r->out->n_projects = n;
  for (size_t i = 0; i < n; i++) {
    r->out->projects[i] = r->projects[order[i]];
    number[order[i]] = (uint32_t)i;
  }
  for (size_t i = 0; i < r->out->n_rows; i++)
    r->out->rows[i].project = number[r->out->rows[i].project];
  free(order);
  free(number);
}
