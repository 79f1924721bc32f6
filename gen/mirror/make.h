/* Makes a site from the store; shared by build, publish, check, verify and the preview. */
#ifndef HM_MAKE_H
#define HM_MAKE_H
#include "gen/mirror/cache.h"
#include "gen/mirror/changes.h"
#include "gen/mirror/theme.h"
#include "gen/site/site.h"

typedef struct {
  hm_appearance look;
  hm_store *store; /* open from hm_make_prepare on; for writing if recorded */
  bool foreign;    /* the store belongs to another program */
  bool recorded;   /* the sweep's findings go into the store */
  hm_sweep sweep;
  bool swept;
  bool same; /* nothing changed: there is neither view nor site */
  hm_view *view;
  hm_tip_changes changes; /* with hm_make_sink.tip: the changes since it */
  hm_site *site;
  hm_site_draft *draft;     /* of a preview */
  unsigned char inputs[32]; /* of a preview: hm_site_inputs_digest */
  hm_made_counts counts;
  hm_str digest;              /* of the site */
  hm_sweep_last_result found; /* with the site: what the sweep it shows found */
} hm_made;

/* Loads templates and theme, opens the store, and decides whether the sweep records: it does with
 * `record`, unless the store (for a foreign one, the review file) is read only, which it warns of.
 * Call hm_made_free also when it fails. */
int hm_make_prepare(hm_mirror *m, bool record, hm_made *made, hm_err *err);
/* The sink that the site is made for. take, ctx, present: as in hm_site_options. */
typedef struct {
  int (*take)(void *ctx, const hm_file *f, hm_err *err);
  void *ctx;
  const hm_cache_entry *known;  /* of the last site that went there, made with the same inputs
                                   besides the store; NULL: none */
  const hm_sink_files *present; /* its files that the sink still has; NULL: none */
  const hm_tip_files *tip;      /* the parent of the site's commit: pages show the changes since;
                                   NULL: they show none */
} hm_make_sink;
/* Call it after hm_make_prepare. Sweeps (recording if that decided so), builds the view and
 * renders. Sets made->same instead when store and inputs are the known ones and the sink has all
 * files. */
int hm_make_site(hm_mirror *m, hm_made *made, const hm_make_sink *sink, hm_err *err);
/* Prepares a preview: records nothing, accepts a read-only store, always makes HTML, and renders no
 * page: made->draft renders them on request. */
int hm_make_preview(hm_mirror *m, hm_made *made, hm_err *err);
/* After hm_make_preview: renders all pages into made->site, which keeps its bytes. Copies unchanged
 * files from an earlier preview's site (before; may be NULL). proceed: as in hm_site_options. */
int hm_make_preview_site(hm_mirror *m, hm_made *made, const hm_made *before,
                         bool (*proceed)(void *), void *proceed_ctx, hm_err *err);
/* Frees the claims of the sweep, a third of all memory, once the site is made. No page can be made
 * from the view afterwards. */
void hm_made_free_claims(hm_made *made);
/* Saves the record of the site in the cache, after it went to the cache's place; note: the sink's
 * own. */
void hm_made_save_to_cache(const hm_mirror *m, const hm_made *made, const hm_cache *cache,
                           hm_str note);
void hm_made_free(hm_made *made);
#endif
