/* Any bytes as an import file, those after a byte from 1 to 5 as CSV of that layer (hm_csv_layer):
 * stored or refused with a line number; whatever is stored can be
 * swept and exported, and the export is read again without a change. The fuzzer sweeps and exports
 * one in sixteen of those inputs, chosen by their bytes; a replay does so with each.
 *
 * One store serves all inputs. Its file is gone from its folder, lies in memory where there is
 * /dev/shm, and is never synced; after an input that stored something all tables are emptied. (A
 * copy of an empty store, or a new one, has SQLite read the schema and prepare every statement
 * again: that took most of the time.) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/sweep/sweep.h"
#include "core/store/import.h"
#include "core/sqlite/sqlite_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TABLES_MAX = 64 };

typedef struct { hm_store *s; hm_stmt *empty[TABLES_MAX]; size_t n; } fuzz_store;

static const hm_actor WHO = { .by = { "fuzz", 4 }, .at = { "2026-01-01T00:00:00Z", 20 } };

static void prepare_emptying(fuzz_store *f) {
  hm_err err = { 0 };
  hm_stmt *tables;
  const char *list =
      "SELECT 'DELETE FROM \"' || name || '\"' FROM sqlite_schema WHERE type = 'table'"
      " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
  if (hm_sql_prepare(f->s, list, &tables, &err)) abort();
  while (hm_sql_step(f->s, tables, &err) == 1) {
    if (f->n == TABLES_MAX ||
        hm_sql_prepare(f->s, hm_sql_text(tables, 0, NULL).p, &f->empty[f->n++], &err))
      abort();
  }
  hm_sql_finalize(tables);
}

static void empty(fuzz_store *f) {
  hm_err err = { 0 };
  if (hm_store_begin(f->s, true, &err) || hm_sql_exec(f->s, "PRAGMA defer_foreign_keys=ON", &err))
    abort();
  for (size_t i = 0; i < f->n; i++)
    if (hm_sql_run(f->s, f->empty[i], &err)) abort();
  if (hm_store_commit(f->s, &err)) abort();
}

static void open_store(fuzz_store *f) {
  char path[64];
  hm_err err = { 0 };
  sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 2048, 2000);   /* each malloc is dear under a sanitizer */
  snprintf(path, sizeof path, "%s/hm-fuzz-%d", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
           (int)getpid());
  if (hm_store_open(&f->s, path, HM_STORE_CREATE, 1000, &err)) abort();
  const char *fast =
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF";
  if (hm_sql_exec(f->s, fast, &err)) abort();
  unlink(path);
  prepare_emptying(f);
}

static int bring_in(hm_store *s, const void *p, size_t n, bool keep_going, hm_import_counts *c,
                    hm_err *err) {
  const unsigned char *bytes = p;
  hm_import_options o = { .name = "f", .keep_going = keep_going, .who = WHO };
  if (n && *bytes >= 1 && *bytes <= 5) o.csv = *bytes, p = bytes + 1, n--;
  FILE *in = n ? fmemopen((void *)p, n, "rb") : fopen("/dev/null", "rb");
  int rc = hm_import(s, in, &o, c, err);
  fclose(in);
  return rc;
}

static void sweep(hm_store *s) {
  hm_err err = { 0 };
  hm_sweep w = { 0 };
  hm_arena *a = hm_arena_new();
  hm_sweep_options o = {
    .rules = hm_rules_default(), .threads = 1, .details = true, .record = true, .who = WHO
  };
  if (hm_sweep_run_all(s, &o, a, &w, &err)) abort();
  hm_sweep_free(&w);
  hm_arena_free(a);
}

static void come_back(hm_store *s) {
  hm_err err = { 0 };
  hm_import_counts c = { 0 };
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  if (hm_export(s, out, &err)) abort();
  fclose(out);
  if (bring_in(s, text, n, false, &c, &err) || c.added || c.updated) abort();
  free(text);
}

static bool is_swept(const uint8_t *data, size_t size) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  return hm_str_hash((hm_str){ (const char *)data, size }) % 16 == 0;
#else
  return (void)data, (void)size, true;
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz_store all;
  hm_err err = { 0 };
  hm_import_counts c = { 0 };
  if (!all.s) open_store(&all);
  hm_store *s = all.s;
  bool whole = bring_in(s, data, size, false, &c, &err) == 0;
  bool stored = whole && c.added;
  if (!whole && strcmp(err.what, "f") && strncmp(err.what, "f:", 2)) abort();
  c = (hm_import_counts){ 0 };
  if (!whole) bring_in(s, data, size, true, &c, &err);
  stored = stored || c.added || c.updated;
  if (!stored) return 0;
  if (is_swept(data, size)) {
    sweep(s);
    come_back(s);
  }
  empty(&all);
  return 0;
}
