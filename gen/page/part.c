/* Lists to pages: what a list is cut into, and the paths. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "view_private.h"

typedef struct {
  hm_view *v;
  hm_arena *tmp;             /* of one list */
  uint32_t cap_parts;
} parting;

static void part_add(parting *s, hm_part p) {
  hm_view *v = s->v;
  if (v->n_parts == s->cap_parts) {
    s->cap_parts = s->cap_parts ? 2 * s->cap_parts : 256;
    v->parts = hm_xrealloc(v->parts, s->cap_parts * sizeof *v->parts);
  }
  v->parts[v->n_parts++] = p;
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

/* The pieces of one list as parts; their paths come with those of the folder. */
static void cut_list(parting *s, hm_group *g) {
  hm_view *v = s->v;
  hm_piece *pieces;
  uint32_t n;
  hm_split_kind kind = g->layer == HM_MEMORY && !hm_str_is(g->key, "undated") ? HM_SPLIT_TIME : HM_SPLIT_NAME;
  const hm_str *keys = g->to - g->from > v->opt.list_limit ? hm_view_sort(v, g, s->tmp) : NULL;
  hm_split(keys, g->to - g->from, v->opt.list_limit, kind, s->tmp, &pieces, &n);
  g->p_from = v->n_parts;
  for (uint32_t i = 0; i < n; i++) {
    hm_part p = { .group = (uint32_t)(g - v->groups), .from = g->from + pieces[i].from, .to = g->from + pieces[i].to };
    p.label = n == 1 ? HM_EMPTY : hm_str_dup(v->a, hm_piece_label(s->tmp, &pieces[i]));
    p.path = n == 1 ? HM_EMPTY : piece_name(v->a, g, &pieces[i], kind);
    p.key = n == 1 ? HM_EMPTY : hm_piece_key(v->a, g->key, &pieces[i]);
    part_add(s, p);
  }
  g->p_to = v->n_parts;
}

/* --- paths ------------------------------------------------------------- */

static const char *folder_of(hm_layer layer) {
  return layer == HM_ENTITY ? "entities/" : layer == HM_MEMORY ? "memories/" : "";
}

static hm_str file_path(const hm_view *v, const hm_group *g, hm_str slug) {
  return hm_str_fmt(v->a, "%.*s%s%.*s.md", HM_FMT(v->projects[g->project].dir), folder_of(g->layer), HM_FMT(slug));
}

/* The decision log is cut where the list of decisions is: "decisions-pep-1" beside "decision-pep-1". */
static hm_str log_path(const hm_view *v, const hm_group *g, hm_str slug) {
  hm_str rest = hm_str_starts(slug, "decision-") ? hm_str_sub(slug, 9, slug.n) : slug;
  return hm_str_fmt(v->a, "%.*sdecisions-%.*s.md", HM_FMT(v->projects[g->project].dir), HM_FMT(rest));
}

static bool is_decisions(const hm_group *g) { return g->layer == HM_ENTITY && hm_str_is(g->key, "decision"); }

static void set_paths(hm_view *v, uint32_t from, uint32_t to, const hm_named *names, uint32_t next) {
  for (uint32_t i = from; i < to; i++) {
    hm_group *g = &v->groups[i];
    g->path = file_path(v, g, names[i - from].slug);
    bool whole = g->p_to - g->p_from == 1;
    for (uint32_t k = g->p_from; k < g->p_to; k++) {
      hm_part *p = &v->parts[k];
      p->path = whole ? g->path : file_path(v, g, names[next].slug);
      if (is_decisions(g))
        p->log_path = whole ? hm_str_fmt(v->a, "%.*sdecisions.md", HM_FMT(v->projects[g->project].dir))
                            : log_path(v, g, names[next].slug);
      next += !whole;
    }
  }
}

/* Groups [from, to) stand in one folder: their lists, and what these are cut into. */
static void name_folder(parting *s, uint32_t from, uint32_t to) {
  static const char *const reserved[] = { "readme", "index", NULL };
  hm_view *v = s->v;
  uint32_t n = to - from, kept = n, first = v->groups[from].p_from, parts = v->groups[to - 1].p_to - first;
  hm_named *names = hm_alloc_array(s->tmp, n + parts, sizeof *names);
  for (uint32_t i = 0; i < n; i++) names[i] = (hm_named){ .name = group_name(&v->groups[from + i]), .id = v->groups[from + i].key };
  for (uint32_t i = 0; i < parts; i++) {
    hm_str stem = v->parts[first + i].path;
    if (stem.n == 0) continue;         /* a list in one piece has no file beside its own */
    names[kept++] = (hm_named){ .name = stem, .id = v->parts[first + i].key };
  }
  hm_slugs(names, kept, reserved, s->tmp);
  set_paths(v, from, to, names, n);
}

static bool same_folder(const hm_group *x, const hm_group *y) {
  return x->project == y->project && x->layer == y->layer;
}

void hm_view_parts(hm_view *v) {
  parting s = { .v = v };
  v->part_of = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->part_of);
  memset(v->part_of, 0xff, (v->snap->n_rows + 1) * sizeof *v->part_of);
  s.tmp = hm_arena_new();
  hm_view_order_init(v);
  for (uint32_t i = 0; i < v->n_groups; i++) {
    cut_list(&s, &v->groups[i]);
    hm_arena_reset(s.tmp);
  }
  for (uint32_t from = 0, to; from < v->n_groups; from = to) {
    for (to = from + 1; to < v->n_groups && same_folder(&v->groups[from], &v->groups[to]); to++) continue;
    name_folder(&s, from, to);
    hm_arena_reset(s.tmp);
  }
  hm_arena_free(s.tmp);
  hm_part *kept = hm_alloc_array(v->a, v->n_parts + 1, sizeof *kept);
  if (v->n_parts) memcpy(kept, v->parts, v->n_parts * sizeof *kept);
  free(v->parts);
  v->parts = kept;
  for (uint32_t i = 0; i < v->n_parts; i++)
    for (uint32_t k = kept[i].from; k < kept[i].to; k++) v->part_of[v->listed[k]] = i;
}
