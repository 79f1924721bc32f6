/* import: records of JSON Lines files, each file whole or not at all. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/base/shell.h"
#include "core/base/str.h"
#include "core/base/text.h"
#include "core/foreign/readers.h"
#include "core/notes/notes.h"
#include "core/review/edited_rows.h"
#include "core/review/new_names.h"
#include "core/review/settled_lines.h"
#include "core/store/import.h"
#include "gen/check/check.h"
#include "gen/verbs/commands.h"
#include "gen/verbs/import_commits.h"
#include "gen/verbs/import_renames.h"
#include "gen/verbs/import_report.h"

enum { SETTLED_SHOWN = 1000 }; /* bytes of a comment's reason */

/* --- reading ------------------------------------------------------------------------ */

/* A path as it was given, without leading ./ and ../; of an absolute one the file's name, so that a
 * folder of each night is one source. */
static hm_str source_of_path(hm_cli *cli, const char *path) {
  const char *slash = strrchr(path, '/');
  while (!strncmp(path, "./", 2) || !strncmp(path, "../", 3))
    path = strchr(path, '/') + 1;
  return hm_text_repair(cli->a, hm_str_c(*path == '/' ? slash + 1 : path));
}

/* Documents, folders and globs: the files that they name. */
static int list_documents(hm_import_report *r, const char *const *words, size_t n,
                          const char *given) {
  hm_cli *cli = r->cli;
  if (!n)
    return 0;
  if (hm_cli_list_tree(cli, words, n, &r->tree))
    return -1;
  const hm_tree *t = r->tree.tree;
  if (given && t->n_files > 1)
    return hm_fail_usage(cli, "--source", "several files cannot be one source",
                         "import them one by one");
  r->manifests = hm_notes_manifests_of(t, cli->a);
  if (hm_notes_decisions(t, cli->a, &r->records, &cli->err) ||
      hm_scripts_list(t, cli->a, &r->scripts, &cli->err))
    return -1;
  r->families = hm_families_prepare(NULL, cli->a);
  size_t folders;
  hm_decisions_folders(r->records, &folders);
  hm_imported_file *files = hm_alloc_array(cli->a, r->n + t->n_files + folders + 1, sizeof *files);
  memcpy(files, r->files, r->n * sizeof *files);
  for (size_t i = 0; i < t->n_files; i++) {
    const hm_tree_file *f = &t->files[i];
    files[r->n++] =
        (hm_imported_file){ .name = hm_str_z(cli->a, f->path), .source = f->source, .file = f };
  }
  for (size_t i = 0; i < folders && !given; i++) {
    hm_imported_file count = { 0 };
    hm_notes_record_count_line(t, r->records, i, cli->a, &count.source, &count.lines);
    count.name = hm_str_z(cli->a, count.source);
    if (count.lines.n)
      files[r->n++] = count;
  }
  r->files = files;
  return 0;
}

/* All files are looked at before the first is read: a typo in the third name must not leave two
 * files imported. */
static int check_files(hm_cli *cli, hm_import_report *r) {
  const char *given = hm_cli_get_option(cli, "source");
  const char **documents = hm_alloc_array(cli->a, cli->args.n_words, sizeof *documents);
  size_t n_documents = 0;
  int inputs = 0;
  if (given && !hm_actor_name_fits(hm_str_c(given)))
    return hm_fail_usage(cli, "--source", "must have 1 to 200 bytes that can be seen", NULL);
  for (size_t i = 0; i < cli->args.n_words; i++) {
    const char *name = cli->args.words[i];
    struct stat st;
    if (!r->map.n_map && hm_cli_word_is_tree(name)) {
      documents[n_documents++] = name;
      continue;
    }
    hm_imported_file *f = &r->files[r->n++];
    *f = (hm_imported_file){ .name = name, .source = HM_STR("stdin") };
    if (hm_import_is_stdin(name)) {
      if (inputs++)
        return hm_fail_usage(cli, "-", "standard input can be read once", NULL);
    } else {
      if (stat(name, &st) || access(name, R_OK))
        return hm_fail(&cli->err, HM_E_INPUT, name, strerror(errno), hm_errno_suggest_fix(errno));
      f->source = source_of_path(cli, name);
    }
  }
  if (list_documents(r, documents, n_documents, given))
    return -1;
  for (size_t i = 0; i < r->n && given; i++)
    r->files[i].source = hm_str_c(given);
  return 0;
}

static int read_encoding(hm_cli *cli, hm_encoding *out) {
  const char *given = hm_cli_get_option(cli, "encoding");
  *out = HM_UTF_8;
  for (int e = 0; given && e < HM_ENCODINGS; e++) {
    if (strcasecmp(given, hm_encoding_name((hm_encoding)e)))
      continue;
    *out = (hm_encoding)e;
    return 0;
  }
  return given ? hm_failf(&cli->err, HM_E_USAGE, "--encoding",
                          "use utf-8, latin1 or windows-1252; iconv(1) converts from others",
                          "unknown: \"%.60s\"", given)
               : 0;
}

static int read_layer(hm_cli *cli, int *layer) {
  const char *given = hm_cli_get_option(cli, "csv");
  *layer = 0;
  return given ? hm_csv_layer(given, layer, &cli->err) : 0;
}

static int read_map(hm_import_report *r) {
  hm_cli *cli = r->cli;
  const char *given = hm_cli_get_option(cli, "map");
  if (!given)
    return 0;
  if (hm_cli_get_option(cli, "csv"))
    return hm_fail_usage(cli, "--csv", "the map says what the rows are", "leave it out");
  if (hm_config_load(cli->a, given, &r->map, &cli->err))
    return -1;
  return r->map.n_map ? 0
                      : hm_fail(&cli->err, HM_E_USAGE, given, "it has no store.map",
                                "`hmirror init --from FILE` writes one to start from; see"
                                " hmirror-config(5)");
}

static void complain_of_line(void *ctx, const hm_err *err) { hm_print_error(ctx, err); }

static void collect_told(void *ctx, const hm_import_kept_field *t) {
  hm_import_report *r = ctx;
  hm_arena *a = r->cli->a;
  if (r->n_told == HM_IMPORT_TOLD_MAX)
    return;
  if (!r->told)
    r->told = hm_alloc_array(a, HM_IMPORT_TOLD_MAX, sizeof *r->told);
  r->told[r->n_told++] =
      (hm_import_kept_field){ t->what, hm_str_dup(a, t->ref), hm_str_dup(a, t->field),
                              hm_str_dup(a, t->source), hm_str_dup(a, t->other) };
}

static void collect_change(void *ctx, const hm_import_change *c) {
  hm_import_report *r = ctx;
  hm_arena *a = r->cli->a;
  if (r->n_changes == HM_IMPORT_TOLD_MAX)
    return;
  if (!r->changes)
    r->changes = hm_alloc_array(a, HM_IMPORT_TOLD_MAX, sizeof *r->changes);
  hm_str *keys = hm_alloc_array(a, c->n_keys + 1, sizeof *keys); /* names of the table of fields */
  memcpy(keys, c->keys, c->n_keys * sizeof *keys);
  r->changes[r->n_changes++] =
      (hm_import_row_change){ hm_str_dup(a, c->ref), c->added, keys, c->n_keys };
}

/* The words of an error, without what to do. */
static void collect_odd(void *ctx, const hm_err *err) {
  hm_import_report *r = ctx;
  hm_arena *a = r->cli->a;
  if (r->n_odd == HM_IMPORT_TOLD_MAX)
    return;
  if (!r->odd)
    r->odd = hm_alloc_array(a, HM_IMPORT_TOLD_MAX, sizeof *r->odd);
  r->odd[r->n_odd++] = hm_str_fmt(a, "%s: %s; it is stored all the same", err->what, err->why);
}

static void collect_secret(void *ctx, const hm_live_secret *s) {
  hm_import_report *r = ctx;
  hm_arena *a = r->cli->a;
  if (r->n_secrets == HM_IMPORT_TOLD_MAX)
    return;
  if (!r->secrets)
    r->secrets = hm_alloc_array(a, HM_IMPORT_TOLD_MAX, sizeof *r->secrets);
  r->secrets[r->n_secrets++] = hm_live_secret_words(s, a);
}

static void count_row(void *ctx, int64_t lines) {
  hm_import_report *r = ctx;
  hm_progress_set_count(r->cli->progress, (size_t)(r->sum.lines + lines), 0);
}

/* What becomes of rows that the file does not name any more. */
static hm_import_gone what_of_gone(hm_cli *cli, const hm_imported_file *f) {
  const hm_source_config *c = hm_config_source(&cli->mirror.config, f->source);
  if (hm_import_is_stdin(f->name) && !hm_cli_get_option(cli, "source"))
    return HM_GONE_IGNORED;
  if (hm_cli_get_option(cli, "complete"))
    return HM_GONE_ENDS;
  if (c && !c->complete)
    return HM_GONE_IGNORED;
  return c ? HM_GONE_ENDS_BUT_MOST : HM_GONE_TOLD;
}

static bool is_document(const hm_imported_file *f) {
  return f->file && (f->file->kind == HM_TREE_NOTES || f->file->kind == HM_TREE_LIST);
}

/* A file of a tree is opened by the way that the walk found, which follows no link. */
static FILE *open_file(hm_import_report *r, hm_imported_file *f) {
  hm_str bytes = f->lines;
  if (hm_import_is_stdin(f->name))
    return stdin;
  if (!f->file && !bytes.n) {
    FILE *in = fopen(f->name, "re");
    if (!in)
      hm_fail(&r->cli->err, HM_E_INPUT, f->name, strerror(errno), hm_errno_suggest_fix(errno));
    return in;
  }
  bool manifest = f->file && f->file->kind == HM_TREE_MANIFEST;
  if (manifest &&
      hm_notes_manifest_lines(r->manifests, f->file, r->cli->a, &bytes, &f->told, &r->cli->err))
    return NULL;
  if (!manifest && f->file && hm_tree_read(f->file, r->cli->a, &bytes, &r->cli->err))
    return NULL;
  if (!bytes.n) /* which fmemopen does not take */
    bytes = HM_STR("\n");
  FILE *in = fmemopen((void *)(uintptr_t)bytes.p, bytes.n, "r");
  if (!in)
    hm_fail(&r->cli->err, HM_E_INPUT, f->name, strerror(errno), NULL);
  return in;
}

/* The records that the map makes of the file. */
static FILE *open_mapped(hm_import_report *r, const hm_imported_file *f, hm_encoding encoding) {
  bool is_stdin = hm_import_is_stdin(f->name);
  const hm_foreign_file file = { .path = is_stdin ? "standard input" : f->name,
                                 .in = is_stdin ? stdin : NULL,
                                 .encoding = encoding,
                                 .map = r->map.map,
                                 .n_map = r->map.n_map };
  return hm_foreign_file_records(&file, &r->cli->err);
}

static int import_file(hm_import_report *r, hm_store *store, hm_import_options *opt,
                       hm_imported_file *f) {
  const hm_encoding encoding = opt->encoding;
  FILE *in = r->map.n_map ? open_mapped(r, f, encoding) : open_file(r, f);
  if (f->told.limit) /* a manifest that could not be read: nothing is known to be gone */
    opt->gone = HM_GONE_IGNORED;
  if (r->map.n_map) {
    opt->encoding = HM_UTF_8;
    opt->name = hm_str_fmt(r->cli->a, "%s: record", f->name).p;
  }
  opt->notes = is_document(f) ? f->source : HM_EMPTY;
  opt->records = r->records;
  opt->notes_list = is_document(f) && f->file->kind == HM_TREE_LIST;
  opt->whole = r->map.n_map || (f->file && f->file->kind == HM_TREE_MANIFEST);
  opt->told = &f->told;
  f->told.a = r->cli->a;
  f->told.keeps_unread = r->dry;
  f->told.tree = r->tree.tree;
  f->told.top = f->file ? f->file->top : 0;
  f->told.scripts = &r->scripts;
  f->told.families = r->families;
  int rc = in ? hm_import(store, in, opt, &f->counts, &r->cli->err) : -1;
  opt->encoding = encoding;
  if (in && in != stdin)
    fclose(in);
  return rc;
}

static int import_files(hm_import_report *r, hm_store *store, hm_import_options *opt,
                        hm_import_names *names) {
  hm_cli *cli = r->cli;
  size_t done = 0;
  hm_map sources;
  /* Files of one name: a source cannot say two things at once. With --source they are its versions,
   * one after the other. */
  hm_map_init(&sources, cli->a, r->n);
  for (size_t i = 0; i < r->n; i++)
    hm_map_add(&sources, r->files[i].source, 0);
  if (!hm_cli_get_option(cli, "source") && sources.n < r->n)
    opt->seen = hm_import_seen_new();
  int rc = 0;
  for (; done < r->n && !rc; done++) {
    hm_imported_file *f = &r->files[done];
    opt->name = f->name;
    opt->source = f->source;
    opt->gone = what_of_gone(cli, f);
    opt->who.undated = f->file || f->lines.n;
    rc = import_file(r, store, opt, f);
    hm_import_add_counts(&r->sum, &f->counts);
  }
  hm_import_seen_free(opt->seen);
  if (!rc)
    return hm_import_names_report(names, store, cli->a, &r->names, &r->n_names, &cli->err);
  if (done <= 1 || r->dry)
    return -1;
  const char *before =
      hm_str_fmt(cli->a, "%s imported before it",
                 hm_format_count_plural(cli->a, done - 1, "file was", "files were"))
          .p;
  return hm_fail(&cli->err, cli->err.code, cli->err.what, cli->err.why,
                 *cli->err.fix ? hm_str_fmt(cli->a, "%s (%s)", cli->err.fix, before).p : before);
}

/* --- files that went ------------------------------------------------------------------ */

typedef struct {
  hm_str source;
  bool went;
  const hm_notes_told *moved_to; /* of one that went: the document that has its place, or NULL */
  hm_str moved_source;           /* and its source */
  size_t rows;
} folder_source;

/* What becomes of a file that is not in its folder any more. As of the rows of a file, most of a
 * folder ends only where the command says so. */
static hm_import_gone what_of_gone_file(hm_cli *cli, hm_str source, bool most) {
  const hm_source_config *c = hm_config_source(&cli->mirror.config, source);
  if (hm_cli_get_option(cli, "complete"))
    return HM_GONE_ENDS;
  if (c && !c->complete)
    return HM_GONE_IGNORED;
  return c && !most ? HM_GONE_ENDS : HM_GONE_TOLD;
}

/* The sources that the tree has, or would have if their files were there: *n_went of these went. */
static int list_folder(hm_import_report *r, hm_store *store, folder_source **out, size_t *n,
                       size_t *n_went) {
  hm_cli *cli = r->cli;
  hm_str *known = NULL;
  size_t n_known;
  hm_map there;
  *n = *n_went = 0;
  if (hm_import_list_sources(store, cli->a, &known, &n_known, &cli->err))
    return -1;
  hm_map_init(&there, cli->a, r->n);
  for (size_t i = 0; i < r->n; i++)
    hm_map_add(&there, r->files[i].source, 0);
  *out = hm_alloc_array(cli->a, n_known + 1, sizeof **out);
  for (size_t i = 0; i < n_known; i++) {
    if (!hm_tree_covers(r->tree.tree, known[i], cli->a))
      continue;
    if (hm_tree_lacks_folder(r->tree.tree, known[i])) {
      if (!r->n_apart++)
        r->apart = known[i];
      continue;
    }
    bool went = hm_map_get(&there, known[i]) == HM_MAP_NONE;
    *n_went += went;
    (*out)[(*n)++] = (folder_source){ .source = known[i], .went = went };
  }
  return 0;
}

/* Finds where files that went are now; *most: those that are nowhere had more than half of the rows
 * of the folder, and it has not only a few. */
static int find_lost(hm_import_report *r, hm_store *store, hm_import_renames *renames,
                     folder_source *v, size_t n, bool *most) {
  size_t lost = 0, all = 0;
  for (size_t i = 0; i < n; i++) {
    hm_str *rows;
    if (hm_import_list_rows(store, v[i].source, r->cli->a, &rows, &v[i].rows, &r->cli->err) ||
        (v[i].went &&
         hm_import_find_renamed(renames, store, v[i].source, &v[i].moved_to, &v[i].moved_source)))
      return -1;
    all += v[i].rows;
    lost += v[i].went && !v[i].moved_to ? v[i].rows : 0;
  }
  *most = all >= HM_GONE_FEW && 2 * lost > all;
  return 0;
}

/* A file that went, or is a copy, is a document without rows; opt->moved_to and opt->gone are set.
 */
static int import_gone_file(hm_import_report *r, hm_store *store, hm_import_options *opt,
                            hm_imported_file *f) {
  hm_cli *cli = r->cli;
  FILE *in = fmemopen((char[]){ '\n' }, 1, "r");
  opt->name = f->name;
  opt->source = opt->notes = f->source;
  opt->notes_list = false;
  opt->told = &f->told;
  opt->who.undated = true;
  int rc = in ? hm_import(store, in, opt, &f->counts, &cli->err)
              : hm_fail(&cli->err, HM_E_INPUT, f->name, strerror(errno), NULL);
  if (in)
    fclose(in);
  hm_import_add_counts(&r->sum, &f->counts);
  if (f->counts.gone)
    r->files[r->n++] = *f;
  return rc;
}

static void make_room_for_files(hm_import_report *r, size_t n) {
  hm_imported_file *files = hm_alloc_array(r->cli->a, r->n + n, sizeof *files);
  memcpy(files, r->files, r->n * sizeof *files);
  r->files = files;
}

static int import_gone_files(hm_import_report *r, hm_store *store, hm_import_options *opt,
                             hm_import_renames *renames) {
  folder_source *v = NULL;
  size_t n = 0, n_went = 0;
  bool most;
  if (r->tree.tree && list_folder(r, store, &v, &n, &n_went))
    return -1;
  if (!n_went)
    return 0;
  if (find_lost(r, store, renames, v, n, &most))
    return -1;
  make_room_for_files(r, n_went);
  int rc = 0;
  for (size_t i = 0; i < n && !rc; i++) {
    if (!v[i].went)
      continue;
    hm_imported_file f = { .name = hm_terminal_line(r->cli->a, v[i].source, 0),
                           .source = v[i].source };
    f.went = true;
    opt->moved_to = v[i].moved_to;
    opt->moved_source = v[i].moved_source;
    opt->gone = what_of_gone_file(r->cli, f.source, most);
    rc = import_gone_file(r, store, opt, &f);
  }
  return rc;
}

/* What a file said before it became a copy: the other file says it now, or nobody does. */
static int import_copies(hm_import_report *r, hm_store *store, hm_import_options *opt,
                         hm_import_renames *renames) {
  const hm_tree *t = r->tree.tree;
  int rc = 0;
  if (!t || !t->n_skips)
    return 0;
  make_room_for_files(r, t->n_skips);
  opt->moved_source = HM_EMPTY;
  for (size_t i = 0; i < t->n_skips && !rc; i++) {
    const hm_tree_skip *skip = &t->skips[i];
    if (skip->reason != HM_TREE_SKIP_COPY)
      continue;
    hm_imported_file f = { .name = hm_str_z(r->cli->a, skip->path), .source = skip->source };
    f.copy = true;
    opt->gone = what_of_gone(r->cli, &f);
    rc = hm_import_read_copied(renames, store, f.source, skip->of, &opt->moved_to) ||
            import_gone_file(r, store, opt, &f)
        ? -1
        : 0;
  }
  return rc;
}

/* --- the verb ------------------------------------------------------------------------- */

/* Before the first file is read: two that may be meant are an error, and nothing is stored. A file
 * of a tree is known by its path alone. */
static int find_sources(hm_import_report *r, hm_store *store) {
  bool given = hm_cli_get_option(r->cli, "source");
  for (size_t i = 0; i < r->n; i++)
    if ((given ||
         !(r->files[i].file || r->files[i].lines.n || hm_import_is_stdin(r->files[i].name))) &&
        hm_import_find_source(store, r->files[i].source, !given, r->cli->a, &r->files[i].source,
                              &r->cli->err))
      return -1;
  return 0;
}

/* Lines that somebody settled where they stand. */
static int settle_lines(hm_import_report *r, hm_store *store, const hm_review *review) {
  hm_cli *cli = r->cli;
  hm_settled_line *lines = NULL;
  size_t n = 0, cap = 0;
  for (size_t i = 0; i < r->n; i++) {
    const hm_imported_file *f = &r->files[i];
    for (size_t k = 0; k < f->told.n_settled; k++) {
      const hm_notes_settled *s = &f->told.settled[k];
      hm_str reason = hm_text_cut(s->reason, SETTLED_SHOWN);
      if (!s->id.n)
        continue;
      lines = hm_array_grow_in(cli->a, lines, n, &cap, sizeof *lines);
      lines[n++] = (hm_settled_line){
        HM_CAT(cli->a, HM_STR("memory:"), s->id),
        HM_CAT(cli->a, f->source, HM_STR(": "), reason.n ? reason : HM_STR("ok")), s
      };
    }
  }
  return hm_review_settle_lines(store, review, lines, n, cli->a, &r->settled_lines, &cli->err);
}

/* Files and the verdicts that waited; all in one transaction that is rolled back in a dry run. */
static int import_all(hm_import_report *r, hm_store *store, hm_import_options *opt,
                      hm_import_names *names) {
  hm_cli *cli = r->cli;
  hm_review review = { .rules = &cli->mirror.config.rules, .who = opt->who };
  if (hm_store_may_change(store, &cli->err) || (r->dry && hm_store_begin(store, true, &cli->err)))
    return -1;
  hm_progress_phase(cli, "importing, rows so far");
  hm_import_renames *renames;
  int rc = find_sources(r, store) || hm_import_renames_begin(r, store, &renames) ||
          import_files(r, store, opt, names) || import_gone_files(r, store, opt, renames) ||
          import_copies(r, store, opt, renames) ||
          hm_review_settle_waiting(store, &review, cli->a, &r->settled, &cli->err) ||
          settle_lines(r, store, &review) ||
          (r->tree.tree && !r->dry && hm_import_note_commits(r, store))
      ? -1
      : 0;
  hm_progress_end_phase(cli);
  if (r->dry)
    hm_store_rollback(store);
  return rc || r->dry ? rc : hm_world_record_save(&r->world, &cli->err);
}

static int run_import(hm_cli *cli) {
  hm_import_report r = { .cli = cli,
                         .world.cli = cli,
                         .dry = hm_cli_get_option(cli, "dry-run") != NULL };
  hm_store *store = NULL;
  hm_import_names *names = hm_import_names_new();
  hm_import_options opt = { .keep_going = hm_cli_get_option(cli, "keep-going"),
                            .override_verdicts = hm_cli_get_option(cli, "override-verdicts"),
                            .edited = hm_edited_rows_find,
                            .edited_ctx = &cli->mirror.config.rules,
                            .bad = complain_of_line,
                            .ctx = cli,
                            .kept_field = collect_told,
                            .kept_field_ctx = &r,
                            .odd = collect_odd,
                            .odd_ctx = &r,
                            .secret = collect_secret,
                            .secret_ctx = &r,
                            .changed = r.dry ? collect_change : NULL,
                            .changed_ctx = &r,
                            .counted = count_row,
                            .counted_ctx = &r,
                            .named = hm_import_names_see,
                            .named_ctx = names,
                            .world = hm_world_record_import,
                            .world_ctx = &r.world };
  r.files = hm_alloc_array(cli->a, cli->args.n_words, sizeof *r.files);
  int rc = read_encoding(cli, &opt.encoding) || read_layer(cli, &opt.csv) || read_map(&r) ||
          check_files(cli, &r) || hm_mirror_actor(&cli->mirror, &opt.who, &cli->err) ||
          hm_mirror_open(&cli->mirror, r.dry ? HM_STORE_TRY : HM_STORE_CREATE, &store, &cli->err) ||
          import_all(&r, store, &opt, names)
      ? -1
      : 0;
  hm_store_close(store);
  hm_import_names_free(names);
  rc = rc ? -1 : hm_import_print_report(cli, &r);
  hm_cli_tree_free(&r.tree);
  return rc;
}

static const hm_option import_options[] = {
  { "csv", 0, "memory|entity|project_state|relation|project",
    "CSV with a header, rows of this layer" },
  { "map", 0, "FILE", "how the rows of another program's file are read: a store.map" },
  { "source", 0, "NAME", "who says this, so that a renamed or dated file stays one source" },
  { "encoding", 0, "NAME", "of the files: utf-8 (default), latin1 or windows-1252" },
  { "override-verdicts", 0, NULL, "let records change what a verdict or a redaction set" },
  { "complete", 0, NULL, "end what was said of rows, or in files, that are no longer there" },
  HM_TREE_WORD_OPTIONS,
  { "no-git", 0, NULL, "do not note which commits last changed the lines of documents" },
  { "keep-going", 0, NULL, "store the good lines and list the bad ones" },
  { "dry-run", 0, NULL, "only say what would change, and what is not read" },
  { 0 }
};

const hm_command hm_cmd_import = {
  .name = "import",
  .words = "FILE|FOLDER...",
  .brief = "store facts from Markdown, JSON Lines or CSV",
  .about =
      "Stores the records of each FILE, one JSON object a line, or each item, sentence and row of\n"
      "a Markdown file, or those of a FOLDER; '-' is standard input. A file is stored whole or,\n"
      "at its first bad line, not at all. A record changes what its source (the path as given,\n"
      "stdin, --source NAME) changed since its last import. What is kept instead is told.\n",
  .options = import_options,
  .exits = "0  every line was stored\n1  with --keep-going: some lines were bad\n"
           "2  trouble, with a message\n",
  .examples = "hmirror import --complete docs CLAUDE.md\n"
              "hmirror import facts.jsonl\nhmirror import --dry-run facts.jsonl\n"
              "hmirror import --csv project_state sheet.csv\n"
              "hmirror import --map issues.map.yml issues.json\nproduce-facts | hmirror import -\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_import
};
