/* Rows of one layer's table, in the order of the file, into an array. Parts of
 * a table can be read at once, so nothing here touches what parts share but
 * the arena, which hands out its memory in big pieces under a lock. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "core/store/snapshot_impl.h"

/* Columns of every layer's query. The first are read for a sweep, all of them for pages. */
enum {
  C_ID,
  C_PROJECT,
  C_STATUS,
  C_TYPE,
  C_NAME,
  C_TEXT,
  C_PROPS,
  C_FROM,
  C_TO,
  C_SLOT_RULE,
  C_VALID_FROM,
  C_VALID_UNTIL,
  C_CREATED,
  C_SUPERSEDED_BY,
  C_GRADUATED_TO,
  C_VALUE_KIND,
  C_UPDATED,
  C_SUPERSEDED_AT,
  C_POLARITY,
  C_VIA,
  C_SCOPE,
  C_AGENT,
  C_SOURCES,
  C_TAGS,
  C_BASIC,
  C_REFS = C_BASIC,
  C_CONFIDENCE,
  C_IMPORTANCE,
  C_HAND_AUTHORED,
  C_ACCESSED,
  C_ALL
};

/* A layer's statements: for ranges of rows and for one row, without and with details. */
typedef struct {
  const char *basic, *full, *basic_one, *full_one;
} statements;

/* What a layer's query gives, in this order; columns that it lacks are empty. before: of a store
 * from before HM_STORE_VIA_VERSION. */
typedef struct {
  statements now, before;
  int n_basic, n_full;
  unsigned char columns[C_ALL];
} query;

#define TABLE(table, basic, detail)                                                                \
  {                                                                                                \
    "SELECT " basic " FROM " table " WHERE rowid BETWEEN ?2 AND ?3",                               \
        "SELECT " basic ", " detail " FROM " table " WHERE rowid BETWEEN ?2 AND ?3",               \
        "SELECT " basic " FROM " table " WHERE id = ?2",                                           \
        "SELECT " basic ", " detail " FROM " table " WHERE id = ?2"                                \
  }
#define SAME(table, basic, detail) TABLE(table, basic, detail), TABLE(table, basic, detail)
#define MEMORIES(via)                                                                              \
  TABLE("memories",                                                                                \
        "id, project, status, memory_type, content, slot_rule, valid_from, valid_until,"           \
        " created_at, superseded_by, updated_at, superseded_at, graduated_to, polarity, scope,"    \
        " agent, CASE WHEN coalesce(agent, '') = '' OR source_refs GLOB '*.md*:[0-9]*'"            \
        " OR source_refs GLOB '*.txt:[0-9]*' THEN source_refs END, tags, " via,                    \
        "source_refs, confidence, importance, last_accessed_at")
#define ENTITIES(via)                                                                              \
  TABLE("entities",                                                                                \
        "id, project, status, entity_type, name, CASE WHEN ?1 THEN description END, properties,"   \
        " valid_from, valid_until, created_at, superseded_by, updated_at, superseded_at,"          \
        " source_refs, " via,                                                                      \
        "source_refs, confidence, hand_authored")

/* ?1: pages want the description of an entity; a sweep does not read it. */
static const query LAYERS[] = {
  [HM_MEMORY] = { MEMORIES("via"),
                  MEMORIES("NULL"),
                  19,
                  23,
                  { C_ID,         C_PROJECT,       C_STATUS,       C_TYPE,     C_TEXT,
                    C_SLOT_RULE,  C_VALID_FROM,    C_VALID_UNTIL,  C_CREATED,  C_SUPERSEDED_BY,
                    C_UPDATED,    C_SUPERSEDED_AT, C_GRADUATED_TO, C_POLARITY, C_SCOPE,
                    C_AGENT,      C_SOURCES,       C_TAGS,         C_VIA,      C_REFS,
                    C_CONFIDENCE, C_IMPORTANCE,    C_ACCESSED } },
  [HM_ENTITY] = { ENTITIES("via"),
                  ENTITIES("NULL"),
                  15,
                  18,
                  { C_ID, C_PROJECT, C_STATUS, C_TYPE, C_NAME, C_TEXT, C_PROPS, C_VALID_FROM,
                    C_VALID_UNTIL, C_CREATED, C_SUPERSEDED_BY, C_UPDATED, C_SUPERSEDED_AT,
                    C_SOURCES, C_VIA, C_REFS, C_CONFIDENCE, C_HAND_AUTHORED } },
  [HM_STATE] = { SAME("project_state",
                      "id, project, status, category, key, value, valid_from, valid_until,"
                      " created_at, superseded_by, value_kind, updated_at, superseded_at, source",
                      "source, confidence"),
                 14,
                 16,
                 { C_ID, C_PROJECT, C_STATUS, C_TYPE, C_NAME, C_TEXT, C_VALID_FROM, C_VALID_UNTIL,
                   C_CREATED, C_SUPERSEDED_BY, C_VALUE_KIND, C_UPDATED, C_SUPERSEDED_AT, C_SOURCES,
                   C_REFS, C_CONFIDENCE } },
  [HM_RELATION] = { SAME("relations",
                         "id, project, status, type, properties, from_id, to_id, valid_from,"
                         " valid_until, created_at, superseded_by, updated_at, superseded_at,"
                         " source_refs",
                         "source_refs, confidence"),
                    14,
                    16,
                    { C_ID, C_PROJECT, C_STATUS, C_TYPE, C_PROPS, C_FROM, C_TO, C_VALID_FROM,
                      C_VALID_UNTIL, C_CREATED, C_SUPERSEDED_BY, C_UPDATED, C_SUPERSEDED_AT,
                      C_SOURCES, C_REFS, C_CONFIDENCE } },
};

typedef struct {
  int column;
  size_t offset;
} place;

/* Columns that are copied as they are. Type, status and project are shared by many rows. */
static const place ROW[] = {
  { C_ID, offsetof(hm_row, id) },
  { C_NAME, offsetof(hm_row, name) },
  { C_TEXT, offsetof(hm_row, text) },
  { C_PROPS, offsetof(hm_row, props) },
  { C_FROM, offsetof(hm_row, from) },
  { C_TO, offsetof(hm_row, to) },
  { C_SLOT_RULE, offsetof(hm_row, slot_rule) },
  { C_VALID_FROM, offsetof(hm_row, valid_from) },
  { C_VALID_UNTIL, offsetof(hm_row, valid_until) },
  { C_CREATED, offsetof(hm_row, created_at) },
  { C_UPDATED, offsetof(hm_row, updated_at) },
  { C_SUPERSEDED_BY, offsetof(hm_row, superseded_by) },
  { C_GRADUATED_TO, offsetof(hm_row, graduated_to) },
  { C_SCOPE, offsetof(hm_row, scope) },
  { C_AGENT, offsetof(hm_row, agent) },
  { C_TAGS, offsetof(hm_row, tags) },
  { C_SOURCES, offsetof(hm_row, sources) },
};
static const place DETAIL[] = {
  { C_REFS, offsetof(hm_row_detail, source_refs) },
  { C_CONFIDENCE, offsetof(hm_row_detail, confidence) },
  { C_IMPORTANCE, offsetof(hm_row_detail, importance) },
  { C_POLARITY, offsetof(hm_row_detail, polarity) },
  { C_SUPERSEDED_AT, offsetof(hm_row_detail, superseded_at) },
  { C_ACCESSED, offsetof(hm_row_detail, last_accessed_at) },
  { C_VIA, offsetof(hm_row_detail, via) },
};
#define N_ROW (sizeof ROW / sizeof *ROW)
#define N_DETAIL (sizeof DETAIL / sizeof *DETAIL)

#define MEMO 64
#define PIECE ((size_t)1 << 18)

/* What neighbours in a table mostly share is looked up once. */
typedef struct {
  hm_table_part *part;
  hm_arena *temp; /* of the maps */
  size_t piece;   /* memory is taken so much at once; 0: as it is needed */
  char *room;
  size_t left;            /* of the piece in use */
  hm_map types, projects; /* text -> index into the lists */
  hm_str *type_list;
  size_t cap_types;
  size_t cap_projects;
  hm_str last_type, last_project;
  uint32_t last_project_number;
  struct {
    double value;
    hm_str text;
  } reals[MEMO];
} rows_reader;

static char *take(rows_reader *rr, size_t n) {
  hm_snapshot_reader *r = rr->part->r;
  if (n > rr->left) {
    bool big = n > rr->piece / 4;
    pthread_mutex_lock(&r->lock);
    char *p = hm_alloc(r->a, big ? n : rr->piece);
    pthread_mutex_unlock(&r->lock);
    if (big)
      return p;
    rr->room = p;
    rr->left = rr->piece;
  }
  char *p = rr->room;
  rr->room += n;
  rr->left -= n;
  return p;
}

static hm_str keep(rows_reader *rr, hm_str s) {
  return s.n ? (hm_str){ memcpy(take(rr, s.n), s.p, s.n), s.n } : HM_EMPTY;
}

/* Numbers as text cost more than all else in a row, and confidences repeat. */
static hm_str text_of_real(rows_reader *rr, double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  size_t i = hm_hash_mix(bits, 0) % MEMO;
  if (rr->reals[i].text.n && !memcmp(&rr->reals[i].value, &v, sizeof v))
    return rr->reals[i].text;
  char digits[32];
  int n = hm_sql_format_real(v, digits);
  rr->reals[i].value = v;
  return rr->reals[i].text = keep(rr, (hm_str){ digits, (size_t)n });
}

/* Only columns of type REAL hold a REAL: the others make text of it when it is stored. */
static hm_str column(rows_reader *rr, hm_stmt *st, int i, int name) {
  double d;
  if ((name == C_CONFIDENCE || name == C_IMPORTANCE) && hm_sql_is_real(st, i, &d))
    return text_of_real(rr, d);
  return hm_sql_plain(st, i);
}

/* Index of text in the list, to which it is added when new. */
static uint32_t number_of(rows_reader *rr, hm_map *map, hm_str **list, size_t *cap, hm_str text) {
  uint32_t i = hm_map_get(map, text);
  if (i != HM_MAP_NONE)
    return i;
  *list = hm_array_grow(*list, map->n, cap, sizeof **list);
  i = (uint32_t)map->n;
  (*list)[i] = keep(rr, text);
  return hm_map_add(map, (*list)[i], i);
}

static uint32_t project_number(rows_reader *rr, hm_str name) {
  hm_table_part *p = rr->part;
  if (p->n_projects && hm_str_eq(name, rr->last_project))
    return rr->last_project_number;
  rr->last_project_number = number_of(rr, &rr->projects, &p->projects, &rr->cap_projects, name);
  rr->last_project = p->projects[rr->last_project_number];
  p->n_projects = rr->projects.n;
  return rr->last_project_number;
}

static char *copy(void *to, const place *places, size_t n, const hm_str *columns, char *room) {
  for (size_t i = 0; i < n; i++) {
    hm_str from = columns[places[i].column],
           *field = (hm_str *)(void *)((char *)to + places[i].offset);
    *field = (hm_str){ from.n ? room : "", from.n };
    if (from.n)
      memcpy(room, from.p, from.n);
    room += from.n;
  }
  return room;
}

static size_t bytes_of(const place *places, size_t n, const hm_str *columns) {
  size_t total = 0;
  for (size_t i = 0; i < n; i++)
    total += columns[places[i].column].n;
  return total;
}

static void read_row(rows_reader *rr, hm_stmt *st, hm_row *row, hm_row_detail *detail) {
  hm_table_part *p = rr->part;
  const query *q = &LAYERS[p->layer];
  hm_str c[C_ALL];
  for (int i = 0; i < (detail ? C_ALL : C_BASIC); i++)
    c[i] = HM_EMPTY;
  for (int i = 0; i < (detail ? q->n_full : q->n_basic); i++)
    c[q->columns[i]] = column(rr, st, i, q->columns[i]);
  size_t total = bytes_of(ROW, N_ROW, c) + (detail ? bytes_of(DETAIL, N_DETAIL, c) : 0);
  char *room = copy(row, ROW, N_ROW, c, take(rr, total));
  row->layer = p->layer;
  row->status = hm_status_parse(c[C_STATUS]);
  row->value_is_json = hm_str_is(c[C_VALUE_KIND], "json");
  double sign; /* 0 if the text is not a number */
  bool has_sign = hm_str_read_double(c[C_POLARITY], &sign);
  row->polarity = has_sign ? (signed char)((sign > 0) - (sign < 0)) : 0;
  row->via = c[C_VIA].n > 0;
  row->project = project_number(rr, c[C_PROJECT]);
  if (!hm_str_eq(c[C_TYPE], rr->last_type)) {
    uint32_t i = number_of(rr, &rr->types, &rr->type_list, &rr->cap_types, c[C_TYPE]);
    rr->last_type = rr->type_list[i];
  }
  row->type = rr->last_type;
  hm_newest_add(&p->newest, c[C_CREATED]);
  hm_newest_add(&p->newest, c[C_UPDATED]);
  hm_newest_add(&p->newest, c[C_SUPERSEDED_AT]);
  if (!detail)
    return;
  copy(detail, DETAIL, N_DETAIL, c, room);
  detail->hand_authored = c[C_HAND_AUTHORED].n && !hm_str_is(c[C_HAND_AUTHORED], "0");
}

/* All rows that the statement gives. */
static int read_rows(rows_reader *rr, hm_stmt *st) {
  hm_table_part *p = rr->part;
  int rc;
  while ((rc = hm_sql_step(p->s, st, p->err)) == 1) {
    if (p->got == p->n)
      return hm_fail(
          p->err, HM_E_STORE, p->r->s->what, "damaged: a table and its index differ",
          "restore a backup, or save what is readable with the sqlite3 shell's .recover");
    read_row(rr, st, &p->rows[p->got], p->details ? &p->details[p->got] : NULL);
    p->got++;
  }
  return rc;
}

int hm_read_part(hm_table_part *p) {
  rows_reader *rr = memset(hm_xmalloc(sizeof *rr), 0, sizeof *rr);
  const query *q = &LAYERS[p->layer];
  const statements *of = !hm_store_is_foreign(p->s) && hm_store_version(p->s) < HM_STORE_VIA_VERSION
      ? &q->before
      : &q->now;
  const char *sql = p->ids ? p->details ? of->full_one : of->basic_one
      : p->details         ? of->full
                           : of->basic;
  hm_stmt *st;
  p->got = p->n_projects = 0;
  p->newest = hm_newest_before(p->r->newest.limit);
  rr->part = p;
  rr->piece = p->ids ? 0 : PIECE;
  rr->temp = hm_arena_new();
  rr->last_type = rr->last_project = HM_EMPTY;
  hm_map_init(&rr->types, rr->temp, 32);
  hm_map_init(&rr->projects, rr->temp, 64);
  int rc = hm_sql_cached(p->s, sql, &st, p->err);
  if (!rc)
    hm_sql_bind_int(st, 1, p->details != NULL);
  if (!rc && !p->ids) {
    hm_sql_bind_int(st, 2, p->from);
    hm_sql_bind_int(st, 3, p->to);
    rc = read_rows(rr, st);
  }
  for (size_t i = 0; !rc && p->ids && i < p->n; i++) {
    hm_sql_bind(st, 2, p->ids[i]);
    rc = read_rows(rr, st);
  }
  hm_arena_free(rr->temp);
  free(rr->type_list);
  free(rr);
  return rc;
}
