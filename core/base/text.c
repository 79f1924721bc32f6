/* Unicode text: text.h.
 *
 * ASCII, which most text is, has a path of its own. Normal forms are made here and not by
 * utf8proc_map, which sorts combining marks by swapping neighbours: 1 MB of marks in the wrong
 * order takes it minutes. Cost: linear in the bytes, whatever they are.
 * Source: Unicode 15, sections 3.9 (UTF-8) and 3.11 (normal forms). */
#include "core/base/text.h"

#include <libstemmer.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "core/base/ascii.h"
#include "core/base/camel.h"
#include "core/base/digest.h"

/* --- UTF-8 --------------------------------------------------------------------------- */

/* What may follow a lead byte (Unicode 15, table 3-7): the range of the second
 * byte differs for some leads, all further ones are 80..BF. */
typedef struct {
  unsigned char from, to, tail, low, high, bits;
} lead_rule;
static const lead_rule leads[] = {
  { 0xC2, 0xDF, 1, 0x80, 0xBF, 0x1F }, { 0xE0, 0xE0, 2, 0xA0, 0xBF, 0x0F },
  { 0xE1, 0xEC, 2, 0x80, 0xBF, 0x0F }, { 0xED, 0xED, 2, 0x80, 0x9F, 0x0F },
  { 0xEE, 0xEF, 2, 0x80, 0xBF, 0x0F }, { 0xF0, 0xF0, 3, 0x90, 0xBF, 0x07 },
  { 0xF1, 0xF3, 3, 0x80, 0xBF, 0x07 }, { 0xF4, 0xF4, 3, 0x80, 0x8F, 0x07 },
};

size_t hm_utf8_step(hm_str s, size_t i, uint32_t *cp) {
  const unsigned char *p = (const unsigned char *)s.p + i;
  *cp = p[0];
  if (p[0] < 0x80)
    return 1;
  *cp = HM_BAD_BYTES;
  const lead_rule *r = leads, *end = leads + HM_COUNT(leads);
  while (r < end && (p[0] < r->from || p[0] > r->to))
    r++;
  if (r == end)
    return 1;
  uint32_t v = p[0] & r->bits;
  unsigned char low = r->low, high = r->high;
  for (size_t k = 1; k <= r->tail; k++) {
    if (i + k >= s.n || p[k] < low || p[k] > high)
      return k;
    v = v << 6 | (p[k] & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  *cp = v;
  return (size_t)r->tail + 1;
}

/* Length of the ASCII at the beginning of s. */
static size_t ascii_prefix(hm_str s) {
  size_t i = 0;
  for (uint64_t w; i + sizeof w <= s.n; i += sizeof w) {
    memcpy(&w, s.p + i, sizeof w);
    if (w & 0x8080808080808080u)
      break;
  }
  while (i < s.n && !(s.p[i] & 0x80))
    i++;
  return i;
}

size_t hm_text_valid_prefix(hm_str s) {
  size_t i = 0;
  while (i < s.n) {
    i += ascii_prefix((hm_str){ s.p + i, s.n - i });
    if (i == s.n)
      break;
    uint32_t cp;
    size_t step = hm_utf8_step(s, i, &cp);
    if (cp == HM_BAD_BYTES)
      return i;
    i += step;
  }
  return i;
}

hm_str hm_text_repair(hm_arena *a, hm_str s) {
  size_t good = hm_text_valid_prefix(s);
  if (good == s.n)
    return s;
  hm_buf b = { 0 };
  while (s.n) {
    hm_buf_add(&b, s.p, good);
    s = hm_str_sub(s, good, s.n);
    if (!s.n)
      break;
    uint32_t cp;
    s = hm_str_sub(s, hm_utf8_step(s, 0, &cp), s.n);
    hm_text_append(&b, HM_REPLACEMENT);
    good = hm_text_valid_prefix(s);
  }
  return hm_buf_take(&b, a);
}

uint32_t hm_text_next(hm_str s, size_t *i) {
  uint32_t cp;
  if (*i >= s.n)
    return HM_REPLACEMENT;
  *i += hm_utf8_step(s, *i, &cp);
  return cp == HM_BAD_BYTES ? HM_REPLACEMENT : cp;
}

/* Writes cp (U+FFFD for what is no scalar value) and returns its bytes. */
static size_t utf8_encode(char out[4], uint32_t cp) {
  if (cp < 0x80) {
    out[0] = (char)cp;
    return 1;
  }
  if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
    cp = HM_REPLACEMENT;
  size_t n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
  static const unsigned char mark[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
  for (size_t k = n - 1; k > 0; k--, cp >>= 6)
    out[k] = (char)(0x80 | (cp & 0x3F));
  out[0] = (char)(mark[n] | cp);
  return n;
}

void hm_text_append(hm_buf *b, uint32_t cp) {
  char bytes[4];
  hm_buf_add(b, bytes, utf8_encode(bytes, cp));
}

hm_str hm_text_cut(hm_str s, size_t max) {
  if (s.n <= max)
    return s;
  for (size_t back = 1; back <= 3 && back <= max; back++) {
    if ((s.p[max - back] & 0xC0) == 0x80)
      continue;
    uint32_t cp;
    size_t step = hm_utf8_step(s, max - back, &cp);
    if (step > back && cp != HM_BAD_BYTES)
      return hm_str_sub(s, 0, max - back);
    break;
  }
  return hm_str_sub(s, 0, max);
}

static const struct {
  uint32_t from, to;
} hidden[] = {
  { 0x0000, 0x001F },   { 0x007F, 0x009F }, { 0x00AD, 0x00AD }, { 0x034F, 0x034F },
  { 0x061C, 0x061C },   { 0x115F, 0x1160 }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180F },
  { 0x200B, 0x200F },   { 0x2028, 0x202E }, { 0x2060, 0x206F }, { 0x3164, 0x3164 },
  { 0xFDD0, 0xFDEF },   { 0xFEFF, 0xFEFF }, { 0xFFA0, 0xFFA0 }, { 0xFFF9, 0xFFFB },
  { 0xE0000, 0xE0FFF },
};

bool hm_cp_is_hidden(uint32_t cp) {
  if (cp >= 0x20 && cp < 0x7F)
    return false;
  if ((cp & 0xFFFE) == 0xFFFE)
    return true; /* the last two of each plane */
  for (size_t i = 0; i < HM_COUNT(hidden) && hidden[i].from <= cp; i++)
    if (cp <= hidden[i].to)
      return true;
  return false;
}

/* --- normal forms -------------------------------------------------------------------- */

/* The longest full decomposition of one code point (U+FDFA) has 18. */
enum { LONGEST = 32, SHORT_RUN = 16, CLASSES = 256 };

/* Code points, owned (free p). */
typedef struct {
  int32_t *p;
  size_t n, cap;
} code_points;

static void reserve_code_points(code_points *c, size_t n) {
  if (n <= c->cap - c->n)
    return;
  c->cap = c->cap * 2 + n + 32;
  c->p = hm_xrealloc(c->p, c->cap * sizeof *c->p);
}

static void decompose_one(code_points *out, int32_t cp, utf8proc_option_t how) {
  reserve_code_points(out, LONGEST);
  int boundary = 0;
  utf8proc_ssize_t n = utf8proc_decompose_char(cp, out->p + out->n, LONGEST, how, &boundary);
  if (n < 0 || n > LONGEST) {
    out->p[out->n] = cp;
    n = 1;
  }
  out->n += (size_t)n;
}

static int mark_class(int32_t cp) {
  return cp < 0x300 ? 0 : utf8proc_get_property(cp)->combining_class;
}

static void sort_short(int32_t *p, size_t n) {
  for (size_t i = 1; i < n; i++) {
    int32_t cp = p[i];
    int c = mark_class(cp);
    size_t j = i;
    for (; j > 0 && mark_class(p[j - 1]) > c; j--)
      p[j] = p[j - 1];
    p[j] = cp;
  }
}

static void sort_long(int32_t *p, size_t n) {
  size_t at[CLASSES + 1] = { 0 };
  int32_t *copy = hm_xmalloc(n * sizeof *copy);
  memcpy(copy, p, n * sizeof *copy);
  for (size_t i = 0; i < n; i++)
    at[mark_class(copy[i]) + 1]++;
  for (size_t c = 0; c < CLASSES; c++)
    at[c + 1] += at[c];
  for (size_t i = 0; i < n; i++)
    p[at[mark_class(copy[i])]++] = copy[i];
  free(copy);
}

/* Canonical order: each run of marks, stable by combining class. */
static void reorder(code_points *c) {
  for (size_t i = 0; i < c->n; i++) {
    if (!mark_class(c->p[i]))
      continue;
    size_t from = i;
    while (i < c->n && mark_class(c->p[i]))
      i++;
    (i - from <= SHORT_RUN ? sort_short : sort_long)(c->p + from, i - from);
  }
}

/* Normal form D, or with UTF8PROC_COMPAT KD. */
static code_points decompose(hm_str s, utf8proc_option_t how) {
  code_points out = { 0 };
  reserve_code_points(&out, s.n + LONGEST);
  for (size_t i = 0; i < s.n;)
    decompose_one(&out, (int32_t)hm_text_next(s, &i), how);
  reorder(&out);
  return out;
}

/* NFKC of the full case folding of s. Idempotent. Canonical order comes before folding, since
 * folding turns one mark (U+0345) into a letter, which would then block marks that belong before
 * it. */
static code_points fold_nfkc(hm_str s) {
  code_points in = decompose(s, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE), out = { 0 };
  reserve_code_points(&out, in.n + LONGEST);
  for (size_t i = 0; i < in.n; i++)
    decompose_one(&out, in.p[i],
                  UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  free(in.p);
  reorder(&out);
  utf8proc_ssize_t n =
      utf8proc_normalize_utf32(out.p, (utf8proc_ssize_t)out.n, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  if (n >= 0)
    out.n = (size_t)n;
  return out;
}

bool hm_cp_is_unspaced(uint32_t cp) {
  static const struct {
    uint32_t first, last;
  } scripts[] = { { 0x0e00, 0x0eff }, { 0x1000, 0x109f }, { 0x1780, 0x17ff },  { 0x3005, 0x3007 },
                  { 0x3040, 0x30ff }, { 0x31f0, 0x31ff }, { 0x3400, 0x4dbf },  { 0x4e00, 0x9fff },
                  { 0xf900, 0xfaff }, { 0xff66, 0xff9f }, { 0x20000, 0x3ffff } };
  size_t i = 0;
  while (i < HM_COUNT(scripts) && cp > scripts[i].last)
    i++;
  return i < HM_COUNT(scripts) && cp >= scripts[i].first &&
      hm_cp_classify((int32_t)cp) == HM_CP_WORD;
}

hm_cp_class hm_cp_classify(int32_t cp) {
  if ((cp >= '\t' && cp <= '\r') || cp == 0x85)
    return HM_CP_SPACE;
  switch (utf8proc_category(cp)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return HM_CP_WORD;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return HM_CP_MARK;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return HM_CP_SPACE;
    default:
      return HM_CP_OTHER;
  }
}

/* --- names and values ---------------------------------------------------------------- */

/* Frees c. Writes over the code points that it has read: none has more than 4 bytes. */
static hm_str as_utf8(hm_arena *a, code_points c) {
  char *p = (char *)c.p;
  size_t n = 0;
  for (size_t i = 0; i < c.n; i++)
    n += utf8_encode(p + n, (uint32_t)c.p[i]);
  hm_str out = hm_str_dup(a, (hm_str){ p, n });
  free(c.p);
  return out;
}

/* NFKC of s with its case folded. ASCII is returned as it is: there, folding is lower-casing, which
 * the callers do. */
static hm_str fold_wide(hm_arena *a, hm_str s) {
  return ascii_prefix(s) == s.n ? s : as_utf8(a, fold_nfkc(s));
}

hm_str hm_text_decompose(hm_arena *a, hm_str s) {
  return ascii_prefix(s) == s.n
      ? s
      : as_utf8(a, decompose(s, UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE));
}

hm_str hm_text_lower(hm_arena *a, hm_str s) {
  code_points c = decompose(s, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
  for (size_t i = 0; i < c.n; i++)
    c.p[i] = utf8proc_tolower(c.p[i]);
  reorder(&c);
  utf8proc_ssize_t n =
      utf8proc_normalize_utf32(c.p, (utf8proc_ssize_t)c.n, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  if (n >= 0)
    c.n = (size_t)n;
  return as_utf8(a, c);
}

/* The role of a character in a name. OPENS: the next character begins a word, so a sign there
 * belongs to that word; QUOTE: likewise, if the quote itself could begin one; CLOSES: anything else
 * between words. */
typedef enum { CLOSES, OPENS, QUOTE, LETTER, DIGIT, PLUS, MINUS, SHARP } name_part;

static const unsigned char name_ascii[128] = {
  ['\t' ... '\r'] = OPENS, [' '] = OPENS,          ['_'] = OPENS,          ['('] = OPENS,
  ['['] = OPENS,           ['{'] = OPENS,          ['<'] = OPENS,          ['/'] = OPENS,
  [':'] = OPENS,           ['='] = OPENS,          [','] = OPENS,          [';'] = OPENS,
  ['|'] = OPENS,           ['"'] = QUOTE,          ['\''] = QUOTE,         ['`'] = QUOTE,
  ['0' ... '9'] = DIGIT,   ['A' ... 'Z'] = LETTER, ['a' ... 'z'] = LETTER, ['+'] = PLUS,
  ['-'] = MINUS,           ['#'] = SHARP,
};

static name_part wide_part(uint32_t cp) {
  if (cp == 0x2212 || cp == 0x2013)
    return MINUS;
  if (cp == 0x266F)
    return SHARP;
  switch (utf8proc_category((int32_t)cp)) {
    case UTF8PROC_CATEGORY_ND:
      return DIGIT;
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PI:
      return OPENS;
    default:
      break;
  }
  hm_cp_class c = hm_cp_classify((int32_t)cp);
  return c == HM_CP_WORD || c == HM_CP_MARK ? LETTER : c == HM_CP_SPACE ? OPENS : CLOSES;
}

/* The part at i, and where the next one begins. At the end: CLOSES. */
static name_part part_at(hm_str s, size_t i, size_t *next) {
  *next = i + 1;
  if (i >= s.n)
    return CLOSES;
  if (!(s.p[i] & 0x80))
    return name_ascii[(unsigned char)s.p[i]];
  *next = i;
  return wide_part(hm_text_next(s, next));
}

static bool is_word(name_part k) { return k == LETTER || k == DIGIT; }

/* The signs that end a word: a run of + and # at its end, or two or more inside ("C++11"). Returns
 * their number; *end: where they end. */
static size_t end_signs(hm_str s, size_t i, size_t *end) {
  size_t run = 0, next;
  name_part k;
  while ((k = part_at(s, i, &next)) == PLUS || k == SHARP)
    i = next, run++;
  *end = i;
  return run > 1 || !is_word(k) ? run : 0;
}

hm_str hm_text_fold_name(hm_arena *a, hm_str s) {
  s = fold_wide(a, hm_text_split_camel(a, s));
  /* "C++11" grows by the '_' behind its signs. */
  bool grows = s.n && (memchr(s.p, '+', s.n) || memchr(s.p, '#', s.n));
  char *p = hm_alloc(a, s.n + (grows ? s.n / 3 : 0) + 1);
  size_t n = 0, next, end;
  bool gap = false, opens = true;
  for (size_t i = 0; i < s.n; i = next) {
    name_part k = part_at(s, i, &next);
    if (is_word(k) && !gap) { /* most parts: the word goes on */
      opens = false;
      for (; i < next; i++)
        p[n++] = hm_ascii_lower(s.p[i]);
      continue;
    }
    bool begins = opens && (k == PLUS || k == MINUS) && part_at(s, next, &end) == DIGIT;
    if (is_word(k) || begins) {
      if (gap && n)
        p[n++] = '_';
      gap = opens = false;
      if (begins)
        p[n++] = k == PLUS ? '+' : '-';
      else
        for (; i < next; i++)
          p[n++] = hm_ascii_lower(s.p[i]);
      continue;
    }
    if ((k == PLUS || k == SHARP) && n && !gap) {
      for (size_t signs = end_signs(s, i, &end); signs; signs--, i = next)
        p[n++] = part_at(s, i, &next) == PLUS ? '+' : '#';
      next = end;
    }
    gap = true;
    opens = k == OPENS || (opens && k == QUOTE);
  }
  return (hm_str){ p, n };
}

hm_str hm_text_refold_name(hm_arena *a, hm_str s) {
  bool gap = true; /* no '_' at the beginning, none after another */
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    bool word = hm_is_lower(c) || hm_is_digit(c);
    if (!word && (c != '_' || gap))
      return hm_text_fold_name(a, s);
    gap = !word;
  }
  return gap && s.n ? hm_text_fold_name(a, s) : s;
}

hm_str hm_text_strip_name_signs(hm_arena *a, hm_str name) {
  char *p = hm_alloc(a, name.n + 1);
  size_t n = 0;
  for (size_t i = 0; i < name.n; i++)
    if (name.p[i] != '+' && name.p[i] != '-' && name.p[i] != '#')
      p[n++] = name.p[i];
  return n == name.n ? name : (hm_str){ p, n };
}

/* White space becomes one space between words. */
hm_str hm_text_fold_value(hm_arena *a, hm_str s) {
  s = fold_wide(a, s);
  char *p = hm_alloc(a, s.n + 1);
  size_t n = 0;
  bool gap = false;
  for (size_t i = 0, next; i < s.n; i = next) {
    uint32_t cp = (unsigned char)s.p[next = i];
    if (cp < 0x80)
      next++;
    else
      cp = hm_text_next(s, &next);
    if (cp < 0x80 ? cp == ' ' || (cp >= '\t' && cp <= '\r')
                  : hm_cp_classify((int32_t)cp) == HM_CP_SPACE) {
      gap = n > 0;
      continue;
    }
    if (gap)
      p[n++] = ' ';
    gap = false;
    for (; i < next; i++)
      p[n++] = hm_ascii_lower(s.p[i]);
  }
  if (n && p[n - 1] == '.')
    n--;
  if (n && p[n - 1] == ' ')
    n--;
  return (hm_str){ p, n };
}

/* --- stems --------------------------------------------------------------------------- */

/* Longer than any word that has an ending to lose. */
enum { WORD_MAX = 128 };

hm_stemmer *hm_stemmer_new(void) { return sb_stemmer_new("english", "UTF_8"); }

void hm_stemmer_free(hm_stemmer *s) { sb_stemmer_delete(s); }

hm_str hm_stemmer_stem(hm_stemmer *s, hm_arena *a, hm_str word) {
  word = hm_text_repair(a, word);
  const sb_symbol *p = NULL;
  if (s && word.n <= WORD_MAX)
    p = sb_stemmer_stem(s, (const sb_symbol *)word.p, (int)word.n);
  return hm_str_dup(a, p ? (hm_str){ (const char *)p, (size_t)sb_stemmer_length(s) } : word);
}

hm_str hm_text_stem(hm_arena *a, hm_str word) {
  hm_stemmer *s = hm_stemmer_new();
  hm_str stem = hm_stemmer_stem(s, a, word);
  hm_stemmer_free(s);
  return stem;
}

bool hm_text_has_word(hm_str s) {
  uint32_t cp;
  for (size_t i = 0; i < s.n; i += hm_utf8_step(s, i, &cp)) {
    hm_utf8_step(s, i, &cp);
    if (hm_cp_classify((int32_t)cp) == HM_CP_WORD)
      return true;
  }
  return false;
}

bool hm_text_has_digit(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (hm_is_digit(s.p[i]))
      return true;
  return false;
}

static bool is_sign(char c) { return !hm_is_alnum(c) && !(c & 0x80) && c != '+' && c != '#'; }

bool hm_text_has_same_letters(hm_str x, hm_str y) {
  for (size_t i = 0, k = 0;; i++, k++) {
    while (i < x.n && is_sign(x.p[i]))
      i++;
    while (k < y.n && is_sign(y.p[k]))
      k++;
    if (i == x.n || k == y.n)
      return i == x.n && k == y.n;
    if (hm_ascii_lower(x.p[i]) != hm_ascii_lower(y.p[k]))
      return false;
  }
}
