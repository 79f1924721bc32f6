/* Places boxes and arrows: chains in rows by our own code, all other graphs by Graphviz's `dot`. No
 * other file includes Graphviz's headers.
 *
 * A graph of chains has at most one arrow to each box and one from it, and no cycle. Graphs of what
 * superseded what, one a project, are mostly chains, and Graphviz took a fifteenth of a whole build
 * to place them. Each chain is a row, in the order of its first box, and its boxes stand in columns
 * from the left. A column is as wide as its widest box; boxes stand in the middle of it. A label
 * stands above the middle of its arrow; the gap between columns fits the widest label. Cost: linear
 * in boxes and lines.
 *
 * The layout plugin is linked in and passed by name, and loading on demand is off: the library
 * looks for no config file, other plugin or font. It never sees our labels: a node is a box of a
 * given size, and an edge's label is a run of characters of one width that takes the room of the
 * real label. The library gives a label its own place in a column between its boxes. The library
 * has global state, so one layout runs at a time.
 *
 * The library makes a line a chain with a node in each column that it crosses, and these nodes take
 * the time: 250 lines over 150 columns took 8 s. So the longest lines are left out, until all
 * together cross at most COLUMNS_CROSSED: 0.1 s at worst. A line crosses as many columns as the
 * longest path between its ends, once back lines are reversed. */
#include <graphviz/gvc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "gen/draw/draw.h"

extern gvplugin_library_t gvplugin_dot_layout_LTX_library;

#define MINCROSS "0.3" /* of the usual rounds to reduce crossings */

/* LIBRARY_GAP: between the boxes of a column, "nodesep" in pixels */
enum { COLUMNS_CROSSED = 1200, SIGN_WIDTH = 6, LINE_HEIGHT = 12, LIBRARY_GAP = 14 };

/* --- chains ---------------------------------------------------------------------------- */

enum { ROW_GAP = 14, TIP = 12, ABOVE = 1 };

typedef struct {
  uint32_t next, before;
} chain_link;

/* Returns false when a box has two arrows on one side. */
static bool link_boxes(size_t n, const hm_graph_line *lines, size_t n_lines, chain_link *links) {
  for (size_t i = 0; i < n; i++)
    links[i] = (chain_link){ UINT32_MAX, UINT32_MAX };
  for (size_t i = 0; i < n_lines; i++) {
    chain_link *from = &links[lines[i].from], *to = &links[lines[i].to];
    if (from->next != UINT32_MAX || to->before != UINT32_MAX)
      return false;
    from->next = lines[i].to;
    to->before = lines[i].from;
  }
  return true;
}

/* Sets each box's x to its column and y to its row. Returns how many boxes it reached: all, unless
 * some form a cycle. */
static size_t count_places(hm_graph_box *boxes, size_t n, const chain_link *links, int *rows,
                           int *columns) {
  size_t met = 0;
  *rows = *columns = 0;
  for (size_t i = 0; i < n; i++) {
    if (links[i].before != UINT32_MAX)
      continue;
    int column = 0;
    for (uint32_t at = (uint32_t)i; at != UINT32_MAX; at = links[at].next, met++) {
      boxes[at].x = column++;
      boxes[at].y = *rows;
    }
    if (column > *columns)
      *columns = column;
    ++*rows;
  }
  return met;
}

/* sizes: in, the largest of each row or column; out, the place of its middle. Returns the total. */
static int find_middles(int *sizes, int n, int gap) {
  int at = 0;
  for (int i = 0; i < n; i++) {
    int size = sizes[i];
    sizes[i] = at + size / 2;
    at += size + gap;
  }
  return n ? at - gap : 0;
}

/* Draws a straight line from the right side of one box to the left side of the next. */
static void place_line(const hm_graph_box *boxes, hm_graph_line *l, hm_arena *a) {
  const hm_graph_box *from = &boxes[l->from], *to = &boxes[l->to];
  int x = from->x - from->w / 2 + from->w, y = from->y, wide = to->x - to->w / 2 - x;
  l->n = 4;
  l->points = hm_alloc_array(a, l->n, sizeof *l->points);
  for (int k = 0; k < 4; k++)
    l->points[k] = (hm_graph_point){ x + wide * k / 3, y };
  l->label = (hm_graph_point){ x + wide / 2, y - (l->label_h + 1) / 2 - ABOVE };
}

bool hm_graph_layout_chains(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines,
                            hm_arena *a, int *w, int *h) {
  int gap = HM_GRAPH_GAP;
  chain_link *links = hm_alloc_array(a, n + 1, sizeof *links);
  int *heights = hm_alloc_array(a, n + 1, sizeof *heights),
      *widths = hm_alloc_array(a, n + 1, sizeof *widths), n_rows, n_columns;
  if (!link_boxes(n, lines, n_lines, links) ||
      count_places(boxes, n, links, &n_rows, &n_columns) < n)
    return false;
  for (size_t i = 0; i < n; i++) {
    if (boxes[i].h > heights[boxes[i].y])
      heights[boxes[i].y] = boxes[i].h;
    if (boxes[i].w > widths[boxes[i].x])
      widths[boxes[i].x] = boxes[i].w;
  }
  for (size_t i = 0; i < n_lines; i++) {
    int *height = &heights[boxes[lines[i].from].y], above = 2 * (lines[i].label_h + ABOVE + 1);
    if (lines[i].label_w && above > *height)
      *height = above;
    if (lines[i].label_w + TIP > gap)
      gap = lines[i].label_w + TIP;
  }
  *w = find_middles(widths, n_columns, gap);
  *h = find_middles(heights, n_rows, ROW_GAP);
  for (size_t i = 0; i < n; i++) {
    boxes[i].x = widths[boxes[i].x];
    boxes[i].y = heights[boxes[i].y];
  }
  for (size_t i = 0; i < n_lines; i++)
    place_line(boxes, &lines[i], a);
  return true;
}

/* --- columns -------------------------------------------------------------------------------- */

/* Depth-first search: a line to a node that is still open leads back. */
static void find_back_lines(size_t n, const hm_graph_line *lines, size_t n_lines, hm_arena *a,
                            bool *back) {
  enum { NEW, OPEN, DONE };
  unsigned char *state = hm_alloc_array(a, n + 1, sizeof *state);
  size_t *next = hm_alloc_array(a, n + 1, sizeof *next);
  uint32_t *stack = hm_alloc_array(a, n + 1, sizeof *stack);
  for (uint32_t root = 0; root < n; root++) {
    size_t depth = 0;
    if (state[root] == NEW)
      stack[depth++] = root;
    while (depth) {
      uint32_t at = stack[depth - 1];
      state[at] = OPEN;
      size_t i = next[at];
      while (i < n_lines && lines[i].from != at)
        i++;
      next[at] = i + 1;
      if (i >= n_lines) {
        state[at] = DONE;
        depth--;
      } else if (state[lines[i].to] == NEW)
        stack[depth++] = lines[i].to;
      else
        back[i] = state[lines[i].to] == OPEN;
    }
  }
}

/* The column of each box: how many lines lead to it, at most, once back lines are reversed. Cost:
 * nodes times lines. */
static int *find_columns(size_t n, const hm_graph_line *lines, size_t n_lines, hm_arena *a) {
  bool *back = hm_alloc_array(a, n_lines + 1, sizeof *back);
  int *column = hm_alloc_array(a, n + 1, sizeof *column);
  find_back_lines(n, lines, n_lines, a, back);
  bool moved = true;
  for (size_t round = 0; moved && round <= n; round++) {
    moved = false;
    for (size_t i = 0; i < n_lines; i++) {
      uint32_t from = back[i] ? lines[i].to : lines[i].from,
               to = back[i] ? lines[i].from : lines[i].to;
      if (column[to] > column[from])
        continue;
      column[to] = column[from] + 1;
      moved = true;
    }
  }
  return column;
}

int hm_graph_guess_height(const hm_graph_box *boxes, size_t n, const hm_graph_line *lines,
                          size_t n_lines, hm_arena *a) {
  const int *column = find_columns(n, lines, n_lines, a);
  int *heights = hm_alloc_array(a, 2 * n + 2, sizeof *heights), most = 0;
  for (size_t i = 0; i < n; i++)
    heights[2 * column[i]] += boxes[i].h + LIBRARY_GAP;
  for (size_t i = 0; i < n_lines; i++) { /* a label stands between its box and the next column */
    int from = column[lines[i].from], to = column[lines[i].to], at = from < to ? from : to;
    heights[2 * at + 1] += (lines[i].label_w ? lines[i].label_h : 0) + LIBRARY_GAP;
  }
  for (size_t i = 0; i < 2 * n + 2; i++)
    if (heights[i] > most)
      most = heights[i];
  return most ? most - LIBRARY_GAP : 0;
}

/* --- lines that are too long ---------------------------------------------------------------- */

/* Sets kept. Cost: nodes times lines. */
static void leave_out_long(size_t n, const hm_graph_line *lines, size_t n_lines, hm_arena *a,
                           bool *kept) {
  const int *column = find_columns(n, lines, n_lines, a);
  int longest = (int)n, crossed;
  do {
    crossed = 0;
    for (size_t i = 0; i < n_lines; i++) {
      int length = abs(column[lines[i].to] - column[lines[i].from]);
      kept[i] = length <= longest;
      if (kept[i])
        crossed += length;
    }
  } while (crossed > COLUMNS_CROSSED && --longest > 1);
}

/* --- the graph as the library has it ------------------------------------------------------- */

static const struct {
  int kind;
  const char *name, *value;
} defaults[] = {
  { AGRAPH, "rankdir", "LR" }, { AGRAPH, "mclimit", MINCROSS },   { AGRAPH, "nodesep", "0.2" },
  { AGNODE, "shape", "box" },  { AGNODE, "label", "" },           { AGNODE, "fixedsize", "true" },
  { AGNODE, "width", "1" },    { AGNODE, "height", "1" },         { AGEDGE, "arrowsize", "0.6" },
  { AGEDGE, "label", "" },     { AGEDGE, "fontname", "Courier" }, { AGEDGE, "fontsize", "10" },
};

static void set_defaults(Agraph_t *g) {
  char inches[32];
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    agattr(g, defaults[i].kind, (char *)defaults[i].name, (char *)defaults[i].value);
  snprintf(inches, sizeof inches, "%d.%04d", HM_GRAPH_GAP / 72, HM_GRAPH_GAP % 72 * 10000 / 72);
  agattr(g, AGRAPH, (char *)"ranksep", inches);
}

/* The library reads sizes as decimals, whatever the locale. */
static void set_inches(Agnode_t *n, const char *name, int points) {
  char text[32];
  snprintf(text, sizeof text, "%d.%04d", points / 72, points % 72 * 10000 / 72);
  agset(n, (char *)name, text);
}

static hm_graph_point place(pointf p, double height) {
  return (hm_graph_point){ (int)floor(p.x + 0.5), (int)floor(height - p.y + 0.5) };
}

/* Sets a label of as many characters and lines as take the room of ours: in the library's own table
 * every character of this font is SIGN_WIDTH wide, and a line LINE_HEIGHT high. */
static void set_label(Agedge_t *e, const hm_graph_line *l, hm_arena *a) {
  if (!e || !l->label_w)
    return;
  size_t signs = (size_t)(l->label_w / SIGN_WIDTH) + 1,
         lines = (size_t)((l->label_h - 1) / LINE_HEIGHT) + 1;
  char *text = hm_alloc(a, signs + 3 * lines + 1);
  memset(text, 'x', signs);
  for (size_t i = 1; i < lines; i++)
    memcpy(text + signs + 3 * (i - 1), "\\nx", 3);
  text[signs + 3 * (lines - 1)] = 0;
  agset(e, (char *)"label", text);
}

/* Reads the first of several curves; an arrow's tip is a separate point after the curve. */
static void read_line(Agedge_t *e, double height, hm_arena *a, hm_graph_line *out) {
  const splines *s = e ? ED_spl(e) : NULL;
  out->n = 0;
  if (!s || !s->size || s->list[0].size < 4)
    return;
  if (ED_label(e))
    out->label = place(ED_label(e)->pos, height);
  const bezier *b = &s->list[0];
  out->points = hm_alloc_array(a, (size_t)b->size + 3, sizeof *out->points);
  for (int i = 0; i < b->size; i++)
    out->points[out->n++] = place(b->list[i], height);
  if (!b->eflag)
    return;
  out->points[out->n] = out->points[out->n - 1];
  out->points[out->n + 1] = out->points[out->n + 2] = place(b->ep, height);
  out->n += 3;
}

static Agraph_t *graph_of(const hm_graph_box *boxes, size_t n, const hm_graph_line *lines,
                          const bool *kept, size_t n_lines, Agnode_t **nodes, Agedge_t **edges,
                          hm_arena *a) {
  Agraph_t *g = agopen((char *)"g", Agdirected, NULL);
  char name[32];
  if (!g)
    return NULL;
  set_defaults(g);
  for (size_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "n%zu", i);
    nodes[i] = agnode(g, name, 1);
    set_inches(nodes[i], "width", boxes[i].w);
    set_inches(nodes[i], "height", boxes[i].h);
  }
  for (size_t i = 0; i < n_lines; i++) {
    snprintf(name, sizeof name, "e%zu", i);
    edges[i] = kept[i] ? agedge(g, nodes[lines[i].from], nodes[lines[i].to], name, 1) : NULL;
    set_label(edges[i], &lines[i], a);
  }
  return g;
}

static lt_symlist_t plugins[] = {
  { "gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library }, { NULL, NULL }
};
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

hm_str hm_graph_library_version(hm_arena *a) {
  pthread_mutex_lock(&one_at_a_time);
  GVC_t *gvc = gvContextPlugins(plugins, 0);
  hm_str version = gvc ? hm_str_dup(a, hm_str_c(gvcVersion(gvc))) : HM_EMPTY;
  if (gvc)
    gvFreeContext(gvc);
  pthread_mutex_unlock(&one_at_a_time);
  return version;
}

static int say_nothing(char *text) {
  (void)text;
  return 0;
}

static bool place_by_library(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines,
                             hm_arena *a, int *w, int *h) {
  Agnode_t **nodes = hm_alloc_array(a, n + 1, sizeof *nodes);
  Agedge_t **edges = hm_alloc_array(a, n_lines + 1, sizeof *edges);
  bool *kept = hm_alloc_array(a, n_lines + 1, sizeof *kept);
  leave_out_long(n, lines, n_lines, a, kept);
  pthread_mutex_lock(&one_at_a_time);
  agseterrf(say_nothing);
  GVC_t *gvc = gvContextPlugins(plugins, 0);
  Agraph_t *g = gvc ? graph_of(boxes, n, lines, kept, n_lines, nodes, edges, a) : NULL;
  bool done = g && gvLayout(gvc, g, "dot") == 0;
  if (done) {
    boxf all = GD_bb(g);
    *w = (int)ceil(all.UR.x);
    *h = (int)ceil(all.UR.y);
    for (size_t i = 0; i < n; i++) {
      hm_graph_point p = place(ND_coord(nodes[i]), all.UR.y);
      boxes[i].x = p.x, boxes[i].y = p.y;
    }
    for (size_t i = 0; i < n_lines; i++)
      read_line(edges[i], all.UR.y, a, &lines[i]);
  }
  /* Graphviz 2.42 leaks the edges that it reverses: 0.9 KB a layout with two cycles, 70 bytes
   * without. Neither agdelete() of all edges here nor one context for all layouts cures that, so a
   * server that draws 100,000 such graphs grows by 90 MB. */
  if (done)
    gvFreeLayout(gvc, g);
  if (g)
    agclose(g);
  if (gvc)
    gvFreeContext(gvc);
  pthread_mutex_unlock(&one_at_a_time);
  return done;
}

bool hm_graph_layout(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines,
                     hm_arena *a, int *w, int *h) {
  return hm_graph_layout_chains(boxes, n, lines, n_lines, a, w, h) ||
      place_by_library(boxes, n, lines, n_lines, a, w, h);
}
