/* Rows without claims, and slots without known values. Pure; words of silence are in rules.h.
 *
 * Silent rows claim nothing, so they contradict nothing; most are prose that the grammar does not
 * read. */
#ifndef HM_SILENCE_H
#define HM_SILENCE_H
#include "core/base/json.h"
#include "core/claim/claim.h"

typedef struct {
  hm_str type;
  int64_t active, silent;
} hm_silence_type;
typedef struct {
  /* Rows of each layer except relations. */
  int64_t active[HM_STATE + 1], silent[HM_STATE + 1];
  /* Memories by type, sorted; "": without a type. */
  hm_silence_type *types;
  size_t n;
} hm_silence;

/* Counts silent rows from all claims of a snapshot. In a; types borrow from the snapshot. */
void hm_silence_collect(const hm_snapshot *snap, const hm_claims *claims, hm_arena *a,
                        hm_silence *out);
/* For each row why it claims nothing, as words after its name ("is superseded", "has no text");
 * NULL: it has a claim. In a. */
const char **hm_silence_reasons(const hm_snapshot *snap, const hm_claims *claims, hm_arena *a);
/* Why this row, which has no claim, claims nothing, whatever its status is: words as above. */
const char *hm_silence_reason(const hm_snapshot *snap, const hm_claims *claims, uint32_t row);
/* True if there are at least ten active memories and over 90 % of them claim nothing. Then the user
 * should be told. */
bool hm_silence_is_notable(const hm_silence *s);
/* Appends "silent": {"memory": {"active", "silent", "types": [{"type", "active", "silent"}]},
 * "entity": {...}, ...}. */
void hm_silence_json(hm_jw *w, const hm_silence *s);

/* Reads "silent" of that object back, in a. */
void hm_silence_read(const hm_json *object, hm_arena *a, hm_silence *out);

/* What was compared, beside which a count of disputes stands: claims, the slots that have one,
 * active memories, and those that claim nothing. */
typedef struct {
  int64_t values, places, memories, unread;
} hm_compared;
/* For each project of the snapshot, and at [n_projects] in all; in a. hidden: rows to leave out;
 * shown: returns false for claims to leave out; NULL: uses all. Cost: one pass over claims and
 * rows. */
hm_compared *hm_compared_count(const hm_snapshot *snap, const hm_claims *claims, const bool *hidden,
                               bool (*shown)(void *ctx, const hm_claim *c), void *ctx, hm_arena *a);
/* Appends "compared": {"values", "places", "memories", "unread"}. */
void hm_compared_json(hm_jw *w, const hm_compared *c);
/* Reads "compared" of that object back. */
void hm_compared_read(const hm_json *object, hm_compared *out);

/* A gap: a slot of which some row says that the value is unknown, and no row gives a value. */
typedef struct {
  uint32_t project;
  hm_str slot_key;
  /* The rows that say so, from claims->silences, by trust, highest first, then id. */
  const hm_claim **by;
  size_t n;
} hm_gap;

/* Collects the gaps, sorted by project and slot key; in a, borrowing from claims. shown: returns
 * false for claims and silences to ignore; NULL: uses all. */
void hm_gaps_collect(const hm_snapshot *snap, const hm_claims *claims,
                     bool (*shown)(void *ctx, const hm_claim *c), void *ctx, hm_arena *a,
                     hm_gap **out, size_t *n);
/* "p05 / spindle_speed: not known yet, says the state"; kind gap, severity info, rule slot/gap. In
 * a. */
hm_finding hm_gap_finding(const hm_snapshot *snap, const hm_gap *gap, hm_arena *a);
#endif
