/* What a document names and the tree lacks: whether a path is sure to be one, and what is said of
 * it, as rows: the document names it, the tree lacks it. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/sort.h"
#include "core/foreign/record_maker.h"
#include "core/lacks/lacks_impl.h"

/* --- paths --------------------------------------------------------------------------------------
 */

bool note_path_has_word(hm_str path, const char *list, hm_arena *a) {
  hm_str low = note_lower(path, a);
  for (size_t from = 0, i = 0; i <= low.n; i++) {
    if (i < low.n && !strchr("/-_.", low.p[i]))
      continue;
    if (i > from && note_word_in(hm_str_sub(low, from, i), list))
      return true;
    from = i + 1;
  }
  return false;
}

bool note_path_resolve(hm_str folder, hm_str path, hm_str *out, hm_arena *a) {
  *out = folder;
  while (path.n) {
    const char *slash = memchr(path.p, '/', path.n);
    hm_str part = hm_str_sub(path, 0, slash ? (size_t)(slash - path.p) : path.n);
    path = hm_str_sub(path, part.n + (slash != NULL), path.n);
    if (!part.n || hm_str_is(part, "."))
      continue;
    if (!hm_str_is(part, "..")) {
      *out = out->n ? HM_CAT(a, *out, HM_STR("/"), part) : part;
      continue;
    }
    if (!out->n)
      return false;
    *out = hm_tree_folder(*out);
  }
  return out->n;
}

bool note_path_is_made(hm_str path, hm_arena *a) {
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

bool note_path_is_readable(hm_str path) {
  hm_tree_kind kind = hm_tree_kind_of(path);
  return kind == HM_TREE_NOTES || hm_tree_is_license(hm_str_behind_last(path, '/')) ||
      hm_tree_is_source(path) || hm_str_ends(path, ".rst") || hm_str_ends(path, ".adoc");
}

/* Is it a name with a gap for a number: "NNNN-title.md"? */
bool note_path_is_numbered(hm_str name, hm_arena *a) {
  hm_str low = note_lower(name, a);
  return hm_str_find(low, "xxx") >= 0 || hm_str_find(low, "yyyymm") >= 0 ||
      note_path_has_word(name, "nnn|nnnn|xx|yyyy", a);
}

/* Is it a name that stands for others: "path/to/file.md"? */
bool note_path_is_gap(hm_str path, hm_arena *a) {
  static const char gaps[] = "bar|baz|example|filename|foo|module|my|name|path|sample|some|"
                             "something|to|xyz|your";
  return note_path_is_numbered(path, a) || note_path_has_word(path, gaps, a);
}

/* "config.json" beside "config.example.json" or "config.json.dist": who runs it makes it, as each
 * has a ".local." of their own. */
static bool is_of_user(const note_path_reader *r, hm_str path) {
  static const char *const words[] = { "default", "dist", "example", "sample", "template" };
  static const char *const signs[] = { ".", "-", "_" };
  size_t stem = note_path_stem(path).n;
  if (hm_str_find(hm_str_behind_last(path, '/'), ".local.") >= 0)
    return true;
  for (size_t i = 0; i < HM_COUNT(words) * HM_COUNT(signs); i++) {
    hm_str word = hm_str_c(words[i / HM_COUNT(signs)]), sign = hm_str_c(signs[i % HM_COUNT(signs)]);
    hm_str behind = HM_CAT(r->a, path, sign, word);
    hm_str inside =
        HM_CAT(r->a, hm_str_sub(path, 0, stem), sign, word, hm_str_sub(path, stem, path.n));
    if (hm_tree_files_ask(r->in, behind) == HM_TREE_HAS ||
        hm_tree_files_ask(r->in, inside) == HM_TREE_HAS)
      return true;
  }
  return false;
}

/* Does the text say that somebody makes the file, whose name stands in it, or is it the name over
 * what stands in the file: "**compose.yml**", "`compose.yml`:"? */
static bool tells_to_make(const hm_doc_part *p, hm_str name, hm_arena *a) {
  static const char makes[] = "add|crea|crear|create|creates|make|new|save|write|writes";
  note_words w = note_split(p->text, a);
  for (size_t i = 1; i < w.n; i++) /* "Create a `NAME`" */
    if (hm_str_eq(hm_str_behind_last(w.w[i].s, '/'), name) &&
        (note_word_in(w.w[i - 1].low, makes) || (i > 1 && note_word_in(w.w[i - 2].low, makes))))
      return true;
  size_t end = p->text.n - hm_str_ends(p->text, ":");
  return hm_str_eq(hm_str_sub(p->text, 0, end), name) || (w.n && hm_str_is(w.w[0].low, "save"));
}

/* Does the line of a shell make the file? Where it neither takes it nor runs it. */
static bool makes_file(const hm_doc_part *p, hm_str name, hm_arena *a) {
  static const char options[] = ">|>>|-o|-O|--output|tee|touch";
  static const char *const ends[] = { "cp ", "curl ", "mv ", "wget " };
  note_words w = note_split(p->text, a);
  bool last = hm_str_ends(p->text, hm_str_z(a, name)) && w.n > 1;
  if (last && w.n == 2 && note_word_in(w.w[0].s, "#|//")) /* "# compose.yml" above what it holds */
    return true;
  for (size_t i = 0; i < HM_COUNT(ends) && last; i++)
    if (hm_str_find(p->text, ends[i]) >= 0)
      return true;
  for (size_t i = 1; i < w.n; i++)
    if (hm_str_eq(hm_str_behind_last(w.w[i].s, '/'), name) &&
        (note_word_in(w.w[i - 1].s, options) || hm_char_at(w.w[i].s, 0, '>') ||
         hm_str_find(w.w[i].s, "://") >= 0))
      return true;
  return hm_str_find(p->text, hm_str_z(a, HM_CAT(a, HM_STR(">"), name))) >= 0;
}

hm_str note_path_stem(hm_str name) {
  hm_str suffix = hm_str_behind_last(name, '.');
  return hm_str_sub(name, 0, name.n - suffix.n - (suffix.n < name.n));
}

bool note_path_is_given(note_path_reader *r, hm_str name) {
  enum { ASKED = 32 };
  uint32_t known = hm_map_get(&r->given, name);
  if (known != HM_MAP_NONE || r->given.n >= ASKED)
    return known;
  hm_arena *work = hm_arena_new();
  const char *file = hm_str_z(work, name);
  bool given = false;
  for (size_t i = 0; i < r->doc->n && !given; i++) {
    const hm_doc_part *p = &r->doc->parts[i];
    if (hm_str_find(p->text, file) < 0)
      continue;
    hm_arena *one = hm_arena_new();
    given = p->kind == HM_DOC_HEADING
        ? hm_str_ends(p->text, file) && !memchr(p->text.p, ' ', p->text.n)
        : p->kind == HM_DOC_CODE ? makes_file(p, name, one)
                                 : tells_to_make(p, name, one);
    hm_arena_free(one);
  }
  hm_arena_free(work);
  hm_map_add(&r->given, hm_str_dup(r->a, name), given);
  return given;
}

bool note_path_is_full(const note_paths *p, uint32_t part) {
  return p->n >= NOTE_PATHS_MAX && p->v[p->n - NOTE_PATHS_MAX].part == part;
}

void note_path_add(note_path_reader *r, uint32_t part, hm_str said, hm_str path, bool follow) {
  note_paths *p = r->out;
  if (note_path_is_full(p, part))
    return;
  for (size_t i = p->n; i && p->v[i - 1].part == part; i--)
    if (hm_str_eq(p->v[i - 1].path, path))
      return;
  if (is_of_user(r, said))
    return;
  p->v = hm_array_grow_in(r->a, p->v, p->n, &p->cap, sizeof *p->v);
  p->v[p->n++] = (note_path){ part, path, follow, r->in };
}

/* Letters of any language, digits and the signs of names of files. */
bool note_path_is_plain(hm_str path, hm_arena *a) {
  for (size_t i = 0; i < path.n; i++)
    if (!hm_is_alnum(path.p[i]) && (unsigned char)path.p[i] < 0x80 &&
        (!path.p[i] || !strchr("._-/+@", path.p[i])))
      return false;
  bool elided = hm_str_find(path, "...") >= 0 || hm_str_find(path, "\u2026") >= 0;
  return path.n <= NOTE_PATH_LENGTH && !elided && hm_str_behind_last(path, '/').p[0] != '.' &&
      !note_path_is_gap(path, a);
}

/* --- rows ---------------------------------------------------------------------------------------
 */

static hm_str slot_of(const note_path *p, hm_arena *a) {
  return HM_CAT(a, HM_STR("file "), p->path);
}

int note_order_part(const void *item, const void *part) {
  uint32_t own = *(const uint32_t *)item, wanted = *(const uint32_t *)part;
  return own < wanted ? -1 : own > wanted;
}

const hm_json *note_lack_state(hm_str key, hm_str made_of, hm_str value, hm_str source,
                               hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "project_state");
  hm_record_add_text(&m, "id", HM_CAT(a, HM_STR("s-"), hm_str_digest_hex(a, made_of, 16)), 1);
  hm_record_add_text(&m, "key", key, 1);
  hm_record_add_text(&m, "value", value, 1);
  hm_record_add_text(&m, "source", source, 1);
  return m.record;
}

void note_paths_claim(note_claims *out, const note_paths *paths, uint32_t part, bool past) {
  size_t at = hm_lower_bound(paths->v, paths->n, sizeof *paths->v, &part, note_order_part);
  for (; at < paths->n && paths->v[at].part == part; at++)
    if (!past || paths->v[at].follow)
      note_claims_add(out, slot_of(&paths->v[at], out->a), HM_STR("named"), NOTE_SAID);
}

/* Its source is the file that may be meant, or the folder. What is near may change, and is no part
 * of the value. */
const hm_json *note_paths_state(const note_path *p, hm_arena *a) {
  hm_str key = slot_of(p, a), name = hm_str_behind_last(p->path, '/');
  size_t n;
  const hm_str *same = hm_tree_files_named(p->in, name, &n);
  hm_str source = n == 1 ? same[0] : hm_tree_files_nearest(p->in, p->path, a);
  for (hm_str at = p->path; !source.n && (at = hm_tree_folder(at)).n;)
    source = hm_tree_files_ask(p->in, at) == HM_TREE_HAS ? at : HM_EMPTY; /* that is there */
  return note_lack_state(key, key, HM_CAT(a, p->path, HM_STR(" is not there")),
                         source.n ? source : HM_STR("."), a);
}
