#include <string.h>
#include "gen/cli/commands.h"
#include "gen/cli/history_text.h"
#include "gen/cli/redact.h"
#include "gen/cli/work.h"

static const hm_option options[] = {
  { "reason", 0, "TEXT", "why; it will be seen where the value was" },
  { "field", 0, "NAME", "the property or field; else content, value, or the only property" },
  { "earlier", 0, NULL, "what the field said before, as the journal knows; not what it says now" },
  { "dry-run", 0, NULL, "only say what would be done" },
  { "repo", 0, "P", "the mirror's repository, which is searched (config: publish.repo)" },
  { "branch", 0, "B", "its branch (config: publish.branch)" },
  { 0 }
};

static int redact(hm_cli *cli, hm_redact_report *r, hm_redacted *done) {
  hm_review review = { .rules = &cli->mirror.config.rules, .dry_run = r->dry_run };
  hm_redact_order order = { .n_rows = cli->args.n_words,
                            .field = hm_str_c(hm_cli_option(cli, "field")),
                            .reason = hm_str_c(hm_cli_option(cli, "reason")),
                            .earlier = hm_cli_option(cli, "earlier") != NULL };
  hm_str *rows = hm_alloc_array(cli->a, order.n_rows, sizeof *rows);
  hm_store *store = NULL;
  for (size_t i = 0; i < order.n_rows; i++) rows[i] = hm_str_c(cli->args.words[i]);
  order.rows = rows;
  if (hm_mirror_actor(&cli->mirror, &review.who, &cli->err) || hm_cli_open_writer(cli, r->dry_run, &store)) return -1;
  hm_progress_phase(cli->progress, "taking it out of the store");
  int rc = hm_review_redact(store, &review, &order, cli->a, done, &cli->err);
  hm_store_close(store);
  return rc;
}

/* Free pages, and what SQLite keeps beside the file. */
static bool store_holds(hm_cli *cli, const hm_redact_search *what) {
  static const char *const beside[] = { "", "-wal", "-journal" };
  for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
    if (hm_redact_file_holds(hm_str_fmt(cli->a, "%s%s", cli->mirror.store, beside[i]).p, what))
      return true;
  return false;
}

static bool holds(void *ctx, hm_str bytes) { return hm_redact_bytes_hold(ctx, bytes); }

/* Every file that this program may have made of the store: caches, copies, a review file. */
static void search_files(hm_cli *cli, hm_redact_report *r, const hm_redact_search *what) {
  hm_str *more;
  const char *review = cli->mirror.config.review;
  r->n_backups = hm_redact_backups(cli->a, cli->mirror.store, what, &r->backups);
  r->n_files = hm_redact_files(cli->a, cli->mirror.store, true, what, &r->files);
  if (!review || strcmp(review, cli->mirror.store) == 0) return;
  size_t n = hm_redact_files(cli->a, review, false, what, &more);
  hm_str *all = hm_alloc_array(cli->a, r->n_files + n + 1, sizeof *all);
  if (r->n_files) memcpy(all, r->files, r->n_files * sizeof *all);
  if (n) memcpy(all + r->n_files, more, n * sizeof *all);
  r->files = all;
  r->n_files += n;
}

/* A mirror that was never published is nothing to search. */
static int search_mirror(hm_cli *cli, hm_redact_report *r, hm_redact_search *what) {
  hm_err absent;
  hm_git_reader *git;
  const char *repo = hm_cli_option(cli, "repo"), *branch = hm_cli_option(cli, "branch");
  r->repo = repo ? repo : cli->mirror.config.repo;
  r->branch = branch ? branch : cli->mirror.config.branch;
  if (hm_git_reader_open(r->repo, &git, &absent)) {
    hm_note(cli, "%s was not searched: %s", r->repo, absent.why);
    return 0;
  }
  hm_progress_phase(cli->progress, "searching the commits of the mirror");
  r->has_mirror = hm_git_branch(git, r->branch, r->tip, &absent) == 0;
  if (!r->has_mirror) hm_note(cli, "%s was not searched: %s", r->repo, absent.why);
  int rc = r->has_mirror ? hm_git_search(git, r->tip, holds, what, cli->a, &r->hits, &cli->err) : 0;
  hm_git_reader_close(git);
  return rc;
}

static int run(hm_cli *cli) {
  hm_redacted done;
  hm_redact_search what;
  hm_redact_report r = { .done = &done, .dry_run = hm_cli_option(cli, "dry-run") != NULL };
  if (redact(cli, &r, &done)) return -1;
  if (!done.brief) {
    hm_redact_search_of(&done.values, cli->mirror.config.value_limit, cli->a, &what);
    search_files(cli, &r, &what);
    r.remains = !r.dry_run && !done.not_compacted.code && !done.n_others && !done.n_unreached &&
        !done.n_holding && store_holds(cli, &what);
    if (search_mirror(cli, &r, &what)) return -1;
  }
  hm_progress_clear(cli->progress);
  return hm_redact_tell(cli, &r);
}

const hm_command hm_cmd_redact = {
  .name = "redact",
  .words = "ROW...",
  .brief = "take a leaked value out of the store, and say where else it is",
  .about =
      "Puts a mark in the place of the value of ROW (kind:id), and takes it out of the journal\n"
      "and of every recorded conflict; a line of the journal says so. The mark claims nothing.\n"
      "Other rows, backups and commits of the mirror that hold the value are listed, with what\n"
      "to do about them; the value itself is never shown.\n",
  .options = options,
  .exits = HM_EXITS_USUAL,
  .examples =
      "hmirror redact memory:m7 --reason 'a password' --dry-run\nhmirror redact memory:m7 --reason 'a password' --by kim\n"
      "hmirror redact entity:e3 --field api_key --reason 'a key' --format json\n"
      "hmirror redact project_state:s1 --earlier --reason 'it was edited away'\n",
  .least_words = 1,
  .most_words = -1,
  .run = run
};
