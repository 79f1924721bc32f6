/* init: a mirror.yml and an empty store; --from: a mirror.yml for another program's store. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/base/credential.h"
#include "core/base/json.h"
#include "core/base/shell.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/foreign/readers.h"
#include "gen/verbs/commands.h"
#include "gen/verbs/recipes.h"
#include "gen/cli/tree_words.h"
#include "gen/mirror/config.h"
#include "gen/mirror/files.h"

/* --- init ------------------------------------------------------------------------------------- */

/* What init makes, and which of it exists already. */
typedef struct {
  const char *dir, *config, *store, *attributes;
  bool had_config, had_store, had_attributes, merges_verdicts;
  size_t pages; /* which of page_choices */
} init_plan;

/* What a branch gets, or two: the word of --pages, what is asked, publish.pages, and what else the
 * file says of it. The first is the default. */
static const struct {
  const char *word, *what, *pages, *more;
} page_choices[] = {
  { "both", "Markdown and HTML, on one branch", "both", "" },
  { "markdown", "Markdown only: the git host shows it", "markdown", "" },
  { "html", "HTML only: for a web server", "html", "" },
  { "apart", "Markdown on the branch, HTML on a branch of its own, pages", "markdown",
    "# HTML has a branch of its own: hmirror publish --html-only --branch pages\n" },
};

/* Lines of verdicts from two branches are all kept; hmirror sorts out the rest. */
static const char git_attributes[] = "verdicts.jsonl merge=union\n";

static int is_there(hm_cli *cli, const char *path, bool *there) {
  struct stat st;
  *there = lstat(path, &st) == 0;
  return *there || errno == ENOENT || errno == ENOTDIR
      ? 0
      : hm_fail(&cli->err, HM_E_OUTPUT, path, strerror(errno), hm_errno_suggest_fix(errno));
}

/* Checks whether there is a .gitattributes, and whether it has our line. */
static int look_at_attributes(hm_cli *cli, init_plan *m) {
  enum { ATTRIBUTES_MAX = 1 << 20 };
  hm_str text = HM_EMPTY;
  hm_err none = { 0 };
  if (is_there(cli, m->attributes, &m->had_attributes))
    return -1;
  if (m->had_attributes &&
      hm_file_read(cli->a, m->attributes, ATTRIBUTES_MAX, HM_E_INPUT, &text, &none) == 0)
    m->merges_verdicts = hm_str_find(text, git_attributes) >= 0;
  return 0;
}

/* A config that is there says where the store is. */
static int plan_files(hm_cli *cli, init_plan *m) {
  const char *config = hm_cli_get_option(cli, "config"), *store = hm_cli_get_option(cli, "store");
  m->dir = cli->args.n_words ? cli->args.words[0] : ".";
  m->config = config ? config : hm_path_join(cli->a, m->dir, "mirror.yml");
  m->store = store ? store : hm_path_join(cli->a, m->dir, "hmirror.db");
  m->attributes = hm_path_join(cli->a, m->dir, ".gitattributes");
  if (is_there(cli, m->config, &m->had_config) || look_at_attributes(cli, m))
    return -1;
  if (m->had_config &&
      (hm_config_load(cli->a, m->config, &cli->mirror.config, &cli->err) ||
       hm_cli_apply_trust(cli)))
    return -1;
  if (m->had_config && !store)
    m->store = cli->mirror.config.store;
  if (hm_trust_check(&cli->mirror.trust, m->store, &cli->err))
    return -1;
  if (is_there(cli, m->store, &m->had_store))
    return -1;
  if (m->had_store && access(m->store, F_OK) != 0 && errno == ENOENT)
    return hm_fail(&cli->err, HM_E_OUTPUT, m->store, "a symbolic link to nothing",
                   "remove the link, or make what it leads to");
  if (!m->had_config || !m->had_store)
    return 0;
  return hm_failf(&cli->err, HM_E_OUTPUT, m->config, "give another folder, or use what is there",
                  "it and %s are there already, and nothing was changed", m->store);
}

/* --- what is published ----------------------------------------------------------------- */

/* A number or a word of page_choices; empty: the default. */
static bool read_choice(hm_str answer, size_t *out) {
  answer = hm_str_trim(answer);
  *out = 0;
  if (!answer.n)
    return true;
  for (size_t i = 0; i < HM_COUNT(page_choices); i++) {
    const char number[] = { (char)('1' + i), 0 };
    *out = i;
    if (hm_str_is(answer, page_choices[i].word) || hm_str_is(answer, number))
      return true;
  }
  return false;
}

/* Asks whoever sits there; the end of the input takes the default. */
static size_t ask_pages(void) {
  char line[80];
  size_t choice;
  fputs("What is published?\n", stderr);
  for (size_t i = 0; i < HM_COUNT(page_choices); i++)
    fprintf(stderr, "  %zu  %-9s %s\n", i + 1, page_choices[i].word, page_choices[i].what);
  for (;;) {
    fputs("[1]: ", stderr);
    if (!fgets(line, sizeof line, stdin))
      return 0;
    if (read_choice(hm_str_c(line), &choice))
      return choice;
    fprintf(stderr, "a number from 1 to %zu, or nothing for 1\n", HM_COUNT(page_choices));
  }
}

/* Only a person at a terminal is asked, and only of a file that will be written. */
static int choose_pages(hm_cli *cli, init_plan *m) {
  const char *given = hm_cli_get_option(cli, "pages");
  m->pages = 0;
  if (given && (!*given || !read_choice(hm_str_c(given), &m->pages)))
    return hm_fail_usage(cli, "--pages", "no such choice", "write both, markdown, html or apart");
  if (given && m->had_config)
    return hm_fail_usage(cli, "--pages", "mirror.yml is there already", "set publish.pages in it");
  if (!given && !m->had_config && !cli->json && !cli->quiet && isatty(STDIN_FILENO) &&
      isatty(STDERR_FILENO))
    m->pages = ask_pages();
  return 0;
}

/* text with the first `from` of it, which is there, replaced. */
static hm_str replace_text(hm_arena *a, hm_str text, const char *from, const char *to) {
  size_t at = (size_t)hm_str_find(text, from);
  return HM_CAT(a, hm_str_sub(text, 0, at), hm_str_c(to),
                hm_str_sub(text, at + strlen(from), text.n));
}

/* The example with that choice in it; of the default as it is. */
static hm_str config_text(hm_cli *cli, const init_plan *m) {
  hm_str text = hm_str_c(hm_config_example);
  if (!m->pages)
    return text;
  text = replace_text(cli->a, text, "#publish:\n", "publish:\n");
  return replace_text(cli->a, text, "#  pages: both\n",
                      hm_str_fmt(cli->a, "  pages: %s\n%s", page_choices[m->pages].pages,
                                 page_choices[m->pages].more)
                          .p);
}

static int make_folder(hm_cli *cli, const char *dir) {
  struct stat st;
  if (stat(dir, &st) == 0)
    return S_ISDIR(st.st_mode) ? 0 : hm_fail(&cli->err, HM_E_OUTPUT, dir, "not a folder", NULL);
  if (hm_make_parent_folders(cli->a, hm_str_fmt(cli->a, "%s/x", dir).p, &cli->err))
    return -1;
  return 0;
}

static int make_files(hm_cli *cli, const init_plan *m) {
  hm_store *s = NULL;
  if (!m->had_config && hm_file_write(m->config, config_text(cli, m), &cli->err))
    return -1;
  if (!m->had_attributes && hm_file_write(m->attributes, HM_STR(git_attributes), &cli->err))
    return -1;
  if (m->had_store)
    return 0;
  if (hm_store_open(&s, m->store, HM_STORE_CREATE, HM_BUSY_MS, &cli->err)) {
    if (!m->had_config)
      unlink(m->config);
    if (!m->had_attributes)
      unlink(m->attributes);
    return -1;
  }
  hm_store_close(s);
  return 0;
}

static int print_init_json(hm_cli *cli, const init_plan *m) {
  hm_jw *w = hm_cli_json_begin(cli);
  hm_jw_str(w, "config", hm_str_c(m->config));
  hm_jw_bool(w, "config_made", !m->had_config);
  hm_jw_str(w, "store", hm_str_c(m->store));
  hm_jw_bool(w, "store_made", !m->had_store);
  hm_jw_bool(w, "gitattributes_made", !m->had_attributes);
  return hm_cli_json_end(cli);
}

static int print_init(hm_cli *cli, const init_plan *m) {
  if (cli->quiet)
    return HM_EXIT_FINE;
  printf("%s %s: how the mirror is made\n", m->had_config ? "kept" : "made", m->config);
  printf("%s %s: its facts%s\n\nnext:\n", m->had_store ? "kept" : "made", m->store,
         m->had_store ? "" : ", none yet");
  if (m->had_attributes && !m->merges_verdicts) /* it is somebody else's file */
    printf("  echo '%.*s' >>%s\n", (int)sizeof git_attributes - 2, git_attributes, m->attributes);
  if (strcmp(m->dir, ".") != 0)
    printf("  cd %s\n", m->dir);
  puts("  hmirror import facts.jsonl   # one JSON record a line; see hmirror-facts(5)\n"
       "  hmirror build                # the pages, in site/\n"
       "  hmirror publish              # the pages, as a commit in mirror.git");
  if (*page_choices[m->pages].more)
    puts("  hmirror publish --html-only --branch pages   # the HTML, beside it");
  return HM_EXIT_FINE;
}

/* --- from another program's store ---------------------------------------------------- */

/* Checks that the new config works: parses it as a mirror.yml, and reads the store by it. */
static int try_config(hm_cli *cli, const init_plan *m, hm_str config) {
  hm_store *s = NULL;
  hm_snapshot *snap;
  hm_mirror tried = cli->mirror;
  const char *folder = strcmp(m->dir, ".") == 0 ? "" : m->dir;
  if (hm_config_parse(cli->a, config, m->config, folder, &tried.config, &cli->err))
    return -1;
  tried.store = tried.config.store;
  hm_store_source src = hm_mirror_source(&tried);
  int rc = hm_store_open_source(&s, &src, HM_STORE_READ, HM_BUSY_MS, &cli->err);
  if (!rc)
    rc = hm_store_snapshot(s, cli->a, false, &snap, &cli->err);
  hm_store_close(s);
  return rc;
}

/* A path of the user's as the config names it: from its folder. */
static const char *store_from(hm_cli *cli, const init_plan *m, const char *path) {
  if (*path == '/' || strcmp(m->dir, ".") == 0)
    return path;
  char *real = realpath(path, NULL);
  const char *out = real ? hm_str_fmt(cli->a, "%s", real).p : path;
  free(real);
  return out;
}

/* The recipe of the program whose store it is, or NULL; then *out is the recipe's config. A store
 * that only looks like one, and that the recipe cannot read, is guessed. */
static const hm_recipe *find_recipe(hm_cli *cli, const init_plan *m, hm_store *s, const char *path,
                                    hm_map_guess *out) {
  hm_foreign_table *tables;
  size_t n;
  const hm_recipe *r = NULL;
  if (!hm_foreign_tables(s, cli->a, &tables, &n, &cli->err))
    r = hm_recipe_by_tables(tables, n, cli->a);
  if (r) {
    hm_str config = hm_recipe_config(r, hm_str_c(store_from(cli, m, path)), cli->a);
    *out = (hm_map_guess){ .facts = true, .config = config };
    if (try_config(cli, m, config))
      r = NULL;
  }
  if (!r)
    memset(&cli->err, 0, sizeof cli->err);
  return r;
}

static int make_config(hm_cli *cli, const init_plan *m, const char *path, hm_map_guess *out,
                       const hm_recipe **recipe) {
  hm_store *s = NULL;
  const hm_store_source src = { .path = path, .review = "", .survey = true };
  int rc = 0;
  if (hm_store_open_source(&s, &src, HM_STORE_READ, HM_BUSY_MS, &cli->err))
    return -1;
  *recipe = NULL;
  if (!hm_store_is_foreign(s))
    rc = hm_fail_usage(cli, path, "it is a store of hmirror's already",
                       "name it in mirror.yml: store; it needs no map");
  else if (!(*recipe = find_recipe(cli, m, s, path, out)))
    rc = hm_guess_store_map(s, store_from(cli, m, path), HM_EMPTY, cli->a, out, &cli->err);
  hm_store_close(s);
  return rc || *recipe || !out->facts ? rc : try_config(cli, m, out->config);
}

/* The store is the one that the user just named; what else the folder asks is not. */
static void trust_store(hm_cli *cli, const init_plan *m) {
  hm_trust *t = &cli->mirror.trust;
  hm_err err = { 0 };
  char line[1100];
  bool had;
  if (hm_config_load(cli->a, m->config, &cli->mirror.config, &err) ||
      hm_trust_list(&cli->mirror.config, cli->a, t, &err))
    return;
  if (t->n == 1 && strcmp(t->items[0].key, "store") == 0 &&
      !hm_trust_file_change(cli->a, t->folder, t->digest, &had, &err))
    return;
  hm_err_format_line(&err, line, sizeof line);
  if (t->n)
    hm_cli_warn(cli, "%s is not trusted to read that store yet: %s%ssee 'hmirror trust'", t->folder,
                line, *line ? "; " : "");
}

static int print_from_json(hm_cli *cli, const init_plan *m, const hm_map_guess *g,
                           const hm_recipe *recipe) {
  hm_jw *w = hm_cli_json_begin(cli);
  hm_jw_str(w, "config", hm_str_c(m->config));
  hm_jw_str_or_null(w, "recipe", recipe ? recipe->name : HM_EMPTY);
  hm_jw_arr(w, "layers");
  for (size_t i = 0; i < HM_GUESS_LAYERS; i++) {
    if (!g->layers[i].table.n)
      continue;
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "layer", hm_str_c(g->layers[i].layer));
    hm_jw_str(w, "table", g->layers[i].table);
    hm_jw_str(w, "reads", g->layers[i].reads);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  return hm_cli_json_end(cli);
}

static void print_layers(hm_cli *cli, const hm_map_guess *g, bool warn) {
  for (size_t i = 0; i < HM_GUESS_LAYERS; i++) {
    const hm_guessed_layer *l = &g->layers[i];
    if (!l->table.n)
      continue;
    const char *from = hm_terminal_line(cli->a, l->table, 60);
    if (warn)
      hm_cli_warn(cli, "guessed: %s from %s: %.*s", l->layer, from, HM_FMT(l->reads));
    else
      printf("  %-14s from %s: %.*s\n", l->layer, from, HM_FMT(l->reads));
  }
}

static int init_from(hm_cli *cli, const char *path) {
  init_plan m;
  hm_map_guess g;
  const hm_recipe *recipe;
  if (hm_cli_get_option(cli, "store"))
    return hm_fail_usage(cli, "--store", "the store is the one of --from", "leave it out");
  if (hm_cli_get_option(cli, "pages"))
    return hm_fail_usage(cli, "--pages", "it goes with a new store",
                         "set publish.pages in mirror.yml");
  if (plan_files(cli, &m))
    return -1;
  if (m.had_config)
    return hm_fail(&cli->err, HM_E_OUTPUT, m.config, "it is there already, and nothing was changed",
                   "give another folder, or move it away");
  if (make_config(cli, &m, path, &g, &recipe) || make_folder(cli, m.dir) ||
      hm_file_write(m.config, g.config, &cli->err) ||
      (!m.had_attributes && hm_file_write(m.attributes, HM_STR(git_attributes), &cli->err)))
    return -1;
  trust_store(cli, &m);
  if (cli->json)
    return print_from_json(cli, &m, &g, recipe);
  if (cli->quiet)
    return HM_EXIT_FINE;
  printf("made %s: how %s is read\n", m.config, hm_terminal_line(cli->a, hm_str_c(path), 200));
  if (recipe)
    printf("  it is known: by the recipe %.*s\n", HM_FMT(recipe->name));
  if (!recipe)
    print_layers(cli, &g, false);
  if (!g.facts)
    puts("  no table looks as if it held facts: its tables and columns are listed there");
  puts("\nnext:");
  if (strcmp(m.dir, ".") != 0)
    printf("  cd %s\n", m.dir);
  if (!g.facts)
    puts("  say under store.map in mirror.yml where the facts are: man hmirror-config");
  puts("  hmirror adopt --dry-run      # what is read, what it claims, what is silent and why\n"
       "  hmirror build                # the pages, in site/");
  return HM_EXIT_FINE;
}

/* --- from documents and records ------------------------------------------------------- */

/* What --from names. */
typedef enum { IS_TREE, IS_STORE, IS_RECORDS, IS_ROWS } from_kind;

static int kind_of_from(hm_cli *cli, const char *path, from_kind *out) {
  bool there;
  struct stat st;
  *out = IS_TREE;
  if (hm_cli_word_is_tree(path))
    return 0;
  if (is_there(cli, path, &there))
    return -1;
  if (!there)
    return hm_failf(&cli->err, HM_E_USAGE, "--from",
                    "give the path of the other program's file, or of a folder of documents",
                    "%.*s: there is no such file",
                    HM_FMT(hm_text_cut(hm_address_hide_password(hm_str_c(path), cli->a), 200)));
  *out = IS_STORE; /* whatever is wrong with it is told where it is opened */
  FILE *in = stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size ? NULL : fopen(path, "re");
  if (!in)
    return 0;
  switch (hm_file_rows_kind(in, path)) {
    case HM_FILE_RECORDS:
    case HM_FILE_BROKEN:
      *out = IS_RECORDS;
      break;
    case HM_FILE_ROWS:
      *out = IS_ROWS;
      break;
    case HM_FILE_OTHER:
      break;
  }
  fclose(in);
  return 0;
}

/* What an import that failed leaves nothing in. */
static void remove_made(hm_cli *cli, const init_plan *m) {
  if (!m->had_config)
    unlink(m->config);
  if (!m->had_attributes)
    unlink(m->attributes);
  if (m->had_store)
    return;
  unlink(m->store);
  unlink(hm_str_fmt(cli->a, "%s.lock", m->store).p);
}

/* A file of rows, and the map that reads it. */
typedef struct {
  const char *path, *map; /* map: the path of the file that it gets */
  hm_map_guess guess;
  const hm_recipe *recipe;
} mapped_rows;

/* "notes" of exports/notes.csv, in the signs of a file's name. */
static hm_str stem_of(hm_cli *cli, const char *path) {
  char *stem = hm_str_z(cli->a, hm_str_behind_last(hm_str_c(path), '/'));
  char *dot = strrchr(stem, '.');
  if (dot && dot != stem)
    *dot = 0;
  for (char *p = stem; *p; p++)
    if (!hm_is_alnum(*p) && !strchr("._-", *p))
      *p = '-';
  return *stem ? hm_str_c(stem) : HM_STR("rows");
}

/* Names the columns, and a command that imports the file by a map to correct. */
static int refuse_guess(hm_cli *cli, const init_plan *m, const mapped_rows *r, hm_store *s) {
  enum { COLUMNS_SHOWN = 12 };
  hm_foreign_table *tables;
  size_t n;
  hm_buf why = { 0 }, way = { 0 };
  if (hm_foreign_tables(s, cli->a, &tables, &n, &cli->err))
    return -1;
  hm_buf_c(&why, "it is not clear what its rows say; it has ");
  for (size_t i = 0; i < n; i++) {
    hm_buf_fmt(&why, "%s%s(", i ? ", " : "", hm_terminal_line(cli->a, tables[i].name, 60));
    for (size_t k = 0; k < tables[i].n_columns && k < COLUMNS_SHOWN; k++)
      hm_buf_fmt(&why, "%s%s", k ? ", " : "",
                 hm_terminal_line(cli->a, tables[i].columns[k].name, 40));
    hm_buf_c(&why, tables[i].n_columns > COLUMNS_SHOWN ? ", ...)" : ")");
  }
  const char *dir = strcmp(m->dir, ".") ? m->dir : "mirror";
  hm_str file = hm_shell_quote_word(cli->a, hm_str_c(r->path), false),
         folder = hm_shell_quote_word(cli->a, hm_str_c(dir), false),
         map = hm_shell_quote_word(cli->a, r->guess.to_try, false);
  hm_buf_fmt(&way,
             "%s: hmirror init %.*s && echo %.*s >%.*s/map.yml && hmirror --config %.*s/mirror.yml"
             " import --map %.*s/map.yml %.*s",
             r->guess.matrix ? "is it a matrix of settings? then"
                             : "say which column is what, beginning with",
             HM_FMT(folder), HM_FMT(map), HM_FMT(folder), HM_FMT(folder), HM_FMT(folder),
             HM_FMT(file));
  return hm_fail(&cli->err, HM_E_INPUT, r->path, hm_buf_take(&why, cli->a).p,
                 hm_buf_take(&way, cli->a).p);
}

static int guess_rows(hm_cli *cli, const init_plan *m, mapped_rows *r) {
  const hm_foreign_file f = { .path = r->path };
  hm_foreign_table *tables;
  hm_store *s;
  size_t n;
  hm_str stem = stem_of(cli, r->path);
  r->map = hm_path_join(cli->a, m->dir, hm_str_fmt(cli->a, "%.*s.map.yml", HM_FMT(stem)).p);
  if (hm_foreign_file_open(&f, &s, &cli->err))
    return -1;
  int rc = hm_foreign_tables(s, cli->a, &tables, &n, &cli->err);
  if (!rc && (r->recipe = hm_recipe_by_tables(tables, n, cli->a)))
    r->guess.config = hm_recipe_config(r->recipe, hm_str_c(r->path), cli->a);
  else if (!rc)
    rc = hm_guess_store_map(s, r->path, stem, cli->a, &r->guess, &cli->err);
  if (!rc && !r->recipe && !r->guess.facts)
    rc = refuse_guess(cli, m, r, s);
  hm_store_close(s);
  return rc;
}

/* A guess is told, whatever the options. */
static void print_map(hm_cli *cli, const mapped_rows *r) {
  bool quiet = cli->json || cli->quiet;
  if (!quiet)
    printf("made %s: how %s is read%s\n", r->map, hm_terminal_line(cli->a, hm_str_c(r->path), 200),
           r->recipe ? "" : ", a guess");
  if (!quiet && r->recipe)
    printf("  it is known: by the recipe %.*s\n", HM_FMT(r->recipe->name));
  if (!r->recipe)
    print_layers(cli, &r->guess, quiet);
}

/* The arguments of the import that follows. */
static void set_import_arguments(hm_cli *cli, const char *from, const char *map) {
  static const hm_option option = { "map", 0, "FILE", "" };
  const char **words = hm_alloc_array(cli->a, 1, sizeof *words);
  words[0] = from;
  cli->args.words = words;
  cli->args.n_words = 1;
  if (!map)
    return;
  size_t n = cli->args.n_given;
  hm_given_option *given = hm_alloc_array(cli->a, n + 1, sizeof *given);
  if (n)
    memcpy(given, cli->args.given, n * sizeof *given);
  given[n] = (hm_given_option){ &option, map, "--map" };
  cli->args.given = given;
  cli->args.n_given = n + 1;
}

/* A mirror as any, and then the import of what `from` names. */
static int init_from_import(hm_cli *cli, const char *from, from_kind kind) {
  init_plan m;
  mapped_rows rows = { .path = from };
  if (kind == IS_TREE) { /* a mistyped path makes nothing */
    hm_cli_tree looked;
    int rc = hm_cli_list_tree(cli, &from, 1, &looked);
    hm_cli_tree_free(&looked);
    if (rc)
      return -1;
  }
  if (plan_files(cli, &m) || choose_pages(cli, &m) ||
      (kind == IS_ROWS && guess_rows(cli, &m, &rows)) || make_folder(cli, m.dir) ||
      make_files(cli, &m) || hm_cli_read_config_file(cli, m.config))
    return -1;
  if (!cli->json && !cli->quiet)
    printf("made %s and %s\n", m.config, m.store);
  if (kind == IS_ROWS && hm_file_write(rows.map, rows.guess.config, &cli->err))
    return -1;
  if (kind == IS_ROWS)
    print_map(cli, &rows);
  set_import_arguments(cli, from, rows.map);
  int rc = hm_cmd_import.run(cli);
  if (rc < 0 && kind != IS_TREE)
    remove_made(cli, &m);
  if (rc < 0 && rows.map)
    unlink(rows.map);
  return rc;
}

static const hm_option init_options[] = {
  { "from", 0, "PATH", "read PATH: another program's store, or import its documents or JSON" },
  { "pages", 0, "CHOICE", "what is published: both, markdown, html or apart; else asked" },
  { 0 }
};

static int run_init(hm_cli *cli) {
  init_plan m;
  const char *from = hm_cli_get_option(cli, "from");
  from_kind kind;
  if (from && kind_of_from(cli, from, &kind))
    return -1;
  if (from)
    return kind == IS_STORE ? init_from(cli, from) : init_from_import(cli, from, kind);
  if (plan_files(cli, &m) || choose_pages(cli, &m) || make_folder(cli, m.dir) ||
      make_files(cli, &m))
    return -1;
  return cli->json ? print_init_json(cli, &m) : print_init(cli, &m);
}

const hm_command hm_cmd_init = {
  .name = "init",
  .words = "[DIR]",
  .brief = "make a mirror.yml and an empty store",
  .about =
      "Makes DIR (the working directory, unless given) a mirror: mirror.yml, an empty store, and\n"
      "a .gitattributes by which git merges verdicts; what is there is kept. A terminal is asked\n"
      "what is published (else --pages). --from PATH writes a mirror.yml that reads the store of\n"
      "another program; of documents, or a file of JSON or CSV, it imports what they say.\n",
  .options = init_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror init mirror\nhmirror init --pages markdown notes\n"
              "hmirror init --from ~/notes.db notes\nhmirror init --from docs mirror\n",
  .most_words = 1,
  .no_config = true,
  .run = run_init
};
