/* Words of texts and the index of them: shared by the files of alike.h. Not for others. */
#ifndef HM_ALIKE_IMPL_H
#define HM_ALIKE_IMPL_H
#include "core/recall/alike.h"
#include "core/recall/terms.h"

enum { HM_ALIKE_WORDS = 256 /* of a text are compared */ };

/* The content words of a text, one after the other. */
typedef struct {
  hm_str text;
  size_t at;
  bool ascii;
  bool named, small; /* of the last word: has it a capital within a sentence, or none? */
  hm_terms terms;
  char room[HM_TERM_MAX];
  hm_str word; /* the last one, until the next */
} hm_alike_words;
hm_alike_words hm_alike_words_of(hm_str text, hm_arena *scratch);
/* The next one's hash; 0: the end. */
uint32_t hm_alike_next_hash(hm_alike_words *w);
/* The hashes of a text, sorted, each once; of at most `most` of its first words. */
size_t hm_alike_hashes(hm_str text, uint32_t *out, size_t most, hm_arena *scratch);

/* The hash of a word's stem, never 0: its first bytes without an ending, of a number or a name with
 * a digit all. */
uint32_t hm_alike_stem_hash(hm_str word);

/* A word by which rows are found, and for which of what is asked it stands. */
typedef struct {
  uint32_t hash;
  uint8_t of;
} hm_alike_word;
/* Words that mean nearly the same as these; at most `most`. */
size_t hm_alike_synonyms(const uint32_t *asked, size_t n, hm_alike_word *out, size_t most);

/* Words that mean nearly the same as this one, and itself; at most `most`. */
size_t hm_alike_words_like(hm_str word, hm_str *out, size_t most);

/* The kinds of values that a text has, as bits (alike_values.c). */
unsigned hm_alike_kinds(hm_str text, hm_arena *scratch);
/* The same of one word, folded, by itself. */
unsigned hm_alike_kind(hm_str word);

/* A value in a text, between two bounds. */
typedef struct {
  const char *kind; /* "time", "duration", "number", ... */
  double first, last;
  hm_str said;
} hm_alike_value;
enum { HM_ALIKE_VALUES = 32 };
typedef struct {
  hm_alike_value v[HM_ALIKE_VALUES];
  size_t n;
  hm_str subject; /* "tour" of "Tour 4 leaves at five", in small letters; or empty */
  double subject_number;
} hm_alike_values;
/* In a; borrows text. */
void hm_alike_values_read(hm_str text, hm_arena *a, hm_alike_values *out);

/* The text that a row is compared by; of an entity its properties as they are written. */
hm_str hm_alike_raw_text(const hm_row *r, hm_arena *a);
bool hm_alike_is_compared(const hm_row *r);

struct hm_alike_index {
  int bits;
  uint32_t *first; /* of each bucket, and the end */
  uint32_t *rows;
  uint16_t *tags; /* of each row in its bucket: more of the word's hash */
};
uint16_t hm_alike_tag(uint32_t hash);
#endif
