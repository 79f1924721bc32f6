/* What manifests of a tree state, as lines of records (core/tree/manifest.h). A state of a file
 * below the top is about the folder in which the file lies. */
#include <string.h>

#include "core/base/digest.h"
#include "core/notes/notes_impl.h"
#include "core/tree/manifest.h"

/* The words before the keys of a file's states: the component of its folder, else the folder. */
static hm_str subject_of(const hm_tree_file *f, hm_arena *a) {
  hm_str path = f->source;
  note_file file;
  bool absolute = hm_char_at(f->path, 0, '/');
  const char *first = path.n ? memchr(path.p, '/', path.n) : NULL;
  if (absolute && first) /* the folder that the command names is the top */
    path = hm_str_sub(path, (size_t)(first - path.p) + 1, path.n);
  const char *last = path.n ? memrchr(path.p, '/', path.n) : NULL;
  if (!last)
    return HM_EMPTY;
  note_file_read(&file, path, a);
  if (file.component.n)
    return HM_CAT(a, file.component, HM_STR(" "));
  return HM_CAT(a, hm_str_sub(path, 0, (size_t)(last - path.p)), HM_STR(" "));
}

static void write_state(hm_buf *b, const hm_tree_file *f, const hm_tree_state *s, hm_str subject,
                        hm_arena *a) {
  hm_jw w;
  hm_str key = HM_CAT(a, subject, s->key);
  hm_str digest = hm_str_digest_hex(a, HM_CAT(a, f->source, HM_STR("\n"), key), 16);
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "kind", HM_STR("project_state"));
  hm_jw_str(&w, "id", HM_CAT(a, HM_STR("s-"), digest));
  hm_jw_str(&w, "key", key);
  hm_jw_raw(&w, "value", s->value);
  hm_jw_str(&w, "source", hm_str_fmt(a, "%.*s:%zu", HM_FMT(f->source), s->line));
  hm_jw_end(&w);
  hm_buf_ch(b, '\n');
}

int hm_notes_manifest_lines(const hm_tree *t, const hm_tree_file *f, hm_arena *a, hm_str *lines,
                            hm_err *err) {
  hm_tree_state *v;
  size_t n;
  hm_buf b = { 0 };
  if (hm_tree_states(t, f, a, &v, &n, err))
    return -1;
  hm_str subject = subject_of(f, a);
  for (size_t i = 0; i < n; i++)
    write_state(&b, f, &v[i], subject, a);
  *lines = hm_buf_take(&b, a);
  return 0;
}
