/* What a check found: a list of items, each at a file and a line of the site,
 * and what was looked at, and its formats. Plain data. */
#ifndef HM_REPORT_H
#define HM_REPORT_H
#include "core/base/str.h"

typedef enum { HM_NOTE, HM_WARNING, HM_ERROR } hm_report_level;

typedef enum {
  HM_R_DISPUTED, /* an open conflict whose claims disagree */
  HM_R_SIGNOFF,  /* an open conflict whose claims no longer do */
  HM_R_LINK,
  HM_R_ANCHOR,
  HM_R_LEAK,
  HM_R_SECRET, /* a live one that is published */
  HM_R_ANACHRONISM,
  HM_R_ONTOLOGY,
  HM_R_ORPHAN,
  HM_R_STALE,
  HM_R_FINDING, /* the sweep's findings, by kind; the last: any other */
  HM_N_REPORT_RULES
} hm_report_rule_id;

typedef enum {
  HM_SUITE_CONFLICTS,
  HM_SUITE_LINKS,
  HM_SUITE_LEAKS,
  HM_SUITE_FINDINGS,
  HM_N_SUITES
} hm_report_suite;

typedef struct {
  const char *id;             /* "disputed"; for readers and machines, never changes */
  const char *name;           /* "DisputedField" */
  const char *title;          /* "disputed", what stands in a line of text */
  const char *about, *help;   /* one sentence; what to do */
  hm_report_level level;      /* of an item that does not make the check fail */
  hm_report_suite suite;
} hm_report_rule;

extern const hm_report_rule hm_report_rules[HM_N_REPORT_RULES];
/* "conflicts", "links", "leaks", "findings"; what is said of a suite in which nothing was found. */
extern const struct hm_suite_text { const char *name, *fine; } hm_report_suites[HM_N_SUITES];

typedef struct {
  hm_report_rule_id rule;
  hm_report_level level;      /* HM_ERROR when fails */
  bool fails;                 /* it is why the exit code is 1 */
  bool fresh;                 /* a dispute that the baseline does not have */
  hm_str path;                /* file of the site */
  size_t line;                /* from 1; 0: the file as a whole */
  hm_str id; /* of a conflict, of a finding, else a digest: the same in every run */
  hm_str project;             /* or empty */
  hm_str subject, detail;     /* what it is about, what is wrong; clean (hm_clean), one line */
  hm_str see;                 /* page that tells more, or empty */
} hm_report_item;

typedef struct {
  hm_report_item *items; size_t n;             /* by rule, path, line, id */
  size_t found[HM_N_REPORT_RULES];             /* all, listed or not: long lists are cut */
  size_t fresh;                                /* disputes that the baseline does not have */
  bool compared;                               /* there was a baseline */
  hm_str baseline;                             /* its commit */
  size_t pages, links;                         /* HTML and Markdown pages, and links on them */
  /* Texts left out; of them those too short to search for, and those published anyway. */
  size_t withheld, unsearchable, published;
  bool fails;
} hm_report;

/* "⚠ disputed: p05 / mass: 4 kg | 5 kg", and " (new)" behind what is fresh; in a. */
hm_str hm_report_message(const hm_report_item *i, hm_arena *a);

/* A list in the making. */
typedef struct { hm_report_item *v; size_t n, cap; hm_arena *a; } hm_report_list;
void hm_report_add(hm_report_list *l, hm_report_item item);
/* A stable id from what makes an item what it is; parts end with a NULL p. */
hm_str hm_report_id(hm_arena *a, const hm_str *parts);
/* Sorts the items into r, sets `level` and `fails` of r and its items; `found` counts them unless
 * it is set already. */
void hm_report_end(hm_report *r, hm_report_list *l);

/* --- formats: the same report gives the same bytes --------------------------------- */

typedef struct {
  hm_str prefix;       /* folder of the Markdown in the checkout, ending in '/', or empty */
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
/* {"ok","baseline","counts":{...},"results":[{"rule","level","fails","new","path","line","id",
 * "project","message","see"}]} */
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

/* path behind the prefix; in a. */
hm_str hm_report_path(const hm_format_options *o, hm_str path, hm_arena *a);
#endif
