#include <unistd.h>

#include "gen/sink/dir_impl.h"
#include "gen/site/manifest.h"

#define MANIFEST_MAX ((size_t)256 << 20)

static void add_file(hm_dir_manifest *m, hm_str path) {
  hm_map_add(&m->files, path, 1);
  for (hm_str d = hm_fs_parent(path); d.n && hm_map_get(&m->dirs, d) == HM_MAP_NONE;
       d = hm_fs_parent(d))
    hm_map_add(&m->dirs, d, 1);
}

static void add_files(hm_dir_manifest *m, const hm_manifest *from) {
  for (size_t i = 0; i < from->n; i++)
    if (from->rows[i].path.n < PATH_MAX) add_file(m, from->rows[i].path);
}

/* Of a folder below root, or of root itself; left: how many bytes may still be read. */
static bool read_one(int root, hm_str folder, hm_arena *a, size_t *left, hm_manifest *out) {
  hm_str bytes;
  int dir = hm_fs_dir_at(root, folder);
  int rc = dir < 0 ? -1 : hm_fs_read_at(dir, "manifest.json", *left, a, &bytes);
  if (dir >= 0) close(dir);
  if (rc != 0) return false;
  *left -= bytes.n;
  return hm_manifest_read(bytes, folder, a, out);
}

/* The manifest is data from outside: its paths are only ever looked up among
 * those that a scan found, never opened, but for the manifests of folders, which can name only what
 * is below them. */
void hm_dir_manifest_read(int root, hm_arena *a, hm_dir_manifest *m) {
  hm_manifest top, below;
  size_t left = MANIFEST_MAX;
  *m = (hm_dir_manifest){ 0 };
  hm_map_init(&m->files, a, 0);
  hm_map_init(&m->dirs, a, 0);
  hm_map_init(&m->manifests, a, 0);
  if (!read_one(root, HM_EMPTY, a, &left, &top) || !hm_str_starts(top.tool, "hmirror ")) return;
  m->present = true;
  add_file(m, HM_STR("manifest.json"));
  add_files(m, &top);
  for (size_t i = 0; i < top.n; i++) {
    hm_str path = top.rows[i].path;
    if (!top.rows[i].names || hm_map_get(&m->manifests, path) != HM_MAP_NONE) continue;
    hm_map_add(&m->manifests, path, 1);
    if (read_one(root, hm_manifest_folder(path), a, &left, &below)) add_files(m, &below);
  }
}

void hm_dir_mark_ours(hm_dir_scan *s, const hm_dir_manifest *m) {
  for (size_t i = 0; i < s->n; i++) {
    hm_dir_entry *e = &s->e[i];
    e->ours = hm_map_get(S_ISDIR(e->st.st_mode) ? &m->dirs : &m->files, e->path) != HM_MAP_NONE;
  }
}
