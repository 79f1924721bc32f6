#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "gen/cli/commands.h"
#include "gen/cli/files.h"
#include "gen/cli/out.h"
#include "gen/cli/work.h"

static int must_be_absent(hm_cli *cli, const char *path) {
  struct stat st;
  if (lstat(path, &st) == 0)
    return hm_fail(&cli->err, HM_E_OUTPUT, path, "is there already, and nothing was changed",
                   "give another folder, or use what is there");
  return errno == ENOENT ? 0 : hm_fail(&cli->err, HM_E_OUTPUT, path, strerror(errno), NULL);
}

static int make_folder(hm_cli *cli, const char *dir) {
  struct stat st;
  if (stat(dir, &st) == 0) return S_ISDIR(st.st_mode) ? 0 : hm_fail(&cli->err, HM_E_OUTPUT, dir, "not a folder", NULL);
  if (hm_make_parents(cli->a, hm_str_fmt(cli->a, "%s/x", dir).p, &cli->err)) return -1;
  return 0;
}

static int make(hm_cli *cli, const char *config, const char *store) {
  hm_store *s = NULL;
  if (hm_file_write(config, hm_str_c(hm_config_example), &cli->err)) return -1;
  if (hm_store_open(&s, store, HM_STORE_CREATE, HM_BUSY_MS, &cli->err)) {
    unlink(config);
    return -1;
  }
  hm_store_close(s);
  return 0;
}

static int report(hm_cli *cli, const char *dir, const char *config, const char *store) {
  if (cli->json) {
    hm_jw w;
    hm_buf b;
    hm_json_begin(&w, &b);
    hm_jw_str(&w, "config", hm_str_c(config));
    hm_jw_str(&w, "store", hm_str_c(store));
    return hm_json_end(cli, &w, &b);
  }
  if (cli->quiet) return HM_EXIT_FINE;
  printf("made %s (how the mirror is made) and %s (its facts, none yet)\n\nnext:\n", config, store);
  if (strcmp(dir, ".") != 0) printf("  cd %s\n", dir);
  puts("  hmirror import facts.jsonl   # one JSON record a line; see hmirror(1)\n"
       "  hmirror build                # the pages, in site/\n"
       "  hmirror publish              # the pages, as a commit in mirror.git");
  return HM_EXIT_FINE;
}

static int run(hm_cli *cli) {
  const char *dir = cli->args.n_words ? cli->args.words[0] : ".", *given = hm_cli_option(cli, "store");
  const char *named = hm_cli_option(cli, "config");
  const char *config = named ? named : hm_path_join(cli->a, dir, "mirror.yml");
  const char *store = given ? given : hm_path_join(cli->a, dir, "hmirror.db");
  if (must_be_absent(cli, config) || must_be_absent(cli, store) || make_folder(cli, dir)) return -1;
  if (make(cli, config, store)) return -1;
  return report(cli, dir, config, store);
}

const hm_command hm_cmd_init = {
  .name = "init", .words = "[DIR]", .brief = "make a mirror.yml and an empty store",
  .about = "Makes DIR (the working directory, unless given) a mirror: mirror.yml, with every\n"
           "key explained, and an empty store. What is there already is never overwritten.\n",
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror init mirror\n",
  .most_words = 1, .no_config = true, .run = run
};
