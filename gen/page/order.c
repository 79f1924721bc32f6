/* The order inside a list. A run that makes few pages looks at few lists, so each is sorted when it
 * is first asked for. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/time.h"
#include "view_private.h"

enum { LOCKS = 64 };

typedef struct { hm_str key; uint32_t row; } keyed;

/* name 0 id: a byte that no folded name has stands between. */
static hm_str join_key(hm_arena *a, hm_str name, hm_str id) {
  char *p = hm_alloc(a, name.n + 1 + id.n);
  memcpy(p, name.p, name.n);
  p[name.n] = 0;
  memcpy(p + name.n + 1, id.p, id.n);
  return (hm_str){ p, name.n + 1 + id.n };
}

/* head 1 name 0 id, also where the head is empty: rows without one stand
 * together, before all others. */
static hm_str headed_key(hm_arena *a, hm_str head, hm_str name, hm_str id) {
  hm_str rest = join_key(a, name, id);
  char *p = hm_alloc(a, head.n + 1 + rest.n);
  if (head.n) memcpy(p, head.p, head.n);
  p[head.n] = 1;
  memcpy(p + head.n + 1, rest.p, rest.n);
  return (hm_str){ p, head.n + 1 + rest.n };
}

static hm_str time_key(hm_arena *a, hm_str created) {
  hm_time t;
  hm_precision p;
  return hm_time_parse(created, &t, &p) ? hm_time_iso(a, t) : HM_EMPTY;
}

static hm_str sort_key(const hm_view *v, uint32_t row, hm_arena *a) {
  const hm_row *r = &v->snap->rows[row];
  switch (r->layer) {
  case HM_MEMORY: return join_key(a, time_key(a, r->created_at), r->id);
  case HM_STATE: return headed_key(a, hm_text_name(a, r->type), hm_text_name(a, r->name), r->id);
  case HM_RELATION: return headed_key(a, hm_text_name(a, r->type), hm_text_name(a, r->from), r->id);
  default: return join_key(a, hm_text_name(a, r->name.n ? r->name : r->id), r->id);
  }
}

static int by_key(const void *x, const void *y) {
  return hm_str_cmp(((const keyed *)x)->key, ((const keyed *)y)->key);
}

void hm_view_order_init(hm_view *v) {
  v->ordered = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->ordered);
  memcpy(v->ordered, v->listed, v->snap->n_rows * sizeof *v->ordered);
  v->sort_locks = hm_alloc_array(v->a, LOCKS, sizeof *v->sort_locks);
  for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&v->sort_locks[i], NULL);
}

hm_str *hm_view_sort(const hm_view *v, const hm_group *g, hm_arena *a) {
  uint32_t n = g->to - g->from;
  keyed *k = hm_alloc_array(a, n + 1, sizeof *k);
  for (uint32_t i = 0; i < n; i++)
    k[i] = (keyed){ sort_key(v, v->listed[g->from + i], a), v->listed[g->from + i] };
  qsort(k, n, sizeof *k, by_key);
  hm_str *keys = hm_alloc_array(a, n + 1, sizeof *keys);
  for (uint32_t i = 0; i < n; i++) {
    v->ordered[g->from + i] = k[i].row;
    keys[i] = k[i].key;
  }
  atomic_store_explicit(&v->groups[g - v->groups].sorted, true, memory_order_release);
  return keys;
}

/* Lists share nothing, so any lock will do that is the same for all who come to one list. */
static void sort_once(const hm_view *v, const hm_group *g) {
  pthread_mutex_t *lock = &v->sort_locks[(g - v->groups) % LOCKS];
  pthread_mutex_lock(lock);
  if (!atomic_load_explicit(&v->groups[g - v->groups].sorted, memory_order_relaxed)) {
    hm_arena *tmp = hm_arena_new();
    hm_view_sort(v, g, tmp);
    hm_arena_free(tmp);
  }
  pthread_mutex_unlock(lock);
}

const uint32_t *hm_view_order(const hm_view *v, const hm_group *g) {
  if (!atomic_load_explicit(&v->groups[g - v->groups].sorted, memory_order_acquire))
    sort_once(v, g);
  return v->ordered;
}
