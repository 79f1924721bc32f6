/* The kinds of records and their fields, as tables; both by name; and errors that name the place of
 * a record. */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/foreign/record.h"

static const char *const STATUS[] = { "candidate", "active",    "superseded",
                                      "invalid",   "graduated", NULL };
static const char *const VERDICT[] = { "open", "resolved", "dismissed", "merged", NULL };
static const char *const ACTION[] = { "supersede_opponents", "supersede_others", "no_action",
                                      NULL };
static const char *const SCOPE[] = { "whole_row", "field_only", NULL };

static const char *const ACKNOWLEDGED[] = { "acknowledged", "withdrawn", NULL };
static const char *const FLAGGED[] = { "flagged", "withdrawn", NULL };
#define ID(name)                                                                                   \
  { name, name, HM_F_TEXT, HM_F_KEY | HM_F_REQUIRED, NULL, NULL, 0 }
#define TEXT(name)                                                                                 \
  { name, name, HM_F_TEXT, 0, NULL, NULL, 0 }
#define NEEDED(name)                                                                               \
  { name, name, HM_F_TEXT, HM_F_REQUIRED, NULL, NULL, 0 }
#define TEXT_OR(name, dflt)                                                                        \
  { name, name, HM_F_TEXT, 0, dflt, NULL, 0 }
#define COLUMN(name, type)                                                                         \
  { name, name, type, 0, NULL, NULL, 0 }
#define SINCE_3(name, type, dflt)                                                                  \
  { name, name, type, 0, dflt, NULL, 3 }
#define TIME(name) COLUMN(name, HM_F_TIME)
#define ROW_STATUS                                                                                 \
  { "status", "status", HM_F_CHOICE, 0, "active", STATUS, 0 }
#define WINDOW COLUMN("valid_from", HM_F_BOUND), COLUMN("valid_until", HM_F_BOUND)
#define SUPERSEDED TEXT("superseded_by"), TIME("superseded_at")
#define WRITTEN TIME("created_at"), TIME("updated_at")
#define VIA                                                                                        \
  { "via", "via", HM_F_TEXT, 0, NULL, NULL, 8 }

static const hm_record_field PROJECT[] = {
  ID("id"), TEXT("name"), { "aliases", NULL, HM_F_ALIASES, 0, NULL, NULL, 0 }, TEXT("description"),
  WRITTEN,
};

static const hm_record_field MEMORY[] = {
  ID("id"),
  NEEDED("memory_type"),
  NEEDED("content"),
  TEXT_OR("project", ""),
  ROW_STATUS,
  COLUMN("confidence", HM_F_UNIT),
  COLUMN("importance", HM_F_UNIT),
  COLUMN("polarity", HM_F_SIGN),
  TEXT("scope"),
  TEXT("agent"),
  TEXT("slot_rule"),
  COLUMN("tags", HM_F_STRINGS),
  COLUMN("source_refs", HM_F_STRINGS),
  WINDOW,
  SUPERSEDED,
  TEXT("graduated_to"),
  WRITTEN,
  TIME("last_accessed_at"),
  VIA,
};

static const hm_record_field ENTITY[] = {
  ID("id"),
  NEEDED("entity_type"),
  NEEDED("name"),
  TEXT_OR("project", ""),
  TEXT("description"),
  COLUMN("properties", HM_F_OBJECT),
  ROW_STATUS,
  COLUMN("confidence", HM_F_UNIT),
  COLUMN("source_refs", HM_F_STRINGS),
  COLUMN("hand_authored", HM_F_BOOL),
  WINDOW,
  SUPERSEDED,
  WRITTEN,
  VIA,
};

static const hm_record_field STATE[] = {
  ID("id"),
  TEXT_OR("project", ""),
  TEXT_OR("category", ""),
  NEEDED("key"),
  { "value", "value", HM_F_VALUE, HM_F_REQUIRED, NULL, NULL, 0 },
  { NULL, "value_kind", HM_F_VALUE_KIND, 0, "text", NULL, 0 },
  ROW_STATUS,
  TEXT("source"),
  COLUMN("confidence", HM_F_UNIT),
  WINDOW,
  SUPERSEDED,
  WRITTEN,
};

static const hm_record_field RELATION[] = {
  ID("id"),
  NEEDED("type"),
  TEXT_OR("project", ""),
  { "from", "from_id", HM_F_TEXT, HM_F_REQUIRED, NULL, NULL, 0 },
  { "to", "to_id", HM_F_TEXT, HM_F_REQUIRED, NULL, NULL, 0 },
  COLUMN("properties", HM_F_OBJECT),
  ROW_STATUS,
  COLUMN("confidence", HM_F_UNIT),
  COLUMN("source_refs", HM_F_STRINGS),
  WINDOW,
  SUPERSEDED,
  WRITTEN,
};

static const hm_record_field LINK[] = {
  ID("src"),
  ID("dst"),
  { "rel", "rel", HM_F_TEXT, HM_F_KEY, "related", NULL, 0 },
};

static const hm_record_field CONFLICT[] = {
  ID("id"),
  { "status", "status", HM_F_CHOICE, 0, "open", VERDICT, 0 },
  TEXT_OR("slot_kind", "cross_layer"),
  { "slot_key", "slot_key", HM_F_SLOT_KEY, HM_F_REQUIRED, NULL, NULL, 0 },
  TEXT_OR("project", ""),
  { "rule", NULL, HM_F_RULE, 0, "slot/1", NULL, 0 },
  { "detected_at", "detected_at", HM_F_TIME, HM_F_REQUIRED, NULL, NULL, 0 },
  TIME("resolved_at"),
  TEXT("resolution"),
  { "action", "action", HM_F_CHOICE, 0, NULL, ACTION, 0 },
  COLUMN("winner", HM_F_WINNERS),
  TEXT("resolved_by"),
  { "scope", "scope", HM_F_CHOICE, 0, NULL, SCOPE, 3 },
  SINCE_3("anchor", HM_F_TEXT, ""),
  SINCE_3("merged_into", HM_F_TEXT, NULL),
  SINCE_3("window_from", HM_F_BOUND, NULL),
  SINCE_3("window_until", HM_F_BOUND, NULL),
  { "winner_source", "winner_source", HM_F_TEXT, 0, NULL, NULL, 11 },
  { "members", NULL, HM_F_MEMBERS, 0, NULL, NULL, 0 },
};

#define SAID                                                                                       \
  TEXT("reason"), { "by", "actor", HM_F_TEXT, 0, NULL, NULL, 0 }, TIME("at"),                      \
      COLUMN("replaces", HM_F_STRINGS)
static const hm_record_field ACKNOWLEDGEMENT[] = {
  ID("id"),
  NEEDED("finding"),
  TEXT_OR("evidence", ""),
  { "status", "status", HM_F_CHOICE, 0, "acknowledged", ACKNOWLEDGED, 0 },
  TEXT("rule"),
  { "rows", "about", HM_F_STRINGS, 0, NULL, NULL, 0 },
  SAID,
};

static const hm_record_field FLAG[] = {
  ID("id"),
  { "row", "subject", HM_F_TEXT, HM_F_REQUIRED, NULL, NULL, 0 },
  { "status", "status", HM_F_CHOICE, 0, "flagged", FLAGGED, 0 },
  SAID,
};

static const hm_record_field PROPOSAL[] = {
  ID("id"),
  { "rows", "members", HM_F_STRINGS, HM_F_REQUIRED, NULL, NULL, 0 },
  { "digests", "digests", HM_F_STRINGS, HM_F_REQUIRED, NULL, NULL, 0 },
  NEEDED("question"),
  TEXT("model"),
  { "by", "actor", HM_F_TEXT, 0, NULL, NULL, 0 },
  TIME("at"),
  { "says", "says", HM_F_TEXT, 0, NULL, NULL, 15 },
  { "why", "why", HM_F_TEXT, 0, NULL, NULL, 15 },
  { "via", "via", HM_F_TEXT, 0, NULL, NULL, 15 },
};

/* What a source says of a row (core/record/evidence.h). */
static const hm_record_field EVIDENCE[] = {
  { "row", "ref", HM_F_TEXT, HM_F_KEY | HM_F_REQUIRED, NULL, NULL, 0 },
  { "source", "source", HM_F_TEXT, HM_F_KEY, "", NULL, 0 },
  TIME("at"),
  COLUMN("record", HM_F_OBJECT),
  COLUMN("history", HM_F_OBJECT),
};

#define KIND(name, table, letter, fields) KIND_SINCE(name, table, letter, fields, 0)
#define KIND_SINCE(name, table, letter, fields, since)                                             \
  { name, table, letter, HM_COUNT(fields), fields, since }
const hm_kind hm_kinds[HM_N_KINDS] = {
  [HM_K_PROJECT] = KIND("project", "projects", 0, PROJECT),
  [HM_K_MEMORY] = KIND("memory", "memories", 'm', MEMORY),
  [HM_K_ENTITY] = KIND("entity", "entities", 'e', ENTITY),
  [HM_K_STATE] = KIND("project_state", "project_state", 's', STATE),
  [HM_K_RELATION] = KIND("relation", "relations", 'r', RELATION),
  [HM_K_LINK] = KIND("link", "links", 0, LINK),
  [HM_K_CONFLICT] = KIND("conflict", "conflicts", 0, CONFLICT),
  [HM_K_ACKNOWLEDGEMENT] =
      KIND_SINCE("acknowledgement", "acknowledgements", 'a', ACKNOWLEDGEMENT, 5),
  [HM_K_FLAG] = KIND_SINCE("flag", "flags", 'f', FLAG, 5),
  [HM_K_PROPOSAL] = KIND_SINCE("proposal", "proposals", 'j', PROPOSAL, 7),
  [HM_K_EVIDENCE] = KIND_SINCE("evidence", "evidence", 0, EVIDENCE, 11),
};

/* --- by name ----------------------------------------------------------------------- */

bool hm_kind_is_statement(hm_kind_index k) {
  return k == HM_K_ACKNOWLEDGEMENT || k == HM_K_FLAG || k == HM_K_PROPOSAL;
}

hm_kind_index hm_kind_find(hm_str name) {
  int k = 0;
  while (k < HM_N_KINDS && !hm_str_is(name, hm_kinds[k].name))
    k++;
  return (hm_kind_index)k;
}

hm_kind_index hm_kind_parse_ref(hm_str ref, hm_str *id) {
  ptrdiff_t colon = hm_str_find(ref, ":");
  if (colon < 0)
    return HM_N_KINDS;
  hm_kind_index k = hm_kind_find(hm_str_sub(ref, 0, (size_t)colon));
  *id = hm_str_sub(ref, (size_t)colon + 1, ref.n);
  return k == HM_K_LINK ? HM_N_KINDS : k;
}

int hm_field_of_key(const hm_kind *k, hm_str key) {
  for (int i = 0; i < k->n; i++)
    if (k->fields[i].key && hm_str_is(key, k->fields[i].key))
      return i;
  return -1;
}

int hm_field_of_column(const hm_kind *k, const char *column) {
  for (int i = 0; i < k->n; i++)
    if (k->fields[i].column && !strcmp(column, k->fields[i].column))
      return i;
  return -1;
}

/* --- errors ---------------------------------------------------------------------------- */

int hm_record_error(const hm_record_place *p, hm_str field) {
  hm_err *e = p->err;
  if (!e)
    return -1;
  /* hm_err_within cleans texts from facts. */
  e->what[0] = 0;
  field = hm_text_cut(field, 80);
  char line[96] = "";
  if (p->number)
    snprintf(line, sizeof line, ":%lld", (long long)p->number);
  if (p->number && e->at && p->of_table)
    snprintf(line, sizeof line, ":%lld: column %zu", (long long)p->number, e->at);
  else if (p->number && e->at && p->text.n) {
    size_t column = 1; /* in characters, as editors count */
    for (size_t i = 0; i < p->text.n && i + 1 < e->at; column++)
      hm_text_next(p->text, &i);
    snprintf(line, sizeof line, ":%lld:%zu", (long long)p->number, column);
  }
  if (field.n)
    hm_err_within(e, "%.400s%s: %.*s", p->name, line, HM_FMT(field));
  else
    hm_err_within(e, "%.400s%s", p->name, line);
  return hm_err_at_field(e, field);
}

int hm_record_bad(const hm_record_place *p, const char *field, const char *why, const char *fix) {
  hm_fail(p->err, HM_E_INPUT, "", why, fix);
  return hm_record_error(p, hm_str_c(field));
}
