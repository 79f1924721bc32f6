#include "core/store/fields.h"

static const char *const STATUS[] = { "candidate", "active",    "superseded",
                                      "invalid",   "graduated", NULL };
static const char *const VERDICT[] = { "open", "resolved", "dismissed", "merged", NULL };
static const char *const ACTION[] = { "supersede_opponents", "supersede_others", "no_action",
                                      NULL };
static const char *const SCOPE[] = { "whole_row", "field_only", NULL };

#define ID(name)       { name, name, HM_F_TEXT, HM_F_KEY | HM_F_REQUIRED, NULL, NULL, 0 }
#define TEXT(name)     { name, name, HM_F_TEXT, 0, NULL, NULL, 0 }
#define NEEDED(name)   { name, name, HM_F_TEXT, HM_F_REQUIRED, NULL, NULL, 0 }
#define TEXT_OR(name, dflt) { name, name, HM_F_TEXT, 0, dflt, NULL, 0 }
#define COLUMN(name, type)  { name, name, type, 0, NULL, NULL, 0 }
#define SINCE_3(name, type, dflt) { name, name, type, 0, dflt, NULL, 3 }
#define TIME(name)     COLUMN(name, HM_F_TIME)
#define ROW_STATUS     { "status", "status", HM_F_CHOICE, 0, "active", STATUS, 0 }
#define WINDOW         TIME("valid_from"), TIME("valid_until")
#define SUPERSEDED     TEXT("superseded_by"), TIME("superseded_at")
#define WRITTEN        TIME("created_at"), TIME("updated_at")

static const hm_field PROJECT[] = {
  ID("id"), TEXT("name"), { "aliases", NULL, HM_F_ALIASES, 0, NULL, NULL, 0 }, TEXT("description"),
  WRITTEN,
};

static const hm_field MEMORY[] = {
  ID("id"), NEEDED("memory_type"), NEEDED("content"), TEXT_OR("project", ""), ROW_STATUS,
  COLUMN("confidence", HM_F_UNIT), COLUMN("importance", HM_F_UNIT), COLUMN("polarity", HM_F_SIGN),
  TEXT("scope"), TEXT("agent"), TEXT("slot_rule"), COLUMN("tags", HM_F_STRINGS),
  COLUMN("source_refs", HM_F_STRINGS),
  WINDOW, SUPERSEDED, TEXT("graduated_to"), WRITTEN, TIME("last_accessed_at"),
};

static const hm_field ENTITY[] = {
  ID("id"), NEEDED("entity_type"), NEEDED("name"), TEXT_OR("project", ""), TEXT("description"),
  COLUMN("properties", HM_F_OBJECT), ROW_STATUS, COLUMN("confidence", HM_F_UNIT),
  COLUMN("source_refs", HM_F_STRINGS),
  COLUMN("hand_authored", HM_F_BOOL), WINDOW, SUPERSEDED, WRITTEN,
};

static const hm_field STATE[] = {
  ID("id"), TEXT_OR("project", ""), TEXT_OR("category", ""), NEEDED("key"),
  { "value", "value", HM_F_VALUE, HM_F_REQUIRED, NULL, NULL, 0 },
  { NULL, "value_kind", HM_F_VALUE_KIND, 0, "text", NULL, 0 },
  ROW_STATUS, TEXT("source"), COLUMN("confidence", HM_F_UNIT), WINDOW, SUPERSEDED, WRITTEN,
};

static const hm_field RELATION[] = {
  ID("id"), NEEDED("type"), TEXT_OR("project", ""),
  { "from", "from_id", HM_F_TEXT, HM_F_REQUIRED, NULL, NULL, 0 },
  { "to", "to_id", HM_F_TEXT, HM_F_REQUIRED, NULL, NULL, 0 },
  COLUMN("properties", HM_F_OBJECT), ROW_STATUS, COLUMN("confidence", HM_F_UNIT),
  COLUMN("source_refs", HM_F_STRINGS),
  WINDOW, SUPERSEDED, WRITTEN,
};

static const hm_field LINK[] = {
  ID("src"), ID("dst"), { "rel", "rel", HM_F_TEXT, HM_F_KEY, "related", NULL, 0 },
};

static const hm_field CONFLICT[] = {
  ID("id"), { "status", "status", HM_F_CHOICE, 0, "open", VERDICT, 0 },
  TEXT_OR("slot_kind", "cross_layer"),
  { "slot_key", "slot_key", HM_F_SLOT_KEY, HM_F_REQUIRED, NULL, NULL, 0 }, TEXT_OR("project", ""),
  { "rule", NULL, HM_F_RULE, 0, "slot/1", NULL, 0 },
  { "detected_at", "detected_at", HM_F_TIME, HM_F_REQUIRED, NULL, NULL, 0 }, TIME("resolved_at"),
  TEXT("resolution"),
  { "action", "action", HM_F_CHOICE, 0, NULL, ACTION, 0 }, TEXT("winner"), TEXT("resolved_by"),
  { "scope", "scope", HM_F_CHOICE, 0, NULL, SCOPE, 3 },
  SINCE_3("anchor", HM_F_TEXT, ""), SINCE_3("merged_into", HM_F_TEXT, NULL),
  SINCE_3("window_from", HM_F_TIME, NULL), SINCE_3("window_until", HM_F_TIME, NULL),
  { "members", NULL, HM_F_MEMBERS, 0, NULL, NULL, 0 },
};

#define KIND(name, table, letter, fields)                                                          \
  { name, table, letter, sizeof fields / sizeof *fields, fields }
const hm_kind hm_kinds[HM_N_KINDS] = {
  [HM_K_PROJECT] = KIND("project", "projects", 0, PROJECT),
  [HM_K_MEMORY] = KIND("memory", "memories", 'm', MEMORY),
  [HM_K_ENTITY] = KIND("entity", "entities", 'e', ENTITY),
  [HM_K_STATE] = KIND("project_state", "project_state", 's', STATE),
  [HM_K_RELATION] = KIND("relation", "relations", 'r', RELATION),
  [HM_K_LINK] = KIND("link", "links", 0, LINK),
  [HM_K_CONFLICT] = KIND("conflict", "conflicts", 0, CONFLICT),
};

hm_kind_index hm_kind_of(hm_str name) {
  int k = 0;
  while (k < HM_N_KINDS && !hm_str_is(name, hm_kinds[k].name)) k++;
  return (hm_kind_index)k;
}

int hm_field_of_key(const hm_kind *k, hm_str key) {
  for (int i = 0; i < k->n; i++)
    if (k->fields[i].key && hm_str_is(key, k->fields[i].key)) return i;
  return -1;
}

int hm_field_of_column(const hm_kind *k, hm_str column) {
  for (int i = 0; i < k->n; i++)
    if (k->fields[i].column && hm_str_is(column, k->fields[i].column)) return i;
  return -1;
}
