/* Finds the commits that hold some bytes. Reads every file and every tree once, however many
 * commits have it. */
#include "gen/sink/git_read_impl.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/str.h"
#include "gen/sink/fs.h"

typedef struct {
  hm_git_reader *g;
  bool (*holds)(void *ctx, hm_str bytes);
  void *ctx;
  hm_arena *a, *one;
  hm_map trees, blobs; /* 20 bytes of an id -> 1 when it holds it */
  hm_map paths;        /* where it was found */
  hm_git_hits *out;
  size_t cap, cap_paths;
  char path[4096];
  size_t at;
  int depth;
  hm_err *err;
} search;

static hm_str id_key(const git_oid *id) { return (hm_str){ (const char *)id->id, GIT_OID_RAWSZ }; }

static void note_object(search *s, hm_map *m, const git_oid *id, bool holds) {
  hm_map_add(m, hm_str_dup(s->a, id_key(id)), holds);
}

/* --- files ---------------------------------------------------------------------- */

static void add_path(search *s) {
  hm_str path = { s->path, s->at };
  if (hm_map_get(&s->paths, path) != HM_MAP_NONE)
    return;
  s->out->paths =
      hm_array_grow(s->out->paths, s->out->n_paths, &s->cap_paths, sizeof *s->out->paths);
  path = hm_str_dup(s->a, path);
  hm_map_add(&s->paths, path, 1);
  s->out->paths[s->out->n_paths++] = path;
}

static int search_blob(search *s, const git_oid *id, bool *found) {
  char hex[41];
  hm_str bytes;
  uint32_t known = hm_map_get(&s->blobs, id_key(id));
  if (known == HM_MAP_NONE) {
    git_oid_tostr(hex, sizeof hex, id);
    hm_arena_reset(s->one);
    if (hm_git_read_blob_id(s->g, hex, s->one, &bytes, s->err) != 0)
      return -1;
    known = s->holds(s->ctx, bytes);
    note_object(s, &s->blobs, id, known);
    s->out->blobs += known;
  }
  *found = known == 1 || s->holds(s->ctx, (hm_str){ s->path, s->at });
  if (*found)
    add_path(s);
  return 0;
}

static int search_tree(search *s, const git_oid *id, bool *found);

static int search_entry(search *s, const git_tree_entry *e, bool *found) {
  const char *name = git_tree_entry_name(e);
  size_t before = s->at, n = strlen(name);
  git_object_t type = git_tree_entry_type(e);
  bool here = false;
  int rc = 0;
  if (s->at + n + 2 > sizeof s->path || s->depth >= HM_FS_DEPTH)
    return hm_fail(s->err, HM_E_OUTPUT, s->g->path, "a path in it is too long",
                   "no mirror has such folders; look at the branch with git ls-tree -r");
  memcpy(s->path + s->at, name, n);
  s->at += n;
  if (type == GIT_OBJECT_BLOB)
    rc = search_blob(s, git_tree_entry_id(e), &here);
  if (type == GIT_OBJECT_TREE) {
    s->path[s->at++] = '/';
    s->depth++;
    rc = search_tree(s, git_tree_entry_id(e), &here);
    s->depth--;
  }
  s->at = before;
  *found |= here;
  return rc;
}

/* The result for a tree is cached by its id; its paths are not added again, even when the folder
 * was moved. */
static int search_tree(search *s, const git_oid *id, bool *found) {
  git_tree *tree;
  uint32_t known = hm_map_get(&s->trees, id_key(id));
  bool here = false;
  *found = known == 1;
  if (known != HM_MAP_NONE)
    return 0;
  if (hm_git_read_tree(s->g, id, &tree, s->err) != 0)
    return -1;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < git_tree_entrycount(tree); i++)
    rc = search_entry(s, git_tree_entry_byindex(tree, i), &here);
  git_tree_free(tree);
  if (rc == 0)
    note_object(s, &s->trees, id, here);
  *found = here;
  return rc;
}

/* --- commits ---------------------------------------------------------------------- */

static int search_commit(search *s, const git_oid *id) {
  git_commit *c;
  hm_git_commit told;
  char hex[41];
  bool found = false;
  if (hm_git_read_commit(s->g, id, &c, s->err) != 0)
    return -1;
  int rc = search_tree(s, git_commit_tree_id(c), &found);
  git_commit_free(c);
  git_oid_tostr(hex, sizeof hex, id);
  if (rc != 0 || hm_git_commit_read(s->g, hex, s->a, &told, s->err) != 0)
    return -1;
  bool in_message = s->holds(s->ctx, told.message);
  hm_git_hits *out = s->out;
  if (found || in_message) {
    out->hits = hm_array_grow(out->hits, out->n, &s->cap, sizeof *out->hits);
    out->hits[out->n++] = (hm_git_hit){ told, in_message };
  }
  out->commits++;
  return 0;
}

static int search_commits(search *s, const char *tip) {
  git_revwalk *w = NULL;
  git_oid id;
  int rc = git_oid_fromstr(&id, tip) < 0 || git_revwalk_new(&w, s->g->repo) < 0 ||
          git_revwalk_sorting(w, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME) < 0 ||
          git_revwalk_push(w, &id) < 0
      ? hm_git_read_fail(s->g, "walk along the branch", s->err)
      : 0;
  while (rc == 0) {
    int next = git_revwalk_next(&id, w);
    if (next == GIT_ITEROVER)
      break;
    rc = next < 0 ? hm_git_read_fail(s->g, "walk along the branch", s->err) : search_commit(s, &id);
  }
  git_revwalk_free(w);
  return rc;
}

static void *keep_list(hm_arena *a, void *list, size_t n, size_t size) {
  void *copy = hm_alloc_array(a, n + 1, size);
  if (n)
    memcpy(copy, list, n * size);
  free(list);
  return copy;
}

int hm_git_search(hm_git_reader *g, const char *tip, bool (*holds)(void *ctx, hm_str bytes),
                  void *ctx, hm_arena *a, hm_git_hits *out, hm_err *err) {
  *out = (hm_git_hits){ 0 };
  search *s = hm_xmalloc(sizeof *s);
  *s = (search){
    .g = g, .holds = holds, .ctx = ctx, .a = a, .one = hm_arena_new(), .out = out, .err = err
  };
  hm_map_init(&s->trees, a, 256);
  hm_map_init(&s->blobs, a, 1024);
  hm_map_init(&s->paths, a, 64);
  int rc = search_commits(s, tip);
  out->hits = keep_list(a, out->hits, out->n, sizeof *out->hits);
  out->paths = keep_list(a, out->paths, out->n_paths, sizeof *out->paths);
  hm_strs_sort(out->paths, out->n_paths);
  hm_arena_free(s->one);
  free(s);
  return rc;
}
