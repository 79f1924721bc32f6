/* The story of a conflict of texts: one question, and all claims of its slot by time. */
#ifndef HM_CONFLICT_STORY_H
#define HM_CONFLICT_STORY_H
#include "core/detect/found.h"

typedef struct {
  const hm_claim *claim;
  hm_time at;         /* when it was true, else when written; HM_TIME_MIN: unknown */
  hm_arc_state state; /* HM_ARC_HOLDS if not a text */
  const hm_claim *by; /* the claim that overtook it; NULL: none of the slot, or withheld */
  bool by_withheld;
  bool party;     /* of the dispute */
  uint32_t value; /* index into hm_conflict_story.values; of parties */
} hm_story_line;

/* A value of parties, in any spelling. */
typedef struct {
  const hm_claim *best; /* of an active row if possible, then of the highest trust, then the last */
  size_t n_rows;        /* number of rows with it */
} hm_story_value;

enum { HM_STORY_NO_VALUE = UINT32_MAX };

typedef struct {
  hm_str question;      /* hm_conflict_story_ask with the id of the project */
  const hm_claim *text; /* the text of the highest trust in dispute: names what is asked for */
  uint32_t in_doubt;    /* index of the value that time puts in doubt, or HM_STORY_NO_VALUE */
  hm_story_line *lines;
  size_t n; /* by time, those without a time last */
  hm_story_value *values;
  size_t n_values; /* by trust, highest first, then by time */
  size_t withheld; /* number of omitted claims */
} hm_conflict_story;

/* Selects the claims to show. A NULL pointer to it means all. */
typedef struct {
  bool (*shown)(void *ctx, const hm_claim *c);
  void *ctx;
} hm_story_filter;

/* Builds the story of a dispute; false if it has no text that may be shown. Uses nothing of omitted
 * claims. Leaves out texts with qualifiers that differ from those of all parties. Lives in a. Cost:
 * O(n log n) in the texts of the slot and the parties. Compares each party with at most VALUES_MAX
 * values; beyond, each spelling is a value. */
bool hm_conflict_story_build(const hm_snapshot *snap, const hm_dispute *d, const hm_story_filter *f,
                             hm_arena *a, hm_conflict_story *out);
/* The question to a person, in a. It presupposes no side: "Which API timeout of p05 is right: 30 s,
 * 45 s or 60 s?", in the order of trust. Where nothing but time tells two values apart (all their
 * claims are texts of one layer, with times) it asks for the one that came back after it was left,
 * else for the one that was said last the longer ago: "Is the API of p05 still REST?". project: as
 * it is called. */
hm_str hm_conflict_story_ask(const hm_conflict_story *s, hm_str project, hm_arena *a);
/* "5 memories", "2 memories and 1 entity": the rows with this value. */
hm_str hm_story_describe_speakers(const hm_conflict_story *s, uint32_t value, hm_arena *a);

/* The later statement that settles a conflict which awaits sign-off: the last that overtook one of
 * its members in its slot. NULL: none did, it is still disputed, it is settled already, or its
 * members claim in another slot now. Cost: members times a logarithm. a: for slot keys. */
const hm_overtaken *hm_conflict_find_settling_claim(const hm_sweep *w, const hm_conflict_rec *rec,
                                                    hm_arena *a);
/* The overtaken claims of a row; NULL: none. */
const hm_overtaken *hm_overtaken_find_by_row(const hm_disputes *d, uint32_t row, size_t *n);
#endif
