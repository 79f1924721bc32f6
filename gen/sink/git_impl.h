/* The parts of the git sink. Not for others. */
#ifndef HM_GIT_IMPL_H
#define HM_GIT_IMPL_H
#include <git2.h>
#include <stdatomic.h>
#include "core/base/map.h"
#include "core/base/sha1.h"
#include "gen/sink/fs.h"
#include "gen/sink/git.h"
#include "gen/sink/lock.h"

/* A pack of ours and its index (git_own.c). */
enum { HM_GIT_OWN = 16, HM_GIT_LOOKS = 8 };
typedef struct { hm_str pack, idx; } hm_git_mapped;
/* A tree that was read (git_raw_tree.c). */
typedef struct { git_oid id; hm_str bytes; } hm_git_tree_read;

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
  hm_git_mapped own[HM_GIT_OWN]; size_t n_own, own_seen;
  hm_str own_rest;        /* of the list of our packs: those that were not looked at */
  bool own_listed;
  hm_git_tree_read *trees; size_t n_trees, cap_trees;
  hm_map tree_at;         /* id -> index into trees */
  struct hm_git_look *looks[HM_GIT_LOOKS]; atomic_size_t n_looks;   /* n_looks: that were wanted, perhaps more */
};

/* HM_E_OUTPUT with libgit2's own words. Returns -1. */
int hm_git_fail(const hm_git *g, const char *verb, hm_err *err);
int hm_git_fail_at(const char *repo, const char *verb, hm_err *err);
/* Before libgit2 opens it: it would wait for ever at a pipe in the place of one of the repository's files, and write through a link
 * in the place of the branch. repo: its path, of a bare one or of a work tree; ref may be NULL. HM_E_OUTPUT names the file. */
int hm_git_check_kinds(const char *repo, const char *ref, hm_err *err);
/* Whether a repository that was not opened (rc) is another user's, and the error for that. */
bool hm_git_is_foreign(const char *path, int rc);
int hm_git_foreign(const char *path, hm_err *err);
/* One of our commits: it has the trailer Mirror-Tool (git_tip.c). */
bool hm_git_is_ours(const git_commit *c);

/* git_create.c: a new bare repository at opt->repo, HEAD on ref; one that another process made meanwhile will do. */
bool hm_git_may_create(const char *path);          /* nothing is there, or an empty folder */
int hm_git_create(hm_git *g, hm_err *err);

/* git_open.c, git_branch.c, git_tip.c: the steps of hm_git_open */
int hm_git_open_repository(hm_git *g, hm_err *err);
int hm_git_check_name(hm_git *g, hm_err *err);     /* and sets ref */
int hm_git_check_branch(hm_git *g, hm_err *err);   /* not checked out anywhere */
int hm_git_read_tip(hm_git *g, hm_arena *a, hm_git_tip *tip, hm_err *err);

/* git_stale.c: what the dead have left in a repository whose lock we hold. */
typedef struct {
  hm_arena *a;
  const char *shown;     /* how messages call it */
  const char *common;    /* the folder of refs and objects, ending in '/' */
  int dir;               /* the same, open */
  bool died;             /* the last holder of its lock never let go */
} hm_git_place;
hm_git_place hm_git_here(const hm_git *g);
/* Waits for whoever holds git's lock on the ref; removes it when that one is dead. HM_E_BUSY, HM_E_OUTPUT. */
int hm_git_clear_ref_lock(const hm_git_place *p, const char *ref, hm_err *err);
/* HM_E_BUSY that says which file it is, and since when. */
int hm_git_ref_locked(const hm_git_place *p, const char *ref, hm_err *err);
/* Files that were not finished: ours, and those of an hour ago that libgit2 began. */
void hm_git_remove_half_files(const hm_git_place *p);

/* git_keep.c */
int hm_git_keep_init(hm_git *g, hm_err *err);
bool hm_git_is_kept(const hm_git *g, hm_str path);      /* it or a folder above it */
bool hm_git_keeps_below(const hm_git *g, hm_str dir);   /* something inside it */

/* git_remote.c: a step of hm_git_open. Nothing without a remote. */
int hm_git_remote_sync(hm_git *g, hm_err *err);

/* git_line.c: one connection to the remote. */
typedef struct {
  const hm_remote_options *opt;
  const char *url;               /* its address */
  const char *shown;             /* the same for messages */
  hm_arena *a;
  hm_git *g;
  git_repository *grafted;        /* of a shallow clone; else NULL */
  const char *path;              /* of a repository on this machine; else NULL */
  int dir;                       /* its open folder, or -1 */
  hm_lock lock;                  /* its lock */
  git_remote *remote;
  git_remote_callbacks calls;
  int tried;                     /* ways to say who we are that were refused */
  hm_str host;                   /* that the user named */
  hm_buf said;                   /* of the server, not yet a whole line */
  hm_str refused;                /* why the server does not take the branch; empty: it does */
  struct hm_git_watch *watch;
} hm_git_line;
/* Where objects first come to in a repository on this machine; only under its lock. */
#define HM_GIT_INCOMING "refs/hmirror/incoming"
int hm_git_line_open(hm_git_line *l, hm_git *g, git_direction direction, hm_err *err);
/* git_line_path.c, a step of open: the repository at path can be pushed to; its lock is taken, what the dead left is removed. */
int hm_git_line_lock(hm_git_line *l, hm_err *err);
/* After open, whatever it answered; again: nothing. Its texts stay. */
void hm_git_line_close(hm_git_line *l);
/* HM_E_OUTPUT that says what was tried, libgit2's words, and what may help. Returns -1. */
int hm_git_line_fail(hm_git_line *l, const char *verb, hm_err *err);

/* git_graft.c: for a shallow clone, a repository beside it with the same objects, in which the commits whose parents are not here
 * have none, and with our branch only. What is fetched into it is fetched into ours. */
int hm_git_grafted_open(hm_git *g, git_repository **out, hm_err *err);
void hm_git_grafted_close(hm_git *g, git_repository *grafted);   /* NULL is allowed */

/* git_credentials.c: git_credential_acquire_cb; payload: the hm_git_line. */
int hm_git_credentials(git_credential **out, const char *url, const char *user, unsigned allowed, void *payload);

/* git_watch.c: closes the sockets of this process that were opened since begin when nothing moved on them for ms: calls
 * that wait for the other side then fail. So between begin and end, both called by the thread that talks, no
 * other thread may open one. Until end a write to a socket that is closed, by it or by the other side, is an error to that
 * thread and no SIGPIPE. */
typedef struct hm_git_watch hm_git_watch;
hm_git_watch *hm_git_watch_begin(int ms);
void hm_git_watch_moved(hm_git_watch *w);            /* something came or went */
bool hm_git_watch_closed(const hm_git_watch *w);     /* it had to close them; NULL: false */
void hm_git_watch_end(hm_git_watch *w);              /* NULL is allowed */

/* git_deflate.c. A long object as a zlib stream (RFC 1950) of pieces that know nothing of each other, so that many cores share
 * the work, and a piece that stands in an older stream is taken from there. A piece ends where a hash of the bytes before says so: what is edited
 * changes its own piece, and seldom the next. Each piece's deflated bytes end with an empty stored block at a whole byte, 00 00 ff ff. */
enum { HM_PIECE_MAX = 64 << 10 };
typedef struct hm_git_remembered_piece hm_git_remembered_piece;
typedef struct {
  hm_str bytes;
  hm_str deflated;    /* in made, or borrowed from an older stream or from what is remembered; empty: not yet */
  hm_buf made;
  const hm_git_remembered_piece *from;   /* NULL: not remembered */
} hm_git_piece;
typedef struct {
  hm_str key;         /* of a file its path, of a folder the same and '/' */
  git_object_t type;
  hm_str bytes;
  bool has_was; git_oid was;   /* what the tip has in its place */
  hm_git_piece *pieces; size_t n;
  uint32_t sum;       /* of bytes, for the end of the stream */
} hm_git_long;
/* One core would hold up the others with it, or the next publication will have most of its pieces. Never up to HM_PIECE_MAX. */
bool hm_git_is_long(const hm_file *f);
/* In a, not cut yet, and bytes are borrowed; free: what the pieces hold. */
hm_git_long *hm_git_long_new(hm_str bytes, hm_arena *a);
void hm_git_long_free(hm_git_long *l);
/* Into pieces. Those that stand in last (NULL: nothing) are found by comparing, and are deflated. */
typedef struct hm_git_remembered hm_git_remembered;
void hm_git_long_cut(hm_git_long *l, const hm_git_remembered *last);
/* Deflates one that is not yet. -1: zlib refused. One deflater, one thread. */
typedef struct hm_git_deflater hm_git_deflater;
hm_git_deflater *hm_git_deflater_new(void);
int hm_git_piece_deflate(hm_git_deflater *d, hm_git_piece *p);
void hm_git_deflater_free(hm_git_deflater *d);   /* NULL is allowed */
/* When all are deflated: the parts of the stream, l->n + 2 of them, in a. */
hm_str *hm_git_long_stream(const hm_git_long *l, hm_arena *a);

/* git_inflate.c: what stands between two marks in such a stream, which may be anything. */
typedef struct hm_git_inflater hm_git_inflater;
hm_git_inflater *hm_git_inflater_new(void);
/* The bytes of a piece, until the next call; false when it is none: it needs what stands before it, is the last one, does not end where it
 * should, or is too long. */
bool hm_git_inflate(hm_git_inflater *f, hm_str piece, hm_str *bytes);
void hm_git_inflater_free(hm_git_inflater *f);   /* NULL is allowed */
/* The first of *rest, through its mark, is taken off it; false when there is no mark. */
bool hm_git_next_piece(hm_str *rest, hm_str *piece);

/* git_reuse.c. Before deflate: gives pieces of l[0..n) the deflated bytes that stand for them in old[0..n_old), zlib streams of the same
 * make. These are borrowed, and may be anything: a piece is taken only when it inflates to the very bytes, by itself. */
void hm_git_long_reuse(hm_git_long *const *l, size_t n, const hm_str *old, size_t n_old, int threads);

/* git_memory.c: what hm_git_memory has of a long object, by its key; or of a tree, by its id. NULL: nothing. */
struct hm_git_remembered_piece { hm_str bytes, deflated; };
const hm_git_remembered *hm_git_memory_find(const hm_git_memory *m, hm_str key);
/* Which of its pieces bytes begin with, and would be cut into; NULL: none. *next: where to look, 0 at the beginning. */
const hm_git_remembered_piece *hm_git_remembered_find(const hm_git_remembered *r, hm_str bytes, size_t *next);
/* In a; false: it is not there. */
bool hm_git_memory_tree(const hm_git_memory *m, const git_oid *id, hm_arena *a, hm_str *bytes);

/* git_look.c: a long file is summed up plainly, and then looked at by libgit2 for collisions, which takes three times as long: so that goes on beside
 * all that is made with the sum, and is waited for before any of it is given a name. */
typedef struct hm_git_look hm_git_look;
/* On a thread of its own, while f's bytes stand; NULL: none can be made, or there are enough. */
hm_git_look *hm_git_look_begin(hm_git *g, const hm_file *f);
/* One that was begun when the file was made (hm_git_sees); NULL: none. */
hm_git_look *hm_git_look_at(hm_git *g, const hm_file *f);
/* Waits for the sum. */
void hm_git_look_sum(hm_git_look *l, git_oid *id);
/* Waits for all of them: -1 with libgit2's error when one has found something. */
int hm_git_looks_wait(hm_git *g);
/* Waits for all of them, and forgets them. */
void hm_git_looks_end(hm_git *g);

/* git_own.c. An object as it stands in one of the newest packs of ours (git_gather.c), whole and not as a delta. */
typedef struct {
  git_object_t type;
  uint64_t size;      /* what it says to unpack to */
  hm_str stream;      /* zlib's, mapped until the sink is closed; nothing was checked */
} hm_git_own;
/* raw: as it stands in a pack. False: a delta, or damaged. */
bool hm_git_own_parse(hm_str raw, hm_git_own *out);
/* False: it is in none of them, which says nothing. */
bool hm_git_own_find(hm_git *g, const git_oid *id, hm_git_own *out);
/* The bytes of such an object, in a. They are checked against its id; false also when it is of another type, damaged, or of more than max. */
bool hm_git_own_read(hm_git *g, const git_oid *id, git_object_t type, size_t max, hm_arena *a, hm_str *bytes);
void hm_git_own_close(hm_git *g);
/* The file "<name>.<suffix>" in an open folder, mapped; false when there is none, or it is empty. */
bool hm_git_map(int dir, const char *name, const char *suffix, hm_str *out);
void hm_git_unmap(hm_str mapped);   /* one without bytes is allowed */

/* A new object. */
typedef struct {
  git_oid id;
  git_object_t type;
  hm_str bytes;
  hm_git_long *pieces;   /* when it is a long one; else NULL */
} hm_git_object;
typedef struct {
  hm_git_object *o; size_t n, cap;
  hm_map seen;
  hm_git_long **longs; size_t n_longs, cap_longs;
} hm_git_objects;
/* git_objects.c. Objects of one publication; ids are deduplicated. Lives in a. */
void hm_git_objects_init(hm_git_objects *l, hm_arena *a);
void hm_git_objects_free(hm_git_objects *l);   /* what its long ones hold */
/* Adds a long one, not cut yet, before the object with the same bytes is added. */
hm_git_long *hm_git_objects_long(hm_git_objects *l, hm_arena *a, hm_str key, git_object_t type, hm_str bytes);
void hm_git_objects_add(hm_git_objects *l, hm_arena *a, const git_oid *id, git_object_t type, hm_str bytes);
/* git_memory.c: takes over the long objects, all of which are deflated, and with that what it had before, and the small trees, also those that were
 * read; NULL is allowed. They are not to be used any more. */
void hm_git_memory_put(hm_git_memory *m, const hm_git_objects *l, const hm_git_tree_read *read, size_t n_read);

/* git_raw_tree.c: an entry of a tree's bytes. */
typedef struct { hm_str name; unsigned mode; const unsigned char *id; hm_str raw; } hm_git_entry;
/* The first of *rest is taken off it. False when none stands there: it is at its end, or damaged, and *rest is as it was. */
bool hm_git_entry_next(hm_str *rest, hm_git_entry *e);
void hm_git_entry_put(hm_buf *out, unsigned mode, hm_str name, const unsigned char *id);
/* How git sorts them: a folder as if its name ended in '/'. */
int hm_git_name_order(hm_str x, bool x_is_tree, hm_str y, bool y_is_tree);
/* The bytes of a tree of the repository, until close. -1 with libgit2's error. */
int hm_git_raw_tree(hm_git *g, const git_oid *id, hm_str *bytes);
/* The entry of this name, or at this path below root; false: there is none, or it cannot be read. */
bool hm_git_raw_find(hm_str tree, hm_str name, hm_git_entry *e);
bool hm_git_raw_path(hm_git *g, const git_oid *root, hm_str path, hm_git_entry *e);

/* The files of a site that are not held: their indices, and their ids. */
typedef struct { uint32_t *at; size_t n; git_oid *ids; } hm_git_made;

/* git_hash.c: fills m->ids, and l->longs with the long ones; begins the looks. -1 with libgit2's error. */
int hm_git_hash_files(hm_git *g, const hm_site *s, hm_git_made *m, hm_git_objects *l);
/* Only digests and paths that hmirror made. */
bool hm_git_is_manifest(const hm_file *f);
/* The id of such an object, without the look for collisions that libgit2 takes while it hashes, which costs three times as much: for what
 * hmirror made up itself, or only compares. */
void hm_git_object_sum(git_object_t type, hm_str bytes, unsigned char sum[GIT_OID_RAWSZ]);
/* git_tree.c: the root tree of the site, with what is kept; adds what the tip does not have to l. */
int hm_git_tree_build(hm_git *g, const hm_site *s, hm_git_objects *l, git_oid *root, hm_err *err);
/* The folder at path, as a long object if need be; was: what the tip has there, or NULL. */
void hm_git_add_tree(hm_git *g, hm_git_objects *l, hm_str path, const git_oid *id, hm_str bytes, const git_oid *was);
/* Files that are kept stand where a file of the mirror should be. Returns -1. */
int hm_git_clash(hm_str path, hm_err *err);
/* git_patch.c: the same where g->known: so the tip has the site as it was, and s->gone tells what of it there is no more. */
int hm_git_tree_patch(hm_git *g, const hm_site *s, const hm_git_made *m, hm_git_objects *l, git_oid *root, hm_err *err);
/* git_commit.c: adds the commit to l. */
int hm_git_commit_build(hm_git *g, const git_oid *tree, hm_str message, hm_git_objects *l, git_oid *id, hm_err *err);
/* git_pack.c: what stands before an object in a pack. type may be GIT_OBJECT_REF_DELTA; size: of what its stream unpacks to. */
size_t hm_git_entry_head(unsigned char out[12], git_object_t type, size_t size);
/* To the disk. */
int hm_git_write_pack(hm_git *g, const hm_git_objects *l, hm_err *err);
/* The folder objects/pack, made if need be; -1 and errno. */
int hm_git_pack_dir(hm_git *g);
/* git_ref.c: the one compare-and-swap. */
int hm_git_move_ref(hm_git *g, const git_oid *to, hm_err *err);

/* git_idx.c. Index of a pack, version 2. entries: by id. */
typedef struct { git_oid id; uint32_t crc; uint64_t offset; } hm_idx_entry;
void hm_git_idx_bytes(const hm_idx_entry *e, size_t n, const unsigned char pack_sum[20], hm_buf *out);
/* The entries of such an index over a pack with this sum, by id, in a; false when it is none, or damaged. */
bool hm_git_idx_read(hm_str bytes, const unsigned char pack_sum[20], hm_arena *a, hm_idx_entry **out, size_t *n);
/* One object of an index that is not checked: where it begins, and the next one in the pack (or UINT64_MAX), as far as that can be believed.
 * next NULL: not asked for, which is all that costs. */
bool hm_git_idx_find(hm_str bytes, const git_oid *id, uint64_t *offset, uint64_t *next);

/* git_pack_file.c: write, place, and close in any case. -1 and errno. */
enum { HM_PACK_NAME = 48 };
typedef struct { int dir, fd; bool durable; char name[HM_PACK_NAME]; } hm_git_pack_file;   /* name, after write: "pack-<sum>" */
/* An object: the parts are together how it stands in a pack. */
typedef struct { git_oid id; uint32_t crc; const hm_str *parts; size_t n; } hm_git_packed;
/* Both files are complete, and on the disk; name is set. */
int hm_git_pack_write(hm_git_pack_file *f, int dir, const hm_git_packed *p, size_t n, bool durable, int threads);
/* They get their names. */
int hm_git_pack_place(hm_git_pack_file *f);
void hm_git_pack_close(hm_git_pack_file *f, bool keep);

/* git_delta.c: of the whole long blobs among o[0..n), all of one pack to be, those that are like one before them become what is to be
 * changed in that one (REF_DELTA): so the newest should stand first. raw: as it stands in a pack; what is new of it is in a. */
typedef struct { hm_idx_entry e; hm_str raw; } hm_git_raw;
void hm_git_deltify(hm_git_raw *o, size_t n, hm_arena *a);

/* git_gather.c: each publication leaves a small pack. "<gitdir>/hmirror.packs" names those that are ours; when many of a
 * size stand there, they become one. Nothing else is ever touched, nothing is lost by a kill at any moment, and nothing depends
 * on it. add: before the pack gets its name, so that one without its index, which a kill in between leaves, is known to be ours. */
void hm_git_packs_add(hm_git *g, const char *name);
/* The list, a name a line, the newest last; empty when there is none. */
hm_str hm_git_packs_list(hm_git *g, hm_arena *a);
bool hm_git_is_pack_name(hm_str s);
void hm_git_packs_gather(hm_git *g);
#endif
