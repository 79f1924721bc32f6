/* Names that may be meant by one that is not known, and texts that only look the same:
 * near_names.h.
 *
 * Cost: a distance is at most 64 x 64 steps; a look-alike is a binary search a character.
 * Source: optimal string alignment; Unicode's confusables.txt. */
#include "core/base/near_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/text.h"
#include "core/base/sort.h"

/* --- distance ------------------------------------------------------------------------ */

enum { LONGEST = 64 };

static int least(int a, int b) { return a < b ? a : b; }

int hm_edit_distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  if (n > LONGEST || m > LONGEST)
    return 2 * LONGEST;
  int rows[3][LONGEST + 1];
  int *before = rows[0], *above = rows[1], *here = rows[2];
  for (size_t j = 0; j <= m; j++)
    above[j] = (int)j;
  for (size_t i = 1; i <= n; i++) {
    here[0] = (int)i;
    for (size_t j = 1; j <= m; j++) {
      int d = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], here[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d = least(d, before[j - 2] + 1);
      here[j] = d;
    }
    int *spare = before;
    before = above;
    above = here;
    here = spare;
  }
  return above[m];
}

const char *hm_find_nearest_word(const char *word, const char *(*next)(void *ctx, size_t i),
                                 void *ctx) {
  const char *best = NULL, *c;
  int limit = (int)strlen(word) >= 5 ? 2 : 1, least_d = limit + 1;
  if (strlen(word) < 2)
    return NULL;
  for (size_t i = 0; (c = next(ctx, i)); i++) {
    int d = hm_edit_distance(word, c);
    if (d < least_d) {
      least_d = d;
      best = c;
    }
  }
  return best;
}

/* --- names --------------------------------------------------------------------- */

/* The next digit, or sign of a folded name. */
static char next_digit(const char **p) {
  while (**p && !strchr("0123456789+-#", **p))
    ++*p;
  return **p ? *(*p)++ : 0;
}

static bool same_digits(const char *a, const char *b) {
  char c;
  do {
    c = next_digit(&a);
    if (c != next_digit(&b))
      return false;
  } while (c);
  return true;
}

enum { SAME = 0, SLIP = 1, BEGINNING = 10, FAR = 20, SHORT = 3, LONG = 5 };

/* How far apart two folded names are, as the header has it. */
static int name_distance(hm_str name, hm_str known) {
  size_t n = name.n, m = known.n;
  int limit = (n < m ? n : m) >= LONG ? 2 : 1;
  if (hm_str_eq(name, known))
    return SAME;
  if (n >= SHORT && n <= m + 2 && m <= n + 2 && same_digits(name.p, known.p)) {
    int d = hm_edit_distance(name.p, known.p);
    if (d <= limit)
      return SLIP + d;
  }
  return n > 1 && m > n && memcmp(name.p, known.p, n) == 0 && known.p[n] == '_' ? BEGINNING : FAR;
}

hm_known_name hm_known_name_fold(hm_str name, hm_arena *a) {
  return (hm_known_name){ name, hm_str_dup(a, hm_text_fold_name(a, name)) };
}

hm_str hm_find_near_name(hm_str name, const hm_known_name *known, size_t n) {
  hm_arena *a = hm_arena_new();
  hm_str folded = hm_known_name_fold(name, a).folded, best = HM_EMPTY;
  int nearest = FAR;
  for (size_t i = 0; folded.n && i < n; i++) {
    int d = name_distance(folded, known[i].folded);
    if (d > nearest || d == FAR || (d == nearest && hm_str_cmp(known[i].name, best) >= 0))
      continue;
    nearest = d;
    best = known[i].name;
  }
  hm_arena_free(a);
  return best;
}

/* "type" in "entity_type". */
static bool has_word(hm_str name, hm_str word) {
  for (size_t i = 0; word.n && i + word.n <= name.n; i++) {
    size_t end = i + word.n;
    if (!memcmp(name.p + i, word.p, word.n) && (!i || name.p[i - 1] == '_') &&
        (end == name.n || name.p[end] == '_'))
      return true;
  }
  return false;
}

const char *hm_hint_names(hm_str word, const hm_str *names, size_t n, const char *known,
                          hm_arena *a) {
  hm_buf b = { 0 };
  hm_known_name *all = hm_alloc_array(a, n + 1, sizeof *all);
  for (size_t i = 0; i < n; i++)
    all[i] = hm_known_name_fold(names[i], a);
  hm_str folded = hm_text_fold_name(a, word), meant = hm_find_near_name(word, all, n);
  for (size_t i = 0; i < n && !meant.n; i++)
    if (has_word(all[i].folded, folded))
      meant = names[i];
  if (meant.n)
    hm_buf_fmt(&b, "did you mean '%.*s'?%s", HM_FMT(meant), known ? " " : "");
  if (known)
    hm_buf_c(&b, known);
  for (size_t i = 0; i < n && known; i++)
    hm_buf_fmt(&b, "%s%.*s", i ? ", " : "", HM_FMT(names[i]));
  return hm_str_z(a, hm_buf_take(&b, a));
}

/* --- look-alikes --------------------------------------------------------------------- */

/* Lower-case letters and signs of other scripts, and the Latin one that each looks like. From
 * Unicode's confusables.txt, what people do mix up: Cyrillic, Greek, dashes, quotes, spaces. */
typedef struct {
  uint32_t other, latin;
} look_alike;
static const look_alike look_alikes[] = {
  { 0x00A0, ' ' }, { 0x00AD, '-' }, { 0x00B4, '\'' }, { 0x00D7, 'x' },  { 0x0131, 'i' },
  { 0x03B1, 'a' }, { 0x03B3, 'y' }, { 0x03B5, 'e' },  { 0x03B6, 'z' },  { 0x03B7, 'h' },
  { 0x03B9, 'i' }, { 0x03BA, 'k' }, { 0x03BC, 'm' },  { 0x03BD, 'v' },  { 0x03BF, 'o' },
  { 0x03C1, 'p' }, { 0x03C4, 't' }, { 0x03C5, 'u' },  { 0x03C7, 'x' },  { 0x0430, 'a' },
  { 0x0432, 'b' }, { 0x0433, 'r' }, { 0x0435, 'e' },  { 0x043A, 'k' },  { 0x043C, 'm' },
  { 0x043D, 'h' }, { 0x043E, 'o' }, { 0x0440, 'p' },  { 0x0441, 'c' },  { 0x0442, 't' },
  { 0x0443, 'y' }, { 0x0445, 'x' }, { 0x044C, 'b' },  { 0x0455, 's' },  { 0x0456, 'i' },
  { 0x0458, 'j' }, { 0x0475, 'v' }, { 0x04BB, 'h' },  { 0x04CF, 'l' },  { 0x0501, 'd' },
  { 0x051B, 'q' }, { 0x051D, 'w' }, { 0x2010, '-' },  { 0x2011, '-' },  { 0x2012, '-' },
  { 0x2013, '-' }, { 0x2014, '-' }, { 0x2018, '\'' }, { 0x2019, '\'' }, { 0x201C, '"' },
  { 0x201D, '"' }, { 0x2212, '-' },
};

static uint32_t latin_of(uint32_t cp) {
  const look_alike *e =
      bsearch(&cp, look_alikes, HM_COUNT(look_alikes), sizeof *look_alikes, hm_order_u32);
  return e ? e->latin : cp;
}

hm_str hm_find_lookalike_letters(hm_arena *a, hm_str x, hm_str y, size_t most) {
  hm_buf b = { 0 };
  size_t i = 0, k = 0, n = 0;
  bool alike = true;
  while (i < x.n && k < y.n && alike) {
    uint32_t c = hm_text_next(x, &i), d = hm_text_next(y, &k);
    alike = latin_of(c) == latin_of(d);
    if (c == d || !alike || n++ >= most)
      continue;
    hm_buf_fmt(&b, "%sU+%04" PRIX32 " / U+%04" PRIX32, b.n ? ", " : "", c, d);
  }
  alike = alike && i == x.n && k == y.n;
  if (!alike)
    hm_buf_clear(&b);
  return hm_buf_take(&b, a);
}
