/* The table links, and the graph of links around some rows; see links.h.
 *
 * Links are added and removed, never changed. The walk goes breadth first from the starts, in
 * levels. The links of a row are read by both ends, as the filter asks, and sorted, so the same
 * store gives the same answer. Each text at an end is resolved once: to a row, or to nothing, which
 * makes the link dangle. */
#include <stdlib.h>

#include "core/base/text.h"
#include "core/record/journal.h"
#include "core/store/links.h"
#include "core/record/record_edit.h"
#include "core/record/records.h"
#include "core/sqlite/sql.h"

enum { LINKS_FROM, LINKS_TO, RELATIONS_FROM, RELATIONS_TO, REMOVE };
static const char *const SQL[] = {
  [LINKS_FROM] = "SELECT src, dst, rel FROM links WHERE src = ?1 ORDER BY rel, dst",
  [LINKS_TO] = "SELECT src, dst, rel FROM links WHERE dst = ?1 ORDER BY rel, src",
  [RELATIONS_FROM] =
      "SELECT DISTINCT type, to_id FROM relations WHERE from_id = ?1 AND status = 'active'",
  [RELATIONS_TO] =
      "SELECT DISTINCT type, from_id FROM relations WHERE to_id = ?1 AND status = 'active'",
  [REMOVE] = "DELETE FROM main.links WHERE src = ?1 AND dst = ?2 AND rel = ?3",
};
#define SUPERSEDED(table)                                                                          \
  "CREATE INDEX IF NOT EXISTS main." table "_superseded ON " table " (superseded_by)"              \
  " WHERE superseded_by <> '';"
static const char INDEX[] =
    "CREATE INDEX IF NOT EXISTS main.links_dst ON links (dst, rel, src);"
    "CREATE INDEX IF NOT EXISTS main.relations_from ON relations (from_id);"
    "CREATE INDEX IF NOT EXISTS main.relations_to ON relations (to_id);" SUPERSEDED("memories")
        SUPERSEDED("entities") SUPERSEDED("project_state") SUPERSEDED("relations");
#define BY(table) "SELECT id FROM " table " WHERE superseded_by = ?1 AND superseded_by <> ''"
static const char *const SUPERSEDED_BY[] = {
  [HM_MEMORY] = BY("memories"),
  [HM_ENTITY] = BY("entities"),
  [HM_STATE] = BY("project_state"),
  [HM_RELATION] = BY("relations"),
};

/* --- words -------------------------------------------------------------------------- */

/* Sorted by rel. `contradicts` and `related` read alike from both ends. */
static const hm_rel_word WORDS[] = {
  { "contradicts", "" },
  { "derived_from", "source_of" },
  { "example_of", "has_example" },
  { "refines", "refined_by" },
  { "related", "" },
  { "supersedes", "superseded_by" },
};

hm_str hm_rel_inverse(hm_str rel) {
  for (size_t i = 0; i < HM_COUNT(WORDS); i++)
    if (hm_str_is(rel, WORDS[i].rel))
      return hm_str_c(WORDS[i].inverse);
  return HM_EMPTY;
}

hm_str hm_rel_find_by_inverse(hm_str word) {
  for (size_t i = 0; i < HM_COUNT(WORDS); i++)
    if (word.n && hm_str_is(word, WORDS[i].inverse))
      return hm_str_c(WORDS[i].rel);
  return HM_EMPTY;
}

bool hm_rel_is_known(hm_str rel) {
  for (size_t i = 0; i < HM_COUNT(WORDS); i++)
    if (hm_str_is(rel, WORDS[i].rel))
      return true;
  return false;
}

const hm_rel_word *hm_rel_words(size_t *n) {
  *n = HM_COUNT(WORDS);
  return WORDS;
}

/* --- ends --------------------------------------------------------------------------- */

/* A bare id that itself begins with a kind means a row of that kind. */
size_t hm_link_ends(hm_str ref, hm_str ends[2]) {
  static const char memory[] = "memory:";
  hm_layer layer;
  hm_str id;
  ends[0] = ref;
  if (!hm_str_starts(ref, memory))
    return 1;
  ends[1] = hm_str_sub(ref, sizeof memory - 1, ref.n);
  return hm_ref_parse(ends[1], &layer, &id) ? 1 : 2;
}

bool hm_link_end_is(hm_str end, hm_str ref) {
  hm_str ends[2];
  size_t n = hm_link_ends(ref, ends);
  return hm_str_eq(end, ends[0]) || (n == 2 && hm_str_eq(end, ends[1]));
}

int hm_links_make_indexes(hm_store *s, hm_err *err) { return hm_sql_exec(s, INDEX, err); }

int hm_store_links_at(hm_store *s, hm_str end, bool out, hm_arena *a, hm_link **links, size_t *n,
                      hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *links = NULL;
  *n = 0;
  if (hm_sql_query(s, SQL[out ? LINKS_FROM : LINKS_TO], HM_ARGS(hm_arg_text(end)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *links = hm_array_grow_in(a, *links, *n, &cap, sizeof **links);
    (*links)[(*n)++] =
        (hm_link){ hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a), hm_sql_copy(st, 2, a) };
  }
  return rc;
}

/* References of the rows whose superseded_by is this text, in a; layer 0: of all layers. */
static int read_superseded_by(hm_store *s, hm_layer layer, hm_str text, hm_arena *a, hm_str **refs,
                              size_t *n, hm_err *err) {
  size_t cap = 0;
  *refs = NULL;
  *n = 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    hm_stmt *st;
    int rc;
    if (layer && l != (int)layer)
      continue;
    if (hm_sql_query(s, SUPERSEDED_BY[l], HM_ARGS(hm_arg_text(text)), &st, err))
      return -1;
    while ((rc = hm_sql_step(s, st, err)) == 1) {
      *refs = hm_array_grow_in(a, *refs, *n, &cap, sizeof **refs);
      (*refs)[(*n)++] = hm_ref_text(a, (hm_layer)l, hm_sql_text(st, 0, a));
    }
    if (rc)
      return -1;
  }
  return 0;
}

static void cells_of(const hm_link *link, hm_cell cells[3]) {
  cells[0] = (hm_cell){ HM_CELL_TEXT, link->src };
  cells[1] = (hm_cell){ HM_CELL_TEXT, link->dst };
  cells[2] = (hm_cell){ HM_CELL_TEXT, link->rel };
}

static hm_str ref_of(const hm_link *link, hm_arena *a) {
  return HM_CAT(a, HM_STR("link:"), link->src, HM_STR(" "), link->dst, HM_STR(" "), link->rel);
}

static int is_there(hm_store *s, const hm_link *link, bool *there, hm_arena *a, hm_err *err) {
  hm_cell cells[HM_MAX_FIELDS + 1];
  cells_of(link, cells);
  return hm_record_load(s, HM_K_LINK, cells, there, a, err);
}

int hm_store_add_link(hm_store *s, const hm_link *link, bool either, const hm_actor *who,
                      bool *added, hm_arena *a, hm_err *err) {
  const hm_link reverse = { link->dst, link->src, link->rel };
  hm_cell cells[HM_MAX_FIELDS + 1];
  bool there, reversed = false;
  *added = false;
  if (is_there(s, link, &there, a, err) || (either && is_there(s, &reverse, &reversed, a, err)))
    return -1;
  if (there || reversed)
    return 0;
  cells_of(link, cells);
  if (hm_record_save(s, HM_K_LINK, cells, true, a, err))
    return -1;
  *added = true;
  return hm_journal_add(s, who, "link", ref_of(link, a), HM_EMPTY,
                        hm_record_json(&hm_kinds[HM_K_LINK], cells, a), err);
}

int hm_store_remove_link(hm_store *s, const hm_link *link, const hm_actor *who, bool *removed,
                         hm_arena *a, hm_err *err) {
  enum { SHOWN = 200 };
  hm_cell cells[HM_MAX_FIELDS + 1];
  bool there, left = false;
  *removed = false;
  if (is_there(s, link, &there, a, err) || !there)
    return there ? -1 : 0;
  if (hm_sql_do(s, SQL[REMOVE],
                HM_ARGS(hm_arg_text(link->src), hm_arg_text(link->dst), hm_arg_text(link->rel)),
                err) ||
      is_there(s, link, &left, a, err))
    return -1;
  if (left)
    return hm_fail(err, HM_E_STATE,
                   hm_str_fmt(a, "%.*s", HM_FMT(hm_text_cut(ref_of(link, a), SHOWN))).p,
                   "it belongs to another program and is only read", "remove it there");
  cells_of(link, cells);
  *removed = true;
  return hm_journal_add(s, who, "unlink", ref_of(link, a),
                        hm_record_json(&hm_kinds[HM_K_LINK], cells, a), HM_EMPTY, err);
}

/* Two links may have one reference, where ids hold spaces. */
typedef struct {
  hm_str record;
  hm_link_past *past;
  hm_arena *a;
} history;

static int see_line(void *ctx, const hm_journal_line *l, hm_err *err) {
  history *h = ctx;
  (void)err;
  if (hm_str_eq(l->after, h->record))
    *h->past = (hm_link_past){ hm_str_dup(h->a, l->actor), hm_str_dup(h->a, l->at), false };
  else if (hm_str_eq(l->before, h->record))
    h->past->removed = true;
  return 0;
}

int hm_link_past_read(hm_store *s, const hm_link *link, hm_link_past *out, hm_arena *a,
                      hm_err *err) {
  hm_cell cells[HM_MAX_FIELDS + 1];
  cells_of(link, cells);
  history h = { hm_record_json(&hm_kinds[HM_K_LINK], cells, a), out, a };
  *out = (hm_link_past){ HM_EMPTY, HM_EMPTY, false };
  return hm_journal_lines_of(s, ref_of(link, a), see_line, &h, err);
}

enum { TEXT_SHOWN = 200 };

bool hm_link_direction_parse(hm_str name, hm_link_direction *out) {
  static const char *const names[] = { "both", "out", "in" };
  for (int i = 0; i < 3; i++)
    if (hm_str_is(name, names[i])) {
      *out = (hm_link_direction)i;
      return true;
    }
  return false;
}

/* --- rows --------------------------------------------------------------------------- */

typedef struct {
  hm_store *s;
  const hm_link_filter *f;
  hm_arena *a;
  hm_link_graph *out;
  hm_map ends;         /* text of an end -> index of rows, or NOWHERE */
  hm_map by_ref;       /* the same by reference */
  hm_map dangling_ids; /* ends that dangle */
  hm_link_node *rows;
  size_t n_rows, cap_rows; /* all that were met */
  uint32_t *order;
  size_t cap_order; /* those of the graph, as they were reached */
  bool *reached;
  size_t cap_reached;
  size_t cap_dangling;
  hm_err *err;
} walking;

enum { NOWHERE = UINT32_MAX - 1 };

static hm_str value(const hm_column *c) { return c->value.n ? c->value : HM_EMPTY; }

/* The row, where there is one. */
static int read_card(walking *w, hm_layer layer, hm_str id, hm_link_node *out, bool *found) {
  hm_column c[] = { { .column = "status" },   { .column = "memory_type" },
                    { .column = "content" },  { .column = "entity_type" },
                    { .column = "name" },     { .column = "key" },
                    { .column = "value" },    { .column = "type" },
                    { .column = "from_id" },  { .column = "to_id" },
                    { .column = "category" }, { .column = "superseded_by" } };
  enum { STATUS, MEMORY, CONTENT, ENTITY, NAME, KEY, VALUE, TYPE, FROM, TO, CATEGORY, SUPERSEDED };
  *out = (hm_link_node){ .ref = hm_ref_text(w->a, layer, id), .from = HM_EMPTY, .rel = HM_EMPTY };
  if (hm_store_get_columns(w->s, out->ref, c, HM_COUNT(c), found, w->a, w->err))
    return -1;
  out->status = value(&c[STATUS]);
  switch (layer) {
    case HM_MEMORY:
      out->type = value(&c[MEMORY]), out->text = value(&c[CONTENT]);
      break;
    case HM_ENTITY:
      out->type = value(&c[ENTITY]), out->text = value(&c[NAME]);
      break;
    case HM_STATE:
      out->type = value(&c[CATEGORY]);
      out->text = HM_CAT(w->a, value(&c[KEY]), HM_STR(": "), value(&c[VALUE]));
      break;
    default:
      out->type = value(&c[TYPE]);
      out->text = HM_CAT(w->a, value(&c[FROM]), HM_STR(" "), out->type, HM_STR(" "), value(&c[TO]));
  }
  out->text = hm_text_cut(out->text, TEXT_SHOWN);
  return *found
      ? hm_store_successor(w->s, layer, value(&c[SUPERSEDED]), w->a, &out->superseded_by, w->err)
      : 0;
}

/* "kind:id", else the id of a memory, which may itself begin like a reference. */
static int find_row(walking *w, hm_str end, hm_link_node *out, bool *found) {
  hm_layer layer;
  hm_str id;
  *found = false;
  if (hm_ref_parse(end, &layer, &id) && read_card(w, layer, id, out, found))
    return -1;
  return *found ? 0 : read_card(w, HM_MEMORY, end, out, found);
}

static int resolve(walking *w, hm_str end, uint32_t *row) {
  hm_link_node node;
  bool found;
  *row = hm_map_get(&w->ends, end);
  if (*row != HM_MAP_NONE)
    return 0;
  if (find_row(w, end, &node, &found))
    return -1;
  *row = found ? hm_map_get(&w->by_ref, node.ref) : NOWHERE;
  if (*row == HM_MAP_NONE) {
    w->rows = hm_array_grow_in(w->a, w->rows, w->n_rows, &w->cap_rows, sizeof *w->rows);
    w->reached = hm_array_grow_in(w->a, w->reached, w->n_rows, &w->cap_reached, sizeof *w->reached);
    w->reached[w->n_rows] = false;
    w->rows[w->n_rows] = node;
    *row = (uint32_t)w->n_rows++;
    hm_map_add(&w->by_ref, node.ref, *row);
  }
  hm_map_add(&w->ends, end, *row);
  return 0;
}

static void dangles(walking *w, hm_str end) {
  hm_link_graph *g = w->out;
  if (hm_map_get(&w->dangling_ids, end) != HM_MAP_NONE)
    return;
  hm_map_add(&w->dangling_ids, end, 0);
  g->dangling =
      hm_array_grow_in(w->a, g->dangling, g->n_dangling, &w->cap_dangling, sizeof *g->dangling);
  g->dangling[g->n_dangling++] = end;
}

/* --- one row's links ------------------------------------------------------------------- */

/* May a walk go this way along a link with this rel? */
static bool goes(const hm_link_filter *f, hm_str rel, bool in) {
  bool out_ok = f->direction != HM_LINKS_IN, in_ok = f->direction != HM_LINKS_OUT;
  if (!f->n_rels)
    return in ? in_ok : out_ok;
  hm_str inverse = hm_rel_inverse(rel), turned = hm_rel_find_by_inverse(rel);
  for (size_t i = 0; i < f->n_rels; i++) {
    if (hm_str_eq(f->rels[i], rel) && (in ? in_ok : out_ok))
      return true;
    if (((inverse.n && hm_str_eq(f->rels[i], inverse)) ||
         (turned.n && hm_str_eq(f->rels[i], turned))) &&
        (in ? out_ok : in_ok))
      return true;
  }
  return false;
}

typedef struct {
  hm_str rel, end;
  uint32_t to;
  bool in;
  hm_str ref;
  const hm_link *link; /* NULL: a relation, or a row's superseded_by */
} step;

static int by_step(const void *x, const void *y) {
  const step *a = x, *b = y;
  if (a->in != b->in)
    return a->in - b->in;
  int c = hm_str_cmp(a->rel, b->rel);
  return c ? c : hm_str_cmp(a->ref, b->ref);
}

static int add_step(walking *w, step x, step **v, size_t *n, size_t *cap) {
  if (resolve(w, x.end, &x.to))
    return -1;
  x.ref = x.to == NOWHERE ? x.end : w->rows[x.to].ref;
  *v = hm_array_grow_in(w->a, *v, *n, cap, sizeof **v);
  (*v)[(*n)++] = x;
  return 0;
}

/* Links that superseded_by tells of: from the row that took this one's place, or to those whose
 * place this one took. */
static int read_supersessions(walking *w, uint32_t row, bool in, step **v, size_t *n, size_t *cap) {
  const hm_str ref = w->rows[row].ref, by = w->rows[row].superseded_by;
  hm_layer layer = HM_MEMORY;
  hm_str id = HM_EMPTY;
  if (in)
    return by.n ? add_step(w, (step){ HM_STR("supersedes"), by, 0, in, HM_EMPTY, NULL }, v, n, cap)
                : 0;
  hm_ref_parse(ref, &layer, &id);
  for (int bare = 0; bare < 2; bare++) {
    hm_str text = bare ? id : ref, *older;
    size_t n_older;
    if (read_superseded_by(w->s, bare ? layer : 0, text, w->a, &older, &n_older, w->err))
      return -1;
    for (size_t i = 0; i < n_older; i++) {
      step x = { HM_STR("supersedes"), older[i], 0, in, HM_EMPTY, NULL };
      if (resolve(w, x.end, &x.to))
        return -1;
      /* The text may mean another row to that one. */
      if (x.to == NOWHERE || !hm_str_eq(w->rows[x.to].superseded_by, ref))
        continue;
      if (add_step(w, x, v, n, cap))
        return -1;
    }
  }
  return 0;
}

static int read_relations(walking *w, uint32_t row, bool in, step **v, size_t *n, size_t *cap) {
  hm_layer layer = HM_MEMORY;
  hm_str id;
  hm_stmt *st;
  step *found = NULL;
  size_t n_found = 0, cap_found = 0;
  if (!w->f->relations || !hm_ref_parse(w->rows[row].ref, &layer, &id) || layer != HM_ENTITY)
    return 0;
  int rc = hm_sql_query(w->s, SQL[in ? RELATIONS_TO : RELATIONS_FROM], HM_ARGS(hm_arg_text(id)),
                        &st, w->err);
  while (!rc && (rc = hm_sql_step(w->s, st, w->err)) == 1) {
    found = hm_array_grow_in(w->a, found, n_found, &cap_found, sizeof *found);
    found[n_found++] = (step){ hm_sql_copy(st, 0, w->a),
                               hm_ref_text(w->a, HM_ENTITY, hm_sql_text(st, 1, w->a)),
                               0,
                               in,
                               HM_EMPTY,
                               NULL };
    rc = 0;
  }
  for (size_t i = 0; i < n_found && !rc; i++)
    rc = add_step(w, found[i], v, n, cap);
  return rc;
}

/* Steps from this row. in: those along links that lead to it. */
static int read_steps(walking *w, uint32_t row, bool in, step **v, size_t *n, size_t *cap) {
  const hm_str ref = w->rows[row].ref;
  hm_str ends[2];
  for (size_t e = 0, n_ends = hm_link_ends(ref, ends); e < n_ends; e++) {
    hm_link *links;
    size_t n_links;
    if (hm_store_links_at(w->s, ends[e], !in, w->a, &links, &n_links, w->err))
      return -1;
    for (size_t i = 0; i < n_links; i++) {
      step x = { links[i].rel, in ? links[i].src : links[i].dst, 0, in, HM_EMPTY, &links[i] };
      if (add_step(w, x, v, n, cap))
        return -1;
    }
  }
  return read_relations(w, row, in, v, n, cap) || read_supersessions(w, row, in, v, n, cap) ? -1
                                                                                            : 0;
}

static void reach(walking *w, uint32_t row) {
  w->reached[row] = true;
  w->order = hm_array_grow_in(w->a, w->order, w->out->n, &w->cap_order, sizeof *w->order);
  w->order[w->out->n++] = row;
}

static int expand(walking *w, uint32_t row, size_t n_starts) {
  const hm_str from = w->rows[row].ref;
  const int depth = w->rows[row].depth;
  step *v = NULL;
  size_t n = 0, cap = 0;
  if (read_steps(w, row, false, &v, &n, &cap) || read_steps(w, row, true, &v, &n, &cap))
    return -1;
  if (n)
    qsort(v, n, sizeof *v, by_step);
  for (size_t i = 0; i < n; i++) {
    if (!goes(w->f, v[i].rel, v[i].in))
      continue;
    if (v[i].to == NOWHERE)
      dangles(w, v[i].end);
    if (v[i].to == NOWHERE || w->reached[v[i].to])
      continue;
    if (w->out->n - n_starts >= w->f->cap) {
      w->out->cut = true;
      continue;
    }
    hm_link_node *to = &w->rows[v[i].to];
    to->from = from, to->rel = v[i].rel, to->in = v[i].in, to->depth = depth + 1;
    if (v[i].link && hm_link_past_read(w->s, v[i].link, &to->past, w->a, w->err))
      return -1;
    reach(w, v[i].to);
  }
  return 0;
}

/* --- edges ------------------------------------------------------------------------------ */

/* All links of the filter's rels between rows of the graph: also between two of the outermost. */
static int read_edges(walking *w) {
  hm_link_graph *g = w->out;
  hm_link_filter any = *w->f;
  size_t cap_edges = 0, kept = 0;
  any.direction = HM_LINKS_BOTH;
  for (size_t k = 0; k < g->n; k++) {
    step *v = NULL;
    size_t n = 0, cap = 0;
    hm_str src = w->rows[w->order[k]].ref;
    if (read_steps(w, w->order[k], false, &v, &n, &cap))
      return -1;
    for (size_t i = 0; i < n; i++) {
      if (v[i].to == NOWHERE || !w->reached[v[i].to] || !goes(&any, v[i].rel, false))
        continue;
      g->edges = hm_array_grow_in(w->a, g->edges, g->n_edges, &cap_edges, sizeof *g->edges);
      g->edges[g->n_edges++] = (hm_link){ src, v[i].ref, v[i].rel };
    }
  }
  if (g->n_edges)
    qsort(g->edges, g->n_edges, sizeof *g->edges, hm_link_order);
  for (size_t i = 0; i < g->n_edges; i++)
    if (!kept || hm_link_order(&g->edges[kept - 1], &g->edges[i]))
      g->edges[kept++] = g->edges[i];
  g->n_edges = kept;
  return 0;
}

/* --- the walk ----------------------------------------------------------------------------- */

static int start(walking *w, const hm_str *starts, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t at;
    if (resolve(w, starts[i], &at))
      return -1;
    if (at != NOWHERE && !w->reached[at])
      reach(w, at);
  }
  return 0;
}

int hm_links_walk_refs(hm_store *s, const hm_str *starts, size_t n, const hm_link_filter *f,
                       bool edges, hm_arena *a, hm_link_graph *out, hm_err *err) {
  walking w = { .s = s, .f = f, .a = a, .out = out, .err = err };
  *out = (hm_link_graph){ 0 };
  hm_map_init(&w.ends, a, 64);
  hm_map_init(&w.by_ref, a, 64);
  hm_map_init(&w.dangling_ids, a, 0);
  if (start(&w, starts, n))
    return -1;
  const size_t n_starts = out->n;
  for (size_t next = 0; next < out->n; next++)
    if (w.rows[w.order[next]].depth < f->depth && expand(&w, w.order[next], n_starts))
      return -1;
  if (edges && read_edges(&w))
    return -1;
  out->nodes = hm_alloc_array(a, out->n, sizeof *out->nodes);
  for (size_t i = 0; i < out->n; i++)
    out->nodes[i] = w.rows[w.order[i]];
  if (out->n_dangling)
    hm_strs_sort(out->dangling, out->n_dangling);
  return 0;
}

/* --- JSON ----------------------------------------------------------------------------------- */

static void put_node(hm_jw *w, const hm_link_node *x, hm_row_tell *tell, const void *ctx) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "row", x->ref);
  hm_jw_str(w, "type", x->type);
  hm_jw_str(w, "text", x->text);
  hm_jw_str(w, "status", x->status);
  hm_jw_int(w, "depth", x->depth);
  if (x->depth) {
    hm_jw_str(w, "from", x->from);
    hm_jw_str(w, "rel", x->rel);
    hm_jw_str(w, "direction", x->in ? HM_STR("in") : HM_STR("out"));
    if (x->past.by.n) {
      hm_jw_str(w, "drawn_by", x->past.by);
      hm_jw_str(w, "drawn_at", x->past.at);
    }
  }
  tell(ctx, x->ref, w);
  hm_jw_end(w);
}

void hm_neighbors_json(hm_jw *w, const hm_link_graph *g, int depth, hm_row_tell *tell,
                       const void *ctx) {
  hm_jw_str(w, "row", g->nodes[0].ref);
  tell(ctx, g->nodes[0].ref, w);
  hm_jw_int(w, "depth", depth);
  hm_jw_arr(w, "neighbors");
  for (size_t i = 1; i < g->n; i++)
    put_node(w, &g->nodes[i], tell, ctx);
  hm_jw_end(w);
  hm_jw_int(w, "count", (int64_t)g->n - 1);
  hm_jw_strs(w, "dangling", g->dangling, g->n_dangling);
  hm_jw_bool(w, "cut", g->cut);
}

void hm_subgraph_json(hm_jw *w, const hm_link_graph *g, int depth, hm_row_tell *tell,
                      const void *ctx) {
  hm_jw_int(w, "depth", depth);
  hm_jw_arr(w, "nodes");
  for (size_t i = 0; i < g->n; i++)
    put_node(w, &g->nodes[i], tell, ctx);
  hm_jw_end(w);
  hm_jw_arr(w, "edges");
  for (size_t i = 0; i < g->n_edges; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "src", g->edges[i].src);
    hm_jw_str(w, "dst", g->edges[i].dst);
    hm_jw_str(w, "rel", g->edges[i].rel);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_int(w, "count", (int64_t)g->n);
  hm_jw_strs(w, "dangling", g->dangling, g->n_dangling);
  hm_jw_bool(w, "cut", g->cut);
}
