/* moved; include the new header */
#ifndef HM_REMOVED_FIELDS_H
#define HM_REMOVED_FIELDS_H
#include "core/store/record_edit.h"
#endif
