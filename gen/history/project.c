/* Projects and their folders: "projects/p05/" with the pages, "data/p05/" with the data files, of
 * which "data/p05/project.jsonl" says what the project is called. */
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "gen/history/history_impl.h"

/* --- paths -------------------------------------------------------------------- */

static const char data[] = "data/", projects[] = "projects/";

hm_str hm_project_folder(hm_str path) {
  size_t from = hm_str_starts(path, data) ? sizeof data - 1
      : hm_str_starts(path, projects)     ? sizeof projects - 1
                                          : 0;
  const char *slash = from ? memchr(path.p + from, '/', path.n - from) : NULL;
  return slash ? hm_str_sub(path, from, (size_t)(slash - path.p)) : HM_EMPTY;
}

bool hm_is_beside(hm_str path, hm_str other) {
  hm_str folder = hm_project_folder(path);
  size_t n = folder.n ? (size_t)(folder.p + folder.n + 1 - path.p) : 0;
  return n && other.n > n && memcmp(path.p, other.p, n) == 0;
}

bool hm_is_list_data(hm_str path) {
  hm_str folder = hm_project_folder(path), name = hm_str_sub(path, sizeof data + folder.n, path.n);
  return hm_str_starts(path, data) && folder.n && hm_str_ends(name, ".jsonl") &&
      !hm_str_is(name, "project.jsonl");
}

/* --- what they are called --------------------------------------------------------- */

static hm_str text_of(const hm_json *v, const char *key, hm_str otherwise) {
  const hm_json *t = hm_json_get(v, key);
  return t && t->type == HM_JSON_STRING ? t->text : otherwise;
}

static void read_project(hm_told_project *p, const hm_json *v, hm_arena *a) {
  const hm_json *list = hm_json_get(v, "aliases");
  p->id = text_of(v, "id", p->id);
  p->name = text_of(v, "name", p->name);
  if (!list || list->type != HM_JSON_ARRAY) return;
  p->aliases = hm_alloc_array(a, list->count + 1, sizeof *p->aliases);
  for (const hm_json *s = list->child; s; s = s->next)
    if (s->type == HM_JSON_STRING) p->aliases[p->n_aliases++] = s->text;
}

/* It is on the line after the first. */
static void read_file(hm_told_project *p, hm_str bytes, hm_arena *a) {
  const char *nl = bytes.n ? memchr(bytes.p, '\n', bytes.n) : NULL;
  hm_json *v;
  hm_err ignored;
  if (nl && hm_json_parse(a, hm_str_sub(bytes, (size_t)(nl - bytes.p), bytes.n), &v, &ignored) == 0)
    read_project(p, v, a);
}

static hm_told_project *add(hm_history *h, hm_str folder) {
  if (h->n == h->cap) {
    h->cap = h->cap ? 2 * h->cap : 16;
    h->projects = hm_xrealloc(h->projects, h->cap * sizeof *h->projects);
  }
  hm_told_project *p = &h->projects[h->n];
  *p = (hm_told_project){ .folder = hm_str_dup(h->a, folder), .name = HM_EMPTY };
  p->id = hm_str_is(folder, "global") ? HM_EMPTY : p->folder;
  hm_map_add(&h->by_folder, p->folder, (uint32_t)h->n++);
  return p;
}

const hm_told_project *hm_history_project(hm_history *h, hm_str folder, const char *other) {
  uint32_t at = hm_map_get(&h->by_folder, folder);
  if (at != HM_MAP_NONE) return &h->projects[at];
  hm_str bytes, path = hm_str_fmt(h->a, "data/%.*s/project.jsonl", HM_FMT(folder));
  bool found = false;
  hm_err ignored;
  if (hm_git_blob(h->g, h->tip, path, h->a, &bytes, &found, &ignored) != 0) found = false;
  if (!found && hm_git_blob(h->g, other, path, h->a, &bytes, &found, &ignored) != 0) found = false;
  hm_told_project *p = add(h, folder);
  if (found) read_file(p, bytes, h->a);
  return p;
}
