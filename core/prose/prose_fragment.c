/* Items of notes: under a subject that the row names, "Mocking: NSubstitute", "Debounce: 500 ms".
 *
 * An item under a subject is one label, of which a thing has one, and one value: an amount, or a
 * name. Lists, and labels in the plural, claim nothing. */
#include "core/prose/prose_grammar.h"

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
