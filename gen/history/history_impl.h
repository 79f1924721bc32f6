/* Shared by the files of gen/history. Not for other folders. */
#ifndef HM_HISTORY_IMPL_H
#define HM_HISTORY_IMPL_H
#include "core/base/str.h"
#include "gen/history/fact.h"
#include "gen/history/event.h"
#include "gen/history/history.h"

typedef struct {
  hm_str folder, id, name;
  hm_str *aliases;
  size_t n_aliases;
} hm_project_info;

struct hm_history {
  hm_git_reader *g;
  char tip[41];
  const hm_rules *rules;
  hm_arena *a;
  hm_map by_folder; /* -> projects */
  hm_project_info *projects;
  size_t n, cap;
  bool without_facts; /* see hm_history_lacks_data_files */
  char facts_from[41];
};

/* The project with this folder, from its data file at the tip, or at `other` when the tip has none.
 * Missing fields are taken from the folder's name. */
const hm_project_info *hm_history_project(hm_history *h, hm_str folder, const char *other);
#endif
