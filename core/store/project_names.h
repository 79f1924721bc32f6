/* moved; include the new header */
#ifndef HM_PROJECT_NAMES_H
#define HM_PROJECT_NAMES_H
#include "core/store/lookup.h"
#endif
