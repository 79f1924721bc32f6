/* A conflict in words: who says something, and a lead of two sentences that tells who says what
 * since when.
 *
 * The lead: the value of highest trust has the first sentence, with who agrees; the other values
 * share the second. Cost: bounded. */
#include "model.h"

enum { LEAD_VALUES = 4, VALUE_BYTES = 120, SOURCE_BYTES = 60, TYPE_BYTES = 60 };

/* --- who ------------------------------------------------------------------------- */

hm_str hm_model_format_speaker(hm_model *m, const hm_side *s, hm_who_form form) {
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

static hm_str source_of(hm_model *m, const hm_side *s) {
  const hm_row_detail *d = s->row == HM_NONE ? NULL : hm_view_detail(m->v, s->row);
  hm_str *src;
  size_t n = d ? hm_format_json_list(d->source_refs, m->a, &src) : 0;
  return n ? hm_shorten(m->a, src[0], SOURCE_BYTES) : HM_EMPTY;
}

/* "test report 12 agrees", "a recorded result and 2 more rows agree"; empty: nobody does. */
static hm_str agreement(hm_model *m, const hm_case_value *v, bool past) {
  if (v->n < 2) return HM_EMPTY;
  const hm_side *s = v->sides[1];
  hm_str source = source_of(m, s), who = hm_model_format_speaker(m, s, HM_WHO_FIRST);
  if (s->layer == v->sides[0]->layer) who = hm_model_format_speaker(m, s, HM_WHO_NEXT);
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

static void put_part(hm_model *m, hm_node *lead, const hm_case_value *values, size_t at,
                     bool past) {
  static const char *const seps[] = { "", ". ", ", " };
  const hm_side *s = values[at].sides[0];
  hm_who_form form = HM_WHO_FIRST;
  hm_str first = hm_model_format_speaker(m, s, HM_WHO_FIRST);
  for (size_t i = 0; i < at; i++) /* who was named before: who says it, and who agrees */
    for (size_t k = 0; k < values[i].n && k < 2; k++)
      if (hm_str_eq(hm_model_format_speaker(m, values[i].sides[k], HM_WHO_FIRST), first))
        form = HM_WHO_NEXT;
  const hm_row *r = s->row == HM_NONE ? NULL : &m->v->snap->rows[s->row];
  hm_str who = hm_model_format_speaker(m, s, form), source = source_of(m, s);
  bool bounded = r && (hm_str_trim(r->valid_from).n || hm_str_trim(r->valid_until).n);
  bool dated = r && !bounded && hm_str_trim(r->created_at).n;
  hm_node *item = hm_model_add_item(m, lead);
  hm_model_set_raw(m, item, "sep", hm_str_c(seps[at < 2 ? at : 2]));
  hm_model_set_text(m, item, "who", at < 2 ? hm_capitalize(m->a, who) : who);
  hm_model_set_text(m, item, "source", source);
  hm_model_set_bool(m, item, "when", bounded || dated || source.n);
  hm_model_set_raw(m, item, "comma", source.n && (bounded || dated) ? HM_STR(", ") : HM_EMPTY);
  if (bounded) hm_model_set_period(m, item, "period", r);
  else hm_model_set_bool(m, item, "period", false);
  hm_model_set_date(m, item, "recorded", dated ? r->created_at : HM_EMPTY);
  hm_model_set_short(m, item, "value", without_stop(s->value), VALUE_BYTES);
  hm_model_set_text(m, item, "agrees", agreement(m, &values[at], past));
}

void hm_model_set_lead(hm_model *m, hm_node *top, const hm_case_value *values, size_t n,
                       bool past) {
  hm_node *lead = hm_model_set_list(m, top, "lead");
  for (size_t i = 0; i < n && i < LEAD_VALUES; i++) put_part(m, lead, values, i, past);
  hm_model_set_bool(m, top, "past_tense", past);
  hm_model_set_text(m, top, "lead_more",
                    n > LEAD_VALUES
                        ? hm_format_count_phrase(m->a, n - LEAD_VALUES, "more value", "more values")
                        : HM_EMPTY);
}
