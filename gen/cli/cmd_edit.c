#include "gen/cli/commands.h"
#include "gen/cli/row_options.h"
#include "gen/cli/write_verb.h"

static const hm_option options[] = {
  { "set", 's', "NAME=VALUE", "a column, repeatable; NAME:=JSON for what is no text, null clears" },
  { "property", 'P', "NAME=VALUE",
    "a property of an entity or relation, repeatable; NAME:=JSON as above" },
  { "json", 0, "FILE|-", "the changes as a JSON object" },
  HM_WRITE_OPTIONS,
  { 0 }
};

typedef struct { hm_str row; const hm_json *patch; } change;

static int edit(void *ctx, hm_store *s, const hm_review *r, hm_arena *a, hm_written *out,
                hm_err *err) {
  const change *c = ctx;
  return hm_review_edit(s, r, c->row, c->patch, a, out, err);
}

static int run(hm_cli *cli) {
  change c = { .row = hm_str_c(cli->args.words[0]) };
  if (hm_patch_of_options(cli, &c.patch)) return -1;
  if (!c.patch->count)
    return hm_fail(&cli->err, HM_E_USAGE, "edit", "nothing to change is given",
                   "give --set NAME=VALUE or --property NAME=VALUE");
  return hm_write_verb(cli, edit, &c, "changed");
}

const hm_command hm_cmd_edit = {
  .name = "edit", .words = "ROW", .brief = "change a row and say what it contradicts",
  .about = "Changes columns or properties of a row, named by kind:id or by an id that only one\n"
           "layer has. The journal keeps what it said before. Superseded, invalid and graduated\n"
           "rows are history and stay as they are.\n",
  .options = options, .exits = HM_EXITS_WRITE,
  .examples = "hmirror edit s1 --set value='GF-PTFE 20 %' --notes 'as measured'\n"
              "hmirror edit entity:e1 -P value=PEEK -P tolerance:=null\n"
              "hmirror edit m4 --set status=invalid --notes 'never said'\n",
  .least_words = 1, .most_words = 1, .run = run
};
