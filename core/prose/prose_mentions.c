/* Values that a text only mentions, and words of change and decision outside of all values.
 *
 * A mention has the slots that a claim of it could have: of its family alone, of the text's subject
 * and of the things that the text names ("the frontend": frontend_framework). */
#include "core/prose/prose_grammar.h"
#include "core/base/sort.h"

/* --- signs of change -------------------------------------------------------------------------- */

enum { MENTIONS_MAX = 24, NOUNS_MAX = 6 };

static int by_place(const void *item, const void *key) {
  const char *p = ((const prose_word *)item)->s.p, *at = key;
  return (p > at) - (p < at);
}

/* Marks the words inside the values of claims, and lists what is claimed: a text may have thousands
 * of claims, and is not looked through for each word. */
static void read_claims(prose *p) {
  hm_map_init(&p->claimed, p->a, p->out->n);
  for (size_t k = 0; k < p->out->n; k++) {
    const hm_prose_claim *c = &p->out->claims[k];
    hm_map_add(&p->claimed, c->slot, 0);
    if (c->shape == HM_SHAPE_SWITCH)
      continue;
    const char *end = c->value.p + c->value.n;
    size_t i = hm_lower_bound(p->t, p->n, sizeof *p->t, c->value.p, by_place);
    for (; i < p->n && p->t[i].s.p < end; i++)
      p->t[i].in_value = true;
  }
}

/* "was adjusted to", "has been tightened to", "rose to"; not "was set to", which may be first. */
static bool is_moved(const prose *p, size_t i) {
  bool was = i && (p->t[i - 1].cls & C_WAS) && (p->t[i].cls & C_MOVED);
  if (p->t[i].in_value || prose_one_of(p, i, p->n, "fixed|pinned|set"))
    return false;
  bool alone = prose_one_of(p, i, p->n, "grew|rose|upped");
  return (was || alone) && (prose_is(p, i + 1, p->n, "to") || prose_is(p, i, p->n, "upped"));
}

/* "since March", "as of 2026-03-02", "effective 1 May", "from 1 May on" at i: when it began. */
static bool begins_at_date(const prose *p, size_t i) {
  size_t n = prose_one_of(p, i, p->n, "as of|since|effective|starting|beginning"), to;
  if (n)
    n += prose_one_of(p, i + n, p->n, "from|on");
  else if (prose_is(p, i, p->n, "from"))
    return prose_is_date(p, i + 1, p->n, &to) && prose_one_of(p, to, p->n, "on|onwards|onward");
  return n && prose_is_date(p, i + n, p->n, &to);
}

bool prose_settles(const prose *p) {
  /* "Update: ..." */
  if (p->n > 1 && p->t[0].stop == ':' && prose_one_of(p, 0, 1, "update|updated|change"))
    return true;
  for (size_t i = 0; i < p->n; i++) {
    if (begins_at_date(p, i))
      return true;
    /* "is Leo again", not "retries again after 5 s" */
    bool last = i + 1 == p->n || p->t[i].stop;
    if (i && last && prose_is(p, i, p->n, "again") && p->t[i - 1].in_value)
      return true;
    if (((p->t[i].cls & C_CHANGE) && !p->t[i].in_value) || is_moved(p, i))
      return true;
    if (prose_one_of(p, i, p->n,
                     "no longer|went back|went from|went down|went up|down to|from now on|became|"
                     "has become|have become|not any more"))
      return true;
  }
  return false;
}

/* --- mentions ---------------------------------------------------------------------------- */

static void add_mention(prose *p, hm_str subject, const prose_name *attribute, hm_str value,
                        hm_str words) {
  prose_name name = { .n = 0 };
  hm_str folded = prose_fold_name(p, attribute);
  bool said = subject.n < folded.n && hm_str_starts(folded, hm_str_z(p->a, subject)) &&
      folded.p[subject.n] == '_';
  if (!said)
    prose_add_word(&name, subject);
  prose_add_word(&name, folded);
  hm_str slot = prose_fold_name(p, &name);
  char *z = (char *)slot.p;
  for (size_t i = 0; i < slot.n; i++)
    if (z[i] == ' ')
      z[i] = '_';
  if (p->out->n_mentions >= MENTIONS_MAX || hm_map_get(&p->claimed, slot) != HM_MAP_NONE)
    return;
  for (size_t k = 0; k < p->out->n_mentions; k++)
    if (hm_str_eq(p->out->mentions[k].slot, slot) && hm_str_eq(p->out->mentions[k].value, value))
      return;
  if (!p->mention_cap)
    p->out->mentions = hm_alloc_array(p->a, p->mention_cap = 4, sizeof(hm_mention));
  p->out->mentions = hm_array_grow_in(p->a, p->out->mentions, p->out->n_mentions, &p->mention_cap,
                                      sizeof(hm_mention));
  p->out->mentions[p->out->n_mentions++] = (hm_mention){ slot, value, words };
}

static bool is_noun(const prose_word *t) {
  const uint64_t refused = C_ARTICLE | C_OWNER | C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT |
      C_ADVERB | C_PREP | C_COND | C_TAIL | C_UNSURE | C_SEVERAL | C_NUMBER | C_LATELY | C_AND |
      C_MUST | C_EVENT | C_DAY;
  return !(t->cls & refused) && !t->digit;
}

/* Names of things in the text but for words [from, to): single words and pairs of them. */
static size_t read_things(prose *p, hm_str *things, size_t from, size_t to) {
  size_t n = 0;
  for (size_t i = 0; i < p->n && n + 2 <= NOUNS_MAX; i++) {
    if ((i >= from && i < to) || !is_noun(&p->t[i]) || p->t[i].low.n < 2)
      continue;
    prose_name name = { .n = 0 };
    bool pair =
        i + 1 < p->n && !p->t[i].stop && is_noun(&p->t[i + 1]) && !(i + 1 >= from && i + 1 < to);
    if (pair) {
      prose_add_word(&name, p->t[i].low);
      prose_add_word(&name, prose_singular(p, &p->t[i + 1]));
      things[n++] = prose_fold_name(p, &name);
      name.n = 0;
    }
    bool first = !i || !is_noun(&p->t[i - 1]) || p->t[i - 1].stop || (i - 1 >= from && i - 1 < to);
    if (first || !pair) {
      prose_add_word(&name, prose_singular(p, &p->t[i]));
      things[n++] = prose_fold_name(p, &name);
    }
  }
  return n;
}

static void mention(prose *p, const prose_name *attribute, hm_str value, size_t from, size_t to) {
  hm_str things[NOUNS_MAX], words = prose_span(p, from, to);
  if (p->about.n)
    add_mention(p, p->about, attribute, value, words);
  add_mention(p, HM_EMPTY, attribute, value, words);
  size_t n = read_things(p, things, from, to);
  for (size_t k = 0; k < n; k++)
    add_mention(p, things[k], attribute, value, words);
}

void prose_find_mentions(prose *p) {
  read_claims(p);
  for (size_t i = 0; i < p->n && p->out->n_mentions < MENTIONS_MAX; i++) {
    prose_match m;
    hm_str product;
    size_t version, to;
    if ((p->t[i].cls & ~(C_NAMED | C_MEASURE | C_MODEL)) && !p->t[i].capital)
      continue;
    if (p->t[i].in_value)
      continue;
    if ((to = prose_product_at(p, i, p->n, &product, &version)) != 0) {
      prose_name attribute = { .w = { product }, .n = 1 };
      prose_add_words(&attribute, "version");
      if (!p->t[version].in_value)
        mention(p, &attribute, p->t[version].s, i, to);
      i = to - 1;
    } else if (prose_value_at(p, i, p->n, &m)) {
      for (size_t k = 0; k < m.n; k++) {
        prose_name attribute = { .n = 0 };
        prose_add_words(&attribute, prose_family_name(p, m.family[k]));
        mention(p, &attribute, m.name, i, m.to);
      }
      prose_name attribute = { .w = { HM_STR("store") }, .n = 1 };
      if (prose_match_is_store(p, &m))
        mention(p, &attribute, m.name, i, m.to);
      i = m.to - 1;
    }
  }
}
