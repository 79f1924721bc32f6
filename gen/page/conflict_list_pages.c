/* The lists of open conflicts: by project, by date, by layer; and of settled ones by year.
 *
 * conflicts/README.md has all of them by project, or, when they are too many for a page, links to a
 * list for each project. conflicts/newest.md and oldest.md show as many as a page holds, and link
 * to lists by month; by-layer.md sorts by the most trusted layer that takes part. Each list is cut
 * by properties that do not change (project, date of the beginning, layer, name), so that a new
 * conflict changes only the part that it falls into. Cost: three sorts of the open conflicts. */
#include <string.h>

#include "core/base/time.h"
#include "model.h"

/* From so many on there are pages in other orders. */
enum { ORDERED_FROM = 6 };

static const struct {
  hm_layer layer;
  const char *title, *stem;
} layers[] = { { HM_STATE, "Curated state", "curated-state" },
               { HM_ENTITY, "Entities", "entities" },
               { HM_RELATION, "Relations", "relations" },
               { HM_MEMORY, "Memories", "memories" } };
enum { N_LAYERS = HM_COUNT(layers) };

struct hm_conflict_index {
  hm_item_list open; /* stands first: pages have it as their data */
  hm_item_list by_time, by_layer[N_LAYERS];
  uint32_t n;
  bool ordered;
};

/* --- which lists there are --------------------------------------------------------- */

static hm_str time_key(hm_arena *a, hm_str time, hm_str id) {
  return HM_CAT(a, time, (hm_str){ "", 1 }, id);
}

/* A time, or a day where that is all that is known, so that a day with many goes on by names. */
static hm_str begin_of(const hm_vconflict *c, hm_arena *a) {
  if (c->since == HM_TIME_MIN)
    return HM_EMPTY;
  hm_str iso = hm_time_iso(a, c->since);
  return hm_str_ends(iso, "T00:00:00Z") ? hm_str_sub(iso, 0, iso.n - strlen("T00:00:00Z")) : iso;
}

/* The rank in `layers` of the most trusted that takes part. */
static size_t layer_of(const hm_vconflict *c) {
  size_t best = N_LAYERS - 1, n = c->dispute ? c->dispute->n : c->rec->n_members;
  for (size_t i = 0; i < n; i++) {
    hm_layer layer = c->dispute ? c->dispute->parties[i].claim->layer : c->rec->members[i].layer;
    size_t k = 0;
    while (k < best && layers[k].layer != layer)
      k++;
    best = k;
  }
  return best;
}

/* One list a project; the name of a part is that of the project, and of its range if there are
 * several. */
static void cut_by_project(const hm_view *v, const hm_keyed_item *k, uint32_t n, hm_arena *a,
                           hm_item_list *out) {
  static const char *const reserved[] = { "readme", "index", NULL };
  hm_item_list_part *parts = hm_alloc_array(a, n + 1, sizeof *parts);
  hm_named *names = hm_alloc_array(a, n + 1, sizeof *names);
  uint32_t *order = hm_alloc_array(a, n + 1, sizeof *order), n_parts = 0;
  for (uint32_t from = 0, to; from < n; from = to) {
    uint32_t p = v->conflicts[k[from].item].project;
    for (to = from + 1; to < n && v->conflicts[k[to].item].project == p; to++)
      continue;
    hm_str label = p == HM_NONE ? HM_STR("Other projects") : v->projects[p].label,
           dir = p == HM_NONE ? HM_STR("projects/other/") : v->projects[p].dir,
           slug = hm_str_sub(dir, sizeof "projects", dir.n - 1);
    hm_item_list one = { 0 };
    hm_item_list_fill(v, a, k + from, to - from, HM_SPLIT_NAME, hm_conflicts_are_long, HM_EMPTY,
                      &one);
    for (uint32_t i = 0; i < one.n; i++) {
      hm_str more = one.parts[i].label;
      parts[n_parts] =
          (hm_item_list_part){ .label = more.n ? HM_CAT(a, label, HM_STR(", "), more) : label,
                               .from = from + one.parts[i].from,
                               .to = from + one.parts[i].to };
      hm_str name = more.n ? HM_CAT(a, slug, HM_STR("-"), more) : slug;
      names[n_parts++] =
          (hm_named){ .name = name, .id = hm_str_fmt(a, "%u/%.*s", p, HM_FMT(name)) };
    }
    for (uint32_t i = 0; i < to - from; i++)
      order[from + i] = one.order[i];
  }
  hm_make_slugs(names, n_parts, reserved, v->opt.script, a);
  for (uint32_t i = 0; i < n_parts; i++)
    parts[i].path = HM_CAT(a, HM_STR("conflicts/open/"), names[i].slug, HM_STR(".md"));
  out->order = order;
  out->parts = parts;
  out->n = n_parts;
}

static void list_open(const hm_view *v, hm_keyed_item *k, uint32_t n, hm_arena *a,
                      hm_item_list *out) {
  hm_keyed_items_sort(k, n);
  bool whole = n <= v->opt.list_limit && !hm_conflicts_are_long(&(hm_keyed_items){ v, k }, 0, n);
  if (!whole)
    cut_by_project(v, k, n, a, out);
  if (whole || out->n > HM_INDEX_PARTS)
    hm_item_list_fill(v, a, k, n, HM_SPLIT_NAME, hm_conflicts_are_long, HM_STR("conflicts/open/"),
                      out);
}

static void list_orders(const hm_view *v, const hm_keyed_item *open, uint32_t n, hm_arena *a,
                        hm_conflict_index *out) {
  hm_keyed_item *k = hm_alloc_array(a, n + 1, sizeof *k);
  for (uint32_t i = 0; i < n; i++) {
    const hm_vconflict *c = &v->conflicts[open[i].item];
    k[i] = (hm_keyed_item){ HM_EMPTY, time_key(a, begin_of(c, a), c->list_key), open[i].item };
  }
  hm_keyed_items_sort(k, n);
  out->by_time =
      (hm_item_list){ .path = HM_STR("conflicts/newest.md"), .title = HM_STR("Conflicts by date") };
  hm_item_list_fill(v, a, k, n, HM_SPLIT_TIME, hm_conflicts_are_long, HM_STR("conflicts/since/"),
                    &out->by_time);
  for (size_t l = 0; l < N_LAYERS; l++) {
    uint32_t n_layer = 0;
    for (uint32_t i = 0; i < n; i++)
      if (layer_of(&v->conflicts[open[i].item]) == l)
        k[n_layer++] = open[i];
    for (uint32_t i = 0; i < n_layer; i++)
      k[i].year = HM_EMPTY;
    hm_keyed_items_sort(k, n_layer);
    hm_item_list *list = &out->by_layer[l];
    *list = (hm_item_list){ .path = HM_STR("conflicts/by-layer.md"),
                            .title = hm_str_fmt(a, "Conflicts of %s", layers[l].title) };
    hm_item_list_fill(v, a, k, n_layer, HM_SPLIT_NAME, hm_conflicts_are_long,
                      hm_str_fmt(a, "conflicts/layer/%s-", layers[l].stem), list);
    if (out->open.n == 1 || list->n != 1 || !n_layer)
      continue;
    list->is_apart = true; /* all layers together are more than a page holds */
    list->parts->label = hm_str_c(layers[l].title);
    list->parts->path = hm_str_fmt(a, "conflicts/layer/%s.md", layers[l].stem);
  }
}

hm_conflict_index *hm_conflict_index_new(const hm_view *v, hm_arena *a) {
  hm_keyed_item *open = hm_alloc_array(a, v->n_conflicts + 1, sizeof *open),
                *k = hm_alloc_array(a, v->n_conflicts + 1, sizeof *k);
  uint32_t n_open = 0, n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_vconflict *c = &v->conflicts[i];
    hm_time t;
    hm_precision p;
    if (c->rec->status == HM_OPEN) /* projects stand in their order; those of none last */
      open[n_open++] = (hm_keyed_item){ hm_str_fmt(a, "%010u", c->project), c->list_key, i };
    if (!hm_conflict_is_settled(c))
      continue;
    bool dated = hm_time_parse(c->rec->resolved_at, &t, &p);
    hm_str year = dated ? hm_str_fmt(a, "%04d", hm_time_year(t)) : HM_STR("undated");
    k[n++] =
        (hm_keyed_item){ year, time_key(a, dated ? hm_time_iso(a, t) : HM_EMPTY, c->rec->id), i };
  }
  hm_keyed_items_sort(k, n);
  hm_conflict_index *out = hm_alloc(a, sizeof *out);
  *out = (hm_conflict_index){ .n = n_open, .ordered = n_open >= ORDERED_FROM };
  out->open = (hm_item_list){ .path = HM_STR("conflicts/README.md"),
                              .years = hm_alloc_array(a, n + 1, sizeof *out->open.years) };
  list_open(v, open, n_open, a, &out->open);
  if (out->ordered)
    list_orders(v, open, n_open, a, out);
  for (uint32_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && hm_str_eq(k[from].year, k[to].year); to++)
      continue;
    hm_item_list *year = &out->open.years[out->open.n_years++];
    *year = (hm_item_list){ .path = HM_CAT(a, HM_STR("conflicts/archive/"), k[from].year,
                                           HM_STR(".md")),
                            .year = k[from].year };
    hm_item_list_fill(v, a, k + from, to - from,
                      hm_str_is(k[from].year, "undated") ? HM_SPLIT_NAME : HM_SPLIT_TIME,
                      hm_conflicts_are_long, HM_STR("conflicts/archive/"), year);
  }
  return out;
}

const hm_item_list *hm_get_open_conflict_list(const hm_conflict_index *x) { return &x->open; }
bool hm_conflicts_have_other_orders(const hm_conflict_index *x) { return x->ordered; }

const hm_item_list *hm_get_ordered_conflict_list(const hm_conflict_index *x, uint32_t i) {
  return !x->ordered || i > N_LAYERS ? NULL : i ? &x->by_layer[i - 1] : &x->by_time;
}

/* --- what the pages share ------------------------------------------------------------ */

static hm_str list_title(hm_model *m, const hm_item_list *list) {
  if (list->title.n)
    return list->title;
  if (!list->year.n)
    return HM_STR("Conflicts");
  return hm_str_is(list->year, "undated")
      ? HM_STR("Conflicts settled without a date")
      : hm_str_fmt(m->a, "Conflicts settled in %.*s", HM_FMT(list->year));
}

/* Title, and the way back to the whole from one of several parts. */
static const hm_item_list_part *part_head(hm_model *m, hm_node *top) {
  const hm_item_list *list = m->p->data;
  const hm_item_list_part *p = &list->parts[m->p->from];
  hm_str whole = list_title(m, list), title = whole,
         label = p->label.n ? p->label : HM_STR("without a date");
  if (list->n > 1)
    title = hm_str_fmt(m->a, "%.*s: %.*s", HM_FMT(whole), HM_FMT(label));
  hm_model_set_heading(m, top, title, HM_STR("Where recorded facts contradict each other"));
  if (list->n > 1 || list->is_apart)
    hm_model_set_ref(m, top, "index", whole, list->path, HM_EMPTY);
  else
    hm_node_set_bool(top, "index", false);
  return p;
}

/* orders: the same conflicts in other orders, but for this one. */
static void put_orders(hm_model *m, hm_node *top, const hm_conflict_index *x) {
  static const struct {
    const char *label, *path;
  } orders[] = { { "by project", "conflicts/README.md" },
                 { "newest first", "conflicts/newest.md" },
                 { "oldest first", "conflicts/oldest.md" },
                 { "by layer", "conflicts/by-layer.md" } };
  hm_node *list = hm_node_set_list(top, "orders");
  hm_node_set_bool(top, "has_orders", x->ordered);
  for (size_t i = 0; x->ordered && i < HM_COUNT(orders); i++) {
    bool here = hm_str_is(m->p->path, orders[i].path);
    hm_node *item = hm_model_add_item(m, list);
    hm_model_set_text(m, item, "label", hm_str_c(orders[i].label));
    hm_model_set_url(m, item, "url", here ? HM_EMPTY : hm_str_c(orders[i].path), HM_EMPTY);
    hm_model_set_raw(m, item, "sep", i ? HM_STR(" · ") : HM_EMPTY);
  }
}

static void put_items(hm_model *m, hm_node *list, const uint32_t *order, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    hm_model_add_conflict_with_project(m, list, order[i]);
}

/* --- the index --------------------------------------------------------------------- */

/* The open conflicts of each project: the disputed ones, or the ones awaiting sign-off. jumps: the
 * projects, with the places of their lists. */
static void put_open(hm_model *m, hm_node *top, const char *key, bool disputed, hm_node *jumps) {
  const hm_view *v = m->v;
  hm_node *projects = hm_node_set_list(top, key);
  uint32_t at = 0;
  bool is_first = true;
  for (uint32_t p = 0; p <= v->n_projects; p++) {
    const hm_vproject *pr = p < v->n_projects ? &v->projects[p] : NULL; /* NULL: of none */
    hm_str label = hm_link_label(m->a, pr ? pr->label : HM_STR("Other projects"), 120), anchor;
    hm_node *list = NULL;
    uint32_t n = 0;
    for (uint32_t end = pr ? pr->c_to : v->n_conflicts; at < end; at++) {
      const hm_vconflict *c = &v->conflicts[v->by_project[at]];
      if (c->rec->status != HM_OPEN || (c->dispute != NULL) != disputed)
        continue;
      if (!list) {
        hm_node *item = hm_model_add_item(m, projects);
        anchor = HM_CAT(m->a, disputed ? HM_STR("in-") : HM_STR("waiting-in-"),
                        pr ? hm_str_sub(pr->dir, sizeof "projects", pr->dir.n - 1)
                           : HM_STR("no-project"));
        hm_model_set_raw(m, item, "anchor", anchor);
        hm_model_set_text(m, item, "label", label);
        hm_model_set_url(m, item, "url", pr ? HM_CAT(m->a, pr->dir, HM_STR("README.md")) : HM_EMPTY,
                         HM_EMPTY);
        list = hm_node_set_list(item, "conflicts");
      }
      put_items(m, list, &v->by_project[at], 1);
      n++;
    }
    if (!n || !jumps)
      continue;
    hm_node *jump = hm_model_add_item(m, jumps);
    hm_model_set_text(m, jump, "label", label);
    hm_model_set_url(m, jump, "url", m->p->path, anchor);
    hm_model_set_count(m, jump, "count", n);
    hm_model_set_raw(m, jump, "sep", is_first ? HM_STR(" ") : HM_STR(" · "));
    is_first = false;
  }
}

void hm_page_conflicts(hm_model *m, hm_node *top) {
  const hm_conflict_index *x = m->p->data;
  const hm_item_list *list = &x->open;
  hm_model_set_heading(m, top, HM_STR("Conflicts"),
                       HM_STR("Where recorded facts contradict each other"));
  hm_model_set_count(m, top, "n_open", m->v->counts.open_conflicts);
  hm_model_set_count(m, top, "n_disputed", m->v->counts.disputed);
  hm_model_set_compared(m, top, &m->v->counts.compared);
  hm_model_set_count(m, top, "n_signoff", m->v->counts.signoff);
  hm_model_set_url(m, top, "pictures_url", hm_pictures_path(m->v, HM_NONE, m->a), HM_EMPTY);
  hm_model_set_parts(m, top, list);
  put_orders(m, top, x);
  hm_node *jumps = hm_node_set_list(top, "jumps");
  if (list->n == 1) {
    put_open(m, top, "disputed", true, jumps);
    put_open(m, top, "signoff", false, NULL);
  }
  hm_node *years = hm_node_set_list(top, "years");
  for (uint32_t i = list->n_years; i-- > 0;) { /* newest first */
    hm_node *item = hm_model_add_item(m, years);
    hm_model_set_text(m, item, "label", list->years[i].year);
    hm_model_set_url(m, item, "url", list->years[i].path, HM_EMPTY);
  }
}

void hm_page_conflicts_part(hm_model *m, hm_node *top) {
  const hm_item_list *list = m->p->data;
  const hm_item_list_part *p = part_head(m, top);
  hm_node *lists[] = { hm_node_set_list(hm_node_set_obj(top, "signoff"), "conflicts"),
                       hm_node_set_list(hm_node_set_obj(top, "disputed"), "conflicts") };
  bool has[] = { false, false };
  hm_model_set_count(m, top, "count", p->to - p->from);
  for (uint32_t i = p->from; i < p->to; i++) {
    bool disputed = m->v->conflicts[list->order[i]].dispute != NULL;
    put_items(m, lists[disputed], &list->order[i], 1);
    has[disputed] = true;
  }
  hm_node_set_bool(top, "has_signoff", has[0]);
  hm_node_set_bool(top, "has_disputed", has[1]);
}

/* --- other orders ------------------------------------------------------------------- */

/* The newest first, and those of one time in the order of their names. */
static const uint32_t *newest_first(hm_model *m, const uint32_t *order, uint32_t n) {
  uint32_t *out = hm_alloc_array(m->a, n + 1, sizeof *out), at = 0;
  const hm_vconflict *c = m->v->conflicts;
  for (uint32_t to = n, from; to > 0; to = from) {
    hm_str begin = begin_of(&c[order[to - 1]], m->a);
    for (from = to - 1; from > 0 && hm_str_eq(begin_of(&c[order[from - 1]], m->a), begin); from--)
      continue;
    for (uint32_t i = from; i < to; i++)
      out[at++] = order[i];
  }
  return out;
}

/* Lists as many as a page holds, and links to the others. */
static void put_by_time(hm_model *m, hm_node *top, bool newest) {
  const hm_conflict_index *x = m->p->data;
  const hm_item_list *list = &x->by_time;
  hm_str title = newest ? HM_STR("Conflicts, newest first") : HM_STR("Conflicts, oldest first");
  hm_model_set_heading(m, top, title, title);
  put_orders(m, top, x);
  hm_model_set_parts(m, top, list);
  uint32_t n = x->n, shown = 0;
  size_t limit = m->v->opt.list_limit;
  hm_node *conflicts = hm_node_set_list(top, "conflicts");
  const uint32_t *order = newest ? newest_first(m, list->order, n) : list->order;
  for (; shown < n && shown < limit && !hm_model_is_full(m, HM_LIST_BYTES); shown++)
    put_items(m, conflicts, &order[shown], 1);
  hm_node_set_bool(top, "more", shown < n);
  hm_model_set_count(m, top, "shown", shown);
  hm_model_set_count(m, top, "n_open", n);
}

void hm_page_conflicts_newest(hm_model *m, hm_node *top) { put_by_time(m, top, true); }
void hm_page_conflicts_oldest(hm_model *m, hm_node *top) { put_by_time(m, top, false); }

void hm_page_conflicts_by_layer(hm_model *m, hm_node *top) {
  const hm_conflict_index *x = m->p->data;
  hm_str title = HM_STR("Conflicts by layer");
  hm_model_set_heading(m, top, title, title);
  put_orders(m, top, x);
  hm_node *list = hm_node_set_list(top, "layers");
  for (size_t l = 0; l < N_LAYERS; l++) {
    const hm_item_list *of = &x->by_layer[l];
    uint32_t n = of->parts[of->n - 1].to;
    if (!n)
      continue;
    hm_node *item = hm_model_add_item(m, list), *conflicts = hm_node_set_list(item, "conflicts");
    hm_model_set_raw(m, item, "anchor", hm_str_fmt(m->a, "of-%s", layers[l].stem));
    hm_model_set_text(m, item, "title", hm_str_c(layers[l].title));
    hm_model_set_count(m, item, "count", n);
    hm_model_set_parts(m, item, of);
    if (of->n == 1 && !of->is_apart)
      put_items(m, conflicts, of->order, n);
  }
}

/* --- those that are settled ------------------------------------------------------------ */

void hm_page_archive(hm_model *m, hm_node *top) {
  const hm_item_list *list = m->p->data;
  const hm_item_list_part *p = part_head(m, top);
  hm_node *conflicts = hm_node_set_list(top, "conflicts");
  for (uint32_t i = p->from; i < p->to; i++)
    hm_model_set_superseded_rows(
        m, hm_model_add_conflict_with_project(m, conflicts, list->order[i]), list->order[i]);
}

void hm_page_archive_index(hm_model *m, hm_node *top) {
  hm_str title = list_title(m, m->p->data);
  hm_model_set_heading(m, top, title, title);
  hm_model_set_parts(m, top, m->p->data);
  hm_node_set_bool(top, "candidates", false);
}
