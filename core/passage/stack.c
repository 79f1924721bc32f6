/* The stack of a project: which tool it has for what, by labels and rows, "**Database:** MySQL",
 * and by sentences that speak of nothing else, "Lint with Biome". */
#include <string.h>

#include "core/base/ascii.h"
#include "core/passage/passage_impl.h"

/* What a project has one of: its slot; the family of its tools, or ""; labels, in small letters, of
 * which the value is such a tool; labels whose value may be any name; and words of sentences that
 * say what is done with it. */
static const struct {
  const char *slot, *family, *of_tool, *of_name, *words;
} uses[] = {
  { "authentication", "", "", "authentication|auth", "" },
  { "build tool", "", "", "build tool|build system", "" },
  { "bundler", "bundler", "", "bundler", "bundle|bundled|bundler|bundles|bundling" },
  { "cache_store", "cache_store", "", "", "cache|cached|caches|caching" },
  { "ci_system", "ci_system", "ci/cd|continuous integration", "",
    "checks|ci|continuous|integration" },
  { "commit style", "", "", "commit style|commit format|commit convention|commit messages", "" },
  { "container runtime", "", "", "container runtime|containers|container", "" },
  { "database", "database",
    "banco de dados|base de datos|baza danych|datenbank|\u6570\u636E\u5E93|"
    "\u30C7\u30FC\u30BF\u30D9\u30FC\u30B9",
    "", "database|db|keeps|stored" },
  { "default branch", "", "", "default branch|main branch", "" },
  { "formatter", "formatter", "", "formatter|code formatter|formatting",
    "format|formats|formatted|formatter|formatting" },
  { "framework", "", "", "framework|web framework", "" },
  { "hosting", "cloud_provider",
    "deployment|deployment platform|deployed on|hosted on|hosting|hosting provider|"
    "production hosting",
    "", "deployed|deploys|deployment|host|hosted|hosting|production|site" },
  { "indentation", "", "", "indentation|indent", "" },
  { "language", "", "", "language", "" },
  { "line length", "", "", "line length|max line length|maximum line length", "" },
  { "linter", "linter", "", "linter|linting", "lint|linted|linter|linting|lints" },
  { "message queue", "message_broker", "", "message queue|queue|message broker|broker",
    "broker|message|messages|queue|queues" },
  { "orchestration", "", "", "orchestration", "" },
  { "orm", "orm", "", "orm|database orm", "orm|persistence|queries" },
  { "package manager", "package_manager",
    "dependency management|dependency manager|package management|package manager|"
    "package managers",
    "", "dependencies|dependency|manager|only|prefer|use|uses" },
  { "state management", "state_library", "", "state management|state|state manager",
    "management|state" },
  { "styling", "style_library", "", "styling|css framework|css", "styled|styles|styling" },
  { "test framework", "test_runner", "",
    "testing framework|test framework|test runner|tests|testing|unit tests|unit testing",
    "framework|runner|suite|test|tested|testing|tests|unit" },
  { "type_checker", "type_checker", "", "", "checked|checker|checking|type|types" },
  { "ui library", "", "", "ui library|ui components|component library|ui framework", "" },
};

/* --- labels ------------------------------------------------------------------------------------
 */

/* The first of the things that a value lists, without its version: "React Query" of
 * "React Query, Context"; all that a plus joins, since a list may leave some out. Empty: it is a
 * sentence. */
static hm_str first_thing(hm_str value) {
  static const char *const ends[] = {
    " (", ", ", " / ", " & ", " and ", " for ", " with ", " - ", " \xE2\x80\x93 ", " \xE2\x80\x94 ",
    ";",  " | "
  };
  size_t end = value.n;
  for (size_t i = 0; i < HM_COUNT(ends); i++) {
    ptrdiff_t at = hm_str_find(hm_str_sub(value, 0, end), ends[i]);
    if (at >= 0)
      end = (size_t)at;
  }
  value = hm_str_trim(hm_str_sub(value, 0, end));
  if (hm_str_ends(value, " only")) /* "pnpm only" */
    value.n -= sizeof " only" - 1;
  size_t words = 1, last = 0;
  for (size_t i = 0; i < value.n; i++)
    if (value.p[i] == ' ')
      words++, last = i + 1;
  if (words > 3 && hm_str_find(value, " + ") < 0)
    return HM_EMPTY;
  hm_str tail = hm_str_sub(value, last, value.n);
  size_t v = tail.n && tail.p[0] == 'v' ? 1 : 0;
  if (last && hm_digit_at(tail, v))
    value = hm_str_trim(hm_str_sub(value, 0, last));
  return value;
}

/* A choice, a list whose first thing is not the main one, or what holds at one place or time only:
 * "SQLite (dev)". */
static bool has_choice(hm_str value, hm_arena *a) {
  static const char words[] =
      "and|or|and/or|any|default|depends|dev|development|either|fallback|future|legacy|local|"
      "locally|n/a|no|none|not|optional|planned|prod|production|staging|tbd|test|testing|tests|"
      "then|varies";
  static const char more[] = "defined|hosted|managed|no|only|our|run|self-hosted|the";
  note_words w = note_split(value, a);
  for (size_t i = 0; i < w.n; i++) {
    bool whole = i + 1 < w.n && hm_str_is(w.w[i].low, "for") &&
        note_word_in(w.w[i + 1].low, "all|everything");
    if (w.w[i].before != ',')
      continue;
    if (!whole && !note_word_in(w.w[i].low, more))
      return true;
    w.n = i; /* "Fly.io, for everything we run" */
  }
  return note_any_word_in(&w, words);
}

/* "Redux Toolkit", and not "Pending" or "Authenticated user". */
static bool is_name(hm_str thing, hm_arena *a) {
  note_words w = note_split(thing, a);
  for (size_t i = 0; i < w.n; i++)
    if (hm_letter_at(w.w[i].s, 0) && !hm_is_upper(w.w[i].s.p[0]))
      return false;
  return !hm_str_ends(thing, "ed") && !hm_str_ends(thing, "ing");
}

/* The role of tools of a family, by the name that labels give it; NULL: a part has several. */
static const char *role_of(const char *family, hm_str tool) {
  static const struct {
    const char *family, *role;
  } roles[] = {
    { "bundler", "bundler" },
    { "framework", "framework" },
    { "orm", "orm" },
    { "state_library", "state management" },
    { "style_library", "styling" },
  };
  static const char built_on[] = "preact|react|solid_js|starlette|svelte|vue";
  for (size_t i = 0; i < HM_COUNT(roles); i++)
    if (!strcmp(family, roles[i].family) && !note_word_in(tool, built_on))
      return roles[i].role;
  return NULL;
}

/* The family of values that the key names: "database" of "DB"; NULL: none. */
static const char *family_of_key(const note_context *c, hm_str key) {
  const hm_families *f = c->file->families;
  for (size_t i = 0; i < f->n; i++)
    if (f->families[i].nouns && note_word_in(key, f->families[i].nouns))
      return f->families[i].name;
  return NULL;
}

bool note_is_of_family(const note_context *c, hm_str tool, const char *family) {
  enum { FAMILIES_MAX = 4 };
  const char *names[FAMILIES_MAX];
  hm_str usual;
  size_t n = hm_families_of(c->file->families, tool, names, FAMILIES_MAX, &usual), i = 0;
  while (i < n && strcmp(names[i], family))
    i++;
  return i < n;
}

/* The value without another tool that it denies: "pnpm" of "pnpm (not npm)", "`ruff format`" of
 * "`ruff format` (we do not use Black)". */
static hm_str without_denied(const note_context *c, hm_str value, hm_arena *a) {
  static const char *const signs[] = { " (not ",           " (never ",       " (no ",
                                       " (we do not use ", ", not ",         ", never ",
                                       " - never ",        " \u2013 never ", " \u2014 never " };
  for (size_t i = 0; i < HM_COUNT(signs); i++) {
    ptrdiff_t at = hm_str_find(value, signs[i]);
    if (at <= 0)
      continue;
    hm_str rest = hm_str_sub(value, (size_t)at + strlen(signs[i]), value.n), usual;
    note_words w = note_split(rest, a);
    const char *family;
    size_t end;
    if (note_tool_at(c, &w, rest, 0, &usual, &end, &family))
      value.n = (size_t)at;
  }
  return value;
}

/* The only tool of a list that is of the family or, where that is NULL, has the role ("framework"),
 * by its first spelling; empty: there is none, or there are several. */
static hm_str tool_of(const note_context *c, hm_str list, const char *of, const char *role,
                      hm_arena *a) {
  hm_str tool, found = HM_EMPTY;
  const char *family;
  size_t end;
  note_words w = note_split(list, a);
  for (size_t i = 0; i < w.n; i++) {
    bool begins = !i || !w.w[i].joined || hm_str_is(w.w[i - 1].low, "+");
    if (!begins || !note_tool_at(c, &w, list, i, &tool, &end, &family))
      continue;
    const char *own = of ? NULL : role_of(family, tool);
    bool fits = of ? note_is_of_family(c, tool, of) : own && !strcmp(role, own);
    size_t next = end + (end < w.n && hm_digit_at(w.w[end].low, w.w[end].low.p[0] == 'v'));
    bool ends = next >= w.n || !w.w[next].joined ||
        note_word_in(w.w[next].low, "+|check|format|lint"); /* "ruff format" */
    if (!fits || !ends)
      continue;
    if (found.n && !hm_str_eq(found, tool))
      return HM_EMPTY;
    found = tool;
  }
  return found;
}

/* "Supabase" beside PostgreSQL: is it what stands beside another one, or is built on it? */
static bool is_beside(const char *slot, hm_str tool, hm_arena *a) {
  static const char others[] =
      "alembic|aurora|bullmq|celery|cypress|dramatiq|elasticsearch|esbuild|hangfire|"
      "javascript|js|nx|planetscale|playwright|resque|rollup|selenium|sidekiq|supabase|"
      "timescaledb|ts|turborepo|unittest";
  hm_str low = note_lower(tool, a);
  return note_word_in(low, others) || (hm_str_is(low, "redis") && strstr(slot, "cache") == NULL);
}

/* Of what each language has its own: "python " for Black; empty: nobody knows. */
static const char *language_of(const char *slot, hm_str tool, hm_arena *a) {
  static const struct {
    const char *language, *tools;
  } of[] = {
    { "go ", "gofmt|gofumpt|golangci_lint" },
    { "javascript ",
      "ava|biome|dprint|eslint|jasmine|jest|karma|mocha|oxlint|prettier|tslint|vitest" },
    { "jvm ", "junit|ktlint|testng" },
    { "php ", "pest|phpunit|pint" },
    { "python ",
      "autopep8|black|flake8|mypy|nose|pycodestyle|pylint|pyright|pytest|ruff|unittest|yapf" },
    { "ruby ", "minitest|rspec|rubocop" },
    { "rust ", "clippy|rustfmt" },
  };
  bool own = note_word_in(hm_str_c(slot), "formatter|linter|test framework|type_checker");
  for (size_t i = 0; i < HM_COUNT(of) && own; i++)
    if (note_word_in(note_lower(tool, a), of[i].tools))
      return of[i].language;
  return "";
}

/* What a project has in its backend alone, whoever speaks of it. */
static bool is_of_backend(const char *slot) {
  return note_word_in(hm_str_c(slot),
                      "cache store|cache_store|database|message broker|message queue|"
                      "message_broker|orm");
}

/* The part whose stack it is; empty: the whole. */
static hm_str part_of(const note_context *c, const char *slot, hm_arena *a) {
  /* headings that name a part which has a stack of its own */
  static const char sides[] =
      "admin|android|api|app|backend|cli|client|desktop|docs|extension|frontend|ios|landing|"
      "mobile|mobile_app|server|site|web|web_app|website|worker";
  bool shared = is_of_backend(slot) && hm_str_is(c->part, "backend");
  bool side = !shared && note_word_in(c->part, sides);
  hm_str part = side ? c->part : note_component_name(c->file->component, a);
  hm_str path = note_lower(c->file->path, a);
  if (part.n)
    return part;
  if (hm_str_find(path, "frontend") >= 0)
    return HM_STR("frontend");
  if (hm_str_find(path, "backend") >= 0) /* "docs/backend.md" */
    return is_of_backend(slot) ? HM_EMPTY : HM_STR("backend");
  return note_page_of_part(c, a);
}

/* The scope without globs of files of one type, where it has a language of its own: a rule for all
 * files of Python speaks of what Python has. */
static hm_str scope_of(const note_context *c, const char *slot, bool has_language, hm_arena *a) {
  hm_str scope = c->scope, type = c->file->of_type;
  ptrdiff_t at = type.n ? hm_str_find(scope, hm_str_z(a, type)) : -1;
  if (hm_str_is(scope, "ci ") && !strcmp(slot, "ci_system")) /* below "CI" */
    return HM_EMPTY;
  if (at < 0 || !has_language)
    return scope;
  return HM_CAT(a, hm_str_sub(scope, 0, (size_t)at),
                hm_str_sub(scope, (size_t)at + type.n, scope.n));
}

void note_stack_claim(note_claims *out, const note_context *c, const char *slot, hm_str thing) {
  hm_arena *a = out->a;
  if (!strcmp(slot, "package manager")) { /* as commands name them */
    thing = note_lower(thing, a);
    bool node = note_word_in(thing, "bun|npm|pnpm|yarn");
    if (!node && !note_word_in(thing, "pdm|pipenv|poetry|uv"))
      return;
    slot = node ? slot : "python package manager";
  }
  if (is_beside(slot, thing, a) || (c->file->trial && strcmp(slot, "test framework")))
    return;
  hm_str language = hm_str_c(language_of(slot, thing, a));
  note_claims_add(out,
                  HM_CAT(a, scope_of(c, slot, language.n > 0, a), part_of(c, slot, a), HM_STR(" "),
                         language, hm_str_c(slot)),
                  thing, NOTE_SETTING);
}

static void claim_label(note_claims *out, const note_context *c, hm_str key, hm_str value) {
  hm_arena *a = out->a;
  ptrdiff_t stop = hm_str_find(value, ". ");
  value.n = stop > 0 ? (size_t)stop : value.n; /* "pnpm. Never use another" */
  value = without_denied(c, value, a);
  hm_str low = note_lower(hm_str_trim(key), a), thing = first_thing(value);
  for (size_t n = 0; n < 2; n++) {
    size_t main = hm_str_starts(low, "main ") ? 5 : hm_str_starts(low, "primary ") ? 8 : 0;
    low = hm_str_sub(low, main, low.n);
  }
  const char *family = family_of_key(c, low), *slot = family, *usual = NULL;
  for (size_t k = 0; k < HM_COUNT(uses); k++) {
    bool of_tool = note_word_in(low, uses[k].of_tool);
    if (!of_tool && !note_word_in(low, uses[k].of_name))
      continue;
    family = of_tool ? uses[k].family : NULL;
    usual = *uses[k].family ? uses[k].family : NULL;
    slot = uses[k].slot;
    break;
  }
  if (!slot || !thing.n || has_choice(value, a) || !hm_is_alnum(thing.p[0]))
    return;
  /* "Tests | 4": how many, and not what */
  if (hm_is_digit(thing.p[0]) && !note_word_in(hm_str_c(slot), "line length|indentation"))
    return;
  for (size_t i = 0; i < thing.n; i++)
    if (strchr("=/_<>{(", thing.p[i]))
      return;
  hm_str tool = tool_of(c, thing, family, slot, a);
  if (!tool.n && usual) /* "ruff format" */
    tool = tool_of(c, thing, usual, slot, a);
  bool needs_tool = family || hm_str_is(hm_str_c(slot), "framework"); /* that of tests is none */
  if (!tool.n && (needs_tool || !is_name(thing, a)))
    return;
  thing = tool.n ? tool : thing;
  bool auth = !strcmp(slot, "authentication"); /* a method stands beside what does it */
  if (auth && !note_is_of_family(c, thing, "authentication_provider"))
    return;
  static const char tongues[] =
      "chinese|dutch|english|french|german|italian|japanese|korean|polish|"
      "portuguese|russian|spanish|ukrainian";
  if (!strcmp(slot, "language") && note_word_in(note_lower(thing, a), tongues)) /* of its texts */
    return;
  note_stack_claim(out, c, slot, thing);
}

/* --- sentences ---------------------------------------------------------------------------------
 */

/* Words with which a sentence still speaks of the whole project. */
static const char plain[] =
    "a|all|alone|always|an|and|app|application|are|as|at|before|both|built|by|check|code|"
    "codebase|commit|committing|data|dependencies|dependency|done|ever|every|everything|"
    "everywhere|exclusively|file|files|for|go|goes|handled|in|install|installation|installed|"
    "installs|is|it|its|keep|kept|lives|lock|lockfile|made|manage|managed|management|monorepo|"
    "must|of|on|only|operations|our|package|packages|please|project|project's|pull|push|pushes|"
    "python|relational|repo|repository|request|requests|run|runs|script|service|services|single|"
    "source|supported|the|their|them|this|three|through|throughout|to|tool|two|typescript|use|"
    "used|uses|using|via|we|with|workspace|workspaces|write|written";

/* May the words from i on stand behind a manager of packages? "npm scripts" are others. */
static bool leaves_manager(const note_words *w, size_t i) {
  static const char behind[] =
      "alone|and|as|everywhere|exclusively|for|in|is|only|throughout|to|with";
  i += i < w->n && hm_digit_at(w->w[i].s, 0); /* "pnpm 11.5" */
  if (i >= w->n || !w->w[i].joined || note_word_in(w->w[i].low, behind))
    return true;
  return hm_str_is(w->w[i].low, "package") && i + 1 < w->n && hm_str_is(w->w[i + 1].low, "manager");
}

/* Does word i limit what the sentence says: ", on the edge nodes", and not ", our only one"? */
static bool limits(const note_words *w, size_t i) {
  static const char words[] = "but|configured|dev|development|except|formerly|if|local|locally|on|"
                              "only|optional|or|production|staging|test|tests|unless|until|was|"
                              "when";
  bool ours = i && hm_str_is(w->w[i].low, "only") && hm_str_is(w->w[i - 1].low, "our");
  bool always =
      i + 1 < w->n && hm_str_is(w->w[i].low, "on") && note_word_in(w->w[i + 1].low, "each|every");
  return note_word_in(w->w[i].low, words) && !ours && !always;
}

/* "Lint with Biome", "The database is MySQL": the only tool of the role, where all other words are
 * plain. */
static hm_str tool_in(const note_context *c, const note_words *w, hm_str text, size_t k,
                      bool *said) {
  hm_str tool, found = HM_EMPTY;
  const char *family;
  size_t end;
  bool manager = !strcmp(uses[k].family, "package_manager");
  bool more = false; /* ", in two regions" */
  for (size_t i = 0; i < w->n; i++) {
    more |= found.n && *said && (w->w[i].before == ',' || hm_str_is(w->w[i].low, "and"));
    if (more && limits(w, i))
      return HM_EMPTY;
    if (note_tool_at(c, w, text, i, &tool, &end, &family) &&
        note_is_of_family(c, tool, uses[k].family)) {
      if (found.n || (manager && !leaves_manager(w, end)))
        return HM_EMPTY;
      const note_word *last = &w->w[end - 1];
      found = hm_str_sub(text, w->w[i].at, last->at + last->s.n); /* as it is written */
      i = end - 1;
      continue;
    }
    bool role = note_word_in(w->w[i].low, uses[k].words);
    *said |= role;
    bool version = hm_digit_at(w->w[i].low, hm_char_at(w->w[i].low, 0, 'v'));
    if (!role && !version && !more && !note_word_in(w->w[i].low, plain))
      return HM_EMPTY;
  }
  return found;
}

/* "Rails, and Redis as the cache": a tool and its role, wherever they stand in a sentence. */
static void read_as(note_claims *out, const note_context *c, const note_words *w, hm_str text) {
  static const char doubts[] =
      "alternative|avoid|away|considered|could|desktop|dev|development|dropped|example|from|if|"
      "instead|legacy|local|locally|may|never|not|optional|or|part|rejected|replace|replaced|"
      "replaces|replacing|test|tests|than|tried|was|were|when|would";
  static const char articles[] = "a|our|the|their";
  hm_str tool;
  const char *family;
  size_t end;
  bool ours = w->n && note_word_in(w->w[0].low, "it|our|the|this|we");
  bool of_another = note_any_word_in(w, "use|uses") && !ours; /* "Grafana uses SQLite as its" */
  if (of_another || note_any_word_in(w, doubts))
    return;
  for (size_t i = 0; i + 3 < w->n; i++) {
    bool as = note_tool_at(c, w, text, i, &tool, &end, &family) && end + 2 < w->n &&
        hm_str_is(w->w[end].low, "as") &&
        (note_word_in(w->w[end + 1].low, articles) ||
         (ours && hm_str_is(w->w[end + 1].low, "its")));
    size_t at = end + 2;
    at += as && at + 1 < w->n && note_word_in(w->w[at].low, "main|primary|relational");
    bool leaves = as &&
        (at + 1 == w->n || !w->w[at + 1].joined || note_word_in(w->w[at + 1].low, "and|with"));
    for (size_t k = 0; leaves && k < HM_COUNT(uses); k++)
      if (note_word_in(w->w[at].low, uses[k].words) && note_is_of_family(c, tool, uses[k].family))
        note_stack_claim(out, c, uses[k].slot, tool);
  }
}

hm_str note_first_sentence(hm_str text, hm_arena *a) {
  ptrdiff_t stop = hm_str_find(text, ". ");
  if (stop <= 0)
    return text;
  hm_str rest = hm_str_sub(text, (size_t)stop + 2, text.n);
  note_words w = note_split(rest, a);
  bool limited = w.n && note_word_in(w.w[0].low, "except|new|not|only|that|unless");
  return limited || note_any_word_in(&w, "until|was|were") ? HM_EMPTY
                                                           : hm_str_sub(text, 0, (size_t)stop);
}

static void read_plain(note_claims *out, const note_context *c, const note_words *w, hm_str text) {
  enum { LONGEST = 14 };
  bool orders = w->n == 2 && note_word_in(w->w[0].low, "prefer|use"); /* "Use pnpm." */
  if ((w->n < 3 && !orders) || w->n > LONGEST)
    return;
  for (size_t k = 0; k < HM_COUNT(uses); k++) {
    bool said = false;
    hm_str tool = *uses[k].words ? tool_in(c, w, text, k, &said) : HM_EMPTY;
    if (!tool.n || !said)
      continue;
    note_stack_claim(out, c, uses[k].slot, tool);
    return;
  }
}

void note_stack_read_sentence(note_claims *out, const note_context *c, const note_text *t) {
  hm_str text = without_denied(c, note_first_clause(note_first_sentence(t->text, out->a)), out->a);
  note_text first = note_text_until(t, text);
  size_t had = out->n;
  read_as(out, c, &first.words, text);
  if (out->n == had)
    read_plain(out, c, &first.words, text);
}

void note_stack_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  if (p->kind == HM_DOC_ROW) {
    if (p->n_cells >= 2)
      claim_label(out, c, p->cells[0].text, p->cells[1].text);
    return;
  }
  hm_str value, key = note_label_of(p, &value, out->a);
  if (hm_letter_at(key, 0))
    claim_label(out, c, key, hm_str_trim(value));
}
