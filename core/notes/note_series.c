/* Series of numbered headings: "Milestone 1: Pumps", "Milestone 2: Valves". Two documents that give
 * the same titles other numbers say another order. Only series of the very same titles are
 * compared, so that no guide meets another one that has a step more. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

enum { LEAST = 3, MOST = 30 /* headings of a series */, TITLE_SHOWN = 60 };

/* "Milestone 2: Valves" -> "Milestone", "2", "Valves"; "Layer 3.5: Valves" has no such number. */
static bool read_heading(hm_str s, note_entry *out, hm_arena *a) {
  static const char *const signs[] = {
    ": ", "\xEF\xBC\x9A", ". ", ") ", " - ", " \xE2\x80\x93 ", " \xE2\x80\x94 "
  };
  size_t at = 0, end;
  while (at < s.n && !hm_is_digit(s.p[at]) && s.p[at] != ':')
    at++;
  end = hm_skip_digits(s, at);
  out->word = hm_text_fold_name(a, hm_str_sub(s, 0, at));
  out->number = hm_str_sub(s, at, end);
  hm_str rest = hm_str_sub(s, end, s.n);
  for (size_t i = 0; i < HM_COUNT(signs) && end > at && end - at < LEAST; i++)
    if (hm_str_starts(rest, signs[i])) {
      out->title = hm_str_trim(hm_str_sub(rest, strlen(signs[i]), rest.n));
      return out->word.n && hm_text_has_word(out->title);
    }
  return false;
}

/* Is it a heading of the series of the first one: below the same heading, by the same word? */
static bool belongs(const hm_document *doc, const note_entry *first, const note_entry *other) {
  return doc->parts[first->part].heading == doc->parts[other->part].heading &&
      hm_str_eq(first->word, other->word);
}

/* Names the series of entry i and of those behind it by its titles, if they are several. */
static void name_series(note_series *s, const hm_document *doc, size_t i, hm_arena *a) {
  hm_str titles[MOST], all = HM_EMPTY;
  size_t n = 0, k;
  hm_str last = HM_EMPTY;
  for (k = i; k < s->n && n < MOST; k++) {
    if (!belongs(doc, &s->v[i], &s->v[k]))
      continue;
    if (hm_str_natural_cmp(last, s->v[k].number) >= 0)
      return; /* two of one number are of two lists, or ranks */
    last = s->v[k].number;
    titles[n++] = hm_text_fold_name(a, s->v[k].title);
  }
  hm_strs_sort(titles, n);
  for (size_t t = 0; t < n; t++) {
    if (t && hm_str_eq(titles[t], titles[t - 1]))
      return;
    all = HM_CAT(a, all, titles[t], HM_STR("\n"));
  }
  for (k = i; k < s->n && n >= LEAST && n < MOST; k++)
    if (belongs(doc, &s->v[i], &s->v[k]))
      s->v[k].series = hm_str_digest_hex(a, all, 8);
}

void note_series_read(note_series *out, const hm_document *doc, hm_arena *a) {
  enum { ENTRIES = 200 };
  *out = (note_series){ .n = 0 };
  for (uint32_t i = 0; i < doc->n && out->n < ENTRIES; i++) {
    note_entry e = { .part = i };
    if (doc->parts[i].kind != HM_DOC_HEADING || !read_heading(doc->parts[i].text, &e, a))
      continue;
    out->v = hm_array_grow_in(a, out->v, out->n, &out->cap, sizeof *out->v);
    out->v[out->n++] = e;
  }
  for (size_t i = 0; i < out->n; i++)
    if (!out->v[i].series.n)
      name_series(out, doc, i, a);
}

void note_series_claim(note_claims *out, const note_context *c, const note_series *series,
                       uint32_t part) {
  for (size_t i = 0; i < series->n && !c->file->past_path; i++) {
    const note_entry *e = &series->v[i];
    if (e->part == part && e->series.n)
      note_claims_add(out,
                      HM_CAT(out->a, e->word, HM_STR(" "), e->number, HM_STR(" of "), e->series),
                      hm_text_cut(e->title, TITLE_SHOWN), NOTE_SAID);
  }
}
