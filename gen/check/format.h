/* moved; include the new header */
#ifndef HM_FORMAT_MOVED_H
#define HM_FORMAT_MOVED_H
#include "gen/check/report.h"
#endif
