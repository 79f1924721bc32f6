/* moved; include the new header */
#ifndef HM_GROUP_H
#define HM_GROUP_H
#include "core/detect/slot.h"
#endif
