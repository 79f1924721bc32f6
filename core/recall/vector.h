/* Vectors of texts without a model: hashes of words, their parts and their neighbours.
 *
 * A text's features are the stems of its words, the runs of three and four characters of each word,
 * and each pair of consecutive content words. A feature's hash selects one of the HM_VECTOR_DIMS
 * numbers and a sign; function words count a tenth. A vector is stored as bytes, scaled to its
 * largest number. So two vectors compare equally on every machine, and 10^5 texts take 51 MB.
 * Numbers and identifiers with a digit have no parts: 441 is not like 414.
 *
 * The corpus weighs only the words of a question: each counts by the square of its weight, which is
 * higher the fewer texts have its stem. The vector of a row depends on its text only, so changes of
 * other rows do not affect it.
 *
 * Deterministic. Cost: about 4 microseconds per text of 20 words on one core; half of it runs on
 * all cores. */
#ifndef HM_VECTOR_H
#define HM_VECTOR_H
#include "core/base/str.h"
#include "core/recall/terms.h"

enum { HM_VECTOR_DIMS = 512 };
typedef struct {
  int8_t v[HM_VECTOR_DIMS];
} hm_vector;

/* The stems of many texts, and which texts have each. */
typedef struct hm_corpus hm_corpus;

/* The use of a vector. For recall, hashed pairs of words are mostly noise, except pairs that a sign
 * joins to one identifier ("TYPE_CHECKING", "3.12"). For similarity, they distinguish "A calls B"
 * from "B calls A". */
typedef enum { HM_VECTOR_RECALL, HM_VECTOR_SIMILARITY } hm_vector_use;

/* The corpus of these texts, in a, and the vector of each (hm_vector_from_text for recall). */
hm_corpus *hm_corpus_new(const hm_str *texts, size_t n, int threads, hm_arena *a,
                         hm_vector *vectors);
/* The number of its texts; of all their words; of those of one. */
size_t hm_corpus_text_count(const hm_corpus *c);
uint64_t hm_corpus_word_count(const hm_corpus *c);
size_t hm_corpus_text_length(const hm_corpus *c, size_t text);
/* The vector of a text. Does not depend on c, which is only a cache of words. */
void hm_vector_from_text(const hm_corpus *c, hm_str text, hm_vector_use use, hm_arena *scratch,
                         hm_vector *out);
/* The vector of a question, with the weights of the corpus. */
void hm_vector_from_question(const hm_corpus *c, hm_str text, hm_arena *scratch, hm_vector *out);
/* Cosine, from -1 to 1; 0 if one has no words. */
double hm_vector_cosine(const hm_vector *a, const hm_vector *b);

/* A word in the corpus. stem: the number of its stem; UINT32_MAX if no text has it. */
typedef struct {
  uint32_t stem;
  uint64_t hash;
  bool function;
} hm_corpus_word;
hm_corpus_word hm_corpus_find_word(const hm_corpus *c, hm_str word, hm_arena *scratch);
/* A text that has a stem, and how often. */
typedef struct {
  uint32_t text, times;
} hm_corpus_posting;
/* The texts with a stem, ascending; returns their number: 0 for UINT32_MAX. */
size_t hm_corpus_texts_with_stem(const hm_corpus *c, uint32_t stem, const hm_corpus_posting **out);

/* --- one against all ------------------------------------------------------------------- */

/* An hm_matrix has the vectors of many rows, in a layout for comparing one question with all of
 * them.
 *
 * The rows are split into blocks of HM_MATRIX_BLOCK; a block has the first number of all its rows,
 * then the second of all, and so on. A question of a few words is zero in most numbers, and those
 * columns are not read. Numbers are bytes and products exact, so results are the same on every
 * machine. Cost: for 10^5 rows and a question with 150 numbers that are not zero, 15 MB read and
 * about 2 ms on one core. */

enum { HM_MATRIX_BLOCK = 1024, HM_MATRIX_DIMS_MAX = 8192 };

typedef struct {
  size_t n; /* rows */
  int dims; /* numbers of a vector */
  int8_t *v;
  double *lengths; /* of each row's vector; 0 if it has none */
} hm_matrix;

/* n rows of zeros, in a. */
hm_matrix *hm_matrix_new(size_t n, int dims, hm_arena *a);
/* v: dims bytes, copied. Different blocks may be filled by different threads. */
void hm_matrix_set(hm_matrix *m, size_t row, const int8_t *v);
/* The products of a vector with the rows of one block, to out[0] to out[HM_MATRIX_BLOCK - 1];
 * missing rows have 0. */
void hm_matrix_products(const hm_matrix *m, size_t block, const int8_t *v, int32_t *out);
/* The length of a vector; its cosine with a row from their product, 0 if one has length 0. */
double hm_matrix_length(const int8_t *v, int dims);
double hm_matrix_cosine(const hm_matrix *m, size_t row, int32_t product, double length);
/* Scales numbers to bytes by the largest; all zero if all are zero. */
void hm_matrix_pack(const double *numbers, int dims, int8_t *out);
#endif
