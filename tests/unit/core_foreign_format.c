/* What a file is that is no JSON Lines, by how it begins; and what has no name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/foreign/readers.h"

typedef struct {
  const char *head;
  size_t n;
  const char *is, *way;
} format_case;
#define HEAD(text) text, sizeof text - 1

static void what_it_is(void **state) {
  (void)state;
  static const format_case cases[] = {
    { HEAD("SQLite format 3\0\020\0"), "a SQLite file", "hmirror --store FILE export" },
    { HEAD("\177ELF\2\1\1\0"), "a program (ELF)", "one JSON object a line" },
    { HEAD("\037\213\010\0"), "compressed (gzip)", "gunzip -c FILE | hmirror import" },
    { HEAD("\3757zXZ\0\0"), "compressed (xz)", "xz -dc FILE |" },
    { HEAD("\050\265\057\375\004"), "compressed (zstd)", "zstd -dc FILE |" },
    { HEAD("BZh91AY"), "compressed (bzip2)", "bunzip2 -c FILE |" },
    { HEAD("PK\003\004\024\0\006\0\010\0[Content_Types].xml"), "an Office file (a spreadsheet?)",
      "init --from sheet.csv" },
    { HEAD("PK\003\004\024\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet"),
      "an OpenDocument file (a spreadsheet?)", "init --from sheet.csv" },
    { HEAD("PK\003\004\024\0facts.jsonl"), "a zip archive", "unzip -p FILE |" },
    { HEAD("\377\376{\0\"\0"), "UTF-16", "iconv -f UTF-16 " },
    { HEAD("\376\377\0{\0\""), "UTF-16", "iconv -f UTF-16 " },
    { HEAD("{\0\"\0k\0"), "UTF-16", "iconv -f UTF-16LE" },
    { HEAD("\377\376\0\0{\0\0\0"), "UTF-32", "iconv -f UTF-32" },
    { HEAD("%PDF-1.7\n"), "a PDF", "" },
    { HEAD("[{\"kind\":\"memory\"}]"), "a JSON array", "jq -c '.[]' FILE" },
    { HEAD("\xEF\xBB\xBF\n  [\n  {"), "a JSON array", "jq" },
    { HEAD("{\n  \"kind\": \"memory\"\n}\n"), "JSON over several lines", "jq -c . FILE" },
    { HEAD("{ \"kind\": \"memory\",\n  \"id\": 1 }\n"), "JSON over several lines", "jq -c ." },
    { HEAD("{\n{\n"), "JSON over several lines", "jq -c ." },
    { HEAD("---\n- kind: memory\n"), "YAML", "hmirror init --from FILE mirror" },
    { HEAD("- kind: memory\n  id: m1\n"), "YAML", "init" },
    { HEAD("facts:\n  - a\n"), "YAML", "init" },
    { HEAD("<?xml version=\"1.0\"?>\n"), "XML or HTML", "" },
    { HEAD("<table>\n<tr>"), "XML or HTML", "" },
    { HEAD("id,key,value\n1,a,b\n"), "CSV", "hmirror init --from FILE mirror" },
    { HEAD("\"key\";\"value\"\r\n\"a\";\"b\"\r\n"), "CSV", "--csv" },
    { HEAD("part\tcontent\n"), "CSV", "--csv" },
    { HEAD("a,b,c,d\n1,2,3,4\n"), "CSV", "--csv" },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    const char *is = "nothing", *way = "";
    hm_format_guess(HM_STR("f"), (hm_str){ cases[i].head, cases[i].n }, &is, &way);
    if (strcmp(is, cases[i].is)) fail_msg("case %zu: %s, not %s", i, is, cases[i].is);
    if (!strstr(way, cases[i].way)) fail_msg("case %zu: %s", i, way);
  }
}

static void what_has_no_name(void **state) {
  (void)state;
  static const char *const cases[] = {
    "",
    "\n",
    "nonsense",
    "{",
    "{\"kind\":\"memory\"}",
    "{\"kind\":\"mem\n{\"kind\":\"memory\"}\n",
    "Dear all, this is no table.\nIt has commas, as prose does.\n",
    "# Notes\n\n- one\n",
    "the key: is not at the beginning",
    "7",
    "\"a\"",
    "a < b",
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    const char *is = "", *way;
    if (hm_format_guess(HM_STR("f.txt"), hm_str_c(cases[i]), &is, &way))
      fail_msg("case %zu: %s", i, is);
  }
  const char *is, *way;
  assert_true(hm_format_guess(HM_STR("a.csv"), HM_STR("spindle,45\nmass,4\n"), &is, &way));
  assert_string_equal(is, "CSV");
  assert_true(hm_format_guess(HM_STR("a.csv"), HM_STR("[1]"), &is, &way));
  assert_string_equal(is, "a JSON array");
  assert_true(hm_format_guess(HM_STR("a.md"), HM_STR("---\nstatus: x\n---\n# A\n"), &is,
                                     &way));
  assert_string_equal(is, "Markdown");
  assert_false(hm_format_guess(HM_STR("a.md"), HM_STR("{\"kind\":1}\n"), &is, &way));
  assert_false(hm_format_guess(HM_STR("a.csv"), HM_STR("\n"), &is, &way));
  assert_false(hm_format_guess(HM_STR("f"), (hm_str){ "\0\0\0\0", 4 }, &is, &way));
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(what_it_is),
                                      cmocka_unit_test(what_has_no_name) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
