/* Fragments of notes that are no sentences: under a subject that the row names, "Mocking:
 * NSubstitute", "Debounce: 500 ms" and "Implements 500 ms debounce"; anywhere "REST API (port
 * 3000)".
 *
 * An item under a subject is one label, of which a thing has one, and one value: an amount, or a
 * name. Lists, and labels in the plural, claim nothing. */
#include "core/prose/prose_grammar.h"

/* --- items ------------------------------------------------------------------------------------ */

/* Labels of what a thing may have several of, or that say what sort of words follow. */
static const char many[] =
    "ability|achievement|activity|alias|attendee|author|award|benefit|certification|child|"
    "class|client|collaborator|colleague|column|command|component|contact|context|customer|"
    "degree|dependency|description|discovery|dish|education|endpoint|entry|event|experience|"
    "feature|field|food|friend|function|game|genre|goal|guest|hobby|ingredient|insight|"
    "instrument|interest|keyword|label|language|lesson|location|member|method|milestone|music|"
    "parameter|participant|partner|path|pattern|pet|place|product|project|property|quote|"
    "related|route|sibling|skill|source|speaker|specialty|sport|strength|style|tag|team|"
    "technology|to|tool|trip|type|url|vacation|variable|via|visit|website";

static bool is_item_label(const prose *p, size_t i, size_t stop) {
  const uint64_t refused = C_PRONOUN | C_UNSURE | C_COND | C_PREP | C_HEADING | C_SEVERAL | C_NOT |
      C_BE | C_WAS | C_PERSON | C_EVENT | C_MOVED | C_DAY | C_AND | C_ARTICLE | C_MUST | C_LEAD;
  if (stop - i > 3)
    return false;
  for (size_t k = i; k < stop; k++)
    if ((p->t[k].cls & (k + 1 < stop ? refused & ~C_HEADING : refused)) || p->t[k].digit ||
        p->t[k].low.n < 3 || p->t[k].aside || memchr(p->t[k].s.p, '.', p->t[k].s.n) ||
        memchr(p->t[k].s.p, '/', p->t[k].s.n))
      return false;
  return !prose_is_plural(&p->t[stop - 1]) && !prose_is_notion(p, stop - 1) &&
      !prose_one_of(p, stop - 1, stop, many);
}

/* Is the word a name, or a part of one? */
static bool is_named(const prose_word *t, bool first) {
  const uint64_t refused = C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT | C_COND | C_AND | C_UNSURE |
      C_DAY | C_ARTICLE | C_MUST | C_LEAD | C_ON | C_OFF | C_HEADING | C_SEVERAL;
  bool coined = t->upper || t->code;
  if (t->cls & refused)
    return false;
  if (!coined &&
      (!(t->capital || (t->digit && !first)) ||
       prose_ends_in(t->low, "ing|ed|ly|ful|able|ible|less")))
    return false;
  if (first && (t->cls & (C_VERB | C_EVENT | C_MOVED | C_STATE | C_CHOSE | C_PART)) && !coined)
    return false;
  return !memchr(t->s.p, '(', t->s.n) && !memchr(t->s.p, '=', t->s.n) &&
      !memchr(t->s.p, ':', t->s.n) && t->first != '<' && (t->first != '/' || t->code) &&
      t->first != '{';
}

/* "balsam" of "Canada balsam": behind a name. */
static bool is_plain_noun(const prose_word *t) {
  return !t->cls && !t->digit && !t->aside && t->low.n > 2 &&
      !prose_ends_in(t->low, "ing|ed|ly|able|ible");
}

bool prose_is_optional(const prose *p, size_t stop) {
  return stop > 1 && p->t[stop - 1].aside &&
      prose_one_of(p, stop - 1, stop, "optional|required|recommended");
}

/* "Check notes.md", "journalctl -u web": a deed, a command with options. */
static bool is_order(const prose *p, size_t i, size_t end) {
  static const char deeds[] =
      "add|apply|check|click|create|delete|edit|ensure|find|fix|follow|install|move|open|read|"
      "remove|rename|replace|review|run|see|select|set|test|type|update|use|verify|write";
  if (prose_one_of(p, i, end, deeds) && (end > i + 1 || !p->about.n) && !p->t[i].code)
    return true;
  for (; i < end; i++)
    if (p->t[i].first == '-')
      return true;
  return false;
}

bool prose_read_item(prose *p, size_t i, size_t stop, size_t end) {
  prose_np np;
  prose_quantity q;
  prose_value v = { .shape = HM_SHAPE_ATTRIBUTE, .from = i, .to = end };
  size_t last = stop, name = stop - prose_is_optional(p, stop);
  bool whole = !i && end == p->n; /* a text of one item is about its project */
  if ((!p->about.n && !whole) || p->unsure || stop >= end || !is_item_label(p, i, name) ||
      !prose_read_np(p, &np, i, name) || np.person || np.user || np.qualifier.n)
    return false;
  while (last < end && !p->t[last].aside)
    last++;
  if (last == stop || (last < end && prose_is_restriction(p, last, end)))
    return false;
  prose_attribute_from_subject(&np);
  bool quantity = prose_read_quantity(p, &q, stop, last);
  if (quantity && q.to == last && !q.approximate && (!q.plain || last == stop + 1))
    return prose_claim_quantity(p, &np, &v, &q, last, NULL);
  bool quoted = p->t[stop].code; /* "`204 No Content`" */
  if ((quantity && !quoted) || last - stop > 4 || is_order(p, stop, last))
    return false;
  for (size_t k = last; k < end && np.known_measure; k++) /* "Size: small (+3 kB)" */
    if (p->t[k].digit)
      return false;
  bool noun = last == stop + 1 && is_plain_noun(&p->t[stop]); /* "isoflurane" */
  for (size_t k = stop; k < last && !noun; k++)
    if ((!is_named(&p->t[k], k == stop && !quoted) && !(k > stop && is_plain_noun(&p->t[k]))) ||
        (p->t[k].stop && k + 1 < last))
      return false;
  /* "Minimal parameters", "Container configuration": no name of one thing */
  bool two = last - stop > 2 && is_plain_noun(&p->t[last - 2]) && !p->t[last - 2].capital;
  if (last - stop > 1 && is_plain_noun(&p->t[last - 1]) &&
      (two || prose_is_plural(&p->t[last - 1]) ||
       prose_ends_in(p->t[last - 1].low, "ion|ment|ity|ance|ence")))
    return false;
  v.value = prose_span(p, stop, last);
  prose_claim(p, &np, &v);
  return true;
}

/* "Kubernetes 1.20+", "MongoDB 6.0 (local)", "Node.js 18+ with npm": a whole text about nothing
 * else. */
static bool read_product(prose *p, size_t i, size_t end) {
  prose_np np = { .family = -1 };
  prose_value v = { .from = i, .to = end };
  prose_match m;
  hm_str product;
  size_t version, to = prose_product_at(p, i, end, &product, &version);
  if (!to || p->about.n || i || end != p->n || !prose_value_at(p, i, end, &m) ||
      (to < end && !p->t[to].aside &&
       !prose_one_of(p, to, end, "or later|or newer|or higher|or above|with|for")))
    return false;
  size_t stop = to;
  while (stop < end && prose_one_of(p, stop, end, "or|later|newer|higher|above"))
    stop++;
  return prose_read_version(p, &np, &v, i, stop);
}

/* "Default chunk size 8 MB", "Retries 3 times" of what the text is about. */
static bool read_bare_measure(prose *p, size_t i, size_t end) {
  prose_np np;
  prose_quantity q;
  prose_value v = { .from = i, .to = end };
  uint64_t cls;
  size_t at = i;
  while (at < end && !p->t[at].digit && !(p->t[at].cls & C_NUMBER) &&
         !prose_one_of(p, at, end, "below|under|<|<=|\xe2\x89\xa4|>=|\xe2\x89\xa5"))
    at++;
  np = (prose_np){ .family = -1 };
  if (prose_is(p, i, end, "retries") && prose_read_times(p, &np, &v, i + 1, end))
    return true;
  if (at == i || at - i > 4 || !prose_read_quantity(p, &q, at, end) || q.to != end || q.range ||
      q.times)
    return false;
  if (!prose_attribute_words(p, i, at, &cls) || !(cls & C_MEASURE) ||
      !prose_read_np(p, &np, i, at) || np.person || np.indefinite || np.fresh || q.approximate)
    return false;
  for (size_t k = i; k < at; k++)
    if (p->t[k].cls & (C_VERB | C_EVENT | C_MOVED | C_CHOSE | C_PART))
      return false;
  prose_make_all_subject(&np);
  prose_attribute_from_subject(&np);
  return prose_claim_quantity(p, &np, &v, &q, end, NULL);
}

/* "Implements 500 ms debounce", "500 ms debounce" of what the text is about: an amount and what it
 * is of. */
bool prose_read_fragment(prose *p, size_t i, size_t end) {
  static const char verbs[] =
      "applies|enforces|has|implements|offers|provides|supports|uses|with|adds";
  prose_np np = { .family = -1 };
  prose_quantity q;
  prose_value v = { .from = i, .to = end };
  if (p->about.n ? read_bare_measure(p, i, end) : read_product(p, i, end))
    return true;
  size_t at = prose_one_of(p, i, end, verbs) ? i + 1 : i;
  /* "JWT with 15 minute expiry" */
  if (at == i && prose_is(p, i + 1, end, "with") && p->t[i].upper && !p->t[i].cls) {
    prose_add_word(&np.subject, p->t[i].low);
    at = i + 2;
  }
  if (!p->about.n || !prose_read_quantity(p, &q, at, end) || q.approximate || q.plain || q.times ||
      q.to >= end || end - q.to > 2)
    return false;
  for (size_t k = q.to; k < end; k++) {
    const prose_word *t = &p->t[k];
    if ((t->cls & ~(C_MEASURE | C_NAMED | C_KIND)) || t->digit || t->aside || t->capital ||
        prose_is_unit_word(p, k) || (t->stop && k + 1 < end))
      return false;
    prose_add_word(&np.attribute, prose_singular(p, t));
  }
  q.to = end;
  return prose_claim_quantity(p, &np, &v, &q, end, NULL);
}

/* --- in parentheses --------------------------------------------------------------------------- */

/* The first word of the name that ends before k: "REST API" in "uses the REST API (port 3000)". */
static size_t name_start(const prose *p, size_t i, size_t k) {
  const uint64_t refused = C_PRONOUN | C_BE | C_WAS | C_HAVE | C_PREP | C_AND | C_VERB | C_EVENT |
      C_MOVED | C_COND | C_NOT | C_UNSURE | C_MUST | C_CHOSE;
  size_t from = k;
  while (from > i && k - from < 4 && !(p->t[from - 1].cls & refused) && !p->t[from - 1].aside &&
         !(from < k && p->t[from - 1].stop)) {
    from--;
    if (p->t[from].cls & C_ARTICLE)
      break;
  }
  return from;
}

/* "Image resizer (max 20 MB)", "Worker pool (8 threads, 2 spares)": a bound or a count at k, of the
 * name before the bracket, which opens at `open`. */
static bool read_count_aside(prose *p, size_t i, size_t open, size_t k, size_t end) {
  prose_np np;
  size_t n = prose_one_of(p, k, end, "max|max.|up to|at most"), close = k,
         from = name_start(p, i, open), last = open;
  while (last < end && p->t[last].aside)
    last++;
  while (close < last && !(close > k && p->t[close - 1].stop == ','))
    close++;
  prose_value v = { .from = from, .to = close };
  if (from == open || from != i || last != end || close - k < 2 || close - k > 4 ||
      !(p->t[k + n].digit || n) || p->t[k + n].stop || !prose_read_np(p, &np, from, open) ||
      np.indefinite || np.person || np.known_measure || prose_is_plural(&p->t[open - 1]) ||
      prose_is_notion(p, open - 1))
    return false;
  for (size_t w = k; w < close; w++)
    p->t[w].aside = false;
  bool read = prose_read_count(p, &np, &v, k + n, close, n ? K_LIMIT : K_HAS);
  for (size_t w = k; w < close; w++)
    p->t[w].aside = true;
  return read;
}

/* "Max buffer size (1000 messages per connection)": all that the text says of a measure. */
static bool read_measure_aside(prose *p, size_t i, size_t k, size_t end) {
  prose_np np;
  prose_quantity q;
  prose_value v = { .from = i, .to = end };
  size_t last = k;
  while (last < end && p->t[last].aside && !(last > k && p->t[last - 1].stop))
    last++;
  if (last != end || k - i > 4 || !prose_read_np(p, &np, i, k) || !np.known_measure ||
      np.indefinite || np.person || (!p->about.n && np.words < 2) ||
      !prose_read_quantity(p, &q, k, end) || q.approximate || q.range || q.times ||
      (q.to < end && !q.plain))
    return false;
  return prose_claim_quantity(p, &np, &v, &q, end, NULL);
}

/* "(port 9187, interval 15 s)", "(Sollwert 4 °C)" at k: an amount with its unit behind one plain
 * word of any language, of the name before the bracket, which opens at `open`; both are all of the
 * text. */
static bool read_amount_aside(prose *p, size_t i, size_t open, size_t k, size_t end) {
  prose_np np = { .family = -1 };
  prose_quantity q;
  size_t last = open, name = open - (open > i + 1 && p->t[open - 1].digit);
  while (last < end && p->t[last].aside)
    last++;
  const prose_word *t = &p->t[k];
  if (i || last != p->n || k + 1 >= last || open - i > 4 || t->digit || t->stop || t->low.n < 3 ||
      (t->cls & ~(C_MEASURE | C_NAMED | C_KIND)) || name_start(p, i, name) != i ||
      !prose_read_quantity(p, &q, k + 1, end) || q.range || (q.plain && !(t->cls & C_MEASURE)) ||
      q.approximate || q.times || (q.to < end && p->t[q.to - 1].stop != ',') ||
      prose_is_date(p, k, end, &last))
    return false;
  if (!prose_read_np(p, &np, i, name) || np.indefinite || np.person || np.known_measure ||
      prose_is_plural(&p->t[name - 1]) || prose_is_notion(p, name - 1))
    return false;
  prose_value v = { .from = i, .to = q.to };
  prose_make_all_subject(&np);
  if (name < open)
    prose_add_word(&np.subject, p->t[name].low);
  prose_set_attribute_noun(p, &np, k, 1);
  return prose_claim_quantity(p, &np, &v, &q, q.to, NULL);
}

void prose_read_parentheses(prose *p, size_t i, size_t end) {
  for (size_t k = i + 1; k + 1 < end; k++) {
    prose_np np;
    prose_quantity q;
    uint64_t cls;
    if (!p->t[k].aside || p->t[k - 1].aside || p->t[k].code || prose_is(p, k + 2, end, "="))
      continue;
    if (read_measure_aside(p, i, k, end))
      return;
    if (read_count_aside(p, i, k, k, end)) {
      for (size_t one = k + 1; one < end; one++)
        if (p->t[one - 1].stop == ',')
          read_count_aside(p, i, k, one, end);
      continue;
    }
    bool any = false;
    for (size_t one = k; one < end; one++)
      if (one == k || p->t[one - 1].stop == ',')
        any = read_amount_aside(p, i, k, one, end) || any;
    if (any)
      continue;
    size_t words = prose_attribute_words(p, k, k + 2, &cls) == 2 ? 2 : 1, at = k + words;
    prose_attribute_words(p, k, at, &cls);
    if (!(cls & C_MEASURE) || !prose_read_quantity(p, &q, at, end) || q.limit || q.range ||
        q.approximate || (q.to < end && p->t[q.to].aside) || !p->t[q.to - 1].aside)
      continue;
    size_t from = name_start(p, i, k);
    if (from == k || (from > i && prose_is(p, from - 1, from, "for")) ||
        !prose_read_np(p, &np, from, k) || np.indefinite || np.person || np.known_measure ||
        prose_is_plural(&p->t[k - 1]) || prose_is_notion(p, k - 1))
      continue;
    prose_value v = { .from = from, .to = q.to };
    prose_set_attribute_noun(p, &np, k, words);
    prose_claim_quantity(p, &np, &v, &q, q.to, NULL);
  }
}
