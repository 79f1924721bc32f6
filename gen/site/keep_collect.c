/* The whole site, of what was rendered and what is kept: work for what is new, and a pass over the owners of the rest. */
#include <stdlib.h>

#include "gen/site/keep_impl.h"

typedef struct {
  hm_work *w;
  hm_site_keep *k;
  hm_kept_news *news;
  bool *drop;                /* of each owner: what is not among the news goes */
  hm_str *folders; size_t n_folders;   /* in which something changed */
  uint32_t *made; size_t n_made;
} collecting;

static hm_file *files_of(const hm_site_keep *k) { return (hm_file *)(void *)k->files.v; }

/* --- what is new ---------------------------------------------------------------- */

static uint32_t owner_of(const collecting *x, size_t page) {
  uint32_t project = x->w->b.pages->pages[page].project;
  return project == UINT32_MAX ? x->k->n_projects + HM_OF_NOBODY : project;
}

static int by_path(const void *a, const void *b, void *files) {
  const hm_file *f = files;
  return hm_str_cmp(f[*(const uint32_t *)a].path, f[*(const uint32_t *)b].path);
}

static void list_files(collecting *x) {
  hm_work *w = x->w;
  size_t pages = w->b.pages->n * w->forms, n = pages + w->b.pages->n_raws;
  uint32_t *order = hm_alloc_array(w->a, n, sizeof *order), *owner = hm_alloc_array(w->a, n, sizeof *owner);
  hm_file *files = hm_alloc_array(w->a, n, sizeof *files);
  for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
  if (n) qsort_r(order, n, sizeof *order, by_path, w->rendered);
  for (size_t i = 0; i < n; i++) {
    files[i] = w->rendered[order[i]];
    owner[i] = order[i] < pages ? owner_of(x, order[i] / w->forms) : x->k->n_projects + HM_OF_RAWS;
  }
  x->news->files = (hm_kept_change){ .v = (const char *)files, .owner = owner, .n = n };
}

static void list_known(collecting *x) {
  hm_work *w = x->w;
  const hm_pages *p = w->b.pages;
  uint32_t *of_pages = hm_alloc_array(w->a, p->n, sizeof *of_pages), *of_raws = hm_alloc_array(w->a, p->n_raws, sizeof *of_raws);
  hm_known_file *raws = hm_alloc_array(w->a, p->n_raws, sizeof *raws);
  for (size_t i = 0; i < p->n; i++) of_pages[i] = owner_of(x, i);
  for (size_t i = 0; i < p->n_raws; i++) {
    of_raws[i] = x->k->n_projects + HM_OF_RAWS;
    raws[i] = hm_reuse_as_known(&w->rendered[p->n * w->forms + i]);
  }
  x->news->pages = (hm_kept_change){ .v = (const char *)w->b.now, .owner = of_pages, .n = p->n };
  x->news->others = (hm_kept_change){ .v = (const char *)raws, .owner = of_raws, .n = p->n_raws };
}

/* --- into the lists ----------------------------------------------------------------- */

static void put_file(void *old, const void *new) {
  hm_file *f = old;
  const hm_file *now = new;
  if (now->held || (f->bytes.n == now->bytes.n && memcmp(f->sha256, now->sha256, sizeof f->sha256) == 0)) return;
  hm_str path = f->path;
  *f = *now;
  f->path = path;
}

static void put_page(void *old, const void *new) {
  hm_known_page *p = old, was = *p;
  *p = *(const hm_known_page *)new;
  p->path = was.path;
  if (hm_str_eq(p->marks, was.marks)) p->marks = was.marks;
}

static void put_other(void *old, const void *new) {
  hm_known_file *f = old;
  hm_str path = f->path;
  *f = *(const hm_known_file *)new;
  f->path = path;
}

static void find_dropped(collecting *x) {
  uint32_t n = x->k->n_projects;
  x->drop = hm_alloc_array(x->w->a, n + HM_OWNERS, sizeof *x->drop);
  for (uint32_t p = 0; p < n; p++) x->drop[p] = !x->w->kept[p];
  x->drop[n + HM_OF_NOBODY] = x->drop[n + HM_OF_RAWS] = true;
}

static void count_changed(collecting *x) {
  const hm_file *files = (const hm_file *)(const void *)x->news->files.v;
  hm_site *s = x->w->site;
  for (size_t i = 0; i < x->news->files.n; i++) s->changed_pages += hm_reuse_is_changed(x->w->b.known, &files[i]);
}

static bool patch(collecting *x) {
  hm_site_keep *k = x->k;
  hm_arena *a = x->w->a;
  count_changed(x);
  if (!hm_kept_patch(&k->files, x->drop, &x->news->files, put_file, a) || !hm_kept_patch(&k->pages, x->drop, &x->news->pages, put_page, a) ||
      !hm_kept_patch(&k->others, x->drop, &x->news->others, put_other, a)) return false;
  hm_site *s = x->w->site;
  s->files = files_of(k);
  s->n = k->files.n;
  s->gone = x->news->files.gone;
  s->n_gone = x->news->files.n_gone;
  for (size_t i = 0; i < s->n_gone; i++) s->changed_pages += hm_str_ends(s->gone[i], ".md");
  return true;
}

/* --- manifests ------------------------------------------------------------------------ */

static bool is_split(const collecting *x) { return x->k->n_manifests > 0; }

static void note_folder(collecting *x, hm_str path) {
  hm_str folder = hm_manifest_folder(path);
  if (!folder.n || (x->n_folders && hm_str_eq(x->folders[x->n_folders - 1], folder))) return;
  x->folders[x->n_folders++] = folder;
}

static int by_bytes(const void *x, const void *y) { return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y); }

/* Each once. */
static void find_folders(collecting *x) {
  const hm_kept_change *c = &x->news->files;
  size_t n = 0;
  x->folders = hm_alloc_array(x->w->a, c->n + c->n_gone, sizeof *x->folders);
  for (size_t i = 0; i < c->n; i++)
    if (!files_of(x->k)[c->at[i]].held || c->inserted[i]) note_folder(x, files_of(x->k)[c->at[i]].path);
  for (size_t i = 0; i < c->n_gone; i++) note_folder(x, c->gone[i]);
  if (x->n_folders) qsort(x->folders, x->n_folders, sizeof *x->folders, by_bytes);
  for (size_t i = 0; i < x->n_folders; i++)
    if (!n || !hm_str_eq(x->folders[n - 1], x->folders[i])) x->folders[n++] = x->folders[i];
  x->n_folders = n;
}

/* Its place in the list, or n. */
static size_t find_manifest(const collecting *x, hm_str folder) {
  hm_str path = hm_str_join(x->w->a, (hm_str[]){ folder, HM_STR("/manifest.json") }, 2);
  size_t i = hm_lower(x->k->files.v, x->k->files.n, sizeof(hm_file), path);
  return i < x->k->files.n && files_of(x->k)[i].names && hm_str_eq(files_of(x->k)[i].path, path) ? i : x->k->files.n;
}

static size_t folder_from(const collecting *x, hm_str folder) {
  return hm_lower(x->k->files.v, x->k->files.n, sizeof(hm_file), hm_str_join(x->w->a, (hm_str[]){ folder, HM_STR("/") }, 2));
}

static size_t folder_to(const collecting *x, hm_str folder) {
  return hm_lower(x->k->files.v, x->k->files.n, sizeof(hm_file), hm_str_join(x->w->a, (hm_str[]){ folder, HM_STR("0") }, 2));   /* '/' + 1 */
}

/* False for one that has none, or nothing to name any more. */
static bool remake_manifest(collecting *x, hm_str folder) {
  size_t at = find_manifest(x, folder), from = folder_from(x, folder), to = folder_to(x, folder);
  if (at == x->k->files.n || to - from < 2) return false;
  hm_file *f = &files_of(x->k)[at];
  hm_file now = { .path = f->path, .names = (uint32_t)(to - from - 1) };
  now.bytes = hm_manifest_of_folder(folder, &files_of(x->k)[from], to - from, f, x->w->a);
  hm_file_seal(&now);
  *f = now;
  hm_known_file as = hm_reuse_as_known(&now);
  size_t other = hm_lower(x->k->others.v, x->k->others.n, sizeof as, now.path);
  if (other == x->k->others.n || !hm_str_eq(((hm_known_file *)(void *)x->k->others.v)[other].path, now.path)) return false;
  put_other(x->k->others.v + other * sizeof as, &as);
  x->made[x->n_made++] = (uint32_t)at;
  return true;
}

/* What no folder's manifest names, and these. */
static void find_root(collecting *x) {
  hm_site_keep *k = x->k;
  free(k->root);
  k->root = hm_xmalloc((k->files.n + 1) * sizeof *k->root);
  k->n_root = 0;
  for (size_t i = 0; i < k->files.n;) {
    hm_str folder = is_split(x) ? hm_manifest_folder(files_of(k)[i].path) : HM_EMPTY;
    size_t manifest = folder.n ? find_manifest(x, folder) : k->files.n;
    k->root[k->n_root++] = (uint32_t)(manifest < k->files.n ? manifest : i);
    i = manifest < k->files.n ? folder_to(x, folder) : i + 1;
  }
}

static void seal_root(collecting *x) {
  hm_site_keep *k = x->k;
  hm_kept_change *c = &x->news->files;
  size_t at = hm_lower(k->files.v, k->files.n, sizeof(hm_file), HM_STR("manifest.json")), in_root = 0;
  bool moved = c->n_gone > 0 || !k->n_root;
  for (size_t i = 0; i < c->n; i++) moved = moved || c->inserted[i];
  if (moved) find_root(x);
  hm_file *root = hm_alloc_array(x->w->a, k->n_root, sizeof *root);
  for (size_t i = 0; i < k->n_root; i++) {
    root[i] = files_of(k)[k->root[i]];
    if (k->root[i] == at) in_root = i;
  }
  hm_file *f = &files_of(k)[at];
  *f = (hm_file){ .path = f->path };
  hm_collect_root(x->w, root, k->n_root, in_root, f);
  x->made[x->n_made++] = (uint32_t)at;
}

/* --- the whole ------------------------------------------------------------------------ */

static bool paths_ok(const collecting *x) {
  const hm_kept_change *c = &x->news->files;
  for (size_t i = 0; i < c->n; i++)
    if (c->inserted[i] && !hm_check_new_path(x->w->site, files_of(x->k)[c->at[i]].path)) return false;
  return true;
}

static bool stays_split(const collecting *x) { return (x->k->files.n - x->k->n_manifests - 1 > HM_MANIFEST_MAX) == is_split(x); }

static int by_number(const void *x, const void *y) {
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

static void fill_site(collecting *x) {
  hm_site *s = x->w->site;
  const hm_kept_change *c = &x->news->files;
  for (size_t i = 0; i < c->n; i++)
    if (!files_of(x->k)[c->at[i]].held) x->made[x->n_made++] = c->at[i];
  qsort(x->made, x->n_made, sizeof *x->made, by_number);
  s->made = x->made;
  s->n_made = x->n_made;
  s->known = x->k->known;
  s->known.pages = (hm_known_page *)(void *)x->k->pages.v;
  s->known.others = (hm_known_file *)(void *)x->k->others.v;
  s->known.n_pages = s->pages = x->k->pages.n;
  s->known.n_others = x->k->others.n;
  x->w->news = x->news;
}

int hm_kept_collect(hm_work *w, hm_err *err) {
  collecting x = { .w = w, .k = w->keep, .news = hm_alloc(w->a, sizeof *x.news) };
  (void)err;
  list_files(&x);
  list_known(&x);
  find_dropped(&x);
  if (!patch(&x) || !paths_ok(&x) || !stays_split(&x)) return 1;
  find_folders(&x);
  x.made = hm_alloc_array(w->a, x.news->files.n + x.n_folders + 1, sizeof *x.made);
  for (size_t i = 0; is_split(&x) && i < x.n_folders; i++)
    if (!remake_manifest(&x, x.folders[i])) return 1;
  seal_root(&x);
  fill_site(&x);
  return 0;
}
