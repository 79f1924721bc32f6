/* Vectors of texts that need no model: words, their parts and their neighbours, hashed.
 *
 * A text's features are its words by their stems, the runs of three and four characters of each
 * word, and each two content words that follow each other. A feature's hash says in which of the
 * HM_VECTOR_DIMS numbers it counts, and with which sign; words of grammar count a tenth. A vector
 * is kept as bytes: its numbers in proportion to the largest. So two vectors compare exactly alike
 * on every machine, and 10^5 texts take 51 MB. Numbers and identifiers with a digit have no parts:
 * 441 is not like 414.
 *
 * The corpus weighs the words of a question alone: each counts by the square of its weight, which
 * is the higher the fewer texts have its stem. The vector of a row is a function of its text, so no
 * other row's change touches it.
 *
 * Everything is a function of the texts. Cost: about 4 microseconds a text of 20 words on one core,
 * of which half runs on all cores. */
#ifndef HM_VECTOR_H
#define HM_VECTOR_H
#include "core/base/str.h"
#include "core/recall/terms.h"

enum { HM_VECTOR_DIMS = 512 };
typedef struct { int8_t v[HM_VECTOR_DIMS]; } hm_vector;

/* What texts share: the stems, and how many texts have each. */
typedef struct hm_corpus hm_corpus;

/* For what: where questions are asked, hashed pairs of words are mostly noise, but for those that
 * a sign joins to one identifier ("TYPE_CHECKING", "3.12"); where two texts are compared they tell
 * "A calls B" from "B calls A". */
typedef enum { HM_VECTOR_RECALL, HM_VECTOR_SIMILARITY } hm_vector_use;

/* The corpus of these texts, in a, and the vector of each (hm_vector_from_text for recall). */
hm_corpus *hm_corpus_new(const hm_str *texts, size_t n, int threads, hm_arena *a,
                         hm_vector *vectors);
/* One more text; one less, which it has. What it says afterwards depends on the texts that it has,
 * not on the way there. Cost: the words of the text; words that it met once stay in memory. */
void hm_corpus_add(hm_corpus *c, hm_str text, hm_arena *scratch);
void hm_corpus_remove(hm_corpus *c, hm_str text, hm_arena *scratch);
/* How many texts it has; the words of them all. */
size_t hm_corpus_text_count(const hm_corpus *c);
uint64_t hm_corpus_word_count(const hm_corpus *c);
/* The vector of a text, whatever the corpus has: it only knows words already. */
void hm_vector_from_text(const hm_corpus *c, hm_str text, hm_vector_use use, hm_arena *scratch,
                         hm_vector *out);
/* The vector of what is asked: by the weights of the corpus. */
void hm_vector_from_question(const hm_corpus *c, hm_str text, hm_arena *scratch, hm_vector *out);
/* Cosine, from -1 to 1; 0 where one has no words. */
double hm_vector_cosine(const hm_vector *a, const hm_vector *b);

/* A word as the corpus knows it. stem: its number, UINT32_MAX of a stem that no text has. */
typedef struct { uint32_t stem; uint64_t hash; bool function; } hm_corpus_word;
hm_corpus_word hm_corpus_find_word(const hm_corpus *c, hm_str word, hm_arena *scratch);
/* How many texts have a stem: 0 for UINT32_MAX. */
uint32_t hm_corpus_texts_with_stem(const hm_corpus *c, uint32_t stem);

/* --- one against all ------------------------------------------------------------------- */

/* An hm_matrix has the vectors of many rows, laid out so that one question is compared with all of
 * them.
 *
 * The rows are cut into blocks of HM_MATRIX_BLOCK; in a block the first number of all its rows
 * comes first, then the second of all, and so on. A question of a few words is zero in most of its
 * numbers, and what it is zero in is not read at all. Numbers are bytes, products exact: the same
 * on every machine. Cost: for 10^5 rows and a question with 150 numbers that are not zero, 15 MB
 * read and about 2 ms on one core. */

enum { HM_MATRIX_BLOCK = 1024, HM_MATRIX_DIMS_MAX = 8192 };

typedef struct {
  size_t n;                    /* rows */
  int dims;                    /* numbers of a vector */
  int8_t *v;
  double *lengths;             /* of each row's vector; 0 of one that has none */
} hm_matrix;

/* n rows of zeros, in a. */
hm_matrix *hm_matrix_new(size_t n, int dims, hm_arena *a);
/* v: dims bytes, copied. Different blocks may be filled by different threads. */
void hm_matrix_set(hm_matrix *m, size_t row, const int8_t *v);
/* The products of a vector with the rows of one block, into out[0] to out[HM_MATRIX_BLOCK - 1];
 * rows that are not there have 0. */
void hm_matrix_products(const hm_matrix *m, size_t block, const int8_t *v, int32_t *out);
/* The length of a vector; its cosine with a row by their product, 0 where one has no length. */
double hm_matrix_length(const int8_t *v, int dims);
double hm_matrix_cosine(const hm_matrix *m, size_t row, int32_t product, double length);
/* Numbers to bytes, in proportion to the largest; all zero where there is none. */
void hm_matrix_pack(const double *numbers, int dims, int8_t *out);
#endif
