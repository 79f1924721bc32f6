/* moved; include the new header */
#ifndef HM_SNAPSHOT_H
#define HM_SNAPSHOT_H
#include "core/store/snapshot_impl.h"
#endif
