#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/review/newcomers.h"
#include "core/store/import.h"
#include "gen/cli/commands.h"
#include "gen/cli/out.h"
#include "gen/cli/work.h"

enum { NAMES_SHOWN = 10 };

typedef struct { const char *name; hm_import_counts counts; } imported;

/* What is told at the end. */
typedef struct { imported *files; size_t n; hm_import_counts sum; hm_new_name *names; size_t n_names; } outcome;

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

static int import_one(hm_cli *cli, hm_store *store, const hm_actor *who, hm_newcomers *names, imported *out) {
  hm_import_options opt = { .name = out->name, .keep_going = hm_cli_option(cli, "keep-going") != NULL,
                            .who = *who, .bad = list_bad, .ctx = cli,
                            .named = hm_newcomers_see, .named_ctx = names };
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

static void put_names(hm_cli *cli, hm_jw *w, const outcome *o) {
  hm_jw_arr(w, "warnings");
  for (size_t i = 0; i < o->n_names; i++) hm_jw_str(w, NULL, hm_new_name_words(&o->names[i], cli->a));
  hm_jw_end(w);
}

static int report_json(hm_cli *cli, const outcome *o) {
  hm_jw w;
  hm_buf b;
  hm_json_begin(&w, &b);
  hm_jw_str(&w, "store", hm_str_c(cli->store));
  put_counts(&w, &o->sum);
  hm_jw_arr(&w, "files");
  for (size_t i = 0; i < o->n; i++) {
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "file", hm_str_c(o->files[i].name));
    put_counts(&w, &o->files[i].counts);
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  put_names(cli, &w, o);
  return hm_json_end(cli, &w, &b);
}

static void line(hm_cli *cli, const char *name, const hm_import_counts *c) {
  printf("%s: %s added, %s updated, %s unchanged", name, hm_number(cli, c->added), hm_number(cli, c->updated),
         hm_number(cli, c->unchanged));
  if (c->bad) printf(", %s", hm_count(cli, c->bad, "bad line", NULL));
  putchar('\n');
}

static void name_lines(hm_cli *cli, const outcome *o) {
  for (size_t i = 0; i < o->n_names && i < NAMES_SHOWN; i++)
    hm_note(cli, "%s", hm_show(cli, hm_new_name_words(&o->names[i], cli->a), 0));
  if (o->n_names > NAMES_SHOWN)
    hm_note(cli, "and %s more names that are new: see --format json", hm_number(cli, (int64_t)o->n_names - NAMES_SHOWN));
}

static int report(hm_cli *cli, outcome *o) {
  for (size_t i = 0; i < o->n; i++) add(&o->sum, &o->files[i].counts);
  if (cli->json && report_json(cli, o)) return -1;
  for (size_t i = 0; i < o->n && !cli->json && !cli->quiet; i++) line(cli, o->files[i].name, &o->files[i].counts);
  if (o->n > 1 && !cli->json && !cli->quiet) line(cli, "together", &o->sum);
  if (!cli->json) name_lines(cli, o);
  return o->sum.bad ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

/* After a failure: which files are stored all the same. */
static int failed(hm_cli *cli, size_t done) {
  if (done == 1) return -1;
  const char *before = hm_str_fmt(cli->a, "%s imported before it",
                                  hm_count(cli, (int64_t)done - 1, "file was", "files were")).p;
  return hm_fail(&cli->err, cli->err.code, cli->err.what, cli->err.why,
                 *cli->err.fix ? hm_str_fmt(cli->a, "%s (%s)", cli->err.fix, before).p : before);
}

static int import_all(hm_cli *cli, hm_store *store, const hm_actor *who, hm_newcomers *names, outcome *o) {
  size_t done = 0;
  int rc = 0;
  for (; done < o->n && !rc; done++) {
    o->files[done].name = cli->args.words[done];
    rc = import_one(cli, store, who, names, &o->files[done]);
  }
  return rc ? failed(cli, done) : hm_newcomers_end(names, store, cli->a, &o->names, &o->n_names, &cli->err);
}

static int run(hm_cli *cli) {
  outcome o = { .n = cli->args.n_words };
  hm_store *store = NULL;
  hm_actor who;
  if (check_files(cli) || hm_actor_of(cli, &who)) return -1;
  if (hm_cli_store(cli, HM_STORE_CREATE, &store, &cli->err)) return -1;
  o.files = hm_alloc_array(cli->a, o.n, sizeof *o.files);
  hm_progress_phase(cli->progress, "importing");
  hm_newcomers *names = hm_newcomers_new();
  int rc = import_all(cli, store, &who, names, &o);
  hm_newcomers_free(names);
  hm_store_close(store);
  hm_progress_clear(cli->progress);
  return rc ? -1 : report(cli, &o);
}

const hm_command hm_cmd_import = {
  .name = "import", .words = "FILE...", .brief = "store facts from JSON Lines",
  .about = "Stores the records of each FILE, one JSON object a line; '-' is standard input.\n"
           "A file is stored whole or, at its first bad line, not at all. Known records are\n"
           "updated, equal ones left alone. A store that does not exist is made. A project or a\n"
           "type that looks mistyped is stored and told at the end.\n",
  .options = options,
  .exits = "0  every line was stored\n1  with --keep-going: some lines were bad\n2  trouble, with a message\n",
  .examples = "hmirror import facts.jsonl\nproduce-facts | hmirror import -\n",
  .least_words = 1, .most_words = -1, .run = run
};
