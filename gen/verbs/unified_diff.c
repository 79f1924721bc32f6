/* Strips the common head and tail, then compares lines by a longest common subsequence table. */
#include "gen/verbs/unified_diff.h"
#include <string.h>

enum { CONTEXT = 3, EXACT = 2000 };

typedef struct {
  hm_str *v;
  size_t n;
} lines;

/* Each with its line feed; the last may lack it. */
static lines split_lines(hm_arena *a, hm_str s) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++)
    n += s.p[i] == '\n';
  lines l = { hm_alloc_array(a, n + 1, sizeof *l.v), 0 };
  while (s.n) {
    const char *nl = memchr(s.p, '\n', s.n);
    size_t k = nl ? (size_t)(nl - s.p) + 1 : s.n;
    l.v[l.n++] = (hm_str){ s.p, k };
    s = hm_str_sub(s, k, s.n);
  }
  return l;
}

/* What becomes of the lines: true in gone[i] and come[j]; all others are common, in order. */
typedef struct {
  lines a, b;
  bool *gone, *come;
} change;

/* Longest common subsequence of a[from..an) and b[from..bn) by the table of lengths. */
static void find_common(hm_arena *arena, change *c, size_t from, size_t an, size_t bn) {
  size_t n = an - from, m = bn - from, i = 0, j = 0;
  uint16_t *len = hm_alloc_array(arena, (n + 1) * (m + 1), sizeof *len);
  for (size_t x = n; x-- > 0;)
    for (size_t y = m; y-- > 0;) {
      uint16_t down = len[(x + 1) * (m + 1) + y], right = len[x * (m + 1) + y + 1];
      bool same = hm_str_eq(c->a.v[from + x], c->b.v[from + y]);
      len[x * (m + 1) + y] = same ? (uint16_t)(len[(x + 1) * (m + 1) + y + 1] + 1)
          : down > right          ? down
                                  : right;
    }
  while (i < n || j < m) {
    if (i < n && j < m && hm_str_eq(c->a.v[from + i], c->b.v[from + j])) {
      i++;
      j++;
    } else if (j == m || (i < n && len[(i + 1) * (m + 1) + j] >= len[i * (m + 1) + j + 1]))
      c->gone[from + i++] = true;
    else
      c->come[from + j++] = true;
  }
}

static void mark_changed_lines(hm_arena *arena, change *c) {
  size_t from = 0, an = c->a.n, bn = c->b.n;
  while (from < an && from < bn && hm_str_eq(c->a.v[from], c->b.v[from]))
    from++;
  while (an > from && bn > from && hm_str_eq(c->a.v[an - 1], c->b.v[bn - 1])) {
    an--;
    bn--;
  }
  if (an - from <= EXACT && bn - from <= EXACT) {
    find_common(arena, c, from, an, bn);
    return;
  }
  for (size_t i = from; i < an; i++)
    c->gone[i] = true;
  for (size_t j = from; j < bn; j++)
    c->come[j] = true;
}

static void write_line(hm_buf *out, char sign, hm_str line) {
  hm_buf_ch(out, sign);
  hm_buf_str(out, line);
  if (!hm_str_ends(line, "\n"))
    hm_buf_c(out, "\n\\ No newline at end of file\n");
}

/* Steps over common lines from (*i, *j), at most `most`; returns how many. */
static size_t common(const change *c, size_t *i, size_t *j, size_t most) {
  size_t k = 0;
  while (k < most && *i < c->a.n && *j < c->b.n && !c->gone[*i] && !c->come[*j]) {
    ++*i;
    ++*j;
    k++;
  }
  return k;
}

/* Prints the hunk around the first difference at or after (*i, *j), and steps behind it. */
static void hunk(const change *c, size_t *i, size_t *j, hm_buf *out) {
  size_t back = *i < *j ? *i : *j, i0, j0, a_lines, b_lines;
  back = back < CONTEXT ? back : CONTEXT;
  i0 = *i - back;
  j0 = *j - back;
  hm_buf body = { 0 };
  for (size_t k = i0; k < *i; k++)
    write_line(&body, ' ', c->a.v[k]);
  for (;;) {
    while (*i < c->a.n && c->gone[*i])
      write_line(&body, '-', c->a.v[(*i)++]);
    while (*j < c->b.n && c->come[*j])
      write_line(&body, '+', c->b.v[(*j)++]);
    size_t at = *i, k = common(c, i, j, 2 * CONTEXT + 1);
    bool end = k > 2 * CONTEXT || (*i == c->a.n && *j == c->b.n);
    size_t shown = end && k > CONTEXT ? CONTEXT : k;
    for (size_t x = at; x < at + shown; x++)
      write_line(&body, ' ', c->a.v[x]);
    if (end) {
      *i -= k - shown;
      *j -= k - shown;
      break;
    }
  }
  a_lines = *i - i0;
  b_lines = *j - j0;
  hm_buf_fmt(out, "@@ -%zu,%zu +%zu,%zu @@\n", a_lines ? i0 + 1 : i0, a_lines,
             b_lines ? j0 + 1 : j0, b_lines);
  hm_buf_str(out, hm_buf_view(&body));
  hm_buf_free(&body);
}

bool hm_unified_diff(hm_arena *arena, hm_str a, hm_str b, const char *from, const char *to,
                     hm_buf *out) {
  if (hm_str_eq(a, b))
    return false;
  change c = { .a = split_lines(arena, a), .b = split_lines(arena, b) };
  c.gone = hm_alloc(arena, c.a.n + 1);
  c.come = hm_alloc(arena, c.b.n + 1);
  mark_changed_lines(arena, &c);
  hm_buf_fmt(out, "--- %s\n+++ %s\n", from, to);
  for (size_t i = 0, j = 0;;) {
    common(&c, &i, &j, SIZE_MAX);
    if (i == c.a.n && j == c.b.n)
      return true;
    hunk(&c, &i, &j, out);
  }
}
