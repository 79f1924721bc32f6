/* Files of instructions for agents: which other files they import ("@docs/style.md"), and which are
 * copies of each other. Cost: each such file is read once more. */
#include <string.h>

#include "core/base/digest.h"
#include "core/notes/notes_impl.h"

enum { IMPORTS_MAX = 100 };

static hm_str folder_of(hm_str path) {
  return hm_str_sub(path, 0, path.n - hm_str_behind_last(path, '/').n);
}

static bool in_code(const hm_doc_part *p, size_t at) {
  for (uint32_t i = 0; i < p->n_spans; i++)
    if (p->spans[i].mark == HM_DOC_SPAN_CODE && p->spans[i].from <= at && at < p->spans[i].to)
      return true;
  return false;
}

/* "docs/style.md" of "@docs/style.md" at i; empty: no import of a document below the folder. */
static hm_str import_at(const hm_doc_part *p, size_t i) {
  bool begins = p->text.p[i] == '@' && (!i || strchr(" (\"'", p->text.p[i - 1]));
  size_t end = i + 1;
  while (end < p->text.n && !strchr(" )\"',;", p->text.p[end]))
    end++;
  hm_str path = hm_str_sub(p->text, i + 1, end);
  while (path.n && strchr(".:", path.p[path.n - 1]))
    path.n--;
  while (hm_str_starts(path, "./"))
    path = hm_str_sub(path, 2, path.n);
  bool climbs = hm_str_starts(path, "../") || hm_str_find(path, "/../") >= 0;
  if (!begins || in_code(p, i) || !path.n || strchr("/~", path.p[0]) || climbs)
    return HM_EMPTY;
  return hm_tree_kind_of(path) == HM_TREE_NOTES ? path : HM_EMPTY;
}

typedef struct {
  hm_arena *a;
  hm_map seen; /* paths of the tree, and imports */
  hm_notes_import *v;
  size_t n, cap;
} imports;

static void add_imports(imports *out, const hm_tree_file *f, hm_str text, hm_arena *work) {
  hm_document doc;
  hm_arena *parser = hm_arena_new();
  hm_doc_read(&doc, text, work, parser);
  hm_arena_free(parser);
  for (size_t k = 0; k < doc.n; k++) {
    const hm_doc_part *p = &doc.parts[k];
    if (p->kind == HM_DOC_CODE || p->kind == HM_DOC_COMMENT)
      continue;
    for (size_t i = 0; i < p->text.n && out->n < IMPORTS_MAX; i++) {
      hm_str path = p->text.p[i] == '@' ? import_at(p, i) : HM_EMPTY;
      if (!path.n)
        continue;
      hm_str folder = folder_of(f->path), word = HM_CAT(out->a, folder, path);
      if (hm_map_get(&out->seen, word) != HM_MAP_NONE)
        continue;
      hm_map_add(&out->seen, word, 0);
      out->v = hm_array_grow_in(out->a, out->v, out->n, &out->cap, sizeof *out->v);
      out->v[out->n++] = (hm_notes_import){ word, folder.n };
    }
  }
}

int hm_notes_list_imports(const hm_tree *t, const hm_str *imported, size_t n_imported, hm_arena *a,
                          hm_notes_import **out, size_t *n, hm_err *err) {
  hm_arena *work = hm_arena_new();
  imports all = { .a = a };
  int rc = 0;
  hm_map before;
  hm_map_init(&before, a, n_imported);
  for (size_t i = 0; i < n_imported; i++)
    hm_map_add(&before, imported[i], 0);
  hm_map_init(&all.seen, a, t->n_files);
  for (size_t i = 0; i < t->n_files; i++)
    hm_map_add(&all.seen, t->files[i].path, 0);
  for (size_t i = 0; i < t->n_files && !rc; i++) {
    hm_str text;
    hm_arena_reset(work);
    bool reads = note_is_for_agents(t->files[i].source, work) ||
        hm_map_get(&before, t->files[i].path) != HM_MAP_NONE;
    if (t->files[i].kind != HM_TREE_NOTES || !reads)
      continue;
    rc = hm_tree_read(&t->files[i], work, &text, err);
    if (!rc)
      add_imports(&all, &t->files[i], text, work);
  }
  hm_arena_free(work);
  *out = all.v;
  *n = all.n;
  return rc;
}

int hm_notes_drop_copies(hm_tree *t, hm_arena *a, hm_err *err) {
  hm_map seen;
  size_t kept = 0;
  int rc = 0;
  hm_map_init(&seen, a, 16);
  for (size_t i = 0; i < t->n_files; i++) {
    const hm_tree_file *f = &t->files[i];
    hm_str text, key;
    uint32_t of = HM_MAP_NONE;
    if (!rc && f->kind == HM_TREE_NOTES && f->size > 0 && note_is_for_agents(f->source, a)) {
      hm_arena *work = hm_arena_new();
      rc = hm_tree_read(f, work, &text, err);
      key = rc ? HM_EMPTY : HM_CAT(a, folder_of(f->source), hm_str_digest_hex(a, text, 32));
      of = rc ? HM_MAP_NONE : hm_map_get(&seen, key);
      if (!rc)
        hm_map_add(&seen, key, (uint32_t)kept);
      hm_arena_free(work);
    }
    if (of != HM_MAP_NONE)
      hm_tree_skip_file(t, f, HM_TREE_SKIP_COPY, t->files[of].source, a);
    else
      t->files[kept++] = *f;
  }
  t->n_files = kept;
  return rc;
}
