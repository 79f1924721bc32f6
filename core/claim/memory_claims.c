/* Makes claims of memories: identities and preferences by their forms (memory.h), all types that
 * are stories as prose (prose.h).
 *
 * A text may have several claims. The first has the field "content", each further one
 * "content:SLOT", and "content:SLOT#2" for a second one in the slot; so has a claim that is
 * repeated in the slot of the text's own words. So each claim of a row is a separate member in
 * conflicts, and a row with one claim keeps the field that it had in older versions. */
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "core/base/ascii.h"
#include "core/base/redaction.h"
#include "core/base/text.h"
#include "core/claim/memory.h"
#include "core/claim/memory_forms.h"
#include "core/claim/row_reader.h"
#include "core/value/rules.h"
#include "core/claim/side_environment.h"
#include "core/words/sentence.h"
#include "core/value/value.h"

/* Identities and preferences are compared by stems, and only within one scope or without one: the
 * scope is part of the slot's name. */
static void read_identity_or_preference(row_reader *r, const hm_memory_claim *m, hm_value *v,
                                        hm_str *slot) {
  const hm_row *row = r->row;
  bool identity = row->type.n && (row->type.p[0] | 0x20) == 'i'; /* "Identity", "identity" */
  r->proto.space = identity ? HM_STR("identity") : HM_STR("preference");
  hm_value_parse(v, m->value, HM_READ_TEXT, &(hm_value_reading){ .rules = r->rules }, r->units,
                 r->a);
  if (v->kind != HM_V_NONE) {
    hm_str stems = hm_memory_stem_value(r->scratch, m->value);
    v->norm = v->key = HM_CAT(r->a, HM_STR("text:"), stems);
  }
  hm_str scope = hm_slot_shorten_part(r->scratch, row->scope);
  if (scope.n)
    *slot = hm_str_fmt(r->a, "%.*s (%.*s)", HM_FMT(*slot), HM_FMT(scope));
}

static void read_by_grammar(row_reader *r) {
  hm_memory_claim m;
  hm_value v;
  hm_memory_read(&m, r->row, r->a);
  if (!m.slot.n || !m.value.n)
    return;
  r->by.ordered = hm_rules_is_ordered(r->rules, m.slot);
  if (m.own_space)
    read_identity_or_preference(r, &m, &v, &m.slot);
  else
    hm_value_parse(&v, m.value, hm_rules_reading(r->rules, m.slot), &r->by, r->units, r->a);
  if (v.kind != HM_V_NONE && (m.denied || r->row->polarity < 0))
    hm_value_deny(&v, r->a);
  hm_row_add_claim(r, m.slot, HM_STR("content"), HM_EMPTY, &v);
}

/* --- prose ------------------------------------------------------------------------------ */

/* "14" of "Postgres 14", "1.0.0" of a thing that is called a version. */
static bool is_version(const hm_prose_claim *c) {
  static const char *const names[] = { "version", "release", "firmware", "revision" };
  bool named = c->shape == HM_SHAPE_VERSION;
  for (size_t i = 0; i < HM_COUNT(names); i++)
    named = named || hm_str_ends(c->slot, names[i]);
  return named && hm_is_version(c->reading);
}

static void read_value(row_reader *r, const hm_prose_claim *p, hm_str reading, hm_value *v) {
  bool as_text =
      p->shape == HM_SHAPE_VERSION || p->shape == HM_SHAPE_CHOICE || p->shape == HM_SHAPE_STATUS;
  hm_reading supports = hm_rules_reading(r->rules, p->slot) | (as_text ? HM_READ_TEXT : 0);
  hm_value_reading by = { .rules = r->rules, .families = r->families };
  hm_json *array;
  if (hm_text_has_digit(reading))
    by = r->by; /* as hm_claim_each_input_id has it */
  by.ordered = hm_str_ends(p->slot, "order") || hm_str_ends(p->slot, "sequence");
  if (hm_str_starts(reading, "[") && !hm_json_parse(r->a, reading, &array, NULL))
    hm_value_parse_json(v, array, true, &by, r->units, r->a);
  else
    hm_value_parse(v, reading, supports, &by, r->units, r->a);
}

static hm_str key_of(row_reader *r, hm_str reading, const hm_value *v) {
  hm_str name = v->kind == HM_V_TEXT ? hm_text_fold_name(r->a, reading) : HM_EMPTY;
  if (hm_text_has_digit(name))
    name = hm_memory_day_of_any_year(r->a, name);
  return name.n ? HM_CAT(r->a, v->denied ? HM_STR("not:") : HM_STR("is:"), name) : v->key;
}

/* When it was true, else written, unless that is an import's time. */
static hm_time time_of(const row_reader *r) {
  const hm_bound *begins = &r->proto.when->begin;
  hm_time t = r->proto.stands;
  bool stated = begins->known && !begins->axis && !begins->vague;
  return !stated && hm_second_is_crowded(r->crowded, r->n_crowded, t) ? HM_TIME_MIN : t;
}

/* How far a thing is changes as things go on: a claim of it with a date, of the text, the window or
 * the source, is a line of a log. */
static void read_progress(row_reader *r, hm_story_claim *s) {
  if (s->claim.shape != HM_SHAPE_STATUS || r->row->layer != HM_MEMORY)
    return;
  bool window = r->proto.when->begin.known;
  hm_str date = s->claim.dated.n ? s->claim.dated : hm_row_source_date(r->row);
  s->log = date.n || window;
  if (!s->agent.n)
    s->origin = hm_row_origin(r);
  if (!window && date.n)
    hm_time_parse(date, &s->at, &(hm_precision){ 0 });
}

/* Who said it, for what one says later. The author of a document wrote it first, perhaps: its lines
 * are nobody's in particular. */
static hm_str speaker_of(row_reader *r) {
  hm_str agent = hm_str_trim(r->row->agent);
  return agent.n && hm_row_file_line(r->row, r->scratch).n ? HM_EMPTY : agent;
}

static hm_story_claim *story_claim_of(row_reader *r, hm_str text) {
  hm_story_claim *s = hm_alloc(r->a, sizeof *s);
  uint32_t row = r->proto.row;
  *s = (hm_story_claim){ .at = time_of(r),
                         .agent = speaker_of(r),
                         .scope = hm_slot_shorten_part(r->a, r->row->scope),
                         .origin = HM_EMPTY,
                         .text = text,
                         .by = hm_snapshot_named(r->snap, row, HM_NAMES_SUPERSEDED_BY),
                         .ends = r->proto.when->end.known,
                         .via = r->row->via,
                         .version = HM_EMPTY,
                         .past = r->row->status == HM_SUPERSEDED && !r->any_status,
                         .compared = !r->rules->story || !r->rules->story->never_compare };
  return s;
}

static hm_str field_of(row_reader *r, hm_str field, const hm_prose *p, size_t i) {
  size_t again = 1;
  for (size_t k = 0; k < i; k++)
    again += hm_str_eq(p->claims[k].slot, p->claims[i].slot);
  if (!i)
    return field;
  hm_str name = HM_CAT(r->a, field, HM_STR(":"), p->claims[i].slot);
  return again > 1 ? hm_str_fmt(r->a, "%.*s#%zu", HM_FMT(name), again) : name;
}

/* Does the text begin with its speaker? "I", "my", "the user's". */
static bool begins_with_speaker(hm_str text) {
  static const char *const words[] = { "i", "i'm", "i've", "my", "user's", NULL };
  hm_words w;
  hm_words_split(&w, hm_str_sub(text, 0, 64));
  return hm_words_in(&w, hm_words_is(&w, 0, "the") ? 1 : 0, words);
}

/* "user_employer" of a row about Alice is "alice_employer": texts about several people call each of
 * them the user. */
static hm_str name_after_person(row_reader *r, hm_str name, hm_str person) {
  if (!hm_str_starts(name, "user") || (name.n > 4 && name.p[4] != '_'))
    return name;
  return HM_CAT(r->a, person, hm_str_sub(name, 4, name.n));
}

/* Who the user of a text is, as its slot_rule says; else empty. */
static hm_str subject_of_user(const hm_row *row) {
  hm_str subject;
  if (row->layer != HM_MEMORY || !hm_memory_parse_subject_rule(row, &subject))
    return HM_EMPTY;
  return subject;
}

/* Claims about the user become claims of that subject: in a text that begins with its speaker, and
 * for what people have and do ("the user works at Acme"). A service's "user limit" is not
 * changed. */
static void name_person(row_reader *r, hm_str text, hm_prose *p) {
  hm_str subject = subject_of_user(r->row);
  if (!subject.n)
    return;
  hm_str person = hm_text_fold_name(r->a, subject);
  bool speaks = begins_with_speaker(text);
  for (size_t i = 0; i < p->n && person.n; i++) {
    hm_prose_claim *c = &p->claims[i];
    if (!speaks && c->shape != HM_SHAPE_ATTRIBUTE)
      continue;
    c->slot = name_after_person(r, c->slot, person);
    c->bare = name_after_person(r, c->bare, person);
    c->subject = name_after_person(r, c->subject, person);
  }
}

/* What outlives the reading of a text: its slices stay slices. */
static hm_str keep_slice(row_reader *r, hm_str s, hm_str text) {
  uintptr_t at = (uintptr_t)s.p, from = (uintptr_t)text.p;
  if (at >= from && at - from <= text.n)
    return s;
  return s.n ? hm_str_dup(r->a, s) : HM_EMPTY;
}

/* Most texts claim nothing, so words are read in the row's scratch, and claims are copied. */
static void read_text(row_reader *r, hm_str text, hm_str subject, hm_prose *p) {
  hm_prose_parse(p, text, subject, r->families, r->scratch);
  for (size_t i = 0; i < p->n; i++) {
    hm_prose_claim *c = &p->claims[i];
    hm_str *const all[] = { &c->slot,    &c->subject, &c->attribute, &c->qualifier,
                            &c->written, &c->value,   &c->reading,   &c->left,
                            &c->words,   &c->dated,   &c->called };
    bool bare = c->bare.p == c->slot.p;
    for (size_t k = 0; k < HM_COUNT(all); k++)
      *all[k] = keep_slice(r, *all[k], text);
    c->bare = bare ? c->slot : keep_slice(r, c->bare, text);
  }
  for (size_t i = 0; i < p->n_mentions; i++) {
    hm_mention *m = &p->mentions[i];
    hm_str *const all[] = { &m->slot, &m->value, &m->words };
    for (size_t k = 0; k < HM_COUNT(all); k++)
      *all[k] = keep_slice(r, *all[k], text);
  }
}

/* Does "about" or the like stand before the value, a slice of the text? */
static bool is_about(hm_str text, hm_str value) {
  static const char *const words[] = { "~",        "about ",   "almost ", "approx ",
                                       "approx. ", "around ",  "ca. ",    "circa ",
                                       "nearly ",  "roughly ", "some ",   "approximately " };
  uintptr_t at = (uintptr_t)value.p, from = (uintptr_t)text.p;
  if (at < from || at - from > text.n)
    return false;
  hm_str before = hm_str_sub(text, 0, at - from);
  /* Most words end in no letter that these do */
  if (before.n > 1 && before.p[before.n - 1] == ' ' && !strchr("tx.daye", before.p[before.n - 2]))
    return value.n && value.p[0] == '~';
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (hm_str_ends(before, words[i]))
      return true;
  return value.n && value.p[0] == '~';
}

static bool is_aside(const hm_prose_claim *c) {
  return hm_side_environment(c->qualifier, c->slot).n > 0;
}

/* "pytest for unit tests and Playwright for browser tests", "30 s by default and 60 s for uploads".
 * A side environment is another slot. */
static bool is_one_of_several(const hm_prose *p, size_t i) {
  static const char by_default[] = "default_";
  const hm_prose_claim *c = &p->claims[i];
  if (!c->qualifier.n || is_aside(c))
    return false;
  for (size_t k = 0; k < p->n; k++) {
    hm_str other = p->claims[k].slot;
    if (hm_str_starts(other, by_default))
      other = hm_str_sub(other, strlen(by_default), other.n);
    if (hm_str_eq(other, c->slot) && !is_aside(&p->claims[k]) &&
        !hm_str_eq(p->claims[k].qualifier, c->qualifier))
      return true;
  }
  return false;
}

/* What holds in a side environment is a slot of its own: "staging_api_timeout" for the API's
 * timeout on staging. Its qualifier is spelled in one way. An identity of a scope is compared only
 * within that: scopes may be other users. */
static hm_str name_slot(row_reader *r, hm_prose_claim *c, hm_str slot) {
  c->qualifier = hm_qualifier_plain(c->qualifier);
  hm_str side = hm_side_environment(c->qualifier, slot), scope = HM_EMPTY;
  if (side.n)
    c->qualifier = side;
  hm_str name = side.n ? HM_CAT(r->a, side, HM_STR("_"), slot) : slot;
  name = hm_slot_shorten_part(r->a, name);
  if (r->row->layer == HM_MEMORY && hm_word_is(r->row->type, "identity") &&
      !subject_of_user(r->row).n)
    scope = hm_slot_shorten_part(r->scratch, r->row->scope);
  return scope.n ? hm_str_fmt(r->a, "%.*s (%.*s)", HM_FMT(name), HM_FMT(scope)) : name;
}

/* States and entities have the names that people use: "payments_timeout", "broker". The text claims
 * that slot, too, where its own has other words. It is compared with no text there. */
static void add_spelled(row_reader *r, const hm_story_claim *said, hm_str field,
                        const hm_value *v) {
  if (r->row->layer != HM_MEMORY || !said->claim.written.n)
    return;
  hm_story_claim *s = hm_alloc(r->a, sizeof *s);
  *s = *said;
  s->spelled = true;
  r->proto.said = s;
  hm_str slot = name_slot(r, &s->claim, s->claim.written);
  hm_str own = name_slot(r, &s->claim, s->claim.slot);
  if (hm_str_eq(hm_slot_one_name(r->scratch, slot, v), hm_slot_one_name(r->scratch, own, v)))
    return;
  hm_row_add_claim(r, slot, HM_CAT(r->a, field, HM_STR(":"), slot), HM_EMPTY, v);
}

bool hm_row_read_prose(row_reader *r, hm_str text, hm_str subject, hm_str field, hm_str compare) {
  hm_prose p;
  text = hm_str_trim(text);
  if (!text.n || hm_is_redacted(text))
    return false;
  read_text(r, text, subject, &p);
  name_person(r, text, &p);
  for (size_t i = 0; i < p.n; i++) {
    const hm_prose_claim *c = &p.claims[i];
    hm_story_claim *s = story_claim_of(r, text);
    hm_value v, left;
    s->claim = *c;
    read_progress(r, s);
    s->settles = p.settles;
    s->about = is_about(text, c->value);
    s->several = is_one_of_several(&p, i);
    s->spelled = c->curated;
    if (is_version(c))
      s->version = c->reading;
    read_value(r, c, hm_text_has_same_letters(c->reading, c->value) ? c->value : c->reading, &v);
    if (v.kind == HM_V_NONE)
      continue;
    v.raw = c->value;
    if (c->left.n) {
      read_value(r, c, c->left, &left);
      s->left = key_of(r, c->left, &left);
    }
    if (c->denied != (r->row->polarity < 0))
      hm_value_deny(&v, r->a);
    s->key = key_of(r, c->reading, &v);
    r->proto.said = s;
    hm_row_add_claim(r, name_slot(r, &s->claim, c->slot), field_of(r, field, &p, i), compare, &v);
    add_spelled(r, s, field, &v);
  }
  for (size_t i = 0; i < p.n_mentions; i++) {
    const hm_mention *m = &p.mentions[i];
    hm_story_claim *s = story_claim_of(r, text);
    hm_value v;
    s->mention = true;
    s->key = HM_EMPTY;
    s->claim = (hm_prose_claim){ .slot = m->slot,
                                 .value = m->value,
                                 .reading = m->value,
                                 .words = m->words,
                                 .shape = HM_SHAPE_VERSION };
    read_value(r, &s->claim, m->value, &v);
    if (v.kind == HM_V_NONE)
      continue;
    r->proto.said = s;
    hm_row_add_claim(r, hm_slot_shorten_part(r->a, m->slot), HM_EMPTY, HM_EMPTY, &v);
  }
  r->proto.said = NULL;
  return p.outcome != HM_PROSE_UNSURE;
}

/* "The speed is not known yet" claims nothing, and shows a gap. */
static void read_silence(row_reader *r) {
  hm_memory_claim m;
  hm_value v = { 0 };
  hm_memory_read(&m, r->row, r->scratch);
  if (!m.slot.n || !hm_value_is_silence(m.value, r->rules, r->scratch))
    return;
  hm_value_parse(&v, hm_str_dup(r->a, m.value), 0, &(hm_value_reading){ .rules = r->rules },
                 r->units, r->a);
  if (v.silent)
    hm_row_add_claim(r, hm_str_dup(r->a, m.slot), HM_STR("content"), HM_EMPTY, &v);
}

/* --- labels in any script ------------------------------------------------------------------- */

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

/* A name in Latin letters: "PostgreSQL", "C++". */
static bool is_latin_name(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (!hm_is_alnum(s.p[i]) && !(i && s.p[i] && strchr(".+#-", s.p[i])))
      return false;
  return s.n > 1 && !hm_is_digit(s.p[0]);
}

/* "端口：8080": a label, a separator and an amount say the same in any script; so do "is" and a
 * name in Latin letters in scripts without spaces. */
static void read_foreign(row_reader *r, hm_str subject) {
  static const char *const ends[] = { "\u3002", "\u3067\u3059" };
  static const hm_value_kind amounts[] = { HM_V_NUMBER, HM_V_QUANTITY, HM_V_DATE, HM_V_RANGE };
  hm_str text = hm_str_trim(r->row->text), value, label = label_of(text, &value);
  hm_str name = hm_text_fold_name(r->a, label), about = hm_text_fold_name(r->a, subject);
  hm_value v;
  if (!name.n || is_ascii(label))
    return;
  if (about.n)
    name = HM_CAT(r->a, about, HM_STR("_"), name);
  for (size_t i = 0; i < HM_COUNT(ends); i++) /* "PostgreSQL" of "PostgreSQLです。" */
    value.n -= hm_str_ends(value, ends[i]) ? strlen(ends[i]) : 0;
  hm_value_parse(&v, value, hm_rules_reading(r->rules, name), &r->by, r->units, r->a);
  v.raw = value;
  bool amount = false;
  for (size_t i = 0; i < HM_COUNT(amounts); i++)
    amount = amount || v.kind == amounts[i];
  if (!amount && !is_latin_name(value))
    return;
  if (r->row->polarity < 0)
    hm_value_deny(&v, r->a);
  hm_story_claim *s = story_claim_of(r, text);
  s->claim = (hm_prose_claim){ .shape = HM_SHAPE_QUANTITY,
                               .slot = name,
                               .subject = about,
                               .attribute = name,
                               .bare = name,
                               .value = value,
                               .reading = value,
                               .words = text };
  s->key = key_of(r, value, &v);
  r->proto.said = s;
  hm_row_add_claim(r, hm_slot_shorten_part(r->a, name), HM_STR("content"), HM_STR("one"), &v);
  r->proto.said = NULL;
}

/* --- sentences in any language ---------------------------------------------------------------- */

/* The slot in which a claim of this row, from `from` on in the list, has the value; else empty.
 * rule: it says what is allowed, as a switch of prose does. */
static hm_str twin_of(const row_reader *r, const claim_list *l, size_t from, const hm_value *v,
                      bool rule) {
  hm_claim own = r->proto;
  own.value = *v;
  for (size_t i = from; i < l->n; i++) {
    const hm_claim *c = &l->v[i];
    bool same = rule && c->said && c->said->claim.shape == HM_SHAPE_SWITCH;
    if (c->row == own.row && !c->twin.n && (same || hm_claim_values_agree(c, &own, NULL)))
      return c->name;
  }
  return HM_EMPTY;
}

static void add_statement(row_reader *r, const hm_sentence_claim *c, hm_str text, hm_str about,
                          const size_t prose[2]) {
  hm_value v;
  hm_str slot = about.n ? HM_CAT(r->a, about, HM_STR("_"), c->slot) : hm_str_dup(r->a, c->slot);
  hm_str value = hm_str_dup(r->a, c->value);
  hm_value_parse(&v, value, hm_rules_reading(r->rules, slot), &r->by, r->units, r->a);
  if (v.kind == HM_V_NONE)
    return;
  v.raw = c->written;
  if (r->row->polarity < 0)
    hm_value_deny(&v, r->a);
  hm_str name = hm_slot_shorten_part(r->a, slot);
  hm_str twin = twin_of(r, &r->out->claims, prose[0], &v, c->rule);
  if (!twin.n)
    twin = twin_of(r, &r->out->context, prose[1], &v, c->rule);
  if (hm_str_eq(twin, name)) /* prose says so in this slot */
    return;
  hm_story_claim *s = story_claim_of(r, text);
  s->claim = (hm_prose_claim){ .shape = HM_SHAPE_SENTENCE,
                               .slot = slot,
                               .attribute = slot,
                               .bare = slot,
                               .called = hm_str_dup(r->a, c->called),
                               .value = c->written,
                               .reading = value,
                               .words = c->words };
  s->key = key_of(r, value, &v);
  r->proto.said = s;
  r->proto.twin = twin;
  hm_row_add_claim(r, name, HM_CAT(r->a, HM_STR("content:"), slot), HM_STR("one"), &v);
  r->proto.said = NULL;
  r->proto.twin = HM_EMPTY;
}

/* Is something claimed of these words, a slice of the text, from `from` to `to` in the list? */
static bool is_claimed(const claim_list *l, size_t from, size_t to, hm_str words) {
  for (size_t i = from; i < to; i++) {
    bool states = l->v[i].said && !l->v[i].said->mention;
    hm_str said = states ? l->v[i].said->claim.words : HM_EMPTY;
    if (said.n && said.p < words.p + words.n && words.p < said.p + said.n)
      return true;
  }
  return false;
}

/* prose: where claims of prose begin, and its context. The first sentence is read with the subject
 * before it: "retries 3 times", of a worker. sure: sentences of which nothing is claimed claim
 * their frames. */
static void read_sentences(row_reader *r, hm_str text, hm_str subject, bool fragment, bool sure,
                           const size_t prose[2]) {
  hm_str about = hm_text_fold_name(r->a, subject), whole = text;
  size_t before = 0;
  if (fragment) {
    whole = HM_CAT(r->a, subject, HM_STR(" "), text);
    before = whole.n - text.n;
  }
  hm_sentence_claim *v;
  size_t claims = r->out->claims.n, context = r->out->context.n;
  for (size_t i = prose[0]; i < claims; i++) { /* a frame of all that is claimed says no more */
    const hm_story_claim *said = r->out->claims.v[i].said;
    sure &= !said || said->mention || said->claim.words.n + 1 < text.n;
  }
  size_t n = hm_sentences_read(r->words, whole, before, sure, r->scratch, &v);
  for (size_t i = 0; i < n; i++) {
    size_t at = (size_t)(v[i].words.p - whole.p), end = at + v[i].words.n;
    bool named = before && at < before;
    v[i].words = hm_str_sub(text, named ? 0 : at - before, end > before ? end - before : 0);
    if (v[i].frame &&
        (is_claimed(&r->out->claims, prose[0], claims, v[i].words) ||
         is_claimed(&r->out->context, prose[1], context, v[i].words)))
      continue;
    add_statement(r, &v[i], text, named ? HM_EMPTY : about, prose);
  }
}

/* What the slot_rule says that the text claims. False: it says nothing of that kind. */
static bool read_stated(row_reader *r) {
  const hm_row *row = r->row;
  hm_str rule = row->slot_rule, slot, value, field = HM_STR("content");
  bool any = false;
  hm_value v;
  if (hm_is_redacted(row->text))
    return false;
  while (hm_memory_next_stated(&rule, &slot, &r->proto.by_words, &value, r->a)) {
    if (any)
      field = HM_CAT(r->a, HM_STR("content:"), slot);
    hm_value_parse(&v, value, hm_rules_reading(r->rules, slot), &r->by, r->units, r->a);
    if (row->polarity < 0 && v.kind != HM_V_NONE)
      hm_value_deny(&v, r->a);
    hm_row_add_claim(r, hm_slot_shorten_part(r->a, slot), field, HM_STR("one"), &v);
    any = true;
  }
  r->proto.by_words = false;
  return any;
}

/* Marks stated claims, from `stated` on, that prose, from `prose` on, claims in its own slot, and
 * those of words that repeat one before them: of "MAX_UPLOAD_MB" the key, and what it limits. */
static void mark_twins(const row_reader *r, size_t stated, size_t prose) {
  hm_claim *all = r->out->claims.v;
  for (size_t i = stated; i < prose; i++) {
    bool rule = hm_str_is(all[i].value.raw, "always") || hm_str_is(all[i].value.raw, "never");
    all[i].twin = twin_of(r, &r->out->claims, prose, &all[i].value, rule);
    for (size_t k = stated; k < i && all[i].by_words && !all[i].twin.n; k++)
      if (all[k].by_words && !all[k].twin.n && hm_claim_values_agree(&all[k], &all[i], NULL))
        all[i].twin = all[k].name;
  }
}

/* "## Milk cooler", and below it "- Holds 4 °C": the heading is the subject of what stands below,
 * if that is one line; not so "## Notes". */
static bool cut_heading(hm_str *text, hm_str *subject, hm_arena *a) {
  size_t level = 0;
  while (hm_char_at(*text, level, '#'))
    level++;
  const char *end = level ? memchr(text->p, '\n', text->n) : NULL;
  if (!end || !hm_char_at(*text, level, ' '))
    return false;
  hm_str below = hm_str_trim(hm_str_sub(*text, (size_t)(end - text->p), text->n));
  hm_str heading = hm_str_trim(hm_str_sub(*text, level, (size_t)(end - text->p)));
  bool one = below.n && !memchr(below.p, '\n', below.n) && below.p[0] != '#';
  if (!heading.n || !one || hm_heading_is_generic(heading, a))
    return false;
  if (hm_str_starts(below, "- ") || hm_str_starts(below, "* "))
    below = hm_str_trim(hm_str_sub(below, 2, below.n));
  *subject = heading;
  *text = below;
  return true;
}

void hm_row_read_memory(row_reader *r) {
  const hm_row *row = r->row;
  hm_str subject, text = hm_str_trim(row->text);
  size_t stated = r->out->claims.n;
  bool reads_text = hm_memory_parse_subject_rule(row, &subject);
  bool is_stated = !hm_word_is(row->type, "episodic") && read_stated(r);
  if (is_stated && !reads_text) {
    mark_twins(r, stated, r->out->claims.n);
    return;
  }
  if (!hm_story_reads_row(r->rules->story, row, r->scratch)) {
    read_by_grammar(r);
    return;
  }
  bool headed = !row->slot_rule.n && cut_heading(&text, &subject, r->scratch);
  if (!subject.n)
    subject = row->scope;
  size_t prose = r->out->claims.n, context = r->out->context.n, before = prose + context;
  bool sure = hm_row_read_prose(r, text, subject, HM_STR("content"), HM_STR("one"));
  mark_twins(r, stated, prose);
  /* in a document the page says of what: "Wait 5 minutes" stands in each of a hundred */
  bool document = hm_row_file_line(row, r->scratch).n > 0;
  if (!document && (!row->slot_rule.n || (reads_text && row->slot_rule.n > 1 && !is_stated)))
    read_sentences(r, text, subject, headed || row->slot_rule.n, sure,
                   (size_t[]){ prose, context });
  if (r->out->claims.n + r->out->context.n == before)
    read_foreign(r, subject);
  if (r->out->claims.n + r->out->context.n == before)
    read_silence(r);
}
