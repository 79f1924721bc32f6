#include "gen/site/keep.h"

#include <stdlib.h>

#include "gen/site/keep_impl.h"

enum { SPARE = 16 << 20 };   /* of strings, before all are taken anew */

hm_site_keep *hm_site_keep_new(void) {
  hm_site_keep *k = hm_xmalloc(sizeof *k);
  *k = (hm_site_keep){ .a = hm_arena_new() };
  k->files.size = sizeof(hm_file);
  k->pages.size = sizeof(hm_known_page);
  k->others.size = sizeof(hm_known_file);
  return k;
}

static void clear_list(hm_kept_list *l) {
  free(l->v);
  free(l->owner);
  *l = (hm_kept_list){ .size = l->size };
}

static void clear(hm_site_keep *k) {
  clear_list(&k->files);
  clear_list(&k->pages);
  clear_list(&k->others);
  free(k->root);
  free(k->dirs);
  free(k->inputs);
  k->root = NULL;
  k->dirs = NULL;
  k->inputs = NULL;
  k->n_root = 0;
}

static void forget_name(hm_site_keep *k) {
  free((void *)(uintptr_t)k->name.p);
  k->name = (hm_str){ 0 };
}

void hm_site_keep_free(hm_site_keep *k) {
  if (!k) return;
  clear(k);
  hm_kept_pieces_free(&k->pieces);
  forget_name(k);
  hm_arena_free(k->a);
  free(k);
}

bool hm_site_keep_is(const hm_site_keep *k, hm_str name) { return k->name.n && hm_str_eq(k->name, name); }

size_t hm_site_keep_held(const hm_site_keep *k) { return hm_arena_held(k->a); }

const hm_known *hm_kept_known(const hm_site_keep *k) { return &k->known; }

bool hm_kept_fits(const hm_site_keep *k, const hm_view *v, const hm_site_options *opt) {
  const hm_known *was = opt->known;
  if (!k->name.n || !was || !opt->holds || !opt->inputs || opt->take || memcmp(k->with, opt->inputs, sizeof k->with) != 0) return false;
  if (was->seed != k->known.seed || opt->markdown != k->known.markdown || opt->html != k->known.html) return false;
  if (hm_page_projects(v) != k->n_projects) return false;
  for (uint32_t p = 0; p < k->n_projects; p++)
    if (!hm_str_eq(hm_page_folder(v, p), k->dirs[p])) return false;
  return true;
}

bool *hm_kept_begin(hm_site_keep *k, const hm_hash128 *inputs, hm_arena *a) {
  bool *kept = hm_alloc_array(a, k->n_projects, sizeof *kept);
  forget_name(k);
  for (uint32_t p = 0; inputs && p < k->n_projects; p++) kept[p] = inputs[p].hi == k->inputs[p].hi && inputs[p].lo == k->inputs[p].lo;
  return kept;
}

/* --- all of a site --------------------------------------------------------------- */

static void fill_list(hm_kept_list *l, const void *v, size_t n, uint32_t owner) {
  l->n = n;
  l->v = hm_xmalloc(n * l->size + 1);
  l->owner = hm_xmalloc((n + 1) * sizeof *l->owner);
  if (n) memcpy(l->v, v, n * l->size);
  for (size_t i = 0; i < n; i++) l->owner[i] = owner;
}

static void set_owner(hm_kept_list *l, hm_str path, uint32_t owner) {
  size_t i = hm_lower(l->v, l->n, l->size, path);
  if (i < l->n && hm_str_eq(*(hm_str *)(l->v + i * l->size), path)) l->owner[i] = owner;
}

static void fill_pages(hm_site_keep *k, const hm_site *s, const hm_origin *o) {
  hm_arena *tmp = hm_arena_new();
  fill_list(&k->pages, s->known.pages, s->known.n_pages, 0);
  hm_known_page *pages = (hm_known_page *)(void *)k->pages.v;
  for (size_t i = 0; i < k->pages.n; i++) {
    uint32_t project = o->pages->pages[i].project;
    k->pages.owner[i] = project == UINT32_MAX ? k->n_projects + HM_OF_NOBODY : project;
    pages[i].path = hm_str_dup(k->a, pages[i].path);
    if (pages[i].marks.n) pages[i].marks = hm_str_dup(k->a, pages[i].marks);
    if (s->known.markdown) set_owner(&k->files, pages[i].path, k->pages.owner[i]);
    if (s->known.html) set_owner(&k->files, hm_html_path(pages[i].path, tmp), k->pages.owner[i]);
  }
  hm_arena_free(tmp);
}

/* A file as it is from now on: the sink has it. */
static void hand_over(hm_site_keep *k, hm_file *f, bool path) {
  if (path) f->path = hm_str_dup(k->a, f->path);
  f->bytes.p = NULL;
  f->held = true;
}

static void fill_files(hm_site_keep *k, const hm_site *s) {
  fill_list(&k->files, s->files, s->n, k->n_projects + HM_OF_LOOK);
  hm_file *files = (hm_file *)(void *)k->files.v;
  k->n_manifests = 0;
  for (size_t i = 0; i < s->n; i++) {
    hand_over(k, &files[i], true);
    if (files[i].names) k->files.owner[i] = k->n_projects + HM_OF_MANIFESTS;
    k->n_manifests += files[i].names > 0;
  }
  set_owner(&k->files, HM_STR("manifest.json"), k->n_projects + HM_OF_MANIFESTS);
}

static void fill_others(hm_site_keep *k, const hm_site *s, const hm_origin *o) {
  fill_list(&k->others, s->known.others, s->known.n_others, k->n_projects + HM_OF_LOOK);
  hm_known_file *others = (hm_known_file *)(void *)k->others.v;
  for (size_t i = 0; i < k->others.n; i++) others[i].path = hm_str_dup(k->a, others[i].path);
  for (size_t i = 0; i < o->pages->n_raws; i++) {
    set_owner(&k->files, o->pages->raws[i].path, k->n_projects + HM_OF_RAWS);
    set_owner(&k->others, o->pages->raws[i].path, k->n_projects + HM_OF_RAWS);
  }
}

static void fill(hm_site_keep *k, const hm_site *s, const hm_origin *o) {
  clear(k);
  hm_arena_reset(k->a);
  k->n_projects = hm_page_projects(o->v);
  k->dirs = hm_xmalloc((k->n_projects + 1) * sizeof *k->dirs);
  k->inputs = hm_xmalloc((k->n_projects + 1) * sizeof *k->inputs);
  for (uint32_t p = 0; p < k->n_projects; p++) k->dirs[p] = hm_str_dup(k->a, hm_page_folder(o->v, p));
  fill_files(k, s);
  fill_pages(k, s, o);
  fill_others(k, s, o);
  k->held = hm_arena_held(k->a);
}

/* --- what is new in it -------------------------------------------------------------- */

/* Strings of this run give way to the keep's own; what stayed has those already. */
static void settle(hm_site_keep *k, const hm_site *s, const hm_kept_news *news) {
  hm_file *files = (hm_file *)(void *)k->files.v;
  hm_known_page *pages = (hm_known_page *)(void *)k->pages.v;
  hm_known_file *others = (hm_known_file *)(void *)k->others.v;
  for (size_t i = 0; i < news->files.n; i++)
    if (news->files.inserted[i]) hand_over(k, &files[news->files.at[i]], true);
  for (size_t i = 0; i < s->n_made; i++) hand_over(k, &files[s->made[i]], false);
  for (size_t i = 0; i < news->pages.n; i++) {
    hm_known_page *p = &pages[news->pages.at[i]];
    if (news->pages.inserted[i]) p->path = hm_str_dup(k->a, p->path);
    if (p->marks.n && p->marks.p == ((const hm_known_page *)(const void *)news->pages.v)[i].marks.p) p->marks = hm_str_dup(k->a, p->marks);
  }
  for (size_t i = 0; i < news->others.n; i++)
    if (news->others.inserted[i]) others[news->others.at[i]].path = hm_str_dup(k->a, others[news->others.at[i]].path);
}

void hm_site_keep_note(hm_site_keep *k, const hm_site *s, hm_str name) {
  const hm_origin *o = s->origin;
  forget_name(k);
  if (!o->inputs) return;
  if (o->news) settle(k, s, o->news);
  else fill(k, s, o);
  memcpy(k->inputs, o->inputs, k->n_projects * sizeof *k->inputs);
  memcpy(k->with, o->with, sizeof k->with);
  k->known = s->known;
  k->known.pages = (hm_known_page *)(void *)k->pages.v;
  k->known.n_pages = k->pages.n;
  k->known.others = (hm_known_file *)(void *)k->others.v;
  k->known.n_others = k->others.n;
  if (hm_arena_held(k->a) > 2 * k->held + SPARE) return;
  char *p = hm_xmalloc(name.n);
  memcpy(p, name.p, name.n);
  k->name = (hm_str){ p, name.n };
}
