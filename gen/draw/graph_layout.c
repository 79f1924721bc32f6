/* Where boxes and arrows stand, by Graphviz's `dot`. The only file that includes its headers.
 *
 * The layout plugin is linked in and handed over by its name, and loading on demand is off: no
 * config file, no other plugin, no font is looked for. Labels stay with us; a node is a box of a
 * size that we say. The library has state of its own, so one layout runs at a time.
 *
 * A line is a chain of one node in each column that it crosses, and the time goes into these: 250
 * lines over 150 columns took 8 s. So the longest lines are left out, until all together cross at
 * most COLUMNS_CROSSED: 0.1 s at worst. A line crosses as many columns as the longest way between
 * its ends, once lines back are turned round. */
#include <graphviz/gvc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "gen/draw/graph.h"
#include "gen/draw/graph_impl.h"

extern gvplugin_library_t gvplugin_dot_layout_LTX_library;

#define MINCROSS "0.3"       /* of the usual rounds that look for fewer crossings */

enum { COLUMNS_CROSSED = 1200 };

/* --- lines that are too long ---------------------------------------------------------------- */

/* Node by node, down its lines first: a line to a node that is still open leads back. */
static void find_back_lines(size_t n, const hm_graph_line *lines, size_t n_lines, hm_arena *a,
                            bool *back) {
  enum { NEW, OPEN, DONE };
  unsigned char *state = hm_alloc_array(a, n + 1, sizeof *state);
  size_t *next = hm_alloc_array(a, n + 1, sizeof *next);
  uint32_t *stack = hm_alloc_array(a, n + 1, sizeof *stack);
  for (uint32_t root = 0; root < n; root++) {
    size_t depth = 0;
    if (state[root] == NEW) stack[depth++] = root;
    while (depth) {
      uint32_t at = stack[depth - 1];
      state[at] = OPEN;
      size_t i = next[at];
      while (i < n_lines && lines[i].from != at) i++;
      next[at] = i + 1;
      if (i >= n_lines) {
        state[at] = DONE;
        depth--;
      } else if (state[lines[i].to] == NEW) stack[depth++] = lines[i].to;
      else back[i] = state[lines[i].to] == OPEN;
    }
  }
}

/* Sets kept; work: nodes times lines. */
static void leave_out_long(size_t n, const hm_graph_line *lines, size_t n_lines, hm_arena *a,
                           bool *kept) {
  bool *back = hm_alloc_array(a, n_lines + 1, sizeof *back);
  int *column = hm_alloc_array(a, n + 1, sizeof *column);
  find_back_lines(n, lines, n_lines, a, back);
  bool moved = true;
  for (size_t round = 0; moved && round <= n; round++) {
    moved = false;
    for (size_t i = 0; i < n_lines; i++) {
      uint32_t from = back[i] ? lines[i].to : lines[i].from,
               to = back[i] ? lines[i].from : lines[i].to;
      if (column[to] > column[from]) continue;
      column[to] = column[from] + 1;
      moved = true;
    }
  }
  int longest = (int)n, crossed;
  do {
    crossed = 0;
    for (size_t i = 0; i < n_lines; i++) {
      int length = abs(column[lines[i].to] - column[lines[i].from]);
      kept[i] = length <= longest;
      if (kept[i]) crossed += length;
    }
  } while (crossed > COLUMNS_CROSSED && --longest > 1);
}

/* --- the graph as the library has it ------------------------------------------------------- */

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

/* At half of the middle piece, or where two pieces meet in the middle. */
static hm_graph_point middle_of(const hm_graph_point *p, size_t n) {
  size_t pieces = (n - 1) / 3;
  p += pieces / 2 * 3;
  if (pieces % 2 == 0) return p[0];
  return (hm_graph_point){ (p[0].x + 3 * p[1].x + 3 * p[2].x + p[3].x) / 8,
                           (p[0].y + 3 * p[1].y + 3 * p[2].y + p[3].y) / 8 };
}

/* Of several curves the first; an arrow's tip is a point of its own behind the curve. */
static void read_line(Agedge_t *e, double height, hm_arena *a, hm_graph_line *out) {
  const splines *s = e ? ED_spl(e) : NULL;
  out->n = 0;
  if (!s || !s->size || s->list[0].size < 4) return;
  const bezier *b = &s->list[0];
  out->points = hm_alloc_array(a, (size_t)b->size + 3, sizeof *out->points);
  for (int i = 0; i < b->size; i++) out->points[out->n++] = place(b->list[i], height);
  out->middle = middle_of(out->points, out->n);
  if (!b->eflag) return;
  out->points[out->n] = out->points[out->n - 1];
  out->points[out->n + 1] = out->points[out->n + 2] = place(b->ep, height);
  out->n += 3;
}

static Agraph_t *graph_of(const hm_graph_box *boxes, size_t n, const hm_graph_line *lines,
                          const bool *kept, size_t n_lines, int gap, Agnode_t **nodes,
                          Agedge_t **edges) {
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
    edges[i] =
        kept[i] ? agedge(g, nodes[lines[i].from], nodes[lines[i].to], name, 1) : NULL;
  }
  return g;
}

static lt_symlist_t plugins[] = {
  { "gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library }, { NULL, NULL }
};
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

hm_str hm_draw_graph_version(hm_arena *a) {
  pthread_mutex_lock(&one_at_a_time);
  GVC_t *gvc = gvContextPlugins(plugins, 0);
  hm_str version = gvc ? hm_str_dup(a, hm_str_c(gvcVersion(gvc))) : HM_EMPTY;
  if (gvc) gvFreeContext(gvc);
  pthread_mutex_unlock(&one_at_a_time);
  return version;
}

static int say_nothing(char *text) {
  (void)text;
  return 0;
}

bool hm_graph_layout(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines, int gap,
                     hm_arena *a, int *w, int *h) {
  Agnode_t **nodes = hm_alloc_array(a, n + 1, sizeof *nodes);
  Agedge_t **edges = hm_alloc_array(a, n_lines + 1, sizeof *edges);
  bool *kept = hm_alloc_array(a, n_lines + 1, sizeof *kept);
  leave_out_long(n, lines, n_lines, a, kept);
  pthread_mutex_lock(&one_at_a_time);
  agseterrf(say_nothing);
  GVC_t *gvc = gvContextPlugins(plugins, 0);
  Agraph_t *g = gvc ? graph_of(boxes, n, lines, kept, n_lines, gap, nodes, edges) : NULL;
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
  /* Graphviz 2.42 loses 0.9 KB a layout with two circles, 70 bytes without: the edges that it turns
   * round. Neither agdelete() of all edges here nor one context for all layouts cures that, so a
   * server that draws 100,000 such graphs grows by 90 MB. */
  if (done) gvFreeLayout(gvc, g);
  if (g) agclose(g);
  if (gvc) gvFreeContext(gvc);
  pthread_mutex_unlock(&one_at_a_time);
  return done;
}
