/* Draws graphs as SVG. Sorts nodes by key and edges by their ends, then merges the edges of one
 * direction between two nodes into one arrow, with a line for each label. */
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/sort.h"
#include "gen/draw/draw.h"
#include "core/markdown/escape.h"

enum {
  FACT_BYTES = 400, /* of a label that are read */
  LABEL_WIDTH = 240,
  KIND_WIDTH = 150,
  EDGE_WIDTH = 150,
  EDGE_LABELS = 60, /* with more edges, labels are left out: they would hide each other */
  EDGE_LINES = 4,   /* of a label; the last says how many more there are */
  EDGE_LINE_HEIGHT = 15,
  EDGE_BASE = 11, /* of a line, below its top */
  EDGE_PAD = 5,   /* around a label */
  BOX_PAD = 10,
  BOX_LEAST = 70,
  LINE_HEIGHT = 17,
  MARGIN = 14,
  COLUMN_GAP = 12 /* between boxes, when the library failed */
};

static const char style[] =
    "<style>"
    "text{font:13px system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"DejaVu Sans\","
    "sans-serif;fill:#1d2429;text-anchor:middle}"
    ".p{fill:#fff;stroke:#dcdfe0}.n{fill:#f2f5f6;stroke:#56626b}.d{stroke:#8a3b00;stroke-width:2}"
    ".o{stroke-dasharray:5 3}.k{font-size:12px;fill:#56626b}.a{fill:#8a3b00;font-weight:600}"
    ".e{fill:none;stroke:#56626b;stroke-width:1.3}.E{fill:none;stroke:#8a3b00;stroke-width:2}"
    ".h{fill:#56626b}"
    ".q{font-size:12px;fill:#1f4e5f;stroke:#fff;stroke-width:4px;paint-order:stroke}"
    "@media(prefers-color-scheme:dark){text{fill:#e3e8ea}.p{fill:#1a2126;stroke:#323d45}"
    ".n{fill:#232c32;stroke:#9fadb5}.d{stroke:#ffc587}.k{fill:#9fadb5}.a{fill:#ffc587}"
    ".e{stroke:#9fadb5}.E{stroke:#ffc587}.h{fill:#9fadb5}.q{fill:#84c9e0;stroke:#1a2126}}"
    "</style>"
    "<defs><marker id=\"t\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"8\" "
    "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
    "<path class=\"h\" d=\"M0 0.5L8 4L0 7.5z\"/></marker></defs>\n";

/* --- sorted and merged ----------------------------------------------------------------- */

typedef struct {
  hm_str key;
  uint32_t at;
} sorted_node;
typedef struct {
  uint32_t from, to;
  hm_str label;             /* of one edge */
  hm_str lines[EDGE_LINES]; /* of all edges of these ends */
  size_t n_labels;
  bool disputed;
} sorted_edge;

typedef struct {
  const hm_draw_graph *g;
  hm_arena *a;
  sorted_node *nodes;
  hm_str *labels, *kinds; /* beside nodes, cut */
  hm_graph_box *boxes;
  sorted_edge *edges;
  size_t n_edges;
  hm_graph_line *lines;
  int w, h;
} drawing;

static int by_ends(const void *x, const void *y) {
  const sorted_edge *a = x, *b = y;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  int d = hm_str_cmp(a->label, b->label);
  return d ? d : a->disputed - b->disputed;
}

/* A fact as one line, cut to the width. */
static hm_str line_of(hm_arena *a, hm_str fact, int width) {
  return hm_svg_text_cut(a, hm_str_trim(hm_clean_text(a, hm_str_sub(fact, 0, FACT_BYTES))), width);
}

static void sort_nodes(drawing *d) {
  size_t n = d->g->n_nodes;
  d->nodes = hm_alloc_array(d->a, n + 1, sizeof *d->nodes);
  d->labels = hm_alloc_array(d->a, n + 1, sizeof *d->labels);
  d->kinds = hm_alloc_array(d->a, n + 1, sizeof *d->kinds);
  d->boxes = hm_alloc_array(d->a, n + 1, sizeof *d->boxes);
  for (uint32_t i = 0; i < n; i++)
    d->nodes[i] = (sorted_node){ d->g->nodes[i].key, i };
  qsort(d->nodes, n, sizeof *d->nodes, hm_order_str);
  for (size_t i = 0; i < n; i++) {
    const hm_draw_node *x = &d->g->nodes[d->nodes[i].at];
    d->labels[i] = line_of(d->a, x->label, LABEL_WIDTH);
    d->kinds[i] = line_of(d->a, x->kind, KIND_WIDTH);
    int wide = hm_svg_text_width(d->labels[i]), below = hm_svg_text_width(d->kinds[i]);
    if (x->disputed)
      below += hm_svg_text_width(HM_STR(" \u26A0 disputed"));
    if (below > wide)
      wide = below;
    if (wide < BOX_LEAST - 2 * BOX_PAD)
      wide = BOX_LEAST - 2 * BOX_PAD;
    d->boxes[i].w = wide + 2 * BOX_PAD;
    d->boxes[i].h = LINE_HEIGHT * (below ? 2 : 1) + BOX_PAD;
  }
}

static void add_label(sorted_edge *e, hm_str label) {
  if (!label.n)
    return;
  if (e->n_labels < EDGE_LINES)
    e->lines[e->n_labels] = label;
  e->n_labels++;
}

static size_t label_lines(const sorted_edge *e) {
  return e->n_labels < EDGE_LINES ? e->n_labels : EDGE_LINES;
}

/* Sets the size of an arrow's labels; the last line counts the labels that are left out. */
static void measure_label(drawing *d, size_t i, hm_graph_line *line) {
  sorted_edge *e = &d->edges[i];
  if (e->n_labels > EDGE_LINES)
    e->lines[EDGE_LINES - 1] = hm_str_fmt(d->a, "and %zu more", e->n_labels - EDGE_LINES + 1);
  for (size_t k = 0; k < label_lines(e); k++) {
    int wide = hm_svg_text_width(e->lines[k]) + 2 * EDGE_PAD;
    if (wide > line->label_w)
      line->label_w = wide;
  }
  line->label_h = (int)label_lines(e) * EDGE_LINE_HEIGHT + EDGE_PAD;
}

static void sort_edges(drawing *d) {
  size_t n = 0;
  uint32_t *place = hm_alloc_array(d->a, d->g->n_nodes + 1, sizeof *place);
  sorted_edge *all = d->edges = hm_alloc_array(d->a, d->g->n_edges + 1, sizeof *d->edges);
  for (uint32_t i = 0; i < d->g->n_nodes; i++)
    place[d->nodes[i].at] = i;
  for (size_t i = 0; i < d->g->n_edges; i++) {
    const hm_draw_edge *e = &d->g->edges[i];
    if (e->from == e->to)
      continue;
    all[n++] = (sorted_edge){ .from = place[e->from],
                              .to = place[e->to],
                              .label = line_of(d->a, e->label, EDGE_WIDTH),
                              .disputed = e->disputed };
  }
  if (n)
    qsort(all, n, sizeof *all, by_ends);
  for (size_t i = 0; i < n; i++) {
    sorted_edge *last = d->n_edges ? &all[d->n_edges - 1] : NULL;
    bool repeated = i && last->from == all[i].from && last->to == all[i].to,
         again = repeated && hm_str_eq(last->label, all[i].label);
    if (repeated) {
      last->disputed |= all[i].disputed;
      last->label = all[i].label;
    } else {
      all[d->n_edges] = all[i];
      last = &all[d->n_edges++];
    }
    /* Equal labels are neighbours: show one. */
    if (!again)
      add_label(last, last->label);
  }
}

/* --- places ----------------------------------------------------------------------------- */

/* Places boxes below each other, with straight lines between them. */
static void stand_in_a_column(drawing *d) {
  d->w = d->h = 0;
  for (size_t i = 0; i < d->g->n_nodes; i++) {
    hm_graph_box *b = &d->boxes[i];
    b->x = b->w / 2;
    b->y = d->h + b->h / 2;
    d->h += b->h + COLUMN_GAP;
    if (b->w > d->w)
      d->w = b->w;
  }
  for (size_t i = 0; i < d->n_edges; i++)
    d->lines[i].n = 0;
}

static bool is_free(const hm_graph_box *b, const hm_graph_box *taken, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (2 * abs(b->x - taken[i].x) < b->w + taken[i].w &&
        2 * abs(b->y - taken[i].y) < b->h + taken[i].h)
      return false;
  return true;
}

/* Moves the box up or down to the nearest free place: its own, or beside a taken one. There is
 * always one below all taken ones. */
static void move_aside(hm_graph_box *b, const hm_graph_box *taken, size_t n) {
  hm_graph_box best = *b, at = *b;
  bool found = is_free(b, taken, n);
  for (size_t i = 0; i < 2 * n && !found; i++) {
    const hm_graph_box *t = &taken[i / 2];
    int step = (b->h + t->h + 1) / 2;
    at.y = i % 2 ? t->y - step : t->y + step;
    bool nearer = best.y == b->y || abs(at.y - b->y) < abs(best.y - b->y);
    if (nearer && 2 * at.y >= at.h && is_free(&at, taken, n))
      best = at;
  }
  *b = best;
}

/* Moves labels that touch a box or another label. The library seldom places them so. */
static void part_labels(drawing *d) {
  size_t n = d->g->n_nodes;
  hm_graph_box *taken = hm_alloc_array(d->a, n + d->n_edges + 1, sizeof *taken);
  for (size_t i = 0; i < n; i++)
    taken[i] = d->boxes[i];
  for (size_t i = 0; i < d->n_edges; i++) {
    hm_graph_line *l = &d->lines[i];
    if (!l->label_w || !l->n)
      continue;
    hm_graph_box *b = &taken[n];
    *b = (hm_graph_box){ l->label_w, l->label_h, l->label.x, l->label.y };
    move_aside(b, taken, n++);
    l->label.y = b->y;
    if (b->y + b->h / 2 > d->h)
      d->h = b->y + b->h / 2;
  }
}

static void measure_lines(drawing *d) {
  d->lines = hm_alloc_array(d->a, d->n_edges + 1, sizeof *d->lines);
  for (size_t i = 0; i < d->n_edges; i++) {
    d->lines[i] = (hm_graph_line){ .from = d->edges[i].from, .to = d->edges[i].to };
    if (d->n_edges <= EDGE_LABELS)
      measure_label(d, i, &d->lines[i]);
  }
}

static void place_all(drawing *d) {
  size_t n = d->g->n_nodes;
  measure_lines(d);
  if (!hm_graph_layout(d->boxes, n, d->lines, d->n_edges, d->a, &d->w, &d->h))
    stand_in_a_column(d);
  part_labels(d);
}

/* --- the file ----------------------------------------------------------------------------- */

static void put_line(const drawing *d, size_t i, hm_buf *out) {
  const hm_graph_line *l = &d->lines[i];
  const hm_graph_box *from = &d->boxes[l->from], *to = &d->boxes[l->to];
  hm_buf_fmt(out, "<path class=\"%s\" marker-end=\"url(#t)\" d=\"",
             d->edges[i].disputed ? "E" : "e");
  if (!l->n) {
    int x = from->x + from->w / 2 + MARGIN, y = from->y + MARGIN,
        end_x = to->x - to->w / 2 + MARGIN, end_y = to->y + MARGIN;
    hm_buf_fmt(out, "M%d %dC%d %d %d %d %d %d", x, y, x + HM_GRAPH_GAP, y, end_x - HM_GRAPH_GAP,
               end_y, end_x, end_y);
  }
  for (size_t k = 0; k < l->n; k++)
    hm_buf_fmt(out, "%s%d %d",
               k == 0       ? "M"
                   : k == 1 ? "C"
                            : " ",
               l->points[k].x + MARGIN, l->points[k].y + MARGIN);
  hm_buf_c(out, "\"/>\n");
}

static void put_edge_label(const drawing *d, size_t i, hm_buf *out) {
  const hm_graph_line *l = &d->lines[i];
  size_t n = l->label_w && l->n ? label_lines(&d->edges[i]) : 0;
  int top = l->label.y + MARGIN - (int)n * EDGE_LINE_HEIGHT / 2;
  for (size_t k = 0; k < n; k++) {
    hm_buf_fmt(out, "<text class=\"q\" x=\"%d\" y=\"%d\">", l->label.x + MARGIN,
               top + (int)k * EDGE_LINE_HEIGHT + EDGE_BASE);
    hm_xml_escape(out, d->edges[i].lines[k]);
    hm_buf_c(out, "</text>\n");
  }
}

static void put_box(const drawing *d, size_t i, hm_buf *out) {
  const hm_draw_node *n = &d->g->nodes[d->nodes[i].at];
  const hm_graph_box *b = &d->boxes[i];
  bool two = d->kinds[i].n || n->disputed;
  int x = b->x + MARGIN, y = b->y + MARGIN;
  hm_buf_fmt(out, "<rect class=\"n%s%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>\n",
             n->disputed ? " d" : "", n->past ? " o" : "", x - b->w / 2, y - b->h / 2, b->w, b->h);
  hm_buf_fmt(out, "<text x=\"%d\" y=\"%d\">", x, two ? y - 4 : y + 4);
  hm_xml_escape(out, d->labels[i]);
  hm_buf_c(out, "</text>\n");
  if (!two)
    return;
  hm_buf_fmt(out, "<text class=\"k\" x=\"%d\" y=\"%d\">", x, y + LINE_HEIGHT - 4);
  hm_xml_escape(out, d->kinds[i]);
  if (n->disputed)
    hm_buf_fmt(out, "<tspan class=\"a\">%s\u26A0 disputed</tspan>", d->kinds[i].n ? " " : "");
  hm_buf_c(out, "</text>\n");
}

static bool is_small_enough(const hm_draw_graph *g) {
  return g->n_nodes <= HM_GRAPH_NODES_MAX && g->n_edges <= HM_GRAPH_EDGES_MAX;
}

hm_draw_size hm_draw_graph_size(const hm_draw_graph *g, hm_arena *a) {
  drawing d = { .g = g, .a = a };
  if (!is_small_enough(g))
    return (hm_draw_size){ 2 * MARGIN, 2 * MARGIN, false };
  sort_nodes(&d);
  sort_edges(&d);
  measure_lines(&d);
  if (hm_graph_layout_chains(d.boxes, g->n_nodes, d.lines, d.n_edges, a, &d.w, &d.h)) {
    part_labels(&d);
    return (hm_draw_size){ d.w + 2 * MARGIN, d.h + 2 * MARGIN, false };
  }
  int h = hm_graph_guess_height(d.boxes, g->n_nodes, d.lines, d.n_edges, a);
  return (hm_draw_size){ 0, h + 2 * MARGIN, true };
}

void hm_draw_graph_svg(const hm_draw_graph *g, hm_arena *a, hm_buf *out) {
  hm_draw_graph none = { .title = g->title, .desc = g->desc };
  drawing d = { .g = is_small_enough(g) ? g : &none, .a = a };
  sort_nodes(&d);
  sort_edges(&d);
  if (d.g->n_nodes)
    place_all(&d);
  int w = d.w + 2 * MARGIN, h = d.h + 2 * MARGIN;
  hm_str size = hm_str_fmt(a, "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"", w, h, w, h);
  hm_svg_begin(out, size, g->title, g->desc, style);
  hm_buf_fmt(out, "<rect class=\"p\" x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n",
             w - 1, h - 1);
  for (size_t i = 0; i < d.n_edges; i++)
    put_line(&d, i, out);
  for (size_t i = 0; i < d.g->n_nodes; i++)
    put_box(&d, i, out);
  for (size_t i = 0; i < d.n_edges; i++)
    put_edge_label(&d, i, out);
  hm_buf_c(out, "</svg>\n");
}
