/* moved; include the new header */
#ifndef HM_TV_MOVED_H
#define HM_TV_MOVED_H
#include "gen/render/template_impl.h"
#endif
