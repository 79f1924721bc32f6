/* Permalinks of rows: the page that lists a row, and its anchor there.
 *
 * A row's anchor is a word for its layer and its id. Nearly every id can be used unchanged; rows
 * with other ids have their anchors in a list. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "view_private.h"

enum { ANCHOR_DIGITS = 16 };

static const char *const prefixes[] = { [HM_MEMORY] = "memory-",
                                        [HM_ENTITY] = "entity-",
                                        [HM_STATE] = "state-",
                                        [HM_RELATION] = "relation-" };

static bool ends_in_digest(hm_str s) {
  if (s.n < ANCHOR_DIGITS + 1 || s.p[s.n - ANCHOR_DIGITS - 1] != '-')
    return false;
  for (size_t i = s.n - ANCHOR_DIGITS; i < s.n; i++)
    if (!hm_is_hex(s.p[i]) || hm_is_upper(s.p[i]))
      return false;
  return true;
}

/* An id that looks like a permalink with a digest gets a digest of its own: so ids can never meet
 * there. */
bool hm_is_plain_id(hm_str id) { return hm_is_slug(id) && !ends_in_digest(id); }

static hm_str folded_anchor(const hm_view *v, const hm_row *r, hm_map *folded, uint32_t row,
                            hm_arena *a) {
  hm_str slug = hm_text_slug(a, r->id);
  bool taken = ends_in_digest(slug) || hm_snapshot_row(v->snap, r->layer, slug) != HM_NONE ||
      hm_map_get(folded, slug) != row;
  return taken ? hm_slug_with_digits(a, slug, r->id, ANCHOR_DIGITS) : slug;
}

static hm_str anchor_text(hm_layer layer, hm_str id, hm_arena *a) {
  hm_str parts[] = { hm_str_c(prefixes[layer]), id };
  return hm_str_join(a, parts, 2);
}

static void add_odd(hm_view *v, uint32_t row) {
  if (v->n_odd == v->cap_odd) {
    v->cap_odd = v->cap_odd ? 2 * v->cap_odd : 256;
    hm_odd_anchor *more = hm_alloc_array(v->a, v->cap_odd, sizeof *more);
    if (v->n_odd)
      memcpy(more, v->odd, v->n_odd * sizeof *more);
    v->odd = more;
  }
  v->odd[v->n_odd++] = (hm_odd_anchor){ row, HM_EMPTY };
}

/* Makes the anchors of one layer, from odd[from] on. */
static void layer_anchors(hm_view *v, uint32_t from) {
  const hm_row *rows = v->snap->rows;
  hm_arena *tmp = hm_arena_new();
  hm_map folded;
  hm_map_init(&folded, tmp, v->n_odd - from);
  for (uint32_t i = from; i < v->n_odd; i++) {
    uint32_t row = v->odd[i].row;
    hm_str slug = hm_text_slug(tmp, rows[row].id);
    /* Ids that fold together are nobody's. */
    if (hm_map_add(&folded, slug, row) != row)
      hm_map_set(&folded, slug, HM_NONE - 1);
  }
  for (uint32_t i = from; i < v->n_odd; i++) {
    const hm_row *r = &rows[v->odd[i].row];
    v->odd[i].anchor =
        anchor_text(r->layer, folded_anchor(v, r, &folded, v->odd[i].row, tmp), v->a);
  }
  hm_arena_free(tmp);
}

void hm_view_build_anchors(hm_view *v) {
  const hm_snapshot *s = v->snap;
  for (int layer = HM_MEMORY; v->n_odd_ids && layer <= HM_RELATION; layer++) {
    uint32_t from = v->n_odd;
    for (size_t i = s->first[layer]; i < s->first[layer + 1]; i++)
      if (v->rows[i].odd_id && !v->hidden[i])
        add_odd(v, (uint32_t)i);
    if (v->n_odd > from)
      layer_anchors(v, from);
  }
}

static int by_row(const void *key, const void *odd) {
  uint32_t x = *(const uint32_t *)key, y = ((const hm_odd_anchor *)odd)->row;
  return (x > y) - (x < y);
}

/* The anchor of a row whose id is not plain; else empty. */
static hm_str odd_anchor(const hm_view *v, uint32_t row) {
  const hm_odd_anchor *o =
      v->n_odd ? bsearch(&row, v->odd, v->n_odd, sizeof *v->odd, by_row) : NULL;
  return o ? o->anchor : HM_EMPTY;
}

hm_str hm_view_anchor(const hm_view *v, uint32_t row, hm_arena *a) {
  if (!hm_view_listed(v, row))
    return HM_EMPTY;
  hm_str odd = odd_anchor(v, row);
  return odd.n ? odd : anchor_text(v->snap->rows[row].layer, v->snap->rows[row].id, a);
}

hm_str hm_view_find_row_page(const hm_view *v, uint32_t row, hm_arena *a, hm_str *anchor) {
  *anchor = hm_view_anchor(v, row, a);
  return hm_view_listed(v, row) ? v->parts[v->part_of[row]].path : HM_EMPTY;
}
