/* Reads a repository: commits, their files, and the differences of two commits
 * (library: libgit2). Writes, locks and fetches nothing.
 *
 * Order of calls: open; anything else in any order; close. One thread at a time
 * may use a reader. Results live in the arena of the call. Objects over their
 * limit (HM_GIT_MAX_BLOB; commits and trees of 64 MB, trees 128 deep) and damaged
 * ones are errors (HM_E_OUTPUT with libgit2's message). */
#ifndef HM_GIT_READ_H
#define HM_GIT_READ_H
#include "core/base/err.h"
#include "core/base/str.h"

#define HM_GIT_MAX_BLOB ((size_t)256 << 20)

typedef struct hm_git_reader hm_git_reader;

/* Opens the bare or ordinary repository at path (folders above are not searched).
 * HM_E_OUTPUT: there is none, or it belongs to another user and is not in git's
 * safe.directory. *out is NULL on error. */
int hm_git_reader_open(const char *path, hm_git_reader **out, hm_err *err);
void hm_git_reader_close(hm_git_reader *g); /* NULL is allowed */

/* Finds the commit of rev: a branch, a tag, an id or its beginning, or any other
 * git notation ("mirror~2", "mirror@{1}"). HM_E_UNKNOWN when it names nothing,
 * several objects, or no commit. */
int hm_git_resolve(hm_git_reader *g, const char *rev, char commit[41], hm_err *err);
/* Replaces the commit by the one in which HEAD parted from it, where git finds that: not without a
 * HEAD, nor where a shallow clone ends before it. */
void hm_git_take_merge_base(hm_git_reader *g, char commit[41]);
/* The commit of the branch with this name ("mirror"; no other notation). HM_E_UNKNOWN when there is
 * none. */
int hm_git_branch_tip(hm_git_reader *g, const char *branch, char commit[41], hm_err *err);

typedef struct {
  char id[41];
  char parent[41]; /* the first one; "" for a root, and where a shallow clone ends */
  size_t parents;
  int64_t when;   /* author's time, seconds since 1970 */
  hm_str author;  /* name; raw bytes */
  hm_str message; /* raw bytes */
  bool ours;      /* has the trailer Mirror-Tool */
} hm_git_commit;

/* Reads a commit by its full id. */
int hm_git_commit_read(hm_git_reader *g, const char *commit, hm_arena *a, hm_git_commit *out,
                       hm_err *err);
/* Reads a commit's signature and the signed bytes, into a; both empty when it is not signed. */
int hm_git_signed_bytes(hm_git_reader *g, const char *commit, hm_arena *a, hm_str *signature,
                        hm_str *bytes, hm_err *err);
/* Walks from commit along first parents, newest first. each returns 0 to go on, above 0 to end the
 * walk (which then returns 0), below 0 to fail it, with err filled. *c lives until each returns. */
int hm_git_walk(hm_git_reader *g, const char *commit,
                int (*each)(void *ctx, const hm_git_commit *c, hm_err *err), void *ctx,
                hm_err *err);

typedef struct {
  hm_str path;
  char id[41];
  unsigned mode; /* 0100644; 0100755, 0120000 (a symbolic link), 0160000 (a submodule) are never
                    hmirror's */
} hm_git_file;

/* Every file of the commit, sorted by path bytewise. */
int hm_git_commit_files(hm_git_reader *g, const char *commit, hm_arena *a, hm_git_file **files,
                        size_t *n, hm_err *err);
/* Names of the entries of a folder of the commit, in git's order; none when there is no such
 * folder. */
int hm_git_folder_names(hm_git_reader *g, const char *commit, const char *folder, hm_arena *a,
                        hm_str **names, size_t *n, hm_err *err);
/* Reads the file at path in that commit. *found is false when there is none (also for a folder). */
int hm_git_read_blob(hm_git_reader *g, const char *commit, hm_str path, hm_arena *a, hm_str *bytes,
                     bool *found, hm_err *err);
/* Reads a whole list of that commit (gen/site/manifest.h), also from an index of parts. Empty when
 * it would have more than HM_GIT_MAX_BLOB bytes. */
int hm_git_read_list(hm_git_reader *g, const char *commit, hm_str path, hm_arena *a, hm_str *json,
                     bool *found, hm_err *err);
/* Reads the blob with this id (hm_git_file.id, hm_git_change). */
int hm_git_read_blob_id(hm_git_reader *g, const char *id, hm_arena *a, hm_str *bytes, hm_err *err);

typedef struct {
  hm_str path;
  char before[41], after[41]; /* blobs; "" where the file is not there */
} hm_git_change;

/* Lists the files that differ between two commits, sorted by path bytewise; a commit "" is empty. A
 * changed mode is a difference, too. Skips equal subtrees: the cost is that of the folders that
 * differ. */
int hm_git_changed_files(hm_git_reader *g, const char *from, const char *to, hm_arena *a,
                         hm_git_change **out, size_t *n, hm_err *err);

/* --- which commits of a branch hold some bytes (git_search.c) --------------------- */

typedef struct {
  hm_git_commit commit; /* texts in the arena */
  bool in_message;      /* its message holds it */
} hm_git_hit;

typedef struct {
  size_t commits; /* the number of commits searched */
  hm_git_hit *hits;
  size_t n; /* the commits that hold it, newest first in the order of git
               log */
  hm_str *paths;
  size_t n_paths; /* where, in any of them, sorted */
  size_t blobs;   /* distinct files that hold it */
} hm_git_hits;

/* Searches every commit that tip can reach, over all parents; reads each distinct file once. holds:
 * whether bytes match; it is also called with paths and messages. */
int hm_git_search(hm_git_reader *g, const char *tip, bool (*holds)(void *ctx, hm_str bytes),
                  void *ctx, hm_arena *a, hm_git_hits *out, hm_err *err);
#endif
