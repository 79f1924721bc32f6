/* The dictionary of the grammar: words with their classes, units and values of families. */
#ifndef HM_PROSE_LEXICON_H
#define HM_PROSE_LEXICON_H
#include "core/prose/prose_families.h"

/* Classes of words; a word may have several. */
#define C_ARTICLE ((uint64_t)1 << 0)
#define C_OWNER ((uint64_t)1 << 1)   /* my, our */
#define C_PRONOUN ((uint64_t)1 << 2) /* it, this, they: reference unknown */
#define C_BE ((uint64_t)1 << 3)
#define C_WAS ((uint64_t)1 << 4)
#define C_HAVE ((uint64_t)1 << 5)
#define C_NOT ((uint64_t)1 << 6)
#define C_ADVERB ((uint64_t)1 << 7) /* may stand between subject, verb and value */
#define C_APPROX ((uint64_t)1 << 8)
#define C_PREP ((uint64_t)1 << 9)
#define C_COND ((uint64_t)1 << 10)    /* if, when, unless */
#define C_TAIL ((uint64_t)1 << 11)    /* because, which: the value ends before it */
#define C_UNSURE ((uint64_t)1 << 12)  /* wants, maybe, should, thinks */
#define C_SEVERAL ((uint64_t)1 << 13) /* another, old, each: no certain subject */
#define C_NUMBER ((uint64_t)1 << 14)  /* three */
#define C_CHANGE ((uint64_t)1 << 15)  /* something changed or was decided */
#define C_MEASURE ((uint64_t)1 << 16) /* names of attributes with numbers */
#define C_NAMED ((uint64_t)1 << 17)   /* names of attributes with names */
#define C_PERSON ((uint64_t)1 << 18)  /* user, mom, teacher */
#define C_STATE ((uint64_t)1 << 19)   /* slow, ready: what a thing is like */
#define C_LATELY ((uint64_t)1 << 20)  /* today, again: may stand behind a value */
#define C_FOREIGN ((uint64_t)1 << 21)
#define C_VERB ((uint64_t)1 << 22)  /* begins a predicate: "listens on" */
#define C_PART ((uint64_t)1 << 23)  /* begins a predicate behind "is": "stored in" */
#define C_MOVED ((uint64_t)1 << 24) /* raised, moved: ... to VALUE */
#define C_MUST ((uint64_t)1 << 25)
#define C_AND ((uint64_t)1 << 26)
#define C_ON ((uint64_t)1 << 27) /* a switch's value */
#define C_OFF ((uint64_t)1 << 28)
#define C_HEADING ((uint64_t)1 << 29) /* labels without meaning: notes, todo, example */
#define C_CHOSE ((uint64_t)1 << 30)
#define C_MODEL ((uint64_t)1 << 31)  /* things known by their model: laptop */
#define C_EVENT ((uint64_t)1 << 32)  /* past events: bought, fixed */
#define C_DAY ((uint64_t)1 << 33)    /* days, months, calendar times */
#define C_CLAUSE ((uint64_t)1 << 34) /* may begin another clause: so, but, while */
#define C_LEAD ((uint64_t)1 << 35)   /* may stand before a statement: actually, also */
#define C_KIND ((uint64_t)1 << 36)   /* ends a noun that names a family: broker, linter */
#define C_ENGLISH                                                                                  \
  (C_ARTICLE | C_OWNER | C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT | C_PREP | C_TAIL | C_UNSURE |  \
   C_MUST | C_VERB | C_COND | C_AND)

typedef enum {
  UNIT_NONE,
  UNIT_TIME,
  UNIT_BYTES,
  UNIT_RATE,
  UNIT_MONEY,
  UNIT_MASS,
  UNIT_PERCENT,
  UNIT_OTHER
} prose_unit;
typedef struct {
  uint64_t cls;
  int number; /* of a number word */
  prose_unit unit;
} prose_entry;
/* The entry of a lower-case word, or NULL. f must be prepared, here and below. */
const prose_entry *prose_find_word(const hm_families *f, hm_str low);
/* A spelling of a value; next has the same first word. */
typedef struct prose_spelling {
  hm_str spelling, name; /* folded: "github_actions"; the first spelling of the value */
  int family;
  const struct prose_spelling *next;
} prose_spelling;
/* The spellings that begin with this word, folded; NULL: none. */
const prose_spelling *prose_find_spellings(const hm_families *f, hm_str word);
/* Is the word, folded, a value of a family by itself: "postgres"? */
bool prose_is_value_word(const hm_families *f, hm_str low);
/* The family of this name; -1: none. */
int prose_find_family(const hm_families *f, const char *name);
/* Do they differ from the shipped families? */
bool prose_families_are_custom(const hm_families *f);
#endif
