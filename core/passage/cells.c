/* Amounts in cells of tables: "| prod | 90 days |" below "Log retention". What an amount is about
 * is the first cell of its row and the head of its column, with the component and the words that
 * keep apart: their stems, sorted, and the dimension of the amount.
 *
 * A number in a cell is no amount: "3 screens" and "4 screens" were of different screens in nine of
 * ten such pairs of documents that nobody had read. Sentences are read as prose by whoever reads
 * the row. */
#include <string.h>

#include "core/base/text.h"
#include "core/passage/passage_impl.h"

/* Does its dimension say of what it is an amount: a time, a size, a sum of money? */
static bool has_unit(const note_measure *m) {
  return !note_word_in(hm_str_c(m->dimension), "count|number|percent|phone|rate|times|version");
}

static bool head_is_generic(hm_str head, hm_arena *a) {
  note_words w = note_split(head, a);
  return w.n == 1 &&
      note_word_in(w.w[0].low,
                   "#|example|examples|id|line|lines|no|nr|number|order|page|phase|points|port|"
                   "priority|rank|score|sprint|step|version|week|weight|year");
}

bool note_head_is_plain(hm_str head) {
  return note_word_in(head,
                      "amount|cost|current|default|defaults|fee|limit|max|min|price|quantity|"
                      "setting|time|value|values");
}

static void read_cell(note_claims *out, const note_context *c, const hm_doc_part *p, size_t i) {
  hm_arena *a = out->a;
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
    } else if (!note_head_is_plain(h.w[0].low))
      note_topic_add_word(&b, &h, k);
  }
  b.row = true;
  if (has_unit(&m))
    note_claim_amount(out, c, &b, &m, 1);
}

/* Does the head say that its column has what holds unless somebody sets another: "Default",
 * "Factory value", "If unset"? */
static bool is_default_head(hm_str head, hm_arena *a) {
  static const char words[] =
      "d\u00E9faut|default|defaults|factory|initial|predeterminado|preset|shipped|standard|"
      "standardwert|unset|valeur|valor|value|wert";
  static const char others[] = "allowed|example|max|maximum|min|minimum|possible|production|range|"
                               "recommended|type|valid";
  note_words w = note_split(head, a);
  return w.n && w.n <= 3 && note_any_word_in(&w, words) && !note_any_word_in(&w, others);
}

/* The cell that names the setting: that of its variable of the environment, whose name is whole,
 * "| `dial_timeout` | 5s | `CACHE_DIAL_TIMEOUT` |", else the first. */
static const hm_doc_cell *key_cell(const hm_doc_part *p, hm_arena *a) {
  enum { LONGEST = 60 };
  for (size_t i = 1; i < p->n_cells && i < p->n_head; i++) {
    note_words head = note_split(hm_text_cut(p->head[i].text, LONGEST), a);
    if (note_is_variable(p->cells[i].text) &&
        note_any_word_in(&head, "env|environment|variable|variables"))
      return &p->cells[i];
  }
  return &p->cells[0];
}

/* "| `maxRetries` | 5 |" below "Default". */
static bool read_named_row(note_claims *out, const note_context *c, const hm_doc_part *p) {
  const hm_doc_cell *key = key_cell(p, out->a);
  bool code = key->n_spans && key->spans[0].mark == HM_DOC_SPAN_CODE && !key->spans[0].from &&
      key->spans[0].to == key->text.n;
  if (!(code && note_is_key(key->text)) && !note_is_variable(key->text))
    return false;
  size_t found = 0;
  for (size_t i = 1; i < p->n_cells && i < p->n_head; i++) {
    bool says = hm_str_find(note_lower(p->head[i].text, out->a), "default") >= 0;
    if (!is_default_head(p->head[i].text, out->a) || (found && !says))
      continue;
    if (found && !hm_str_eq(p->cells[found].text, p->cells[i].text))
      return true; /* each place has its own */
    found = i;
  }
  if (found)
    note_named_value_read(out, c, p, key->text, p->cells[found].text);
  return found;
}

/* "IA.1", "R-12": a number of the row itself. */
static bool is_row_number(hm_str key) {
  bool small = false;
  for (size_t i = 0; i < key.n; i++)
    small |= (key.p[i] >= 'a' && key.p[i] <= 'z') || key.p[i] == ' ';
  return !small && hm_text_has_digit(key);
}

void note_cells_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  enum { LONGEST = 60 };
  hm_str key = p->n_cells > 1 ? p->cells[0].text : HM_EMPTY;
  if (!key.n || read_named_row(out, c, p) || is_row_number(key) || key.n > LONGEST ||
      !hm_letter_at(key, hm_char_at(key, 0, '`') || hm_char_at(key, 0, '.')))
    return;
  for (size_t i = 1; i < p->n_cells; i++)
    read_cell(out, c, p, i);
}
