/* Facts as pages show them: properties as text, short labels, and a separate file for each value
 * that is too long for a page. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/claim/slot.h"
#include "core/record/given.h"
#include "view_private.h"

enum {
  LABEL_BYTES = 120,
  PATH_DIGITS = 32,
  WIDEST = 12,     /* bytes of one that is shown: "⟦U+202E⟧" */
  PROP_BYTES = 60, /* what stands around a property */
  PROPS_BYTES = 512 << 10
};

const hm_json *hm_view_props(const hm_view *v, uint32_t row, hm_arena *a) {
  const hm_json *j = hm_json_parse_as(a, v->snap->rows[row].props, HM_JSON_OBJECT);
  return j ? hm_view_filter_json(v, j, a) : NULL;
}

hm_str hm_view_claim_kind(const hm_view *v, uint32_t row, hm_arena *a) {
  hm_str props = v->snap->rows[row].props,
         kind = props.n ? hm_props_claim_kind(props, a) : HM_EMPTY;
  return kind.n && !hm_view_prop_hidden(v, HM_STR("claim_kind"), a) ? kind : HM_EMPTY;
}

hm_str hm_view_label_source(const hm_view *v, uint32_t row) {
  const hm_row *r = &v->snap->rows[row];
  if (r->layer == HM_MEMORY)
    return r->text.n ? r->text : r->id;
  if (r->layer == HM_RELATION)
    return r->id;
  return r->name.n ? r->name : r->id;
}

hm_str hm_view_relation_end_name(const hm_view *v, hm_str ref, hm_arena *a) {
  uint32_t row = hm_snapshot_ref(v->snap, HM_ENTITY, ref);
  return row == HM_NONE || v->hidden[row] ? ref : hm_shorten(a, hm_view_label_source(v, row), 200);
}

hm_str hm_view_label(const hm_view *v, uint32_t row, hm_arena *a) {
  return hm_link_label(a, hm_view_label_source(v, row), LABEL_BYTES);
}

hm_str hm_view_distinct_label(const hm_view *v, uint32_t row, hm_arena *a) {
  enum { APART_BYTES = 40 };
  hm_str label = hm_view_label(v, row, a), by = HM_EMPTY;
  const hm_row *r = &v->snap->rows[row];
  if (v->rows[row].twin_id)
    by = hm_shorten(a, r->id, APART_BYTES);
  else if (v->rows[row].twin_type)
    by = hm_shorten(a, r->type, APART_BYTES);
  return by.n ? hm_str_fmt(a, "%.*s (%.*s)", HM_FMT(label), HM_FMT(by)) : label;
}

hm_str hm_view_row_words(const hm_view *v, uint32_t row, hm_arena *a) {
  const hm_row *r = &v->snap->rows[row];
  if (r->layer != HM_RELATION)
    return hm_view_distinct_label(v, row, a);
  return HM_CAT(a, hm_view_relation_end_name(v, r->from, a), HM_STR(" "), r->type, HM_STR(" "),
                hm_view_relation_end_name(v, r->to, a));
}

hm_str hm_view_state_value(const hm_view *v, uint32_t row, hm_arena *a) {
  const hm_row *r = &v->snap->rows[row];
  hm_json *j = NULL;
  if (!r->value_is_json || hm_json_parse(a, r->text, &j, NULL))
    return r->text;
  return hm_format_json(hm_view_filter_json(v, j, a), a);
}

/* --- long values -------------------------------------------------------- */

static void add_long_value(hm_view *v, hm_str s) {
  if (s.n <= v->opt.value_limit || hm_map_get(&v->long_at, s) != HM_NONE)
    return;
  if (v->n_longs == v->cap_longs) {
    v->cap_longs = v->cap_longs ? 2 * v->cap_longs : 16;
    v->longs = hm_xrealloc(v->longs, v->cap_longs * sizeof *v->longs);
  }
  hm_str bytes = hm_str_dup(v->a, s), hex = hm_str_digest_hex(v->a, s, PATH_DIGITS);
  v->longs[v->n_longs] = (hm_long_value){ hm_str_fmt(v->a, "data/%.*s.txt", HM_FMT(hex)), bytes };
  hm_map_add(&v->long_at, bytes, v->n_longs++);
}

static void add_long_strings(hm_view *v, hm_str json, hm_arena *tmp) {
  hm_str *s;
  size_t n = json.n > v->opt.value_limit ? hm_format_json_list(json, tmp, &s) : 0;
  for (size_t i = 0; i < n; i++)
    add_long_value(v, s[i]);
}

size_t hm_view_count_fitting_props(const hm_view *v, uint32_t row, const hm_json *props,
                                   hm_arena *a) {
  size_t limit = v->opt.value_limit, n = 0, bytes = 0;
  if (v->snap->rows[row].props.n < PROPS_BYTES / WIDEST || !props)
    return SIZE_MAX;
  for (const hm_json *p = props->child; p; p = p->next, n++) {
    bytes += PROP_BYTES + hm_page_bytes(p->key) +
        hm_page_bytes(hm_text_cut(hm_format_json(p, a), limit));
    if (bytes > PROPS_BYTES)
      return n;
  }
  return SIZE_MAX;
}

static void add_long_props(hm_view *v, uint32_t row, hm_arena *tmp) {
  if (v->snap->rows[row].props.n <= v->opt.value_limit)
    return;
  const hm_json *props = hm_view_props(v, row, tmp);
  if (hm_view_count_fitting_props(v, row, props, tmp) != SIZE_MAX)
    add_long_value(v, hm_format_json(props, tmp));
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next) {
    add_long_value(v, p->key);
    add_long_value(v, hm_format_json(p, tmp));
  }
  if (!props && !v->n_props)
    add_long_value(v, v->snap->rows[row].props);
}

/* The text of a JSON value is at most twice as long as it. */
bool hm_view_may_be_long(const hm_view *v, uint32_t row) {
  const hm_row *r = &v->snap->rows[row];
  size_t limit = v->opt.value_limit,
         n = r->id.n | r->type.n | r->name.n | r->from.n | r->to.n | r->props.n;
  size_t text = r->value_is_json ? 2 * r->text.n : r->text.n;
  if (n > limit || text > limit || !v->snap->details)
    return n > limit || text > limit;
  const hm_row_detail *d = &v->snap->details[row];
  return (d->source_refs.n | r->tags.n | r->scope.n | r->agent.n | d->via.n | d->confidence.n |
          d->importance.n | d->polarity.n) > limit;
}

static void add_long_row(hm_view *v, uint32_t row, hm_arena *tmp) {
  const hm_row *r = &v->snap->rows[row];
  const hm_str shown[] = {
    r->id, r->type, r->name, hm_view_state_value(v, row, tmp), r->from, r->to
  };
  for (size_t i = 0; i < HM_COUNT(shown); i++)
    add_long_value(v, shown[i]);
  add_long_props(v, row, tmp);
  const hm_row_detail *d = hm_view_detail(v, row);
  if (!d)
    return;
  add_long_strings(v, d->source_refs, tmp);
  add_long_strings(v, r->tags, tmp);
  add_long_value(v, d->confidence);
  add_long_value(v, d->importance);
  add_long_value(v, d->polarity);
  add_long_value(v, r->scope);
  add_long_value(v, r->agent);
  add_long_value(v, d->via);
}

static void add_long_conflict(hm_view *v, const hm_vconflict *c, hm_arena *tmp) {
  if (c->withheld == 0)
    add_long_value(v, c->rec->resolution);
  for (size_t i = 0; i < c->rec->n_members; i++) {
    const hm_member_rec *m = &c->rec->members[i];
    if (m->value.n > v->opt.value_limit && hm_view_member_shown(v, m, tmp))
      add_long_value(v, m->value);
  }
  for (size_t i = 0; c->dispute && i < c->dispute->n; i++) {
    const hm_claim *claim = c->dispute->parties[i].claim;
    if (claim->value.raw.n > v->opt.value_limit && hm_view_claim_shown(v, claim, tmp))
      add_long_value(v, claim->value.raw);
  }
}

void hm_view_build_long_values(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  hm_map_init(&v->long_at, v->a, 16);
  for (uint32_t i = 0; i < v->n_projects; i++) {
    const hm_project *p = &v->snap->projects[v->projects[i].snap];
    add_long_value(v, p->id);
    add_long_value(v, p->name);
    add_long_value(v, p->description);
  }
  for (uint32_t i = 0; v->n_maybe_long && i < v->snap->n_rows; i++)
    if (v->rows[i].may_be_long && hm_view_listed(v, i))
      add_long_row(v, i, tmp);
  hm_arena_reset(tmp);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    add_long_conflict(v, &v->conflicts[i], tmp);
  for (uint32_t i = 0; i < v->n_past; i++)
    add_long_value(v, v->past[i].value);
  hm_arena_free(tmp);
  hm_long_value *kept = hm_alloc_array(v->a, v->n_longs + 1, sizeof *kept);
  if (v->n_longs)
    memcpy(kept, v->longs, v->n_longs * sizeof *kept);
  free(v->longs);
  v->longs = kept;
}

const hm_long_value *hm_view_find_long_value(const hm_view *v, hm_str value) {
  if (value.n <= v->opt.value_limit)
    return NULL;
  uint32_t i = hm_map_get(&v->long_at, value);
  return i == HM_NONE ? NULL : &v->longs[i];
}

/* --- who gave a value, and when --------------------------------------------------------------- */

const hm_evidence *hm_view_source(const hm_view *v, uint32_t row, hm_str source) {
  size_t n;
  const hm_evidence *e = source.n ? hm_snapshot_evidence(v->snap, row, &n) : NULL;
  for (size_t i = 0; e && i < n; i++)
    if (hm_str_eq(e[i].source, source))
      return &e[i];
  return NULL;
}

hm_origin hm_view_origin(const hm_view *v, uint32_t row, hm_str field, const hm_evidence *said,
                         hm_arena *a) {
  const hm_row *r = &v->snap->rows[row];
  const hm_row_detail *d = hm_view_detail(v, row);
  hm_str key = hm_member_record_field(r, field, a);
  size_t n;
  const hm_evidence *all = hm_snapshot_evidence(v->snap, row, &n);
  const hm_said_value *f = said ? hm_evidence_field(said, key) : NULL;
  for (size_t i = 0; all && !said && i < n; i++) {
    const hm_said_value *x = hm_evidence_field(&all[i], key);
    if (all[i].only || (x && x->value.n && !x->over)) {
      said = &all[i];
      f = x;
    }
  }
  if (!said)
    return (hm_origin){ .date = hm_row_value_date(r),
                        .refs = d ? d->source_refs : HM_EMPTY,
                        .agent = r->agent,
                        .props = r->props,
                        .source = HM_EMPTY,
                        .past = HM_EMPTY };
  /* Without a source of his own a person is the source of what he says (core/record/evidence.h). */
  bool named = hm_str_find(said->detail.source_refs, hm_str_z(a, said->source)) >= 0;
  hm_str at = r->layer == HM_RELATION ? hm_evidence_last_change(said) : f ? f->at : HM_EMPTY;
  return (hm_origin){ .date = at.n ? at : said->date,
                      .refs = said->detail.source_refs,
                      .agent = said->person && !named ? said->source : said->as.agent,
                      .props = said->as.props,
                      .source = HM_EMPTY,
                      .past = f ? f->past : HM_EMPTY };
}

bool hm_view_past_origin(const hm_view *v, uint32_t row, hm_str field, hm_str value, hm_arena *a,
                         hm_origin *out) {
  hm_past_value past;
  bool told = !hm_exclude_has_entries(&v->opt.exclude);
  *out = (hm_origin){ .past = HM_EMPTY };
  if (!hm_find_past_value(v->snap, row, field, value, a, &past))
    return false;
  if (told)
    *out = (hm_origin){ .date = past.since, .refs = past.source };
  return true;
}

hm_str hm_view_status_text(const hm_view *v, uint32_t row, hm_arena *a) {
  hm_str text = hm_str_c(hm_status_name(v->snap->rows[row].status));
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(v->snap, row, &n);
  for (size_t i = 0; e && i < n; i++)
    if (e[i].gone)
      text = HM_CAT(a, text, HM_STR(", no longer in "), hm_text_cut(e[i].source, 200));
  return text;
}
