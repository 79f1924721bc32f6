/* The projects that are shown, and their folders. */
#include <stdlib.h>

#include "conflict_names.h"
#include "core/base/text.h"

typedef struct { hm_str key, id; uint32_t snap; } keyed;

static hm_str label_of(const hm_project *p) {
  if (p->name.n) return p->name;
  return p->id.n ? p->id : HM_STR("Global facts");
}

static int by_key(const void *x, const void *y) {
  const keyed *a = x, *b = y;
  int c = hm_str_cmp(a->key, b->key);
  return c ? c : hm_str_cmp(a->id, b->id);
}

uint32_t hm_row_home(const hm_snapshot *snap, uint32_t row) {
  const hm_row *r = &snap->rows[row];
  if (r->layer != HM_RELATION || snap->projects[r->project].id.n) return r->project;
  uint32_t from = hm_snapshot_ref(snap, HM_ENTITY, r->from);
  return from == HM_NONE ? r->project : snap->rows[from].project;
}

/* A project that nobody declared is known by its rows alone: by those that show. */
static bool has_rows(const hm_view *v, uint32_t project) {
  uint32_t i = v->home_from[project], end = v->home_from[project + 1];
  while (i < end && v->hidden[v->homes[i]]) i++;
  return i < end;
}

static void sort_projects(hm_view *v, hm_arena *tmp) {
  keyed *k = hm_alloc_array(tmp, v->snap->n_projects + 1, sizeof *k);
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->snap->n_projects; i++) {
    const hm_project *p = &v->snap->projects[i];
    bool shown = v->project_of[i] != HM_NONE && (p->declared || has_rows(v, i));
    v->project_of[i] = HM_NONE;
    if (shown) k[n++] = (keyed){ hm_text_name(tmp, label_of(p)), p->id, i };
  }
  qsort(k, n, sizeof *k, by_key);
  v->n_projects = n;
  v->projects = hm_alloc_array(v->a, n + 1, sizeof *v->projects);
  for (uint32_t i = 0; i < n; i++) {
    v->projects[i].snap = k[i].snap;
    v->projects[i].label = label_of(&v->snap->projects[k[i].snap]);
    v->projects[i].list_key = hm_list_key(v->a, v->projects[i].label, k[i].id);
    v->project_of[k[i].snap] = i;
  }
}

/* "global" is the folder of the project that has no id. */
static void name_folders(hm_view *v, hm_arena *tmp) {
  static const char *const reserved[] = { "readme", "index", "global", NULL };
  hm_named *names = hm_alloc_array(tmp, v->n_projects + 1, sizeof *names);
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->n_projects; i++) {
    hm_str id = v->snap->projects[v->projects[i].snap].id;
    if (id.n) names[n++] = (hm_named){ .name = id, .id = id };
  }
  hm_slugs(names, n, reserved, v->a);
  for (uint32_t i = 0, k = 0; i < v->n_projects; i++) {
    hm_vproject *p = &v->projects[i];
    p->slug = v->snap->projects[p->snap].id.n ? names[k++].slug : HM_STR("global");
    p->dir = hm_str_fmt(v->a, "projects/%.*s/", HM_FMT(p->slug));
  }
}

void hm_view_projects(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  sort_projects(v, tmp);
  name_folders(v, tmp);
  hm_arena_free(tmp);
}
