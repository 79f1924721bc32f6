/* Texts as words, and which of a set of texts stand in others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/json.h"
#include "gen/check/withheld.h"
#include "core/markdown/escape.h"
#include "tests/unit/core_base_prng.h"

static void words_of_each_kind(void **state) {
  (void)state;
  static const struct { hm_words_format as; const char *text, *words;
  } cases[] = {
    { HM_WORDS_PLAIN, "GF-PTFE, 4.8 kg", "gf ptfe 4 8 kg" },
    { HM_WORDS_PLAIN, "", "" },
    { HM_WORDS_PLAIN, " - ", "" },
    { HM_WORDS_PLAIN, "a|b\nc&amp;d%41", "a b c amp d 41" },
    { HM_WORDS_MARKDOWN, "GF\\-PTFE\\_x", "gf ptfe x" },
    { HM_WORDS_MARKDOWN, "| a | b\\|c | **d**e", "a\nb c\nd\ne" },
    { HM_WORDS_MARKDOWN, "a&amp;b \\&amp;c", "a b amp c" },
    { HM_WORDS_MARKDOWN, "C:\\new", "c new" },
    { HM_WORDS_MARKDOWN, "a`@`b\\.co `c`", "a b co\nc" },
    { HM_WORDS_HTML, "<b>a</b> b&#45;c&eacute; %41%zz", "b\na\nb\nb c eacute a zz" },
    { HM_WORDS_HTML, "a=\"b c\"d", "a\nb c\nd" },
    { HM_WORDS_JSON, "{\"a\":\"b\\nc\\u0041\\\"d\"}", "a\nb ca d" },
    { HM_WORDS_JSON, "\"\\ud83d\\ude00\\ud83dx\"", "\xF0\x9F\x98\x80\xEF\xBF\xBDx" },
    { HM_WORDS_HTML, "&#233;&#x1F600;", "\xC3\xA9\xF0\x9F\x98\x80" },
    { HM_WORDS_HTML, "%C3%A9", "\xC3\xA9" },
    { HM_WORDS_MARKDOWN, "\\", "" },
    { HM_WORDS_JSON, "\\", "" },
    { HM_WORDS_HTML, "%4", "4" },
  };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_str got = hm_copy_as_words(a, hm_str_c(cases[i].text), cases[i].as);
    if (!hm_str_is(got, cases[i].words))
      fail_msg("%s: \"%.*s\", not \"%s\"", cases[i].text, HM_FMT(got), cases[i].words);
  }
  hm_arena_free(a);
}

typedef struct { size_t n; size_t first; } hits;
static void count(void *ctx, uint32_t secret, size_t at) {
  hits *h = ctx;
  (void)secret;
  if (!h->n++) h->first = at;
}

static size_t search(const hm_withheld *s, hm_arena *a, hm_str text, hm_words_format as) {
  hits h = { 0 };
  size_t n;
  char *p = hm_alloc(a, text.n + 2);
  hm_extract_words(p, &n, text, as, SIZE_MAX);
  hm_withheld_search(s, (hm_str){ p, n }, false, count, &h);
  return h.n;
}

static bool found(const char *secret, const char *text) {
  hm_arena *a = hm_arena_new();
  hm_withheld s;
  hm_withheld_init(&s, a);
  hm_withheld_add(&s, hm_str_c(secret), 0);
  hm_withheld_seal(&s);
  bool any = search(&s, a, hm_str_c(text), HM_WORDS_PLAIN) > 0;
  hm_arena_free(a);
  return any;
}

static void what_counts_as_found(void **state) {
  (void)state;
  assert_true(found("98,000 EUR", "it is 98 000 eur."));
  assert_false(found("98,000 EUR", "it is 198,000 EUR"));
  assert_false(found("98,000 EUR", "98,000 EURO"));
  assert_false(found("7 kg", "7 kg"));                       /* too short */
  assert_true(
      found("one two three four five six seven", "zero one two three four five six and more"));
  assert_false(found("one two three four five six seven", "three four five six seven"));
  assert_true(found("01234567890123456789012345678901234567891234 and more",
                    "x 0123456789012345678901234567890123456789ZZZ"));
  assert_true(found("年俸は秘密です", "彼の年俸は秘密ですと"));
  assert_true(found("100%25 of &lt;all&gt;", "100%25 of &lt;all&gt;"));
  assert_true(found("Größe 12", "grosse_12") || found("Größe 12", "größe 12"));
}

static void data_files_are_json(void **state) {
  (void)state;
  assert_int_equal(hm_words_format_of_path(HM_STR("data/p/state.jsonl")), HM_WORDS_JSON);
  assert_int_equal(hm_words_format_of_path(HM_STR("conflicts.json")), HM_WORDS_JSON);
  assert_int_equal(hm_words_format_of_path(HM_STR("data/0a.txt")), HM_WORDS_PLAIN);
}

/* Whatever a fact is, a page that shows it is found to show it. */
static void whatever_the_fact_is(void **state) {
  (void)state;
  static const char bytes[] = "abcXYZ0129 -_.,;:!?*[](){}<>&%$#@|\\/\"'`~+=\t\n";
  uint64_t seed = 7;
  for (int round = 0; round < 3000; round++) {
    hm_arena *a = hm_arena_new();
    hm_buf fact = { 0 }, md = { 0 }, html = { 0 }, json = { 0 };
    size_t n = 12 + prng(&seed) % 60;
    for (size_t i = 0; i < n; i++) {
      if (prng(&seed) % 30 == 0) hm_buf_c(&fact, "é");
      else hm_buf_ch(&fact, bytes[prng(&seed) % (sizeof bytes - 1)]);
    }
    hm_str f = hm_buf_view(&fact);
    hm_withheld s;
    hm_withheld_init(&s, a);
    bool searchable = hm_withheld_add(&s, f, 0);
    hm_withheld_seal(&s);
    hm_buf_c(&md, "| ");
    hm_md_escape(&md, f);
    hm_buf_c(&md, " | x |");
    hm_buf_c(&html, "<p>");
    hm_html_escape(&html, f);
    hm_buf_c(&html, "</p>");
    hm_json_write_str(&json, f);
    /* "%41%42" may be short where it is undone. */
    if (searchable && hm_copy_as_words(a, f, HM_WORDS_HTML).n >= HM_WITHHELD_LEAST) {
      if (!search(&s, a, hm_buf_view(&md), HM_WORDS_MARKDOWN))
        fail_msg("Markdown: %.*s", HM_FMT(f));
      if (!search(&s, a, hm_buf_view(&html), HM_WORDS_HTML)) fail_msg("HTML: %.*s", HM_FMT(f));
      if (!search(&s, a, hm_buf_view(&json), HM_WORDS_JSON)) fail_msg("JSON: %.*s", HM_FMT(f));
      if (!search(&s, a, f, HM_WORDS_PLAIN)) fail_msg("plain: %.*s", HM_FMT(f));
    }
    hm_buf_free(&fact), hm_buf_free(&md), hm_buf_free(&html), hm_buf_free(&json);
    hm_arena_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(words_of_each_kind),
                                      cmocka_unit_test(what_counts_as_found),
                                      cmocka_unit_test(data_files_are_json),
                                      cmocka_unit_test(whatever_the_fact_is) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
