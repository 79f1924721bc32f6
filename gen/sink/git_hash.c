/* Ids of the files that were made. A long one is deflated beside, since only one core can hash it: what the tip has already is
 * then deflated for nothing, but what changes with every publication (manifest.json) waits for nobody. */
#include <stdio.h>

#include "core/base/par.h"
#include "gen/sink/git_impl.h"

typedef struct {
  hm_git *g;
  const hm_site *s;
  hm_git_made *m;
  hm_git_objects *l;
  size_t *longs, n_longs, *shorts, n_shorts;   /* which of m */
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
static bool is_manifest(const hm_file *f) { return f->names || hm_str_is(f->path, "manifest.json"); }

static const hm_file *file(const hashing *h, size_t k) { return &h->s->files[h->m->at[k]]; }

static int hash_file(const hashing *h, size_t k) {
  const hm_file *f = file(h, k);
  if (!is_manifest(f)) return git_odb_hash(&h->m->ids[k], f->bytes.p, f->bytes.n, GIT_OBJECT_BLOB);
  hm_git_object_sum(GIT_OBJECT_BLOB, f->bytes, h->m->ids[k].id);
  return 0;
}

static int hash_short(void *ctx, size_t i, int worker) {
  const hashing *h = ctx;
  (void)worker;
  return hash_file(h, h->shorts[i]);
}

/* How the tip has the file, if that can be seen. */
static hm_str old_stream(const hashing *h, size_t k) {
  hm_git *g = h->g;
  hm_git_entry e;
  hm_git_own o;
  git_oid id;
  if (!g->exists || !hm_git_raw_path(g, &g->tip_tree, file(h, k)->path, &e)) return HM_EMPTY;
  memcpy(id.id, e.id, GIT_OID_RAWSZ);
  return hm_git_own_find(g, &id, &o) ? o.stream : HM_EMPTY;
}

static int deflate_longs(hashing *h) {
  hm_git_objects *l = h->l;
  hm_str *old = hm_alloc_array(h->g->a, h->n_longs, sizeof *old);
  for (size_t k = 0; k < h->n_longs; k++) {
    old[k] = old_stream(h, h->longs[k]);
    l->longs[l->n_longs++] = hm_git_long_new(file(h, h->longs[k])->bytes, h->g->a);
  }
  hm_git_long_reuse(l->longs, l->n_longs, old, h->n_longs, h->g->opt->threads);
  return hm_git_long_deflate(l->longs, l->n_longs, h->g->opt->threads);
}

/* First all but the ids of the long ones, and beside that these. */
static int do_job(void *ctx, size_t i, int worker) {
  hashing *h = ctx;
  (void)worker;
  if (i > 0) return hash_file(h, h->longs[i - 1]);
  if (deflate_longs(h) != 0) return -1;
  return hm_par_for(h->n_shorts, h->g->opt->threads, hash_short, h, NULL);
}

int hm_git_hash_files(hm_git *g, const hm_site *s, hm_git_made *m, hm_git_objects *l) {
  hashing h = { .g = g, .s = s, .m = m, .l = l };
  h.longs = hm_alloc_array(g->a, m->n, sizeof *h.longs);
  h.shorts = hm_alloc_array(g->a, m->n, sizeof *h.shorts);
  for (size_t k = 0; k < m->n; k++) {
    if (hm_git_is_long(file(&h, k))) h.longs[h.n_longs++] = k;
    else h.shorts[h.n_shorts++] = k;
  }
  l->longs = hm_alloc_array(g->a, h.n_longs, sizeof *l->longs);
  return hm_par_for(h.n_longs + 1, g->opt->threads, do_job, &h, NULL);
}
