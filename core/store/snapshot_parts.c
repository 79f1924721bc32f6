/* Links, recorded conflicts with their members, findings. */
#include "core/base/json.h"
#include "core/store/snapshot.h"
#include <stdlib.h>
#include <string.h>

/* The first difference of several pairs. */
static int compare(const hm_str (*pairs)[2], size_t n) {
  int c = 0;
  for (size_t i = 0; i < n && !c; i++) c = hm_str_cmp(pairs[i][0], pairs[i][1]);
  return c;
}

static int by_link(const void *x, const void *y) {
  const hm_link *a = x, *b = y;
  return compare((const hm_str[][2]){ { a->src, b->src }, { a->rel, b->rel }, { a->dst, b->dst } }, 3);
}

int hm_read_links(hm_reader *r) {
  hm_snapshot *out = r->out;
  size_t n;
  sqlite3_stmt *st;
  int rc;
  if (hm_read_count(r, "SELECT count(*) FROM links", &n)) return -1;
  if (hm_sql_cached(r->s, "SELECT src, dst, rel FROM links", &st, r->err)) return -1;
  out->links = hm_alloc_array(r->a, n, sizeof *out->links);
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    if (out->n_links == n) return hm_read_overrun(r, r->err);
    out->links[out->n_links++] = (hm_link){ hm_sql_copy(st, 0, r->a), hm_sql_copy(st, 1, r->a), hm_sql_copy(st, 2, r->a) };
  }
  if (n) qsort(out->links, out->n_links, sizeof *out->links, by_link);
  return rc;
}

static hm_verdict verdict_of(hm_str name) {
  for (int v = HM_OPEN; v < HM_DISMISSED; v++)
    if (hm_str_is(name, hm_verdict_name((hm_verdict)v))) return (hm_verdict)v;
  return HM_DISMISSED;
}

/* A conflict's project, folded like a row's, but naming it makes no project. */
static hm_str folded_project(hm_reader *r, hm_str name) {
  if (hm_map_get(&r->ids, name) != HM_MAP_NONE) return name;
  uint32_t alias = hm_map_get(&r->alias_of, name);
  return alias == HM_MAP_NONE ? name : r->aliases[alias].project;
}

static void read_conflict(hm_reader *r, sqlite3_stmt *st, hm_conflict_rec *c) {
  *c = (hm_conflict_rec){
    .id = hm_sql_copy(st, 0, r->a), .slot_kind = hm_sql_copy(st, 1, r->a), .slot_key = hm_sql_copy(st, 2, r->a),
    .project = folded_project(r, hm_sql_copy(st, 3, r->a)), .status = verdict_of(hm_sql_text(st, 4, r->a)),
    .detected_at = hm_sql_copy(st, 5, r->a), .resolved_at = hm_sql_copy(st, 6, r->a),
    .resolution = hm_sql_copy(st, 7, r->a), .resolved_by = hm_sql_copy(st, 8, r->a), .action = hm_sql_copy(st, 9, r->a),
    .winner = hm_sql_copy(st, 10, r->a), .rule = hm_sql_copy(st, 11, r->a), .rule_version = sqlite3_column_int(st, 12),
  };
  if (c->status != HM_OPEN) hm_newest_add(&r->newest, c->resolved_at);
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

static int read_members(hm_reader *r, const hm_map *conflicts) {
  static const char sql[] = "SELECT conflict_id, member_kind, member_id, field, value_detected, value_normal,"
                            " flagged, conflicts_with FROM conflict_members";
  size_t n, i = 0;
  sqlite3_stmt *st;
  int rc;
  if (hm_read_count(r, "SELECT count(*) FROM conflict_members", &n)) return -1;
  if (hm_sql_cached(r->s, sql, &st, r->err)) return -1;
  owned_member *members = hm_xmalloc(n * sizeof *members);
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1 && i < n) {
    owned_member *m = &members[i];
    m->conflict = hm_map_get(conflicts, hm_sql_text(st, 0, r->a));
    if (m->conflict == HM_MAP_NONE || !hm_layer_of(hm_sql_text(st, 1, r->a), &m->m.layer)) continue;
    m->m.id = hm_sql_copy(st, 2, r->a);
    m->m.field = hm_sql_copy(st, 3, r->a);
    m->m.value = hm_sql_copy(st, 4, r->a);
    m->m.normal = hm_sql_copy(st, 5, r->a);
    m->m.flagged = sqlite3_column_int(st, 6) != 0;
    m->m.conflicts_with = hm_sql_copy(st, 7, r->a);
    i++;
  }
  if (rc == 1) rc = hm_read_overrun(r, r->err);
  if (!rc) give_members(r, members, i);
  free(members);
  return rc;
}

int hm_read_conflicts(hm_reader *r) {
  static const char sql[] = "SELECT id, slot_kind, slot_key, project, status, detected_at, resolved_at, resolution,"
                            " resolved_by, action, winner, rule, rule_version FROM conflicts";
  hm_snapshot *out = r->out;
  hm_map by_id;
  size_t n;
  sqlite3_stmt *st;
  int rc;
  if (hm_read_count(r, "SELECT count(*) FROM conflicts", &n) || hm_sql_cached(r->s, sql, &st, r->err)) return -1;
  out->conflicts = hm_alloc_array(r->a, n, sizeof *out->conflicts);
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    if (out->n_conflicts == n) return hm_read_overrun(r, r->err);
    read_conflict(r, st, &out->conflicts[out->n_conflicts++]);
  }
  if (rc) return rc;
  if (n) qsort(out->conflicts, out->n_conflicts, sizeof *out->conflicts, by_slot);
  hm_map_init(&by_id, r->a, n);
  for (size_t i = 0; i < out->n_conflicts; i++) hm_map_add(&by_id, out->conflicts[i].id, (uint32_t)i);
  return read_members(r, &by_id);
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
  return compare((const hm_str[][2]){ { a->kind, b->kind }, { a->project, b->project }, { a->id, b->id },
                                      { a->message, b->message }, { a->actual, b->actual } }, 5);
}

int hm_read_findings(hm_reader *r) {
  static const char sql[] = "SELECT id, kind, severity, rule, project, \"rows\", message, expected, actual FROM findings";
  hm_snapshot *out = r->out;
  size_t n;
  sqlite3_stmt *st;
  int rc;
  if (hm_read_count(r, "SELECT count(*) FROM findings", &n) || hm_sql_cached(r->s, sql, &st, r->err)) return -1;
  out->findings = hm_alloc_array(r->a, n, sizeof *out->findings);
  while ((rc = hm_sql_step(r->s, st, r->err)) == 1) {
    if (out->n_findings == n) return hm_read_overrun(r, r->err);
    hm_finding *f = &out->findings[out->n_findings++];
    *f = (hm_finding){
      .id = hm_sql_copy(st, 0, r->a), .kind = hm_sql_copy(st, 1, r->a), .severity = hm_sql_copy(st, 2, r->a),
      .rule = hm_sql_copy(st, 3, r->a), .project = hm_sql_copy(st, 4, r->a), .message = hm_sql_copy(st, 6, r->a),
      .expected = hm_sql_copy(st, 7, r->a), .actual = hm_sql_copy(st, 8, r->a),
    };
    read_refs(r, hm_sql_text(st, 5, r->a), f);
  }
  if (n) qsort(out->findings, out->n_findings, sizeof *out->findings, by_finding);
  return rc;
}
