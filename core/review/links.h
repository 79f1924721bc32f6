/* Links that people and agents draw between rows, and the graph that they make.
 *
 * A link says that row src stands in relation `rel` to row dst. The program itself writes
 * supersedes, derived_from and contradicts; a rel is any text. Links change no row and claim
 * nothing: no conflict comes of them. In a foreign store ours are in the review file. Source:
 * "Memory linking". */
#ifndef HM_LINKS_H
#define HM_LINKS_H
#include "core/base/json.h"
#include "core/review/write_check.h"
#include "core/store/links.h"

/* --- one link ------------------------------------------------------------------------------ */

typedef struct {
  bool changed, dry_run;     /* changed false: it said this already, nothing was written */
  hm_link *links;
  size_t n_links;            /* the link; of an unlink those that were removed */
  hm_str by, at, notes;
  hm_str *warnings; size_t n_warnings;   /* sentences */
} hm_link_report;

/* Links src with dst; rel empty: "related". An inverse word is stored as its rel, turned round. One
 * transaction; r->who.why goes to the journal. src, dst: "kind:id", or an id that one row alone
 * has. A dst that is "kind:id" need not be there (yet): a warning says so, as it does of a rel that
 * is near a known one. Errors: HM_E_UNKNOWN; HM_E_INPUT with field src, dst (a row linked with
 * itself) or rel (too long, control characters); HM_E_BUSY, HM_E_STORE. */
int hm_review_link(hm_store *s, const hm_review *r, hm_str src, hm_str dst, hm_str rel, hm_arena *a,
                   hm_link_report *out, hm_err *err);
/* Removes the link from src to dst with this rel, or, where it is empty, all of them. Also between
 * rows that are gone. None there: changed is false. HM_E_STATE: another program has it. */
int hm_review_unlink(hm_store *s, const hm_review *r, hm_str src, hm_str dst, hm_str rel,
                     hm_arena *a, hm_link_report *out, hm_err *err);
/* The report as one compact JSON object. */
void hm_link_report_json(hm_buf *b, const hm_link_report *r);

/* --- the graph ----------------------------------------------------------------------------- */

/* hm_links_walk_refs from these rows: "kind:id", or an id that one row alone has. HM_E_UNKNOWN: no
 * such row; HM_E_INPUT: an id that several layers have. */
int hm_links_walk(hm_store *s, const hm_str *starts, size_t n, const hm_link_filter *f, bool edges,
                  hm_arena *a, hm_link_graph *out, hm_err *err);
#endif
