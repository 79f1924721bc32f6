/* Shared by the files of the directory sink. Not for others. */
#ifndef HM_DIR_IMPL_H
#define HM_DIR_IMPL_H
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include "core/base/str.h"
#include "gen/sink/dir.h"
#include "gen/sink/fs.h"

/* --- the target (dir.c) ------------------------------------------ */
typedef struct {
  char real[PATH_MAX];     /* the folder, symlinks resolved; need not exist */
  const char *base;        /* its last component, within real */
  char temp[NAME_MAX + 1]; /* "<base>.hmirror-<pid>" */
  int parent;              /* open folder that holds base and temp */
  int old;                 /* open folder real, or -1 when it does not exist */
  hm_lock lock;
} hm_dir_target;

/* Swaps the trees `temp` and `base` on file systems without RENAME_EXCHANGE, by three renames;
 * undoes the first when the second fails. */
int hm_dir_swap_in_two(int parent, const char *temp, const char *base);

/* --- the scan of the folder (dir_scan.c) --------------------------------- */
typedef struct {
  hm_str path;
  struct stat st;
  bool ours;  /* named by the manifest (folders: hold something that is named) */
  bool same;  /* a file that was put has the same bytes */
  bool noted; /* its stat result equals the note's */
} hm_dir_entry;

typedef struct {
  hm_dir_entry *e;
  size_t n;
} hm_dir_scan;

/* For qsort and bsearch: compares two entries by path. */
int hm_dir_entry_compare(const void *x, const void *y);

/* Lists everything below `root`, sorted by path bytewise, without following symlinks. `shown`: the
 * folder's name in messages. */
int hm_dir_scan_tree(int root, const char *shown, hm_arena *a, hm_dir_scan *out, hm_err *err);

typedef struct {
  bool present;
  hm_map files, dirs; /* ours, by path */
  hm_map parts;       /* files of the manifest besides manifest.json */
} hm_dir_manifest;

/* Reads root/manifest.json and its parts. present=false when there is none or hmirror did not write
 * it. Adds the manifest's own files to files. */
void hm_dir_manifest_read(int root, hm_arena *a, hm_dir_manifest *m);
/* Sets `ours` on every entry. */
void hm_dir_mark_ours(hm_dir_scan *s, const hm_dir_manifest *m);
/* Sets `noted` on every entry. */
void hm_dir_note_compare(hm_dir_scan *all, hm_str note);

/* --- the whole (dir.c) ----------------------------------------------------- */

/* Syncs written files to disk while others are written, so that the final sync is short
 * (dir_fill.c). */
typedef struct {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t more;
  atomic_size_t bytes; /* written since the thread last looked */
  int eno;             /* of the first failure */
  bool running, stop;
} hm_dir_sync;

struct hm_dir {
  const char *path;
  hm_dir_options opt;
  hm_arena *a;
  hm_dir_target target;
  hm_dir_scan old;
  hm_map old_at; /* path -> old */
  hm_sink_files present;
  atomic_int tree;               /* the new tree's folder; -1: nothing has been written yet */
  mode_t file_mode, folder_mode; /* of ours: what the umask leaves, and all rights of the owner */
  bool plain;                    /* new files and folders get these modes by themselves */
  bool swapped;
  hm_dir_sync sync;
  pthread_mutex_t lock; /* guards making the tree, and err */
  atomic_bool failed;
  hm_err err; /* of the first file that could not be put */
};

/* --- the plan (dir_scan.c) ----------------------------------------------- */
typedef enum {
  HM_DIR_WRITE,
  HM_DIR_LINK,
  HM_DIR_CARRY,
  HM_DIR_THERE /* written when it was put */
} hm_dir_action;

typedef struct {
  hm_str path, dir; /* dir: path of its folder */
  hm_dir_action action;
  const hm_file *file;     /* ours: what it must hold; else NULL */
  const hm_dir_entry *old; /* the entry on disk now, or NULL */
} hm_dir_job;

typedef struct {
  size_t from, to;
  int eno;
  const char *verb;
  hm_str path;
} hm_dir_batch;

typedef struct {
  hm_dir_job *jobs;
  size_t n; /* by folder, then name */
  hm_dir_batch *batches;
  size_t n_batches; /* the jobs of one folder each */
  hm_str *dirs;
  size_t n_dirs; /* parents first; without the root */
  const hm_dir_entry **foreign_dirs;
  size_t n_foreign_dirs;
  hm_dir_counts counts;
  bool changes;
} hm_dir_plan;

/* Checks for foreign files in the place of ours, lists jobs, and compares files that may be
 * unchanged with the bytes on disk. */
int hm_dir_plan_make(const hm_dir *d, const hm_site *s, hm_dir_plan *p, hm_err *err);
/* True if our file on disk has exactly these bytes. */
bool hm_dir_has_bytes(const hm_dir *d, const hm_dir_entry *e, const hm_file *f);

/* --- the new tree (dir_fill.c) -------------------------------------------- */

/* Writes a new file into the new tree; makes the tree and the folders above it when needed.
 * Callable from any thread. HM_E_OUTPUT, without leaving a file. */
int hm_dir_write(hm_dir *d, hm_str path, hm_str bytes, hm_err *err);
/* Makes in the new tree what the plan still lacks; manifest.json last. */
int hm_dir_fill(hm_dir *d, hm_dir_plan *p, hm_err *err);
/* Ends the thread and waits for it, if it runs. Returns 0, or -1 and errno. */
int hm_dir_sync_stop(hm_dir_sync *s);

/* --- the tree that was replaced (dir.c) ------------------------------------------------------- */

/* Removes a tree that was swapped out, or one that a killed run left. A file that its manifest does
 * not name and `now` does not have is foreign, written during this run: it is moved to `now`.
 * known: the scan that the swap was planned from, or NULL. now: -1 when there is no folder to move
 * files to. */
void hm_dir_remove_old(int parent, const char *name, const hm_dir_scan *known, int now, int threads,
                       hm_arena *a);
#endif
