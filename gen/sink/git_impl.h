/* The parts of the git sink. Not for others. */
#ifndef HM_GIT_IMPL_H
#define HM_GIT_IMPL_H
#include <git2.h>
#include "core/base/map.h"
#include "gen/sink/fs.h"
#include "gen/sink/git.h"
#include "gen/sink/lock.h"

struct hm_git {
  const hm_git_options *opt;
  hm_arena *a;
  git_repository *repo;
  git_odb *odb;
  const char *common;     /* the folder of refs and objects, ending in '/' */
  int dir;                /* the same, open */
  const char *ref;        /* "refs/heads/mirror" */
  hm_str *keep; size_t n_keep;   /* without "./" and the '/' at the end */
  bool exists;            /* tip, tip_tree hold something */
  git_oid tip, tip_tree;
  size_t edited;
  hm_lock lock;
};

/* HM_E_OUTPUT with libgit2's own words. Returns -1. */
int hm_git_fail(const hm_git *g, const char *verb, hm_err *err);
int hm_git_fail_at(const char *repo, const char *verb, hm_err *err);
/* Whether a repository that was not opened (rc) is another user's, and the error for that. */
bool hm_git_is_foreign(const char *path, int rc);
int hm_git_foreign(const char *path, hm_err *err);
/* One of our commits: it has the trailer Mirror-Tool (git_tip.c). */
bool hm_git_is_ours(const git_commit *c);

/* git_open.c, git_branch.c, git_tip.c: the steps of hm_git_open */
int hm_git_open_repository(hm_git *g, hm_err *err);
int hm_git_check_name(hm_git *g, hm_err *err);     /* and sets ref */
int hm_git_check_branch(hm_git *g, hm_err *err);   /* not checked out anywhere */
int hm_git_clear_stale(hm_git *g, hm_err *err);
int hm_git_read_tip(hm_git *g, hm_arena *a, hm_git_tip *tip, hm_err *err);

/* git_keep.c */
int hm_git_keep_init(hm_git *g, hm_err *err);
bool hm_git_is_kept(const hm_git *g, hm_str path);      /* it or a folder above it */
bool hm_git_keeps_below(const hm_git *g, hm_str dir);   /* something inside it */

/* A new object. */
typedef struct { git_oid id; git_object_t type; hm_str bytes; } hm_git_object;
typedef struct { hm_git_object *o; size_t n, cap; hm_map seen; } hm_git_objects;
/* Objects of one publication; ids are deduplicated. Lives in a. */
void hm_git_objects_init(hm_git_objects *l, hm_arena *a);
void hm_git_objects_add(hm_git_objects *l, hm_arena *a, const git_oid *id, git_object_t type, hm_str bytes);

/* git_tree.c: the root tree of the site, with what is kept; adds what the tip does not have to l. */
int hm_git_tree_build(hm_git *g, const hm_site *s, hm_git_objects *l, git_oid *root, hm_err *err);
/* git_commit.c: adds the commit to l. */
int hm_git_commit_build(hm_git *g, const git_oid *tree, hm_str message, hm_git_objects *l, git_oid *id, hm_err *err);
/* git_pack.c, git_idx.c, git_loose.c: to the disk. */
int hm_git_write_pack(hm_git *g, const hm_git_objects *l, hm_err *err);
int hm_git_write_loose(hm_git *g, const hm_git_objects *l, hm_err *err);
/* git_ref.c: the one compare-and-swap. */
int hm_git_move_ref(hm_git *g, const git_oid *to, hm_err *err);

/* Index of a pack, version 2. entries: by id. */
typedef struct { git_oid id; uint32_t crc; uint64_t offset; } hm_idx_entry;
void hm_git_idx_bytes(const hm_idx_entry *e, size_t n, const unsigned char pack_sum[20], hm_buf *out);
#endif
