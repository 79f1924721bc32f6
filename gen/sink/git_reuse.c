/* Deflated pieces of an older stream, for the pieces of a new one that have the same bytes: to inflate and compare costs a fifth of
 * deflating them again. */
#include <libdeflate.h>
#include <stdlib.h>

#include "core/base/map.h"
#include "core/base/par.h"
#include "gen/sink/git_impl.h"

enum { THREADS_MAX = 64, MARK = 4, STORED = 5, PROBE = 8, OLD_MAX = HM_PIECE_MAX + HM_PIECE_MAX / 64 };

typedef struct { hm_str deflated; hm_git_piece *same; } old_piece;

typedef struct {
  struct libdeflate_decompressor *d;
  char *in, *out;
} desk;

typedef struct {
  old_piece *old; size_t n, cap;
  hm_git_piece **new; size_t n_new;
  uint32_t *first;      /* of those with the same bytes */
  hm_map by_bytes;
  unsigned char probe[STORED + PROBE];   /* the head of a last block, and its bytes */
  desk desks[THREADS_MAX];
} matching;

/* What stands between two marks may be a piece. A stream of another make has few of them, or none. */
static void list_old(matching *m, hm_str stream) {
  const char *p = stream.p + 2, *end = stream.p + stream.n, *mark;
  for (; p < end && (mark = memmem(p, (size_t)(end - p), "\0\0\377\377", MARK)); p = mark + MARK) {
    size_t n = (size_t)(mark + MARK - p);
    if (n > OLD_MAX) continue;
    if (m->n == m->cap) m->old = hm_xrealloc(m->old, (m->cap = m->cap ? 2 * m->cap : 256) * sizeof *m->old);
    m->old[m->n++] = (old_piece){ .deflated = { p, n } };
  }
}

static void list_new(matching *m, hm_git_long *const *l, size_t n, hm_arena *a) {
  size_t most = 0;
  for (size_t k = 0; k < n; k++) most += l[k]->n;
  m->new = hm_alloc_array(a, most, sizeof *m->new);
  m->first = hm_alloc_array(a, most, sizeof *m->first);
  hm_map_init(&m->by_bytes, a, most);
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < l[k]->n; i++) {
      m->new[m->n_new] = &l[k]->pieces[i];
      m->first[m->n_new] = hm_map_add(&m->by_bytes, l[k]->pieces[i].bytes, (uint32_t)m->n_new);
      m->n_new++;
    }
}

/* The probe is a stored block with bytes that nobody could foresee: when they come out behind the piece's own, the piece ended, at a
 * whole byte, before it, and its blocks are such that another may follow. */
static void make_probe(unsigned char probe[STORED + PROBE]) {
  uint64_t random = hm_random_seed();
  const unsigned char head[STORED] = { 1, PROBE, 0, (unsigned char)~PROBE, 0xff };
  memcpy(probe, head, sizeof head);
  memcpy(probe + sizeof head, &random, PROBE);
}

static bool open_desk(desk *d) {
  if (!d->d) d->d = libdeflate_alloc_decompressor();
  if (!d->in) d->in = hm_xmalloc(OLD_MAX + STORED + PROBE);
  if (!d->out) d->out = hm_xmalloc(HM_PIECE_MAX + PROBE);
  return d->d != NULL;
}

static int match_piece(void *ctx, size_t i, int worker) {
  matching *m = ctx;
  desk *d = &m->desks[worker];
  hm_str in = m->old[i].deflated;
  size_t n_in = in.n + sizeof m->probe, used, n;
  if (!open_desk(d)) return 0;
  memcpy(d->in, in.p, in.n);
  memcpy(d->in + in.n, m->probe, sizeof m->probe);
  if (libdeflate_deflate_decompress_ex(d->d, d->in, n_in, d->out, HM_PIECE_MAX + PROBE, &used, &n) != LIBDEFLATE_SUCCESS) return 0;
  if (used != n_in || n < PROBE || memcmp(d->out + n - PROBE, m->probe + STORED, PROBE) != 0) return 0;
  uint32_t k = hm_map_get(&m->by_bytes, (hm_str){ d->out, n - PROBE });
  if (k != HM_MAP_NONE) m->old[i].same = m->new[k];
  return 0;
}

void hm_git_long_reuse(hm_git_long *const *l, size_t n, const hm_str *old, size_t n_old, int threads) {
  matching *m = hm_xmalloc(sizeof *m);
  hm_arena *a = hm_arena_new();
  *m = (matching){ 0 };
  for (size_t i = 0; i < n_old; i++)
    if (old[i].n > 2) list_old(m, old[i]);
  if (m->n) {
    list_new(m, l, n, a);
    make_probe(m->probe);
    hm_par_for(m->n, threads > THREADS_MAX ? THREADS_MAX : threads, match_piece, m, NULL);
  }
  for (size_t i = 0; i < m->n; i++)
    if (m->old[i].same) m->old[i].same->deflated = m->old[i].deflated;
  for (size_t i = 0; i < m->n_new; i++) m->new[i]->deflated = m->new[m->first[i]]->deflated;
  for (int w = 0; w < THREADS_MAX; w++) {
    libdeflate_free_decompressor(m->desks[w].d);
    free(m->desks[w].in);
    free(m->desks[w].out);
  }
  free(m->old);
  free(m);
  hm_arena_free(a);
}
