/* Shared by timeline.c and timeline_axis.c. Not for others. */
#ifndef HM_TIMELINE_IMPL_H
#define HM_TIMELINE_IMPL_H
#include "gen/draw/draw.h"
#include "model.h"

enum { HM_TIMELINE_SPANS = 8, HM_TIMELINE_BREAKS = 8 };

typedef struct {
  hm_str label;
  bool heading, life;
  hm_window w;
  hm_draw_span spans[HM_TIMELINE_SPANS];
  struct {
    hm_time from, until;
  } contested[HM_TIMELINE_SPANS];
  size_t n_spans;
} hm_timeline_bar;

typedef struct {
  hm_model *m;
  hm_timeline_bar *bars;
  size_t n, more;        /* drawn bars; bars left out beyond the limit BARS */
  bool any_ended;        /* a relation's bar ends because one of its entities ended */
  const hm_world *world; /* of the axis */
  uint16_t axis;
  hm_time lo, hi; /* the ends of the axis */
  struct {
    hm_time from, until;
  } breaks[HM_TIMELINE_BREAKS];
  size_t n_breaks;
} hm_timeline;

typedef struct {
  hm_draw_tick *v;
  size_t n;
} hm_timeline_ticks;

/* Chooses the axis of most bars; when two have equally many, that of dates. */
void hm_timeline_choose_axis(hm_timeline *t);
/* Sets the range of the axis. Returns false when no bar has a time. */
bool hm_timeline_set_axis(hm_timeline *t);
/* The place of an instant, from 0 to HM_DRAW_WIDTH. */
int hm_timeline_place(const hm_timeline *t, hm_time at);
/* Add ticks: dates; on an axis of eras, their beginnings and units of them. */
void hm_timeline_add_date_ticks(const hm_timeline *t, hm_timeline_ticks *k);
void hm_timeline_add_era_ticks(const hm_timeline *t, hm_timeline_ticks *k);
#endif
