/* Decisions: "we use REST", "use ruff for linting", "chose Zygo over Moore", "the cache was moved
 * from Redis to Valkey", "replaced X with Y".
 *
 * The chosen value is of a family, which gives the attribute, or is a name with a purpose. */
#include <string.h>

#include "core/prose/prose_grammar.h"

/* The object of a choice: a value of a family, or a name. The word behind it, or 0. */
static size_t read_object(prose *p, size_t i, size_t end, prose_match *m, prose_value *v) {
  if (prose_has(p, i, end, C_ARTICLE | C_OWNER))
    i++;
  if (i >= end)
    return 0;
  if (prose_value_at(p, i, end, m)) {
    v->value = prose_span(p, i, m->to);
    v->reading = m->name;
    v->family = true;
    return m->to;
  }
  *m = (prose_match){ 0 };
  size_t stop = prose_tail_start(p, i, end);
  if (stop - i > 4)
    return 0;
  for (size_t k = i; k < stop; k++)
    if (!prose_looks_named(&p->t[k]) || (p->t[k].cls & (C_PRONOUN | C_SEVERAL)) || p->t[k].owns)
      return 0;
  v->value = prose_span(p, i, stop);
  return stop;
}

/* What the choice is for: "for linting", "as our broker". Also "over X", "not X". */
static bool read_purpose(prose *p, prose_np *np, const prose_match *m, size_t *at, size_t end) {
  bool is_for = prose_is(p, *at, end, "for"), is_as = prose_is(p, *at, end, "as");
  if (!is_for && !is_as)
    return false;
  size_t from = *at + 1, stop = from;
  if (prose_has(p, from, end, C_ARTICLE | C_OWNER))
    from++;
  while (stop < end &&
         !(stop > from &&
           (p->t[stop - 1].stop || (p->t[stop].cls & (C_TAIL | C_COND | C_AND)) ||
            (p->t[stop].cls & C_PREP) || (p->t[stop].cls & C_LATELY))))
    stop++;
  if (stop <= from || stop - from > 5)
    return false;
  static const char qualities[] = /* why, and no task */
      "clarity|consistency|convenience|efficiency|flexibility|performance|readability|simplicity|"
      "speed";
  prose_quantity q;
  if (prose_read_quantity(p, &q, from, stop) || prose_one_of(p, stop - 1, stop, qualities))
    return false;
  if (is_for && m->n && prose_read_family_np(p, np, from, stop, m)) {
    *at = stop;
    return true;
  }
  if (is_for && prose_family_topic(p, from, stop) >= 0 && m->n)
    return false;
  if (!prose_read_np(p, np, from, stop) || np->person)
    return false;
  if (is_for) {
    prose_add_name(&np->subject, &np->attribute);
    np->attribute = (prose_name){ 0 };
    prose_add_words(&np->attribute, hm_str_ends(p->t[from - 2].low, "case") ? "naming" : "tool");
  } else {
    if (np->family >= 0 && m->n && !prose_match_has(m, np->family))
      return false;
    prose_attribute_from_subject(np);
  }
  *at = stop;
  return true;
}

typedef enum { USE, CHOOSE, DROP } deed;

/* Keeps one family of a value that has several: that of the value which it is not ("ruff, not
 * flake8"), or the one that the scope names. at: the word behind the value. */
static bool keep_family(const prose *p, prose_match *m, size_t at, size_t end) {
  prose_match left;
  int keep = m->n == 1 || m->based ? m->family[0] : -1;
  size_t than = end;
  if (prose_one_of(p, at, end, "not|over"))
    than = at + 1;
  else if (prose_are(p, at, end, "instead of"))
    than = at + 2;
  bool told = prose_value_at(p, than, end, &left);
  for (size_t k = 0; k < m->n && keep < 0; k++)
    if (told && prose_match_has(&left, m->family[k]))
      keep = m->family[k];
  for (size_t k = 0; k < m->n && keep < 0; k++)
    if (hm_str_is(p->about, prose_family_name(p, m->family[k])))
      keep = m->family[k];
  if (keep < 0)
    return false;
  m->family[0] = keep;
  m->n = 1;
  return true;
}

/* X [over Z] [for Y | as Y] at i. */
static bool claim_object(prose *p, size_t from, size_t i, size_t end, deed d) {
  prose_match m, other;
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = from, .denied = d == DROP };
  prose_np np = { .family = -1 };
  hm_str product;
  int noun;
  size_t version, two = 0, at = prose_product_at(p, i, end, &product, &version);
  if (at && d == USE)
    return prose_read_version(p, &np, &v, i, end);
  at = read_object(p, i, end, &m, &v);
  if (!at)
    return false;
  if (at < end && !p->t[at - 1].stop && m.n && prose_family_noun(p, at, at + 1, &noun))
    at++;
  for (size_t k = at; k < end && d == USE; k++) /* "use A, B or any C" */
    if (prose_is(p, k, end, "or") && (k == at || p->t[at - 1].stop == ','))
      return false;
  size_t behind = v.to = at;
  if (prose_is(p, at, end, "over") && d == CHOOSE) {
    size_t stop = prose_tail_start(p, at + 1, end);
    v.left = prose_span(p, at + 1, stop);
    at = v.to = stop;
  }
  bool purpose = read_purpose(p, &np, &m, &at, end);
  size_t next = at + 1;
  if (purpose) {
    v.to = at;
    /* "Redis for caching and Kafka for messaging" */
    if (prose_is(p, at, end, "and") && prose_value_at(p, next, end, &other) &&
        prose_is(p, other.to, end, "for"))
      two = end, end = at;
  } else {
    if (prose_one_of(p, at, end, "for|as"))
      return false;
    if (m.n && !keep_family(p, &m, behind, end))
      return false;
    if (m.n)
      prose_add_words(&np.attribute, prose_family_name(p, m.family[0]));
    else if (p->about.n && (v.left.n || d == DROP))
      prose_add_words(&np.attribute, "choice");
    else
      return false;
    if (m.n && d == USE && prose_is_list(p, i, end))
      return false;
  }
  if (prose_read_tail(p, &np, &v, at, end)) {
    if (v.left.n && d == CHOOSE && np.attribute.n == 1 && hm_str_is(np.attribute.w[0], "tool"))
      np.attribute.w[0] = HM_STR("choice");
    prose_claim(p, &np, &v);
  }
  if (two)
    claim_object(p, from, next, two, d);
  return true;
}

bool prose_read_use(prose *p, size_t from, size_t i, size_t end) {
  return claim_object(p, from, i, end, USE);
}

/* "pinned numpy to 1.26": the verb at `verb`, a version at `at`. */
static bool is_pinned(const prose *p, size_t verb, size_t at, size_t end) {
  const prose_word *thing = &p->t[verb + 1];
  bool pins = false;
  pins = pins || prose_one_of(p, verb, end, "bumped|downgraded|locked|pinned|upgraded");
  return pins && at < end && !thing->cls && !hm_str_ends(thing->low, "version") && !thing->digit &&
      prose_is_version(p->t[at].s) && memchr(p->t[at].s.p, '.', p->t[at].s.n);
}

/* "from A to B" | "to B" at i: the value B, and A as left. */
static bool claim_move(prose *p, size_t from, size_t subject, size_t i, size_t end) {
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = from, .to = end };
  size_t to = i;
  while (to < end && !prose_is(p, to, end, "to"))
    to++;
  if (to + 1 >= end)
    return true;
  if (prose_is(p, i, end, "from"))
    v.left = prose_span(p, i + 1, to);
  else if (to != i)
    return true;
  prose_match m;
  prose_np np = { .family = -1 };
  if (prose_value_at(p, to + 1, end, &m) &&
      !prose_product_at(p, to + 1, end, &v.reading, &(size_t){ 0 })) {
    if (subject < i) {
      if (!prose_read_family_np(p, &np, subject, i, &m))
        return true;
    } else {
      if (m.n > 1)
        return true;
      prose_add_words(&np.attribute, prose_family_name(p, m.family[0]));
    }
    v.value = prose_span(p, to + 1, m.to);
    v.reading = m.name;
    v.family = true;
    v.to = m.to;
    prose_claim_with_tail(p, &np, &v, m.to, end);
    return true;
  }
  v.reading = HM_EMPTY;
  hm_str product;
  size_t version;
  if (subject == i && prose_product_at(p, to + 1, end, &product, &version)) {
    prose_read_version(p, &np, &v, to + 1, end);
    return true;
  }
  if (subject + 1 == i && prose_value_at(p, subject, i, &m) && prose_is_version(p->t[to + 1].s)) {
    prose_add_word(&np.subject, m.name);
    prose_add_words(&np.attribute, "version");
    prose_read_version(p, &np, &v, to + 1, end);
    return true;
  }
  if (subject + 1 == i && subject > from && is_pinned(p, subject - 1, to + 1, end)) {
    prose_add_word(&np.subject, p->t[subject].low);
    prose_add_words(&np.attribute, "version");
    prose_read_version(p, &np, &v, to + 1, end);
    return true;
  }
  if (subject < i && prose_read_np(p, &np, subject, i) && !np.indefinite)
    prose_read_value(p, &np, &v, to + 1, end, 't');
  return true;
}

static bool claim_replaced(prose *p, size_t from, size_t i, size_t end) {
  size_t with = i, n = 0;
  for (; with < end; with++) {
    if (prose_one_of(p, with, end, "with|by"))
      n = 1;
    else
      n = prose_are(p, with, end, "in favor of") + prose_are(p, with, end, "in favour of");
    if (n)
      break;
  }
  if (with == i || with + n >= end || with - i > 4)
    return true;
  return prose_read_replaced(p, from, i, with, with + n, end);
}

bool prose_read_replaced(prose *p, size_t from, size_t i, size_t j, size_t with, size_t end) {
  prose_match old;
  bool known = prose_value_at(p, i, j, &old);
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = from, .left = prose_span(p, i, j) };
  prose_match m;
  prose_np np = { .family = -1 };
  size_t at = read_object(p, with, end, &m, &v);
  if (!at)
    return true;
  v.to = at;
  if (read_purpose(p, &np, &m, &at, end)) {
    v.to = at;
  } else {
    int f = -1;
    for (size_t k = 0; known && k < old.n; k++)
      if (prose_match_has(&m, old.family[k]))
        f = old.family[k], k = old.n;
    if (f < 0)
      return true;
    prose_add_words(&np.attribute, prose_family_name(p, f));
  }
  prose_claim_with_tail(p, &np, &v, at, end);
  return true;
}

/* "we squash on merge" */
static bool claim_merging(prose *p, size_t from, size_t i, size_t end) {
  prose_match m;
  if (!prose_one_of(p, i, end, "squash|rebase"))
    return false;
  size_t at = prose_is(p, i + 1, end, "commits") ? i + 2 : i + 1;
  if (!prose_one_of(p, at, end, "on merge|before merging"))
    return false;
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = from, .to = at + 2, .family = true };
  v.value = prose_span(p, i, i + 1);
  v.reading = prose_value_at(p, i, end, &m) ? m.name : p->t[i].low;
  prose_add_words(&np.attribute, "merge_strategy");
  prose_claim(p, &np, &v);
  return true;
}

bool prose_read_decision(prose *p, size_t i, size_t end) {
  static const char chosen[] =
      "chose|picked|selected|settled on|decided on|went with|decided to go with|adopted|"
      "standardized on|opted for|standardised on|decided to use|agreed on|chose to use";
  size_t at = i, n = 0;
  bool we = prose_one_of(p, at, end, "we|we're|we've|i'm|i");
  if (we)
    at++;
  if (prose_are(p, at, end, "the team"))
    at += 2;
  bool after_head = i && p->t[i - 1].stop == ':' && (p->t[i - 1].cls & C_CHANGE);
  prose_match m;
  if (after_head && prose_value_at(p, i, end, &m) && (m.to == end || p->t[m.to - 1].stop == ','))
    return claim_object(p, i, i, end, USE);
  if (prose_are(p, at, end, "no longer use"))
    return claim_object(p, i, at + 3, end, DROP);
  if (we && prose_one_of(p, at, end, "don't use|stopped using"))
    return claim_object(p, i, at + 2, end, DROP);
  if (we && prose_are(p, at, end, "do not use"))
    return claim_object(p, i, at + 3, end, DROP);
  while (prose_has(p, at, end, C_HAVE | C_BE | C_ADVERB))
    at++;
  bool nobody = at == i && !p->about.n && prose_is(p, at, end, "uses");
  for (size_t k = at; nobody; k++) { /* "Uses Redis for sessions" */
    nobody = k < end;
    if (prose_is(p, k, end, "for"))
      break;
  }
  if (nobody || prose_one_of(p, at, end, "use|using"))
    return claim_object(p, i, at + 1, end, USE);
  if ((n = prose_one_of(p, at, end, chosen)) != 0)
    return claim_object(p, i, at + n, end, CHOOSE), true;
  if (prose_one_of(p, at, end, "replaced|dropped"))
    return claim_replaced(p, i, at + 1, end);
  if (we && claim_merging(p, i, at, end))
    return true;
  if (prose_is(p, at, end, "set") && !we && at == i) {
    size_t to = at + 1;
    while (to < end && !prose_is(p, to, end, "to"))
      to++;
    return to < end && claim_move(p, i, at + 1, to, end);
  }
  if ((we || at == i) && prose_has(p, at, end, C_MOVED) && at + 1 < end &&
      !prose_has(p, at + 1, end, C_BE | C_WAS)) {
    size_t from = prose_is(p, at + 1, end, "back") ? at + 2 : at + 1, to = from;
    while (to < end && to < at + 8 && !prose_one_of(p, to, end, "to|from"))
      to++;
    return to < end && claim_move(p, i, from, to, end);
  }
  return false;
}
