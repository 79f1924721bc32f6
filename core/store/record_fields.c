/* The table of fields of each kind of record, lookups of kinds and fields by name, and cells that
 * hold several texts (a project's aliases, a conflict's members and winners, its rule with the
 * version): from JSON and back, in one spelling whatever the order given. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/store/records_impl.h"

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
  { "via", "via", HM_F_TEXT, 0, NULL, NULL, HM_STORE_VIA_VERSION }

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
  [HM_K_PROPOSAL] = KIND_SINCE("proposal", "proposals", 'j', PROPOSAL, HM_STORE_JUDGE_VERSION),
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

hm_str hm_cell_text(const hm_kind *k, const hm_cell *cells, const char *name) {
  int i = hm_field_of_column(k, name);
  if (i < 0)
    i = hm_field_of_key(k, hm_str_c(name));
  return i >= 0 && cells[i].state == HM_CELL_TEXT ? cells[i].text : HM_EMPTY;
}

hm_cell hm_cell_default(const hm_record_field *f) {
  return f->dflt ? (hm_cell){ HM_CELL_TEXT, hm_str_c(f->dflt) }
                 : (hm_cell){ HM_CELL_NULL, HM_EMPTY };
}

/* --- cells that hold more than one text ------------------------------------------------------ */

static int bad(hm_err *err, const char *why, const char *fix) {
  return hm_fail(err, HM_E_INPUT, "", why, fix);
}

/* --- aliases --------------------------------------------------------------- */

hm_str hm_aliases_text(hm_str *list, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_strs_sort(list, n);
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (size_t i = 0; i < n; i++)
    if (!i || !hm_str_eq(list[i - 1], list[i]))
      hm_jw_str(&w, NULL, list[i]);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

int hm_aliases_to_cell(const hm_json *v, hm_str *out, hm_arena *a, hm_err *err) {
  static const char why[] = "must be an array of strings, none of them empty";
  if (v->type != HM_JSON_ARRAY)
    return bad(err, why, "");
  hm_str *list = hm_alloc_array(a, v->count, sizeof *list);
  size_t n = 0;
  for (const hm_json *e = v->child; e; e = e->next) {
    if (e->type != HM_JSON_STRING || !e->text.n)
      return bad(err, why, "");
    list[n++] = e->text;
  }
  *out = hm_aliases_text(list, n, a);
  return 0;
}

/* --- members --------------------------------------------------------------- */

static void put_text(hm_jw *w, const char *key, hm_str s) {
  if (s.n)
    hm_jw_str(w, key, s);
}

void hm_members_put(hm_jw *w, const hm_member_rec *list, size_t n, bool seen) {
  for (const hm_member_rec *m = list; m < list + n; m++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "member_kind", hm_str_c(hm_layer_name(m->layer)));
    hm_jw_str(w, "member_id", m->id);
    put_text(w, "field", m->field);
    put_text(w, "value", m->value);
    put_text(w, "normal", m->normal);
    if (seen) {
      hm_jw_bool(w, "flagged", m->flagged);
      put_text(w, "conflicts_with", m->conflicts_with);
      if (m->removed)
        hm_jw_bool(w, "removed", true);
    }
    hm_jw_end(w);
  }
}

hm_str hm_members_text(hm_member_rec *list, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  if (n)
    qsort(list, n, sizeof *list, hm_member_order);
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  hm_members_put(&w, list, n, true);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

static int read_member_field(const hm_json *v, hm_member_rec *m, hm_err *err) {
  const struct {
    const char *key;
    hm_str *text;
    bool *flag;
  } keys[] = {
    { "member_id", &m->id, NULL },    { "field", &m->field, NULL },
    { "value", &m->value, NULL },     { "normal", &m->normal, NULL },
    { "flagged", NULL, &m->flagged }, { "conflicts_with", &m->conflicts_with, NULL },
    { "removed", NULL, &m->removed },
  };
  if (hm_str_is(v->key, "member_kind")) {
    if (v->type == HM_JSON_STRING && hm_layer_parse(v->text, &m->layer))
      return 0;
    return bad(err, "member_kind: unknown", "use one of: memory, entity, project_state, relation");
  }
  for (size_t i = 0; i < HM_COUNT(keys); i++) {
    if (!hm_str_is(v->key, keys[i].key))
      continue;
    if (keys[i].flag)
      *keys[i].flag = v->type == HM_JSON_TRUE;
    else
      *keys[i].text = v->text;
    bool fits = keys[i].flag ? v->type == HM_JSON_TRUE || v->type == HM_JSON_FALSE
                             : v->type == HM_JSON_STRING || v->type == HM_JSON_NULL;
    if (fits)
      return 0;
    return hm_failf(err, HM_E_INPUT, "", "", "%s: must be %s", keys[i].key,
                    keys[i].flag ? "true or false" : "a string");
  }
  return hm_failf(err, HM_E_INPUT, "",
                  "known keys: member_kind, member_id, field, value, normal, flagged,"
                  " conflicts_with, removed",
                  "unknown key \"%.*s\" in a member", HM_FMT(hm_text_cut(v->key, 60)));
}

static int read_member(const hm_json *v, hm_member_rec *m, hm_err *err) {
  *m = (hm_member_rec){ .layer = 0,
                        .id = HM_EMPTY,
                        .field = HM_EMPTY,
                        .value = HM_EMPTY,
                        .normal = HM_EMPTY,
                        .conflicts_with = HM_EMPTY };
  if (v->type != HM_JSON_OBJECT)
    return bad(err, "each member must be an object", "");
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member_field(e, m, err))
      return -1;
  return m->layer && m->id.n ? 0 : bad(err, "a member lacks member_kind or member_id", "");
}

int hm_members_to_cell(const hm_json *v, hm_str *out, hm_arena *a, hm_err *err) {
  if (v->type != HM_JSON_ARRAY)
    return bad(err, "must be an array of objects", "");
  hm_member_rec *list = hm_alloc_array(a, v->count, sizeof *list);
  size_t n = 0;
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member(e, &list[n++], err))
      return -1;
  *out = hm_members_text(list, n, a);
  for (size_t i = 1; i < n; i++)
    if (!hm_member_order(&list[i - 1], &list[i]))
      return bad(err, "one field of one row is a member twice", "keep one of the two");
  return 0;
}

int hm_members_parse_cell(hm_str cell, hm_member_rec **out, size_t *n, hm_arena *a, hm_err *err) {
  hm_json *v;
  *out = NULL;
  *n = 0;
  if (!cell.n)
    return 0;
  if (hm_json_parse(a, cell, &v, err))
    return -1;
  *out = hm_alloc_array(a, v->count, sizeof **out);
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member(e, &(*out)[(*n)++], err))
      return -1;
  return 0;
}

/* --- winners --------------------------------------------------------------- */

int hm_winners_to_cell(const hm_json *v, hm_str *out, hm_arena *a, hm_err *err) {
  size_t n = 0;
  if (v->type != HM_JSON_STRING && (v->type != HM_JSON_ARRAY || !v->count))
    return hm_fail(err, HM_E_INPUT, "", "must be a row, as kind:id, or an array of rows", "");
  if (v->count > HM_WINNERS_MAX)
    return hm_failf(err, HM_E_INPUT, "", "", "names more than %d rows", HM_WINNERS_MAX);
  hm_str *refs = hm_alloc_array(a, v->count + 1, sizeof *refs);
  if (v->type == HM_JSON_STRING)
    refs[n++] = v->text;
  for (const hm_json *e = v->child; e; e = e->next) {
    if (e->type != HM_JSON_STRING || !e->text.n)
      return hm_fail(err, HM_E_INPUT, "", "must be an array of rows, as kind:id", "");
    refs[n++] = e->text;
  }
  *out = hm_winners_text(a, refs, n);
  for (size_t i = 1; i < n; i++)
    if (hm_str_eq(refs[i - 1], refs[i]))
      return hm_failf(err, HM_E_INPUT, "", "name it once", "names \"%.*s\" twice",
                      HM_FMT(hm_text_cut(refs[i], 60)));
  return 0;
}

/* --- rule and version --------------------------------------------------------- */

ptrdiff_t hm_rule_slash(hm_str s) {
  ptrdiff_t i = (ptrdiff_t)s.n;
  while (i > 0 && hm_is_digit(s.p[i - 1]))
    i--;
  size_t digits = s.n - (size_t)i;
  return i > 1 && s.p[i - 1] == '/' && digits && digits <= 9 ? i - 1 : -1;
}

int hm_rule_read(const hm_json *v, hm_str *out, hm_err *err) {
  *out = v->text;
  if (v->type == HM_JSON_STRING && hm_rule_slash(v->text) > 0)
    return 0;
  return bad(err, "must be a rule and its version", "write it like \"slot/1\"");
}
