/* What holds by its form alone, whatever the words: "the VPN gateway is WireGuard" (a thing and a
 * proper name), "bolts are torqued to 9 Nm" (a participle and a measure), "the exporter scrapes
 * every 15 s", "invoices go out on Mondays at 9:00" (a verb and when).
 *
 * The tables of verbs and attributes come first; these forms read what no table has. So that they
 * stay certain, the thing must be definite, no notion ("the reason is Redis"), no person, and the
 * value nothing but a name, a measure with a unit, or a time. Cost: a few passes over a clause. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/claim/prose_impl.h"

/* --- a thing and a proper name ------------------------------------------------------------- */

/* Notions, and what is another thing in each text: "the problem is Redis", "ticket: OPS-12". */
bool prose_is_notion(const prose *p, size_t i) {
  static const char *const words[] = {
    "advantage",      "aim",       "alternative", "answer",      "approach",
    "attempt",        "bet",       "blocker",     "bug",         "candidate",
    "case",           "catch",     "cause",       "challenge",   "change",
    "choice",         "comment",   "commit",      "concern",     "conclusion",
    "consequence",    "culprit",   "detail",      "difference",  "disadvantage",
    "book",           "date",      "destination", "discovery",   "downside",
    "dream",          "drawback",  "effect",      "error",       "evidence",
    "example",        "exception", "explanation", "fact",        "failure",
    "feature",        "feeling",   "file",        "finding",     "fix",
    "focus",          "function",  "game",        "goal",        "guest",
    "guess",          "heading",   "highlight",   "hint",        "hope",
    "hypothesis",     "idea",      "impact",      "improvement", "incident",
    "input",          "insight",   "intention",   "issue",       "item",
    "kind",           "lesson",    "line",        "link",        "log",
    "matter",         "meeting",   "message",     "mistake",     "movie",
    "need",           "news",      "note",        "objective",   "observation",
    "obstacle",       "option",    "order",       "outcome",     "output",
    "part",           "patch",     "pattern",     "person",      "piece",
    "plan",           "point",     "possibility", "pr",          "priority",
    "problem",        "proposal",  "purpose",     "question",    "reason",
    "recommendation", "record",    "reference",   "request",     "requirement",
    "response",       "rest",      "result",      "risk",        "rule",
    "section",        "show",      "sign",        "song",        "speaker",
    "solution",       "sort",      "spot",        "stage",       "status",
    "step",           "stop",      "stuff",       "subject",     "suggestion",
    "summary",        "surprise",  "suspect",     "symptom",     "task",
    "test",           "theory",    "thing",       "ticket",      "time",
    "title",          "todo",      "topic",       "trend",       "trick",
    "trigger",        "truth",     "update",      "upside",      "use",
    "user",           "value",     "view",        "way",         "weakness",
    "winner",         "word",      "work"
  };
  return prose_one_of(p, i, i + 1, words, HM_COUNT(words));
}

/* "AdamW", "TMC2209", "JST-XH", "com.example.app": no plain word, whatever its first letter. */
static bool is_coined(const prose_word *t) {
  bool digit = false, letter = false, join = false;
  for (size_t i = 0; i < t->s.n; i++) {
    char c = t->s.p[i];
    digit = digit || hm_is_digit(c);
    letter = letter || hm_is_letter(c);
    join = join || c == '_' || c == '@' || (c == '.' && i && i + 1 < t->s.n) ||
        (c == '/' && i && i + 1 < t->s.n);
    if (c && strchr("(){}<>=$%*|;\"", c)) return false;
    if (c == '/' && i && t->s.p[i - 1] == '/') return false; /* a link */
  }
  if (hm_str_ends(t->low, "_") || t->first == '_' || t->first == '/') return false;
  return letter &&
      (digit || join || (t->capital && t->upper && t->s.n > 2) || (!t->capital && t->upper));
}

/* "Ready", "Italian", "Done": what something is like, though written as a name. */
static bool is_quality(const prose_word *t) {
  const uint64_t refused = C_PRONOUN | C_DAY | C_NOT | C_AND | C_ON | C_OFF | C_PART | C_EVENT |
      C_STATE | C_LATELY | C_UNSURE | C_HEADING | C_MOVED | C_CHOSE | C_VERB | C_CHANGE | C_NUMBER;
  static const char *const none[] = { "eol", "mvp", "n/a", "na",   "poc", "rc",
                                      "tba", "tbc", "tbd", "todo", "wip" };
  static const char *const ends[] = { "ish", "ese", "ian", "ing", "ed", "ly", "ful", "less" };
  if (prose_word_in(t->low, none, HM_COUNT(none))) return true;
  for (size_t k = 0; k < HM_COUNT(ends); k++)
    if (hm_str_ends(t->low, ends[k]) && !t->upper && t->low.n > 4) return true;
  if (hm_str_ends(t->low, "-ish") || hm_str_ends(t->low, "-like")) return true;
  return t->cls & refused;
}

/* Is [from, stop) a proper name and nothing else? coined: a plain word in capitals is none. */
static bool is_proper(const prose *p, size_t from, size_t stop, bool coined) {
  bool any = false;
  if (from >= stop || stop - from > 5) return false;
  if (is_quality(&p->t[from]) && !(stop > from + 1 && p->t[from].digit)) return false;
  for (size_t k = from; k < stop; k++) {
    const prose_word *t = &p->t[k];
    bool one = is_coined(t);
    bool year = t->digit && t->s.n == 4 && k + 1 < stop; /* "2019 Skoda Octavia" */
    if (!one && !t->capital && !year && !(t->digit && k > from)) return false;
    if ((t->cls & (C_PRONOUN | C_DAY | C_AND | C_NOT | C_BE)) || t->owns || t->aside) return false;
    any = any || one || (!coined && t->capital);
  }
  return any;
}

/* Of these "is a X" tells the kind, and of others the make. */
static bool is_kind_of_thing(const prose *p, size_t i) {
  static const char *const words[] = { "api",       "app",     "application", "company",
                                       "framework", "library", "product",     "program",
                                       "project",   "repo",    "service",     "site",
                                       "system",    "team",    "tool",        "website" };
  return prose_one_of(p, i, i + 1, words, HM_COUNT(words));
}

bool prose_read_identity(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, char by) {
  const prose_word *head = &p->t[np->last];
  bool article = prose_is(p, i, end, "a") || prose_is(p, i, end, "an");
  size_t from = article ? i + 1 : i, stop = prose_tail_start(p, from, end), at = v->from;
  bool plural = hm_str_ends(head->low, "s") && !hm_str_ends(head->low, "ss") &&
      !hm_str_ends(head->low, "us") && !hm_str_ends(head->low, "is") && !head->upper;
  if ((by != 'i' && by != ':') || v->denied || v->also || v->left.n || !np->words || np->person ||
      np->indefinite || np->fresh || np->value || plural || np->last < at || head->digit ||
      (head->cls & (C_STATE | C_DAY | C_EVENT | C_PRONOUN | C_HEADING)) ||
      prose_is_notion(p, np->last))
    return false;
  prose_match known_value;
  bool title = by == ':';
  for (size_t k = at; k <= np->last; k++) title = title && p->t[k].capital;
  bool known = np->words > 1 && np->last > at;
  if (by == ':' && (!known || (p->t[at].cls & (C_VERB | C_EVENT | C_MOVED | C_PART | C_HEADING))))
    return false;
  if (by == 'i' && !prose_is_definite(p, np, at) && !(stop == from + 1 && is_coined(&p->t[from])))
    return false;
  if (stop < end && (p->t[stop].cls & C_AND)) return false;
  if (stop < end && p->t[stop - 1].stop == ',' && p->t[stop].capital) return false; /* a list */
  if (!is_proper(p, from, stop, title || (article && stop == from + 1))) return false;
  if (article && (is_kind_of_thing(p, np->last) || prose_value_at(p, from, stop, &known_value)))
    return false; /* "the project is a React SPA" */
  if (article && stop == from + 1 && (!is_coined(&p->t[from]) || !prose_looks_coded(&p->t[from])))
    return false; /* "is a PWA" */
  prose_attribute_from_subject(np);
  return prose_claim_span(p, np, v, from, stop, end);
}

/* --- a participle and a name ------------------------------------------------------------------ */

/* "bonded with RTV 566", "encoded by Zstd": how a thing is made, behind "is"; what happened to it
 * or is thought of it is none. */
bool prose_read_made_with(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  static const char *const preps[] = { "by", "from", "through", "using", "via", "with" };
  static const char *const happened[] = {
    "affected",  "approved",  "associated", "blocked",     "broken",     "caused",     "changed",
    "compared",  "completed", "confused",   "created",     "delayed",    "described",  "discussed",
    "done",      "excited",   "expected",   "explained",   "filled",     "finished",   "fixed",
    "followed",  "found",     "impressed",  "inspired",    "interested", "introduced", "invited",
    "involved",  "joined",    "loved",      "mentioned",   "merged",     "obsessed",   "opened",
    "planned",   "pleased",   "proposed",   "recommended", "related",    "reported",   "requested",
    "satisfied", "shared",    "solved",      "started",    "suggested",  "supplied",
    "surprised", "tested",    "thrilled",   "tired",       "triggered",  "used",       "written"
  };
  const prose_word *t = &p->t[i];
  size_t from = i + 2, stop = prose_tail_start(p, from, end);
  if (!prose_one_of(p, i + 1, end, preps, HM_COUNT(preps)) || from >= end || t->stop ||
      !hm_str_ends(t->low, "ed") || np->person || np->indefinite || np->fresh || np->value ||
      v->denied || v->also || !np->words || (t->cls & (C_STATE | C_UNSURE | C_MOVED)) ||
      prose_is_notion(p, np->last) || !prose_is_definite(p, np, v->from) ||
      !is_proper(p, from, stop, false))
    return false;
  if (prose_word_in(t->low, happened, HM_COUNT(happened))) return false;
  if (stop < end && ((p->t[stop].cls & C_AND) || p->t[stop - 1].stop == ',')) return false;
  hm_str attribute = HM_CAT(p->a, t->low, HM_STR("_"), p->t[i + 1].low);
  prose_set_attribute(np, hm_str_z(p->a, attribute));
  return prose_claim_span(p, np, v, from, stop, end);
}

/* --- a participle and a measure ------------------------------------------------------------- */

bool prose_read_measured(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  const uint64_t refused = C_STATE | C_UNSURE | C_PERSON | C_DAY | C_PRONOUN | C_NOT;
  const prose_word *t = &p->t[i];
  prose_quantity q;
  bool down = prose_is(p, i + 1, end, "down") || prose_is(p, i + 1, end, "up");
  if (down) i++; /* "pumped down to 5e-6 mbar" */
  bool to = prose_is(p, i + 1, end, "to"), at = prose_is(p, i + 1, end, "at");
  if (down) t = &p->t[i - 1];
  if ((!to && !at) || t->stop || (t->cls & refused) || !hm_str_ends(t->low, "ed") || np->person ||
      np->indefinite || np->fresh || np->value || v->denied ||
      !prose_read_quantity(p, &q, i + 2, end) || q.plain || q.times || q.unlimited || q.per.n)
    return false;
  prose_np saved = *np;
  prose_value clean = *v;
  if (!np->known_measure && prose_read_at_value(p, np, v, i + 2, end, NULL)) return true;
  *np = saved;
  *v = clean;
  if (q.unit == UNIT_TIME || q.unit == UNIT_MONEY || q.unit == UNIT_PERCENT) return false;
  const char *size = prose_dimension_of(p, &q, end);
  hm_str attribute =
      size ? hm_str_c(size) : HM_CAT(p->a, t->low, to ? HM_STR("_to") : HM_STR("_at"));
  return prose_claim_quantity(p, np, v, &q, end,
                              np->known_measure ? NULL : hm_str_z(p->a, attribute));
}

/* --- a verb and when -------------------------------------------------------------------------- */

/* "scrapes" of a thing, "run" of several: the verb at k of [i, k). */
bool prose_is_verb_of(const prose *p, size_t i, size_t k) {
  const uint64_t refused = C_BE | C_WAS | C_HAVE | C_NOT | C_PREP | C_ARTICLE | C_OWNER |
      C_PRONOUN | C_MUST | C_EVENT | C_AND | C_COND | C_TAIL | C_UNSURE | C_SEVERAL | C_PERSON |
      C_ADVERB | C_NUMBER | C_DAY | C_STATE;
  const prose_word *t = &p->t[k], *noun = &p->t[k - 1];
  if (prose_is(p, k, k + 1, "happen") || prose_is(p, k, k + 1, "happens")) return false;
  if (k == i || (t->cls & refused) || t->digit || t->capital || t->stop || t->aside || t->owns ||
      t->low.n < 3 || hm_str_ends(t->low, "ed") || hm_str_ends(t->low, "ing") ||
      hm_str_ends(t->low, "ly") || noun->stop)
    return false;
  bool many = hm_str_ends(noun->low, "s") && !hm_str_ends(noun->low, "ss") &&
      !hm_str_ends(noun->low, "us") && !hm_str_ends(noun->low, "is") && !noun->upper;
  bool ends = hm_str_ends(t->low, "s") && !hm_str_ends(t->low, "ss");
  return many != ends;
}

/* The words behind the verb that say how often: "nightly", "every day". */
static size_t often_words(const prose *p, size_t i, size_t end) {
  static const char *const often[] = { "daily",         "every day",     "every night", "nightly",
                                       "every morning", "every evening", "each day" };
  return prose_one_of(p, i, end, often, HM_COUNT(often));
}

/* Of the verb at k: "start_time" of what runs or starts, else the verb and what it is of. */
static void add_deed(prose *p, prose_np *np, size_t k, const char *of) {
  static const char *const starts[] = { "run",    "runs",    "start",    "starts", "begin",
                                        "begins", "execute", "executes", "launch", "launches" };
  prose_make_all_subject(np);
  for (size_t s = 0; s < HM_COUNT(starts); s++)
    if (prose_is(p, k, k + 1, starts[s])) {
      prose_add_words(&np->attribute, strcmp(of, "time") == 0 ? "start_time" : of);
      return;
    }
  prose_add_word(&np->attribute, prose_singular(p, &p->t[k]));
  prose_add_words(&np->attribute, of);
}

/* "drops idle connections after 60 seconds", "checks the queue every 30 s": what a thing does to
 * another, and when. */
static bool read_done_after(prose *p, size_t i, size_t end) {
  const uint64_t refused = C_BE | C_WAS | C_HAVE | C_MUST | C_NOT | C_COND | C_AND | C_PREP |
      C_TAIL | C_UNSURE | C_PRONOUN | C_EVENT | C_NUMBER | C_SEVERAL | C_DAY;
  size_t when = i + 2, verb = i + 1;
  prose_quantity q;
  prose_np np, object;
  for (; when + 1 < end && when < i + 9; when++) {
    if (prose_is(p, when, end, "after") || prose_is(p, when, end, "every")) break;
    if (p->t[when - 1].stop || p->t[when - 1].aside || (p->t[when].cls & refused)) return false;
  }
  if (when + 1 >= end || when >= i + 9 || p->t[when - 1].stop ||
      !prose_read_quantity(p, &q, when + 1, end) || q.unit != UNIT_TIME)
    return false;
  while (verb + 1 < when && !prose_is_verb_of(p, i, verb)) verb++;
  if (verb + 1 >= when || when - verb > 4) return false;
  for (size_t k = i + 1; k < when; k++) /* the tables know it: "tokens expire after" */
    if (prose_verb_row(p, k, end, &(size_t){ 0 })) return false;
  if (!prose_has(p, verb + 1, when, C_ARTICLE | C_OWNER) && !hm_str_ends(p->t[when - 1].low, "s"))
    return false; /* "API calls timeout after" */
  if (!prose_read_np(p, &np, i, verb) || np.person || np.indefinite || np.fresh || np.user ||
      np.qualifier.n || !prose_read_np(p, &object, verb + 1, when) || object.person ||
      object.qualifier.n || object.indefinite)
    return false;
  prose_make_all_subject(&np);
  prose_make_all_subject(&object);
  prose_add_word(&np.attribute, prose_singular(p, &p->t[verb]));
  prose_add_name(&np.attribute, &object.subject);
  prose_add_words(&np.attribute, prose_is(p, when, end, "after") ? "after" : "interval");
  prose_value v = { .from = i, .to = end };
  return prose_claim_quantity(p, &np, &v, &q, end, NULL);
}

bool prose_read_recurring(prose *p, size_t i, size_t end) {
  if (read_done_after(p, i, end)) return true;
  prose_np np;
  prose_quantity q;
  prose_value v = { .from = i, .to = end };
  size_t verb = i + 1, to, n;
  for (; verb + 1 < end && verb < i + 6; verb++) {
    if (p->t[verb - 1].stop || (p->t[verb - 1].cls & (C_BE | C_WAS | C_HAVE | C_MUST | C_PREP)))
      return false;
    bool marker = prose_is(p, verb + 1, end, "every") || prose_is(p, verb + 1, end, "on") ||
        prose_is(p, verb + 1, end, "at") || often_words(p, verb + 1, end);
    if (marker && prose_is_verb_of(p, i, verb)) break;
  }
  if (verb + 2 >= end || verb >= i + 6) return false;
  const prose_row *r = prose_verb_row(p, verb, end, &n);
  if (r && (r->k == K_EVERY || r->k == K_CLOCK || r->k == K_AT || n > 1)) return false;
  if (!prose_read_np(p, &np, i, verb) || np.person || np.indefinite || np.fresh || np.user ||
      np.qualifier.n)
    return false;
  if (prose_is(p, verb + 1, end, "every") && prose_read_quantity(p, &q, verb + 2, end) &&
      q.unit == UNIT_TIME) {
    add_deed(p, &np, verb, "interval");
    return prose_claim_quantity(p, &np, &v, &q, end, NULL);
  }
  size_t at = verb + 1 + often_words(p, verb + 1, end);
  if (prose_is(p, at, end, "at") && prose_is_clock(p, at + 1, end, &to)) {
    add_deed(p, &np, verb, "time");
    v.shape = HM_SHAPE_ATTRIBUTE;
    v.value = prose_span(p, at + 1, to);
    v.to = to;
    return prose_claim_with_tail(p, &np, &v, to, end);
  }
  prose_make_all_subject(&np);
  prose_add_word(&np.subject, prose_singular(p, &p->t[verb]));
  return prose_is(p, at, end, "on") && prose_read_schedule(p, &np, i, at, end);
}
