/* moved; include the new header */
#ifndef HM_GIT_SEARCH_H
#define HM_GIT_SEARCH_H
#include "gen/sink/git_read.h"
#endif
