/* Reads a store as pages need it, with its digest, and ends: read_store FILE [TIMES]. What a run
 * that changes nothing cannot do without. */
#include <stdio.h>
#include <stdlib.h>

#include "core/store/store.h"

int main(int argc, char **argv) {
  hm_err err;
  char line[1024];
  for (int i = argc > 2 ? atoi(argv[2]) : 1; i > 0; i--) {
    hm_arena *a = hm_arena_new();
    hm_store *s = NULL;
    hm_snapshot *snap;
    if (argc < 2 || hm_store_open(&s, argv[1], HM_STORE_READ, 0, &err) ||
        hm_store_snapshot(s, a, true, &snap, &err) || !hm_snapshot_digest(snap, a).n) {
      if (argc >= 2) hm_err_format_line(&err, line, sizeof line);
      fprintf(stderr, "read_store: %s\n", argc < 2 ? "which file?" : line);
      return 2;
    }
    hm_store_close(s);
    hm_arena_free(a);
  }
  return 0;
}
