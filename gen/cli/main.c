/* hmirror: the Human Mirror of a store of facts. */
#include "core/base/arena.h"
#include "gen/cli/commands.h"

int main(int argc, char **argv) {
  hm_malloc_keep_freed();
  return hm_cli_run(argc, argv);
}
