/* Shared by the files of the grammar of prose, the lowest floor first; each uses only those above
 * it here: noun phrases and quantities, claims, values of each kind, what verbs say, forms. All use
 * prose_words.h. A reader tries words [i, end) and returns true if it claimed, or knows that
 * nothing is claimed; np is what a statement is about, v the claim so far. "At i" means at word
 * i. */
#ifndef HM_PROSE_GRAMMAR_H
#define HM_PROSE_GRAMMAR_H
#include "core/prose/prose_words.h"

/* --- values of families (prose_match.c) ------------------------------------------------------- */

enum { MATCHES = 4 };
/* A value of families at word i. */
typedef struct {
  size_t to;   /* after its last word */
  hm_str name; /* its first spelling */
  int family[MATCHES];
  size_t n;
  bool based; /* "REST-based" */
} prose_match;
bool prose_value_at(const prose *p, size_t i, size_t end, prose_match *m);
/* The word after the whole name: "Redux Toolkit" for redux. */
size_t prose_value_end(const prose *p, const prose_match *m, size_t end);
/* The family that a noun at the end of [i, j) names. Returns the number of its words, or 0. */
size_t prose_family_noun(const prose *p, size_t i, size_t j, int *family);
/* The family that an activity means: "linting", "indentation"; -1: none. */
int prose_family_topic(const prose *p, size_t i, size_t j);
/* The same; of several families the one with the value. */
int prose_family_topic_of(const prose *p, size_t i, size_t j, const prose_match *m);
bool prose_match_has(const prose_match *m, int family);
bool prose_match_is_store(const prose *p, const prose_match *m); /* a database, a cache */
const char *prose_family_name(const prose *p, int family);

/* --- noun phrases (prose_subject.c) ----------------------------------------------------------- */

/* What a statement is about. */
typedef struct {
  prose_name subject, attribute, qualifier;
  prose_limit limit;
  prose_name noun;           /* the words for the attribute in the text: "queue" for a broker */
  prose_name written;        /* the phrase itself, without article and limit; "Y X" of "X of Y" */
  prose_limit written_limit; /* then */
  size_t parts;              /* words of subject and attribute then */
  bool person;               /* the subject is a person */
  bool user;                 /* it begins with "my" or "the user's" */
  bool known_measure, known_name; /* the attribute is in a table */
  size_t words;                   /* of the phrase */
  size_t last;                    /* its last word */
  int family;                     /* the attribute is the noun of a family; -1: none */
  bool value;                     /* the phrase is itself a value of a family: "GraphQL" */
  bool indefinite;
  bool fresh; /* it begins with "new": perhaps another thing than the old one */
} prose_np;

/* Reads words [i, j) as what a statement is about; false if not certain. */
bool prose_read_np(prose *p, prose_np *np, size_t i, size_t j);
/* Is it about one person: by a word for one, or by a first name alone? */
bool prose_is_person(const prose *p, const prose_np *np);
/* Is it unclear what it is about: "The default value is 4"? */
bool prose_is_vague(const prose *p, const prose_np *np);
/* The number of words that name an attribute at the end of [i, j): "rate limit" of "API rate
 * limit"; 0: none. */
size_t prose_attribute_words(const prose *p, size_t i, size_t j, uint64_t *cls);
/* Is the last word of np one of these, as in prose_one_of? */
bool prose_last_word_in(const prose *p, const prose_np *np, const char *words);
/* Makes the whole phrase the subject: "queue" in "the queue retains messages". */
void prose_make_all_subject(prose_np *np);
/* The same, and sets the attribute: the words of z, separated by _, or the n words at i. */
void prose_set_attribute(prose_np *np, const char *z);
void prose_set_attribute_noun(prose *p, prose_np *np, size_t i, size_t n);
/* If np has no attribute, its subject becomes the attribute; the user stays the subject. */
void prose_attribute_from_subject(prose_np *np);

/* --- quantities (prose_quantity.c) ------------------------------------------------------------ */

typedef struct {
  hm_str value, reading;
  prose_unit unit;
  prose_limit limit;                         /* "up to", "at least" */
  prose_name per;                            /* "per_ip" */
  bool unlimited, approximate, range, plain; /* plain: a number with no unit */
  bool times;                                /* "3 times" */
  size_t from, to;                           /* words [from, to), including "up to" */
} prose_quantity;

/* Reads the quantity that begins at i. */
bool prose_read_quantity(prose *p, prose_quantity *q, size_t i, size_t end);
bool prose_is_version(hm_str s);
bool prose_is_unit_word(const prose *p, size_t i); /* "second", "kg" */

/* --- verbs (prose_verbs.c) -------------------------------------------------------------------- */

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

typedef struct {
  const char *words; /* "served by|served from", of one first letter */
  prose_kind k;
  const char *attribute;
} prose_row;
/* The longest row whose words are at i; *words: their number. */
const prose_row *prose_part_row(const prose *p, size_t i, size_t end, size_t *words);
const prose_row *prose_verb_row(const prose *p, size_t i, size_t end, size_t *words);
/* Is the word at k of a phrase from i a noun that looks like a verb: "deploys are allowed"? */
bool prose_is_noun_here(const prose *p, size_t k, size_t i, size_t end);

/* --- claims (prose_claim.c) ------------------------------------------------------------------- */

typedef struct {
  hm_prose_shape shape;
  size_t from, to; /* the words of the claim */
  hm_str value, reading, left;
  hm_str dated; /* of a status: hm_prose_claim.dated */
  bool denied, only, also, family, curated;
  char by; /* what stood before it in prose_read_value; 0: a verb */
} prose_value;
/* Reads the words at i as a value of np and claims it, or returns false. */
typedef bool (*prose_reader)(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* The first of n readers that can; np and v are as they were where one cannot. */
bool prose_read_first(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                      const prose_reader *readers, size_t n);

/* Appends the claim that np has the value v; does nothing if that gives no slot. */
void prose_claim(prose *p, const prose_np *np, const prose_value *v);
/* The first word of [i, end) that begins a tail, or end. */
size_t prose_tail_start(const prose *p, size_t i, size_t end);
/* Do the words [i, end), behind a stop, say that the statement before them holds only in part, or
 * is not decided: "in staging", "staging only", "but only for uploads", "except on Fridays",
 * "proposed"? */
bool prose_is_restriction(const prose *p, size_t i, size_t end);
/* Adds word i, in parentheses, to the qualifier if it is an environment: "30 s (staging)". */
void prose_add_environment(const prose *p, prose_np *np, size_t i);
/* Reads words [i, end) after a value into the qualifier of np and v->left; false if a word is left
 * over or makes the statement unsure. */
bool prose_read_tail(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* Claims v if the words after it, [i, end), can be read; else returns false. */
bool prose_claim_with_tail(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* The same for the words [from, to) as the value of np's attribute, or of this one. */
bool prose_claim_span(prose *p, prose_np *np, prose_value *v, size_t from, size_t to, size_t end);
bool prose_claim_attribute(prose *p, prose_np *np, prose_value *v, const char *attribute,
                           size_t from, size_t to, size_t end);

/* --- quantities of things (prose_measure.c) --------------------------------------------------- */

/* Claims a quantity of np, reading the words after it. attribute: from the verb, or NULL. */
bool prose_claim_quantity(prose *p, prose_np *np, prose_value *v, const prose_quantity *q,
                          size_t end, const char *attribute);
/* The number of words of the counted noun after a number: "workspaces", "CPU cores"; or 0. */
size_t prose_counted_noun(const prose *p, size_t i, size_t end);
/* Reads a count at i: "up to 5 workspaces". */
bool prose_read_count(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, prose_kind k);
/* The attribute of a dimension word after a length, "width" for "wide", and skips that word; else
 * NULL. */
const char *prose_dimension_of(const prose *p, prose_quantity *q, size_t end);
/* "633 nm", "24,000 rpm" of np at i: the unit names the attribute; how: a word before the
 * attribute, or NULL. */
bool prose_read_at_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                         const char *how);

/* --- versions (prose_version.c), names (prose_named.c) ---------------------------------------- */

/* A product and its version at i: "Postgres 14". Returns the word after it, or 0. */
size_t prose_product_at(prose *p, size_t i, size_t end, hm_str *name, size_t *version);
bool prose_read_version(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* Is the word the name of something: "Dana", "eu-west-1", "ops@example.org"? */
bool prose_looks_named(const prose_word *t);
/* Is the word a notion, with another meaning in each text: "reason", "problem"? */
bool prose_is_notion(const prose *p, size_t i);
/* A name as the value of an attribute: "the owner is Dana". */
bool prose_read_name_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* "the VPN gateway is WireGuard", "is a Bosch Series 6": a proper name at i that is in no table. */
bool prose_read_identity(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);

/* --- choices (prose_choice.c), switches (prose_switch.c) -------------------------------------- */

/* Reads [i, j) as a thing with a value of m's families: "checkout", "authentication". */
bool prose_read_family_np(prose *p, prose_np *np, size_t i, size_t j, const prose_match *m);
/* hint: the family that the verb implies, or NULL. */
bool prose_read_choice(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                       const char *hint);
bool prose_read_set(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, const char *verb);
/* Are there several values of one family at i: "JSON and XML"? */
bool prose_is_list(const prose *p, size_t i, size_t end);
bool prose_read_switch(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* Does a word for a state stand at i: "off", "switched on", "optional"? */
bool prose_is_state(const prose *p, size_t i, size_t end);
/* Adds the stems of [i, j), without articles and owners. */
void prose_add_stems(prose *p, prose_name *to, size_t i, size_t j);

/* --- when (prose_schedule.c) ------------------------------------------------------------------ */

/* "open from 8:00 to 20:00", "available [to work] from 9 am to 5 pm" at i, of np. */
bool prose_read_hours(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* "on Tuesdays [at 10:00]", "every Monday at 9:30" at i, of np. */
bool prose_read_schedule(prose *p, const prose_np *of, size_t from, size_t i, size_t end);
/* "on the 5th of each month", "on the first Monday of the month" at i, of np. */

/* --- values of all kinds (prose_values.c), decisions (prose_decision.c) ----------------------- */

/* The value at i after "is" (by: i), "=", ":" or "to" (t). */
bool prose_read_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, char by);
bool prose_read_decision(prose *p, size_t i, size_t end); /* chose, switched, replaced, use */
/* [i, j) was replaced by the words at `with`. */
bool prose_read_replaced(prose *p, size_t from, size_t i, size_t j, size_t with, size_t end);
/* "using X for Y", without a subject or of the user; i: the word after the verb. */
bool prose_read_use(prose *p, size_t from, size_t i, size_t end);

/* --- statuses (prose_status.c) ---------------------------------------------------------------- */

bool prose_read_status(prose *p, size_t i, size_t end); /* "Status: Open", "its priority is high" */

/* --- objects of verbs (prose_object_names.c, prose_object.c) ---------------------------------- */

/* "stored in Redis", "lives in Porto", "owned by Dana", "from Italy": the name at i. is: after
 * "is"; comes: after "comes". */
bool prose_read_store(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                      const char *attribute);
bool prose_read_place(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                      const char *attribute, bool is);
bool prose_read_named(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                      const char *attribute);
bool prose_read_origin(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, bool comes);
/* "a cat named Luna", "a system called Tacos for kudos" of np, at i; has: np has it, else uses
 * it. */
bool prose_read_called(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, bool has);
/* "allergic to nuts", "born in 1987" of the person np, at i. */
bool prose_read_allergies(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
bool prose_read_birth(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* The object of a row at i; is: the row's words come after "is". */
bool prose_read_object(prose *p, const prose_row *r, prose_np *np, prose_value *v, size_t i,
                       size_t end, bool is);
/* What np has, at i. */
bool prose_read_possession(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* "[from A] to B" at i. */
bool prose_read_moved(prose *p, prose_np *np, prose_value *v, size_t i, size_t end);
/* Is there a word such as today or last in [i, end)? */
bool prose_has_day(const prose *p, size_t i, size_t end);

/* --- statements with a verb (prose_special.c, prose_predicate.c) ------------------------------ */

/* Forms after "is" at `at` that are in no row. past: after "was". */
bool prose_read_special(prose *p, prose_np *np, prose_value *v, size_t at, size_t end, bool past);
bool prose_read_predicate(prose *p, size_t i, size_t end); /* SUBJECT VERB OBJECT */

/* --- rules (prose_rule.c) --------------------------------------------------------------------- */

bool prose_read_rule(prose *p, size_t i, size_t end); /* always, never, must */

/* --- labels (prose_label.c), clauses (prose_clause.c) ----------------------------------------- */

/* Instructions (prose_instruction.c): "Run tests with pytest", "max 3 reviewers per PR"; "prefer A
 * over B". */
bool prose_read_instruction(prose *p, size_t i, size_t end);
bool prose_read_preferred(prose *p, size_t i, size_t end);
/* What people like, and when they are to be asked (prose_preference.c). */
bool prose_read_preference(prose *p, size_t i, size_t end);
/* A label at [i, stop) and its value, of what the text is about (prose_fragment.c). */
bool prose_read_item(prose *p, size_t i, size_t stop, size_t end);
/* Does the label that ends at stop say in a bracket that it may be missing: "Effort (optional)"? */
bool prose_is_optional(const prose *p, size_t stop);
bool prose_read_key(prose *p, size_t i, size_t end);
bool prose_read_label(prose *p, size_t i, size_t end);
/* Reads a clause: one statement. */
void prose_read_clause(prose *p, size_t i, size_t end);

/* --- mentions (prose_mentions.c) -------------------------------------------------------------- */

/* Finds the mentions after all claims are read; then, whether the text settles. */
void prose_find_mentions(prose *p);
bool prose_settles(const prose *p);
#endif
