/* A limit for the memory that SQLite takes on one thread.
 *
 * SQLite can limit only what all its connections take together, and counts that under one lock. So
 * its allocator is wrapped before it begins: while a thread has a budget, what is taken and given
 * back is counted there, and what goes over it is refused, which ends the statement. */
#include <pthread.h>

#include "core/store/sqlite_impl.h"

static sqlite3_mem_methods system_memory;
static _Thread_local struct {
  bool on, over;
  int64_t left, taken;
} budget;

static void *counted_malloc(int n) {
  if (budget.on && n > budget.left) return budget.over = true, NULL;
  void *p = system_memory.xMalloc(n);
  budget.taken += n;
  if (budget.on && p) budget.left -= system_memory.xSize(p);
  return p;
}

static void counted_free(void *p) {
  if (budget.on && p) budget.left += system_memory.xSize(p);
  system_memory.xFree(p);
}

static void *counted_realloc(void *p, int n) {
  if (!budget.on) return system_memory.xRealloc(p, n);
  int before = p ? system_memory.xSize(p) : 0;
  if (n - before > budget.left) return budget.over = true, NULL;
  void *moved = system_memory.xRealloc(p, n);
  budget.taken += n;
  if (moved) budget.left -= system_memory.xSize(moved) - before;
  return moved;
}

/* SQLite counts its memory under one lock for all connections, for which threads that read at once
 * queue up. Nobody needs the count; it can only be switched off before SQLite has begun. */
static void configure(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory) || !system_memory.xMalloc) return;
  sqlite3_mem_methods counted = system_memory;
  counted.xMalloc = counted_malloc;
  counted.xFree = counted_free;
  counted.xRealloc = counted_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &counted);
}

void hm_sqlite_configure(void) {
  static pthread_once_t begun = PTHREAD_ONCE_INIT;
  pthread_once(&begun, configure);
}

void hm_sqlite_memory_limit_begin(int64_t bytes) {
  budget.on = true;
  budget.over = false;
  budget.left = bytes;
  budget.taken = 0;
}

int64_t hm_sqlite_memory_taken(void) {
  int64_t bytes = budget.taken;
  budget.taken = 0;
  return bytes;
}

bool hm_sqlite_memory_limit_end(void) {
  budget.on = false;
  return budget.over;
}
