/* How much longer than by itself a test may take where a tool watches it:
 * HM_SLOW, as for the end-to-end tests. */
#ifndef CORE_BASE_SLOW_H
#define CORE_BASE_SLOW_H
#include <stdlib.h>

static double slowness(void) {
  const char *z = getenv("HM_SLOW");
  double slow = z ? atof(z) : 1;
  return slow > 1 ? slow : 1;
}
#endif
