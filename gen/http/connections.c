/* The server's connections: their deadlines, and which one to close when a place is needed.
 *
 * A head has 2 s and a whole request 10 s, counted from its first line (for the first request from
 * the connection's beginning). libmicrohttpd's own time limit restarts with each byte. When a new
 * connection finds its address at its share, or all places taken, the connection that has waited
 * longest for its client is closed: first those without a request or with half a head, then those
 * with half a body, then those whose reply is not read. Not closed are a connection in a handler, a
 * stream of events, and, up to two shares, one that has waited for less than BRISK_MS. So idle
 * clients cannot shut out active ones, not even those of the same address (on one machine all
 * clients share one). Cost: O(connections) for each new one. */
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "core/base/par.h"
#include "gen/http/server_impl.h"

enum { TICK_MS = 100, SEND_MS = 120000, BRISK_MS = 100, BREATH_US = 1000 };

/* True when bytes have arrived that the connection's thread has not read: the client is not
 * late. */
static bool has_unread(const hm_conn *c) {
  int n = 0;
  return ioctl(c->fd, SIOCINQ, &n) == 0 && n > 0;
}

static bool is_overdue(const hm_conn_table *t, hm_conn *c, int64_t now) {
  int64_t age = now - atomic_load(&c->since);
  switch (atomic_load(&c->state)) {
    case HM_CONN_NEW:
      if (t->stopping)
        return true; /* fall through */
    case HM_CONN_HEAD:
      return age > t->deadline_ms || (age > t->head_ms && !has_unread(c));
    case HM_CONN_IDLE:
      return t->stopping || age > t->deadline_ms;
    case HM_CONN_BODY:
      return age > t->deadline_ms;
    case HM_CONN_SENDING:
      return age > SEND_MS;
    default:
      return false;
  }
}

/* Shuts c down unless its state has changed from this one. The descriptor stays open while the
 * connection is in the list; a thread that waits on it then reads an end of file. */
static bool close_in_state(hm_conn *c, int state) {
  if (!atomic_compare_exchange_strong(&c->state, &state, HM_CONN_CLOSED))
    return false;
  shutdown(c->fd, SHUT_RDWR);
  return true;
}

/* Returns how many are still busy with a request. */
static size_t close_overdue(hm_conn_table *t) {
  int64_t now = hm_clock_ms();
  size_t busy = 0;
  for (hm_conn *c = t->all; c; c = c->next) {
    int state = atomic_load(&c->state);
    if (is_overdue(t, c, now))
      close_in_state(c, state);
    state = atomic_load(&c->state);
    busy += state != HM_CONN_NEW && state != HM_CONN_IDLE && state != HM_CONN_CLOSED;
  }
  return busy;
}

/* --- places ------------------------------------------------------------------- */

/* The order of closing when a place is needed: the highest first. 0: not closed. */
static int close_rank(const hm_conn *c, int state, int64_t age) {
  bool waits = state == HM_CONN_NEW || state == HM_CONN_IDLE || state == HM_CONN_HEAD;
  if (!waits && state != HM_CONN_BODY && state != HM_CONN_SENDING)
    return 0;
  if (state != HM_CONN_SENDING && has_unread(c))
    return 0;
  if (age < BRISK_MS)
    return 1;
  return waits ? 4 : state == HM_CONN_BODY ? 3 : 2;
}

static bool is_from_address(const hm_conn *c, const unsigned char *address) {
  return !address || memcmp(c->address, address, sizeof c->address) == 0;
}

/* Counts the connections of this address, or of all (NULL), but not those that wait for us, in a
 * handler: a write that waits for its turn takes nobody's place. */
static size_t count_held(const hm_conn_table *t, const unsigned char *address) {
  size_t n = 0;
  for (hm_conn *c = t->all; c; c = c->next)
    n += is_from_address(c, address) && atomic_load(&c->state) != HM_CONN_CLOSED &&
        atomic_load(&c->state) != HM_CONN_WORKING;
  return n;
}

/* Closes the connection of the highest rank, if that is at least rank_least. Returns false when it
 * closed none. */
static bool close_first(hm_conn_table *t, const unsigned char *address, int rank_least) {
  int64_t now = hm_clock_ms(), oldest = INT64_MAX;
  int first_state = 0, highest = rank_least;
  hm_conn *first = NULL;
  for (hm_conn *c = t->all; c; c = c->next) {
    if (!is_from_address(c, address))
      continue;
    int64_t since = atomic_load(&c->since);
    int state = atomic_load(&c->state), rank = close_rank(c, state, now - since);
    if (rank < highest || (rank == highest && since >= oldest))
      continue;
    highest = rank;
    oldest = since;
    first = c;
    first_state = state;
  }
  return first && (close_in_state(first, first_state) || close_first(t, address, rank_least));
}

/* Returns how many connections are left. `more` of the brisk ones may stay beyond `most`. */
static size_t make_room(hm_conn_table *t, const unsigned char *address, size_t most, size_t more) {
  size_t held = count_held(t, address);
  while (held >= most && close_first(t, address, 2))
    held--;
  while (held >= most + more && close_first(t, address, 1))
    held--;
  return held;
}

/* --- the thread --------------------------------------------------------------- */

static void wait_tick(hm_conn_table *t) {
  const struct timespec until = hm_cond_deadline(TICK_MS);
  pthread_cond_timedwait(&t->wake, &t->lock, &until);
}

static void *close_late_ones(void *ctx) {
  hm_conn_table *t = ctx;
  pthread_mutex_lock(&t->lock);
  while (!t->ending) {
    close_overdue(t);
    if (t->all)
      wait_tick(t);
    else
      pthread_cond_wait(&t->wake, &t->lock);
  }
  pthread_mutex_unlock(&t->lock);
  return NULL;
}

int hm_conns_start(hm_conn_table *t, int head_ms, int deadline_ms, size_t places) {
  hm_cond_init(&t->wake);
  pthread_mutex_init(&t->lock, NULL);
  t->head_ms = head_ms;
  t->deadline_ms = deadline_ms;
  t->places = places;
  return pthread_create(&t->thread, NULL, close_late_ones, t);
}

/* libmicrohttpd calls this from the thread that accepts, and accepts nobody while too many closed
 * connections have not ended: a short sleep lets their threads end. */
void hm_conns_add(hm_conn_table *t, hm_conn *c) {
  size_t share = t->places >= 4 ? t->places / 4 : 1, closed = 0;
  atomic_store(&c->since, hm_clock_ms());
  pthread_mutex_lock(&t->lock);
  size_t held = make_room(t, c->address, share, share);
  make_room(t, NULL, t->places, t->places / 2);
  for (hm_conn *x = t->all; x; x = x->next)
    closed += atomic_load(&x->state) == HM_CONN_CLOSED;
  c->next = t->all;
  c->link = &t->all;
  if (c->next)
    c->next->link = &c->next;
  t->all = c;
  if (held >= 2 * share)
    close_in_state(c, HM_CONN_NEW);
  pthread_cond_signal(&t->wake);
  pthread_mutex_unlock(&t->lock);
  if (closed > t->places / 2)
    usleep(BREATH_US);
}

void hm_conns_remove(hm_conn_table *t, hm_conn *c) {
  pthread_mutex_lock(&t->lock);
  *c->link = c->next;
  if (c->next)
    c->next->link = c->link;
  pthread_mutex_unlock(&t->lock);
}

bool hm_conn_set_state(hm_conn *c, hm_conn_state state) {
  int was = atomic_load(&c->state);
  if (state != HM_CONN_BODY && (state != HM_CONN_HEAD || c->served))
    atomic_store(&c->since, hm_clock_ms());
  if (state == HM_CONN_IDLE)
    c->served = true;
  while (was != HM_CONN_CLOSED && !atomic_compare_exchange_weak(&c->state, &was, state))
    continue;
  return was != HM_CONN_CLOSED;
}

void hm_conns_drain(hm_conn_table *t) {
  pthread_mutex_lock(&t->lock);
  t->stopping = true;
  while (close_overdue(t))
    wait_tick(t);
  pthread_mutex_unlock(&t->lock);
}

void hm_conns_end(hm_conn_table *t) {
  pthread_mutex_lock(&t->lock);
  t->ending = true;
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->lock);
  pthread_join(t->thread, NULL);
  pthread_cond_destroy(&t->wake);
  pthread_mutex_destroy(&t->lock);
}
