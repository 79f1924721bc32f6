/* Rows of bars from top to bottom, each with its label and its counts above it, these in a line of
 * their own where both together are too long for a phone. Places are percent of the width with two
 * digits, as whole numbers until they are printed. */
#include "gen/draw/columns.h"

#include "core/base/arena.h"
#include "gen/draw/svg_text.h"
#include "gen/render/escape.h"

enum { ROW = 38, TOP = 8, LABEL_Y = 14, BAR_Y = 20, BAR_HEIGHT = 11, WIDTH = 9600, MARGIN = 200,
  LINE = 17, LINE_BYTES = 46 };

static const char style[] =
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

static uint64_t sum_of(const hm_draw_column *c) {
  uint64_t sum = 0;
  for (int i = 0; i < HM_COLUMN_PARTS; i++) sum += c->n[i];
  return sum;
}

hm_str hm_column_words(hm_arena *a, const hm_draw_columns *c, const hm_draw_column *column) {
  hm_buf b = { 0 };
  bool first = true;
  hm_buf_fmt(&b, "%llu", (unsigned long long)sum_of(column));
  for (int i = 0; c->parts[1] && i < HM_COLUMN_PARTS && c->parts[i]; i++) {
    if (!column->n[i]) continue;
    hm_buf_fmt(&b, "%s %s %u", first ? ":" : ",", c->parts[i], column->n[i]);
    first = false;
  }
  return hm_buf_take(&b, a);
}

static void put_bar(hm_buf *out, const hm_draw_column *c, uint64_t most, int y) {
  uint64_t before = 0;
  for (int i = 0; i < HM_COLUMN_PARTS; i++) {
    if (!c->n[i]) continue;
    int from = MARGIN + (int)(before * WIDTH / most),
        wide = (int)((before + c->n[i]) * WIDTH / most - before * WIDTH / most);
    hm_buf_fmt(out,
               "<rect class=\"b b%d\" x=\"%d.%02d%%\" y=\"%d\" width=\"%d.%02d%%\" "
               "height=\"%d\"/>\n",
               i, from / 100, from % 100, y + BAR_Y, wide / 100, wide % 100, BAR_HEIGHT);
    before += c->n[i];
  }
}

static bool is_long(const hm_draw_column *c, hm_str words) {
  return c->label.n + words.n > LINE_BYTES;
}

static void put_label(hm_buf *out, const hm_draw_column *c, hm_str words, int y) {
  hm_buf_fmt(out, "<text x=\"2%%\" y=\"%d\">", y + LABEL_Y);
  hm_xml_escape(out, c->label);
  if (is_long(c, words))
    hm_buf_fmt(out, "<tspan class=\"k\" x=\"2%%\" y=\"%d\">", y + LABEL_Y + LINE);
  else hm_buf_c(out, "<tspan class=\"k\"> \u2014 ");
  hm_xml_escape(out, words);
  hm_buf_c(out, "</tspan></text>\n");
}

void hm_draw_columns_svg(const hm_draw_columns *c, hm_buf *out) {
  size_t n = c->n < HM_COLUMNS_MAX ? c->n : HM_COLUMNS_MAX;
  uint64_t most = 1;
  hm_arena *a = hm_arena_new();
  hm_str *words = hm_alloc_array(a, n + 1, sizeof *words);
  size_t n_long = 0;
  for (size_t i = 0; i < n; i++) {
    if (sum_of(&c->columns[i]) > most) most = sum_of(&c->columns[i]);
    words[i] = hm_column_words(a, c, &c->columns[i]);
    n_long += is_long(&c->columns[i], words[i]);
  }
  hm_buf_fmt(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%%\" height=\"%zu\" "
             "role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">",
             n * ROW + n_long * LINE + 2 * TOP);
  hm_xml_escape(out, c->title);
  hm_buf_c(out, "</title>\n<desc id=\"desc\">");
  hm_xml_escape(out, c->desc);
  hm_buf_c(out, "</desc>\n");
  hm_buf_c(out, style);
  hm_buf_c(out, "<rect class=\"p\" x=\".5\" y=\".5\" width=\"99.8%\" height=\"99%\" rx=\"6\"/>\n");
  for (size_t i = 0, y = TOP; i < n; i++, y += ROW) {
    put_label(out, &c->columns[i], words[i], (int)y);
    if (is_long(&c->columns[i], words[i])) y += LINE;
    put_bar(out, &c->columns[i], most, (int)y);
  }
  hm_buf_c(out, "</svg>\n");
  hm_arena_free(a);
}
