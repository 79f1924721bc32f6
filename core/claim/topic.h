/* Topics: values in documents whose slots are other wordings of one thing.
 *
 * A line "SLOT (HINTS) = VALUE" of a slot_rule (memory.h) has a topic. SLOT is stems of the words
 * around the value and, last, its dimension. HINTS are words, each with its sign:
 *
 *   +word      stands around it (a heading, a description): another topic may have the word
 *   ^word      of the stems, a verb
 *   =word      a word of the name that SLOT is: "max" of MAX_VALVES
 *   word>word  the first says which: "retina>tile"
 *   @word      keeps it apart: an environment, a component, a platform, "in summer"
 *   #word      a kind of values: a database
 *   ~word      the dimension, where SLOT does not end with it
 *   !          it may be an example
 *   |          it is the row of a table, named by its key
 *   /digest    of the document
 *   %digest    of the series of documents in which it is one
 *   &digest    of the headings of the document, which others of its form have
 *
 * Two topics are one if they stand in different documents, are kept apart by nothing, have values
 * of one dimension and name the same thing: most of what each says is said by the other, and no
 * word that they share is another thing by the word before it. Of each document only the nearest
 * topic counts, and none where the document says the same value of such a topic elsewhere. */
#ifndef HM_TOPIC_H
#define HM_TOPIC_H
#include "core/claim/claim.h"

/* Gives claims of topics that are one the same slot: the name of a setting, or the shortest of
 * them. Depends on all claims. Cost: for each topic the topics that share a word with it, at most
 * TOPICS_OF_WORD. */
void hm_topics_join(hm_claims *c);
/* Has a line of the memory's slot_rule a topic? Then what it claims depends on other rows. */
bool hm_row_has_topic(const hm_row *row);
#endif
