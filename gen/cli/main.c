/* hmirror: the Human Mirror of a store of facts. */
#include "gen/cli/cli.h"

int main(int argc, char **argv) { return hm_cli_run(argc, argv); }
