/* Reads the user's files and folders, within limits, and writes files. */
#ifndef HM_FILES_H
#define HM_FILES_H
#include <stdio.h>
#include "core/base/err.h"
#include "core/base/str.h"

/* Reads a regular file into a. Errors (with `code`): absent, no regular file, over max bytes. */
int hm_file_read(hm_arena *a, const char *path, size_t max, hm_code code, hm_str *out, hm_err *err);
/* Writes bytes to a temporary file beside path, syncs and renames it; keeps the permissions of the
 * old file. Writes in place when path is no regular file (a terminal, a pipe). HM_E_OUTPUT. */
int hm_file_write(const char *path, hm_str bytes, hm_err *err);
/* The same as a stream: write to f->out, then end with ok. ok false: removes the temporary file. */
typedef struct {
  FILE *out;
  char *path, *tmp;
} hm_file_out;
int hm_file_begin(hm_file_out *f, const char *path, hm_err *err);
int hm_file_end(hm_file_out *f, bool ok, hm_err *err);

typedef struct {
  const char *what;
  size_t max_files, max_bytes;
} hm_folder_limits;
typedef struct {
  hm_str name, bytes;
  const char *path;
} hm_folder_file; /* name: below the folder, '/' between */
typedef struct {
  hm_folder_file *v;
  size_t n;
} hm_folder;

/* Reads all regular files below folder, by name. Follows symbolic links to regular files; a link to
 * a folder is an error. Skips names ending in '~' and, unless hidden, names beginning with '.'. An
 * absent folder is an error if must, else empty. Errors: HM_E_INPUT naming the file. */
int hm_folder_read(hm_arena *a, const char *folder, bool must, bool hidden,
                   const hm_folder_limits *lim, hm_folder *out, hm_err *err);
/* Where path leads, absolute and without links; its end, and what a link names, may be absent. In
 * a. NULL when that cannot be told: too many links, a folder that may not be read. */
const char *hm_path_resolve(hm_arena *a, const char *path);
/* True when path does not lead to a place in folder ("": the working one), or it cannot be told. A
 * link counts as what it leads to. */
bool hm_path_leads_out(hm_arena *a, const char *folder, const char *path);
/* dir/name, or name alone when it is absolute or dir is "" or ".". */
const char *hm_path_join(hm_arena *a, const char *dir, const char *name);
/* Makes the folders above path. */
int hm_make_parent_folders(hm_arena *a, const char *path, hm_err *err);
#endif
