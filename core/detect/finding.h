/* moved; include the new header */
#ifndef HM_FINDING_H
#define HM_FINDING_H
#include "core/detect/conflict.h"
#endif
