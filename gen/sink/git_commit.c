#include <string.h>

#include "core/base/text.h"
#include "gen/sink/git_impl.h"

/* As git itself does it: no control characters or '<' '>', none of "., :;\"'" and white space at
 * the ends. */
static hm_str clean_name(hm_git *g, const char *raw) {
  hm_str s = hm_text_repair(g->a, hm_str_c(raw));
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n; i++)
    if ((unsigned char)s.p[i] >= 32 && s.p[i] != 127 && s.p[i] != '<' && s.p[i] != '>')
      hm_buf_ch(&b, s.p[i]);
  hm_str out = hm_buf_keep(&b, g->a);
  hm_buf_free(&b);
  static const char crud[] = " .,:;\"'\\";
  while (out.n && memchr(crud, out.p[0], sizeof crud - 1)) out = hm_str_sub(out, 1, out.n);
  while (out.n && memchr(crud, out.p[out.n - 1], sizeof crud - 1)) out.n--;
  return out;
}

/* Valid UTF-8, no NUL, one line break at the end. */
static void put_message(hm_git *g, hm_buf *b, hm_str message) {
  hm_str m = hm_text_repair(g->a, message);
  while (m.n && m.p[m.n - 1] == '\n') m.n--;
  for (size_t i = 0; i < m.n; i++) hm_buf_ch(b, m.p[i] ? m.p[i] : ' ');
  hm_buf_ch(b, '\n');
}

static void put_person(hm_buf *b, const char *role, hm_str name, hm_str email, int64_t when) {
  hm_buf_fmt(b, "%s %.*s <%.*s> %lld +0000\n", role, HM_FMT(name), HM_FMT(email),
             (long long)(when < 0 ? 0 : when));
}

int hm_git_commit_build(hm_git *g, const git_oid *tree, hm_str message, hm_git_objects *l,
                        git_oid *id, hm_err *err) {
  hm_str name = clean_name(g, g->opt->author_name), email = clean_name(g, g->opt->author_email);
  if (!name.n) return hm_fail(err, HM_E_USAGE, "author", "the name is empty", "give a name");
  char hex[GIT_OID_HEXSZ + 1];
  hm_buf b = { 0 };
  hm_buf_fmt(&b, "tree %s\n", git_oid_tostr(hex, sizeof hex, tree));
  if (g->exists) hm_buf_fmt(&b, "parent %s\n", git_oid_tostr(hex, sizeof hex, &g->tip));
  put_person(&b, "author", name, email, g->opt->when);
  put_person(&b, "committer", name, email, g->opt->when);
  hm_buf_ch(&b, '\n');
  put_message(g, &b, message);
  hm_str bytes = hm_buf_keep(&b, g->a);
  hm_buf_free(&b);
  if (git_odb_hash(id, bytes.p, bytes.n, GIT_OBJECT_COMMIT) < 0)
    return hm_git_fail(g, "hash the commit", err);
  hm_git_objects_add(l, g->a, id, GIT_OBJECT_COMMIT, bytes);
  return 0;
}
