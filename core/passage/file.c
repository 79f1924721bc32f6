/* What the path of a document says of it: the component in whose folder it lies, the words that
 * keep it apart, whether it is a log, an archive, a test, one of a series. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/passage/passage_impl.h"
/* Folders whose folders are components each. */
static const char holders[] =
    "apps|cmd|components|contracts|crates|examples|functions|integrations|lambdas|libs|"
    "modules|packages|pkgs|plugins|projects|samples|services|skills|templates|tools|"
    "workers|workspaces";
/* Folders of documents: what they are called says nothing of what the documents are about. */
static const char documents[] =
    ".clinerules|.cursor|.github|.windsurf|adr|adrs|ai|architecture|book|commands|context|"
    "copilot|decisions|design|doc|docs|documentation|documents|engineering|guide|guides|handbook|"
    "i18n|instructions|kb|knowledge|locales|manual|memory|memory-bank|notes|onboarding|planning|"
    "playbooks|product|project|reference|rules|runbook|runbooks|spec|standards|translations|wiki";

/* Folders of what others made. */
static const char foreign_folders[] = "3rdparty|dependencies|deps|extern|subprojects|third-party|"
                                      "third_party|thirdparty|vendor|vendored";
/* Folders of what was thought or found once, or of what to tell an agent of any project. */
static const char past_folders[] =
    "_drafts|archive|archived|benchmark|benchmarks|blog|changelog|changelogs|deprecated|history|"
    "inspiration|legacy|migrating|migration|migrations|obsolete|old|plans|posts|prompts|proposals|"
    "prs|release-notes|releases|reports|research|reviews|rfc|rfcs|skills|specs|staged-for-removal|"
    "upgrades|upgrading|.plan|.plans|phases";

static hm_str part_of_path(hm_str path, size_t *from) {
  const char *slash = *from < path.n ? memchr(path.p + *from, '/', path.n - *from) : NULL;
  size_t end = slash ? (size_t)(slash - path.p) : path.n;
  hm_str part = hm_str_sub(path, *from, end);
  *from = end + 1;
  return part;
}

/* "2024-03-copper.md", "review-20240312.md": one of a series by date. */
static bool is_dated(hm_str part) {
  for (size_t i = 0; i + 8 <= part.n; i++)
    if (hm_str_starts(hm_str_sub(part, i, part.n), "20") && hm_skip_digits(part, i) == i + 8 &&
        strchr("01", part.p[i + 4]) && strchr("0123", part.p[i + 6]) &&
        (!i || !hm_is_digit(part.p[i - 1])))
      return true;
  for (size_t i = 0; i + 6 < part.n; i++)
    if (hm_skip_digits(part, i) == i + 4 && hm_str_starts(hm_str_sub(part, i, i + 2), "20") &&
        strchr("-_", part.p[i + 4]) && hm_digit_at(part, i + 5) && hm_digit_at(part, i + 6))
      return !i || !hm_is_digit(part.p[i - 1]);
  return false;
}

bool note_is_test_data(hm_str path, hm_arena *a) {
  static const char folders[] = "__fixtures__|fixtures|test-data|test_data|testdata";
  static const char about[] = "agents.md|claude.md|contributing.md|index.md|readme.md";
  bool tests = false;
  size_t below = 0; /* how many folders, of one of tests */
  for (size_t from = 0; from < path.n; below += below || tests) {
    hm_str part = note_lower(part_of_path(path, &from), a);
    if (from > path.n) /* the file: "tests/weave/out.md" */
      return below > 1 && !note_word_in(part, about);
    if (note_word_in(part, folders) || (tests && note_word_in(part, "data|files|resources")))
      return true;
    tests = note_word_in(part, "test|tests");
  }
  return false;
}

/* "fmt-11.1.1", "fmt-master": a copy of a release, or of a branch. */
static bool is_release(hm_str part) {
  if (hm_str_ends(part, "-latest") || hm_str_ends(part, "-master") || hm_str_ends(part, "-main"))
    return true;
  size_t at = part.n - hm_str_behind_last(part, '-').n;
  size_t n = hm_skip_digits(part, at);
  return at > 1 && n > at && hm_char_at(part, n, '.') && hm_digit_at(part, n + 1);
}

/* Does the file stand in such a folder? The index of one says what is there now. */
static bool is_past_path(hm_str path, hm_arena *a) {
  bool past = false, last = false, claude = false, hidden = false, held = false;
  for (size_t from = 0; from < path.n;) {
    hm_str part = note_lower(part_of_path(path, &from), a);
    past |= is_dated(part) || (is_release(part) && from <= path.n) ||
        (claude && hm_str_is(part, "commands")) || /* what to ask an agent */
        (hidden && hm_str_is(part, "tasks"));
    claude = hm_str_is(part, ".claude");
    hidden |= hm_char_at(part, 0, '.');
    past |= part.n == 4 && hm_str_starts(part, "20") && hm_skip_digits(part, 0) == part.n;
    if (from > path.n)
      return is_dated(part) || (past && !(last && note_word_in(part, "readme.md|index.md")));
    note_words w = note_split_name(part, a); /* "wiki_legacy", "old-docs"; a package works */
    bool named =
        note_any_word_in(&w, "deprecated|legacy|obsolete") || (w.n && hm_str_is(w.w[0].low, "old"));
    last = note_word_in(part, past_folders) || (named && !held);
    past |= last || (note_word_in(part, foreign_folders) && !held);
    held = note_word_in(part, holders); /* "apps/vendor" is what vendors use */
  }
  return false;
}

/* Of these each is used by itself. */
static const char libraries[] =
    "bindings|client|clients|crates|examples|lambdas|libs|packages|pkgs|plugins|samples|sdk|sdks|"
    "skills|templates";

/* Does the file stand in a folder below one of them? */
static bool is_library_path(hm_str path, hm_arena *a) {
  bool held = false;
  for (size_t from = 0; from < path.n;) {
    hm_str part = note_lower(part_of_path(path, &from), a);
    if (held && from <= path.n)
      return true;
    held = note_word_in(part, libraries);
  }
  return false;
}

/* Parts of a project, wherever their folders lie. */
static const char parts[] = "admin|android|api|app|backend|client|demo|desktop|example|frontend|"
                            "ios|ml|mobile|server|site|web|worker";

/* So do "cline_docs" and "memory_bank". */
static bool holds_documents(hm_str folder) {
  if (note_word_in(folder, documents))
    return true;
  for (size_t from = 0, i = 0; i <= folder.n; i++) {
    if (i < folder.n && !strchr("-_", folder.p[i]))
      continue;
    if (note_word_in(hm_str_sub(folder, from, i), "doc|docs|documentation|memory|notes|wiki"))
      return true;
    from = i + 1;
  }
  return false;
}

/* "prod", whose documents are about the whole there. */
static bool is_environment(hm_str folder, hm_arena *a) {
  note_words w = note_split(folder, a);
  return w.n && note_word_in(note_environment(&w, 0), "production|staging");
}

/* The folder below one of holders; else the last folder that is none of documents or of sources,
 * and does not name the project itself, as the first `top` bytes do. */
static hm_str component_of(hm_str path, size_t top, hm_arena *a) {
  hm_str out = HM_EMPTY, part;
  bool held = false, below = false; /* stands below one of them */
  for (size_t from = 0; from < path.n;) {
    bool project = from < top;
    part = note_lower(part_of_path(path, &from), a);
    if (from > path.n)
      break; /* the file */
    if (held)
      out = part, below = true;
    if (hm_char_at(part, 0, '.') && !holds_documents(part)) /* of a tool */
      continue;
    if (note_word_in(part, "code|source|sources|src") || (!held && is_environment(part, a)))
      continue;
    if (holds_documents(part) && !held) /* "docusaurus/docs" are about what the site is of */
      return note_word_in(out, "docusaurus|mkdocs|vitepress") ? HM_EMPTY : out;
    bool holds = note_word_in(part, holders);
    if (!holds && !held && !below && (!project || note_word_in(part, parts)))
      out = part;
    held = holds;
  }
  return out;
}

size_t note_first_folder(hm_str path) {
  size_t end = 0;
  part_of_path(path, &end);
  return end;
}

hm_str note_component_of(hm_str path, bool from_top, hm_arena *a, hm_str *folder) {
  hm_str component = component_of(path, from_top ? 0 : note_first_folder(path), a), part;
  size_t from = 0;
  *folder = path;
  while (component.n && from < path.n) {
    part = part_of_path(path, &from);
    if (from <= path.n && hm_str_eq(note_lower(part, a), component))
      *folder = hm_str_sub(path, 0, from - 1);
  }
  return component;
}

bool note_is_page_of_whole(hm_str path, hm_arena *a) {
  static const char names[] =
      "agents|architecture|claude|contributing|developer-guide|development|gemini|"
      "getting-started|guide|handbook|index|install|installation|overview|readme|setup|stack";
  hm_str name = note_lower(hm_str_behind_last(path, '/'), a);
  return hm_str_ends(name, ".md") && note_word_in(hm_str_sub(name, 0, name.n - 3), names);
}

/* Is word i a version, as "1.0.4" of "version-1.0.4", "python3.10", or that of a program: "node18",
 * "node 18"? */
static bool is_version(const note_words *w, size_t i, hm_arena *a) {
  hm_str word = w->w[i].low;
  size_t from = 0;
  while (hm_letter_at(word, from))
    from++;
  size_t n = hm_skip_digits(word, from);
  bool any = n + 2 == word.n && hm_char_at(word, n + 1, 'x'); /* "1.x" */
  if (n > from && hm_char_at(word, n, '.') && (any || hm_digit_at(word, n + 1)))
    return true;
  note_words program = note_split(hm_str_sub(word, 0, from), a);
  if (!from && i)
    program = (note_words){ &w->w[i - 1], 1 };
  return n > from && n == word.n && note_names_program(&program);
}

/* A folder "alt-b-stream" holds one of several answers to one question. */
static const char variants[] = "alt|alternative|approach|candidate|option|prototype|variant";

static hm_str scope_of_path(hm_str path, hm_arena *a) {
  hm_str out = HM_EMPTY;
  bool place = false;
  for (size_t from = 0; from < path.n;) {
    hm_str part = hm_str_dup(a, note_lower(part_of_path(path, &from), a));
    if (hm_str_ends(part, ".md"))
      part.n -= 3;
    char *words = hm_str_z(a, part);
    for (size_t i = 0; i < part.n; i++) {
      bool version = words[i] == '.' && words[i + 1] == 'v' && hm_digit_at(part, i + 2);
      if (version || strchr("-_", words[i])) /* "yaml.v2" */
        words[i] = ' ';
    }
    note_words w = note_split((hm_str){ words, part.n }, a);
    bool file = from > path.n;
    bool whole = (!file && w.n > 1 && note_word_in(w.w[0].low, variants)) ||
        note_is_for_users(&w, a) || (place && !note_word_in(part, "index|readme"));
    for (size_t i = 0; i < w.n; i++) {
      bool version = is_version(&w, i, a) && (!file || i || w.n == 1 || hm_letter_at(part, 0));
      hm_str word = note_environment(&w, i);
      if (whole || version || note_keeps_apart(word))
        out = note_scope_with(out, word, a);
    }
    place = note_names_places(&w);
  }
  return out;
}

/* Words of names of files that tell what was done once, "LAYOUT_FIXES_COMPLETE.md", or of others,
 * "THIRD_PARTY_NOTICES.md". */
static const char reports[] =
    "attributions|complete|credits|decisionlog|fix|fixes|handoff|improvements|journal|notices|"
    "session|update|updates|verification|verified";

/* Does it tell how to try something out, with settings of its own? By the words of its name, or the
 * name of a folder around it. */
static bool is_trial(hm_str path, hm_arena *a) {
  static const char trials[] = "benchmark|benchmarks|demo|demos|e2e|test|testing|tests|tutorial|"
                               "tutorials";
  for (size_t from = 0; from < path.n;) {
    hm_str part = note_lower(part_of_path(path, &from), a);
    note_words w = note_split_name(part, a);
    bool folder = from < path.n;
    /* "integration-tests", and not "test-runner"; of a file an example is a form to fill in */
    hm_str last = w.n && folder ? w.w[w.n - 1].low : HM_EMPTY;
    if (note_word_in(last, trials) || note_word_in(last, "example|examples") ||
        (!folder && note_any_word_in(&w, trials)))
      return true;
  }
  return false;
}

/* Is a word of it a number: "0012 cache"? */
static bool has_number(const note_words *w) {
  for (size_t i = 0; i < w->n; i++)
    if (w->w[i].low.n && hm_skip_digits(w->w[i].low, 0) == w->w[i].low.n)
      return true;
  return false;
}

/* "hall_north.md": is it called by one of the things of its folder, and not by what it tells of the
 * folder? */
static bool is_of_several(hm_str stem, hm_arena *a) {
  static const char whole[] =
      "agents|api|architecture|changelog|claude|config|configuration|contributing|deployment|"
      "development|faq|gemini|guide|index|install|installation|notes|overview|quickstart|readme|"
      "reference|security|setup|testing|troubleshooting|usage";
  hm_str low = note_lower(stem, a);
  const char *dot = memchr(low.p, '.', low.n); /* "README.ja.md" */
  return !note_word_in(dot ? hm_str_sub(low, 0, (size_t)(dot - low.p)) : low, whole);
}

/* "WebSocketServer.md": is it called as a class is, whose names are its own? */
static bool is_of_class(hm_str stem, hm_arena *a) {
  static const char *const kinds[] = { "adapter",    "builder", "client",   "connection",
                                       "controller", "factory", "frame",    "handler",
                                       "manager",    "parser",  "provider", "request",
                                       "response",   "router",  "server",   "service",
                                       "socket" };
  size_t humps = 0;
  for (size_t i = 0; i < stem.n; i++) {
    if (!hm_letter_at(stem, i))
      return false;
    humps += hm_is_upper(stem.p[i]) && i + 1 < stem.n && hm_is_lower(stem.p[i + 1]);
  }
  hm_str low = note_lower(stem, a);
  for (size_t i = 0; i < HM_COUNT(kinds) && humps > 1; i++)
    if (hm_str_ends(low, kinds[i]))
      return true;
  return false;
}

/* "docs/srd/spells/all/A/alarm.md": so deep a document is one of many. Folders that hold all
 * documents, also of one language, do not count. */
static bool is_deep(hm_str path, hm_arena *a) {
  enum { DEEP = 4 };
  size_t n = 0;
  for (size_t from = 0; from < path.n;) {
    hm_str part = note_lower(part_of_path(path, &from), a);
    bool all =
        holds_documents(part) || part.n == 2 || note_word_in(part, "content|site|src|website");
    n += from <= path.n && !all;
  }
  return n >= DEEP;
}

/* "BEAN-008-logging", and neither "05-building" nor "2024": is it a folder of one record? */
static bool is_numbered(hm_str folder, hm_arena *a) {
  note_words w = note_split_name(folder, a);
  for (size_t i = 0; i < w.n; i++) {
    size_t digits = hm_skip_digits(w.w[i].low, 0);
    if (digits == w.w[i].low.n && (digits == 3 || (digits > 3 && w.w[i].low.p[0] == '0')))
      return true;
  }
  return false;
}

void note_file_read(note_file *f, hm_str path, size_t top, hm_arena *a) {
  hm_str name = hm_str_behind_last(path, '/');
  hm_str below = hm_str_sub(path, top < path.n ? top : path.n, path.n);
  hm_str folder = hm_str_behind_last(hm_tree_folder(below), '/');
  *f = (note_file){ .path = path,
                    .top = top,
                    .component = component_of(path, top, a),
                    .library = is_library_path(path, a),
                    .scope = scope_of_path(path, a),
                    .instructions = note_is_for_agents(path, a),
                    .trial = is_trial(path, a),
                    .shelved = is_past_path(path, a) || note_is_test_data(path, a) };
  size_t suffix = hm_str_behind_last(name, '.').n;
  f->of_class = suffix < name.n && is_of_class(hm_str_sub(name, 0, name.n - suffix - 1), a);
  /* so is a resource of Terraform, "cluster_wait.md" */
  f->of_class |= name.n && memchr(name.p, '_', name.n) &&
      (hm_str_find(path, "docs/resources/") >= 0 || hm_str_find(path, "docs/data-sources/") >= 0);
  bool many = f->component.n || is_deep(path, a) || is_numbered(folder, a);
  note_words name_words = note_split_name(name, a);
  f->series = has_number(&name_words) || (many && is_of_several(name, a));
  /* "spec-launch.md": what one feature was to be */
  bool spec = name_words.n > 1 && hm_str_is(name_words.w[0].low, "spec");
  f->past = f->shelved || spec || note_any_word_in(&name_words, reports) ||
      hm_str_ends(note_lower(path, a), "status.md") ||
      (!hm_str_is(note_lower(name, a), "release.md") && note_name_is_past(name, a));
  f->shelved |=
      f->past &&
      note_any_word_in(
          &name_words,
          "changelog|changes|decisionlog|history|journal|log|news|releases|session|summary");
}

bool note_is_pattern(hm_str path, hm_arena *a) {
  static const char *const folders[] = { "agents/",  "boilerplate", "commands/",   "example",
                                         "fixture",  "header.md",   "prompts/",    "sample",
                                         "scaffold", "stories",     "story",       "skills/",
                                         "template", "testdata",    "third_party", "third-party",
                                         "tutorial", "vendor" };
  hm_str low = note_lower(path, a);
  for (size_t i = 0; i < HM_COUNT(folders); i++)
    if (hm_str_find(low, folders[i]) >= 0)
      return true;
  return false;
}
