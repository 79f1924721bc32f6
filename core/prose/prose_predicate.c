/* SUBJECT VERB OBJECT: where the verb is, what it is about, and whether it is denied.
 *
 * The tables of verbs are in prose_verbs.c, their objects in prose_object.c. "VALUE is our KIND" is
 * read backwards. A note has no "is": "debug mode disabled". */
#include <string.h>

#include "core/prose/prose_grammar.h"

/* --- inverse: VALUE is our KIND ------------------------------------------------------------- */

/* "Postgres 14 is our database version", "Kafka is used as the message broker", "REST is the style
 * of our API", "OpenSSL 3.0 is required". Subject at [i, be), object at [at, end). */
static bool claim_inverse(prose *p, size_t i, size_t be, size_t at, size_t end, bool denied) {
  hm_str product;
  size_t version, to;
  prose_np np = { .family = -1 };
  prose_value v = { .from = i, .to = end, .denied = denied };
  bool used = prose_one_of(p, at, end, "used as|used for");
  if (used)
    at += 2;
  if ((to = prose_product_at(p, i, be, &product, &version)) == be && to) {
    bool ours = prose_has(p, at, end, C_OWNER | C_ARTICLE) || used;
    bool required = prose_is(p, at, end, "required") && at + 1 == end;
    if (!ours && !required)
      return false;
    prose_np ours_np;
    if (ours && (!prose_read_np(p, &ours_np, at, end) || ours_np.indefinite))
      return true;
    if (ours && ours_np.family < 0 && !prose_name_ends(&ours_np.attribute, "version"))
      return true;
    if (required)
      v.to = at + 1;
    np.attribute = np.subject = (prose_name){ 0 };
    prose_add_word(&np.attribute, product);
    prose_add_words(&np.attribute, "version");
    v.shape = HM_SHAPE_VERSION;
    v.value = v.reading = p->t[version].s;
    prose_claim(p, &np, &v);
    return true;
  }
  prose_match m;
  if (!prose_value_at(p, i, be, &m) || m.to != be)
    return false;
  if (prose_has(p, at, end, C_MOVED) && prose_is(p, at + 1, end, "to"))
    return false;
  size_t stop = at;
  while (stop < end &&
         !(stop > at && (p->t[stop - 1].stop || (p->t[stop].cls & (C_TAIL | C_COND | C_LATELY)))))
    stop++;
  if (!used && !prose_has(p, at, end, C_OWNER) && !prose_is(p, at, end, "the"))
    return true;
  bool bound = prose_read_np(p, &np, at, stop) && !np.indefinite && np.family >= 0 &&
      prose_match_has(&m, np.family);
  if (!bound && used)
    bound = prose_read_family_np(p, &np, at, stop, &m);
  if (!bound) {
    /* "Terraform is our infrastructure tool": any attribute of names */
    if (!prose_read_np(p, &np, at, stop) || np.indefinite || np.person || !np.known_name)
      return true;
    if (hm_str_is(np.attribute.w[np.attribute.n - 1], "style") && m.n) {
      np.attribute = (prose_name){ 0 };
      prose_add_words(&np.attribute, prose_family_name(p, m.family[0]));
    }
  }
  v.shape = HM_SHAPE_CHOICE;
  v.value = prose_span(p, i, be);
  v.reading = m.name;
  v.to = stop;
  prose_claim_with_tail(p, &np, &v, stop, end);
  return true;
}

/* --- subject and verb ---------------------------------------------------------------------------
 */

/* The subject at [i, verb): "we" gives none; the scope replaces it. */
static bool read_subject(prose *p, prose_np *np, size_t i, size_t verb) {
  *np = (prose_np){ .family = -1 };
  while (verb > i && (p->t[verb - 1].cls & (C_ADVERB | C_NOT)) && !(p->t[verb - 1].cls & C_NAMED))
    verb--;
  size_t stop = verb;
  while (verb > i + 1 && p->t[verb - 1].aside && !p->t[verb - 1].code)
    verb--; /* "(MSRV)" */
  if (verb < stop && prose_is_restriction(p, verb, stop))
    return false;
  if (verb == i)
    return true;
  if (verb == i + 1) {
    if (prose_one_of(p, i, verb, "we|we've|we're"))
      return true;
    if (prose_one_of(p, i, verb, "i|i'm|i've")) {
      prose_add_words(&np->subject, "user");
      np->user = np->person = true;
      return true;
    }
  }
  if (verb == i + 2 && prose_are(p, i, verb, "the team"))
    return true;
  if (!prose_read_np(p, np, i, verb))
    return false;
  if (verb + 1 == stop)
    prose_add_environment(p, np, verb);
  return true;
}

/* Behind "is" and its like at be: adverbs, "not", "been". */
static size_t read_negation(const prose *p, size_t at, size_t end, bool *denied, bool *also) {
  for (; at < end; at++) {
    if (prose_are(p, at, end, "no longer"))
      *denied = true, at++;
    else if (prose_one_of(p, at, end, "not|never"))
      *denied = true;
    else if (prose_is(p, at, end, "also"))
      *also = true;
    else if (!prose_has(p, at, end, C_ADVERB) || prose_is(p, at, end, "only") ||
             (p->t[at].capital && at > 0))
      break;
  }
  return at;
}

/* "Dana owns the billing service", "Dana is the owner of the billing service": a name at i, its
 * thing at `at`. attribute NULL: it is in the phrase. */
static bool claim_holder(prose *p, size_t i, size_t at, size_t end, const char *attribute) {
  prose_np np;
  prose_value v = { .shape = HM_SHAPE_ATTRIBUTE, .from = i, .value = p->t[i].s };
  size_t stop = prose_tail_start(p, at + 1, end);
  /* "Kim owns search", not "Kim owns bikes" */
  size_t name = i; /* "the mobile team owns the push service" */
  bool team = attribute && at > i + 2 && prose_is(p, i, end, "the") && at - i <= 5 &&
      prose_one_of(p, at - 2, end, "team|service|squad");
  if (team)
    v.value = prose_span(p, ++name, at - 1);
  if (team && at == name + 3 && p->t[name].code)
    v.value = p->t[name].s; /* "the `orders` service" */
  bool bare = attribute && at + 1 == end && !p->t[at].capital && !p->t[at].digit &&
      !hm_str_ends(p->t[at].low, "s") &&
      !(p->t[at].cls & ~(uint64_t)(C_NAMED | C_MEASURE | C_KIND | C_VERB));
  if ((!team && (!p->t[i].capital || p->t[i].cls || p->t[i].owns)) ||
      !(bare || prose_has(p, at, end, C_ARTICLE | C_OWNER)))
    return false;
  while (!attribute && stop < end && prose_is(p, stop, end, "of"))
    stop = prose_tail_start(p, stop + 2, end);
  if (!prose_read_np(p, &np, at, stop) || np.indefinite || np.person || np.value || np.user)
    return false;
  if (attribute)
    prose_set_attribute(&np, attribute);
  else if (!np.known_name || np.family >= 0 || (!np.subject.n && !prose_is(p, at, end, "our")))
    return false;
  v.to = stop;
  prose_claim_with_tail(p, &np, &v, stop, end);
  return true;
}

/* "Marek is the deputy head of the school": who holds a role that one holds. */
static bool claim_role(prose *p, size_t i, size_t be, size_t at, size_t end) {
  static const char roles[] =
      "boss|captain|chair|chef|coach|contact|cook|dean|deputy|guide|head|host|judge|lead|mayor|"
      "nurse|principal|referee|secretary|steward|trustee|vet|warden";
  prose_np np;
  prose_value v = { .from = at, .to = end, .by = 'i' };
  if (be - i > 2 || !prose_one_of(p, at, end, "the|our") || !prose_read_np(p, &np, at, end) ||
      np.indefinite || np.user || np.value)
    return false;
  for (size_t k = i; k < be; k++)
    if (!p->t[k].capital || p->t[k].cls || p->t[k].owns || p->t[k].digit)
      return false;
  hm_str head = p->t[np.last].low;
  if (!prose_word_in(head, roles) && !prose_ends_in(head, "er|or|ist|man|woman|person|ant|ent"))
    return false;
  prose_np saved = np;
  if (prose_read_name_value(p, &np, &v, i, be))
    return true;
  v = (prose_value){ .from = at, .to = end, .by = 'i' };
  return prose_read_identity(p, &saved, &v, i, be);
}

static bool read_is_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  return prose_read_value(p, np, v, i, end, 'i');
}

/* The object behind "is": V, PART V, raised to V. */
static bool read_is(prose *p, size_t i, size_t be, size_t at, size_t end, bool past, bool perfect) {
  prose_np np;
  prose_value v = { .from = i, .to = end };
  if (at > i && p->t[at - 1].stop == ':')
    return true; /* "supported are: ..." */
  at = read_negation(p, at, end, &v.denied, &v.also);
  if (at >= end)
    return true;
  if (!past && !perfect && claim_inverse(p, i, be, at, end, v.denied))
    return true;
  if (!past && !perfect && !v.denied && be == i + 1 && claim_holder(p, i, at, end, NULL))
    return true;
  if (!past && !perfect && !v.denied && claim_role(p, i, be, at, end))
    return true;
  size_t charge = prose_one_of(p, at, end, "responsible for|in charge of");
  if (charge && !past && !v.denied && be == i + 1 &&
      claim_holder(p, i, at + charge, end, "responsible"))
    return true;
  if (prose_one_of(p, at, end, "replaced by|replaced with"))
    return prose_read_replaced(p, i, i, be, at + 2, end);
  if (!read_subject(p, &np, i, be))
    return true;
  if (past && prose_is(p, i, end, "the") && prose_is(p, i + 1, end, "corrected"))
    past = false;
  if (np.value && np.family < 0 && !((p->t[at].cls & C_MOVED) && be == i + 1))
    return true;
  size_t n;
  if (prose_read_special(p, &np, &v, at, end, past))
    return true;
  bool turned =
      prose_one_of(p, at, end, "turned on|turned off|switched off|switched on|enabled|disabled");
  if (past || perfect) {
    if (turned && !prose_has_day(p, at, end))
      prose_read_switch(p, &np, &v, at, end);
    const prose_row *r = prose_part_row(p, at, end, &n);
    bool since = false; /* "has been in Turin since 2010" */
    for (size_t k = at + n; r && k < end && !since; k++)
      since = prose_is(p, k, end, "since");
    if (r && perfect && (r->k != K_PLACE || since))
      prose_read_object(p, r, &np, &v, at + n, end, true);
    return true;
  }
  /* "is no longer 10 s but 5 s" */
  if (v.denied) {
    size_t but = at;
    while (but < end && !prose_is(p, but, end, "but"))
      but++;
    if (but + 1 < end) {
      v.denied = false;
      v.left = prose_span(p, at, but);
      prose_read_value(p, &np, &v, but + 1, end, 'i');
      return true;
    }
  }
  const prose_row *r = prose_part_row(p, at, end, &n);
  prose_np saved = np;
  if (r && prose_read_object(p, r, &np, &v, at + n, end, true))
    return true;
  if (r && r->k == K_NAME && hm_str_is(p->t[at].low, "called"))
    return true; /* a call */
  static const prose_reader last[] = { read_is_value };
  np = saved;
  v = (prose_value){ .from = i, .to = end, .denied = v.denied, .also = v.also };
  prose_read_first(p, &np, &v, at, end, last, HM_COUNT(last));
  return true;
}

/* Forms of "is" at word k; *done: it is one. */
static bool read_any_is(prose *p, size_t i, size_t k, size_t end, bool *done) {
  const prose_word *t = &p->t[k];
  size_t n;
  *done = true;
  if (k == i && prose_is(p, k, end, "i'm"))
    return read_is(p, i, k + 1, k + 1, end, false, false);
  if (prose_one_of(p, k, end, "isn't|aren't")) {
    prose_value v = { .from = i, .to = end, .denied = true };
    prose_np np;
    if (read_subject(p, &np, i, k))
      prose_read_value(p, &np, &v, k + 1, end, 'i');
    return true;
  }
  if (k == i && prose_is(p, k, end, "we're"))
    return read_is(p, i, k + 1, k + 1, end, false, false);
  if ((t->cls & C_HAVE) && prose_has(p, k + 1, end, C_MOVED) && prose_is(p, k + 2, end, "to"))
    return read_is(p, i, k, k + 1, end, false, true);
  if ((t->cls & C_HAVE) && prose_is(p, k + 1, end, "been"))
    return read_is(p, i, k, k + 2, end, false, true);
  /* "stored in Redis", of what the text is about */
  const prose_row *part =
      k == i && (t->cls & C_PART) && !(t->cls & C_PREP) && prose_has(p, k + 1, end, C_PREP)
      ? prose_part_row(p, k, end, &n)
      : NULL;
  if (part && (p->about.n || part->k == K_FAMILY)) /* "licensed under MIT" */
    return read_is(p, i, i, i, end, false, false);
  if (k == i && p->about.n && prose_has(p, k + 1, end, C_PREP) &&
      prose_one_of(p, k, end, "born|founded|established"))
    return read_is(p, i, i, i, end, true, false);
  if (k == i && prose_one_of(p, k, end, "i've|we've")) {
    prose_np np;
    prose_value v = { .from = i, .to = end };
    return read_subject(p, &np, i, k + 1) && prose_read_possession(p, &np, &v, k + 1, end);
  }
  if (prose_one_of(p, k, end, "be|being"))
    return false; /* "can't be" */
  if ((t->cls & C_BE) && (k > i || p->about.n))
    return read_is(p, i, k, k + 1, end, false, false);
  if (t->cls & C_WAS)
    return k > i && read_is(p, i, k, k + 1, end, true, false);
  if (prose_is(p, k, end, "got") && prose_has(p, k + 1, end, C_MOVED))
    return read_is(p, i, k, k + 1, end, true, false);
  return *done = false;
}

/* The verb of row r at k, its object at `at`. false: it may be a noun after all. */
static bool read_verb(prose *p, const prose_row *r, size_t i, size_t k, size_t at, size_t end,
                      bool denied, bool only) {
  prose_np np;
  prose_value v = { .from = i, .to = end, .denied = denied, .only = only };
  size_t stop = k, but = at;
  while (stop > i &&
         (prose_one_of(p, stop - 1, end, "does|do|longer") || (p->t[stop - 1].cls & C_NOT)))
    stop--;
  for (size_t a = i; a < k; a++)
    v.also = v.also || prose_is(p, a, end, "also");
  v.only = v.only || (k > i && prose_is(p, k - 1, end, "only"));
  hm_str product;
  size_t version;
  if (r->k == K_USE && stop > i && prose_product_at(p, i, stop, &product, &version) == stop) {
    np = (prose_np){ .family = -1 }; /* "Kubernetes 1.28 runs on staging" */
    prose_add_word(&np.attribute, product);
    prose_add_words(&np.attribute, "version");
    v.shape = HM_SHAPE_VERSION;
    v.value = v.reading = p->t[version].s;
    if (prose_is(p, at - 1, end, "on") && prose_read_tail(p, &np, &v, at - 1, end))
      prose_claim(p, &np, &v);
    return true;
  }
  if (!read_subject(p, &np, i, stop))
    return true;
  if (stop == i && !p->about.n && r->k != K_FAMILY &&
      !((r->k == K_NEED || r->k == K_USE) && prose_product_at(p, at, end, &product, &version)))
    return true;
  if (denied && (r->k == K_HAS || r->k == K_NEED))
    return true;
  while (denied && but < end && !prose_is(p, but, end, "but"))
    but++;
  if (denied && but + 2 < end && prose_has(p, but + 1, end, C_PREP)) {
    v.left = prose_span(p, at, but); /* "no longer lives in Porto but in Lisbon" */
    v.denied = false;
    at = but + 2;
  }
  if (prose_read_object(p, r, &np, &v, at, end, false))
    return true;
  /* a noun after all, when another verb follows: "the return costs 5 EUR" */
  for (size_t a = k + 1; a < end && a < k + 3; a++)
    if (p->t[a].cls & (C_BE | C_VERB))
      return false;
  return true;
}

/* --- the first verb --------------------------------------------------------------------------- */

bool prose_read_predicate(prose *p, size_t i, size_t end) {
  static const prose_row only_deploys = { "deploys only to", K_FAMILY, "region" };
  bool denied = false, done;
  for (size_t k = i; k < end && k < i + 12; k++) {
    const prose_word *t = &p->t[k];
    if (t->aside)
      continue;
    if (k > i && p->t[k - 1].stop && p->t[k - 1].stop != '.')
      return false;
    bool claimed = read_any_is(p, i, k, end, &done);
    if (done)
      return claimed;
    denied = denied || prose_one_of(p, k, end, "does not|do not|doesn't|don't|no longer");
    static const struct {
      const char *verb, *attribute;
    } holds[] = { { "owns", "owner" }, { "maintains", "maintainer" }, { "leads", "lead" } };
    bool team = k > i + 2 && prose_one_of(p, k - 1, end, "team|service|squad");
    for (size_t h = 0; (k == i + 1 || team) && h < HM_COUNT(holds); h++)
      if (prose_is(p, k, end, holds[h].verb))
        return claim_holder(p, i, k + 1, end, holds[h].attribute);
    if (!(t->cls & C_VERB) || prose_is_noun_here(p, k, i, end)) {
      if (t->cls & C_EVENT && k > i + 1)
        return false;
      continue;
    }
    size_t n;
    const prose_row *r = prose_verb_row(p, k, end, &n);
    bool only = prose_is(p, k, end, "deploys") && prose_are(p, k + 1, end, "only to");
    if (only)
      r = &only_deploys, n = 3;
    if (r && read_verb(p, r, i, k, k + n, end, denied, only))
      return true;
  }
  return false;
}
