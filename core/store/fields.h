/* moved; include the new header */
#ifndef HM_FIELDS_H
#define HM_FIELDS_H
#include "core/store/records_impl.h"
#endif
