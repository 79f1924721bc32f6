/* The page of sources: what rows name, as they write it, and the contradictions of each. */
#include "core/base/digest.h"
#include "tests/unit/gen_page_help.h"

#define STATE(id, key, value, source)                                                              \
  "{\"kind\":\"project_state\",\"id\":\"" id "\",\"project\":\"p\",\"key\":\"" key                 \
  "\",\"value\":\"" value "\",\"source\":\"" source "\"}\n"
#define NOTE(id, type, sources)                                                                    \
  "{\"kind\":\"memory\",\"id\":\"" id "\",\"project\":\"p\",\"memory_type\":\"" type               \
  "\",\"content\":\"A note.\",\"source_refs\":[" sources "]}\n"

static const char lines[] =
    STATE("s1", "mass", "1 kg", "review 10") STATE("s2", "mass", "2 kg", "review 9")
        STATE("s3", "speed", "1 m/s", "review 9") STATE("s4", "speed", "2 m/s", "b <i> | [x](y)")
            NOTE("m1", "episodic", "\"review 10\",\"review 10\",\"chat 1\"")
                NOTE("m2", "secret", "\"whisper\"");

static void each_source_once_the_contested_first(void **state) {
  static const char want[] = "</a>review 9: 2 rows; 2 open contradictions: [p: Mass](../conflicts/";
  (void)state;
  hm_view_options opt = { .title = HM_STR("M"), .list_limit = 500 };
  help_site s = help_site_of(hm_str_c(lines), &opt);
  hm_str md = help_page(&s, "sources/README.md");
  assert_has(md, want);
  assert_has(md, "</a>b &lt;i&gt; \\| \\[x\\]\\(y): 1 row; 1 open contradiction: [p: Speed](");
  assert_has(md, "</a>review 10: 2 rows; 1 open contradiction: [p: Mass](");
  assert_has(md, "</a>whisper: 1 row\n");
  assert_has(md, "## Disputed\n");
  assert_has(md, "| [p: Mass](../conflicts/");
  assert_true(hm_str_find(md, "| [p: Speed](") < hm_str_find(md, ">review 9"));
  assert_true(hm_str_find(md, ">review 9") < hm_str_find(md, ">b &lt;"));
  assert_true(hm_str_find(md, ">b &lt;") < hm_str_find(md, ">review 10"));
  assert_true(hm_str_find(md, ">chat 1: 1 row\n") < hm_str_find(md, ">whisper"));
  assert_true(hm_str_find(md, ">review 10") < hm_str_find(md, ">chat 1"));
  help_site_done(&s);
}

/* A row that names a source twice names it once. */
static void a_project_counts_rows(void **state) {
  (void)state;
  hm_view_options opt = { .title = HM_STR("M"), .list_limit = 500 };
  help_site s = help_site_of(hm_str_c(lines), &opt);
  hm_str md = help_page(&s, "projects/p/README.md");
  const char *last = "";
  static const char *const most_first[] = { "review 9", "review 10", "chat 1" };
  for (size_t i = 0; i < HM_COUNT(most_first); i++) {
    hm_str name = hm_str_c(most_first[i]);
    hm_str line = hm_str_fmt(s.a, "[%s](../../sources/README.md#source-%.*s): %d\n", most_first[i],
                             HM_FMT(hm_str_digest_hex(s.a, name, 10)), i < 2 ? 2 : 1);
    assert_has(md, line.p);
    assert_true(hm_str_find(md, last) < hm_str_find(md, line.p));
    last = line.p;
  }
  help_site_done(&s);
}

/* A source leads to the rows that name it, a disputed one with its marker. */
static void a_source_links_its_rows(void **state) {
  (void)state;
  hm_view_options opt = { .title = HM_STR("M"), .list_limit = 500 };
  hm_buf b = { 0 };
  hm_buf_str(&b, hm_str_c(lines));
  for (int i = 0; i < 20; i++)
    hm_buf_fmt(&b, STATE("k%02d", "key %02d", "1", "handbook"), i, i);
  help_site s = help_site_of(hm_buf_view(&b), &opt);
  hm_str md = help_page(&s, "sources/README.md");
  assert_has(md,
             ">whisper: 1 row\n  - Rows: [A note.](../projects/p/memories/undated.md#memory-m2)\n");
  assert_has(md, "  - Rows: [mass](../projects/p/state.md#state-s1) [⚠ disputed](../conflicts/");
  assert_has(md, ">handbook: 20 rows\n  - Rows: [key 00](");
  assert_has(md, "[key 11](../projects/p/state.md#state-k11); 8 more rows\n");
  help_site_done(&s);
  hm_buf_free(&b);
}

static void a_long_list_is_cut(void **state) {
  (void)state;
  hm_view_options opt = { .title = HM_STR("M"), .list_limit = 2 };
  help_site s = help_site_of(hm_str_c(lines), &opt);
  hm_str md = help_page(&s, "sources/README.md");
  assert_has(md, "[a-c](a-c.md): 2\n- [p-r](p-r.md): 2");
  assert_has(md, "## In contradictions\n\n- <a id=\"source-");
  assert_has_not(md, "chat 1");
  assert_has(help_page(&s, "sources/a-c.md"), ">chat 1: 1 row\n");
  help_site_done(&s);
}

static void what_is_left_out_is_no_source(void **state) {
  static const hm_str secret[] = { HM_STR("secret") };
  (void)state;
  hm_view_options opt = { .title = HM_STR("M"), .exclude = { .types = secret, .n_types = 1 } };
  help_site s = help_site_of(hm_str_c(lines), &opt);
  assert_has_not(help_everything(&s), "whisper");
  help_site_done(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(each_source_once_the_contested_first),
                                      cmocka_unit_test(a_project_counts_rows),
                                      cmocka_unit_test(a_source_links_its_rows),
                                      cmocka_unit_test(a_long_list_is_cut),
                                      cmocka_unit_test(what_is_left_out_is_no_source) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
