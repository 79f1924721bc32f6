/* moved; include the new header */
#ifndef HM_SQL_H
#define HM_SQL_H
#include "core/store/sqlite_impl.h"
#endif
