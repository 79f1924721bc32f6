#include "gen/render/markdown.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gen/render/md_impl.h"

enum { MAX_MARKDOWN = 64 << 20, MARGIN = 16 };

/* As CommonMark has it. */
static hm_str without_nuls(hm_str md, hm_arena *a) {
  if (!md.n || !memchr(md.p, 0, md.n)) return md;
  hm_buf b = { 0 };
  for (const char *nul; md.n && (nul = memchr(md.p, 0, md.n)); md = hm_str_sub(md, (size_t)(nul - md.p) + 1, md.n)) {
    hm_buf_add(&b, md.p, (size_t)(nul - md.p));
    hm_buf_c(&b, "\uFFFD");
  }
  hm_buf_str(&b, md);
  md = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return md;
}

int hm_md_ready(hm_str *md, hm_arena *a, hm_err *err) {
  if (md->n > MAX_MARKDOWN) return hm_fail(err, HM_E_INTERNAL, "page", "its Markdown is over 64 MiB", "split its list (publish.list_limit)");
  *md = hm_md_tables(without_nuls(*md, a), a);
  char *p = hm_alloc(a, md->n + 2 * MARGIN);
  if (md->n) memcpy(p + MARGIN, md->p, md->n);
  md->p = p + MARGIN;
  return 0;
}

int hm_md_parse(hm_str md, const MD_PARSER *p, void *ctx, hm_err *err) {
  MD_PARSER with = *p;
  with.flags = MD_FLAG_TABLES | MD_FLAG_TASKLISTS;
  if (md_parse(md.p, (MD_SIZE)md.n, &with, ctx) == 0) return 0;
  return hm_fail(err, HM_E_INTERNAL, "page", "there is no memory for its Markdown", "close programs or split its list (publish.list_limit)");
}

hm_str hm_markdown_version(hm_arena *a) {
  Dl_info at;
  struct stat st;
  if (!dladdr((void *)(uintptr_t)md_parse, &at) || stat(at.dli_fname, &st) != 0) return HM_EMPTY;
  char *path = realpath(at.dli_fname, NULL);
  hm_str s = hm_str_fmt(a, "%s %lld %lld", path ? path : "", (long long)st.st_size, (long long)st.st_mtim.tv_sec);
  free(path);
  return s;
}
