/* What a snapshot has beside the four layers: projects and their aliases, links, recorded conflicts
 * with their members, findings.
 *
 * A row may name its project by the id of a declared one, else by an alias, else by a name that
 * fits one declared project when folded (lookup.h); any other name is a project of its own. */
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/record/records.h"
#include "core/store/remarks.h"
#include "core/store/snapshot_impl.h"
#include "core/store/verdict_lines.h"

#define DECLARED "SELECT id, name, description, created_at, updated_at FROM projects "
#define CONFLICTS(since_3)                                                                         \
  "SELECT id, slot_kind, slot_key, project, status, detected_at, resolved_at, resolution,"         \
  " resolved_by, action, winner, rule, rule_version, " since_3 " FROM conflicts"
#define CONFLICTS_V11                                                                              \
  CONFLICTS("anchor, merged_into, window_from, window_until, scope, winner_source")
#define CONFLICTS_V3 CONFLICTS("anchor, merged_into, window_from, window_until, scope, NULL")
#define CONFLICTS_V2 CONFLICTS("NULL, NULL, NULL, NULL, NULL, NULL")
/* For a store before version 3, which is read without migration; before version 11; for later
 * ones. */
static const char *const SQL_CONFLICTS[] = { CONFLICTS_V2, CONFLICTS_V3, CONFLICTS_V11 };
static const char *const SQL_MEMBERS[] = {
  "SELECT conflict_id, " HM_MEMBER_COLUMNS_V2 " FROM conflict_members",
  "SELECT conflict_id, " HM_MEMBER_COLUMNS_V10 " FROM conflict_members",
  "SELECT conflict_id, " HM_MEMBER_COLUMNS " FROM conflict_members",
};
/* The conflicts that imported verdicts settled, and still do; not those settled here before. */
#define SQL_FROM_FILES                                                                             \
  "SELECT c.id FROM verdicts v JOIN conflicts c ON c.id = v.target"                                \
  " WHERE v.state = 'applied' AND c.resolved_at IS json_extract(v.record, '$.resolved_at')"        \
  " AND c.resolved_by IS json_extract(v.record, '$.resolved_by')"                                  \
  " AND (SELECT min(seq) FROM journal WHERE ref = 'verdict:' || v.id) <"                           \
  " (SELECT max(seq) FROM journal WHERE ref = 'conflict:' || c.id"                                 \
  " AND verb IN ('dismiss', 'resolve'))"
#define SELECT_FINDINGS(since_5)                                                                   \
  "SELECT id, kind, severity, rule, project, \"rows\", message, expected, actual, " since_5        \
  " FROM findings ORDER BY rowid"
enum { PROJECTS, ALIASES, LINKS, FINDINGS_V4, FINDINGS_V5, FINDINGS };
static const char *const SQL[] = {
  [PROJECTS] = DECLARED "ORDER BY id",
  [ALIASES] = "SELECT alias, project FROM project_aliases",
  [LINKS] = "SELECT src, dst, rel FROM links",
  [FINDINGS_V4] = SELECT_FINDINGS("'', NULL, 0"),
  [FINDINGS_V5] = SELECT_FINDINGS("reason, NULL, 0"),
  [FINDINGS] = SELECT_FINDINGS("reason, ack, acked"),
};

/* --- projects --------------------------------------------------------------------- */

static uint32_t add_project(hm_snapshot_reader *r, hm_project p) {
  r->projects = hm_array_grow(r->projects, r->n_projects, &r->cap_projects, sizeof p);
  r->projects[r->n_projects] = p;
  hm_map_add(&r->ids, p.id, (uint32_t)r->n_projects);
  return (uint32_t)r->n_projects++;
}

static int read_declared(hm_snapshot_reader *r, hm_stmt *st) {
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
      return hm_fail_duplicate_row(r->s, "project", p.id, r->err);
    if (hm_map_get(&r->ids, p.id) != HM_MAP_NONE)
      continue;
    add_project(r, p);
  }
  return rc;
}

static int by_alias(const void *x, const void *y) {
  const hm_alias *a = x, *b = y;
  int c = hm_str_cmp(a->alias, b->alias);
  return c ? c : hm_str_cmp(a->project, b->project);
}

static int read_aliases(hm_snapshot_reader *r) {
  hm_stmt *st;
  int rc;
  if (hm_sql_cached(r->s, SQL[ALIASES], &st, r->err))
    return -1;
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    r->aliases =
        hm_array_grow_in(r->a, r->aliases, r->n_aliases, &r->cap_aliases, sizeof *r->aliases);
    r->aliases[r->n_aliases++] = (hm_alias){ hm_sql_copy(st, 0, r->a), hm_sql_copy(st, 1, r->a) };
  }
  if (r->n_aliases)
    qsort(r->aliases, r->n_aliases, sizeof *r->aliases, by_alias);
  for (size_t i = 1; i < r->n_aliases && !rc; i++)
    if (hm_str_eq(r->aliases[i - 1].alias, r->aliases[i].alias) &&
        !hm_str_eq(r->aliases[i - 1].project, r->aliases[i].project))
      return hm_fail_duplicate_row(r->s, "project_aliases", r->aliases[i].alias, r->err);
  hm_map_init(&r->alias_of, r->a, r->n_aliases);
  for (size_t i = 0; i < r->n_aliases; i++)
    hm_map_add(&r->alias_of, r->aliases[i].alias, (uint32_t)i);
  return rc;
}

int hm_read_projects(hm_snapshot_reader *r) {
  hm_stmt *st;
  hm_map_init(&r->ids, r->a, 64);
  if (hm_sql_cached(r->s, SQL[PROJECTS], &st, r->err))
    return -1;
  if (read_declared(r, st) || read_aliases(r))
    return -1;
  return hm_project_names_read(r->s, r->a, &r->names, r->err);
}

static bool is_declared(const hm_snapshot_reader *r, hm_str name) {
  uint32_t i = hm_map_get(&r->ids, name);
  return i != HM_MAP_NONE && r->projects[i].declared;
}

/* The id of that project, without making one. */
static hm_str read_project_id(const hm_snapshot_reader *r, hm_str name) {
  uint32_t alias = hm_map_get(&r->alias_of, name);
  if (is_declared(r, name))
    return name;
  if (alias != HM_MAP_NONE)
    return r->aliases[alias].project;
  const hm_project_fit *fit = hm_project_names_find(&r->names, name);
  return fit && !fit->other.n ? fit->project : name;
}

uint32_t hm_read_project(hm_snapshot_reader *r, hm_str name) {
  hm_str id = read_project_id(r, name);
  if (!(is_declared(r, name) || hm_map_get(&r->alias_of, name) != HM_MAP_NONE) &&
      !hm_str_eq(id, name)) {
    /* Once per part, so some are repeated. */
    hm_snapshot *out = r->out;
    out->loose =
        hm_array_grow_in(r->a, out->loose, out->n_loose, &r->cap_loose, sizeof *out->loose);
    out->loose[out->n_loose++] = hm_str_dup(r->a, name);
  }
  uint32_t i = hm_map_get(&r->ids, id);
  if (i != HM_MAP_NONE)
    return i;
  hm_project p = { .id = hm_str_dup(r->a, id),
                   .name = HM_EMPTY,
                   .description = HM_EMPTY,
                   .created_at = HM_EMPTY,
                   .updated_at = HM_EMPTY,
                   .fits = { HM_EMPTY, HM_EMPTY } };
  const hm_project_fit *fit = hm_str_eq(id, name) ? hm_project_names_find(&r->names, id) : NULL;
  if (fit && fit->other.n)
    p.fits[0] = fit->project, p.fits[1] = fit->other;
  return add_project(r, p);
}

/* The aliases are sorted, so each project gets its own in order. */
static void give_aliases(hm_snapshot_reader *r) {
  size_t *cap =
      memset(hm_xmalloc((r->n_projects + 1) * sizeof *cap), 0, (r->n_projects + 1) * sizeof *cap);
  for (size_t i = 0; i < r->n_aliases; i++) {
    uint32_t p = hm_map_get(&r->ids, r->aliases[i].project);
    if (p == HM_MAP_NONE)
      continue;
    hm_project *to = &r->projects[p];
    to->aliases = hm_array_grow_in(r->a, to->aliases, to->n_aliases, &cap[p], sizeof(hm_str));
    to->aliases[to->n_aliases++] = r->aliases[i].alias;
  }
  free(cap);
}

void hm_read_projects_end(hm_snapshot_reader *r) {
  size_t n = r->n_projects;
  uint32_t *order = hm_xmalloc((n + 1) * sizeof *order),
           *number = hm_xmalloc((n + 1) * sizeof *number);
  give_aliases(r);
  if (!n || !hm_strs_order(&r->projects->id, sizeof *r->projects, n, order))
    for (size_t i = 0; i < n; i++)
      order[i] = (uint32_t)i;
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

/* --- links ------------------------------------------------------------------------ */

int hm_read_links(hm_snapshot_reader *r) {
  hm_snapshot *out = r->out;
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  if (hm_sql_cached(r->s, SQL[LINKS], &st, r->err))
    return -1;
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    out->links = hm_array_grow_in(r->a, out->links, out->n_links, &cap, sizeof *out->links);
    out->links[out->n_links++] =
        (hm_link){ hm_sql_copy(st, 0, r->a), hm_sql_copy(st, 1, r->a), hm_sql_copy(st, 2, r->a) };
  }
  if (out->n_links)
    qsort(out->links, out->n_links, sizeof *out->links, hm_link_order);
  return rc;
}

/* --- conflicts ---------------------------------------------------------------------- */

/* What is recorded is the id of a project; where no row has that any more, it is read as a name. */
static hm_str read_recorded_project(const hm_snapshot_reader *r, hm_str id) {
  return hm_map_get(&r->ids, id) != HM_MAP_NONE ? id : read_project_id(r, id);
}

static void read_conflict(hm_snapshot_reader *r, hm_stmt *st, hm_conflict_rec *c) {
  *c = (hm_conflict_rec){
    .id = hm_sql_copy(st, 0, r->a),
    .slot_kind = hm_sql_copy(st, 1, r->a),
    .slot_key = hm_sql_copy(st, 2, r->a),
    .project = read_recorded_project(r, hm_sql_copy(st, 3, r->a)),
    .status = hm_verdict_parse(hm_sql_text(st, 4, r->a)),
    .detected_at = hm_sql_copy(st, 5, r->a),
    .resolved_at = hm_sql_copy(st, 6, r->a),
    .resolution = hm_sql_copy(st, 7, r->a),
    .resolved_by = hm_sql_copy(st, 8, r->a),
    .action = hm_sql_copy(st, 9, r->a),
    .winner = hm_sql_copy(st, 10, r->a),
    .rule = hm_sql_copy(st, 11, r->a),
    .rule_version = (int)hm_sql_number(st, 12),
    .anchor = hm_sql_copy(st, 13, r->a),
    .merged_into = hm_sql_copy(st, 14, r->a),
    .window_from = hm_sql_copy(st, 15, r->a),
    .window_until = hm_sql_copy(st, 16, r->a),
    .scope = hm_sql_copy(st, 17, r->a),
    .winner_source = hm_sql_copy(st, 18, r->a),
  };
  if (c->status != HM_OPEN)
    hm_newest_add(&r->verdicts, c->resolved_at);
}

typedef struct {
  uint32_t conflict;
  hm_member_rec m;
} owned_member;

static int by_owner(const void *x, const void *y) {
  const owned_member *a = x, *b = y;
  if (a->conflict != b->conflict)
    return a->conflict < b->conflict ? -1 : 1;
  return hm_member_order(&a->m, &b->m);
}

/* Sorts the members by conflict and hands each conflict its part of them. */
static void give_members(hm_snapshot_reader *r, owned_member *members, size_t n) {
  hm_member_rec *all = hm_alloc_array(r->a, n, sizeof *all);
  if (n)
    qsort(members, n, sizeof *members, by_owner);
  for (size_t i = 0; i < n; i++) {
    hm_conflict_rec *c = &r->out->conflicts[members[i].conflict];
    all[i] = members[i].m;
    if (!c->n_members++)
      c->members = &all[i];
  }
}

static int read_members(hm_snapshot_reader *r, const hm_map *conflicts) {
  owned_member *members = NULL;
  size_t n = 0, cap = 0;
  hm_stmt *st;
  int rc;
  int of = (r->s->version >= 3) + (r->s->version >= HM_STORE_EVIDENCE_VERSION);
  if (hm_sql_cached(r->s, SQL_MEMBERS[of], &st, r->err))
    return -1;
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    members = hm_array_grow(members, n, &cap, sizeof *members);
    members[n].conflict = hm_map_get(conflicts, hm_sql_text(st, 0, r->a));
    /* A member that no known row can be is passed over. */
    if (members[n].conflict != HM_MAP_NONE && hm_member_from_row(st, 1, &members[n].m, r->a))
      n++;
  }
  if (!rc)
    give_members(r, members, n);
  free(members);
  return rc;
}

static int read_from_files(hm_snapshot_reader *r, const hm_map *conflicts) {
  hm_stmt *st;
  int rc;
  if (r->s->version < 3)
    return 0;
  if (hm_sql_cached(r->s, SQL_FROM_FILES, &st, r->err))
    return -1;
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    uint32_t at = hm_map_get(conflicts, hm_sql_text(st, 0, r->a));
    if (at != HM_MAP_NONE)
      r->out->conflicts[at].from_file = true;
  }
  return rc;
}

static const hm_past_decision *decision_of(hm_snapshot_reader *r, const hm_verdict_line *v) {
  hm_past_decision *d = hm_alloc(r->a, sizeof *d);
  *d = (hm_past_decision){ v->status, v->action, v->winner, v->notes, v->by, v->at };
  return d;
}

/* The index of such lines (schema.sql) keeps this short where there are none. */
static int read_taken_back(hm_snapshot_reader *r, const hm_map *conflicts) {
  hm_verdict_line *past;
  hm_stmt *st;
  hm_str *refs;
  size_t n, n_past;
  if (hm_sql_cached(r->s, "SELECT DISTINCT ref FROM journal WHERE verb = 'reopen'", &st, r->err) ||
      hm_sql_texts(r->s, st, r->a, &refs, &n, r->err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    ptrdiff_t colon = hm_str_find(refs[i], ":");
    uint32_t at = hm_map_get(conflicts, hm_str_sub(refs[i], (size_t)colon + 1, refs[i].n));
    hm_conflict_rec *c = at == HM_MAP_NONE ? NULL : &r->out->conflicts[at];
    if (!c || c->status != HM_OPEN)
      continue;
    if (hm_verdict_history(r->s, c->id, r->a, &past, &n_past, r->err))
      return -1;
    if (n_past < 2 || !hm_str_is(past[n_past - 1].status, "reopened"))
      continue;
    c->taken_back = decision_of(r, &past[n_past - 2]);
    c->reopened = decision_of(r, &past[n_past - 1]);
  }
  return 0;
}

/* What an import says was taken back, elsewhere or before the store was restored. */
static int read_imported_taken_back(hm_snapshot_reader *r, const hm_map *conflicts) {
  static const char sql[] = "SELECT target, record FROM verdicts WHERE state = 'applied'"
                            " AND instr(record, '\"taken_back\":') ORDER BY id";
  hm_stmt *st;
  hm_err unread = { 0 };
  int rc;
  if (r->s->version < 3)
    return 0;
  if (hm_sql_cached(r->s, sql, &st, r->err))
    return -1;
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    uint32_t at = hm_map_get(conflicts, hm_sql_text(st, 0, r->a));
    hm_conflict_rec *c = at == HM_MAP_NONE ? NULL : &r->out->conflicts[at];
    hm_json *json;
    hm_verdict_line v;
    if (!c || c->status != HM_OPEN || c->taken_back ||
        hm_json_parse(r->a, hm_sql_copy(st, 1, r->a), &json, NULL) ||
        hm_verdict_line_parse(json, r->a, &v, &unread) || !v.taken_back)
      continue;
    c->taken_back = decision_of(r, v.taken_back);
    c->reopened = decision_of(r, &v);
  }
  return rc;
}

int hm_read_conflicts(hm_snapshot_reader *r) {
  hm_snapshot *out = r->out;
  hm_map by_id;
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  int of = (r->s->version >= 3) + (r->s->version >= HM_STORE_EVIDENCE_VERSION);
  if (hm_sql_cached(r->s, SQL_CONFLICTS[of], &st, r->err))
    return -1;
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    out->conflicts =
        hm_array_grow_in(r->a, out->conflicts, out->n_conflicts, &cap, sizeof *out->conflicts);
    read_conflict(r, st, &out->conflicts[out->n_conflicts++]);
  }
  if (rc)
    return -1;
  if (out->n_conflicts)
    qsort(out->conflicts, out->n_conflicts, sizeof *out->conflicts, hm_conflict_order);
  hm_map_init(&by_id, r->a, out->n_conflicts);
  for (size_t i = 0; i < out->n_conflicts; i++)
    hm_map_add(&by_id, out->conflicts[i].id, (uint32_t)i);
  return read_from_files(r, &by_id) || read_members(r, &by_id) || read_taken_back(r, &by_id) ||
          read_imported_taken_back(r, &by_id)
      ? -1
      : 0;
}

/* --- findings ----------------------------------------------------------------------- */

int hm_read_findings(hm_snapshot_reader *r) {
  hm_snapshot *out = r->out;
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  if (hm_sql_cached(r->s,
                    SQL[r->s->version < 5                            ? FINDINGS_V4
                            : r->s->version < HM_STORE_SWEPT_VERSION ? FINDINGS_V5
                                                                     : FINDINGS],
                    &st, r->err))
    return -1;
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    out->findings =
        hm_array_grow_in(r->a, out->findings, out->n_findings, &cap, sizeof *out->findings);
    hm_finding *f = &out->findings[out->n_findings++];
    *f = (hm_finding){ .id = hm_sql_copy(st, 0, r->a),
                       .kind = hm_sql_copy(st, 1, r->a),
                       .severity = hm_sql_copy(st, 2, r->a),
                       .rule = hm_sql_copy(st, 3, r->a),
                       .project = hm_sql_copy(st, 4, r->a),
                       .message = hm_sql_copy(st, 6, r->a),
                       .expected = hm_sql_copy(st, 7, r->a),
                       .actual = hm_sql_copy(st, 8, r->a),
                       .reason = hm_sql_copy(st, 9, r->a),
                       .ack_id = hm_sql_copy(st, 10, r->a),
                       .acked = hm_sql_number(st, 11) != 0 };
    /* None if it is not an array of strings. */
    f->n_rows = hm_json_texts(hm_json_parse_as(r->a, hm_sql_text(st, 5, r->a), HM_JSON_ARRAY), r->a,
                              &f->rows);
  }
  return rc;
}

int hm_read_remarks(hm_snapshot_reader *r) {
  hm_snapshot *out = r->out;
  hm_map by_id;
  for (hm_remark_kind k = 0; k < HM_N_REMARK_KINDS; k++)
    if (hm_remarks_unreplaced(r->s, k, r->a, &out->remarks[k], &out->n_remarks[k], r->err))
      return -1;
  hm_map_init(&by_id, r->a, out->n_remarks[HM_REMARK_ACK]);
  for (size_t i = 0; i < out->n_remarks[HM_REMARK_ACK]; i++)
    hm_map_add(&by_id, out->remarks[HM_REMARK_ACK][i].id, (uint32_t)i);
  for (size_t i = 0; i < out->n_findings; i++) {
    hm_finding *f = &out->findings[i];
    uint32_t k = f->ack_id.n ? hm_map_get(&by_id, f->ack_id) : HM_MAP_NONE;
    if (k != HM_MAP_NONE)
      f->ack = &out->remarks[HM_REMARK_ACK][k];
  }
  return 0;
}

int hm_store_findings(hm_store *s, hm_arena *a, hm_finding **out, size_t *n, hm_err *err) {
  hm_snapshot read = { 0 };
  hm_snapshot_reader r = { .s = s, .a = a, .out = &read, .err = err };
  if (hm_read_findings(&r) || hm_read_remarks(&r))
    return -1;
  *out = read.findings;
  *n = read.n_findings;
  return 0;
}
