/* A snapshot of a few rows, and rows by their ends and their projects: see partial_snapshot.h.
 *
 * Types are few, rows of a type may be many: types are found one after another, each by one search
 * in an index, and only then rows. */
#include "core/store/partial_snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "core/store/links.h"
#include "core/store/remarks.h"
#include "core/store/snapshot_impl.h"
#include "core/store/sql_impl.h"

enum { MEMBERSHIPS, MEMBER_ROWS, STATUS, ALIASES, MAKE_INDEXES };
static const char *const SQL[] = {
  [MEMBERSHIPS] = "SELECT DISTINCT c.id, c.slot_key, c.status"
                  " FROM conflict_members m JOIN conflicts c ON c.id = m.conflict_id"
                  " WHERE m.member_kind = ?1 AND m.member_id = ?2 ORDER BY c.slot_key, c.id",
  [MEMBER_ROWS] =
      "SELECT DISTINCT member_kind, member_id FROM conflict_members WHERE conflict_id = ?1",
  [STATUS] = "SELECT status FROM conflicts WHERE id = ?1",
  [ALIASES] = "SELECT alias FROM project_aliases WHERE project = ?1",
  [MAKE_INDEXES] = "CREATE INDEX IF NOT EXISTS relations_from ON relations (from_id, type);"
                   "CREATE INDEX IF NOT EXISTS relations_to ON relations (to_id, type);"
                   "CREATE INDEX IF NOT EXISTS relations_project ON relations (project, type);"
                   "CREATE INDEX IF NOT EXISTS entities_project ON entities (project, entity_type);"
                   "CREATE INDEX IF NOT EXISTS memories_project ON memories (project);"
                   "CREATE INDEX IF NOT EXISTS project_state_project ON project_state (project)",
};

/* One layer: the requested ids and the rows read for them. */
typedef struct {
  hm_map asked;
  hm_str *ids;
  size_t n_ids, cap_ids, done; /* ids[done..] are still to be read */
  hm_row *rows;
  hm_row_detail *details;
  size_t n, cap;
} pile;

struct hm_partial {
  hm_snapshot_reader r;
  pile piles[HM_RELATION + 1];
  hm_row *round;
  size_t n_round, cap_round; /* rows of the last read */
};

hm_partial *hm_partial_new(hm_store *s, bool details, hm_arena *a) {
  hm_partial *p = memset(hm_xmalloc(sizeof *p), 0, sizeof *p);
  p->r = (hm_snapshot_reader){ .s = s,
                               .a = a,
                               .details = details,
                               .out = hm_alloc(a, sizeof(hm_snapshot)),
                               .newest = hm_newest_before(HM_TIME_MIN),
                               .lock = PTHREAD_MUTEX_INITIALIZER };
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    hm_map_init(&p->piles[l].asked, a, 8);
  return p;
}

void hm_partial_free(hm_partial *p) {
  if (!p)
    return;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    free(p->piles[l].ids);
    free(p->piles[l].rows);
    free(p->piles[l].details);
  }
  free(p->round);
  free(p->r.projects);
  free(p);
}

void hm_partial_want(hm_partial *p, hm_layer layer, hm_str id) {
  pile *l = &p->piles[layer];
  if (hm_map_get(&l->asked, id) != HM_MAP_NONE)
    return;
  l->ids = hm_array_grow(l->ids, l->n_ids, &l->cap_ids, sizeof *l->ids);
  l->ids[l->n_ids] = hm_str_dup(p->r.a, id);
  hm_map_add(&l->asked, l->ids[l->n_ids], 0);
  l->n_ids++;
}

int hm_partial_want_project(hm_partial *p, hm_str name, hm_err *err) {
  p->r.err = err;
  return hm_read_projects_named(&p->r, name);
}

static void make_room(hm_partial *p, pile *l, size_t more) {
  if (l->n + more > l->cap) {
    l->cap = 2 * l->cap + more;
    l->rows = hm_xrealloc(l->rows, l->cap * sizeof *l->rows);
    if (p->r.details)
      l->details = hm_xrealloc(l->details, l->cap * sizeof *l->details);
  }
  if (p->n_round + more > p->cap_round)
    p->round = hm_xrealloc(p->round, (p->cap_round = 2 * p->cap_round + more) * sizeof *p->round);
}

static int name_projects(hm_partial *p, hm_table_part *part) {
  for (size_t i = 0; i < part->n_projects; i++)
    if (hm_read_projects_named(&p->r, part->projects[i]))
      return -1;
  hm_adopt_part(&p->r, part);
  return 0;
}

static int read_pile(hm_partial *p, hm_layer layer) {
  pile *l = &p->piles[layer];
  size_t n = l->n_ids - l->done;
  if (!n)
    return 0;
  make_room(p, l, n);
  memset(l->rows + l->n, 0, n * sizeof *l->rows);
  if (p->r.details)
    memset(l->details + l->n, 0, n * sizeof *l->details);
  hm_table_part part = { .r = &p->r,
                         .s = p->r.s,
                         .err = p->r.err,
                         .layer = layer,
                         .ids = l->ids + l->done,
                         .n = n,
                         .rows = l->rows + l->n,
                         .details = p->r.details ? l->details + l->n : NULL };
  int rc = hm_read_part(&part);
  if (!rc)
    rc = name_projects(p, &part);
  free(part.projects);
  if (rc)
    return -1;
  if (part.got)
    memcpy(p->round + p->n_round, l->rows + l->n, part.got * sizeof *p->round);
  p->n_round += part.got;
  l->n += part.got;
  l->done = l->n_ids;
  return 0;
}

int hm_partial_read(hm_partial *p, const hm_row **rows, size_t *n, hm_err *err) {
  p->r.err = err;
  p->n_round = 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    if (read_pile(p, (hm_layer)l))
      return -1;
  *rows = p->round;
  *n = p->n_round;
  return 0;
}

static void put_together(hm_partial *p) {
  hm_snapshot *out = p->r.out;
  size_t total = 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    total += p->piles[l].n;
  out->rows = hm_alloc_array(p->r.a, total, sizeof *out->rows);
  if (p->r.details)
    out->details = hm_alloc_array(p->r.a, total, sizeof *out->details);
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    const pile *from = &p->piles[l];
    size_t at = out->first[l];
    out->first[l + 1] = at + from->n;
    if (!from->n)
      continue;
    memcpy(out->rows + at, from->rows, from->n * sizeof *out->rows);
    if (p->r.details)
      memcpy(out->details + at, from->details, from->n * sizeof *out->details);
  }
  out->n_rows = total;
}

static int by_proposal(const void *x, const void *y) {
  return hm_str_cmp(((const hm_proposal *)x)->id, ((const hm_proposal *)y)->id);
}

/* Those that are about a row that was read. */
static int read_proposals(hm_partial *p, hm_err *err) {
  hm_snapshot *out = p->r.out;
  hm_map seen;
  size_t cap = 0, n;
  hm_str *ids;
  out->n_proposals = 0;
  hm_map_init(&seen, p->r.a, 8);
  for (size_t i = 0; i < out->n_rows; i++) {
    if (hm_proposal_ids_about(p->r.s, hm_row_ref(p->r.a, &out->rows[i]), p->r.a, &ids, &n, err))
      return -1;
    for (size_t k = 0; k < n; k++) {
      size_t had = seen.n;
      bool found = false;
      hm_map_add(&seen, ids[k], 0);
      if (seen.n == had)
        continue;
      out->proposals =
          hm_array_grow_in(p->r.a, out->proposals, out->n_proposals, &cap, sizeof *out->proposals);
      if (hm_proposal_load(p->r.s, ids[k], p->r.a, &out->proposals[out->n_proposals], &found, err))
        return -1;
      out->n_proposals += found;
    }
  }
  if (out->n_proposals)
    qsort(out->proposals, out->n_proposals, sizeof *out->proposals, by_proposal);
  return 0;
}

int hm_partial_end(hm_partial *p, hm_snapshot **out, hm_err *err) {
  static const hm_time nobody = 0; /* of none: which seconds are crowded all rows say */
  const hm_row *rows;
  size_t n;
  if (hm_partial_read(p, &rows, &n, err))
    return -1;
  put_together(p);
  hm_sort_rows(&p->r);
  if (!p->r.ids.cap && hm_read_projects_named(&p->r, HM_EMPTY))
    return -1; /* no row names a project */
  hm_read_projects_end(&p->r);
  if (read_proposals(p, err))
    return -1;
  if (hm_store_now(p->r.s, &p->r.out->now, err))
    return -1;
  p->r.out->newest = p->r.out->digest = HM_EMPTY;
  p->r.out->crowded = &nobody;
  *out = p->r.out;
  return 0;
}

int hm_partial_add_conflicts_by_slot(hm_partial *p, const hm_str *slot_keys, size_t n,
                                     hm_err *err) {
  p->r.err = err;
  return hm_read_conflicts_by_slot(&p->r, slot_keys, n);
}

int hm_partial_add_conflicts_by_id(hm_partial *p, const hm_str *ids, size_t n, hm_err *err) {
  p->r.err = err;
  return hm_read_conflicts_by_id(&p->r, ids, n);
}

hm_snapshot *hm_partial_snapshot(hm_partial *p) { return p->r.out; }

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

int hm_store_member_rows(hm_store *s, hm_str conflict, hm_arena *a, hm_row_keys *out, hm_err *err) {
  hm_stmt *st;
  int rc;
  if (hm_sql_query(s, SQL[MEMBER_ROWS], HM_ARGS(hm_arg_text(conflict)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_layer layer;
    if (hm_layer_parse(hm_sql_text(st, 0, a), &layer))
      hm_row_keys_add(out, (hm_row_key){ layer, hm_sql_copy(st, 1, a) });
  }
  return rc;
}

int hm_store_conflict_status(hm_store *s, hm_str id, hm_arena *a, hm_str *status, hm_err *err) {
  return hm_sql_one(s, SQL[STATUS], HM_ARGS(hm_arg_text(id)), a, status, err);
}

/* --- which rows ------------------------------------------------------------------------------ */

/* The next type there, and rows of a type. */
typedef struct {
  hm_layer layer;
  const char *next, *rows;
} type_index;
#define TYPES(table, column, type)                                                                 \
  "SELECT min(" type ") FROM " table " WHERE " column " = ?1 AND " type " > ?2"
#define ROWS(table, column, type, more)                                                            \
  "SELECT id FROM " table " WHERE " column " = ?1 AND " type " = ?2" more " LIMIT ?3"
static const type_index AT[] = {
  { HM_RELATION, TYPES("relations", "from_id", "type"), ROWS("relations", "from_id", "type", "") },
  { HM_RELATION, TYPES("relations", "to_id", "type"), ROWS("relations", "to_id", "type", "") },
};
#define ACTIVE " AND status = 'active'"
static const type_index IN[] = {
  { HM_RELATION, TYPES("relations", "project", "type"),
    ROWS("relations", "project", "type", ACTIVE) },
  { HM_ENTITY, TYPES("entities", "project", "entity_type"),
    ROWS("entities", "project", "entity_type", ACTIVE) },
};
static const struct {
  hm_layer layer;
  const char *sql;
} ANY[] = {
  { HM_MEMORY, "SELECT id FROM memories WHERE project = ?1" ACTIVE " LIMIT ?2" },
  { HM_STATE, "SELECT id FROM project_state WHERE project = ?1" ACTIVE " LIMIT ?2" },
};
#define BY(table)                                                                                  \
  {                                                                                                \
    "SELECT id FROM " table " WHERE project = ?1 LIMIT ?2", NULL, NULL,                            \
        "SELECT id FROM " table " WHERE ?1 = '' LIMIT ?2"                                          \
  }
static const char *const WITH[HM_RELATION + 1][HM_ROWS_ALL + 1] = {
  [HM_MEMORY] = BY("memories"),
  [HM_ENTITY] = BY("entities"),
  [HM_STATE] = BY("project_state"),
  [HM_RELATION] = { "SELECT id FROM relations WHERE project = ?1 LIMIT ?2",
                    "SELECT id FROM relations WHERE from_id = ?1 LIMIT ?2",
                    "SELECT id FROM relations WHERE to_id = ?1 LIMIT ?2",
                    "SELECT id FROM relations WHERE ?1 = '' LIMIT ?2" },
};

int hm_rows_make_indexes(hm_store *s, hm_err *err) {
  return hm_sql_exec(s, SQL[MAKE_INDEXES], err) || hm_links_make_indexes(s, err) ? -1 : 0;
}

static int add_ids(hm_store *s, const char *sql, hm_layer layer, const hm_arg *args, hm_arena *a,
                   hm_row_keys *out, hm_err *err) {
  hm_stmt *st;
  int rc;
  if (hm_sql_query(s, sql, args, &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1)
    hm_row_keys_add(out, (hm_row_key){ layer, hm_sql_copy(st, 0, a) });
  return rc;
}

/* Skips empty types (NULL, ''). */
static int add_by_type(hm_store *s, const type_index *x, hm_str key, hm_wants_type *wants,
                       void *ctx, size_t max, hm_arena *a, hm_row_keys *out, hm_err *err) {
  hm_str type = HM_STR("");
  for (;;) {
    if (hm_sql_one(s, x->next, HM_ARGS(hm_arg_text(key), hm_arg_text(type)), a, &type, err))
      return -1;
    if (!type.n)
      return 0;
    hm_arg args[] = {
      hm_arg_text(key), hm_arg_text(type), hm_arg_int((int64_t)max), { .type = HM_ARG_END }
    };
    if ((!wants || wants(ctx, type)) && add_ids(s, x->rows, x->layer, args, a, out, err))
      return -1;
  }
}

int hm_relations_of_row(hm_store *s, hm_str ref, bool to, hm_wants_type *wants, void *ctx,
                        size_t max, hm_arena *a, hm_row_keys *out, hm_err *err) {
  return add_by_type(s, &AT[to], ref, wants, ctx, max, a, out, err);
}

/* The names by which rows may name a project, beside its id. */
static int read_aliases(hm_store *s, hm_str project, hm_arena *a, hm_str **out, size_t *n,
                        hm_err *err) {
  hm_stmt *st;
  if (hm_sql_query(s, SQL[ALIASES], HM_ARGS(hm_arg_text(project)), &st, err))
    return -1;
  return hm_sql_texts(s, st, a, out, n, err);
}

int hm_rows_with_key(hm_store *s, hm_layer layer, hm_rows_key by, hm_str text, size_t max,
                     hm_arena *a, hm_row_keys *out, hm_err *err) {
  const char *sql = WITH[layer][by];
  hm_str *names;
  size_t n = 0;
  if (!sql)
    return 0;
  if (by == HM_ROWS_OF_PROJECT && read_aliases(s, text, a, &names, &n, err))
    return -1;
  for (size_t i = 0; i <= n; i++) {
    hm_str name = i < n ? names[i] : text;
    if (add_ids(s, sql, layer, HM_ARGS(hm_arg_text(name), hm_arg_int((int64_t)max)), a, out, err))
      return -1;
  }
  return 0;
}

int hm_project_sample_rows(hm_store *s, hm_str project, size_t max, hm_arena *a, hm_row_keys *out,
                           hm_err *err) {
  hm_str *names;
  size_t n;
  if (read_aliases(s, project, a, &names, &n, err))
    return -1;
  for (size_t i = 0; i <= n; i++) {
    hm_str name = i < n ? names[i] : project;
    for (size_t k = 0; k < HM_COUNT(IN); k++)
      if (add_by_type(s, &IN[k], name, NULL, NULL, max, a, out, err))
        return -1;
    for (size_t k = 0; k < HM_COUNT(ANY); k++)
      if (add_ids(s, ANY[k].sql, ANY[k].layer, HM_ARGS(hm_arg_text(name), hm_arg_int((int64_t)max)),
                  a, out, err))
        return -1;
  }
  return 0;
}
