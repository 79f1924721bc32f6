#include <string.h>
#include "gen/cli/commands.h"
#include "gen/cli/completion.h"

static int run(hm_cli *cli) {
  const char *shell = cli->args.words[0];
  const hm_completion *c = hm_completions;
  while (c->shell && strcmp(c->shell, shell) != 0) c++;
  if (!c->shell)
    return hm_fail(&cli->err, HM_E_USAGE, hm_str_fmt(cli->a, "%.60s", shell).p, "no such shell",
                   "use one of: bash, fish, zsh");
  hm_buf b = { 0 };
  c->put(&b);
  fwrite(b.p, 1, b.n, stdout);
  hm_buf_free(&b);
  return HM_EXIT_FINE;
}

const hm_command hm_cmd_completion = {
  .name = "completion", .words = "bash|fish|zsh",
  .brief = "print a script that completes command lines",
  .about = "Prints the script that lets a shell complete hmirror's verbs, options and\n"
           "their values. 'make install' puts the three where shells look for them.\n",
  .exits = "0  done\n2  no such shell\n",
  .examples = "source <(hmirror completion bash)\n"
              "hmirror completion fish >~/.config/fish/completions/hmirror.fish\n"
              "hmirror completion zsh >\"${fpath[1]}/_hmirror\"\n",
  .least_words = 1, .most_words = 1, .no_config = true, .run = run
};
