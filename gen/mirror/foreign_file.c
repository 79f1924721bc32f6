/* A file of another program by a map: one of rows (CSV, JSON Lines, JSON, YAML) becomes a private
 * SQLite file, so that one map and one guess serve every kind of file. What a store exports is what
 * an import takes: the records of a file are the export of what the map makes of it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/foreign/readers.h"
#include "core/store/import.h"
#include "gen/mirror/mirror.h"

typedef enum { OF_ROWS, OF_SQLITE, OURS } file_is;

static file_is look_at(const char *path) {
  static const char magic[16] = "SQLite format 3";
  enum { APPLICATION = 68, HEADER = 100 };
  unsigned char head[HEADER] = "";
  FILE *in = fopen(path, "re");
  size_t n = in ? fread(head, 1, sizeof head, in) : 0;
  if (in)
    fclose(in);
  if (n < HEADER || memcmp(head, magic, sizeof magic))
    return OF_ROWS;
  const unsigned char *p = head + APPLICATION;
  uint32_t id = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
  return id == HM_STORE_APPLICATION_ID ? OURS : OF_SQLITE;
}

static FILE *open_file(const char *path, hm_err *err) {
  FILE *in = fopen(path, "re");
  if (!in)
    hm_fail(err, HM_E_INPUT, path, strerror(errno), hm_errno_suggest_fix(errno));
  return in;
}

static bool is_yaml(FILE *in, const char *name) {
  char head[HM_FORMAT_HEAD];
  const char *is = "", *way;
  size_t n = fread(head, 1, sizeof head, in);
  rewind(in);
  return hm_format_guess(hm_str_c(name), (hm_str){ head, n }, &is, &way) && !strcmp(is, "YAML");
}

/* The file of rows at f->path, of YAML as JSON. */
static FILE *open_rows(const hm_foreign_file *f, hm_err *err) {
  FILE *in = open_file(f->path, err);
  if (!in || !is_yaml(in, f->path))
    return in;
  FILE *json = hm_yaml_as_json(in, f->path, err);
  fclose(in);
  if (!json || f->n_map || hm_file_rows_kind(json, f->path) != HM_FILE_RECORDS) {
    if (json)
      rewind(json);
    return json;
  }
  hm_arena *a = hm_arena_new();
  static const char way[] = "yq . FILE >records.json && hmirror init --from records.json mirror";
  hm_fail(err, HM_E_INPUT, f->path, "it is YAML of records, which need no map",
          hm_format_fill(a, way, hm_str_c(f->path)).p);
  hm_arena_free(a);
  fclose(json);
  return NULL;
}

int hm_foreign_file_open(const hm_foreign_file *f, hm_store **out, hm_err *err) {
  hm_store_source src = { .path = f->path,
                          .called = f->path,
                          .review = "",
                          .map = f->map,
                          .n_map = f->n_map,
                          .survey = !f->n_map };
  char *made = NULL;
  *out = NULL;
  file_is is = f->in ? OF_ROWS : look_at(f->path);
  if (is == OURS)
    return hm_failf(err, HM_E_INPUT, f->path, "hmirror --store FILE export | hmirror import -",
                    "it is a store of hmirror's, which needs no map");
  if (is == OF_ROWS) {
    FILE *in = f->in ? f->in : open_rows(f, err);
    int rc = in ? hm_store_from_rows(in, f->path, f->encoding, &made, err) : -1;
    if (in && in != f->in)
      fclose(in);
    if (rc)
      return -1;
    src.path = made;
  }
  int rc = hm_store_open_source(out, &src, HM_STORE_READ, HM_BUSY_MS, err);
  if (made)
    unlink(made);
  free(made);
  return rc;
}

/* Of a record without an id of its own what it says is its id, as of any line of the import format:
 * it may move in its file. */
static hm_str drop_row_number(hm_str line, hm_buf *b) {
  static const char *const kinds[] = { "memory", "project_state", "relation" };
  for (size_t i = 0; i < HM_COUNT(kinds); i++) {
    char begin[80];
    snprintf(begin, sizeof begin, "{\"kind\":\"%s\",\"id\":\"" HM_ROW_NUMBER, kinds[i]);
    size_t end = strlen(begin);
    if (!hm_str_starts(line, begin))
      continue;
    while (end < line.n && line.p[end] != '"')
      end += line.p[end] == '\\' ? 2 : 1;
    hm_buf_clear(b);
    hm_buf_fmt(b, "{\"kind\":\"%s\"", kinds[i]);
    hm_buf_str(b, hm_str_sub(line, end + 1, line.n));
    return hm_buf_view(b);
  }
  return line;
}

static FILE *new_file(hm_err *err) {
  FILE *f = tmpfile();
  if (!f)
    hm_fail(err, HM_E_OUTPUT, "a temporary file", strerror(errno), hm_errno_suggest_fix(errno));
  return f;
}

/* Closes the export. */
static FILE *without_row_numbers(FILE *export, hm_err *err) {
  FILE *out = new_file(err);
  char *line = NULL;
  size_t cap = 0;
  hm_buf b = { 0 };
  rewind(export);
  for (ssize_t n; out && (n = getline(&line, &cap, export)) > 0;) {
    hm_str kept = drop_row_number((hm_str){ line, (size_t)n }, &b);
    fwrite(kept.p, 1, kept.n, out);
  }
  if (out && (ferror(export) || fflush(out))) {
    hm_fail(err, HM_E_OUTPUT, "a temporary file", strerror(errno), hm_errno_suggest_fix(errno));
    fclose(out);
    out = NULL;
  }
  free(line);
  hm_buf_free(&b);
  fclose(export);
  return out;
}

FILE *hm_foreign_file_records(const hm_foreign_file *f, hm_err *err) {
  hm_store *s = NULL;
  if (hm_foreign_file_open(f, &s, err))
    return NULL;
  FILE *out = new_file(err);
  if (out && hm_export(s, out, err)) {
    fclose(out);
    out = NULL;
  }
  hm_store_close(s);
  out = out ? without_row_numbers(out, err) : NULL;
  if (out)
    rewind(out);
  return out;
}
