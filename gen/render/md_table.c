/* GitHub's Markdown knows a table by one dash a column, version 0.4.8 of the library by three. */
#include <string.h>

#include "gen/render/md_impl.h"

enum { DASHES = 3 };

static hm_str next_line(hm_str *rest) {
  const char *end = rest->n ? memchr(rest->p, '\n', rest->n) : NULL;
  hm_str line = hm_str_sub(*rest, 0, end ? (size_t)(end - rest->p) + 1 : rest->n);
  *rest = hm_str_sub(*rest, line.n, rest->n);
  return line;
}

static size_t indent_of(hm_str line) {
  size_t i = 0;
  while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t' || line.p[i] == '>')) i++;
  return i;
}

/* open: the character of the code block that goes on, or 0; true: this line begins or ends one. */
static bool is_fence(hm_str line, char *open) {
  if (line.n < 3 || (line.p[0] != '`' && line.p[0] != '~') || line.p[1] != line.p[0] || line.p[2] != line.p[0]) return false;
  if (*open && *open != line.p[0]) return false;
  *open = *open ? 0 : line.p[0];
  return true;
}

static size_t dashes_at(hm_str line, size_t i) {
  size_t n = 0;
  while (i + n < line.n && line.p[i + n] == '-') n++;
  return n;
}

/* A row of dashes that the library would not know for one. "- |" begins a list. */
static bool is_short(hm_str line) {
  bool pipe = false, few = false;
  if (hm_str_starts(line, "- ")) return false;
  for (size_t i = 0; i < line.n; i++) {
    size_t n = dashes_at(line, i);
    few |= n && n < DASHES;
    pipe |= line.p[i] == '|';
    if (n) i += n - 1;
    else if (!memchr("|: \t\r\n", line.p[i], 6)) return false;
  }
  return pipe && few;
}

static void put_wide(hm_buf *b, hm_str line) {
  for (size_t i = 0; i < line.n; i++) {
    size_t n = dashes_at(line, i);
    if (n && n < DASHES) hm_buf_add(b, "---", DASHES);
    else hm_buf_add(b, line.p + i, n ? n : 1);
    if (n) i += n - 1;
  }
}

hm_str hm_md_tables(hm_str md, hm_arena *a) {
  hm_buf b = { 0 };
  hm_str rest = md, done = md;   /* done: from where on nothing is in b yet */
  bool header = false;
  char code = 0;
  while (rest.n) {
    hm_str line = next_line(&rest), text = hm_str_sub(line, indent_of(line), line.n);
    bool fence = is_fence(text, &code);
    if (header && !code && !fence && is_short(text)) {
      hm_buf_add(&b, done.p, (size_t)(text.p - done.p));
      put_wide(&b, text);
      done = rest;
    }
    header = !code && !fence && text.n && memchr(text.p, '|', text.n);
  }
  if (!b.n) return md;
  hm_buf_str(&b, done);
  md = b.failed ? md : hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return md;
}
