/* Lines of documents that somebody settled where they stand (core/notes/notes.h): such a comment is
 * a verdict on the values that contradict the line. */
#ifndef HM_SETTLED_LINES_H
#define HM_SETTLED_LINES_H
#include "core/detect/conflict.h"
#include "core/notes/notes.h"
#include "core/review/write_check.h"

typedef struct {
  hm_str ref;  /* "memory:ID" */
  hm_str note; /* "n/GUIDE.md: until June" */
  const hm_notes_settled *line;
} hm_settled_line;

/* Some of them, found by their rows. */
typedef struct {
  const hm_settled_line *v;
  size_t n;
  hm_map at; /* ref -> index of its first line */
} hm_settled_lines;

/* Borrows v; the index lives in a. */
void hm_settled_lines_index(hm_settled_lines *l, const hm_settled_line *v, size_t n, hm_arena *a);
/* Sets of[i], with room for d->n, to the line that party i is, or to NULL. Is one of them such a
 * line? */
bool hm_settled_lines_of(const hm_settled_lines *l, const hm_snapshot *snap, const hm_dispute *d,
                         const hm_settled_line **of, hm_arena *scratch);
/* Is the line settled against this folded name of a value, or against all? */
bool hm_settled_line_names(const hm_settled_line *line, hm_str value, hm_arena *a);
/* A dispute of more parties is settled by a verdict alone: each pair of them is looked at. */
enum { HM_SETTLED_PARTIES = 1000 };
/* Is each pair of parties that contradict each other covered: is one of the two such a line (of)
 * that is settled against the value of the other? knows: asked, unless it is NULL, whether the
 * line, which claims `own`, may cover the other claim. open: NULL, or room for d->n: whether the
 * party contradicts one against which it is not covered. Cost: pairs of parties. */
bool hm_settled_lines_cover(const hm_snapshot *snap, const hm_dispute *d, const hm_rules *rules,
                            const hm_settled_line *const *of,
                            bool (*knows)(void *ctx, const hm_settled_line *line,
                                          const hm_claim *own, const hm_claim *other),
                            void *ctx, bool *open, hm_arena *scratch);
/* Dismisses each open conflict that the lines cover, with the note of its first line; a conflict
 * that was dismissed with that note once is not dismissed again, so a new value stays open. In the
 * caller's transaction, or one of its own. *dismissed: how many. Errors: HM_E_STORE. */
int hm_review_settle_lines(hm_store *s, const hm_review *r, const hm_settled_line *lines, size_t n,
                           hm_arena *a, size_t *dismissed, hm_err *err);
#endif
