/* A question to a store: its rows are read once, asked as often as one likes.
 *
 * Nothing here writes, but hm_recaller_update_word_index, and that only the index of words
 * (core/store/recall_tables.h). Rows that the index does not know are looked through one by one, so
 * every answer is that of the store as it is, with any index and with none. */
#ifndef HM_ANSWER_H
#define HM_ANSWER_H
#include "core/base/json.h"
#include "core/recall/embed.h"
#include "core/recall/recall.h"
#include "core/store/change_log.h"
#include "core/store/recall_tables.h"
#include "core/store/store.h"

typedef struct hm_recaller hm_recaller;

/* Reads the store, in its open transaction or one of its own. Free with hm_recaller_free. */
int hm_recaller_read(hm_store *s, const hm_rules *rules, int threads, hm_recaller **out,
                     hm_err *err);
void hm_recaller_free(hm_recaller *r);
/* Brings the rows to what the store has in its open transaction: reads those that the change log
 * names since the last call, or since the first reading, if that was in an open transaction, too.
 * *current false: the log cannot tell, or it names too much; read anew. Then, and after an error, r
 * is good for nothing but hm_recaller_free. What is asked afterwards is answered as by rows that
 * were read now. */
int hm_recaller_update(hm_recaller *r, hm_store *s, bool *current, hm_err *err);
/* Reads what the index of words has, in the transaction of s in which it is asked next; after the
 * first time only what is new. */
int hm_recaller_read_word_index(hm_recaller *r, hm_store *s, hm_err *err);
/* How many rows the index should take in: 0 when so few are missing that it is not worth a write,
 * or when the store is of a version that has none. */
size_t hm_recaller_unindexed_rows(const hm_recaller *r);
/* Takes them in, in a write transaction of its own; then hm_recaller_read_word_index again. A row
 * that the store changed meanwhile is taken in as r has it, and is one that the index does not
 * know. */
int hm_recaller_update_word_index(hm_recaller *r, hm_store *writer, hm_err *err);
const hm_recall_index *hm_recaller_rows(const hm_recaller *r);
/* What it cost so far: rows read of the store, lines read of the index of words. */
typedef struct { size_t rows, documents; } hm_recaller_cost;
hm_recaller_cost hm_recaller_cost_so_far(const hm_recaller *r);

/* Hits that a link leads to. */
typedef struct {
  hm_str rels; /* names, separated by commas, followed as they say: `refines` to what a hit refines,
                  `refined_by` to what refines it; empty: none, "*": all, both ways */
  int depth, cap;
} hm_recall_expand;
enum { HM_EXPAND_DEPTH = 1, HM_EXPAND_DEPTH_MAX = 10 };
enum { HM_EXPAND_CAP = 5, HM_EXPAND_CAP_MAX = 1000 };
/* What stands as the score of such a hit: it did not earn one. */
#define HM_EXPAND_SCORE 0.7

/* What a person gives, as texts; an empty one is not given. */
typedef struct {
  hm_str k, mode, type, tag, project, min_importance, as_of, clock, weights, overfetch, expand,
      depth, cap;
  bool include_superseded;
} hm_recall_option_texts;
/* Texts are borrowed. Errors: those of hm_recall_options_check; HM_E_INPUT with field: no number,
 * no time, no mode; HM_E_UNKNOWN with field "project". */
int hm_recall_options_parse(const hm_recaller *r, const hm_recall_option_texts *t, hm_arena *a,
                            hm_recall_options *opt, hm_recall_expand *expand, hm_err *err);

/* reverse: the link leads to `from`. */
typedef struct { uint32_t row, from; hm_str rel; int depth; bool reverse; } hm_recall_neighbor;

/* What hangs on a row: the ids of its open conflicts, by slot key and id; links that begin or end
 * at it, by (src, dst, rel), one `supersedes` to each row whose place another took among them. */
typedef struct {
  hm_str *conflicts; size_t n_conflicts;
  hm_link *links; size_t n_links;
} hm_recall_context;

typedef struct {
  hm_str query;
  hm_str vectors;              /* "builtin/512": the model, and how long its vectors are */
  hm_str note;                 /* why they are not those that somebody expects; or empty */
  hm_recall_options opt;
  hm_recall_hit *hits; size_t n;
  hm_recall_neighbor *neighbors; size_t n_neighbors;
  hm_recall_context *hit_ties, *neighbor_ties;
} hm_recall_answer;

/* opt is checked. model: NULL: the built-in vectors. All in a. out->note is empty. Errors:
 * HM_E_INPUT with field "query": no word in it; and those of hm_recall_options_check. */
int hm_recaller_ask(hm_recaller *r, hm_store *s, hm_str query, const hm_recall_options *opt,
                    const hm_recall_expand *expand, const hm_recall_model *model, hm_arena *a,
                    hm_recall_answer *out, hm_err *err);

/* One compact JSON object. */
void hm_recall_json(const hm_recaller *r, const hm_recall_answer *x, hm_arena *a, hm_buf *out);

/* --- between answer.c and answer_rows.c ------------------------------------------------ */

/* What a recaller has in memory. */
struct hm_recaller {
  hm_arena *a, *looked;        /* looked: of documents */
  hm_snapshot *snap;           /* with room: answer_rows.c */
  hm_recall_index *index;
  uint64_t *hashes;            /* of the texts */
  hm_fts_documents documents;
  uint32_t *changed; size_t n_changed;   /* rows, since documents were looked at */
  bool has_looked;
  size_t free_text, free_relation;       /* the next rows that are free */
  size_t room, taken;          /* changed rows that there is room for; that were taken in */
  uint32_t *rows_of;           /* beside the projects: how many rows name each */
  bool stamped;                /* the change log tells of every later change: */
  hm_log_stamp stamp;          /* its last line when the rows were read */
  int threads;
  size_t rows_read;
};
#endif
