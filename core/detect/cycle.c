/* Rows that supersede each other in a circle: each has at most one successor, so one walk finds
 * every circle. */
#include "core/detect/finding.h"
#include "core/detect/sweep.h"

enum { SHOWN_MAX = 100 };

typedef struct {
  const hm_snapshot *snap;
  uint32_t *next;       /* successor of each row, or HM_MAP_NONE */
  uint32_t *walk;       /* in which walk the row was met; 0: in none */
  hm_finding_list found;
} work;

/* at is the circle's row of least index, so a circle looks the same wherever it was entered. */
static void report(work *w, uint32_t at, size_t length) {
  hm_arena *a = w->found.a;
  const hm_row *r = &w->snap->rows[at];
  size_t shown = length < SHOWN_MAX ? length : SHOWN_MAX;
  hm_str *rows = hm_alloc_array(a, shown, sizeof *rows);
  uint32_t i = at;
  for (size_t k = 0; k < shown; k++, i = w->next[i]) rows[k] = hm_row_ref(a, &w->snap->rows[i]);
  hm_str size = hm_str_fmt(a, "%zu", length);
  hm_str message = length == 1
      ? HM_CAT(a, rows[0], HM_STR(" is superseded by itself"))
      : HM_CAT(a, rows[0],
               HM_STR(" and the rows after it are superseded by each other in a circle of "), size);
  hm_finding_add(&w->found,
                 (hm_finding){ .kind = HM_STR("ontology_violation"),
                               .severity = HM_STR("warn"),
                               .rule = HM_STR("row/supersession-cycle"),
                               .project = w->snap->projects[r->project].id,
                               .rows = rows,
                               .n_rows = shown,
                               .message = message,
                               .expected = HM_STR("a last row that nothing supersedes"),
                               .actual = HM_CAT(a, HM_STR("a circle of "), size) });
}

static void measure(work *w, uint32_t at) {
  uint32_t least = at;
  size_t length = 1;
  for (uint32_t i = w->next[at]; i != at; i = w->next[i], length++)
    if (i < least) least = i;
  report(w, least, length);
}

static void follow(work *w, uint32_t from) {
  uint32_t walk = from + 1, i = from;
  while (i != HM_MAP_NONE && !w->walk[i]) {
    w->walk[i] = walk;
    i = w->next[i];
  }
  if (i != HM_MAP_NONE && w->walk[i] == walk) measure(w, i);
}

int hm_detect_cycles(const hm_snapshot *snap, hm_arena *a, hm_finding **out, size_t *n,
                     hm_err *err) {
  (void)err;
  hm_arena *scratch = hm_arena_new();
  work w = { .snap = snap, .found = { .a = a } };
  w.next = hm_alloc_array(scratch, snap->n_rows, sizeof *w.next);
  w.walk = hm_alloc_array(scratch, snap->n_rows, sizeof *w.walk);
  for (size_t i = 0; i < snap->n_rows; i++) {
    const hm_row *r = &snap->rows[i];
    w.next[i] =
        r->superseded_by.n ? hm_snapshot_ref(snap, r->layer, r->superseded_by) : HM_MAP_NONE;
  }
  for (size_t i = 0; i < snap->n_rows; i++) follow(&w, (uint32_t)i);
  *out = w.found.v;
  *n = w.found.n;
  hm_arena_free(scratch);
  return 0;
}
