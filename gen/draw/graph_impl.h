/* Between graph.c, which draws, graph_chains.c, which places chains, and graph_layout.c, which asks
 * Graphviz for all else. */
#ifndef HM_GRAPH_IMPL_H
#define HM_GRAPH_IMPL_H
#include "core/base/str.h"

typedef struct { int x, y; } hm_graph_point;

/* w and h come in; x and y, the middle, go out. */
typedef struct { int w, h, x, y; } hm_graph_box;

/* In: how much room its label takes; w is 0 where it has none. Out: a cubic Bezier curve of 3k + 1
 * points, in the arena, whose last point is the arrow's tip, and the middle of the label, which no
 * box and no other label covers. n is 0 where the line is left to the caller: then its label has
 * no place. */
typedef struct {
  uint32_t from, to;
  int label_w, label_h;
  hm_graph_point *points, label;
  size_t n;
} hm_graph_line;

/* Places boxes, lines and labels, from left to right, with at least HM_GRAPH_GAP between columns;
 * *w, *h: the whole. y goes down. False: the library failed, and nothing is set. */
enum { HM_GRAPH_GAP = 40 };
bool hm_graph_layout(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines,
                     hm_arena *a, int *w, int *h);
/* The same without the library, for a graph of chains alone. False: it is no such graph, and places
 * of boxes are not set. */
bool hm_graph_chains(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines,
                     hm_arena *a, int *w, int *h);
#endif
