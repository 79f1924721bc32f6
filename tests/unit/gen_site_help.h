/* A mirror made by hand, in the place of gen/page's: what the tests of the site share. */
#ifndef GEN_SITE_HELP_H
#define GEN_SITE_HELP_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/page/view_private.h"
#include "gen/site/site.h"
#include "gen/site/site_impl.h"

typedef struct { const char *path, *text; } fake_page;

static struct {
  const fake_page *pages; size_t n;
  hm_conflict_rec conflicts[3];
  const hm_conflict_rec *list[3];
  hm_dispute disputes[3];
  hm_disputes all;
  const hm_dispute *dispute_of[3];
  hm_plan plan;
  hm_snapshot snap;
  hm_sweep sweep;
} fake;

bool hm_view_has_changes(const hm_view *v) { return !v; }
const hm_sweep *hm_view_sweep(const hm_view *v) {
  (void)v;
  return &fake.sweep;
}

const hm_view_options *hm_view_get_options(const hm_view *v) { return &v->opt; }

const hm_conflict_rec **hm_view_conflicts(const hm_view *v, size_t *n) {
  (void)v;
  *n = 2;
  return fake.list;
}

hm_str hm_view_conflict_path(const hm_view *v, const hm_conflict_rec *c, hm_arena *a) {
  (void)v;
  return hm_str_fmt(a, "conflicts/%.*s.md", HM_FMT(c->id));
}

static void raw_bytes(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  (void)v, (void)f, (void)a;
  hm_buf_c(out, "{}\n");
}

int hm_list_pages(const hm_view *v, hm_arena *a, hm_pages **out, hm_err *err) {
  (void)v, (void)err;
  hm_pages *p = hm_alloc(a, sizeof *p);
  p->pages = hm_alloc_array(a, fake.n, sizeof *p->pages);
  for (size_t i = 0; i < fake.n; i++)
    p->pages[i] = (hm_page){ .path = hm_str_c(fake.pages[i].path),
                             .tmpl = fake.pages[i].text ? "page" : "absent",
                             .data = fake.pages[i].text };
  p->n = fake.n;
  p->raws = hm_alloc(a, sizeof *p->raws);
  p->raws[0] = (hm_raw_file){ .path = HM_STR("conflicts.json"), .bytes = raw_bytes };
  p->n_raws = 1;
  *out = p;
  return 0;
}

hm_node *hm_page_model(const hm_view *v, const hm_page *p, hm_arena *a) {
  (void)v;
  const char *text = p->data ? p->data : "";
  hm_node *m = hm_node_new_obj(a), *crumbs = hm_node_new_list(a), *home = hm_node_new_obj(a);
  hm_node_set_text(m, "title", HM_STR("A & B"));
  hm_node_set(m, "kind", hm_node_new_raw(a, HM_STR("page")));
  if (text[0] == '!') hm_node_set_text(m, "fact", hm_str_c(text + 1));
  else hm_node_set(m, "raw", hm_node_new_raw(a, hm_str_c(text)));
  hm_node_set_text(home, "name", HM_STR("Mirror"));
  hm_node_set_url(home, "url", HM_STR("../README.md#top"));
  hm_node_push(crumbs, home);
  hm_node_set(m, "breadcrumbs", crumbs);
  return m;
}

#define SHELL                                                                                                          \
  "<title>{{title}} - {{mirror_title}}</title><link href=\"{{css}}\">{{#canonical}}<c>{{canonical}}</c>{{/canonical}}" \
  "{{#breadcrumbs}}<a{{^last}} href=\"{{url}}\"{{/last}}>{{name}}</a>{{/breadcrumbs}}"                                 \
  "{{#md_url}}<m>{{md_url}}</m>{{/md_url}}<r>{{root}}</r><body class={{kind}}>{{{body}}}"

static inline hm_templates *templates(void) {
  static const hm_template_file files[] = {
    { HM_STR("page.md"), HM_STR("# {{title}}\n\n{{#raw}}{{{raw}}}{{/raw}}{{fact}}\n"),
      HM_STR("page") },
    { HM_STR("shell.html"), HM_STR(SHELL), HM_STR("shell") },
    { HM_STR("404.html"), HM_STR("<h1>{{title}}</h1><a href=\"{{root}}index.html\">"),
      HM_STR("404") },
  };
  hm_templates *t;
  hm_err err;
  if (hm_templates_compile(files, 3, &t, &err) != 0) fail_msg("%s: %s", err.what, err.why);
  return t;
}

/* c1 is disputed, c2 no longer is. */
static inline int setup(void **state) {
  (void)state;
  memset(&fake, 0, sizeof fake);
  const char *ids[] = { "c1", "c2" }, *keys[] = { "[\"p\",\"a\"]", "[\"p\",\"b\"]" };
  for (int i = 0; i < 2; i++) {
    fake.conflicts[i] = (hm_conflict_rec){ .id = hm_str_c(ids[i]),
                                           .slot_key = hm_str_c(keys[i]),
                                           .status = HM_OPEN };
    fake.list[i] = &fake.conflicts[i];
  }
  fake.disputes[0].slot_key = hm_str_c(keys[0]);
  fake.all = (hm_disputes){ .disputes = fake.disputes, .n = 1, .slots = 1 };
  fake.snap.digest = HM_STR("5a5a");
  fake.dispute_of[0] = &fake.disputes[0];
  fake.plan =
      (hm_plan){ .conflicts = fake.conflicts, .n_conflicts = 2, .disputes = fake.dispute_of };
  fake.sweep = (hm_sweep){ .snap = &fake.snap, .disputes = &fake.all, .plan = &fake.plan };
  return 0;
}

static const fake_page good[] = {
  { "README.md", "root\n" },
  { "conflicts/c1.md", "all sides\n" },
  { "conflicts/c2.md", "signed off soon\n" },
  { "projects/p/README.md", "- 4.8 kg [\u26A0 disputed](../../conflicts/c1.md#x)\n" },
  { "projects/p/decisions.md", "[log](README.md)\n" },
};

static inline int build(const fake_page *pages, size_t n, const hm_site_options *opt,
                        const char *base, hm_site **s, hm_err *err) {
  hm_view v = { .opt = { .title = HM_STR("The <Mirror>"),
                         .base_url = hm_str_c(base),
                         .tool = HM_STR("hmirror test") } };
  hm_templates *t = templates();
  fake.pages = pages;
  fake.n = n;
  int rc = hm_site_build(&v, t, opt, s, err);
  hm_templates_free(t);
  return rc;
}

static const hm_site_options both = { .threads = 1, .markdown = true, .html = true };

static inline hm_site *built(const hm_site_options *opt, const char *base) {
  hm_site *s;
  hm_err err = { 0 };
  if (build(good, 5, opt, base, &s, &err) != 0) fail_msg("%s: %s", err.what, err.why);
  return s;
}

static inline hm_err refused(const fake_page *pages, size_t n, const hm_site_options *opt) {
  hm_site *s;
  hm_err err = { 0 };
  assert_int_equal(build(pages, n, opt, "", &s, &err), -1);
  assert_null(s);
  return err;
}

static inline bool has(const hm_site *s, const char *path, const char *text) {
  const hm_file *f = hm_site_file(s, hm_str_c(path));
  if (!f) fail_msg("no %s", path);
  return hm_str_find(f->bytes, text) >= 0;
}
#endif
