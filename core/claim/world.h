/* Worlds that count time by their own eras: what `3rd_age.year_345` means, and their present.
 *
 * A world is a project, or what the property `world` of a row says. Its eras stand in world.yml.
 * An era is placed in one of four ways:
 *
 *   begins or ends with a date      on the axis of dates: its times compare with dates
 *   begins or ends with a time of   on the axis of that era
 *     an era above it
 *   neither, and no parent          on the world's own axis, after the one above it of this kind.
 *                                   Nobody needs to know how long it was
 *   neither, and a parent           some time in its parent, and no more is known
 *
 * `begins: year_1` and `ends: year_3021`, without an era, number the first and the last unit of the
 * era itself. An era that begins with a date counts years from its year, months or days likewise:
 * with `begins: 1837` and `begins: year_1` being the default there, year_1 is 1837.
 *
 * A unit is a partial bound, as a year of a date is. An era alone is vague: some time in it; as
 * both bounds it is all of it. An approximate time stays within the era that it names.
 *
 * Eras are at most ERAS_MAX a world, and worlds HM_AXES_MAX; reading a time is linear in the eras
 * of its world. */
#ifndef HM_WORLD_H
#define HM_WORLD_H
#include "core/base/time_text.h"
#include "core/value/window.h"
#include "core/record/row.h"

typedef struct hm_worlds hm_worlds;
typedef struct hm_world hm_world;

/* What world.yml says, as written; empty: nothing. */
typedef struct {
  hm_str world, era, parent, begins, ends, unit;
} hm_era_text;
/* -1: the default. */
typedef struct {
  hm_str world, current;
  int approximate;      /* tolerance of "about 1066", in the unit that the time states; 10 */
  int parent_age;       /* years that a parent is older than a child, at the least; 12 */
  int born_after_death; /* years after a parent's death in which a child may be born; 1 */
  bool parents_differ;  /* the parents of a child are not of one gender */
} hm_world_text;

/* Which entry is wrong: of the eras or of the worlds, its key, why, and what to do. */
typedef struct {
  bool in_eras;
  size_t at;
  const char *key, *why, *fix;
} hm_world_fault;

/* Lives in a; borrows the texts. Eras name those that stand above them. false: *fault is set. */
bool hm_worlds_new(hm_arena *a, const hm_world_text *worlds, size_t n_worlds,
                   const hm_era_text *eras, size_t n_eras, hm_worlds **out, hm_world_fault *fault);
/* The world of a row: that which its property `world` names, else its project's. NULL: it has no
 * entry, or worlds is NULL. props: JSON text; scratch is used only where it names a world. */
const hm_world *hm_world_find(const hm_worlds *worlds, hm_str project, hm_str props,
                              hm_arena *scratch);
/* What its property `world` says, else its project. */
hm_str hm_world_name_from_props(hm_str project, hm_str props, hm_arena *scratch);
/* The same of a row of the snapshot. A relation without a project is of the world of the row that
 * it comes from. */
const hm_world *hm_world_find_by_row(const hm_snapshot *snap, const hm_worlds *worlds, uint32_t row,
                                     hm_arena *scratch);
/* Changes when anything that they say does; empty where worlds is NULL. */
hm_str hm_worlds_digest(const hm_worlds *worlds);
/* What a bound may name alone: all eras, and `current`; to be compared by hm_era_name_eq. */
const hm_str *hm_worlds_list_era_names(const hm_worlds *worlds, size_t *n);

/* An era whose units follow each other on the world's own axis. */
typedef struct {
  hm_str name, unit;
  hm_time first, last, tick; /* tick: instants of a unit */
  int first_unit;
  bool is_measured; /* else last is far behind all that was in it */
} hm_era_place;
/* Those of a world, in their order; in a. */
size_t hm_world_list_era_places(const hm_world *world, hm_arena *a, const hm_era_place **out);
/* The world whose own axis it is; NULL: none, as for that of dates. */
const hm_world *hm_world_of_axis(const hm_worlds *worlds, uint16_t axis);

/* What a world allows, its defaults where it says nothing or is NULL. */
typedef struct {
  int approximate, parent_age, born_after_death;
  bool parents_differ;
} hm_allowances;
hm_allowances hm_world_allows(const hm_world *world);

/* The bound that lies n units (years, of an era its unit; n >= 0) after b. Where an era of which
 * nobody knows how long it was ends on the way, the answer is vague: from n units later, had it
 * gone on, to n units into what follows it. world may be NULL for dates. */
hm_bound hm_bound_shift(const hm_world *world, const hm_bound *b, int n);

/* --- times in a world -------------------------------------------------------------- */

typedef enum {
  HM_WINDOW_OK,
  HM_WINDOW_BAD_FROM,
  HM_WINDOW_BAD_UNTIL,
  HM_WINDOW_TWO_AXES,
  HM_WINDOW_INVERTED
} hm_window_fault;
/* For people. */
typedef struct {
  const char *message, *expected;
} hm_fault_words;
hm_fault_words hm_window_fault_words(hm_window_fault fault);

/* Reads a bound in a world (NULL: one without a calendar): ISO 8601, or any form of
 * core/base/time_text.h whose era the world has. Empty text and white space are a missing one.
 * false: it is no time, and *out is a missing bound. *out borrows from text and from the world. */
bool hm_bound_parse(const hm_world *world, hm_str text, hm_bound *out);
/* Both bounds of a window. The same era twice is from its begin to its end; an end `current` is
 * missing, since it holds still. */
hm_window_fault hm_bounds_parse(const hm_world *world, hm_str from, hm_str until, hm_bound *begin,
                                hm_bound *end);
/* hm_window_of_bounds from the texts of the bounds. now: the present where the world says none on
 * that axis. *out is set as hm_window_of_bounds does, or, where a bound is no time, left alone. */
hm_window_fault hm_window_parse(const hm_world *world, hm_str from, hm_str until, hm_time now,
                                hm_window *out);
#endif
