/* A style sheet as browsers need it. */
#ifndef HM_CSS_H
#define HM_CSS_H
#include "core/base/arena.h"
#include "core/base/str.h"

/* The same rules without comments and without the space that says nothing, in a. For our own sheet:
 * a string or comment that does not end goes on to the end of the text. */
hm_str hm_css_compact(hm_str css, hm_arena *a);
#endif
