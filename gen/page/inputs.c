/* The digest of what a project's pages are made from: whatever a model can read has to be here.
 *
 * That is its part of the view (paths, lists, rows, conflicts, findings), and of a row of another
 * project that it refers to, a card: what a link to it shows. A change in a neighbour that does not
 * change the card concerns nobody else. Few pages read whole rows of other projects: those of
 * subsystems (what is part of them, and what speaks of that) and of conflicts (members, and what
 * they superseded). Projects between which such a reference leads share one digest, since what is
 * read there may lead further. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "page.h"
#include "view_private.h"

typedef struct { uint32_t p, q; } tie;   /* pages of one project read whole rows of the other */
typedef struct { tie *v; size_t n, cap; } ties;

/* One core's own. */
typedef struct { ties ties; hm_buf b; } worker;

typedef struct {
  const hm_view *v;
  worker *cores;
  uint32_t *root;            /* of the set that a project is in */
  hm_hash128 *own;           /* of each project, without other projects */
  uint64_t seed, salt;       /* salt: of what concerns all */
} inputs;

/* --- projects that share a digest ---------------------------------------------- */

/* The view project that shows a row, or HM_NONE. */
static uint32_t home_of(const hm_view *v, uint32_t row) { return v->project_of[v->seen[row].home]; }

static void add_tie(ties *t, tie x) {
  if (t->n == t->cap) t->v = hm_xrealloc(t->v, (t->cap = t->cap ? 2 * t->cap : 64) * sizeof *t->v);
  t->v[t->n++] = x;
}

/* Most references stay at home, and those that do not go where the last one went. */
static void tie_row(const hm_view *v, ties *t, uint32_t p, uint32_t row) {
  uint32_t q = row == HM_NONE ? HM_NONE : home_of(v, row);
  const tie *last = t->n ? &t->v[t->n - 1] : NULL;
  if (q == HM_NONE || q == p || (last && last->p == p && last->q == q)) return;
  add_tie(t, (tie){ p, q });
}

static void tie_ref(const hm_view *v, ties *t, uint32_t p, hm_layer layer, hm_str ref) {
  if (ref.n) tie_row(v, t, p, hm_snapshot_ref(v->snap, layer, ref));
}

/* What superseded a row, which stands on the pages of conflicts with all that these superseded; and
 * the neighbours of subsystems and components. */
static bool reads_whole_row(const hm_view *v, uint32_t row, const hm_edge *e) {
  if (e->kind == HM_EDGE_LINK_OUT || e->kind == HM_EDGE_LINK_IN) return false;
  return e->kind == HM_EDGE_NEWER || e->kind == HM_EDGE_OLDER ||
      hm_view_is_assembly(v, v->seen[row].kind);
}

static void tie_rows(const hm_view *v, ties *t, uint32_t p, uint32_t row) {
  bool tied = false;   /* to what superseded_by says */
  for (uint32_t k = v->edge_from[row]; k < v->edge_from[row + 1]; k++) {
    const hm_edge *e = &v->edges[k];
    if (reads_whole_row(v, row, e)) tie_row(v, t, p, e->other);
    tied |= e->kind == HM_EDGE_NEWER && e->via == HM_NONE;
  }
  if (!tied) tie_ref(v, t, p, v->snap->rows[row].layer, v->snap->rows[row].superseded_by);
}

static void tie_conflict(const hm_view *v, ties *w, uint32_t p, const hm_vconflict *c) {
  tie_ref(v, w, p, HM_ENTITY, c->rec->winner);
  for (size_t k = 0; k < c->rec->n_members; k++) {
    tie_row(v, w, p, hm_snapshot_row(v->snap, c->rec->members[k].layer, c->rec->members[k].id));
    tie_ref(v, w, p, HM_ENTITY, c->rec->members[k].conflicts_with);
  }
  for (size_t k = 0; c->dispute && k < c->dispute->n; k++)
    tie_row(v, w, p, c->dispute->parties[k].claim->row);
}

static uint32_t root_of(inputs *x, uint32_t p) {
  while (x->root[p] != p) p = x->root[p] = x->root[x->root[p]];
  return p;
}

static void join(inputs *x, tie t) {
  uint32_t p = root_of(x, t.p), q = root_of(x, t.q);
  if (p < q) x->root[q] = p;
  else x->root[p] = q;
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

/* What a link to a row of another project shows of it (hm_pm_row_fields). Rows of this one are here
 * anyway. */
static void put_card(const hm_view *v, uint32_t project, uint32_t row, hm_buf *b) {
  if (row == HM_NONE || home_of(v, row) == project) return;
  const hm_row *r = &v->snap->rows[row];
  put_int(b, (uint64_t)r->layer << 2 | (uint64_t)v->hidden[row] << 1 | hm_view_listed(v, row));
  if (v->hidden[row]) return;
  put_strings(b, (hm_str[]){ r->id, hm_view_label_source(v, row) }, 2);
  if (!hm_view_listed(v, row)) return;
  put(b, v->parts[v->part_of[row]].path);
  if (v->seen[row].odd_id) put(b, hm_view_odd_anchor(v, row));
}

static void put_ref_card(const hm_view *v, uint32_t project, hm_layer layer, hm_str ref,
                         hm_buf *b) {
  if (ref.n) put_card(v, project, hm_snapshot_ref(v->snap, layer, ref), b);
}

/* A relation may be a third project's: all of it is here. */
static void put_edge(const hm_view *v, uint32_t project, const hm_edge *e, hm_buf *b) {
  bool link = e->kind == HM_EDGE_LINK_OUT || e->kind == HM_EDGE_LINK_IN;
  put_int(b, e->kind);
  put(b, e->other == HM_NONE ? HM_EMPTY : v->snap->rows[e->other].id);
  put_card(v, project, e->other, b);
  if (link) put(b, v->snap->links[e->via].rel);
  else if (e->via != HM_NONE)
    hm_buf_add(b, &v->snap->sums->hashes[e->via], sizeof *v->snap->sums->hashes);
}

/* What nearly all rows are told by; the rest of a row that has more comes after all of these. */
typedef struct { hm_hash128 bytes; uint32_t edges; bool listed, hidden, odd, refers; } row_line;

static row_line line_of(const hm_view *v, uint32_t row) {
  hm_seen x = v->seen[row];
  bool hidden = v->any_hidden && v->hidden[row];
  return (row_line){ v->snap->sums->hashes[row],
                     v->edge_from[row + 1] - v->edge_from[row],
                     !x.candidate && !hidden,
                     hidden,
                     x.odd_id,
                     x.refers };
}

static void put_rest(const hm_view *v, uint32_t project, uint32_t row, const row_line *l,
                     hm_buf *b) {
  const hm_row *r = &v->snap->rows[row];
  if (l->odd) put(b, hm_view_odd_anchor(v, row));
  for (uint32_t k = 0; k < l->edges; k++) put_edge(v, project, &v->edges[v->edge_from[row] + k], b);
  if (!l->refers) return;
  put_ref_card(v, project, HM_ENTITY, r->graduated_to, b);
  put_ref_card(v, project, HM_ENTITY, r->from, b);
  put_ref_card(v, project, HM_ENTITY, r->to, b);
}

/* The rows of a project that is shown. */
static void put_rows(const hm_view *v, worker *w, uint32_t project, hm_buf *b) {
  uint32_t snap = v->projects[project].snap, n = v->home_from[snap + 1] - v->home_from[snap];
  const uint32_t *rows = v->homes + v->home_from[snap];
  put_int(b, n);
  if (!hm_buf_room(b, n * sizeof(row_line))) return;
  size_t at = b->n;
  b->n += n * sizeof(row_line);
  for (uint32_t i = 0; i < n; i++) {
    row_line l = line_of(v, rows[i]);
    memcpy(b->p + at + i * sizeof l, &l, sizeof l);
  }
  for (uint32_t i = 0; i < n; i++) {
    row_line l;
    memcpy(&l, b->p + at + i * sizeof l, sizeof l);
    if (l.odd || l.edges || l.refers) put_rest(v, project, rows[i], &l, b);
    if (l.refers || l.edges) tie_rows(v, &w->ties, project, rows[i]);
  }
}

static void put_dispute(const hm_view *v, const hm_dispute *d, hm_buf *b) {
  put_int(b, d ? (uint64_t)d->since : 0);
  for (size_t i = 0; d && i < d->n; i++) {
    const hm_party *p = &d->parties[i];
    put(b, v->snap->rows[p->claim->row].id);
    put_strings(b,
                (hm_str[]){ p->claim->field, p->claim->compare, p->claim->value.raw,
                            p->claim->value.norm, p->claim->value.named,
                            p->against ? v->snap->rows[p->against->row].id : HM_EMPTY },
                6);
    put_int(b, (uint64_t)p->claim->layer << 2 | (uint64_t)p->spared << 1 | p->flagged);
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

static void put_finding(const hm_view *v, uint32_t project, const hm_finding *f, hm_buf *b) {
  put_strings(
      b, (hm_str[]){ f->id, f->kind, f->severity, f->rule, f->message, f->expected, f->actual }, 7);
  put_strings(b, f->rows, f->n_rows);
  for (size_t k = 0; k < f->n_rows; k++) put_ref_card(v, project, HM_ENTITY, f->rows[k], b);
}

static int digest_project(void *ctx, size_t i, int core) {
  inputs *x = ctx;
  const hm_view *v = x->v;
  worker *w = &x->cores[core];
  const hm_vproject *p = &v->projects[i];
  hm_buf *b = &w->b;
  hm_buf_clear(b);
  put_int(b, x->salt);
  hm_project_bytes(&v->snap->projects[p->snap], b);
  put_strings(b, (hm_str[]){ p->label, p->slug, p->dir }, 3);
  put_int(b, p->gaps);
  put_lists(v, p, b);
  put_rows(v, w, (uint32_t)i, b);
  for (uint32_t k = p->c_from; k < p->c_to; k++) {
    put_conflict(v, v->by_project[k], b);
    tie_conflict(v, &w->ties, (uint32_t)i, &v->conflicts[v->by_project[k]]);
  }
  for (uint32_t k = p->f_from; k < p->f_to; k++) put_finding(v, (uint32_t)i, v->findings[k], b);
  x->own[i] = hm_str_hash128(hm_buf_view(b), x->seed);
  return b->failed ? -1 : 0;
}

/* --- all of them ---------------------------------------------------------------- */

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
  uint32_t n = v->n_projects;
  size_t failed;
  if (!v->snap->details) return NULL;
  if (threads < 1) threads = 1;
  hm_snapshot_hash_rows(v->sweep->snap, seed, threads);
  inputs x = { .v = v,
               .seed = seed,
               .cores = hm_alloc_array(a, (size_t)threads, sizeof *x.cores),
               .root = hm_alloc_array(a, n + 1, sizeof *x.root),
               .own = hm_alloc_array(a, n + 1, sizeof *x.own) };
  x.salt = salt_of(&x);
  for (uint32_t p = 0; p < n; p++) x.root[p] = p;
  int rc = hm_par_for(n, threads, digest_project, &x, &failed);
  for (int c = 0; c < threads; c++) {
    for (size_t i = 0; i < x.cores[c].ties.n; i++) join(&x, x.cores[c].ties.v[i]);
    free(x.cores[c].ties.v);
    hm_buf_free(&x.cores[c].b);
  }
  return rc ? NULL : share(&x, a);
}
