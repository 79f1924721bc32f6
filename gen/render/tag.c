#include "gen/render/tag.h"

#include <string.h>

void hm_tags_init(hm_tags *s, const hm_program *prog) {
  *s = (hm_tags){
    .prog = prog, .src = prog->bytes, .open = HM_STR("{{"), .close = HM_STR("}}"), .line = 1
  };
}

static size_t find(hm_str src, size_t from, hm_str what) {
  const char *p = memmem(src.p + from, src.n - from, what.p, what.n);
  return p ? (size_t)(p - src.p) : SIZE_MAX;
}

static uint32_t line_at(hm_tags *s, size_t i) {
  for (; s->counted < i; s->counted++) s->line += s->src.p[s->counted] == '\n';
  return s->line;
}

/* {{{x}}} ends in "}" and the closing delimiter, {{=a b=}} in "=" and it. */
static size_t find_close(const hm_tags *s, size_t from, char extra, size_t *end) {
  for (size_t at = from; (at = find(s->src, at, s->close)) != SIZE_MAX; at++) {
    if (extra && (at == from || s->src.p[at - 1] != extra)) continue;
    *end = at + s->close.n;
    return extra ? at - 1 : at;
  }
  return SIZE_MAX;
}

static bool has_space(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] == ' ' || (s.p[i] >= '\t' && s.p[i] <= '\r')) return true;
  return false;
}

static int check_name(hm_tags *s, hm_tag *tag, hm_err *err) {
  if (memchr("><", tag->sigil, 2) || tag->sigil == '/') {
    tag->dynamic = hm_str_starts(tag->name, "*");
    if (tag->dynamic) tag->name = hm_str_trim(hm_str_sub(tag->name, 1, tag->name.n));
  }
  if (tag->name.n && !has_space(tag->name)) return 0;
  return hm_program_fail(s->prog, tag->line, err, "write one name between the delimiters",
                         "a tag has %s", tag->name.n ? "white space in its name" : "no name");
}

int hm_tags_next(hm_tags *s, size_t from, hm_tag *tag, hm_err *err) {
  size_t start = find(s->src, from, s->open);
  if (start == SIZE_MAX) return 0;
  size_t inside = start + s->open.n;
  *tag = (hm_tag){ .start = start, .line = line_at(s, start) };
  if (inside < s->src.n && memchr("#^/><$!=&{", s->src.p[inside], 10))
    tag->sigil = s->src.p[inside++];
  char extra = tag->sigil == '{' ? '}' : tag->sigil == '=' ? '=' : 0;
  size_t close = find_close(s, inside, extra, &tag->end);
  if (close == SIZE_MAX)
    return hm_program_fail(s->prog, tag->line, err, "close it",
                           "a tag is not closed by \"%.1s%.*s\"", extra ? (char[]){ extra, 0 } : "",
                           HM_FMT(s->close));
  tag->name = hm_str_trim(hm_str_sub(s->src, inside, close));
  if (tag->sigil == '!' || tag->sigil == '=') return 1;
  return check_name(s, tag, err) ? -1 : 1;
}

int hm_tags_delimiters(hm_tags *s, const hm_tag *tag, hm_err *err) {
  hm_str t = tag->name;
  size_t one = 0;
  while (one < t.n && !has_space(hm_str_sub(t, one, one + 1))) one++;
  hm_str open = hm_str_sub(t, 0, one), close = hm_str_trim(hm_str_sub(t, one, t.n));
  if (!open.n || !close.n || has_space(close) || memchr(open.p, '=', open.n) ||
      memchr(close.p, '=', close.n))
    return hm_program_fail(s->prog, tag->line, err, "write {{=<% %>=}}",
                           "the delimiters are not two words without '='");
  s->open = open;
  s->close = close;
  return 0;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

size_t hm_line_before(hm_str src, size_t from, size_t i) {
  while (i > from && is_blank(src.p[i - 1])) i--;
  return i == 0 || src.p[i - 1] == '\n' ? i : SIZE_MAX;
}

size_t hm_line_after(hm_str src, size_t i) {
  while (i < src.n && is_blank(src.p[i])) i++;
  if (i == src.n) return i;
  if (src.p[i] == '\r' && i + 1 < src.n && src.p[i + 1] == '\n') i++;
  return src.p[i] == '\n' ? i + 1 : SIZE_MAX;
}
