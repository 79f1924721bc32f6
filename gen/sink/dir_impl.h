/* The parts of the directory sink. Not for others. */
#ifndef HM_DIR_IMPL_H
#define HM_DIR_IMPL_H
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include "core/base/map.h"
#include "gen/sink/dir.h"
#include "gen/sink/fs.h"
#include "gen/sink/lock.h"

/* --- where it goes (dir_target.c) --------------------------------------- */
typedef struct {
  char real[PATH_MAX];       /* the folder, symlinks resolved; need not exist */
  const char *base;          /* its last component, within real */
  char temp[NAME_MAX + 1];   /* "<base>.hmirror-<pid>" */
  int parent;                /* open folder that holds base and temp */
  int old;                   /* open folder real, or -1 when it does not exist */
  hm_lock lock;
} hm_dir_target;

/* Resolves, makes missing parents, locks, removes what killed runs left, opens. Close it in any
 * case. */
int hm_dir_target_open(hm_dir_target *t, const char *path, hm_arena *a, hm_err *err);
void hm_dir_target_close(hm_dir_target *t);

/* --- what is there (dir_scan.c, dir_manifest.c) -------------------------- */
typedef struct {
  hm_str path;
  struct stat st;
  bool ours;                 /* named by the manifest (folders: holds something that is named) */
  bool same;                 /* a file that was put, or is held, has just these bytes */
  bool noted;                /* stat says what the note says of it */
} hm_dir_entry;

typedef struct { hm_dir_entry *e; size_t n; } hm_dir_scan;

/* Everything below `root`, sorted by path bytewise, symlinks not followed. `shown` is for messages.
 */
int hm_dir_scan_tree(int root, const char *shown, hm_arena *a, hm_dir_scan *out, hm_err *err);

typedef struct {
  bool present;
  hm_map files;
  hm_map dirs;
  hm_map manifests;
} hm_dir_manifest; /* manifests: of folders, by path */

/* Reads root/manifest.json and those of folders that it names. present=false when there is none or
 * it is not one that hmirror wrote. Its own name is among files. */
void hm_dir_manifest_read(int root, hm_arena *a, hm_dir_manifest *m);
/* Sets `ours` on every entry. */
void hm_dir_mark_ours(hm_dir_scan *s, const hm_dir_manifest *m);

/* dir_note.c. Sets `noted` on every entry. */
void hm_dir_note_compare(hm_dir_scan *s, hm_str note);

/* --- the new tree (dir_tree.c, dir_pump.c) -------------------------------- */

/* Sends what is written to the disk while more of it is written, so that little is left to wait for
 * at the end. */
typedef struct {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t more;
  atomic_size_t bytes;       /* written since the thread last looked */
  int fd, eno;               /* eno: of the first failure */
  bool running, stop;
} hm_dir_pump;

void hm_dir_pump_start(hm_dir_pump *p, int fd);
void hm_dir_pump_add(hm_dir_pump *p, size_t bytes);
/* Waits for the thread. 0, or -1 and errno. One that was not started is allowed. */
int hm_dir_pump_stop(hm_dir_pump *p);

typedef struct {
  const hm_dir_target *target;
  bool durable;
  pthread_mutex_t lock;      /* over the making of it */
  atomic_int fd;             /* the folder; -1: nothing has been written yet */
  bool plain;                /* new files and folders have the modes that they are asked for */
  hm_dir_pump pump;
} hm_dir_tree;

/* The tree's folder, made when it is first asked for; from any thread. -1 with err. */
int hm_dir_tree_fd(hm_dir_tree *t, hm_err *err);
/* Writes a new file, 0644, and makes the folders above it. -1 and errno; then there is no such
 * file. */
int hm_dir_tree_write(hm_dir_tree *t, hm_str path, hm_str bytes, bool sync);
/* fsync of a file in it. -1 and errno. */
int hm_dir_tree_sync(const hm_dir_tree *t, hm_str path);
/* As hm_fs_fail, of a file in the folder that messages call `shown`. */
int hm_dir_fail_at(const char *shown, hm_str path, const char *verb, hm_err *err);
/* Makes a folder, 0755, that is perhaps there; its parents are. -1 and errno. */
int hm_dir_tree_mkdir(const hm_dir_tree *t, const char *path);

/* --- the whole (dir.c) ----------------------------------------------------- */
struct hm_dir {
  const char *path;
  hm_dir_options opt;
  hm_arena *a;
  hm_dir_target target;
  hm_dir_scan old;
  hm_map old_at;             /* path -> old */
  hm_dir_tree tree;
  bool swapped;
  pthread_mutex_t lock;      /* over err */
  atomic_bool failed;
  hm_err err;                /* of the first file that could not be put */
};

/* --- what to do (dir_plan.c) --------------------------------------------- */
typedef enum {
  HM_DIR_WRITE, HM_DIR_LINK, HM_DIR_CARRY,
  HM_DIR_THERE               /* written when it was put */
} hm_dir_action;

typedef struct {
  hm_str path, dir;          /* dir: path of its folder */
  hm_dir_action action;
  const hm_file *file;       /* ours: what it must hold; else NULL */
  const hm_dir_entry *old;   /* what stands there now, or NULL */
} hm_dir_job;

typedef struct { size_t from, to; int eno; const char *verb; hm_str path; } hm_dir_batch;

typedef struct {
  hm_dir_job *jobs; size_t n;              /* by folder, then name */
  hm_dir_batch *batches; size_t n_batches; /* the jobs of one folder each */
  hm_str *dirs; size_t n_dirs;             /* parents first; without the root */
  const hm_dir_entry **foreign_dirs; size_t n_foreign_dirs;
  hm_dir_counts counts;
  bool changes;
} hm_dir_plan;

/* Checks for files of others in our way, lists jobs. Jobs of files that may be unchanged begin as
 * LINK; full: none does. */
int hm_dir_plan_make(const hm_dir *d, const hm_site *s, hm_dir_plan *p, hm_err *err);
/* The entry could hold the file's bytes, as far as can be seen without reading it. */
bool hm_dir_may_be_same(const hm_dir_entry *e, const hm_file *f);

/* --- doing it (dir_compare.c, dir_fill.c, dir_swap.c) --------------------- */

/* The file below root holds just these bytes. */
bool hm_dir_same_bytes(int root, const char *path, hm_str want);
/* Compares the LINK jobs with the bytes on disk; those that differ become WRITE. Then sets counts
 * and changes. */
void hm_dir_compare(hm_dir_plan *p, int old, int threads);
/* Makes what is missing of the plan in the new tree; manifest.json last. */
int hm_dir_fill(hm_dir_plan *p, int old, hm_dir_tree *tree, const char *shown, bool durable,
                int threads, hm_err *err);
/* Puts the temporary tree in the place of the old one, which then has the temporary name. */
int hm_dir_swap(const hm_dir_target *t, hm_err *err);
/* The same for file systems that cannot exchange: by two renames, the first undone when the second
 * fails. */
int hm_dir_swap_in_two(int parent, const char *temp, const char *base);
/* Removes a tree that was swapped out, or one that a killed run left. What the manifest in it does
 * not name and `now` does not have is somebody's, who wrote it while we were at work: it is moved
 * to `now`. known: the scan that the swap was planned from, or NULL. now: -1 when there is no
 * folder to save to. */
void hm_dir_retire(int parent, const char *name, const hm_dir_scan *known, int now, int threads,
                   hm_arena *a);
#endif
