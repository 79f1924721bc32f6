/* The words of a text with their classes, names of slots, dates and times of day. */
#ifndef HM_PROSE_WORDS_H
#define HM_PROSE_WORDS_H
#include <string.h>

#include "core/prose/prose_lexicon.h"
#include "core/prose/prose_result.h"

typedef struct {
  hm_str s;   /* as written, without the signs around it and without 's */
  hm_str low; /* the same in lower case */
  uint64_t cls;
  int number;
  char first; /* of low */
  char stop;  /* , ; : . ! ? ) - after it; > for an arrow; '\n' for the last of a line; 0:
               * none */
  bool owns;  /* the X's */
  bool aside; /* in parentheses or quotes */
  bool code;  /* after a backtick */
  bool capital, upper, digit; /* first letter; any other letter; first byte, or after $ */
  bool line;                  /* first of its line */
  bool in_value;              /* of a claim; set after all are read (prose_mentions.c) */
} prose_word;

/* Words that become one folded name. */
enum { NAME_WORDS = 12 };
typedef struct {
  hm_str w[NAME_WORDS];
  size_t n;
} prose_name;
typedef enum { LIMIT_NONE, LIMIT_MAX, LIMIT_MIN, LIMIT_DEFAULT } prose_limit;
/* "In production, ...": a qualifier; "by default, ...": a limit. */
typedef struct {
  prose_name qualifier;
  prose_limit limit;
} prose_lead;

typedef struct {
  hm_str text, about; /* about: folded */
  hm_str part;        /* "web_" where all that the text names is of the web; else empty */
  const hm_families *f;
  hm_arena *a;
  prose_word *t;
  size_t n;
  hm_prose *out;
  size_t cap, mention_cap;
  bool unsure;
  const char *reached, *line; /* how far prose.c has read; begin of that line */
  bool line_marked;           /* that line has # > or | before `reached` */
  hm_map claimed;             /* slots; filled after all are read */
  size_t before, before_end;  /* the previous clause in the sentence; equal: none */
  const prose_lead *lead;     /* the words before the clause: "in production, ..." */
} prose;

/* Fills p->t. */
void prose_split_words(prose *p);
/* Is this the word at i, in lower case? Inline, since the length of a literal is known and most
 * calls end at the first letter. */
static inline bool prose_is(const prose *p, size_t i, size_t end, const char *low) {
  if (i >= end || p->t[i].first != low[0])
    return false;
  size_t n = strlen(low);
  return p->t[i].low.n == n && memcmp(p->t[i].low.p, low, n) == 0;
}
/* The number of words in z, separated by spaces and to the end or a |, if they are at i, else 0. */
size_t prose_phrase_words(const prose *p, size_t i, size_t end, const char *z);
/* The same, inline up to the first letter. */
static inline size_t prose_are(const prose *p, size_t i, size_t end, const char *z) {
  return i < end && p->t[i].first == z[0] ? prose_phrase_words(p, i, end, z) : 0;
}
/* The number of words of the first phrase at i of a list such as "a|up to|at most", or 0. */
size_t prose_one_of(const prose *p, size_t i, size_t end, const char *phrases);
/* Is the word, in lower case, one of a list such as "a|the"? */
bool prose_word_in(hm_str word, const char *words);
/* Does it end like one of a list such as "ing|ed"? */
bool prose_ends_in(hm_str word, const char *endings);
/* Is the word at i of one of these classes? */
static inline bool prose_has(const prose *p, size_t i, size_t end, uint64_t cls) {
  return i < end && (p->t[i].cls & cls);
}
/* Has it no letter or digit: "~~~~", ">="? */
bool prose_is_rule_line(const prose_word *t);
/* The text from word i to word j - 1. */
hm_str prose_span(const prose *p, size_t i, size_t j);
/* Does the text look like another language? */
bool prose_is_foreign(const prose *p, size_t i, size_t j);

/* --- names ------------------------------------------------------------------------------------ */

/* Append a word; the words of z, separated by _; the words of a name. Drop words over
 * NAME_WORDS. */
void prose_add_word(prose_name *to, hm_str word);
void prose_add_words(prose_name *to, const char *z);
void prose_add_name(prose_name *to, const prose_name *from);
/* Is its last word one of a list? */
bool prose_name_ends(const prose_name *name, const char *words);
/* The name as in slots: "max_upload_size". */
hm_str prose_fold_name(prose *p, const prose_name *name);
/* Collects the values of a set. The reading is one value as it is, several as a JSON array.
 * Initialize with { 0 }. */
typedef struct {
  hm_str json;
  size_t n;
} prose_items;
void prose_items_add(prose *p, prose_items *items, hm_str item);
hm_str prose_items_array(prose *p, const prose_items *items);
hm_str prose_items_reading(prose *p, const prose_items *items);
/* Does it end like a plural noun? */
bool prose_is_plural(const prose_word *t);
/* "upload" for "uploads"; acronyms and words not in the plural stay. */
hm_str prose_singular(prose *p, const prose_word *t);
/* "deploy" for "deploying"; nouns in the singular. */
hm_str prose_stem(prose *p, const prose_word *t);

/* --- dates and times of day ------------------------------------------------------------------- */

/* Does a date, or a time of day, begin at i? *to: the word after it. */
bool prose_is_date(const prose *p, size_t i, size_t end, size_t *to);
bool prose_is_clock(const prose *p, size_t i, size_t end, size_t *to);
bool prose_is_until_date(const prose *p, size_t i, size_t end); /* "until 30 September 2027" */
/* Is the word, in lower case, a day of the week? */
bool prose_is_weekday(const prose *p, hm_str word);
#endif
