/* Switches a rule on or off in the text of mirror.yml, by the list rules.off.
 *
 * It can edit three forms: no list yet, `off: [a, b]` on one line, and a line `- a` for each rule.
 * It parses the result as a config, and accepts it only if the list is as intended: an unknown form
 * is an error and never changes the meaning. Cost: one pass over the file. */
#include "core/base/text.h"
#include "gen/mirror/config.h"

typedef struct {
  hm_str *v;
  size_t n;
} lines;

static lines split(hm_arena *a, hm_str bytes) {
  lines l = { .v = hm_alloc_array(a, bytes.n + 2, sizeof *l.v) };
  while (bytes.n) {
    ptrdiff_t end = hm_str_find(bytes, "\n");
    size_t n = end < 0 ? bytes.n : (size_t)end;
    l.v[l.n++] = hm_str_sub(bytes, 0, n);
    bytes = hm_str_sub(bytes, n + 1, bytes.n);
  }
  return l;
}

static size_t indent_of(hm_str line) {
  size_t i = 0;
  while (i < line.n && line.p[i] == ' ')
    i++;
  return i;
}

/* True for a line that is empty or a comment. */
static bool says_nothing(hm_str line) {
  hm_str s = hm_str_trim(line);
  return !s.n || *s.p == '#';
}

/* The text without comment, quotes and white space. */
static hm_str plain(hm_str s) {
  ptrdiff_t hash = hm_str_find(s, " #");
  s = hm_str_trim(hash < 0 ? s : hm_str_sub(s, 0, (size_t)hash));
  bool quoted = s.n > 1 && (*s.p == '"' || *s.p == '\'') && s.p[s.n - 1] == *s.p;
  return quoted ? hm_str_sub(s, 1, s.n - 1) : s;
}

/* The lines of rules: from `rules:` to the next key of its depth. */
typedef struct {
  size_t rules, end, off, items_end, depth;
} place;

static place find_place(const lines *l) {
  place p = { l->n, l->n, l->n, l->n, 2 };
  for (p.rules = 0; p.rules < l->n; p.rules++)
    if (hm_str_is(plain(l->v[p.rules]), "rules:") && !indent_of(l->v[p.rules]))
      break;
  bool first = true;
  for (p.end = p.rules + 1; p.end < l->n; p.end++) {
    hm_str line = l->v[p.end];
    if (says_nothing(line))
      continue;
    if (!indent_of(line))
      break;
    if (first)
      p.depth = indent_of(line);
    first = false;
    if (p.off == l->n && indent_of(line) == p.depth && hm_str_starts(hm_str_trim(line), "off:"))
      p.off = p.end;
  }
  for (p.items_end = p.off + 1; p.items_end < l->n; p.items_end++) {
    hm_str line = l->v[p.items_end];
    bool item = hm_str_starts(hm_str_trim(line), "-") && indent_of(line) >= p.depth;
    if (!item && !says_nothing(line))
      break;
  }
  while (p.items_end > p.off + 1 && p.items_end <= l->n && says_nothing(l->v[p.items_end - 1]))
    p.items_end--;
  return p;
}

static void put_line(hm_buf *b, hm_str line) {
  hm_buf_str(b, line);
  hm_buf_ch(b, '\n');
}

/* `off: [a, b]  # why`, with or without the rule. */
static void put_flow(hm_buf *b, hm_str line, hm_str rule, bool on) {
  ptrdiff_t open = hm_str_find(line, "["), close = hm_str_find(line, "]");
  hm_str rest = hm_str_sub(line, (size_t)open + 1, (size_t)close);
  bool first = true;
  hm_buf_str(b, hm_str_sub(line, 0, (size_t)open + 1));
  for (;;) {
    ptrdiff_t comma = hm_str_find(rest, ",");
    hm_str one = hm_str_trim(comma < 0 ? rest : hm_str_sub(rest, 0, (size_t)comma));
    if (one.n && !hm_str_eq(plain(one), rule)) {
      hm_buf_fmt(b, "%s%.*s", first ? "" : ", ", HM_FMT(one));
      first = false;
    }
    if (comma < 0)
      break;
    rest = hm_str_sub(rest, (size_t)comma + 1, rest.n);
  }
  if (!on)
    hm_buf_fmt(b, "%s%.*s", first ? "" : ", ", HM_FMT(rule));
  put_line(b, hm_str_sub(line, (size_t)close, line.n));
}

static void put_item(hm_buf *b, size_t depth, hm_str rule) {
  hm_buf_fmt(b, "%*s- %.*s\n", (int)depth, "", HM_FMT(rule));
}

static void put_block(hm_buf *b, const lines *l, const place *p, hm_str rule, bool on) {
  size_t depth = p->depth + 2, left = 0;
  for (size_t i = p->off + 1; i < p->items_end; i++) {
    hm_str item = hm_str_trim(l->v[i]);
    if (says_nothing(item))
      continue;
    depth = indent_of(l->v[i]);
    left += !hm_str_eq(plain(hm_str_sub(item, 1, item.n)), rule);
  }
  if (!left && on)
    hm_buf_fmt(b, "%*soff: []\n", (int)p->depth, "");
  else
    put_line(b, l->v[p->off]);
  for (size_t i = p->off + 1; i < p->items_end; i++) {
    hm_str item = hm_str_trim(l->v[i]);
    if (says_nothing(item) || !hm_str_eq(plain(hm_str_sub(item, 1, item.n)), rule))
      put_line(b, l->v[i]);
  }
  if (!on)
    put_item(b, depth, rule);
}

static hm_str edited(hm_arena *a, hm_str bytes, hm_str rule, bool on) {
  lines l = split(a, bytes);
  place p = find_place(&l);
  hm_buf b = { 0 };
  for (size_t i = 0; i < l.n; i++) {
    if (i == p.off && hm_str_find(l.v[i], "[") >= 0 && hm_str_find(l.v[i], "]") >= 0) {
      put_flow(&b, l.v[i], rule, on);
    } else if (i == p.off) {
      put_block(&b, &l, &p, rule, on);
      i = p.items_end - 1;
    } else {
      put_line(&b, l.v[i]);
    }
    if (i == p.rules && p.off == l.n) {
      hm_buf_fmt(&b, "%*soff:\n", (int)p.depth, "");
      put_item(&b, p.depth + 2, rule);
    }
  }
  if (p.rules == l.n)
    hm_buf_fmt(&b, "rules:\n  off:\n    - %.*s\n", HM_FMT(rule));
  return hm_buf_take(&b, a);
}

/* True when rules.off of `after` differs from that of `before` in exactly this rule. */
static bool is_meant(hm_arena *a, const hm_config *before, hm_str after, const char *name,
                     hm_str rule, bool on) {
  hm_config c;
  size_t other = 0;
  if (hm_config_parse(a, after, name, "", &c, NULL))
    return false;
  for (size_t i = 0; i < before->rules.n_off; i++) {
    hm_str one = before->rules.off[i];
    if (hm_str_eq(one, rule))
      continue;
    if (!hm_rule_is_off(&c.rules, one))
      return false;
    other++;
  }
  return hm_rule_is_off(&c.rules, rule) == !on && c.rules.n_off == other + !on;
}

int hm_switch_rule_in_config(hm_arena *a, hm_str bytes, const char *name, hm_str rule, bool on,
                             hm_str *out, hm_err *err) {
  hm_config before;
  *out = bytes;
  if (hm_config_parse(a, bytes, name, "", &before, err))
    return -1;
  if (hm_rule_is_off(&before.rules, rule) == !on)
    return 0;
  *out = edited(a, bytes, rule, on);
  if (is_meant(a, &before, *out, name, rule, on))
    return 0;
  return hm_fail(err, HM_E_STATE, name, "its list rules.off is written in a way that is not edited",
                 hm_str_fmt(a, on ? "take '%.*s' out of it yourself" : "add '%.*s' to it yourself",
                            HM_FMT(rule))
                     .p);
}
