/* Where boxes and arrows stand in a graph of chains: each box has at most one arrow to it and one
 * from it, and no arrow leads back. What superseded what is mostly such a graph, one a project, and
 * a layout by Graphviz took a fifteenth of a whole build.
 *
 * Each chain is a row, in the order of its first box, and its boxes stand in columns from the left.
 * A column is as wide as its widest box; boxes stand in the middle of it. A label stands above the
 * middle of its arrow, between columns that are as far apart as the widest label asks.
 * Cost: linear in boxes and lines. */
#include "core/base/arena.h"
#include "gen/draw/graph_impl.h"

enum { ROW_GAP = 14, TIP = 12, ABOVE = 1 };

typedef struct { uint32_t next, before; } link;

/* False: a box has two arrows on one side. */
static bool link_boxes(size_t n, const hm_graph_line *lines, size_t n_lines, link *links) {
  for (size_t i = 0; i < n; i++) links[i] = (link){ UINT32_MAX, UINT32_MAX };
  for (size_t i = 0; i < n_lines; i++) {
    link *from = &links[lines[i].from], *to = &links[lines[i].to];
    if (from->next != UINT32_MAX || to->before != UINT32_MAX) return false;
    from->next = lines[i].to;
    to->before = lines[i].from;
  }
  return true;
}

/* Gives each box its column in x and its row in y; how many boxes were met, which are all unless
 * some stand in a circle. */
static size_t count_places(hm_graph_box *boxes, size_t n, const link *links, int *rows,
                           int *columns) {
  size_t met = 0;
  *rows = *columns = 0;
  for (size_t i = 0; i < n; i++) {
    if (links[i].before != UINT32_MAX) continue;
    int column = 0;
    for (uint32_t at = (uint32_t)i; at != UINT32_MAX; at = links[at].next, met++) {
      boxes[at].x = column++;
      boxes[at].y = *rows;
    }
    if (column > *columns) *columns = column;
    ++*rows;
  }
  return met;
}

/* sizes: the largest of each row or column, and becomes where its middle is; gives the whole. */
static int find_middles(int *sizes, int n, int gap) {
  int at = 0;
  for (int i = 0; i < n; i++) {
    int size = sizes[i];
    sizes[i] = at + size / 2;
    at += size + gap;
  }
  return n ? at - gap : 0;
}

/* Straight, from the right side of one box to the left side of the next. */
static void draw_line(const hm_graph_box *boxes, hm_graph_line *l, hm_arena *a) {
  const hm_graph_box *from = &boxes[l->from], *to = &boxes[l->to];
  int x = from->x - from->w / 2 + from->w, y = from->y, wide = to->x - to->w / 2 - x;
  l->n = 4;
  l->points = hm_alloc_array(a, l->n, sizeof *l->points);
  for (int k = 0; k < 4; k++) l->points[k] = (hm_graph_point){ x + wide * k / 3, y };
  l->label = (hm_graph_point){ x + wide / 2, y - (l->label_h + 1) / 2 - ABOVE };
}

bool hm_graph_chains(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines,
                     hm_arena *a, int *w, int *h) {
  int gap = HM_GRAPH_GAP;
  link *links = hm_alloc_array(a, n + 1, sizeof *links);
  int *heights = hm_alloc_array(a, n + 1, sizeof *heights),
      *widths = hm_alloc_array(a, n + 1, sizeof *widths), n_rows, n_columns;
  if (!link_boxes(n, lines, n_lines, links) ||
      count_places(boxes, n, links, &n_rows, &n_columns) < n)
    return false;
  for (size_t i = 0; i < n; i++) {
    if (boxes[i].h > heights[boxes[i].y]) heights[boxes[i].y] = boxes[i].h;
    if (boxes[i].w > widths[boxes[i].x]) widths[boxes[i].x] = boxes[i].w;
  }
  for (size_t i = 0; i < n_lines; i++) {
    int *height = &heights[boxes[lines[i].from].y], above = 2 * (lines[i].label_h + ABOVE + 1);
    if (lines[i].label_w && above > *height) *height = above;
    if (lines[i].label_w + TIP > gap) gap = lines[i].label_w + TIP;
  }
  *w = find_middles(widths, n_columns, gap);
  *h = find_middles(heights, n_rows, ROW_GAP);
  for (size_t i = 0; i < n; i++) {
    boxes[i].x = widths[boxes[i].x];
    boxes[i].y = heights[boxes[i].y];
  }
  for (size_t i = 0; i < n_lines; i++) draw_line(boxes, &lines[i], a);
  return true;
}
