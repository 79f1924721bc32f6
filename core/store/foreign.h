/* moved; include the new header */
#ifndef HM_FOREIGN_H
#define HM_FOREIGN_H
#include "core/store/store.h"
#endif
