/* Publishes to a branch: opens and locks the repository, reads the tip, makes a tree, a commit and
 * a pack, and moves the branch by one compare-and-swap. */
#include "gen/sink/git.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"
#include "gen/sink/git_impl.h"

/* --- the branch ---------------------------------------------------------------------------- */

static int check_name(hm_git *g, hm_err *err) {
  int ok = 0;
  if (git_branch_name_is_valid(&ok, g->opt->branch) < 0 || !ok)
    return hm_failf(err, HM_E_USAGE, "branch", "choose a name like mirror",
                    "\"%s\" cannot be the name of a branch", g->opt->branch);
  g->ref = hm_str_fmt(g->a, "refs/heads/%s", g->opt->branch).p;
  return 0;
}

/* Reads HEAD itself: libgit2 reports only branches that exist, but an unborn one can be checked
 * out, too. */
static bool head_is_branch(const hm_git *g, int dir, const char *head) {
  hm_str text;
  if (hm_fs_read_at(dir, head, 4096, g->a, &text) != 0 || !hm_str_starts(text, "ref:"))
    return false;
  return hm_str_is(hm_str_trim(hm_str_sub(text, 4, text.n)), g->ref);
}

static int fail_checked_out(const hm_git *g, const char *where, hm_err *err) {
  return hm_failf(err, HM_E_OUTPUT, g->opt->repo,
                  "check out another branch there, or publish to another one",
                  "branch %s is checked out in %s", g->opt->branch, where);
}

static int check_worktrees(const hm_git *g, hm_err *err) {
  int rc = 0, fd = openat(g->dir, "worktrees", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = fd < 0 ? NULL : fdopendir(fd);
  for (struct dirent *e; rc == 0 && d && (e = readdir(d));) {
    char head[NAME_MAX + 8];
    snprintf(head, sizeof head, "%s/HEAD", e->d_name);
    if (e->d_name[0] != '.' && head_is_branch(g, fd, head))
      rc = fail_checked_out(g, "a linked work tree", err);
  }
  if (d)
    closedir(d);
  else if (fd >= 0)
    close(fd);
  return rc;
}

static bool main_is_bare(const hm_git *g) {
  git_config *c = NULL;
  int bare = 0;
  if (git_repository_config(&c, g->repo) == 0 && git_config_get_bool(&bare, c, "core.bare") < 0)
    bare = 0;
  git_config_free(c);
  return bare;
}

/* --- the commit ---------------------------------------------------------------------------- */

/* As git itself does it: no control characters or '<' '>', none of "., :;\"'" and white space at
 * the ends. */
static hm_str clean_name(hm_git *g, const char *raw) {
  hm_str s = hm_text_repair(g->a, hm_str_c(raw));
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n; i++)
    if ((unsigned char)s.p[i] >= 32 && s.p[i] != 127 && s.p[i] != '<' && s.p[i] != '>')
      hm_buf_ch(&b, s.p[i]);
  hm_str out = hm_buf_take(&b, g->a);
  static const char crud[] = " .,:;\"'\\";
  while (out.n && memchr(crud, out.p[0], sizeof crud - 1))
    out = hm_str_sub(out, 1, out.n);
  while (out.n && memchr(crud, out.p[out.n - 1], sizeof crud - 1))
    out.n--;
  return out;
}

/* Valid UTF-8, no NUL, one line break at the end. */
static void append_message(hm_git *g, hm_buf *b, hm_str message) {
  hm_str m = hm_text_repair(g->a, message);
  while (m.n && m.p[m.n - 1] == '\n')
    m.n--;
  for (size_t i = 0; i < m.n; i++)
    hm_buf_ch(b, m.p[i] ? m.p[i] : ' ');
  hm_buf_ch(b, '\n');
}

static void append_person(hm_buf *b, const char *role, hm_str name, hm_str email, int64_t when) {
  hm_buf_fmt(b, "%s %.*s <%.*s> %lld +0000\n", role, HM_FMT(name), HM_FMT(email),
             (long long)(when < 0 ? 0 : when));
}

/* The header gpgsig is the last one; each further line of it begins with a space. */
static int add_signature(hm_git *g, hm_str *commit, hm_err *err) {
  hm_str signature;
  hm_buf b = { 0 };
  size_t head = (size_t)hm_str_find(*commit, "\n\n") + 1;
  if (hm_sign(g->opt->signer, *commit, g->a, &signature, err) != 0)
    return -1;
  hm_buf_add(&b, commit->p, head);
  hm_buf_c(&b, "gpgsig ");
  for (size_t i = 0; i < signature.n; i++) {
    hm_buf_ch(&b, signature.p[i]);
    if (signature.p[i] == '\n')
      hm_buf_ch(&b, ' ');
  }
  hm_buf_ch(&b, '\n');
  hm_buf_add(&b, commit->p + head, commit->n - head);
  *commit = hm_buf_take(&b, g->a);
  return 0;
}

static int build_commit(hm_git *g, const git_oid *tree, hm_str message, hm_str *commit,
                        hm_err *err) {
  hm_str name = clean_name(g, g->opt->author_name), email = clean_name(g, g->opt->author_email);
  if (!name.n)
    return hm_fail(err, HM_E_USAGE, "author", "the name is empty", "give a name");
  char hex[GIT_OID_HEXSZ + 1];
  hm_buf b = { 0 };
  hm_buf_fmt(&b, "tree %s\n", git_oid_tostr(hex, sizeof hex, tree));
  if (g->exists)
    hm_buf_fmt(&b, "parent %s\n", git_oid_tostr(hex, sizeof hex, &g->tip));
  append_person(&b, "author", name, email, g->opt->when);
  append_person(&b, "committer", name, email, g->opt->when);
  hm_buf_ch(&b, '\n');
  append_message(g, &b, message);
  *commit = hm_buf_take(&b, g->a);
  return 0;
}

/* --- the one compare-and-swap -------------------------------------------------------------- */

enum { STEP_MS = 20, WAIT_MS = 5000 };

static int fail_moved(const hm_git *g, hm_err *err) {
  return hm_failf(err, HM_E_MOVED, g->opt->repo, "publish again",
                  "branch %s moved while we were at work; nothing was overwritten", g->opt->branch);
}

static int swap_ref(hm_git *g, const git_oid *to) {
  git_reference *ref = NULL;
  int rc = git_reference_create_matching(&ref, g->repo, g->ref, to, g->exists,
                                         g->exists ? &g->tip : NULL, "hmirror: publish");
  git_reference_free(ref);
  return rc;
}

static hm_git_folder git_own_folder(const hm_git *g) {
  return (hm_git_folder){ g->a, g->opt->repo, g->common, g->dir, g->lock.died };
}

static int move_ref(hm_git *g, const git_oid *to, hm_err *err) {
  int rc, waited = 0;
  while ((rc = swap_ref(g, to)) == GIT_ELOCKED && waited < WAIT_MS) {
    hm_sleep_ms(STEP_MS);
    waited += STEP_MS;
  }
  if (rc == 0)
    return 0;
  if (rc == GIT_ELOCKED) {
    const hm_git_folder here = git_own_folder(g);
    return hm_git_fail_locked(&here, g->ref, err);
  }
  if (rc == GIT_EMODIFIED || rc == GIT_ENOTFOUND)
    return fail_moved(g, err);
  if (rc == GIT_EEXISTS) {
    const git_error *e = git_error_last();
    hm_str why = hm_str_dup(g->a, hm_str_c(e ? e->message : ""));
    git_oid at;
    /* EEXISTS also means a branch "a" where "a/b" is wanted. */
    return git_reference_name_to_id(&at, g->repo, g->ref) == 0
        ? fail_moved(g, err)
        : hm_fail(err, HM_E_OUTPUT, g->opt->repo, why.p, "publish to a branch of another name");
  }
  return hm_git_fail(g, "move the branch", err);
}

/* --- the whole ----------------------------------------------------------------------------- */

/* One process at a time; removes left-overs of a dead one. */
static int lock_repository(hm_git *g, hm_err *err) {
  const char *shown = hm_str_fmt(g->a, "%shmirror.lock", g->common).p;
  if (hm_lock_take(&g->lock, g->dir, "hmirror.lock", shown, HM_LOCK_WAIT_MS, err) != 0)
    return -1;
  const hm_git_folder here = git_own_folder(g);
  if (!main_is_bare(g) && head_is_branch(g, g->dir, "HEAD"))
    return fail_checked_out(g, "its work tree", err);
  if (check_worktrees(g, err) != 0)
    return -1;
  hm_git_remove_unfinished(&here);
  return hm_git_clear_ref_lock(&here, g->ref, err);
}

/* A signer may wait for a person: others may publish meanwhile. */
static int sign_unlocked(hm_git *g, hm_str *commit, hm_err *err) {
  git_oid tip;
  hm_lock_release(&g->lock);
  if (add_signature(g, commit, err) != 0 || lock_repository(g, err) != 0)
    return -1;
  int rc = git_reference_name_to_id(&tip, g->repo, g->ref);
  if (rc < 0 && rc != GIT_ENOTFOUND)
    return hm_git_fail(g, "read the branch", err);
  bool same = rc == 0 ? g->exists && git_oid_equal(&tip, &g->tip) : !g->exists;
  return same ? 0 : fail_moved(g, err);
}

/* Adds the commit to l. */
static int make_commit(hm_git *g, const git_oid *tree, hm_str message, hm_git_objects *l,
                       git_oid *id, hm_err *err) {
  hm_str bytes;
  if (build_commit(g, tree, message, &bytes, err) != 0 ||
      (g->opt->signer && sign_unlocked(g, &bytes, err) != 0))
    return -1;
  if (git_odb_hash(id, bytes.p, bytes.n, GIT_OBJECT_COMMIT) < 0)
    return hm_git_fail(g, "hash the commit", err);
  hm_git_objects_add(l, g->a,
                     (hm_git_object){ .id = *id, .type = GIT_OBJECT_COMMIT, .bytes = bytes });
  return 0;
}

enum { TREE_CACHED = 16 << 20 }; /* bytes of a tree */

int hm_git_open(const hm_git_options *opt, hm_arena *a, hm_git **out, hm_git_tip *tip,
                hm_err *err) {
  hm_git *g = hm_xmalloc(sizeof *g);
  *g = (hm_git){ .opt = opt, .a = hm_arena_new(), .dir = -1, .lock.fd = -1, .waiting = -1 };
  pthread_mutex_init(&g->lock_put, NULL);
  *tip = (hm_git_tip){ .conflicts_json = HM_EMPTY, .manifest_json = HM_EMPTY };
  git_libgit2_init();
  /* the user's settings are where HOME says now, not where it said when libgit2 was opened */
  git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_GLOBAL, NULL);
  git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_XDG, NULL);
  git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR,
                   opt->durable ? 1 : 0); /* seen when refs are first looked at, and never again */
  /* else a tree of over 4 KB, some 100 names, is read again for each file that is looked up */
  git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, (size_t)TREE_CACHED);
  bool ok = hm_git_read_keep(g, err) == 0 && check_name(g, err) == 0 &&
      hm_git_open_repository(g, err) == 0 && lock_repository(g, err) == 0 &&
      hm_git_remote_sync(g, err) == 0 && hm_git_read_tip(g, a, tip, err) == 0;
  g->edited = tip->n_edited;
  if (!ok)
    hm_git_close(g);
  *out = ok ? g : NULL;
  return ok ? 0 : -1;
}

/* libgit2 stays open until the process ends: closing it while a thread of hm_par_for is ending
 * would leak that thread's data, and opening it again takes 4 ms, for the certificates. */
void hm_git_close(hm_git *g) {
  if (!g)
    return;
  hm_lock_release(&g->lock);
  git_odb_free(g->odb);
  git_repository_free(g->repo);
  if (g->dir >= 0)
    close(g->dir);
  if (g->waiting >= 0)
    close(g->waiting);
  free(g->put);
  pthread_mutex_destroy(&g->lock_put);
  hm_arena_free(g->a);
  free(g);
}

int hm_git_publish(hm_git *g, const hm_site *s, hm_str message, hm_git_result *out, hm_err *err) {
  git_oid tree, commit;
  hm_git_objects news;
  int rc = -1;
  *out = (hm_git_result){ .edited = g->edited };
  hm_git_objects_init(&news, s->n_made, g->a);
  if (hm_git_tree_build(g, s, &news, &tree, err) != 0)
    goto out;
  git_oid_tostr(out->tree, sizeof out->tree, &tree);
  if (g->exists && git_oid_equal(&tree, &g->tip_tree)) {
    git_oid_tostr(out->commit, sizeof out->commit, &g->tip);
    rc = 0;
    goto out;
  }
  if (make_commit(g, &tree, message, &news, &commit, err) != 0 ||
      hm_git_write_pack(g, &news, err) != 0 || move_ref(g, &commit, err) != 0)
    goto out;
  git_oid_tostr(out->commit, sizeof out->commit, &commit);
  out->created = true;
  out->objects = news.n;
  out->packs = hm_git_count_packs(g);
  for (size_t i = 0; i < news.n; i++)
    out->files += news.o[i].type == GIT_OBJECT_BLOB;
  rc = 0;
out:
  free(news.o);
  return rc;
}
