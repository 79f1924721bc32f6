/* Amounts in texts without headings: sentence.h.
 *
 * A sentence goes through the reader of documents, in a context that says nothing. What only a text
 * of somebody's memory tells is refused before: of one day, of what people say, want or did. */
#include "core/notes/sentence.h"

#include <string.h>

#include "core/base/ascii.h"
#include "core/notes/notes_impl.h"

/* With one of them a sentence does not state how things are, tells of a change, which prose reads
 * (core/prose), or is about its speaker, whose amounts grow. */
static const char others[] =
    "ago|asked|asks|became|becomes|believes|bought|changed|changes|claims|drank|drove|dropped|flew|"
    "gave|got|heard|hopes|i|i'm|i've|if|increased|instead|last|lowered|m|made|me|moved|"
    "myself|now|once|past|plans|planning|raised|ran|recently|recommended|reduced|rose|said|says|"
    "sold|spent|suggested|suggests|switched|thinks|thought|today|tomorrow|tonight|took|updated|"
    "user|ve|wants|went|yesterday";

/* "The crane lifted 3 tonnes", "the archive received a load": what was done once. */
static bool tells_deed(const note_words *w) {
  static const char before[] = "are|be|been|being|get|gets|is";
  for (size_t i = 1; i + 1 < w->n; i++) {
    bool passive =
        note_word_in(w->w[i - 1].low, before) || (i > 1 && note_word_in(w->w[i - 2].low, before));
    bool object = hm_digit_at(w->w[i + 1].low, 0) ||
        note_word_in(w->w[i + 1].low, "a|after|an|at|for|her|his|in|its|on|our|the|their");
    bool ends = hm_str_ends(w->w[i].low, "ed") && !hm_str_ends(w->w[i].low, "eed");
    if (ends && !passive && object && w->w[i + 1].joined)
      return true;
  }
  return false;
}

static bool has_number(hm_str s) {
  static const char words[] = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|"
                              "every|each|once|deux|trois|zwei|drei|dos|tres";
  for (size_t i = 0; i < s.n; i++) {
    size_t end = i;
    if (hm_is_digit(s.p[i]))
      return true;
    while (hm_letter_at(s, end))
      end++;
    if (end - i > 2 && end - i < 7 && (!i || !hm_letter_at(s, i - 1)) &&
        note_word_in(hm_str_sub(s, i, end), words))
      return true;
  }
  return false;
}

/* The next sentence of a text, cut off; a line ends one. */
static hm_str next_sentence(hm_str *text) {
  size_t i = 0;
  for (; i < text->n && text->p[i] != '\n'; i++) {
    bool stop = strchr(".!?", text->p[i]) && i + 2 < text->n && text->p[i + 1] == ' ';
    if (stop && !(text->p[i + 2] >= 'a' && text->p[i + 2] <= 'z'))
      break;
  }
  size_t end = i < text->n ? i + 1 : i;
  hm_str s = hm_str_trim(hm_str_sub(*text, 0, end));
  *text = hm_str_sub(*text, end, text->n);
  return s;
}

/* Are there two words besides the dimension and those that keep apart? */
static bool says_what(const note_claim *c) {
  ptrdiff_t words = 0;
  for (size_t i = 0; i < c->slot.n; i++)
    words += c->slot.p[i] == ' ';
  for (size_t i = 0; i < c->hints.n; i++)
    words -= c->hints.p[i] == '@';
  return words > 1;
}

static void read_sentence(note_claims *out, const note_file *file, hm_str s) {
  note_context c = { .file = file };
  hm_doc_part p = { .kind = HM_DOC_SENTENCE, .text = s };
  note_words w = note_split(s, out->a);
  if (!note_any_word_in(&w, others) && !tells_deed(&w))
    note_statements_read(out, &c, &p, s);
}

size_t hm_sentence_amounts(hm_str text, hm_arena *a, hm_sentence_amount **out) {
  note_file file = { .spoken = true };
  note_claims c = { .a = a };
  size_t n = 0;
  *out = NULL;
  if (!has_number(text))
    return 0;
  while (text.n) {
    hm_str s = next_sentence(&text);
    if (s.n && has_number(s))
      read_sentence(&c, &file, s);
  }
  *out = hm_alloc_array(a, c.n, sizeof **out);
  for (size_t i = 0; i < c.n; i++) {
    const note_claim *k = &c.v[i];
    bool several = false;
    for (size_t x = 0; x < c.n; x++)
      several |= x != i && hm_str_eq(c.v[x].slot, k->slot);
    if (k->family == NOTE_MEASURED && !several && says_what(k))
      (*out)[n++] = (hm_sentence_amount){ k->slot, k->hints, k->value };
  }
  return n;
}
