/* The page of pictures, of a project and of all: conflicts by the time during which they existed,
 * disputes by the time at which they began, and the drawings of graphs.c.
 *
 * A conflict begins when its first two disagreeing rows both exist, by its dispute, or, if it is no
 * longer in dispute, by its recorded members. It ends with its verdict. It counts once, under its
 * most trusted published layer. Times come only from facts and verdicts, not from the clock: the
 * last row is the last month in which something began or ended.
 * Cost: linear in the members of conflicts. */
#include <stdlib.h>
#include <string.h>

#include "core/base/time.h"
#include "gen/draw/draw.h"
#include "model.h"

enum { MONTHS_MAX = 24, RUN = 3, LAYERS = HM_CHART_PARTS };
typedef enum { CHART_STOOD, CHART_OPEN, CHARTS } chart_kind;

static const struct {
  const char *file, *title, *text;
} charts[CHARTS] = {
  [CHART_STOOD] = { "stood", "Disputes over time, by layer",
                    "Conflicts that stood in each month or year, from their beginning to their "
                    "verdict, by the most trusted layer that takes part." },
  [CHART_OPEN] = { "open", "Open disputes by when they began",
                   "What is in dispute now, by the month or year in which the first two rows that "
                   "disagree both stood." },
};

/* --- when a conflict stood -------------------------------------------------------------- */

static const hm_layer layers[LAYERS] = { HM_STATE, HM_ENTITY, HM_MEMORY, HM_RELATION };
static const char *const layer_names[LAYERS] = { "curated state", "entities", "memories",
                                                 "relations" };

static int layer_place(hm_layer l) {
  int i = 0;
  while (i < LAYERS - 1 && layers[i] != l)
    i++;
  return i;
}

/* The most trusted layer of what shows. */
static int layer_of(const hm_view *v, const hm_vconflict *c, hm_arena *a) {
  int least = LAYERS - 1;
  for (size_t i = 0; c->dispute && i < c->dispute->n; i++) {
    const hm_claim *claim = c->dispute->parties[i].claim;
    int at = layer_place(claim->layer);
    if (at < least && hm_view_claim_shown(v, claim, a))
      least = at;
  }
  for (size_t i = 0; !c->dispute && i < c->rec->n_members; i++) {
    int at = layer_place(c->rec->members[i].layer);
    if (at < least && hm_view_member_shown(v, &c->rec->members[i], a))
      least = at;
  }
  return least;
}

static hm_time row_begin(const hm_row *r) {
  hm_time t;
  hm_precision p;
  if (hm_time_parse(r->valid_from, &t, &p) || hm_time_parse(r->created_at, &t, &p))
    return t;
  return HM_TIME_MIN;
}

/* Of recorded members that show: when the first and one that says something else both stood. */
static hm_time members_begin(const hm_view *v, const hm_conflict_rec *rec, hm_arena *a) {
  const hm_member_rec *first = NULL;
  hm_time begin = HM_TIME_MIN, first_at = HM_TIME_MIN;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < rec->n_members; i++) {
      const hm_member_rec *m = &rec->members[i];
      uint32_t row = hm_snapshot_row(v->snap, m->layer, m->id);
      hm_time at = row == HM_NONE ? HM_TIME_MIN : row_begin(&v->snap->rows[row]);
      if (at == HM_TIME_MIN || !hm_view_member_shown(v, m, a))
        continue;
      if (pass == 0 && (!first || at < first_at))
        first = m, first_at = at;
      bool differs = pass && !hm_str_eq(m->normal, first->normal);
      if (differs && (begin == HM_TIME_MIN || at < begin))
        begin = at;
    }
  return begin;
}

/* Months since the year 0; false: no time, or none of a calendar with months. */
static bool month_of(hm_time t, int *out) {
  int year = t == HM_TIME_MIN || t == HM_TIME_MAX ? 0 : hm_time_year(t);
  if (year < 1 || year > 9999)
    return false;
  int lo = 0, hi = 12;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (hm_time_shift(0, HM_P_MONTH, (int64_t)(year - 1970) * 12 + mid) <= t)
      lo = mid;
    else
      hi = mid;
  }
  *out = year * 12 + lo;
  return true;
}

typedef struct {
  int from, until, layer;
} stood; /* months; until: the last in which it stood */

/* False: nobody says when. until: INT32_MAX where there is no verdict. */
static bool find_time_span(const hm_view *v, const hm_vconflict *c, hm_arena *a, stood *out) {
  hm_time t, begin = c->dispute ? c->since : members_begin(v, c->rec, a);
  hm_precision p;
  if (!month_of(begin, &out->from))
    return false;
  out->until = INT32_MAX;
  out->layer = layer_of(v, c, a);
  if (!hm_conflict_is_settled(c))
    return true;
  if (!hm_time_parse(c->rec->resolved_at, &t, &p) || !month_of(t, &out->until))
    return false;
  if (out->until < out->from)
    out->until = out->from;
  return true;
}

/* --- counts by time ----------------------------------------------------------------------- */

typedef struct {
  hm_draw_bar_chart model;
  hm_draw_bar_row *rows;
  size_t unknown, n; /* without a time; with one */
} chart;

static hm_str unit_label(hm_arena *a, int unit, bool years) {
  if (years)
    return hm_str_fmt(a, "%04d", unit);
  return hm_format_date(a, hm_str_fmt(a, "%04d-%02d", unit / 12, unit % 12 + 1));
}

/* Names the rows, of which the first is `first`; `run` and more with equal counts are one. cut:
 * the first of all has what is older, too. */
static void name_rows(chart *ch, int first, int n, int run, bool years, bool cut, hm_arena *a) {
  hm_draw_bar_row *c = ch->rows;
  int kept = 0;
  for (int i = 0, to; i < n; i = to) {
    for (to = i + 1; to < n && !memcmp(c[i].n, c[to].n, sizeof c[i].n); to++)
      continue;
    if (to - i < run)
      to = i + 1;
    hm_str last = unit_label(a, first + to - 1, years);
    c[kept] = c[i];
    if (cut && i == 0)
      c[kept].label = HM_CAT(a, HM_STR("until "), last);
    else if (to == i + 1)
      c[kept].label = last;
    else
      c[kept].label = HM_CAT(a, unit_label(a, first + i, years), HM_STR(" to "), last);
    kept++;
  }
  ch->model.n = (size_t)kept;
}

/* Each row's count is the sum of what began until then, less what ended before it. */
static void count_rows(chart *ch, const stood *all, chart_kind kind, hm_arena *a) {
  int lo = INT32_MAX, hi = INT32_MIN;
  for (size_t i = 0; i < ch->n; i++) {
    int last = all[i].until == INT32_MAX || kind == CHART_OPEN ? all[i].from : all[i].until;
    if (all[i].from < lo)
      lo = all[i].from;
    if (last > hi)
      hi = last;
  }
  if (!ch->n)
    return;
  bool years = hi - lo >= MONTHS_MAX;
  int per = years ? 12 : 1, first = lo / per, n = hi / per - first + 1;
  bool cut = n > HM_CHART_ROWS_MAX;
  if (cut)
    first = hi / per - HM_CHART_ROWS_MAX + 1, n = HM_CHART_ROWS_MAX;
  ch->rows = hm_alloc_array(a, (size_t)n + 1, sizeof *ch->rows);
  for (size_t i = 0; i < ch->n; i++) {
    int from = all[i].from / per - first, until = hi / per - first;
    if (kind == CHART_OPEN)
      until = from < 0 ? 0 : from;
    else if (all[i].until != INT32_MAX)
      until = all[i].until / per - first;
    for (int k = from < 0 ? 0 : from; k <= until; k++)
      ch->rows[k].n[all[i].layer]++;
  }
  /* what began in a month is not what began in three */
  name_rows(ch, first, n, kind == CHART_OPEN ? n + 1 : RUN, years, cut, a);
}

/* Rows in which nothing began say nothing. */
static void drop_empty(chart *ch) {
  size_t kept = 0;
  for (size_t i = 0; i < ch->model.n; i++) {
    uint32_t sum = 0;
    for (int k = 0; k < LAYERS; k++)
      sum += ch->rows[i].n[k];
    if (sum)
      ch->rows[kept++] = ch->rows[i];
  }
  ch->model.n = kept;
}

static chart chart_of(const hm_view *v, uint32_t project, chart_kind kind, hm_arena *a) {
  const hm_vproject *p = project == HM_NONE ? NULL : &v->projects[project];
  uint32_t from = p ? p->c_from : 0, to = p ? p->c_to : v->n_conflicts;
  stood *all = hm_alloc_array(a, to - from + 1, sizeof *all);
  chart ch = { 0 };
  for (uint32_t i = from; i < to; i++) {
    const hm_vconflict *c = &v->conflicts[p ? v->by_project[i] : i];
    if (kind == CHART_OPEN && !c->dispute)
      continue;
    if (c->rec->status != HM_OPEN && !hm_conflict_is_settled(c))
      continue;
    if (find_time_span(v, c, a, &all[ch.n]))
      ch.n++;
    else
      ch.unknown++;
  }
  count_rows(&ch, all, kind, a);
  if (kind == CHART_OPEN)
    drop_empty(&ch);
  ch.model.rows = ch.rows;
  for (int i = 0; i < LAYERS; i++)
    ch.model.parts[i] = layer_names[i];
  return ch;
}

static hm_str label_of(const hm_view *v, uint32_t project) {
  return project == HM_NONE ? v->opt.title : v->projects[project].label;
}

hm_str hm_pictures_path(const hm_view *v, uint32_t project, hm_arena *a) {
  const hm_vproject *p = project == HM_NONE ? NULL : &v->projects[project];
  bool any = p ? p->c_to > p->c_from : v->n_conflicts > 0;
  for (int k = 0; p && k < HM_GRAPHS; k++)
    any |= p->graphs[k].edges > 0;
  if (!any)
    return HM_EMPTY;
  return HM_CAT(a, p ? p->dir : HM_EMPTY, HM_STR("pictures/README.md"));
}

/* --- files ------------------------------------------------------------------------------------ */

static hm_str chart_path(const hm_view *v, uint32_t project, chart_kind kind, hm_arena *a) {
  return hm_str_fmt(a, "%.*spictures/%s.svg",
                    HM_FMT(project == HM_NONE ? HM_EMPTY : v->projects[project].dir),
                    charts[kind].file);
}

static uint32_t project_at(const hm_view *v, uint32_t index) {
  return index / CHARTS < v->n_projects ? index / CHARTS : HM_NONE;
}

static void chart_file(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  uint32_t project = project_at(v, f->index);
  chart_kind kind = f->index % CHARTS;
  chart ch = chart_of(v, project, kind, a);
  hm_str label = hm_shorten(a, label_of(v, project), 200);
  ch.model.title = hm_str_fmt(a, "%s: %.*s", charts[kind].title, HM_FMT(label));
  ch.model.desc = HM_STR("The table of the page says the same.");
  hm_draw_bar_chart_svg(&ch.model, out);
}

void hm_list_chart_files(const hm_view *v, hm_arena *a, hm_pages *out) {
  hm_arena *tmp = hm_arena_new();
  for (uint32_t i = 0; i < (v->n_projects + 1) * CHARTS; i++) {
    uint32_t project = project_at(v, i);
    if (!hm_pictures_path(v, project, tmp).n || !chart_of(v, project, i % CHARTS, tmp).model.n)
      continue;
    hm_pages_add_file(out, a, chart_path(v, project, i % CHARTS, a), chart_file, i);
  }
  hm_arena_free(tmp);
}

/* --- the page ------------------------------------------------------------------------------ */

static void put_chart(hm_model *m, hm_node *list, uint32_t project, chart_kind kind) {
  chart ch = chart_of(m->v, project, kind, m->a);
  if (!ch.model.n && !ch.unknown)
    return;
  hm_node *item = hm_model_add_item(m, list);
  hm_model_set_text(m, item, "title", hm_str_c(charts[kind].title));
  hm_model_set_text(m, item, "text", hm_str_c(charts[kind].text));
  hm_node_set_bool(item, "drawing", false);
  if (ch.model.n) {
    hm_node *drawing = hm_node_set_obj(item, "drawing");
    hm_model_set_url(m, drawing, "url", chart_path(m->v, project, kind, m->a), HM_EMPTY);
    hm_model_set_drawing_size(m, drawing,
                              (hm_draw_size){ .h = hm_draw_bar_chart_height(&ch.model) });
  }
  hm_node *rows = hm_node_set_list(item, "rows");
  for (size_t i = 0; i < ch.model.n; i++) {
    hm_node *row = hm_model_add_item(m, rows);
    hm_model_set_text(m, row, "label", ch.rows[i].label);
    hm_model_set_text(m, row, "words", hm_bar_row_words(m->a, &ch.model, &ch.rows[i]));
  }
  hm_model_set_text(m, item, "unknown",
                    ch.unknown ? hm_str_fmt(m->a, "%zu", ch.unknown) : HM_EMPTY);
}

void hm_page_pictures(hm_model *m, hm_node *top) {
  const hm_view *v = m->v;
  uint32_t project = m->p->project == UINT32_MAX ? HM_NONE : m->p->project;
  hm_str label = hm_shorten(m->a, label_of(v, project), 200);
  hm_model_set_titles(m, top, HM_STR("Pictures"), hm_str_fmt(m->a, "Pictures: %.*s", HM_FMT(label)),
                      hm_str_fmt(m->a, "What is recorded about %.*s, drawn", HM_FMT(label)));
  hm_node *graphs = hm_node_set_list(top, "graphs"), *list = hm_node_set_list(top, "charts");
  for (hm_graph_kind k = 0; project != HM_NONE && k < HM_GRAPHS; k++)
    if (v->projects[project].graphs[k].edges)
      hm_model_add_graph_item(m, graphs, project, k);
  for (chart_kind k = 0; k < CHARTS; k++)
    put_chart(m, list, project, k);
}
