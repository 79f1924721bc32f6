/* Blame, of the files that somebody asks for. libgit2 compares each commit of the history for each
 * file, so their product is bounded; the history of a file is read once. */
#include "gen/sink/git_blame.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/markdown/escape.h"
#include "gen/sink/git_common.h"

enum { COMMITS = 100000 }; /* commits times files */
enum { AUTHOR_BYTES = 80 };

typedef struct {
  hm_str path;      /* real */
  git_blame *blame; /* of HEAD's file; NULL: there is none */
  uint32_t *lines;  /* of each line of the file now: that of HEAD's, or 0 */
  size_t n;
  bool reads; /* its history is there */
} blamed;

typedef struct {
  hm_str top;
  git_repository *repo; /* NULL: its history is not whole, or cannot be read */
  size_t commits;
} history;

struct hm_git_blames {
  hm_worktrees *w;
  hm_arena *a;
  history *histories;
  size_t n_histories, cap_histories;
  blamed *files;
  size_t n_files, cap_files;
  hm_map at; /* path -> index into files */
  size_t left;
};

hm_git_blames *hm_git_blames_new(hm_worktrees *w) {
  hm_git_blames *b = hm_xmalloc(sizeof *b);
  *b = (hm_git_blames){ .w = w, .a = hm_arena_new(), .left = COMMITS };
  hm_map_init(&b->at, b->a, 64);
  git_libgit2_init(); /* stays open: see hm_git_close() */
  return b;
}

void hm_git_blames_free(hm_git_blames *b) {
  if (!b)
    return;
  for (size_t i = 0; i < b->n_files; i++) {
    git_blame_free(b->files[i].blame);
  }
  for (size_t i = 0; i < b->n_histories; i++)
    git_repository_free(b->histories[i].repo);
  hm_arena_free(b->a);
  free(b);
}

static size_t count_commits(git_repository *repo) {
  git_revwalk *walk = NULL;
  git_oid id;
  size_t n = 0;
  if (git_revwalk_new(&walk, repo) == 0 && git_revwalk_push_head(walk) == 0)
    while (n <= COMMITS && git_revwalk_next(&id, walk) == 0)
      n++;
  git_revwalk_free(walk);
  return n;
}

static const history *history_of(hm_git_blames *b, hm_str top) {
  for (size_t i = 0; i < b->n_histories; i++)
    if (hm_str_eq(b->histories[i].top, top))
      return &b->histories[i];
  b->histories =
      hm_array_grow_in(b->a, b->histories, b->n_histories, &b->cap_histories, sizeof *b->histories);
  history *h = &b->histories[b->n_histories++];
  *h = (history){ .top = top };
  if (hm_git_check_file_kinds(top.p, NULL, NULL) || hm_git_repository_open(&h->repo, top.p))
    h->repo = NULL;
  if (h->repo && git_repository_is_shallow(h->repo)) {
    git_repository_free(h->repo);
    h->repo = NULL;
  }
  h->commits = h->repo ? count_commits(h->repo) : 0;
  return h;
}

static int drop_added(const git_diff_delta *delta, const git_diff_hunk *hunk,
                      const git_diff_line *line, void *ctx) {
  blamed *of = ctx;
  (void)delta;
  (void)hunk;
  bool added = line->origin == GIT_DIFF_LINE_ADDITION && line->new_lineno > 0;
  if (added && (size_t)line->new_lineno <= of->n)
    of->lines[line->new_lineno - 1] = 0;
  return 0;
}

/* Lines behind the hunk are as many more or fewer in HEAD's file. */
static int shift_lines(const git_diff_delta *delta, const git_diff_hunk *hunk, void *ctx) {
  blamed *of = ctx;
  (void)delta;
  size_t behind = (size_t)hunk->new_start + (size_t)hunk->new_lines - (hunk->new_lines ? 1 : 0);
  for (size_t i = behind; i < of->n; i++)
    of->lines[i] = (uint32_t)((int64_t)of->lines[i] + hunk->old_lines - hunk->new_lines);
  return 0;
}

/* Which line of HEAD's file each line is. */
static int match_lines(hm_git_blames *b, blamed *of, git_repository *repo, const char *path,
                       hm_str bytes) {
  git_object *blob = NULL;
  git_diff_options opt;
  git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION);
  opt.context_lines = 0;
  opt.flags = GIT_DIFF_FORCE_TEXT;
  of->n = 1;
  for (size_t i = 0; i < bytes.n; i++)
    of->n += bytes.p[i] == '\n';
  of->lines = hm_alloc_array(b->a, of->n, sizeof *of->lines);
  for (size_t i = 0; i < of->n; i++)
    of->lines[i] = (uint32_t)i + 1;
  int rc = git_revparse_single(&blob, repo, HM_CAT(b->a, HM_STR("HEAD:"), hm_str_c(path)).p);
  if (!rc && git_object_type(blob) == GIT_OBJECT_BLOB)
    rc = git_diff_blob_to_buffer((git_blob *)blob, NULL, bytes.p, bytes.n, NULL, &opt, NULL, NULL,
                                 shift_lines, drop_added, of);
  git_object_free(blob);
  return rc;
}

static void blame(hm_git_blames *b, blamed *out, const hm_tree_file *f) {
  hm_err unread = { 0 };
  hm_str bytes;
  hm_tree_git git = hm_worktrees_git(b->w);
  hm_str top = git.top(git.ctx, f->folder.p, b->a);
  const history *h = top.n ? history_of(b, top) : NULL;
  if (!h || !h->repo || !h->commits || h->commits > b->left ||
      hm_tree_read(f, b->a, &bytes, &unread))
    return;
  b->left -= h->commits;
  out->reads = true;
  git_blame_options opt;
  git_blame_options_init(&opt, GIT_BLAME_OPTIONS_VERSION);
  const char *path = out->path.p + top.n + 1;
  if (match_lines(b, out, h->repo, path, bytes) ||
      git_blame_file(&out->blame, h->repo, path, &opt)) {
    git_error_clear();
    out->n = 0;
  }
}

static const blamed *blamed_of(hm_git_blames *b, const hm_tree_file *f) {
  hm_str path = HM_CAT(b->a, f->folder, HM_STR("/"), f->below);
  uint32_t i = hm_map_add(&b->at, path, (uint32_t)b->n_files);
  if (i < b->n_files)
    return &b->files[i];
  b->files = hm_array_grow_in(b->a, b->files, b->n_files, &b->cap_files, sizeof *b->files);
  b->files[b->n_files++] = (blamed){ .path = path };
  blame(b, &b->files[i], f);
  return &b->files[i];
}

bool hm_git_blame_reads(void *ctx, const hm_tree_file *f) { return blamed_of(ctx, f)->reads; }

hm_str hm_git_blame_line(void *ctx, const hm_tree_file *f, size_t line, hm_arena *a) {
  const blamed *of = blamed_of(ctx, f);
  uint32_t then = line && line <= of->n ? of->lines[line - 1] : 0;
  const git_blame_hunk *h = then && of->blame ? git_blame_get_hunk_byline(of->blame, then) : NULL;
  char id[13];
  if (!h || git_oid_is_zero(&h->final_commit_id) || !h->final_signature)
    return HM_EMPTY;
  git_oid_tostr(id, sizeof id, &h->final_commit_id);
  hm_str day = hm_time_iso(a, (hm_time)h->final_signature->when.time * 1000000);
  hm_str by = hm_clean_text(a, hm_text_cut(hm_str_c(h->final_signature->name), AUTHOR_BYTES));
  return hm_str_fmt(a, "%s, %.10s%s%.*s", id, day.p, by.n ? ", " : "", HM_FMT(by));
}
