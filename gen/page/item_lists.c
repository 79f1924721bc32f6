/* How lists of conflicts, of findings, of sources and of projects are cut into pages: by the
 * beginning of their titles or by date. */
#include <stdlib.h>

#include "core/base/sort.h"
#include "model.h"

/* by: the field of k[0] to sort by; equal ones keep their order. */
static void sort_by(const hm_str *by, hm_keyed_item *k, size_t n) {
  uint32_t *order = hm_xmalloc((n + 1) * sizeof *order);
  if (n && hm_strs_order(by, sizeof *k, n, order)) {
    hm_keyed_item *was = hm_xmalloc(n * sizeof *was);
    memcpy(was, k, n * sizeof *was);
    for (size_t i = 0; i < n; i++) k[i] = was[order[i]];
    free(was);
  }
  free(order);
}

void hm_keyed_items_sort(hm_keyed_item *k, size_t n) {
  sort_by(&k->key, k, n);
  sort_by(&k->year, k, n);
}

/* The items again, by keys that hm_split_list cuts by numbers. */
static const hm_keyed_item *numbered(const hm_keyed_item *k, uint32_t n, hm_arena *a) {
  hm_keyed_item *out = hm_alloc_array(a, n + 1, sizeof *out);
  for (uint32_t i = 0; i < n; i++)
    out[i] = (hm_keyed_item){ k[i].year, hm_split_key(a, k[i].key), k[i].item };
  hm_keyed_items_sort(out, n);
  return out;
}

void hm_item_list_fill(const hm_view *v, hm_arena *a, const hm_keyed_item *k, uint32_t n,
                       hm_split_kind kind, hm_is_long_fn *is_long, hm_str folder,
                       hm_item_list *out) {
  static const char *const reserved[] = { "readme", "index", NULL };
  hm_piece *pieces;
  hm_arena *tmp = hm_arena_new();
  hm_str *keys = hm_alloc_array(tmp, n + 1, sizeof *keys);
  uint32_t *order = hm_alloc_array(a, n + 1, sizeof *order);
  if (kind == HM_SPLIT_NAME) k = numbered(k, n, tmp);
  for (uint32_t i = 0; i < n; i++) keys[i] = k[i].key, order[i] = k[i].item;
  out->order = order;
  hm_split_list(keys, n, v->opt.list_limit, is_long, &(hm_keyed_items){ v, k }, kind, tmp,
                &pieces, &out->n);
  if (!out->year.n) hm_pieces_sort_naturally(keys, order, pieces, out->n, tmp);
  hm_named *names = hm_alloc_array(tmp, out->n + 1, sizeof *names);
  for (uint32_t i = 0; i < out->n; i++)
    names[i] = (hm_named){ .name = hm_piece_stem(tmp, &pieces[i]),
                           .id = hm_list_piece_key(tmp, HM_EMPTY, &pieces[i]) };
  if (out->n > 1) hm_make_slugs(names, out->n, reserved, tmp);
  out->parts = hm_alloc_array(a, out->n + 1, sizeof *out->parts);
  for (uint32_t i = 0; i < out->n; i++) {
    hm_item_list_part *p = &out->parts[i];
    *p = (hm_item_list_part){ .from = pieces[i].from, .to = pieces[i].to, .path = out->path };
    if (out->n == 1) continue;
    p->label = hm_str_dup(a, hm_piece_label(tmp, &pieces[i], HM_EMPTY));
    p->path = HM_CAT(a, folder, names[i].slug, HM_STR(".md"));
  }
  hm_arena_free(tmp);
}

void hm_model_set_parts(hm_model *m, hm_node *top, const hm_item_list *list) {
  hm_node *parts = hm_model_set_list(m, top, "parts");
  bool parted = list && (list->n > 1 || list->is_apart);
  for (uint32_t i = 0; parted && i < list->n; i++) {
    hm_str label = list->parts[i].label.n ? list->parts[i].label : HM_STR("without a date");
    hm_node *item = hm_model_add_item(m, parts);
    hm_model_set_text(m, item, "label", hm_link_label(m->a, label, 120));
    hm_model_set_url(m, item, "url", list->parts[i].path, HM_EMPTY);
    hm_model_set_raw(m, item, "count_text",
                     hm_format_grouped_number(m->a, list->parts[i].to - list->parts[i].from));
  }
  hm_model_set_bool(m, top, "has_parts", parted);
}
