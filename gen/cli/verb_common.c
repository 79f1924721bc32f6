/* See verb_common.h. */
#include "gen/mirror/cache.h"
#include "gen/cli/verb_common.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "core/base/ascii.h"
#include "core/base/json.h"
#include "core/base/near_names.h"
#include "core/base/par.h"
#include "core/base/time.h"
#include "core/store/lookup.h"
#include "gen/cli/cli.h"
#include "gen/mirror/config.h"
#include "gen/mirror/files.h"

/* --- the mirror of this run --------------------------------------------------------- */

static void on_warning(void *ctx, const char *line) { hm_cli_warn(ctx, "%s", line); }
static void on_note(void *ctx, const char *line) { hm_note(ctx, "%s", line); }
static void on_detail(void *ctx, const char *line) { hm_note_verbose(ctx, "%s", line); }
static void on_phase(void *ctx, const char *text) { hm_progress_phase(ctx, text); }
static void on_count(void *ctx, size_t done, size_t all) {
  hm_progress_set_count(((hm_cli *)ctx)->progress, done, all);
}

static int read_epoch(hm_cli *cli) {
  static const int64_t year_9999 = 253402300799;
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  size_t n = epoch ? strlen(epoch) : 0;
  cli->mirror.epoch = -1;
  if (!n)
    return 0;
  if (n <= 12 && strspn(epoch, "0123456789") == n)
    cli->mirror.epoch = strtoll(epoch, NULL, 10);
  if (cli->mirror.epoch >= 0 && cli->mirror.epoch <= year_9999)
    return 0;
  return hm_failf(&cli->err, HM_E_USAGE, "SOURCE_DATE_EPOCH",
                  "give seconds since 1970 in digits, or unset it", "'%.40s' is no time", epoch);
}

int hm_cli_apply_trust(hm_cli *cli) {
  hm_mirror *m = &cli->mirror;
  const hm_trust before = m->trust;
  if (hm_trust_list(&m->config, cli->a, &m->trust, &cli->err))
    return -1;
  hm_trust_look_up(&m->trust, hm_cli_get_option(cli, "trust"), &before, cli->a);
  hm_trust_withhold(&m->trust);
  return 0;
}

void hm_cli_tell_trust(hm_cli *cli) {
  const char *line = hm_trust_endpoints_line(&cli->mirror.trust, cli->a);
  if (line && !cli->trust_told)
    hm_cli_warn(cli, "%s", line);
  cli->trust_told = true;
}

/* One that cannot be read keeps nobody from what needs none; it is told, and the defaults hold. */
static int load_config(hm_cli *cli, const char *path) {
  hm_config *c = &cli->mirror.config;
  if (hm_config_load(cli->a, path, c, &cli->err) == 0)
    return 0;
  if (path || !cli->command->words_need_no_config || !cli->args.n_words)
    return -1;
  hm_print_error(cli, &cli->err);
  hm_cli_warn(cli, "so mirror.yml is not used");
  cli->err = (hm_err){ 0 };
  int rc = hm_config_parse(cli->a, HM_EMPTY, "defaults", "", c, &cli->err);
  c->file = NULL;
  return rc;
}

int hm_cli_read_config(hm_cli *cli) {
  return hm_cli_read_config_file(cli, hm_cli_get_option(cli, "config"));
}

int hm_cli_read_config_file(hm_cli *cli, const char *path) {
  hm_mirror *m = &cli->mirror;
  const char *store = hm_cli_get_option(cli, "store");
  m->a = cli->a;
  m->say = (hm_reporter){ cli, on_warning, on_note, on_detail, on_phase, on_count };
  m->by = hm_cli_get_option(cli, "by");
  m->same_store = hm_cli_get_option(cli, "same-store");
  m->checks_values = cli->command->tells_excludes;
  if (load_config(cli, path) || hm_cli_apply_trust(cli))
    return -1;
  m->config.rules.program = hm_str_c(hm_build_id);
  if (store && !*store)
    return hm_fail_usage(cli, "--store", "an empty path", "name a file");
  m->store = store ? store : m->config.store;
  if (!hm_cli_get_option(cli, "threads"))
    m->threads = m->config.threads;
  if (!m->threads)
    m->threads = hm_par_cores();
  return read_epoch(cli);
}

/* --- values of options ------------------------------------------------------------------------ */

int hm_cli_read_choice(hm_cli *cli, const char *option, const char *const *allowed, int def) {
  const char *v = hm_cli_get_option(cli, option);
  if (!v)
    return def;
  for (int i = 0; allowed[i]; i++)
    if (strcmp(v, allowed[i]) == 0)
      return i;
  hm_buf all = { 0 };
  for (int i = 0; allowed[i]; i++)
    hm_buf_fmt(&all, "%s%s", i ? ", " : "give one of ", allowed[i]);
  hm_failf(&cli->err, HM_E_USAGE, hm_str_fmt(cli->a, "--%s", option).p, hm_buf_copy(&all, cli->a).p,
           "'%.60s'", v);
  hm_buf_free(&all);
  return -1;
}

typedef struct {
  const char *table;
  size_t n, size;
} action_table;

static const char *nth_action(void *ctx, size_t i) {
  const action_table *t = ctx;
  return i < t->n ? *(const char *const *)(const void *)(t->table + i * t->size) : NULL;
}

int hm_cli_find_action(hm_cli *cli, const char *word, const void *actions, size_t n, size_t size) {
  action_table t = { actions, n, size };
  for (size_t i = 0; i < n; i++)
    if (strcmp(word, nth_action(&t, i)) == 0)
      return (int)i;
  const char *near = hm_find_nearest_word(word, nth_action, &t);
  hm_buf fix = { 0 };
  if (near)
    hm_buf_fmt(&fix, "did you mean '%s'?", near);
  for (size_t i = 0; !near && i < n; i++)
    hm_buf_fmt(&fix, "%s%s", !i ? "say " : i + 1 < n ? ", " : " or ", nth_action(&t, i));
  return hm_failf(&cli->err, HM_E_USAGE, cli->command->name, hm_buf_take(&fix, cli->a).p,
                  "unknown: '%.60s'", word);
}

/* An option that does nothing would hide a mistake. */
int hm_cli_check_word_options(hm_cli *cli, const char *verb, const char *word, const char *takes) {
  for (const hm_option *o = cli->command->options; o->name; o++) {
    if (!hm_cli_get_option(cli, o->name))
      continue;
    if (strstr(takes, hm_str_fmt(cli->a, " %s ", o->name).p))
      continue;
    return hm_failf(&cli->err, HM_E_USAGE, hm_str_fmt(cli->a, "--%s", o->name).p,
                    hm_str_fmt(cli->a, "see 'hmirror %s --help'", verb).p,
                    "'%s %s' does not take it", verb, word);
  }
  return 0;
}

int hm_cli_read_number(hm_cli *cli, const char *name, uint64_t most, uint64_t *out, bool *given) {
  const char *z = hm_cli_get_option(cli, name);
  char *end = NULL;
  *given = z != NULL;
  if (!z)
    return 0;
  errno = 0;
  *out = strtoull(z, &end, 10);
  if (hm_is_digit(*z) && !*end && !errno && *out <= most)
    return 0;
  return hm_failf(&cli->err, HM_E_USAGE, hm_str_fmt(cli->a, "--%s", name).p,
                  hm_str_fmt(cli->a, "give a number from 0 to %llu", (unsigned long long)most).p,
                  "'%.60s'", z);
}

int hm_cli_read_project(hm_cli *cli, const hm_snapshot *snap, uint32_t *out) {
  const char *name = hm_cli_get_option(cli, "project");
  hm_project_fit fit;
  *out = name ? hm_snapshot_project(snap, hm_str_c(name), cli->a, &fit) : HM_MAP_NONE;
  if (!name || *out != HM_MAP_NONE)
    return 0;
  hm_project_fail_unknown(hm_str_c(name), &fit, &cli->err);
  cli->err.code = HM_E_USAGE;
  return -1;
}

int hm_cli_read_count(hm_cli *cli, const char *name, long most, long *out) {
  const char *text = hm_cli_get_option(cli, name);
  char *end;
  long n = text ? strtol(text, &end, 10) : *out;
  if (text && (end == text || *end || n < 1 || n > most))
    return hm_fail_usage(cli, hm_cli_option_as_typed(cli, name),
                         hm_str_fmt(cli->a, "not a number from 1 to %ld", most).p, NULL);
  *out = n;
  return 0;
}

/* --- the store ----------------------------------------------------------------------- */

static int store_version(hm_cli *cli, int *version) {
  hm_store *store = NULL;
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &store, &cli->err))
    return -1;
  *version = hm_store_version(store);
  hm_store_close(store);
  return 0;
}

int hm_cli_open_writer(hm_cli *cli, bool dry_run, hm_store **out) {
  int version = HM_STORE_VERSION;
  if (dry_run && store_version(cli, &version))
    return -1;
  if (version < HM_STORE_VERSION)
    return hm_failf(&cli->err, HM_E_STORE, hm_str_fmt(cli->a, "store %s", cli->mirror.store).p,
                    "any command that writes brings it forward: hmirror sweep",
                    "it is of version %d, and a dry run leaves it so", version);
  return hm_mirror_open(&cli->mirror, HM_STORE_WRITE, out, &cli->err);
}

void hm_cli_tell_warnings(hm_cli *cli, const hm_str *warnings, size_t n, size_t n_secrets) {
  for (size_t i = 0; i < n; i++)
    (i < n_secrets ? hm_cli_warn : hm_note)(cli, "%s", hm_terminal_line(cli->a, warnings[i], 0));
}

int hm_cli_begin_review(hm_cli *cli, const char *why, hm_review *r, hm_store **out) {
  r->rules = &cli->mirror.config.rules;
  r->dry_run = hm_cli_get_option(cli, "dry-run");
  if (hm_mirror_actor(&cli->mirror, &r->who, &cli->err))
    return -1;
  if (why)
    r->who.why = hm_str_trim(hm_str_c(hm_cli_get_option(cli, why)));
  return hm_cli_open_writer(cli, r->dry_run, out);
}

static int open_answers(hm_cli *cli, bool recorded, hm_cli_answers *out) {
  const hm_rules *rules = &cli->mirror.config.rules;
  hm_swept holds = HM_SWEPT_NOT;
  *out = (hm_cli_answers){ 0 };
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &out->store, &cli->err))
    return -1;
  int rc = hm_store_begin(out->store, false, &cli->err);
  if (!rc && recorded)
    rc = hm_swept_read(out->store, hm_sweep_decided(rules, cli->a), &holds, &cli->err);
  out->from = (hm_answer_source){ .s = out->store, .rules = rules };
  if (!rc && holds != HM_SWEPT_WHOLE) {
    rc = hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ .details = true }, &out->sweep,
                         &cli->err);
    out->from.sweep = &out->sweep;
    if (!rc)
      hm_mirror_say_work(&cli->mirror, "");
  }
  hm_progress_end_phase(cli);
  if (rc)
    hm_cli_close_answers(out);
  return rc;
}

int hm_cli_open_answers(hm_cli *cli, hm_cli_answers *out) { return open_answers(cli, true, out); }
int hm_cli_open_sweep(hm_cli *cli, hm_cli_answers *out) { return open_answers(cli, false, out); }

int hm_cli_read_snapshot(hm_cli *cli, const hm_cli_answers *x, hm_snapshot **out) {
  *out = x->sweep.snap;
  return *out ? 0 : hm_store_snapshot(x->store, cli->a, true, out, &cli->err);
}

void hm_cli_close_answers(hm_cli_answers *x) {
  if (x->sweep.snap)
    hm_sweep_free(&x->sweep);
  if (x->store)
    hm_store_rollback(x->store);
  hm_store_close(x->store);
  x->store = NULL;
}

static const char see_list[] = "see 'hmirror conflicts list --status all'";

static int fail_conflict(hm_cli *cli, const char *id, size_t n) {
  const char *what = hm_str_fmt(cli->a, "conflict '%.60s'", id).p;
  if (n > 1)
    return hm_failf(&cli->err, HM_E_USAGE, what, "give more of its id", "%zu conflicts begin so",
                    n);
  return hm_fail_usage(cli, what, "there is none", see_list);
}

int hm_cli_find_answer(hm_cli *cli, const hm_answer_source *from, const char *id,
                       hm_conflict_answer *out) {
  enum { MOST = 1000 };
  hm_conflict_answer *v = NULL;
  size_t n = 0;
  if (*id && hm_answers_find(from, hm_str_c(id), MOST, cli->a, &v, &n, &cli->err))
    return -1;
  for (size_t i = 0; i < n; i++)
    if (n == 1 || hm_str_is(v[i].id, id)) {
      *out = v[i];
      return 0;
    }
  return fail_conflict(cli, id, n);
}

const hm_conflict_rec *hm_cli_find_conflict(hm_cli *cli, const hm_sweep *sweep, const char *id) {
  const hm_snapshot *snap = sweep->snap;
  const hm_conflict_rec *found = NULL;
  size_t n = 0;
  for (size_t i = 0; i < snap->n_conflicts; i++) {
    const hm_conflict_rec *c = &snap->conflicts[i];
    if (hm_str_is(c->id, id))
      return c;
    if (!*id || !hm_str_starts(c->id, id))
      continue;
    found = c;
    n++;
  }
  if (n == 1)
    return found;
  fail_conflict(cli, id, n);
  return NULL;
}

int hm_cli_read_page_forms(hm_cli *cli) {
  bool markdown = hm_cli_get_option(cli, "markdown-only"),
       html = hm_cli_get_option(cli, "html-only");
  if (markdown && html)
    return hm_fail_usage(cli, "--markdown-only", "given together with --html-only",
                         "give one of them, or none for both");
  if (markdown || html) {
    cli->mirror.config.markdown = markdown;
    cli->mirror.config.html = html;
  }
  return 0;
}

void hm_cli_site_json(hm_jw *w, const hm_made *made) {
  const hm_made_counts *c = &made->counts;
  hm_jw_int(w, "pages", c->pages);
  hm_jw_int(w, "files", c->files);
  hm_jw_str(w, "digest", made->digest);
  hm_jw_int(w, "open_conflicts_count", c->open_conflicts);
  hm_jw_int(w, "disputed_count", c->disputed);
  hm_compared_json(w, &c->compared);
  hm_jw_int(w, "findings", c->findings);
}

/* --- a run of its own --------------------------------------------------------------- */

hm_cli *hm_rerun_new(const hm_cli *first, hm_arena *a) {
  hm_cli *cli = hm_xmalloc(sizeof *cli);
  *cli = *first;
  cli->a = a;
  cli->err = (hm_err){ 0 };
  cli->json_bytes = (hm_buf){ 0 };
  return cli;
}

void hm_rerun_free(hm_cli *cli) {
  hm_buf_free(&cli->json_bytes);
  free(cli);
}

int hm_rerun_read_config(hm_cli *cli, const hm_cli *first, hm_watcher *in) {
  const hm_config *c = &cli->mirror.config;
  const char *config = hm_cli_get_option(cli, "config"), *trusted = hm_trust_file(cli->a);
  hm_watcher_add_path(in, config ? config : "mirror.yml");
  if (trusted)
    hm_watcher_add_path(in, trusted);
  hm_watcher_add_path(in, hm_config_world_file(cli->a, config));
  hm_watcher_add_path(in, hm_config_rules_folder(cli->a, config));
  if (hm_cli_read_config(cli))
    return -1;
  if (strcmp(cli->mirror.store, first->mirror.store) != 0)
    return hm_failf(
        &cli->err, HM_E_USAGE, hm_str_fmt(cli->a, "%s: store", hm_config_file_name(c)).p,
        hm_str_fmt(cli->a, "start `hmirror %s` again, or name that store again",
                   first->command->name)
            .p,
        "it names another store than the one that is looked at, %s", first->mirror.store);
  hm_watcher_add_path(in, c->templates);
  hm_watcher_add_path(in, c->theme);
  hm_watcher_add_path(in, c->statics);
  size_t n;
  const char **house = hm_house_files(c, cli->a, &n);
  for (size_t i = 0; i < n; i++)
    hm_watcher_add_path(in, house[i]);
  return 0;
}

/* --- the branch of the mirror ----------------------------------------------------------------- */

int hm_cli_check_repository(hm_cli *cli, const char *named) {
  const hm_mirror *m = &cli->mirror;
  return named ? hm_trust_check_repository(&m->trust, &m->config, named, &cli->err)
               : hm_trust_check(&m->trust, m->config.repo, &cli->err);
}

int hm_branch_open(hm_cli *cli, const char *rev, hm_branch *out) {
  const char *repo = hm_cli_get_option(cli, "repo"), *branch = hm_cli_get_option(cli, "branch");
  *out = (hm_branch){ .repo = repo ? repo : cli->mirror.config.repo,
                      .branch = branch ? branch : cli->mirror.config.branch };
  if (!*out->repo)
    return hm_fail_usage(cli, "--repo", "an empty path", "name a folder");
  if (branch && hm_check_branch(branch, "--branch", &cli->err))
    return -1;
  if (hm_cli_check_repository(cli, repo))
    return -1;
  if (hm_git_reader_open(out->repo, &out->git, &cli->err))
    return -1;
  if (rev)
    return hm_git_resolve(out->git, rev, out->commit, &cli->err);
  if (hm_git_branch_tip(out->git, out->branch, out->commit, &cli->err) == 0)
    return 0;
  if (cli->err.code == HM_E_UNKNOWN)
    hm_fail(&cli->err, HM_E_UNKNOWN, cli->err.what, cli->err.why,
            "publish once, or fetch the branch: git fetch origin BRANCH:BRANCH; --repo and "
            "--branch name others");
  return -1;
}

void hm_branch_close(hm_branch *b) {
  hm_git_reader_close(b->git);
  b->git = NULL;
}

/* Empty for a year that no calendar has. */
static hm_str commit_time(hm_cli *cli, const hm_git_commit *c) {
  enum { MICROSECONDS = 1000000 };
  return c->when > HM_TIME_MAX / MICROSECONDS || c->when < HM_TIME_MIN / MICROSECONDS
      ? HM_EMPTY
      : hm_time_iso(cli->a, c->when * MICROSECONDS);
}

const char *hm_commit_day(hm_cli *cli, const hm_git_commit *c) {
  if (c->ours && !c->when)
    return "undated"; /* no fact of it has a time */
  return hm_str_z(cli->a, hm_str_sub(commit_time(cli, c), 0, 10));
}

void hm_commit_json(hm_cli *cli, hm_jw *w, const hm_git_commit *c) {
  hm_jw_str(w, "commit", hm_str_c(c->id));
  hm_jw_str(w, "date", commit_time(cli, c));
  if (!c->ours)
    hm_jw_str(w, "author", c->author);
}

/* --- world.yml in an export and an import ----------------------------------------------------- */

/* world.yml in an export and an import. A file that is there wins: it is the mirror's own, and two
 * of them cannot be merged without a person. */

static const char *world_path(hm_cli *cli) {
  return hm_config_world_file(cli->a, cli->mirror.config.file);
}

/* Empty: there is none. */
static int read_own(hm_cli *cli, hm_str *text, hm_err *err) {
  const char *path = world_path(cli);
  struct stat st;
  *text = HM_EMPTY;
  if (stat(path, &st) && errno == ENOENT)
    return 0;
  return hm_file_read(cli->a, path, HM_WORLD_FILE_MAX, HM_E_USAGE, text, err);
}

int hm_world_record_write(hm_cli *cli, FILE *out) {
  hm_str text;
  hm_buf line = { 0 };
  hm_jw w;
  if (read_own(cli, &text, &cli->err))
    return -1;
  if (!text.n)
    return 0;
  hm_jw_init(&w, &line, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "kind", HM_STR("world"));
  hm_jw_str(&w, "text", text);
  hm_jw_end(&w);
  hm_buf_ch(&line, '\n');
  hm_str all = hm_json_escape_directions(cli->a, hm_buf_view(&line));
  bool good = !line.failed && fwrite(all.p, 1, all.n, out) == all.n;
  hm_buf_free(&line);
  return good
      ? 0
      : hm_fail(&cli->err, HM_E_OUTPUT, "the export", strerror(errno), hm_errno_suggest_fix(errno));
}

int hm_world_record_import(void *ctx, hm_store *s, hm_str text, bool *is_new, hm_err *err) {
  hm_world_record *w = ctx;
  hm_cli *cli = w->cli;
  hm_str own = w->text;
  hm_world_file file;
  size_t n_eras;
  if (!own.n && read_own(cli, &own, err))
    return -1;
  if (hm_str_eq(own, text))
    return 0;
  if (own.n) {
    hm_cli_warn(cli, "%s stays as it is: the import brings another one", world_path(cli));
    return 0;
  }
  if (text.n > HM_WORLD_FILE_MAX)
    return hm_failf(err, HM_E_INPUT, "world.yml", "take worlds or eras out of it",
                    "longer than %d bytes", HM_WORLD_FILE_MAX);
  text = hm_str_dup(cli->a, text);
  if (hm_world_file_parse(cli->a, text, "world.yml", &file, err)) {
    err->code = HM_E_INPUT;
    return -1;
  }
  const hm_str *eras = hm_worlds_list_era_names(file.worlds, &n_eras);
  hm_store_set_eras(s, eras, n_eras);
  cli->mirror.config.rules.worlds = file.worlds;
  cli->mirror.config.rules.relations = file.relations;
  w->text = text;
  *is_new = true;
  return 0;
}

int hm_world_record_save(const hm_world_record *w, hm_err *err) {
  return w->text.n ? hm_file_write(world_path(w->cli), w->text, err) : 0;
}
