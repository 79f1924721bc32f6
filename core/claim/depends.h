/* moved; include the new header */
#ifndef HM_DEPENDS_MOVED_H
#define HM_DEPENDS_MOVED_H
#include "core/claim/slot.h"
#endif
