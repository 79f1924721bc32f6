/* The sources of facts: each source as rows write it, the rows that name it, and in how many open
 * contradictions it takes part.
 *
 * The lines of a document are one source, the document. One page has all, those with contradictions
 * first; when that would be too long it shows the first of these, and links to parts by name. The
 * overview of a project has the sources that most of its rows name. Parses each distinct column of
 * sources once. Cost: one look-up a row; then a sort of the sources. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/sort.h"
#include "core/tree/tree.h"
#include "model.h"

enum { WORST_SHOWN = 40 }; /* sources in contradictions, on the first page */

enum {
  LABEL_BYTES = 200,
  ITEM_BYTES = 500,
  CONFLICTS_SHOWN = 10,
  ROWS_SHOWN = 12,
  ROW_BYTES = 200
};

typedef struct {
  uint32_t source, conflict;
} dispute_source;

typedef struct {
  hm_str label;
  uint32_t column; /* from 1: the last that had it */
  uint32_t rows, n_disputes;
  const dispute_source *disputes;
  uint32_t *shown, n_shown; /* the first ROWS_SHOWN of its rows, disputed ones first */
} source;

/* The sources that a text of a column names, each once. */
typedef struct {
  uint32_t *of, n;
} column;

struct hm_source_list {
  hm_item_list list; /* stands first: pages have it as their data */
  source *all;
  uint32_t n;
  hm_map at;         /* label -> index into all */
  uint32_t *part_of; /* beside all: the part of list */
  column *columns;
  uint32_t *column_of; /* by row: index into columns, or HM_NONE */
  uint32_t *worst;
  uint32_t n_worst; /* those with disputes, the worst first */
};

/* --- collecting -------------------------------------------------------------------- */

typedef struct {
  hm_arena *a, *tmp;
  hm_map column_at; /* text of a column -> index into columns */
  column *columns;
  size_t n_columns, cap_columns;
  hm_map at; /* label -> index into all */
  source *all;
  size_t n, cap;
} collecting;

static uint32_t source_of(collecting *c, hm_str text) {
  hm_str file = hm_tree_line_path(text);
  hm_str label = hm_shorten(c->tmp, file.n ? file : text, LABEL_BYTES);
  if (!label.n)
    return HM_NONE;
  uint32_t i = hm_map_add(&c->at, label, (uint32_t)c->n);
  if (i < c->n)
    return i;
  c->all = hm_array_grow_in(c->tmp, c->all, c->n, &c->cap, sizeof *c->all);
  c->all[c->n++] = (source){ .label = label };
  return i;
}

/* The index of the column with this text. */
static uint32_t column_of(collecting *c, hm_str refs) {
  uint32_t i = hm_map_add(&c->column_at, refs, (uint32_t)c->n_columns);
  if (i < c->n_columns)
    return i;
  hm_str *s;
  size_t n = hm_format_json_list(refs, c->tmp, &s);
  c->columns =
      hm_array_grow_in(c->a, c->columns, c->n_columns, &c->cap_columns, sizeof *c->columns);
  column *x = &c->columns[c->n_columns++];
  *x = (column){ hm_alloc_array(c->a, n + 1, sizeof *x->of), 0 };
  for (size_t k = 0; k < n; k++) {
    bool link = k && hm_tree_line_path(s[0]).n && hm_tree_link_path(s[k]).n;
    uint32_t of = link ? HM_NONE : source_of(c, s[k]); /* a note says nothing where it links to */
    if (of == HM_NONE || c->all[of].column == i + 1)
      continue;
    c->all[of].column = i + 1;
    x->of[x->n++] = of;
  }
  return i;
}

static int by_source(const void *x, const void *y) {
  const dispute_source *a = x, *b = y;
  if (a->source != b->source)
    return a->source < b->source ? -1 : 1;
  return (a->conflict > b->conflict) - (a->conflict < b->conflict);
}

/* The shown sides of all disputes, by source, each conflict once. */
static void collect_disputes(const hm_view *v, collecting *c) {
  size_t n = 0, cap = 0;
  dispute_source *all = NULL;
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_dispute *d = v->conflicts[i].dispute;
    for (size_t k = 0; d && k < d->n; k++) {
      const hm_claim *claim = d->parties[k].claim;
      hm_str refs = v->snap->details[claim->row].source_refs;
      if (!refs.n || !hm_view_claim_shown(v, claim, c->tmp))
        continue;
      uint32_t at = column_of(c, refs);
      for (uint32_t s = 0; s < c->columns[at].n; s++) {
        all = hm_array_grow_in(c->tmp, all, n, &cap, sizeof *all);
        all[n++] = (dispute_source){ c->columns[at].of[s], i };
      }
    }
  }
  if (n)
    qsort(all, n, sizeof *all, by_source);
  dispute_source *kept = hm_alloc_array(c->a, n + 1, sizeof *kept);
  size_t m = 0;
  for (size_t i = 0; i < n; i++)
    if (!m || by_source(&kept[m - 1], &all[i]))
      kept[m++] = all[i];
  for (size_t i = 0; i < m; i++) {
    source *s = &c->all[kept[i].source];
    if (!s->n_disputes++)
      s->disputes = &kept[i];
  }
}

/* --- lists --------------------------------------------------------------------------- */

typedef struct {
  uint32_t n, item;
  hm_str key;
} ranked;

static int by_rank(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->n != b->n)
    return a->n > b->n ? -1 : 1;
  int d = hm_str_natural_cmp(a->key, b->key);
  return d ? d : (a->item > b->item) - (a->item < b->item);
}

static bool are_long(const void *list, uint32_t from, uint32_t to) {
  const hm_keyed_items *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to && all <= HM_LIST_BYTES; i++)
    all += 5 * ITEM_BYTES + hm_page_bytes(s->k[i].key) + ROWS_SHOWN * ROW_BYTES;
  return all > HM_LIST_BYTES;
}

static void list_sources(const hm_view *v, hm_source_list *out, hm_arena *a) {
  hm_keyed_item *k = hm_alloc_array(a, out->n + 1, sizeof *k);
  for (uint32_t i = 0; i < out->n; i++)
    k[i] =
        (hm_keyed_item){ HM_EMPTY, hm_list_sort_key(a, out->all[i].label, out->all[i].label), i };
  out->list.path = HM_STR("sources/README.md");
  hm_item_list_fill(v, a, k, out->n, HM_SPLIT_NAME, are_long, HM_STR("sources/"), &out->list);
  ranked *r = hm_alloc_array(a, out->n + 1, sizeof *r);
  for (uint32_t i = 0; i < out->n; i++)
    if (out->all[i].n_disputes)
      r[out->n_worst++] = (ranked){ out->all[i].n_disputes, i,
                                    hm_list_sort_key(a, out->all[i].label, out->all[i].label) };
  if (out->n_worst)
    qsort(r, out->n_worst, sizeof *r, by_rank);
  out->worst = hm_alloc_array(a, out->n_worst + 1, sizeof *out->worst);
  for (uint32_t i = 0; i < out->n_worst; i++)
    out->worst[i] = r[i].item;
}

static void show_rows(const hm_view *v, hm_source_list *out, bool disputed) {
  for (uint32_t i = 0; v->snap->details && i < v->snap->n_rows; i++) {
    size_t n_marks;
    uint32_t at = out->column_of[i];
    if (at == HM_NONE)
      continue;
    hm_view_marks(v, i, &n_marks);
    for (uint32_t k = 0; disputed == (n_marks > 0) && k < out->columns[at].n; k++) {
      source *s = &out->all[out->columns[at].of[k]];
      if (s->n_shown < ROWS_SHOWN)
        s->shown[s->n_shown++] = i;
    }
  }
}

hm_source_list *hm_source_list_new(const hm_view *v, hm_arena *a) {
  collecting c = { .a = a, .tmp = hm_arena_new() };
  hm_source_list *out = hm_alloc(a, sizeof *out);
  hm_map_init(&c.column_at, c.tmp, 256);
  hm_map_init(&c.at, c.tmp, 256);
  out->column_of = hm_alloc_array(a, v->snap->n_rows + 1, sizeof *out->column_of);
  for (uint32_t i = 0; v->snap->details && i < v->snap->n_rows; i++) {
    hm_str refs = v->snap->details[i].source_refs;
    out->column_of[i] = HM_NONE;
    if (!refs.n || !hm_view_listed(v, i))
      continue;
    uint32_t at = out->column_of[i] = column_of(&c, refs);
    for (uint32_t k = 0; k < c.columns[at].n; k++)
      c.all[c.columns[at].of[k]].rows++;
  }
  if (v->snap->details)
    collect_disputes(v, &c);
  out->columns = c.columns;
  out->n = (uint32_t)c.n;
  out->all = hm_alloc_array(a, c.n + 1, sizeof *out->all);
  for (size_t i = 0; i < c.n; i++) {
    out->all[i] = c.all[i];
    out->all[i].label = hm_str_dup(a, c.all[i].label);
    uint32_t room = c.all[i].rows < ROWS_SHOWN ? c.all[i].rows : ROWS_SHOWN;
    out->all[i].shown = hm_alloc_array(a, room + 1, sizeof(uint32_t));
  }
  show_rows(v, out, true);
  show_rows(v, out, false);
  list_sources(v, out, a);
  hm_map_init(&out->at, a, out->n);
  out->part_of = hm_alloc_array(a, out->n + 1, sizeof *out->part_of);
  for (uint32_t i = 0; i < out->n; i++)
    hm_map_add(&out->at, out->all[i].label, i);
  for (uint32_t p = 0; p < out->list.n; p++)
    for (uint32_t i = out->list.parts[p].from; i < out->list.parts[p].to; i++)
      out->part_of[out->list.order[i]] = p;
  hm_arena_free(c.tmp);
  return out;
}

const hm_item_list *hm_source_item_list(const hm_source_list *l) { return &l->list; }

uint32_t hm_count_sources(const hm_source_list *l) { return l->n; }
hm_str hm_source_label(const hm_source_list *l, uint32_t i) { return l->all[i].label; }

static hm_str source_anchor(hm_arena *a, hm_str label) {
  enum { DIGITS = 10 };
  return HM_CAT(a, HM_STR("source-"), hm_str_digest_hex(a, label, DIGITS));
}

hm_str hm_find_source_page(const hm_source_list *l, hm_str label, hm_arena *a, hm_str *anchor) {
  uint32_t i = hm_map_get(&l->at, label);
  *anchor = i == HM_NONE ? HM_EMPTY : source_anchor(a, label);
  return i == HM_NONE ? HM_EMPTY : l->list.parts[l->part_of[i]].path;
}

/* --- pages ---------------------------------------------------------------------------- */

/* Do sources differ on what the row is called by? Its words are then not those of each of them. */
static bool is_named_twice(const hm_view *v, uint32_t row) {
  hm_layer layer = v->snap->rows[row].layer;
  hm_str field = layer == HM_MEMORY ? HM_STR("content")
      : layer == HM_STATE           ? HM_STR("key")
                                    : HM_STR("name");
  const hm_said_value *first = NULL, *f;
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(v->snap, row, &n);
  for (size_t i = 0; e && i < n; i++) {
    if (!(f = hm_evidence_field(&e[i], field)) || !f->value.n)
      continue;
    if (first && !hm_str_eq(first->value, f->value))
      return true;
    first = f;
  }
  return false;
}

/* The address of a file of notes, at its first line. */
static void set_file_url(hm_model *m, hm_node *item, hm_str file) {
  hm_str url = hm_model_source_address(m, HM_CAT(m->a, file, HM_STR(":1")), false);
  bool whole = file.n < LABEL_BYTES - sizeof "...";
  if (url.n && whole && hm_tree_line_path(HM_CAT(m->a, file, HM_STR(":1"))).n)
    hm_node_set_url(item, "source_url", url);
  else
    hm_node_set_bool(item, "source_url", false);
}

static void put_source(hm_model *m, hm_node *list, const source *s) {
  hm_node *item = hm_model_add_item(m, list), *conflicts = hm_node_set_list(item, "conflicts");
  hm_model_set_text(m, item, "source", s->label);
  set_file_url(m, item, s->label);
  hm_model_set_raw(m, item, "anchor", source_anchor(m->a, s->label));
  hm_model_set_raw(m, item, "rows_text", hm_format_count_phrase(m->a, s->rows, "row", "rows"));
  hm_model_set_raw(
      m, item, "disputes_text",
      hm_format_count_phrase(m->a, s->n_disputes, "open contradiction", "open contradictions"));
  hm_node_set_bool(item, "disputed", s->n_disputes > 0);
  for (uint32_t i = 0; i < s->n_disputes && i < CONFLICTS_SHOWN; i++) {
    uint32_t conflict = s->disputes[i].conflict;
    hm_node *ref = hm_model_add_item(m, conflicts);
    hm_str label = hm_format_conflict_in_project(m, conflict);
    hm_model_set_text(m, ref, "label", hm_link_label(m->a, label, 120));
    hm_model_set_url(m, ref, "url", m->v->conflicts[conflict].path, HM_EMPTY);
    hm_model_set_raw(m, ref, "sep", i ? HM_STR("; ") : HM_EMPTY);
  }
  hm_node_set_bool(item, "more", s->n_disputes > CONFLICTS_SHOWN);
  hm_node *rows = hm_node_set_list(item, "rows");
  for (uint32_t i = 0; i < s->n_shown; i++) {
    hm_node *row = hm_model_add_item(m, rows);
    hm_model_set_row_link_fields(m, row, s->shown[i]);
    if (is_named_twice(m->v, s->shown[i]))
      hm_model_set_short(m, row, "label", m->v->snap->rows[s->shown[i]].id, 80);
    hm_model_set_row_marks(m, row, s->shown[i]);
    hm_model_set_raw(m, row, "sep", i ? HM_STR("; ") : HM_EMPTY);
  }
  uint32_t more = s->rows - s->n_shown;
  hm_model_set_raw(m, item, "more_rows",
                   more ? hm_format_count_phrase(m->a, more, "more row", "more rows") : HM_EMPTY);
}

/* The disputes that these sources take part in, each once, in the order of all disputes. */
static void put_disputed(hm_model *m, hm_node *top, const hm_source_list *l, const uint32_t *of,
                         uint32_t n) {
  size_t room = 0, all = 0, kept = 0;
  for (uint32_t i = 0; i < n; i++)
    room += l->all[of[i]].n_disputes;
  uint32_t *conflicts = hm_alloc_array(m->a, room + 1, sizeof *conflicts);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < l->all[of[i]].n_disputes; k++)
      conflicts[all++] = l->all[of[i]].disputes[k].conflict;
  if (all)
    qsort(conflicts, all, sizeof *conflicts, hm_order_u32);
  for (size_t i = 0; i < all; i++)
    if (!kept || conflicts[kept - 1] != conflicts[i])
      conflicts[kept++] = conflicts[i];
  hm_model_set_disputed(m, top, conflicts, kept, hm_model_section_end(m));
}

/* Lists sources with disputes first, then the others in their order. */
static void put_part(hm_model *m, hm_node *top, const hm_source_list *l,
                     const hm_item_list_part *p) {
  hm_node *list = hm_node_set_list(top, "sources");
  put_disputed(m, top, l, l->list.order + p->from, p->to - p->from);
  ranked *r = hm_alloc_array(m->a, p->to - p->from + 1, sizeof *r);
  uint32_t n = 0;
  for (uint32_t i = p->from; i < p->to; i++) {
    const source *s = &l->all[l->list.order[i]];
    if (s->n_disputes)
      r[n++] =
          (ranked){ s->n_disputes, l->list.order[i], hm_list_sort_key(m->a, s->label, s->label) };
  }
  if (n)
    qsort(r, n, sizeof *r, by_rank);
  for (uint32_t i = 0; i < n; i++)
    put_source(m, list, &l->all[r[i].item]);
  for (uint32_t i = p->from; i < p->to; i++)
    if (!l->all[l->list.order[i]].n_disputes)
      put_source(m, list, &l->all[l->list.order[i]]);
}

void hm_page_sources(hm_model *m, hm_node *top) {
  const hm_source_list *l = m->p->data;
  hm_model_set_heading(
      m, top, HM_STR("Sources"),
      HM_STR("Where the facts come from, and how often sources contradict each other"));
  hm_model_set_parts(m, top, &l->list);
  uint32_t shown = l->n_worst < WORST_SHOWN ? l->n_worst : WORST_SHOWN;
  if (l->list.n == 1) {
    put_part(m, top, l, l->list.parts);
  } else { /* the first page of many: those in most disputes */
    hm_node *list = hm_node_set_list(top, "sources");
    put_disputed(m, top, l, l->worst, l->n_worst);
    for (uint32_t i = 0; i < shown; i++)
      put_source(m, list, &l->all[l->worst[i]]);
  }
  hm_model_set_shown_of_all(m, top, "worst_cut", shown, l->list.n > 1 ? l->n_worst : 0);
}

void hm_page_sources_part(hm_model *m, hm_node *top) {
  const hm_source_list *l = m->p->data;
  const hm_item_list_part *p = &l->list.parts[m->p->from];
  hm_str title = hm_str_fmt(m->a, "Sources: %.*s", HM_FMT(p->label));
  hm_model_set_heading(m, top, title, title);
  hm_model_set_parts(m, top, NULL);
  put_part(m, top, l, p);
}

/* --- those of a project ------------------------------------------------------------------ */

/* The sources that rows of the project name, those of most rows first; in a. */
static uint32_t rank_project_sources(const hm_view *v, const hm_source_list *l,
                                     const hm_vproject *p, hm_arena *a, ranked **out) {
  uint32_t from = v->home_from[p->snap], to = v->home_from[p->snap + 1], n = 0;
  size_t n_named = 0, cap = 0;
  uint64_t *named = NULL;
  for (uint32_t i = from; i < to; i++) {
    uint32_t at = l->column_of[v->homes[i]];
    for (uint32_t k = 0; at != HM_NONE && k < l->columns[at].n; k++) {
      named = hm_array_grow_in(a, named, n_named, &cap, sizeof *named);
      named[n_named++] = l->columns[at].of[k];
    }
  }
  hm_numbers_sort(named, n_named);
  *out = hm_alloc_array(a, n_named + 1, sizeof **out);
  for (size_t i = 0, end; i < n_named; i = end) {
    hm_str label = l->all[named[i]].label;
    for (end = i + 1; end < n_named && named[end] == named[i];)
      end++;
    (*out)[n++] =
        (ranked){ (uint32_t)(end - i), (uint32_t)named[i], hm_list_sort_key(a, label, label) };
  }
  if (n)
    qsort(*out, n, sizeof **out, by_rank);
  return n;
}

enum { SOURCES_SHOWN = 8 };

uint32_t hm_model_set_project_sources(hm_model *m, hm_node *top, uint32_t project) {
  const hm_source_list *l = m->p->data;
  hm_arena *tmp = hm_arena_new();
  hm_node *list = hm_node_set_list(top, "sources");
  ranked *r = NULL;
  uint32_t i = 0, n = 0;
  if (m->v->snap->details)
    n = rank_project_sources(m->v, l, &m->v->projects[project], tmp, &r);
  for (size_t end = hm_model_section_end(m);
       i < n && i < SOURCES_SHOWN && !hm_model_is_full(m, end); i++) {
    hm_node *item = hm_model_add_item(m, list);
    hm_str label = l->all[r[i].item].label, anchor,
           path = hm_find_source_page(l, label, m->a, &anchor);
    hm_model_set_ref(m, item, "place", label, path, anchor);
    hm_model_set_text(m, item, "source", label);
    hm_model_set_count(m, item, "count", r[i].n);
  }
  hm_node_set_bool(top, "more_sources", i < n);
  hm_model_set_url(m, top, "sources_url", HM_STR("sources/README.md"), HM_EMPTY);
  hm_arena_free(tmp);
  return n;
}
