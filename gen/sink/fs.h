/* File operations and locks for both sinks. No path below an open folder is followed through a
 * symbolic link. A lock is a file, held by flock by one process at a time. */
#ifndef HM_FS_H
#define HM_FS_H
#include <sys/stat.h>
#include "core/base/err.h"
#include "core/base/str.h"

#define HM_FS_DEPTH 128 /* deeper trees are refused, not descended into */

/* Sets HM_E_OUTPUT from errno: "path: cannot VERB: reason: what to do". Returns -1. */
int hm_fs_fail(hm_err *err, const char *path, const char *verb);
/* openat for the path `path` below root, or -1 and errno. No component may be a symlink. */
int hm_fs_open_at(int root, const char *path, int flags, mode_t mode);
/* Descriptor of the folder `path` below root ("": root itself), or -1 and errno. No component may
 * be a symlink. */
int hm_fs_open_folder_at(int root, hm_str path);
/* Writes all of the bytes, or returns -1 and errno. */
int hm_fs_write(int fd, hm_str bytes);
/* Opens a regular file of at most max bytes, *n of them, for reading; flags: O_NOFOLLOW or 0.
 * Returns -1 and errno: EFBIG when it is longer, EINVAL when it is not a regular file. */
int hm_fs_open_regular(int dir, const char *name, int flags, size_t max, size_t *n);
/* Opens it with O_NOFOLLOW and reads all of it into a. */
int hm_fs_read_at(int dir, const char *name, size_t max, hm_arena *a, hm_str *out);
/* Makes the folder and missing ones above it, 0755 less the umask. Returns -1 and errno. */
int hm_fs_mkdirs(const char *path);
/* Removes a file or a tree. Goes on after a failure; returns -1 and errno when something is left, 0
 * when name is absent. */
int hm_fs_remove(int dir, const char *name);
/* Removes everything in an open folder, in the same way. */
int hm_fs_clear_folder(int dir);
/* fsync of the folder itself. */
int hm_fs_sync_dir(int dir, const char *path);
/* "a/b/c" -> "a/b"; "c" -> "". */
hm_str hm_fs_parent(hm_str path);

/* --- locks ----------------------------------------------------------------------- */

typedef struct {
  int dir, fd;
  char name[256];
  bool died; /* the last holder died without releasing it, perhaps leaving unfinished files */
} hm_lock;

#define HM_LOCK_WAIT_MS 10000

/* Takes the lock `name` in the open folder `dir` (borrowed until release); waits up to wait_ms for
 * a living holder. Errors: HM_E_BUSY with the holder's process id, HM_E_OUTPUT when the file cannot
 * be made. shown: its name in messages. */
int hm_lock_take(hm_lock *l, int dir, const char *name, const char *shown, int wait_ms,
                 hm_err *err);
/* Removes the file and releases the lock. A lock that was not taken ({ .fd = -1 }) is allowed. */
void hm_lock_release(hm_lock *l);
/* Opens and locks the file or folder `name`, which its holder will rename or remove: opens it as
 * openat does, and waits up to wait_ms for the lock. Closing the descriptor releases the lock;
 * until then, or until the holder renames or removes `name`, no other caller gets it. Returns -1
 * and errno, EWOULDBLOCK when another process still holds it. */
int hm_open_locked(int dir, const char *name, int flags, mode_t mode, int wait_ms);
/* Sleeps for ms; for loops that wait for another process. */
void hm_sleep_ms(int ms);
#endif
