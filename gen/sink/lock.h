/* moved; include the new header */
#ifndef HM_LOCK_H
#define HM_LOCK_H
#include "gen/sink/fs.h"
#endif
