/* Trees as git stores them: "<mode> <name>\0<id>" for each entry, folders in their order as if their names ended in '/'. libgit2 makes a table
 * of each that is looked at, which for one of many thousand entries costs more than all else that is done with it. */
#include "gen/sink/git_impl.h"
#include "gen/sink/git_read.h"

bool hm_git_entry_next(hm_str *rest, hm_git_entry *e) {
  size_t at = 0;
  unsigned mode = 0;
  for (; at < rest->n && at < 7 && rest->p[at] >= '0' && rest->p[at] <= '7'; at++) mode = mode << 3 | (unsigned)(rest->p[at] - '0');
  if (at == 0 || at == rest->n || rest->p[at] != ' ') return false;
  const char *name = rest->p + at + 1, *end = memchr(name, 0, rest->n - at - 1);
  if (!end || end == name || rest->p + rest->n - end <= GIT_OID_RAWSZ) return false;
  *e = (hm_git_entry){ .name = { name, (size_t)(end - name) }, .mode = mode, .id = (const unsigned char *)end + 1 };
  e->raw = hm_str_sub(*rest, 0, (size_t)(end + 1 + GIT_OID_RAWSZ - rest->p));
  *rest = hm_str_sub(*rest, e->raw.n, rest->n);
  return true;
}

int hm_git_name_order(hm_str x, bool x_is_tree, hm_str y, bool y_is_tree) {
  size_t n = x.n < y.n ? x.n : y.n;
  int c = memcmp(x.p, y.p, n);
  if (c) return c;
  int p = x.n > n ? (unsigned char)x.p[n] : x_is_tree ? '/' : 0;
  int q = y.n > n ? (unsigned char)y.p[n] : y_is_tree ? '/' : 0;
  return p - q;
}

void hm_git_entry_put(hm_buf *out, unsigned mode, hm_str name, const unsigned char *id) {
  char digits[12];
  size_t at = sizeof digits;
  digits[--at] = ' ';
  do digits[--at] = (char)('0' + (mode & 7));
  while (mode >>= 3);
  hm_buf_add(out, digits + at, sizeof digits - at);
  hm_buf_str(out, name);
  hm_buf_ch(out, 0);
  hm_buf_add(out, id, GIT_OID_RAWSZ);
}

/* --- of the repository ------------------------------------------------------------ */

static int read_odb(hm_git *g, const git_oid *id, hm_str *bytes) {
  git_odb_object *o = NULL;
  int rc = git_odb_read(&o, g->odb, id);
  if (rc == 0 && git_odb_object_type(o) != GIT_OBJECT_TREE) {
    git_error_set_str(GIT_ERROR_OBJECT, "an object is no tree");
    rc = -1;
  }
  if (rc == 0) *bytes = hm_str_dup(g->a, (hm_str){ git_odb_object_data(o), git_odb_object_size(o) });
  git_odb_object_free(o);
  return rc < 0 ? -1 : 0;
}

/* A publication that changes all projects reads thousands. */
static void note_read(hm_git *g, const git_oid *id, hm_str bytes) {
  if (g->n_trees == g->cap_trees) {
    g->cap_trees = g->cap_trees ? 2 * g->cap_trees : 64;
    hm_git_tree_read *more = hm_alloc_array(g->a, g->cap_trees, sizeof *more);
    if (g->n_trees) memcpy(more, g->trees, g->n_trees * sizeof *more);
    g->trees = more;
  }
  g->trees[g->n_trees] = (hm_git_tree_read){ *id, bytes };
  hm_map_add(&g->tree_at, hm_str_dup(g->a, (hm_str){ (const char *)id->id, GIT_OID_RAWSZ }), (uint32_t)g->n_trees++);
}

int hm_git_raw_tree(hm_git *g, const git_oid *id, hm_str *bytes) {
  if (!g->tree_at.a) hm_map_init(&g->tree_at, g->a, 64);
  uint32_t at = hm_map_get(&g->tree_at, (hm_str){ (const char *)id->id, GIT_OID_RAWSZ });
  if (at != HM_MAP_NONE) {
    *bytes = g->trees[at].bytes;
    return 0;
  }
  if (!hm_git_memory_tree(g->opt->memory, id, g->a, bytes) && !hm_git_own_read(g, id, GIT_OBJECT_TREE, HM_GIT_MAX_BLOB, g->a, bytes) &&
      read_odb(g, id, bytes) != 0) return -1;
  note_read(g, id, *bytes);
  return 0;
}

bool hm_git_raw_find(hm_str tree, hm_str name, hm_git_entry *e) {
  while (hm_git_entry_next(&tree, e))
    if (hm_str_eq(e->name, name)) return true;
  return false;
}

bool hm_git_raw_path(hm_git *g, const git_oid *root, hm_str path, hm_git_entry *e) {
  git_oid id = *root;
  for (;;) {
    hm_str tree;
    const char *slash = memchr(path.p, '/', path.n);
    hm_str name = hm_str_sub(path, 0, slash ? (size_t)(slash - path.p) : path.n);
    if (hm_git_raw_tree(g, &id, &tree) != 0 || !hm_git_raw_find(tree, name, e)) return false;
    if (!slash) return true;
    if (e->mode != GIT_FILEMODE_TREE) return false;
    memcpy(id.id, e->id, GIT_OID_RAWSZ);
    path = hm_str_sub(path, name.n + 1, path.n);
  }
}
