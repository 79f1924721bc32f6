/* Any file of rows: CSV, JSON Lines, and JSON as one list or as an object of lists.
 *
 * Its first line that is not blank says which: '[' and '{' begin JSON, anything else is the header
 * of CSV. An object is one row of JSON Lines, unless it goes on in the next line, or is the only
 * line and has a list of objects. Nothing is known here of what the rows mean.
 * Cost: linear; memory is bounded by the longest row. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/foreign/readers.h"
#include "core/foreign/record_maker.h"

typedef struct {
  hm_record_place *place;
  hm_file_row *each;
  void *ctx;
  hm_arena *a; /* of one row */
  hm_csv *csv;
  hm_json_document *document;
  bool begun;
  int rc;
} reader;

static int give_cell(reader *r, hm_str list, const hm_json *value) {
  hm_json cell = *value, row = { .type = HM_JSON_OBJECT, .child = &cell, .count = 1 };
  cell.key = HM_STR("content");
  cell.next = NULL;
  return r->each(r->ctx, list, &row);
}

static int give_text(reader *r, hm_str list, hm_str text) {
  hm_arena_reset(r->a);
  const hm_json *v = hm_record_parse_line(r->place, text, r->a);
  if (!v)
    return -1;
  return v->type == HM_JSON_OBJECT ? r->each(r->ctx, list, v) : give_cell(r, list, v);
}

static int take_csv_row(void *ctx, const hm_json *row) {
  reader *r = ctx;
  return row ? r->each(r->ctx, HM_EMPTY, row) : -1;
}

/* An element of a document, which the place names by its number. */
static int take_element(void *ctx, hm_str list, hm_str text, int64_t n) {
  reader *r = ctx;
  hm_record_place whole = *r->place;
  char name[480];
  snprintf(name, sizeof name, "%.400s: record %lld", whole.name, (long long)n);
  r->place->name = name;
  r->place->number = 0;
  int rc = give_text(r, list, text);
  *r->place = whole;
  return rc;
}

/* The only line, an object that has a list of objects. */
static bool is_document_line(reader *r, hm_str line, hm_str head) {
  const char *end = memchr(head.p, '\n', head.n);
  hm_str rest = end ? hm_str_sub(head, (size_t)(end - head.p), head.n) : HM_EMPTY;
  hm_json *v;
  if (hm_str_trim(rest).n || hm_json_parse(r->a, line, &v, NULL) || v->type != HM_JSON_OBJECT)
    return false;
  for (const hm_json *m = v->child; m; m = m->next)
    if (m->type == HM_JSON_ARRAY && m->child && m->child->type == HM_JSON_OBJECT)
      return true;
  return false;
}

static void begin(reader *r, hm_str line, hm_str head) {
  hm_str seen = hm_str_trim(line);
  r->begun = true;
  if (!hm_str_starts(seen, "{") && !hm_str_starts(seen, "["))
    r->csv = hm_csv_new(HM_CSV_CELLS, r->place, take_csv_row, r);
  else if (hm_json_begins_document(line, head) || is_document_line(r, seen, head))
    r->document = hm_json_document_new(r->place, take_element, r);
}

static int read_line(reader *r, const hm_lines *l, hm_str line) {
  hm_str trimmed = hm_str_trim(line);
  if (!r->begun && !trimmed.n)
    return 0;
  if (!r->begun)
    begin(r, line, (hm_str){ l->head, l->n_head });
  if (r->csv)
    return hm_csv_line(r->csv, line);
  if (r->document)
    return hm_json_document_line(r->document, line);
  return trimmed.n ? give_text(r, HM_EMPTY, trimmed) : 0;
}

/* A file that is none of these is named by its kind. */
static int refuse_kind(reader *r, hm_str head) {
  const char *is, *way;
  if (!hm_format_guess(hm_str_c(r->place->name), head, &is, &way) || !strcmp(is, "CSV") ||
      !strcmp(is, "a JSON array") || !strcmp(is, "JSON over several lines"))
    return 0;
  return hm_failf(r->place->err, HM_E_INPUT, r->place->name,
                  hm_format_fill(r->a, way, hm_str_c(r->place->name)).p,
                  "is %s, neither CSV, JSON nor JSON Lines", is);
}

static int read_lines(reader *r, FILE *in, hm_encoding encoding) {
  hm_lines *l = memset(hm_xmalloc(sizeof *l), 0, sizeof *l);
  hm_buf decoded = { 0 };
  hm_str line;
  int rc = 0, got;
  l->in = in;
  while (!rc && (got = hm_lines_next(l, &line)) == 1) {
    r->place->number = l->number;
    if (l->number == 1 && refuse_kind(r, (hm_str){ l->head, l->n_head }))
      rc = -1;
    else if (l->too_long)
      rc = hm_record_bad(r->place, "", "a line is longer than 256 MiB", "split it");
    else
      rc = hm_line_decode(r->place, encoding, &line, &decoded) || read_line(r, l, line) ? -1 : 0;
  }
  if (!rc && got < 0)
    rc = hm_fail(r->place->err, HM_E_INPUT, r->place->name, strerror(errno), "check the file");
  hm_buf_free(&decoded);
  hm_buf_free(&l->line);
  free(l);
  if (rc)
    return rc;
  if (r->csv)
    return hm_csv_end(r->csv);
  return r->document ? hm_json_document_end(r->document) : 0;
}

int hm_file_rows_read(FILE *in, hm_record_place *place, hm_encoding encoding, hm_file_row *each,
                      void *ctx) {
  reader r = { .place = place, .each = each, .ctx = ctx, .a = hm_arena_new() };
  int rc = read_lines(&r, in, encoding);
  hm_csv_free(r.csv);
  hm_json_document_free(r.document);
  hm_arena_free(r.a);
  return rc;
}

/* --- what a file is ---------------------------------------------------------------------- */

typedef struct {
  bool any, known;
  hm_arena *a;
} first_row;

static int see_first_row(void *ctx, hm_str list, const hm_json *row) {
  first_row *f = ctx;
  hm_str text = hm_json_as_text(row, f->a);
  f->any = true;
  f->known = hm_str_is(list, "entities") || hm_str_is(list, "relations") ||
      hm_graph_is_line(text) || hm_mem0_is_line(text) || hm_beads_is_line(text) ||
      hm_kind_find(hm_json_get_text(row, "kind")) < HM_N_KINDS;
  return -1;
}

hm_file_rows_is hm_file_rows_kind(FILE *in, const char *name) {
  char head[HM_FORMAT_HEAD];
  size_t n = fread(head, 1, sizeof head, in);
  const char *is = "", *way;
  hm_str seen = { head, n };
  if (hm_str_starts(seen, "\xEF\xBB\xBF"))
    seen = hm_str_sub(seen, 3, n);
  seen = hm_str_trim(seen);
  bool json = hm_str_starts(seen, "{") || hm_str_starts(seen, "[");
  hm_format_guess(hm_str_c(name), (hm_str){ head, n }, &is, &way);
  if (!json) /* what is known to be neither is refused by its name where its rows are read */
    return !*is || !strcmp(is, "a SQLite file") ? HM_FILE_OTHER : HM_FILE_ROWS;
  hm_err none = { 0 };
  hm_record_place place = { .name = name, .err = &none };
  first_row f = { .a = hm_arena_new() };
  rewind(in);
  hm_file_rows_read(in, &place, HM_UTF_8, see_first_row, &f);
  hm_arena_free(f.a);
  return f.any && !f.known ? HM_FILE_ROWS : none.code ? HM_FILE_BROKEN : HM_FILE_RECORDS;
}
