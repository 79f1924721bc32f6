/* Lists of conflicts (the index, those that wait for sign-off, the archive) and of projects (the
 * front page). Long ones are cut by the beginning of their titles or by date. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
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
static void sort_keyed(keyed *k, uint32_t n) {
  uint32_t i = 1;
  while (i < n && by_key(&k[i - 1], &k[i]) < 0) i++;
  if (i < n) qsort(k, n, sizeof *k, by_key);
}

/* --- bytes of an item ------------------------------------------------------- */

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
static void cut_sorted(const hm_view *v, hm_arena *a, const keyed *k, uint32_t from, uint32_t to,
                hm_split_kind kind, hm_is_long_fn *is_long, const char *folder, hm_clist *out) {
  static const char *const reserved[] = { "readme", "index", NULL };
  hm_piece *pieces;
  hm_str *keys = hm_alloc_array(a, to - from + 1, sizeof *keys);
  for (uint32_t i = from; i < to; i++) keys[i - from] = k[i].key;
  hm_split(keys, to - from, v->opt.list_limit, is_long, &(sorted){ v, k + from }, kind, a, &pieces,
           &out->n);
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
  sort_keyed(k, n);
  hm_clist *list = hm_alloc(a, sizeof *list);
  *list = (hm_clist){ .path = HM_STR("conflicts/README.md"), .order = order_of(k, n, a) };
  cut_sorted(v, a, k, 0, n, HM_SPLIT_NAME, conflicts_are_long, "conflicts/open/", list);
  return list;
}

/* Projects are sorted already, by the same key. */
hm_clist *hm_project_list(const hm_view *v, hm_arena *a) {
  keyed *k = hm_alloc_array(a, v->n_projects + 1, sizeof *k);
  for (uint32_t i = 0; i < v->n_projects; i++)
    k[i] = (keyed){ HM_EMPTY, v->projects[i].list_key, i };
  hm_clist *list = hm_alloc(a, sizeof *list);
  *list = (hm_clist){ .path = HM_STR("README.md"), .order = order_of(k, v->n_projects, a) };
  cut_sorted(v, a, k, 0, v->n_projects, HM_SPLIT_NAME, projects_are_long, "projects/", list);
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
  sort_keyed(k, n);
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
    cut_sorted(v, a, k, from, to, kind, conflicts_are_long, "conflicts/archive/", list);
  }
  return lists;
}

/* --- lists of conflicts -------------------------------------------------------------------- */

enum { VALUES_SHOWN = 6 };

hm_str hm_pm_withheld(hm_pm *m, const hm_vconflict *c) {
  if (c->withheld == 0) return HM_EMPTY;
  return hm_str_fmt(m->a, "%zu claim%s withheld", c->withheld, c->withheld == 1 ? "" : "s");
}

/* Midnight is a date without a time of day more often than it is midnight. */
hm_str hm_pm_since(hm_pm *m, const hm_dispute *d) {
  if (!d || d->since == HM_TIME_MIN) return HM_EMPTY;
  hm_str iso = hm_time_iso(m->a, d->since);
  return hm_str_ends(iso, "T00:00:00Z") ? hm_str_sub(iso, 0, 10) : iso;
}

static void put_values(hm_pm *m, hm_tv *item, const hm_vconflict *c) {
  hm_tv *list = hm_pm_list(m, item, "values");
  hm_side *s;
  size_t n = hm_sides(m, c, &s), shown = 0;
  hm_map seen;
  hm_map_init(&seen, m->a, n);
  for (size_t i = 0; i < n && shown < VALUES_SHOWN; i++) {
    if (hm_map_add(&seen, s[i].value, (uint32_t)i) != i) continue;
    hm_tv *v = hm_pm_item(m, list);
    hm_pm_short(m, v, "value", s[i].value, 80);
    hm_pm_raw(m, v, "sep", shown++ ? HM_STR(" / ") : HM_EMPTY);
  }
}

/* A member by two fields stands there twice, one after the other. */
static uint32_t gave_way(hm_pm *m, const hm_vconflict *c, uint32_t conflict, uint32_t winner,
                         size_t i) {
  const hm_member_rec *r = c->rec->members;
  if (i && r[i].layer == r[i - 1].layer && hm_str_eq(r[i].id, r[i - 1].id)) return HM_NONE;
  uint32_t row = hm_snapshot_row(m->v->snap, r[i].layer, r[i].id);
  if (row == HM_NONE || !hm_view_listed(m->v, row) ||
      hm_view_settled(m->v, row, winner) != conflict)
    return HM_NONE;
  const hm_row *x = &m->v->snap->rows[row];
  return x->status == HM_SUPERSEDED &&
          hm_snapshot_ref(m->v->snap, x->layer, x->superseded_by) == winner
      ? row
      : HM_NONE;
}

void hm_pm_gave_way(hm_pm *m, hm_tv *o, uint32_t conflict) {
  const hm_vconflict *c = &m->v->conflicts[conflict];
  uint32_t winner =
      c->rec->winner.n ? hm_snapshot_ref(m->v->snap, HM_ENTITY, c->rec->winner) : HM_NONE;
  hm_tv *rows = NULL;
  size_t n = 0;
  hm_pm_flag(m, o, "gave_way", false);
  for (size_t i = 0; i < c->rec->n_members && winner != HM_NONE && n <= HM_REFS; i++) {
    uint32_t row = gave_way(m, c, conflict, winner, i);
    if (row == HM_NONE || n++ == HM_REFS) continue;
    if (!rows) rows = hm_pm_list(m, hm_pm_obj(m, o, "gave_way"), "rows");
    hm_tv *item = hm_pm_item(m, rows);
    hm_pm_row_fields(m, item, row);
    hm_pm_short(m, item, "value", c->rec->members[i].value, 80);
    hm_pm_raw(m, item, "sep", n > 1 ? HM_STR(", ") : HM_EMPTY);
  }
  hm_pm_bool(m, o, "gave_way_more", n > HM_REFS);
}

hm_tv *hm_pm_conflict_item(hm_pm *m, hm_tv *list, uint32_t conflict) {
  const hm_vconflict *c = &m->v->conflicts[conflict];
  if (hm_pm_whole_conflict(m, conflict)) return m->nothing;
  hm_tv *item = hm_pm_item(m, list);
  hm_pm_text(m, item, "label", hm_link_label(m->a, c->title, 300));
  hm_pm_url(m, item, "url", c->path, HM_EMPTY);
  hm_pm_short(m, item, "id", c->rec->id, 80);
  hm_pm_text(m, item, "since", hm_pm_since(m, c->dispute));
  hm_pm_text(m, item, "withheld", hm_pm_withheld(m, c));
  hm_pm_bool(m, item, "disputed", c->dispute != NULL);
  hm_pm_bool(m, item, "open", c->rec->status == HM_OPEN);
  hm_pm_text(m, item, "verdict", hm_str_c(hm_verdict_name(c->rec->status)));
  hm_pm_short(m, item, "resolved_at", c->rec->resolved_at, 60);
  hm_pm_short(m, item, "resolved_by", c->rec->resolved_by, 120);
  hm_pm_text(m, item, "resolution",
             c->withheld ? HM_EMPTY : hm_short(m->a, c->rec->resolution, 400));
  hm_pm_ref_row(m, item, "winner", c->rec->winner);
  put_values(m, item, c);
  return item;
}

hm_tv *hm_pm_conflict_of_project(hm_pm *m, hm_tv *list, uint32_t conflict) {
  hm_tv *item = hm_pm_conflict_item(m, list, conflict);
  hm_pm_text(m, item, "label", hm_link_label(m->a, m->v->conflicts[conflict].name, 300));
  return item;
}

/* --- the index ------------------------------------------------------------ */

bool hm_is_settled(const hm_vconflict *c) {
  return c->rec->status == HM_RESOLVED || c->rec->status == HM_DISMISSED;
}
static bool is_signoff(const hm_vconflict *c) { return c->rec->status == HM_OPEN && !c->dispute; }
static bool is_disputed(const hm_vconflict *c) { return c->dispute != NULL; }

static void add_of_project(hm_pm *m, hm_tv *projects, uint32_t from, uint32_t to, hm_str label,
                           hm_str path, bool (*want)(const hm_vconflict *)) {
  hm_tv *list = NULL;
  for (uint32_t i = from; i < to; i++) {
    if (!want(&m->v->conflicts[m->v->by_project[i]])) continue;
    if (!list) {
      hm_tv *p = hm_pm_item(m, projects);
      hm_pm_text(m, p, "label", hm_link_label(m->a, label, 120));
      hm_pm_url(m, p, "url", path, HM_EMPTY);
      list = hm_pm_list(m, p, "conflicts");
    }
    if (path.n) hm_pm_conflict_of_project(m, list, m->v->by_project[i]);
    else hm_pm_conflict_item(m, list, m->v->by_project[i]);
  }
}

static void add_all(hm_pm *m, hm_tv *model, const char *key, bool (*want)(const hm_vconflict *)) {
  const hm_view *v = m->v;
  hm_tv *projects = hm_pm_list(m, model, key);
  uint32_t end = 0;
  for (uint32_t p = 0; p < v->n_projects; p++) {
    const hm_vproject *pr = &v->projects[p];
    hm_str path = hm_str_fmt(m->a, "%.*sREADME.md", HM_FMT(pr->dir));
    add_of_project(m, projects, pr->c_from, pr->c_to, pr->label, path, want);
    end = pr->c_to;
  }
  add_of_project(m, projects, end, v->n_conflicts, HM_STR("Other projects"), HM_EMPTY, want);
}

/* Years that have an archive page, newest first: as many as there are digits for, and "undated". */
static void put_years(hm_pm *m, hm_tv *model) {
  enum { YEARS = 10000 };
  bool *has = hm_alloc_array(m->a, YEARS + 1, sizeof *has);
  for (uint32_t i = 0; i < m->v->n_conflicts; i++) {
    hm_time t;
    hm_precision p;
    const hm_conflict_rec *r = m->v->conflicts[i].rec;
    if (!hm_is_settled(&m->v->conflicts[i])) continue;
    int year = hm_time_parse(r->resolved_at, &t, &p) ? hm_time_year(t) : YEARS;
    has[year >= 0 && year < YEARS ? year : YEARS] = true;
  }
  hm_tv *years = hm_pm_list(m, model, "years");
  for (int y = YEARS; y >= 0; y--) {
    if (!has[y]) continue;
    hm_str name = y == YEARS ? HM_STR("undated") : hm_str_fmt(m->a, "%04d", y);
    hm_tv *item = hm_pm_item(m, years);
    hm_pm_text(m, item, "label", name);
    hm_pm_url(m, item, "url", hm_str_fmt(m->a, "conflicts/archive/%.*s.md", HM_FMT(name)),
              HM_EMPTY);
  }
}

static hm_str list_title(hm_pm *m, const hm_clist *list) {
  if (!list->year.n) return HM_STR("Conflicts");
  return hm_str_is(list->year, "undated")
      ? HM_STR("Conflicts settled without a date")
      : hm_str_fmt(m->a, "Conflicts settled in %.*s", HM_FMT(list->year));
}

/* Title, and the way back to the whole from one of several parts. */
static const hm_cpart *part_head(hm_pm *m, hm_tv *model) {
  const hm_clist *list = m->p->data;
  const hm_cpart *p = &list->parts[m->p->from];
  hm_str whole = list_title(m, list), title = whole;
  if (list->n > 1) title = hm_str_fmt(m->a, "%.*s: %.*s", HM_FMT(whole), HM_FMT(p->label));
  hm_pm_text(m, model, "heading", title);
  hm_pm_head(m, model, title, HM_STR("Where recorded facts contradict each other"));
  if (list->n > 1) hm_pm_ref(m, model, "index", whole, list->path, HM_EMPTY);
  else hm_pm_flag(m, model, "index", false);
  return p;
}

void hm_pm_parts(hm_pm *m, hm_tv *model, const hm_clist *list) {
  hm_tv *parts = hm_pm_list(m, model, "parts");
  for (uint32_t i = 0; i < list->n && list->n > 1; i++) {
    hm_tv *item = hm_pm_item(m, parts);
    hm_pm_text(m, item, "label", hm_link_label(m->a, list->parts[i].label, 120));
    hm_pm_url(m, item, "url", list->parts[i].path, HM_EMPTY);
    hm_pm_raw(m, item, "count_text",
              hm_str_fmt(m->a, "%u", list->parts[i].to - list->parts[i].from));
  }
  hm_pm_bool(m, model, "has_parts", list->n > 1);
}

void hm_page_conflicts(hm_pm *m, hm_tv *model) {
  const hm_clist *list = m->p->data;
  hm_pm_text(m, model, "heading", HM_STR("Conflicts"));
  hm_pm_head(m, model, HM_STR("Conflicts"), HM_STR("Where recorded facts contradict each other"));
  hm_pm_parts(m, model, list);
  if (list->n == 1) {
    add_all(m, model, "disputed", is_disputed);
    add_all(m, model, "signoff", is_signoff);
  }
  put_years(m, model);
}

void hm_page_conflicts_part(hm_pm *m, hm_tv *model) {
  const hm_clist *list = m->p->data;
  const hm_cpart *p = part_head(m, model);
  hm_tv *disputed = hm_pm_list(m, model, "disputed"), *signoff = hm_pm_list(m, model, "signoff");
  for (uint32_t i = p->from; i < p->to; i++)
    hm_pm_conflict_item(m, is_disputed(&m->v->conflicts[list->order[i]]) ? disputed : signoff,
                        list->order[i]);
}

void hm_page_archive(hm_pm *m, hm_tv *model) {
  const hm_clist *list = m->p->data;
  const hm_cpart *p = part_head(m, model);
  hm_tv *conflicts = hm_pm_list(m, model, "conflicts");
  for (uint32_t i = p->from; i < p->to; i++)
    hm_pm_gave_way(m, hm_pm_conflict_item(m, conflicts, list->order[i]), list->order[i]);
}

void hm_page_archive_index(hm_pm *m, hm_tv *model) {
  hm_str title = list_title(m, m->p->data);
  hm_pm_text(m, model, "heading", title);
  hm_pm_head(m, model, title, title);
  hm_pm_parts(m, model, m->p->data);
  hm_pm_flag(m, model, "candidates", false);
}

/* --- the front page ------------------------------------------------------------------------ */

static void put_project_line(hm_pm *m, hm_tv *list, const hm_vproject *p) {
  hm_tv *item = hm_pm_item(m, list);
  hm_pm_text(m, item, "label", hm_link_label(m->a, p->label, 120));
  hm_pm_url(m, item, "url", hm_str_fmt(m->a, "%.*sREADME.md", HM_FMT(p->dir)), HM_EMPTY);
  hm_pm_short(m, item, "id", m->v->snap->projects[p->snap].id, 120);
  hm_pm_int(m, item, "state", p->active[HM_STATE]);
  hm_pm_int(m, item, "entities", p->active[HM_ENTITY]);
  hm_pm_int(m, item, "memories", p->active[HM_MEMORY]);
  hm_pm_int(m, item, "relations", p->active[HM_RELATION]);
  hm_pm_int(m, item, "disputed", p->disputed);
  hm_pm_int(m, item, "signoff", p->signoff);
}

static void put_counts(hm_pm *m, hm_tv *model) {
  const hm_view_counts *n = &m->v->counts;
  const struct { const char *key; int64_t n;
  } counts[] = { { "n_projects", n->projects },
                 { "n_state", n->rows[HM_STATE] },
                 { "n_entities", n->rows[HM_ENTITY] },
                 { "n_memories", n->rows[HM_MEMORY] },
                 { "n_relations", n->rows[HM_RELATION] },
                 { "n_candidates", n->candidates },
                 { "n_open", n->open_conflicts },
                 { "n_disputed", n->disputed },
                 { "n_signoff", n->signoff },
                 { "n_resolved", n->resolved },
                 { "n_dismissed", n->dismissed },
                 { "n_findings", n->findings } };
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    hm_pm_int(m, model, counts[i].key, counts[i].n);
}

static void put_findings(hm_pm *m, hm_tv *model) {
  hm_tv *list = hm_pm_list(m, model, "finding_projects");
  int left = HM_SHOWN;
  for (uint32_t p = 0; p < m->v->n_projects && left >= 0; p++) {
    const hm_vproject *pr = &m->v->projects[p];
    if (pr->f_from == pr->f_to || left-- <= 0) continue;
    hm_tv *item = hm_pm_item(m, list);
    hm_pm_text(m, item, "label", hm_link_label(m->a, pr->label, 120));
    hm_pm_url(m, item, "url", hm_str_fmt(m->a, "%.*sREADME.md", HM_FMT(pr->dir)),
              HM_STR("findings"));
    hm_pm_int(m, item, "count", pr->f_to - pr->f_from);
  }
  hm_pm_bool(m, model, "more_findings", left < 0);
}

static void put_projects(hm_pm *m, hm_tv *model, uint32_t from, uint32_t to) {
  hm_tv *projects = hm_pm_list(m, model, "projects");
  for (uint32_t i = from; i < to; i++) put_project_line(m, projects, &m->v->projects[i]);
}

void hm_page_projects_part(hm_pm *m, hm_tv *model) {
  const hm_clist *list = m->p->data;
  const hm_cpart *p = &list->parts[m->p->from];
  hm_str title = hm_str_fmt(m->a, "Projects: %.*s", HM_FMT(p->label));
  hm_pm_text(m, model, "heading", title);
  hm_pm_head(m, model, title, title);
  put_projects(m, model, p->from, p->to);
}

void hm_page_root(hm_pm *m, hm_tv *model) {
  hm_pm_text(m, model, "heading", m->v->opt.title);
  hm_pm_head(
      m, model, m->v->opt.title,
      HM_STR("What our projects hold true, and where the recorded facts contradict each other"));
  put_counts(m, model);
  const hm_clist *list = m->p->data;
  hm_pm_parts(m, model, list);
  if (list->n == 1) put_projects(m, model, 0, m->v->n_projects);
  put_findings(m, model);
  hm_pm_url(m, model, "conflicts_url", HM_STR("conflicts/README.md"), HM_EMPTY);
}
