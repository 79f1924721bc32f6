/* Anybody's page: its links and ids, its words, and that a text that stands in it is found. Within
 * bounds, and linear. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gen/check/check_impl.h"
#include "gen/check/withheld.h"
#include "core/markdown/markdown.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct { hm_arena *a; hm_str page; size_t lines; } looking;

static void must(bool ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "%s\n", what);
  abort();
}

static void on_id(void *ctx, hm_str id, size_t line) {
  looking *l = ctx;
  (void)id;
  must(line >= 1 && line <= l->lines, "an id beyond the page");
}

static void on_link(void *ctx, hm_str url, size_t line) {
  looking *l = ctx;
  hm_link_target t;
  must(line >= 1 && line <= l->lines, "a link beyond the page");
  if (hm_link_resolve(HM_STR("a/b.html"), url, HM_STR("https://h/m/"), l->a, &t) != HM_LINK_INSIDE)
    return;
  must(!hm_str_starts(t.path, "/") && !hm_str_starts(t.path, "../") &&
           hm_str_find(t.path, "/../") < 0,
       "a path out of the site");
}

static void on_base(void *ctx, hm_str url) { on_link(ctx, url, 1); }
static const hm_html_visitor in_html = { on_link, on_id, on_base };

static void on_raw(void *ctx, hm_str html, size_t line) {
  hm_html_visit(html, line, ((looking *)ctx)->a, &in_html, ctx);
}
static const hm_markdown_visitor in_markdown = { on_link, on_id, on_raw };

static void words(hm_str s, hm_words_format as, hm_arena *a) {
  char *all = hm_alloc(a, s.n + 2), *part = hm_alloc(a, s.n + 2);
  size_t n, k;
  must(hm_extract_words(all, &n, s, as, SIZE_MAX) == s.n, "words that end early");
  must(n >= 2 && n <= s.n + 2 && all[0] == '\n' && all[n - 1] == '\n', "words without an end");
  must(hm_extract_words(part, &k, s, as, n / 2) <= s.n && k <= n && memcmp(all, part, k - 1) == 0,
       "words that stop differ");
}

static void found(void *ctx, uint32_t secret, size_t at) {
  (void)secret, (void)at;
  *(bool *)ctx = true;
}

static void search(hm_str s, hm_arena *a) {
  hm_withheld set;
  bool any = false;
  hm_withheld_init(&set, a);
  bool searchable = hm_withheld_add(&set, s, 0);
  hm_withheld_add(&set, hm_str_sub(s, s.n / 3, s.n), 1);
  hm_withheld_seal(&set);
  char *p = hm_alloc(a, s.n + 2);
  size_t n;
  hm_extract_words(p, &n, s, HM_WORDS_PLAIN, SIZE_MAX);
  hm_withheld_search(&set, (hm_str){ p, n }, false, found, &any);
  must(any || !searchable || hm_copy_as_words(a, s, HM_WORDS_PLAIN).n < HM_WITHHELD_LEAST,
       "a text is not found in itself");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_str s = { (const char *)data, size };
  hm_err err = { 0 };
  looking l = { .a = hm_arena_new(), .page = s, .lines = 2 };
  for (size_t i = 0; i < size; i++) l.lines += data[i] == '\n' || data[i] == '\r';
  hm_html_visit(s, 1, l.a, &in_html, &l);
  if (hm_markdown_visit(s, l.a, &in_markdown, &l, &err))
    must(err.code == HM_E_INTERNAL && *err.why && *err.fix, "an error that says nothing");
  on_link(&l, s, 1);
  for (int as = 0; as < HM_N_WORDS; as++) words(s, (hm_words_format)as, l.a);
  search(s, l.a);
  hm_arena_free(l.a);
  return 0;
}
