/* The words by which a text is found: a rule so simple that a browser has it in twenty lines.
 *
 * There is no stem here: an index has the words as they are, and who searches looks for what begins
 * with the stem of the query. Code points are decomposed one by one; since marks are dropped, their
 * order does not matter. Library: utf8proc. */
#include "words.h"

#include <string.h>
#include <utf8proc.h>

#include "text.h"

enum { LONGEST = 32, WORD_BYTES = 4 * HM_WORD_CODE_POINTS };

typedef struct {
  char p[WORD_BYTES];
  size_t n;
  int points;
} growing_word;

typedef struct {
  growing_word own, all;             /* this one, and those of the chunk as one */
  int n;                     /* words of the chunk so far */
  uint32_t last;             /* the code point before, when it belongs to the word */
  bool stop;                 /* a full stop behind a digit waits for what follows */
  hm_word_fn *each;
  void *ctx;
} finder;

static void put(growing_word *w, uint32_t cp) {
  if (w->points == HM_WORD_CODE_POINTS) return;
  w->points++;
  if (cp < 128) {
    w->p[w->n++] = (char)cp;
    return;
  }
  w->n += (size_t)utf8proc_encode_char((int32_t)cp, (utf8proc_uint8_t *)w->p + w->n);
}

static void end_word(finder *f) {
  f->last = 0;
  f->stop = false;
  if (!f->own.points) return;
  f->n++;
  f->each(f->ctx, (hm_str){ f->own.p, f->own.n });
  f->own.n = 0;
  f->own.points = 0;
}

static void end_chunk(finder *f) {
  end_word(f);
  if (f->n > 1) f->each(f->ctx, (hm_str){ f->all.p, f->all.n });
  f->n = 0;
  f->all.n = 0;
  f->all.points = 0;
}

static bool is_digit(uint32_t cp) { return cp >= '0' && cp <= '9'; }

static hm_cp_class class_of(uint32_t cp) {
  if (cp >= 128) return hm_cp_classify((int32_t)cp);
  bool letter = (cp | 32) >= 'a' && (cp | 32) <= 'z';
  return letter || is_digit(cp) ? HM_CP_WORD
      : cp == ' ' || (cp >= '\t' && cp <= '\r') ? HM_CP_SPACE : HM_CP_OTHER;
}

static void take(finder *f, uint32_t cp) {
  hm_cp_class is = class_of(cp);
  if (is == HM_CP_MARK) return;
  if (is == HM_CP_SPACE) {
    end_chunk(f);
    return;
  }
  if (cp == '.' && is_digit(f->last) && !f->stop) {
    f->stop = true;
    return;
  }
  if (f->stop && !is_digit(cp)) end_word(f);
  if (is != HM_CP_WORD) {
    end_word(f);
    return;
  }
  if (cp < 128) cp += cp >= 'A' && cp <= 'Z' ? 32 : 0;
  else cp = (uint32_t)utf8proc_tolower((int32_t)cp);
  if (cp == 0x3c2) cp = 0x3c3;   /* a sigma at the end of a word is a sigma */
  if (f->stop) put(&f->own, '.'), put(&f->all, '.');
  f->stop = false;
  put(&f->own, cp);
  put(&f->all, cp);
  f->last = cp;
}

void hm_text_each_word(hm_str text, hm_word_fn *each, void *ctx) {
  finder f = { .each = each, .ctx = ctx };
  for (size_t i = 0; i < text.n;) {
    int32_t parts[LONGEST];
    int boundary = 0;
    uint32_t cp = (unsigned char)text.p[i] < 128 ? (unsigned char)text.p[i++]
                                                 : hm_text_next(text, &i);
    if (cp < 128) {
      take(&f, cp);
      continue;
    }
    utf8proc_ssize_t n =
        utf8proc_decompose_char((int32_t)cp, parts, LONGEST,
                                UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE, &boundary);
    if (n < 0 || n > LONGEST) parts[0] = (int32_t)cp, n = 1;
    for (utf8proc_ssize_t k = 0; k < n; k++) take(&f, (uint32_t)parts[k]);
  }
  end_chunk(&f);
}

bool hm_word_is_common(hm_str word) {
  enum { COMMON_MOST = 4 };
  static const char *const common[] = { "a",    "an", "and", "are", "as",  "at",   "be",   "by",
                                        "for",  "from", "has", "in", "is",  "it",   "its",  "of",
                                        "on",   "or", "that", "the", "this", "to", "was", "with" };
  if (!word.n || word.n > COMMON_MOST) return false;
  for (size_t i = 0; i < HM_COUNT(common); i++)
    if (*common[i] == *word.p && hm_str_is(word, common[i])) return true;
  return false;
}
