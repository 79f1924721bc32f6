/* Drawings as SVG files: timelines, graphs, and counts by time. Pure: equal models give equal
 * bytes.
 *
 * A drawing needs neither script nor style sheet, so a page can show it as an image. All drawings
 * except graphs fit any width: places are in percent, text keeps its size. Colours follow the
 * reader's colour scheme, and no meaning is carried by colour alone. Texts are facts: drawing
 * escapes them. */
#ifndef HM_DRAW_H
#define HM_DRAW_H
#include "core/base/str.h"

/* The size of a drawing in pixels, for the page that shows it: a browser keeps the room free until
 * the drawing is there. */
typedef struct {
  int w, h;     /* w: 0 for a drawing as wide as its page, or of a width that nobody knows yet */
  bool guessed; /* only the library that lays it out knows; the real one is seldom much lower */
} hm_draw_size;

/* --- timelines: bars over an axis (timeline.c) ----------------------------------------- */
/* Contested spans are hatched and labelled, uncertain spans are dashed, and open ends fade out.
 * Places go from left to right, 0 to HM_DRAW_WIDTH. */
enum { HM_DRAW_WIDTH = 10000, HM_DRAW_BARS_MAX = 100, HM_DRAW_TICKS_MAX = 24 };

typedef struct {
  int from, until;
} hm_draw_span;

typedef struct {
  hm_str label;
  bool heading;               /* no bar: the heading of the bars below it */
  bool life;                  /* how long something existed, in contrast to what it did */
  hm_draw_span certain;       /* empty where from >= until */
  hm_draw_span possible;      /* holds `certain` */
  bool open_from, open_until; /* continues on that side, nobody knows how far */
  const hm_draw_span *contested;
  size_t n_contested;
} hm_draw_bar;

typedef struct {
  int at;
  hm_str label;
  bool strong; /* e.g. the beginning of an era */
} hm_draw_tick;

typedef struct {
  hm_str title, desc; /* for readers who cannot see it */
  const hm_draw_bar *bars;
  size_t n_bars; /* at most HM_DRAW_BARS_MAX are drawn */
  const hm_draw_tick *ticks;
  size_t n_ticks; /* from left to right; at most HM_DRAW_TICKS_MAX */
} hm_draw_timeline;

/* The signs that a drawing uses, for the legend beside it. */
typedef struct {
  bool hatched, dashed, fading;
} hm_draw_signs;
hm_draw_signs hm_draw_timeline_signs(const hm_draw_timeline *t);
int hm_draw_timeline_height(const hm_draw_timeline *t);
/* Appends the file. Work: linear in its texts, bars and spans. */
void hm_draw_timeline_svg(const hm_draw_timeline *t, hm_buf *out);

/* --- graphs: boxes with labels, and arrows between them (graph.c, graph_layout.c) ------ */
/* Our own code places chains; Graphviz's library places the boxes and arrows of all other graphs.
 * Our own code measures the boxes and draws.
 * The library reads no font, config or plugin of the machine. Nodes and edges are sorted first, and
 * coordinates are whole numbers: with one version of the library, the same graph gives the same
 * bytes in whatever order it comes. Another version may place boxes elsewhere.
 * Disputed boxes and arrows are labelled so, past ones are dashed. */

/* A larger graph is unreadable and slow: pages show a list instead. */
enum { HM_GRAPH_NODES_MAX = 150, HM_GRAPH_EDGES_MAX = 250 };

typedef struct {
  hm_str key;         /* the order of nodes; unique */
  hm_str label, kind; /* cut when drawn; kind: below the label */
  bool disputed, past;
} hm_draw_node;

typedef struct {
  uint32_t from, to; /* indexes of nodes */
  hm_str label;
  bool disputed;
} hm_draw_edge;

typedef struct {
  hm_str title, desc; /* for readers who cannot see it */
  const hm_draw_node *nodes;
  size_t n_nodes;
  const hm_draw_edge *edges; /* an edge from a node to itself is not drawn */
  size_t n_edges;
} hm_draw_graph;

/* The size of the drawing: of chains exactly, else a guess from the boxes of its fullest column.
 * It does not ask the library, so it is the same with every version. Cost: nodes times edges, with
 * a few comparisons each. */
hm_draw_size hm_draw_graph_size(const hm_draw_graph *g, hm_arena *a);
/* The version of the library, in a. Another version can mean other bytes. */
hm_str hm_graph_library_version(hm_arena *a);
/* Appends the file. A graph over HM_GRAPH_NODES_MAX or HM_GRAPH_EDGES_MAX is drawn empty. Callable
 * from any thread; layouts run one at a time. If the library fails, the boxes stand in one column.
 * Cost: about 0.1 s for the largest graph. */
void hm_draw_graph_svg(const hm_draw_graph *g, hm_arena *a, hm_buf *out);

/* --- bar charts: a row for each month or year, with a bar of parts (charts.c) ---------- */
enum { HM_CHART_ROWS_MAX = 60, HM_CHART_PARTS = 4 };

typedef struct {
  hm_str label; /* "2026-04" */
  uint32_t n[HM_CHART_PARTS];
} hm_draw_bar_row;

typedef struct {
  hm_str title, desc;                /* for readers who cannot see it */
  const char *parts[HM_CHART_PARTS]; /* what each counts: "curated state"; NULL after the last */
  const hm_draw_bar_row *rows;
  size_t n; /* at most HM_CHART_ROWS_MAX are drawn */
} hm_draw_bar_chart;

int hm_draw_bar_chart_height(const hm_draw_bar_chart *c);
/* Appends the file. Each row says its counts in words. Work: linear. */
void hm_draw_bar_chart_svg(const hm_draw_bar_chart *c, hm_buf *out);
/* "5: curated state 2, entities 3", or "5" when there is only one part; in a. */
hm_str hm_bar_row_words(hm_arena *a, const hm_draw_bar_chart *c, const hm_draw_bar_row *row);

/* --- column charts: a column for each count (charts.c) --------------------------------- */
/* The largest count is written at the top. A column keeps its place when one is added, as long as
 * n <= places. */
typedef struct {
  hm_str title, desc;    /* for readers who cannot see it */
  const int64_t *counts; /* from left to right; one below 0 is drawn as 0 */
  size_t n, places;      /* places: the number of columns that fit; at least n, and not 0 */
  hm_str below;          /* the text below the columns */
} hm_draw_column_chart;

int hm_draw_column_chart_height(void);
/* Appends the file. Work: linear in n. */
void hm_draw_column_chart_svg(const hm_draw_column_chart *c, hm_buf *out);

/* --- shared by all drawings (svg.c); for gen/draw only --------------------------------- */

/* Appends the beginning of a file; size: its width and height as attributes. */
void hm_svg_begin(hm_buf *out, hm_str size, hm_str title, hm_str desc, const char *style);
/* As hm_svg_begin, for a drawing as wide as its page, with a frame. */
void hm_svg_begin_wide(hm_buf *out, size_t height, hm_str title, hm_str desc, const char *style);
/* Appends an attribute in percent: ` x="12.34%"` for 1234 hundredths. */
void hm_svg_put_percent(hm_buf *out, const char *name, int hundredths);
/* An upper bound of a text's width in a font of 13 pixels, in pixels: by kind of character, no font
 * is read. Monospace fonts and nearly all others are narrower. */
int hm_svg_text_width(hm_str text);
/* The text, cut to at most `width` pixels, in a. A cut text ends with "…". */
hm_str hm_svg_text_cut(hm_arena *a, hm_str text, int width);

/* --- layout of graphs (graph_layout.c); for graph.c only ------------------------------- */

typedef struct {
  int x, y;
} hm_graph_point;

/* In: w and h. Out: x and y, the middle. */
typedef struct {
  int w, h, x, y;
} hm_graph_box;

/* In: the size of its label; label_w is 0 when it has none. Out: a cubic Bezier curve of 3k + 1
 * points, in the arena, whose last point is the arrow's tip, and the middle of the label, which no
 * box and no other label covers. n is 0 when the caller must draw the line itself: then its label
 * has no place. */
typedef struct {
  uint32_t from, to;
  int label_w, label_h;
  hm_graph_point *points, label;
  size_t n;
} hm_graph_line;

/* Places boxes, lines and labels, from left to right, with at least HM_GRAPH_GAP between columns;
 * *w, *h: the size of the whole. y goes down. Returns false, with nothing set, when the library
 * failed. */
enum { HM_GRAPH_GAP = 40 };
bool hm_graph_layout(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines,
                     hm_arena *a, int *w, int *h);
/* As hm_graph_layout for a graph of chains; returns false for any other. */
bool hm_graph_layout_chains(hm_graph_box *boxes, size_t n, hm_graph_line *lines, size_t n_lines,
                            hm_arena *a, int *w, int *h);
/* The height that the library will need, as a guess: that of the fullest column of boxes or of
 * labels. */
int hm_graph_guess_height(const hm_graph_box *boxes, size_t n, const hm_graph_line *lines,
                          size_t n_lines, hm_arena *a);
#endif
