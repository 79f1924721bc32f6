/* Blame, of the files that somebody asks for: a line goes to the parent that has it, until none
 * has.
 *
 * Commits that may have written lines of a file wait, the newest is looked at first; a parent with
 * the same file takes all lines at once, so most commits cost a look into their tree. libgit2's own
 * blame compares whole trees for that, which takes ten times as long. A renamed file goes on under
 * its old name. What is looked at for all files is bounded by STEPS: a commit is one, and so is
 * each BYTES_A_STEP of two versions that are compared.
 *
 * Of a line with a comment that settles it (core/notes/notes.h) the search goes on behind the
 * commit that changed the line, to the one that wrote the comment: a line that no parent has as it
 * is is looked for among those that the parent has instead, by its words, else by the comment
 * alone. */
#include "gen/sink/git_blame.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/markdown/escape.h"
#include "gen/sink/git_common.h"

enum { STEPS = 300000, BYTES_A_STEP = 4096, AUTHOR_BYTES = 80 };

typedef struct {
  hm_str path;     /* real */
  hm_str *said;    /* of each line of the file now; or empty */
  hm_str *written; /* of the comment of each line; or empty */
  size_t n;
  bool reads; /* its history is there */
} blamed;

typedef struct {
  hm_str top;
  git_repository *repo; /* NULL: its history is not whole, or cannot be read */
} history;

struct hm_git_blames {
  hm_worktrees *w;
  hm_arena *a;
  history *histories;
  size_t n_histories, cap_histories;
  blamed *files;
  size_t n_files, cap_files;
  hm_map at; /* path -> index into files */
  size_t steps;
};

hm_git_blames *hm_git_blames_new(hm_worktrees *w) {
  hm_git_blames *b = hm_xmalloc(sizeof *b);
  *b = (hm_git_blames){ .w = w, .a = hm_arena_new(), .steps = STEPS };
  hm_map_init(&b->at, b->a, 64);
  git_libgit2_init(); /* stays open: see hm_git_close() */
  return b;
}

void hm_git_blames_free(hm_git_blames *b) {
  if (!b)
    return;
  for (size_t i = 0; i < b->n_histories; i++)
    git_repository_free(b->histories[i].repo);
  hm_arena_free(b->a);
  free(b);
}

static git_repository *repository_of(hm_git_blames *b, hm_str top) {
  for (size_t i = 0; i < b->n_histories; i++)
    if (hm_str_eq(b->histories[i].top, top))
      return b->histories[i].repo;
  b->histories =
      hm_array_grow_in(b->a, b->histories, b->n_histories, &b->cap_histories, sizeof *b->histories);
  history *h = &b->histories[b->n_histories++];
  *h = (history){ .top = top };
  if (hm_git_worktree_open(&h->repo, top.p) != 0)
    h->repo = NULL;
  if (h->repo && git_repository_is_shallow(h->repo)) {
    git_repository_free(h->repo);
    h->repo = NULL;
  }
  return h->repo;
}

/* --- lines of one file ------------------------------------------------------------------------ */

typedef struct {
  uint32_t then, now; /* the line in the commit's file, and in the file as it is; from 0 */
  bool changed;       /* since then; its comment is the same */
} line_at;

/* A commit that has these lines in this file. Owns commit and v. */
typedef struct {
  git_commit *commit;
  hm_str path;
  git_oid blob;
  line_at *v;
  size_t n;
} suspect;

typedef struct {
  hm_arena *a;
  git_repository *repo;
  hm_str *said, *written; /* of each line now */
  bool *commented;        /* of each line now: it has a comment that settles it */
  size_t *steps;
  suspect *v;
  size_t n, cap;
} search;

static void forget(suspect *x) {
  git_commit_free(x->commit);
  free(x->v);
}

typedef struct {
  git_diff_hunk *all;
  size_t n, cap;
} hunks;

static int add_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *ctx) {
  hunks *h = ctx;
  (void)delta;
  h->all = hm_array_grow(h->all, h->n, &h->cap, sizeof *h->all);
  h->all[h->n++] = *hunk;
  return 0;
}

static int by_then(const void *x, const void *y) {
  const line_at *a = x, *b = y;
  return a->then < b->then ? -1 : a->then > b->then;
}

/* Parts sorted lines: those that the hunks added stay in v, the others, which an older file has,
 * go to *older, which the caller frees. */
static void part_lines(const hunks *h, line_at *v, size_t *n, line_at **older, size_t *n_older) {
  int64_t shift = 0;
  size_t kept = 0, k = 0;
  *older = hm_xmalloc((*n + 1) * sizeof **older);
  *n_older = 0;
  for (size_t i = 0; i < *n; i++) {
    int64_t line = (int64_t)v[i].then + 1;
    while (k < h->n && line >= h->all[k].new_start + h->all[k].new_lines + !h->all[k].new_lines) {
      shift += h->all[k].old_lines - h->all[k].new_lines;
      k++;
    }
    bool added = k < h->n && h->all[k].new_lines && line >= h->all[k].new_start;
    if (added)
      v[kept++] = v[i];
    else
      (*older)[(*n_older)++] = (line_at){ (uint32_t)(line - 1 + shift), v[i].now, v[i].changed };
  }
  *n = kept;
}

/* --- comments that settle a line ------------------------------------------------------------- */

/* A line with such a comment. */
typedef struct {
  size_t at; /* from 0 */
  hm_str comment, words;
} comment_line;

/* The first COMMENTS of a file: those of two versions are compared with each other. */
static size_t list_comments(hm_str bytes, hm_arena *a, comment_line **out) {
  enum { COMMENTS = 1000 };
  size_t n = 0, cap = 0, line = 0;
  *out = NULL;
  for (ptrdiff_t from; n < COMMENTS && (from = hm_str_find(bytes, "<!-- hmirror: ok")) >= 0;) {
    size_t begin = (size_t)from, end = (size_t)from;
    for (size_t i = 0; i < begin; i++)
      line += bytes.p[i] == '\n';
    while (begin && bytes.p[begin - 1] != '\n')
      begin--;
    while (end < bytes.n && bytes.p[end] != '\n')
      end++;
    hm_str comment = hm_str_sub(bytes, (size_t)from, end);
    ptrdiff_t to = hm_str_find(comment, "-->");
    *out = hm_array_grow_in(a, *out, n, &cap, sizeof **out);
    (*out)[n++] =
        (comment_line){ line, hm_str_trim(to < 0 ? comment : hm_str_sub(comment, 0, (size_t)to)),
                        hm_text_fold_name(a, hm_str_sub(bytes, begin, end)) };
    bytes = hm_str_sub(bytes, end, bytes.n);
  }
  return n;
}

/* The line of a hunk's old side with the comment of x: with the same words, else the only one;
 * or SIZE_MAX. */
static size_t find_comment(const git_diff_hunk *h, const comment_line *v, size_t n,
                           const comment_line *x) {
  size_t found = SIZE_MAX, n_found = 0;
  for (size_t i = 0; i < n; i++) {
    bool inside = v[i].at + 1 >= (size_t)h->old_start &&
        v[i].at + 1 < (size_t)h->old_start + (size_t)h->old_lines;
    if (!inside || !hm_str_eq(v[i].comment, x->comment))
      continue;
    if (hm_str_eq(v[i].words, x->words))
      return v[i].at;
    found = v[i].at;
    n_found++;
  }
  return n_found == 1 ? found : SIZE_MAX;
}

/* As part_lines, of those that it kept: lines whose comment the old side of their hunk has go to
 * *older. */
static void part_comments(const hunks *h, hm_str old, hm_str new, line_at *v, size_t *n,
                          line_at **older, size_t *n_older) {
  hm_arena *work = hm_arena_new();
  comment_line *then, *now;
  size_t n_now = list_comments(new, work, &now), kept = 0, c = 0, k = 0;
  size_t n_then = n_now ? list_comments(old, work, &then) : 0;
  *older = hm_xmalloc((*n + 1) * sizeof **older);
  *n_older = 0;
  for (size_t i = 0; i < *n; i++) {
    size_t line = v[i].then + 1, at = SIZE_MAX;
    while (c < n_now && now[c].at < v[i].then)
      c++;
    while (k < h->n && line >= (size_t)h->all[k].new_start + (size_t)h->all[k].new_lines)
      k++;
    if (n_then && c < n_now && now[c].at == v[i].then && k < h->n)
      at = find_comment(&h->all[k], then, n_then, &now[c]);
    if (at == SIZE_MAX)
      v[kept++] = v[i];
    else
      (*older)[(*n_older)++] = (line_at){ (uint32_t)at, v[i].now, v[i].changed };
  }
  *n = kept;
  qsort(*older, *n_older, sizeof **older, by_then);
  hm_arena_free(work);
}

/* Takes the commit and v. */
static void wait_for(search *s, git_commit *commit, hm_str path, const git_oid *blob, line_at *v,
                     size_t n) {
  suspect *x = NULL;
  for (size_t i = 0; i < s->n && !x; i++)
    if (git_oid_equal(git_commit_id(s->v[i].commit), git_commit_id(commit)) &&
        hm_str_eq(s->v[i].path, path))
      x = &s->v[i];
  if (!x) {
    s->v = hm_array_grow_in(s->a, s->v, s->n, &s->cap, sizeof *s->v);
    s->v[s->n++] = (suspect){ commit, path, *blob, v, n };
    return;
  }
  x->v = hm_xrealloc(x->v, (x->n + n) * sizeof *x->v);
  memcpy(x->v + x->n, v, n * sizeof *v);
  x->n += n;
  qsort(x->v, x->n, sizeof *x->v, by_then);
  free(v);
  git_commit_free(commit);
}

static bool find_blob(const git_commit *commit, hm_str path, git_oid *out) {
  git_tree *tree = NULL;
  git_tree_entry *e = NULL;
  bool found = git_commit_tree(&tree, commit) == 0 &&
      git_tree_entry_bypath(&e, tree, path.p) == 0 && git_tree_entry_type(e) == GIT_OBJECT_BLOB;
  if (found)
    *out = *git_tree_entry_id(e);
  git_tree_entry_free(e);
  git_tree_free(tree);
  return found;
}

/* The name of the file in a parent that does not have it under its own. */
static bool find_renamed(search *s, const suspect *x, const git_commit *parent, hm_str *path,
                         git_oid *blob) {
  git_tree *now = NULL, *then = NULL;
  git_diff *diff = NULL;
  git_diff_find_options opt;
  bool found = false;
  git_diff_find_options_init(&opt, GIT_DIFF_FIND_OPTIONS_VERSION);
  opt.flags = GIT_DIFF_FIND_RENAMES;
  int rc = git_commit_tree(&now, x->commit) || git_commit_tree(&then, parent) ||
      git_diff_tree_to_tree(&diff, s->repo, then, now, NULL) || git_diff_find_similar(diff, &opt);
  for (size_t i = 0; !rc && !found && i < git_diff_num_deltas(diff); i++) {
    const git_diff_delta *d = git_diff_get_delta(diff, i);
    found = d->status == GIT_DELTA_RENAMED && hm_str_is(x->path, d->new_file.path);
    if (!found)
      continue;
    *path = hm_str_dup(s->a, hm_str_c(d->old_file.path));
    *blob = d->old_file.id;
  }
  git_diff_free(diff);
  git_tree_free(now);
  git_tree_free(then);
  return found;
}

static hm_str text_of(const git_blob *blob) {
  return (hm_str){ git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob) };
}

static hm_str words_of(search *s, const git_commit *commit) {
  const git_signature *by = git_commit_author(commit);
  char id[13];
  git_oid_tostr(id, sizeof id, git_commit_id(commit));
  hm_time second = by->when.time < INT64_MAX / 1000000 && by->when.time > INT64_MIN / 1000000
      ? by->when.time
      : 0;
  hm_str day = hm_time_iso(s->a, second * 1000000);
  hm_str name = hm_clean_text(s->a, hm_text_cut(hm_str_c(by->name), AUTHOR_BYTES));
  return hm_str_fmt(s->a, "%s, %.10s%s%.*s", id, day.p, name.n ? ", " : "", HM_FMT(name));
}

/* The commit changed these lines; an older one wrote their comments. */
static void note_changed(search *s, hm_str said, line_at *v, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!v[i].changed)
      s->said[v[i].now] = said;
    v[i].changed = true;
  }
}

/* Which lines of x the parent has, too; by_comment: which of their comments. Takes the parent. */
static int ask_parent(search *s, suspect *x, git_commit *parent, hm_str path, const git_oid *blob,
                      bool by_comment) {
  git_blob *old = NULL, *new = NULL;
  hunks h = { 0 };
  line_at *older = NULL;
  size_t n = 0;
  git_diff_options opt;
  git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION);
  opt.context_lines = 0;
  opt.flags = GIT_DIFF_FORCE_TEXT;
  int rc = git_blob_lookup(&old, s->repo, blob) || git_blob_lookup(&new, s->repo, &x->blob) ||
      git_diff_blobs(old, NULL, new, NULL, &opt, NULL, NULL, add_hunk, NULL, &h);
  if (!rc) {
    size_t cost = ((size_t)git_blob_rawsize(old) + (size_t)git_blob_rawsize(new)) / BYTES_A_STEP;
    *s->steps -= cost < *s->steps ? cost : *s->steps - 1;
    if (!by_comment) {
      part_lines(&h, x->v, &x->n, &older, &n);
    } else {
      part_comments(&h, text_of(old), text_of(new), x->v, &x->n, &older, &n);
      note_changed(s, words_of(s, x->commit), older, n);
    }
  }
  if (n)
    wait_for(s, parent, path, blob, older, n);
  else
    forget(&(suspect){ .commit = parent, .v = older });
  git_blob_free(old);
  git_blob_free(new);
  free(h.all);
  return rc;
}

static void say(search *s, const suspect *x) {
  hm_str said = words_of(s, x->commit);
  for (size_t i = 0; i < x->n; i++) {
    s->written[x->v[i].now] = said;
    if (!x->v[i].changed)
      s->said[x->v[i].now] = said;
  }
}

/* Gives the lines of x to the parents that have them, or their comments. */
static int ask_parents(search *s, suspect *x, bool renamed, bool by_comment) {
  unsigned n = git_commit_parentcount(x->commit);
  for (unsigned i = 0; i < n && x->n; i++) {
    hm_str path = x->path;
    git_oid blob;
    git_commit *parent;
    if (git_commit_parent(&parent, x->commit, i))
      return -1;
    bool has = renamed ? find_renamed(s, x, parent, &path, &blob) : find_blob(parent, path, &blob);
    if (!has)
      git_commit_free(parent);
    else if (ask_parent(s, x, parent, path, &blob, by_comment))
      return -1;
  }
  return 0;
}

/* Gives the lines of x to its parents, and what no parent has to x. */
static int look_at(search *s, suspect *x) {
  unsigned n = git_commit_parentcount(x->commit), n_with = 0;
  git_oid blob;
  git_commit *parent;
  for (unsigned i = 0; i < n; i++) {
    if (git_commit_parent(&parent, x->commit, i))
      return -1;
    bool has = find_blob(parent, x->path, &blob);
    n_with += has;
    if (has && git_oid_equal(&blob, &x->blob)) {
      wait_for(s, parent, x->path, &blob, x->v, x->n);
      x->v = NULL;
      return 0;
    }
    git_commit_free(parent);
  }
  if (ask_parents(s, x, !n_with, false))
    return -1;
  bool commented = false;
  for (size_t i = 0; i < x->n; i++)
    commented |= s->commented[x->v[i].now];
  if (commented && ask_parents(s, x, !n_with, true))
    return -1;
  say(s, x);
  return 0;
}

/* Takes the newest that waits. */
static suspect take_newest(search *s) {
  size_t at = 0;
  for (size_t i = 1; i < s->n; i++)
    if (git_commit_time(s->v[i].commit) > git_commit_time(s->v[at].commit))
      at = i;
  suspect x = s->v[at];
  s->v[at] = s->v[--s->n];
  return x;
}

/* --- files ------------------------------------------------------------------------------------ */

/* The lines of the file that HEAD's has, too, wait for HEAD; none where it has no such file. */
static int begin(search *s, hm_str path, hm_str bytes, size_t n) {
  git_object *head = NULL;
  git_blob *blob = NULL;
  git_oid id;
  hunks h = { 0 };
  git_diff_options opt;
  git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION);
  opt.context_lines = 0;
  opt.flags = GIT_DIFF_FORCE_TEXT;
  line_at *all = hm_xmalloc(n * sizeof *all), *older;
  for (size_t i = 0; i < n; i++)
    all[i] = (line_at){ (uint32_t)i, (uint32_t)i, false };
  bool there = !git_revparse_single(&head, s->repo, "HEAD^{commit}") &&
      find_blob((git_commit *)head, path, &id);
  int rc = there &&
          (git_blob_lookup(&blob, s->repo, &id) ||
           git_diff_blob_to_buffer(blob, NULL, bytes.p, bytes.n, NULL, &opt, NULL, NULL, add_hunk,
                                   NULL, &h))
      ? -1
      : 0;
  if (there && !rc) {
    size_t n_older, n_changed;
    line_at *changed;
    part_lines(&h, all, &n, &older, &n_older);
    part_comments(&h, text_of(blob), bytes, all, &n, &changed, &n_changed);
    for (size_t i = 0; i < n_changed; i++) {
      older[n_older] = changed[i];
      older[n_older++].changed = true; /* and not committed */
    }
    free(changed);
    qsort(older, n_older, sizeof *older, by_then);
    wait_for(s, (git_commit *)head, path, &id, older, n_older);
    head = NULL;
  }
  git_object_free(head);
  git_blob_free(blob);
  free(h.all);
  free(all);
  return rc;
}

static void blame(hm_git_blames *b, blamed *out, const hm_tree_file *f) {
  hm_err unread = { 0 };
  hm_str bytes;
  hm_tree_git git = hm_worktrees_git(b->w);
  hm_str top = git.top(git.ctx, f->folder.p, b->a);
  git_repository *repo = top.n ? repository_of(b, top) : NULL;
  if (!repo || !b->steps || hm_tree_read(f, b->a, &bytes, &unread))
    return;
  out->n = 1;
  for (size_t i = 0; i < bytes.n; i++)
    out->n += bytes.p[i] == '\n';
  out->said = hm_alloc_array(b->a, out->n, sizeof *out->said);
  out->written = hm_alloc_array(b->a, out->n, sizeof *out->written);
  search s = { .a = b->a,
               .repo = repo,
               .said = out->said,
               .written = out->written,
               .commented = hm_alloc_array(b->a, out->n, sizeof *s.commented),
               .steps = &b->steps };
  comment_line *comments;
  size_t n_comments = list_comments(bytes, b->a, &comments);
  for (size_t i = 0; i < n_comments; i++)
    s.commented[comments[i].at] = true;
  int rc = begin(&s, hm_str_sub(out->path, top.n + 1, out->path.n), bytes, out->n);
  for (; !rc && s.n && b->steps; b->steps--) {
    suspect x = take_newest(&s);
    rc = look_at(&s, &x);
    forget(&x);
  }
  out->reads = !rc && !s.n;
  while (s.n)
    forget(&s.v[--s.n]);
  git_error_clear();
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
  return line && line <= of->n && of->said[line - 1].n ? hm_str_dup(a, of->said[line - 1])
                                                       : HM_EMPTY;
}

hm_str hm_git_blame_comment(void *ctx, const hm_tree_file *f, size_t line, hm_arena *a) {
  const blamed *of = blamed_of(ctx, f);
  return line && line <= of->n && of->written[line - 1].n ? hm_str_dup(a, of->written[line - 1])
                                                          : HM_EMPTY;
}
