#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "core/store/import.h"
#include "gen/cli/commands.h"
#include "gen/cli/out.h"
#include "gen/cli/silence_text.h"
#include "gen/cli/work.h"

/* What is told of the copy. */
typedef struct { hm_import_counts counts; hm_silence silence; } adopted;

static int look(hm_cli *cli, hm_store *s, hm_silence *out) {
  hm_snapshot *snap;
  hm_claims *claims;
  if (hm_store_snapshot(s, cli->a, false, &snap, &cli->err)) return -1;
  if (hm_claims_of(snap, &cli->config.rules, cli->threads, &claims, &cli->err)) return -1;
  hm_silence_of(snap, claims, cli->a, out);
  hm_claims_free(claims);
  return 0;
}

/* What a store exports is what an import takes: the copy is the same facts by construction. */
static int copy(hm_cli *cli, hm_store *from, FILE *through, const char *path, adopted *n) {
  hm_store *to = NULL;
  hm_import_options opt = { .name = cli->store };
  if (hm_actor_of(cli, &opt.who)) return -1;
  if (hm_export(from, through, &cli->err)) return -1;
  rewind(through);
  if (hm_store_open(&to, path, HM_STORE_CREATE, HM_BUSY_MS, &cli->err)) return -1;
  int rc = hm_import(to, through, &opt, &n->counts, &cli->err) || look(cli, to, &n->silence) ? -1 : 0;
  hm_store_close(to);
  return rc;
}

/* An empty file is a store to be made; from now on the path is ours, and nobody's file is removed after a failure. */
static int take_path(hm_cli *cli, const char *path) {
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd >= 0) return close(fd);
  if (errno == EEXIST) return hm_fail(&cli->err, HM_E_OUTPUT, path, "something is there already", "give a path where nothing is");
  return hm_fail(&cli->err, HM_E_OUTPUT, path, strerror(errno), hm_errno_fix(errno));
}

static int adopt(hm_cli *cli, hm_store *from, const char *path, adopted *n) {
  if (!hm_store_is_foreign(from))
    return hm_fail(&cli->err, HM_E_USAGE, cli->store, "it is a store of hmirror's already", "use it as it is");
  FILE *through = tmpfile();
  if (!through) return hm_fail(&cli->err, HM_E_OUTPUT, "a temporary file", strerror(errno), hm_errno_fix(errno));
  int rc = take_path(cli, path);
  if (!rc && (rc = copy(cli, from, through, path, n)) != 0) unlink(path);
  fclose(through);
  return rc;
}

static int run(hm_cli *cli) {
  hm_store *from = NULL;
  adopted n = { 0 };
  const char *path = cli->args.words[0];
  if (hm_cli_store(cli, HM_STORE_READ, &from, &cli->err)) return -1;
  hm_progress_phase(cli->progress, "copying");
  int rc = adopt(cli, from, path, &n);
  hm_store_close(from);
  if (rc) return -1;
  hm_progress_clear(cli->progress);
  if (cli->json) {
    hm_jw w;
    hm_buf b;
    hm_json_begin(&w, &b);
    hm_jw_str(&w, "store", hm_str_c(path));
    hm_jw_int(&w, "records", n.counts.added);
    hm_silence_json(&w, &n.silence);
    return hm_json_end(cli, &w, &b);
  }
  if (!cli->quiet)
    printf("%s: %s copied from %s; to use it, write store: %s in mirror.yml, without store.map\n", path,
           hm_count(cli, n.counts.added, "record", NULL), cli->store, path);
  hm_silence_note(cli, &n.silence);
  return HM_EXIT_FINE;
}

const hm_command hm_cmd_adopt = {
  .name = "adopt", .words = "FILE", .brief = "copy another program's store into one of hmirror's",
  .about = "Makes FILE a store of hmirror's with the facts of the store that mirror.yml names, which\n"
           "belongs to another program and stays as it is, and with the conflicts and verdicts of\n"
           "its review file. In a store of its own hmirror can also change rows.\n",
  .exits = "0  done\n2  trouble, with a message; there is no FILE\n",
  .examples = "hmirror adopt hmirror.db\n",
  .least_words = 1, .most_words = 1, .run = run
};
