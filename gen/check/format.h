/* A report as text, for machines of several sorts. Pure; the same report gives the same bytes. */
#ifndef HM_CHECK_FORMAT_H
#define HM_CHECK_FORMAT_H
#include "gen/check/report.h"

typedef struct {
  hm_str prefix; /* folder of the Markdown in the checkout, ending in '/', or empty: stands before
                    every path */
  hm_str tool;         /* "hmirror" */
  hm_str version;      /* "0.1.0" */
  bool quiet;          /* text: without the counts */
} hm_format_options;

/* What a format is called, and what writes it: the whole output, appended to out. */
typedef void hm_format_fn(hm_buf *out, const hm_report *r, const hm_format_options *o);
typedef struct { const char *name; hm_format_fn *put; } hm_format;
/* text, json, junit, sarif, github; a NULL name ends. */
extern const hm_format hm_formats[];

/* "PATH:LINE: ⚠ disputed: p05 / mass: 4 kg | 5 kg [c1f0...]", a line an item, then the counts. */
hm_format_fn hm_format_text;
/* {"ok","baseline","counts":{...},"results":[{"rule","level","fails","new","path","line","id","project","message","see"}]}
 */
hm_format_fn hm_format_json;
/* JUnit XML as Jenkins and GitLab read it: a suite for each sort of check, a test case an item; it
 * failed when the item fails, else it was skipped, with the same words; a suite without items has
 * one case that passed. What XML 1.0 cannot hold is written as "⟦U+000B⟧". */
hm_format_fn hm_format_junit;
/* SARIF 2.1.0 (OASIS): one run; fingerprints are the items' ids. Braces, and brackets outside
 * links, are escaped as its sections 3.11.5 and 3.11.6 ask. */
hm_format_fn hm_format_sarif;
/* GitHub's workflow commands, "::warning file=F,line=N,title=T::MESSAGE"; what fails stands first,
 * since only the first few show. */
hm_format_fn hm_format_github;
#endif
