#include "gen/sink/git.h"

#include <stdlib.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

static int take_lock(hm_git *g, hm_err *err) {
  char *shown = hm_str_z(g->a, hm_str_fmt(g->a, "%shmirror.lock", g->common));
  return hm_lock_take(&g->lock, g->dir, "hmirror.lock", shown, HM_LOCK_WAIT_MS, err);
}

hm_git_place hm_git_here(const hm_git *g) {
  return (hm_git_place){ g->a, g->opt->repo, g->common, g->dir, g->lock.died };
}

static int clear_stale(hm_git *g, hm_err *err) {
  const hm_git_place here = hm_git_here(g);
  hm_git_remove_half_files(&here);
  return hm_git_clear_ref_lock(&here, g->ref, err);
}

int hm_git_open(const hm_git_options *opt, hm_arena *a, hm_git **out, hm_git_tip *tip,
                hm_err *err) {
  hm_git *g = hm_xmalloc(sizeof *g);
  *g = (hm_git){ .opt = opt, .a = hm_arena_new(), .dir = -1, .lock.fd = -1 };
  *tip = (hm_git_tip){ .conflicts_json = HM_EMPTY, .manifest_json = HM_EMPTY };
  git_libgit2_init();
  git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR,
                   opt->durable ? 1 : 0); /* seen when refs are first looked at, and never again */
  if (hm_git_keep_init(g, err) != 0) goto bad;
  if (hm_git_check_name(g, err) != 0) goto bad;
  if (hm_git_open_repository(g, err) != 0) goto bad;
  if (take_lock(g, err) != 0) goto bad;
  if (hm_git_check_branch(g, err) != 0) goto bad;
  if (clear_stale(g, err) != 0) goto bad;
  if (hm_git_remote_sync(g, err) != 0) goto bad;
  if (hm_git_read_tip(g, a, tip, err) != 0) goto bad;
  g->edited = tip->n_edited;
  *out = g;
  return 0;
bad:
  hm_git_close(g);
  *out = NULL;
  return -1;
}

void hm_git_close(hm_git *g) {
  if (!g) return;
  hm_lock_release(&g->lock);
  git_odb_free(g->odb);
  git_repository_free(g->repo);
  if (g->dir >= 0) close(g->dir);
  hm_arena_free(g->a);
  git_libgit2_shutdown();
  free(g);
}

static int publish(hm_git *g, const hm_site *s, hm_str message, hm_git_objects *news,
                   hm_git_result *out, hm_err *err) {
  git_oid tree, commit;
  char pack[HM_PACK_NAME];
  if (hm_git_tree_build(g, s, news, &tree, err) != 0) return -1;
  git_oid_tostr(out->tree, sizeof out->tree, &tree);
  if (g->exists && git_oid_equal(&tree, &g->tip_tree)) {
    git_oid_tostr(out->commit, sizeof out->commit, &g->tip);
    return 0;
  }
  if (hm_git_commit_build(g, &tree, message, news, &commit, err) != 0) return -1;
  if (hm_git_write_pack(g, news, pack, err) != 0) return -1;
  if (hm_git_move_ref(g, &commit, err) != 0) return -1;
  hm_git_packs_gather(g);
  git_oid_tostr(out->commit, sizeof out->commit, &commit);
  out->created = true;
  out->objects = news->n;
  for (size_t i = 0; i < news->n; i++) out->files += news->o[i].type == GIT_OBJECT_BLOB;
  return 0;
}

int hm_git_publish(hm_git *g, const hm_site *s, hm_str message, hm_git_result *out, hm_err *err) {
  hm_git_objects news;
  *out = (hm_git_result){ .edited = g->edited };
  hm_git_objects_init(&news, g->a);
  return publish(g, s, message, &news, out, err);
}
