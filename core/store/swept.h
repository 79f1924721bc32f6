/* What the last recorded sweep saw, and what it answers: so a question about conflicts or findings
 * is answered from the store while nothing that decides has changed.
 *
 * The store keeps one number that every change of a fact moves: triggers count the changes of other
 * programs; hmirror, which runs no trigger of a file, counts each of its transactions that has a
 * line in the journal. A sweep records the
 * number that it saw, with all else that decides: rules and program, and now. While these are the
 * same, the recorded tables say what a sweep would say. A table that another program made again has
 * lost its triggers; that moves the schema's version, which is recorded, too. A foreign store has
 * no such number, so nothing recorded holds there. */
#ifndef HM_SWEPT_H
#define HM_SWEPT_H
#include "core/store/lookup.h"

typedef enum {
  HM_SWEPT_NOT,     /* only a sweep can tell */
  HM_SWEPT_PENDING, /* the conflicts of written slots are exact, the rest is as at the last sweep */
  HM_SWEPT_WHOLE    /* all that is recorded is what a sweep would find */
} hm_swept;

/* The store's number, in the open transaction; for a foreign store, and one of an older version,
 * hm_store_data_version. */
int hm_facts_version(hm_store *s, uint64_t *out, hm_err *err);

/* Does what was recorded hold? decided: a digest of rules and program. Needs a transaction. */
int hm_swept_read(hm_store *s, hm_str decided, hm_swept *out, hm_err *err);
/* Would a snapshot read now have the same now as this one of the same rows? The clock may have
 * passed a time that lay ahead. */
bool hm_now_holds(const hm_store *s, const hm_snapshot *snap);
/* Records that all of the open write transaction's state was swept: snap is what the sweep read,
 * told what it counted. Makes triggers that are missing. Does nothing in a foreign store. */
int hm_swept_put(hm_store *s, hm_str decided, const hm_snapshot *snap, hm_str told, hm_err *err);
/* What the last recorded sweep counted, while it holds; in a. */
int hm_swept_told(hm_store *s, hm_arena *a, hm_str *out, hm_err *err);
/* Records that the conflicts of all written slots are exact, the rest pending. */
int hm_swept_put_pending(hm_store *s, hm_err *err);

/* Removes all that a sweep recorded here, since it may hold a redacted text. */
int hm_swept_forget(hm_store *s, hm_err *err);

/* --- answers about conflicts ------------------------------------------------------------------ */

/* json: the conflict as core/detect/conflict_json.h writes it; shown: the same with names in place
 * of ids, or empty where that is the same. */
typedef struct {
  hm_str id, slot_key, rule, project;
  bool disputed, settled; /* of an open one; settled: by a later statement */
  hm_str json, shown;
} hm_conflict_answer;

/* Replaces the answers of these conflicts, each once. Writes only those that differ. */
int hm_answers_put(hm_store *s, const hm_conflict_answer *v, size_t n, hm_err *err);
/* Removes the answers of all conflicts but these. */
int hm_answers_remove_others(hm_store *s, const hm_str *ids, size_t n, hm_err *err);
/* Called for one answer; its texts are valid during the call. */
typedef int hm_answer_visit(void *ctx, const hm_conflict_answer *x, hm_err *err);
/* Calls visit for each recorded conflict with this status (NULL: any) of the project with this id
 * (NULL: any) that stands behind this place, by slot key and id. Memory: one answer. */
int hm_answers_each(hm_store *s, const hm_verdict *status, const hm_str *project,
                    const hm_conflict_place *behind, hm_answer_visit *visit, void *ctx,
                    hm_err *err);
/* Those whose id begins with prefix, by id, at most max, in a. */
int hm_answers_starting(hm_store *s, hm_str prefix, size_t max, hm_arena *a,
                        hm_conflict_answer **out, size_t *n, hm_err *err);
/* Calls visit for each disputed one that names one of these rows ("kind:id"), by slot key and id.
 * Memory: one answer. */
int hm_answers_of_rows(hm_store *s, const hm_str *refs, size_t n, hm_answer_visit *visit, void *ctx,
                       hm_err *err);
/* How many are disputed. */
int hm_answers_count_disputed(hm_store *s, size_t *out, hm_err *err);
/* The ids of those that are disputed, in a. */
int hm_answers_disputed(hm_store *s, hm_arena *a, hm_str **out, size_t *n, hm_err *err);
/* The ids of those that a later statement settles, by slot key and id, in a. */
int hm_answers_settled(hm_store *s, hm_arena *a, hm_str **out, size_t *n, hm_err *err);
#endif
