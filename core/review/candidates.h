/* Rows that wait for a person: what each would say and contradict if it were promoted. Nothing is
 * stored. */
#ifndef HM_CANDIDATES_H
#define HM_CANDIDATES_H
#include "core/claim/reading.h"
#include "core/sweep/sweep.h"

/* A claim of an active row that a claim of the candidate would contradict. */
typedef struct {
  uint32_t row;            /* of the snapshot: the other one */
  hm_str slot;             /* for people: "p05 / spindle_speed" */
  hm_str field, own_field; /* of the other row, of the candidate: as in hm_claim */
  hm_str value, own;       /* what the other row says; what the candidate says */
} hm_would_contradict;

typedef struct {
  uint32_t row;           /* of the snapshot */
  hm_row_reading reading; /* as if it were active */
  hm_would_contradict *v;
  size_t n; /* by trust of the other row, highest first; of one row and slot one */
} hm_candidate;

/* Looks at these n rows, ascending, each as if it alone were promoted: its claims beside those of
 * the active rows of their slots, by the rules by slot, as a write finds what it contradicts. In a.
 * Cost: reading the rows, one pass over the claims, and the slots in which they claim; of rows that
 * claim in one slot more than HM_CANDIDATE_ROUNDS are looked at together. */
enum { HM_CANDIDATE_ROUNDS = 32 };
int hm_candidates_look(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                       const uint32_t *rows, size_t n, int threads, hm_arena *a, hm_candidate **out,
                       hm_err *err);

/* --- lists of rows ---------------------------------------------------------------------------- */

/* A row on one line: "The speed is 45 rpm.", "speed: 45 rpm", "Decision Coupling: value: PTFE",
 * "e1 PART_OF e2", with names of entities for ids. props: what of its properties is told; hidden:
 * rows whose names are not, or NULL. In a. */
hm_str hm_row_line(const hm_snapshot *snap, const bool *hidden, uint32_t row, const hm_json *props,
                   hm_arena *a);

/* Which rows to list. */
typedef struct {
  hm_layer layer;  /* 0: all */
  bool any_status; /* else only this one */
  hm_status status;
  uint32_t project; /* of the snapshot; HM_MAP_NONE: all */
  uint32_t after;   /* rows that stand after this one; HM_MAP_NONE: all */
  size_t limit;     /* how many to list at most */
} hm_row_query;

typedef struct {
  hm_candidate *v;
  size_t n, more; /* that were left out by the limit */
} hm_row_listing;

/* The rows, by layer and id. Of candidates what they would contradict; of others only their row is
 * set. claims: of all rows; not read where the query takes no candidates. In a. */
int hm_rows_list(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                 const hm_row_query *q, int threads, hm_arena *a, hm_row_listing *out, hm_err *err);
/* Their references, l->n of them, in a. */
hm_str *hm_row_listing_refs(const hm_snapshot *snap, const hm_row_listing *l, hm_arena *a);
/* Appends "rows": [{the record, "kind", "ref", how it stands as tell writes it; of a candidate
 * "read", "unread" and "contradicts": [{"row", "slot", "value", "own"}]}], "count", "more". s: the
 * store of the sweep, for the records; a row that is gone since is left out. */
int hm_row_listing_json(hm_jw *j, hm_store *s, const hm_snapshot *snap, const hm_row_listing *l,
                        hm_row_tell *tell, const void *ctx, hm_arena *a, hm_err *err);
/* How many active rows each project has, by its place in the snapshot. In a. */
size_t *hm_projects_count_rows(const hm_snapshot *snap, hm_arena *a);
/* Appends "projects": [{"id", "name", "description", "aliases", "declared", "rows"}], "count"; the
 * global project, whose id is empty, where it has rows. */
void hm_projects_json(hm_jw *j, const hm_snapshot *snap, hm_arena *a);
#endif
