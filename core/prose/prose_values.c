/* Values of every kind after "is", "=", ":" and "to". Tries in this order a switch, a version, a
 * quantity, a truth value, a date or time, a choice, a command, a name, and claims the first that
 * fits. Last come texts of programs: one property and nothing else ("dial is 55"). */
#include "core/prose/prose_grammar.h"

/* What a number says of a thing that has no attribute: money is its cost. NULL: nothing certain. */
static const char *attribute_of_unit(const prose *p, const prose_np *np, const prose_quantity *q) {
  static const char lasting[] =
      "build|commute|meeting|trip|flight|session|run|backup|workout|drive|ride|walk|standup|"
      "sprint|course|class|shift";
  if (q->unit == UNIT_MONEY)
    return "cost";
  if (q->unit == UNIT_MASS)
    return "mass";
  if (q->unit == UNIT_OTHER && hm_str_find(q->value, "square ") > 0)
    return "area";
  if (q->unit == UNIT_TIME && prose_last_word_in(p, np, lasting))
    return "duration";
  return NULL;
}

/* "warmup is 2,000 steps": a number, one noun, and nothing else. */
static bool counts_only(const prose *p, const prose_np *np, const prose_quantity *q, size_t end) {
  const prose_word *t = &p->t[q->to];
  return q->to + 1 == end && !q->range && !q->limit &&
      !(t->cls & ~(C_HEADING | C_MEASURE | C_NAMED | C_KIND | C_PERSON)) && !t->digit &&
      !t->capital && !t->aside && hm_str_ends(t->low, "s") && !hm_str_ends(t->low, "ss") &&
      !hm_str_ends(p->t[np->last].low, "s") && np->words;
}

static bool is_quantity(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  prose_quantity q;
  if (!prose_read_quantity(p, &q, i, end) || np->value || prose_is_vague(p, np))
    return false;
  bool old = prose_is(p, q.to, end, "old");
  if (old && !np->person && !hm_str_ends(q.reading, "years"))
    return false;
  if (old && q.unit == UNIT_TIME && !np->known_measure) {
    q.to++;
    if (hm_str_ends(q.reading, " years"))
      q.reading = hm_str_sub(q.reading, 0, q.reading.n - 6);
    return !np->indefinite && prose_claim_quantity(p, np, v, &q, end, "age");
  }
  const char *size = prose_dimension_of(p, &q, end);
  if (size && !np->indefinite && (!np->known_measure || !np->subject.n))
    return prose_claim_quantity(p, np, v, &q, end, size);
  if (q.times || np->indefinite)
    return false;
  if (np->person && !np->known_measure)
    return q.plain && !q.range && q.reading.n == 2 && q.limit == LIMIT_NONE &&
        prose_claim_quantity(p, np, v, &q, end, "age");
  const char *attribute = NULL;
  static const char papers[] = "quote|invoice|receipt|refund|purchase|payment|order|bill|offer";
  if (q.unit == UNIT_MONEY && !q.per.n && prose_last_word_in(p, np, papers))
    return false; /* another of them says another sum */
  if (q.plain && !np->known_measure && !np->known_name && np->limit != LIMIT_DEFAULT &&
      counts_only(p, np, &q, end))
    return prose_read_count(p, np, v, i, end, K_NEED);
  if (!np->known_measure && !np->limit) {
    if (q.plain)
      return false;
    attribute = np->known_name ? NULL : attribute_of_unit(p, np, &q);
    size_t words =
        np->subject.n + np->attribute.n + (np->qualifier.n > 0 && !prose_is_notion(p, np->last));
    if (!attribute && (words < 2 || (words < 3 && np->user)))
      return false;
    if (!attribute && q.unit == UNIT_PERCENT && !np->known_name)
      return false;
    if (!attribute) {
      prose_attribute_from_subject(np);
    }
  } else {
    prose_attribute_from_subject(np);
  }
  return prose_claim_quantity(p, np, v, &q, end, attribute);
}

static bool is_time_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  size_t at = prose_one_of(p, i, end, "on|at") ? i + 1 : i, to;
  if (prose_is(p, i, end, "for") && prose_is(p, i - 1, i, "set"))
    at = i + 1;
  bool span = prose_one_of(p, i, end, "from|between");
  if (span)
    at = i + 1;
  bool clock = prose_is_clock(p, at, end, &to);
  size_t hour; /* "support hours are 8:00 to 18:00" */
  span = span || (clock && prose_is(p, to, end, "to") && prose_is_clock(p, to + 1, end, &hour));
  if (span) { /* "between 9:00 am and 12:00 pm" */
    size_t join = to;
    if (!clock || !prose_one_of(p, to, end, "to|and") || !prose_is_clock(p, to + 1, end, &to) ||
        np->person)
      return false;
    v->reading = HM_CAT(p->a, prose_span(p, at, join), HM_STR(" to "), prose_span(p, join + 1, to));
    np->known_measure = true;
  }
  if (!clock && !prose_is_date(p, at, end, &to))
    return false;
  size_t until; /* "Dec 18 to Jan 4" */
  if (!clock && prose_is(p, to, end, "to") && prose_is_date(p, to + 1, end, &until))
    to = until;
  if (np->person || np->indefinite || np->value)
    return false;
  static const char daily[] =
      "standup|stand-up|sync|retro|check-in|pickup|drop-off|check-out|checkin|bedtime";
  bool recurs = prose_last_word_in(p, np, daily);
  if (clock && !np->known_name && !np->known_measure && !recurs &&
      np->subject.n + np->attribute.n < 2)
    return false;
  if ((at > i || recurs) && !np->known_name && !span)
    prose_set_attribute(np, clock ? "time" : "date");
  prose_attribute_from_subject(np);
  return prose_claim_span(p, np, v, at, to, end);
}

/* A property and nothing else, as programs write it: "dial is 55", "tld is .ad", "landlocked is
 * True", "capital is Andorra la Vella". The whole text, in lower case but for the value. */
static bool is_property(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  if (v->by == ':' || v->from != 0 || end != p->n || p->t[0].capital || np->words > 3 ||
      np->words == 0)
    return false;
  if (np->person || np->indefinite || np->fresh || np->value || v->denied || np->qualifier.n)
    return false;
  if (end - i > 6 || p->t[end - 1].stop == '!')
    return false;
  prose_quantity q;
  bool truth = prose_one_of(p, i, end, "true|false");
  bool number = prose_read_quantity(p, &q, i, end) && q.to == end && q.plain && p->t[i].digit;
  bool dotted = p->t[i].s.p[0] == '.' && p->t[i].s.n > 1;
  bool state = (p->t[i].cls & C_STATE) && !(i + 1 < end && p->t[i + 1].capital);
  bool name = p->t[i].capital && !state && !(p->t[i].cls & C_PRONOUN);
  for (size_t k = i; k < end && name; k++)
    name = p->t[k].capital || !(p->t[k].cls & ~(C_ARTICLE | C_FOREIGN | C_PREP));
  if (!name && !(end == i + 1 && (truth || number || dotted)))
    return false;
  prose_attribute_from_subject(np);
  v->shape = truth ? HM_SHAPE_SWITCH : number ? HM_SHAPE_QUANTITY : HM_SHAPE_ATTRIBUTE;
  /* to the end of the text, signs and all */
  v->value = hm_str_trim(hm_str_sub(p->text, (size_t)(p->t[i].s.p - p->text.p), p->text.n));
  if (hm_str_ends(v->value, "."))
    v->value.n--;
  v->to = end;
  prose_claim(p, np, v);
  return true;
}

/* "The door code is 4711", "the gateway's IP is 10.8.0.1": one word with a digit in it. */
static bool is_secret(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  static const char words[] = "address|code|combination|ip|passcode|password|pin";
  hm_str s = p->t[i].s;
  size_t digit = 0;
  while (digit < s.n && (s.p[digit] < '0' || s.p[digit] > '9'))
    digit++;
  if (digit == s.n || s.n < 3 || i + 1 < end || np->person || np->indefinite || np->fresh ||
      np->subject.n + np->attribute.n < 2)
    return false;
  bool of = np->subject.n && np->attribute.n == 1 && prose_name_ends(&np->attribute, words);
  if (!of && !prose_last_word_in(p, np, words)) /* of: "the code for the garage door" */
    return false;
  prose_attribute_from_subject(np);
  v->shape = HM_SHAPE_ATTRIBUTE;
  v->value = s;
  v->to = i + 1;
  prose_claim(p, np, v);
  return true;
}

/* "The gearbox ratio is 5:1", "the drawing scale is 1:50" */
static bool is_ratio(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  hm_str s = p->t[i].s;
  size_t n = 0, colon = 0;
  if (!prose_last_word_in(p, np, "ratio|scale") || np->indefinite ||
      np->subject.n + np->attribute.n < 2)
    return false;
  for (; n < s.n; n++) {
    if (s.p[n] == ':' && n && !colon)
      colon = n;
    else if (s.p[n] != '.' && (s.p[n] < '0' || s.p[n] > '9'))
      return false;
  }
  if (!colon || colon + 1 == n)
    return false;
  size_t to = i + 1; /* "1:50 000" */
  while (to < end && !p->t[to - 1].stop && p->t[to].digit && p->t[to].s.n == 3)
    to++;
  prose_attribute_from_subject(np);
  v->shape = HM_SHAPE_ATTRIBUTE;
  v->value = prose_span(p, i, to);
  v->to = to;
  prose_claim_with_tail(p, np, v, to, end);
  return true;
}

static bool is_choice(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  return prose_read_choice(p, np, v, i, end, NULL);
}

/* "The grill fuel is gas": one plain word. It may be an opinion, so it is compared only with a
 * state or a property of that name. */
static bool is_plain_word(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  const uint64_t refused = C_ENGLISH | C_STATE | C_SEVERAL | C_ADVERB | C_NUMBER | C_ON | C_OFF |
      C_DAY | C_LATELY | C_PART | C_EVENT | C_MOVED | C_FOREIGN;
  const prose_word *t = &p->t[i];
  static const char qualities[] =
      "above|below|bitter|bright|calm|central|clever|dark|deep|dull|fair|fragile|ideal|key|loud|"
      "main|major|"
      "mild|minor|moot|narrow|optimal|perfect|plain|poor|pretty|quiet|rich|robust|rough|shallow|"
      "sharp|smooth|soft|solid|sour|steep|strong|sweet|tall|thick|thin|ugly|vital|weak|wide";
  prose_name turned = { .n = 0 };
  size_t of = 0, n = np->subject.n;
  if (v->by != 'i' || i + 1 != end || t->s.n < 3 || v->denied || (t->cls & refused) || t->capital ||
      t->digit || n + np->attribute.n < 2 || np->person || np->indefinite || np->fresh ||
      np->value || prose_is_vague(p, np) || prose_is_notion(p, np->last) ||
      prose_ends_in(t->low,
                    "ing|ed|able|ible|ful|less|ous|ive|ent|ish|ly|sy|ty|dy|gy|ky|"
                    "my|ny|py|vy|zy") ||
      prose_word_in(t->low, qualities))
    return false;
  while (of < n && !hm_str_is(np->subject.w[of], "of"))
    of++;
  for (size_t k = 0; of < n && k + 1 < n; k++) /* "the fuel of the oven" is the oven fuel */
    prose_add_word(&turned, np->subject.w[(of + 1 + k) % n]);
  if (of < n)
    np->subject = turned;
  prose_attribute_from_subject(np);
  v->shape = HM_SHAPE_ATTRIBUTE;
  v->curated = true;
  v->value = t->s;
  v->to = end;
  prose_claim(p, np, v);
  return true;
}

bool prose_read_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, char by) {
  static const prose_reader readers[] = {
    is_secret,           is_ratio,      prose_read_switch, prose_read_version,
    is_quantity,         is_time_value, is_choice,         prose_read_name_value,
    prose_read_identity, is_property,   is_plain_word,
  };
  v->by = by;
  return i < end && prose_read_first(p, np, v, i, end, readers, HM_COUNT(readers));
}
