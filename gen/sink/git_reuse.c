/* Deflated pieces of an older stream, for the pieces of a new one that have the same bytes: to inflate and compare costs a fifth of
 * deflating them again. */
#include <stdlib.h>

#include "core/base/par.h"
#include "gen/sink/git_impl.h"

enum { THREADS_MAX = 64 };

typedef struct { hm_str deflated; hm_git_piece *same; } old_piece;

typedef struct {
  old_piece *old; size_t n, cap;
  hm_git_piece **new; size_t n_new;
  uint32_t *first;      /* of those with the same bytes */
  hm_map by_bytes;
  hm_git_inflater *inflaters[THREADS_MAX];
} matching;

/* A stream of another make has few marks, or none. */
static void list_old(matching *m, hm_str stream) {
  hm_str piece;
  stream = hm_str_sub(stream, 2, stream.n);
  while (hm_git_next_piece(&stream, &piece)) {
    if (m->n == m->cap) m->old = hm_xrealloc(m->old, (m->cap = m->cap ? 2 * m->cap : 256) * sizeof *m->old);
    m->old[m->n++] = (old_piece){ .deflated = piece };
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

static int match_piece(void *ctx, size_t i, int worker) {
  matching *m = ctx;
  hm_str bytes;
  if (!m->inflaters[worker]) m->inflaters[worker] = hm_git_inflater_new();
  if (!hm_git_inflate(m->inflaters[worker], m->old[i].deflated, &bytes)) return 0;
  uint32_t k = hm_map_get(&m->by_bytes, bytes);
  if (k != HM_MAP_NONE) m->old[i].same = m->new[k];
  return 0;
}

void hm_git_long_reuse(hm_git_long *const *l, size_t n, const hm_str *old, size_t n_old, int threads) {
  matching *m = hm_xmalloc(sizeof *m);
  hm_arena *a = hm_arena_new();
  *m = (matching){ 0 };
  for (size_t i = 0; i < n_old; i++) list_old(m, old[i]);
  if (m->n) {
    list_new(m, l, n, a);
    hm_par_for(m->n, threads > THREADS_MAX ? THREADS_MAX : threads, match_piece, m, NULL);
  }
  for (size_t i = 0; i < m->n; i++)
    if (m->old[i].same) m->old[i].same->deflated = m->old[i].deflated;
  for (size_t i = 0; i < m->n_new; i++) m->new[i]->deflated = m->new[m->first[i]]->deflated;
  for (int w = 0; w < THREADS_MAX; w++) hm_git_inflater_free(m->inflaters[w]);
  free(m->old);
  free(m);
  hm_arena_free(a);
}
