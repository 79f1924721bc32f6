/* Small questions to the store: what a name means, which conflicts there are, how many. Each is
 * answered by an index where nothing else is said. Inside an open transaction, or each in one of
 * its own.
 *
 * A name that is neither the id of a declared project nor an alias is compared, folded, with the
 * ids, aliases and names of all declared projects: `P05` and "Interferometer" are the project p05.
 * Where two projects fit, none is meant. */
#ifndef HM_LOOKUP_H
#define HM_LOOKUP_H
#include "core/base/str.h"
#include "core/store/store.h"

/* --- names --------------------------------------------------------------------- */

typedef enum {
  HM_NAME_PROJECT,
  HM_NAME_MEMORY_TYPE,
  HM_NAME_ENTITY_TYPE,
  HM_NAME_RELATION_TYPE,
  HM_NAME_KINDS
} hm_name_kind;

/* Is it the id or an alias of a declared project? Found by an index; other names of one:
 * hm_project_names. */
int hm_project_name_is_declared(hm_store *s, hm_str name, bool *declared, hm_err *err);
/* Ids and aliases of the declared projects, in a. */
int hm_names_of_projects(hm_store *s, hm_arena *a, hm_str **out, size_t *n, hm_err *err);
/* The names of a kind that rows of any status have, each once, sorted, in a; of projects also ids
 * and aliases of the declared ones. Reads all rows of the layers that have such names. */
int hm_names_all(hm_store *s, hm_name_kind kind, hm_arena *a, hm_str **out, size_t *n, hm_err *err);

/* Fails with HM_E_UNKNOWN, and the source that may be meant, where no row of any status has this
 * source (hm_sources_parse). Reads the sources of all rows. */
int hm_source_check_known(hm_store *s, hm_str source, hm_err *err);

/* --- projects ------------------------------------------------------------------- */

/* The first two that fit, in byte order; other: empty where one does. */
typedef struct { hm_str project, other; } hm_project_fit;
typedef struct {
  bool ready;                                       /* hm_project_names_init was called */
  hm_arena *a;
  hm_map by_fold;                                   /* folded word -> index into fits */
  hm_project_fit *fits; size_t n, cap;
} hm_project_names;

void hm_project_names_init(hm_project_names *names, hm_arena *a);
/* NULL: no project fits, or name is empty. */
const hm_project_fit *hm_project_names_find(const hm_project_names *names, hm_str name);
/* The project of a snapshot, declared or not, that a name means, by the same rules; HM_MAP_NONE:
 * none, or two, which *fit then has. */
uint32_t hm_snapshot_project(const hm_snapshot *snap, hm_str name, hm_arena *a,
                             hm_project_fit *fit);
/* Fails with HM_E_UNKNOWN: no project has this name, or, by what fits, two have. Returns -1. */
int hm_project_fail_unknown(hm_str name, const hm_project_fit *fit, hm_err *err);
/* Of all declared projects of the store; texts in a. Cost: that of the projects and aliases. */
int hm_project_names_read(hm_store *s, hm_arena *a, hm_project_names *out, hm_err *err);

/* The project that a name means: an id, else an alias, else the only one that fits when folded
 * or else a project that only rows name (all rows are searched for that).
 * HM_E_UNKNOWN, also where two fit. */
int hm_lookup_project(hm_store *s, hm_str name, hm_arena *a, hm_str *id, hm_err *err);
/* The id that a row's project is read as: of a declared one, by its id, an alias or folded, else
 * the name itself. Inside an open transaction. */
int hm_lookup_project_id(hm_store *s, hm_str name, hm_arena *a, hm_str *id, hm_err *err);
/* Does the table of projects have this id; has an alias it as its project? */
int hm_project_is_declared(hm_store *s, hm_str id, bool *declared, hm_err *err);
int hm_project_is_aliased(hm_store *s, hm_str id, bool *aliased, hm_err *err);

/* --- conflicts ------------------------------------------------------------------- */

/* Where a recorded conflict is. Texts live in the arena of the call. */
typedef struct { hm_str id, slot_key; } hm_conflict_place;

/* The conflict with this id. HM_E_UNKNOWN. */
int hm_lookup_conflict(hm_store *s, hm_str id, hm_arena *a, hm_conflict_place *out, hm_err *err);
/* Conflicts whose id begins so, by id, at most `max`. Inside an open transaction. */
int hm_lookup_conflicts_starting(hm_store *s, hm_str prefix, size_t max, hm_arena *a,
                                 hm_conflict_place **out, size_t *n, hm_err *err);
/* Conflicts with this status (NULL: any) of the project with this id (NULL: any), by slot key and
 * id. Reads the conflicts of that project; without one, as many as there are. */
int hm_lookup_conflicts(hm_store *s, const hm_verdict *status, const hm_str *project, hm_arena *a,
                        hm_conflict_place **out, size_t *n, hm_err *err);
/* How many recorded conflicts have each verdict; reads them all. */
int hm_store_count_verdicts(hm_store *s, int64_t counts[HM_N_VERDICTS], hm_err *err);
#endif
