/* What recall answers once it is known how the rows stand: their order, and lines for an agent. */
#ifndef HM_RECALLED_H
#define HM_RECALLED_H
#include "core/recall/answer.h"
#include "core/sweep/standing.h"

/* Puts each hit that rows of higher trust contradict behind the last of these that is a hit, and an
 * entity of which nothing but its name is recorded behind the first hit that is a relation of it,
 * unless the question is its name. s: how all of its rows stand. */
void hm_recalled_order(const hm_recaller *r, const hm_standings *s, hm_recall_answer *x,
                       hm_arena *a);

enum { HM_CONTEXT_TOKENS = 300, HM_CONTEXT_TOKENS_MAX = 8000, HM_CONTEXT_HITS = 40 };

/* The facts that somebody should have for a task. */
typedef struct {
  hm_str *lines, *refs; /* a row each: "the text (memory:m1, 2026-04-02)"; what other sides say of
                         * a disputed one stands in its line, and they have none of their own */
  size_t n, left;       /* left: rows that did not fit */
  size_t tokens;        /* of the lines, four bytes each */
} hm_context;
/* As many lines as fit into so many tokens, best first, in a. */
void hm_recalled_context(const hm_recaller *r, const hm_standings *s, const hm_recall_answer *x,
                         size_t tokens, hm_arena *a, hm_context *out);
/* One compact JSON object. */
void hm_context_json(hm_str task, const hm_context *c, hm_buf *out);
#endif
