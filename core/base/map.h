/* moved; include the new header */
#ifndef HM_MAP_MOVED_H
#define HM_MAP_MOVED_H
#include "core/base/str.h"
#endif
