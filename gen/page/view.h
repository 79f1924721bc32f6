/* What the pages see: a sweep's result, minus what is left out by choice, with
 * every path, anchor and marker decided. Immutable while pages are rendered. */
#ifndef HM_VIEW_H
#define HM_VIEW_H
#include "core/detect/explain.h"
#include "core/detect/sweep.h"

/* publish.exclude: folded comparisons (hm_text_name); projects by id or alias. */
typedef struct {
  const hm_str *projects, *types, *statuses, *tags, *properties;
  size_t n_projects, n_types, n_statuses, n_tags, n_properties;
} hm_exclude;

typedef struct {
  hm_exclude exclude;
  hm_str title;             /* of the mirror; "Human Mirror" */
  hm_str base_url;          /* "" or "https://host/path/" for canonical links and the 404 page */
  size_t list_limit;        /* rows on a list page before it splits; 500 */
  size_t value_limit;       /* bytes of a value shown in a page; the whole stands under data/; 2000 */
  hm_str tool;              /* "hmirror 0.1.0" */
} hm_view_options;

typedef struct hm_view hm_view;   /* in view_private.h for gen/page */

/* Builds the view in a: linear in rows. Uses the indexes of the sweep, which must outlive it. */
int hm_view_new(const hm_sweep *sweep, const hm_rules *rules, const hm_view_options *opt, hm_arena *a, hm_view **out, hm_err *err);

/* Numbers of what is published: health.json, root page, commit message. */
typedef struct { int64_t projects, rows[5], candidates, open_conflicts, disputed, signoff, resolved, dismissed, findings; } hm_view_counts;
const hm_view_counts *hm_view_counts_of(const hm_view *v);
/* What it was made with. */
const hm_view_options *hm_view_options_of(const hm_view *v);
const hm_sweep *hm_view_sweep(const hm_view *v);
/* One bool for each snapshot row: true when it is left out. */
const bool *hm_view_hidden(const hm_view *v);
/* Conflicts that are published (some member is visible), by (slot_key, id). */
const hm_conflict_rec **hm_view_conflicts(const hm_view *v, size_t *n);
/* "conflicts/c1f0….md" of a conflict. */
hm_str hm_view_conflict_path(const hm_view *v, const hm_conflict_rec *c, hm_arena *a);
/* Human title of a conflict: "p05-interferometer / lateral_support_material". Facts inside: not escaped. */
hm_str hm_conflict_title(const hm_view *v, const hm_conflict_rec *c, hm_arena *a);
#endif
