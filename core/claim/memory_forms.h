/* The words of a sentence, and the forms of sentences that claim something in a memory; memory.h
 * describes them. */
#ifndef HM_MEMORY_FORMS_H
#define HM_MEMORY_FORMS_H
#include "core/base/str.h"

/* The first words of a text. Longer sentences claim nothing. */
enum { HM_WORDS_MAX = 24 };
typedef struct {
  hm_str text;
  hm_str w[HM_WORDS_MAX];
  size_t n;
  bool more; /* the text has more words */
} hm_words;

void hm_words_split(hm_words *out, hm_str text);
/* From the beginning of word i to the end of the text. */
hm_str hm_words_rest(const hm_words *w, size_t i);
/* Is word i, in any ASCII case, z | one of list, which ends with NULL? false past the end. */
bool hm_words_is(const hm_words *w, size_t i, const char *z);
bool hm_words_in(const hm_words *w, size_t i, const char *const *list);
bool hm_word_is(hm_str word, const char *z);
bool hm_word_in(hm_str word, const char *const *list);

extern const char *const hm_articles[]; /* a, an, the */
/* Many words, each in lower case, sorted by bytes. */
typedef struct {
  const char *const *words;
  size_t n;
} hm_word_list;
/* Is the word, in any ASCII case, one of them? */
bool hm_word_listed(hm_str word, const hm_word_list *l);
extern const hm_word_list hm_negations; /* not, no, never ... */

/* The number of words of a leading subject that means the user or the team, or 0. *possessive:
 * "my", "the user's". */
size_t hm_words_in_subject(const hm_words *w, bool *possessive);

/* --- forms ----------------------------------------------------------------------------------- */

/* What a grammar found; all empty if nothing. */
typedef struct {
  hm_str slot;   /* folded */
  hm_str value;  /* slice of the content */
  hm_str object; /* the content without verb, subject and separator; may be set alone */
  bool denied;   /* "does not prefer dark mode" */
} hm_memory_parts;

/* Each reads content, trimmed and without its last full stop. */
void hm_memory_read_identity(hm_memory_parts *out, hm_str content, hm_arena *a);
void hm_memory_read_preference(hm_memory_parts *out, hm_str content, hm_arena *a);
void hm_memory_read_knowledge(hm_memory_parts *out, hm_str content, hm_arena *a);
/* Who prefers something, by name or as "the" one of a role: "Mei Tanaka", "head chef". Empty: no
 * such subject. A slice of content. */
hm_str hm_memory_preference_subject(hm_str content);
/* A sentence with one of these words does not fit the grammar. */
extern const hm_word_list hm_knowledge_refused, hm_preference_refused;
#endif
