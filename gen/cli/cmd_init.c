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
#include "core/base/text.h"
#include "core/foreign/readers.h"
#include "gen/cli/commands.h"
#include "gen/cli/tree_words.h"
#include "gen/mirror/config.h"
#include "gen/mirror/files.h"
#include "gen/render/builtin.h"

/* --- recipes ---------------------------------------------------------------------------------- */

/* A recipe is the mirror.yml for the store of a known program: a file of site-example/stores, which
 * this program carries. A comment in its head serves this file: "# known by:
 * TABLE.COLUMN ...". Columns tell programs, and versions of one, apart; what a store
 * has besides does not matter. Cost: the tables' columns for each column of each recipe, once. */
typedef struct {
  hm_str name;     /* "engram" */
  hm_str config;   /* a whole mirror.yml; its `store` is a file of the program's usual name */
  hm_str known_by; /* TABLE.COLUMN, separated by spaces: a store that has them all is of it */
} store_recipe;

/* The text after `label` on its line of the head. */
static hm_str head_line(hm_str config, const char *label) {
  ptrdiff_t at = hm_str_find(config, label);
  if (at < 0)
    return HM_EMPTY;
  hm_str rest = hm_str_sub(config, (size_t)at + strlen(label), config.n);
  ptrdiff_t end = hm_str_find(rest, "\n");
  return hm_str_trim(end < 0 ? rest : hm_str_sub(rest, 0, (size_t)end));
}

/* All of them, by name, in a. */
static const store_recipe *all_recipes(hm_arena *a, size_t *n) {
  static const char folder[] = "site-example/stores/", suffix[] = ".yml";
  store_recipe *all = hm_alloc_array(a, hm_n_recipe_files, sizeof *all);
  *n = hm_n_recipe_files;
  for (size_t i = 0; i < *n; i++) {
    hm_str path = hm_str_c(hm_recipe_files[i].path);
    hm_str config = { hm_recipe_files[i].bytes, hm_recipe_files[i].n };
    all[i] = (store_recipe){
      .name = hm_str_sub(path, sizeof folder - 1, path.n - (sizeof suffix - 1)),
      .config = config,
      .known_by = head_line(config, "# known by: "),
    };
  }
  return all;
}

static bool same_name(hm_str a, hm_str b) { return a.n == b.n && !strncasecmp(a.p, b.p, a.n); }

static bool has_column(const hm_foreign_table *tables, size_t n, hm_str column) {
  ptrdiff_t dot = hm_str_find(column, ".");
  if (dot < 0)
    return false;
  hm_str table = hm_str_sub(column, 0, (size_t)dot);
  column = hm_str_sub(column, (size_t)dot + 1, column.n);
  for (size_t i = 0; i < n; i++) {
    if (tables[i].is_view || !same_name(tables[i].name, table))
      continue;
    for (size_t k = 0; k < tables[i].n_columns; k++)
      if (same_name(tables[i].columns[k].name, column))
        return true;
  }
  return false;
}

/* How many columns it is known by, when they are all there; else 0. */
static size_t count_known_columns(const store_recipe *r, const hm_foreign_table *tables, size_t n) {
  size_t known = 0;
  for (hm_str rest = r->known_by; rest.n; known++) {
    ptrdiff_t space = hm_str_find(rest, " ");
    size_t end = space < 0 ? rest.n : (size_t)space;
    if (!has_column(tables, n, hm_str_sub(rest, 0, end)))
      return 0;
    rest = hm_str_trim(hm_str_sub(rest, end, rest.n));
  }
  return known;
}

/* The recipe for a store of these tables, in a: of several that fit, the one that is known by the
 * most columns. NULL: no program's that is known. Names of tables and columns in any case. */
static const store_recipe *recipe_by_tables(const hm_foreign_table *tables, size_t n, hm_arena *a) {
  size_t n_all, best = 0;
  const store_recipe *all = all_recipes(a, &n_all), *found = NULL;
  for (const store_recipe *r = all; r < all + n_all; r++) {
    size_t known = count_known_columns(r, tables, n);
    if (known > best)
      found = r, best = known;
  }
  return found;
}

/* The recipe's mirror.yml for the store at this path. */
static hm_str recipe_config(const store_recipe *r, hm_str store, hm_arena *a) {
  hm_buf b = { 0 };
  ptrdiff_t at = hm_str_find(r->config, "\nstore: ");
  hm_str before = hm_str_sub(r->config, 0, (size_t)at + 1);
  hm_str rest = hm_str_sub(r->config, (size_t)at + 1, r->config.n);
  hm_buf_str(&b, before);
  hm_buf_c(&b, "store: ");
  hm_json_write_str(&b, store); /* a JSON string is one of YAML, too */
  hm_buf_str(&b, hm_str_sub(rest, (size_t)hm_str_find(rest, "\n"), rest.n));
  return hm_buf_take(&b, a);
}

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
static const store_recipe *find_recipe(hm_cli *cli, const init_plan *m, hm_store *s,
                                       const char *path, hm_map_guess *out) {
  hm_foreign_table *tables;
  size_t n;
  const store_recipe *r = NULL;
  if (!hm_foreign_tables(s, cli->a, &tables, &n, &cli->err))
    r = recipe_by_tables(tables, n, cli->a);
  if (r) {
    hm_str config = recipe_config(r, hm_str_c(store_from(cli, m, path)), cli->a);
    *out = (hm_map_guess){ .facts = true, .config = config };
    if (try_config(cli, m, config))
      r = NULL;
  }
  if (!r)
    memset(&cli->err, 0, sizeof cli->err);
  return r;
}

/* A table in a text becomes one of SQLite, whose columns can be guessed. */
static int refuse_table(hm_cli *cli, const char *path) {
  char head[HM_FORMAT_HEAD];
  FILE *in = fopen(path, "re");
  size_t n = in ? fread(head, 1, sizeof head, in) : 0, most = 0;
  const char *is = "", *way, *separator = ",";
  static const char *const separators[] = { ",", ";", "\t" };
  if (in)
    fclose(in);
  if (!n || !hm_format_guess(hm_str_c(path), (hm_str){ head, n }, &is, &way) || strcmp(is, "CSV"))
    return 0;
  for (size_t i = 0; i < HM_COUNT(separators); i++) {
    size_t count = 0;
    for (size_t k = 0; k < n && head[k] != '\n'; k++)
      count += head[k] == *separators[i];
    if (count > most)
      most = count, separator = *separators[i] == '\t' ? "\\t" : separators[i];
  }
  hm_str file = hm_shell_quote_word(cli->a, hm_str_c(path), false);
  return hm_failf(&cli->err, HM_E_INPUT, path,
                  hm_str_fmt(cli->a,
                             "sqlite3 rows.db '.mode csv' '.separator \"%s\"' '.import /dev/stdin"
                             " facts' <%.*s && hmirror init --from rows.db mirror",
                             separator, HM_FMT(file))
                      .p,
                  "is CSV, not a store");
}

static int make_config(hm_cli *cli, const init_plan *m, const char *path, hm_map_guess *out,
                       const store_recipe **recipe) {
  hm_store *s = NULL;
  const hm_store_source src = { .path = path, .review = "", .survey = true };
  int rc = 0;
  bool there;
  if (is_there(cli, path, &there))
    return -1;
  if (!there)
    return hm_failf(&cli->err, HM_E_USAGE, "--from",
                    "give the path of the other program's SQLite file",
                    "%.*s: there is no such file",
                    HM_FMT(hm_text_cut(hm_address_hide_password(hm_str_c(path), cli->a), 200)));
  if (refuse_table(cli, path) ||
      hm_store_open_source(&s, &src, HM_STORE_READ, HM_BUSY_MS, &cli->err))
    return -1;
  *recipe = NULL;
  if (!hm_store_is_foreign(s))
    rc = hm_fail_usage(cli, path, "it is a store of hmirror's already",
                       "name it in mirror.yml: store; it needs no map");
  else if (!(*recipe = find_recipe(cli, m, s, path, out)))
    rc = hm_guess_store_map(s, store_from(cli, m, path), cli->a, out, &cli->err);
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
                           const store_recipe *recipe) {
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

static int init_from(hm_cli *cli, const char *path) {
  init_plan m;
  hm_map_guess g;
  const store_recipe *recipe;
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
  for (size_t i = 0; i < HM_GUESS_LAYERS && !recipe; i++)
    if (g.layers[i].table.n)
      printf("  %-14s from %s: %.*s\n", g.layers[i].layer,
             hm_terminal_line(cli->a, g.layers[i].table, 60), HM_FMT(g.layers[i].reads));
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

/* A file of JSON: it is imported, not read in place. */
static bool is_json_file(const char *path) {
  struct stat st;
  FILE *in = stat(path, &st) || !S_ISREG(st.st_mode) ? NULL : fopen(path, "re");
  char head[64];
  size_t n = in ? fread(head, 1, sizeof head, in) : 0;
  if (in)
    fclose(in);
  hm_str text = { head, n };
  if (hm_str_starts(text, "\xEF\xBB\xBF"))
    text = hm_str_sub(text, 3, n);
  text = hm_str_trim(text);
  return hm_str_starts(text, "{") || hm_str_starts(text, "[");
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

/* A mirror as any, and then the import of what `from` names. */
static int init_from_import(hm_cli *cli, const char *from) {
  init_plan m;
  const char **words = hm_alloc_array(cli->a, 1, sizeof *words);
  hm_cli_tree looked; /* a mistyped path makes nothing */
  words[0] = from;
  bool is_tree = hm_cli_word_is_tree(from);
  if (is_tree) {
    int rc = hm_cli_list_tree(cli, words, 1, &looked);
    hm_cli_tree_free(&looked);
    if (rc)
      return -1;
  }
  if (plan_files(cli, &m) || choose_pages(cli, &m) || make_folder(cli, m.dir) ||
      make_files(cli, &m) || hm_cli_read_config_file(cli, m.config))
    return -1;
  if (!cli->json && !cli->quiet)
    printf("made %s and %s\n", m.config, m.store);
  cli->args.words = words;
  cli->args.n_words = 1;
  int rc = hm_cmd_import.run(cli);
  if (rc < 0 && !is_tree)
    remove_made(cli, &m);
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
  if (from && (hm_cli_word_is_tree(from) || is_json_file(from)))
    return init_from_import(cli, from);
  if (from)
    return init_from(cli, from);
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
      "another program; of documents, or a file of JSON, it imports what they say.\n",
  .options = init_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror init mirror\nhmirror init --pages markdown notes\n"
              "hmirror init --from ~/notes.db notes\nhmirror init --from docs mirror\n",
  .most_words = 1,
  .no_config = true,
  .run = run_init
};
