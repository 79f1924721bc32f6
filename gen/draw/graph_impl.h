/* Between graph.c, which draws, graph_chains.c, which places chains, and graph_layout.c, which asks
 * Graphviz for all else. */
#ifndef HM_GRAPH_IMPL_H
#define HM_GRAPH_IMPL_H
#include "core/base/str.h"

typedef struct { int x, y; } hm_graph_point;

/* w and h come in; x and y, the middle, go out. */
typedef struct { int w, h, x, y; } hm_graph_box;

/* Out: a cubic Bezier curve of 3k + 1 points, in the arena; its last point is the arrow's tip.
 * Above its middle is room for a label. n is 0 where the line is left to the caller. */
typedef struct {
  uint32_t from, to;
  hm_graph_point *points, middle;
  size_t n;
} hm_graph_line;

/* Places boxes and lines, from left to right, with `gap` between columns; *w, *h: the whole. y goes
 * down. False: the library failed, and nothing is set. */
bool hm_graph_layout(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines, int gap,
                     hm_arena *a, int *w, int *h);
/* The same without the library, for a graph of chains alone. False: it is no such graph, and places
 * of boxes are not set. */
bool hm_graph_chains(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines, int gap,
                     hm_arena *a, int *w, int *h);
#endif
