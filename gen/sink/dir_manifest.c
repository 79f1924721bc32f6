#include "core/base/json.h"
#include "gen/sink/dir_impl.h"

#define MANIFEST_MAX ((size_t)256 << 20)

static bool wrote_by_us(const hm_json *m) {
  const hm_json *tool = hm_json_get(m, "tool"), *files = hm_json_get(m, "files");
  return tool && tool->type == HM_JSON_STRING && hm_str_starts(tool->text, "hmirror ") && files &&
         files->type == HM_JSON_ARRAY;
}

static void add_file(hm_dir_manifest *m, hm_str path) {
  hm_map_add(&m->files, path, 1);
  for (hm_str d = hm_fs_parent(path); d.n && hm_map_get(&m->dirs, d) == HM_MAP_NONE; d = hm_fs_parent(d))
    hm_map_add(&m->dirs, d, 1);
}

/* The manifest is data from outside: its paths are only ever looked up among
 * those that a scan found, never opened. */
void hm_dir_manifest_read(int root, hm_arena *a, hm_dir_manifest *m) {
  *m = (hm_dir_manifest){ 0 };
  hm_str bytes;
  hm_json *j;
  hm_map_init(&m->files, a, 0);
  hm_map_init(&m->dirs, a, 0);
  if (hm_fs_read_at(root, "manifest.json", MANIFEST_MAX, a, &bytes) != 0) return;
  if (hm_json_parse(a, bytes, &j, NULL) != 0 || !wrote_by_us(j)) return;
  m->present = true;
  add_file(m, HM_STR("manifest.json"));
  for (const hm_json *f = hm_json_get(j, "files")->child; f; f = f->next) {
    const hm_json *path = hm_json_get(f, "path");
    if (path && path->type == HM_JSON_STRING && path->text.n && path->text.n < PATH_MAX) add_file(m, path->text);
  }
}

void hm_dir_mark_ours(hm_dir_scan *s, const hm_dir_manifest *m) {
  for (size_t i = 0; i < s->n; i++) {
    hm_dir_entry *e = &s->e[i];
    e->ours = hm_map_get(S_ISDIR(e->st.st_mode) ? &m->dirs : &m->files, e->path) != HM_MAP_NONE;
  }
}
