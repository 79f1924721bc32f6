/* Which words are forms of one, whatever their language is: a word that begins with another one
 * ("member", "membership") is a form of it. Coarse: of use where other words must agree, too. */
#ifndef HM_WORD_FORMS_H
#define HM_WORD_FORMS_H
#include "str.h"

/* Each word -> the number of the one that it is a form of, which may be itself. */
typedef struct {
  hm_map numbers;
  hm_str *words;
} hm_word_forms;

void hm_word_forms_init(hm_word_forms *f, hm_arena *a);
void hm_word_forms_add(hm_word_forms *f, hm_str word);
/* After the last word. Cost: that of sorting them. */
void hm_word_forms_find(hm_word_forms *f, hm_arena *a);
/* The same for all forms of a word. */
uint64_t hm_word_forms_hash(const hm_word_forms *f, hm_str word);
#endif
