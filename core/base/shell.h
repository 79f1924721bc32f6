/* Words for a shell's command line, for people to paste. Nothing of ours is ever run by a shell. */
#ifndef HM_SHELL_H
#define HM_SHELL_H
#include "str.h"

/* s as one word of a POSIX shell, on one line, without a character that does not show, in a: bare
 * where nothing in it can act, else in single quotes, else (control and hidden characters, invalid
 * UTF-8; in any case when `octal`) as
 * "$(printf %b '...')", in which only letters, digits, spaces and _ . : / @ % + , - stand for
 * themselves. Empty when no shell can hand it over: it has a NUL or ends in a line break. */
hm_str hm_shell_quote_word(hm_arena *a, hm_str s, bool octal);
#endif
