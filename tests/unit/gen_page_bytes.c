/* No page and no data file is over 1 MiB, whatever the facts: long rows, hostile ones, many
 * members, many properties. All rows are there once, and a row that grows moves no other. */
#include "core/markdown/markdown.h"
#include "tests/unit/gen_page_help.h"
#include "tests/unit/core_base_thorough.h"

enum { MIB = 1 << 20 };

static const hm_view_options options = { .title = HM_STR("Mirror"),
                                         .base_url = HM_EMPTY,
                                         .tool = HM_STR("hmirror test") };

static void check_size(hm_str path, const char *form, size_t n) {
  if (n > MIB - 4096) fail_msg("%.*s has %zu bytes of %s", HM_FMT(path), n, form);
}

static unsigned count(hm_str text, const char *part) {
  unsigned n = 0;
  for (ptrdiff_t at; (at = hm_str_find(text, part)) >= 0; n++)
    text = hm_str_sub(text, (size_t)at + strlen(part), text.n);
  return n;
}

/* Renders everything; returns how many rows lists and data files have. */
static unsigned check_sizes(help_site *s, unsigned *in_data) {
  hm_arena *a = hm_arena_new();
  hm_err err = { 0 };
  hm_buf b = { 0 };
  unsigned rows = 0;
  *in_data = 0;
  for (size_t i = 0; i < s->pages->n; i++) {
    const hm_page *p = &s->pages->pages[i];
    hm_str md = help_render(s, p);
    check_size(p->path, "Markdown", md.n);
    hm_buf_clear(&b);
    if (hm_markdown_html(md, a, &b, &err)) fail_msg("%s", err.why);
    check_size(p->path, "HTML", b.n);
    hm_arena_reset(a);
    bool list = strcmp(p->tmpl, "entities") == 0 || strcmp(p->tmpl, "memories") == 0 ||
                strcmp(p->tmpl, "state") == 0;
    if (list) rows += count(md, "<a id=\"");
  }
  for (size_t i = 0; i < s->pages->n_raws; i++) {
    const hm_raw_file *f = &s->pages->raws[i];
    if (!hm_str_ends(f->path, ".jsonl")) continue;
    hm_buf_clear(&b);
    f->bytes(s->view, f, a, &b);
    check_size(f->path, "facts", b.n);
    *in_data += count(hm_buf_view(&b), "\n{\"kind\":\"entity\"") +
                count(hm_buf_view(&b), "\n{\"kind\":\"memory\"") +
                count(hm_buf_view(&b), "\n{\"kind\":\"project_state\"");
    hm_arena_reset(a);
  }
  hm_buf_free(&b);
  hm_arena_free(a);
  return rows;
}

static help_site site_of(hm_buf *b) {
  help_site s = help_site_of(hm_buf_view(b), &options);
  hm_buf_free(b);
  return s;
}

/* n times of these characters, which a JSON text can hold as they are. */
static void put_text(hm_buf *b, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) hm_buf_c(b, text);
}

static void put_memory(hm_buf *b, unsigned id, const char *text, size_t n) {
  hm_buf_fmt(
      b,
      "{\"kind\":\"memory\",\"id\":\"m%u\",\"memory_type\":\"episodic\",\"project\":\"p\",\"created_at\":\"2026-03-%02uT%02u:00:00Z\",\"content\":\"%u ",
      id, 1 + id % 28, id % 24, id);
  put_text(b, text, n);
  hm_buf_c(b, "\"}\n");
}

static void put_entity(hm_buf *b, unsigned id, const char *type, const char *more, unsigned props,
                       size_t n) {
  hm_buf_fmt(
      b,
      "{\"kind\":\"entity\",\"id\":\"e%u\",\"entity_type\":\"%s\",\"project\":\"p\",\"name\":\"part %u\",\"properties\":{\"x\":1",
      id, type, id);
  for (unsigned k = 0; k < props; k++) {
    hm_buf_fmt(b, ",\"property %u\":\"%u ", k, k);
    put_text(b, "word ", n);
    hm_buf_c(b, "\"");
  }
  hm_buf_fmt(b, "%s}}\n", more);
}

static void long_rows(void **state) {
  hm_buf b = { 0 };
  unsigned in_data;
  (void)state;
  for (unsigned i = 0; i < 480; i++) put_memory(&b, i, "words of ", 8192 / 9);
  for (unsigned i = 0; i < 600; i++) put_entity(&b, i, "Parameter", "", 6, 270);
  help_site s = site_of(&b);
  assert_int_equal(check_sizes(&s, &in_data), 1080);
  assert_int_equal(in_data, 1080);
  help_site_done(&s);
}

/* Each byte becomes many: what does not show, and what HTML and Markdown escape. */
static void hostile_rows(void **state) {
  static const char *const texts[] = { "\\u202e", "&\\\"'<", "\\u0001", "\\\\`*_[]|", "@x.example ",
                                       "\u061c" };
  hm_buf b = { 0 };
  unsigned in_data;
  (void)state;
  for (unsigned i = 0; i < 480; i++) put_memory(&b, i, texts[i % 6], 300);
  for (unsigned i = 600; i < 900; i++)
    hm_buf_fmt(
        &b,
        "{\"kind\":\"project_state\",\"id\":\"s%u\",\"project\":\"p\",\"category\":\"<&>\",\"key\":\"&&&&&&&&&&&&&&&&&&&&&&& %u\",\"value\":\"<<<<<<<<\",\"source\":\"&&&&&&&&&\"}\n",
        i, i);
  help_site s = site_of(&b);
  assert_int_equal(check_sizes(&s, &in_data), 780);
  assert_int_equal(in_data, 780);
  help_site_done(&s);
}

/* One row longer than a page: its properties are cut, and the whole stands under data/. */
static void one_long_row(void **state) {
  hm_buf b = { 0 };
  unsigned in_data;
  (void)state;
  put_entity(&b, 1, "Parameter", ",\"last\":\"here\"", 3000, 80);
  put_entity(&b, 2, "Parameter", "", 1, 1);
  help_site s = site_of(&b);
  assert_int_equal(check_sizes(&s, &in_data), 2);
  hm_str page = help_page(&s, "projects/p/entities/parameter-part-1.md");
  assert_has(page, "property 100:");
  assert_has_not(page, "property 2900:");
  assert_has(page, "All properties: ");
  bool whole = false;
  for (size_t i = 0; i < s.pages->n_raws; i++) {
    hm_buf text = { 0 };
    s.pages->raws[i].bytes(s.view, &s.pages->raws[i], s.a, &text);
    if (hm_str_ends(s.pages->raws[i].path, ".txt")) {
      assert_has(hm_buf_view(&text), "\"last\":\"here\"");
      assert_has(page, hm_str_z(s.a, s.pages->raws[i].path));
      whole = true;
    }
    hm_buf_free(&text);
  }
  assert_true(whole);
  help_site_done(&s);
}

static void put_claims(hm_buf *b, unsigned n, size_t words) {
  for (unsigned i = 0; i < n; i++) {
    hm_buf_fmt(
        b,
        "{\"kind\":\"project_state\",\"id\":\"s%u\",\"project\":\"p\",\"category\":\"c\",\"key\":\"mass\",\"source\":\"report %u\",\"value\":\"value %u ",
        i, i, i);
    put_text(b, "&<& so \\\" ", words);
    hm_buf_c(b, "\"}\n");
  }
}

static void conflict_of_many(void **state) {
  unsigned in_data;
  (void)state;
  for (size_t words = 0; words < 200; words += 180) {
    const unsigned n = words ? 600 : thorough() ? 5000 : 400;
    hm_buf b = { 0 };
    put_claims(&b, n, words);
    help_site s = site_of(&b);
    check_sizes(&s, &in_data);
    assert_int_equal(in_data, n);
    assert_int_equal(s.view->n_conflicts, 1);
    hm_str page = help_page(&s, hm_str_z(s.a, s.view->conflicts[0].path));
    assert_has(page, "lists them all");
    help_site_done(&s);
  }
}

/* Of an overview, and of the page of a subsystem. */
static void sections_of_long_rows(void **state) {
  static const char *const types[] = { "Parameter", "Material", "Decision", "Requirement",
                                       "Result", "Component", "Own" };
  hm_buf b = { 0 };
  unsigned in_data;
  (void)state;
  hm_buf_c(
      &b,
      "{\"kind\":\"entity\",\"id\":\"sub\",\"entity_type\":\"Subsystem\",\"project\":\"p\",\"name\":\"frame\"}\n");
  for (unsigned i = 0; i < 700; i++)
    put_entity(&b, i, types[i % 7], ",\"subsystem\":\"frame\"", 4, 380);
  help_site s = site_of(&b);
  assert_int_equal(check_sizes(&s, &in_data), 701);
  hm_str overview = help_page(&s, "projects/p/README.md");
  assert_has(overview, " of 100, all in [Parameters](");
  help_site_done(&s);
}

/* Parts whose bytes differ, and which are new or gone. */
static unsigned changed_parts(help_site *x, help_site *y) {
  unsigned n = 0;
  for (size_t i = 0; i < y->pages->n; i++) {
    const hm_page *p = &y->pages->pages[i], *was = NULL;
    for (size_t k = 0; k < x->pages->n && !was; k++)
      if (hm_str_eq(x->pages->pages[k].path, p->path)) was = &x->pages->pages[k];
    if (strcmp(p->tmpl, "memories") == 0)
      n += !was || !hm_str_eq(help_render(x, was), help_render(y, p));
  }
  return n;
}

static void a_longer_row_moves_no_other(void **state) {
  (void)state;
  for (unsigned longer = 3; longer < 480; longer += 113) {
    hm_buf before = { 0 }, after = { 0 };
    for (unsigned i = 0; i < 480; i++) {
      put_memory(&before, i, "words of ", 220);
      put_memory(&after, i, "words of ", i == longer ? 100 : 220);
    }
    help_site x = site_of(&before), y = site_of(&after);
    assert_int_equal(changed_parts(&x, &y), 1);
    help_site_done(&x);
    help_site_done(&y);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(long_rows),
                                      cmocka_unit_test(hostile_rows),
                                      cmocka_unit_test(one_long_row),
                                      cmocka_unit_test(conflict_of_many),
                                      cmocka_unit_test(sections_of_long_rows),
                                      cmocka_unit_test(a_longer_row_moves_no_other) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
