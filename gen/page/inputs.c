/* What the pages of a project are made from, as a digest. Pages look where references lead, and on from there; so projects between
 * which any reference leads share one digest. Whatever a model can read has to be here: its project's part of the view, and what its
 * rows and conflicts refer to. */
#include <stdlib.h>

#include "core/base/par.h"
#include "page.h"
#include "view_private.h"

typedef struct {
  const hm_view *v;
  uint32_t *rows, *from;     /* rows by the view project that shows them; from[p] is the first of p's */
  uint32_t *home;            /* row -> view project, HM_NONE for none */
  uint32_t *root;            /* of the set that a project is in */
  hm_hash128 *own;           /* of each project without the others */
  uint64_t seed, salt;       /* salt: of what concerns all */
} inputs;

/* --- projects between which references lead ---------------------------------- */

static uint32_t root_of(inputs *x, uint32_t p) {
  while (x->root[p] != p) p = x->root[p] = x->root[x->root[p]];
  return p;
}

static void join(inputs *x, uint32_t p, uint32_t q) {
  if (p == HM_NONE || q == HM_NONE || p == q) return;
  p = root_of(x, p);
  q = root_of(x, q);
  if (p < q) x->root[q] = p;
  else x->root[p] = q;
}

static void join_row(inputs *x, uint32_t p, uint32_t row) {
  if (row != HM_NONE) join(x, p, x->home[row]);
}

static void join_ref(inputs *x, uint32_t p, hm_layer layer, hm_str ref) {
  if (ref.n) join_row(x, p, hm_snapshot_ref(x->v->snap, layer, ref));
}

static void join_rows(inputs *x) {
  const hm_view *v = x->v;
  for (uint32_t i = 0; i < v->snap->n_rows; i++) {
    const hm_row *r = &v->snap->rows[i];
    uint32_t p = x->home[i];
    for (uint32_t k = v->edge_from[i]; k < v->edge_from[i + 1]; k++) {
      const hm_edge *e = &v->edges[k];
      join_row(x, p, e->other);
      if (e->kind != HM_EDGE_LINK_OUT && e->kind != HM_EDGE_LINK_IN) join_row(x, p, e->via);
    }
    if (!v->seen[i].refers) continue;
    join_ref(x, p, r->layer, r->superseded_by);
    join_ref(x, p, HM_ENTITY, r->graduated_to);
    join_ref(x, p, HM_ENTITY, r->from);
    join_ref(x, p, HM_ENTITY, r->to);
  }
}

static void join_conflicts(inputs *x) {
  const hm_view *v = x->v;
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_vconflict *c = &v->conflicts[i];
    join_ref(x, c->project, HM_ENTITY, c->rec->winner);
    for (size_t k = 0; k < c->rec->n_members; k++) {
      join_row(x, c->project, hm_snapshot_row(v->snap, c->rec->members[k].layer, c->rec->members[k].id));
      join_ref(x, c->project, HM_ENTITY, c->rec->members[k].conflicts_with);
    }
    for (size_t k = 0; c->dispute && k < c->dispute->n; k++) join_row(x, c->project, c->dispute->parties[k].claim->row);
  }
}

static void join_findings(inputs *x) {
  const hm_view *v = x->v;
  for (uint32_t p = 0; p < v->n_projects; p++)
    for (uint32_t i = v->projects[p].f_from; i < v->projects[p].f_to; i++)
      for (size_t k = 0; k < v->findings[i]->n_rows; k++) join_ref(x, p, HM_ENTITY, v->findings[i]->rows[k]);
}

/* --- one project --------------------------------------------------------------- */

static void put_int(hm_buf *b, uint64_t n) { hm_buf_add(b, &n, sizeof n); }

static void put(hm_buf *b, hm_str s) {
  put_int(b, s.n);
  hm_buf_str(b, s);
}

static void put_strings(hm_buf *b, const hm_str *s, size_t n) {
  for (size_t i = 0; i < n; i++) put(b, s[i]);
}

static void put_lists(const hm_view *v, const hm_vproject *p, hm_buf *b) {
  for (uint32_t i = p->g_from; i < p->g_to; i++) {
    const hm_group *g = &v->groups[i];
    put_strings(b, (hm_str[]){ g->key, g->title, g->path }, 3);
    put_int(b, (uint64_t)g->active);
    put_int(b, (uint64_t)g->history);
    put_int(b, (uint64_t)g->candidates);
    for (uint32_t k = g->p_from; k < g->p_to; k++) {
      const hm_part *part = &v->parts[k];
      put_strings(b, (hm_str[]){ part->path, part->log_path, part->label, part->key }, 4);
      put_int(b, part->to - part->from);
    }
  }
  for (uint32_t i = p->s_from; i < p->s_to; i++) put(b, v->subsystem_path[i]);
}

static void put_edge(const hm_view *v, const hm_edge *e, hm_buf *b) {
  bool link = e->kind == HM_EDGE_LINK_OUT || e->kind == HM_EDGE_LINK_IN;
  put_int(b, e->kind);
  put(b, e->other == HM_NONE ? HM_EMPTY : v->snap->rows[e->other].id);
  put(b, e->via == HM_NONE ? HM_EMPTY : link ? v->snap->links[e->via].rel : v->snap->rows[e->via].id);
}

static void put_row(const hm_view *v, uint32_t row, hm_buf *b) {
  uint32_t from = v->edge_from[row], edges = v->edge_from[row + 1] - from;
  hm_str odd = v->seen[row].odd_id ? hm_view_odd_anchor(v, row) : HM_EMPTY;
  hm_buf_add(b, &v->snap->sums->hashes[row], sizeof *v->snap->sums->hashes);
  put_int(b, (uint64_t)edges << 3 | (uint64_t)(odd.n > 0) << 2 | (uint64_t)hm_view_listed(v, row) << 1 | v->hidden[row]);
  if (odd.n) put(b, odd);
  for (uint32_t k = 0; k < edges; k++) put_edge(v, &v->edges[from + k], b);
}

static void put_dispute(const hm_view *v, const hm_dispute *d, hm_buf *b) {
  put_int(b, d ? (uint64_t)d->since : 0);
  for (size_t i = 0; d && i < d->n; i++) {
    const hm_party *p = &d->parties[i];
    put(b, v->snap->rows[p->claim->row].id);
    put_strings(b, (hm_str[]){ p->claim->field, p->claim->value.raw, p->against ? v->snap->rows[p->against->row].id : HM_EMPTY }, 3);
    put_int(b, (uint64_t)p->claim->layer << 2 | (uint64_t)p->disagrees << 1 | p->flagged);
  }
}

static void put_conflict(const hm_view *v, uint32_t i, hm_buf *b) {
  const hm_vconflict *c = &v->conflicts[i];
  uint32_t n, first = hm_view_past_of(v, i, &n);
  hm_conflict_bytes(c->rec, b);
  put_strings(b, (hm_str[]){ c->slug, c->path, c->title, c->name }, 4);
  put_int(b, (uint64_t)c->withheld << 2 | (uint64_t)c->named << 1 | (c->dispute != NULL));
  put_dispute(v, c->dispute, b);
  put_int(b, n);
  for (uint32_t k = first; k < first + n; k++) {
    put(b, v->snap->rows[v->past[k].row].id);
    put_strings(b, (hm_str[]){ v->past[k].field, v->past[k].value }, 2);
  }
}

static void put_finding(const hm_finding *f, hm_buf *b) {
  put_strings(b, (hm_str[]){ f->id, f->kind, f->severity, f->rule, f->message, f->expected, f->actual }, 7);
  put_strings(b, f->rows, f->n_rows);
}

static int digest_project(void *ctx, size_t i, int worker) {
  inputs *x = ctx;
  const hm_view *v = x->v;
  const hm_vproject *p = &v->projects[i];
  hm_buf b = { 0 };
  (void)worker;
  put_int(&b, x->salt);
  hm_project_bytes(&v->snap->projects[p->snap], &b);
  put_strings(&b, (hm_str[]){ p->label, p->slug, p->dir }, 3);
  put_lists(v, p, &b);
  for (uint32_t k = x->from[i]; k < x->from[i + 1]; k++) put_row(v, x->rows[k], &b);
  for (uint32_t k = p->c_from; k < p->c_to; k++) put_conflict(v, v->by_project[k], &b);
  for (uint32_t k = p->f_from; k < p->f_to; k++) put_finding(v->findings[k], &b);
  x->own[i] = hm_str_hash128(hm_buf_view(&b), x->seed);
  int rc = b.failed ? -1 : 0;
  hm_buf_free(&b);
  return rc;
}

/* --- all of them ---------------------------------------------------------------- */

static void find_homes(inputs *x, hm_arena *a) {
  const hm_view *v = x->v;
  size_t n = v->snap->n_rows;
  x->home = hm_alloc_array(a, n + 1, sizeof *x->home);
  x->rows = hm_alloc_array(a, n + 1, sizeof *x->rows);
  x->from = hm_alloc_array(a, v->n_projects + 2, sizeof *x->from);
  for (uint32_t i = 0; i < n; i++) {
    x->home[i] = v->project_of[v->seen[i].home];
    if (x->home[i] != HM_NONE) x->from[x->home[i] + 1]++;
  }
  for (uint32_t p = 0; p < v->n_projects; p++) x->from[p + 1] += x->from[p];
  uint32_t *at = hm_alloc_array(a, v->n_projects + 1, sizeof *at);
  for (uint32_t p = 0; p < v->n_projects; p++) at[p] = x->from[p];
  for (uint32_t i = 0; i < n; i++)
    if (x->home[i] != HM_NONE) x->rows[at[x->home[i]]++] = i;
}

/* Any row may refer to what is left out, or be silent because of it. */
static uint64_t salt_of(const inputs *x) {
  const hm_view *v = x->v;
  hm_buf b = { 0 };
  for (uint32_t i = 0; v->any_hidden && i < v->snap->n_rows; i++)
    if (v->hidden[i]) hm_buf_add(&b, &v->snap->sums->hashes[i], sizeof *v->snap->sums->hashes);
  uint64_t salt = hm_str_hash_seeded(hm_buf_view(&b), x->seed);
  hm_buf_free(&b);
  return salt;
}

/* A set's digest is that of its members' in their order. */
static hm_hash128 *share(inputs *x, hm_arena *a) {
  uint32_t n = x->v->n_projects;
  hm_hash128 *out = hm_alloc_array(a, n + 1, sizeof *out);
  for (uint32_t p = 0; p < n; p++) {
    hm_hash128 *of_set = &out[root_of(x, p)], both[2] = { *of_set, x->own[p] };
    *of_set = hm_str_hash128((hm_str){ (const char *)both, sizeof both }, x->seed);
  }
  for (uint32_t p = 0; p < n; p++) out[p] = out[root_of(x, p)];
  return out;
}

hm_hash128 *hm_page_inputs(const hm_view *v, uint64_t seed, int threads, hm_arena *a) {
  inputs x = { .v = v, .seed = seed };
  size_t failed;
  if (!v->snap->details) return NULL;
  hm_snapshot_hash_rows(v->sweep->snap, seed, threads);
  find_homes(&x, a);
  x.root = hm_alloc_array(a, v->n_projects + 1, sizeof *x.root);
  x.own = hm_alloc_array(a, v->n_projects + 1, sizeof *x.own);
  for (uint32_t p = 0; p < v->n_projects; p++) x.root[p] = p;
  join_rows(&x);
  join_conflicts(&x);
  join_findings(&x);
  x.salt = salt_of(&x);
  if (hm_par_for(v->n_projects, threads, digest_project, &x, &failed) != 0) return NULL;
  return share(&x, a);
}
