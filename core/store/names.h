/* moved; include the new header */
#ifndef HM_NAMES_H
#define HM_NAMES_H
#include "core/store/lookup.h"
#endif
