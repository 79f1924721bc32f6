/* Documents of other people as plain data: parts with their lines and headings, front matter, and
 * what is not read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "core/markdown/document.h"

static hm_arena *a;

static void write_part(hm_buf *b, const hm_document *d, const hm_doc_part *p) {
  static const char *const kinds[] = { "heading", "sentence", "item",   "row",
                                       "code",    "html",     "comment" };
  hm_str path = hm_doc_heading_path(d, p->heading, a);
  hm_buf_fmt(b, "%u %s", p->line, kinds[p->kind]);
  if (p->level)
    hm_buf_fmt(b, " %u", p->level);
  if (p->quoted)
    hm_buf_c(b, " quoted");
  if (p->task)
    hm_buf_c(b, " task");
  if (p->item != HM_DOC_NONE)
    hm_buf_fmt(b, " in %u", d->parts[p->item].line);
  if (p->language.n)
    hm_buf_fmt(b, " %.*s", HM_FMT(p->language));
  if (path.n)
    hm_buf_fmt(b, " (%.*s)", HM_FMT(path));
  hm_buf_fmt(b, ": %.*s", HM_FMT(p->text));
  if (p->label.n)
    hm_buf_fmt(b, " {%.*s = %s}", HM_FMT(p->label), hm_str_z(a, p->text) + p->value);
  for (uint32_t i = 0; i < p->n_head; i++)
    hm_buf_fmt(b, " <%.*s>", HM_FMT(p->head[i].text));
  for (uint32_t i = 0; i < p->n_spans; i++) {
    const hm_doc_span *s = &p->spans[i];
    if (s->mark == HM_DOC_STRUCK || s->mark == HM_DOC_PICTURE)
      hm_buf_fmt(b, " %s[%.*s]", s->mark == HM_DOC_STRUCK ? "struck" : "picture",
                 (int)(s->to - s->from), p->text.p + s->from);
  }
  hm_buf_ch(b, '\n');
}

static void check(hm_str text, const char *expected) {
  hm_arena *work = hm_arena_new();
  hm_buf b = { 0 };
  hm_document d;
  a = hm_arena_new();
  hm_doc_read(&d, text, a, work);
  for (size_t i = 0; i < d.n_unread; i++)
    hm_buf_fmt(&b, "%u unread: %s\n", d.unread[i].line, d.unread[i].why);
  for (size_t i = 0; i < d.n_fields; i++)
    hm_buf_fmt(&b, "%u field %.*s = %.*s\n", d.fields[i].line, HM_FMT(d.fields[i].key),
               HM_FMT(d.fields[i].value));
  for (size_t i = 0; i < d.n; i++)
    write_part(&b, &d, &d.parts[i]);
  hm_buf_ch(&b, 0);
  assert_string_equal(b.p, expected);
  hm_buf_free(&b);
  hm_arena_free(work);
  hm_arena_free(a);
}

#define CHECK(text, expected) check(HM_STR(text), expected)

static void parts_know_their_line_and_headings(void **state) {
  (void)state;
  CHECK("# Pump\n\nThe pump is *blue*. It runs at\n`40` Hz, e.g. in June. Then\nit rests.\n\n"
        "## Ports\n\n- http: 80\n  and 81\n  - inner\n\n    More of it.\n- https: 443\n\n"
        "Other\n=====\n\nEnd.\n",
        "1 heading 1: Pump\n"
        "3 sentence (Pump): The pump is blue.\n"
        "3 sentence (Pump): It runs at 40 Hz, e.g. in June.\n"
        "4 sentence (Pump): Then it rests.\n"
        "7 heading 2 (Pump): Ports\n"
        "9 item 1 (Pump > Ports): http: 80 and 81\n"
        "11 item 2 in 9 (Pump > Ports): inner\n"
        "13 sentence 2 in 11 (Pump > Ports): More of it.\n"
        "14 item 1 (Pump > Ports): https: 443\n"
        "16 heading 1: Other\n"
        "19 sentence (Other): End.\n");
}

static void tables_labels_code_and_comments(void **state) {
  (void)state;
  CHECK("| Thing | Size |\n|---|---|\n| **Lid** | 4 `mm` |\n\n**Owner:** Ada\n\n**State**: up "
        "<!-- checked -->\n\n```sh title=x\nmake  # builds\n\nPORT=1\n```\n\n> - said\n\n"
        "- [x] ~~done~~\n- [ ] open\n\n<!-- a\nb -->\n<details>\n<summary>More</summary>\n",
        "3 row: Lid | 4 mm <Thing> <Size>\n"
        "5 sentence: Owner: Ada {Owner = Ada}\n"
        "7 sentence: State: up {State = up}\n"
        "7 comment: checked\n"
        "10 code sh: make  # builds\n"
        "12 code sh: PORT=1\n"
        "15 item 1 quoted: said\n"
        "17 item 1 task: done struck[done]\n"
        "18 item 1 task: open\n"
        "20 comment: a\nb\n"
        "23 html: More\n");
}

static void struck_text_pictures_and_html(void **state) {
  (void)state;
  CHECK("A ~~b~~ <S>c</S> ![d *e*](f) <del>g\n\n[![h](i)](j)\n",
        "1 sentence: A b c d e g struck[b] struck[c] picture[d e]\n"
        "3 sentence: h picture[h]\n");
  CHECK("<table><tr><td>API</td> <td>3<b>000</b></td></tr>\n<img\n alt='x' y='>\n</table>\n"
        "<DEL>a\nb</DEL> c\n",
        "1 html: API 3000\n5 html: a struck[a]\n6 html: b c struck[b]\n");
  CHECK("- A: <your-port>, <b>or</b> <c>\n", "1 item 1: A: <your-port>, or\n");
}

/* Its fence ends a sample of Markdown at the end of a block in it: the rest is of the sample. */
static void a_sample_goes_on_behind_its_block(void **state) {
  (void)state;
  CHECK("# T\n\n```markdown\n# Yours\n```sh\nmake\n```\n\n## Usage\n\nSee [x](y.md).\n```\n\n"
        "Ours.\n\n```sh\nrun\n```\n\nEnd.\n",
        "1 heading 1: T\n"
        "4 code markdown (T): # Yours\n"
        "5 code markdown (T): ```sh\n"
        "6 code markdown (T): make\n"
        "9 heading 2 quoted (T): Usage\n"
        "11 sentence quoted (T): See x.\n"
        "14 code quoted (T): Ours.\n"
        "16 code quoted (T): ```sh\n"
        "17 code quoted (T): run\n"
        "20 sentence (T): End.\n");
  CHECK("````md\n```sh\nmake\n```\n````\n\nEnd.\n",
        "2 code md: ```sh\n3 code md: make\n4 code md: ```\n7 sentence: End.\n");
}

static void lines_of_labels_are_sentences(void **state) {
  (void)state;
  CHECK("**Owner**: Ada\n**State:** up\nand running\n",
        "1 sentence: Owner: Ada {Owner = Ada}\n"
        "2 sentence: State: up and running {State = up and running}\n");
}

static void front_matter_is_fields(void **state) {
  (void)state;
  CHECK("---\ntitle: \"On pumps\"  \nstatus: accepted # since May\ntags: [a, 'b c']\nby:\n  - Ada\n"
        "  - Bo\nmap: {a: b}\nbomb: &a [x]\nlong: |\n  text\n---\n# T\n",
        "2 field title = On pumps\n"
        "3 field status = accepted\n"
        "4 field tags = a\n"
        "4 field tags = b c\n"
        "6 field by = Ada\n"
        "7 field by = Bo\n"
        "13 heading 1: T\n");
  CHECK("---\nno end\n", "2 sentence: no end\n");
}

static void marks_and_line_ends_change_nothing(void **state) {
  (void)state;
  CHECK("\xEF\xBB\xBF---\r\na: b\r\n---\r\n# T\r\n\r\n```\r\nx\r\n```\r\n",
        "2 field a = b\n4 heading 1: T\n7 code (T): x\n");
}

static void lines_that_cannot_be_read_are_told(void **state) {
  (void)state;
  hm_buf b = { 0 };
  hm_buf_c(&b, "# T\n\nA \xFF b.\n\n");
  for (int i = 0; i < 40; i++)
    hm_buf_c(&b, "> ");
  hm_buf_c(&b, "\n\n");
  for (int i = 0; i < 120; i++)
    hm_buf_c(&b, "|a");
  hm_buf_c(&b, "\n\n");
  for (int i = 0; i < 70000; i++)
    hm_buf_ch(&b, 'x');
  hm_buf_c(&b, "\nEnd.\n");
  check(hm_buf_view(&b),
        "3 unread: not UTF-8\n"
        "5 unread: lists or quotations nested more than 32 deep\n"
        "7 unread: a table of more than 100 columns\n"
        "9 unread: a line over 64 KiB\n"
        "1 heading 1: T\n"
        "10 sentence (T): End.\n");
  hm_buf_free(&b);
}

static void read_only(hm_document *d, hm_buf *b, hm_arena *work) {
  hm_doc_read(d, hm_buf_view(b), a, work);
  hm_buf_free(b);
  *b = (hm_buf){ 0 };
}

/* A bound of a paragraph begins anew with a list item, and with none that may be no item. */
static void long_lists_are_read(void **state) {
  (void)state;
  static const struct {
    const char *first, *line;
    size_t unread;
  } cases[] = {
    { "", "- **Item** that says a few words, as other items do.\n", 0 },
    { "", "2. **Item** that says a few words, as other items do.\n", 2 },
    { "1. One.\n", "2. **Item** that says a few words, as other items do.\n", 0 },
    { "- a\n  - b\n", "    - **Item** that says a few words, as other items do.\n", 0 },
    { "A paragraph\n", "    - **Item** that says a few words, as other items do.\n", 2 },
    { "- a\n\nA paragraph\n", "    - **Item** that says a few words, as others do.\n", 2 },
    { "* * *\n   A paragraph\n", "    - **Item** that says a few words, as others do.\n", 2 },
    { "- [ ] \n\n   A paragraph\n", "    - **Item** that says a few words, as others do.\n", 2 },
    { "<p>\n- a\n\n   A paragraph\n", "    - **Item** that says a few words, as others do.\n", 2 },
    { "```\n- a\n   ```\n   A paragraph\n", "    - **Item** that says a few words, as it is.\n",
      2 },
    { "A paragraph\n", "that says a few words, as others do, on many a line.\n", 2 },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_arena *work = hm_arena_new();
    hm_buf b = { 0 };
    hm_document d;
    a = hm_arena_new();
    hm_buf_c(&b, cases[i].first);
    for (int k = 0; k < 3000; k++)
      hm_buf_c(&b, cases[i].line);
    read_only(&d, &b, work);
    if (d.n_unread != cases[i].unread)
      fail_msg("%zu: %zu unread", i, d.n_unread);
    hm_arena_free(work);
    hm_arena_free(a);
  }
}

static void a_table_has_at_most_100_columns(void **state) {
  (void)state;
  static const char *const forms[][2] = { { "|", "" }, { "", "a" }, { "> |", "" } };
  for (size_t i = 0; i < HM_COUNT(forms); i++)
    for (int columns = 100; columns <= 101; columns++) {
      hm_arena *work = hm_arena_new();
      hm_buf b = { 0 };
      hm_document d;
      a = hm_arena_new();
      hm_buf_c(&b, forms[i][0]);
      for (int k = forms[i][1][0] != 0; k < columns; k++)
        hm_buf_c(&b, "a|");
      hm_buf_c(&b, forms[i][1]);
      hm_buf_ch(&b, '\n');
      read_only(&d, &b, work);
      assert_int_equal(d.n_unread, columns - 100);
      hm_arena_free(work);
      hm_arena_free(a);
    }
}

/* A list in a list in a list, a line each. */
static void deep_lists_end(void **state) {
  (void)state;
  hm_arena *work = hm_arena_new();
  hm_buf b = { 0 };
  hm_document d;
  a = hm_arena_new();
  for (int i = 0; i < 1000; i++)
    hm_buf_fmt(&b, "%*s- x\n", 2 * i, "");
  hm_buf_c(&b, "\nEnd.\n");
  hm_doc_read(&d, hm_buf_view(&b), a, work);
  assert_int_equal(d.n_unread, HM_DOC_UNREAD_MAX + 1);
  assert_int_equal(d.unread[0].line, 34);
  assert_string_equal(d.unread[HM_DOC_UNREAD_MAX].why, "and others");
  assert_int_equal(d.n, 34);
  hm_buf_free(&b);
  hm_arena_free(work);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(parts_know_their_line_and_headings),
    cmocka_unit_test(tables_labels_code_and_comments),
    cmocka_unit_test(struck_text_pictures_and_html),
    cmocka_unit_test(a_sample_goes_on_behind_its_block),
    cmocka_unit_test(lines_of_labels_are_sentences),
    cmocka_unit_test(front_matter_is_fields),
    cmocka_unit_test(marks_and_line_ends_change_nothing),
    cmocka_unit_test(lines_that_cannot_be_read_are_told),
    cmocka_unit_test(long_lists_are_read),
    cmocka_unit_test(a_table_has_at_most_100_columns),
    cmocka_unit_test(deep_lists_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
