/* Commits a site to a branch (library: libgit2). Design section 9. */
#ifndef HM_SINK_GIT_H
#define HM_SINK_GIT_H
#include "gen/sink/signer.h"
#include "gen/site/site.h"

/* The other repository that a branch is pushed to. Design section 9.
 *
 * Addresses: a path or file://, ssh://HOST/PATH or USER@HOST:PATH, https://,
 * http:// and git:// (both without a secret), or the name of a remote in the
 * repository's own config.
 *
 * A repository on this machine must be bare and have no hooks for pushes, since libgit2 would not
 * run them.
 *
 * Authentication: over ssh the agent, then `ssh_key`, then ~/.ssh/id_ed25519,
 * id_ecdsa, id_rsa, each tried once; keys with a passphrase work only through the
 * agent; hosts must be in ~/.ssh/known_hosts. Over https the token, if it is for that host, then
 * the line for it in `credentials`. A secret goes only to the host that was named, over https, or
 * to this machine itself. */
typedef struct {
  const char *url;
  const char *ssh_key;     /* path of a private key, or NULL */
  const char *token;       /* or NULL */
  hm_str token_host;       /* the only host that gets it: "host:443", or "host" for any port; empty:
                              none */
  const char *credentials; /* file of lines "https://USER:PASSWORD@HOST", as git's store helper
                              writes; NULL: none */
  int timeout_ms;          /* longest silence of the server */
  void (*says)(void *ctx, hm_str line);
  void *ctx; /* gets each line of the server; or NULL */
} hm_remote_options;

/* True for the name of a remote: what has neither '/' nor ':' and does not begin with '.'. */
bool hm_remote_is_name(const char *remote);
/* The address of a remote: that of its name in the repository's config; else the text itself, also
 * where there is no such name. The config cannot replace an address (insteadOf) or part of one. In
 * a; in git_connection.c. */
const char *hm_git_remote_address(const char *repo, const char *remote, hm_arena *a);
/* The host of an address with "://" and its port, in lower case, "host:443"; empty for any other
 * address. In a; in git_credentials.c. */
hm_str hm_remote_host(hm_arena *a, const char *url);
/* The files and folders to which the repository's own files and links lead, itself among them: its
 * git folder and the common one, configs and what they include, objects, alternates. "/" stands for
 * what could not be looked at. *n paths, in a; in git_places.c. */
const char **hm_git_list_places(const char *repo, hm_arena *a, size_t *n);
/* True for the text of a config that has a section [include] or [includeIf]. */
bool hm_git_config_includes(hm_str text);

/* A text for messages: without user names and passwords of addresses in it, and without live
 * secrets; in a. In git_credentials.c. */
hm_str hm_remote_hide_password(hm_arena *a, const char *text);

typedef struct {
  const char
      *repo; /* path of a bare or ordinary repository; absent: created bare, HEAD on branch */
  const char *branch; /* "mirror" */
  const char *author_name, *author_email;
  int64_t when; /* seconds since 1970, UTC; author's and committer's */
  const char *const *keep;
  size_t n_keep; /* paths or folders ("CNAME", "static/") of the tip that stay unchanged, even
                     if the site has the same path */
  bool durable;  /* fsync pack, index, ref */
  int threads;
  const char *known_tree;  /* tree id of the site recorded in hm_site_options.known, or NULL. When
                              the tip has this tree, it has the site's held files, and `gone` names
                              its files that the site no longer has */
  const hm_signer *signer; /* signs the commit; NULL: unsigned */
  const hm_remote_options *remote; /* where hm_git_push pushes to; NULL: nowhere */
} hm_git_options;

/* The tip's content, read once when the sink opens; for the site and the message. */
typedef struct {
  bool exists;     /* the branch has a commit */
  char commit[41]; /* its id */
  bool known;      /* its tree is known_tree; manifest_json and conflicts_json are not read then */
  hm_sink_files present; /* all files of known_tree's site, or none */
  hm_str conflicts_json; /* the whole list at the tip, or empty */
  hm_str manifest_json;  /* bytes of manifest.json at the tip, or empty */
  bool too_large; /* one of the two is over HM_GIT_MAX_BLOB: hmirror did not write it; it is not
                     read, and is empty here */
  hm_str *edited;
  size_t n_edited; /* hand edits: paths that commits since the newest one with the trailer
                       Mirror-Tool changed (first parents, the last 1000), except kept paths */
} hm_git_tip;

typedef struct {
  char commit[41], tree[41];
  bool created;
  size_t objects, files; /* objects written; files: the blobs among them */
  size_t packs;          /* in the repository, after a commit */
  size_t edited;
} hm_git_result;

typedef struct hm_git hm_git;

/* What hm_git_open found at the remote. */
typedef enum {
  HM_REMOTE_NONE, /* no remote, or it has no such branch */
  HM_REMOTE_SAME,
  HM_REMOTE_BEHIND,  /* it lacks commits of the local branch */
  HM_REMOTE_TAKEN,   /* it had newer commits; the local branch has them now */
  HM_REMOTE_REPLACED /* both had new commits; all local ones were publications, and the
                        remote's replaced them */
} hm_remote_state;

/* --- the branch: git.c ------------------------------------------------------------------------ */

/* Opens or creates the repository. Takes our lock ("<gitdir>/hmirror.lock", flock; HM_E_BUSY after
 * 10 s when a live process holds it), and waits as long for refs/heads/BRANCH.lock; removes that
 * lock, and half-written files, of a dead process. Refuses a branch that is checked out in any work
 * tree, and one without our commits that holds files outside keep (HM_E_OUTPUT). With a remote,
 * first fetches its branch and updates the local branch to it, so that the publication has the
 * remote's tip as its parent; HM_E_OUTPUT when both have new commits and a local one is not ours.
 * Then reads the tip. opt and what it points to must live until close. */
int hm_git_open(const hm_git_options *opt, hm_arena *a, hm_git **out, hm_git_tip *tip, hm_err *err);
/* Files of the site that have no bytes were put. message: a text that ends in trailers, Mirror-
 * Tool among them; its NULs become spaces. Objects first (one undeltified pack), fsync,
 * then one compare-and-swap of the ref from the tip that open read: HM_E_MOVED otherwise, nothing
 * overwritten. While a signer runs the lock is released, and taken again after it; one that fails
 * (hm_sign) ends the publication before anything is written; tree and blobs are the same with and
 * without one. An equal tree: no commit, created=false and commit is the tip.
 * Unchanged blobs and subtrees reuse the parent's ids. Modes: 100644 only. */
int hm_git_publish(hm_git *g, const hm_site *s, hm_str message, hm_git_result *out, hm_err *err);
void hm_git_close(hm_git *g);

/* --- files, as they come: git_pack.c ---------------------------------------------------------- */

/* hm_site_options.take; ctx: the hm_git. Deflates the file for the pack of the next publication, so
 * that its bytes need not stay, unless the repository has it. From any thread. */
int hm_git_put_file(void *git, const hm_file *f, hm_err *err);

/* --- its tip: git_tip_read.c ------------------------------------------------------------------ */

/* hm_part_read (gen/site/manifest.h) of the tip; ctx: the hm_git. Empty when it has no such file,
 * or one over HM_GIT_MAX_BLOB. HM_E_OUTPUT: the repository cannot be read. */
int hm_git_tip_read(void *git, hm_str path, hm_arena *a, hm_str *out, hm_err *err);
/* True: the tip's file at path has these bytes. It is not read: its id is compared. False also
 * where the repository cannot be read, which hm_git_tip_read tells. a: for a while. */
bool hm_git_tip_has(void *git, hm_str path, hm_str bytes, hm_arena *a);
/* One of the n paths of publish.keep is path, or a folder above it. */
bool hm_git_path_kept(const char *const *keep, size_t n, hm_str path);

/* --- the remote: git_remote.c ----------------------------------------------------------------- */

hm_remote_state hm_git_remote_state(const hm_git *g);
/* Sends the branch, as publish left it, to the remote, also when publish made no commit. *sent:
 * false when the remote had it already. HM_E_MOVED: its branch moved since open (close, and begin
 * again with open); HM_E_OUTPUT: it refused, with its words, or cannot be reached, or was silent
 * for timeout_ms. The commit stays here in any case. */
int hm_git_push(hm_git *g, bool *sent, hm_err *err);
#endif
