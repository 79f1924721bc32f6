/* Rules on births, deaths and parents: a death before the birth; a child born before its parent,
 * years after a parent's death, or of a parent who was a child; parents of one gender.
 *
 * Only certain contradictions are reported. Births and deaths are those of beings
 * (hm_existence_birth): a company with a parent company was founded, not born. An adoptive parent,
 * by the relation's mark, may be younger. The world of the parent (world.yml) has the least age of
 * parents and the longest time from a death to a birth. Each contradiction is reported once: a
 * child born before its parent is not also of a young parent, and a row whose death is before its
 * birth is skipped for both.
 * Cost: O(1) per row or relation; for genders see there.
 * Source: lore consistency engine, category B. */
#include <stdlib.h>

#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/value/rules.h"
#include "core/claim/slot.h"
#include "core/detect/rule.h"

typedef struct {
  const hm_existence *parent, *child;
  hm_bound born, died; /* the parent */
  hm_bound child_born;
  hm_allowances allows;
  unsigned marks;
} family;

static hm_str shown_name(const hm_existence *x, hm_arena *a) {
  enum { SHOWN = 80 };
  return hm_text_cut(hm_text_repair(a, hm_str_sub(x->name, 0, 4 * SHOWN)), SHOWN);
}

void hm_find_death_before_birth(const hm_scope *s, hm_found *out) {
  const hm_existence *x = hm_existence_find(s->lives, s->rows[0]);
  hm_arena *a = hm_found_arena(out);
  if (!x || !x->stated || hm_bound_before(&x->stated->end, &x->stated->begin) != HM_CERTAIN)
    return;
  hm_str begin = hm_bound_text(a, &x->stated->begin), end = hm_bound_text(a, &x->stated->end);
  hm_finding f = { .project = s->snap->projects[s->snap->rows[s->rows[0]].project].id,
                   .rows = hm_alloc(a, sizeof *f.rows),
                   .n_rows = 1,
                   .expected = HM_CAT(a, HM_STR("after "), begin),
                   .actual = end };
  f.rows[0] = hm_ref_text(a, HM_ENTITY, x->id);
  f.message = HM_CAT(a, shown_name(x, a), x->is_born ? HM_STR(" died in ") : HM_STR(" ended in "),
                     end, x->is_born ? HM_STR(", born in ") : HM_STR(", begun in "), begin);
  hm_finding_add_time_sources(&f, (const hm_time_sources *const[]){ x->stated_by, NULL }, a);
  hm_found_add_finding(out, f);
}

/* false: the relation says nothing of a birth. */
static bool read_family(const hm_scope *s, family *f) {
  const hm_row *r = &s->snap->rows[s->rows[0]];
  if (r->status != HM_ACTIVE || s->n_cards != 2)
    return false;
  *f = (family){ .parent = hm_existence_find(s->lives, s->cards[0].to),
                 .child = hm_existence_find(s->lives, s->cards[1].to) };
  if (!f->parent || !f->child)
    return false;
  hm_existence_birth(f->parent, &f->born);
  hm_existence_death(f->parent, &f->died);
  hm_existence_birth(f->child, &f->child_born);
  if (!f->born.known && !f->died.known)
    return false;
  f->allows = hm_world_allows(f->parent->world);
  f->marks = hm_relation_marks(r->props, s->scratch);
  return !(f->marks & (HM_MARK_ADOPTIVE | HM_MARK_NO_FACT));
}

static void add_finding(const hm_scope *s, hm_found *out, const family *f, hm_str expected,
                        const hm_bound *actual, hm_str why) {
  hm_arena *a = hm_found_arena(out);
  const hm_row *r = &s->snap->rows[s->rows[0]];
  uint32_t project = s->snap->projects[r->project].id.n ? r->project : s->cards[1].project;
  hm_finding x = { .project = s->snap->projects[project].id,
                   .rows = hm_alloc_array(a, 3, sizeof *x.rows),
                   .expected = expected,
                   .actual = hm_bound_text(a, actual) };
  x.rows[x.n_rows++] = hm_row_ref(a, r);
  x.rows[x.n_rows++] = hm_ref_text(a, HM_ENTITY, f->child->id);
  if (f->child != f->parent)
    x.rows[x.n_rows++] = hm_ref_text(a, HM_ENTITY, f->parent->id);
  x.message = HM_CAT(a, shown_name(f->child, a), HM_STR(" was born in "), x.actual, HM_STR(", "),
                     why, HM_STR(" "), shown_name(f->parent, a));
  hm_finding_add_time_sources(
      &x,
      (const hm_time_sources *const[]){ hm_existence_life_sources(f->child),
                                        hm_existence_life_sources(f->parent) },
      a);
  hm_found_add_finding(out, x);
}

void hm_find_child_before_parent(const hm_scope *s, hm_found *out) {
  family f;
  hm_arena *a = hm_found_arena(out);
  if (!read_family(s, &f) || hm_bound_before(&f.child_born, &f.born) != HM_CERTAIN)
    return;
  hm_str born = hm_bound_text(a, &f.born);
  add_finding(s, out, &f, HM_CAT(a, HM_STR("after "), born), &f.child_born,
              HM_CAT(a, HM_STR("before the birth in "), born, HM_STR(" of its parent")));
}

void hm_find_young_parents(const hm_scope *s, hm_found *out) {
  family f;
  hm_arena *a = hm_found_arena(out);
  if (!read_family(s, &f) || hm_bound_before(&f.child_born, &f.born) == HM_CERTAIN)
    return;
  hm_bound grown = hm_bound_shift(f.parent->world, &f.born, f.allows.parent_age);
  if (hm_bound_before(&f.child_born, &grown) != HM_CERTAIN)
    return;
  hm_str born = hm_bound_text(a, &f.born);
  add_finding(s, out, &f,
              hm_str_fmt(a, "%d years after %.*s or more", f.allows.parent_age, HM_FMT(born)),
              &f.child_born,
              hm_str_fmt(a, "less than %d years after the birth in %.*s of its parent",
                         f.allows.parent_age, HM_FMT(born)));
}

/* If the child's birth is unknown, the begin of the relation counts. */
void hm_find_late_children(const hm_scope *s, hm_found *out) {
  family f;
  hm_arena *a = hm_found_arena(out);
  if (!read_family(s, &f) || !f.died.known || f.marks & HM_MARK_POSTHUMOUS)
    return;
  const hm_row *r = &s->snap->rows[s->rows[0]];
  const hm_world *world = hm_relation_world(s, f.parent);
  if (!f.child_born.known && !hm_bound_parse(world, r->valid_from, &f.child_born))
    return;
  hm_bound last = hm_bound_shift(f.parent->world, &f.died, f.allows.born_after_death);
  if (hm_bound_before(&last, &f.child_born) != HM_CERTAIN)
    return;
  hm_str died = hm_bound_text(a, &f.died);
  int years = f.allows.born_after_death;
  add_finding(s, out, &f, hm_str_fmt(a, "at most %d years after %.*s", years, HM_FMT(died)),
              &f.child_born,
              hm_str_fmt(a, "more than %d %s after the death in %.*s of its parent", years,
                         years == 1 ? "year" : "years", HM_FMT(died)));
}

/* --- parents of one gender ------------------------------------------------------------- */

/* Parents of one child with the same gender, in worlds that forbid it.
 *
 * These are worlds with parents_differ_in_gender: true in world.yml. Two parents match if both
 * state the same gender, as `gender` or `sex`: male, m, man, boy are equal, and female, f, woman,
 * girl; any other word equals only itself. A parent with no gender, or two, matches none. Only
 * active PARENT_OF relations of active entities count, except those marked as adoptive, step,
 * foster, subjective or prophetic, and only pairs whose windows may overlap. One finding per child
 * and gender. The world is the child's.
 * Cost: O(n log n) relations of a component, and the properties of parents.
 * Source: lore consistency engine, category A (PARENT_OF). */

typedef struct {
  uint32_t child, parent, relation;
} parenthood;
enum { PARENTS_MAX = 16, NAME_SHOWN = 80, VALUE_SHOWN = 40 };

static int by_child(const void *x, const void *y) {
  const uint32_t *a = x, *b = y; /* child, parent, relation */
  for (int i = 0; i < 3; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
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
    if (hm_relation_marks(r->props, s->scratch) & (HM_MARK_ADOPTIVE | HM_MARK_NO_FACT))
      continue;
    out[n++] = (parenthood){ .child = c[1].to, .parent = c[0].to, .relation = c->from };
  }
  if (n)
    qsort(out, n, sizeof *out, by_child);
  return n;
}

/* The word for it, folded; empty: not stated, or two. In scratch. */
static hm_str gender_of(const hm_scope *s, uint32_t row) {
  static const struct {
    const char *word, *means;
  } words[] = {
    { "boy", "male" }, { "f", "female" }, { "girl", "female" },
    { "m", "male" },   { "man", "male" }, { "woman", "female" },
  };
  const hm_json *object = hm_json_parse_as(s->scratch, s->snap->rows[row].props, HM_JSON_OBJECT);
  hm_str found = HM_EMPTY;
  if (!object)
    return found;
  const hm_prop *p = hm_props_collect(object, s->scratch);
  for (size_t i = 0; i < object->count; i++) {
    if (!hm_str_is(p[i].name, "gender") && !hm_str_is(p[i].name, "sex"))
      continue;
    if (p[i].v->type != HM_JSON_STRING)
      return HM_EMPTY;
    hm_str said = hm_text_fold_value(s->scratch, p[i].v->text);
    for (size_t k = 0; k < HM_COUNT(words); k++)
      if (hm_str_is(said, words[k].word))
        said = hm_str_c(words[k].means);
    if (found.n && !hm_str_eq(found, said))
      return HM_EMPTY;
    found = said;
  }
  return hm_value_is_silence(found, s->config, s->scratch) ? HM_EMPTY : found;
}

static bool may_meet(const hm_scope *s, uint32_t x, uint32_t y) {
  const hm_row *rows = s->snap->rows;
  hm_window a, b;
  const hm_world *of[2] = { hm_world_find_by_row(s->snap, s->config->worlds, x, s->scratch),
                            hm_world_find_by_row(s->snap, s->config->worlds, y, s->scratch) };
  if (hm_window_parse(of[0], rows[x].valid_from, rows[x].valid_until, s->snap->now, &a) ||
      hm_window_parse(of[1], rows[y].valid_from, rows[y].valid_until, s->snap->now, &b))
    return false;
  return hm_window_overlap_certainty(&a, &b) != HM_NO;
}

static hm_str name_of(const hm_scope *s, uint32_t row, hm_arena *a) {
  const hm_row *r = &s->snap->rows[row];
  hm_str name = r->name.n ? r->name : r->id;
  return hm_text_cut(hm_text_repair(a, hm_str_sub(name, 0, 4 * NAME_SHOWN)), NAME_SHOWN);
}

/* v[0] and those after it that are alike it. */
static void add_parents_alike(const hm_scope *s, const parenthood *const *v, size_t n,
                              hm_str gender, hm_found *out) {
  hm_arena *a = hm_found_arena(out);
  hm_finding f = { .rows = hm_alloc_array(a, 2 * n + 1, sizeof *f.rows) };
  hm_str names = HM_EMPTY;
  f.rows[f.n_rows++] = hm_row_ref(a, &s->snap->rows[v[0]->child]);
  for (size_t i = 0; i < n; i++) {
    f.rows[f.n_rows++] = hm_row_ref(a, &s->snap->rows[v[i]->relation]);
    f.rows[f.n_rows++] = hm_row_ref(a, &s->snap->rows[v[i]->parent]);
    names = HM_CAT(a, names,
                   !i              ? HM_EMPTY
                       : i + 1 < n ? HM_STR(", ")
                                   : HM_STR(" and "),
                   name_of(s, v[i]->parent, a));
  }
  f.project = s->snap->projects[s->snap->rows[v[0]->child].project].id;
  f.actual = hm_str_dup(a, hm_text_cut(gender, VALUE_SHOWN));
  f.key = f.actual;
  f.message = HM_CAT(a, name_of(s, v[0]->child, a), HM_STR(" has parents of one gender, "),
                     f.actual, HM_STR(": "), names, HM_STR(" (by gender)"));
  hm_found_add_finding(out, f);
}

static void find_alike(const hm_scope *s, const parenthood *v, size_t n, hm_found *out) {
  hm_str genders[PARENTS_MAX];
  bool told[PARENTS_MAX] = { false };
  if (n > PARENTS_MAX)
    n = PARENTS_MAX;
  for (size_t i = 0; i < n; i++)
    genders[i] = gender_of(s, v[i].parent);
  for (size_t i = 0; i < n; i++) {
    const parenthood *alike[PARENTS_MAX] = { &v[i] };
    size_t m = 1;
    for (size_t k = i + 1; k < n && genders[i].n && !told[i]; k++)
      if (v[k].parent != alike[m - 1]->parent && hm_str_eq(genders[i], genders[k]) &&
          may_meet(s, v[i].relation, v[k].relation)) {
        alike[m++] = &v[k];
        told[k] = true;
      }
    if (m > 1)
      add_parents_alike(s, alike, m, genders[i], out);
  }
}

void hm_find_parents_alike(const hm_scope *s, hm_found *out) {
  parenthood *v = hm_alloc_array(s->scratch, s->n_cards, sizeof *v);
  size_t n = read_parenthoods(s, v);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && v[end].child == v[i].child; end++)
      continue;
    const hm_world *world =
        hm_world_find_by_row(s->snap, s->config->worlds, v[i].child, s->scratch);
    if (end - i > 1 && hm_world_allows(world).parents_differ)
      find_alike(s, v + i, end - i, out);
  }
}
