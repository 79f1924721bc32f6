#include <stdio.h>
#include "core/base/shell.h"
#include "core/base/text.h"
#include "gen/cli/history_text.h"
#include "gen/cli/redact.h"

enum { LISTED = 20, SHOWN = 200 };

typedef struct { hm_cli *cli; const hm_redact_report *r; } teller;

/* A reference may hold the value itself. */
static const char *show(const teller *t, hm_str s) {
  return hm_show(t->cli->a, hm_redact_shown(t->r->done, s, t->cli->a), SHOWN);
}

/* --- text ------------------------------------------------------------------- */

static void head(const teller *t, const char *text) {
  printf("%s%s:%s\n", hm_style_of(t->cli, HM_BOLD), text, hm_style_of(t->cli, HM_PLAIN));
}

static void list(const teller *t, const char *text, const hm_str *s, size_t n) {
  if (n) head(t, text);
  for (size_t i = 0; i < n && (i < LISTED || t->cli->verbose); i++) printf("  %s\n", show(t, s[i]));
  if (n > LISTED && !t->cli->verbose)
    printf("  and %s more; -v lists them all\n", hm_thousands(t->cli->a, (int64_t)(n - LISTED)));
}

static void tell_store(const teller *t) {
  const hm_redacted *d = t->r->done;
  const char *would = t->r->dry_run ? "would be " : "";
  for (size_t i = 0; i < d->n_rows; i++)
    printf("%s: %sredacted: %s\n", show(t, d->rows[i]), would, show(t, d->mark));
  printf("the journal: %s %srewritten, and the chain of hashes from the first of them on\n",
         hm_count_text(t->cli->a, (int64_t)d->n_lines, "line", NULL), would);
  if (d->broken) printf("  line %lld did not fit that chain before\n", (long long)d->broken);
  list(t,
       t->r->dry_run ? "Conflicts that quote it, and would not any more"
                     : "Conflicts that quoted it, and do not any more",
       d->conflicts, d->n_conflicts);
  list(t, "No longer disputed, awaiting sign-off", d->quieted, d->n_quieted);
}

static void tell_rest(const teller *t) {
  const hm_redact_report *r = t->r;
  const hm_redacted *d = r->done;
  if (d->brief)
    printf(
        "The value is too short to be told from chance: it was looked for in what is said of this row only.\n");
  list(
      t,
      "Held still by the row itself, where it cannot be taken out (its id, type or project): import it anew without",
      d->unreached, d->n_unreached);
  list(t, "Held by other rows too, which are left as they are; name them to redact them", d->others,
       d->n_others);
  list(t, "Conflicts that quote it still, since other rows claim it there", d->holding,
       d->n_holding);
  list(t, "Files beside the store that hold it; delete them", r->files, r->n_files);
  list(t, "Backups beside the store that hold it; delete them", r->backups, r->n_backups);
  if (d->not_compacted.code)
    printf(
        "%s could not be written anew: %s: its free pages may still hold the value; `sqlite3 %.*s VACUUM` does it\n",
        t->cli->mirror.store, d->not_compacted.why,
        HM_FMT(hm_shell_word(t->cli->a, hm_str_c(t->cli->mirror.store), false)));
  else if (r->remains)
    printf(
        "%s: its bytes hold the value still, though no row does; export it and import that into a new store\n",
        t->cli->mirror.store);
}

static void tell_commit(const teller *t, const char *what, const hm_git_hit *h) {
  const char *at = hm_str_is(hm_str_c(t->r->tip), h->commit.id) ? ", the tip" : "";
  printf("  %s %.12s (%s%s%s)\n", what, h->commit.id, hm_commit_day(t->cli, &h->commit), at,
         h->in_message ? ", in its message too" : "");
}

static void tell_commands(const teller *t) {
  hm_cli *cli = t->cli;
  hm_str repo = hm_shell_word(cli->a, hm_str_c(t->r->repo), false),
         branch = hm_shell_word(cli->a, hm_str_c(t->r->branch), false);
  hm_str ref = hm_shell_word(cli->a, hm_str_fmt(cli->a, "refs/heads/%s", t->r->branch), false);
  head(t, "What to do");
  printf(
      "  1. If it opens anything (a password, a key, a token), change it there first: who has read the mirror has it.\n"
      "  2. The pages are generated, so the branch can begin anew:\n"
      "       git -C %.*s update-ref -d %.*s\n       hmirror publish\n"
      "     Or keep its history, with the value on a line of FILE, by git-filter-repo:\n"
      "       hmirror publish\n       git -C %.*s filter-repo --force --replace-text FILE --refs %.*s\n"
      "  3. Forget what no branch has any more:\n"
      "       git -C %.*s reflog expire --expire=now --all\n       git -C %.*s gc --prune=now\n"
      "  4. Where it was pushed, before the next `hmirror publish --push`, which would fetch it again:\n"
      "       git -C %.*s push --force REMOTE %.*s\n"
      "     Ask that host to drop what it caches, and whoever has a clone to fetch it anew:\n"
      "       git fetch && git reset --hard origin/%.*s && git reflog expire --expire=now --all && git gc --prune=now\n",
      HM_FMT(repo), HM_FMT(ref), HM_FMT(repo), HM_FMT(branch), HM_FMT(repo), HM_FMT(repo),
      HM_FMT(repo), HM_FMT(branch), HM_FMT(branch));
}

static void tell_mirror(const teller *t) {
  const hm_redact_report *r = t->r;
  const hm_git_hits *h = &r->hits;
  if (!r->has_mirror || r->done->brief) return;
  if (h->n == 0) {
    printf("%s, branch %s: none of %s holds it\n", r->repo, r->branch,
           hm_count_text(t->cli->a, (int64_t)h->commits, "commit", NULL));
    return;
  }
  printf("%s, branch %s: %s of %s hold%s it\n", r->repo, r->branch,
         hm_thousands(t->cli->a, (int64_t)h->n), hm_count_text(t->cli->a, (int64_t)h->commits, "commit", NULL),
         h->n == 1 ? "s" : "");
  tell_commit(t, h->n == 1 ? "it is" : "newest", &h->hits[0]);
  if (h->n > 1) tell_commit(t, "oldest", &h->hits[h->n - 1]);
  list(t, "Files that hold it", h->paths, h->n_paths);
  tell_commands(t);
}

/* --- JSON ------------------------------------------------------------------- */

static void put_list(const teller *t, hm_jw *w, const char *key, const hm_str *s, size_t n) {
  hm_jw_arr(w, key);
  for (size_t i = 0; i < n; i++) hm_jw_str(w, NULL, hm_redact_shown(t->r->done, s[i], t->cli->a));
  hm_jw_end(w);
}

static void put_commit(const teller *t, hm_jw *w, const char *key, const hm_git_hit *h) {
  hm_jw_obj(w, key);
  hm_commit_json(t->cli, w, &h->commit);
  hm_jw_bool(w, "in_message", h->in_message);
  hm_jw_end(w);
}

static void put_mirror(const teller *t, hm_jw *w) {
  const hm_git_hits *h = &t->r->hits;
  if (!t->r->has_mirror || t->r->done->brief) {
    hm_jw_null(w, "mirror");
    return;
  }
  hm_jw_obj(w, "mirror");
  hm_jw_str(w, "repo", hm_str_c(t->r->repo));
  hm_jw_str(w, "branch", hm_str_c(t->r->branch));
  hm_jw_int(w, "commits", (int64_t)h->commits);
  hm_jw_arr(w, "holding");
  for (size_t i = 0; i < h->n; i++) put_commit(t, w, NULL, &h->hits[i]);
  hm_jw_end(w);
  hm_jw_bool(w, "tip", h->n && hm_str_is(hm_str_c(t->r->tip), h->hits[0].commit.id));
  hm_jw_int(w, "blobs", (int64_t)h->blobs);
  put_list(t, w, "paths", h->paths, h->n_paths);
  hm_jw_end(w);
}

static int as_json(const teller *t) {
  const hm_redacted *d = t->r->done;
  hm_jw w;
  hm_buf b;
  hm_json_begin(&w, &b);
  hm_jw_bool(&w, "dry_run", t->r->dry_run);
  put_list(t, &w, "rows", d->rows, d->n_rows);
  hm_jw_str(&w, "mark", d->mark);
  hm_jw_arr(&w, "journal_lines");
  for (size_t i = 0; i < d->n_lines; i++) hm_jw_int(&w, NULL, d->lines[i]);
  hm_jw_end(&w);
  hm_jw_int(&w, "journal_broken_before", d->broken);
  put_list(t, &w, "conflicts", d->conflicts, d->n_conflicts);
  put_list(t, &w, "quieted", d->quieted, d->n_quieted);
  hm_jw_int(&w, "findings", (int64_t)d->findings);
  hm_jw_bool(&w, "searched", !d->brief);
  put_list(t, &w, "unreached", d->unreached, d->n_unreached);
  put_list(t, &w, "others", d->others, d->n_others);
  put_list(t, &w, "conflicts_holding", d->holding, d->n_holding);
  put_list(t, &w, "files", t->r->files, t->r->n_files);
  put_list(t, &w, "backups", t->r->backups, t->r->n_backups);
  hm_jw_bool(&w, "compacted", !t->r->dry_run && !d->not_compacted.code);
  hm_jw_bool(&w, "remains", t->r->remains);
  put_mirror(t, &w);
  return hm_json_end(t->cli, &w, &b);
}

int hm_redact_tell(hm_cli *cli, const hm_redact_report *r) {
  teller t = { cli, r };
  if (cli->json) return as_json(&t);
  tell_store(&t);
  tell_rest(&t);
  tell_mirror(&t);
  return HM_EXIT_FINE;
}
