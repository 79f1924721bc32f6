/* Builds the Markdown in one transaction before and after a verdict, after it only of the pages
 * that it changes, and compares the markers. */
#include "gen/site/verdict_dry_run.h"

/* Reads the markers of the store as the open transaction sees it, with the conflicts that a sweep
 * would open, as in a build. */
static int read_markers(hm_store *s, const hm_dry_run_options *t, const hm_site_marks *before,
                        hm_arena *a, hm_site_marks *out, hm_err *err) {
  hm_sweep sweep;
  hm_view *view;
  hm_sweep_options opt = { .rules = t->rules, .threads = t->threads, .details = true };
  if (hm_sweep_run_all(s, &opt, a, &sweep, err))
    return -1;
  int rc = hm_view_new(&sweep, t->rules, t->view, a, &view, err);
  if (!rc)
    rc = hm_site_markers(view, t->templates, t->threads, before, a, out, err);
  hm_sweep_free(&sweep);
  return rc;
}

static int marker_order(const hm_marker *a, const hm_marker *b) {
  int c = hm_str_cmp(a->page, b->page);
  return c ? c : hm_str_cmp(a->conflict, b->conflict);
}

/* Compares two sorted lists in one merge. */
static void compare_markers(const hm_site_marks *before, const hm_site_marks *after, hm_arena *a,
                            hm_verdict_report *out) {
  out->markers = hm_alloc_array(a, before->n + after->n, sizeof *out->markers);
  for (size_t i = 0, k = 0; i < before->n || k < after->n;) {
    int c = i == before->n ? 1 : k == after->n ? -1 : marker_order(&before->v[i], &after->v[k]);
    const hm_marker *m = c > 0 ? &after->v[k] : &before->v[i];
    if (c)
      out->markers[out->n_markers++] = (hm_marker_change){ m->page, m->conflict, c > 0 };
    i += c <= 0;
    k += c >= 0;
  }
}

static int try_verdict(hm_store *s, const hm_dry_run_options *t, hm_dry_run_verdict *verdict,
                       void *ctx, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  hm_site_marks before = { 0 }, after = { 0 };
  int rc = read_markers(s, t, NULL, a, &before, err);
  if (!rc)
    rc = verdict(ctx, s, a, out, err);
  if (!rc)
    rc = read_markers(s, t, &before, a, &after, err);
  if (!rc)
    compare_markers(&before, &after, a, out);
  return rc;
}

int hm_try_verdict(hm_store *s, const hm_dry_run_options *t, hm_dry_run_verdict *verdict, void *ctx,
                   hm_arena *a, hm_verdict_report *out, hm_err *err) {
  if (hm_store_begin(s, true, err))
    return -1;
  int rc = try_verdict(s, t, verdict, ctx, a, out, err);
  hm_store_rollback(s);
  return rc;
}
