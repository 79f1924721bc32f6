#include "gen/history/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/history/conflict_events.h"
#include "gen/history/fact_events.h"
#include "gen/history/history_impl.h"

hm_history *hm_history_new(hm_git_reader *g, const char *tip, const hm_rules *rules) {
  hm_history *h = hm_xmalloc(sizeof *h);
  *h = (hm_history){ .g = g, .rules = rules, .a = hm_arena_new() };
  snprintf(h->tip, sizeof h->tip, "%s", tip);
  hm_map_init(&h->by_folder, h->a, 16);
  return h;
}

void hm_history_free(hm_history *h) {
  if (!h) return;
  free(h->projects);
  hm_arena_free(h->a);
  free(h);
}

/* --- rows of the pages that differ -------------------------------------------- */

typedef struct { const hm_block *before, *after; } both;

typedef struct {
  hm_history *h;
  const char *from, *to;
  const hm_question *q;
  hm_arena *a;
  hm_difference *out;
  both *rows; size_t n, cap;
  hm_map by_anchor;
} compare;

static both *row_at(compare *c, hm_str anchor) {
  uint32_t at = hm_map_get(&c->by_anchor, anchor);
  if (at != HM_MAP_NONE) return &c->rows[at];
  if (c->n == c->cap) {
    c->cap = c->cap ? 2 * c->cap : 64;
    c->rows = hm_xrealloc(c->rows, c->cap * sizeof *c->rows);
  }
  hm_map_add(&c->by_anchor, anchor, (uint32_t)c->n);
  c->rows[c->n] = (both){ 0 };
  return &c->rows[c->n++];
}

/* One side of a page. */
typedef struct { hm_str md; hm_block *rows; size_t n; } side;

static int read_side(compare *c, const char *blob, hm_str path, hm_arena *a, side *out, hm_err *err) {
  *out = (side){ .md = HM_EMPTY };
  if (!*blob) return 0;
  if (hm_git_blob_id(c->h->g, blob, a, &out->md, err) != 0) return -1;
  out->n = hm_blocks_of(path, out->md, a, &out->rows);
  return 0;
}

/* A template of the user's made it, without permalinks: which rows it shows nobody can tell. Of ours one
 * without rows says so, or leads to the pages that the list is cut into: "(decision-a-c.md)". */
static bool is_mute(const side *s, hm_str path, hm_arena *a) {
  size_t from = path.n;
  if (!s->md.n || s->n || hm_str_find(s->md, "None recorded") >= 0) return false;
  while (from && path.p[from - 1] != '/') from--;
  hm_str stem = hm_str_sub(path, from, path.n - 3);   /* without ".md" */
  return hm_str_find(s->md, hm_str_fmt(a, "](%.*s-", HM_FMT(stem)).p) < 0;
}

static void add_rows(compare *c, const side *s, bool after) {
  for (size_t i = 0; i < s->n; i++) {
    both *r = row_at(c, s->rows[i].anchor);
    *(after ? &r->after : &r->before) = &s->rows[i];
  }
}

static int read_page(compare *c, const hm_git_change *f, hm_err *err) {
  side before, after;
  if (read_side(c, f->before, f->path, c->a, &before, err) != 0 || read_side(c, f->after, f->path, c->a, &after, err) != 0) return -1;
  if (is_mute(&before, f->path, c->a) || is_mute(&after, f->path, c->a)) return 0;
  add_rows(c, &before, false);
  add_rows(c, &after, true);
  return 0;
}

/* Pages whose rows are only counted are forgotten at once. */
static int count_page(compare *c, const hm_git_change *f, hm_err *err) {
  side s;
  hm_arena *a = hm_arena_new();
  int rc = read_side(c, f->after, f->path, a, &s, err);
  for (size_t i = 0; rc == 0 && i < s.n; i++) c->out->rows += !hm_str_is(s.rows[i].section, "History");
  hm_arena_free(a);
  return rc;
}

static bool page_asked(const hm_question *q, hm_str path) {
  if (q->conflict.n || !hm_is_list_page(path)) return false;
  return !q->one_project || hm_str_eq(hm_project_folder(path), q->folder);
}

static hm_str id_of_project(void *ctx, hm_str folder) {
  compare *c = ctx;
  return hm_history_project(c->h, folder, *c->from ? c->from : c->to)->id;
}

static hm_fact *fact_of(const hm_block *b, hm_arena *a) {
  hm_fact *f = b ? hm_alloc(a, sizeof *f) : NULL;
  if (f) hm_fact_of(b, a, f);
  return f;
}

/* The rows that show something else than before. A permalink changes with the ids beside it, so that
 * rows which have one only once are paired by their ids, too. */
static int tell_rows(compare *c, hm_err *err) {
  hm_fact_pair *pairs = hm_alloc_array(c->a, c->n + 1, sizeof *pairs);
  hm_map gone;
  size_t n = 0;
  hm_map_init(&gone, c->a, 16);
  for (size_t i = 0; i < c->n; i++) {
    const both *r = &c->rows[i];
    if (r->after && !hm_str_is(r->after->section, "History")) c->out->rows++;
    if (r->before && r->after && hm_block_same(r->before, r->after)) continue;
    pairs[n] = (hm_fact_pair){ fact_of(r->before, c->a), fact_of(r->after, c->a) };
    if (!r->after) hm_map_add(&gone, pairs[n].before->ref, (uint32_t)n);
    n++;
  }
  for (size_t i = 0; i < n; i++) {
    uint32_t was = pairs[i].before || !gone.n ? HM_MAP_NONE : hm_map_get(&gone, pairs[i].after->ref);
    if (was == HM_MAP_NONE || !pairs[was].before) continue;
    pairs[i].before = pairs[was].before;
    pairs[was].before = NULL;
  }
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (pairs[i].before || pairs[i].after) pairs[kept++] = pairs[i];
  hm_folders folders = { id_of_project, c };
  return hm_fact_events(pairs, kept, &folders, c->h->rules, c->a, &c->out->events, err);
}

static int tell_conflicts(compare *c, const hm_git_change *f, hm_err *err) {
  hm_str before = HM_EMPTY, after = HM_EMPTY;
  if (*f->before && hm_git_blob_id(c->h->g, f->before, c->a, &before, err) != 0) return -1;
  if (*f->after && hm_git_blob_id(c->h->g, f->after, c->a, &after, err) != 0) return -1;
  hm_conflict_events(before, after, c->a, &c->out->events);
  c->out->disputed = hm_count_disputed(after);
  return 0;
}

/* --- what was asked for --------------------------------------------------------- */

/* "workflow" is asked about in all scopes. */
static bool names_slot(hm_str name, hm_str asked) {
  return hm_str_eq(hm_str_sub(name, 0, asked.n), asked) && (name.n <= asked.n || name.p[asked.n] == ' ');
}

static bool slot_asked(const hm_question *q, hm_str key, hm_arena *a) {
  hm_json *v;
  if (!key.n || hm_json_parse(a, key, &v, NULL) != 0 || v->type != HM_JSON_ARRAY || v->count < 2) return false;
  const hm_json *name = v->child->next, *type = NULL;
  if (v->count > 2) type = name, name = name->next;
  return names_slot(name->text, q->slot) && (!q->memory_type.n || (type && hm_str_eq(type->text, q->memory_type)));
}

static bool is_asked(const hm_question *q, const hm_event *e, hm_arena *a) {
  if (q->conflict.n) return hm_str_eq(e->conflict, q->conflict);
  if (q->one_project && !hm_str_eq(e->project, q->project)) return false;
  if (q->row.n) return hm_str_eq(e->row, q->row);
  return !q->slot.n || slot_asked(q, e->slot, a);
}

static void choose(compare *c) {
  hm_events *l = &c->out->events;
  size_t n = 0;
  for (size_t i = 0; i < l->n; i++)
    if (is_asked(c->q, &l->v[i], c->a)) l->v[n++] = l->v[i];
  l->n = n;
  hm_events_sort(l);
}

int hm_history_between(hm_history *h, const char *from, const char *to, const hm_question *q, hm_arena *a, hm_difference *out,
                       hm_err *err) {
  hm_git_change *files;
  int rc = -1;
  *out = (hm_difference){ 0 };
  compare c = { .h = h, .from = from, .to = to, .q = q, .a = a, .out = out };
  hm_map_init(&c.by_anchor, a, 64);
  if (hm_git_changed(h->g, from, to, a, &files, &out->files, err) != 0) goto done;
  for (size_t i = 0; i < out->files; i++) {
    const hm_git_change *f = &files[i];
    if (hm_str_is(f->path, "conflicts.json")) rc = q->row.n ? 0 : tell_conflicts(&c, f, err);
    else if (page_asked(q, f->path)) rc = !*from && q->first_in_brief ? count_page(&c, f, err) : read_page(&c, f, err);
    else rc = 0;
    if (rc != 0) goto done;
  }
  if ((rc = tell_rows(&c, err)) == 0) choose(&c);
done:
  free(c.rows);
  if (rc != 0) hm_events_free(&out->events);
  return rc ? -1 : 0;
}
