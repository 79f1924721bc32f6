/* theme: lists and prints built-in templates and theme files and the user's replacements, and shows
 * their differences. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "gen/verbs/commands.h"
#include "gen/verbs/unified_diff.h"
#include "gen/mirror/files.h"
#include "gen/mirror/theme.h"
#include "gen/render/template.h"

static const hm_option theme_options[] = {
  { "output", 'o', "DIR", "eject: write below DIR, not into the config's folders" },
  { "force", 'f', NULL, "eject: overwrite files that were changed" },
  { 0 }
};

static const char *state_of(const hm_theme_file *f) {
  if (!f->own)
    return "built-in";
  if (!f->builtin)
    return "added";
  return hm_str_eq(f->own_bytes, f->builtin_bytes) ? "copied" : "overridden";
}

/* "templates/overview.md.mustache": how files are called here. */
static const char *full_name(hm_cli *cli, const hm_theme_file *f) {
  return hm_str_fmt(cli->a, "%s/%.*s", f->kind == HM_THEME_TEMPLATE ? "templates" : "theme",
                    HM_FMT(f->name))
      .p;
}

/* A word on the command line may leave out the folder and the ending. */
static bool is_named(hm_cli *cli, const hm_theme_file *f, const char *word) {
  const char *full = full_name(cli, f), *name = strchr(full, '/') + 1;
  const char *const endings[] = { "", ".mustache", ".md.mustache", ".html.mustache" };
  for (size_t i = 0; i < HM_COUNT(endings); i++) {
    const char *tried = hm_str_fmt(cli->a, "%s%s", word, endings[i]).p;
    if (strcmp(tried, full) == 0 || strcmp(tried, name) == 0)
      return true;
  }
  return false;
}

/* Files named by the words after the action; all of them when there are none. */
static int choose_files(hm_cli *cli, const hm_theme *t, bool *chosen) {
  for (size_t w = 1; w < cli->args.n_words; w++) {
    bool found = false;
    for (size_t i = 0; i < t->n; i++)
      if (is_named(cli, &t->v[i], cli->args.words[w]))
        chosen[i] = found = true;
    if (!found)
      return hm_fail_usage(cli, hm_str_fmt(cli->a, "%.80s", cli->args.words[w]).p,
                           "no such template or theme file", "see 'hmirror theme list'");
  }
  for (size_t i = 0; i < t->n && cli->args.n_words == 1; i++)
    chosen[i] = true;
  return 0;
}

static int list_files(hm_cli *cli, const hm_theme *t, const bool *chosen) {
  for (size_t i = 0; i < t->n && !cli->json; i++)
    if (chosen[i])
      printf("%-10s  %s%s%s\n", state_of(&t->v[i]), full_name(cli, &t->v[i]),
             t->v[i].own ? "  " : "", t->v[i].own ? t->v[i].path : "");
  if (!cli->json)
    return HM_EXIT_FINE;
  hm_jw *j = hm_cli_json_begin(cli);
  hm_jw_arr(j, "files");
  for (size_t i = 0; i < t->n; i++) {
    if (!chosen[i])
      continue;
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "name", hm_str_c(full_name(cli, &t->v[i])));
    hm_jw_str(j, "state", hm_str_c(state_of(&t->v[i])));
    hm_jw_str_or_null(j, "path", t->v[i].own ? hm_str_c(t->v[i].path) : HM_EMPTY);
    hm_jw_end(j);
  }
  hm_jw_end(j);
  return hm_cli_json_end(cli);
}

static const char *target_path(hm_cli *cli, const hm_theme_file *f) {
  const char *out = hm_cli_get_option(cli, "output");
  return out ? hm_path_join(cli->a, out, full_name(cli, f)) : f->path;
}

/* Is there a file at path, and is it the built-in one? */
static int compare_with_builtin(hm_cli *cli, const hm_theme_file *f, const char *path, bool *there,
                                bool *same) {
  struct stat st;
  hm_str bytes;
  *there = lstat(path, &st) == 0;
  *same = false;
  if (!*there)
    return 0;
  if (hm_file_read(cli->a, path, (size_t)64 << 20, HM_E_OUTPUT, &bytes, &cli->err))
    return -1;
  *same = hm_str_eq(bytes, f->builtin_bytes);
  return 0;
}

/* First all are looked at, so that a refusal leaves nothing half done. */
static int eject_files(hm_cli *cli, const hm_theme *t, const bool *chosen) {
  bool force = hm_cli_get_option(cli, "force"), there, same, *write = hm_alloc(cli->a, t->n + 1);
  for (size_t i = 0; i < t->n; i++) {
    if (!chosen[i] || !t->v[i].builtin)
      continue;
    const char *path = target_path(cli, &t->v[i]);
    if (compare_with_builtin(cli, &t->v[i], path, &there, &same))
      return -1;
    if (there && !same && !force)
      return hm_fail(&cli->err, HM_E_OUTPUT, path, "was changed, and nothing was written",
                     "see 'hmirror theme diff', or give --force");
    write[i] = !same;
  }
  for (size_t i = 0; i < t->n; i++) {
    const char *path = target_path(cli, &t->v[i]);
    if (!write[i])
      continue;
    if (hm_make_parent_folders(cli->a, path, &cli->err) ||
        hm_file_write(path, t->v[i].builtin_bytes, &cli->err))
      return -1;
    if (!cli->json && !cli->quiet)
      puts(path);
  }
  return cli->json ? list_files(cli, t, write) : HM_EXIT_FINE;
}

static void print_diff(hm_cli *cli, hm_str diff_files) {
  while (diff_files.n) {
    const char *nl = memchr(diff_files.p, '\n', diff_files.n);
    size_t n = nl ? (size_t)(nl - diff_files.p) : diff_files.n;
    const char *style = diff_files.p[0] == '-' ? cli->red
        : diff_files.p[0] == '+'               ? cli->green
        : diff_files.p[0] == '@'               ? cli->cyan
                                               : "";
    printf("%s%.*s%s\n", style, (int)n, diff_files.p, *style ? cli->plain : "");
    diff_files = hm_str_sub(diff_files, n + 1, diff_files.n);
  }
}

static int diff_files(hm_cli *cli, const hm_theme *t, const bool *chosen) {
  bool any = false;
  hm_jw *j = NULL;
  hm_buf one = { 0 };
  if (cli->json) {
    j = hm_cli_json_begin(cli);
    hm_jw_arr(j, "files");
  }
  for (size_t i = 0; i < t->n; i++) {
    const hm_theme_file *f = &t->v[i];
    hm_buf_clear(&one);
    if (!chosen[i] || !f->own || !f->builtin)
      continue;
    if (!hm_unified_diff(cli->a, f->builtin_bytes, f->own_bytes,
                         hm_str_fmt(cli->a, "built-in/%s", full_name(cli, f)).p, f->path, &one))
      continue;
    any = true;
    if (!cli->json) {
      print_diff(cli, hm_buf_view(&one));
      continue;
    }
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "name", hm_str_c(full_name(cli, f)));
    hm_jw_str(j, "diff", hm_buf_view(&one));
    hm_jw_end(j);
  }
  hm_buf_free(&one);
  if (cli->json) {
    hm_jw_end(j);
    if (hm_cli_json_end(cli))
      return -1;
  }
  return any ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

/* The variables of one template, the user's if there is one, part by part. */
static int list_variables(hm_cli *cli, const hm_theme *t, const bool *chosen) {
  const hm_theme_file *f = NULL;
  for (size_t i = 0; i < t->n; i++)
    if (chosen[i] && t->v[i].kind == HM_THEME_TEMPLATE)
      f = &t->v[i];
  if (cli->args.n_words != 2 || !f)
    return hm_fail_usage(cli, "theme variables", "it takes the name of one template",
                         "as in 'hmirror theme variables overview'");
  hm_variable *v;
  size_t n;
  const hm_template_file file = { hm_str_sub(f->name, 0, f->name.n - strlen(".mustache")),
                                  f->own ? f->own_bytes : f->builtin_bytes,
                                  hm_str_c(f->own ? f->path : full_name(cli, f)) };
  if (hm_list_variables(&file, cli->a, &v, &n, &cli->err))
    return -1;
  hm_jw *j = cli->json ? hm_cli_json_begin(cli) : NULL;
  if (j)
    hm_jw_str(j, "template", file.name);
  if (j)
    hm_jw_arr(j, "variables");
  for (size_t i = 0; i < n; i++) {
    bool begins = i && !hm_str_eq(v[i].part, v[i - 1].part);
    if (!j && begins)
      printf("\n[%.*s]\n", HM_FMT(v[i].part));
    bool more = i + 1 < n && v[i].meaning.p == v[i + 1].meaning.p; /* said of both at once */
    if (!j)
      printf("%.*s%s", HM_FMT(v[i].name), more ? ", " : "");
    if (!j && !more)
      printf("  %.*s\n", HM_FMT(v[i].meaning));
    if (!j)
      continue;
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "name", v[i].name);
    hm_jw_str(j, "part", v[i].part);
    hm_jw_str(j, "meaning", v[i].meaning);
    hm_jw_end(j);
  }
  if (j)
    hm_jw_end(j);
  return j ? hm_cli_json_end(cli) : HM_EXIT_FINE;
}

static const struct {
  const char *name;
  int (*run)(hm_cli *cli, const hm_theme *t, const bool *chosen);
} actions[] = { { "list", list_files },
                { "eject", eject_files },
                { "diff", diff_files },
                { "variables", list_variables } };

static int run_theme(hm_cli *cli) {
  const char *word = cli->args.words[0];
  size_t i = 0, n = HM_COUNT(actions);
  while (i < n && strcmp(word, actions[i].name) != 0)
    i++;
  if (i == n)
    return hm_failf(&cli->err, HM_E_USAGE, "theme",
                    "say 'theme list', 'theme eject', 'theme diff' or 'theme variables'",
                    "'%.60s' is none of its actions", word);
  hm_theme t;
  if (hm_theme_load(&cli->mirror, &t, &cli->err))
    return -1;
  bool *chosen = hm_alloc(cli->a, t.n + 1);
  if (choose_files(cli, &t, chosen))
    return -1;
  return actions[i].run(cli, &t, chosen);
}

const hm_command hm_cmd_theme = {
  .name = "theme",
  .words = "list|eject|diff|variables [NAME...]",
  .brief = "templates and theme: list, copy out, compare",
  .about = "'list' shows the built-in templates and theme files, and which of them your files\n"
           "replace. 'eject' writes the named ones (or all) into your folders, to be changed\n"
           "there; delete a file and the built-in one is back. 'diff' shows your changes.\n"
           "'variables' lists all that a template can print, each with what it means.\n",
  .options = theme_options,
  .exits =
      "0  done; diff: no difference\n1  diff: there are differences\n2  trouble, with a message\n",
  .examples = "hmirror theme eject partials/marker style.css\nhmirror theme diff\n"
              "hmirror theme variables overview\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_theme
};
