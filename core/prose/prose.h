/* What a text in plain English states: claims, and values that it only mentions. Design section 6.
 *
 * Pure: a text comes in, slices of it and folded names go out. A claim is made only where subject,
 * attribute and value are certain; wants, plans, questions, opinions, activities, past events,
 * headings, log lines and other languages claim nothing. prose.c has the grammar in words. */
#ifndef HM_PROSE_H
#define HM_PROSE_H
#include "core/prose/prose_families.h"
#include "core/prose/prose_result.h"

/* Reads text. subject: what the text is about if it does not say so, as people write it ("Alice",
 * the row's scope, the entity of an observation, "web:: Auth" where all is of the web); may be
 * empty. Results live in a or borrow from
 * text and families. Cost: linear in the text; texts over 64 KiB are not read. */
void hm_prose_parse(hm_prose *out, hm_str text, hm_str subject, const hm_families *f, hm_arena *a);
#endif
