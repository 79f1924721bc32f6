/* The small grammar by which a memory claims, or does not. Design section 6. */
#ifndef HM_MEMORY_H
#define HM_MEMORY_H
#include "core/store/row.h"

/* What a memory says: "slot has value". */
typedef struct {
  hm_str slot;       /* folded; "spaces|tabs" for alternatives. Empty: claims nothing */
  hm_str value;      /* raw part of the content, a slice of it */
  bool own_space;    /* identity and preference: slot key is [project, memory_type, slot] and the
                        value is compared by stems, as text; else [project, slot] */
} hm_memory_claim;

/* Reads a memory row (type, text, slot_rule, polarity). Grammar, all case-insensitive, a
 * trailing full stop dropped, SUBJECT one of (i, we, user, the user, team, the team, he, she,
 * they): identity:   [SUBJECT's|my|our] role|background|credential[s] [is|=|:] V; [SUBJECT] works
 * as [a|an] V and [SUBJECT] is|am|are a|an V give role; [has] [a] background in V; holds|has [a|an]
 * V degree| certified ... see memory.c's table. preference: [SUBJECT]
 * [always|usually|generally|really|strongly] prefer[s]|use[s]|like[s] OBJECT, where OBJECT is "X
 * for Y" -> slot Y, value X; "X over|to|instead of|rather than Z" -> slot the two, sorted, joined
 * by '|', value X (with "for Y": slot Y); "REST HEAD" -> slot HEAD (last word), value REST. Leading
 * a, an, the dropped. A negation, another subject, or any other preposition, conjunction or clause
 * inside: claims nothing. knowledge, project, adaptation: SUBJECT-PHRASE " is "|"="|": " V at the
 * first of these; phrase of one to eight words, leading article dropped, no pronoun; V negated
 * ("not ...", "no longer ...") claims nothing. One that is not read so, but has a polarity, has its
 * own text as slot and as value: liked and disliked, it contradicts itself. episodic: never. Other
 * types: only by slot_rule. A value of more than one sentence or line claims nothing, nor does a
 * question; silence ("TBD", "?") is given as a value, and is none (hm_value_is_silence). slot_rule,
 * when set, is the slot (folded, for every type but episodic); the value is what the grammar gives
 * as the object (verb, subject and separator stripped), else the whole content. */
void hm_memory_read(hm_memory_claim *out, const hm_row *row, hm_arena *a);
/* Preference and identity values as compared: folded, articles and the quotes and
 * stops around words dropped, each of the first 64 words stemmed. */
hm_str hm_memory_stems(hm_arena *a, hm_str value);
#endif
