/* Versions: "the Go version is 1.22", "Postgres 14", "the firmware is 2.3", "is a Postgres 15
 * instance", "3.12+" as a minimum. A product gives the attribute: postgres_version. */
#include <string.h>

#include "core/prose/prose_grammar.h"

size_t prose_product_at(prose *p, size_t i, size_t end, hm_str *name, size_t *version) {
  static const char no_product[] =
      "version|release|chapter|phase|step|level|route|line|page|episode|season|part|day|week|"
      "port|pep|issue|size|bus|stage|sprint|room|ticket|section|iso|rfc|ieee|din";
  prose_match m;
  if (i + 1 >= end)
    return 0;
  bool known = prose_value_at(p, i, end, &m);
  size_t at = known ? m.to : i + 1;
  hm_str number = at < end ? p->t[at].s : HM_EMPTY; /* "3.12+" */
  if (known && hm_str_ends(number, "+"))
    number = hm_str_sub(number, 0, number.n - 1);
  if (at >= end || p->t[at - 1].stop || !prose_is_version(number))
    return 0;
  if (!known && !memchr(p->t[at].s.p, '.', p->t[at].s.n))
    return 0; /* "RPMI 1640", "VHF 12" are names */
  if (!known) {
    const prose_word *t = &p->t[i];
    if ((!t->capital && !t->upper) || t->cls || t->digit || t->owns)
      return 0;
    if (prose_word_in(t->low, no_product))
      return 0;
    m.name = t->low;
  }
  if (known && prose_match_has(&m, prose_find_family(p->f, "indentation")))
    return 0;
  prose_quantity q;
  if (prose_read_quantity(p, &q, at, end) && q.unit != UNIT_NONE)
    return 0;
  *name = m.name;
  *version = at;
  return at + 1;
}

/* Is [the rest of] the phrase only a noun for what the product is: "our database"? */
static bool is_kind(const prose *p, const prose_np *np, size_t i, size_t end) {
  prose_match m;
  bool place = np->subject.n == 1 && prose_word_in(np->subject.w[0], "production|staging");
  return np->family >= 0 && (!np->subject.n || place) && prose_value_at(p, i, end, &m) &&
      prose_match_has(&m, np->family);
}

/* Do the words say that word i is a version: "version 3", "v3", "at 2.3.0", "bumped to 4.0"? */
static bool is_tagged(const prose *p, size_t i) {
  hm_str s = p->t[i].s;
  const char *dot = memchr(s.p, '.', s.n);
  bool two = dot && memchr(dot + 1, '.', (size_t)(s.p + s.n - dot - 1));
  if (prose_is(p, i - 1, i, "version") || p->t[i].first == 'v')
    return true;
  if (two && prose_is(p, i - 1, i, "at"))
    return true;
  return dot && i > 1 && prose_one_of(p, i - 2, i, "bumped to|pinned to|locked to");
}

/* Is the thing a version: "firmware", "MSRV"? Then its name needs no "version" behind it. */
static bool is_version_itself(const prose *p, const prose_np *np, size_t i, size_t end) {
  size_t at = prose_is(p, i, end, "version") ? i + 1 : i;
  return np->subject.n + np->attribute.n > 1 && at < end && prose_is_version(p->t[at].s) &&
      (prose_name_ends(&np->attribute, "firmware") || prose_last_word_in(p, np, "firmware|msrv"));
}

/* "Postgres 14, 15 and 16", behind the first of them */
static bool lists_versions(const prose *p, size_t i, size_t end) {
  return i < end && (p->t[i - 1].stop == ',' || prose_is(p, i, end, "and")) &&
      (prose_is_version(p->t[i].s) || (i + 1 < end && prose_is_version(p->t[i + 1].s)));
}

/* "3.12+", "10 and up" are minima, "v2" is 2: the word behind. */
static size_t read_signs(const prose *p, prose_np *np, prose_value *v, size_t to, size_t end) {
  static const char more[] = "or later|or newer|or higher|or above|and up|and later|and newer";
  if (to + 2 == end && prose_one_of(p, to, end, more))
    np->limit = LIMIT_MIN, to += 2;
  if (hm_str_ends(v->reading, "+")) {
    np->limit = LIMIT_MIN;
    v->value = v->reading = hm_str_sub(v->reading, 0, v->reading.n - 1);
  }
  if (v->reading.n > 1 && (v->reading.p[0] == 'v' || v->reading.p[0] == 'V'))
    v->reading = hm_str_sub(v->reading, 1, v->reading.n);
  return to;
}

bool prose_read_version(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  hm_str product;
  size_t version, to;
  prose_np saved = *np;
  bool named = np->attribute.n && (hm_str_is(np->attribute.w[np->attribute.n - 1], "version"));
  bool itself = is_version_itself(p, np, i, end); /* "the firmware is 2.3" */
  v->shape = HM_SHAPE_VERSION;
  if (np->person || np->indefinite)
    return false;
  if ((to = prose_product_at(p, i, end, &product, &version)) != 0) {
    if (named) {
      prose_name family = np->subject;
      np->attribute = (prose_name){ 0 };
      if (family.n == 1 &&
          (prose_word_in(family.w[0], "database|db") || hm_str_eq(family.w[0], product)))
        np->subject = (prose_name){ 0 };
    } else if (is_kind(p, np, i, end)) { /* "our [production] database" */
      np->attribute = (prose_name){ 0 };
    } else {
      prose_make_all_subject(np);
    }
    prose_add_word(&np->attribute, product);
    prose_add_words(&np->attribute, "version");
    v->value = v->reading = p->t[version].s;
  } else {
    if (i < end && prose_is(p, i, end, "version"))
      i++;
    if (i >= end || !prose_is_version(p->t[i].s))
      return false;
    bool tagged = i && is_tagged(p, i);
    if (!named && !tagged && !itself)
      return false;
    v->value = v->reading = p->t[i].s;
    to = i + 1;
    prose_match m;
    if (named && np->subject.n && np->last > 0 && prose_value_at(p, np->last - 1, np->last, &m))
      np->subject.w[np->subject.n - 1] = m.name;      /* "Node.js version" is that of Node */
    if (prose_is(p, to, end, "of") && to + 1 < end) { /* "version 2 of the protocol" */
      size_t of = prose_has(p, to + 1, end, C_ARTICLE) ? to + 2 : to + 1;
      if (of + 1 != end && !(of < end && p->t[of].stop))
        return false;
      prose_set_attribute(np, "");
      prose_add_word(&np->attribute, p->t[of].low);
      prose_add_words(&np->attribute, "version");
      to = of + 1;
    } else if (itself) {
      prose_attribute_from_subject(np);
    } else if (!named) {
      prose_set_attribute(np, "version");
    }
  }
  to = read_signs(p, np, v, to, end);
  v->to = to;
  if (lists_versions(p, to, end))
    return true;
  prose_np second = saved;
  prose_value w = { .from = v->from, .denied = v->denied };
  bool two = prose_is(p, to, end, "and") && prose_product_at(p, to + 1, end, &product, &version);
  if (!prose_read_tail(p, np, v, to, two ? to : end))
    return false;
  prose_claim(p, np, v);
  if (two)
    prose_read_version(p, &second, &w, to + 1, end);
  return true;
}
