#include "core/store/lines.h"
#include <string.h>

static void keep(hm_lines *l, const char *p, size_t n) {
  size_t room = l->max - l->line.n;
  l->too_long |= n > room;
  hm_buf_add(&l->line, p, n < room ? n : room);
}

int hm_lines_next(hm_lines *l, hm_str *line) {
  bool any = false;
  hm_buf_clear(&l->line);
  l->too_long = false;
  l->number++;
  for (;;) {
    if (l->at == l->n) {
      l->at = 0;
      l->n = fread(l->chunk, 1, sizeof l->chunk, l->in);
      if (!l->n && ferror(l->in)) return -1;
      if (!l->n) break;
    }
    any = true;
    const char *from = l->chunk + l->at, *end = memchr(from, '\n', l->n - l->at);
    size_t n = end ? (size_t)(end - from) : l->n - l->at;
    keep(l, from, n);
    l->at += n + (end != NULL);
    if (end || (l->too_long && !l->skips)) break;
  }
  *line = hm_buf_view(&l->line);
  return any;
}
