/* The tree of a site of which most is as it was: the tip's folders with what changed put into their bytes. So it costs what the changed
 * folders are long, and nothing for the others. */
#include "gen/sink/git_impl.h"

/* A path that has another file now, or (file NULL) none. By path, bytewise, in which order git has the entries of a folder, too. */
typedef struct { hm_str path; const hm_file *file; const git_oid *id; } change;

typedef struct {
  hm_git *g;
  const change *c;
  hm_git_objects *news;
  hm_err *err;
} patching;

/* The changes [from, to) of one entry of a folder: path is the folder's and the entry's name. */
typedef struct { hm_str path, name; size_t from, to; bool folder; } group;

static int read_failed(const patching *p) { return hm_git_fail(p->g, "read the branch", p->err); }

static group next_group(const patching *p, const group *in, size_t at) {
  hm_str path = p->c[at].path;
  size_t skip = in->path.n ? in->path.n + 1 : 0, to = at + 1;
  const char *slash = memchr(path.p + skip, '/', path.n - skip);
  size_t end = slash ? (size_t)(slash - path.p) : path.n;
  while (slash && to < in->to && p->c[to].path.n > end && memcmp(p->c[to].path.p, path.p, end + 1) == 0) to++;
  return (group){ { path.p, end }, hm_str_sub(path, skip, end), at, to, slash != NULL };
}

/* A path of publish.keep that is there stays as it is, and a folder in which one is cannot become a file. */
static int check_keep(const patching *p, const group *c, hm_str old, bool *stays) {
  const hm_git *g = p->g;
  hm_git_entry e;
  *stays = false;
  if (!g->n_keep || !hm_git_raw_find(old, c->name, &e)) return 0;
  *stays = hm_git_is_kept(g, c->path);
  if (!*stays && !c->folder && p->c[c->from].file && e.mode == GIT_FILEMODE_TREE && hm_git_keeps_below(g, c->path))
    return hm_git_clash(c->path, p->err);
  return 0;
}

static int patch_folder(const patching *p, const group *in, const git_oid *old_id, git_oid *id, bool *empty);

/* What stands for the group instead of old (NULL: nothing). */
static int put_group(const patching *p, const group *c, const hm_git_entry *old, hm_buf *out) {
  git_oid was, id;
  bool empty = true;
  const change *first = &p->c[c->from];
  if (old) memcpy(was.id, old->id, GIT_OID_RAWSZ);
  if (!c->folder && !first->file) return 0;
  if (c->folder && patch_folder(p, c, old ? &was : NULL, &id, &empty) != 0) return -1;
  if (c->folder && empty) return 0;
  if (!c->folder) {
    id = *first->id;
    if (!old || !git_oid_equal(&was, &id)) hm_git_objects_add(p->news, p->g->a, &id, GIT_OBJECT_BLOB, first->file->bytes);
  }
  hm_git_entry_put(out, c->folder ? GIT_FILEMODE_TREE : GIT_FILEMODE_BLOB, c->name, id.id);
  return 0;
}

/* Takes the entries before the group off rest, and the group's own, if there is one. */
static bool pass(hm_str *rest, const group *c, hm_git_entry *e) {
  for (hm_str at = *rest; hm_git_entry_next(&at, e); *rest = at) {
    int order = hm_git_name_order(e->name, e->mode == GIT_FILEMODE_TREE, c->name, c->folder);
    if (order == 0) *rest = at;
    if (order >= 0) return order == 0;
  }
  return false;
}

static int patch_entries(const patching *p, const group *in, hm_str old, hm_buf *out) {
  hm_str rest = old, copy = old;   /* not looked at yet; not copied yet */
  hm_git_entry e;
  group c;
  for (size_t i = in->from; i < in->to; i = c.to) {
    bool stays;
    c = next_group(p, in, i);
    if (check_keep(p, &c, old, &stays) != 0) return -1;
    if (stays) continue;
    bool there = pass(&rest, &c, &e);
    const char *until = there ? e.raw.p : rest.p;
    hm_buf_add(out, copy.p, (size_t)(until - copy.p));
    copy = rest;
    if (put_group(p, &c, there ? &e : NULL, out) != 0) return -1;
  }
  hm_buf_str(out, copy);
  return 0;
}

static int patch_folder(const patching *p, const group *in, const git_oid *old_id, git_oid *id, bool *empty) {
  hm_str old = HM_EMPTY;
  hm_buf out = { 0 };
  if (old_id && hm_git_raw_tree(p->g, old_id, &old) != 0) return read_failed(p);
  if (hm_buf_room(&out, old.n)) out.n = 0;
  int rc = patch_entries(p, in, old, &out);
  hm_str bytes = hm_buf_keep(&out, p->g->a);
  hm_buf_free(&out);
  if (rc != 0) return -1;
  *empty = bytes.n == 0;
  hm_git_object_sum(GIT_OBJECT_TREE, bytes, id->id);
  bool known = old_id && git_oid_equal(old_id, id);
  if (known || (*empty && in->path.n)) return 0;
  hm_git_add_tree(p->g, p->news, in->path, id, bytes, old_id);
  return 0;
}

/* Both of them are sorted. */
static size_t merge(const hm_site *s, const hm_git_made *m, change *out) {
  size_t n = 0, k = 0;
  for (size_t i = 0; i < m->n; i++) {
    const hm_file *f = &s->files[m->at[i]];
    for (; k < s->n_gone && hm_str_cmp(s->gone[k], f->path) < 0; k++) out[n++] = (change){ .path = s->gone[k] };
    out[n++] = (change){ f->path, f, &m->ids[i] };
  }
  for (; k < s->n_gone; k++) out[n++] = (change){ .path = s->gone[k] };
  return n;
}

int hm_git_tree_patch(hm_git *g, const hm_site *s, const hm_git_made *m, hm_git_objects *l, git_oid *root, hm_err *err) {
  change *c = hm_alloc_array(g->a, m->n + s->n_gone, sizeof *c);
  const patching p = { g, c, l, err };
  bool empty;
  return patch_folder(&p, &(group){ .path = HM_EMPTY, .name = HM_EMPTY, .to = merge(s, m, c), .folder = true }, &g->tip_tree, root, &empty);
}
