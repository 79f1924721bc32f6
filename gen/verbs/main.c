/* hmirror: the Human Mirror of a store of facts. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "gen/verbs/commands.h"
#include "gen/sink/process.h"

/* An archive of `make dist` brings the database of units beside the program. Without it "5 kg" and
 * "5000 g" would be two values. */
static void use_own_units(void) {
  static const char file[] = "/../share/hmirror/udunits/udunits2.xml";
  char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof file);
  if (n <= 0)
    return;
  path[n] = 0;
  char *slash = strrchr(path, '/');
  if (!slash)
    return;
  memcpy(slash, file, sizeof file);
  if (access(path, R_OK) == 0)
    setenv("UDUNITS2_XML_PATH", path, 0);
}

int main(int argc, char **argv) {
  hm_process_be_leash(argc, argv);
  use_own_units();
  hm_malloc_keep_freed();
  return hm_cli_run(argc, argv);
}
