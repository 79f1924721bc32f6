/* import: records of JSON Lines files, each file whole or not at all. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/base/map.h"
#include "core/base/text.h"
#include "core/review/newcomers.h"
#include "core/store/import.h"
#include "gen/cli/commands.h"

enum { NAMES_SHOWN = 10, TOLD_MAX = 1000 };

typedef struct { const char *name; hm_str source; hm_import_counts counts; } imported;

/* What is told at the end. told: the first TOLD_MAX. */
typedef struct {
  imported *files; size_t n;
  hm_import_counts sum;
  hm_new_name *names; size_t n_names;
  hm_import_told *told; size_t n_told;
  hm_settled settled;     /* verdicts that waited */
  hm_import_seen
      *seen; /* where files of one command have one name: a source cannot say two things at once */
  hm_arena *a;
} import_outcome;

static const hm_option import_options[] = {
  { "source", 0, "NAME", "who says this, so that a renamed or dated file stays one source" },
  { "encoding", 0, "NAME", "of the files: utf-8 (default), latin1 or windows-1252" },
  { "override-verdicts", 0, NULL, "let records change what a verdict or a redaction set" },
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
    if (is_stdin(name) && inputs++)
      return hm_usage(cli, "-", "standard input can be read once", NULL);
    if (is_stdin(name)) continue;
    if (stat(name, &st) || access(name, R_OK))
      return hm_fail(&cli->err, HM_E_INPUT, name, strerror(errno), hm_errno_fix(errno));
    if (S_ISDIR(st.st_mode))
      return hm_fail(&cli->err, HM_E_INPUT, name, "is a folder", "name the files in it");
  }
  return 0;
}

static void complain_of_line(void *ctx, const hm_err *err) { hm_complain(ctx, err); }

static void keep_told(void *ctx, const hm_import_told *t) {
  import_outcome *o = ctx;
  if (o->n_told == TOLD_MAX) return;
  if (!o->told) o->told = hm_alloc_array(o->a, TOLD_MAX, sizeof *o->told);
  o->told[o->n_told++] =
      (hm_import_told){ t->what, hm_str_dup(o->a, t->ref), hm_str_dup(o->a, t->field),
                        hm_str_dup(o->a, t->source), hm_str_dup(o->a, t->other) };
}

/* The folder is no part of a source's name: another checkout of the same files says the same. */
static int source_of(hm_cli *cli, const char *name, hm_str *out) {
  const char *given = hm_cli_option(cli, "source"), *slash = strrchr(name, '/');
  if (given && !hm_actor_name(hm_str_c(given)))
    return hm_usage(cli, "--source", "must have 1 to 200 bytes that can be seen",
                   NULL);
  if (given) *out = hm_str_c(given);
  else if (is_stdin(name)) *out = HM_STR("stdin");
  else *out = hm_text_repair(cli->a, hm_str_c(slash ? slash + 1 : name));
  return 0;
}

static int encoding_of(hm_cli *cli, hm_encoding *out) {
  const char *given = hm_cli_option(cli, "encoding");
  *out = HM_UTF_8;
  if (!given) return 0;
  for (int e = 0; e < HM_ENCODINGS; e++) {
    if (strcasecmp(given, hm_encoding_name((hm_encoding)e))) continue;
    *out = (hm_encoding)e;
    return 0;
  }
  return hm_failf(&cli->err, HM_E_USAGE, "--encoding",
                  "use utf-8, latin1 or windows-1252; iconv(1) converts from others",
                  "unknown: \"%.60s\"", given);
}

static int import_one(hm_cli *cli, hm_store *store, const hm_actor *who, hm_newcomers *names,
                      import_outcome *o, imported *out) {
  hm_import_options opt = { .name = out->name,
                            .source = out->source,
                            .seen = o->seen,
                            .keep_going = hm_cli_option(cli, "keep-going") != NULL,
                            .override_verdicts = hm_cli_option(cli, "override-verdicts") != NULL,
                            .who = *who,
                            .bad = complain_of_line,
                            .ctx = cli,
                            .told = keep_told,
                            .told_ctx = o,
                            .named = hm_newcomers_see,
                            .named_ctx = names };
  if (encoding_of(cli, &opt.encoding)) return -1;
  FILE *in = is_stdin(out->name) ? stdin : fopen(out->name, "re");
  if (!in) return hm_fail(&cli->err, HM_E_INPUT, out->name, strerror(errno), hm_errno_fix(errno));
  int rc = hm_import(store, in, &opt, &out->counts, &cli->err);
  if (in != stdin) fclose(in);
  return rc;
}

static void add_counts(hm_import_counts *sum, const hm_import_counts *c) {
  sum->added += c->added;
  sum->updated += c->updated;
  sum->unchanged += c->unchanged;
  sum->bad += c->bad;
  sum->kept += c->kept;
  sum->disagreed += c->disagreed;
  sum->taken_out += c->taken_out;
  sum->redacted += c->redacted;
}

static void put_counts(hm_jw *w, const hm_import_counts *c) {
  hm_jw_int(w, "added", c->added);
  hm_jw_int(w, "updated", c->updated);
  hm_jw_int(w, "unchanged", c->unchanged);
  hm_jw_int(w, "bad", c->bad);
  hm_jw_int(w, "kept", c->kept);
  hm_jw_int(w, "disagreed", c->disagreed);
  hm_jw_int(w, "taken_out", c->taken_out);
  hm_jw_int(w, "redacted", c->redacted);
}

/* What stays as it is. */
static void put_told(hm_jw *w, const import_outcome *o) {
  static const char *const why[] = { [HM_TOLD_KEEPS_STATUS] = "verdict",
                                     [HM_TOLD_DISAGREE] = "disagreement",
                                     [HM_TOLD_REDACTED] = "redaction",
                                     [HM_TOLD_TAKEN_OUT] = "verdict" };
  hm_jw_arr(w, "stays");
  for (const hm_import_told *t = o->told; t < o->told + o->n_told; t++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", t->ref);
    hm_jw_str(w, "field", t->field);
    hm_jw_str(w, "why", hm_str_c(why[t->what]));
    hm_jw_arr(w, "sources");
    hm_jw_str(w, NULL, t->source);
    if (t->what == HM_TOLD_DISAGREE) hm_jw_str(w, NULL, t->other);
    hm_jw_end(w);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static void put_names(hm_cli *cli, hm_jw *w, const import_outcome *o) {
  hm_jw_arr(w, "warnings");
  for (size_t i = 0; i < o->n_names; i++)
    hm_jw_str(w, NULL, hm_new_name_words(&o->names[i], cli->a));
  hm_jw_end(w);
}

/* "verdicts": the counts, and each that stays open with its why. */
static void settled_json(hm_jw *w, const hm_settled *s) {
  hm_jw_obj(w, "verdicts");
  hm_jw_int(w, "carried_out", s->counts[HM_SETTLED]);
  hm_jw_int(w, "known", s->counts[HM_SETTLED_BEFORE]);
  hm_jw_int(w, "waiting", s->counts[HM_SETTLE_WAITS]);
  hm_jw_int(w, "replaced", s->counts[HM_SETTLE_REPLACED]);
  hm_jw_arr(w, "stays_open");
  for (size_t i = 0; i < s->n; i++) {
    if (s->v[i].what != HM_SETTLE_UNFIT && s->v[i].what != HM_SETTLE_CONTESTED) continue;
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "conflict", s->v[i].conflict);
    hm_jw_str(w, "verdict", s->v[i].verdict);
    hm_jw_str(w, "why", s->v[i].why);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_end(w);
}

static int print_import_json(hm_cli *cli, const import_outcome *o) {
  hm_jw *w = hm_json_begin(cli);
  hm_jw_str(w, "store", hm_str_c(cli->mirror.store));
  put_counts(w, &o->sum);
  hm_jw_arr(w, "files");
  for (size_t i = 0; i < o->n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "file", hm_str_c(o->files[i].name));
    hm_jw_str(w, "source", o->files[i].source);
    put_counts(w, &o->files[i].counts);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  put_told(w, o);
  settled_json(w, &o->settled);
  put_names(cli, w, o);
  return hm_json_end(cli);
}

/* The name of a source is told where the file's does not say it. */
static void print_counts(hm_cli *cli, const char *name, hm_str source, const hm_import_counts *c) {
  const char *shown = source.n && !hm_str_is(source, name)
      ? hm_str_fmt(cli->a, " (source %s)", hm_show(cli->a, source, 80)).p
      : "";
  printf("%s%s: %s added, %s updated, %s unchanged", name, shown, hm_thousands(cli->a, c->added),
         hm_thousands(cli->a, c->updated), hm_thousands(cli->a, c->unchanged));
  if (c->bad) printf(", %s", hm_count_text(cli->a, c->bad, "bad line"));
  putchar('\n');
}

static void note_told_field(hm_cli *cli, const hm_import_told *t) {
  const char *ref = hm_show(cli->a, t->ref, 120), *field = hm_show(cli->a, t->field, 80),
             *source = hm_show(cli->a, t->source, 80);
  if (t->what == HM_TOLD_REDACTED)
    hm_note(cli, "%s: %s: it was redacted and stays so; %s still says something here", ref, field,
            source);
  else
    hm_note(cli, "%s: %s: %s and %s disagree; the row stays as it is", ref, field, source,
            hm_show(cli->a, t->other, 80));
}

/* What verdicts set is told in one line for all. */
static bool is_told_alone(hm_import_tells what) {
  return what == HM_TOLD_DISAGREE || what == HM_TOLD_REDACTED;
}

/* Each told field, then what helps. */
static void note_told_fields(hm_cli *cli, const import_outcome *o) {
  const hm_import_counts *n = &o->sum;
  size_t shown = 0;
  for (size_t i = 0; i < o->n_told && shown < NAMES_SHOWN; i++)
    if (is_told_alone(o->told[i].what)) note_told_field(cli, &o->told[i]), shown++;
  if (n->disagreed + n->redacted > (int64_t)shown)
    hm_note(cli, "and %s more fields stay: see --format json",
            hm_thousands(cli->a, n->disagreed + n->redacted - (int64_t)shown));
  if (n->disagreed)
    hm_note(
        cli,
        "make the sources agree; a newer version of a source is imported with --source and that "
        "source's name");
  if (n->redacted)
    hm_note(
        cli,
        "take what was redacted out of the source; --override-verdicts takes what it says instead");
  if (n->kept)
    hm_note(cli, "%s the status that a verdict gave %s; --override-verdicts lets the import win",
            hm_count_words(cli->a, n->kept, "row keeps", "rows keep"),
            n->kept == 1 ? "it" : "them");
  if (n->taken_out)
    hm_note(cli,
            "%s out of %s, since a verdict took %s out; --override-verdicts lets the import win",
            hm_count_words(cli->a, n->taken_out, "field stays", "fields stay"),
            n->taken_out == 1 ? "its row" : "their rows", n->taken_out == 1 ? "it" : "them");
}

static void note_names(hm_cli *cli, const import_outcome *o) {
  for (size_t i = 0; i < o->n_names && i < NAMES_SHOWN; i++)
    hm_note(cli, "%s", hm_show(cli->a, hm_new_name_words(&o->names[i], cli->a), 0));
  if (o->n_names > NAMES_SHOWN)
    hm_note(cli, "and %s more names that are new: see --format json",
            hm_thousands(cli->a, o->n_names - NAMES_SHOWN));
}

static int report_import(hm_cli *cli, import_outcome *o) {
  for (size_t i = 0; i < o->n; i++) add_counts(&o->sum, &o->files[i].counts);
  if (cli->json && print_import_json(cli, o)) return -1;
  for (size_t i = 0; i < o->n && !cli->json && !cli->quiet; i++)
    print_counts(cli, o->files[i].name, o->files[i].source, &o->files[i].counts);
  if (o->n > 1 && !cli->json && !cli->quiet) print_counts(cli, "together", HM_EMPTY, &o->sum);
  if (!cli->json) note_told_fields(cli, o);
  if (!cli->json) hm_settled_warn(&cli->mirror, &o->settled, false);
  if (!cli->json) note_names(cli, o);
  return o->sum.bad ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

/* After a failure: which files are stored all the same. */
static int fail_after(hm_cli *cli, size_t done) {
  if (done <= 1) return -1;
  const char *before = hm_str_fmt(cli->a, "%s imported before it",
                                  hm_count_words(cli->a, done - 1, "file was", "files were")).p;
  return hm_fail(&cli->err, cli->err.code, cli->err.what, cli->err.why,
                 *cli->err.fix ? hm_str_fmt(cli->a, "%s (%s)", cli->err.fix, before).p : before);
}

/* With --source the files are versions of one source, one after the other. */
static bool share_a_name(hm_cli *cli, const import_outcome *o) {
  hm_map names;
  hm_map_init(&names, cli->a, o->n);
  for (size_t i = 0; i < o->n; i++) hm_map_add(&names, o->files[i].source, 0);
  return !hm_cli_option(cli, "source") && names.n < o->n;
}

static int import_all(hm_cli *cli, hm_store *store, const hm_actor *who, hm_newcomers *names,
                      import_outcome *o) {
  size_t done = 0;
  int rc = 0;
  for (size_t i = 0; i < o->n && !rc; i++) {
    o->files[i].name = cli->args.words[i];
    rc = source_of(cli, o->files[i].name, &o->files[i].source);
  }
  if (!rc && share_a_name(cli, o)) o->seen = hm_import_seen_new();
  for (; done < o->n && !rc; done++) rc = import_one(cli, store, who, names, o, &o->files[done]);
  hm_import_seen_free(o->seen);
  return rc ? fail_after(cli, done)
            : hm_newcomers_end(names, store, cli->a, &o->names, &o->n_names, &cli->err);
}

static int run_import(hm_cli *cli) {
  import_outcome o = { .n = cli->args.n_words, .a = cli->a };
  hm_encoding encoding;
  hm_str source;
  hm_store *store = NULL;
  hm_actor who;
  if (source_of(cli, "-", &source) || encoding_of(cli, &encoding)) return -1;
  if (check_files(cli) || hm_mirror_actor(&cli->mirror, &who, &cli->err)) return -1;
  if (hm_mirror_open(&cli->mirror, HM_STORE_CREATE, &store, &cli->err)) return -1;
  o.files = hm_alloc_array(cli->a, o.n, sizeof *o.files);
  hm_phase(cli, "importing");
  hm_newcomers *names = hm_newcomers_new();
  int rc = import_all(cli, store, &who, names, &o);
  hm_review review = { .rules = &cli->mirror.config.rules, .who = who };
  if (!rc) rc = hm_review_settle_waiting(store, &review, cli->a, &o.settled, &cli->err);
  hm_newcomers_free(names);
  hm_store_close(store);
  hm_phase_end(cli);
  return rc ? -1 : report_import(cli, &o);
}

const hm_command hm_cmd_import = {
  .name = "import",
  .words = "FILE...",
  .brief = "store facts from JSON Lines",
  .about =
      "Stores the records of each FILE, one JSON object a line; '-' is standard input.\n"
      "A file is stored whole or, at its first bad line, not at all. A record changes the fields\n"
      "that its source (the file's name without its folder, stdin, or --source NAME) changed\n"
      "since it said them last. What stays, since a verdict or another source is against it, is "
      "told.\n",
  .options = import_options,
  .exits =
      "0  every line was stored\n1  with --keep-going: some lines were bad\n"
      "2  trouble, with a message\n",
  .examples = "hmirror import facts.jsonl\nproduce-facts | hmirror import -\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_import
};
