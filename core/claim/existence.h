/* When a thing existed or an event happened, as rows say, and whether a time lies in that.
 *
 * A thing existed
 *   in the windows of its EXISTED_DURING relations: in their own bounds, else in the era that they
 *   lead to; windows that touch or overlap are one;
 *   else between its begin and its end, by the first of these pairs that a property gives: birth
 *   and death, founded and dissolved, begins and ends (the words: existence_words.c).
 * An event happened
 *   at its date; with an end, from its date to its end; else from its begin to its end;
 *   else some time in its era: of its property `era`, else of its OCCURRED_DURING relations.
 * `closed` and the like end what lasts in a thing, not the thing (hm_existence_end). The row's own
 * validity does not count: it says how long the statement holds. Only active rows count. An invalid
 * time, or an end before the begin, counts as not given.
 *
 * An era is one of world.yml, by its name, or an entity whose properties say when it was. Besides
 * its row, an entity's existence depends on the EXISTED_DURING and OCCURRED_DURING relations from
 * it and on the entities that these lead to.
 * Source: lore consistency engine, category B. */
#ifndef HM_EXISTENCE_H
#define HM_EXISTENCE_H
#include "core/value/rules.h"
#include "core/claim/world.h"
#include "core/record/row.h"

/* --- sources of a time (existence_words.c) --------------------------------------------------- */

/* The rows and properties that give a time, collected while reading it, in bounded space.
 *
 * If publish.exclude hides one of these, it hides the time. Projects and types hide rows; a
 * relation is also hidden by those of the row that it leads to. If there are too many rows to name,
 * the list begins with the first of each such kind, so that it hides as much as a full list would.
 * With too many kinds or lists of words the time counts as unknown. */
enum { HM_TIME_SOURCE_ROWS = 40, HM_TIME_SOURCE_KINDS = 18 };

typedef struct {
  hm_str words;       /* folded names of properties, "birth_date, death"; may be empty */
  const hm_str *rows; /* "kind:id" of relations and eras; above HM_TIME_SOURCE_KINDS of them the
                         first of each project and type comes first; at most HM_TIME_SOURCE_ROWS */
  uint32_t n, all;    /* number named; total number */
} hm_time_sources;

typedef struct {
  const hm_snapshot *snap;
  uint32_t rows[HM_TIME_SOURCE_ROWS], firsts[HM_TIME_SOURCE_KINDS], all;
  hm_str words[HM_TIME_SOURCE_KINDS];
  size_t n_firsts, n_words;
  bool too_many;
} hm_time_source_list;

/* Adds a row. Cost: at most HM_TIME_SOURCE_KINDS comparisons. */
void hm_time_source_list_add_row(hm_time_source_list *s, uint32_t row);
/* Adds names of properties; borrows them. */
void hm_time_source_list_add_words(hm_time_source_list *s, hm_str words);
/* The collected sources, in a. NULL: too many; do not show the time. */
const hm_time_sources *hm_time_source_list_finish(const hm_time_source_list *s, hm_arena *a);

/* --- existences ---------------------------------------------------------------------------- */

typedef enum {
  HM_IS_THING,
  HM_IS_BEING,
  HM_IS_PLACE,
  HM_IS_EVENT,
  HM_IS_ERA,
  HM_IS_TASK /* or a door: `closed` is its state */
} hm_existence_class;

typedef struct {
  hm_str id, name;       /* of the row; without a name its id */
  const hm_world *world; /* of the row; NULL: none */
  hm_existence_class is; /* by its type */
  bool active;
  bool is_born; /* birth or death gives its begin or end */
  bool by_era;  /* its windows come from eras */
  uint32_t n;
  const hm_window *windows;  /* n windows in which it existed, disjoint, by begin; n 0: unknown */
  const hm_window *happened; /* as an event; NULL: unknown */
  const hm_window *stated;   /* begin and end from its properties, even if the end is before the
                              * begin; NULL: neither is given */
  const hm_window *in_use; /* until `closed` and the like; NULL: not given. It may exist longer, but
                            * what lasts in it ends then */
  const hm_time_sources *existed_by, *happened_by, *stated_by; /* sources of windows, happened,
                                                                * stated; NULL: none */
} hm_existence;

typedef struct hm_existences {
  const hm_snapshot *snap;
  hm_existence *of; /* entities: by row, from snap->first[HM_ENTITY] on */
} hm_existences;

/* Reads the existence of every entity. Cost: linear in entities, their properties, and relations.
 * Lives in a; borrows from snap and rules. The result does not depend on threads. */
void hm_existences_build(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_arena *a,
                         hm_existences *out);
/* The existence of a row; NULL if row is not an active entity or is HM_MAP_NONE. */
const hm_existence *hm_existence_find(const hm_existences *x, uint32_t row);
/* Does a relation of this type lead to an era of the world or to a time, where no row is called as
 * its end `to` is (EXISTED_DURING, OCCURRED_DURING)? */
bool hm_existence_leads_to_era(const hm_world *world, hm_str type, hm_str to);

/* The first (or the last) bound of its life, perhaps an unknown one; NULL: nothing is known. An era
 * only says that it existed then, so a stated birth or death precedes the bound of an era. */
const hm_bound *hm_existence_bound(const hm_existence *x, bool last);
/* The end of what lasts in it: the end of its life (hm_existence_bound), else of its use. A missing
 * bound if not given or on another axis. */
hm_bound hm_existence_end(const hm_existence *x, uint16_t axis);
/* The existence that gives the missing end of a window (hm_window.ends_with), or NULL. */
const hm_existence *hm_existence_ending_window(const hm_existences *x, const hm_window *w);
/* "death" if it is born, else "end". */
const char *hm_existence_end_word(const hm_existence *x);

/* Birth and death: by words for these, or for a being by its windows. A missing bound if not
 * given. */
void hm_existence_birth(const hm_existence *x, hm_bound *out);
void hm_existence_death(const hm_existence *x, hm_bound *out);
/* The sources of birth and death, or NULL. */
const hm_time_sources *hm_existence_life_sources(const hm_existence *x);

/* --- words of properties (existence_words.c) ------------------------------------------- */

/* In the order of precedence. */
typedef enum {
  HM_WORD_BORN,
  HM_WORD_FOUNDED,
  HM_WORD_BEGINS,
  HM_WORD_STARTS, /* of events and eras only */
  HM_WORD_IN_USE  /* likewise; for others the end of what lasts in them */
} hm_time_family;
typedef enum { HM_WORD_BEGIN, HM_WORD_END, HM_WORD_DATE, HM_WORD_ERA } hm_time_part;
typedef struct {
  const char *name; /* without '_' */
  hm_time_part part;
  hm_time_family family; /* of begins and ends */
} hm_time_word;
/* The time word for a folded property name, without '_', or NULL. */
const hm_time_word *hm_time_word_find(hm_str name);
/* False if these properties (JSON) are not an object or have no name that is a time word. */
bool hm_props_may_say_time(hm_str props);
/* All time words, by name. */
const hm_time_word *hm_time_words(size_t *n);
/* The class of an entity type; key: hm_entity_type_key. */
hm_existence_class hm_existence_class_of(hm_str key);

/* --- answers ---------------------------------------------------------------------------- */

typedef enum {
  HM_EXISTED,                /* no bound contradicts it */
  HM_MAY_HAVE_EXISTED,       /* for some choice of the unknown instants */
  HM_EXISTED_BEFORE,         /* never: the time begins before it began */
  HM_EXISTED_AFTER,          /* never: the time ends after it ended */
  HM_EXISTED_DURING_MISMATCH /* never: both, or neither, in a gap between two windows */
} hm_existed;
enum { HM_ITS_BEGIN = 1, HM_ITS_END = 2, HM_BOTH_ENDS = 3 };
/* Did a thing with these windows of existence exist at the time? throughout: during all of it, else
 * during some of it. bounds: the bounds of the existence that count. Compares only given bounds on
 * the same axis. */
hm_existed hm_existed_at(const hm_window *time, bool throughout, unsigned bounds,
                         const hm_window *windows, size_t n);
#endif
