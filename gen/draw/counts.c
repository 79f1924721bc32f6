/* Columns over a base line: counts.h. Places are percent of the width with two digits, as whole
 * numbers until they are printed. */
#include "gen/draw/counts.h"

#include <stdio.h>

#include "gen/render/escape.h"

enum { WIDTH = 9600, MARGIN = 200, TOP = 22, HEIGHT = 64, BELOW = 24, WIDEST = 400 };

static const char style[] =
    "<style>text{font:12px system-ui,sans-serif;fill:#56626b}.p{fill:#fff;stroke:#dcdfe0}"
    ".b{fill:#8a3b00}.g{stroke:#7b8a93}"
    "@media(prefers-color-scheme:dark){text{fill:#9fadb5}.p{fill:#1a2126;stroke:#323d45}"
    ".b{fill:#ffc587}.g{stroke:#8b9aa3}}</style>\n";

static void put_text(hm_buf *out, const char *head, hm_str text) {
  hm_buf_c(out, head);
  hm_xml_escape(out, text);
  hm_buf_c(out, "</text>\n");
}

static int64_t largest(const hm_draw_counts *c) {
  int64_t most = 0;
  for (size_t i = 0; i < c->n; i++)
    if (c->counts[i] > most) most = c->counts[i];
  return most;
}

/* A count that is not 0 is at least one pixel high. */
static void put_column(const hm_draw_counts *c, size_t i, int64_t most, hm_buf *out) {
  double part = most && c->counts[i] > 0 ? (double)c->counts[i] / (double)most : 0;
  int64_t height = (int64_t)(part * HEIGHT);
  if (!height && c->counts[i] > 0) height = 1;
  if (!height) return;
  int step = (int)(WIDTH / c->places), width = step * 4 / 5 < WIDEST ? step * 4 / 5 : WIDEST,
      x = MARGIN + (int)(WIDTH * i / c->places) + (step - width) / 2;
  hm_buf_fmt(out,
             "<rect class=\"b\" x=\"%d.%02d%%\" y=\"%d\" width=\"%d.%02d%%\" height=\"%d\"/>\n",
             x / 100, x % 100, (int)(TOP + HEIGHT - height), width / 100, width % 100, (int)height);
}

void hm_draw_counts_svg(const hm_draw_counts *c, hm_buf *out) {
  int64_t most = largest(c);
  hm_buf_fmt(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%%\" height=\"%d\" role=\"img\" "
             "aria-labelledby=\"title desc\">\n<title id=\"title\">", TOP + HEIGHT + BELOW);
  hm_xml_escape(out, c->title);
  hm_buf_c(out, "</title>\n<desc id=\"desc\">");
  hm_xml_escape(out, c->desc);
  hm_buf_c(out, "</desc>\n");
  hm_buf_c(out, style);
  hm_buf_c(out, "<rect class=\"p\" x=\".5\" y=\".5\" width=\"99.8%\" height=\"99%\" rx=\"6\"/>\n");
  hm_buf_fmt(out, "<line class=\"g\" x1=\"2%%\" x2=\"98%%\" y1=\"%d\" y2=\"%d\"/>\n", TOP + HEIGHT,
             TOP + HEIGHT);
  for (size_t i = 0; i < c->n; i++) put_column(c, i, most, out);
  hm_buf_fmt(out, "<text x=\"2%%\" y=\"16\">at most %lld</text>\n", (long long)most);
  char head[64];
  snprintf(head, sizeof head, "<text x=\"2%%\" y=\"%d\">", TOP + HEIGHT + 16);
  put_text(out, head, c->below);
  hm_buf_c(out, "</svg>\n");
}
