/* Where the facts of a project come from, with how many each gave. */
#include <stdlib.h>

#include "core/base/text.h"
#include "model.h"

typedef struct { hm_str key, source; int64_t n; } source;
typedef struct { hm_pm *m; hm_arena *tmp; hm_map at; source *all; uint32_t n, cap; } sources;

static void add_source(sources *s, hm_str text) {
  hm_str label = hm_short(s->tmp, text, 200);
  if (label.n == 0) return;
  uint32_t i = hm_map_add(&s->at, label, s->n);
  if (i < s->n) {
    s->all[i].n++;
    return;
  }
  if (s->n == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 64;
    s->all = hm_xrealloc(s->all, s->cap * sizeof *s->all);
  }
  s->all[s->n++] = (source){ hm_text_name(s->tmp, label), label, 1 };
}

static int by_key(const void *x, const void *y) {
  const source *a = x, *b = y;
  int c = hm_str_cmp(a->key, b->key);
  return c ? c : hm_str_cmp(a->source, b->source);
}

static void add_group(sources *s, const hm_group *g) {
  const hm_view *v = s->m->v;
  for (uint32_t i = g->from; i < g->to; i++) {
    hm_str *src, refs = v->snap->details[v->listed[i]].source_refs;
    if (s->m->inputs) {
      hm_pm_note(s->m, refs);
      continue;
    }
    size_t n = hm_strings(refs, s->tmp, &src);
    for (size_t k = 0; k < n; k++) add_source(s, src[k]);
  }
}

void hm_pm_sources_of(hm_pm *m, hm_tv *model, uint32_t project) {
  const hm_vproject *p = &m->v->projects[project];
  sources s = { .m = m, .tmp = hm_arena_new() };
  hm_tv *list = hm_pm_list(m, model, "sources");
  hm_map_init(&s.at, s.tmp, 64);
  for (uint32_t i = p->g_from; i < p->g_to && m->v->snap->details; i++)
    add_group(&s, &m->v->groups[i]);
  if (s.n) qsort(s.all, s.n, sizeof *s.all, by_key);
  size_t end = hm_pm_section(m);
  uint32_t i = 0;
  for (; i < s.n && i < HM_SHOWN && !hm_pm_is_full(m, end); i++) {
    hm_tv *item = hm_pm_item(m, list);
    hm_pm_text(m, item, "source", hm_str_dup(m->a, s.all[i].source));
    hm_pm_int(m, item, "count", s.all[i].n);
  }
  hm_pm_bool(m, model, "more_sources", i < s.n);
  free(s.all);
  hm_arena_free(s.tmp);
}
