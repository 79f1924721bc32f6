/* What a file is by its name, names of sources, and globs. Pure. */
#include <stdlib.h>
#include <string.h>
#include "core/base/ascii.h"
#include "core/base/sort.h"
#include "core/tree/tree.h"

/* The same but for the case of ASCII letters. */
static bool is_cased(hm_str s, const char *z) {
  for (size_t i = 0; i < s.n; i++)
    if (!z[i] || hm_ascii_lower(s.p[i]) != hm_ascii_lower(z[i]))
      return false;
  return !z[s.n];
}

static bool ends_cased(hm_str s, const char *suffix) {
  size_t n = strlen(suffix);
  return n < s.n && is_cased(hm_str_sub(s, s.n - n, s.n), suffix);
}

bool hm_tree_is_license(hm_str name) {
  static const char *const names[] = { "LICENSE", "LICENCE", "COPYING", "UNLICENSE" };
  hm_str stem = name;
  for (size_t i = 0; i < name.n; i++)
    if (name.p[i] == '.' || name.p[i] == '-') {
      stem = hm_str_sub(name, 0, i);
      break;
    }
  hm_str rest = hm_str_sub(name, stem.n, name.n);
  bool plain = !rest.n || (rest.p[0] == '-' && !hm_tree_is_source(name)) || is_cased(rest, ".md") ||
      is_cased(rest, ".txt") || is_cased(rest, ".rst");
  for (size_t i = 0; plain && i < HM_COUNT(names); i++)
    if (is_cased(stem, names[i]))
      return true;
  return false;
}

hm_tree_kind hm_tree_kind_of(hm_str path) {
  static const char *const manifests[] = { ".env.dist",
                                           ".env.example",
                                           ".env.sample",
                                           ".env.template",
                                           ".justfile",
                                           ".node-version",
                                           ".nvmrc",
                                           ".python-version",
                                           ".ruby-version",
                                           ".tool-versions",
                                           "Cargo.toml",
                                           "GNUmakefile",
                                           "Justfile",
                                           "Makefile",
                                           "compose.yaml",
                                           "compose.yml",
                                           "docker-compose.yaml",
                                           "docker-compose.yml",
                                           "go.mod",
                                           "justfile",
                                           "makefile",
                                           "package.json",
                                           "pyproject.toml",
                                           "rust-toolchain",
                                           "rust-toolchain.toml" };
  static const char *const rules[] = { ".clinerules", ".cursorrules", ".windsurfrules" };
  static const char *const suffixes[] = { ".markdown", ".md", ".mdc" };
  hm_str name = hm_str_behind_last(path, '/');
  if (hm_tree_is_license(name))
    return HM_TREE_MANIFEST;
  for (size_t i = 0; i < HM_COUNT(manifests); i++)
    if (hm_str_is(name, manifests[i]))
      return HM_TREE_MANIFEST;
  for (size_t i = 0; i < HM_COUNT(rules); i++)
    if (hm_str_is(name, rules[i]))
      return HM_TREE_NOTES;
  for (size_t i = 0; i < HM_COUNT(suffixes); i++)
    if (ends_cased(name, suffixes[i]))
      return HM_TREE_NOTES;
  return ends_cased(name, ".txt") ? HM_TREE_LIST : HM_TREE_OTHER;
}

bool hm_tree_is_source(hm_str path) {
  static const char *const suffixes[] = {
    "bash",  "bat",  "c",     "cc",   "cjs",   "clj",  "cpp", "cs",    "css", "cts",
    "cxx",   "dart", "erl",   "ex",   "exs",   "fish", "fs",  "go",    "h",   "hh",
    "hpp",   "hs",   "ipynb", "java", "js",    "jsx",  "kt",  "kts",   "lua", "m",
    "mjs",   "ml",   "mm",    "mts",  "nix",   "php",  "pl",  "proto", "ps1", "py",
    "r",     "rb",   "rs",    "sass", "scala", "scss", "sh",  "sol",   "sql", "svelte",
    "swift", "tf",   "ts",    "tsx",  "vue",   "zig",  "zsh"
  };
  hm_str name = hm_str_behind_last(path, '/'), suffix = hm_str_behind_last(name, '.');
  return suffix.n < name.n &&
      bsearch(&suffix, suffixes, HM_COUNT(suffixes), sizeof *suffixes, hm_order_lower_word);
}

hm_str hm_tree_line_path(hm_str source) {
  size_t n = source.n;
  while (n && hm_is_digit(source.p[n - 1]))
    n--;
  if (n == source.n || n < 2 || source.p[n - 1] != ':')
    return HM_EMPTY;
  hm_str path = hm_str_sub(source, 0, n - 1);
  return hm_tree_kind_of(path) == HM_TREE_OTHER ? HM_EMPTY : path;
}

hm_str hm_tree_link_path(hm_str source) {
  const char *hash = source.n ? memchr(source.p, '#', source.n) : NULL;
  hm_str path = hash ? hm_str_sub(source, 0, (size_t)(hash - source.p)) : source;
  return hm_tree_kind_of(path) == HM_TREE_NOTES ? path : HM_EMPTY;
}

bool hm_tree_is_foreign_folder(hm_str name) {
  static const char *const names[] = { ".git",   ".hg",  ".pio",  ".svn",
                                       ".tessl", ".tox", ".venv", "node_modules" };
  for (size_t i = 0; i < HM_COUNT(names); i++)
    if (hm_str_is(name, names[i]))
      return true;
  return false;
}

hm_str hm_tree_source_name(hm_arena *a, hm_str path) {
  hm_str *parts = hm_alloc_array(a, path.n + 1, sizeof *parts);
  bool absolute = hm_char_at(path, 0, '/');
  size_t n = 0;
  for (size_t i = 0, from = 0; i <= path.n; i++) {
    if (i < path.n && path.p[i] != '/')
      continue;
    hm_str part = hm_str_sub(path, from, i);
    from = i + 1;
    if (hm_str_is(part, "..")) {
      if (n)
        n--;
    } else if (part.n && !hm_str_is(part, "."))
      parts[n++] = part;
  }
  if (absolute && n)
    return parts[n - 1];
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++) {
    if (i)
      hm_buf_ch(&b, '/');
    hm_buf_str(&b, parts[i]);
  }
  return hm_buf_take(&b, a);
}

bool hm_tree_lies_in(hm_str path, hm_str folder) {
  bool root = hm_str_is(folder, "/");
  return path.n >= folder.n && !memcmp(path.p, folder.p, folder.n) &&
      (root || path.n == folder.n || path.p[folder.n] == '/');
}

hm_str hm_tree_folder_from(hm_arena *a, hm_str folder, hm_str here) {
  if (hm_str_eq(folder, here))
    return HM_STR(".");
  if (hm_tree_lies_in(folder, here))
    return hm_str_sub(folder, here.n + !hm_str_is(here, "/"), folder.n);
  if (!hm_tree_lies_in(here, folder) || hm_str_is(folder, "/"))
    return folder;
  hm_buf up = { 0 };
  for (size_t i = folder.n; i < here.n; i++)
    if (here.p[i] == '/')
      hm_buf_c(&up, up.n ? "/.." : "..");
  return hm_buf_take(&up, a);
}

/* --- globs ------------------------------------------------------------------------------- */

bool hm_glob_is(hm_str text) {
  for (size_t i = 0; i < text.n; i++)
    if (text.p[i] == '*' || text.p[i] == '?' || text.p[i] == '[')
      return true;
  return false;
}

/* The bytes of the class "[...]" at i, or 0 where it has no end; *holds: is c in it? */
static size_t class_at(hm_str pattern, size_t i, char c, bool *holds) {
  size_t j = i + 1;
  bool deny = hm_char_at(pattern, j, '!') || hm_char_at(pattern, j, '^');
  bool found = false;
  j += deny;
  for (size_t first = j; j < pattern.n; j++) {
    if (pattern.p[j] == ']' && j > first) {
      *holds = found != deny;
      return j + 1 - i;
    }
    if (j + 2 < pattern.n && pattern.p[j + 1] == '-' && pattern.p[j + 2] != ']') {
      found |= pattern.p[j] <= c && c <= pattern.p[j + 2];
      j += 2;
    } else
      found |= pattern.p[j] == c;
  }
  return 0;
}

/* The bytes of the one-character part of the pattern at i that c matches, or 0. */
static size_t one_at(hm_str pattern, size_t i, char c) {
  bool holds = false;
  if (i >= pattern.n)
    return 0;
  if (pattern.p[i] == '?')
    return c != '/';
  if (pattern.p[i] == '[') {
    size_t n = class_at(pattern, i, c, &holds);
    if (n)
      return holds && c != '/' ? n : 0;
  }
  return pattern.p[i] == c;
}

/* Goes back to the last star of each sort only, as each matches the least that it can: a later one
 * can match whatever an earlier one would have left to it. */
static bool match_whole(hm_str pattern, hm_str path) {
  size_t p = 0, s = 0;
  size_t star = SIZE_MAX, star_at = 0, deep = SIZE_MAX, deep_at = 0;
  while (s < path.n || p < pattern.n) {
    if (hm_char_at(pattern, p, '*')) {
      bool two = hm_char_at(pattern, p + 1, '*');
      while (hm_char_at(pattern, p, '*'))
        p++;
      if (two) {
        p += hm_char_at(pattern, p, '/'); /* "**" and its slash may match nothing */
        deep = p;
        deep_at = s;
        star = SIZE_MAX;
      } else {
        star = p;
        star_at = s;
      }
      continue;
    }
    size_t step = s < path.n ? one_at(pattern, p, path.p[s]) : 0;
    if (step) {
      p += step;
      s++;
    } else if (star != SIZE_MAX && star_at < path.n && path.p[star_at] != '/') {
      s = ++star_at;
      p = star;
    } else if (deep != SIZE_MAX && deep_at < path.n) {
      /* Behind "**" and a slash a match begins a part of the path */
      bool parts = deep > 0 && pattern.p[deep - 1] == '/';
      do
        deep_at++;
      while (parts && deep_at < path.n && path.p[deep_at - 1] != '/');
      s = deep_at;
      p = deep;
      star = SIZE_MAX;
    } else
      return false;
  }
  return true;
}

bool hm_glob_match(hm_str pattern, hm_str path, bool folder) {
  bool of_folders = pattern.n && pattern.p[pattern.n - 1] == '/';
  if (of_folders && !folder)
    return false;
  if (of_folders)
    pattern.n--;
  bool whole = memchr(pattern.p, '/', pattern.n) != NULL;
  if (hm_char_at(pattern, 0, '/'))
    pattern = hm_str_sub(pattern, 1, pattern.n);
  return match_whole(pattern, whole ? path : hm_str_behind_last(path, '/'));
}
