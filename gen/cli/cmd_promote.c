#include "gen/cli/commands.h"
#include "gen/cli/write_verb.h"

static const hm_option options[] = { HM_WRITE_OPTIONS, { 0 } };

static int promote(void *ctx, hm_store *s, const hm_review *r, hm_arena *a, hm_written *out,
                   hm_err *err) {
  return hm_review_promote(s, r, *(const hm_str *)ctx, a, out, err);
}

static int run(hm_cli *cli) {
  hm_str row = hm_str_c(cli->args.words[0]);
  return hm_write_verb(cli, promote, &row, "promoted");
}

const hm_command hm_cmd_promote = {
  .name = "promote", .words = "ROW", .brief = "make a candidate active and say what it contradicts",
  .about = "A candidate claims nothing and is in no conflict. Promoted, it is active: what it\n"
           "contradicts is recorded as a conflict and shown.\n",
  .options = options, .exits = HM_EXITS_WRITE,
  .examples = "hmirror promote memory:m7 --by kim\n",
  .least_words = 1, .most_words = 1, .run = run
};
