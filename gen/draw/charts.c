/* Draws counts by time as SVG. A bar chart has rows of bars from top to bottom. Each row has its
 * label and counts above its bar, on two lines when one would be too long for a phone. A column
 * chart has columns over a base line. Places are whole hundredths of a percent of the width until
 * they are printed. */
#include "core/base/arena.h"
#include "gen/draw/draw.h"
#include "core/markdown/escape.h"

enum { WIDTH = 9600, MARGIN = 200 };

/* --- bar charts ------------------------------------------------------------------ */

enum {
  ROW = 38,
  ROWS_TOP = 8,
  LABEL_Y = 14,
  BAR_Y = 20,
  BAR_HEIGHT = 11,
  LINE = 17,
  LINE_BYTES = 46
};

static const char bar_style[] =
    "<style>"
    "text{font:13px system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"DejaVu Sans\","
    "sans-serif;fill:#1d2429}"
    ".p{fill:#fff;stroke:#dcdfe0}.k{fill:#56626b}"
    ".b{stroke:#fff}.b0{fill:#1f4e5f}.b1{fill:#4f8ea6}.b2{fill:#9cc5d3}.b3{fill:#c9c3a5}"
    "@media(prefers-color-scheme:dark){text{fill:#e3e8ea}.p{fill:#1a2126;stroke:#323d45}"
    ".k{fill:#9fadb5}.b{stroke:#1a2126}"
    ".b0{fill:#84c9e0}.b1{fill:#4f93ad}.b2{fill:#2f6276}.b3{fill:#8d8660}}"
    "@media(max-width:30rem){.k{font-size:10.5px}}"
    "</style>\n";

static uint64_t sum_of(const hm_draw_bar_row *r) {
  uint64_t sum = 0;
  for (int i = 0; i < HM_CHART_PARTS; i++)
    sum += r->n[i];
  return sum;
}

hm_str hm_bar_row_words(hm_arena *a, const hm_draw_bar_chart *c, const hm_draw_bar_row *row) {
  hm_buf b = { 0 };
  bool first = true;
  hm_buf_fmt(&b, "%llu", (unsigned long long)sum_of(row));
  for (int i = 0; c->parts[1] && i < HM_CHART_PARTS && c->parts[i]; i++) {
    if (!row->n[i])
      continue;
    hm_buf_fmt(&b, "%s %s %u", first ? ":" : ",", c->parts[i], row->n[i]);
    first = false;
  }
  return hm_buf_take(&b, a);
}

static void put_bar(hm_buf *out, const hm_draw_bar_row *r, uint64_t most, int y) {
  uint64_t before = 0;
  for (int i = 0; i < HM_CHART_PARTS; i++) {
    if (!r->n[i])
      continue;
    int from = (int)(before * WIDTH / most), until = (int)((before + r->n[i]) * WIDTH / most);
    hm_buf_fmt(out, "<rect class=\"b b%d\"", i);
    hm_svg_put_percent(out, "x", MARGIN + from);
    hm_buf_fmt(out, " y=\"%d\"", y + BAR_Y);
    hm_svg_put_percent(out, "width", until - from);
    hm_buf_fmt(out, " height=\"%d\"/>\n", BAR_HEIGHT);
    before += r->n[i];
  }
}

static bool is_long(const hm_draw_bar_row *r, hm_str words) {
  return r->label.n + words.n > LINE_BYTES;
}

static void put_label(hm_buf *out, const hm_draw_bar_row *r, hm_str words, int y) {
  hm_buf_fmt(out, "<text x=\"2%%\" y=\"%d\">", y + LABEL_Y);
  hm_xml_escape(out, r->label);
  if (is_long(r, words))
    hm_buf_fmt(out, "<tspan class=\"k\" x=\"2%%\" y=\"%d\">", y + LABEL_Y + LINE);
  else
    hm_buf_c(out, "<tspan class=\"k\"> \u2014 ");
  hm_xml_escape(out, words);
  hm_buf_c(out, "</tspan></text>\n");
}

static size_t count_rows(const hm_draw_bar_chart *c) {
  return c->n < HM_CHART_ROWS_MAX ? c->n : HM_CHART_ROWS_MAX;
}

int hm_draw_bar_chart_height(const hm_draw_bar_chart *c) {
  size_t n = count_rows(c), height = n * ROW + 2 * ROWS_TOP;
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < n; i++)
    if (is_long(&c->rows[i], hm_bar_row_words(a, c, &c->rows[i])))
      height += LINE;
  hm_arena_free(a);
  return (int)height;
}

void hm_draw_bar_chart_svg(const hm_draw_bar_chart *c, hm_buf *out) {
  size_t n = count_rows(c);
  uint64_t most = 1;
  hm_arena *a = hm_arena_new();
  hm_str *words = hm_alloc_array(a, n + 1, sizeof *words);
  for (size_t i = 0; i < n; i++) {
    if (sum_of(&c->rows[i]) > most)
      most = sum_of(&c->rows[i]);
    words[i] = hm_bar_row_words(a, c, &c->rows[i]);
  }
  hm_svg_begin_wide(out, (size_t)hm_draw_bar_chart_height(c), c->title, c->desc, bar_style);
  for (size_t i = 0, y = ROWS_TOP; i < n; i++, y += ROW) {
    put_label(out, &c->rows[i], words[i], (int)y);
    if (is_long(&c->rows[i], words[i]))
      y += LINE;
    put_bar(out, &c->rows[i], most, (int)y);
  }
  hm_buf_c(out, "</svg>\n");
  hm_arena_free(a);
}

/* --- column charts ----------------------------------------------------------------- */

enum { TOP = 22, HEIGHT = 64, BELOW = 24, WIDEST = 400 };

static const char column_style[] =
    "<style>text{font:12px system-ui,sans-serif;fill:#56626b}.p{fill:#fff;stroke:#dcdfe0}"
    ".b{fill:#8a3b00}.g{stroke:#7b8a93}"
    "@media(prefers-color-scheme:dark){text{fill:#9fadb5}.p{fill:#1a2126;stroke:#323d45}"
    ".b{fill:#ffc587}.g{stroke:#8b9aa3}}</style>\n";

/* A count that is not 0 is at least one pixel high. */
static void put_column(const hm_draw_column_chart *c, size_t i, int64_t most, hm_buf *out) {
  double part = most && c->counts[i] > 0 ? (double)c->counts[i] / (double)most : 0;
  int64_t height = (int64_t)(part * HEIGHT);
  if (!height && c->counts[i] > 0)
    height = 1;
  if (!height)
    return;
  int step = (int)(WIDTH / c->places), width = step * 4 / 5 < WIDEST ? step * 4 / 5 : WIDEST;
  hm_buf_c(out, "<rect class=\"b\"");
  hm_svg_put_percent(out, "x", MARGIN + (int)(WIDTH * i / c->places) + (step - width) / 2);
  hm_buf_fmt(out, " y=\"%d\"", (int)(TOP + HEIGHT - height));
  hm_svg_put_percent(out, "width", width);
  hm_buf_fmt(out, " height=\"%d\"/>\n", (int)height);
}

int hm_draw_column_chart_height(void) { return TOP + HEIGHT + BELOW; }

void hm_draw_column_chart_svg(const hm_draw_column_chart *c, hm_buf *out) {
  int64_t most = 0;
  for (size_t i = 0; i < c->n; i++)
    if (c->counts[i] > most)
      most = c->counts[i];
  hm_svg_begin_wide(out, (size_t)hm_draw_column_chart_height(), c->title, c->desc, column_style);
  hm_buf_fmt(out, "<line class=\"g\" x1=\"2%%\" x2=\"98%%\" y1=\"%d\" y2=\"%d\"/>\n", TOP + HEIGHT,
             TOP + HEIGHT);
  for (size_t i = 0; i < c->n; i++)
    put_column(c, i, most, out);
  hm_buf_fmt(out, "<text x=\"2%%\" y=\"16\">at most %lld</text>\n", (long long)most);
  hm_buf_fmt(out, "<text x=\"2%%\" y=\"%d\">", TOP + HEIGHT + 16);
  hm_xml_escape(out, c->below);
  hm_buf_c(out, "</text>\n</svg>\n");
}
