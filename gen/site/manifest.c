/* The manifest read back from a site, in today's form and in that of before. */
#include "gen/site/manifest.h"

#include <string.h>
#include <strings.h>

#include "core/base/json.h"
#include "core/base/str.h"

#define BYTES_MAX ((size_t)256 << 20)   /* of all parts together */

static const char of_folder[] = "/manifest.json";

/* --- paths ------------------------------------------------------------------------ */

enum { PATH_BYTES = 1024, NAME_BYTES = 255, COMPONENTS = 32 };

static bool is_sound_name(hm_str name) {
  if (name.n == 0 || name.n > NAME_BYTES || hm_str_is(name, ".") || hm_str_is(name, ".."))
    return false;
  if (name.n == 4 && strncasecmp(name.p, ".git", 4) == 0) return false;
  for (size_t i = 0; i < name.n; i++) {
    char c = name.p[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && c != '.' && c != '_' && c != '-') return false;
  }
  return true;
}

bool hm_site_path_ok(hm_str path) {
  if (path.n == 0 || path.n > PATH_BYTES) return false;
  int components = 0;
  for (size_t from = 0; from <= path.n;) {
    const char *slash = memchr(path.p + from, '/', path.n - from);
    size_t to = slash ? (size_t)(slash - path.p) : path.n;
    if (++components > COMPONENTS || !is_sound_name(hm_str_sub(path, from, to))) return false;
    from = to + 1;
  }
  return true;
}

hm_str hm_manifest_folder(hm_str path) {
  if (hm_str_starts(path, "conflicts/")) return hm_str_sub(path, 0, sizeof "conflicts" - 1);
  size_t from = hm_str_starts(path, "data/") ? 5 : hm_str_starts(path, "projects/") ? 9 : 0;
  const char *slash = from ? memchr(path.p + from, '/', path.n - from) : NULL;
  return slash ? hm_str_sub(path, 0, (size_t)(slash - path.p)) : HM_EMPTY;
}

/* The project of a file, so that its pages and its data stand in one part; those of the root, which
 * nearly every publication changes, stand in another, those of the search in a third. */
hm_str hm_manifest_group(hm_str path) {
  static const char pictures[] = "pictures/";
  bool root = !memchr(path.p, '/', path.n) || hm_str_starts(path, pictures) ||
      (hm_str_starts(path, "data/") && !hm_manifest_folder(path).n);
  if (root) return HM_STR(".");
  if (hm_str_starts(path, "search/")) return HM_STR("search");
  hm_str folder = hm_manifest_folder(path);
  const char *slash = folder.n ? memchr(folder.p, '/', folder.n) : NULL;
  return slash ? hm_str_sub(folder, (size_t)(slash - folder.p) + 1, folder.n) : HM_EMPTY;
}

hm_str hm_manifest_attributes(void) {
  return HM_STR("# Digests, the index of the search, and drawings: pages beside them say it.\n"
                "# `git diff --text` shows their changes.\n"
                "/manifest.json -diff\n"
                "/manifest/*.json -diff\n"
                "/search/*.js -diff\n"
                "/changes.svg -diff\n"
                "/pictures/*.svg -diff\n"
                "/conflicts/*.svg -diff\n"
                "/projects/**/*.svg -diff\n");
}

/* --- rows ------------------------------------------------------------------------- */

static hm_str text_of(const hm_json *v, const char *key) {
  const hm_json *s = hm_json_get(v, key);
  return s && s->type == HM_JSON_STRING ? s->text : HM_EMPTY;
}

typedef struct { hm_manifest *m; size_t cap; hm_arena *a; } reading;

/* Of the root, of a part, or of a folder's manifest. NULL: json is none. */
static const hm_json *read_rows(reading *r, hm_str json, hm_str folder) {
  hm_manifest *m = r->m;
  hm_json *all;
  if (!json.n || hm_json_parse(r->a, json, &all, NULL) != 0) return NULL;
  const hm_json *files = hm_json_get(all, "files");
  if (!hm_str_eq(text_of(all, "folder"), folder)) return NULL;
  if (!files || files->type != HM_JSON_ARRAY) return hm_json_get(all, "parts") ? all : NULL;
  if (m->n + files->count > r->cap) {
    hm_manifest_row *more;
    r->cap = m->n + files->count > 2 * r->cap ? m->n + files->count : 2 * r->cap;
    more = hm_alloc_array(r->a, r->cap, sizeof *more);
    if (m->n) memcpy(more, m->rows, m->n * sizeof *more);
    m->rows = more;
  }
  for (const hm_json *f = files->child; f; f = f->next) {
    hm_str path = text_of(f, "path");
    if (path.n && (!folder.n || hm_str_eq(hm_manifest_folder(path), folder)))
      m->rows[m->n++] = (hm_manifest_row){ path, text_of(f, "sha256") };
  }
  return all;
}

/* The row is that of a folder's manifest: it has a number of files, and the right name. */
static bool is_of_folder(const hm_json *row, hm_str path) {
  const hm_json *n = hm_json_get(row, "files");
  hm_str folder = hm_manifest_folder(path);
  if (!n || n->type != HM_JSON_NUMBER || n->text.n > 18) return false;
  for (size_t i = 0; i < n->text.n; i++)
    if (n->text.p[i] < '0' || n->text.p[i] > '9') return false;
  return folder.n && hm_str_is(hm_str_sub(path, folder.n, path.n), of_folder) &&
         hm_site_path_ok(path);
}

bool hm_manifest_read(hm_str json, hm_part_read *read, void *ctx, hm_arena *a, hm_manifest *out) {
  reading r = { .m = out, .a = a };
  hm_str bytes;
  *out = (hm_manifest){ .tool = HM_EMPTY, .templates = HM_EMPTY, .whole = true };
  const hm_json *all = read_rows(&r, json, HM_EMPTY);
  if (!all) return false;
  out->tool = text_of(all, "tool");
  out->templates = text_of(all, "templates");
  out->n_parts = hm_parts_list(HM_STR("manifest.json"), json, a, &out->parts);
  if (!out->n_parts) out->parts = hm_alloc_array(a, out->n, sizeof *out->parts);
  const hm_json *files = out->n_parts ? NULL : hm_json_get(all, "files");
  hm_map seen;
  hm_map_init(&seen, a, 0);
  for (const hm_json *f = files ? files->child : NULL; f; f = f->next) {
    hm_str path = text_of(f, "path");
    if (!is_of_folder(f, path) || hm_map_get(&seen, path) != HM_MAP_NONE) continue;
    hm_map_add(&seen, path, 1);
    out->parts[out->n_parts++] = path;
  }
  for (size_t i = 0, n = 0; i < out->n_parts; i++) {
    bool got = read && n <= BYTES_MAX && read(ctx, out->parts[i], a, &bytes, NULL) == 0;
    out->whole &= got && read_rows(&r, bytes, hm_manifest_folder(out->parts[i])) != NULL;
    n += got ? bytes.n : 0;
  }
  return true;
}
