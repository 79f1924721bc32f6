/* Links between rows: by either end, added, removed, and the graph that they make.
 *
 * An end is a text, as a rule "kind:id"; a bare one is the id of a memory. Another program's links
 * are only read; ours of its rows are in the review file, and a link that both have is one. */
#ifndef HM_STORE_LINKS_H
#define HM_STORE_LINKS_H
#include "core/base/json.h"
#include "core/store/store.h"

/* --- words ----------------------------------------------------------------------------- */

enum { HM_REL_MAX = 100 };   /* bytes */

/* How a link with this rel reads from its dst: "refined_by" of "refines"; empty of one that has no
 * such word. */
hm_str hm_rel_inverse(hm_str rel);
/* Of an inverse word its rel, "refines" of "refined_by"; empty of any other. */
hm_str hm_rel_find_by_inverse(hm_str word);
/* A rel and its inverse, which is empty of one that reads alike from both ends. */
typedef struct { const char *rel, *inverse; } hm_rel_word;
/* Those that hmirror knows, by rel. */
const hm_rel_word *hm_rel_words(size_t *n);
/* Is it a rel that hmirror knows? Inverse words are none. */
bool hm_rel_is_known(hm_str rel);

/* --- ends and links -------------------------------------------------------------------- */

/* The texts that mean this row ("kind:id") as the end of a link; how many. */
size_t hm_link_ends(hm_str ref, hm_str ends[2]);
bool hm_link_end_is(hm_str end, hm_str ref);
/* Links that have this text as their src (out) or their dst, by (rel, other end), in a. Cost: one
 * search in an index; in a foreign store that of their table. */
int hm_store_links_at(hm_store *s, hm_str end, bool out, hm_arena *a, hm_link **links, size_t *n,
                      hm_err *err);
/* Makes the indexes by dst and by superseded_by, where a file of an older program lacks them. In a
 * write transaction; may change the schema of the file. */
int hm_links_make_indexes(hm_store *s, hm_err *err);
/* References of the rows whose superseded_by is this text, in a; of one layer, or of all (0). */
int hm_store_rows_superseded_by(hm_store *s, hm_layer layer, hm_str text, hm_arena *a,
                                hm_str **refs, size_t *n, hm_err *err);

/* Both in a write transaction, with a line "link" or "unlink" of "link:SRC DST REL". */

/* *added false: it was there (or, where either will do, its reverse was), and nothing is written.
 */
int hm_store_add_link(hm_store *s, const hm_link *link, bool either, const hm_actor *who,
                      bool *added, hm_arena *a, hm_err *err);
/* *removed false: there was none. HM_E_STATE: another program has it. */
int hm_store_remove_link(hm_store *s, const hm_link *link, const hm_actor *who, bool *removed,
                         hm_arena *a, hm_err *err);
/* Was it there, and removed by hm_store_remove_link since, as the journal has it? */
int hm_link_was_removed(hm_store *s, const hm_link *link, bool *was, hm_arena *a, hm_err *err);
/* Did this actor draw it last, as the journal has it? */
int hm_link_was_drawn_by(hm_store *s, const hm_link *link, hm_str by, bool *was, hm_arena *a,
                         hm_err *err);

/* --- the graph that links make: link_walk.c ---------------------------------------------------
 *
 * Around some rows: links that people and agents drew, and those of superseded rows to what took
 * their place. */

typedef enum { HM_LINKS_BOTH, HM_LINKS_OUT, HM_LINKS_IN } hm_link_direction;
/* "out", "in", "both"; false: another text. */
bool hm_link_direction_parse(hm_str name, hm_link_direction *out);

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
  hm_str superseded_by;      /* the row that took its place, or empty */
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

/* Walks links from these rows ("kind:id"; one that is not there is skipped), breadth first; of
 * equally short ways the first by (row that it leads from, in order; out before in; rel; other
 * end). Rows of any status. A row that another superseded has a link `supersedes` from it, also
 * where nobody drew one: superseded_by says so. edges: reads them, too. Texts in a. Inside a
 * transaction. Cost: some searches in indexes for each row within depth; in a foreign store, and in
 * one of an older program before its next link, a row costs a search of the superseded ones. */
int hm_links_walk_refs(hm_store *s, const hm_str *starts, size_t n, const hm_link_filter *f,
                       bool edges, hm_arena *a, hm_link_graph *out, hm_err *err);
/* {"row","depth","neighbors":[...],"count","dangling":[...],"cut"} of one start. */
void hm_neighbors_json(hm_jw *w, const hm_link_graph *g, int depth);
/* {"rows":[starts],"depth","nodes":[...],"edges":[...],"dangling":[...],"cut"}. */
void hm_subgraph_json(hm_jw *w, const hm_link_graph *g, int depth);
#endif
