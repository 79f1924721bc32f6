/* A world's calendar as world_eras.c places it and era_time.c reads it. */
#ifndef HM_WORLD_IMPL_H
#define HM_WORLD_IMPL_H
#include "core/claim/world.h"

enum { HM_PLACED_UNITS_MAX = 100000 }; /* of an era that begins with a time */
enum { HM_ERA_UNITS_MAX = 10000000 };  /* of an era that says no last one */
#define HM_ERA_TICK INT64_C(1000000)   /* instants of a unit on a world's own axis */

typedef struct {
  hm_str name, unit;
  uint16_t axis;
  bool on_own_axis;      /* one of those that follow each other on the world's own axis */
  bool is_measured;      /* its last unit is known */
  bool is_counted;       /* its units have places */
  uint16_t unplaced;     /* 1 + its index where only its parent's range is known; else 0 */
  hm_bound begins, ends; /* as both bounds of a window; not known: open */
  hm_time first, last;   /* every instant that may be in it */
  int first_unit, last_unit;
  hm_precision step; /* of a unit, on the axis of dates */
} hm_era;

struct hm_world {
  hm_str name;
  hm_era *eras;
  size_t n;
  uint16_t axis;
  bool has_own_axis; /* some era is on it */
  hm_bound current;
  hm_allowances allows;
};

/* An era of the world, by name; NULL: none. */
const hm_era *hm_world_era(const hm_world *w, hm_str name);
/* t, n units of the era later. */
hm_time hm_era_later(const hm_era *e, hm_time t, int64_t n);
#endif
