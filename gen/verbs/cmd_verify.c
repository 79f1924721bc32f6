/* verify: checks that a commit of the mirror is what the store gives, that the journal is the one
 * that the commits saw, and who signed each commit. */
#include <stdio.h>
#include "gen/check/verify_commit.h"
#include "gen/verbs/commands.h"
#include "gen/mirror/publication.h"
#include "gen/sink/signer.h"

/* --- the journal ------------------------------------------------------------------------------ */

/* Opens the store and compares its journal with what the commits up to that of branch say of it. */
static int read_journal(hm_cli *cli, const hm_branch *branch, hm_seen_journal *out) {
  hm_store *s;
  hm_progress_phase(cli, "reading the journal");
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &s, &cli->err))
    return -1;
  int rc = hm_seen_journal_compare(branch->git, branch->commit, s, cli->a, out, &cli->err);
  hm_store_close(s);
  hm_progress_end_phase(cli);
  return rc;
}

/* "line 7", "lines 7 to 9" */
static const char *line_range(hm_cli *cli, int64_t from, int64_t to) {
  return from == to ? hm_str_fmt(cli->a, "line %lld", (long long)from).p
                    : hm_str_fmt(cli->a, "lines %lld to %lld", (long long)from, (long long)to).p;
}

static const char *commit_text(hm_cli *cli, const hm_seen_commit *c) {
  const hm_git_commit at = { .when = c->when };
  return hm_str_fmt(cli->a, "%.12s (%s)", c->commit, hm_commit_day(cli, &at)).p;
}

static void print_chain(hm_cli *cli, const hm_seen_journal *j) {
  const hm_journal_proof *p = &j->proof;
  if (!p->bad)
    return;
  printf("journal: %s %s",
         line_range(cli, p->missing ? p->missing : p->bad, p->missing ? p->bad - 1 : p->bad),
         !p->missing                    ? "was changed"
             : p->missing == p->bad - 1 ? "is missing"
                                        : "are missing");
  if (j->witness)
    printf("; %s saw it\n", commit_text(cli, j->witness));
  else
    printf("; no commit saw it\n");
}

/* A break in the chain before that line says more. */
static void print_changed(hm_cli *cli, const hm_seen_journal *j) {
  const hm_journal_proof *p = &j->proof;
  const hm_seen_commit *c = j->changed;
  if (!c)
    return;
  if (c->seen == HM_SEEN_LATER)
    printf("journal: it ends at line %lld; %s saw %s: an older copy of this store, or its end was "
           "removed\n",
           (long long)p->last, commit_text(cli, c), line_range(cli, c->seq, c->seq));
  else if (!p->bad || p->bad > c->seq)
    printf("journal: %s: %s saw %s; a copy of this store that went another way, or %s made anew\n",
           line_range(cli, j->from, c->seq), commit_text(cli, c),
           j->from == c->seq ? "another" : "others", j->from == c->seq ? "it was" : "they were");
}

static void print_others(hm_cli *cli, const hm_seen_journal *j) {
  for (size_t i = 0; i < j->n_others; i++) {
    const hm_other_store *o = &j->others[i];
    printf("journal: %s saw another store (id %s), not this one (%s); the newest: %.12s\n",
           hm_format_count(cli->a, o->n, "commit"), hm_terminal_line(cli->a, o->store, 40),
           j->proof.store.n ? hm_terminal_line(cli->a, j->proof.store, 40)
                            : "it has no id: nothing was published from it with publish.journal",
           o->newest);
  }
}

static void print_redactions(hm_cli *cli, const hm_seen_journal *j) {
  for (size_t i = 0; i < j->proof.n_redactions && !cli->quiet; i++) {
    const hm_journal_redaction *r = &j->proof.redactions[i];
    printf("journal: %s redacted by %s on %.10s: %s\n", line_range(cli, r->from, r->to),
           hm_terminal_line(cli->a, r->by, 60), hm_terminal_line(cli->a, r->at, 20),
           hm_terminal_line(cli->a, r->why, 300));
  }
}

/* In this order: a line that does not fit its chain, a commit that saw other lines, other stores;
 * then what redactions rewrote, which is no fault. */
static void print_journal(hm_cli *cli, const hm_seen_journal *j) {
  print_chain(cli, j);
  print_changed(cli, j);
  print_others(cli, j);
  print_redactions(cli, j);
  if (!j->n && !j->n_others)
    hm_note(cli,
            "no commit up to this one says where the journal stood: publish.journal was not "
            "set then");
  else if (!cli->quiet && j->n && hm_seen_journal_is_intact(j))
    printf("journal: as %s saw it, up to line %lld%s\n", hm_format_count(cli->a, j->n, "commit"),
           (long long)j->seen_to, j->proof.n_redactions ? ", but for redactions" : "");
}

/* As the object "journal" of the one that is open; j NULL: null. */
static void journal_json(hm_cli *cli, hm_jw *w, const hm_seen_journal *j) {
  if (!j) {
    hm_jw_null(w, "journal");
    return;
  }
  hm_jw_obj(w, "journal");
  hm_jw_bool(w, "whole", hm_seen_journal_is_intact(j));
  hm_jw_str_or_null(w, "store", j->proof.store);
  hm_jw_int(w, "lines", j->proof.lines);
  hm_jw_int(w, "commits", (int64_t)j->n);
  hm_jw_int(w, "same", (int64_t)j->same);
  hm_jw_int(w, "seen_to", j->seen_to);
  hm_jw_int(w, "changed_line", j->proof.bad);
  hm_jw_int(w, "missing_line", j->proof.missing);
  hm_jw_str_or_null(w, "changed_commit", j->changed ? hm_str_c(j->changed->commit) : HM_EMPTY);
  hm_jw_int(w, "changed_from", j->changed ? j->from : 0);
  hm_jw_arr(w, "redacted");
  for (size_t i = 0; i < j->proof.n_redactions; i++) {
    const hm_journal_redaction *r = &j->proof.redactions[i];
    hm_jw_obj(w, NULL);
    hm_jw_int(w, "from", r->from);
    hm_jw_int(w, "to", r->to);
    hm_jw_str(w, "by", r->by);
    hm_jw_str(w, "at", r->at);
    hm_jw_str(w, "why", r->why);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_arr(w, "other_stores");
  for (size_t i = 0; i < j->n_others; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "store", j->others[i].store);
    hm_jw_int(w, "commits", (int64_t)j->others[i].n);
    hm_jw_str(w, "newest", hm_str_dup(cli->a, hm_str_c(j->others[i].newest)));
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_end(w);
}

/* --- signatures: newest commit first, along first parents ------------------------------------- */

typedef struct {
  hm_cli *cli;
  hm_branch *branch;
  hm_jw *w;
  size_t all, good;
} signature_walk;

static const char *const state_names[] = {
  [HM_SIGNATURE_GOOD] = "good",         [HM_SIGNATURE_NONE] = "unsigned",
  [HM_SIGNATURE_BAD] = "bad",           [HM_SIGNATURE_UNKNOWN] = "unknown",
  [HM_SIGNATURE_UNLISTED] = "unlisted",
};

static void print_one(signature_walk *s, const hm_git_commit *c, const hm_signature *sig) {
  hm_cli *cli = s->cli;
  if (s->w) {
    hm_jw_obj(s->w, NULL);
    hm_commit_json(cli, s->w, c);
    hm_jw_str(s->w, "signature", hm_str_c(state_names[sig->state]));
    hm_jw_str_or_null(s->w, "signer", sig->who);
    hm_jw_end(s->w);
  } else if (sig->state != HM_SIGNATURE_GOOD || !cli->quiet) {
    printf("%-8s  %.12s%s%s\n", state_names[sig->state], c->id, sig->who.n ? "  " : "",
           hm_terminal_line(cli->a, sig->who, 0));
  }
}

static int check_one(void *ctx, const hm_git_commit *c, hm_err *err) {
  signature_walk *s = ctx;
  hm_arena *a = hm_arena_new();
  hm_str signature, bytes;
  hm_signature found;
  const hm_config *config = &s->cli->mirror.config;
  const hm_allowed allowed = { config->allowed_signers, config->allowed_keys,
                               config->n_allowed_keys };
  int rc = hm_git_signed_bytes(s->branch->git, c->id, a, &signature, &bytes, err) ||
          hm_signature_check(signature, bytes, &allowed, a, &found, err)
      ? -1
      : 0;
  if (!rc) {
    s->all++;
    s->good += found.state == HM_SIGNATURE_GOOD;
    print_one(s, c, &found);
  }
  hm_arena_free(a);
  return rc;
}

/* Opens the branch, or the commit that the verb was given, and tells of each commit whether its
 * signature is good, bad, by an unknown key, or missing. HM_EXIT_FOUND unless all are good. The
 * caller closes branch in any case. */
static int verify_signatures(hm_cli *cli, hm_branch *branch) {
  signature_walk s = { .cli = cli, .branch = branch };
  if (hm_trust_check(&cli->mirror.trust, cli->mirror.config.allowed_signers, &cli->err))
    return -1;
  if (hm_branch_open(cli, cli->args.n_words ? cli->args.words[0] : NULL, branch))
    return -1;
  if (cli->json) {
    s.w = hm_cli_json_begin(cli);
    hm_jw_arr(s.w, "commits");
  }
  if (hm_git_walk(branch->git, branch->commit, check_one, &s, &cli->err))
    return -1;
  if (s.w) {
    hm_jw_end(s.w);
    hm_jw_int(s.w, "count", (int64_t)s.all);
    hm_jw_int(s.w, "good", (int64_t)s.good);
    if (hm_cli_json_end(cli))
      return -1;
  } else if (!cli->quiet) {
    printf("%s, %.12s: %zu of %s signed\n", branch->repo, branch->commit, s.good,
           hm_format_count(cli->a, s.all, "commit"));
  }
  return s.good == s.all ? HM_EXIT_FINE : HM_EXIT_FOUND;
}

/* --- files ------------------------------------------------------------------------------------ */

static int print_drift_json(hm_cli *cli, const hm_branch *r, const hm_drift *d,
                            const hm_seen_journal *journal) {
  hm_jw *w = hm_cli_json_begin(cli);
  hm_jw_bool(w, "same", d->n == 0);
  hm_jw_str(w, "repo", hm_str_c(r->repo));
  hm_jw_str(w, "commit", hm_str_c(d->commit));
  hm_jw_str_or_null(w, "published", hm_str_c(d->published));
  hm_jw_int(w, "commits_by_hand", d->by_hand);
  hm_jw_arr(w, "differs");
  for (size_t i = 0; i < d->n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "path", d->files[i].path);
    hm_jw_str(w, "how", hm_str_c(hm_drift_name(d->files[i].kind)));
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_arr(w, "reasons");
  for (size_t i = 0; i < d->n_reasons; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "what", hm_str_c(d->reasons[i].what));
    hm_jw_str(w, "then", d->reasons[i].then);
    hm_jw_str(w, "now", d->reasons[i].now);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_int(w, "count", d->n);
  journal_json(cli, w, journal);
  return hm_cli_json_end(cli);
}

static void note_drift_reasons(hm_cli *cli, const hm_drift *d) {
  if (!d->published[0])
    hm_note(cli, "no commit up to %.12s is a publication of hmirror", d->commit);
  else if (d->by_hand)
    hm_note(cli, "%s by others after the publication %.12s",
            hm_format_count(cli->a, d->by_hand, "commit"), d->published);
  for (size_t i = 0; i < d->n_reasons; i++)
    hm_note(cli, "not the same %s: %s then, %s now", d->reasons[i].what,
            hm_terminal_line(cli->a, d->reasons[i].then, 24),
            hm_terminal_line(cli->a, d->reasons[i].now, 24));
  if (d->published[0] && !d->by_hand && !d->n_reasons)
    hm_note(cli,
            "the same store, time, tool, rules and templates: the theme, static files or other "
            "settings changed, or publish.exclude");
}

static int print_drift(hm_cli *cli, const hm_branch *r, const hm_drift *d,
                       const hm_seen_journal *journal) {
  for (size_t i = 0; i < d->n; i++)
    printf("%-7s  %s\n", hm_drift_name(d->files[i].kind),
           hm_terminal_line(cli->a, d->files[i].path, 0));
  if (d->n)
    note_drift_reasons(cli, d);
  if (journal)
    print_journal(cli, journal);
  if (cli->quiet)
    return 0;
  if (d->n)
    printf("%s, %.12s: %s\n", r->repo, d->commit,
           hm_format_count_plural(cli->a, d->n, "file differs", "files differ"));
  else
    printf("%s, %.12s: as the store gives it\n", r->repo, d->commit);
  return 0;
}

/* hm_part_read of a commit; ctx: the hm_branch. */
static int read_commit(void *ctx, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err) {
  const hm_branch *r = ctx;
  bool found;
  *bytes = HM_EMPTY;
  return hm_git_read_blob(r->git, r->commit, path, a, bytes, &found, err);
}

/* What a publication onto this commit would be made with. */
static int commit_files(hm_cli *cli, hm_branch *r, hm_tip_files *out) {
  hm_git_file *files;
  size_t n;
  if (hm_git_commit_files(r->git, r->commit, cli->a, &files, &n, &cli->err))
    return -1;
  hm_str *paths = hm_alloc_array(cli->a, n + 1, sizeof *paths);
  for (size_t i = 0; i < n; i++)
    paths[i] = files[i].path;
  *out = (hm_tip_files){ .exists = true, .read = read_commit, .ctx = r, .paths = paths, .n = n };
  return 0;
}

static int verify_commit(hm_cli *cli, hm_made *m, hm_branch *r) {
  hm_drift d;
  hm_tip_files files;
  if (hm_cli_read_page_forms(cli) ||
      hm_branch_open(cli, cli->args.n_words ? cli->args.words[0] : NULL, r) ||
      commit_files(cli, r, &files))
    return -1;
  if (hm_make_prepare(&cli->mirror, false, m, &cli->err) ||
      hm_make_site(&cli->mirror, m, &(hm_make_sink){ .tip = &files }, &cli->err))
    return -1;
  hm_drift_input in = { .site = m->site,
                        .snapshot = m->sweep.snap->digest,
                        .now = hm_now_trailer_text(&cli->mirror, &m->sweep, m->view),
                        .tool = HM_STR(HM_TOOL),
                        .rules = hm_rules_trailer_text(&cli->mirror),
                        .templates = hm_templates_digest(m->look.templates),
                        .keep = cli->mirror.config.keep,
                        .n_keep = cli->mirror.config.n_keep,
                        .threads = cli->mirror.threads };
  hm_progress_phase(cli, "comparing");
  if (hm_drift_compare(r->git, r->commit, &in, cli->a, &d, &cli->err))
    return -1;
  hm_progress_end_phase(cli);
  hm_seen_journal seen, *journal = cli->mirror.config.journal ? &seen : NULL;
  if (journal && read_journal(cli, r, &seen))
    return -1;
  if (cli->json ? print_drift_json(cli, r, &d, journal) : print_drift(cli, r, &d, journal))
    return -1;
  return d.n || (journal && !hm_seen_journal_is_intact(journal)) ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

/* --- the verb --------------------------------------------------------------------------------- */

static const hm_option verify_options[] = {
  { "repo", 0, "P", "the repository (config: publish.repo)" },
  { "branch", 0, "B", "the branch whose newest commit is compared (config: publish.branch)" },
  { "markdown-only", 0, NULL, "the branch has no HTML (config: publish.pages)" },
  { "html-only", 0, NULL, "the branch has no Markdown (config: publish.pages)" },
  { "signatures", 0, NULL, "check who signed each commit instead of comparing files" },
  { 0 }
};

static int run_verify(hm_cli *cli) {
  hm_made m = { 0 };
  hm_branch r = { 0 };
  int rc = hm_cli_get_option(cli, "signatures") ? verify_signatures(cli, &r)
                                                : verify_commit(cli, &m, &r);
  hm_branch_close(&r);
  hm_made_free(&m);
  return rc;
}

const hm_command hm_cmd_verify = {
  .name = "verify",
  .words = "[REV]",
  .brief = "compare a commit of the mirror with what the store gives",
  .about =
      "Renders the site in memory and compares it with the files of REV, or of the newest commit\n"
      "of the branch, and says why they differ; files that publish.keep names are not compared.\n"
      "With publish.journal it also proves that the journal is the one that the commits saw.\n"
      "With --signatures it checks who signed each commit instead. Writes nothing.\n",
  .options = verify_options,
  .exits = "0  the same; all signed\n"
           "1  some file or the journal differs; some commit has no good signature\n"
           "2  trouble, with a message\n",
  .examples = "hmirror verify\nhmirror verify mirror~1 --repo ../mirror.git\n"
              "hmirror verify --format json\n",
  .most_words = 1,
  .run = run_verify
};
