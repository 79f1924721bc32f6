/* What the states of a story are called, and for whom words of change count (arc.h). */
#include "core/detect/arc.h"

static const struct { const char *name, *says; } STATES[HM_N_ARC_STATES] = {
  [HM_ARC_HOLDS] = { "holds", "" },
  [HM_ARC_WORDS] = { "words", "it says that something changed or was decided" },
  [HM_ARC_SUPERSEDED] = { "superseded", "its row supersedes the other" },
  [HM_ARC_AGENT] = { "agent", "the same agent wrote it later, in the same scope" },
  [HM_ARC_VERSION] = { "version", "it is a higher version, more than 30 days later" },
  [HM_ARC_UPDATE] = { "update", "it is the later line of a log or a later count" },
  [HM_ARC_RETURN] = { "return", "it returns to a value that was left" },
  [HM_ARC_SESSION] = { "session", "the same agent wrote it later in the same session" },
  [HM_ARC_UNDATED] = { "undated", "a line of a log without a time says nothing" },
};

const char *hm_arc_state_name(hm_arc_state s) { return STATES[s].name; }
const char *hm_arc_state_says(hm_arc_state s) { return STATES[s].says; }

bool hm_arc_words_count(const hm_arc_claim *y, const hm_arc_claim *x) {
  return y->settles && (!y->via || (y->agent.n && hm_str_eq(y->agent, x->agent)));
}
