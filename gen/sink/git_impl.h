/* Shared by the files of the git sink. Not for others. */
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
  const char *common; /* the folder of refs and objects, ending in '/' */
  int dir;            /* the same, open */
  const char *ref;    /* "refs/heads/mirror" */
  hm_str *keep;
  size_t n_keep; /* without "./" and the '/' at the end */
  bool exists;   /* tip and tip_tree are set */
  git_oid tip, tip_tree;
  bool known; /* tip_tree is opt->known_tree */
  size_t edited;
  hm_lock lock;
  hm_remote_state remote_state;
  bool remote_exists; /* remote_tip is set: the remote's branch, as open found it */
  git_oid remote_tip;
  pthread_mutex_t lock_put; /* guards the fields below while files are put; git_pack.c */
  int waiting;              /* the unnamed file of deflated objects; -1: there is none yet */
  uint64_t waiting_bytes;
  struct hm_git_put *put;
  size_t n_put, cap_put; /* the files of hm_git_put_file */
};

/* Sets HM_E_OUTPUT with libgit2's message. Returns -1. */
int hm_git_fail(const hm_git *g, const char *verb, hm_err *err);
/* Refuses symbolic links in the place of any file that we or libgit2 write. Call it before the
 * first write. dir: the repository's open folder; shown: the folder's path, with '/' at its end. */
int hm_git_check_links(int dir, const char *shown, const char *ref, hm_err *err);
/* git_open.c: a step of hm_git_open; creates an absent repository. */
int hm_git_open_repository(hm_git *g, hm_err *err);
/* A repository whose lock we hold, and in which killed processes may have left files. */
typedef struct {
  hm_arena *a;
  const char *shown;  /* its name in messages */
  const char *common; /* the folder of refs and objects, ending in '/' */
  int dir;            /* the same, open */
  bool died;          /* the last holder of its lock died without releasing it */
} hm_git_folder;
/* Waits for the process that holds git's lock on the ref; removes the lock if that process is dead.
 * HM_E_BUSY, HM_E_OUTPUT. */
int hm_git_clear_ref_lock(const hm_git_folder *p, const char *ref, hm_err *err);
/* Sets HM_E_BUSY, which names the lock file and its age. */
int hm_git_fail_locked(const hm_git_folder *p, const char *ref, hm_err *err);
/* Removes unfinished files of libgit2: those over an hour old, and indexes without packs that the
 * last holder of the lock left. */
void hm_git_remove_unfinished(const hm_git_folder *p);

/* git_tip_read.c: steps of hm_git_open, and tests for paths of publish.keep. */
int hm_git_read_tip(hm_git *g, hm_arena *a, hm_git_tip *tip, hm_err *err);
int hm_git_read_keep(hm_git *g, hm_err *err);
bool hm_git_is_kept(const hm_git *g, hm_str path);    /* path or a folder above it is kept */
bool hm_git_keeps_below(const hm_git *g, hm_str dir); /* something inside dir is kept */

/* git_remote.c: a step of hm_git_open. Does nothing without a remote. */
int hm_git_remote_sync(hm_git *g, hm_err *err);

/* git_timeout.c: limits the silence of the remote. */
typedef struct hm_git_timeout hm_git_timeout;
/* Starts a timeout: after ms without traffic it shuts down all sockets that this process opened
 * since begin, so that blocked calls on them fail. The thread that talks to the remote calls begin
 * and end; no other thread may open a socket in between. Until end, a write of that thread to a
 * closed socket is an error and raises no SIGPIPE. */
hm_git_timeout *hm_git_timeout_begin(int ms);
/* Restarts the timeout after traffic. */
void hm_git_timeout_reset(hm_git_timeout *w);
/* True when the timeout shut the sockets down. False for NULL. */
bool hm_git_timeout_passed(const hm_git_timeout *w);
void hm_git_timeout_end(hm_git_timeout *w); /* NULL is allowed */

/* git_connection.c: one connection to the remote. */
typedef struct {
  const hm_remote_options *opt;
  const char *url;   /* its address */
  const char *shown; /* the same for messages */
  hm_arena *a;
  hm_git *g;
  git_repository *shallow; /* for a shallow clone (hm_git_shallow_open); else NULL */
  const char *path;        /* of a remote repository on this machine; else NULL */
  int dir;                 /* its open folder, or -1 */
  hm_lock lock;            /* its lock */
  git_remote *remote;
  git_remote_callbacks calls;
  int tried;      /* credentials that were refused */
  hm_str host;    /* the host that the user named */
  hm_buf said;    /* the server's unfinished line */
  hm_str refused; /* why the server refused the branch; empty: it did not */
  hm_git_timeout *watch;
} hm_git_connection;
/* The ref under which objects arrive in a repository on this machine; only under its lock. */
#define HM_GIT_INCOMING "refs/hmirror/incoming"
int hm_git_connection_open(hm_git_connection *l, hm_git *g, git_direction direction, hm_err *err);
/* Call it after open, also when that failed; a second call does nothing. Texts stay valid. */
void hm_git_connection_close(hm_git_connection *l);
/* Sets HM_E_OUTPUT with the attempted action, libgit2's message, and what may help. Returns -1. */
int hm_git_connection_fail(hm_git_connection *l, const char *verb, hm_err *err);

/* git_shallow.c: for a shallow clone, a second repository with the same objects and only our
 * branch, in which commits with missing parents have none. Objects fetched into it are in ours. */
int hm_git_shallow_open(hm_git *g, git_repository **out, hm_err *err);
void hm_git_shallow_close(hm_git *g, git_repository *shallow); /* NULL is allowed */

/* git_credentials.c: the token may go to that host (as hm_remote_host has it). */
bool hm_remote_takes_token(const hm_remote_options *opt, hm_str host);
/* git_credentials.c: git_credential_acquire_cb; payload: the hm_git_connection. */
int hm_git_credentials(git_credential **out, const char *url, const char *user, unsigned allowed,
                       void *payload);

/* A deflated object that waits for the pack: n bytes from `at` on in the file of hm_git.waiting; n
 * is 0 if it does not wait. */
typedef struct {
  uint64_t at;
  size_t n;
} hm_git_packed;
/* A new object. */
typedef struct hm_git_object {
  git_oid id;
  git_object_t type;
  hm_str bytes;
  hm_git_packed packed;
} hm_git_object;
typedef struct {
  hm_git_object *o;
  size_t n, cap;
  hm_map seen;
} hm_git_objects;
/* A file given to hm_git_put_file. Not packed when the repository has it. */
typedef struct hm_git_put {
  hm_str path;
  git_oid id;
  hm_git_packed packed;
} hm_git_put;
/* git_pack.c. The objects of one publication; an id is added once. expect: their likely number. The
 * map lives in a; free `o`. */
void hm_git_objects_init(hm_git_objects *l, size_t expect, hm_arena *a);
void hm_git_objects_add(hm_git_objects *l, hm_arena *a, hm_git_object o);
/* git_tree.c: builds the root tree of the site, with the kept paths; adds objects that the tip
 * lacks to l. */
int hm_git_tree_build(hm_git *g, const hm_site *s, hm_git_objects *l, git_oid *root, hm_err *err);
/* git_pack.c. Writes the objects as one pack and, if durable, syncs it. */
int hm_git_write_pack(hm_git *g, const hm_git_objects *l, hm_err *err);
/* The number of packs in the repository. */
size_t hm_git_count_packs(const hm_git *g);

#endif
