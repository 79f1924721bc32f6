/* moved; include the new header */
#ifndef HM_NEWCOMERS_H
#define HM_NEWCOMERS_H
#include "core/review/new_names.h"
#endif
