#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "core/store/import.h"
#include "core/store/verdict_lines.h"
#include "gen/cli/commands.h"
#include "gen/mirror/files.h"
#include "gen/cli/work.h"

static const hm_option options[] = {
  { "output", 'o', "FILE", "write to FILE instead of standard output" },
  { "verdicts", 0, NULL, "what people decided about conflicts, and nothing else" },
  { 0 }
};

typedef int export(hm_store *s, FILE *out, hm_err *err);

static int to_file(hm_cli *cli, hm_store *store, export *what, const char *path) {
  struct stat a, b;
  hm_file_out f;
  if (stat(path, &a) == 0 && stat(cli->mirror.store, &b) == 0 && a.st_dev == b.st_dev &&
      a.st_ino == b.st_ino)
    return hm_fail(&cli->err, HM_E_USAGE, path, "is the store itself", "name another file");
  if (hm_file_begin(&f, path, &cli->err)) return -1;
  int rc = what(store, f.out, &cli->err);
  return hm_file_end(&f, rc == 0, &cli->err);
}

static int run(hm_cli *cli) {
  const char *path = hm_cli_option(cli, "output");
  export *what = hm_cli_option(cli, "verdicts") ? hm_export_verdicts : hm_export;
  hm_store *store = NULL;
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &store, &cli->err)) return -1;
  hm_progress_phase(cli->progress, "exporting");
  int rc = path && strcmp(path, "-") != 0 ? to_file(cli, store, what, path)
                                          : what(store, stdout, &cli->err);
  hm_store_close(store);
  return rc;
}

const hm_command hm_cmd_export = {
  .name = "export",
  .words = "",
  .brief = "write everything as JSON Lines",
  .about = "Writes every record of the store, conflicts and verdicts too, one JSON object a\n"
           "line, in an order that depends on nothing but the records. Imported into an\n"
           "empty store it gives the same store. --verdicts writes what people decided, in a file\n"
           "that git merges and that an import carries out where the facts are the same.\n",
  .options = options,
  .exits = HM_EXITS_USUAL,
  .examples =
      "hmirror export -o facts.jsonl\nhmirror export --verdicts -o verdicts.jsonl\nhmirror export | grep '\"kind\":\"conflict\"'\n",
  .run = run
};
