/* moved; include the new header */
#ifndef HM_KNOWN_H
#define HM_KNOWN_H
#include "gen/site/site.h"
#endif
