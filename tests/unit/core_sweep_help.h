/* A store in a folder of its own, to be swept. */
#ifndef CORE_SWEEP_HELP_H
#define CORE_SWEEP_HELP_H
#include "tests/unit/core_detect_help.h"

#include <unistd.h>

#include "core/store/import.h"
#include "core/sweep/sweep.h"

typedef struct { char dir[64], path[96]; hm_store *s; hm_arena *a; unsigned imports; } world;

static inline void fail_with(const hm_err *err) {
  char line[2048];
  hm_err_format_line(err, line, sizeof line);
  fail_msg("%s", line);
}

static inline int begin(void **state) {
  world *w = calloc(1, sizeof *w);
  hm_err err;
  strcpy(w->dir, "/tmp/hm-sweep-XXXXXX");
  if (!mkdtemp(w->dir)) return -1;
  snprintf(w->path, sizeof w->path, "%s/s.db", w->dir);
  w->a = hm_arena_new();
  if (hm_store_open(&w->s, w->path, HM_STORE_CREATE, 1000, &err)) fail_with(&err);
  *state = w;
  return 0;
}

static inline int end(void **state) {
  world *w = *state;
  const char *const suffixes[] = { "", "-wal", "-shm", "-journal" };
  hm_store_close(w->s);
  hm_arena_free(w->a);
  for (size_t i = 0; i < 4; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s%s", w->path, suffixes[i]);
    unlink(path);
  }
  rmdir(w->dir);
  free(w);
  return 0;
}

static inline void import(world *w, const char *lines) {
  char at[40];
  snprintf(at, sizeof at, "2026-05-01T00:00:00.%06uZ",
           ++w->imports); /* each commit has its own time */
  hm_import_options opt = { .name = "test", .who = { HM_STR("test"), hm_str_c(at) } };
  hm_import_counts counts;
  hm_err err;
  FILE *in = fmemopen((void *)lines, strlen(lines), "r");
  if (hm_import(w->s, in, &opt, &counts, &err)) fail_with(&err);
  fclose(in);
}

static inline hm_sweep sweep(world *w, bool record, int threads, const char *at) {
  hm_sweep_options opt = { .rules = hm_rules_default(),
                           .threads = threads,
                           .details = true,
                           .digest = true,
                           .record = record,
                           .who = { HM_STR("test"), hm_str_c(at) } };
  hm_sweep out;
  hm_err err;
  if (hm_sweep_run_all(w->s, &opt, w->a, &out, &err)) fail_with(&err);
  return out;
}

static inline hm_snapshot *snapshot(world *w) {
  hm_snapshot *s;
  hm_err err;
  if (hm_store_snapshot(w->s, w->a, true, &s, &err)) fail_with(&err);
  s->digest = hm_snapshot_digest(s, w->a);
  return s;
}

static inline void same_conflicts(const hm_snapshot *x, const hm_snapshot *y) {
  assert_int_equal(x->n_conflicts, y->n_conflicts);
  for (size_t i = 0; i < x->n_conflicts; i++) {
    const hm_conflict_rec *c = &x->conflicts[i], *d = &y->conflicts[i];
    assert_true(hm_str_eq(c->id, d->id));
    assert_true(hm_str_eq(c->slot_kind, d->slot_kind));
    assert_int_equal(c->status, d->status);
    assert_int_equal(c->n_members, d->n_members);
    for (size_t k = 0; k < c->n_members; k++) {
      assert_true(hm_str_eq(c->members[k].id, d->members[k].id));
      assert_true(hm_str_eq(c->members[k].value, d->members[k].value));
      assert_true(hm_str_eq(c->members[k].conflicts_with, d->members[k].conflicts_with));
      assert_int_equal(c->members[k].flagged, d->members[k].flagged);
    }
  }
  assert_true(hm_str_eq(x->digest, y->digest));
}
#endif
