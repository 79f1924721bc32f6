/* Cuts lists of rows into pages: the parts and their paths.
 *
 * A part holds at most list_limit rows and HM_LIST_BYTES of them, as the largest of its three files
 * (Markdown, HTML, data) has them. The bytes of a row are an estimate from above for what a page
 * shows of it (row_lines.c), with each text as it is escaped. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/notes/notes.h"
#include "view_private.h"

/* --- bytes of rows ----------------------------------------------------- */

enum {
  ROW_BYTES = 300,  /* heading, anchor, status, links to itself */
  LINE_BYTES = 60,  /* what stands around one line */
  LINK_BYTES = 220, /* a line with a link to a row, without its label */
  LABEL_BYTES = 120,
  DATE_BYTES = 70, /* the markup of a date */
  TIMES = 5,       /* that a row may have */
  WHY_BYTES = 500, /* why a row gave way to another */
  MOST = 12        /* bytes that a byte can become */
};

static size_t label_bytes(const hm_view *v, uint32_t row) {
  if (row == HM_NONE || v->hidden[row])
    return LABEL_BYTES;
  return hm_page_bytes(hm_str_sub(hm_view_label_source(v, row), 0, LABEL_BYTES));
}

static size_t text_bytes(const hm_view *v, hm_str s) {
  size_t cut = s.n > v->opt.value_limit ? LINK_BYTES : 0;
  return s.n ? LINE_BYTES + cut + hm_page_bytes(hm_text_cut(s, v->opt.value_limit)) : 0;
}

/* A list of texts, each cut at `max`, with a link or a line of its own. */
static size_t list_bytes(hm_str json, size_t max, size_t each, hm_arena *tmp) {
  hm_str *s;
  size_t n = hm_format_json_list(json, tmp, &s), all = 0;
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
    if (!to)
      break;
    hm_str text = { at + 1, (size_t)(to - at - 1) };
    uint32_t other = text.n ? hm_snapshot_row(v->snap, HM_ENTITY, text) : HM_NONE;
    if (to + 1 < end && to[1] == ':')
      all += LINE_BYTES;
    else if (other != HM_NONE)
      all += LINK_BYTES + label_bytes(v, other);
  }
  return all;
}

static size_t props_bytes(const hm_view *v, uint32_t row, hm_arena *tmp) {
  hm_str raw = v->snap->rows[row].props;
  if (raw.n <= v->opt.value_limit)
    return raw.n ? hm_page_bytes(raw) + names_bytes(v, raw) : 0;
  const hm_json *props = hm_view_props(v, row, tmp);
  size_t all = 0, left = hm_view_count_fitting_props(v, row, props, tmp);
  if (!props)
    return text_bytes(v, raw);
  if (left != SIZE_MAX)
    all += v->opt.value_limit + LINK_BYTES;
  for (const hm_json *p = props->child; p && left; p = p->next, left--)
    all += LINE_BYTES + hm_page_bytes(hm_str_sub(p->key, 0, 200)) +
        text_bytes(v, hm_format_json(p, tmp));
  return all + names_bytes(v, raw);
}

static size_t edges_bytes(const hm_view *v, uint32_t row) {
  size_t all = 0;
  int chain = 0, lines = 0;
  for (uint32_t k = v->edge_from[row]; k < v->edge_from[row + 1]; k++) {
    const hm_edge *e = &v->edges[k];
    bool why = e->kind == HM_EDGE_NEWER || e->kind == HM_EDGE_OLDER;
    if (e->kind > HM_EDGE_OLDER || (why ? chain++ : lines++) >= HM_REFS)
      continue;
    all += LINK_BYTES + label_bytes(v, e->other) + (why ? WHY_BYTES : LABEL_BYTES);
  }
  return all;
}

/* Lines of findings, and one of what is disputed inside. */
static size_t findings_bytes(const hm_view *v, uint32_t row) {
  size_t n, all = LINE_BYTES;
  const hm_row_finding *of = hm_view_find_row_findings(v, row, &n);
  for (size_t i = 0; i < n && i < HM_ROW_FINDINGS; i++)
    all += 3 * LINK_BYTES + hm_page_bytes(v->findings[of[i].finding]->message);
  return all;
}

static uint32_t row_bytes(const hm_view *v, uint32_t row, hm_arena *tmp) {
  const hm_row *r = &v->snap->rows[row];
  size_t n_marks, n_traces;
  size_t all = ROW_BYTES + TIMES * DATE_BYTES + label_bytes(v, row) + 2 * text_bytes(v, r->id);
  const hm_str short_texts[] = { r->type,        r->name,       r->slot_rule,
                                 r->from,        r->to,         r->valid_from,
                                 r->valid_until, r->created_at, r->superseded_by,
                                 r->graduated_to };
  for (size_t i = 0; i < HM_COUNT(short_texts); i++)
    all += short_texts[i].n ? LINE_BYTES + hm_page_bytes(hm_str_sub(short_texts[i], 0, 200)) : 0;
  all += text_bytes(v, r->text) + props_bytes(v, row, tmp) + edges_bytes(v, row);
  if (r->from.n || r->to.n || r->graduated_to.n)
    all += 3 * (LINK_BYTES + LABEL_BYTES);
  hm_view_marks(v, row, &n_marks);
  hm_view_past_conflict_marks(v, row, &n_traces);
  all += (n_marks + n_traces) * LINK_BYTES + findings_bytes(v, row);
  if (v->snap->details) {
    const hm_row_detail *d = &v->snap->details[row];
    const hm_str texts[] = { d->confidence, d->importance, d->polarity,   r->scope,
                             r->agent,      d->via,        r->updated_at, d->superseded_at };
    for (size_t i = 0; i < HM_COUNT(texts); i++)
      all += text_bytes(v, texts[i]);
    all += list_bytes(d->source_refs, 200, LINE_BYTES, tmp) + list_bytes(r->tags, 100, 8, tmp);
    all += MOST * (d->source_refs.n > 200 ? d->source_refs.n / 4 : 0); /* addresses in full */
  }
  return all < UINT32_MAX / 1000 ? (uint32_t)all : UINT32_MAX / 1000;
}

/* A row of a list, to be cut by `cut`; its bytes are measured once. */
typedef struct {
  hm_str cut, key;
  uint32_t row, bytes;
} cut_row;

static bool is_long(const void *rows, uint32_t from, uint32_t to) {
  const cut_row *all = rows;
  size_t bytes = 0;
  for (uint32_t i = from; i < to && bytes <= HM_LIST_BYTES; i++)
    bytes += all[i].bytes;
  return bytes > HM_LIST_BYTES;
}

/* --- parts of one list -------------------------------------------------------- */

/* The parts of one list, until those of all are put together. */
typedef struct {
  hm_list_part *parts;
  uint32_t n;
} part_list;

typedef struct {
  const hm_view *v;
  hm_arena **kept, **tmp; /* one a core: what becomes part of the view, and what does not */
  part_list *of;          /* by list; those that are whole have none */
} cutting;

/* File name of a list, before clashes are settled. */
static hm_str group_name(const hm_group *g) {
  if (g->layer == HM_STATE)
    return HM_STR("state");
  if (g->layer == HM_RELATION)
    return HM_STR("relations");
  if (g->layer == HM_MEMORY)
    return g->key;
  if (g->kind)
    return hm_str_c(g->kind->slug);
  return g->key.n ? g->title : HM_STR("untyped");
}

static bool is_by_time(const hm_group *g) {
  return g->layer == HM_MEMORY && !hm_str_is(g->key, "undated");
}

static int by_plain_key(const void *x, const void *y) {
  return hm_str_cmp(((const cut_row *)x)->key, ((const cut_row *)y)->key);
}

/* The rows of a list by the keys by which it is cut: names with numbers by their values. */
static cut_row *sort_for_cuts(const hm_view *v, const hm_group *g, hm_arena *tmp) {
  uint32_t n = g->to - g->from;
  hm_arena *of_row = hm_arena_new();
  cut_row *all = hm_alloc_array(tmp, n + 1, sizeof *all);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t row = v->listed[g->from + i];
    hm_str key = hm_view_row_key(v, row, tmp);
    all[i] = (cut_row){ is_by_time(g) ? key : hm_split_key(tmp, key), key, row,
                        row_bytes(v, row, of_row) };
    hm_arena_reset(of_row);
  }
  hm_arena_free(of_row);
  qsort(all, n, sizeof *all, hm_order_str);
  return all;
}

/* The key by which a page has the row: lines of notes stand in the order of their files. */
static hm_str page_key(const hm_view *v, const cut_row *c, hm_arena *tmp) {
  const hm_row *r = &v->snap->rows[c->row];
  hm_str line = r->layer == HM_MEMORY ? hm_row_file_line(r, tmp) : HM_EMPTY, nul = { "", 1 };
  if (!line.n)
    return c->key;
  return HM_CAT(tmp, hm_str_sub(c->key, 0, c->key.n - r->id.n), line, nul, r->id);
}

/* The pieces one after another; in each the rows by the bytes of their keys, and for pages in
 * natural order. keys: room for these. */
static void put_pieces(const hm_view *v, const hm_group *g, cut_row *all, const hm_piece *pieces,
                       uint32_t n_pieces, hm_str *keys, hm_arena *tmp) {
  uint32_t n = g->to - g->from;
  for (uint32_t k = 0; k < n_pieces; k++)
    qsort(all + pieces[k].from, pieces[k].to - pieces[k].from, sizeof *all, by_plain_key);
  for (uint32_t i = 0; i < n; i++) {
    keys[i] = page_key(v, &all[i], tmp);
    v->by_bytes[g->from + i] = v->ordered[g->from + i] = all[i].row;
  }
  hm_pieces_sort_naturally(keys, v->ordered + g->from, pieces, n_pieces, tmp);
  if (n_pieces > 1 && g->layer != HM_MEMORY)
    hm_order_leading_rows(v, keys, v->by_bytes + g->from, n, v->leading + g->from, tmp);
}

/* The name of an entity in the piece, as it is written: the least, whatever the order. */
static hm_str first_name(const hm_view *v, const cut_row *all, const hm_piece *p) {
  const hm_row *r = &v->snap->rows[all[p->from].row];
  return r->layer == HM_ENTITY ? r->name : HM_EMPTY;
}

/* The pieces of one list as parts, whose paths are their stems ("parameter-a-c", "decision-pep-1",
 * "2012-03") until the folder is named. from, to: among the list's. A list in one piece stays
 * whole. */
static int cut_list(void *ctx, size_t i, int core) {
  const cutting *x = ctx;
  const hm_view *v = x->v;
  const hm_group *g = &v->groups[i];
  part_list *out = &x->of[i];
  hm_arena *kept = x->kept[core], *tmp = x->tmp[core];
  hm_piece *pieces;
  uint32_t n, n_rows = g->to - g->from;
  hm_str *keys = hm_alloc_array(tmp, n_rows + 1, sizeof *keys);
  cut_row *all = sort_for_cuts(v, g, tmp);
  for (uint32_t k = 0; k < n_rows; k++)
    keys[k] = all[k].cut;
  hm_split_list(keys, n_rows, v->opt.list_limit, is_long, all,
                is_by_time(g) ? HM_SPLIT_TIME : HM_SPLIT_NAME, tmp, &pieces, &n);
  put_pieces(v, g, all, pieces, n, keys, tmp);
  if (n > 1) {
    hm_str name = hm_text_slug(tmp, group_name(g), v->opt.script);
    *out = (part_list){ hm_alloc_array(kept, n, sizeof *out->parts), n };
    for (uint32_t k = 0; k < n; k++) {
      hm_str stem = hm_piece_stem(kept, &pieces[k], v->opt.script);
      out->parts[k] = (hm_list_part){
        .from = pieces[k].from,
        .to = pieces[k].to,
        .label = hm_str_dup(kept, hm_piece_label(tmp, &pieces[k], first_name(v, all, &pieces[k]))),
        .path = is_by_time(g) ? stem : HM_CAT(kept, name, HM_STR("-"), stem),
        .key = hm_list_piece_key(kept, g->key, &pieces[k]),
      };
    }
  }
  hm_arena_reset(tmp);
  return 0;
}

/* All lists as parts, in their order: nearly all are whole, and a list is one part. */
static void put_together(hm_view *v, const cutting *x) {
  uint32_t all = v->n_groups;
  for (uint32_t g = 0; g < v->n_groups; g++)
    all += x->of[g].n;
  v->parts = hm_alloc_array(v->a, all + 1, sizeof *v->parts);
  for (uint32_t i = 0; i < v->n_groups; i++) {
    hm_group *g = &v->groups[i];
    const part_list *of = &x->of[i];
    g->p_from = v->n_parts;
    g->p_to = v->n_parts += of->n ? of->n : 1;
    for (uint32_t k = 0; k < g->p_to - g->p_from; k++) {
      hm_list_part *p = &v->parts[g->p_from + k];
      if (of->n)
        *p = of->parts[k];
      else
        p->to = g->to - g->from;
      p->group = i;
      p->from += g->from;
      p->to += g->from;
    }
  }
}

/* --- their names ---------------------------------------------------------------- */

/* These lists stand in one folder, and so does what they are cut into: parts, and more pages of
 * their index where there are many. A list in one piece has no file beside its own. The decision
 * log is cut where the list of decisions is: "decisions-pep-1" beside "decision-pep-1". */
static void name_folder(const hm_view *v, hm_group *groups, uint32_t n, hm_list_part *parts,
                        hm_arena *kept, hm_arena *tmp) {
  static const char *const reserved[] = { "readme", "index", NULL };
  static const char *const folders[] = {
    [HM_ENTITY] = "entities/", [HM_MEMORY] = "memories/", [HM_STATE] = "", [HM_RELATION] = ""
  };
  uint32_t first = groups[0].p_from, end = groups[n - 1].p_to, all = n;
  hm_named *names = hm_alloc_array(tmp, n + 2 * (size_t)(end - first), sizeof *names);
  hm_str dir = v->projects[groups->project].dir, folder = hm_str_c(folders[groups->layer]);
  for (uint32_t i = 0; i < n; i++)
    names[i] = (hm_named){ .name = group_name(&groups[i]), .id = groups[i].key };
  for (uint32_t i = first; i < end; i++)
    if (parts[i].path.n)
      names[all++] = (hm_named){ .name = parts[i].path, .id = parts[i].key };
  uint32_t next = n, next_index = all;
  for (uint32_t i = 0; i < n; i++) {
    hm_group *g = &groups[i];
    g->n_more = (g->p_to - g->p_from - 1) / HM_INDEX_PARTS;
    for (uint32_t k = 0; k < g->n_more; k++) {
      hm_str stem = hm_text_slug(tmp, group_name(g), v->opt.script);
      names[all++] = (hm_named){ .name = hm_str_fmt(tmp, "%.*s-parts-%u", HM_FMT(stem), k + 2),
                                 .id = hm_str_fmt(tmp, "//%.*s/%u", HM_FMT(g->key), k) };
    }
  }
  hm_make_slugs(names, all, reserved, v->opt.script, tmp);
  for (uint32_t i = 0; i < n; i++) {
    hm_group *g = &groups[i];
    bool log = g->layer == HM_ENTITY && hm_str_is(g->key, "decision");
    g->path = HM_CAT(kept, dir, folder, names[i].slug, HM_STR(".md"));
    g->more = hm_alloc_array(kept, g->n_more + 1, sizeof *g->more);
    for (uint32_t k = 0; k < g->n_more; k++)
      g->more[k] = HM_CAT(kept, dir, folder, names[next_index++].slug, HM_STR(".md"));
    for (uint32_t k = g->p_from; k < g->p_to; k++) {
      bool whole = parts[k].path.n == 0;
      hm_str slug = whole ? HM_EMPTY : names[next++].slug;
      parts[k].path = whole ? g->path : HM_CAT(kept, dir, folder, slug, HM_STR(".md"));
      if (hm_str_starts(slug, "decision-"))
        slug = hm_str_sub(slug, sizeof "decision", slug.n);
      if (log)
        parts[k].log_path = whole ? HM_CAT(kept, dir, HM_STR("decisions.md"))
                                  : HM_CAT(kept, dir, HM_STR("decisions-"), slug, HM_STR(".md"));
    }
  }
}

static void name_project(hm_view *v, const hm_vproject *p, hm_arena *tmp) {
  for (uint32_t from = p->g_from, to; from < p->g_to; from = to) {
    for (to = from + 1; to < p->g_to; to++)
      if (v->groups[from].layer != v->groups[to].layer)
        break;
    name_folder(v, &v->groups[from], to - from, v->parts, v->a, tmp);
    hm_arena_reset(tmp);
  }
}

void hm_view_build_parts(hm_view *v) {
  hm_arena *a = hm_arena_new();
  int cores = hm_par_cores();
  cutting x = { .v = v,
                .kept = hm_alloc_array(a, (size_t)cores, sizeof *x.kept),
                .tmp = hm_alloc_array(a, (size_t)cores, sizeof *x.tmp),
                .of = hm_alloc_array(a, v->n_groups, sizeof *x.of) };
  for (int c = 0; c < cores; c++) {
    x.kept[c] = hm_arena_new();
    x.tmp[c] = hm_arena_new();
  }
  hm_par_for(v->n_groups, cores, cut_list, &x, NULL);
  put_together(v, &x);
  for (uint32_t p = 0; p < v->n_projects; p++)
    name_project(v, &v->projects[p], x.tmp[0]);
  v->part_of = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->part_of);
  memset(v->part_of, 0xff, (v->snap->n_rows + 1) * sizeof *v->part_of); /* candidates are in none */
  for (uint32_t i = 0; i < v->n_parts; i++)
    for (uint32_t k = v->parts[i].from; k < v->parts[i].to; k++)
      v->part_of[v->ordered[k]] = i;
  for (int c = 0; c < cores; c++) {
    hm_arena_merge(v->a, x.kept[c]);
    hm_arena_free(x.tmp[c]);
  }
  hm_arena_free(a);
}
