/* Rows on the mirror's list pages, found by their permalinks. Pure.
 *
 * What a page must have for this, whatever its template: a row begins in a
 * heading, a list item or a table's row with <a id="LAYER-..."></a>; below a
 * heading its lines are list items ("- Name: value"), below a list item they are indented;
 * a table has the names in its head. The built-in templates do. */
#ifndef HM_BLOCKS_H
#define HM_BLOCKS_H
#include "core/store/row.h"

typedef struct {
  hm_layer layer;
  hm_str anchor;      /* "entity-p05-e14" */
  hm_str section;     /* heading of the second level above it, or empty */
  hm_str columns;     /* the head of its table, or empty */
  hm_str head;        /* its line, after the anchor */
  hm_str lines;       /* the lines below it that are its own */
  hm_str folder;      /* of its project: "p05" */
  hm_str list;        /* file name of the list, without the part that a page may be of it: "decision" */
  hm_str title;       /* of the list, as Markdown: "Decisions" */
} hm_block;

/* True for pages that list rows: state, relations, entities, memories of a project; each row stands on one of them. */
bool hm_is_list_page(hm_str path);
/* "p05" of "projects/p05/state.md"; empty for other paths. */
hm_str hm_project_folder(hm_str path);
/* Blocks of the list page at path, in their order; they borrow from md and path. */
size_t hm_blocks_of(hm_str path, hm_str md, hm_arena *a, hm_block **out);
/* They show the same. */
bool hm_block_same(const hm_block *a, const hm_block *b);
#endif
