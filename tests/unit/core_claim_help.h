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

static inline hm_row help_state(const char *key, const char *value) {
  return help_row(HM_STATE, "s", "", key, value);
}
static inline hm_row help_text(const char *text) {
  return help_row(HM_MEMORY, "m", "knowledge", "", text);
}

/* The number of pairs of claims of the two rows that disagree. *both: do both claim something? */
static inline size_t help_disagreements(hm_arena *a, hm_row x, hm_row y, bool *both) {
  hm_row rows[] = { x, y };
  rows[0].id = HM_STR("a");
  rows[1].id = HM_STR("b");
  hm_snapshot s = help_snapshot(a, rows, 2);
  hm_claims *c = help_claims(&s, 1);
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    for (size_t k = 0; k < i; k++)
      /* what prose tells, too, is told there alone */
      n += c->claims[i].row != c->claims[k].row &&
          !(c->claims[i].twin.n && hm_str_eq(c->claims[i].twin, c->claims[k].twin)) &&
          hm_claims_share_slot(&c->claims[i], &c->claims[k]) &&
          hm_claim_disagree(&c->claims[i], &c->claims[k], hm_rules_default(), 2);
  *both = c->speaks[0] && c->speaks[1];
  hm_claims_free(c);
  return n;
}
#endif
