/* Ids of the files that were made. Only one core can sum up a long one: that is done plainly, and libgit2's look for collisions, which takes three
 * times as long, goes on beside all that follows. */
#include <stdio.h>

#include "core/base/par.h"
#include "gen/sink/git_impl.h"

typedef struct {
  hm_git *g;
  const hm_site *s;
  hm_git_made *m;
  hm_git_objects *l;
  size_t *longs, n_longs, *shorts, n_shorts;   /* which of m */
  hm_git_look **looks;                         /* beside longs; NULL: none */
} hashing;

void hm_git_object_sum(git_object_t type, hm_str bytes, unsigned char sum[GIT_OID_RAWSZ]) {
  char head[32];
  hm_sha1 h;
  int n = snprintf(head, sizeof head, "%s %zu", git_object_type2string(type), bytes.n) + 1;   /* with its NUL */
  hm_sha1_init(&h);
  hm_sha1_add(&h, (hm_str){ head, (size_t)n });
  hm_sha1_add(&h, bytes);
  hm_sha1_end(&h, sum);
}

/* In a manifest there are only digests and paths that hmirror made: nobody can put a collision into it. A file of the user's that has its name
 * in a folder names no files, and none can stand in the place of the root's. */
bool hm_git_is_manifest(const hm_file *f) { return f->names || hm_str_is(f->path, "manifest.json"); }

static const hm_file *file(const hashing *h, size_t k) { return &h->s->files[h->m->at[k]]; }

static int hash(const hm_file *f, git_oid *id) {
  if (!hm_git_is_manifest(f)) return git_odb_hash(id, f->bytes.p, f->bytes.n, GIT_OBJECT_BLOB);
  hm_git_object_sum(GIT_OBJECT_BLOB, f->bytes, id->id);
  return 0;
}

/* Long ones are summed up and cut, and the others hashed. */
static int do_job(void *ctx, size_t i, int worker) {
  hashing *h = ctx;
  (void)worker;
  if (i < h->n_longs) {
    if (!h->looks[i]) return hash(file(h, h->longs[i]), &h->m->ids[h->longs[i]]);
    hm_git_look_sum(h->looks[i], &h->m->ids[h->longs[i]]);
    return 0;
  }
  if ((i -= h->n_longs) < h->n_longs) {
    hm_git_long *l = h->l->longs[i];
    hm_git_long_cut(l, hm_git_memory_find(h->g->opt->memory, l->key));
    return 0;
  }
  size_t k = h->shorts[i - h->n_longs];
  return hash(file(h, k), &h->m->ids[k]);
}

static void list_files(hashing *h) {
  for (size_t k = 0; k < h->m->n; k++) {
    if (hm_git_is_long(file(h, k))) h->longs[h->n_longs++] = k;
    else h->shorts[h->n_shorts++] = k;
  }
}

/* How the tip has a long one, if that can be seen. */
static void add_long(hashing *h, const hm_file *f) {
  hm_git_entry e;
  hm_git_long *l = hm_git_objects_long(h->l, h->g->a, f->path, GIT_OBJECT_BLOB, f->bytes);
  l->has_was = h->g->exists && hm_git_raw_path(h->g, &h->g->tip_tree, f->path, &e);
  if (l->has_was) memcpy(l->was.id, e.id, sizeof l->was.id);
}

static void begin_looks(hashing *h) {
  h->looks = hm_alloc_array(h->g->a, h->n_longs, sizeof *h->looks);
  for (size_t i = 0; i < h->n_longs; i++) h->looks[i] = hm_git_look_at(h->g, file(h, h->longs[i]));
  for (size_t i = 0; i < h->n_longs; i++)
    if (!h->looks[i] && !hm_git_is_manifest(file(h, h->longs[i]))) h->looks[i] = hm_git_look_begin(h->g, file(h, h->longs[i]));
}

int hm_git_hash_files(hm_git *g, const hm_site *s, hm_git_made *m, hm_git_objects *l) {
  hashing h = { .g = g, .s = s, .m = m, .l = l };
  h.longs = hm_alloc_array(g->a, m->n, sizeof *h.longs);
  h.shorts = hm_alloc_array(g->a, m->n, sizeof *h.shorts);
  list_files(&h);
  begin_looks(&h);
  for (size_t i = 0; i < h.n_longs; i++) add_long(&h, file(&h, h.longs[i]));
  return hm_par_for(2 * h.n_longs + h.n_shorts, g->opt->threads, do_job, &h, NULL);
}
