/* Makes files of the site from bytes, with their digests; gives the name and address of a page's
 * HTML; finds a file by path. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "gen/site/site_impl.h"

/* --- one file -------------------------------------------------------------------------------- */

hm_file hm_wrap_site_file(hm_arena *a, hm_str path, hm_str bytes) {
  hm_file f = { .path = hm_str_dup(a, path), .bytes = bytes };
  hm_sha256_digest(bytes, f.sha256);
  return f;
}

hm_file hm_make_site_file(hm_arena *a, hm_str path, hm_str bytes) {
  return hm_wrap_site_file(a, path, hm_str_dup(a, bytes));
}

hm_str hm_html_path(hm_str md, hm_arena *a) {
  static const char readme[] = "README";
  const char *hash = md.n ? memchr(md.p, '#', md.n) : NULL;
  hm_str path = hm_str_sub(md, 0, hash ? (size_t)(hash - md.p) : md.n),
         rest = hm_str_sub(md, path.n, md.n);
  if (!hm_str_ends(path, ".md"))
    return md;
  hm_str stem = hm_str_sub(path, 0, path.n - 3);
  bool folder = hm_str_is(stem, readme) || hm_str_ends(stem, "/README");
  if (folder)
    stem.n -= sizeof readme - 1;
  return HM_CAT(a, stem, folder ? HM_STR("index") : HM_EMPTY, HM_STR(".html"), rest);
}

hm_str hm_page_address(hm_str base, hm_str html, hm_arena *a) {
  if (hm_str_is(html, "index.html") || hm_str_ends(html, "/index.html"))
    html.n -= sizeof "index.html" - 1;
  return HM_CAT(a, base, hm_path_as_url(a, html));
}

/* --- files of a site ------------------------------------------------------------------------- */

int hm_site_file_compare(const void *x, const void *y) {
  return hm_str_cmp(((const hm_file *)x)->path, ((const hm_file *)y)->path);
}

const hm_file *hm_site_file(const hm_site *s, hm_str path) {
  hm_file key = { .path = path };
  return s->n ? bsearch(&key, s->files, s->n, sizeof *s->files, hm_site_file_compare) : NULL;
}

int hm_site_read_file(void *site, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err) {
  const hm_file *f = hm_site_file(site, path);
  (void)a, (void)err;
  *bytes = f && f->bytes.p ? f->bytes : HM_EMPTY;
  return 0;
}
