/* moved; include the new header */
#ifndef HM_WORDS_MOVED_H
#define HM_WORDS_MOVED_H
#include "gen/check/secrets.h"
#endif
