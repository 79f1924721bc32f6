/* moved; include the new header */
#ifndef HM_OPPONENTS_H
#define HM_OPPONENTS_H
#include "core/detect/conflict.h"
#endif
