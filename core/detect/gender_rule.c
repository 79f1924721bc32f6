/* Parents of one child who are of the same gender, in worlds that ask for it.
 *
 * A world of world.yml with parents_differ_in_gender: true holds that the parents of a child differ
 * in gender. Two are alike where both state one, as `gender` or `sex`, and it is the same: male, m,
 * man, boy are one; female, f, woman, girl; any other word is itself. Who states none, or two, is
 * like nobody. Only active PARENT_OF relations of active entities count, without those that say
 * that they are adoptive, step, foster, subjective or prophetic, and two only where their windows
 * may overlap. One finding for each child and gender. The world is the child's.
 * Cost: O(n log n) relations of a component, and the properties of parents.
 * Source: lore consistency engine, category A (PARENT_OF). */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/claim/slot.h"
#include "core/detect/rule.h"

typedef struct { uint32_t child, parent, relation; } parenthood;
enum { PARENTS_MAX = 16, NAME_SHOWN = 80, VALUE_SHOWN = 40 };

static int by_child(const void *x, const void *y) {
  const uint32_t *a = x, *b = y;   /* child, parent, relation */
  for (int i = 0; i < 3; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static bool is_active_entity(const hm_scope *s, const hm_ref_card *c) {
  const size_t *first = s->snap->first;
  return c->to != HM_MAP_NONE && c->status == HM_ACTIVE && c->to >= first[HM_ENTITY] &&
      c->to < first[HM_ENTITY + 1];
}

static size_t read_parenthoods(const hm_scope *s, parenthood *out) {
  size_t n = 0;
  for (size_t i = 0; i + 1 < s->n_cards; i++) {
    const hm_ref_card *c = &s->cards[i];
    const hm_row *r = &s->snap->rows[c->from];
    if (c->column != HM_COL_FROM || r->status != HM_ACTIVE || !is_active_entity(s, c) ||
        !is_active_entity(s, c + 1) || c[0].to == c[1].to)
      continue;
    if (hm_relation_marks(r->props, s->scratch) & (HM_MARK_ADOPTIVE | HM_MARK_NO_FACT)) continue;
    out[n++] = (parenthood){ .child = c[1].to, .parent = c[0].to, .relation = c->from };
  }
  if (n) qsort(out, n, sizeof *out, by_child);
  return n;
}

/* The word for it, folded; empty: not stated, or two. In scratch. */
static hm_str gender_of(const hm_scope *s, uint32_t row) {
  static const struct { const char *word, *means; } words[] = {
    { "boy", "male" },  { "f", "female" },    { "girl", "female" },  { "m", "male" },
    { "man", "male" },  { "woman", "female" },
  };
  hm_json *object;
  hm_str found = HM_EMPTY;
  if (hm_json_parse(s->scratch, s->snap->rows[row].props, &object, NULL) ||
      object->type != HM_JSON_OBJECT)
    return found;
  const hm_prop *p = hm_props_of(object, s->scratch);
  for (size_t i = 0; i < object->count; i++) {
    if (!hm_str_is(p[i].name, "gender") && !hm_str_is(p[i].name, "sex")) continue;
    if (p[i].v->type != HM_JSON_STRING) return HM_EMPTY;
    hm_str said = hm_text_value(s->scratch, p[i].v->text);
    for (size_t k = 0; k < HM_COUNT(words); k++)
      if (hm_str_is(said, words[k].word)) said = hm_str_c(words[k].means);
    if (found.n && !hm_str_eq(found, said)) return HM_EMPTY;
    found = said;
  }
  return hm_value_is_silence(found, s->config, s->scratch) ? HM_EMPTY : found;
}

static bool may_meet(const hm_scope *s, uint32_t x, uint32_t y) {
  const hm_row *rows = s->snap->rows;
  hm_window a, b;
  const hm_world *of[2] = { hm_world_of(s->snap, s->config->worlds, x, s->scratch),
                            hm_world_of(s->snap, s->config->worlds, y, s->scratch) };
  if (hm_window_read(of[0], rows[x].valid_from, rows[x].valid_until, s->snap->now, &a) ||
      hm_window_read(of[1], rows[y].valid_from, rows[y].valid_until, s->snap->now, &b))
    return false;
  return hm_window_overlap_certainty(&a, &b) != HM_NO;
}

static hm_str name_of(const hm_scope *s, uint32_t row, hm_arena *a) {
  const hm_row *r = &s->snap->rows[row];
  hm_str name = r->name.n ? r->name : r->id;
  return hm_text_cut(hm_text_repair(a, hm_str_sub(name, 0, 4 * NAME_SHOWN)), NAME_SHOWN);
}

/* v[0] and those after it that are alike it. */
static void tell(const hm_scope *s, const parenthood *const *v, size_t n, hm_str gender,
                 hm_found *out) {
  hm_arena *a = hm_found_arena(out);
  hm_finding f = { .rows = hm_alloc_array(a, 2 * n + 1, sizeof *f.rows) };
  hm_str names = HM_EMPTY;
  f.rows[f.n_rows++] = hm_row_ref(a, &s->snap->rows[v[0]->child]);
  for (size_t i = 0; i < n; i++) {
    f.rows[f.n_rows++] = hm_row_ref(a, &s->snap->rows[v[i]->relation]);
    f.rows[f.n_rows++] = hm_row_ref(a, &s->snap->rows[v[i]->parent]);
    names = HM_CAT(a, names, !i ? HM_EMPTY : i + 1 < n ? HM_STR(", ") : HM_STR(" and "),
                   name_of(s, v[i]->parent, a));
  }
  f.project = s->snap->projects[s->snap->rows[v[0]->child].project].id;
  f.actual = hm_str_dup(a, hm_text_cut(gender, VALUE_SHOWN));
  f.key = f.actual;
  f.message = HM_CAT(a, name_of(s, v[0]->child, a), HM_STR(" has parents of one gender, "),
                     f.actual, HM_STR(": "), names, HM_STR(" (by gender)"));
  hm_found_finding(out, f);
}

static void find_alike(const hm_scope *s, const parenthood *v, size_t n, hm_found *out) {
  hm_str genders[PARENTS_MAX];
  bool told[PARENTS_MAX] = { false };
  if (n > PARENTS_MAX) n = PARENTS_MAX;
  for (size_t i = 0; i < n; i++) genders[i] = gender_of(s, v[i].parent);
  for (size_t i = 0; i < n; i++) {
    const parenthood *alike[PARENTS_MAX] = { &v[i] };
    size_t m = 1;
    for (size_t k = i + 1; k < n && genders[i].n && !told[i]; k++)
      if (v[k].parent != alike[m - 1]->parent && hm_str_eq(genders[i], genders[k]) &&
          may_meet(s, v[i].relation, v[k].relation)) {
        alike[m++] = &v[k];
        told[k] = true;
      }
    if (m > 1) tell(s, alike, m, genders[i], out);
  }
}

int hm_find_parents_alike(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  parenthood *v = hm_alloc_array(s->scratch, s->n_cards, sizeof *v);
  size_t n = read_parenthoods(s, v);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && v[end].child == v[i].child; end++) continue;
    const hm_world *world = hm_world_of(s->snap, s->config->worlds, v[i].child, s->scratch);
    if (end - i > 1 && hm_world_allows(world).parents_differ) find_alike(s, v + i, end - i, out);
  }
  return 0;
}
