/* The small grammar that reads claims from a memory. Design section 6. */
#ifndef HM_MEMORY_H
#define HM_MEMORY_H
#include "core/record/row.h"

/* What a memory says: "slot has value". */
typedef struct {
  hm_str slot;    /* folded; "spaces|tabs" for alternatives. Empty: claims nothing */
  hm_str value;   /* raw part of the content, a slice of it */
  bool own_space; /* identity and preference: slot key is [project, memory_type, slot] and the
                     value is compared by stems, as text; else [project, slot] */
  bool denied;    /* "does not prefer dark mode": the value is denied */
} hm_memory_claim;

/* Reads a memory row (type, text, slot_rule, polarity). Ignores case and a trailing full stop;
 * SUBJECT is one of i, we, [the] user, [the] team, he, she, they.
 *
 *   identity     [SUBJECT's|my|our] role|background|credential[s] [is|=|:] V
 *                [SUBJECT] works as [a|an] V, [SUBJECT] is|am|are a|an V: the role
 *                [has] [a] background in V; holds|has [a|an] V degree; certified V: see the tables
 *   preference   [SUBJECT] [always|usually|generally|really|strongly] prefer[s]|use[s]|like[s] and
 *                X for Y: slot Y, value X
 *                X over|to|instead of|rather than Z: slot both, sorted, joined by '|', value X
 *                (with "for Y": slot Y)
 *                REST HEAD: slot HEAD, the last word, value REST
 *                NAME prefers X over Z, THE ROLE prefers X over Z: the same, with the folded name
 *                before the slot's; a name has at most three words that begin with A to Z
 *                A leading a, an, the is dropped. "does not prefer" denies the value.
 *                Another negation, "nobody" and the like, any other
 *                subject, preposition, conjunction or clause inside: claims nothing.
 *   knowledge,   SUBJECT-PHRASE is|=|: V at the first of these; a phrase of one to eight words, its
 *   project,     leading article dropped, no pronoun. A negated V ("not ...", "no longer ...")
 *   adaptation   claims nothing.
 *   episodic     never; other types only by slot_rule.
 *
 * Knowledge, project and adaptation memories are read as prose (prose.h), and an identity or a
 * preference without a polarity in which this grammar finds nothing. The first three it reads only
 * under a slot_rule that names a slot, and for values that they say are not known.
 *
 * A slot_rule of lines "SLOT = VALUE" says what the text claims, whatever its form is; unlike other
 * slot_rules it is compared with other texts. A last line "SUBJECT *" or "*" says that the text is
 * read, too, as below. "=" alone says that it claims nothing. Any other
 * slot_rule is the slot (folded); the value is then the object of the form, else the whole content.
 * A slot_rule "SUBJECT *" gives the subject of a text that does not name it: the text is read with
 * or without SUBJECT before it ("is 12 V" is "SUBJECT is 12 V"), and the folded subject comes
 * before the slot's name, unless the name begins with it. A text that names no slot has none.
 * "*": the text names its subject. "PART:: *": all that the text names is of that part.
 *
 * For any other preference with a polarity, the text is both slot and value, so that liking and
 * disliking it contradict each other. A value of more than one sentence or line, or a question,
 * claims nothing. Silence ("TBD", "?") is returned as a value (see hm_value_is_silence). */
void hm_memory_read(hm_memory_claim *out, const hm_row *row, hm_arena *a);
/* Is the slot_rule, or its last line, "*" or "SUBJECT *"? Then *subject is SUBJECT, or empty. */
bool hm_memory_parse_subject_rule(const hm_row *row, hm_str *subject);
/* The first line "SLOT = VALUE" of a slot_rule that says what the text claims, cut off *rule, with
 * SLOT folded, in a. *by_words: the line is "SLOT (words) = VALUE", so SLOT is stems of words of
 * the text; what stands in the parentheses says no more. False: it has none any more. A rule whose
 * first line has no " = " names a slot or a subject. */
bool hm_memory_next_stated(hm_str *rule, hm_str *slot, bool *by_words, hm_str *value, hm_arena *a);
/* Does the table have this type? Others are read as knowledge. */
bool hm_memory_type_is_known(hm_str type);
/* Preference and identity values for comparison: folded, without articles and the quotes and stops
 * around words, each of the first 64 words stemmed. */
hm_str hm_memory_stem_value(hm_arena *a, hm_str value);
/* A folded day without a year in one spelling, in a: "12_february", "february_12th" and
 * "12th_of_feb" are one. What is no such day stays. */
hm_str hm_memory_day_of_any_year(hm_arena *a, hm_str name);
#endif
