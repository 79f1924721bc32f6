/* moved; include the new header */
#ifndef HM_ABOUT_H
#define HM_ABOUT_H
#include "core/review/conflict_filter.h"
#endif
