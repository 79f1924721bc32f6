/* A report as text, as JSON, and in the formats of other programs: JUnit XML and GitHub's workflow
 * commands. What each holds is in check.h. */
#include "gen/check/report_impl.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/markdown/escape.h"

/* fine: what is said of a suite in which nothing was found. */
static const struct {
  const char *name, *fine;
} SUITES[HM_N_SUITES] = {
  [HM_SUITE_CONFLICTS] = { "conflicts", "no conflict is open" },
  [HM_SUITE_LINKS] = { "links", "every link leads somewhere" },
  [HM_SUITE_LEAKS] = { "leaks", "nothing that is left out is in the site" },
  [HM_SUITE_FINDINGS] = { "findings", "no finding" },
};

/* --- text ---------------------------------------------------------------------------- */

/* Items of a suite, listed or not. */
static size_t count_in_suite(const hm_report *r, hm_report_suite s) {
  size_t n = 0;
  for (int k = 0; k < HM_N_REPORT_RULES; k++)
    if (hm_report_rules[k].suite == s)
      n += r->found[k];
  return n;
}

static void write_count(hm_buf *b, size_t n, const char *one, const char *many) {
  hm_buf_fmt(b, "%s%zu %s", b->n && b->p[b->n - 1] != '\n' ? ", " : "", n, n == 1 ? one : many);
}

static void write_baseline(hm_buf *b, const hm_report *r) {
  if (r->compared)
    hm_buf_fmt(b, " (%zu new since %.*s)", r->fresh, r->baseline.n > 12 ? 12 : (int)r->baseline.n,
               r->baseline.p);
}

static void write_counts(hm_buf *b, const hm_report *r, const hm_format_options *o, hm_arena *tmp) {
  if (r->of_files) {
    write_count(b, r->found[HM_R_DISPUTED], "dispute", "disputes");
    write_baseline(b, r);
    if (count_in_suite(r, HM_SUITE_FINDINGS))
      write_count(b, count_in_suite(r, HM_SUITE_FINDINGS), "finding", "findings");
    if (r->by_comment)
      hm_buf_fmt(b, ", %zu settled by comments", r->by_comment);
    if (r->by_verdict)
      hm_buf_fmt(b, ", %zu settled by verdicts", r->by_verdict);
    hm_buf_fmt(b, "; compared %zu %s of %zu %s in %zu %s\n", r->values,
               r->values == 1 ? "value" : "values", r->rows, r->rows == 1 ? "row" : "rows",
               r->files, r->files == 1 ? "file" : "files");
    for (const hm_report_settled *s = r->settled; s < r->settled + r->n_settled; s++)
      hm_buf_fmt(b, "%.*s\n", HM_FMT(report_settled_text(s, o, tmp)));
    return;
  }
  write_count(b, r->found[HM_R_DISPUTED], "dispute", "disputes");
  write_baseline(b, r);
  write_count(b, r->found[HM_R_SIGNOFF], "conflict awaiting sign-off",
              "conflicts awaiting sign-off");
  write_count(b, count_in_suite(r, HM_SUITE_LINKS), "broken link", "broken links");
  hm_buf_fmt(b, " of %zu on %zu pages", r->links, r->pages);
  write_count(b, r->found[HM_R_LEAK], "leak", "leaks");
  if (r->withheld)
    hm_buf_fmt(b, " of %zu texts left out (%zu too short to search for, %zu published elsewhere)",
               r->withheld, r->unsearchable, r->published);
  write_count(b, count_in_suite(r, HM_SUITE_FINDINGS), "finding", "findings");
  hm_buf_ch(b, '\n');
}

/* The sides of a conflict of files, a line each: where and what, in which text if that is more. */
static void write_sides(hm_buf *b, const hm_report_item *i, const hm_format_options *o,
                        hm_arena *tmp) {
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++) {
    hm_str text = hm_str_eq(s->text, s->value) ? HM_EMPTY : s->text;
    hm_buf_fmt(b, "  %.*s%s %s%.*s%s%.*s%s%.*s%s\n", HM_FMT(report_path(o, s->path, tmp)),
               report_side_line(s, tmp), report_said(s), HM_FMT(s->value), text.n ? ": " : "",
               HM_FMT(text), s->commit.n ? " (" : "", HM_FMT(s->commit), s->commit.n ? ")" : "");
  }
}

static void format_text(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  size_t all = 0;
  for (size_t i = 0; i < r->n; i++) {
    const hm_report_item *item = &r->items[i];
    hm_buf_fmt(out, "%.*s%s: ", HM_FMT(report_path(o, item->path, tmp)),
               report_line(item->line, tmp));
    hm_buf_c(out, item->fails ? "error: " : "");
    hm_buf_str(out, report_message(item, tmp));
    hm_buf_fmt(out, " [%.*s]\n", HM_FMT(item->id));
    write_sides(out, item, o, tmp);
    hm_arena_reset(tmp);
  }
  for (int k = 0; k < HM_N_REPORT_RULES; k++)
    all += r->found[k];
  if (all > r->n)
    hm_buf_fmt(out, "and %zu more\n", all - r->n);
  if (!o->quiet)
    write_counts(out, r, o, tmp);
  hm_arena_free(tmp);
}

/* --- JSON ---------------------------------------------------------------------------- */

static void write_json_line(hm_jw *w, size_t line, hm_arena *tmp) {
  hm_jw_raw(w, "line", line ? hm_str_fmt(tmp, "%zu", line) : HM_STR("null"));
}

static void write_json_item(hm_jw *w, const hm_report_item *i, const hm_format_options *o,
                            hm_arena *tmp) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "rule", hm_str_c(hm_report_rules[i->rule].id));
  hm_jw_str(w, "level", hm_str_c(report_level_names[i->level]));
  hm_jw_bool(w, "fails", i->fails);
  hm_jw_bool(w, "new", i->fresh);
  hm_jw_str(w, "path", report_path(o, i->path, tmp));
  write_json_line(w, i->line, tmp);
  hm_jw_str(w, "id", i->id);
  hm_jw_str_or_null(w, "project", i->project);
  hm_jw_str(w, "subject", i->subject);
  hm_jw_str(w, "detail", i->detail);
  hm_jw_str(w, "message", report_message(i, tmp));
  hm_jw_str_or_null(w, "see", i->see.n ? report_path(o, i->see, tmp) : HM_EMPTY);
  if (i->sides)
    hm_jw_arr(w, "sides");
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "path", report_path(o, s->path, tmp));
    write_json_line(w, s->line, tmp);
    hm_jw_str(w, "value", s->value);
    hm_jw_str(w, "text", s->text);
    hm_jw_bool(w, "settled", s->settled);
    hm_jw_str_or_null(w, "commit", s->commit);
    hm_jw_str_or_null(w, "date", s->date);
    hm_jw_str_or_null(w, "author", s->author);
    hm_jw_end(w);
  }
  if (i->sides)
    hm_jw_end(w);
  hm_jw_end(w);
}

static void format_json(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  hm_jw w;
  hm_jw_init(&w, out, 2);
  hm_jw_obj(&w, NULL);
  hm_jw_bool(&w, "ok", !r->fails);
  hm_jw_str_or_null(&w, "baseline", r->compared ? r->baseline : HM_EMPTY);
  hm_jw_obj(&w, "counts");
  for (int k = 0; k < HM_N_REPORT_RULES; k++)
    hm_jw_int(&w, hm_report_rules[k].id, (int64_t)r->found[k]);
  hm_jw_int(&w, "new", (int64_t)r->fresh);
  if (r->of_files) {
    hm_jw_int(&w, "files", (int64_t)r->files);
    hm_jw_int(&w, "rows", (int64_t)r->rows);
    hm_jw_int(&w, "values", (int64_t)r->values);
    hm_jw_int(&w, "settled_by_comments", (int64_t)r->by_comment);
    hm_jw_int(&w, "settled_by_verdicts", (int64_t)r->by_verdict);
    hm_jw_obj(&w, "not_read");
    for (int k = 0; k < HM_N_NOTES_UNREAD; k++)
      if (r->unread[k])
        hm_jw_int(&w, hm_notes_unread_words((hm_notes_unread)k), r->unread[k]);
    hm_jw_end(&w);
  }
  hm_jw_int(&w, "pages", (int64_t)r->pages);
  hm_jw_int(&w, "links", (int64_t)r->links);
  hm_jw_int(&w, "withheld", (int64_t)r->withheld);
  hm_jw_int(&w, "withheld_too_short", (int64_t)r->unsearchable);
  hm_jw_int(&w, "withheld_published", (int64_t)r->published);
  hm_jw_end(&w);
  if (r->of_files)
    hm_jw_arr(&w, "settled");
  for (const hm_report_settled *s = r->settled; s < r->settled + r->n_settled; s++) {
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "path", report_path(o, s->path, tmp));
    hm_jw_int(&w, "line", (int64_t)s->line);
    hm_jw_str(&w, "reason", s->reason);
    hm_jw_str_or_null(&w, "against", s->against);
    hm_jw_str_or_null(&w, "commit", s->commit);
    hm_jw_bool(&w, "later", s->later);
    if (s->conflict.n)
      hm_jw_str(&w, "conflict", s->conflict);
    hm_jw_end(&w);
  }
  if (r->of_files)
    hm_jw_end(&w);
  hm_jw_arr(&w, "results");
  for (size_t i = 0; i < r->n; i++) {
    write_json_item(&w, &r->items[i], o, tmp);
    hm_arena_reset(tmp);
  }
  hm_jw_end(&w);
  hm_jw_int(&w, "count", (int64_t)r->n);
  hm_jw_end(&w);
  hm_buf_ch(out, '\n');
  hm_arena_free(tmp);
}

/* --- GitHub's workflow commands ------------------------------------------------------ */

/* in_property: within "file=...,title=...". */
static void write_command_text(hm_buf *b, hm_str s, bool in_property) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    bool act = c == '%' || c == '\r' || c == '\n' || (in_property && (c == ':' || c == ','));
    if (act)
      hm_buf_fmt(b, "%%%02X", (unsigned)c);
    else
      hm_buf_ch(b, c);
  }
}

/* side: at which the command stands; NULL: at the item's own place. */
static void write_command(hm_buf *b, const hm_report_item *i, const hm_report_side *side,
                          const hm_format_options *o, hm_arena *tmp) {
  static const char *const commands[] = {
    [HM_NOTE] = "notice", [HM_WARNING] = "warning", [HM_ERROR] = "error"
  };
  size_t line = side ? side->line : i->line;
  hm_buf_fmt(b, "::%s file=", commands[i->level]);
  write_command_text(b, report_path(o, side ? side->path : i->path, tmp), true);
  if (line)
    hm_buf_fmt(b, ",line=%zu", line);
  hm_buf_c(b, ",title=");
  write_command_text(
      b, hm_str_fmt(tmp, "%s: %.*s", hm_report_rules[i->rule].title, HM_FMT(i->subject)), true);
  hm_buf_c(b, "::");
  write_command_text(b, report_message(i, tmp), false);
  if (i->see.n) {
    hm_buf_c(b, ". All sides: ");
    write_command_text(b, report_path(o, i->see, tmp), false);
  }
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++) {
    if (s == side)
      continue;
    hm_buf_c(b, s == i->sides || (side == i->sides && s == side + 1) ? ". " : ", ");
    write_command_text(b, report_path(o, s->path, tmp), false);
    hm_buf_fmt(b, "%s %s", report_side_line(s, tmp), report_said(s));
    write_command_text(b, s->value, false);
    if (s->commit.n)
      hm_buf_fmt(b, " (%.*s)", HM_FMT(s->commit));
  }
  hm_buf_ch(b, '\n');
}

/* Nobody who looks at a change is told one by one what it neither made nor touched. */
static bool is_told_in_sum(const hm_report_item *i) { return i->old && !i->fails; }

/* One notice of all these, at the place of the first. */
static void write_old(hm_buf *b, const hm_report *r, const hm_format_options *o, hm_arena *tmp) {
  const hm_report_item *first = NULL;
  size_t disputes = 0, findings = 0;
  hm_buf counts = { 0 };
  for (size_t i = 0; i < r->n; i++) {
    if (!is_told_in_sum(&r->items[i]))
      continue;
    first = first ? first : &r->items[i];
    disputes += r->items[i].rule == HM_R_DISPUTED;
    findings += r->items[i].rule != HM_R_DISPUTED;
  }
  if (!first)
    return;
  if (disputes)
    write_count(&counts, disputes, "dispute", "disputes");
  if (findings)
    write_count(&counts, findings, "finding", "findings");
  hm_buf_c(b, "::notice file=");
  write_command_text(b, report_path(o, first->path, tmp), true);
  if (first->line)
    hm_buf_fmt(b, ",line=%zu", first->line);
  hm_buf_fmt(b, ",title=not new::%.*s on lines that are the same in %.12s. The first: ",
             HM_FMT(hm_buf_view(&counts)), hm_str_z(tmp, r->baseline));
  write_command_text(b, report_message(first, tmp), false);
  hm_buf_ch(b, '\n');
  hm_buf_free(&counts);
}

/* One notice of all that is settled against something. */
static void write_all_settled(hm_buf *b, const hm_report *r, const hm_format_options *o,
                              hm_arena *tmp) {
  enum { SHOWN = 10 };
  size_t n = 0;
  for (const hm_report_settled *s = r->settled; s < r->settled + r->n_settled; s++) {
    if (!s->against.n || n++ >= SHOWN)
      continue;
    hm_buf_c(b, n == 1 ? "::notice title=settled::" : "; ");
    write_command_text(b, report_settled_text(s, o, tmp), false);
  }
  if (n > SHOWN)
    hm_buf_fmt(b, "; and %zu more", n - SHOWN);
  if (n)
    hm_buf_ch(b, '\n');
}

static void format_github(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  for (int level = HM_ERROR; level >= HM_NOTE; level--)
    for (size_t i = 0; i < r->n; i++) {
      const hm_report_item *item = &r->items[i];
      if (is_told_in_sum(item))
        continue;
      for (size_t k = 0; k < item->n_sides && (int)item->level == level; k++)
        if (report_shows_at(item, &item->sides[k]))
          write_command(out, item, &item->sides[k], o, tmp);
      if ((int)item->level == level && !item->n_sides)
        write_command(out, item, NULL, o, tmp);
      hm_arena_reset(tmp);
    }
  write_old(out, r, o, tmp);
  write_all_settled(out, r, o, tmp);
  hm_arena_free(tmp);
}

/* --- JUnit XML ----------------------------------------------------------------------- */

/* XML 1.0, section 2.2. Tabs and line ends would be normalized in attributes. */
static bool xml_holds(uint32_t cp) {
  return (cp >= 0x20 && cp <= 0xD7FF) || (cp >= 0xE000 && cp <= 0xFFFD) ||
      (cp >= 0x10000 && cp <= 0x10FFFF);
}

static void write_xml(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < s.n;) {
    uint32_t cp = hm_text_next(s, &i);
    if (cp == '&')
      hm_buf_c(b, "&amp;");
    else if (cp == '<')
      hm_buf_c(b, "&lt;");
    else if (cp == '>')
      hm_buf_c(b, "&gt;");
    else if (cp == '"')
      hm_buf_c(b, "&quot;");
    else if (xml_holds(cp))
      hm_text_append(b, cp);
    else
      hm_buf_fmt(b, "⟦U+%04X⟧", (unsigned)cp);
  }
}

static void write_attribute(hm_buf *b, const char *name, hm_str value) {
  hm_buf_fmt(b, " %s=\"", name);
  write_xml(b, value);
  hm_buf_ch(b, '"');
}

/* Named by what it is about and its id, so that a report of the next run can be compared. */
static void write_case(hm_buf *b, const hm_report *r, const hm_report_item *i,
                       const hm_format_options *o, hm_arena *tmp) {
  const hm_report_rule *rule = &hm_report_rules[i->rule];
  hm_str message = report_message(i, tmp);
  const char *element = i->fails ? "failure" : "skipped";
  hm_buf_c(b, "    <testcase");
  write_attribute(b, "name", hm_str_fmt(tmp, "%.*s [%.*s]", HM_FMT(i->subject), HM_FMT(i->id)));
  write_attribute(
      b, "classname",
      hm_str_fmt(tmp, "hmirror.%s%s%.*s", rule->id, i->project.n ? "." : "", HM_FMT(i->project)));
  hm_buf_fmt(b, ">\n      <%s", element);
  if (i->fails) {
    write_attribute(b, "type", hm_str_c(rule->id));
    write_attribute(b, "message", message);
  }
  hm_buf_ch(b, '>');
  write_xml(b, report_path(o, i->path, tmp));
  hm_buf_fmt(b, "%s: ", report_line(i->line, tmp));
  write_xml(b, message);
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++) {
    hm_buf_ch(b, '\n');
    write_xml(b, report_path(o, s->path, tmp));
    hm_buf_fmt(b, "%s %s", report_side_line(s, tmp), report_said(s));
    write_xml(b, s->value);
  }
  if (i->see.n) {
    hm_buf_c(b, "\nAll sides: ");
    write_xml(b, report_path(o, i->see, tmp));
  }
  hm_buf_ch(b, '\n');
  write_xml(b, hm_str_c(report_help(r, rule)));
  hm_buf_fmt(b, "\n</%s>\n    </testcase>\n", element);
}

static void write_suite(hm_buf *b, const hm_report *r, hm_report_suite s,
                        const hm_format_options *o, hm_arena *tmp) {
  size_t n = 0, failures = 0;
  for (size_t i = 0; i < r->n; i++) {
    if (hm_report_rules[r->items[i].rule].suite != s)
      continue;
    n++;
    failures += r->items[i].fails;
  }
  hm_buf_fmt(b,
             "  <testsuite name=\"hmirror %s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
             "skipped=\"%zu\">\n",
             SUITES[s].name, n ? n : 1, failures, n - failures);
  if (s == HM_SUITE_CONFLICTS && r->n_settled) {
    hm_buf_c(b, "    <properties>\n");
    for (const hm_report_settled *x = r->settled; x < r->settled + r->n_settled; x++) {
      hm_buf_c(b, "      <property name=\"settled\"");
      write_attribute(b, "value", report_settled_text(x, o, tmp));
      hm_buf_c(b, "/>\n");
    }
    hm_buf_c(b, "    </properties>\n");
  }
  for (size_t i = 0; i < r->n; i++) {
    if (hm_report_rules[r->items[i].rule].suite == s)
      write_case(b, r, &r->items[i], o, tmp);
    hm_arena_reset(tmp);
  }
  if (!n)
    hm_buf_fmt(b, "    <testcase name=\"%s\" classname=\"hmirror.%s\"/>\n", SUITES[s].fine,
               SUITES[s].name);
  hm_buf_c(b, "  </testsuite>\n");
}

static void format_junit(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  hm_buf_c(out,
           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hmirror check\">\n");
  for (hm_report_suite s = 0; s < HM_N_SUITES; s++)
    if (!r->of_files || s == HM_SUITE_CONFLICTS || s == HM_SUITE_FINDINGS)
      write_suite(out, r, s, o, tmp);
  hm_buf_c(out, "</testsuites>\n");
  hm_arena_free(tmp);
}

/* --- the table ----------------------------------------------------------------------- */

const hm_format hm_formats[] = { { "text", format_text },     { "json", format_json },
                                 { "junit", format_junit },   { "sarif", report_sarif },
                                 { "github", format_github }, { 0 } };
