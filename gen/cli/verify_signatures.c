/* verify --signatures: who signed each commit of the branch, newest first, along first parents. */
#include "gen/cli/verify_signatures.h"
#include <stdio.h>
#include <string.h>
#include "gen/sink/signer.h"

typedef struct { hm_cli *cli; hm_branch *branch; hm_jw *w; size_t all, good; } signature_walk;

static const char *const state_names[] = {
  [HM_SIGNATURE_GOOD] = "good",
  [HM_SIGNATURE_NONE] = "unsigned",
  [HM_SIGNATURE_BAD] = "bad",
  [HM_SIGNATURE_UNKNOWN] = "unknown",
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
           hm_show(cli->a, sig->who, 0));
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

int hm_verify_signatures(hm_cli *cli, hm_branch *branch) {
  signature_walk s = { .cli = cli, .branch = branch };
  if (hm_branch_open(cli, cli->args.n_words ? cli->args.words[0] : NULL, branch)) return -1;
  if (cli->json) {
    s.w = hm_json_begin(cli);
    hm_jw_arr(s.w, "commits");
  }
  if (hm_git_walk(branch->git, branch->commit, check_one, &s, &cli->err)) return -1;
  if (s.w) {
    hm_jw_end(s.w);
    hm_jw_int(s.w, "count", (int64_t)s.all);
    hm_jw_int(s.w, "good", (int64_t)s.good);
    if (hm_json_end(cli)) return -1;
  } else if (!cli->quiet) {
    printf("%s, %.12s: %zu of %s signed\n", branch->repo, branch->commit, s.good,
           hm_count_text(cli->a, s.all, "commit"));
  }
  return s.good == s.all ? HM_EXIT_FINE : HM_EXIT_FOUND;
}
