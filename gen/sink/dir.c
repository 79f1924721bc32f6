#include "gen/sink/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "gen/sink/dir_impl.h"

static int look(const hm_dir_target *t, const char *path, hm_arena *a, hm_dir_scan *scan, hm_err *err) {
  hm_dir_manifest m;
  *scan = (hm_dir_scan){ 0 };
  if (t->old < 0) return 0;
  if (hm_dir_scan_tree(t->old, path, a, scan, err) != 0) return -1;
  hm_dir_manifest_read(t->old, a, &m);
  if (!m.present && scan->n)
    return hm_fail(err, HM_E_OUTPUT, path, "the folder is not empty and has no manifest.json of hmirror",
                   "choose an empty folder, or empty this one");
  hm_dir_mark_ours(scan, &m);
  return 0;
}

static int open_temp(const hm_dir_target *t, hm_err *err) {
  if (mkdirat(t->parent, t->temp, 0755) != 0) return hm_fs_fail(err, t->real, "make a folder beside it");
  int fd = openat(t->parent, t->temp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return fd < 0 ? hm_fs_fail(err, t->real, "open the new folder") : fd;
}

static int replace(const hm_dir_target *t, hm_dir_plan *plan, const hm_dir_scan *scan, bool durable, int threads,
                   hm_arena *a, hm_err *err) {
  int rc = -1, temp = open_temp(t, err);
  if (temp < 0) return -1;
  if (hm_dir_fill(plan, t->old, temp, t->real, durable, threads, err) != 0 || hm_dir_swap(t, err) != 0) {
    hm_fs_remove(t->parent, t->temp);
    goto out;
  }
  rc = 0;
  if (durable && hm_fs_sync_dir(t->parent, ".") != 0) rc = hm_fs_fail(err, t->real, "bring the folder above to the disk");
  if (t->old >= 0) hm_dir_retire(t->parent, t->temp, scan, temp, threads, a);
out:
  close(temp);
  return rc;
}

static int check_paths(const hm_site *s, const char *path, hm_err *err) {
  for (size_t i = 0; i < s->n; i++)
    if (!hm_site_path_ok(s->files[i].path))
      return hm_failf(err, HM_E_INTERNAL, path, NULL, "\"%.*s\" cannot be the name of a file", HM_FMT(s->files[i].path));
  return 0;
}

int hm_sink_dir(const hm_site *s, const char *path, bool full, bool durable, int threads, hm_dir_counts *counts, hm_err *err) {
  int rc = -1;
  hm_arena *a = hm_arena_new();
  hm_dir_target t;
  hm_dir_scan scan;
  hm_dir_plan plan;
  *counts = (hm_dir_counts){ 0 };
  t = (hm_dir_target){ .parent = -1, .old = -1, .lock.fd = -1 };
  if (check_paths(s, path, err) != 0) goto out;
  if (hm_dir_target_open(&t, path, a, err) != 0) goto out;
  if (look(&t, path, a, &scan, err) != 0) goto out;
  if (hm_dir_plan_make(s, &scan, path, full, a, &plan, err) != 0) goto out;
  hm_dir_compare(&plan, t.old, threads);
  if ((plan.changes || t.old < 0) && replace(&t, &plan, &scan, durable, threads, a, err) != 0) goto out;
  *counts = plan.counts;
  rc = 0;
out:
  hm_dir_target_close(&t);
  hm_arena_free(a);
  return rc;
}
