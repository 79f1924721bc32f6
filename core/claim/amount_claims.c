/* Claims of amounts in memories: of sentences as in documents (core/notes/sentence.h), and of
 * labels in any language.
 *
 * What a sentence's amount is about is the words around it, so its slot has a topic (topic.h). */
#include <string.h>
#include <strings.h>

#include "core/base/ascii.h"
#include "core/base/redaction.h"
#include "core/base/text.h"
#include "core/claim/row_reader.h"
#include "core/notes/sentence.h"
#include "core/value/rules.h"
#include "core/value/value.h"

/* --- sentences -------------------------------------------------------------------------------- */

static void add_amount(row_reader *r, hm_str text, const hm_sentence_amount *amount) {
  hm_value v;
  hm_str slot = hm_text_fold_name(r->a, amount->slot), value = hm_str_dup(r->a, amount->value);
  hm_value_parse(&v, value, hm_rules_reading(r->rules, slot), &r->by, r->units, r->a);
  if (v.kind == HM_V_NONE)
    return;
  if (r->row->polarity < 0)
    hm_value_deny(&v, r->a);
  hm_story_claim *s = hm_row_story_claim(r, text);
  s->claim = (hm_prose_claim){ .shape = HM_SHAPE_QUANTITY,
                               .slot = slot,
                               .attribute = slot,
                               .bare = slot,
                               .value = value,
                               .reading = value,
                               .words = text };
  s->key = hm_row_story_key(r, value, &v);
  r->proto.said = s;
  r->proto.topic = HM_CAT(r->a, amount->slot, HM_STR(" ("), amount->hints, HM_STR(")"));
  hm_row_add_claim(r, hm_slot_shorten_part(r->a, slot), HM_CAT(r->a, HM_STR("content:"), slot),
                   HM_STR("one"), &v);
  r->proto.topic = HM_EMPTY;
  r->proto.said = NULL;
}

void hm_row_read_amounts(row_reader *r) {
  hm_str text = hm_str_trim(r->row->text);
  hm_sentence_amount *v;
  if (hm_is_redacted(text))
    return;
  size_t n = hm_sentence_amounts(text, r->scratch, &v);
  for (size_t i = 0; i < n; i++)
    add_amount(r, text, &v[i]);
}

/* --- labels in any language ------------------------------------------------------------------- */

/* The label before the first separator, ASCII or of full width, in s; *value: what stands behind.
 * Empty: there is none, or it is no label of a few words. */
static hm_str label_of(hm_str s, hm_str *value) {
  enum { LABEL_MAX = 60, VALUE_MAX = 40, WORDS_MAX = 4 };
  static const char *const separators[] = { "\uFF1A", "\uFF1D", ": ", " = ", "\u662F", "\u306F" };
  ptrdiff_t at = -1;
  size_t words = 1, bytes = 0;
  for (size_t i = 0; i < HM_COUNT(separators) && at < 0; i++) {
    at = hm_str_find(s, separators[i]);
    bytes = strlen(separators[i]);
  }
  if (at <= 0 || at > LABEL_MAX || memchr(s.p, '\n', s.n))
    return HM_EMPTY;
  hm_str label = hm_str_trim(hm_str_sub(s, 0, (size_t)at));
  *value = hm_str_trim(hm_str_sub(s, (size_t)at + bytes, s.n));
  for (size_t i = 0; i < label.n; i++) {
    words += label.p[i] == ' ';
    if (hm_is_digit(label.p[i]) || strchr(".,;:!?()[]\"", label.p[i]))
      return HM_EMPTY;
  }
  return value->n && value->n <= VALUE_MAX && words <= WORDS_MAX ? label : HM_EMPTY;
}

static bool is_ascii(hm_str s) {
  size_t i = 0;
  while (i < s.n && !(s.p[i] & 0x80))
    i++;
  return i == s.n;
}

/* An amount whose unit has another spelling in English: "30 Sekunden". */
static bool has_foreign_unit(const hm_value *v) {
  hm_str raw = hm_str_trim(v->raw);
  size_t from = raw.n;
  while (from && !hm_is_digit(raw.p[from - 1]) && raw.p[from - 1] != ' ')
    from--;
  size_t unit = raw.n - from;
  return v->kind == HM_V_QUANTITY && unit > 2 && unit <= v->norm.n &&
      memcmp(v->norm.p + v->norm.n - unit, raw.p + from, unit) != 0;
}

/* s without the end of a sentence: "PostgreSQL" of "PostgreSQLです。". */
static hm_str drop_end(hm_str s) {
  static const char *const ends[] = { "\u3002", "\u3067\u3059" };
  for (size_t i = 0; i < HM_COUNT(ends); i++)
    if (hm_str_ends(s, ends[i]))
      s.n -= strlen(ends[i]);
  return s;
}

/* A name in Latin letters: "PostgreSQL", "C++". */
static bool is_latin_name(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (!hm_is_alnum(s.p[i]) && !(i && s.p[i] && strchr(".+#-", s.p[i])))
      return false;
  return s.n > 1 && !hm_is_digit(s.p[0]);
}

/* What "die Probezeit beträgt sechs Monate" is about, without its article; *value: what stands
 * behind the verb. Empty: it is no such sentence. */
static hm_str subject_of_sentence(hm_str s, hm_str *value) {
  enum { WORDS_MAX = 5 };
  static const char *const articles[] = { "der ", "die ", "das ", "el ", "la ", "los ",
                                          "las ", "le ",  "les ", "l'",  "il ", "lo " };
  static const char *const verbs[] = { " betr\u00E4gt ", " betragen ",  " liegt bei ", " ist ",
                                       " sind ",         " es de ",     " es ",        " son de ",
                                       " son ",          " est de ",    " est ",       " sont de ",
                                       " sont ",         " \u00E8 di ", " \u00E8 " };
  size_t article = 0, words = 1;
  ptrdiff_t at = -1;
  for (size_t i = 0; i < HM_COUNT(articles) && !article; i++)
    if (s.n > strlen(articles[i]) && !strncasecmp(s.p, articles[i], strlen(articles[i])))
      article = strlen(articles[i]);
  for (size_t i = 0; i < HM_COUNT(verbs) && at < 0; i++) {
    at = hm_str_find(s, verbs[i]);
    *value = at < 0 ? HM_EMPTY : hm_str_trim(hm_str_sub(s, (size_t)at + strlen(verbs[i]), s.n));
  }
  if (at <= (ptrdiff_t)article || memchr(s.p, '\n', s.n))
    return HM_EMPTY;
  hm_str subject = hm_str_sub(s, article, (size_t)at);
  for (size_t i = 0; i < subject.n; i++) {
    words += subject.p[i] == ' ';
    if (hm_is_digit(subject.p[i]) || strchr(".,;:!?()[]\"", subject.p[i]))
      return HM_EMPTY;
  }
  return words <= WORDS_MAX ? subject : HM_EMPTY;
}

/* "6 Monate" of "sechs Monate". Sources: CLDR; of German Duden, of French Larousse. */
static hm_str in_digits(hm_str s, hm_arena *a) {
  enum { FIRST = 2 };
  static const char *const numbers[][3] = {
    { "zwei ", "deux ", "dos " },      { "drei ", "trois ", "tres " },
    { "vier ", "quatre ", "cuatro " }, { "f\u00FCnf ", "cinq ", "cinco " },
    { "sechs ", "six ", "seis " },     { "sieben ", "sept ", "siete " },
    { "acht ", "huit ", "ocho " },     { "neun ", "neuf ", "nueve " },
    { "zehn ", "dix ", "diez " },
  };
  for (size_t i = 0; i < HM_COUNT(numbers); i++)
    for (size_t k = 0; k < HM_COUNT(numbers[i]); k++)
      if (hm_str_starts(s, numbers[i][k]))
        return hm_str_fmt(a, "%zu %s", i + FIRST,
                          hm_str_z(a, hm_str_sub(s, strlen(numbers[i][k]), s.n)));
  return s;
}

/* "端口：8080": a label, a separator and an amount say the same in any script; so do "is" and a
 * name in Latin letters in scripts without spaces. */
void hm_row_read_foreign(row_reader *r, hm_str subject) {
  static const hm_value_kind amounts[] = { HM_V_NUMBER, HM_V_QUANTITY, HM_V_DATE, HM_V_RANGE };
  hm_str text = hm_str_trim(r->row->text), value, label = label_of(text, &value);
  bool sentence = !label.n;
  if (sentence)
    label = subject_of_sentence(text, &value);
  hm_str name = hm_text_fold_name(r->a, label), about = hm_text_fold_name(r->a, subject);
  hm_value v;
  if (!name.n)
    return;
  if (about.n)
    name = HM_CAT(r->a, about, HM_STR("_"), name);
  value = drop_end(value);
  hm_value_parse(&v, in_digits(value, r->a), hm_rules_reading(r->rules, name), &r->by, r->units,
                 r->a);
  v.raw = value;
  bool amount = false;
  for (size_t i = 0; i < HM_COUNT(amounts); i++)
    amount = amount || v.kind == amounts[i];
  bool named = sentence ? hm_str_starts(value, "Frau ") || hm_str_starts(value, "Herr ")
                        : !is_ascii(label) && is_latin_name(value);
  if ((!amount && !named) || (!sentence && is_ascii(text) && !has_foreign_unit(&v)))
    return;
  if (r->row->polarity < 0)
    hm_value_deny(&v, r->a);
  hm_story_claim *s = hm_row_story_claim(r, text);
  s->claim = (hm_prose_claim){ .shape = HM_SHAPE_QUANTITY,
                               .slot = name,
                               .subject = about,
                               .attribute = name,
                               .bare = name,
                               .value = value,
                               .reading = value,
                               .words = text };
  s->key = hm_row_story_key(r, value, &v);
  r->proto.said = s;
  hm_row_add_claim(r, hm_slot_shorten_part(r->a, name), HM_STR("content"), HM_STR("one"), &v);
  r->proto.said = NULL;
}
