/* The graph that links make around some rows: those that people and agents drew (links.h), and of
 * superseded rows to what took their place. */
#ifndef HM_LINK_WALK_H
#define HM_LINK_WALK_H
#include "core/base/json.h"
#include "core/store/links.h"

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
 * one of an older program before its next link, a row takes a look through the superseded ones. */
int hm_links_walk_refs(hm_store *s, const hm_str *starts, size_t n, const hm_link_filter *f,
                       bool edges, hm_arena *a, hm_link_graph *out, hm_err *err);
/* {"row","depth","neighbors":[...],"count","dangling":[...],"cut"} of one start. */
void hm_neighbors_json(hm_jw *w, const hm_link_graph *g, int depth);
/* {"rows":[starts],"depth","nodes":[...],"edges":[...],"dangling":[...],"cut"}. */
void hm_subgraph_json(hm_jw *w, const hm_link_graph *g, int depth);
#endif
