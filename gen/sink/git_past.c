/* The files of a command as another commit has them, and which lines differ. Of another branch that
 * is the commit from which both went on, so that what happened there since is no difference here. A
 * file lies below the top of its work tree; the paths of a commit are put below that top, and the
 * walk's own rules say which of them the words find. Cost: the paths of the commit, and the content
 * of what is found. */
#include <git2.h>
#include <string.h>

#include "gen/sink/git_read.h"
#include "gen/sink/git_worktree.h"

typedef struct {
  hm_worktrees *w;
  const char *rev;
  hm_arena *a;
  hm_str *tops;
  size_t n_tops, cap_tops;
  hm_str *paths;
  hm_git_reader **readers; /* of each path */
  const char **ids;
  size_t n, cap, cap_readers, cap_ids;
  hm_err *err;
} past;

static int list_tops(past *p, const hm_tree *t) {
  hm_tree_git git = hm_worktrees_git(p->w);
  hm_map seen;
  hm_map_init(&seen, p->a, 8);
  for (size_t i = 0; i < t->n_files; i++) {
    hm_str top = git.top(git.ctx, t->files[i].folder.p, p->a);
    if (!top.n)
      return hm_fail(p->err, HM_E_INPUT, t->files[i].path.p, "lies in no git work tree",
                     "give --fail-on open");
    if (hm_map_add(&seen, top, (uint32_t)p->n_tops) < p->n_tops)
      continue;
    p->tops = hm_array_grow_in(p->a, p->tops, p->n_tops, &p->cap_tops, sizeof *p->tops);
    p->tops[p->n_tops++] = top;
  }
  return 0;
}

static int resolve(const past *p, hm_git_reader *g, char commit[41]) {
  static const char *const targets[] = { "origin/HEAD", "origin/main", "origin/master", "main",
                                         "master" };
  if (p->rev)
    return hm_git_resolve(g, p->rev, commit, p->err);
  for (size_t i = 0; i < HM_COUNT(targets); i++) {
    hm_err none = { 0 };
    if (hm_git_resolve(g, targets[i], commit, &none) == 0)
      return 0;
  }
  return hm_fail(p->err, HM_E_UNKNOWN, "--fail-on new", "there is no branch origin/HEAD or main",
                 "name the commit to compare with: --baseline REV");
}

static int add_paths(past *p, hm_git_reader *g, hm_str top, const char *commit) {
  hm_git_file *files;
  size_t n;
  if (hm_git_commit_files(g, commit, p->a, &files, &n, p->err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    if (files[i].mode != 0100644 && files[i].mode != 0100755)
      continue;
    p->paths = hm_array_grow_in(p->a, p->paths, p->n, &p->cap, sizeof *p->paths);
    p->readers = hm_array_grow_in(p->a, p->readers, p->n, &p->cap_readers, sizeof *p->readers);
    p->ids = hm_array_grow_in(p->a, p->ids, p->n, &p->cap_ids, sizeof *p->ids);
    p->readers[p->n] = g;
    p->ids[p->n] = files[i].id;
    p->paths[p->n++] = HM_CAT(p->a, top, HM_STR("/"), files[i].path);
  }
  return 0;
}

/* Files over the limit of a tree have nothing in them, as they are not read. */
static int read_files(past *p, hm_tree *t) {
  hm_map at;
  hm_map_init(&at, p->a, p->n);
  for (size_t i = 0; i < p->n; i++)
    hm_map_add(&at, p->paths[i], (uint32_t)i);
  for (size_t i = 0; i < t->n_files; i++) {
    hm_tree_file *f = &t->files[i];
    uint32_t k = hm_map_get(&at, HM_CAT(p->a, f->folder, HM_STR("/"), f->below));
    f->past = HM_EMPTY;
    if (k == HM_MAP_NONE)
      continue;
    if (hm_git_read_blob_id(p->readers[k], p->ids[k], p->a, &f->past, p->err))
      return -1;
    if (f->past.n > HM_TREE_FILE_MAX || !f->past.p)
      f->past = HM_EMPTY;
    f->size = (int64_t)f->past.n;
  }
  return 0;
}

int hm_worktrees_list_past(hm_worktrees *w, const hm_tree *t, const char *rev, hm_arena *a,
                           hm_tree **out, char commit[41], hm_err *err) {
  past p = { .w = w, .rev = rev, .a = a, .err = err };
  if (list_tops(&p, t))
    return -1;
  hm_git_reader **open = hm_alloc_array(a, p.n_tops + 1, sizeof *open);
  int rc = 0;
  for (size_t i = 0; i < p.n_tops && !rc; i++) {
    char id[41];
    rc = hm_git_reader_open(p.tops[i].p, &open[i], err) || resolve(&p, open[i], id) ? -1 : 0;
    if (!rc)
      hm_git_take_merge_base(open[i], id);
    if (!rc)
      rc = add_paths(&p, open[i], p.tops[i], id);
    if (!rc && !i)
      memcpy(commit, id, sizeof id);
  }
  if (!rc) {
    hm_tree_list_past(t, p.paths, p.n, a, out);
    rc = read_files(&p, *out);
  }
  for (size_t i = 0; i < p.n_tops; i++)
    hm_git_reader_close(open[i]);
  return rc;
}

/* --- lines ------------------------------------------------------------------------------------ */

typedef struct {
  bool *touched;
  size_t n;
} touching;

static int touch_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
                      const git_diff_line *line, void *ctx) {
  touching *t = ctx;
  (void)delta;
  (void)hunk;
  bool added = line->origin == GIT_DIFF_LINE_ADDITION && line->new_lineno > 0;
  if (added && (size_t)line->new_lineno <= t->n)
    t->touched[line->new_lineno - 1] = true;
  return 0;
}

void hm_git_touched_lines(hm_str before, hm_str now, hm_arena *a, bool **touched, size_t *n) {
  git_diff_options opt;
  touching t = { .n = 1 };
  for (size_t i = 0; i < now.n; i++)
    t.n += now.p[i] == '\n';
  t.touched = hm_alloc_array(a, t.n, sizeof *t.touched);
  git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION);
  opt.context_lines = 0;
  opt.flags = GIT_DIFF_FORCE_TEXT;
  if (git_diff_buffers(before.p, before.n, NULL, now.p, now.n, NULL, &opt, NULL, NULL, NULL,
                       touch_line, &t) < 0)
    memset(t.touched, true, t.n);
  *touched = t.touched;
  *n = t.n;
}
