/* A snapshot of a few rows, for a write, and the choice of these rows. The cost depends on these
 * rows, not on the size of the store. */
#ifndef HM_PARTIAL_SNAPSHOT_H
#define HM_PARTIAL_SNAPSHOT_H
#include "core/store/claim_index.h"
#include "core/store/store.h"

typedef struct hm_partial hm_partial;

/* Order of calls, all inside one transaction of s: new; (want..., read, conflicts) any number of
 * times; end; conflicts; free. All results live in a. details: as hm_store_snapshot. */
hm_partial *hm_partial_new(hm_store *s, bool details, hm_arena *a);
void hm_partial_free(hm_partial *p);
/* Requests a row; repeated requests do nothing. Copies id. */
void hm_partial_want(hm_partial *p, hm_layer layer, hm_str id);
/* Requests the declared project of this id or alias, if there is one. */
int hm_partial_want_project(hm_partial *p, hm_str name, hm_err *err);
/* Reads the rows requested since the last call and skips those that do not exist. *rows: the rows
 * read, valid until the next call; their `project` is not yet an index of the snapshot. */
int hm_partial_read(hm_partial *p, const hm_row **rows, size_t *n, hm_err *err);
/* Makes the snapshot of all rows read, as hm_store_snapshot does: rows sorted by layer and id, and
 * the projects that they name, with aliases folded. It has the proposals about these rows, but no
 * links, findings, conflicts, aliases of projects or digest. */
int hm_partial_end(hm_partial *p, hm_snapshot **out, hm_err *err);
/* Adds the recorded conflicts, of any status, on these slot keys (each once in all calls) to the
 * snapshot. */
int hm_partial_add_conflicts_by_slot(hm_partial *p, const hm_str *slot_keys, size_t n, hm_err *err);
/* The same for the conflicts with these ids. */
int hm_partial_add_conflicts_by_id(hm_partial *p, const hm_str *ids, size_t n, hm_err *err);
/* The snapshot so far. */
hm_snapshot *hm_partial_snapshot(hm_partial *p);

/* A conflict that a row is, or was, a member of. */
typedef struct {
  hm_str id, slot_key;
  hm_verdict status;
} hm_membership;
/* The memberships of a row, by slot key and id; in a. */
int hm_store_memberships(hm_store *s, hm_layer layer, hm_str id, hm_arena *a, hm_membership **out,
                         size_t *n, hm_err *err);
/* The rows that are recorded members of a conflict, each once. Ids in a; the caller frees the
 * list. */
int hm_store_member_rows(hm_store *s, hm_str conflict, hm_arena *a, hm_row_keys *out, hm_err *err);
/* The status of the conflict with this id, in a; empty if there is none. */
int hm_store_conflict_status(hm_store *s, hm_str id, hm_arena *a, hm_str *status, hm_err *err);

/* --- which rows ------------------------------------------------------------------------------
 *
 * Relations of a row to others, and other rows of a project, found by SQL indexes that are created
 * with the index of the claims (hm_rows_make_indexes). For one write; a sweep reads all rows. */

/* Creates the indexes. Call in a write transaction; changes the file's schema. */
int hm_rows_make_indexes(hm_store *s, hm_err *err);

/* Adds the relations from (or with `to`, to) the row that they write as ref, of types for which
 * `wants` returns true, at most max of each type. Ids in a. */
typedef bool hm_wants_type(void *ctx, hm_str type);
int hm_relations_of_row(hm_store *s, hm_str ref, bool to, hm_wants_type *wants, void *ctx,
                        size_t max, hm_arena *a, hm_row_keys *out, hm_err *err);
/* Adds up to max rows of a layer with this text: the id or alias of their project; for relations
 * also one end as written. ALL: all rows. Ids in a. */
typedef enum { HM_ROWS_OF_PROJECT, HM_ROWS_FROM, HM_ROWS_TO, HM_ROWS_ALL } hm_rows_key;
int hm_rows_with_key(hm_store *s, hm_layer layer, hm_rows_key by, hm_str text, size_t max,
                     hm_arena *a, hm_row_keys *out, hm_err *err);
/* Adds up to max active rows of each type of entities and relations in this project (its id), and
 * up to max memories and states. Includes rows that name the project by an alias. */
int hm_project_sample_rows(hm_store *s, hm_str project, size_t max, hm_arena *a, hm_row_keys *out,
                           hm_err *err);
#endif
