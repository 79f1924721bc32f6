/* trust: what the mirror's folder may do outside of itself, and whether the user allows it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "gen/verbs/commands.h"
#include "gen/mirror/files.h"
#include "gen/mirror/trust.h"

static const hm_option trust_options[] = { { "yes", 'y', NULL, "allow it without a question" },
                                           { "list", 0, NULL, "list the folders that are trusted" },
                                           { "remove", 0, NULL, "trust DIR no longer" },
                                           { 0 } };

static int list_folders(hm_cli *cli) {
  hm_trusted_folder *v;
  size_t n;
  bool there;
  if (hm_trust_file_read(cli->a, &v, &n, &there, &cli->err))
    return -1;
  if (!cli->json) {
    for (size_t i = 0; i < n; i++)
      puts(hm_terminal_line(cli->a, v[i].folder, 0));
    return HM_EXIT_FINE;
  }
  hm_jw *w = hm_cli_json_begin(cli);
  hm_jw_arr(w, "folders");
  for (size_t i = 0; i < n; i++)
    hm_jw_str(w, NULL, v[i].folder);
  hm_jw_end(w);
  return hm_cli_json_end(cli);
}

/* Also of a folder that is gone: its path is what it was. */
static int remove_folder(hm_cli *cli, const char *dir) {
  const char *folder = hm_path_resolve(cli->a, dir);
  bool had;
  if (hm_trust_file_change(cli->a, folder ? folder : dir, NULL, &had, &cli->err))
    return -1;
  if (cli->json) {
    hm_jw *w = hm_cli_json_begin(cli);
    hm_jw_str(w, "folder", hm_str_c(folder ? folder : dir));
    hm_jw_bool(w, "removed", had);
    return hm_cli_json_end(cli);
  }
  if (!cli->quiet)
    printf("%s: %s\n", hm_terminal_line(cli->a, hm_str_c(folder ? folder : dir), 0),
           had ? "trusted no longer" : "was not trusted");
  return HM_EXIT_FINE;
}

static void print_list(hm_cli *cli, FILE *out, const hm_trust *t) {
  fprintf(out, "%s, by %s:\n", hm_terminal_line(cli->a, hm_str_c(t->folder), 0),
          hm_terminal_line(cli->a, hm_str_c(t->file), 0));
  for (size_t i = 0; i < t->n; i++)
    fprintf(out, "  %-24s %s\n", t->items[i].key, t->items[i].sentence);
}

static int print_json(hm_cli *cli, const hm_trust *t) {
  hm_jw *w = hm_cli_json_begin(cli);
  hm_jw_str(w, "folder", hm_str_c(t->folder));
  hm_jw_bool(w, "trusted", !hm_trust_is_withheld(t));
  hm_jw_arr(w, "settings");
  for (size_t i = 0; i < t->n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "key", hm_str_c(t->items[i].key));
    hm_jw_str(w, "does", hm_str_c(t->items[i].sentence));
    hm_jw_end(w);
  }
  hm_jw_end(w);
  return hm_cli_json_end(cli);
}

/* Whoever sits there says yes, or nothing is allowed. */
static bool is_allowed(hm_cli *cli, const hm_trust *t) {
  char line[16];
  print_list(cli, stderr, t);
  fputs(t->state == HM_TRUST_CHANGED ? "This is not what you trusted. Allow it? [y/N] "
                                     : "Allow it? [y/N] ",
        stderr);
  return fgets(line, sizeof line, stdin) && (strcmp(line, "y\n") == 0 || !strcmp(line, "yes\n"));
}

/* The list of a folder, by its mirror.yml, unless --config names another file. */
static int read_list(hm_cli *cli, const char *dir, hm_trust *out) {
  const char *file = hm_cli_get_option(cli, "config");
  hm_config *c = &cli->mirror.config;
  cli->mirror.a = cli->a;
  if (file && cli->args.n_words)
    return hm_fail_usage(cli, "--config", "given together with DIR",
                         "leave DIR out: the folder is that of the file");
  if (!file && strcmp(dir, ".") != 0)
    file = hm_path_join(cli->a, dir, "mirror.yml");
  if (hm_config_load(cli->a, file, c, &cli->err) || hm_trust_list(c, cli->a, out, &cli->err))
    return -1;
  hm_trust_look_up(out, false, NULL, cli->a);
  return 0;
}

static int trust_folder(hm_cli *cli, const char *dir) {
  hm_trust t;
  bool had, yes = hm_cli_get_option(cli, "yes"),
            asks = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
  if (read_list(cli, dir, &t))
    return -1;
  if (!hm_trust_is_withheld(&t)) {
    if (!cli->json && !cli->quiet && t.n)
      print_list(cli, stdout, &t);
    if (!cli->json && !cli->quiet)
      printf("%s\n",
             t.n ? "You trust it." : "Nothing to trust: it does nothing outside of its folder.");
    return cli->json ? print_json(cli, &t) : HM_EXIT_FINE;
  }
  if (!yes && !asks) {
    print_list(cli, stderr, &t);
    return hm_fail_usage(cli, t.folder, "nobody is there to say yes",
                         "give --yes to allow all of it");
  }
  if (!yes && !is_allowed(cli, &t))
    return hm_fail_usage(cli, t.folder, "not allowed, and nothing was recorded", NULL);
  if (hm_trust_file_change(cli->a, t.folder, t.digest, &had, &cli->err))
    return -1;
  t.state = HM_TRUST_HELD;
  if (cli->json)
    return print_json(cli, &t);
  if (yes && !cli->quiet)
    print_list(cli, stdout, &t);
  if (!cli->quiet)
    puts("You trust it from now on, until that list changes.");
  return HM_EXIT_FINE;
}

static int run_trust(hm_cli *cli) {
  const char *dir = cli->args.n_words ? cli->args.words[0] : ".";
  bool list = hm_cli_get_option(cli, "list"), removes = hm_cli_get_option(cli, "remove"),
       yes = hm_cli_get_option(cli, "yes");
  if (list + removes + yes > 1 || (list && cli->args.n_words))
    return hm_fail_usage(cli, "trust", "given more than one thing to do",
                         "give DIR with --yes or --remove, or --list alone");
  return list ? list_folders(cli) : removes ? remove_folder(cli, dir) : trust_folder(cli, dir);
}

const hm_command hm_cmd_trust = {
  .name = "trust",
  .words = "[DIR]",
  .brief = "allow a mirror's folder what it does outside of itself",
  .about = "Lists what the mirror.yml of DIR (the working directory, unless given) sends, signs,\n"
           "reads or writes outside of its folder, as it takes effect, and asks whether you allow\n"
           "it. What you allowed holds until that list changes; hmirror-trust(7) says more.\n",
  .options = trust_options,
  .exits =
      "0  it is trusted, or there is nothing to trust\n2  it is not, or trouble, with a message\n",
  .examples = "hmirror trust\nhmirror trust --yes ~/mirror\nhmirror trust --list\n"
              "hmirror trust --remove ~/mirror\n",
  .most_words = 1,
  .no_config = true,
  .run = run_trust
};
