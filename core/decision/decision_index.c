/* Indexes of records of decisions, as tables and lists of Markdown: decision_impl.h. */
#include <string.h>
#include <strings.h>

#include "core/base/ascii.h"
#include "core/decision/decision_impl.h"

bool hm_decision_is_index(hm_str low) {
  hm_str name = hm_str_behind_last(low, '/');
  static const char *const names[] = { "agents.md", "claude.md", "decisions.md", "index.md",
                                       "readme.md" };
  return hm_decision_is_any(name, names, HM_COUNT(names));
}

bool hm_decision_index_may_list(hm_str source, hm_str text) {
  static const char *const signs[] = { "adr", "ADR", "ecision" };
  for (size_t i = 0; i < HM_COUNT(signs); i++)
    if (hm_str_find(source, signs[i]) >= 0 || hm_str_find(text, signs[i]) >= 0)
      return true;
  return false;
}

/* --- rows -------------------------------------------------------------------------------- */

/* The column of a table whose head is one of these; its cells where there is none. */
static uint32_t column_of(const hm_doc_part *p, const char *const *heads, size_t n,
                          hm_arena *work) {
  for (uint32_t i = 0; i < p->n_head; i++)
    if (hm_decision_is_any(hm_str_lower(work, hm_str_trim(p->head[i].text)), heads, n))
      return i;
  return p->n_cells;
}

/* The words of a row that lead to a file of Markdown, but for those behind a status, which say why.
 */
static const hm_doc_span *link_of(const hm_doc_part *p, uint32_t status, const hm_doc_cell **cell) {
  for (uint32_t c = 0; c < p->n_cells; c++)
    for (uint32_t k = 0; k < p->cells[c].n_spans && c != status; k++)
      if (p->cells[c].spans[k].mark == HM_DOC_LINK &&
          hm_str_ends(p->cells[c].spans[k].url, ".md")) {
        *cell = &p->cells[c];
        return &p->cells[c].spans[k];
      }
  return NULL;
}

static void add_index_row(hm_decision_index *x, hm_decision_index_row row, hm_arena *a) {
  hm_str *texts[] = { &row.source, &row.file, &row.number, &row.title, &row.status };
  for (size_t i = 0; i < HM_COUNT(texts); i++)
    *texts[i] = hm_str_dup(a, hm_str_trim(*texts[i]));
  x->rows = hm_array_grow_in(a, x->rows, x->n, &x->cap, sizeof *x->rows);
  x->rows[x->n++] = row;
}

/* Takes "009" of "ADR-009", and any other text as it is. */
static void set_number(hm_decision_index_row *row, hm_str text, hm_arena *work) {
  hm_str low = hm_str_lower(work, hm_str_trim(text)), number = hm_decision_number_of_name(low);
  row->number = number.n ? number : text;
  row->named = number.n && (number.p[0] == '0' || hm_str_starts(low, "adr"));
}

/* "| 0003 | Store events in MongoDB | Accepted |", with a link to the record or without one. */
static void add_index_cells(hm_decision_index *x, hm_str source, const hm_doc_part *p, hm_arena *a,
                            hm_arena *work) {
  static const char *const statuses[] = { "estado", "standing", "state",
                                          "status", "statut",   "where it stands" };
  static const char *const numbers[] = { "#", "adr", "id", "no", "no.", "nr", "number", "record" };
  static const char *const titles[] = { "decision", "name",  "subject", "title",
                                        "titel",    "titre", "topic" };
  const hm_doc_cell *cell = NULL;
  uint32_t status = column_of(p, statuses, HM_COUNT(statuses), work);
  const hm_doc_span *link = link_of(p, status, &cell);
  uint32_t number = column_of(p, numbers, HM_COUNT(numbers), work);
  uint32_t title = column_of(p, titles, HM_COUNT(titles), work);
  hm_decision_index_row row = { .source = source, .line = p->line };
  if (status < p->n_cells)
    row.status = p->cells[status].text;
  if (link) {
    row.file = link->url;
    row.title =
        title < p->n_cells ? p->cells[title].text : hm_str_sub(cell->text, link->from, link->to);
  } else if (number < p->n_cells && title < p->n_cells && row.status.n) {
    set_number(&row, p->cells[number].text, work);
    row.title = p->cells[title].text;
  }
  if (row.file.n || row.number.n)
    add_index_row(x, row, a);
}

static const char *const known[] = { "accepted", "declined", "deprecated", "draft",
                                     "proposed", "rejected", "superseded", "withdrawn" };
#define IS_KNOWN(word) hm_decision_is_any(word, known, HM_COUNT(known))

/* Where the status behind the last dash of an item begins, behind byte `from`: "- Rejected",
 * "\u2014 superseded by 7"; but not in "- rejected goods". Else 0. */
static size_t behind_dash(hm_str text, size_t from, hm_arena *work) {
  static const char *const dashes[] = { "- ", "\u2013 ", "\u2014 " };
  size_t at = 0;
  for (size_t i = from; i < text.n; i++)
    for (size_t k = 0; k < HM_COUNT(dashes); k++)
      if (i && text.p[i - 1] == ' ' && hm_str_starts(hm_str_sub(text, i, text.n), dashes[k]))
        at = i + strlen(dashes[k]);
  hm_str status = hm_str_sub(text, at, text.n), word = hm_decision_status_word(work, status);
  size_t end = hm_skip_spaces(status, word.n);
  hm_str rest = hm_str_lower(work, hm_str_sub(status, end, status.n));
  bool alone = !rest.n || strchr("(,.;", rest.p[0]) || hm_str_starts(rest, "by ");
  return alone && hm_letter_at(status, 0) && IS_KNOWN(word) ? at : 0;
}

/* Where the status behind the last full stop begins: "Nightly loads. Superseded by 7."; else 0. */
static size_t behind_stop(hm_str text, hm_arena *work) {
  size_t at = 0;
  for (size_t i = 1; i + 2 < text.n; i++)
    if (hm_str_starts(hm_str_sub(text, i, text.n), ". ") && i + 2 < text.n)
      at = i + 2;
  hm_str status = hm_str_sub(text, at, text.n), word = hm_decision_status_word(work, status);
  hm_str rest = hm_str_sub(status, word.n, status.n);
  bool alone = !rest.n || strchr(".,;(", rest.p[0]) || hm_str_starts(rest, " by ");
  return at && alone && IS_KNOWN(word) ? at : 0;
}

/* "[0005](0005-search.md) Search: accepted", "... (accepted)", "... - Accepted"; but "[7: Draft
 * order](7.md)" is a title. */
static void add_index_item(hm_decision_index *x, hm_str source, const hm_doc_part *p, hm_arena *a,
                           hm_arena *work) {
  hm_str file = HM_EMPTY, status;
  size_t at = p->text.n, title = 0; /* title: where it ends */
  for (uint32_t i = 0; i < p->n_spans && !file.n; i++)
    if (p->spans[i].mark == HM_DOC_LINK && hm_str_ends(p->spans[i].url, ".md")) {
      file = p->spans[i].url;
      title = p->spans[i].to;
    }
  size_t dash = file.n ? behind_dash(p->text, title, work) : 0;
  dash = dash || file.n ? dash : behind_stop(p->text, work);
  while (at && !dash && !strchr(":(", p->text.p[at - 1]))
    at--;
  at = dash ? dash : at;
  status = hm_str_trim(hm_str_sub(p->text, at, p->text.n));
  hm_str word = hm_decision_status_word(work, status);
  bool in_title = at < title && memchr(status.p, ' ', status.n);
  if (!at || in_title || !IS_KNOWN(word))
    return;
  hm_decision_index_row row = { .source = source, .file = file, .status = status, .line = p->line };
  if (!file.n) { /* "0012: Push over MQTT (accepted)" */
    size_t first = hm_str_starts(p->text, "ADR-") ? 4 : 0;
    size_t digits = hm_skip_digits(p->text, first), from = digits;
    while (from < at && strchr(" :.-", p->text.p[from]))
      from++;
    bool numbered = digits > first + 2 && p->text.p[first] == '0' && from > digits && at > from + 1;
    size_t end = at - (at > 1); /* "Title (", "Title: ", "Title. " */
    while (end > from && strchr(" .:(", p->text.p[end - 1]))
      end--;
    row.number = hm_str_sub(p->text, first, numbered ? digits : first);
    row.title = hm_str_sub(p->text, numbered ? from : 0, numbered ? end : 0);
    row.named = numbered;
  }
  if (row.file.n || row.number.n)
    add_index_row(x, row, a);
}

void hm_decision_index_add(hm_decision_index *x, hm_str source, const hm_document *doc, hm_arena *a,
                           hm_arena *work) {
  for (size_t i = 0; i < doc->n; i++) {
    if (doc->parts[i].kind == HM_DOC_ROW)
      add_index_cells(x, source, &doc->parts[i], a, work);
    else if (doc->parts[i].kind == HM_DOC_ITEM)
      add_index_item(x, source, &doc->parts[i], a, work);
  }
}

/* --- comparison --------------------------------------------------------------------------- */

bool hm_decision_titles_agree(hm_str x, hm_str y, hm_arena *a) {
  enum { LONG = 4 };
  hm_str of[] = { hm_str_lower(a, x), hm_str_lower(a, y) };
  size_t n[2] = { 0, 0 }, same = 0;
  for (int k = 0; k < 2; k++)
    for (size_t i = 0, end; i < of[k].n; i = end + 1) {
      for (end = i; end < of[k].n && (hm_is_alnum(of[k].p[end]) || (of[k].p[end] & 0x80)); end++) {
      }
      hm_str word = hm_str_sub(of[k], i, end);
      if (word.n < LONG)
        continue;
      n[k]++;
      /* "configuring" and "configure" are one word */
      same += !k && hm_str_find(of[1], hm_str_z(a, hm_str_sub(word, 0, LONG))) >= 0;
    }
  return n[0] < 2 || !n[1] || same * 3 >= n[0] || same * 3 >= n[1];
}

/* The next word of a title, cut off; empty: there is none. Numbers and "ADR" are none. */
static hm_str next_word(hm_str *title) {
  hm_str word;
  do {
    size_t from = 0, end;
    while (from < title->n && !hm_is_alnum(title->p[from]) && !(title->p[from] & 0x80))
      from++;
    for (end = from; end < title->n && (hm_is_alnum(title->p[end]) || (title->p[end] & 0x80));)
      end++;
    word = hm_str_sub(*title, from, end);
    *title = hm_str_sub(*title, end, title->n);
  } while (word.n && (hm_skip_digits(word, 0) == word.n || hm_str_is(word, "ADR")));
  return word;
}

/* Is it a name among words that are none, by its capital letters? */
static bool is_proper(hm_str word) {
  bool capital = false;
  for (size_t i = 0; i < word.n; i++)
    capital |= hm_is_upper(word.p[i]);
  return capital && word.n > 2;
}

bool hm_decision_titles_differ(hm_str x, hm_str y) {
  /* with which a title decides; German has capitals everywhere */
  static const char *const verbs[] = { "Adopt", "Build",  "Choose", "Deploy", "Host",
                                       "Keep",  "Run",    "Select", "Send",   "Serve",
                                       "Store", "Switch", "Test",   "Use",    "Write" };
  size_t differ = 0, at = 0;
  bool decides = false;
  for (hm_str one, other; (one = next_word(&x)).n; at++) {
    other = next_word(&y);
    if (one.n == other.n && !strncasecmp(one.p, other.p, one.n)) {
      for (size_t i = 0; i < HM_COUNT(verbs) && !at; i++)
        decides |= hm_str_is(one, verbs[i]);
      if (at && is_proper(one)) /* "Use Feature Flags": all are written so */
        return false;
      continue;
    }
    /* "Postgres" and "PostgreSQL", "AWS" and "Amazon" are one */
    if (!decides || differ++ || !is_proper(one) || !is_proper(other) ||
        hm_ascii_lower(one.p[0]) == hm_ascii_lower(other.p[0]))
      return false;
  }
  return differ == 1 && !next_word(&y).n;
}
