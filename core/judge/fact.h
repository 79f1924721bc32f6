/* Facts as a judge is told them, which of them, and in which order and portions.
 *
 * Old facts are forgotten by a curve, so that the sample that a model reads stays small. Who reads
 * all of a store is the sweep; a judge only reads a story. Pure: the same facts, now and seed give
 * the same story. Source: the narrative detective, "The Forgetting Curve" and "Batching". */
#ifndef HM_JUDGE_FACT_H
#define HM_JUDGE_FACT_H
#include "core/base/str.h"
#include "core/base/time.h"

enum {
  HM_STORY_BATCH = 24000,       /* bytes of a batch at most */
  HM_STORY_OVERLAP = 2400,      /* of which the end of the one before, at most */
  HM_STORY_LINE = 2400,         /* bytes of a line at most, its end included */
  HM_STORY_LABEL = 8
};

typedef struct {
  hm_str ref;                   /* "memory:m1" */
  hm_str digest;                /* of what it says: hm_judged_digest */
  hm_time written;              /* HM_TIME_MIN: nobody knows */
  hm_str scope, agent, type, text;
  uint32_t conflicts;           /* that it was a member of, open or settled */
  bool trigger;                 /* it is new: what the story is read for */
  char label[HM_STORY_LABEL + 1]; /* its id in the story; set by hm_story_order */
} hm_story_fact;

/* The chance that a fact of this age stays in the story: 0.30 under 24 hours, 0.15 under 168, else
 * 0.07; twice as much for each conflict, at most 1. A negative age is under 24 hours. */
double hm_curve_chance(hm_time age, uint32_t conflicts);
/* Does the fact stay? A trigger does, and one that nobody knows the age of. Else by its chance and
 * a number made from seed and reference alone. */
bool hm_curve_keeps(const hm_story_fact *f, hm_time now, uint64_t seed);

/* Sorts by time of writing, unknown ones first, then reference; and labels each with hex digits
 * of which no two facts have the same. */
void hm_story_order(hm_story_fact *facts, size_t n);

/* A batch of a story: facts[first] up to facts[first + n] as lines of JSON, in order. */
typedef struct { size_t first, n; hm_str lines; } hm_story_batch;
/* Labels the facts as hm_story_order does, without moving them. */
void hm_story_label(hm_story_fact *facts, size_t n);
/* Splits facts, ordered, in batches. Each line is in one batch or more; a batch begins with the
 * last lines of the one before. Texts that are too long for a line are cut, with "…". One fact
 * alone is no story: no batches. *out and texts in a. */
size_t hm_story_batches(const hm_story_fact *facts, size_t n, hm_arena *a, hm_story_batch **out);
/* The same for pairs, facts[2 * i] and facts[2 * i + 1]: none is parted, no line comes twice. */
size_t hm_story_pair_batches(const hm_story_fact *facts, size_t n, hm_arena *a,
                             hm_story_batch **out);
#endif
