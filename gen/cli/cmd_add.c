#include <string.h>
#include "gen/cli/commands.h"
#include "gen/cli/row_options.h"
#include "gen/cli/write_verb.h"

static const hm_option options[] = {
  HM_ROW_OPTIONS_ENTITY,
  { "content", 0, "TEXT", "memory: what it says; else the words" },
  { "scope", 0, "TEXT", "memory" },
  { "agent", 0, "NAME", "memory: who noted it" },
  { "slot-rule", 0, "SLOT", "memory: the slot that it is about, outright" },
  { "tag", 0, "TAG", "memory, repeatable" },
  { "importance", 0, "N", "memory: from 0 to 1" },
  { "polarity", 0, "N", "memory: -1, 0 or 1" },
  { "category", 0, "C", "state" },
  { "key", 'k', "KEY", "state: what it is about; else the first word" },
  { "value", 0, "TEXT", "state: its value; else the other words" },
  { "value-json", 0, "JSON", "state: a number, true, false or an array" },
  { "supersedes", 0, "ROW", "the row of that layer that gives way to this one" },
  HM_ROW_OPTIONS_COMMON,
  HM_WRITE_OPTIONS,
  { 0 }
};

static const struct { const char *word; hm_layer layer; } layers[] = {
  { "memory", HM_MEMORY }, { "entity", HM_ENTITY }, { "state", HM_STATE },
  { "project_state", HM_STATE },
};

typedef struct { hm_layer layer; const hm_json *record; const char *supersedes; } addition;

static int add(void *ctx, hm_store *s, const hm_review *r, hm_arena *a, hm_written *out,
               hm_err *err) {
  const addition *n = ctx;
  if (!n->supersedes) return hm_review_add(s, r, n->layer, n->record, a, out, err);
  return hm_review_replace(s, r, n->layer, n->record, hm_str_c(n->supersedes), a, out, err);
}

static int run(hm_cli *cli) {
  const char *word = cli->args.words[0];
  addition n = { .supersedes = hm_cli_option(cli, "supersedes") };
  for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
    if (strcmp(word, layers[i].word) == 0) n.layer = layers[i].layer;
  if (!n.layer)
    return hm_failf(&cli->err, HM_E_USAGE, "add", "say 'add memory', 'add entity' or 'add state'",
                    "'%.60s' is none of the layers", word);
  if (hm_record_of_options(cli, n.layer, cli->args.words + 1, cli->args.n_words - 1, &n.record))
    return -1;
  return hm_write_verb(cli, add, &n, "added");
}

const hm_command hm_cmd_add = {
  .name = "add",
  .words = "memory|entity|state [WORD...]",
  .brief = "store one fact and say what it contradicts",
  .about = "Adds a memory (the words are its content), an entity (its name) or a state (KEY\n"
           "VALUE). A valid fact is always stored; what it contradicts is recorded as a conflict\n"
           "and shown. A state does not replace the one of its key: both stand until a person\n"
           "decides, or --supersedes says which gives way.\n",
  .options = options,
  .exits = HM_EXITS_WRITE,
  .examples =
      "hmirror add state lateral_support_material GF-PTFE -p p05 --source 'design review 3'\n"
      "hmirror add memory -t preference -p p05 prefers rebase workflow\n"
      "hmirror add entity -t Parameter -p p05 -P parameter_name=mass -P value='4.8 kg' mass\n"
      "hmirror add state camera_exposure -p p05 --value-json 30 --supersedes s1\n"
      "echo '{\"memory_type\":\"knowledge\",\"content\":\"area is 468\"}' | hmirror add memory --json -\n",
  .least_words = 1,
  .most_words = -1,
  .run = run
};
