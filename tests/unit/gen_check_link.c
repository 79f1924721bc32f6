/* Where links lead, and the links and ids of HTML. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/check/check_impl.h"

static void check_link(hm_arena *a, const char *from, const char *url, const char *base,
                       const char *wanted) {
  static const char *const kinds[] = { "elsewhere", "inside", "outside" };
  hm_link_target t;
  hm_link_kind kind = hm_link_resolve(hm_str_c(from), hm_str_c(url), hm_str_c(base), a, &t);
  hm_str got = kind == HM_LINK_INSIDE
      ? hm_str_fmt(a, "%s%.*s%s%.*s", t.here ? "here " : "", HM_FMT(t.path),
                   t.fragment.n ? "#" : "", HM_FMT(t.fragment))
      : hm_str_c(kinds[kind]);
  if (!hm_str_is(got, wanted)) fail_msg("%s on %s is %.*s, not %s", url, from, HM_FMT(got), wanted);
}

static void links_lead_where_browsers_go(void **state) {
  (void)state;
  static const struct { const char *from, *url, *base, *to;
  } cases[] = {
    { "a/b/c.html", "d.html", "", "a/b/d.html" },
    { "a/b/c.html", "../d.html#x", "", "a/d.html#x" },
    { "a/b/c.html", "../../d", "", "d" },
    { "a/b/c.html", "../../../d", "", "outside" },
    { "c.html", "../d", "", "outside" },
    { "a/b/c.html", "./x/./y/../z", "", "a/b/x/z" },
    { "a/b/c.html", "..", "", "a/" },
    { "a/b/c.html", ".", "", "a/b/" },
    { "a/c.html", "b/", "", "a/b/" },
    { "a/c.html", "b//c", "", "a/b/c" },
    { "a/c.html", "..//d", "", "d" },
    { "a/c.html", "#x", "", "here a/c.html#x" },
    { "a/c.html", "", "", "here a/c.html" },
    { "a/c.html", "?q#y", "", "here a/c.html#y" },
    { "a/c.html", "d.html?q=a/../b#y?z", "", "a/d.html#y?z" },
    { "a/c.html", "  d.html\n", "", "a/d.html" },
    { "a/c.html", "%64.html#%78", "", "a/d.html#x" },
    { "a/c.html", "100%.html%2", "", "a/100%.html%2" },
    { "a/c.html", "%2e%2e/d", "", "d" },
    { "c.html", "https://h/d", "", "elsewhere" },
    { "c.html", "mailto:a@b", "", "elsewhere" },
    { "c.html", "//h/d", "", "elsewhere" },
    { "c.html", "a:b", "", "elsewhere" },
    { "c.html", "./a:b", "", "a:b" },
    { "c.html", "1a:b", "", "1a:b" },
    { "a/c.html", "/d.html", "", "d.html" },
    { "a/c.html", "/", "", "" },
    { "a/c.html", "/m/d.html", "https://h/m/", "d.html" },
    { "a/c.html", "/d.html", "https://h/m/", "elsewhere" },
    { "a/c.html", "https://h/m/d#x", "https://h/m/", "d#x" },
    { "a/c.html", "https://h/m/", "https://h/m/", "" },
    { "a/c.html", "https://h/n/", "https://h/m/", "elsewhere" },
    { "a/c.html", "https://h/m/../../x", "https://h/m/", "outside" },
  };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_link(a, cases[i].from, cases[i].url, cases[i].base, cases[i].to);
  hm_arena_free(a);
}

static void on_link(void *ctx, hm_str url, size_t line) {
  hm_buf_fmt(ctx, "%zu:%.*s ", line, HM_FMT(url));
}
static void on_id(void *ctx, hm_str id, size_t line) {
  hm_buf_fmt(ctx, "%zu#%.*s ", line, HM_FMT(id));
}
static void on_base(void *ctx, hm_str url) { hm_buf_fmt(ctx, "base=%.*s ", HM_FMT(url)); }

static void tags_of_html(void **state) {
  (void)state;
  static const struct { const char *html, *found;
  } cases[] = {
    { "<a href=x>", "1:x " },
    { "<a href='x'>\n\n<a\nHREF = \"y z\">", "1:x 4:y z " },
    { "<A ID=i href=x>", "1#i 1:x " },
    { "<a href=x/>", "1:x/ " },
    { "<img src=x alt='<a href=y>'>", "1:x " },
    { "<a name=n><p name=m>", "1#n " },
    { "<!-- <a href=x> --><a href=y>", "1:y " },
    { "<!--><a href=y>", "1:y " },
    { "<!-- <a href=x>", "" },
    { "<!doctype html><a href=y>", "1:y " },
    { "<script src=s>'<a href=x>'</script><a href=y>", "1:s 1:y " },
    { "<STYLE><a href=x></style ><a href=y>", "1:y " },
    { "<script><a href=x>", "" },
    { "<title>&lt;<a href=x></title>", "" },
    { "<a href='a&amp;b&#x26;c&#38d&nope;&'>", "1:a&b&c&d&nope;& " },
    { "< a href=x><3 <a", "" },
    { "<a href=x", "" },
    { "<a href='x>", "" },
    { "<img srcset='a 1x, b 2x,c'>", "1:a 1:b 1:c " },
    { "<base href=x><a href=y>", "base=x 1:y " },
    { "<video poster=p><object data=d><form action=f><p data=n>", "1:p 1:d 1:f " },
    { "<use xlink:href='#i'/>", "1:#i " },
    { "<a href>", "1: " },
    { "</a href=x><a href = x href>", "1:x 1:x 1: " },
  };
  static const hm_html_visitor v = { on_link, on_id, on_base };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_buf b = { 0 };
    hm_html_visit(hm_str_c(cases[i].html), 1, a, &v, &b);
    if (!hm_str_is(hm_buf_view(&b), cases[i].found))
      fail_msg("%s: %.*s, not %s", cases[i].html, HM_FMT(hm_buf_view(&b)), cases[i].found);
    hm_buf_free(&b);
  }
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(links_lead_where_browsers_go),
                                      cmocka_unit_test(tags_of_html) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
