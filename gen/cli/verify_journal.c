/* See verify_journal.h. What is wrong is told in this order: a line that does not fit its chain, a
 * commit that saw other lines, other stores; then what redactions rewrote, which is no fault. */
#include "gen/cli/verify_journal.h"
#include <stdio.h>
#include <string.h>

int hm_verify_journal(hm_cli *cli, const hm_branch *branch, hm_seen_journal *out) {
  hm_store *s;
  hm_phase(cli, "reading the journal");
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &s, &cli->err)) return -1;
  int rc = hm_seen_journal_of(branch->git, branch->commit, s, cli->a, out, &cli->err);
  hm_store_close(s);
  hm_phase_end(cli);
  return rc;
}

/* "line 7", "lines 7 to 9" */
static const char *lines(hm_cli *cli, int64_t from, int64_t to) {
  return from == to ? hm_str_fmt(cli->a, "line %lld", (long long)from).p
                    : hm_str_fmt(cli->a, "lines %lld to %lld", (long long)from, (long long)to).p;
}

static const char *commit(hm_cli *cli, const hm_seen_commit *c) {
  const hm_git_commit at = { .when = c->when };
  return hm_str_fmt(cli->a, "%.12s (%s)", c->commit, hm_commit_day(cli, &at)).p;
}

static void print_chain(hm_cli *cli, const hm_seen_journal *j) {
  const hm_journal_proof *p = &j->proof;
  if (!p->bad) return;
  printf("journal: %s %s", lines(cli, p->missing ? p->missing : p->bad,
                                 p->missing ? p->bad - 1 : p->bad),
         !p->missing ? "was changed" : p->missing == p->bad - 1 ? "is missing" : "are missing");
  if (j->witness) printf("; %s saw it\n", commit(cli, j->witness));
  else printf("; no commit saw it\n");
}

/* A break in the chain before that line says more. */
static void print_changed(hm_cli *cli, const hm_seen_journal *j) {
  const hm_journal_proof *p = &j->proof;
  const hm_seen_commit *c = j->changed;
  if (!c) return;
  if (c->seen == HM_SEEN_LATER)
    printf("journal: it ends at line %lld; %s saw %s: an older copy of this store, or its end was "
           "removed\n", (long long)p->last, commit(cli, c), lines(cli, c->seq, c->seq));
  else if (!p->bad || p->bad > c->seq)
    printf("journal: %s: %s saw %s; a copy of this store that went another way, or %s made anew\n",
           lines(cli, j->from, c->seq), commit(cli, c), j->from == c->seq ? "another" : "others",
           j->from == c->seq ? "it was" : "they were");
}

static void print_others(hm_cli *cli, const hm_seen_journal *j) {
  for (size_t i = 0; i < j->n_others; i++) {
    const hm_other_store *o = &j->others[i];
    printf("journal: %s saw another store (id %s), not this one (%s); the newest: %.12s\n",
           hm_count_text(cli->a, o->n, "commit"), hm_show(cli->a, o->store, 40),
           j->proof.store.n ? hm_show(cli->a, j->proof.store, 40)
                            : "it has no id: nothing was published from it with publish.journal",
           o->newest);
  }
}

static void print_redactions(hm_cli *cli, const hm_seen_journal *j) {
  for (size_t i = 0; i < j->proof.n_redactions && !cli->quiet; i++) {
    const hm_journal_redaction *r = &j->proof.redactions[i];
    printf("journal: %s redacted by %s on %.10s: %s\n", lines(cli, r->from, r->to),
           hm_show(cli->a, r->by, 60), hm_show(cli->a, r->at, 20), hm_show(cli->a, r->why, 300));
  }
}

void hm_verify_journal_print(hm_cli *cli, const hm_seen_journal *j) {
  print_chain(cli, j);
  print_changed(cli, j);
  print_others(cli, j);
  print_redactions(cli, j);
  if (!j->n && !j->n_others)
    hm_note(cli, "no commit up to this one says where the journal stood: publish.journal was not "
                 "set then");
  else if (!cli->quiet && j->n && hm_seen_journal_whole(j))
    printf("journal: as %s saw it, up to line %lld%s\n",
           hm_count_text(cli->a, j->n, "commit"), (long long)j->seen_to,
           j->proof.n_redactions ? ", but for redactions" : "");
}

void hm_verify_journal_json(hm_cli *cli, hm_jw *w, const hm_seen_journal *j) {
  if (!j) {
    hm_jw_null(w, "journal");
    return;
  }
  hm_jw_obj(w, "journal");
  hm_jw_bool(w, "whole", hm_seen_journal_whole(j));
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
