/* Statements that are no facts: what somebody believes, what a prophecy says. They are shown as
 * such, claim nothing and contradict nobody. */
#ifndef HM_STATEMENT_H
#define HM_STATEMENT_H
#include "core/base/str.h"

/* What the property `claim_kind` of an entity or a relation says: "subjective", "prophetic", or
 * empty for anything else. props: JSON text. Static text. */
hm_str hm_claim_kind(hm_str props, hm_arena *scratch);
#endif
