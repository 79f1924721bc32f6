/* Reads manifests line by line, package.json as JSON. Of TOML only what these files need: tables,
 * one key a line with a string; what stands between three quotes is skipped. */
#include <string.h>
#include "core/base/json.h"
#include "core/tree/manifest.h"
#include "core/base/text.h"

typedef struct {
  hm_arena *a;
  hm_tree_state *v;
  size_t n, cap;
  hm_map known; /* keys of v; of a package the one that it would have as a peer */
} states;

static void add_json(states *s, hm_str key, hm_str json, size_t line) {
  s->v = hm_array_grow_in(s->a, s->v, s->n, &s->cap, sizeof *s->v);
  s->v[s->n++] = (hm_tree_state){ .key = key, .value = json, .line = line };
  hm_map_add(&s->known, key, 0);
}

static void add_text(states *s, hm_str key, hm_str value, size_t line) {
  hm_buf b = { 0 };
  hm_json_write_str(&b, value);
  add_json(s, key, hm_buf_take(&b, s->a), line);
}

static void add_texts(states *s, hm_str key, const hm_str *values, size_t n, size_t line) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_strs(&w, NULL, values, n);
  add_json(s, key, hm_buf_take(&b, s->a), line);
}

/* --- versions --------------------------------------------------------------------------- */

/* A version, or a demand on one: "20.11.1", ">=3.10,<3.14", "^18 || ^20", "v22"; not "latest",
 * "nightly-2024-05-01". */
static bool is_demand(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (!hm_digit_at(s, i) && !strchr("., <>=^~|*!-+vxX", s.p[i]))
      return false;
  return hm_text_has_digit(s);
}

/* The names under which people know what these files call otherwise. */
static hm_str tool_name(hm_str name) {
  static const struct {
    const char *theirs, *ours;
  } names[] = { { "nodejs", "node" }, { "golang", "go" }, { "openjdk", "java" } };
  for (size_t i = 0; i < HM_COUNT(names); i++)
    if (hm_str_is(name, names[i].theirs))
      return hm_str_c(names[i].ours);
  return name;
}

/* "18" of "lts/hydrogen", "21.0.3" of "temurin-21.0.3+9"; else the version itself. */
static hm_str plain_version(hm_str tool, hm_str version) {
  static const char *const lines[][2] = { { "lts/gallium", "16" },
                                          { "lts/hydrogen", "18" },
                                          { "lts/iron", "20" },
                                          { "lts/jod", "22" },
                                          { "lts/krypton", "24" } };
  static const char *const builds[] = { "adoptopenjdk-", "corretto-", "liberica-", "microsoft-",
                                        "openjdk-",      "oracle-",   "temurin-" };
  for (size_t i = 0; i < HM_COUNT(lines) && hm_str_is(tool, "node"); i++)
    if (hm_str_is(version, lines[i][0]))
      return hm_str_c(lines[i][1]);
  for (size_t i = 0; i < HM_COUNT(builds) && hm_str_is(tool, "java"); i++) {
    if (!hm_str_starts(version, builds[i]))
      continue;
    version = hm_str_sub(version, strlen(builds[i]), version.n);
    ptrdiff_t plus = hm_str_find(version, "+");
    return hm_str_sub(version, 0, plus > 0 ? (size_t)plus : version.n);
  }
  return version;
}

/* sign: before the version, where the file means a minimum. */
static void add_version(states *s, hm_str tool, const char *sign, hm_str version, size_t line) {
  version = plain_version(tool_name(tool), hm_str_trim(version));
  ptrdiff_t build = hm_str_find(version, "-otp-"); /* "1.15.7-otp-26": what it was built with */
  if (build >= 0)
    version.n = (size_t)build;
  if (!is_demand(version))
    return;
  add_text(s, HM_CAT(s->a, tool_name(tool), HM_STR(" version")),
           HM_CAT(s->a, hm_str_c(sign), version), line);
}

/* The bytes of the version at i, at most `parts` numbers of it, but all that are 0 first. */
static size_t first_numbers(hm_str s, size_t i, size_t parts) {
  size_t from = i;
  bool zero = true;
  while (hm_digit_at(s, i)) {
    size_t end = hm_skip_digits(s, i);
    zero &= end == i + 1 && s.p[i] == '0';
    parts -= !zero && parts > 0;
    i = end;
    if (!parts || !hm_char_at(s, i, '.'))
      break;
    i++;
  }
  return i - from;
}

/* The version of the project itself; of none that is never released, "0.0.0". */
static void add_own_version(states *s, hm_str version, size_t line) {
  if (!hm_str_starts(version, "0.0.0"))
    add_version(s, HM_STR("current"), "", version, line);
}

/* The version in use of what a manifest allows: 5 of "^5.4.2", 0.27 of "^0.27.1". Others as they
 * are. caret: a version without a sign means "^", too. */
static void add_package(states *s, hm_str name, hm_str version, bool caret, size_t line) {
  version = hm_str_trim(version);
  bool tilde = hm_char_at(version, 0, '~') && hm_digit_at(version, 1);
  caret |= hm_char_at(version, 0, '^');
  size_t from = tilde || hm_char_at(version, 0, '^') || hm_char_at(version, 0, 'v');
  bool plain = hm_digit_at(version, from);
  for (size_t i = from; i < version.n; i++)
    plain &= hm_is_digit(version.p[i]) || version.p[i] == '.';
  if (plain)
    version = hm_str_sub(version, from, version.n);
  if (plain && (tilde || caret))
    version.n = first_numbers(version, 0, tilde ? 2 : 1);
  hm_str peer = HM_CAT(s->a, name, HM_STR(" version"));
  /* it is a peer, or in use beside what tests use */
  if (hm_map_get(&s->known, peer) != HM_MAP_NONE || !is_demand(version))
    return;
  add_text(s, name, version, line);
  hm_map_add(&s->known, peer, 0);
  s->v[s->n - 1].package = true;
}

/* --- lines ------------------------------------------------------------------------------ */

/* Cuts the next line from rest, without its end; false at the end. */
static bool next_line(hm_str *rest, hm_str *line, size_t *number) {
  if (!rest->n)
    return false;
  *line = hm_str_trim(hm_str_next_line(rest));
  ++*number;
  return true;
}

/* The line without a comment that begins with '#' outside of quotes. */
static hm_str without_comment(hm_str line) {
  char quote = 0;
  for (size_t i = 0; i < line.n; i++) {
    char c = line.p[i];
    if (quote ? c == quote : c == '"' || c == '\'')
      quote = quote ? 0 : c;
    else if (c == '#' && !quote)
      return hm_str_trim(hm_str_sub(line, 0, i));
  }
  return line;
}

static hm_str next_word(hm_str *rest) {
  hm_str s = hm_str_trim(*rest);
  size_t n = 0;
  while (n < s.n && s.p[n] != ' ' && s.p[n] != '\t')
    n++;
  *rest = hm_str_sub(s, n, s.n);
  return hm_str_sub(s, 0, n);
}

/* The one version of a file that holds nothing else. */
static void read_version_file(states *s, hm_str bytes, const char *tool) {
  hm_str line, found = HM_EMPTY;
  size_t number = 0, at = 0, lines = 0;
  while (next_line(&bytes, &line, &number)) {
    line = without_comment(line);
    if (!line.n)
      continue;
    found = line;
    at = number;
    lines++;
  }
  if (hm_str_ends(found, ".*") || hm_str_ends(found, ".x")) /* "22.*": a 22 is in use */
    found.n -= 2;
  if (lines == 1)
    add_version(s, hm_str_c(tool), "", found, at);
}

/* "nodejs 20.11.1 18.20.0": the first one is used. */
static void read_tool_versions(states *s, hm_str bytes) {
  hm_str line;
  size_t number = 0;
  while (next_line(&bytes, &line, &number)) {
    hm_str rest = without_comment(line), tool = next_word(&rest), version = next_word(&rest);
    if (tool.n)
      add_version(s, tool, "", version, number);
  }
}

static void read_go_mod(states *s, hm_str bytes) {
  hm_str line;
  size_t number = 0;
  while (next_line(&bytes, &line, &number)) {
    hm_str rest = line;
    if (hm_str_is(next_word(&rest), "go"))
      add_version(s, HM_STR("go"), ">=", next_word(&rest), number);
  }
}

/* --- TOML ------------------------------------------------------------------------------- */

typedef struct {
  const char *table, *key;
  const char *states; /* NULL: a version of tool */
  const char *tool, *sign;
} toml_key;

static const toml_key pyproject[] = {
  { "project", "requires-python", NULL, "python", "" },
  { "project", "license", "license", NULL, NULL },
  { "project", "version", "version", NULL, NULL },
  { "tool.poetry", "license", "license", NULL, NULL },
  { "tool.poetry", "version", "version", NULL, NULL },
  { "tool.poetry.dependencies", "python", NULL, "python", "" },
};
static const toml_key cargo[] = {
  { "package", "rust-version", NULL, "rust", ">=" },
  { "package", "edition", "rust edition", NULL, NULL },
  { "package", "license", "license", NULL, NULL },
  { "package", "version", "version", NULL, NULL },
  { "workspace.package", "rust-version", NULL, "rust", ">=" },
  { "workspace.package", "edition", "rust edition", NULL, NULL },
  { "workspace.package", "license", "license", NULL, NULL },
  { "workspace.package", "version", "version", NULL, NULL },
};
static const toml_key toolchain[] = { { "toolchain", "channel", NULL, "rust", "" } };

/* The string that a value is, or the text of { text = "..." }; empty: another value. */
static hm_str string_of(hm_str value) {
  if (hm_str_starts(value, "{")) {
    ptrdiff_t at = hm_str_find(value, "text");
    size_t from = at < 0 ? value.n : (size_t)at + 4;
    value = hm_str_trim(hm_str_sub(value, from, value.n));
    if (!hm_str_starts(value, "="))
      return HM_EMPTY;
    value = hm_str_trim(hm_str_sub(value, 1, value.n));
  }
  if (!value.n || (value.p[0] != '"' && value.p[0] != '\''))
    return HM_EMPTY;
  const char *end = memchr(value.p + 1, value.p[0], value.n - 1);
  return end ? hm_str_sub(value, 1, (size_t)(end - value.p)) : HM_EMPTY;
}

/* "GPL", "EUPL": nobody says which version of it. */
static bool names_family(hm_str license) {
  static const char *const families[] = { "AGPL", "BSD", "EUPL", "GPL", "LGPL", "MPL" };
  for (size_t i = 0; i < HM_COUNT(families); i++)
    if (hm_str_is(license, families[i]))
      return true;
  return false;
}

/* "MIT OR Apache-2.0", also "MIT/Apache-2.0": choices. "LICENSE" is a file, the Unlicense is none.
 */
static void add_license(states *s, hm_str text, size_t line) {
  enum { CHOICES_MAX = 8, LONGEST = 100 };
  hm_str choices[CHOICES_MAX];
  size_t n = 0;
  hm_str rest = text;
  bool file = hm_tree_is_license(text) && hm_ascii_lower(text.p[0]) != 'u';
  if (!text.n || text.n > LONGEST || file || hm_str_find(text, " AND ") >= 0 ||
      hm_str_starts(text, "SEE "))
    return;
  while (rest.n && n < CHOICES_MAX) {
    ptrdiff_t word = hm_str_find(rest, " OR "), slash = hm_str_find(rest, "/");
    bool by_word = word >= 0 && (slash < 0 || word < slash);
    size_t end = by_word ? (size_t)word : slash >= 0 ? (size_t)slash : rest.n;
    hm_str part = hm_str_trim(hm_str_sub(rest, 0, end));
    rest = hm_str_sub(rest, end + (by_word ? 4 : 1), rest.n);
    if (hm_str_starts(part, "("))
      part = hm_str_sub(part, 1, part.n);
    if (hm_str_ends(part, ")"))
      part.n--;
    if (part.n)
      choices[n++] = hm_license_name(part, s->a);
  }
  if (n == 1 && names_family(choices[0]))
    return;
  if (n == 1)
    add_text(s, HM_STR("license"), choices[0], line);
  else if (n)
    add_texts(s, HM_STR("license"), choices, n, line);
}

/* 3012 of "~3.12.8", ">=3.12,<4": the release that it begins with; 0: it names none. */
static unsigned release_of(hm_str s) {
  unsigned of[2] = { 0, 0 };
  size_t i = 0;
  while (i < s.n && !hm_is_digit(s.p[i]))
    i++;
  for (int k = 0; k < 2; k++, i++)
    for (; i < s.n && hm_is_digit(s.p[i]) && of[k] < 1000; i++)
      of[k] = of[k] * 10 + (unsigned)(s.p[i] - '0');
  return of[0] * 1000 + of[1];
}

/* What poetry picks of Python is within what the project allows: "~3.12.8" of ">=3.12". Leaves the
 * project's alone, in whichever order they stand. True: the new one is not to be added. */
static bool settle_python(states *s, bool poetry, hm_str version) {
  for (size_t i = 0; i < s->n; i++) {
    if (!hm_str_is(s->v[i].key, "python version"))
      continue;
    unsigned known = release_of(s->v[i].value), number = release_of(version);
    if (poetry)
      return number >= known;
    if (known >= number)
      s->v[i] = s->v[--s->n];
    return false;
  }
  return false;
}

static void state_toml_key(states *s, const toml_key *k, hm_str value, size_t line) {
  hm_str text = string_of(value);
  if (k->tool && !strcmp(k->tool, "python") &&
      settle_python(s, !strcmp(k->table, "tool.poetry.dependencies"), text))
    return;
  if (!k->states)
    add_version(s, hm_str_c(k->tool), k->sign, text, line);
  else if (!strcmp(k->states, "license"))
    add_license(s, text, line);
  else if (!strcmp(k->states, "version"))
    add_own_version(s, text, line);
  else if (text.n)
    add_text(s, hm_str_c(k->states), text, line);
}

/* Does the line open, or end, a text between three quotes? */
static bool turns_long_text(hm_str line) {
  size_t times = 0;
  for (size_t i = 0; i + 2 < line.n; i++)
    if ((line.p[i] == '"' || line.p[i] == '\'') && line.p[i + 1] == line.p[i] &&
        line.p[i + 2] == line.p[i]) {
      times++;
      i += 2;
    }
  return times % 2;
}

/* "fastapi[all]>=0.100,<1" of a list of Python's. */
static void read_requirement(states *s, hm_str line, size_t number) {
  hm_str text = string_of(hm_str_starts(line, "\"") || hm_str_starts(line, "'") ? line : HM_EMPTY);
  size_t n = 0;
  while (n < text.n && (hm_is_alnum(text.p[n]) || strchr("-_.", text.p[n])))
    n++;
  hm_str name = hm_str_sub(text, 0, n), version = hm_str_sub(text, n, text.n);
  const char *bracket = version.n ? memchr(version.p, ']', version.n) : NULL;
  const char *mark = version.n ? memchr(version.p, ';', version.n) : NULL;
  if (mark)
    version.n = (size_t)(mark - version.p);
  if (bracket && hm_str_starts(version, "[") && !(mark && mark < bracket))
    version = hm_str_sub(version, (size_t)(bracket - version.p) + 1, version.n);
  if (hm_str_starts(version, "==") && !memchr(version.p, ',', version.n))
    version = hm_str_sub(version, 2, version.n);
  add_package(s, name, version, false, number);
}

/* `axum = "0.7"`, `axum = { version = "0.7" }` in a table of dependencies. */
static void read_dependency(states *s, hm_str table, hm_str key, hm_str value, size_t line) {
  static const char *const tables[] = { "dependencies", "workspace.dependencies",
                                        "tool.poetry.dependencies" };
  bool fits = false;
  for (size_t i = 0; i < HM_COUNT(tables); i++)
    fits |= hm_str_is(table, tables[i]);
  if (!fits || hm_str_is(key, "python"))
    return;
  ptrdiff_t at = hm_str_starts(value, "{") ? hm_str_find(value, "version") : -1;
  const char *equals = at >= 0 ? memchr(value.p + at, '=', value.n - (size_t)at) : NULL;
  if (equals)
    value = hm_str_trim(hm_str_sub(value, (size_t)(equals - value.p) + 1, value.n));
  bool poetry = hm_str_starts(table, "tool.");
  add_package(s, key, hm_str_starts(value, "{") ? HM_EMPTY : string_of(value), !poetry, line);
}

static void read_toml(states *s, hm_str bytes, const toml_key *keys, size_t n) {
  hm_str line, table = HM_EMPTY;
  size_t number = 0;
  bool in_text = false, in_list = false; /* of requirements */
  while (next_line(&bytes, &line, &number)) {
    bool turns = turns_long_text(line), skipped = in_text || turns;
    in_text ^= turns;
    if (skipped)
      continue;
    line = without_comment(line);
    if (hm_str_starts(line, "[") && hm_str_ends(line, "]")) {
      table = hm_str_trim(hm_str_sub(line, 1, line.n - 1));
      in_list = false;
      continue;
    }
    if (in_list) {
      read_requirement(s, line, number);
      in_list = !hm_str_starts(line, "]");
      continue;
    }
    const char *equals = memchr(line.p, '=', line.n);
    if (!equals)
      continue;
    hm_str key = hm_str_trim(hm_str_sub(line, 0, (size_t)(equals - line.p)));
    hm_str value = hm_str_trim(hm_str_sub(line, (size_t)(equals - line.p) + 1, line.n));
    in_list =
        hm_str_is(table, "project") && hm_str_is(key, "dependencies") && hm_str_is(value, "[");
    read_dependency(s, table, key, value, number);
    for (size_t i = 0; i < n; i++)
      if (hm_str_is(table, keys[i].table) && hm_str_is(key, keys[i].key))
        state_toml_key(s, &keys[i], value, number);
  }
}

/* --- package.json ------------------------------------------------------------------------ */

/* Where one was asked for last: lines are counted from there. */
typedef struct {
  hm_str bytes;
  size_t i, line;
} place;

/* The line of the byte `at`, from 1. */
static size_t line_of(place *p, size_t at) {
  if (!p->line || at <= p->i)
    *p = (place){ .bytes = p->bytes, .line = 1 };
  for (; p->i + 1 < at && p->i < p->bytes.n; p->i++)
    p->line += p->bytes.p[p->i] == '\n';
  return p->line;
}

static void read_package_manager(states *s, const hm_json *v, size_t line) {
  hm_str text = hm_str_starts(v->text, "^") ? hm_str_sub(v->text, 1, v->text.n) : v->text;
  const char *at = text.n ? memchr(text.p, '@', text.n) : NULL;
  hm_str name = at ? hm_str_sub(text, 0, (size_t)(at - text.p)) : text;
  if (!name.n)
    return;
  add_text(s, HM_STR("package manager"), name, line);
  hm_str version = hm_str_sub(text, name.n + (at != NULL), text.n);
  const char *plus = memchr(version.p, '+', version.n); /* a digest */
  if (plus)
    version = hm_str_sub(version, 0, (size_t)(plus - version.p));
  add_version(s, name, "", version, line);
}

/* What peers must have is a demand; the others are in use. */
static void read_packages(states *s, const hm_json *root, place *in) {
  static const char *const lists[] = { "peerDependencies", "dependencies", "devDependencies" };
  for (size_t i = 0; i < HM_COUNT(lists); i++) {
    const hm_json *list = hm_json_get(root, lists[i]);
    for (const hm_json *v = list && list->type == HM_JSON_OBJECT ? list->child : NULL; v;
         v = v->next)
      if (v->type == HM_JSON_STRING && i)
        add_package(s, v->key, v->text, false, line_of(in, v->at));
      else if (v->type == HM_JSON_STRING)
        add_version(s, v->key, "", v->text, line_of(in, v->at));
  }
}

static size_t read_package(states *s, hm_str bytes) {
  hm_json *root = NULL;
  hm_err err = { 0 };
  if (hm_str_starts(bytes, "\xEF\xBB\xBF"))
    bytes = hm_str_sub(bytes, 3, bytes.n);
  place in = { .bytes = bytes };
  if (hm_json_parse(s->a, bytes, &root, &err))
    return line_of(&in, err.at);
  for (const hm_json *v = root->type == HM_JSON_OBJECT ? root->child : NULL; v; v = v->next) {
    size_t line = line_of(&in, v->at);
    if (hm_str_is(v->key, "license") && v->type == HM_JSON_STRING)
      add_license(s, v->text, line);
    else if (hm_str_is(v->key, "packageManager") && v->type == HM_JSON_STRING)
      read_package_manager(s, v, line);
    else if (hm_str_is(v->key, "version") && v->type == HM_JSON_STRING)
      add_own_version(s, v->text, line);
    else if (hm_str_is(v->key, "engines") && v->type == HM_JSON_OBJECT) {
      for (const hm_json *e = v->child; e; e = e->next)
        if (e->type == HM_JSON_STRING)
          add_version(s, e->key, "", e->text, line_of(&in, e->at));
    } else if (hm_str_is(v->key, "scripts") && v->type == HM_JSON_OBJECT && v->count) {
      hm_str *names = hm_alloc_array(s->a, v->count, sizeof *names);
      size_t n = 0;
      for (const hm_json *e = v->child; e; e = e->next)
        names[n++] = e->key;
      hm_strs_sort(names, n);
      add_texts(s, HM_STR("package scripts"), names, n, line);
    }
  }
  read_packages(s, root, &in);
  return 0;
}

/* --- by name ----------------------------------------------------------------------------- */

size_t hm_manifest_states(hm_str path, hm_str bytes, hm_arena *a, hm_tree_state **out, size_t *n) {
  static const char *const files[][2] = { { ".node-version", "node" },
                                          { ".nvmrc", "node" },
                                          { ".python-version", "python" },
                                          { ".ruby-version", "ruby" } };
  states s = { .a = a };
  hm_str name = hm_str_behind_last(path, '/');
  size_t bad_line = 0;
  hm_map_init(&s.known, a, 16);
  for (size_t i = 0; i < HM_COUNT(files); i++)
    if (hm_str_is(name, files[i][0]))
      read_version_file(&s, bytes, files[i][1]);
  if (hm_str_is(name, ".tool-versions"))
    read_tool_versions(&s, bytes);
  else if (hm_str_is(name, "package.json"))
    bad_line = read_package(&s, bytes);
  else if (hm_str_is(name, "pyproject.toml"))
    read_toml(&s, bytes, pyproject, HM_COUNT(pyproject));
  else if (hm_str_is(name, "Cargo.toml"))
    read_toml(&s, bytes, cargo, HM_COUNT(cargo));
  else if (hm_str_is(name, "go.mod"))
    read_go_mod(&s, bytes);
  else if (hm_str_is(name, "rust-toolchain.toml") ||
           (hm_str_is(name, "rust-toolchain") && memchr(bytes.p, '[', bytes.n)))
    read_toml(&s, bytes, toolchain, HM_COUNT(toolchain));
  else if (hm_str_is(name, "rust-toolchain"))
    read_version_file(&s, bytes, "rust");
  *out = s.v;
  *n = s.n;
  return bad_line;
}

/* --- files of a tree ---------------------------------------------------------------------- */

enum { KINDS_MAX = 8 };

static bool is_license_beside(const hm_tree_file *f, const hm_tree_file *g) {
  return hm_tree_is_license(hm_str_behind_last(g->source, '/')) &&
      hm_str_eq(hm_tree_folder(f->source), hm_tree_folder(g->source));
}

/* The kinds of all licenses in the folder of f, sorted; in kinds. *first: f is the first that has
 * one. */
static int list_licenses(const hm_tree *t, const hm_tree_file *f, hm_arena *a, hm_str *kinds,
                         size_t *n, bool *first, hm_err *err) {
  *n = 0;
  *first = false;
  for (size_t i = 0; i < t->n_files && *n < KINDS_MAX; i++) {
    const hm_tree_file *g = &t->files[i];
    hm_str bytes = HM_EMPTY;
    if (!is_license_beside(f, g))
      continue;
    if (hm_tree_read(g, a, &bytes, err))
      return -1;
    hm_str kind = hm_license_kind(bytes, a);
    if (!kind.n)
      continue;
    *first = *first || (!*n && g == f);
    kinds[(*n)++] = kind;
  }
  hm_strs_sort(kinds, *n);
  return 0;
}

int hm_tree_states(const hm_tree *t, const hm_tree_file *f, hm_arena *a, hm_tree_state **out,
                   size_t *n, size_t *bad_line, hm_err *err) {
  hm_str bytes = HM_EMPTY, kinds[KINDS_MAX];
  size_t n_kinds = 0;
  bool first = false;
  *out = NULL;
  *n = *bad_line = 0;
  if (!hm_tree_is_license(hm_str_behind_last(f->source, '/'))) {
    if (hm_tree_read(f, a, &bytes, err))
      return -1;
    *bad_line = hm_manifest_states(f->source, bytes, a, out, n);
    return 0;
  }
  if (list_licenses(t, f, a, kinds, &n_kinds, &first, err))
    return -1;
  states s = { .a = a };
  hm_map_init(&s.known, a, 1);
  if (first && n_kinds == 1)
    add_text(&s, HM_STR("license"), kinds[0], 1);
  else if (first)
    add_texts(&s, HM_STR("license"), kinds, n_kinds, 1);
  *out = s.v;
  *n = s.n;
  return 0;
}
