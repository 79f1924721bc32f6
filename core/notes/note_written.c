/* When a document was written last, and by whom, as it says itself: in its front matter, else in
 * lines as "Last updated: March 3, 2026" and, above its second heading, "Author: Kim Lee". Where
 * lines name several days or authors, none is known. Cost: linear in the document. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/credential.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/base/time_text.h"
#include "core/notes/notes_impl.h"

static const char dates[] = "date|date modified|date updated|last change|last changed|last edited|"
                            "last modified|last revised|last update|last updated|lastmod|"
                            "lastmodified|lastupdated|modified|revised|updated";
static const char authors[] = "author|authors|written by";

enum { AUTHOR_MAX = 200, LINE_LONGEST = 200 };

/* The day that all of s is, as "2026-03-01", in a; empty: it is none, or the order of day and month
 * is not known. A time of day may stand behind it. */
static hm_str day_of(hm_str s, hm_arena *a) {
  enum { YEAR = 4, MONTH = 7, DAY = 10 };
  hm_time_text t;
  s = hm_str_trim(s);
  while (s.n && strchr(".)", s.p[s.n - 1]))
    s.n--;
  char *text = hm_str_z(a, s);
  if (s.n >= DAY && strchr("/.", text[YEAR]) && text[MONTH] == text[YEAR]) /* "2026/03/01" */
    text[YEAR] = text[MONTH] = '-';
  s.p = text;
  hm_str day = hm_time_find_date(s);
  bool time = hm_char_at(s, DAY, 'T') || (hm_char_at(s, DAY, ' ') && hm_digit_at(s, DAY + 1));
  if (day.p == s.p && (s.n == DAY || time))
    return day;
  bool known = hm_time_text_parse(s, &t) && t.is_date && !t.about && !t.is_range;
  day = known && t.precision == HM_P_DAY ? hm_time_iso(a, t.first) : HM_EMPTY;
  return day.n > DAY && hm_digit_at(day, 0) ? hm_str_sub(day, 0, DAY) : HM_EMPTY;
}

/* Is it one of keys, also as "last_updated", "Updated on"? */
static bool is_key(hm_str key, const char *keys, hm_arena *a) {
  hm_str low = note_lower(hm_str_trim(key), a);
  char *text = hm_str_z(a, low);
  for (size_t i = 0; i < low.n; i++)
    if (strchr("-_", text[i]))
      text[i] = ' ';
  low.p = text;
  if (hm_str_ends(low, " on") || hm_str_ends(low, " at"))
    low.n -= strlen(" on");
  return note_word_in(low, keys);
}

/* "v2 | Updated: 2026-03-01": takes the first piece off the line. */
static hm_str next_piece(hm_str *line) {
  static const char *const signs[] = { " | ", " \xC2\xB7 ", " \xE2\x80\xA2 " };
  hm_str piece = *line, rest = HM_EMPTY;
  for (size_t i = 0; i < HM_COUNT(signs); i++) {
    ptrdiff_t at = hm_str_find(piece, signs[i]);
    if (at < 0)
      continue;
    rest = hm_str_sub(*line, (size_t)at + strlen(signs[i]), line->n);
    piece = hm_str_sub(piece, 0, (size_t)at);
  }
  *line = rest;
  piece = hm_str_trim(piece);
  return hm_str_sub(piece, hm_char_at(piece, 0, '('), piece.n);
}

/* "Last updated: 2026-03-01", "Updated on 3 March 2026". */
static hm_str day_of_piece(hm_str piece, hm_arena *a) {
  enum { WORDS = 4 };
  if (!hm_text_has_digit(piece)) /* as most lines */
    return HM_EMPTY;
  const char *colon = piece.n ? memchr(piece.p, ':', piece.n) : NULL;
  size_t at = colon ? (size_t)(colon - piece.p) : 0;
  if (colon && is_key(hm_str_sub(piece, 0, at), dates, a))
    return day_of(hm_str_sub(piece, at + 1, piece.n), a);
  note_words w = note_split(piece, a);
  for (size_t i = 1; i < w.n && i < WORDS; i++) {
    bool key = is_key(hm_str_sub(piece, 0, w.w[i].at), dates, a);
    hm_str day = key ? day_of(hm_str_sub(piece, w.w[i].at, piece.n), a) : HM_EMPTY;
    if (day.n)
      return day;
  }
  return HM_EMPTY;
}

/* "Kim Lee and the Pottery Team", "@kim", and not "see the log". */
static bool is_name(hm_str s, hm_arena *a) {
  enum { WORDS = 12 };
  static const char small[] = "&|and|by|da|de|der|di|du|la|le|the|van|von|y|zu";
  note_words w = note_split(s, a);
  for (size_t i = 0; i < w.n; i++) {
    hm_str word = w.w[i].s;
    bool named = !hm_is_lower(word.p[0]) || memchr(word.p, '@', word.n);
    if (!named && !note_word_in(word, small))
      return false;
  }
  return w.n && w.n <= WORDS && !hm_digit_at(s, 0);
}

static hm_str author_of_piece(hm_str piece, hm_arena *a) {
  const char *colon = piece.n ? memchr(piece.p, ':', piece.n) : NULL;
  size_t at = colon ? (size_t)(colon - piece.p) : 0;
  hm_str name = hm_str_trim(hm_str_sub(piece, at + (colon != NULL), piece.n));
  bool is = colon && is_key(hm_str_sub(piece, 0, at), authors, a) && is_name(name, a) &&
      !hm_has_placeholder(name, HM_OF_TEXT);
  return is ? name : HM_EMPTY;
}

/* What lines say of one thing. */
typedef struct {
  hm_str said;
  bool differ;
} one;

static void hear(one *o, hm_str said) {
  o->differ |= said.n && o->said.n && !hm_str_eq(said, o->said);
  o->said = o->said.n ? o->said : said;
}

static void read_lines(const hm_document *doc, hm_str *date, hm_str *author, hm_arena *a) {
  one day = { HM_EMPTY, false }, name = day;
  hm_arena *work = hm_arena_new();
  size_t headings = 0;
  for (size_t i = 0; i < doc->n; i++) {
    const hm_doc_part *p = &doc->parts[i];
    headings += p->kind == HM_DOC_HEADING && !p->quoted;
    bool line = (p->kind == HM_DOC_ITEM || p->kind == HM_DOC_SENTENCE) && !p->quoted;
    hm_str rest = line && p->text.n <= LINE_LONGEST ? p->text : HM_EMPTY;
    while (rest.n) {
      hm_str piece = next_piece(&rest), said = day_of_piece(piece, work);
      hear(&day, said.n ? hm_str_dup(a, said) : HM_EMPTY);
      hear(&name, headings < 2 ? author_of_piece(piece, work) : HM_EMPTY);
    }
    hm_arena_reset(work);
  }
  hm_arena_free(work);
  if (!date->n && !day.differ)
    *date = day.said;
  if (!author->n && !name.differ)
    *author = hm_str_dup(a, name.said);
}

void note_written_read(const hm_document *doc, hm_str *date, hm_str *author, hm_arena *a) {
  bool began = false; /* *date says when it was written first, perhaps */
  *date = *author = HM_EMPTY;
  for (size_t i = 0; i < doc->n_fields; i++) {
    const hm_doc_field *f = &doc->fields[i];
    hm_str day = is_key(f->key, dates, a) ? hm_time_find_date(f->value) : HM_EMPTY;
    bool first = hm_str_is(note_lower(f->key, a), "date");
    if (!day.n || day.p != f->value.p)
      day = is_key(f->key, dates, a) ? day_of(f->value, a) : HM_EMPTY;
    if (day.n && (!first || !date->n || began)) {
      *date = day;
      began = first;
    }
    if (f->value.n && is_key(f->key, authors, a) && !hm_has_placeholder(f->value, HM_OF_TEXT))
      *author = HM_CAT(a, *author, author->n ? HM_STR(", ") : HM_EMPTY, f->value);
  }
  read_lines(doc, date, author, a);
  *author = hm_text_cut(*author, AUTHOR_MAX);
}
