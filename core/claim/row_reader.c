/* Common steps for a row of any layer: adding claims, reading its window, adding findings.
 *
 * A row or field that does not fit its type claims nothing and gives a finding. */
#include "core/claim/row_reader.h"

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/claim/memory_forms.h"
#include "core/claim/sentence_values.h"
#include "core/claim/slot.h"

enum { SHOWN_MAX = 80, DATE = sizeof "2026-07-13" - 1 };

hm_str hm_row_shown_text(row_reader *r, hm_str s) {
  hm_str cut = hm_text_cut(hm_text_repair(r->scratch, hm_str_sub(s, 0, 4 * SHOWN_MAX)), SHOWN_MAX);
  return cut.n < s.n ? hm_str_fmt(r->a, "%.*s…", HM_FMT(cut)) : hm_str_dup(r->a, cut);
}

void hm_row_add_finding(row_reader *r, hm_str rule, hm_str message, hm_str expected,
                        hm_str actual) {
  chunk *c = r->out;
  uint32_t project = r->row->project;
  if (r->past)
    return;
  hm_str *ref = hm_alloc(r->a, sizeof *ref);
  *ref = hm_row_ref(r->a, r->row);
  hm_str said = HM_CAT(r->scratch, rule, HM_STR("\x1f"), *ref);
  hm_str digest = hm_str_digest_hex(r->scratch, said, 12);
  c->findings = hm_array_grow(c->findings, c->n_findings, &c->cap_findings, sizeof *c->findings);
  c->findings[c->n_findings++] = (hm_finding){
    .id = hm_str_fmt(r->a, "f%.*s", HM_FMT(digest)),
    .kind = HM_STR("ontology_violation"),
    .severity = HM_STR("warn"),
    .rule = rule,
    .project = project < r->snap->n_projects ? r->snap->projects[project].id : HM_EMPTY,
    .rows = ref,
    .n_rows = 1,
    .message = message,
    .expected = expected,
    .actual = actual,
  };
}

/* When the value of this field came; empty: the text's or the state's. */
static hm_str value_date(const row_reader *r, hm_str field) {
  hm_layer l = r->row->layer;
  const hm_said_value *f = NULL;
  if (!r->said)
    return hm_row_value_date(r->row);
  if (l == HM_MEMORY || l == HM_STATE)
    f = hm_evidence_field(r->said, l == HM_MEMORY ? HM_STR("content") : HM_STR("value"));
  else if (field.n)
    f = hm_evidence_field(r->said, HM_CAT(r->scratch, HM_STR("properties."), field));
  return f && f->at.n ? f->at : r->said->date;
}

/* Does a date stand there, and no part of a word or number? */
static bool date_at(hm_str s, size_t i) {
  hm_str date = hm_str_sub(s, i, i + DATE);
  bool begins = date.n == DATE && (!i || !hm_is_alnum(s.p[i - 1]));
  return begins && date.p[4] == '-' && date.p[7] == '-' &&
      hm_time_parse(date, &(hm_time){ 0 }, &(hm_precision){ 0 });
}

hm_str hm_row_source_date(const hm_row *row) {
  for (size_t i = 0; i + DATE <= row->sources.n; i++)
    if (date_at(row->sources, i))
      return hm_str_sub(row->sources, i, i + DATE);
  return HM_EMPTY;
}

hm_str hm_row_origin(row_reader *r) {
  hm_str s = hm_str_trim(r->row->sources);
  char *out = hm_alloc_array(r->a, s.n, 1);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    if (date_at(s, i))
      i += DATE - 1;
    else
      out[n++] = s.p[i];
  }
  return hm_str_is((hm_str){ out, n }, "[]") ? HM_EMPTY : (hm_str){ out, n };
}

/* How far a thing is: it changes as things go on. */
static bool is_progress(hm_str slot) {
  static const char *const words[] = { "phase", "priority", "severity", "state", "status", NULL };
  return hm_word_in(hm_str_behind_last(slot, '_'), words);
}

/* The slot's name as the text has it: "staging_cache_ttl"; empty: the slot is named otherwise. */
static hm_str called_in_text(row_reader *r, const hm_prose_claim *said, hm_str name) {
  size_t before = name.n - said->slot.n;
  if (!said->called.n || name.n < said->slot.n ||
      !hm_str_eq(hm_str_sub(name, before, name.n), said->slot))
    return HM_EMPTY;
  return HM_CAT(r->a, hm_str_sub(name, 0, before), said->called);
}

void hm_row_add_claim(row_reader *r, hm_str name, hm_str field, hm_str compare, const hm_value *v) {
  if (v->kind == HM_V_NONE && !v->silent)
    return;
  claim_list *l = v->kind == HM_V_NONE ? &r->out->silences : &r->out->claims;
  if (r->proto.said && hm_story_claim_is_context(r->proto.said))
    l = &r->out->context;
  if (v->kind == HM_V_NONE && l == &r->out->context)
    return;
  l->v = hm_array_grow(l->v, l->n, &l->cap, sizeof *l->v);
  hm_claim *c = &l->v[l->n++];
  *c = r->proto;
  /* "prefers C for drivers": what for is no attribute that holds several */
  bool purpose = hm_str_is(c->space, "preference");
  c->several = !purpose && hm_rules_is_several(r->rules, name);
  c->sentence = v->kind == HM_V_TEXT && hm_slot_has_sentences(name);
  c->name = name;
  if (c->layer != HM_RELATION && !c->space.n)
    c->name =
        c->layer == HM_ENTITY ? hm_slot_drop_redundant_word(name) : hm_slot_one_name(r->a, name, v);
  if (c->said)
    c->called = called_in_text(r, &c->said->claim, name);
  if (!c->called.n && !hm_str_eq(c->name, name))
    c->called = name;
  c->field = field;
  c->compare = compare;
  c->value = *v;
  if (r->said && c->layer == HM_ENTITY && c->when && !c->when->begin.known)
    hm_time_parse(value_date(r, field), &c->stands, &(hm_precision){ 0 });
  if ((c->layer == HM_STATE || c->layer == HM_ENTITY) && is_progress(c->name))
    c->author = hm_row_origin(r);
  c->hash = hm_hash_mix(hm_hash_mix(c->project, hm_str_hash(c->space)), hm_str_hash(c->name));
  if (l == &r->out->claims)
    r->speaks[c->row] = 1;
}

/* The window of these bounds: many rows of a world share one. NULL: *fault says why. */
static const hm_window *window_of(row_reader *r, hm_str from, hm_str until,
                                  hm_window_fault *fault) {
  const hm_world *world = hm_world_find_by_row(r->snap, r->rules->worlds, r->proto.row, r->scratch);
  uint64_t hash = hm_hash_mix(hm_str_hash(from), hm_str_hash(until));
  read_bounds *kept = &r->windows[hash % WINDOWS_KEPT];
  *fault = HM_WINDOW_OK;
  if (kept->window && kept->world == world && hm_str_eq(kept->from, from) &&
      hm_str_eq(kept->until, until))
    return kept->window;
  hm_window *w = hm_alloc(r->a, sizeof *w);
  *fault = hm_window_parse(world, from, until, r->snap->now, w);
  if (*fault != HM_WINDOW_OK)
    return NULL;
  *kept = (read_bounds){ world, from, until, w };
  return w;
}

bool hm_row_read_window(row_reader *r) {
  hm_claim *c = &r->proto;
  hm_str from = r->row->valid_from, until = r->row->valid_until;
  hm_window_fault fault = HM_WINDOW_OK;
  const hm_window *w = from.n || until.n ? window_of(r, from, until, &fault) : r->open;
  if (!w) {
    hm_fault_words say = hm_window_fault_words(fault);
    hm_str begin = hm_row_shown_text(r, from), end = hm_row_shown_text(r, until);
    hm_str both = hm_str_fmt(r->a, "from %.*s until %.*s", HM_FMT(begin), HM_FMT(end));
    hm_row_add_finding(r, HM_STR("row/window"), hm_str_c(say.message), hm_str_c(say.expected),
                       fault == HM_WINDOW_BAD_FROM        ? begin
                           : fault == HM_WINDOW_BAD_UNTIL ? end
                                                          : both);
    return false;
  }
  c->when = w;
  const hm_bound *begins = &c->when->begin;
  if (begins->known && !begins->axis && !begins->vague)
    c->stands = begins->first;
  else
    hm_time_parse(value_date(r, HM_EMPTY), &c->stands, &(hm_precision){ 0 });
  return true;
}
