/* Names of publish.exclude that leave nothing out: mistyped, and what they were to hide is
 * published. */

#include "core/base/json.h"
#include "view_private.h"

typedef struct {
  hm_map wanted;        /* folded names -> index */
  hm_map seen;          /* texts that were looked at, as written; keys are the snapshot's or in a */
  bool *met;
  size_t n, left;
  hm_arena *a;
} search;

static search begin(const hm_str *names, size_t n, hm_arena *a) {
  search s = { .n = n, .left = n, .met = hm_alloc_array(a, n, sizeof(bool)), .a = a };
  hm_map_init(&s.wanted, a, n);
  hm_map_init(&s.seen, a, 64);
  for (size_t i = 0; i < n; i++)
    if (hm_map_add(&s.wanted, hm_exclude_fold(a, names[i]), (uint32_t)i) != i) s.left--;
  return s;
}

static void meet(search *s, hm_str text) {
  size_t had = s->seen.n;
  hm_map_add(&s->seen, text, 0);
  if (s->seen.n == had) return;
  uint32_t i = hm_map_get(&s->wanted, hm_exclude_fold(s->a, text));
  if (i == HM_NONE || s->met[i]) return;
  s->met[i] = true;
  s->left--;
}

/* A name given twice under two spellings is met as one. */
static void add_unmet(const search *s, const char *list, const hm_str *names,
                      hm_exclude_unused *out, size_t *n) {
  for (size_t i = 0; i < s->n; i++)
    if (!s->met[hm_map_get(&s->wanted, hm_exclude_fold(s->a, names[i]))])
      out[(*n)++] = (hm_exclude_unused){ list, names[i] };
}

static void meet_projects(search *s, const hm_snapshot *snap) {
  for (size_t i = 0; i < snap->n_projects; i++) {
    meet(s, snap->projects[i].id);
    if (snap->projects[i].name.n) meet(s, snap->projects[i].name);
    for (size_t k = 0; k < snap->projects[i].n_aliases; k++) meet(s, snap->projects[i].aliases[k]);
  }
}

static void meet_types(search *s, const hm_snapshot *snap) {
  for (size_t i = 0; i < snap->n_rows && s->left; i++) meet(s, snap->rows[i].type);
}

static void meet_tags(search *s, const hm_snapshot *snap) {
  for (size_t i = snap->first[HM_MEMORY]; i < snap->first[HM_MEMORY + 1] && s->left; i++) {
    hm_str *tag;
    size_t n = snap->details[i].tags.n ? hm_strings(snap->details[i].tags, s->a, &tag) : 0;
    for (size_t k = 0; k < n; k++) meet(s, tag[k]);
  }
}

static void meet_keys(search *s, const hm_json *v) {
  for (const hm_json *m = v->child; m; m = m->next) {
    if (v->type == HM_JSON_OBJECT && hm_map_get(&s->seen, m->key) == HM_NONE)
      meet(s, hm_str_dup(s->a, m->key));
    if (m->child) meet_keys(s, m);
  }
}

/* A state that is named like a property is left out with it. */
static void meet_properties(search *s, const hm_snapshot *snap) {
  hm_arena *tmp = hm_arena_new();
  for (size_t i = 0; i < snap->n_rows && s->left; i++) {
    const hm_row *r = &snap->rows[i];
    hm_json *v;
    if (r->layer == HM_STATE) meet(s, r->name);
    if (r->props.n && !hm_json_parse(tmp, r->props, &v, NULL)) meet_keys(s, v);
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
}

size_t hm_exclude_unused_of(const hm_exclude *x, const hm_snapshot *snap, bool values, hm_arena *a,
                            hm_exclude_unused **out) {
  size_t n = 0;
  hm_arena *tmp = hm_arena_new();
  search projects = begin(x->projects, x->n_projects, tmp),
         types = begin(x->types, x->n_types, tmp), tags = begin(x->tags, x->n_tags, tmp),
         properties = begin(x->properties, x->n_properties, tmp);
  *out = hm_alloc_array(a, x->n_projects + x->n_types + x->n_tags + x->n_properties, sizeof **out);
  if (projects.n) meet_projects(&projects, snap);
  if (types.n) meet_types(&types, snap);
  add_unmet(&projects, "projects", x->projects, *out, &n);
  add_unmet(&types, "types", x->types, *out, &n);
  if (values && tags.n && snap->details) meet_tags(&tags, snap);
  if (values && properties.n) meet_properties(&properties, snap);
  if (values) {
    add_unmet(&tags, "tags", x->tags, *out, &n);
    add_unmet(&properties, "properties", x->properties, *out, &n);
  }
  hm_arena_free(tmp);
  return n;
}
