/* Names as values: of an attribute with names ("owner", "region") or codes ("TR-85"); and, for an
 * attribute in no table, by form: "the VPN gateway is WireGuard" (a thing and a proper name),
 * "bonded with RTV 566" (a participle and a name). Then the thing must be definite, not a notion
 * ("the reason is Redis") and not a person. A state ("slow", "ready") is no value. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/prose/prose_grammar.h"

/* --- words that are names, and words that are none -------------------------------------------- */

bool prose_looks_named(const prose_word *t) {
  if (t->capital || t->upper || t->code)
    return true;
  for (size_t i = 0; i < t->s.n; i++) {
    char c = t->s.p[i];
    if (hm_is_digit(c) || (c && strchr("_./@+#", c)))
      return true;
  }
  return false;
}

static bool looks_coded(const prose_word *t) {
  bool digit = false, letter = false, join = false;
  for (size_t i = 0; i < t->s.n; i++) {
    char c = t->s.p[i];
    digit = digit || hm_is_digit(c);
    letter = letter || hm_is_upper(c);
    join = join || c == '-' || c == '_' || c == '/';
    if (c == ':' || c == '%' || c == '$' || c == '(')
      return false;
  }
  return letter && (digit || join) && t->s.n <= 24 &&
      !prose_ends_in(t->low, "-based|-ish|-like|-aware");
}

/* Notions, and what is another thing in each text: "the problem is Redis", "ticket: OPS-12". */
bool prose_is_notion(const prose *p, size_t i) {
  static const char words[] =
      "advantage|aim|alternative|answer|approach|attempt|bet|blocker|bug|candidate|case|catch|"
      "cause|challenge|change|choice|comment|commit|concern|conclusion|consequence|culprit|"
      "detail|difference|disadvantage|book|date|destination|discovery|downside|dream|drawback|"
      "effect|error|evidence|example|exception|explanation|fact|failure|feature|feeling|file|"
      "finding|fix|focus|function|game|goal|guest|guess|heading|highlight|hint|hope|hypothesis|"
      "idea|impact|improvement|incident|input|insight|intention|issue|item|kind|lesson|line|"
      "link|log|matter|meeting|message|mistake|movie|need|news|note|objective|observation|"
      "obstacle|option|order|outcome|output|part|patch|pattern|person|piece|plan|point|"
      "possibility|pr|priority|problem|proposal|purpose|question|reason|recommendation|record|"
      "reference|request|requirement|response|rest|result|risk|rule|section|show|sign|song|"
      "speaker|solution|sort|spot|stage|status|step|stop|stuff|subject|suggestion|summary|"
      "surprise|suspect|symptom|task|test|theory|thing|ticket|time|title|todo|topic|trend|trick|"
      "trigger|truth|update|upside|use|user|value|view|way|weakness|winner|word|work";
  return prose_one_of(p, i, i + 1, words);
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
    if (c && strchr("(){}<>=$%*|;\"", c))
      return false;
    if (c == '/' && i && t->s.p[i - 1] == '/')
      return false; /* a link */
  }
  if (hm_str_ends(t->low, "_") || t->first == '_' || t->first == '/')
    return false;
  return letter &&
      (digit || join || (t->capital && t->upper && t->s.n > 2) || (!t->capital && t->upper));
}

/* "Ready", "Italian", "Done": what something is like, though written as a name. */
static bool is_quality(const prose_word *t) {
  const uint64_t refused = C_PRONOUN | C_DAY | C_NOT | C_AND | C_ON | C_OFF | C_PART | C_EVENT |
      C_STATE | C_LATELY | C_UNSURE | C_HEADING | C_MOVED | C_CHOSE | C_VERB | C_CHANGE | C_NUMBER;
  if (prose_word_in(t->low, "eol|mvp|n/a|na|poc|rc|tba|tbc|tbd|todo|wip"))
    return true;
  if (prose_ends_in(t->low, "ish|ese|ian|ing|ed|ly|ful|less") && !t->upper && t->low.n > 4)
    return true;
  if (prose_ends_in(t->low, "-ish|-like"))
    return true;
  return t->cls & refused;
}

/* Is [from, stop) a proper name and nothing else? coined: a plain word in capitals is none. */
static bool is_proper(const prose *p, size_t from, size_t stop, bool coined) {
  bool any = false;
  if (from >= stop || stop - from > 5)
    return false;
  if (is_quality(&p->t[from]) && !(stop > from + 1 && p->t[from].digit))
    return false;
  for (size_t k = from; k < stop; k++) {
    const prose_word *t = &p->t[k];
    bool one = is_coined(t);
    bool year = t->digit && t->s.n == 4 && k + 1 < stop; /* "2019 Skoda Octavia" */
    if (!one && !t->capital && !year && !(t->digit && k > from))
      return false;
    if ((t->cls & (C_PRONOUN | C_DAY | C_AND | C_NOT | C_BE)) || t->owns || t->aside)
      return false;
    any = any || one || (!coined && t->capital);
  }
  return any;
}

/* --- a thing and a proper name ---------------------------------------------------------------- */

/* Is the subject np at i a definite thing: "the gateway", "Dana's car", "Connector J3"? */
static bool is_definite(const prose *p, const prose_np *np, size_t i) {
  if (prose_is(p, i, np->last, "the") || prose_has(p, i, np->last, C_OWNER))
    return true;
  for (size_t k = i; k < np->last; k++)
    if (p->t[k].owns)
      return true;
  return np->last > i && p->t[i].capital && !(p->t[i].cls & (C_SEVERAL | C_PRONOUN));
}

bool prose_read_identity(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  char by = v->by;
  const prose_word *head = &p->t[np->last];
  bool article = prose_one_of(p, i, end, "a|an");
  size_t from = article ? i + 1 : i, stop = prose_tail_start(p, from, end), at = v->from;
  if ((by != 'i' && by != ':') || v->denied || v->also || v->left.n || !np->words || np->person ||
      np->indefinite || np->fresh || np->value || np->last < at || head->digit ||
      prose_is_plural(head) || prose_is_notion(p, np->last) ||
      (head->cls & (C_STATE | C_DAY | C_EVENT | C_PRONOUN | C_HEADING)))
    return false;
  prose_match known_value;
  bool title = by == ':';
  for (size_t k = at; k <= np->last; k++)
    title = title && p->t[k].capital;
  bool known = np->words > 1 && np->last > at;
  if (by == ':' && (!known || (p->t[at].cls & (C_VERB | C_EVENT | C_MOVED | C_PART | C_HEADING))))
    return false;
  if (by == 'i' && !is_definite(p, np, at) && !(stop == from + 1 && is_coined(&p->t[from])))
    return false;
  if (stop < end && (p->t[stop].cls & C_AND))
    return false;
  if (stop < end && p->t[stop - 1].stop == ',' && p->t[stop].capital)
    return false; /* a list */
  if (!is_proper(p, from, stop, title || (article && stop == from + 1)))
    return false;
  static const char kinds[] = /* of these "is a X" tells the kind, and of others the make */
      "api|app|application|company|framework|library|product|program|project|repo|service|site|"
      "system|team|tool|website";
  if (article && (prose_last_word_in(p, np, kinds) || prose_value_at(p, from, stop, &known_value)))
    return false; /* "the project is a React SPA" */
  if (article && stop == from + 1 && (!is_coined(&p->t[from]) || !looks_coded(&p->t[from])))
    return false; /* "is a PWA" */
  prose_attribute_from_subject(np);
  return prose_claim_span(p, np, v, from, stop, end);
}

/* --- the name that an attribute has ----------------------------------------------------------- */

/* Attributes whose values are plain words: "the retry policy is exponential". */
static bool has_plain_words(const prose *p, const prose_np *np) {
  static const char words[] =
      "policy|strategy|mode|level|theme|color|colour|branch|dialect|food|sport|hobby|drink|flavor|"
      "algorithm|layout|convention|scheme|environment|medication|breed|diet";
  const prose_word *t = &p->t[np->last]; /* "maxmemory-policy is allkeys-lru" */
  bool joined = !t->cls && memchr(t->low.p, '-', t->low.n);
  return (joined && prose_ends_in(t->low, words)) || prose_last_word_in(p, np, words);
}

static bool name_words(const prose *p, const prose_np *np, size_t i, size_t stop, bool plain) {
  const uint64_t refused =
      C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT | C_COND | C_TAIL | C_AND | C_APPROX;
  /* "My skin type is normal": a type whose values are adjectives. */
  bool looks = np->subject.n && prose_is(p, np->last, np->last + 1, "type") &&
      prose_one_of(p, np->last - 1, np->last, "body|hair|skin");
  if (looks && stop == i + 1 && !(p->t[i].cls & refused))
    return true;
  if (!plain && !prose_looks_named(&p->t[i]) && !prose_looks_named(&p->t[stop - 1]))
    return false;
  for (size_t k = i; k < stop; k++) {
    const prose_word *t = &p->t[k];
    bool name = t->capital || t->upper || (t->digit && t->s.n > 3);
    if ((t->cls & refused) && !name)
      return false;
    if ((t->cls & C_PREP) && !t->capital)
      return false;
    if (prose_word_in(t->low, "green|red") && prose_last_word_in(p, np, "color|colour"))
      continue; /* a state elsewhere: "the build is green" */
    if ((t->cls & (C_STATE | C_UNSURE | C_SEVERAL)) && !t->capital)
      return false;
    if (!t->capital && prose_ends_in(t->low, "ing|ed|ly|able|ible") && stop - i == 1)
      return false;
    if (memchr(t->s.p, '(', t->s.n) || t->first == '<')
      return false; /* a call, a placeholder */
    if (t->owns && k + 1 == stop)
      return false;
    if (!t->capital && hm_str_ends(t->low, "ly") && t->low.n > 4)
      return false;
  }
  return true;
}

/* "Her teacher is Rachel", not "is French": [from, stop) is the name of a person. */
static bool is_first_name(const prose *p, const prose_np *np, size_t from, size_t stop) {
  const prose_word *last = &p->t[stop - 1];
  if (np->subject.n + np->attribute.n <= 1 || stop - from > 2)
    return false;
  if (!p->t[from].capital || !last->capital || last->digit || last->cls)
    return false;
  return !prose_ends_in(last->low, "an|ish|ese") && !prose_is_version(last->s);
}

/* "768px": no model. */
static bool is_length(hm_str low) {
  size_t unit = 0;
  while (unit < low.n && (hm_is_digit(low.p[unit]) || low.p[unit] == '.'))
    unit++;
  return unit && prose_word_in(hm_str_sub(low, unit, low.n), "em|pt|px|rem|vh|vw");
}

/* No name but a count ("is 3 directories deep") or the first of a list ("BLAKE2, CMAC and HMAC").
 */
static bool counts_or_lists(prose *p, const prose_np *np, size_t from, size_t stop, size_t end,
                            char by) {
  prose_quantity count;
  const prose_word *last = &p->t[stop - 1];
  /* "Server: Running on port 80", "the grammar is below" */
  if (stop == from + 1 &&
      ((by == ':' && hm_str_ends(last->low, "ing") && stop < end) ||
       prose_word_in(last->low, "above|below|okay")))
    return true;
  /* "Store: regular backups with checks", "Response: how long a request takes" */
  if (by == ':' && stop > from + 1 && !last->capital &&
      (prose_is_plural(last) || (stop > from + 2 && !prose_looks_named(last))))
    return true;
  if (stop - from > 1 && !p->t[from + 1].capital && !np->limit &&
      prose_read_quantity(p, &count, from, stop))
    return true;
  return last->stop == ',' && stop < end && prose_looks_named(&p->t[stop]) && !p->t[stop].cls &&
      (stop + 1 >= end || p->t[stop].stop || prose_has(p, stop + 1, end, C_AND));
}

bool prose_read_name_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  char by = v->by;
  bool article = prose_one_of(p, i, end, "the|a|an");
  size_t from = article ? i + 1 : i, stop = prose_tail_start(p, from, end);
  size_t tail = stop;
  if (from >= end || stop - from > 6 || np->indefinite || np->fresh || np->value ||
      prose_is_vague(p, np))
    return false;
  const prose_word *last = &p->t[stop - 1];
  static const char compared[] = "better|cleaner|easier|enhanced|faster|fewer|improved|increased|"
                                 "less|more|reduced|simpler";
  if (prose_is(p, from, end, "your") || (by == ':' && prose_one_of(p, from, end, compared)))
    return false; /* "your server's address", "Testing: Easier to test with stores" */
  if (by == ':' && stop > from + 1 && hm_str_eq(last->low, p->t[np->last].low))
    return false; /* "Port: Home Assistant port" */
  for (size_t k = from + 1; k < stop && by == ':'; k++)
    if (p->t[k].cls & C_ARTICLE && !p->t[k].capital)
      return false; /* "type the desired town" */
  if (counts_or_lists(p, np, from, stop, end, by))
    return false;
  bool model = prose_has(p, np->last, np->last + 1, C_MODEL) && !np->known_name;
  bool favourite = false;
  if (np->attribute.n)
    favourite = hm_str_starts(np->attribute.w[0], "favo") && np->attribute.n > 1;
  for (size_t k = 0; k < np->subject.n; k++)
    favourite = favourite || prose_word_in(np->subject.w[k], "favorite|favourite");
  bool plain = by == ':' || by == '=' || favourite || has_plain_words(p, np);
  const char *attribute = NULL;
  v->shape = HM_SHAPE_ATTRIBUTE;
  if ((np->known_name && !np->person) || favourite || np->limit == LIMIT_DEFAULT) {
    if (np->family >= 0 && strcmp(prose_family_name(p, np->family), "language") == 0)
      return false;
    /* "theme: improve styling" says what was done */
    if (by == ':' && !p->about.n && np->words < 2 && stop - from > 1 && !prose_looks_named(last))
      return false;
    bool group = prose_is(p, i, end, "the") && stop > from + 1 &&
        prose_one_of(p, stop - 1, end, "team|squad");
    if (!name_words(p, np, from, stop, plain) || (article && !prose_looks_named(last) && !group))
      return false;
    if (!np->subject.n && !p->about.n && by == 'i' && np->attribute.n == 1 && np->family < 0 &&
        prose_is(p, np->last, np->last + 1, "type"))
      return false;
    if (np->family >= 0 || (last->digit == false && prose_looks_named(last) && by != 'n'))
      v->shape = HM_SHAPE_ATTRIBUTE;
  } else if (model) {
    /* "Router: 0x7a25", "Router: Extensible contract system" */
    if ((!p->t[from].capital && !p->t[from].digit) || hm_str_starts(p->t[from].low, "0x") ||
        is_length(p->t[from].low) || (by == ':' && !prose_looks_named(last)))
      return false;
    if (stop > from + 1 && prose_one_of(p, stop - 1, end, "series|laptop"))
      stop--; /* "a Dell XPS 13 laptop" */
    if (!name_words(p, np, from, stop, false))
      return false;
    attribute = "model";
  } else if (np->person && by == 'i') {
    if (article || !is_first_name(p, np, from, stop))
      return false;
    attribute = "name";
  } else if (stop - from == 1 && looks_coded(last) && !np->person && !article) {
    if (hm_str_is(last->low, "p0") || prose_is_version(last->s) ||
        (by == ':' && prose_is_plural(&p->t[np->last]))) /* "Choices: notes.md" */
      return false;
    prose_attribute_from_subject(np);
  } else {
    return false;
  }
  if (attribute)
    prose_set_attribute(np, attribute);
  prose_attribute_from_subject(np);
  v->value = prose_span(p, from, stop);
  v->to = tail;
  return prose_claim_with_tail(p, np, v, tail, end);
}

/* --- a participle and a name ------------------------------------------------------------------ */
