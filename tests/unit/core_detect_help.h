/* Snapshots and claims made by hand, for the tests of core/detect. */
#ifndef CORE_DETECT_HELP_H
#define CORE_DETECT_HELP_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "core/claim/claim.h"
#include "core/detect/found.h"

static inline int help_by_layer_and_id(const void *x, const void *y) {
  const hm_row *a = x, *b = y;
  if (a->layer != b->layer) return a->layer < b->layer ? -1 : 1;
  return hm_str_cmp(a->id, b->id);
}

/* A snapshot of these projects (sorted) and rows, which are sorted and copied. */
static inline hm_snapshot *help_snapshot(hm_arena *a, const char *const *projects,
                                         size_t n_projects, const hm_row *rows, size_t n) {
  hm_snapshot *s = hm_alloc(a, sizeof *s);
  s->projects = hm_alloc_array(a, n_projects, sizeof *s->projects);
  s->n_projects = n_projects;
  s->now = HM_TIME_MAX;
  for (size_t i = 0; i < n_projects; i++)
    s->projects[i] = (hm_project){ .id = hm_str_c(projects[i]), .declared = true };
  s->rows = hm_alloc_array(a, n, sizeof *s->rows);
  s->n_rows = n;
  if (n) memcpy(s->rows, rows, n * sizeof *rows);
  if (n) qsort(s->rows, n, sizeof *s->rows, help_by_layer_and_id);
  s->first[0] = 0;
  for (int l = 1; l <= 5; l++) {
    s->first[l] = s->first[l - 1];
    while (s->first[l] < n && (int)s->rows[s->first[l]].layer < l) s->first[l]++;
  }
  for (int l = 1; l < 5; l++) hm_row_index_init(&s->by_id[l], a, n);
  for (size_t i = 0; i < n; i++)
    hm_row_index_add(&s->by_id[s->rows[i].layer], s->rows[i].id, (uint32_t)i);
  return s;
}

/* A row with an id and a layer and nothing else, for claims that are made by hand. */
static inline hm_row help_bare_row(hm_layer layer, hm_str id) {
  return (hm_row){ .layer = layer, .status = HM_ACTIVE, .id = id };
}

static inline void help_hash(hm_claim *c) {
  c->hash =
      hm_hash_mix(hm_hash_mix(hm_str_hash(c->space), hm_str_hash(c->name)), c->project + 1);
}

/* --- rows with content -------------------------------------------------------- */

static inline hm_row help_memory(const char *id, const char *type, uint32_t project,
                                 const char *content) {
  return (hm_row){ .layer = HM_MEMORY,
                   .status = HM_ACTIVE,
                   .project = project,
                   .id = hm_str_c(id),
                   .type = hm_str_c(type),
                   .text = hm_str_c(content),
                   .name = HM_EMPTY,
                   .props = HM_EMPTY };
}
static inline hm_row help_entity(const char *id, const char *type, uint32_t project,
                                 const char *name, const char *props) {
  return (hm_row){ .layer = HM_ENTITY,
                   .status = HM_ACTIVE,
                   .project = project,
                   .id = hm_str_c(id),
                   .type = hm_str_c(type),
                   .name = hm_str_c(name),
                   .text = HM_EMPTY,
                   .props = hm_str_c(props) };
}
static inline hm_row help_state(const char *id, const char *category, uint32_t project,
                                const char *key, const char *value) {
  return (hm_row){ .layer = HM_STATE,
                   .status = HM_ACTIVE,
                   .project = project,
                   .id = hm_str_c(id),
                   .type = hm_str_c(category),
                   .name = hm_str_c(key),
                   .text = hm_str_c(value),
                   .props = HM_EMPTY };
}

/* Everything from rows to a plan. */
typedef struct {
  hm_snapshot *snap;
  hm_claims *claims;
  hm_disputes *disputes;
  hm_plan *plan;
} help_look;

static inline void help_replan(help_look *l, hm_arena *a) {
  l->plan = hm_plan_build(l->snap, l->disputes, HM_STR("2026-05-01T00:00:00Z"), a);
}

static inline help_look help_look_at(hm_arena *a, const char *const *projects, size_t n_projects,
                                     const hm_row *rows, size_t n, const hm_rules *rules,
                                     int threads) {
  hm_err err;
  help_look l = { .snap = help_snapshot(a, projects, n_projects, rows, n) };
  assert_int_equal(hm_claims_read(l.snap, rules, threads, &l.claims, &err), 0);
  assert_int_equal(hm_disputes_find(l.snap, l.claims, rules, threads, a, &l.disputes, &err), 0);
  help_replan(&l, a);
  return l;
}

static inline void help_done(help_look *l) { hm_claims_free(l->claims); }
#endif
