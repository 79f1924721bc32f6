#include <string.h>
#include "gen/cli/options.h"

enum { LONGEST = 64 };

static int least(int a, int b) { return a < b ? a : b; }

int hm_edit_distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  if (n > LONGEST || m > LONGEST) return 2 * LONGEST;
  int rows[3][LONGEST + 1];
  int *before = rows[0], *above = rows[1], *here = rows[2];
  for (size_t j = 0; j <= m; j++) above[j] = (int)j;
  for (size_t i = 1; i <= n; i++) {
    here[0] = (int)i;
    for (size_t j = 1; j <= m; j++) {
      int d = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], here[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d = least(d, before[j - 2] + 1);
      here[j] = d;
    }
    int *spare = before;
    before = above; above = here; here = spare;
  }
  return above[m];
}

const char *hm_nearest(const char *word, const char *(*next)(void *ctx, size_t i), void *ctx) {
  const char *best = NULL, *c;
  int limit = (int)strlen(word) >= 5 ? 2 : 1, least_d = limit + 1;
  if (strlen(word) < 2) return NULL;
  for (size_t i = 0; (c = next(ctx, i)); i++) {
    int d = hm_edit_distance(word, c);
    if (d < least_d) { least_d = d; best = c; }
  }
  return best;
}
