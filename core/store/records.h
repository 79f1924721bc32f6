/* moved; include the new header */
#ifndef HM_RECORDS_H
#define HM_RECORDS_H
#include "core/store/records_impl.h"
#endif
