/* The story of a conflict of texts: one question, and all claims of its slot by time. */
#ifndef HM_CONFLICT_STORY_H
#define HM_CONFLICT_STORY_H
#include "core/detect/sweep.h"

typedef struct {
  const hm_claim *claim;
  hm_time at;         /* when it was true, else when written; HM_TIME_MIN: unknown */
  hm_arc_state state; /* HM_ARC_HOLDS if not a text */
  const hm_claim *by; /* the claim that overtook it; NULL: none of the slot, or withheld */
  bool by_withheld;
  bool party;     /* of the dispute */
  bool asked;     /* the question asks for it */
  uint32_t value; /* index into hm_conflict_story.values; of parties */
} hm_story_line;

/* A value of parties, in any spelling. */
typedef struct {
  const hm_claim *last; /* the last claim of it, if possible of an active row */
  size_t n_rows;        /* number of rows with it */
  bool asked;
} hm_story_value;

typedef struct {
  hm_str question;       /* "Is the API of p05 still REST?" */
  const hm_claim *asked; /* the last claim of the texts in dispute */
  hm_story_line *lines;
  size_t n; /* by time, those without a time last */
  hm_story_value *values;
  size_t n_values; /* in the order of their first claims */
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
