/* What conflicts are called. Not for other folders. */
#ifndef HM_CONFLICT_NAMES_H
#define HM_CONFLICT_NAMES_H
#include "view_private.h"

/* Fills slug, path, title, name, named and list_key of all conflicts, which are there with what is
 * said and withheld. */
void hm_view_called(hm_view *v, hm_arena *tmp);
/* By which what has this title and id stands in a list: the folded title, a NUL, the id. */
hm_str hm_list_key(hm_arena *a, hm_str title, hm_str id);
#endif
