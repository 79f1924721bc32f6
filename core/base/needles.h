/* moved; include the new header */
#ifndef HM_NEEDLES_MOVED_H
#define HM_NEEDLES_MOVED_H
#include "core/base/redaction.h"
#endif
