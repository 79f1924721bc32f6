/* What births and deaths cannot be: a death before the birth, a child before its parent, years
 * after a parent's death, or of a parent who was a child.
 *
 * Only what is certain is told. Births and deaths are those of beings (hm_existence_birth): a
 * company that has another one as its parent was founded and not born. An adoptive parent, as the
 * relation says of itself, may be younger. How old parents are at the least, and how long after a
 * death a child may be born, the world of the parent says (world.yml).
 * Each contradiction once: who is born before the parent is not too old for it, too, and a row
 * whose own death lies before its birth is asked for neither.
 * Cost: O(1) a row or relation.
 * Source: lore consistency engine, category B. */
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/detect/rule.h"

#include <string.h>

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

/* HM_TIME_SOURCE_ROWS in all. Where not all fit, those that tell whether a time is hidden come
 * first (existence.h) and stay, of both. f names three rows at most. */
void hm_finding_add_sources(hm_finding *f, const hm_time_sources *const by[2], hm_arena *a) {
  static const hm_time_sources nobody;
  const hm_time_sources *said[2] = { by[0] ? by[0] : &nobody,
                                     by[1] && by[1] != by[0] ? by[1] : &nobody };
  size_t room = HM_TIME_SOURCE_ROWS - f->n_rows, n[2];
  size_t kept = said[1]->n < HM_TIME_SOURCE_KINDS ? said[1]->n : HM_TIME_SOURCE_KINDS;
  n[0] = said[0]->n < room - kept ? said[0]->n : room - kept;
  n[1] = said[1]->n < room - n[0] ? said[1]->n : room - n[0];
  size_t more = said[0]->all - n[0] + said[1]->all - n[1];
  hm_str *rows = hm_alloc_array(a, HM_TIME_SOURCE_ROWS, sizeof *rows), words = HM_EMPTY;
  if (f->n_rows) memcpy(rows, f->rows, f->n_rows * sizeof *rows);
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < n[k]; i++) rows[f->n_rows++] = hm_str_dup(a, said[k]->rows[i]);
    if (!said[k]->words.n || (k && hm_str_eq(words, said[k]->words))) continue;
    words = HM_CAT(a, words, words.n ? HM_STR(", ") : HM_EMPTY, said[k]->words);
  }
  f->rows = rows;
  if (words.n) words = HM_CAT(a, HM_STR("by "), words);
  if (more)
    words = hm_str_fmt(a, "%.*s%sand %zu more rows", HM_FMT(words), words.n ? "; " : "", more);
  if (words.n) f->message = HM_CAT(a, f->message, HM_STR(" ("), words, HM_STR(")"));
}

int hm_find_death_before_birth(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  const hm_existence *x = hm_existence_of(s->lives, s->rows[0]);
  hm_arena *a = hm_found_arena(out);
  if (!x || !x->stated || hm_bound_before(&x->stated->end, &x->stated->begin) != HM_CERTAIN)
    return 0;
  hm_str begin = hm_bound_text(a, &x->stated->begin), end = hm_bound_text(a, &x->stated->end);
  hm_finding f = { .project = s->snap->projects[s->snap->rows[s->rows[0]].project].id,
                   .rows = hm_alloc(a, sizeof *f.rows),
                   .n_rows = 1,
                   .expected = HM_CAT(a, HM_STR("after "), begin),
                   .actual = end };
  f.rows[0] = hm_ref_text(a, HM_ENTITY, x->id);
  f.message = HM_CAT(a, shown_name(x, a), x->is_born ? HM_STR(" died in ") : HM_STR(" ended in "),
                     end, x->is_born ? HM_STR(", born in ") : HM_STR(", begun in "), begin);
  hm_finding_add_sources(&f, (const hm_time_sources *const[]){ x->stated_by, NULL }, a);
  hm_found_finding(out, f);
  return 0;
}

/* false: the relation says nothing of a birth. */
static bool read_family(const hm_scope *s, family *f) {
  const hm_row *r = &s->snap->rows[s->rows[0]];
  if (r->status != HM_ACTIVE || s->n_cards != 2) return false;
  *f = (family){ .parent = hm_existence_of(s->lives, s->cards[0].to),
                 .child = hm_existence_of(s->lives, s->cards[1].to) };
  if (!f->parent || !f->child) return false;
  hm_existence_birth(f->parent, &f->born);
  hm_existence_death(f->parent, &f->died);
  hm_existence_birth(f->child, &f->child_born);
  if (!f->born.known && !f->died.known) return false;
  f->allows = hm_world_allows(f->parent->world);
  f->marks = hm_relation_marks(r->props, s->scratch);
  return !(f->marks & (HM_MARK_ADOPTIVE | HM_MARK_NO_FACT));
}

static void tell(const hm_scope *s, hm_found *out, const family *f, hm_str expected,
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
  if (f->child != f->parent) x.rows[x.n_rows++] = hm_ref_text(a, HM_ENTITY, f->parent->id);
  x.message = HM_CAT(a, shown_name(f->child, a), HM_STR(" was born in "), x.actual, HM_STR(", "),
                     why, HM_STR(" "), shown_name(f->parent, a));
  hm_finding_add_sources(&x,
                         (const hm_time_sources *const[]){ hm_existence_life_sources(f->child),
                                                           hm_existence_life_sources(f->parent) },
                         a);
  hm_found_finding(out, x);
}

int hm_find_child_before_parent(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  family f;
  hm_arena *a = hm_found_arena(out);
  if (!read_family(s, &f) || hm_bound_before(&f.child_born, &f.born) != HM_CERTAIN) return 0;
  hm_str born = hm_bound_text(a, &f.born);
  tell(s, out, &f, HM_CAT(a, HM_STR("after "), born), &f.child_born,
       HM_CAT(a, HM_STR("before the birth in "), born, HM_STR(" of its parent")));
  return 0;
}

int hm_find_young_parents(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  family f;
  hm_arena *a = hm_found_arena(out);
  if (!read_family(s, &f) || hm_bound_before(&f.child_born, &f.born) == HM_CERTAIN) return 0;
  hm_bound grown = hm_bound_shift(f.parent->world, &f.born, f.allows.parent_age);
  if (hm_bound_before(&f.child_born, &grown) != HM_CERTAIN) return 0;
  hm_str born = hm_bound_text(a, &f.born);
  tell(s, out, &f, hm_str_fmt(a, "%d years after %.*s or more", f.allows.parent_age, HM_FMT(born)),
       &f.child_born,
       hm_str_fmt(a, "less than %d years after the birth in %.*s of its parent",
                  f.allows.parent_age, HM_FMT(born)));
  return 0;
}

/* Of a child whose birth nobody knows, the begin of the relation counts. */
int hm_find_late_children(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  family f;
  hm_arena *a = hm_found_arena(out);
  if (!read_family(s, &f) || !f.died.known || f.marks & HM_MARK_POSTHUMOUS) return 0;
  const hm_row *r = &s->snap->rows[s->rows[0]];
  const hm_world *world = hm_relation_world(s, f.parent);
  if (!f.child_born.known && !hm_bound_read(world, r->valid_from, &f.child_born)) return 0;
  hm_bound last = hm_bound_shift(f.parent->world, &f.died, f.allows.born_after_death);
  if (hm_bound_before(&last, &f.child_born) != HM_CERTAIN) return 0;
  hm_str died = hm_bound_text(a, &f.died);
  int years = f.allows.born_after_death;
  tell(s, out, &f, hm_str_fmt(a, "at most %d years after %.*s", years, HM_FMT(died)), &f.child_born,
       hm_str_fmt(a, "more than %d %s after the death in %.*s of its parent", years,
                  years == 1 ? "year" : "years", HM_FMT(died)));
  return 0;
}
