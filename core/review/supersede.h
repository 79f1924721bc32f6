/* One row supersedes another, and the reverse. Specification, "Supersession as a conflict
 * resolution tool".
 *
 * The superseded row is kept, with status superseded, superseded_by and superseded_at; it claims
 * nothing any more. These functions work inside the caller's write transaction and run no
 * detection; the caller does (write_check.h). */
#ifndef HM_SUPERSEDE_H
#define HM_SUPERSEDE_H
#include "core/record/row.h"
#include "core/store/store.h"

typedef struct {
  hm_layer layer;
  hm_str id;
  hm_str ref;     /* "kind:id" */
  hm_str project; /* as written in the row */
  hm_status status;
  hm_str superseded_by; /* "kind:id", or empty */
} hm_named_row;

/* The row that text names: "kind:id", or an id that only one row of all layers has. Texts in a.
 * Errors, without field: HM_E_UNKNOWN: none; HM_E_INPUT: rows of several layers have that id. */
int hm_named_row_find(hm_store *s, hm_str text, hm_arena *a, hm_named_row *out, hm_err *err);
/* "active", "superseded by entity:e1"; in a. */
hm_str hm_named_row_status_text(const hm_named_row *r, hm_arena *a);

/* May `newer` supersede `older`? older must be active, newer active or superseded. Errors:
 * HM_E_INPUT: they are the same row, or of two layers (unless across: a conflict between layers was
 * decided); HM_E_STATE: older or newer has another status, or older supersedes newer, directly or
 * through others, which would be a circle. */
int hm_supersede_check(hm_store *s, const hm_named_row *older, const hm_named_row *newer,
                       bool across, hm_arena *a, hm_err *err);
/* Supersedes older by newer, at who->at, after that check; journals "supersede". Adds a link
 * `supersedes` from newer to older, with its own line. notes: if not empty, also adds a relation
 * SUPERSEDES from newer to older with `rationale` and `decided_by`, for pages; leave it empty if a
 * decided conflict says why. *relation: its reference, or empty. */
int hm_supersede(hm_store *s, const hm_named_row *older, const hm_named_row *newer, hm_str notes,
                 bool across, const hm_actor *who, hm_arena *a, hm_str *relation, hm_err *err);
/* Makes a superseded or invalid row active again and clears superseded_by and superseded_at;
 * journals "restore". Removes the link `supersedes` from the row in superseded_by, with a line
 * "unlink". Makes active relations invalid which say that that row superseded it, with a line
 * "restore" each; relations: their references, in a. HM_E_STATE for any other status. */
int hm_unsupersede(hm_store *s, const hm_named_row *row, const hm_actor *who, hm_arena *a,
                   hm_str **relations, size_t *n, hm_err *err);
#endif
