/* One row gives way to another, and back. Specification, "Supersession as a conflict resolution
 * tool".
 *
 * The row that gives way is kept, with status superseded, superseded_by and superseded_at; it
 * claims nothing any more. These functions look and write inside the caller's open write
 * transaction, and no detector runs: that is the caller's (write_check.h). */
#ifndef HM_SUPERSEDE_H
#define HM_SUPERSEDE_H
#include "core/store/row.h"
#include "core/store/store.h"

typedef struct {
  hm_layer layer;
  hm_str id;
  hm_str ref;                /* "kind:id" */
  hm_str project;            /* as the row names it */
  hm_status status;
  hm_str superseded_by;      /* "kind:id", or empty */
} hm_named_row;

/* The row that text names: "kind:id", or an id that only one row of all layers has. Texts in a.
 * Errors, at no field: HM_E_UNKNOWN; HM_E_INPUT when rows of several layers have that id. */
int hm_named_row_find(hm_store *s, hm_str text, hm_arena *a, hm_named_row *out, hm_err *err);
/* "active", "superseded by entity:e1"; in a. */
hm_str hm_named_row_status_text(const hm_named_row *r, hm_arena *a);

/* May `older` give way to `newer`? older must be active, newer active or superseded itself. Errors:
 * HM_E_INPUT: the two are one; another layer (unless across: a conflict between layers was
 * decided); HM_E_STATE: older or newer has another status; newer is superseded by older, directly
 * or through others, which would be a circle. */
int hm_supersede_check(hm_store *s, const hm_named_row *older, const hm_named_row *newer,
                       bool across, hm_arena *a, hm_err *err);
/* Does it, at who->at, after that check; a line "supersede". A link `supersedes` leads from newer
 * to older, with its own line. notes: kept where pages find them, as
 * a relation SUPERSEDES from newer to older with `rationale` and `decided_by`; empty: none is made,
 * as when the conflict that was decided says why. *relation: its reference, or empty. */
int hm_supersede(hm_store *s, const hm_named_row *older, const hm_named_row *newer,
                 hm_str notes, bool across, const hm_actor *who, hm_arena *a, hm_str *relation,
                 hm_err *err);
/* Makes a superseded or invalid row active again, without superseded_by and superseded_at; a line
 * "restore". The link `supersedes` from the row in superseded_by goes, with a line "unlink". Active
 * relations that say that it was superseded by that row are made invalid, with a line "restore"
 * each; relations: their references, in a. HM_E_STATE for any other status. */
int hm_unsupersede(hm_store *s, const hm_named_row *row, const hm_actor *who, hm_arena *a,
                   hm_str **relations, size_t *n, hm_err *err);
#endif
