/* Amounts as claims, and values of what has a name of its own: defaults of settings, cells beside a
 * key, switches. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/passage/passage_impl.h"

enum { LEAST_WORDS = 2 };

/* Gives a number by itself the unit that its name has: days of "LOAN_DAYS". */
static void name_unit(note_measure *m, hm_str identifier, hm_arena *a) {
  const char *cut = memrchr(identifier.p, '_', identifier.n), *dimension;
  if (!cut || strcmp(m->dimension, "number") || hm_str_ends(identifier, "_db"))
    return; /* "REDIS_DB" is no level in decibels */
  const char *unit = note_unit_of_word(
      hm_str_sub(identifier, (size_t)(cut + 1 - identifier.p), identifier.n), &dimension);
  /* "CONFIDENCE_MIN" is the least of it */
  static const char spans[] = "age|delay|duration|expiry|idle|interval|lifetime|period|timeout|"
                              "ttl|wait|window";
  hm_str before = hm_str_behind_last(hm_str_sub(identifier, 0, (size_t)(cut - identifier.p)), '_');
  if (!unit || hm_str_is(before, "per") ||
      (hm_str_ends(identifier, "_min") && !note_word_in(before, spans)))
    return;
  m->value = HM_CAT(a, m->value, HM_STR(" "), hm_str_c(unit));
  m->dimension = dimension;
}

/* Is the only word of t enough to say of what: of a port, a price? */
static bool may_stand_alone(const note_measure *m) {
  return !note_word_in(hm_str_c(m->dimension), "duration|number|value");
}

/* Adds the claim that the amount of what the words in t say is m. least: how many words must do
 * so. */
void note_claim_amount(note_claims *out, const note_context *c, note_topic *t, note_measure *m,
                       size_t least) {
  static const char telling[] = "bitrate|hours|interval|money|pixels|port|size|temperature";
  if (c->file->of_class || (c->file->series && !t->identifier))
    return;
  bool tells = t->identifier || note_word_in(hm_str_c(m->dimension), telling);
  size_t want = t->identifier || may_stand_alone(m) ? 1 : least;
  size_t n = note_topic_finish_in(t, c, m->dimension, tells ? 1 : least);
  if (n < want || !n || n > NOTE_TOPIC_MAX)
    return;
  if (t->identifier && n == 1)
    name_unit(m, t->v[0], t->a);
  bool plain = !strcmp(m->dimension, "count") || !strcmp(m->dimension, "number");
  note_claims_add_words(out, note_topic_slot(t, plain ? "count" : m->dimension), m->value,
                        NOTE_MEASURED);
}

/* A value that is no sentence: "noeviction", "/ready", "on". Empty: it is none, or stands for one.
 */
static hm_str switch_of(hm_str s, hm_arena *a) {
  hm_str low = note_lower(hm_str_trim(s), a);
  return note_word_in(low, "enabled|on|true")   ? HM_STR("on")
      : note_word_in(low, "disabled|false|off") ? HM_STR("off")
                                                : HM_EMPTY;
}

static hm_str literal_of(hm_str s, hm_arena *a) {
  enum { LONGEST = 40 };
  static const char none[] = "-|auto|dynamic|empty|false|latest|n/a|nil|no|none|null|optional|"
                             "required|string|tbd|true|undefined|unset|varies|yes";
  s = hm_str_trim(s);
  if (hm_str_ends(s, "."))
    s.n--;
  if (s.n > 1 && strchr("`\"'", s.p[0]) && s.p[s.n - 1] == s.p[0])
    s = hm_str_sub(s, 1, s.n - 1);
  bool letter = false;
  for (size_t i = 0; i < s.n; i++) {
    if (!hm_is_alnum(s.p[i]) && !strchr("._/:-", s.p[i]))
      return HM_EMPTY;
    letter |= hm_letter_at(s, i);
  }
  bool named = s.n > 1 && s.n <= LONGEST && letter && hm_str_find(s, "//") < 0;
  return named && !note_word_in(note_lower(s, a), none) ? s : HM_EMPTY;
}

/* Does the name ask for what each has of its own: an id, a key? */
static bool is_of_instance(const note_topic *t) {
  static const char own[] = "email|guid|id|key|password|secret|token|usernam|uuid";
  return note_word_in(t->last_part, own);
}

/* "rate_hz", "timeout_ms": a quantity and its unit, which many things have. */
static bool is_of_many(hm_str name) {
  static const char quantities[] = "delay|duration|interval|period|rate|size|timeout|ttl";
  const char *dimension;
  hm_str unit = hm_str_behind_last(name, '_');
  return unit.n < name.n && note_word_in(hm_str_sub(name, 0, name.n - unit.n - 1), quantities) &&
      note_unit_of_word(unit, &dimension) != NULL;
}

/* "REGISTRY_NAME/gitea": a name that whoever packs it fills in. */
static bool is_gap(hm_str value) {
  size_t n = 0, joints = 0;
  for (; n < value.n && (hm_is_upper(value.p[n]) || value.p[n] == '_'); n++)
    joints += value.p[n] == '_';
  return joints && (n == value.n || value.p[n] == '/') &&
      hm_str_ends(hm_str_sub(value, 0, n), "_NAME");
}

void note_named_value_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                           hm_str name, hm_str value) {
  note_topic b = { .a = out->a };
  note_measure m = { .value = literal_of(value, out->a), .dimension = "value" };
  note_words w = note_split(value, out->a);
  note_topic_add(&b, name, note_lower(name, out->a));
  b.identifier = true;
  if (p && p->kind == HM_DOC_ROW && switch_of(value, out->a).n)
    m.value = switch_of(value, out->a);
  if (c->file->trial || is_of_many(name) || is_gap(value)) /* tests have settings of their own */
    return;
  if (is_of_instance(&b))
    m.value = HM_EMPTY;
  bool share = note_word_in(b.last_part, "cpu|cpus"); /* "100m" are no minutes */
  if (w.n && !share && note_measure_at(&w, 0, &m, out->a) && m.to == w.n) {
    name_unit(&m, note_lower(name, out->a), out->a);
    note_claim_amount(out, c, &b, &m, LEAST_WORDS);
  } else if (value.n && hm_skip_digits(value, 0) == value.n) { /* "2000" may be a year elsewhere */
    m.value = value;
    m.dimension = "number";
    note_claim_amount(out, c, &b, &m, LEAST_WORDS);
  } else if (m.value.n && m.to == 0)
    note_claim_amount(out, c, &b, &m, LEAST_WORDS);
}

/* A name in a span of code that nothing else has: "maxRetries", "probes.path", "fast-search". */
bool note_is_key(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (!hm_is_alnum(s.p[i]) && !strchr("._-", s.p[i]))
      return false;
  return note_is_identifier(s) || (s.n > 3 && hm_letter_at(s, 0) && memchr(s.p + 1, '-', s.n - 2));
}

bool note_is_variable(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (!hm_is_upper(s.p[i]) && !(i && (hm_is_digit(s.p[i]) || s.p[i] == '_')))
      return false;
  return s.n && memchr(s.p, '_', s.n);
}

/* The only key that the text names, in code or as "CHUNK_SIZE"; *end: the byte behind it. Empty: it
 * names none, or several. */
static hm_str only_key(const hm_doc_part *p, const note_words *w, size_t *end) {
  hm_str key = HM_EMPTY;
  for (size_t i = 0; i < w->n; i++) {
    hm_str word = w->w[i].s;
    bool named = note_is_variable(word);
    for (uint32_t k = 0; k < p->n_spans && !named; k++) {
      const hm_doc_span *s = &p->spans[k];
      named = s->mark == HM_DOC_SPAN_CODE && s->from == w->w[i].at && s->to == s->from + word.n &&
          note_is_key(word);
    }
    if (!named)
      continue;
    if (key.n)
      return HM_EMPTY;
    key = word;
    *end = w->w[i].at + word.n;
  }
  return key;
}

/* What stands at the beginning of the text, up to where it says more: not before "and 30 minutes".
 */
static hm_str value_at(hm_str text) {
  static const char *const ends[] = { ", ",          "; ",   ")",      " unless ", " (",
                                      " by default", " if ", " when ", " and " };
  for (size_t i = 0; i < HM_COUNT(ends); i++) {
    ptrdiff_t at = hm_str_find(text, ends[i]);
    bool digit = at > 0 && hm_digit_at(text, (size_t)at + strlen(ends[i]));
    text.n = at > 0 && !digit ? (size_t)at : text.n;
  }
  return text;
}

/* May word i stand between a key and its default: ", whose default is", "is set to"? */
static bool leads_to_default(const note_words *w, size_t i) {
  static const char words[] = "a|and|bool|boolean|default|defaults|get|has|int|integer|is|it|its|"
                              "leave|number|of|set|shipped|stands|string|the|unset|value|which|"
                              "whose|you";
  bool behind = i && note_word_in(w->w[i - 1].low, "default|defaults|set|stands");
  return note_word_in(w->w[i].low, words) || (behind && note_word_in(w->w[i].low, "at|to"));
}

/* "unset", "not set". */
static bool is_unset(const note_words *w) {
  for (size_t i = 1; i < w->n; i++)
    if (hm_str_is(w->w[i].low, "set") && hm_str_is(w->w[i - 1].low, "not"))
      return true;
  return note_any_word_in(w, "unset");
}

/* Is a value shown at word i: in code, a number, a state? Else it may be any word. */
static bool is_shown(const hm_doc_part *p, hm_str text, const note_words *w, size_t i,
                     hm_arena *a) {
  hm_str value = i < w->n ? value_at(hm_str_sub(text, w->w[i].at, text.n)) : HM_EMPTY;
  bool shown = switch_of(value, a).n || hm_digit_at(value, 0);
  for (uint32_t k = 0; k < p->n_spans && !shown && i < w->n; k++)
    shown = p->spans[k].mark == HM_DOC_SPAN_CODE && p->spans[k].from == w->w[i].at;
  return shown;
}

/* The word at which the default begins of the key that ends at byte `end`: "`TRIES` is `5` unless",
 * "`TRIES`: how often, default 5". w->n: there is none. */
static size_t default_at(const hm_doc_part *p, hm_str text, const note_words *w, size_t end,
                         hm_arena *a) {
  size_t i = 0;
  while (i < w->n && (w->w[i].at < end || leads_to_default(w, i)))
    i++;
  /* "If `DAYS` is not set, it stays for its default of 9" */
  bool unset = is_unset(w);
  for (size_t k = i + 1; k < w->n && unset; k++)
    if (note_word_in(w->w[k].low, "is|of|to") && note_word_in(w->w[k - 1].low, "default|defaults"))
      i = k + 1;
  if (is_shown(p, text, w, i, a))
    return i;
  for (i = 0; i < w->n; i++)
    if (w->w[i].at >= end && note_word_in(w->w[i].low, "default|defaults"))
      break;
  for (i++; i < w->n && note_word_in(w->w[i].low, "at|is|of|to|value"); i++)
    ;
  return is_shown(p, text, w, i, a) ? i : w->n;
}

void note_default_claim(note_claims *out, const note_context *c, hm_str key, hm_str value) {
  size_t had = out->n;
  hm_str state = switch_of(value, out->a);
  note_named_value_read(out, c, NULL, key, state.n ? state : value);
  for (size_t k = had; k < out->n; k++)
    out->v[k].family = NOTE_SETTING; /* all that the sentence says: it is no prose, too */
}

/* The key of which a text speaks that begins with "Default": the one with which its paragraph
 * begins, or its heading. Empty: there is none. */
static hm_str key_above(const note_context *c, const hm_doc_part *p) {
  enum { NEAR = 20 };
  const hm_doc_part *at = p;
  while (at > c->doc->parts && p - at < NEAR && at[-1].block == p->block && at[-1].kind == p->kind)
    at--;
  if (at == p && p->heading != HM_DOC_NONE)
    at = &c->doc->parts[p->heading];
  const hm_doc_span *s = at->n_spans ? &at->spans[0] : NULL;
  bool strong = s && s->mark == HM_DOC_STRONG && at->n_spans > 1; /* "**`TRIES`**" */
  s = strong ? s + 1 : s;
  bool code = s && s->mark == HM_DOC_SPAN_CODE && !s->from;
  hm_str key = code ? hm_str_sub(at->text, 0, s->to) : at->text;
  return note_is_variable(key) || (code && note_is_key(key)) ? key : HM_EMPTY;
}

/* "The default `maxRetries` is `5`", "If `LOG_LEVEL` is unset it defaults to `debug`". */
static void read_default(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text,
                         const note_words *w) {
  static const char orders[] = "change|increase|leave|lower|override|raise|reduce|set";
  size_t end = 0;
  hm_str key = only_key(p, w, &end);
  if (!key.n && note_word_in(w->w[0].low, "default|defaults"))
    key = key_above(c, p);
  bool aside = hm_char_at(text, end, ',') || hm_char_at(text, end + 1, ','); /* ", which is 5" */
  static const char others[] = "override|overridden|overrides|recommended|sandbox|sensible";
  bool of_some = note_word_in(w->w[0].low, "for|in|under|with"); /* "With `--verbose`, ..." */
  if (of_some || note_any_word_in(w, others))
    return;
  if (!key.n || (note_word_in(w->w[0].low, orders) && !aside && !is_unset(w)))
    return;
  size_t i = default_at(p, text, w, end, out->a);
  if (i < w->n)
    note_default_claim(out, c, key, value_at(hm_str_sub(text, w->w[i].at, text.n)));
}

bool note_tells_defaults(const hm_document *doc, uint32_t heading, hm_arena *a) {
  static const char others[] =
      "change|changing|credentials|for|override|overrides|overriding|profile|test|tests";
  note_words w = note_split(heading != HM_DOC_NONE ? note_heading_text(doc, heading) : HM_EMPTY, a);
  return note_any_word_in(&w, "default|defaults") && !note_any_word_in(&w, others);
}

/* "- `TRIES`: 5", "- `TRIES` \u2192 5" below "Defaults". */
static void read_listed(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t) {
  static const char *const signs[] = { ":", "=", "\u2192", "->" };
  hm_str text = t->text;
  const note_words *w = &t->words;
  size_t end = 0;
  hm_str key = only_key(p, w, &end);
  if (!key.n || w->w[0].at + w->w[0].s.n < end || !note_tells_defaults(c->doc, p->heading, out->a))
    return;
  end += hm_char_at(text, end, '`');
  hm_str rest = hm_str_trim(hm_str_sub(text, end, text.n));
  for (size_t i = 0; i < HM_COUNT(signs); i++)
    if (hm_str_starts(rest, signs[i])) {
      rest = hm_str_trim(hm_str_sub(rest, strlen(signs[i]), rest.n));
      note_default_claim(out, c, key, value_at(rest));
      return;
    }
}

void note_defaults_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t) {
  hm_str text = t->text;
  bool code = p->kind == HM_DOC_CODE && note_holds_settings(p->language, out->a);
  bool comment = code && hm_str_starts(hm_str_trim(text), "# ");
  bool line = p->kind == HM_DOC_ITEM || p->kind == HM_DOC_SENTENCE || comment;
  if (line && !comment)
    read_listed(out, c, p, t);
  const note_words *w = &t->words;
  bool told = line && note_any_word_in(w, "default|defaults|unless|unset");
  if (!told || note_is_no_statement(text))
    return;
  static const char places[] = "container|dev|development|docker|local|locally|prod|production|"
                               "staging|test|tests";
  if (note_any_word_in(w, places)) /* "In production, it defaults to 5" */
    return;
  bool unset = is_unset(w); /* "If it is unset" */
  size_t first = note_text_until(t, note_first_clause(text)).words.n;
  for (size_t i = 0; i < first; i++)
    if (note_is_doubt(w->w[i].low) && !note_word_in(w->w[i].low, "otherwise|unless") &&
        !(unset && note_word_in(w->w[i].low, "if|not")))
      return;
  read_default(out, c, p, text, w);
}
