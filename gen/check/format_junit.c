#include "core/base/text.h"
#include "gen/check/format.h"

/* XML 1.0, section 2.2. Tabs and line ends would be normalized in attributes. */
static bool xml_holds(uint32_t cp) {
  return (cp >= 0x20 && cp <= 0xD7FF) || (cp >= 0xE000 && cp <= 0xFFFD) ||
      (cp >= 0x10000 && cp <= 0x10FFFF);
}

static void put_xml(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < s.n;) {
    uint32_t cp = hm_text_next(s, &i);
    if (cp == '&') hm_buf_c(b, "&amp;");
    else if (cp == '<') hm_buf_c(b, "&lt;");
    else if (cp == '>') hm_buf_c(b, "&gt;");
    else if (cp == '"') hm_buf_c(b, "&quot;");
    else if (xml_holds(cp)) hm_text_put(b, cp);
    else hm_buf_fmt(b, "⟦U+%04X⟧", (unsigned)cp);
  }
}

static void put_attribute(hm_buf *b, const char *name, hm_str value) {
  hm_buf_fmt(b, " %s=\"", name);
  put_xml(b, value);
  hm_buf_ch(b, '"');
}

static hm_str where(const hm_report_item *i, const hm_format_options *o, hm_arena *tmp) {
  hm_str path = hm_str_fmt(tmp, "%.*s%.*s", HM_FMT(o->prefix), HM_FMT(i->path));
  return i->line ? hm_str_fmt(tmp, "%.*s:%zu", HM_FMT(path), i->line) : path;
}

/* Named by what it is about and its id, so that a report of the next run can be compared. */
static void put_case(hm_buf *b, const hm_report_item *i, const hm_format_options *o,
                     hm_arena *tmp) {
  const hm_report_rule *rule = &hm_report_rules[i->rule];
  hm_str message = hm_report_message(i, tmp), place = where(i, o, tmp);
  hm_buf_c(b, "    <testcase");
  put_attribute(b, "name", hm_str_fmt(tmp, "%.*s [%.*s]", HM_FMT(i->subject), HM_FMT(i->id)));
  put_attribute(
      b, "classname",
      hm_str_fmt(tmp, "hmirror.%s%s%.*s", rule->id, i->project.n ? "." : "", HM_FMT(i->project)));
  hm_buf_c(b, ">\n      <");
  hm_buf_c(b, i->fails ? "failure" : "skipped");
  if (i->fails) put_attribute(b, "type", hm_str_c(rule->id));
  if (i->fails) put_attribute(b, "message", message);
  hm_buf_ch(b, '>');
  put_xml(b, place);
  hm_buf_c(b, ": ");
  put_xml(b, message);
  if (i->see.n) {
    hm_buf_c(b, "\nAll sides: ");
    put_xml(b, o->prefix);
    put_xml(b, i->see);
  }
  hm_buf_fmt(b, "\n%s\n", rule->help);
  hm_buf_fmt(b, "</%s>\n    </testcase>\n", i->fails ? "failure" : "skipped");
}

static void put_suite(hm_buf *b, const hm_report *r, hm_report_suite s, const hm_format_options *o,
                      hm_arena *tmp) {
  size_t n = 0, failures = 0;
  for (size_t i = 0; i < r->n; i++) {
    if (hm_report_rules[r->items[i].rule].suite != s) continue;
    n++;
    failures += r->items[i].fails;
  }
  hm_buf_fmt(
      b,
      "  <testsuite name=\"hmirror %s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n",
      hm_report_suites[s].name, n ? n : 1, failures, n - failures);
  for (size_t i = 0; i < r->n; i++) {
    if (hm_report_rules[r->items[i].rule].suite == s) put_case(b, &r->items[i], o, tmp);
    hm_arena_reset(tmp);
  }
  if (!n)
    hm_buf_fmt(b, "    <testcase name=\"%s\" classname=\"hmirror.%s\"/>\n",
               hm_report_suites[s].fine, hm_report_suites[s].name);
  hm_buf_c(b, "  </testsuite>\n");
}

void hm_format_junit(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  hm_buf_c(out,
           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hmirror check\">\n");
  for (hm_report_suite s = 0; s < HM_N_SUITES; s++) put_suite(out, r, s, o, tmp);
  hm_buf_c(out, "</testsuites>\n");
  hm_arena_free(tmp);
}
