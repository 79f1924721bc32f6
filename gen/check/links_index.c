#include <string.h>

#include "gen/check/links_impl.h"

static void add_folders(hm_map *folders, hm_str path) {
  for (const char *slash; (slash = memrchr(path.p, '/', path.n));) {
    path.n = (size_t)(slash - path.p);
    if (hm_map_get(folders, path) != HM_MAP_NONE) return;
    hm_map_add(folders, path, 1);
  }
}

void hm_links_index_make(hm_links_index *x, const hm_links_input *in, hm_arena *a) {
  x->in = in;
  hm_map_init(&x->files, a, in->site->n);
  hm_map_init(&x->folders, a, 64);
  hm_map_add(&x->folders, HM_EMPTY, 1);
  for (size_t i = 0; i < in->site->n; i++) {
    hm_map_add(&x->files, in->site->files[i].path, (uint32_t)i);
    add_folders(&x->folders, in->site->files[i].path);
  }
}

uint32_t hm_links_find(const hm_links_index *x, hm_str path, bool markdown, hm_arena *scratch) {
  uint32_t file = hm_map_get(&x->files, path);
  if (file != HM_MAP_NONE) return file;
  while (path.n && path.p[path.n - 1] == '/') path.n--;
  if (hm_map_get(&x->folders, path) == HM_MAP_NONE) return HM_LINKS_NONE;
  file = hm_map_get(&x->files,
                    hm_str_fmt(scratch, "%.*s%s%s", HM_FMT(path), path.n ? "/" : "",
                               markdown ? "README.md" : "index.html"));
  if (file != HM_MAP_NONE) return file;
  return markdown ? HM_LINKS_FOLDER : HM_LINKS_NONE;
}
