/* What rows of the mirror claim: by the rules of a sweep, over what pages show
 * of them. Pure. */
#ifndef HM_SLOTS_H
#define HM_SLOTS_H
#include "core/claim/claim.h"
#include "gen/history/fact.h"

typedef struct {
  hm_str field;      /* as hm_shown.name */
  hm_str key;        /* of the slot, as conflicts have it */
  hm_str value;      /* as shown; of a memory the part that is the value */
} hm_said;

typedef struct { hm_said *v; size_t n; } hm_saids;

/* project(ctx, folder): the id of the project with this folder. */
typedef struct { hm_str (*project)(void *ctx, hm_str folder); void *ctx; } hm_folders;

/* out[i]: the claims of facts[i], or what they would be if it were active; lives in a. A fact may
 * occur in several versions. The names of entities that a property refers to are those that stand
 * beside it. */
int hm_slots_of(const hm_fact *const *facts, size_t n, const hm_folders *folders,
                const hm_rules *rules, hm_arena *a, hm_saids **out, hm_err *err);
#endif
