/* Rows that are about the same thing as a row or a text, and that no rule compared with it: for who
 * can decide whether they contradict each other, a person or an agent.
 *
 * Candidates share rare words with it, each word by its first letters without an ending, so that
 * "retained" meets "retention" and "dosed" "dosing", or have others that mean nearly the same
 * (alike_words.c). Numbers are no words. The best of them are ordered by likeness: how much of what
 * is asked for their texts have, by share and by worth, the words weighed by how rare they are; the
 * cosine of the vectors (vector.h); and whether both have values of one kind, such as a time of day
 * (alike_kinds.c). A name is no common word there. A floor leaves out what shares little.
 *
 * Pure. Cost without an index: one pass over the texts of the snapshot, about 0.5 microseconds a
 * row; with one, the rows that have the rarest words. */
#ifndef HM_ALIKE_H
#define HM_ALIKE_H
#include "core/base/json.h"
#include "core/claim/claim.h"
#include "core/recall/vector.h"

enum {
  HM_ALIKE_MOST = 8,
  HM_ALIKE_SHOWN = 160,
  HM_ALIKE_READ = 8192 /* bytes of a text beside another; the rest would be read for each */
};

/* Which rows have which words. In a; borrows nothing. Cost: one pass over the texts. */
typedef struct hm_alike_index hm_alike_index;
hm_alike_index *hm_alike_index_new(const hm_snapshot *snap, int threads, hm_arena *a);

/* Of each row how much of its words it shares with a few others, 0 to 1, in a: those with much are
 * most likely to have a row that is alike. Cost: one pass over the index. */
float *hm_alike_shared(const hm_alike_index *x, size_t n_rows, hm_arena *a);

/* The vectors of its rows, in a, for many questions: 512 bytes a row. */
hm_vector *hm_alike_vectors_new(const hm_snapshot *snap, int threads, hm_arena *a);

/* Where to look. */
typedef struct {
  const hm_snapshot *snap;     /* with details */
  const hm_claims *claims;     /* of its active rows */
  const hm_alike_index *index; /* of its rows; NULL: they are read once */
  const hm_vector *vectors;    /* of its rows; NULL: made where they are needed */
  int threads;
} hm_alike_source;

/* What to look for. */
typedef struct {
  hm_str text;
  hm_str project; /* its id: only rows of it and of the global one */
  bool any_project;
  hm_str ref; /* the row that says it, "kind:id"; empty: none */
  /* Hashes of the slots in which it claims: rows that claim there were compared. */
  const uint64_t *slots;
  size_t n_slots;
  bool of_many; /* one of many questions, which all together must end: fewer candidates */
  bool nearest; /* the nearest, however little they share */
  /* Rows that are left out for another reason; NULL: none. */
  bool (*is_known)(const void *ctx, hm_str ref);
  const void *ctx;
} hm_alike_question;

/* What differs in what two texts say. */
typedef struct {
  const char *kind;   /* of the values ("duration", "name"), "negation", "opposite"; "value": the
                         text says another one of the state's key. NULL: none */
  hm_str here, there; /* the values; or empty */
} hm_alike_difference;

typedef struct {
  uint32_t row;                   /* of the snapshot */
  hm_str ref, text, source, date; /* text: cut to HM_ALIKE_SHOWN bytes; source, date: or empty */
  double likeness;                /* 0 to 1 */
  hm_alike_difference differs;
} hm_alike_row;

/* The question about a row of a snapshot with its claims, in a. */
void hm_alike_question_of_row(const hm_snapshot *snap, const hm_claims *claims, uint32_t row,
                              hm_arena *a, hm_alike_question *out);
/* At most HM_ALIKE_MOST rows, nearest first, in a. */
size_t hm_alike_find(const hm_alike_source *from, const hm_alike_question *q, hm_arena *a,
                     hm_alike_row **out);
/* Nothing of two texts that say the same of two things. In a. */
hm_alike_difference hm_alike_difference_of(hm_str x, hm_str y, hm_arena *a);

/* Who says a row: of a line of a document that line, else its agent, else its first source, or
 * empty. In a or the snapshot. */
hm_str hm_alike_said_by(const hm_snapshot *snap, uint32_t row, hm_arena *a);
/* What to do with such rows, one sentence. */
extern const char hm_alike_advice[];
/* "duration: 6 years | 10 years"; "wording" where nothing differs. In a. */
hm_str hm_alike_difference_words(hm_alike_difference d, hm_arena *a);
/* Appends "alike": [{"row", "text", "source", "date", "differs"}] and, where there is one,
 * "alike_advice". Texts are cut further where all would be longer than HM_ALIKE_BYTES. */
enum { HM_ALIKE_BYTES = 1400 };
void hm_alike_json(hm_jw *j, const hm_alike_row *v, size_t n, hm_arena *a);
#endif
