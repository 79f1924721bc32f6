/* moved; include the new header */
#ifndef HM_SLOTS_MOVED_H
#define HM_SLOTS_MOVED_H
#include "gen/history/fact.h"
#endif
