/* publish.exclude: which rows, properties and findings are left out, and which of its entries match
 * nothing: those may be typos, and what they should hide is published. */
#include <string.h>

#include "core/base/json.h"
#include "core/base/near_names.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "view_private.h"

typedef struct {
  hm_map set;
  bool any;
} name_set;

/* A name as those of publish.exclude are compared: folded, without '_' and signs, so that
 * "analysis_model" leaves out AnalysisModel, and "key" leaves out "Key #" and "key#". In a. */
static hm_str exclude_fold(hm_arena *a, hm_str s) {
  hm_str name = hm_text_strip_name_signs(a, hm_text_fold_name(a, s));
  char *p = hm_alloc(a, name.n + 1);
  size_t n = 0;
  for (size_t i = 0; i < name.n; i++)
    if (name.p[i] != '_')
      p[n++] = name.p[i];
  return (hm_str){ p, n };
}

static name_set names_of(hm_arena *a, const hm_str *s, size_t n) {
  name_set set = { .any = n > 0 };
  hm_map_init(&set.set, a, n);
  for (size_t i = 0; i < n; i++)
    hm_map_add(&set.set, exclude_fold(a, s[i]), (uint32_t)i);
  return set;
}

static bool has(const name_set *set, hm_arena *a, hm_str s) {
  return set->any && hm_map_get(&set->set, exclude_fold(a, s)) != HM_NONE;
}

typedef struct {
  hm_view *v;
  name_set projects, types, statuses, tags, props;
  bool *project_hidden;
  hm_map type_seen; /* type as written -> 1 when left out */
  hm_arena *tmp;
} filter;

static bool type_hidden(filter *f, hm_str type) {
  if (!f->types.any)
    return false;
  uint32_t seen = hm_map_get(&f->type_seen, type);
  if (seen == HM_NONE)
    seen = hm_map_add(&f->type_seen, type, has(&f->types, f->tmp, type));
  return seen == 1;
}

static bool tags_hidden(filter *f, size_t row) {
  if (!f->tags.any || !f->v->snap->details)
    return false;
  hm_str *tag, tags = f->v->snap->rows[row].tags;
  if (tags.n == 0)
    return false;
  size_t n = hm_format_json_list(tags, f->tmp, &tag);
  for (size_t i = 0; i < n; i++)
    if (has(&f->tags, f->tmp, tag[i]))
      return true;
  return false;
}

/* A state row with the name of a hidden property would publish the property's value. */
static bool row_hidden(filter *f, size_t i) {
  const hm_row *r = &f->v->snap->rows[i];
  if (f->project_hidden[r->project])
    return true;
  if (type_hidden(f, r->type))
    return true;
  if (f->statuses.any && has(&f->statuses, f->tmp, hm_str_c(hm_status_name(r->status))))
    return true;
  if (r->layer == HM_STATE && has(&f->props, f->tmp, r->name))
    return true;
  return tags_hidden(f, i);
}

static bool is_hidden(const hm_view *v, uint32_t row) { return row != HM_NONE && v->hidden[row]; }

/* A relation would name the row that it points to. */
void hm_view_hide_relations(hm_view *v) {
  for (size_t i = v->snap->first[HM_RELATION]; i < v->snap->first[HM_RELATION + 1]; i++) {
    if (is_hidden(v, hm_snapshot_named(v->snap, (uint32_t)i, HM_NAMES_FROM)) ||
        is_hidden(v, hm_snapshot_named(v->snap, (uint32_t)i, HM_NAMES_TO)))
      v->hidden[i] = true;
  }
}

static bool project_matches(filter *f, const hm_project *p) {
  if (!f->projects.any)
    return false;
  if (has(&f->projects, f->tmp, p->id) || (p->name.n && has(&f->projects, f->tmp, p->name)))
    return true;
  for (size_t i = 0; i < p->n_aliases; i++)
    if (has(&f->projects, f->tmp, p->aliases[i]))
      return true;
  return false;
}

static void hide_rows(filter *f) {
  hm_view *v = f->v;
  for (size_t i = 0; i < v->snap->n_projects; i++)
    f->project_hidden[i] = project_matches(f, &v->snap->projects[i]);
  for (size_t i = 0; i < v->snap->n_rows; i++)
    v->hidden[i] = row_hidden(f, i);
  for (size_t i = 0; i < v->snap->n_rows && !v->any_hidden; i++)
    v->any_hidden = v->hidden[i];
}

static void keep_props(hm_view *v, const hm_exclude *x) {
  v->props = hm_alloc_array(v->a, x->n_properties + 1, sizeof *v->props);
  for (size_t i = 0; i < x->n_properties; i++)
    v->props[v->n_props++] = exclude_fold(v->a, x->properties[i]);
  if (v->n_props)
    v->any_hidden = true;
}

bool hm_view_prop_hidden(const hm_view *v, hm_str name, hm_arena *a) {
  if (!v->n_props)
    return false;
  hm_str folded = exclude_fold(a, name);
  for (size_t i = 0; i < v->n_props; i++)
    if (hm_str_eq(v->props[i], folded))
      return true;
  return false;
}

/* True when j has a hidden property at any depth. */
static bool holds_hidden(const hm_view *v, const hm_json *j, hm_arena *a) {
  for (const hm_json *c = j->child; c; c = c->next)
    if ((j->type == HM_JSON_OBJECT && hm_view_prop_hidden(v, c->key, a)) || holds_hidden(v, c, a))
      return true;
  return false;
}

bool hm_view_text_holds_hidden(const hm_view *v, hm_str json, hm_arena *a) {
  hm_json *j = NULL;
  return v->n_props && json.n && memchr(json.p, '{', json.n) && !hm_json_parse(a, json, &j, NULL) &&
      holds_hidden(v, j, a);
}

static hm_str field_of_row(hm_arena *a, uint32_t row, hm_str field) {
  return HM_CAT(a, (hm_str){ (const char *)&row, sizeof row }, field);
}

/* The value of a claim is shown whole or not at all: of an object that holds what is left out,
 * nothing is. */
void hm_view_hide_values(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  hm_map_init(&v->hidden_values, v->a, 16);
  for (uint32_t i = 0; v->n_props && i < v->snap->n_rows; i++) {
    const hm_row *r = &v->snap->rows[i];
    hm_json *props = NULL;
    hm_arena_reset(tmp);
    if (r->layer == HM_STATE && r->value_is_json && hm_view_text_holds_hidden(v, r->text, tmp))
      hm_map_add(&v->hidden_values, field_of_row(v->a, i, HM_STR("value")), 0);
    if (r->layer != HM_ENTITY || r->props.n < 2 || !memchr(r->props.p + 1, '{', r->props.n - 1) ||
        hm_json_parse(tmp, r->props, &props, NULL))
      continue;
    for (const hm_json *p = props->child; p; p = p->next)
      if (holds_hidden(v, p, tmp))
        hm_map_add(&v->hidden_values, field_of_row(v->a, i, p->key), 0);
  }
  hm_arena_free(tmp);
}

bool hm_exclude_names(const hm_str *names, size_t n, hm_str text, hm_arena *a) {
  hm_str folded = n ? exclude_fold(a, text) : HM_EMPTY;
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(exclude_fold(a, names[i]), folded))
      return true;
  return false;
}

bool hm_exclude_begins(const hm_str *names, size_t n, hm_str text, hm_arena *a) {
  hm_str folded = n ? exclude_fold(a, text) : HM_EMPTY;
  for (size_t i = 0; i < n; i++) {
    hm_str name = exclude_fold(a, names[i]);
    if (name.n && folded.n > name.n && !memcmp(folded.p, name.p, name.n))
      return true;
  }
  return false;
}

bool hm_view_field_shown(const hm_view *v, uint32_t row, hm_str field, hm_arena *a) {
  if (!v->any_hidden)
    return true;
  if (v->hidden[row])
    return false;
  if (v->hidden_values.n && hm_map_get(&v->hidden_values, field_of_row(a, row, field)) != HM_NONE)
    return false;
  hm_layer layer = v->snap->rows[row].layer;
  return layer == HM_MEMORY || layer == HM_STATE || !hm_view_prop_hidden(v, field, a);
}

int hm_view_build_exclusions(hm_view *v, hm_err *err) {
  (void)err;
  const hm_exclude *x = &v->opt.exclude;
  filter f = { .v = v, .tmp = hm_arena_new() };
  f.projects = names_of(f.tmp, x->projects, x->n_projects);
  f.types = names_of(f.tmp, x->types, x->n_types);
  f.statuses = names_of(f.tmp, x->statuses, x->n_statuses);
  f.tags = names_of(f.tmp, x->tags, x->n_tags);
  f.props = names_of(f.tmp, x->properties, x->n_properties);
  f.project_hidden = v->project_hidden =
      hm_alloc_array(v->a, v->snap->n_projects + 1, sizeof(bool));
  hm_map_init(&f.type_seen, f.tmp, 64);
  v->hidden = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof(bool));
  v->row_filter = f.types.any || f.statuses.any || f.tags.any || f.props.any;
  if (f.projects.any || v->row_filter)
    hide_rows(&f);
  for (size_t i = 0; i < v->snap->n_projects; i++) {
    v->project_of[i] = f.project_hidden[i] ? HM_NONE : 0;
    v->any_hidden |= f.project_hidden[i];
  }
  keep_props(v, x);
  hm_arena_free(f.tmp);
  return 0;
}

/* When rows are filtered, a member whose row is gone is not shown: it may have been hidden. */
uint32_t hm_view_project(const hm_view *v, hm_str id, bool *known) {
  const hm_project *p = v->snap->projects;
  size_t n = v->snap->n_projects, at = n ? hm_lower_bound(p, n, sizeof *p, &id, hm_order_str) : 0;
  *known = at < n && hm_str_eq(p[at].id, id);
  if (*known)
    return v->project_of[at];
  return HM_NONE;
}

/* A property that names a row by its id would say that the row is there. */
static bool names_hidden(const hm_view *v, const hm_json *j) {
  if (j->type != HM_JSON_STRING || !hm_str_ends(j->key, "_id"))
    return false;
  uint32_t row = hm_snapshot_row(v->snap, HM_ENTITY, j->text);
  return row != HM_NONE && v->hidden[row];
}

const hm_json *hm_view_filter_json(const hm_view *v, const hm_json *j, hm_arena *a) {
  if (!v->any_hidden || !j || (j->type != HM_JSON_ARRAY && j->type != HM_JSON_OBJECT))
    return j;
  hm_json *copy = hm_alloc(a, sizeof *copy), **tail = &copy->child;
  *copy = *j;
  copy->count = 0;
  copy->child = NULL;
  for (const hm_json *c = j->child; c; c = c->next) {
    if (j->type == HM_JSON_OBJECT && hm_view_prop_hidden(v, c->key, a))
      continue;
    hm_json *kept = hm_alloc(a, sizeof *kept);
    *kept = *hm_view_filter_json(v, c, a);
    kept->next = NULL;
    if (names_hidden(v, c))
      kept->text = HM_STR("withheld");
    *tail = kept;
    tail = &kept->next;
    copy->count++;
  }
  return copy;
}

static bool contains(hm_str text, hm_str word) {
  return word.n && text.n >= word.n && memmem(text.p, text.n, word.p, word.n);
}

/* True for a relation whose properties give its bounds, when such a property is left out: a finding
 * quotes the bounds without the property's name. */
static bool hides_bounds_of(const hm_view *v, uint32_t row, hm_arena *a) {
  hm_str from, until;
  if (!v->hides_bounds || row == HM_NONE || v->snap->rows[row].layer != HM_RELATION)
    return false;
  return hm_relation_read_bounds(hm_world_find_by_row(v->snap, v->rules->worlds, row, a),
                                 &v->snap->rows[row], a, a, &from, &until);
}

/* A finding quotes what is wrong: it goes with its rows, with the bounds and with the properties
 * that it may quote. */
bool hm_view_finding_shown(const hm_view *v, const hm_finding *f, hm_arena *a) {
  for (size_t i = 0; i < f->n_rows; i++) {
    uint32_t row = hm_snapshot_ref(v->snap, HM_ENTITY, f->rows[i]);
    if (is_hidden(v, row) || hides_bounds_of(v, row, a))
      return false;
  }
  const hm_str texts[] = { f->message, f->expected, f->actual, f->reason };
  for (size_t p = 0; p < v->n_props; p++)
    for (size_t t = 0; t < HM_COUNT(texts); t++)
      if (contains(exclude_fold(a, texts[t]), v->props[p]))
        return false;
  return true;
}

/* --- names of publish.exclude that leave nothing out --------------------------------------- */

typedef struct {
  hm_map wanted;        /* folded names -> index */
  hm_map seen;          /* texts that were looked at, as written; keys are the snapshot's or in a */
  hm_known_name *known; /* the same, for who mistyped one */
  size_t n_known, cap_known;
  bool *met;
  size_t n, left;
  hm_arena *a;
} name_search;

static name_search search_begin(const hm_str *names, size_t n, hm_arena *a) {
  name_search s = { .n = n, .left = n, .met = hm_alloc_array(a, n, sizeof(bool)), .a = a };
  hm_map_init(&s.wanted, a, n);
  hm_map_init(&s.seen, a, 64);
  for (size_t i = 0; i < n; i++)
    if (hm_map_add(&s.wanted, exclude_fold(a, names[i]), (uint32_t)i) != i)
      s.left--;
  return s;
}

static void name_meet(name_search *s, hm_str text) {
  size_t had = s->seen.n;
  hm_map_add(&s->seen, text, 0);
  if (s->seen.n == had)
    return;
  s->known = hm_array_grow_in(s->a, s->known, s->n_known, &s->cap_known, sizeof *s->known);
  s->known[s->n_known++] = hm_known_name_fold(text, s->a);
  uint32_t i = hm_map_get(&s->wanted, exclude_fold(s->a, text));
  if (i == HM_NONE || s->met[i])
    return;
  s->met[i] = true;
  s->left--;
}

/* A name given twice under two spellings is met as one. While one is unmet, all are looked at. */
static void add_unmet_names(const name_search *s, const char *list, const hm_str *names,
                            hm_arena *a, hm_exclude_unused *out, size_t *n) {
  for (size_t i = 0; i < s->n; i++) {
    if (s->met[hm_map_get(&s->wanted, exclude_fold(s->a, names[i]))])
      continue;
    hm_str meant = hm_find_near_name(names[i], s->known, s->n_known);
    out[(*n)++] = (hm_exclude_unused){ list, names[i], hm_str_dup(a, meant) };
  }
}

static void meet_projects(name_search *s, const hm_snapshot *snap) {
  for (size_t i = 0; i < snap->n_projects; i++) {
    name_meet(s, snap->projects[i].id);
    if (snap->projects[i].name.n)
      name_meet(s, snap->projects[i].name);
    for (size_t k = 0; k < snap->projects[i].n_aliases; k++)
      name_meet(s, snap->projects[i].aliases[k]);
  }
}

/* What sources say of rows that is not what the row has. */
static void meet_sources(name_search *s, const hm_snapshot *snap, const char *const *fields) {
  for (size_t i = 0; i < snap->n_evidence && s->left; i++)
    for (const char *const *f = fields; *f; f++) {
      const hm_said_value *said = hm_evidence_field(&snap->evidence[i], hm_str_c(*f));
      if (said && said->value.n)
        name_meet(s, said->value);
    }
}

static void meet_tags(name_search *s, const hm_snapshot *snap) {
  for (size_t i = 0; i < snap->n_evidence && s->left; i++) {
    const hm_said_value *said = hm_evidence_field(&snap->evidence[i], HM_STR("tags"));
    hm_str *tag;
    size_t n = said && said->value.n ? hm_format_json_list(said->value, s->a, &tag) : 0;
    for (size_t k = 0; k < n; k++)
      name_meet(s, tag[k]);
  }
  for (size_t i = snap->first[HM_MEMORY]; i < snap->first[HM_MEMORY + 1] && s->left; i++) {
    hm_str *tag;
    size_t n = snap->rows[i].tags.n ? hm_format_json_list(snap->rows[i].tags, s->a, &tag) : 0;
    for (size_t k = 0; k < n; k++)
      name_meet(s, tag[k]);
  }
}

static void meet_keys(name_search *s, const hm_json *v) {
  for (const hm_json *m = v->child; m; m = m->next) {
    if (v->type == HM_JSON_OBJECT && hm_map_get(&s->seen, m->key) == HM_NONE)
      name_meet(s, hm_str_dup(s->a, m->key));
    if (m->child)
      meet_keys(s, m);
  }
}

/* A state that is named like a property is left out with it. */
static void meet_properties(name_search *s, const hm_snapshot *snap) {
  hm_arena *tmp = hm_arena_new();
  meet_sources(s, snap, (const char *const[]){ "key", NULL });
  for (size_t i = 0; i < snap->n_evidence && s->left; i++) {
    hm_json *v;
    if (snap->evidence[i].as.props.n && !hm_json_parse(tmp, snap->evidence[i].as.props, &v, NULL))
      meet_keys(s, v);
    hm_arena_reset(tmp);
  }
  for (size_t i = 0; i < snap->n_rows && s->left; i++) {
    const hm_row *r = &snap->rows[i];
    hm_json *v;
    if (r->layer == HM_STATE)
      name_meet(s, r->name);
    if (r->props.n && !hm_json_parse(tmp, r->props, &v, NULL))
      meet_keys(s, v);
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
}

bool hm_exclude_has_entries(const hm_exclude *x) {
  return x->n_projects || x->n_types || x->n_statuses || x->n_tags || x->n_properties;
}

size_t hm_exclude_find_unused(const hm_exclude *x, const hm_snapshot *snap, bool values,
                              hm_arena *a, hm_exclude_unused **out) {
  size_t n = 0;
  hm_arena *tmp = hm_arena_new();
  name_search projects = search_begin(x->projects, x->n_projects, tmp),
              types = search_begin(x->types, x->n_types, tmp),
              tags = search_begin(x->tags, x->n_tags, tmp),
              properties = search_begin(x->properties, x->n_properties, tmp);
  *out = hm_alloc_array(a, x->n_projects + x->n_types + x->n_tags + x->n_properties, sizeof **out);
  if (projects.n) {
    meet_projects(&projects, snap);
    meet_sources(&projects, snap, (const char *const[]){ "project", NULL });
  }
  for (size_t i = 0; types.n && i < snap->n_rows && types.left; i++)
    name_meet(&types, snap->rows[i].type);
  if (types.n)
    meet_sources(&types, snap,
                 (const char *const[]){ "memory_type", "entity_type", "category", "type", NULL });
  add_unmet_names(&projects, "projects", x->projects, a, *out, &n);
  add_unmet_names(&types, "types", x->types, a, *out, &n);
  if (values && tags.n && snap->details)
    meet_tags(&tags, snap);
  if (values && properties.n)
    meet_properties(&properties, snap);
  if (values) {
    add_unmet_names(&tags, "tags", x->tags, a, *out, &n);
    add_unmet_names(&properties, "properties", x->properties, a, *out, &n);
  }
  hm_arena_free(tmp);
  return n;
}
