/* The four layers, each in one pass over its table, in the order of the file;
 * then sorted by id in memory. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "core/base/par.h"
#include "core/store/snapshot.h"

/* Columns of every layer's query. The first are read for a sweep, all of them for pages. */
enum {
  C_ID, C_PROJECT, C_STATUS, C_TYPE, C_NAME, C_TEXT, C_PROPS, C_FROM, C_TO, C_SLOT_RULE, C_VALID_FROM, C_VALID_UNTIL,
  C_CREATED, C_SUPERSEDED_BY, C_VALUE_KIND, C_UPDATED, C_SUPERSEDED_AT,
  C_BASIC,
  C_REFS = C_BASIC, C_TAGS, C_CONFIDENCE, C_IMPORTANCE, C_POLARITY, C_SCOPE, C_AGENT, C_GRADUATED_TO, C_HAND_AUTHORED,
  C_ALL
};

/* What a layer's query gives, in this order; columns that it lacks are empty. */
typedef struct { const char *count, *basic, *full; int n_basic, n_full; unsigned char columns[C_ALL]; } query;

#define TABLE(table, basic, detail) \
  "SELECT count(*) FROM " table, "SELECT " basic " FROM " table, "SELECT " basic ", " detail " FROM " table

/* ?1: pages want the description of an entity; a sweep does not read it. */
static const query LAYERS[] = {
  [HM_MEMORY] = { TABLE("memories",
    "id, project, status, memory_type, content, slot_rule, valid_from, valid_until, created_at, superseded_by,"
    " updated_at, superseded_at", "source_refs, tags, confidence, importance, polarity, scope, agent, graduated_to"),
    12, 20, { C_ID, C_PROJECT, C_STATUS, C_TYPE, C_TEXT, C_SLOT_RULE, C_VALID_FROM, C_VALID_UNTIL, C_CREATED,
    C_SUPERSEDED_BY, C_UPDATED, C_SUPERSEDED_AT, C_REFS, C_TAGS, C_CONFIDENCE, C_IMPORTANCE, C_POLARITY, C_SCOPE,
    C_AGENT, C_GRADUATED_TO } },
  [HM_ENTITY] = { TABLE("entities",
    "id, project, status, entity_type, name, CASE WHEN ?1 THEN description END, properties, valid_from, valid_until,"
    " created_at, superseded_by, updated_at, superseded_at", "source_refs, confidence, hand_authored"),
    13, 16, { C_ID, C_PROJECT, C_STATUS, C_TYPE, C_NAME, C_TEXT, C_PROPS, C_VALID_FROM, C_VALID_UNTIL, C_CREATED,
    C_SUPERSEDED_BY, C_UPDATED, C_SUPERSEDED_AT, C_REFS, C_CONFIDENCE, C_HAND_AUTHORED } },
  [HM_STATE] = { TABLE("project_state",
    "id, project, status, category, key, value, valid_from, valid_until, created_at, superseded_by, value_kind,"
    " updated_at, superseded_at", "source, confidence"),
    13, 15, { C_ID, C_PROJECT, C_STATUS, C_TYPE, C_NAME, C_TEXT, C_VALID_FROM, C_VALID_UNTIL, C_CREATED,
    C_SUPERSEDED_BY, C_VALUE_KIND, C_UPDATED, C_SUPERSEDED_AT, C_REFS, C_CONFIDENCE } },
  [HM_RELATION] = { TABLE("relations",
    "id, project, status, type, properties, from_id, to_id, valid_from, valid_until, created_at, superseded_by,"
    " updated_at, superseded_at", "source_refs, confidence"),
    13, 15, { C_ID, C_PROJECT, C_STATUS, C_TYPE, C_PROPS, C_FROM, C_TO, C_VALID_FROM, C_VALID_UNTIL, C_CREATED,
    C_SUPERSEDED_BY, C_UPDATED, C_SUPERSEDED_AT, C_REFS, C_CONFIDENCE } },
};

typedef struct { int column; size_t offset; } place;

/* Columns that are copied as they are. Type, status and project are shared by many rows. */
static const place ROW[] = {
  { C_ID, offsetof(hm_row, id) },                   { C_NAME, offsetof(hm_row, name) },
  { C_TEXT, offsetof(hm_row, text) },               { C_PROPS, offsetof(hm_row, props) },
  { C_FROM, offsetof(hm_row, from) },               { C_TO, offsetof(hm_row, to) },
  { C_SLOT_RULE, offsetof(hm_row, slot_rule) },     { C_VALID_FROM, offsetof(hm_row, valid_from) },
  { C_VALID_UNTIL, offsetof(hm_row, valid_until) }, { C_CREATED, offsetof(hm_row, created_at) },
  { C_SUPERSEDED_BY, offsetof(hm_row, superseded_by) },
};
static const place DETAIL[] = {
  { C_REFS, offsetof(hm_row_detail, source_refs) },      { C_TAGS, offsetof(hm_row_detail, tags) },
  { C_CONFIDENCE, offsetof(hm_row_detail, confidence) }, { C_IMPORTANCE, offsetof(hm_row_detail, importance) },
  { C_POLARITY, offsetof(hm_row_detail, polarity) },     { C_SCOPE, offsetof(hm_row_detail, scope) },
  { C_AGENT, offsetof(hm_row_detail, agent) },           { C_SUPERSEDED_AT, offsetof(hm_row_detail, superseded_at) },
  { C_GRADUATED_TO, offsetof(hm_row_detail, graduated_to) },
  { C_UPDATED, offsetof(hm_row_detail, updated_at) },
};
#define N_ROW (sizeof ROW / sizeof *ROW)
#define N_DETAIL (sizeof DETAIL / sizeof *DETAIL)

#define MEMO 64

/* What neighbours in a table mostly share is looked up once. */
typedef struct {
  hm_reader *r;
  hm_map types;
  hm_str *type_list; uint32_t n_types, cap_types;   /* malloc */
  hm_str last_type, last_project;
  uint32_t last_project_number;
  bool project_known;
  struct { double value; hm_str text; } reals[MEMO];
} rows_reader;

/* Numbers as text cost more than all else in a row, and confidences repeat. */
static hm_str real_text(rows_reader *rr, double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  size_t i = hm_hash_mix(bits, 0) % MEMO;
  if (rr->reals[i].text.n && !memcmp(&rr->reals[i].value, &v, sizeof v)) return rr->reals[i].text;
  char digits[32];
  int n = hm_sql_real(v, digits);
  rr->reals[i].value = v;
  return rr->reals[i].text = hm_str_dup(rr->r->a, (hm_str){ digits, (size_t)n });
}

/* Only columns of type REAL hold a REAL: the others make text of it when it is stored. */
static hm_str column(rows_reader *rr, sqlite3_stmt *st, int i, int name) {
  if ((name == C_CONFIDENCE || name == C_IMPORTANCE) && sqlite3_column_type(st, i) == SQLITE_FLOAT)
    return real_text(rr, sqlite3_column_double(st, i));
  const char *p = (const char *)sqlite3_column_text(st, i);
  return p ? (hm_str){ p, (size_t)sqlite3_column_bytes(st, i) } : HM_EMPTY;
}

static hm_str shared_type(rows_reader *rr, hm_str type) {
  if (hm_str_eq(type, rr->last_type)) return rr->last_type;
  uint32_t i = hm_map_get(&rr->types, type);
  if (i == HM_MAP_NONE) {
    if (rr->n_types == rr->cap_types) {
      rr->cap_types = rr->cap_types ? 2 * rr->cap_types : 32;
      rr->type_list = hm_xrealloc(rr->type_list, rr->cap_types * sizeof(hm_str));
    }
    rr->type_list[rr->n_types] = hm_str_dup(rr->r->a, type);
    i = hm_map_add(&rr->types, rr->type_list[rr->n_types], rr->n_types);
    rr->n_types++;
  }
  return rr->last_type = rr->type_list[i];
}

static uint32_t project_number(rows_reader *rr, hm_str name) {
  if (rr->project_known && hm_str_eq(name, rr->last_project)) return rr->last_project_number;
  rr->last_project_number = hm_read_project(rr->r, name);
  rr->last_project = hm_str_dup(rr->r->a, name);
  rr->project_known = true;
  return rr->last_project_number;
}

static char *copy(void *to, const place *places, size_t n, const hm_str *columns, char *room) {
  for (size_t i = 0; i < n; i++) {
    hm_str from = columns[places[i].column], *field = (hm_str *)(void *)((char *)to + places[i].offset);
    *field = (hm_str){ from.n ? room : "", from.n };
    if (from.n) memcpy(room, from.p, from.n);
    room += from.n;
  }
  return room;
}

static size_t bytes_of(const place *places, size_t n, const hm_str *columns) {
  size_t total = 0;
  for (size_t i = 0; i < n; i++) total += columns[places[i].column].n;
  return total;
}

static void read_row(rows_reader *rr, sqlite3_stmt *st, hm_layer layer, hm_row *row, hm_row_detail *detail) {
  const query *q = &LAYERS[layer];
  hm_str c[C_ALL];
  hm_reader *r = rr->r;
  for (int i = 0; i < (detail ? C_ALL : C_BASIC); i++) c[i] = HM_EMPTY;
  for (int i = 0; i < (detail ? q->n_full : q->n_basic); i++) c[q->columns[i]] = column(rr, st, i, q->columns[i]);
  size_t total = bytes_of(ROW, N_ROW, c) + (detail ? bytes_of(DETAIL, N_DETAIL, c) : 0);
  char *room = copy(row, ROW, N_ROW, c, hm_alloc(r->a, total));
  row->layer = layer;
  row->status = hm_status_of(c[C_STATUS]);
  row->value_is_json = hm_str_is(c[C_VALUE_KIND], "json");
  row->project = project_number(rr, c[C_PROJECT]);
  row->type = shared_type(rr, c[C_TYPE]);
  hm_read_time(r, c[C_CREATED]);
  hm_read_time(r, c[C_UPDATED]);
  hm_read_time(r, c[C_SUPERSEDED_AT]);
  if (!detail) return;
  copy(detail, DETAIL, N_DETAIL, c, room);
  detail->hand_authored = c[C_HAND_AUTHORED].n && !hm_str_is(c[C_HAND_AUTHORED], "0");
}

static int read_layer(rows_reader *rr, hm_layer layer, size_t end, hm_err *err) {
  hm_reader *r = rr->r;
  hm_snapshot *out = r->out;
  size_t i = out->first[layer];
  sqlite3_stmt *st;
  int rc;
  if (hm_sql_cached(r->s, r->details ? LAYERS[layer].full : LAYERS[layer].basic, &st, err)) return -1;
  sqlite3_bind_int(st, 1, r->details);
  for (; (rc = hm_sql_step(r->s, st, err)) == 1; i++) {
    if (i == end) return hm_read_overrun(r);
    read_row(rr, st, layer, &out->rows[i], out->details ? &out->details[i] : NULL);
  }
  out->first[layer + 1] = i;
  return rc;
}

#define LINE 64

static void fetch(const char *p, size_t size) {
  for (size_t i = 0; i < size; i += LINE) __builtin_prefetch(p + i);
}

/* items[i] = items[order[i]] for all i, each moved once, cycle by cycle. The
 * item after the next is on its way from memory while one is moved. */
static void permute(void *items, size_t size, const uint32_t *order, size_t n) {
  char held[sizeof(hm_row) > sizeof(hm_row_detail) ? sizeof(hm_row) : sizeof(hm_row_detail)], *p = items;
  bool *done = memset(hm_xmalloc(n), 0, n);
  for (size_t i = 0; i < n; i++) {
    if (done[i] || order[i] == i) continue;
    memcpy(held, p + i * size, size);
    size_t to = i;
    for (size_t from; (from = order[to]) != i; to = from) {
      fetch(p + (size_t)order[from] * size, size);
      memcpy(p + to * size, p + from * size, size);
      done[to] = true;
    }
    memcpy(p + to * size, held, size);
    done[to] = true;
  }
  free(done);
}

/* One layer's rows, read and unsorted. order: NULL when they are sorted already. */
typedef struct { hm_snapshot *out; hm_layer layer; size_t first, n; uint32_t *order; hm_str *ids; } unsorted;

static void index_layer(const unsorted *u) {
  for (size_t i = 0; i < u->n; i++) hm_map_add(&u->out->by_id[u->layer], u->ids[u->order ? u->order[i] : i], (uint32_t)(u->first + i));
}

/* Three tasks that share nothing but the order and a copy of the ids. */
static int sort_task(void *ctx, size_t task, int worker) {
  const unsorted *u = ctx;
  (void)worker;
  if (task == 0) index_layer(u);
  else if (task == 1 && u->order) permute(u->out->rows + u->first, sizeof(hm_row), u->order, u->n);
  else if (task == 2 && u->order && u->out->details) permute(u->out->details + u->first, sizeof(hm_row_detail), u->order, u->n);
  return 0;
}

/* Below this starting threads costs more than they save. */
#define WORTH_THREADS 20000

static void sort_layer(hm_reader *r, hm_layer layer) {
  hm_snapshot *out = r->out;
  size_t first = out->first[layer], n = out->first[layer + 1] - first, failed;
  unsorted u = { out, layer, first, n, hm_xmalloc(n * sizeof *u.order), hm_xmalloc(n * sizeof *u.ids) };
  uint32_t *order = u.order;
  for (size_t i = 0; i < n; i++) u.ids[i] = out->rows[first + i].id;
  if (!n || !hm_sort_order(u.ids, sizeof *u.ids, n, order)) u.order = NULL;
  hm_map_init(&out->by_id[layer], r->a, n);
  hm_par_for(3, n < WORTH_THREADS ? 1 : hm_par_cores(), sort_task, &u, &failed);
  free(order);
  free(u.ids);
}

int hm_read_rows(hm_reader *r) {
  hm_snapshot *out = r->out;
  rows_reader *rr = memset(hm_xmalloc(sizeof *rr), 0, sizeof *rr);
  size_t counts[HM_RELATION + 1], total = 0;
  int rc = 0;
  rr->r = r;
  rr->last_type = rr->last_project = HM_EMPTY;
  hm_map_init(&rr->types, r->a, 32);
  for (int l = HM_MEMORY; l <= HM_RELATION && !rc; l++) {
    rc = hm_read_count(r, LAYERS[l].count, &counts[l]);
    if (!rc) total += counts[l];
  }
  if (!rc && total >= HM_MAP_NONE)
    rc = hm_fail(r->err, HM_E_STORE, r->s->what, "it holds more than 4 billion rows", "split it");
  if (rc) goto out;
  out->rows = hm_alloc_array(r->a, total, sizeof *out->rows);
  if (r->details) out->details = hm_alloc_array(r->a, total, sizeof *out->details);
  for (int l = HM_MEMORY; l <= HM_RELATION && !rc; l++) {
    rc = read_layer(rr, (hm_layer)l, out->first[l] + counts[l], r->err);
    if (rc) break;
    sort_layer(r, (hm_layer)l);
  }
  out->n_rows = out->first[HM_RELATION + 1];
out:
  free(rr->type_list);
  free(rr);
  return rc;
}
