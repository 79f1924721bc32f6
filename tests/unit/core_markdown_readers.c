/* Facts in Markdown, read by cmark-gfm with every extension, as git hosts read it, raw HTML refused
 * and let through: the page has the tags that it has with a harmless word in the fact's place, and
 * the reader sees the fact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include "core/markdown/escape.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_base_thorough.h"

#define N(a) (sizeof(a) / sizeof *(a))

/* What begins an address, a tag, a link or a block for some reader, and what may stand behind it.
 * Python reads them, too. */
static const char *const starts[] = {
#include "tests/hostile_starts.inc"
};
static const char *const tails[] = {
#include "tests/hostile_tails.inc"
};
#define N_COMBINATIONS (N(starts) * N(tails))

static hm_str combination(hm_arena *a, size_t i) {
  return hm_str_fmt(a, "%s%s", starts[i / N(tails)], tails[i % N(tails)]);
}

/* X is the fact. */
static const char *const places[] = {
  "- a: X\n", "### X\n", "- [X](a.md)\n", "| X | y |\n|---|---|\n| X | [X](b.md) |\n",
  "X\n", "1. X\n", "- X\n- X\n", "- a\n  - X\n", "- [ ] X\n", "> X\n", "**Name:** X (source)\n",
  "**Name:** X\n**More:** X\n", "**X** *X*\n", "### [X](a.md)\n", "text\nX\nX\n", "a X b\n",
  "X X\n", "X (X), X: X; X.\n",
  "X [\u26A0 disputed](c.md)\n", "X[b](c.md)X\n", "\"X\" X/X\n", "- <a id=\"m1\"></a>X\n  - b: X\n",
  "### <a id=\"m1\"></a>X\n", "## h\n\nX\n\n- X\n\nX\n",
  "- X: [X](a.md) (X), [X](b.md) [\u26A0 disputed](c.md)\n",
};
static const int ways[] = { CMARK_OPT_DEFAULT, CMARK_OPT_UNSAFE,
                            CMARK_OPT_UNSAFE | CMARK_OPT_FOOTNOTES };

static char *read_by_cmark(hm_str md, int options) {
  static const char *const names[] = { "table", "autolink", "strikethrough", "tagfilter",
                                       "tasklist" };
  cmark_parser *p = cmark_parser_new(options);
  for (size_t i = 0; i < N(names); i++)
    assert_true(cmark_parser_attach_syntax_extension(p, cmark_find_syntax_extension(names[i])));
  cmark_parser_feed(p, md.p, md.n);
  cmark_node *root = cmark_parser_finish(p);
  char *html = cmark_render_html(root, options, cmark_parser_get_syntax_extensions(p));
  cmark_node_free(root);
  cmark_parser_free(p);
  return html;
}

/* The pages with a harmless word in the fact's place, as each way reads them. */
static const char WORD[] = "Qzzq";
static char *harmless[N(ways)][N(places)];

static void put_place(hm_buf *b, const char *form, hm_str fact, bool escaped) {
  for (; *form; form++) {
    if (*form != 'X') hm_buf_ch(b, *form);
    else if (escaped) hm_md_escape(b, fact);
    else hm_buf_str(b, fact);
  }
}

static int begin(void **state) {
  (void)state;
  cmark_gfm_core_extensions_ensure_registered();
  for (size_t w = 0; w < N(ways); w++)
    for (size_t p = 0; p < N(places); p++) {
      hm_buf b = { 0 };
      put_place(&b, places[p], hm_str_c(WORD), false);
      harmless[w][p] = read_by_cmark(hm_buf_view(&b), ways[w]);
      hm_buf_free(&b);
    }
  return 0;
}

static int end(void **state) {
  (void)state;
  for (size_t w = 0; w < N(ways); w++)
    for (size_t p = 0; p < N(places); p++) free(harmless[w][p]);
  return 0;
}

static void put_html(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < s.n; i++) {
    const char *at = strchr("&<>\"", s.p[i]);
    static const char *const names[] = { "&amp;", "&lt;", "&gt;", "&quot;" };
    if (at && *at) hm_buf_c(b, names[strcspn("&<>\"", (char[]){ s.p[i], 0 })]);
    else hm_buf_ch(b, s.p[i]);
  }
}

/* Every `from` in s as `to`. */
static void put_replaced(hm_buf *b, const char *s, const char *from,
                         void (*to)(hm_buf *, hm_str), hm_str text) {
  for (const char *at; (at = strstr(s, from)); s = at + strlen(from)) {
    hm_buf_add(b, s, (size_t)(at - s));
    to(b, text);
  }
  hm_buf_c(b, s);
}

static void check_place(hm_arena *a, size_t place, size_t way, hm_str fact) {
  hm_buf source = { 0 }, got = { 0 }, want = { 0 };
  put_place(&source, places[place], fact, true);
  char *html = read_by_cmark(hm_buf_view(&source), ways[way]);
  /* the '@' of an address stands so */
  put_replaced(&got, html, "<code>@</code>", hm_buf_str, HM_STR("@"));
  put_replaced(&want, harmless[way][place], WORD, put_html, hm_clean_text(a, fact));
  if (!hm_str_eq(hm_buf_view(&got), hm_buf_view(&want)))
    fail_msg("fact \"%.*s\"\n--- Markdown\n%.*s--- way %zu is read as\n%.*s--- not\n%.*s",
             HM_FMT(fact), HM_FMT(hm_buf_view(&source)), way, HM_FMT(hm_buf_view(&got)),
             HM_FMT(hm_buf_view(&want)));
  free(html);
  hm_buf_free(&source);
  hm_buf_free(&got);
  hm_buf_free(&want);
}

/* Every start before every tail, in every place. */
static void no_combination_acts(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < N_COMBINATIONS; i += thorough() ? 1 : 7) {
    hm_str fact = combination(a, i);
    for (size_t p = 0; p < N(places) && hm_clean_text(a, fact).n; p++)
      check_place(a, p, (i + p) % N(ways), fact);
    hm_arena_reset(a);
  }
  hm_arena_free(a);
}

static void no_start_or_tail_acts_anywhere(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < N(starts) + N(tails); i++) {
    hm_str fact = hm_str_c(i < N(starts) ? starts[i] : tails[i - N(starts)]);
    for (size_t p = 0; p < N(places) && hm_clean_text(a, fact).n; p++)
      for (size_t w = 0; w < N(ways); w++) check_place(a, p, w, fact);
    hm_arena_reset(a);
  }
  hm_arena_free(a);
}

static uint64_t seed = 20260402;

static size_t next(size_t n) { return (size_t)(prng(&seed) % n); }

static void no_random_fact_acts(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  const char *rounds = getenv("HM_ROUNDS");
  for (long i = rounds ? atol(rounds) : thorough() ? 20000 : 5000; i > 0; i--) {
    hm_buf b = { 0 };
    for (uint32_t k = 0, n = 1 + (uint32_t)next(5); k < n; k++)
      hm_buf_c(&b, next(2) ? starts[next(N(starts))] : tails[next(N(tails))]);
    hm_str fact = hm_buf_view(&b);
    if (hm_clean_text(a, fact).n) check_place(a, next(N(places)), next(N(ways)), fact);
    hm_buf_free(&b);
    hm_arena_reset(a);
  }
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_start_or_tail_acts_anywhere), cmocka_unit_test(no_combination_acts),
    cmocka_unit_test(no_random_fact_acts),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
