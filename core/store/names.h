/* Names that rows have for projects and types. */
#ifndef HM_NAMES_H
#define HM_NAMES_H
#include "core/store/store.h"

typedef enum {
  HM_NAME_PROJECT,
  HM_NAME_MEMORY_TYPE,
  HM_NAME_ENTITY_TYPE,
  HM_NAME_RELATION_TYPE,
  HM_NAME_KINDS
} hm_name_kind;

/* Is it the id or an alias of a declared project? Found by an index; other names of one:
 * project_names.h. */
int hm_names_declared(hm_store *s, hm_str name, bool *declared, hm_err *err);
/* Ids and aliases of the declared projects, in a. */
int hm_names_of_projects(hm_store *s, hm_arena *a, hm_str **out, size_t *n, hm_err *err);
/* The names of a kind that rows of any status have, each once, sorted, in a; of projects also ids
 * and aliases of the declared ones. Reads all rows of the layers that have such names. */
int hm_names_all(hm_store *s, hm_name_kind kind, hm_arena *a, hm_str **out, size_t *n, hm_err *err);
#endif
