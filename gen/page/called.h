/* What conflicts are called. Not for other folders. */
#ifndef HM_CALLED_H
#define HM_CALLED_H
#include "view_private.h"

/* Fills slug, path, title, name, named and list_key of all conflicts, which are there with what is said and withheld. */
void hm_view_called(hm_view *v, hm_arena *tmp);
/* By which what has this title and id stands in a list: the folded title, a NUL, the id. */
hm_str hm_list_key(hm_arena *a, hm_str title, hm_str id);

/* What the last view's were called, for a view that is made again. */
typedef struct hm_called_keep hm_called_keep;
hm_called_keep *hm_called_keep_new(void);      /* never NULL */
void hm_called_keep_free(hm_called_keep *k);
size_t hm_called_keep_held(const hm_called_keep *k);
/* That of the view; NULL: it is the only one. (keep.c) */
hm_called_keep *hm_view_called_keep(const hm_view *v);
#endif
