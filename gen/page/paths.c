/* File names and links: letters, digits and '-' only, for any facts; and permalinks of rows.
 *
 * A file is named after the folded name; when that is taken, a digest of the id is added. Of names
 * that fold alike the one that came first keeps the name, so a published address stays with its
 * row: "cafe" does not take the page of "Cafe". A row's permalink is the page that lists it, and
 * its anchor there: a word for its layer and its id. Nearly every id can be used unchanged; rows
 * with other ids have their anchors in a list. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "view_private.h"

enum { SHORT_DIGITS = 8, STAGES = 3, FEW = 16 };

/* Which may stand in a slug. */
static const bool slug_char[256] = { ['a' ... 'z'] = true, ['0' ... '9'] = true, ['-'] = true };

bool hm_is_slug(hm_str s) {
  if (s.n == 0 || s.n > HM_SLUG_CHARS || s.p[0] == '-' || s.p[s.n - 1] == '-')
    return false;
  for (size_t i = 0; i < s.n; i++)
    if (!slug_char[(unsigned char)s.p[i]] || (s.p[i] == '-' && s.p[i - 1] == '-'))
      return false;
  return true;
}

/* stem, cut when too long, then '-' and digits of a digest of `of`. */
static hm_str slug_with_digits(hm_arena *a, hm_str stem, hm_str of, int digits) {
  return HM_CAT(a, hm_slug_with_room(stem, (size_t)digits), HM_STR("-"),
                hm_str_digest_hex(a, of, digits));
}

/* 0: the folded name. 1: with a digest of the id. 2: the digest alone, which no two ids share. */
static hm_str slug_at(hm_arena *a, const hm_named *e, hm_slug_script script) {
  hm_str stem = hm_text_slug(a, e->name.n ? e->name : e->id, script);
  if (e->stage == 0)
    return stem;
  if (e->stage == 1)
    return slug_with_digits(a, stem, e->id, SHORT_DIGITS);
  return hm_str_digest_hex(a, e->id, HM_SLUG_CHARS);
}

static bool is_reserved(hm_str s, const char *const *reserved) {
  for (; reserved && *reserved; reserved++)
    if (hm_str_is(s, *reserved))
      return true;
  return false;
}

/* Of names without an order one that is its own slug keeps it when others only fold to it, so that
 * their coming moves nothing. */
static bool has_plain_slug(const hm_named *e) {
  return e->stage == 0 && !e->order.n && hm_str_eq(e->slug, e->name.n ? e->name : e->id);
}

/* keeper: 1 + the one that came first, among those with an order; 0: none. */
typedef struct {
  uint32_t first, count, keepers, keeper;
} clash;

static uint32_t first_alike(const hm_named *names, uint32_t i) {
  uint32_t first = 0;
  while (!hm_str_eq(names[first].folded, names[i].folded))
    first++;
  return first;
}

/* Who has whose name: clash of i is c[c[i].first]. Nearly all folders have a handful of files, for
 * which a map is too much. */
static void find_clashes(const hm_named *names, size_t n, clash *c, hm_arena *a) {
  hm_map at;
  if (n > FEW)
    hm_map_init(&at, a, n);
  for (uint32_t i = 0; i < n; i++) {
    c[i] =
        (clash){ .first = n > FEW ? hm_map_add(&at, names[i].folded, i) : first_alike(names, i) };
    c[c[i].first].count++;
    clash *of = &c[c[i].first];
    of->keepers += has_plain_slug(&names[i]);
    bool may_keep = names[i].order.n && names[i].stage == 0;
    if (may_keep && (!of->keeper || hm_str_cmp(names[i].order, names[of->keeper - 1].order) < 0))
      of->keeper = i + 1;
  }
}

static void name_it(hm_named *e, hm_slug_script script, hm_arena *a) {
  e->slug = slug_at(a, e, script);
  e->folded = hm_slug_fold(a, e->slug);
}

/* Raises every name that clashes. False: none did. */
static bool resolve_clashes(hm_named *names, size_t n, const char *const *reserved,
                            hm_slug_script script, hm_arena *a) {
  hm_arena *tmp = n > FEW ? hm_arena_new() : NULL;
  clash few[FEW] = { 0 }, *all = tmp ? hm_alloc_array(tmp, n, sizeof *all) : few;
  find_clashes(names, n, all, tmp);
  bool raised = false;
  for (size_t i = 0; i < n; i++) {
    const clash *c = &all[all[i].first];
    bool taken = is_reserved(names[i].folded, reserved);
    bool keeps = c->keeper ? c->keeper == i + 1 : c->keepers == 1 && has_plain_slug(&names[i]);
    if (!taken && (c->count == 1 || keeps))
      continue;
    if (names[i].stage == STAGES - 1)
      continue;
    names[i].stage++;
    name_it(&names[i], script, a);
    raised = true;
  }
  hm_arena_free(tmp);
  return raised;
}

/* Each round raises a name that clashed, and no name more than twice; whole digests of different
 * ids differ, so the rounds end, in practice after two. */
void hm_make_slugs(hm_named *names, size_t n, const char *const *reserved, hm_slug_script script,
                   hm_arena *a) {
  for (size_t i = 0; i < n; i++) {
    names[i].stage = 0;
    name_it(&names[i], script, a);
  }
  while (resolve_clashes(names, n, reserved, script, a))
    continue;
}

hm_str hm_address_order(hm_arena *a, hm_str came, hm_str created_at, hm_str id) {
  const hm_str parts[] = { came, HM_STR("\x1f"), created_at.n ? created_at : HM_STR("~"),
                           HM_STR("\x1f"), id };
  return hm_str_join(a, parts, HM_COUNT(parts));
}

hm_str hm_view_address_order(const hm_view *v, uint32_t row, hm_arena *a) {
  const hm_snapshot *s = v->snap;
  size_t lo = s->n_sources
      ? hm_lower_bound(s->sources, s->n_sources, sizeof *s->sources, &row, hm_order_u32)
      : 0;
  bool known = lo < s->n_sources && s->sources[lo].row == row;
  return hm_address_order(a, known ? s->sources[lo].came : HM_EMPTY, s->rows[row].created_at,
                          s->rows[row].id);
}

hm_str hm_path_to_root(hm_arena *a, hm_str path) {
  size_t depth = 0;
  for (size_t i = 0; i < path.n; i++)
    depth += path.p[i] == '/';
  char *p = hm_alloc(a, depth * 3 + 1);
  for (size_t i = 0; i < depth; i++)
    memcpy(p + 3 * i, "../", 3);
  return (hm_str){ p, depth * 3 };
}

/* Length of the folders that both paths begin with. */
static size_t common_folders(hm_str x, hm_str y) {
  size_t at = 0;
  for (size_t i = 0; i < x.n && i < y.n && x.p[i] == y.p[i]; i++)
    if (x.p[i] == '/')
      at = i + 1;
  return at;
}

hm_str hm_path_link(hm_arena *a, hm_str from, hm_str to, hm_str anchor) {
  hm_str hash = anchor.n ? HM_STR("#") : HM_EMPTY;
  if (anchor.n && hm_str_eq(from, to))
    return HM_CAT(a, hash, anchor);
  size_t at = common_folders(from, to);
  hm_str up = hm_path_to_root(a, hm_str_sub(from, at, from.n)),
         down = hm_path_as_url(a, hm_str_sub(to, at, to.n));
  return HM_CAT(a, up, down, hash, anchor);
}

hm_str hm_drawing_path(hm_arena *a, hm_str page) {
  return HM_CAT(a, hm_str_sub(page, 0, page.n - 3), HM_STR(".svg"));
}

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
  hm_str slug = hm_text_slug(a, r->id, HM_SLUG_ASCII);
  bool taken = ends_in_digest(slug) || hm_snapshot_row(v->snap, r->layer, slug) != HM_NONE ||
      hm_map_get(folded, slug) != row;
  return taken ? slug_with_digits(a, slug, r->id, ANCHOR_DIGITS) : slug;
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
    hm_str slug = hm_text_slug(tmp, rows[row].id, HM_SLUG_ASCII);
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

hm_str hm_view_anchor(const hm_view *v, uint32_t row, hm_arena *a) {
  if (!hm_view_listed(v, row))
    return HM_EMPTY;
  const hm_odd_anchor *odd =
      v->n_odd ? bsearch(&row, v->odd, v->n_odd, sizeof *v->odd, hm_order_u32) : NULL;
  if (odd && odd->anchor.n)
    return odd->anchor;
  return anchor_text(v->snap->rows[row].layer, v->snap->rows[row].id, a);
}

hm_str hm_view_find_row_page(const hm_view *v, uint32_t row, hm_arena *a, hm_str *anchor) {
  *anchor = hm_view_anchor(v, row, a);
  return hm_view_listed(v, row) ? v->parts[v->part_of[row]].path : HM_EMPTY;
}
