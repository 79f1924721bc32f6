/* What rows do not say. Pure; words of silence are in rules.h.
 *
 * Silent rows claim nothing, and so can contradict nothing: prose that the grammar does not read,
 * mostly. */
#ifndef HM_SILENCE_H
#define HM_SILENCE_H
#include "core/base/json.h"
#include "core/claim/claim.h"

typedef struct { hm_str type; int64_t active, silent; } hm_silence_type;
typedef struct {
  /* Rows of each layer but relations, which never claim. */
  int64_t active[HM_STATE + 1], silent[HM_STATE + 1];
  /* Memories of each type, by type; ones without are of "". */
  hm_silence_type *types; size_t n;
} hm_silence;

/* Of all claims of a snapshot. In a; types are the snapshot's. */
void hm_silence_collect(const hm_snapshot *snap, const hm_claims *claims, hm_arena *a,
                        hm_silence *out);
/* Why each row of the snapshot claims nothing, in words that follow its name ("is superseded", "has
 * no text"); NULL: it claims. In a. */
const char **hm_silence_reasons(const hm_snapshot *snap, const hm_claims *claims, hm_arena *a);
/* More than nine of ten active memories, and of at least ten, claim nothing: who expects conflicts
 * should know. */
bool hm_silence_is_notable(const hm_silence *s);
/* Appends "silent": {"memory": {"active", "silent", "types": [{"type", "active", "silent"}]},
 * "entity": {...}, ...}. */
void hm_silence_json(hm_jw *w, const hm_silence *s);

/* A slot where some row says that the value is unknown, and no row gives a value. */
typedef struct {
  uint32_t project;
  hm_str slot_key;
  /* Who says so: of claims->silences, by trust, highest first, then id. */
  const hm_claim **by; size_t n;
} hm_gap;

/* Sorted by project and slot key; in a, borrowed from claims. shown NULL: of all rows; else what it
 * says no to is taken as not there, be it silence or a value. */
void hm_gaps_collect(const hm_snapshot *snap, const hm_claims *claims,
                     bool (*shown)(void *ctx, const hm_claim *c), void *ctx, hm_arena *a,
                     hm_gap **out, size_t *n);
/* "p05 / spindle_speed: not known yet, says the state"; kind gap, severity info, rule slot/gap. In
 * a. */
hm_finding hm_gap_finding(const hm_snapshot *snap, const hm_gap *gap, hm_arena *a);
#endif
