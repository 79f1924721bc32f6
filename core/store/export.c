#include <errno.h>
#include <string.h>
#include "core/store/import.h"
#include "core/store/records.h"
#include "core/store/verdict_lines.h"

static int write_line(FILE *out, hm_buf *b, hm_err *err) {
  hm_buf_ch(b, '\n');
  if (b->failed) return hm_fail(err, HM_E_STORE, "export", "a record is larger than 2 GB", "");
  if (fwrite(b->p, 1, b->n, out) == b->n) return 0;
  return hm_fail(err, HM_E_OUTPUT, "export", strerror(errno), "make room and try again");
}

static int export_kind(hm_store *s, hm_kind_index k, FILE *out, hm_err *err) {
  sqlite3_stmt *st;
  hm_cell cells[HM_MAX_FIELDS + 1];
  hm_buf b = { 0 };
  hm_arena *a = hm_arena_new();
  int rc = hm_records_all(s, k, &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(a);
    hm_buf_clear(&b);
    rc = hm_records_row(s, k, st, cells, a, err);
    if (rc) break;
    if (k == HM_K_LINK && hm_str_eq(cells[0].text, cells[1].text))
      continue; /* says nothing, and no import takes it */
    hm_record_put(&b, &hm_kinds[k], cells, a);
    rc = write_line(out, &b, err);
  }
  sqlite3_finalize(st);
  hm_buf_free(&b);
  hm_arena_free(a);
  return rc;
}

int hm_export(hm_store *s, FILE *out, hm_err *err) {
  bool mine;
  int rc = hm_sql_txn(s, false, &mine, err);
  if (rc) return rc;
  for (int k = 0; k < HM_N_KINDS && !rc; k++) rc = export_kind(s, (hm_kind_index)k, out, err);
  if (!rc) rc = hm_export_open_verdicts(s, out, err);
  if (!rc && fflush(out))
    rc = hm_fail(err, HM_E_OUTPUT, "export", strerror(errno), "make room and try again");
  return hm_sql_txn_end(s, mine, rc, err);
}
