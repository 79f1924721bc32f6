/* A manifest for each folder of a large site: it changes with the folder, and the root's has one
 * line of it. */
#include <string.h>

#include "core/base/digest.h"
#include "core/base/par.h"
#include "gen/site/site_impl.h"

static const char name[] = "/manifest.json";

/* path is that of something in the folder or below it. */
static bool is_below(hm_str folder, hm_str path) {
  return path.n > folder.n && path.p[folder.n] == '/' && memcmp(path.p, folder.p, folder.n) == 0;
}

typedef struct { hm_map taken, seen; hm_arena *a; hm_file *files; size_t n, cap; } listing;

/* The user has a file of that name, or below one. */
static void list_taken(listing *l, const hm_site_options *o) {
  for (size_t i = 0; i < o->n_statics; i++) {
    hm_str path = o->statics[i].name, folder = hm_manifest_folder(path),
           rest = hm_str_sub(path, folder.n, path.n);
    if (!folder.n || !hm_str_starts(rest, name)) continue;
    if (rest.n == sizeof name - 1 || rest.p[sizeof name - 1] == '/')
      hm_map_add(&l->taken, folder, 1);
  }
}

static void add_manifest(listing *l, hm_str folder) {
  if (l->n == l->cap) {
    hm_file *more = hm_alloc_array(l->a, l->cap = l->cap ? 2 * l->cap : 256, sizeof *more);
    if (l->n) memcpy(more, l->files, l->n * sizeof *more);
    l->files = more;
  }
  l->files[l->n++] =
      (hm_file){ .path = hm_str_join(l->a, (hm_str[]){ folder, HM_STR(name) }, 2), .names = 1 };
}

/* Most paths are in the folder of the one before. */
static hm_str look_at(listing *l, hm_str before, hm_str path) {
  if (before.n && is_below(before, path)) return before;
  hm_str folder = hm_manifest_folder(path);
  if (!folder.n || hm_map_get(&l->taken, folder) != HM_MAP_NONE ||
      hm_map_get(&l->seen, folder) != HM_MAP_NONE)
    return folder;
  hm_map_add(&l->seen, folder, 1);
  add_manifest(l, folder);
  return folder;
}

hm_file *hm_folders_list(const hm_work *w, const hm_file *others, size_t n_others, size_t *n) {
  listing l = { .a = w->a };
  hm_str folder = HM_EMPTY;
  *n = 0;
  if (w->b.pages->n * w->forms + n_others <= HM_MANIFEST_MAX) return NULL;
  hm_map_init(&l.taken, w->a, 0);
  hm_map_init(&l.seen, w->a, 0);
  list_taken(&l, w->b.opt);
  for (size_t i = 0; i < w->b.pages->n; i++)
    folder = look_at(&l, folder, w->b.pages->pages[i].path);
  for (size_t i = 0; i < n_others; i++) folder = look_at(&l, folder, others[i].path);
  *n = l.n;
  return l.files;
}

/* --- what they say -------------------------------------------------------------- */

typedef struct { size_t manifest, from, to; } range;   /* of the site's files */

typedef struct { hm_work *w; range *folders; size_t n; } sealing;

/* Paths are sorted, so a folder's stand together. */
static range range_of(const hm_site *s, size_t manifest) {
  range r = { manifest, manifest, manifest + 1 };
  hm_str folder = hm_manifest_folder(s->files[manifest].path);
  while (r.from && is_below(folder, s->files[r.from - 1].path)) r.from--;
  while (r.to < s->n && is_below(folder, s->files[r.to].path)) r.to++;
  return r;
}

static bool is_as_known(const hm_known *k, const hm_file *f) {
  if (f->held) return true;
  const hm_known_file *was = hm_known_file_at(k, f->path);
  return was && !was->names && was->is.size == f->bytes.n &&
      memcmp(was->is.sha256, f->sha256, sizeof f->sha256) == 0;
}

/* The first of n elements of `step` bytes, each of which begins with its path and which are by
 * path, whose path is not before key; n: none. */
static size_t lower_bound(const void *v, size_t n, size_t step, hm_str key) {
  size_t lo = 0;
  while (lo < n) {
    size_t mid = lo + (n - lo) / 2;
    if (hm_str_cmp(*(const hm_str *)((const char *)v + mid * step), key) < 0) lo = mid + 1;
    else n = mid;
  }
  return lo;
}

/* How many files the folder is known to have had, without its manifest. */
static size_t count_known(const hm_known *k, hm_str folder, hm_str first) {
  size_t pages = 0, others = 0;
  for (size_t i = lower_bound(k->pages, k->n_pages, sizeof *k->pages, first);
       i < k->n_pages && is_below(folder, k->pages[i].path); i++)
    pages++;
  for (size_t i = lower_bound(k->others, k->n_others, sizeof *k->others, first);
       i < k->n_others && is_below(folder, k->others[i].path); i++)
    others += !k->others[i].names;
  return pages * ((size_t)k->markdown + (size_t)k->html) + others;
}

/* Each file is one of those that were there, as it was, and there are as many: it is the same list.
 */
static bool is_held(const hm_build *b, const hm_site *s, const range *r, hm_arena *tmp,
                    hm_file *out) {
  const hm_known *k = b->known;
  const hm_known_file *was = k && b->opt->holds ? hm_known_file_at(k, out->path) : NULL;
  hm_str folder = hm_manifest_folder(out->path);
  size_t n = r->to - r->from - 1;
  if (!was || was->names != n) return false;
  for (size_t i = r->from; i < r->to; i++)
    if (i != r->manifest && !is_as_known(k, &s->files[i])) return false;
  if (count_known(k, folder, hm_str_join(tmp, (hm_str[]){ folder, HM_STR("/") }, 2)) != n)
    return false;
  hm_str path = out->path;
  if (!hm_reuse_file(b, path, &was->is, out)) return false;
  out->names = was->names;
  return true;
}

static int seal_folder(void *ctx, size_t i, int worker) {
  sealing *x = ctx;
  hm_site *s = x->w->site;
  hm_hand *h = &x->w->hands[worker];
  range r = x->folders[i];
  hm_file *out = &s->files[r.manifest], f = { .path = out->path };
  hm_arena_reset(h->scratch);
  if (!is_held(&x->w->b, s, &r, h->scratch, &f)) {
    f = (hm_file){ .path = out->path, .names = (uint32_t)(r.to - r.from - 1) };
    f.bytes = hm_manifest_of_folder(hm_manifest_folder(f.path), &s->files[r.from], r.to - r.from,
                                    out, h->keep);
    hm_file_seal(&f);
  }
  *out = f;
  return 0;
}

static void find_folders(sealing *x, size_t n) {
  const hm_site *s = x->w->site;
  x->folders = hm_alloc_array(x->w->a, n, sizeof *x->folders);
  for (size_t i = 0; x->n < n; i++) {
    if (!s->files[i].names) continue;
    range r = x->folders[x->n++] = range_of(s, i);
    i = r.to - 1;
  }
}

hm_file *hm_folders_seal(hm_work *w, size_t n_folders, size_t *n) {
  hm_site *s = w->site;
  sealing x = { .w = w };
  size_t failed, at = 0, below = 0;
  find_folders(&x, n_folders);
  hm_par_for(x.n, w->n_hands, seal_folder, &x, &failed);
  for (size_t k = 0; k < x.n; k++) below += x.folders[k].to - x.folders[k].from - 1;
  hm_file *root = hm_alloc_array(w->a, s->n - below, sizeof *root);
  *n = 0;
  for (size_t k = 0; k < x.n; k++) {
    while (at < x.folders[k].from) root[(*n)++] = s->files[at++];
    root[(*n)++] = s->files[x.folders[k].manifest];
    at = x.folders[k].to;
  }
  while (at < s->n) root[(*n)++] = s->files[at++];
  return root;
}
