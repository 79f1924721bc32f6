/* The file of a store: reading its header before SQLite does, checking that it is undamaged or
 * unchanged, and rewriting it. */
#include <string.h>

#include "core/store/sqlite_impl.h"

enum { HEADER_SIZE = 100, SMALLEST_FILE = 512 }; /* one page of the smallest size */

static uint32_t read_be32(const unsigned char *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Through SQLite's own descriptor: closing one of ours would drop the POSIX locks of every other
 * connection of this process. */
int hm_sqlite_read_header(hm_store *s, hm_sqlite_header *out, hm_err *err) {
  unsigned char h[HEADER_SIZE];
  sqlite3_file *f = NULL;
  sqlite3_int64 size = 0;
  *out = (hm_sqlite_header){ 0 };
  sqlite3_file_control(s->sqlite->db, "main", SQLITE_FCNTL_FILE_POINTER, &f);
  if (!f || !f->pMethods || f->pMethods->xFileSize(f, &size) ||
      (size >= SMALLEST_FILE && f->pMethods->xRead(f, h, HEADER_SIZE, 0)))
    return hm_fail(err, HM_E_STORE, s->what, "cannot be read", "check the disk");
  out->size = size;
  if (size < SMALLEST_FILE)
    return 0;
  int64_t page = h[16] << 8 | h[17];
  out->is_sqlite = !memcmp(h, "SQLite format 3", 16);
  out->page_size = page == 1 ? 65536 : page;
  out->pages = read_be32(h + 28);
  out->application_id = read_be32(h + 68);
  return 0;
}

int hm_sqlite_fail_cut_off(hm_store *s, hm_err *err) {
  hm_sqlite_header h;
  if ((s->sqlite->failure & 0xff) != SQLITE_CORRUPT || hm_sqlite_read_header(s, &h, NULL))
    return -1;
  int64_t whole = h.page_size * h.pages;
  if (whole <= h.size)
    return -1;
  return hm_failf(err, HM_E_STORE, s->what, HM_DAMAGED_FIX,
                  "damaged: the file ends at byte %lld of %lld", (long long)h.size,
                  (long long)whole);
}

int hm_sqlite_check_last_page(hm_store *s, hm_err *err) {
  hm_sqlite_header h;
  if (!s->path[0])
    return 0; /* in memory */
  if (hm_sqlite_read_header(s, &h, err))
    return -1;
  if (h.page_size == 0 || h.size % h.page_size == 0)
    return 0; /* a new one has no header yet */
  return hm_failf(err, HM_E_STORE, s->what, HM_DAMAGED_FIX,
                  "damaged: the file ends at byte %lld, inside a page", (long long)h.size);
}

int hm_store_data_version(hm_store *s, uint64_t *out, hm_err *err) {
  unsigned ours = 0, theirs = 0;
  sqlite3 *db = s->sqlite->db;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_DATA_VERSION, &ours) != SQLITE_OK ||
      (s->theirs &&
       sqlite3_file_control(db, "theirs", SQLITE_FCNTL_DATA_VERSION, &theirs) != SQLITE_OK))
    return hm_sqlite_fail(s, err);
  *out = ((uint64_t)theirs << 32 | ours) + ((uint64_t)s->sqlite->copies << 48);
  return 0;
}

int hm_store_check(hm_store *s, hm_arena *a, bool *ok, hm_err *err) {
  static const char ours[] = "PRAGMA main.quick_check(1)";
  hm_str answer;
  *ok = false;
  if (hm_sql_one(s, ours, NULL, a, &answer, err))
    /* Damage is an answer to this question, not a failure to answer it. */
    return s->damaged ? 0 : -1;
  *ok = hm_str_is(answer, "ok");
  return *ok && s->theirs ? hm_foreign_check(s, a, ok, err) : 0;
}

int hm_store_delete_securely(hm_store *s, hm_err *err) {
  return hm_sql_exec(s, "PRAGMA secure_delete=ON", err);
}

/* A cache in memory would be as large as the file. The temporary file of VACUUM holds no deleted
 * data. */
int hm_store_compact(hm_store *s, hm_err *err) {
  hm_stmt *st;
  if (hm_sql_exec(s, "PRAGMA temp_store=FILE; VACUUM", err))
    return -1;
  if (hm_sql_prepare(s, "PRAGMA wal_checkpoint(TRUNCATE)", &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  bool busy = rc == 1 && sqlite3_column_int(hm_sqlite_stmt(st), 0) != 0;
  sqlite3_finalize(hm_sqlite_stmt(st));
  if (busy)
    return hm_fail(err, HM_E_BUSY, s->what, "another process is reading it",
                   "run the command again when it has finished");
  return rc < 0 ? -1 : 0;
}
