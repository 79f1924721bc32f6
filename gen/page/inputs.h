/* What hm_page_inputs learns from rows alone, for a view that is made again. Not for other folders. */
#ifndef HM_INPUTS_H
#define HM_INPUTS_H
#include "view_private.h"

typedef struct hm_inputs_keep hm_inputs_keep;
hm_inputs_keep *hm_inputs_keep_new(void);      /* never NULL */
void hm_inputs_keep_free(hm_inputs_keep *k);
/* That of the view; NULL: it is the only one. (keep.c) */
hm_inputs_keep *hm_view_inputs_keep(const hm_view *v);
#endif
