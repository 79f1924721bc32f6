/* Texts as stories: which rows are read as prose, and what their claims have besides slot and
 * value.
 *
 * Memories but those of the types episodic, identity and preference, those that the config names,
 * and identities in which their own grammar finds nothing are read as prose (prose.h) unless their
 * slot_rule is a slot's name. So are fields of entities that the config names. Claims of superseded
 * rows and mentions are context, which only stories read. */
#ifndef HM_STORY_H
#define HM_STORY_H
#include "core/prose/prose.h"
#include "core/record/row.h"

enum { HM_SESSION_GAP = 15 * 60, HM_CROWD = 10 };

typedef struct hm_story {
  /* Additional memory types ("episodic") and fields of entities ("decision.note"); folded,
   * sorted. */
  const hm_str *types;
  size_t n_types;
  int gap;                     /* seconds: HM_SESSION_GAP */
  bool never_compare;          /* never compare texts with each other */
  const hm_families *families; /* NULL: the shipped ones */
} hm_story;

/* A claim of a text. */
typedef struct hm_story_claim {
  hm_prose_claim claim;
  hm_str text;         /* the whole text */
  hm_str agent, scope; /* folded; empty: none */
  hm_str origin;       /* of a status without an agent: its sources without digits; empty: none */
  hm_str key;          /* equal for equal values in any spelling */
  hm_str version;      /* of a version, as read: "14.2"; else empty */
  hm_str left;         /* normal form of the former value (hm_prose_claim.left); empty: none */
  hm_time at;          /* when it was true, else when written; HM_TIME_MIN: unknown */
  uint32_t by;         /* the row that supersedes its row, or HM_MAP_NONE */
  bool log;            /* a status of which the text or its window gives a date: a line of a log */
  bool settles, past, mention, ends, compared; /* ends: it has an end */
  bool via;     /* an agent's row: it settles only claims of that agent */
  bool about;   /* "about", "roughly" or the like before the value */
  bool spelled; /* its slot is that of the text's own words (hm_prose_claim.written): it
                 * meets only states and entities */
  bool several; /* has a qualifier, and its text says another value of the slot, too */
} hm_story_claim;

/* Is it only context for stories, and no claim? */
bool hm_story_claim_is_context(const hm_story_claim *s);
/* Seconds between rows of one session. story may be NULL. */
int hm_story_session_gap(const hm_story *story);
/* Is the text of this memory read as prose? Of an identity, if its own grammar (memory.h) finds
 * nothing in it: "Dana owns the search service". story may be NULL: the defaults. */
bool hm_story_reads_row(const hm_story *story, const hm_row *row, hm_arena *scratch);
/* Is this field of entities of this type read as prose? Both are folded. */
bool hm_story_reads_field(const hm_story *story, hm_str type, hm_str field, hm_arena *scratch);
/* Seconds, as instants, in which HM_CROWD or more memories were written: snap->crowded, else
 * counted in its rows. Sorted; in a. */
const hm_time *hm_list_crowded_seconds(const hm_snapshot *snap, hm_arena *a, size_t *n);
/* The second of a written time, as an instant; false if it is not a time. */
bool hm_parse_written_second(hm_str written, hm_time *out);
bool hm_second_is_crowded(const hm_time *crowded, size_t n, hm_time t);
/* A digest of all settings that decide what texts claim; empty for the defaults. */
hm_str hm_story_digest(const hm_story *story, hm_arena *a);
/* Asks whether the claim still holds, "Is the API timeout still 30 s?", of a reader who knows none
 * of the rows. project: its id. In a. */
hm_str hm_story_question(const hm_prose_claim *c, hm_str project, hm_arena *a);
/* Asks which of the values is right, "Which API timeout of p05 is right: 30 s, 45 s or 60 s?". c:
 * the text that names what is asked for. In a. */
hm_str hm_story_choice(const hm_prose_claim *c, hm_str project, const hm_str *values, size_t n,
                       hm_arena *a);
/* The value as a question names it: "REST", "not REST", a whole sentence in quotes. In a. */
hm_str hm_story_value_in_words(const hm_prose_claim *c, hm_arena *a);
#endif
