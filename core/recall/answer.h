/* Asks questions of the rows of a snapshot: reads them once, for any number of questions. Writes
 * nothing. */
#ifndef HM_RECALL_ANSWER_H
#define HM_RECALL_ANSWER_H
#include "core/base/json.h"
#include "core/recall/embed.h"
#include "core/recall/recall.h"
#include "core/store/store.h"

typedef struct hm_recaller hm_recaller;

/* Reads the rows of snap, which needs details and must outlive it. Free it. Cost: about 5
 * microseconds and 1 KB a row. */
hm_recaller *hm_recaller_new(const hm_snapshot *snap, const hm_rules *rules, int threads);
void hm_recaller_free(hm_recaller *r); /* NULL is allowed */
hm_recall_index *hm_recaller_rows(const hm_recaller *r);

/* Also returns rows that links of hits lead to. */
typedef struct {
  hm_str rels; /* rels, separated by commas, each followed in its direction: `refines` to what a hit
                * refines, `refined_by` to what refines it; empty: none; "*": all, both ways */
  int depth, cap;
} hm_recall_expand;
enum { HM_EXPAND_DEPTH = 1, HM_EXPAND_DEPTH_MAX = 10 };
enum { HM_EXPAND_CAP = 5, HM_EXPAND_CAP_MAX = 1000 };
/* The fixed score of such a row. */
#define HM_EXPAND_SCORE 0.7

/* The options as texts; empty: not given. */
typedef struct {
  hm_str k, mode, type, tag, project, min_importance, as_of, clock, weights, overfetch, expand,
      depth, cap, true_at;
  bool include_superseded, below_floor;
} hm_recall_option_texts;
/* Parses them; borrows texts. Errors: those of hm_recall_options_check; HM_E_INPUT with field: an
 * invalid number, time or mode; HM_E_UNKNOWN with field "project". */
int hm_recall_options_parse(const hm_recall_index *x, const hm_recall_option_texts *t, hm_arena *a,
                            hm_recall_options *opt, hm_recall_expand *expand, hm_err *err);

/* reverse: the link leads to `from`. */
typedef struct {
  uint32_t row, from;
  hm_str rel;
  int depth;
  bool reverse;
} hm_recall_neighbor;

/* The context of a row: links from or to it, by (src, dst, rel), including one `supersedes` for
 * each superseded row. */
typedef struct {
  hm_link *links;
  size_t n_links;
} hm_recall_context;

typedef struct {
  hm_str query;
  hm_str vectors; /* "builtin/512": the model, and the length of its vectors */
  hm_str note;    /* why not those of the configured model; or empty */
  bool pending;   /* the sweep after the last writes is still to come */
  hm_recall_options opt;
  hm_recall_hit *hits;
  size_t n;
  hm_recall_neighbor *neighbors;
  size_t n_neighbors;
  hm_recall_context *hit_ties, *neighbor_ties;
} hm_recall_answer;

/* Answers a question; checks opt. s: the store, in an open transaction, in which links are
 * followed. model NULL: uses the built-in vectors. All in a. Leaves out->note empty. Errors:
 * HM_E_INPUT with field "query": it has no word; and those of hm_recall_options_check. */
int hm_recaller_ask(const hm_recaller *r, hm_store *s, hm_str query, const hm_recall_options *opt,
                    const hm_recall_expand *expand, const hm_recall_model *model, hm_arena *a,
                    hm_recall_answer *out, hm_err *err);

/* The same of a task, a text of any length: the rows that fit it or one of its first sentences, the
 * best of each first. A model is asked for the whole alone. core/recall/task.c */
int hm_recaller_ask_task(const hm_recaller *r, hm_store *s, hm_str task,
                         const hm_recall_options *opt, const hm_recall_model *model, hm_arena *a,
                         hm_recall_answer *out, hm_err *err);

/* The rows of an answer, "kind:id": hits, then neighbors; *n of them, in a. */
hm_str *hm_recall_refs(const hm_recaller *r, const hm_recall_answer *x, hm_arena *a, size_t *n);
/* One compact JSON object. tell: what else is known of each row. */
void hm_recall_json(const hm_recaller *r, const hm_recall_answer *x, hm_row_tell *tell,
                    const void *ctx, hm_arena *a, hm_buf *out);
#endif
