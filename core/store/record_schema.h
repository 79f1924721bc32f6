/* moved; include the new header */
#ifndef HM_RECORD_SCHEMA_H
#define HM_RECORD_SCHEMA_H
#include "core/store/record_edit.h"
#endif
