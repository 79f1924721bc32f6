#include "core/base/near.h"
#include <string.h>
#include "core/base/text.h"

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
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d = least(d, before[j - 2] + 1);
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

/* --- names --------------------------------------------------------------------- */

static char next_digit(const char **p) {
  while (**p && (**p < '0' || **p > '9')) ++*p;
  return **p ? *(*p)++ : 0;
}

static bool same_digits(const char *a, const char *b) {
  char c;
  do {
    c = next_digit(&a);
    if (c != next_digit(&b)) return false;
  } while (c);
  return true;
}

enum { SAME = 0, SLIP = 1, BEGINNING = 10, FAR = 20, SHORT = 3, LONG = 5 };

/* How far apart two folded names are, as the header has it. */
static int apart(hm_str name, hm_str known) {
  size_t n = name.n, m = known.n;
  int limit = n >= LONG ? 2 : 1;
  if (hm_str_eq(name, known)) return SAME;
  if (n >= SHORT && n <= m + 2 && m <= n + 2 && same_digits(name.p, known.p)) {
    int d = hm_edit_distance(name.p, known.p);
    if (d <= limit) return SLIP + d;
  }
  return n > 1 && m > n && memcmp(name.p, known.p, n) == 0 && known.p[n] == '_' ? BEGINNING : FAR;
}

hm_known_name hm_known_name_of(hm_str name, hm_arena *a) {
  return (hm_known_name){ name, hm_str_dup(a, hm_text_name(a, name)) };
}

hm_str hm_near_name(hm_str name, const hm_known_name *known, size_t n) {
  hm_arena *a = hm_arena_new();
  hm_str folded = hm_known_name_of(name, a).folded, best = HM_EMPTY;
  int least_apart = FAR;
  for (size_t i = 0; folded.n && i < n; i++) {
    int d = apart(folded, known[i].folded);
    if (d > least_apart || d == FAR || (d == least_apart && hm_str_cmp(known[i].name, best) >= 0))
      continue;
    least_apart = d;
    best = known[i].name;
  }
  hm_arena_free(a);
  return best;
}
