/* moved; include the new header */
#ifndef HM_CHANGE_H
#define HM_CHANGE_H
#include "core/store/record_edit.h"
#endif
