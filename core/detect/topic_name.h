/* Names of slots for people, where a slot is called by stems of words (core/claim/memory.h). */
#ifndef HM_TOPIC_NAME_H
#define HM_TOPIC_NAME_H
#include "core/base/str.h"

/* A text that is of the slot, and the path of its document. */
typedef struct {
  hm_str text, path;
} hm_topic_text;
/* The name of such a slot for people, in a: "length_line_count" of "Line length is 90" is
 * "line_length_count". Each stem is the word of the texts that has it, in the order of the first
 * text that has any; what no text has stays in front, as the paths spell it; the dimension is last.
 */
hm_str hm_topic_name(hm_arena *a, hm_str name, const hm_topic_text *texts, size_t n);
#endif
