/* Links between rows: finding them by either end, adding, removing, and walking their graph.
 *
 * An end is a text, usually "kind:id"; a bare one is the id of a memory. Links in a foreign store
 * are only read; links that hmirror adds to its rows are in the review file. A link in both counts
 * once. */
#ifndef HM_STORE_LINKS_H
#define HM_STORE_LINKS_H
#include "core/base/json.h"
#include "core/store/store.h"

/* --- words ----------------------------------------------------------------------------- */

enum { HM_REL_MAX = 100 }; /* bytes */

/* The word for a rel as seen from its dst: "refined_by" for "refines"; empty if there is none. */
hm_str hm_rel_inverse(hm_str rel);
/* The rel of an inverse word: "refines" for "refined_by"; empty for any other word. */
hm_str hm_rel_find_by_inverse(hm_str word);
/* A rel and its inverse; empty if it reads the same from both ends. */
typedef struct {
  const char *rel, *inverse;
} hm_rel_word;
/* The rels that hmirror knows, sorted by rel. */
const hm_rel_word *hm_rel_words(size_t *n);
/* Does hmirror know this rel? False for inverse words. */
bool hm_rel_is_known(hm_str rel);

/* --- ends and links -------------------------------------------------------------------- */

/* The texts that mean this row ("kind:id") as the end of a link. Returns their number. */
size_t hm_link_ends(hm_str ref, hm_str ends[2]);
bool hm_link_end_is(hm_str end, hm_str ref);
/* Links that have this text as their src (out) or their dst, by (rel, other end), in a. Cost: one
 * search in an index; in a foreign store, what a search of its table costs. */
int hm_store_links_at(hm_store *s, hm_str end, bool out, hm_arena *a, hm_link **links, size_t *n,
                      hm_err *err);
/* Creates the indexes by the ends and by superseded_by if the file, from an older version, lacks
 * them. Call in a write transaction; may change the file's schema. */
int hm_links_make_indexes(hm_store *s, hm_err *err);

/* Call both in a write transaction. They add a journal line "link" or "unlink" of "link:SRC DST
 * REL". */

/* *added false: the link existed (or, with `either`, its reverse), and nothing was written. */
int hm_store_add_link(hm_store *s, const hm_link *link, bool either, const hm_actor *who,
                      bool *added, hm_arena *a, hm_err *err);
/* *removed false: no such link. HM_E_STATE: it is in the foreign store. */
int hm_store_remove_link(hm_store *s, const hm_link *link, const hm_actor *who, bool *removed,
                         hm_arena *a, hm_err *err);
/* What the journal says of a link: who added it last, and when, empty if nobody did; and whether
 * hm_store_remove_link removed it since. */
typedef struct {
  hm_str by, at; /* in the arena */
  bool removed;
} hm_link_past;
int hm_link_past_read(hm_store *s, const hm_link *link, hm_link_past *out, hm_arena *a,
                      hm_err *err);

/* --- the graph that links make ---------------------------------------------------
 *
 * It has the links that people and agents added, and a link from each superseding row to the row
 * that it superseded. */

typedef enum { HM_LINKS_BOTH, HM_LINKS_OUT, HM_LINKS_IN } hm_link_direction;
/* "out", "in", "both"; false: another text. */
bool hm_link_direction_parse(hm_str name, hm_link_direction *out);

enum { HM_LINK_DEPTH_MAX = 100, HM_LINK_CAP = 1000 };

typedef struct {
  const hm_str *rels;
  size_t n_rels; /* only links of these; none: all. An inverse word means its rel in the other
                  * direction */
  hm_link_direction direction;
  bool relations; /* active relations between entities are links, too */
  int depth;      /* links from a start, from 1 */
  size_t cap;     /* most rows beside the starts */
} hm_link_filter;

/* A row that was reached, by the link (from, rel); in: the link leads from this row to `from`. */
typedef struct {
  hm_str ref, type, text, status; /* text: name, content, "key: value"; of 200 bytes at most */
  hm_str superseded_by;           /* the row that took its place, or empty */
  hm_str from, rel;
  bool in;
  hm_link_past past; /* of that link */
  int depth;         /* 0: a start */
} hm_link_node;

typedef struct {
  hm_link_node *nodes;
  size_t n; /* starts in their order, then by depth; each row once */
  hm_link *edges;
  size_t n_edges; /* links of the filter's rels between these rows, by src, rel, dst */
  hm_str *dangling;
  size_t n_dangling; /* ends of visited links that name no row, sorted */
  bool cut;          /* there were more rows than cap */
} hm_link_graph;

/* Walks links breadth first from these rows ("kind:id"; skips missing ones), through rows of any
 * status. Of equally short paths it takes the first by (row that it leads from, in order; out
 * before in; rel; other end). A row's superseded_by counts as a link `supersedes` to it. edges:
 * also fill out->edges. Texts in a. Call inside a transaction. Cost: some index searches per row
 * within depth, and one of the journal per row; in a foreign store, and in one of an older version
 * before its next link, each row costs a search of all superseded rows. */
int hm_links_walk_refs(hm_store *s, const hm_str *starts, size_t n, const hm_link_filter *f,
                       bool edges, hm_arena *a, hm_link_graph *out, hm_err *err);
/* {"row","depth","neighbors":[...],"count","dangling":[...],"cut"} of one start. tell: what else is
 * known of the start and of each row. */
void hm_neighbors_json(hm_jw *w, const hm_link_graph *g, int depth, hm_row_tell *tell,
                       const void *ctx);
/* {"rows":[starts],"depth","nodes":[...],"edges":[...],"dangling":[...],"cut"}. */
void hm_subgraph_json(hm_jw *w, const hm_link_graph *g, int depth, hm_row_tell *tell,
                      const void *ctx);
#endif
