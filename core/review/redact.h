/* Removes a leaked value from the store: from its row, where a mark with the reason replaces it,
 * from the journal and from every recorded conflict. No other write removes history, so this one
 * leaves the largest trace: the mark, two kinds of lines in the journal, and a list of what it
 * could not reach.
 *
 * The mark claims nothing (core/base/redaction.h). A memory or a state, which says nothing else,
 * becomes invalid. No result or error contains the value. */
#ifndef HM_REVIEW_REDACT_H
#define HM_REVIEW_REDACT_H
#include "core/base/redaction.h"
#include "core/review/write_check.h"

typedef struct {
  const hm_str *rows;
  size_t n_rows; /* each "kind:id", or an id that only one row has; at least one */
  hm_str field;  /* empty: content, value, or the only property of an entity or a relation */
  hm_str reason; /* required; it is in the mark, so it must not contain the value */
  bool earlier;  /* redact the field's earlier values in the journal; keep its current one */
} hm_redact_order;

enum { HM_REDACT_REASON_MAX = 300 }; /* bytes */

/* A record of the store, neither row nor conflict, that holds the value: kind "link", ref "m1 m2
 * refines", column "rel". */
typedef struct {
  hm_str kind, ref, column;
} hm_redact_place;

typedef struct {
  hm_str mark;
  hm_str *rows;
  size_t n_rows; /* references of the redacted rows */
  hm_str *changed;
  size_t n_changed; /* the rows with a changed text or status */
  hm_str *unreached;
  size_t n_unreached; /* rows with the value still in an id, a type or a project's name */
  hm_str *others;
  size_t n_others; /* other rows and projects with it, unchanged */
  hm_str *conflicts;
  size_t n_conflicts; /* ids of conflicts that quoted it */
  hm_str *holding;
  size_t n_holding; /* conflicts that still hold it: other rows claim it there, or people said it */
  hm_redact_place *beside;
  size_t n_beside; /* records that are neither row nor conflict and held it: column empty */
  hm_redact_place *elsewhere;
  size_t n_elsewhere; /* what else of the store still holds it, by kind */
  hm_redact_place *earlier;
  size_t n_earlier; /* records about the rows that hold earlier values of the field, which stay */
  size_t findings;  /* removed; the next sweep finds them again */
  int64_t *lines;
  size_t n_lines;   /* rewritten lines of the journal */
  int64_t broken;   /* the first line that did not fit the chain before, or 0 */
  int64_t rehashed; /* from this line on hashes were recomputed, or 0 */
  hm_str *quieted;
  size_t n_quieted; /* conflicts that now await sign-off */
  bool is_short; /* the value matches by chance: searched only in these rows and their conflicts */
  hm_err not_compacted; /* HM_OK, or why the file could not be rewritten; it may then still hold
                         * data that was deleted earlier without overwriting */
  hm_needles
      values; /* the removed values, for a search elsewhere; empty when short; do not show them */
} hm_redacted;

/* Runs one transaction (rolled back with dry_run), then rewrites the file. A failed rewrite is no
 * error, since no row holds the value any more; it is in out->not_compacted. Errors: HM_E_UNKNOWN:
 * no such row; HM_E_INPUT with hm_err.field field or reason: no such field, several and none named,
 * a reason that is missing, too long or contains the value; HM_E_STATE: the field has only a mark,
 * or no earlier value; HM_E_BUSY, HM_E_STORE. */
int hm_review_redact(hm_store *s, const hm_review *r, const hm_redact_order *order, hm_arena *a,
                     hm_redacted *out, hm_err *err);

/* text with each of the values replaced by "[redacted]", for showing references. */
hm_str hm_redact_shown(const hm_redacted *r, hm_str text, hm_arena *a);
#endif
