/* What a line says of the one thing that it names: "| 06:00 | `backup_db` |", "- `backup_db`: all
 * of it (07:00)", "| `API_KEY` | yes |" below "Required", two tables that have one row and one
 * column. A value is read by its kind alone, so only kinds are read of which a thing has one. A
 * document that gives a thing several values of a kind says more than is read here, and none of
 * them is compared (NOTE_SETTING, NOTE_MEASURED). */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

/* --- names ------------------------------------------------------------------------------------ */

/* The name with which a text begins, as code: "backup_db" of "`backup_db` (weekly)"; in a row also
 * without marks. Empty: it begins with none that is rare. */
static hm_str leading_name(hm_str text, const hm_doc_span *spans, uint32_t n) {
  hm_str name = HM_EMPTY;
  if (n && spans[0].mark == HM_DOC_SPAN_CODE && !spans[0].from)
    name = hm_str_sub(text, 0, spans[0].to);
  else if (n > 1 && spans[0].mark == HM_DOC_STRONG && spans[1].mark == HM_DOC_SPAN_CODE &&
           !spans[1].from)
    name = hm_str_sub(text, 0, spans[1].to);
  return note_is_key(name) && !hm_text_has_digit(hm_str_sub(name, 0, 1)) ? name : HM_EMPTY;
}

/* --- when it happens ---------------------------------------------------------------------------
 */

/* Has a word of the text the only value of this dimension? */
static bool only_measure(const note_words *w, const char *dimension, note_measure *m, hm_arena *a) {
  size_t found = 0;
  for (size_t i = 0; i < w->n;) {
    note_measure other;
    if (!note_measure_at(w, i, &other, a)) {
      i++;
      continue;
    }
    if (!strcmp(other.dimension, dimension)) {
      *m = other;
      found++;
    }
    i = other.to;
  }
  return found == 1;
}

/* A time of day is local, where the text says so. */
static bool is_local(const note_words *w) {
  return note_any_word_in(w,
                          "bst|cest|cet|cst|ct|eastern|edt|est|et|ist|jst|local|mst|pacific|pdt|"
                          "pst|pt");
}

/* Words with which a time is one of several of the thing. */
static const char parts_of_time[] =
    "after|before|begin|begins|between|close|closes|closing|cutoff|deadline|end|ends|every|expires|"
    "finish|finished|finishes|from|open|opens|took|until|was";

static void claim_time(note_claims *out, const note_context *c, hm_str name, hm_str text) {
  note_words w = note_split(hm_text_has_digit(text) ? text : HM_EMPTY, out->a);
  note_measure m;
  if (w.n == NOTE_WORDS_MAX || is_local(&w) || note_any_word_in(&w, parts_of_time) ||
      !only_measure(&w, "time", &m, out->a))
    return;
  note_topic t = { .a = out->a };
  note_topic_add(&t, name, note_lower(name, out->a));
  t.identifier = true;
  note_claim_amount(out, c, &t, &m, 1);
}

/* The row names one thing as code, and a cell is a time. */
static void read_row_time(note_claims *out, const note_context *c, const hm_doc_part *p) {
  hm_str name = HM_EMPTY, text = HM_EMPTY;
  for (uint32_t i = 0; i < p->n_cells; i++) {
    const hm_doc_cell *cell = &p->cells[i];
    hm_str own = leading_name(cell->text, cell->spans, cell->n_spans);
    note_words w = note_split(hm_text_has_digit(cell->text) ? cell->text : HM_EMPTY, out->a);
    note_measure m;
    bool time = w.n && w.n < 4 && only_measure(&w, "time", &m, out->a);
    if ((own.n && name.n) || (time && text.n))
      return;
    if (own.n && own.n == cell->text.n)
      name = own;
    else if (own.n)
      return;
    if (time)
      text = HM_CAT(out->a, i < p->n_head ? p->head[i].text : HM_EMPTY, HM_STR(" "), cell->text);
  }
  if (name.n && text.n)
    claim_time(out, c, name, text);
}

/* --- whether it must be set ---------------------------------------------------------------------
 */

/* "required" or "optional" of a heading, a lead or the head of a column which says nothing else. */
static const char *demand_of(hm_str text, hm_arena *a) {
  static const char plain[] =
      "additional|and|config|configuration|env|environment|following|key|keys|mandatory|optional|"
      "options|parameters|required|secrets|setting|settings|the|these|var|variable|variables|vars";
  const char *found = NULL;
  note_words w = note_split(text, a);
  for (size_t i = 0; i < w.n; i++) {
    if (!note_word_in(w.w[i].low, plain))
      return NULL;
    bool must = note_word_in(w.w[i].low, "mandatory|required");
    bool may = hm_str_is(w.w[i].low, "optional");
    if ((must || may) && found)
      return NULL;
    if (must || may)
      found = must ? "required" : "optional";
  }
  return found;
}

static const char *demand_of_cell(hm_str cell, hm_arena *a) {
  hm_str low = note_lower(hm_str_trim(cell), a);
  if (note_word_in(low, "yes|required|true|mandatory|\xE2\x9C\x85|\xE2\x9C\x93|\xE2\x9C\x94"))
    return "required";
  if (note_word_in(low, "no|optional|false|\xE2\x9D\x8C|\xE2\x9C\x97|\xE2\x9C\x98"))
    return "optional";
  return NULL;
}

/* The text before the list in which the item stands; empty: there is none. */
static hm_str lead_of(const hm_document *doc, const hm_doc_part *p) {
  for (size_t i = (size_t)(p - doc->parts); i--;) {
    const hm_doc_part *before = &doc->parts[i];
    if (before->kind == HM_DOC_ITEM && before->heading == p->heading)
      continue;
    bool leads = before->kind == HM_DOC_SENTENCE && hm_str_ends(before->text, ":");
    return leads && before->heading == p->heading ? before->text : HM_EMPTY;
  }
  return HM_EMPTY;
}

static void read_demand(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const char conditions[] =
      "but|either|except|if|only|optional|production|required|unless|when|without";
  hm_arena *a = out->a;
  bool row = p->kind == HM_DOC_ROW && p->n_cells;
  hm_str name = row ? leading_name(p->cells[0].text, p->cells[0].spans, p->cells[0].n_spans)
                    : leading_name(p->text, p->spans, p->n_spans);
  const char *demand = NULL;
  if (!note_is_setting_name(name) || (row && name.n != p->cells[0].text.n) ||
      (!row && p->kind != HM_DOC_ITEM))
    return;
  for (uint32_t i = 1; row && i < p->n_cells && i < p->n_head; i++)
    if (note_word_in(note_lower(hm_str_trim(p->head[i].text), a), "required|required?|mandatory"))
      demand = demand_of_cell(p->cells[i].text, a);
  hm_str above = row || p->level > 1 ? HM_EMPTY : lead_of(c->doc, p);
  note_words w = note_split(hm_str_sub(p->text, name.n, p->text.n), a);
  bool plain = !demand && !note_any_word_in(&w, conditions);
  if (plain && above.n)
    demand = demand_of(above, a);
  else if (plain && p->heading != HM_DOC_NONE)
    demand = demand_of(c->doc->parts[p->heading].text, a);
  if (demand)
    note_claims_add(out, HM_CAT(a, c->scope, name, HM_STR(" must be set")), hm_str_c(demand),
                    NOTE_SETTING);
}

/* --- cells of one row and one column ------------------------------------------------------------
 */

/* A word that is no part of a sentence: "~/.claude.json", "GPIO25", "fr.ville.navette". Empty: the
 * cell is none. */
static hm_str literal_of(const hm_doc_cell *cell) {
  hm_str s = hm_str_trim(cell->text);
  bool code = cell->n_spans == 1 && cell->spans[0].mark == HM_DOC_SPAN_CODE &&
      !cell->spans[0].from && cell->spans[0].to == cell->text.n;
  bool letter = false;
  for (size_t i = 0; i < s.n; i++) {
    if (hm_is_space(s.p[i]) || strchr("<>{}*=|()[]\"'$%,", s.p[i]))
      return HM_EMPTY;
    letter |= hm_letter_at(s, i);
  }
  bool home = hm_str_starts(s, "~/"), pin = hm_str_starts(s, "GPIO") && hm_digit_at(s, 4);
  bool plain = code && letter && s.n > 2 && hm_str_find(s, "://") < 0 && s.p[0] != '/';
  return home || pin || plain ? s : HM_EMPTY;
}

/* Is it the name of one thing: "`identifier`", "Claude Code", "TC2_CS"? */
static bool is_name(const hm_doc_cell *cell, hm_str value, hm_arena *a) {
  bool code = cell->n_spans && cell->spans[0].mark == HM_DOC_SPAN_CODE && !cell->spans[0].from &&
      cell->spans[0].to == cell->text.n;
  note_words w = note_split(cell->text, a);
  bool capitals = w.n > 1 && w.n < 4;
  for (size_t i = 0; i < w.n; i++)
    capitals &= w.w[i].s.p[0] >= 'A' && w.w[i].s.p[0] <= 'Z';
  return cell->text.n > 2 &&
      (note_is_key(cell->text) || code || (capitals && !hm_str_starts(value, "GPIO")));
}

static void read_cells(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const char heads[] = "config|config file|configuration|configuration file|default|"
                              "default value|file|gpio|location|path|pin|valeur|valor|value|wert";
  static const char own[] = "branch|date|email|host|id|key|name|owner|password|secret|token|url|"
                            "user|username";
  hm_arena *a = out->a;
  hm_str key = p->cells[0].text, folder = c->file->component;
  if (c->file->library || note_word_in(note_lower(key, a), own))
    return;
  for (uint32_t i = 1; i < p->n_cells && i < p->n_head; i++) {
    hm_str value = literal_of(&p->cells[i]), head = note_lower(hm_str_trim(p->head[i].text), a);
    if (value.n && note_word_in(head, heads) && is_name(&p->cells[0], value, a))
      note_claims_add(
          out, HM_CAT(a, c->scope, folder, HM_STR(" "), key, HM_STR(" "), head, HM_STR(" cell")),
          value, NOTE_SETTING);
  }
}

/* --- what a change needs -------------------------------------------------------------------------
 */

/* "85" of "85%", "85 %", "85%+"; empty: none, or several. */
static hm_str only_percent(hm_str text) {
  hm_str found = HM_EMPTY;
  for (size_t i = 0; i < text.n; i++) {
    size_t end =
        hm_is_digit(text.p[i]) && (!i || !hm_is_digit(text.p[i - 1])) ? hm_skip_digits(text, i) : 0;
    if (!end || !hm_char_at(text, hm_skip_spaces(text, end), '%'))
      continue;
    if (found.n || (i && strchr(".-", text.p[i - 1])))
      return HM_EMPTY;
    found = hm_str_sub(text, i, end);
  }
  return found;
}

/* "Coverage must not fall below 85 %": the least that is allowed, not what there is. */
static void read_coverage(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const char least[] =
      "below|enforce|enforced|enforces|fail|fails|least|maintain|min|minimal|"
      "minimum|must|required|requires|threshold|under|\u2265";
  static const char others[] =
      "actual|achieved|aim|and|but|currently|from|goal|if|increase|increased|"
      "now|or|reached|target|was|were|will";
  static const char plain[] = "code|have|keep|least|maintain|min|minimal|minimum|of|our|overall|"
                              "project|require|requires|test|tests|the|threshold|total|when|with";
  hm_str text = p->text,
         percent = hm_str_find(text, "overage") >= 0 ? only_percent(text) : HM_EMPTY;
  note_words w = note_split(percent.n ? text : HM_EMPTY, out->a);
  if (!note_any_word_in(&w, least) || note_any_word_in(&w, others))
    return;
  for (size_t i = 0; i < w.n; i++) {
    if (!hm_str_is(w.w[i].low, "coverage"))
      continue;
    bool named = i && w.w[i].joined && !note_word_in(w.w[i - 1].low, plain) &&
        hm_letter_at(w.w[i - 1].low, 0);
    hm_str kind = named ? w.w[i - 1].low : HM_EMPTY;
    hm_str slot = HM_CAT(out->a, c->scope, c->file->component, HM_STR(" "), kind);
    note_claims_add(out, HM_CAT(out->a, slot, HM_STR(" coverage at least")),
                    HM_CAT(out->a, percent, HM_STR("%")), NOTE_SETTING);
    return;
  }
}

/* "One approval is enough to merge a pull request". */
static void read_approvals(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const struct {
    const char *words, *value;
  } numbers[] = { { "1|one|eine|une|una", "1" },
                  { "2|two|zwei|deux|dos", "2" },
                  { "3|three|drei|trois|tres", "3" } };
  static const char approvals[] = "approval|approvals|approver|approvers|freigabe|freigaben|"
                                  "approbation|approbations|aprobaci\u00F3n|aprobaciones";
  static const char doubts[] =
      "additional|another|but|except|for|hotfix|if|more|no|not|or|unless|was";
  static const char changes[] = "change|changes|commit|merge|merged|merging|mr|mrs|pr|prs|pull|"
                                "\u00E4nderung|\u00E4nderungen|gemischt|fusion|cambio";
  if (!note_has_any(p->text, "pprov|reigabe|pprobation|probaci"))
    return;
  note_words w = note_split(p->text, out->a);
  const char *value = NULL;
  for (size_t i = 1; i < w.n; i++)
    for (size_t k = 0; k < HM_COUNT(numbers); k++) {
      if (!note_word_in(w.w[i].low, approvals) || !note_word_in(w.w[i - 1].low, numbers[k].words))
        continue;
      if (value)
        return;
      value = numbers[k].value;
    }
  if (value && note_any_word_in(&w, changes) && !note_any_word_in(&w, doubts))
    note_claims_add(out,
                    HM_CAT(out->a, c->scope, c->file->component, HM_STR(" approvals to merge")),
                    hm_str_c(value), NOTE_SETTING);
}

/* --- days of what has a short name ---------------------------------------------------------------
 */

static hm_str day_of(hm_str low) {
  static const char *const days[] = { "monday", "tuesday",  "wednesday", "thursday",
                                      "friday", "saturday", "sunday" };
  for (size_t i = 0; i < HM_COUNT(days); i++)
    if (hm_str_is(low, days[i]) || (low.n >= 3 && low.n < 6 && !memcmp(days[i], low.p, low.n)))
      return hm_str_c(days[i]);
  return HM_EMPTY;
}

/* "NIFTY". */
static bool is_acronym(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] < 'A' || s.p[i] > 'Z')
      return false;
  return s.n > 2;
}

/* "Mon=ALPHA, Tue=BETA"; "| ALPHA | Monday |". */
static void read_days(note_claims *out, const note_context *c, const hm_doc_part *p) {
  hm_arena *a = out->a;
  note_words w = note_split(hm_str_find(p->text, "=") < 0 ? HM_EMPTY : p->text, a);
  for (size_t i = 0; i < w.n; i++) {
    const char *sign = memchr(w.w[i].s.p, '=', w.w[i].s.n);
    size_t at = sign ? (size_t)(sign - w.w[i].s.p) : 0;
    hm_str name = hm_str_sub(w.w[i].s, at + 1, w.w[i].s.n);
    hm_str day = sign ? day_of(hm_str_sub(w.w[i].low, 0, at)) : HM_EMPTY;
    if (day.n && is_acronym(name))
      note_claims_add(out, HM_CAT(a, c->scope, name, HM_STR(" weekday")), day, NOTE_SETTING);
  }
  hm_str found = HM_EMPTY;
  bool named = p->n_cells && is_acronym(p->cells[0].text);
  for (uint32_t i = 1; named && i < p->n_cells; i++) {
    hm_str day = day_of(note_lower(hm_str_trim(p->cells[i].text), a));
    if (day.n && found.n)
      return;
    found = day.n ? day : found;
  }
  if (found.n)
    note_claims_add(out, HM_CAT(a, c->scope, p->cells[0].text, HM_STR(" weekday")), found,
                    NOTE_SETTING);
}

void note_lines_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  if (p->kind == HM_DOC_ROW && p->n_cells > 1) {
    read_row_time(out, c, p);
    read_cells(out, c, p);
  }
  if (p->kind == HM_DOC_ROW || p->kind == HM_DOC_ITEM)
    read_demand(out, c, p);
  if (p->kind != HM_DOC_HEADING)
    read_days(out, c, p);
  if (p->kind == HM_DOC_ROW || p->kind == HM_DOC_ITEM || p->kind == HM_DOC_SENTENCE) {
    read_coverage(out, c, p);
    read_approvals(out, c, p);
  }
  hm_str name = leading_name(p->text, p->spans, p->n_spans);
  if (p->kind == HM_DOC_ITEM && name.n)
    claim_time(out, c, name, hm_str_sub(p->text, name.n, p->text.n));
}
