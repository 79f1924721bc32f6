/* The checks of a site that was made in memory: what is open, what leads nowhere, what got out.
 * Nothing is written. */
#ifndef HM_CHECK_H
#define HM_CHECK_H
#include "core/base/err.h"
#include "gen/check/report.h"
#include "gen/site/site.h"

/* Which conflicts make the check fail. */
typedef enum { HM_FAIL_ON_NONE, HM_FAIL_ON_OPEN, HM_FAIL_ON_NEW } hm_fail_on;

typedef struct {
  const hm_view *view;           /* with all its rows */
  const hm_site *site;           /* made from view, with Markdown */
  hm_fail_on fail_on;
  bool compare;                  /* there is a baseline: */
  hm_str baseline;               /* its commit, for the report */
  hm_str baseline_conflicts;     /* its conflicts.json */
  const char *const *keep; size_t n_keep;        /* publish.keep */
  const hm_str *published; size_t n_published;   /* check.public: texts that are no leak */
  int threads;
} hm_check_input;

/* All checks, in a report that lives in a:
 *  - open conflicts that are published, at their markers. One whose claims disagree is fresh when
 *    the baseline does not have it as open and disputed; a further claim in a dispute that was
 *    there makes none. fail_on: NONE none fail; OPEN every open one; NEW the fresh ones.
 *  - links and leaks (check_impl.h): these always fail.
 *  - live secrets in what is published (live_secrets.h): these never fail.
 *  - the sweep's findings that are published: these never fail. HM_CHECK_FINDINGS of each kind are
 *    listed.
 * Errors: HM_E_INPUT: the baseline's conflicts.json is none (what and fix are the caller's);
 * HM_E_INTERNAL. */
int hm_check_run(const hm_check_input *in, hm_arena *a, hm_report **out, hm_err *err);

enum { HM_CHECK_FINDINGS = 1000 };
#endif
