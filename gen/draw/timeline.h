/* A timeline as an SVG file: bars over an axis. Pure: equal models give equal bytes.
 *
 * It needs no script and no style sheet of a page, so that a page shows it as an image. It fits any
 * width: bars stand in percent, text keeps its size. Colours follow the reader's scheme. Nothing is
 * said by colour alone: what is contested is hatched and says so, what is uncertain is dashed, what
 * has no known end fades out. */
#ifndef HM_TIMELINE_H
#define HM_TIMELINE_H
#include "core/base/str.h"

/* Places on the axis, from left to right. */
enum { HM_DRAW_WIDTH = 10000, HM_DRAW_BARS_MAX = 100, HM_DRAW_TICKS_MAX = 24 };

typedef struct {
  int from, until;
} hm_draw_span;

typedef struct {
  hm_str label;               /* a fact; escaped when drawn */
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

/* Appends the file. Work: linear in its texts, bars and spans. */
void hm_draw_timeline_svg(const hm_draw_timeline *t, hm_buf *out);
#endif
