/* Commands that say which tool a project uses for a task: "npm install", "./gradlew build". Of the
 * tools of one line only one does a task, so two of them contradict each other; a document that
 * gives several shows alternatives. */
#include <string.h>

#include "core/passage/passage_impl.h"

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
  { "python formatter", "black", "black", "" }, /* "black ." */
  { "python formatter", "black", "uv run black", "" },
  { "python formatter", "ruff", "ruff format", NULL },
  { "python formatter", "ruff", "uv run ruff format", NULL },
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
  { "python migrations", "alembic", "alembic upgrade", NULL },
  { "python migrations", "alembic", "uv run alembic upgrade", NULL },
  { "python migrations", "alembic", "poetry run alembic upgrade", NULL },
  { "python migrations", "django", "python manage.py migrate", NULL },
  { "python migrations", "django", "uv run python manage.py migrate", NULL },
  { "python migrations", "django", "poetry run python manage.py migrate", NULL },
  { "python migrations", "django", "./manage.py migrate", NULL },
  { "javascript migrations", "drizzle", "npx drizzle-kit migrate", NULL },
  { "javascript migrations", "drizzle", "pnpm drizzle-kit migrate", NULL },
  { "javascript migrations", "knex", "npx knex migrate:latest", NULL },
  { "javascript migrations", "prisma", "npx prisma migrate", NULL },
  { "javascript migrations", "prisma", "pnpm prisma migrate", NULL },
  { "javascript migrations", "sequelize", "npx sequelize db:migrate", NULL },
  { "javascript migrations", "sequelize", "npx sequelize-cli db:migrate", NULL },
  { "javascript migrations", "typeorm", "npx typeorm migration:run", NULL },
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
    i += 1 + note_word_in(w->w[i].low, "--extra|--group|--only|--with|--without");
  return i >= w->n || hm_str_is(w->w[i].low, "&&");
}

void note_command_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str line) {
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
    hm_str folder;
    bool changes = note_folder_run(c->doc, p, line, &folder, out->a);
    if (note_is_locked(c, changes, folder, hm_str_c(commands[k].tool), out->a))
      return; /* a part with a manager of its own */
    note_claims_add(out,
                    HM_CAT(out->a, note_component_run(c, folder, out->a), HM_STR(" "),
                           hm_str_c(commands[k].slot)),
                    hm_str_c(commands[k].tool), NOTE_SETTING);
    return;
  }
}

/* "Never:" above a list: does what leads in to it deny what its items say? */
static bool is_denied_above(const note_context *c, const hm_doc_part *p, hm_arena *a) {
  note_words w = note_split(note_lead_of(c->doc, (uint32_t)(p - c->doc->parts)), a);
  return note_any_word_in(&w, "avoid|don't|never|no|not|without");
}

/* "Run the tests with `cargo test`, not with nextest": commands that a sentence names. */
void note_commands_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t) {
  static const char doubts[] =
      "automatically|avoid|don't|due|e.g|example|fails|if|instead|never|no|not|older|rather|"
      "replaces|than|unlike|used|was|were|without";
  static const char calls[] = "call|execute|run|type|use|using|via|with";
  const note_words *all = &t->words;
  bool sentence = p->kind == HM_DOC_SENTENCE || p->kind == HM_DOC_ITEM;
  /* "Yarn v1: run `yarn install`": if one has it */
  static const char managers[] = "black|bun|npm|pip|pnpm|poetry|uv|yarn";
  bool of_one = all->n && note_word_in(all->w[0].low, managers) && p->n_spans && p->spans[0].from;
  if (!sentence || of_one || note_any_word_in(all, "either|or") || !p->n_spans ||
      (p->kind == HM_DOC_ITEM && is_denied_above(c, p, out->a)))
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
    bool listed = p->kind == HM_DOC_ITEM && !s->from && p->text.n == s->to + 1 &&
        strchr(",;", p->text.p[s->to]);
    if (listed)
      continue; /* "- `npm install`;": of a sentence that may deny it */
    /* "The `npm install` command is called by it", "`yarn` is not used" tell of a command */
    hm_str last = before.n ? before.w[before.n - 1].low : HM_EMPTY;
    bool told_of = note_word_in(last, "a|an|during|each|every|on|runs|the|triggers");
    if (note_word_in(line, managers) ? note_word_in(last, calls) : !told_of)
      note_command_read(out, c, p, line);
  }
}
