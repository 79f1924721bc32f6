/* Documents that were renamed: import_renames.h.
 *
 * A new document has the place of one that is gone where it has at least half of its rows: the one
 * that has most of them, among equals the first by name. Cost: the rows of new documents, once read
 * and once for each one that is gone, bounded by DIGESTS. */
#include "gen/verbs/import_renames.h"

#include "core/notes/notes.h"

enum { DIGESTS = 2000000 };

typedef struct {
  const hm_imported_file *file;
  hm_notes_told told;
  bool read, taken;
} new_document;

struct hm_import_renames {
  hm_import_report *r;
  new_document *v;
  size_t n, digests;
};

static bool is_document(const hm_imported_file *f) {
  return f->file && (f->file->kind == HM_TREE_NOTES || f->file->kind == HM_TREE_LIST);
}

int hm_import_renames_begin(hm_import_report *r, hm_store *store, hm_import_renames **out) {
  hm_cli *cli = r->cli;
  hm_import_renames *x = *out = hm_alloc(cli->a, sizeof *x);
  hm_str *known = NULL, *rows;
  size_t n_known, n_rows;
  hm_map there;
  x->r = r;
  if (!r->tree.tree)
    return 0;
  if (hm_import_list_sources(store, cli->a, &known, &n_known, &cli->err))
    return -1;
  hm_map_init(&there, cli->a, n_known);
  for (size_t i = 0; i < n_known; i++)
    hm_map_add(&there, known[i], 0);
  x->v = hm_alloc_array(cli->a, r->n + 1, sizeof *x->v);
  for (size_t i = 0; i < r->n && n_known; i++) {
    const hm_imported_file *f = &r->files[i];
    bool is_known = hm_map_get(&there, f->source) != HM_MAP_NONE;
    if (!is_document(f))
      continue;
    n_rows = 0; /* one that went, or was a copy, and is back has none */
    if (is_known && hm_import_list_rows(store, f->source, cli->a, &rows, &n_rows, &cli->err))
      return -1;
    if (!n_rows)
      x->v[x->n++] = (new_document){ .file = f };
  }
  return 0;
}

static int ignore_record(void *ctx, const hm_json *record) {
  (void)ctx;
  (void)record;
  return 0;
}

static int read_document(hm_import_renames *x, new_document *d) {
  hm_cli *cli = x->r->cli;
  hm_str bytes;
  hm_record_place place = { .name = d->file->name, .err = &cli->err };
  d->told = (hm_notes_told){ .a = cli->a, .top = d->file->file->top, .keeps_rows = true };
  d->read = true;
  return hm_tree_read(d->file->file, cli->a, &bytes, &cli->err) ||
          hm_notes_read(&place, d->file->source, bytes, d->file->file->kind == HM_TREE_LIST,
                        x->r->records, ignore_record, NULL, &d->told)
      ? -1
      : 0;
}

int hm_import_read_copied(hm_import_renames *x, hm_store *store, hm_str copy, hm_str of,
                          const hm_notes_told **out) {
  const hm_import_report *r = x->r;
  hm_str *rows;
  size_t n;
  *out = NULL;
  if (hm_import_list_rows(store, copy, r->cli->a, &rows, &n, &r->cli->err))
    return -1;
  for (size_t i = 0; i < r->n && n && !*out; i++) {
    if (!is_document(&r->files[i]) || !hm_str_eq(r->files[i].source, of))
      continue;
    new_document *d = hm_alloc(r->cli->a, sizeof *d);
    *d = (new_document){ .file = &r->files[i] };
    if (read_document(x, d))
      return -1;
    *out = &d->told;
  }
  return 0;
}

static size_t count_same(hm_import_renames *x, const new_document *d, hm_str gone,
                         const hm_map *rows) {
  hm_arena *a = hm_arena_new();
  size_t same = 0;
  for (size_t i = 0; i < d->told.n_rows && x->digests < DIGESTS; i++, x->digests++) {
    hm_arena_reset(a);
    hm_str id = hm_notes_row_id(&d->told.rows[i], gone, a);
    same += hm_map_get(rows, HM_CAT(a, HM_STR("memory:"), id)) != HM_MAP_NONE;
  }
  hm_arena_free(a);
  return same;
}

int hm_import_find_renamed(hm_import_renames *x, hm_store *store, hm_str gone,
                           const hm_notes_told **out, hm_str *source) {
  hm_cli *cli = x->r->cli;
  hm_str *refs;
  hm_map rows;
  size_t n, most = 0;
  new_document *best = NULL;
  *out = NULL;
  if (!x->n)
    return 0;
  if (hm_import_list_rows(store, gone, cli->a, &refs, &n, &cli->err))
    return -1;
  hm_map_init(&rows, cli->a, n);
  for (size_t i = 0; i < n; i++)
    hm_map_add(&rows, refs[i], 0);
  for (size_t i = 0; i < x->n; i++) {
    new_document *d = &x->v[i];
    if (d->taken)
      continue;
    if (!d->read && read_document(x, d))
      return -1;
    size_t same = count_same(x, d, gone, &rows);
    if (same <= most || 2 * same < n)
      continue;
    best = d;
    most = same;
  }
  if (!best)
    return 0;
  best->taken = true;
  *out = &best->told;
  *source = best->file->source;
  return 0;
}
