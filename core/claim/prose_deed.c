/* What someone does to a thing, with a measure or a purpose: "we cap uploads at 25 MB", "the
 * gateway retries failed requests 3 times", "we keep 30 days of logs", "the user uses a planner to
 * track expenses"; notes that leave "is" out: "cache TTL set to 300 s", "auth handled by Keycloak",
 * "debug mode disabled"; and sets without a verb: "squash merges only".
 *
 * A note without "is" is told from "files stored in S3 are encrypted" by the missing verb: what
 * stands behind the value must be understood, as everywhere. */
#include <string.h>

#include "core/claim/prose_impl.h"

/* Who does it: "we", "the gateway", or none, and the text is about it. */
static bool read_doer(prose *p, prose_np *np, size_t i, size_t verb) {
  *np = (prose_np){ .family = -1 };
  if (verb == i) return p->about.n > 0;
  if (verb == i + 1 && prose_is(p, i, verb, "we")) return true;
  if (verb == i + 2 && prose_are(p, i, verb, "the team")) return true;
  if (p->t[i].cls & C_PREP) return false;
  return prose_np_read(p, np, i, verb) && !np->indefinite && !np->person && !np->value;
}

/* The verb of [i, end): one of words, behind at most five others. end: none. */
static size_t find_verb(const prose *p, size_t i, size_t end, const char *const *words, size_t n) {
  for (size_t k = i; k < end && k < i + 6; k++) {
    if (p->t[k].cls & (C_BE | C_WAS | C_HAVE | C_MUST | C_NOT | C_COND)) return end;
    for (size_t w = 0; w < n; w++)
      if (prose_is(p, k, end, words[w])) return k;
    if (p->t[k].stop) return end;
  }
  return end;
}

/* "cap uploads at 25 MB", "limits comments to 500 characters": of what is limited. */
static bool read_cap(prose *p, size_t i, size_t end) {
  static const char *const words[] = { "cap", "caps", "limit", "limits", "restrict", "restricts" };
  size_t verb = find_verb(p, i, end, words, HM_COUNT(words)), at = verb + 1;
  prose_np np;
  prose_quantity q;
  if (verb >= end || verb == i || !read_doer(p, &np, i, verb)) return false;
  while (at < end && at < verb + 6 && !prose_is(p, at, end, "at") && !prose_is(p, at, end, "to"))
    at++;
  if (at == verb + 1 || at >= end || at >= verb + 6 || !prose_quantity_read(p, &q, at + 1, end))
    return false;
  prose_value v = { .from = i, .to = end };
  if (!prose_np_read(p, &np, verb + 1, at) || np.indefinite || np.person || np.value) return false;
  if (q.plain && !np.limit && q.to == end) {
    q.limit = LIMIT_MAX;
    prose_attribute_of_subject(&np);
    return prose_quantity_value(p, &np, &v, &q, end, NULL);
  }
  return prose_object_count(p, &np, &v, at + 1, end, K_LIMIT);
}

/* "the gateway retries failed requests 3 times" */
static bool read_retries(prose *p, size_t i, size_t end) {
  static const char *const words[] = { "retry", "retries" };
  size_t verb = find_verb(p, i, end, words, HM_COUNT(words)), at = verb + 2;
  prose_np np, what;
  if (verb >= end || !read_doer(p, &np, i, verb)) return false;
  prose_quantity q;
  while (at < end && at < verb + 5 && !(prose_quantity_read(p, &q, at, end) && q.times)) at++;
  if (at >= end || at >= verb + 5 || !prose_np_read(p, &what, verb + 1, at) || what.indefinite)
    return false;
  if (np.subject.n + np.attribute.n == 0 && verb > i) np = what; /* "we retry failed jobs" */
  prose_value v = { .from = i, .to = end };
  return prose_times(p, &np, &v, at, end);
}

/* "we keep 30 days of logs" */
static bool read_keeps(prose *p, size_t i, size_t end) {
  size_t at = prose_is(p, i, end, "we") ? i + 1 : i;
  prose_quantity q;
  prose_np np;
  if (at == i || !(prose_is(p, at, end, "keep") || prose_is(p, at, end, "retain"))) return false;
  if (!prose_quantity_read(p, &q, at + 1, end) || q.unit != UNIT_TIME ||
      !prose_is(p, q.to, end, "of"))
    return false;
  size_t stop = prose_tail_start(p, q.to + 1, end);
  if (!prose_np_read(p, &np, q.to + 1, stop) || np.indefinite || np.person) return false;
  prose_value v = { .from = i, .to = stop };
  q.to = stop;
  return prose_quantity_value(p, &np, &v, &q, end, "retention");
}

/* "the user uses a planner to track travel expenses": one tool of perhaps several. */
static bool read_tool(prose *p, size_t i, size_t end) {
  static const char *const vague[] = { "money",  "time", "words", "way",  "chance", "skills",
                                       "option", "tool", "tools", "same", "things", "opportunity" };
  size_t at = i;
  if (prose_is(p, at, end, "we") || prose_is(p, at, end, "i")) at++;
  else if (prose_are(p, at, end, "the user") || prose_are(p, at, end, "the team")) at += 2;
  else return false;
  while (prose_has(p, at, end, C_ADVERB)) at++;
  if (!prose_is(p, at, end, "use") && !prose_is(p, at, end, "uses")) return false;
  bool article = prose_has(p, at + 1, end, C_ARTICLE);
  size_t from = article ? at + 2 : at + 1, to = from;
  while (to < end && to < from + 4 && !prose_is(p, to, end, "to")) to++;
  if (to == from || to >= from + 4 || to + 2 >= end || end - to > 6) return false;
  const uint64_t refused =
      C_PRONOUN | C_SEVERAL | C_PREP | C_AND | C_NOT | C_OWNER | C_NUMBER | C_STATE | C_UNSURE;
  for (size_t k = from; k < to; k++) {
    if ((p->t[k].cls & refused) || p->t[k].stop) return false;
    for (size_t w = 0; w < HM_COUNT(vague); w++)
      if (prose_is(p, k, end, vague[w])) return false;
  }
  for (size_t k = to + 1; k < end; k++)
    if ((p->t[k].cls & (C_PRONOUN | C_AND | C_COND | C_TAIL | C_NOT)) ||
        (p->t[k].stop && k + 1 < end))
      return false;
  prose_match m;
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = i, .to = end };
  v.also = !prose_value_at(p, from, to, &m) || m.to != to;
  if (v.also && !article) return false;
  if (v.also) v.shape = HM_SHAPE_SET;
  v.value = prose_span(p, from, to);
  if (!v.also) v.reading = m.name;
  for (size_t k = to + 1; k < end; k++)
    if (!prose_has(p, k, end, C_ARTICLE)) prose_add(&np.subject, prose_stem(p, &p->t[k]));
  prose_add_z(&np.attribute, "tool");
  prose_claim(p, &np, &v);
  return true;
}

bool prose_deed(prose *p, size_t i, size_t end) {
  return read_cap(p, i, end) || read_retries(p, i, end) || read_keeps(p, i, end) ||
      read_tool(p, i, end);
}

/* --- without a verb ------------------------------------------------------------------------ */

/* A verb behind the participle: "files stored in S3 are encrypted". */
static bool has_verb(const prose *p, size_t i, size_t end) {
  for (; i < end; i++)
    if ((p->t[i].cls & (C_BE | C_WAS | C_HAVE | C_MUST | C_VERB)) && !p->t[i].capital) return true;
  return false;
}

/* "debug mode disabled", "dark mode enabled in production" */
static bool read_state(prose *p, size_t i, size_t k, size_t end) {
  prose_np np;
  prose_value v = { .from = i, .to = end };
  if (!prose_is(p, k, end, "enabled") && !prose_is(p, k, end, "disabled")) return false;
  if (k < i + 2 || !prose_np_read(p, &np, i, k) || np.person || np.indefinite || np.qualifier.n)
    return false;
  return prose_switch_value(p, &np, &v, k, end);
}

static bool is_glue(const prose_tok *t) {
  if (t->cls & (C_ADVERB | C_PREP | C_LATELY)) return true;
  return (t->cls & C_VERB) && !(t->cls & (C_MEASURE | C_NAMED));
}

bool prose_short(prose *p, size_t i, size_t k, size_t end) {
  size_t n;
  prose_np np;
  prose_value v = { .from = i, .to = end };
  if (k == i || !(p->t[k].cls & (C_PART | C_MOVED)) || is_glue(&p->t[k - 1])) return false;
  if (p->t[i].cls & (C_EVENT | C_MOVED | C_CHOSE)) return false;
  if (has_verb(p, k + 1, end) || prose_has_day(p, k, end)) return false;
  for (size_t w = i + 1; w + 1 < k; w++) /* "the service exposes metrics on port 9090" */
    if (is_glue(&p->t[w]) && hm_str_ends(p->t[w].low, "s")) return false;
  if (read_state(p, i, k, end)) return true;
  if (!prose_np_read(p, &np, i, k) || np.person || np.indefinite || np.value || np.qualifier.n)
    return false;
  bool named = np.known_measure || np.known_name || np.family >= 0;
  bool name = k == i + 1 && p->t[i].capital && !named && !p->t[i].line;
  if (name) return false;
  bool to = prose_is(p, k + 1, end, "to") || prose_is(p, k + 1, end, "from");
  if ((p->t[k].cls & C_MOVED) && to && named && k > i)
    return prose_object_moved(p, &np, &v, k + 1, end);
  const prose_row *r = prose_part_row(p, k, end, &n);
  if (!r || n < 2 || r->k == K_PLACE || r->k == K_AS) return false;
  return prose_object(p, r, &np, &v, k + n, end, true);
}

bool prose_only(prose *p, size_t i, size_t end) {
  prose_match m;
  if (!prose_value_at(p, i, end, &m) || m.to + 1 != end || !prose_is(p, m.to, end, "only"))
    return false;
  hm_str family = prose_family_name(p, m.family[0]);
  bool merging = hm_str_is(family, "merge_strategy");
  if (!merging && !(p->about.n && hm_str_ends(family, "format"))) return false;
  prose_np np = { .family = m.family[0] };
  prose_value v = { .shape = merging ? HM_SHAPE_CHOICE : HM_SHAPE_SET, .from = i, .to = end };
  v.value = prose_span(p, i, m.to);
  v.reading = m.name;
  v.family = true;
  v.only = !merging;
  prose_add_z(&np.attribute, hm_str_z(p->a, family));
  prose_claim(p, &np, &v);
  return true;
}
