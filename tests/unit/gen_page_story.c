/* Texts that tell a story, on pages: the question and what answers record, the arc in order, values
 * with several sources, what a later statement overtook, and what is left out of all of it. */
#include "tests/unit/gen_page_help.h"

#define TOLD(id, day, agent, text, more)                                                           \
  "{\"kind\":\"memory\",\"id\":\"" id "\",\"project\":\"p\",\"memory_type\":\"project\",\"agent\":\""      \
  agent "\",\"created_at\":\"2026-" day "T10:00:00Z\",\"content\":\"" text "\"" more "}\n"
#define HIDE ",\"tags\":[\"private\"]"

/* The page of the only conflict. */
static hm_str conflict_page(help_site *s) {
  assert_int_equal(s->view->n_conflicts, 1);
  char path[64];
  snprintf(path, sizeof path, "%.*s", HM_FMT(s->view->conflicts[0].path));
  return help_page(s, path);
}

static void in_order(hm_str text, const char *const *parts, size_t n) {
  for (size_t i = 0; i < n; i++) {
    ptrdiff_t at = hm_str_find(text, parts[i]);
    if (at < 0) fail_msg("\"%s\" does not come in order:\n%.*s", parts[i], HM_FMT(text));
    text = hm_str_sub(text, (size_t)at + 1, text.n);
  }
}

static const char back[] = TOLD("a", "02-03", "claude", "We use REST.", "")
    TOLD("b", "03-10", "codex", "Fewer trips. We switched to GraphQL.", "")
        TOLD("c", "05-04", "gemini", "The API is REST-based.", "");

static void the_question_comes_first(void **state) {
  static const char *const order[] = {
    "**Is the API of p still REST?**",
    "disputed since",
    "## Who says what",
    "## What to do",
    "Yes, **REST-based**:",
    "--winner memory:c",
    "No, **GraphQL**:",
    "--winner memory:b",
    "--no-action",
    "- REST-based: said by 2 memories\n- GraphQL: said by 1 memory\n",
    "- <time datetime=\"2026-02-03T10:00:00Z\">3 Feb 2026</time>, claude, [memory:a](",
    "“**We use REST**.” says REST, overtaken by [memory:b](",
    "- <time datetime=\"2026-03-10T10:00:00Z\">10 Mar 2026</time>, codex",
    "“Fewer trips. **We switched to GraphQL**.” says GraphQL, overtaken by [memory:c](",
    "it returns to a value that was left",
    "“**The API is REST-based**.” says REST-based, and holds",
    "<summary>Why it was flagged</summary>"
  };
  (void)state;
  help_site s = help_site_excluding(back, false);
  in_order(conflict_page(&s), order, HM_COUNT(order));
  help_site_done(&s);
}

static void superseded_rows_are_told_and_do_not_stand(void **state) {
  (void)state;
  help_site s = help_site_excluding(
      TOLD("a", "02-03", "claude", "We use REST.",
           ",\"status\":\"superseded\",\"superseded_by\":\"b\"")
          TOLD("b", "03-10", "codex", "We switched to GraphQL.", "")
              TOLD("c", "05-04", "gemini", "The API is REST-based.", ""),
      false);
  hm_str md = conflict_page(&s);
  assert_has(md, "(superseded): “**We use REST**.”");
  hm_str answers = hm_str_sub(md, (size_t)hm_str_find(md, "## What to do"),
                              (size_t)hm_str_find(md, "## The story"));
  assert_has_not(answers, "memory:a");
  help_site_done(&s);
}

static void what_is_said_alike_is_one_value(void **state) {
  (void)state;
  help_site s = help_site_excluding(TOLD("a", "02-03", "claude", "The pad material is GF-PTFE.", "")
                            TOLD("b", "02-04", "codex", "Pad material: GF-PTFE", "")
                                TOLD("c", "02-05", "kim", "The pad material is GF-PTFE.", "")
                                    TOLD("d", "02-06", "lee", "The pad material is PEEK.", ""),
                        false);
  assert_has(conflict_page(&s), "- GF-PTFE: said by 3 memories\n- PEEK: said by 1 memory\n");
  help_site_done(&s);
}

static void no_value_is_counted_where_each_is_said_once(void **state) {
  (void)state;
  help_site s = help_site_excluding(TOLD("a", "02-03", "claude", "API timeout is 30 s.", "")
                            TOLD("b", "03-03", "codex", "API timeout is 60 s.", ""),
                        false);
  hm_str md = conflict_page(&s);
  assert_has_not(md, "said by");
  assert_has(md, "**Is the API timeout of p still 30 s?**");
  help_site_done(&s);
}

static void rows_name_what_overtook_them(void **state) {
  static const char lines[] = TOLD("a", "03-01", "claude", "Cache TTL is 60 s.", "")
      TOLD("b", "04-01", "codex", "We decided: cache TTL is 300 s, final.", HIDE);
  (void)state;
  help_site s = help_site_excluding(lines, false);
  assert_has(help_page(&s, "projects/p/README.md"), "60 s is overtaken by [We decided: cache");
  assert_has(help_page(&s, "projects/p/memories/2026.md"), "Overtaken by: [We decided: cache");
  help_site_done(&s);
  s = help_site_excluding(lines, true);
  hm_str all = help_everything(&s);
  assert_has(all, "Cache TTL is 60 s.");
  assert_has_not(all, "vertaken");
  assert_has_not(all, "300");
  help_site_done(&s);
}

static void a_withheld_claim_is_counted_and_no_more(void **state) {
  (void)state;
  help_site s = help_site_excluding(TOLD("a", "02-03", "claude", "We use REST.", "")
                            TOLD("oscar", "03-10", "oscaragent", "We switched to GraphQL.", HIDE)
                                TOLD("c", "05-04", "gemini", "The API is REST-based.", ""),
                        true);
  hm_str md = conflict_page(&s), all = help_everything(&s);
  assert_has(md, " 1 claim withheld.\n");
  assert_has(md, "says REST, overtaken by a claim that is withheld\n");
  assert_has(md, "**Is the API of p still REST?**");
  assert_has_not(all, "oscar");
  assert_has_not(all, "GraphQL");
  assert_has_not(all, "something changed");
  assert_has(all, "\"arc_withheld\":1");
  help_site_done(&s);
}

static void the_last_word_may_be_withheld(void **state) {
  (void)state;
  help_site s = help_site_excluding(TOLD("a", "02-03", "claude", "API timeout is 30 s.", "")
                            TOLD("b", "03-03", "oscar", "API timeout is 7777 s.", HIDE),
                        true);
  hm_str all = help_everything(&s);
  assert_has(conflict_page(&s), "**Is the API timeout of p still 30 s?**");
  assert_has_not(all, "7777");
  assert_has_not(all, "oscar");
  help_site_done(&s);
}

static void facts_are_escaped(void **state) {
  (void)state;
  help_site s = help_site_excluding(TOLD("a", "02-03", "*x* | <i>", "API timeout is 30 s.", "")
                            TOLD("b", "03-03", "codex",
                                 "API timeout is 60 s. See <script> | [y](z) `c` **b**", ""),
                        false);
  hm_str md = conflict_page(&s);
  assert_has(md, "\\*x\\* \\| &lt;i&gt;, [memory:a]");
  assert_has(md, "**API timeout is 60 s**. See &lt;script&gt; \\| \\[y\\]\\(z) \\`c\\` \\*\\*b\\*\\*”");
  help_site_done(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_question_comes_first),
    cmocka_unit_test(superseded_rows_are_told_and_do_not_stand),
    cmocka_unit_test(what_is_said_alike_is_one_value),
    cmocka_unit_test(no_value_is_counted_where_each_is_said_once),
    cmocka_unit_test(rows_name_what_overtook_them),
    cmocka_unit_test(a_withheld_claim_is_counted_and_no_more),
    cmocka_unit_test(the_last_word_may_be_withheld),
    cmocka_unit_test(facts_are_escaped)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
