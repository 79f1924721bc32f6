/* Frames: all that a sentence says beside its one value, word for word. Of a sentence of which no
 * reader understands more (sentence.c).
 *
 * Articles, words of being, brackets and colons fall away; every other word is a part of the frame,
 * in its order, also a place, a day, a number that names something. So two frames are one slot only
 * where two sentences are the same but for the value, whatever their grammar. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/words/words.h"

enum { WORDS_MAX = 14 };

/* Sources: CLDR; grammars of each language. */
static const char silent[] = "a|an|are|equals|is|the|"
                             "das|der|die|betragen|betr\u00E4gt|ein|eine|ist|lautet|sind|"
                             "de|est|la|le|les|sont|un|une|"
                             "el|es|las|los|son|una|"
                             "as|o|os|s\u00E3o|um|uma|\u00E9|"
                             "gli|i|il|lo|sono|\u00E8|"
                             "bedraagt|bedragen|een|het|zijn";

/* A word of what went wrong. */
static const char troubles[] =
    "bug|bugs|crash|crashes|error|errors|fail|failed|failing|fails|failure|failures|incident|issue|"
    "issues|problem|problema|probleme|problems|probl\u00E8me|regression|warning|warnings";

bool note_is_of_trouble(const note_words *w, const note_measure *m) {
  enum { NEAR = 3 };
  size_t label = 0;
  for (size_t i = 1; i < m->from && !label; i++)
    label = w->w[i].before == ':' ? i : 0;
  for (size_t i = 0; i < label; i++)
    if (note_word_in(w->w[i].low, troubles))
      return true;
  bool counted = !strcmp(m->dimension, "count") || !strcmp(m->dimension, "times");
  for (size_t i = m->to; i < w->n && i < m->to + NEAR && w->w[i].joined && !counted; i++)
    if (note_word_in(w->w[i].low, troubles))
      return true;
  return false;
}

bool note_is_silent(hm_str low) { return note_word_in(low, silent); }

/* "Closed 14 tickets": does it tell what happened, without an object that told.c knows? Words
 * of other forms are in sentence.c. */
static bool tells_event(const note_words *w) {
  static const char before[] = "are|be|been|being|get|gets|is";
  for (size_t i = 0; i < w->n; i++) {
    hm_str low = w->w[i].low;
    bool past = low.n > 3 && hm_str_ends(low, "ed") && !hm_str_ends(low, "eed");
    if (!past)
      continue;
    /* "the shared pool", "the newly built hall" */
    bool of_noun = i && (note_is_silent(w->w[i - 1].low) || hm_str_ends(w->w[i - 1].low, "ly"));
    if (!of_noun && !(i && note_word_in(w->w[i - 1].low, before)))
      return true;
  }
  return false;
}

/* "Batch 12 passed", "Room 12 is closed", "Step 3": a number that says which one. A unit, a bracket
 * or a colon before it, a verb in -s, a word of grammar say that it counts; so does a small word
 * before a German noun. */
static bool is_name(const note_words *w, const note_measure *m, size_t subject) {
  const hm_str first = w->w[m->from].s;
  bool hyphen = memchr(first.p, '-', first.n) && m->from && w->w[m->from].joined &&
      !note_is_silent(w->w[m->from - 1].low);
  if (hyphen && m->to < w->n && w->w[m->to].joined) /* "the start of 1-minute intervals" */
    return true;
  static const char plain[] = "number|version|month|weekday|weekday of month|year|interval";
  if (note_word_in(hm_str_c(m->dimension), plain) || m->from < subject)
    return true;
  if (strcmp(m->dimension, "count"))
    return false;
  if (!m->from || m->to == w->n)
    return true;
  if (m->from == 1 && w->w[1].before == ':' && m->to + 1 < w->n) /* "Note: 3 points open" */
    return true;
  if (!w->w[m->from].joined || m->from == subject)
    return false;
  const note_word *before = &w->w[m->from - 1], *noun = &w->w[m->to];
  bool german = hm_is_upper(noun->s.p[0]) && !hm_is_upper(before->s.p[0]);
  bool counts = note_is_grammar(before->low) || hm_str_ends(before->low, "s") ||
      note_is_silent(before->low) || (german && m->from > 1);
  return !counts || memchr(noun->low.p, '/', noun->low.n);
}

/* "(port 9187, interval 15 s)": where the item of a bracket begins that holds word i; 0: it is in
 * none. */
static size_t item_of(const note_words *w, size_t i) {
  size_t open = i, item = i;
  while (open && !strchr("()", w->w[open].before))
    open--;
  while (item > open && w->w[item].before != ',')
    item--;
  return open && w->w[open].before == '(' ? item : 0;
}

/* Finds the amounts; SIZE_MAX: there are too many, or two of one kind. */
static size_t find_amounts(const note_words *w, size_t subject, note_measure *v, hm_arena *a) {
  size_t n = 0;
  for (size_t i = subject; i < w->n; i++) {
    note_measure m;
    if (i && w->w[i].before == ',' && !item_of(w, i) &&
        w->w[i].at != w->w[i - 1].at + w->w[i - 1].s.n + 1)
      return SIZE_MAX; /* another clause */
    if (!note_day_at(w, i, &m, a) && !note_measure_at(w, i, &m, a))
      continue;
    if (is_name(w, &m, subject))
      continue;
    if (note_is_of_trouble(w, &m) || (i && hm_str_is(w->w[i - 1].low, "than")))
      return SIZE_MAX;
    for (size_t k = 0; k < n; k++)
      if (!strcmp(v[k].dimension, m.dimension) && item_of(w, v[k].from) == item_of(w, i))
        return SIZE_MAX;
    if (n == NOTE_FRAMES_MAX)
      return SIZE_MAX;
    v[n++] = m;
    i = m.to - 1;
  }
  return n;
}

/* The words beside value k. Returns how many say something. */
static size_t frame_of(const note_words *w, const note_measure *v, size_t n, size_t k, hm_arena *a,
                       note_frame *out) {
  enum { LETTERS = 3 };
  size_t telling = 0, item = item_of(w, v[k].from);
  hm_str stems = HM_EMPTY, words = HM_EMPTY;
  for (size_t i = 0; i < w->n; i++) {
    size_t at = 0;
    while (at < n && v[at].from != i)
      at++;
    if (at < n)
      i = v[at].to - 1;
    size_t other = item_of(w, i);
    if ((at == k && at < n) || (item && other && item != other))
      continue;
    hm_str low = at < n ? hm_text_fold_name(a, v[at].value) : w->w[i].low;
    hm_str stem = at < n ? low : note_topic_stem(low, a);
    if (at == n && note_is_silent(low))
      continue;
    telling += low.n >= LETTERS && stem.n && hm_is_letter(low.p[0]);
    stems = HM_CAT(a, stems, stem.n ? stem : low, HM_STR(" "));
    words = HM_CAT(a, words, low, HM_STR(" "));
  }
  const char *kind = !strcmp(v[k].dimension, "count") ? "" : v[k].dimension;
  out->slot = hm_text_fold_name(a, HM_CAT(a, stems, hm_str_c(v[k].dimension)));
  out->called = hm_text_fold_name(a, HM_CAT(a, words, hm_str_c(kind)));
  out->value = v[k];
  return telling;
}

/* Where the words end that say of what amount m is: behind a bracket another statement follows, as
 * "is behind the proxy" in "The console (port 9443) is behind the proxy". */
static size_t end_of(const note_words *w, const note_measure *m) {
  static const char joints[] =
      "am|at|by|de|del|des|di|du|en|for|from|f\u00FCr|im|in|of|on|under|van|von|with";
  size_t open = m->from, close = m->to;
  while (open && w->w[open].before != '(')
    open--;
  while (close < w->n && w->w[close].before != ')')
    close++;
  bool goes_on = close < w->n && note_word_in(w->w[close].low, joints);
  return open && !goes_on ? close : w->n;
}

size_t note_frames_read(const note_words *w, size_t subject, hm_arena *a, note_frame *out) {
  enum { NAME = 3 };
  note_measure v[NOTE_FRAMES_MAX];
  size_t n = w->n > WORDS_MAX || tells_event(w) ? SIZE_MAX : find_amounts(w, subject, v, a);
  if (n == SIZE_MAX || note_word_in(w->w[subject].low, "it|he|she|\u2713"))
    return 0;
  for (size_t k = 0; k < n; k++) {
    size_t from = v[k].from, to = end_of(w, &v[k]);
    /* "Steinofen (230 °C)" */
    bool alone = from && from <= NAME && !w->w[from].joined &&
        v[k].to + !strcmp(v[k].dimension, "count") == to;
    if (frame_of(&(note_words){ w->w, to }, v, n, k, a, &out[k]) < (alone ? 1 : 2))
      return 0;
  }
  return n;
}
