/* The story behind a conflict of texts: one question, and all claims of its slot by time. */
#ifndef HM_CONFLICT_STORY_H
#define HM_CONFLICT_STORY_H
#include "core/detect/sweep.h"

typedef struct {
  const hm_claim *claim;
  hm_time at;          /* when it was true, else written; HM_TIME_MIN: nobody knows */
  hm_arc_state state;  /* of what is no text: it holds */
  const hm_claim *by;  /* who overtook it, or NULL: nobody of the slot, or one that is withheld */
  bool by_withheld;
  bool party;          /* of the dispute */
  bool asked;          /* it is what the question asks for */
  uint32_t value;      /* index into hm_conflict_story.values; of parties */
} hm_story_line;

/* What parties say, whatever its spelling. */
typedef struct {
  const hm_claim *last;  /* who said it last, of an active row where there is one */
  size_t n_rows;         /* how many rows say so */
  bool asked;
} hm_story_value;

typedef struct {
  hm_str question;     /* "Is the API of p05 still REST?" */
  const hm_claim *asked; /* the last word among the texts in dispute */
  hm_story_line *lines; size_t n;      /* by time, those without one last */
  hm_story_value *values; size_t n_values; /* in the order in which they were said */
  size_t withheld;     /* claims that are left out */
} hm_conflict_story;

/* Which claims may be told. NULL in its place: all. */
typedef struct { bool (*shown)(void *ctx, const hm_claim *c); void *ctx; } hm_story_filter;

/* The story of a dispute; false: no text that may be told takes part in it. Nothing of what is left
 * out comes into it. Texts of the slot whose qualifiers differ from those of all parties are not
 * part of it. Lives in a. Work: O(n log n) in the texts of the slot and the parties; each party is
 * compared with at most VALUES_MAX values, further ones are values by their spelling. */
bool hm_conflict_story_build(const hm_snapshot *snap, const hm_dispute *d, const hm_story_filter *f,
                             hm_arena *a, hm_conflict_story *out);
/* "5 memories", "2 memories and 1 entity": whose rows say this value. */
hm_str hm_story_describe_speakers(const hm_conflict_story *s, uint32_t value, hm_arena *a);

/* The later statement that settles a conflict which awaits sign-off: the last that overtook one of
 * its members. NULL: none did, it is disputed, or it is settled already. Work: members times a
 * logarithm. */
const hm_overtaken *hm_conflict_find_settling_claim(const hm_sweep *w, const hm_conflict_rec *rec);
/* The overtaken claims of a row; NULL: none. */
const hm_overtaken *hm_overtaken_find_by_row(const hm_disputes *d, uint32_t row, size_t *n);
#endif
