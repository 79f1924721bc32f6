/* Lookups in the store; see lookup.h. */
#include "core/store/lookup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/record/evidence.h"
#include "core/sqlite/sql.h"

/* What a project's name means, the cheapest first: declared, an alias; then (folded, which no
 * statement says) a project that only rows name. */
static const char *const PROJECT_OF[] = {
  "SELECT id FROM projects WHERE id = ?",
  "SELECT project FROM project_aliases WHERE alias = ?",
  NULL, /* folded */
  "SELECT project FROM project_state WHERE project = ? LIMIT 1",
  "SELECT project FROM entities WHERE project = ? LIMIT 1",
  "SELECT project FROM memories WHERE project = ? LIMIT 1",
  "SELECT project FROM relations WHERE project = ? LIMIT 1",
};
enum { FOLDED = 2 }; /* its place among these */

static const char *const NAMES[HM_NAME_KINDS] = {
  [HM_NAME_PROJECT] =
      "SELECT id FROM projects UNION SELECT alias FROM project_aliases"
      " UNION SELECT project FROM memories UNION SELECT project FROM entities"
      " UNION SELECT project FROM project_state UNION SELECT project FROM relations ORDER BY 1",
  [HM_NAME_MEMORY_TYPE] = "SELECT DISTINCT memory_type FROM memories ORDER BY 1",
  [HM_NAME_ENTITY_TYPE] = "SELECT DISTINCT entity_type FROM entities ORDER BY 1",
  [HM_NAME_RELATION_TYPE] = "SELECT DISTINCT type FROM relations ORDER BY 1",
};

enum {
  IS_DECLARED,
  PROJECT_WORDS,
  CONFLICT,
  VERDICTS,
  RULE_VERDICTS,
  SWEEPS,
  LAST_SWEEP,
  MEMBERSHIPS
};
static const char *const SQL[] = {
  [IS_DECLARED] = "SELECT 1 FROM projects WHERE id = ?1"
                  " UNION ALL SELECT 1 FROM project_aliases WHERE alias = ?1",
  /* An alias that is the id of another declared project does not count: ids win. */
  [PROJECT_WORDS] =
      "SELECT id, id FROM projects UNION ALL SELECT name, id FROM projects UNION ALL"
      " SELECT alias, project FROM project_aliases WHERE alias NOT IN (SELECT id FROM projects)",
  [CONFLICT] = "SELECT id, slot_key FROM conflicts WHERE id = ?1",
  [VERDICTS] = "SELECT status, count(*) FROM conflicts GROUP BY status",
  [RULE_VERDICTS] = "SELECT rule, count(*), sum(status = 'dismissed') FROM conflicts"
                    " WHERE status IN ('resolved', 'dismissed') GROUP BY rule ORDER BY rule",
  [SWEEPS] = "SELECT count(1) FROM sweep_runs",
  [LAST_SWEEP] =
      "SELECT coalesce(finished_at, started_at) FROM sweep_runs ORDER BY id DESC LIMIT 1",
  [MEMBERSHIPS] = "SELECT DISTINCT c.id, c.slot_key, c.status"
                  " FROM conflict_members m JOIN conflicts c ON c.id = m.conflict_id"
                  " WHERE m.member_kind = ?1 AND m.member_id = ?2 ORDER BY c.slot_key, c.id",
};
static const char *const ROWS[] = {
  [HM_MEMORY] = "SELECT status, count(*) FROM memories GROUP BY status ORDER BY 1",
  [HM_ENTITY] = "SELECT status, count(*) FROM entities GROUP BY status ORDER BY 1",
  [HM_STATE] = "SELECT status, count(*) FROM project_state GROUP BY status ORDER BY 1",
  [HM_RELATION] = "SELECT status, count(*) FROM relations GROUP BY status ORDER BY 1",
};

/* --- names ----------------------------------------------------------------------- */

int hm_project_name_is_declared(hm_store *s, hm_str name, bool *declared, hm_err *err) {
  return hm_sql_has(s, SQL[IS_DECLARED], HM_ARGS(hm_arg_text(name)), declared, err);
}

int hm_names_all(hm_store *s, hm_name_kind kind, hm_arena *a, hm_str **out, size_t *n,
                 hm_err *err) {
  hm_stmt *st;
  return hm_sql_cached(s, NAMES[kind], &st, err) ? -1 : hm_sql_texts(s, st, a, out, n, err);
}

static const char SOURCES[] =
    "SELECT 'memory', id, source_refs, agent FROM memories"
    " UNION ALL SELECT 'entity', id, source_refs, NULL FROM entities"
    " UNION ALL SELECT 'relation', id, source_refs, NULL FROM relations"
    " UNION ALL SELECT 'project_state', id, source, NULL FROM project_state";

/* The sources of rows, for a name that none has. */
typedef struct {
  hm_arena *a;
  hm_map seen;
  hm_known_name *v;
  size_t n, cap;
} known_sources;

static bool is_this(known_sources *k, hm_str text, hm_str source) {
  size_t had = k->seen.n;
  if (text.n)
    hm_map_add(&k->seen, text, 0);
  if (k->seen.n > had) {
    k->v = hm_array_grow_in(k->a, k->v, k->n, &k->cap, sizeof *k->v);
    k->v[k->n++] = hm_known_name_fold(text, k->a);
  }
  return hm_str_eq(text, source);
}

static int fail_source(hm_str source, const known_sources *k, hm_err *err) {
  hm_str near = hm_find_near_name(source, k->v, k->n);
  const char *fix = near.n ? hm_str_fmt(k->a, "nearest: %.*s", HM_FMT(hm_text_cut(near, 200))).p
                           : "give it whole, as the rows write it";
  return hm_fail(err, HM_E_UNKNOWN,
                 hm_str_fmt(k->a, "source '%.*s'", HM_FMT(hm_text_cut(source, 80))).p,
                 "no row has this source", fix);
}

int hm_source_rows(hm_store *s, hm_str source, hm_arena *a, hm_map *refs, hm_err *err) {
  known_sources k = { .a = hm_arena_new() };
  hm_stmt *st;
  hm_str *given;
  size_t n_given;
  int rc = hm_sql_cached(s, SOURCES, &st, err);
  hm_map_init(refs, a, 16);
  hm_map_init(&k.seen, k.a, 64);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_str kind = hm_sql_text(st, 0, NULL), agent = hm_sql_copy(st, 3, k.a), *sources;
    bool state = hm_str_is(kind, "project_state"), is = is_this(&k, agent, source);
    size_t n =
        hm_sources_parse(k.a, state ? HM_STATE : HM_ENTITY, hm_sql_copy(st, 2, k.a), &sources);
    for (size_t i = 0; i < n; i++)
      is = is_this(&k, sources[i], source) || is;
    if (is)
      hm_map_add(refs, HM_CAT(a, kind, HM_STR(":"), hm_sql_text(st, 1, NULL)), 0);
    rc = 0;
  }
  if (!rc)
    rc = hm_evidence_list_rows(s, source, a, &given, &n_given, err);
  for (size_t i = 0; !rc && i < n_given; i++)
    hm_map_add(refs, given[i], 0);
  if (!rc && !refs->n)
    rc = fail_source(source, &k, err);
  hm_arena_free(k.a);
  return rc;
}

/* --- projects, folded -------------------------------------------------------------- */

void hm_project_names_init(hm_project_names *names, hm_arena *a) {
  *names = (hm_project_names){ .ready = true, .a = a };
  hm_map_init(&names->by_fold, a, 64);
}

/* A word that means a project: its id, name or an alias. Both texts are kept as they are. */
static void project_names_add(hm_project_names *names, hm_str word, hm_str project) {
  hm_str folded = hm_str_dup(names->a, hm_text_fold_value(names->a, word));
  if (!folded.n)
    return;
  uint32_t i = hm_map_add(&names->by_fold, folded, (uint32_t)names->n);
  if (i < names->n) {
    hm_project_fit *fit = &names->fits[i];
    int d = hm_str_cmp(project, fit->project);
    if (d < 0)
      *fit = (hm_project_fit){ project, fit->project };
    else if (d > 0 && (!fit->other.n || hm_str_cmp(project, fit->other) < 0))
      fit->other = project;
    return;
  }
  names->fits = hm_array_grow_in(names->a, names->fits, names->n, &names->cap, sizeof *names->fits);
  names->fits[names->n++] = (hm_project_fit){ project, HM_EMPTY };
}

const hm_project_fit *hm_project_names_find(const hm_project_names *names, hm_str name) {
  if (!names->n || !name.n)
    return NULL;
  hm_arena *scratch = hm_arena_new();
  uint32_t i = hm_map_get(&names->by_fold, hm_text_fold_value(scratch, name));
  hm_arena_free(scratch);
  return i == HM_MAP_NONE ? NULL : &names->fits[i];
}

int hm_project_names_read(hm_store *s, hm_arena *a, hm_project_names *out, hm_err *err) {
  hm_stmt *st;
  int rc;
  hm_project_names_init(out, a);
  if (hm_sql_cached(s, SQL[PROJECT_WORDS], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1)
    project_names_add(out, hm_sql_text(st, 0, a), hm_sql_copy(st, 1, a));
  return rc;
}

static uint32_t find_exact(const hm_snapshot *snap, hm_str name) {
  for (size_t i = 0; i < snap->n_projects; i++)
    if (hm_str_eq(snap->projects[i].id, name))
      return (uint32_t)i;
  for (size_t i = 0; i < snap->n_projects; i++)
    for (size_t k = 0; k < snap->projects[i].n_aliases; k++)
      if (hm_str_eq(snap->projects[i].aliases[k], name))
        return (uint32_t)i;
  return HM_MAP_NONE;
}

uint32_t hm_snapshot_project(const hm_snapshot *snap, hm_str name, hm_arena *a,
                             hm_project_fit *fit) {
  hm_project_names names;
  uint32_t found = find_exact(snap, name);
  *fit = (hm_project_fit){ HM_EMPTY, HM_EMPTY };
  if (found != HM_MAP_NONE)
    return found;
  hm_project_names_init(&names, a);
  for (size_t i = 0; i < snap->n_projects; i++) {
    const hm_project *p = &snap->projects[i];
    project_names_add(&names, p->id, p->id);
    project_names_add(&names, p->name, p->id);
    for (size_t k = 0; k < p->n_aliases; k++)
      project_names_add(&names, p->aliases[k], p->id);
  }
  const hm_project_fit *folded = hm_project_names_find(&names, name);
  if (folded)
    *fit = *folded;
  return folded && !folded->other.n ? find_exact(snap, folded->project) : HM_MAP_NONE;
}

int hm_project_fail_unknown(hm_str name, const hm_project_fit *fit, hm_err *err) {
  hm_str one = hm_text_cut(fit->project, 60), two = hm_text_cut(fit->other, 60);
  char what[80], why[160] = "there is none";
  snprintf(what, sizeof what, "project '%.*s'", HM_FMT(hm_text_cut(name, 60)));
  if (two.n)
    snprintf(why, sizeof why, "'%.*s' and '%.*s' fit", HM_FMT(one), HM_FMT(two));
  return hm_fail(err, HM_E_UNKNOWN, what, why,
                 two.n ? "give the id of one" : "give the id, an alias or the name of a project");
}

/* --- projects of the store ------------------------------------------------------------ */

/* The id of the declared project that the name means: by id, alias or folded name; empty: none.
 * fit: the projects that fit when folded. names: read on demand. */
static int find_declared(hm_store *s, hm_str name, hm_arena *a, hm_project_names *names,
                         hm_project_fit *fit, hm_str *id, hm_err *err) {
  *id = HM_EMPTY;
  for (size_t i = 0; i < FOLDED && !id->n && name.n; i++)
    if (hm_sql_one(s, PROJECT_OF[i], HM_ARGS(hm_arg_text(name)), a, id, err))
      return -1;
  if (id->n || !name.n)
    return 0;
  if (!names->ready && hm_project_names_read(s, a, names, err))
    return -1;
  const hm_project_fit *found = hm_project_names_find(names, name);
  if (found)
    *fit = *found;
  if (found && !found->other.n)
    *id = found->project;
  return 0;
}

int hm_lookup_project(hm_store *s, hm_str name, hm_arena *a, hm_str *id, hm_err *err) {
  bool mine;
  hm_project_fit fit = { HM_EMPTY, HM_EMPTY };
  hm_project_names names = { .ready = false };
  *id = HM_EMPTY;
  if (!name.n)
    return 0; /* the global project is always there */
  if (hm_store_txn(s, false, &mine, err))
    return -1;
  int rc = find_declared(s, name, a, &names, &fit, id, err);
  for (size_t i = FOLDED + 1; i < HM_COUNT(PROJECT_OF) && !id->n && !rc; i++)
    rc = hm_sql_one(s, PROJECT_OF[i], HM_ARGS(hm_arg_text(name)), a, id, err);
  if (hm_store_txn_end(s, mine, rc, err))
    return -1;
  return id->n ? 0 : hm_project_fail_unknown(name, &fit, err);
}

/* As a row's project is read. */
int hm_lookup_project_id(hm_store *s, hm_str name, hm_arena *a, hm_str *id, hm_err *err) {
  hm_project_names names = { .ready = false };
  hm_project_fit fit;
  if (find_declared(s, name, a, &names, &fit, id, err))
    return -1;
  if (!id->n)
    *id = hm_str_dup(a, name);
  return 0;
}

/* --- conflicts -------------------------------------------------------------------------- */

int hm_lookup_conflict(hm_store *s, hm_str id, hm_arena *a, hm_conflict_place *out, hm_err *err) {
  bool mine, found = false;
  hm_stmt *st;
  if (hm_store_txn(s, false, &mine, err))
    return -1;
  int rc = hm_sql_query(s, SQL[CONFLICT], HM_ARGS(hm_arg_text(id)), &st, err);
  if (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    *out = (hm_conflict_place){ hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a) };
    found = true;
    hm_sql_reset(st);
  }
  if (hm_store_txn_end(s, mine, rc < 0 ? -1 : 0, err))
    return -1;
  return found
      ? 0
      : hm_fail(err, HM_E_UNKNOWN, hm_str_fmt(a, "conflict '%.*s'", HM_FMT(hm_text_cut(id, 60))).p,
                "there is none", "list them all, of any status");
}

/* --- how many ---------------------------------------------------------------------------- */

static int count_verdicts(hm_store *s, int64_t counts[HM_N_VERDICTS], hm_err *err) {
  hm_stmt *st;
  int rc;
  if (hm_sql_cached(s, SQL[VERDICTS], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1)
    for (hm_verdict v = HM_OPEN; v < HM_N_VERDICTS; v++)
      if (hm_str_is(hm_sql_text(st, 0, NULL), hm_verdict_name(v)))
        counts[v] = hm_sql_number(st, 1);
  return rc;
}

int hm_store_count_verdicts(hm_store *s, int64_t counts[HM_N_VERDICTS], hm_err *err) {
  bool mine;
  memset(counts, 0, HM_N_VERDICTS * sizeof *counts);
  if (hm_store_txn(s, false, &mine, err))
    return -1;
  return hm_store_txn_end(s, mine, count_verdicts(s, counts, err), err);
}

int hm_store_rule_verdicts(hm_store *s, hm_arena *a, hm_rule_verdicts **out, size_t *n,
                           hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_cached(s, SQL[RULE_VERDICTS], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] =
        (hm_rule_verdicts){ hm_sql_copy(st, 0, a), hm_sql_number(st, 1), hm_sql_number(st, 2) };
  }
  hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

static int count_all(hm_store *s, hm_arena *a, hm_store_counts *out, hm_err *err) {
  const struct {
    const char *sql;
    int64_t *to;
  } tables[] = {
    { "SELECT count(1) FROM projects", &out->projects },
    { "SELECT count(1) FROM links", &out->links },
    { "SELECT count(1) FROM findings", &out->findings },
    { SQL[SWEEPS], &out->sweeps },
    { "SELECT count(1) FROM journal", &out->journal },
  };
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    hm_stmt *st;
    int rc;
    if (hm_sql_cached(s, ROWS[l], &st, err))
      return -1;
    while ((rc = hm_sql_step(s, st, err)) == 1) {
      hm_status is = hm_status_parse(hm_sql_text(st, 0, a));
      int64_t n = hm_sql_number(st, 1);
      out->rows[l][is] += n;
      if (is == HM_STATUS_OTHER && out->n_statuses < HM_UNREAD_MAX)
        out->statuses[out->n_statuses++] =
            (hm_unread){ (hm_layer)l, "status", n, HM_EMPTY, hm_sql_copy(st, 0, a) };
    }
    if (rc)
      return -1;
  }
  for (size_t i = 0; i < HM_COUNT(tables); i++)
    if (hm_sql_int(s, tables[i].sql, tables[i].to, err))
      return -1;
  if (count_verdicts(s, out->conflicts, err))
    return -1;
  return hm_sql_one(s, SQL[LAST_SWEEP], NULL, a, &out->last_sweep, err);
}

int hm_store_count(hm_store *s, hm_arena *a, hm_store_counts *out, hm_err *err) {
  bool mine;
  memset(out, 0, sizeof *out);
  if (hm_store_txn(s, false, &mine, err))
    return -1;
  return hm_store_txn_end(s, mine, count_all(s, a, out, err), err);
}

int hm_store_count_sweeps(hm_store *s, int64_t *n, hm_err *err) {
  return hm_sql_int(s, SQL[SWEEPS], n, err);
}

int hm_store_memberships(hm_store *s, hm_layer layer, hm_str id, hm_arena *a, hm_membership **out,
                         size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_query(s, SQL[MEMBERSHIPS],
                   HM_ARGS(hm_arg_text(hm_str_c(hm_layer_name(layer))), hm_arg_text(id)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = (hm_membership){ hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a),
                                      hm_verdict_parse(hm_sql_text(st, 2, a)) };
  }
  return rc;
}
