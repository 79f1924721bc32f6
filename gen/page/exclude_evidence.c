/* publish.exclude where sources of a row differ: what each of them says is left out, or not, as if
 * it were a row of its own.
 *
 * A row shows what follows from the sources that are not left out; the rest of them is withheld. It
 * is left out where only a left-out source puts it into its project or gives its ends, where that
 * alone says anything of it, and where a person said what leaves it out. Cost: the rows whose
 * sources differ, and only where publish.exclude has entries. */
#include <string.h>

#include "core/base/json.h"
#include "view_private.h"

/* --- is it left out? ------------------------------------------------------------------------- */

static bool project_is_left_out(const hm_view *v, hm_str name, hm_arena *a) {
  const hm_exclude *x = &v->opt.exclude;
  if (!x->n_projects)
    return false;
  for (size_t i = 0; i < v->snap->n_projects; i++) {
    const hm_project *p = &v->snap->projects[i];
    bool meant = hm_exclude_names(&p->id, 1, name, a) ||
        (p->name.n && hm_exclude_names(&p->name, 1, name, a));
    if (meant || hm_exclude_names(p->aliases, p->n_aliases, name, a))
      return v->project_hidden[i];
  }
  return hm_exclude_names(x->projects, x->n_projects, name, a);
}

static bool any_tag_is_left_out(const hm_view *v, hm_str json, hm_arena *a) {
  const hm_exclude *x = &v->opt.exclude;
  hm_str *tags;
  size_t n = x->n_tags && json.n ? hm_format_json_list(json, a, &tags) : 0;
  for (size_t i = 0; i < n; i++)
    if (hm_exclude_names(x->tags, x->n_tags, tags[i], a))
      return true;
  return false;
}

static bool is_type(hm_layer layer, hm_str field) {
  static const char *const names[] = { NULL, "memory_type", "entity_type", "category", "type" };
  return hm_str_is(field, names[layer]);
}

/* Does a row with this in this field of its record go? */
bool hm_view_value_left_out(const hm_view *v, hm_layer layer, hm_str field, hm_str value,
                            hm_arena *a) {
  const hm_exclude *x = &v->opt.exclude;
  if (is_type(layer, field))
    return hm_exclude_names(x->types, x->n_types, value, a);
  if (hm_str_is(field, "project"))
    return project_is_left_out(v, value, a);
  if (hm_str_is(field, "status"))
    return hm_exclude_names(x->statuses, x->n_statuses,
                            hm_str_c(hm_status_name(hm_status_parse(value))), a);
  if (hm_str_is(field, "tags"))
    return any_tag_is_left_out(v, value, a);
  return layer == HM_STATE && hm_str_is(field, "key") && hm_view_prop_hidden(v, value, a);
}

static bool ref_is_left_out(const hm_view *v, hm_str ref) {
  uint32_t row = ref.n ? hm_snapshot_ref(v->snap, HM_ENTITY, ref) : HM_NONE;
  return row != HM_NONE && v->hidden[row];
}

/* Does a person say what is right there? */
static bool is_edited(const hm_view *v, uint32_t row, hm_str field) {
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(v->all, row, &n);
  for (size_t i = 0; i < n; i++) {
    const hm_said_value *f = e[i].person ? hm_evidence_field(&e[i], field) : NULL;
    if (f && f->value.n && !f->over)
      return true;
  }
  return false;
}

/* By what it says itself, also where a verdict let another source's value stand; what a person
 * edited is as the row has it. */
static bool source_is_left_out(const hm_view *v, const hm_evidence *e, hm_arena *a) {
  hm_layer layer = v->snap->rows[e->row].layer;
  for (size_t i = 0; i < e->n_fields; i++) {
    const hm_said_value *f = &e->fields[i];
    if (hm_view_value_left_out(v, layer, f->field, f->value, a) &&
        !(f->over && is_edited(v, e->row, f->field)))
      return true;
  }
  return layer == HM_RELATION && (ref_is_left_out(v, e->as.from) || ref_is_left_out(v, e->as.to));
}

/* Is this the id, the reference or the name of what is left out? Values of properties are JSON. */
static bool names_left_out(const hm_view *v, hm_str value, hm_arena *a) {
  hm_json *json;
  if (!hm_json_parse(a, value, &json, NULL) && json->type == HM_JSON_STRING)
    value = json->text;
  return ref_is_left_out(v, value) || hm_map_get(&v->hidden_names, value) != HM_MAP_NONE;
}

/* Was it left out once, or did it name what is, as far as it is told? */
static bool past_was_left_out(const hm_view *v, const hm_evidence *e, hm_arena *a) {
  hm_layer layer = v->snap->rows[e->row].layer;
  for (size_t i = 0; i < e->n_fields; i++) {
    const hm_json *past = hm_json_parse_as(a, e->fields[i].past, HM_JSON_ARRAY);
    for (const hm_json *p = past ? past->child : NULL; p; p = p->next) {
      const hm_json *was = hm_json_get(p, "value");
      if (was &&
          (hm_view_value_left_out(v, layer, e->fields[i].field, was->text, a) ||
           names_left_out(v, was->text, a)))
        return true;
    }
  }
  return false;
}

/* --- the rows that follow from the rest ---------------------------------------------------------
 */

/* The view's own copy of what it changes. */
static hm_snapshot *own_snapshot(hm_view *v) {
  hm_snapshot *s = hm_alloc(v->a, sizeof *s);
  hm_sweep *sweep = hm_alloc(v->a, sizeof *sweep);
  *s = *v->snap;
  s->rows = hm_alloc_array(v->a, s->n_rows + 1, sizeof *s->rows);
  memcpy(s->rows, v->snap->rows, s->n_rows * sizeof *s->rows);
  s->details = hm_alloc_array(v->a, s->n_rows + 1, sizeof *s->details);
  if (v->snap->details)
    memcpy(s->details, v->snap->details, s->n_rows * sizeof *s->details);
  s->evidence = hm_alloc_array(v->a, s->n_evidence + 1, sizeof *s->evidence);
  s->n_evidence = 0;
  *sweep = *v->sweep;
  sweep->snap = s;
  v->snap = s;
  v->sweep = sweep;
  return s;
}

static hm_evidence without_past(const hm_view *v, hm_evidence e) {
  hm_said_value *fields = hm_alloc_array(v->a, e.n_fields + 1, sizeof *fields);
  for (size_t i = 0; i < e.n_fields; i++) {
    fields[i] = e.fields[i];
    fields[i].past = HM_EMPTY;
  }
  e.fields = fields;
  return e;
}

static void note_hidden_names(hm_view *v) {
  const hm_snapshot *s = v->all;
  hm_map_init(&v->hidden_names, v->a, 0);
  for (size_t i = s->first[HM_ENTITY]; v->any_hidden && i < s->first[HM_ENTITY + 1]; i++)
    if (v->hidden[i] && s->rows[i].name.n)
      hm_map_add(&v->hidden_names, s->rows[i].name, 0);
}

/* Is the row left out by what a person said of the field: by an edit, or by a verdict against what
 * this source says? */
static bool is_judged_against(const hm_view *v, const hm_evidence *e, hm_str field) {
  const hm_said_value *f = hm_evidence_field(e, field);
  return (f && f->over) || is_edited(v, e->row, field);
}

/* May a row, which is left out by what it has, stand by this source, which is not left out? */
static bool may_stand_by(const hm_view *v, const hm_evidence *e, hm_arena *a) {
  static const char *const placing[] = { "memory_type", "entity_type", "category", "type",
                                         "status",      "tags",        "key",      "project" };
  size_t n;
  const hm_evidence *all = hm_snapshot_evidence(v->all, e->row, &n);
  hm_layer layer = v->all->rows[e->row].layer;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < HM_COUNT(placing); k++) {
      const hm_said_value *f = hm_evidence_field(&all[i], hm_str_c(placing[k]));
      if (f && !f->over && hm_view_value_left_out(v, layer, f->field, f->value, a) &&
          is_judged_against(v, e, f->field))
        return false;
    }
  return !e->gone && !e->person;
}

static bool row_is_left_out(const hm_view *v, const hm_row *r, hm_arena *a) {
  static const char *const types[] = { NULL, "memory_type", "entity_type", "category", "type" };
  const struct {
    const char *field;
    hm_str value;
  } placed[] = { { types[r->layer], r->type },
                 { "status", hm_str_c(hm_status_name(r->status)) },
                 { "tags", r->tags },
                 { "key", r->name } };
  bool out = v->project_hidden[r->project];
  for (size_t i = 0; i < HM_COUNT(placed); i++)
    out |= hm_view_value_left_out(v, r->layer, hm_str_c(placed[i].field), placed[i].value, a);
  return out;
}

/* Which sources of a row are kept; false: nothing is left out of what is there, or all is. */
static bool choose_sources(const hm_view *v, size_t at, size_t n, bool *kept, hm_arena *a) {
  const hm_evidence *e = &v->all->evidence[at];
  bool hidden = v->hidden[e->row], any = false, stands = false;
  for (size_t k = 0; k < n; k++) {
    kept[k] = e[k].only || !source_is_left_out(v, &e[k], a);
    any |= !kept[k];
    stands |= kept[k] && !e[k].only && may_stand_by(v, &e[k], a);
  }
  if (!hidden || (any && stands))
    return any;
  for (size_t k = 0; k < n; k++)
    kept[k] = true;
  return false;
}

/* Returns the view's own snapshot, whose evidence is not there yet; NULL: nothing is left out. */
static hm_snapshot *leave_out_sources(hm_view *v) {
  const hm_snapshot *all = v->snap;
  bool *kept = hm_alloc_array(v->a, all->n_evidence + 1, sizeof *kept);
  hm_arena *tmp = hm_arena_new();
  hm_snapshot *s = NULL;
  v->all = all;
  v->kept = kept;
  v->reduced = hm_alloc_array(v->a, all->n_rows + 1, sizeof *v->reduced);
  if (hm_exclude_has_entries(&v->opt.exclude) && all->n_evidence)
    s = own_snapshot(v);
  for (size_t i = 0, n; s && i < all->n_evidence; i += n) {
    uint32_t row = all->evidence[i].row;
    for (n = 1; i + n < all->n_evidence && all->evidence[i + n].row == row;)
      n++;
    bool any = choose_sources(v, i, n, &kept[i], tmp);
    if (any) {
      v->any_hidden = v->row_filter = v->reduced[row] = true;
      bool follows =
          hm_snapshot_row_of_sources(all, row, &kept[i], v->a, &s->rows[row], &s->details[row]);
      v->hidden[row] = !follows || row_is_left_out(v, &s->rows[row], tmp);
    }
    hm_arena_reset(tmp);
  }
  if (s && !all->details)
    s->details = NULL;
  hm_arena_free(tmp);
  if (v->any_hidden)
    hm_view_hide_relations(v);
  return s;
}

/* Without a past that is left out. */
static void keep_sources(hm_view *v, hm_snapshot *s) {
  hm_arena *tmp = hm_arena_new();
  for (size_t i = 0; i < v->all->n_evidence; i++) {
    const hm_evidence *e = &v->all->evidence[i];
    if (v->kept[i])
      s->evidence[s->n_evidence++] = past_was_left_out(v, e, tmp) ? without_past(v, *e) : *e;
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
}

void hm_view_build_sources(hm_view *v) {
  hm_snapshot *own = leave_out_sources(v);
  note_hidden_names(v);
  if (own)
    keep_sources(v, own);
}

bool hm_view_row_is_whole(const hm_view *v, uint32_t row) {
  return !v->hidden[row] && !v->reduced[row];
}

/* --- texts of lines --------------------------------------------------------------------------- */

size_t hm_view_count_sources(const hm_view *v, uint32_t row) {
  size_t n;
  hm_snapshot_evidence(v->snap, row, &n);
  return n;
}

static bool contains(hm_str text, hm_str part) {
  return part.n && text.n >= part.n && memmem(text.p, text.n, part.p, part.n);
}

/* In any field. A part of a line may be cut, and it may be longer than the value. */
static bool source_says(const hm_evidence *e, hm_str part, bool also_longer) {
  for (size_t i = 0; i < e->n_fields; i++) {
    hm_str value = e->fields[i].value, bare = value;
    if (value.n > 2 && value.p[0] == '"')
      bare = hm_str_sub(value, 1, value.n - 1);
    if (contains(value, part) || (also_longer && contains(part, bare)))
      return true;
  }
  return false;
}

bool hm_view_source_says(const hm_view *v, uint32_t row, hm_str part) {
  static const char cut[] = "…";
  size_t n, n_kept;
  const hm_evidence *all = hm_snapshot_evidence(v->all, row, &n),
                    *kept = hm_snapshot_evidence(v->snap, row, &n_kept);
  if (hm_str_ends(part, cut))
    part.n -= sizeof cut - 1;
  for (size_t i = 0; i < n_kept; i++)
    if (source_says(&kept[i], part, false))
      return false;
  for (size_t i = 0; i < n; i++)
    if (!v->kept[(size_t)(all - v->all->evidence) + i] && source_says(&all[i], part, true))
      return true;
  return false;
}

/* --- claims ------------------------------------------------------------------------------------
 */

/* The source, of those of the row that are kept, that says the same of the field, for the same time
 * where `as` has one; NULL: none. */
static const hm_evidence *same_said(const hm_view *v, uint32_t row, hm_str field, hm_str value,
                                    const hm_row *as) {
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(v->snap, row, &n);
  for (size_t i = 0; e && i < n; i++) {
    const hm_said_value *f = hm_evidence_field(&e[i], field);
    if (f && !f->over && hm_str_eq(f->value, value) &&
        (!as ||
         (hm_str_eq(e[i].as.valid_from, as->valid_from) &&
          hm_str_eq(e[i].as.valid_until, as->valid_until))))
      return &e[i];
  }
  return NULL;
}

/* The evidence of this source where it is left out; NULL: it is kept, or said so once. */
static const hm_evidence *left_out_source(const hm_view *v, uint32_t row, hm_str source) {
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(v->all, row, &n);
  for (size_t i = 0; e && i < n; i++)
    if (hm_str_eq(e[i].source, source))
      return v->kept[(size_t)(e - v->all->evidence) + i] ? NULL : &e[i];
  return NULL;
}

const hm_evidence *hm_view_claim_source(const hm_view *v, const hm_claim *c, hm_arena *a) {
  const hm_evidence *e = c->said_by;
  if (!e || !v->reduced[c->row] || !left_out_source(v, c->row, e->source))
    return e;
  const hm_said_value *f = hm_evidence_field(e, hm_claim_record_field(a, c));
  return f && !c->source.n ? same_said(v, c->row, f->field, f->value, &e->as) : NULL;
}

/* A relation's own claims are of the row, which may have other bounds without a source. */
static bool follows_still(const hm_view *v, uint32_t row) {
  const hm_row *was = &v->all->rows[row], *is = &v->snap->rows[row];
  return hm_str_eq(was->type, is->type) && hm_str_eq(was->name, is->name) &&
      hm_str_eq(was->text, is->text) && hm_str_eq(was->props, is->props) &&
      hm_str_eq(was->valid_from, is->valid_from) && hm_str_eq(was->valid_until, is->valid_until) &&
      was->status == is->status;
}

bool hm_view_claim_shown(const hm_view *v, const hm_claim *c, hm_arena *a) {
  if (!v->any_hidden)
    return true;
  if (!hm_view_field_shown(v, c->row, c->field, a))
    return false;
  if (c->layer != HM_MEMORY && hm_view_text_holds_hidden(v, c->value.raw, a))
    return false;
  if (hm_str_is(c->space, HM_ROW_SPACE) &&
      hm_view_value_left_out(v, c->layer, c->field, c->value.raw, a))
    return false;
  if (!v->reduced[c->row])
    return true;
  return c->said_by ? hm_view_claim_source(v, c, a) != NULL : follows_still(v, c->row);
}

bool hm_view_bounds_shown(const hm_view *v, const hm_claim *c) {
  const hm_row *was = &v->all->rows[c->row], *is = &v->snap->rows[c->row];
  hm_arena *tmp;
  if (!v->any_hidden)
    return true;
  if (v->hidden[c->row] || !v->reduced[c->row])
    return !v->hidden[c->row];
  if (!hm_str_eq(was->valid_from, is->valid_from) || !hm_str_eq(was->valid_until, is->valid_until))
    return false;
  tmp = hm_arena_new();
  bool shown = hm_view_claim_shown(v, c, tmp);
  const hm_evidence *by = hm_view_claim_source(v, c, tmp);
  shown = shown && (by == c->said_by || (by && hm_str_eq(by->date, c->said_by->date)));
  hm_arena_free(tmp);
  return shown;
}

/* The field of a record that a recorded member is of. */
static hm_str record_field(const hm_member_rec *m, hm_arena *a) {
  const char *colon = m->field.n ? memchr(m->field.p, ':', m->field.n) : NULL;
  if (m->layer == HM_MEMORY)
    return HM_STR("content");
  if (m->layer == HM_STATE)
    return HM_STR("value");
  if (m->layer == HM_RELATION)
    return m->field;
  return HM_CAT(a, HM_STR("properties."),
                colon ? hm_str_sub(m->field, 0, (size_t)(colon - m->field.p)) : m->field);
}

/* Of what nobody was named for: it is withheld where a left-out source says of the field what no
 * other one says. */
static bool member_is_withheld(const hm_view *v, const hm_member_rec *m, uint32_t row,
                               hm_arena *a) {
  const hm_str fields[] = { record_field(m, a), m->field };
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(v->all, row, &n);
  for (size_t i = 0; i < n; i++) {
    if (v->kept[(size_t)(e - v->all->evidence) + i])
      continue;
    for (size_t k = 0; k < HM_COUNT(fields); k++) {
      const hm_said_value *f = hm_evidence_field(&e[i], fields[k]);
      if (f && f->value.n && !same_said(v, row, fields[k], f->value, NULL))
        return true;
    }
  }
  return false;
}

bool hm_view_member_shown(const hm_view *v, const hm_member_rec *m, hm_arena *a) {
  uint32_t row = hm_snapshot_row(v->snap, m->layer, m->id);
  if (!v->any_hidden)
    return true;
  if (m->layer != HM_MEMORY && hm_view_text_holds_hidden(v, m->value, a))
    return false;
  if (m->source.n && hm_view_value_left_out(v, m->layer, m->field, m->value, a))
    return false;
  if (row == HM_NONE) /* it may have been left out */
    return !v->row_filter && !hm_view_prop_hidden(v, m->field, a);
  if (!hm_view_field_shown(v, row, m->field, a))
    return false;
  if (!v->reduced[row])
    return true;
  return m->source.n ? !left_out_source(v, row, m->source) : !member_is_withheld(v, m, row, a);
}
