#include "core/store/limits.h"
#include <sys/stat.h>
#include <time.h>
#include "core/store/sql.h"

/* A row is at least some 20 bytes and is read by some 100 steps, a few times in a transaction; it
 * is a text at least once in its file. So an honest file stays ten times below each. */
enum { STEPS_AT_ONCE = 1000, STEPS_A_BYTE = 400, TIMES_READ = 32 };
static const int64_t STEPS_FREE = 20 * 1000 * 1000, BYTES_FREE = 64 << 20;
static const int64_t NS_FREE = 30 * INT64_C(1000000000), NS_A_BYTE = 10000;

static int64_t cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Called by SQLite every STEPS_AT_ONCE steps; not 0 ends the statement. */
static int count_steps(void *ctx) {
  hm_spend *n = &((hm_store *)ctx)->spend;
  if (!n->on) return 0;
  n->steps += STEPS_AT_ONCE;
  if (n->steps > STEPS_FREE + STEPS_A_BYTE * n->file) n->over = "steps";
  else if (cpu_ns() - n->began_ns > NS_FREE + NS_A_BYTE * n->file) n->over = "processor time";
  return n->over != NULL;
}

static int64_t size_of(const char *path) {
  struct stat st;
  int64_t size = path && *path && stat(path, &st) == 0 ? st.st_size : 0;
  char *wal = path ? sqlite3_mprintf("%s-wal", path) : NULL;
  if (wal && stat(wal, &st) == 0) size += st.st_size;
  sqlite3_free(wal);
  return size;
}

/* The files may grow while a program runs for long. */
static void measure(hm_store *s) {
  enum { LENGTH_FREE = 1 << 20, LENGTH_MOST = 1000000000 };
  s->spend.file = size_of(s->path) + size_of(s->their_path);
  int64_t length = LENGTH_FREE + 2 * s->spend.file;
  if (length > LENGTH_MOST) length = LENGTH_MOST;
  if (s->theirs) sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, (int)length);
}

void hm_limits_set(hm_store *s) {
  s->spend = (hm_spend){ .on = false };
  measure(s);
  sqlite3_progress_handler(s->db, STEPS_AT_ONCE, count_steps, s);
}

bool hm_limits_begin(hm_store *s) {
  bool was = s->spend.on;
  s->spend = (hm_spend){ .on = true, .began_ns = cpu_ns() };
  measure(s);
  return was;
}

void hm_limits_end(hm_store *s, bool was_on) { s->spend.on = was_on; }

bool hm_limits_row(hm_store *s, void *statement) {
  hm_spend *n = &s->spend;
  for (int i = sqlite3_data_count(statement) - 1; i >= 0; i--) {
    int type = sqlite3_column_type(statement, i);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB) n->bytes += sqlite3_column_bytes(statement, i);
  }
  if (n->bytes > BYTES_FREE + TIMES_READ * n->file) n->over = "bytes";
  return !n->over;
}
