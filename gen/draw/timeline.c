/* Draws bars over an axis, from top to bottom, each with its label above it. Places are whole
 * hundredths of a percent of the width until they are printed. */
#include "gen/draw/draw.h"

#include "core/markdown/escape.h"

enum {
  MARGIN = 200, /* on each side, in hundredths of a percent */
  LEAST = 50,   /* width of the shortest bar */
  FADE = 700,   /* how far an open end fades */
  BAR_ROW = 38,
  HEADING_ROW = 30,
  AXIS_ROW = 30,
  TOP = 8,
  LABEL_Y = 14,
  BAR_Y = 19,
  BAR_HEIGHT = 12,
  LIFE_HEIGHT = 6
};

static const char style[] =
    "<style>"
    "text{font:13px system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"DejaVu Sans\","
    "sans-serif;fill:#1d2429;stroke:#fff;stroke-width:4px;paint-order:stroke}"
    ".p{fill:#fff;stroke:#dcdfe0}.g{stroke:#dcdfe0}.G{stroke:#56626b}"
    ".t{font-size:12px;fill:#56626b}.h{font-weight:600;fill:#56626b}"
    ".b{fill:#1f4e5f}.l{fill:#7b8a93}"
    ".m{fill:none;stroke:#1f4e5f;stroke-width:1.5;stroke-dasharray:4 3}"
    ".c{stroke:#8a3b00;stroke-width:1.5}.k{fill:#fff1df}.s{stroke:#8a3b00;stroke-width:3}"
    ".a{fill:#8a3b00;font-weight:600}"
    ".x{stop-color:#1f4e5f}.y{stop-color:#1f4e5f;stop-opacity:0}"
    ".u{stop-color:#7b8a93}.v{stop-color:#7b8a93;stop-opacity:0}"
    "@media(max-width:30em){.o{display:none}}"
    "@media(prefers-color-scheme:dark){text{fill:#e3e8ea;stroke:#1a2126}"
    ".p{fill:#1a2126;stroke:#323d45}.g{stroke:#323d45}.G{stroke:#9fadb5}"
    ".t,.h{fill:#9fadb5}.b{fill:#84c9e0}.l{fill:#8b9aa3}"
    ".m{stroke:#84c9e0}.c{stroke:#ffc587}.k{fill:#3b2610}.s{stroke:#ffc587}.a{fill:#ffc587}"
    ".x,.y{stop-color:#84c9e0}.u,.v{stop-color:#8b9aa3}}"
    "</style>"
    "<defs>"
    "<linearGradient id=\"r\"><stop offset=\"0\" class=\"x\"/><stop offset=\"1\" class=\"y\"/>"
    "</linearGradient>"
    "<linearGradient id=\"f\"><stop offset=\"0\" class=\"y\"/><stop offset=\"1\" class=\"x\"/>"
    "</linearGradient>"
    "<linearGradient id=\"R\"><stop offset=\"0\" class=\"u\"/><stop offset=\"1\" class=\"v\"/>"
    "</linearGradient>"
    "<linearGradient id=\"F\"><stop offset=\"0\" class=\"v\"/><stop offset=\"1\" class=\"u\"/>"
    "</linearGradient>"
    "<pattern id=\"h\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\" class=\"k\"/>"
    "<path d=\"M0 0V7\" class=\"s\"/></pattern>"
    "</defs>\n";

/* Writes a place on the axis in percent of the whole width: "12.34". */
static void put_place(hm_buf *out, const char *name, int at) {
  if (at < 0)
    at = 0;
  if (at > HM_DRAW_WIDTH)
    at = HM_DRAW_WIDTH;
  int x = MARGIN + (int)((int64_t)at * (HM_DRAW_WIDTH - 2 * MARGIN) / HM_DRAW_WIDTH);
  hm_svg_put_percent(out, name, x);
}

static void put_rect(hm_buf *out, hm_draw_span s, int y, int height, const char *paint) {
  if (s.from < 0)
    s.from = 0;
  if (s.until > HM_DRAW_WIDTH)
    s.until = HM_DRAW_WIDTH;
  if (s.until - s.from < LEAST)
    s.until = s.from + LEAST;
  if (s.until > HM_DRAW_WIDTH)
    s = (hm_draw_span){ HM_DRAW_WIDTH - LEAST, HM_DRAW_WIDTH };
  int width = (int)((int64_t)(s.until - s.from) * (HM_DRAW_WIDTH - 2 * MARGIN) / HM_DRAW_WIDTH);
  hm_buf_c(out, "<rect");
  put_place(out, "x", s.from);
  hm_buf_fmt(out, " y=\"%d\"", y);
  hm_svg_put_percent(out, "width", width);
  hm_buf_fmt(out, " height=\"%d\" %s/>\n", height, paint);
}

typedef struct {
  bool from, until;
} shown_ends;

/* The open ends that show: what is contested is drawn over the others. */
static shown_ends find_shown_ends(const hm_draw_bar *b) {
  shown_ends e = { b->open_from, b->open_until };
  for (size_t i = 0; i < b->n_contested; i++) {
    e.from = e.from && b->contested[i].from > b->certain.from;
    e.until = e.until && b->contested[i].until < b->certain.until;
  }
  return e;
}

/* The certain part: solid, and fading where an end is open. */
static void put_certain(hm_buf *out, const hm_draw_bar *b, int y) {
  hm_draw_span solid = b->certain;
  shown_ends open = find_shown_ends(b);
  int height = b->life ? LIFE_HEIGHT : BAR_HEIGHT, half = (solid.until - solid.from) / 2;
  int fade = open.from && open.until && half < FADE ? half : FADE;
  if (fade > solid.until - solid.from)
    fade = solid.until - solid.from;
  if (open.from) {
    put_rect(out, (hm_draw_span){ solid.from, solid.from + fade }, y, height,
             b->life ? "fill=\"url(#F)\"" : "fill=\"url(#f)\"");
    solid.from += fade;
  }
  if (open.until) {
    solid.until -= fade;
    put_rect(out, (hm_draw_span){ solid.until, solid.until + fade }, y, height,
             b->life ? "fill=\"url(#R)\"" : "fill=\"url(#r)\"");
  }
  if (solid.until > solid.from || (!open.from && !open.until))
    put_rect(out, solid, y, height, b->life ? "class=\"l\"" : "class=\"b\"");
}

static bool is_certain(const hm_draw_bar *b) { return b->certain.from < b->certain.until; }

/* True when the possible span reaches well beyond the certain one, or none is certain. */
static bool is_dashed(const hm_draw_bar *b) {
  return b->possible.from < b->certain.from - LEAST ||
      b->possible.until > b->certain.until + LEAST || !is_certain(b);
}

static size_t count_drawn(const hm_draw_timeline *t) {
  return t->n_bars < HM_DRAW_BARS_MAX ? t->n_bars : HM_DRAW_BARS_MAX;
}

hm_draw_signs hm_draw_timeline_signs(const hm_draw_timeline *t) {
  hm_draw_signs s = { 0 };
  for (size_t i = 0; i < count_drawn(t); i++) {
    const hm_draw_bar *b = &t->bars[i];
    if (b->heading)
      continue;
    s.hatched |= b->n_contested > 0;
    s.dashed |= is_dashed(b);
    shown_ends ends = find_shown_ends(b);
    s.fading |= is_certain(b) && (ends.from || ends.until);
  }
  return s;
}

static void put_bar(hm_buf *out, const hm_draw_bar *b, int y) {
  hm_buf_fmt(out, "<text x=\"2%%\" y=\"%d\"", y + LABEL_Y);
  if (b->heading)
    hm_buf_c(out, " class=\"h\"");
  hm_buf_c(out, ">");
  hm_xml_escape(out, b->label);
  if (b->n_contested)
    hm_buf_c(out, "<tspan class=\"a\"> \u26A0 disputed</tspan>");
  hm_buf_c(out, "</text>\n");
  if (b->heading)
    return;
  int at = y + BAR_Y, height = b->life ? LIFE_HEIGHT : BAR_HEIGHT;
  if (is_dashed(b))
    put_rect(out, b->possible, at, height, "class=\"m\"");
  if (is_certain(b))
    put_certain(out, b, at);
  for (size_t i = 0; i < b->n_contested; i++)
    put_rect(out, b->contested[i], at - 2, height + 4, "class=\"c\" fill=\"url(#h)\"");
}

/* Marks every other label for hiding where there is little room. */
static void put_ticks(hm_buf *out, const hm_draw_timeline *t, size_t n, int bottom) {
  for (size_t i = 0; i < n; i++) {
    const hm_draw_tick *k = &t->ticks[i];
    hm_buf_fmt(out, "<line class=\"%s\"", k->strong ? "G" : "g");
    put_place(out, "x1", k->at);
    put_place(out, "x2", k->at);
    hm_buf_fmt(out, " y1=\"%d\" y2=\"%d\"/>\n", TOP, bottom + 4);
    const char *anchor = k->at < HM_DRAW_WIDTH / 12 ? "start"
        : k->at > HM_DRAW_WIDTH * 11 / 12           ? "end"
                                                    : "middle";
    hm_buf_fmt(out, "<text class=\"t%s\" y=\"%d\" text-anchor=\"%s\"",
               i % 2 && !k->strong ? " o" : "", bottom + AXIS_ROW - 10, anchor);
    put_place(out, "x", k->at);
    hm_buf_c(out, ">");
    hm_xml_escape(out, k->label);
    hm_buf_c(out, "</text>\n");
  }
}

int hm_draw_timeline_height(const hm_draw_timeline *t) {
  int height = TOP + AXIS_ROW;
  for (size_t i = 0; i < count_drawn(t); i++)
    height += t->bars[i].heading ? HEADING_ROW : BAR_ROW;
  return height;
}

void hm_draw_timeline_svg(const hm_draw_timeline *t, hm_buf *out) {
  size_t n = count_drawn(t);
  size_t n_ticks = t->n_ticks < HM_DRAW_TICKS_MAX ? t->n_ticks : HM_DRAW_TICKS_MAX;
  int height = hm_draw_timeline_height(t);
  hm_svg_begin_wide(out, (size_t)height, t->title, t->desc, style);
  put_ticks(out, t, n_ticks, height - AXIS_ROW);
  for (size_t i = 0, y = TOP; i < n; i++) {
    put_bar(out, &t->bars[i], (int)y + (t->bars[i].heading ? 6 : 0));
    y += t->bars[i].heading ? HEADING_ROW : BAR_ROW;
  }
  hm_buf_c(out, "</svg>\n");
}
