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
#include "core/review/edited_rows.h"
#include "core/review/new_names.h"
#include "core/store/import.h"
#include "gen/check/check.h"
#include "gen/cli/commands.h"

enum { NAMES_SHOWN = 10, TOLD_MAX = 1000 };

typedef struct {
  const char *name;
  hm_str source;
  hm_import_counts counts;
} imported;

/* A row that a dry run would change. */
typedef struct {
  hm_str ref;
  bool added;
  hm_str *keys;
  size_t n_keys;
} row_change;

/* One run of the verb, and what is reported at its end. told, changes: the first TOLD_MAX. */
typedef struct {
  hm_cli *cli;
  bool dry;
  imported *files;
  size_t n;
  row_change *changes;
  size_t n_changes;
  hm_str *secrets; /* messages about them, which do not hold them */
  size_t n_secrets;
  hm_str *odd; /* messages about records that other doors refuse */
  size_t n_odd;
  hm_import_counts sum;
  hm_new_name *names;
  size_t n_names;
  hm_import_kept_field *told;
  size_t n_told;
  hm_settled settled; /* verdicts that waited */
  hm_world_record world;
} import_run;

/* The counts of hm_import_counts, by the name that JSON has for them. */
static const struct {
  const char *name;
  size_t at;
} counted[] = {
  { "added", offsetof(hm_import_counts, added) },
  { "updated", offsetof(hm_import_counts, updated) },
  { "unchanged", offsetof(hm_import_counts, unchanged) },
  { "bad", offsetof(hm_import_counts, bad) },
  { "kept", offsetof(hm_import_counts, kept) },
  { "disagreed", offsetof(hm_import_counts, disagreed) },
  { "taken_out", offsetof(hm_import_counts, taken_out) },
  { "redacted", offsetof(hm_import_counts, redacted) },
  { "gone", offsetof(hm_import_counts, gone) },
  { "ended", offsetof(hm_import_counts, ended) },
  { "lines", offsetof(hm_import_counts, lines) },
  { "odd", offsetof(hm_import_counts, odd) },
  { "secrets", offsetof(hm_import_counts, secrets) },
};
enum { N_COUNTED = HM_COUNT(counted) };

static int64_t *counter_at(const hm_import_counts *c, size_t i) {
  return (int64_t *)((uintptr_t)c + counted[i].at);
}

/* --- reading ------------------------------------------------------------------------ */

static bool is_stdin(const char *name) { return strcmp(name, "-") == 0; }

/* A path as it was given, without leading ./ and ../; of an absolute one the file's name, so that a
 * folder of each night is one source. */
static hm_str source_of_path(hm_cli *cli, const char *path) {
  const char *slash = strrchr(path, '/');
  while (!strncmp(path, "./", 2) || !strncmp(path, "../", 3))
    path = strchr(path, '/') + 1;
  return hm_text_repair(cli->a, hm_str_c(*path == '/' ? slash + 1 : path));
}

/* All files are looked at before the first is read: a typo in the third name must not leave two
 * files imported. */
static int check_files(hm_cli *cli, import_run *r) {
  const char *given = hm_cli_get_option(cli, "source");
  int inputs = 0;
  if (given && !hm_actor_name_fits(hm_str_c(given)))
    return hm_fail_usage(cli, "--source", "must have 1 to 200 bytes that can be seen", NULL);
  for (size_t i = 0; i < r->n; i++) {
    const char *name = cli->args.words[i];
    struct stat st;
    r->files[i] = (imported){ .name = name, .source = HM_STR("stdin") };
    if (is_stdin(name)) {
      if (inputs++)
        return hm_fail_usage(cli, "-", "standard input can be read once", NULL);
    } else {
      if (stat(name, &st) || access(name, R_OK))
        return hm_fail(&cli->err, HM_E_INPUT, name, strerror(errno), hm_errno_suggest_fix(errno));
      if (S_ISDIR(st.st_mode))
        return hm_fail(&cli->err, HM_E_INPUT, name, "is a folder", "name the files in it");
      r->files[i].source = source_of_path(cli, name);
    }
    if (given)
      r->files[i].source = hm_str_c(given);
  }
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

static void complain_of_line(void *ctx, const hm_err *err) { hm_print_error(ctx, err); }

static void collect_told(void *ctx, const hm_import_kept_field *t) {
  import_run *r = ctx;
  hm_arena *a = r->cli->a;
  if (r->n_told == TOLD_MAX)
    return;
  if (!r->told)
    r->told = hm_alloc_array(a, TOLD_MAX, sizeof *r->told);
  r->told[r->n_told++] =
      (hm_import_kept_field){ t->what, hm_str_dup(a, t->ref), hm_str_dup(a, t->field),
                              hm_str_dup(a, t->source), hm_str_dup(a, t->other) };
}

static void collect_change(void *ctx, const hm_import_change *c) {
  import_run *r = ctx;
  hm_arena *a = r->cli->a;
  if (r->n_changes == TOLD_MAX)
    return;
  if (!r->changes)
    r->changes = hm_alloc_array(a, TOLD_MAX, sizeof *r->changes);
  hm_str *keys = hm_alloc_array(a, c->n_keys + 1, sizeof *keys); /* names of the table of fields */
  memcpy(keys, c->keys, c->n_keys * sizeof *keys);
  r->changes[r->n_changes++] = (row_change){ hm_str_dup(a, c->ref), c->added, keys, c->n_keys };
}

/* The words of an error, without what to do. */
static void collect_odd(void *ctx, const hm_err *err) {
  import_run *r = ctx;
  hm_arena *a = r->cli->a;
  if (r->n_odd == TOLD_MAX)
    return;
  if (!r->odd)
    r->odd = hm_alloc_array(a, TOLD_MAX, sizeof *r->odd);
  r->odd[r->n_odd++] = hm_str_fmt(a, "%s: %s; it is stored all the same", err->what, err->why);
}

static void collect_secret(void *ctx, const hm_live_secret *s) {
  import_run *r = ctx;
  hm_arena *a = r->cli->a;
  if (r->n_secrets == TOLD_MAX)
    return;
  if (!r->secrets)
    r->secrets = hm_alloc_array(a, TOLD_MAX, sizeof *r->secrets);
  r->secrets[r->n_secrets++] = hm_live_secret_words(s, a);
}

static void count_row(void *ctx, int64_t lines) {
  import_run *r = ctx;
  hm_progress_set_count(r->cli->progress, (size_t)(r->sum.lines + lines), 0);
}

/* What becomes of rows that the file does not name any more. */
static hm_import_gone what_of_gone(hm_cli *cli, const imported *f) {
  const hm_source_config *c = hm_config_source(&cli->mirror.config, f->source);
  if (is_stdin(f->name) && !hm_cli_get_option(cli, "source"))
    return HM_GONE_IGNORED;
  if (hm_cli_get_option(cli, "complete"))
    return HM_GONE_ENDS;
  if (c && !c->complete)
    return HM_GONE_IGNORED;
  return c ? HM_GONE_ENDS_BUT_MOST : HM_GONE_TOLD;
}

static int import_files(import_run *r, hm_store *store, hm_import_options *opt,
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
    imported *f = &r->files[done];
    opt->name = f->name;
    opt->source = f->source;
    opt->gone = what_of_gone(cli, f);
    FILE *in = is_stdin(f->name) ? stdin : fopen(f->name, "re");
    rc = in ? hm_import(store, in, opt, &f->counts, &cli->err)
            : hm_fail(&cli->err, HM_E_INPUT, f->name, strerror(errno), hm_errno_suggest_fix(errno));
    if (in && in != stdin)
      fclose(in);
    for (size_t k = 0; k < N_COUNTED; k++)
      *counter_at(&r->sum, k) += *counter_at(&f->counts, k);
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

/* --- JSON ----------------------------------------------------------------------------- */

static void write_counts_json(hm_jw *w, const hm_import_counts *c) {
  for (size_t i = 0; i < N_COUNTED; i++)
    hm_jw_int(w, counted[i].name, *counter_at(c, i));
}

static void write_changes_json(hm_jw *w, const import_run *r) {
  hm_jw_arr(w, "changes");
  for (const row_change *c = r->changes; c < r->changes + r->n_changes; c++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", c->ref);
    hm_jw_str(w, "change", c->added ? HM_STR("added") : HM_STR("updated"));
    hm_jw_strs(w, "keys", c->keys, c->n_keys);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static int print_import_json(hm_cli *cli, const import_run *r) {
  static const char *const why[] = { [HM_KEPT_BY_VERDICT] = "verdict",
                                     [HM_KEPT_OTHER_SOURCE] = "disagreement",
                                     [HM_KEPT_REDACTED] = "redaction",
                                     [HM_KEPT_TAKEN_OUT] = "verdict" };
  const hm_settled *s = &r->settled;
  hm_jw *w = hm_cli_json_begin(cli);
  hm_jw_str(w, "store", hm_str_c(cli->mirror.store));
  hm_jw_bool(w, "dry_run", r->dry);
  write_counts_json(w, &r->sum);
  hm_jw_arr(w, "files");
  for (size_t i = 0; i < r->n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "file", hm_str_c(r->files[i].name));
    hm_jw_str(w, "source", r->files[i].source);
    write_counts_json(w, &r->files[i].counts);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  if (r->dry)
    write_changes_json(w, r);
  hm_jw_arr(w, "stays");
  for (const hm_import_kept_field *t = r->told; t < r->told + r->n_told; t++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", t->ref);
    hm_jw_str(w, "field", t->field);
    hm_jw_str(w, "why", hm_str_c(why[t->what]));
    hm_jw_strs(w, "sources", (const hm_str[]){ t->source, t->other },
               1 + (t->what == HM_KEPT_OTHER_SOURCE));
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_obj(w, "verdicts");
  hm_jw_int(w, "carried_out", s->counts[HM_SETTLED]);
  hm_jw_int(w, "known", s->counts[HM_SETTLED_BEFORE]);
  hm_jw_int(w, "waiting", s->counts[HM_SETTLE_WAITS]);
  hm_jw_int(w, "replaced", s->counts[HM_SETTLE_REPLACED]);
  hm_jw_arr(w, "stays_open");
  for (const hm_settled_verdict *v = s->v; v < s->v + s->n; v++) {
    if (v->what != HM_SETTLE_UNFIT && v->what != HM_SETTLE_CONTESTED)
      continue;
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "conflict", v->conflict);
    hm_jw_str(w, "verdict", v->verdict);
    hm_jw_str(w, "why", v->why);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_end(w);
  hm_jw_arr(w, "warnings");
  for (size_t i = 0; i < r->n_names; i++)
    hm_jw_str(w, NULL, hm_new_name_words(&r->names[i], cli->a));
  for (size_t i = 0; i < r->n_odd; i++)
    hm_jw_str(w, NULL, r->odd[i]);
  for (size_t i = 0; i < r->n_secrets; i++)
    hm_jw_str(w, NULL, r->secrets[i]);
  hm_jw_end(w);
  return hm_cli_json_end(cli);
}

/* --- text ----------------------------------------------------------------------------- */

/* Prints what a dry run would change: the first rows, or under -v all that are kept. */
static void print_changes(hm_cli *cli, const import_run *r) {
  size_t most = cli->verbose ? TOLD_MAX : NAMES_SHOWN;
  int64_t all = r->sum.added + r->sum.updated;
  int64_t settled = r->settled.counts[HM_SETTLED];
  if (!r->dry || cli->quiet || !(r->n_changes || settled))
    return;
  puts("Would change:");
  if (settled)
    printf("  carry out %s\n", hm_format_count(cli->a, settled, "verdict"));
  for (size_t i = 0; i < r->n_changes && i < most; i++) {
    const row_change *c = &r->changes[i];
    printf("  %s %s", c->added ? "add" : "update", hm_terminal_line(cli->a, c->ref, 120));
    for (size_t k = 0; k < c->n_keys && !c->added; k++)
      printf("%s %.*s", k ? "," : ":", HM_FMT(c->keys[k]));
    putchar('\n');
  }
  if (all > (int64_t)most)
    printf("  and %s more\n", hm_format_thousands(cli->a, all - (int64_t)most));
}

/* The source is named where the file's name does not say it. */
static void print_counts(hm_cli *cli, const char *name, hm_str source, const hm_import_counts *c) {
  printf("%s", name);
  if (source.n && !hm_str_is(source, name))
    printf(" (source %s)", hm_terminal_line(cli->a, source, 80));
  printf(": %s added, %s updated, %s unchanged", hm_format_thousands(cli->a, c->added),
         hm_format_thousands(cli->a, c->updated), hm_format_thousands(cli->a, c->unchanged));
  if (c->bad)
    printf(", %s", hm_format_count(cli->a, c->bad, "bad line"));
  if (!c->lines)
    printf(" (it is empty)");
  putchar('\n');
}

/* Fields that stay as they are, one by one, then what helps. What verdicts set has one line for
 * all. */
static void note_told(hm_cli *cli, const import_run *r) {
  const hm_import_counts *n = &r->sum;
  int64_t shown = 0;
  const hm_import_kept_field *end = r->told + r->n_told;
  for (const hm_import_kept_field *t = r->told; t < end && shown < NAMES_SHOWN; t++) {
    if (t->what != HM_KEPT_OTHER_SOURCE && t->what != HM_KEPT_REDACTED)
      continue;
    const char *ref = hm_terminal_line(cli->a, t->ref, 120),
               *field = hm_terminal_line(cli->a, t->field, 80),
               *source = hm_terminal_line(cli->a, t->source, 80);
    shown++;
    if (t->what == HM_KEPT_REDACTED)
      hm_cli_warn(cli, "%s: %s: it was redacted and stays so; %s still says something here", ref,
                  field, source);
    else
      hm_cli_warn(cli, "%s: %s: %s and %s disagree; both stand, in conflict", ref, field, source,
                  hm_terminal_line(cli->a, t->other, 80));
  }
  if (n->disagreed + n->redacted > shown)
    hm_cli_warn(cli, "and %s more fields stay: see --format json",
                hm_format_thousands(cli->a, n->disagreed + n->redacted - shown));
  if (n->disagreed)
    hm_note(cli,
            "settle it with `hmirror conflicts resolve --winner ROW --from SOURCE`, or make the "
            "sources agree; a newer version of a source is imported with --source and that "
            "source's name");
  if (n->redacted)
    hm_note(cli,
            "take what was redacted out of the source; --override-verdicts takes what it says "
            "instead");
  if (n->kept)
    hm_cli_warn(cli,
                "%s the status that a verdict gave %s; --override-verdicts lets the import win",
                hm_format_count_plural(cli->a, n->kept, "row keeps", "rows keep"),
                n->kept == 1 ? "it" : "them");
  if (n->taken_out)
    hm_cli_warn(cli,
                "%s out of %s, since a verdict took %s out; --override-verdicts lets the import "
                "win",
                hm_format_count_plural(cli->a, n->taken_out, "field stays", "fields stay"),
                n->taken_out == 1 ? "its row" : "their rows", n->taken_out == 1 ? "it" : "them");
}

/* The command that ends what the file says no more. */
static const char *complete_command(hm_cli *cli, const imported *f) {
  static const char *const kept[] = { "csv", "encoding", "source" };
  hm_str line = HM_STR("hmirror import --complete");
  for (size_t i = 0; i < HM_COUNT(kept); i++) {
    const char *value = hm_cli_get_option(cli, kept[i]);
    if (value)
      line = HM_CAT(cli->a, line, HM_STR(" --"), hm_str_c(kept[i]), HM_STR(" "),
                    hm_shell_quote_word(cli->a, hm_str_c(value), false));
  }
  return HM_CAT(cli->a, line, HM_STR(" "), hm_shell_quote_word(cli->a, hm_str_c(f->name), false)).p;
}

/* What a source no longer names. */
static void note_gone(hm_cli *cli, const import_run *r) {
  for (size_t i = 0; i < r->n; i++) {
    const imported *f = &r->files[i];
    const hm_source_config *c = hm_config_source(&cli->mirror.config, f->source);
    const char *then = "import it with --complete to end what it said of them";
    if (!f->counts.gone)
      continue;
    if (f->counts.ended)
      then = "what it said of them has ended";
    else if (c && c->complete)
      then = hm_str_fmt(cli->a, "that is more than half of it, so nothing has ended: `%s` ends it",
                        complete_command(cli, f))
                 .p;
    hm_cli_warn(cli, "%s no longer in %s; %s",
                hm_format_count_plural(cli->a, f->counts.gone, "row is", "rows are"),
                hm_terminal_line(cli->a, f->source, 80), then);
  }
}

static int report_import(hm_cli *cli, const import_run *r) {
  int rc = r->sum.bad ? HM_EXIT_FOUND : HM_EXIT_FINE;
  if (cli->json)
    return print_import_json(cli, r) ? -1 : rc;
  print_changes(cli, r);
  for (size_t i = 0; i < r->n && !cli->quiet; i++)
    print_counts(cli, r->files[i].name, r->files[i].source, &r->files[i].counts);
  if (r->n > 1 && !cli->quiet)
    print_counts(cli, "together", HM_EMPTY, &r->sum);
  if (r->dry && !cli->quiet)
    puts("A dry run: nothing was stored.");
  note_told(cli, r);
  note_gone(cli, r);
  if (!r->dry)
    hm_warn_imported_verdicts(&cli->mirror, &r->settled, false);
  for (size_t i = 0; i < r->n_names && i < NAMES_SHOWN; i++)
    hm_note(cli, "%s", hm_terminal_line(cli->a, hm_new_name_words(&r->names[i], cli->a), 0));
  if (r->n_names > NAMES_SHOWN)
    hm_note(cli, "and %s more new names: see --format json",
            hm_format_thousands(cli->a, r->n_names - NAMES_SHOWN));
  for (size_t i = 0; i < r->n_odd && i < NAMES_SHOWN; i++)
    hm_cli_warn(cli, "%s", hm_terminal_line(cli->a, r->odd[i], 0));
  if (r->sum.odd > NAMES_SHOWN)
    hm_cli_warn(cli, "and %s more odd records: see --format json",
                hm_format_thousands(cli->a, r->sum.odd - NAMES_SHOWN));
  for (size_t i = 0; i < r->n_secrets && i < NAMES_SHOWN; i++)
    hm_cli_warn(cli, "%s", hm_terminal_line(cli->a, r->secrets[i], 0));
  if (r->sum.secrets > NAMES_SHOWN)
    hm_cli_warn(cli, "and %s more live secrets: see --format json",
                hm_format_thousands(cli->a, r->sum.secrets - NAMES_SHOWN));
  return rc;
}

/* --- the verb ------------------------------------------------------------------------- */

/* Before the first file is read: two that may be meant are an error, and nothing is stored. */
static int find_sources(import_run *r, hm_store *store) {
  bool given = hm_cli_get_option(r->cli, "source");
  for (size_t i = 0; i < r->n; i++)
    if ((given || !is_stdin(r->files[i].name)) &&
        hm_import_find_source(store, r->files[i].source, !given, r->cli->a, &r->files[i].source,
                              &r->cli->err))
      return -1;
  return 0;
}

/* Files and the verdicts that waited; all in one transaction that is rolled back in a dry run. */
static int import_all(import_run *r, hm_store *store, hm_import_options *opt,
                      hm_import_names *names) {
  hm_cli *cli = r->cli;
  hm_review review = { .rules = &cli->mirror.config.rules, .who = opt->who };
  if (hm_store_may_change(store, &cli->err) || (r->dry && hm_store_begin(store, true, &cli->err)))
    return -1;
  hm_progress_phase(cli, "importing, rows so far");
  int rc = find_sources(r, store) || import_files(r, store, opt, names) ||
          hm_review_settle_waiting(store, &review, cli->a, &r->settled, &cli->err)
      ? -1
      : 0;
  hm_progress_end_phase(cli);
  if (r->dry)
    hm_store_rollback(store);
  return rc || r->dry ? rc : hm_world_record_save(&r->world, &cli->err);
}

static int run_import(hm_cli *cli) {
  import_run r = { .cli = cli,
                   .world.cli = cli,
                   .n = cli->args.n_words,
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
  r.files = hm_alloc_array(cli->a, r.n, sizeof *r.files);
  int rc = read_encoding(cli, &opt.encoding) || read_layer(cli, &opt.csv) || check_files(cli, &r) ||
          hm_mirror_actor(&cli->mirror, &opt.who, &cli->err) ||
          hm_mirror_open(&cli->mirror, r.dry ? HM_STORE_TRY : HM_STORE_CREATE, &store, &cli->err) ||
          import_all(&r, store, &opt, names)
      ? -1
      : 0;
  hm_store_close(store);
  hm_import_names_free(names);
  return rc ? -1 : report_import(cli, &r);
}

static const hm_option import_options[] = {
  { "csv", 0, "memory|entity|project_state|relation|project",
    "CSV with a header, rows of this layer" },
  { "source", 0, "NAME", "who says this, so that a renamed or dated file stays one source" },
  { "encoding", 0, "NAME", "of the files: utf-8 (default), latin1 or windows-1252" },
  { "override-verdicts", 0, NULL, "let records change what a verdict or a redaction set" },
  { "complete", 0, NULL, "end what the source said of rows that it no longer has" },
  { "keep-going", 0, NULL, "store the good lines and list the bad ones" },
  { "dry-run", 0, NULL, "only say what would change" },
  { 0 }
};

const hm_command hm_cmd_import = {
  .name = "import",
  .words = "FILE...",
  .brief = "store facts from JSON Lines or CSV",
  .about =
      "Stores the records of each FILE, one JSON object a line; '-' is standard input.\n"
      "A file is stored whole or, at its first bad line, not at all. A record changes the fields "
      "that\n"
      "its source (the file's path as given, stdin, or --source NAME) changed since its\n"
      "last import. A warning names each field that a verdict or another source keeps.\n",
  .options = import_options,
  .exits = "0  every line was stored\n1  with --keep-going: some lines were bad\n"
           "2  trouble, with a message\n",
  .examples = "hmirror import facts.jsonl\nhmirror import --dry-run facts.jsonl\n"
              "hmirror import --csv project_state sheet.csv\nproduce-facts | hmirror import -\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_import
};
