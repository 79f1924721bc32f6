/* The site over pages made by hand: what goes in, what must come out, and that
 * it fails loudly when a marker lies. The page families have tests of their own. */
#include <stdatomic.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/markdown/markdown.h"
#include "gen/site/site.h"
#include "gen_site_help.h"

/* --- tests --------------------------------------------------------------------- */

static void holds_everything_in_order(void **state) {
  (void)state;
  hm_site *s = built(&both, "");
  static const char *const want[] = {
    ".gitattributes",
    ".nojekyll",
    "404.html",
    "README.md",
    "conflicts.json",
    "conflicts/c1.html",
    "conflicts/c1.md",
    "conflicts/c2.html",
    "conflicts/c2.md",
    "index.html",
    "manifest.json",
    "projects/p/README.md",
    "projects/p/decisions.html",
    "projects/p/decisions.md",
    "projects/p/index.html",
  };
  assert_int_equal(s->n, 15);
  for (size_t i = 0; i < s->n; i++)
    if (!hm_str_is(s->files[i].path, want[i]))
      fail_msg("%.*s, not %s", HM_FMT(s->files[i].path), want[i]);
  assert_int_equal(s->pages, 5);
  assert_null(hm_site_file(s, HM_STR("conflicts")));
  hm_site_free(s);
}

static void shell_is_filled(void **state) {
  (void)state;
  hm_site *s = built(&both, "https://example.org/m");
  assert_true(has(s, "projects/p/index.html", "<title>A &amp; B - The &lt;Mirror&gt;</title>"));
  assert_true(has(s, "projects/p/index.html", "<link href=\"../../assets/style.css\">"));
  assert_true(has(s, "projects/p/index.html", "<c>https://example.org/m/projects/p/</c>"));
  assert_true(has(s, "projects/p/decisions.html",
                  "<c>https://example.org/m/projects/p/decisions.html</c>"));
  assert_true(has(s, "index.html", "<c>https://example.org/m/</c>"));
  assert_true(has(s, "projects/p/index.html", "<m>README.md</m><r>../../</r>"));
  assert_true(
      has(s, "projects/p/index.html", "<a href=\"../index.html#top\">Mirror</a><a>A &amp; B</a>"));
  assert_true(has(s, "projects/p/decisions.html", "<a href=\"index.html\">log</a>"));
  assert_true(has(s, "404.html", "href=\"https://example.org/m/index.html\""));
  hm_site_free(s);
}

static void threads_do_not_show(void **state) {
  (void)state;
  hm_site *a = built(&both, "");
  for (int n = 2; n < 9; n++) {
    hm_site *b = built(&(hm_site_options){ .threads = n, .markdown = true, .html = true }, "");
    assert_true(hm_str_eq(a->digest, b->digest));
    for (size_t i = 0; i < a->n; i++) assert_true(hm_str_eq(a->files[i].bytes, b->files[i].bytes));
    hm_site_free(b);
  }
  hm_site_free(a);
}

typedef struct { const hm_site *all; atomic_size_t n; const char *refused; } taker;

static int take(void *ctx, const hm_file *f, hm_err *err) {
  taker *t = ctx;
  if (t->refused && hm_str_is(f->path, t->refused))
    return hm_fail(err, HM_E_OUTPUT, t->refused, "the disk is full", NULL);
  const hm_file *same = t->all ? hm_site_file(t->all, f->path) : NULL;
  if (same && hm_str_eq(same->bytes, f->bytes)) atomic_fetch_add(&t->n, 1);
  return 0;
}

static void files_are_handed_on(void **state) {
  (void)state;
  hm_site *all = built(&both, "");
  taker t = { .all = all };
  hm_site *s = built(
      &(hm_site_options){
          .threads = 3, .markdown = true, .html = true, .take = take, .take_ctx = &t },
      "");
  assert_true(hm_str_eq(s->digest, all->digest));
  assert_int_equal(t.n, 11);   /* pages and raw files; the rest comes with the site */
  for (size_t i = 0; i < s->n; i++) {
    assert_int_equal(s->files[i].bytes.n, all->files[i].bytes.n);
    if (s->files[i].bytes.p) assert_true(hm_str_eq(s->files[i].bytes, all->files[i].bytes));
    else t.n--;
  }
  assert_int_equal(t.n, 0);
  hm_site_free(s);
  hm_site_free(all);
}

static void refused_file_ends_the_build(void **state) {
  (void)state;
  taker t = { .refused = "projects/p/index.html" };
  hm_err err =
      refused(good, 5,
              &(hm_site_options){
                  .threads = 4, .markdown = true, .html = true, .take = take, .take_ctx = &t });
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_string_equal(err.what, "projects/p/index.html");
}

static void one_form_only(void **state) {
  (void)state;
  hm_site *s = built(&(hm_site_options){ .threads = 2, .html = true }, "");
  assert_null(hm_site_file(s, HM_STR("README.md")));
  assert_false(has(s, "index.html", "<m>"));
  hm_site_free(s);
  s = built(&(hm_site_options){ .threads = 2, .markdown = true }, "");
  assert_null(hm_site_file(s, HM_STR("index.html")));
  assert_null(hm_site_file(s, HM_STR("404.html")));
  assert_non_null(hm_site_file(s, HM_STR("projects/p/README.md")));
  hm_site_free(s);
}

static void manifest_names_every_other_file(void **state) {
  (void)state;
  hm_site *s = built(&both, "");
  hm_arena *a = hm_arena_new();
  hm_json *j;
  hm_err err;
  const hm_file *m = hm_site_file(s, HM_STR("manifest.json"));
  assert_int_equal(hm_json_parse(a, m->bytes, &j, &err), 0);
  assert_true(hm_str_is(hm_json_get(j, "tool")->text, "hmirror test"));
  assert_true(hm_str_is(hm_json_get(j, "snapshot")->text, "5a5a"));
  assert_int_equal(hm_json_get(j, "templates")->text.n, 64);
  const hm_json *f = hm_json_get(j, "files")->child;
  size_t lines = 0;
  for (size_t i = 0; i < s->n; i++) {
    if (&s->files[i] == m) continue;
    assert_true(hm_str_eq(hm_json_get(f, "path")->text, s->files[i].path));
    assert_true(hm_str_eq(hm_json_get(f, "sha256")->text, hm_str_digest_hex(a, s->files[i].bytes, 64)));
    assert_true(
        hm_str_eq(hm_json_get(f, "bytes")->text, hm_str_fmt(a, "%zu", s->files[i].bytes.n)));
    f = f->next;
  }
  assert_null(f);
  for (size_t i = 0; i < m->bytes.n; i++) lines += m->bytes.p[i] == '\n';
  assert_int_equal(lines, 4 + s->n - 1 + 1);
  hm_arena_free(a);
  hm_site_free(s);
}

static void missing_marker_is_our_error(void **state) {
  (void)state;
  fake_page pages[5];
  memcpy(pages, good, sizeof pages);
  pages[3].text = "4.8 kg\n";
  hm_err err = refused(pages, 5, &both);
  assert_int_equal(err.code, HM_E_INTERNAL);
  assert_string_equal(err.what, "conflict c1");
  fake.conflicts[0].status = HM_DISMISSED;   /* settled: wants none */
  fake.dispute_of[0] = NULL;
  hm_site *s;
  assert_int_equal(build(pages, 5, &both, "", &s, &err), 0);
  hm_site_free(s);
}

static void dead_marker_is_our_error(void **state) {
  (void)state;
  static const char *const bad[] = {
    "[\u26A0 disputed](../../conflicts/c9.md)\n", "[\u26A0 disputed](../../README.md)\n",
    "[\u26A0 disputed](conflicts/c1.md)\n",       "[\u26A0 disputed](../../../conflicts/c1.md)\n",
    "[\u26A0 disputed](../../conflicts/c1.md",    "[\u26A0 disputed]()\n"
  };
  fake_page pages[6];
  memcpy(pages, good, sizeof good);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    pages[5] = (fake_page){ "projects/p/x.md", bad[i] };
    hm_err err = refused(pages, 6, &both);
    assert_int_equal(err.code, HM_E_INTERNAL);
    assert_string_equal(err.what, "page projects/p/x.md");
    refused(pages, 6, &(hm_site_options){ .threads = 3, .html = true });
  }
}

static void page_of_the_conflict_must_be_there(void **state) {
  (void)state;
  fake_page pages[2] = { good[0], good[3] };
  assert_int_equal(refused(pages, 2, &both).code, HM_E_INTERNAL);
}

static void facts_cannot_pose_as_markers(void **state) {
  (void)state;
  fake_page pages[6];
  memcpy(pages, good, sizeof good);
  pages[5] =
      (fake_page){ "projects/p/x.md", "![\u26A0 disputed](nowhere.md) [\u26A0 disputed](x)" };
  hm_site *s;
  hm_err err;
  assert_int_equal(build(pages, 6, &both, "", &s, &err), 0);
  hm_site_free(s);
  pages[3].text = "!4.8 kg [\u26A0 disputed](../../conflicts/c1.md)";
  assert_string_equal(refused(pages, 6, &both).what, "conflict c1");
}

static void bad_page_is_named(void **state) {
  (void)state;
  fake_page pages[6];
  memcpy(pages, good, sizeof good);
  pages[1].text = pages[4].text = NULL;
  for (int n = 1; n < 5; n++) {
    hm_err err =
        refused(pages, 5, &(hm_site_options){ .threads = n, .markdown = true, .html = true });
    assert_non_null(strstr(err.what, "conflicts/c1.md")); /* the first, on any number of threads */
  }
}

static hm_err with_static(const char *name) {
  hm_template_file f = { hm_str_c(name), HM_STR("x"), HM_EMPTY };
  return refused(good, 5,
                 &(hm_site_options){
                     .threads = 1, .markdown = true, .html = true, .statics = &f, .n_statics = 1 });
}

static void static_files_are_checked(void **state) {
  (void)state;
  static const char *const bad[] = { "my file",  "../x",         "README.md",   "manifest.json",
                                     "projects", "index.html/x", ".git/config", "\xc3" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    hm_err err = with_static(bad[i]);
    if (err.code != HM_E_INPUT || !strstr(err.what, "static/"))
      fail_msg("%s: code %d, %s", bad[i], (int)err.code, err.what);
  }
}

static void static_files_and_assets_are_there(void **state) {
  (void)state;
  hm_template_file st[] = { { HM_STR("CNAME"), HM_STR("example.org"), HM_EMPTY },
                            { HM_STR("404.html"), HM_STR("mine"), HM_EMPTY } };
  hm_template_file as[] = { { HM_STR("style.css"), HM_STR("p{}"), HM_EMPTY } };
  hm_site *s = built(&(hm_site_options){ .threads = 1,
                                         .markdown = true,
                                         .html = true,
                                         .statics = st,
                                         .n_statics = 2,
                                         .assets = as,
                                         .n_assets = 1 },
                     "");
  assert_true(has(s, "CNAME", "example.org"));
  assert_true(has(s, "404.html", "mine"));
  assert_true(has(s, "assets/style.css", "p{}"));
  hm_site_free(s);
}

static void our_own_paths_are_checked_too(void **state) {
  (void)state;
  fake_page pages[6];
  memcpy(pages, good, sizeof good);
  pages[5] = (fake_page){ "projects/../x.md", "x" };
  assert_int_equal(refused(pages, 6, &both).code, HM_E_INTERNAL);
  pages[5] = (fake_page){ "README.md", "x" };
  assert_int_equal(refused(pages, 6, &both).code, HM_E_INTERNAL);
}

static void markers_by_page(void **state) {
  (void)state;
  static const fake_page pages[] = {
    { "README.md",
      "[\u26A0 disputed](conflicts/c2.md) and [\u26A0 disputed](conflicts/c1.md), [\u26A0 disputed](conflicts/c2.md#again)\n" },
    { "conflicts/c1.md", "all sides\n" },
    { "conflicts/c2.md", "signed off soon\n" },
    { "projects/p/README.md", "- [\u26A0 disputed](../../conflicts/c1.md)\n" },
    { "projects/p/decisions.md", "![\u26A0 disputed](../../conflicts/c1.md)\n" },
  };
  static const char *const want[][2] = { { "README.md", "c1" },
                                         { "README.md", "c2" },
                                         { "projects/p/README.md", "c1" } };
  hm_view v = { .opt = {
                    .title = HM_STR("t"), .tool = HM_STR("hmirror test"), .base_url = HM_EMPTY } };
  hm_templates *t = templates();
  hm_arena *a = hm_arena_new();
  hm_site_marks first, again;
  hm_err err = { 0 };
  fake.pages = pages;
  fake.n = 5;
  for (int threads = 1; threads < 4; threads++) {
    assert_int_equal(hm_site_markers(&v, t, threads, NULL, a, &first, &err), 0);
    assert_int_equal(first.n, 3);
    for (size_t i = 0; i < first.n; i++)
      assert_true(hm_str_is(first.v[i].page, want[i][0]) &&
                  hm_str_is(first.v[i].conflict, want[i][1]));
    /* A page that is another one is made again, the others are not. */
    first.pages[1].model[0] ^= 1;
    first.v[0].conflict = HM_STR("as before");
    assert_int_equal(hm_site_markers(&v, t, threads, &first, a, &again, &err), 0);
    assert_int_equal(again.n, 3);
    for (size_t i = 0; i < again.n_pages; i++) assert_int_equal(again.pages[i].same, i != 1);
    bool made = hm_str_eq(first.pages[1].path, first.v[0].page);
    assert_string_equal(hm_str_z(a, again.v[0].conflict), made ? "c1" : "as before");
  }
  hm_arena_free(a);
  hm_templates_free(t);
}

static void html_names(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  static const char *const pairs[][2] = {
    { "README.md", "index.html" },         { "a/README.md", "a/index.html" },
    { "a/README.md#x", "a/index.html#x" }, { "a/b.md", "a/b.html" },
    { "MYREADME.md", "MYREADME.html" },    { "x.json", "x.json" },
    { "../b.md#y.md", "../b.html#y.md" },  { "", "" }
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    assert_true(hm_str_is(hm_html_path(hm_str_c(pairs[i][0]), a), pairs[i][1]));
  hm_arena_free(a);
}

int main(void) {
#define T(f) cmocka_unit_test_setup(f, setup)
  const struct CMUnitTest tests[] = {
    T(holds_everything_in_order),
    T(shell_is_filled),
    T(threads_do_not_show),
    T(one_form_only),
    T(files_are_handed_on),
    T(refused_file_ends_the_build),
    T(manifest_names_every_other_file),
    T(missing_marker_is_our_error),
    T(dead_marker_is_our_error),
    T(page_of_the_conflict_must_be_there),
    T(facts_cannot_pose_as_markers),
    T(bad_page_is_named),
    T(static_files_are_checked),
    T(static_files_and_assets_are_there),
    T(our_own_paths_are_checked_too),
    T(markers_by_page),
    T(html_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
