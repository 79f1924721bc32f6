/* Lists to pages: what a list is cut into, and the paths.
 *
 * A part holds at most list_limit rows and HM_PART_BYTES of them, as the largest of its three
 * files (Markdown, HTML, data) has them. The bytes of a row are an estimate from above for what a
 * page shows of it (lines.c), with each text as it is escaped. Nearly all lists are told to be
 * short by the lengths of their texts alone; only the rows of others are looked at. */
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
  hm_list_part *parts;
  uint32_t n, cap; /* of the projects that this core did; a project's stand together */
} parting;

/* Parts of a project: parts[from, from + n) of that core. at: where they go. */
typedef struct { int core; uint32_t from, n, at; } made;

typedef struct { hm_view *v; parting *cores; made *of; } cutting;

static void part_add(parting *s, hm_list_part p) {
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

/* --- bytes of rows ----------------------------------------------------- */

enum {
  ROW_BYTES = 300,           /* heading, anchor, status, links to itself */
  LINE_BYTES = 60,           /* what stands around one line */
  LINK_BYTES = 220,          /* a line with a link to a row, without its label */
  LABEL_BYTES = 120,
  WHY_BYTES = 500,           /* why a row gave way to another */
  MOST = 12                  /* bytes that a byte can become */
};

static size_t label_bytes(const hm_view *v, uint32_t row) {
  if (row == HM_NONE || v->hidden[row]) return LABEL_BYTES;
  return hm_page_bytes(hm_str_sub(hm_view_label_source(v, row), 0, LABEL_BYTES));
}

static size_t text_bytes(const hm_view *v, hm_str s) {
  size_t cut = s.n > v->opt.value_limit ? LINK_BYTES : 0;
  return s.n ? LINE_BYTES + cut + hm_page_bytes(hm_text_cut(s, v->opt.value_limit)) : 0;
}

/* A list of texts, each cut at `max`, with a link or a line of its own. */
static size_t list_bytes(hm_str json, size_t max, size_t each, hm_arena *tmp) {
  hm_str *s;
  size_t n = hm_strings(json, tmp, &s), all = 0;
  for (size_t i = 0; i < n && i < 2 * HM_REFS; i++)
    all += each + hm_page_bytes(hm_str_sub(s[i], 0, max));
  return all;
}

/* Strings of properties, of which none is cut: what stands between two quotes. */
static size_t names_bytes(const hm_view *v, hm_str props) {
  size_t all = 0;
  const char *end = props.p + props.n, *at = memchr(props.p, '"', props.n), *to;
  for (; at; at = memchr(to + 1, '"', (size_t)(end - to - 1))) {
    to = memchr(at + 1, '"', (size_t)(end - at - 1));
    if (!to) break;
    hm_str text = { at + 1, (size_t)(to - at - 1) };
    uint32_t other = text.n ? hm_snapshot_row(v->snap, HM_ENTITY, text) : HM_NONE;
    if (to + 1 < end && to[1] == ':') all += LINE_BYTES;
    else if (other != HM_NONE) all += LINK_BYTES + label_bytes(v, other);
  }
  return all;
}

static size_t props_bytes(const hm_view *v, uint32_t row, hm_arena *tmp) {
  hm_str raw = v->snap->rows[row].props;
  if (raw.n <= v->opt.value_limit) return raw.n ? hm_page_bytes(raw) + names_bytes(v, raw) : 0;
  const hm_json *props = hm_view_props(v, row, tmp);
  size_t all = 0, left = hm_view_props_fit(v, row, props, tmp);
  if (!props) return text_bytes(v, raw);
  if (left != SIZE_MAX) all += v->opt.value_limit + LINK_BYTES;
  for (const hm_json *p = props->child; p && left; p = p->next, left--)
    all += LINE_BYTES + hm_page_bytes(hm_str_sub(p->key, 0, 200)) +
           text_bytes(v, hm_json_text(p, tmp));
  return all + names_bytes(v, raw);
}

static size_t edges_bytes(const hm_view *v, uint32_t row) {
  size_t all = 0;
  int chain = 0, lines = 0;
  for (uint32_t k = v->edge_from[row]; k < v->edge_from[row + 1]; k++) {
    const hm_edge *e = &v->edges[k];
    bool why = e->kind == HM_EDGE_NEWER || e->kind == HM_EDGE_OLDER;
    if (e->kind > HM_EDGE_OLDER || (why ? chain++ : lines++) >= HM_REFS) continue;
    all += LINK_BYTES + label_bytes(v, e->other) + (why ? WHY_BYTES : LABEL_BYTES);
  }
  return all;
}

static uint32_t row_bytes(const hm_view *v, uint32_t row, hm_arena *tmp) {
  const hm_row *r = &v->snap->rows[row];
  size_t n_marks, all = ROW_BYTES + label_bytes(v, row) + 2 * text_bytes(v, r->id);
  const hm_str short_texts[] = { r->type, r->name, r->slot_rule, r->from, r->to, r->valid_from,
                                 r->valid_until, r->created_at, r->superseded_by, r->graduated_to };
  for (size_t i = 0; i < sizeof short_texts / sizeof *short_texts; i++)
    all += short_texts[i].n ? LINE_BYTES + hm_page_bytes(hm_str_sub(short_texts[i], 0, 200)) : 0;
  all += text_bytes(v, r->text) + props_bytes(v, row, tmp) + edges_bytes(v, row);
  if (r->from.n || r->to.n || r->graduated_to.n) all += 3 * (LINK_BYTES + LABEL_BYTES);
  hm_view_marks(v, row, &n_marks);
  all += n_marks * LINK_BYTES;
  if (v->snap->details) {
    const hm_row_detail *d = &v->snap->details[row];
    const hm_str texts[] = { d->confidence, d->importance, d->polarity, d->scope, d->agent,
                             d->updated_at, d->superseded_at };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) all += text_bytes(v, texts[i]);
    all += list_bytes(d->source_refs, 200, LINE_BYTES, tmp) + list_bytes(d->tags, 100, 8, tmp);
    all += MOST * (d->source_refs.n > 200 ? d->source_refs.n / 4 : 0);   /* addresses in full */
  }
  return all < UINT32_MAX / 1000 ? (uint32_t)all : UINT32_MAX / 1000;
}

/* No more than this, by the lengths alone: as if all of it had to be escaped. */
static size_t most_bytes(const hm_view *v, uint32_t row) {
  const hm_row *r = &v->snap->rows[row];
  if (v->seen[row].may_be_long) return SIZE_MAX / 2;
  size_t edges = v->edge_from[row + 1] - v->edge_from[row], links = 3 * !!v->seen[row].refers;
  size_t n = 3 * r->id.n + r->type.n + 2 * r->name.n + r->text.n + r->slot_rule.n;
  if (v->snap->details)
    n += v->snap->details[row].source_refs.n + v->snap->details[row].tags.n;
  return ROW_BYTES + 12 * LINE_BYTES + MOST * n + (MOST + LINE_BYTES / 5) * r->props.n +
         (edges + links) * (LINK_BYTES + WHY_BYTES + LABEL_BYTES);
}

typedef struct { const hm_view *v; const uint32_t *rows; } row_list;

static bool is_long(const void *list, uint32_t from, uint32_t to) {
  const row_list *l = list;
  size_t most = 0, all = 0;
  for (uint32_t i = from; i < to && most <= HM_PART_BYTES; i++) most += most_bytes(l->v, l->rows[i]);
  if (most <= HM_PART_BYTES) return false;
  hm_arena *tmp = hm_arena_new();
  for (uint32_t i = from; i < to && all <= HM_PART_BYTES; i++) {
    all += row_bytes(l->v, l->rows[i], tmp);
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
  return all > HM_PART_BYTES;
}

/* --- parts of one list -------------------------------------------------- */

/* The pieces of one list as parts; their paths come with those of the folder. p_from, p_to: among
 * the core's parts. */
static void cut_list(parting *s, hm_group *g) {
  const hm_view *v = s->v;
  hm_piece *pieces;
  uint32_t n;
  hm_split_kind kind =
      g->layer == HM_MEMORY && !hm_str_is(g->key, "undated") ? HM_SPLIT_TIME : HM_SPLIT_NAME;
  uint32_t count = g->to - g->from;
  bool cuts = count > v->opt.list_limit || is_long(&(row_list){ v, v->listed + g->from }, 0, count);
  const hm_str *keys = cuts ? hm_view_sort(v, g, s->tmp) : NULL;
  hm_split(keys, count, v->opt.list_limit, is_long, &(row_list){ v, v->ordered + g->from }, kind,
           s->tmp, &pieces, &n);
  g->p_from = s->n;
  for (uint32_t i = 0; i < n; i++) {
    hm_list_part p = { .group = (uint32_t)(g - v->groups),
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

static void set_paths(parting *s, hm_group *groups, uint32_t n, uint32_t n_parts,
                      const hm_named *names) {
  uint32_t next = n, next_index = n + n_parts;
  for (uint32_t i = 0; i < n; i++) {
    hm_group *g = &groups[i];
    g->path = in_folder(s, g, folder_of(g->layer), names[i].slug);
    bool whole = g->p_to - g->p_from == 1;
    g->n_more = (g->p_to - g->p_from - 1) / HM_INDEX_PARTS;
    g->more = hm_alloc_array(s->a, g->n_more + 1, sizeof *g->more);
    for (uint32_t k = 0; k < g->n_more; k++)
      g->more[k] = in_folder(s, g, folder_of(g->layer), names[next_index++].slug);
    for (uint32_t k = g->p_from; k < g->p_to; k++) {
      hm_list_part *p = &s->parts[k];
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
  hm_named *names = hm_alloc_array(s->tmp, n + 2 * parts, sizeof *names);
  for (uint32_t i = 0; i < n; i++)
    names[i] = (hm_named){ .name = group_name(&groups[i]), .id = groups[i].key };
  for (uint32_t i = 0; i < parts; i++) {
    hm_str stem = s->parts[first + i].path;
    if (stem.n == 0) continue;         /* a list in one piece has no file beside its own */
    names[kept++] = (hm_named){ .name = stem, .id = s->parts[first + i].key };
  }
  parts = kept - n;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t more = (groups[i].p_to - groups[i].p_from - 1) / HM_INDEX_PARTS;
    for (uint32_t k = 0; k < more; k++) {
      hm_str stem = hm_text_slug(s->tmp, group_name(&groups[i]));
      names[kept++] = (hm_named){ .name = hm_str_fmt(s->tmp, "%.*s-parts-%u", HM_FMT(stem), k + 2),
                                  .id = hm_str_fmt(s->tmp, "//%.*s/%u", HM_FMT(groups[i].key), k) };
    }
  }
  hm_slugs(names, kept, reserved, s->tmp);
  set_paths(s, groups, n, parts, names);
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
  hm_par_for(v->n_projects, cores, cut_project, &x, &failed);
  put_together(&x, cores);
  for (int c = 0; c < cores; c++) {
    if (x.cores[c].a) hm_arena_take(v->a, x.cores[c].a);
    hm_arena_free(x.cores[c].tmp);
    free(x.cores[c].parts);
  }
  hm_arena_free(tmp);
}
