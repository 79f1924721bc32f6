/* Where boxes and arrows stand, by Graphviz's `dot`. The only file that includes its headers.
 *
 * The layout plugin is linked in and handed over by its name, and loading on demand is off: no
 * config file, no other plugin, no font is looked for. Labels stay with us; a node is a box of a
 * size that we say. The library has state of its own, so one layout runs at a time.
 * Cost: bounded by the caller's bounds and MINCROSS; see graph.h. */
#include <graphviz/gvc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "core/base/arena.h"
#include "gen/draw/graph_impl.h"

extern gvplugin_library_t gvplugin_dot_layout_LTX_library;

#define MINCROSS "0.3"       /* of the usual rounds that look for fewer crossings */

static void set_defaults(Agraph_t *g, int gap) {
  char inches[32];
  snprintf(inches, sizeof inches, "%d.%02d", gap / 72, gap % 72 * 100 / 72);
  const struct { int kind; const char *name, *value; } all[] = {
    { AGRAPH, "rankdir", "LR" },     { AGRAPH, "mclimit", MINCROSS },
    { AGRAPH, "ranksep", inches },   { AGRAPH, "nodesep", "0.2" },
    { AGNODE, "shape", "box" },      { AGNODE, "label", "" },
    { AGNODE, "fixedsize", "true" }, { AGNODE, "width", "1" },
    { AGNODE, "height", "1" },       { AGEDGE, "arrowsize", "0.6" },
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    agattr(g, all[i].kind, (char *)all[i].name, (char *)all[i].value);
}

/* The size as the library reads it: a decimal, whatever the locale. */
static void set_inches(Agnode_t *n, const char *name, int points) {
  char text[32];
  snprintf(text, sizeof text, "%d.%04d", points / 72, points % 72 * 10000 / 72);
  agset(n, (char *)name, text);
}

static hm_graph_point place(pointf p, double height) {
  return (hm_graph_point){ (int)floor(p.x + 0.5), (int)floor(height - p.y + 0.5) };
}

/* Of several curves the first; an arrow's tip is a point of its own behind the curve. */
static void read_line(Agedge_t *e, double height, hm_arena *a, hm_graph_line *out) {
  const splines *s = ED_spl(e);
  out->n = 0;
  if (!s || !s->size || !s->list[0].size) return;
  const bezier *b = &s->list[0];
  out->points = hm_alloc_array(a, (size_t)b->size + 3, sizeof *out->points);
  for (int i = 0; i < b->size; i++) out->points[out->n++] = place(b->list[i], height);
  if (!b->eflag) return;
  out->points[out->n] = out->points[out->n - 1];
  out->points[out->n + 1] = out->points[out->n + 2] = place(b->ep, height);
  out->n += 3;
}

static Agraph_t *graph_of(const hm_graph_box *boxes, size_t n, const hm_graph_line *lines,
                          size_t n_lines, int gap, Agnode_t **nodes, Agedge_t **edges) {
  Agraph_t *g = agopen((char *)"g", Agdirected, NULL);
  char name[32];
  if (!g) return NULL;
  set_defaults(g, gap);
  for (size_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "n%zu", i);
    nodes[i] = agnode(g, name, 1);
    set_inches(nodes[i], "width", boxes[i].w);
    set_inches(nodes[i], "height", boxes[i].h);
  }
  for (size_t i = 0; i < n_lines; i++) {
    snprintf(name, sizeof name, "e%zu", i);
    edges[i] = agedge(g, nodes[lines[i].from], nodes[lines[i].to], name, 1);
  }
  return g;
}

static int say_nothing(char *text) {
  (void)text;
  return 0;
}

bool hm_graph_layout(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines, int gap,
                     hm_arena *a, int *w, int *h) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  lt_symlist_t plugins[] = {
    { "gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library }, { NULL, NULL }
  };
  Agnode_t **nodes = hm_alloc_array(a, n + 1, sizeof *nodes);
  Agedge_t **edges = hm_alloc_array(a, n_lines + 1, sizeof *edges);
  pthread_mutex_lock(&one_at_a_time);
  agseterrf(say_nothing);
  GVC_t *gvc = gvContextPlugins(plugins, 0);
  Agraph_t *g = gvc ? graph_of(boxes, n, lines, n_lines, gap, nodes, edges) : NULL;
  bool done = g && gvLayout(gvc, g, "dot") == 0;
  if (done) {
    boxf all = GD_bb(g);
    *w = (int)ceil(all.UR.x);
    *h = (int)ceil(all.UR.y);
    for (size_t i = 0; i < n; i++) {
      hm_graph_point p = place(ND_coord(nodes[i]), all.UR.y);
      boxes[i].x = p.x, boxes[i].y = p.y;
    }
    for (size_t i = 0; i < n_lines; i++) read_line(edges[i], all.UR.y, a, &lines[i]);
  }
  if (done) gvFreeLayout(gvc, g);
  if (g) agclose(g);
  if (gvc) gvFreeContext(gvc);
  pthread_mutex_unlock(&one_at_a_time);
  return done;
}
