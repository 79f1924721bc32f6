/* The state of what an item or a heading names: done, or still planned. It is said by a mark
 * ("⏳ Health checks"), by words ("Backend (to be built)", "Kubernetes: ✅
 * Complete"), or by the heading above ("Not started"). Two documents that name the same thing so
 * are compared by all words of its name. And how far the project is: "Overall progress: 85%". */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

typedef enum { UNSAID, DONE, PLANNED } state;

enum { NAME_WORDS = 6, NAME_LONGEST = 80, STATE_WORDS = 16 };

/* --- marks and words of a state -------------------------------------------------------------- */

/* The mark with which s begins; *end: behind it. */
static state mark_at(hm_str s, size_t *end) {
  static const struct {
    const char *sign;
    state state;
  } marks[] = {
    { "\xE2\x9C\x85", DONE },        { "\xE2\x98\x91", DONE },
    { "\xE2\x9C\x94", DONE },        { "\xE2\x9C\x93", DONE },
    { "\xE2\x8F\xB3", PLANNED },     { "\xE2\x8C\x9B", PLANNED },
    { "\xF0\x9F\x9A\xA7", PLANNED }, { "\xF0\x9F\x94\x84", PLANNED },
    { "\xF0\x9F\x94\x9C", PLANNED }, { "\xE2\xAC\x9C", PLANNED },
    { "\xE2\x98\x90", PLANNED },
  };
  static const char variant[] = "\xEF\xB8\x8F";
  for (size_t i = 0; i < HM_COUNT(marks); i++) {
    if (!hm_str_starts(s, marks[i].sign))
      continue;
    *end = strlen(marks[i].sign);
    if (hm_str_starts(hm_str_sub(s, *end, s.n), variant))
      *end += sizeof variant - 1;
    return marks[i].state;
  }
  *end = 0;
  return UNSAID;
}

/* The words of s in small letters, with a space behind each; without numbers, marks and words that
 * say no more. *mark: the last mark among them. */
static hm_str plain_words(hm_str s, state *mark, hm_arena *a) {
  static const char fillers[] = "all|and|be|currently|features|fully|items|now|still|tasks|work";
  hm_str out = HM_EMPTY;
  note_words w = note_split(s, a);
  for (size_t i = 0; i < w.n; i++) {
    size_t end;
    state m = mark_at(w.w[i].s, &end);
    hm_str low = hm_str_sub(w.w[i].low, end, w.w[i].low.n);
    if (m != UNSAID)
      *mark = m;
    if (hm_letter_at(low, 0) && !note_word_in(low, fillers))
      out = HM_CAT(a, out, low, HM_STR(" "));
    else if (low.n && !hm_letter_at(low, 0) && (unsigned char)low.p[0] < 0x80 &&
             !hm_str_is(low, "100%"))
      out = HM_CAT(a, out, HM_STR("# ")); /* "60 % complete" is not complete */
  }
  return out;
}

/* The state that all of s says; words outweigh marks: "✅ In progress". */
static state state_of(hm_str s, hm_arena *a) {
  static const char done[] =
      "built |complete |completed |done |finished |implemented |shipped |what works |works ";
  static const char planned[] =
      "coming |coming soon |future |in progress |not implemented |not started |not built |"
      "not implemented yet |not yet implemented |not yet started |ongoing |pending |planned |"
      "planned future |remaining |to built |to do |to implemented |todo |upcoming |wip ";
  enum { LONGEST = 60 };
  state mark = UNSAID;
  if (!s.n || s.n > LONGEST)
    return UNSAID;
  hm_str words = plain_words(s, &mark, a);
  if (!words.n)
    return mark;
  return note_word_in(words, done) ? DONE : note_word_in(words, planned) ? PLANNED : UNSAID;
}

/* --- the name -------------------------------------------------------------------------------- */

/* What is behind the name says of the state or of the thing; *rest: it. */
static hm_str cut_name(hm_str s, hm_str *rest) {
  static const char *const ends[] = { ": ", " (", " - ", " \xE2\x80\x93 ", " \xE2\x80\x94 " };
  size_t end = s.n;
  for (size_t i = 0; i < HM_COUNT(ends); i++) {
    ptrdiff_t at = hm_str_find(hm_str_sub(s, 0, end), ends[i]);
    if (at > 0)
      end = (size_t)at;
  }
  *rest = hm_str_trim(hm_str_sub(s, end, s.n));
  return hm_str_trim(hm_str_sub(s, 0, end));
}

/* The state that stands at the end: "(to be built)", ": 100% complete (all of it)",
 * "- ✅ **Complete**". */
static state state_behind(hm_str rest, hm_arena *a) {
  static const char dashes[] = "\xE2\x80\x93\xE2\x80\x94";
  while (rest.n && (strchr(":-( ", rest.p[0]) || memchr(dashes, rest.p[0], 1)))
    rest = hm_str_sub(rest, rest.p[0] == dashes[0] ? 3 : 1, rest.n);
  hm_str first = rest;
  for (size_t i = 0; i < first.n; i++)
    if (strchr("(),;.", first.p[i]))
      first.n = i;
  ptrdiff_t dash = hm_str_find(rest, " - ");
  state s = state_of(hm_str_trim(first), a);
  return s == UNSAID && dash >= 0
      ? state_of(hm_str_trim(hm_str_sub(rest, (size_t)dash + 3, rest.n)), a)
      : s;
}

/* Names of what each part of a project has: which one is meant is said by the heading. */
static const char common[] =
    "api|apis|authentication|automated|backend|basic|ci|ci/cd|cd|cleanup|cli|code|component|"
    "components|config|configuration|core|coverage|data|database|deployment|design|docs|"
    "documentation|e2e|endpoint|endpoints|error|errors|end-to-end|frontend|functionality|handling|"
    "implementation|infrastructure|integration|logging|migration|migrations|model|models|"
    "monitoring|optimization|optimizations|page|pages|performance|phase|pipeline|production|"
    "project|release|review|schema|scripts|security|service|services|setup|stage|step|structure|"
    "suite|support|system|test|testing|tests|types|ui|unit|validation|web|workflow";

/* Does the heading keep apart what is below it? One that says the state of all or that they are
 * features does not. */
static bool names_a_part(hm_str heading, hm_arena *a) {
  static const char list[] =
      "achievements|advanced|built|capabilities|completed|core|current|currently|done|features|"
      "functional|functionality|implementation|implemented|in|key|left|main|mvp|planned|product|"
      "progress|project|roadmap|started|state|status|summary|supported|to|what|works";
  state mark = UNSAID;
  hm_str words = plain_words(heading, &mark, a), rest;
  if (state_of(cut_name(heading, &rest), a) != UNSAID || note_heading_is_generic(heading, a))
    return false;
  note_words w = note_split(words, a);
  for (size_t i = 0; i < w.n; i++)
    if (!note_word_in(w.w[i].low, list))
      return true;
  return false;
}

/* Adds the name to the topic; false: it does not say surely which thing it is. bold: it is told
 * as a name. */
static bool read_name(note_topic *t, hm_str name, bool bold, bool below_part) {
  static const char first[] = "add|adding|build|create|design|develop|implement|introduce|write";
  static const char further[] =
      "additional|additionally|advanced|better|consider|enhance|enhanced|enhancements|expand|"
      "extend|fix|fixes|further|improve|improved|improvements|investigate|more|never|new|no|none|"
      "not|optimize|polish|refactor|remaining|remove|some|update|upgrade|v2|without";
  static const char unsaid[] = "complete|comprehensive|full|initial|multiple|various";
  note_words w = note_split(name, t->a);
  if (!w.n || w.n > NAME_WORDS + 2 || name.n > NAME_LONGEST || note_any_word_in(&w, further) ||
      note_is_no_statement(name) || hm_has_placeholder(name, HM_OF_TEXT))
    return false;
  size_t from = w.n > 1 && note_word_in(w.w[0].low, first), named = 0;
  for (size_t i = from; i < w.n; i++) {
    if (w.w[i].before == ',' || !hm_letter_at(w.w[i].low, 0))
      return false;
    if (note_word_in(w.w[i].low, unsaid))
      continue;
    note_topic_add_word(t, &w, i);
    named += !note_word_in(w.w[i].low, common) && !note_is_grammar(w.w[i].low);
  }
  if (!t->n || t->n > NAME_WORDS || (w.n == 1 && note_word_in(w.w[0].low, "plan|roadmap|status")) ||
      hm_str_is(w.w[w.n - 1].low, "status")) /* "Implementation Status": of what stands around it */
    return false;
  return named >= 2 || (named && t->n >= 2) || (!below_part && (t->n >= 2 || bold));
}

static void claim(note_claims *out, const note_context *c, note_topic *t, hm_str value) {
  note_context own = *c;
  if (!c->subject_a_part)
    own.subject = c->file->component;
  if (!note_topic_finish(t, &own, "state", t->n) || t->n > NOTE_TOPIC_MAX)
    return;
  note_claims_add(out, note_topic_slot(t, "state"), value, NOTE_SETTING);
}

/* --- items, rows, headings ------------------------------------------------------------------- */

/* The name and the state that a text says: "✅ **Name**: complete", "Name - planned". */
static state read_text(const hm_doc_part *p, hm_str *name, hm_arena *a) {
  size_t end;
  hm_str rest, text = p->text;
  state mark = p->done ? DONE : UNSAID;
  state sign = mark_at(text, &end);
  *name = cut_name(hm_str_trim(hm_str_sub(text, end, text.n)), &rest);
  static const char doubts[] =
      "after|basic|but|except|if|mostly|n/a|once|partial|partially|until|when";
  note_words w = note_split(rest, a);
  state behind = state_behind(rest, a);
  bool opens_list = hm_str_ends(hm_str_trim(text), ":"); /* "[x] Data loading:" */
  if (opens_list || note_any_word_in(&w, doubts))
    return UNSAID;
  if (behind != UNSAID || sign == DONE) /* "✅ Easy to test": a bullet */
    sign = behind;
  if (sign != UNSAID && mark != UNSAID && sign != mark)
    return UNSAID;
  return sign != UNSAID ? sign : mark;
}

/* Is it past by another sign than that it tells the state of a project? */
static bool is_past(const note_file *f, const hm_document *doc, const hm_doc_part *p, hm_arena *a) {
  static const char list[] =
      "alternative|alternatives|archive|archived|audit|bugs|changelog|changes|checklist|comparison|"
      "considered|criteria|deprecated|example|examples|exercise|fixed|history|ideas|issues|"
      "legacy|log|metrics|old|outdated|out|postmortem|previous|problem|problems|proposal|recent|"
      "rejected|release|releases|report|results|retro|retrospective|review|scope|session|sprint|"
      "template|templates|troubleshooting|week|weeks";
  if (f->past_path)
    return true;
  for (uint32_t h = p->heading; h != HM_DOC_NONE; h = doc->parts[h].heading) {
    hm_str heading = note_heading_text(doc, h);
    note_words w = note_split(heading, a);
    bool numbered =
        hm_text_has_digit(heading) && hm_str_find(heading, "%") < 0 && doc->parts[h].level > 1;
    if (numbered || note_any_word_in(&w, list))
      return true;
  }
  return false;
}

void note_states_above(note_context *c, const hm_document *doc, const hm_doc_part *p) {
  hm_arena *work = hm_arena_new();
  hm_str rest, own = p->heading != HM_DOC_NONE ? note_heading_text(doc, p->heading) : HM_EMPTY;
  c->state_above = UNSAID;
  for (uint32_t h = p->heading; h != HM_DOC_NONE && c->state_above == UNSAID;
       h = doc->parts[h].heading) {
    state said = state_of(cut_name(note_heading_text(doc, h), &rest), work);
    c->state_above = hm_str_starts(rest, ":") ? UNSAID : said; /* "Future work: routing" */
  }
  c->tells_past = is_past(c->file, doc, p, work);
  c->below_part = own.n && doc->parts[p->heading].level > 1 && names_a_part(own, work);
  c->subject_a_part = names_a_part(c->subject, work);
  hm_arena_free(work);
}

/* --- the project ----------------------------------------------------------------------------- */

/* "Overall progress: ~85% complete", "Completed (25% of project)". */
static void read_progress(note_claims *out, const note_context *c, const note_words *w) {
  size_t at = w->n, percents = 0;
  for (size_t i = 0; i < w->n; i++)
    if (hm_str_ends(w->w[i].low, "%"))
      at = i, percents++;
  bool all = note_any_word_in(w, "overall|project") &&
      note_any_word_in(w, "complete|completed|completion|progress|status");
  hm_str name = hm_str_behind_last(c->file->path, '/');
  if (percents != 1 || !all || hm_text_has_digit(name)) /* "TASK008.md" has its own progress */
    return;
  hm_str value = w->w[at].low;
  if (hm_char_at(value, 0, '~'))
    value = hm_str_sub(value, 1, value.n);
  if (hm_digit_at(value, 0))
    note_claims_add(out, HM_CAT(out->a, c->file->component, HM_STR(" overall progress")), value,
                    NOTE_SETTING);
}

void note_states_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  note_topic t = { .a = out->a };
  hm_str name = HM_EMPTY;
  bool item = p->kind == HM_DOC_ITEM, heading = p->kind == HM_DOC_HEADING && p->level > 1;
  bool nested = p->kind == HM_DOC_ITEM && p->item != HM_DOC_NONE; /* a part of another item */
  if (p->quoted || nested || p->kind == HM_DOC_CODE || p->kind == HM_DOC_COMMENT)
    return;
  note_words w = note_split(hm_str_find(p->text, "%") >= 0 ? p->text : HM_EMPTY, t.a);
  if (w.n && w.n <= STATE_WORDS && !c->tells_past)
    read_progress(out, c, &w);
  if (!item && !heading)
    return;
  state said = read_text(p, &name, t.a);
  if (item && said == UNSAID && !p->task)
    said = (state)c->state_above;
  if (said == UNSAID || c->tells_past)
    return;
  bool bold = heading;
  for (uint32_t i = 0; i < p->n_spans && !bold; i++)
    bold = p->spans[i].mark == HM_DOC_STRONG && p->spans[i].to >= name.n;
  if (read_name(&t, name, bold, c->below_part))
    claim(out, c, &t, said == DONE ? HM_STR("done") : HM_STR("planned"));
}
