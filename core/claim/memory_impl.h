/* moved; include the new header */
#ifndef HM_MEMORY_IMPL_MOVED_H
#define HM_MEMORY_IMPL_MOVED_H
#include "core/claim/memory.h"
#endif
