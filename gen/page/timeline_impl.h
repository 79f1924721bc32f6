/* Between timeline.c and timeline_axis.c. */
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
  size_t n, more; /* drawn, left out since there are BARS */
  bool any_ended; /* a bar ends with what its relation ties */
  const hm_world *world; /* of the axis */
  uint16_t axis;
  hm_time lo, hi; /* what the axis shows, on it */
  struct {
    hm_time from, until;
  } breaks[HM_TIMELINE_BREAKS];
  size_t n_breaks;
} hm_timeline;

typedef struct {
  hm_draw_tick *v;
  size_t n;
} hm_timeline_ticks;

/* The axis of most bars; of as many, that of dates. */
void hm_timeline_choose_axis(hm_timeline *t);
/* Sets what the axis shows. false: no bar has a time. */
bool hm_timeline_set_axis(hm_timeline *t);
/* Where an instant stands, from 0 to HM_DRAW_WIDTH. */
int hm_timeline_place(const hm_timeline *t, hm_time at);
/* Adds the marks of dates; of an axis of eras where they begin, and units of them. */
void hm_timeline_add_date_ticks(const hm_timeline *t, hm_timeline_ticks *k);
void hm_timeline_add_era_ticks(const hm_timeline *t, hm_timeline_ticks *k);
#endif
