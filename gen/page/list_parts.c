/* Long lists of conflicts and of projects, cut by the beginning of their titles or by date. */
#include <stdlib.h>
#include <string.h>

#include "core/base/time.h"
#include "model.h"

typedef struct { hm_str year, key; uint32_t conflict; } keyed;

static hm_str join_key(hm_arena *a, hm_str head, hm_str id) {
  char *p = hm_alloc(a, head.n + 1 + id.n + 1);
  memcpy(p, head.p, head.n);
  memcpy(p + head.n + 1, id.p, id.n);
  return (hm_str){ p, head.n + 1 + id.n };
}

static int by_key(const void *x, const void *y) {
  const keyed *a = x, *b = y;
  int c = hm_str_cmp(a->year, b->year);
  return c ? c : hm_str_cmp(a->key, b->key);
}

/* They come by their slots, which is often the same. */
static void sort(keyed *k, uint32_t n) {
  uint32_t i = 1;
  while (i < n && by_key(&k[i - 1], &k[i]) < 0) i++;
  if (i < n) qsort(k, n, sizeof *k, by_key);
}

/* --- bytes of an item ------------------------------------------------------- */

enum { ITEM_BYTES = 500, VALUES = 6, VALUE_BYTES = 80, ROW_BYTES = 400 };

static size_t conflict_bytes(const hm_vconflict *c) {
  const hm_conflict_rec *r = c->rec;
  size_t n = c->dispute ? c->dispute->n : r->n_members, shown = 0;
  size_t all = ITEM_BYTES + hm_page_bytes(c->title) + hm_page_bytes(hm_str_sub(r->resolved_by, 0, 120)) +
               hm_page_bytes(hm_str_sub(r->resolution, 0, 400));
  hm_str last = HM_EMPTY;
  for (size_t i = 0; i < n && shown < VALUES; i++) {
    hm_str value = c->dispute ? c->dispute->parties[i].claim->value.raw : r->members[i].value;
    if (hm_str_eq(value, last)) continue;
    all += 8 + hm_page_bytes(hm_str_sub(value, 0, VALUE_BYTES));
    last = value;
    shown++;
  }
  size_t gave_way = hm_is_settled(c) && r->winner.n ? r->n_members : 0;
  return all + (gave_way < HM_REFS ? gave_way : HM_REFS) * ROW_BYTES;
}

typedef struct { const hm_view *v; const keyed *k; } sorted;

static bool conflicts_are_long(const void *list, uint32_t from, uint32_t to) {
  const sorted *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to; i++) all += conflict_bytes(&s->v->conflicts[s->k[i].conflict]);
  return all > HM_PART_BYTES;
}

static bool projects_are_long(const void *list, uint32_t from, uint32_t to) {
  const sorted *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to; i++) {
    const hm_vproject *p = &s->v->projects[s->k[i].conflict];
    all += ITEM_BYTES + hm_page_bytes(hm_str_sub(p->label, 0, 120)) +
           hm_page_bytes(hm_str_sub(s->v->snap->projects[p->snap].id, 0, 120));
  }
  return all > HM_PART_BYTES;
}

/* Parts of sorted conflicts k[from..to), in files of `folder`. */
static void cut(const hm_view *v, hm_arena *a, const keyed *k, uint32_t from, uint32_t to,
                hm_split_kind kind, hm_is_long_fn *is_long, const char *folder, hm_clist *out) {
  static const char *const reserved[] = { "readme", "index", NULL };
  hm_piece *pieces;
  hm_str *keys = hm_alloc_array(a, to - from + 1, sizeof *keys);
  for (uint32_t i = from; i < to; i++) keys[i - from] = k[i].key;
  hm_split(keys, to - from, v->opt.list_limit, is_long, &(sorted){ v, k + from }, kind, a, &pieces, &out->n);
  hm_named *names = hm_alloc_array(a, out->n + 1, sizeof *names);
  for (uint32_t i = 0; i < out->n; i++)
    names[i] = (hm_named){ .name = hm_piece_stem(a, &pieces[i]),
                           .id = hm_piece_key(a, HM_EMPTY, &pieces[i]) };
  if (out->n > 1) hm_slugs(names, out->n, reserved, a);
  out->parts = hm_alloc_array(a, out->n + 1, sizeof *out->parts);
  for (uint32_t i = 0; i < out->n; i++) {
    out->parts[i] =
        (hm_cpart){ .from = from + pieces[i].from, .to = from + pieces[i].to, .path = out->path };
    if (out->n == 1) continue;
    out->parts[i].label = hm_piece_label(a, &pieces[i]);
    out->parts[i].path = hm_str_fmt(a, "%s%.*s.md", folder, HM_FMT(names[i].slug));
  }
}

static const uint32_t *order_of(const keyed *k, uint32_t n, hm_arena *a) {
  uint32_t *order = hm_alloc_array(a, n + 1, sizeof *order);
  for (uint32_t i = 0; i < n; i++) order[i] = k[i].conflict;
  return order;
}

hm_clist *hm_open_list(const hm_view *v, hm_arena *a) {
  keyed *k = hm_alloc_array(a, v->n_conflicts + 1, sizeof *k);
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_vconflict *c = &v->conflicts[i];
    if (c->rec->status == HM_OPEN) k[n++] = (keyed){ HM_EMPTY, c->list_key, i };
  }
  sort(k, n);
  hm_clist *list = hm_alloc(a, sizeof *list);
  *list = (hm_clist){ .path = HM_STR("conflicts/README.md"), .order = order_of(k, n, a) };
  cut(v, a, k, 0, n, HM_SPLIT_NAME, conflicts_are_long, "conflicts/open/", list);
  return list;
}

/* Projects are sorted already, by the same key. */
hm_clist *hm_project_list(const hm_view *v, hm_arena *a) {
  keyed *k = hm_alloc_array(a, v->n_projects + 1, sizeof *k);
  for (uint32_t i = 0; i < v->n_projects; i++)
    k[i] = (keyed){ HM_EMPTY, v->projects[i].list_key, i };
  hm_clist *list = hm_alloc(a, sizeof *list);
  *list = (hm_clist){ .path = HM_STR("README.md"), .order = order_of(k, v->n_projects, a) };
  cut(v, a, k, 0, v->n_projects, HM_SPLIT_NAME, projects_are_long, "projects/", list);
  return list;
}

static keyed dated(const hm_view *v, uint32_t i, hm_arena *a) {
  hm_time t;
  hm_precision p;
  const hm_conflict_rec *r = v->conflicts[i].rec;
  if (!hm_time_parse(r->resolved_at, &t, &p))
    return (keyed){ HM_STR("undated"), join_key(a, HM_EMPTY, r->id), i };
  return (keyed){ hm_str_fmt(a, "%04d", hm_time_year(t)), join_key(a, hm_time_iso(a, t), r->id),
                  i };
}

hm_clist *hm_archive_lists(const hm_view *v, hm_arena *a, uint32_t *n_lists) {
  keyed *k = hm_alloc_array(a, v->n_conflicts + 1, sizeof *k);
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    if (hm_is_settled(&v->conflicts[i])) k[n++] = dated(v, i, a);
  sort(k, n);
  const uint32_t *order = order_of(k, n, a);
  hm_clist *lists = hm_alloc_array(a, n + 1, sizeof *lists);
  *n_lists = 0;
  for (uint32_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && hm_str_eq(k[from].year, k[to].year); to++) continue;
    hm_clist *list = &lists[(*n_lists)++];
    hm_split_kind kind = hm_str_is(k[from].year, "undated") ? HM_SPLIT_NAME : HM_SPLIT_TIME;
    *list = (hm_clist){ .path = hm_str_fmt(a, "conflicts/archive/%.*s.md", HM_FMT(k[from].year)),
                        .year = k[from].year,
                        .order = order };
    cut(v, a, k, from, to, kind, conflicts_are_long, "conflicts/archive/", list);
  }
  return lists;
}
