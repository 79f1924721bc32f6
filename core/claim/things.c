/* Which entities of one name are one thing: things.h. */
#include "core/claim/things.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/claim/slot.h"

/* Of one name; more are all apart. */
enum { NAMESAKES_MAX = 64, PARENTS_MAX = 8, YEARS_APART = 12 };

static const hm_time YEAR = INT64_C(366) * 86400000000;

typedef struct {
  uint32_t row, thing;
} row_thing;

struct hm_things {
  row_thing *of;
  size_t n; /* by row */
};

/* An entity among others of its name. */
typedef struct {
  hm_str key; /* project, type and name, folded */
  uint32_t row;
  bool made; /* its id */
  const hm_row_source *sources;
  size_t n_sources;
  uint32_t parents[PARENTS_MAX];
  size_t n_parents;
} namesake;

/* "e-" and a digest: an import made it of a record that had none. */
static bool is_made_id(hm_str id) {
  enum { DIGITS = 16 };
  size_t i = 2;
  if (id.n != 2 + DIGITS || !hm_str_starts(id, "e-"))
    return false;
  while (i < id.n && (hm_is_digit(id.p[i]) || (id.p[i] >= 'a' && id.p[i] <= 'f')))
    i++;
  return i == id.n;
}

/* --- what tells two apart -------------------------------------------------------- */

static bool share_source(const namesake *x, const namesake *y) {
  for (size_t i = 0; i < x->n_sources; i++)
    for (size_t k = 0; k < y->n_sources; k++)
      if (hm_str_eq(x->sources[i].source, y->sources[k].source))
        return true;
  return false;
}

static bool lived_before(const hm_existence *x, const hm_existence *y) {
  const hm_bound *ended = hm_existence_bound(x, true), *began = hm_existence_bound(y, false);
  if (!ended || !began)
    return false;
  hm_bound later = hm_bound_shift(x->world, ended, YEARS_APART);
  return hm_bound_before(&later, began) == HM_CERTAIN;
}

/* Two births nearer than a generation are of one life, and one is wrong. */
static bool births_near(const hm_bound born[2]) {
  double apart = (double)born[0].first - (double)born[1].first;
  double most = (double)YEARS_APART * (double)YEAR;
  return born[0].known && born[1].known && born[0].axis == born[1].axis && apart <= most &&
      apart >= -most;
}

static bool lives_differ(const hm_existences *lives, const namesake *x, const namesake *y) {
  const hm_existence *a = hm_existence_find(lives, x->row), *b = hm_existence_find(lives, y->row);
  hm_bound born[2];
  if (!a || !b)
    return false;
  hm_existence_birth(a, &born[0]);
  hm_existence_birth(b, &born[1]);
  return (hm_bounds_differ(&born[0], &born[1]) && !births_near(born)) || lived_before(a, b) ||
      lived_before(b, a);
}

static bool is_parent(uint32_t row, const namesake *child) {
  size_t i = 0;
  while (i < child->n_parents && child->parents[i] != row)
    i++;
  return i < child->n_parents;
}

/* By their ids, or, as each source has its own, by their names. */
static bool have_one_parent(const hm_snapshot *s, const namesake *x, const namesake *y,
                            hm_arena *scratch) {
  for (size_t i = 0; i < x->n_parents; i++)
    for (size_t k = 0; k < y->n_parents; k++)
      if (x->parents[i] == y->parents[k] ||
          hm_str_eq(hm_text_fold_name(scratch, s->rows[x->parents[i]].name),
                    hm_text_fold_name(scratch, s->rows[y->parents[k]].name)))
        return true;
  return false;
}

static bool are_apart(const hm_snapshot *s, const hm_existences *lives, const namesake *x,
                      const namesake *y, hm_arena *scratch) {
  if (!x->made && !y->made && share_source(x, y))
    return true;
  if (lives_differ(lives, x, y) || is_parent(x->row, y) || is_parent(y->row, x))
    return true;
  return x->n_parents && y->n_parents && !have_one_parent(s, x, y, scratch);
}

/* --- rows ------------------------------------------------------------------------ */

static int by_key(const void *x, const void *y) {
  const namesake *a = x, *b = y;
  int d = hm_str_cmp(a->key, b->key);
  return d ? d : (a->row > b->row) - (a->row < b->row);
}

/* Those of types outside the specification, by key. */
static namesake *list_namesakes(const hm_snapshot *s, hm_arena *a, size_t *n) {
  namesake *v = hm_alloc_array(a, s->n_sources + 1, sizeof *v);
  *n = 0;
  for (size_t i = 0, end; i < s->n_sources; i = end) {
    const hm_row *r = &s->rows[s->sources[i].row];
    for (end = i; end < s->n_sources && s->sources[end].row == s->sources[i].row;)
      end++;
    hm_str type = hm_entity_type_key(a, r->type);
    if (r->status != HM_ACTIVE || hm_entity_type_find(type))
      continue;
    hm_str name = hm_text_fold_name(a, r->name);
    v[(*n)++] = (namesake){ .key = hm_str_fmt(a, "%u\x1f%.*s\x1f%.*s", r->project, HM_FMT(type),
                                              HM_FMT(name)),
                            .row = s->sources[i].row,
                            .made = is_made_id(r->id),
                            .sources = &s->sources[i],
                            .n_sources = end - i };
  }
  if (*n)
    qsort(v, *n, sizeof *v, by_key);
  return v;
}

/* at: by row, 1 + the namesake that it is. */
static void read_parents(const hm_snapshot *s, namesake *v, const uint32_t *at) {
  for (size_t i = s->first[HM_RELATION]; i < s->first[HM_RELATION + 1]; i++) {
    bool of_parent = hm_relation_type_is(s->rows[i].type, "PARENT_OF");
    if (s->rows[i].status != HM_ACTIVE ||
        (!of_parent && !hm_relation_type_is(s->rows[i].type, "CHILD_OF")))
      continue;
    uint32_t from = hm_snapshot_named(s, (uint32_t)i, HM_NAMES_FROM);
    uint32_t to = hm_snapshot_named(s, (uint32_t)i, HM_NAMES_TO);
    uint32_t parent = of_parent ? from : to, child = of_parent ? to : from;
    if (child == HM_MAP_NONE || !at[child] || parent == HM_MAP_NONE)
      continue;
    namesake *of = &v[at[child] - 1];
    if (of->n_parents < PARENTS_MAX)
      of->parents[of->n_parents++] = parent;
  }
}

/* --- things ---------------------------------------------------------------------- */

/* Numbers the things of n rows of one name. */
static void number_things(const hm_snapshot *s, const hm_existences *lives, const namesake *v,
                          size_t n, row_thing *out, hm_arena *scratch) {
  bool apart[NAMESAKES_MAX][NAMESAKES_MAX], torn[NAMESAKES_MAX];
  for (size_t i = 0; i < n; i++)
    out[i] = (row_thing){ v[i].row, v[i].row + 1 };
  if (n > NAMESAKES_MAX)
    return;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k <= i; k++)
      apart[i][k] = apart[k][i] = i != k && are_apart(s, lives, &v[i], &v[k], scratch);
  for (size_t i = 0; i < n; i++) {
    torn[i] = false;
    for (size_t j = 0; j < n && !torn[i]; j++)
      for (size_t k = 0; k < j && !torn[i]; k++)
        torn[i] = !apart[i][j] && !apart[i][k] && apart[j][k];
  }
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++)
      if (!apart[i][k] && !torn[i] && !torn[k] && out[k].thing < out[i].thing)
        out[i].thing = out[k].thing;
}

const hm_things *hm_things_build(const hm_snapshot *snap, const hm_existences *lives, hm_arena *a) {
  size_t n;
  if (!snap->n_sources)
    return NULL;
  hm_arena *scratch = hm_arena_new();
  namesake *v = list_namesakes(snap, scratch, &n);
  uint32_t *at = hm_alloc_array(scratch, snap->n_rows, sizeof *at);
  hm_things *t = hm_alloc(a, sizeof *t);
  *t = (hm_things){ hm_alloc_array(a, n + 1, sizeof *t->of), n };
  for (size_t i = 0; i < n; i++)
    at[v[i].row] = (uint32_t)i + 1;
  read_parents(snap, v, at);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && hm_str_eq(v[end].key, v[i].key);)
      end++;
    number_things(snap, lives, v + i, end - i, t->of + i, scratch);
  }
  if (n)
    qsort(t->of, n, sizeof *t->of, hm_order_u32);
  hm_arena_free(scratch);
  return t;
}

uint32_t hm_thing_of_row(const hm_things *t, const hm_snapshot *snap, uint32_t row) {
  size_t lo = t ? hm_lower_bound(t->of, t->n, sizeof *t->of, &row, hm_order_u32) : 0;
  if (t && lo < t->n && t->of[lo].row == row)
    return t->of[lo].thing;
  return is_made_id(snap->rows[row].id) ? 0 : row + 1;
}
