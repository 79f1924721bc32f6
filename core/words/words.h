/* Words of texts: split and compared, lists of them, amounts and days, what a value is about, what
 * keeps apart. Nothing here knows more of a document than the text of a part. Floors, lowest first:
 * words.c, programs.c, apart.c, topic.c, hours.c, measure.c, told.c, frame.c, sentence.c
 * (sentence.h). */
#ifndef HM_WORDS_OF_TEXTS_H
#define HM_WORDS_OF_TEXTS_H
#include <string.h>

#include "core/base/arena.h"
#include "core/markdown/document.h"

/* --- words and lists of them: words.c --------------------------------------------------------- */

/* A word of a text, without the stops and brackets around it. */
typedef struct {
  hm_str s, low; /* as written; ASCII letters small */
  uint32_t at;   /* its first byte in the text */
  bool joined;   /* nothing but white space stands between it and the word before */
  char before;   /* the last sign between them, or ' ' */
} note_word;
typedef struct {
  note_word *w;
  size_t n;
} note_words;
enum { NOTE_WORDS_MAX = 400 };
/* The words of text, at most NOTE_WORDS_MAX; dashes of Unicode separate words. In a. */
note_words note_split(hm_str text, hm_arena *a);
/* The text of a part and its words, which are split once for all of its readers. */
typedef struct {
  hm_str text;
  note_words words;
} note_text;
note_text note_text_of(hm_str text, hm_arena *a);
/* The beginning of t that ends behind `beginning`, a slice of its text from the first byte on. It
 * must not end inside of a word. */
note_text note_text_until(const note_text *t, hm_str beginning);
/* The words of a name: "deploy", "ray", "md" of "deploy_ray.md". In a. */
note_words note_split_name(hm_str name, hm_arena *a);
/* Is a block of this language, or of none, one of commands? */
bool note_is_shell(hm_str language, hm_arena *a);
/* Or one of settings, and not a program? */
bool note_holds_settings(hm_str language, hm_arena *a);
/* Has it signs of code, of an address, a quotation, a question or an example? */
bool note_is_no_statement(hm_str text);
/* "[Install by PXE](pxe.md) - for machines without a disk": the title of another document. */
bool note_is_link_title(const hm_doc_part *p);
/* Has all of its text the mark? */
bool note_is_marked(const hm_doc_part *p, hm_doc_mark mark);
/* Is the word, in small letters, one of the words of list ("a|b|c")? Inline, so that compilers know
 * how long a list is. */
bool note_word_in_list(hm_str word, const char *list, size_t n);
static inline bool note_word_in(hm_str word, const char *list) {
  return note_word_in_list(word, list, strlen(list));
}
/* Does the text hold one of the texts of list, wherever and as written? */
bool note_has_any(hm_str text, const char *list);
bool note_any_word_in(const note_words *w, const char *list);
/* Is it, in small letters, a word with which a clause states nothing: "about", "unless"? */
bool note_is_doubt(hm_str low);
/* "LOAN_DAYS", "raw.sales", "maxRetries". */
bool note_is_identifier(hm_str s);
/* s with ASCII letters small, in a. */
hm_str note_lower(hm_str s, hm_arena *a);
/* s with single spaces, trimmed; in a. */
hm_str note_squeeze(hm_str s, hm_arena *a);
/* True for a heading that says nothing of what is below it: "Prerequisites", "Tech stack". */
bool note_heading_is_generic(hm_str heading, hm_arena *a);
/* True for a heading or a file's name under which nothing is said of now: "Changelog". */
bool note_heading_is_past(hm_str heading, hm_arena *a);
/* The same of the words of a name of a file. */
bool note_name_is_past(hm_str name, hm_arena *a);
/* "notify" of "Notify Service", "NOTIFY_SERVICE_PORT", "notify-service": folded, without the words
 * that only say what kind of thing it is. In a. */
hm_str note_component_name(hm_str name, hm_arena *a);
/* "Key" of "Key: value" and "**Key:** value" in small letters; empty: it is no short label. */
hm_str note_label_of(const hm_doc_part *p, hm_str *value, hm_arena *a);
/* The text up to where it only tells more: "; ", ", so ", ", which ". */
hm_str note_first_clause(hm_str text);
/* The next sentence of a text, cut off; a line ends one. In a bracket a number may stand behind a
 * stop: "(max. 40 kW)". */
hm_str note_next_sentence(hm_str *text);

/* --- words that keep apart: apart.c ----------------------------------------------------------- */

/* Does the word of a path or a heading (note_environment) keep what it is about apart: "staging",
 * "v2"? */
bool note_keeps_apart(hm_str word);
/* Word i, of an environment the one word for it: "production" of "prod". */
hm_str note_environment(const note_words *w, size_t i);
/* The scope with this word before it, unless it has it, or there is none. In a. */
hm_str note_scope_with(hm_str scope, hm_str word, hm_arena *a);
/* Is it about what people do who only use the thing: "For users", "Admin guide"? What is for
 * developers is for whoever reads documents of a project. */
bool note_is_for_users(const note_words *w, hm_arena *a);
/* Is what stands below a folder or a heading with such a name about one place or person each? */
bool note_names_places(const note_words *w);
/* Names the heading a thing which has amounts of its own: "Mail service", "Berlin office"? */
bool note_heading_keeps_apart(hm_str heading, hm_arena *a);

/* --- amounts: measure.c ----------------------------------------------------------------------- */

/* The number that a word in small letters is, "nine", "neuf"; 0: none. */
unsigned note_number_word(hm_str word);
/* Words [from, to) are an amount; value: in one spelling. dimension: "duration", "interval",
 * "size", "time" (of day), "times", "count" (of what stands behind it), "number" ... */
typedef struct {
  hm_str value;
  const char *dimension;
  size_t from, to;
} note_measure;
/* The amount at word i; false: none. In a. */
bool note_measure_at(const note_words *w, size_t i, note_measure *m, hm_arena *a);
/* The name of a unit, and of what; NULL: it is none. */
const char *note_unit_of_word(hm_str word, const char **dimension);

/* --- times of day, days: hours.c -------------------------------------------------------------- */

/* A time of day, hours from one to another, or a telephone number. */
bool note_hours_at(const note_words *w, size_t i, note_measure *m, hm_arena *a);
/* "Every Monday", "in October", "on the 15th of each month" at word i. */
bool note_day_at(const note_words *w, size_t i, note_measure *m, hm_arena *a);

/* --- persons, places, permissions: told.c ----------------------------------------------------- */

/* The person, the place or the permission of a sentence; false: none. */
bool note_told_read(const note_words *w, note_measure *m, hm_arena *a);
/* May a word, in small letters, tell one? */
bool note_may_tell(hm_str low);
/* Does the sentence tell what was done once, what goes on, or what is not done? */
bool note_tells_deed(const note_words *w);

/* --- all words beside a value: frame.c -------------------------------------------------------- */

/* A value and all that its sentence says beside it, as hm_sentence_claim has it. */
typedef struct {
  hm_str slot, called;
  note_measure value;
} note_frame;
enum { NOTE_FRAMES_MAX = 3 };
/* Is it an article or a word of being, in any language that is known, in small letters? */
bool note_is_silent(hm_str low);
/* The frames of a sentence, at most NOTE_FRAMES_MAX, in out; 0: it has none. subject: how many
 * words before it name what it is about. In a. */
size_t note_frames_read(const note_words *w, size_t subject, hm_arena *a, note_frame *out);
/* "API calls fail: the port is 8000", "the 73 second timeout issue": is the amount of what went
 * wrong? */
bool note_is_of_trouble(const note_words *w, const note_measure *m);

/* --- what a value is about: topic.c ----------------------------------------------------------- */

enum { NOTE_TOPIC_MAX = 12 };
/* What a value is about. Initialize with { .a = ... }. */
typedef struct {
  hm_str v[NOTE_TOPIC_MAX + 1]; /* stems */
  size_t n;
  bool identifier;  /* has a name that nothing else has: "LOAN_DAYS", "raw.sales" */
  hm_str last_part; /* the stem of the last word of that name */
  bool row;         /* it is the row of a table, or a label, whose key says all */
  hm_arena *a;
} note_topic;
/* The word that a stem in the name of a topic's slot is where documents say it by another:
 * "retention" of "retent" ("kept for 30 days"); else the stem. */
hm_str note_topic_word(hm_arena *a, hm_str stem);
/* Is it a word of grammar, which is no word of a topic? In small letters. */
bool note_is_grammar(hm_str low);
/* The stem under which a word, in small letters, is compared; empty: a word of grammar. In a. */
hm_str note_topic_stem(hm_str low, hm_arena *a);
/* Says the stem no more than this dimension? */
bool note_is_implied(hm_str stem, const char *dimension);
/* Says the stem how much, and not of what: "maximum", "total"? */
bool note_is_bound(hm_str stem);
/* Adds a word, as written and small; word i of a text. */
void note_topic_add(note_topic *t, hm_str word, hm_str low);
void note_topic_add_word(note_topic *t, const note_words *w, size_t i);
/* Adds the words of the heading that names the thing, if any, and of the scope that keeps it apart;
 * takes out words that say no more than the dimension, where `least` are left. Returns how many
 * there are beside those of the scope; over NOTE_TOPIC_MAX: too many. */
size_t note_topic_finish(note_topic *t, hm_str heading, hm_str scope, const char *dimension,
                         size_t least);
/* The name of its slot: its stems, sorted, and the dimension. In t->a. */
hm_str note_topic_slot(note_topic *t, const char *dimension);

/* --- programs that have versions: programs.c -------------------------------------------------- */

/* The program whose name begins at word i, by its longest one, as slots call it; *dotted: its name
 * is an everyday word, so that its version must have a dot. Returns its words; 0: none does. */
size_t note_program_at(const note_words *w, size_t i, const char **slot, bool *dotted);
bool note_names_program(const note_words *w);
/* The program that a package of this name is, as slots call it; NULL: it is none that is known. */
const char *note_program_of_package(hm_str name);
#endif
