/* What both sinks do with files. Paths below an open folder never lead through
 * a symbolic link. */
#ifndef HM_FS_H
#define HM_FS_H
#include <sys/stat.h>
#include "core/base/err.h"
#include "core/base/str.h"

#define HM_FS_DEPTH 128   /* deeper trees are refused, not descended into */

/* HM_E_OUTPUT from errno: "path: cannot VERB: reason: what to do". Returns -1. */
int hm_fs_fail(hm_err *err, const char *path, const char *verb);
/* openat for the path `path` below root, or -1 and errno. No component may be a symlink. */
int hm_fs_open_at(int root, const char *path, int flags, mode_t mode);
/* Descriptor of the folder `path` below root ("": root itself), or -1 and errno. No component may
 * be a symlink. */
int hm_fs_dir_at(int root, hm_str path);
/* All of the bytes, or -1 and errno. */
int hm_fs_write(int fd, hm_str bytes);
/* The whole file into a; errno EFBIG when longer than max, EINVAL when it is not a regular file. */
int hm_fs_read_at(int dir, const char *name, size_t max, hm_arena *a, hm_str *out);
/* Makes the folder and what is missing above it, 0755 less the umask. -1 and errno. */
int hm_fs_mkdirs(const char *path);
/* Removes a file or a tree. Goes on after a failure; -1 and errno when something is left. Absent:
 * 0. */
int hm_fs_remove(int dir, const char *name);
/* Removes all that is in an open folder, in the same way. */
int hm_fs_empty(int dir);
/* fsync of the folder itself. */
int hm_fs_sync_dir(int dir, const char *path);
/* "a/b/c" -> "a/b"; "c" -> "". */
hm_str hm_fs_parent(hm_str path);
#endif
