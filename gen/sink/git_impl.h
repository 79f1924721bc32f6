/* The parts of the git sink. Not for others. */
#ifndef HM_GIT_IMPL_H
#define HM_GIT_IMPL_H
#include <pthread.h>
#include "core/base/str.h"
#include "gen/sink/fs.h"
#include "gen/sink/git.h"
#include "gen/sink/git_common.h"

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
  bool known;             /* tip_tree is opt->known_tree */
  size_t edited;
  hm_lock lock;
  hm_remote_state remote_state;
  bool remote_exists;     /* remote_tip holds something: the remote's branch, as open found it */
  git_oid remote_tip;
  pthread_mutex_t lock_put;       /* of the rest, while files are put; git_pack.c */
  struct hm_git_deflater *idle; size_t n_deflaters;   /* those that no thread uses; all of them */
  int deflate_errno;              /* why one of them could not write; 0: all could */
  struct hm_git_put *put; size_t n_put, cap_put;      /* what hm_git_put_file was given */
};

/* HM_E_OUTPUT with libgit2's own words. Returns -1. */
int hm_git_fail(const hm_git *g, const char *verb, hm_err *err);
/* Before the repository is written: refuses a symbolic link in the place of anything in it that we
 * or libgit2 write through. dir: its open folder; shown: the folder's path, with '/' at its end. */
int hm_git_check_links(int dir, const char *shown, const char *ref, hm_err *err);
/* git_open.c: a step of hm_git_open; one that is not there is created. */
int hm_git_open_repository(hm_git *g, hm_err *err);
/* A repository whose lock we hold, in which killed processes may have left files. */
typedef struct {
  hm_arena *a;
  const char *shown;     /* how messages call it */
  const char *common;    /* the folder of refs and objects, ending in '/' */
  int dir;               /* the same, open */
  bool died;             /* the last holder of its lock never let go */
} hm_git_folder;
/* Waits for the process that holds git's lock on the ref; removes the lock if that process is dead.
 * HM_E_BUSY, HM_E_OUTPUT. */
int hm_git_clear_ref_lock(const hm_git_folder *p, const char *ref, hm_err *err);
/* HM_E_BUSY that says which file it is, and since when. */
int hm_git_fail_locked(const hm_git_folder *p, const char *ref, hm_err *err);
/* Files that were not finished: ours, and those of an hour ago that libgit2 began. */
void hm_git_remove_unfinished(const hm_git_folder *p);

/* git_tip_read.c: steps of hm_git_open, and what publish.keep names. */
int hm_git_read_tip(hm_git *g, hm_arena *a, hm_git_tip *tip, hm_err *err);
int hm_git_read_keep(hm_git *g, hm_err *err);
bool hm_git_is_kept(const hm_git *g, hm_str path);      /* it or a folder above it */
bool hm_git_keeps_below(const hm_git *g, hm_str dir);   /* something inside it */

/* git_remote.c: a step of hm_git_open. Nothing without a remote. */
int hm_git_remote_sync(hm_git *g, hm_err *err);

/* git_timeout.c: how long the remote may say nothing. */
typedef struct hm_git_timeout hm_git_timeout;
/* Closes the sockets of this process that were opened since begin when nothing moved on them for
 * ms: calls that wait for the other side then fail. So between begin and end, both called by the
 * thread that talks, no other thread may open one. Until end a write to a socket that is closed,
 * by it or by the other side, is an error to that thread and no SIGPIPE. */
hm_git_timeout *hm_git_timeout_begin(int ms);
/* Something came or went. */
void hm_git_timeout_reset(hm_git_timeout *w);
/* It had to close them; NULL: false. */
bool hm_git_timeout_passed(const hm_git_timeout *w);
void hm_git_timeout_end(hm_git_timeout *w);   /* NULL is allowed */

/* git_connection.c: one connection to the remote. */
typedef struct {
  const hm_remote_options *opt;
  const char *url;               /* its address */
  const char *shown;             /* the same for messages */
  hm_arena *a;
  hm_git *g;
  git_repository *shallow;        /* of a shallow clone; else NULL */
  const char *path;              /* of a repository on this machine; else NULL */
  int dir;                       /* its open folder, or -1 */
  hm_lock lock;                  /* its lock */
  git_remote *remote;
  git_remote_callbacks calls;
  int tried;                     /* ways to say who we are that were refused */
  hm_str host;                   /* that the user named */
  hm_buf said;                   /* of the server, not yet a whole line */
  hm_str refused;                /* why the server does not take the branch; empty: it does */
  hm_git_timeout *watch;
} hm_git_connection;
/* The ref under which objects arrive in a repository on this machine; only under its lock. */
#define HM_GIT_INCOMING "refs/hmirror/incoming"
int hm_git_connection_open(hm_git_connection *l, hm_git *g, git_direction direction, hm_err *err);
/* After open, whatever it answered; again: nothing. Its texts stay. */
void hm_git_connection_close(hm_git_connection *l);
/* Sets HM_E_OUTPUT with the attempted action, libgit2's message, and what may help. Returns -1. */
int hm_git_connection_fail(hm_git_connection *l, const char *verb, hm_err *err);

/* git_shallow.c: for a shallow clone, a repository beside it with the same objects, in which the
 * commits whose parents are not here have none, and with our branch only. What is fetched into it
 * is fetched into ours. */
int hm_git_shallow_open(hm_git *g, git_repository **out, hm_err *err);
void hm_git_shallow_close(hm_git *g, git_repository *shallow);   /* NULL is allowed */

/* git_credentials.c: git_credential_acquire_cb; payload: the hm_git_connection. */
int hm_git_credentials(git_credential **out, const char *url, const char *user, unsigned allowed,
                       void *payload);

/* Where an object stands as it will in a pack: n bytes from `at` on of what one deflater made, and
 * their CRC-32; n is 0 until it was deflated. */
typedef struct { struct hm_git_deflater *of; uint64_t at; uint32_t n, crc; } hm_git_packed;
/* A new object. */
typedef struct hm_git_object {
  git_oid id;
  git_object_t type;
  hm_str bytes;
  hm_git_packed packed;
} hm_git_object;
typedef struct {
  hm_git_object *o; size_t n, cap;
  hm_map seen;
} hm_git_objects;
/* A file that hm_git_put_file was given. One that the repository has is not packed. */
typedef struct hm_git_put { hm_str path; git_oid id; hm_git_packed packed; } hm_git_put;
/* git_pack.c. Objects of one publication; ids are deduplicated. expect: how many will come. The map
 * lives in a; free with hm_git_objects_free. */
void hm_git_objects_init(hm_git_objects *l, size_t expect, hm_arena *a);
void hm_git_objects_add(hm_git_objects *l, hm_arena *a, hm_git_object o);
void hm_git_objects_free(hm_git_objects *l);
/* g->put by path, when all files were put. */
void hm_git_puts_sort(hm_git *g);
/* With all that was deflated. */
void hm_git_deflaters_free(hm_git *g);
/* git_tree.c: the root tree of the site, with what is kept; adds what the tip does not have to l.
 */
int hm_git_tree_build(hm_git *g, const hm_site *s, hm_git_objects *l, git_oid *root, hm_err *err);
/* The objects as one pack of ours, on the disk. name: "pack-<sum>". */
enum { HM_PACK_NAME = 48 };
int hm_git_write_pack(hm_git *g, hm_git_objects *l, char *name, hm_err *err);
/* The folder objects/pack, made if need be; -1 and errno. */
int hm_git_open_pack_folder(hm_git *g);
/* Index of a pack, version 2. entries: by id. */
typedef struct { git_oid id; uint32_t crc; uint64_t offset; } hm_idx_entry;
void hm_git_write_pack_index(const hm_idx_entry *e, size_t n, const unsigned char pack_sum[20],
                             hm_buf *out);
/* Beside objects and refs: a line for each pack of ours, from before it has its name. */
#define HM_GIT_PACK_LIST "hmirror.packs"
/* git_repack.c: makes one pack of many small ones. */
void hm_git_repack(hm_git *g);

#endif
