#include "gen/cli/commands.h"
#include "gen/cli/row_options.h"
#include "gen/cli/write_verb.h"

static const hm_option options[] = {
  HM_ROW_OPTIONS_ENTITY,
  HM_ROW_OPTIONS_COMMON,
  HM_WRITE_OPTIONS,
  { 0 }
};

typedef struct { hm_str memory; const hm_json *entity; } graduation;

static int graduate(void *ctx, hm_store *s, const hm_review *r, hm_arena *a, hm_written *out,
                    hm_err *err) {
  const graduation *g = ctx;
  return hm_review_graduate(s, r, g->memory, g->entity, a, out, err);
}

static int run(hm_cli *cli) {
  graduation g = { .memory = hm_str_c(cli->args.words[0]) };
  if (hm_record_of_options(cli, HM_ENTITY, cli->args.words + 1, cli->args.n_words - 1, &g.entity))
    return -1;
  return hm_write_verb(cli, graduate, &g, "graduated to");
}

const hm_command hm_cmd_graduate = {
  .name = "graduate",
  .words = "MEMORY [NAME...]",
  .brief = "make an entity of a memory",
  .about = "Adds an entity, with project, sources and confidence of the memory unless told\n"
           "otherwise. The memory gets the status graduated, points to the entity and is frozen;\n"
           "what the entity contradicts is recorded as a conflict and shown.\n",
  .options = options,
  .exits = HM_EXITS_WRITE,
  .examples =
      "hmirror graduate m3 -t Decision -P decision_target='lateral support' -P decision_field=material \\\n"
      "  -P value=PEEK Lateral support material\n",
  .least_words = 1,
  .most_words = -1,
  .run = run
};
