/* What someone does to a thing, with a measure or a purpose: "we cap uploads at 25 MB", "the
 * gateway retries failed requests 3 times", "we keep 30 days of logs", "the user uses a planner to
 * track expenses"; notes that leave "is" out: "cache TTL set to 300 s", "auth handled by Keycloak",
 * "debug mode disabled"; and sets without a verb: "squash merges only".
 *
 * A note without "is" has no verb, unlike "files stored in S3 are encrypted"; so the words after
 * the value must be understood, as everywhere. */
#include "core/prose/prose_grammar.h"

/* Who does it: "we", "the gateway", or none, and the text is about it. */
static bool read_doer(prose *p, prose_np *np, size_t i, size_t verb) {
  *np = (prose_np){ .family = -1 };
  if (verb == i)
    return p->about.n > 0;
  if (verb == i + 1 && prose_is(p, i, verb, "we"))
    return true;
  if (verb == i + 2 && prose_are(p, i, verb, "the team"))
    return true;
  if (p->t[i].cls & C_PREP)
    return false;
  return prose_read_np(p, np, i, verb) && !np->indefinite && !np->person && !np->value;
}

/* The verb of [i, end): one of words, after at most five others; end if there is none. */
static size_t find_verb(const prose *p, size_t i, size_t end, const char *const *words, size_t n) {
  for (size_t k = i; k < end && k < i + 6; k++) {
    if (p->t[k].cls & (C_BE | C_WAS | C_HAVE | C_MUST | C_NOT | C_COND))
      return end;
    for (size_t w = 0; w < n; w++)
      if (prose_is(p, k, end, words[w]))
        return k;
    if (p->t[k].stop)
      return end;
  }
  return end;
}

/* "cap uploads at 25 MB", "limits comments to 500 characters": of what is limited. */
static bool read_cap(prose *p, size_t i, size_t end) {
  static const char *const words[] = { "cap", "caps", "limit", "limits", "restrict", "restricts" };
  size_t verb = find_verb(p, i, end, words, HM_COUNT(words)), at = verb + 1;
  prose_np np;
  prose_quantity q;
  if (verb >= end || verb == i || !read_doer(p, &np, i, verb))
    return false;
  while (at < end && at < verb + 6 && !prose_is(p, at, end, "at") && !prose_is(p, at, end, "to"))
    at++;
  if (p->t[verb + 1].cls & (C_MOVED | C_PART))
    return false; /* "depth limit set to 7" */
  if (at == verb + 1 || at >= end || at >= verb + 6 || !prose_read_quantity(p, &q, at + 1, end))
    return false;
  prose_value v = { .from = i, .to = end };
  if (!prose_read_np(p, &np, verb + 1, at) || np.indefinite || np.person || np.value)
    return false;
  if (q.plain && !np.limit && q.to == end) {
    q.limit = LIMIT_MAX;
    prose_attribute_from_subject(&np);
    return prose_claim_quantity(p, &np, &v, &q, end, NULL);
  }
  return prose_read_count(p, &np, &v, at + 1, end, K_LIMIT);
}

/* "the gateway retries failed requests 3 times" */
static bool read_retries(prose *p, size_t i, size_t end) {
  static const char *const words[] = { "retry", "retries" };
  size_t verb = find_verb(p, i, end, words, HM_COUNT(words)), at = verb + 2;
  prose_np np, what;
  if (verb >= end || !read_doer(p, &np, i, verb))
    return false;
  prose_quantity q;
  while (at < end && at < verb + 5 && !(prose_read_quantity(p, &q, at, end) && q.times))
    at++;
  if (at >= end || at >= verb + 5 || !prose_read_np(p, &what, verb + 1, at) || what.indefinite)
    return false;
  if (np.subject.n + np.attribute.n == 0 && verb > i)
    np = what; /* "we retry failed jobs" */
  prose_value v = { .from = i, .to = end };
  return prose_read_times(p, &np, &v, at, end);
}

/* "we keep 30 days of logs" */
static bool read_keeps(prose *p, size_t i, size_t end) {
  size_t at = prose_is(p, i, end, "we") ? i + 1 : i;
  prose_quantity q;
  prose_np np;
  if (at == i || !(prose_is(p, at, end, "keep") || prose_is(p, at, end, "retain")))
    return false;
  if (!prose_read_quantity(p, &q, at + 1, end) || q.unit != UNIT_TIME ||
      !prose_is(p, q.to, end, "of"))
    return false;
  size_t stop = prose_tail_start(p, q.to + 1, end);
  if (!prose_read_np(p, &np, q.to + 1, stop) || np.indefinite || np.person)
    return false;
  prose_value v = { .from = i, .to = stop };
  q.to = stop;
  return prose_claim_quantity(p, &np, &v, &q, end, "retention");
}

/* Verbs of what is done to a thing somewhere or with something, and their participles. Sorted. */
static const struct {
  const char *verb, *participle;
} placed[] = {
  { "compress", "compressed" }, { "deploy", "deployed" },   { "encrypt", "encrypted" },
  { "export", "exported" },     { "format", "formatted" },  { "forward", "forwarded" },
  { "hash", "hashed" },         { "host", "hosted" },       { "keep", "kept" },
  { "lint", "linted" },         { "manage", "managed" },    { "monitor", "monitored" },
  { "persist", "persisted" },   { "publish", "published" }, { "save", "saved" },
  { "send", "sent" },           { "ship", "shipped" },      { "store", "stored" },
  { "track", "tracked" },       { "write", "written" },
};

/* "we store uploads in S3", "the service keeps sessions in Redis": "uploads are stored in S3". */
static bool read_put(prose *p, size_t i, size_t verb, size_t end) {
  size_t n, at;
  const char *participle = NULL;
  hm_str w = p->t[verb++].low;
  for (size_t k = 0; k < HM_COUNT(placed) && !participle; k++)
    if (hm_str_starts(w, placed[k].verb))
      participle = placed[k].participle;
  prose_np who, np;
  /* "we store", "store", "the service stores" */
  bool we = verb == i + 1 || prose_is(p, i, end, "we") || prose_are(p, i, end, "the team");
  if (participle && we == hm_str_ends(p->t[verb - 1].low, "s") && (verb > i + 1 || !p->about.n))
    return false;
  if (verb == i + 1)
    who = (prose_np){ .family = -1 };
  else if (participle && !read_doer(p, &who, i, verb - 1))
    return false;
  if (!participle)
    return false;
  bool told = verb == i + 1; /* "store the files in S3": an order, of a known value only */
  const prose_row *r = NULL;
  for (at = verb + 1; at < end && at < verb + 5 && !r && !p->t[at - 1].stop; at++)
    r = prose_part_row_of_verb(p, participle, at, end, &n);
  if (!r || (r->k != K_STORE && r->k != K_FAMILY) || prose_has(p, verb, end, C_ADVERB) ||
      !prose_read_np(p, &np, verb, --at) || np.indefinite || np.person || np.value || np.user ||
      np.fresh)
    return false;
  prose_match m;
  size_t value = prose_has(p, at + n, end, C_ARTICLE) ? at + n + 1 : at + n;
  if (told && (!p->about.n || p->t[i].low.p[p->t[i].low.n - 1] != 's') &&
      !prose_value_at(p, value, end, &m))
    return false;
  prose_make_all_subject(&who);
  prose_add_name(&who.subject, &np.subject);
  np.subject = who.subject;
  prose_value v = { .from = i, .to = end };
  return prose_read_object(p, r, &np, &v, at + n, end, true);
}

/* "the torch uses size 13 batteries", "wears size 10 shoes" */
static bool read_size(prose *p, size_t i, size_t verb, size_t end) {
  size_t at = verb + 1;
  if (prose_has(p, at, end, C_ARTICLE))
    at++;
  if (verb == i || at + 2 >= end || !prose_is(p, at, end, "size") || !p->t[at + 1].digit ||
      p->t[at + 1].stop)
    return false;
  prose_np who = { .family = -1 }, thing;
  prose_person user;
  size_t stop = prose_tail_start(p, at + 2, end);
  bool own = prose_read_person(p, &user, i, end) && user.at == verb;
  if (own && p->t[verb].first == 'u')
    return false; /* of what is not told */
  if (own && verb > i)
    prose_add_words(&who.subject, "user");
  else if (!own && !read_doer(p, &who, i, verb))
    return false;
  if (!prose_read_np(p, &thing, at + 2, stop) || thing.indefinite || thing.qualifier.n)
    return false;
  prose_make_all_subject(&who);
  prose_make_all_subject(&thing);
  prose_add_name(&who.subject, &thing.subject);
  prose_value v = { .shape = HM_SHAPE_ATTRIBUTE, .from = i, .value = p->t[at + 1].s, .to = stop };
  prose_add_words(&who.attribute, "size");
  prose_claim_with_tail(p, &who, &v, stop, end);
  return true;
}

/* "takes metformin 500 mg with breakfast", "takes vitamin D 2000 IU daily" */
static bool read_dose_behind(prose *p, size_t i, size_t verb, size_t end) {
  static const char *const units[] = { "mg", "mcg", "iu", "\xc2\xb5g", "ml" };
  prose_quantity q;
  prose_np np;
  size_t k = verb + 2, u = 0;
  while (k < end && k < verb + 5 && !p->t[k].digit)
    k++;
  if (k >= end || k >= verb + 5 || p->t[k - 1].stop || !prose_read_quantity(p, &q, k, end) ||
      q.to < k + 1)
    return false;
  while (u < HM_COUNT(units) && !hm_str_ends(p->t[q.to - 1].low, units[u]))
    u++;
  if (u == HM_COUNT(units) || !prose_read_np(p, &np, verb + 1, k) || np.indefinite || np.person ||
      np.qualifier.n)
    return false;
  prose_value v = { .from = i, .to = q.to };
  prose_quantity often;
  if (prose_is(p, q.to, end, "daily"))
    q.to++;
  else if (prose_read_quantity(p, &often, q.to, end) && often.times)
    q.to = often.to;
  return prose_claim_quantity(p, &np, &v, &q, end, "dose");
}

/* "takes 20 mg of lisinopril every morning" */
static bool read_dose(prose *p, size_t i, size_t verb, size_t end) {
  prose_person who;
  prose_quantity q;
  if (!prose_read_person(p, &who, i, end) || who.been || who.at != verb)
    return false;
  if (read_dose_behind(p, i, verb, end))
    return true;
  if (!prose_read_quantity(p, &q, who.at + 1, end) || q.unit != UNIT_MASS ||
      !prose_is(p, q.to, end, "of") || q.to + 1 >= end)
    return false;
  prose_np np;
  size_t stop = prose_tail_start(p, q.to + 1, end);
  while (stop > q.to + 2 && !prose_read_np(p, &np, q.to + 1, stop))
    stop--;
  prose_quantity often = { 0 };
  for (size_t k = q.to + 1; k < stop; k++)
    if (prose_is(p, k, end, "every") || prose_is(p, k, end, "daily") ||
        prose_is(p, k, end, "each") || (prose_read_quantity(p, &often, k, end) && often.times))
      stop = k;
  if (!prose_read_np(p, &np, q.to + 1, stop) || np.indefinite || np.qualifier.n)
    return false;
  prose_value v = { .from = i, .to = end };
  q.to = prose_is(p, stop, end, "daily") ? stop + 1 : often.times ? often.to : stop;
  return prose_claim_quantity(p, &np, &v, &q, end, "dose");
}

/* "the user uses a planner to track travel expenses": one tool of perhaps several. */
static bool read_tool(prose *p, size_t i, size_t end) {
  static const char *const vague[] = { "money",  "time", "words", "way",  "chance", "skills",
                                       "option", "tool", "tools", "same", "things", "opportunity" };
  size_t at = i;
  if (prose_is(p, at, end, "we") || prose_is(p, at, end, "i"))
    at++;
  else if (prose_are(p, at, end, "the user") || prose_are(p, at, end, "the team"))
    at += 2;
  else
    return false;
  while (prose_has(p, at, end, C_ADVERB))
    at++;
  bool denied = prose_are(p, at, end, "does not use") || prose_are(p, at, end, "do not use") ||
      prose_are(p, at, end, "no longer uses") || prose_are(p, at, end, "no longer use");
  if (denied)
    at += 2;
  else if ((denied = prose_is(p, at, end, "doesn't") || prose_is(p, at, end, "don't")))
    at++;
  if (!prose_is(p, at, end, "use") && !prose_is(p, at, end, "uses"))
    return false;
  bool article = prose_has(p, at + 1, end, C_ARTICLE);
  size_t from = article ? at + 2 : at + 1, to = from;
  while (to < end && to < from + 4 && !prose_is(p, to, end, "to"))
    to++;
  if (to == from || to >= from + 4 || to + 2 >= end || end - to > 6)
    return false;
  const uint64_t refused =
      C_PRONOUN | C_SEVERAL | C_PREP | C_AND | C_NOT | C_OWNER | C_NUMBER | C_STATE | C_UNSURE;
  for (size_t k = from; k < to; k++) {
    if ((p->t[k].cls & refused) || p->t[k].stop)
      return false;
    if (prose_one_of(p, k, end, vague, HM_COUNT(vague)))
      return false;
  }
  for (size_t k = to + 1; k < end; k++)
    if ((p->t[k].cls & (C_PRONOUN | C_AND | C_COND | C_TAIL | C_NOT)) ||
        (p->t[k].stop && k + 1 < end))
      return false;
  prose_match m;
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = i, .to = end };
  v.denied = denied;
  v.also = !prose_value_at(p, from, to, &m) || m.to != to;
  if (v.also && !article)
    return false;
  if (v.also)
    v.shape = HM_SHAPE_SET;
  bool known = !v.also;
  v.also = v.also && !denied;
  v.value = prose_span(p, from, to);
  if (known)
    v.reading = m.name;
  for (size_t k = to + 1; k < end; k++)
    if (!prose_has(p, k, end, C_ARTICLE))
      prose_add_word(&np.subject, prose_stem(p, &p->t[k]));
  prose_add_words(&np.attribute, "tool");
  prose_claim(p, &np, &v);
  return true;
}

/* A verb of what is done to a thing: by its first letter. */
static bool read_done(prose *p, size_t i, size_t end) {
  size_t verb = i;
  while (verb < end && verb < i + 5 && !(p->t[verb].cls & C_PUT)) {
    if (p->t[verb].stop || (p->t[verb].cls & (C_BE | C_WAS | C_MUST | C_NOT | C_COND)))
      return false;
    verb++;
  }
  if (!prose_has(p, verb, end, C_PUT) || verb >= i + 5)
    return false;
  switch (p->t[verb].first) {
    case 't':
      return prose_is(p, verb, end, "track") || prose_is(p, verb, end, "tracks")
          ? read_put(p, i, verb, end)
          : read_dose(p, i, verb, end);
    case 'u':
      return read_size(p, i, verb, end);
    case 'w':
      return p->t[verb].low.p[1] == 'e' ? read_size(p, i, verb, end) : read_put(p, i, verb, end);
    default:
      return read_put(p, i, verb, end);
  }
}

bool prose_read_deed(prose *p, size_t i, size_t end) {
  return read_cap(p, i, end) || read_retries(p, i, end) || read_keeps(p, i, end) ||
      read_tool(p, i, end) || read_done(p, i, end);
}

/* --- without a verb ------------------------------------------------------------------------ */

/* A verb behind the participle: "files stored in S3 are encrypted". */
static bool has_verb(const prose *p, size_t i, size_t end) {
  for (; i < end; i++)
    if ((p->t[i].cls & (C_BE | C_WAS | C_HAVE | C_MUST | C_VERB)) && !p->t[i].capital)
      return true;
  return false;
}

/* "debug mode disabled", "dark mode enabled in production" */
static bool read_state(prose *p, size_t i, size_t k, size_t end) {
  prose_np np;
  prose_value v = { .from = i, .to = end };
  if (!prose_is(p, k, end, "enabled") && !prose_is(p, k, end, "disabled"))
    return false;
  if (k < i + 2 || !prose_read_np(p, &np, i, k) || np.person || np.indefinite || np.qualifier.n)
    return false;
  return prose_read_switch(p, &np, &v, k, end);
}

static bool is_glue(const prose_word *t) {
  if (t->cls & (C_ADVERB | C_PREP | C_LATELY))
    return true;
  return (t->cls & C_VERB) && !(t->cls & (C_MEASURE | C_NAMED));
}

bool prose_read_note(prose *p, size_t i, size_t k, size_t end) {
  size_t n;
  prose_np np;
  prose_value v = { .from = i, .to = end };
  if (k == i || !(p->t[k].cls & (C_PART | C_MOVED)) || is_glue(&p->t[k - 1]))
    return false;
  if (p->t[i].cls & (C_EVENT | C_MOVED | C_CHOSE))
    return false;
  if (has_verb(p, k + 1, end) || prose_has_day(p, k, end))
    return false;
  for (size_t w = i + 1; w + 1 < k; w++) /* "the service exposes metrics on port 9090" */
    if (is_glue(&p->t[w]) && hm_str_ends(p->t[w].low, "s"))
      return false;
  if (read_state(p, i, k, end))
    return true;
  if (!prose_read_np(p, &np, i, k) || np.person || np.indefinite || np.value || np.qualifier.n)
    return false;
  bool named = np.known_measure || np.known_name || np.family >= 0;
  bool name = k == i + 1 && p->t[i].capital && !named && !p->t[i].line;
  if (name)
    return false;
  bool to = prose_is(p, k + 1, end, "to") || prose_is(p, k + 1, end, "from");
  if ((p->t[k].cls & C_MOVED) && to && named && k > i)
    return prose_read_moved(p, &np, &v, k + 1, end);
  const prose_row *r = prose_part_row(p, k, end, &n);
  if (!r || n < 2 || r->k == K_PLACE || r->k == K_AS)
    return false;
  if (r->k == K_NAME && (prose_is(p, k, end, "made") || prose_is(p, k, end, "supplied")))
    return false; /* "patch supplied by Dana" tells an event */
  return prose_read_object(p, r, &np, &v, k + n, end, true);
}

bool prose_read_only(prose *p, size_t i, size_t end) {
  prose_match m;
  if (!prose_value_at(p, i, end, &m) || m.to + 1 != end || !prose_is(p, m.to, end, "only"))
    return false;
  hm_str family = prose_family_name(p, m.family[0]);
  bool merging = hm_str_is(family, "merge_strategy");
  if (!merging && !(p->about.n && hm_str_ends(family, "format")))
    return false;
  prose_np np = { .family = m.family[0] };
  prose_value v = { .shape = merging ? HM_SHAPE_CHOICE : HM_SHAPE_SET, .from = i, .to = end };
  v.value = prose_span(p, i, m.to);
  v.reading = m.name;
  v.family = true;
  v.only = !merging;
  prose_add_words(&np.attribute, hm_str_z(p->a, family));
  prose_claim(p, &np, &v);
  return true;
}
