/* Keys: "MAX_CONNS=50", "set LOG_LEVEL to debug in staging", "CACHE_TTL is now 600".
 *
 * A key is written in capitals. In front of it only words may stand that set it; a placeholder
 * ("=<n>") or a list of results ("PASS=5 FAIL=0") sets nothing. */
#include <string.h>

#include "core/base/text.h"
#include "core/claim/prose_impl.h"

/* Bytes of a name such as MAX_CONNS at the beginning of s. */
static size_t key_bytes(hm_str s) {
  size_t n = 0, gaps = 0;
  while (
      n < s.n &&
      ((s.p[n] >= 'A' && s.p[n] <= 'Z') || s.p[n] == '_' || (n && s.p[n] >= '0' && s.p[n] <= '9')))
    gaps += s.p[n++] == '_';
  return n >= 3 && (n > gaps + 1) ? n : 0;
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The value at `from`: to the closing quote where it begins with one, else to the next space,
 * without the signs that end a sentence or close what was opened before the key. */
static hm_str value_at(const prose *p, const char *from) {
  const char *end = p->text.p + p->text.n, *to = from;
  if (from < end && (*from == '"' || *from == '\'')) {
    const char *close = memchr(from + 1, *from, (size_t)(end - from) - 1);
    const char *line = memchr(from, '\n', (size_t)(end - from));
    if (close && !(line && line < close)) return (hm_str){ from + 1, (size_t)(close - from) - 1 };
    from++;
  }
  int open = 0, quotes = 0;
  for (to = from; to < end && !is_space(*to) && *to != '`'; to++) {
    open += (*to == '(' || *to == '[') - (*to == ')' || *to == ']');
    if (open < 0) break;
    quotes += *to == '"';
  }
  while (to > from && (strchr(",;.:!?'*", to[-1]) || (to[-1] == '"' && quotes % 2))) to--;
  return (hm_str){ from, (size_t)(to - from) };
}

static void claim_key(prose *p, hm_str key, hm_str value, size_t from, size_t to, size_t end) {
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_KEY, .from = from, .to = to };
  v.value = value;
  prose_add(&np.attribute, hm_text_name(p->a, key));
  if (value.n && (value.p[0] == '<' || value.p[0] == '$' || value.p[0] == '{')) return;
  if (value.n && prose_tail(p, &np, &v, to, end)) prose_claim(p, &np, &v);
}

/* Words that may stand in front of a key. */
static bool may_introduce(const prose *p, size_t i, size_t k) {
  static const char *const words[] = { "set", "sets",     "export", "env",        "the",  "config",
                                       "we",  "use",      "uses",   "using",      "with", "and",
                                       "now", "variable", "var",    "environment" };
  for (; i < k; i++) {
    size_t w = 0;
    while (w < HM_COUNT(words) && !prose_is(p, i, k, words[w])) w++;
    if (w == HM_COUNT(words) && !key_bytes(p->t[i].s)) return false;
  }
  return true;
}

bool prose_key(prose *p, size_t i, size_t end) {
  bool any = false;
  for (size_t k = i; k < end && k < i + 6; k++) {
    hm_str s = p->t[k].s;
    size_t n = key_bytes(s);
    if (!n) continue;
    if (!may_introduce(p, i, k)) return any;
    if (n + 1 < s.n && s.p[n] == '=' && s.p[n + 1] != '=') {
      size_t stop = k + 1;
      bool quoted = n + 1 < s.n && (s.p[n + 1] == '"' || s.p[n + 1] == '\'');
      if (stop < end && !p->t[k].stop && !quoted && key_bytes(p->t[stop].s)) /* PASS=5 FAIL=0 */
        return true;
      while (stop < end && !prose_is(p, stop, end, "and")) stop++;
      size_t to = k + 1;
      hm_str value = value_at(p, s.p + n + 1);
      while (to < end && p->t[to].s.p < value.p + value.n) to++;
      if (stop < to) stop = to;
      claim_key(p, hm_str_sub(s, 0, n), value, any ? k : i, to, stop);
      any = true;
      continue;
    }
    if (n < s.n || any || !memchr(s.p, '_', s.n)) continue;
    size_t at = k + 1;
    bool set = k > i && (prose_is(p, k - 1, end, "set") || prose_is(p, k - 1, end, "sets"));
    if (set && prose_is(p, at, end, "to")) at++;
    else if (k != i && !may_introduce(p, i, k)) continue;
    else if (prose_are(p, at, end, "has been") && prose_has(p, at + 2, end, C_MOVED) &&
             prose_is(p, at + 3, end, "to"))
      at += 4;
    else if (prose_is(p, at, end, "was") && prose_has(p, at + 1, end, C_MOVED) &&
             prose_is(p, at + 2, end, "to"))
      at += 3;
    else if (prose_are(p, at, end, "is set to")) at += 3;
    else if (prose_is(p, at, end, "is") || prose_is(p, at, end, "=")) at++;
    else continue;
    while (prose_has(p, at, end, C_ADVERB)) at++;
    if (at >= end ||
        (p->t[at].cls & ~(C_ON | C_OFF | C_NUMBER | C_HEADING | C_NAMED | C_MEASURE | C_KIND)) ||
        prose_is(p, at, end, "undefined") || prose_is(p, at, end, "unset"))
      return true;
    claim_key(p, s, p->t[at].s, i, at + 1, end);
    return true;
  }
  return any;
}
