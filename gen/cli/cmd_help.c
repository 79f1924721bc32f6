#include "gen/cli/commands.h"
#include "gen/cli/help.h"

static int run(hm_cli *cli) {
  if (!cli->args.n_words) { hm_help_all(stdout); return HM_EXIT_FINE; }
  const hm_command *c = hm_command_find(cli->args.words[0]);
  if (!c) return hm_command_unknown(cli, cli->args.words[0]);
  hm_help_verb(stdout, c);
  return HM_EXIT_FINE;
}

const hm_command hm_cmd_help = {
  .name = "help", .words = "[VERB]", .brief = "show help for a verb",
  .about = "Shows what a verb does, its options, exit codes and examples; without a verb,\n"
           "the list of verbs. The same as 'hmirror VERB --help'.\n",
  .exits = "0  done\n2  no such verb\n",
  .examples = "hmirror help build\n",
  .most_words = 1, .no_config = true, .run = run
};
