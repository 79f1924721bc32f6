/* Commands that say which tool a project uses for a task: "npm install", "./gradlew build". Of the
 * tools of one line only one does a task, so two of them contradict each other; a document that
 * gives several shows alternatives. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/notes/notes_impl.h"

/* A command by its first words. "pip install -r" is none: it works beside every manager of Python.
 * then: what may follow; NULL: anything, "": nothing. */
static const struct {
  const char *slot, *tool, *words, *then;
} commands[] = {
  { "package manager", "npm", "npm ci", "" },
  { "package manager", "npm", "npm i", "" },
  { "package manager", "npm", "npm install", "" },
  { "package manager", "pnpm", "pnpm i", "" },
  { "package manager", "pnpm", "pnpm install", "" },
  { "package manager", "yarn", "yarn", "" },
  { "package manager", "yarn", "yarn install", "" },
  { "package manager", "bun", "bun i", "" },
  { "package manager", "bun", "bun install", "" },
  { "python package manager", "pdm", "pdm install", "" },
  { "python package manager", "pipenv", "pipenv install", "" },
  { "python package manager", "poetry", "poetry install", "" },
  { "python package manager", "uv", "uv sync", "" },
  { "jvm build tool", "gradle", "./gradlew build", NULL },
  { "jvm build tool", "gradle", "gradle build", NULL },
  { "jvm build tool", "gradle", "gradlew build", NULL },
  { "jvm build tool", "maven", "./mvnw package", NULL },
  { "jvm build tool", "maven", "./mvnw verify", NULL },
  { "jvm build tool", "maven", "./mvnw install", NULL },
  { "jvm build tool", "maven", "./mvnw clean", NULL },
  { "jvm build tool", "maven", "mvn package", NULL },
  { "jvm build tool", "maven", "mvn verify", NULL },
  { "jvm build tool", "maven", "mvn install", NULL },
  { "jvm build tool", "maven", "mvn clean", NULL },
};

/* Do the words from i on begin with those of the command? *next: the word behind them. */
static bool begins_with(const note_words *w, size_t i, const char *words, size_t *next) {
  while (*words) {
    size_t n = strcspn(words, " ");
    if (i >= w->n || !hm_str_eq(w->w[i].low, (hm_str){ words, n }))
      return false;
    i++;
    words += n + (words[n] == ' ');
  }
  *next = i;
  return true;
}

/* Only options stand from i to the end, or to the next command: but "yarn --version" does nothing.
 */
static bool is_end(const note_words *w, size_t i) {
  if (i < w->n && note_word_in(w->w[i].low, "--help|--version"))
    return false;
  while (i < w->n && hm_str_starts(w->w[i].low, "--"))
    i++;
  return i >= w->n || hm_str_is(w->w[i].low, "&&");
}

void note_command_read(note_claims *out, const note_context *c, hm_str line) {
  ptrdiff_t comment = hm_str_find(line, " #");
  note_words w = note_split(comment < 0 ? line : hm_str_sub(line, 0, (size_t)comment), out->a);
  size_t i = w.n > 3 && hm_str_is(w.w[0].low, "cd") && hm_str_is(w.w[2].low, "&&") ? 3 : 0, next;
  if (i < w.n && hm_str_is(w.w[i].low, "$"))
    i++;
  if (note_any_word_in(&w, "--help|--version")) /* it asks what is there */
    return;
  note_words behind =
      note_split(comment < 0 ? HM_EMPTY : hm_str_sub(line, (size_t)comment, line.n), out->a);
  if (behind.n && hm_str_is(behind.w[behind.w[0].s.p[0] == '#' && behind.n > 1].low, "or"))
    return; /* "# or: pip install" */
  for (size_t k = 0; k < HM_COUNT(commands); k++) {
    if (!begins_with(&w, i, commands[k].words, &next) || (commands[k].then && !is_end(&w, next)))
      continue;
    note_claims_add(out,
                    HM_CAT(out->a, c->file->component, HM_STR(" "), hm_str_c(commands[k].slot)),
                    hm_str_c(commands[k].tool), NOTE_SETTING);
    return;
  }
}

/* "Run the tests with `cargo test`, not with nextest": commands that a sentence names. */
void note_commands_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const char doubts[] =
      "automatically|avoid|don't|due|e.g|example|fails|if|instead|never|no|not|older|rather|"
      "replaces|than|unlike|used|was|were|without";
  static const char calls[] = "call|execute|run|type|use|using|via|with";
  note_words all = note_split(p->text, out->a);
  bool sentence = p->kind == HM_DOC_SENTENCE || p->kind == HM_DOC_ITEM;
  /* "Yarn v1: run `yarn install`": if one has it */
  static const char managers[] = "bun|npm|pip|pnpm|poetry|uv|yarn";
  bool of_one = all.n && note_word_in(all.w[0].low, managers) && p->n_spans && p->spans[0].from;
  if (!sentence || of_one || note_any_word_in(&all, "either|or"))
    return;
  for (uint32_t i = 0; i < p->n_spans; i++) {
    const hm_doc_span *s = &p->spans[i];
    if (s->mark != HM_DOC_SPAN_CODE)
      continue;
    note_words before = note_split(hm_str_sub(p->text, 0, s->from), out->a);
    if (note_any_word_in(&before, doubts))
      return;
    /* "when the manager is `yarn`" */
    if (before.n && note_word_in(before.w[before.n - 1].low, "are|called|is|named"))
      continue;
    hm_str line = hm_str_sub(p->text, s->from, s->to);
    /* "The `npm install` command is called by it", "`yarn` is not used" tell of a command */
    hm_str last = before.n ? before.w[before.n - 1].low : HM_EMPTY;
    bool told_of = note_word_in(last, "a|an|each|every|runs|the|triggers");
    if (note_word_in(line, managers) ? note_word_in(last, calls) : !told_of)
      note_command_read(out, c, line);
  }
}

/* --- commands of a task ------------------------------------------------------------------------
 */

/* What a command runs: "pytest" of "uv run pytest -q tests/"; of a target or script its name, since
 * who starts it is known elsewhere: "test" of "npm run test". */
typedef struct {
  hm_str value; /* empty: it is none that is known */
  bool target;  /* of a makefile, a script: it may run what others run by themselves */
} task_command;

static task_command read_task_command(hm_str line, hm_arena *a) {
  static const char *const starters[] = {
    "$ ",          "sudo ",    "npx ",       "uv run ",      "uvx ",       "poetry run ",
    "pipenv run ", "pdm run ", "hatch run ", "bundle exec ", "python -m ", "python3 -m "
  };
  static const char scripts[] = "bun|npm|pnpm|yarn",
                    targets[] = "invoke|just|make|nox|rake|task|tox";
  static const char tools[] =
      "alembic|bazel|black|cargo|cmake|ctest|django-admin|dotnet|eslint|flake8|go|golangci-lint|"
      "gradle|isort|jest|mix|mvn|mypy|phpunit|playwright|prettier|pylint|pyright|pytest|rspec|"
      "rubocop|ruff|sbt|stack|swift|terraform|tsc|unittest|vite|vitest|yapf|zig";
  static const char parts[] = "--cwd|--dir|--filter|--prefix|--workspace|-c|-w|workspace";
  static const char several[] = /* tools that do several things */
      "alembic|bazel|cargo|dotnet|go|gradle|mix|mvn|ruff|sbt|stack|swift|terraform|vite|zig";
  task_command out = { HM_EMPTY, false };
  line = hm_str_trim(line);
  if (hm_str_starts(line, "[")) /* "[agent: x]" is a text */
    return out;
  for (size_t i = 0; i < HM_COUNT(starters); i++)
    if (hm_str_starts(line, starters[i]))
      line = hm_str_sub(line, strlen(starters[i]), line.n);
  note_words w = note_split(line, a);
  if (note_any_word_in(&w, parts)) /* it is about a part of the project */
    return out;
  bool script = w.n && note_word_in(w.w[0].low, scripts);
  for (size_t i = 1; script && i < w.n; i++) /* of one package */
    if (note_word_in(w.w[i].s, "--cwd|--dir|--filter|--prefix|--workspace|-C|-F|-w"))
      return out;
  out.target = script || (w.n && note_word_in(w.w[0].low, targets));
  bool tool = w.n && note_word_in(w.w[0].low, tools);
  if (!w.n || (!out.target && !tool) ||
      (script && w.n > 1 && note_word_in(w.w[1].low, "add|ci|create|dlx|exec|i|install|x")))
    return out;
  out.value = script ? HM_EMPTY : w.w[0].s;
  if (!out.target && !note_word_in(w.w[0].low, several))
    return out;
  for (size_t i = 1; i < w.n; i++) {
    hm_str s = w.w[i].s;
    bool outside = memchr(s.p, '/', s.n) || strchr("-.<$", s.p[0]);
    if (strchr("|;&>", w.w[i].before) || hm_str_is(s, "&&"))
      break;
    if (outside || (script && hm_str_is(s, "run")))
      continue;
    out.value = HM_CAT(a, out.value, out.value.n ? HM_STR(" ") : HM_EMPTY, s);
    break; /* "go test", "cargo fmt", "make check" */
  }
  return out;
}

/* Tasks of which a project has one command each; other commands do many things. */
static bool is_task(const note_topic *t) {
  static const char tasks[] = "benchmark|build|check|coverag|develop|format|lint|migrat|server|"
                              "start|test|type";
  static const char beside[] =
      "all|backend|code|complet|databas|doc|e2e|end-to-end|frontend|full|instal|integr|local|"
      "project|reload|run|site|sourc|static|suit|unit|watch|whole";
  bool any = false;
  for (size_t i = 0; i < t->n; i++) {
    bool task = note_word_in(t->v[i], tasks);
    if (!task && !note_word_in(t->v[i], beside))
      return false;
    any |= task;
  }
  return any;
}

/* only: nothing else does it, so that a target and what it may run exclude each other. */
static void claim_task(note_claims *out, const note_context *c, note_topic *t, hm_str line,
                       bool only) {
  task_command command = read_task_command(line, out->a);
  size_t n = note_topic_finish(t, c, "command", 0);
  if (!command.value.n || !n || n > NOTE_TOPIC_MAX || !is_task(t))
    return;
  for (int target = 0; target <= 1; target++)
    if (only || target == command.target)
      note_claims_add_words(out, note_topic_slot(t, target ? "target" : "command"), command.value,
                            NOTE_MEASURED);
}

/* Is the whole cell a span of code? */
static bool is_code_cell(const hm_doc_cell *cell) {
  return cell->n_spans && cell->spans[0].mark == HM_DOC_SPAN_CODE && !cell->spans[0].from &&
      cell->spans[0].to == cell->text.n;
}

/* "| Start the server | `pnpm dev` |". */
static void read_task_row(note_claims *out, const note_context *c, const hm_doc_part *p) {
  size_t task = is_code_cell(&p->cells[0]) ? 1 : 0, code = 1 - task;
  note_topic t = { .a = out->a };
  if (p->n_cells != 2 || !is_code_cell(&p->cells[code]) || is_code_cell(&p->cells[task]))
    return;
  note_topic_add_text(&t, p->cells[task].text);
  claim_task(out, c, &t, p->cells[code].text, false);
}

/* Its only span of code; NULL: none, or several, of which each may be the command. */
static const hm_doc_span *only_code(const hm_doc_part *p) {
  const hm_doc_span *code = NULL;
  for (uint32_t i = 0; i < p->n_spans; i++) {
    if (p->spans[i].mark != HM_DOC_SPAN_CODE)
      continue;
    if (code)
      return NULL;
    code = &p->spans[i];
  }
  return code;
}

void note_tasks_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text) {
  static const char doubts[] =
      "alternative|alternatively|also|avoid|can|don't|either|example|fails|if|instead|may|not|"
      "only|optional|optionally|or|previously|rather|see|single|specific|unlike|was|were|when|"
      "without";
  static const char tails[] = "and|because|before|for|never|so|then|to|which|while";
  note_topic t = { .a = out->a };
  if (p->kind == HM_DOC_ROW) {
    if (p->n_cells > 1)
      read_task_row(out, c, p);
    return;
  }
  if (p->kind == HM_DOC_CODE) { /* "make test # run the unit tests" */
    ptrdiff_t at = hm_str_find(text, " #");
    if (at <= 0 || hm_str_starts(text, "#"))
      return;
    note_topic_add_text(&t, hm_str_sub(text, (size_t)at + 2, text.n));
    claim_task(out, c, &t, hm_str_sub(text, 0, (size_t)at), false);
    return;
  }
  bool sentence = p->kind == HM_DOC_SENTENCE || p->kind == HM_DOC_ITEM;
  const hm_doc_span *code = sentence ? only_code(p) : NULL;
  note_words w = note_split(code ? text : HM_EMPTY, out->a);
  bool only = note_any_word_in(&w, "always|never");
  for (size_t i = 0; i < w.n; i++) {
    bool behind = w.w[i].at >= code->to;
    if (w.w[i].at >= code->from && !behind)
      continue;
    if (behind && (note_word_in(w.w[i].low, tails) || strchr(",;.(", w.w[i].before)))
      break;
    if (note_word_in(w.w[i].low, doubts) || hm_str_is(w.w[i].low, "never"))
      return;
    if (!behind && i && strchr(".;!?", w.w[i].before))
      t.n = 0;
    note_topic_add_word(&t, &w, i);
  }
  if (code)
    claim_task(out, c, &t, hm_str_sub(text, code->from, code->to), only);
}
