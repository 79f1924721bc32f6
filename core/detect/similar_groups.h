/* Memories that say the same, or deny each other, by their texts: core/recall/text_similarity.h.
 *
 * Two memories are compared when they are active, not episodic, hold at now, and have one project,
 * one type, one scope or none, and a tag in common or none. Pairs are left out that share a slot
 * (there claims tell what contradicts what), of which one supersedes the other, or one was derived
 * from the other.
 *
 * Rows are sorted by the key of their texts, and only those of one key are compared; each with the
 * HM_SIMILAR_REACH rows after it, by age. Cost: O(rows log rows), and REACH times the rows that
 * share a key.
 *
 * What words do not tell, a judge may be asked: of two memories that are alike by their cosine, and
 * that these rules call neither the same nor opposed. Its word is a proposal (core/claim/judged.h)
 * and a finding, never more. */
#ifndef HM_SIMILAR_GROUPS_H
#define HM_SIMILAR_GROUPS_H
#include "core/base/str.h"
#include "core/claim/claim.h"
#include "core/recall/text_similarity.h"

enum { HM_SIMILAR_REACH = 100, HM_SIMILAR_ASKED = 8 };   /* ASKED: pairs of one row */

/* Rows that pairs of one kind connect. */
typedef struct {
  hm_alike kind;
  const char *reason;         /* of its first pair by age; NULL of duplicates */
  double cosine;              /* the lowest of its pairs */
  uint32_t *rows; size_t n;   /* oldest first */
} hm_similar_group;

typedef struct {
  const hm_snapshot *snap;    /* its links, too */
  const hm_claims *claims;
  const hm_rules *rules;
  bool in_slots;              /* also pairs that share a slot */
  int threads;                /* that read rows for groups; 0: the caller's own */
} hm_similar_input;

/* The key by which a memory is compared; 0: it is compared with none, whatever the others are. Does
 * not look at windows. scratch: for the text. */
uint64_t hm_similar_row_key(const hm_row *row, hm_arena *scratch);
/* Oldest first: created_at, absent times last, then id. */
int hm_similar_age_order(const hm_snapshot *snap, uint32_t x, uint32_t y);
/* Groups among these rows of the snapshot, by their oldest row, then kind, in a. Pairs that
 * somebody confirmed connect rows, too; a group of such pairs alone is none. */
size_t hm_similar_find_groups(const hm_similar_input *q, const uint32_t *rows, size_t n,
                              hm_arena *a, hm_similar_group **out);

/* x is the older. by: the proposal, of a pair that was judged. */
typedef struct { uint32_t x, y; double cosine; const hm_proposal *by; } hm_similar_pair;
/* Pairs of a new row (is_new: by row of the snapshot) of which only a judge can tell: the
 * HM_SIMILAR_ASKED nearest of each, by older row and newer row, in a. Not those that share a slot,
 * are tied by links, or ask a question. Cost: each new row is compared with those of its project
 * and type that may be alike (below), at most HM_SIMILAR_COMPARED. *compared (may be
 * NULL): how many pairs that were. */
size_t hm_similar_undecided_pairs(const hm_similar_input *q, const bool *is_new, hm_arena *a,
                                  hm_similar_pair **out, size_t *compared);
/* Pairs that a judge called contradictions and that still say what it read, likewise. */
size_t hm_similar_judged_pairs(const hm_similar_input *q, hm_arena *a, hm_similar_pair **out);

typedef struct { uint32_t row; hm_similarity is; bool in_slot; } hm_similar_row;
/* The rows of a small snapshot that this one is alike to, by row, in a; of either kind. */
size_t hm_similar_find_rows(const hm_similar_input *q, uint32_t row, hm_arena *a,
                            hm_similar_row **out);

/* --- texts near one -------------------------------------------------------------------- */

/* Of many texts, those that may be alike to one: candidates for a cosine of HM_SIMILAR_LEAST.
 *
 * Two texts so alike have three of five content words of each in common, by stems: so they share
 * one of the rarest words of each, too, of any two fifths and one (prefix filtering). Only these
 * words are looked up, rarest first, and of a word's texts the nearest by number first, up to
 * HM_SIMILAR_COMPARED in all: where thousands of texts are made alike, a text meets those beside
 * it. Deterministic. Cost: O(words log words) once; a text at most its words and COMPARED. */

enum { HM_SIMILAR_COMPARED = 500 };

typedef struct hm_similar_candidates hm_similar_candidates;
/* Reads the words of the texts; of one without content words those of grammar. In a. */
hm_similar_candidates *hm_similar_candidates_new(const hm_str *texts, size_t n, hm_arena *a);
/* The candidates of text i, each once and not itself, in no order that matters; how many. */
size_t hm_similar_candidates_find(hm_similar_candidates *x, uint32_t i,
                                  uint32_t out[HM_SIMILAR_COMPARED]);
#endif
