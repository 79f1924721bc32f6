/* The forms of sentences that claim something in a memory: memory.h has them in words. */
#ifndef HM_MEMORY_FORMS_H
#define HM_MEMORY_FORMS_H
#include "core/claim/memory_words.h"

/* What a grammar found; all empty when it found nothing. */
typedef struct {
  hm_str slot;      /* folded */
  hm_str value;     /* slice of the content */
  hm_str object;    /* the content without verb, subject and separator; may be set alone */
} hm_memory_parts;

/* Each reads content, trimmed and without its last full stop. */
void hm_memory_read_identity(hm_memory_parts *out, hm_str content, hm_arena *a);
void hm_memory_read_preference(hm_memory_parts *out, hm_str content, hm_arena *a);
void hm_memory_read_knowledge(hm_memory_parts *out, hm_str content, hm_arena *a);
/* With one of these a sentence is none that the grammar understands. */
extern const hm_word_list hm_knowledge_refused, hm_preference_refused;
#endif
