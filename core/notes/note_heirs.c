/* Rows of a document beside rows that an earlier version had: hm_notes_find_heirs.
 *
 * The headings of a gone row are not stored, but its id is a digest of them: those of the document
 * are tried. Cost: gone rows times headings, bounded by TRIES digests. */
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

enum { DIGEST_DIGITS = 16 };

hm_str note_row_key(hm_str path, hm_str headings, hm_str text, hm_arena *a) {
  return HM_CAT(a, path, HM_STR("\n"), headings, HM_STR("\n"), hm_text_fold_value(a, text));
}

hm_str note_row_id(hm_str key, uint32_t number, hm_arena *a) {
  if (number > 1)
    key = hm_str_fmt(a, "%.*s\n%u", HM_FMT(key), number);
  return HM_CAT(a, HM_STR("m-"), hm_str_digest_hex(a, key, DIGEST_DIGITS));
}

bool hm_notes_is_line(hm_str id, hm_str source) {
  if (id.n != DIGEST_DIGITS + 2 || !hm_str_starts(id, "m-"))
    return false;
  hm_tree_kind kind = hm_tree_kind_of(hm_tree_line_path(source));
  return kind == HM_TREE_NOTES || kind == HM_TREE_LIST;
}

hm_str hm_notes_row_id(const hm_notes_row *r, hm_str path, hm_arena *a) {
  return note_row_id(note_row_key(path, r->headings, r->text, a), r->number, a);
}

/* "port" of "Port: 80", "port | 80", "PORT=80"; else the slot that it claims; or empty. */
static hm_str key_of(const hm_notes_row *r, hm_arena *a) {
  enum { LONGEST = 40 };
  ptrdiff_t at = hm_str_find(r->rule, " = ");
  if (at > 0)
    return hm_text_fold_name(a, hm_str_sub(r->rule, 0, (size_t)at));
  for (size_t i = 0; i < r->text.n && i <= LONGEST; i++)
    if (strchr(":|=", r->text.p[i]))
      return hm_text_fold_name(a, hm_str_trim(hm_str_sub(r->text, 0, i)));
  return HM_EMPTY;
}

enum { NOT_ONE = UINT32_MAX - 1 };

/* The rows of one group, if there is one of each side. */
typedef struct {
  uint32_t gone, fresh; /* UINT32_MAX: none; NOT_ONE: several */
} group;

typedef struct {
  const hm_notes_row *gone, *now;
  const bool *fresh;
  size_t n_gone, n_now;
  uint32_t *heirs;
  bool *taken;      /* new rows that are heirs */
  hm_str *headings; /* of gone rows; .p NULL: not known */
  hm_arena *a;
} heirs;

static void add_to_group(heirs *h, hm_map *groups, group **v, size_t *n, size_t *cap, hm_str key,
                         bool gone, uint32_t row) {
  uint32_t at = hm_map_add(groups, key, (uint32_t)*n);
  if (at == *n) {
    *v = hm_array_grow_in(h->a, *v, *n, cap, sizeof **v);
    (*v)[(*n)++] = (group){ UINT32_MAX, UINT32_MAX };
  }
  uint32_t *side = gone ? &(*v)[at].gone : &(*v)[at].fresh;
  *side = *side == UINT32_MAX ? row : NOT_ONE;
}

typedef hm_str name_group(const heirs *h, const hm_notes_row *r, hm_str headings);

/* Pairs the rows of each group that has one of each side. name: of a row's group; empty: none. */
static void pair_groups(heirs *h, name_group *name, bool by_headings) {
  hm_map groups;
  group *v = NULL;
  size_t n = 0, cap = 0;
  hm_map_init(&groups, h->a, h->n_gone + 8);
  for (size_t i = 0; i < h->n_gone; i++) {
    if (h->heirs[i] != UINT32_MAX || (by_headings && !h->headings[i].p))
      continue;
    hm_str key = name(h, &h->gone[i], h->headings[i]);
    if (key.n)
      add_to_group(h, &groups, &v, &n, &cap, key, true, (uint32_t)i);
  }
  for (size_t k = 0; k < h->n_now; k++) {
    if (!h->fresh[k] || h->taken[k])
      continue;
    hm_str key = name(h, &h->now[k], h->now[k].headings);
    if (key.n)
      add_to_group(h, &groups, &v, &n, &cap, key, false, (uint32_t)k);
  }
  for (size_t i = 0; i < n; i++) {
    if (v[i].gone >= NOT_ONE || v[i].fresh >= NOT_ONE)
      continue;
    h->heirs[v[i].gone] = v[i].fresh;
    h->taken[v[i].fresh] = true;
  }
}

static hm_str name_text(const heirs *h, const hm_notes_row *r, hm_str headings) {
  (void)headings;
  return hm_text_fold_value(h->a, r->text);
}

static hm_str name_key(const heirs *h, const hm_notes_row *r, hm_str headings) {
  hm_str key = key_of(r, h->a);
  return key.n ? HM_CAT(h->a, headings, HM_STR("\n"), key) : HM_EMPTY;
}

static hm_str name_headings(const heirs *h, const hm_notes_row *r, hm_str headings) {
  (void)r;
  return HM_CAT(h->a, HM_STR("\n"), headings);
}

/* Rows of the same text under the same headings, which have another path now. */
static void pair_same(heirs *h, hm_str path) {
  hm_map gone;
  hm_map_init(&gone, h->a, h->n_gone);
  for (size_t i = 0; i < h->n_gone; i++)
    hm_map_add(&gone, h->gone[i].id, (uint32_t)i);
  for (size_t k = 0; k < h->n_now; k++) {
    const hm_notes_row *r = &h->now[k];
    uint32_t at = hm_map_get(&gone, hm_notes_row_id(r, path, h->a));
    if (at == HM_MAP_NONE || !h->fresh[k])
      continue;
    h->heirs[at] = (uint32_t)k;
    h->taken[k] = true;
  }
}

static void find_headings(heirs *h, hm_str path) {
  enum { TRIES = 100000, NUMBERS = 3 };
  hm_map known;
  hm_arena *tmp = hm_arena_new();
  hm_str *list = hm_alloc_array(h->a, h->n_now + 1, sizeof *list);
  size_t n = 0, tries = 0;
  hm_map_init(&known, h->a, 64);
  for (size_t k = 0; k < h->n_now; k++)
    if (hm_map_add(&known, h->now[k].headings, (uint32_t)n) == n)
      list[n++] = h->now[k].headings;
  for (size_t i = 0; i < h->n_gone; i++)
    for (size_t k = 0; k < n && !h->headings[i].p && tries < TRIES; k++) {
      hm_arena_reset(tmp);
      hm_str key = note_row_key(path, list[k], h->gone[i].text, tmp);
      for (uint32_t number = 1; number <= NUMBERS && h->heirs[i] == UINT32_MAX; number++, tries++)
        if (hm_str_eq(note_row_id(key, number, tmp), h->gone[i].id))
          h->headings[i] = list[k].p ? list[k] : HM_EMPTY;
    }
  hm_arena_free(tmp);
}

void hm_notes_find_heirs(hm_str path, const hm_notes_row *gone, size_t n_gone,
                         const hm_notes_row *now, const bool *fresh, size_t n_now, uint32_t *out) {
  hm_arena *a = hm_arena_new();
  heirs h = { gone, now, fresh, n_gone, n_now, out, NULL, NULL, a };
  h.taken = hm_alloc_array(a, n_now + 1, sizeof *h.taken);
  h.headings = hm_alloc_array(a, n_gone + 1, sizeof *h.headings);
  for (size_t i = 0; i < n_gone; i++) {
    out[i] = UINT32_MAX;
    h.headings[i] = (hm_str){ NULL, 0 };
  }
  pair_same(&h, path);
  pair_groups(&h, name_text, false);
  find_headings(&h, path);
  pair_groups(&h, name_headings, true);
  pair_groups(&h, name_key, true);
  hm_arena_free(a);
}
