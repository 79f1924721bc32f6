/* See data_rows.h. Cost: linear in the lines, and a parse of those that differ. */
#include "gen/history/data_rows.h"

#include <stdlib.h>
#include <string.h>

/* --- paths -------------------------------------------------------------------- */

static const char data_folder[] = "data/", page_folder[] = "projects/";

hm_str hm_project_folder(hm_str path) {
  size_t from = 0;
  if (hm_str_starts(path, data_folder)) from = sizeof data_folder - 1;
  if (hm_str_starts(path, page_folder)) from = sizeof page_folder - 1;
  const char *slash = from ? memchr(path.p + from, '/', path.n - from) : NULL;
  return slash ? hm_str_sub(path, from, (size_t)(slash - path.p)) : HM_EMPTY;
}

bool hm_is_beside(hm_str path, hm_str other) {
  hm_str folder = hm_project_folder(path);
  size_t n = folder.n ? (size_t)(folder.p + folder.n + 1 - path.p) : 0;
  return n && other.n > n && memcmp(path.p, other.p, n) == 0;
}

bool hm_is_list_data(hm_str path) {
  hm_str folder = hm_project_folder(path);
  hm_str name = hm_str_sub(path, sizeof data_folder + folder.n, path.n);
  return hm_str_starts(path, data_folder) && folder.n && hm_str_ends(name, ".jsonl") &&
      !hm_str_is(name, "project.jsonl");
}

/* --- rows ------------------------------------------------------------------------- */

static const char first_line[] = "{\"kind\":\"mirror-data\",\"format\":1}\n";

void hm_data_rows_init(hm_data_rows *d, hm_arena *a) {
  *d = (hm_data_rows){ .a = a };
  hm_map_init(&d->by_key, a, 64);
}

void hm_data_rows_free(hm_data_rows *d) {
  free(d->rows);
  free(d->before.v);
  free(d->after.v);
}

bool hm_data_rows_of(hm_str bytes, hm_str *rows) {
  bool known = hm_str_starts(bytes, first_line);
  *rows = known ? hm_str_sub(bytes, sizeof first_line - 1, bytes.n) : HM_EMPTY;
  return known || !bytes.n;
}

bool hm_data_next_line(hm_str s, size_t *at, hm_str *line) {
  while (*at < s.n) {
    const char *nl = memchr(s.p + *at, '\n', s.n - *at);
    *line = hm_str_sub(s, *at, nl ? (size_t)(nl - s.p) : s.n);
    *at += line->n + 1;
    if (line->n) return true;
  }
  return false;
}

void hm_data_rows_add(hm_data_rows *d, hm_str rows, bool after) {
  hm_data_lines *l = after ? &d->after : &d->before;
  hm_str line;
  for (size_t at = 0; hm_data_next_line(rows, &at, &line);) {
    l->v = hm_array_grow(l->v, l->n, &l->cap, sizeof *l->v);
    l->v[l->n++] = line;
  }
}

static hm_fact_pair *row_at(hm_data_rows *d, hm_str key) {
  uint32_t at = hm_map_get(&d->by_key, key);
  if (at != HM_MAP_NONE) return &d->rows[at];
  d->rows = hm_array_grow(d->rows, d->n, &d->cap, sizeof *d->rows);
  hm_map_add(&d->by_key, key, (uint32_t)d->n);
  d->rows[d->n] = (hm_fact_pair){ 0 };
  return &d->rows[d->n++];
}

/* A row that stands for itself in the pair of its id. */
static void add_row(hm_data_rows *d, hm_str line, hm_str folder, bool after) {
  hm_fact *f = hm_alloc(d->a, sizeof *f);
  if (!hm_fact_read(line, folder, d->a, f)) return;
  hm_fact_pair *r = row_at(d, f->key);
  if (after) r->after = f;
  else r->before = f;
}

void hm_data_rows_join(hm_data_rows *d, hm_str folder) {
  const hm_data_lines *before = &d->before, *after = &d->after;
  hm_map same;
  bool *stays = hm_alloc_array(d->a, after->n + 1, sizeof *stays);
  hm_map_init(&same, d->a, after->n);
  for (size_t i = 0; i < after->n; i++) {
    hm_map_set(&same, after->v[i], (uint32_t)i);
    d->active += hm_fact_line_is_active(after->v[i]);
  }
  for (size_t i = 0; i < before->n; i++) {
    uint32_t at = hm_map_get(&same, before->v[i]);
    if (at == HM_MAP_NONE) add_row(d, before->v[i], folder, false);
    else stays[at] = true;
  }
  for (size_t i = 0; i < after->n; i++)
    if (!stays[i]) add_row(d, after->v[i], folder, true);
  d->before.n = d->after.n = 0;
}
