/* moved; include the new header */
#ifndef HM_GAP_MOVED_H
#define HM_GAP_MOVED_H
#include "core/claim/silence.h"
#endif
