/* The parts of gen/history. Not for others. */
#ifndef HM_HISTORY_IMPL_H
#define HM_HISTORY_IMPL_H
#include "core/base/map.h"
#include "gen/history/history.h"

typedef struct { hm_str folder, id, name; hm_str *aliases; size_t n_aliases; } hm_told_project;

struct hm_history {
  hm_git_reader *g;
  char tip[41];
  const hm_rules *rules;
  hm_arena *a;
  hm_map by_folder;            /* -> projects */
  hm_told_project *projects; size_t n, cap;
};

/* The project with this folder, from its overview at the tip, or at `other` when the tip has none. What the
 * overview does not tell is taken from the folder. */
const hm_told_project *hm_history_project(hm_history *h, hm_str folder, const char *other);
#endif
