#include "core/base/look_alike.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/text.h"

/* Lower-case letters and signs of other scripts, and the Latin one that each looks like. From
 * Unicode's confusables.txt, what people do mix up: Cyrillic, Greek, dashes, quotes, spaces. */
typedef struct { uint32_t other, latin; } pair;
static const pair TABLE[] = {
  { 0x00A0, ' ' }, { 0x00AD, '-' }, { 0x00B4, '\'' }, { 0x00D7, 'x' }, { 0x0131, 'i' },
  { 0x03B1, 'a' },
  { 0x03B3, 'y' }, { 0x03B5, 'e' }, { 0x03B6, 'z' }, { 0x03B7, 'h' }, { 0x03B9, 'i' },
  { 0x03BA, 'k' },
  { 0x03BC, 'm' }, { 0x03BD, 'v' }, { 0x03BF, 'o' }, { 0x03C1, 'p' }, { 0x03C4, 't' },
  { 0x03C5, 'u' },
  { 0x03C7, 'x' }, { 0x0430, 'a' }, { 0x0432, 'b' }, { 0x0433, 'r' }, { 0x0435, 'e' },
  { 0x043A, 'k' },
  { 0x043C, 'm' }, { 0x043D, 'h' }, { 0x043E, 'o' }, { 0x0440, 'p' }, { 0x0441, 'c' },
  { 0x0442, 't' },
  { 0x0443, 'y' }, { 0x0445, 'x' }, { 0x044C, 'b' }, { 0x0455, 's' }, { 0x0456, 'i' },
  { 0x0458, 'j' },
  { 0x0475, 'v' }, { 0x04BB, 'h' }, { 0x04CF, 'l' }, { 0x0501, 'd' }, { 0x051B, 'q' },
  { 0x051D, 'w' },
  { 0x2010, '-' }, { 0x2011, '-' }, { 0x2012, '-' }, { 0x2013, '-' }, { 0x2014, '-' },
  { 0x2018, '\'' },
  { 0x2019, '\'' }, { 0x201C, '"' }, { 0x201D, '"' }, { 0x2212, '-' },
};

static int by_code(const void *key, const void *entry) {
  uint32_t a = *(const uint32_t *)key, b = ((const pair *)entry)->other;
  return (a > b) - (a < b);
}

static uint32_t latin_of(uint32_t cp) {
  const pair *e = bsearch(&cp, TABLE, sizeof TABLE / sizeof *TABLE, sizeof *TABLE, by_code);
  return e ? e->latin : cp;
}

hm_str hm_look_alike(hm_arena *a, hm_str x, hm_str y, size_t most) {
  hm_buf b = { 0 };
  size_t i = 0, k = 0, n = 0;
  bool alike = true;
  while (i < x.n && k < y.n && alike) {
    uint32_t c = hm_text_next(x, &i), d = hm_text_next(y, &k);
    alike = latin_of(c) == latin_of(d);
    if (c == d || !alike || n++ >= most) continue;
    hm_buf_fmt(&b, "%sU+%04" PRIX32 " / U+%04" PRIX32, b.n ? ", " : "", c, d);
  }
  alike = alike && i == x.n && k == y.n;
  hm_str out = alike ? hm_buf_keep(&b, a) : HM_EMPTY;
  hm_buf_free(&b);
  return out;
}
