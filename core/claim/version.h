/* Versions: numbers with points between them, perhaps behind a v. */
#ifndef HM_VERSION_H
#define HM_VERSION_H
#include "core/base/str.h"

bool hm_is_version(hm_str s);
/* By their numbers; of two that begin alike the shorter is first. Of versions. */
int hm_version_compare(hm_str x, hm_str y);
/* Is x a higher version than y, and not y said more exactly? "14.2" is 14, and above 14.1. */
bool hm_version_above(hm_str x, hm_str y);
/* Is one of two versions the other, said more exactly? */
bool hm_version_refines(hm_str x, hm_str y);
#endif
