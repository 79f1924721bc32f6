/* Between the files of the grammar of prose: words with their classes, noun phrases, values. */
#ifndef HM_PROSE_IMPL_H
#define HM_PROSE_IMPL_H
#include <string.h>

#include "core/claim/prose.h"

/* What a word may be; one word may be several. prose_lexicon.c has the words. */
#define C_ARTICLE ((uint64_t)1 << 0)
#define C_OWNER   ((uint64_t)1 << 1)    /* my, our */
#define C_PRONOUN ((uint64_t)1 << 2)    /* it, this, they: nobody knows what they are about */
#define C_BE      ((uint64_t)1 << 3)
#define C_WAS     ((uint64_t)1 << 4)
#define C_HAVE    ((uint64_t)1 << 5)
#define C_NOT     ((uint64_t)1 << 6)
#define C_ADVERB  ((uint64_t)1 << 7)    /* may stand between subject, verb and value */
#define C_APPROX  ((uint64_t)1 << 8)
#define C_PREP    ((uint64_t)1 << 9)
#define C_COND    ((uint64_t)1 << 10)   /* if, when, unless */
#define C_TAIL    ((uint64_t)1 << 11)   /* because, which: what follows is no part of the value */
#define C_UNSURE  ((uint64_t)1 << 12)   /* wants, maybe, should, thinks */
#define C_SEVERAL ((uint64_t)1 << 13)   /* another, old, each: no certain subject */
#define C_NUMBER  ((uint64_t)1 << 14)   /* three */
#define C_CHANGE  ((uint64_t)1 << 15)   /* something changed or was decided */
#define C_MEASURE ((uint64_t)1 << 16)   /* names of attributes with numbers */
#define C_NAMED   ((uint64_t)1 << 17)   /* names of attributes with names */
#define C_PERSON  ((uint64_t)1 << 18)   /* user, mom, teacher */
#define C_STATE   ((uint64_t)1 << 19)   /* slow, ready: what a thing is like */
#define C_LATELY  ((uint64_t)1 << 20)   /* today, again: may stand behind a value */
#define C_FOREIGN ((uint64_t)1 << 21)
#define C_VERB    ((uint64_t)1 << 22)   /* begins a predicate: "listens on" */
#define C_PART    ((uint64_t)1 << 23)   /* begins a predicate behind "is": "stored in" */
#define C_MOVED   ((uint64_t)1 << 24)   /* raised, moved: ... to VALUE */
#define C_MUST    ((uint64_t)1 << 25)
#define C_AND     ((uint64_t)1 << 26)
#define C_ON      ((uint64_t)1 << 27)   /* a switch's value */
#define C_OFF     ((uint64_t)1 << 28)
#define C_HEADING ((uint64_t)1 << 29)   /* labels that say nothing: notes, todo, example */
#define C_CHOSE   ((uint64_t)1 << 30)
#define C_MODEL   ((uint64_t)1 << 31)   /* things of which people name the model: laptop */
#define C_EVENT   ((uint64_t)1 << 32)   /* past events: bought, fixed */
#define C_DAY     ((uint64_t)1 << 33)   /* days, months and times of a calendar */
#define C_CLAUSE  ((uint64_t)1 << 34)   /* may begin another clause: so, but, while */
#define C_LEAD    ((uint64_t)1 << 35)   /* may stand before a statement: actually, also */
#define C_KIND    ((uint64_t)1 << 36)   /* ends a noun that names a family: broker, linter */
#define C_PUT ((uint64_t)1 << 37)       /* what is done to a thing: store */
#define C_ENGLISH (C_ARTICLE | C_OWNER | C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT | C_PREP | \
                   C_TAIL | C_UNSURE | C_MUST | C_VERB | C_COND | C_AND)

typedef struct { uint64_t cls; const char *words; } prose_class;    /* parted by spaces */
typedef struct { const char *word; int number; } prose_number;
const prose_class *prose_word_classes(size_t *n);
const prose_number *prose_number_words(size_t *n);
typedef struct {
  uint64_t cls;
  int number;         /* of a number word */
} prose_entry;
/* The entry of a word in lower case; NULL when it is not there. f is prepared, here and below. */
const prose_entry *prose_find_word(const hm_families *f, hm_str low);
/* A spelling of a value; the next one has the same first word. */
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
/* The family of each row of prose_noun_table and prose_topic_table; -1: none. */
const int *prose_noun_families(const hm_families *f);
const int *prose_topic_families(const hm_families *f);
/* Are they other families than the shipped ones? */
bool prose_families_are_custom(const hm_families *f);

typedef struct {
  hm_str s;           /* as written, without the signs around it and without 's */
  hm_str low;         /* the same in lower case */
  uint64_t cls;
  int number;
  char first;         /* of low */
  char stop;          /* , ; : . ! ? ) - behind it; > for an arrow; '\n' for the last of a line;
                         0: none */
  bool owns;          /* the X's */
  bool aside;         /* in parentheses or quotes */
  bool code;          /* behind a backtick */
  bool capital, upper, digit;   /* first letter; any other letter; first byte, or behind $ */
  bool line;          /* first of its line */
  bool in_value;      /* of a claim, once all are read (prose_match.c) */
} prose_word;

typedef struct {
  hm_str text, about; /* about: folded */
  const hm_families *f;
  hm_arena *a;
  prose_word *t;
  size_t n;
  hm_prose *out;
  size_t cap, mention_cap;
  bool unsure;
  const char *reached, *line;      /* how far prose.c has read, and where the line there begins */
  bool line_marked;                /* it has # > or | before that */
  hm_map claimed;                  /* slots, once all are read */
  size_t before, before_end;       /* the clause before this one in its sentence; alike: none */
  const struct prose_lead *lead;   /* what stands in front of the clause: "in production, ..." */
} prose;

/* --- words ------------------------------------------------------------------------------------ */

/* Fills p->t. */
void prose_split_words(prose *p);
/* Is this the word at i, in lower case? Inline: with a literal the length is known, and most calls
 * end at the first letter. */
static inline bool prose_is(const prose *p, size_t i, size_t end, const char *low) {
  if (i >= end || p->t[i].first != low[0]) return false;
  size_t n = strlen(low);
  return p->t[i].low.n == n && memcmp(p->t[i].low.p, low, n) == 0;
}
/* Do the words of z, parted by spaces, stand at i? Their number, or 0. */
size_t prose_phrase_words(const prose *p, size_t i, size_t end, const char *z);
/* The same, inline up to the first letter. */
static inline size_t prose_are(const prose *p, size_t i, size_t end, const char *z) {
  return i < end && p->t[i].first == z[0] ? prose_phrase_words(p, i, end, z) : 0;
}
/* Does one phrase of a list stand at i? The words of the first that does, or 0. */
size_t prose_one_of(const prose *p, size_t i, size_t end, const char *const *phrases, size_t n);
/* The place of that phrase in the list, or n. */
size_t prose_which_of(const prose *p, size_t i, size_t end, const char *const *phrases, size_t n);
/* Is the word, in lower case, one of the list? */
bool prose_word_in(hm_str word, const char *const *words, size_t n);
/* Is the word at i of one of these classes? */
static inline bool prose_has(const prose *p, size_t i, size_t end, uint64_t cls) {
  return i < end && (p->t[i].cls & cls);
}
/* No letter or digit in it: "~~~~", ">=". */
bool prose_is_rule_line(const prose_word *t);
/* The text from word i to word j - 1. */
hm_str prose_span(const prose *p, size_t i, size_t j);
/* Does the text look like another language? */
bool prose_is_foreign(const prose *p, size_t i, size_t j);

/* Words that become one folded name. */
enum { NAME_WORDS = 12 };
typedef struct { hm_str w[NAME_WORDS]; size_t n; } prose_name;
/* Appends a word; the words of z, parted by _; the words of a name. What is over NAME_WORDS is left
 * out. */
void prose_add_word(prose_name *to, hm_str word);
void prose_add_words(prose_name *to, const char *z);
void prose_add_name(prose_name *to, const prose_name *from);
/* The name as slots have it: "max_upload_size". */
hm_str prose_fold_name(prose *p, const prose_name *name);
/* The values of a set: each appended, then read, one as it is, several as a JSON array. Begin with
 * { 0 }. */
typedef struct { hm_str json; size_t n; } prose_items;
void prose_items_add(prose *p, prose_items *items, hm_str item);
hm_str prose_items_array(prose *p, const prose_items *items);
hm_str prose_items_reading(prose *p, const prose_items *items);
/* "uploads" is "upload"; acronyms and words that are no plural stay. */
hm_str prose_singular(prose *p, const prose_word *t);
/* "deploying" is "deploy"; nouns in the singular. */
hm_str prose_stem(prose *p, const prose_word *t);
/* "complete" as "completed", "read" as "read". */
hm_str prose_past_form(prose *p, hm_str w);

/* --- noun phrases ----------------------------------------------------------------------------- */

typedef enum { LIMIT_NONE, LIMIT_MAX, LIMIT_MIN, LIMIT_DEFAULT } prose_limit;

/* "In production, ...": a qualifier; "by default, ...": a limit. */
typedef struct prose_lead { prose_name qualifier; prose_limit limit; } prose_lead;

/* What a statement is about. */
typedef struct {
  prose_name subject, attribute, qualifier;
  prose_limit limit;
  prose_name noun;      /* the words that name the attribute here: "queue" of a broker */
  bool person;          /* the subject is a person */
  bool user;            /* it begins with "my" or "the user's" */
  bool known_measure, known_name; /* the attribute is in a table */
  size_t words;         /* of the phrase */
  size_t last;          /* its last word */
  int family;           /* the attribute is the noun of a family; -1: none */
  bool value;           /* the phrase is itself a value of a family: "GraphQL" */
  bool indefinite;
  bool fresh;           /* it begins with "new": another thing than the old one, perhaps */
} prose_np;

/* Reads words [i, j) as what a statement is about; false when that is not certain. */
bool prose_read_np(prose *p, prose_np *np, size_t i, size_t j);
/* Is it about one person: by a word for one, or by a first name alone? */
bool prose_is_person(const prose *p, const prose_np *np);
/* Words that name an attribute at the end of [i, j): "rate limit" of "API rate limit"; 0: none. */
size_t prose_attribute_words(const prose *p, size_t i, size_t j, uint64_t *cls);

/* --- claims ----------------------------------------------------------------------------------- */

typedef struct {
  hm_prose_shape shape;
  size_t from, to;            /* the words of the claim */
  hm_str value, reading, left;
  bool denied, only, also, family;
} prose_value;

/* Appends the claim that np has the value v; nothing where no slot comes of it. */
void prose_claim(prose *p, const prose_np *np, const prose_value *v);
/* Claims v where what stands behind it, [i, end), is understood (prose_read_tail); else false. */
bool prose_claim_with_tail(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* The same of the words [from, to), the value of an attribute: that of np, or this one. */
bool prose_claim_span(prose *p, prose_np *np, prose_value *v, size_t from, size_t to, size_t end);
bool prose_claim_attribute(prose *p, prose_np *np, prose_value *v, const char *attribute,
                           size_t from, size_t to, size_t end);

/* --- quantities ------------------------------------------------------------------------------- */

typedef enum {
  UNIT_NONE, UNIT_TIME, UNIT_BYTES, UNIT_RATE, UNIT_MONEY, UNIT_MASS, UNIT_PERCENT, UNIT_OTHER
} prose_unit;

typedef struct {
  hm_str value, reading;
  prose_unit unit;
  prose_limit limit;       /* "up to", "at least" */
  prose_name per;          /* "per_ip" */
  bool unlimited, approximate, range, plain;   /* plain: a number with no unit */
  bool times;              /* "3 times" */
  size_t from, to;         /* words, "up to" among them; behind the last of them */
} prose_quantity;

/* The quantity that begins at i. */
bool prose_read_quantity(prose *p, prose_quantity *q, size_t i, size_t end);
bool prose_is_version(hm_str s);
bool prose_is_unit_word(const prose_word *t); /* "second", "kg" */
/* Does a date, or a time of day, begin at i? *to: behind it. */
bool prose_is_date(const prose *p, size_t i, size_t end, size_t *to);
bool prose_is_clock(const prose *p, size_t i, size_t end, size_t *to);
bool prose_is_until_date(const prose *p, size_t i, size_t end); /* "until 30 September 2027" */

/* --- families --------------------------------------------------------------------------------- */

/* Words that ask for a value of a family (prose_nouns.c): nouns of it, and what is done with one.
 */
typedef struct {
  const char *words, *family;
} prose_family_words;
const prose_family_words *prose_noun_table(size_t *n);
const prose_family_words *prose_topic_table(size_t *n);

enum { MATCHES = 4 };
/* A value of families at word i. */
typedef struct {
  size_t to;                /* behind its last word */
  hm_str name;              /* its first spelling */
  int family[MATCHES];
  size_t n;
  bool based;               /* "REST-based" */
} prose_match;
bool prose_value_at(const prose *p, size_t i, size_t end, prose_match *m);
/* Behind the rest of its name: "Redux Toolkit" for redux. */
size_t prose_value_end(const prose *p, const prose_match *m, size_t end);
/* The family that a noun names, at the end of [i, j): its words, or 0. */
size_t prose_family_noun(const prose *p, size_t i, size_t j, int *family);
/* The family that is meant by what people do: "linting", "indentation"; -1: none. */
int prose_family_topic(const prose *p, size_t i, size_t j);
/* The same; of several families that one which has the value. */
int prose_family_topic_of(const prose *p, size_t i, size_t j, const prose_match *m);
bool prose_match_has(const prose_match *m, int family);
hm_str prose_family_name(const prose *p, int family);
/* Is a value of this family given to a thing without saying how: "the mount is PEEK"? */
bool prose_family_is_plain(const prose *p, int family);

/* --- what stands behind a value --------------------------------------------------------------- */

/* Reads words [i, end) behind a value into the qualifier of np and v->left; false when something
 * is left over or makes the statement unsure. */
bool prose_read_tail(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* The first word of [i, end) that begins a tail, or end. */
size_t prose_tail_start(const prose *p, size_t i, size_t end);

/* --- forms: each tries words [i, end); true: it claimed, or knows that nothing is claimed ----- */

bool prose_read_key(prose *p, size_t i, size_t end);
bool prose_read_label(prose *p, size_t i, size_t end);
bool prose_read_rule(prose *p, size_t i, size_t end);      /* always, never, must */
bool prose_read_turned(prose *p, size_t i, size_t end);    /* turn on, enabled X */
bool prose_read_decision(prose *p, size_t i, size_t end);  /* chose, switched, replaced, use */
bool prose_read_amount_of(prose *p, size_t i, size_t end); /* timeout of 30 s for the API */
bool prose_read_so_far(prose *p, size_t i, size_t end);    /* has been using X for 9 months */
bool prose_read_habit(prose *p, size_t i, size_t end);     /* does X twice a week */
bool prose_read_predicate(prose *p, size_t i, size_t end); /* SUBJECT VERB OBJECT */
/* Reads a clause: one statement, or several predicates of one subject. */
void prose_read_clause(prose *p, size_t i, size_t end);
/* Does the word at k of a phrase that begins at i stand like a verb and is a noun: "deploys are
 * allowed"? */
bool prose_is_noun_here(const prose *p, size_t k, size_t i, size_t end);
/* "my necklace, which is worth $5,000": what a relative clause in [i, end) says of a thing. */
void prose_read_relative_clause(prose *p, size_t i, size_t end);
bool prose_read_bare(prose *p, size_t i, size_t end);    /* rate limit 500 req/s */
bool prose_read_general(prose *p, size_t i, size_t end); /* where no other form claimed */
/* [i, j) was replaced by what stands at `with`. */
bool prose_read_replaced(prose *p, size_t from, size_t i, size_t j, size_t with, size_t end);
/* "using X for Y" of no one or the user, at the word behind the verb. */
bool prose_read_use(prose *p, size_t from, size_t i, size_t end);

/* A quantity of np, and what stands behind it. attribute: what the verb says, or NULL. */
bool prose_claim_quantity(prose *p, prose_np *np, prose_value *v, const prose_quantity *q,
                          size_t end, const char *attribute);
/* np has no attribute yet: its last word, or the words of z parted by _. */
void prose_set_attribute(prose_np *np, const char *z);
/* The whole phrase is the subject: "queue" in "the queue retains messages". */
void prose_make_all_subject(prose_np *np);
/* Where np has no attribute, its subject becomes one; the user stays the subject. */
void prose_attribute_from_subject(prose_np *np);
/* Values behind "is", "=", ":" and "to". */
bool prose_read_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, char by);
bool prose_read_switch(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
bool prose_read_choice(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, char by,
                       const char *hint);
bool prose_read_set(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, const char *verb);
/* Do several values of one family stand at i: "JSON and XML"? */
bool prose_is_list(const prose *p, size_t i, size_t end);
bool prose_read_version(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* "The default value is 4": nobody knows of what. */
bool prose_is_vague(const prose *p, const prose_np *np);
/* Is the last word of np one of these? */
bool prose_last_word_in(const prose *p, const prose_np *np, const char *const *words, size_t n);
bool prose_read_name_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, char by);
/* A product and its version at i: "Postgres 14". The word behind, or 0. */
size_t prose_product_at(prose *p, size_t i, size_t end, hm_str *name, size_t *version);
/* Reads [i, j) as what has a value of m's families: "checkout", "authentication". */
bool prose_read_family_np(prose *p, prose_np *np, size_t i, size_t j, const prose_match *m);
/* "wide" behind a length, which is stepped on: "width"; else NULL. */
const char *prose_dimension_of(const prose *p, prose_quantity *q, size_t end);
/* Is the subject np at i a definite thing: "the gateway", "our gateway", "Connector J3"? */
bool prose_is_definite(const prose *p, const prose_np *np, size_t i);
/* The word at k agrees with its noun in [i, k) as a verb in the present: "scrapes" of a thing. */
bool prose_is_verb_of(const prose *p, size_t i, size_t k);
/* Is the word a notion: "reason", "problem"? What it is differs from text to text. */
bool prose_is_notion(const prose *p, size_t i);
/* "the VPN gateway is WireGuard", "is a Bosch Series 6": a proper name at i, of what no table has.
 */
bool prose_read_identity(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, char by);
/* "bonded with RTV 566" at i, behind "is". */
bool prose_read_made_with(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* "torqued to 9 Nm", "resized to 1200 px" at i, behind "is". */
bool prose_read_measured(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* "the exporter scrapes every 15 s", "rotation switches on Mondays at 10:00" */
bool prose_read_recurring(prose *p, size_t i, size_t end);
/* Is the word the name of something: "Dana", "eu-west-1", "ops@example.org"? */
bool prose_looks_named(const prose_word *t);

/* --- people and what they do ------------------------------------------------------------------ */

/* Someone whose habits are read: "I", "we", "the user"; or none, and the text is about one. */
typedef struct {
  size_t at;                /* the verb, behind adverbs and "has been" */
  bool be, have, been;
} prose_person;
bool prose_read_person(const prose *p, prose_person *who, size_t i, size_t end);
/* The thing at [i, j): "yoga", "my Fitbit Charge 3", "their daily commute". */
bool prose_read_thing(prose *p, prose_np *np, size_t i, size_t j);
/* Claims value as the attribute of np, with what stands behind word to; always true. */
bool prose_claim_thing(prose *p, prose_np *np, hm_prose_shape shape, const char *attribute,
                       hm_str value, hm_str reading, size_t from, size_t to, size_t end);
/* "my gym routine - four times a week", "yoga classes, which is twice a week": how often, at i. */
bool prose_read_apposition(prose *p, size_t i, size_t end);
/* "... my Fitbit for 9 months", "... guitar for 30 minutes daily": the thing at i. */
bool prose_read_use_time(prose *p, size_t from, size_t i, size_t end, bool been);

/* --- verbs and their objects ------------------------------------------------------------------ */

typedef enum {
  K_QUANTITY, /* a quantity is the attribute */
  K_TIME,     /* a duration */
  K_LIMIT,    /* "is limited to 25 MB": the unit says of what */
  K_ALLOW,    /* "allows 5,000 req/s", "includes unlimited projects" */
  K_CAP,      /* the same with "up to", "at most" only */
  K_HAS,      /* "has 8 GB of memory" */
  K_NEED,     /* "needs 300 stars" */
  K_EVERY,    /* "every 5 minutes" */
  K_CLOCK,    /* a time of day or a date */
  K_AT,       /* a quantity whose unit names the attribute: "at 633 nm" */
  K_FAMILY,   /* a value of the family */
  K_STORE,    /* a value of any family, or a name */
  K_USE,      /* "uses Svelte", "runs Kubernetes 1.29" */
  K_NAME,     /* a name */
  K_PLACE,    /* a name of a place */
  K_ORIGIN,   /* where a person or a thing of theirs is from */
  K_SET,      /* "accepts JSON only" */
  K_MOVE,     /* "moved from A to B" */
  K_SHIFT,    /* "went from A to B", of quantities */
  K_AS,       /* "Kafka is used as the message broker" */
  K_VERSION,
  K_SAME, /* as "is" */
} prose_kind;

typedef struct { const char *words; prose_kind k; const char *attribute; } prose_row;

/* The longest row whose words stand at i, and their number. */
const prose_row *prose_part_row(const prose *p, size_t i, size_t end, size_t *words);
const prose_row *prose_verb_row(const prose *p, size_t i, size_t end, size_t *words);
/* The row of the participle of a verb, for what stands at i: "in" of "we store files in S3". */
const prose_row *prose_part_row_of_verb(const prose *p, const char *participle, size_t i,
                                        size_t end, size_t *words);
/* The object of a row at i; is: the row stands behind "is". */
bool prose_read_object(prose *p, const prose_row *r, prose_np *np, prose_value *v, size_t i,
                       size_t end, bool is);
/* "[from A] to B" at i. */
bool prose_read_moved(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* "stored in Redis", "lives in Porto", "owned by Dana", "from Italy": the name at i. is: behind
 * "is"; comes: behind "comes". */
bool prose_read_store(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                      const char *attribute);
bool prose_read_place(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                      const char *attribute, bool is);
bool prose_read_named(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                      const char *attribute);
bool prose_read_origin(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, bool comes);
/* What is counted, at i: "up to 5 workspaces". */
bool prose_read_count(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, prose_kind k);
/* What is had, at i. */
bool prose_read_possession(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* "a cat named Luna", "a system called Tacos for kudos" of np, at i; has: np has it, else uses
 * it. */
bool prose_read_called(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, bool has);
/* What is counted, behind a number: "workspaces", "CPU cores". Words, or 0. */
size_t prose_counted_noun(const prose *p, size_t i, size_t end);
/* np is all subject; the n words at i are its attribute. */
void prose_set_attribute_noun(prose *p, prose_np *np, size_t i, size_t n);
/* Does a word such as today or last stand in [i, end)? */
bool prose_has_day(const prose *p, size_t i, size_t end);

/* --- forms behind "is" that are no row, and deeds -------------------------------------------- */

bool prose_read_special(prose *p, prose_np *np, prose_value *v, size_t i, size_t at, size_t end,
                        bool past);
/* Is the word, in lower case, a day of the week? */
bool prose_is_weekday(const prose *p, hm_str word);
/* "open from 8:00 to 20:00", "available [to work] from 9 am to 5 pm" at i, of np. */
bool prose_read_hours(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* "on Tuesdays [at 10:00]", "every Monday at 9:30" at i, of np. */
bool prose_read_schedule(prose *p, const prose_np *of, size_t from, size_t i, size_t end);
/* The same without "on": "Mondays 10:00", "Sundays 02:00-04:00 UTC". */
bool prose_read_days(prose *p, const prose_np *of, size_t from, size_t i, size_t end);
/* "3 times" at i: how often np is retried. */
bool prose_read_times(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* "633 nm", "24,000 rpm" of np at i: its unit names the attribute; how: a word before that, or
 * NULL. */
bool prose_read_at_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                         const char *how);
/* "allergic to nuts", "born in 1987" of the person np, at i. */
bool prose_read_allergies(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
bool prose_read_birth(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
bool prose_read_deed(prose *p, size_t i, size_t end); /* we cap X at Q, retries X N times */
bool prose_read_only(prose *p, size_t i, size_t end); /* squash merges only */
/* A note without "is", its participle at k: "debug mode disabled". */
bool prose_read_note(prose *p, size_t i, size_t k, size_t end);

/* --- signs ------------------------------------------------------------------------------------ */

/* The mentions of a text whose claims are read; then whether it settles. */
void prose_find_mentions(prose *p);
bool prose_settles(const prose *p);
#endif
