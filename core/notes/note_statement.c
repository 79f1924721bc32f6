/* Amounts that sentences and tables state: "Idle rooms are closed after 20 minutes", "| prod | 90
 * days |" below "Log retention".
 *
 * What an amount is about is all the words around it, whatever their order: their stems, sorted,
 * with the component and the words that keep apart, and the dimension of the amount. So two such
 * claims meet only where neither names a thing that the other does not. Words that say the same are
 * one (max, maximum), and words of grammar are none. A clause that doubts, denies, tells of the
 * past or of others claims nothing; of two amounts in one clause neither is claimed.
 *
 * How many things there are, or a number in a cell, is none of them: "3 screens" and "4 screens"
 * were of different screens in nine of ten such pairs of documents that nobody had read. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"
#include "core/value/value.h"

/* What stands behind them, and behind the amount, says how, why or what else. */
static const char tails[] =
    "and|because|before|by|during|et|oder|plus|since|so|to|und|while|whereas|with|y";

/* --- clauses --------------------------------------------------------------------------------- */

enum { LEAST_WORDS = 2, AMOUNTS_MAX = 4 };

typedef struct {
  note_claims *out;
  const note_context *c;
  note_words w;
  bool program;                      /* a program is named, whose versions have a slot */
  note_measure amounts[AMOUNTS_MAX]; /* of the clause */
  size_t n_amounts;
} reader;

/* Where the words behind the amount end that say of what it is. */
static size_t end_of(const note_words *w, size_t behind, size_t to) {
  for (size_t i = behind; i < to; i++)
    if (note_word_in(w->w[i].low, tails) || strchr(",:", w->w[i].before))
      return i;
  return to;
}

/* The word behind the title of the document, or behind an article and its noun, if the clause
 * begins with it: it is about all. */
static size_t skip_title(const reader *r, size_t from, size_t to) {
  enum { LEAST = 4 };
  note_words title = note_split(r->c->title, r->out->a);
  size_t i = 0;
  while (i < title.n && from + i < to && hm_str_eq(title.w[i].s, r->w.w[from + i].s))
    i++;
  if (title.n && i == title.n)
    return from + i;
  bool noun = from + 2 < to && note_is_grammar(r->w.w[from].low) &&
      note_is_grammar(r->w.w[from + 2].low) && r->w.w[from + 1].low.n >= LEAST;
  for (size_t k = 0; noun && k < title.n; k++) /* "Die Schule hat" below "Dorfschule" */
    if (hm_str_ends(title.w[k].low, hm_str_z(r->out->a, r->w.w[from + 1].low)))
      return from + 2;
  return from;
}

/* The word behind the amount that begins at word i, or i. */
static size_t skip_amount(const reader *r, size_t i) {
  for (size_t k = 0; k < r->n_amounts; k++)
    if (r->amounts[k].from == i)
      return r->amounts[k].to;
  return i;
}

/* Does its dimension say of what it is an amount: a time, a size, a sum of money? */
static bool has_unit(const note_measure *m) {
  return !note_word_in(hm_str_c(m->dimension), "count|number|percent|phone|rate|times|version");
}

/* "Line length is 90", "Retries: 5": a bare number is the value where the clause ends with it,
 * behind a sign or a word that says so. */
static bool is_value(const reader *r, const note_measure *m) {
  const note_word *w = &r->w.w[m->from];
  bool ends = m->to == r->w.n || !r->w.w[m->to].joined ||
      (note_is_grammar(r->w.w[m->to].low) && !hm_str_is(r->w.w[m->to].low, "of"));
  return !strcmp(m->dimension, "number") && ends && m->from &&
      (!w->joined || note_word_in(w[-1].low, "are|at|is|least|most|of|than|to"));
}

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

/* Reads words [from, to), of which m is an amount. */
static void read_piece(const reader *r, size_t from, size_t to, note_measure *m) {
  note_topic b = { .a = r->out->a };
  note_words w = r->w;
  bool defaults = false;
  /* "16x16, 32x32, 512x512": one of a list */
  bool listed =
      (from && from == m->from && w.w[from].before == ',' && hm_digit_at(w.w[from - 1].low, 0)) ||
      (m->to < w.n && w.w[m->to].before == ',' && hm_digit_at(w.w[m->to].low, 0) && m->to == to);
  if (listed || !(has_unit(m) || is_value(r, m)) || note_is_of_trouble(&w, m))
    return;
  /* The only word in parentheses behind */
  bool alone = to < w.n && w.w[to].before == '(' && (to + 1 == w.n || !w.w[to + 1].joined);
  hm_str name = alone ? w.w[to].s : HM_EMPTY;
  if (note_is_setting_name(name))
    from = to, note_topic_add(&b, name, note_lower(name, b.a));
  to = end_of(&w, m->to, to);
  for (size_t i = skip_title(r, from, m->from); i < to; i++) {
    i = skip_amount(r, i);
    if (i >= to)
      break;
    defaults |= note_word_in(w.w[i].low, "default|defaults");
    /* "is started by Airflow" */
    if (i > from && w.w[i].s.p[0] >= 'A' && w.w[i].s.p[0] <= 'Z' &&
        note_word_in(w.w[i - 1].low, "by|use|uses|using|via|with"))
      continue;
    bool intends = i > from && note_word_in(w.w[i - 1].low, "he|i|it|she|they|to|we") &&
        (note_word_in(w.w[i].low, "plan|intend|aim|hope|want") || hm_str_ends(w.w[i].low, "ed"));
    /* "only on Sundays" is no less than "on Sundays" */
    bool limit = hm_str_is(w.w[i].low, "only") && i + 1 < to && note_is_grammar(w.w[i + 1].low);
    if (intends || (!limit && note_is_doubt(w.w[i].low)) || hm_str_find(w.w[i].low, "n't") >= 0)
      return;
    if (limit)
      continue;
    if (hm_digit_at(w.w[i].low, 0))
      return;
    bool up_to = i + 1 == m->from && i > from && hm_str_is(w.w[i].low, "to") &&
        hm_str_is(w.w[i - 1].low, "up");
    if (up_to)
      note_topic_add(&b, HM_STR("maximum"), HM_STR("maximum"));
    note_topic_add_word(&b, &w, i);
  }
  note_claim_amount(r->out, r->c, &b, m, defaults ? 1 : LEAST_WORDS);
}

/* "1-minute aggregates": which ones, and not how long. */
static bool names_kind(const reader *r, const note_measure *m) {
  enum { NEAR = 3 };
  const note_words *w = &r->w;
  bool hyphen = m->from < w->n && memchr(w->w[m->from].s.p, '-', w->w[m->from].s.n);
  for (size_t i = m->to; hyphen && i < w->n && i < m->to + NEAR && w->w[i].joined; i++)
    if (hm_str_ends(w->w[i].low, "s") || note_is_grammar(w->w[i].low))
      return hm_str_ends(w->w[i].low, "s") && !note_is_grammar(w->w[i].low);
  return false;
}

/* "1-minute and 10-minute averages", "5 or 9 days": one of several. */
static bool is_one_of_list(const reader *r, size_t k) {
  for (size_t i = k ? k - 1 : k; i <= k && i + 1 < r->n_amounts; i++) {
    const note_measure *m = &r->amounts[i], *next = m + 1;
    if (!strcmp(m->dimension, next->dimension) && m->to + 1 == next->from &&
        note_word_in(r->w.w[m->to].low, "and|et|o|oder|or|ou|und|y"))
      return true;
  }
  return false;
}

static bool begins_part(const note_words *w, size_t i) {
  return w->w[i].before == ',' || note_word_in(w->w[i].low, "and|und|et");
}

static bool is_joint(const note_words *w, size_t i) {
  return note_word_in(w->w[i].low, "across|for|from|in|of|on|over|per|with");
}

/* Finds the amounts of the clause [from, to). False: too many. */
static bool find_amounts(reader *r, size_t from, size_t to) {
  size_t n = 0, kept = 0;
  bool clock = false;
  for (size_t i = from; i < to;) {
    note_measure m;
    if (!note_measure_at(&r->w, i, &m, r->out->a) || m.to > to) {
      i++;
      continue;
    }
    if (r->program && !strcmp(m.dimension, "version")) { /* note_versions.c */
      i = m.to;
      continue;
    }
    if (n == AMOUNTS_MAX)
      return false;
    clock |= !strcmp(m.dimension, "time");
    r->amounts[n++] = m;
    i = m.to;
  }
  for (size_t k = 0; k < n; k++) /* "at 02:00 each night" */
    if (!clock || strcmp(r->amounts[k].dimension, "interval"))
      r->amounts[kept++] = r->amounts[k];
  r->n_amounts = kept;
  return true;
}

/* Reads one clause: [from, to). Each amount has a part of its own, or the whole part where the
 * other amounts in it are of other dimensions; else it is about what stands before the other. */
static void read_clause(reader *r, size_t from, size_t to) {
  if (!find_amounts(r, from, to))
    return;
  for (size_t k = 0, begin = from, last; k < r->n_amounts; k = last + 1) {
    size_t end = to;
    bool one_dimension = false;
    for (last = k; last + 1 < r->n_amounts; last++) {
      size_t next = r->amounts[last + 1].from, i = next;
      while (i > r->amounts[last].to && !begins_part(&r->w, i))
        i--;
      if (begins_part(&r->w, i)) {
        end = i;
        break;
      }
      one_dimension |= !strcmp(r->amounts[last + 1].dimension, r->amounts[k].dimension);
    }
    size_t n = one_dimension ? k + 1 : last + 1, stop = end;
    if (one_dimension) {
      for (stop = r->amounts[k + 1].from; stop > r->amounts[k].to && !is_joint(&r->w, stop - 1);)
        stop--;
      if (stop == r->amounts[k].to)
        n = k; /* "20 minutes 30 minutes" */
      else
        stop--;
    }
    for (size_t i = k; i < n; i++)
      if (!names_kind(r, &r->amounts[i]) && !is_one_of_list(r, i))
        read_piece(r, begin, stop, &r->amounts[i]);
    begin = end;
  }
}

static void read_text(reader *r) {
  size_t from = 0;
  for (size_t i = 1; i < r->w.n; i++) /* "tail -n 200": a command */
    if (hm_char_at(r->w.w[i].s, 0, '-') && hm_letter_at(r->w.w[i].s, 1))
      return;
  for (size_t i = 1; i <= r->w.n; i++) {
    bool ends = i == r->w.n || strchr(".;!?()", r->w.w[i].before);
    if (!ends)
      continue;
    if (r->w.w[from].before != '(')
      read_clause(r, from, i);
    from = i;
  }
}

/* --- tables ---------------------------------------------------------------------------------- */

static bool head_is_generic(hm_str head, hm_arena *a) {
  note_words w = note_split(head, a);
  return w.n == 1 &&
      note_word_in(w.w[0].low,
                   "#|example|examples|id|line|lines|no|nr|number|order|page|phase|points|port|"
                   "priority|rank|score|sprint|step|version|week|weight|year");
}

static void read_cell(const reader *r, const hm_doc_part *p, size_t i) {
  static const char plain[] =
      "amount|cost|current|default|defaults|fee|limit|max|min|price|quantity|setting|time|value|"
      "values";
  hm_arena *a = r->out->a;
  hm_str head = i < p->n_head ? p->head[i].text : HM_EMPTY;
  note_words w = note_split(p->cells[i].text, a), h = note_split(head, a), key;
  note_measure m;
  note_topic b = { .a = a };
  size_t at = w.n > 1 && note_word_in(w.w[0].low, "daily|weekdays");
  if (!w.n || (!h.n && p->n_cells > 2) || head_is_generic(head, a) ||
      !note_measure_at(&w, at, &m, a))
    return;
  if (m.to < w.n && !(m.to + 2 == w.n && note_word_in(w.w[m.to].low, "a|an|each|per")))
    return;
  key = note_split(p->cells[0].text, a);
  for (size_t k = 0; k < key.n; k++)
    note_topic_add_word(&b, &key, k);
  if (at)
    note_topic_add(&b, w.w[0].s, w.w[0].low);
  for (size_t k = 0; k < h.n; k++) {
    const char *dimension, *unit = note_unit_of_word(h.w[k].low, &dimension);
    bool behind = h.w[k].before == '(' || (k && hm_str_is(h.w[k - 1].low, "in"));
    if (unit && behind && !strcmp(m.dimension, "number")) {
      m.dimension = dimension;
      m.value = HM_CAT(a, m.value, HM_STR(" "), hm_str_c(unit));
    } else if (!note_word_in(h.w[0].low, plain))
      note_topic_add_word(&b, &h, k);
  }
  b.row = true;
  if (has_unit(&m))
    note_claim_amount(r->out, r->c, &b, &m, 1);
}

/* "| `maxRetries` | 5 |" below "Default". */
static bool read_named_row(const reader *r, const hm_doc_part *p) {
  const hm_doc_cell *key = &p->cells[0];
  bool code = key->n_spans && key->spans[0].mark == HM_DOC_SPAN_CODE && !key->spans[0].from &&
      key->spans[0].to == key->text.n;
  if (!code || !note_is_key(key->text))
    return false;
  for (size_t i = 1; i < p->n_cells && i < p->n_head; i++)
    if (note_word_in(note_lower(hm_str_trim(p->head[i].text), r->out->a),
                     "default|default value|defaults|valeur|valor|value|wert")) {
      note_named_value_read(r->out, r->c, p, key->text, p->cells[i].text);
      return true;
    }
  return false;
}

/* "IA.1", "R-12": a number of the row itself. */
static bool is_row_number(hm_str key) {
  bool small = false;
  for (size_t i = 0; i < key.n; i++)
    small |= (key.p[i] >= 'a' && key.p[i] <= 'z') || key.p[i] == ' ';
  return !small && hm_text_has_digit(key);
}

static void read_row(const reader *r, const hm_doc_part *p) {
  hm_str key = p->cells[0].text;
  if (read_named_row(r, p) || is_row_number(key))
    return;
  if (!key.n || key.n > 60 ||
      !hm_letter_at(key, hm_char_at(key, 0, '`') || hm_char_at(key, 0, '.')))
    return;
  for (size_t i = 1; i < p->n_cells; i++)
    read_cell(r, p, i);
}

/* The text with spaces in place of addresses: "open http://localhost:3000, the API is on". */
static hm_str without_addresses(hm_str text, hm_arena *a) {
  if (hm_str_find(text, "://") < 0)
    return text;
  char *out = hm_str_z(a, text);
  for (size_t i = 0; i < text.n; i++) {
    ptrdiff_t at = hm_str_find(hm_str_sub(text, i, text.n), "://");
    if (at < 0)
      break;
    size_t from = i + (size_t)at, to = from;
    while (from > i && hm_letter_at(text, from - 1))
      from--;
    while (to < text.n && !hm_is_space(out[to]) && !strchr("),;>", out[to]))
      to++;
    memset(out + from, ' ', to - from);
    i = to;
  }
  return (hm_str){ out, text.n };
}

void note_statements_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                          hm_str text) {
  reader r = { .out = out, .c = c };
  if (p->kind == HM_DOC_ROW) {
    if (p->n_cells > 1)
      read_row(&r, p);
    return;
  }
  if (p->kind != HM_DOC_ITEM && p->kind != HM_DOC_SENTENCE)
    return;
  text = without_addresses(text, out->a);
  if (note_is_no_statement(text))
    return;
  ptrdiff_t dollar = hm_str_find(text, "$");
  if (dollar >= 0 && !hm_digit_at(text, (size_t)dollar + 1))
    return; /* a variable */
  r.w = note_split(text, out->a);
  if (!r.w.n || r.w.n == NOTE_WORDS_MAX || note_any_word_in(&r.w, "completion|progress"))
    return; /* how far something is */
  r.program = note_names_program(&r.w);
  read_text(&r);
  size_t doubt = 0;
  while (doubt < r.w.n && !note_is_doubt(r.w.w[doubt].low))
    doubt++;
  if (doubt == r.w.n)
    note_defaults_read(out, c, p, &r.w);
}
