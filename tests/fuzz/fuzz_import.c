/* Any bytes as an import file: stored or refused with a line number; whatever is stored can be swept and exported, and the
 * export is read again without a change. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/detect/sweep.h"
#include "core/store/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[] = "/tmp/hm-fuzz-XXXXXX";

static hm_store *fresh(void) {
  hm_store *s = NULL;
  hm_err err = {0};
  unlink(path);
  if (hm_store_open(&s, path, HM_STORE_CREATE, 1000, &err)) abort();
  return s;
}

static int bring_in(hm_store *s, const void *p, size_t n, bool keep_going, hm_import_counts *c, hm_err *err) {
  hm_import_options o = { .name = "f", .keep_going = keep_going, .who = { .by = HM_STR("fuzz"), .at = HM_STR("2026-01-01T00:00:00Z") } };
  FILE *in = n ? fmemopen((void *)p, n, "rb") : fopen("/dev/null", "rb");
  int rc = hm_import(s, in, &o, c, err);
  fclose(in);
  return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_err err = {0};
  hm_import_counts c = {0};
  hm_sweep w = {0};
  char *text = NULL;
  size_t n = 0;
  if (!strcmp(path + strlen(path) - 6, "XXXXXX")) close(mkstemp(path));
  hm_store *s = fresh();
  if (bring_in(s, data, size, false, &c, &err) && strncmp(err.what, "f:", 2)) abort();
  memset(&err, 0, sizeof err);
  bring_in(s, data, size, true, &c, &err);
  hm_arena *a = hm_arena_new();
  hm_sweep_options o = { .rules = hm_rules_default(), .threads = 1, .details = true, .record = true, .who = { .by = HM_STR("fuzz"), .at = HM_STR("2026-01-01T00:00:00Z") } };
  if (hm_sweep_run_all(s, &o, a, &w, &err)) abort();
  FILE *out = open_memstream(&text, &n);
  if (hm_export(s, out, &err)) abort();
  fclose(out);
  if (bring_in(s, text, n, false, &c, &err)) abort();
  if (c.added || c.updated) abort();
  hm_sweep_free(&w);
  hm_arena_free(a);
  hm_store_close(s);
  unlink(path);
  free(text);
  return 0;
}
