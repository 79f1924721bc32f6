/* Letters with accents: latin.h. Source: Unicode decompositions; DIN 5007-2 and Nordic usage for
 * "ae", "oe", "ue" and "aa". */
#include "core/base/latin.h"

#include "core/base/ascii.h"
#include "core/base/text.h"

/* Sorted. */
static const struct {
  uint32_t cp;
  const char *latin;
} LATIN[] = {
  { 0xC6, "ae" },  { 0xD0, "d" },  { 0xD8, "o" },   { 0xDE, "th" },   { 0xDF, "ss" },
  { 0xE6, "ae" },  { 0xF0, "d" },  { 0xF8, "o" },   { 0xFE, "th" },   { 0x110, "d" },
  { 0x111, "d" },  { 0x126, "h" }, { 0x127, "h" },  { 0x131, "i" },   { 0x138, "k" },
  { 0x141, "l" },  { 0x142, "l" }, { 0x14A, "ng" }, { 0x14B, "ng" },  { 0x152, "oe" },
  { 0x153, "oe" }, { 0x166, "t" }, { 0x167, "t" },  { 0x1E9E, "ss" },
};

const char *hm_latin_form(uint32_t cp) {
  for (size_t i = 0; i < HM_COUNT(LATIN); i++)
    if (LATIN[i].cp == cp)
      return LATIN[i].latin;
  return NULL;
}

/* Of a decomposed text. marks: all behind it, as one number. */
typedef struct {
  uint32_t cp, marks;
} letter;

static letter next_letter(hm_str s, size_t *i) {
  letter l = { hm_text_next(s, i), 0 };
  for (size_t next = *i; *i < s.n; *i = next) {
    uint32_t cp = hm_text_next(s, &next);
    if (cp < 0x80 || hm_cp_classify((int32_t)cp) != HM_CP_MARK)
      break;
    l.marks = l.marks * 0x101 + cp;
  }
  return l;
}

/* The letter that may follow the plain one of l, as in "ue" of ü; 0: none. */
static char second_letter(const letter *l) {
  enum { UMLAUT = 0x308, RING = 0x30A, SLASHED = 0xF8, SLASHED_CAPITAL = 0xD8 };
  if (l->marks == UMLAUT || l->cp == SLASHED || l->cp == SLASHED_CAPITAL)
    return 'e';
  return l->marks == RING ? 'a' : 0;
}

/* Does s, behind the letter plain, write the accented letter l, behind which rest stands? Moves *i
 * past what more it takes. */
static bool writes_plainly(hm_str s, size_t *i, uint32_t plain, const letter *l, hm_str rest) {
  const char *form = hm_latin_form(l->cp);
  char base = (char)(l->cp < 0x80 ? l->cp : 0), second = second_letter(l);
  if (form ? form[0] != hm_ascii_lower((char)plain) : !base || plain != l->cp)
    return false;
  if (form && form[1])
    return hm_ascii_lower(hm_char_at(s, *i, form[1]) ? s.p[(*i)++] : 0) == form[1];
  *i += second && *i < s.n && hm_ascii_lower(s.p[*i]) == second && !hm_char_at(rest, 0, second);
  return true;
}

static bool same_letters(hm_str x, hm_str y) {
  bool plain_x = false, plain_y = false;
  size_t i = 0, k = 0;
  while (i < x.n && k < y.n) {
    letter a = next_letter(x, &i), b = next_letter(y, &k);
    if (a.cp == b.cp && a.marks == b.marks)
      continue;
    bool plain_a = a.cp < 0x80 && !a.marks, plain_b = b.cp < 0x80 && !b.marks;
    plain_x |= plain_a;
    plain_y |= plain_b;
    if (plain_a == plain_b || (plain_x && plain_y))
      return false;
    if (plain_a ? !writes_plainly(x, &i, a.cp, &b, hm_str_sub(y, k, y.n))
                : !writes_plainly(y, &k, b.cp, &a, hm_str_sub(x, i, x.n)))
      return false;
  }
  return i == x.n && k == y.n;
}

bool hm_latin_same(hm_str x, hm_str y) {
  bool wide = false;
  for (size_t i = 0; i < x.n; i++)
    wide |= x.p[i] & 0x80;
  for (size_t i = 0; i < y.n; i++)
    wide |= y.p[i] & 0x80;
  if (!wide)
    return hm_str_eq(x, y);
  hm_arena *scratch = hm_arena_new();
  bool same = same_letters(hm_text_decompose(scratch, x), hm_text_decompose(scratch, y));
  hm_arena_free(scratch);
  return same;
}
