/* What the files of links*.c share. Not for others. */
#ifndef HM_CHECK_LINKS_IMPL_H
#define HM_CHECK_LINKS_IMPL_H
#include "core/base/map.h"
#include "gen/check/link.h"
#include "gen/check/links.h"

#define HM_LINKS_NONE HM_MAP_NONE
#define HM_LINKS_FOLDER (HM_MAP_NONE - 1)   /* a folder without a page, which git hosts list */

/* What there is to lead to. */
typedef struct {
  const hm_links_input *in;
  hm_map files, folders;
} hm_links_index;

void hm_links_index_make(hm_links_index *x, const hm_links_input *in, hm_arena *a);
/* The file that a path means on a page of that kind, HM_LINKS_FOLDER or HM_LINKS_NONE. */
uint32_t hm_links_find(const hm_links_index *x, hm_str path, bool markdown, hm_arena *scratch);

/* A link that leads nowhere. */
typedef struct { uint32_t file; size_t line; bool anchor; hm_str url, why; } hm_bad_link;

/* Adds items for the bad links, which are in the order of the files. */
void hm_links_report(const hm_site *s, const hm_bad_link *bad, size_t n, hm_report *r,
                     hm_report_list *l);
#endif
