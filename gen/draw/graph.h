/* A graph as an SVG file: boxes with labels, and arrows between them, from left to right.
 *
 * Chains are placed here, the boxes and arrows of all other graphs by Graphviz's library; we have
 * measured the boxes, and the drawing is ours.
 * No font, config or plugin of the machine is read. Nodes and edges are sorted here, coordinates
 * are whole numbers: the same graph gives the same bytes with the same version of the library, in
 * whatever order it comes. Another version may place boxes elsewhere.
 * Colours follow the reader's scheme, and nothing is said by colour alone: what is in dispute says
 * so, what is history is dashed. */
#ifndef HM_GRAPH_H
#define HM_GRAPH_H
#include "core/base/str.h"

/* More is no picture that anybody reads, and would take long: a list says it. */
enum { HM_GRAPH_NODES_MAX = 150, HM_GRAPH_EDGES_MAX = 250 };

typedef struct {
  hm_str key;                /* by which nodes are sorted; no two alike */
  hm_str label, kind;        /* facts, escaped and cut when drawn; kind: below the label */
  bool disputed, past;
} hm_draw_node;

typedef struct {
  uint32_t from, to;         /* indexes of nodes */
  hm_str label;              /* a fact */
  bool disputed;
} hm_draw_edge;

typedef struct {
  hm_str title, desc;        /* for who does not see it */
  const hm_draw_node *nodes;
  size_t n_nodes;
  const hm_draw_edge *edges; /* one from a node to itself is not drawn */
  size_t n_edges;
} hm_draw_graph;

/* The version of the library, in a: it decides about the bytes, too. */
hm_str hm_draw_graph_version(hm_arena *a);
/* Appends the file; beyond HM_GRAPH_NODES_MAX and HM_GRAPH_EDGES_MAX nothing is drawn. From any
 * thread: layouts wait for each other. Where the library fails, the boxes stand in one column.
 * Work: for the most nodes and edges about 0.1 s. */
void hm_draw_graph_svg(const hm_draw_graph *g, hm_arena *a, hm_buf *out);
#endif
