/* Whose project a command is for: that of the document, or that of whoever reads it; and where in
 * it. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/passage/passage_impl.h"

/* "OptionChains", "99trees": looks it like no word of a text? */
static bool is_coined(hm_str name) {
  for (size_t i = 1; i < name.n; i++)
    if (hm_is_upper(name.p[i]) && hm_is_lower(name.p[i - 1]))
      return true;
  return name.n && hm_is_digit(name.p[0]);
}

/* "the `web-tests` repository", "from the 99trees repo", where it is not this one; "the main
 * repository". */
bool note_names_repository(const hm_scripts *scripts, hm_str text, hm_arena *a) {
  note_words w = note_split(text, a);
  for (size_t i = 1; i < w.n; i++) {
    hm_str name = w.w[i - 1].s;
    bool from = i > 2 && note_word_in(w.w[i - 3].low, "from|in");
    bool repository =
        note_word_in(w.w[i].low, "repo|repository") || (from && hm_str_is(w.w[i].low, "checkout"));
    bool elsewhere = from && note_word_in(w.w[i - 1].low, "main|parent|separate");
    if (repository && elsewhere)
      return true;
    static const char known[] = "bitbucket|github|gitlab|graphql|javascript|mkdocs|typescript";
    bool named = memchr(name.p, '-', name.n) || (from && is_coined(name));
    bool own = !repository || !named || note_word_in(w.w[i - 1].low, known);
    for (size_t k = 0; k < scripts->n && !own; k++)
      own = hm_str_eq(scripts->v[k].name, name) ||
          hm_str_eq(hm_str_behind_last(scripts->v[k].folder, '/'), name);
    if (!own)
      return true;
  }
  return false;
}

/* "Inside a mobile app repo:", "App repos can use the generated scripts", "in your project"; "If a
 * test is added, give it a name such as:" of nobody yet. */
static bool tells_of_reader(hm_str text, hm_arena *a) {
  enum { NEAR = 3 };
  static const char whose[] = "generated|scaffolded|separate|your";
  static const char places[] = "app|apps|application|package.json|project|projects|repo|repos|"
                               "repository|scripts|workspace";
  note_words w = note_split(text, a);
  if (hm_str_ends(text, " such as:") && note_any_word_in(&w, "add|added|call|give|name"))
    return true;
  for (size_t i = 0; i < w.n; i++) {
    bool inside = i && note_word_in(w.w[i].low, "a|an") && hm_str_is(w.w[i - 1].low, "inside");
    for (size_t k = i + 1; k <= i + NEAR && k < w.n && w.w[k].joined; k++) {
      if (note_is_grammar(w.w[k].low))
        break;
      if ((inside || note_word_in(w.w[i].low, whose)) && note_word_in(w.w[k].low, places))
        return true;
    }
  }
  return false;
}

/* ".husky/pre-commit", "src/main.ts": what stands below it is what the file has to hold. */
static bool is_file(hm_str heading) {
  hm_str name = hm_str_behind_last(heading, '/');
  const char *dot = name.n > 1 ? memrchr(name.p + 1, '.', name.n - 1) : NULL;
  bool suffix = dot && hm_letter_at(name, (size_t)(dot + 1 - name.p));
  return name.n < heading.n && !memchr(heading.p, ' ', heading.n) && name.n &&
      (heading.p[0] == '.' || suffix) && heading.p[0] != '@';
}

hm_str note_lead_of(const hm_document *doc, uint32_t part) {
  enum { NEAR = 20 };
  const hm_doc_part *p = &doc->parts[part], *at = p;
  for (size_t i = 0; i < NEAR && at > doc->parts; i++) {
    at--;
    if (at->heading == p->heading && at->kind == p->kind && p->kind != HM_DOC_SENTENCE)
      continue;
    bool leads = at->heading == p->heading && at->kind != HM_DOC_CODE &&
        at->kind != HM_DOC_HEADING && hm_str_ends(at->text, ":");
    return leads ? at->text : HM_EMPTY;
  }
  return HM_EMPTY;
}

bool note_is_for_reader(const hm_document *doc, uint32_t part, hm_arena *a) {
  const hm_doc_part *p = &doc->parts[part];
  bool below = p->heading != HM_DOC_NONE && doc->parts[p->heading].level > 1;
  hm_str lead = note_lead_of(doc, part);
  if (p->kind != HM_DOC_CODE) /* "Run these in your clone:" is of this project */
    return note_has_any(lead, "generated|scaffolded") && tells_of_reader(lead, a);
  return (below && is_file(note_heading_text(doc, p->heading))) || tells_of_reader(lead, a);
}

note_words note_command_words(hm_str line, hm_arena *a) {
  ptrdiff_t comment = hm_str_find(line, " #");
  hm_str rest = hm_str_sub(line, 0, comment < 0 ? line.n : (size_t)comment);
  return note_split(hm_char_at(line, 0, '#') ? HM_EMPTY : rest, a);
}

bool note_command_begins(const note_words *w, size_t i) {
  return !i || strchr("|;", w->w[i].before) || note_word_in(w->w[i - 1].s, "&&|$|sudo");
}

bool note_works_away(hm_str low) {
  return note_word_in(low, "curl|pushd|rsync|scp|ssh|tar|unzip|vagrant|wget");
}

bool note_installs_own(const hm_scripts *scripts, hm_str line, hm_arena *a) {
  static const char *const managers[] = { "bun ", "npm ", "pnpm ", "yarn " };
  bool begins = false;
  if (hm_str_starts(line, "$ "))
    line = hm_str_sub(line, 2, line.n);
  for (size_t i = 0; i < HM_COUNT(managers); i++)
    begins |= hm_str_starts(line, managers[i]);
  note_words w = note_split(begins ? line : HM_EMPTY, a);
  bool elsewhere = false; /* of a workspace, or of the whole machine */
  for (size_t k = 2; k < w.n; k++)
    elsewhere |= note_word_in(w.w[k].s, "-g|--global|-w|--workspace|--filter");
  if (w.n < 3 || elsewhere || !note_word_in(w.w[1].low, "add|i|install"))
    return false;
  for (size_t i = 0; i < scripts->n; i++)
    for (size_t k = 2; k < w.n && scripts->v[i].name.n; k++) {
      hm_str name = w.w[k].s; /* "sieve@latest" */
      const char *at = name.n > 1 ? memchr(name.p + 1, '@', name.n - 1) : NULL;
      if (hm_str_eq(scripts->v[i].name, hm_str_sub(name, 0, at ? (size_t)(at - name.p) : name.n)))
        return true;
    }
  return false;
}

bool note_clones_other(const hm_scripts *scripts, hm_str folder, hm_str line, hm_arena *a) {
  ptrdiff_t at = hm_str_find(line, "git clone ");
  at = at < 0 ? hm_str_find(line, "repo clone ") : at;
  note_words w = note_split(at < 0 ? HM_EMPTY : hm_str_sub(line, (size_t)at, line.n), a);
  size_t i = 2; /* "-b release/1.2 URL" */
  while (i < w.n &&
         (note_word_in(w.w[i - 1].s, "-b|--branch") || !memchr(w.w[i].s.p, '/', w.w[i].s.n)))
    i++;
  if (i >= w.n)
    return false;
  hm_str name = hm_str_behind_last(w.w[i].low, '/');
  name.n -= hm_str_ends(name, ".git") ? 4 : 0;
  bool own = !name.n || hm_str_find(note_lower(folder, a), hm_str_z(a, name)) >= 0;
  for (size_t k = 0; k < scripts->n && !own; k++)
    own = hm_str_eq(note_lower(scripts->v[k].name, a), name);
  return !own;
}

bool note_is_where(hm_str text, const hm_doc_span *command, const hm_doc_span *span) {
  hm_str path = hm_str_sub(text, span->from, span->to);
  hm_str between =
      hm_str_sub(text, command->to, span->from > command->to ? span->from : command->to);
  bool place =
      span->mark == HM_DOC_SPAN_CODE && memchr(path.p, '/', path.n) && !memchr(path.p, ' ', path.n);
  return place &&
      (hm_str_is(between, " in ") || hm_str_is(between, " inside ") ||
       hm_str_is(between, " from ") || hm_str_is(between, " command in "));
}

/* "docs" of "docs/README.md" beside "docs/package.json", which makes a site of them; else empty. */
static hm_str package_of_readme(const hm_scripts *scripts, hm_str path, size_t top, hm_arena *a) {
  hm_str name = hm_str_behind_last(path, '/'), folder = hm_tree_folder(path);
  bool below = folder.n > top;
  hm_str package = HM_CAT(a, folder, HM_STR("/package.json"));
  if (!scripts || !below || !hm_str_is(note_lower(name, a), "readme.md"))
    return HM_EMPTY;
  for (size_t i = 0; i < scripts->n; i++)
    if (hm_str_eq(scripts->v[i].source, package))
      return note_lower(hm_str_behind_last(folder, '/'), a);
  return HM_EMPTY;
}

hm_str note_package_of(const note_file *f, hm_arena *a) {
  return f->component.n ? f->component : package_of_readme(f->scripts, f->path, f->top, a);
}

/* Does the line change the folder? *folder: the one that it enters, "web/app" of "cd ./web/app &&
 * make"; empty: nobody knows, or it leads up or back. */
static bool changes_folder(hm_str line, hm_str *folder, hm_arena *a) {
  line = hm_str_trim(line);
  *folder = HM_EMPTY;
  for (size_t i = 0; i < 2; i++)
    if (hm_str_starts(line, "$ ") || hm_str_starts(line, "("))
      line = hm_str_sub(line, line.p[0] == '$' ? 2 : 1, line.n);
  if (!hm_str_starts(line, "cd "))
    return false;
  note_words w = note_split(line, a);
  hm_str path = w.n > 1 ? w.w[1].s : HM_EMPTY;
  while (hm_str_starts(path, "./") || hm_str_starts(path, "../"))
    path = hm_str_sub(path, hm_str_starts(path, "./") ? 2 : 3, path.n);
  path.n -= hm_str_ends(path, "/");
  bool back = hm_str_find(line, "cd -") >= 0 || hm_str_find(line, "cd ..") > 0;
  if (!back && !note_word_in(path, ".|..|-"))
    *folder = path;
  return true;
}

/* The component of the folder of the tree that ends so and is none around the document: that may be
 * the clone of it all. Empty: there is none. */
static hm_str component_in(const note_file *f, hm_str folder, hm_arena *a) {
  hm_str own = hm_scripts_folder(f->scripts, f->path, a);
  const char *end = hm_str_z(a, HM_CAT(a, HM_STR("/"), folder));
  for (size_t i = 0; i < f->scripts->n; i++) {
    const hm_script_file *s = &f->scripts->v[i];
    if (!hm_str_ends(s->folder, end) || hm_tree_lies_in(own, s->folder))
      continue;
    note_file in;
    note_file_read(&in, HM_CAT(a, hm_tree_folder(s->source), HM_STR("/README.md")), f->top, a);
    in.scripts = f->scripts;
    in.component = note_package_of(&in, a);
    return in.component.n ? in.component : note_lower(hm_str_behind_last(folder, '/'), a);
  }
  return HM_EMPTY;
}

bool note_folder_run(const hm_document *doc, const hm_doc_part *p, hm_str line, hm_str *folder,
                     hm_arena *a) {
  enum { NEAR = 200 }; /* lines of a block */
  bool changes = changes_folder(line, folder, a);
  const hm_doc_part *at = p;
  for (size_t i = 0; i < NEAR && p->kind == HM_DOC_CODE && !changes && at > doc->parts; i++, at--) {
    if (at[-1].block != p->block)
      break;
    bool inside = hm_str_starts(hm_str_trim(at[-1].text), "("); /* of brackets: for that line */
    changes = !inside && changes_folder(at[-1].text, folder, a);
  }
  return changes;
}

/* Lies the lock file of the manager in the folder, a path below the top? */
static bool has_lock(const hm_tree_files *in, hm_str folder, hm_str tool, hm_arena *a) {
  static const struct {
    const char *tool, *file;
  } locks[] = { { "bun", "bun.lock" },
                { "bun", "bun.lockb" },
                { "npm", "package-lock.json" },
                { "pnpm", "pnpm-lock.yaml" },
                { "yarn", "yarn.lock" } };
  if (!folder.n || folder.n > NOTE_PATH_LENGTH || hm_str_find(folder, "..") >= 0)
    return false;
  for (size_t i = 0; i < HM_COUNT(locks); i++)
    if (hm_str_is(tool, locks[i].tool) &&
        hm_tree_files_ask(in, HM_CAT(a, folder, HM_STR("/"), hm_str_c(locks[i].file))) ==
            HM_TREE_HAS)
      return true;
  return false;
}

bool note_is_locked(const note_context *c, bool changes, hm_str folder, hm_str tool, hm_arena *a) {
  const hm_scripts *scripts = c->file->scripts;
  hm_str own = scripts ? hm_scripts_folder(scripts, c->file->path, a) : HM_EMPTY;
  const hm_tree_files *in =
      own.n && scripts->tree ? hm_tree_files_around(scripts->tree, own) : NULL;
  if (!in)
    return false;
  own = hm_tree_files_below(in, own);
  if (!changes)
    return has_lock(in, own, tool, a);
  bool below = own.n && folder.n && folder.n <= NOTE_PATH_LENGTH;
  return has_lock(in, folder, tool, a) ||
      (below && has_lock(in, HM_CAT(a, own, HM_STR("/"), folder), tool, a));
}

hm_str note_component_run(const note_context *c, hm_str folder, hm_arena *a) {
  hm_str component = HM_EMPTY;
  if (folder.n && c->file->scripts && c->file->scripts->tree)
    component = component_in(c->file, folder, a);
  if (folder.n && !component.n && !c->file->clones) /* a part without a package, or the reader's */
    component = note_lower(hm_str_behind_last(folder, '/'), a);
  return component.n ? component : c->file->component;
}
