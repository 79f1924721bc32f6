/* Words that are written together with capitals: "logRetention". */
#ifndef HM_CAMEL_H
#define HM_CAMEL_H
#include "str.h"

/* s with a '_' where a word begins inside of a name such as "logRetention", "userID", "apiBaseURL",
 * "listenIPv4". Such a name begins with two small letters or more, so "iOS" and "eBay" stay, or
 * ends in what is counted, as "TimeoutStartSec"; what people write with capitals inside stays, too:
 * "macOS", "mmHg". s itself if there is none. Cost: linear. */
hm_str hm_text_split_camel(hm_arena *a, hm_str s);
#endif
