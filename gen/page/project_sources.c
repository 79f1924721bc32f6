/* Where the facts of a project come from, on its overview: the sources that most of its rows name,
 * each with their number, and the way to the list of all sources.
 *
 * Each text of a column is read once, however many rows have it. Cost: one look-up a row; then a
 * sort of the sources. */
#include <stdlib.h>

#include "core/base/text.h"
#include "model.h"

typedef struct { hm_str key, source; int64_t n; } source;
typedef struct { hm_arena *tmp; hm_map at; source *all; size_t n, cap; } sources;

static void add_source(sources *s, hm_str key, hm_str text, int64_t n) {
  uint32_t i = text.n ? hm_map_add(&s->at, text, (uint32_t)s->n) : HM_NONE;
  if (i == HM_NONE) return;
  if (i == s->n) {
    s->all = hm_array_grow_in(s->tmp, s->all, s->n, &s->cap, sizeof *s->all);
    s->all[s->n++] = (source){ key, text, 0 };
  }
  s->all[i].n += n;
}

/* Those of most facts first. */
static int by_count(const void *x, const void *y) {
  const source *a = x, *b = y;
  if (a->n != b->n) return a->n > b->n ? -1 : 1;
  int c = hm_str_natural_cmp(a->key, b->key);
  return c ? c : hm_str_cmp(a->source, b->source);
}

/* The columns of the project's rows as they are written: most rows have one that others have, too.
 */
static void add_columns(const hm_view *v, sources *s, const hm_group *g) {
  for (uint32_t i = g->from; i < g->to; i++)
    add_source(s, HM_EMPTY, v->snap->details[v->listed[i]].source_refs, 1);
}

enum { SOURCES_SHOWN = 8 };

uint32_t hm_pm_project_sources(hm_pm *m, hm_tv *model, uint32_t project) {
  const hm_vproject *p = &m->v->projects[project];
  hm_arena *tmp = hm_arena_new();
  sources columns = { .tmp = tmp }, s = { .tmp = tmp };
  hm_tv *list = hm_pm_list(m, model, "sources");
  hm_map_init(&columns.at, tmp, 64);
  hm_map_init(&s.at, tmp, 64);
  for (uint32_t i = p->g_from; i < p->g_to && m->v->snap->details; i++)
    add_columns(m->v, &columns, &m->v->groups[i]);
  for (size_t i = 0; i < columns.n; i++) {
    hm_str *refs;
    size_t n = hm_strings(columns.all[i].source, tmp, &refs);
    for (size_t k = 0; k < n; k++) {
      hm_str label = hm_short(tmp, refs[k], 200);
      add_source(&s, hm_text_name(tmp, label), label, columns.all[i].n);
    }
  }
  if (s.n) qsort(s.all, s.n, sizeof *s.all, by_count);
  size_t end = hm_pm_section(m), i = 0;
  for (; i < s.n && i < SOURCES_SHOWN && !hm_pm_is_full(m, end); i++) {
    hm_tv *item = hm_pm_item(m, list);
    hm_str label = hm_str_dup(m->a, s.all[i].source), anchor,
           path = hm_source_place(m->p->data, label, m->a, &anchor);
    hm_pm_ref(m, item, "place", label, path, anchor);
    hm_pm_text(m, item, "source", label);
    hm_pm_int(m, item, "count", s.all[i].n);
  }
  hm_pm_bool(m, model, "more_sources", i < s.n);
  size_t n = s.n;
  hm_pm_url(m, model, "sources_url", HM_STR("sources/README.md"), HM_EMPTY);
  hm_arena_free(tmp);
  return (uint32_t)n;
}
