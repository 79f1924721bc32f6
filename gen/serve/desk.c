#include "gen/serve/desk.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include "core/store/lookup.h"

enum { ROOM = 1 << 20, COMMON_ROOM = 16 << 20 };

struct hm_desk {
  const hm_store_source *src;
  int busy_ms;
  hm_store *writer;
  pthread_mutex_t writing;
  hm_seat *common;
  pthread_mutex_t reading;     /* of common */
  pthread_mutex_t lock;        /* of free and seats */
  pthread_cond_t given;
  hm_seat *free;
  int seats;                   /* made */
};

static int new_seat(const hm_desk *d, size_t room, hm_seat **out, hm_err *err) {
  hm_store *store;
  if (hm_store_open_source(&store, d->src, HM_STORE_READ, d->busy_ms, err)) return -1;
  hm_seat *s = hm_xmalloc(sizeof *s);
  *s = (hm_seat){ .store = store, .room = room, .a = hm_arena_new() };
  *out = s;
  return 0;
}

static void free_seat(hm_seat *s) {
  if (!s) return;
  hm_store_close(s->store);
  hm_arena_free(s->a);
  free(s);
}

int hm_desk_open(const hm_store_source *src, int busy_ms, hm_desk **out, hm_err *err) {
  hm_store *writer;
  if (hm_store_open_source(&writer, src, HM_STORE_WRITE, busy_ms, err)) return -1;
  hm_desk *d = hm_xmalloc(sizeof *d);
  *d = (hm_desk){ .src = src, .busy_ms = busy_ms, .writer = writer };
  pthread_mutex_init(&d->writing, NULL);
  pthread_mutex_init(&d->reading, NULL);
  pthread_mutex_init(&d->lock, NULL);
  pthread_cond_init(&d->given, NULL);
  if (new_seat(d, COMMON_ROOM, &d->common, err)) {
    hm_desk_close(d);
    return -1;
  }
  *out = d;
  return 0;
}

void hm_desk_close(hm_desk *d) {
  if (!d) return;
  for (hm_seat *s = d->free, *next; s; s = next) {
    next = s->next;
    free_seat(s);
  }
  free_seat(d->common);
  hm_store_close(d->writer);
  pthread_mutex_destroy(&d->writing);
  pthread_mutex_destroy(&d->reading);
  pthread_mutex_destroy(&d->lock);
  pthread_cond_destroy(&d->given);
  free(d);
}

int hm_desk_take_writer(hm_desk *d, hm_store **out, hm_err *err) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += d->busy_ms / 1000 + 1;
  if (pthread_mutex_timedlock(&d->writing, &until) == ETIMEDOUT)
    return hm_fail(err, HM_E_BUSY, d->src->path, "other writes take too long", "try again");
  *out = d->writer;
  return 0;
}

void hm_desk_give_writer(hm_desk *d) { pthread_mutex_unlock(&d->writing); }

/* --- reading ------------------------------------------------------------------- */

/* NULL: one more may be made. */
static hm_seat *take_free(hm_desk *d) {
  pthread_mutex_lock(&d->lock);
  while (!d->free && d->seats == HM_SEATS) pthread_cond_wait(&d->given, &d->lock);
  hm_seat *s = d->free;
  if (s) d->free = s->next;
  else d->seats++;
  pthread_mutex_unlock(&d->lock);
  return s;
}

/* s NULL: it could not be made. */
static void put_free(hm_desk *d, hm_seat *s) {
  pthread_mutex_lock(&d->lock);
  if (s) {
    s->next = d->free;
    d->free = s;
  } else d->seats--;
  pthread_cond_signal(&d->given);
  pthread_mutex_unlock(&d->lock);
}

static int take_seat(hm_desk *d, bool common, hm_seat **out, hm_err *err) {
  if (common) {
    pthread_mutex_lock(&d->reading);
    *out = d->common;
    return 0;
  }
  *out = take_free(d);
  if (*out || !new_seat(d, ROOM, out, err)) return 0;
  put_free(d, NULL);
  return -1;
}

static void forget(hm_seat *s, uint64_t version) {
  hm_arena_reset(s->a);
  s->version = version;
  s->n = 0;
  s->bodies = hm_alloc_array(s->a, HM_SEAT_ANSWERS, sizeof *s->bodies);
  hm_map_init(&s->answers, s->a, HM_SEAT_ANSWERS);
}

int hm_desk_take(hm_desk *d, bool common, hm_seat **out, hm_err *err) {
  uint64_t version = 0;
  hm_seat *s = NULL;
  if (take_seat(d, common, &s, err)) return -1;
  if (hm_store_begin(s->store, false, err) || hm_store_data_version(s->store, &version, err)) {
    hm_desk_give(d, s);
    return -1;
  }
  if (!s->bodies || version != s->version) forget(s, version);
  *out = s;
  return 0;
}

void hm_desk_give(hm_desk *d, hm_seat *s) {
  hm_store_rollback(s->store);
  if (s == d->common) pthread_mutex_unlock(&d->reading);
  else put_free(d, s);
}

bool hm_seat_find(const hm_seat *s, hm_str request, hm_str *body) {
  uint32_t i = hm_map_get(&s->answers, request);
  if (i != HM_MAP_NONE) *body = s->bodies[i];
  return i != HM_MAP_NONE;
}

void hm_seat_keep(hm_seat *s, hm_str request, hm_str body) {
  if (s->n == HM_SEAT_ANSWERS || hm_arena_held(s->a) + body.n > s->room) return;
  s->bodies[s->n] = hm_str_dup(s->a, body);
  hm_map_add(&s->answers, hm_str_dup(s->a, request), (uint32_t)s->n);
  s->n++;
}
