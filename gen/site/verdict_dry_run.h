/* Tries a verdict: reports what it would change, also on pages, and changes nothing. */
#ifndef HM_VERDICT_DRY_RUN_H
#define HM_VERDICT_DRY_RUN_H
#include "core/review/verdict.h"
#include "gen/page/view.h"
#include "gen/render/template.h"
#include "gen/site/site.h"

/* How the site is made. */
typedef struct {
  const hm_templates *templates;
  const hm_view_options *view;
  const hm_rules *rules;
  int threads;
} hm_dry_run_options;

/* Gives the verdict, with hm_review.dry_run, in the open transaction. */
typedef int hm_dry_run_verdict(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out,
                               hm_err *err);

/* Opens a transaction for writing, gives the verdict and rolls everything back: the store's bytes
 * do not change. s must be open for writing. *out is the verdict's report with `markers`: each
 * (page, conflict) that would lose or gain a marker, sorted. Cost: two sweeps, the models of all
 * pages twice, and their Markdown once. Locks out other writers meanwhile. Errors: those of the
 * verdict and of hm_site_build. */
int hm_try_verdict(hm_store *s, const hm_dry_run_options *t, hm_dry_run_verdict *verdict, void *ctx,
                   hm_arena *a, hm_verdict_report *out, hm_err *err);
#endif
