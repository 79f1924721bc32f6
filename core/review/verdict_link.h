/* Links between the sides of a dispute that is kept knowingly. Not for other folders. */
#ifndef HM_VERDICT_LINK_H
#define HM_VERDICT_LINK_H
#include "core/review/verdict_impl.h"

/* One row a value, the first party that says it; a link `contradicts` between each two of them that
 * contradict each other, from the one of higher trust. In the report: those that were not there.
 * HM_E_INPUT with field link: more than HM_LINK_SIDES values. */
int hm_verdict_link(hm_verdict_run *v, const hm_sweep *look, const hm_dispute *d, hm_str why);
#endif
