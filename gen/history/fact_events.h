/* moved; include the new header */
#ifndef HM_FACT_EVENTS_MOVED_H
#define HM_FACT_EVENTS_MOVED_H
#include "gen/history/differences.h"
#endif
