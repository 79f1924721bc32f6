/* moved; include the new header */
#ifndef HM_REMOTE_H
#define HM_REMOTE_H
#include "gen/sink/git.h"
#endif
