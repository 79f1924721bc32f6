/* Which project a name means that is neither the id of a declared project nor an alias.
 *
 * Such a name is compared, folded, with the ids, aliases and names of all declared projects: `P05`
 * and "Interferometer" are the project p05. Where two projects fit, none is meant. */
#ifndef HM_PROJECT_NAMES_H
#define HM_PROJECT_NAMES_H
#include "core/base/map.h"
#include "core/store/store.h"

/* The first two that fit, in byte order; other: empty where one does. */
typedef struct { hm_str project, other; } hm_project_fit;
typedef struct {
  bool ready;                                       /* hm_project_names_init was called */
  hm_arena *a;
  hm_map by_fold;                                   /* folded word -> index into fits */
  hm_project_fit *fits; size_t n, cap;
} hm_project_names;

void hm_project_names_init(hm_project_names *names, hm_arena *a);
/* A word that means a project: its id, name or an alias. Both texts are kept as they are. */
void hm_project_names_add(hm_project_names *names, hm_str word, hm_str project);
/* NULL: no project fits, or name is empty. */
const hm_project_fit *hm_project_names_find(const hm_project_names *names, hm_str name);
/* The project of a snapshot, declared or not, that a name means, by the same rules; HM_MAP_NONE:
 * none, or two, which *fit then has. */
uint32_t hm_snapshot_project(const hm_snapshot *snap, hm_str name, hm_arena *a,
                             hm_project_fit *fit);
/* Fails with HM_E_UNKNOWN: no project has this name, or, by what fits, two have. Returns -1. */
int hm_project_unknown(hm_str name, const hm_project_fit *fit, hm_err *err);
/* Of all declared projects of the store; texts in a. Cost: that of the projects and aliases. */
int hm_project_names_read(hm_store *s, hm_arena *a, hm_project_names *out, hm_err *err);
#endif
