/* The API's addresses, and what its document says of each. */
#include "gen/serve/api_impl.h"

#define FIELDS(v) v, sizeof v / sizeof *v

static const hm_shape_field LIST[] = {
  { "status", "open|resolved|dismissed|merged|all", true, "open where it is not given" },
  { "project", "string", true, "id or alias" },
  { "limit", "integer", true, "how many at most, from 1 to 1000; all where it is not given" },
  { "after", "string", true, "id of a conflict: those that stand after it; the next of the answer before" },
};
#define BY { "by", "string", true, "whom the journal names" }
#define NOTES { "notes", "string", true, "why, for the journal" }
static const hm_shape_field WRITE[] = { { "dry_run", "boolean", true, "do everything and store nothing" }, BY, NOTES };
static const hm_shape_field ADD[] = {
  { "dry_run", "boolean", true, "do everything and store nothing" }, BY, NOTES,
  { "supersedes", "string", true, "the row of that layer that gives way to this one: its id, or kind:id" },
};

static const hm_shape_field JUDGE[] = {
  { "dry_run", "boolean", true, "tell what would change and store nothing" },
  { "pages", "boolean", true, "with dry_run: tell the pages that would lose or gain a marker; takes as long as making them" },
  BY,
};

/* id, what it does, parameters, body, may it be left out, answer, does it create */
static const hm_route_doc
  list_conflicts = { "listConflicts", "Lists conflicts.", FIELDS(LIST), NULL, false, "#Conflicts", false },
  get_conflict = { "getConflict", "One conflict with all of its members.", NULL, 0, NULL, false, "#Conflict", false },
  resolve = { "resolveConflict", "Resolves an open conflict.", FIELDS(JUDGE), "#Resolve", false, "#Verdict", false },
  dismiss = { "dismissConflict", "Says that it is not a conflict.", FIELDS(JUDGE), "#Dismiss", false, "#Verdict", false },
  reopen = { "reopenConflict", "Opens a settled conflict again.", FIELDS(JUDGE), "#Reopen", false, "#Verdict", false },
  add_memory = { "addMemory", "Adds a memory.", FIELDS(ADD), "#NewMemory", false, "#MemoryWritten", true },
  get_memory = { "getMemory", "One memory.", NULL, 0, NULL, false, "#MemoryRow", false },
  edit_memory = { "editMemory", "Changes a memory.", FIELDS(WRITE), "#MemoryPatch", false, "#MemoryWritten", false },
  promote_memory = { "promoteMemory", "Makes a candidate active.", FIELDS(WRITE), "#Nothing", true, "#MemoryWritten", false },
  graduate = { "graduateMemory", "Makes an entity of a memory.", FIELDS(WRITE), "#NewEntity", false, "#EntityWritten", true },
  add_entity = { "addEntity", "Adds an entity.", FIELDS(ADD), "#NewEntity", false, "#EntityWritten", true },
  get_entity = { "getEntity", "One entity.", NULL, 0, NULL, false, "#EntityRow", false },
  edit_entity = { "editEntity", "Changes an entity.", FIELDS(WRITE), "#EntityPatch", false, "#EntityWritten", false },
  promote_entity = { "promoteEntity", "Makes a candidate active.", FIELDS(WRITE), "#Nothing", true, "#EntityWritten", false },
  add_state = { "addProjectState", "Curates trusted state.", FIELDS(ADD), "#NewProjectState", false, "#StateWritten", true },
  get_state = { "getProjectState", "One row of project state.", NULL, 0, NULL, false, "#StateRow", false },
  health = { "getHealth", "Whether somebody should look.", NULL, 0, NULL, false, "#Health", false },
  document = { "getOpenapi", "This document.", NULL, 0, NULL, false, "any", false };

const hm_route hm_api_table[] = {
  { "/conflicts", HM_GET, HM_TAKES_NOTHING, hm_api_list_conflicts, &list_conflicts },
  { "/conflicts/{id}", HM_GET, HM_TAKES_NOTHING, hm_api_get_conflict, &get_conflict },
  { "/conflicts/{id}/dismiss", HM_POST, HM_TAKES_JSON, hm_api_dismiss, &dismiss },
  { "/conflicts/{id}/reopen", HM_POST, HM_TAKES_JSON, hm_api_reopen, &reopen },
  { "/conflicts/{id}/resolve", HM_POST, HM_TAKES_JSON, hm_api_resolve, &resolve },
  { "/entities", HM_POST, HM_TAKES_JSON, hm_api_add_entity, &add_entity },
  { "/entities/{id}", HM_PATCH, HM_TAKES_JSON, hm_api_edit_entity, &edit_entity },
  { "/entities/{id}/promote", HM_POST, HM_TAKES_JSON, hm_api_promote_entity, &promote_entity },
  { "/entities/{type}/{id}", HM_GET, HM_TAKES_NOTHING, hm_api_get_entity, &get_entity },
  { "/health", HM_GET, HM_TAKES_NOTHING, hm_api_health, &health },
  { "/memory", HM_POST, HM_TAKES_JSON, hm_api_add_memory, &add_memory },
  { "/memory/{id}", HM_GET, HM_TAKES_NOTHING, hm_api_get_memory, &get_memory },
  { "/memory/{id}", HM_PATCH, HM_TAKES_JSON, hm_api_edit_memory, &edit_memory },
  { "/memory/{id}/graduate", HM_POST, HM_TAKES_JSON, hm_api_graduate, &graduate },
  { "/memory/{id}/promote", HM_POST, HM_TAKES_JSON, hm_api_promote_memory, &promote_memory },
  { "/openapi.json", HM_GET, HM_TAKES_NOTHING, hm_api_document, &document },
  { "/project/state", HM_POST, HM_TAKES_JSON, hm_api_add_state, &add_state },
  { "/project/state/{id}", HM_GET, HM_TAKES_NOTHING, hm_api_get_state, &get_state },
};
const size_t hm_api_table_size = sizeof hm_api_table / sizeof *hm_api_table;
