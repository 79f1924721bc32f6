/* Memories that say the same, or deny each other, by their texts: core/recall/text_similarity.h.
 *
 * Two memories are compared if they are active, not episodic, hold at now, have the same project
 * and type and a common tag or none, and are about the same thing: the same slot_rule, the same
 * scope, and a common entity to which a link leads, of each the same or none. "Has been calibrated"
 * of one pump says nothing of another. Pairs are left out if they share a slot (there claims are
 * compared), or if one supersedes or was derived from the other.
 *
 * Rows are sorted by the key of their texts. Each is compared with the next HM_SIMILAR_REACH rows
 * of its key, by age. Cost: O(rows log rows), and REACH times the rows that share a key.
 *
 * A judge may be asked about two memories that are alike by their cosine, but by these rules
 * neither the same nor opposed. Its answer becomes a proposal (core/claim/judged.h) and a finding,
 * never more. */
#ifndef HM_SIMILAR_GROUPS_H
#define HM_SIMILAR_GROUPS_H
#include "core/base/str.h"
#include "core/claim/claim.h"
#include "core/recall/text_similarity.h"

enum { HM_SIMILAR_REACH = 100, HM_SIMILAR_ASKED = 8 }; /* ASKED: pairs per row */

/* Rows connected by pairs of one kind. */
typedef struct {
  hm_alike kind;
  const char *reason; /* of its first pair by age; NULL for duplicates */
  double cosine;      /* the lowest of its pairs */
  uint32_t *rows;
  size_t n; /* oldest first */
} hm_similar_group;

typedef struct {
  const hm_snapshot *snap; /* including its links */
  const hm_claims *claims;
  const hm_rules *rules;
  bool in_slots; /* also pairs that share a slot */
  int threads;   /* for reading rows of groups; 0: the caller's thread */
} hm_similar_input;

/* Oldest first: created_at, absent times last, then id. */
int hm_similar_age_order(const hm_snapshot *snap, uint32_t x, uint32_t y);
/* Groups among these rows of the snapshot, by their oldest row, then kind, in a. Confirmed pairs
 * connect rows, too, but a group of only confirmed pairs is left out. */
size_t hm_similar_find_groups(const hm_similar_input *q, const uint32_t *rows, size_t n,
                              hm_arena *a, hm_similar_group **out);

/* x is the older. by: the proposal of a judged pair. */
typedef struct {
  uint32_t x, y;
  double cosine;
  const hm_proposal *by;
} hm_similar_pair;
/* Pairs with a new row (is_new: by row of the snapshot) that only a judge can decide: the
 * HM_SIMILAR_ASKED nearest of each new row, by older row and newer row, in a. Leaves out pairs that
 * share a slot, are linked, or ask a question. Cost: compares each new row with the candidates
 * (below) of its project and type, at most HM_SIMILAR_COMPARED. *compared (may be NULL): number of
 * compared pairs. */
size_t hm_similar_undecided_pairs(const hm_similar_input *q, const bool *is_new, hm_arena *a,
                                  hm_similar_pair **out, size_t *compared);
/* Pairs that a judge called contradictions and whose texts have not changed since, in the same
 * order, in a. */
size_t hm_similar_judged_pairs(const hm_similar_input *q, hm_arena *a, hm_similar_pair **out);

typedef struct {
  uint32_t row;
  hm_similarity is;
  bool in_slot;
} hm_similar_row;
/* The rows of a small snapshot that are similar to this one, of either kind, by row, in a. */
size_t hm_similar_find_rows(const hm_similar_input *q, uint32_t row, hm_arena *a,
                            hm_similar_row **out);

/* --- candidates -------------------------------------------------------------------- */

/* Finds the texts that may be similar to one text: candidates for a cosine of HM_SIMILAR_LEAST.
 *
 * Two such texts have three fifths of the stems of each one's content words in common. So they
 * share one of the rarest two fifths plus one of its words (prefix filtering). Only these words are
 * looked up, rarest first, and for each word the texts nearest by number first, up to
 * HM_SIMILAR_COMPARED in all: among thousands of similar texts, a text meets its neighbours.
 * Deterministic. Cost: O(words log words) once; per text at most its words and COMPARED. */

enum { HM_SIMILAR_COMPARED = 500 };

typedef struct hm_similar_candidates hm_similar_candidates;
/* Reads the content words of the texts, or all words of a text without any. In a. */
hm_similar_candidates *hm_similar_candidates_new(const hm_str *texts, size_t n, hm_arena *a);
/* The candidates for text i, distinct, without i, in no particular order. Returns their number. */
size_t hm_similar_candidates_find(hm_similar_candidates *x, uint32_t i,
                                  uint32_t out[HM_SIMILAR_COMPARED]);
#endif
