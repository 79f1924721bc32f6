/* moved; include the new header */
#ifndef HM_IMPORT_SOURCES_H
#define HM_IMPORT_SOURCES_H
#include "core/store/import_impl.h"
#endif
