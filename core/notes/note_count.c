/* How many of a kind there are: "15 canonical objects", "all 16 crates", "(65 edge modules)", the
 * number of records of decisions. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

/* --- a whole, by the words that name it
 * ------------------------------------------------------------- */

/* Stems of what each document has some of: "test files", "hex characters". */
static const char anybodys[] =
    "best|byte|case|charact|check|code|common|core|digit|differ|error|exampl|fail|failur|file|"
    "integr|issu|item|key|letter|line|main|major|new|node|open|page|pass|problem|regress|scenario|"
    "section|step|task|test|unit|user|virtual|word";

/* "The 165 ewes in the top fields", "Three base interfaces define", "(65 edge modules)": a whole of
 * which nothing more need be said. Adds what is counted. It ends with the first plural. */
bool note_whole_at(const note_words *w, const note_measure *m, size_t from, size_t to,
                   note_topic *t) {
  hm_str before = m->from ? w->w[m->from - 1].low : HM_EMPTY;
  bool all = hm_str_is(before, "all"), plural = false;
  /* "4 posts (first month)" is one item of a plan */
  bool begins = (m->from == from && !(!from && hm_is_digit(w->w[0].s.p[0]))) ||
      note_word_in(before,
                   "across|comprises|contains|defines|exposes|has|have|includes|offers|our|"
                   "provides|the|these|with");
  for (size_t i = m->to; i < to && w->w[i].joined && !note_is_grammar(w->w[i].low); i++) {
    hm_str low = w->w[i].low;
    bool ends = low.n > 3 && low.p[low.n - 1] == 's' && low.p[low.n - 2] != 's';
    if (plural && !ends)
      break;
    plural |= ends;
    note_topic_add_word(t, w, i);
  }
  bool named = t->n > 1 && plural && !note_word_in(t->v[t->n - 1], anybodys);
  bool whole = m->dimension[0] == 'c' && !memchr(m->value.p, '.', m->value.n);
  return whole && t->n && (all || (begins && named));
}

/* "the two repositories", "three types of rules": as many as are named beside it. */
bool note_names_some(const note_words *w, const note_measure *m) {
  static const char kinds[] =
      "case|cases|categories|criteria|factors|forms|kinds|modes|options|paths|parts|parameters|"
      "phases|pieces|points|principles|problems|questions|reasons|scenarios|sections|stages|steps|"
      "things|types|variants|ways";
  bool known = m->from && note_word_in(w->w[m->from - 1].low, "all|both|these|the|those");
  bool kind = m->to < w->n && note_word_in(w->w[m->to].low, kinds);
  return m->value.n == 1 && (known || kind);
}

/* A document that gives several numbers of it contradicts itself. */
static void claim_whole(note_claims *out, const note_context *c, note_topic *t, note_measure *m) {
  enum { LEAST_WORDS = 2 };
  size_t n = out->n;
  note_claim_amount(out, c, t, m, LEAST_WORDS);
  if (out->n > n)
    out->v[n].family = NOTE_WHOLE;
}

/* The wholes of a text: a sentence, a cell, a comment. */
static void read_wholes(note_claims *out, const note_context *c, const hm_doc_part *p,
                        hm_str text) {
  static const char ends[] = ".,:;!?()+";
  note_words w = note_split(text, out->a);
  note_measure m;
  for (size_t from = 0, i = 0, to; i < w.n; i++) {
    note_topic t = { .a = out->a };
    if (strchr(ends, w.w[i].before))
      from = i;
    for (to = i + 1; to < w.n && !strchr(ends, w.w[to].before);)
      to++;
    size_t doubt = from;
    while (doubt < to && !note_is_doubt(w.w[doubt].low))
      doubt++;
    if (doubt < to || !note_measure_at(&w, i, &m, t.a) || note_names_some(&w, &m) ||
        !note_whole_at(&w, &m, from, to, &t))
      continue;
    if (p->kind == HM_DOC_ROW)
      note_topic_add_more(&t, p->text);
    for (size_t k = m.to; k < to && m.from == from; k++) /* "Three flags trade speed" */
      note_topic_add_light(&t, &w, k);
    claim_whole(out, c, &t, &m);
  }
}

/* --- numbers that a repository has once
 * --------------------------------------------------------------- */

/* Things of which a repository has one number: "43 ADRs in docs/adr", "all 16 crates". */
static void read_count(note_claims *out, const note_context *c, hm_str text) {
  static const char doubts[] =
      "about|added|between|each|first|from|last|least|more|most|nearly|new|next|of|other|"
      "over|per|remaining|than|these|those|top|was|were";
  static const char words[] = "all|comprises|contains|has|have|includes|of|the|with";
  note_words w = note_split(text, out->a);
  for (size_t i = 0; i + 1 < w.n; i++) {
    hm_str number = w.w[i].low;
    if (hm_skip_digits(number, 0) != number.n || number.n > 4 ||
        (i && note_word_in(w.w[i - 1].low, doubts) && !note_word_in(w.w[i - 1].low, words)))
      continue;
    hm_str before = i ? w.w[i - 1].low : HM_EMPTY;
    if (before.n && hm_skip_digits(before, 0) == before.n)
      continue; /* "9,999" */
    bool long_name = i + 3 < w.n && hm_str_is(w.w[i + 1].low, "architecture") &&
        hm_str_is(w.w[i + 2].low, "decision") && hm_str_is(w.w[i + 3].low, "records");
    bool records = long_name || hm_str_is(w.w[i + 1].low, "adrs");
    bool whole = i && note_word_in(w.w[i - 1].low, words);
    hm_str owner = HM_CAT(out->a, c->file->component, HM_STR(" "));
    if (records && w.w[i + 1].joined)
      note_claims_add(out, HM_CAT(out->a, owner, HM_STR("decision records")), number, NOTE_SAID);
    else if (whole && w.w[i + 1].joined &&
             (note_word_in(w.w[i + 1].low, "crates|microservices") ||
              (hm_str_is(before, "all") && hm_str_is(w.w[i + 1].low, "packages"))))
      note_claims_add(out, HM_CAT(out->a, owner, w.w[i + 1].low), number, NOTE_SAID);
  }
}

/* "| `signal` | `fusion/` (10 modules) |": the things of the first cell. */
static void read_row_count(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const char things[] =
      "agents|commands|components|crates|endpoints|files|hooks|modules|packages|rules|"
      "services|skills|tables|tests|tools|workflows";
  if (p->n_cells < 2 || !p->cells[0].n_spans || p->cells[0].spans[0].mark != HM_DOC_SPAN_CODE)
    return;
  hm_str number = HM_EMPTY, thing = HM_EMPTY;
  note_words w = note_split(p->text, out->a);
  for (size_t i = 0; i + 1 < w.n; i++) {
    if (w.w[i].before != '(' || hm_skip_digits(w.w[i].low, 0) != w.w[i].low.n ||
        !note_word_in(w.w[i + 1].low, things))
      continue;
    if (number.n)
      return;
    number = w.w[i].low;
    thing = w.w[i + 1].low;
  }
  if (number.n)
    note_claims_add(out, HM_CAT(out->a, c->scope, p->cells[0].text, HM_STR(" "), thing), number,
                    NOTE_SAID);
}

void note_counts_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text) {
  if (p->kind == HM_DOC_CODE) {
    ptrdiff_t comment = hm_str_find(text, "# ");
    hm_str told = hm_str_sub(text, comment < 0 ? text.n : (size_t)comment + 2, text.n);
    read_wholes(out, c, p, told);
    read_count(out, c, told);
    return;
  }
  for (size_t i = 0; i < p->n_cells; i++)
    read_wholes(out, c, p, p->cells[i].text);
  if (p->kind != HM_DOC_ROW && !note_is_no_statement(text))
    read_wholes(out, c, p, text);
  read_count(out, c, text);
  if (p->kind == HM_DOC_ROW)
    read_row_count(out, c, p);
}
