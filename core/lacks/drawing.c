/* Drawings of folders in a block of code, with signs or by indentation alone:
 *
 *     src/
 *     ├── main.c     # the entry
 *     └── util/
 *         └── text.c
 *
 * Each line with a sign of such a drawing, or without any each name, is an entry of the nearest
 * line above that begins further left. What stands behind the name is its comment. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/lacks/lacks_impl.h"

/* The column, in characters, at which the name begins, and its first byte; false: the line draws
 * nothing. *last: it is drawn as the last entry of its folder. */
static bool find_name(hm_str line, size_t *column, size_t *at, bool *last) {
  bool drawn = false;
  *last = false;
  *column = *at = 0;
  while (*at < line.n) {
    unsigned char c = (unsigned char)line.p[*at];
    bool box = c == 0xE2 && *at + 2 < line.n && ((unsigned char)line.p[*at + 1] & 0xFE) == 0x94;
    bool blank = c == 0xC2 && *at + 1 < line.n && line.p[*at + 1] == (char)0xA0;
    bool plus = c == '+' && hm_char_at(line, *at + 1, '-'); /* "+page.ts" is a name */
    bool ascii = plus || strchr("|`-", (char)c) != NULL;
    if (!box && !blank && !ascii && c != ' ')
      break;
    drawn |= box || (ascii && hm_char_at(line, *at + 1, '-'));
    *last |= c == '`' || (box && (unsigned char)line.p[*at + 2] == 0x94);
    *at += box ? 3 : blank ? 2 : 1;
    ++*column;
  }
  return drawn && *at < line.n;
}

/* "main.c" of "main.c  # the entry", "util" of "util/"; empty: it is no name of one file. */
static hm_str name_of(hm_str text, bool *folder) {
  size_t n = 0;
  while (n < text.n && (hm_is_alnum(text.p[n]) || strchr("._-/+@[]()", text.p[n])))
    n++;
  hm_str name = hm_str_sub(text, 0, n);
  bool ends = n == text.n || hm_is_space(text.p[n]);
  *folder = hm_str_ends(name, "/");
  while (hm_str_ends(name, "/"))
    name.n--;
  if (hm_str_starts(name, "./"))
    name = hm_str_sub(name, 2, name.n);
  return ends && hm_str_find(name, "..") < 0 ? name : HM_EMPTY;
}

bool note_drawing_entry(hm_str line, hm_str *name, hm_str *comment) {
  size_t column, at;
  bool last, folder;
  if (!find_name(line, &column, &at, &last))
    return false;
  hm_str rest = hm_str_sub(line, at, line.n);
  *name = name_of(rest, &folder);
  *comment = hm_str_sub(rest, name->n + folder, rest.n);
  *name = hm_str_sub(rest, 0, name->n + folder);
  return name->n;
}

/* "main.c", "util/  # helpers": is it a name of a file or a folder, alone or with a comment? */
static bool is_entry(hm_str line) {
  static const char *const comments[] = { "#", "//", "(", "--", "- ", ":", "\u2190", "\u2014" };
  bool folder, comment = false;
  hm_str text = hm_str_trim(line), name = name_of(text, &folder);
  const char *dot = name.n > 1 ? memchr(name.p + 1, '.', name.n - 1) : NULL;
  hm_str rest = hm_str_sub(text, name.n + folder, text.n);
  bool wide = hm_str_starts(rest, "  ");
  rest = hm_str_trim(rest);
  for (size_t i = 0; i < HM_COUNT(comments); i++)
    comment |= hm_str_starts(rest, comments[i]);
  return name.n && (folder || dot) && (!rest.n || wide || comment);
}

/* Is the block a drawing by indentation alone: no sign, names of which four of five are sure, and
 * some of them further right? *rooted: all but the first line are, so that it is their folder. */
static bool is_plain(const hm_document *doc, uint32_t first, bool *rooted) {
  size_t n = 0, entries = 0, deeper = 0, root = 0;
  uint32_t block = doc->parts[first].block;
  for (uint32_t i = first; i < doc->n && doc->parts[i].block == block; i++) {
    hm_str line = doc->parts[i].text;
    size_t column, at;
    bool last;
    if (!hm_str_trim(line).n)
      continue;
    if (find_name(line, &column, &at, &last) || (at < line.n && at != column))
      return false;
    root = n ? root : column;
    deeper += column > root;
    entries += is_entry(line);
    n++;
  }
  *rooted = n && deeper == n - 1;
  return deeper && 5 * entries >= 4 * n;
}

size_t note_drawing_read(const hm_document *doc, uint32_t first, note_drawn **out, hm_arena *a) {
  enum { DEEPEST = 24 };
  struct {
    size_t column, entry;
    bool last;
  } above[DEEPEST];
  size_t n = 0, cap = 0, depth = 0, n_drawn = 0;
  note_drawn *v = NULL;
  uint32_t block = doc->parts[first].block;
  bool rooted, plain = is_plain(doc, first, &rooted);
  for (uint32_t i = first; i < doc->n && doc->parts[i].block == block; i++) {
    hm_str line = doc->parts[i].text;
    size_t column, at;
    bool last, signs = find_name(line, &column, &at, &last);
    bool drawn = signs || (plain && (n || !rooted) && is_entry(line));
    if (!signs && !hm_str_trim(line).n)
      continue;
    if (at == line.n) /* "│" alone */
      continue;
    while (depth && above[depth - 1].column >= column) {
      depth--;
      bool follows = drawn && above[depth].last && above[depth].column == column;
      if (follows && v[above[depth].entry].folder) /* its own entries lost their indentation */
        return 0;
    }
    if (depth == DEEPEST || (drawn && !depth && n && !v[0].drawn))
      return 0;
    note_drawn e = { .part = i,
                     .drawn = drawn,
                     .above = depth ? above[depth - 1].entry : SIZE_MAX };
    e.name = name_of(hm_str_sub(line, at, line.n), &e.folder);
    e.comment = hm_str_sub(line, at + e.name.n, line.n);
    if (drawn && e.above != SIZE_MAX)
      v[e.above].folder = true;
    v = hm_array_grow_in(a, v, n, &cap, sizeof *v);
    v[n] = e;
    above[depth].column = column;
    above[depth].last = last;
    above[depth++].entry = n++;
    n_drawn += drawn;
  }
  *out = v;
  return n_drawn ? n : 0;
}
