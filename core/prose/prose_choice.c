/* Choices and sets: "the API style is REST", "a Postgres database", "deploys to eu-west-1",
 * "accepts JSON only". The chosen value is of a family, which gives the attribute. */
#include "core/prose/prose_grammar.h"

/* The one of a value's families that a subject asks for; the first of them by default. */
static int family_for(const prose *p, const prose_match *m, const prose_np *np, const char *hint) {
  if (np && np->family >= 0)
    return prose_match_has(m, np->family) ? np->family : -1;
  if (hint) {
    int f = prose_find_family(p->f, hint);
    return f >= 0 && prose_match_has(m, f) ? f : -1;
  }
  return m->n ? m->family[0] : -1;
}

bool prose_read_family_np(prose *p, prose_np *np, size_t i, size_t j, const prose_match *m) {
  *np = (prose_np){ .family = -1 };
  int topic = -1;
  size_t from = prose_has(p, i, j, C_ARTICLE | C_OWNER) ? i + 1 : i, at = from;
  while (at < j && (topic = prose_family_topic_of(p, at, j, m)) < 0)
    at++;
  if (at < j && topic >= 0) {
    if (!prose_match_has(m, topic))
      return false;
    const char *name = prose_family_name(p, topic);
    hm_str word = p->t[at].low;
    np->family = topic;
    if (at + 1 == j && strncmp(name, word.p, word.n) == 0)
      prose_add_word(&np->subject, word);
    prose_add_words(&np->attribute, name);
    for (size_t k = from; k < at; k++) { /* "session caching" is a cache of sessions */
      if (p->t[k].cls & (C_PRONOUN | C_SEVERAL | C_PREP))
        return false;
      prose_add_word(&np->subject, prose_singular(p, &p->t[k]));
    }
    return true;
  }
  if (i < j && !prose_read_np(p, np, i, j))
    return false;
  if (np->indefinite)
    return false;
  if (np->family >= 0)
    return prose_match_has(m, np->family);
  int f = family_for(p, m, NULL, NULL);
  if (f < 0 || np->person)
    return false;
  prose_add_name(&np->subject, &np->attribute);
  np->attribute = (prose_name){ 0 };
  prose_add_words(&np->attribute, prose_family_name(p, f));
  return true;
}

/* --- lists ------------------------------------------------------------------------------- */

enum { ITEMS = 8 };
typedef struct {
  hm_str item[ITEMS], name[ITEMS];
  size_t n, to;
  prose_match first;
  bool only, same; /* same: all of one family */
  int family;
} list;

/* "JSON", "JSON and XML", "en, de, fr", "only JSON", "JSON only". */
static bool read_list(const prose *p, list *l, size_t i, size_t end) {
  *l = (list){ .family = -1, .same = true };
  if (prose_is(p, i, end, "only"))
    l->only = true, i++;
  if (prose_is(p, i, end, "both"))
    i++;
  while (i < end && l->n < ITEMS) {
    prose_match m;
    if (!prose_value_at(p, i, end, &m))
      break;
    if (!l->n)
      l->first = m, l->family = m.family[0];
    else if (!prose_match_has(&m, l->family))
      l->same = false;
    l->name[l->n] = m.name;
    l->item[l->n++] = prose_span(p, i, m.to);
    l->to = i = m.to;
    bool comma = p->t[i - 1].stop == ',';
    if (prose_one_of(p, i, end, "and|&"))
      i++;
    else if (!comma || prose_is(p, i, end, "not"))
      break;
  }
  if (!l->n)
    return false;
  if (prose_is(p, l->to, end, "only") && p->t[l->to - 1].stop != ',')
    l->only = true, l->to++;
  return true;
}

bool prose_is_list(const prose *p, size_t i, size_t end) {
  list l;
  return read_list(p, &l, i, end) && l.n > 1 && l.same;
}

static void set_list(prose *p, prose_value *v, const list *l) {
  prose_items items = { 0 };
  for (size_t k = 0; k < l->n; k++)
    prose_items_add(p, &items, l->name[k]);
  v->value =
      (hm_str){ l->item[0].p, (size_t)(l->item[l->n - 1].p + l->item[l->n - 1].n - l->item[0].p) };
  v->reading = prose_items_reading(p, &items);
  v->to = l->to;
  v->only = v->only || l->only;
}

bool prose_read_set(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                    const char *verb) {
  list l;
  if (!read_list(p, &l, i, end) || !l.same || np->person || np->indefinite)
    return false;
  /* "JSON uploads" */
  if (l.to < end && !p->t[l.to - 1].stop && prose_has(p, l.to, end, ~(uint64_t)0) == false &&
      !p->t[l.to].capital)
    return false;
  prose_set_attribute(np, verb);
  prose_add_words(&np->attribute, prose_family_name(p, l.family));
  v->shape = HM_SHAPE_SET;
  set_list(p, v, &l);
  v->also = !v->only;
  return prose_claim_with_tail(p, np, v, l.to, end);
}

/* Can "is" give a value of this family to a thing: "the mount is PEEK"? */
static bool is_plain(const prose *p, int family) {
  static const char plain[] =
      "api_style|material|database|cache_store|message_broker|license|editor|ci_system|"
      "cloud_provider|operating_system|orchestrator|web_server|framework|linter|formatter|"
      "package_manager|region|vpn|orm|build_tool";
  return prose_word_in(hm_str_c(prose_family_name(p, family)), plain);
}

/* Behind "is", ":", "uses", "deploys to". np has what it is about. */
bool prose_read_choice(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                       const char *hint) {
  char by = v->by;
  if (prose_one_of(p, i, end, "a|an|the"))
    i++;
  list l;
  /* things whose value is their material: the slot's name needs no "material" */
  bool itself = prose_name_ends(&np->attribute, "cladding|coating|plating|substrate");
  size_t treated = i; /* "welded steel" */
  static const char treatments[] =
      "anodised|anodized|brushed|cast|extruded|forged|hardened|machined|polished|solid|tempered|"
      "welded";
  if (prose_one_of(p, i, end, treatments))
    i++;
  if (!read_list(p, &l, i, end) || (by == 'i' && np->value) || np->person)
    return false;
  if (i > treated && strcmp(prose_family_name(p, l.family), "material") != 0)
    return false;
  int f = family_for(p, &l.first, np, hint);
  if (f < 0 || !l.same)
    return false;
  if (itself && strcmp(prose_family_name(p, f), "material") == 0) {
    v->family = true; /* "the mirror coating is aluminium": no more than it says */
  } else if (np->family < 0) {
    bool named = np->attribute.n && (np->known_name || np->known_measure);
    if (named && by)
      return false;
    if (by == 'i' && !l.first.based && !is_plain(p, f))
      return false;
    if (by == 'i' && np->words && prose_is_notion(p, np->last))
      return false;
    if (by == ':' && !np->subject.n && !np->attribute.n)
      return false;
    prose_add_name(&np->subject, &np->attribute);
    np->attribute = (prose_name){ 0 };
    bool said = false; /* "the VPN gateway is WireGuard" */
    for (size_t k = 0; k < np->subject.n; k++)
      said = said || hm_str_is(np->subject.w[k], prose_family_name(p, f));
    if (said)
      prose_attribute_from_subject(np);
    else
      prose_add_words(&np->attribute, prose_family_name(p, f));
    v->family = true;
    np->family = f;
  }
  /* "a REST API", "a Postgres database" */
  int noun;
  size_t next = l.to;
  if (l.n == 1 && next < end && !p->t[next - 1].stop &&
      (prose_family_noun(p, next, next + 1, &noun) || prose_is(p, next, end, "api")))
    l.to++;
  if (l.n > 1 || v->also || v->only || l.only) {
    v->shape = HM_SHAPE_SET;
    v->also = !l.only && !v->only;
  } else {
    v->shape = HM_SHAPE_CHOICE;
  }
  if (l.n == 1 && l.to < end && !p->t[l.to - 1].stop && prose_is_version(p->t[l.to].s))
    l.to++;
  bool also = v->also;
  set_list(p, v, &l);
  v->also = also;
  return prose_claim_with_tail(p, np, v, l.to, end);
}
