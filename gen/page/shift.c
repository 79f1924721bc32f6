/* Rows that came, put into what a view has for each row: everything after them moves on by one. */
#include <string.h>

#include "view_private.h"

/* Room for one item before items[at]; its bytes are those of the one that stood there. */
static void gap(void *items, size_t size, size_t n, size_t at) {
  char *p = items;
  memmove(p + (at + 1) * size, p + at * size, (n - at) * size);
}

static void renumber(uint32_t *rows, size_t n, uint32_t at) {
  for (size_t i = 0; i < n; i++) rows[i] += rows[i] >= at;
}

static void renumber_edges(hm_view *v, uint32_t at) {
  for (uint32_t i = 0; i < v->n_edges; i++) {
    hm_edge *e = &v->edges[i];
    bool link = e->kind == HM_EDGE_LINK_OUT || e->kind == HM_EDGE_LINK_IN;
    e->other += e->other != HM_NONE && e->other >= at;
    e->via += !link && e->via != HM_NONE && e->via >= at;
  }
}

/* n: rows before it came; listed: of these, in the lists. */
static void open_row(hm_view *v, size_t n, size_t listed, uint32_t row) {
  gap(v->seen, sizeof *v->seen, n, row);
  gap(v->hidden, sizeof *v->hidden, n, row);
  gap(v->part_of, sizeof *v->part_of, n, row);
  gap(v->edge_from, sizeof *v->edge_from, n + 2, row);
  v->seen[row] = (hm_seen){ 0 };
  v->hidden[row] = false;
  v->part_of[row] = HM_NONE;
  renumber(v->homes, listed, row);
  renumber(v->listed, listed, row);
  renumber_edges(v, row);
}

static size_t place_at_home(const hm_view *v, uint32_t home, uint32_t row) {
  size_t lo = v->home_from[home], hi = v->home_from[home + 1];
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (v->homes[mid] < row) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/* Lists of the projects behind it have their rows one place further on. */
static void move_lists(hm_view *v, uint32_t home) {
  for (uint32_t p = 0; p < v->n_projects; p++) {
    const hm_vproject *pr = &v->projects[p];
    if (pr->snap <= home) continue;
    for (uint32_t i = pr->g_from; i < pr->g_to; i++) v->groups[i].from++, v->groups[i].to++;
    for (uint32_t i = pr->p_from; i < pr->p_to; i++) v->parts[i].from++, v->parts[i].to++;
  }
}

static void settle_row(hm_view *v, size_t n, uint32_t row) {
  uint32_t home = v->seen[row].home;
  size_t at = place_at_home(v, home, row);
  gap(v->homes, sizeof *v->homes, n, at);
  v->homes[at] = row;
  gap(v->listed, sizeof *v->listed, n, v->home_from[home + 1]);
  v->listed[v->home_from[home + 1]] = row;
  move_lists(v, home);
  for (size_t q = home + 1; q <= v->snap->n_projects; q++) v->home_from[q]++;
}

bool hm_view_put_in(hm_view *v, const uint32_t *rows, size_t n) {
  size_t before = v->snap->n_rows - n;
  for (size_t i = 0; i < n; i++) open_row(v, before + i, before, rows[i]);
  for (size_t i = 0; i < n; i++) {
    if (!hm_view_scan_row(v, rows[i])) return false;
    settle_row(v, before + i, rows[i]);
  }
  return true;
}
