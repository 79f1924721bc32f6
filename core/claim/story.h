/* Texts that tell a story: which rows do, and what their claims know besides slot and value.
 *
 * Memories of the types knowledge, project and adaptation, and of those that the config names, are
 * read as prose (prose.h) unless their slot_rule is a slot's name. So are fields of entities that
 * the config names. What superseded rows said and what texts mention is context: stories read it,
 * no other rule does. */
#ifndef HM_STORY_H
#define HM_STORY_H
#include "core/claim/prose.h"
#include "core/store/row.h"

enum { HM_SESSION_GAP = 15 * 60, HM_CROWD = 10 };

typedef struct hm_story {
  /* Folded: memory types besides the three ("episodic"), and fields of entities
   * ("decision.note"). Sorted. */
  const hm_str *types; size_t n_types;
  int gap;               /* seconds: HM_SESSION_GAP */
  bool never_compare;    /* texts are not compared with each other */
  const hm_families *families;   /* NULL: the shipped ones */
} hm_story;

/* What a text says of a slot. */
typedef struct hm_story_claim {
  hm_prose_claim claim;
  hm_str text;           /* all of it */
  hm_str agent, scope;   /* who, empty: nobody in particular; folded */
  hm_str key;            /* what says the same has it too, whatever its spelling */
  hm_str version;        /* of a version, as it is read: "14.2"; else empty */
  hm_str left;           /* normal form of the value that it says was left; empty: none */
  hm_time at;            /* when it was true, else written; HM_TIME_MIN: nobody knows */
  uint32_t by;           /* the row that supersedes its row, or HM_MAP_NONE */
  bool settles, past, mention, ends, compared;   /* ends: it says until when it holds */
  bool via;              /* an agent's row: what it settles is of the same agent */
  bool about;            /* "about", "roughly" or the like stands before the value */
} hm_story_claim;

/* Does it tell others how the story went, and claim nothing itself? */
bool hm_story_claim_is_context(const hm_story_claim *s);
/* Seconds between rows of one session. story may be NULL. */
int hm_story_session_gap(const hm_story *story);
/* Is the text of this memory read as prose? story may be NULL: the defaults. */
bool hm_story_reads_row(const hm_story *story, const hm_row *row);
/* Is this field of entities of this type? Both folded. */
bool hm_story_reads_field(const hm_story *story, hm_str type, hm_str field, hm_arena *scratch);
/* Seconds, as instants, in which HM_CROWD memories or more of the snapshot were written: those that
 * it brings, else counted. Sorted; in a. */
const hm_time *hm_list_crowded_seconds(const hm_snapshot *snap, hm_arena *a, size_t *n);
/* The second of a written time, as an instant; false: it is no time. */
bool hm_parse_written_second(hm_str written, hm_time *out);
bool hm_second_is_crowded(const hm_time *crowded, size_t n, hm_time t);
/* Changes when anything does that decides what texts claim; empty for the defaults. */
hm_str hm_story_digest(const hm_story *story, hm_arena *a);
/* "Is the API timeout still 30 s?": whether the claim still holds, for somebody who knows none of
 * the rows; project: its id. In a. */
hm_str hm_story_question(const hm_prose_claim *c, hm_str project, hm_arena *a);
#endif
