/* Shared by the files of core/decision. Not for others. */
#ifndef HM_DECISION_IMPL_H
#define HM_DECISION_IMPL_H
#include "core/decision/decision.h"

/* Adds what a text of the record says of supersessions. whole: the text is the value of a field
 * "Supersedes" or, by, "Superseded by"; else it is a sentence. own: the record's number. */
typedef struct {
  hm_decision *to;
  size_t cap;
  hm_arena *a;
} supersession_reader;
typedef enum { SENTENCE, FIELD_SUPERSEDES, FIELD_SUPERSEDED_BY } supersession_form;
void hm_supersessions_read(supersession_reader *r, supersession_form form, hm_str text,
                           const hm_doc_span *spans, size_t n_spans, uint32_t line);
/* --- words and dates: decision_words.c ------------------------------------------------------- */

/* Is s one of the n words? */
bool hm_decision_is_any(hm_str s, const char *const *list, size_t n);
/* YYYY-MM-DD at the beginning of s; the first one in s, or empty. */
bool hm_decision_is_date(hm_str s);
hm_str hm_decision_find_date(hm_str s);
/* The date as YYYY-MM-DD where it can be read so, else s trimmed. */
hm_str hm_decision_read_date(hm_arena *a, hm_str s);
/* The first word of a status behind a date, in small letters; of "on hold" both. */
hm_str hm_decision_status_word(hm_arena *a, hm_str s);
hm_decision_standing hm_decision_standing_of(hm_str word, hm_str status, hm_arena *a);
/* s in small letters. */
hm_str hm_decision_lower(hm_arena *a, hm_str s);
#endif
