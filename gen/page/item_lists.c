/* How lists of conflicts, of findings, of sources and of projects are cut into pages: by the
 * beginning of their titles or by date. And a conflict as an item of them: its title, its values,
 * since when, and the verdict. */
#include <stdlib.h>

#include "core/base/sort.h"
#include "model.h"

/* by: the field of k[0] to sort by; equal ones keep their order. */
static void sort_by(const hm_str *by, hm_keyed_item *k, size_t n) {
  uint32_t *order = hm_xmalloc((n + 1) * sizeof *order);
  if (n && hm_strs_order(by, sizeof *k, n, order)) {
    hm_keyed_item *was = hm_xmalloc(n * sizeof *was);
    memcpy(was, k, n * sizeof *was);
    for (size_t i = 0; i < n; i++)
      k[i] = was[order[i]];
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
  if (kind == HM_SPLIT_NAME)
    k = numbered(k, n, tmp);
  for (uint32_t i = 0; i < n; i++)
    keys[i] = k[i].key, order[i] = k[i].item;
  out->order = order;
  hm_split_list(keys, n, v->opt.list_limit, is_long, &(hm_keyed_items){ v, k }, kind, tmp, &pieces,
                &out->n);
  if (!out->year.n)
    hm_pieces_sort_naturally(keys, order, pieces, out->n, tmp);
  hm_named *names = hm_alloc_array(tmp, out->n + 1, sizeof *names);
  for (uint32_t i = 0; i < out->n; i++)
    names[i] = (hm_named){ .name = hm_piece_stem(tmp, &pieces[i], v->opt.script),
                           .id = hm_list_piece_key(tmp, HM_EMPTY, &pieces[i]) };
  if (out->n > 1)
    hm_make_slugs(names, out->n, reserved, v->opt.script, tmp);
  out->parts = hm_alloc_array(a, out->n + 1, sizeof *out->parts);
  for (uint32_t i = 0; i < out->n; i++) {
    hm_item_list_part *p = &out->parts[i];
    *p = (hm_item_list_part){ .from = pieces[i].from, .to = pieces[i].to, .path = out->path };
    if (out->n == 1)
      continue;
    p->label = hm_str_dup(a, hm_piece_label(tmp, &pieces[i], HM_EMPTY));
    p->path = HM_CAT(a, folder, names[i].slug, HM_STR(".md"));
  }
  hm_arena_free(tmp);
}

void hm_model_set_parts(hm_model *m, hm_node *top, const hm_item_list *list) {
  hm_node *parts = hm_node_set_list(top, "parts");
  bool parted = list && (list->n > 1 || list->is_apart);
  for (uint32_t i = 0; parted && i < list->n; i++) {
    hm_str label = list->parts[i].label.n ? list->parts[i].label : HM_STR("without a date");
    hm_node *item = hm_model_add_item(m, parts);
    hm_model_set_text(m, item, "label", hm_link_label(m->a, label, 120));
    hm_model_set_url(m, item, "url", list->parts[i].path, HM_EMPTY);
    hm_model_set_raw(m, item, "count_text",
                     hm_format_grouped_number(m->a, list->parts[i].to - list->parts[i].from));
  }
  hm_node_set_bool(top, "has_parts", parted);
}

/* --- a conflict as an item: its bytes ----------------------------------------- */

enum { ITEM_BYTES = 500, VALUES = 6, VALUE_BYTES = 80, ROW_BYTES = 400 };

static size_t conflict_bytes(const hm_vconflict *c) {
  const hm_conflict_rec *r = c->rec;
  size_t n = c->dispute ? c->dispute->n : r->n_members, shown = 0;
  size_t all = ITEM_BYTES + hm_page_bytes(c->title) +
      hm_page_bytes(hm_str_sub(r->resolved_by, 0, 120)) +
      hm_page_bytes(hm_str_sub(r->resolution, 0, 400));
  hm_str last = HM_EMPTY;
  for (size_t i = 0; i < n && shown < VALUES; i++) {
    hm_str value = c->dispute ? c->dispute->parties[i].claim->value.raw : r->members[i].value;
    if (hm_str_eq(value, last))
      continue;
    all += 8 + hm_page_bytes(hm_str_sub(value, 0, VALUE_BYTES));
    last = value;
    shown++;
  }
  size_t gave_way = hm_conflict_is_settled(c) && r->winner.n ? r->n_members : 0;
  return all + (gave_way < HM_REFS ? gave_way : HM_REFS) * ROW_BYTES;
}

bool hm_conflicts_are_long(const void *list, uint32_t from, uint32_t to) {
  const hm_keyed_items *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to; i++)
    all += conflict_bytes(&s->v->conflicts[s->k[i].item]);
  return all > HM_LIST_BYTES;
}

/* --- lists of conflicts -------------------------------------------------------------------- */

hm_str hm_model_format_withheld(hm_model *m, const hm_vconflict *c) {
  if (c->withheld == 0)
    return HM_EMPTY;
  return hm_format_count_phrase(m->a, c->withheld, "claim withheld", "claims withheld");
}

hm_str hm_format_verdict_action(hm_model *m, const hm_conflict_rec *r) {
  /* By: all others give way; of their rows only a field does; several stand. */
  static const char *const words[2][2][2] = {
    { { "what contradicts it is superseded", "what contradicts them is superseded" },
      { "the values that contradict it are taken out of their rows",
        "the values that contradict them are taken out of their rows" } },
    { { "the others are superseded", "the others are superseded" },
      { "the other values are taken out of their rows",
        "the other values are taken out of their rows" } },
  };
  bool others = hm_str_is(r->action, "supersede_others");
  hm_str *winners;
  if (hm_str_is(r->action, "no_action"))
    return HM_STR("no row was changed");
  if (!others && !hm_str_is(r->action, "supersede_opponents"))
    return hm_shorten(m->a, r->action, 80);
  bool many = hm_winners_parse(m->a, r->winner, &winners) > 1;
  return hm_str_fmt(m->a, "the winner%s, %s", many ? "s stand" : " stands",
                    words[others][hm_str_is(r->scope, "field_only")][many]);
}

/* What a member said, with the name of an entity where it said its id; empty: it is withheld. */
static hm_str member_words(hm_model *m, const hm_member_rec *r) {
  if (!hm_view_member_shown(m->v, r, m->a))
    return HM_EMPTY;
  return r->layer == HM_RELATION ? hm_view_relation_end_name(m->v, r->value, m->a) : r->value;
}

static hm_str winner_words(hm_model *m, const hm_conflict_rec *rec, uint32_t row) {
  const hm_row *w = &m->v->snap->rows[row];
  for (size_t i = 0; i < rec->n_members; i++)
    if (rec->members[i].layer == w->layer && hm_str_eq(rec->members[i].id, w->id))
      return member_words(m, &rec->members[i]);
  return HM_EMPTY;
}

void hm_model_set_winners(hm_model *m, hm_node *o, const hm_conflict_rec *rec) {
  hm_node *list = hm_node_set_list(o, "winner");
  hm_str *winners;
  size_t n = hm_winners_parse(m->a, rec->winner, &winners);
  for (size_t i = 0; i < n; i++) {
    uint32_t row = hm_snapshot_ref(m->v->snap, HM_ENTITY, winners[i]);
    if (row == HM_NONE)
      continue;
    hm_node *item = hm_model_add_item(m, list);
    hm_model_set_row_link_fields(m, item, row);
    hm_model_set_short(m, item, "value", winner_words(m, rec, row), 80);
  }
}

void hm_model_set_superseded_rows(hm_model *m, hm_node *o, uint32_t conflict) {
  const hm_conflict_rec *rec = m->v->conflicts[conflict].rec;
  const hm_snapshot *snap = m->v->snap;
  hm_node *rows = NULL;
  size_t n = 0;
  hm_node_set_bool(o, "gave_way", false);
  for (size_t i = 0; i < rec->n_members && rec->winner.n && n <= HM_REFS; i++) {
    const hm_member_rec *r = &rec->members[i];
    uint32_t row = hm_snapshot_row(snap, r->layer, r->id);
    /* A member by two fields is listed twice, in a row. */
    if (i && r->layer == r[-1].layer && hm_str_eq(r->id, r[-1].id))
      continue;
    if (row == HM_NONE || !hm_view_listed(m->v, row) || snap->rows[row].status != HM_SUPERSEDED)
      continue;
    uint32_t winner = hm_snapshot_named(snap, row, HM_NAMES_SUPERSEDED_BY);
    if (winner == HM_NONE || hm_view_find_deciding_conflict(m->v, row, winner) != conflict ||
        n++ == HM_REFS)
      continue;
    if (!rows)
      rows = hm_node_set_list(hm_node_set_obj(o, "gave_way"), "rows");
    hm_node *item = hm_model_add_item(m, rows);
    hm_model_set_row_link_fields(m, item, row);
    hm_model_set_short(m, item, "value", member_words(m, r), 80);
    hm_model_set_raw(m, item, "sep", n > 1 ? HM_STR("; ") : HM_EMPTY);
  }
  hm_node_set_bool(o, "gave_way_more", n > HM_REFS);
}

static const hm_layer by_trust[] = { HM_STATE, HM_ENTITY, HM_RELATION, HM_MEMORY };

/* "curated state, entity": these layers, the most trusted first. */
static hm_str layer_words(hm_arena *a, unsigned layers) {
  static const char *const words[] = { [HM_STATE] = "curated state",
                                       [HM_ENTITY] = "entity",
                                       [HM_RELATION] = "relation",
                                       [HM_MEMORY] = "memory" };
  hm_str out[2 * HM_COUNT(by_trust)];
  size_t n_out = 0;
  for (size_t k = 0; k < HM_COUNT(by_trust); k++) {
    if (!(layers & 1u << by_trust[k]))
      continue;
    if (n_out)
      out[n_out++] = HM_STR(", ");
    out[n_out++] = hm_str_c(words[by_trust[k]]);
  }
  return hm_str_join(a, out, n_out);
}

enum { PLACES = 2, PLACE_BYTES = 100 };

/* A value, and who says it: lines of files, and rows of these layers. */
typedef struct {
  hm_str value, places[PLACES];
  size_t n_places;
  unsigned layers;
} said_value;

/* Keeps the first ones in natural order. */
static void add_place(said_value *v, hm_str line) {
  size_t i = v->n_places < PLACES ? v->n_places : PLACES;
  v->n_places++;
  for (; i && hm_str_natural_cmp(line, v->places[i - 1]) < 0; i--)
    if (i < PLACES)
      v->places[i] = v->places[i - 1];
  if (i < PLACES)
    v->places[i] = line;
}

static hm_str who_says(hm_arena *a, const said_value *v) {
  hm_str out = layer_words(a, v->layers);
  for (size_t i = 0; i < v->n_places && i < PLACES; i++)
    out = HM_CAT(a, out, out.n ? HM_STR(", ") : HM_EMPTY, hm_shorten(a, v->places[i], PLACE_BYTES));
  if (v->n_places > PLACES)
    out = hm_str_fmt(a, "%.*s and %zu more", HM_FMT(out), v->n_places - PLACES);
  return out;
}

/* Each value once, with who says it. */
static void put_values(hm_model *m, hm_node *item, const hm_vconflict *c) {
  said_value said[VALUES] = { 0 };
  hm_node *list = hm_node_set_list(item, "values");
  unsigned all = 0;
  uint32_t n_values = 0;
  hm_side *s;
  size_t n = hm_collect_conflict_sides(m, c, &s);
  hm_map seen;
  hm_map_init(&seen, m->a, n);
  for (size_t i = 0; i < n; i++) {
    uint32_t at = hm_map_add(&seen, s[i].same.n ? s[i].same : s[i].value, n_values);
    if (at == n_values && n_values++ < VALUES)
      said[at].value = s[i].value;
    all |= 1u << s[i].layer;
    if (at >= VALUES)
      continue;
    hm_str line = hm_model_side_line(m, &s[i]);
    if (line.n)
      add_place(&said[at], line);
    else
      said[at].layers |= 1u << s[i].layer;
  }
  for (uint32_t i = 0; i < n_values && i < VALUES; i++) {
    hm_node *v = hm_model_add_item(m, list);
    hm_model_set_short(m, v, "value", said[i].value, VALUE_BYTES);
    hm_model_set_text(m, v, "who", who_says(m->a, &said[i]));
    hm_model_set_raw(m, v, "sep", i ? HM_STR(" / ") : HM_EMPTY);
  }
  hm_model_set_text(m, item, "more_values",
                    n_values > VALUES ? hm_format_count_phrase(m->a, n_values - VALUES,
                                                               "more value", "more values")
                                      : HM_EMPTY);
  hm_model_set_text(m, item, "layers", layer_words(m->a, all));
}

hm_node *hm_model_add_conflict_item(hm_model *m, hm_node *list, uint32_t conflict) {
  const hm_vconflict *c = &m->v->conflicts[conflict];
  hm_node *item = hm_model_add_item(m, list);
  hm_model_set_text(m, item, "label", hm_link_label(m->a, c->title, 300));
  hm_model_set_url(m, item, "url", c->path, HM_EMPTY);
  hm_model_set_short(m, item, "id", c->rec->id, 80);
  hm_model_set_date(m, item, "since", hm_format_since(m->v, c, m->a));
  hm_model_set_text(m, item, "withheld", hm_model_format_withheld(m, c));
  hm_node_set_bool(item, "disputed", c->dispute != NULL);
  hm_node_set_bool(item, "open", c->rec->status == HM_OPEN);
  hm_model_set_settled_later(m, item, c);
  hm_model_set_text(m, item, "verdict", hm_str_c(hm_verdict_name(c->rec->status)));
  hm_model_set_date(m, item, "resolved_at", c->rec->resolved_at);
  hm_model_set_short(m, item, "resolved_by", c->rec->resolved_by, 120);
  hm_node_set_bool(item, "from_file", c->rec->from_file);
  hm_model_set_text(m, item, "resolution",
                    c->withheld ? HM_EMPTY : hm_shorten(m->a, c->rec->resolution, 400));
  hm_model_set_winners(m, item, c->rec);
  put_values(m, item, c);
  return item;
}

hm_node *hm_model_add_conflict_of_project(hm_model *m, hm_node *list, uint32_t conflict) {
  hm_node *item = hm_model_add_conflict_item(m, list, conflict);
  const hm_vconflict *c = &m->v->conflicts[conflict];
  hm_model_set_text(m, item, "label", hm_link_label(m->a, c->words.n ? c->words : c->name, 300));
  return item;
}

hm_str hm_format_conflict_in_project(const hm_model *m, uint32_t conflict) {
  const hm_vconflict *c = &m->v->conflicts[conflict];
  hm_str words = c->words.n ? c->words : c->name;
  hm_str project = c->project == HM_NONE ? HM_EMPTY : m->v->projects[c->project].label;
  return project.n ? HM_CAT(m->a, project, HM_STR(": "), words) : words;
}

void hm_model_set_disputed(hm_model *m, hm_node *top, const uint32_t *conflicts, size_t n,
                           size_t end) {
  hm_node *list = hm_node_set_list(hm_node_set_obj(top, "disputed"), "conflicts");
  size_t shown = 0;
  for (; shown < n && shown < HM_SHOWN && !hm_model_is_full(m, end); shown++) {
    hm_node *item = hm_model_add_conflict_of_project(m, list, conflicts[shown]);
    if (m->p->project != UINT32_MAX)
      continue;
    /* On a page of no project a dispute is named with its own. */
    hm_str label = hm_format_conflict_in_project(m, conflicts[shown]);
    hm_model_set_text(m, item, "label", hm_link_label(m->a, label, 300));
  }
  hm_node_set_bool(top, "has_disputed", n > 0);
  hm_node_set_bool(top, "more_disputed", shown < n);
  hm_model_set_shown_of_all(m, top, "disputed_cut", shown, n);
  hm_model_set_url(m, top, "conflicts_url", HM_STR("conflicts/README.md"), HM_EMPTY);
}

void hm_model_set_row_disputed(hm_model *m, hm_node *top, uint32_t row, bool own) {
  size_t n, all = 0;
  uint32_t *inside, n_inside = hm_view_list_inside(m->v, row, m->a, &inside);
  const hm_mark *marks = hm_view_marks(m->v, row, &n);
  uint32_t *conflicts = hm_alloc_array(m->a, n + n_inside + 1, sizeof *conflicts);
  for (size_t i = 0, k; i < n; i++) {
    for (k = 0; k < all && conflicts[k] != marks[i].conflict;)
      k++;
    if (k == all && (own || !marks[i].field.n))
      conflicts[all++] = marks[i].conflict;
  }
  for (uint32_t i = 0; i < n_inside; i++)
    conflicts[all++] = inside[i];
  hm_node_set_bool(top, "is_disputed", n + n_inside > 0);
  hm_model_set_text(m, top, "inside", hm_model_format_inside(m, row));
  hm_model_set_disputed(m, top, conflicts, all, hm_model_section_end(m));
}

hm_node *hm_model_add_conflict_with_project(hm_model *m, hm_node *list, uint32_t conflict) {
  hm_node *item = hm_model_add_conflict_of_project(m, list, conflict);
  uint32_t p = m->v->conflicts[conflict].project;
  if (p != HM_NONE)
    hm_model_set_ref(m, item, "project", m->v->projects[p].label,
                     HM_CAT(m->a, m->v->projects[p].dir, HM_STR("README.md")), HM_EMPTY);
  else
    hm_model_set_ref(m, item, "project", HM_STR("other"), HM_EMPTY, HM_EMPTY);
  return item;
}
