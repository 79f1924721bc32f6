/* From JSON Lines to a view, its pages and their Markdown, for the tests of gen/page. */
#ifndef GEN_PAGE_HELP_H
#define GEN_PAGE_HELP_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/store/import.h"
#include "gen/page/view_private.h"
#include "gen/page/view.h"
#include "gen/render/builtin.h"

typedef struct {
  char path[64];
  hm_store *store;
  hm_arena *a;
  hm_sweep *sweep;
  hm_view *view;
  hm_pages *pages;
  hm_templates *templates;
} help_site;

static inline void help_import(hm_store *s, hm_str lines) {
  hm_err err = { 0 };
  hm_import_counts n;
  hm_import_options opt = { .name = "test",
                            .who = { HM_STR("test"), HM_STR("2026-05-01T00:00:00Z") } };
  if (lines.n == 0) return;
  FILE *in = fmemopen((void *)lines.p, lines.n, "r");
  if (hm_import(s, in, &opt, &n, &err)) fail_msg("%s: %s", err.what, err.why);
  fclose(in);
}

static inline hm_templates *help_templates(hm_arena *a) {
  hm_err err = { 0 };
  hm_templates *t;
  hm_template_file *f = hm_alloc_array(a, hm_n_builtins, sizeof *f);
  size_t n = 0;
  for (size_t i = 0; i < hm_n_builtins; i++) {
    hm_str path = hm_str_c(hm_builtins[i].path);
    if (!hm_str_starts(path, "templates/") || !hm_str_ends(path, ".mustache")) continue;
    f[n++] = (hm_template_file){ hm_str_sub(path, 10, path.n - 9),
                                 { hm_builtins[i].bytes, hm_builtins[i].n },
                                 path };
  }
  if (hm_templates_compile(f, n, &t, &err)) fail_msg("%s: %s", err.what, err.why);
  return t;
}

static inline help_site help_site_by(hm_str lines, const hm_view_options *opt,
                                     const hm_rules *rules) {
  help_site s = { .path = "/tmp/hm-page-XXXXXX", .a = hm_arena_new() };
  hm_err err = { 0 };
  hm_sweep_options so = { .rules = rules, .threads = 2, .details = true, .digest = true };
  s.sweep = hm_alloc(s.a, sizeof *s.sweep);   /* the view points to it */
  close(mkstemp(s.path));
  unlink(s.path);
  assert_int_equal(hm_store_open(&s.store, s.path, HM_STORE_CREATE, 1000, &err), 0);
  help_import(s.store, lines);
  if (hm_sweep_run_all(s.store, &so, s.a, s.sweep, &err)) fail_msg("%s: %s", err.what, err.why);
  if (hm_view_new(s.sweep, rules, opt, s.a, &s.view, &err))
    fail_msg("%s: %s", err.what, err.why);
  if (hm_list_pages(s.view, s.a, &s.pages, &err)) fail_msg("%s: %s", err.what, err.why);
  s.templates = help_templates(s.a);
  return s;
}

static inline help_site help_site_of(hm_str lines, const hm_view_options *opt) {
  return help_site_by(lines, opt, hm_rules_default());
}

/* The same; excluding: without what has the tag "private". */
static inline help_site help_site_excluding(const char *lines, bool excluding) {
  static const hm_str tags[] = { HM_STR("private") };
  hm_view_options opt = { .title = HM_STR("M"), .list_limit = 500, .value_limit = 2000 };
  if (excluding) opt.exclude = (hm_exclude){ .tags = tags, .n_tags = 1 };
  return help_site_of(hm_str_c(lines), &opt);
}

static inline void help_site_done(help_site *s) {
  static const char *const rest[] = { "", "-wal", "-shm", "-journal" };
  hm_templates_free(s->templates);
  hm_sweep_free(s->sweep);
  hm_store_close(s->store);
  hm_arena_free(s->a);
  for (size_t i = 0; i < 4; i++) {
    char path[96];
    snprintf(path, sizeof path, "%s%s", s->path, rest[i]);
    unlink(path);
  }
}

/* Markdown of one page, in s->a. */
static inline hm_str help_render(help_site *s, const hm_page *p) {
  hm_err err = { 0 };
  hm_buf b = { 0 };
  hm_node *model = hm_page_model(s->view, p, s->a);
  hm_str name = hm_str_fmt(s->a, "%s.md", p->tmpl);
  if (hm_template_render(s->templates, name, model, s->a, &b, &err))
    fail_msg("%s: %s", err.what, err.why);
  hm_str out = hm_buf_copy(&b, s->a);
  hm_buf_free(&b);
  return out;
}

/* Markdown at path; fails when there is no such page. */
static inline hm_str help_page(help_site *s, const char *path) {
  for (size_t i = 0; i < s->pages->n; i++)
    if (hm_str_is(s->pages->pages[i].path, path)) return help_render(s, &s->pages->pages[i]);
  fail_msg("no page %s", path);
  return HM_EMPTY;
}

/* All pages, one after the other, paths included. */
static inline hm_str help_markdown(help_site *s) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < s->pages->n; i++) {
    hm_buf_str(&b, s->pages->pages[i].path);
    hm_buf_ch(&b, '\n');
    hm_buf_str(&b, help_render(s, &s->pages->pages[i]));
  }
  hm_str out = hm_buf_copy(&b, s->a);
  hm_buf_free(&b);
  return out;
}

/* The same with the files that are no pages. */
static inline hm_str help_everything(help_site *s) {
  hm_buf b = { 0 };
  hm_buf_str(&b, help_markdown(s));
  for (size_t i = 0; i < s->pages->n_raws; i++) {
    const hm_raw_file *f = &s->pages->raws[i];
    hm_buf_str(&b, f->path);
    f->bytes(s->view, f, s->a, &b);
  }
  hm_str out = hm_buf_copy(&b, s->a);
  hm_buf_free(&b);
  return out;
}

static inline bool help_has(hm_str text, const char *part) { return hm_str_find(text, part) >= 0; }
#define assert_has(text, part)                                                                     \
  do {                                                                                             \
    if (!help_has((text), (part))) fail_msg("\"%s\" is not in:\n%.*s", (part), HM_FMT(text));      \
  } while (0)
#define assert_has_not(text, part)                                                                 \
  do {                                                                                             \
    if (help_has((text), (part))) fail_msg("\"%s\" is in:\n%.*s", (part), HM_FMT(text));           \
  } while (0)
#endif
