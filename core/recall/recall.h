/* Recall: the rows that answer a question, best first. Specification: houkai, "Hybrid retrieval".
 *
 *   score = likeness * cosine + lexical * bm25 + recency * exp(-decay * age) + importance * own
 *
 * cosine: of the vectors (vector.h). bm25: k1 1.2, b 0.75, by the content words of the question,
 * with the corpus' counts, divided by the highest of the pool. age: days from last_accessed_at,
 * else created_at, to the clock, at least 0; a row without either has recency 0. own: the row's
 * importance, 0 to 1; 0.5 if it has none. In mode likeness the score is only the cosine.
 *
 * A floor: a row counts whose cosine is at least HM_RECALL_NEAR, or that has enough of the words
 * (query.c). Where no row counts, nothing fits. A model of another program has distances of its
 * own, and no floor.
 *
 * The pool has the k * overfetch rows with the highest cosine and, in mode hybrid, as many with the
 * highest bm25. It has only rows that pass the filters. A superseded or graduated row is replaced
 * by the last of its successors. The order is total: score, importance, created_at (newest first),
 * then layer and id.
 *
 * Pure: snapshot in, hits out. Cost: the products of the question with all rows (vector.h), and the
 * rows that have its words. */
#ifndef HM_RECALL_H
#define HM_RECALL_H
#include "core/base/err.h"
#include "core/value/rules.h"
#include "core/recall/answer_kind.h"
#include "core/recall/vector.h"
#include "core/store/store.h"

#define HM_RECALL_NEAR 0.42
enum { HM_RECALL_K = 5, HM_RECALL_K_MAX = 1000, HM_RECALL_OVERFETCH = 4, HM_OVERFETCH_MAX = 100 };

typedef struct {
  double lexical, likeness, recency, importance;
} hm_recall_weights;

typedef struct {
  size_t k, overfetch;
  bool likeness; /* mode likeness, else hybrid */
  hm_recall_weights weights;
  double decay;            /* per day */
  hm_str type, tag;        /* empty: any; compared folded (hm_text_fold_name) */
  uint32_t project;        /* HM_MAP_NONE: any */
  double min_importance;   /* 0: any */
  bool clocked, dated;     /* clock, as_of are given */
  hm_time clock;           /* for ages; else the snapshot's now */
  hm_time as_of;           /* only rows written by then that held then; else the clock */
  bool include_superseded; /* also return superseded rows */
  bool below_floor;        /* also what does not fit */
  hm_str true_at;          /* only rows that may have held at this time, of dates or of the row's
                            * world, whenever they were written; empty: now, or as_of */
  hm_str asked_at;         /* the same for relations alone: a time that the question names */
} hm_recall_options;

/* k 5, overfetch 4, hybrid, weights 0.20, 0.55, 0.15, 0.10, decay 0.1, no filter. */
hm_recall_options hm_recall_default_options(void);
/* HM_E_INPUT with field: k or overfetch out of range, a weight below 0 or over 1000, all weights 0,
 * an importance outside 0 to 1. */
int hm_recall_options_check(const hm_recall_options *opt, hm_err *err);
/* Parses "lexical=0.3,recency=0" into w; other weights stay. "semantic" is the old name of
 * likeness. HM_E_INPUT with field "weights". */
int hm_recall_weights_parse(hm_str text, hm_recall_weights *w, hm_err *err);

/* The text of a row for recall: a memory's text; an entity's name, description and values; a
 * state's key and value; of a relation its type and values. In a, or the row's. */
hm_str hm_recall_row_text(const hm_row *r, hm_arena *a);

/* The rows of a snapshot, ready for questions. */
typedef struct hm_recall_index hm_recall_index;
/* snap must have details and outlive it. All in a. */
hm_recall_index *hm_recall_index_new(const hm_snapshot *snap, const hm_rules *rules, int threads,
                                     hm_arena *a);
/* Reads again when memories were used last, from the open transaction of s: the one thing that may
 * change while a snapshot holds. */
int hm_recall_read_uses(hm_recall_index *x, hm_store *s, hm_err *err);
const hm_snapshot *hm_recall_snapshot(const hm_recall_index *x);
/* The number of rows. */
size_t hm_recall_text_count(const hm_recall_index *x);
/* The text of a row; of a relation with the names of both ends and its bounds. */
hm_str hm_recall_text(const hm_recall_index *x, uint32_t row);
/* Is it a time, of dates or of some world? */
bool hm_recall_is_time(const hm_recall_index *x, hm_str text, hm_arena *scratch);
/* The time that a question names: a year behind "in", "year", "around", "since", "until" or
 * "during", also "March 2021", "3 March 2021"; or empty. */
hm_str hm_recall_time_asked(hm_str query);
/* Has the row a status with which it may be an answer? */
bool hm_recall_may_answer(const hm_recall_index *x, uint32_t row);

/* A word of a question. */
typedef struct {
  hm_corpus_word word;
  hm_str start;                  /* its first letters */
  const hm_corpus_posting *with; /* the rows that have it, in their text or their project's name */
  size_t n;
  const hm_corpus_posting *family; /* those, and rows that have a word of its family */
  size_t n_family;
  double rarity, worth; /* worth: what it counts for the floor */
  bool named;           /* a name: of a question an answer has one of them */
  bool key, noun, must; /* what an answer is about (hm_answer_wanted) */
} hm_recall_word;

/* A question, read once. */
typedef struct {
  const hm_matrix *matrix; /* the rows' vectors; of the same model: */
  const int8_t *asked;     /* the question's, and its length */
  double length;
  hm_vector vector; /* of the built-in model */
  hm_recall_word *words;
  size_t n;     /* content words, distinct by stem, rarest first; function words if there are no
                 * others */
  double share; /* of what all words are worth, that a row which fits has */
  bool asks;    /* it is no list of words */
  bool states;  /* it has words of grammar */
  hm_str text;
  hm_answer_wanted wanted; /* what a row that fits has */
} hm_recall_query;
/* Parses a question, with the built-in model. All in a. */
void hm_recall_query_parse(const hm_recall_index *x, hm_str text, hm_arena *a,
                           hm_recall_query *out);
/* Switches to another model: its vectors of all rows and of the question, borrowed. */
void hm_recall_query_set_vectors(hm_recall_query *q, const hm_matrix *rows, const int8_t *vector);
/* The row that replaces this one under opt (perhaps itself), or HM_MAP_NONE if filtered out. */
uint32_t hm_recall_current_row(const hm_recall_index *x, uint32_t row, const hm_recall_options *opt,
                               hm_arena *scratch);

typedef struct {
  uint32_t row;
  double score, likeness, lexical, recency, importance;
  double share; /* of what is asked for, by the words of its text: query.c */
} hm_recall_hit;

/* Returns at most k hits, in a. */
size_t hm_recall_search(const hm_recall_index *x, const hm_recall_query *q,
                        const hm_recall_options *opt, int threads, hm_arena *a,
                        hm_recall_hit **out);

/* --- shared by the files of the folder --------------------------------------------------- */

typedef struct {
  double importance;
  bool replaced;                     /* another row may replace it (hm_recall_current_row) */
  hm_time from, until;               /* when it may hold */
  hm_time created, used, superseded; /* HM_TIME_MIN: not known */
} recall_row;

/* A word in the name of a project. */
typedef struct {
  uint64_t hash;
  uint32_t project;
} hm_recall_name;

struct hm_recall_index {
  const hm_snapshot *snap;
  const hm_rules *rules;
  hm_corpus *corpus;
  size_t n;
  hm_str *texts;
  hm_matrix *matrix; /* their vectors */
  recall_row *rows;
  hm_recall_name *names; /* by word */
  size_t n_names;
};

/* Okapi BM25 of each row; the counts are those of the corpus. In a. */
double *hm_recall_word_scores(const hm_recall_index *x, const hm_recall_query *q, hm_arena *a);
/* How much each row has of the words in its text, 0 to 1; and whether what it has is enough, also
 * by its project's name. In a. */
void hm_recall_find_fitting(const hm_recall_index *x, const hm_recall_query *q, hm_arena *a,
                            double **shares, bool **fits);
#endif
