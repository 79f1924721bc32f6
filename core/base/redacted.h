/* moved; include the new header */
#ifndef HM_REDACTED_MOVED_H
#define HM_REDACTED_MOVED_H
#include "core/base/redaction.h"
#endif
