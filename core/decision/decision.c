/* The fields of a record of a decision. decision.h says where they may stand.
 *
 * A field comes from the first of these places that has it: front matter; above the first section
 * "Key: value" in a line, in an item, in a row of a table or a column of one; a section with its
 * name. Several may stand in one paragraph ("**Date:** ... **Status:** ..."): a value ends where
 * the next key begins. */
#include <string.h>
#include "core/base/ascii.h"
#include "core/base/time.h"
#include "core/decision/decision_impl.h"

typedef struct {
  const hm_document *doc;
  hm_str text; /* of the file */
  hm_str name; /* of the file */
  hm_arena *a;
  hm_decision_field dated; /* the date in the name */
  uint32_t title;
  hm_decision *out;
  bool ended; /* its status is struck, with no other one behind it */
  supersession_reader says;
} reader;

enum { KEY_LONGEST = 24 };

static const char *const status_keys[] = { "status", "state", "decision status", "adr status" };
static const char *const date_keys[] = { "date",         "decided",      "decision date",
                                         "date decided", "decided on",   "created",
                                         "date created", "accepted on",  "introduced",
                                         "start date",   "last updated", "updated" };
static const char *const decider_keys[] = { "deciders",        "decider",        "decision-makers",
                                            "decision makers", "approvers",      "decided by",
                                            "decision maker",  "decision_makers" };
static const char *const over_keys[] = { "supersedes", "supercedes", "replaces" };
static const char *const by_keys[] = { "superseded by", "superseded-by", "superseded_by",
                                       "superceded by", "replaced by",   "supersededby" };
#define IS_KEY(s, list) hm_decision_is_any(s, list, HM_COUNT(list))

/* "Superseded by:" as "superseded by". */
static hm_str key_of(reader *r, hm_str s) {
  s = hm_str_trim(s);
  while (s.n && strchr(":*_`", s.p[s.n - 1]))
    s = hm_str_trim(hm_str_sub(s, 0, s.n - 1));
  return s.n > KEY_LONGEST ? HM_EMPTY : hm_decision_in_english(hm_str_lower(r->a, s));
}

/* --- lines --------------------------------------------------------------------------------- */

/* The number of the line, from `line` on and within `most`, that has the word; else line. */
static uint32_t line_with(reader *r, uint32_t line, uint32_t most, hm_str word) {
  hm_str rest = r->text;
  for (uint32_t number = 1; rest.n && number <= line + most; number++) {
    hm_str s = hm_str_next_line(&rest);
    if (number >= line && hm_str_find(hm_str_lower(r->a, s), hm_str_z(r->a, word)) >= 0)
      return number;
  }
  return line;
}

/* --- fields -------------------------------------------------------------------------------- */

static void set(hm_decision_field *f, hm_str text, uint32_t line) {
  text = hm_str_trim(text);
  if (!f->line && text.n)
    *f = (hm_decision_field){ text, line };
}

/* What is struck in a status is it no more; of several with dates the latest is it. */
static void set_status(reader *r, hm_str text, const hm_doc_span *spans, size_t n, uint32_t line) {
  hm_decision_field *f = &r->out->status;
  hm_str kept = hm_decision_unstruck(text, spans, n, r->a), date, last;
  hm_str rest = hm_decision_chosen_status(kept, r->a);
  hm_str latest = hm_decision_latest_status(rest.n ? rest : text, &date, r->a);
  bool none = !hm_decision_chosen_status(text, r->a).n;
  hm_decision_latest_status(f->text, &last, r->a);
  if (none || (f->line && !(last.n && hm_str_cmp(date, last) > 0)))
    return;
  hm_str was = hm_decision_status_word(r->a, text), is = hm_decision_status_word(r->a, rest);
  r->ended = kept.n < text.n && !hm_decision_is_status(is) &&
      hm_decision_standing_of(was, text, r->a) == HM_DECISION_IN_FORCE;
  *f = (hm_decision_field){ latest, line };
}

/* One of a list. */
static void add_decider(reader *r, hm_str name) {
  enum { LONGEST = 1000 };
  hm_decision_field *f = &r->out->deciders;
  name = hm_str_trim(name);
  if (name.n && f->text.n < LONGEST)
    f->text = HM_CAT(r->a, f->text, HM_STR(", "), name);
}

/* Takes the value of a field with this key, in small letters. False: no field of a record. */
static bool take_field(reader *r, hm_str key, hm_str value, const hm_doc_span *spans,
                       size_t n_spans, uint32_t line) {
  static const char *const none[] = { "-", "n/a", "na", "none", "tbd", "nothing", "", "--", "no" };
  hm_decision *d = r->out;
  value = hm_str_trim(value);
  hm_str low = hm_str_lower(r->a, value);
  bool silent = low.n <= 8 && IS_KEY(low, none);
  bool over = IS_KEY(key, over_keys), by = IS_KEY(key, by_keys);
  if (IS_KEY(key, status_keys)) {
    if (silent)
      return true;
    set_status(r, value, spans, n_spans, line);
    hm_supersessions_read(&r->says, STATUS, value, spans, n_spans, line);
  } else if (IS_KEY(key, date_keys)) {
    if (!silent)
      set(&d->date, value, line);
  } else if (IS_KEY(key, decider_keys)) {
    if (!silent)
      set(&d->deciders, value, line);
  } else if (over || by) {
    if (!silent)
      hm_supersessions_read(&r->says, by ? FIELD_SUPERSEDED_BY : FIELD_SUPERSEDES, value, spans,
                            n_spans, line);
  } else
    return false;
  return true;
}

/* A key that ends before the colon at i: it begins the text, or a word with a capital letter or of
 * a bold text. *from: where it begins. */
static bool key_before(const hm_doc_part *p, size_t colon, size_t *from) {
  size_t words = 0, i = colon;
  while (hm_char_at(p->text, i - 1, ' ') && i > 1)
    i--;
  for (*from = i; *from > 0 && i - *from < KEY_LONGEST && words < 3; --*from) {
    char c = p->text.p[*from - 1];
    if (c == ' ') {
      words++;
      if (!hm_is_letter(p->text.p[*from]) || p->text.p[*from] >= 'a')
        break; /* the next word is no part of a key */
      if (!(*from > 1 && hm_is_letter(p->text.p[*from - 2])))
        break;
    } else if (!hm_is_letter(c) && c != '-' && c != '_')
      break;
  }
  return *from < i;
}

/* The known key that ends at byte end; *from: its beginning. */
static hm_str known_key(reader *r, const hm_doc_part *p, size_t end, size_t *from) {
  static const struct {
    const char *const *keys;
    size_t n;
  } lists[] = { { status_keys, HM_COUNT(status_keys) },
                { date_keys, HM_COUNT(date_keys) },
                { decider_keys, HM_COUNT(decider_keys) },
                { over_keys, HM_COUNT(over_keys) },
                { by_keys, HM_COUNT(by_keys) } };
  hm_str best = HM_EMPTY;
  for (size_t i = 0; i < HM_COUNT(lists); i++)
    for (size_t k = 0; k < lists[i].n; k++) {
      size_t n = strlen(lists[i].keys[k]);
      hm_str s = end >= n ? hm_str_lower(r->a, hm_str_sub(p->text, end - n, end)) : HM_EMPTY;
      bool begins = end >= n && (end == n || !hm_is_letter(p->text.p[end - n - 1]));
      if (begins && n > best.n && hm_str_is(s, lists[i].keys[k])) {
        best = s;
        *from = end - n;
      }
    }
  return best;
}

/* Takes bytes [from, to) of the part as the value of a field, with the links in them. */
static void take_words(reader *r, hm_str key, const hm_doc_part *p, size_t from, size_t to,
                       uint32_t line) {
  hm_str v = hm_str_trim(hm_str_sub(p->text, from, to));
  while (v.n && strchr("|,-*", v.p[v.n - 1]))
    v = hm_str_trim(hm_str_sub(v, 0, v.n - 1));
  hm_doc_span *spans = hm_alloc_array(r->a, p->n_spans + 1, sizeof *spans);
  size_t n = 0, at = (size_t)(v.p - p->text.p);
  for (uint32_t k = 0; k < p->n_spans; k++)
    if (p->spans[k].from >= at && p->spans[k].to <= at + v.n) {
      spans[n] = p->spans[k];
      spans[n].from -= (uint32_t)at;
      spans[n++].to -= (uint32_t)at;
    }
  take_field(r, key, v, spans, n, line);
}

/* Reads "Key: value Key: value". */
static void read_keys(reader *r, const hm_doc_part *p) {
  hm_str text = p->text, key = HM_EMPTY;
  size_t value = 0;
  for (size_t i = 1; i <= text.n; i++) {
    bool at_end = i == text.n;
    if (!at_end && text.p[i] != ':')
      continue;
    size_t from = text.n, end = i;
    while (!at_end && end > 1 && text.p[end - 1] == ' ')
      end--;
    hm_str next = at_end ? HM_EMPTY : known_key(r, p, end, &from);
    bool any =
        at_end || next.n || (i + 1 < text.n && text.p[i + 1] == ' ' && key_before(p, i, &from));
    if (!any)
      continue;
    if (key.n)
      take_words(r, key, p, value, from, line_with(r, p->line, 12, key));
    key = next;
    value = i + 1;
  }
}

static bool is_known_key(hm_str key) {
  return IS_KEY(key, status_keys) || IS_KEY(key, date_keys) || IS_KEY(key, decider_keys) ||
      IS_KEY(key, over_keys) || IS_KEY(key, by_keys);
}

static void read_row(reader *r, const hm_doc_part *p, bool first) {
  /* Of a table of keys and values the head is a field, too */
  if (first && p->n_head == 2 && !is_known_key(key_of(r, p->head[1].text)))
    take_field(r, key_of(r, p->head[0].text), p->head[1].text, p->head[1].spans, p->head[1].n_spans,
               p->line > 2 ? p->line - 2 : 1);
  if (p->n_cells >= 2 &&
      take_field(r, key_of(r, p->cells[0].text), p->cells[1].text, p->cells[1].spans,
                 p->cells[1].n_spans, p->line))
    return;
  for (uint32_t i = 0; first && i < p->n_cells && i < p->n_head; i++)
    take_field(r, key_of(r, p->head[i].text), p->cells[i].text, p->cells[i].spans,
               p->cells[i].n_spans, p->line);
}

/* --- sections ------------------------------------------------------------------------------- */

typedef enum {
  ABOVE,
  SECTION_STATUS,
  SECTION_DATE,
  SECTION_DECIDERS,
  SECTION_OVER,
  SECTION_BY,
  SECTION_LINKS,
  SECTION_META,
  OTHER
} section;

static section section_of(reader *r, uint32_t heading) {
  static const char *const links[] = {
    "links",    "related",          "related adrs",    "related decisions", "references",
    "see also", "more information", "related records", "relations"
  };
  static const char *const meta[] = { "metadata", "meta", "document info", "info", "details" };
  if (heading == HM_DOC_NONE || heading == r->title)
    return ABOVE;
  hm_str text = r->doc->parts[heading].text;
  size_t i = 0;
  while (i < text.n && !hm_is_letter(text.p[i]))
    i++;
  hm_str key = key_of(r, hm_str_sub(text, i, text.n));
  if (IS_KEY(key, status_keys))
    return SECTION_STATUS;
  if (IS_KEY(key, date_keys))
    return SECTION_DATE;
  if (IS_KEY(key, decider_keys))
    return SECTION_DECIDERS;
  if (IS_KEY(key, over_keys))
    return SECTION_OVER;
  if (IS_KEY(key, by_keys))
    return SECTION_BY;
  if (IS_KEY(key, links))
    return SECTION_LINKS;
  return IS_KEY(key, meta) ? SECTION_META : OTHER;
}

static bool mentions_supersession(const hm_doc_part *p, hm_arena *a) {
  hm_str low = hm_str_lower(a, hm_str_sub(p->text, 0, 400));
  return hm_str_find(low, "superse") >= 0 || hm_str_find(low, "superce") >= 0 ||
      hm_str_find(low, "replace") >= 0 || hm_str_find(low, "obsolete") >= 0;
}

/* "Supersedes ...", "This ADR supersedes ..." */
static bool is_about_record(const hm_doc_part *p, section s, hm_arena *a) {
  hm_str low = hm_str_lower(a, hm_str_sub(p->text, 0, 60));
  static const char *const first[] = { "supersede", "supercede", "superseed" };
  static const char *const own[] = { "this adr ", "this record ", "this decision " };
  for (size_t i = 0; i < HM_COUNT(first); i++)
    if (hm_str_starts(low, first[i]))
      return s != OTHER || p->kind == HM_DOC_SENTENCE;
  for (size_t i = 0; i < HM_COUNT(own); i++)
    if (hm_str_starts(low, own[i]) && hm_str_find(low, "supers") >= 0)
      return true;
  if (hm_str_starts(low, "these ") && hm_str_find(low, "superseded by") >= 0)
    return true;
  return s == SECTION_LINKS && p->kind == HM_DOC_ITEM &&
      (hm_str_starts(low, "replace") || hm_str_starts(low, "obsolete"));
}

static void read_sentence(reader *r, const hm_doc_part *p, supersession_form form) {
  hm_supersessions_read(&r->says, form, p->text, p->spans, p->n_spans, p->line);
}

/* "Superseded by 0015." above the sections, mostly in a block quote: a status, if not in part. */
static void read_notice(reader *r, const hm_doc_part *p) {
  size_t before = r->out->n_says;
  read_sentence(r, p, STATUS);
  hm_str word = hm_decision_status_word(r->a, p->text);
  bool over = hm_decision_standing_of(word, HM_EMPTY, r->a) == HM_DECISION_OVER;
  bool whole = r->out->n_says > before && !r->out->says[before].in_part;
  if (over && whole)
    set(&r->out->status, word, p->line);
}

/* "**Status.** Accepted.": a key that is a sentence, and its value the next one. */
static void read_stopped_key(reader *r, const hm_doc_part *p) {
  const hm_doc_part *next = p + 1;
  bool first = p == r->doc->parts || p[-1].block != p->block;
  if (!first || !hm_str_ends(p->text, ".") || next >= r->doc->parts + r->doc->n ||
      next->block != p->block)
    return;
  hm_str key = key_of(r, hm_str_sub(p->text, 0, p->text.n - 1));
  if (is_known_key(key))
    take_field(r, key, next->text, next->spans, next->n_spans, p->line);
}

/* "2026-03-01, accepted" as a line of its own. */
static void read_dated(reader *r, const hm_doc_part *p) {
  enum { LONGEST = 40 };
  hm_str date = hm_time_find_date(p->text);
  hm_str word = hm_decision_status_word(r->a, p->text);
  if (p->text.n <= LONGEST && date.n && date.p == p->text.p && hm_decision_is_status(word))
    set_status(r, p->text, p->spans, p->n_spans, p->line);
}

static void read_part(reader *r, const hm_doc_part *p, section s, bool first_row) {
  hm_decision *d = r->out;
  bool text = p->kind == HM_DOC_SENTENCE || p->kind == HM_DOC_ITEM;
  if (p->quoted && s != ABOVE && s != SECTION_STATUS)
    return;
  switch (s) {
    case ABOVE:
    case SECTION_META:
      if (p->kind == HM_DOC_ROW)
        read_row(r, p, first_row);
      else if (text) {
        read_keys(r, p);
        read_stopped_key(r, p);
        read_dated(r, p);
        if (mentions_supersession(p, r->a) && (is_about_record(p, s, r->a) || p->quoted))
          read_notice(r, p);
      }
      return;
    case SECTION_STATUS:
      if (p->kind == HM_DOC_ROW)
        read_row(r, p, first_row);
      if (!text)
        return;
      if (p->task && !p->checked) /* one that it might have */
        return;
      if (p->task && hm_decision_is_status(hm_decision_status_word(r->a, p->text)))
        d->status = (hm_decision_field){ 0 };
      read_keys(r, p);
      set_status(r, p->text, p->spans, p->n_spans, p->line);
      if (mentions_supersession(p, r->a))
        read_sentence(r, p, STATUS);
      return;
    case SECTION_DATE:
      if (text)
        set(&d->date, p->text, p->line);
      return;
    case SECTION_DECIDERS:
      if (p->kind == HM_DOC_ITEM && d->deciders.line > r->doc->parts[p->heading].line)
        add_decider(r, p->text);
      else if (text)
        set(&d->deciders, p->text, p->line);
      return;
    case SECTION_OVER:
    case SECTION_BY:
      if (text)
        take_field(r, s == SECTION_BY ? HM_STR("superseded by") : HM_STR("supersedes"), p->text,
                   p->spans, p->n_spans, p->line);
      return;
    default:
      if (text && mentions_supersession(p, r->a) && is_about_record(p, s, r->a))
        read_sentence(r, p, SENTENCE);
  }
}

/* "Status: Accepted" as a heading. */
static void read_heading(reader *r, const hm_doc_part *p) {
  const char *colon = p->text.n ? memchr(p->text.p, ':', p->text.n) : NULL;
  if (!colon)
    return;
  size_t at = (size_t)(colon - p->text.p);
  take_words(r, key_of(r, hm_str_sub(p->text, 0, at)), p, at + 1, p->text.n, p->line);
}

/* A field of the front matter, whose value may have links, as those of MADR have. */
static void read_front(reader *r, const hm_doc_field *f) {
  hm_document doc;
  hm_arena *work = hm_arena_new();
  hm_doc_read(&doc, f->value, r->a, work);
  hm_arena_free(work);
  hm_str key = key_of(r, f->key);
  bool again = f > r->doc->fields && hm_str_eq(f[-1].key, f->key); /* an item of its list */
  if (again && IS_KEY(key, decider_keys) && r->out->deciders.line)
    add_decider(r, f->value);
  else if (doc.n == 1 && doc.parts[0].kind == HM_DOC_SENTENCE)
    take_words(r, key, &doc.parts[0], 0, doc.parts[0].text.n, f->line);
  else
    take_field(r, key, f->value, NULL, 0, f->line);
}

static void read_parts(reader *r) {
  uint32_t block = HM_DOC_NONE;
  for (size_t i = 0; i < r->doc->n; i++) {
    const hm_doc_part *p = &r->doc->parts[i];
    if (p->kind == HM_DOC_HEADING) {
      if (i != r->title)
        read_heading(r, p);
      continue;
    }
    read_part(r, p, section_of(r, p->heading), p->block != block);
    block = p->block;
  }
}

/* --- title and number ----------------------------------------------------------------------- */

/* "_018-" behind a date: *end is where the number ends. */
static bool is_number_behind(hm_str low, size_t at, size_t *end) {
  enum { FEWEST = 3, MOST = 5 };
  if (at >= low.n || !strchr("-_", low.p[at]))
    return false;
  size_t to = hm_skip_digits(low, at + 1), n = to - at - 1;
  if (n < FEWEST || n > MOST || to >= low.n || !strchr("-_", low.p[to]))
    return false;
  *end = to;
  return true;
}

/* Splits "adr-0031-use-x.md" at its number. A date is none; a number may stand behind one. */
static void read_file_number(reader *r, hm_str path) {
  hm_str name = hm_str_behind_last(path, '/'), low = hm_str_lower(r->a, name);
  size_t i = 0;
  while (i < low.n && !hm_is_digit(low.p[i]) && low.p[i] != '.')
    i++;
  size_t end = hm_skip_digits(low, i);
  bool dots = end == i + 4 && hm_char_at(low, end, '.') &&
      hm_skip_digits(low, end + 1) == end + 3 && hm_char_at(low, end + 3, '.');
  if (dots) { /* "2026.04.13-rooms.md" */
    char *copy = hm_str_z(r->a, low);
    copy[end] = copy[end + 3] = '-';
    low.p = copy;
  }
  bool begins = !i || strchr("-_", low.p[i - 1]) || (i >= 3 && !memcmp(low.p + i - 3, "adr", 3));
  bool date = end - i == 8 || hm_time_is_date(hm_str_sub(low, i, low.n));
  if (date)
    set(&r->out->date, hm_str_sub(low, i, end - i == 8 ? end : i + 10), 1);
  hm_str before = hm_str_sub(low, 0, i);
  if (date && end - i != 8 && is_number_behind(low, i + sizeof "2026-04-13" - 1, &end)) {
    i += sizeof "2026-04-13";
    begins = true;
    date = false;
  }
  if (hm_str_starts(before, "adr"))
    before = hm_str_sub(before, 3, before.n);
  while (before.n && strchr("-_ ", before.p[before.n - 1]))
    before.n--;
  while (before.n && strchr("-_ ", before.p[0]))
    before = hm_str_sub(before, 1, before.n);
  bool fits =
      begins && end > i && end - i < 6 && !date && (end == low.n || strchr("-_. ", low.p[end]));
  r->out->series = hm_str_sub(path, 0, path.n - name.n);
  /* A word before the number belongs to the series only where it is a short prefix */
  if (fits && before.n <= KEY_LONGEST) {
    r->out->number = (hm_decision_field){ hm_str_sub(name, i, end), 1 };
    r->out->series = HM_CAT(r->a, r->out->series, before);
  }
}

/* Cuts "ADR 0031: ", "31. ", "[0031] " off the title. */
static hm_str cut_number(reader *r, hm_str title, uint32_t line) {
  size_t i = 0, end;
  hm_str low = hm_str_lower(r->a, title);
  bool named = false;
  static const char *const names[] = { "adr",      "architecture decision record",
                                       "rfc",      "decision record",
                                       "decision", "architecture decision" };
  while (i < low.n && strchr("[(#", low.p[i]))
    i++;
  for (size_t k = 0; k < HM_COUNT(names) && !named; k++)
    if (hm_str_starts(hm_str_sub(low, i, low.n), names[k])) {
      i += strlen(names[k]);
      named = true;
    }
  while (named && i < low.n && strchr("-_ #:", low.p[i]))
    i++;
  end = hm_skip_digits(low, i);
  bool number = end > i && end - i < 6;
  bool parted = end < low.n && (strchr(".:)]", low.p[end]) || named);
  size_t at = hm_skip_spaces(low, end);
  bool zeros = end - i > 2 && title.p[i] == '0'; /* "0013 Push configuration" */
  parted |= at < low.n && at > end && (zeros || low.p[at] == '-' || (low.p[at] & 0x80));
  if (!number || !(parted || (named && end == low.n)) || hm_digit_at(low, end + 1))
    return title;
  r->out->heading = (hm_decision_field){ hm_str_sub(title, i, end), line };
  while (end < title.n && !hm_is_alnum(title.p[end]) && title.p[end] != '`' &&
         title.p[end] != '"' && !((unsigned char)title.p[end] > 127 && title.p[end] != '\xE2'))
    end += title.p[end] == '\xE2' ? 3 : 1;
  return end < title.n ? hm_str_sub(title, end, title.n) : title;
}

/* "Status", "Context and Problem Statement": a section of a record, and no title. */
static bool is_section(reader *r, hm_str heading) {
  static const char *const names[] = { "status", "decision", "date", "meta", "metadata" };
  const char *colon = heading.n ? memchr(heading.p, ':', heading.n) : NULL; /* "Status: accepted" */
  hm_str before = hm_str_sub(heading, 0, colon ? (size_t)(colon - heading.p) : 0);
  hm_str key = key_of(r, heading);
  return IS_KEY(key, names) || hm_str_is(key_of(r, before), "status") ||
      hm_str_starts(hm_str_lower(r->a, hm_str_sub(heading, 0, KEY_LONGEST)), "context");
}

/* The first heading of the first level that is no section; of a document without one that of front
 * matter, the name of the file where the first heading is a section, or the first heading. */
static void read_title(reader *r) {
  const hm_document *d = r->doc;
  uint32_t first = HM_DOC_NONE;
  hm_decision_field title = { 0 };
  r->title = HM_DOC_NONE;
  for (uint32_t i = 0; i < d->n && r->title == HM_DOC_NONE; i++) {
    if (d->parts[i].kind != HM_DOC_HEADING)
      continue;
    if (first == HM_DOC_NONE)
      first = i;
    if (d->parts[i].level == 1 && !is_section(r, d->parts[i].text))
      r->title = i;
  }
  for (size_t i = 0; i < d->n_fields && r->title == HM_DOC_NONE; i++)
    if (hm_str_is(key_of(r, d->fields[i].key), "title"))
      set(&title, d->fields[i].value, d->fields[i].line);
  bool of_form = first != HM_DOC_NONE && is_section(r, d->parts[first].text);
  if (!title.line && r->title == HM_DOC_NONE && of_form)
    title = (hm_decision_field){ hm_decision_title_of_name(r->a, r->name, r->out->number.text), 1 };
  else if (!title.line && r->title == HM_DOC_NONE)
    r->title = first;
  if (r->title != HM_DOC_NONE)
    title = (hm_decision_field){ d->parts[r->title].text, d->parts[r->title].line };
  if (title.line)
    title.text = cut_number(r, title.text, title.line);
  r->out->title = title;
}

static uint32_t find_outcome(reader *r) {
  static const char *const names[] = { "decision",     "decision outcome", "outcome",
                                       "our decision", "the decision",     "resolution",
                                       "solution" };
  for (uint32_t i = 0; i < r->doc->n; i++) {
    const hm_doc_part *p = &r->doc->parts[i];
    if (p->kind == HM_DOC_HEADING && i != r->title && IS_KEY(key_of(r, p->text), names))
      return i;
  }
  return HM_DOC_NONE;
}

/* --- what is a record ------------------------------------------------------------------------ */

/* Has it a section of a record, or the number in its title? */
static bool has_form(reader *r) {
  bool has = r->out->heading.line;
  for (size_t i = 0; i < r->doc->n && !has; i++)
    has = r->doc->parts[i].kind == HM_DOC_HEADING && is_section(r, r->doc->parts[i].text);
  return has;
}

static bool is_record(reader *r, hm_str path) {
  const hm_decision *d = r->out;
  hm_str low = hm_str_lower(r->a, path), name = hm_str_behind_last(low, '/');
  bool named = hm_str_starts(name, "adr") || hm_str_starts(name, "rfc");
  bool whole = d->status.line && d->outcome != HM_DOC_NONE;
  if (hm_decision_is_no_record(name) || hm_decision_is_template(d) || !d->title.line)
    return false;
  if (named && d->number.line)
    return true;
  if (hm_decision_in_folder(low))
    return d->status.line || d->outcome != HM_DOC_NONE ||
        ((d->number.line || r->dated.line) && (d->date.line || has_form(r)));
  return whole && (named || d->number.line);
}

bool hm_decision_read(hm_decision *out, const hm_document *doc, hm_str text, hm_str path,
                      hm_arena *a) {
  reader r = { .doc = doc, .text = text, .a = a, .out = out };
  *out = (hm_decision){ .outcome = HM_DOC_NONE };
  r.says = (supersession_reader){ .to = out, .a = a };
  r.name = hm_str_behind_last(path, '/');
  read_file_number(&r, path);
  r.dated = out->date;
  out->date = (hm_decision_field){ 0 };
  read_title(&r);
  for (size_t i = 0; i < r.doc->n_fields; i++)
    read_front(&r, &r.doc->fields[i]);
  read_parts(&r);
  out->outcome = find_outcome(&r);
  if (!is_record(&r, path))
    return false;
  out->word = hm_decision_status_word(a, out->status.text);
  out->standing = hm_decision_standing_of(out->word, out->status.text, a);
  if (r.ended && out->standing == HM_DECISION_IN_FORCE) { /* "~~Accepted~~ changed by 7" */
    out->standing = HM_DECISION_OVER;
    out->word = HM_EMPTY;
  }
  if (!out->date.line) {
    hm_str iso = hm_time_find_date(out->status.text);
    out->date = iso.n ? (hm_decision_field){ iso, out->status.line } : r.dated;
  }
  out->date.text = hm_decision_read_date(a, out->date.text);
  out->status.text = hm_decision_behind_date(out->status.text, a);
  return true;
}
