/* Quotes words for commands that people paste into a shell. hmirror itself never runs a shell. */
#ifndef HM_SHELL_H
#define HM_SHELL_H
#include "str.h"

/* s as one word of a POSIX shell, on one line, with visible characters only, in a. Bare if no
 * character is special to the shell, else in single quotes. With control or hidden characters or
 * invalid UTF-8, or if `octal`: as "$(printf %b '...')", which escapes all but letters, digits,
 * spaces and _ . : / @ % + , -. Empty if no shell can pass it: it has a NUL or ends in a line
 * break. */
hm_str hm_shell_quote_word(hm_arena *a, hm_str s, bool octal);
#endif
