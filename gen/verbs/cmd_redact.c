/* redact: takes a leaked value out of the store, and says where else it is. The value itself is in
 * no output. */
#include <stdio.h>
#include <string.h>
#include "core/base/shell.h"
#include "core/base/text.h"
#include "gen/verbs/commands.h"
#include "gen/verbs/redact_search.h"
#include "gen/sink/git_read.h"

typedef struct {
  hm_cli *cli;
  const hm_redacted *done;
  bool dry_run;
  bool remains; /* the store's own file holds it, though no other row does */
  hm_str *backups;
  size_t n_backups;
  hm_str *files;
  size_t n_files; /* others beside the store: caches, copies, the review file */
  const char *repo, *branch;
  bool has_mirror; /* the repository and the branch are there, and were searched */
  char tip[41];
  hm_git_hits hits;
} redact_report;

enum { LISTED = 20, REF_SHOWN = 200 };

/* A reference may hold the value itself. */
static const char *show_ref(const redact_report *r, hm_str s) {
  return hm_terminal_line(r->cli->a, hm_redact_shown(r->done, s, r->cli->a), REF_SHOWN);
}

/* --- text ------------------------------------------------------------------- */

static void print_head(const redact_report *r, const char *text) {
  printf("%s%s:%s\n", r->cli->bold, text, r->cli->plain);
}

static void print_list(const redact_report *r, const char *text, const hm_str *s, size_t n) {
  if (n)
    print_head(r, text);
  for (size_t i = 0; i < n && (i < LISTED || r->cli->verbose); i++)
    printf("  %s\n", show_ref(r, s[i]));
  if (n > LISTED && !r->cli->verbose)
    printf("  and %s more; -v lists them all\n", hm_format_thousands(r->cli->a, (n - LISTED)));
}

/* By kind: "link m1 m2 refines: rel". */
static void print_places(const redact_report *r, const char *head, const hm_redact_place *v,
                         size_t n) {
  hm_arena *a = r->cli->a;
  if (n)
    print_head(r, head);
  for (size_t i = 0, of_kind = 0; i < n; i++) {
    const hm_redact_place *p = &v[i];
    size_t last = i;
    of_kind = i && hm_str_eq(v[i - 1].kind, p->kind) ? of_kind + 1 : 0;
    if (of_kind < LISTED || r->cli->verbose) {
      printf("  %s %s%s%s\n", show_ref(r, p->kind), show_ref(r, p->ref), p->column.n ? ": " : "",
             show_ref(r, p->column));
      continue;
    }
    while (last + 1 < n && hm_str_eq(v[last + 1].kind, p->kind))
      last++;
    printf("  %s: %s more; -v lists them all\n", show_ref(r, p->kind),
           hm_format_thousands(a, last - i + 1));
    i = last;
  }
}

static void print_store(const redact_report *r) {
  const hm_redacted *d = r->done;
  const char *would = r->dry_run ? "would be " : "";
  for (size_t i = 0; i < d->n_rows; i++)
    printf("%s: %sredacted: %s\n", show_ref(r, d->rows[i]), would, show_ref(r, d->mark));
  printf("the journal: %s %srewritten%s\n", hm_format_count(r->cli->a, d->n_lines, "line"), would,
         d->rehashed ? ", and the chain of hashes from the first of them on" : "");
  if (d->broken)
    printf("  line %lld did not fit that chain before\n", (long long)d->broken);
  print_list(r,
             r->dry_run ? "Conflicts that quote it, and would not any more"
                        : "Conflicts that quoted it, and do not any more",
             d->conflicts, d->n_conflicts);
  print_places(r,
               r->dry_run ? "Other records that hold it, and would not any more"
                          : "Other records that held it, and do not any more",
               d->beside, d->n_beside);
  print_list(r, "No longer disputed, awaiting sign-off", d->quieted, d->n_quieted);
}

static void print_rest(const redact_report *r) {
  const hm_redacted *d = r->done;
  if (d->is_short)
    printf("The value is too short to be told from chance: it was looked for in what is said of "
           "this row only.\n");
  print_list(
      r,
      "Held still by the row itself, where it cannot be taken out (its id, type or project): "
      "import it anew without",
      d->unreached, d->n_unreached);
  print_list(r, "Held by other rows too, which are left as they are; name them to redact them",
             d->others, d->n_others);
  print_list(r, "Conflicts that hold it still: other rows claim it there, or a person said it",
             d->holding, d->n_holding);
  print_places(r,
               "Held still elsewhere in the store: export it, take it out of that file, and "
               "import that into a new store",
               d->elsewhere, d->n_elsewhere);
  print_places(
      r, "Earlier values of the field, which stay here; `redact --earlier` takes them out, too",
      d->earlier, d->n_earlier);
  print_list(r, "Files beside the store that hold it; delete them", r->files, r->n_files);
  print_list(r, "Backups beside the store that hold it; delete them", r->backups, r->n_backups);
  if (d->not_compacted.code)
    printf("%s could not be written anew: %s: its free pages may still hold the value; `sqlite3 "
           "%.*s VACUUM` does it\n",
           r->cli->mirror.store, d->not_compacted.why,
           HM_FMT(hm_shell_quote_word(r->cli->a, hm_str_c(r->cli->mirror.store), false)));
  else if (r->remains)
    printf("%s: its bytes hold the value still, though no row does; export it and import that into "
           "a new store\n",
           r->cli->mirror.store);
}

static void print_commit(const redact_report *r, const char *what, const hm_git_hit *h) {
  const char *at = hm_str_is(hm_str_c(r->tip), h->commit.id) ? ", the tip" : "";
  printf("  %s %.12s (%s%s%s)\n", what, h->commit.id, hm_commit_day(r->cli, &h->commit), at,
         h->in_message ? ", in its message too" : "");
}

/* Is a page called by the value, as the page of an entity by its name? */
static bool is_in_file_name(const redact_report *r) {
  for (size_t i = 0; i < r->hits.n_paths; i++)
    if (!hm_str_eq(hm_redact_shown(r->done, r->hits.paths[i], r->cli->a), r->hits.paths[i]))
      return true;
  return false;
}

static void print_commands(const redact_report *r) {
  hm_cli *cli = r->cli;
  hm_str repo = hm_shell_quote_word(cli->a, hm_str_c(r->repo), false),
         branch = hm_shell_quote_word(cli->a, hm_str_c(r->branch), false);
  hm_str ref = hm_shell_quote_word(cli->a, hm_str_fmt(cli->a, "refs/heads/%s", r->branch), false);
  const char *names = !is_in_file_name(r) ? ""
                                          : "     That leaves the names of files as they are, and "
                                            "some hold it: begin the branch anew.\n";
  print_head(r, "What to do");
  printf("  1. If it opens anything (a password, a key, a token), change it there first: who has "
         "read the mirror has it.\n"
         "  2. The pages are generated, so the branch can begin anew:\n"
         "       git -C %.*s update-ref -d %.*s\n       hmirror publish\n"
         "     Or keep its history, with the value on a line of FILE, by git-filter-repo:\n"
         "       hmirror publish\n"
         "       git -C %.*s filter-repo --force --replace-text FILE --refs %.*s\n"
         "%s"
         "  3. Forget what no branch has any more:\n"
         "       git -C %.*s reflog expire --expire=now --all\n       git -C %.*s gc --prune=now\n"
         "  4. Where it was pushed, before the next `hmirror publish --push`, which would fetch it "
         "again:\n"
         "       git -C %.*s push --force REMOTE %.*s\n"
         "     Ask that host to drop what it caches, and whoever has a clone to fetch it anew:\n"
         "       git fetch && git reset --hard origin/%.*s && git reflog expire --expire=now --all "
         "&& git gc --prune=now\n",
         HM_FMT(repo), HM_FMT(ref), HM_FMT(repo), HM_FMT(branch), names, HM_FMT(repo), HM_FMT(repo),
         HM_FMT(repo), HM_FMT(branch), HM_FMT(branch));
}

static void print_mirror(const redact_report *r) {
  const hm_git_hits *h = &r->hits;
  if (!r->has_mirror || r->done->is_short)
    return;
  if (h->n == 0) {
    printf("%s, branch %s: none of %s holds it\n", r->repo, r->branch,
           hm_format_count(r->cli->a, h->commits, "commit"));
    return;
  }
  printf("%s, branch %s: %s of %s hold%s it\n", r->repo, r->branch,
         hm_format_thousands(r->cli->a, h->n), hm_format_count(r->cli->a, h->commits, "commit"),
         h->n == 1 ? "s" : "");
  print_commit(r, h->n == 1 ? "it is" : "newest", &h->hits[0]);
  if (h->n > 1)
    print_commit(r, "oldest", &h->hits[h->n - 1]);
  print_list(r, "Files that hold it", h->paths, h->n_paths);
  print_commands(r);
}

/* --- JSON ------------------------------------------------------------------- */

static void write_list(const redact_report *r, hm_jw *w, const char *key, const hm_str *s,
                       size_t n) {
  hm_jw_arr(w, key);
  for (size_t i = 0; i < n; i++)
    hm_jw_str(w, NULL, hm_redact_shown(r->done, s[i], r->cli->a));
  hm_jw_end(w);
}

static void write_places(const redact_report *r, hm_jw *w, const char *key,
                         const hm_redact_place *v, size_t n) {
  hm_jw_arr(w, key);
  for (size_t i = 0; i < n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "kind", v[i].kind);
    hm_jw_str(w, "ref", hm_redact_shown(r->done, v[i].ref, r->cli->a));
    if (v[i].column.n)
      hm_jw_str(w, "column", v[i].column);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static void write_mirror_json(const redact_report *r, hm_jw *w) {
  const hm_git_hits *h = &r->hits;
  if (!r->has_mirror || r->done->is_short) {
    hm_jw_null(w, "mirror");
    return;
  }
  hm_jw_obj(w, "mirror");
  hm_jw_str(w, "repo", hm_str_c(r->repo));
  hm_jw_str(w, "branch", hm_str_c(r->branch));
  hm_jw_int(w, "commits", h->commits);
  hm_jw_arr(w, "holding");
  for (size_t i = 0; i < h->n; i++) {
    hm_jw_obj(w, NULL);
    hm_commit_json(r->cli, w, &h->hits[i].commit);
    hm_jw_bool(w, "in_message", h->hits[i].in_message);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_bool(w, "tip", h->n && hm_str_is(hm_str_c(r->tip), h->hits[0].commit.id));
  hm_jw_int(w, "blobs", h->blobs);
  write_list(r, w, "paths", h->paths, h->n_paths);
  hm_jw_end(w);
}

static int print_report_json(const redact_report *r) {
  const hm_redacted *d = r->done;
  hm_jw *w = hm_cli_json_begin(r->cli);
  hm_jw_bool(w, "dry_run", r->dry_run);
  write_list(r, w, "rows", d->rows, d->n_rows);
  hm_jw_str(w, "mark", d->mark);
  hm_jw_arr(w, "journal_lines");
  for (size_t i = 0; i < d->n_lines; i++)
    hm_jw_int(w, NULL, d->lines[i]);
  hm_jw_end(w);
  hm_jw_int(w, "journal_broken_before", d->broken);
  write_list(r, w, "conflicts", d->conflicts, d->n_conflicts);
  write_list(r, w, "quieted", d->quieted, d->n_quieted);
  hm_jw_int(w, "findings", d->findings);
  hm_jw_bool(w, "searched", !d->is_short);
  write_list(r, w, "unreached", d->unreached, d->n_unreached);
  write_list(r, w, "others", d->others, d->n_others);
  write_list(r, w, "conflicts_holding", d->holding, d->n_holding);
  write_places(r, w, "beside", d->beside, d->n_beside);
  write_places(r, w, "elsewhere", d->elsewhere, d->n_elsewhere);
  write_places(r, w, "earlier", d->earlier, d->n_earlier);
  write_list(r, w, "files", r->files, r->n_files);
  write_list(r, w, "backups", r->backups, r->n_backups);
  hm_jw_bool(w, "compacted", !r->dry_run && !d->not_compacted.code);
  hm_jw_bool(w, "remains", r->remains);
  write_mirror_json(r, w);
  return hm_cli_json_end(r->cli);
}

static const hm_option redact_options[] = {
  { "reason", 0, "TEXT", "why; readers see it where the value was" },
  { "field", 0, "NAME", "the property or field; else content, value, or the only property" },
  { "earlier", 0, NULL, "what the journal says that the field said before, not what it says now" },
  { "dry-run", 0, NULL, "only say what would be done" },
  { "repo", 0, "P", "the mirror's repository, which is searched (config: publish.repo)" },
  { "branch", 0, "B", "its branch (config: publish.branch)" },
  { 0 }
};

static int redact_rows(hm_cli *cli, hm_redacted *done) {
  hm_review review = { 0 };
  hm_redact_order order = { .n_rows = cli->args.n_words,
                            .field = hm_str_c(hm_cli_get_option(cli, "field")),
                            .reason = hm_str_c(hm_cli_get_option(cli, "reason")),
                            .earlier = hm_cli_get_option(cli, "earlier") };
  hm_str *rows = hm_alloc_array(cli->a, order.n_rows, sizeof *rows);
  hm_store *store = NULL;
  for (size_t i = 0; i < order.n_rows; i++)
    rows[i] = hm_str_c(cli->args.words[i]);
  order.rows = rows;
  if (hm_cli_begin_review(cli, NULL, &review, &store))
    return -1;
  hm_progress_phase(cli, "taking it out of the store");
  int rc = hm_review_redact(store, &review, &order, cli->a, done, &cli->err);
  hm_store_close(store);
  return rc;
}

/* Free pages, and what SQLite keeps beside the file. */
static bool store_holds(hm_cli *cli, const hm_redact_search *what) {
  static const char *const beside[] = { "", "-wal", "-journal" };
  for (size_t i = 0; i < HM_COUNT(beside); i++)
    if (hm_redact_file_holds(hm_str_fmt(cli->a, "%s%s", cli->mirror.store, beside[i]).p, what))
      return true;
  return false;
}

static bool blob_holds(void *ctx, hm_str bytes) { return hm_redact_bytes_hold(ctx, bytes); }

/* Every file that this program may have made of the store: caches, copies, a review file. */
static void search_files(hm_cli *cli, redact_report *r, const hm_redact_search *what) {
  hm_str *more;
  const char *review = cli->mirror.config.review;
  r->n_backups = hm_redact_find_backups(cli->a, cli->mirror.store, what, &r->backups);
  r->n_files = hm_redact_find_files(cli->a, cli->mirror.store, true, what, &r->files);
  if (!review || strcmp(review, cli->mirror.store) == 0)
    return;
  size_t n = hm_redact_find_files(cli->a, review, false, what, &more);
  hm_str *all = hm_alloc_array(cli->a, r->n_files + n + 1, sizeof *all);
  if (r->n_files)
    memcpy(all, r->files, r->n_files * sizeof *all);
  if (n)
    memcpy(all + r->n_files, more, n * sizeof *all);
  r->files = all;
  r->n_files += n;
}

/* A mirror that was never published is nothing to search. */
static int search_mirror(hm_cli *cli, redact_report *r, hm_redact_search *what) {
  hm_err absent;
  hm_git_reader *git;
  const char *repo = hm_cli_get_option(cli, "repo"), *branch = hm_cli_get_option(cli, "branch");
  r->repo = repo ? repo : cli->mirror.config.repo;
  r->branch = branch ? branch : cli->mirror.config.branch;
  if (hm_git_reader_open(r->repo, &git, &absent)) {
    hm_cli_warn(cli, "%s was not searched: %s", r->repo, absent.why);
    return 0;
  }
  hm_progress_phase(cli, "searching the commits of the mirror");
  r->has_mirror = hm_git_branch_tip(git, r->branch, r->tip, &absent) == 0;
  if (!r->has_mirror)
    hm_cli_warn(cli, "%s was not searched: %s", r->repo, absent.why);
  int rc =
      r->has_mirror ? hm_git_search(git, r->tip, blob_holds, what, cli->a, &r->hits, &cli->err) : 0;
  hm_git_reader_close(git);
  return rc;
}

static int run_redact(hm_cli *cli) {
  hm_redacted done;
  hm_redact_search what;
  redact_report r = { .cli = cli, .done = &done, .dry_run = hm_cli_get_option(cli, "dry-run") };
  if (hm_cli_check_repository(cli, hm_cli_get_option(cli, "repo")))
    return -1;
  if (redact_rows(cli, &done))
    return -1;
  if (!done.is_short) {
    hm_redact_search_build(&done.values, cli->mirror.config.value_limit, cli->a, &what);
    search_files(cli, &r, &what);
    r.remains = !r.dry_run && !done.not_compacted.code && !done.n_others && !done.n_unreached &&
        !done.n_holding && !done.n_elsewhere && store_holds(cli, &what);
    if (search_mirror(cli, &r, &what))
      return -1;
  }
  hm_progress_end_phase(cli);
  if (cli->json)
    return print_report_json(&r);
  print_store(&r);
  print_rest(&r);
  print_mirror(&r);
  return HM_EXIT_FINE;
}

const hm_command hm_cmd_redact = {
  .name = "redact",
  .words = "ROW...",
  .brief = "take a leaked value out of the store, and say where else it is",
  .about =
      "Replaces the value of ROW (kind:id) by a mark that claims nothing, and takes it out of the\n"
      "journal and of every recorded conflict; a line of the journal says so. Lists other rows,\n"
      "backups and commits of the mirror that hold the value, with what to do about them. Never\n"
      "shows the value itself.\n",
  .options = redact_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror redact memory:m7 --reason 'a password' --dry-run\n"
              "hmirror redact memory:m7 --reason 'a password' --by kim\n"
              "hmirror redact entity:e3 --field api_key --reason 'a key' --format json\n"
              "hmirror redact project_state:s1 --earlier --reason 'it was edited away'\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_redact
};
