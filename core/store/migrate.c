/* From any older version to this one, a step at a time. */
#include "core/store/sql.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "core/store/schema.h"

/* STEPS[v] leads from version v to v + 1. A new store begins at 0. */
static const char *const STEPS[HM_STORE_VERSION] = { hm_schema_sql };

#define MAX_BACKUPS 100

/* A name that nothing has: an earlier backup is never overwritten. */
static int backup_path(hm_store *s, char *out, size_t size, hm_err *err) {
  for (int i = 1; i <= MAX_BACKUPS; i++) {
    char number[16] = "";
    if (i > 1) snprintf(number, sizeof number, ".%d", i);
    int n = snprintf(out, size, "%s%s.v%d%s.bak", s->path[0] == '/' ? "" : "./", s->path, s->version, number);
    if (n < 0 || (size_t)n >= size) return hm_fail(err, HM_E_STORE, s->what, "its path is too long for a backup beside it", "");
    if (access(out, F_OK) && errno == ENOENT) return 0;
  }
  return hm_fail(err, HM_E_STORE, s->what, "too many backups lie beside it", "move them away");
}

static int sync_file(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  int rc = fsync(fd);
  close(fd);
  return rc;
}

static int backup(hm_store *s, hm_err *err) {
  char path[4200];
  sqlite3_stmt *st;
  if (backup_path(s, path, sizeof path, err) || hm_sql_prepare(s, "VACUUM INTO ?1", &st, err)) return -1;
  hm_sql_bind(st, 1, hm_str_c(path));
  int rc = hm_sql_run(s, st, err);
  sqlite3_finalize(st);
  if (!rc && sync_file(path))
    rc = hm_failf(err, HM_E_STORE, s->what, "check the disk", "its backup %s: %s", path, strerror(errno));
  if (rc) unlink(path);
  return rc;
}

static int take_steps(hm_store *s, hm_err *err) {
  char pragma[96];
  int64_t version;
  /* Another process may have migrated between our look and our lock. */
  if (hm_sql_int(s, "PRAGMA user_version", &version, err)) return -1;
  for (s->version = (int)version; s->version < HM_STORE_VERSION; s->version++)
    if (hm_sql_exec(s, STEPS[s->version], err)) return -1;
  snprintf(pragma, sizeof pragma, "PRAGMA application_id=%d; PRAGMA user_version=%d", HM_STORE_APPLICATION_ID, s->version);
  return hm_sql_exec(s, pragma, err);
}

int hm_store_migrate(hm_store *s, bool fresh, hm_err *err) {
  if (!fresh && backup(s, err)) return -1;
  if (hm_store_begin(s, true, err)) return -1;
  return hm_sql_txn_end(s, true, take_steps(s, err), err);
}
