/* Rules on references (circles, dangling ones), on faults of single rows, and on rows that a source
 * names no more. */
#include <stdlib.h>
#include <string.h>

#include "core/base/shell.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/detect/rule.h"

/* --- circles --------------------------------------------------------------------------- */

/* Circles: a parent who is its own ancestor, a part that contains its whole, a row that supersedes
 * itself through others.
 *
 * Relations are edges of a directed graph of rows. For each strongly connected component with a
 * circle, one circle is reported: the shortest through its first row (by row order), of several the
 * first by relation order. So two circles that share a row are one finding; after one is fixed, the
 * other is reported. Parents are permanent, regardless of bounds. Parts hold for a time: a circle
 * counts only if all of its relations certainly hold at one instant (not: a chest in a ship, and
 * years later a model of the ship in the chest). Then the circle of the earliest such instant is
 * reported.
 * Cost: linear in the relations of a component, up to sorting; for parts, that for each distinct
 * begin of a window in a strongly connected component, up to INSTANTS_WORK; the rest is not
 * checked.
 * Source: Tarjan, Depth-first search and linear graph algorithms, 1972. */

enum { SHOWN_MAX = 100, NAME_SHOWN = 80, INSTANTS_WORK = 1 << 24 };
#define NOWHERE UINT32_MAX

/* relation: whose row it is; NOWHERE: a column of its first row. */
typedef struct {
  uint32_t from, to, relation;
  hm_time since, until; /* when it certainly holds */
} edge;

typedef struct {
  const hm_scope *s;
  uint32_t *rows;
  size_t n; /* vertices, ascending; edges name their places here */
  edge *edges;
  size_t n_edges;      /* by from, to, relation */
  uint32_t *first;     /* edges from vertex v: [first[v], first[v + 1]) */
  uint32_t *component; /* of each vertex, at the instant that was asked last */
  /* Tarjan's algorithm, with a stack of its own. index: 0: not met, NOWHERE: done */
  uint32_t *index, *low, *next, *stack, *path;
  size_t n_stack;
  uint32_t met, components;
} graph;

/* --- the graph ----------------------------------------------------------------------- */

static int by_ends(const void *x, const void *y) {
  const edge *a = x, *b = y;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  return (a->relation > b->relation) - (a->relation < b->relation);
}

static uint32_t place_of(const graph *g, uint32_t row) {
  const uint32_t *at = bsearch(&row, g->rows, g->n, sizeof row, hm_order_u32);
  return (uint32_t)(at - g->rows);
}

static uint32_t *numbers(const graph *g, size_t n) {
  return hm_alloc_array(g->s->scratch, n, sizeof(uint32_t));
}

/* Edges name rows; then their places. */
static void index_edges(graph *g) {
  uint32_t **const of_vertices[] = { &g->component, &g->index, &g->low,
                                     &g->next,      &g->stack, &g->path };
  size_t n = 0;
  g->rows = numbers(g, 2 * g->n_edges);
  for (size_t i = 0; i < g->n_edges; i++) {
    g->rows[n++] = g->edges[i].from;
    g->rows[n++] = g->edges[i].to;
  }
  if (n)
    qsort(g->rows, n, sizeof *g->rows, hm_order_u32);
  for (size_t i = 0; i < n; i++)
    if (!g->n || g->rows[g->n - 1] != g->rows[i])
      g->rows[g->n++] = g->rows[i];
  for (size_t i = 0; i < g->n_edges; i++) {
    g->edges[i].from = place_of(g, g->edges[i].from);
    g->edges[i].to = place_of(g, g->edges[i].to);
  }
  if (g->n_edges)
    qsort(g->edges, g->n_edges, sizeof *g->edges, by_ends);
  g->first = numbers(g, g->n + 1);
  for (size_t i = 0; i < g->n_edges; i++)
    g->first[g->edges[i].from + 1]++;
  for (size_t i = 0; i < g->n; i++)
    g->first[i + 1] += g->first[i];
  for (size_t i = 0; i < HM_COUNT(of_vertices); i++)
    *of_vertices[i] = numbers(g, g->n);
}

static bool is_one_of(hm_str type, const char *const *types) {
  while (*types && !hm_relation_type_is(type, *types))
    types++;
  return *types != NULL;
}

/* What supersedes may be any row of any status; parents and parts are active entities. */
static bool is_end(const hm_scope *s, const hm_ref_card *c) {
  const size_t *first = s->snap->first;
  if (c->to == HM_MAP_NONE || s->rule->columns & HM_COL_SUPERSEDED_BY)
    return c->to != HM_MAP_NONE;
  return c->status == HM_ACTIVE && c->to >= first[HM_ENTITY] && c->to < first[HM_ENTITY + 1];
}

/* Reads the edges of active relations and of superseded_by. backwards: types with an edge from
 * `to`. */
static void read_edges(graph *g, const hm_scope *s, const char *const *backwards) {
  *g = (graph){ .s = s, .edges = hm_alloc_array(s->scratch, s->n_cards, sizeof *g->edges) };
  for (size_t i = 0; i < s->n_cards; i++) {
    const hm_ref_card *c = &s->cards[i];
    edge e = { .since = HM_TIME_MIN, .until = HM_TIME_MAX, .relation = NOWHERE };
    if (c->column == HM_COL_SUPERSEDED_BY && is_end(s, c)) {
      e.from = c->from;
      e.to = c->to;
      g->edges[g->n_edges++] = e;
    }
    if (c->column != HM_COL_FROM || i + 1 == s->n_cards || !is_end(s, c) || !is_end(s, c + 1))
      continue;
    const hm_row *r = &s->snap->rows[c->from];
    bool turned = is_one_of(r->type, backwards);
    e.from = c[turned].to;
    e.to = c[!turned].to;
    e.relation = c->from;
    if (r->status == HM_ACTIVE)
      g->edges[g->n_edges++] = e;
  }
  index_edges(g);
}

/* --- components ------------------------------------------------------------------------ */

static bool holds_at(const edge *e, hm_time at) { return e->since <= at && at < e->until; }

static void close_component(graph *g, uint32_t v) {
  uint32_t u;
  do {
    u = g->stack[--g->n_stack];
    g->component[u] = g->components;
    g->index[u] = NOWHERE;
  } while (u != v);
  g->components++;
}

static void walk_from(graph *g, uint32_t root, hm_time at) {
  size_t depth = 0;
  g->path[depth++] = root;
  while (depth) {
    uint32_t v = g->path[depth - 1];
    if (!g->index[v]) {
      g->index[v] = g->low[v] = ++g->met;
      g->stack[g->n_stack++] = v;
      g->next[v] = g->first[v];
    }
    bool down = false;
    for (; g->next[v] < g->first[v + 1] && !down; g->next[v]++) {
      const edge *e = &g->edges[g->next[v]];
      if (!holds_at(e, at))
        continue;
      down = !g->index[e->to];
      if (down)
        g->path[depth++] = e->to;
      else if (g->index[e->to] != NOWHERE && g->index[e->to] < g->low[v])
        g->low[v] = g->index[e->to];
    }
    if (down)
      continue;
    depth--;
    if (depth && g->low[v] < g->low[g->path[depth - 1]])
      g->low[g->path[depth - 1]] = g->low[v];
    if (g->low[v] == g->index[v])
      close_component(g, v);
  }
}

/* g->component of every vertex, by the edges that hold at the instant. */
static void find_components(graph *g, hm_time at) {
  if (g->n)
    memset(g->index, 0, g->n * sizeof *g->index);
  g->met = g->components = 0;
  for (uint32_t v = 0; v < g->n; v++)
    if (!g->index[v])
      walk_from(g, v, at);
}

static bool is_on_circle(const graph *g, const edge *e, hm_time at) {
  return holds_at(e, at) && g->component[e->from] == g->component[e->to];
}

/* --- a circle ------------------------------------------------------------------------------ */

/* The edges of the shortest circle from `start` and back to it; returns how many. */
static size_t shortest_circle(graph *g, uint32_t start, hm_time at, uint32_t *out) {
  uint32_t *came = g->low, *queue = g->stack, last = NOWHERE;
  size_t n = 0, length = 0;
  for (size_t i = 0; i < g->n; i++)
    came[i] = NOWHERE;
  queue[n++] = start;
  for (size_t k = 0; k < n && last == NOWHERE; k++)
    for (uint32_t i = g->first[queue[k]]; i < g->first[queue[k] + 1] && last == NOWHERE; i++) {
      const edge *e = &g->edges[i];
      if (!is_on_circle(g, e, at))
        continue;
      if (e->to == start)
        last = i;
      else if (came[e->to] == NOWHERE) {
        came[e->to] = i;
        queue[n++] = e->to;
      }
    }
  for (uint32_t i = last; i != NOWHERE; i = came[g->edges[i].from])
    out[length++] = i;
  for (size_t i = 0; i < length / 2; i++) {
    uint32_t swap = out[i];
    out[i] = out[length - 1 - i];
    out[length - 1 - i] = swap;
  }
  return length;
}

static hm_str shown_name(const hm_scope *s, uint32_t row, hm_arena *a) {
  const hm_row *r = &s->snap->rows[row];
  hm_str name = s->rule->columns & HM_COL_NAME && r->name.n ? r->name : hm_row_ref(a, r);
  return hm_text_cut(hm_text_repair(a, hm_str_sub(name, 0, 4 * NAME_SHOWN)), NAME_SHOWN);
}

/* "a, b, c, a" */
static hm_str circle_text(const graph *g, const uint32_t *circle, size_t n, hm_arena *a) {
  enum { NAMED = 10 };
  hm_buf b = { 0 };
  for (size_t i = 0; i < n && i < NAMED; i++) {
    hm_buf_str(&b, shown_name(g->s, g->rows[g->edges[circle[i]].from], a));
    hm_buf_c(&b, ", ");
  }
  if (n > NAMED)
    hm_buf_c(&b, "..., ");
  hm_buf_str(&b, shown_name(g->s, g->rows[g->edges[circle[0]].from], a));
  return hm_buf_take(&b, a);
}

/* Words for the row of a circle of one; for the first row of a longer one. */
typedef struct {
  const char *one, *many;
} circle_words;

/* Adds its rows in order, each followed by the relation to the next. */
static void add_circle(graph *g, hm_found *out, uint32_t start, hm_time at, circle_words words) {
  hm_arena *a = hm_found_arena(out);
  const hm_row *rows = g->s->snap->rows;
  uint32_t *circle = numbers(g, g->n);
  size_t n = shortest_circle(g, start, at, circle);
  hm_finding f = { .rows = hm_alloc_array(a, 2 * SHOWN_MAX, sizeof *f.rows) };
  for (size_t i = 0; i < n && i < SHOWN_MAX; i++) {
    const edge *e = &g->edges[circle[i]];
    f.rows[f.n_rows++] = hm_row_ref(a, &rows[g->rows[e->from]]);
    if (e->relation != NOWHERE)
      f.rows[f.n_rows++] = hm_row_ref(a, &rows[e->relation]);
  }
  f.project = g->s->snap->projects[rows[g->rows[start]].project].id;
  f.actual = hm_str_fmt(a, "a circle of %zu", n);
  hm_str first = shown_name(g->s, g->rows[start], a);
  f.message = n == 1 ? HM_CAT(a, first, HM_STR(" "), hm_str_c(words.one))
                     : HM_CAT(a, first, HM_STR(" "), hm_str_c(words.many), HM_STR(", in "),
                              f.actual, HM_STR(": "), circle_text(g, circle, n, a));
  hm_found_add_finding(out, f);
}

/* --- circles that hold ------------------------------------------------------------------- */

/* Drops relations that may be false and parents by anything but birth (who marries the stepmother
 * of his father is his own grandfather), and, if the circle must hold at one instant, sets when
 * each relation holds. */
static void read_relations(graph *g, bool timed) {
  const hm_scope *s = g->s;
  bool of_births = s->rule->find == hm_find_parent_circles;
  size_t kept = 0;
  for (size_t i = 0; i < g->n_edges; i++) {
    edge *e = &g->edges[i];
    const hm_row *r = e->relation == NOWHERE ? NULL : &s->snap->rows[e->relation];
    hm_window w;
    unsigned none = HM_MARK_NO_FACT | (of_births ? HM_MARK_ADOPTIVE : 0);
    if (r && hm_relation_marks(r->props, s->scratch) & none)
      continue;
    if (r && timed) {
      hm_str from, until;
      const hm_world *world =
          hm_world_find_by_row(s->snap, s->config->worlds, e->relation, s->scratch);
      hm_relation_read_bounds(world, r, s->scratch, s->scratch, &from, &until);
      if (hm_window_parse(world, from, until, s->snap->now, &w) != HM_WINDOW_OK)
        continue;
      e->since = w.from;
      e->until = w.until;
    }
    if (e->since < e->until)
      g->edges[kept++] = *e;
  }
  g->n_edges = kept;
}

/* The circle of the earliest instant at which there is one. The edges name rows. */
static void find_in_component(graph *g, bool timed, hm_found *out, circle_words words) {
  read_relations(g, timed);
  hm_time *at = hm_alloc_array(g->s->scratch, g->n_edges, sizeof *at);
  for (size_t i = 0; i < g->n_edges; i++)
    at[i] = g->edges[i].since;
  if (g->n_edges)
    qsort(at, g->n_edges, sizeof *at, hm_order_i64);
  index_edges(g);
  size_t work = 0;
  for (size_t i = 0; i < g->n_edges && work < INSTANTS_WORK; i++) {
    if (i && at[i] == at[i - 1])
      continue;
    find_components(g, at[i]);
    for (size_t k = 0; k < g->n_edges; k++) {
      if (!is_on_circle(g, &g->edges[k], at[i]))
        continue;
      add_circle(g, out, g->edges[k].from, at[i], words);
      return;
    }
    work += g->n + g->n_edges;
  }
}

static int by_component(const void *x, const void *y, void *ctx) {
  const graph *g = ctx;
  uint32_t a = g->component[((const edge *)x)->from], b = g->component[((const edge *)y)->from];
  return a != b ? (a > b) - (a < b) : by_ends(x, y);
}

static void find_circles(const hm_scope *s, const char *const *backwards, bool timed, hm_found *out,
                         circle_words words) {
  graph g;
  read_edges(&g, s, backwards);
  find_components(&g, 0);
  edge *inner = hm_alloc_array(s->scratch, g.n_edges, sizeof *inner);
  size_t n = 0;
  for (size_t i = 0; i < g.n_edges; i++)
    if (is_on_circle(&g, &g.edges[i], 0))
      inner[n++] = g.edges[i];
  if (n)
    qsort_r(inner, n, sizeof *inner, by_component, &g);
  for (size_t i = 0, end; i < n; i = end) {
    uint32_t component = g.component[inner[i].from];
    for (end = i; end < n && g.component[inner[end].from] == component; end++) {
    }
    for (size_t k = i; k < end; k++) {
      inner[k].from = g.rows[inner[k].from];
      inner[k].to = g.rows[inner[k].to];
    }
    graph part = { .s = s, .edges = inner + i, .n_edges = end - i };
    find_in_component(&part, timed, out, words);
  }
}

/* --- the rules on circles -------------------------------------------------------------- */

const char *const hm_parent_types[] = { "PARENT_OF", "CHILD_OF", "DESCENDED_FROM", NULL };
const char *const hm_part_types[] = { "PART_OF", "LOCATED_IN", "CONTAINS", NULL };
const char *const hm_supersede_types[] = { "SUPERSEDES", "SUPERSEDED_BY", NULL };

void hm_find_parent_circles(const hm_scope *s, hm_found *out) {
  static const char *const backwards[] = { "CHILD_OF", "DESCENDED_FROM", NULL };
  find_circles(s, backwards, false, out,
               (circle_words){ "is its own parent", "is its own ancestor" });
}

void hm_find_part_circles(const hm_scope *s, hm_found *out) {
  static const char *const backwards[] = { "CONTAINS", NULL };
  find_circles(s, backwards, true, out,
               (circle_words){ "is a part of itself", "contains what it is a part of" });
}

void hm_find_supersession_cycles(const hm_scope *s, hm_found *out) {
  static const char *const backwards[] = { "SUPERSEDES", NULL };
  find_circles(s, backwards, false, out,
               (circle_words){ "is superseded by itself",
                               "and the rows after it are superseded by each other" });
}

/* --- references that lead nowhere, and single rows ------------------------------------- */

/* Dangling references, and other faults of single rows.
 *
 * A row that stands (no candidate, not invalid) names others in its columns; each that is not in
 * the store is an orphan, but for an era in which something existed or happened. A relation without
 * a project is shown with the row that it comes from. A project name that fits two declared
 * projects belongs to neither. Cost: one lookup a reference. */

enum { ROWS_NAMED = 20 };

static hm_str text_of(hm_str s) { return s.n ? s : HM_EMPTY; }

/* Of the rule on the ends that relations lead to: is this one no row, but an era of world.yml? */
static bool is_era(const hm_scope *s, const hm_row *r, const hm_ref_card *c) {
  if (!s->rule->reads_lives || c == s->cards)
    return false;
  const hm_world *world = hm_relation_world(s, hm_existence_find(s->lives, s->cards[0].to));
  return hm_existence_leads_to_era(world, r->type, c->ref);
}

/* Of the row's own project, of a relation that has none that of the row it comes from; of a link
 * that of its source, else of its destination. */
void hm_find_dangling(const hm_scope *s, hm_found *out) {
  const hm_link *l = s->link;
  const hm_row *r = l ? NULL : &s->snap->rows[s->rows[0]];
  hm_arena *a = hm_found_arena(out);
  if (r && (r->status == HM_CANDIDATE || r->status == HM_INVALID))
    return;
  hm_str project = r ? s->snap->projects[r->project].id : HM_EMPTY;
  for (size_t i = 0; i < s->n_cards && !project.n; i++)
    if (s->cards[i].to != HM_MAP_NONE && (l || s->cards[i].column == HM_COL_FROM))
      project = s->snap->projects[s->cards[i].project].id;
  for (size_t i = 0; i < s->n_cards; i++) {
    const hm_ref_card *c = &s->cards[i];
    if (c->column != s->rule->about || c->to != HM_MAP_NONE || is_era(s, r, c))
      continue;
    hm_str where = r ? hm_row_ref(a, r)
                     : HM_CAT(a, HM_STR("link "), text_of(l->src), HM_STR(" "), text_of(l->rel),
                              HM_STR(" "), text_of(l->dst));
    hm_str says = HM_CAT(a, where, HM_STR(": "), hm_column_name(c->column), HM_STR(" names "));
    hm_finding f = {
      .project = project, .rows = hm_alloc(a, sizeof *f.rows), .n_rows = 1, .actual = c->ref
    };
    f.rows[0] = where;
    f.message = c->ref.n ? HM_CAT(a, says, c->ref, HM_STR(", which is not in the store"))
                         : HM_CAT(a, says, HM_STR("nothing"));
    hm_found_add_finding(out, f);
  }
}

void hm_find_unclear_projects(const hm_scope *s, hm_found *out) {
  hm_arena *a = hm_found_arena(out);
  for (uint32_t i = 0; i < s->snap->n_projects; i++) {
    const hm_project *p = &s->snap->projects[i];
    if (!p->fits[1].n)
      continue;
    hm_str *rows = hm_alloc_array(a, ROWS_NAMED, sizeof *rows);
    size_t n = 0;
    for (size_t k = 0; k < s->n_rows && n < ROWS_NAMED; k++)
      if (s->snap->rows[s->rows[k]].project == i)
        rows[n++] = hm_row_ref(a, &s->snap->rows[s->rows[k]]);
    hm_str message = HM_CAT(a, HM_STR("project "), p->id, HM_STR(" means "), p->fits[0],
                            HM_STR(" or "), p->fits[1], HM_STR(", so it stays apart from both"));
    hm_found_add_finding(
        out,
        (hm_finding){
            .project = p->id, .rows = rows, .n_rows = n, .message = message, .actual = p->id });
  }
}

/* --- rows that a source names no more ------------------------------------------------------- */

static int by_source(const void *x, const void *y) {
  const hm_evidence *a = *(const hm_evidence *const *)x, *b = *(const hm_evidence *const *)y;
  int d = hm_str_cmp(a->source, b->source);
  return d ? d : (a->row > b->row) - (a->row < b->row);
}

/* The command takes the file of the source, of which only the name is known. */
static void tell_absent(const hm_scope *s, hm_found *out, const hm_evidence **v, size_t n) {
  hm_arena *a = hm_found_arena(out);
  const hm_snapshot *snap = s->snap;
  hm_str source = hm_text_cut(v[0]->source, SHOWN_MAX),
         word = hm_shell_quote_word(a, source, false);
  uint32_t project = snap->rows[v[0]->row].project;
  hm_str *rows = hm_alloc_array(a, n, sizeof *rows);
  for (size_t i = 0; i < n; i++) {
    rows[i] = hm_row_ref(a, &snap->rows[v[i]->row]);
    if (snap->rows[v[i]->row].project != project)
      project = HM_MAP_NONE;
  }
  hm_finding f = { .project = project == HM_MAP_NONE ? HM_EMPTY : snap->projects[project].id,
                   .rows = rows,
                   .n_rows = n,
                   .key = hm_str_dup(a, v[0]->source) };
  f.message =
      hm_str_fmt(a, "%zu %s no longer in %.*s", n, n == 1 ? "row is" : "rows are", HM_FMT(source));
  f.expected = HM_CAT(a, HM_STR("the rows in it again, or their end: hmirror import --complete "),
                      word.n ? word : HM_STR("FILE"));
  hm_found_add_finding(out, f);
}

void hm_find_absent(const hm_scope *s, hm_found *out) {
  const hm_snapshot *snap = s->snap;
  const hm_evidence **v = hm_alloc_array(s->scratch, snap->n_evidence + 1, sizeof *v);
  size_t n = 0;
  for (size_t i = 0; i < snap->n_evidence; i++) {
    const hm_evidence *e = &snap->evidence[i];
    hm_status status = snap->rows[e->row].status;
    if (e->absent && (status == HM_ACTIVE || status == HM_CANDIDATE) &&
        !hm_rules_is_additions(s->config, e->source))
      v[n++] = e;
  }
  if (n)
    qsort(v, n, sizeof *v, by_source);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && hm_str_eq(v[end]->source, v[i]->source);)
      end++;
    tell_absent(s, out, v + i, end - i);
  }
}

/* The reading of claims has found it already. */
void hm_find_unread(const hm_scope *s, hm_found *out) { hm_found_add_finding(out, *s->unread); }
