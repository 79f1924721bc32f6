/* Drawings as SVG files: timelines, graphs, and counts by time. Pure: equal models give equal
 * bytes.
 *
 * A drawing needs no script and no style sheet of a page, so that a page shows it as an image. All
 * but graphs fit any width: shapes stand in percent, text keeps its size. Colours follow the
 * reader's scheme, and nothing is said by colour alone. Texts are facts: they are escaped when
 * drawn. */
#ifndef HM_DRAW_H
#define HM_DRAW_H
#include "core/base/str.h"

/* --- timelines: bars over an axis (timeline.c) ----------------------------------------- */
/* What is contested is hatched and says so, what is uncertain is dashed, what has no known end
 * fades out. Places go from left to right, 0 to HM_DRAW_WIDTH. */
enum { HM_DRAW_WIDTH = 10000, HM_DRAW_BARS_MAX = 100, HM_DRAW_TICKS_MAX = 24 };

typedef struct {
  int from, until;
} hm_draw_span;

typedef struct {
  hm_str label;
  bool heading;               /* the name of the bars below it, and no bar */
  bool life;                  /* how long something existed, beside what it did */
  hm_draw_span certain;       /* empty where from >= until */
  hm_draw_span possible;      /* holds `certain` */
  bool open_from, open_until; /* goes on to that side, nobody says how far */
  const hm_draw_span *contested;
  size_t n_contested;
} hm_draw_bar;

typedef struct {
  int at;
  hm_str label;
  bool strong; /* the beginning of an era, say */
} hm_draw_tick;

typedef struct {
  hm_str title, desc; /* for who does not see it */
  const hm_draw_bar *bars;
  size_t n_bars; /* at most HM_DRAW_BARS_MAX are drawn */
  const hm_draw_tick *ticks;
  size_t n_ticks; /* from left to right; at most HM_DRAW_TICKS_MAX */
} hm_draw_timeline;

/* Which signs a drawing has, for the legend beside it. */
typedef struct { bool hatched, dashed, fading; } hm_draw_signs;
hm_draw_signs hm_draw_timeline_signs(const hm_draw_timeline *t);
/* Appends the file. Work: linear in its texts, bars and spans. */
void hm_draw_timeline_svg(const hm_draw_timeline *t, hm_buf *out);

/* --- graphs: boxes with labels, and arrows between them (graph.c, graph_layout.c) ------ */
/* Chains are placed here, the boxes and arrows of all other graphs by Graphviz's library; we have
 * measured the boxes, and the drawing is ours.
 * No font, config or plugin of the machine is read. Nodes and edges are sorted here, coordinates
 * are whole numbers: the same graph gives the same bytes with the same version of the library, in
 * whatever order it comes. Another version may place boxes elsewhere.
 * What is in dispute says so, what is history is dashed. */

/* More is no picture that anybody reads, and would take long: a list says it. */
enum { HM_GRAPH_NODES_MAX = 150, HM_GRAPH_EDGES_MAX = 250 };

typedef struct {
  hm_str key;                /* by which nodes are sorted; no two alike */
  hm_str label, kind;        /* cut when drawn; kind: below the label */
  bool disputed, past;
} hm_draw_node;

typedef struct {
  uint32_t from, to;         /* indexes of nodes */
  hm_str label;
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
hm_str hm_graph_library_version(hm_arena *a);
/* Appends the file; beyond HM_GRAPH_NODES_MAX and HM_GRAPH_EDGES_MAX nothing is drawn. From any
 * thread: layouts wait for each other. Where the library fails, the boxes stand in one column.
 * Work: for the most nodes and edges about 0.1 s. */
void hm_draw_graph_svg(const hm_draw_graph *g, hm_arena *a, hm_buf *out);

/* --- bar charts: a row for each month or year, with a bar of parts (charts.c) ---------- */
enum { HM_CHART_ROWS_MAX = 60, HM_CHART_PARTS = 4 };

typedef struct {
  hm_str label;              /* "2026-04" */
  uint32_t n[HM_CHART_PARTS];
} hm_draw_bar_row;

typedef struct {
  hm_str title, desc;        /* for who does not see it */
  const char *parts[HM_CHART_PARTS]; /* what each counts: "curated state"; NULL behind the last */
  const hm_draw_bar_row *rows;
  size_t n;                  /* at most HM_CHART_ROWS_MAX are drawn */
} hm_draw_bar_chart;

/* Appends the file. Each row says its counts in words. Work: linear. */
void hm_draw_bar_chart_svg(const hm_draw_bar_chart *c, hm_buf *out);
/* "5: curated state 2, entities 3"; "5" where there is one part only; in a. */
hm_str hm_bar_row_words(hm_arena *a, const hm_draw_bar_chart *c, const hm_draw_bar_row *row);

/* --- column charts: a column for each count (charts.c) --------------------------------- */
/* The largest count is written at the top. A column keeps its place as long as there is room for
 * one more. */
typedef struct {
  hm_str title, desc;        /* for who does not see it */
  const int64_t *counts;     /* from left to right; one below 0 is drawn as 0 */
  size_t n, places;          /* how many columns there is room for; at least n, and not 0 */
  hm_str below;              /* what stands below them */
} hm_draw_column_chart;

/* Appends the file. Work: linear in n. */
void hm_draw_column_chart_svg(const hm_draw_column_chart *c, hm_buf *out);

/* --- what all files share (svg.c); for gen/draw only ----------------------------------- */

/* Appends the beginning of a file; size: its width and height as attributes. */
void hm_svg_begin(hm_buf *out, hm_str size, hm_str title, hm_str desc, const char *style);
/* The same of a file as wide as its page, with a frame. */
void hm_svg_begin_wide(hm_buf *out, size_t height, hm_str title, hm_str desc, const char *style);
/* Appends an attribute of so many hundredths of a percent: ` x="12.34%"`. */
void hm_svg_put_percent(hm_buf *out, const char *name, int hundredths);
/* How wide a text may be in a font of 13 pixels, in pixels: by kind of sign, since no font is read.
 * In monospace fonts and in nearly all others it is narrower. */
int hm_svg_text_width(hm_str text);
/* The text cut so that it is at most `width` wide, in a; "…" ends one that is cut. */
hm_str hm_svg_text_cut(hm_arena *a, hm_str text, int width);

/* --- where boxes and arrows of a graph stand (graph_layout.c); for graph.c only -------- */

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
#endif
