/* Splits a text into search words, by a rule so simple that a browser has it in twenty lines.
 *
 * No stemming: an index has the words as they are, and a search looks for words that begin with the
 * stem of the query. Code points are decomposed one by one; since marks are dropped, their order
 * does not matter. Library: utf8proc. */
#include "words.h"

#include <string.h>
#include <utf8proc.h>

#include "core/base/ascii.h"
#include "text.h"

enum { LONGEST = 32, WORD_BYTES = 4 * HM_WORD_CODE_POINTS };

/* The words of a chunk are stored one after another, so together they are the joined word. */
typedef struct {
  char p[2 * WORD_BYTES];
  size_t own, end; /* this word: [own, end) of p */
  int own_points;
  size_t all; /* the chunk as one: [0, all) of p */
  int all_points;
  int n;           /* words of the chunk so far */
  uint32_t last;   /* the code point before, when it belongs to the word */
  bool stop;       /* a full stop behind a digit waits for what follows */
  uint32_t of_run; /* the code point before, of a script without spaces; 0: none */
  bool paired;     /* that one has been a part of a pair */
  hm_word_fn *each;
  void *ctx;
} finder;

static void put(finder *f, uint32_t cp) {
  if (f->own_points == HM_WORD_CODE_POINTS)
    return;
  f->own_points++;
  if (cp < 128)
    f->p[f->end++] = (char)cp;
  else
    f->end += (size_t)utf8proc_encode_char((int32_t)cp, (utf8proc_uint8_t *)f->p + f->end);
  if (f->all_points == HM_WORD_CODE_POINTS)
    return;
  f->all_points++;
  f->all = f->end;
}

static void give_points(finder *f, uint32_t first, uint32_t second) {
  char p[8];
  size_t n = (size_t)utf8proc_encode_char((int32_t)first, (utf8proc_uint8_t *)p);
  if (second)
    n += (size_t)utf8proc_encode_char((int32_t)second, (utf8proc_uint8_t *)p + n);
  f->each(f->ctx, (hm_str){ p, n });
}

static void end_run(finder *f) {
  if (f->of_run && !f->paired)
    give_points(f, f->of_run, 0);
  f->of_run = 0;
  f->paired = false;
}

/* Cuts the joined chunk if it has no more room. */
static void end_word(finder *f) {
  f->last = 0;
  f->stop = false;
  if (!f->own_points)
    return;
  f->n++;
  f->each(f->ctx, (hm_str){ f->p + f->own, f->end - f->own });
  f->own = f->end = f->all;
  f->own_points = 0;
}

static void end_chunk(finder *f) {
  end_word(f);
  if (f->n > 1)
    f->each(f->ctx, (hm_str){ f->p, f->all });
  f->n = 0;
  f->own = f->end = f->all = 0;
  f->all_points = 0;
}

/* A letter of a script without spaces: a word with the one before it. */
static void take_unspaced(finder *f, uint32_t cp) {
  end_chunk(f);
  if (f->of_run)
    give_points(f, f->of_run, cp);
  f->paired = f->of_run != 0;
  f->of_run = cp;
}

static bool is_digit(uint32_t cp) { return cp >= '0' && cp <= '9'; }

/* A letter or digit of ASCII in lower case, else 0. */
static char word_char(char c) { return hm_is_alnum(c) ? hm_ascii_lower(c) : 0; }

/* The run of such characters that begins at i; returns where it ends. */
static size_t take_run(finder *f, hm_str text, size_t i) {
  char c = word_char(text.p[i]);
  end_run(f);
  if (f->stop && !is_digit((unsigned char)c))
    end_word(f);
  if (f->stop)
    put(f, '.');
  f->stop = false;
  int points = f->own_points;
  for (; i < text.n && (c = word_char(text.p[i])) != 0; i++)
    if (f->own_points < HM_WORD_CODE_POINTS)
      f->p[f->end++] = c, f->own_points++;
  int more = f->own_points - points, room = HM_WORD_CODE_POINTS - f->all_points;
  f->all += (size_t)(more < room ? more : room);
  f->all_points += more < room ? more : room;
  f->last = (unsigned char)text.p[i - 1];
  return i;
}

static hm_cp_class class_of(uint32_t cp) {
  if (cp >= 128)
    return hm_cp_classify((int32_t)cp);
  bool letter = (cp | 32) >= 'a' && (cp | 32) <= 'z';
  return letter || is_digit(cp)                 ? HM_CP_WORD
      : cp == ' ' || (cp >= '\t' && cp <= '\r') ? HM_CP_SPACE
                                                : HM_CP_OTHER;
}

static void take(finder *f, uint32_t cp) {
  hm_cp_class is = class_of(cp);
  if (is == HM_CP_MARK)
    return;
  if (hm_cp_is_unspaced(cp)) {
    take_unspaced(f, cp);
    return;
  }
  end_run(f);
  if (is == HM_CP_SPACE) {
    end_chunk(f);
    return;
  }
  if (cp == '.' && is_digit(f->last) && !f->stop) {
    f->stop = true;
    return;
  }
  if (f->stop && !is_digit(cp))
    end_word(f);
  if (is != HM_CP_WORD) {
    end_word(f);
    return;
  }
  if (cp < 128)
    cp += cp >= 'A' && cp <= 'Z' ? 32 : 0;
  else
    cp = (uint32_t)utf8proc_tolower((int32_t)cp);
  if (cp == 0x3c2)
    cp = 0x3c3; /* a sigma at the end of a word is a sigma */
  if (f->stop)
    put(f, '.');
  f->stop = false;
  put(f, cp);
  f->last = cp;
}

void hm_text_each_word(hm_str text, hm_word_fn *each, void *ctx) {
  finder f = { .each = each, .ctx = ctx };
  for (size_t i = 0; i < text.n;) {
    int32_t parts[LONGEST];
    int boundary = 0;
    unsigned char byte = (unsigned char)text.p[i];
    if (byte < 128) {
      if (word_char(text.p[i]))
        i = take_run(&f, text, i);
      else
        take(&f, byte), i++;
      continue;
    }
    uint32_t cp = hm_text_next(text, &i);
    utf8proc_ssize_t n =
        utf8proc_decompose_char((int32_t)cp, parts, LONGEST,
                                UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE, &boundary);
    if (n < 0 || n > LONGEST)
      parts[0] = (int32_t)cp, n = 1;
    for (utf8proc_ssize_t k = 0; k < n; k++)
      take(&f, (uint32_t)parts[k]);
  }
  end_run(&f);
  end_chunk(&f);
}

bool hm_word_is_common(hm_str word) {
  enum { COMMON_MOST = 4 };
  static const char *const common[] = { "a",   "an",   "and",  "are", "as",   "at", "be",  "by",
                                        "for", "from", "has",  "in",  "is",   "it", "its", "of",
                                        "on",  "or",   "that", "the", "this", "to", "was", "with" };
  if (!word.n || word.n > COMMON_MOST)
    return false;
  for (size_t i = 0; i < HM_COUNT(common); i++)
    if (*common[i] == *word.p && hm_str_is(word, common[i]))
      return true;
  return false;
}
