/* Claims of a row whose sources differ: each source claims as if it were a row of its own.
 *
 * Claims of one field that agree are one, so a row whose sources agree claims what it would with
 * one source. Where two of a field disagree, each source that speaks of it has its claim, and the
 * claim has the source's name. What has no slot (a name, a type, a bound, a status, a text that
 * claims nothing) is compared in the slot of the row and the field. Cost: the row is read once for
 * each source.
 * Source: design section 6. */
#include <string.h>

#include "core/base/text.h"
#include "core/claim/row_reader.h"
#include "core/claim/slot.h"
#include "core/value/slot_reading.h"

typedef struct {
  row_reader *r;
  const hm_row *row; /* what follows from all */
  const hm_evidence *e;
  size_t n;
  size_t from; /* of r->out->claims: those of this row */
  void (*read)(row_reader *r);
} reading;

/* --- the row as one source says it --------------------------------------------------- */

/* The row's properties with those that the source says. */
static hm_str properties_of(const reading *x, const hm_evidence *e) {
  hm_arena *a = x->r->a;
  const hm_json *row = hm_json_parse_as(a, x->row->props, HM_JSON_OBJECT),
                *says = hm_json_parse_as(a, e->as.props, HM_JSON_OBJECT);
  hm_buf b = { 0 };
  hm_jw w;
  if (!row || !says)
    return row ? x->row->props : e->as.props;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  for (const hm_json *m = row->child; m; m = m->next) {
    const hm_json *own = says->child;
    while (own && !hm_str_eq(own->key, m->key))
      own = own->next;
    hm_json one = own ? *own : *m;
    hm_buf member = { 0 };
    one.next = NULL;
    one.key = HM_EMPTY;
    hm_buf_ch(&member, '{');
    hm_json_write_str(&member, m->key);
    hm_buf_ch(&member, ':');
    hm_json_write(&member, &one);
    hm_buf_ch(&member, '}');
    hm_jw_members(&w, hm_buf_take(&member, a));
  }
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

/* What e says there, unless a person judged it or e says nothing; else what the row has. */
static hm_str either(const hm_evidence *e, const char *field, hm_str says, hm_str row) {
  const hm_said_value *f = hm_evidence_field(e, hm_str_c(field));
  return says.n && !(f && f->over) ? says : row;
}

static hm_row row_of(const reading *x, const hm_evidence *e) {
  hm_row v = *x->row;
  const hm_said_value *via = hm_evidence_field(e, HM_STR("via")),
                      *agent = hm_evidence_field(e, HM_STR("agent"));
  const char *type = v.layer == HM_MEMORY ? "memory_type"
      : v.layer == HM_ENTITY              ? "entity_type"
      : v.layer == HM_STATE               ? "category"
                                          : "type";
  v.type = either(e, type, e->as.type, v.type);
  v.name = either(e, "name", e->as.name, v.name);
  v.scope = either(e, "scope", e->as.scope, v.scope);
  if (!agent || !agent->over)
    v.agent = e->as.agent; /* nobody else says what it says */
  v.sources = e->detail.source_refs;
  if (v.agent.n && !hm_row_file_line(&v, x->r->scratch).n)
    v.sources = HM_EMPTY;
  v.slot_rule = either(e, "slot_rule", e->as.slot_rule, v.slot_rule);
  v.valid_from = either(e, "valid_from", e->as.valid_from, v.valid_from);
  v.valid_until = either(e, "valid_until", e->as.valid_until, v.valid_until);
  v.created_at = e->date.n ? e->date : v.created_at;
  v.updated_at = HM_EMPTY;
  v.via = via && via->over ? v.via : e->as.via;
  if (v.layer == HM_ENTITY)
    v.props = properties_of(x, e);
  else if (e->as.text.n) {
    v.text = e->as.text;
    v.value_is_json = e->as.value_is_json;
  }
  return v;
}

hm_str hm_claim_record_field(hm_arena *a, const hm_claim *c) {
  const char *colon = c->field.n ? memchr(c->field.p, ':', c->field.n) : NULL;
  hm_str name = colon ? hm_str_sub(c->field, 0, (size_t)(colon - c->field.p)) : c->field;
  if (c->said_by && hm_evidence_field(c->said_by, c->field))
    return c->field;
  if (c->layer == HM_MEMORY)
    return HM_STR("content");
  if (c->layer == HM_STATE || hm_str_is(c->space, HM_ROW_SPACE))
    return c->layer == HM_STATE ? HM_STR("value") : HM_CAT(a, HM_STR("properties."), c->field);
  hm_str whole = HM_CAT(a, HM_STR("properties."), c->field);
  if (c->said_by && hm_evidence_field(c->said_by, whole))
    return whole;
  return HM_CAT(a, HM_STR("properties."), name);
}

/* The field of a record that a claim is of. */
static hm_str field_of(const reading *x, hm_str field) {
  const char *colon = field.n ? memchr(field.p, ':', field.n) : NULL;
  if (x->row->layer == HM_MEMORY)
    return HM_STR("content");
  if (x->row->layer == HM_STATE)
    return HM_STR("value");
  hm_str whole = HM_CAT(x->r->a, HM_STR("properties."), field);
  if (!colon || hm_evidence_field(&x->e[0], whole))
    return whole;
  return HM_CAT(x->r->a, HM_STR("properties."), hm_str_sub(field, 0, (size_t)(colon - field.p)));
}

static bool says(const reading *x, const hm_evidence *e, hm_str field) {
  const hm_said_value *f = hm_evidence_field(e, field_of(x, field));
  if (!f && field.n && memchr(field.p, ':', field.n))
    f = hm_evidence_field(e, HM_CAT(x->r->a, HM_STR("properties."), field));
  return f && f->value.n && !f->over;
}

/* Reads the row as e says it, and keeps of it what e says. */
static void read_source(reading *x, const hm_evidence *e, bool first) {
  row_reader *r = x->r;
  claim_list *l = &r->out->claims;
  hm_row *view = hm_alloc(r->a, sizeof *view);
  size_t from = l->n, silences = r->out->silences.n, context = r->out->context.n, kept = from;
  hm_claim proto = r->proto;
  *view = row_of(x, e);
  r->row = view;
  r->said = r->proto.said_by = e;
  r->past = !first; /* what is wrong with a row is found once */
  x->read(r);
  r->past = false;
  r->proto = proto;
  r->row = x->row;
  for (size_t i = from; i < l->n; i++)
    if (says(x, e, l->v[i].field))
      l->v[kept++] = l->v[i];
  l->n = kept;
  if (first)
    return;
  r->out->silences.n = silences;
  r->out->context.n = context;
}

/* --- which claims are one --------------------------------------------------------------- */

static bool agree(const reading *x, const hm_claim *a, const hm_claim *b) {
  const hm_tolerance *tol = hm_rules_tolerance(x->r->rules, a->name);
  return hm_claims_share_slot(a, b) && hm_claim_values_agree(a, b, tol);
}

/* Gives claims that some other source contradicts their source's name; of the others, the first of
 * each field stays. */
static void join_claims(reading *x) {
  claim_list *l = &x->r->out->claims;
  size_t kept = x->from, n = l->n;
  bool *drop = hm_alloc_array(x->r->a, n - x->from + 1, sizeof *drop);
  for (size_t i = x->from; i < n; i++) {
    hm_claim *c = &l->v[i];
    bool differs = false, earlier = false;
    for (size_t k = x->from; k < n; k++) {
      const hm_claim *d = &l->v[k];
      bool one_thing =
          x->row->layer == HM_MEMORY ? hm_claims_share_slot(c, d) : hm_str_eq(c->field, d->field);
      if (k == i || d->said_by == c->said_by || !one_thing)
        continue;
      differs |= !agree(x, c, d);
      earlier |= k < i;
    }
    bool text = x->row->layer == HM_MEMORY && x->n > 1;
    if (differs || (text && !earlier))
      c->source = c->said_by->source;
    drop[i - x->from] = !differs && earlier;
  }
  /* Of texts whose claims all agree the row's own claims stay: no name. */
  bool any = false;
  for (size_t i = x->from; i < n; i++)
    for (size_t k = x->from; k < n; k++)
      any |= l->v[i].said_by != l->v[k].said_by && !drop[i - x->from] && !drop[k - x->from];
  for (size_t i = x->from; i < n; i++) {
    if (drop[i - x->from])
      continue;
    l->v[kept] = l->v[i];
    if (!any)
      l->v[kept].source = HM_EMPTY;
    kept++;
  }
  l->n = kept;
}

/* --- what has no slot --------------------------------------------------------------------- */

/* Fields of which a row has one value, and which claim it in no slot of their own. */
static bool is_compared(const reading *x, hm_str field) {
  static const char *const fields[] = { "category",    "content",     "entity_type", "from", "key",
                                        "memory_type", "name",        "status",      "to",   "type",
                                        "valid_from",  "valid_until", "value" };
  if (hm_str_starts(field, "properties."))
    return !hm_rules_is_prose(x->r->rules, hm_str_sub(field, sizeof "properties." - 1, field.n));
  for (size_t i = 0; i < HM_COUNT(fields); i++)
    if (hm_str_is(field, fields[i]))
      return true;
  return false;
}

/* Do claims of two sources on this field contradict each other already? */
static bool is_claimed(const reading *x, hm_str field) {
  const claim_list *l = &x->r->out->claims;
  for (size_t i = x->from; i < l->n; i++)
    for (size_t k = x->from; k < i; k++) {
      const hm_claim *a = &l->v[i], *b = &l->v[k];
      if (a->source.n && b->source.n && a->said_by != b->said_by && hm_claims_share_slot(a, b) &&
          hm_str_eq(field_of(x, a->field), field) && !agree(x, a, b))
        return true;
    }
  return false;
}

/* A value and a property are read as their slot supports, a bound by its letters, all else as a
 * text. */
static void read_value(const reading *x, hm_str field, hm_str text, hm_value *v) {
  row_reader *r = x->r;
  const hm_row *row = x->row;
  hm_value_reading by = { .rules = r->rules };
  bool member = hm_str_starts(field, "properties.");
  bool state = row->layer == HM_STATE && hm_str_is(field, "value");
  hm_reading supports = hm_str_starts(field, "valid_") ? 0 : HM_READ_TEXT;
  hm_json *json;
  if (state || member) {
    hm_str name = state ? row->name : hm_str_sub(field, sizeof "properties." - 1, field.n);
    name = hm_text_fold_name(r->a, name);
    supports = hm_row_slot_reading(r, name, hm_entity_type_key(r->scratch, row->type));
  }
  if ((member || (state && row->value_is_json)) && !hm_json_parse(r->a, text, &json, NULL))
    hm_value_parse_json(v, json, supports, &by, r->units, r->a);
  else
    hm_value_parse(v, text, supports, &by, r->units, r->a);
}

/* A text without the signs that close it, but for a question mark. */
static hm_str without_closing(hm_str text) {
  hm_str s = hm_str_trim(text);
  while (s.n > 1 && strchr("!.,;:", s.p[s.n - 1]))
    s.n--;
  return s;
}

static void compare_field(reading *x, hm_str field) {
  row_reader *r = x->r;
  hm_value *values = hm_alloc_array(r->a, x->n, sizeof *values);
  const hm_value *first = NULL;
  bool differs = false;
  for (size_t i = 0; i < x->n; i++) {
    const hm_said_value *f = hm_evidence_field(&x->e[i], field);
    if (!f || !f->value.n || f->over)
      continue;
    bool content = hm_str_is(field, "content");
    read_value(x, field, content ? without_closing(f->value) : f->value, &values[i]);
    if (values[i].kind == HM_V_NONE)
      continue;
    if (content)
      values[i].raw = f->value;
    differs |= first && !hm_values_are_compatible(first, &values[i], NULL);
    first = first ? first : &values[i];
  }
  if (!differs || is_claimed(x, field))
    return;
  bool member = hm_str_starts(field, "properties.");
  hm_str shown = member ? hm_str_sub(field, sizeof "properties." - 1, field.n) : field;
  hm_str slot = HM_CAT(r->a, hm_row_ref(r->a, x->row), HM_STR("#"), shown);
  for (size_t i = 0; i < x->n; i++) {
    if (values[i].kind == HM_V_NONE)
      continue;
    r->proto.said_by = &x->e[i];
    r->proto.source = x->e[i].source;
    r->proto.space = HM_STR(HM_ROW_SPACE);
    hm_row_add_claim(r, slot, hm_str_dup(r->a, shown), HM_EMPTY, &values[i]);
  }
}

/* A relation without a project is one of the project of an end. */
static uint32_t project_of(const reading *x) {
  const hm_snapshot *s = x->r->snap;
  uint32_t row = x->r->proto.row, end = HM_MAP_NONE;
  if (x->row->layer != HM_RELATION || s->projects[x->row->project].id.n)
    return x->row->project;
  for (int by = HM_NAMES_FROM; by <= HM_NAMES_TO && end == HM_MAP_NONE; by++)
    end = hm_snapshot_named(s, row, by);
  return end == HM_MAP_NONE ? x->row->project : s->rows[end].project;
}

static void compare_fields(reading *x) {
  hm_map seen;
  x->r->proto.project = project_of(x);
  hm_claim proto = x->r->proto;
  hm_map_init(&seen, x->r->a, 16);
  x->r->proto.when = x->r->open;
  for (size_t i = 0; i < x->n; i++)
    for (size_t k = 0; k < x->e[i].n_fields; k++) {
      hm_str field = x->e[i].fields[k].field;
      if (hm_map_get(&seen, field) != HM_MAP_NONE || !is_compared(x, field))
        continue;
      hm_map_add(&seen, field, 0);
      compare_field(x, field);
      x->r->proto = proto;
      x->r->proto.when = x->r->open;
    }
  x->r->proto = proto;
}

void hm_row_read_evidence(row_reader *r, const hm_evidence *e, size_t n,
                          void (*read)(row_reader *r)) {
  reading x = { .r = r, .row = r->row, .e = e, .n = n, .from = r->out->claims.n, .read = read };
  if (r->row->layer == HM_RELATION) /* what it is about is compared in its own slot */
    read(r);
  else
    for (size_t i = 0; i < n; i++)
      read_source(&x, &e[i], i == 0);
  if (r->row->layer != HM_RELATION)
    join_claims(&x);
  compare_fields(&x);
}
