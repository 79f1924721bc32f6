/* Lists of conflicts (the index, the ones awaiting sign-off, the archive) and of projects (the
 * front page). Long lists are split by the beginning of their titles or by date. */
#include <stdlib.h>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/detect/conflict.h"
#include "model.h"

static int by_key(const void *x, const void *y) {
  const hm_keyed *a = x, *b = y;
  int c = hm_str_cmp(a->year, b->year);
  return c ? c : hm_str_cmp(a->key, b->key);
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

static bool conflicts_are_long(const void *list, uint32_t from, uint32_t to) {
  const hm_sorted *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to; i++) all += conflict_bytes(&s->v->conflicts[s->k[i].item]);
  return all > HM_PART_BYTES;
}

static bool projects_are_long(const void *list, uint32_t from, uint32_t to) {
  const hm_sorted *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to; i++) {
    const hm_vproject *p = &s->v->projects[s->k[i].item];
    all += ITEM_BYTES + hm_page_bytes(hm_str_sub(p->label, 0, 120)) +
           hm_page_bytes(hm_str_sub(s->v->snap->projects[p->snap].id, 0, 120));
  }
  return all > HM_PART_BYTES;
}

void hm_list_items(const hm_view *v, hm_arena *a, const hm_keyed *k, uint32_t n, hm_split_kind kind,
                   hm_is_long_fn *is_long, hm_str folder, hm_clist *out) {
  static const char *const reserved[] = { "readme", "index", NULL };
  hm_piece *pieces;
  hm_str *keys = hm_alloc_array(a, n + 1, sizeof *keys);
  uint32_t *order = hm_alloc_array(a, n + 1, sizeof *order);
  for (uint32_t i = 0; i < n; i++) keys[i] = k[i].key, order[i] = k[i].item;
  out->order = order;
  hm_split(keys, n, v->opt.list_limit, is_long, &(hm_sorted){ v, k }, kind, a, &pieces, &out->n);
  if (!out->year.n) hm_sort_pieces(keys, order, pieces, out->n, a);
  hm_named *names = hm_alloc_array(a, out->n + 1, sizeof *names);
  for (uint32_t i = 0; i < out->n; i++)
    names[i] = (hm_named){ .name = hm_piece_stem(a, &pieces[i]),
                           .id = hm_piece_key(a, HM_EMPTY, &pieces[i]) };
  if (out->n > 1) hm_slugs(names, out->n, reserved, a);
  out->parts = hm_alloc_array(a, out->n + 1, sizeof *out->parts);
  for (uint32_t i = 0; i < out->n; i++) {
    hm_cpart *p = &out->parts[i];
    *p = (hm_cpart){ .from = pieces[i].from, .to = pieces[i].to, .path = out->path };
    if (out->n == 1) continue;
    p->label = hm_piece_label(a, &pieces[i]);
    p->path = HM_CAT(a, folder, names[i].slug, HM_STR(".md"));
  }
}

hm_clist *hm_project_list(const hm_view *v, hm_arena *a) {
  hm_keyed *k = hm_alloc_array(a, v->n_projects + 1, sizeof *k);
  hm_clist *list = hm_alloc(a, sizeof *list);
  *list = (hm_clist){ .path = HM_STR("README.md") };
  for (uint32_t i = 0; i < v->n_projects; i++)
    k[i] = (hm_keyed){ HM_EMPTY, v->projects[i].list_key, i };
  qsort(k, v->n_projects, sizeof *k, by_key);
  hm_list_items(v, a, k, v->n_projects, HM_SPLIT_NAME, projects_are_long, HM_STR("projects/"),
                list);
  return list;
}

hm_clist *hm_conflict_lists(const hm_view *v, hm_arena *a) {
  hm_keyed *open = hm_alloc_array(a, v->n_conflicts + 1, sizeof *open),
           *k = hm_alloc_array(a, v->n_conflicts + 1, sizeof *k);
  uint32_t n_open = 0, n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_vconflict *c = &v->conflicts[i];
    hm_time t;
    hm_precision p;
    if (c->rec->status == HM_OPEN) open[n_open++] = (hm_keyed){ HM_EMPTY, c->list_key, i };
    if (!hm_is_settled(c)) continue;
    bool dated = hm_time_parse(c->rec->resolved_at, &t, &p);
    k[n++] = (hm_keyed){
      dated ? hm_str_fmt(a, "%04d", hm_time_year(t)) : HM_STR("undated"),
      HM_CAT(a, dated ? hm_time_iso(a, t) : HM_STR(""), (hm_str){ "", 1 }, c->rec->id), i
    };
  }
  qsort(open, n_open, sizeof *open, by_key);
  qsort(k, n, sizeof *k, by_key);
  hm_clist *list = hm_alloc(a, sizeof *list);
  *list = (hm_clist){ .path = HM_STR("conflicts/README.md"),
                      .years = hm_alloc_array(a, n + 1, sizeof *list->years) };
  hm_list_items(v, a, open, n_open, HM_SPLIT_NAME, conflicts_are_long, HM_STR("conflicts/open/"),
                list);
  for (uint32_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && hm_str_eq(k[from].year, k[to].year); to++) continue;
    hm_clist *year = &list->years[list->n_years++];
    *year =
        (hm_clist){ .path = HM_CAT(a, HM_STR("conflicts/archive/"), k[from].year, HM_STR(".md")),
                    .year = k[from].year };
    hm_list_items(v, a, k + from, to - from,
                  hm_str_is(k[from].year, "undated") ? HM_SPLIT_NAME : HM_SPLIT_TIME,
                  conflicts_are_long, HM_STR("conflicts/archive/"), year);
  }
  return list;
}

/* --- lists of conflicts -------------------------------------------------------------------- */

hm_str hm_pm_withheld(hm_pm *m, const hm_vconflict *c) {
  if (c->withheld == 0) return HM_EMPTY;
  return hm_counted(m->a, c->withheld, "claim withheld", "claims withheld");
}

/* Midnight is a date without a time of day more often than it is midnight. Where a row of the pair
 * that it comes from says only a year or month, so does this. */
hm_str hm_since_text(const hm_view *v, const hm_dispute *d, hm_arena *a) {
  if (!d || d->since == HM_TIME_MIN) return HM_EMPTY;
  for (int i = 0; i < 2 && d->first[i]; i++) {
    const hm_row *r = &v->snap->rows[d->first[i]->row];
    hm_str text = hm_str_trim(r->valid_from.n ? r->valid_from : r->created_at);
    hm_time t;
    hm_precision p;
    if (hm_time_parse(text, &t, &p) && p < HM_P_DAY && t == d->since) return text;
  }
  hm_str iso = hm_time_iso(a, d->since);
  return hm_str_ends(iso, "T00:00:00Z") ? hm_str_sub(iso, 0, 10) : iso;
}

hm_str hm_pm_since(hm_pm *m, const hm_dispute *d) { return hm_since_text(m->v, d, m->a); }

hm_str hm_action_words(hm_pm *m, const hm_conflict_rec *r) {
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
  if (hm_str_is(r->action, "no_action")) return HM_STR("no row was changed");
  if (!others && !hm_str_is(r->action, "supersede_opponents")) return hm_short(m->a, r->action, 80);
  bool many = hm_winners_of(m->a, r->winner, &winners) > 1;
  return hm_str_fmt(m->a, "the winner%s, %s", many ? "s stand" : " stands",
                    words[others][hm_str_is(r->scope, "field_only")][many]);
}

void hm_pm_winners(hm_pm *m, hm_tv *o, const hm_conflict_rec *rec) {
  hm_tv *list = hm_pm_list(m, o, "winner");
  hm_str *winners;
  size_t n = hm_winners_of(m->a, rec->winner, &winners);
  for (size_t i = 0; i < n; i++) {
    uint32_t row = hm_snapshot_ref(m->v->snap, HM_ENTITY, winners[i]);
    if (row != HM_NONE) hm_pm_row_fields(m, hm_pm_item(m, list), row);
  }
}

void hm_pm_gave_way(hm_pm *m, hm_tv *o, uint32_t conflict) {
  const hm_conflict_rec *rec = m->v->conflicts[conflict].rec;
  const hm_snapshot *snap = m->v->snap;
  hm_tv *rows = NULL;
  size_t n = 0;
  hm_pm_flag(m, o, "gave_way", false);
  for (size_t i = 0; i < rec->n_members && rec->winner.n && n <= HM_REFS; i++) {
    const hm_member_rec *r = &rec->members[i];
    uint32_t row = hm_snapshot_row(snap, r->layer, r->id);
    /* A member by two fields is listed twice, in a row. */
    if (i && r->layer == r[-1].layer && hm_str_eq(r->id, r[-1].id)) continue;
    if (row == HM_NONE || !hm_view_listed(m->v, row) || snap->rows[row].status != HM_SUPERSEDED)
      continue;
    uint32_t winner = hm_snapshot_named(snap, row, HM_NAMES_SUPERSEDED_BY);
    if (winner == HM_NONE || hm_view_settled(m->v, row, winner) != conflict || n++ == HM_REFS)
      continue;
    if (!rows) rows = hm_pm_list(m, hm_pm_obj(m, o, "gave_way"), "rows");
    hm_tv *item = hm_pm_item(m, rows);
    hm_pm_row_fields(m, item, row);
    hm_pm_short(m, item, "value", r->value, 80);
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
  hm_pm_date(m, item, "since", hm_pm_since(m, c->dispute));
  hm_pm_text(m, item, "withheld", hm_pm_withheld(m, c));
  hm_pm_bool(m, item, "disputed", c->dispute != NULL);
  hm_pm_bool(m, item, "open", c->rec->status == HM_OPEN);
  hm_pm_settled_later(m, item, c);
  hm_pm_text(m, item, "verdict", hm_str_c(hm_verdict_name(c->rec->status)));
  hm_pm_date(m, item, "resolved_at", c->rec->resolved_at);
  hm_pm_short(m, item, "resolved_by", c->rec->resolved_by, 120);
  hm_pm_text(m, item, "resolution",
             c->withheld ? HM_EMPTY : hm_short(m->a, c->rec->resolution, 400));
  hm_pm_winners(m, item, c->rec);
  hm_tv *values = hm_pm_list(m, item, "values");
  hm_side *s;
  size_t n = hm_sides(m, c, &s), shown = 0;
  hm_map seen;
  hm_map_init(&seen, m->a, n);
  for (size_t i = 0; i < n && shown < VALUES; i++) {
    if (hm_map_add(&seen, s[i].value, (uint32_t)i) != i) continue;
    hm_tv *v = hm_pm_item(m, values);
    hm_pm_short(m, v, "value", s[i].value, VALUE_BYTES);
    hm_pm_raw(m, v, "sep", shown++ ? HM_STR(" / ") : HM_EMPTY);
  }
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
/* The open conflicts of each project: the disputed ones, or the ones awaiting sign-off. */
static void put_open(hm_pm *m, hm_tv *model, const char *key, bool disputed) {
  const hm_view *v = m->v;
  hm_tv *projects = hm_pm_list(m, model, key);
  uint32_t at = 0;
  for (uint32_t p = 0; p <= v->n_projects; p++) {
    const hm_vproject *pr = p < v->n_projects ? &v->projects[p] : NULL;   /* NULL: of none */
    hm_tv *list = NULL;
    for (uint32_t end = pr ? pr->c_to : v->n_conflicts; at < end; at++) {
      const hm_vconflict *c = &v->conflicts[v->by_project[at]];
      if (c->rec->status != HM_OPEN || (c->dispute != NULL) != disputed) continue;
      if (!list) {
        hm_tv *item = hm_pm_item(m, projects);
        hm_pm_text(m, item, "label",
                   hm_link_label(m->a, pr ? pr->label : HM_STR("Other projects"), 120));
        hm_pm_url(m, item, "url",
                  pr ? HM_CAT(m->a, pr->dir, HM_STR("README.md")) : HM_EMPTY, HM_EMPTY);
        list = hm_pm_list(m, item, "conflicts");
      }
      if (pr) hm_pm_conflict_of_project(m, list, v->by_project[at]);
      else hm_pm_conflict_item(m, list, v->by_project[at]);
    }
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
              hm_grouped(m->a, list->parts[i].to - list->parts[i].from));
  }
  hm_pm_bool(m, model, "has_parts", list->n > 1);
}

void hm_page_conflicts(hm_pm *m, hm_tv *model) {
  const hm_clist *list = m->p->data;
  hm_pm_text(m, model, "heading", HM_STR("Conflicts"));
  hm_pm_head(m, model, HM_STR("Conflicts"), HM_STR("Where recorded facts contradict each other"));
  hm_pm_parts(m, model, list);
  if (list->n == 1) {
    put_open(m, model, "disputed", true);
    put_open(m, model, "signoff", false);
  }
  hm_tv *years = hm_pm_list(m, model, "years");
  for (uint32_t i = list->n_years; i-- > 0;) {   /* newest first */
    hm_tv *item = hm_pm_item(m, years);
    hm_pm_text(m, item, "label", list->years[i].year);
    hm_pm_url(m, item, "url", list->years[i].path, HM_EMPTY);
  }
}

void hm_page_conflicts_part(hm_pm *m, hm_tv *model) {
  const hm_clist *list = m->p->data;
  const hm_cpart *p = part_head(m, model);
  hm_tv *disputed = hm_pm_list(m, model, "disputed"), *signoff = hm_pm_list(m, model, "signoff");
  for (uint32_t i = p->from; i < p->to; i++)
    hm_pm_conflict_item(m, m->v->conflicts[list->order[i]].dispute ? disputed : signoff,
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
  for (size_t i = 0; i < HM_COUNT(counts); i++)
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

static void put_projects(hm_pm *m, hm_tv *model, const hm_clist *list, const hm_cpart *p) {
  hm_tv *projects = hm_pm_list(m, model, "projects");
  for (uint32_t i = p->from; i < p->to; i++)
    put_project_line(m, projects, &m->v->projects[list->order[i]]);
}

void hm_page_projects_part(hm_pm *m, hm_tv *model) {
  const hm_clist *list = m->p->data;
  const hm_cpart *p = &list->parts[m->p->from];
  hm_str title = hm_str_fmt(m->a, "Projects: %.*s", HM_FMT(p->label));
  hm_pm_text(m, model, "heading", title);
  hm_pm_head(m, model, title, title);
  put_projects(m, model, list, p);
}

void hm_page_root(hm_pm *m, hm_tv *model) {
  hm_pm_text(m, model, "heading", m->v->opt.title);
  hm_pm_head(
      m, model, m->v->opt.title,
      HM_STR("What our projects hold true, and where the recorded facts contradict each other"));
  put_counts(m, model);
  const hm_clist *list = m->p->data;
  hm_pm_parts(m, model, list);
  if (list->n == 1) put_projects(m, model, list, list->parts);
  put_findings(m, model);
  hm_pm_url(m, model, "findings_url", HM_STR("findings/README.md"), HM_EMPTY);
  hm_pm_url(m, model, "conflicts_url", HM_STR("conflicts/README.md"), HM_EMPTY);
}
