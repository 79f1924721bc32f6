/* Commands that call a script by its name, "yarn deploy", "make lint": what package.json, the
 * makefile or the justfile of the tree lacks. A command is run in the folder to which a `cd` before
 * it leads, or for the package that it names; else in any folder of the tree. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"
#include "core/lacks/lacks_impl.h"

/* Where a command is run. */
typedef struct {
  hm_str folder; /* real path; empty: nobody knows */
  bool exact;    /* there, and not in another folder of the tree */
} place;

typedef struct {
  const hm_scripts *scripts;
  const hm_document *doc;
  hm_str folder; /* of the document */
  note_calls *out;
  hm_map defined;  /* names that the document itself defines: it shows what to add */
  hm_map made;     /* names of projects that its code makes: "my-app" of "kiln create my-app" */
  hm_map programs; /* that packages may bring */
  hm_str manager;  /* by which it calls scripts; or empty */
  bool several;    /* it calls by another one, too */
  bool unsure;     /* a comment says that the script may not be there */
  bool elsewhere; /* "# Future automation", "# From the repo root": up to the next comment or gap */
  bool apart;     /* each line of the block begins where the document lies */
  bool of_reader; /* the block is for the project of whoever reads it */
  bool knows_defined, of_others, knows_programs;
  hm_arena *a;
} reader;

/* --- words of a command ---------------------------------------------------------------------- */

enum { WORDS = 24 };
typedef struct {
  hm_str v[WORDS];
  size_t n, at; /* at: the next one */
} words;

static words split_words(hm_str s) {
  words w = { .n = 0 };
  for (size_t from = 0, i = 0; i <= s.n && w.n < WORDS; i++) {
    if (i < s.n && !hm_is_space(s.p[i]))
      continue;
    if (i > from)
      w.v[w.n++] = hm_str_sub(s, from, i);
    from = i + 1;
  }
  return w;
}

static hm_str next_word(words *w) { return w->at < w->n ? w->v[w->at++] : HM_EMPTY; }

/* Is it the name of a script, and no file, pattern or gap to fill in? */
static bool is_name(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (!hm_is_alnum(s.p[i]) && !(i && strchr(":_-", s.p[i])))
      return false;
  return s.n && hm_is_alnum(s.p[s.n - 1]) && !hm_is_digit(s.p[0]);
}

/* --- folders -----------------------------------------------------------------------------------
 */

/* The folder of scripts to which a path leads from this one, or from one in which it lies. */
static place enter(const reader *r, place from, hm_str path) {
  place out = { .exact = true };
  if (!from.folder.n) /* "cd api && mvn run" stands above, where nobody looks */
    from.folder = r->folder;
  if (hm_str_starts(path, "./"))
    path = hm_str_sub(path, 2, path.n);
  while (hm_str_ends(path, "/"))
    path.n--;
  bool up = hm_str_is(path, "..");
  while (hm_str_starts(path, "../")) {
    path = hm_str_sub(path, 3, path.n);
    up = hm_str_is(path, "..");
  }
  if (!path.n || hm_str_is(path, ".") || hm_str_is(path, "-") || up)
    return (place){ r->folder, false };
  for (size_t i = 0; i < r->scripts->n; i++) {
    hm_str folder = r->scripts->v[i].folder;
    size_t above = folder.n > path.n ? folder.n - path.n - 1 : 0;
    bool fits = above && folder.p[above] == '/' && above >= out.folder.n &&
        hm_str_eq(hm_str_sub(folder, above + 1, folder.n), path) && above <= from.folder.n &&
        hm_str_eq(hm_str_sub(folder, 0, above), hm_str_sub(from.folder, 0, above)) &&
        (above == from.folder.n || from.folder.p[above] == '/');
    if (fits)
      out.folder = folder;
  }
  return out;
}

/* The folder of the package with this name, or whose folder has it. */
static place enter_package(const reader *r, place from, hm_str name) {
  place out = { .exact = true };
  size_t n = 0;
  for (size_t i = 0; i < r->scripts->n; i++) {
    const hm_script_file *f = &r->scripts->v[i];
    if (f->kind != HM_SCRIPT_PACKAGE || !hm_str_eq(f->name, name))
      continue;
    out.folder = f->folder;
    n++;
  }
  return n == 1 ? out : n ? (place){ .exact = true } : enter(r, from, name);
}

/* --- what is sure ------------------------------------------------------------------------------
 */

/* Names behind "create" and the like in a line of code. */
static void add_made(reader *r, hm_str line) {
  words w = split_words(line);
  if (w.n < 3 || !note_word_in(w.v[1], "create|generate|init|new|scaffold"))
    return;
  for (size_t i = 2; i < w.n; i++)
    hm_map_add(&r->made, w.v[i], 0);
}

/* Names to which the text gives a command: `"dev": "vite"` wherever it stands, `npm pkg set
 * scripts.dev=vite`. */
static void add_defined(reader *r, hm_str text) {
  static const char set[] = "scripts.";
  ptrdiff_t opened = -1;
  hm_str rest = text;
  for (ptrdiff_t at; (at = hm_str_find(rest, set)) >= 0;) {
    rest = hm_str_sub(rest, (size_t)at + sizeof set - 1, rest.n);
    const char *sign = rest.n ? memchr(rest.p, '=', rest.n) : NULL;
    hm_str name = hm_str_sub(rest, 0, sign ? (size_t)(sign - rest.p) : 0);
    if (name.n && !memchr(name.p, ' ', name.n))
      hm_map_add(&r->defined, name, 0);
  }
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] != '"')
      continue;
    size_t behind = i + 1;
    while (behind < text.n && text.p[behind] == ' ')
      behind++;
    if (opened >= 0 && hm_char_at(text, behind, ':'))
      hm_map_add(&r->defined, hm_str_sub(text, (size_t)opened, i), 0);
    opened = (ptrdiff_t)i + 1;
  }
}

static void find_defined(reader *r) {
  static const char *const others[] = { "npm create ",       "npm init ",    "npx create-",
                                        "npx degit",         "pnpm create",  "yarn create ",
                                        "your package.json", "your makefile" };
  r->knows_defined = true;
  hm_map_init(&r->defined, r->a, 64);
  hm_map_init(&r->made, r->a, 16);
  for (size_t i = 0; i < r->doc->n; i++) {
    hm_str text = r->doc->parts[i].text, low = note_lower(text, r->a);
    for (size_t k = 0; k < HM_COUNT(others); k++)
      r->of_others |= hm_str_find(low, others[k]) >= 0;
    add_defined(r, text);
    if (r->doc->parts[i].kind != HM_DOC_CODE) {
      r->of_others |= note_names_repository(r->scripts, text, r->a);
      continue;
    }
    add_made(r, text);
    const char *colon = text.n ? memchr(text.p, ':', text.n) : NULL;
    hm_str key = hm_str_trim(colon ? hm_str_sub(text, 0, (size_t)(colon - text.p)) : HM_EMPTY);
    if (key.n && key.p[0] != '"')
      hm_map_add(&r->defined, key, 0);
  }
}

/* Could a package bring a program of this name? */
static bool is_program(reader *r, hm_str name) {
  const hm_scripts *s = r->scripts;
  if (!r->knows_programs)
    hm_map_init(&r->programs, r->a, 64);
  for (size_t i = 0; i < s->n && !r->knows_programs; i++)
    for (size_t k = 0; k < s->v[i].n_needs; k++)
      hm_map_add(&r->programs, hm_str_behind_last(s->v[i].needs[k], '/'), 0);
  r->knows_programs = true;
  return hm_map_get(&r->programs, name) != HM_MAP_NONE;
}

/* Is the package that of a site, which has a script of that name? Then its documents may be about
 * any project. */
static bool is_site(const reader *r, const hm_script_file *f) {
  bool makes = false;
  for (size_t i = 0; i < f->n && !makes; i++)
    makes = hm_str_is(f->names[i], "docusaurus");
  return makes && !hm_str_eq(r->folder, f->folder); /* its README is about itself */
}

static void add_lack(reader *r, uint32_t part, hm_script_kind kind, place at, hm_str name) {
  if (!name.n || !at.folder.n || r->unsure)
    return;
  const hm_script_file *f = hm_scripts_lacks(r->scripts, kind, at.folder, at.exact, name, r->a);
  if (!f || !f->n || is_site(r, f)) /* a file without any is about other things */
    return;
  if (kind == HM_SCRIPT_PACKAGE && !hm_str_is(r->manager, "npm") && is_program(r, name))
    return;
  if (!r->knows_defined)
    find_defined(r);
  if (r->of_others || hm_map_get(&r->defined, name) != HM_MAP_NONE)
    return;
  note_calls *c = r->out;
  c->v = hm_array_grow_in(r->a, c->v, c->n, &c->cap, sizeof *c->v);
  c->v[c->n++] = (note_call){ .part = part, .file = f, .name = name };
}

/* --- what is called ----------------------------------------------------------------------------
 */

/* "build:prod", "test-unit": names for what is done in a project. Others may be programs of
 * packages. */
static bool is_task(hm_str name) {
  static const char tasks[] =
      "analyse|analyze|bench|build|check|ci|clean|compile|coverage|db|deploy|dev|develop|docs|e2e|"
      "fix|fmt|format|generate|lint|migrate|preview|release|seed|serve|setup|start|staging|test|"
      "tests|type|typecheck|types|validate|verify|watch";
  size_t end = 0;
  while (end < name.n && !strchr(":-_", name.p[end]))
    end++;
  return hm_char_at(name, end, ':') ||
      (note_word_in(hm_str_sub(name, 0, end), tasks) && !hm_str_ends(name, "-storybook"));
}

/* Verbs of the managers themselves. */
static bool is_verb(hm_str manager, hm_str name) {
  static const char all[] = "add|audit|cache|config|create|dlx|exec|help|info|init|install|link|"
                            "list|outdated|pack|patch|publish|rebuild|remove|unlink|update|up|"
                            "upgrade|version|why|x";
  static const char yarn[] = "check|dedupe|generate-lock-entry|licenses|login|logout|node|npm|"
                             "plugin|search|set|stage|unplug|versions|workspaces";
  static const char pnpm[] =
      "ci|clean|deploy|doctor|env|fetch|import|licenses|prune|root|server|setup|store";
  static const char bun[] = "build|pm|repl|test";
  return note_word_in(name, all) ||
      note_word_in(name,
                   hm_str_is(manager, "yarn")       ? yarn
                       : hm_str_is(manager, "pnpm") ? pnpm
                                                    : bun);
}

/* An option of a manager; false: the command says nothing that is sure. */
static bool read_option(const reader *r, words *w, hm_str option, place *at) {
  static const char folders[] = "--cwd|--dir|--prefix|-C",
                    all[] = "--recursive|--workspaces|-r|-ws",
                    packages[] = "--filter|--workspace|-F|-w",
                    no[] = "--if-present|--no-workspaces";
  const char *equals = memchr(option.p, '=', option.n);
  hm_str name = equals ? hm_str_sub(option, 0, (size_t)(equals - option.p)) : option;
  hm_str value = equals ? hm_str_sub(option, name.n + 1, option.n) : HM_EMPTY;
  if (note_word_in(name, no))
    return false;
  if (note_word_in(name, all))
    at->exact = false;
  bool folder = note_word_in(name, folders), package = note_word_in(name, packages);
  if ((folder || package) && !equals)
    value = next_word(w);
  if (folder)
    *at = enter(r, *at, value);
  else if (package)
    *at = enter_package(r, *at, value);
  return at->folder.n > 0;
}

/* "npm run build:prod -w web": the script; empty: it is no call of one. */
static hm_str read_manager(const reader *r, words *w, hm_str manager, place *at) {
  bool npm = hm_str_is(manager, "npm"), run = false;
  hm_str name = HM_EMPTY;
  for (hm_str s = next_word(w); s.n && !hm_str_is(s, "--"); s = next_word(w)) {
    if (s.p[0] == '-' && !(name.n && !npm)) {
      if (!read_option(r, w, s, at))
        return HM_EMPTY;
    } else if (!name.n && !run && (hm_str_is(s, "run") || hm_str_is(s, "run-script"))) {
      run = true;
    } else if (!name.n && hm_str_is(manager, "yarn") && hm_str_is(s, "workspace")) {
      *at = enter_package(r, *at, next_word(w));
    } else if (!name.n) {
      name = s;
    }
  }
  if (!at->folder.n || !is_name(name))
    return HM_EMPTY;
  if (npm && !run)
    return hm_str_is(name, "t")            ? HM_STR("test")
        : note_word_in(name, "start|test") ? name
                                           : HM_EMPTY;
  if (npm || (run && hm_str_is(manager, "pnpm")))
    return hm_str_is(name, "env") ? HM_EMPTY : name;
  bool call = is_task(name) && (run || !is_verb(manager, name));
  return call ? name : HM_EMPTY;
}

/* "make -C web lint test VAR=1". Of several names half must be known, else they may be gaps to fill
 * in, or say what it does, as all does that stands in a column of its own. */
static void read_make(reader *r, uint32_t part, words *w, hm_script_kind kind, place at) {
  hm_str names[WORDS];
  size_t n = 0, known = 0;
  const char *end = NULL; /* of the word before */
  for (hm_str s = next_word(w); s.n && s.p[0] != '#'; s = next_word(w)) {
    if (n && s.p > end + 1)
      break;
    end = s.p + s.n;
    bool other = hm_str_starts(s, "-f") || hm_str_starts(s, "-d") || hm_str_starts(s, "--");
    hm_str value = note_word_in(s, "-C|-j") ? next_word(w) : HM_EMPTY;
    end = value.n ? value.p + value.n : end;
    if (hm_str_is(s, "-C"))
      at = enter(r, at, value);
    else if (hm_str_is(s, "-j"))
      continue;
    else if (other || (s.p[0] != '-' && !memchr(s.p, '=', s.n) && !is_name(s)))
      return;
    else if (is_name(s))
      names[n++] = s;
    if (n && kind == HM_SCRIPT_JUST) /* what follows are its arguments */
      break;
  }
  for (size_t i = 0; i < n; i++)
    known += !hm_scripts_lacks(r->scripts, kind, at.folder, at.exact, names[i], r->a);
  for (size_t i = 0; i < n && (n == 1 || known * 2 >= n); i++)
    add_lack(r, part, kind, at, names[i]);
}

/* Of a document that calls scripts by several managers none is told: its reader may choose. */
static void call_script(reader *r, uint32_t part, hm_str manager, hm_str name, place at) {
  if (!name.n || !at.folder.n)
    return;
  r->several |= r->manager.n && !hm_str_eq(r->manager, manager);
  r->manager = manager;
  add_lack(r, part, HM_SCRIPT_PACKAGE, at, name);
}

/* One command of a line; `at` is where it is run, and the next one. */
static void read_command(reader *r, uint32_t part, hm_str command, place *at) {
  static const char managers[] = "bun|npm|pnpm|yarn", before[] = "$|%|>|sudo|time";
  words w = split_words(command);
  hm_str head = next_word(&w);
  while (head.n && (note_word_in(head, before) || memchr(head.p, '=', head.n)))
    head = next_word(&w);
  place run = *at;
  if (hm_str_is(head, "cd")) {
    hm_str folder = next_word(&w);
    *at = enter(r, *at, folder);
    if (!r->knows_defined)
      find_defined(r);
    folder = hm_str_sub(folder, hm_str_starts(folder, "./") ? 2 : 0, folder.n);
    r->of_others |= !at->folder.n && folder.n && hm_map_get(&r->made, folder) != HM_MAP_NONE;
  } else if (!at->folder.n)
    return;
  else if (note_word_in(head, managers))
    call_script(r, part, head, read_manager(r, &w, head, &run), run);
  else if (hm_str_is(head, "make"))
    read_make(r, part, &w, HM_SCRIPT_MAKE, run);
  else if (hm_str_is(head, "just"))
    read_make(r, part, &w, HM_SCRIPT_JUST, run);
}

/* "# to come", "# Linting (if configured)": nobody says that the script is there. */
static bool is_doubtful_comment(const note_words *w) {
  enum { NEAR = 3 };
  static const char met[] = "any|available|configured|defined|implemented|needed|present",
                    denied[] = "available|configured|defined|implemented|longer|present|script|"
                               "target|there|yet";
  if (note_any_word_in(w, "coming|deprecated|future|planned|removed|soon|todo"))
    return true;
  for (size_t i = 0; i < w->n; i++) {
    bool condition = hm_str_is(w->w[i].low, "if"), no = note_word_in(w->w[i].low, "no|not");
    for (size_t k = i + 1; (condition || no) && k <= i + NEAR && k < w->n; k++)
      if (note_word_in(w->w[k].low, condition ? met : denied))
        return true;
  }
  return false;
}

/* "# From the repo root", "# In the root of the repository": not of the document's folder. */
static bool is_of_root(const note_words *w) {
  for (size_t i = 0; i < w->n; i++)
    for (size_t k = i + 1; note_word_in(w->w[i].low, "at|from|in") && k < w->n; k++)
      if (hm_str_is(w->w[k].low, "root"))
        return true;
  return false;
}

/* Lies the document at the top of the tree? */
static bool is_at_top(const reader *r) {
  const hm_tree_files *in =
      r->scripts->tree ? hm_tree_files_around(r->scripts->tree, r->folder) : NULL;
  return in && !hm_tree_files_below(in, r->folder).n;
}

/* "a && b; c": each command. */
static void read_line(reader *r, uint32_t part, hm_str line, place *at) {
  hm_str rest = line;
  ptrdiff_t comment = hm_str_find(line, " #");
  if (comment >= 0) {
    note_words w = note_split(hm_str_sub(line, (size_t)comment, line.n), r->a);
    r->unsure |= is_doubtful_comment(&w);
    rest.n = (size_t)comment;
  }
  for (size_t from = 0, i = 0; i <= rest.n; i++) {
    if (i < rest.n && !strchr("&;|", rest.p[i]))
      continue;
    if (i > from)
      read_command(r, part, hm_str_sub(rest, from, i), at);
    from = i + 1;
  }
}

/* Spans of code in a text that tells to run them. */
static void read_spans(reader *r, uint32_t part, hm_str text, const hm_doc_span *spans, uint32_t n,
                       place from) {
  static const char doubts[] =
      "add|adds|added|avoid|create|creates|define|defines|delete|deleted|deletes|deprecated|drop|"
      "dropped|example|future|if|instead|missing|never|no|not|over|planned|put|rather|remove|"
      "removed|removes|rename|renamed|replace|replaced|replaces|todo|was|were|would|wrong|your|"
      "\u274C";
  bool sure = false, asked = false;
  for (uint32_t i = 0; i < n; i++) {
    if (spans[i].mark != HM_DOC_SPAN_CODE)
      continue;
    if (!asked) {
      note_words w = note_split(text, r->a);
      sure = !note_any_word_in(&w, doubts);
      asked = true;
    }
    place at = from;
    if (i + 1 < n && note_is_where(text, &spans[i], &spans[i + 1]))
      at = enter(r, at, hm_str_sub(text, spans[i + 1].from, spans[i + 1].to));
    hm_str before = hm_str_trim(hm_str_sub(text, 0, spans[i].from));
    hm_str code = hm_str_sub(text, spans[i].from, spans[i].to);
    sure &= !hm_str_starts(code, "../"); /* "In `../infra` you have" */
    if (sure && !hm_str_ends(before, "utput of") && !hm_str_ends(before, "will be"))
      read_line(r, part, code, &at);
  }
}

/* "cd api && npm test" and further down "cd web && npm test": two such lines of the block that
 * begins at part `first`, and none that leads up, are run each by itself; so is each of a list of
 * commands, "cd api && npm test # of the API". */
static bool are_apart(const hm_document *doc, uint32_t first) {
  size_t n = 0;
  for (uint32_t i = first; i < doc->n && doc->parts[i].block == doc->parts[first].block; i++) {
    hm_str line = hm_str_trim(doc->parts[i].text);
    if (hm_str_find(line, "cd ..") >= 0 || hm_str_find(line, "cd -") >= 0)
      return false;
    if (hm_str_starts(line, "cd ") && hm_str_find(line, "&&") > 0)
      n += 1 + (hm_str_find(line, " #") > 0);
  }
  return n > 1;
}

void note_calls_read(note_calls *out, const hm_scripts *scripts, const hm_document *doc,
                     hm_str path, hm_arena *a) {
  reader r = { .scripts = scripts, .doc = doc, .out = out, .a = a };
  uint32_t block = HM_DOC_NONE;
  place at = { HM_EMPTY, false };
  uint32_t above = 0;           /* the line before, of a block */
  bool coming = false;          /* the heading says so: "Unit tests (to be written)" */
  uint32_t apart = HM_DOC_NONE; /* the heading right below which another project is at work */
  *out = (note_calls){ .n = 0 };
  if (!scripts || !scripts->n || note_is_pattern(path, a))
    return;
  r.folder = hm_scripts_folder(scripts, path, a);
  for (uint32_t i = 0; i < doc->n && r.folder.n; i++) {
    const hm_doc_part *p = &doc->parts[i];
    if (p->kind == HM_DOC_HEADING)
      coming = p->level > 1 && note_is_doubtful(p->text, a);
    if (coming || p->quoted || p->task || p->kind == HM_DOC_HEADING)
      continue;
    if (p->kind == HM_DOC_CODE) {
      hm_str line = hm_str_trim(p->text);
      bool comment = hm_char_at(line, 0, '#');
      if (p->block != block) {
        r.unsure = r.elsewhere = false;
        r.apart = are_apart(doc, i);
        r.of_reader = note_is_for_reader(doc, i, a);
      }
      bool below = p->heading != HM_DOC_NONE && doc->parts[p->heading].level > 1;
      if ((below && note_installs_own(scripts, line, a)) ||
          (!is_at_top(&r) && note_clones_other(scripts, r.folder, line, a)))
        apart = p->heading;
      if (p->block != block || r.apart)
        at = (place){ r.folder, false };
      block = p->block;
      if (p->line > above + 1)
        r.elsewhere = false;
      above = p->line;
      if (comment) {
        note_words w = note_split(line, a);
        r.elsewhere = note_any_word_in(&w, "coming|deprecated|future|planned|removed") ||
            (is_of_root(&w) && !is_at_top(&r));
        r.unsure = is_doubtful_comment(&w);
      } else {
        if (r.of_reader || (apart != HM_DOC_NONE && apart == p->heading))
          continue;
        r.unsure |= r.elsewhere;
        if (note_is_shell(p->language, a))
          read_line(&r, i, p->text, &at);
        r.unsure = false;
      }
    }
    if ((apart != HM_DOC_NONE && apart == p->heading) ||
        (p->kind != HM_DOC_CODE && note_is_for_reader(doc, i, a)))
      continue;
    place here = { r.folder, false };
    read_spans(&r, i, p->text, p->spans, p->kind == HM_DOC_CODE ? 0 : p->n_spans, here);
    if (p->n_cells && hm_str_ends(p->cells[0].text, "/")) /* "| `web/` | `make test` |" */
      here = enter(&r, here, p->cells[0].text);
    for (uint32_t k = 0; k < p->n_cells; k++)
      read_spans(&r, i, p->cells[k].text, p->cells[k].spans, p->cells[k].n_spans, here);
  }
  if (r.several || r.of_others)
    *out = (note_calls){ .n = 0 };
}

/* --- rows --------------------------------------------------------------------------------------
 */

/* "web script build": the folder of its file, and what it is. */
static hm_str slot_of(const note_call *call, hm_arena *a) {
  static const char *const what[] = { "script ", "target ", "recipe " };
  hm_str source = call->file->source;
  hm_str folder = hm_str_sub(source, 0, source.n - hm_str_behind_last(source, '/').n);
  return HM_CAT(a, folder, hm_str_c(what[call->file->kind]), call->name);
}

void note_calls_claim(note_claims *out, const note_calls *calls, uint32_t part) {
  size_t at = hm_lower_bound(calls->v, calls->n, sizeof *calls->v, &part, note_order_part);
  for (; at < calls->n && calls->v[at].part == part; at++)
    note_claims_add(out, slot_of(&calls->v[at], out->a), HM_STR("called"), NOTE_SAID);
}

const hm_json *note_calls_state(const note_call *call, hm_arena *a) {
  static const char *const what[] = { "scripts", "targets", "recipes" };
  const hm_script_file *f = call->file;
  size_t line = f->line;
  hm_str like = hm_scripts_like(f, call->name, &line, a);
  hm_str lacks = HM_CAT(a, HM_STR("not among the "), hm_str_c(what[f->kind]), HM_STR(" of "),
                        f->source, hm_str_c(like.n ? ", which has " : ""), like);
  hm_str key = slot_of(call, a), made_of = HM_CAT(a, f->source, HM_STR("\n"), key);
  return note_lack_state(key, made_of, lacks, hm_str_fmt(a, "%.*s:%zu", HM_FMT(f->source), line),
                         a);
}
