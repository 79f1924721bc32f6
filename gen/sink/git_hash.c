/* Ids of the files that were made. A long one is deflated while it is hashed, which only one core can do: what the tip has
 * already is then deflated for nothing, but what changes with every publication (manifest.json) waits for nobody. */
#include "core/base/par.h"
#include "gen/sink/git_impl.h"

typedef struct { size_t file; hm_git_long *z; size_t piece; } job;   /* z NULL: hash the file */

typedef struct {
  const hm_site *s;
  git_oid *ids;
  job *jobs; size_t n_jobs;
} hashing;

static bool is_long(const hm_file *f) { return !f->held && hm_git_is_long(f->bytes); }

static int hash_file(const hashing *h, size_t i) {
  return git_odb_hash(&h->ids[i], h->s->files[i].bytes.p, h->s->files[i].bytes.n, GIT_OBJECT_BLOB);
}

static int do_job(void *ctx, size_t i, int worker) {
  const hashing *h = ctx;
  const job *j = &h->jobs[i];
  (void)worker;
  return j->z ? hm_git_long_piece(j->z, j->piece) : hash_file(h, j->file);
}

static int do_short(void *ctx, size_t i, int worker) {
  const hashing *h = ctx;
  (void)worker;
  return h->s->files[i].held || is_long(&h->s->files[i]) ? 0 : hash_file(h, i);
}

static void note_longs(const hm_site *s, hm_git_objects *l, hm_arena *a) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++) n += is_long(&s->files[i]);
  l->longs = hm_alloc_array(a, n, sizeof *l->longs);
  for (size_t i = 0; i < s->n; i++)
    if (is_long(&s->files[i])) l->longs[l->n_longs++] = hm_git_long_new(s->files[i].bytes, a);
}

/* To hash takes longest and comes first. */
static void list_jobs(hashing *h, const hm_git_objects *l, hm_arena *a) {
  size_t n = l->n_longs;
  for (size_t k = 0; k < l->n_longs; k++) n += l->longs[k]->n;
  h->jobs = hm_alloc_array(a, n, sizeof *h->jobs);
  for (size_t i = 0; i < h->s->n; i++)
    if (is_long(&h->s->files[i])) h->jobs[h->n_jobs++] = (job){ .file = i };
  for (size_t k = 0; k < l->n_longs; k++)
    for (size_t p = 0; p < l->longs[k]->n; p++) h->jobs[h->n_jobs++] = (job){ .z = l->longs[k], .piece = p };
}

int hm_git_hash_files(const hm_site *s, int threads, git_oid *ids, hm_git_objects *l, hm_arena *a) {
  hashing h = { .s = s, .ids = ids };
  note_longs(s, l, a);
  list_jobs(&h, l, a);
  if (hm_par_for(h.n_jobs, threads, do_job, &h, NULL) != 0) return -1;
  return hm_par_for(s->n, threads, do_short, &h, NULL);
}
