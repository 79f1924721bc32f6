/* CSV with a header, as spreadsheets write it: each row becomes the object of a JSON line and is
 * imported as one.
 *
 * The header says the separator (',', ';' or tab: what it has most of) and, by name, what each
 * column is: a key of the layer, in any case and with spaces for '_'; of an entity any other
 * column is a property. An empty cell says nothing, as an absent key does. Cells are texts, kept as
 * written, but where a key wants a number, true or false, or a list (split at ';').
 * Cost: linear; memory is bounded by the longest row. A column may be at most COLUMNS_MAX.
 * Source: RFC 4180; library: libcsv, in its strict mode. */
#include <csv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/foreign/readers.h"

enum { COLUMNS_MAX = 1000, BLOCK = 4096 };

/* Rows that are no records have no keys. */
static const hm_kind CELLS = { "row", NULL, 0, 0, NULL, 0 };

/* What a column holds beside fields of the record, which count from 0. */
enum { IS_PROPERTY = -1, IS_KIND = -2, IS_NAMELESS = -3 };
typedef struct {
  hm_str name;
  int field;
} column;

struct hm_csv {
  struct csv_parser parser;
  const hm_kind *kind;
  hm_record_place *place;
  hm_record_each *each;
  void *ctx;
  column columns[COLUMNS_MAX];
  size_t n_columns; /* none before the header was read */
  bool has_properties;
  hm_str *cells;
  size_t n, cap;
  hm_arena *a;      /* of the header */
  hm_arena *row_a;  /* of the row */
  int64_t row_line; /* where the row began */
  size_t bytes;     /* of the row so far */
  bool begun;       /* the separator is known */
  int rc;           /* after an error nothing more is read */
};

/* The record is at fault, or the file. */
static int bad_row(hm_csv *c, size_t at, const char *why, const char *fix) {
  hm_fail(c->place->err, HM_E_INPUT, "", why, fix);
  if (c->place->err)
    c->place->err->at = at;
  return hm_record_error(c->place, at && at <= c->n_columns ? c->columns[at - 1].name : HM_EMPTY);
}

/* --- the layer ------------------------------------------------------------------------ */

int hm_csv_layer(const char *name, int *layer, hm_err *err) {
  static const hm_kind_index kinds[] = { HM_K_MEMORY, HM_K_ENTITY, HM_K_STATE, HM_K_RELATION,
                                         HM_K_PROJECT };
  hm_str names[HM_COUNT(kinds)], given = hm_str_c(name);
  hm_arena *a = hm_arena_new();
  int rc = 0;
  *layer = 0;
  for (size_t i = 0; i < HM_COUNT(kinds); i++) {
    const hm_kind *k = &hm_kinds[kinds[i]];
    names[i] = hm_str_c(k->name);
    bool state = kinds[i] == HM_K_STATE && hm_str_is(given, "state"); /* as `hmirror add` says */
    if (hm_str_eq(given, names[i]) || hm_str_is(given, k->table) || state)
      *layer = (int)kinds[i] + 1;
  }
  if (!*layer)
    rc = hm_failf(err, HM_E_USAGE, "--csv",
                  hm_hint_names(given, names, HM_COUNT(names), "give the layer of the rows: ", a),
                  "unknown: \"%.*s\"", HM_FMT(hm_text_cut(given, 60)));
  hm_arena_free(a);
  return rc;
}

/* --- the header ----------------------------------------------------------------------- */

static hm_str key_name(const hm_kind *k, int field) { return hm_str_c(k->fields[field].key); }

/* "Valid from" is valid_from. */
static int field_of_name(const hm_csv *c, hm_str name) {
  hm_str folded = hm_text_fold_name(c->a, name);
  if (hm_str_is(folded, "kind"))
    return IS_KIND;
  for (int i = 0; i < c->kind->n; i++)
    if (c->kind->fields[i].key && hm_str_eq(folded, key_name(c->kind, i)))
      return i;
  return IS_PROPERTY;
}

static int unknown_column(hm_csv *c, size_t at) {
  hm_str keys[HM_MAX_FIELDS];
  size_t n = 0;
  for (int i = 0; i < c->kind->n; i++)
    if (c->kind->fields[i].key)
      keys[n++] = key_name(c->kind, i);
  hm_str name = c->columns[at - 1].name;
  return bad_row(c, at, hm_str_fmt(c->a, "no key of a %s", c->kind->name).p,
                 hm_hint_names(name, keys, n, "known keys: ", c->a));
}

/* A property that is nearly called as a key is: which of the two is meant, only its writer knows.
 */
static int check_property(hm_csv *c, size_t at) {
  hm_str name = hm_text_fold_name(c->a, c->columns[at - 1].name);
  for (int i = 0; i < c->kind->n; i++) {
    const char *key = c->kind->fields[i].key;
    if (!key || name.n < 4 || hm_edit_distance(hm_str_z(c->a, name), key) > 1)
      continue;
    return bad_row(c, at, "no key of an entity",
                   hm_str_fmt(c->a, "did you mean '%s'? a property is named properties.%.*s", key,
                              HM_FMT(c->columns[at - 1].name))
                       .p);
  }
  return 0;
}

/* Any name once. */
static int read_cell_column(hm_csv *c, size_t i) {
  c->columns[i].field = IS_PROPERTY;
  for (size_t other = 0; other < i; other++)
    if (hm_str_eq(c->columns[other].name, c->columns[i].name))
      return bad_row(c, i + 1, hm_str_fmt(c->a, "column %zu has this name too", other + 1).p,
                     "rename one of the two");
  return 0;
}

static int read_column(hm_csv *c, size_t i) {
  static const char dot[] = "properties.";
  column *k = &c->columns[i];
  size_t at = i + 1;
  *k = (column){ hm_str_dup(c->a, hm_str_trim(c->cells[i])), IS_NAMELESS };
  c->n_columns = at;
  if (!k->name.n && c->kind == &CELLS)
    k->name = hm_str_fmt(c->a, "column_%zu", at);
  if (!k->name.n)
    return 0;
  if (c->kind == &CELLS)
    return read_cell_column(c, i);
  bool dotted = hm_str_starts(k->name, dot), entity = c->kind == &hm_kinds[HM_K_ENTITY];
  k->field = dotted ? IS_PROPERTY : field_of_name(c, k->name);
  if (k->field == IS_PROPERTY && !dotted &&
      (entity ? check_property(c, at) : unknown_column(c, at)))
    return -1;
  if (k->field == IS_PROPERTY && !entity && c->kind != &hm_kinds[HM_K_RELATION])
    return unknown_column(c, at);
  if (dotted)
    k->name = hm_str_sub(k->name, sizeof dot - 1, k->name.n);
  c->has_properties |= k->field == IS_PROPERTY;
  for (size_t other = 0; other < i; other++)
    if (c->columns[other].field == k->field &&
        (k->field != IS_PROPERTY || hm_str_eq(c->columns[other].name, k->name)))
      if (k->field != IS_NAMELESS)
        return bad_row(c, at, hm_str_fmt(c->a, "column %zu has this name too", other + 1).p,
                       "keep one of the two");
  return 0;
}

static bool has_column(const hm_csv *c, int field) {
  for (size_t i = 0; i < c->n_columns; i++)
    if (c->columns[i].field == field)
      return true;
  return false;
}

static int read_header(hm_csv *c) {
  int object = hm_field_of_column(c->kind, "properties");
  c->place->number = c->row_line;
  for (size_t i = 0; i < c->n; i++)
    if (read_column(c, i))
      return -1;
  for (int i = 0; i < c->kind->n; i++) {
    const hm_record_field *f = &c->kind->fields[i];
    bool needed = f->flags & HM_F_REQUIRED && !(f->flags & HM_F_KEY && c->kind->letter);
    if (!needed || has_column(c, i))
      continue;
    return bad_row(c, 0, hm_str_fmt(c->a, "no column '%s'", f->key).p,
                   "add it; the first row names the columns by the keys of the import format");
  }
  if (c->has_properties && object >= 0 && has_column(c, object))
    return bad_row(c, 0, "a column 'properties' beside columns of single properties",
                   "keep one of the two ways");
  return 0;
}

/* --- a row ---------------------------------------------------------------------------- */

/* An object or array that grows at its end. */
typedef struct {
  hm_json *v, *last;
} growing;

static hm_json *add_member(hm_csv *c, growing *to, hm_json_type type, hm_str key, hm_str text,
                           size_t at) {
  hm_json *v = hm_alloc(c->row_a, sizeof *v);
  *v = (hm_json){ .type = type, .key = key, .text = text, .at = (uint32_t)at };
  *(to->last ? &to->last->next : &to->v->child) = v;
  to->last = v;
  to->v->count++;
  return v;
}

static void add_list(hm_csv *c, growing *record, hm_str key, hm_str cell, size_t at) {
  growing list = { .v = add_member(c, record, HM_JSON_ARRAY, key, HM_EMPTY, at) };
  for (size_t from = 0, i = 0; i <= cell.n; i++) {
    if (i < cell.n && cell.p[i] != ';')
      continue;
    hm_str one = hm_str_trim(hm_str_sub(cell, from, i));
    from = i + 1;
    if (one.n)
      add_member(c, &list, HM_JSON_STRING, HM_EMPTY, one, at);
  }
}

/* TRUE is how spreadsheets write true. */
static bool is_word(hm_str cell, const char *word) {
  return cell.n == strlen(word) && !strncasecmp(cell.p, word, cell.n);
}

/* 0,9 is how spreadsheets of many countries write 0.9. */
static hm_str with_point(hm_csv *c, hm_str cell) {
  ptrdiff_t comma = hm_str_find(cell, ",");
  if (comma < 0)
    return cell;
  return HM_CAT(c->row_a, hm_str_sub(cell, 0, (size_t)comma), HM_STR("."),
                hm_str_sub(cell, (size_t)comma + 1, cell.n));
}

/* What cannot be read as its type stays a text, which the record's own check refuses. */
static void add_cell(hm_csv *c, growing *record, int field, hm_str cell, size_t at) {
  hm_str key = key_name(c->kind, field);
  hm_field_type type = c->kind->fields[field].type;
  hm_json *v;
  if (type == HM_F_STRINGS || type == HM_F_ALIASES) {
    add_list(c, record, key, cell, at);
  } else if (type == HM_F_BOOL && (is_word(cell, "true") || is_word(cell, "false"))) {
    hm_json_type is = is_word(cell, "true") ? HM_JSON_TRUE : HM_JSON_FALSE;
    add_member(c, record, is, key, HM_EMPTY, at);
  } else if ((type == HM_F_UNIT || type == HM_F_SIGN || type == HM_F_OBJECT) &&
             !hm_json_parse(c->row_a, type == HM_F_UNIT ? with_point(c, cell) : cell, &v, NULL) &&
             v->type == (type == HM_F_OBJECT ? HM_JSON_OBJECT : HM_JSON_NUMBER)) {
    hm_json *m = add_member(c, record, v->type, key, v->text, at);
    m->child = v->child;
    m->count = v->count;
  } else {
    add_member(c, record, HM_JSON_STRING, key, cell, at);
  }
}

static int read_row(hm_csv *c, hm_json *object) {
  growing record = { .v = object }, properties = { .v = object };
  if (c->kind != &CELLS)
    add_member(c, &record, HM_JSON_STRING, HM_STR("kind"), hm_str_c(c->kind->name), 0);
  if (c->has_properties)
    properties.v =
        add_member(c, &record, HM_JSON_OBJECT, HM_STR("properties"), HM_EMPTY, c->n_columns);
  for (size_t i = 0; i < c->n_columns && i < c->n; i++) {
    const column *k = &c->columns[i];
    hm_str cell = c->cells[i];
    if (!cell.n)
      continue;
    if (k->field >= 0)
      add_cell(c, &record, k->field, cell, i + 1);
    if (k->field == IS_PROPERTY)
      add_member(c, &properties, HM_JSON_STRING, k->name, cell, i + 1);
    if (k->field == IS_KIND && !hm_str_is(cell, c->kind->name))
      return bad_row(c, i + 1, "another kind of record",
                     "import each layer from a file of its own");
    if (k->field == IS_NAMELESS)
      return bad_row(c, i + 1, "the header has no name for this column", "name it");
  }
  if (c->n == c->n_columns)
    return 0;
  return bad_row(
      c, 0,
      hm_str_fmt(c->row_a, "a row of %zu where the header names %zu columns", c->n, c->n_columns).p,
      "check the quotes and separators of the row");
}

static bool is_blank(const hm_csv *c) {
  for (size_t i = 0; i < c->n; i++)
    if (c->cells[i].n)
      return false;
  return true;
}

/* --- what libcsv calls ------------------------------------------------------------------ */

static void on_cell(void *bytes, size_t n, void *ctx) {
  hm_csv *c = ctx;
  if (c->rc)
    return;
  if (c->n == COLUMNS_MAX) {
    c->rc = bad_row(c, 0, "more than 1000 cells", "leave columns out");
    return;
  }
  c->cells = hm_array_grow(c->cells, c->n, &c->cap, sizeof *c->cells);
  c->cells[c->n++] = hm_str_dup(c->row_a, (hm_str){ bytes, n });
}

static void on_row(int end, void *ctx) {
  hm_csv *c = ctx;
  hm_json record = { .type = HM_JSON_OBJECT };
  (void)end;
  if (c->rc)
    return;
  if (!is_blank(c) && !c->n_columns) {
    c->rc = read_header(c);
  } else if (!is_blank(c)) {
    int64_t line = c->place->number;
    c->place->number = c->row_line;
    c->rc = c->each(c->ctx, read_row(c, &record) ? NULL : &record);
    c->place->number = line;
  }
  c->n = c->bytes = 0;
  hm_arena_reset(c->row_a);
}

/* A cell grows no longer than a line of JSON may be. */
static void *grow_cell(void *p, size_t n) { return n > HM_RECORD_MAX_LINE ? NULL : realloc(p, n); }

static int refuse(hm_csv *c) {
  size_t at = c->n + 1;
  if (c->rc)
    return -1;
  c->rc = -1;
  if (csv_error(&c->parser) == CSV_EPARSE)
    return bad_row(c, at, "a quote in the middle of a cell",
                   "put the whole cell in quotes, and double those inside it");
  return bad_row(c, at, "longer than 256 MiB", "check that each quote is closed");
}

/* --- lines -------------------------------------------------------------------------------- */

/* Excel's "sep=;" says it, else the header. */
static bool find_separator(hm_csv *c, hm_str header) {
  static const char separators[] = ",;\t";
  size_t most = 0;
  bool quoted = false;
  hm_str said = hm_str_trim(header);
  if (said.n == 5 && hm_str_starts(said, "sep=")) {
    csv_set_delim(&c->parser, (unsigned char)said.p[4]);
    return true;
  }
  for (const char *s = separators; *s; s++) {
    size_t n = 0;
    for (size_t i = 0; i < header.n; i++) {
      quoted ^= header.p[i] == '"';
      n += header.p[i] == *s && !quoted;
    }
    if (n > most)
      csv_set_delim(&c->parser, (unsigned char)*s);
    most = n > most ? n : most;
    quoted = false;
  }
  return false;
}

hm_csv *hm_csv_new(int layer, hm_record_place *place, hm_record_each *each, void *ctx) {
  hm_csv *c = memset(hm_xmalloc(sizeof *c), 0, sizeof *c);
  if (csv_init(&c->parser, CSV_STRICT | CSV_STRICT_FINI))
    abort();
  csv_set_blk_size(&c->parser, BLOCK);
  csv_set_realloc_func(&c->parser, grow_cell);
  c->kind = layer == HM_CSV_CELLS ? &CELLS : &hm_kinds[layer - 1];
  c->place = place;
  place->of_table = true;
  c->each = each;
  c->ctx = ctx;
  c->a = hm_arena_new();
  c->row_a = hm_arena_new();
  return c;
}

void hm_csv_free(hm_csv *c) {
  if (!c)
    return;
  csv_free(&c->parser);
  free(c->cells);
  hm_arena_free(c->a);
  hm_arena_free(c->row_a);
  free(c);
}

int hm_csv_line(hm_csv *c, hm_str line) {
  bool separated = c->begun;
  c->begun = true;
  if (!separated && find_separator(c, line))
    return 0;
  if (!c->bytes)
    c->row_line = c->place->number;
  c->bytes += line.n + 1;
  if (c->bytes > HM_RECORD_MAX_LINE) {
    c->rc = -1;
    return bad_row(c, c->n + 1, "longer than 256 MiB", "check that each quote is closed");
  }
  if (csv_parse(&c->parser, line.p, line.n, on_cell, on_row, c) < line.n ||
      csv_parse(&c->parser, "\n", 1, on_cell, on_row, c) < 1)
    return refuse(c);
  if (!c->n && !c->parser.entry_pos)
    c->bytes = 0; /* no row is open */
  return c->rc;
}

int hm_csv_end(hm_csv *c) {
  if (csv_fini(&c->parser, on_cell, on_row, c) && !c->rc) {
    c->rc = -1;
    c->place->number = c->row_line;
    return bad_row(c, c->n + 1, "a quote that is never closed",
                   "close it, or double it where the cell has one");
  }
  if (!c->rc && !c->n_columns)
    return c->rc = bad_row(c, 0, "no header", "the first row names the columns");
  return c->rc;
}
