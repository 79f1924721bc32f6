/* moved; include the new header */
#ifndef HM_SUCCESSION_H
#define HM_SUCCESSION_H
#include "core/review/conflict_filter.h"
#endif
