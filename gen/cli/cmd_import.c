#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/store/import.h"
#include "gen/cli/commands.h"
#include "gen/cli/out.h"
#include "gen/cli/work.h"

typedef struct { const char *name; hm_import_counts counts; } imported;

static const hm_option options[] = {
  { "keep-going", 0, NULL, "store the good lines and list the bad ones" },
  { 0 }
};

static bool is_stdin(const char *name) { return strcmp(name, "-") == 0; }

/* All files are looked at before the first is read: a typo in the third name
 * must not leave two files imported. */
static int check_files(hm_cli *cli) {
  int inputs = 0;
  for (size_t i = 0; i < cli->args.n_words; i++) {
    const char *name = cli->args.words[i];
    struct stat st;
    if (is_stdin(name) && inputs++) return hm_fail(&cli->err, HM_E_USAGE, "-", "standard input can be read once", NULL);
    if (is_stdin(name)) continue;
    if (stat(name, &st) || access(name, R_OK)) return hm_fail(&cli->err, HM_E_INPUT, name, strerror(errno), hm_errno_fix(errno));
    if (S_ISDIR(st.st_mode)) return hm_fail(&cli->err, HM_E_INPUT, name, "is a folder", "name the files in it");
  }
  return 0;
}

static void list_bad(void *ctx, const hm_err *err) { hm_complain(ctx, err); }

static int import_one(hm_cli *cli, hm_store *store, const hm_actor *who, imported *out) {
  hm_import_options opt = { .name = out->name, .keep_going = hm_cli_option(cli, "keep-going") != NULL,
                            .who = *who, .bad = list_bad, .ctx = cli };
  FILE *in = is_stdin(out->name) ? stdin : fopen(out->name, "re");
  if (!in) return hm_fail(&cli->err, HM_E_INPUT, out->name, strerror(errno), hm_errno_fix(errno));
  int rc = hm_import(store, in, &opt, &out->counts, &cli->err);
  if (in != stdin) fclose(in);
  return rc;
}

static void add(hm_import_counts *sum, const hm_import_counts *c) {
  sum->added += c->added;
  sum->updated += c->updated;
  sum->unchanged += c->unchanged;
  sum->bad += c->bad;
}

static void put_counts(hm_jw *w, const hm_import_counts *c) {
  hm_jw_int(w, "added", c->added);
  hm_jw_int(w, "updated", c->updated);
  hm_jw_int(w, "unchanged", c->unchanged);
  hm_jw_int(w, "bad", c->bad);
}

static int report_json(hm_cli *cli, const imported *files, size_t n, const hm_import_counts *sum) {
  hm_jw w;
  hm_buf b;
  hm_json_begin(&w, &b);
  hm_jw_str(&w, "store", hm_str_c(cli->store));
  put_counts(&w, sum);
  hm_jw_arr(&w, "files");
  for (size_t i = 0; i < n; i++) {
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "file", hm_str_c(files[i].name));
    put_counts(&w, &files[i].counts);
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  return hm_json_end(cli, &w, &b);
}

static void line(hm_cli *cli, const char *name, const hm_import_counts *c) {
  printf("%s: %s added, %s updated, %s unchanged", name, hm_number(cli, c->added), hm_number(cli, c->updated),
         hm_number(cli, c->unchanged));
  if (c->bad) printf(", %s", hm_count(cli, c->bad, "bad line", NULL));
  putchar('\n');
}

static int report(hm_cli *cli, const imported *files, size_t n) {
  hm_import_counts sum = { 0 };
  for (size_t i = 0; i < n; i++) add(&sum, &files[i].counts);
  if (cli->json && report_json(cli, files, n, &sum)) return -1;
  for (size_t i = 0; i < n && !cli->json && !cli->quiet; i++) line(cli, files[i].name, &files[i].counts);
  if (n > 1 && !cli->json && !cli->quiet) line(cli, "together", &sum);
  return sum.bad ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

static int run(hm_cli *cli) {
  size_t n = cli->args.n_words, done = 0;
  imported *files = hm_alloc_array(cli->a, n, sizeof *files);
  hm_store *store = NULL;
  hm_actor who;
  if (check_files(cli) || hm_actor_of(cli, &who)) return -1;
  if (hm_cli_store(cli, HM_STORE_CREATE, &store, &cli->err)) return -1;
  hm_progress_phase(cli->progress, "importing");
  int rc = 0;
  for (; done < n && !rc; done++) {
    files[done].name = cli->args.words[done];
    rc = import_one(cli, store, &who, &files[done]);
  }
  hm_store_close(store);
  if (!rc) return report(cli, files, n);
  if (done == 1) return -1;
  const char *before = hm_str_fmt(cli->a, "%s imported before it",
                                  hm_count(cli, (int64_t)done - 1, "file was", "files were")).p;
  return hm_fail(&cli->err, cli->err.code, cli->err.what, cli->err.why,
                 *cli->err.fix ? hm_str_fmt(cli->a, "%s (%s)", cli->err.fix, before).p : before);
}

const hm_command hm_cmd_import = {
  .name = "import", .words = "FILE...", .brief = "store facts from JSON Lines",
  .about = "Stores the records of each FILE, one JSON object a line; '-' is standard input.\n"
           "A file is stored whole or, at its first bad line, not at all. Known records are\n"
           "updated, equal ones left alone. A store that does not exist is made.\n",
  .options = options,
  .exits = "0  every line was stored\n1  with --keep-going: some lines were bad\n2  trouble, with a message\n",
  .examples = "hmirror import facts.jsonl\nproduce-facts | hmirror import -\n",
  .least_words = 1, .most_words = -1, .run = run
};
