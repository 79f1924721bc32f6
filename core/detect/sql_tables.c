/* The tables of rules in SQL: the rows of a snapshot, column by column.
 *
 * The four layers, and `rows` with all of them, are parts of one array. References are "kind:id"
 * even if stored otherwise; from_id and to_id have the bare id of an entity, to join with
 * entities.id. Absent texts are NULL. The four bounds of a window are integers, so that times of
 * one world compare by < and =; they depend on now, and for a relation without an end on when its
 * ends existed, as for the built-in rules.
 * Cost: a cell is computed when it is read, and so is a bound (core/claim/world.h). */
#include "core/detect/sql_tables.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/claim/slot.h"
#include "core/detect/conflict.h"

enum {
  C_REF,
  C_KIND,
  C_ID,
  C_TYPE,
  C_NAME,
  C_TEXT,
  C_PROJECT,
  C_STATUS,
  C_PROPS,
  C_FROM,
  C_TO,
  C_FROM_ID,
  C_TO_ID,
  C_VALID_FROM,
  C_VALID_UNTIL,
  C_CERTAIN_FROM, /* these four as hm_sql_bound */
  C_CERTAIN_UNTIL,
  C_POSSIBLE_FROM,
  C_POSSIBLE_UNTIL,
  C_WORLD,
  C_CREATED,
  C_UPDATED,
  C_SUPERSEDED_BY,
  C_GRADUATED_TO,
  C_SOURCES,
  C_SOURCE_REFS,
  C_TAGS,
  C_CONFIDENCE,
  C_GONE,
  C_SCOPE,
  C_AGENT,
  C_HAND,
  C_RULE,
  C_SLOT,
  C_CONFLICT,
  C_FIELD,
  C_VALUE,
  C_FLAGGED,
  C_AGAINST,
  C_SEVERITY,
  C_SRC,
  C_DST,
  C_REL,
  C_DESCRIPTION,
  C_EXISTED_FROM,
  C_EXISTED_UNTIL
};

typedef hm_sandbox_column column;
#define TEXT(name, is)                                                                             \
  { name, HM_COLUMN_TEXT, false, is }
#define KEY(name, is)                                                                              \
  { name, HM_COLUMN_TEXT, true, is }
#define TYPE(name, is)                                                                             \
  { name, HM_COLUMN_TYPE, true, is }
#define NUMBER(name, is)                                                                           \
  { name, HM_COLUMN_NUMBER, false, is }
#define OF_ALL                                                                                     \
  KEY("ref", C_REF), KEY("id", C_ID), TYPE("type", C_TYPE), KEY("project", C_PROJECT),             \
      TEXT("status", C_STATUS), TEXT("valid_from", C_VALID_FROM),                                  \
      TEXT("valid_until", C_VALID_UNTIL), NUMBER("certain_from", C_CERTAIN_FROM),                  \
      NUMBER("certain_until", C_CERTAIN_UNTIL), NUMBER("possible_from", C_POSSIBLE_FROM),          \
      NUMBER("possible_until", C_POSSIBLE_UNTIL), TEXT("world", C_WORLD),                          \
      TEXT("created_at", C_CREATED), TEXT("updated_at", C_UPDATED),                                \
      KEY("superseded_by", C_SUPERSEDED_BY), NUMBER("sources", C_SOURCES),                         \
      TEXT("source_refs", C_SOURCE_REFS), NUMBER("confidence", C_CONFIDENCE),                      \
      NUMBER("gone", C_GONE)

static const column MEMORIES[] = { OF_ALL,
                                   TEXT("content", C_TEXT),
                                   TEXT("scope", C_SCOPE),
                                   TEXT("agent", C_AGENT),
                                   TEXT("tags", C_TAGS),
                                   KEY("graduated_to", C_GRADUATED_TO) };
static const column ENTITIES[] = { OF_ALL,
                                   KEY("name", C_NAME),
                                   TEXT("description", C_TEXT),
                                   TEXT("properties", C_PROPS),
                                   NUMBER("hand_authored", C_HAND),
                                   TEXT("existed_from", C_EXISTED_FROM),
                                   TEXT("existed_until", C_EXISTED_UNTIL) };
static const column STATES[] = { OF_ALL, TYPE("category", C_TYPE), KEY("key", C_NAME),
                                 TEXT("value", C_TEXT) };
static const column RELATIONS[] = { OF_ALL,
                                    KEY("from_id", C_FROM_ID),
                                    KEY("to_id", C_TO_ID),
                                    KEY("from_ref", C_FROM),
                                    KEY("to_ref", C_TO),
                                    TEXT("properties", C_PROPS) };
static const column ROWS[] = { OF_ALL,
                               TEXT("kind", C_KIND),
                               KEY("name", C_NAME),
                               TEXT("text", C_TEXT),
                               TEXT("properties", C_PROPS),
                               NUMBER("hand_authored", C_HAND) };
static const column PROJECTS[] = { KEY("id", C_ID), KEY("name", C_NAME),
                                   TEXT("description", C_DESCRIPTION) };
static const column LINKS[] = { KEY("src", C_SRC), KEY("dst", C_DST), TYPE("rel", C_REL) };
static const column CONFLICTS[] = { KEY("id", C_ID), TEXT("rule", C_RULE), TEXT("kind", C_KIND),
                                    KEY("project", C_PROJECT), TEXT("slot", C_SLOT) };
static const column MEMBERS[] = { KEY("conflict", C_CONFLICT),  KEY("ref", C_REF),
                                  TEXT("field", C_FIELD),       TEXT("value", C_VALUE),
                                  NUMBER("flagged", C_FLAGGED), TEXT("against", C_AGAINST) };
static const column FINDINGS[] = { KEY("id", C_ID),           TEXT("rule", C_RULE),
                                   TEXT("kind", C_KIND),      TEXT("severity", C_SEVERITY),
                                   KEY("project", C_PROJECT), KEY("ref", C_REF) };

/* By name. */
enum {
  T_CONFLICT_MEMBERS,
  T_CONFLICTS,
  T_ENTITIES,
  T_FINDINGS,
  T_LINKS,
  T_MEMORIES,
  T_PROJECT_STATE,
  T_PROJECTS,
  T_RELATIONS,
  T_ROWS
};
static const struct {
  const char *name;
  const column *columns;
  size_t n;
  hm_layer layer;
} TABLES[HM_SQL_TABLES] = {
#define TABLE(name, columns, layer)                                                                \
  { name, columns, HM_COUNT(columns), layer }
  [T_CONFLICT_MEMBERS] = TABLE("conflict_members", MEMBERS, 0),
  [T_CONFLICTS] = TABLE("conflicts", CONFLICTS, 0),
  [T_ENTITIES] = TABLE("entities", ENTITIES, HM_ENTITY),
  [T_FINDINGS] = TABLE("findings", FINDINGS, 0),
  [T_LINKS] = TABLE("links", LINKS, 0),
  [T_MEMORIES] = TABLE("memories", MEMORIES, HM_MEMORY),
  [T_PROJECT_STATE] = TABLE("project_state", STATES, HM_STATE),
  [T_PROJECTS] = TABLE("projects", PROJECTS, 0),
  [T_RELATIONS] = TABLE("relations", RELATIONS, HM_RELATION),
  [T_ROWS] = TABLE("rows", ROWS, 0),
#undef TABLE
};

const char *hm_sql_table_name(size_t i) { return i < HM_SQL_TABLES ? TABLES[i].name : NULL; }

const char *hm_sql_column_name(size_t table, size_t i) {
  return i < TABLES[table].n ? TABLES[table].columns[i].name : NULL;
}

size_t hm_sql_table_named(hm_str name) {
  size_t i = 0;
  while (i < HM_SQL_TABLES && !hm_str_is(name, TABLES[i].name))
    i++;
  return i;
}

/* --- cells of rows ------------------------------------------------------------------------ */

/* Rows of the tables of members (of open conflicts) and of rows that findings name. */
typedef struct {
  const hm_conflict_rec *conflict;
  const hm_member_rec *member;
} member;
typedef struct {
  const hm_finding *finding;
  hm_str ref;
} found_row;

typedef struct {
  const hm_sql_facts *facts;
  size_t first; /* of the snapshot's rows */
  const member *members;
  const found_row *found;
} table_data;

static hm_sandbox_cell brief(hm_str s) {
  hm_sandbox_cell c = hm_sandbox_cell_text(s);
  c.temporary = true;
  return c;
}

/* A column that names a row, as "kind:id"; a bare id names a row of the layer. bare: for an entity
 * only its id. Uses the text only, so the result does not depend on other rows. */
static hm_sandbox_cell ref_cell(const hm_row *r, hm_naming naming, bool bare, hm_arena *a) {
  hm_str text = hm_row_naming(r, naming), id;
  hm_layer layer = naming == HM_NAMES_SUPERSEDED_BY ? r->layer : HM_ENTITY, said;
  bool full = hm_ref_parse(text, &said, &id);
  if (bare && full && said == HM_ENTITY)
    return hm_sandbox_cell_text(id);
  return !text.n || full || bare ? hm_sandbox_cell_text(text) : brief(hm_ref_text(a, layer, text));
}

static hm_sandbox_cell number_cell(hm_str text) {
  char digits[64];
  if (!text.n || text.n >= sizeof digits)
    return (hm_sandbox_cell){ .type = HM_CELL_NULL };
  memcpy(digits, text.p, text.n);
  digits[text.n] = 0;
  return (hm_sandbox_cell){ .type = HM_CELL_REAL, .real = strtod(digits, NULL) };
}

/* The number of elements of ["a", "b"]; -1 if it is not a list of plain strings, as most are. A
 * parser takes twenty times as long. */
static int64_t count_plain_strings(hm_str list) {
  const char *p = list.p + 1, *end = list.p + list.n;
  for (int64_t n = 1;; n++) {
    while (p < end && *p == ' ')
      p++;
    if (p == end || *p++ != '"')
      return -1;
    while (p < end && *p >= ' ' && *p < 127 && *p != '"' && *p != '\\')
      p++;
    if (p == end || *p++ != '"')
      return -1;
    while (p < end && *p == ' ')
      p++;
    if (p == end || (*p != ',' && *p != ']'))
      return -1;
    if (*p++ == ']')
      return p == end ? n : -1;
  }
}

/* The number of sources: elements of its list, or one for a text that is not a list. */
static hm_sandbox_cell sources_cell(hm_str refs, hm_arena *scratch) {
  hm_json *list;
  hm_str text = hm_str_trim(refs);
  if (!text.n || hm_str_is(text, "[]") || hm_str_is(text, "null"))
    return hm_sandbox_cell_int(0);
  int64_t plain = *text.p == '[' ? count_plain_strings(text) : 1;
  if (plain > 0)
    return hm_sandbox_cell_int(plain);
  if (hm_json_parse(scratch, text, &list, NULL))
    return hm_sandbox_cell_int(1);
  return hm_sandbox_cell_int((int64_t)list->count);
}

static hm_sandbox_cell detail_cell(const hm_sql_facts *f, uint32_t row, int is, hm_arena *scratch) {
  static const hm_row_detail none = { 0 };
  const hm_row_detail *d = f->snap->details ? &f->snap->details[row] : &none;
  switch (is) {
    case C_UPDATED:
      return hm_sandbox_cell_text(f->snap->rows[row].updated_at);
    case C_SOURCES:
      return sources_cell(d->source_refs, scratch);
    case C_SOURCE_REFS:
      return hm_sandbox_cell_text(d->source_refs);
    case C_CONFIDENCE:
      return number_cell(d->confidence);
    default:
      return hm_sandbox_cell_int(d->hand_authored);
  }
}

static hm_sandbox_cell row_cell(const void *ctx, size_t i, int is, hm_arena *scratch) {
  const table_data *t = ctx;
  const hm_snapshot *snap = t->facts->snap;
  uint32_t row = (uint32_t)(t->first + i);
  const hm_row *r = &snap->rows[row];
  hm_str project = r->project < snap->n_projects ? snap->projects[r->project].id : HM_EMPTY;
  switch (is) {
    case C_REF:
      return brief(hm_row_ref(scratch, r));
    case C_KIND:
      return hm_sandbox_cell_text(hm_str_c(hm_layer_name(r->layer)));
    case C_ID:
      return hm_sandbox_cell_text(r->id);
    case C_TYPE:
      return hm_sandbox_cell_text(r->type);
    case C_NAME:
      return hm_sandbox_cell_text(r->name);
    case C_TEXT:
      return hm_sandbox_cell_text(r->text);
    case C_PROJECT:
      return (hm_sandbox_cell){ .type = HM_CELL_TEXT, .text = project };
    case C_STATUS:
      return hm_sandbox_cell_text(hm_str_c(hm_status_name(r->status)));
    case C_PROPS:
      return hm_sandbox_cell_text(r->props);
    case C_FROM:
      return ref_cell(r, HM_NAMES_FROM, false, scratch);
    case C_TO:
      return ref_cell(r, HM_NAMES_TO, false, scratch);
    case C_FROM_ID:
      return ref_cell(r, HM_NAMES_FROM, true, scratch);
    case C_TO_ID:
      return ref_cell(r, HM_NAMES_TO, true, scratch);
    case C_VALID_FROM:
      return hm_sandbox_cell_text(r->valid_from);
    case C_VALID_UNTIL:
      return hm_sandbox_cell_text(r->valid_until);
    case C_CREATED:
      return hm_sandbox_cell_text(r->created_at);
    case C_SCOPE:
      return hm_sandbox_cell_text(r->scope);
    case C_TAGS:
      return hm_sandbox_cell_text(r->tags);
    case C_AGENT:
      return hm_sandbox_cell_text(r->agent);
    case C_GONE:
      return hm_sandbox_cell_int(hm_snapshot_is_gone(snap, row));
    case C_SUPERSEDED_BY:
      return ref_cell(r, HM_NAMES_SUPERSEDED_BY, false, scratch);
    case C_GRADUATED_TO:
      return ref_cell(r, HM_NAMES_GRADUATED_TO, false, scratch);
    case C_WORLD:
      return brief(hm_world_name_from_props(project, r->props, scratch));
    case C_CERTAIN_FROM:
    case C_CERTAIN_UNTIL:
    case C_POSSIBLE_FROM:
    case C_POSSIBLE_UNTIL:
      return hm_sql_bound_cell(t->facts, row, (hm_sql_bound)(is - C_CERTAIN_FROM), scratch);
    case C_EXISTED_FROM:
    case C_EXISTED_UNTIL:
      return hm_sql_existence_cell(t->facts, row, is == C_EXISTED_UNTIL, scratch);
    default:
      return detail_cell(t->facts, row, is, scratch);
  }
}

hm_sandbox_cell hm_sql_row_cell(const hm_sql_facts *f, hm_str ref, hm_str name, hm_arena *a) {
  const table_data t = { .facts = f };
  hm_layer layer = HM_ENTITY;
  hm_str id = ref;
  hm_ref_parse(ref, &layer, &id);
  uint32_t row = f->snap ? hm_snapshot_row(f->snap, layer, id) : HM_MAP_NONE;
  for (size_t i = 0; row != HM_MAP_NONE && i < HM_COUNT(ROWS); i++)
    if (hm_str_is(name, ROWS[i].name))
      return row_cell(&t, row, ROWS[i].code, a);
  return (hm_sandbox_cell){ .type = HM_CELL_NULL };
}

/* --- cells of other tables ------------------------------------------------------------------ */

static hm_sandbox_cell project_cell(const void *ctx, size_t i, int is, hm_arena *scratch) {
  const table_data *t = ctx;
  const hm_project *p = &t->facts->snap->projects[i];
  (void)scratch;
  if (is == C_ID)
    return (hm_sandbox_cell){ .type = HM_CELL_TEXT, .text = p->id };
  return hm_sandbox_cell_text(is == C_NAME ? p->name : p->description);
}

static hm_sandbox_cell link_cell(const void *ctx, size_t i, int is, hm_arena *scratch) {
  const table_data *t = ctx;
  const hm_link *l = &t->facts->snap->links[i];
  (void)scratch;
  return hm_sandbox_cell_text(is == C_SRC ? l->src : is == C_DST ? l->dst : l->rel);
}

static hm_sandbox_cell conflict_cell(const void *ctx, size_t i, int is, hm_arena *scratch) {
  const table_data *t = ctx;
  const hm_conflict_rec *c = t->facts->conflicts[i];
  switch (is) {
    case C_ID:
      return hm_sandbox_cell_text(c->id);
    case C_RULE:
      return hm_sandbox_cell_text(c->rule);
    case C_KIND:
      return hm_sandbox_cell_text(c->slot_kind);
    case C_PROJECT:
      return (hm_sandbox_cell){ .type = HM_CELL_TEXT, .text = c->project };
    default:
      return brief(hm_slot_title(scratch, c->slot_key, HM_EMPTY));
  }
}

static hm_sandbox_cell member_cell(const void *ctx, size_t i, int is, hm_arena *scratch) {
  const table_data *t = ctx;
  const member *m = &t->members[i];
  switch (is) {
    case C_CONFLICT:
      return hm_sandbox_cell_text(m->conflict->id);
    case C_REF:
      return brief(hm_ref_text(scratch, m->member->layer, m->member->id));
    case C_FIELD:
      return hm_sandbox_cell_text(m->member->field);
    case C_VALUE:
      return hm_sandbox_cell_text(m->member->value);
    case C_FLAGGED:
      return hm_sandbox_cell_int(m->member->flagged);
    default:
      return hm_sandbox_cell_text(m->member->conflicts_with);
  }
}

static hm_sandbox_cell finding_cell(const void *ctx, size_t i, int is, hm_arena *scratch) {
  const table_data *t = ctx;
  const hm_finding *f = t->found[i].finding;
  (void)scratch;
  switch (is) {
    case C_ID:
      return hm_sandbox_cell_text(f->id);
    case C_RULE:
      return hm_sandbox_cell_text(f->rule);
    case C_KIND:
      return hm_sandbox_cell_text(f->kind);
    case C_SEVERITY:
      return hm_sandbox_cell_text(f->severity);
    case C_PROJECT:
      return (hm_sandbox_cell){ .type = HM_CELL_TEXT, .text = f->project };
    default:
      return hm_sandbox_cell_text(t->found[i].ref);
  }
}

/* --- all -------------------------------------------------------------------------------------- */

/* Members of all open conflicts, and rows of all findings. */
static size_t list_members(const hm_sql_facts *f, member **out, hm_arena *a) {
  size_t n = 0;
  for (size_t i = 0; i < f->n_conflicts; i++)
    n += f->conflicts[i]->n_members;
  *out = hm_alloc_array(a, n, sizeof **out);
  n = 0;
  for (size_t i = 0; i < f->n_conflicts; i++)
    for (size_t k = 0; k < f->conflicts[i]->n_members; k++)
      (*out)[n++] = (member){ f->conflicts[i], &f->conflicts[i]->members[k] };
  return n;
}

static size_t list_found(const hm_sql_facts *f, found_row **out, hm_arena *a) {
  size_t n = 0;
  for (size_t i = 0; i < f->n_findings; i++)
    n += f->findings[i].n_rows;
  *out = hm_alloc_array(a, n, sizeof **out);
  n = 0;
  for (size_t i = 0; i < f->n_findings; i++)
    for (size_t k = 0; k < f->findings[i].n_rows; k++)
      (*out)[n++] = (found_row){ &f->findings[i], f->findings[i].rows[k] };
  return n;
}

static void fill(hm_sandbox_table *t, size_t i, table_data *d, hm_arena *a) {
  const hm_snapshot *snap = d->facts->snap;
  hm_layer layer = TABLES[i].layer;
  member *members;
  found_row *found;
  switch (i) {
    case T_PROJECTS:
      t->cell = project_cell, t->n_rows = snap->n_projects;
      break;
    case T_LINKS:
      t->cell = link_cell, t->n_rows = snap->n_links;
      break;
    case T_CONFLICTS:
      t->cell = conflict_cell, t->n_rows = d->facts->n_conflicts;
      break;
    case T_CONFLICT_MEMBERS:
      t->cell = member_cell, t->n_rows = list_members(d->facts, &members, a);
      d->members = members;
      break;
    case T_FINDINGS:
      t->cell = finding_cell, t->n_rows = list_found(d->facts, &found, a);
      d->found = found;
      break;
    default:
      t->cell = row_cell, t->n_rows = snap->n_rows;
      if (layer)
        d->first = snap->first[layer], t->n_rows = snap->first[layer + 1] - d->first;
  }
}

const hm_sandbox_table *hm_sql_tables_new(const hm_sql_facts *facts, uint32_t reads, hm_arena *a) {
  hm_sandbox_table *tables = hm_alloc_array(a, HM_SQL_TABLES, sizeof *tables);
  for (size_t i = 0; i < HM_SQL_TABLES; i++) {
    table_data *d = hm_alloc(a, sizeof *d);
    *d = (table_data){ .facts = facts };
    tables[i] = (hm_sandbox_table){
      .name = TABLES[i].name, .columns = TABLES[i].columns, .n_columns = TABLES[i].n, .ctx = d
    };
    if (reads >> i & 1)
      fill(&tables[i], i, d, a);
  }
  return tables;
}
