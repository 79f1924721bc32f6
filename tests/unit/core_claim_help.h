/* Snapshots made by hand, for the tests of core/claim. */
#ifndef CORE_CLAIM_HELP_H
#define CORE_CLAIM_HELP_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/claim/claim.h"

static inline hm_row help_row(hm_layer layer, const char *id, const char *type, const char *name,
                              const char *text) {
  return (hm_row){
    .layer = layer,
    .status = HM_ACTIVE,
    .project = 1,
    .id = hm_str_c(id),
    .type = hm_str_c(type),
    .name = hm_str_c(name),
    .text = layer == HM_ENTITY ? HM_EMPTY : hm_str_c(text),
    .props = layer == HM_ENTITY ? hm_str_c(text) : HM_EMPTY,
    .from = HM_EMPTY,
    .to = HM_EMPTY,
    .slot_rule = HM_EMPTY,
    .scope = HM_EMPTY,
    .valid_from = HM_EMPTY,
    .valid_until = HM_EMPTY,
    .created_at = HM_EMPTY,
    .superseded_by = HM_EMPTY,
  };
}

static inline int help_cmp(const void *x, const void *y) {
  const hm_row *a = x, *b = y;
  return a->layer != b->layer ? (a->layer > b->layer) - (a->layer < b->layer)
                              : hm_str_cmp(a->id, b->id);
}

/* Sorts rows; the snapshot borrows them. Projects: "", p, q. */
static inline hm_snapshot help_snapshot(hm_arena *a, hm_row *rows, size_t n) {
  hm_snapshot s = { .rows = rows, .n_rows = n, .n_projects = 3, .now = HM_TIME_MAX };
  s.projects = hm_alloc_array(a, 3, sizeof *s.projects);
  s.projects[0].id = HM_EMPTY;
  s.projects[1].id = HM_STR("p");
  s.projects[2].id = HM_STR("q");
  if (n) qsort(rows, n, sizeof *rows, help_cmp);
  for (int l = 0; l < 5; l++) hm_row_index_init(&s.by_id[l], a, n);
  for (size_t i = 0; i < n; i++) hm_row_index_add(&s.by_id[rows[i].layer], rows[i].id, (uint32_t)i);
  for (int l = 0; l < 6; l++)
    while (s.first[l] < n && (int)rows[s.first[l]].layer < l) s.first[l]++;
  return s;
}

static inline hm_claims *help_claims(const hm_snapshot *s, int threads) {
  hm_claims *c = NULL;
  hm_err err;
  assert_int_equal(hm_claims_read(s, hm_rules_default(), threads, &c, &err), 0);
  return c;
}
#endif
