/* Lines of a stream, with bounded memory. Not for other folders. */
#ifndef HM_LINES_H
#define HM_LINES_H
#include <stdio.h>
#include "core/base/str.h"

typedef struct {
  FILE *in;
  size_t max;              /* longest line, in bytes */
  bool skips; /* what is too much of a line is read and dropped, and the next line can be had; else
                 nothing more can */
  int64_t number;          /* of the line that was read last, from 1 */
  bool too_long;           /* that line is longer than max: its text is cut there */
  hm_buf line;
  size_t at, n;
  char chunk[1 << 16];
} hm_lines;

/* 1: *line is the next one, without its line break, and until the next call; 0: the end; -1: a
 * read failed, errno says why. */
int hm_lines_next(hm_lines *l, hm_str *line);
#endif
