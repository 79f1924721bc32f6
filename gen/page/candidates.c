/* Pages of candidates, one a project: rows that wait for a person, and what each would contradict
 * if it were promoted. No other page shows them, since none is a fact.
 *
 * Cost: see hm_candidates_look; only where there are candidates. */
#include "core/review/candidates.h"

#include "core/base/par.h"
#include "model.h"

enum { LINE_BYTES = 400, TEXT_SHOWN = 400, OTHERS_SHOWN = 10, ITEM_BYTES = 600, OTHER_BYTES = 500 };

struct hm_candidate_index {
  hm_candidate *seen; /* all that are published, by row */
  size_t n;
  hm_item_list *lists; /* of each project; n 0: it has none. Items: of seen */
};

/* --- which there are ------------------------------------------------------------------------ */

static bool is_published(const hm_view *v, uint32_t row) {
  return v->rows[row].candidate && !v->hidden[row] && v->project_of[v->rows[row].home] != HM_NONE;
}

/* What the row says, without what is left out. */
static hm_str line_of(const hm_view *v, uint32_t row, hm_arena *a) {
  const hm_row *r = &v->snap->rows[row];
  if (r->layer == HM_STATE)
    return HM_CAT(a, r->name, HM_STR(": "), hm_view_state_value(v, row, a));
  return hm_row_line(v->snap, v->hidden, row, hm_view_props(v, row, a), a);
}

static bool are_long(const void *list, uint32_t from, uint32_t to) {
  const hm_keyed_items *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to && all <= HM_LIST_BYTES; i++)
    all += ITEM_BYTES + hm_page_bytes(s->k[i].key) + OTHERS_SHOWN * OTHER_BYTES;
  return all > HM_LIST_BYTES;
}

static void list_project(const hm_view *v, hm_candidate_index *x, uint32_t project, hm_arena *a) {
  hm_arena *tmp = hm_arena_new();
  hm_keyed_item *k = hm_alloc_array(tmp, x->n + 1, sizeof *k);
  hm_item_list *list = &x->lists[project];
  uint32_t n = 0;
  for (uint32_t i = 0; i < x->n; i++) {
    uint32_t row = x->seen[i].row;
    if (v->project_of[v->rows[row].home] != project)
      continue;
    hm_str line = hm_shorten(tmp, line_of(v, row, tmp), LINE_BYTES);
    k[n++] =
        (hm_keyed_item){ HM_EMPTY,
                         hm_list_sort_key(tmp, line, hm_row_ref(tmp, &v->snap->rows[row])), i };
  }
  hm_str dir = v->projects[project].dir;
  list->path = HM_CAT(a, dir, HM_STR("candidates.md"));
  if (n)
    hm_item_list_fill(v, a, k, n, HM_SPLIT_NAME, are_long, HM_CAT(a, dir, HM_STR("candidates/")),
                      list);
  hm_arena_free(tmp);
}

int hm_candidate_index_new(const hm_view *v, hm_arena *a, hm_candidate_index **out, hm_err *err) {
  hm_candidate_index *x = *out = hm_alloc(a, sizeof *x);
  x->lists = hm_alloc_array(a, v->n_projects + 1, sizeof *x->lists);
  uint32_t *rows = hm_alloc_array(a, (size_t)v->counts.candidates + 1, sizeof *rows);
  for (uint32_t i = 0; i < v->snap->n_rows; i++)
    if (is_published(v, i) && x->n < (size_t)v->counts.candidates)
      rows[x->n++] = i;
  if (!x->n)
    return 0;
  if (hm_candidates_look(v->snap, v->sweep->claims, v->rules, rows, x->n, hm_par_cores(), a,
                         &x->seen, err))
    return -1;
  for (uint32_t p = 0; p < v->n_projects; p++)
    if (v->projects[p].candidates)
      list_project(v, x, p, a);
  return 0;
}

const hm_item_list *hm_candidate_list(const hm_candidate_index *x, uint32_t project) {
  return x->lists[project].n ? &x->lists[project] : NULL;
}

/* The page of a project's candidates; empty: it has none. */
static hm_str candidates_path(const hm_view *v, uint32_t project, hm_arena *a) {
  const hm_vproject *p = &v->projects[project];
  return p->candidates ? HM_CAT(a, p->dir, HM_STR("candidates.md")) : HM_EMPTY;
}

void hm_model_set_candidates(hm_model *m, hm_node *o, int64_t n, uint32_t project) {
  hm_model_set_count(m, o, "candidates", n);
  hm_node_set_bool(o, "one_candidate", n == 1);
  hm_model_set_url(m, o, "candidates_url", candidates_path(m->v, project, m->a), HM_EMPTY);
}

/* --- the page -------------------------------------------------------------------------------- */

static hm_str what_of(const hm_row *r) {
  static const char *const words[] = { [HM_MEMORY] = "Memory",
                                       [HM_ENTITY] = "Entity",
                                       [HM_STATE] = "Curated value",
                                       [HM_RELATION] = "Relation" };
  return hm_str_c(words[r->layer]);
}

/* What it would contradict, of what is published. */
static void put_opponents(hm_model *m, hm_node *item, const hm_candidate *c) {
  const hm_view *v = m->v;
  hm_node *list = hm_node_set_list(item, "contradicts");
  size_t shown = 0, all = 0;
  for (size_t i = 0; i < c->n; i++) {
    const hm_would_contradict *x = &c->v[i];
    if (v->hidden[x->row] || !hm_view_claim_shown(v, x->row, x->field, m->a) ||
        !hm_view_claim_shown(v, c->row, x->own_field, m->a) || all++ >= OTHERS_SHOWN)
      continue;
    hm_node *other = hm_model_add_item(m, list);
    hm_model_set_row_link_fields(m, other, x->row);
    hm_model_set_short(m, other, "value", x->value, TEXT_SHOWN);
    shown++;
  }
  hm_model_set_shown_of_all(m, item, "contradicts_cut", shown, all);
}

static void put_candidate(hm_model *m, hm_node *list, const hm_candidate *c) {
  const hm_row *r = &m->v->snap->rows[c->row];
  hm_node *item = hm_model_add_item(m, list);
  hm_model_set_text(m, item, "what", what_of(r));
  hm_model_set_short(m, item, "text", line_of(m->v, c->row, m->a), TEXT_SHOWN);
  hm_model_set_text(m, item, "source", hm_model_format_sources(m, c->row));
  hm_model_set_short(m, item, "id", hm_row_ref(m->a, r), 200);
  hm_model_set_short(m, item, "unread", c->reading.unread, TEXT_SHOWN);
  put_opponents(m, item, c);
}

void hm_page_candidates(hm_model *m, hm_node *top) {
  const hm_candidate_index *x = m->p->data;
  const hm_item_list *l = &x->lists[m->p->project];
  const hm_item_list_part *p = m->p->to || l->n == 1 ? &l->parts[m->p->from] : NULL;
  hm_str of = hm_shorten(m->a, m->v->projects[m->p->project].label, 120);
  hm_str title = HM_CAT(m->a, HM_STR("Candidates of "), of);
  if (p && p->label.n)
    title = HM_CAT(m->a, title, HM_STR(": "), p->label);
  hm_model_set_heading(m, top, title, title);
  hm_model_set_parts(m, top, p ? NULL : l);
  hm_node *list = hm_node_set_list(top, "rows");
  for (uint32_t i = p ? p->from : 0; p && i < p->to; i++)
    put_candidate(m, list, &x->seen[l->order[i]]);
}
