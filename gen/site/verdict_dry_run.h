/* A verdict tried: what it would do, the pages too, without doing it. */
#ifndef HM_VERDICT_DRY_RUN_H
#define HM_VERDICT_DRY_RUN_H
#include "core/review/verdict.h"
#include "gen/page/view.h"
#include "gen/render/template.h"
#include "gen/site/site.h"

/* As the site is made. */
typedef struct {
  const hm_templates *templates;
  const hm_view_options *view;
  const hm_rules *rules;
  int threads;
  const unsigned char *inputs; /* as in hm_site_options: of all of these; not NULL */
  const hm_last_site *known;   /* of a site that was made with them; NULL: none */
} hm_dry_run_options;

/* Gives the verdict, with hm_review.dry_run, in the transaction that is open. */
typedef int hm_dry_run_verdict(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out,
                               hm_err *err);

/* Opens a transaction for writing, gives the verdict and rolls all back: the store's bytes stay as
 * they are. s is open for writing. out is the verdict's report with `markers`: for each page that
 * would lose or gain a marker, and for which conflict; by page, then conflict. Cost: two sweeps,
 * and the Markdown of all pages that differ from `known`, and then of the pages that the verdict
 * changes. Other writers are locked out meanwhile. Errors: those of the verdict and of
 * hm_site_build. */
int hm_try_verdict(hm_store *s, const hm_dry_run_options *t, hm_dry_run_verdict *verdict, void *ctx,
                   hm_arena *a, hm_verdict_report *out, hm_err *err);
#endif
