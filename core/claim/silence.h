/* Rows that claim nothing, and so can contradict nothing: prose that the grammar does not read,
 * mostly. Pure. */
#ifndef HM_SILENCE_H
#define HM_SILENCE_H
#include "core/base/json.h"
#include "core/claim/claim.h"

typedef struct { hm_str type; int64_t active, silent; } hm_silence_type;
typedef struct {
  int64_t active[HM_STATE + 1],
      silent[HM_STATE + 1]; /* rows of each layer but relations, which never claim */
  hm_silence_type *types;
  size_t n; /* memories of each type, by type; ones without are of "" */
} hm_silence;

/* Of all claims of a snapshot. In a; types are the snapshot's. */
void hm_silence_of(const hm_snapshot *snap, const hm_claims *claims, hm_arena *a, hm_silence *out);
/* More than nine of ten active memories, and of at least ten, claim nothing: who expects conflicts
 * should know. */
bool hm_silence_is_notable(const hm_silence *s);
/* Appends "silent": {"memory": {"active", "silent", "types": [{"type", "active", "silent"}]},
 * "entity": {...}, ...}. */
void hm_silence_json(hm_jw *w, const hm_silence *s);
#endif
