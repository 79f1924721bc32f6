/* moved; include the new header */
#ifndef HM_CONFLICT_EVENTS_MOVED_H
#define HM_CONFLICT_EVENTS_MOVED_H
#include "gen/history/differences.h"
#endif
