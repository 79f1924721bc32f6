/* When did this thing exist, when did this event happen? What rows say of it, and whether a time
 * lies in it.
 *
 * A thing existed
 *   in the windows of its EXISTED_DURING relations: in their own bounds, else in the era that they
 *   lead to; windows that touch or overlap are one;
 *   else between its begin and its end, by the first of these pairs that a property gives: birth
 *   and death, founded and dissolved, begins and ends (the words: existence_words.c).
 * An event happened
 *   at its date; with an end, from its date to its end; else from its begin to its end;
 *   else some time in its era: of its property `era`, else of its OCCURRED_DURING relations.
 * `closed` and its like end what lasts in a thing, and not the thing (hm_existence_end).
 * The row's own validity says nothing: it tells how long the statement holds. Only active rows say
 * anything. A value that is no time, and an end before the begin, say nothing.
 *
 * An era is one of world.yml by its name, or an entity whose properties say when it was. What an
 * entity's existence depends on besides its row: the EXISTED_DURING and OCCURRED_DURING relations
 * from it, and the entities that these lead to (hm_existence_add_affected).
 * Source: lore consistency engine, category B. */
#ifndef HM_EXISTENCE_H
#define HM_EXISTENCE_H
#include "core/claim/rules.h"
#include "core/claim/world.h"
#include "core/store/row.h"

/* --- who says a time (existence_words.c) --------------------------------------------------- */

/* Which rows and properties say a time: collected while it is read, in bounded space.
 *
 * Who hides one of these hides the time (publish.exclude). A row is hidden by its project and type,
 * a relation also by those of the row that it leads to. So where there are too many to name, the
 * first of each such kind is named before all others, and nothing is shown that a longer list would
 * hide. With too many kinds or lists of words the time counts as unknown. */
enum { HM_TIME_SOURCE_ROWS = 40, HM_TIME_SOURCE_KINDS = 18 };

typedef struct {
  hm_str words;       /* folded names of properties, "birth_date, death"; may be empty */
  const hm_str *rows; /* "kind:id" of relations and eras; above HM_TIME_SOURCE_KINDS of them the
                         first of each project and type comes first; at most HM_TIME_SOURCE_ROWS */
  uint32_t n, all;    /* named, and with those that are not */
} hm_time_sources;

typedef struct {
  const hm_snapshot *snap;
  uint32_t rows[HM_TIME_SOURCE_ROWS], firsts[HM_TIME_SOURCE_KINDS], all;
  hm_str words[HM_TIME_SOURCE_KINDS];
  size_t n_firsts, n_words;
  bool too_many;
} hm_time_source_list;

/* Notes a row. Work: at most HM_TIME_SOURCE_KINDS comparisons. */
void hm_time_source_list_add_row(hm_time_source_list *s, uint32_t row);
/* Notes names of properties; borrows them. */
void hm_time_source_list_add_words(hm_time_source_list *s, hm_str words);
/* What was noted, in a; NULL: it is too much, and the time must not be shown. */
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
  hm_str id, name;       /* of the row; where it has no name its id */
  const hm_world *world; /* of the row; NULL: none */
  hm_existence_class is; /* by its type */
  bool active;
  bool is_born; /* a word for lives gives its begin or end: birth, death */
  bool by_era;  /* its windows are those of eras */
  uint32_t n;
  const hm_window *windows;  /* when it existed, apart from each other, by begin; n 0: unknown */
  const hm_window *happened; /* as an event; NULL: unknown */
  const hm_window *stated;   /* begin and end of its properties, also an end before the begin;
                                NULL: neither is given */
  const hm_window *in_use; /* until when, by `closed` and the like; NULL: nobody says. It may exist
                              longer, but what lasts in it ends then */
  const hm_time_sources *existed_by, *happened_by, *stated_by; /* of windows, happened,
                                                           stated; NULL: nobody says */
} hm_existence;

typedef struct hm_existences {
  const hm_snapshot *snap;
  hm_existence *of; /* entities: by row, from snap->first[HM_ENTITY] on */
} hm_existences;

/* Of every entity. Work: linear in entities, their properties, and relations. Lives in a; borrows
 * from snap and rules. Same for any number of threads. */
void hm_existences_build(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_arena *a,
                         hm_existences *out);
/* Of a row; NULL: it is no active entity, or HM_MAP_NONE. */
const hm_existence *hm_existence_find(const hm_existences *x, uint32_t row);
/* Does a relation of this type say when what it comes from existed (EXISTED_DURING)? */
bool hm_is_existence_relation(hm_str type);
/* Does a relation of this type lead to an era of the world or to a time, where no row is called as
 * its end `to` is (EXISTED_DURING, OCCURRED_DURING)? */
bool hm_existence_leads_to_era(const hm_world *world, hm_str type, hm_str to);
/* Given a set of changed rows, adds the entities whose existence they may change. */
void hm_existence_add_affected(const hm_snapshot *snap, bool *rows);

/* The first (last: the last) bound of its life, perhaps an unknown one; NULL: nothing is known. By
 * eras alone it existed at least then, so a stated birth or death counts before the bound of an
 * era. */
const hm_bound *hm_existence_bound(const hm_existence *x, bool last);
/* When what lasts in it ends: with its life (hm_existence_bound), else with its use. A missing
 * bound where nobody says, or on another axis. */
hm_bound hm_existence_end(const hm_existence *x, uint16_t axis);
/* What stands for the missing end of a window (hm_window.ends_with); NULL: nothing. */
const hm_existence *hm_existence_ending_window(const hm_existences *x, const hm_window *w);
/* "death" of what is born, "end" of all else. */
const char *hm_existence_end_word(const hm_existence *x);

/* Birth and death: of what has words for it, or of a being by its windows. A missing bound where
 * nobody says. */
void hm_existence_birth(const hm_existence *x, hm_bound *out);
void hm_existence_death(const hm_existence *x, hm_bound *out);
/* Who says so; NULL: nobody. */
const hm_time_sources *hm_existence_life_sources(const hm_existence *x);

/* --- words of properties (existence_words.c) ------------------------------------------- */

/* In the order of precedence. */
typedef enum {
  HM_WORD_BORN,
  HM_WORD_FOUNDED,
  HM_WORD_BEGINS,
  HM_WORD_STARTS, /* of events and eras only */
  HM_WORD_IN_USE  /* likewise; of others the end of what lasts in them */
} hm_time_family;
typedef enum { HM_WORD_BEGIN, HM_WORD_END, HM_WORD_DATE, HM_WORD_ERA } hm_time_part;
typedef struct {
  const char *name; /* without '_' */
  hm_time_part part;
  hm_time_family family; /* of begins and ends */
} hm_time_word;
/* The word that a folded property name is, '_' aside, or NULL. */
const hm_time_word *hm_time_word_find(hm_str name);
/* False: these properties, as JSON, are no object or none of it is named by a time word. */
bool hm_props_may_say_time(hm_str props);
/* All of them, by name. */
const hm_time_word *hm_time_words(size_t *n);
/* Which class a type of entities is of; key: hm_entity_type_key. */
hm_existence_class hm_existence_class_of(hm_str key);

/* --- answers ---------------------------------------------------------------------------- */

typedef enum {
  HM_EXISTED,                /* nothing says that it did not */
  HM_MAY_HAVE_EXISTED,       /* for some choice of the unknown instants */
  HM_EXISTED_BEFORE,         /* never: the time begins before it began */
  HM_EXISTED_AFTER,          /* never: the time ends after it ended */
  HM_EXISTED_DURING_MISMATCH /* never: both, or neither, in a gap between two windows */
} hm_existed;
enum { HM_ITS_BEGIN = 1, HM_ITS_END = 2, HM_BOTH_ENDS = 3 };
/* Did what existed in these windows exist at the time? throughout: in all of it, else in some of
 * it. bounds: which bounds of the existence count. Only bounds that are given are compared; times
 * on two axes are not. */
hm_existed hm_existed_at(const hm_window *time, bool throughout, unsigned bounds,
                         const hm_window *windows, size_t n);
#endif
