/* A store that is read again and again: what did not change stays in memory. For programs that keep running. */
#ifndef HM_FOLLOW_H
#define HM_FOLLOW_H
#include "core/store/store.h"

typedef struct hm_follow hm_follow;

/* What is new since the last reading. Rows by their numbers in the snapshot of now, ascending. */
typedef struct {
  bool all;                /* everything was read: nothing of before holds, and what follows is empty */
  uint32_t *updated; size_t n_updated;
  uint32_t *inserted; size_t n_inserted;
  bool names;              /* among them is an entity that is new, or has another name: it may name the slots of others */
  bool types;              /* among the updated is an entity that has another type */
  bool refers;             /* among the updated is one that refers to other rows than before (superseded_by, graduated_to, from, to), or with another status to the same */
} hm_follow_news;

/* Nothing is read yet. Never NULL. */
hm_follow *hm_follow_new(void);
void hm_follow_free(hm_follow *f);
/* Bytes it holds from the system, for figures. What was said before a change is kept for a while: a quarter of the store and 8 MB at most. */
size_t hm_follow_held(const hm_follow *f);

/* The store as it is now, as hm_store_snapshot gives it with details, and what is new in it; inside a transaction of s that has not
 * written yet, or in one of its own. s may be another connection each time, to another file too. Rows are read again only where the
 * journal names them and it is certain that nobody else wrote (a store of ours, without a WAL, written by hmirror alone since); else
 * all are. The result is the same. *out is the caller's, who may change its fields; all that they lead to, and news, is f's, stays until the next
 * reading and must not be changed. On an error f has to be read anew as a whole, which the next reading does. */
int hm_follow_read(hm_follow *f, hm_store *s, hm_snapshot *out, hm_follow_news *news, hm_err *err);
/* The number that a row has after rows were inserted (n of them, ascending, by their numbers of now), by its number of before. */
uint32_t hm_row_moved(uint32_t row, const uint32_t *inserted, size_t n);
/* After a commit of s that added a sweep's run and nothing else: what f knows is what the store says then, so that the next reading need not look, unless
 * somebody else wrote since. */
void hm_follow_settle(hm_follow *f, hm_store *s);
#endif
