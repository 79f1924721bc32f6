/* Supersessions that lead nowhere.
 *
 * That one row takes the place of another is said in its column superseded_by, by a relation
 * SUPERSEDES or SUPERSEDED_BY, by a link `supersedes`, or by a property of an entity; and the
 * status says it again. Nobody keeps them alike. A finding tells of a row that is active although
 * it has a successor a row that is superseded and names no successor one all of whose successors
 * are candidates or invalid, or in a property not stored one with two active successors an active
 * row that needs one that is superseded Circles, and columns, relations and links that name
 * nothing, have rules of their own. Cost: O(n log n) in rows, relations and links; the properties
 * of entities that may say one are parsed. */
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/detect/rule.h"
#include "core/base/sort.h"

enum { NAME_SHOWN = 80, TOGETHER = 20 };

/* One saying that older was superseded. */
typedef struct {
  uint32_t older, newer; /* newer: HM_MAP_NONE: not stored */
  hm_str named;          /* as it is said */
  const char *by;        /* "its superseded_by", "a link" */
} succession;

typedef struct {
  const hm_scope *s;
  succession *v;
  size_t n, cap;
} succession_list;

static void add(succession_list *l, uint32_t older, uint32_t newer, hm_str named, const char *by) {
  if (older == HM_MAP_NONE)
    return;
  l->v = hm_array_grow_in(l->s->scratch, l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = (succession){ older, newer, named, by };
}

/* --- what says it ------------------------------------------------------------------ */

/* A property that names the other row, or several. */
static void add_property(succession_list *l, uint32_t row, const hm_json *v, bool of_older) {
  for (const hm_json *e = v->type == HM_JSON_ARRAY ? v->child : v; e; e = e->next) {
    hm_str named = hm_str_trim(e->text);
    uint32_t other = hm_snapshot_ref(l->s->snap, HM_ENTITY, named);
    if (e->type == HM_JSON_STRING && named.n && of_older)
      add(l, row, other, named, "its property");
    else if (e->type == HM_JSON_STRING && named.n)
      add(l, other, row, named, "a property");
    if (v->type != HM_JSON_ARRAY)
      return;
  }
}

/* May a property of these names be in the text? Each has one of these parts; a key of other signs
 * may be folded to one. Parsing takes longer. */
static bool may_name_another(hm_str props) {
  static const char *const parts[] = { "place", "succeed", "supersede" };
  for (size_t i = 0; i < props.n; i++) {
    if (props.p[i] == '\\' || props.p[i] & 0x80)
      return true;
    for (size_t k = 0, n = 0; k < HM_COUNT(parts); k++, n = 0) {
      while (parts[k][n] && i + n < props.n && hm_ascii_lower(props.p[i + n]) == parts[k][n])
        n++;
      if (!parts[k][n])
        return true;
    }
  }
  return false;
}

static void read_properties(succession_list *l, uint32_t row) {
  static const struct {
    const char *name;
    bool of_older;
  } words[] = { { "replaced_by", true },
                { "replaces", false },
                { "succeeded_by", true },
                { "superseded_by", true },
                { "supersedes", false } };
  const hm_row *r = &l->s->snap->rows[row];
  if (!may_name_another(r->props))
    return;
  const hm_json *object = hm_json_parse_as(l->s->scratch, hm_str_trim(r->props), HM_JSON_OBJECT);
  for (const hm_json *p = object ? object->child : NULL; p; p = p->next) {
    hm_str name = hm_text_refold_name(l->s->scratch, p->key);
    for (size_t i = 0; i < HM_COUNT(words); i++)
      if (hm_str_is(name, words[i].name))
        add_property(l, row, p, words[i].of_older);
  }
}

static void read_relation(succession_list *l, uint32_t row) {
  const hm_snapshot *snap = l->s->snap;
  const hm_row *r = &snap->rows[row];
  bool forward = hm_relation_type_is(r->type, "SUPERSEDES");
  if (r->status != HM_ACTIVE || (!forward && !hm_relation_type_is(r->type, "SUPERSEDED_BY")))
    return;
  uint32_t from = hm_snapshot_named(snap, row, HM_NAMES_FROM);
  uint32_t to = hm_snapshot_named(snap, row, HM_NAMES_TO);
  if (from != HM_MAP_NONE && to != HM_MAP_NONE)
    add(l, forward ? to : from, forward ? from : to, HM_EMPTY, "a relation");
}

static void read_all(succession_list *l) {
  const hm_snapshot *snap = l->s->snap;
  for (uint32_t i = 0; i < snap->n_rows; i++) {
    const hm_row *r = &snap->rows[i];
    if (r->superseded_by.n)
      add(l, i, hm_snapshot_named(snap, i, HM_NAMES_SUPERSEDED_BY), r->superseded_by,
          "its superseded_by");
    if (r->layer == HM_ENTITY)
      read_properties(l, i);
    if (r->layer == HM_RELATION)
      read_relation(l, i);
  }
  for (size_t i = 0; i < snap->n_links; i++) {
    const hm_link *k = &snap->links[i];
    uint32_t src = hm_snapshot_ref(snap, HM_MEMORY, k->src);
    uint32_t dst = hm_snapshot_ref(snap, HM_MEMORY, k->dst);
    if (hm_str_is(k->rel, "supersedes") && src != HM_MAP_NONE)
      add(l, dst, src, HM_EMPTY, "a link");
  }
  if (l->n)
    qsort(l->v, l->n, sizeof *l->v, hm_order_u32_pair);
}

static bool is_column(const succession *v) {
  return hm_str_is(hm_str_c(v->by), "its superseded_by");
}

/* --- what is told ---------------------------------------------------------------- */

static hm_str row_words(const hm_snapshot *snap, uint32_t row, hm_arena *a) {
  const hm_row *r = &snap->rows[row];
  hm_str ref = hm_row_ref(a, r), name = hm_text_cut(hm_text_repair(a, r->name), NAME_SHOWN);
  return name.n ? HM_CAT(a, ref, HM_STR(" ("), name, HM_STR(")")) : ref;
}

/* rows: the first is what the finding is about; HM_MAP_NONE ends them. */
static void tell(const hm_scope *s, hm_found *out, const uint32_t *rows, size_t n, const char *key,
                 hm_str message) {
  hm_arena *a = hm_found_arena(out);
  hm_finding f = { .project = s->snap->projects[s->snap->rows[rows[0]].project].id,
                   .rows = hm_alloc_array(a, n, sizeof *f.rows),
                   .key = hm_str_c(key),
                   .message = message };
  for (size_t i = 0; i < n; i++)
    if (rows[i] != HM_MAP_NONE)
      f.rows[f.n_rows++] = hm_row_ref(a, &s->snap->rows[rows[i]]);
  hm_found_add_finding(out, f);
}

static void tell_active(const hm_scope *s, hm_found *out, const succession *v) {
  hm_arena *a = hm_found_arena(out);
  hm_str newer = v->newer != HM_MAP_NONE ? row_words(s->snap, v->newer, a)
                                         : hm_text_cut(hm_text_repair(a, v->named), NAME_SHOWN);
  tell(s, out, (uint32_t[]){ v->older, v->newer }, 2, "active",
       HM_CAT(a, row_words(s->snap, v->older, a), HM_STR(" is active, and by "), hm_str_c(v->by),
              HM_STR(" superseded by "), newer));
}

/* Both were in their sources, one after the other, and neither is: a line that was reworded, and
 * later deleted. */
static bool is_past(const hm_snapshot *snap, uint32_t older, uint32_t newer) {
  return hm_snapshot_is_gone(snap, older) && hm_snapshot_is_gone(snap, newer);
}

/* Of one superseded row. */
static void tell_superseded(const hm_scope *s, hm_found *out, const succession *v, size_t n) {
  hm_arena *a = hm_found_arena(out);
  const hm_row *rows = s->snap->rows;
  uint32_t active[2] = { HM_MAP_NONE, HM_MAP_NONE };
  size_t n_active = 0;
  bool leads = false;
  hm_str older = row_words(s->snap, v->older, a);
  for (size_t i = 0; i < n; i++) {
    if (v[i].newer == HM_MAP_NONE || (i && v[i].newer == v[i - 1].newer))
      continue;
    hm_status is = rows[v[i].newer].status;
    leads = leads || (is != HM_CANDIDATE && is != HM_INVALID) ||
        (is == HM_INVALID && is_past(s->snap, v->older, v[i].newer));
    if (is == HM_ACTIVE && n_active < 2)
      active[n_active++] = v[i].newer;
  }
  if (n_active > 1)
    tell(s, out, (uint32_t[]){ v->older, active[0], active[1] }, 3, "two",
         HM_CAT(a, older, HM_STR(" has two active successors: "), row_words(s->snap, active[0], a),
                HM_STR(" and "), row_words(s->snap, active[1], a)));
  for (size_t i = 0; i < n && !leads; i++) {
    bool stored = v[i].newer != HM_MAP_NONE;
    if (!stored && is_column(&v[i]))
      continue; /* a dangling column has a rule of its own */
    hm_str is = stored ? hm_str_c(hm_status_name(rows[v[i].newer].status)) : HM_STR("not stored");
    hm_str newer = stored ? row_words(s->snap, v[i].newer, a)
                          : hm_text_cut(hm_text_repair(a, v[i].named), NAME_SHOWN);
    tell(s, out, (uint32_t[]){ v->older, v[i].newer }, 2, "nowhere",
         HM_CAT(a, older, HM_STR(" is superseded by "), newer, HM_STR(", which is "), is));
    return;
  }
}

/* Rows of one project and layer that name no successor; many as one. */
static void tell_unnamed(const hm_scope *s, hm_found *out, const uint32_t *rows, size_t n) {
  static const char *const words[] = { [HM_MEMORY] = "memories",
                                       [HM_ENTITY] = "entities",
                                       [HM_STATE] = "curated values",
                                       [HM_RELATION] = "relations" };
  hm_arena *a = hm_found_arena(out);
  if (n >= TOGETHER)
    tell(s, out, rows, n, "unnamed",
         hm_str_fmt(a, "%zu superseded %s name no successor", n,
                    words[s->snap->rows[rows[0]].layer]));
  for (size_t i = 0; i < n && n < TOGETHER; i++)
    tell(
        s, out, &rows[i], 1, "unnamed",
        HM_CAT(a, row_words(s->snap, rows[i], a), HM_STR(" is superseded and names no successor")));
}

static int by_kind(const void *x, const void *y, void *ctx) {
  const uint32_t *a = x, *b = y;
  const hm_row *p = &((const hm_row *)ctx)[*a], *q = &((const hm_row *)ctx)[*b];
  if (p->project != q->project)
    return p->project < q->project ? -1 : 1;
  if (p->layer != q->layer)
    return p->layer < q->layer ? -1 : 1;
  return (*a > *b) - (*a < *b);
}

static void find_unnamed(const hm_scope *s, hm_found *out, const succession_list *l) {
  const hm_row *rows = s->snap->rows;
  uint32_t *v = hm_alloc_array(s->scratch, s->snap->n_rows, sizeof *v);
  size_t n = 0, k = 0;
  for (uint32_t i = 0; i < s->snap->n_rows; i++) {
    while (k < l->n && l->v[k].older < i)
      k++;
    if (rows[i].status == HM_SUPERSEDED && (k == l->n || l->v[k].older != i))
      v[n++] = i;
  }
  if (n)
    qsort_r(v, n, sizeof *v, by_kind, (void *)rows);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && rows[v[end]].project == rows[v[i]].project &&
         rows[v[end]].layer == rows[v[i]].layer;)
      end++;
    tell_unnamed(s, out, v + i, end - i);
  }
}

/* An active row that needs one that is superseded. */
static void find_dependents(const hm_scope *s, hm_found *out) {
  static const char *const needs[] = { "REQUIRES", "DEPENDS_ON", "BASED_ON", "RESTS_ON",
                                       "ASSUMES" };
  hm_arena *a = hm_found_arena(out);
  const hm_snapshot *snap = s->snap;
  for (size_t i = snap->first[HM_RELATION]; i < snap->first[HM_RELATION + 1]; i++) {
    const hm_row *r = &snap->rows[i];
    bool needed = false;
    for (size_t k = 0; k < HM_COUNT(needs) && r->status == HM_ACTIVE && !needed; k++)
      needed = hm_relation_type_is(r->type, needs[k]);
    uint32_t from = needed ? hm_snapshot_named(snap, (uint32_t)i, HM_NAMES_FROM) : HM_MAP_NONE;
    uint32_t to = needed ? hm_snapshot_named(snap, (uint32_t)i, HM_NAMES_TO) : HM_MAP_NONE;
    if (from == HM_MAP_NONE || to == HM_MAP_NONE || snap->rows[from].status != HM_ACTIVE ||
        snap->rows[to].status != HM_SUPERSEDED)
      continue;
    tell(s, out, (uint32_t[]){ from, to, (uint32_t)i }, 3, "dependent",
         HM_CAT(a, row_words(snap, from, a), HM_STR(" "), hm_text_cut(r->type, NAME_SHOWN),
                HM_STR(" "), row_words(snap, to, a), HM_STR(", which is superseded")));
  }
}

void hm_find_lost_supersessions(const hm_scope *s, hm_found *out) {
  succession_list l = { .s = s };
  read_all(&l);
  for (size_t i = 0, end; i < l.n; i = end) {
    for (end = i + 1; end < l.n && l.v[end].older == l.v[i].older;)
      end++;
    hm_status is = s->snap->rows[l.v[i].older].status;
    if (is == HM_SUPERSEDED)
      tell_superseded(s, out, l.v + i, end - i);
    for (size_t k = i; k < end && is == HM_ACTIVE; k++) {
      uint32_t newer = l.v[k].newer;
      bool again = k > i && newer == l.v[k - 1].newer, column = is_column(&l.v[k]);
      bool lost = newer == HM_MAP_NONE ? column : newer == l.v[k].older;
      bool by_other = newer != HM_MAP_NONE && !column && s->snap->rows[newer].status != HM_ACTIVE;
      if (!again && !lost && !by_other)
        tell_active(s, out, &l.v[k]);
    }
  }
  find_unnamed(s, out, &l);
  find_dependents(s, out);
}

/* --- records of decisions -----------------------------------------------------------------------
 */

/* What an import of a folder of records found stands in "record_faults" (core/notes). */
void hm_find_record_faults(const hm_scope *s, hm_found *out) {
  const hm_row *r = &s->snap->rows[s->rows[0]];
  hm_arena *a = hm_found_arena(out);
  hm_str *faults;
  if (hm_str_find(r->props, "record_faults") < 0)
    return;
  const hm_json *object = hm_json_parse_as(s->scratch, r->props, HM_JSON_OBJECT);
  size_t n = object ? hm_json_texts(hm_json_get(object, "record_faults"), a, &faults) : 0;
  for (size_t i = 0; i < n; i++) {
    hm_str fault = hm_text_repair(a, faults[i]);
    tell(s, out, (const uint32_t[]){ s->rows[0] }, 1, hm_str_z(a, fault),
         HM_CAT(a, row_words(s->snap, s->rows[0], a), HM_STR(": "), fault));
  }
}
