/* What items of a report say, for its formats: report_formats.c, report_sarif.c. Not for others. */
#ifndef HM_REPORT_IMPL_H
#define HM_REPORT_IMPL_H
#include "gen/check/check.h"

/* "note", "warning", "error". */
extern const char *const report_level_names[];
/* With the folder of the Markdown before it. */
hm_str report_path(const hm_format_options *o, hm_str path, hm_arena *a);
/* ":12"; empty: it is no line. */
const char *report_line(size_t line, hm_arena *a);
/* The same of a side; empty also: it is a folder. */
const char *report_side_line(const hm_report_side *s, hm_arena *a);
/* "⚠ disputed: p05 / mass: 4 kg | 5 kg", and " (new)" behind what is fresh; in a. */
hm_str report_message(const hm_report_item *i, hm_arena *a);
/* What to do. */
const char *report_help(const hm_report *r, const hm_report_rule *rule);
/* Before the value of a side: a text says it; else it says itself what stands there. */
const char *report_said(const hm_report_side *s);
/* Is the conflict shown at the side? At each open line; where some are not in the baseline, at
 * these alone, as git hosts show no others in a pull request. */
bool report_shows_at(const hm_report_item *i, const hm_report_side *side);
/* "docs/a.md:3 is settled there against 20: until June". */
hm_str report_settled_text(const hm_report_settled *s, const hm_format_options *o, hm_arena *a);

/* The format of report_sarif.c. */
hm_format_fn report_sarif;
#endif
