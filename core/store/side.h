/* moved; include the new header */
#ifndef HM_SIDE_H
#define HM_SIDE_H
#include "core/store/records_impl.h"
#endif
