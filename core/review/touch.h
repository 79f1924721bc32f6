/* moved; include the new header */
#ifndef HM_TOUCH_H
#define HM_TOUCH_H
#include "core/review/write_check.h"
#endif
