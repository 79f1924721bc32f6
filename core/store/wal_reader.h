/* Reading a WAL store that belongs to another user, without leaving a file of ours beside it.
 *
 * A reader of a WAL makes -wal and -shm where there are none, as its own files, and its owner can
 * then write no more. So: where both are there they are used as they are, through a VFS that makes
 * no file; else file and WAL are copied to a private folder, and the copy is read. A copy counts
 * only if neither of the two changed while it was taken. */
#ifndef HM_WAL_READER_H
#define HM_WAL_READER_H
#include <sys/stat.h>
#include "core/base/err.h"

/* What tells that a file is as it was. */
typedef struct {
  bool there;
  dev_t dev;
  ino_t ino;
  off_t size;
  struct timespec mtime, ctime;
} hm_file_mark;

typedef struct {
  char *path;                      /* without links; NULL with uri */
  char *uri;                       /* to open; NULL: open the path as that of any other store */
  char *folder;                    /* of a private copy, until hm_wal_reader_opened; else NULL */
  struct sqlite3 *holder;          /* in place: keeps the WAL there until hm_wal_reader_opened */
  bool is_copy;
  hm_file_mark file, wal;          /* what was copied */
} hm_wal_reader;

/* Finds out how path is to be read. what: how messages call it. Errors: HM_E_BUSY when its owner
 * wrote whenever a copy was taken; HM_E_STORE when it cannot be read or there is no room for it. */
int hm_wal_reader_of(const char *path, const char *what, hm_wal_reader *out, hm_err *err);
/* The file at uri was read once: a copy loses its name, so nothing is left whatever happens. */
void hm_wal_reader_opened(hm_wal_reader *r);
/* What was copied is no longer what stands there. */
bool hm_wal_reader_is_stale(const hm_wal_reader *r);
void hm_wal_reader_free(hm_wal_reader *r);
#endif
