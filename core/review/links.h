/* Links that people and agents add between rows, and their graph.
 *
 * A link says that row src stands in relation `rel` to row dst. The program itself writes
 * supersedes, derived_from and contradicts; a rel is any text. Links change no row and claim
 * nothing, so they cause no conflict. For a foreign store they are in the review file. Source:
 * "Memory linking". */
#ifndef HM_LINKS_H
#define HM_LINKS_H
#include "core/base/json.h"
#include "core/review/write_check.h"
#include "core/store/links.h"

/* --- one link ------------------------------------------------------------------------------ */

typedef struct {
  bool changed, dry_run; /* changed false: nothing was different, nothing was written */
  hm_link *links;
  size_t n_links; /* the link; for an unlink the removed ones */
  hm_str by, at, notes;
  hm_str *warnings;
  size_t n_warnings, n_secrets; /* sentences, first those on live secrets */
} hm_link_report;

/* Links src to dst; rel empty: "related". Stores an inverse word as its rel, with the ends swapped.
 * One transaction; r->who.why goes to the journal. src, dst: "kind:id", or an id that only one row
 * has. A dst "kind:id" need not exist (yet); that gives a warning, as does a rel near a known one.
 * Errors: HM_E_UNKNOWN; HM_E_INPUT with field src, dst (a row linked with itself) or rel (too long,
 * control characters); HM_E_BUSY, HM_E_STORE. */
int hm_review_link(hm_store *s, const hm_review *r, hm_str src, hm_str dst, hm_str rel, hm_arena *a,
                   hm_link_report *out, hm_err *err);
/* Removes the link from src to dst with this rel, or, if rel is empty, all of them. The rows may be
 * gone. changed is false if there is no such link. HM_E_STATE: it is in the foreign store. */
int hm_review_unlink(hm_store *s, const hm_review *r, hm_str src, hm_str dst, hm_str rel,
                     hm_arena *a, hm_link_report *out, hm_err *err);
/* The report as one compact JSON object. */
void hm_link_report_json(hm_buf *b, const hm_link_report *r);

/* --- the graph ----------------------------------------------------------------------------- */

/* hm_links_walk_refs from these rows: "kind:id", or an id that only one row has. HM_E_UNKNOWN: no
 * such row; HM_E_INPUT: several layers have the id. */
int hm_links_walk(hm_store *s, const hm_str *starts, size_t n, const hm_link_filter *f, bool edges,
                  hm_arena *a, hm_link_graph *out, hm_err *err);
#endif
