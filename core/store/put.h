/* moved; include the new header */
#ifndef HM_PUT_H
#define HM_PUT_H
#include "core/store/record_edit.h"
#endif
