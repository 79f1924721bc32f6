/* Files that a document points to and the tree has not: links, and paths in code that a reader is
 * to open. Where one cannot be sure nothing is said: the tree is not known whole (hm_tree_files),
 * the path may be made by a build, be ignored, or be somebody's example. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/foreign/record_maker.h"
#include "core/notes/notes_impl.h"

typedef struct {
  const hm_tree_files *in;
  const hm_document *doc;
  hm_str folder; /* of the document, below the top: "docs/guide", or empty */
  note_paths *out;
  hm_arena *a;
} reader;

/* --- paths --------------------------------------------------------------------------------------
 */

/* "docs/setup.md" of "../setup.md" in docs/guide; false: it leads out. */
static bool resolve(const reader *r, hm_str folder, hm_str path, hm_str *out) {
  *out = folder;
  while (path.n) {
    const char *slash = memchr(path.p, '/', path.n);
    hm_str part = hm_str_sub(path, 0, slash ? (size_t)(slash - path.p) : path.n);
    path = hm_str_sub(path, part.n + (slash != NULL), path.n);
    if (!part.n || hm_str_is(part, "."))
      continue;
    if (!hm_str_is(part, "..")) {
      *out = out->n ? HM_CAT(r->a, *out, HM_STR("/"), part) : part;
      continue;
    }
    if (!out->n)
      return false;
    size_t last = hm_str_behind_last(*out, '/').n;
    out->n = last == out->n ? 0 : out->n - last - 1;
  }
  return out->n;
}

/* Does a build make it, or a program fetch it? */
static bool is_made(hm_str path, hm_arena *a) {
  static const char made[] = "_build|_site|bin|build|cache|coverage|dist|gen|generated|lib|logs|"
                             "node_modules|obj|out|output|public|target|tmp|vendor|venv";
  for (size_t from = 0, i = 0; i < path.n; i++)
    if (path.p[i] == '/') {
      if (note_word_in(note_lower(hm_str_sub(path, from, i), a), made))
        return true;
      from = i + 1;
    }
  return false;
}

/* A document or a program by its name. */
static bool is_readable(hm_str path) {
  hm_tree_kind kind = hm_tree_kind_of(path);
  return kind == HM_TREE_NOTES || hm_tree_is_license(hm_str_behind_last(path, '/')) ||
      hm_tree_is_source(path) || hm_str_ends(path, ".rst") || hm_str_ends(path, ".adoc");
}

static void add_lack(reader *r, uint32_t part, hm_str path) {
  note_paths *p = r->out;
  p->v = hm_array_grow_in(r->a, p->v, p->n, &p->cap, sizeof *p->v);
  p->v[p->n++] = (note_path){ part, path, r->in };
}

/* --- links -------------------------------------------------------------------------------------
 */

/* The text of a URL: "%20" is a blank. False: it holds what no name of a file does. */
static bool decode(hm_str url, hm_str *out, hm_arena *a) {
  static const char digits[] = "0123456789abcdef";
  hm_buf b = { 0 };
  for (size_t i = 0; i < url.n; i++) {
    const char *high = NULL, *low = NULL;
    if (url.p[i] == '%' && i + 2 < url.n) {
      high = strchr(digits, hm_ascii_lower(url.p[i + 1]));
      low = strchr(digits, hm_ascii_lower(url.p[i + 2]));
    }
    hm_buf_ch(&b, high && low ? (char)((high - digits) * 16 + (low - digits)) : url.p[i]);
    i += high && low ? 2 : 0;
  }
  *out = hm_buf_take(&b, a);
  bool fits = hm_text_valid_prefix(*out) == out->n;
  for (size_t i = 0; fits && i < out->n;)
    fits = !hm_cp_is_hidden(hm_text_next(*out, &i));
  return fits;
}

/* Does the text speak of what is to come, is gone or is somebody's to fill in? */
static bool is_doubtful(hm_str text, hm_arena *a) {
  static const char doubts[] = "coming|deleted|forthcoming|future|generated|planned|removed|soon|"
                               "tbd|todo|upcoming";
  note_words w = note_split(text, a);
  return hm_str_find(text, "{{") >= 0 || note_any_word_in(&w, doubts);
}

static void read_links(reader *r, uint32_t part, const hm_doc_span *spans, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    hm_str url = spans[i].url, path;
    if (spans[i].mark != HM_DOC_LINK)
      continue;
    for (size_t k = 0; k < url.n; k++)
      if (url.p[k] == '#' || url.p[k] == '?')
        url.n = k;
    if (!url.n || url.p[0] == '/' || strcspn(url.p, ":*<>{}$|\\") < url.n ||
        !decode(url, &url, r->a) || !is_readable(url) || !resolve(r, r->folder, url, &path) ||
        is_made(path, r->a) || hm_tree_files_ask(r->in, path) != HM_TREE_LACKS)
      continue;
    if (!is_doubtful(r->doc->parts[part].text, r->a))
      add_lack(r, part, path);
  }
}

/* --- a document ------------------------------------------------------------------------------- */

void note_paths_read(note_paths *out, const hm_scripts *scripts, const hm_document *doc,
                     hm_str path, hm_arena *a) {
  reader r = { .doc = doc, .out = out, .a = a };
  *out = (note_paths){ .n = 0 };
  hm_str folder = scripts && scripts->tree ? hm_scripts_folder(scripts, path, a) : HM_EMPTY;
  r.in = folder.n ? hm_tree_files_around(scripts->tree, folder) : NULL;
  bool workflow = hm_str_find(path, "workflows/") >= 0; /* of agents: forms to fill in */
  if (!r.in || workflow || note_is_pattern(path, a) || note_is_test_data(path, a))
    return;
  size_t top = hm_tree_files_top(r.in).n;
  r.folder = hm_str_sub(folder, folder.n > top ? top + 1 : folder.n, folder.n);
  for (uint32_t i = 0; i < doc->n; i++) {
    const hm_doc_part *p = &doc->parts[i];
    if (p->quoted || p->task || p->kind == HM_DOC_CODE)
      continue;
    read_links(&r, i, p->spans, p->n_spans);
    for (uint32_t k = 0; k < p->n_cells; k++)
      read_links(&r, i, p->cells[k].spans, p->cells[k].n_spans);
  }
}

/* --- rows --------------------------------------------------------------------------------------
 */

static hm_str slot_of(const note_path *p, hm_arena *a) {
  return HM_CAT(a, HM_STR("file "), p->path);
}

static int by_part(const void *item, const void *key) {
  uint32_t part = ((const note_path *)item)->part, wanted = *(const uint32_t *)key;
  return part < wanted ? -1 : part > wanted;
}

void note_paths_claim(note_claims *out, const note_paths *paths, uint32_t part) {
  size_t at = hm_lower_bound(paths->v, paths->n, sizeof *paths->v, &part, by_part);
  for (; at < paths->n && paths->v[at].part == part; at++)
    note_claims_add(out, slot_of(&paths->v[at], out->a), HM_STR("named"), NOTE_SAID);
}

/* Its source is the file that may be meant, or the folder. What is near may change, and is no part
 * of the value. */
const hm_json *note_paths_state(const note_path *p, hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "project_state");
  hm_str key = slot_of(p, a), name = hm_str_behind_last(p->path, '/');
  size_t n;
  const hm_str *same = hm_tree_files_named(p->in, name, &n);
  hm_str source = n == 1 ? same[0] : hm_tree_files_nearest(p->in, p->path, a);
  if (!source.n)
    source = hm_str_sub(p->path, 0, p->path.n > name.n ? p->path.n - name.n - 1 : 0);
  hm_record_add_text(&m, "id", HM_CAT(a, HM_STR("s-"), hm_str_digest_hex(a, key, 16)), 1);
  hm_record_add_text(&m, "key", key, 1);
  hm_record_add_text(&m, "value", HM_CAT(a, p->path, HM_STR(" is not there")), 1);
  hm_record_add_text(&m, "source", source.n ? source : HM_STR("."), 1);
  return m.record;
}
