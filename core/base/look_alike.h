/* moved; include the new header */
#ifndef HM_LOOK_ALIKE_MOVED_H
#define HM_LOOK_ALIKE_MOVED_H
#include "core/base/near.h"
#endif
