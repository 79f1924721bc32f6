/* Links, recorded conflicts with their members, findings. */
#include "core/base/json.h"
#include "core/store/snapshot.h"
#include <stdlib.h>
#include <string.h>
#include <string.h>

/* The first difference of several pairs. */
static int compare(const hm_str (*pairs)[2], size_t n) {
  int c = 0;
  for (size_t i = 0; i < n && !c; i++) c = hm_str_cmp(pairs[i][0], pairs[i][1]);
  return c;
}

static int by_link(const void *x, const void *y) {
  const hm_link *a = x, *b = y;
  return compare((const hm_str[][2]){ { a->src, b->src }, { a->rel, b->rel }, { a->dst, b->dst } },
                 3);
}

int hm_read_links(hm_reader *r) {
  hm_snapshot *out = r->out;
  size_t n;
  sqlite3_stmt *st;
  int rc;
  if (hm_read_count(r, "SELECT count(1) FROM links", &n)) return -1;
  if (hm_sql_cached(r->s, "SELECT src, dst, rel FROM links", &st, r->err)) return -1;
  out->links = hm_alloc_array(r->a, n, sizeof *out->links);
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    if (out->n_links == n) return hm_read_overrun(r, r->err);
    out->links[out->n_links++] =
        (hm_link){ hm_sql_copy(st, 0, r->a), hm_sql_copy(st, 1, r->a), hm_sql_copy(st, 2, r->a) };
  }
  if (n) qsort(out->links, out->n_links, sizeof *out->links, by_link);
  return rc;
}

static void read_conflict(hm_reader *r, sqlite3_stmt *st, hm_conflict_rec *c) {
  *c = (hm_conflict_rec){
    .id = hm_sql_copy(st, 0, r->a),
    .slot_kind = hm_sql_copy(st, 1, r->a),
    .slot_key = hm_sql_copy(st, 2, r->a),
    .project = hm_read_project_id(r, hm_sql_copy(st, 3, r->a)),
    .status = hm_verdict_of(hm_sql_text(st, 4, r->a)),
    .detected_at = hm_sql_copy(st, 5, r->a),
    .resolved_at = hm_sql_copy(st, 6, r->a),
    .resolution = hm_sql_copy(st, 7, r->a),
    .resolved_by = hm_sql_copy(st, 8, r->a),
    .action = hm_sql_copy(st, 9, r->a),
    .winner = hm_sql_copy(st, 10, r->a),
    .rule = hm_sql_copy(st, 11, r->a),
    .rule_version = sqlite3_column_int(st, 12),
    .anchor = hm_sql_copy(st, 13, r->a),
    .merged_into = hm_sql_copy(st, 14, r->a),
    .window_from = hm_sql_copy(st, 15, r->a),
    .window_until = hm_sql_copy(st, 16, r->a),
    .scope = hm_sql_copy(st, 17, r->a),
  };
  if (c->status != HM_OPEN) hm_newest_add(&r->verdicts, c->resolved_at);
}

static int by_slot(const void *x, const void *y) {
  const hm_conflict_rec *a = x, *b = y;
  return compare((const hm_str[][2]){ { a->slot_key, b->slot_key }, { a->id, b->id } }, 2);
}

typedef struct { uint32_t conflict; hm_member_rec m; } owned_member;

static int by_owner(const void *x, const void *y) {
  const owned_member *a = x, *b = y;
  if (a->conflict != b->conflict) return a->conflict < b->conflict ? -1 : 1;
  return hm_member_order(&a->m, &b->m);
}

/* Sorts the members by conflict and hands each conflict its part of them. */
static void give_members(hm_reader *r, owned_member *members, size_t n) {
  hm_member_rec *all = hm_alloc_array(r->a, n, sizeof *all);
  if (n) qsort(members, n, sizeof *members, by_owner);
  for (size_t i = 0; i < n; i++) {
    hm_conflict_rec *c = &r->out->conflicts[members[i].conflict];
    all[i] = members[i].m;
    if (!c->n_members++) c->members = &all[i];
  }
}

#define MEMBERS_OF(removed)                                                                        \
  "SELECT conflict_id, member_kind, member_id, field, value_detected,"                             \
  " value_normal, flagged, conflicts_with, " removed " FROM conflict_members"
#define MEMBERS MEMBERS_OF("removed")
#define MEMBERS_V2 MEMBERS_OF("0")
#define CONFLICTS                                                                                  \
  "SELECT id, slot_kind, slot_key, project, status, detected_at, resolved_at, resolution,"         \
  " resolved_by, action, winner, rule, rule_version, anchor, merged_into, window_from,"            \
  " window_until, scope FROM conflicts"
/* Of a store before version 3, which is read as it is. */
#define CONFLICTS_V2                                                                               \
  "SELECT id, slot_kind, slot_key, project, status, detected_at, resolved_at, resolution,"         \
  " resolved_by, action, winner, rule, rule_version, NULL, NULL, NULL, NULL, NULL FROM conflicts"

static const char *conflicts_sql(const hm_reader *r, const char *now, const char *v2) {
  return r->s->version < 3 ? v2 : now;
}

/* A member that no known row can be is passed over. */
static bool read_member(hm_reader *r, sqlite3_stmt *st, hm_member_rec *m) {
  *m = (hm_member_rec){ .id = hm_sql_copy(st, 2, r->a),
                        .field = hm_sql_copy(st, 3, r->a),
                        .value = hm_sql_copy(st, 4, r->a),
                        .normal = hm_sql_copy(st, 5, r->a),
                        .flagged = sqlite3_column_int(st, 6) != 0,
                        .conflicts_with = hm_sql_copy(st, 7, r->a),
                        .removed = sqlite3_column_int(st, 8) != 0 };
  return hm_layer_of(hm_sql_text(st, 1, r->a), &m->layer);
}

static int read_members(hm_reader *r, const hm_map *conflicts) {
  size_t n, i = 0;
  sqlite3_stmt *st;
  int rc;
  if (hm_read_count(r, "SELECT count(1) FROM conflict_members", &n)) return -1;
  if (hm_sql_cached(r->s, r->s->version < 3 ? MEMBERS_V2 : MEMBERS, &st, r->err)) return -1;
  owned_member *members = hm_xmalloc(n * sizeof *members);
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1 && i < n) {
    members[i].conflict = hm_map_get(conflicts, hm_sql_text(st, 0, r->a));
    if (members[i].conflict != HM_MAP_NONE && read_member(r, st, &members[i].m)) i++;
  }
  if (rc == 1) rc = hm_read_overrun(r, r->err);
  if (!rc) give_members(r, members, i);
  free(members);
  return rc;
}

int hm_read_conflicts(hm_reader *r) {
  hm_snapshot *out = r->out;
  hm_map by_id;
  size_t n;
  sqlite3_stmt *st;
  int rc;
  if (hm_read_count(r, "SELECT count(1) FROM conflicts", &n) ||
      hm_sql_cached(r->s, conflicts_sql(r, CONFLICTS, CONFLICTS_V2), &st, r->err)) return -1;
  out->conflicts = hm_alloc_array(r->a, n, sizeof *out->conflicts);
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    if (out->n_conflicts == n) return hm_read_overrun(r, r->err);
    read_conflict(r, st, &out->conflicts[out->n_conflicts++]);
  }
  if (rc) return rc;
  if (n) qsort(out->conflicts, out->n_conflicts, sizeof *out->conflicts, by_slot);
  hm_map_init(&by_id, r->a, n);
  for (size_t i = 0; i < out->n_conflicts; i++)
    hm_map_add(&by_id, out->conflicts[i].id, (uint32_t)i);
  return read_members(r, &by_id);
}

/* --- a few conflicts ---------------------------------------------------------- */

typedef struct { hm_conflict_rec *v; size_t n, cap; } few;

static void push(few *f, hm_conflict_rec c) {
  if (f->n == f->cap) f->v = hm_xrealloc(f->v, (f->cap = 2 * f->cap + 8) * sizeof *f->v);
  f->v[f->n++] = c;
}

static int read_chosen(hm_reader *r, const char *sql, hm_str key, few *out) {
  sqlite3_stmt *st;
  int rc;
  if (hm_sql_cached(r->s, sql, &st, r->err)) return -1;
  hm_sql_bind(st, 1, key);
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    hm_conflict_rec c;
    if (hm_read_projects_named(r, hm_sql_copy(st, 3, r->a))) return -1;
    read_conflict(r, st, &c);
    push(out, c);
  }
  return rc;
}

static int read_members_of(hm_reader *r, hm_conflict_rec *c) {
  sqlite3_stmt *st;
  size_t cap = 0;
  hm_member_rec *v = NULL;
  int rc;
  const char *sql =
      r->s->version < 3 ? MEMBERS_V2 " WHERE conflict_id = ?1" : MEMBERS " WHERE conflict_id = ?1";
  if (hm_sql_cached(r->s, sql, &st, r->err)) return -1;
  hm_sql_bind(st, 1, c->id);
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    if (c->n_members == cap) v = hm_xrealloc(v, (cap = 2 * cap + 8) * sizeof *v);
    c->n_members += read_member(r, st, &v[c->n_members]);
  }
  c->members = hm_alloc_array(r->a, c->n_members, sizeof *v);
  if (c->n_members) qsort(v, c->n_members, sizeof *v, hm_member_order);
  if (c->n_members) memcpy(c->members, v, c->n_members * sizeof *v);
  free(v);
  return rc;
}

/* Adds them to those that the snapshot has. */
static int read_few(hm_reader *r, const char *sql, const hm_str *keys, size_t n) {
  hm_snapshot *out = r->out;
  few f = { 0 };
  int rc = 0;
  for (size_t i = 0; i < out->n_conflicts; i++) push(&f, out->conflicts[i]);
  for (size_t i = 0; i < n && !rc; i++) rc = read_chosen(r, sql, keys[i], &f);
  for (size_t i = out->n_conflicts; i < f.n && !rc; i++) rc = read_members_of(r, &f.v[i]);
  if (!rc && f.n) {
    qsort(f.v, f.n, sizeof *f.v, by_slot);
    out->conflicts = hm_alloc_array(r->a, f.n, sizeof *f.v);
    memcpy(out->conflicts, f.v, f.n * sizeof *f.v);
    out->n_conflicts = f.n;
  }
  free(f.v);
  return rc;
}

int hm_read_conflicts_on(hm_reader *r, const hm_str *slot_keys, size_t n) {
  return read_few(
      r, conflicts_sql(r, CONFLICTS " WHERE slot_key = ?1", CONFLICTS_V2 " WHERE slot_key = ?1"),
      slot_keys, n);
}

int hm_read_conflicts_of(hm_reader *r, const hm_str *ids, size_t n) {
  return read_few(r, conflicts_sql(r, CONFLICTS " WHERE id = ?1", CONFLICTS_V2 " WHERE id = ?1"),
                  ids, n);
}

/* The rows of a finding; text that is no JSON array of strings gives none. */
static void read_refs(hm_reader *r, hm_str json, hm_finding *f) {
  hm_json *v;
  if (hm_json_parse(r->a, json, &v, NULL) || v->type != HM_JSON_ARRAY) return;
  f->rows = hm_alloc_array(r->a, v->count, sizeof *f->rows);
  for (const hm_json *e = v->child; e; e = e->next)
    if (e->type == HM_JSON_STRING) f->rows[f->n_rows++] = e->text;
}

static int by_finding(const void *x, const void *y) {
  const hm_finding *a = x, *b = y;
  return compare((const hm_str[][2]){ { a->kind, b->kind },
                                      { a->project, b->project },
                                      { a->id, b->id },
                                      { a->message, b->message },
                                      { a->actual, b->actual } },
                 5);
}

int hm_read_findings(hm_reader *r) {
  static const char sql[] =
      "SELECT id, kind, severity, rule, project, \"rows\", message, expected, actual FROM findings";
  hm_snapshot *out = r->out;
  size_t n;
  sqlite3_stmt *st;
  int rc;
  if (hm_read_count(r, "SELECT count(1) FROM findings", &n) ||
      hm_sql_cached(r->s, sql, &st, r->err))
    return -1;
  out->findings = hm_alloc_array(r->a, n, sizeof *out->findings);
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    if (out->n_findings == n) return hm_read_overrun(r, r->err);
    hm_finding *f = &out->findings[out->n_findings++];
    *f = (hm_finding){
      .id = hm_sql_copy(st, 0, r->a),
      .kind = hm_sql_copy(st, 1, r->a),
      .severity = hm_sql_copy(st, 2, r->a),
      .rule = hm_sql_copy(st, 3, r->a),
      .project = hm_sql_copy(st, 4, r->a),
      .message = hm_sql_copy(st, 6, r->a),
      .expected = hm_sql_copy(st, 7, r->a),
      .actual = hm_sql_copy(st, 8, r->a),
    };
    read_refs(r, hm_sql_text(st, 5, r->a), f);
  }
  if (n) qsort(out->findings, out->n_findings, sizeof *out->findings, by_finding);
  return rc;
}
