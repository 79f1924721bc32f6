/* Links that people and agents draw between rows, and the graph that they make.
 *
 * A link says that row src stands in relation `rel` to row dst. The program itself writes
 * supersedes, derived_from and contradicts; a rel is any text. Links change no row and claim
 * nothing: no conflict comes of them. In a foreign store ours stand in the review file. Source:
 * "Memory linking". */
#ifndef HM_LINKS_H
#define HM_LINKS_H
#include "core/base/json.h"
#include "core/review/review.h"

/* --- the vocabulary ------------------------------------------------------------------------ */

enum { HM_REL_MAX = 100 };   /* bytes */

/* How a link with this rel reads from its dst: "refined_by" of "refines"; empty of one that has no
 * such word. */
hm_str hm_rel_inverse(hm_str rel);
/* Of an inverse word its rel, "refines" of "refined_by"; empty of any other. */
hm_str hm_rel_of_inverse(hm_str word);
/* Is it a rel that hmirror knows? Inverse words are none. */
bool hm_rel_is_known(hm_str rel);

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

typedef enum { HM_LINKS_BOTH, HM_LINKS_OUT, HM_LINKS_IN } hm_link_direction;
/* "out", "in", "both"; false: another text. */
bool hm_link_direction_of(hm_str name, hm_link_direction *out);

enum { HM_LINK_DEPTH_MAX = 100, HM_LINK_CAP = 1000 };

typedef struct {
  const hm_str *rels;
  size_t n_rels; /* links of these alone; none: all. An inverse word means the links of its rel, the
                    other way round */
  hm_link_direction direction;
  int depth;                 /* links from a start, from 1 */
  size_t cap;                /* rows beside the starts, at most */
} hm_link_filter;

/* A row that was reached. from, rel, in: by which link; in: it leads from this row to `from`. */
typedef struct {
  hm_str ref, type, text, status;   /* text: name, content, "key: value"; of 200 bytes at most */
  hm_str from, rel;
  bool in;
  int depth;                 /* 0: a start */
} hm_link_node;

typedef struct {
  hm_link_node *nodes;
  size_t n;                  /* starts in their order, then by depth; each row once */
  hm_link *edges;
  size_t n_edges;            /* links of the filter's rels between these rows, by src, rel, dst */
  hm_str *dangling;
  size_t n_dangling;         /* ends of links that were met and are no row, sorted */
  bool cut;                  /* there was more than cap */
} hm_link_graph;

/* Walks links from these rows, breadth first; of equally short ways the first by (row that it
 * leads from, in order; out before in; rel; other end). Rows of any status. edges: reads them, too.
 * Texts in a. Inside a transaction. Cost: two searches in an index for each row within depth.
 * HM_E_UNKNOWN: no such row; HM_E_INPUT. */
int hm_links_walk(hm_store *s, const hm_str *starts, size_t n, const hm_link_filter *f, bool edges,
                  hm_arena *a, hm_link_graph *out, hm_err *err);
/* {"row","depth","neighbors":[...],"count","dangling":[...],"cut"} of one start. */
void hm_neighbors_json(hm_jw *w, const hm_link_graph *g, int depth);
/* {"rows":[starts],"depth","nodes":[...],"edges":[...],"dangling":[...],"cut"}. */
void hm_subgraph_json(hm_jw *w, const hm_link_graph *g, int depth);
#endif
