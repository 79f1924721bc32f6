/* moved; include the new header */
#ifndef HM_SHA1_MOVED_H
#define HM_SHA1_MOVED_H
#include "core/base/digest.h"
#endif
