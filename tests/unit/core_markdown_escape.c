/* Facts in Markdown and HTML: what is read back is the fact, and nothing of it
 * acts, wherever the templates may put it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/par.h"
#include "core/markdown/escape.h"
#include "core/markdown/markdown.h"
#include "tests/unit/core_base_thorough.h"

static void check(void (*escape)(hm_buf *, hm_str), hm_str in, const char *want) {
  hm_buf b = { 0 };
  escape(&b, in);
  hm_buf_ch(&b, 0);
  assert_string_equal(b.p, want);
  hm_buf_free(&b);
}

static void md(const char *in, const char *want) { check(hm_md_escape, hm_str_c(in), want); }

static void html(const char *in, const char *want) { check(hm_html_escape, hm_str_c(in), want); }

static void url(const char *in, const char *want) { check(hm_md_escape_url, hm_str_c(in), want); }

static void clean(hm_str in, const char *want) {
  hm_arena *a = hm_arena_new();
  assert_string_equal(hm_str_z(a, hm_clean_text(a, in)), want);
  hm_arena_free(a);
}

/* Words are looked at whole: so each byte is, at each place of one. */
static void test_clean_any_place(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  for (size_t n = 1; n < 26; n++)
    for (size_t at = 0; at < n; at++) {
      char text[27];
      for (int c = 0; c < 0x80; c++) {
        memset(text, c % 2 ? '!' : '~', n);
        text[at] = (char)c;
        bool same = c > 0x20 ? c < 0x7F : c == ' ' && at > 0 && at + 1 < n;
        assert_int_equal(hm_str_eq(hm_clean_text(a, (hm_str){ text, n }), (hm_str){ text, n }),
                         same);
      }
      memset(text, 'x', n);
      if (at + 1 == n) continue;
      text[at] = text[at + 1] = ' ';
      assert_int_not_equal(hm_clean_text(a, (hm_str){ text, n }).n, n);
      memcpy(text + at, "\xC3\xB6", 2);
      assert_int_equal(hm_clean_text(a, (hm_str){ text, n }).n, n);
      memcpy(text + at, "\xC2\x85", 2);
      assert_int_not_equal(hm_clean_text(a, (hm_str){ text, n }).n, n);
    }
  hm_arena_free(a);
}

static void test_clean(void **state) {
  (void)state;
  clean(HM_STR(""), "");
  clean(HM_STR(" \t a \r\n\v\f b\xC2\x85\xE2\x80\xA8\xE2\x80\xA9" "c  "), "a b c");
  clean(HM_STR("a\0b"), "a\u27E6U+0000\u27E7b");
  clean(HM_STR("\x1b[1m\x7f"), "\u27E6U+001B\u27E7[1m\u27E6U+007F\u27E7");
  clean(HM_STR("a\u202Eb\u200Bc"), "a\u27E6U+202E\u27E7b\u27E6U+200B\u27E7c");
  clean(HM_STR("\uFEFFa \uFEFF b\uFEFF"), "a b");
  clean(HM_STR("\xC3(\xF0\x9F\x98 \xFF"), "\uFFFD(\uFFFD \uFFFD");
  clean(HM_STR("\u00A0a\u00A0\u00A0b\u3000 \u00A0"), "a\u00A0\u00A0b");
  clean(HM_STR("\uFFFD gr\u00F6\u00DFe \u26A0"), "\uFFFD gr\u00F6\u00DFe \u26A0");
}

static void test_markdown_stays_readable(void **state) {
  (void)state;
  static const char *const same[] = { "GF-PTFE",
                                      "2026-04-02",
                                      "p05_x",
                                      "4.8 kg",
                                      "C#",
                                      "a-b",
                                      "2026-04-02T09:00:00Z",
                                      "O'Neil \"x\" (y)",
                                      "50%",
                                      "a = b + c",
                                      "@user",
                                      "e.g. 3, 4; 5",
                                      "Gr\u00F6\u00DFe",
                                      "a: b",
                                      "3/4",
                                      "{x}",
                                      "x^2",
                                      "-5 \u00B0C",
                                      "+49 89",
                                      "1.5",
                                      "3)x",
                                      "i.e. x",
                                      "1.2.3",
                                      "a/b",
                                      "/etc",
                                      "R & D",
                                      "@user",
                                      "kim @ work",
                                      "2 @ 3.5",
                                      "5@20C",
                                      "../a",
                                      "v1.2",
                                      "x. y",
                                      "f(x)",
                                      "4.7 rad.s-1" };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    md(same[i], same[i]);
}

static void test_markdown_addresses(void **state) {
  (void)state;
  md("http://x.y/z?a=b&c", "http:/\\/x.y/z?a=b&amp;c");
  md("a///b http:/", "a/\\/\\/b http:\\/");
  md("www.x.y WwW.", "www\\.x.y WwW\\.");
  md("see a.com, README.md, \u00FC.de and a=b.co",
     "see a\\.com, README\\.md, \u00FC\\.de and a=b\\.co");
  md("1.2.3.4 1.2.3", "1\\.2.3.4 1.2.3");
  md("kim@x.org, a@localhost, mailto:a@b.c", "kim`@`x\\.org, a`@`localhost, mailto:a`@`b.c");
  md("@x.org a @x.org a@b", "`@`x\\.org a @x\\.org a@b");
}

static void test_markdown_marks(void **state) {
  (void)state;
  md("\\`*[]<>&|~$", "\\\\\\`\\*\\[\\]&lt;&gt;&amp;\\|\\~\\$");
  md("_a_b_ __init__ a__b", "\\_a_b\\_ \\_\\_init\\_\\_ a\\_\\_b");
  md("# a ## b #1 c#d", "\\# a \\#\\# b \\#1 c#d");
  md("wow! ![x](y) yes!", "wow! \\!\\[x\\]\\(y) yes\\!");
  md("- a - b", "\\- a - b");
  md("> a", "&gt; a");
  md("+ a", "\\+ a");
  md("= a", "\\= a");
  md(":--", "\\:--");
  md("(a)", "\\(a)");
  md("1. a 2. b", "1\\. a 2. b");
  md("12) a", "12\\) a");
  md("12.", "12\\.");
  md("--5", "\\--5");
  md("a :smile: b:+1:", "a \\:smile: b\\:+1:");
  md("  a\nb  ", "a b");
}

static void test_html(void **state) {
  (void)state;
  html("a & <b> \"c\" 'd'", "a &amp; &lt;b&gt; &quot;c&quot; &#39;d&#39;");
  html(" a\n\nb ", "a b");
}

static void test_urls(void **state) {
  (void)state;
  static const char *const good[] = { "a.md",     "../x/README.md#y", "#z",
                                      "http://x", "https://x.y:8/a",  "http://\u00FC.de/" };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_true(hm_url_is_safe(hm_str_c(good[i])));
  static const char *const bad[] = { "",
                                     "javascript:alert(1)",
                                     "JAVASCRIPT:x",
                                     "//x.org",
                                     "/etc",
                                     "a:b",
                                     "http:",
                                     "http://",
                                     "http:///x",
                                     "http://?a",
                                     "https://x y",
                                     "https://x\ty",
                                     "https://x\\y",
                                     "ftp://x",
                                     "data:text/html,x",
                                     "a b",
                                     "a%20b",
                                     "https://x\u202Ey",
                                     "https://x\u00A0y",
                                     "https://x\xFFy",
                                     "https://x\x01" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_false(hm_url_is_safe(hm_str_c(bad[i])));
    url(bad[i], "#");
  }
  url("https://x.y/(a)[b]<c>\"d|e`f^g{h}$&amp;_*'",
      "https://x.y/%28a%29%5Bb%5D%3Cc%3E%22d%7Ce%60f%5Eg%7Bh%7D%24&amp;amp;\\_\\*'");
  url("http://x.y/_a_b/**?__", "http://x.y/\\_a_b/\\*\\*?\\_\\_");
  check(hm_html_escape_url, HM_STR("http://x.y/_a_b/**?__"), "http://x.y/_a_b/**?__");
  check(hm_html_escape_url, HM_STR("x*y"), "#");
  url("http://\u00FC.de", "http://%C3%BC.de");
  hm_buf part = { 0 };
  hm_url_encode(&part, HM_STR("aZ9-_./%\0\u00FC"), "-_.");
  assert_true(hm_str_is(hm_buf_view(&part), "aZ9-_.%2F%25%00%C3%BC"));
  hm_buf_free(&part);
}

/* --- parse(escape(s)) is s --------------------------------------------- */

static uint64_t seed = 20260402;

static uint32_t next(uint32_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % n;
}

static const char *const pieces[] = {
  "\\", "`", "``", "```", "*", "**", "_", "__", "{", "}", "[", "]", "(", ")", "#", "##", "+", "-",
  "--", "---", ".", "!", "|",
  "~", "~~~", "<", ">", "&", "\"", "'", "=", "===", ":", "$", "^", "%", "@", "/", ";", ",", "?",
  "a", "b", "z", "1", "9", "12",
  " ", " ", " ", "  ", "\t", "\n", "\n\n", "\r\n", "a_b", "1.", "2)", "- ", "+ ", "* ", "# ", "> ",
  "[ ] ", "[x] ", "[^1]",
  ":---", "| - |", "|-|", "&amp;", "&#42;", "&#x5b;", "&lt", "<b>", "</p>", "<!--", "-->",
  "<a id=\"x\"></a>", "<a ", "<?", "<![CDATA[",
  "http://x.y", "www.x.y", "a@b.c", "a@b.co", "`@`", "@", ".co", "](x)", "![", "[a]: b", "\\\n",
  "\\|", "\\\\|", "    ", ":smile:", "\u00E9", "\u00A0", "\u3000",
  "\u26A0", "\u2028", "\u200B", "\uFEFF", "\xFF", "\xC3", "\u0301", "\u20AC", "\x01", "\x7f",
  "\u201C", "\U0001F600", "disputed", "\u26A0 disputed", "\u26A0\uFE0F", "\uFE0E", "3",
  "script", "$$", "{{", "{%", "0000000001.", "***", "___", "- - -", "javascript:",
};

static hm_str random_fact(hm_arena *a) {
  hm_buf b = { 0 };
  for (uint32_t i = 0, n = 1 + next(9); i < n; i++) {
    hm_buf_c(&b, pieces[next(sizeof pieces / sizeof *pieces)]);
    if (next(60) == 0) hm_buf_ch(&b, 0);
  }
  hm_str s = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return s;
}

/* X is the fact, in Markdown escaped, in HTML as text; I its heading id. */
static const struct { const char *md, *html;
} places[] = {
  { "X\n", "<p>X</p>\n" },
  { "### X\n", "<h3I>X</h3>\n" },
  { "- X\n- X\n", "<ul>\n<li>X</li>\n<li>X</li>\n</ul>\n" },
  { "1. X\n", "<ol>\n<li>X</li>\n</ol>\n" },
  { "- a\n  - X\n", "<ul>\n<li>a\n<ul>\n<li>X</li>\n</ul>\n</li>\n</ul>\n" },
  { "- [ ] X\n",
    "<ul>\n<li><input type=\"checkbox\" disabled=\"\" aria-label=\"to do\" /> X</li>\n</ul>\n" },
  { "> X\n", "<blockquote>\n<p>X</p>\n</blockquote>\n" },
  { "| X | y |\n|---|---|\n| X | y |\n| z | X |\n",
    "<div class=\"table\" tabindex=\"0\">\n<table>\n<thead>\n<tr>\n<th scope=\"col\">X</th>\n<th scope=\"col\">y</th>\n</tr>\n</thead>\n<tbody>\n"
    "<tr>\n<td>X</td>\n<td>y</td>\n</tr>\n<tr>\n<td>z</td>\n<td>X</td>\n</tr>\n</tbody>\n</table>\n</div>\n" },
  { "[X](a.md)\n", "<p><a href=\"a.html\">X</a></p>\n" },
  { "- [X](a.md) \u2014 X\n", "<ul>\n<li><a href=\"a.html\">X</a> \u2014 X</li>\n</ul>\n" },
  { "**Name:** X (source)\n", "<p><strong>Name:</strong> X (source)</p>\n" },
  { "**Name:** X\n**More:** X\n", "<p><strong>Name:</strong> X\n<strong>More:</strong> X</p>\n" },
  { "**X** *X*\n", "<p><strong>X</strong> <em>X</em></p>\n" },
  { "text\nX\nX\n", "<p>text\nX\nX</p>\n" },
  { "a X b\n", "<p>a X b</p>\n" },
  { "X X\n", "<p>X X</p>\n" },
  { "X (X), X: X; X.\n", "<p>X (X), X: X; X.</p>\n" },
  { "X [\u26A0 disputed](c.md)\n",
    "<p>X <a href=\"c.html\" class=\"disputed\">\u26A0 disputed</a></p>\n" },
  { "X[b](c.md)X\n", "<p>X<a href=\"c.html\">b</a>X</p>\n" },
  { "[b]X\n", "<p>[b]X</p>\n" },
  { "\"X\" X/X\n", "<p>&quot;X&quot; X/X</p>\n" },
  { "<a id=\"m1\"></a>X\n", "<p><a id=\"m1\"></a>X</p>\n" },
  { "## h\n\nX\n\n- X\n\nX\n",
    "<h2 id=\"h\">h</h2>\n<p>X</p>\n<ul>\n<li>X</li>\n</ul>\n<p>X</p>\n" },
};

static void put_text(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < s.n; i++) {
    const char *at = memchr("&<>\"", s.p[i], 4);
    static const char *const names[] = { "&amp;", "&lt;", "&gt;", "&quot;" };
    if (at) hm_buf_c(b, names[strcspn("&<>\"", (char[]){ s.p[i], 0 })]);
    else hm_buf_ch(b, s.p[i]);
  }
}

/* The fact with "!" in white brackets for each sign of the marker, with its U+FE0F or U+FE0E. */
static hm_str without_sign(hm_arena *a, hm_str fact) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < fact.n;) {
    hm_str rest = hm_str_sub(fact, i, fact.n);
    bool pictured = hm_str_starts(rest, "\u26A0\uFE0F") || hm_str_starts(rest, "\u26A0\uFE0E");
    if (!hm_str_starts(rest, "\u26A0")) {
      hm_buf_ch(&b, fact.p[i++]);
      continue;
    }
    hm_buf_c(&b, "\u27E6!\u27E7");
    i += pictured ? 6 : 3;
  }
  return hm_buf_take(&b, a);
}

static void put_place(hm_buf *b, hm_arena *a, const char *form, hm_str fact, bool markdown) {
  hm_str shown = without_sign(a, fact), id = hm_heading_id(a, shown), text = hm_clean_text(a, shown);
  for (; *form; form++) {
    if (*form == 'X' && markdown) hm_md_escape(b, fact);
    else if (*form == 'X') put_text(b, text);
    else if (*form == 'I') hm_buf_fmt(b, id.n ? " id=\"%.*s\"" : "%.*s", HM_FMT(id));
    else hm_buf_ch(b, *form);
  }
}

static void check_place(hm_arena *a, size_t place, hm_str fact) {
  hm_buf source = { 0 }, got = { 0 }, want = { 0 };
  hm_err err;
  put_place(&source, a, places[place].md, fact, true);
  put_place(&want, a, places[place].html, fact, false);
  assert_int_equal(hm_markdown_html(hm_buf_view(&source), a, &got, &err), 0);
  hm_buf_ch(&source, 0);
  if (!hm_str_eq(hm_buf_view(&got), hm_buf_view(&want)))
    fail_msg("fact \"%.*s\"\n--- Markdown\n%s--- is read as\n%.*s--- instead of\n%.*s",
             HM_FMT(fact), source.p, HM_FMT(hm_buf_view(&got)), HM_FMT(hm_buf_view(&want)));
  hm_buf_free(&source);
  hm_buf_free(&got);
  hm_buf_free(&want);
}

static void check_everywhere(hm_arena *a, hm_str fact) {
  if (!hm_clean_text(a, fact).n) return;
  for (size_t p = 0; p < sizeof places / sizeof *places; p++) check_place(a, p, fact);
}

static void test_every_pair(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  size_t n = sizeof pieces / sizeof *pieces;
  for (size_t i = 0; i < n; i++) {
    check_everywhere(a, hm_str_c(pieces[i]));
    for (size_t k = 0; k < n; k++) check_everywhere(a, hm_str_fmt(a, "%s%s", pieces[i], pieces[k]));
    hm_arena_reset(a);
  }
  hm_arena_free(a);
}

static void test_random_facts(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  const char *rounds = getenv("HM_ROUNDS");
  for (long i = rounds ? atol(rounds) : 5000; i > 0; i--) {
    check_everywhere(a, random_fact(a));
    hm_arena_reset(a);
  }
  hm_arena_free(a);
}

/* Cleaning and escaping do not depend on what a fact went through before. */
static void test_clean_is_idempotent(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  for (int i = 0; i < 20000; i++) {
    hm_str once = hm_clean_text(a, random_fact(a)), twice = hm_clean_text(a, once);
    assert_true(hm_str_eq(once, twice));
    assert_ptr_equal(once.p, twice.p);
    hm_arena_reset(a);
  }
  hm_arena_free(a);
}

/* --- a megabyte of anything takes under a second ------------------------ */

static const char *const shapes[] = {
  "[", "]", "*a ", "<", ">", "`", "``", "|", "| a ", "_a", "a_", "![", "&#", "&", "\\", "\n>", "> ",
  "- ", "1. ", "#", "# ", "~", "$", "(",
  "[a](", "[]()", "![](", "<!--", "<a ", "</", ":", ":a", ":a:", "\xFF", "\0", "\u202E", "\uFEFF",
  " ", "\n", "\t", "a", "a b ", "\u00A0", "**a", "_ ",
  "*", "-", "--- ", "[^1]", "http://", "www.", "a@b", "|-", "|-|\n", "<?", "<![CDATA[", "\"", "'",
  "{{", "12", "12. ", "!", "! ", "\u3000", "\\[", "\\\\`",
};

/* Runs of backticks of growing length: no two can pair up. */
static hm_str backticks(hm_arena *a, size_t size) {
  hm_buf b = { 0 };
  for (size_t run = 1; b.n < size; run++) {
    for (size_t i = 0; i < run; i++) hm_buf_ch(&b, '`');
    hm_buf_ch(&b, 'e');
  }
  hm_str s = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return s;
}

static hm_str repeated(hm_arena *a, const char *piece, size_t size) {
  size_t n = *piece ? strlen(piece) : 1;   /* "\0" is one NUL */
  char *p = hm_alloc(a, size);
  for (size_t i = 0; i < size; i++) p[i] = piece[i % n];
  return (hm_str){ p, size };
}

static size_t size_of_fact(void) { return thorough() ? 1000000 : 50000; }

static const char *const forms[] = { "X\n",         "### X\n",
                                     "- X\n",       "| a | b |\n|---|---|\n| X | y |\n",
                                     "[X](a.md)\n", "**X**\n" };
enum {
  SLACK = 5
}; /* seconds of processor time for a megabyte, which takes one at most; what is slow is so by
      thousands */
enum { N_FORMS = sizeof forms / sizeof *forms, N_SHAPES = sizeof shapes / sizeof *shapes };

/* An eighth is tried first. What takes longer than SLACK as a whole and grows with the square takes a
 * 64th of that there: of what takes half of it already, the whole is tried. */
enum { FIRST = 8 };

static bool may_be_slow(double took) { return took > (double)SLACK / (2 * FIRST * FIRST); }

/* One shape (the last: backticks) in one form: its time, or -1. */
static double time_shape(size_t shape, const char *form, size_t size) {
  hm_arena *a = hm_arena_new();
  hm_str fact = shape < N_SHAPES ? repeated(a, shapes[shape], size) : backticks(a, size);
  hm_buf source = { 0 }, got = { 0 };
  hm_err err;
  double start = computed();
  put_place(&source, a, form, fact, true);
  int rc = hm_markdown_html(hm_buf_view(&source), a, &got, &err);
  double took = rc ? -1 : computed() - start;
  hm_buf_free(&source);
  hm_buf_free(&got);
  hm_arena_free(a);
  return took;
}

static int time_job(void *took, size_t i, int worker) {
  (void)worker;
  double *t = (double *)took + i;
  *t = time_shape(i / N_FORMS, forms[i % N_FORMS], size_of_fact() / FIRST);
  if (may_be_slow(*t)) *t = time_shape(i / N_FORMS, forms[i % N_FORMS], size_of_fact());
  return 0;
}

static void test_pathological_shapes(void **state) {
  (void)state;
  static double took[(N_SHAPES + 1) * N_FORMS];
  size_t n = sizeof took / sizeof *took, failed, slowest = 0;
  assert_int_equal(hm_par_for(n, hm_par_cores(), time_job, took, &failed), 0);
  for (size_t i = 0; i < n; i++) {
    if (took[i] < 0 || (thorough() && took[i] > SLACK))
      fail_msg("shape %zu (\"%s\") in \"%s\" took %.2f s", i / N_FORMS,
               i / N_FORMS < N_SHAPES ? shapes[i / N_FORMS] : "`", forms[i % N_FORMS], took[i]);
    if (took[i] > took[slowest]) slowest = i;
  }
  print_message("slowest: %.3f s, shape %zu in form %zu\n", took[slowest], slowest / N_FORMS,
                slowest % N_FORMS);
}

static double time_block(const char *head, const char *form, const char *fact, size_t size) {
  hm_arena *a = hm_arena_new();
  hm_buf source = { 0 }, got = { 0 };
  hm_err err;
  hm_buf_c(&source, head);
  while (source.n < size) put_place(&source, a, form, hm_str_c(fact), true);
  double start = computed();
  assert_int_equal(hm_markdown_html(hm_buf_view(&source), a, &got, &err), 0);
  double took = computed() - start;
  hm_buf_free(&source);
  hm_buf_free(&got);
  hm_arena_free(a);
  return took;
}

/* Many facts in the blocks that our templates repeat. */
static void test_many_blocks(void **state) {
  (void)state;
  static const struct { const char *head, *form;
  } repeats[] = {
    { "", "### X\n" },
    { "", "- X\n" },
    { "", "X\n\n" },
    { "", "X\n" },
    { "", "- [X](a.md)\n" },
    { "| a | b | c |\n|---|---|---|\n", "| X | X | X |\n" },
    { "", "- <a id=\"m1\"></a>**X:** X\n" },
  };
  static const char *const facts[] = { "a", "[", "a|b", "1. x", "-", "*a*" };
  for (size_t r = 0; r < sizeof repeats / sizeof *repeats; r++)
    for (size_t f = 0; f < sizeof facts / sizeof *facts; f++) {
      const char *head = repeats[r].head, *form = repeats[r].form;
      double took = time_block(head, form, facts[f], size_of_fact() / FIRST);
      if (may_be_slow(took)) took = time_block(head, form, facts[f], size_of_fact());
      if (thorough() && took > SLACK) fail_msg("%s of %s took %.2f s", form, facts[f], took);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_clean), cmocka_unit_test(test_clean_any_place),
    cmocka_unit_test(test_markdown_stays_readable), cmocka_unit_test(test_markdown_addresses),
    cmocka_unit_test(test_markdown_marks),
    cmocka_unit_test(test_html), cmocka_unit_test(test_urls), cmocka_unit_test(test_every_pair),
    cmocka_unit_test(test_random_facts), cmocka_unit_test(test_clean_is_idempotent),
    cmocka_unit_test(test_pathological_shapes), cmocka_unit_test(test_many_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
