/* The data files of a site before the site is made: what a publication compares with the tip. */
#ifndef HM_SITE_DATA_H
#define HM_SITE_DATA_H
#include "gen/site/site.h"

/* A data file of rows, or of a project's head, or conflicts.json. bytes: NULL when it is as the
 * last site has it. Good until the call returns. */
typedef int hm_site_data_fn(void *ctx, hm_str path, hm_str bytes, hm_err *err);

/* Calls each for all of them, in no order; without `rows`, for conflicts.json alone. Of opt: known,
 * present and inputs, which tell the unchanged ones, which are not made. -1 with each's err. */
int hm_site_data(const hm_view *v, const hm_site_options *opt, bool rows, hm_site_data_fn *each,
                 void *ctx, hm_err *err);
#endif
