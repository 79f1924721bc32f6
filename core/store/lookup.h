/* Small questions to the store, each answered by an index where nothing else is said: what a server
 * asks for every request. Inside an open transaction, or each in one of its own. */
#ifndef HM_LOOKUP_H
#define HM_LOOKUP_H
#include "core/store/store.h"

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
/* The project that a name means: an id, else an alias, else the only one that fits when folded
 * (project_names.h), else a project that only rows name (all rows are looked through for that).
 * HM_E_UNKNOWN, also where two fit. */
int hm_lookup_project(hm_store *s, hm_str name, hm_arena *a, hm_str *id, hm_err *err);
/* The id that a row's project is read as: of a declared one, by its id, an alias or folded, else
 * the name itself. Inside an open transaction. */
int hm_lookup_project_id(hm_store *s, hm_str name, hm_arena *a, hm_str *id, hm_err *err);
/* Does the table of projects have this id; has an alias it as its project? */
int hm_lookup_declared(hm_store *s, hm_str id, bool *declared, hm_err *err);
int hm_lookup_aliased(hm_store *s, hm_str id, bool *aliased, hm_err *err);
/* How many recorded conflicts have each verdict; reads them all. */
int hm_lookup_verdicts(hm_store *s, int64_t counts[HM_N_VERDICTS], hm_err *err);
#endif
