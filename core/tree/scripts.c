/* Files of scripts: scripts.h. Makefiles and justfiles are read line by line: names that stand at
 * the beginning of a line before a colon. */
#include "core/tree/scripts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/json.h"
#include "core/base/sort.h"
#include "core/tree/tree_impl.h"

static void add_name(hm_script_file *f, hm_arena *a, size_t *cap, hm_str name) {
  f->names = hm_array_grow_in(a, f->names, f->n, cap, sizeof *f->names);
  f->names[f->n++] = name;
}

hm_script_kind hm_scripts_kind_of(hm_str path) {
  static const struct {
    const char *name;
    hm_script_kind kind;
  } files[] = { { ".justfile", HM_SCRIPT_JUST },      { "GNUmakefile", HM_SCRIPT_MAKE },
                { "Justfile", HM_SCRIPT_JUST },       { "Makefile", HM_SCRIPT_MAKE },
                { "justfile", HM_SCRIPT_JUST },       { "makefile", HM_SCRIPT_MAKE },
                { "package.json", HM_SCRIPT_PACKAGE } };
  hm_str name = hm_str_behind_last(path, '/');
  for (size_t i = 0; i < HM_COUNT(files); i++)
    if (hm_str_is(name, files[i].name))
      return files[i].kind;
  return HM_SCRIPT_NONE;
}

/* --- package.json ------------------------------------------------------------------------ */

static void add_keys(hm_str *to, size_t *n, const hm_json *object) {
  for (const hm_json *v = object ? object->child : NULL; v; v = v->next)
    to[(*n)++] = v->key;
}

static bool read_package(hm_script_file *f, hm_str bytes, hm_arena *a) {
  static const char *const needs[] = { "dependencies", "devDependencies", "optionalDependencies",
                                       "peerDependencies" };
  if (hm_str_starts(bytes, "\xEF\xBB\xBF"))
    bytes = hm_str_sub(bytes, 3, bytes.n);
  const hm_json *root = hm_json_parse_as(a, bytes, HM_JSON_OBJECT);
  if (!root)
    return false;
  const hm_json *scripts = hm_json_get(root, "scripts");
  const hm_json *of[HM_COUNT(needs)];
  size_t all = 0;
  for (size_t i = 0; i < HM_COUNT(needs); i++) {
    of[i] = hm_json_get(root, needs[i]);
    all += of[i] && of[i]->type == HM_JSON_OBJECT ? of[i]->count : 0;
  }
  f->needs = hm_alloc_array(a, all + 1, sizeof *f->needs);
  for (size_t i = 0; i < HM_COUNT(needs); i++)
    if (of[i] && of[i]->type == HM_JSON_OBJECT)
      add_keys(f->needs, &f->n_needs, of[i]);
  f->name = hm_json_get_text(root, "name");
  for (size_t i = 0; scripts && i + 1 < scripts->at && i < bytes.n; i++)
    f->line += bytes.p[i] == '\n';
  if (!scripts || scripts->type != HM_JSON_OBJECT)
    return !scripts;
  f->names = hm_alloc_array(a, scripts->count + 1, sizeof *f->names);
  add_keys(f->names, &f->n, scripts);
  return true;
}

/* --- lines of rules ------------------------------------------------------------------------ */

/* Does the line begin with one of these words? */
static bool begins_with_word(hm_str line, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    size_t end = strlen(words[i]);
    if (hm_str_starts(line, words[i]) && (line.n == end || hm_is_space(line.p[end])))
      return true;
  }
  return false;
}

/* "a b: c", "x := y": the names before the colon of a rule. False: it may make others, too. */
static bool read_target_line(hm_script_file *f, hm_arena *a, size_t *cap, hm_str line) {
  size_t colon = 0;
  while (colon < line.n && line.p[colon] != ':' && line.p[colon] != '=' && line.p[colon] != '#')
    colon++;
  if (colon == line.n && hm_str_ends(line, "\\")) /* its names go on in the next line */
    return false;
  if (!hm_char_at(line, colon, ':') || hm_char_at(line, colon + 1, '=') ||
      hm_str_starts(hm_str_sub(line, colon, line.n), "::="))
    return true;
  hm_str names = hm_str_sub(line, 0, colon);
  if (hm_str_is(hm_str_trim(names), ".PHONY"))
    names = hm_str_sub(line, colon + 1, line.n);
  for (size_t i = 0; i < names.n; i++)
    if (names.p[i] == '%' || names.p[i] == '$' || names.p[i] == '\\')
      return false;
  for (size_t from = 0, i = 0; i <= names.n; i++) {
    if (i < names.n && !hm_is_space(names.p[i]))
      continue;
    if (i > from)
      add_name(f, a, cap, hm_str_sub(names, from, i));
    from = i + 1;
  }
  return !hm_str_is(hm_str_trim(names), ".DEFAULT");
}

/* "build target='all': test", "alias b := build": a name and its arguments. */
static void read_recipe_line(hm_script_file *f, hm_arena *a, size_t *cap, hm_str line) {
  static const char *const others[] = { "export", "set" };
  size_t from = 0, end;
  bool alias = hm_str_starts(line, "alias ");
  if (begins_with_word(line, others, HM_COUNT(others)))
    return;
  from = alias ? 6 : hm_char_at(line, 0, '@');
  for (end = from; end < line.n && (hm_is_alnum(line.p[end]) || strchr("-_", line.p[end])); end++) {
  }
  const char *colon = end < line.n ? memchr(line.p + end, ':', line.n - end) : NULL;
  bool rule = colon && (alias || !hm_char_at(line, (size_t)(colon - line.p) + 1, '='));
  if (end > from && rule)
    add_name(f, a, cap, hm_str_sub(line, from, end));
}

static bool read_rules(hm_script_file *f, hm_str bytes, hm_arena *a) {
  static const char *const more[] = { "-include", "define", "import", "import?",
                                      "include",  "mod",    "mod?",   "sinclude" };
  bool make = f->kind == HM_SCRIPT_MAKE, goes_on = false, whole = true;
  size_t cap = 0, number = 0;
  while (bytes.n) {
    size_t before = f->n;
    hm_str line = hm_str_next_line(&bytes);
    while (make && !goes_on && hm_char_at(line, 0, ' ')) /* inside of ifdef */
      line = hm_str_sub(line, 1, line.n);
    bool own = !goes_on && line.n && !hm_is_space(line.p[0]) && line.p[0] != '#';
    number++;
    goes_on = hm_str_ends(line, "\\");
    if (!own)
      continue;
    whole &= !begins_with_word(line, more, HM_COUNT(more)) && hm_str_find(line, "$(eval") < 0;
    if (make)
      whole &= read_target_line(f, a, &cap, line);
    else
      read_recipe_line(f, a, &cap, line);
    if (f->n > before && !before)
      f->line = number;
  }
  return whole;
}

bool hm_scripts_read(hm_script_kind kind, hm_str bytes, hm_arena *a, hm_script_file *out) {
  *out = (hm_script_file){ .kind = kind, .line = 1, .text = bytes };
  out->whole = kind == HM_SCRIPT_PACKAGE ? read_package(out, bytes, a) : read_rules(out, bytes, a);
  hm_strs_sort(out->names, out->n);
  hm_strs_sort(out->needs, out->n_needs);
  return out->whole;
}

/* --- of a tree ----------------------------------------------------------------------------- */

/* "ropewalk mcp" of "# Ropewalk MCP - a server": the first title of a README; empty: it has none,
 * or one with other signs. In a. */
static hm_str title_of(hm_str text, hm_arena *a) {
  static const char *const ends[] = { " - ", ": ", " (", " | ", " \u2013 ", " \u2014 " };
  while (text.n) {
    hm_str line = hm_str_trim(hm_str_next_line(&text));
    if (!hm_str_starts(line, "# "))
      continue;
    for (size_t i = 0; i < HM_COUNT(ends); i++) {
      ptrdiff_t at = hm_str_find(line, ends[i]);
      line.n = at > 0 ? (size_t)at : line.n;
    }
    char *name = hm_str_z(a, hm_str_trim(hm_str_sub(line, 2, line.n)));
    for (char *p = name; *p; p++)
      *p = hm_ascii_lower(*p);
    return strpbrk(name, "[]<>!`*") ? HM_EMPTY : hm_str_c(name);
  }
  return HM_EMPTY;
}

int hm_scripts_list(const hm_tree *t, hm_arena *a, hm_scripts *out, hm_err *err) {
  hm_script_file *v = NULL;
  size_t cap = 0;
  *out = (hm_scripts){ .tree = t };
  for (size_t i = 0; i < t->n_files; i++) {
    const hm_tree_file *f = &t->files[i];
    hm_script_kind kind = hm_scripts_kind_of(f->source);
    hm_str bytes;
    if (hm_str_is(hm_str_sub(f->source, f->top, f->source.n), "README.md")) {
      if (hm_tree_read(f, a, &bytes, err))
        return -1;
      out->project = title_of(bytes, a);
    }
    if (kind == HM_SCRIPT_NONE)
      continue;
    if (hm_tree_read(f, a, &bytes, err))
      return -1;
    v = hm_array_grow_in(a, v, out->n, &cap, sizeof *v);
    hm_scripts_read(kind, bytes, a, &v[out->n]);
    v[out->n].source = f->source;
    v[out->n++].folder = hm_tree_file_folder(f, a);
  }
  out->v = v;
  return 0;
}

hm_str hm_scripts_folder(const hm_scripts *s, hm_str source, hm_arena *a) {
  const hm_tree_file *f = hm_tree_find(s->tree, source);
  return f ? hm_tree_file_folder(f, a) : HM_EMPTY;
}

static bool has(const hm_script_file *f, hm_str name) {
  return f->n && bsearch(&name, f->names, f->n, sizeof name, hm_order_str);
}

hm_str hm_scripts_like(const hm_script_file *f, hm_str name, size_t *line, hm_arena *work) {
  enum { NAMES_MAX = 1000, TEXT_MAX = 64 << 10 };
  if (f->n > NAMES_MAX || f->text.n > TEXT_MAX)
    return HM_EMPTY;
  hm_str end = hm_str_behind_last(name, ':'), found = HM_EMPTY;
  for (size_t i = 0; i < f->n && f->kind == HM_SCRIPT_PACKAGE; i++) {
    bool part = end.n == name.n && hm_str_eq(hm_str_behind_last(f->names[i], ':'), end);
    if (hm_str_eq(f->names[i], end) || (part && !found.n))
      found = f->names[i];
  }
  ptrdiff_t scripts = hm_str_find(f->text, "\"scripts\"");
  hm_str rest = hm_str_sub(f->text, scripts < 0 ? f->text.n : (size_t)scripts, f->text.n);
  hm_str quoted = hm_str_fmt(work, "\"%.*s\"", HM_FMT(found));
  ptrdiff_t at = found.n ? hm_str_find(rest, hm_str_z(work, quoted)) : -1;
  if (at < 0)
    return HM_EMPTY;
  *line = f->line;
  for (ptrdiff_t i = 0; i < at; i++)
    *line += rest.p[i] == '\n';
  return found;
}

static bool is_read(const hm_scripts *s, hm_str folder) {
  for (size_t i = 0; i < s->n; i++)
    if (s->v[i].kind == HM_SCRIPT_PACKAGE && hm_str_eq(s->v[i].folder, folder))
      return true;
  return false;
}

/* Are all packages of the work tree read, by git's list of its files? */
static bool are_all_read(const hm_scripts *s, const hm_script_file *f, hm_arena *work) {
  const hm_tree_files *in = hm_tree_files_around(s->tree, f->folder);
  size_t n = 0;
  if (!in || !in->git || in->submodules.n || f->kind != HM_SCRIPT_PACKAGE)
    return false;
  const hm_str *v = hm_tree_files_named(in, HM_STR("package.json"), &n);
  for (size_t i = 0; i < n; i++) {
    hm_str path = HM_CAT(work, in->top, HM_STR("/"), v[i]);
    if (!is_read(s, hm_tree_folder(path)))
      return false;
  }
  return n > 0 && n < HM_TREE_NAMED;
}

/* Would another file of this kind, further below, have been found? */
static bool is_covered(const hm_scripts *s, const hm_script_file *f, hm_arena *work) {
  hm_str name = hm_str_behind_last(f->source, '/');
  hm_str folder = hm_str_sub(f->source, 0, f->source.n - name.n);
  return hm_tree_covers(s->tree, HM_CAT(work, folder, HM_STR("x/"), name), work) ||
      are_all_read(s, f, work);
}

const hm_script_file *hm_scripts_lacks(const hm_scripts *s, hm_script_kind kind, hm_str folder,
                                       bool exact, hm_str name, hm_arena *work) {
  const hm_script_file *near = NULL;
  for (size_t i = 0; i < s->n; i++) {
    const hm_script_file *f = &s->v[i];
    if (f->kind != kind)
      continue;
    bool fits = exact ? hm_str_eq(folder, f->folder) : hm_tree_lies_in(folder, f->folder);
    if ((fits || !exact) && (!f->whole || has(f, name)))
      return NULL;
    if (fits && (!near || f->folder.n > near->folder.n))
      near = f;
  }
  return near && (exact || is_covered(s, near, work)) ? near : NULL;
}
