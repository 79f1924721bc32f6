/* Lookups in the store: what a name means, which conflicts there are, how many. Each uses an index
 * unless it says otherwise, and the open transaction, else its own.
 *
 * A name that is neither the id of a declared project nor an alias is folded and compared with the
 * ids, aliases and names of all declared projects: `P05` and "Interferometer" mean the project p05.
 * If two projects fit, it means neither. */
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

/* Is it the id or an alias of a declared project? Does not look at other names; see
 * hm_project_names. */
int hm_project_name_is_declared(hm_store *s, hm_str name, bool *declared, hm_err *err);
/* The distinct names of a kind in rows of any status, sorted, in a; for projects also ids and
 * aliases of the declared ones. Reads all rows of the layers with such names. */
int hm_names_all(hm_store *s, hm_name_kind kind, hm_arena *a, hm_str **out, size_t *n, hm_err *err);

/* The rows of any status that are of this source: that write it (hm_sources_parse), whose agent it
 * is, or that came in with it; as keys "kind:id" of refs, which is made in a. Fails with
 * HM_E_UNKNOWN, suggesting a similar source, if there is none. Reads the sources of all rows. */
int hm_source_rows(hm_store *s, hm_str source, hm_arena *a, hm_map *refs, hm_err *err);

/* --- projects ------------------------------------------------------------------- */

/* The first two projects that fit, in byte order; other: empty if only one does. */
typedef struct {
  hm_str project, other;
} hm_project_fit;
typedef struct {
  bool ready; /* hm_project_names_init was called */
  hm_arena *a;
  hm_map by_fold; /* folded word -> index into fits */
  hm_project_fit *fits;
  size_t n, cap;
} hm_project_names;

void hm_project_names_init(hm_project_names *names, hm_arena *a);
/* Returns NULL if no project fits or name is empty. */
const hm_project_fit *hm_project_names_find(const hm_project_names *names, hm_str name);
/* The project of a snapshot, declared or not, that a name means, by the same rules. HM_MAP_NONE:
 * none fits, or two do, which are in *fit. */
uint32_t hm_snapshot_project(const hm_snapshot *snap, hm_str name, hm_arena *a,
                             hm_project_fit *fit);
/* Sets HM_E_UNKNOWN: no project has this name, or two fit (fit). Returns -1. */
int hm_project_fail_unknown(hm_str name, const hm_project_fit *fit, hm_err *err);
/* Reads the names of all declared projects; texts in a. Cost: reads the tables of projects and
 * aliases. */
int hm_project_names_read(hm_store *s, hm_arena *a, hm_project_names *out, hm_err *err);

/* The project that a name means: by id, else by alias, else the only one that fits when folded,
 * else a project that only rows name (searches all rows). HM_E_UNKNOWN: none, or two fit. */
int hm_lookup_project(hm_store *s, hm_str name, hm_arena *a, hm_str *id, hm_err *err);
/* The id that a snapshot gives to the project that a row names: of the declared project with this
 * id, alias or folded name, else the name itself. Call inside a transaction. */
int hm_lookup_project_id(hm_store *s, hm_str name, hm_arena *a, hm_str *id, hm_err *err);

/* --- conflicts ------------------------------------------------------------------- */

/* Where a recorded conflict is. Texts live in the arena of the call. */
typedef struct {
  hm_str id, slot_key;
} hm_conflict_place;

/* The conflict with this id. HM_E_UNKNOWN. */
int hm_lookup_conflict(hm_store *s, hm_str id, hm_arena *a, hm_conflict_place *out, hm_err *err);
/* A conflict that a row is, or was, a member of. */
typedef struct {
  hm_str id, slot_key;
  hm_verdict status;
} hm_membership;
/* The memberships of a row, by slot key and id; in a. */
int hm_store_memberships(hm_store *s, hm_layer layer, hm_str id, hm_arena *a, hm_membership **out,
                         size_t *n, hm_err *err);
/* Counts the recorded conflicts by verdict. Reads them all. */
int hm_store_count_verdicts(hm_store *s, int64_t counts[HM_N_VERDICTS], hm_err *err);
#endif
