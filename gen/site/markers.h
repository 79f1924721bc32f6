/* moved; include the new header */
#ifndef HM_MARKERS_H
#define HM_MARKERS_H
#include "gen/site/site.h"
#endif
