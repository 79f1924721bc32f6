/* Labels: "Log retention: 30 days", "area = 468", "Supported locales: en, de, fr".
 *
 * A lone word before a colon is a heading unless it names an attribute or a family. */
#include <string.h>

#include "core/claim/prose_impl.h"

/* "Supported locales: en, de, fr" */
static bool claim_list_label(prose *p, size_t i, size_t colon, size_t end) {
  static const char *const heads[] = { "supported", "allowed", "accepted", "permitted" };
  size_t k = 0;
  while (k < HM_COUNT(heads) && !prose_is(p, i, end, heads[k])) k++;
  if (k == HM_COUNT(heads) || colon != i + 2) return false;
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_SET, .from = i, .also = false };
  size_t n = 0, at = colon;
  hm_str reading = HM_STR("[");
  for (; at < end && n < 12; at++) {
    if (prose_is(p, at, end, "and")) continue;
    if (prose_is(p, at, end, "only")) {
      v.only = true;
      at++;
      break;
    }
    if (p->t[at].cls & (C_BE | C_PRONOUN | C_WAS | C_COND)) return true;
    reading = HM_CAT(p->a, reading, n++ ? HM_STR(",\"") : HM_STR("\""), p->t[at].s, HM_STR("\""));
    v.to = at + 1;
  }
  if (!n || at < end) return true;
  prose_add_z(&np.attribute, "supported");
  prose_add(&np.attribute, prose_singular(p, &p->t[i + 1]));
  v.value = prose_span(p, colon, v.to);
  v.reading = HM_CAT(p->a, reading, HM_STR("]"));
  v.also = !v.only;
  prose_claim(p, &np, &v);
  return true;
}

/* Is s a plain key, "=" at eq, and a plain value? */
static bool is_assignment(hm_str s, size_t eq) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
    if (i < eq && !word && !(i && ((c >= '0' && c <= '9') || c == '.' || c == '-'))) return false;
    if (i > eq && c && strchr("=<>(){}[]|;$*", c)) return false;
  }
  return true;
}

bool prose_label(prose *p, size_t i, size_t end) {
  size_t at = i;
  char by = 0;
  for (; at < end && at < i + 8 && !by; at++) {
    const prose_tok *t = &p->t[at];
    if (t->cls & (C_BE | C_WAS)) return false;
    if (t->stop == ':') by = ':';
    else if (at > i && hm_str_is(t->s, "=")) by = '=';
    else if (t->stop && t->stop != '.') return false;
    /* "currency=EUR" */
    const char *eq = t->s.n > 2 ? memchr(t->s.p + 1, '=', t->s.n - 2) : NULL;
    if (eq && at == 0 && p->n == 1 && is_assignment(t->s, (size_t)(eq - t->s.p))) {
      prose_np np = { .family = -1 };
      prose_value v = { .shape = HM_SHAPE_KEY, .from = i, .to = end };
      prose_add(&np.attribute, hm_str_sub(t->low, 0, (size_t)(eq - t->s.p)));
      v.value = hm_str_sub(t->s, (size_t)(eq - t->s.p) + 1, t->s.n);
      prose_claim(p, &np, &v);
      return true;
    }
  }
  if (!by) return false;
  size_t stop = by == '=' ? at - 1 : at;
  prose_np np;
  prose_value v = { .from = i, .to = end };
  if (at >= end || p->t[at - 1].stop == '\n' || (p->t[stop - 1].cls & C_HEADING)) return true;
  /* "image:: x", "theme: - fix", "a = b;" */
  const char *colon = p->t[stop - 1].s.p + p->t[stop - 1].s.n;
  for (; colon + 1 < p->t[at].s.p; colon++)
    if ((colon[0] == ':' && colon[1] == ':') || colon[0] == '-' ||
        (colon[0] == '*' && colon[1] == ' '))
      return true;
  if (by == '=' && p->t[end - 1].stop == ';') return true;
  if (claim_list_label(p, i, at, end)) return true;
  if (!prose_np_read(p, &np, i, stop) || np.indefinite || np.value) return true;
  if (prose_verb_row(p, i, stop, &(size_t){ 0 }) && i + 1 < stop) return true; /* "requires x: y" */
  if (p->t[stop - 1].digit) return true;                                       /* "Part 2: Rust" */
  bool lone = np.words < 2;
  if (lone && by == ':' && !np.known_measure && !np.known_name && np.family < 0 && !p->about.n)
    return true;
  if (lone && by == ':' && (np.person || (p->t[i].cls & (C_SEVERAL | C_PREP)))) return true;
  while (prose_has(p, at, end, C_ADVERB)) at++;
  prose_value clean = v;
  prose_np saved = np;
  if (prose_read_value(p, &np, &v, at, end, by)) return true;
  /* a measure with a plain name: "path length = L2" claims nothing */
  np = saved;
  v = clean;
  if (by == '=' && end - at == 1 && !(p->t[at].cls & (C_PRONOUN | C_STATE))) {
    prose_attribute_of_subject(&np);
    v.shape = HM_SHAPE_ATTRIBUTE;
    v.value = p->t[at].s;
    prose_claim(p, &np, &v);
  }
  return true;
}
