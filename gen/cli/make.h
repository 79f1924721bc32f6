/* From the store to the site, as `build` and `publish` both need it. */
#ifndef HM_MAKE_H
#define HM_MAKE_H
#include "core/base/json.h"
#include "gen/cli/cache.h"
#include "gen/cli/theme.h"
#include "gen/cli/work.h"
#include "gen/site/site.h"

typedef struct {
  hm_appearance look;
  bool foreign;              /* the store is not ours */
  bool recorded;             /* what the sweep finds is put into the store */
  hm_sweep sweep; bool swept;
  bool same;                 /* nothing changed: there is neither view nor site */
  hm_view *view;
  hm_site *site;
  hm_made_counts counts;
  hm_str digest;             /* of the site */
} hm_made;

/* Loads templates and theme, decides whether the sweep will record, and sees that the store can be
 * opened for that. A store (of a foreign one the review file) that can only be read is told, and
 * not recorded in. Nothing is written. */
int hm_make_ready(hm_cli *cli, hm_made *m);
/* --markdown-only, --html-only: what the pages are made as, into the config. Both together are an
 * error. */
int hm_make_forms(hm_cli *cli);
/* Whom the site is made for. take, holds, ctx: as in hm_site_options. */
typedef struct {
  int (*take)(void *ctx, const hm_file *f, hm_err *err);
  bool (*holds)(void *ctx, const hm_file *f);
  void *ctx;
  const hm_cache_entry
      *known; /* of the last site that went there, whose files the sink trusts; NULL: none */
  bool stands;                   /* and all of them are there, and nothing was put beside them */
  const unsigned char *inputs;   /* digest of all that the site is made with but the store, as in
                                    hm_cache_entry; NULL with known NULL will do */
} hm_make_sink;
/* After hm_make_ready. Sweeps (recording where that decided so), lays out and renders. When all
 * stands, and store and inputs are the known ones, m->same is set instead. */
int hm_make_site(hm_cli *cli, hm_made *m, const hm_make_sink *sink);
/* For sites that are compared with none but those that the same run makes with the same look. */
extern const unsigned char hm_make_inputs[32];
/* All of that for looking only: nothing is recorded, the store need not be writable, and there is
 * HTML in any case. */
int hm_make_preview(hm_cli *cli, hm_made *m);
void hm_made_free(hm_made *m);
/* "pages", "files", "digest" and the counts of conflicts, for --format json. */
void hm_made_json(hm_jw *w, const hm_made *m);
#endif
