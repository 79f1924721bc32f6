/* A repository, read only: commits, their files, what differs between two
 * (library: libgit2). Nothing is written, locked or fetched.
 *
 * Order of calls: open; anything else in any order; close. A reader belongs to
 * one thread at a time. All that is handed out lives in the arena of the call.
 * Objects over their bound (HM_GIT_MAX_BLOB; commits and trees of 64 MB, trees
 * 128 deep) and damaged ones are errors (HM_E_OUTPUT with libgit2's words). */
#ifndef HM_GIT_READ_H
#define HM_GIT_READ_H
#include "core/base/err.h"
#include "core/base/str.h"

#define HM_GIT_MAX_BLOB ((size_t)256 << 20)

typedef struct hm_git_reader hm_git_reader;

/* Opens the bare or ordinary repository at path itself (folders above are not
 * searched). HM_E_OUTPUT: there is nothing, or no repository, or one that belongs
 * to another user and is not among git's safe.directory. out: NULL on error. */
int hm_git_reader_open(const char *path, hm_git_reader **out, hm_err *err);
void hm_git_reader_close(hm_git_reader *g);   /* NULL is allowed */

/* rev: a branch, a tag, an id or the beginning of one, or any of git's own
 * notations for a commit ("mirror~2", "mirror@{1}"). HM_E_UNKNOWN when it names
 * nothing, several things, or what is no commit. */
int hm_git_resolve(hm_git_reader *g, const char *rev, char commit[41], hm_err *err);
/* The commit of the branch with this name ("mirror"; no other notation). HM_E_UNKNOWN when there is
 * none. */
int hm_git_branch_tip(hm_git_reader *g, const char *branch, char commit[41], hm_err *err);

typedef struct {
  char id[41];
  char parent[41];       /* the first one; "" for a root, and where a shallow clone ends */
  size_t parents;
  int64_t when;          /* author's time, seconds since 1970 */
  hm_str author;         /* name; raw bytes */
  hm_str message;        /* raw bytes */
  bool ours;             /* has the trailer Mirror-Tool */
} hm_git_commit;

/* One commit by its id as resolve gives it. */
int hm_git_commit_read(hm_git_reader *g, const char *commit, hm_arena *a, hm_git_commit *out,
                       hm_err *err);
/* The signature of a commit and the bytes that it is over, in a; both empty: it has none. */
int hm_git_signed_bytes(hm_git_reader *g, const char *commit, hm_arena *a, hm_str *signature,
                        hm_str *bytes, hm_err *err);
/* From commit along first parents, newest first. each: 0 goes on, above 0 ends the walk (which then
 * gives 0), below 0 fails it with err filled. *c lives until each returns. */
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
/* Names of what stands directly in a folder of the commit, in git's order; none when there is no
 * such folder. */
int hm_git_folder_names(hm_git_reader *g, const char *commit, const char *folder, hm_arena *a,
                        hm_str **names, size_t *n, hm_err *err);
/* Bytes of the file at path in that commit. found false: there is none (a folder is none). */
int hm_git_read_blob(hm_git_reader *g, const char *commit, hm_str path, hm_arena *a, hm_str *bytes,
                     bool *found, hm_err *err);
/* A list of that commit (gen/site/manifest.h), whole: also where it stands there as an index of
 * parts. Empty when it would have more than HM_GIT_MAX_BLOB bytes. */
int hm_git_read_list(hm_git_reader *g, const char *commit, hm_str path, hm_arena *a, hm_str *json,
                     bool *found, hm_err *err);
/* Bytes of the blob with this id, as files and changed give it. */
int hm_git_read_blob_id(hm_git_reader *g, const char *id, hm_arena *a, hm_str *bytes, hm_err *err);

typedef struct {
  hm_str path;
  char before[41], after[41];   /* blobs; "" where the file is not there */
} hm_git_change;

/* The files that differ between two commits, sorted by path bytewise; a commit "" is empty. A
 * mode alone is a difference, too. Equal subtrees are not descended into: the
 * cost is that of the folders that differ. */
int hm_git_changed_files(hm_git_reader *g, const char *from, const char *to, hm_arena *a,
                         hm_git_change **out, size_t *n, hm_err *err);

/* --- which commits of a branch hold some bytes (git_search.c) --------------------- */

typedef struct {
  hm_git_commit commit;          /* texts in the arena */
  bool in_message;               /* its message holds it */
} hm_git_hit;

typedef struct {
  size_t commits;                /* all that were looked at */
  hm_git_hit *hits; size_t n;    /* the commits that hold it, newest first in the order of git
                                    log */
  hm_str *paths; size_t n_paths; /* where, in any of them, sorted */
  size_t blobs;                  /* distinct files that hold it */
} hm_git_hits;

/* Every commit that can be reached from tip, over all parents; each distinct file is read once,
 * however many commits have it. holds: whether bytes hold it; it is also asked of paths and
 * messages. */
int hm_git_search(hm_git_reader *g, const char *tip, bool (*holds)(void *ctx, hm_str bytes),
                  void *ctx, hm_arena *a, hm_git_hits *out, hm_err *err);
#endif
