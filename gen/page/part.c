/* Lists to pages: what a list is cut into, and the paths. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/text.h"
#include "view_private.h"

/* One core's own. */
typedef struct {
  const hm_view *v;
  hm_arena *a;               /* what becomes part of the view */
  hm_arena *tmp;             /* of one list or folder */
  hm_part *parts;
  uint32_t n, cap; /* of the projects that this core did; a project's stand together */
} parting;

/* Parts of a project: parts[from, from + n) of that core. at: where they go. */
typedef struct { int core; uint32_t from, n, at; } made;

typedef struct { hm_view *v; parting *cores; made *of; } cutting;

static void part_add(parting *s, hm_part p) {
  if (s->n == s->cap)
    s->parts = hm_xrealloc(s->parts, (s->cap = s->cap ? 2 * s->cap : 256) * sizeof *s->parts);
  s->parts[s->n++] = p;
}

/* File name of a list, before clashes are settled. */
static hm_str group_name(const hm_group *g) {
  if (g->layer == HM_STATE) return HM_STR("state");
  if (g->layer == HM_RELATION) return HM_STR("relations");
  if (g->layer == HM_MEMORY) return g->key;
  if (g->kind) return hm_str_c(g->kind->slug);
  return g->key.n ? g->title : HM_STR("untyped");
}

/* File name of a piece: "parameter-a-c", "decision-pep-1", "2012-03". */
static hm_str piece_name(hm_arena *a, const hm_group *g, const hm_piece *p, hm_split_kind kind) {
  hm_str stem = hm_piece_stem(a, p);
  if (kind == HM_SPLIT_TIME) return stem;
  hm_str base = hm_text_slug(a, group_name(g));
  return hm_str_fmt(a, "%.*s-%.*s", HM_FMT(base), HM_FMT(stem));
}

/* The pieces of one list as parts; their paths come with those of the folder. p_from, p_to: among
 * the core's parts. */
static void cut_list(parting *s, hm_group *g) {
  const hm_view *v = s->v;
  hm_piece *pieces;
  uint32_t n;
  hm_split_kind kind =
      g->layer == HM_MEMORY && !hm_str_is(g->key, "undated") ? HM_SPLIT_TIME : HM_SPLIT_NAME;
  const hm_str *keys = g->to - g->from > v->opt.list_limit ? hm_view_sort(v, g, s->tmp) : NULL;
  hm_split(keys, g->to - g->from, v->opt.list_limit, kind, s->tmp, &pieces, &n);
  g->p_from = s->n;
  for (uint32_t i = 0; i < n; i++) {
    hm_part p = { .group = (uint32_t)(g - v->groups),
                  .from = g->from + pieces[i].from,
                  .to = g->from + pieces[i].to };
    p.label = n == 1 ? HM_EMPTY : hm_str_dup(s->a, hm_piece_label(s->tmp, &pieces[i]));
    p.path = n == 1 ? HM_EMPTY : piece_name(s->a, g, &pieces[i], kind);
    p.key = n == 1 ? HM_EMPTY : hm_piece_key(s->a, g->key, &pieces[i]);
    part_add(s, p);
  }
  g->p_to = s->n;
}

/* --- paths ------------------------------------------------------------- */

static const char *folder_of(hm_layer layer) {
  return layer == HM_ENTITY ? "entities/" : layer == HM_MEMORY ? "memories/" : "";
}

static hm_str in_folder(const parting *s, const hm_group *g, const char *folder, hm_str slug) {
  return hm_str_join(
      s->a, (hm_str[]){ s->v->projects[g->project].dir, hm_str_c(folder), slug, HM_STR(".md") }, 4);
}

/* The decision log is cut where the list of decisions is: "decisions-pep-1" beside
 * "decision-pep-1". */
static hm_str log_path(const parting *s, const hm_group *g, hm_str slug) {
  return in_folder(s, g, "decisions-",
                   hm_str_starts(slug, "decision-") ? hm_str_sub(slug, 9, slug.n) : slug);
}

static bool is_decisions(const hm_group *g) {
  return g->layer == HM_ENTITY && hm_str_is(g->key, "decision");
}

static void set_paths(parting *s, hm_group *groups, uint32_t n, const hm_named *names) {
  uint32_t next = n;
  for (uint32_t i = 0; i < n; i++) {
    hm_group *g = &groups[i];
    g->path = in_folder(s, g, folder_of(g->layer), names[i].slug);
    bool whole = g->p_to - g->p_from == 1;
    for (uint32_t k = g->p_from; k < g->p_to; k++) {
      hm_part *p = &s->parts[k];
      p->path = whole ? g->path : in_folder(s, g, folder_of(g->layer), names[next].slug);
      if (is_decisions(g))
        p->log_path =
            whole ? in_folder(s, g, "", HM_STR("decisions")) : log_path(s, g, names[next].slug);
      next += !whole;
    }
  }
}

/* These lists stand in one folder, and so does what they are cut into. */
static void name_folder(parting *s, hm_group *groups, uint32_t n) {
  static const char *const reserved[] = { "readme", "index", NULL };
  uint32_t kept = n, first = groups[0].p_from, parts = groups[n - 1].p_to - first;
  hm_named *names = hm_alloc_array(s->tmp, n + parts, sizeof *names);
  for (uint32_t i = 0; i < n; i++)
    names[i] = (hm_named){ .name = group_name(&groups[i]), .id = groups[i].key };
  for (uint32_t i = 0; i < parts; i++) {
    hm_str stem = s->parts[first + i].path;
    if (stem.n == 0) continue;         /* a list in one piece has no file beside its own */
    names[kept++] = (hm_named){ .name = stem, .id = s->parts[first + i].key };
  }
  hm_slugs(names, kept, reserved, s->tmp);
  set_paths(s, groups, n, names);
}

static int cut_project(void *ctx, size_t at, int core) {
  cutting *x = ctx;
  uint32_t p = (uint32_t)at;
  parting *s = &x->cores[core];
  hm_group *groups = x->v->groups + x->v->projects[p].g_from;
  uint32_t n = x->v->projects[p].g_to - x->v->projects[p].g_from, first = s->n;
  if (!s->a) *s = (parting){ .v = x->v, .a = hm_arena_new(), .tmp = hm_arena_new() };
  for (uint32_t i = 0; i < n; i++) {
    cut_list(s, &groups[i]);
    hm_arena_reset(s->tmp);
  }
  for (uint32_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && groups[from].layer == groups[to].layer; to++) continue;
    name_folder(s, &groups[from], to - from);
    hm_arena_reset(s->tmp);
  }
  x->of[p] = (made){ .core = core, .from = first, .n = s->n - first };
  return 0;
}

/* --- put together ------------------------------------------------------------ */

static int place_project(void *ctx, size_t p, int core) {
  cutting *x = ctx;
  hm_view *v = x->v;
  const made *m = &x->of[p];
  (void)core;
  if (m->n) memcpy(v->parts + m->at, x->cores[m->core].parts + m->from, m->n * sizeof *v->parts);
  v->projects[p].p_from = m->at;
  v->projects[p].p_to = m->at + m->n;
  for (uint32_t i = v->projects[p].g_from; i < v->projects[p].g_to; i++) {
    v->groups[i].p_from += m->at - m->from;
    v->groups[i].p_to += m->at - m->from;
    for (uint32_t k = v->groups[i].p_from; k < v->groups[i].p_to; k++) v->parts[k].group = i;
  }
  for (uint32_t i = m->at; i < m->at + m->n; i++)
    for (uint32_t k = v->parts[i].from; k < v->parts[i].to; k++) v->part_of[v->ordered[k]] = i;
  return 0;
}

static void put_together(cutting *x, int cores) {
  hm_view *v = x->v;
  size_t failed;
  for (uint32_t p = 0; p < v->n_projects; p++) {
    x->of[p].at = v->n_parts;
    v->n_parts += x->of[p].n;
  }
  v->parts = hm_alloc_array(v->a, v->n_parts + 1, sizeof *v->parts);
  v->part_of = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->part_of);
  memset(v->part_of, 0xff, (v->snap->n_rows + 1) * sizeof *v->part_of); /* candidates are in none */
  hm_par_for(v->n_projects, cores, place_project, x, &failed);
}

void hm_view_parts(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  int cores = hm_par_cores();
  size_t failed;
  cutting x = { .v = v,
                .cores = hm_alloc_array(tmp, (size_t)cores, sizeof *x.cores),
                .of = hm_alloc_array(tmp, v->n_projects + 1, sizeof *x.of) };
  hm_view_order_init(v);
  hm_par_for(v->n_projects, cores, cut_project, &x, &failed);
  put_together(&x, cores);
  for (int c = 0; c < cores; c++) {
    if (x.cores[c].a) hm_arena_take(v->a, x.cores[c].a);
    hm_arena_free(x.cores[c].tmp);
    free(x.cores[c].parts);
  }
  hm_arena_free(tmp);
}
