#include <stdio.h>
#include "gen/cli/commands.h"
#include "gen/cli/out.h"

static int run(hm_cli *cli) {
  if (!cli->json) { puts(HM_TOOL); return HM_EXIT_FINE; }
  hm_jw w;
  hm_buf b;
  hm_json_begin(&w, &b);
  hm_jw_str(&w, "version", HM_STR(HM_VERSION));
  hm_jw_int(&w, "store_version", HM_STORE_VERSION);
  return hm_json_end(cli, &w, &b);
}

const hm_command hm_cmd_version = {
  .name = "version", .words = "", .brief = "show the version",
  .about = "Shows the version of the program; with --format json also that of the stores\n"
           "it writes.\n",
  .exits = "0  done\n",
  .examples = "hmirror version --format json\n",
  .no_config = true, .run = run
};
