/* The shapes of what goes in and comes out: bodies are checked by them, and the OpenAPI document is
 * written from them. */
#include <string.h>
#include "core/store/record_schema.h"
#include "gen/api/api_impl.h"

#define FIELDS(v) v, sizeof v / sizeof *v
#define BY { "by", "string?", true, "who decides; else the server's name for writers" }

#define ACTIONS "supersede_opponents|supersede_others|no_action?"

static const hm_shape_field RESOLVE[] = {
  { "resolution_notes", "string", false, "why" },
  { "winner_member_id", "string?", true, "a member that stands: its id, or kind:id" },
  { "action", ACTIONS, true,
    "supersede_opponents: what contradicts the winner gives way (absent: this, where a winner is "
    "named); supersede_others: every other member does" },
  { "scope", "whole_row|field_only?", true,
    "of a row that gives way and also says other things: needed where there is one" },
  { "link", "boolean", true, "with no_action: link the sides as contradicts" },
  BY,
};
static const hm_shape_field REASON[] = { { "reason", "string", false, "why" }, BY };
static const hm_shape BODIES[] = {
  { "Resolve", NULL, "How a conflict is resolved.", FIELDS(RESOLVE) },
  { "Dismiss", NULL, "Why it is no conflict.", FIELDS(REASON) },
  { "Reopen", NULL, "Why a verdict does not hold.", FIELDS(REASON) },
  { "Nothing", NULL, "No body is needed; an empty object will do.", NULL, 0 },
};
enum { N_BODIES = sizeof BODIES / sizeof *BODIES };

const hm_shape *hm_api_body_shape(const char *type) {
  for (size_t i = 0; i < N_BODIES; i++)
    if (strcmp(type + 1, BODIES[i].name) == 0) return &BODIES[i];
  return NULL;
}

static const hm_shape_field ERROR[] = { { "error", "#ErrorDetail", false, NULL } };
static const hm_shape_field ERROR_DETAIL[] = {
  { "code", "usage|input|unknown|state|busy|moved|store|output|internal", false, NULL },
  { "what", "string", false, "what could not be done or taken" },
  { "why", "string", false, "the cause" },
  { "fix", "string", false, "what to do" },
  { "field", "string?", false, "the member of the body, or parameter, at fault" },
};

static const hm_shape_field CONFLICT[] = {
  { "id", "string", false, NULL },
  { "status", "open|resolved|dismissed|merged", false, NULL },
  { "disputed", "boolean", false,
    "its claims disagree now; an open one that is not awaits sign-off" },
  { "since", "string?", false, "when its first two disagreeing claims both stood" },
  { "detected_at", "string", false, NULL },
  { "resolved_at", "string?", false, NULL },
  { "resolution", "string", false, "the reviewer's words" },
  { "action", ACTIONS, false, NULL },
  { "winner", "string?", false, "kind:id" },
  { "resolved_by", "string?", false, NULL },
  { "slot_kind", "string", false,
    "memory_slot, entity_slot, state_slot, cross_layer, or the kind of another rule" },
  { "slot_key", "[string]", false, "project and name of what is disputed" },
  { "project", "string", false, NULL },
  { "rule", "string", false, "name/version of the rule that saw it" },
  { "window", "[any]", false,
    "the contested time: when it began, null where that is not known, and when it ended, null while "
    "it has not" },
  { "scope", "whole_row|field_only", true,
    "what the verdict did to rows that also say other things" },
  { "merged_into", "string", true, "the conflict in which a merged one goes on" },
  { "members", "[#Member]", false, "by trust, highest first" },
};
static const hm_shape_field MEMBER[] = {
  { "member_kind", "memory|entity|project_state|relation", false, NULL },
  { "member_id", "string", false, NULL },
  { "member_layer_trust", "integer", false, "3 state, 2 entity, 1 memory" },
  { "field", "string", false, NULL },
  { "value", "string", false, "as written" },
  { "status", "candidate|active|superseded|invalid|graduated|other|missing", false, NULL },
  { "flagged", "boolean", false,
    "it contradicts a member of higher trust, and agrees with none of that trust" },
  { "conflicts_with", "string?", false, "that member, kind:id" },
  { "removed", "boolean", true, "the verdict took this field out of its row" },
  { "source_refs", "[any]", false, NULL },
};
static const hm_shape_field CONFLICTS[] = {
  { "conflicts", "[#Conflict]", false, NULL },
  { "count", "integer", false, "of all pages" },
  { "next", "string", true, "what to give as after for the next page; absent: there is none" },
};

static const hm_shape_field ROW[] = {
  { "conflicts", "[#Conflict]", false, "the open ones of which it is a member" },
};
static const hm_shape_field WRITTEN[] = {
  { "ref", "string", false, "kind:id" },
  { "dry_run", "boolean", false, "nothing was stored" },
  { "changed", "boolean", false, "false: it said this already" },
  { "conflict_id", "string?", false, "the first of conflicts" },
  { "conflicts", "[#Conflict]", false, "open and disputed, with the row as a member" },
  { "opened", "[string]", false, "conflicts that this write opened" },
  { "revived", "[string]", false,
    "open conflicts that awaited sign-off and that it made disputed again" },
  { "quieted", "[string]", false, "open conflicts that it left without a dispute" },
  { "warning", "string", true, "project state: its slot had an open conflict before this write" },
  { "warnings", "[string]", false, "that, and names that are new and may be mistyped" },
};

static const hm_shape_field HEALTH[] = {
  { "status", "string", false, "ok" },
  { "version", "string", false, NULL },
  { "open_conflicts_count", "integer", false, NULL },
  { "disputed_count", "integer", false, "those that still disagree" },
  { "signoff", "integer", false, "open ones that no longer do" },
  { "resolved", "integer", false, NULL },
  { "dismissed", "integer", false, NULL },
};

static const hm_shape_field VERDICT[] = {
  { "verb", "resolve|dismiss|reopen|supersede|restore", false, NULL },
  { "dry_run", "boolean", false, "nothing was stored" },
  { "conflict", "string?", false, NULL },
  { "slot_key", "[string]", true, NULL },
  { "status", "open|resolved|dismissed?", false, "of the conflict, after" },
  { "by", "string", false, NULL },
  { "at", "string", false, NULL },
  { "notes", "string", false, NULL },
  { "winner", "string?", false, NULL },
  { "action", ACTIONS, false, NULL },
  { "scope", "whole_row|field_only?", false, "as it was asked for" },
  { "changes", "[#RowChange]", false, NULL },
  { "left", "[#RowLeft]", false, "members that are not changed, and why" },
  { "opened", "[string]", false, "conflicts that the changes open" },
  { "revived", "[string]", false, "open conflicts that are disputed again" },
  { "quieted", "[string]", false, "other open conflicts that now await sign-off" },
  { "restorable", "[string]", false, "of a reopen: rows that the verdict superseded" },
  { "removed", "[#RowField]", false, "of a reopen: fields that the verdict took out of rows" },
  { "links", "[#Link]", false, "that were written" },
  { "withdrawn", "[#Withdrawal]", true, "of a dry run: what superseded rows say in other slots" },
  { "others", "[#Assertion]", true, "of a dry run: other rows that say a value that loses" },
  { "markers", "[#MarkerChange]", true, "of a dry run: pages that lose or gain a marker" },
};
static const hm_shape_field ROW_FIELD[] = {
  { "row", "string", false, NULL },
  { "field", "string", false, NULL },
};
static const hm_shape_field LINK[] = {
  { "src", "string", false, NULL },
  { "dst", "string", false, NULL },
  { "rel", "string", false, NULL },
};
static const hm_shape_field ROW_CHANGE[] = {
  { "row", "string", false, NULL },
  { "before", "string", false, NULL },
  { "after", "string", false, NULL },
};
static const hm_shape_field ROW_LEFT[] = {
  { "row", "string", false, NULL },
  { "why", "string", false, NULL },
};
static const hm_shape_field WITHDRAWAL[] = {
  { "row", "string", false, NULL },
  { "slot", "string", false, NULL },
  { "value", "string", false, NULL },
  { "alone", "boolean", false, "no row that stays active says the same there" },
};
static const hm_shape_field ASSERTION[] = {
  { "row", "string", false, NULL },
  { "status", "string", false, NULL },
  { "slot", "string", false, NULL },
  { "value", "string", false, NULL },
  { "elsewhere", "boolean", false, "in another slot whose name ends in the same word" },
};
static const hm_shape_field MARKER_CHANGE[] = {
  { "page", "string", false, NULL },
  { "conflict", "string", false, NULL },
  { "gained", "boolean", false, NULL },
};

static const hm_shape ANSWERS[] = {
  { "Error", NULL, "Why a request was refused.", FIELDS(ERROR) },
  { "ErrorDetail", NULL, "What, why, and what to do.", FIELDS(ERROR_DETAIL) },
  { "Conflict", NULL, "Claims on one slot that contradict each other.", FIELDS(CONFLICT) },
  { "Member", NULL, "One claim.", FIELDS(MEMBER) },
  { "Conflicts", NULL, "By slot key, then id.", FIELDS(CONFLICTS) },
  { "MemoryRow", "#Memory", "A memory and its conflicts.", FIELDS(ROW) },
  { "EntityRow", "#Entity", "An entity and its conflicts.", FIELDS(ROW) },
  { "StateRow", "#ProjectState", "A project state and its conflicts.", FIELDS(ROW) },
  { "MemoryWritten", "#Memory", "A memory as it is after the write.", FIELDS(WRITTEN) },
  { "EntityWritten", "#Entity", "An entity as it is after the write.", FIELDS(WRITTEN) },
  { "StateWritten", "#ProjectState", "A project state as it is after the write.", FIELDS(WRITTEN) },
  { "Health", NULL, "Whether somebody should look.", FIELDS(HEALTH) },
  { "Verdict", NULL, "What a verdict did, or would do.", FIELDS(VERDICT) },
  { "RowChange", NULL, "A row's status, or its field, before and after.", FIELDS(ROW_CHANGE) },
  { "RowField", NULL, "A field of a row.", FIELDS(ROW_FIELD) },
  { "Link", NULL, "A link between two rows.", FIELDS(LINK) },
  { "RowLeft", NULL, "A member that stays as it is.", FIELDS(ROW_LEFT) },
  { "Withdrawal", NULL, "What a superseded row says no more.", FIELDS(WITHDRAWAL) },
  { "Assertion", NULL, "Another row that says a value that loses.", FIELDS(ASSERTION) },
  { "MarkerChange", NULL, "A page that gains or loses the marker of a conflict.",
    FIELDS(MARKER_CHANGE) },
};

void hm_api_schemas(hm_jw *w) {
  static const struct { hm_layer layer; const char *stored, *new, *patch;
  } records[] = {
    { HM_MEMORY, "Memory", "NewMemory", "MemoryPatch" },
    { HM_ENTITY, "Entity", "NewEntity", "EntityPatch" },
    { HM_STATE, "ProjectState", "NewProjectState", NULL },
  };
  for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
    hm_record_schema(w, records[i].stored, records[i].layer, HM_SCHEMA_STORED);
    hm_record_schema(w, records[i].new, records[i].layer, HM_SCHEMA_NEW);
    if (records[i].patch) hm_record_schema(w, records[i].patch, records[i].layer, HM_SCHEMA_PATCH);
  }
  for (size_t i = 0; i < N_BODIES; i++) hm_shape_schema(w, &BODIES[i]);
  for (size_t i = 0; i < sizeof ANSWERS / sizeof *ANSWERS; i++) hm_shape_schema(w, &ANSWERS[i]);
}
