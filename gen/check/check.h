/* Checks a site in memory: open conflicts, dead links, leaks of withheld texts. Writes nothing. */
#ifndef HM_CHECK_H
#define HM_CHECK_H
#include "core/sweep/answer.h"
#include "core/base/credential.h"
#include "core/base/err.h"
#include "core/base/json.h"
#include "core/base/str.h"
#include "core/notes/notes.h"
#include "core/record/texts.h"
#include "gen/page/view.h"
#include "gen/site/site.h"

/* --- the report (report.c) -------------------------------------------------------------------- */

/* The result of a check: items, each at a file and a line of the site, and counts; and the formats
 * of a report. Plain data. */

typedef enum { HM_NOTE, HM_WARNING, HM_ERROR } hm_report_level;

typedef enum {
  HM_R_DISPUTED, /* an open conflict whose claims disagree */
  HM_R_SIGNOFF,  /* an open conflict whose claims no longer do */
  HM_R_LINK,
  HM_R_ANCHOR,
  HM_R_LEAK,
  HM_R_SECRET, /* a live secret that is published */
  HM_R_ANACHRONISM,
  HM_R_ONTOLOGY,
  HM_R_ORPHAN,
  HM_R_STALE,
  HM_R_RECORD,  /* records of decisions that do not fit each other */
  HM_R_PART,    /* notes of a part that differ from those of the whole */
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
  const char *id;           /* "disputed"; for readers and machines, never changes */
  const char *name;         /* "DisputedField" */
  const char *title;        /* "disputed", for a line of text */
  const char *about, *help; /* one sentence each: what it is; what to do */
  hm_report_level level;    /* of an item that does not make the check fail */
  hm_report_suite suite;
  const char *about_files, *help_files; /* the same in a report of files; NULL: as above */
} hm_report_rule;

extern const hm_report_rule hm_report_rules[HM_N_REPORT_RULES];

/* One side of a conflict of files, where it stands in its source. */
typedef struct {
  hm_str path;
  size_t line;         /* from 1; 0: the file as a whole */
  hm_str value, text;  /* text: in which it says the value; empty: value is a whole remark */
  bool untouched;      /* of a comparison: the line is in the baseline, too */
  bool settled;        /* there, so it is not open; behind those that are */
  bool nowhere;        /* the last ones: a folder, or a file that is not there, beside lines */
  hm_str commit;       /* that last changed it: "1a2b3c4d5e6f, 2026-03-02, Kim"; or empty */
  hm_str date, author; /* of the document, as it says: "2026-03-02", "Kim"; or empty */
} hm_report_side;

/* A line of a file that somebody settled there, or a conflict that a verdict among the files
 * settles, at its first line. */
typedef struct {
  hm_str path;
  size_t line;
  hm_str reason, against; /* against: "npm, yarn", what contradicts it now, or empty */
  hm_str commit;          /* that last changed the comment, as of a side; or empty */
  hm_str conflict;        /* of a verdict: its id */
  const char *aside;      /* where it is settled against nothing: what is the case; or "" */
  bool later;             /* it covers values that came later, too: nobody knows when it came */
} hm_report_settled;

/* A line that was not read for its limits, and why; the last of a file may stand for others. */
typedef struct {
  hm_str path;
  size_t line;
  const char *why;
} hm_report_unread;

typedef struct {
  hm_report_rule_id rule;
  hm_report_level level;  /* HM_ERROR when fails */
  bool fails;             /* makes the exit code 1 */
  bool fresh;             /* a dispute that the baseline does not have */
  bool old;               /* the baseline has it, and each of its lines, too */
  hm_str path;            /* file of the site */
  size_t line;            /* from 1; 0: the file as a whole */
  hm_str id;              /* of a conflict, of a finding, else a digest: the same in every run */
  hm_str project;         /* or empty */
  hm_str subject, detail; /* what it is about, what is wrong; clean (hm_clean_text), one line */
  hm_str see;             /* page with more details, or empty */
  const hm_report_side *sides; /* of files without pages: all of its sides, by place; else NULL */
  size_t n_sides;
} hm_report_item;

typedef struct {
  hm_report_item *items;
  size_t n;                        /* by rule, path, line, id */
  size_t found[HM_N_REPORT_RULES]; /* all, also those cut from long lists */
  size_t fresh;                    /* disputes that the baseline does not have */
  bool compared;                   /* there was a baseline */
  hm_str baseline;                 /* its commit */
  size_t pages, links;             /* HTML and Markdown pages, and links on them */
  /* Withheld texts; of them those too short to search for, and those that are also published. */
  size_t withheld, unsearchable, published;
  bool of_files; /* without pages, which only such a report speaks of: */
  /* how many there are, the rows in them, the values that were compared. */
  size_t files, rows, values;
  hm_report_settled *settled;
  size_t n_settled;
  int64_t unread[HM_N_NOTES_UNREAD]; /* of files: parts that are no rows, by reason */
  hm_report_unread *limits;
  size_t n_limits;
  /* Of files: conflicts that verdicts among them settle, and conflicts and findings that comments
   * do. */
  size_t by_verdict, by_comment;
  bool fails;
} hm_report;

/* A list in the making. */
typedef struct {
  hm_report_item *v;
  size_t n, cap;
  hm_arena *a;
} hm_report_list;
/* Adds an item; live secrets in its words are cut short, since more people may read a report than
 * the mirror. */
void hm_report_add(hm_report_list *l, hm_report_item item);
/* A stable id made from the texts that identify an item; a NULL p ends parts. */
hm_str hm_report_make_item_id(hm_arena *a, const hm_str *parts);
/* Moves the items into r, sorted; sets their `level` and r's `fails`; raises r's `found` to at
 * least their number. */
void hm_report_finish(hm_report *r, hm_report_list *l);

/* --- formats of the report (report_formats.c): the same report gives the same bytes ----------- */

typedef struct {
  hm_str prefix;  /* folder of the Markdown in the checkout, ending in '/', or empty */
  hm_str tool;    /* "hmirror" */
  hm_str version; /* "0.1.0" */
  bool quiet;     /* text: without the counts */
} hm_format_options;

/* A format's name, and its writer, which appends the whole output to out. */
typedef void hm_format_fn(hm_buf *out, const hm_report *r, const hm_format_options *o);
typedef struct {
  const char *name;
  hm_format_fn *put;
} hm_format;
/* The formats; a NULL name ends them:
 *  - text: "PATH:LINE: ⚠ disputed: p05 / mass: 4 kg | 5 kg [c1f0...]", a line an item and, of
 *    files, one for each of its sides, then the counts, and of files what is settled.
 *  - json:
 * {"ok","baseline","counts":{...},"settled":[...],"results":[{"rule","level","fails","new",
 *    "path","line","id","project","message","see"}]}; "settled" of files.
 *  - junit: JUnit XML as Jenkins and GitLab read it: a suite for each kind of check that was done,
 *    a test case for each item, failed when the item fails, else skipped, with the same words; a
 *    suite without items has one passed case. Characters that XML 1.0 cannot hold are written as
 *    "⟦U+000B⟧".
 *  - sarif: SARIF 2.1.0 (OASIS): one run; fingerprints are the items' ids. Braces, and brackets
 *    outside links, are escaped as its sections 3.11.5 and 3.11.6 require. Of files a result stands
 *    at the sides that "github" annotates; the message has the others, as links to related
 *    locations.
 *  - github: GitHub's workflow commands, "::warning file=F,line=N,title=T::MESSAGE"; failures come
 *    first, since GitHub shows only the first few; of files, a command for each side, one for all
 *    that is old, and one for all that is settled. */
extern const hm_format hm_formats[];

/* --- the check -------------------------------------------------------------------------------- */

/* Which conflicts make the check fail. */
typedef enum { HM_FAIL_ON_NONE, HM_FAIL_ON_OPEN, HM_FAIL_ON_NEW } hm_fail_on;

typedef struct {
  const hm_view *view; /* with all its rows */
  const hm_site *site; /* made from view, with Markdown */
  hm_fail_on fail_on;
  bool compare;              /* there is a baseline: */
  hm_str baseline;           /* its commit, for the report */
  hm_str baseline_conflicts; /* its conflicts.json */
  const char *const *keep;
  size_t n_keep; /* publish.keep */
  const hm_str *published;
  size_t n_published; /* check.public: texts that are no leak */
  hm_store *store;    /* that the view is of */
  int threads;
} hm_check_input;

/* Runs all checks; the report lives in a:
 *  - published open conflicts, at their markers. A dispute is fresh when the baseline does not have
 *    it as open and disputed; a further claim in an older dispute does not make it fresh. fail_on:
 *    NONE none fail; OPEN every open one; NEW the fresh ones.
 *  - links and leaks (check_impl.h): these always fail.
 *  - live secrets in what is published (see below): these never fail.
 *  - the sweep's published findings: these never fail. Lists HM_CHECK_FINDINGS of each kind.
 * Errors: HM_E_INPUT when the baseline's conflicts.json is invalid (the caller sets what and fix);
 * HM_E_INTERNAL. */
int hm_check_run(const hm_check_input *in, hm_arena *a, hm_report **out, hm_err *err);

enum { HM_CHECK_FINDINGS = 1000 };

/* --- conflicts as JSON (check.c) -------------------------------------------------------------- */

/* Reads the conflicts of a conflicts.json, of a site in memory or of a commit. Pure. */

/* Distinct values of its members, "GF-PTFE | PEEK", raw; each cut to max bytes, the list after a
 * few. */
hm_str hm_conflict_format_values(hm_arena *a, const hm_json *conflict, size_t max);
/* --- live secrets (check_leaks.c) ------------------------------------------------------------- */

/* Finds the live secrets of the store (core/record/texts.h) that are published: in rows that a page
 * lists, without what is left out of them; in projects, links, conflicts and remarks that pages
 * show. In the order of the walk, in a. */
int hm_live_secrets_find(const hm_view *v, hm_store *s, hm_arena *a, hm_live_secrets *out,
                         hm_err *err);
#endif
