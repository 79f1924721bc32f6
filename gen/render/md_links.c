#include <string.h>

#include "gen/render/escape_impl.h"
#include "gen/render/md_impl.h"

/* A path of our own, relative to the page: no scheme, no host. */
static bool is_relative(hm_str url) {
  if (!url.n || hm_str_starts(url, "//")) return false;
  for (size_t i = 0; i < url.n && !memchr("/?#", url.p[i], 3); i++)
    if (url.p[i] == ':') return false;
  return true;
}

static size_t path_end(hm_str url) {
  size_t i = 0;
  while (i < url.n && url.p[i] != '#' && url.p[i] != '?') i++;
  return i;
}

/* The Markdown page's path as that of its HTML. */
static void put_path(hm_buf *b, hm_str path) {
  if (!hm_str_ends(path, ".md")) {
    hm_url_put(b, path);
    return;
  }
  hm_str stem = hm_str_sub(path, 0, path.n - 3);
  bool index = hm_str_is(stem, "README") || hm_str_ends(stem, "/README");
  hm_url_put(b, index ? hm_str_sub(stem, 0, stem.n - 6) : stem);
  hm_buf_c(b, index ? "index.html" : ".html");
}

bool hm_md_link_open(hm_buf *b, hm_str url, size_t *class_at) {
  bool web = hm_url_web(url);
  if (!web && !is_relative(url)) return false;
  size_t end = web ? 0 : path_end(url);
  hm_buf_c(b, "<a href=\"");
  put_path(b, hm_str_sub(url, 0, end));
  hm_url_put(b, hm_str_sub(url, end, url.n));
  hm_buf_ch(b, '"');
  *class_at = b->n;
  if (web) hm_buf_c(b, " rel=\"nofollow noopener\"");
  hm_buf_ch(b, '>');
  return true;
}
