/* export: every record as JSON Lines; adopt: a copy of another program's store as one of
 * hmirror's. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/claim/silence.h"
#include "core/store/import.h"
#include "core/store/verdict_lines.h"
#include "gen/verbs/commands.h"
#include "gen/cli/conflict_text.h"
#include "gen/mirror/files.h"
#include "gen/sink/fs.h"

/* --- export ----------------------------------------------------------------------------------- */

static const hm_option export_options[] = {
  { "output", 'o', "FILE", "write to FILE instead of standard output" },
  { "verdicts", 0, NULL, "what people decided about conflicts, and nothing else" },
  { 0 }
};

/* world.yml is a file of the mirror's folder, and goes before the facts that name its eras. */
static int export_all(hm_cli *cli, hm_store *store, FILE *out) {
  if (hm_cli_get_option(cli, "verdicts"))
    return hm_export_verdicts(store, out, &cli->err);
  return hm_world_record_write(cli, out) || hm_export(store, out, &cli->err) ? -1 : 0;
}

/* An export goes where the store does not. */
static int warn_of_secrets(hm_cli *cli, hm_store *store) {
  enum { SHOWN = 10 };
  hm_live_secrets all;
  if (hm_store_secrets_find(store, hm_cli_get_option(cli, "verdicts"), cli->a, &all, &cli->err))
    return -1;
  for (size_t i = 0; i < all.n && (i < SHOWN || cli->verbose); i++)
    hm_cli_warn(cli, "%s", hm_terminal_line(cli->a, hm_live_secret_words(&all.v[i], cli->a), 0));
  if (all.all > SHOWN && !cli->verbose)
    hm_cli_warn(cli, "and %s: see -v",
                hm_format_count(cli->a, (uint64_t)all.all - SHOWN, "more live secret"));
  return 0;
}

static int export_to_file(hm_cli *cli, hm_store *store, const char *path) {
  struct stat a, b;
  hm_file_out f;
  if (stat(path, &a) == 0 && stat(cli->mirror.store, &b) == 0 && a.st_dev == b.st_dev &&
      a.st_ino == b.st_ino)
    return hm_fail_usage(cli, path, "is the store itself", "name another file");
  if (hm_file_begin(&f, path, &cli->err))
    return -1;
  int rc = export_all(cli, store, f.out);
  return hm_file_end(&f, rc == 0, &cli->err);
}

static int run_export(hm_cli *cli) {
  const char *path = hm_cli_get_option(cli, "output");
  hm_store *store = NULL;
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &store, &cli->err))
    return -1;
  hm_progress_phase(cli, "exporting");
  int rc = path && strcmp(path, "-") != 0 ? export_to_file(cli, store, path)
                                          : export_all(cli, store, stdout);
  if (!rc)
    rc = warn_of_secrets(cli, store);
  hm_store_close(store);
  return rc;
}

const hm_command hm_cmd_export = {
  .name = "export",
  .words = "",
  .brief = "write everything as JSON Lines",
  .about = "Writes every record of the store, conflicts and verdicts too, one JSON object a\n"
           "line, in an order that depends only on the records. Importing it into an empty store\n"
           "gives the same store. --verdicts writes what people decided, as a file that git "
           "merges\n"
           "and that an import carries out where the facts are the same.\n",
  .options = export_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror export -o facts.jsonl\nhmirror export --verdicts -o verdicts.jsonl\n"
              "hmirror export | grep '\"kind\":\"conflict\"'\n",
  .run = run_export
};

/* --- adopt --dry-run: what the layers hold and claim ------------------------------------------ */

/* A row is counted once: it claims, or it is silent for one reason (hm_silence_reasons). Samples
 * are the first rows by id. Cost: a sweep, and a pass over the rows. */

enum { SAMPLES = 3, REASONS_MAX = 24, TEXT_SHOWN = 100 };

/* Rows of a layer that claim (why NULL), or that are silent for one reason. */
typedef struct {
  const char *why;
  int64_t rows;
  uint32_t samples[SAMPLES];
  size_t n;
} row_group;
typedef struct {
  int64_t read;
  row_group groups[REASONS_MAX];
  size_t n;
} layer_report;

static const char *const LAYERS[] = {
  [HM_MEMORY] = "memories",
  [HM_ENTITY] = "entities",
  [HM_STATE] = "project_state",
  [HM_RELATION] = "relations",
};

/* The words of a reason are static: one address, one reason. */
static void count_row(layer_report *l, uint32_t row, const char *why) {
  size_t i = 0;
  while (i < l->n && l->groups[i].why != why)
    i++;
  if (i == REASONS_MAX)
    return;
  if (i == l->n)
    l->groups[l->n++] = (row_group){ .why = why };
  row_group *g = &l->groups[i];
  l->read++;
  g->rows++;
  if (g->n < SAMPLES)
    g->samples[g->n++] = row;
}

/* "p05 / gain: 3", of the row's first claim. */
static hm_str claim_text(hm_cli *cli, const hm_sweep *w, uint32_t row) {
  for (size_t i = 0; i < w->claims->n; i++) {
    const hm_claim *c = &w->claims->claims[i];
    if (c->row != row)
      continue;
    hm_str project = w->snap->projects[c->project].id;
    return hm_str_fmt(cli->a, "%.*s%s%.*s: %.*s", HM_FMT(project), project.n ? " / " : "",
                      HM_FMT(c->name), HM_FMT(c->value.raw));
  }
  return HM_EMPTY;
}

/* The row's text, cut to one line. */
static hm_str row_text(hm_cli *cli, const hm_row *r) {
  switch (r->layer) {
    case HM_ENTITY:
      return hm_str_fmt(cli->a, "%.*s: %.*s", HM_FMT(r->type), HM_FMT(r->name));
    case HM_STATE:
      return hm_str_fmt(cli->a, "%.*s: %.*s", HM_FMT(r->name), HM_FMT(r->text));
    case HM_RELATION:
      return hm_str_fmt(cli->a, "%.*s %.*s %.*s", HM_FMT(r->from), HM_FMT(r->type), HM_FMT(r->to));
    default:
      return r->text;
  }
}

static hm_str sample_text(hm_cli *cli, const hm_sweep *w, const row_group *g, size_t i) {
  uint32_t row = g->samples[i];
  return g->why ? row_text(cli, &w->snap->rows[row]) : claim_text(cli, w, row);
}

static void print_group(hm_cli *cli, const hm_sweep *w, const row_group *g) {
  const char *rows = hm_format_thousands(cli->a, g->rows);
  if (g->why)
    printf("  %s silent; each %s:\n", rows, g->why);
  else
    printf("  %s claim:\n", rows);
  for (size_t i = 0; i < g->n; i++) {
    const hm_row *r = &w->snap->rows[g->samples[i]];
    printf("    %s:%s  %s\n", hm_layer_name(r->layer), hm_terminal_line(cli->a, r->id, 40),
           hm_terminal_line(cli->a, sample_text(cli, w, g, i), TEXT_SHOWN));
  }
}

static void group_json(hm_cli *cli, hm_jw *j, const hm_sweep *w, const row_group *g) {
  hm_jw_obj(j, NULL);
  hm_jw_str_or_null(j, "silent", hm_str_c(g->why));
  hm_jw_int(j, "rows", g->rows);
  hm_jw_arr(j, "samples");
  for (size_t i = 0; i < g->n; i++) {
    const hm_row *r = &w->snap->rows[g->samples[i]];
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "row", hm_str_fmt(cli->a, "%s:%.*s", hm_layer_name(r->layer), HM_FMT(r->id)));
    hm_jw_str(j, "text", hm_str_c(hm_terminal_line(cli->a, sample_text(cli, w, g, i), TEXT_SHOWN)));
    hm_jw_end(j);
  }
  hm_jw_end(j);
  hm_jw_end(j);
}

static int report_json(hm_cli *cli, const hm_sweep *w, const layer_report *all) {
  hm_jw *j = hm_cli_json_begin(cli);
  hm_jw_arr(j, "layers");
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++) {
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "layer", hm_str_c(LAYERS[l]));
    hm_jw_int(j, "read", all[l].read);
    hm_jw_arr(j, "rows");
    for (size_t i = 0; i < all[l].n; i++)
      group_json(cli, j, w, &all[l].groups[i]);
    hm_jw_end(j);
    hm_jw_end(j);
  }
  hm_jw_end(j);
  hm_jw_int(j, "projects", w->snap->n_projects);
  hm_jw_int(j, "disputes", w->disputes->n);
  return hm_cli_json_end(cli);
}

static void report_text(hm_cli *cli, const hm_sweep *w, const layer_report *all) {
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++) {
    printf("%s: %s\n", LAYERS[l],
           all[l].read ? hm_format_count_plural(cli->a, all[l].read, "row is read", "rows are read")
                       : "nothing is read");
    for (size_t i = 0; i < all[l].n; i++)
      print_group(cli, w, &all[l].groups[i]);
  }
  printf("%s; nothing was copied or recorded\n",
         hm_format_count(cli->a, w->disputes->n, "dispute"));
}

/* Sweeps the mirror's store, recording nothing, and says for each layer how many rows are read, how
 * many claim, and how many are silent for which reason, with three rows of each. Exit code. */
static int report_layers(hm_cli *cli) {
  hm_sweep w;
  layer_report all[HM_RELATION + 1] = { { 0 } };
  if (hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ 0 }, &w, &cli->err))
    return -1;
  const char **why = hm_silence_reasons(w.snap, w.claims, cli->a);
  /* What claims comes first. */
  for (int silent = 0; silent <= 1; silent++)
    for (size_t i = 0; i < w.snap->n_rows; i++)
      if ((why[i] != NULL) == silent)
        count_row(&all[w.snap->rows[i].layer], (uint32_t)i, why[i]);
  hm_progress_end_phase(cli);
  int rc = HM_EXIT_FINE;
  if (cli->json)
    rc = report_json(cli, &w, all);
  else
    report_text(cli, &w, all);
  hm_sweep_free(&w);
  return rc;
}

/* --- adopt: the copy -------------------------------------------------------------------------- */

/* The report on the copy. */
typedef struct {
  hm_import_counts counts;
  hm_silence silence;
} adopted;

static int count_silence(hm_cli *cli, hm_store *s, hm_silence *out) {
  hm_snapshot *snap;
  hm_claims *claims;
  if (hm_store_snapshot(s, cli->a, false, &snap, &cli->err))
    return -1;
  if (hm_claims_read(snap, &cli->mirror.config.rules, cli->mirror.threads, &claims, &cli->err))
    return -1;
  hm_silence_collect(snap, claims, cli->a, out);
  hm_claims_free(claims);
  return 0;
}

/* What a store exports is what an import takes: the copy is the same facts by construction. */
static int copy_records(hm_cli *cli, hm_store *from, FILE *through, const char *path, adopted *n) {
  hm_store *to = NULL;
  hm_import_options opt = { .name = cli->mirror.store };
  if (hm_mirror_actor(&cli->mirror, &opt.who, &cli->err))
    return -1;
  if (hm_export(from, through, &cli->err))
    return -1;
  rewind(through);
  hm_store_source src = hm_mirror_source(&cli->mirror);
  src = (hm_store_source){ .path = path, .eras = src.eras, .n_eras = src.n_eras };
  if (hm_store_open_source(&to, &src, HM_STORE_CREATE, HM_BUSY_MS, &cli->err))
    return -1;
  int rc =
      hm_import(to, through, &opt, &n->counts, &cli->err) || count_silence(cli, to, &n->silence)
      ? -1
      : 0;
  hm_store_close(to);
  return rc;
}

/* --- adopt: the file -------------------------------------------------------------------------- */

/* The copy is made under another name in FILE's folder and gets FILE's name when it is whole and on
 * the disk. So a kill leaves either no FILE or all of it, and the next run overwrites the left-over
 * of a dead one. */
typedef struct {
  const char *path, *name;
  int fd;
} half_copy;

static int path_is_taken(hm_cli *cli, const char *path) {
  return hm_fail(&cli->err, HM_E_OUTPUT, path, "something is there already",
                 "give a path where nothing is");
}

/* A dead run's journal would be taken for the new store's; its lock is of no use under that name.
 */
static void remove_sqlite_files(const hm_cli *cli, const half_copy *h) {
  static const char *const suffixes[] = { "-journal", "-wal", "-shm", ".lock" };
  for (size_t i = 0; i < HM_COUNT(suffixes); i++)
    unlink(hm_str_fmt(cli->a, "%s%s", h->name, suffixes[i]).p);
}

/* Another program's file may have this name; a store that was begun is empty or SQLite's. */
static bool is_store_file(int fd) {
  static const char magic[16] = "SQLite format 3";
  char head[sizeof magic];
  struct stat st;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid())
    return false;
  ssize_t n = pread(fd, head, sizeof head, 0);
  return n == 0 || (n == sizeof head && memcmp(head, magic, sizeof magic) == 0);
}

/* Opens the other name, locked and with nothing in it. */
static int open_half(hm_cli *cli, half_copy *h) {
  enum { HOW = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
  struct stat st;
  for (;;) {
    h->fd = hm_open_locked(AT_FDCWD, h->name, HOW, 0666, 0);
    if (h->fd < 0 && (errno == EWOULDBLOCK || errno == EINTR))
      return hm_fail(&cli->err, HM_E_BUSY, h->path, "another hmirror is making it",
                     "wait for it to end");
    if (h->fd < 0)
      return hm_fs_fail(&cli->err, h->name, "make the file");
    if (!is_store_file(h->fd)) {
      close(h->fd);
      return hm_fail(&cli->err, HM_E_OUTPUT, h->name,
                     "the copy is made under this name, and something is there", "move it away");
    }
    if (fstat(h->fd, &st) == 0 && st.st_size == 0 && st.st_nlink == 1)
      return 0;
    unlink(h->name);
    close(h->fd);
  }
}

static int sync_folder_of(hm_cli *cli, const char *path) {
  hm_str folder = hm_fs_parent(hm_str_c(path));
  const char *z = folder.n ? hm_str_z(cli->a, folder) : *path == '/' ? "/" : ".";
  return hm_fs_sync_dir(AT_FDCWD, z) ? hm_fs_fail(&cli->err, z, "write the folder to the disk") : 0;
}

/* Over nothing that came there meanwhile. link: for file systems that cannot rename so. */
static int name_copy(hm_cli *cli, const half_copy *h) {
  if (fsync(h->fd) != 0)
    return hm_fs_fail(&cli->err, h->name, "write the copy to the disk");
  if (renameat2(AT_FDCWD, h->name, AT_FDCWD, h->path, RENAME_NOREPLACE) == 0)
    return sync_folder_of(cli, h->path);
  if (errno == EEXIST)
    return path_is_taken(cli, h->path);
  if (errno != EINVAL && errno != ENOSYS)
    return hm_fs_fail(&cli->err, h->path, "name the copy");
  if (link(h->name, h->path) != 0)
    return errno == EEXIST ? path_is_taken(cli, h->path)
                           : hm_fs_fail(&cli->err, h->path, "name the copy");
  unlink(h->name);
  return sync_folder_of(cli, h->path);
}

static int adopt_store(hm_cli *cli, hm_store *from, const char *path, adopted *n) {
  half_copy h = { .path = path, .name = hm_str_fmt(cli->a, "%s.adopting", path).p };
  struct stat st;
  if (lstat(path, &st) == 0)
    return path_is_taken(cli, path);
  FILE *through = tmpfile();
  if (!through)
    return hm_fail(&cli->err, HM_E_OUTPUT, "a temporary file", strerror(errno),
                   hm_errno_suggest_fix(errno));
  int rc = open_half(cli, &h);
  if (rc == 0) {
    remove_sqlite_files(cli, &h);
    rc = copy_records(cli, from, through, h.name, n);
    remove_sqlite_files(cli, &h);
    if (rc == 0)
      rc = name_copy(cli, &h);
    if (rc != 0)
      unlink(h.name);
    close(h.fd);
  }
  fclose(through);
  return rc;
}

static int run_adopt(hm_cli *cli) {
  hm_store *from = NULL;
  adopted n = { 0 };
  bool dry = hm_cli_get_option(cli, "dry-run") != NULL;
  const char *path = cli->args.n_words ? cli->args.words[0] : NULL;
  if (!path && !dry)
    return hm_fail_usage(cli, "adopt", "it wants the FILE to make",
                         "give a path where nothing is, or --dry-run");
  if (dry)
    return report_layers(cli);
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &from, &cli->err))
    return -1;
  hm_progress_phase(cli, "copying");
  int rc = !hm_store_is_foreign(from)
      ? hm_fail_usage(cli, cli->mirror.store, "it is a store of hmirror's already",
                      "use it as it is; --dry-run shows what claims in it")
      : adopt_store(cli, from, path, &n);
  hm_store_close(from);
  if (rc)
    return -1;
  hm_progress_end_phase(cli);
  if (cli->json) {
    hm_jw *w = hm_cli_json_begin(cli);
    hm_jw_str(w, "store", hm_str_c(path));
    hm_jw_int(w, "records", n.counts.added);
    hm_silence_json(w, &n.silence);
    return hm_cli_json_end(cli);
  }
  if (!cli->quiet)
    printf("%s: %s copied from %s; to use it, write store: %s in mirror.yml, without store.map\n",
           path, hm_format_count(cli->a, n.counts.added, "record"), cli->mirror.store, path);
  hm_note_silence(cli, &n.silence);
  return HM_EXIT_FINE;
}

static const hm_option adopt_options[] = {
  { "dry-run", 'n', NULL, "make no FILE: show what is read, claims and is silent, by layer" }, { 0 }
};

const hm_command hm_cmd_adopt = {
  .name = "adopt",
  .words = "[FILE]",
  .options = adopt_options,
  .brief = "copy another program's store into one of hmirror's",
  .about =
      "Makes FILE a store of hmirror's with the facts of the store that mirror.yml names, which\n"
      "belongs to another program and stays as it is, and with the conflicts and verdicts of its\n"
      "review file. --dry-run says for each layer, also of one's own store, what is read, what\n"
      "claims, and what is silent and why, with three rows each.\n",
  .exits = "0  done\n2  trouble, with a message; there is no FILE\n",
  .examples = "hmirror adopt hmirror.db\nhmirror adopt --dry-run\n",
  .most_words = 1,
  .run = run_adopt
};
