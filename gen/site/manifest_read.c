#include <string.h>

#include "core/base/json.h"
#include "gen/site/manifest.h"
#include "gen/site/site.h"

static const char projects[] = "projects/", data[] = "data/", conflicts[] = "conflicts/";

hm_str hm_manifest_folder(hm_str path) {
  if (hm_str_starts(path, conflicts)) return hm_str_sub(path, 0, sizeof conflicts - 2);
  bool is_data = hm_str_starts(path, data);
  if (!is_data && !hm_str_starts(path, projects)) return HM_EMPTY;
  size_t from = is_data ? sizeof data - 1 : sizeof projects - 1;
  const char *slash = memchr(path.p + from, '/', path.n - from);
  return slash ? hm_str_sub(path, 0, (size_t)(slash - path.p)) : HM_EMPTY;
}

static hm_str text(const hm_json *v, const char *key) {
  const hm_json *s = hm_json_get(v, key);
  return s && s->type == HM_JSON_STRING ? s->text : HM_EMPTY;
}

static uint64_t number(const hm_json *v, const char *key) {
  const hm_json *n = hm_json_get(v, key);
  uint64_t value = 0;
  if (!n || n->type != HM_JSON_NUMBER || n->text.n > 18) return 0;
  for (size_t i = 0; i < n->text.n; i++) {
    if (n->text.p[i] < '0' || n->text.p[i] > '9') return 0;
    value = value * 10 + (uint64_t)(n->text.p[i] - '0');
  }
  return value;
}

static bool is_folders(hm_str path) {
  hm_str folder = hm_manifest_folder(path);
  return folder.n && hm_str_is(hm_str_sub(path, folder.n, path.n), "/manifest.json") &&
      hm_site_path_ok(path);
}

bool hm_manifest_read(hm_str bytes, hm_str folder, hm_arena *a, hm_manifest *out) {
  hm_json *j;
  *out = (hm_manifest){ 0 };
  if (!bytes.n || hm_json_parse(a, bytes, &j, NULL) != 0) return false;
  const hm_json *files = hm_json_get(j, "files");
  if (!files || files->type != HM_JSON_ARRAY || !hm_str_eq(text(j, "folder"), folder)) return false;
  out->tool = text(j, "tool");
  out->templates = text(j, "templates");
  out->rows = hm_alloc_array(a, files->count, sizeof *out->rows);
  for (const hm_json *f = files->child; f; f = f->next) {
    hm_manifest_row r = { .path = text(f, "path"), .sha256 = text(f, "sha256") };
    if (!r.path.n || (folder.n && !hm_str_eq(hm_manifest_folder(r.path), folder))) continue;
    if (!folder.n && is_folders(r.path)) r.names = number(f, "files");
    out->rows[out->n++] = r;
  }
  return true;
}
