/* From the store to the site in memory: what build, publish, check, verify and the preview share.
 */
#ifndef HM_MAKE_H
#define HM_MAKE_H
#include "gen/mirror/cache.h"
#include "gen/mirror/changes.h"
#include "gen/mirror/theme.h"
#include "gen/site/site.h"

typedef struct {
  hm_appearance look;
  bool foreign;              /* the store is not ours */
  bool recorded;             /* what the sweep finds is put into the store */
  hm_sweep sweep; bool swept;
  bool same;                 /* nothing changed: there is neither view nor site */
  hm_view *view;
  hm_page_inputs *rows;   /* with changes: what it was compared by, for the build; or NULL */
  hm_tip_changes changes; /* with hm_make_sink.tip: what changed since it */
  hm_site *site;
  hm_site_draft *draft;      /* of a preview */
  unsigned char inputs[32];  /* of a preview: hm_site_inputs_digest */
  hm_made_counts counts;
  hm_str digest;             /* of the site */
  hm_sweep_last_result found;   /* with the site: what the sweep it shows found */
} hm_made;

/* Loads templates and theme, opens the store to see that it can be, and decides whether the sweep
 * records: with `record`, unless the store (of a foreign one the review file) can only be read,
 * which it warns of. Writes nothing. */
int hm_make_prepare(hm_mirror *m, bool record, hm_made *made, hm_err *err);
/* Whom the site is made for. take, ctx, present: as in hm_site_options. */
typedef struct {
  int (*take)(void *ctx, const hm_file *f, hm_err *err);
  void *ctx;
  const hm_cache_entry
      *known; /* of the last site that went there; NULL: none */
  const hm_sink_files *present;  /* what is there of it still; NULL: nothing */
  const unsigned char *inputs;   /* digest of all that the site is made with but the store, as in
                                    hm_cache_entry; NULL with known NULL will do */
  const hm_tip_files *tip;       /* the commit on which the site will stand: pages tell what changed
                                    since; NULL: they tell no changes */
} hm_make_sink;
/* After hm_make_prepare. Sweeps (recording where that decided so), lays out and renders. When all
 * stands, and store and inputs are the known ones, made->same is set instead. */
int hm_make_site(hm_mirror *m, hm_made *made, const hm_make_sink *sink, hm_err *err);
/* For sites that are compared with none but those that the same run makes with the same look. */
extern const unsigned char hm_make_inputs[32];
/* All of that for looking only: records nothing, the store need not be writable, there is HTML in
 * any case, and no page is rendered: made->draft renders them on request. */
int hm_make_preview(hm_mirror *m, hm_made *made, hm_err *err);
/* Then all pages: made->site, which keeps its bytes. Unchanged files are copied from an earlier
 * preview's site (before; NULL: none). proceed: as in hm_site_options. */
int hm_make_preview_site(hm_mirror *m, hm_made *made, const hm_made *before,
                         bool (*proceed)(void *), void *proceed_ctx, hm_err *err);
/* The claims of the sweep, a third of all memory, when the site is made: the view is good for no
 * page any more. */
void hm_made_free_claims(hm_made *made);
/* Saves into the cache what was made, after it went where the cache is for; note: the sink's own.
 */
void hm_made_save_to_cache(const hm_mirror *m, const hm_made *made, const hm_cache *cache,
                           hm_str note);
void hm_made_free(hm_made *made);
#endif
