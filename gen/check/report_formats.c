/* A report as text, as JSON, and in the formats of other programs: JUnit XML, SARIF and GitHub's
 * workflow commands. What each holds is in check.h. */
#include "core/base/json.h"
#include "core/base/text.h"
#include "gen/check/check.h"
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

static hm_str prefixed(const hm_format_options *o, hm_str path, hm_arena *a) {
  return HM_CAT(a, o->prefix, path);
}

/* "⚠ disputed: p05 / mass: 4 kg | 5 kg", and " (new)" behind what is fresh; in a. */
static hm_str message_of(const hm_report_item *i, hm_arena *a) {
  return hm_str_fmt(a, "%s: %.*s%s%.*s%s", hm_report_rules[i->rule].title, HM_FMT(i->subject),
                    i->detail.n ? ": " : "", HM_FMT(i->detail), i->fresh ? " (new)" : "");
}

/* Of items, in JSON and SARIF. */
static const char *const levels[] = {
  [HM_NOTE] = "note", [HM_WARNING] = "warning", [HM_ERROR] = "error"
};

/* A value is said by a text; else it says itself what stands there. */
static const char *said(const hm_report_side *s) {
  return s->settled ? "is settled there: " : s->text.n ? "says " : "";
}

/* Is the side a line that is open? */
static bool is_open_line(const hm_report_side *s) { return !s->nowhere && !s->settled; }

/* Is the conflict shown at the side? At each open line; where some are not in the baseline, at
 * these alone, as git hosts show no others in a pull request. */
static bool shows_at(const hm_report_item *i, const hm_report_side *side) {
  bool all = true;
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++)
    all = all && (s->untouched || !is_open_line(s));
  return is_open_line(side) && (all || !side->untouched);
}

/* ":12"; empty: it is no line. */
static const char *line_of(size_t line, hm_arena *tmp) {
  return line ? hm_str_fmt(tmp, ":%zu", line).p : "";
}

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

/* "docs/a.md:3 is settled there against 20: until June". */
static hm_str settled_text(const hm_report_settled *s, const hm_format_options *o, hm_arena *a) {
  return hm_str_fmt(a, "%.*s%s is settled %s%s%.*s%s: %.*s", HM_FMT(prefixed(o, s->path, a)),
                    line_of(s->line, a), s->conflict.n ? "by a verdict" : "there",
                    s->against.n ? " against " : s->aside, HM_FMT(s->against),
                    s->later ? " and all later values" : "", HM_FMT(s->reason));
}

static void write_counts(hm_buf *b, const hm_report *r, const hm_format_options *o, hm_arena *tmp) {
  if (r->files) {
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
      hm_buf_fmt(b, "%.*s\n", HM_FMT(settled_text(s, o, tmp)));
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
    hm_buf_fmt(b, "  %.*s%s %s%.*s%s%.*s%s%.*s%s\n", HM_FMT(prefixed(o, s->path, tmp)),
               line_of(s->line, tmp), said(s), HM_FMT(s->value), text.n ? ": " : "", HM_FMT(text),
               s->commit.n ? " (" : "", HM_FMT(s->commit), s->commit.n ? ")" : "");
  }
}

static void format_text(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  size_t all = 0;
  for (size_t i = 0; i < r->n; i++) {
    const hm_report_item *item = &r->items[i];
    hm_buf_fmt(out, "%.*s%s: ", HM_FMT(prefixed(o, item->path, tmp)), line_of(item->line, tmp));
    hm_buf_c(out, item->fails ? "error: " : "");
    hm_buf_str(out, message_of(item, tmp));
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
  hm_jw_str(w, "level", hm_str_c(levels[i->level]));
  hm_jw_bool(w, "fails", i->fails);
  hm_jw_bool(w, "new", i->fresh);
  hm_jw_str(w, "path", prefixed(o, i->path, tmp));
  write_json_line(w, i->line, tmp);
  hm_jw_str(w, "id", i->id);
  hm_jw_str_or_null(w, "project", i->project);
  hm_jw_str(w, "subject", i->subject);
  hm_jw_str(w, "detail", i->detail);
  hm_jw_str(w, "message", message_of(i, tmp));
  hm_jw_str_or_null(w, "see", i->see.n ? prefixed(o, i->see, tmp) : HM_EMPTY);
  if (i->sides)
    hm_jw_arr(w, "sides");
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "path", prefixed(o, s->path, tmp));
    write_json_line(w, s->line, tmp);
    hm_jw_str(w, "value", s->value);
    hm_jw_str(w, "text", s->text);
    hm_jw_bool(w, "settled", s->settled);
    hm_jw_str_or_null(w, "commit", s->commit);
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
  if (r->files) {
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
  if (r->files)
    hm_jw_arr(&w, "settled");
  for (const hm_report_settled *s = r->settled; s < r->settled + r->n_settled; s++) {
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "path", prefixed(o, s->path, tmp));
    hm_jw_int(&w, "line", (int64_t)s->line);
    hm_jw_str(&w, "reason", s->reason);
    hm_jw_str_or_null(&w, "against", s->against);
    hm_jw_str_or_null(&w, "commit", s->commit);
    hm_jw_bool(&w, "later", s->later);
    if (s->conflict.n)
      hm_jw_str(&w, "conflict", s->conflict);
    hm_jw_end(&w);
  }
  if (r->files)
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
  write_command_text(b, prefixed(o, side ? side->path : i->path, tmp), true);
  if (line)
    hm_buf_fmt(b, ",line=%zu", line);
  hm_buf_c(b, ",title=");
  write_command_text(
      b, hm_str_fmt(tmp, "%s: %.*s", hm_report_rules[i->rule].title, HM_FMT(i->subject)), true);
  hm_buf_c(b, "::");
  write_command_text(b, message_of(i, tmp), false);
  if (i->see.n) {
    hm_buf_c(b, ". All sides: ");
    write_command_text(b, prefixed(o, i->see, tmp), false);
  }
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++) {
    if (s == side)
      continue;
    hm_buf_c(b, s == i->sides || (side == i->sides && s == side + 1) ? ". " : ", ");
    write_command_text(b, prefixed(o, s->path, tmp), false);
    hm_buf_fmt(b, "%s %s", line_of(s->line, tmp), said(s));
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
  write_command_text(b, prefixed(o, first->path, tmp), true);
  if (first->line)
    hm_buf_fmt(b, ",line=%zu", first->line);
  hm_buf_fmt(b, ",title=not new::%.*s on lines that are the same in %.12s. The first: ",
             HM_FMT(hm_buf_view(&counts)), hm_str_z(tmp, r->baseline));
  write_command_text(b, message_of(first, tmp), false);
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
    write_command_text(b, settled_text(s, o, tmp), false);
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
        if (shows_at(item, &item->sides[k]))
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
static void write_case(hm_buf *b, const hm_report_item *i, const hm_format_options *o,
                       hm_arena *tmp) {
  const hm_report_rule *rule = &hm_report_rules[i->rule];
  hm_str message = message_of(i, tmp);
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
  write_xml(b, prefixed(o, i->path, tmp));
  hm_buf_fmt(b, "%s: ", line_of(i->line, tmp));
  write_xml(b, message);
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++) {
    hm_buf_ch(b, '\n');
    write_xml(b, prefixed(o, s->path, tmp));
    hm_buf_fmt(b, "%s %s", line_of(s->line, tmp), said(s));
    write_xml(b, s->value);
  }
  if (i->see.n) {
    hm_buf_c(b, "\nAll sides: ");
    write_xml(b, prefixed(o, i->see, tmp));
  }
  hm_buf_fmt(b, "\n%s\n</%s>\n    </testcase>\n", rule->help, element);
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
      write_attribute(b, "value", settled_text(x, o, tmp));
      hm_buf_c(b, "/>\n");
    }
    hm_buf_c(b, "    </properties>\n");
  }
  for (size_t i = 0; i < r->n; i++) {
    if (hm_report_rules[r->items[i].rule].suite == s)
      write_case(b, &r->items[i], o, tmp);
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
    write_suite(out, r, s, o, tmp);
  hm_buf_c(out, "</testsuites>\n");
  hm_arena_free(tmp);
}

/* --- SARIF 2.1.0 --------------------------------------------------------------------- */

/* Braces are placeholders' and brackets are links' unless escaped. */
static hm_str escape_brackets(hm_str s, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (c == '{' || c == '}')
      hm_buf_ch(&b, c);
    else if (c == '[' || c == ']')
      hm_buf_ch(&b, '\\');
    hm_buf_ch(&b, c);
  }
  return hm_buf_take(&b, a);
}

/* A path, before which stands a prefix that may be anything, as a URI. */
static hm_str uri_of(hm_str path, hm_arena *a) {
  hm_buf b = { 0 };
  hm_url_encode(&b, path, "-._~/");
  return hm_buf_take(&b, a);
}

static void write_sarif_text(hm_jw *w, const char *key, const char *text) {
  hm_jw_obj(w, key);
  hm_jw_str(w, "text", hm_str_c(text));
  hm_jw_end(w);
}

static void write_sarif_rule(hm_jw *w, const hm_report_rule *rule) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "id", hm_str_c(rule->id));
  hm_jw_str(w, "name", hm_str_c(rule->name));
  write_sarif_text(w, "shortDescription", rule->about);
  write_sarif_text(w, "fullDescription", rule->about);
  write_sarif_text(w, "help", rule->help);
  hm_jw_obj(w, "defaultConfiguration");
  hm_jw_str(w, "level", hm_str_c(levels[rule->level]));
  hm_jw_end(w);
  hm_jw_end(w);
}

/* number: how a message's link names it; 0: the result's own place. */
static void write_sarif_location(hm_jw *w, hm_str path, size_t line, int number,
                                 const char *about) {
  hm_jw_obj(w, NULL);
  if (number)
    hm_jw_int(w, "id", number);
  hm_jw_obj(w, "physicalLocation");
  hm_jw_obj(w, "artifactLocation");
  hm_jw_str(w, "uri", path);
  hm_jw_end(w);
  if (line) {
    hm_jw_obj(w, "region");
    hm_jw_int(w, "startLine", (int64_t)line);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  if (number)
    write_sarif_text(w, "message", about);
  hm_jw_end(w);
}

/* The first side at which the result stands; git hosts show no other place of it. */
static const hm_report_side *first_shown(const hm_report_item *i) {
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++)
    if (shows_at(i, s))
      return s;
  return NULL;
}

/* ". [docs/a.md:3](1) says 15, [b.md:1](2) says 16": what the other sides of a result say. */
static hm_str link_sides(const hm_report_item *i, const hm_format_options *o, hm_arena *a) {
  const hm_report_side *first = first_shown(i);
  hm_buf b = { 0 };
  int number = 0;
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++) {
    if (s == first)
      continue;
    hm_str place = hm_str_fmt(a, "%.*s%s", HM_FMT(prefixed(o, s->path, a)), line_of(s->line, a));
    place = escape_brackets(place, a);
    if (!s->nowhere)
      place = hm_str_fmt(a, "[%.*s](%d)", HM_FMT(place), ++number);
    hm_str value = escape_brackets(s->value, a);
    hm_buf_fmt(&b, "%s%.*s %s%.*s", b.n ? ", " : ". ", HM_FMT(place), said(s), HM_FMT(value));
  }
  return hm_buf_take(&b, a);
}

/* The places to which the message links. */
static void write_sarif_related(hm_jw *w, const hm_report_item *i, const hm_format_options *o,
                                hm_arena *tmp) {
  const hm_report_side *first = first_shown(i);
  int number = 0;
  if (!i->see.n && i->n_sides < 2)
    return;
  hm_jw_arr(w, "relatedLocations");
  if (i->see.n)
    write_sarif_location(w, uri_of(prefixed(o, i->see, tmp), tmp), 1, ++number,
                         "All sides of the conflict.");
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++)
    if (s != first && !s->nowhere)
      write_sarif_location(
          w, uri_of(prefixed(o, s->path, tmp), tmp), s->line, ++number,
          hm_str_fmt(tmp, "%s%.*s", said(s), HM_FMT(escape_brackets(s->value, tmp))).p);
  hm_jw_end(w);
}

static void write_sarif_result(hm_jw *w, const hm_report_item *i, const hm_format_options *o,
                               hm_arena *tmp) {
  hm_str text = escape_brackets(message_of(i, tmp), tmp);
  if (i->see.n)
    text = hm_str_fmt(tmp, "%.*s. [All sides](1)", HM_FMT(text));
  text = HM_CAT(tmp, text, link_sides(i, o, tmp));
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "ruleId", hm_str_c(hm_report_rules[i->rule].id));
  hm_jw_int(w, "ruleIndex", i->rule);
  hm_jw_str(w, "level", hm_str_c(levels[i->level]));
  hm_jw_obj(w, "message");
  hm_jw_str(w, "text", text);
  hm_jw_end(w);
  hm_jw_arr(w, "locations");
  if (!first_shown(i))
    write_sarif_location(w, uri_of(prefixed(o, i->path, tmp), tmp), i->line, 0, NULL);
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++)
    if (shows_at(i, s))
      write_sarif_location(w, uri_of(prefixed(o, s->path, tmp), tmp), s->line, 0, NULL);
  hm_jw_end(w);
  write_sarif_related(w, i, o, tmp);
  hm_jw_obj(w, "fingerprints");
  hm_jw_str(w, "hmirrorId/v1", i->id);
  hm_jw_end(w);
  hm_jw_obj(w, "partialFingerprints");
  hm_jw_str(w, "primaryLocationLineHash", i->id); /* the one that GitHub reads */
  hm_jw_end(w);
  hm_jw_obj(w, "properties");
  hm_jw_str_or_null(w, "project", i->project);
  hm_jw_bool(w, "new", i->fresh);
  hm_jw_bool(w, "fails", i->fails);
  hm_jw_end(w);
  hm_jw_end(w);
}

static void format_sarif(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  hm_jw w;
  hm_jw_init(&w, out, 4);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "$schema",
            HM_STR("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                   "sarif-schema-2.1.0.json"));
  hm_jw_str(&w, "version", HM_STR("2.1.0"));
  hm_jw_arr(&w, "runs");
  hm_jw_obj(&w, NULL);
  hm_jw_obj(&w, "tool");
  hm_jw_obj(&w, "driver");
  hm_jw_str(&w, "name", o->tool);
  hm_jw_str(&w, "version", o->version);
  hm_jw_str(&w, "semanticVersion", o->version);
  hm_jw_arr(&w, "rules");
  for (int k = 0; k < HM_N_REPORT_RULES; k++)
    write_sarif_rule(&w, &hm_report_rules[k]);
  for (int k = 0; k < 3; k++)
    hm_jw_end(&w);
  hm_jw_str(&w, "columnKind", HM_STR("unicodeCodePoints"));
  hm_jw_arr(&w, "results");
  for (size_t i = 0; i < r->n; i++) {
    write_sarif_result(&w, &r->items[i], o, tmp);
    hm_arena_reset(tmp);
  }
  hm_jw_end(&w);
  if (r->n_settled) {
    hm_jw_obj(&w, "properties");
    hm_jw_arr(&w, "settled");
    for (const hm_report_settled *s = r->settled; s < r->settled + r->n_settled; s++)
      hm_jw_str(&w, NULL, settled_text(s, o, tmp));
  }
  while (w.depth)
    hm_jw_end(&w);
  hm_buf_ch(out, '\n');
  hm_arena_free(tmp);
}

/* --- the table ----------------------------------------------------------------------- */

const hm_format hm_formats[] = { { "text", format_text },     { "json", format_json },
                                 { "junit", format_junit },   { "sarif", format_sarif },
                                 { "github", format_github }, { 0 } };
