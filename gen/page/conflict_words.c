/* A conflict in words: its title, who says something, and a lead of two sentences that tells who
 * says what since when.
 *
 * A title is the slot's name with spaces. Where an entity that claims it writes the elements of its
 * slot apart, so does the title: "Lateral support: material" of the target and the field of a
 * decision. It is taken only if it folds to the slot's name, so it tells nothing that the name does
 * not. Slots have no capitals, so a title gives them back to its beginning and to abbreviations.
 *
 * The lead: the value of highest trust has the first sentence, with who agrees; the other values
 * share the second. Cost: bounded. */
#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/claim/judged.h"
#include "core/claim/memory.h"
#include "core/claim/slot.h"
#include "gen/render/escape.h"
#include "model.h"

enum { LEAD_VALUES = 4, VALUE_BYTES = 120, SOURCE_BYTES = 60, TYPE_BYTES = 60, FIELD_BYTES = 200,
       PROPS_READ = 4096, LOOKED_AT = 8 };

/* --- the title ----------------------------------------------------------------- */

/* The text of an element as its row writes it, or that of the entity that it names; empty: neither
 * folds to the part. */
static hm_str element_text(const hm_view *v, const hm_json *props, const hm_row *r,
                           const char *element, hm_str part, hm_arena *a) {
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next) {
    hm_str name = hm_text_fold_name(a, p->key);
    if (p->type != HM_JSON_STRING || !hm_str_starts(name, element)) continue;
    hm_str text = p->text;
    uint32_t other = hm_snapshot_row(v->snap, HM_ENTITY, text);
    if (other != HM_NONE && !v->hidden[other]) text = v->snap->rows[other].name;
    if (hm_str_eq(hm_text_fold_name(a, text), part)) return text;
  }
  return hm_str_eq(hm_text_fold_name(a, r->name), part) ? r->name : HM_EMPTY;
}

/* "Lateral support: material" as this entity says it, or empty. An entity that says very much, and
 * so may take part in thousands of conflicts, is not read again for each. */
static hm_str split_name(const hm_view *v, uint32_t row, hm_str field, hm_str name, hm_arena *a) {
  const hm_row *r = &v->snap->rows[row];
  const hm_json *props = r->props.n <= PROPS_READ ? hm_view_props(v, row, a) : NULL;
  hm_entity_slot slot;
  if (!props) return HM_EMPTY;
  hm_entity_slot_read(&slot, v->snap, r, hm_props_collect(props, a), props->count, a);
  hm_str texts[HM_ELEMENTS_MAX + 1];
  size_t n = 0;
  for (size_t i = 0; slot.type && i < slot.n_parts; i++) {
    if (!slot.parts[i].n) continue;
    texts[n] = element_text(v, props, r, slot.type->elements[i], slot.parts[i], a);
    if (!texts[n++].n) return HM_EMPTY;
  }
  hm_str head = n ? texts[0] : HM_EMPTY;
  if (!n) return HM_EMPTY;
  if (!hm_str_eq(hm_slot_name(a, &slot, HM_EMPTY), name)) texts[n++] = field;
  for (size_t i = 1; i < n; i++)
    head = HM_CAT(a, head, i + 1 < n ? HM_STR(" ") : HM_STR(": "), texts[i]);
  return hm_str_eq(hm_text_fold_name(a, head), name) ? head : HM_EMPTY;
}

static hm_str with_spaces(hm_arena *a, hm_str name) {
  hm_str out = hm_str_dup(a, name);
  for (size_t i = 1; i + 1 < out.n; i++)
    if (out.p[i] == '_') ((char *)out.p)[i] = ' ';
  return out;
}

hm_str hm_format_field_name(hm_arena *a, hm_str name) {
  return with_spaces(a, hm_shorten(a, name, FIELD_BYTES));
}

static hm_str capital(hm_arena *a, hm_str s) {
  hm_str out = hm_str_dup(a, s);
  if (out.n && out.p[0] >= 'a' && out.p[0] <= 'z') ((char *)out.p)[0] += 'A' - 'a';
  return out;
}

/* Always written in capitals. Not "ai" and "ram": they are names, too. */
static const char *const abbreviation_words[] = {
  "api", "cdn", "ci", "cli", "cors", "cpu", "css", "csv", "dns", "ftp", "gpu", "html", "http",
  "https", "id", "ip", "json", "jwt", "pdf", "sdk", "sql", "ssd", "ssh", "ssl", "tcp", "tls",
  "udp", "ui", "uri", "url", "usb", "utc", "uuid", "xml", "yaml",
};
static const hm_word_list abbreviations = { abbreviation_words, HM_COUNT(abbreviation_words) };

/* "api style" -> "API style". A word that its row begins with a capital stays as it is. */
static hm_str title_case(hm_arena *a, hm_str s) {
  hm_str out = capital(a, s);
  for (size_t i = 0, end; i < s.n; i = end + 1) {
    for (end = i; end < s.n && s.p[end] != ' ' && s.p[end] != ':'; end++) {}
    if (end == i || !hm_is_lower(s.p[i]) || !hm_word_listed(hm_str_sub(s, i, end), &abbreviations))
      continue;
    for (size_t k = i; k < end; k++)
      if (hm_is_lower(s.p[k])) ((char *)out.p)[k] = (char)(s.p[k] - 'a' + 'A');
  }
  return out;
}

const char *hm_proposal_title(hm_str space) {
  static const char *const words[][2] = {
    { HM_JUDGED_SPACE, "Contradiction that a model proposes" },
    { HM_CONFIRMED_DENIED, "Texts that contradict each other" },
    { HM_CONFIRMED_SAME, "Texts that say the same" } };
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (hm_str_is(space, words[i][0])) return words[i][1];
  return NULL;
}

hm_str hm_conflict_slot_words(const hm_view *v, const hm_vconflict *c, hm_str space, hm_str name,
                              hm_arena *a) {
  size_t n = c->dispute ? c->dispute->n : c->rec->n_members;
  hm_str split = HM_EMPTY;
  for (size_t i = 0; !space.n && i < n && i < LOOKED_AT && !split.n; i++) {
    const hm_member_rec *m = c->dispute ? NULL : &c->rec->members[i];
    const hm_claim *x = c->dispute ? c->dispute->parties[i].claim : NULL;
    uint32_t row = x ? x->row : hm_snapshot_row(v->snap, m->layer, m->id);
    hm_str field = x ? x->field : m->field;
    if ((x ? x->layer : m->layer) != HM_ENTITY || row == HM_NONE ||
        !hm_view_claim_shown(v, row, field, a))
      continue;
    split = split_name(v, row, field, name, a);
  }
  if (split.n) return title_case(a, hm_clean_text(a, split));
  name = with_spaces(a, name);
  return title_case(a, space.n ? HM_CAT(a, space, HM_STR(": "), name) : name);
}

/* --- who ------------------------------------------------------------------------- */

hm_str hm_pm_format_speaker(hm_pm *m, const hm_side *s, hm_who_form form) {
  static const char *const words[][3] = {
    [HM_MEMORY] = { "An agent's memory", "an agent's memory", "another memory" },
    [HM_STATE] = { "Curated state", "the curated state", "another row of the curated state" },
    [HM_RELATION] = { "Recorded relation", "a recorded relation", "another relation" },
  };
  static const char *const recorded[] = { "Recorded", "a recorded", "another recorded" };
  if (s->layer != HM_ENTITY) return hm_str_c(words[s->layer][form]);
  hm_str type = s->row == HM_NONE ? HM_EMPTY : m->v->snap->rows[s->row].type;
  const hm_page_type *known = hm_page_kind(hm_entity_type_key(m->a, type));
  if (known) type = hm_str_c(known->one);
  if (!type.n) type = HM_STR("entity");
  hm_str noun = hm_str_dup(m->a, hm_shorten(m->a, type, TYPE_BYTES));
  if (known) ((char *)noun.p)[0] += 'a' - 'A';
  return hm_str_fmt(m->a, "%s %.*s", recorded[form], HM_FMT(noun));
}

/* --- the lead -------------------------------------------------------------------- */

static hm_str source_of(hm_pm *m, const hm_side *s) {
  const hm_row_detail *d = s->row == HM_NONE ? NULL : hm_view_detail(m->v, s->row);
  hm_str *src;
  size_t n = d ? hm_json_strings(d->source_refs, m->a, &src) : 0;
  return n ? hm_shorten(m->a, src[0], SOURCE_BYTES) : HM_EMPTY;
}

/* "test report 12 agrees", "a recorded result and 2 more rows agree"; empty: nobody does. */
static hm_str agreement(hm_pm *m, const hm_case_value *v, bool past) {
  if (v->n < 2) return HM_EMPTY;
  const hm_side *s = v->sides[1];
  hm_str source = source_of(m, s), who = hm_pm_format_speaker(m, s, HM_WHO_FIRST);
  if (s->layer == v->sides[0]->layer) who = hm_pm_format_speaker(m, s, HM_WHO_NEXT);
  if (source.n) who = HM_CAT(m->a, who, HM_STR(" ("), source, HM_STR(")"));
  if (v->n > 2)
    who = HM_CAT(m->a, who, HM_STR(" and "),
                 hm_format_count_phrase(m->a, v->n - 2, "more row", "more rows"));
  hm_str agrees = v->n > 2 ? HM_STR(" agree") : HM_STR(" agrees");
  return HM_CAT(m->a, who, past ? HM_STR(" agreed") : agrees);
}

/* A text that is quoted within a sentence ends where the sentence does. */
static hm_str without_stop(hm_str s) {
  s = hm_str_trim(s);
  bool stop = s.n > 1 && s.p[s.n - 1] == '.' && s.p[s.n - 2] != '.';
  return stop ? hm_str_sub(s, 0, s.n - 1) : s;
}

static void put_part(hm_pm *m, hm_tv *lead, const hm_case_value *values, size_t at, bool past) {
  static const char *const seps[] = { "", ". ", ", " };
  const hm_side *s = values[at].sides[0];
  hm_who_form form = HM_WHO_FIRST;
  hm_str first = hm_pm_format_speaker(m, s, HM_WHO_FIRST);
  for (size_t i = 0; i < at; i++) /* who was named before: who says it, and who agrees */
    for (size_t k = 0; k < values[i].n && k < 2; k++)
      if (hm_str_eq(hm_pm_format_speaker(m, values[i].sides[k], HM_WHO_FIRST), first))
        form = HM_WHO_NEXT;
  const hm_row *r = s->row == HM_NONE ? NULL : &m->v->snap->rows[s->row];
  hm_str who = hm_pm_format_speaker(m, s, form), source = source_of(m, s);
  bool bounded = r && (hm_str_trim(r->valid_from).n || hm_str_trim(r->valid_until).n);
  bool dated = r && !bounded && hm_str_trim(r->created_at).n;
  hm_tv *item = hm_pm_add_item(m, lead);
  hm_pm_set_raw(m, item, "sep", hm_str_c(seps[at < 2 ? at : 2]));
  hm_pm_set_text(m, item, "who", at < 2 ? capital(m->a, who) : who);
  hm_pm_set_text(m, item, "source", source);
  hm_pm_set_bool(m, item, "when", bounded || dated || source.n);
  hm_pm_set_raw(m, item, "comma", source.n && (bounded || dated) ? HM_STR(", ") : HM_EMPTY);
  if (bounded) hm_pm_set_period(m, item, "period", r);
  else hm_pm_set_bool(m, item, "period", false);
  hm_pm_set_date(m, item, "recorded", dated ? r->created_at : HM_EMPTY);
  hm_pm_set_short(m, item, "value", without_stop(s->value), VALUE_BYTES);
  hm_pm_set_text(m, item, "agrees", agreement(m, &values[at], past));
}

void hm_pm_set_lead(hm_pm *m, hm_tv *model, const hm_case_value *values, size_t n, bool past) {
  hm_tv *lead = hm_pm_set_list(m, model, "lead");
  for (size_t i = 0; i < n && i < LEAD_VALUES; i++) put_part(m, lead, values, i, past);
  hm_pm_set_bool(m, model, "past_tense", past);
  hm_pm_set_text(m, model, "lead_more",
                 n > LEAD_VALUES
                     ? hm_format_count_phrase(m->a, n - LEAD_VALUES, "more value", "more values")
                     : HM_EMPTY);
}
