/* Makes robots.txt and sitemap.xml: see site_impl.h. Only base_url may need XML escaping ('&' or a
 * quote): paths of pages do not. Cost: one walk over the pages.
 * Source: sitemaps.org, protocol 0.9; RFC 9309 for robots.txt. */
#include "core/markdown/escape.h"
#include "gen/site/site_impl.h"

enum { URLS_MAX = 50000 };
static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
static const char space[] = " xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";

typedef struct {
  hm_arena *a;
  hm_str base;
  size_t max;
  hm_buf now;  /* the part that is being filled */
  size_t urls; /* in it */
  hm_file_part *parts;
  size_t n;
} sitemap;

static void begin_list(hm_buf *b, const char *tag) { hm_buf_fmt(b, "%s<%s%s", head, tag, space); }

static void end_part(sitemap *s) {
  hm_buf_c(&s->now, "</urlset>\n");
  s->n++;
  s->parts[s->n] = (hm_file_part){ .path = hm_str_fmt(s->a, "sitemap-%zu.xml", s->n),
                                   .bytes = hm_buf_copy(&s->now, s->a) };
  hm_buf_clear(&s->now);
  s->urls = 0;
}

static void add_url(sitemap *s, const char *tag, hm_str address, hm_buf *to) {
  hm_buf_fmt(to, "<%s><loc>", tag);
  hm_html_escape(to, address);
  hm_buf_fmt(to, "</loc></%s>\n", tag);
  s->urls++;
}

/* Escaping makes an address at most 6 times as long. */
static void add_page(sitemap *s, hm_str address) {
  size_t most = 6 * address.n + 64;
  if (s->urls && (s->urls == URLS_MAX || s->now.n + most > s->max))
    end_part(s);
  if (!s->urls)
    begin_list(&s->now, "urlset");
  add_url(s, "url", address, &s->now);
}

static hm_str index_of_parts(sitemap *s) {
  hm_buf b = { 0 };
  begin_list(&b, "sitemapindex");
  for (size_t i = 1; i <= s->n; i++)
    add_url(s, "sitemap", HM_CAT(s->a, s->base, s->parts[i].path), &b);
  hm_buf_c(&b, "</sitemapindex>\n");
  return hm_buf_take(&b, s->a);
}

/* parts[0] is sitemap.xml, filled last; the last part is robots.txt. */
size_t hm_sitemap_files(const hm_pages *pages, hm_str base, size_t max, hm_arena *a,
                        hm_file_part **out) {
  sitemap s = { .a = a, .base = base, .max = max };
  s.parts = *out = hm_alloc_array(a, pages->n + 3, sizeof *s.parts);
  for (size_t i = 0; i < pages->n; i++)
    add_page(&s, hm_page_address(base, hm_html_path(pages->pages[i].path, a), a));
  if (!s.urls)
    begin_list(&s.now, "urlset");
  end_part(&s);
  hm_buf_free(&s.now);
  if (s.n == 1) {
    s.parts[0] = s.parts[1];
    s.n = 0;
  } else {
    s.parts[0].bytes = index_of_parts(&s);
  }
  s.parts[0].path = HM_STR("sitemap.xml");
  s.parts[++s.n] =
      (hm_file_part){ .path = HM_STR("robots.txt"),
                      .bytes = hm_str_fmt(a, "User-agent: *\nAllow: /\nSitemap: %.*ssitemap.xml\n",
                                          HM_FMT(base)) };
  return s.n + 1;
}
