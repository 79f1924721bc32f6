/* Commands that say which tool a project uses for a task: "npm install", "./gradlew build",
 * "pytest". Of the tools of one line only one does a task, so two of them contradict each other; a
 * document that gives several shows alternatives. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/notes/notes_impl.h"

/* A command by its first words. then: what may follow; NULL: anything, "": nothing. */
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
  { "python package manager", "pip", "pip install -r", NULL },
  { "python package manager", "pip", "pip3 install -r", NULL },
  { "python package manager", "pip", "python -m pip install -r", NULL },
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
  { "python test runner", "pytest", "pytest", NULL },
  { "python test runner", "pytest", "python -m pytest", NULL },
  { "python test runner", "pytest", "uv run pytest", NULL },
  { "python test runner", "pytest", "poetry run pytest", NULL },
  { "python test runner", "manage.py test", "python manage.py test", NULL },
  { "python test runner", "unittest", "python -m unittest", NULL },
  { "rust test runner", "cargo test", "cargo test", NULL },
  { "rust test runner", "nextest", "cargo nextest run", NULL },
  { "javascript test runner", "jest", "jest", NULL },
  { "javascript test runner", "jest", "npx jest", NULL },
  { "javascript test runner", "vitest", "vitest", NULL },
  { "javascript test runner", "vitest", "npx vitest", NULL },
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

/* Only options stand from i to the end, or to the next command. */
static bool is_end(const note_words *w, size_t i) {
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
      "avoid|don't|fails|if|instead|never|no|not|older|rather|replaces|than|unlike|used|was|were|"
      "without";
  note_words all = note_split(p->text, out->a);
  bool sentence = p->kind == HM_DOC_SENTENCE || p->kind == HM_DOC_ITEM;
  if (!sentence || note_any_word_in(&all, "either|or"))
    return;
  for (uint32_t i = 0; i < p->n_spans; i++) {
    const hm_doc_span *s = &p->spans[i];
    if (s->mark != HM_DOC_SPAN_CODE)
      continue;
    note_words before = note_split(hm_str_sub(p->text, 0, s->from), out->a);
    if (note_any_word_in(&before, doubts))
      return;
    note_command_read(out, c, hm_str_sub(p->text, s->from, s->to));
  }
}
